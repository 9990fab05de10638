"""Things of the known scenes that no other engine draws: each in one main colour and its shades."""

from overpaint.engines.milde.brush import Brush, darker, lighter, smooth

WHITE, DARK, BARK, LEAF = "#fbf8f0", "#2b2a33", "#7a5236", "#4c9a5b"


def house(b: Brush, c: str) -> None:
    """A cottage with a pitched roof, a door and two windows."""
    wall = "#f1e3c8"
    b.rect(68, 14, 77, 38, "#a35c4a")
    b.rect(66.5, 11, 78.5, 16, darker("#a35c4a", 0.25))
    b.rect(14, 42, 86, 97, wall)
    b.rect(14, 42, 86, 48, darker(wall, 0.18))
    b.poly([(50, 6), (97, 46), (91, 50), (9, 50), (3, 46)], darker(c, 0.28))
    b.poly([(50, 4), (97, 45), (3, 45)], c)
    for row, (left, right) in enumerate(((38, 62), (27, 73), (15, 85))):
        y = 15 + row * 11
        b.line([(left, y), (right, y)], darker(c, 0.16), 1.2)
    b.rect(42, 64, 58, 97, "#7b4f35", r=2)
    b.rect(44, 67, 56, 80, lighter("#7b4f35", 0.18), r=1)
    b.disc(55, 83, 1.5, "#e8c65a")
    for x in (20, 65):
        b.rect(x, 58, x + 16, 76, WHITE)
        b.rect(x + 1.5, 59.5, x + 14.5, 74.5, "#7fb2d6")
        b.poly([(x + 1.5, 74.5), (x + 1.5, 66), (x + 10, 59.5), (x + 14.5, 59.5)], "#a4cde8")
        b.line([(x + 8, 59), (x + 8, 75)], WHITE, 1.4)
        b.line([(x + 1, 67), (x + 15, 67)], WHITE, 1.4)
        b.rect(x - 1, 76, x + 17, 79, darker(wall, 0.3))
    b.rect(38, 94, 62, 98, "#b9ac98")


def tree(b: Brush, c: str) -> None:
    """A broad tree with a round crown of three shades."""
    b.poly([(44, 97), (46, 60), (36, 46), (40, 44), (49, 54), (58, 40), (62, 42), (54, 60),
            (57, 97)], BARK)  # fmt: skip
    b.poly([(52, 97), (52, 62), (60, 44), (62, 42), (54, 60), (57, 97)], darker(BARK, 0.2))
    for x, y, r in ((28, 46, 21), (72, 46, 21), (50, 52, 20)):
        b.disc(x, y, r, darker(c, 0.25))
    for x, y, r in ((26, 38, 20), (50, 24, 21), (72, 36, 21), (50, 42, 20)):
        b.disc(x, y, r, c)
    for x, y, r in ((24, 32, 10), (46, 17, 11), (68, 28, 9), (44, 38, 8)):
        b.disc(x, y, r, lighter(c, 0.18))


def dog(b: Brush, c: str) -> None:
    """A dog standing, seen from the side."""
    far, ear = darker(c, 0.28), darker(c, 0.42)
    for left in (24, 60):
        b.poly([(left, 58), (left + 9, 58), (left + 9, 93), (left + 1, 93)], far)
    for x, y in smooth([(16, 52), (7, 44), (5, 30)], closed=False):
        b.disc(x, y, 2.6, c)  # a thick line that bends this much would show its joints
    b.blob([(12, 52), (22, 43), (48, 45), (66, 40), (73, 54), (68, 68), (46, 69), (22, 70)], c)
    b.blob([(26, 66), (46, 64), (66, 64), (60, 70), (40, 72)], lighter(c, 0.45))
    for left in (15, 63):
        b.poly([(left, 56), (left + 12, 56), (left + 10, 92), (left + 2, 92)], c)
        b.rect(left + 1, 90, left + 13, 97, lighter(c, 0.45), r=3)
    b.blob([(62, 52), (64, 32), (74, 22), (82, 30), (78, 50), (72, 58)], c)
    b.blob([(66, 30), (72, 17), (84, 18), (90, 28), (97, 32), (97, 39), (88, 43), (74, 42)], c)
    b.blob([(86, 32), (96, 32), (98, 38), (90, 42), (82, 41)], lighter(c, 0.45))
    b.blob([(70, 19), (62, 22), (60, 38), (67, 46), (73, 34)], ear)
    b.disc(95.5, 32.5, 3, DARK)
    b.disc(83, 27, 2.6, DARK)
    b.disc(83.8, 26.2, 0.8, WHITE)
    b.line([(64, 47), (70, 51), (78, 50)], "#c8443c", 4, bent=True)
    b.disc(72, 55, 2.6, "#e8c65a")


