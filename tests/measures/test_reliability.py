"""Reliability of judges: found in real runs on the fake server, where the script is known."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import judging_toy as toy
import numpy as np
import pytest

from overpaint.measures import reliability
from overpaint.measures.opinions import opinions
from overpaint.measures.reliability import (
    concords,
    disputes,
    mean_of,
    read_judged,
    retests,
    total_retests,
    with_people,
)
from overpaint.measures.standings import standings
from overpaint.store import Row, Store
from overpaint.testing import Asked

ADDED = (*toy.RUBRICS, "+".join(toy.RUBRICS))  # and the total of both
LEVELS = {"good": 5, "fair": 3, "poor": 1}


def steady(asked: Asked) -> Any:
    """Says the same each time; the other model one less for what is fair, and refuses the poor."""
    who = toy.made_by(asked)
    if asked.model == "other" and who == "poor":
        return {"behaviour": "refusal"}
    return toy.verdict(asked, LEVELS[who] - (asked.model == "other" and who == "fair"))


def wavering(asked: Asked) -> Any:
    """Says 2, 3 and 4 in turn of what is fair, and the same of everything else."""
    who = toy.made_by(asked)
    return toy.verdict(asked, 2 + asked.nth % 3 if who == "fair" else LEVELS[who])


def half_refusing(asked: Asked) -> Any:
    """Refuses every other sample."""
    if toy.stripe(asked.pictures[0]) % 2:
        return {"behaviour": "refusal"}
    return toy.verdict(asked, LEVELS[toy.made_by(asked)])


def read(run: Any) -> reliability.Judged:
    with Store.open(run.folder) as store:
        return read_judged(store)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> reliability.Judged:
    folder = tmp_path_factory.mktemp("two") / "run"
    return read(toy.judged(folder, steady, "fake", "other", limit=6, quorum=2))


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> reliability.Judged:
    folder = tmp_path_factory.mktemp("again") / "run"
    return read(toy.judged(folder, wavering, limit=6, repeats=3, rubrics=ADDED))


def test_each_judge_s_coverage_is_told_by_status(two: reliability.Judged) -> None:
    found = {one.column: one for one in standings(two)}
    assert (found["IF@fake"].asked, found["IF@fake"].scored) == (18, 18)
    assert found["IF@fake"].mean == pytest.approx(3)
    assert (found["IF@other"].asked, found["IF@other"].scored) == (18, 12)
    assert found["IF@other"].statuses == {"refused": 6}
    assert found["IF@panel"].statuses == {"undecided": 6}  # the quorum was not reached
    assert found["TA@other"].mean == pytest.approx(3.5)


def test_the_spread_of_answers_is_read_back_without_asking_again(
    again: reliability.Judged,
) -> None:
    found = {one.column: one for one in retests(again)}
    one = found["IF@fake"]
    assert (one.turns, one.edits, one.same) == (3, 18, 12)
    assert one.spread == pytest.approx(2 / 3)  # 2 for a third of the edits, 0 for the rest
    assert one.deviation == pytest.approx(np.sqrt(1 / 3))
    assert set(map(frozenset, again.turns["IF@fake"].values())) == {
        frozenset({5.0}), frozenset({1.0}), frozenset({2.0, 3.0, 4.0}),
    }  # fmt: skip


def test_totals_are_compared_turn_by_turn_as_papers_do(again: reliability.Judged) -> None:
    found = {one.editor: one for one in total_retests(again)}
    assert found["good"].totals == (10, 10, 10)
    assert found["good"].width == 10
    assert found["good"].dimensions == ("IF", "TA")
    for turn, total in enumerate(found["fair"].totals):
        columns = [again.turns[name].items() for name in ("IF@fake", "TA@fake")]
        means = [np.mean([s[turn] for (_, e), s in one if e == "fair"]) for one in columns]
        assert total == pytest.approx(sum(means))


def test_only_what_a_total_names_is_added_up_and_only_if_asked_equally_often(
    tmp_path: Path,
) -> None:
    twice = tuple(f"{name};repeats=2" for name in ADDED)
    unlike = (f"{'+'.join((*toy.RUBRICS, 'textedit_vc'))};repeats=2", "textedit_vc;repeats=3")
    more = {"rubrics": (*twice, *unlike), "painters": {"fair": "Fair"}}
    judged = read(toy.judged(tmp_path / "run", wavering, limit=1, **more))
    assert [one.turns for one in retests(judged)] == [2, 2, 3]
    (one,) = total_retests(judged)  # total15 has a part that was asked once more
    assert (one.dimensions, len(one.totals)) == (("IF", "TA"), 2)
    for name in ("total10@fake", "TA@fake"):  # nothing adds them up; one of them is not there
        left = {key: found for key, found in judged.opinions.items() if key != name}
        assert total_retests(replace(judged, opinions=left)) == []


def test_a_mean_is_the_table_s_own_where_failures_count_and_where_it_is_a_sum(
    tmp_path: Path,
) -> None:
    official = tuple(f"{name};official=1" for name in ADDED)
    more = {"rubrics": (*official, *ADDED), "painters": {"poor": "Poor"}}
    run = toy.judged(tmp_path / "run", half_refusing, limit=6, **more)
    found, (row,) = {one.column: one for one in standings(read(run))}, run.table()
    for name, cell in row.cells.items():
        one = found[name]
        assert (one.mean, one.low, one.high) == (cell.value, cell.low, cell.high)
    one, plain = found["IF@official@fake"], found["IF@fake"]
    assert (one.asked, one.scored, one.statuses) == (6, 3, {"refused": 3})
    assert (one.mean, plain.mean) == (0.5, 1)
    failures = "what failed counts as worst in the mean, as in the table"
    added = "the mean is the sum of its parts' means, as in the table"
    assert (one.notes, plain.notes) == ((failures,), ())
    assert found["total10@fake"].notes == (added,)
    assert found["total10@official@fake"].notes == (added, failures)


def test_a_turn_without_an_answer_keeps_its_place() -> None:
    spec = "judge:textedit_if;repeats=3:http://localhost:1/v1#m"
    opinion = opinions({"IF@m": spec})["IF@m"]

    def turns(*notes: str) -> Any:
        row = Row("s", "e", "IF@m", 4.0, "ok", "", notes, 1.0, 0.0)
        return reliability._turns(opinion, row)

    assert turns("Fine.", "said 4, –, 5 when asked 3 ×") == (4, None, 5)
    assert turns("said 4, 4, 4 when asked 3 ×", "no rationale was given") == (4, 4, 4)
    # A rationale in the form of our note is not taken for it, whatever it claims.
    lie = "said 0, 0, 0 when asked 3 ×"
    assert turns(lie, "said 4, 4, 4 when asked 3 ×") == (4, 4, 4)
    for odd in ("said 4, 9, 4 when asked 3 ×", "said nan, 1, 2 when asked 3 ×",
                "said 4, 4 when asked 3 ×", "said a, b, c when asked 3 ×"):  # fmt: skip
        assert turns("Fine.", odd) == ()
    assert turns() == ()


def test_judges_are_held_together_on_what_both_scored(two: reliability.Judged) -> None:
    (one, _) = concords(two)
    assert (one.a, one.b, one.n) == ("IF@fake", "IF@other", 12)
    assert one.apart == pytest.approx(0.5)
    assert one.pearson.value == pytest.approx(1)  # 5, 3 against 5, 2: a straight line
    assert one.kappa is not None
    assert one.kappa.value is not None
    assert 0.8 < one.kappa.value < 1


def test_the_edits_on_which_they_differ_most_come_first(two: reliability.Judged) -> None:
    found = disputes(two)
    assert len(found) == 12
    assert {(one.editor, one.spread) for one in found} == {("fair", 1)}
    assert found[0].said == {"fake": 3, "other": 2}
    assert [one.sample for one in found] == sorted(one.sample for one in found)


def rated(folder: Path, ratings: Mapping[tuple[str, str], float], **more: Any) -> Any:
    path = folder / "ratings.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [f"{s},{e},{rater},{v}" for (s, e), v in ratings.items() for rater in ("ann", "ben")]
    path.write_text("sample,editor,rater,value\n" + "\n".join(rows))
    spec = f"human:{path};scale=0-5"
    return toy.judged(folder / "run", steady, "fake", "other", limit=8, measures=[spec], **more)


@pytest.mark.slow
def test_judges_are_held_against_people_where_both_have_a_number(tmp_path: Path) -> None:
    keys = [(f"s{n:02}", editor) for n in range(6) for editor in LEVELS]
    rng = np.random.default_rng(0)
    people = {key: LEVELS[key[1]] - 0.5 * rng.random() for key in keys}
    judged = read(rated(tmp_path, people))
    found = {one.a: one for one in with_people(judged)}
    assert set(found) == {
        "IF@fake", "TA@fake", "IF@other", "TA@other", "IF@panel", "TA@panel",
        "mean of 2 @fake", "mean of 2 @other", "mean of 2 @panel",
    }  # fmt: skip
    expected = np.corrcoef([LEVELS[e] for _, e in keys], [people[key] for key in keys])[0, 1]
    for name in ("IF@fake", "mean of 2 @fake"):
        assert found[name].n == 18
        assert found[name].pearson.value == pytest.approx(expected)
        assert found[name].pearson.low is not None
        assert found[name].pearson.low > 0.9
    assert found["IF@other"].n == 12  # it refused the rest


def test_a_mean_of_dimensions_wants_all_that_apply(two: reliability.Judged) -> None:
    columns = [one for one in two.of_kind("model") if one.who == "other"]
    means = mean_of(two, columns)
    assert {editor for _, editor in means} == {"good", "fair"}
    assert means["s00", "fair"] == 2
