"""Things held in a hand: a ticket, a name badge, a screen with the weather."""

import math
from dataclasses import replace

from overpaint.engines.posters.brush import Canvas, light, mix, ridge
from overpaint.engines.posters.lettering import Text, fit
from overpaint.engines.posters.revise import Job, Reviser, Revision, Scene

# ── a ticket with a stub ────────────────────────────────────────────────────────────────

# ground, paper, ink, accent, art above, art below
TICKET = (
    ("#1f4e5f", "#faf3e3", "#22313a", "#c8452f", "#f2a65a", "#b23a48"),
    ("#e9b44c", "#fffaf0", "#2b2d42", "#2a6f97", "#8ecae6", "#1d3557"),
    ("#5a3d5c", "#fbf1ea", "#33202f", "#a23e6b", "#f6bd9b", "#7b3f61"),
)


def ticket(job: Job) -> Scene:
    """A ticket lying on a plain ground; its stub repeats the date."""
    ground, paper, ink, accent, high, low = job.pick(TICKET)
    canvas = Canvas(768, 512, ground)
    for i in range(-8, 26):
        canvas.shape(
            [(i * 32, 512), (i * 32 + 10, 512), (i * 32 + 210, 0), (i * 32 + 200, 0)],
            mix(ground, "#ffffff", 0.05),
        )
    canvas.rect((48, 112, 724, 420), "#000000", radius=18, alpha=0.38, blur=12)
    canvas.rect((44, 100, 724, 408), paper, radius=16)
    canvas.patch(_small_art(job, high, low), (44, 100, 220, 408), radius=16)
    canvas.rect((204, 100, 220, 408), paper)
    for y in range(124, 396, 14):
        canvas.rect((557, y, 559, y + 7), mix(paper, ink, 0.45))
    for y in (100, 408):
        canvas.disc(558, y, 15, ground)
    _barcode(canvas, job, ink)
    w = job.words
    date = fit(Text(w["date"], 244, 286, 27, ink, "sans-bold"), 175, w["date>"])
    title = Text(w["title"], 243, 206, 42, ink, job.either("serif-bold", "serif"))
    stub = fit(Text(w["stub"], 628, 224, 34, accent, "display", "m", 0.1, 90), 180)
    if job.language == "zh":
        stub = replace(stub, x=612, y=130, angle=0, size=36, tracking=0.12, down=True)
    texts = {
        "house": Text(w["house"], 244, 146, 15, accent, "sans-bold", tracking=0.12),
        "title": fit(title, 294, w["title>"]),
        "extra": Text(w["extra"], 244, 240, 17, accent, "sans"),
        "date": date,
        "time": Text(w["time"], 534, 286, 27, accent, "sans-bold", "r"),
        "seat": Text(w["seat"], 244, 330, 21, ink, "sans"),
        "note": Text(w["note"], 244, 380, 15, mix(ink, paper, 0.35), "sans"),
        "stub": stub,
        "again": replace(date, x=674, y=224, size=date.size * 0.8, align="m", angle=90),
    }
    return Scene(canvas.finish(), texts, _ticket_revisions(job, texts, accent), clutter=0)


def _ticket_revisions(job: Job, texts: dict[str, Text], accent: str) -> tuple[Revision, ...]:
    nouns = {"title": "title", "date": "date", "time": "time", "seat": "seat", "house": "heading"}
    edit = Reviser(job, texts, nouns)
    twice = ("The stub repeats the date; it changes there too.", "副券上重复了日期，也要一并修改。")
    new = job.words
    other = replace(texts["note"], x=534, align="r")
    return (
        edit.delete("note"),
        edit.delete("extra"),
        edit.insert(
            "extra", ("under the title, in the colour of the heading", "标题下方用抬头的颜色")
        ),
        edit.change("date", new["date>"], "again", knowledge=twice),
        edit.change("title", new["title>"]),
        edit.move(
            "note",
            other,
            ("to the right edge of the main part, at the same height", "主券右侧同一高度处"),
        ),
        edit.swap("seat", "note"),
        edit.scale("seat", 1.3),
        edit.scale("time", 1.3),
        edit.restyle(
            "title",
            replace(texts["title"], colour=accent),
            ("the colour of the heading", "与抬头相同的颜色"),
            context=2,
        ),
    )


