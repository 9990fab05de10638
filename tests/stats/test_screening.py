"""Who is rejected and which ratings are removed: BT.500 to the letter, and careless raters."""

import numpy as np
import pytest

from overpaint.stats import screen_raters
from overpaint.stats.simulated import Rater, Study, simulate

NAN = float("nan")


def agreeing(raters: int = 30, items: int = 40, seed: int = 0) -> np.ndarray:
    """Raters close to each other: nobody is an outlier, for all are the same two steps apart."""
    rng = np.random.default_rng(seed)
    return rng.uniform(2, 4, items) + np.where(np.arange(raters) % 2, 0.1, -0.1)[:, None]


# ── BT.500 to the letter ────────────────────────────────────────────────────────────────


def test_an_outlier_of_normal_like_ratings_lies_beyond_two_sigma() -> None:
    given = np.array([1, 2, 2, 3, 3, 3, 3, 4, 4, 5, 7.0])
    d = given - given.mean()
    assert 2 <= (d**4).mean() / (d**2).mean() ** 2 <= 4
    found = screen_raters(np.stack([given, np.arange(11.0)], axis=1))
    assert found.normal_like[0]
    assert np.flatnonzero(found.outliers[:, 0]).tolist() == [10]
    assert d[10] > 2 * given.std(ddof=1) > d[9]


def test_of_ratings_with_long_tails_it_must_lie_beyond_the_root_of_twenty() -> None:
    for far, out in ((0.5, False), (9.0, True)):
        given = np.concatenate([np.tile([-0.1, 0.1], 20), [far]])
        d = given - given.mean()
        assert (d**4).mean() / (d**2).mean() ** 2 > 4
        limit = 20**0.5 * given.std(ddof=1)
        found = screen_raters(np.stack([given, np.arange(41.0)], axis=1))
        assert not found.normal_like[0]
        assert found.outliers[40, 0] == (d[40] > limit) == out


@pytest.mark.parametrize(("outliers", "out"), [(2, False), (3, True)])
def test_a_rater_is_rejected_for_more_than_one_outlier_in_twenty(outliers: int, out: bool) -> None:
    table = agreeing()
    table[4, :outliers] += 3
    found = screen_raters(table, rules=("bt500",))
    assert found.outliers.sum() == outliers
    assert found.rejected == ((4,) if out else ())
    assert found.by_rule["bt500"] == found.rejected
    removed = 40 if out else outliers
    assert found.removed.sum() == removed
    assert found.share_removed == removed / table.size
    if out:
        assert found.reasons[4] == "7.5% of the ratings are outliers, over 5%"


def test_only_what_a_rater_rated_counts_in_their_share() -> None:
    table = agreeing()
    table[4, 0] += 3
    table[4, 19:] = NAN
    assert screen_raters(table, rules=("bt500",)).rejected == (4,)  # one of nineteen


def test_with_both_sides_asked_for_a_strict_rater_is_spared_and_a_wild_one_is_not() -> None:
    table = agreeing()
    table[4, :6] -= 3
    table[7, 10:13] += 3
    table[7, 20:23] -= 3
    assert screen_raters(table, rules=("bt500",)).rejected == (4, 7)
    assert screen_raters(table, rules=("bt500",), balanced=True).rejected == (7,)


# ── correlation ─────────────────────────────────────────────────────────────────────────


def test_correlation_is_that_with_the_mean_of_the_others() -> None:
    table = simulate(Study(raters=8, per_item=8, items=30), seed=2).ratings
    found = screen_raters(table)
    for rater in range(8):
        others = np.delete(table, rater, axis=0).mean(axis=0)
        assert found.correlation[rater] == pytest.approx(np.corrcoef(table[rater], others)[0, 1])


