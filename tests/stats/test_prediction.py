"""Means with a judge's help: right however wrong the judge, narrower where it is good."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from overpaint.stats.prediction import (
    Powered,
    bent_interval,
    prediction_powered_difference,
    prediction_powered_mean,
    ratings_needed,
)


def drawn(seed: int, n: int, *, noise: float, others: int = 500) -> tuple[np.ndarray, ...]:
    """Ratings around 50, a judge with an offset and a scale of its own."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(50, 10, n + others)
    judge = 10 + 0.5 * truth + rng.normal(0, noise, n + others)
    return truth[:n], judge[:n], judge[n:]


def covered(noise: float, n: int, sets: int) -> tuple[float, float]:
    """The share of intervals that hold 50, and their width over that of ratings alone."""
    held, widths = 0, []
    for seed in range(sets):
        found = prediction_powered_mean(*drawn(seed, n, noise=noise))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 50 <= found.high
        widths.append((found.high - found.low) / (found.mean_high - found.mean_low))  # type: ignore[operator]
    return held / sets, float(np.mean(widths))


def test_a_good_judge_halves_the_interval_and_it_still_holds_the_truth() -> None:
    held, width = covered(2.0, 20, 400)
    assert 0.92 <= held <= 0.98
    assert width < 0.6


def test_a_judge_of_noise_costs_next_to_nothing() -> None:
    held, width = covered(1e3, 20, 400)
    assert 0.92 <= held <= 0.98
    assert width < 1.015


def test_the_ratings_alone_have_student_s_interval_where_they_are_symmetric() -> None:
    y = np.array([-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3.0])
    found = prediction_powered_mean(y, np.zeros(9), [])
    reach = stats.t.ppf(0.975, 8) * y.std(ddof=1) / 3
    assert (found.mean_low, found.mean_high) == pytest.approx((-reach, reach))
    assert (found.low, found.high) == (found.mean_low, found.mean_high)
    assert (found.trust, found.worth) == (0, 9)
    assert found.notes == ("no other edits are judged: the judge cannot help",)


@settings(max_examples=50)
@given(st.integers(0, 10_000), st.floats(-5, 5).filter(lambda s: abs(s) > 0.1), st.floats(-9, 9))
def test_neither_scale_nor_offset_nor_direction_of_the_judge_matters(
    seed: int, scale: float, offset: float
) -> None:
    y, f, others = drawn(seed, 20, noise=3.0, others=100)
    one = prediction_powered_mean(y, f, others)
    two = prediction_powered_mean(y, offset + scale * f, offset + scale * others)
    assert (one.estimate, one.low, one.high) == pytest.approx(
        (two.estimate, two.low, two.high), rel=1e-6
    )


def test_with_many_ratings_it_is_the_power_tuned_estimate_of_the_paper() -> None:
    y, f, others = drawn(1, 2_000, noise=3.0, others=8_000)
    found = prediction_powered_mean(y, f, others)
    both = np.cov(y, f)
    trust = both[0, 1] / (both[1, 1] * (1 + 2_000 / 8_000))
    estimate = y.mean() - trust * (f.mean() - others.mean())
    error = math.sqrt(
        np.var(y - trust * f, ddof=1) / 2_000 + trust**2 * np.var(others, ddof=1) / 8_000
    )
    assert found.trust == pytest.approx(trust, rel=2e-3)
    assert found.estimate == pytest.approx(estimate, abs=0.01 * error)
    assert found.error == pytest.approx(error, rel=2e-3)
    assert found.worth == pytest.approx(2_000 * np.var(y, ddof=1) / 2_000 / error**2, rel=5e-3)


def test_skewness_bends_an_interval_towards_the_long_tail() -> None:
    plain = bent_interval(0, 1, 0.0, sources=20)
    bent = bent_interval(0, 1, 1.5, sources=20)
    assert plain.low == -plain.high == pytest.approx(stats.t.ppf(0.025, 19))
    assert bent.high > plain.high
    assert bent.low > plain.low
    mirrored = bent_interval(0, 1, -1.5, sources=20)
    assert (mirrored.low, mirrored.high) == pytest.approx((-bent.high, -bent.low))
    near = bent_interval(0, 1, 1e-4, sources=20)
    assert tuple(near) == pytest.approx(tuple(plain), abs=1e-3)


def test_edits_of_one_source_count_once() -> None:
    y, f, others = drawn(2, 30, noise=3.0)
    alone = prediction_powered_mean(y, f, others)
    twice = [np.repeat(side, 2) for side in (y, f)]
    names = np.repeat(np.arange(30), 2)
    found = prediction_powered_mean(*twice, others, clusters=names)
    assert found.mean_error == pytest.approx(alone.mean_error)
    assert (found.n, found.clusters) == (60, 30)
    assert found.error == pytest.approx(alone.error, rel=0.02)


def test_a_source_on_both_sides_widens_the_interval_and_never_narrows_it() -> None:
    y, f, others = drawn(4, 20, noise=3.0, others=20)
    apart = prediction_powered_mean(
        y, f, others, clusters=range(20), clusters_of_others=range(20, 40)
    )
    assert apart.trust is not None
    left = np.argsort(y - apart.trust * f)
    errors = []
    for way in (1, -1):  # the others of a source lean with what its ratings leave, or against it
        names = np.empty(20, int)
        names[np.argsort(way * apart.trust * others)] = left
        found = prediction_powered_mean(y, f, others, clusters=range(20), clusters_of_others=names)
        errors.append(found.error)
    assert errors[0] > apart.error * 1.1  # type: ignore[operator]
    assert errors[1] == pytest.approx(apart.error)


