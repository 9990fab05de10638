"""Krippendorff's α against the published example, an independent library and simulated truth."""

import time

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.stats.agreement import Metric, krippendorff_alpha

METRICS: tuple[Metric, ...] = ("nominal", "ordinal", "interval")

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C: four observers
# (columns), twelve units, missing data. Its printed results: .743, .815, .849.
PUBLISHED = [
    [1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1],
    [None, 3, None, None],
]  # fmt: skip

rating = st.one_of(st.none(), st.integers(1, 5), st.floats(-100, 100).map(lambda x: round(x, 2)))
tables = st.integers(2, 6).flatmap(
    lambda raters: st.lists(st.lists(rating, min_size=raters, max_size=raters), max_size=12)
)


def rated(units: int, raters: int, noise: float, seed: int) -> np.ndarray:
    """Ratings from 1 to 5 of units with a true value, blurred, a tenth of them missing."""
    rng = np.random.default_rng(seed)
    true = rng.uniform(1, 5, (units, 1))
    given = np.clip(np.round(true + rng.normal(0, noise, (units, raters))), 1, 5)
    given[rng.random(given.shape) < 0.1] = np.nan
    return given


# ── references ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("metric", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_the_published_example_has_its_published_values(metric: Metric, value: float) -> None:
    found = krippendorff_alpha(PUBLISHED, metric=metric)
    assert found.alpha == pytest.approx(value, abs=5e-4)
    assert (found.units, found.ratings) == (11, 40)


@given(tables)
@settings(deadline=None)
def test_alpha_equals_that_of_the_krippendorff_package_to_nine_digits(
    table: list[list[float | None]],
) -> None:
    for metric in METRICS:
        found = krippendorff_alpha(table, metric=metric, draws=10)
        if found.alpha is None:
            assert found.notes
            assert found.low is None
            continue
        theirs = krippendorff.alpha(
            np.array(table, float).T, level_of_measurement=metric, dtype=np.float64
        )
        assert found.alpha == pytest.approx(float(theirs), abs=1e-9)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@given(tables, st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_neither_the_order_of_units_nor_that_of_raters_moves_a_number(
    table: list[list[float | None]], random: np.random.Generator
) -> None:
    shuffled = [list(unit) for unit in table]
    for unit in shuffled:
        random.shuffle(unit)  # α does not know who rated
    random.shuffle(shuffled)
    for metric in METRICS:
        one = krippendorff_alpha(table, metric=metric, draws=50)
        assert one == krippendorff_alpha(shuffled, metric=metric, draws=50)


def test_interval_ratings_may_be_in_any_unit_and_ordinal_ones_on_any_rising_scale() -> None:
    table = rated(30, 4, 0.8, 1)
    for scale in (1e-6, 1e6, 1e200):
        same = krippendorff_alpha(table * scale + scale, metric="interval").alpha
        assert same == pytest.approx(krippendorff_alpha(table, metric="interval").alpha, abs=1e-9)
    stretched = krippendorff_alpha(np.exp(table), metric="ordinal")
    assert stretched.alpha == krippendorff_alpha(table, metric="ordinal").alpha


def test_raters_who_agree_have_one_and_raters_at_random_have_about_none() -> None:
    perfect = krippendorff_alpha([[k % 3] * 4 for k in range(20)], metric="ordinal")
    assert (perfect.alpha, perfect.low, perfect.high) == (1.0, 1.0, 1.0)
    random = np.random.default_rng(0).integers(1, 4, (400, 5))
    for metric in METRICS:
        found = krippendorff_alpha(random, metric=metric)
        assert found.low is not None
        assert found.low < 0 < found.high
        assert abs(found.alpha) < 0.05


# ── the interval ────────────────────────────────────────────────────────────────────────


def test_the_interval_is_the_same_for_the_same_seed_and_encloses_alpha() -> None:
    table = rated(50, 15, 0.7, 2)
    one = krippendorff_alpha(table, metric="ordinal", seed=3)
    assert one == krippendorff_alpha(table, metric="ordinal", seed=3)
    assert one.low != krippendorff_alpha(table, metric="ordinal", seed=4).low
    assert one.low < one.alpha < one.high


def test_the_interval_draws_units_as_a_plain_bootstrap_would() -> None:
    table = rated(40, 3, 0.8, 5)
    rng = np.random.default_rng(0)
    plain = [
        krippendorff.alpha(table[rng.integers(0, 40, 40)].T, level_of_measurement="ordinal")
        for _ in range(600)
    ]
    found = krippendorff_alpha(table, metric="ordinal")
    low, high = np.quantile(plain, [0.021, 0.979])  # about the tail that 40 clusters expand to
    assert found.low == pytest.approx(low, abs=0.03)
    assert found.high == pytest.approx(high, abs=0.03)


@pytest.mark.slow
def test_the_interval_holds_the_alpha_of_many_units_about_as_often_as_it_says() -> None:
    true = krippendorff_alpha(rated(20_000, 4, 0.8, 9), metric="ordinal", draws=2).alpha
    found = [krippendorff_alpha(rated(40, 4, 0.8, s), metric="ordinal") for s in range(400)]
    held = np.mean([one.low <= true <= one.high for one in found])
    assert 0.91 < held < 0.98


# ── nothing to say ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([], "no unit is rated by two"),
        ([[1], [2], [3]], "no unit is rated by two"),
        ([[1, None], [None, 2], [float("nan"), 3]], "no unit is rated by two"),
        ([[1, 2, 3]], "only one unit"),
        ([[1, 2], [3, None]], "only one unit"),
        ([[2, 2], [2, 2], [2, 2]], "every rating is the same"),
    ],
)
def test_where_alpha_does_not_exist_there_is_a_sentence_and_no_number(
    table: list[list[float | None]], why: str, metric: Metric
) -> None:
    found = krippendorff_alpha(table, metric=metric)
    assert (found.alpha, found.low, found.high) == (None, None, None)
    assert why in found.notes[0]


def test_too_few_units_have_an_alpha_and_no_interval() -> None:
    found = krippendorff_alpha([[1, 2], [2, 2], [3, 3]], metric="ordinal")
    assert found.alpha is not None
    assert found.low is None
    assert found.notes == ("no interval: it needs 5 units and has 3",)


def test_draws_without_variation_are_left_out_and_counted() -> None:
    found = krippendorff_alpha([[1, 1]] * 9 + [[1, 2]], metric="nominal")
    assert found.low is not None
    assert "draws have no variation and are left out" in found.notes[0]


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(ValueError, match="want nominal, ordinal or interval"):
        krippendorff_alpha(PUBLISHED, metric="cardinal")  # type: ignore[arg-type]


def test_hundreds_of_units_on_a_scale_of_a_hundred_take_seconds_at_most() -> None:
    start = time.process_time()
    krippendorff_alpha(np.random.default_rng(0).integers(0, 101, (300, 10)), metric="ordinal")
    assert time.process_time() - start < 10
