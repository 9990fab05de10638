"""Boxes of masks, and what boxes have in common."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.vision.references import Box
from overpaint.vision.references.boxes import box_of, overlaps


@given(st.integers(0, 6), st.integers(0, 6))
@settings(max_examples=8, deadline=None)
def test_a_box_is_where_its_mask_begins_and_ends(x: int, y: int) -> None:
    mask = np.zeros((20, 20), bool)
    mask[y : y + 5, x : x + 9] = True
    assert box_of(mask) == (x, y, x + 9, y + 5)


sides = st.integers(0, 12)
boxes = st.builds(lambda x, y, w, h: Box(x, y, x + w, y + h), sides, sides, sides, sides)


def covered(box: Box) -> np.ndarray:
    """The pixels of a box."""
    mask = np.zeros((24, 24), bool)
    mask[int(box.top) : int(box.bottom), int(box.left) : int(box.right)] = True
    return mask


@given(st.lists(boxes, max_size=4), st.lists(boxes, max_size=4))
@settings(max_examples=60, deadline=None)
def test_overlaps_are_those_of_the_pixels(these: list[Box], those: list[Box]) -> None:
    found = overlaps(these, those)
    assert found.shape == (len(these), len(those))
    for i, a in enumerate(map(covered, these)):
        for j, b in enumerate(map(covered, those)):
            assert np.isclose(found[i, j], (a & b).sum() / max(1, (a | b).sum()))
