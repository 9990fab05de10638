"""Placing: where new or changed words go, and in which style."""

import re
from collections.abc import Mapping
from dataclasses import replace
from statistics import median

from overpaint.document import geometry
from overpaint.document.boxes import Box
from overpaint.document.layers import Align, Layer, Point, Run, Style, Text
from overpaint.document.model import Document
from overpaint.document.render import bounds
from overpaint.document.where import direction, short
from overpaint.errors import Refused

MARGIN = 0.04  # of the canvas, around what is moved to its edge
LEAST = 0.7  # of its size to which text is shrunk so that it fits
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
    old, new = bounds(before), bounds(after)
    if old is None or new is None or not _inside(old, document.size):
        return after
    for percent in range(100, round(100 * LEAST) - 1, -2):
        if new is None or _inside(new, document.size):
            return after
        after = replace(after, content=_at_size(after, before, percent / 100))
        new = bounds(after)
    words = after.content.words if isinstance(after.content, Text) else after.name
    raise Refused(
        f"“{short(words)}” does not fit on the canvas, even at {LEAST:.0%} of its size.",
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


def _at_size(after: Layer, before: Layer, share: float) -> Text:
    """The changed text at a share of the size it would have had."""
    text, own = after.content, before.content
    assert isinstance(text, Text)
    assert isinstance(own, Text)
    now = text.style.size / own.style.size
    runs = tuple(Run(run.words, geometry.scaled_style(run.style, share / now)) for run in text.runs)
    return replace(text, runs=runs)
