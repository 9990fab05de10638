"""How long consolidation takes, and whether it keeps every pixel: 50 layers of 2048×2048."""

import json
import time
from typing import Any

import numpy as np

from overpaint.document import Document, Layer, Picture, Pixels
from overpaint.document.render import render
from overpaint.engines.milde.consolidate import consolidated
from overpaint.vision.layers import KINDS, Kind


def speckled(noise: np.random.Generator, high: int, wide: int, share: float) -> Pixels:
    """Pixels of any colour; so large a share of them is there, with any alpha."""
    pixels = noise.integers(0, 256, (high, wide, 4), np.uint8)
    pixels[:, :, 3] *= noise.random((high, wide)) < share
    return pixels


def stack(*, layers: int, side: int, seed: int = 0) -> tuple[Document, dict[str, Kind]]:
    """Layers as large as the canvas, painted here and there, in classes by turns.

    Odd ones paint a few tiles all over the canvas, so that their boxes overlap with all others
    and their pixels with few; even ones a rectangle.
    """
    noise = np.random.default_rng(seed)
    made = []
    for number in range(layers):
        sheet = np.zeros((side, side, 4), np.uint8)
        tile = max(1, side // 16)
        spots = noise.integers(0, 16, (6, 2)) if number % 2 else noise.integers(0, 13, (1, 2))
        reach = tile if number % 2 else 3 * tile
        for down, across in spots * tile:
            sheet[down : down + reach, across : across + reach] = speckled(noise, reach, reach, 0.9)
        made.append(Layer(Picture(sheet), f"layer {number}", str(number)))
    document = Document(made=tuple(made), canvas=(side, side))
    return document, {str(n): KINDS[n % 3] for n in range(layers)}


def measure(*, layers: int = 50, side: int = 2048) -> dict[str, Any]:
    """Seconds, layers before and after, and whether the render is the same to the last bit."""
    document, kinds = stack(layers=layers, side=side)
    start = time.perf_counter()
    found = consolidated(document, kinds)
    seconds = time.perf_counter() - start
    before, after = (render(one.layers, one.size) for one in (document, found.document))
    return {
        "layers": layers, "side": side, "merged into": len(found.document.layers),
        "seconds": round(seconds, 3), "identical": bool(np.array_equal(before, after)),
    }  # fmt: skip


if __name__ == "__main__":
    for count in (12, 25, 50):
        print(json.dumps(measure(layers=count)))
