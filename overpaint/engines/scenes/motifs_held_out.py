"""Things of the held-out scenes that no other engine draws: each in one colour and its shades."""

from overpaint.engines.milde.brush import Brush, darker, lighter, smooth

WHITE, DARK, BARK, LEAF = "#fbf8f0", "#2b2a33", "#7a5236", "#4c9a5b"


def car(b: Brush, c: str) -> None:
    """A small car from the side."""
    b.blob([(20, 56), (30, 36), (44, 31), (62, 32), (76, 46), (82, 56)], c)
    b.poly([(30, 54), (36, 40), (47, 37), (47, 54)], "#bfe0f0")
    b.poly([(51, 37), (61, 38), (72, 54), (51, 54)], "#bfe0f0")
    b.poly([(36, 40), (41, 38.5), (35, 54), (30, 54)], WHITE)
    b.rect(4, 53, 97, 78, c, r=8)
    b.rect(4, 68, 97, 78, darker(c, 0.3), r=5)
    b.line([(49, 55), (49, 74)], darker(c, 0.35), 1)
    b.rect(53, 58, 60, 60.5, darker(c, 0.45), r=1)
    b.oval(90, 57, 97, 65, "#f6dd83")
    b.rect(3, 58, 8, 65, "#b6322c", r=1)
    for x in (24, 76):
        b.disc(x, 78, 13, DARK)
        b.disc(x, 78, 7, "#c3c9d2")
        b.disc(x, 78, 2.4, "#767c88")


def cat(b: Brush, c: str) -> None:
    """A cat sitting, seen from the side."""
    dim = darker(c, 0.25)
    for x, y in smooth([(30, 90), (12, 92), (7, 76), (14, 62)], closed=False):
        b.disc(x, y, 3.5, dim)  # a thick line that bends this much would show its joints
    b.blob([(50, 40), (36, 52), (25, 76), (30, 95), (62, 96), (70, 70), (68, 48)], c)
    b.blob([(30, 78), (42, 68), (52, 80), (48, 95), (31, 95)], dim)
    b.blob([(62, 50), (70, 58), (68, 80), (60, 84), (57, 62)], lighter(c, 0.55))
    for x in (54, 63):
        b.rect(x, 70, x + 8, 97, c, r=3)
        b.rect(x, 92, x + 10, 97, lighter(c, 0.55), r=2.5)
    for points in ([(46, 26), (46, 4), (62, 16)], [(66, 15), (80, 4), (79, 28)]):
        b.poly(points, c)
    b.poly([(49, 20), (49, 10), (57, 16)], "#f0b7b0")
    b.poly([(69, 16), (77, 9), (77, 21)], "#f0b7b0")
    b.oval(43, 14, 83, 48, c)
    for x, w in ((53, 3), (63, 3), (73, 3)):
        b.line([(x, 15), (x + (63 - x) * 0.1, 21)], dim, w)
    b.oval(56, 33, 76, 47, lighter(c, 0.55))
    for x in (55, 73):
        b.oval(x - 4, 26, x + 4, 34, "#d9e07a")
        b.oval(x - 1.4, 26, x + 1.8, 34, DARK)
    b.poly([(63, 35), (69, 35), (66, 39)], "#d9777f")
    b.line([(61, 42), (64, 43), (66, 39), (68, 43), (71, 42)], DARK, 1.1, bent=True)


def cow(b: Brush, c: str) -> None:
    """A spotted cow from the side."""
    skin = "#f6efe4"
    for x in (22, 58):
        b.rect(x, 60, x + 8, 95, darker(skin, 0.22), r=2)
    b.line([(9, 42), (5, 56), (7, 68)], darker(skin, 0.15), 2.4, bent=True)
    b.oval(4, 66, 10, 76, c)
    b.blob([(8, 44), (18, 33), (48, 35), (68, 33), (75, 46), (72, 66), (46, 70), (14, 68)], skin)
    b.blob([(14, 40), (28, 34), (36, 46), (26, 58), (13, 54)], c)
    b.blob([(46, 36), (60, 35), (62, 48), (52, 54), (44, 46)], c)
    b.blob([(58, 62), (70, 56), (71, 66), (62, 69)], c)
    b.oval(24, 64, 42, 76, "#efb0a8")
    for x in (13, 64):
        b.rect(x, 60, x + 9, 95, skin, r=2)
        b.rect(x, 90, x + 9, 97, DARK, r=1.5)
    for x in (22, 58):
        b.rect(x, 91, x + 8, 96, DARK, r=1.5)
    b.poly([(66, 36), (76, 20), (86, 34), (76, 54)], skin)
    b.blob([(72, 24), (80, 18), (91, 22), (95, 40), (92, 48), (82, 47), (75, 38)], skin)
    b.blob([(72, 24), (80, 18), (84, 24), (80, 36), (75, 36)], c)
    b.blob([(84, 40), (95, 38), (97, 46), (91, 51), (83, 49)], "#efb0a8")
    b.oval(62, 22, 75, 29, darker(c, 0.1))
    b.line([(78, 19), (76, 12)], "#d8c9a4", 2.6)
    b.line([(87, 19), (91, 12)], "#d8c9a4", 2.6)
    b.disc(86, 30, 2.2, DARK)
    b.disc(92, 44, 1.2, darker("#efb0a8", 0.4))


