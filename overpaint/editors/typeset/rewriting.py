"""Rewriting: a line of a picture says something else; what need not move keeps its very pixels."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from overpaint.document.layers import Layer, Pixels
from overpaint.document.runs import Span
from overpaint.editors.typeset.changes import Change
from overpaint.editors.typeset.pressing import cut_out, pressed
from overpaint.editors.typeset.printed import Printed

STILL = 0.13  # pixels: what would move by less stays, a letter's finest step being a quarter


def rewritten(pixels: Pixels, line: Printed, new: str, *, start: float | None = None) -> Pixels:
    """The picture with the line saying `new`, its pen at `start` or where it was."""
    moved = 0.0 if start is None else start - line.pen[0]
    return _set(pixels, line, new, Change.between(line.words, new), moved=moved)


def restyled(
    pixels: Pixels, line: Printed, spans: Sequence[Span], other: Printed, *, start: float
) -> Pixels:
    """The picture with some letters of the line set as another is, its pen at `start`."""
    shift = moved = _step(line, start - line.pen[0])
    set_as = replace(other, pen=line.pen)
    layers: list[Layer] = []
    at = 0
    for first, last in spans:
        words = line.words[first:last]
        layers += moved_part(line, at, first, shift) if at or not _still(moved) else []
        layers.append(set_as.text(words, line.pen_at(line.words, first) + shift, f"new {first}"))
        shift += other.wide(words) - line.wide(words)
        at = last
    layers += [] if _still(shift) else moved_part(line, at, len(line.words), shift)
    within = _changing(line, (spans[0][0], at), (moved, shift))
    return pressed(pixels, line.lifted, layers, within=within)


def _set(pixels: Pixels, line: Printed, new: str, change: Change, *, moved: float = 0.0) -> Pixels:
    old = line.words
    moved = _step(line, moved)
    middle = new[change.head : len(new) - change.tail]
    gone = old[change.head : len(old) - change.tail]
    shift = moved + line.wide(middle) - line.wide(gone)
    within = _changing(line, (change.head, len(old) - change.tail), (moved, shift))
    if line.exact:
        # In one go, so that every word is rounded to the grid as it was when the line was set.
        whole = [line.text(new, line.pen[0] + moved, "line")]
        return pressed(pixels, line.lifted, whole, within=within)
    layers = [] if _still(moved) else moved_part(line, 0, change.head, moved)
    if middle.strip():
        layers.append(line.text(middle, line.pen_at(new, change.head) + moved, "new"))
    if not _still(shift):
        layers += moved_part(line, len(old) - change.tail, len(old), shift)
    return pressed(pixels, line.lifted, layers, within=within)


def _step(line: Printed, moved: float) -> float:
    """How far a line can be moved: a cut-out letter keeps its pixels only at whole steps."""
    return moved if line.exact else float(round(moved))


def _still(shift: float) -> bool:
    return abs(shift) < STILL


def _changing(line: Printed, span: Span, shifts: tuple[float, float]) -> tuple[float, float]:
    """The columns that change: a span, and what is before and after it where that moves."""
    (head, tail), (before, after) = span, shifts
    left = cut_at(line, head) if head and _still(before) else -np.inf
    right = cut_at(line, tail) if tail < len(line.words) and _still(after) else np.inf
    return left, right


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
