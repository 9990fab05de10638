"""Illustrations of the held-out themes: health, vehicles, tools, tales and small things."""

from overpaint.engines.milde.brush import Brush, darker, lighter, turned

WHITE, DARK, WOOD = "#ffffff", "#2a2730", "#8a5a34"
GOLD, STEEL = "#d9a431", "#b7bec9"


# ── health ──────────────────────────────────────────────────────────────────────────────


def tooth(b: Brush, c: str) -> None:
    """A tooth that shines."""
    shape = [(50, 20), (70, 10), (88, 26), (82, 54), (74, 90), (64, 92), (50, 64), (36, 92),
             (26, 90), (18, 54), (12, 26), (30, 10)]  # fmt: skip
    b.blob(shape, c)
    b.blob([(50 + (x - 50) * 0.86, 48 + (y - 48) * 0.87) for x, y in shape], "#fbfdff")
    b.star(80, 18, (13, 4), 4, "#f4c23d")


def heart(b: Brush, c: str) -> None:
    """A heart with a pulse."""
    b.disc(30, 36, 25, c)
    b.disc(70, 36, 25, c)
    b.poly([(8.5, 48), (50, 94), (91.5, 48), (70, 30), (30, 30)], c)
    b.line([(14, 50), (34, 50), (42, 32), (52, 66), (60, 44), (66, 50), (86, 50)], WHITE, 3.4)


def eye(b: Brush, c: str) -> None:
    """An eye."""
    b.blob([(4, 52), (28, 26), (50, 20), (72, 26), (96, 52), (72, 74), (50, 80), (28, 74)], DARK)
    b.blob([(9, 52), (30, 31), (50, 26), (70, 31), (91, 52), (70, 69), (50, 74), (30, 69)],
           "#fbfbf8")  # fmt: skip
    b.disc(50, 50, 22, c)
    b.disc(50, 50, 15, darker(c, 0.3))
    b.disc(50, 50, 9, DARK)
    b.disc(57, 43, 5, WHITE)
    for x, y, u, v in ((24, 26, 18, 15), (40, 19, 37, 7), (60, 19, 63, 7), (76, 26, 82, 15)):
        b.line([(x, y), (u, v)], DARK, 2.6)


# ── vehicles ────────────────────────────────────────────────────────────────────────────


def train(b: Brush, c: str) -> None:
    """A steam engine."""
    b.rect(54, 18, 90, 66, c, r=3)
    b.rect(50, 12, 94, 20, darker(c, 0.3), r=3)
    b.rect(61, 27, 83, 46, "#d7ecf6", r=2)
    b.rect(12, 40, 58, 66, darker(c, 0.12), r=8)
    b.poly([(18, 18), (34, 18), (30, 42), (22, 42)], DARK)
    b.rect(15, 13, 37, 20, DARK, r=3)
    b.rect(8, 64, 94, 74, DARK, r=2)
    b.poly([(8, 64), (8, 84), (-1, 84)], "#c24a3b")
    for x, r in ((22, 10), (46, 10), (76, 13)):
        b.disc(x, 88 - r, r, "#3a3742")
        b.disc(x, 88 - r, r * 0.55, GOLD)
    for x, y, r in ((30, 8, 5), (42, 5, 4)):
        b.disc(x, y, r, "#d7dbe2")


def bus(b: Brush, c: str) -> None:
    """A bus from the side."""
    b.rect(5, 24, 95, 80, c, r=9)
    b.rect(5, 58, 95, 66, lighter(c, 0.55))
    for x in (12, 30, 48):
        b.rect(x, 32, x + 14, 52, "#d7ecf6", r=2)
    b.rect(67, 32, 80, 78, darker(c, 0.3), r=2)
    b.rect(69, 35, 78, 62, "#d7ecf6", r=1)
    b.rect(84, 32, 95, 54, "#d7ecf6", r=2)
    for x in (26, 58, 84):
        if x != 84:
            b.disc(x, 80, 11, DARK)
            b.disc(x, 80, 5, STEEL)
    b.disc(91, 72, 3, "#fbe48a")


def hot_air(b: Brush, c: str) -> None:
    """A hot-air balloon."""
    for x in (40, 60):
        b.line([(x, 62), (50 + (x - 50) * 0.7, 82)], WOOD, 1.4)
    b.blob([(50, 2), (80, 14), (86, 40), (66, 66), (50, 70), (34, 66), (14, 40), (20, 14)], c)
    b.blob([(50, 2), (64, 14), (66, 42), (57, 68), (43, 68), (34, 42), (36, 14)], lighter(c, 0.55))
    b.blob([(50, 2), (55, 16), (56, 42), (52, 69), (48, 69), (44, 42), (45, 16)], c)
    b.rect(42, 82, 58, 97, WOOD, r=3)
    b.rect(41, 80, 59, 85, darker(WOOD, 0.25), r=2)


