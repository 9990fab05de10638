"""`overpaint rate --export` and `--import`: what goes out, and that nobody is counted twice."""

import json
from pathlib import Path

import pytest
from made_study import SAID, Served, begin, make_run

from overpaint.cli import main
from overpaint.rating.book import Book

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