def test_who_answers_upside_down_is_missed_by_bt500_and_found_by_correlation() -> None:
    people = [Rater(bias=b, noise=0.7) for b in np.linspace(-0.6, 0.6, 14)]
    people.append(Rater("inverted", noise=0.7))
    narrow = np.random.default_rng(0).uniform(2.4, 3.6, 100)  # upside down is not far off
    study = Study(raters=15, per_item=15, items=100)
    found = screen_raters(simulate(study, seed=1, truth=narrow, raters=people).ratings)
    assert 14 in found.by_rule["correlation"]
    assert 14 not in found.by_rule["bt500"]
    assert 14 in found.rejected
    assert "the ratings go with the others' at r = -" in found.reasons[14]


def test_honest_raters_over_five_percent_are_kept_unless_the_plain_rule_is_asked_for() -> None:
    kept = 0
    for seed in range(10):
        table = simulate(Study(items=60), seed=seed).ratings
        found, plain = screen_raters(table), screen_raters(table, rules=("bt500",))
        assert plain.rejected == found.by_rule["bt500"]
        either = set(found.by_rule["bt500"]) | set(found.by_rule["correlation"])
        assert set(screen_raters(table, confirmed=False).rejected) == either
        kept += len(either - set(found.rejected))
        assert len(found.rejected) <= 2
    assert kept > 10


def test_careless_raters_are_found_and_honest_ones_are_not() -> None:
    study = Study(items=120, random=0.05, middle=0.05, straight=0.05, inverted=0.05)
    hits = np.zeros(3)
    for seed in range(20):
        one = simulate(study, seed=seed)
        found = np.isin(np.arange(30), screen_raters(one.ratings).rejected)
        bad = one.careless
        hits += [(found & bad).sum(), (found & ~bad).sum(), (~found & bad).sum()]
    right, wrong, missed = hits
    assert right / (right + wrong) >= 0.9
    assert right / (right + missed) >= 0.9


def test_raters_who_all_answer_at_random_are_not_held_against_each_other() -> None:
    for seed in range(5):
        noise = np.random.default_rng(seed).uniform(1, 5, (20, 40))
        assert len(screen_raters(noise, rules=("correlation",)).rejected) <= 4


@pytest.mark.parametrize("shape", [(3, 40), (12, 4)])
def test_too_few_raters_or_items_have_no_verdict_by_correlation(shape: tuple[int, int]) -> None:
    table = np.random.default_rng(0).uniform(1, 5, shape)
    found = screen_raters(table)
    assert found.by_rule["correlation"] == ()
    assert found.notes == (
        "no verdict by correlation: fewer than 4 raters share 5 items with others",
    )


# ── little or nothing to say ────────────────────────────────────────────────────────────


def test_a_rater_who_rated_nothing_is_not_rejected_but_noted() -> None:
    table = np.vstack([agreeing(), np.full(40, NAN)])
    found = screen_raters(table)
    assert found.rejected == ()
    assert found.notes[0] == "1 raters rated nothing"


def test_a_rater_of_whose_answers_only_equal_ones_remain_is_rejected() -> None:
    table = 3 + np.linspace(-0.1, 0.1, 60) + np.where(np.arange(30) % 2, 0.1, -0.1)[:, None]
    table[4] = 3.0
    table[4, 10] = 9.0
    found = screen_raters(table, rules=("bt500",))
    assert found.by_rule["constant"] == (4,)
    assert "have no spread" in found.reasons[4]


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="want some of bt500, correlation"):
        screen_raters([[1, 2]], rules=("gut",))  # type: ignore[arg-type]


def test_one_with_clearly_more_outliers_than_chance_gives_is_rejected_however_they_follow() -> None:
    random = np.random.default_rng(0)
    truth = random.uniform(1, 5, 120)
    table = truth + random.normal(0, 0.4, (30, 1)) + random.normal(0, 0.7, (30, 120))
    table[3] += 2.2
    found = screen_raters(table)
    assert found.rejected == (3,)
    assert found.correlation[3] > 0.8
    assert "outliers" in found.reasons[3]
