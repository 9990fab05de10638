"""From a page to a picture, in the typeset bench: rounded, scanned, or scanned and degraded.

A degraded page is scanned at its size, shrunk by area, softened, given the grain of another
device and stored as JPEG. With another seed everything stays but the two fields of noise, the
quality by up to three, and where JPEG's blocks begin.
"""

import io
from dataclasses import dataclass, replace

import cv2
import numpy as np
import typeset_grounds as grounds
from numpy.typing import NDArray
from PIL import Image
from typeset_grounds import Field

Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Press:
    """What a page goes through; with another seed the same, but for noise and JPEG's grid."""

    scanners: tuple[grounds.Scanner | None, ...]  # by seed
    scale: float = 1.0
    blur: float = 0.0
    grains: tuple[Field, ...] = ()
    jpegs: tuple[tuple[int, int, int], ...] = ()  # quality, and the grid's shift across and down

    @property
    def faint(self) -> float:
        """Differences up to this are no ink: none, where no JPEG spreads them."""
        return 1.0 if self.jpegs else 0.0

    def __call__(self, page: Field, seed: int) -> Pixels:
        """The picture."""
        scanner = self.scanners[seed]
        found = scanner(page) if scanner else page
        if not self.jpegs:
            return np.clip(np.rint(found), 0, 255).astype(np.uint8)
        found = self._small(found) + self.grains[seed]
        return _jpeg(np.clip(np.rint(found), 0, 255).astype(np.uint8), *self.jpegs[seed])

    def clean(self, page: Field) -> Field:
        """The picture without noise and JPEG, rounded where the picture itself is."""
        scanner = self.scanners[0]
        still = replace(scanner, noise=np.float32(0)) if scanner else None
        if self.jpegs:
            return self._small(still(page) if still else page)
        found = scanner(page) if scanner else page
        return np.clip(np.rint(found), 0, 255).astype(np.float32)

    def shrunk(self, alpha: Field) -> Field:
        """Ink as it stands in the picture, softened as the picture is."""
        scanner = self.scanners[0]
        return self._small(grounds.soften(alpha, scanner.blur) if scanner else alpha)

    def _small(self, page: Field) -> Field:
        if not self.jpegs:
            return page
        size = tuple(round(side * self.scale) for side in page.shape[1::-1])
        return grounds.soften(cv2.resize(page, size, interpolation=cv2.INTER_AREA), self.blur)


def plain() -> Press:
    """A picture made on a computer: rounded, and no more."""
    return Press((None,))


def scanned(rng: grounds.Chance, size: grounds.Size) -> Press:
    """A page that lay on a scanner."""
    return Press((grounds.scanner(rng, size),))


def degraded(rng: grounds.Chance, size: grounds.Size, scale: float) -> Press:
    """A page that was scanned, shrunk, softened and stored as JPEG; by either of two seeds."""
    scanner = grounds.scanner(rng, size)
    other = replace(scanner, noise=grounds.noise(rng, size, float(scanner.noise.std())))
    small = tuple(round(side * scale) for side in size)
    quality, sigma = int(rng.integers(60, 86)), float(rng.uniform(0.8, 1.5))
    shifts = rng.integers(0, 8, 2)
    return Press(
        scanners=(scanner, other),
        scale=scale,
        blur=float(rng.uniform(0.3, 0.7)),
        grains=tuple(grounds.noise(rng, (small[0], small[1]), sigma) for _ in range(2)),
        jpegs=((quality, 0, 0), (quality + int(rng.integers(-3, 4)), *map(int, shifts))),
    )


def _jpeg(pixels: Pixels, quality: int, across: int, down: int) -> Pixels:
    """The picture after JPEG, whose blocks begin so many pixels before its corner."""
    padded = np.pad(pixels, ((down, 0), (across, 0), (0, 0)), mode="edge")
    held = io.BytesIO()
    Image.fromarray(padded).save(held, "JPEG", quality=quality)
    return np.asarray(Image.open(held).convert("RGB"))[down:, across:]
