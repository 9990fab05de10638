"""Intraclass correlations against the published example, an independent library, and laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.stats.icc import Kind, icc

NAN = float("nan")
KINDS: tuple[Kind, ...] = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")

# Shrout & Fleiss 1979, tables 2 and 4: six targets, four judges, and what they print.
PUBLISHED = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
PRINTED = (0.17, 0.29, 0.71, 0.44, 0.62, 0.91)


def rated(units: int, raters: int, seed: int) -> np.ndarray:
    """Units × raters: a truth of variance 4/3, biases of .16, noise of .49."""
    rng = np.random.default_rng(seed)
    true, bias = rng.uniform(1, 5, (units, 1)), rng.normal(0, 0.4, raters)
    return np.asarray(true + bias + rng.normal(0, 0.7, (units, raters)))


@pytest.mark.parametrize(("kind", "value"), [*zip(KINDS, PRINTED, strict=True)])
def test_the_published_example_has_its_published_values(kind: Kind, value: float) -> None:
    assert icc(PUBLISHED, kind=kind).value == pytest.approx(value, abs=5e-3)


@pytest.mark.slow
def test_all_six_equal_those_of_pingouin_to_nine_digits() -> None:
    import pandas as pd
    import pingouin

    for seed in range(5):
        table = rated(12 + seed, 3 + seed % 3, seed)
        units, raters = np.indices(table.shape)
        long = pd.DataFrame({"unit": units.ravel(), "rater": raters.ravel(), "r": table.ravel()})
        theirs = pingouin.intraclass_corr(long, "unit", "rater", "r")["ICC"]
        ours = [icc(table, kind=kind, draws=5).value for kind in KINDS]
        assert ours == pytest.approx(theirs.tolist(), abs=1e-9)


def test_unequal_numbers_of_ratings_have_the_mean_squares_of_a_one_way_analysis() -> None:
    from scipy.stats import f_oneway

    table = rated(9, 5, 0)
    table[np.random.default_rng(1).random(table.shape) < 0.3] = NAN
    groups = [row[~np.isnan(row)] for row in table]
    groups = [group for group in groups if len(group) > 1]
    sizes = np.array([len(group) for group in groups])
    k = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(groups) - 1)
    f = f_oneway(*groups).statistic  # of unit over rest: (F − 1) / (F + k − 1)
    assert icc(table, kind="ICC(1,1)").value == pytest.approx((f - 1) / (f + k - 1))
    assert icc(table, kind="ICC(1,k)").value == pytest.approx((f - 1) / f)


def test_many_units_and_raters_show_the_shares_of_variance() -> None:
    table = rated(4_000, 60, 3)
    whole = 4 / 3 + 0.16 + 0.49
    assert icc(table, draws=5).value == pytest.approx(4 / 3 / whole, abs=0.03)
    one = icc(table, kind="ICC(3,1)", draws=5).value
    assert one == pytest.approx(4 / 3 / (4 / 3 + 0.49), abs=0.02)


@given(st.integers(0, 1000), st.floats(0.01, 1e6), st.floats(-1e6, 1e6))
@settings(max_examples=15, deadline=None)
def test_neither_unit_of_measurement_nor_order_moves_a_number(
    seed: int, stretch: float, shift: float
) -> None:
    table = rated(12, 4, seed)
    rng = np.random.default_rng(seed)
    other = table[rng.permutation(12)] * stretch + shift * stretch
    for kind in KINDS:
        one, two = (icc(x, kind=kind, draws=50) for x in (table, other))
        assert two.value == pytest.approx(one.value, abs=1e-6)
        assert two.low == pytest.approx(one.low, abs=1e-5)


def test_the_interval_is_the_same_for_the_same_seed_and_encloses_the_value() -> None:
    table = rated(40, 5, 1)
    for kind in KINDS:
        found = icc(table, kind=kind)
        assert found == icc(table, kind=kind, seed=0)
        assert found.low < found.value < found.high  # type: ignore[operator]
        assert found.low != icc(table, kind=kind, seed=1).low


def test_units_that_not_everybody_rated_are_left_out_of_the_two_way_forms_and_counted() -> None:
    table = rated(10, 3, 2)
    table[0, 1] = table[4, 2] = NAN
    found = icc(table)
    whole = icc(np.delete(table, [0, 4], axis=0))
    assert (found.value, found.units) == (whole.value, 8)
    assert found.notes == ("2 units are not rated by every rater and are left out",)
    assert icc(table, kind="ICC(1,1)").units == 10


@pytest.mark.parametrize(
    ("table", "kind", "why"),
    [
        ([[1, NAN], [NAN, 2]], "ICC(2,1)", "only 0 units are rated by every rater; ICC(1,1) takes"),
        ([[1, NAN], [NAN, 2]], "ICC(1,1)", "only 0 units are rated by two"),
        ([[1, 2]], "ICC(3,1)", "only 1 units"),
        ([[3, 3], [3, 3]], "ICC(2,1)", "every rating is the same"),
        (np.empty((0, 3)), "ICC(1,1)", "only 0 units"),
        ([[1], [2], [3]], "ICC(3,k)", "only 0 units"),
    ],
)
def test_where_there_is_none_a_sentence_says_why(table: object, kind: Kind, why: str) -> None:
    found = icc(table, kind=kind)  # type: ignore[arg-type]
    assert (found.value, found.low) == (None, None)
    assert why in found.notes[-1]


def test_raters_who_agree_have_one_even_if_units_are_few() -> None:
    found = icc([[1, 1], [2, 2], [4, 4]])
    assert found.value == pytest.approx(1)
    assert found.notes == ("no interval: it needs 5 units and has 3",)


def test_an_unknown_kind_and_a_table_that_is_none_are_refused() -> None:
    with pytest.raises(ValueError, match="want one of ICC"):
        icc(PUBLISHED, kind="ICC(4,1)")  # type: ignore[arg-type]
    for wrong in ([1, 2], [[1, float("inf")]], [["a"]], [[1, 2], [3]]):
        with pytest.raises(ValueError, match="want one row a unit"):
            icc(wrong)  # type: ignore[arg-type]
