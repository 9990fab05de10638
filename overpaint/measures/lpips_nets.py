"""The networks that LPIPS compares pictures with: their layers and where the cells of each lie.

The layers are those of LPIPS v0.1 (Zhang, Isola, Efros, Shechtman, Wang, "The Unreasonable
Effectiveness of Deep Features as a Perceptual Metric", CVPR 2018): torchvision's AlexNet and
VGG16 up to their last convolution.
"""

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final


@dataclass(frozen=True)
class Layer:
    """A convolution with ReLU, or (without channels of its own) a maximum over a window."""

    size: int
    channels: int = 0
    stride: int = 1
    padding: int = 0
    compared: bool = False  # its output is one of those LPIPS compares

    @property
    def pools(self) -> bool:
        """Whether it only takes maxima."""
        return self.channels == 0


@dataclass(frozen=True)
class Cells:
    """How the cells of a layer lie over what comes in, along either side.

    Cell i stands for the `stride` pixels from `first + i * stride` on: those nearest the middle
    of what it sees (of two equally near, the lower). Blocks of neighbouring cells touch. It
    sees the `sees` pixels from `begins + i * stride` on; some may lie beyond the border.
    """

    first: int
    stride: int
    begins: int
    sees: int
    count: int


def lay(layers: Sequence[Layer], side: int) -> tuple[Cells, ...]:
    """Of each layer, the cells along a side of so many pixels."""
    begins, stride, sees, count, found = 0, 1, 1, side, []
    for layer in layers:
        begins -= layer.padding * stride
        sees += (layer.size - 1) * stride
        stride *= layer.stride
        count = max((count + 2 * layer.padding - layer.size) // layer.stride + 1, 0)
        first = begins + math.ceil((sees - 1 - stride) / 2)
        found.append(Cells(first, stride, begins, sees, count))
    return tuple(found)


@dataclass(frozen=True)
class Net:
    """One network: its name in the checkpoint and its layers from the picture on."""

    scope: str
    layers: tuple[Layer, ...]

    def cells(self, side: int) -> tuple[Cells, ...]:
        """Of each compared layer, the cells along a side of so many pixels."""
        every = zip(self.layers, lay(self.layers, side), strict=True)
        return tuple(cells for layer, cells in every if layer.compared)

    @functools.cached_property
    def least_side(self) -> int:
        """The fewest pixels a side may have for every compared layer to have a cell."""
        return next(n for n in range(1, 1000) if all(c.count for c in self.cells(n)))

    @property
    def stages(self) -> tuple[tuple[Layer, ...], ...]:
        """The layers in groups that end with a pool, or with the last layer."""
        ends = [i + 1 for i, layer in enumerate(self.layers) if layer.pools]
        return tuple(self.layers[i:j] for i, j in pairwise([0, *ends, len(self.layers)]))


_POOL2, _POOL3 = Layer(2, stride=2), Layer(3, stride=2)


def _three(*channels: int) -> tuple[Layer, ...]:
    """3×3 convolutions, the last of which is compared."""
    *inner, last = (Layer(3, number, padding=1) for number in channels)
    return (*inner, replace(last, compared=True))


NETS: Final[Mapping[str, Net]] = {
    "alex": Net(
        "AlexNet_0",
        (
            Layer(11, 64, stride=4, padding=2, compared=True),
            _POOL3,
            Layer(5, 192, padding=2, compared=True),
            _POOL3,
            *(*_three(384), *_three(256), *_three(256)),
        ),
    ),
    "vgg": Net(
        "VGG16_0",
        (
            *(*_three(64, 64), _POOL2),
            *(*_three(128, 128), _POOL2),
            *(*_three(256, 256, 256), _POOL2),
            *(*_three(512, 512, 512), _POOL2),
            *_three(512, 512, 512),
        ),
    ),
}
