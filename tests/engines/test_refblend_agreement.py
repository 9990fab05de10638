"""Which references stay: those that are found again where a picture is stored again."""

from collections.abc import Callable

import numpy as np
import pytest

from overpaint.engines.refblend.agreement import kept_up
from overpaint.vision.references import Extractor, Kind, Reference
from overpaint.vision.references.boxes import box_of

PICTURE = np.full((64, 64, 3), 40, np.uint8)
PICTURE[20:36, 20:36] = 230


def _lit(pixels: np.ndarray) -> np.ndarray:
    return np.asarray(pixels[:, :, 0] > 128)


def _labels(pixels: np.ndarray) -> np.ndarray:
    return np.where(_lit(pixels), 1, 2).astype(np.int32)


def _joints(pixels: np.ndarray) -> np.ndarray:
    box = box_of(_lit(pixels))
    people = np.full((1, 17, 3), 1.0)
    people[0, :, 0] = np.linspace(box.left, box.right, 17)
    people[0, :, 1] = np.linspace(box.top, box.bottom, 17)
    return people


FOUND: dict[Kind, Callable[[np.ndarray], object]] = {
    "mask": _lit, "bbox": lambda pixels: (box_of(_lit(pixels)),), "semantic_map": _labels,
    "pose": _joints,
}  # fmt: skip


def finder(kind: Kind, look: Callable[[np.ndarray], object]) -> Extractor:
    return Extractor(
        kind, "made", "1", lambda pixels, hints: [Reference(kind, look(pixels), "made", "1")]
    )


@pytest.mark.parametrize("kind", FOUND)
def test_what_moves_with_the_picture_stays_however_small_it_is(kind: Kind) -> None:
    assert len(kept_up(finder(kind, FOUND[kind]), PICTURE)) == 1


@pytest.mark.parametrize("kind", FOUND)
def test_what_hangs_on_the_place_of_a_pixel_is_dropped(kind: Kind) -> None:
    def jumping(pixels: np.ndarray) -> object:
        jumped = pixels[20, 20, 0] < 128  # as when everything was moved by a pixel
        return FOUND[kind](np.roll(pixels, 9, axis=(0, 1)) if jumped else pixels)

    assert kept_up(finder(kind, jumping), PICTURE) == []
