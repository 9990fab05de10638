"""Things on a shelf: a book cover, a tin with a round label, fruit at a price."""

import math
from dataclasses import replace

from overpaint.engines.posters.brush import Canvas, Point, light, mix
from overpaint.engines.posters.lettering import Cylinder, Text, fit
from overpaint.engines.posters.revise import Job, Reviser, Scene

# ── a book cover: moon and waves ────────────────────────────────────────────────────────

# sky above, sky below, moon, wave, line of the waves, letters
BOOK = (
    ("#10243f", "#2f5d7c", "#f6e7c1", "#163a5a", "#8fb8c9", "#f6e7c1"),
    ("#5b1f2e", "#b5523f", "#fbe3b5", "#43131f", "#e2a07a", "#fdeccb"),
    ("#123b35", "#4b8a73", "#f3eec3", "#0d2d29", "#9cc9ae", "#f6f2d0"),
)


def book(job: Job) -> Scene:
    """A cover with a low moon over patterned waves; Chinese titles run downwards."""
    top, low, moon, wave, line, letters = job.pick(BOOK)
    canvas = Canvas(540, 740, "#ffffff")
    canvas.fade((0, 0, 540, 740), [(0, top), (0.75, low), (1, low)])
    canvas.tint(light((540, 740), (350, 395), 120) * 0.5, moon)
    canvas.disc(350, 395, 104, moon)
    _waves(canvas, wave, line)
    canvas.rect((0, 616, 540, 740), mix(wave, "#000000", 0.25))
    canvas.rect((0, 616, 540, 618), line)
    canvas.frame((22, 22, 518, 718), letters, width=1.5)
    for x, strength in ((0, 0.34), (4, 0.18), (10, 0.1)):
        canvas.rect((x, 0, x + 9, 740), "#000000", alpha=strength, blur=2)
    texts = _book_texts(job, letters)
    w, title = job.words, texts["title"]
    edit = Reviser(job, texts, {"title": "title", "author": "author"})
    dawn = mix(moon, "#ff8a3c", 0.55)
    right = replace(texts["author"], x=490, align="r")
    revisions = (
        edit.delete("quote"),
        edit.insert("extra", ("above the author's name, centred", "作者名上方居中处")),
        edit.change("author", w["author>"]),
        edit.correct("title", w["typo"]),
        edit.move("author", right, ("to the bottom right corner", "右下角")),
        edit.scale("author", 1.3),
        edit.restyle("title", replace(title, colour=dawn), ("orange", "橙色")),
    )
    return Scene(canvas.finish(), texts, revisions, clutter=1)


def _book_texts(job: Job, letters: str) -> dict[str, Text]:
    w = job.words
    author = Text(w["author"], 270, 694, 27, letters, job.either("serif", "sans"), "m", 0.04)
    extra = Text(w["extra"], 270, 652, 17, letters, "sans", "m")
    if job.language == "zh":
        size = 80 if len(w["title"]) > 2 else 112
        return {
            "extra": extra,
            "title": Text(w["title"], 122, 72, size, letters, "serif-bold", down=True),
            "series": Text(w["series"], 206, 90, 20, letters, "serif", tracking=0.2, down=True),
            "quote": Text(w["quote"], 482, 100, 19, letters, "serif", tracking=0.16, down=True),
            "author": author,
        }
    return {
        "extra": extra,
        "series": Text(w["series"], 58, 86, 16, letters, "sans-bold", tracking=0.25),
        "title": fit(Text(w["title"], 54, 164, 76, letters, "serif-bold"), 430),
        "quote": Text(w["quote"], 58, 296, 18, letters, "serif"),
        "author": author,
    }


def _waves(canvas: Canvas, wave: str, line: str) -> None:
    radius = 45.0
    for row in range(12):
        y = 470 + row * radius * 0.5
        shift = radius if row % 2 else 0
        for column in range(-1, 8):
            x = column * 2 * radius + shift
            for i, part in enumerate((1, 0.78, 0.56, 0.34)):
                canvas.disc(x, y, radius * part, line)
                canvas.disc(x, y, radius * part - 2.2, mix(wave, line, 0.05 * i + 0.012 * row))