def _small_art(job: Job, high: str, low: str) -> Canvas:
    art = Canvas(176, 308)
    art.fade((0, 0, 176, 308), [(0, mix(high, "#ffffff", 0.35)), (1, high)])
    art.disc(96, 104, 40, mix(high, "#ffffff", 0.75))
    for layer in range(4):
        line = ridge(job.chance, 177, rough=0.45, steps=5)
        edge = [(float(i), 170 + 34 * layer - 54 * h) for i, h in enumerate(line)]
        art.shape([*edge, (176.0, 308.0), (0.0, 308.0)], mix(high, low, 0.3 + 0.23 * layer))
    return art


def _barcode(canvas: Canvas, job: Job, ink: str) -> None:
    x = 582.0
    while x < 696:
        bar = job.chance.choice((1.5, 2, 3, 4.5))
        canvas.rect((x, 338, x + bar, 388), ink)
        x += bar + job.chance.choice((1.5, 2, 3.5))


# ── a name badge on a ribbon ────────────────────────────────────────────────────────────

# ground above, ground below, card, header, pattern, ink
BADGE = (
    ("#f3d9c0", "#e0a890", "#ffffff", "#283655", "#4d648d", "#222b40"),
    ("#cfe3dc", "#8fb8ab", "#fffdf7", "#1b5e5a", "#3f8c7f", "#173b39"),
    ("#dcd3ea", "#a89ac9", "#ffffff", "#6b2d5c", "#96528a", "#3a1a33"),
)
PLAIN = "#ffffff"


def badge(job: Job) -> Scene:
    """A conference badge: event, portrait, name, role, and a band with the kind of guest."""
    high, low, card, header, pattern, ink = job.pick(BADGE)
    canvas = Canvas(540, 720, high)
    canvas.fade((0, 0, 540, 720), [(0, high), (1, low)], angle=70)
    for x, y, r in ((60, 600, 190), (500, 180, 150), (470, 690, 120)):
        canvas.disc(x, y, r, mix(high, "#ffffff", 0.5), alpha=0.45)
    for foot, side in ((60, 232), (480, 308)):
        canvas.shape([(foot - 26, 0), (foot + 26, 0), (side + 16, 104), (side - 16, 104)], header)
    canvas.rect((70, 142, 478, 688), "#000000", radius=24, alpha=0.3, blur=14)
    canvas.rect((66, 124, 474, 672), card, radius=22)
    _header(canvas, job, (header, pattern, card))
    canvas.rect((232, 92, 308, 136), "#c9ccd1", radius=8)
    canvas.rect((244, 98, 296, 118), "#a5a9b0", radius=6)
    _portrait(canvas, job, (card, mix(high, low, 0.5), header))
    canvas.rect((66, 606, 474, 672), header, radius=22)
    canvas.rect((66, 606, 474, 640), header)
    w = job.words
    name = Text(w["name"], 270, 458, 50, ink, "sans-bold", "m")
    texts = {
        "event": fit(Text(w["event"], 270, 196, 22, PLAIN, "sans-bold", "m", 0.08), 360),
        "name": fit(name, 368, w["name>"]),
        "role": Text(w["role"], 270, 500, 24, ink, "sans", "m"),
        "firm": Text(w["firm"], 270, 536, 20, mix(ink, card, 0.35), "sans", "m"),
        "extra": Text(w["extra"], 270, 580, 19, pattern, "sans-bold", "m"),
        "tag": Text(w["tag"], 270, 652, 32, PLAIN, "display", "m", 0.2),
    }
    edit = Reviser(job, texts, {"name": "name", "role": "job", "firm": "firm"})
    serif = replace(texts["name"], role="serif-bold")
    light_face = replace(texts["name"], role="sans")
    how = (serif, ("a bold serif typeface", "衬线字体")) if job.chance.random() < 0.5 else (
        light_face, ("regular weight instead of bold", "常规字重，不再加粗"))  # fmt: skip
    revisions = (
        edit.delete("firm"),
        edit.insert("extra", ("below the company, in bold", "单位名称下方用粗体")),
        edit.change("name", w["name>"]),
        edit.swap("role", "firm"),
        edit.scale("role", 1.3),
        edit.scale("name", 0.7),
        edit.restyle("name", *how),
    )
    return Scene(canvas.finish(), texts, revisions, clutter=0)


