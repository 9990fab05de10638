"""Score_all: the paper's ranks, and what it does with what is no score."""

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows_read import tabulate

from overpaint import catalog
from overpaint.core import Edit, Evidence, Measure, Request, Sample
from overpaint.document import Document
from overpaint.errors import UserMistake
from overpaint.measures.aggregate import Summary, score_all

GOLDEN = Path(__file__).parents[1] / "golden" / "ebench_table5.csv"
SCORES = st.floats(0, 100)
PIXEL = Document.of(np.zeros((1, 1, 3), np.uint8))


def _rows() -> list[dict[str, str]]:
    lines = [line for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def _of(row: dict[str, str]) -> float:
    names = ("human_quality", "human_alignment", "human_preservation")
    return score_all(*(float(row[name]) for name in names))


def test_people_s_columns_of_table_5_give_the_paper_s_rank_of_all_seventeen_editors() -> None:
    rows = _rows()
    ranked = sorted(rows, key=_of, reverse=True)
    assert len(rows) == 17
    assert [int(row["human_rank"]) for row in ranked] == [*range(1, 18)]


def test_three_equal_parts_are_their_own_score() -> None:
    assert score_all(61.7, 61.7, 61.7) == pytest.approx(61.7)
    assert score_all(50, 40, 60) == pytest.approx(50**0.3 * 40**0.4 * 60**0.3)


@given(SCORES, SCORES, SCORES, st.floats(0, 50))
def test_it_never_falls_when_a_part_gets_better(q: float, e: float, p: float, more: float) -> None:
    score = score_all(q, e, p)
    better = (score_all(q + more, e, p), score_all(q, e + more, p), score_all(q, e, p + more))
    assert min(better) >= score * (1 - 1e-12)
    assert min(q, e, p) - 1e-9 <= score <= max(q, e, p) + 1e-9


@pytest.mark.parametrize("bad", [-0.01, math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", range(3))
def test_what_is_no_score_is_an_error_that_names_the_part(bad: float, place: int) -> None:
    values = [50.0, 50.0, 50.0]
    values[place] = bad
    name = ("quality", "alignment", "preservation")[place]
    with pytest.raises(ValueError, match=rf"{name} is .*three finite numbers from 0 up"):
        score_all(*values)


class Row(NamedTuple):
    sample: str
    editor: str
    measure: str
    value: float | None
    status: str = "ok"
    reason: str = ""
    weight: float = 1.0
    notes: tuple[str, ...] = ()


def _column(name: str) -> Measure:
    return Measure(name, lambda edits, evidence: (), True, None, None)


NAMES = ("quality@people", "alignment@people", "preservation@people")
SAMPLES = [Sample(f"s{n}", Request(PIXEL, "x")) for n in range(2)]


def _cell(values: Sequence[Sequence[float]]) -> Summary:
    rows = [
        Row(f"s{place}", "mine", name, value)
        for place, three in enumerate(values)
        for name, value in zip(NAMES, three, strict=True)
    ]
    columns = [*map(_column, NAMES), catalog.measure("score_all")]
    return tabulate(columns, rows, SAMPLES)[0].cells["score_all"]


def test_a_table_has_it_once_from_the_means_of_people_s_columns() -> None:
    cell = _cell([(40, 50, 60), (60, 70, 40)])
    assert cell.value == pytest.approx(score_all(50, 60, 50))
    edit = Edit(SAMPLES[0], "mine", "ok", PIXEL)
    (one,) = catalog.measure("score_all").score([edit], Evidence())
    assert one.status == "not_applicable"
    assert "of an editor" in one.reason


def test_columns_that_average_below_0_are_said_to_have_no_score_all() -> None:
    with pytest.raises(UserMistake, match="There is no Score_all of these columns: quality is -5"):
        _cell([(-5, 50, 60), (-5, 70, 40)])
