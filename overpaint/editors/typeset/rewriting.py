"""Rewriting: a line of a picture says something else; what need not move keeps its very pixels."""

from dataclasses import replace

import numpy as np

from overpaint.document.layers import Layer, Pixels
from overpaint.editors.typeset.changes import Change
from overpaint.editors.typeset.pressing import cut_out, pressed
from overpaint.editors.typeset.printed import Printed

STILL = 0.13  # pixels: what would move by less stays, a letter's finest step being a quarter


def rewritten(pixels: Pixels, line: Printed, new: str, *, start: float | None = None) -> Pixels:
    """The picture with the line saying `new`, its pen at `start` or where it was."""
    moved = 0.0 if start is None else start - line.pen[0]
    return _set(pixels, line, new, Change.between(line.words, new), moved=moved)


def restyled(
    pixels: Pixels, line: Printed, span: tuple[int, int], other: Printed, *, start: float
) -> Pixels:
    """The picture with some letters of the line set as another is, its pen at `start`."""
    change = Change(span[0], len(line.words) - span[1])
    return _set(pixels, line, line.words, change, moved=start - line.pen[0], other=other)


def _set(
    pixels: Pixels, line: Printed, new: str, change: Change,
    *, moved: float = 0.0, other: Printed | None = None,
) -> Pixels:  # fmt: skip
    old = line.words
    if not line.exact:
        moved = float(round(moved))  # a cut-out letter keeps its pixels only at whole steps
    middle = new[change.head : len(new) - change.tail]
    gone = old[change.head : len(old) - change.tail]
    shift = moved + (other or line).wide(middle) - line.wide(gone)
    keep_head, keep_tail = abs(moved) < STILL, abs(shift) < STILL
    left = -np.inf if not keep_head or not change.head else cut_at(line, change.head)
    right = np.inf if not keep_tail or not change.tail else cut_at(line, len(old) - change.tail)
    if line.exact and other is None:
        # In one go, so that every word is rounded to the grid as it was when the line was set.
        whole = [line.text(new, line.pen[0] + moved, "line")]
        return pressed(pixels, line.lifted, whole, within=(left, right))
    layers = [] if keep_head else moved_part(line, 0, change.head, moved)
    if middle.strip():
        set_as = replace(other, pen=line.pen) if other else line
        layers.append(set_as.text(middle, line.pen_at(new, change.head) + moved, "new"))
    if not keep_tail:
        layers += moved_part(line, len(old) - change.tail, len(old), shift)
    return pressed(pixels, line.lifted, layers, within=(left, right))


def cut_at(line: Printed, at: int) -> float:
    """A column between the letters before and after a cut: where the least ink stands."""
    expected = line.pen_at(line.words, at)
    spaces = len(line.words[:at]) - len(line.words[:at].rstrip())
    reach = max(1.0, 0.12 * line.style.size) + (line.wide(" ") if spaces else 0.0)
    first = max(0, int(expected - line.lifted.left - reach))
    ink = line.lifted.cover[:, first : int(expected - line.lifted.left + reach / 2) + 2].sum(axis=0)
    if not ink.size:
        return expected
    # Of equally empty columns the last: what follows the gap is what changes.
    return float(line.lifted.left + first + len(ink) - 1 - int(np.argmin(ink[::-1])))


def moved_part(line: Printed, start: int, end: int, shift: float) -> list[Layer]:
    """Words that stay the same but move: drawn anew in a known font, else moved as they are."""
    words = line.words[start:end]
    if not words.strip():
        return []
    if line.exact:
        return [line.text(words, line.pen_at(line.words, start) + shift, f"from {start}")]
    lifted = line.lifted
    left = cut_at(line, start) if start else lifted.left
    right = cut_at(line, end) if end < len(line.words) else lifted.left + lifted.cover.shape[1]
    return [cut_out(lifted, (int(left), int(right)), (round(shift), 0))]
