"""Illustrations: music, sport, the table, school and the home, each in one colour's shades."""

from overpaint.engines.milde.brush import Brush, around, darker, lighter, turned

WHITE, DARK, WOOD, STEEL = "#ffffff", "#2a2730", "#8a5a34", "#c3c9d2"


# ── music ───────────────────────────────────────────────────────────────────────────────


def guitar(b: Brush, c: str) -> None:
    """An acoustic guitar, leaning."""
    tilt = 28.0
    body = [(50, 44), (63, 47), (63, 58), (60, 64), (70, 74), (66, 92), (50, 97), (34, 92),
            (30, 74), (40, 64), (37, 58), (37, 47)]  # fmt: skip
    b.blob(turned(body, tilt, (50, 56)), darker(c, 0.25))
    b.blob(
        turned([(50 + (x - 50) * 0.9, 71 + (y - 71) * 0.92) for x, y in body], tilt, (50, 56)), c
    )
    b.poly(turned([(46.5, 8), (53.5, 8), (53.5, 66), (46.5, 66)], tilt, (50, 56)), "#4b3221")
    b.poly(turned([(44, -4), (56, -4), (55, 10), (45, 10)], tilt, (50, 56)), "#34231a")
    hole = turned([(50, 67)], tilt, (50, 56))[0]
    b.disc(*hole, 8, "#33221a")
    b.poly(turned([(41, 82), (59, 82), (59, 86), (41, 86)], tilt, (50, 56)), "#34231a")
    for x in (48.4, 50, 51.6):
        b.line(turned([(x, 4), (x, 83)], tilt, (50, 56)), "#f1e6cf", 0.5)


def piano(b: Brush, c: str) -> None:
    """An upright piano."""
    b.rect(8, 14, 92, 90, darker(c, 0.2), r=4)
    b.rect(8, 12, 92, 20, c, r=3)
    b.rect(16, 26, 84, 46, c, r=2)
    b.rect(5, 52, 95, 68, darker(c, 0.35), r=2)
    b.rect(9, 54, 91, 65, "#fbf9f2")
    for i in range(1, 14):
        x = 9 + i * 82 / 14
        b.line([(x, 54.5), (x, 64.5)], "#a8a49b", 0.6)
        if i % 7 not in (0, 3):
            b.rect(x - 1.7, 54, x + 1.7, 60.5, DARK)
    b.rect(12, 68, 20, 94, darker(c, 0.4))
    b.rect(80, 68, 88, 94, darker(c, 0.4))
    b.rect(42, 84, 58, 87, "#d8b24a", r=1)


def drum(b: Brush, c: str) -> None:
    """A drum with crossed sticks."""
    b.rect(14, 42, 86, 78, c)
    b.oval(14, 66, 86, 92, c)
    for i in range(6):
        x = 14 + i * 72 / 5
        step = 72 / 10
        b.line([(x - step if i else x, 84 - abs(i - 2.5)), (x, 46)], "#f4d98c", 1.4)
        if i < 5:
            b.line([(x, 46), (x + step, 87 - abs(i - 2))], "#f4d98c", 1.4)
    b.oval(12, 30, 88, 58, darker(c, 0.3))
    b.oval(14, 29, 86, 55, "#f7efdf")
    b.line([(20, 8), (62, 44)], WOOD, 3)
    b.line([(80, 8), (38, 44)], darker(WOOD, 0.2), 3)
    b.disc(62, 44, 3.6, "#caa06c")
    b.disc(38, 44, 3.6, "#caa06c")


def trumpet(b: Brush, c: str) -> None:
    """A trumpet."""
    for x in (38, 47, 56):
        b.rect(x - 2.6, 26, x + 2.6, 74, darker(c, 0.22), r=2)
        b.rect(x - 3.6, 22, x + 3.6, 27, lighter(c, 0.4), r=2)
    b.rect(28, 40, 70, 46, c, r=3)
    b.rect(28, 58, 66, 64, c, r=3)
    b.pie(30, 52, 12, (90, 270), c)
    b.pie(30, 52, 6, (90, 270), darker(c, 0.5))
    b.pie(66, 52, 12, (-90, 90), darker(c, 0.1))
    b.pie(66, 52, 6, (-90, 90), darker(c, 0.5))
    b.rect(6, 41, 32, 45, c, r=2)
    b.oval(3, 38, 10, 48, darker(c, 0.2))
    b.poly([(66, 40), (84, 34), (94, 22), (94, 64), (84, 52), (66, 46)], c)
    b.oval(90, 22, 98, 64, lighter(c, 0.35))


