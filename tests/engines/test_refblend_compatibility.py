"""Which references go together: the paper's table and combinations, and the graph of them."""

import csv
from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.engines.refblend import graph
from overpaint.engines.refblend.compatibility import (
    GROUPS,
    PAPER,
    SIZES,
    TABLE,
    allowed,
    combinations,
    name_of,
    needed,
    papers,
)
from overpaint.vision.references import KINDS

GOLDEN = Path(__file__).parent.parent / "golden" / "multiref_combinations.csv"
PICTURE = Path(__file__).parent.parent.parent / "docs" / "pictures" / "compatibility.svg"
GLOBAL = {"semantic_map", "depth", "canny", "sketch"}
LOCAL = {"bbox", "mask", "pose"}


def by_words(combination: tuple[str, ...]) -> bool:
    """The rules as the paper's sentences have them, without its table."""
    counts = Counter(combination)
    structure, local = GLOBAL & set(counts), LOCAL & set(counts)
    return (
        len(structure) <= 1
        and len(local) <= 1
        and not (structure and local)
        and not {"pose", "subject"} <= set(counts)
        and all(count == 1 for kind, count in counts.items() if kind not in ("pose", "subject"))
        and (not counts.keys() & {"bbox", "mask"} or bool(counts.keys() & {"caption", "subject"}))
    )


def test_the_papers_preset_is_its_32_combinations() -> None:
    rows = [line for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]
    golden = {row["combination"] for row in csv.DictReader(rows)}
    assert {name_of(one) for one in PAPER} == golden
    assert len(PAPER) == 32


def test_one_combination_of_the_paper_breaks_its_own_rule() -> None:
    assert [name_of(one) for one in PAPER if not allowed(one)] == ["mask+style"]


def test_the_table_says_what_the_rules_say_in_words() -> None:
    every = [c for size in SIZES for c in combinations_with_replacement(sorted(KINDS), size)]
    assert len(every) == 55 + 220 + 715
    for one in every:
        assert allowed(one) == by_words(one), one


def test_the_table_has_ten_rows_of_ten_and_needs_only_where_the_paper_has_arrows() -> None:
    assert set(TABLE) == set(KINDS)
    assert all(set(row) == set(KINDS) for row in TABLE.values())
    assert {kind: needed(kind) for kind in KINDS if needed(kind)} == {
        "bbox": ("caption", "subject"), "mask": ("caption", "subject"),
    }  # fmt: skip
    assert {kind for kind in KINDS if TABLE[kind][kind] == "possible"} == {"pose", "subject"}
    assert sorted(kind for kinds in GROUPS.values() for kind in kinds) == sorted(KINDS)


@given(st.dictionaries(st.sampled_from(KINDS), st.integers(0, 3)))
def test_combinations_are_all_that_is_allowed_of_what_is_offered(offered: dict) -> None:
    found = combinations(offered)
    assert len(set(found)) == len(found)
    for one in found:
        assert by_words(one)
        assert all(one.count(kind) <= offered.get(kind, 0) for kind in one)
    pool = sorted(kind for kind, count in offered.items() for _ in range(count))
    wanted = {
        c for size in SIZES for c in combinations_with_replacement(sorted(set(pool)), size)
        if not Counter(c) - Counter(pool) and by_words(c)
    }  # fmt: skip
    assert set(found) == wanted


@pytest.mark.parametrize(
    ("offered", "count"),
    [({}, 0), ({"canny": 1}, 0), ({"canny": 1, "caption": 1}, 1), ({"mask": 1, "style": 1}, 1)],
)
def test_the_paper_preset_takes_what_a_source_has_all_references_for(
    offered: dict, count: int
) -> None:
    assert len(papers(offered)) == count


def test_sizes_count_references_and_several_subjects_count_each() -> None:
    found = combinations({"subject": 3}, sizes=(3,))
    assert found == (("subject", "subject", "subject"),)


def test_the_picture_of_the_graph_is_current_and_shows_every_kind() -> None:
    drawn = graph.svg()
    assert PICTURE.read_text(encoding="utf-8") == drawn
    assert drawn.count("<text") >= len(KINDS) + len(GROUPS)
    assert drawn.count("× n<") == 2  # subject and pose
