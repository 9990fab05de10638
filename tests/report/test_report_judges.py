"""The section on judges: the same on the page, in the terminal and as JSON; links that open."""

import csv
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import judging_toy as toy
import pytest
from made_run import HOSTILE, usual_run
from test_report_page import Reader, write
from test_report_view import serving

import overpaint.run as pipeline
from overpaint.cli import main
from overpaint.report.judges import NOBODY, judges_section, judges_text
from overpaint.report.judging import Judging, read_judging
from overpaint.report.sheets import sheets
from overpaint.run.votes import vote
from overpaint.store import Store
from overpaint.testing import Asked, FakeServer

LEVELS = {"good": 5, "fair": 3, "poor": 1}


def script(asked: Asked) -> Any:
    if len(asked.pictures) > 2:
        return toy.verdict(asked, "first")
    who = toy.made_by(asked)
    if who == "poor" and asked.model == "other":
        return {"behaviour": "refusal"}
    return toy.verdict(asked, max(0, LEVELS[who] - asked.nth % 2 - (asked.model == "other")))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two judges asked twice, a panel, evidence, people and votes."""
    folder = tmp_path_factory.mktemp("judges")
    ratings = folder / "r.csv"
    rows = [f"s{n:02},{e},{r},{LEVELS[e]}" for n in range(6) for e in LEVELS for r in ("a", "b")]
    ratings.write_text("sample,editor,rater,value\n" + "\n".join([*rows, "zz,good,a,3"]))
    more = [f"human:{ratings};scale=0-5", "evidence:LP"]
    toy.judged(
        folder / "run", script, "fake", "other", limit=6, repeats=2, measures=more,
        rubrics=(*toy.RUBRICS, "+".join(toy.RUBRICS)),
    )  # fmt: skip
    with FakeServer(script, process=False) as server:
        spec = f"pairwise:pairwise:{server.url}#fake"
        vote(folder / "run", [spec], settings=pipeline.Settings(workers=0))
    return folder / "run"


@pytest.mark.slow
def test_every_sheet_is_on_the_page_and_in_the_terminal(run: Path) -> None:
    page, judging = write(run), _read(run)
    words, text = Reader(page).text, judges_text(judging)
    made = list(sheets(judging))
    assert [sheet.title for sheet in made] == [
        "Answers", "Test and retest", "Totals, asked again", "Judges with one another",
        "Where judges differ most", "Judges and people", "Pairwise: preferred@fake", "Bill",
    ]  # fmt: skip
    for sheet in made:
        assert sheet.title in words
        assert sheet.title.upper() in text
        for remark in sheet.remarks:
            assert remark in words
            assert remark in text
    assert "TextEditBench reports at most 0.33 of 25 over 3 times" in text
    assert "fewer judges answered than the quorum: IF@panel 6 of 18, TA@panel 6 of 18" in text
    assert (
        "total10@fake, total10@other, total10@panel: the mean is the sum of its parts' means,"
        " as in the table."
    ) in text
    assert "human: 37 ratings by 2 people of 18 edits in this run; not in it: 1 rated edit." in text
    assert "100 % (100 – 100) name the first edit (50 % would be fair): it prefers a place" in text
    assert "evidence, no model" in text


def _read(run: Path, **more: Any) -> Judging:
    with Store.open(run) as store:
        return read_judging(store, **more)


@pytest.mark.slow
def test_the_command_gives_text_and_json(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(run), "--judges"]) == 0
    assert "TEST AND RETEST" in capsys.readouterr().out
    assert main(["show", str(run), "--judges", "--json", "--kin", "fake=good"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["standings"][0]["column"] == "IF@fake"
    assert told["contests"][0]["inconsistent"]["value"] == 1
    assert {one["others"] for one in told["preferences"]} == {"other judges", "people"}
    assert told["bills"][0]["price"] is None


def test_kin_that_was_declared_is_kept_and_said(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = judges_text(_read(run))
    assert "SELF-PREFERENCE" not in before  # there is no kin, so there is nothing to say
    told = ["score", str(run), "--kin", "fake=good", "--quiet", "--workers", "0"]
    main(told)
    capsys.readouterr()
    text = judges_text(_read(run))
    assert re.search(r"fake +good +declared +other judges", text)
    alone = _read(run, kin=[("nobody", "good")])
    assert len(alone.kin) == 1


def test_a_run_that_nobody_judged_has_no_section(tmp_path: Path) -> None:
    usual_run(tmp_path / "run")
    judging = _read(tmp_path / "run")
    assert judges_section(judging) is None
    assert judges_text(judging) == NOBODY
    assert 'id="judges"' not in write(tmp_path / "run").read_text()


@pytest.mark.slow
def test_the_live_page_has_the_section_too(run: Path) -> None:
    with serving(run) as browser:
        code, page = browser.read("/")
    assert code == 200
    assert b'id="judges"' in page


def test_hostile_names_are_text_in_the_section(tmp_path: Path) -> None:
    name = HOSTILE[1].replace("=", "").replace(":", "")
    folder = tmp_path / "run"
    toy.judged(folder, script, "fake", "other", limit=2)
    with Store.open(folder) as store:
        store._db.execute("UPDATE editors SET name = ? WHERE name = 'fair'", (name,))
    section = judges_section(_read(folder))
    assert section is not None
    assert "<img" not in section
    assert "&lt;img" in section


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless browser, the one that is installed."""
    sync_api = pytest.importorskip("playwright.sync_api")
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next((found for name in names if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium is installed")
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.mark.slow
def test_a_dispute_opens_its_edit_beside_what_was_said(chromium: Any, run: Path) -> None:
    page = chromium.new_context(viewport={"width": 1400, "height": 900}).new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(write(run).resolve().as_uri())
    link = page.locator("#judges a[data-sample]").first
    sample, editor = (link.get_attribute(name) for name in ("data-sample", "data-editor"))
    link.click()
    page.wait_for_selector("#detail[open]")
    assert page.inner_text("#detail-id") == sample
    assert f"What the judges said of {editor}" in page.locator("#panel h3").all_inner_texts()
    assert page.locator("nav.sections a[href='#judges']").is_visible() is not None
    assert complaints == []
    held = page.locator("h3:has-text('held against others') + ul .verdict").all_inner_texts()
    assert len(held) == 2
    assert all("tie" in one and "says first in both orders" in one for one in held)
    narrow = chromium.new_context(viewport={"width": 380, "height": 800}).new_page()
    narrow.goto(write(run).resolve().as_uri())
    assert narrow.evaluate("document.documentElement.scrollWidth") <= 380


def test_votes_and_numbers_lie_beside_the_page(run: Path) -> None:
    folder = write(run).parent
    with (folder / "votes.csv").open(newline="") as file:
        votes = list(csv.DictReader(file))
    assert len(votes) == 18
    assert (votes[0]["editor"], votes[0]["against"], votes[0]["value"]) == ("good", "fair", "0.5")
    assert votes[0]["notes"].startswith("said first in this order, first in the other; says first")
    told = json.loads((folder / "judges.json").read_text())
    assert told["retests"][0]["turns"] == 2
