"""Alignment: known movements are found again, edits are not taken for one, failure is said."""

import json
from dataclasses import asdict

import cv2
import numpy as np
import pytest

from overpaint.errors import UserMistake
from overpaint.measures.alignment import Transform, find_transform, lay
from overpaint.measures.pixel import align

SIDE = 512


def poster(seed: int) -> np.ndarray:
    """A drawing at twice the size, so that it can be moved by parts of a pixel faithfully."""
    rng = np.random.default_rng(seed)
    side = 2 * SIDE
    ground = rng.uniform(60, 200, (7, 7, 3)).astype(np.float32)
    picture = cv2.resize(ground, (side, side), interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    for _ in range(20):
        colour, place = rng.integers(0, 256, 3).tolist(), rng.integers(0, side, 2).tolist()
        cv2.circle(picture, place, int(rng.integers(10, 120)), colour, -1, cv2.LINE_AA)
    for _ in range(25):
        word = "".join(chr(code) for code in rng.integers(65, 91, 8))
        colour, place = rng.integers(0, 256, 3).tolist(), rng.integers(0, side - 200, 2).tolist()
        font, size = int(rng.integers(0, 5)), float(rng.uniform(1, 3))
        cv2.putText(picture, word, place, font, size, colour, 4, cv2.LINE_AA)
    return picture


def movement(*, shift=(0.0, 0.0), turn=0.0, scale=1.0, shear=0.0) -> np.ndarray:
    """2×3, from moved to original pixels, about the middle."""
    c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    linear = scale * np.array([[c, -s], [s, c]]) @ np.array([[1, shear], [0, 1]])
    middle = np.full(2, (SIDE - 1) / 2)
    return np.hstack([linear, (middle + shift - linear @ middle)[:, None]])


def half(picture: np.ndarray) -> np.ndarray:
    return cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def moved(large: np.ndarray, matrix: np.ndarray, dirt: str = "") -> np.ndarray:
    """The picture whose pixels `matrix` takes to the original's, with an edit, noise, JPEG."""
    doubled = matrix.copy()
    doubled[:, 2] = 2 * matrix[:, 2] + 0.5 - matrix[:, :2] @ [0.5, 0.5]
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    size, border = (2 * SIDE, 2 * SIDE), cv2.BORDER_REFLECT
    picture = half(cv2.warpAffine(large, doubled, size, flags=flags, borderMode=border))
    rng = np.random.default_rng(len(dirt))
    if "edit" in dirt:
        picture[90:260, 60:330] = (240, 230, 40)
        cv2.putText(picture, "MONDAY", (80, 200), 0, 2, (0, 0, 0), 4, cv2.LINE_AA)
    if "noise" in dirt:
        picture = np.clip(picture + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)
    if "jpeg" in dirt:
        picture = cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])[1], 1)
    return picture


def error(found: np.ndarray, true: np.ndarray, left: int = 0) -> float:
    """Mean distance between where two transforms take a grid over the picture, from `left` on."""
    grid = [[x, y, 1] for x in np.linspace(left, SIDE, 9) for y in np.linspace(0, SIDE, 9)]
    grid = np.array(grid)
    return float(np.hypot(*((found - true) @ grid.T)).mean())


POSTERS = [poster(seed) for seed in range(2)]

MOVEMENTS = {
    "a part of a pixel": movement(shift=(0.43, -0.31)),
    "far": movement(shift=(17.3, -11.6)),
    "turned": movement(turn=2.3),
    "scaled": movement(scale=0.96),
    "sheared": movement(shear=0.015),
    "all at once": movement(shift=(-7.7, 4.2), turn=-1.4, scale=1.03, shear=-0.01),
}


@pytest.mark.slow
@pytest.mark.parametrize("dirt", ["", "edit, noise, jpeg"])
@pytest.mark.parametrize("name", MOVEMENTS)
@pytest.mark.parametrize("large", POSTERS, ids=["first", "second"])
def test_a_known_movement_is_found_to_a_tenth_of_a_pixel(large, name, dirt):
    found = align(moved(large, MOVEMENTS[name], dirt), half(large))
    assert found.verdict == "aligned"
    assert not found.failed
    assert error(found.matrix, MOVEMENTS[name]) < 0.1


def test_the_aligned_picture_agrees_with_the_fixed_one_where_it_is_valid():
    fixed = half(POSTERS[0])
    moving = moved(POSTERS[0], MOVEMENTS["all at once"])
    found = align(moving, fixed)
    before = np.abs(moving.astype(int) - fixed)[found.valid].mean()
    after = np.abs(found.picture.astype(int) - fixed)[found.valid].mean()
    assert after < before / 8
    assert found.picture.shape == fixed.shape
    assert found.picture.dtype == np.uint8
    assert 0.8 < found.valid.mean() < 1


