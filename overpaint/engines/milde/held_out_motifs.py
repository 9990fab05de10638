"""Illustrations of the held-out themes: plants, food and feasts."""

import math

from overpaint.engines.milde.brush import Brush, around, darker, lighter, turned

WHITE, WOOD, LEAF = "#ffffff", "#8a5a34", "#4c9a5b"
GOLD = "#d9a431"


# ── plants and fruit ────────────────────────────────────────────────────────────────────


def cactus(b: Brush, c: str) -> None:
    """A cactus in a pot."""
    b.rect(40, 10, 60, 74, c, r=10)
    b.line([(44, 54), (24, 52), (24, 34)], c, 11, bent=True)
    b.line([(56, 46), (76, 44), (76, 24)], darker(c, 0.1), 11, bent=True)
    for x in (45, 50, 55):
        b.line([(x, 16), (x, 70)], darker(c, 0.25), 1)
    for x, y in ((50, 9), (24, 30), (76, 20)):
        b.star(x, y, (6, 2.6), 6, "#ec6f9b")
    b.poly([(30, 74), (70, 74), (64, 96), (36, 96)], "#c46a3c")
    b.rect(27, 68, 73, 77, "#d97f4e", r=3)


def rose(b: Brush, c: str) -> None:
    """A rose on its stem."""
    b.line([(50, 50), (48, 74), (52, 97)], LEAF, 3.4, bent=True)
    b.blob([(49, 78), (34, 76), (24, 64), (38, 64)], LEAF)
    b.blob([(51, 86), (66, 82), (76, 70), (60, 72)], darker(LEAF, 0.15))
    b.disc(50, 34, 27, darker(c, 0.25))
    for i in range(5):
        petal = turned([(50, 34), (36, 22), (40, 8), (60, 8), (64, 22)], i * 72, (50, 34))
        b.blob(petal, c if i % 2 else darker(c, 0.1))
    b.disc(50, 34, 14, lighter(c, 0.2))
    for r, a in ((10, 0.0), (6, 2.0)):
        arc = [(50 + r * math.cos(a + t / 4), 34 + r * math.sin(a + t / 4)) for t in range(18)]
        b.line(arc, darker(c, 0.35), 1.6)


def pine(b: Brush, c: str) -> None:
    """A fir tree with a star."""
    b.rect(44, 82, 56, 97, WOOD)
    for step in range(4):
        top, wide = 12 + step * 17, 16 + step * 8
        fill = lighter(c, 0.15 - step * 0.05) if step < 3 else darker(c, 0.1)
        b.poly([(50, top), (50 + wide, top + 25), (50 - wide, top + 25)], fill)
    for x, y, fill in ((44, 34, "#d9453c"), (58, 52, GOLD), (40, 66, "#4f8fd0"),
                       (66, 76, "#d9453c"), (52, 74, GOLD), (30, 82, GOLD)):  # fmt: skip
        b.disc(x, y, 3, fill)
    b.star(50, 10, (9, 4), 5, "#f4c23d")


def sunflower(b: Brush, c: str) -> None:
    """A sunflower."""
    b.line([(50, 50), (51, 97)], LEAF, 4)
    b.blob([(51, 82), (68, 76), (80, 62), (62, 66)], LEAF)
    b.blob([(51, 90), (34, 86), (22, 72), (40, 76)], darker(LEAF, 0.12))
    for i in range(16):
        fill = c if i % 2 else darker(c, 0.14)
        b.poly(turned([(46, 26), (50, 4), (54, 26)], i * 22.5, (50, 38)), fill)
        b.blob(turned([(50, 5), (45.5, 16), (50, 30), (54.5, 16)], i * 22.5, (50, 38)), fill)
    b.disc(50, 38, 16, "#5c3a21")
    for r, n in ((12, 14), (8, 9), (4, 5)):
        for x, y in around((50, 38), r, n):
            b.disc(x, y, 1.1, "#8a5e35")


def strawberry(b: Brush, c: str) -> None:
    """A strawberry."""
    b.blob([(50, 26), (80, 24), (90, 46), (70, 78), (50, 96), (30, 78), (10, 46), (20, 24)], c)
    for row in range(4):
        for column in range(5 - row):
            x = 50 + (column - (4 - row) / 2) * 14
            b.oval(x - 1.5, 40 + row * 13, x + 1.5, 45 + row * 13, "#f9df8f")
    for i in range(5):
        b.blob(turned([(50, 26), (42, 20), (50, 4), (58, 20)], (i - 2) * 50, (50, 26)), LEAF)
    b.line([(50, 22), (54, 4)], darker(LEAF, 0.2), 2.6)


