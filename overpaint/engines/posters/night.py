"""Neon letters and a neon figure on a brick wall at night."""

import math
from dataclasses import replace

from overpaint.engines.posters.brush import Canvas, Point, light, mix
from overpaint.engines.posters.lettering import Text, fit
from overpaint.engines.posters.revise import Job, Reviser, Scene

# wall, first tube, second tube
NEON = (
    ("#3a2430", "#ff3d8b", "#35d6ff"),
    ("#25283c", "#ff7a2f", "#8f7bff"),
    ("#1f3236", "#ffd23f", "#2ff2c0"),
)
WHITE_HOT = 0.82


def neon(job: Job) -> Scene:
    """A name in light above what the place is, with a figure beside it."""
    wall, first, second = job.pick(NEON)
    canvas = Canvas(720, 540, mix(wall, "#000000", 0.55))
    _bricks(canvas, job, wall)
    size = (720, 540)
    canvas.tint(light(size, (310, 200), 230) * 0.34, first)
    canvas.tint(light(size, (600, 330), 130) * 0.3, second)
    FIGURES[job.words["look"]](canvas, second)
    w = job.words
    tall, y = (124, 236) if job.language == "en" else (150, 256)
    title = fit(Text(w["title"], 62, y, tall, role="script"), 420, w["title>"])
    sub = fit(Text(w["sub"], 66, 376, 46, role="display", tracking=0.08), 400)
    texts = {
        "title": _lit(title, first, 13),
        "sub": _lit(sub, second, 8),
        "hours": _lit(Text(w["hours"], 66, 462, 40, role="display"), first, 7),
        "note": _lit(Text(w["note"], 66, 86, 32, role="script"), second, 8),
        "extra": _lit(Text(w["extra"], 646, 92, 44, role="display", align="r"), first, 8),
    }
    edit = Reviser(job, texts, {"title": "shop", "hours": "hours", "extra": "tag"})
    red = _lit(texts["title"], "#ff3030", 13)
    green = _lit(texts["sub"], "#5dff6a", 8)
    below = replace(texts["note"], x=646, y=480, align="r")
    revisions = (
        edit.delete("extra"),
        edit.delete("note"),
        edit.insert(
            "extra", ("at the top right, in the colour of the title", "右上角用店名的颜色")
        ),
        edit.change("hours", w["hours>"]),
        edit.change("title", w["title>"]),
        edit.move("note", below, ("to the bottom right corner", "右下角")),
        edit.turn("extra", 10),
        edit.scale("hours", 1.5),
        edit.scale("sub", 0.7),
        edit.restyle("title", red, ("red neon light", "红色霓虹灯光")),
        edit.restyle("sub", green, ("green neon light", "绿色霓虹灯光")),
    )
    return Scene(canvas.finish(), texts, revisions, clutter=2)


def _lit(text: Text, light_colour: str, spread: float) -> Text:
    """The text as a tube of light that reaches `spread` pixels."""
    return replace(text, colour=_tube(light_colour), glow=light_colour, spread=spread)


def _tube(light_colour: str) -> str:
    """The colour of the glass itself: almost white, with a breath of its light."""
    return mix(light_colour, "#ffffff", WHITE_HOT)


def _bricks(canvas: Canvas, job: Job, wall: str) -> None:
    tall, wide, gap = 30, 80, 3
    for row in range(-1, 19):
        for column in range(-1, 10):
            x, y = column * wide + (wide // 2 if row % 2 else 0), row * tall
            shade = mix(mix(wall, "#000000", 0.28), wall, job.chance.random())
            canvas.rect((x, y, x + wide - gap, y + tall - gap), shade, radius=2)
            canvas.rect((x + 1, y, x + wide - gap - 1, y + 2), mix(shade, "#ffffff", 0.07))


def _glass(canvas: Canvas, points: list[Point], colour: str) -> None:
    """A bent tube: a wide glow, a narrow one, and the glass."""
    for width, alpha, blur in ((16.0, 0.35, 14.0), (9.0, 0.75, 4.0)):
        canvas.line(points, colour, width=width, alpha=alpha, blur=blur)
    canvas.line(points, _tube(colour), width=3.6)


def _bowl(canvas: Canvas, colour: str) -> None:
    half = [
        (600 + 76 * math.cos(t / 20 * math.pi), 330 + 70 * math.sin(t / 20 * math.pi))
        for t in range(21)
    ]
    _glass(canvas, [*half, half[0]], colour)
    _glass(canvas, [(572, 410), (628, 410)], colour)
    for lean in (0, 18):
        _glass(canvas, [(610 + lean, 318), (648 + lean, 226)], colour)
    for x in (556, 582):
        _glass(canvas, [(x + 7 * math.sin(i / 4), 306 - 3.2 * i) for i in range(22)], colour)


def _music(canvas: Canvas, colour: str) -> None:
    for x, y in ((566, 404), (642, 384)):
        head = [(x + 24 * math.cos(t / 10), y + 18 * math.sin(t / 10)) for t in range(64)]
        _glass(canvas, head, colour)
    _glass(canvas, [(590, 404), (590, 266), (666, 244), (666, 384)], colour)
    _glass(canvas, [(590, 294), (666, 272)], colour)


def _star(canvas: Canvas, colour: str) -> None:
    points = []
    for i in range(11):
        reach, turn = (80, 34)[i % 2], -math.pi / 2 + i * math.pi / 5
        points.append((590 + reach * math.cos(turn), 330 + reach * math.sin(turn)))
    _glass(canvas, points, colour)
    ring = [(590 + 104 * math.cos(t / 20), 330 + 104 * math.sin(t / 20)) for t in range(127)]
    _glass(canvas, ring, colour)


FIGURES = {"bowl": _bowl, "note": _music, "star": _star}
