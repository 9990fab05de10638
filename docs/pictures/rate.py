"""Draws the pictures of the rating guide: `python docs/pictures/rate.py [PART …]`.

Studies over the built-in sets are begun and served by `overpaint rate`, made-up raters answer, and
Chromium looks at each kind of page.

ebench, pairs    drawn scenes, edited by two of the graded editors
scale, boxes     the demo's posters, edited by `typeset`
tasks            what a build of a page of the demo asks
phone, chinese   the same on a small screen, and in Chinese
admin            the study's progress
"""

import contextlib
import io
import json
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from hashlib import sha256
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops

HERE = Path(__file__).parent
CHROMIUM = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
WIDE, HIGH = 1280, 800


def overpaint(*words: str) -> None:
    """Give a command and wait for it."""
    subprocess.run([sys.executable, "-m", "overpaint", *words], check=True, stdout=sys.stderr)


@contextlib.contextmanager
def study(folder: Path, *words: str) -> Iterator[dict[str, list[str]]]:
    """A study while it is served: its links by role."""
    command = [sys.executable, "-m", "overpaint", "rate", str(folder), "--json", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found, _ = json.JSONDecoder().raw_decode(_object(server.stdout))
            links: dict[str, list[str]] = {"rater": [], "admin": []}
            for one in found["links"]:
                links[one["role"]].append(one["link"])
            yield links
        finally:
            server.terminate()


def _object(lines: Any) -> str:
    """The lines up to the end of the first JSON object; the server goes on after it."""
    text = ""
    for line in lines:
        text += line
        with contextlib.suppress(ValueError):
            json.loads(text)
            return text
    raise SystemExit("The study was not served.")


# ── made-up raters ──────────────────────────────────────────────────────────────────────


# What people think of an editor's edits: quality, alignment, preservation.
MARKS = {
    "truth": (4.5, 4.6, 4.7), "careful": (3.8, 3.9, 4.2), "rough": (2.2, 3.0, 2.3),
    "identity": (3.4, 1.4, 4.7), "source-noise": (1.8, 1.4, 2.2), "blank": (1.4, 1.2, 1.2),
}  # fmt: skip


def makers(folder: Path) -> dict[str, str]:
    """Who made each picture of a run, by its pixels."""
    from overpaint.store import Store

    with Store.open(folder) as store:
        return {
            pixels(Image.open(edit.output.path)): edit.editor
            for edit in store.edits() if edit.output is not None and edit.output.path is not None
        }  # fmt: skip


def pixels(image: Image.Image) -> str:
    """A hash of what is to be seen."""
    return sha256(image.convert("RGB").tobytes()).hexdigest()


class Rater:
    """Somebody who answers by HTTP, as the page does."""

    def __init__(self, link: str, seed: int, editors: dict[str, str]) -> None:
        self.editors = editors  # who made a picture, by its pixels
        self.address, _, token = link.partition("/rate#")
        self.open = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(CookieJar())
        ).open
        self.rng = random.Random(seed)
        self.csrf = ""
        self.csrf = self.ask("POST", "/api/join", {"token": token})["csrf"]
        version = self.ask("GET", "/api/state")["study"]["consent"]["version"]
        self.ask("POST", "/api/consent", {"version": version})

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        time.sleep(0.1)  # the server takes no more than a few requests a second of anybody
        headers = {"Content-Type": "application/json", "X-CSRF": self.csrf}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        with self.open(request, timeout=60) as reply:
            return json.load(reply)

    def look(self, picture: str) -> str:
        """A hash of the picture's pixels."""
        with self.open(self.address + picture, timeout=60) as reply:
            return pixels(Image.open(io.BytesIO(reply.read())))

    def rate(self, most: int, *, careless: bool = False) -> None:
        """Answer so many items: what is the same for all, moved by a bias and by noise."""
        bias = self.rng.gauss(0, 0.3)
        for place in range(1, most + 1):
            item = self.ask("GET", f"/api/items/{place}")
            picture = item["shown"][0]["url"]
            marks = [
                mark + random.Random(f"{picture} {name}").uniform(-0.6, 0.6)
                for name, mark in enumerate(MARKS[self.editors[self.look(picture)]])
            ]
            said = [min(5.0, max(1.0, mark + bias + self.rng.gauss(0, 0.5))) for mark in marks]
            said = [3.0, 3.0, 3.0] if careless else [round(mark, 2) for mark in said]
            answers = dict(zip(("quality", "alignment", "preservation"), said, strict=True))
            seconds = 1.1 if careless else self.rng.uniform(8, 20)
            self.ask(
                "PUT", f"/api/items/{place}",
                {"answers": answers | {"done": careless or marks[1] > 3}, "comment": "",
                 "seconds": seconds, "revision": item["revision"]},
            )  # fmt: skip


