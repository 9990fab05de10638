"""Figures: illustrations on their plates, and what decorates a design."""

import math
from collections.abc import Callable
from random import Random

import numpy as np
from PIL import Image

from overpaint.document import Pixels
from overpaint.engines.milde import (
    held_out_motifs,
    held_out_motifs_things,
    motifs_nature,
    motifs_things,
)
from overpaint.engines.milde.brush import Brush, darker, lighter
from overpaint.engines.posters.brush import mix

MOTIFS = {
    **motifs_nature.MOTIFS,
    **motifs_things.MOTIFS,
    **held_out_motifs.MOTIFS,
    **held_out_motifs_things.MOTIFS,
}
# Of these the main colour is but a part, and nobody would say that they are red.
PARTIAL = frozenset(
    (
        "snowman", "ice cream", "slice of pizza", "flask", "football", "plane", "tennis racket",
        "bicycle", "palette", "cake", "lamp", "mountain", "bowl of noodles", "tooth", "rocket",
        "castle", "magnifying glass", "eye", "scissors", "hammer", "balloons", "sailing boat",
    )
)  # fmt: skip
PLATES = ("", "disc", "arch", "blob", "square", "ring")
INSIDE = 0.7  # of a plate's side that a motif on it takes


def motif(name: str, side: int, tint: str, plate: tuple[str, str]) -> Pixels:
    """An illustration, in a colour of its own or in `tint`, on a plate of a shape and colour."""
    function, own = MOTIFS[name]
    shape, colour = plate
    if not shape:
        return _painted(function, side, tint or own)
    under = Brush(side)
    _PLATES[shape](under, colour)
    sheet = Image.fromarray(under.finish())
    inner = round(side * INSIDE)
    drawing = Image.fromarray(_painted(function, inner, tint or own))
    off = (side - inner) // 2
    sheet.alpha_composite(drawing, (off, off))
    return np.array(sheet)


def _painted(function: Callable[[Brush, str], None], side: int, colour: str) -> Pixels:
    brush = Brush(side)
    function(brush, colour)
    return brush.finish()


def _arch(b: Brush, colour: str) -> None:
    b.disc(50, 50, 46, colour)
    b.rect(4, 50, 96, 99, colour, r=4)


def _blob(b: Brush, colour: str) -> None:
    b.blob([(50, 3), (84, 12), (97, 46), (86, 84), (52, 97), (16, 88), (3, 52), (14, 18)], colour)


def _ring(b: Brush, colour: str) -> None:
    b.disc(50, 50, 49, colour)
    b.ring(50, 50, 46.5, lighter(colour, 0.6), 1.4)


_PLATES: dict[str, Callable[[Brush, str], None]] = {
    "disc": lambda b, colour: b.disc(50, 50, 49, colour),
    "square": lambda b, colour: b.rect(3, 3, 97, 97, colour, r=12),
    "arch": _arch,
    "blob": _blob,
    "ring": _ring,
}


# ── what decorates ──────────────────────────────────────────────────────────────────────


def seal(variant: str, side: int, colour: str) -> Pixels:
    """A sticker that words can stand on: a burst or a disc with a ring."""
    b = Brush(side)
    if variant == "burst":
        b.star(50, 50, (49, 42), 22, colour)
        b.ring(50, 50, 37.5, lighter(colour, 0.55), 1.3)
    else:
        b.disc(50, 50, 49, colour)
        b.ring(50, 50, 45, lighter(colour, 0.55), 1.6)
    return b.finish()


def pattern(name: str, size: tuple[int, int], colour: str, grain: int) -> Pixels:
    """Small motifs, or dots where none is named, along the upper edge and the lower corners."""
    chance = Random(grain)
    sheet = Image.new("RGBA", size, (0, 0, 0, 0))
    side = max(22, min(size) // 15)
    count = max(5, size[0] // (side * 3))
    for i in range(count):
        x = (i + 0.5) * size[0] / count - side / 2
        y = chance.uniform(0, max(1, size[1] - side))
        if name:
            function, own = MOTIFS[name]
            one = Image.fromarray(_painted(function, side, own))
        else:
            b = Brush(side)
            b.disc(50, 50, chance.choice((20, 30, 40)), colour)
            one = Image.fromarray(b.finish())
        sheet.alpha_composite(one, (round(max(0, x)), round(y)))
    return np.array(sheet)


def _wide(size: tuple[int, int], draw: Callable[[Brush, float], None]) -> Pixels:
    """What is drawn on a square of the width, cut to the height; 100 units are the width."""
    side = max(size)
    b = Brush(side)
    draw(b, 100.0 * size[1] / side)
    return b.finish()[: size[1], : size[0]]


def bunting(size: tuple[int, int], colours: tuple[str, str], grain: int) -> Pixels:
    """Pennants on a string."""
    shades = (colours[0], lighter(colours[0], 0.45), darker(colours[0], 0.2))

    def draw(b: Brush, high: float) -> None:
        count = 12
        line = [(100 * i / count, high * 0.5 * math.sin(math.pi * i / count)) for i in range(13)]
        for i in range(count):
            (x0, y0), (x1, y1) = line[i], line[i + 1]
            b.poly([(x0 + 0.7, y0), (x1 - 0.7, y1), ((x0 + x1) / 2, max(y0, y1) + high * 0.44)],
                   shades[i % 3])  # fmt: skip
        b.line(line, darker(colours[0], 0.35), 0.5)

    return _wide(size, draw)


def corners(size: tuple[int, int], colours: tuple[str, str], grain: int) -> Pixels:
    """Quarter rings in two opposite corners, for the whole canvas."""
    sheet = Image.new("RGBA", size, (0, 0, 0, 0))
    side = round(min(size) * 0.2)
    b = Brush(2 * side)
    for radius, fill in ((49, colours[0]), (38, lighter(colours[0], 0.5)), (27, colours[0])):
        b.disc(50, 50, radius, fill)
    whole = Image.fromarray(b.finish())
    sheet.paste(whole.crop((side, side, 2 * side, 2 * side)), (0, 0))
    sheet.paste(whole.crop((0, 0, side, side)), (size[0] - side, size[1] - side))
    return np.array(sheet)


def ribbon(size: tuple[int, int], colours: tuple[str, str], grain: int) -> Pixels:
    """A folded ribbon with two tails."""
    fill, fold = colours[0], darker(colours[0], 0.35)

    def draw(b: Brush, high: float) -> None:
        tail = mix(fill, "#000000", 0.16)
        b.poly([(0, high * 0.24), (14, high * 0.24), (14, high), (0, high), (4, high * 0.62)], tail)
        b.poly([(100, high * 0.24), (86, high * 0.24), (86, high), (100, high), (96, high * 0.62)],
               tail)  # fmt: skip
        b.poly([(8, high * 0.78), (14, high * 0.78), (14, high)], fold)
        b.poly([(92, high * 0.78), (86, high * 0.78), (86, high)], fold)
        b.rect(8, 0, 92, high * 0.78, fill)

    return _wide(size, draw)


DECORATIONS = {"bunting": bunting, "corners": corners, "ribbon": ribbon}