# ── sport ───────────────────────────────────────────────────────────────────────────────


def football(b: Brush, c: str) -> None:
    """A football with dark panels."""
    b.disc(50, 50, 46, darker(c, 0.15))
    b.disc(50, 50, 44, "#fbfbf8")
    b.poly(around((50, 50), 16, 5), c)
    for (x, y), (u, v) in zip(around((50, 50), 16, 5), around((50, 50), 31, 5), strict=True):
        b.line([(x, y), (u, v)], c, 2)
    for i in range(5):
        edge = turned([(42, 10), (50, 18), (58, 10), (56, 6.6), (44, 6.6)], i * 72)
        b.poly(edge, c)
        b.line(turned([(58, 10), (69, 24), (81.5, 21.5)], i * 72 - 0.0), c, 2)
        b.line(turned([(50 + 19.4, 50 - 26.7), (50 + 12.9, 50 - 17.8)], i * 72), c, 2)


def basketball(b: Brush, c: str) -> None:
    """A basketball."""
    b.disc(50, 50, 46, darker(c, 0.1))
    b.disc(48, 48, 43, c)
    seam = darker(c, 0.65)
    b.ring(50, 50, 46, seam, 2)
    b.line([(4.5, 50), (95.5, 50)], seam, 2)
    b.line([(50, 4.5), (50, 95.5)], seam, 2)
    for side in (-1, 1):
        points = [(50 + side * 34, 19), (50 + side * 18, 36), (50 + side * 15, 50),
                  (50 + side * 18, 64), (50 + side * 34, 81)]  # fmt: skip
        b.line(points, seam, 2, bent=True)


def racket(b: Brush, c: str) -> None:
    """A tennis racket and a ball."""
    tilt = 35.0
    b.poly(turned([(46, 62), (54, 62), (54, 98), (46, 98)], tilt), "#33303a")
    b.poly(turned([(40, 52), (60, 52), (53, 70), (47, 70)], tilt), c)
    oval = [(50 + 24 * (x - 50) / 50, 30 + 29 * (y - 50) / 50) for x, y in around((50, 50), 50, 40)]
    b.poly(turned(oval, tilt), c)
    inner = [
        (50 + 20 * (x - 50) / 50, 30 + 25 * (y - 50) / 50) for x, y in around((50, 50), 50, 40)
    ]
    b.poly(turned(inner, tilt), "#f5f3ea")
    for i in range(-3, 4):
        reach = 25 * (1 - (i * 5 / 20) ** 2) ** 0.5
        b.line(turned([(50 + i * 5, 30 - reach), (50 + i * 5, 30 + reach)], tilt), "#b9b6ac", 0.7)
        across = 20 * (1 - (i * 6.5 / 25) ** 2) ** 0.5
        b.line(turned([(50 - across, 30 + i * 6.5), (50 + across, 30 + i * 6.5)], tilt),
               "#b9b6ac", 0.7)  # fmt: skip
    b.disc(22, 24, 12, "#cfdf3f")
    b.line([(13, 17), (20, 24), (18, 35)], "#f8fbe0", 1.6, bent=True)


def bicycle(b: Brush, c: str) -> None:
    """A bicycle from the side."""
    for x in (24, 76):
        b.ring(x, 64, 22, DARK, 3.2)
        for point in around((x, 64), 19, 10):
            b.line([(x, 64), point], "#9aa1ac", 0.6)
        b.disc(x, 64, 2.6, DARK)
    for way in ([(24, 64), (40, 38), (66, 38), (48, 64), (24, 64)], [(48, 64), (38, 33)],
                [(76, 64), (64, 28)]):  # fmt: skip
        b.line(way, c, 3.4)
    b.line([(64, 28), (74, 24), (76, 30)], DARK, 2.8, bent=True)
    b.rect(30, 29, 46, 33.5, DARK, r=2)
    b.disc(48, 64, 5, darker(c, 0.35))
    b.line([(48, 64), (54, 72)], DARK, 2)
    b.rect(50, 71, 59, 74, DARK, r=1)


