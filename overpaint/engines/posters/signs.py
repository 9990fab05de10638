"""Signs: a chalk menu, a road sign, a departure board, neon on a brick wall."""

import math
from dataclasses import replace

from overpaint.engines.posters.brush import Canvas, Point, clouds, mix, ridge
from overpaint.engines.posters.lettering import Text, fit
from overpaint.engines.posters.revise import Job, Reviser, Revision, Scene

# ── a menu in chalk ─────────────────────────────────────────────────────────────────────

CHALK = "#f4f1e8"
# slate, wood, coloured chalk
MENU = (
    ("#2a3234", "#8a5a34", "#f4c95d"),
    ("#24392f", "#a06a3f", "#f2a48c"),
    ("#2d2f3b", "#6f4a32", "#8fd3c4"),
)


def menu(job: Job) -> Scene:
    """Four dishes with prices on a framed blackboard."""
    slate, wood, colour = job.pick(MENU)
    canvas = Canvas(720, 576, slate)
    canvas.tint((clouds(job.chance, (720, 576), (220, 90), layers=3) - 0.42) * 0.24, CHALK)
    _wood_frame(canvas, job, wood)
    ICONS[job.words["look"]](canvas, colour)
    w = job.words
    squiggle = [(74 + 4.0 * i, 160 + 3 * math.sin(i / 3.4)) for i in range(72)]
    canvas.line(squiggle, colour, width=2.6)
    texts = {"title": fit(Text(w["title"], 70, 132, 64, CHALK, "serif-bold"), 400)}
    for row in range(1, 5):
        y = 176 + 58 * row
        texts[f"i{row}"] = fit(Text(w[f"i{row}"], 72, y, 40, CHALK, "serif"), 264)
        texts[f"l{row}"] = Text("." * 14, 548, y, 30, mix(slate, CHALK, 0.5), "serif", "r", 0.2)
        price = Text(w[f"p{row}"], 648, y, 40, colour, "serif", "r")
        texts[f"p{row}"] = price
    texts["foot"] = Text(w["foot"], 72, 478, 30, CHALK, "serif")
    texts["extra"] = Text(w["extra"], 72, 520, 30, colour, "serif")
    return Scene(canvas.finish(), texts, _menu_revisions(job, texts, colour), clutter=1)


def _menu_revisions(job: Job, texts: dict[str, Text], colour: str) -> tuple[Revision, ...]:
    row = job.chance.randint(1, 4)
    nouns = {"title": "title", f"p{row}": "price", f"i{row}": "dish"}
    edit = Reviser(job, texts, nouns)
    goes = ("The dots and the price of the dish go with it.", "这道菜的点线和价格也要一并去掉。")
    chalk = ("the coloured chalk of the prices", "与价格相同的粉笔颜色")
    return (
        edit.delete(f"i{row}", f"l{row}", f"p{row}", knowledge=goes),
        edit.delete("foot"),
        edit.insert("extra", ("as the last line, in coloured chalk", "最后一行用彩色粉笔")),
        edit.change(f"p{row}", job.words["p>"]),
        edit.swap("i1", "i2"),
        edit.scale("extra", 0.7),
        edit.scale("foot", 1.3),
        edit.restyle("title", replace(texts["title"], colour=colour), chalk, context=2),
    )


def _wood_frame(canvas: Canvas, job: Job, wood: str) -> None:
    bars = ((0, 0, 720, 30), (0, 546, 720, 576), (0, 0, 30, 576), (690, 0, 720, 576))
    for bar in bars:
        canvas.rect(bar, wood)
        level = bar[2] - bar[0] > bar[3] - bar[1]
        for _ in range(9):
            at = job.chance.uniform(3, 27)
            dark = mix(wood, "#2a1608", job.chance.uniform(0.1, 0.35))
            wave = [8 * i for i in range(91 if level else 73)]
            sway, phase = job.chance.uniform(0.3, 1.2), job.chance.uniform(0, 6)
            grain = [(t, at + sway * math.sin(t / 60 + phase)) for t in wave]
            points = [
                (bar[0] + t, bar[1] + s) if level else (bar[0] + s, bar[1] + t) for t, s in grain
            ]
            canvas.line(points, dark, width=0.8)
    canvas.frame((30, 30, 690, 546), mix(wood, "#000000", 0.6), width=3)
    canvas.rect((33, 33, 687, 40), "#000000", alpha=0.35, blur=3)
    canvas.rect((33, 33, 40, 543), "#000000", alpha=0.3, blur=3)


def _cup(canvas: Canvas, colour: str) -> None:
    canvas.ring(636, 122, 20, colour, width=4)
    canvas.slice(580, 108, 54, (0, 180), colour)
    canvas.slice(580, 106, 49, (0, 180), "#3b2a20")
    canvas.line([(514, 172), (646, 172)], colour, width=4)
    for x in (562, 582, 602):
        canvas.line([(x + 4 * math.sin(i / 3), 92 - 2 * i) for i in range(14)], colour, width=2.6)


