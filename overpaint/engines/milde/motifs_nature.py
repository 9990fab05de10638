"""Illustrations: seasons, animals and travel. Each is drawn in one main colour and its shades."""

from overpaint.engines.milde.brush import Brush, around, darker, lighter, smooth, turned

WHITE, LEAF, BARK = "#ffffff", "#4c9a5b", "#7a5236"


def sun(b: Brush, c: str) -> None:
    """A sun with long and short rays."""
    for i in range(16):
        reach = 46 if i % 2 == 0 else 39
        ray = [(47.4, 26), (50, 50 - reach), (52.6, 26)]
        b.poly(turned(ray, i * 22.5), lighter(c, 0.15) if i % 2 else c)
    b.disc(50, 50, 25, darker(c, 0.08))
    b.disc(50, 50, 22, lighter(c, 0.25))


def snowflake(b: Brush, c: str) -> None:
    """Six arms with two pairs of twigs each."""
    for i in range(6):
        for way in ([(50, 50), (50, 6)], [(50, 26), (39, 15)], [(50, 26), (61, 15)],
                    [(50, 37), (42, 29)], [(50, 37), (58, 29)]):  # fmt: skip
            b.line(turned(way, i * 60), c, 4.2)
    b.poly(around((50, 50), 9, 6), lighter(c, 0.5))


def tulip(b: Brush, c: str) -> None:
    """One tulip with two leaves."""
    b.line([(50, 52), (51, 75), (49, 96)], LEAF, 4, bent=True)
    b.blob([(49, 92), (28, 74), (22, 52), (38, 66)], LEAF)
    b.blob([(50, 92), (72, 78), (80, 58), (62, 70)], darker(LEAF, 0.15))
    b.blob([(50, 58), (30, 50), (28, 26), (32, 12), (50, 30)], darker(c, 0.12))
    b.blob([(50, 58), (70, 50), (72, 26), (68, 12), (50, 30)], darker(c, 0.2))
    b.blob([(50, 60), (37, 42), (50, 8), (63, 42)], lighter(c, 0.15))


def leaf(b: Brush, c: str) -> None:
    """A maple leaf."""
    half = [(50, 6), (57, 21), (66, 17), (63, 38), (78, 26), (81, 36), (94, 34), (87, 50),
            (92, 56), (69, 70), (72, 79), (52, 75)]  # fmt: skip
    b.line([(50, 60), (50, 96)], darker(c, 0.25), 3.5)
    b.poly([*half, *((100 - x, y) for x, y in reversed(half))], c)
    for end in ((50, 16), (84, 42), (16, 42), (70, 64), (30, 64)):
        b.line([(50, 74), end], darker(c, 0.22), 1.6)


def ice_cream(b: Brush, c: str) -> None:
    """Two scoops in a cone."""
    b.poly([(31, 48), (69, 48), (50, 96)], "#dd9f56")
    for x in (38, 46, 54, 62):
        b.line([(x, 50), (50 + (x - 50) * 0.3 + 6, 82 - abs(x - 50))], "#b97b36", 1.2)
    b.disc(39, 36, 17, lighter(c, 0.55))
    b.disc(61, 36, 17, c)
    b.disc(50, 22, 17, lighter(c, 0.3))
    b.rect(27, 44, 73, 51, "#c98b45", r=3.5)
    b.disc(50, 6, 5, "#c5283d")


def snowman(b: Brush, c: str) -> None:
    """Two balls of snow, a hat and a scarf in the main colour."""
    b.line([(34, 58), (14, 44)], BARK, 2.4)
    b.line([(66, 58), (86, 44)], BARK, 2.4)
    b.disc(50, 70, 27, "#dfe9f3")
    b.disc(50, 70, 24, "#f4f8fc")
    b.disc(50, 34, 18, "#f4f8fc")
    b.rect(33, 16, 67, 21, "#2b3146", r=2)
    b.rect(39, 2, 61, 18, "#2b3146", r=2)
    b.rect(34, 46, 66, 53, c, r=3)
    b.rect(56, 48, 64, 68, darker(c, 0.12), r=3)
    for x, y in ((43, 30), (57, 30), (50, 64), (50, 76)):
        b.disc(x, y, 2.3, "#2b3146")
    b.poly([(50, 35), (66, 39), (50, 40)], "#ec8032")


