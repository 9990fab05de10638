"""TextEditBench's difficulty: what can be computed is, and is held against the file."""

import time
from pathlib import Path

import numpy as np
import pytest
from textedit_tree import picture, put, whole
from textedit_tree import root as root  # a fixture

from overpaint.benchmarks.textedit import (
    load,
    textedit,
)
from overpaint.benchmarks.textedit_difficulty import (
    ATTRIBUTES,
    count_regions,
    read_rating,
    target_words,
    tier,
)
from overpaint.benchmarks.textedit_files import MANUAL
from overpaint.document import Document


def test_tiers_follow_the_papers_thresholds() -> None:
    names = [tier(total) for total in range(21)]
    assert names == ["easy"] * 6 + ["medium"] * 5 + ["hard"] * 10


@pytest.mark.parametrize(
    ("text", "total", "values"),
    [
        ("12(0,0,2,2,0,0,2,2,2,2)", 12, 10),
        (" 6(0,1,2,0,0,0,0,2,1,0)", 6, 10),
        ("4 (0, 0,0,0,0,0,0,2,2,0)", 4, 10),
        ("（0，1）", None, 2),
        ("7(0,2,)", 7, 2),
    ],
)
def test_a_rating_is_read_however_it_is_spaced(text: str, total: int | None, values: int) -> None:
    rating = read_rating(text)
    assert rating is not None
    assert (rating.total, len(rating.values)) == (total, values)


@pytest.mark.parametrize("text", ["", "12", "(", "()", "1(a,b)", "1(1 2)", "-1(0)", "1(0,-1)"])
def test_what_is_no_rating_is_none(text: str) -> None:
    assert read_rating(text) is None


@pytest.mark.parametrize(
    ("prompt", "operation", "words"),
    [
        ("Delete 'Evening lecture'", "delete", 2),
        ("delete the 'old mill' and 'ferry'", "delete", 3),
        ("Delete ‘EAST’ from the text ‘EAST HARBOUR’", "delete", 1),
        ("Add 'Teacher's opinion' below 'Notice'", "insert", 2),
        ("Add the label '图片仅供参考'", "insert", 6),
        ('Change "a b c" to "d e f g h"', "change", 5),
        ("Change the name to 'New'", "change", 1),
        ("Change 'HOT' to its opposite", "change", None),
        ("change the font of'Pet & Play'", "attribute", 2),
        ("Move the author's name up, not the students' names", "relocation", None),
    ],
)
def test_the_target_text_is_the_quoted_one(prompt: str, operation: str, words: int | None) -> None:
    assert target_words(prompt, operation) == words


def test_a_prompt_of_nothing_but_quotes_is_read_in_no_time() -> None:
    started = time.perf_counter()
    target_words(" 'a" * 300_000, "insert")
    assert time.perf_counter() - started < 1


def mask(*squares: tuple[int, int, int]) -> Document:
    """A black mask with white squares (top, left, side)."""
    pixels = np.zeros((120, 120, 3), np.uint8)
    for top, left, side in squares:
        pixels[top : top + side, left : left + side] = 255
    return Document.of(pixels)


@pytest.mark.parametrize(
    ("squares", "regions"),
    [
        ([], 0),
        ([(0, 0, 8)], 1),
        ([(0, 0, 7)], 0),  # 49 pixels: a speck
        ([(0, 0, 10), (10, 10, 10)], 1),  # touching at a corner
        ([(0, 0, 10), (30, 30, 10), (60, 60, 10), (90, 90, 10)], 4),
    ],
)
def test_regions_are_connected_white_parts_larger_than_a_speck(
    squares: list[tuple[int, int, int]], regions: int
) -> None:
    assert count_regions(mask(*squares)) == regions


def test_regions_cannot_be_counted_in_a_missing_or_broken_mask(tmp_path: Path) -> None:
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    assert count_regions(Document(tmp_path / "absent.jpg")) is None
    assert count_regions(Document(tmp_path / "broken.jpg")) is None


@pytest.mark.parametrize(
    ("attribute", "value", "kind"),
    [
        ("text_length", 2, "difficulty text_length"),
        ("task_category", 1, "difficulty task_category"),
        ("semantic_linkage", 2, "difficulty semantic_linkage"),
        ("context_dependency", 1, "difficulty value"),
        ("occlusion", 3, "difficulty value"),
        ("num_text_regions", 2, "difficulty num_text_regions"),
        ("font_complexity", 2, None),
    ],
)
def test_values_that_disagree_with_what_is_computed_are_reported_and_kept(
    attribute: str, value: int, kind: str | None, root: Path
) -> None:
    values = [0] * 10
    values[ATTRIBUTES.index(attribute)] = value
    score = f"{sum(values)}({','.join(map(str, values))})"
    folder = put(root, f"{MANUAL}/Data_Analytics/003", pictures=whole(3), difficulty_score=score)
    picture(folder / "text_change_3_mask.jpg", white=(slice(4, 20),))
    sample = next(s for s in load(root).samples if s.id.endswith("003"))
    found = textedit.check([sample])
    assert [repair.kind for repair in found] == ([kind] if kind else [])
    assert sample.facts["difficulty_values"] == values
    assert sample.facts["difficulty_score"] == score
