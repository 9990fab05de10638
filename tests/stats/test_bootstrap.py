"""The bootstrap against scipy, closed forms and simulated truth."""

import math
import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from overpaint.stats import bootstrap
from overpaint.stats.bootstrap import (
    FEWEST_CLUSTERS,
    Clustered,
    cluster,
    expanded_percentiles,
    interval,
    intervals,
    standard_error,
    t_quantile,
)

numbers = st.floats(-1e6, 1e6, allow_nan=False)
rows = st.lists(st.tuples(st.integers(0, 12), numbers), min_size=1, max_size=40)


# ── references ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 19, 48, 99, 100, 101, 400, 9999])
def test_quantiles_of_student_t_equal_those_of_scipy_to_eight_digits(freedom: int) -> None:
    for p in (0.001, 0.025, 0.4, 0.5, 0.6, 0.8, 0.975, 0.999):
        assert t_quantile(p, freedom) == pytest.approx(stats.t.ppf(p, freedom), rel=1e-8, abs=1e-12)


def test_quantiles_outside_zero_and_one_are_refused() -> None:
    with pytest.raises(ValueError, match="0 < p < 1"):
        t_quantile(1.0, 5)


@pytest.mark.parametrize("count", [8, 60])
def test_ends_equal_the_percentiles_of_scipy_at_the_widened_level(count: int) -> None:
    """Tolerance: 4 % of the width, what 20,000 draws on both sides leave to chance.

    With 8 values the plain percentiles would be 20 % too short.
    """
    values = np.random.default_rng(3).gamma(2.0, 10.0, count)
    tail = stats.norm.cdf(-stats.t.ppf(0.975, count - 1) * math.sqrt(count / (count - 1)))
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile",
        confidence_level=1 - 2 * tail, rng=np.random.default_rng(4),
    ).confidence_interval  # fmt: skip
    ours = interval(values, np.arange(count), seed=5, draws=20_000)
    assert ours is not None
    assert ours == pytest.approx(tuple(theirs), abs=0.04 * (theirs.high - theirs.low))


@pytest.mark.parametrize("clusters", [5, 20, 200])
def test_the_tail_is_widened_by_student_t_and_the_small_sample_factor(clusters: int) -> None:
    """On an even grid from 0 to 1 the low end is the tail itself; tolerance: the grid's step."""
    found = expanded_percentiles(np.linspace(0, 1, 100_001), clusters)
    factor = math.sqrt(clusters / (clusters - 1))
    tail = stats.norm.cdf(-stats.t.ppf(0.975, clusters - 1) * factor)
    assert (found.low, 1 - found.high) == pytest.approx((tail, tail), abs=1e-5)


def test_for_many_normal_values_it_is_the_interval_of_the_t_test() -> None:
    """Tolerance: 5 % of the width, the noise of 4,000 draws."""
    values = np.random.default_rng(0).normal(5, 2, 800)
    low, high = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    ours = interval(values, np.arange(800), seed=1, draws=4000)
    assert ours == pytest.approx((low, high), abs=0.05 * (high - low))


def test_the_standard_error_without_clusters_is_the_usual_one() -> None:
    values = np.random.default_rng(0).normal(size=50)
    ours = standard_error(cluster(values, np.arange(50)))
    assert ours == pytest.approx(stats.sem(values), rel=1e-12)


def test_the_standard_error_of_equal_clusters_is_that_of_their_means() -> None:
    values = np.random.default_rng(0).normal(size=(12, 5))
    ours = standard_error(cluster(values.ravel(), np.repeat(np.arange(12), 5)))
    assert ours == pytest.approx(stats.sem(values.mean(axis=1)), rel=1e-12)


# ── what no interval can be had from ────────────────────────────────────────────────────


@pytest.mark.parametrize("count", range(FEWEST_CLUSTERS))
def test_fewer_than_five_clusters_have_no_interval_however_many_values(count: int) -> None:
    values = np.random.default_rng(0).normal(size=10 * count)
    assert interval(values, np.repeat(np.arange(count), 10), seed=0) is None