def _header(canvas: Canvas, job: Job, colours: tuple[str, str, str]) -> None:
    header, pattern, card = colours
    band = Canvas(408, 190, header)
    for column in range(12):
        for row in range(4):
            x, y = column * 34, 54 + row * 34
            if job.chance.random() < 0.2 + 0.2 * row:
                shade = mix(header, pattern, 0.25 + 0.25 * row)
                corner = job.chance.choice(((x, y), (x + 34, y)))
                band.shape([corner, (x, y + 34), (x + 34, y + 34)], shade)
    band.rect((0, 0, 408, 88), header)
    canvas.patch(band, (66, 124, 474, 314), radius=22)
    canvas.rect((66, 290, 474, 316), card)


def _portrait(canvas: Canvas, job: Job, colours: tuple[str, str, str]) -> None:
    card, ground, coat = colours
    x, y, r = 270, 322, 76
    face = Canvas(2 * r, 2 * r, ground)
    skin, hair = job.chance.choice(
        (("#f1c7a5", "#4a2f22"), ("#c98e62", "#1f1a1a"), ("#8d5a3a", "#1b1414"))
    )
    face.oval((22, 108, 130, 220), coat)
    face.rect((62, 84, 90, 122), mix(skin, "#000000", 0.1), radius=12)
    face.oval((44, 26, 108, 92), hair)
    face.oval((50, 38, 102, 104), skin)
    face.slice(76, 56, 32, (180, 360), hair)
    canvas.disc(x, y, r + 7, card)
    canvas.patch(face, (x - r, y - r, x + r, y + r), radius=r)


# ── a screen with the weather ───────────────────────────────────────────────────────────

# sky above, middle, below
SKIES = {
    "sun": ("#5db3f0", "#3a8ad8", "#1f5fa8"),
    "rain": ("#3d5570", "#587892", "#6f8798"),
    "clear": ("#1d1646", "#5e3580", "#c4576c"),
}
GLASS = 0.2


def screen(job: Job) -> Scene:
    """A weather page: the city, the temperature, the next hours and two values."""
    look = job.words["look"]
    canvas = Canvas(512, 768)
    canvas.fade((0, 0, 512, 768), list(zip((0, 0.5, 1), SKIES[look], strict=True)))
    WEATHER[look](canvas, job)
    for box in ((28, 420, 484, 590), (28, 606, 248, 696), (264, 606, 484, 696)):
        canvas.rect(box, PLAIN, radius=22, alpha=GLASS)
    canvas.rect((196, 752, 316, 757), PLAIN, radius=2.5)
    for column in range(4):
        _small_weather(canvas, (97 + 106 * column, 505), look)
    w = job.words
    soft = mix(SKIES[look][1], PLAIN, 0.82)
    texts = {
        "title": Text(w["title"], 34, 104, 40, PLAIN, "sans-bold"),
        "now": Text(w["now"], 28, 248, 132, PLAIN, "sans-bold"),
        "state": Text(w["state"], 36, 302, 28, PLAIN, "sans"),
        "tip": Text(w["tip"], 36, 388, 20, PLAIN, "sans"),
        "extra": Text(w["extra"], 256, 732, 18, PLAIN, "sans", "m"),
    }
    for i in range(1, 5):
        x = 97 + 106 * (i - 1)
        texts[f"h{i}"] = Text(w[f"h{i}"], x, 462, 20, soft, "sans", "m")
        texts[f"t{i}"] = Text(w[f"t{i}"], x + 4, 568, 25, PLAIN, "sans-bold", "m")
    for end, x in (("", 50), ("2", 286)):
        texts[f"key{end}"] = Text(w[f"key{end}"], x, 640, 15, soft, "sans-bold", tracking=0.08)
        texts[f"value{end}"] = Text(w[f"value{end}"], x, 678, 27, PLAIN, "sans-bold")
    return Scene(canvas.finish(), texts, _screen_revisions(job, texts), clutter=1)