def lemon(b: Brush, c: str) -> None:
    """A lemon and a slice."""
    b.blob([(6, 44), (22, 26), (48, 20), (70, 34), (80, 48), (66, 64), (42, 70), (18, 60)], c)
    b.oval(20, 28, 44, 40, lighter(c, 0.45))
    b.blob([(44, 20), (54, 4), (72, 6), (60, 20)], LEAF)
    b.disc(68, 72, 25, darker(c, 0.08))
    b.disc(68, 72, 22, "#fdf8df")
    for i in range(8):
        wedge = turned([(68, 69), (63, 53), (73, 53)], i * 45, (68, 72))
        b.poly(wedge, lighter(c, 0.15))


def apple(b: Brush, c: str) -> None:
    """An apple."""
    b.blob([(50, 28), (70, 20), (90, 38), (86, 68), (66, 94), (50, 90), (34, 94), (14, 68),
            (10, 38), (30, 20)], c)  # fmt: skip
    b.blob([(24, 36), (34, 30), (30, 48), (22, 56)], lighter(c, 0.5))
    b.line([(50, 30), (51, 16), (56, 8)], WOOD, 3.2, bent=True)
    b.blob([(54, 18), (66, 6), (82, 8), (70, 20)], LEAF)


def cheese(b: Brush, c: str) -> None:
    """A wedge of cheese."""
    b.poly([(6, 52), (64, 18), (94, 40), (94, 52)], lighter(c, 0.3))
    b.poly([(6, 52), (94, 52), (94, 84), (6, 84)], c)
    b.poly([(64, 18), (94, 40), (94, 52), (80, 40)], lighter(c, 0.15))
    for x, y, r in ((24, 66, 6), (46, 72, 8), (70, 64, 5), (84, 75, 5.5), (58, 58, 3)):
        b.disc(x, y, r, darker(c, 0.22))
    b.oval(52, 30, 66, 38, darker(c, 0.08))


def noodles(b: Brush, c: str) -> None:
    """A bowl of noodles with chopsticks."""
    b.line([(60, 44), (92, 6)], WOOD, 2.6)
    b.line([(66, 46), (98, 12)], darker(WOOD, 0.2), 2.6)
    b.oval(8, 34, 92, 62, darker(c, 0.25))
    b.oval(12, 36, 88, 58, "#f0c46b")
    for i in range(6):
        x = 22 + i * 9
        b.line([(x, 50), (x + 5, 42), (x + 11, 50), (x + 16, 44)], "#fbe6ad", 2.4, bent=True)
    b.oval(58, 40, 76, 52, WHITE)
    b.oval(63, 42, 72, 50, "#f2a93b")
    for x, y in ((30, 42), (40, 54), (50, 40)):
        b.disc(x, y, 2.4, "#4d9a4e")
    b.pie(50, 50, 42, (0, 180), c)
    b.line([(16, 62), (50, 68), (84, 62)], lighter(c, 0.6), 2.6, bent=True)
    b.rect(34, 88, 66, 96, darker(c, 0.3), r=2)


def bread(b: Brush, c: str) -> None:
    """A loaf."""
    b.blob([(8, 54), (16, 34), (50, 26), (84, 34), (92, 54), (86, 78), (50, 82), (14, 78)], c)
    b.blob([(14, 52), (24, 38), (50, 32), (76, 38), (86, 52), (50, 60)], lighter(c, 0.25))
    for x in (28, 46, 64):
        b.line([(x, 62), (x + 8, 36)], "#fbe9c9", 4)


# ── feasts ──────────────────────────────────────────────────────────────────────────────


def pumpkin(b: Brush, c: str) -> None:
    """A carved pumpkin."""
    b.rect(45, 6, 55, 26, "#5b7b36", r=3)
    for x, wide in ((22, 20), (78, 20), (36, 21), (64, 21), (50, 20)):
        fill = c if wide == 20 else lighter(c, 0.12)
        b.oval(x - wide, 20, x + wide, 90, fill if x != 50 else darker(c, 0.06))
    for x in (33, 67):
        b.poly([(x - 9, 50), (x + 9, 50), (x, 36)], "#3b2213")
    b.poly([(45, 60), (55, 60), (50, 53)], "#3b2213")
    b.poly([(24, 66), (36, 70), (42, 66), (50, 71), (58, 66), (64, 70), (76, 66), (64, 82),
            (50, 85), (36, 82)], "#3b2213")  # fmt: skip


