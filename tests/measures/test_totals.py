"""Totals in tables: made once of their columns' means, by a function or as a sum."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from rows_read import read_columns, tabulate

from overpaint.core import Measure, Request, Sample
from overpaint.document import Document
from overpaint.measures.aggregate import Summary, contrasts
from overpaint.report.tables import Causes
from overpaint.report.wording import absence
from overpaint.stats.bootstrap import draw_counts, expanded_percentiles

PIXEL = Document.of(np.zeros((1, 1, 3), np.uint8))


class Row(NamedTuple):
    sample: str
    editor: str
    measure: str
    value: float | None
    status: str = "ok"
    reason: str = ""
    weight: float = 1.0
    notes: tuple[str, ...] = ()


def product(values: Sequence[float]) -> float:
    return float(np.prod(values))


def column(name: str, **more: object) -> Measure:
    return Measure(name, lambda edits, evidence: (), True, 0.0, 1.0, **more)  # type: ignore[arg-type]


A, B = column("a", pool="weighted"), column("b")
TIMES = column("times", parts=("a", "b"), whole=product)
SUM = column("sum", parts=("a", "b"))


def samples(count: int) -> list[Sample]:
    return [Sample(f"s{n}", Request(PIXEL, ""), cluster=f"c{n // 2}") for n in range(count)]


def cell(rows: Sequence[Row], measure: Measure, columns: Sequence[Measure] = (A, B)) -> Summary:
    made = tabulate([*columns, measure], rows, samples(20))
    assert len(made) == 1
    return made[0].cells[measure.name]


def drawn() -> tuple[list[Row], np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    a, b, weights = random.random(20), random.random(20), random.integers(1, 5, 20).astype(float)
    rows = [Row(f"s{n}", "e", "a", a[n], weight=weights[n]) for n in range(20)]
    return rows + [Row(f"s{n}", "e", "b", b[n]) for n in range(20)], a, b, weights


def test_a_total_is_made_once_of_the_means_weights_honoured() -> None:
    rows, a, b, weights = drawn()
    found = cell(rows, TIMES)
    assert found.value == pytest.approx(np.average(a, weights=weights) * b.mean())
    assert found.value != pytest.approx((a * b).mean())
    assert (found.n, found.scored, found.clusters) == (20, 20, 10)
    assert (found.if_worst, found.if_best) == (found.value, found.value)


@pytest.mark.parametrize("measure", [TIMES, SUM], ids=lambda one: one.name)
def test_its_interval_draws_the_sources_of_all_columns_together(measure: Measure) -> None:
    rows, a, b, weights = drawn()
    found = cell(rows, measure)
    table = np.stack([
        np.bincount(np.arange(20) // 2, x) for x in (a * weights, weights, b, np.ones(20))
    ], axis=1)  # fmt: skip
    table = table[np.lexsort(table.T)]
    sums = np.concatenate([counts @ table for counts in draw_counts(10, 0, 2000)])
    means = sums[:, ::2] / sums[:, 1::2]
    made = means.prod(axis=1) if measure is TIMES else means.sum(axis=1)
    assert (found.low, found.high) == pytest.approx(expanded_percentiles(made, 10))
    assert found.low < found.value < found.high


def test_a_column_without_scores_leaves_no_total_and_is_named() -> None:
    rows = [row for row in drawn()[0] if row.measure == "a"]
    found = cell(rows, TIMES)
    assert (found.value, found.low, found.high, found.scored) == (None, None, None, 0)
    assert found.notes == ("b has no score: none of 20 samples has a score",)
    assert absence(found, Causes({"not_applicable": 20}, "")) == "b has no score"


def test_a_column_that_is_not_there_is_named_too() -> None:
    found = cell(drawn()[0], TIMES, columns=(A,))
    assert found.value is None
    assert found.notes == ("it is made of columns that are not here: b",)


def test_what_is_missing_bounds_the_total_as_it_bounds_its_columns() -> None:
    rows = [row for row in drawn()[0] if row.measure == "a" or row.sample != "s0"]
    alone = column("a")  # unweighted: a weighted mean has no bounds
    plain = [row._replace(weight=1.0) for row in rows]
    made = tabulate([alone, B, TIMES], plain, samples(20))[0].cells
    assert made["times"].scored == 19
    assert made["times"].if_worst == pytest.approx(made["a"].value * made["b"].if_worst)
    assert made["times"].if_best == pytest.approx(made["a"].value * made["b"].if_best)
    assert made["times"].if_worst < made["times"].value < made["times"].if_best


def test_a_comparison_of_what_no_sample_has_names_the_columns_to_compare() -> None:
    (found,) = contrasts(read_columns([TIMES], [], samples(20)), [TIMES], [("x", "y")])
    assert found.found.notes == ("it is of an editor and not of a sample: compare a, b",)
