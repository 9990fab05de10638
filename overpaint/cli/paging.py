"""Which page of a file an instruction is about: the one asked for, or the only one that fits."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from overpaint.cli.progress import Bar
from overpaint.document import Document, files
from overpaint.document.layers import Text
from overpaint.document.ops import Op
from overpaint.document.where import Where, hits
from overpaint.errors import OverpaintError, Refused
from overpaint.report.wording import plain

_LISTED = 8  # pages, at most


@dataclass(frozen=True)
class Turned:
    """A page before and after, and of how many it is one."""

    before: Document
    after: Document
    number: int = 1
    count: int = 1


def edited(path: Path, page: int | None, ops: tuple[Op, ...]) -> Turned:
    """The page that was meant with the ops done to it; `Refused` where no page or several fit."""
    from overpaint.editors.typeset import perform

    count = files.pages(path)
    if page is not None or count == 1:
        before = Document(path, page=page or 1)
        return Turned(before, perform(before, ops), page or 1, count)
    pages = [Document(path, page=number) for number in range(1, count + 1)]
    why: dict[int, OverpaintError] = {}
    # Words that are live are found at once. Pictures are read only on pages that have no others,
    # and only where no page has them live: reading a page takes seconds.
    done = list(_live(pages, ops, why)) or [
        Turned(before, after, before.page, count)
        for before in _scans(pages)
        if (after := _tried(before, ops, why)) is not None
    ]
    if len(done) == 1:
        return replace(done[0], count=count)
    raise _several(path, done) if done else _none(path, pages, ops, why)


def _live(
    pages: list[Document], ops: tuple[Op, ...], why: dict[int, OverpaintError]
) -> Iterator[Turned]:
    bar = Bar("pages")
    for before in pages:
        bar("reading", before.page, len(pages))
        try:
            after = reduce(lambda document, op: op(document), ops, before)
        except Refused as error:
            why[before.page] = error
        else:
            yield Turned(before, after, before.page)


def _scans(pages: list[Document]) -> Iterator[Document]:
    """Pages without live words, one after another."""
    bar, found = Bar("scans"), [page for page in pages if not _words(page)]
    for number, page in enumerate(found, 1):
        bar("reading", number, len(found))
        yield page


def _tried(
    before: Document, ops: tuple[Op, ...], why: dict[int, OverpaintError]
) -> Document | None:
    from overpaint.editors.typeset import perform

    try:
        return perform(before, ops)
    except Refused as error:
        why[before.page] = error
        return None


def _words(page: Document) -> list[str]:
    return [layer.content.words for layer in page if isinstance(layer.content, Text)]


def _several(path: Path, done: list[Turned]) -> Refused:
    numbers = ", ".join(str(one.number) for one in done[:_LISTED])
    more = " and more" if len(done) > _LISTED else ""
    return Refused(
        f"Pages {numbers}{more} of {path} can all be edited so.", "One was expected.",
        f"Say which: --page {done[0].number}",
    )  # fmt: skip


def _none(
    path: Path, pages: list[Document], ops: tuple[Op, ...], why: dict[int, OverpaintError]
) -> Refused:
    """No page fits: the reason of the page that comes nearest."""
    near = next((page for page in pages if _has(page, ops[0].where)), None)
    if near is not None:
        return Refused(f"Page {near.page} of {path} cannot be edited so.", str(why[near.page]))
    wanted = ops[0].where.text
    if not wanted or not any(map(_words, pages)):
        return Refused(
            f"None of the {len(pages)} pages of {path} can be edited so.",
            f"Page 1: {why[1]}",
        )
    return Refused(
        f"“{wanted}” is on none of the {len(pages)} pages of {path}.",
        _nearest(wanted, pages),
        "Quote the words as they stand there; with --page N, words in pictures are found, too.",
    )


def _has(page: Document, where: Where) -> bool:
    try:
        hits(page, replace(where, every=True))
    except Refused:
        return False
    return True


def _nearest(wanted: str, pages: list[Document]) -> str:
    from overpaint.editors.typeset.matching import nearest

    said = {words: page.page for page in pages for words in _words(page)}
    near = nearest(wanted, list(said))
    return f"The nearest to it is “{plain(near)}” on page {said[near]}." if near else ""
