"""Features: what a picture is like, as 1280 numbers, by MobileNetV2 as trained on ImageNet.

The weights are torchvision's (MobileNet_V2_Weights.IMAGENET1K_V1), and a picture is prepared as
they want it: its shorter side drawn to 256 pixels (bilinear), the middle 224×224, colours less
ImageNet's mean and over its spread. The numbers are the last ones before the classifier, each a
mean over the picture. They tell pictures of like things and like looks from others; they are no
CLIP score and enter none.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint import weights
from overpaint.core import Evidence, finding
from overpaint.document import Document, Pixels
from overpaint.errors import Undecided
from overpaint.vision.checkpoints import read_checkpoint
from overpaint.vision.references.inputs import MEAN, SMOOTH, SPREAD
from overpaint.vision.sessions import started
from overpaint.vision.tfjs_graph import Tensor, Writer

NEEDS = "features"
SHORT, SIDE, WIDTH = 256, 224, 1280
LONGEST = 8  # times the shorter side: of a longer strip only the middle is seen anyway
EPSILON = 1e-5  # of torch's batch normalisation
# Sandler et al., "MobileNetV2", CVPR 2018, table 2: how much wider inside, channels, times, step.
BLOCKS = (
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
    (6, 320, 1, 1),
)  # fmt: skip

Floats = NDArray[np.float32]
Arrays = Mapping[str, NDArray[Any]]


def features(evidence: Evidence, document: Document) -> Floats:
    """The features of a document's picture, 1280 of them; kept for later runs."""
    return np.array(_features(evidence, document), np.float32)


def likeness(evidence: Evidence, a: Document, b: Document) -> float:
    """How like two pictures are, 0 to 1: the cosine of their features, nothing below 0."""
    return max(0.0, cosine(features(evidence, a), features(evidence, b)))


def cosine(a: Floats, b: Floats) -> float:
    """The cosine of the angle between two vectors, at most 1 in spite of rounding."""
    one, two = a.astype(np.float64), b.astype(np.float64)
    lengths = np.linalg.norm(one) * np.linalg.norm(two)
    if lengths == 0:
        raise Undecided("A picture without any feature is like no other, and like every other.")
    return min(1.0, float(one @ two / lengths))


@finding(keep=True)
def _features(evidence: Evidence, document: Document) -> list[float]:
    found = looked_at(document.rgb)
    return [float(f"{number:.8g}") for number in found]  # a float32 has no more digits


def looked_at(pixels: Pixels) -> Floats:
    """The features of a picture, found now."""
    (found,) = _network().run(None, {"given": prepared(pixels)})
    return np.asarray(found[0], np.float32)


def prepared(pixels: Pixels) -> Floats:
    """The middle square of a picture as the network sees it, 1×3×224×224."""
    middle = _middle(pixels)
    high, wide = middle.shape[:2]
    short = min(high, wide)
    size = (SHORT * wide // short, SHORT * high // short)
    small = Image.fromarray(middle).resize(size, SMOOTH)
    left, top = (round((side - SIDE) / 2) for side in size)
    square = np.asarray(small.crop((left, top, left + SIDE, top + SIDE)), np.float32) / 255
    return np.ascontiguousarray(((square - MEAN) / SPREAD).transpose(2, 0, 1)[None])


def _middle(pixels: Pixels) -> Pixels:
    """A picture, or the middle of a strip: a line of 16 000 pixels would be made 256 high."""
    high, wide = pixels.shape[:2]
    most = LONGEST * min(high, wide)
    top, left = max(0, (high - most) // 2), max(0, (wide - most) // 2)
    return np.ascontiguousarray(pixels[top : top + most, left : left + most])


@cache
def _network() -> Any:
    arrays = read_checkpoint(weights.find(NEEDS))
    return started(graph(arrays), NEEDS)


# ── the graph ───────────────────────────────────────────────────────────────────────────


def graph(arrays: Arrays) -> bytes:
    """The network up to its features as an ONNX model."""
    to = _Network(arrays)
    value = to.convolved("given", "features.0.0", "features.0.1", stride=2)
    number, channels = 1, 32
    for wider, out, times, step in BLOCKS:
        for turn in range(times):
            stride = step if turn == 0 else 1
            made = to.block(value, number, wider=wider, stride=stride)
            same = stride == 1 and channels == out
            value = to.writer.add("Add", value, made) if same else made
            number, channels = number + 1, out
    value = to.convolved(value, f"features.{number}.0", f"features.{number}.1")
    pooled = to.writer.add("Flatten", to.writer.add("GlobalAveragePool", value))
    return to.writer.model((1, 3, SIDE, SIDE), {"features": Tensor(pooled, (1, WIDTH))})


class _Network:
    """Writes the layers of the network, each convolution with its normalisation inside."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays, self.writer = arrays, Writer()

    def block(self, value: str, number: int, *, wider: int, stride: int) -> str:
        """An inverted residual: widened, seen channel by channel, narrowed without a limit."""
        name, place = f"features.{number}.conv", 0
        if wider > 1:
            value = self.convolved(value, f"{name}.0.0", f"{name}.0.1")
            place = 1
        value = self.convolved(value, f"{name}.{place}.0", f"{name}.{place}.1", stride=stride)
        return self.convolved(value, f"{name}.{place + 1}", f"{name}.{place + 2}", limit=False)

    def convolved(
        self, value: str, layer: str, norm: str, *, stride: int = 1, limit: bool = True
    ) -> str:
        """A convolution, normalised, and limited to 0 … 6 where it should be."""
        kernel = self.arrays[f"{layer}.weight"]
        told = (f"{norm}.{of}" for of in ("weight", "bias", "running_mean", "running_var"))
        scale, shift, mean, spread = (self.arrays[name].astype(np.float64) for name in told)
        scale = scale / np.sqrt(spread + EPSILON)
        names = [
            self.writer.keep(array.astype(np.float32))
            for array in (kernel * scale[:, None, None, None], shift - mean * scale)
        ]
        side = kernel.shape[2]
        group = kernel.shape[0] if kernel.shape[1] == 1 else 1  # each channel for itself
        made = self.writer.add(
            "Conv", value, *names, strides=[stride] * 2, pads=[side // 2] * 4, group=group
        )
        limits = [self.writer.keep(np.array(end, np.float32)) for end in (0, 6)] if limit else []
        return self.writer.add("Clip", made, *limits) if limit else made