# ── a market poster: cut fruit and a price ──────────────────────────────────────────────

# ground, letters, rind, flesh, whole fruit, leaf
SALE = {
    "orange": ("#fde6b8", "#3f2a14", "#f28c1b", "#ffb347", "#f08a1c", "#4c7a34"),
    "grapefruit": ("#ffd9d2", "#5a1a2b", "#f0a35e", "#f2637e", "#f39a5b", "#4f7d4a"),
    "lime": ("#e3f0c4", "#1f3d22", "#5d9b37", "#b8da6b", "#6aa83e", "#2f6b34"),
}


def sale(job: Job) -> Scene:
    """Fruit on a plain ground with the name above and the price in a disc."""
    ground, ink, rind, flesh, whole, leaf = SALE[job.words["look"]]
    canvas = Canvas(640, 640, ground)
    for i in range(0, 36, 2):
        canvas.slice(470, 500, 900, (i * 10, i * 10 + 10), mix(ground, "#ffffff", 0.35))
    _whole_fruit(canvas, (318, 346, 90), whole, leaf)
    _whole_fruit(canvas, (588, 300, 78), whole, leaf)
    _cut_fruit(canvas, (462, 478, 190), rind, flesh)
    canvas.disc(148, 478, 124, ink)
    canvas.ring(148, 478, 114, ground, width=2)
    w = job.words
    title = Text(w["title"], 42, 118, 80, ink, job.either("script", "display"))
    texts = {
        "title": fit(title, 556, w["title>"]),
        "sub": Text(w["sub"], 46, 188, 24, ink, "sans"),
        "price": fit(Text(w["price"], 148, 500, 58, ground, "sans-bold", "m"), 186, w["price>"]),
        "unit": Text(w["unit"], 148, 540, 22, ground, "sans", "m"),
        "extra": Text(w["extra"], 46, 230, 24, ink, "sans-bold"),
        "note": Text(w["note"], 148, 436, 20, ground, "sans-bold", "m"),
    }
    edit = Reviser(job, texts, {"title": "title", "price": "price"})
    tint = mix(rind, "#c02000", 0.6) if rind != "#5d9b37" else "#2e7d32"
    hue = ("dark green", "深绿色") if rind == "#5d9b37" else ("brick red", "砖红色")
    revisions = (
        edit.delete("sub"),
        edit.delete("note"),
        edit.insert("extra", ("below the line under the title, in bold", "副标题下方用粗体")),
        edit.change("price", w["price>"]),
        edit.change("title", w["title>"]),
        edit.turn("extra", 10),
        edit.turn("title", 4),
        edit.scale("unit", 1.3),
        edit.scale("title", 0.7),
        edit.scale("sub", 1.3),
        edit.restyle("title", replace(texts["title"], colour=tint), hue),
    )
    return Scene(canvas.finish(), texts, revisions, clutter=1)


def _whole_fruit(canvas: Canvas, place: tuple[float, float, float], skin: str, leaf: str) -> None:
    x, y, r = place
    canvas.oval(
        (x - r * 0.9, y + r * 0.72, x + r * 0.9, y + r * 1.12), "#000000", alpha=0.22, blur=10
    )
    canvas.disc(x, y, r, mix(skin, "#000000", 0.12))
    for i in range(14):
        t = i / 13
        shade = mix(mix(skin, "#000000", 0.12), mix(skin, "#ffffff", 0.3), t)
        canvas.disc(x - r * 0.26 * t, y - r * 0.3 * t, r * (1 - 0.72 * t), shade)
    _leaf(canvas, (x + 2, y - r * 0.93), (r * 0.8, -0.5), leaf)
    canvas.disc(x + 2, y - r * 0.93, r * 0.06, mix(leaf, "#000000", 0.3))


