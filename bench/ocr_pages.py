"""The pages of the OCR bench: a fixed mix of generated documents, known by its hash.

Nine kinds in two or three sizes, each in English and in Chinese, seventeen families, letters of
10, 12, 14, 18, 24, 32 and 40 pixels and of no other size, black, grey and coloured, with columns
and tables.

They have a seed of their own, on which no reader was tuned.
Change the pages only together with `REVISION`, and then measure every reader anew.
`python bench/ocr_pages.py OUT` writes the pages, to look at.
"""

import argparse
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
from PIL import Image

from overpaint.document import Pixels
from overpaint.engines.album import engines
from overpaint.engines.documents import KINDS, compose
from overpaint.engines.documents.album import ENGINES
from overpaint.engines.documents.faces import SANS, SERIF
from overpaint.engines.documents.job import Look
from overpaint.engines.documents.setting import chinese
from overpaint.engines.documents.sheet import draw, page_lines
from overpaint.vision.page import Box

SEED = 90210  # not that of the built-in set, nor of pages that readers were built with
REVISION = "381a75a96c32087ab56e3789853c947a9e6cba8510ec1d50f7b598b4e9b0f72e"
SIZES = (10, 12, 14, 18, 24, 32, 40)
BODY = {  # the sizes in which each kind is set
    "paper": (10, 12), "book": (14, 18), "newspaper": (10, 14), "slide": (24, 32, 40),
    "exam": (12, 18), "notes": (18, 24, 32), "magazine": (12, 14), "report": (10, 18),
    "form": (12, 14),
}  # fmt: skip
LATIN = (*SANS, *SERIF, "Roboto Mono")  # Kalam, a hand, comes with the notes
INKS = ("#000000", "#1d1d1f", "#444444", "#5f6368", "#777777", "#0b4f8a", "#8a1c2b", "#1f6b4f")
PAPERS = ("#ffffff", "#fbf9f2", "#f8f9fb", "#eef3ee")
ACCENTS = ("#0b4f8a", "#8a1c2b", "#1f6b4f", "#a04a12")


@dataclass(frozen=True)
class PageLine:
    """One line of a page: what it says, where, and in which letters."""

    text: str
    box: Box
    size: int
    family: str
    language: str  # of this line: english or chinese


@dataclass(frozen=True)
class BenchPage:
    """A page and every line on it."""

    name: str
    kind: str
    language: str  # of the page
    pixels: Pixels
    lines: tuple[PageLine, ...]


def pages() -> Iterator[BenchPage]:
    """The pages of the mix, in their order."""
    for number, (kind, language, body) in enumerate(_mix()):
        wear = _look(number, body)
        page = compose(kind, language, Random(f"{SEED}/{number}"), wear=wear)
        lines = tuple(
            PageLine(
                line.text,
                line.box,
                line.style.size,
                line.style.family,
                _tongue(line.text, language),
            )
            for line in page_lines(page)
        )
        yield BenchPage(f"{number:02d}-{kind}-{language}-{body}", kind, language, draw(page), lines)


def _mix() -> Iterator[tuple[str, str, int]]:
    for language in ("english", "chinese"):
        for kind in KINDS:
            for body in BODY[kind]:
                yield kind, language, body


def _look(number: int, body: int) -> Look:
    """The look of a page by its number: families, inks and papers go round."""
    ink = INKS[number % len(INKS)]
    return Look(
        body=body,
        small=max(10, body - 2),
        heading=next((size for size in SIZES if size > body), body),
        title=(24, 32, 40)[number % 3] if body < 24 else 40,
        latin=LATIN[number % len(LATIN)],
        latin_display=LATIN[(number * 7 + 3) % len(LATIN)],
        han=("Noto Sans SC", "Noto Serif SC")[number // 2 % 2],
        han_display=("Noto Sans SC", "Noto Serif SC")[number % 2],
        ink=ink,
        grey=("#6b6f76", "#808080", "#8b8b8b")[number % 3],
        accent=ACCENTS[number // 3 % len(ACCENTS)],
        paper=PAPERS[number % len(PAPERS)],
        scale=SIZES,
    )


def _tongue(text: str, page: str) -> str:
    """The language of a line; figures alone belong to the page's."""
    if chinese(text):
        return "chinese"
    return "english" if any(letter.isalpha() for letter in text) else page


def revision(found: list[BenchPage]) -> str:
    """One hash of all pixels and all that stands on them."""
    seen = hashlib.sha256()
    for page in found:
        seen.update(np.ascontiguousarray(page.pixels).tobytes())
        told = [[line.text, line.box, line.size, line.family] for line in page.lines]
        seen.update(json.dumps([page.name, told], ensure_ascii=False).encode())
    return seen.hexdigest()


def fixed() -> list[BenchPage]:
    """All pages; a sentence on what differs where they are not the pinned ones."""
    found = list(pages())
    if (now := revision(found)) != REVISION:
        print(f"These are not the pinned pages: revision {now[:12]}, pinned {REVISION[:12]}.")
        print(f"Letters were drawn with {engines()}, pinned with {ENGINES}.")
    return found


def main() -> None:
    """Write the pages to a folder and say what is on them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    found = list(pages())
    for page in found:
        Image.fromarray(page.pixels).save(out / f"{page.name}.png")
    lines = [line for page in found for line in page.lines]
    for size in SIZES:
        for language in ("english", "chinese"):
            here = [x for x in lines if (x.size, x.language) == (size, language)]
            letters = sum(len(line.text) for line in here)
            print(f"{size:3d} px {language:8s} {len(here):5d} lines {letters:6d} letters")
    print(f"{len(found)} pages, {len({line.family for line in lines})} families")
    print(f"sizes {sorted({line.size for line in lines})}")
    print(revision(found))


if __name__ == "__main__":
    main()