def sheep(b: Brush, c: str) -> None:
    """A woolly sheep with a dark face."""
    face = "#4a4148"
    for x in (28, 40, 60, 70):
        b.rect(x, 66, x + 6, 97, darker(face, 0.15) if x in (40, 60) else face, r=2)
    for x, y, r in ((22, 52, 14), (36, 64, 14), (56, 65, 14), (72, 54, 14)):
        b.disc(x, y, r, darker(c, 0.16))
    for x, y, r in ((20, 46, 13), (30, 36, 14), (46, 32, 15), (62, 36, 14), (72, 48, 13),
                    (34, 56, 15), (54, 56, 16), (46, 46, 18)):  # fmt: skip
        b.disc(x, y, r, c)
    for x, y in ((30, 40), (46, 36), (60, 44), (38, 56), (56, 58)):
        b.pie(x, y, 6, (200, 330), darker(c, 0.1))
        b.pie(x, y + 1.4, 6, (195, 335), c)
    b.blob([(76, 32), (88, 34), (93, 50), (88, 62), (80, 60), (74, 46)], face)
    b.oval(66, 36, 78, 44, darker(face, 0.2))
    for x, y, r in ((74, 28, 7), (82, 27, 7), (78, 32, 6)):
        b.disc(x, y, r, c)
    b.disc(85, 44, 2.4, WHITE)
    b.disc(85.6, 44.4, 1.3, DARK)
    b.line([(88, 57), (84, 57)], "#c98f93", 1.4)


def mug(b: Brush, c: str) -> None:
    """A mug with a band and a handle."""
    b.ring(74, 54, 21, darker(c, 0.22), 7)
    b.rect(14, 16, 70, 86, c, r=4)
    b.oval(14, 76, 70, 96, c)
    b.rect(14, 46, 70, 62, lighter(c, 0.6))
    for x in (22, 35, 48, 61):
        b.star(x, 54, (5, 2.2), 5, darker(c, 0.2))
    b.oval(14, 6, 70, 27, lighter(c, 0.3))
    b.oval(18, 9, 66, 24, "#4c2f22")
    b.oval(22, 14, 62, 24, "#6b4430")


def floor_lamp(b: Brush, c: str) -> None:
    """A standing lamp with a shade."""
    b.oval(32, 91, 68, 99, DARK)
    b.rect(48, 34, 52, 95, "#5b5560")
    b.poly([(38, 6), (62, 6), (74, 36), (26, 36)], c)
    b.poly([(38, 6), (46, 6), (42, 36), (26, 36)], lighter(c, 0.3))
    b.oval(26, 33, 74, 39, lighter(c, 0.65))
    b.line([(58, 38), (58, 50)], "#e8c65a", 0.9)
    b.disc(58, 51, 1.5, "#e8c65a")


def sailing_boat(b: Brush, c: str) -> None:
    """A boat under two sails."""
    b.rect(48, 4, 51, 76, BARK)
    b.poly([(53, 8), (53, 68), (90, 68)], "#fbf3df")
    b.poly([(53, 50), (76, 50), (83, 59), (53, 59)], c)
    b.poly([(46, 14), (46, 68), (18, 68)], "#efe2c4")
    b.poly([(51, 3), (64, 7), (51, 11)], c)
    b.poly([(5, 74), (95, 74), (82, 96), (20, 96)], c)
    b.poly([(5, 74), (95, 74), (92, 80), (8, 80)], WHITE)
    b.poly([(15, 90), (86, 90), (82, 96), (20, 96)], darker(c, 0.35))


def parasol(b: Brush, c: str) -> None:
    """A beach parasol in stripes."""
    b.rect(48.4, 8, 51.6, 97, "#c9b48b")
    b.pie(50, 48, 46, (180, 360), c)
    b.poly([(50, 3), (20, 48), (35, 48)], WHITE)
    b.poly([(50, 3), (80, 48), (65, 48)], WHITE)
    for x in (12, 27.5, 42.5, 57.5, 72.5, 88):
        b.pie(x, 47, 7.6, (0, 180), c if x in (12, 42.5, 57.5, 88) else WHITE)
    b.disc(50, 4, 2.6, darker(c, 0.35))


def wardrobe(b: Brush, c: str) -> None:
    """A wardrobe with two doors and a drawer."""
    for x in (16, 78):
        b.rect(x, 92, x + 6, 98, darker(c, 0.5))
    b.rect(12, 8, 88, 94, darker(c, 0.25), r=2)
    b.rect(9, 4, 91, 12, c, r=2)
    for x in (16, 51):
        b.rect(x, 15, x + 33, 72, c, r=1.5)
        b.rect(x + 5, 20, x + 28, 43, lighter(c, 0.22), r=1.5)
        b.rect(x + 5, 47, x + 28, 67, lighter(c, 0.22), r=1.5)
    b.rect(16, 76, 84, 90, c, r=1.5)
    for x, y in ((46, 46), (54, 46), (34, 83), (66, 83)):
        b.disc(x, y, 1.9, "#e8c65a")


KNOWN = {
    "house": house, "tree": tree, "dog": dog, "sheep": sheep, "mug": mug,
    "floor lamp": floor_lamp, "sailing boat": sailing_boat, "parasol": parasol,
    "wardrobe": wardrobe,
}  # fmt: skip
