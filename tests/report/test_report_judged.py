"""What judges said, beside the picture: in the page's data, and in a real browser."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import judging_toy as toy
import pytest
from made_run import HOSTILE
from test_report_page import Reader, write

from overpaint.testing import Asked

LONG = "The grey is even from edge to edge, and the stripe on top is kept. " * 20


def said(asked: Asked) -> Any:
    """Different words to each editor; one that refuses, one that is not understood."""
    who = toy.made_by(asked)
    if who == "poor":
        return {"behaviour": "refusal"} if asked.model == "fake" else "Quite good, I think."
    value = 4 if who == "good" else 2
    return toy.verdict(asked, value + (asked.model == "other"), LONG if who == "good" else "Pale.")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judged") / "run"
    added = (*toy.RUBRICS, "+".join(toy.RUBRICS))
    more = {"measures": ["evidence:LP"], "repeats": 2, "rubrics": added}
    return write(toy.judged(folder, said, "fake", "other", limit=2, **more).folder)


def test_the_page_knows_which_columns_are_whose_opinion(page: Path) -> None:
    measures = {one["name"]: one.get("judge") for one in Reader(page).deck["measures"]}
    assert measures["IF@fake"] == {
        "kind": "model", "who": "fake", "dimension": "IF", "title": "Instruction following",
        "best": 5, "total": False,
    }  # fmt: skip
    assert measures["TA@panel"]["kind"] == "panel"
    assert measures["total10@fake"]["total"]
    assert measures["LP@evidence"]["kind"] == "evidence"


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


def opened(chromium: Any, page: Path, editor: str, **size: int) -> Any:
    view = {"width": 1400, "height": 900} | size
    seen = chromium.new_context(viewport=view).new_page()
    seen.complaints = []
    seen.on("pageerror", lambda error: seen.complaints.append(str(error)))
    seen.goto(f"{page.resolve().as_uri()}#~sample=s00&with={editor}")
    seen.wait_for_selector(".judged")
    return seen


def verdicts(seen: Any) -> list[str]:
    return [text.replace("\n", " ") for text in seen.locator(".verdict").all_inner_texts()]


@pytest.mark.slow
def test_each_judge_s_score_stands_with_its_reason_beside_the_picture(
    chromium: Any, page: Path
) -> None:
    seen = opened(chromium, page, "good")
    told = verdicts(seen)
    assert any("4 of 5" in one and "fake" in one and LONG.strip() in one for one in told)
    assert any("5 of 5" in one and "other" in one for one in told)
    assert any("4.5 of 5" in one and "they are 1 apart" in one for one in told)
    assert any("said 4, 4 when asked 2 ×" in one for one in told)
    # A panel does not say its judges' words a second time.
    assert sum(LONG.strip() in one for one in told) == 4
    assert sum("evidence, no model" in one for one in told) == 1
    # About the editor nothing of it is said again.
    assert LONG.strip() not in seen.locator("#panel > ul").inner_text()
    assert seen.complaints == []


@pytest.mark.slow
def test_what_a_total_is_made_of_is_our_note_and_no_model_s_words(
    chromium: Any, page: Path
) -> None:
    seen = opened(chromium, page, "fair")
    quoted = seen.locator("blockquote.rationale").all_inner_texts()
    assert set(quoted) == {"Pale."}
    assert "IF 2, TA 2" in seen.locator(".verdict p.aside").all_inner_texts()


@pytest.mark.slow
def test_a_judge_that_gave_no_score_says_why_in_words(chromium: Any, page: Path) -> None:
    told = verdicts(opened(chromium, page, "poor"))
    assert any("refused" in one and "declined" in one for one in told)
    assert any("unreadable" in one and "JSON object" in one for one in told)
    assert any("undecided" in one and "the quorum is 2" in one for one in told)


@pytest.mark.slow
def test_long_reasons_wrap_and_are_read_by_keyboard(chromium: Any, page: Path) -> None:
    for width in (1400, 400):
        seen = opened(chromium, page, "good", width=width, height=500)
        every = "[...document.querySelectorAll('.verdict')]"
        wide = seen.evaluate(f"{every}.filter(one => one.scrollWidth > one.clientWidth + 1)")
        assert wide == []
    seen = opened(chromium, page, "good", height=400)
    seen.focus("#panel")
    for _ in range(3):
        seen.keyboard.press("PageDown")
        seen.wait_for_timeout(300)
    assert seen.evaluate("document.getElementById('panel').scrollTop") > 400
    assert seen.evaluate("document.getElementById('detail-id').textContent") == "s00"


@pytest.mark.slow
def test_what_a_judge_says_is_text_and_never_markup(chromium: Any, tmp_path: Path) -> None:
    run = toy.judged(
        tmp_path / "run", lambda asked: toy.verdict(asked, 3, " ".join(HOSTILE[:3])), limit=1
    )
    seen = opened(chromium, write(run.folder), "good")
    assert seen.evaluate("window.hacked") is None
    assert "<img src=x" in seen.locator(".verdict").first.inner_text()
