"""What every formula may be given: two 8-bit pictures of one shape, and a mask that fits them."""

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import UserMistake

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def check_pair(a: Pixels, b: Pixels, mask: Mask | None, *, grey: bool = True) -> None:
    """Raise a UserMistake unless both are 8-bit pictures of one shape, and the mask fits them."""
    for picture in (a, b):
        good = (picture.ndim == 2 and grey) or (picture.ndim == 3 and picture.shape[2] == 3)
        if picture.dtype != np.uint8 or not good or picture.size == 0:
            raise UserMistake(
                f"A picture is an array of {picture.dtype} with shape {picture.shape}.",
                f"H×W×3 (RGB){' or H×W (grey)' if grey else ''} of uint8 was expected, with at"
                " least one pixel.",
                "Flatten transparency and convert to 8 bits first.",
            )
    if a.shape != b.shape:
        raise UserMistake(
            f"The pictures differ in shape: {a.shape} and {b.shape}.",
            "Two pictures of one size and the same channels were expected.",
            "Resize one of them first.",
        )
    if mask is not None and (mask.dtype != np.bool_ or mask.shape != a.shape[:2]):
        raise UserMistake(
            f"The mask is an array of {mask.dtype} with shape {mask.shape}.",
            f"An array of bool with shape {a.shape[:2]} was expected, True = counts.",
        )
