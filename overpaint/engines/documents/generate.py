"""Generate: a page of the kind and language that a number stands for, edited, with its truth."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from overpaint.document import Pixels
from overpaint.engines.documents import office, press, prints, school, slides
from overpaint.engines.documents.edits import Revision, revise, touch
from overpaint.engines.documents.job import Job, Look, look
from overpaint.engines.documents.setting import chinese, read_off
from overpaint.engines.documents.sheet import Page, draw, page_blocks, page_lines, spoken
from overpaint.engines.documents.words import Words
from overpaint.engines.released import TYPES
from overpaint.errors import OverpaintError
from overpaint.vision.page import Block, Line

LANGUAGES = ("english", "chinese", "mixed")
MIXED = 11  # one page of so many has both languages
TRIES = 40  # pages drawn before an edit is given up


@dataclass(frozen=True)
class Kind:
    """How a kind of document is made: with serifs or without, and in which sizes."""

    make: Callable[[Job], Page]
    serif: tuple[bool, ...]
    body: tuple[int, ...]
    han: tuple[int, ...]  # sizes where the page is Chinese


KINDS: Mapping[str, Kind] = {
    "paper": Kind(prints.paper, (True, True, False), (14, 15), (15, 16)),
    "book": Kind(prints.book, (True,), (18, 19), (20, 21)),
    "newspaper": Kind(press.newspaper, (True, True, False), (13, 14), (15, 16)),
    "slide": Kind(slides.slide, (False, False, True), (24, 26, 28), (24, 26, 28)),
    "exam": Kind(school.exam, (True, False), (14, 15, 16), (15, 16, 17)),
    "notes": Kind(school.notes, (False,), (20, 22), (20, 22)),
    "magazine": Kind(press.magazine, (True, False), (16, 17), (18, 19)),
    "report": Kind(office.report, (True, False), (15, 16), (17, 18)),
    "form": Kind(office.form, (False, False, True), (15, 16), (16, 17)),
}


@dataclass(frozen=True)
class Generated:
    """A source, an instruction, the exact truth, and what is known of them by construction."""

    source: Pixels
    truth: Pixels
    instruction: str
    type: str
    language: str
    kind: str
    region: tuple[int, int, int, int]
    page_blocks: tuple[Block, ...]
    region_blocks: tuple[Block, ...]
    source_blocks: tuple[Block, ...]  # of the whole page as given
    lines: tuple[Line, ...]  # of the truth
    targets: tuple[str, ...]  # what the instruction quotes and the source says once


def make(index: int, *, seed: int) -> Generated:
    """The sample with this number; the same numbers and fonts give the same pixels."""
    kind, language, edit = plan(index)
    found = _revised(f"{seed}/{index}", kind, language, edit)
    return Generated(
        source=draw(found.source),
        truth=draw(found.truth),
        instruction=found.instruction,
        type=edit,
        language=language,
        kind=kind,
        region=found.region,
        page_blocks=page_blocks(found.truth),
        region_blocks=found.blocks,
        source_blocks=page_blocks(found.source),
        lines=read_off(page_lines(found.truth)),
        targets=found.targets,
    )


def plan(index: int) -> tuple[str, str, str]:
    """Kind, language and edit of a number: every kind meets every pair of the other two."""
    turn, place = divmod(index, len(KINDS))
    language = "mixed" if index % MIXED == MIXED // 2 else LANGUAGES[(turn + place) % 2]
    return tuple(KINDS)[place], language, TYPES[(turn + place) % len(TYPES)]


def compose(kind: str, language: str, chance: Random, *, wear: Look | None = None) -> Page:
    """A page of that kind, in a look by chance or the one given."""
    about = KINDS[kind]
    main = "english" if language == "english" else "chinese"
    sizes = about.body if language == "english" else about.han
    wear = wear or look(chance, serif=chance.choice(about.serif), body=sizes)
    second = Words(chance, "english") if language == "mixed" else None
    return about.make(Job(chance, language, Words(chance, main), second, wear))


def _revised(name: str, kind: str, language: str, edit: str) -> Revision:
    for attempt in range(TRIES):
        chance = Random(f"{name}/{attempt}")
        page = compose(kind, language, chance)
        if not _sound(page) or (language == "mixed" and not _has_both(page)):
            continue
        if found := revise(page, edit, language, chance):
            return found
    raise OverpaintError(
        f"No {edit} was found on {TRIES} pages of the kind {kind} in {language} ({name}).",
        "Every kind offers every edit on most of its pages.",
        "This is a mistake in the generator; please report it with the seed.",
    )


def _sound(page: Page) -> bool:
    """Whether everything stands on the page and nothing on anything else."""
    height, width = page.backdrop.shape[:2]
    boxes = [block.box for block in page_blocks(page)]
    inside = all(b[0] >= 0 and b[1] >= 0 and b[2] <= width and b[3] <= height for b in boxes)
    pairs = ((a, b) for n, a in enumerate(boxes) for b in boxes[n + 1 :])
    return inside and not any(touch(a, b) for a, b in pairs)


def _has_both(page: Page) -> bool:
    """Whether some text is English and some Chinese."""
    tongues = {
        chinese(words) for words in spoken(page) if re.search(r"[a-z]{3} [a-z]|[一-龥]", words)
    }
    return len(tongues) == 2
