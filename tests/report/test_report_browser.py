"""The page in a real browser: opened as a file, alone, by keyboard, with 2,000 samples."""

import io
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layered_runs import layered_run
from made_run import HOSTILE, Made, make_run, make_sample, usual_run
from PIL import Image
from test_report_view import serving

from overpaint.report import write_report
from overpaint.store import Store

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.slow


class Seen:
    """A page with all that it complained about or asked for."""

    def __init__(self, chromium: Any, **settings: Any) -> None:
        size = settings.pop("viewport", {"width": 1400, "height": 900})
        self.page = chromium.new_context(viewport=size, **settings).new_page()
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda told: self.errors.append(told.text))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, path: Path, hash: str = "") -> Any:  # noqa: A002
        self.page.goto(path.resolve().as_uri() + hash)
        return self.page


def report(run: Path) -> Path:
    with Store.open(run) as store:
        return write_report(store, run / "report")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report(usual_run(tmp_path_factory.mktemp("browser")))


def go_to_gallery(page: Any) -> None:
    page.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
    page.evaluate("document.getElementById('gallery').scrollIntoView()")
    page.wait_for_selector(".row")


@pytest.mark.parametrize("width", [390, 1000, 1400])
def test_nothing_scrolls_the_page_sideways_and_no_label_leaves_its_plot(
    chromium: Any, tmp_path: Path, width: int
) -> None:
    shown = Seen(chromium, viewport={"width": width, "height": 900}).open(
        report(layered_run(tmp_path, samples=1))
    )
    assert "not applicable" in shown.locator(".plot-value").all_inner_texts()
    assert shown.evaluate("document.documentElement.scrollWidth") == width
    outside = """[...document.querySelectorAll('.plot-value')].filter((value) =>
      value.scrollWidth > value.clientWidth + 1 ||
      value.getBoundingClientRect().right > value.closest('.plot').getBoundingClientRect().right + 1
    ).map((value) => value.textContent)"""
    assert shown.evaluate(outside) == []


def test_what_a_reason_has_in_backticks_is_code_on_the_page_and_beside_a_sample(
    chromium: Any, page: Path
) -> None:
    shown = Seen(chromium).open(page, "#~sample=a%2F002&with=poor")
    shown.wait_for_selector("#panel li code")
    for place in ("#failures .long code", "#panel li code"):
        assert "overpaint get thing" in shown.locator(place).all_text_contents()
    assert "`" not in shown.locator("#panel").inner_text()
    assert "`" not in shown.locator("main").inner_text()


def test_breakdowns_are_there_to_see_with_few_editors_and_with_many(
    chromium: Any, page: Path, tmp_path: Path
) -> None:
    heights = "[...document.querySelectorAll('.breakdown')].map((part) => part.clientHeight)"
    editors = {f"e{n}=outputs:e{n}": [Made(100, 9.0, 0.9)] for n in range(5)}
    many = make_run(tmp_path, [make_sample(tmp_path / "data", "a/0")], {**editors})
    for path, shape in ((page, ".pair"), (report(many), ".column")):
        shown = Seen(chromium).open(path)
        assert shown.locator(f"#breakdowns > {shape}").count() == 1
        found = shown.evaluate(heights)
        assert found
        assert min(found) > 50


def test_the_page_opens_from_a_file_without_a_complaint_and_asks_for_nothing(
    chromium: Any, page: Path
) -> None:
    seen = Seen(chromium)
    shown = seen.open(page)
    go_to_gallery(shown)
    assert shown.locator(".row").first.get_attribute("aria-setsize") == "8"
    assert seen.errors == []
    assert [url for url in seen.requests if not url.startswith(("file:", "data:"))] == []
    # Originals wait until they are asked for.
    assert not [url for url in seen.requests if "/pictures/" in url]


