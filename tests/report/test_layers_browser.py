"""Layers and trajectories in a real browser: by mouse, by keyboard, from a file and served."""

import io
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layered_runs import layered_run, trace
from made_run import HOSTILE
from PIL import Image
from test_report_browser import Seen, report
from test_report_view import serving

pytestmark = pytest.mark.slow
AGENT = "#~sample=poster%2F000&with=agent"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report(layered_run(tmp_path_factory.mktemp("layers")))


def opened(chromium: Any, page: Path, hash_: str = AGENT, **settings: Any) -> tuple[Seen, Any]:
    seen = Seen(chromium, **settings)
    shown = seen.open(page, hash_)
    shown.wait_for_selector("#layer-list input")
    shown.wait_for_selector(".layer.whole")
    return seen, shown


def looked(shown: Any) -> Any:
    shown.wait_for_timeout(250)
    data = shown.locator("#stage").screenshot()
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def ticked(shown: Any) -> list[str]:
    every = "[...document.querySelectorAll('#layer-list input:checked')].map(e => e.dataset.layer)"
    found: list[str] = shown.evaluate(every)
    return found


def test_the_stack_that_a_browser_lays_is_the_picture_we_drew(chromium: Any, page: Path) -> None:
    seen, shown = opened(chromium, page)
    whole = looked(shown)
    # Off and on again: what is shown now is the stack, blend mode and all.
    shown.click("[data-layer=sun]")
    assert np.abs(looked(shown) - whole).max() > 50
    shown.click("[data-layer=sun]")
    assert shown.locator(".layer.stacked").count() == 2
    off = np.abs(looked(shown) - whole)
    # Enlarged layers are smoothed one by one, the whole picture in one go.
    assert (off > 6).mean() < 0.003
    shown.click("#layers-as-made")
    assert shown.locator(".layer.stacked").count() == 0
    assert seen.errors == []


def test_layers_are_listed_top_first_with_class_and_mark(chromium: Any, page: Path) -> None:
    _, shown = opened(chromium, page)
    rows = [" ".join(text.split()) for text in shown.locator("#layer-list li").all_inner_texts()]
    assert rows == [
        "draft text kept Solo", "shop text edited, should stay Solo",
        "date text kept, should change Solo", "headline text edited Solo",
        "shade decoration, multiply kept Solo", "sun decoration kept, should change Solo",
        "ground image kept Solo",
    ]  # fmt: skip
    assert "draft" not in ticked(shown)
    assert shown.inner_text("#layers-told") == "6 of 7 on"


def test_solo_all_and_none_switch_every_picture_that_has_the_layer(
    chromium: Any, page: Path
) -> None:
    seen, shown = opened(chromium, page)
    shown.keyboard.press("2")
    shown.click("[data-solo=headline]")
    assert ticked(shown) == ["headline"]
    assert shown.locator(".stack").count() == 2
    assert shown.locator(".stack image:visible").count() == 2
    assert shown.get_attribute("[data-solo=headline]", "aria-pressed") == "true"
    shown.keyboard.press("ArrowDown")  # another editor, the same layers
    shown.click(".layer-buttons button:nth-child(1)")
    assert len(ticked(shown)) == 7
    shown.click(".layer-buttons button:nth-child(2)")
    assert ticked(shown) == []
    assert shown.locator(".stack image:visible").count() == 0
    shown.keyboard.press("j")  # another sample begins as it was made
    shown.wait_for_selector("[data-layer=t239]")
    assert shown.locator(".layer.stacked").count() == 0
    assert seen.errors == []


def test_layers_are_switched_by_keyboard(chromium: Any, page: Path) -> None:
    _, shown = opened(chromium, page)
    shown.keyboard.press("l")
    shown.keyboard.press("ArrowDown")
    shown.keyboard.press("Space")
    assert "shop" not in ticked(shown)
    assert shown.inner_text("#detail-id") == "poster/000"
    shown.keyboard.press("Tab")
    shown.keyboard.press("Enter")
    assert ticked(shown) == ["shop"]


