"""Subject: the main thing of a picture, cut out and set in the middle of a white square."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.vision.references import Extractor, Hints, Reference
from overpaint.vision.references.boxes import box_of
from overpaint.vision.references.mosaic import shrunk
from overpaint.vision.references.things import things

MARGIN = 0.12  # of the thing's longer side, around it
LARGEST = 640  # pixels of the thing's longer side
SOFT = 0.8  # pixels: how softly the edge goes over into white


def _subject(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    return [
        Reference(
            "subject", on_white(pixels, main.mask), subject.method, subject.version,
            confidence=main.confidence,
        )
        for main in [one for one in things(pixels) if not one.maybe][:1]
    ]  # fmt: skip


def on_white(pixels: Pixels, mask: NDArray[np.bool_]) -> Pixels:
    """What a mask covers, in the middle of a white square."""
    import cv2

    left, top, right, bottom = (int(edge) for edge in box_of(mask))
    picture = shrunk(pixels[top:bottom, left:right], LARGEST)
    high, wide = picture.shape[:2]
    inside = mask[top:bottom, left:right].astype(np.uint8)
    cut = cv2.resize(inside, (wide, high), interpolation=cv2.INTER_NEAREST)
    margin = max(1, round(MARGIN * max(high, wide)))
    side = max(high, wide) + 2 * margin
    down, across = (side - high) // 2, (side - wide) // 2
    cover = np.zeros((side, side), np.float32)
    cover[down : down + high, across : across + wide] = cut
    # No pixel from beyond the mask: what is softened is its own side of the edge.
    soft = np.minimum(cover, np.clip(cv2.GaussianBlur(cover, (0, 0), SOFT) * 2 - 0.5, 0, 1))
    shown = np.full((side, side, 3), 255, np.float32)
    shown[down : down + high, across : across + wide] = picture
    return np.asarray(np.rint(255 + (shown - 255) * soft[:, :, None]), np.uint8)


subject = Extractor("subject", "cutout", "1", _subject, "the main thing, cut out, on white")
