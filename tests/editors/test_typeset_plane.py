"""Planes: words seen at a slant are made upright and put back; what is upright is never touched."""

from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from overpaint import weights
from overpaint.document.where import Where
from overpaint.editors.typeset import plane
from overpaint.editors.typeset.locate import find, read_page
from overpaint.editors.typeset.slant import grows, slant_of
from overpaint.engines import posters

pytestmark = pytest.mark.slow  # each test reads and matches a page

FINE = 4
SIZE = (640, 360)


@cache
def poster() -> np.ndarray:
    return posters.draw(1, 1).source


def noise(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


# ── what needs no resampling ────────────────────────────────────────────────────────────


@given(st.integers(0, 40), st.integers(0, 30), st.integers(1, 40), st.integers(1, 30),
       st.integers(0, 3))  # fmt: skip
def test_an_upright_or_quarter_turned_rectangle_is_cut_out_and_put_back_to_the_bit(
    left: int, top: int, wide: int, high: int, quarters: int
) -> None:
    pixels = noise(1, (64, 96, 3))
    quad = np.roll(plane.corners_of((left, top, left + wide, top + high)), -quarters, axis=0)
    strip, way = plane.rectify(pixels, quad)
    part = pixels[top : top + high, left : left + wide]
    assert np.array_equal(strip, np.rot90(part, quarters))
    assert plane.exact(way)
    assert np.allclose(plane.carry(way, [(0, 0)]), quad[0])
    changed = plane.back(255 - strip, np.full(strip.shape[:2], 255, np.uint8), way, pixels)
    assert np.array_equal(changed[top : top + high, left : left + wide], 255 - part)
    changed[top : top + high, left : left + wide] = part
    assert np.array_equal(changed, pixels)


def test_an_upright_rectangle_between_pixels_is_rounded_outwards_not_resampled() -> None:
    pixels = noise(2, (40, 60, 3))
    strip, way = plane.rectify(pixels, plane.corners_of((10.4, 5.2, 30.1, 19.9)))
    assert np.array_equal(strip, pixels[5:20, 10:31])
    assert plane.exact(way)


# ── what does ───────────────────────────────────────────────────────────────────────────

QUAD = ((100.0, 60.0), (300.0, 90.0), (290.0, 150.0), (95.0, 110.0))


def test_corners_lead_to_corners() -> None:
    strip, way = plane.rectify(poster(), QUAD)
    high, wide = strip.shape[:2]
    assert np.allclose(plane.carry(way, plane.corners_of((0, 0, wide, high))), QUAD, atol=1e-3)


def test_the_strip_is_what_another_program_makes_of_it() -> None:
    strip, way = plane.rectify(poster(), QUAD)
    high, wide = strip.shape[:2]
    y, x = np.mgrid[0:high, 0:wide] + 0.5
    led = np.stack([x, y, np.ones_like(x)]).reshape(3, -1)
    px, py, w = way @ led
    smooth = cv2.GaussianBlur(poster(), (0, 0), 2)
    again, _ = plane.rectify(smooth, QUAD)
    maps = [((p / w) - 0.5).reshape(high, wide).astype(np.float32) for p in (px, py)]
    other = cv2.remap(smooth, maps[0], maps[1], cv2.INTER_CUBIC)
    assert np.abs(again.astype(int) - other).max() <= 3


def test_there_and_back_loses_little_inside_and_nothing_outside() -> None:
    pixels = poster()
    strip, way = plane.rectify(pixels, QUAD)
    whole = np.full(strip.shape[:2], 255, np.uint8)
    again = plane.back(strip, whole, way, pixels)
    inside = cv2.fillPoly(np.zeros(pixels.shape[:2], np.uint8), [np.int32(QUAD)], 1) > 0
    error = np.square(again[inside].astype(float) - pixels[inside]).mean()
    assert 10 * np.log10(255**2 / error) > 37
    near = cv2.dilate(inside.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    assert np.array_equal(again[~near], pixels[~near])


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(-18, 18), min_size=8, max_size=8), st.integers(0, 50))
def test_only_what_the_mask_covers_changes(moves: list[float], at: int) -> None:
    pixels = noise(3, (120, 160, 3))
    quad = np.array(plane.corners_of((40, 40, 120, 80))) + np.reshape(moves, (4, 2))
    strip, way = plane.rectify(pixels, quad)
    empty = np.zeros(strip.shape[:2], np.uint8)
    assert np.array_equal(plane.back(255 - strip, empty, way, pixels), pixels)
    mask = empty.copy()
    mask[10:20, at : at + 12] = 255
    changed = (plane.back(255 - strip, mask, way, pixels) != pixels).any(axis=2)
    reach = np.array(plane.carry(way, plane.corners_of((at - 1, 9, at + 13, 21))))
    allowed = cv2.fillConvexPoly(np.zeros(changed.shape, np.uint8), np.int32(np.rint(reach)), 1)
    assert not changed[cv2.dilate(allowed, np.ones((5, 5), np.uint8)) == 0].any()


