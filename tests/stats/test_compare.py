"""Paired comparison against scipy, hand-made cases and simulated nulls."""

import math
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from overpaint.stats.compare import FLIPS, Scale, compare, holm, sign_flip

UNIT = Scale(worst=0.0, best=1.0)
ps = st.lists(st.floats(0, 1), max_size=12)
maybe = st.none() | st.floats(0, 1)
triples = st.lists(st.tuples(maybe, maybe, st.integers(0, 8)), max_size=25)


def no_nan(found: object) -> bool:
    return not any(isinstance(x, float) and not math.isfinite(x) for x in astuple(found))


# ── references ──────────────────────────────────────────────────────────────────────────


def test_p_equals_the_exact_permutation_test_of_scipy_when_sources_are_few() -> None:
    differences = np.random.default_rng(0).normal(0.4, 1, 10)
    theirs = stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=np.inf
    )
    assert sign_flip(differences, seed=0) == pytest.approx(theirs.pvalue, abs=1e-12)


def test_p_of_many_sources_is_near_that_of_the_t_test() -> None:
    """Tolerance .01: twice the noise of 9,999 drawn sign patterns at this p, and a little."""
    differences = np.random.default_rng(2).normal(0.1, 1, 300)
    assert FLIPS < 2 ** (300 - 1)
    theirs = stats.ttest_1samp(differences, 0).pvalue
    assert sign_flip(differences, seed=0) == pytest.approx(theirs, abs=0.01)


def test_a_drawn_p_is_never_zero() -> None:
    assert sign_flip(np.ones(60), seed=0) == 1 / (FLIPS + 1)


def test_the_interval_of_many_pairs_is_near_that_of_the_paired_t_test() -> None:
    """Tolerance: 6 % of the width, the noise of 2,000 draws."""
    random = np.random.default_rng(5)
    a = random.normal(size=400)
    b = a + random.normal(0.1, 0.5, 400)
    low, high = stats.ttest_rel(a, b).confidence_interval(0.95)
    found = compare(a, b, np.arange(400))
    assert found.difference == pytest.approx(float(np.mean(a - b)))
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.06 * (high - low))


def test_the_detectable_difference_is_the_textbook_formula_for_single_samples() -> None:
    random = np.random.default_rng(5)
    a, b = random.normal(size=(2, 25))
    expected = (stats.t.ppf(0.975, 24) + stats.t.ppf(0.8, 24)) * stats.sem(a - b)
    assert compare(a, b, np.arange(25)).detectable == pytest.approx(expected, rel=1e-9)


def test_holm_corrects_a_family_as_worked_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_leaves_out_what_could_not_be_tested() -> None:
    assert holm([0.01, None, 0.04]) == [0.02, None, 0.04]
    assert holm([]) == []


# ── hand-made cases ─────────────────────────────────────────────────────────────────────


def test_pairs_and_missing_are_counted_on_both_sides() -> None:
    found = compare([0.5, None, 0.7, None], [0.1, 0.2, None, None], list("abcd"))
    assert (found.pairs, found.missing_a, found.missing_b) == (1, 2, 2)
    assert found.difference == pytest.approx(0.4)


def test_missing_values_bound_the_difference_over_all_samples() -> None:
    """a = .5, ?, .7 and b = .1, .2, ?: a between 1.2/3 and 2.2/3, b between .3/3 and 1.3/3."""
    found = compare([0.5, None, 0.7], [0.1, 0.2, None], list("abc"), scale=UNIT)
    assert found.if_worst == pytest.approx((1.2 - 1.3) / 3)
    assert found.if_best == pytest.approx((2.2 - 0.3) / 3)
    assert not found.settled


def test_for_a_lower_is_better_measure_the_worst_for_a_is_high() -> None:
    found = compare([0.5, None], [0.1, 0.2], list("ab"), scale=Scale(worst=1.0, best=0.0))
    assert found.if_worst == pytest.approx(0.75 - 0.15)
    assert found.if_best == pytest.approx(0.25 - 0.15)
    assert found.settled


def test_an_infinite_bound_is_none_and_only_where_it_is_needed() -> None:
    scale = Scale(worst=0.0, best=None)
    found = compare([0.5, None], [0.1, 0.2], list("ab"), scale=scale)
    assert found.if_worst == pytest.approx(0.25 - 0.15)
    assert found.if_best is None
    assert not found.settled


def test_no_pairs_is_a_reason_and_no_number() -> None:
    found = compare([None, 0.5], [0.5, None], list("ab"), scale=UNIT)
    assert (found.pairs, found.clusters) == (0, 0)
    assert found.difference is found.low is found.p is found.detectable is None
    assert found.notes == ("no sample is scored for both",)
    nothing = compare([], [], [])
    assert nothing.if_worst is nothing.difference is None


def test_all_differences_zero_is_no_evidence_and_no_interval() -> None:
    found = compare([0.5, 0.6] * 10, [0.5, 0.6] * 10, range(20))
    assert (found.difference, found.p) == (0.0, 1.0)
    assert found.low is found.high is found.detectable is None
    assert found.notes == ("every difference is zero",)


def test_one_source_allows_no_test() -> None:
    found = compare([0.5, 0.6, 0.9], [0.4, 0.2, 0.1], list("aaa"))
    assert found.difference == pytest.approx(1.3 / 3)
    assert found.p is found.low is found.detectable is None
    assert "no test: all pairs are of one source" in found.notes


