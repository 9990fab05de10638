"""The rating page in a real browser and for real: every kind, from consent to the end."""

import re
from pathlib import Path
from typing import Any

import pytest
from browser_raters import agree, counted, drag, finished, onward, save, set_slider, settle
from browser_studies import HOSTILE, Seen, begin, served

pytestmark = pytest.mark.slow

SCALES = [("0-3", 5, 4), ("1-3", 3, 3), ("1-5", 5, 5)]


# ── each kind, from consent to the end ──────────────────────────────────────────────────


def test_three_sliders_and_a_question_by_mouse(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "ebench", items=2)) as study:
        seen = Seen(chromium)
        page = seen.page
        agree(page, study.link())
        assert page.url.endswith("/rate")  # the token has left the address bar
        assert counted(page) == "Practice 1 of 1"
        for number in range(3):
            for name in ("Quality", "Instruction", "Preservation"):
                set_slider(page, name, 3.0 if number == 1 else 4.5)
            page.get_by_role("radio", name="Yes").check()
            save(page)
        assert finished(page)
        said = study.kept()
        assert [set(one) for one in said] == [{"quality", "alignment", "preservation", "done"}] * 3
        # A press on the middle of the track is an answer, though it moves nothing.
        assert said[1]["quality"] == pytest.approx(3.0, abs=0.05)
        assert said[2]["preservation"] == pytest.approx(4.5, abs=0.05)
        assert seen.errors == []


def test_a_slider_that_nobody_touched_is_no_answer(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "ebench", training=0)) as study:
        page = Seen(chromium).page
        agree(page, study.link())
        slider = page.get_by_role("slider", name="Quality", exact=True)
        assert slider.get_attribute("aria-valuetext") == "not yet answered"
        set_slider(page, "Instruction", 2)
        page.get_by_role("button", name="Save and next").click()
        assert page.locator(".message").inner_text() == "3 questions are still open."
        assert slider.evaluate("(one) => one === document.activeElement")
        page.keyboard.press("ArrowRight")
        assert slider.get_attribute("aria-valuetext") == "3.10"
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("PageUp")
        assert slider.get_attribute("aria-valuetext") == "3.61"
        assert study.kept() == []


@pytest.mark.parametrize(
    ("scale", "count", "levels"), [("0-3", 5, 4), ("1-3", 3, 3), ("1-5", 5, 5)]
)
def test_levels_are_chosen_beside_their_meanings(
    chromium: Any, tmp_path: Path, scale: str, count: int, levels: int
) -> None:
    with served(begin(tmp_path, "scale", scale=scale, items=1)) as study:
        seen = Seen(chromium)
        page = seen.page
        agree(page, study.link())
        assert page.locator("fieldset.levels").count() == count
        assert page.locator(".option").count() == count * levels
        assert all(text.strip() for text in page.locator(".option .meaning").all_inner_texts())
        for _ in range(2):
            for place in range(count):
                page.locator("fieldset.levels").nth(place).locator("label").last.click()
            save(page)
        assert finished(page)
        assert study.kept()[-1] == dict.fromkeys(study.kept()[0], float(scale[-1]))
        assert seen.errors == []


def test_a_rubric_shows_what_it_says_of_every_level(chromium: Any, tmp_path: Path) -> None:
    rubric = Path(__file__).parents[2] / "docs" / "guides" / "my_rubric.md"
    with served(begin(tmp_path, "scale", rubric=str(rubric), items=1, training=0)) as study:
        page = Seen(chromium).page
        agree(page, study.link())
        shown = page.locator(".panel").inner_text()
        assert "Legibility" in shown
        assert "Guessed from what stands around them." in shown
        page.get_by_role("button", name="Hide the meanings").click()
        assert "Guessed" not in page.locator(".panel").inner_text().split("\n")
        page.keyboard.press("4")
        save(page)
        assert study.kept() == [{"LEGIBLE": 4.0}]


def test_pairs_by_keyboard_alone(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "pairs", items=3)) as study:
        seen = Seen(chromium)
        page = seen.page
        page.goto(study.link())
        page.get_by_role("heading", name="Before you begin").wait_for()
        keys = page.keyboard
        for name in ("I agree, and begin", "Begin"):
            reach(page, name)
            keys.press("Enter")
            page.wait_for_function(
                "(name) => document.activeElement.textContent !== name", arg=name
            )
        page.wait_for_selector(".item")
        settle(page)
        for key in ("ArrowLeft", "ArrowRight", "ArrowDown", "t"):
            before = counted(page)
            keys.press(key)
            keys.press("Enter")
            onward(page, before)
        assert finished(page)
        assert [one["better"] for one in study.kept()] == ["left", "right", "tie", "tie"]
        assert seen.errors == []


def reach(page: Any, name: str) -> None:
    """Press Tab until the button of that name has the focus."""
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            return
    raise AssertionError(f"Tab never came to {name}")


