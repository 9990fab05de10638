"""Bradley–Terry: the most likely strengths, by two independent ways, and none made up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from overpaint.stats.contests import expected, expected_intervals, strengths


def by_optimiser(wins: np.ndarray) -> np.ndarray:
    """The strengths that make these wins most likely, found by a general optimiser."""
    n = len(wins)

    def unlikely(logs: np.ndarray) -> float:
        apart = logs[:, None] - logs[None]
        return float((wins * np.log1p(np.exp(-apart))).sum()) + 1e-9 * float(logs @ logs)

    found = minimize(unlikely, np.zeros(n), method="BFGS", options={"gtol": 1e-9}).x
    shares = np.exp(found - found.max())
    return np.asarray(shares / shares.sum())


@given(st.integers(2, 5), st.integers(0, 10_000))
def test_strengths_are_the_most_likely_ones(n: int, seed: int) -> None:
    wins = np.random.default_rng(seed).integers(1, 12, (n, n)) / 2  # ties are halves
    np.fill_diagonal(wins, 0)
    assert strengths(wins) == pytest.approx(by_optimiser(wins), abs=1e-5)


def test_strengths_are_those_of_choix() -> None:
    choix = pytest.importorskip("choix")
    rng = np.random.default_rng(5)
    wins = rng.integers(1, 9, (4, 4))
    np.fill_diagonal(wins, 0)
    games = [(i, j) for i in range(4) for j in range(4) for _ in range(wins[i, j])]
    logs = choix.ilsr_pairwise(4, games)
    shares = np.exp(logs) / np.exp(logs).sum()
    assert strengths(wins.astype(float)) == pytest.approx(shares, abs=1e-6)


def test_two_contestants_have_their_shares_of_wins() -> None:
    assert strengths(np.array([[0, 7], [3, 0.0]])) == pytest.approx([0.7, 0.3])
    assert expected(np.array([0.7, 0.3])) == pytest.approx([0.7, 0.3])


def test_one_that_never_lost_has_no_finite_strength() -> None:
    wins = np.array([[0, 5, 5], [0, 0, 3], [0, 2, 0.0]])
    assert np.isnan(strengths(wins)).all()
    apart = np.zeros((4, 4))
    apart[0, 1] = apart[1, 0] = apart[2, 3] = apart[3, 2] = 2
    assert np.isnan(strengths(apart)).all()


def test_intervals_come_from_sources_in_any_order() -> None:
    rng = np.random.default_rng(2)
    wins = np.zeros((30, 3, 3))
    for one in wins:
        for i, j, chance in ((0, 1, 0.7), (0, 2, 0.8), (1, 2, 0.6)):
            won = rng.random() < chance
            one[i, j], one[j, i] = won, not won
    spans = expected_intervals(wins)
    point = expected(strengths(wins.sum(axis=0)))
    for span, value in zip(spans, point, strict=True):
        assert span is not None
        assert span.low < value < span.high
    turned = expected_intervals(wins[rng.permutation(30)])
    assert [tuple(one) for one in turned if one] == [
        pytest.approx(tuple(span)) for span in spans if span
    ]
    assert expected_intervals(wins[:4]) == [None] * 3
    assert expected_intervals(np.tile([[0, 1.0], [0, 0]], (9, 1, 1))) == [None] * 2