def test_a_difference_is_the_mean_of_differences() -> None:
    a, b = drawn(5, 25, noise=2.0), drawn(6, 25, noise=2.0)
    found = prediction_powered_difference(*((x, y) for x, y in zip(a, b, strict=True)))
    same = prediction_powered_mean(*(x - y for x, y in zip(a, b, strict=True)))
    assert found == same
    with pytest.raises(ValueError, match="give pairs"):
        prediction_powered_difference(([1], [1, 2]), ([1], [1]), ([1], [1]))


def test_what_cannot_be_had_is_none_with_a_reason() -> None:
    assert prediction_powered_mean([], [], [1, 2]).notes == ("nothing is rated",)
    few = prediction_powered_mean([1, 2, 3], [1, 2, 3], [1, 2])
    assert (few.mean, few.low) == (2, None)
    assert few.notes == ("no interval: it needs 5 rated sources and has 3",)
    equal = prediction_powered_mean([4.0] * 9, range(9), range(20))
    assert (equal.estimate, equal.low) == (4, None)
    assert "no spread to go by" in equal.notes[0]
    flat = prediction_powered_mean(range(9), [2.0] * 9, range(20))
    assert flat.notes == ("the judge gives all rated edits the same: it cannot help",)
    idle = prediction_powered_mean([1, 2, 3, 4, 5, 6.0], [1, -1, 1, -1, 1, -1.0], range(20))
    assert idle.trust == 0
    assert idle.notes == ("the judge does not go with the ratings: they stand alone",)


def test_a_judge_that_is_always_right_leaves_the_error_of_the_others_alone() -> None:
    y = np.random.default_rng(0).normal(50, 10, 20)
    others = np.random.default_rng(1).normal(50, 10, 500)
    found = prediction_powered_mean(y, y, others)
    assert found.trust == pytest.approx(1 / (1 + 20 / 500))
    assert found.floor == pytest.approx(others.std(ddof=1) / math.sqrt(500) * found.trust)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (([1, 2], [1], [1]), "the first two of one length"),
        (([[1]], [[1]], [1]), "give flat lists"),
        (([1, np.nan], [1, 2], [1]), "not finite"),
    ],
)
def test_hostile_numbers_are_refused(arguments: tuple[object, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        prediction_powered_mean(*arguments)


def test_hostile_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="2 ratings have 1 clusters"):
        prediction_powered_mean([1, 2], [1, 2], [1], clusters=["a"])
    with pytest.raises(ValueError, match="1 other scores have 2 clusters"):
        prediction_powered_mean([1, 2], [1, 2], [1], clusters_of_others=["a", "b"])
    with pytest.raises(ValueError, match="between 0 and 1"):
        prediction_powered_mean([1, 2], [1, 2], [1], level=95)
    with pytest.raises(ValueError, match="between 0 and 1"):
        ratings_needed(Powered(1, 1, 1), power=80)


# ── how many more ratings ───────────────────────────────────────────────────────────────


def test_the_ratings_asked_for_show_the_difference_four_times_in_five() -> None:
    rng = np.random.default_rng(3)
    found = Powered(20, 20, 0, estimate=2.0, error=1.0, mean=2.0, mean_error=1.0)  # spread √20
    needed = ratings_needed(found)
    assert needed.alone == needed.with_judge
    n = 20 + (needed.alone or 0)
    sets = rng.normal(2.0, math.sqrt(20), (4_000, n))
    ps = stats.ttest_1samp(sets, 0, axis=1).pvalue
    assert (ps < 0.05).mean() == pytest.approx(0.80, abs=0.03)


def test_a_good_judge_spares_ratings() -> None:
    y, f, others = drawn(3, 20, noise=2.0, others=5_000)
    found = prediction_powered_mean(y - 47, f, others)
    needed = ratings_needed(found)
    assert needed.alone is not None
    assert needed.with_judge is not None
    assert needed.with_judge < needed.alone / 2


def test_what_no_number_of_ratings_settles_is_said() -> None:
    nil = Powered(20, 20, 0, estimate=0.0, error=1.0, mean=0.0, mean_error=1.0)
    assert ratings_needed(nil).notes == ("the difference is nil: no number of ratings settles it",)
    tiny = Powered(20, 20, 9, estimate=1e-4, error=1.0, mean=0, mean_error=1.0, floor=0.5)
    found = ratings_needed(tiny)
    assert (found.alone, found.with_judge) == (None, None)
    assert found.notes == (
        "the difference is smaller than its error: the numbers are a guess",
        "not even 10,000,000 ratings alone would settle it",
        "the judge's scores of other edits are too few to settle it with their help",
    )
    none = ratings_needed(prediction_powered_mean([1.0], [1.0], [1.0]))
    assert none.alone is None
    assert none.notes[0] == "no error to go by: too few ratings"
    there = Powered(50, 50, 0, estimate=9.0, error=1.0, mean=9.0, mean_error=1.0)
    assert ratings_needed(there).alone == 0
