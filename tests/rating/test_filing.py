"""A study's ratings become columns and votes of its run; filing again keeps them true."""

from dataclasses import replace
from pathlib import Path

import calibrating_toy as toy
import pytest
from made_study import SAID, Served, begin, make_run, make_study

from overpaint.cli import main
from overpaint.errors import UserMistake
from overpaint.rating.book import Book
from overpaint.rating.filing import collect
from overpaint.rating.ratings import Rating
from overpaint.report import read_tables
from overpaint.report.judging import read_judging
from overpaint.store import Store

NAMES = ("quality", "alignment", "preservation", "done")


def rate(book: Book, rater: str, quality: float) -> None:
    """Somebody rates every edit alike but for the sample's number."""
    rows = [
        Rating(item.sample, item.editor, rater, name, value)
        for place, item in enumerate(book.items())
        for name, value in (("quality", quality + place % 2 / 2), ("done", float(place % 2)))
    ]
    book.take(rows, rater)


def values(folder: Path, column: str) -> list[float]:
    with Store.open(folder) as store:
        return [r.value for r in store.rows() if r.measure == column and r.value is not None]


def test_what_raters_saved_is_in_the_run_s_table(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", samples=2)
    served = Served(begin(folder))
    for _ in range(2):
        person = served.join()
        for place in range(1, person.state()["rater"]["total"] + 1):
            assert person.save(place).status_code == 200
    found = collect(folder, served.book)
    served.close()
    assert found.columns == tuple(f"{name}@people" for name in NAMES)
    assert found.ratings == 2 * 4 * 4
    assert set(values(folder, "quality@people")) == {SAID["quality"]}
    assert found.file is not None
    text = found.file.read_text()
    assert "R0" not in text
    assert {line.split(",")[2] for line in text.splitlines()[1:]} == {"P1", "P2"}
    with Store.open(folder) as store:
        store.note(card_id="x", benchmark="demo", seed=0)
        tables = read_tables(store)
        quality = next(m for m in tables.measures if m.name == "quality@people")
        assert (quality.worst, quality.best) == (1, 5)
        assert [one.column for one in read_judging(store).raters] == list(found.columns)


def test_filing_twice_does_it_once(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", samples=2)
    with begin(folder) as book:
        rate(book, "R1", 3.0)
        first, second = collect(folder, book), collect(folder, book)
    assert first.scores == 2 * len(list(Store.open(folder).edits()))
    assert (second.scores, second.replaced, second.file) == (0, (), first.file)
    assert "They were there already." in second.told()


def test_more_ratings_take_the_place_of_the_older_column_and_its_file(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", samples=2)
    with begin(folder) as book:
        rate(book, "R1", 3.0)
        first = collect(folder, book)
        rate(book, "R2", 4.0)
        second = collect(folder, book)
    assert second.replaced == ("quality@people", "done@people")
    assert first.file is not None
    assert second.file is not None
    assert not first.file.exists()
    assert second.file.exists()
    assert sorted(set(values(folder, "quality@people"))) == [3.5, 4.0]
    with Store.open(folder) as store:
        spec, version = store.made_by()["quality@people"]
        assert str(second.file) in spec
        assert second.file.stem.endswith(version)


def test_whoever_withdraws_is_gone_from_the_run_after_filing_again(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", samples=1)
    with begin(folder) as book:
        rate(book, "R1", 1.0)
        rate(book, "R2", 4.0)
        before = collect(folder, book)
        book.take([], "R1")
        after = collect(folder, book)
    assert before.file is not None
    assert after.file is not None
    assert before.file.name != after.file.name
    assert not before.file.exists()
    assert min(values(folder, "quality@people")) >= 4.0


def test_nothing_filed_is_left_when_the_last_rater_has_withdrawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_run(tmp_path / "run", samples=1)
    with begin(folder, replace(make_study(), name="second")) as other:
        rate(other, "R1", 2.0)
        kept = collect(folder, other)
    served = Served(begin(folder))
    person = served.join()
    for place in range(1, person.state()["rater"]["total"] + 1):
        person.save(place)
    before = collect(folder, served.book)
    assert person.send("POST", "/api/withdraw", {"sure": True}).status_code == 200
    served.close()
    assert main(["rate", str(folder), "--study", "test", "--collect"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Nobody's ratings are left. What was filed of them is deleted: quality@")
    assert before.file is not None
    assert not before.file.exists()
    with Store.open(folder) as store:
        assert set(store.made_by()) == set(kept.columns)
    assert kept.file is not None
    assert kept.file.exists()
    assert main(["rate", str(folder), "--study", "test", "--collect"]) == 2
    assert "Nobody has rated anything in the study test yet" in capsys.readouterr().err


def test_people_of_another_study_keep_their_columns(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", samples=1)
    with begin(folder) as book, begin(folder, replace(make_study(), name="second")) as other:
        rate(book, "R1", 2.0)
        rate(other, "R1", 4.0)
        assert collect(folder, book).columns == ("quality@people", "done@people")
        assert collect(folder, other).columns == ("quality@second", "done@second")
        assert collect(folder, other).scores == 0
        rate(other, "R2", 4.0)
        assert collect(folder, other).replaced == ("quality@second", "done@second")
    assert max(values(folder, "quality@people")) < 3 < min(values(folder, "quality@second"))


def test_votes_become_a_contest_of_the_run(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", samples=3)
    with begin(folder, make_study("pairs")) as book:
        rows = [
            Rating(item.sample, item.editor, rater, "better", 1.0, item.against)
            for item in book.items()
            for rater in ("R1", "R2")
        ]
        book.take(rows, "file")
        found = collect(folder, book)
        again = collect(folder, book)
    assert (found.columns, found.contests, found.votes) == ((), ("better@people",), 3)
    assert again.votes == 0
    with Store.open(folder) as store:
        (contest,) = read_judging(store).contests
    assert contest.people
    assert sum(one.wins for one in contest.winners) == 6


def test_calibrating_by_votes_says_where_they_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_run(tmp_path / "run", samples=3)
    with begin(folder, make_study("pairs")) as book:
        name = book.study.name
    assert main(["calibrate", str(folder), "--study", name]) == 2
    told = capsys.readouterr().err
    assert "votes on pairs, and no ratings of single edits" in told
    assert f"`overpaint show {folder} --judges`" in told


def test_nothing_rated_boxes_and_tasks_are_told_apart(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", samples=1)
    with begin(folder) as book, pytest.raises(UserMistake, match="Nobody has rated anything"):
        collect(folder, book)
    with begin(folder, replace(make_study("boxes"), name="boxes")) as book:
        item = book.items()[0]
        book.take([Rating(item.sample, item.editor, "R", "box", None, box=(1, 1, 9, 9))], "f")
        with pytest.raises(UserMistake, match="A study of boxes has no scores"):
            collect(folder, book)


def test_the_command_collects_and_calibrate_reads_the_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_run(tmp_path / "run", samples=2)
    with begin(folder) as book:
        rate(book, "R1", 3.0)
    assert main(["rate", str(folder), "--study", "test", "--collect"]) == 0
    assert "8 ratings are quality@people, done@people of the run" in capsys.readouterr().out
    assert main(["rate", str(folder), "--study", "test", "--collect", "--json"]) == 0
    assert '"replaced": []' in capsys.readouterr().out


def test_measures_are_held_against_a_study_while_it_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = toy.make_run(tmp_path / "run")
    with begin(folder, replace(make_study(), per_item=2)) as book:
        rows = [
            Rating(*key, rater, "quality", value)
            for key, said in toy.given().items()
            for rater, value in said.items()
        ]
        book.take(rows, "simulated")
    assert main(["calibrate", str(folder), "--study", "test", "--draws", "40"]) == 0
    named = capsys.readouterr().out
    assert main(["calibrate", str(folder), "--draws", "40"]) == 0  # its only study
    assert capsys.readouterr().out == named
    assert "768      12" in named
    assert "QUALITY: SRCC BY TASK" in named
