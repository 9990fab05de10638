"""How well and how fast pages are read: our two readers beside Tesseract, in the same run.

The pages are the fixed mix of `ocr_pages.py`, of which every letter is known, and eighteen real
pages of OmniDocBench where `OVERPAINT_FIXTURES` has them. The figure is 1 − CER: one less the
edits per true character; `ocr_rows.py` says what is compared with what, the same for all readers.

On the real pages only annotated lines of text count. What was read elsewhere is left out; a
formula (annotated as LaTeX) or a bullet (as a hyphen) may be read as anything or nothing.

Tesseract is told the language of the page, or always both languages; for each language the way
that serves it better is shown, and named. The clock is the processor's, on every fifth made and
every sixth real page, one thread, the readers taking turns. The last line is one JSON object.
"""

import argparse
import json
import os
import re
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import ocr_pages
from ocr_pages import SIZES, BenchPage, PageLine
from ocr_rows import ANY, Result, Task, bare, judge, letters
from PIL import Image

from overpaint.errors import Unavailable
from overpaint.vision import engines_tesseract, ocr
from overpaint.vision.page import Box, Line

ENGINES = ("small", "tiny", "tesseract")
LANGUAGES = ("english", "chinese")
BOTH = ("eng", "chi_sim")
TOLD = {"english": ("eng",), "chinese": ("chi_sim",)}  # Tesseract, of a page in one language
ASKED = {"english": 0.995, "chinese": 0.99}  # of our default, from 12 pixels up
ASKED_SMALL = 0.98  # of letters of 10 pixels


# ── pages ───────────────────────────────────────────────────────────────────────────────


def real_pages() -> list[Task]:
    """The pages of OmniDocBench's demonstration with their lines; none where they are absent."""
    folder = Path(os.environ.get("OVERPAINT_FIXTURES", "."), "omnidocbench")
    index = folder / "OmniDocBench_demo.json"
    if not index.is_file():
        print("The real pages are left out: OVERPAINT_FIXTURES names no folder with omnidocbench.")
        return []
    listed = json.loads(index.read_text(encoding="utf-8"))
    return [real_page(entry, folder / "images", number) for number, entry in enumerate(listed)]


def real_page(entry: Mapping[str, Any], folder: Path, number: int) -> Task:
    """One page of OmniDocBench as the bench sees it."""
    about = entry["page_info"]["page_attribute"]
    language = about["language"].removeprefix("simplified_")
    blocks = [b for block in entry["layout_dets"] for b in block.get("merge_list") or [block]]
    spans = [s for b in blocks for s in b.get("line_with_spans", [b]) if not b["ignore"]]
    lines = [real_line(span, language) for span in spans if is_line(span)]
    with Image.open(folder / entry["page_info"]["image_path"]) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    name = f"{number:02d}-{about['data_source']}"
    page = BenchPage(name, about["data_source"], language, pixels, tuple(lines))
    free = tuple(bounds(span["poly"]) for span in spans if not is_line(span))
    return Task(page, free, complete=False)


def is_line(span: Mapping[str, Any]) -> bool:
    """Whether it is text with a place of its own, not a formula, nor a block without lines."""
    return "anno_id" not in span and bool(bare(span.get("text", ""), True))


def real_line(span: Mapping[str, Any], language: str) -> PageLine:
    """A line as annotated, without marks for its indent."""
    text = re.sub(r"^(?:\s|\\t|/t)+", "", span["text"])
    text = re.sub(r"^- (?!\d)", ANY, text)
    if language not in LANGUAGES:
        language = "chinese" if re.search("[\u4e00-\u9fff]", text) else "english"
    return PageLine(text, bounds(span["poly"]), 0, "", language)


def bounds(corners: Sequence[float]) -> Box:
    """The box around a polygon given as x, y, x, y, …"""
    xs, ys = corners[::2], corners[1::2]
    return (min(xs), min(ys), max(xs), max(ys))


def some(tasks: list[Task], count: int | None) -> list[Task]:
    """So many pages from all parts of a list."""
    if not count or count >= len(tasks):
        return tasks
    return [tasks[round(i * (len(tasks) - 1) / max(count - 1, 1))] for i in range(count)]


# ── reading ─────────────────────────────────────────────────────────────────────────────


def read(page: BenchPage, reader: str) -> tuple[Line, ...]:
    """The page's lines; "tesseract" knows the page's language, "tesseract both" does not."""
    engine, _, both = reader.partition(" ")
    if engine == "tesseract":
        known = BOTH if both else TOLD.get(page.language, BOTH)
        vars(engines_tesseract)["WANTED"] = known
        engines_tesseract._languages.cache_clear()
    return ocr.read(page.pixels, engine)


def attempt(task: Task, reader: str) -> Result | None:
    """One page read by one reader and judged; None where the reader is not installed."""
    cv2.setNumThreads(1)
    try:
        return judge(task, read(task.page, reader))
    except Unavailable:
        return None