# ── looking ─────────────────────────────────────────────────────────────────────────────


class Looking:
    """A browser that opens links and keeps what it sees."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser

    def begin(self, link: str, **settings: Any) -> Any:
        """The page of the first item, after consent and instructions."""
        usual = {"viewport": {"width": WIDE, "height": HIGH}, "locale": "en-GB"}
        page = self.browser.new_context(**(usual | settings)).new_page()
        page.goto(link)
        page.wait_for_selector("button.main")
        while page.locator("button.main").count() and not page.locator(".item").count():
            page.locator("button.main").click()  # consent, where it is new, and instructions
            page.wait_for_timeout(400)
        self.settle(page)
        return page

    def settle(self, page: Any) -> None:
        page.wait_for_selector(".item")
        page.wait_for_function("() => [...document.images].every((one) => one.complete)")
        page.wait_for_timeout(400)

    def onward(self, page: Any, times: int, *, key: str) -> None:
        """Answer and save, for so many items; in training the feedback is put away."""
        for _ in range(times):
            before = page.locator("#progress-count").inner_text()
            page.keyboard.press(key)
            page.keyboard.press("Enter")
            page.wait_for_function(
                "(before) => document.querySelector('.feedback')"
                " || document.getElementById('progress-count').textContent !== before",
                arg=before,
            )
            if page.locator(".feedback").count():
                page.keyboard.press("Enter")
            page.wait_for_timeout(300)
            self.settle(page)


def keep(page: Any, name: str, *, whole: bool = False) -> None:
    """The page as a small picture in the folder of pictures."""
    file = HERE / f"rate-{name}.png"
    page.screenshot(path=file, full_page=whole)
    image = Image.open(file).convert("RGB")
    for colours in (256, 128, 64):
        image.quantize(colours, kmeans=2).save(file, optimize=True)
        if file.stat().st_size <= 200_000:
            break


def set_sliders(page: Any, *values: float) -> None:
    """Move the first sliders by keyboard: whole numbers by their digit, the rest by small steps."""
    for place, value in enumerate(values):
        slider = page.locator(".slider input").nth(place)
        slider.focus()
        page.keyboard.press(str(int(value)))
        for _ in range(round((value - int(value)) * 10)):
            page.keyboard.press("ArrowRight")


def scenes(folder: Path, looking: Looking) -> None:
    """Three sliders and a question, and pairs, over drawn scenes; a phone; Chinese; the admin."""
    with study(
        folder, "--raters", "12", "--per-item", "6", "--title", "Restored pictures"
    ) as links:
        made = makers(folder)
        for number in range(9):
            Rater(links["rater"][number], number, made).rate(13 if number > 6 else 15)
        Rater(links["rater"][9], 9, made).rate(13, careless=True)
        Rater(links["rater"][10], 10, made).rate(5)
        page = looking.begin(links["rater"][10])
        set_sliders(page, 4.2, 3.6)
        keep(page, "ebench")
        Rater(links["rater"][11], 11, made).rate(7)
        phone = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1.5}
        page = looking.begin(links["rater"][11], has_touch=True, is_mobile=True, **phone)
        keep(page, "phone")
        context = looking.browser.new_context(viewport={"width": WIDE, "height": HIGH})
        page = context.new_page()
        page.goto(links["admin"][0])
        page.wait_for_selector("table")
        page.wait_for_timeout(500)
        keep(page, "admin", whole=True)
    with study(folder, "--kind", "pairs", "--raters", "3", "--title", "Restored pictures") as links:
        page = looking.begin(links["rater"][0])
        looking.onward(page, 4, key="ArrowDown")
        page.keyboard.press("ArrowLeft")
        keep(page, "pairs")
        page = looking.begin(links["rater"][1], locale="zh-CN", color_scheme="dark")
        looking.onward(page, 4, key="ArrowDown")
        page.keyboard.press("w")
        page.wait_for_timeout(200)
        keep(page, "chinese")


def posters(folder: Path, looking: Looking) -> None:
    """Levels with their meanings, and boxes, over the demo's posters."""
    title = ("--title", "Posters with new words", "--training", "0", "--raters", "3")
    with study(folder, "--kind", "scale", "--scale", "0-3", *title) as links:
        page = looking.begin(links["rater"][0])
        page.keyboard.press("3")
        keep(page, "scale")
    with study(folder, "--kind", "boxes", *title) as links:
        page = looking.begin(links["rater"][0])
        for name, value in (("Left", 6), ("Top", 34.5), ("Width", 14), ("Height", 7)):
            page.get_by_label(f"{name} %").fill(str(value))
        keep(page, "boxes")


