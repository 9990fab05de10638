"""Checking a PDF that was written: it says what it should, and looks the same everywhere else."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np

from overpaint.document.boxes import Box
from overpaint.document.layers import Layer, Pixels, Text
from overpaint.document.pdf.encoding import INSTEAD
from overpaint.document.pdf.opening import page_of
from overpaint.document.pdf.page import Page
from overpaint.document.pdf.reading import EXACT, Lifted, lifted
from overpaint.document.render import bounds
from overpaint.errors import Refused

_LOOKS = 20.0  # grey levels, on average, that a changed image may be off


@dataclass(frozen=True)
class Done:
    """What was done to a page besides changing its lines."""

    wanted: tuple[Layer, ...] = ()  # layers as they should be
    pictured: frozenset[str] = frozenset()  # ids of those whose words became pictures
    boxes: tuple[Box, ...] = ()  # where images were changed


def check(
    data: bytes, page: Page, before: Sequence[Lifted], edits: Sequence[Lifted], done: Done
) -> None:
    """Refuse a result that does not say its new words, or looks different elsewhere."""
    with _opened(data, page) as written:
        after = lifted(written)
        pixels = written.whole(notes=True)
    _check_words(after, [layer for layer in done.wanted if layer.id not in done.pictured])
    known = {(lift.line.words, lift.box) for lift in before}
    touched = [lift.box for lift in edits]
    touched += [lift.box for lift in after if (lift.line.words, lift.box) not in known]
    touched += [box for layer in done.wanted if (box := bounds(layer))]
    _check_rest(page.full, pixels, [*touched, *done.boxes])


def check_looks(data: bytes, page: Page, wanted: Pixels, boxes: Sequence[Box]) -> None:
    """Refuse a result that does not look as it should where images were changed."""
    with _opened(data, page) as written:
        pixels = written.whole(notes=True)
    for left, top, right, bottom in boxes:
        window = np.s_[top:bottom, left:right]
        off = np.abs(pixels[window][:, :, :3].astype(np.int16) - wanted[window])
        if off.mean() > _LOOKS:
            raise Refused(
                "The PDF would not show the change as it was made.",
                "Something lies over the image, or changes its colours.", INSTEAD,
            )  # fmt: skip


@contextmanager
def _opened(data: bytes, page: Page) -> Iterator[Page]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "written.pdf"
        path.write_bytes(data)
        with page_of(path, page.number, ours=True) as written:
            # New words would have it drawn at another resolution than a scan.
            written = replace(written, scale=page.scale)
            if written.size != page.size:  # each program mends a damaged size in its own way
                raise Refused(
                    "The change would give the PDF's page another size.",
                    "Nothing but the words was to change.", INSTEAD,
                )  # fmt: skip
            yield written


def _check_words(after: Sequence[Lifted], wanted: Sequence[Layer]) -> None:
    read = [_squeezed(lift.line.words) for lift in after]
    everything = "".join(read)
    for layer in wanted:
        if not isinstance(layer.content, Text) or not layer.visible:
            continue
        for line in layer.content.words.split("\n"):
            if _squeezed(line) not in everything:
                raise Refused(
                    f"{line!r} cannot be read back from the PDF it was written to.",
                    f"Its font {_lacking(_squeezed(line), read)}.",
                    INSTEAD,
                )


def _lacking(line: str, read: Sequence[str]) -> str:
    """Which letters of a line are not in what was read in its place."""
    near = max(read, key=lambda one: SequenceMatcher(None, line, one).quick_ratio(), default="")
    gone = " ".join(dict.fromkeys(letter for letter in line if letter not in near))
    return f"lacks {gone!r}, or spells it otherwise" if gone else "spells its letters otherwise"


def _squeezed(words: str) -> str:
    return "".join(words.split())


def _check_rest(
    old: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
    new: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
    touched: Sequence[Box],
) -> None:
    off = np.abs(old.astype(np.int16) - new).max(axis=2) > EXACT
    for left, top, right, bottom in touched:
        off[max(0, top - 2) : bottom + 2, max(0, left - 2) : right + 2] = False
    if off.any():
        raise Refused(
            f"The change would alter {int(off.sum()):,} pixels elsewhere on the page.",
            "Nothing but the words was to change.", INSTEAD,
        )  # fmt: skip
