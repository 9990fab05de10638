"""Grounds: what fills a canvas behind everything else, quiet enough for words to stand on."""

import math
from random import Random

import numpy as np

from overpaint.document import Pixels
from overpaint.engines.posters.brush import Canvas, clouds, light, mix

PLAIN = ("flat", "fade", "slant", "glow", "waves", "dots", "paper", "rays", "grid", "corner")
SCENES = ("hills", "sea", "city")


def draw(variant: str, size: tuple[int, int], colours: tuple[str, str], grain: int) -> Pixels:
    """A ground of that kind, H×W×4, in a colour and a touch of another."""
    canvas = Canvas(*size, colours[0])
    _KINDS[variant](canvas, colours, Random(grain))
    made = canvas.finish()
    return np.dstack([made, np.full(made.shape[:2], 255, np.uint8)])


def _touch(colours: tuple[str, str], share: float) -> str:
    return mix(colours[0], colours[1], share)


def _flat(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    pass


def _fade(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    strip = Canvas(2, canvas.height)  # drawn narrow and pulled wide: much sooner done
    strip.fade((0, 0, 2, canvas.height), [(0, colours[0]), (1, _touch(colours, 0.2))])
    canvas.patch(strip, (0, 0, canvas.width, canvas.height))


def _slant(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    small = Canvas(canvas.width // 6, canvas.height // 6)
    stops = [(0.0, _touch(colours, 0.16)), (0.6, colours[0]), (1.0, colours[0])]
    small.fade((0, 0, small.width, small.height), stops, angle=50)
    canvas.patch(small, (0, 0, canvas.width, canvas.height))


def _glow(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    place = (canvas.width * 0.5, canvas.height * 0.4)
    strength = light((canvas.width, canvas.height), place, canvas.height * 0.45)
    canvas.tint(strength * 0.18, colours[1])


def _waves(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    for step in range(3):
        base = canvas.height * (0.86 + 0.055 * step)
        start, sway = chance.uniform(0, 6), canvas.height * 0.018
        line = [
            (x, base + sway * math.sin(start + x / canvas.width * 7))
            for x in range(-4, canvas.width + 9, 6)
        ]
        line += [(canvas.width + 8, canvas.height + 9), (-4, canvas.height + 9)]
        canvas.shape(line, _touch(colours, 0.1 + 0.1 * step))


def _dots(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    step = max(22, canvas.width // 26)
    for row in range(canvas.height // step + 2):
        for column in range(canvas.width // step + 2):
            x = column * step + (step / 2 if row % 2 else 0)
            canvas.disc(x, row * step, step / 11, _touch(colours, 0.13))


def _paper(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    size = (canvas.width, canvas.height)
    field = clouds(chance, size, (canvas.width / 3, canvas.height / 3), layers=3)
    canvas.tint(np.round(field * 12) / 12 * 0.16, colours[1])


def _rays(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    x, y = canvas.width * 0.5, canvas.height * 0.42
    reach = canvas.width + canvas.height
    for i in range(0, 32, 2):
        ends = [(x + reach * math.cos(t), y + reach * math.sin(t))
                for t in (math.pi * i / 16, math.pi * (i + 1) / 16)]  # fmt: skip
        canvas.shape([(x, y), *ends], _touch(colours, 0.1))


def _grid(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    step = max(26, canvas.width // 22)
    for x in range(step, canvas.width, step):
        canvas.line([(x, 0), (x, canvas.height)], _touch(colours, 0.05), width=1)
    for y in range(step, canvas.height, step):
        canvas.line([(0, y), (canvas.width, y)], _touch(colours, 0.05), width=1)


def _corner(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    for share, reach in ((0.1, 0.62), (0.16, 0.46), (0.24, 0.3)):
        canvas.disc(canvas.width, canvas.height, canvas.width * reach, _touch(colours, share))
        canvas.disc(0, 0, canvas.width * reach * 0.5, _touch(colours, share))


def _ridge(canvas: Canvas, chance: Random, base: float, sway: float, fill: str) -> None:
    start, turns = chance.uniform(0, 6), chance.uniform(3, 6)
    line = [
        (x, canvas.height * (base + sway * math.sin(start + x / canvas.width * turns)))
        for x in range(-4, canvas.width + 9, 6)
    ]
    canvas.shape([*line, (canvas.width + 8, canvas.height + 9), (-4, canvas.height + 9)], fill)


def _hills(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    _fade(canvas, colours, chance)
    for step in range(3):
        fill = mix(mix(colours[0], "#3f8f5a", 0.3), "#3f8f5a", 0.25 * step)
        _ridge(canvas, chance, 0.84 + 0.055 * step, 0.03, fill)


def _sea(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    _fade(canvas, colours, chance)
    for step in range(4):
        fill = mix(mix(colours[0], "#2b86b8", 0.3), "#2b86b8", 0.2 * step)
        _ridge(canvas, chance, 0.85 + 0.04 * step, 0.008, fill)


def _city(canvas: Canvas, colours: tuple[str, str], chance: Random) -> None:
    _fade(canvas, colours, chance)
    x = -10.0
    while x < canvas.width:
        wide = chance.uniform(0.06, 0.12) * canvas.width
        top = canvas.height * chance.uniform(0.83, 0.93)
        fill = mix(colours[0], "#5b6b86", chance.choice((0.35, 0.45, 0.55)))
        canvas.rect((x, top, x + wide, canvas.height + 4), fill)
        for column in range(2):
            for row in range(int((canvas.height - top) // 26)):
                left, up = x + wide * (0.2 + 0.4 * column), top + 10 + row * 26
                canvas.rect((left, up, left + wide * 0.2, up + 11), _touch(colours, 0.35))
        x += wide


_KINDS = {
    "flat": _flat, "fade": _fade, "slant": _slant, "glow": _glow, "waves": _waves,
    "dots": _dots, "paper": _paper, "rays": _rays, "grid": _grid, "corner": _corner,
    "hills": _hills, "sea": _sea, "city": _city,
}  # fmt: skip
