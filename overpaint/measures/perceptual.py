"""LPIPS: how different two pictures look to a network that learned to see, with or without a mask.

LPIPS v0.1 (Zhang, Isola, Efros, Shechtman, Wang, CVPR 2018): each compared layer gives a vector
a cell; vectors are scaled to length 1, the squared difference is weighted by a learned head and
summed over channels, averaged over cells, and the averages of all layers are added.

Under a mask (True = counts) pixels that do not count are painted in one colour in both pictures,
and a layer's average runs over the cells whose own block of pixels counts entirely (`Cells` in
`lpips_nets` says which pixels those are). So pixels that do not count change no score, and a
mask of True everywhere gives the unmasked value.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overpaint import weights
from overpaint.errors import NotApplicable, Unavailable, UserMistake
from overpaint.measures.checks import check_pair
from overpaint.measures.lpips_graph import SHIFT, network
from overpaint.measures.lpips_nets import NETS, Cells, Net

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]

# The colour the networks see as (nearly) zero, which is also what they see beyond the border.
PAINT: Final = tuple(round(127.5 * (1 + shift)) for shift in SHIFT)


def lpips(
    a: Pixels, b: Pixels, mask: Mask | None = None, *, net: str = "alex", threads: int = 1
) -> float:
    """LPIPS of two RGB pictures, 0 for equal ones; `net` is "alex" or "vgg"."""
    check_pair(a, b, mask, grey=False)
    counts = np.ones(a.shape[:2], np.bool_) if mask is None else mask
    layers = _layers(_net(net), net, counts)
    judge = network(net, weights.find(f"lpips-{net}"), threads)
    pair = np.where(counts[:, :, None], np.stack([a, b]), np.array(PAINT, np.uint8))
    window = _window(pair, layers)
    if window is None:
        return 0.0
    maps = judge.maps(pair[:, *window])
    return sum(_mean(found, layer, window) for found, layer in zip(maps, layers, strict=True))


@dataclass(frozen=True)
class _Layer:
    """One compared layer over a picture: its cells down and across, and which of them count."""

    rows: Cells
    columns: Cells
    counts: Mask


def _net(name: str) -> Net:
    if name == "squeeze":
        raise Unavailable(
            "LPIPS with SqueezeNet cannot be computed: no package carries its weights.",
            'The networks "alex" and "vgg" can be had; their values are not comparable with it.',
        )
    if name not in NETS:
        raise UserMistake(f"LPIPS knows no network {name!r}.", 'There are "alex" and "vgg".')
    return NETS[name]


def _layers(net: Net, name: str, mask: Mask) -> list[_Layer]:
    """The compared layers over a picture; every one has a cell that counts."""
    height, width = mask.shape
    least = net.least_side
    if min(height, width) < least:
        raise NotApplicable(
            f"LPIPS ({name}) needs at least {least}×{least} pixels for its last layer; "
            f"this picture has {width}×{height}."
        )
    sides = zip(net.cells(height), net.cells(width), strict=True)
    layers = [_Layer(rows, columns, _whole(mask, rows, columns)) for rows, columns in sides]
    if not all(layer.counts.any() for layer in layers):
        raise NotApplicable(
            f"Of {np.count_nonzero(mask)} pixels that count, no whole block is left for LPIPS "
            f"({name}) to compare: its coarsest cells stand for {_largest(layers)} pixels a side."
        )
    return layers


def _whole(mask: Mask, rows: Cells, columns: Cells) -> Mask:
    """Of one layer, the cells whose own pixels all count."""
    down, across = (
        slice(side.first, side.first + side.count * side.stride) for side in (rows, columns)
    )
    blocks = mask[down, across].reshape(rows.count, rows.stride, columns.count, columns.stride)
    return np.asarray(blocks.all(axis=(1, 3)))


def _largest(layers: list[_Layer]) -> int:
    return max(layer.rows.stride for layer in layers)


def _window(pair: Pixels, layers: list[_Layer]) -> tuple[slice, slice] | None:
    """The part that holds every cell in which the two pictures can differ; None if they don't.

    Cells that see no difference add exactly 0, so the rest of the picture need not be run. The
    part begins on a multiple of the largest stride, so that its cells are the picture's cells.
    """
    different = (pair[0] != pair[1]).any(axis=2)
    if not different.any():
        return None
    sees = max(layer.rows.sees for layer in layers)
    step = _largest(layers)
    rows, columns = (
        slice(max(int(at[0]) - sees, 0) // step * step, int(at[-1]) + sees + 1)
        for at in (np.flatnonzero(different.any(axis=axis)) for axis in (1, 0))
    )
    return rows, columns


def _mean(found: NDArray[np.float32], layer: _Layer, window: tuple[slice, slice]) -> float:
    """The average over all counting cells of the picture, of which `found` covers a window."""
    top, left = (part.start // layer.rows.stride for part in window)
    here = layer.counts[top : top + found.shape[0], left : left + found.shape[1]]
    return float(found[here].sum(dtype=np.float64)) / np.count_nonzero(layer.counts)