def test_one_cluster_has_no_standard_error() -> None:
    assert standard_error(cluster([1.0, 2.0], ["a", "a"])) is None


def test_values_without_a_cluster_each_are_refused() -> None:
    with pytest.raises(ValueError, match="2 values have 1 clusters"):
        interval([1.0, 2.0], ["a"], seed=0)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=60, deadline=None)
@given(rows, st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_the_names_of_clusters_move_an_interval(rows, random) -> None:
    before = interval([v for _, v in rows], [c for c, _ in rows], seed=7, draws=50)
    random.shuffle(rows)
    renamed = [f"source {99 - c}" for c, _ in rows]
    assert interval([v for _, v in rows], renamed, seed=7, draws=50) == before


@settings(max_examples=60, deadline=None)
@given(rows)
def test_an_interval_stays_within_the_range_of_the_values(rows) -> None:
    values = [v for _, v in rows]
    found = interval(values, [c for c, _ in rows], seed=0, draws=50)
    if found is not None:
        slack = 1e-9 * max(map(abs, values))
        assert min(values) - slack <= found.low <= found.high <= max(values) + slack


@settings(max_examples=40, deadline=None)
@given(rows, st.floats(-100, 100), st.floats(0.01, 100))
def test_shifting_and_scaling_the_values_shifts_and_scales_the_interval(rows, by, times) -> None:
    values = np.array([v for _, v in rows])
    clusters = [c for c, _ in rows]
    plain = interval(values, clusters, seed=0, draws=50)
    moved = interval(values * times + by, clusters, seed=0, draws=50)
    if plain is None:
        assert moved is None
    else:
        expected = (plain.low * times + by, plain.high * times + by)
        # Rounding may make ties of sums that differ in their last digits; hence the tolerance.
        assert moved == pytest.approx(expected, rel=1e-6, abs=1e-6 * np.abs(values * times).max())


def test_the_same_seed_gives_the_same_interval_and_another_gives_another() -> None:
    values = np.random.default_rng(0).normal(size=40)
    first, again, other = (interval(values, np.arange(40), seed=seed) for seed in (1, 1, 2))
    assert first == again != other


def test_a_column_asked_for_among_others_has_the_interval_it_has_alone() -> None:
    random = np.random.default_rng(0)
    columns = [cluster(random.normal(size=n), np.arange(n)) for n in (30, 3, 30, 700, 30)]
    together = intervals(columns, seed=9)
    alone = [intervals([column], seed=9)[0] for column in columns]
    assert together[1] is alone[1] is None
    for one, two in zip(together, alone, strict=True):
        assert one == (two and pytest.approx(two, rel=1e-12))


def test_values_that_are_all_equal_have_an_interval_of_no_width() -> None:
    assert interval([0.25] * 8, range(8), seed=0) == (0.25, 0.25)


# ── simulations: does it hold the truth as often as it says ─────────────────────────────


@pytest.mark.parametrize("clusters", [20, 50])
def test_intervals_hold_the_true_mean_about_95_times_in_100(clusters: int) -> None:
    """500 sets of skewed values in [0, 1]; 3 standard errors of the count are 2.9 points."""
    random = np.random.default_rng(clusters)
    names = np.arange(clusters)
    found = [interval(random.beta(6, 2, clusters), names, seed=i, draws=800) for i in range(500)]
    held = np.mean([one is not None and one.low <= 0.75 <= one.high for one in found])
    assert 0.921 <= held <= 0.979


def test_ignoring_that_samples_share_a_source_would_claim_too_much() -> None:
    """20 sources of 5 alike samples each: clustered about 95 %, as if independent below 75 %."""
    random = np.random.default_rng(1)
    names = np.repeat(np.arange(20), 5)
    clustered = naive = 0
    for seed in range(300):
        values = random.normal(size=20)[names] + 0.3 * random.normal(size=100)
        one = interval(values, names, seed=seed, draws=600)
        two = interval(values, np.arange(100), seed=seed, draws=600)
        assert one is not None
        assert two is not None
        clustered += one.low <= 0 <= one.high
        naive += two.low <= 0 <= two.high
    assert 0.912 <= clustered / 300 <= 0.988
    assert naive / 300 < 0.75


# ── size ────────────────────────────────────────────────────────────────────────────────


def test_ten_thousand_values_and_two_thousand_draws_are_quick_and_small() -> None:
    """About 0.1 s on one idle core; a second leaves room for a busy one. Memory: 16 MB."""
    values = np.random.default_rng(0).normal(size=10_000)
    names = np.arange(10_000)
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        interval(values, names, seed=0, draws=2000)
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 1.0
    tracemalloc.start()
    interval(values, names, seed=0, draws=2000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16 * 2**20


@pytest.mark.parametrize("kind", ["normal", "share", "log-normal"])
def test_thousands_of_sources_need_no_draws_and_get_the_same_interval(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, count = np.random.default_rng(0), 2 * bootstrap.LARGE
    values = {
        "normal": lambda: rng.normal(0, 1, count),
        "share": lambda: (rng.random(count) < 0.05).astype(float),
        "log-normal": lambda: rng.lognormal(0, 1, count),
    }[kind]()
    column = bootstrap.cluster(values, np.arange(count) // 2)
    assert abs(bootstrap.skewness(column)) < 0.1
    told = bootstrap.intervals([column], seed=1)[0]
    assert told == bootstrap.linearised(column)
    monkeypatch.setattr(bootstrap, "LARGE", count)
    drawn = bootstrap.intervals([column], seed=1, draws=10_000)[0]
    assert drawn is not None
    assert drawn != told
    # The ends of 10,000 draws are off by .014 of half an interval, one time in three.
    assert drawn == pytest.approx(told, abs=0.05 * (told.high - told.low) / 2)


def test_thousands_of_sources_that_are_skewed_are_drawn_from_all_the_same() -> None:
    values = np.zeros(bootstrap.LARGE)
    values[:20] = 1.0  # a share of twenty in five thousand
    column = bootstrap.cluster(values, np.arange(len(values)))
    assert bootstrap.skewness(column) > 0.1
    assert bootstrap.intervals([column], seed=1)[0] != bootstrap.linearised(column)


def test_an_interval_of_thousands_of_sources_stays_in_the_range_of_the_data() -> None:
    column = bootstrap.cluster(np.ones(bootstrap.LARGE), np.arange(bootstrap.LARGE))
    assert bootstrap.intervals([column], seed=1)[0] == (1.0, 1.0)


def test_thousands_of_sources_that_are_somewhat_skewed_have_tails_of_equal_size() -> None:
    """Yes or no, yes one time in fifty: how often the truth lies beyond either end, exactly."""
    count, share = 5000, 0.02
    below = above = 0.0
    for yes in range(30, 200):
        column = Clustered(np.r_[np.zeros(count - yes), np.ones(yes)], np.ones(count))
        low, high = bootstrap.linearised(column)
        likely = float(stats.binom.pmf(yes, count, share))
        below, above = below + likely * (share < low), above + likely * (share > high)
    assert below == pytest.approx(0.025, abs=0.004)  # unmoved: .017
    assert above == pytest.approx(0.025, abs=0.004)  # unmoved: .035


def test_the_tails_of_skewed_amounts_are_of_equal_size() -> None:
    count, shape, runs = 5000, 0.08, 2000  # the skewness of the mean is .1
    random, beyond = np.random.default_rng(0), np.zeros(2)
    for _ in range(runs):
        column = Clustered(random.gamma(shape, 1, count), np.ones(count))
        low, high = bootstrap.linearised(column)
        beyond += shape < low, shape > high
    assert beyond / runs == pytest.approx([0.025, 0.025], abs=0.008)  # unmoved: .0185 and .0355
