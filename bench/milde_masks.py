"""How long matching n × n masks takes, beside the plain numpy loop.

    python bench/milde_masks.py [SIZE]

The last line is JSON. Masks are posters' regions: boxes, discs and speckled letters from a
hundredth of the picture to all of it.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.measures import mask_kernels as kernels
from overpaint.measures.layout import layout_consistency

Masks = NDArray[np.bool_]


def regions(count: int, size: int, seed: int, *, large: bool) -> Masks:
    """Boxes, discs and speckle; `large` ones span most of the picture, where no box helps."""
    random = np.random.default_rng(seed)
    masks = np.zeros((count, size, size), bool)
    across = np.arange(size)
    for n, mask in enumerate(masks):
        least, most = (0.8, 1.0) if large else (0.05, 0.4)
        wide, high = (int(size * share) for share in random.uniform(least, most, 2))
        left, top = (int(random.integers(0, size - side + 1)) for side in (wide, high))
        part = mask[top : top + high, left : left + wide]
        part[:] = True
        if n % 3 == 1:
            x, y = (across[:side] / side - 0.5 for side in (wide, high))
            part[:] = x[None] ** 2 + y[:, None] ** 2 < 0.25
        elif n % 3 == 2:
            part[:] = random.random((high, wide)) < 0.3
    return masks


def plain(before: Masks, after: Masks) -> NDArray[np.float64]:
    """IoU of every pair, as one writes it down."""
    found = np.zeros((len(before), len(after)))
    for i, one in enumerate(before):
        for j, other in enumerate(after):
            found[i, j] = np.logical_and(one, other).sum() / np.logical_or(one, other).sum()
    return found


def quick(before: Masks, after: Masks) -> NDArray[np.float64]:
    """IoU of every pair, as layout consistency has it."""
    sides = [
        (kernels.packed(masks), kernels.measured(masks.view(np.uint8))) for masks in (before, after)
    ]
    (a, of_a), (b, of_b) = sides
    common = kernels.shared(a, b, *(np.ascontiguousarray(of[:, 3:]) for of in (of_a, of_b)))
    return np.asarray(common / (of_a[:, None, 0] + of_b[None, :, 0] - common))


def seconds(work: Callable[[], Any], times: int = 3) -> float:
    """The quickest of some runs."""
    found = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return min(found)


def main() -> None:
    """The table, and the same for programs."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    quick(np.ones((2, 8, 8), bool), np.ones((2, 8, 8), bool))  # compiled before the clock starts
    layout_consistency(np.ones((2, 8, 8), bool), np.ones((2, 8, 8), bool))
    told: list[dict[str, Any]] = []
    head = ("masks", "regions", "all s", "IoU s", "loop s", "faster")
    print("{:>9} {:>8} {:>8} {:>8} {:>8} {:>8}".format(*head))
    for count in (10, 40, 100):
        for large in (False, True):
            a, b = (regions(count, size, seed, large=large) for seed in (0, 1))
            few = min(count, 20)  # the loop's time goes with the pairs: 20 × 20 tell it
            assert np.allclose(quick(a, b)[:few, :few], plain(a[:few], b[:few]), atol=0, rtol=1e-15)
            whole = seconds(lambda a=a, b=b: layout_consistency(a, b))
            matched = seconds(lambda a=a, b=b: quick(a, b))
            loop = seconds(lambda a=a[:few], b=b[:few]: plain(a, b), 1) * (count / few) ** 2
            kind = "large" if large else "small"
            print(f"{count:>4}×{count:<4} {kind:>8} {whole:8.3f} {matched:8.3f} {loop:8.2f}"
                  f" {loop / whole:7.0f}×")  # fmt: skip
            told.append({
                "masks": count, "size": size, "regions": kind, "seconds": round(whole, 4),
                "iou_seconds": round(matched, 4), "loop_seconds": round(loop, 3),
                "faster": round(loop / whole, 1),
            })  # fmt: skip
    print(json.dumps({"bench": "milde_masks", "rows": told}))


if __name__ == "__main__":
    main()
