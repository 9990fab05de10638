"""References drawn and read back: boxes, skeletons, regions, masks and grey maps."""

import contextlib
import io
import time
import tracemalloc

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from PIL import Image

from overpaint.errors import NotApplicable, Undecided
from overpaint.vision.references import KINDS, Box, Reference
from overpaint.vision.references.drawing import drawn, read, region_colours
from overpaint.vision.references.skeletons import JOINTS, LIMBS

SIZE = (320, 240)


def picture_of(kind, value, size=SIZE):
    return drawn(Reference(kind, value, "test", "1"), size)


def stored(pixels, quality):
    """The picture after JPEG."""
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=quality)
    return np.asarray(Image.open(out).convert("RGB"))


# ── boxes ───────────────────────────────────────────────────────────────────────────────

edges = st.tuples(
    st.integers(0, 300), st.integers(0, 220), st.integers(16, 320), st.integers(16, 240)
)


@given(st.lists(edges, min_size=1, max_size=8, unique=True))
@settings(max_examples=60, deadline=None)
def test_a_box_picture_gives_its_boxes_back_even_where_they_share_sides(places) -> None:
    boxes = [Box(x, y, min(x + w, 320), min(y + h, 240)) for x, y, w, h in places]
    assume(len(set(boxes)) == len(boxes))
    assume(all(b.right - b.left >= 12 and b.bottom - b.top >= 12 for b in boxes))
    assert sorted(read("bbox", picture_of("bbox", boxes))) == sorted(boxes)


def test_more_boxes_than_colours_are_read_where_they_stand_apart() -> None:
    boxes = [Box(10 + 50 * x, 10 + 38 * y, 40 + 50 * x, 34 + 38 * y)
             for x in range(6) for y in range(6)]  # fmt: skip
    assert sorted(read("bbox", picture_of("bbox", boxes))) == sorted(boxes)


def test_frames_of_one_colour_that_cross_are_told_apart() -> None:
    pixels = np.zeros((240, 320, 3), np.uint8)
    cv2.rectangle(pixels, (20, 20), (180, 160), (0, 255, 0), 2)
    cv2.rectangle(pixels, (100, 80), (300, 220), (0, 255, 0), 2)
    found = read("bbox", pixels)
    assert len(found) == 2
    for box, true in zip(sorted(found), [(20, 20, 180, 160), (100, 80, 300, 220)], strict=True):
        assert np.abs(np.array(box) - true).max() <= 3


@pytest.mark.parametrize("quality", [95, 80])
def test_a_box_picture_is_read_after_jpeg_and_at_another_size(quality) -> None:
    boxes = [Box(20, 30, 120, 200), Box(100, 60, 310, 180)]
    lossy = stored(picture_of("bbox", boxes), quality)
    found = sorted(read("bbox", lossy, (640, 480)))
    assert np.abs(np.array(found) - 2 * np.array(sorted(boxes))).max() <= 6


def test_a_black_picture_has_no_boxes_and_nobody() -> None:
    black = np.zeros((40, 60, 3), np.uint8)
    assert read("bbox", black) == ()
    assert read("pose", black).shape == (0, 17, 3)


def test_a_box_beyond_the_picture_is_drawn_at_its_edge() -> None:
    assert read("bbox", picture_of("bbox", [Box(-50, -50, 5000, 100)])) == (Box(0, 0, 320, 100),)


# ── skeletons ───────────────────────────────────────────────────────────────────────────

BODY = np.array(
    [[50, 10], [53, 7], [47, 7], [57, 9], [43, 9], [66, 32], [34, 32], [74, 56], [26, 56], [78, 80],
     [22, 80], [60, 86], [40, 86], [62, 124], [38, 124], [63, 160], [37, 160]], float,
)  # fmt: skip


def person(x, y, scale=1.0, shake=0.0, seed=0):
    """Somebody who stands there; joints shaken by so many pixels."""
    moved = BODY * scale + [x, y] + np.random.default_rng(seed).normal(0, shake, (17, 2))
    return np.hstack([np.rint(moved), np.ones((17, 1))])


