"""Bradley–Terry: the most likely strengths, by two independent ways, and none made up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from overpaint.stats.contests import bradley_terry, expected, expected_intervals, strengths


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


def votes(seed: int, sources: int, logs: tuple[float, ...]) -> np.ndarray:
    """Every pair meets once at each source; a third of the doubtful votes are ties."""
    rng = np.random.default_rng(seed)
    n = len(logs)
    wins = np.zeros((sources, n, n))
    for i in range(n):
        for j in range(i):
            chance = 1 / (1 + np.exp(logs[j] - logs[i]))
            tie = 0.6 * min(chance, 1 - chance)
            u = rng.random(sources)
            wins[:, i, j] = np.where(u < tie, 0.5, u < tie + chance - tie / 2)
            wins[:, j, i] = 1 - wins[:, i, j]
    return wins


def test_log_strengths_with_ties_are_those_of_choix() -> None:
    choix = pytest.importorskip("choix")
    wins = votes(3, 20, (-0.8, 0.0, 0.3, 0.5))
    assert (wins == 0.5).any()
    # Twice each vote: a tie becomes a win for either side, and the strengths stay.
    games = [(i, j) for one in 2 * wins for i, j in np.argwhere(one) for _ in range(int(one[i, j]))]
    theirs = choix.ilsr_pairwise(4, games, max_iter=1_000, tol=1e-12)
    ours = [one.strength for one in bradley_terry(wins).standings]
    assert ours == pytest.approx(theirs - theirs.mean(), abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 6), st.integers(0, 10_000))
def test_newton_and_the_iteration_agree(n: int, seed: int) -> None:
    wins = np.random.default_rng(seed).integers(0, 4, (8, n, n)) / 2
    wins[:, range(n), range(n)] = 0
    total = wins.sum(axis=0)
    found = bradley_terry(wins).standings
    shares = strengths(total)
    if np.isnan(shares).any():
        assert all(one.strength is None for one in found)
        return
    logs = np.array([one.strength for one in found])
    assert logs.sum() == pytest.approx(0, abs=1e-9)
    assert np.exp(logs) / np.exp(logs).sum() == pytest.approx(shares, abs=1e-6)
    assert [one.share for one in found] == pytest.approx(expected(shares), abs=1e-6)


def test_intervals_hold_strengths_and_shares_as_often_as_they_say() -> None:
    logs = (-0.6, 0.0, 0.6)
    shares = expected(np.exp(np.array(logs)))
    held = np.zeros(2)
    for seed in range(300):
        for one, log, share in zip(
            bradley_terry(votes(seed, 20, logs)).standings, logs, shares, strict=True
        ):
            held += [one.low <= log <= one.high, one.share_low <= share <= one.share_high]
    assert (held / 900 > 0.92).all()
    assert (held / 900 < 0.98).all()


def test_shares_stay_between_nought_and_one_and_a_higher_level_is_wider() -> None:
    wins = np.zeros((9, 2, 2))
    wins[:, 0, 1] = 1
    wins[0] = [[0, 0.5], [0.5, 0]]
    one = bradley_terry(wins).standings[0]
    assert one.share == pytest.approx(8.5 / 9)
    assert 0 < one.share_low < one.share < one.share_high < 1  # type: ignore[operator]
    wide = bradley_terry(wins, level=0.99).standings[0]
    assert wide.low < one.low  # type: ignore[operator]


def test_votes_of_one_source_count_once() -> None:
    wins = votes(5, 30, (0.0, 0.4, 0.8))
    alone, thrice = bradley_terry(wins), bradley_terry(3 * wins)
    assert (alone.contests, thrice.contests) == (90, 270)
    for one, other in zip(alone.standings, thrice.standings, strict=True):
        assert one.low == pytest.approx(other.low)


def test_what_cannot_be_had_is_none_with_a_reason() -> None:
    never = np.tile([[0, 1, 1], [0, 0, 0.5], [0, 0.5, 0]], (9, 1, 1))
    found = bradley_terry(never)
    assert all(one.strength is None for one in found.standings)
    assert found.notes == ("no finite strengths: contestants [0] never lost",)
    lost = np.swapaxes(never, 1, 2)
    assert bradley_terry(lost).notes == ("no finite strengths: contestants [0] never won",)
    unmet = np.zeros((9, 3, 3))
    unmet[:, 0, 1] = unmet[:, 1, 0] = 0.5
    assert bradley_terry(unmet).notes == ("no strengths: contestants [2] met nobody",)
    assert bradley_terry(np.zeros((9, 1, 1))).notes[0].startswith("no strengths")
    ties = bradley_terry(np.tile([[0, 0.5], [0.5, 0]], (9, 1, 1)))
    assert ties.standings[0].strength == pytest.approx(0)
    assert ties.standings[0].low is None
    assert "no spread to go by" in ties.notes[0]
    few = bradley_terry(votes(1, 4, (0.0, 0.1)))
    assert few.standings[0].low is None
    lone = np.zeros((9, 2, 2))
    lone[:8, 0, 1] = 1
    lone[8, 1, 0] = 1
    assert bradley_terry(lone).standings[1].share == pytest.approx(1 / 9)
    apart = np.zeros((9, 4, 4))
    apart[:, 0, 1] = apart[:, 1, 0] = apart[:, 2, 3] = apart[:, 3, 2] = 0.5
    assert "some never met" in bradley_terry(apart).notes[0]
    bridge = apart.copy()
    bridge[0, 1, 2] = bridge[0, 2, 1] = 0.5  # one source alone holds the two halves together
    found = bradley_terry(bridge)
    assert found.standings[0].strength is not None
    assert found.notes == ("no intervals: without one of the sources some have no finite strength",)


@pytest.mark.parametrize(
    ("wins", "why"),
    [
        (np.zeros((3, 2)), "sources × contestants × contestants"),
        (np.zeros((3, 2, 3)), "sources × contestants × contestants"),
        (np.full((1, 2, 2), -1.0), "0 or more"),
        (np.full((1, 2, 2), np.nan), "0 or more"),
        (np.ones((1, 2, 2)), "nobody meets itself"),
    ],
)
def test_hostile_wins_are_refused(wins: np.ndarray, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        bradley_terry(wins)