def lantern(b: Brush, c: str) -> None:
    """A round paper lantern with a tassel."""
    b.line([(50, 2), (50, 14)], GOLD, 2)
    b.oval(10, 18, 90, 74, c)
    for wide in (28, 14):
        b.oval(50 - wide, 18, 50 + wide, 74, darker(c, 0.14))
        b.oval(50 - wide + 2, 18, 50 + wide - 2, 74, c)
    b.rect(34, 12, 66, 21, GOLD, r=2)
    b.rect(34, 71, 66, 79, GOLD, r=2)
    for x in (42, 46, 50, 54, 58):
        b.line([(x, 79), (x, 97)], "#e8b84d", 1.8)
    b.poly([(50, 36), (60, 46), (50, 56), (40, 46)], "#f6d27a")


def moon(b: Brush, c: str) -> None:
    """A crescent with stars and a cloud."""
    b.disc(46, 48, 40, c)
    b.disc(62, 38, 33, "#00000000")
    for x, y, r in ((68, 30, 8), (84, 52, 5.5), (60, 54, 4)):
        b.star(x, y, (r, r * 0.45), 5, lighter(c, 0.3))
    for x, y, r in ((26, 82, 10), (40, 77, 13), (56, 82, 10)):
        b.disc(x, y, r, "#cfd9ea")
    b.rect(18, 82, 64, 92, "#cfd9ea", r=5)


def egg(b: Brush, c: str) -> None:
    """A painted egg."""
    shape = [(50, 4), (70, 22), (82, 56), (72, 86), (50, 97), (28, 86), (18, 56), (30, 22)]
    b.blob(shape, c)
    band = [(19, 56), (31, 50), (44, 56), (56, 50), (69, 56), (81, 50)]
    b.line(band, "#fdf4d8", 4.5)
    b.line([(x * 0.84 + 8, y - 20) for x, y in band], lighter(c, 0.6), 3.4)
    for x in (30, 43, 57, 70):
        b.disc(x, 72, 4.4, "#f5c84a")
    for x in (40, 60):
        b.disc(x, 22, 3.4, lighter(c, 0.6))
    b.line([(32, 85), (50, 88), (68, 85)], "#fdf4d8", 3, bent=True)


def rings(b: Brush, c: str) -> None:
    """Two rings, one with a stone."""
    b.ring(36, 60, 28, darker(c, 0.12), 6)
    b.ring(64, 60, 28, c, 6)
    b.poly([(54, 14), (74, 14), (80, 21), (64, 36), (48, 21)], "#9fd6ee")
    b.poly([(54, 14), (64, 21), (48, 21)], "#d5effa")
    b.poly([(74, 14), (64, 21), (80, 21)], "#7fc0de")


def balloons(b: Brush, c: str) -> None:
    """Three balloons."""
    for x, y, fill in ((28, 36, lighter(c, 0.4)), (72, 34, darker(c, 0.15)), (50, 24, c)):
        b.line([(x, y + 20), (50, 94)], "#8d8794", 1)
        b.oval(x - 18, y - 22, x + 18, y + 22, fill)
        b.poly([(x, y + 20), (x - 4, y + 27), (x + 4, y + 27)], fill)
        b.oval(x - 11, y - 15, x - 4, y - 4, lighter(fill, 0.6))


def gift(b: Brush, c: str) -> None:
    """A parcel with a bow."""
    b.rect(12, 42, 88, 94, c, r=3)
    b.rect(7, 30, 93, 47, darker(c, 0.1), r=3)
    b.rect(43, 30, 57, 94, "#f6d264")
    b.blob([(50, 30), (26, 26), (20, 10), (38, 8)], "#f6d264")
    b.blob([(50, 30), (74, 26), (80, 10), (62, 8)], "#eec24b")
    b.disc(50, 27, 6, "#e0b23c")


MOTIFS = {
    "cactus": (cactus, "#3f9a62"),
    "rose": (rose, "#cf3354"),
    "fir tree": (pine, "#2f8052"),
    "sunflower": (sunflower, "#f2b02c"),
    "strawberry": (strawberry, "#d8343f"),
    "lemon": (lemon, "#f2cc3b"),
    "apple": (apple, "#cf3b36"),
    "cheese": (cheese, "#f0b93c"),
    "bowl of noodles": (noodles, "#b8423a"),
    "loaf of bread": (bread, "#c98642"),
    "pumpkin": (pumpkin, "#ea7f24"),
    "lantern": (lantern, "#d1342f"),
    "moon": (moon, "#f0bf4a"),
    "egg": (egg, "#6fb2d8"),
    "rings": (rings, "#d9a431"),
    "balloons": (balloons, "#e0527c"),
    "gift": (gift, "#3f78c0"),
}