@given(st.floats(1.2, 2.5), st.floats(0, 1.5), st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_a_pose_picture_gives_its_joints_back(scale, shake, seed) -> None:
    people = person(60, 20, scale, shake, seed)[None]
    found = read("pose", picture_of("pose", people, (640, 640)))
    assert len(found) == 1
    assert (found[0, :, 2] == 1).all()
    assert np.abs(found[0, :, :2] - people[0, :, :2]).max() <= 1.5


def test_several_people_are_read_each_with_their_own_joints() -> None:
    people = np.stack([person(20, 30), person(150, 60, 1.4, 4, 1), person(330, 20, 2.2, 3, 2)])
    found = read("pose", picture_of("pose", people, (640, 480)))
    order = np.argsort([one[0, 0] for one in found])
    assert np.abs(found[order][:, :, :2] - people[:, :, :2]).max() <= 1.5


def test_joints_that_are_not_seen_are_not_drawn_and_not_read() -> None:
    one = person(40, 30)
    one[[9, 15, 16], 2] = 0.1
    found = read("pose", picture_of("pose", one[None]))
    assert len(found) == 1
    assert np.flatnonzero(found[0, :, 2] == 0).tolist() == [9, 15, 16]


def test_every_joint_hangs_on_a_limb() -> None:
    assert {joint for limb in LIMBS for joint in limb} == set(range(len(JOINTS)))


# ── maps ────────────────────────────────────────────────────────────────────────────────


@given(st.integers(1, 80), st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_a_map_of_regions_is_read_back_up_to_their_numbers(count, seed) -> None:
    rng = np.random.default_rng(seed)
    value = np.kron(rng.integers(0, count + 1, (12, 16)), np.ones((20, 20))).astype(np.int32)
    found = read("semantic_map", picture_of("semantic_map", value))
    pairs = set(zip(value.ravel().tolist(), found.ravel().tolist(), strict=True))
    assert len(pairs) == len(np.unique(value))
    assert ((value == 0) == (found == 0)).all()


def test_no_two_regions_have_one_colour() -> None:
    assert len(np.unique(region_colours(2_000), axis=0)) == 2_001


def test_a_map_of_regions_is_read_after_jpeg() -> None:
    value = np.kron(np.arange(1, 13).reshape(3, 4), np.ones((80, 80))).astype(np.int32)
    found = read("semantic_map", stored(picture_of("semantic_map", value), 90))
    same = [np.bincount(found[value == n]).max() / (value == n).sum() for n in range(1, 13)]
    assert min(same) > 0.94


def test_masks_and_grey_maps_come_back_to_the_bit() -> None:
    rng = np.random.default_rng(0)
    mask = rng.random(SIZE[::-1]) > 0.5
    assert (read("mask", picture_of("mask", mask)) == mask).all()
    grey = rng.integers(0, 256, SIZE[::-1]).astype(np.uint8)
    for kind in ("depth", "canny", "sketch"):
        assert (read(kind, picture_of(kind, grey)) == grey).all()


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("caption", "subject", "style")])
def test_any_picture_is_read_as_any_kind_at_any_size(kind) -> None:
    for shape in ((1, 1, 3), (3, 200, 3), (64, 64, 3)):
        noise = np.random.default_rng(1).integers(0, 256, shape).astype(np.uint8)
        try:
            value = read(kind, noise, (70, 50))
        except NotApplicable as error:
            assert kind == "bbox"
            assert "shows no" in str(error)
            continue
        except Undecided as error:
            assert kind == "pose"
            assert "cannot be read" in str(error)
            continue
        if kind not in ("bbox", "pose"):
            assert value.shape == (50, 70)


@pytest.mark.parametrize("kind", ["bbox", "pose"])
def test_dots_and_grids_are_read_or_refused_at_once(kind) -> None:
    dots = np.zeros((1024, 1024, 3), np.uint8)
    dots[::4, ::4] = (255, 0, 0)
    grid = np.zeros((1024, 1024, 3), np.uint8)
    grid[::40] = grid[:, ::40] = (0, 255, 0)
    noise = np.random.default_rng(0).integers(0, 256, (512, 512, 3)).astype(np.uint8)
    for picture in (dots, grid, noise):
        started = time.perf_counter()
        with contextlib.suppress(NotApplicable, Undecided):
            read(kind, picture)
        assert time.perf_counter() - started < 5


# ── huge pictures ───────────────────────────────────────────────────────────────────────


def most_memory(work):
    """Bytes that some work takes at most."""
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def test_a_huge_picture_is_drawn_and_read_in_little_memory() -> None:
    side = 2000
    boxes = [Box(9 * n, 9 * n, side - 9 * n, side - 9 * n) for n in range(20)]
    assert most_memory(lambda: picture_of("bbox", boxes, (side, side))) < 20 * side**2
    halves = picture_of("semantic_map", np.repeat([[1, 2]], side, 0).repeat(side // 2, 1))
    large = np.ascontiguousarray(cv2.resize(halves, (side, side)))
    assert most_memory(lambda: read("semantic_map", large)) < 30 * side**2


@pytest.mark.slow
def test_frames_of_one_colour_that_cross_are_told_apart_in_a_huge_picture() -> None:
    pixels = np.zeros((2400, 5000, 3), np.uint8)
    true = [(201, 203, 1800, 1607), (1001, 805, 4700, 2200)]
    for left, top, right, bottom in true:
        cv2.rectangle(pixels, (left, top), (right, bottom), (0, 255, 0), 12)
    found = sorted(read("bbox", pixels))
    assert np.abs(np.array(found) - true).max() <= 12


def test_noise_of_any_size_shows_no_boxes_at_once() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (3000, 3000, 3), dtype=np.uint8)
    started = time.perf_counter()
    assert len(read("bbox", noise)) <= 1
    assert time.perf_counter() - started < 5  # to count all colours takes twice as long


def test_a_caption_has_no_picture() -> None:
    with pytest.raises(NotApplicable, match="words and has no picture"):
        picture_of("caption", "a cat")
    with pytest.raises(NotApplicable, match="words and has no picture"):
        read("caption", np.zeros((2, 2, 3), np.uint8))
