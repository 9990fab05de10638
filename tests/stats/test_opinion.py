"""Opinion scores against the formula written out, laws, and simulated truth."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from overpaint.stats import Opinions, majority, opinion_scores
from overpaint.stats.simulated import Study, simulate

NAN = float("nan")

tables = st.tuples(st.integers(1, 7), st.integers(1, 9)).flatmap(
    lambda shape: arrays(
        np.float64, shape, elements=st.one_of(st.just(NAN), st.integers(1, 5), st.floats(1, 5))
    )
)


def by_hand(table: np.ndarray) -> np.ndarray:
    """The paper's scores in plain loops: its screening alone, z-scores, 100 (z + 3) / 6."""
    raters, items = table.shape
    far = np.zeros(table.shape, bool)
    for item in range(items):
        given = table[~np.isnan(table[:, item]), item]
        if len(given) < 2 or given.std() == 0:
            continue
        like = 2 <= stats.kurtosis(given, fisher=False) <= 4
        cut = (2 if like else 20**0.5) * given.std(ddof=1)
        far[:, item] = np.abs(table[:, item] - given.mean()) > cut
    total, number = np.zeros(items), np.zeros(items)
    for rater in range(raters):
        there = ~np.isnan(table[rater])
        if far[rater].sum() > 0.05 * there.sum():
            continue
        valid = there & ~far[rater]
        own = table[rater, valid]
        total[valid] += (own - own.mean()) / own.std(ddof=1)
        number[valid] += 1
    return np.asarray(100 * (total / number + 3) / 6)


def study(seed: int, **settings: float) -> np.ndarray:
    return simulate(Study(items=40, **settings), seed=seed).ratings  # type: ignore[arg-type]


# ── references ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seed", range(5))
def test_scores_of_the_papers_rule_are_those_of_plain_loops_to_nine_digits(seed: int) -> None:
    table = study(seed, random=0.1)
    found = opinion_scores(table, rules=("bt500",))
    assert found.rejected
    assert found.mos == pytest.approx(by_hand(table), abs=1e-9)


def test_three_raters_of_three_items_have_scores_that_can_be_worked_out_on_paper() -> None:
    # Everyone uses the scale in their own way and means the same: z = −1, 0, 1.
    found = opinion_scores([[1, 2, 3], [2, 3, 4], [1, 3, 5]])
    assert found.mos == pytest.approx([100 * 2 / 6, 50, 100 * 4 / 6])
    assert found.low == pytest.approx(found.mos)
    assert found.raw_mean == pytest.approx([4 / 3, 8 / 3, 4])
    assert found.n.tolist() == [3, 3, 3]
    assert (found.rejected, found.share_removed) == ((), 0.0)


def test_raw_means_have_students_interval_of_all_ratings() -> None:
    table = study(3, random=0.2)
    found = opinion_scores(table)
    for item in range(40):
        given = table[~np.isnan(table[:, item]), item]
        low, high = stats.t.interval(0.95, 14, given.mean(), stats.sem(given))
        assert (found.raw_low[item], found.raw_high[item]) == pytest.approx((low, high))
        assert found.raw_n[item] == 15


def test_where_nothing_is_cut_the_interval_of_a_score_is_students() -> None:
    rng = np.random.default_rng(0)
    table = np.repeat(rng.uniform(1, 5, 50)[None], 4, axis=0)
    table += rng.uniform(-1, 1, table.shape)  # four ratings are never 2 σ from their mean
    found = opinion_scores(table)
    assert found.share_removed == 0
    for item in np.flatnonzero(~found.screening.normal_like):
        z = found.z[:, item]
        half = stats.t.ppf(0.975, 3) * stats.sem(z) * 100 / 6
        assert found.high[item] - found.mos[item] == pytest.approx(half)


# ── what is promised ────────────────────────────────────────────────────────────────────


def test_scores_recover_the_order_of_the_truth() -> None:
    found = []
    for seed in range(5):
        one = simulate(Study(items=240), seed=seed)
        found.append(stats.spearmanr(opinion_scores(one.ratings).mos, one.truth).statistic)
    assert np.mean(found) >= 0.98


def held(found: Opinions, limit: np.ndarray) -> float:
    return float(((found.low <= limit) & (limit <= found.high)).mean())


def test_the_interval_holds_its_promise_where_that_of_the_remaining_ratings_does_not() -> None:
    truth = np.random.default_rng(1).uniform(1, 5, 40)
    many = Study(raters=1_000, per_item=500, items=40)
    limit = opinion_scores(simulate(many, seed=10**6, truth=truth).ratings).mos
    ours, naive = [], []
    for seed in range(50):
        table = simulate(Study(raters=40, per_item=20, items=40), seed=seed, truth=truth).ratings
        found = opinion_scores(table)
        ours.append(held(found, limit))
        half = stats.t.ppf(0.975, found.n - 1) * np.nanstd(found.z, axis=0, ddof=1)
        naive.append((np.abs(found.mos - limit) <= half / np.sqrt(found.n) * 100 / 6).mean())
    assert 0.93 <= np.mean(ours) <= 0.97
    assert np.mean(naive) < np.mean(ours) - 0.015


# ── laws ────────────────────────────────────────────────────────────────────────────────