def test_boxes_that_do_not_agree_are_asked_for_again(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "boxes", items=1, training=0)) as study:
        one, other = Seen(chromium), Seen(chromium)
        agree(one.page, study.link())
        agree(other.page, study.link())
        drag(one.page, (50, 40, 40, 45))
        save(one.page)
        assert finished(one.page)
        # The second one draws by keyboard: a box in the middle, moved and pulled.
        page = other.page
        page.get_by_role("button", name="Box in the middle").click()
        for key in ("ArrowRight", "ArrowDown", "Shift+ArrowLeft"):
            page.keyboard.press(key)
        assert page.get_by_label("Left %").input_value() == "25.5"
        assert page.get_by_label("Width %").input_value() == "49.5"
        page.get_by_label("Height %").fill("20")
        before = counted(page)
        page.keyboard.press("Enter")
        onward(page, before)
        # Round two, for both; each sees the box drawn before.
        assert not finished(page)
        assert page.locator(".box-earlier").is_visible()
        assert "did not agree" in page.locator(".earlier-told").inner_text()
        drag(page, (50, 40, 40, 45))
        save(page)
        one.page.reload()
        one.page.get_by_role("button", name="Continue").click()
        one.page.wait_for_selector(".box-earlier")
        settle(one.page)
        drag(one.page, (50, 40, 40, 45))
        save(one.page)
        assert finished(one.page)
        boxes = [said["box"] for said in study.kept()]
        assert boxes[0] == pytest.approx(boxes[1], abs=1)
        assert boxes[2] == {"x": 25.5, "y": 25.5, "width": 49.5, "height": 20.0}
        assert one.errors + other.errors == []


def test_a_box_is_moved_and_pulled_by_its_handles(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "boxes", items=1, training=0)) as study:
        page = Seen(chromium).page
        agree(page, study.link())
        drag(page, (20, 20, 30, 30))
        page.keyboard.press("+")  # what is drawn stays in percent of the picture, zoomed or not
        page.keyboard.press("z")
        handle = page.locator(".handle.se").bounding_box()
        layer = page.locator(".box-layer").bounding_box()
        page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
        page.mouse.down()
        page.mouse.move(layer["x"] + layer["width"] * 0.8, layer["y"] + layer["height"] * 0.9)
        page.mouse.up()
        assert float(page.get_by_label("Width %").input_value()) == pytest.approx(60, abs=1)
        assert float(page.get_by_label("Height %").input_value()) == pytest.approx(70, abs=1)
        page.get_by_role("button", name="Remove the box").click()
        sides = {"Left": "1", "Top": "2.5", "Width": "30", "Height": "40"}
        for name, value in sides.items():  # written from nothing, side by side
            assert page.locator(".box-drawn").is_hidden()
            page.get_by_label(f"{name} %").fill(value)
            page.keyboard.press("Tab")
        assert page.locator(".box-drawn").is_visible()
        assert [page.get_by_label(f"{name} %").input_value() for name in sides] == [*sides.values()]
        page.get_by_role("button", name="Remove the box").click()
        page.get_by_role("button", name="Save and next").click()
        assert page.locator(".message").inner_text() == "One question is still open."


# ── other people's screens and languages ────────────────────────────────────────────────


def test_on_a_phone_by_touch(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "ebench", items=1, training=0)) as study:
        seen = Seen(
            chromium, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
        )
        page = seen.page
        agree(page, study.link())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        small = """[...document.querySelectorAll('button, .option, [type=range], select, summary')]
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
          .map((one) => one.outerHTML)"""
        assert page.evaluate(small) == []
        panes = [one.bounding_box() for one in page.locator(".pane").all()]
        assert panes[0]["y"] + panes[0]["height"] <= panes[1]["y"]  # stacked
        for name in ("Quality", "Instruction", "Preservation"):
            slider = page.get_by_role("slider", name=name, exact=True)
            slider.scroll_into_view_if_needed()
            page.evaluate("window.scrollBy(0, 150)")
            box = slider.bounding_box()
            page.touchscreen.tap(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
        page.locator("label.option", has_text="No").tap()
        page.get_by_role("button", name="Save and next").tap()
        page.get_by_role("heading", name="That was all. Thank you!").wait_for()
        said = study.kept()[0]
        assert said["done"] is False
        assert min(said[name] for name in ("quality", "alignment", "preservation")) > 4
        assert seen.errors == []


def test_in_chinese_from_consent_to_the_end(chromium: Any, tmp_path: Path) -> None:
    with served(begin(tmp_path, "scale", scale="1-3", items=1)) as study:
        seen = Seen(chromium, locale="zh-CN")
        page = seen.page
        page.goto(study.link())
        page.get_by_role("heading", name="开始之前").wait_for()
        assert page.evaluate("document.documentElement.lang") == "zh-Hans"
        page.get_by_role("button", name="我同意并开始").click()
        page.get_by_role("button", name="开始", exact=True).click()
        page.wait_for_selector(".item")
        for number in range(2):
            settle(page)
            for _ in range(3):
                page.keyboard.press("2")
            if number == 0:  # the language can be changed in the middle, and nothing is lost
                page.get_by_role("button", name="English").click()
                assert page.get_by_role("radio", checked=True).count() == 3
                page.get_by_role("button", name="中文").click()
            page.get_by_role("button", name="保存，下一题").click()
            if number == 0:
                page.get_by_text("这里什么都没有改变。").wait_for()
                page.get_by_role("button", name="继续").click()
                page.get_by_text("第 1 题，共 1 题").wait_for()
        page.get_by_role("heading", name="全部完成，谢谢您！").wait_for()
        latin = re.findall(r"[A-Za-z]{3,}", page.locator("main").inner_text())
        assert latin == []
        assert study.kept()[1] == {"compliance": 2.0, "authenticity": 2.0, "satisfaction": 2.0}
        assert seen.errors == []


def test_script_in_an_instruction_is_shown_as_text(chromium: Any, tmp_path: Path) -> None:
    book = begin(tmp_path, "pairs", items=1, training=0, instructions=[HOSTILE], title=HOSTILE)
    with served(book) as study:
        seen = Seen(chromium)
        agree(seen.page, study.link())
        assert HOSTILE in seen.page.locator(".instruction").inner_text()
        assert seen.page.locator("#title").inner_text() == HOSTILE
        assert seen.page.evaluate("window.hacked") is None
        assert seen.errors == []
