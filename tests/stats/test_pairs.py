"""Pairs in the same order: equal to looking at every pair, and in the time of a sort."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from overpaint.stats import correlation
from overpaint.stats.correlation import kendall, pairwise_accuracy
from overpaint.stats.pairs import CLEAR, clear_orders, orders, tau

levels = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=200)


def by_looking(a: np.ndarray, b: np.ndarray, errors: np.ndarray, within: np.ndarray) -> float:
    """The accuracy with a loop over all pairs."""
    right = counted = 0.0
    for i in range(len(a)):
        for j in range(i):
            clear = abs(b[i] - b[j]) > CLEAR * math.hypot(errors[i], errors[j])
            if within[i] == within[j] and clear:
                counted += 1
                right += (1 + np.sign(a[i] - a[j]) * np.sign(b[i] - b[j])) / 2
    return right / counted if counted else math.nan


@settings(max_examples=40, deadline=None)
@given(levels)
def test_counts_are_those_of_every_pair(pairs: list[tuple[int, int]]) -> None:
    a, b = (np.array(side, float) for side in zip(*pairs, strict=True))
    one, two = np.sign(a[:, None] - a[None]), np.sign(b[:, None] - b[None])
    found = orders(a, b)
    assert found.alike.tolist() == (one * two).sum(axis=1).tolist()
    assert found.apart_a.tolist() == np.abs(one).sum(axis=1).tolist()
    assert found.apart_b.tolist() == np.abs(two).sum(axis=1).tolist()
    clear = clear_orders(a, b, np.zeros(len(a)))
    assert clear[0].tolist() == found.alike.tolist()
    assert clear[1].tolist() == found.apart_b.tolist()


@settings(max_examples=40, deadline=None)
@given(levels)
def test_tau_is_scipy_s(pairs: list[tuple[int, int]]) -> None:
    a, b = (np.array(side, float) for side in zip(*pairs, strict=True))
    if len(set(a)) == 1 or len(set(b)) == 1:
        assert tau(a, b) is None
    else:
        assert tau(a, b) == pytest.approx(stats.kendalltau(a, b)[0], abs=1e-12)


def test_tau_of_twenty_thousand_is_scipy_s_and_has_an_interval() -> None:
    rng = np.random.default_rng(4)
    a = rng.normal(size=20_000)
    b = np.round(a + rng.normal(size=20_000), 1)
    found = kendall(a, b, np.arange(20_000) % 1_000)
    assert found.value == pytest.approx(stats.kendalltau(a, b)[0], abs=1e-12)
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.value < found.high  # type: ignore[operator]
    assert found.high - found.low < 0.03


def test_the_quick_interval_is_that_of_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    a = rng.normal(size=300)
    b = a + rng.normal(size=300)
    sources, errors = np.arange(300) // 3, np.full(300, 0.4)
    slow = [kendall(a, b, sources, draws=500), pairwise_accuracy(a, b, sources, draws=500),
            pairwise_accuracy(a, b, sources, errors=errors, draws=500)]  # fmt: skip
    monkeypatch.setattr(correlation, "MOST_FOR_KENDALL", 10)
    quick = [kendall(a, b, sources), pairwise_accuracy(a, b, sources),
             pairwise_accuracy(a, b, sources, errors=errors)]  # fmt: skip
    for one, two in zip(slow, quick, strict=True):
        assert one.value == pytest.approx(two.value, abs=1e-12)
        assert one.low == pytest.approx(two.low, abs=0.02)
        assert one.high == pytest.approx(two.high, abs=0.02)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 2), st.integers(0, 4)),
        min_size=3,
        max_size=25,
    )
)
def test_accuracy_is_that_of_every_pair(rows: list[tuple[int, int, int, int]]) -> None:
    a, b, noise, group = (np.array(side, float) for side in zip(*rows, strict=True))
    errors = noise / 3
    for within in (None, group):
        where = np.zeros(len(a)) if within is None else within
        sources = range(len(a)) if within is None else within.tolist()
        found = pairwise_accuracy(a, b, sources, errors=errors, within=within, draws=2)
        seen = by_looking(a, b, errors, where)
        if math.isnan(seen):
            assert found.value is None
            assert found.notes == ("people put no pair clearly apart",)
        else:
            assert found.value == pytest.approx(seen, abs=1e-12)


def test_clear_pairs_are_easier_and_a_measure_of_noise_is_right_half_the_time() -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(size=600)
    people, measure = truth + rng.normal(0, 0.5, 600), truth + rng.normal(0, 0.5, 600)
    every = pairwise_accuracy(measure, people, range(600), draws=50)
    clear = pairwise_accuracy(measure, people, range(600), errors=np.full(600, 0.5), draws=50)
    noise = pairwise_accuracy(rng.normal(size=600), people, range(600), draws=50)
    assert every.value + 0.1 < clear.value  # type: ignore[operator]
    assert noise.value == pytest.approx(0.5, abs=0.05)


def test_hostile_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="one standard error"):
        pairwise_accuracy([1, 2, 3], [1, 2, 3], "abc", errors=[1, -1, 0])
    with pytest.raises(ValueError, match="several sources"):
        pairwise_accuracy([1, 2, 3], [1, 2, 3], "abc", within="xxy")
    with pytest.raises(ValueError, match="have 2 groups"):
        pairwise_accuracy([1, 2, 3], [1, 2, 3], "abc", within="xx")
    with pytest.raises(ValueError, match="two flat lists"):
        pairwise_accuracy([1, 2], [1, 2, 3], "abc")
