"""Floors and ceilings: what a table's other numbers are read against."""

from dataclasses import dataclass

import numpy as np

from overpaint.core import Request, Sample
from overpaint.document import Document
from overpaint.errors import NotApplicable

NOISE_SIGMA = 20.0  # of 255; visible, yet everything stays readable


@dataclass(frozen=True)
class Identity:
    """Changes nothing: best at keeping, worst at editing."""

    def __call__(self, request: Request) -> Document:
        return request.source


@dataclass(frozen=True)
class Blank:
    """A white picture of the source's size."""

    def __call__(self, request: Request) -> Document:
        return Document.of(np.full_like(request.source.rgb, 255))


@dataclass(frozen=True)
class SourceNoise:
    """The source under Gaussian noise of σ 20, seeded by the picture itself."""

    def __call__(self, request: Request) -> Document:
        rng = np.random.default_rng(int(request.source.key[:16], 16))
        pixels = request.source.rgb
        noise = rng.normal(0.0, NOISE_SIGMA, pixels.shape)
        return Document.of(np.clip(np.rint(pixels + noise), 0, 255).astype(np.uint8))


@dataclass(frozen=True)
class Truth:
    """The benchmark's own answer: the ceiling, and the one editor that may see it."""

    sees_target = True

    def __call__(self, sample: Sample) -> Document:
        if sample.target is None:
            raise NotApplicable("This sample has no truth.")
        return sample.target