def test_the_gallery_filters_and_sorts_and_the_address_remembers(chromium: Any, page: Path) -> None:
    seen = Seen(chromium)
    shown = seen.open(page)
    go_to_gallery(shown)
    shown.fill("#search", "turn 3")
    assert shown.locator(".row-title").all_inner_texts() == ["a/003"]
    shown.fill("#search", "")
    shown.select_option("[data-tag='0']", label="delete (4)")
    assert shown.locator(".row").count() == 4
    shown.select_option("[data-tag='0']", "")
    shown.select_option("#status-choice", "missing")
    assert shown.locator(".row-title").all_inner_texts() == ["a/001", "a/002", "a/003"]
    shown.select_option("#status-choice", "")
    shown.select_option("#sort-choice", "score")
    shown.select_option("#measure-choice", label="ssim ↑")
    assert shown.locator(".row-title").first.inner_text() == "a/000"  # the worst, by construction
    shown.select_option("#direction-choice", "up")
    assert shown.locator(".row-title").first.inner_text() == "a/007"
    assert shown.locator("#direction-choice option:checked").inner_text() == "best first"
    address = shown.url
    again = Seen(chromium).page
    again.goto(address)
    go_to_gallery(again)
    assert again.locator(".row-title").first.inner_text() == "a/007"
    assert seen.errors == []


def test_a_tile_says_the_number_the_tables_would(chromium: Any, page: Path) -> None:
    shown = Seen(chromium).open(page)
    go_to_gallery(shown)
    shown.select_option("#measure-choice", label="ssim ↑")
    told = shown.locator(".row").nth(5).locator(".what").all_inner_texts()
    assert "0.905" in told
    assert "0.505" in told
    assert "Below each picture: ssim ↑." in shown.inner_text("#gallery-count")


CUT = """() => [...document.querySelectorAll('.row')].flatMap((row) => {
  const end = row.getBoundingClientRect();
  const across = matchMedia('(max-width: 52rem)').matches;
  return [...row.querySelectorAll('.frame, .who, .what, .tiles')].filter((part) => {
    const box = part.getBoundingClientRect();
    return (part.scrollWidth > part.clientWidth + 1 && !(across && part.matches('.tiles'))) ||
      (part.scrollHeight > part.clientHeight + 1 && !part.matches('.frame')) ||
      box.bottom > end.bottom || (box.right > end.right + 1 && !across && !part.matches('.tiles'));
  }).map((part) => `${part.className} ${part.textContent}`);
})"""


@pytest.mark.parametrize("width", [400, 900, 1280])
@pytest.mark.parametrize("editors", [2, 7, 15])
def test_no_number_no_name_and_no_picture_of_a_row_is_cut_off(
    chromium: Any, tmp_path: Path, width: int, editors: int
) -> None:
    samples = [make_sample(tmp_path / "data", f"a/{n}", n) for n in range(3)]
    names = ["typeset", "a-painter-with-a-long-name-v2.1", *(f"copy-{n}" for n in range(13))]
    made = [Made(100, 12345.6, 0.9), Made(None, reason="no"), Made(100, 3489.0, None)]
    run = make_run(tmp_path, samples, {f"{name}=outputs:x": [*made] for name in names[:editors]})
    view = {"width": width, "height": 1600}
    shown = chromium.new_context(viewport=view).new_page()
    shown.goto(report(run).resolve().as_uri())
    go_to_gallery(shown)
    assert shown.locator(".row").count() == 3
    assert shown.evaluate(CUT) == []


def test_the_detail_view_opens_and_is_walked_by_keyboard(chromium: Any, page: Path) -> None:
    seen = Seen(chromium)
    shown = seen.open(page)
    shown.keyboard.press("j")
    shown.keyboard.press("j")
    shown.keyboard.press("Enter")
    assert shown.inner_text("#detail-id") == "a/001"
    shown.keyboard.press("j")
    assert shown.inner_text("#detail-id") == "a/002"
    shown.keyboard.press("ArrowLeft")
    assert shown.inner_text("#detail-id") == "a/001"
    shown.keyboard.press("ArrowDown")  # the next editor, which failed here
    assert "The command ended with exit code 1." in shown.inner_text("#panel")
    shown.keyboard.press("3")
    assert shown.get_attribute("#stage", "class") == "difference"
    shown.keyboard.press("m")
    assert shown.locator(".masks img").count() == 1
    shown.keyboard.press("Escape")
    assert not shown.is_visible("#detail")
    assert shown.evaluate("document.activeElement.textContent") == "a/001"
    assert seen.errors == []


