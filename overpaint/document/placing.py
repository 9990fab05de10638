"""Placing: where new or changed words go, and in which style."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from statistics import median

from overpaint.document import geometry
from overpaint.document.boxes import Box
from overpaint.document.layers import Align, Layer, Point, Run, Style, Text
from overpaint.document.model import Document
from overpaint.document.render import bounds
from overpaint.document.text.setting import measure
from overpaint.document.where import direction, short
from overpaint.errors import Refused

MARGIN = 0.04  # of the canvas, around what is moved to its edge
LEAST = 0.7  # of its size to which text is shrunk so that it fits
SMALLEST = 4.0  # pixels: text is not shrunk to less
# Asked for a kind of font, these are taken; all come with the installation.
KINDS: Mapping[str, str] = {
    "serif": "PT Serif", "sans": "PT Sans", "mono": "Roboto Mono", "handwritten": "Kalam",
    "display": "Anton",
}  # fmt: skip
_TIGHT = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")


def at(box: Box, size: tuple[int, int], place: str) -> Point:
    """The corner that puts a box at a place of the canvas."""
    across, down = direction(place)
    corner = []
    for step, room, long in zip((across, down), size, _sizes(box), strict=True):
        edge = MARGIN * min(size)
        corner.append({-1: edge, 0: (room - long) / 2, 1: room - long - edge}[step])
    return corner[0], corner[1]


def beside(box: Box, target: Box, side: str) -> Point:
    """The corner that puts a box on one side of another, a little apart, in line with it."""
    (wide, high), (_, tall) = _sizes(box), _sizes(target)
    left, top, right, bottom = target
    gap = 0.4 * min(tall, high)
    level = bottom - high  # on about the same baseline
    return {
        "left": (left - wide - gap, level), "before": (left - wide - gap, level),
        "right": (right + gap, level), "after": (right + gap, level),
        "above": (left, top - high - gap), "below": (left, bottom + gap),
    }.get(side, ((left + right - wide) / 2, (top + bottom - high) / 2))  # fmt: skip


def kept_inside(document: Document, before: Layer, after: Layer) -> Layer:
    """The changed layer, shrunk where it would leave the canvas that it was inside of."""
    old = bounds(before)
    if old is None or not _inside(old, document.size):
        return after
    least = _least(before)
    if isinstance(after.content, Text) and _hopeless(after.content, document.size, least):
        raise _no_room(after, least)
    shares = range(100, least - 1, -2)

    def fits(step: int) -> bool:
        new = bounds(_at_share(after, before, shares[step]))
        return new is None or _inside(new, document.size)

    if fits(0):
        return after
    if not fits(-1):
        raise _no_room(after, least)
    # The first size that fits, found by halves: each try draws the text.
    low, high = 0, len(shares) - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return _at_share(after, before, shares[high])


def _least(before: Layer) -> int:
    """To what percentage of its size a text may be shrunk: it has to stay legible."""
    size = before.content.style.size if isinstance(before.content, Text) else SMALLEST
    return round(100 * min(1.0, max(LEAST, SMALLEST / size)))


def _hopeless(text: Text, size: tuple[int, int], least: int) -> bool:
    """Whether lines are so long, or so many, that nobody needs to draw them to see it."""
    reach = max(measure(text)) * (least / 100) ** 2  # shorter lines are fewer, too
    return reach > 1.1 * math.hypot(*size)


def _no_room(after: Layer, least: int) -> Refused:
    words = after.content.words if isinstance(after.content, Text) else after.name
    even = f", even at {least}% of its size" if least < 100 else ""
    return Refused(
        f"“{short(words)}” does not fit on the canvas{even}.",
        "Fewer words were expected.",
        "Or make the text smaller first.",
    )


def aligned(document: Document, layer: Layer, align: Align) -> Layer:
    """The text aligned in its box; without one, between equal margins of the canvas."""
    text = layer.content
    box = bounds(layer)
    assert isinstance(text, Text)
    runs = tuple(Run(run.words, replace(run.style, align=align)) for run in text.runs)
    changed = replace(layer, content=replace(text, runs=runs, drawn=None, drawn_at=(0.0, 0.0)))
    if text.width is not None or box is None:
        return changed
    wide = document.size[0]
    edge = max(0, min(box[0], wide - box[2]))
    left = {"centre": wide / 2, "right": wide - edge}.get(align, edge)
    return replace(changed, left=float(left))


def family(asked: str, style: Style) -> str:
    """The family that is meant: by its own name, by its kind, or any other than now."""
    if asked == "other":
        return KINDS["sans"] if "serif" in style.family.lower() else KINDS["serif"]
    return KINDS.get(asked, asked)


def style_for(document: Document, like: Layer | None) -> Style:
    """The style of a text that new words stand beside, or one that suits the document."""
    if like is not None and isinstance(like.content, Text):
        return replace(like.content.style, align="left")
    texts = [layer.content for layer in document if isinstance(layer.content, Text)]
    if texts:
        size = median(text.style.size for text in texts)
        return replace(texts[0].style, size=size, align="left")
    return Style(size=round(0.04 * min(document.size)))


def joined(before: str, words: str, after: str) -> str:
    """The words with the spaces they need between two others; none beside a Chinese letter."""
    ahead = before[-1:] and not before[-1].isspace() and not _TIGHT.match(before[-1])
    behind = after[:1] and not after[0].isspace() and after[0] not in ".,;:!?)]}’”"
    lead = " " if ahead and not _TIGHT.match(words[:1]) and words[:1] not in ".,;:!?)" else ""
    trail = " " if behind and not _TIGHT.match(after[0]) and not _TIGHT.match(words[-1:]) else ""
    return f"{lead}{words}{trail}"


def _sizes(box: Box) -> tuple[int, int]:
    return box[2] - box[0], box[3] - box[1]


def _inside(box: Box, size: tuple[int, int]) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1]


def _at_share(after: Layer, before: Layer, percent: int) -> Layer:
    """The changed text at a percentage of the size that it had."""
    text, own = after.content, before.content
    if percent == 100 or not isinstance(text, Text) or not isinstance(own, Text):
        return after
    share = percent / 100 * own.style.size / text.style.size
    runs = tuple(Run(run.words, geometry.scaled_style(run.style, share)) for run in text.runs)
    return replace(after, content=replace(text, runs=runs))
