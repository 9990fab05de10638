"""The preview of an edit: both pictures labelled, what changed marked, and shown larger."""

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.document import Document
from overpaint.report.preview import (
    CLOSE_UPS,
    HEAD,
    HIGH,
    MARK,
    WIDE,
    changed,
    preview,
    previewing,
)


def page(high: int, wide: int) -> np.ndarray:
    return np.full((high, wide, 3), 250, np.uint8)


def inked(pixels: np.ndarray, *boxes: tuple[int, int, int, int]) -> np.ndarray:
    pixels = pixels.copy()
    for left, top, right, bottom in boxes:
        pixels[top:bottom, left:right] = 20
    return pixels


def marked(sheet: np.ndarray) -> int:
    return int((sheet == MARK).all(axis=2).sum())


@settings(max_examples=30, deadline=None)
@given(st.tuples(*[st.integers(0, 90)] * 2), st.integers(1, 60), st.integers(1, 60))
def test_the_box_of_a_change_is_the_change(corner: tuple[int, int], wide: int, high: int) -> None:
    left, top = corner
    box = (left, top, left + wide, top + high)
    assert changed(page(160, 160), inked(page(160, 160), box)) == (box,)


def test_changes_that_lie_close_are_one_and_others_are_not() -> None:
    before = page(400, 400)
    near, far = (20, 20, 40, 30), (44, 20, 60, 32)
    assert changed(before, inked(before, near, far)) == ((20, 20, 60, 32),)
    apart = (300, 300, 320, 310)
    assert changed(before, inked(before, near, apart)) == (near, apart)


def test_changes_of_a_very_long_page_are_found_in_time() -> None:
    before = page(60_000, 200)
    near, apart, last = (20, 20, 40, 32), (15, 5007, 18, 5010), (198, 59_998, 200, 60_000)
    started = time.process_time()
    assert changed(before, inked(before, near, apart, last)) == (near, apart, last)
    assert time.process_time() - started < 4


def test_equal_pictures_have_no_mark_and_no_close_up() -> None:
    before = page(400, 400)
    sheet = preview(before, before)
    assert not marked(sheet)
    assert sheet.shape[0] < HEAD + HIGH


def test_a_tiny_change_on_a_large_page_is_marked_and_enlarged() -> None:
    before = page(1800, 1200)
    sheet = preview(before, inked(before, (900, 900, 906, 908)))
    assert marked(sheet)
    close_up = sheet[HEAD + HIGH :]
    dark = (close_up < 60).all(axis=2)
    assert dark.sum() > 12 * 6 * 8  # each pixel is about sixteen
    assert not dark[:, : WIDE // 2].any()  # before, nothing stood there


def test_a_frame_hides_neither_what_it_marks_nor_the_letters_beside_it() -> None:
    beside = (100, 100, 155, 140)  # a word, and five pixels of space
    before = inked(page(700, 700), beside)
    sheet = preview(before, inked(before, (160, 100, 200, 140)))
    zoom = WIDE / 700
    right = sheet[HEAD:, sheet.shape[1] // 2 :]
    dark = (right[: round(700 * zoom)] < 60).all(axis=2)
    assert dark.sum() >= 0.96 * zoom**2 * 40 * (55 + 40)
    assert marked(sheet)


def test_a_change_of_the_whole_picture_has_no_close_up() -> None:
    before = page(500, 500)
    sheet = preview(before, 255 - before)
    assert sheet.shape[0] <= HEAD + WIDE + 12


def test_many_changes_have_a_few_numbered_close_ups() -> None:
    before = page(2000, 2000)
    spots = [(200 * n + 50, 200 * n + 50, 200 * n + 90, 200 * n + 60) for n in range(9)]
    sheet = preview(before, inked(before, *spots))
    paper = (sheet[HEAD:, 14] == sheet[0, 0]).all(axis=1)
    rows = int((np.diff(paper.astype(int)) == 1).sum())
    assert rows == 1 + CLOSE_UPS


@pytest.mark.parametrize("shape", [(8, 8), (64, 3000), (5000, 30), (900, 640)])
def test_a_preview_of_any_shape_stays_small(shape: tuple[int, int]) -> None:
    before = page(*shape)
    sheet = preview(before, inked(before, (2, 2, 6, 6)))
    assert sheet.shape[1] <= 2 * WIDE + 36
    assert sheet.shape[0] <= HEAD + 2 * (HIGH + 12)


def test_pictures_of_two_sizes_are_shown_without_marks() -> None:
    assert not marked(preview(page(200, 300), page(300, 200)))


def test_a_preview_is_written_as_a_png(tmp_path: Path) -> None:
    before = page(60, 80)
    with previewing(tmp_path / "p.png") as show:
        show(before, inked(before, (5, 5, 9, 9)))
        assert not (tmp_path / "p.png").exists()
    assert Document(tmp_path / "p.png").rgb.shape[2] == 3
    assert [path.name for path in tmp_path.iterdir()] == ["p.png"]
