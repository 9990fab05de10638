"""Layout: where the parts of a design stand, so that no words meet and all are large enough."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from overpaint.document.layers import Layer, Run, Style, Text
from overpaint.document.render import bounds
from overpaint.engines.milde.parts import LEADING, LOOSE, Box, Part

Lean = Literal["over", "under", "right", "left", "alone"]  # where the picture is
_TRIED = 50.0  # the size at which widths are measured
LEAST = 15.0  # pixels; no words are smaller
# Of the title's size.
SHARES: Mapping[str, float] = {
    "title": 1.0, "subtitle": 0.46, "date": 0.52, "place": 0.46, "price": 0.52,
    "deadline": 0.38, "cta": 0.46, "contact": 0.4, "organiser": 0.38, "badge": 0.5,
}  # fmt: skip


@dataclass(frozen=True)
class Room:
    """The regions of a canvas: for words, for the picture, and beside it for small things."""

    words: Box
    picture: Box
    lean: Lean


def rooms(size: tuple[int, int], lean: Lean, *, above: float, below: float) -> Room:
    """The regions of a canvas whose upper and lower shares are taken."""
    wide, high = size
    side = round(min(size) * 0.085)
    top, bottom = max(side, round(high * above)), high - max(side, round(high * below))
    if lean in ("left", "right"):
        cut = round(wide * 0.41)
        words = (side, top, wide - cut - side // 2, bottom)
        picture = (wide - cut + side // 3, top, wide - side, bottom)
        if lean == "left":
            words, picture = _mirrored(words, wide), _mirrored(picture, wide)
        return Room(words, picture, lean)
    if lean == "alone":
        return Room((side, top, wide - side, bottom), (0, 0, 0, 0), lean)
    cut = round((bottom - top) * (0.43 if high > wide else 0.36))
    if lean == "over":
        return Room((side, top + cut + side // 3, wide - side, bottom),
                    (side, top, wide - side, top + cut), lean)  # fmt: skip
    return Room((side, top, wide - side, bottom - cut - side // 3),
                (side, bottom - cut, wide - side, bottom), lean)  # fmt: skip


def _mirrored(box: Box, wide: int) -> Box:
    return wide - box[2], box[1], wide - box[0], box[3]


def pictures(room: Room, *, small: int) -> tuple[Box, list[Box]]:
    """The square of the picture, and squares for so many small things beside it."""
    left, top, right, bottom = room.picture
    wide, high = right - left, bottom - top
    if room.lean in ("left", "right"):
        side = min(wide, round(high * (0.7 if small else 0.95)))
        main = _square((left + right) / 2, top + (high - side) * (0.2 if small else 0.5), side)
        edge = min(round(wide * 0.48), round(high * 0.33))
        below = min(bottom - edge, round(main[3] - edge * 0.2))
        spots = [_square(right - edge / 2, below, edge), _square(left + edge / 2, below, edge)]
    else:
        side = min(high, round(wide * (0.52 if small else 0.8)))
        main = _square((left + right) / 2, top + (high - side) / 2, side)
        edge = min(round((wide - side) / 2 * 1.12), round(high * 0.6))
        spots = [_square(right - edge / 2, top + high * 0.03, edge),
                 _square(left + edge / 2, bottom - edge - high * 0.03, edge)]  # fmt: skip
    return main, spots[:small]


def _square(middle: float, top: float, side: int) -> Box:
    left = round(middle - side / 2)
    return left, round(top), left + side, round(top) + side


# ── words ───────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=4096)
def em_width(line: str, family: str, weight: int) -> float:
    """How wide a line is at a size of one."""
    style = Style(family, _TRIED, weight)
    box = bounds(Layer(Text((Run(line, style),)), "", "1", left=20.0, top=80.0))
    return (box[2] - box[0] + 2) / _TRIED if box else 0.0


def broken(words: str) -> str:
    """A title on two lines, as even as its spaces allow."""
    spaces = [i for i, letter in enumerate(words) if letter == " "]
    if not spaces:
        return words
    middle = min(spaces, key=lambda i: abs(i - len(words) / 2))
    return f"{words[:middle]}\n{words[middle + 1 :]}"


def stacked(
    texts: Sequence[Part],
    after: Mapping[str, tuple[str, ...]],
    room: Box,
    *,
    largest: float,
    beneath: float = 0.0,
) -> list[Part]:
    """The texts below each other in a room, sized so that what they say later fits as well.

    The box of the title is so much deeper, for what stands beneath it.
    """
    wide, high = room[2] - room[0], room[3] - room[1]
    size = largest
    sized = _sized(texts, after, size, wide)
    while (tall := _tall(sized, after) + beneath) > high and size > LEAST:
        size *= max(0.9, high / tall)
        sized = _sized(texts, after, size, wide)
    more = max(0.0, min((high - tall) / (len(sized) + 1), size * 0.6))
    y = room[1] + max(0.0, high - tall - more * (len(sized) - 1)) / 2
    placed: list[Part] = []
    for number, part in enumerate(sized):
        y += _gap(part, sized[number - 1]) + more if number else 0.0
        deep = _deep(part, after) + (beneath if "title" in part.roles else 0.0)
        placed.append(replace(part, box=(room[0], round(y), room[2], round(y + deep))))
        y += deep
    return placed


def _sized(
    texts: Sequence[Part], after: Mapping[str, tuple[str, ...]], size: float, wide: float
) -> list[Part]:
    return [_fitted(part, after.get(part.id, ()), size, wide) for part in texts]


def _fitted(part: Part, later: tuple[str, ...], size: float, wide: float) -> Part:
    """The text at its share of the size, or smaller where a line of now or later is too long."""
    first = max(SHARES[role] for role in part.roles) * size
    rest = max((SHARES[r] for r in part.roles if r != "title"), default=0) * size
    heads = {lines[0] for lines in (part.lines, later) if lines}
    tails = {line for lines in (part.lines, later) for line in lines[1:]}
    widest = {True: heads, False: tails}
    if "title" not in part.roles or not rest:
        widest, rest = {True: heads | tails, False: set()}, 0.0
    first = min(first, wide / _widest(widest[True], part))
    if rest and widest[False]:
        rest = max(LEAST, min(rest, wide / _widest(widest[False], part)))
    return replace(part, size=max(LEAST, round(first, 1)), rest=round(rest, 1))


def _widest(lines: set[str], part: Part) -> float:
    whole = (one for line in lines for one in line.split("\n"))
    return max((em_width(one, part.family, part.weight) for one in whole), default=0.01)


def _tall(texts: Sequence[Part], after: Mapping[str, tuple[str, ...]]) -> float:
    gaps = sum(_gap(part, above) for above, part in pairwise(texts))
    return sum(_deep(part, after) for part in texts) + gaps


def _gap(part: Part, above: Part) -> float:
    """The least room between two texts."""
    return max(part.size, above.size) * 0.26 + 4


def _deep(part: Part, after: Mapping[str, tuple[str, ...]]) -> float:
    return max(_high(part, lines) for lines in (part.lines, after.get(part.id, ())))


def _high(part: Part, lines: Sequence[str]) -> float:
    """How high these lines are in the sizes of a part."""
    breaks = sum(line.count("\n") for line in lines[:1])
    below = part.rest * LOOSE if part.rest else part.size * LEADING
    return part.size * (1.14 + breaks * LEADING) + max(0, len(lines) - 1) * below
