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
ENDLESS = 10  # diagonals of the canvas: a new text this long is no mistake of a few words
SMALLEST = 4.0  # pixels: text is not shrunk to less
IN_LINE = 0.01  # of the canvas: sides and middles no farther apart are in line
BROAD = 0.9  # of the canvas: what is broader is a ground, and in line with anything
_SHARES: Mapping[str, float] = {"centre": 0.5, "right": 1.0}
_OVER = ("at", "inside")  # sides that are none: on top of something
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


def beside(box: Box, target: Box, side: str, *, share: float = 0.0) -> Point:
    """The corner that puts a box on one side of another, a little apart, in line with it.

    Above and below, `share` says what is in line: 0 the left sides, ½ the middles, 1 the right.
    """
    (wide, high), (broad, tall) = _sizes(box), _sizes(target)
    left, top, right, bottom = target
    gap = 0.4 * min(tall, high)
    level = bottom - high  # on about the same baseline
    start = left + share * (broad - wide)
    return {
        "left": (left - wide - gap, level), "before": (left - wide - gap, level),
        "right": (right + gap, level), "after": (right + gap, level),
        "above": (start, top - high - gap), "below": (start, bottom + gap),
    }.get(side, ((left + right - wide) / 2, (top + bottom - high) / 2))  # fmt: skip


def put_beside(document: Document, layer: Layer, target: Layer, side: str) -> Layer:
    """The layer on one side of another, in line as they are, and on the canvas."""
    box, goal = drawn_box(layer), drawn_box(target)
    share = in_line(document, layer, target) if side in ("above", "below") else 0.0
    corner = beside(box, goal, side, share=share)
    known = any(one is layer for one in document)
    if not known or _inside(box, document.size):
        corner = _brought_inside(corner, box, document.size)
        room = (*corner, corner[0] + box[2] - box[0], corner[1] + box[3] - box[1])
        if not _inside(room, document.size) or (side not in _OVER and _overlap(room, goal)):
            raise _beyond(layer, target, side)
    return put(layer, corner)


def in_line(document: Document, layer: Layer, target: Layer) -> float:
    """What of a layer is in line with another above or below it: 0 left, ½ middle, 1 right."""
    own = _SHARES.get(target.content.style.align, 0.0) if isinstance(target.content, Text) else 0.0
    goal, slack = drawn_box(target), max(2.0, IN_LINE * document.size[0])

    def common(one: Layer) -> float | None:
        box = bounds(one)
        if box is None or box[2] - box[0] > BROAD * document.size[0]:
            return None
        apart = {share: abs(_along(box, share) - _along(goal, share)) for share in (own, 0, 0.5, 1)}
        return next((share for share, far in apart.items() if far <= slack), None)

    known = any(one is layer for one in document)
    if known and (share := common(layer)) is not None:
        return share
    if own:
        return own
    # Some files tell nothing of alignment, but what else stands above and below does.
    others = [one for one in document if one.kind in ("text", "picture")]
    votes = [common(one) for one in others if one is not target and one.visible]
    return max((0.0, 0.5, 1.0), key=votes.count)


def drawn_box(layer: Layer) -> Box:
    """The box of what a layer draws; `Refused` where it draws nothing."""
    box = bounds(layer)
    if box is None:
        raise Refused(f"Layer {layer.name!r} shows nothing, so it has no place.")
    return box


def put(layer: Layer, corner: Point) -> Layer:
    """The layer with the corner of what it draws elsewhere."""
    box = drawn_box(layer)
    return geometry.shifted(layer, corner[0] - box[0], corner[1] - box[1])


def _along(box: Box, share: float) -> float:
    return box[0] + share * (box[2] - box[0])


def _brought_inside(corner: Point, box: Box, size: tuple[int, int]) -> Point:
    """The corner moved as little as brings a box of this size inside, where it fits."""
    moved = [
        min(max(0.0, at), room - long) if long <= room else at
        for at, room, long in zip(corner, size, _sizes(box), strict=True)
    ]
    return moved[0], moved[1]


def _overlap(room: tuple[float, float, float, float], goal: Box) -> bool:
    return (
        room[0] < goal[2] and goal[0] < room[2] and room[1] < goal[3] and goal[1] < room[3]
    )  # fmt: skip


def _beyond(layer: Layer, target: Layer, side: str) -> Refused:
    one, other = (
        short(each.content.words) if isinstance(each.content, Text) else each.name
        for each in (layer, target)
    )
    way = {"left": "to the left of", "right": "to the right of"}.get(side, side)
    return Refused(
        f"“{one}” would reach beyond the canvas {way} “{other}”.",
        "It must stay inside.",
        "Say another place, or make it smaller.",
    )


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


def check_length(document: Document, layer: Layer) -> None:
    """`Refused` where a new text is so long that drawing it, to find its place, takes seconds."""
    if not isinstance(layer.content, Text):
        return
    if max(measure(layer.content)) > ENDLESS * math.hypot(*document.size):
        raise _no_room(layer, 100)


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
        own = like.content.style
        return _alone(replace(own, align="left" if own.align == "justify" else own.align))
    texts = [layer.content for layer in document if isinstance(layer.content, Text)]
    if texts:
        size = median(text.style.size for text in texts)
        return _alone(replace(texts[0].style, size=size, align="left"))
    return Style(size=round(0.04 * min(document.size)))


def _alone(style: Style) -> Style:
    """The style of words that are no part of a list."""
    return replace(style, indent=0.0, bullet="", hang=0.0)


def joined(before: str, words: str, after: str) -> str:
    """The words with the spaces they need between two others; none beside a Chinese letter."""
    ahead = before[-1:] and not before[-1].isspace() and not _TIGHT.match(before[-1])
    behind = after[:1] and not after[0].isspace() and after[0] not in ".,;:!?)]}’”"
    lead = " " if ahead and not _TIGHT.match(words[:1]) and words[:1] not in ".,;:!?)" else ""
    trail = " " if behind and not _TIGHT.match(after[0]) and not _TIGHT.match(words[-1:]) else ""
    return f"{lead}{words}{trail}"


def _sizes(box: Box) -> tuple[int, int]:
    return box[2] - box[0], box[3] - box[1]


def _inside(box: tuple[float, float, float, float], size: tuple[int, int]) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1]


def _at_share(after: Layer, before: Layer, percent: int) -> Layer:
    """The changed text at a percentage of the size that it had."""
    text, own = after.content, before.content
    if percent == 100 or not isinstance(text, Text) or not isinstance(own, Text):
        return after
    share = percent / 100 * own.style.size / text.style.size
    runs = tuple(Run(run.words, geometry.scaled_style(run.style, share)) for run in text.runs)
    return replace(after, content=replace(text, runs=runs))
