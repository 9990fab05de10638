"""What people think of edits: opinion scores after screening, raw means, majorities."""

import calibrating_toy as toy
import numpy as np
import pytest

from overpaint.measures.people import opinion_of, published
from overpaint.stats import opinion_scores


def test_scores_are_the_opinion_scores_of_stats_edit_by_edit() -> None:
    people = toy.people()
    table = np.full((12, len(people.keys)), np.nan)
    for at, key in enumerate(people.keys):
        for rater, value in toy.given()[key].items():
            table[sorted({f"r{n}" for n in range(12)}).index(rater), at] = value
    found = opinion_scores(table)
    assert [people.scores[key] for key in people.keys] == pytest.approx(found.mos.tolist())
    assert people.means[people.keys[0]] == pytest.approx(float(found.raw_mean[0]))
    assert (people.ratings, people.raters, people.per_edit) == (768, 12, 8)
    assert people.removed == found.share_removed


def test_a_rater_who_turns_the_scale_round_is_left_out_with_a_reason() -> None:
    given = {key: dict(said) for key, said in toy.given().items()}
    for said in given.values():
        if "r0" in said:
            said["r0"] = 6 - said["r0"]
    people = opinion_of("quality", given)
    assert "r0" in people.rejected
    assert "r = -0." in people.rejected["r0"]
    assert all(key in people.scores for key in given)


def test_plain_means_are_what_was_given_and_nothing_is_removed() -> None:
    people = opinion_of("quality", toy.given(), plain=True)
    key = people.keys[3]
    assert people.scores[key] == pytest.approx(np.mean(list(toy.given()[key].values())))
    assert people.removed == 0
    assert people.errors[key] > 0


def test_yes_and_no_are_decided_by_most_and_a_tie_has_no_score() -> None:
    given = {
        ("a", "x"): {"r1": 1.0, "r2": 1.0, "r3": 0.0},
        ("b", "x"): {"r1": 1.0, "r2": 0.0},
        ("c", "x"): {"r3": 0.0},
    }
    people = opinion_of("done", given)
    assert people.yes_no
    assert people.scores == {("a", "x"): 1.0, ("c", "x"): 0.0}
    assert people.means["b", "x"] == 0.5
    assert people.notes == ("1 of 3 edits have as many yes as no, and no majority",)


def test_raters_whose_answers_are_all_equal_leave_no_score_and_say_why() -> None:
    given = {(f"s{n}", "x"): {"r1": 3.0, "r2": 4.0} for n in range(6)}
    people = opinion_of("quality", given)
    assert people.scores == {}
    assert set(people.rejected) == {"r1", "r2"}
    assert "no spread" in people.rejected["r1"]


def test_published_scores_have_no_ratings_behind_them() -> None:
    people = published("quality", {("s", "x"): 48.95}, "as released")
    assert (people.ratings, people.keys, people.notes) == (0, (), ("as released",))