def chair(b: Brush, c: str) -> None:
    """A wooden chair with a cushion."""
    rear = darker(c, 0.3)
    b.rect(30, 60, 35, 90, rear)
    b.rect(78, 60, 83, 88, rear)
    for x in (22, 70):
        b.rect(x, 5, x + 6, 62, c, r=2)
    for y in (10, 24, 38):
        b.rect(24, y, 74, y + 7, lighter(c, 0.14), r=2)
    b.poly([(20, 54), (76, 54), (86, 65), (14, 65)], lighter(c, 0.14))
    b.poly([(14, 65), (86, 65), (86, 70), (14, 70)], darker(c, 0.15))
    b.blob([(25, 50), (72, 50), (80, 58), (76, 62), (24, 62), (20, 57)], "#d9675a")
    b.line([(24, 57), (76, 57)], lighter("#d9675a", 0.35), 1.4)
    for x in (15, 79):
        b.rect(x, 69, x + 6, 97, c, r=1)
    b.rect(18, 80, 82, 84, darker(c, 0.15))


def duck(b: Brush, c: str) -> None:
    """A duck from the side."""
    for x in (44, 56):
        b.rect(x, 78, x + 3.5, 94, "#e8892f")
        b.poly([(x - 2, 97), (x + 2, 92), (x + 12, 97)], "#e8892f")
    b.blob([(4, 46), (18, 52), (36, 50), (60, 56), (72, 50), (80, 64), (66, 82), (36, 84),
            (14, 70)], c)  # fmt: skip
    b.blob([(22, 58), (44, 56), (58, 64), (44, 75), (26, 71)], darker(c, 0.16))
    for y in (62, 67):
        b.line([(28, y), (46, y + 2)], darker(c, 0.32), 1.3)
    b.blob([(58, 58), (60, 38), (76, 36), (80, 56), (74, 66)], c)
    b.disc(70, 26, 17, c)
    b.blob([(83, 22), (97, 25), (98, 30), (84, 34)], "#e8892f")
    b.line([(84, 29), (96, 28)], darker("#e8892f", 0.3), 1)
    b.disc(75, 21, 2.8, DARK)
    b.disc(76, 20, 0.9, WHITE)


def lighthouse(b: Brush, c: str) -> None:
    """A striped lighthouse on its rock."""
    b.blob([(16, 96), (24, 84), (40, 80), (62, 80), (78, 86), (86, 96), (50, 98)], "#8b857e")
    b.poly([(36, 26), (64, 26), (70, 86), (30, 86)], WHITE)
    for top, low in ((33, 45), (58, 71)):
        left = [36 - 6 * (y - 26) / 60 for y in (top, low)]
        b.poly([(left[0], top), (100 - left[0], top), (100 - left[1], low), (left[1], low)], c)
    b.rect(31, 22, 69, 27, DARK, r=1)
    b.rect(40, 10, 60, 22, "#f8df86")
    b.line([(47, 10), (47, 22)], DARK, 1)
    b.line([(53, 10), (53, 22)], DARK, 1)
    b.poly([(37, 11), (63, 11), (50, 1)], c)
    b.rect(45, 74, 55, 86, "#7b4f35", r=3)
    b.rect(47, 48, 53, 56, "#5f7fa0", r=2)


def pear(b: Brush, c: str) -> None:
    """A pear with a leaf."""
    b.line([(50, 16), (53, 3)], BARK, 3.2)
    b.blob([(53, 12), (66, 3), (78, 8), (66, 16)], LEAF)
    b.blob([(50, 13), (62, 22), (66, 42), (82, 66), (72, 92), (50, 97), (28, 92), (18, 66),
            (34, 42), (38, 22)], c)  # fmt: skip
    b.blob([(64, 50), (80, 68), (70, 90), (50, 96), (66, 78)], darker(c, 0.14))
    b.blob([(38, 34), (42, 40), (32, 62), (27, 60)], lighter(c, 0.5))
    for x, y in ((52, 60), (60, 72), (45, 78), (56, 84), (66, 62)):
        b.disc(x, y, 0.9, darker(c, 0.3))


def tractor(b: Brush, c: str) -> None:
    """A tractor from the side."""
    b.rect(80, 26, 84, 46, DARK, r=1)
    b.rect(52, 44, 94, 68, c, r=4)
    b.rect(58, 50, 88, 55, darker(c, 0.3), r=1)
    b.rect(58, 58, 88, 63, darker(c, 0.3), r=1)
    b.rect(18, 10, 58, 17, darker(c, 0.2), r=2)
    b.poly([(22, 16), (53, 16), (56, 48), (18, 48)], "#bfe0f0")
    for way in ([(22, 16), (19, 50)], [(53, 16), (56, 50)], [(38, 16), (38, 50)]):
        b.line(way, darker(c, 0.2), 2.4)
    b.rect(16, 46, 62, 72, c, r=3)
    b.disc(31, 72, 25, DARK)
    b.disc(31, 72, 15, "#f0c84f")
    b.disc(31, 72, 5, DARK)
    b.disc(81, 82, 15, DARK)
    b.disc(81, 82, 8, "#f0c84f")
    b.disc(81, 82, 2.8, DARK)
    b.oval(90, 46, 96, 53, "#f6e7a8")


HELD_OUT = {
    "car": car, "cat": cat, "cow": cow, "chair": chair, "duck": duck,
    "lighthouse": lighthouse, "pear": pear, "tractor": tractor,
}  # fmt: skip