# ── the table ───────────────────────────────────────────────────────────────────────────


def cup(b: Brush, c: str) -> None:
    """A steaming cup on a saucer."""
    for x in (36, 50, 64):
        b.line([(x, 8), (x + 4, 15), (x - 3, 23), (x + 1, 31)], "#c9b8a6", 2.6, bent=True)
    b.oval(10, 82, 90, 96, lighter(c, 0.5))
    b.oval(18, 83, 82, 92, lighter(c, 0.25))
    b.ring(76, 56, 15, c, 5)
    b.blob([(22, 40), (78, 40), (76, 66), (66, 86), (34, 86), (24, 66)], c)
    b.oval(20, 35, 80, 49, lighter(c, 0.35))
    b.oval(24, 37, 76, 47, "#5a3620")


def teapot(b: Brush, c: str) -> None:
    """A teapot."""
    b.ring(82, 56, 15, darker(c, 0.1), 5)
    b.poly([(28, 52), (26, 70), (2, 36), (10, 32)], darker(c, 0.1))
    b.blob([(50, 30), (76, 40), (82, 64), (70, 86), (30, 86), (18, 64), (24, 40)], c)
    b.oval(32, 24, 68, 42, lighter(c, 0.3))
    b.disc(50, 22, 5.5, darker(c, 0.25))
    b.rect(34, 84, 66, 91, darker(c, 0.25), r=3)
    for x, y in around((50, 61), 9, 6):
        b.disc(x, y, 4.4, lighter(c, 0.65))
    b.disc(50, 61, 4.2, "#f3c64b")


def cake(b: Brush, c: str) -> None:
    """A layered cake with a cherry."""
    b.oval(4, 80, 96, 96, "#d9dde4")
    b.rect(14, 46, 86, 86, "#e9bf86", r=4)
    b.rect(14, 62, 86, 68, c)
    b.rect(14, 36, 86, 54, lighter(c, 0.5), r=6)
    for i, x in enumerate((20, 32, 44, 56, 68, 80)):
        b.rect(x - 5, 44, x + 5, 58 + (6 if i % 2 else 0), lighter(c, 0.5), r=5)
    for x, y in ((26, 42), (40, 40), (60, 41), (74, 43)):
        b.disc(x, y, 1.8, darker(c, 0.15))
    b.disc(50, 29, 8, "#c4203a")
    b.disc(47.5, 26.5, 2, "#f29aa8")
    b.line([(51, 22), (54, 14), (60, 10)], "#3f7d3a", 1.8, bent=True)


def pizza(b: Brush, c: str) -> None:
    """A slice of pizza."""
    b.poly([(8, 20), (50, 12), (92, 20), (50, 96)], "#f3c557")
    b.blob([(6, 20), (28, 9), (50, 6), (72, 9), (94, 20), (92, 28), (50, 19), (8, 28)], "#c98742")
    for x, y, r in ((34, 38, 9), (62, 36, 9.5), (50, 62, 9)):
        b.disc(x, y, r, darker(c, 0.15))
        b.disc(x, y, r - 1.8, c)
    for x, y in ((47, 32), (72, 26), (38, 54), (55, 78)):
        b.oval(x - 4, y - 2, x + 4, y + 2.4, "#4b8b3b")


# ── school, shelves and the home ────────────────────────────────────────────────────────


def flask(b: Brush, c: str) -> None:
    """A bubbling flask."""
    b.blob([(42, 30), (58, 30), (88, 84), (84, 94), (16, 94), (12, 84)], "#dfeaf2")
    b.blob([(31, 58), (69, 58), (83, 84), (80, 90), (20, 90), (17, 84)], c)
    b.rect(41, 8, 59, 40, "#dfeaf2")
    b.rect(37, 5, 63, 12, "#b8c9d6", r=3)
    for x, y, r in ((38, 76, 6), (56, 70, 4.5), (64, 82, 5), (48, 62, 3)):
        b.disc(x, y, r, lighter(c, 0.5))
    for x, y, r in ((46, 48, 3), (53, 36, 2.4), (49, 24, 2)):
        b.disc(x, y, r, lighter(c, 0.2))