def rocket(b: Brush, c: str) -> None:
    """A rocket that has lifted off."""
    tilt = 30.0

    def put(points: list[tuple[float, float]], fill: str) -> None:
        b.blob(turned(points, tilt), fill)

    put([(50, 100), (42, 78), (58, 78)], "#f6a531")
    put([(50, 90), (45, 76), (55, 76)], "#fde08b")
    put([(34, 54), (22, 74), (26, 84), (42, 72)], darker(c, 0.15))
    put([(66, 54), (78, 74), (74, 84), (58, 72)], darker(c, 0.15))
    put([(50, 0), (66, 26), (66, 60), (58, 76), (42, 76), (34, 60), (34, 26)], "#f2f4f7")
    put([(50, 0), (63, 19), (50, 23), (37, 19)], c)
    x, y = turned([(50, 40)], tilt)[0]
    b.disc(x, y, 9, c)
    b.disc(x, y, 6, "#bfe3f5")


# ── tools and tales ─────────────────────────────────────────────────────────────────────


def yarn(b: Brush, c: str) -> None:
    """A ball of wool with needles."""
    b.line([(16, 6), (66, 66)], WOOD, 3)
    b.line([(84, 6), (36, 66)], darker(WOOD, 0.2), 3)
    b.disc(15, 5, 4, "#e9c46a")
    b.disc(85, 5, 4, "#e9c46a")
    b.disc(50, 58, 34, c)
    for i in range(5):
        off = -22 + i * 11
        b.line(turned([(20, 58 + off), (50, 50 + off), (80, 58 + off)], 35, (50, 58)),
               darker(c, 0.22), 1.8, bent=True)  # fmt: skip
    for i in range(3):
        b.line(turned([(34 + i * 12, 34), (40 + i * 12, 56), (34 + i * 12, 78)], -30, (50, 58)),
               lighter(c, 0.4), 1.8, bent=True)  # fmt: skip
    b.line([(66, 88), (84, 94), (96, 86)], c, 2.4, bent=True)


def hammer(b: Brush, c: str) -> None:
    """A hammer and two nails."""
    tilt = 40.0
    b.poly(turned([(46, 26), (54, 26), (55, 98), (45, 98)], tilt), WOOD)
    b.poly(turned([(24, 12), (62, 12), (62, 32), (24, 32)], tilt), c)
    b.poly(turned([(62, 14), (82, 20), (84, 26), (62, 30)], tilt), darker(c, 0.2))
    b.poly(turned([(19, 10), (26, 10), (26, 34), (19, 34)], tilt), darker(c, 0.3))
    for x in (74, 86):
        b.line([(x, 66), (x, 92)], "#8b929d", 2.4)
        b.rect(x - 5, 62, x + 5, 66, "#6d7480", r=1)


def scissors(b: Brush, c: str) -> None:
    """Open scissors."""
    for flip in (1, -1):
        b.poly([(50 + flip * x, y) for x, y in ((-4, 52), (22, 4), (28, 8), (4, 56))], STEEL)
        b.line([(50 + flip * 2, 52), (50 - flip * 14, 70)], c, 6)
        b.ring(50 - flip * 20, 82, 15, c, 5)
    b.disc(50, 53, 3.4, "#6d7480")


def castle(b: Brush, c: str) -> None:
    """A castle with three towers."""
    for x, top in ((18, 34), (82, 34), (50, 20)):
        b.rect(x - 12, top, x + 12, 92, c if x != 50 else lighter(c, 0.15))
        b.poly([(x - 15, top), (x + 15, top), (x, top - 20)], "#b4483f")
        b.line([(x, top - 20), (x, top - 28 if top > 28 else 0)], DARK, 1.2)
        b.rect(x - 3, top + 10, x + 3, top + 22, DARK, r=3)
    b.rect(24, 58, 76, 92, darker(c, 0.1))
    for x in range(24, 76, 10):
        b.rect(x, 52, x + 6, 60, darker(c, 0.1))
    b.rect(41, 68, 59, 92, "#4a3324", r=9)
    b.rect(41, 80, 59, 92, "#4a3324")


def magnifier(b: Brush, c: str) -> None:
    """A magnifying glass over a footprint."""
    b.line([(64, 64), (92, 92)], WOOD, 10)
    b.line([(62, 62), (70, 70)], "#6d7480", 7)
    b.disc(42, 42, 37, c)
    b.disc(42, 42, 30, "#e4f1f8")
    b.oval(32, 22, 50, 46, "#6b5a4c")
    b.oval(35, 49, 48, 63, "#6b5a4c")