def butterfly(b: Brush, c: str) -> None:
    """A butterfly seen from above."""
    for flip in (0, 1):
        wings = [
            ([(50, 48), (62, 16), (90, 10), (94, 36), (74, 52)], c),
            ([(50, 52), (74, 54), (84, 72), (70, 90), (54, 72)], darker(c, 0.2)),
            ([(58, 42), (70, 24), (84, 20), (84, 34), (70, 44)], lighter(c, 0.45)),
            ([(58, 60), (70, 60), (76, 72), (68, 80)], lighter(c, 0.3)),
        ]
        for points, fill in wings:
            b.blob([(100 - x, y) if flip else (x, y) for x, y in points], fill)
    b.line([(50, 34), (42, 16)], "#33261f", 1.6)
    b.line([(50, 34), (58, 16)], "#33261f", 1.6)
    b.oval(47, 30, 53, 78, "#33261f")


def mushroom(b: Brush, c: str) -> None:
    """A spotted mushroom in the grass."""
    b.blob([(40, 50), (60, 50), (62, 76), (68, 90), (32, 90), (38, 76)], "#f3e6d0")
    b.pie(50, 52, 42, (180, 360), c)
    b.oval(8, 44, 92, 60, darker(c, 0.25))
    for x, y, r in ((32, 32, 6), (52, 22, 7), (70, 34, 5.5), (49, 40, 4), (20, 44, 3.4)):
        b.disc(x, y, r, "#fff4e6")
    for x in range(22, 80, 8):
        b.line([(x, 92), (x + 3, 83)], LEAF, 2.4)


# ── animals ─────────────────────────────────────────────────────────────────────────────


def cat(b: Brush, c: str) -> None:
    """A cat's face."""
    for flip in (1, -1):
        b.poly([(50 + flip * x, y) for x, y in ((14, 34), (38, 6), (40, 46))], c)
        b.poly([(50 + flip * x, y) for x, y in ((22, 30), (34, 16), (35, 36))], "#f0b7b0")
    b.oval(10, 24, 90, 90, c)
    b.oval(30, 56, 70, 86, lighter(c, 0.5))
    for x in (34, 66):
        b.oval(x - 7, 44, x + 7, 60, "#f6f3e4")
        b.oval(x - 3, 44, x + 3, 60, "#24201d")
        for y in (66, 73):
            b.line([(x + (x - 50) * 0.3, y), (x + (x - 50) * 1.3, y - 3)], "#fbf7ef", 1.3)
    b.poly([(45, 63), (55, 63), (50, 69)], "#d9777f")
    b.line([(42, 74), (46, 76), (50, 70), (54, 76), (58, 74)], "#24201d", 1.6, bent=True)


def dog(b: Brush, c: str) -> None:
    """A dog's face with hanging ears."""
    b.blob([(30, 14), (70, 14), (82, 50), (68, 86), (50, 94), (32, 86), (18, 50)], c)
    b.blob([(34, 14), (14, 16), (4, 48), (14, 66), (26, 44)], darker(c, 0.35))
    b.blob([(66, 14), (86, 16), (96, 48), (86, 66), (74, 44)], darker(c, 0.35))
    b.blob([(50, 50), (66, 62), (62, 86), (50, 92), (38, 86), (34, 62)], lighter(c, 0.6))
    for x in (36, 64):
        b.disc(x, 44, 5.4, "#261c16")
        b.disc(x + 1.6, 42, 1.8, WHITE)
    b.oval(41, 56, 59, 69, "#261c16")
    b.line([(50, 68), (50, 76)], "#261c16", 1.8)
    b.rect(44, 76, 56, 92, "#e2737f", r=6)


def owl(b: Brush, c: str) -> None:
    """An owl on a branch."""
    b.blob([(50, 8), (78, 24), (82, 62), (50, 90), (18, 62), (22, 24)], c)
    b.poly([(22, 30), (20, 6), (42, 16)], c)
    b.poly([(78, 30), (80, 6), (58, 16)], c)
    b.blob([(50, 50), (68, 58), (62, 82), (50, 88), (38, 82), (32, 58)], lighter(c, 0.55))
    for x in (36, 64):
        b.disc(x, 36, 15, lighter(c, 0.75))
        b.disc(x, 36, 8, "#2a211c")
        b.disc(x + 2.6, 33, 2.6, WHITE)
    b.poly([(45, 44), (55, 44), (50, 55)], "#eca13b")
    b.rect(6, 86, 94, 93, BARK, r=3.5)
    for x in (40, 46, 56, 62):
        b.oval(x - 3, 82, x + 3, 92, "#eca13b")


def fish(b: Brush, c: str) -> None:
    """A striped fish and bubbles."""
    b.poly([(70, 50), (96, 28), (90, 50), (96, 72)], darker(c, 0.2))
    b.blob([(36, 28), (60, 10), (68, 32)], darker(c, 0.2))
    b.blob([(8, 52), (28, 32), (54, 28), (78, 50), (54, 72), (28, 70)], c)
    for x, high in ((42, 21), (56, 18)):
        b.line([(x, 50 - high), (x + 5, 50), (x, 50 + high)], lighter(c, 0.6), 5, bent=True)
    b.disc(24, 46, 5, WHITE)
    b.disc(23, 46, 2.6, "#1e2430")
    for x, y, r in ((8, 30, 4), (14, 16, 3), (6, 8, 2.2)):
        b.ring(x, y, r, lighter(c, 0.4), 1.3)