def planet(b: Brush, c: str) -> None:
    """A ringed planet among stars."""
    ring = [(50 + 47 * (x - 50) / 50, 50 + 13 * (y - 50) / 50) for x, y in around((50, 50), 50, 60)]
    b.poly(turned(ring, -20), "#e3c27a")
    inner = [
        (50 + 38 * (x - 50) / 50, 50 + 8.5 * (y - 50) / 50) for x, y in around((50, 50), 50, 60)
    ]
    b.poly(turned(inner, -20), darker("#e3c27a", 0.35))
    b.disc(50, 50, 27, c)
    b.pie(50, 50, 27, (20, 160), darker(c, 0.15))
    b.oval(34, 34, 52, 42, lighter(c, 0.3))
    front = turned(ring, -20)
    b.poly([*front[15:46], *reversed(turned(inner, -20)[15:46])], "#e3c27a")
    for x, y, r in ((14, 18, 6), (86, 82, 6), (82, 16, 4), (18, 84, 4)):
        b.star(x, y, (r, r * 0.35), 4, "#f2c14e")


def palette(b: Brush, c: str) -> None:
    """A painter's palette and a brush."""
    board = [
        (46, 12),
        (84, 24),
        (92, 50),
        (76, 66),
        (62, 66),
        (60, 82),
        (40, 90),
        (12, 70),
        (10, 36),
    ]
    b.blob(board, c)
    spots = (("#e2453c", 32, 32), ("#f3b63a", 52, 25), ("#3d9b57", 72, 34), ("#3b77c9", 76, 52))
    for fill, x, y in (*spots, ("#8d55b8", 24, 52)):
        b.disc(x, y, 7, fill)
    b.oval(36, 66, 50, 78, darker(c, 0.55))
    b.line([(92, 96), (58, 50)], "#3a4a66", 3.4)
    b.poly(turned([(54, 40), (50, 52), (58, 52)], -36, (54, 48)), "#5a3a24")


def book(b: Brush, c: str) -> None:
    """An open book."""
    b.poly([(4, 26), (50, 34), (96, 26), (96, 84), (50, 92), (4, 84)], darker(c, 0.1))
    b.blob([(8, 22), (30, 18), (49, 28), (49, 84), (30, 76), (8, 78)], "#fdfaf1")
    b.blob([(92, 22), (70, 18), (51, 28), (51, 84), (70, 76), (92, 78)], "#f3ecdc")
    for i in range(5):
        y = 34 + i * 9
        b.line([(15, y - 2), (30, y - 3), (43, y + 2)], "#b6ad9b", 1.5, bent=True)
        b.line([(85, y - 2), (70, y - 3), (57, y + 2)], "#b6ad9b", 1.5, bent=True)
    b.poly([(66, 16), (74, 17), (74, 44), (70, 39), (66, 44)], c)


def vase(b: Brush, c: str) -> None:
    """A painted vase with a twig."""
    b.line([(50, 24), (54, 12), (64, 3)], "#6b4a31", 2, bent=True)
    for x, y in ((56, 11), (63, 5), (50, 16), (60, 13)):
        b.disc(x, y, 3.4, "#e58aa2")
    b.blob([(42, 24), (58, 24), (58, 38), (80, 56), (72, 84), (60, 96), (40, 96), (28, 84),
            (20, 56), (42, 38)], c)  # fmt: skip
    b.rect(36, 21, 64, 27, darker(c, 0.2), r=3)
    b.line([(23, 54), (50, 60), (77, 54)], lighter(c, 0.6), 2.4, bent=True)
    b.line([(27, 78), (50, 84), (73, 78)], lighter(c, 0.6), 2.4, bent=True)
    for i, x in enumerate((32, 44, 56, 68)):
        b.star(x, 69 + (1.5 if i in (1, 2) else 0), (5, 2.2), 4, lighter(c, 0.7))


def camera(b: Brush, c: str) -> None:
    """A camera."""
    b.rect(32, 18, 68, 34, darker(c, 0.3), r=5)
    b.rect(5, 27, 95, 86, c, r=9)
    b.rect(5, 40, 95, 73, darker(c, 0.35))
    b.disc(50, 57, 27, "#e7eaee")
    b.disc(50, 57, 22, DARK)
    b.disc(50, 57, 14, "#385c86")
    b.disc(45, 51, 5, "#a9c6e4")
    b.disc(82, 34, 4, "#f3c64b")
    b.rect(14, 21, 26, 28, darker(c, 0.4), r=2)