def test_a_few_sources_say_how_small_p_can_get() -> None:
    found = compare([1.0, 2.0, 3.0, 4.0], [0.0, 0.5, 1.0, 1.5], list("abcd"))
    assert found.p == 0.125
    assert "with 4 sources p cannot fall below 0.125" in found.notes


def test_pairs_that_differ_by_one_amount_show_no_spread_to_compute_from() -> None:
    b = np.linspace(0, 1, 12)
    found = compare(b + 0.1, b, range(12))
    assert found.detectable is None
    assert found.p == pytest.approx(2**-11)
    assert "every pair differs by the same amount: there is no spread to go by" in found.notes


def test_lists_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="2 values, 1 values"):
        compare([1.0, 2.0], [1.0], list("ab"))


# ── a scale on which means are shown otherwise than averaged ────────────────────────────

LOG = Scale(shown=lambda m: 10 * np.log10(m), slope=lambda m: 10 / math.log(10) / m)


def test_on_a_logarithmic_scale_the_difference_is_that_of_the_shown_means() -> None:
    random = np.random.default_rng(0)
    a, b = random.gamma(4, 2, 200), random.gamma(4, 3, 200)
    found = compare(a, b, np.arange(200), scale=LOG)
    assert found.difference == pytest.approx(10 * math.log10(a.mean() / b.mean()))
    # The slope's standard error against the spread of scipy's own draws, to 5 %.
    theirs = stats.bootstrap(
        (a, b), lambda x, y, axis: 10 * np.log10(x.mean(axis) / y.mean(axis)),
        paired=True, n_resamples=5000, method="percentile", rng=np.random.default_rng(0),
    )  # fmt: skip
    factor = stats.t.ppf(0.975, 199) + stats.t.ppf(0.8, 199)
    assert found.detectable == pytest.approx(factor * theirs.standard_error, rel=0.05)
    width = theirs.confidence_interval.high - theirs.confidence_interval.low
    assert (found.low, found.high) == pytest.approx(
        tuple(theirs.confidence_interval), abs=0.06 * width
    )


def test_an_infinite_side_is_a_note_and_no_number() -> None:
    with np.errstate(divide="ignore"):
        found = compare([0.0] * 8, np.arange(1.0, 9.0), range(8), scale=LOG)
    assert found.difference is found.low is found.detectable is None
    assert found.notes == ("one side is infinite, in fact or in some of the draws",)
    assert found.p == pytest.approx(2**-7)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=80, deadline=None)
@given(triples)
def test_exchanging_the_editors_turns_the_difference_and_keeps_p(rows) -> None:
    a, b, clusters = ([row[i] for row in rows] for i in range(3))
    one, two = compare(a, b, clusters, scale=UNIT), compare(b, a, clusters, scale=UNIT)
    assert no_nan(one)
    assert (one.p, one.pairs, one.missing_a) == (two.p, two.pairs, two.missing_b)
    for x, y in ((one.difference, two.difference), (one.if_worst, two.if_best)):
        assert (x is None) == (y is None)
        assert x is None or x == pytest.approx(-y, abs=1e-12)


@settings(max_examples=80, deadline=None)
@given(triples.filter(bool), st.data())
def test_losing_a_value_never_narrows_the_bounds(rows, data) -> None:
    a, b, clusters = ([row[i] for row in rows] for i in range(3))
    before = compare(a, b, clusters, scale=UNIT)
    a[data.draw(st.integers(0, len(a) - 1))] = None
    after = compare(a, b, clusters, scale=UNIT)
    assert after.if_worst <= before.if_worst + 1e-12
    assert after.if_best >= before.if_best - 1e-12


@given(ps)
def test_holm_never_lowers_a_p_never_passes_bonferroni_and_keeps_the_order(ps) -> None:
    adjusted = holm(ps)
    for p, q in zip(ps, adjusted, strict=True):
        assert q is not None
        assert p <= q <= min(1.0, len(ps) * p) + 1e-15
    order = np.argsort(ps, kind="stable")
    assert (np.diff(np.array(adjusted, float)[order]) >= 0).all()


# ── simulations ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sources", [10, 30])
def test_editors_that_are_alike_differ_in_about_5_of_100_runs(sources: int) -> None:
    """500 nulls, sources of 1 to 4 alike samples; 3 standard errors are 2.9 points.

    10 sources try all sign patterns, 30 draw them. Without clusters far more would "differ".
    """
    random = np.random.default_rng(sources)
    clustered = naive = 0
    for seed in range(500):
        names = np.repeat(np.arange(sources), random.integers(1, 5, sources))
        differences = random.normal(size=sources)[names] + 0.3 * random.normal(size=len(names))
        clustered += sign_flip(np.bincount(names, differences), seed=seed) < 0.05
        naive += stats.ttest_1samp(differences, 0).pvalue < 0.05
    assert 0.021 <= clustered / 500 <= 0.079
    assert naive / 500 > 0.12


def test_the_detectable_difference_is_shown_in_about_80_of_100_runs() -> None:
    """400 runs of 30 pairs whose true difference is the detectable one; 3 errors: 6 points."""
    random = np.random.default_rng(8)
    truth = (stats.t.ppf(0.975, 29) + stats.t.ppf(0.8, 29)) / math.sqrt(30)
    shown = [sign_flip(random.normal(truth, 1, 30), seed=i) < 0.05 for i in range(400)]
    assert 0.74 <= np.mean(shown) <= 0.86
