"""Pictures as networks take them, normalised as ImageNet's are; pictures known by their hash."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.document import Pixels

MEAN = np.array([0.485, 0.456, 0.406], np.float32)  # of ImageNet's pictures, as are the spreads
SPREAD = np.array([0.229, 0.224, 0.225], np.float32)
SMOOTH = Image.Resampling.BILINEAR


@dataclass(frozen=True)
class Looked:
    """A picture known by its hash, so that what was found in it can be remembered."""

    key: str
    pixels: Pixels = field(compare=False, repr=False)


def looked(pixels: Pixels) -> Looked:
    """The picture with its hash."""
    import hashlib

    plain = np.ascontiguousarray(pixels)
    return Looked(f"{plain.shape}{hashlib.sha256(plain.data).hexdigest()}", plain)


def normalised(
    pixels: Pixels, size: tuple[int, int], how: Image.Resampling = SMOOTH
) -> NDArray[np.float32]:
    """The picture at that width and height, 1×3×H×W."""
    small = np.asarray(Image.fromarray(pixels).resize(size, how), np.float32) / 255
    return np.ascontiguousarray(((small - MEAN) / SPREAD).transpose(2, 0, 1)[None])
