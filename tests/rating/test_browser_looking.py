"""How pictures are looked at: zoom, pan, wipe and flicker, by mouse and by keyboard."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_raters import agree
from browser_studies import Seen, begin, served

pytestmark = pytest.mark.slow

PLACES = "[...document.querySelectorAll('.sheet')].map((one) => one.style.transform)"
FRONT = "[...document.querySelectorAll('.label')].find((one) => one.checkVisibility()).textContent"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with served(
        begin(tmp_path_factory.mktemp("looking"), "ebench", training=0, per_item=20)
    ) as found:
        yield found


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with served(begin(tmp_path_factory.mktemp("pairs"), "pairs", training=0, per_item=20)) as found:
        yield found


def test_both_pictures_zoom_and_move_together(chromium: Any, study: Any) -> None:
    page = Seen(chromium).page
    agree(page, study.link())
    fitted = page.evaluate(PLACES)
    assert page.locator(".zoom-told").inner_text() == "fit"
    page.keyboard.press("+")
    page.keyboard.press("+")
    zoomed = page.evaluate(PLACES)
    assert zoomed[0] == zoomed[1] != fitted[0]
    assert "scale(2.25)" in zoomed[0]
    page.locator(".stage").focus()
    page.keyboard.press("ArrowRight")
    moved = page.evaluate(PLACES)
    assert moved[0] == moved[1] != zoomed[0]
    pane = page.locator(".pane").first.bounding_box()
    page.mouse.move(pane["x"] + 100, pane["y"] + 200)
    page.mouse.down()
    page.mouse.move(pane["x"] + 130, pane["y"] + 210)
    page.mouse.up()
    dragged = page.evaluate(PLACES)
    assert dragged[0] == dragged[1] != moved[0]
    page.keyboard.press("0")  # the stage has the focus: here 0 is not a level
    assert page.evaluate(PLACES) == fitted


def test_the_wheel_zooms_with_ctrl_alone(chromium: Any, study: Any) -> None:
    page = Seen(chromium).page
    agree(page, study.link())
    fitted = page.evaluate(PLACES)
    pane = page.locator(".pane").first.bounding_box()
    page.mouse.move(pane["x"] + 100, pane["y"] + 200)
    page.mouse.wheel(0, -200)
    assert page.evaluate(PLACES) == fitted
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function("() => document.querySelector('.zoom-told').textContent !== 'fit'")
    page.keyboard.press("z")
    assert page.evaluate(PLACES) == fitted


def test_f_held_down_flickers_and_let_go_all_is_as_it_was(chromium: Any, study: Any) -> None:
    page = Seen(chromium).page
    agree(page, study.link())
    page.keyboard.down("f")
    shown = set()
    for _ in range(12):
        shown.add(page.evaluate(FRONT))
        page.wait_for_timeout(80)
    assert shown == {"Source", "Edit"}
    page.keyboard.up("f")
    assert page.locator(".pane").count() == 2


def test_with_reduced_motion_nothing_flickers_by_itself(chromium: Any, study: Any) -> None:
    page = Seen(chromium, reduced_motion="reduce").page
    agree(page, study.link())
    page.get_by_role("button", name="Flicker").click()
    before = page.evaluate(FRONT)
    page.wait_for_timeout(900)
    assert page.evaluate(FRONT) == before
    page.get_by_role("button", name="Show the other").click()
    assert page.evaluate(FRONT) != before
    page.keyboard.press("f")
    assert page.evaluate(FRONT) == before


def test_the_wipe_is_moved_by_keyboard_and_by_hand(chromium: Any, study: Any) -> None:
    page = Seen(chromium).page
    agree(page, study.link())
    page.keyboard.press("w")
    cut = "document.querySelectorAll('.layer')[1].style.clipPath"
    assert page.evaluate(cut) == "inset(0px 0px 0px 50%)"
    page.get_by_role("slider", name="Where one picture ends").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(cut) == "inset(0px 0px 0px 51%)"
    sheet = page.locator(".sheet").bounding_box()
    page.mouse.click(sheet["x"] + sheet["width"] / 4, sheet["y"] + 50)
    assert page.evaluate("parseFloat(document.querySelector('.edge').style.left)") == (
        pytest.approx(25, abs=0.5)
    )


def test_pictures_of_other_sizes_are_fitted_into_one_frame(chromium: Any, pairs: Any) -> None:
    page = Seen(chromium).page
    agree(page, pairs.link())
    boxes = [one.bounding_box() for one in page.locator(".layer img").all()]
    heights = {round(box["height"]) for box in boxes}
    assert len(heights) == 1  # 320×240 and 300×240, as high as each other
    widths = sorted(round(box["width"]) for box in boxes)
    assert widths[0] / widths[-1] == pytest.approx(300 / 320, abs=0.01)


def test_of_a_pair_any_two_are_compared(chromium: Any, pairs: Any) -> None:
    page = Seen(chromium).page
    agree(page, pairs.link())
    page.keyboard.press("w")
    assert page.locator(".label").all_inner_texts() == ["A", "B"]
    page.get_by_label("Which two are compared").select_option(label="Source ↔ B")
    assert page.locator(".label").all_inner_texts() == ["Source", "B"]


def test_help_lists_the_keys_and_gives_the_focus_back(chromium: Any, study: Any) -> None:
    page = Seen(chromium).page
    agree(page, study.link())
    page.get_by_role("slider", name="Quality", exact=True).focus()
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    assert "flicker" in page.get_by_role("dialog").inner_text()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "q-quality"


def test_the_first_stop_of_tab_leads_to_the_questions(chromium: Any, study: Any) -> None:
    page = Seen(chromium).page
    agree(page, study.link())
    page.get_by_role("link", name="Skip to the questions").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "q-quality"


def test_the_page_never_scrolls_sideways(chromium: Any, study: Any, tmp_path: Path) -> None:
    for width in (360, 768, 1024, 1600):
        page = Seen(chromium, viewport={"width": width, "height": 700}).page
        agree(page, study.link())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