def tasks(folder: Path, looking: Looking) -> None:
    """What a build asks."""
    with study(
        folder, "--kind", "tasks", "--raters", "1", "--title", "Is this edit right?"
    ) as links:
        keep(looking.begin(links["rater"][0]), "tasks")


def main() -> None:
    """Make the runs, then look at what is named, or at all."""
    from playwright.sync_api import sync_playwright

    parts = {"scenes": scenes, "posters": posters, "tasks": tasks}
    with tempfile.TemporaryDirectory() as place, sync_playwright() as player:
        browser = player.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM)
        for name in sys.argv[1:] or parts:
            folder = Path(place) / name
            make(name, folder)
            parts[name](folder, Looking(browser))
        browser.close()


def make(name: str, folder: Path) -> None:
    """The run or the build that a part looks at."""
    if name == "scenes":
        graded = ("-e", "careful=graded:careful", "-e", "rough=graded:rough")
        overpaint("run", "ebench", "--limit", "10", *graded, "-o", str(folder))
    elif name == "posters":
        overpaint("run", "demo", "-e", "typeset", "-o", str(folder))
    else:
        build(folder)


def build(folder: Path) -> None:
    """A build that has come to its last look: ratings and the box are answered before."""
    from overpaint.benchmarks.demo import SHIPPED

    page = sorted((SHIPPED / "documents" / "inputs").iterdir())[0]
    words = ("build", "vde", "-o", str(folder), "--editor", "typeset", "--raters", "1")
    overpaint(*words, str(page), "--per-page", "3")
    for _ in range(2):
        with (folder / "answers.jsonl").open("a", encoding="utf-8") as lines:
            for line in (folder / "tasks.jsonl").read_text(encoding="utf-8").splitlines():
                task = json.loads(line)
                if task["open"]:
                    lines.write(json.dumps(_said(folder, task)) + "\n")
        overpaint(*words)


def _said(folder: Path, task: Any) -> dict[str, Any]:
    line = {"task": task["task"], "picture": task["picture"]["sha256"], "by": "ana"}
    if task["kind"] == "rate":
        return line | dict.fromkeys(("compliance", "authenticity", "satisfaction"), 3)
    before, after = (
        Image.open(folder / task[name]["path"]).convert("RGB") for name in ("source", "picture")
    )
    left, top, right, bottom = ImageChops.difference(before, after).getbbox() or (0, 0, 9, 9)
    wide, high = after.size
    sides = (left / wide, top / high, (right - left) / wide, (bottom - top) / high)
    names = ("x", "y", "width", "height")
    return line | {"box": {name: 100 * side for name, side in zip(names, sides, strict=True)}}


if __name__ == "__main__":
    main()
