"""References in a real browser: in the gallery, on the stage, by keyboard, on a phone, served."""

from pathlib import Path
from typing import Any

import pytest
from made_run import HOSTILE
from referenced_runs import CAPTION, referenced_run, synthetic
from test_report_browser import Seen, contrast, go_to_gallery, report
from test_report_view import serving

from overpaint.vision.references.told import Told, facts_of

pytestmark = pytest.mark.slow
SYNTHETIC, REAL = "#~sample=synthetic%2F000&with=mine", "#~sample=real%2F001&with=mine"
NO_TRUTH = "#~sample=synthetic%2F001&with=mine"
BESIDE = "#left-told"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report(referenced_run(tmp_path_factory.mktemp("references")))


def opened(chromium: Any, page: Path, hash_: str, **settings: Any) -> tuple[Seen, Any]:
    seen = Seen(chromium, **settings)
    shown = seen.open(page, hash_)
    shown.wait_for_selector("button.ref")
    shown.wait_for_selector(".layer.whole")
    return seen, shown


def test_a_row_has_its_references_in_one_tile_and_no_empty_canvas(
    chromium: Any, page: Path
) -> None:
    shown = Seen(chromium).open(page)
    go_to_gallery(shown)
    first, second = (shown.locator(".row").nth(n) for n in (0, 1))
    told = [" ".join(text.split()) for text in first.locator(".tile").all_inner_texts()]
    assert told[0] == "5 references canny, 2 × subject, style, caption"
    assert "source" not in told
    assert first.locator(".ref-grid .pic").count() == 4
    assert second.locator(".who").first.inner_text() == "source"
    last = shown.locator(".row").nth(3)
    assert last.locator(".ref-grid .pic").count() == 6
    sizes = last.locator(".ref-grid .pic").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().width)"
    )
    assert min(sizes) >= 40


def test_an_empty_canvas_gives_way_to_the_truth_or_a_reference(chromium: Any, page: Path) -> None:
    seen, shown = opened(chromium, page, SYNTHETIC)
    assert shown.inner_text(BESIDE) == "target"
    assert shown.locator("#againsts button").all_inner_texts() == ["Target", "Reference"]
    _, shown = opened(chromium, page, NO_TRUTH)
    assert shown.inner_text(BESIDE) == "<canny_image>"
    _, shown = opened(chromium, page, REAL)
    assert shown.inner_text(BESIDE) == "source"
    assert seen.errors == []


def test_each_reference_tells_its_name_kind_finder_and_score(chromium: Any, page: Path) -> None:
    _, shown = opened(chromium, page, SYNTHETIC)
    cards = [" ".join(text.split()) for text in shown.locator(".ref").all_inner_texts()]
    assert cards[0] == "<canny_image> Canny found by opencv 1 0.812 ref_canny ↑"
    # Each of several has the number that the measure noted for it, and theirs beside it.
    assert cards[1].startswith("<subject_1> Subject house found by cutout 1 0.912 ref_subject ↑")
    assert cards[2].endswith("0.713 ref_subject ↑, 0.812 for all 2")
    assert CAPTION in cards[4]
    assert "unavailable ref_caption" in cards[4]
    shown.click("#strip .tile >> nth=1")
    assert "0.998 ref_canny" in shown.locator(".ref").first.inner_text()


def test_a_click_holds_the_result_against_a_reference_and_another_goes_back(
    chromium: Any, page: Path
) -> None:
    seen, shown = opened(chromium, page, SYNTHETIC)
    shown.click("button.ref >> nth=0")
    assert shown.inner_text(BESIDE) == "<canny_image>"
    assert shown.get_attribute("button.ref >> nth=0", "aria-pressed") == "true"
    assert shown.get_attribute("[data-mode=slider]", "aria-pressed") == "true"
    shown.click("button.ref >> nth=0")
    assert shown.inner_text(BESIDE) == "target"
    # What does not stand where the result has it is shown beside it, and is not stretched.
    shown.click("button.ref >> nth=1")
    assert shown.get_attribute("[data-mode=side]", "aria-pressed") == "true"
    shown.wait_for_selector(".layer.fitted.whole")
    fits = shown.eval_on_selector(".layer.fitted img", "e => getComputedStyle(e).objectFit")
    assert fits == "contain"
    forms = shown.locator(".sheet").evaluate_all(
        "all => all.map((s) => s.offsetWidth / s.offsetHeight)"
    )
    assert all(abs(form - 1.5) < 0.02 for form in forms)
    assert seen.errors == []


