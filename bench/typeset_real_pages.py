"""Sixty replacements on the eighteen real pages of OmniDocBench, of strings that OCR found there.

A string is a whole line, or some words of one, of 4 to 20 letters that `small` read with
confidence and that stand once on the page. Its new words have a similar length and come from the
documents engine. Whether an edit is read back right is for `tiny`, and for Tesseract beside it:
the line is read in the edited picture and must say what `small` read with the new words in it; a
reader that does not read the old line as `small` did is not asked about the new one.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import typeset_sheets
from PIL import Image
from typeset_judging import READERS, line_of
from typeset_targets import bare, cased, like_han, like_latin, wording

from overpaint.cli.progress import Bar
from overpaint.core import Request
from overpaint.document import Document, Pixels
from overpaint.editors.typeset import Typeset
from overpaint.errors import OverpaintError, Unavailable
from overpaint.measures.text import normalised
from overpaint.vision import ocr
from overpaint.vision.page import Line

SEED = 418
COUNT = 60
SURE = 0.95  # of what OCR says of a line


@dataclass(frozen=True)
class Asked:
    """One replacement on a real page."""

    page: str
    pixels: Pixels
    line: Line
    old: str
    new: str
    instruction: str

    @property
    def wanted(self) -> str:
        """What the line should say."""
        return self.line.text.replace(self.old, self.new)


@dataclass(frozen=True)
class Got:
    """What became of it."""

    asked: Asked
    status: str
    reason: str = ""
    right: dict[str, bool] = field(default_factory=dict)  # by reader, of those asked
    said: dict[str, str] = field(default_factory=dict)
    outside: int = 0  # pixels that changed far from the line
    output: Pixels | None = None


def bench(limit: int | None, keep: Path | None) -> dict[str, Any] | None:
    """Print and return the figures; nothing where the pages are not there."""
    pages = list(_pages())
    if not pages:
        print("The real pages are left out: OVERPAINT_FIXTURES names no folder with omnidocbench.")
        return None
    cv2.setNumThreads(1)
    bar, found = Bar(), list[Got]()
    asked = _asked(pages, limit or COUNT)
    for number, one in enumerate(asked):
        found.append(_done(one))
        bar("pages", number + 1, len(asked))
    if keep:
        rows = [(_label(got), _crops(got)) for got in found]
        typeset_sheets.write_rows(keep, "pages", rows)
    return _report(found)


def _pages() -> Iterator[tuple[str, Pixels]]:
    folder = Path(os.environ.get("OVERPAINT_FIXTURES", "."), "omnidocbench")
    index = folder / "OmniDocBench_demo.json"
    listed = json.loads(index.read_text(encoding="utf-8")) if index.is_file() else []
    for entry in listed:
        path = folder / "images" / entry["page_info"]["image_path"]
        with Image.open(path) as picture:
            yield path.stem, np.asarray(picture.convert("RGB"))


# ── what is asked ───────────────────────────────────────────────────────────────────────


def _asked(pages: list[tuple[str, Pixels]], count: int) -> list[Asked]:
    """So many replacements, the same number on each page as far as it goes."""
    shares = [count // len(pages) + (n < count % len(pages)) for n in range(len(pages))]
    bar, found = Bar(), list[Asked]()
    for number, ((name, pixels), share) in enumerate(zip(pages, shares, strict=True)):
        found += list(_on_page(name, pixels, share)) if share else []
        bar("reading", number + 1, len(pages))
    return found


def _on_page(name: str, pixels: Pixels, count: int) -> Iterator[Asked]:
    chance = Random(f"{SEED}/{name}")
    lines = ocr.read(pixels, "small")
    everything = "\n".join(bare(line.text) for line in lines)
    good = [line for line in lines if line.confidence >= SURE]
    for line in chance.sample(good, len(good)):
        old = _part(chance, line.text)
        if not old or everything.count(bare(old)) != 1 or line.text.count(old) != 1:
            continue
        chinese = re.search(r"[\u4e00-\u9fff]", old) is not None
        new = like_han(chance, old, "same") if chinese else _latin(chance, old)
        if bare(new) == bare(old):
            continue
        told = wording(chance, "chinese" if chinese else "english", old, new)
        yield Asked(name, pixels, line, old, new, told)
        count -= 1
        if not count:
            return


def _part(chance: Random, text: str) -> str | None:
    """Some words of a line, 4 to 20 letters: Chinese alone, or Latin letters and spaces alone."""
    runs = re.findall(r"[\u4e00-\u9fff]{4,}|[A-Za-z]{2,}(?: [A-Za-z]{2,})*", text)
    runs = [run for run in runs if len(run) >= 4]
    if not runs:
        return None
    run = chance.choice(runs)
    if re.match(r"[\u4e00-\u9fff]", run):
        long = min(len(run), chance.randint(4, 6))
        start = chance.randint(0, len(run) - long)
        return run[start : start + long]
    words = run.split(" ")
    start = chance.randrange(len(words))
    piece = " ".join(words[start : start + chance.randint(1, 2)])
    return piece if 4 <= len(piece) <= 20 else None


def _latin(chance: Random, old: str) -> str:
    return " ".join(cased(word, like_latin(chance, word, "same")) for word in old.split(" "))


# ── what becomes of it ──────────────────────────────────────────────────────────────────


def _done(asked: Asked) -> Got:
    before = {reader: _read(asked, asked.pixels, reader) for reader in READERS}
    try:
        output = Typeset()(Request(Document.of(asked.pixels), asked.instruction)).rgb
    except OverpaintError as error:
        return Got(asked, error.status or "failed", str(error))
    same = [r for r, said in before.items() if said and _same(said, asked.line.text)]
    said = {reader: _read(asked, output, reader) or "" for reader in same}
    right = {reader: _same(text, asked.wanted) for reader, text in said.items()}
    return Got(asked, "ok", "", right, said, _outside(asked, output), output)


def _same(one: str, other: str) -> bool:
    return normalised(one).replace(" ", "") == normalised(other).replace(" ", "")


def _read(asked: Asked, pixels: Pixels, reader: str) -> str | None:
    left, top, right, bottom = _around(asked, pixels, 0.25, 2.0)
    crop = np.ascontiguousarray(pixels[top:bottom, left:right])
    rim = (12, 12, 16, 16)
    try:
        return line_of(np.asarray(cv2.copyMakeBorder(crop, *rim, cv2.BORDER_REPLICATE)), reader)
    except Unavailable:
        return None


def _around(asked: Asked, pixels: Pixels, down: float, across: float) -> tuple[int, ...]:
    """The line's box and so many of its heights more, above and beside it."""
    left, top, right, bottom = asked.line.box
    high = bottom - top
    return (
        max(0, int(left - 0.3 * high)), max(0, int(top - down * high)),
        min(pixels.shape[1], int(right + across * high)),
        min(pixels.shape[0], int(bottom + down * high) + 1),
    )  # fmt: skip