def robot(b: Brush, c: str) -> None:
    """A robot."""
    b.line([(50, 20), (50, 8)], STEEL, 3)
    b.disc(50, 6, 4.5, "#e2453c")
    b.rect(24, 18, 76, 52, c, r=9)
    b.rect(30, 26, 70, 42, "#26303f", r=7)
    for x in (40, 60):
        b.disc(x, 34, 4.6, "#7fe3d4")
    b.rect(42, 46, 58, 48.5, lighter(c, 0.6))
    b.rect(28, 56, 72, 88, darker(c, 0.12), r=6)
    b.rect(38, 63, 62, 76, "#e8edf2", r=2)
    for x, fill in ((44, "#e2453c"), (50, "#f3b63a"), (56, "#3d9b57")):
        b.disc(x, 69.5, 2.3, fill)
    for x in (16, 84):
        b.rect(x - 5, 56, x + 5, 80, STEEL, r=5)
        b.disc(x, 82, 6, darker(c, 0.3))
    for x in (38, 62):
        b.rect(x - 6, 88, x + 6, 97, STEEL, r=3)


def key(b: Brush, c: str) -> None:
    """An old key."""
    tilt = -35.0
    x, y = turned([(50, 24)], tilt)[0]
    b.poly(turned([(46.5, 40), (53.5, 40), (53.5, 98), (46.5, 98)], tilt), c)
    for top, wide in ((78, 14), (88, 18)):
        b.poly(turned([(53, top), (53 + wide, top), (53 + wide, top + 6), (53, top + 6)], tilt), c)
    b.disc(x, y, 21, darker(c, 0.1))
    b.disc(x, y, 11, "#00000000")
    b.poly(turned([(43, 46), (57, 46), (57, 51), (43, 51)], tilt), darker(c, 0.25))


# ── small things ────────────────────────────────────────────────────────────────────────


def kite(b: Brush, c: str) -> None:
    """A kite with a tail."""
    b.line([(46, 66), (40, 80), (52, 88), (44, 98)], "#8d8794", 1.6, bent=True)
    b.poly([(54, 4), (84, 32), (46, 68), (24, 28)], c)
    b.poly([(54, 4), (84, 32), (50, 33)], lighter(c, 0.4))
    b.poly([(46, 68), (24, 28), (50, 33)], darker(c, 0.18))
    for x, y in ((41, 79), (51, 88)):
        b.poly([(x - 6, y - 4), (x + 6, y + 4), (x + 6, y - 4), (x - 6, y + 4)], "#f3b63a")


def umbrella(b: Brush, c: str) -> None:
    """An open umbrella."""
    b.line([(50, 10), (50, 84), (56, 93), (64, 86)], WOOD, 3, bent=False)
    b.pie(50, 54, 46, (180, 360), c)
    for x in (19.5, 50, 80.5):
        b.pie(x, 54, 15.4, (180, 360), "#00000000")
    b.blob([(50, 8), (64, 28), (65, 54), (35, 54), (36, 28)], lighter(c, 0.35))
    b.line([(50, 50), (50, 84)], WOOD, 3)


def pencil(b: Brush, c: str) -> None:
    """A pencil."""
    tilt = 45.0
    b.poly(turned([(40, 16), (60, 16), (60, 76), (40, 76)], tilt), c)
    b.poly(turned([(46.5, 16), (53.5, 16), (53.5, 76), (46.5, 76)], tilt), lighter(c, 0.3))
    b.poly(turned([(40, 76), (60, 76), (50, 100)], tilt), "#f0d3a8")
    b.poly(turned([(46.2, 91), (53.8, 91), (50, 100)], tilt), DARK)
    b.poly(turned([(40, 8), (60, 8), (60, 16), (40, 16)], tilt), STEEL)
    b.poly(turned([(40, -2), (60, -2), (60, 8), (40, 8)], tilt), "#e58a93")


MOTIFS = {
    "tooth": (tooth, "#7fb4d6"),
    "heart": (heart, "#d83a4d"),
    "eye": (eye, "#3f86b8"),
    "train": (train, "#2f6f9e"),
    "bus": (bus, "#e2a12e"),
    "hot-air balloon": (hot_air, "#d9503f"),
    "rocket": (rocket, "#d24a3f"),
    "ball of wool": (yarn, "#b9558f"),
    "hammer": (hammer, "#56708c"),
    "scissors": (scissors, "#c8453b"),
    "castle": (castle, "#9aa0ad"),
    "magnifying glass": (magnifier, "#46566e"),
    "robot": (robot, "#4f8fb0"),
    "key": (key, "#cf9b35"),
    "kite": (kite, "#d9503f"),
    "umbrella": (umbrella, "#7a56b0"),
    "pencil": (pencil, "#e6a52f"),
}
