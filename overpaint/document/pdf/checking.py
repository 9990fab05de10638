"""Checking a PDF that was written: it says what it should, and looks the same everywhere else."""

import tempfile
from collections.abc import Container, Sequence
from pathlib import Path

import numpy as np

from overpaint.document.layers import Layer, Text
from overpaint.document.pdf.encoding import INSTEAD
from overpaint.document.pdf.page import Box, Page, page_of
from overpaint.document.pdf.reading import EXACT, Lifted, lifted
from overpaint.document.render import bounds
from overpaint.errors import Refused


def check(
    data: bytes, page: Page, before: Sequence[Lifted], edits: Sequence[Lifted],
    wanted: Sequence[Layer], *, pictured: Container[str] = (),
) -> None:  # fmt: skip
    """Refuse a result that does not say its new words, or looks different elsewhere.

    `pictured`: ids of layers whose words became pictures.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "written.pdf"
        path.write_bytes(data)
        with page_of(path, page.number) as written:
            after = lifted(written)
            pixels = written.whole(notes=True)
    _check_words(after, [layer for layer in wanted if layer.id not in pictured])
    known = {(lift.line.words, lift.box) for lift in before}
    touched = [lift.box for lift in edits]
    touched += [lift.box for lift in after if (lift.line.words, lift.box) not in known]
    touched += [box for layer in wanted if (box := bounds(layer))]
    _check_rest(page.whole(notes=True), pixels, touched)


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
                    "Its font lacks letters, or spells them otherwise.",
                    INSTEAD,
                )


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
