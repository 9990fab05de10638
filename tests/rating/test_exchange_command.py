"""`overpaint rate --export` and `--import`: what goes out, and that nobody is counted twice."""

import json
from pathlib import Path
from urllib.parse import unquote

import pytest
from made_study import SAID, Served, begin, make_run, make_study

from overpaint.cli import main
from overpaint.rating.book import Book
from overpaint.rating.exchange import read_exchanged
from overpaint.rating.exchange_label_studio import SERVED
from overpaint.rating.ratings import Rating

SHOWN = ("source", "edit")
NUMBER = {"from_name": "quality", "type": "number", "value": {"number": 2.5}}


@pytest.fixture
def rated(tmp_path: Path) -> Path:
    """A run whose study two people have answered."""
    folder = make_run(tmp_path / "run", samples=2)
    served = Served(begin(folder))
    for quality in (2.5, 4.0):
        person = served.join()
        for place in range(1, person.state()["rater"]["total"] + 1):
            person.save(place, SAID | {"quality": quality}, comment="=thin letters", seconds=7.5)
    served.close()
    return folder


def count(folder: Path) -> int:
    with Book.open(folder) as book:
        return len(book.ratings())


@pytest.mark.parametrize("name", ["out.csv", "out.json"])
def test_a_study_does_not_take_its_own_export_for_more_people(
    rated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    before, file = count(rated), tmp_path / name
    assert main(["rate", str(rated), "--export", str(file)]) == 0
    assert main(["rate", str(rated), "--import", str(file)]) == 2
    assert f"All that {name} says stands in the study already." in capsys.readouterr().err
    assert count(rated) == before


def test_tasks_that_return_with_more_answers_bring_those_alone(
    rated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, file = count(rated), tmp_path / "out.json"
    main(["rate", str(rated), "--export", str(file)])
    tasks = json.loads(file.read_text())
    more = {"completed_by": 3, "result": [NUMBER]}
    tasks[0]["annotations"].append(more)
    file.write_text(json.dumps(tasks))
    capsys.readouterr()
    assert main(["rate", str(rated), "--import", str(file)]) == 0
    told = capsys.readouterr().out
    assert f"1 rating was taken from {file}." in told
    assert f"{before} ratings were left out: the study had them already." in told
    assert count(rated) == before + 1


def test_people_of_two_files_stay_two_and_a_file_replaces_its_elder_aloud(
    rated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = count(rated)
    for name, rater in (("a.csv", "R01"), ("b.csv", "R01")):
        head = "sample,editor,rater,dimension,value"
        (tmp_path / name).write_text(f"{head}\nsample-0,quagga,{rater},quality,1.5\n")
        assert main(["rate", str(rated), "--import", str(tmp_path / name)]) == 0
    with Book.open(rated) as book:
        assert {one.rater for one in book.ratings()} == {"R01", "R02", "a.csv:R01", "b.csv:R01"}
    capsys.readouterr()
    assert main(["rate", str(rated), "--import", str(tmp_path / "a.csv")]) == 0
    told = capsys.readouterr().out
    assert "1 rating was taken" in told
    assert "replaced 1 rating" in told
    assert count(rated) == before + 2


def test_remarks_and_times_go_out_only_when_asked_for(rated: Path, tmp_path: Path) -> None:
    for ending in ("csv", "json"):
        bare, full = tmp_path / f"bare.{ending}", tmp_path / f"full.{ending}"
        assert main(["rate", str(rated), "--export", str(bare)]) == 0
        asked = ["--export", str(full), "--comments", "--seconds"]
        assert main(["rate", str(rated), *asked]) == 0
        for words in ("thin letters", "7.5"):
            assert words not in bare.read_text()
            assert words in full.read_text()
    assert "R01" not in (tmp_path / "full.csv").read_text()
    assert "'=thin letters" in (tmp_path / "full.csv").read_text()
    with Book.open(rated) as book:
        items = {one.id: one for one in book.items()}
        back = read_exchanged(tmp_path / "full.json", book.study.questions, items)
    assert {(one.comment, one.seconds) for one in back} == {("=thin letters", 7.5)}


def test_times_are_refused_where_nothing_is_exported(
    rated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rate", str(rated), "--progress", "--comments"]) == 2
    assert "--seconds and --comments are about --export." in capsys.readouterr().err


def test_pictures_for_label_studio_lie_in_a_folder_of_their_own(rated: Path) -> None:
    before = sorted((rated / "pictures").iterdir())
    assert main(["rate", str(rated), "--export", str(rated / "my tasks.json")]) == 0
    assert sorted((rated / "pictures").iterdir()) == before
    tasks = json.loads((rated / "my tasks.json").read_text())
    shown = {unquote(one["data"][name].removeprefix(SERVED)) for one in tasks for name in SHOWN}
    written = {f"my tasks-pictures/{one.name}" for one in (rated / "my tasks-pictures").iterdir()}
    assert shown == written


def test_a_study_of_tasks_has_nothing_to_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_run(tmp_path / "run", samples=1)
    begin(folder, make_study("tasks")).db.close()
    for name in ("x.csv", "x.json"):
        assert main(["rate", str(folder), "--export", str(tmp_path / name)]) == 2
        assert "A study of tasks has no ratings to export. What people" in capsys.readouterr().err
        assert not (tmp_path / name).exists()


def test_one_rating_is_told_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_run(tmp_path / "run", samples=1)
    with begin(folder) as book:
        book.take([Rating("sample-0", "quagga", "ann", "quality", 4.0)], "a.csv")
    main(["rate", str(folder), "--export", str(tmp_path / "x.csv")])
    main(["rate", str(folder), "--collect"])
    told = capsys.readouterr().out
    assert told.startswith(f"1 rating is in {tmp_path / 'x.csv'}.\n1 rating is quality@people of")