def _leaf(canvas: Canvas, foot: Point, reach: Point, colour: str) -> None:
    """A leaf from its foot; `reach` is its length and its angle in radians."""
    length, angle = reach
    across, along = math.cos(angle), math.sin(angle)

    def at(t: float, bulge: float) -> Point:
        side = bulge * math.sin(t * math.pi) * length * 0.26
        return foot[0] + t * length * across - side * along, foot[
            1
        ] + t * length * along + side * across

    upper, lower = [at(t / 20, 1) for t in range(21)], [at(t / 20, -1) for t in range(21)]
    canvas.shape(upper + lower[::-1], colour)
    canvas.shape(upper + [at(t / 20, 0) for t in range(20, -1, -1)], mix(colour, "#ffffff", 0.16))


def _cut_fruit(canvas: Canvas, place: tuple[float, float, float], rind: str, flesh: str) -> None:
    x, y, r = place
    canvas.disc(x + 6, y + 14, r, "#000000", alpha=0.25, blur=14)
    canvas.disc(x, y, r, rind)
    canvas.disc(x, y, r * 0.93, "#fff4dc")
    for i in range(10):
        middle = math.radians(i * 36 + 9)
        for part, colour in (
            (1.0, flesh),
            (0.86, mix(flesh, "#ffffff", 0.12)),
            (0.6, mix(flesh, "#ffffff", 0.22)),
        ):
            canvas.shape(_segment((x, y), r * 0.86, middle, part), colour)
        for j in range(-2, 3):
            ray = middle + j * 0.1
            near, far = r * (0.3 + 0.05 * abs(j)), r * (0.74 - 0.03 * abs(j))
            ends = [(x + d * math.cos(ray), y + d * math.sin(ray)) for d in (near, far)]
            canvas.line(ends, mix(flesh, "#ffffff", 0.5), width=1.6)


def _segment(centre: Point, reach: float, middle: float, part: float) -> list[Point]:
    """A rounded wedge of fruit: a closed curve about the middle of its slice."""
    half = math.radians(16.2)
    tip, points = reach * 0.12, []
    for i in range(40):
        t = i / 40 * 2 * math.pi
        # A superellipse keeps the corners of the wedge soft.
        u = math.copysign(abs(math.cos(t)) ** 0.45, math.cos(t))
        v = math.copysign(abs(math.sin(t)) ** 0.45, math.sin(t))
        distance = tip + (reach - tip) * (0.5 + 0.5 * u * (0.85 + 0.15 * part))
        angle = middle + half * v * part
        points.append(
            (centre[0] + distance * math.cos(angle), centre[1] + distance * math.sin(angle))
        )
    return points


# ── a tin: letters on a round surface ───────────────────────────────────────────────────

# wall, table, label, letters, band
TIN = (
    ("#e9d9c6", "#b98f6a", "#2f5d50", "#f6ecd6", "#d9a441"),
    ("#cfdfe3", "#8d7767", "#f4ead7", "#233b4d", "#c8553d"),
    ("#f0d5cf", "#9c6f63", "#7a2e3a", "#fbe9d3", "#e3a857"),
)
BODY = Cylinder(280, 168, 24)


def tin(job: Job) -> Scene:
    """A tin on a table whose label, and every line on it, goes round the front."""
    wall, table, label, letters, band = job.pick(TIN)
    canvas = Canvas(560, 720, wall)
    canvas.tint(light((560, 720), (150, 160), 380) * 0.55, "#ffffff")
    canvas.fade((0, 560, 560, 720), [(0, mix(table, "#000000", 0.12)), (1, table)])
    _tin_body(canvas, label, band)
    _motifs(canvas, job, mix(label, band, 0.55))
    _tin_light(canvas)
    w = job.words
    role = job.either("serif-bold", "script")

    def around(words: str, y: float, size: float, role: str, colour: str = letters) -> Text:
        tall = Text(words, BODY.x, y, size, colour, role, "m", round=BODY)
        return fit(tall, 226)

    texts = {
        "brand": replace(around(w["brand"], 262, 17, "sans-bold", band), tracking=0.12),
        "title": around(w["title"], 350, 66, role),
        "line": around(w["line"], 467, 20, "sans"),
        "note": around(w["note"], 502, 17, "sans", band),
        "weight": around(w["weight"], 560, 24, "sans-bold"),
        "extra": around(w["extra"], 592, 15, "sans"),
    }
    edit = Reviser(job, texts, {"title": "title", "weight": "weight", "brand": "brand"})
    gold = replace(texts["title"], colour=band)
    revisions = (
        edit.delete("note"),
        edit.insert(
            "extra", ("below the weight, following the curve of the tin", "净含量下方顺着罐身弧度")
        ),
        edit.change("weight", w["weight>"]),
        edit.change("title", w["title>"]),
        edit.swap("line", "note"),
        edit.scale("brand", 1.3),
        edit.scale("title", 0.7),
        edit.restyle(
            "title",
            gold,
            ("the colour of the brand name above it", "与上方品牌名相同的颜色"),
            context=2,
        ),
    )
    return Scene(canvas.finish(), texts, revisions, clutter=1, curvature=1)