def _outside(asked: Asked, output: Pixels) -> int:
    """Pixels that changed beyond the line's own row: there is no truth to tell a region by."""
    differs = (output != asked.pixels).any(axis=2)
    _, top, _, bottom = _around(asked, output, 0.5, 0.0)
    differs[top:bottom] = False
    return int(differs.sum())


def _report(found: list[Got]) -> dict[str, Any]:
    made = [got for got in found if got.status == "ok"]
    figures: dict[str, Any] = {
        "asked": len(found), "made": len(made),
        "row_alone_changed": sum(got.outside == 0 for got in made),
        "refused": dict(Counter(got.status for got in found if got.status != "ok")),
    }  # fmt: skip
    print(f"\nReal pages: {len(found)} replacements asked, {len(made)} made,",
          f"nothing beyond the line's row changed in {figures['row_alone_changed']}")  # fmt: skip
    for reader in READERS:
        asked = [got for got in made if reader in got.right]
        right = sum(got.right[reader] for got in asked)
        figures[reader] = {"asked": len(asked), "right": right}
        print(f"  read back right by {reader}: {right} of {len(asked)} whose old line it reads")
    for got in found:
        for reader in (reader for reader, right in got.right.items() if not right):
            print(f"  {got.asked.page} {reader}: {got.asked.wanted!r} -> {got.said[reader]!r}")
        if got.status != "ok":
            print(f"  {got.asked.page} {got.status}: {got.asked.instruction} | {got.reason}")
    return figures


def _label(got: Got) -> str:
    told = got.reason or " ".join(
        f"{r} {'right' if ok else 'wrong'}" for r, ok in got.right.items()
    )
    return f"{got.asked.page[:40]}  {got.status}  {got.asked.instruction}  {told}"


def _crops(got: Got) -> tuple[Pixels, ...]:
    left, top, right, bottom = _around(got.asked, got.asked.pixels, 1.0, 2.0)
    output = got.asked.pixels if got.output is None else got.output
    pictures = (got.asked.pixels, output)
    return tuple(np.ascontiguousarray(p[top:bottom, left:right]) for p in pictures)