@pytest.mark.parametrize("name", ["far", "all at once"])
def test_valid_pixels_are_those_that_no_border_reaches(name):
    moving = moved(POSTERS[0], MOVEMENTS[name])
    found = align(moving, half(POSTERS[0]))
    flags = cv2.INTER_CUBIC
    black, white = (
        cv2.warpAffine(moving, found.matrix, (SIDE, SIDE), flags=flags, borderValue=[fill] * 3)
        for fill in (0, 255)
    )
    untouched = (black == white).all(axis=2)
    assert untouched[found.valid].all()
    assert found.valid.sum() > 0.98 * untouched.sum()


# ── when nothing moved ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("dirt", ["", "edit", "noise", "jpeg", "edit, noise, jpeg"])
@pytest.mark.parametrize("large", POSTERS, ids=["first", "second"])
def test_an_edit_in_place_is_left_in_place(large, dirt):
    moving = moved(large, movement(), dirt)
    found = align(moving, half(large))
    assert found.verdict == "identity"
    assert found.picture is moving
    assert found.valid.all()
    assert np.array_equal(found.matrix, np.eye(2, 3))


@pytest.mark.parametrize("dirt", ["", "edit, noise, jpeg"])
@pytest.mark.parametrize("shift", [(0.2, 0), (0, -0.2), (0.3, 0.3), (-0.5, 0), (1, 0), (0, 2)])
def test_a_shift_of_a_fifth_of_a_pixel_is_no_identity(shift, dirt):
    for large in POSTERS:
        assert align(moved(large, movement(shift=shift), dirt), half(large)).verdict == "aligned"


@pytest.mark.parametrize("small", [{"turn": 0.06}, {"scale": 1.001}])
def test_a_movement_that_leaves_the_middle_in_place_is_no_identity(small):
    moving = moved(POSTERS[0], movement(**small), "noise")
    found = align(moving, half(POSTERS[0]))
    assert found.verdict == "aligned"
    assert error(found.matrix, movement(**small)) < 0.1


def test_horizontal_lines_alone_do_not_make_a_sideways_shift_an_identity():
    large = POSTERS[0].copy()
    large[::64] = large[1::64] = large[2::64] = large[3::64] = 0
    large[600:] = np.where((np.arange(424) // 8 % 2 == 0)[:, None, None], 255, 0)
    true = movement(shift=(5, 0))
    found = align(moved(large, true), half(large))
    assert found.verdict == "aligned"
    assert error(found.matrix, true) < 0.1


def page(offset: int) -> np.ndarray:
    """A letter with a head and a foot, and many lines that an edit may have moved up."""
    picture = np.full((2 * SIDE, 2 * SIDE, 3), 255, np.uint8)
    for row, text in ((60, "OVERPAINT & CO, 12 HIGH STREET"), (140, "Invoice 2041"), (980, "1/3")):
        cv2.putText(picture, text, (40, row), 0, 1.8, (150, 20, 20), 4, cv2.LINE_AA)
    cv2.rectangle(picture, (800, 20), (990, 170), (20, 90, 160), -1)
    cv2.putText(picture, "No 7", (830, 120), 0, 1.8, (255, 255, 255), 4, cv2.LINE_AA)
    words = np.random.default_rng(5)
    for line in range(9):
        text = "".join(chr(code) for code in words.integers(97, 123, 30))
        cv2.putText(
            picture, text, (60, 330 + 70 * line - offset), 0, 1.5, (20,) * 3, 3, cv2.LINE_AA
        )
    return picture


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.5, 0.25)])
def test_text_that_moved_is_an_edit_and_not_a_movement_of_the_picture(shift):
    true = movement(shift=shift)
    found = align(moved(page(90), true), half(page(0)))
    assert error(found.matrix, true) < 0.1
    assert found.verdict == ("aligned" if any(shift) else "identity")


def test_a_mask_keeps_what_may_change_out_of_it():
    fixed = half(POSTERS[0])
    moving = moved(POSTERS[0], movement(shift=(9, 0)))
    moving[:, :400] = moved(POSTERS[0], movement(shift=(-6, 3)))[:, :400]
    mask = np.zeros((SIDE, SIDE), bool)
    mask[:, 410:] = True
    assert error(align(moving, fixed, mask=mask).matrix, movement(shift=(9, 0)), 410) < 0.1
    assert error(align(moving, fixed).matrix, movement(shift=(-6, 3))) < 0.1


