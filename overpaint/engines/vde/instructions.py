"""The second step: instructions for every page that was read, each checked by rules."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from overpaint.engines.vde.checking import faults
from overpaint.engines.vde.lines import json_lines, text_at
from overpaint.engines.vde.records import Instruction, Page, Place, Problem, Settings
from overpaint.engines.vde.wording import main_language, page_text
from overpaint.engines.vde.writer import write
from overpaint.errors import DataError

NOWHERE = "no place on the page suits this kind"


def write_instructions(place: Place, settings: Settings) -> None:
    """Let the rules write for every page that has no instruction yet."""
    done = {one.page for one in place.instructions().values()}
    for page in place.pages().values():
        if page.language and not page.reason and page.id not in done:
            blocks, size = place.blocks(page.id), (page.width, page.height)
            seed = f"{settings.seed}:{page.sha256}"
            for draft in write(blocks, size, seed=seed, most=settings.per_page):
                place.add(_checked(place, page, draft.kind, draft.text, wording=draft.wording))


def take_instructions(place: Place, file: Path) -> tuple[Problem, ...]:
    """Take instructions that someone else wrote, as lines of page, instruction and its type.

    A page is named by its id or by its file's name; what cannot be taken is told line by line.
    """
    pages = place.pages()
    problems: list[Problem] = []
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
            place.add(_checked(place, page, kind, text, origin=file.name))
    return tuple(problems)


def _page(pages: dict[str, Page], name: str) -> Page:
    usable = [page for page in pages.values() if page.language and not page.reason]
    named = [page for page in usable if name in (page.id, Path(page.file).name)]
    if len(named) != 1:
        raise DataError(f"{len(named) or 'no'} readable pages are called {name!r}")
    return named[0]


def _checked(place: Place, page: Page, kind: str, text: str, **facts: Any) -> Instruction:
    blocks = place.blocks(page.id)
    wrong, found = faults(text, kind, blocks, main_language(page_text(blocks)))
    wrong = wrong if text else (NOWHERE,)
    openness = {dimension: one.score for dimension, one in found.items()}
    name = next(_names(place, f"{page.id}-{kind.replace(' ', '-')}"))
    return Instruction(name, page.id, kind, text, openness=openness, faults=wrong, **facts)


def _names(place: Place, stem: str) -> Iterator[str]:
    """Names that are not taken yet; a type from outside is cut to what a path may hold."""
    stem = "".join(letter if letter.isalnum() or letter == "-" else "-" for letter in stem)[:100]
    taken, number = place.instructions(), 1
    while True:
        name = stem if number == 1 else f"{stem}-{number}"
        number += 1
        if name not in taken:
            yield name
