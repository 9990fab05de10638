"""What an output was harmed by: six plain signs of damage, each by itself, and the worst of them.

An output is first laid back over its source along smooth optical flow, which tells how far things
are bent. Then, block by block and by medians, so that a thing that was asked for is no damage: a
cast of colour, grain that the source has not, fine structure that is lost, the grid of JPEG, and
places where the source's structure is gone. Each is scaled so that 1 is about as bad as anybody
would put up with; a rank order of the signs, worst first, means the same for damage of any kind.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BLOCK = 24  # pixels of a side
GRID = 8  # of JPEG's blocks
SCALES = (0.0, 0.8, 1.6, 3.2, 6.4)  # σ in pixels; a band of detail lies between two of them
STRUCTURE = (1.5, 6.0)  # the band in which pictures are known again
SMALLEST = 48  # pixels of a side below which nothing is unbent
BETTER, KNOWN_AGAIN = 0.02, 0.3  # correlation: gained by unbending, and left at least
LOST = 0.5  # correlation of a block below which its structure is gone
# Each sign: from where on it counts, and what is added to that where it is 1.
SIGNS = {
    "bent": (0.1, 2.0),  # percent of the longer side
    "cast": (4.0, 30.0),  # ΔE in a*b*
    "grain": (0.004, 0.07),  # σ of luma on 0–1 in the flattest blocks
    "blur": (0.1, 1.0),  # share of fine structure that is lost
    "grid": (0.03, 1.2),  # log of steps on the grid beside those off it
    "lost": (0.05, 0.25),  # share of the picture's structure
}
WORST = 2.0  # beyond which nothing is worse
SOFT = 0.4  # how far the fine detail of a picture that is blurred falls behind, as a logarithm
_LEAST = 1e-3


class Laid(NamedTuple):
    """A source and what was made of it, as luma and colour, laid over one another."""

    source: Floats
    output: Floats  # unbent
    bent: float  # percent of the longer side, on the median
    bent_most: float
    gained: float  # correlation that unbending brought


def of_harm(laid: Laid) -> dict[str, float]:
    """Signs of damage, their worst, and what they are told by."""
    lights = luma(laid.source), luma(laid.output)
    found = {"bent": laid.bent, "bent most": laid.bent_most, "bent gained": laid.gained}
    found |= _colours(laid) | _bands(*lights) | _lost(*lights)
    for name, light in zip(("source", "output"), lights, strict=True):
        found[f"{name} fall"] = _fall(light)
        found[f"{name} steps"] = _steps(light)
    coarse = max(found["gain3"], 0.3)
    lost = float(np.mean([1 - min(found[f"gain{at}"], coarse) / coarse for at in range(3)]))
    raw = {
        "bent": laid.bent, "cast": found["tint"], "grain": np.exp(found["fresh0 low"]) - _LEAST,
        "blur": _soft(found["output fall"]) * (lost - SIGNS["blur"][0]) + SIGNS["blur"][0],
        "grid": found["output steps"] - found["source steps"], "lost": found["lost"],
    }  # fmt: skip
    signs = {name: _sign(name, float(value)) for name, value in raw.items()}
    worst = sorted(signs.values(), reverse=True)
    found |= {f"harm {name}": value for name, value in signs.items()}
    found |= {f"worst{at}": value for at, value in enumerate(worst[:3])}
    return found | {"worst all": float(np.sqrt(sum(value**2 for value in worst)))}


def _sign(name: str, value: float) -> float:
    first, more = SIGNS[name]
    return float(np.clip((value - first) / more, 0, WORST))


def _soft(fall: float) -> float:
    return min(1.0, max(0.0, -fall) / SOFT)


# ── laying over ─────────────────────────────────────────────────────────────────────────


def laid(source: Floats, output: Floats) -> Laid:
    """The output laid back over its source along smooth flow, where that makes it more like it."""
    import cv2

    if min(source.shape[:2]) < SMALLEST:
        return Laid(source, output, 0.0, 0.0, 0.0)
    flow = _flow(luma(source), luma(output))
    high, wide = flow.shape[:2]
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    unbent: Floats = np.asarray(
        cv2.remap(output, x + flow[..., 0], y + flow[..., 1], cv2.INTER_LINEAR,
                  borderMode=cv2.BORDER_REFLECT), np.float32,
    )  # fmt: skip
    before, after = (np.median(_known(luma(source), luma(one))) for one in (output, unbent))
    gained = float(after - before)
    if gained <= BETTER or after <= KNOWN_AGAIN:
        return Laid(source, output, 0.0, 0.0, gained)
    reach = np.hypot(flow[..., 0], flow[..., 1]) * 100 / max(high, wide)
    return Laid(source, unbent, float(np.median(reach)), float(np.quantile(reach, 0.9)), gained)


def _flow(one: Floats, two: Floats) -> Floats:
    """Where each pixel of the one is in the other, smooth: what was bent, not what was moved."""
    import cv2

    seen = [np.clip(_evened(light) * 40 + 128, 0, 255).astype(np.uint8) for light in (one, two)]
    way: Any = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    flow = np.asarray(way.calc(seen[0], seen[1], None))
    parts = (cv2.medianBlur(np.ascontiguousarray(flow[..., at]), 5) for at in (0, 1))
    return np.dstack([blurred(np.asarray(part), 6) for part in parts])


def _evened(light: Floats) -> Floats:
    """Luma with its local mean and spread taken out, so that light and haze do not matter."""
    soft = blurred(light, 1)
    mean = blurred(soft, 10)
    return np.asarray((soft - mean) / (np.sqrt(blurred((soft - mean) ** 2, 10)) + 0.02))


# ── signs ───────────────────────────────────────────────────────────────────────────────


def _colours(laid: Laid) -> dict[str, float]:
    """How far colours moved on the median, and how far they spread about that."""
    import cv2

    lab = [np.asarray(cv2.cvtColor(np.clip(one, 0, 1), cv2.COLOR_RGB2LAB)) for one in laid[:2]]
    apart = (lab[1] - lab[0]).reshape(-1, 3)
    shift = np.median(apart, axis=0)
    spread = np.median(np.abs(apart - shift), axis=0)
    return {
        "tint": float(np.hypot(shift[1], shift[2])), "tint spread": float(np.hypot(*spread[1:])),
        "lift": float(shift[0]),
    }  # fmt: skip


def _bands(one: Floats, two: Floats) -> dict[str, float]:
    """Band by band: how much of the source's structure is left, and how much is not its own."""
    found = {}
    for at in range(len(SCALES) - 1):
        a, b = (band(light, SCALES[at], SCALES[at + 1]) for light in (one, two))
        size = blocks(a * a)
        gain = middle(blocks(a * b) / (size + 1e-8), size)
        fresh = blocks((b - np.float32(gain) * a) ** 2)
        found[f"gain{at}"] = float(np.clip(gain, -1, 4))
        for name, share in (("", 0.5), (" low", 0.15), (" high", 0.85)):
            found[f"fresh{at}{name}"] = float(np.log(np.sqrt(np.quantile(fresh, share)) + _LEAST))
    return found