def _screen_revisions(job: Job, texts: dict[str, Text]) -> tuple[Revision, ...]:
    nouns = {"title": "city", "now": "now", "t3": "now"}
    edit = Reviser(job, texts, nouns)
    up = replace(texts["tip"], y=340)
    yellow = replace(texts["value"], colour="#ffe066")
    return (
        edit.delete("tip"),
        edit.delete("extra"),
        edit.insert("extra", ("at the bottom, centred, in white", "底部居中用白色")),
        edit.change("now", job.words["now>"]),
        edit.change("t3", job.words["t>"]),
        edit.swap("value", "value2"),
        edit.move("tip", up, ("up, right below the current conditions", "当前天气的正下方")),
        edit.scale("now", 0.7),
        edit.scale("title", 1.5),
        edit.restyle("value", yellow, ("yellow", "黄色")),
        edit.restyle("state", replace(texts["state"], role="sans-bold"), ("bold", "粗体")),
    )


def _sunny(canvas: Canvas, job: Job) -> None:
    canvas.tint(light((512, 768), (388, 150), 130) * 0.8, "#fff3c4")
    canvas.disc(388, 150, 58, "#ffe08a")
    _cloud(canvas, (420, 205), 1.0, 0.95)
    _cloud(canvas, (446, 340), 0.5, 0.5)


def _rainy(canvas: Canvas, job: Job) -> None:
    for _ in range(46):
        x, y = job.chance.uniform(310, 505), job.chance.uniform(210, 350)
        canvas.line([(x, y), (x - 5, y + 20)], "#dbe9f2", width=1.6)
    _cloud(canvas, (340, 150), 0.9, 0.7)
    _cloud(canvas, (408, 196), 1.15, 0.95)


def _starry(canvas: Canvas, job: Job) -> None:
    for _ in range(70):
        x, y, r = (job.chance.uniform(*span) for span in ((0, 512), (0, 340), (0.6, 1.7)))
        if x > 300 or not 60 < y < 330:  # none among the letters, where it would pass for a dot
            canvas.disc(x, y, r, "#fff6df")
    canvas.tint(light((512, 768), (400, 150), 90) * 0.4, "#fff3c4")
    canvas.disc(400, 150, 52, "#fdf3d0")
    for x, y, r in ((384, 136, 10), (412, 168, 13), (418, 130, 6)):
        canvas.disc(x, y, r, "#efe0b4")


WEATHER = {"sun": _sunny, "rain": _rainy, "clear": _starry}


def _cloud(canvas: Canvas, place: tuple[float, float], size: float, alpha: float) -> None:
    x, y = place
    puffs = ((-62, 8, 30), (-26, -14, 42), (22, -6, 36), (60, 12, 26))
    colour = mix("#7c95ab", PLAIN, alpha)
    for dx, dy, r in puffs:
        canvas.disc(x + dx * size, y + dy * size, r * size, colour)
    canvas.rect(
        (x - 88 * size, y + 4 * size, x + 84 * size, y + 38 * size), colour, radius=17 * size
    )


def _small_weather(canvas: Canvas, place: tuple[float, float], look: str) -> None:
    x, y = place
    if look == "rain":
        _cloud(canvas, (x, y - 5), 0.24, 1)
        for i in (-8, 0, 8):
            canvas.line([(x + i, y + 10), (x + i - 3, y + 20)], PLAIN, width=2)
        return
    if look == "clear":
        canvas.disc(x, y, 13, "#fdf3d0")
        return
    canvas.disc(x, y, 11, "#ffe08a")
    for i in range(8):
        turn = i * math.pi / 4
        ends = [(x + d * math.cos(turn), y + d * math.sin(turn)) for d in (16, 21)]
        canvas.line(ends, "#ffe08a", width=2.2)