def _bread(canvas: Canvas, colour: str) -> None:
    canvas.oval((524, 92, 650, 170), colour)
    canvas.oval((528, 96, 646, 166), mix(colour, "#3a2410", 0.62))
    for x in (550, 579, 608):
        canvas.line([(x + i * 1.2, 148 - i * 2.9) for i in range(13)], colour, width=4)


def _bowl(canvas: Canvas, colour: str) -> None:
    canvas.slice(582, 116, 66, (0, 180), colour)
    canvas.oval((516, 104, 648, 128), mix(colour, "#402018", 0.55))
    canvas.line([(552, 180), (612, 180)], colour, width=5)
    for x in (556, 580, 604):
        canvas.line([(x + 4 * math.sin(i / 3), 96 - 2 * i) for i in range(14)], CHALK, width=2.4)


ICONS = {"cup": _cup, "bread": _bread, "bowl": _bowl}

# ── a sign above a road ─────────────────────────────────────────────────────────────────

WHITE = "#ffffff"
# plate, second plate, sky above, sky below
ROAD = (
    ("#0b6e4f", "#1d4e89", "#4a90c9", "#d9ecf5"),
    ("#1a4b9c", "#0b6e4f", "#f0a35f", "#fbe3c0"),
    ("#0a5c44", "#7a4a1e", "#6aa5d8", "#f4f1e4"),
)


def road(job: Job) -> Scene:
    """Three places with distances on a sign in front of hills."""
    plate, second, high, low = job.pick(ROAD)
    canvas = Canvas(768, 512, low)
    canvas.fade((0, 0, 768, 420), [(0, high), (1, low)])
    canvas.tint((clouds(job.chance, (768, 512), (300, 90), layers=3) - 0.5) * 2.4, WHITE)
    _hills(canvas, job, mix(low, "#2f5d3a", 0.55))
    for x in (190, 570):
        canvas.rect((x, 330, x + 18, 512), "#7d868c")
        canvas.rect((x, 330, x + 6, 512), "#a9b2b8")
    _plate(canvas, (64, 96, 704, 400), plate)
    _plate(canvas, (524, 34, 704, 100), plate)
    _plate(canvas, (64, 34, 300, 100), second)
    for y, turn in ((170, 90), (252, 45), (334, 90)):
        _arrow(canvas, (116, y), turn)
    _arrow(canvas, (100, 67), 180, size=15)
    w = job.words
    texts = {
        "exit": fit(Text(w["exit"], 614, 77, 29, WHITE, "sans-bold", "m"), 150),
        "extra": Text(w["extra"], 132, 78, 29, WHITE, "sans-bold"),
    }
    for row in range(1, 4):
        y = 106 + 82 * row
        texts[f"p{row}"] = Text(w[f"p{row}"], 168, y, 52, WHITE, "sans-bold")
        texts[f"d{row}"] = Text(w[f"d{row}"], 664, y, 52, WHITE, "sans-bold", "r")
    return Scene(canvas.finish(), texts, _road_revisions(job, texts), clutter=1)


def _road_revisions(job: Job, texts: dict[str, Text]) -> tuple[Revision, ...]:
    w = job.words
    nouns = {"exit": "tag", **{f"p{i}": "place" for i in (1, 2, 3)}, "d3": "distance"}
    edit = Reviser(job, texts, nouns)
    yellow = ("yellow", "黄色")
    return (
        edit.delete("d3"),
        edit.delete("exit"),
        edit.insert(
            "extra", ("beside the arrow on the small plate at the top left", "左上角小牌的箭头旁")
        ),
        edit.change("p2", w["p>"]),
        edit.change("d3", w["d>"]),
        edit.swap("p1", "p2"),
        edit.swap("exit", "extra"),
        edit.scale("p1", 0.7),
        edit.scale("p3", 0.7),
        edit.restyle("p1", replace(texts["p1"], colour="#ffd84d"), yellow),
    )


def _hills(canvas: Canvas, job: Job, far: str) -> None:
    for layer, colour in enumerate((far, mix(far, "#24452c", 0.5), "#2b4a2e")):
        line = ridge(job.chance, 769, rough=0.42)
        edge = [(float(i), 400 + 34 * layer - 46 * h) for i, h in enumerate(line)]
        canvas.shape([*edge, (768.0, 512.0), (0.0, 512.0)], colour)
    for i in range(60):
        x = i * 13.3 + job.chance.uniform(-6, 6)
        canvas.disc(
            x, 512, job.chance.uniform(16, 34), mix("#1d3622", "#355c37", job.chance.random())
        )


