"""Pictures of which it is known beforehand how far they went: nothing of the way, or part of it.

Editors that do little often harm little, and those that harm much often do little: whoever learns
from a few of them takes harm for a sign of what was done. So a fusion is also shown what no editor
made: the source as it is and the source spoilt in ways that nobody asked for, which have done
nothing, and outputs mixed with their sources, which went as much less far as they are mixed. They
are made from the sources and edits that it learns from, and used for alignment alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from overpaint.document import Document, Pixels
from overpaint.measures.background import resized
from overpaint.measures.learned.fusion_progress import requests
from overpaint.training.rated import Example

HALFWAY = 0.4  # share of the output in what is mixed
SPOILT = 4  # spoilt pictures a sample, at the most
# Ways that do some of what a request asks for: squares of one colour have no noise in them, a
# picture with fewer shades looks sharper. Kinds of request are those of `fusion_progress`.
UNFIT: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("clean", "rain", "snow"), frozenset(("mosaic", "faded"))),
    **dict.fromkeys(("sharp", "large"), frozenset(("stepped",))), "shade": frozenset(("faded",)),
}  # fmt: skip
LEAST, MOST = 0.1, 1.0  # how strongly it is spoilt
TILE = 32  # pixels


@dataclass(frozen=True, eq=False)
class Floor:
    """A picture and the share of the way that it went: of nothing, or of the edit it is made of."""

    source: Document
    output: Document
    instruction: str
    cluster: str
    share: float
    of: int = -1  # the place of the example that it is mixed from


def floor_count(examples: Sequence[Example]) -> int:
    """How many floors these examples have."""
    samples = {one.sample: one.instruction for one in examples}
    spoils = sum(min(SPOILT, len(fitting(asked))) for asked in samples.values())
    return len(examples) + len(samples) + spoils


def fitting(instruction: str) -> list[str]:
    """The ways that do nothing of what was asked."""
    asked = [kind for kind, is_asked in requests(instruction).items() if is_asked]
    return sorted(WAYS.keys() - frozenset().union(*(UNFIT.get(kind, ()) for kind in asked)))


def floors(examples: Iterable[Example]) -> Iterator[Floor]:
    """The floors of these examples; sample by sample, the same for the same."""
    seen = set[str]()
    for place, one in enumerate(examples):
        mixed = Document.of(halfway(one.source.rgb, one.output.rgb))
        yield Floor(one.source, mixed, one.instruction, one.cluster, HALFWAY, place)
        if one.sample in seen:
            continue
        seen.add(one.sample)
        yield Floor(one.source, one.source, one.instruction, one.cluster, 0.0)
        chance = Random(f"spoilt {one.sample}")
        ways = fitting(one.instruction)
        for way in chance.sample(ways, min(SPOILT, len(ways))):
            pixels = spoilt(one.source.rgb, way, chance.uniform(LEAST, MOST), chance)
            yield Floor(one.source, Document.of(pixels), one.instruction, one.cluster, 0.0)


def halfway(source: Pixels, output: Pixels, share: float = HALFWAY) -> Pixels:
    """The output mixed with its source, in the source's size."""
    if output.shape != source.shape:
        output = resized(output, source.shape[1], source.shape[0])
    whole = source.astype(np.float32)
    return np.rint(whole + (output.astype(np.float32) - whole) * share).astype(np.uint8)


def spoilt(pixels: Pixels, way: str, strength: float, chance: Random) -> Pixels:
    """A picture spoilt in one of the ways, by a strength of 0 to 1."""
    made = WAYS[way](pixels, strength, chance)
    return np.clip(np.rint(made), 0, 255).astype(np.uint8)


Made = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def _mosaic(pixels: Pixels, strength: float, chance: Random) -> Made:
    """Squares of one colour each."""
    import cv2

    high, wide = pixels.shape[:2]
    side = 2 + int(8 * strength)
    size = max(1, wide // side), max(1, high // side)
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (wide, high), interpolation=cv2.INTER_NEAREST), np.float32)


def _faded(pixels: Pixels, strength: float, chance: Random) -> Made:
    """Less contrast and less colour."""
    whole = pixels.astype(np.float32)
    mean = whole.mean(axis=(0, 1))
    flat = mean + (whole - mean) * (1 - 0.85 * strength)
    grey = flat.mean(axis=2, keepdims=True)
    return np.asarray(flat + (grey - flat) * 0.8 * strength, np.float32)


def _tiled(pixels: Pixels, strength: float, chance: Random) -> Made:
    """Parts of it in wrong places."""
    high, wide = pixels.shape[:2]
    side = min(TILE, high, wide)
    made = pixels.astype(np.float32)
    for _ in range(1 + int(0.6 * strength * (high // side) * (wide // side))):
        top, left, y, x = (chance.randint(0, end - side) for end in (high, wide) * 2)
        made[top : top + side, left : left + side] = pixels[y : y + side, x : x + side]
    return made


def _stepped(pixels: Pixels, strength: float, chance: Random) -> Made:
    """Few shades."""
    last = 1 + int(24 * (1 - strength) ** 2)
    return np.asarray(np.rint(pixels / np.float32(255) * last) * (255 / last), np.float32)


def _shifted(pixels: Pixels, strength: float, chance: Random) -> Made:
    """All of it moved a little."""
    far = 1 + int(0.04 * strength * pixels.shape[1])
    return np.roll(pixels, (far // 2, far), (0, 1)).astype(np.float32)


WAYS: Mapping[str, Callable[[Pixels, float, Random], Made]] = {
    "mosaic": _mosaic, "faded": _faded, "tiled": _tiled, "stepped": _stepped, "shifted": _shifted,
}  # fmt: skip
