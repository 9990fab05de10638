"""The human ceiling: halves, panels and the best judge, where all three are known."""

import math

import numpy as np
import pytest
from scipy.stats import spearmanr

from overpaint.stats.ceiling import middle_ranks, rank_correlation, split_half


def panel(items: int, raters: int, noise: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Raters who see the truth through noise of their own; truth has variance 1."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=items)
    return truth, truth + rng.normal(0, noise, (raters, items))


def test_halves_panels_and_the_best_judge_are_where_theory_has_them() -> None:
    truth, ratings = panel(3_000, 8, 1.5, 0)
    found = split_half(ratings, seed=1, draws=40)
    assert found.pearson.halves == pytest.approx(1 / (1 + 1.5**2 / 4), abs=0.02)
    assert found.pearson.panel == pytest.approx(1 / (1 + 1.5**2 / 8), abs=0.02)
    reached = float(np.corrcoef(truth, ratings.mean(axis=0))[0, 1])
    assert found.pearson.best == pytest.approx(reached, abs=0.01)
    assert found.spearman.best == pytest.approx(reached, abs=0.02)
    assert found.kendall.best == pytest.approx(2 / math.pi * math.asin(reached), abs=0.02)
    assert (found.items, found.ratings, found.notes) == (3_000, 24_000, ())


def test_the_interval_of_a_panel_holds_what_another_panel_has() -> None:
    held = 0
    for seed in range(15):
        _, ratings = panel(60, 6, 1.0, seed)
        one = split_half(ratings, seed=seed, draws=80).pearson
        assert one.low is not None
        assert one.high is not None
        held += one.low <= 1 / (1 + 1 / 6) <= one.high
    assert held >= 12


def test_items_with_fewer_than_two_raters_are_left_out_and_said() -> None:
    _, ratings = panel(30, 4, 0.5, 3)
    ratings[1:, :5] = np.nan
    ratings[:, 5] = np.nan
    found = split_half(ratings, seed=0, draws=20)
    assert found.items == 24
    assert found.notes == ("5 items with one rater are left out",)
    assert found.spearman.halves == split_half(ratings[:, 6:], seed=0, draws=20).spearman.halves


def test_a_split_is_balanced_and_uses_each_rating_once() -> None:
    from overpaint.stats.ceiling import _splits

    ratings = np.array([[1.0, 1.0], [2.0, 2.0], [4.0, np.nan], [8.0, 8.0], [np.nan, 16.0]])
    seen = set()
    for one, two in _splits(ratings, np.random.default_rng(0)):
        assert one[0] * 2 + two[0] * 2 == 15  # four raters: two and two
        seen.add((one[0], two[0]))
    assert len(seen) > 3


def test_the_same_seed_gives_the_same_and_another_nearly_so() -> None:
    _, ratings = panel(80, 5, 1.0, 9)
    one = split_half(ratings, seed=4, draws=30)
    assert one == split_half(ratings, seed=4, draws=30)
    other = split_half(ratings, seed=5, draws=30)
    assert one.pearson.panel == pytest.approx(other.pearson.panel, abs=0.03)


def test_what_cannot_be_had_is_none_with_a_reason() -> None:
    few = split_half([[1, 2], [2, 1]], seed=0)
    assert few.spearman.halves is None
    assert few.notes == ("too few items with two raters: 2",)
    equal = split_half(np.ones((3, 9)), seed=0)
    assert equal.pearson.halves is None
    assert equal.notes == ("all means of a half are the same",)
    against = split_half([[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]], seed=0, draws=20)
    assert against.pearson.panel == -1
    assert against.pearson.best is None
    assert "no common opinion" in against.notes[-1]
    _, ratings = panel(12, 4, 0.5, 3)
    assert "has 3" in split_half(ratings, clusters=[0, 1, 2] * 4, seed=0).notes[0]


def test_hostile_ratings_are_refused() -> None:
    with pytest.raises(ValueError, match="raters × items"):
        split_half([1, 2, 3], seed=0)
    with pytest.raises(ValueError, match="raters × items"):
        split_half([[1, np.inf]], seed=0)
    with pytest.raises(ValueError, match="2 items have 3 clusters"):
        split_half([[1, 2], [2, 3]], clusters="abc", seed=0)
    with pytest.raises(ValueError, match="want 1 or more"):
        split_half([[1, 2], [2, 3]], seed=0, draws=0)


def test_equals_share_their_middle_rank() -> None:
    assert middle_ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1, 3.5, 2]


def test_ranks_that_do_not_vary_have_no_correlation() -> None:
    some = np.array([3.0, 1.0, 2.0, 2.0])
    assert rank_correlation(some, some**3) == pytest.approx(1)
    assert rank_correlation(some, np.ones(4)) is None
    assert rank_correlation(np.ones(1), np.ones(1)) is None
    other = np.array([1.0, 4.0, 2.0, 5.0])
    assert rank_correlation(some, other) == pytest.approx(spearmanr(some, other).statistic)
