"""People's votes: counted pair by pair, each person's once, and shown beside judges'."""

from pathlib import Path

import judging_toy as toy
import pytest

from overpaint import catalog
from overpaint.cli import main
from overpaint.core import Edit, Evidence
from overpaint.errors import UserMistake
from overpaint.measures.rated import read_ratings
from overpaint.measures.voted import Tally, counted, each_vote, tally
from overpaint.report.judges import judges_text
from overpaint.report.judging import read_judging
from overpaint.store import Store, Vote

HEAD = "sample,editor,rater,dimension,value,against\n"


def votes(path: Path, body: str, dimension: str = "") -> dict[tuple[str, str, str], Tally]:
    path.write_text(HEAD + body, encoding="utf-8")
    return counted(path, read_ratings(path)[0], dimension)


def test_votes_of_one_pair_are_one_whichever_way_they_stand(tmp_path: Path) -> None:
    body = "s,a,r1,better,1,b\ns,b,r2,better,1,a\ns,a,r3,better,0.5,b\ns,b,r4,better,0,a\n"
    found = votes(tmp_path / "v.csv", body)
    assert found == {("s", "a", "b"): Tally(2, 1, 1)}
    assert found["s", "a", "b"].value == pytest.approx(0.625)


def test_nobody_votes_twice_on_a_pair(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="Line 3 of .*r1 has voted on these two on line 2"):
        votes(tmp_path / "v.csv", "s,a,r1,better,1,b\ns,b,r1,better,0,a\n")


def test_a_dimension_must_be_named_where_there_are_two(tmp_path: Path) -> None:
    body = "s,a,r1,better,1,b\ns,a,r1,nicer,0,b\n"
    with pytest.raises(
        UserMistake, match="no votes of no dimension. Its dimensions: better, nicer"
    ):
        votes(tmp_path / "v.csv", body)
    assert votes(tmp_path / "v.csv", body, "nicer") == {("s", "a", "b"): Tally(0, 0, 1)}
    with pytest.raises(UserMistake, match="no editor in `against`"):
        votes(tmp_path / "v.csv", "s,a,r1,better,1,\n")


def test_a_note_holds_the_tally_and_every_voter_counts_once() -> None:
    note = Tally(2, 1, 0).note
    assert tally((note,)) == Tally(2, 1, 0)
    assert tally(("said first in this order, second in the other",)) is None
    assert tally(("0 for it, 0 for neither, 0 for the other",)) is None
    judge = Vote("s", "a", "b", "better@judge", 1.0, "ok", "", ())
    people = judge._replace(notes=(note,), value=5 / 6)
    assert [vote.value for vote in each_vote([judge, people])] == [1.0, 1.0, 1.0, 0.5]


def test_the_measure_votes_on_two_edits_and_on_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text(f"{HEAD}s00,good,r1,better,1,poor\n", encoding="utf-8")
    measure = catalog.measure(f"human:{path};as=votes")
    sample = toy.bench.load(None).samples[0]
    good, poor, fair = (Edit(sample, name, "ok") for name in ("good", "poor", "fair"))
    (here,), (turned,), (nobody,) = (
        list(measure.score(pair, Evidence())) for pair in ([good, poor], [poor, good], [good, fair])
    )
    assert (here.value, here.against, turned.value) == (1.0, "poor", 0.0)
    assert (nobody.status, nobody.reason) == ("not_applicable", "Nobody compared these two.")
    with pytest.raises(UserMistake, match="got 1"):
        list(measure.score([good], Evidence()))


def test_people_s_votes_stand_beside_a_judge_s_with_strengths(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    toy.judged(folder, lambda asked: toy.verdict(asked, 3), limit=8)
    rows = [
        f"s{n:02},{a},r{r},better,{1 if (n + r) % 4 else 0},{b}\n"
        for n in range(8)
        for r in range(3)
        for a, b in (("good", "fair"), ("fair", "poor"), ("good", "poor"))
    ]
    path = tmp_path / "v.csv"
    path.write_text(HEAD + "".join(rows) + "elsewhere,good,r1,better,1,poor\n", encoding="utf-8")
    assert main(["score", str(folder), "--pairwise", f"human:{path}", "--workers", "0"]) == 0
    with Store.open(folder) as store:
        assert list(store.contests) == ["votes@people"]
        assert len(list(store.votes())) == 24
        (contest,) = read_judging(store).contests
        text = judges_text(read_judging(store))
    assert contest.people
    assert contest.same == 0
    assert [one.editor for one in contest.winners] == ["good", "fair", "poor"]
    assert contest.winners[0].votes == 48
    assert contest.winners[0].wins == 36
    assert contest.winners[0].expected is not None
    assert contest.winners[0].expected > contest.winners[2].expected  # type: ignore[operator]
    assert "everyone's vote counts" in text
    assert "the same picture twice" not in text
