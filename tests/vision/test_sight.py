"""Sight: what the editor sees of a picture before it reads a line."""

import numpy as np
import pytest

from overpaint.vision import sight
from overpaint.vision.sight import find_lines, longer


def quad(left: int, right: int) -> np.ndarray:
    return np.array([[(left, 20), (right, 20), (right, 50), (left, 50)]], np.float32)


def picture(beside: int) -> np.ndarray:
    """Letters at full strength between two columns, and stripes of some strength on either side."""
    page = np.full((70, 300, 3), 60, np.uint8)
    page[20:50, 20:280:4] += np.uint8(beside)
    page[20:50, 100:200:4] = 250
    return page


@pytest.mark.parametrize(("beside", "ends"), [(20, (100, 200)), (150, (40, 260))])
def test_a_line_goes_on_where_ink_is_as_strong_and_not_over_faint_texture(
    beside: int, ends: tuple[int, int]
) -> None:
    found = longer(picture(beside), quad(100, 200), quad(40, 260))
    assert (found[0, :, 0].min(), found[0, :, 0].max()) == ends


@pytest.mark.parametrize("ink", [(255, 0, 0), (0, 0, 255), (255, 128, 0)])
def test_a_line_in_a_pure_colour_on_white_goes_on_too(ink: tuple[int, int, int]) -> None:
    page = np.full((70, 300, 3), 255, np.uint8)
    page[20:50, 40:260:4] = ink
    found = longer(page, quad(100, 200), quad(40, 260))
    assert (found[0, :, 0].min(), found[0, :, 0].max()) == (40, 260)


@pytest.mark.parametrize("shape", [(1, 1), (2, 40), (40, 2), (3, 3)])
def test_pictures_too_small_for_a_letter_have_no_lines(shape: tuple[int, int]) -> None:
    assert not len(find_lines(np.full((*shape, 3), 200, np.uint8))[0])


@pytest.mark.parametrize("row", [0, 1, 62, 63, 64, 65, 126, 128, 197, 199])
def test_a_speck_is_seen_in_every_row_of_a_band(row: int) -> None:
    pixels = np.full((200, 300, 3), 255, np.uint8)
    pixels[row, 170, 1] = 0
    left, top, right, bottom = sight._used(pixels)
    assert 0 <= top <= row < bottom <= 200
    assert (left, right) == (128, 198)
    assert bottom - top <= sight._GRID + 2 * sight._FRAME + 6
