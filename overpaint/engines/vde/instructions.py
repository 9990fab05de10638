"""The second step: instructions for every page that was read, each checked by rules."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from overpaint.engines.building import Problem
from overpaint.engines.vde.checking import faults
from overpaint.engines.vde.lines import json_lines, text_at
from overpaint.engines.vde.records import Instruction, Page, Place, Settings
from overpaint.engines.vde.wording import main_language, page_text
from overpaint.engines.vde.writer import write
from overpaint.errors import DataError
from overpaint.vision.page import Block

NOWHERE = "no place on the page suits this kind"


def write_instructions(place: Place, settings: Settings) -> None:
    """Let the rules write for every page that has no instruction yet."""
    known = place.instructions()
    done, taken = {one.page for one in known.values()}, set(known)
    for page in place.pages().values():
        if page.language and not page.reason and page.id not in done:
            blocks, size = place.blocks(page.id), (page.width, page.height)
            seed = f"{settings.seed}:{page.sha256}"
            for draft in write(blocks, size, seed=seed, most=settings.per_page):
                one = _checked(page, blocks, draft.kind, draft.text)
                place.add(replace(one, id=_name(one, taken), wording=draft.wording))


def take_instructions(place: Place, file: Path) -> tuple[Problem, ...]:
    """Take instructions that someone else wrote, as lines of page, instruction and its type.

    A page is named by its id or by its file's name; what cannot be taken is told line by line.
    """
    pages = place.pages()
    problems: list[Problem] = []
    taken = set(place.instructions())
    known = {(one.page, one.text) for one in place.instructions().values()}
    for where, row in json_lines(file, problems):
        try:
            page = _page(pages, text_at(row, "page", 500))
            kind, text = text_at(row, "instruction type", 40), text_at(row, "instruction", 5000)
        except DataError as error:
            problems.append(Problem(where, str(error)))
            continue
        if (page.id, text) not in known:
            known.add((page.id, text))
            one = _checked(page, place.blocks(page.id), kind, text)
            place.add(replace(one, id=_name(one, taken), origin=file.name))
    return tuple(problems)


def _page(pages: dict[str, Page], name: str) -> Page:
    usable = [page for page in pages.values() if page.language and not page.reason]
    named = [page for page in usable if name in (page.id, Path(page.file).name)]
    if len(named) != 1:
        raise DataError(f"{len(named) or 'no'} readable pages are called {name!r}")
    return named[0]


def _checked(page: Page, blocks: Sequence[Block], kind: str, text: str) -> Instruction:
    wrong, found = faults(text, kind, blocks, main_language(page_text(blocks)))
    openness = {dimension: one.score for dimension, one in found.items()}
    faulty = wrong if text else (NOWHERE,)
    return Instruction("", page.id, kind, text, openness=openness, faults=faulty)


def _name(one: Instruction, taken: set[str]) -> str:
    """A name nobody has yet, which is then taken; a type from outside is cut to fit a path."""
    wanted = f"{one.page}-{one.kind}"
    stem = "".join(c if c.isascii() and c.isalnum() else "-" for c in wanted)[:100]
    name = next(n for k in count(1) if (n := stem if k == 1 else f"{stem}-{k}") not in taken)
    taken.add(name)
    return name
