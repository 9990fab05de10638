"""Boxes on pages in a real browser: where they lie, what they say, by mouse and by keyboard."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from made_pages import HIGH, WIDE, paged_run
from test_report_browser import Seen, report
from test_report_view import serving

pytestmark = pytest.mark.slow
HALF = "#~sample=page%2F001&with=half"
WORSE = "#~sample=page%2F001&with=worse"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report(paged_run(tmp_path_factory.mktemp("pages"), samples=3))


def opened(chromium: Any, page: Path, hash_: str = HALF, **settings: Any) -> tuple[Seen, Any]:
    seen = Seen(chromium, **settings)
    shown = seen.open(page, hash_)
    shown.wait_for_selector(".layer.whole")
    return seen, shown


def test_the_edited_region_is_framed_where_it_is_at_any_size(chromium: Any, page: Path) -> None:
    for wide in (1400, 800, 360):
        _, shown = opened(chromium, page, viewport={"width": wide, "height": 900})
        sheet = shown.locator(".sheet").bounding_box()
        frame = shown.locator(".sheet .region").bounding_box()
        assert frame["x"] - sheet["x"] == pytest.approx(sheet["width"] * 28 / WIDE, abs=2)
        assert frame["y"] - sheet["y"] == pytest.approx(sheet["height"] * 112 / HIGH, abs=2)
        assert frame["width"] == pytest.approx(sheet["width"] * 172 / WIDE, abs=4)


def test_the_region_is_shown_larger_for_source_truth_and_output(chromium: Any, page: Path) -> None:
    seen, shown = opened(chromium, page)
    crops = shown.locator(".crop")
    assert crops.locator(".who").all_inner_texts() == ["source", "truth", "half"]
    small = shown.locator(".sheet .region").bounding_box()["width"]
    assert crops.nth(1).locator(".region").bounding_box()["width"] > 1.3 * small
    shown.keyboard.press("ArrowDown")
    assert crops.locator(".who").all_inner_texts() == ["source", "truth", "worse"]
    crops.nth(0).click()
    assert shown.inner_text("#zoom-told") != "fit"
    shown.keyboard.press("r")
    assert shown.locator(".region").count() == 0
    assert seen.errors == []


def test_blocks_are_coloured_by_what_became_of_them_and_say_their_text(
    chromium: Any, page: Path
) -> None:
    seen, shown = opened(chromium, page, WORSE)
    shown.keyboard.press("2")
    shown.keyboard.press("b")
    shown.keyboard.press("o")
    shown.wait_for_selector(".boxes.read .block")
    assert shown.locator(".boxes.truth .block").count() == 21
    assert shown.locator(".boxes.truth .block.alone").count() == 1
    assert shown.locator(".boxes.read .block.same").count() == 20
    assert shown.locator(".boxes.read .block.alone").count() == 1
    shown.locator(".boxes.truth .block.alone").hover()
    assert shown.inner_text("#tip") == "due on Monday, 1\nnot found in the output"
    # The hint is seen although the dialog lies over everything else.
    assert shown.locator("#tip").evaluate(
        """tip => { tip.style.pointerEvents = "auto"; const box = tip.getBoundingClientRect();
        return document.elementFromPoint(box.left + 9, box.top + 9) === tip; }"""
    )
    assert "20 as in the truth" in shown.inner_text("#stage-note")
    shown.keyboard.press("ArrowUp")
    shown.wait_for_selector(".boxes.read .block.differs")
    shown.locator(".boxes.read .block.differs").hover()
    assert shown.inner_text("#tip") == "read: due on Monnay, 1\ntruth: due on Monday, 1"
    assert seen.errors == []


def test_blocks_are_walked_by_keyboard(chromium: Any, page: Path) -> None:
    _, shown = opened(chromium, page)
    shown.keyboard.press("o")
    shown.wait_for_selector(".boxes.read .block")
    shown.locator(".boxes.read .block").first.focus()
    for _ in range(4):
        shown.keyboard.press("ArrowDown")
    told = shown.evaluate("document.activeElement.getAttribute('aria-label')")
    assert told == "read: due on Monnay, 1\ntruth: due on Monday, 1"
    assert shown.inner_text("#tip") == told
    assert shown.inner_text("#detail-id") == "page/001"
    stops = shown.locator(".boxes.read .block[tabindex='0']")
    assert stops.count() == 1
    shown.keyboard.press("j")  # what is drawn stays drawn on the next sample
    shown.wait_for_selector(".boxes.read .block")
    assert shown.inner_text("#detail-id") == "page/002"


def test_in_the_slider_each_sides_boxes_end_at_the_edge(chromium: Any, page: Path) -> None:
    _, shown = opened(chromium, page)
    shown.keyboard.press("b")
    shown.keyboard.press("o")
    shown.wait_for_selector(".boxes.read .block")
    shown.fill("#slider", "25")
    clips = [shown.locator(f".boxes.{side}").evaluate("e => e.style.clipPath")
             for side in ("truth", "read")]  # fmt: skip
    assert "75%" in clips[0]
    assert "25%" in clips[1]


def test_the_file_alone_draws_blocks_on_thumbnails_and_says_what_is_missing(
    chromium: Any, page: Path, tmp_path: Path
) -> None:
    shutil.copy(page, tmp_path / "alone.html")
    shown = Seen(chromium).open(tmp_path / "alone.html", HALF)
    shown.keyboard.press("o")
    shown.wait_for_selector(".boxes.read .block")
    assert "The original is not beside this page." in shown.inner_text("#crops")


def test_a_phone_shows_the_region_first_and_needs_no_sideways_scrolling(
    chromium: Any, page: Path
) -> None:
    phone = {"width": 360, "height": 740}
    _, shown = opened(chromium, page, viewport=phone, is_mobile=True, has_touch=True)
    assert shown.evaluate("document.documentElement.scrollWidth") <= 360
    assert shown.locator(".crop").first.is_visible()
    crop, stage = (shown.locator(which).first.bounding_box() for which in (".crop", "#stage"))
    assert crop["y"] < stage["y"]
    assert stage["width"] <= 360


def test_a_served_page_asks_for_blocks_when_they_are_to_be_drawn(
    chromium: Any, tmp_path: Path
) -> None:
    folder, seen = paged_run(tmp_path, samples=2), Seen(chromium)
    with serving(folder) as server:
        seen.page.goto(f"http://127.0.0.1:{server.port}/{HALF}")
        seen.page.wait_for_selector(".layer.whole")
        assert not [url for url in seen.requests if "/blocks/" in url]
        seen.page.keyboard.press("o")
        seen.page.wait_for_selector(".boxes.read .block")
        assert len([url for url in seen.requests if "/blocks/" in url]) == 1
    assert seen.errors == []
