"""Table 6's average, from its ten columns."""

import csv
from pathlib import Path

import pytest

from overpaint.errors import UserMistake
from overpaint.measures.aggregate import fidelity_average

GOLDEN = Path(__file__).parents[1] / "golden" / "multiref_table6.csv"
LINES = [line for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]
ROWS = list(csv.DictReader(LINES))
COLUMNS = [name for name in ROWS[0] if name not in ("system", "average")]
HALVES = dict.fromkeys(COLUMNS, 0.5)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["system"])
def test_the_papers_average_comes_out_of_its_ten_columns(row: dict[str, str]) -> None:
    found = fidelity_average(**{name: float(row[name]) for name in COLUMNS})
    # Ten numbers rounded to a thousandth, and their mean rounded again.
    assert found == pytest.approx(float(row["average"]), abs=0.001)


def test_all_systems_of_the_table_are_there() -> None:
    assert len(ROWS) == 11


@pytest.mark.parametrize("name", COLUMNS)
def test_each_kind_weighs_a_tenth_and_errors_count_backwards(name: str) -> None:
    better = 0.0 if name.endswith("_mse") else 1.0
    assert fidelity_average(**HALVES) == 0.5
    assert fidelity_average(**HALVES | {name: better}) == pytest.approx(0.55)
    assert fidelity_average(**HALVES | {name: 1 - better}) == pytest.approx(0.45)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("value", [-0.01, 1.01, 58.4, float("nan"), float("inf")])
def test_what_is_no_share_is_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(UserMistake, match=f"{name} is .*from 0 to 1.*maps on"):
        fidelity_average(**HALVES | {name: value})
