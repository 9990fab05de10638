"""Posters on paper: a festival of tiles, and mountains to travel to."""

import math
from collections.abc import Callable
from dataclasses import replace

from overpaint.engines.posters.brush import Canvas, clouds, light, mix, ridge
from overpaint.engines.posters.lettering import Text, fit
from overpaint.engines.posters.revise import Job, Reviser, Scene

# ── a festival poster: tiles of circles and stripes above large letters ─────────────────

# paper, ink, accent, tiles
FESTIVAL = (
    ("#f5ede0", "#1f1c2b", "#d9481c", ("#e4572e", "#f3a712", "#2a6f97", "#1f1c2b", "#a9cfc3")),
    ("#14213d", "#fdf6e3", "#fca311", ("#fca311", "#e9e4d8", "#ef476f", "#118ab2", "#2b3f6b")),
    ("#fbe8d8", "#38184c", "#c62d52", ("#d1345b", "#ffb88a", "#38184c", "#6a4c93", "#8ac7b8")),
)


def festival(job: Job) -> Scene:
    """Geometric tiles, a large title, the date beside it and two columns beneath."""
    paper, ink, accent, colours = job.pick(FESTIVAL)
    canvas = Canvas(600, 768, paper)
    _tiles(canvas, job, colours)
    canvas.rect((40, 692, 560, 694), ink)
    w = job.words
    title = Text(w["title"], 38, 538, 110, ink, "display")
    date = Text(w["date"], 560, 538, 44, accent, "sans-bold", "r")
    texts = {
        "kicker": Text(w["kicker"], 41, 412, 17, accent, "sans-bold", tracking=0.1),
        "title": fit(title, 330, w["title>"]),
        "date": fit(date, 205, w["date>"]),
        "extra": Text(w["extra"], 560, 580, 24, ink, "sans", "r"),
        "place": Text(w["place"], 40, 734, 23, ink, "sans-bold"),
        "note": Text(w["note"], 560, 734, 19, ink, "sans", "r"),
    }
    edit = Reviser(job, texts, {"title": "title", "date": "date", "kicker": "heading"})
    lower = replace(texts["date"], y=668)
    same = ("the colour of the date", "与日期相同的颜色")
    revisions = (
        edit.delete("note"),
        edit.insert("extra", ("below the date, flush right with it", "日期下方靠右对齐处")),
        edit.change("date", w["date>"]),
        edit.change("title", w["title>"]),
        edit.swap("place", "note"),
        edit.move("date", lower, ("down, just above the thin line", "细横线的正上方")),
        edit.scale("kicker", 1.3),
        edit.scale("title", 0.7),
        edit.restyle("title", replace(texts["title"], colour=accent), same, context=2),
    )
    return Scene(canvas.finish(), texts, revisions, clutter=0)


def _tiles(canvas: Canvas, job: Job, colours: tuple[str, ...]) -> None:
    side, above = 120, [""] * 5
    for row in range(3):
        left = ""
        for column in range(5):
            ground = job.chance.choice([c for c in colours if c not in (left, above[column])])
            figure, mark = job.chance.sample([c for c in colours if c != ground], 2)
            tile = Canvas(side, side, ground)
            job.chance.choice(MOTIFS)(tile, side, (figure, mark))
            x, y = column * side, row * side
            canvas.patch(tile, (x, y, x + side, y + side), turn=90 * job.chance.randrange(4))
            left = above[column] = ground


def _quarter(tile: Canvas, side: float, inks: tuple[str, str]) -> None:
    tile.disc(0, 0, side, inks[0])
    tile.disc(0, 0, side / 2, inks[1])


def _target(tile: Canvas, side: float, inks: tuple[str, str]) -> None:
    tile.disc(side / 2, side / 2, side * 0.42, inks[0])
    tile.disc(side / 2, side / 2, side * 0.2, inks[1])


def _halves(tile: Canvas, side: float, inks: tuple[str, str]) -> None:
    tile.slice(side / 2, side / 2, side / 2, (180, 360), inks[0])
    tile.slice(side / 2, side, side / 2, (180, 360), inks[1])


def _stripes(tile: Canvas, side: float, inks: tuple[str, str]) -> None:
    for i in range(0, 6, 2):
        tile.rect((i * side / 6, 0, (i + 1) * side / 6, side), inks[0])


def _petals(tile: Canvas, side: float, inks: tuple[str, str]) -> None:
    leaf = [_on_leaf(t / 24, side) for t in range(25)]
    tile.shape(leaf + [(y, x) for x, y in reversed(leaf)], inks[0])
    tile.disc(side * 0.8, side * 0.2, side * 0.1, inks[1])


def _on_leaf(t: float, side: float) -> tuple[float, float]:
    turn = t * math.pi / 2
    return side * math.sin(turn), side * (1 - math.cos(turn))