def _plate(canvas: Canvas, box: tuple[float, float, float, float], colour: str) -> None:
    left, top, right, bottom = box
    canvas.rect((left + 3, top + 6, right + 5, bottom + 8), "#000000", radius=16, alpha=0.3, blur=5)
    canvas.rect(box, WHITE, radius=16)
    canvas.rect((left + 5, top + 5, right - 5, bottom - 5), colour, radius=12)


def _arrow(canvas: Canvas, place: Point, turn: float, *, size: float = 22) -> None:
    """An arrow about a place; 0° points right, 90° up."""
    across, along = math.cos(math.radians(turn)), -math.sin(math.radians(turn))

    def at(forward: float, left: float) -> Point:
        return (
            place[0] + size * (forward * across + left * along),
            place[1] + size * (forward * along - left * across),
        )

    canvas.line([at(-1, 0), at(0.7, 0)], WHITE, width=size * 0.32)
    canvas.shape([at(1.1, 0), at(0.15, 0.75), at(0.15, -0.75)], WHITE)


# ── a departure board ───────────────────────────────────────────────────────────────────

# board, slab, letters, accent
BOARD = (
    ("#15181d", "#22272f", "#f5f2e8", "#ffb703"),
    ("#10202b", "#1b3140", "#eef6f5", "#ffd166"),
    ("#0e2119", "#1a3529", "#f3f5ea", "#a8e05f"),
)
STATES = ("#7ddc8f", "#5cc8ff", "#ff8a5c")  # on time, boarding, delayed


def board(job: Job) -> Scene:
    """Five trains with time, destination, platform and state."""
    ground, slab, letters, accent = job.pick(BOARD)
    canvas = Canvas(768, 512, ground)
    canvas.rect((0, 0, 768, 92), accent)
    _train(canvas, ground, accent)
    w = job.words
    texts = {
        "title": Text(w["title"], 116, 63, 44, ground, "sans-bold"),
        "foot": Text(w["foot"], 384, 492, 18, accent, "sans", "m"),
    }
    # Every set of words ends with a train on time and has the other two in this order.
    states = list(dict.fromkeys(w[f"s{row}"] for row in (5, 1, 2, 3, 4)))
    for row in range(1, 6):
        top = 36 + 72 * row
        for left, right in ((24, 144), (152, 500), (508, 564), (572, 744)):
            _flap(canvas, (left, top, right, top + 62), slab)
        y = top + 43
        state = STATES[states.index(w[f"s{row}"])]
        texts[f"t{row}"] = Text(w[f"t{row}"], 84, y, 33, accent, "sans-bold", "m")
        texts[f"c{row}"] = Text(w[f"c{row}"], 172, y, 33, letters, "sans-bold")
        texts[f"n{row}"] = Text(
            str(job.chance.randint(1, 9)), 536, y, 33, letters, "sans-bold", "m"
        )
        texts[f"s{row}"] = Text(w[f"s{row}"], 658, y - 3, 23, state, "sans", "m")
    return Scene(canvas.finish(), texts, _board_revisions(job, texts), clutter=0)


def _board_revisions(job: Job, texts: dict[str, Text]) -> tuple[Revision, ...]:
    w = job.words
    nouns = {"title": "title", "c4": "place", "t4": "time", "s3": "state"}
    edit = Reviser(job, texts, nouns)
    red = replace(texts["s3"], colour="#ff4d4d")
    return (
        edit.delete("foot"),
        edit.delete("s3"),
        edit.insert(
            "foot", ("at the bottom, centred, in the colour of the times", "最下方居中用时间的颜色")
        ),
        edit.change("c4", w["c>"]),
        edit.change("t4", w["t>"]),
        edit.change("s3", w["extra"]),
        edit.swap("c1", "c2"),
        edit.move(
            "title",
            replace(texts["title"], x=744, align="r"),
            ("to the right end of the header", "顶栏的最右端"),
        ),
        edit.scale("title", 0.7),
        edit.scale("c5", 0.7),
        edit.restyle("s3", red, ("red", "红色")),
    )


def _flap(canvas: Canvas, box: tuple[float, float, float, float], colour: str) -> None:
    left, top, right, bottom = box
    middle = (top + bottom) / 2
    canvas.rect(box, colour, radius=6)
    canvas.rect((left, top, right, middle), mix(colour, "#ffffff", 0.07), radius=6)
    canvas.rect((left, middle - 0.75, right, middle + 0.75), mix(colour, "#000000", 0.55))


def _train(canvas: Canvas, dark: str, lit: str) -> None:
    canvas.rect((36, 20, 88, 68), dark, radius=11)
    canvas.rect((43, 29, 81, 47), lit, radius=3)
    canvas.disc(48, 57, 4, lit)
    canvas.disc(76, 57, 4, lit)
    for side in (-1, 1):
        canvas.line([(62 + side * 14, 69), (62 + side * 23, 80)], dark, width=4)