Results = dict[str, list[Result | None]]  # by reader, in the order of the pages


def read_all(tasks: Sequence[Task], engines: Sequence[str]) -> Results:
    """Every page by every reader, in two processes."""
    readers = [*engines, *(["tesseract both"] if "tesseract" in engines else [])]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        return {reader: list(pool.map(attempt, tasks, [reader] * len(tasks))) for reader in readers}


def settle(tasks: Sequence[Task], results: Results) -> dict[str, str]:
    """For each language the way of asking Tesseract that reads more of its pages' characters.

    What it read that way takes the place of "tesseract" in the results.
    """
    better = {}
    for language in dict.fromkeys(task.page.language for task in tasks):
        mine = [i for i, task in enumerate(tasks) if task.page.language == language]
        wrong = {
            way: [sum(found.errors) for i in mine if (found := results[way][i])]
            for way in ("tesseract", "tesseract both")
        }
        better[language] = min(wrong, key=lambda way: sum(wrong[way]))
        for i in mine:
            results["tesseract"][i] = results[better[language]][i]
    del results["tesseract both"]
    return better


def clock(tasks: Sequence[Task], readers: Sequence[Mapping[str, str]]) -> dict[str, float]:
    """Seconds of the processor a page for each engine, after one page to warm up."""
    spent: dict[str, list[float]] = {}
    for task, ways in [(tasks[0], readers[0]), *zip(tasks, readers, strict=True)]:
        for engine, reader in ways.items():
            start = sum(os.times()[:4])  # our own and that of finished children
            read(task.page, reader)
            spent.setdefault(engine, []).append(sum(os.times()[:4]) - start)
    return {engine: round(statistics.mean(times[1:]), 2) for engine, times in spent.items()}


# ── figures ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Spot:
    """One true line: where it stands, how long it is, and the errors of each engine in it."""

    page: BenchPage
    line: PageLine
    letters: int
    errors: Mapping[str, int]


def spots(tasks: Sequence[Task], results: Results) -> list[Spot]:
    """All lines of all pages."""
    return [
        Spot(
            task.page, line, letters(line),
            {engine: found.errors[n] for engine in results if (found := results[engine][i])},
        )
        for i, task in enumerate(tasks)
        for n, line in enumerate(task.page.lines)
    ]  # fmt: skip


def share(found: Iterable[Spot], engine: str) -> float | None:
    """1 − CER of an engine over some lines; None where there is nothing to read or to read with."""
    counted = [(spot.errors[engine], spot.letters) for spot in found if engine in spot.errors]
    total = sum(letters for _, letters in counted)
    return round(1 - sum(errors for errors, _ in counted) / total, 5) if total else None


@dataclass(frozen=True)
class Group:
    """Lines that make one row of a table, and what is asked of our default there."""

    name: str
    spots: list[Spot]
    asked: float | None = None


Shares = dict[str, dict[str, float | None]]  # by group, then by engine


def table(title: str, groups: Iterable[Group], engines: Sequence[str]) -> Shares:
    """Print and return what each engine read right of each group."""
    print(f"\n{title:36} lines  letters", *(f"{engine:>9}" for engine in engines))
    figures: Shares = {}
    for group in (group for group in groups if group.spots):
        values = figures[group.name] = {engine: share(group.spots, engine) for engine in engines}
        size = f"{len(group.spots):6}{sum(spot.letters for spot in group.spots):9}"
        print(f"  {group.name:34}{size}", *cells(values), verdict(values, group.asked))
    return figures


def cells(values: Mapping[str, float | None]) -> Iterator[str]:
    """An engine's figure in a table, in percent."""
    return (f"{'–' if v is None else f'{100 * v:.2f}':>9}" for v in values.values())


def verdict(values: Mapping[str, float | None], asked: float | None) -> str:
    """Whether our default reaches what is asked."""
    value = values.get("small")
    if value is None or asked is None:
        return ""
    return f"  asked {100 * asked:g}: {met(value >= asked)}"


def met(reached: bool) -> str:
    """The word for whether something asked is there."""
    return "met" if reached else "missed"


def sizes(found: Sequence[Spot]) -> Iterator[Group]:
    """The lines by language and size, and all from 12 pixels up."""
    for language in LANGUAGES:
        mine = [spot for spot in found if spot.line.language == language]
        for size in SIZES:
            asked = ASKED_SMALL if size == 10 else ASKED[language]
            here = [spot for spot in mine if spot.line.size == size]
            yield Group(f"{language} {size} px", here, asked)
        large = [spot for spot in mine if spot.line.size >= 12]
        yield Group(f"{language} 12 px and up", large, ASKED[language])


def kinds(found: Sequence[Spot]) -> Iterator[Group]:
    """The lines by the language and the kind of their page."""
    for language in LANGUAGES:
        for kind in ocr_pages.BODY:
            here = [s for s in found if (s.page.language, s.page.kind) == (language, kind)]
            yield Group(f"{language} {kind}", here)