def test_an_editor_that_changed_nothing_is_told_what_it_kept(chromium: Any, page: Path) -> None:
    _, shown = opened(chromium, page, "#~sample=poster%2F000&with=identity")
    assert shown.locator(".layer-mark.wrong").count() == 3
    _, shown = opened(chromium, page, "#~sample=poster%2F000&with=flat")
    assert "What flat made is one picture" in shown.inner_text("#within")
    assert shown.inner_text("#within h3") == "Layers of the source"
    assert shown.locator("#layer-list >> text=to be edited").count() == 3


def test_a_document_of_many_layers_stays_usable(chromium: Any, page: Path) -> None:
    _, shown = opened(chromium, page, "#~sample=poster%2F001&with=agent")
    assert shown.locator("#layer-list li").count() == 100
    assert "99 of 240 layers are listed" in shown.inner_text("#within")
    shown.click("[data-layer=t239]")
    assert shown.inner_text("#layers-told") == "99 of 100 on"
    assert shown.locator("#layer-list").bounding_box()["height"] < 450


def test_the_trajectory_stands_beside_the_picture(chromium: Any, page: Path) -> None:
    _, shown = opened(chromium, page)
    titles = shown.locator(".step-title").all_inner_texts()
    assert titles[0].startswith("rules decided on 5 layers")
    assert len(titles) == len(trace())
    shown.locator(".step.edit img").first.scroll_into_view_if_needed()
    shown.wait_for_function("document.querySelector('.step img').naturalWidth > 0")


def test_on_a_phone_layers_are_switched_right_below_the_picture(chromium: Any, page: Path) -> None:
    phone = {"width": 360, "height": 740}
    _, shown = opened(chromium, page, viewport=phone, is_mobile=True, has_touch=True)
    assert shown.evaluate("document.documentElement.scrollWidth") <= 360
    stage, listed = (shown.locator(one).bounding_box() for one in ("#stage", "#layer-list"))
    assert 0 < listed["y"] - stage["y"] - stage["height"] < 200
    for one in ("#layer-list li", ".step"):
        wide = "e => e.scrollWidth > e.clientWidth + 1"
        assert not shown.evaluate(f"[...document.querySelectorAll('{one}')].some({wide})")


def test_the_file_alone_says_that_its_layers_are_elsewhere(
    chromium: Any, page: Path, tmp_path: Path
) -> None:
    shutil.copy(page, tmp_path / "alone.html")
    shown = Seen(chromium).open(tmp_path / "alone.html", AGENT)
    shown.wait_for_selector("#layer-list input")
    shown.click("[data-layer=sun]")
    shown.wait_for_selector("text=The layers are not beside this page.")


def test_a_served_page_switches_layers_too(chromium: Any, tmp_path: Path) -> None:
    folder, seen = layered_run(tmp_path, samples=1), Seen(chromium)
    with serving(folder) as server:
        seen.page.goto(f"http://127.0.0.1:{server.port}/{AGENT}")
        seen.page.wait_for_selector("#layer-list input")
        seen.page.wait_for_selector(".layer.whole")
        seen.page.click("[data-solo=sun]")
        seen.page.wait_for_function(
            "[...document.querySelectorAll('.stack image')].every(e => e.getBBox().width > 0)"
        )
        assert seen.page.locator(".step").count() == len(trace())
    assert seen.errors == []


def test_what_a_trace_says_is_text_and_never_markup(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = [{"step": "edit", "layer": text, "did": [text], "prompt": text, text: text,
                "status": text, "picture": text} for text in HOSTILE]  # fmt: skip
    hostile += [{"step": text, "reasoner": text} for text in HOSTILE]
    monkeypatch.setattr("layered_runs.trace", lambda picture: tuple(hostile))
    seen, shown = opened(chromium, report(layered_run(tmp_path, samples=1)))
    assert shown.evaluate("window.hacked") is None
    assert shown.locator(".step").count() == len(hostile)
    assert "<img src=x" in shown.locator(".steps").inner_text()
    assert seen.errors == []