# ── the plane of a line ─────────────────────────────────────────────────────────────────


def camera(yaw: float, pitch: float, roll: float) -> np.ndarray:
    """What a plane turned by these degrees looks like from 640 pixels away."""
    y, p, r = np.radians([yaw, pitch, roll])
    turn = (
        np.array([[np.cos(r), -np.sin(r), 0], [np.sin(r), np.cos(r), 0], [0, 0, 1]])
        @ np.array([[1, 0, 0], [0, np.cos(p), -np.sin(p)], [0, np.sin(p), np.cos(p)]])
        @ np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
    )
    middle = np.array([SIZE[0] / 2, SIZE[1] / 2])
    lens = np.array([[640, 0, middle[0]], [0, 640, middle[1]], [0, 0, 1]])
    sheet = np.column_stack([turn[:, 0], turn[:, 1], [0, 0, 640]])
    return lens @ sheet @ np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])


def seen(words: str, size: int, view: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Words on a wall, and where the corners of their ink are in the picture."""
    name = "font-chinese-sans" if ord(words[0]) > 0x2E80 else "font-sans"
    large = Image.new("RGB", (SIZE[0] * FINE, SIZE[1] * FINE), (235, 228, 210))
    face = ImageFont.truetype(weights.find(name), size * FINE)
    ImageDraw.Draw(large).text((120 * FINE, 150 * FINE), words, (30, 40, 60), face)
    ink = np.asarray(large)[:, :, 0] < 130
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    edges = (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)
    corners = np.array(plane.carry(view, np.array(plane.corners_of(edges)) / FINE))
    half, grow = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]]), np.diag([FINE, FINE, 1.0])
    lead = np.linalg.inv(half) @ grow @ view @ np.linalg.inv(grow) @ half
    warped = cv2.warpPerspective(np.asarray(large), lead, large.size, flags=cv2.INTER_LINEAR,
                                 borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    return cv2.resize(warped, SIZE, interpolation=cv2.INTER_AREA), corners


VIEWS = (
    ("Coffee and cake", 50, (6, -1, 7)),
    ("Harbour Street 24", 42, (20, 3, -6)),
    ("北山温泉度假村", 44, (18, -8, 5)),
    ("Library closed Monday", 36, (-14, -7, 9)),
    ("HARBOUR STREET", 40, (-28, -3, -4)),
)


def test_the_corners_of_words_on_a_slanted_wall_are_found_to_a_pixel() -> None:
    worst = []
    for words, size, view in VIEWS:
        pixels, corners = seen(words, size, camera(*view))
        ((spot,),) = (found.spots for found in find(read_page(pixels), Where(text=words)))
        assert spot.quad is not None
        worst.append(np.hypot(*(np.array(spot.quad) - corners).T).max())
        rise = corners[1] - corners[0] + corners[2] - corners[3]
        assert spot.angle == pytest.approx(np.degrees(np.arctan2(rise[1], rise[0])), abs=0.4)
    assert np.median(worst) < 1
    assert max(worst) < 2.5


def letters(words: str, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The ink of upright words, and their letters' middles."""
    name = "font-chinese-sans" if ord(words[0]) > 0x2E80 else "font-sans"
    face = ImageFont.truetype(weights.find(name), size)
    sheet = Image.new("L", (int(face.getlength(words)) + 20, 2 * size), 0)
    ImageDraw.Draw(sheet).text((10, size // 3), words, 255, face)
    ends = np.array([face.getlength(words[:n]) for n in range(len(words) + 1)])
    return np.asarray(sheet).astype(np.float32) / 255, 10 + (ends[1:] + ends[:-1]) / 2


@pytest.mark.parametrize("words", ["Harbour Street", "CLOSED MONDAY", "北山温泉度假村", "Upstairs"])
def test_upright_words_are_not_taken_for_slanted_ones(words: str) -> None:
    ink, middles = letters(words, 40)
    assert not grows(ink, words, middles)
    found = slant_of(ink, words, middles)
    assert found is not None
    assert abs(found.foot[1]) < 0.01
    assert abs(found.lean[0] + found.lean[1] * middles.mean()) < 0.05


def test_words_that_shrink_along_a_level_line_are_known_to_be_slanted() -> None:
    ink, _ = letters("GRAND OPENING SALE", 48)
    high, wide = ink.shape
    shape = np.float32([(0, 0), (wide, 0.15 * high), (wide, 0.85 * high), (0, high)])
    way = plane.homography(wide, high, shape)
    shrunk = cv2.warpPerspective(ink, way, (wide, high))
    _, flat = letters("GRAND OPENING SALE", 48)
    middles = np.array(plane.carry(way, np.stack([flat, np.full(len(flat), high / 2)], axis=1)))
    assert grows(shrunk, "GRAND OPENING SALE", middles[:, 0])


def test_too_few_letters_tell_nothing() -> None:
    ink, middles = letters("It", 40)
    assert slant_of(ink, "It", middles) is None
