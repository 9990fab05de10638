"""Asking models from a command that is no run: on what terms, what is said first, and for what."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from overpaint.cli.terms import tell, tell_of_local, terms_of
from overpaint.document import Document, files
from overpaint.document.containers import check_page
from overpaint.document.layers import Text
from overpaint.editors.restating import LONGEST, Restated, prompt, restated
from overpaint.errors import Refused
from overpaint.models.forecast import Ask, Forecast
from overpaint.models.names import endpoint
from overpaint.models.own import own_desk
from overpaint.models.prices import prices


def understood(args: argparse.Namespace, refusal: Refused) -> Restated:
    """What the rules did not understand, as --parser does; says first what leaves the machine."""
    words = _page_text(args.file, args.page)
    tell(_first_line(args, words))
    with own_desk(terms_of(args)) as desk:
        found = restated(args.instruction, refusal, args.parser, desk, page_text=words)
    for note in found.notes:
        tell(f"note: {note}")
    tell_of_local([args.parser])
    return found


def _first_line(args: argparse.Namespace, words: str) -> str:
    where, known = endpoint(args.parser), prices(args.prices)
    foretold = Forecast(where)
    foretold.add(Ask(where, "", len(prompt(args.instruction, words).encode()), ()), known)
    what = "the instruction and the words on the page are" if words else "the instruction is"
    sent = f"{what} {'sent there' if where.address else 'told to it'}, no pictures"
    return (
        f"The rules do not understand this; {where.host} is asked what {where.model} makes of it:"
        f" {sent}; price: {foretold.price(known.dated)}"
    )


# ── the words on a page ─────────────────────────────────────────────────────────────────────


def _page_text(file: str | None, page: int | None) -> str:
    """What stands on the page, or on all pages as far as there is room; nothing without a file."""
    if file is None or not (path := Path(file)).exists():
        return ""
    count = files.pages(path)
    check_page(path, page or 1, count)
    numbers = range(1, count + 1) if page is None else [page]
    found, room = list[str](), LONGEST
    for number in numbers:
        words = "\n".join(_words(Document(path, page=number), read=len(numbers) == 1))
        if words and len(numbers) > 1:
            words = f"Page {number}:\n{words}"
        found.append(words[:room])
        room -= len(found[-1])
        if room <= 0:
            break
    return "\n".join(filter(None, found))


def _words(page: Document, *, read: bool) -> Iterator[str]:
    """Live words; where there are none, and it is one page, what is read in its picture."""
    live = [layer.content.words for layer in page if isinstance(layer.content, Text)]
    yield from live
    if read and not live:
        from overpaint.vision import ocr

        yield from (line.text for line in ocr.read(page.rgb))