def test_the_slider_divides_before_from_after_by_mouse_and_by_keyboard(
    chromium: Any, page: Path
) -> None:
    shown = Seen(chromium).open(page)
    shown.keyboard.press("j")
    shown.keyboard.press("Enter")
    shown.wait_for_selector(".layer.whole")
    shown.focus("#slider")
    before = float(shown.input_value("#slider"))
    shown.keyboard.press("ArrowRight")
    assert float(shown.input_value("#slider")) > before
    assert shown.inner_text("#detail-id") == "a/000"  # the arrow belonged to the slider
    box = shown.locator(".sheet").bounding_box()
    shown.mouse.click(box["x"] + box["width"] * 0.25, box["y"] + 40)
    assert float(shown.input_value("#slider")) == pytest.approx(25, abs=1)
    clip = shown.locator(".layer").nth(1).evaluate("e => e.style.clipPath")
    assert clip.startswith("inset(0") and "25" in clip  # noqa: PT018


def test_the_difference_is_dark_where_pictures_agree_and_bright_where_not(
    chromium: Any, tmp_path: Path
) -> None:
    sample = make_sample(tmp_path / "data", "a", 0)
    made = Made(200, 4.0, 0.5)  # the target's shade of grey: equal to it everywhere
    page = report(make_run(tmp_path, [sample], {"one": [made], "two": [Made(20, 9.0, 0.4)]}))
    shown = Seen(chromium).open(page)
    shown.keyboard.press("j")
    shown.keyboard.press("Enter")
    shown.keyboard.press("t")
    shown.keyboard.press("3")
    assert brightness(shown) < 5
    shown.keyboard.press("ArrowDown")
    assert brightness(shown) > 100


