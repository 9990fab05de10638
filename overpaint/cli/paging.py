"""Which page of a file an instruction is about: the one asked for, or the only one that fits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from overpaint.cli.progress import Bar
from overpaint.document import Document, files
from overpaint.document.containers import check_page
from overpaint.document.grid import grids
from overpaint.document.layers import Text
from overpaint.document.ops import Op
from overpaint.document.where import Where, hits
from overpaint.errors import Refused
from overpaint.report.wording import plain

_LISTED = 8  # pages, at most


@dataclass(frozen=True)
class Turned:
    """A page before and after, and of how many it is one."""

    before: Document
    after: Document
    number: int = 1
    count: int = 1


@dataclass(frozen=True)
class _Left:
    """A page that could not be edited so: why, what it says, and how much of what is meant."""

    number: int
    why: str  # an error would keep the whole page that it was raised on
    words: tuple[str, ...]
    near: float


def edited(path: Path, page: int | None, ops: tuple[Op, ...]) -> Turned:
    """The page that was meant with the ops done to it; `Refused` where no page or several fit."""
    count = files.pages(path)
    check_page(path, page or 1, count)
    if page is not None or count == 1:
        before = Document(path, page=page or 1)
        return Turned(before, _performed(before, ops), page or 1, count)
    # Words that are live are found at once. Pictures are read only on pages that have no others,
    # and only where no page has them live: reading a page takes seconds.
    left: list[_Left] = []
    numbers = range(1, count + 1)
    done = _tried(path, numbers, ops, lambda page: reduce(_done, ops, page), left)
    if not done:
        scans = [one.number for one in left if not one.words]
        still = [one for one in left if one.words]
        done = _tried(path, scans, ops, lambda page: _performed(page, ops), still)
        left = sorted(still, key=lambda one: one.number)
    if len(done) == 1:
        return replace(done[0], count=count)
    raise _several(path, done) if done else _none(path, left, ops)


def _performed(before: Document, ops: tuple[Op, ...]) -> Document:
    """The page with the ops done to it; what is not there is told of the page as it was."""
    from overpaint.editors.typeset import perform

    after = before
    for op in ops:
        try:
            after = perform(after, (op,))
        except Refused:
            if not has(after, op.where):
                perform(before, (op,))  # refused again, with the texts that the user sees
            raise
    return after


def _done(document: Document, op: Op) -> Document:
    return op(document)


def _tried(
    path: Path, numbers: Sequence[int], ops: tuple[Op, ...],
    act: Callable[[Document], Document], left: list[_Left],
) -> list[Turned]:  # fmt: skip
    """The pages that could be edited, more than can be listed at most; the others are told of.

    No page is kept that could not: a file may have thousands.
    """
    bar, done = Bar("pages"), list[Turned]()
    for at, number in enumerate(numbers, 1):
        bar("reading", at, len(numbers))
        before = Document(path, page=number)
        try:
            done.append(Turned(before, act(before), number))
        except Refused as error:
            left.append(_Left(number, str(error), _words(before), _near(before, ops)))
        if len(done) > _LISTED:
            break
    return done


def _words(page: Document) -> tuple[str, ...]:
    return tuple(layer.content.words for layer in page if isinstance(layer.content, Text))


def _several(path: Path, done: list[Turned]) -> Refused:
    numbers = ", ".join(str(one.number) for one in done[:_LISTED])
    more = " and more" if len(done) > _LISTED else ""
    return Refused(
        f"Pages {numbers}{more} of {path} can all be edited so.", "One was expected.",
        f"Say which: --page {done[0].number}",
    )  # fmt: skip


def _none(path: Path, left: list[_Left], ops: tuple[Op, ...]) -> Refused:
    """No page fits: the reason of the page that comes nearest."""
    near = max(left, key=lambda page: page.near)  # the first of several
    if near.near:
        return Refused(f"Page {near.number} of {path} cannot be edited so.", near.why)
    wanted = ops[0].where.text
    if not wanted or not any(page.words for page in left):
        return Refused(
            f"None of the {len(left)} pages of {path} can be edited so.",
            f"Page 1: {left[0].why}",
        )
    return Refused(
        f"“{wanted}” is on none of the {len(left)} pages of {path}.",
        _nearest(wanted, left),
        "Quote the words as they stand there; with --page N, words in pictures are found, too.",
    )


def _near(page: Document, ops: tuple[Op, ...]) -> float:
    """How many of the things that ops are about a page has; half of a cell is its table."""
    found = sum(has(page, op.where) for op in ops)
    wanted = any(op.where.row or op.where.column for op in ops)
    return found or (0.5 if wanted and grids(page) else 0.0)


def has(page: Document, where: Where) -> bool:
    """Whether a page has what is pointed at."""
    try:
        hits(page, replace(where, every=True))
    except Refused:
        return False
    return True


def _nearest(wanted: str, left: list[_Left]) -> str:
    from overpaint.editors.typeset.matching import nearest

    said = {words: page.number for page in left for words in page.words}
    near = nearest(wanted, list(said))
    return f"The nearest to it is “{plain(near)}” on page {said[near]}." if near else ""
