"""Style: a swatch to go by, and statistics of palette and texture that tell styles apart.

The statistics know nothing of what a picture shows: how light and colourful it is, how strong and
how sparse its detail is on each scale, which ways its edges run, which small patterns make up its
surface, and how its spectrum falls. `likeness` compares two pictures by them.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.vision.references import Extractor, Hints, Reference
from overpaint.vision.references.mosaic import Floats, lab, shrunk
from overpaint.vision.references.swatch import swatch

Vector = NDArray[np.float64]
LONG = 640  # pixels of the longer side that statistics are taken at
SCALES = 4  # octaves of detail
WAYS = 8  # directions of edges
TILE, BANDS = 128, 8  # pixels that a spectrum is taken of, and bands it is parted into
# What each block counts for in a likeness: fitted on pairs of the known scenes and rounded.
WEIGHTS = {
    "light": 1.5, "colour": 2.0, "detail": 0.25, "ways": 2.0, "patterns": 5.0, "spectrum": 0.2,
}  # fmt: skip
FLOOR = 0.15  # L* units: detail below this is rounding


def _style(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    return [Reference("style", swatch(pixels), style.method, style.version)]


def likeness(a: Pixels, b: Pixels) -> float:
    """How alike two pictures are in style, 0 … 1; 1 for the same picture."""
    return likeness_of(blocks(a), blocks(b))


def likeness_of(one: Mapping[str, Vector], two: Mapping[str, Vector]) -> float:
    """The same of two pictures' statistics, for those who compare many."""
    apart = sum(
        weight * float(np.sqrt(np.mean(np.square(one[name] - two[name]))))
        for name, weight in WEIGHTS.items()
    )
    return float(np.exp(-apart))


def blocks(pixels: Pixels) -> dict[str, Vector]:
    """The statistics by what they tell of."""
    small = shrunk(pixels, LONG)
    colours = lab(small)
    light = np.ascontiguousarray(colours[:, :, 0])
    return {
        "light": _light(light),
        "colour": _colour(colours),
        "detail": _detail(colours),
        "ways": _ways(light),
        "patterns": _patterns(light),
        "spectrum": _spectrum(light),
    }


def _light(light: Floats) -> Vector:
    return _soft(light.ravel(), np.linspace(0, 100, 11))


def _colour(colours: Floats) -> Vector:
    """How colourful, and which hues, each as the root of its share (Hellinger)."""
    a, b = colours[:, :, 1].ravel(), colours[:, :, 2].ravel()
    chroma = np.hypot(a, b)
    hue = np.mod(np.arctan2(b, a), 2 * np.pi) / (2 * np.pi) * 12
    low = np.floor(hue).astype(int) % 12
    part = hue - np.floor(hue)
    shares = np.bincount(low, chroma * (1 - part), 12)
    shares += np.bincount((low + 1) % 12, chroma * part, 12)
    hues = shares / (100.0 * chroma.size)
    return np.concatenate([_soft(chroma, np.linspace(0, 90, 7)), np.sqrt(hues)])


def _soft(values: Floats, centres: Vector) -> Vector:
    """The root of a histogram whose bins go over into each other."""
    step = centres[1] - centres[0]
    at = np.clip((values - centres[0]) / step, 0, len(centres) - 1)
    low = np.minimum(np.floor(at).astype(int), len(centres) - 2)
    part = at - low
    counts = np.bincount(low, 1 - part, len(centres)) + np.bincount(low + 1, part, len(centres))
    return np.asarray(np.sqrt(counts / values.size))


def _detail(colours: Floats) -> Vector:
    """On each scale, of lightness and of colour: how strong detail is, and how sparse."""
    import cv2

    found = []
    now: Any = colours
    for _ in range(SCALES):
        coarse = cv2.GaussianBlur(now, (0, 0), 1.0)
        band = np.abs(now - coarse)
        for values in (band[:, :, 0].ravel(), np.hypot(band[:, :, 1], band[:, :, 2]).ravel()):
            # The middle tells of surfaces, the top of edges.
            marks = np.quantile(values, (0.25, 0.5, 0.75, 0.95))
            found.extend(np.log((marks + FLOOR) / FLOOR).tolist())
        now = np.ascontiguousarray(coarse[::2, ::2])
    return np.asarray(found)


def _ways(light: Floats) -> Vector:
    """On two scales: which ways edges run."""
    import cv2

    found = []
    for sigma in (0.8, 2.0):
        smooth = cv2.GaussianBlur(light, (0, 0), sigma)
        gx, gy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
        strong = np.hypot(gx, gy).ravel()
        # Edges of things are few and strong; those of a surface are many: each counts alike.
        weight = np.minimum(strong, 8.0)
        turn = np.mod(np.arctan2(gy, gx).ravel(), np.pi) / np.pi * WAYS
        counts = np.bincount(np.floor(turn).astype(int) % WAYS, weight, WAYS) + 1e-9 * WAYS
        found.append(np.sqrt(counts / counts.sum()))
    return np.concatenate(found)


def _patterns(light: Floats) -> Vector:
    """Uniform local binary patterns that turning does not change (Ojala et al. 2002), two radii."""
    found = []
    padded = {r: np.pad(light, r, mode="edge") for r in (1, 2)}
    for radius, around in padded.items():
        high, wide = light.shape
        bits = np.stack([
            around[radius + y : radius + y + high, radius + x : radius + x + wide] > light + 0.6
            for y, x in np.rint(radius * np.array(_RING)).astype(int)
        ])  # fmt: skip
        changes = (bits != np.roll(bits, 1, axis=0)).sum(axis=0)
        pattern = np.where(changes <= 2, bits.sum(axis=0), 9)
        counts = np.bincount(pattern.ravel(), minlength=10)
        found.append(np.sqrt(counts / pattern.size))
    return np.concatenate(found)


_RING = (
    (0, 1),
    (0.71, 0.71),
    (1, 0),
    (0.71, -0.71),
    (0, -1),
    (-0.71, -0.71),
    (-1, 0),
    (-0.71, 0.71),
)


def _spectrum(light: Floats) -> Vector:
    """How power falls over bands of frequencies, and how much it stands out in single peaks."""
    high, wide = (max(0, TILE - length) for length in light.shape)
    whole = np.pad(light, ((0, high), (0, wide)), mode="symmetric")
    window = np.outer(np.hanning(TILE), np.hanning(TILE))
    power = np.zeros((TILE, TILE))
    tops, lefts = ([0, (n - TILE) // 2, n - TILE] for n in whole.shape)
    for top, left in ((t, x) for t in tops for x in lefts):
        tile = whole[top : top + TILE, left : left + TILE]
        power += np.abs(np.fft.fft2((tile - tile.mean()) * window)) ** 2
    steps = np.abs(np.fft.fftfreq(TILE)) * TILE
    ring = np.hypot(*np.meshgrid(steps, steps))
    edges = np.geomspace(2, TILE / 2, BANDS + 1)
    found = []
    for low, high_end in pairwise(edges):
        here = power[(ring >= low) & (ring < high_end)] + 1.0
        found.append((np.log(here.mean()), np.log(here.max() / here.mean())))
    fall, peaks = np.asarray(found).T
    return np.concatenate([fall - fall[0], peaks])


style = Extractor("style", "swatch", "1", _style, "patches of the picture, laid out anew")