def brightness(page: Any) -> float:
    page.locator(".layer.whole").nth(1).wait_for()
    shot = page.locator(".sheet").screenshot()
    return float(np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"))[20:-20, 20:-20].mean())


def test_the_file_alone_still_shows_tables_plots_and_thumbnails(
    chromium: Any, page: Path, tmp_path: Path
) -> None:
    alone = tmp_path / "alone.html"
    shutil.copy(page, alone)
    seen = Seen(chromium)
    shown = seen.open(alone)
    assert "good" in shown.inner_text(".board")
    assert shown.locator(".plot .dot").count() > 4
    go_to_gallery(shown)
    image = shown.locator(".pic").first.evaluate("e => e.style.backgroundImage")
    assert image.startswith('url("data:image/webp;base64,')
    shown.keyboard.press("j")
    shown.keyboard.press("Enter")
    shown.locator("#stage-note", has_text="thumbnail").wait_for()
    assert shown.locator(".layer").first.evaluate("e => e.style.backgroundImage").startswith("url")


def test_hostile_names_run_nothing_in_the_browser(chromium: Any, tmp_path: Path) -> None:
    samples = [
        make_sample(tmp_path / "data", text, n, tags={"operation": text, "split": text})
        for n, text in enumerate(HOSTILE)
    ]
    edits: dict[str, list[Made | None]] = {
        f"{text}=outputs:x": [Made(9, 4.0, 0.5, notes=(text,))] * 7 + [Made(None, reason=text)]
        for text in HOSTILE
    }
    seen = Seen(chromium)
    shown = seen.open(report(make_run(tmp_path, samples, edits, benchmark=HOSTILE[0])))
    go_to_gallery(shown)
    assert shown.locator(".row-title").all_inner_texts()[0] == HOSTILE[0]
    shown.keyboard.press("j")
    shown.keyboard.press("Enter")
    for _ in HOSTILE:
        shown.keyboard.press("ArrowDown")
        shown.keyboard.press("j")
    shown.locator(".point").first.evaluate(
        "e => e.dispatchEvent(new Event('click', {bubbles: true}))"
    )
    assert shown.evaluate("window.hacked") is None
    assert seen.errors == []


def test_a_phone_needs_no_sideways_scrolling(chromium: Any, page: Path) -> None:
    seen = Seen(chromium, viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    shown = seen.open(page)
    assert shown.evaluate("document.documentElement.scrollWidth") <= 360
    go_to_gallery(shown)
    shown.locator(".row-title").first.tap()
    assert shown.is_visible("#stage")
    assert shown.evaluate("document.documentElement.scrollWidth") <= 360


def test_text_is_told_from_its_ground_in_light_and_dark(chromium: Any, page: Path) -> None:
    for scheme in ("light", "dark"):
        shown = Seen(chromium, color_scheme=scheme).open(page)
        for selector in ("body", ".quiet", ".card-id", ".best", ".partial", ".heat-8", "summary"):
            assert contrast(shown, selector) >= 4.5, f"{selector} in {scheme}"


def contrast(page: Any, selector: str) -> float:
    """WCAG 2.1's contrast of an element's text and the ground it stands on."""
    colours = page.locator(selector).first.evaluate(
        """element => {
          const paint = (colour) => {
            const context = document.createElement("canvas").getContext("2d");
            context.fillStyle = colour;
            context.fillRect(0, 0, 1, 1);
            return [...context.getImageData(0, 0, 1, 1).data];
          };
          const style = getComputedStyle;
          let ground = element;
          while (paint(style(ground).backgroundColor)[3] < 255) ground = ground.parentElement;
          return [style(element).color, style(ground).backgroundColor].map(paint);
        }"""
    )

    def light(colour: list[int]) -> float:
        parts = [c / 255 for c in colour[:3]]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted(map(light, colours), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_two_thousand_samples_of_six_editors_open_and_scroll_quickly(
    chromium: Any, tmp_path: Path
) -> None:
    page = report(large_run(tmp_path))
    assert page.stat().st_size < 60_000_000
    shown = Seen(chromium).page
    started = time.monotonic()
    shown.goto(page.resolve().as_uri(), wait_until="commit")
    shown.locator("#gallery-count", has_text="2,000 samples").wait_for(state="attached")
    assert time.monotonic() - started < 4
    shown.wait_for_load_state("load")
    go_to_gallery(shown)
    median = shown.evaluate(
        """async () => {
          const gaps = [];
          let last = performance.now();
          for (let step = 0; step < 60; step++) {
            scrollBy(0, 200);
            await new Promise(requestAnimationFrame);
            gaps.push(performance.now() - last);
            last = performance.now();
          }
          return gaps.sort((a, b) => a - b)[30];
        }"""
    )
    assert median < 120  # milliseconds, drawn without a GPU
    assert shown.locator(".row").count() < 40  # of 2,000
    shown.fill("#search", "turn 1999")
    assert shown.locator(".row-title").all_inner_texts() == ["a/1999"]


def large_run(folder: Path) -> Path:
    """2,000 samples and six editors over a few pictures, so that only the page is large."""
    first = make_sample(folder / "data", "a/0", 0)
    samples = []
    for n in range(2000):
        request = first.request.__class__(first.request.source, f"Turn {n} round.")
        samples.append(first.__class__(f"a/{n}", request, first.target, first.masks, first.tags))
    made = [Made(150 + n % 9, 10.0 + n % 90, 0.5 + n / 5000) for n in range(2000)]
    return make_run(folder, samples, {f"editor-{n}=outputs:x": [*made] for n in range(6)})


def test_a_served_page_shows_thumbnails_and_offers_what_is_new(
    chromium: Any, tmp_path: Path
) -> None:
    folder, seen = usual_run(tmp_path), Seen(chromium)
    with serving(folder) as server:
        address = f"http://127.0.0.1:{server.port}/"
        seen.page.goto(address)
        go_to_gallery(seen.page)
        seen.page.locator("#news", has_text="scores").wait_for()
        assert [url for url in seen.requests if "/thumbs/" in url]
        with Store.open(folder) as store:
            store.note(remark="something happened")
        seen.page.get_by_role("button", name="Show new results").click(timeout=15_000)
        seen.page.locator("#news", has_text="Show").wait_for(state="detached")
        assert "something happened" in seen.page.inner_text("#run")
    assert {url.startswith((address, "data:")) for url in seen.requests} == {True}
    assert seen.errors == []


def test_disagreement_puts_first_where_editors_lie_farthest_apart(
    chromium: Any, tmp_path: Path
) -> None:
    samples = [make_sample(tmp_path / "data", name, n) for n, name in enumerate("abcd")]
    good: list[Made | None] = [Made(9, 4.0, 0.9)] * 4
    poor: list[Made | None] = [Made(9, 4.0, s) for s in (0.8, 0.2, None, 0.5)]
    edits = {"good=outputs:x": good, "poor=outputs:y": poor, "truth": [Made(9, 0.0, 1.0)] * 4}
    shown = Seen(chromium).open(report(make_run(tmp_path, samples, edits)))
    go_to_gallery(shown)
    shown.select_option("#measure-choice", label="ssim ↑")
    shown.select_option("#sort-choice", "disagreement")
    assert shown.locator(".row-title").all_inner_texts() == ["b", "d", "a", "c"]
