"""Correlations: equal to scipy's, ranks and ties of the draw, intervals that no order moves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from overpaint.stats import correlation
from overpaint.stats.correlation import (
    concordance,
    kendall,
    pearson,
    spearman,
)

whole = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=60)
BOTH = (pearson, spearman, kendall, concordance)


def scipy_of(function: object) -> object:
    return {pearson: stats.pearsonr, spearman: stats.spearmanr, kendall: stats.kendalltau}[function]


@pytest.mark.slow
@given(whole)
@pytest.mark.parametrize("ours", [pearson, spearman, kendall])
def test_a_coefficient_is_scipy_s(ours: object, pairs: list[tuple[int, int]]) -> None:
    a, b = zip(*pairs, strict=True)
    found = ours(a, b, range(len(a)), draws=2)
    if len(set(a)) == 1 or len(set(b)) == 1:
        assert found.value is None
        assert found.notes == ("all values of one side are the same",)
    else:
        assert found.value == pytest.approx(float(scipy_of(ours)(a, b)[0]), abs=1e-10)


def test_numbers_with_digits_and_large_offsets_are_scipy_s_too() -> None:
    rng = np.random.default_rng(3)
    a = rng.normal(1e6, 1, 200)
    b = a + rng.normal(0, 2, 200)
    for ours in (pearson, spearman, kendall):
        assert ours(a, b, range(200), draws=2).value == pytest.approx(scipy_of(ours)(a, b)[0])


@given(whole)
def test_concordance_is_quadratically_weighted_kappa(pairs: list[tuple[int, int]]) -> None:
    a, b = (np.array(side, float) for side in zip(*pairs, strict=True))
    observed = np.mean((a - b) ** 2)
    by_chance = np.mean((a[:, None] - b[None]) ** 2)
    found = concordance(a, b, range(len(a)), draws=2)
    if by_chance == 0:
        assert found.value is None
    else:
        assert found.value == pytest.approx(1 - observed / by_chance, abs=1e-10)


@pytest.mark.parametrize("ours", BOTH)
def test_neither_order_nor_names_of_sources_move_an_interval(ours: object) -> None:
    rng = np.random.default_rng(1)
    a, source = rng.integers(0, 6, 80), rng.integers(0, 20, 80)
    b = np.clip(a + rng.integers(-1, 2, 80), 0, 5)
    turned = rng.permutation(80)
    one = ours(a, b, [f"c{n}" for n in source], seed=4)
    two = ours(a[turned], b[turned], [f"{97 - n}" for n in source[turned]], seed=4)
    assert (one.value, one.low, one.high) == pytest.approx((two.value, two.low, two.high))
    assert one.low is not None
    assert one.low < one.value < one.high
    assert (one.n, one.clusters) == (80, len(set(source.tolist())))


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng, held = np.random.default_rng(7), 0
    for seed in range(200):
        a = rng.normal(size=40)
        b = 0.6 * a + 0.8 * rng.normal(size=40)  # ρ = .6
        found = pearson(a, b, range(40), seed=seed, draws=300)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.6 <= found.high
    assert 0.88 <= held / 200 <= 0.99


def test_pairs_of_one_source_count_once_for_the_interval() -> None:
    rng = np.random.default_rng(2)
    a = rng.normal(size=30)
    b = a + rng.normal(size=30)
    alone = pearson(a, b, range(30), seed=0)
    thrice = pearson(np.repeat(a, 3), np.repeat(b, 3), np.repeat(range(30), 3), seed=0)
    assert (thrice.low, thrice.high) == pytest.approx((alone.low, alone.high))


def test_what_cannot_be_had_is_none_with_a_reason() -> None:
    assert pearson([1, 2], [2, 1], "ab").notes == ("too few pairs: 2",)
    few = pearson([1, 2, 3, 4], [1, 2, 4, 3], "abcd")
    assert few.low is None
    assert few.notes == ("no interval: it needs 5 sources and has 4",)
    rare = [0.0] * 40 + [1.0]
    lost = pearson(rare, rare, range(41))
    assert lost.value == pytest.approx(1)
    assert "draws have no variation" in lost.notes[0]
    with pytest.raises(ValueError, match="a source each"):
        pearson([1, 2, float("nan")], [1, 2, 3], "abc")


def test_few_levels_and_many_have_the_same_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    a, b = rng.integers(0, 6, (2, 60))
    quick = pearson(a, b, range(60), draws=200)
    monkeypatch.setattr(correlation, "_ROOM", 100)  # no table fits
    assert pearson(a, b, range(60), draws=200) == quick