# ── when it cannot be done ──────────────────────────────────────────────────────────────

NOISE = np.random.default_rng(1).integers(0, 256, (2, 300, 300, 3), dtype=np.uint8)
WHITE = np.full((300, 300, 3), 255, np.uint8)


@pytest.mark.parametrize(
    ("moving", "fixed"),
    [
        (WHITE, NOISE[0]),
        (NOISE[0], WHITE),
        (WHITE - 5, WHITE),
        (NOISE[0], NOISE[1]),
        (half(POSTERS[0]), half(POSTERS[1])),
        (NOISE[0, :1, :1], NOISE[1, :1, :1]),
        (NOISE[0, :1, :200, 0], NOISE[1, :1, :200, 0]),
        (NOISE[0, :23, :40], NOISE[1, :23, :40]),
    ],
    ids=["blank", "onto blank", "flat", "noise", "unrelated", "a pixel", "a line", "tiny"],
)
def test_where_nothing_can_be_matched_the_picture_comes_back_and_the_verdict_says_so(moving, fixed):
    found = align(moving, fixed)
    assert found.failed
    assert found.verdict.startswith("failed: ")
    assert found.reason.endswith(".")
    assert found.picture is moving
    assert found.valid.all()
    assert np.array_equal(found.matrix, np.eye(2, 3))


def test_equal_pictures_are_identical_however_small_or_blank():
    for picture in (WHITE, NOISE[0, :1, :1], NOISE[0]):
        assert align(picture, picture.copy()).verdict == "identity"


def test_a_transform_that_no_editor_means_is_degenerate():
    fixed = half(POSTERS[0])
    narrow = np.zeros_like(fixed)
    narrow[:, : SIDE * 7 // 10] = cv2.resize(fixed, (SIDE * 7 // 10, SIDE))
    found = align(narrow, fixed)
    assert found.verdict == "failed: degenerate transform"
    assert "scales by" in found.reason


def test_a_mild_stretch_of_one_axis_is_aligned():
    linear = np.diag([1.0, 0.94])
    middle = np.full(2, (SIDE - 1) / 2)
    true = np.hstack([linear, (middle - linear @ middle)[:, None]])
    found = align(moved(POSTERS[0], true, "edit, noise, jpeg"), half(POSTERS[0]))
    assert found.verdict == "aligned"
    assert error(found.matrix, true) < 0.1


def test_pictures_of_two_sizes_are_a_mistake():
    with pytest.raises(UserMistake, match="Resize one of them first"):
        align(NOISE[0], NOISE[1, :200])


def test_a_mask_of_another_size_is_a_mistake():
    with pytest.raises(UserMistake, match=r"\(300, 300\)"):
        align(NOISE[0], NOISE[1], mask=np.ones((3, 4), bool))


# ── always the same ─────────────────────────────────────────────────────────────────────


def test_the_result_depends_neither_on_the_run_nor_on_the_number_of_threads():
    moving = moved(POSTERS[1], MOVEMENTS["all at once"], "edit, noise, jpeg")
    threads, found = cv2.getNumThreads(), []
    try:
        for count in (1, 2, 2):
            cv2.setNumThreads(count)
            cv2.setRNGSeed(count)
            found.append(align(moving, half(POSTERS[1])))
    finally:
        cv2.setNumThreads(threads)
    for other in found[1:]:
        assert np.array_equal(found[0].matrix, other.matrix)
        assert np.array_equal(found[0].picture, other.picture)


def test_a_transform_that_was_kept_as_json_lays_the_picture_the_same_way():
    moving = moved(POSTERS[0], MOVEMENTS["all at once"])
    found = find_transform(moving, half(POSTERS[0]))
    again = Transform(**json.loads(json.dumps(asdict(found))))
    one, two = lay(moving, found), lay(moving, again)
    assert one.verdict == "aligned"
    assert np.array_equal(one.picture, two.picture)
    assert np.array_equal(one.valid, two.valid)


def test_the_result_unpacks_as_picture_valid_pixels_and_verdict():
    found = align(WHITE, WHITE)
    picture, valid, verdict = found
    assert picture is found.picture
    assert valid is found.valid
    assert verdict == "identity"


def test_grey_pictures_are_aligned_like_coloured_ones():
    true = MOVEMENTS["far"]
    moving, fixed = moved(POSTERS[0], true)[:, :, 1].copy(), half(POSTERS[0])[:, :, 1].copy()
    found = align(moving, fixed)
    assert found.picture.shape == fixed.shape
    assert error(found.matrix, true) < 0.1