# ── travel ──────────────────────────────────────────────────────────────────────────────


def ship(b: Brush, c: str) -> None:
    """A sailing boat on waves."""
    b.line([(50, 8), (50, 70)], BARK, 2.6)
    b.poly([(53, 10), (86, 60), (53, 60)], "#fbf6ea")
    b.poly([(47, 18), (20, 60), (47, 60)], lighter(c, 0.55))
    b.poly([(50, 8), (50, 16), (62, 12)], c)
    b.poly([(12, 66), (88, 66), (74, 84), (26, 84)], c)
    b.rect(12, 66, 88, 70, lighter(c, 0.3))
    waves = [(x, 86 + (2.4 if i % 2 else -2.4)) for i, x in enumerate(range(2, 101, 8))]
    b.line(waves, "#2f8fc4", 4.2, bent=True)
    b.line([(x * 0.7 + 15, y + 7) for x, y in waves], "#7cc3e6", 3, bent=True)


def mountain(b: Brush, c: str) -> None:
    """Two peaks with snow and a small sun."""
    b.disc(76, 24, 10, "#f4b942")
    b.poly([(36, 88), (70, 34), (98, 88)], darker(c, 0.25))
    b.poly([(70, 34), (61, 48), (68, 46), (72, 52), (78, 49)], "#eef3f7")
    b.poly([(2, 88), (38, 16), (74, 88)], c)
    b.poly([(38, 16), (27, 38), (34, 35), (40, 42), (45, 35), (50, 39)], WHITE)
    b.poly([(38, 42), (58, 88), (74, 88), (50, 40)], darker(c, 0.12))
    b.blob([(0, 92), (30, 84), (60, 90), (100, 84), (98, 97), (2, 97)], LEAF)


def tent(b: Brush, c: str) -> None:
    """A tent under two firs."""
    for x, high in ((16, 30), (86, 22)):
        b.rect(x - 2, 78, x + 2, 88, BARK)
        for step in range(3):
            y = high + step * 17
            wide = 8 + 3 * step
            b.poly([(x, y), (x + wide, y + 24), (x - wide, y + 24)], darker(LEAF, 0.12 * step))
    b.poly([(50, 28), (88, 88), (12, 88)], c)
    b.poly([(50, 28), (88, 88), (68, 88)], darker(c, 0.2))
    b.poly([(50, 40), (63, 88), (37, 88)], "#2e2a3b")
    b.poly([(50, 40), (50, 88), (37, 88)], lighter(c, 0.55))
    b.line([(50, 28), (47, 20)], BARK, 2.4)
    b.rect(6, 87, 94, 91, "#8a6a48", r=2)


def plane(b: Brush, c: str) -> None:
    """An aeroplane that climbs, seen from the side."""
    lift = -18.0

    def put(points: list[tuple[float, float]], fill: str) -> None:
        b.poly(turned(points, lift), fill)

    put([(8, 30), (20, 30), (32, 48), (16, 48)], darker(c, 0.2))
    put(smooth([(8, 46), (40, 42), (80, 43), (96, 52), (80, 58), (30, 58), (12, 54)]), "#f4f6f9")
    put([(8, 50), (94, 50), (96, 53), (80, 58), (30, 58), (12, 54)], c)
    put([(44, 54), (64, 54), (42, 84), (30, 84)], darker(c, 0.12))
    put([(46, 43), (58, 43), (42, 24), (34, 24)], darker(c, 0.3))
    for x in range(34, 76, 7):
        put(around((x, 47), 1.9, 12), "#4a6b8a")
    put([(82, 45), (88, 46), (91, 49), (82, 49)], "#4a6b8a")


MOTIFS = {
    "sun": (sun, "#f5a623"), "snowflake": (snowflake, "#4b9fd8"), "tulip": (tulip, "#e2557a"),
    "leaf": (leaf, "#d9622b"), "ice cream": (ice_cream, "#ef7fa0"),
    "snowman": (snowman, "#d6403f"), "butterfly": (butterfly, "#8a5cd0"),
    "mushroom": (mushroom, "#cf4332"), "cat": (cat, "#e08a3c"), "dog": (dog, "#b98250"),
    "owl": (owl, "#8c6446"), "fish": (fish, "#f0803c"), "sailing boat": (ship, "#c8453b"),
    "mountain": (mountain, "#5c7fa3"), "tent": (tent, "#e07a3a"), "plane": (plane, "#2f78c4"),
}  # fmt: skip