def _hoop(y: float, *, radius: float = BODY.radius) -> list[Point]:
    """A level line around the front of the tin, from left to right."""
    turns = [math.radians(-90 + 3 * i) for i in range(61)]
    return [(BODY.x + radius * math.sin(t), y + BODY.sag * (math.cos(t) - 1)) for t in turns]


def _hoops(canvas: Canvas, top: float, bottom: float, colour: str) -> None:
    canvas.shape(_hoop(top) + _hoop(bottom)[::-1], colour)


def _tin_body(canvas: Canvas, label: str, band: str) -> None:
    x, r, sag = BODY.x, BODY.radius, BODY.sag
    canvas.oval((x - r - 6, 610, x + r + 70, 668), "#000000", alpha=0.4, blur=16)
    _hoops(canvas, 168, 640, "#d8d2c6")
    canvas.oval((x - r, 168 - 2 * sag, x + r, 168), "#d8d2c6")
    _hoops(canvas, 200, 632, label)
    for top, bottom in ((208, 214), (618, 624), (520, 522)):
        _hoops(canvas, top, bottom, band)
    _hoops(canvas, 122, 190, mix(band, "#ffffff", 0.25))
    canvas.oval((x - r, 122 - 2 * sag, x + r, 122), mix(band, "#ffffff", 0.45))
    canvas.oval((x - r + 10, 125 - 2 * sag, x + r - 10, 119), mix(band, "#ffffff", 0.32))


def _tin_light(canvas: Canvas) -> None:
    """Darken towards the sides and lay a strip of light on the left, body and lid alike."""
    for i in range(28):
        depth = 1 - i / 28
        turn = math.asin(max(-1.0, 1 - (i + 0.5) * 0.012))
        inner = BODY.radius * math.sin(turn)
        for side in (-1, 1):
            edge = BODY.x + side * BODY.radius
            near = BODY.x + side * inner
            lift = BODY.sag * (math.cos(turn) - 1)
            corners = [(edge, 98.0), (near, 122 + lift), (near, 640 + lift), (edge, 616.0)]
            canvas.shape(corners, "#000000", alpha=0.018 + 0.012 * depth * (side > 0))
    glint = [
        (BODY.x - 118, 118.0),
        (BODY.x - 92, 121.0),
        (BODY.x - 92, 634.0),
        (BODY.x - 118, 630.0),
    ]
    canvas.shape(glint, "#ffffff", alpha=0.2, blur=7)


def _motifs(canvas: Canvas, job: Job, colour: str) -> None:
    """Sprigs or dots on either side of the label, crowding towards its edges."""
    for side in (-1, 1):
        for i in range(6):
            turn = side * math.radians(58)
            x = BODY.x + BODY.radius * math.sin(turn)
            y = 290 + i * 36
            if job.words["look"] == "dots":
                canvas.oval((x - 5, y - 8, x + 5, y + 8), colour)
            else:
                _leaf(canvas, (x, y), (30, -0.9), colour)
                _leaf(canvas, (x, y + 10), (30, -math.pi + 0.9), colour)