def test_references_are_reached_by_keyboard(chromium: Any, page: Path) -> None:
    _, shown = opened(chromium, page, SYNTHETIC)
    names = []
    for _ in range(5):
        shown.keyboard.press("e")
        names.append(shown.inner_text(BESIDE))
    assert names == [
        "<canny_image>",
        "<subject_1>",
        "<subject_2>",
        "<style_image>",
        "<canny_image>",
    ]
    shown.keyboard.press("t")
    assert shown.inner_text(BESIDE) == "target"
    shown.locator("button.ref").nth(3).focus()
    shown.keyboard.press("Enter")
    assert shown.inner_text(BESIDE) == "<style_image>"
    focused = "document.activeElement.querySelector('.ref-name')?.textContent"
    assert shown.evaluate(focused) == "<style_image>"


@pytest.mark.parametrize("hash_", [SYNTHETIC, REAL])
def test_on_a_phone_references_stand_below_the_picture_and_nothing_scrolls_sideways(
    chromium: Any, page: Path, hash_: str
) -> None:
    small = {"width": 390, "height": 844}
    seen, shown = opened(chromium, page, hash_, viewport=small, is_mobile=True, has_touch=True)
    assert (
        shown.locator("#reference-room button.ref").count() == shown.locator("button.ref").count()
    )
    for what in ("document.documentElement", "document.getElementById('detail')"):
        assert shown.evaluate(f"{what}.scrollWidth") <= 390
    assert shown.evaluate("document.getElementById('detail').scrollTop") == 0
    shown.locator("button.ref").nth(1).tap()
    assert shown.inner_text(BESIDE).startswith("<")
    assert seen.errors == []


def test_words_beside_references_are_told_from_their_ground(chromium: Any, page: Path) -> None:
    for scheme in ("light", "dark"):
        _, shown = opened(chromium, page, SYNTHETIC, color_scheme=scheme)
        shown.click("button.ref >> nth=0")
        for selector in (".ref-name", ".ref-kind", ".ref-score", ".ref.words q"):
            assert contrast(shown, selector) >= 4.5, f"{selector} in {scheme}"


def test_everything_that_can_be_pressed_has_a_name_and_every_picture_a_text(
    chromium: Any, page: Path
) -> None:
    _, shown = opened(chromium, page, SYNTHETIC)
    shown.click("button.ref >> nth=2")
    nameless = """[...document.querySelectorAll('#detail button, #gallery button')].filter((one) =>
      !(one.textContent.trim() || one.getAttribute('aria-label') || one.title)).length"""
    assert shown.evaluate(nameless) == 0
    assert shown.evaluate("[...document.querySelectorAll('img:not([alt])')].length") == 0
    assert shown.get_attribute(".layer.fitted img", "alt") == "<subject_2>"


def test_a_served_page_shows_references_as_well(chromium: Any, tmp_path: Path) -> None:
    run = referenced_run(tmp_path, [synthetic(tmp_path / "data")])
    with serving(run) as browser:
        seen = Seen(chromium)
        shown = seen.page
        shown.goto(f"http://127.0.0.1:{browser.port}/{SYNTHETIC}")
        shown.wait_for_selector("button.ref .pic")
        painted = shown.eval_on_selector("button.ref .pic", "e => e.style.backgroundImage")
        assert "thumbs/" in painted
        assert seen.errors == []


def test_hostile_names_and_captions_stay_words(chromium: Any, tmp_path: Path) -> None:
    told = [Told("canny", text, 0, text, text, text) for text in HOSTILE]
    told += [Told("caption", text, None, text) for text in HOSTILE]
    sample = synthetic(tmp_path / "data", facts=facts_of(told))
    seen, shown = opened(chromium, report(referenced_run(tmp_path, [sample])), SYNTHETIC)
    shown.click("button.ref >> nth=0")
    assert shown.evaluate("window.hacked") is None
    assert seen.errors == []