def _dots(tile: Canvas, side: float, inks: tuple[str, str]) -> None:
    for i in range(3):
        for j in range(3):
            tile.disc(side * (i + 0.5) / 3, side * (j + 0.5) / 3, side * 0.085, inks[0])


MOTIFS: tuple[Callable[[Canvas, float, tuple[str, str]], None], ...]
MOTIFS = (_quarter, _quarter, _target, _halves, _stripes, _petals, _dots)

# ── a travel poster: ranges fading into the distance, framed in paper ───────────────────

# sky from top to horizon, sun, mist, nearest range, ink
TRAVEL = (
    (("#27476e", "#e07a5f", "#f9d9a8"), "#fff1c9", "#f2b48a", "#1d2f4a", "#1d2f4a"),
    (("#2d6a8e", "#8fc1c9", "#f4ecd0"), "#fffbe8", "#c5dcd3", "#15443f", "#17403f"),
    (("#4b2a63", "#c4507a", "#fbc49a"), "#ffe7bd", "#e79a98", "#2a1a40", "#3b2152"),
)
PAPER = "#f7f0e1"


def travel(job: Job) -> Scene:
    """A landscape above a paper band with the place name and two lines."""
    sky, sun, mist, near, ink = job.pick(TRAVEL)
    canvas = Canvas(560, 760, PAPER)
    canvas.patch(_landscape(job, sky, (sun, mist, near)), (24, 24, 536, 604))
    w = job.words
    role = job.either("serif-bold", "serif")
    title = Text(w["title"], 26, 672, 56, ink, role, tracking=0.06)
    texts = {
        "title": fit(title, 350, w["title>"]),
        "extra": Text(w["extra"], 534, 672, 19, ink, role, "r"),
        "line": Text(w["line"], 28, 714, 17, ink, "sans"),
        "corner": Text(w["corner"], 534, 714, 17, mix(ink, sky[1], 0.5), "sans-bold", "r"),
        "stamp": Text(w["stamp"], 512, 66, 19, "#ffffff", "sans-bold", "r"),
    }
    edit = Reviser(job, texts, {"title": "title", "stamp": "tag"})
    bright = replace(texts["title"], colour="#b3261e")
    revisions = (
        edit.delete("stamp"),
        edit.delete("line"),
        edit.insert("extra", ("at the right end of the line with the title", "标题同一行的最右边")),
        edit.change("corner", w["corner>"]),
        edit.change("title", w["title>"]),
        edit.move(
            "stamp",
            replace(texts["stamp"], x=48, align="l"),
            ("to the top left corner of the picture", "画面的左上角"),
        ),
        edit.swap("line", "corner"),
        edit.scale("title", 0.7),
        edit.scale("stamp", 1.5),
        edit.restyle("title", bright, ("dark red", "深红色")),
    )
    return Scene(canvas.finish(), texts, revisions, clutter=1)


def _landscape(job: Job, sky: tuple[str, str, str], tones: tuple[str, str, str]) -> Canvas:
    width, height, (sun, mist, near) = 512, 580, tones
    art = Canvas(width, height)
    art.fade((0, 0, width, height), [(0, sky[0]), (0.42, sky[1]), (0.72, sky[2]), (1, mist)])
    x, y = job.chance.uniform(130, 380), job.chance.uniform(180, 240)
    art.tint(light((width, height), (x, y), 90) * 0.75, sun)
    art.disc(x, y, 46, sun)
    veil = clouds(job.chance, (width, height), (260, 34), layers=2)
    art.tint((veil - 0.55) * 1.4, mix(sun, sky[2], 0.4))
    for layer in range(5):
        share = layer / 4
        colour = mix(mix(sky[2], mist, 0.6), near, 0.12 + 0.88 * share**1.3)
        base, rise = 300 + 62 * layer, 120 - 12 * layer
        line = ridge(job.chance, width + 1, rough=0.5 + 0.03 * layer)
        edge = [(float(i), base - rise * h) for i, h in enumerate(line)]
        art.shape([*edge, (width, height), (0, height)], colour)
    _pines(art, job, mix(near, "#000000", 0.35))
    return art


def _pines(art: Canvas, job: Job, colour: str) -> None:
    for i in range(34):
        x = i * 16 + job.chance.uniform(-7, 7)
        tall = job.chance.uniform(50, 92) * (1.25 - 0.5 * math.sin(x / 512 * math.pi))
        foot = 590
        for step in range(4):
            top = foot - tall + step * tall * 0.2
            half = tall * (0.1 + 0.055 * step)
            art.shape(
                [(x, top), (x + half, top + tall * 0.34), (x - half, top + tall * 0.34)], colour
            )