@given(st.floats(0.1, 50), st.floats(-100, 100), st.integers(0, 100))
@settings(max_examples=10, deadline=None)
def test_scores_do_not_know_the_scale_of_the_ratings(
    stretch: float, shift: float, seed: int
) -> None:
    table = study(seed)
    mine = table * stretch + shift  # all together: screening sees raters against each other
    assert opinion_scores(mine).mos == pytest.approx(opinion_scores(table).mos, abs=1e-6)


@given(tables)
@settings(max_examples=60, deadline=None)
def test_any_table_has_scores_or_says_why_not_and_never_a_warning(table: np.ndarray) -> None:
    if np.isnan(table).all():
        with pytest.raises(ValueError, match="no rating at all"):
            opinion_scores(table)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = opinion_scores(table)
    assert (np.isnan(found.mos) == (found.n == 0)).all()
    assert (np.isnan(found.low) == (found.n < 2)).all()
    assert (np.isnan(found.raw_mean) == (found.raw_n == 0)).all()
    assert not np.isinf(found.mos).any()
    assert ((found.n == 0).any(), (found.n == 1).any()) == tuple(
        any(note.startswith(start) for note in found.notes) for start in ("no score", "no interval")
    )
    assert set(found.reasons) == set(found.rejected)


def test_neither_raters_nor_items_are_known_by_their_place() -> None:
    table = study(4, straight=0.1, random=0.1)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(30), rng.permutation(40)
    one, other = opinion_scores(table), opinion_scores(table[rows][:, columns])
    assert other.mos == pytest.approx(one.mos[columns])
    assert other.high == pytest.approx(one.high[columns])
    assert sorted(rows[list(other.rejected)].tolist()) == list(one.rejected)


# ── little or nothing to say ────────────────────────────────────────────────────────────


def test_an_item_rated_once_has_a_score_and_no_interval() -> None:
    table = np.array([[1, 2, 3, 4.0], [1, 3, 3, NAN], [2, 3, 4, NAN]])
    found = opinion_scores(table)
    assert found.n.tolist() == [3, 3, 3, 1]
    assert np.isfinite(found.mos).all()
    assert np.isnan(found.low[3])
    assert np.isnan(found.high[3])
    assert "no interval: 1 of 4 items have a single valid rating" in found.notes


def test_a_rater_whose_answers_are_all_equal_is_dropped_with_the_reason() -> None:
    table = [[1, 2, 3, 4, 5], [2, 2, 3, 4, 4], [3, 3, 3, 3, 3]]
    found = opinion_scores(table)
    assert found.rejected == (2,)
    assert found.reasons[2].startswith("the ratings are all the same")
    assert found.mos == pytest.approx(opinion_scores(table[:2]).mos)
    assert found.share_removed == pytest.approx(1 / 3)


def test_an_item_that_nobody_validly_rated_has_no_score() -> None:
    found = opinion_scores([[1, 2, NAN, NAN], [2, 4, NAN, NAN], [NAN, NAN, 3, NAN]])
    assert np.isnan(found.mos).tolist() == [False, False, True, True]
    assert found.raw_mean[2] == 3
    assert "no score: 2 of 4 items have no valid rating" in found.notes


def test_a_study_of_equal_answers_has_no_score_at_all() -> None:
    found = opinion_scores(np.full((4, 6), 3.0))
    assert found.rejected == (0, 1, 2, 3)
    assert np.isnan(found.mos).all()
    assert found.share_removed == 1


@pytest.mark.parametrize(
    ("ratings", "why"),
    [
        ([], "have 1 dimensions"),
        ([1, 2, 3], "have 1 dimensions"),
        ([[]], "no rating at all"),
        ([[NAN, NAN]], "no rating at all"),
        (np.zeros((2, 2, 2)), "have 3 dimensions"),
        ([[1, 2], [3]], "not a table of numbers"),
        ([["good", "bad"]], "not a table of numbers"),
        ([[1, float("inf")]], "rater 0 gave item 1 the rating inf"),
        ([[1, 2], [-1e200, 2]], "rater 1 gave item 0 the rating -1e"),
    ],
)
def test_what_is_not_a_table_of_ratings_is_refused_with_a_sentence(
    ratings: object, why: str
) -> None:
    for function in (opinion_scores, majority):
        with pytest.raises(ValueError, match=why) as wrong:
            function(ratings)  # type: ignore[operator]
        assert "want" in str(wrong.value)


def test_what_is_missing_may_be_none_and_the_level_is_a_share() -> None:
    assert opinion_scores([[1, 2, None], [2, 4, 3]]).n.tolist() == [2, 2, 1]
    with pytest.raises(ValueError, match="level 95: want a share"):
        opinion_scores([[1, 2]], level=95)


# ── yes or no ───────────────────────────────────────────────────────────────────────────


def test_the_majority_decides_and_a_tie_or_silence_decides_nothing() -> None:
    answers = [[1, 0, 1, NAN], [1, 0, 0, NAN], [0, 0, NAN, NAN]]
    assert majority(answers) == (True, False, None, None)


def test_an_answer_that_is_neither_yes_nor_no_is_refused() -> None:
    with pytest.raises(ValueError, match="not all yes or no"):
        majority([[1, 0.5]])