def medians(pages: Shares, tasks: Sequence[Task], engines: Sequence[str]) -> Shares:
    """Print and return each engine's median page in each language."""
    found: Shares = {}
    for language in LANGUAGES:
        mine = [pages[full_name(task.page)] for task in tasks if task.page.language == language]
        known = {e: [v for page in mine if (v := page[e]) is not None] for e in engines}
        found[language] = {e: statistics.median(v) if v else None for e, v in known.items()}
        ours, theirs = (found[language].get(engine) for engine in ("small", "tesseract"))
        said = (
            ""
            if ours is None or theirs is None
            else f"  asked above Tesseract: {met(ours > theirs)}"
        )
        name = f"median, {language} ({len(mine)} pages)"
        print(f"  {name:49}", *cells(found[language]), said)
    return found


def full_name(page: BenchPage) -> str:
    """A real page's name with its language."""
    return f"{page.name} {page.language}"


# ── the bench ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Found:
    """What came out of reading a set of pages."""

    results: Results
    told: dict[str, str]  # by language, how Tesseract was asked
    seconds: dict[str, float]  # a page


def bench(tasks: Sequence[Task], engines: Sequence[str], every: int) -> Found:
    """All pages read and judged, some of them timed."""
    results = read_all(tasks, engines)
    better = settle(tasks, results) if "tesseract" in engines else {}
    there = [engine for engine in engines if all(results[engine])]
    for engine in set(engines) - set(there):
        print(f"{engine} is not installed here: its column stays empty.")
    ways = [{e: better[t.page.language] if e == "tesseract" else e for e in there} for t in tasks]
    seconds = clock(tasks[::every], ways[::every]) if there else {}
    told = {
        language: "+".join(BOTH if way.endswith("both") else TOLD.get(language, BOTH))
        for language, way in better.items()
        if "tesseract" in there
    }
    return Found(results, told, seconds)


def epilogue(found: Found) -> dict[str, Any]:
    """Print and return how Tesseract was asked, and the seconds a page."""
    for language, names in found.told.items():
        print(f"  Tesseract reads the {language} pages with {names}")
    for engine, spent in found.seconds.items():
        ratio = found.seconds["small"] / spent if "small" in found.seconds else 1
        beside = "" if ratio == 1 else f", {ratio:.1f} times as fast as small"
        print(f"  {engine}: {spent:.2f} s a page on one core{beside}")
    return {"seconds": found.seconds, "tesseract_told": found.told}


def bench_made(tasks: Sequence[Task], engines: Sequence[str]) -> tuple[Found, dict[str, Any]]:
    """The pages of which every letter is known."""
    found = bench(tasks, engines, 5)
    lines = spots(tasks, found.results)
    groups = list(sizes(lines))
    by_size = table("Made pages, % read right", groups, engines)
    by_kind = table("The same by kind of page", kinds(lines), engines)
    missed = [
        g.name for g in groups if verdict(by_size.get(g.name, {}), g.asked).endswith("missed")
    ]
    return found, {"sizes": by_size, "kinds": by_kind, "missed": missed, **epilogue(found)}


def bench_real(tasks: Sequence[Task], engines: Sequence[str]) -> tuple[Found, dict[str, Any]]:
    """The pages that people annotated."""
    found = bench(tasks, engines, 6)
    lines = spots(tasks, found.results)
    groups = [Group(full_name(t.page), [s for s in lines if s.page is t.page]) for t in tasks]
    pages = table("Real pages, % read right", groups, engines)
    middle = medians(pages, tasks, engines)
    return found, {"pages": pages, "medians": middle, **epilogue(found)}


def confess(tasks: Sequence[Task], results: Sequence[Result | None]) -> None:
    """Print every row that an engine misread."""
    for task, result in zip(tasks, results, strict=True):
        for number, true, reading in result.wrong if result else ():
            line = task.page.lines[number]
            print(f"{task.page.name} {line.size} {line.family} {true!r} -> {reading!r}")


def main() -> None:
    """Bench the made pages, then the real ones, and print the figures as one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--engine", action="append", choices=ENGINES, help="only this; repeatable")
    parser.add_argument("--pages", type=int, help="only so many pages of each set")
    parser.add_argument("--errors", choices=ENGINES, help="show every row this engine misread")
    args = parser.parse_args()
    engines = args.engine or list(ENGINES)
    cv2.setNumThreads(1)
    pages = ocr_pages.fixed()
    figures: dict[str, Any] = {"revision": ocr_pages.revision(pages), "made": None, "real": None}
    sets = {"made": [Task(page) for page in pages], "real": real_pages()}
    for name, run in {"made": bench_made, "real": bench_real}.items():
        if tasks := some(sets[name], args.pages):
            found, figures[name] = run(tasks, engines)
            if args.errors in engines:
                confess(tasks, found.results[args.errors])
    print()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
