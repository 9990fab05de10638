"""Fingerprints of pictures: much the same for one picture stored, scaled or framed anew.

The signs of the lowest frequencies of a picture's light, as pHash takes them (Zauner 2010): 16 × 16
of them, the mean left out, each against their median. Two pictures of different things differ in
about half of the bits, one picture and its copy in few.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels

SIDE, FREQUENCIES = 64, 16
BITS = FREQUENCIES**2 - 1  # all but the mean
Bits = NDArray[np.bool_]


def fingerprint(pixels: Pixels) -> Bits:
    """The fingerprint of a picture."""
    import cv2

    light = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)
    small = cv2.resize(light, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    waves = np.asarray(cv2.dct(small))[:FREQUENCIES, :FREQUENCIES].ravel()[1:]
    return np.asarray(waves > np.median(waves))


def mirrored(bits: Bits) -> Bits:
    """The fingerprint of the picture's mirror image: waves that are odd from left to right turn."""
    turned = np.concatenate([[False], bits]).reshape(FREQUENCIES, FREQUENCIES)
    turned[:, 1::2] ^= True
    return turned.ravel()[1:]


def distances(some: Sequence[Bits], others: Sequence[Bits]) -> NDArray[np.int64]:
    """In how many bits each of some differs from each of others."""
    if not some or not others:
        return np.zeros((len(some), len(others)), np.int64)
    a, b = (np.where(np.stack(of), 1, -1).astype(np.float32) for of in (some, others))
    return np.rint((BITS - a @ b.T) / 2).astype(np.int64)
