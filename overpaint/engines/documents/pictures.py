"""Pictures: simple landscapes for newspapers and magazines, painted by chance."""

from random import Random

from overpaint.engines.posters.brush import Canvas, clouds, light, mix, ridge

# sky above, sky below, sun, far hills, near hills
HOURS = (
    ("#3b6ea5", "#f3d9b1", "#fff4d6", "#7d93a8", "#2c3e4f"),
    ("#274060", "#e8a87c", "#ffe0b0", "#6d6a83", "#27233a"),
    ("#8fb7d9", "#eef4f2", "#ffffff", "#88a68f", "#34543d"),
    ("#5b7fa3", "#f6e7d0", "#fff8e8", "#a08f80", "#4a3f38"),
)
GREYS = (("#6f6f6f", "#e6e6e6", "#ffffff", "#a2a2a2", "#3a3a3a"),)


def landscape(chance: Random, width: int, height: int, *, grey: bool = False) -> Canvas:
    """Sky, sun and hills, and now and then water or the roofs of a town."""
    above, below, sun, far, near = chance.choice(GREYS if grey else HOURS)
    canvas = Canvas(width, height, below)
    canvas.fade((0, 0, width, height * 0.7), [(0, above), (1, below)])
    place = (width * chance.uniform(0.2, 0.8), height * chance.uniform(0.22, 0.4))
    canvas.tint(light((width, height), place, height / 5) * 0.9, sun)
    drift = clouds(chance, (width, height), (width / 3, height / 8), layers=3)
    canvas.tint((drift - 0.52) * 1.6, sun)
    canvas.disc(*place, height / 14, sun)
    for layer in range(3):
        colour = mix(far, near, layer / 2)
        base, tall = height * (0.62 + 0.13 * layer), height * (0.26 - 0.05 * layer)
        line = ridge(chance, width + 1, rough=0.5)
        edge = [(float(x), base - tall * (h - 0.4)) for x, h in enumerate(line)]
        canvas.shape([*edge, (float(width), float(height)), (0.0, float(height))], colour)
    chance.choice((_town, _lake, _lake))(canvas, chance, (near, below))
    return canvas


def _town(canvas: Canvas, chance: Random, colours: tuple[str, str]) -> None:
    """Houses with gables and lit windows along the lower edge."""
    wall, window = mix(colours[0], "#000000", 0.35), mix(colours[1], "#ffffff", 0.3)
    x, height = -10.0, float(canvas.height)
    while x < canvas.width:
        wide, tall = chance.uniform(0.06, 0.11) * height, chance.uniform(0.1, 0.22) * height
        top = height - tall
        canvas.rect((x, top, x + wide, height), wall)
        canvas.shape([(x, top), (x + wide / 2, top - wide * 0.5), (x + wide, top)], wall)
        if chance.random() < 0.6:
            canvas.rect(
                (x + wide * 0.4, top + wide * 0.3, x + wide * 0.6, top + wide * 0.6), window
            )
        x += wide * chance.uniform(1.0, 1.25)


def _lake(canvas: Canvas, chance: Random, colours: tuple[str, str]) -> None:
    """A strip of water that mirrors the sky in broken lines."""
    top, height = canvas.height * 0.86, float(canvas.height)
    canvas.fade((0, top, canvas.width, height), [(0, mix(*colours, 0.55)), (1, colours[0])])
    for _ in range(46):
        y = chance.uniform(top + 2, height - 2)
        x, wide = chance.uniform(0, canvas.width), chance.uniform(8, 60)
        canvas.line([(x, y), (x + wide, y)], mix(*colours, chance.uniform(0.3, 0.7)), width=1)