def clock(b: Brush, c: str) -> None:
    """An alarm clock."""
    for side in (-1, 1):
        b.pie(50 + side * 27, 24, 15, (180 + 30 * side, 360 + 30 * side), darker(c, 0.25))
        b.line([(50 + side * 22, 82), (50 + side * 30, 95)], darker(c, 0.35), 5)
    b.disc(50, 55, 38, c)
    b.disc(50, 55, 30, "#fdfaf2")
    for i, (x, y) in enumerate(around((50, 55), 25, 12)):
        b.disc(x, y, 2.2 if i % 3 == 0 else 1.1, DARK)
    b.line([(50, 55), (50, 36)], DARK, 3)
    b.line([(50, 55), (63, 62)], DARK, 3)
    b.disc(50, 55, 3.4, c)


def headphones(b: Brush, c: str) -> None:
    """Headphones."""
    b.pie(50, 52, 44, (180, 360), darker(c, 0.3))
    b.rect(6, 50, 14, 62, darker(c, 0.3))
    b.rect(86, 50, 94, 62, darker(c, 0.3))
    b.disc(50, 52, 35, "#00000000")
    for x in (16, 84):
        b.rect(x - 12, 50, x + 12, 92, c, r=11)
        b.rect(x - 6 if x > 50 else x - 1, 54, x + 1 if x > 50 else x + 6, 88, DARK, r=3)
    b.line([(34, 14), (50, 11), (66, 14)], lighter(c, 0.4), 2.4, bent=True)


def lamp(b: Brush, c: str) -> None:
    """A table lamp that is on."""
    b.poly([(22, 48), (78, 48), (96, 92), (4, 92)], "#fdeeb8")
    b.rect(47, 48, 53, 88, WOOD)
    b.oval(30, 84, 70, 96, darker(WOOD, 0.2))
    b.poly([(36, 10), (64, 10), (82, 50), (18, 50)], c)
    b.poly([(52, 10), (64, 10), (82, 50), (60, 50)], darker(c, 0.12))
    b.line([(66, 50), (66, 60)], "#5a5148", 1)
    b.disc(66, 62, 2.2, "#5a5148")


def armchair(b: Brush, c: str) -> None:
    """An armchair."""
    for x in (22, 78):
        b.poly([(x - 4, 80), (x + 4, 80), (x + (2 if x > 50 else -2), 96)], WOOD)
    b.rect(22, 10, 78, 66, c, r=16)
    b.rect(12, 62, 88, 84, darker(c, 0.15), r=6)
    b.rect(24, 54, 76, 72, lighter(c, 0.25), r=8)
    for x in (14, 86):
        b.rect(x - 10, 40, x + 10, 82, darker(c, 0.08), r=10)
    for x, y in ((40, 26), (60, 26), (50, 38)):
        b.disc(x, y, 1.7, darker(c, 0.3))


MOTIFS = {
    "guitar": (guitar, "#c98443"), "piano": (piano, "#7c4a33"), "drum": (drum, "#c63d36"),
    "trumpet": (trumpet, "#d9a431"), "football": (football, "#2b3350"),
    "basketball": (basketball, "#e07b2c"), "tennis racket": (racket, "#c43d52"),
    "bicycle": (bicycle, "#2f8f6a"), "cup": (cup, "#c65b3f"), "teapot": (teapot, "#4f8fa8"),
    "cake": (cake, "#d9638a"), "slice of pizza": (pizza, "#cf4631"), "flask": (flask, "#4cae74"),
    "planet": (planet, "#7a62c9"), "palette": (palette, "#c79a66"), "book": (book, "#b6423c"),
    "vase": (vase, "#3f6fb5"), "camera": (camera, "#566070"), "clock": (clock, "#d4543f"),
    "headphones": (headphones, "#4a63b8"), "lamp": (lamp, "#d98a3a"),
    "armchair": (armchair, "#3d8f88"),
}  # fmt: skip