def _lost(one: Floats, two: Floats) -> dict[str, float]:
    """The share of the source's structure that lies where it cannot be known again."""
    weight = np.sqrt(blocks(band(one, *STRUCTURE) ** 2))
    whole = float(weight.sum()) + 1e-9
    like = _known(one, two)
    return {
        "lost": float((weight * (like < LOST)).sum()) / whole,
        "lost on the whole": float((weight * (1 - like)).sum()) / whole,
        "lost places": float((like < LOST).mean()), "unlike": float(1 - np.median(like)),
    }  # fmt: skip


def _known(one: Floats, two: Floats) -> Floats:
    """The correlation of both pictures' structure in each block."""
    a, b = band(one, *STRUCTURE), band(two, *STRUCTURE)
    return np.asarray(blocks(a * b) / np.sqrt(blocks(a * a) * blocks(b * b) + 1e-10))


def _fall(light: Floats) -> float:
    """How far fine detail falls behind coarser, as a logarithm; about 0 in a sharp picture."""
    fine, coarse = band(light, 0, 0.8), band(light, 1.6, 3.2)
    sizes = [float(np.sqrt(np.median(blocks(one * one)))) for one in (fine, coarse)]
    return float(np.log((sizes[0] + 5e-4) / (sizes[1] + 5e-4)))


def _steps(light: Floats) -> float:
    """How much steeper steps across the edges of JPEG's blocks are than those beside them."""
    ratios = []
    for axis in (0, 1):
        steps = np.abs(np.diff(light, axis=axis)).mean(axis=1 - axis) * 100
        edges, others = steps[GRID - 1 :: GRID], np.delete(steps, np.s_[GRID - 1 :: GRID])
        ratios.append((edges.mean() + _LEAST) / (others.mean() + _LEAST) if len(edges) else 1.0)
    return float(np.log(np.mean(ratios)))


# ── what both files are made of ─────────────────────────────────────────────────────────


def luma(pixels: Floats) -> Floats:
    """The light of a picture, 0 to 1."""
    return np.asarray(pixels @ np.array((0.299, 0.587, 0.114), np.float32), np.float32)


def blurred(values: Floats, reach: float) -> Floats:
    """Smoothed by a Gaussian of that σ."""
    import cv2

    return np.asarray(cv2.GaussianBlur(values, (0, 0), reach), np.float32)


def band(light: Floats, fine: float, coarse: float) -> Floats:
    """What is coarser than the one σ and finer than the other."""
    return np.asarray((light if fine == 0 else blurred(light, fine)) - blurred(light, coarse))


def blocks(values: Floats, side: int = BLOCK) -> Floats:
    """The mean of each block; what is left over at the right and at the bottom is left out."""
    high, wide = (max(1, length // side) for length in values.shape)
    tall, broad = values.shape[0] // high, values.shape[1] // wide
    tall, broad = min(tall, side), min(broad, side)
    cut = values[: high * tall, : wide * broad]
    return np.asarray(cut.reshape(high, tall, wide, broad).mean((1, 3)))


def middle(values: Floats, weights: Floats) -> float:
    """The weighted median; 0 where nothing weighs anything."""
    order = np.argsort(values, axis=None)
    sums = np.cumsum(weights.ravel()[order])
    if sums[-1] <= 0:
        return 0.0
    return float(
        values.ravel()[order][min(int(np.searchsorted(sums, sums[-1] / 2)), len(sums) - 1)]
    )
