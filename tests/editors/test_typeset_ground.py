"""Erasing: flat, ruled, graded, patterned and pictured grounds come back from under the words."""

import time

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lifted_cases import Case, flat, gradient, jpeg, put, rough, scanned, scene

from overpaint.document.boxes import Box
from overpaint.document.layers import Pixels
from overpaint.editors.typeset.ground import glow
from overpaint.editors.typeset.inking import grown
from overpaint.editors.typeset.inpaint import borrow, repeat, spread, weave
from overpaint.editors.typeset.unmix import Lifted, lift
from overpaint.measures.pixel import psnr, ssim

pytestmark = pytest.mark.slow


def whole(picture: Pixels, lifted: Lifted) -> Pixels:
    """The picture with the lifted ground in place."""
    picture = picture.copy()
    high, wide = lifted.cover.shape
    picture[lifted.top : lifted.top + high, lifted.left : lifted.left + wide] = lifted.ground
    return picture


def erased(picture: Pixels, box: Box) -> Pixels:
    """The picture without the words in the box."""
    return whole(picture, lift(picture, box))


def inked(case: Case) -> np.ndarray:
    return np.asarray(case.cover > 0)


@given(
    st.tuples(*[st.integers(0, 255)] * 3),
    st.tuples(*[st.integers(0, 255)] * 3),
    st.sampled_from([11, 16, 25]),
)
@settings(max_examples=12, deadline=None)
def test_clean_paper_comes_back_to_the_last_bit(paper, ink, size) -> None:  # type: ignore[no-untyped-def]
    if max(abs(a - b) for a, b in zip(paper, ink, strict=True)) < 32:  # no eye reads such words
        return
    case = put(flat(paper), "Meeting on Friday, 10:30", size=size, colour=ink)
    assert np.array_equal(erased(case.picture, case.box), case.ground)


@pytest.mark.parametrize("words", ["年度报告——摘要", "一二三 gypsum", "Chapter ..... 12"])
def test_dashes_and_dots_are_letters(words: str) -> None:
    case = put(flat(), words, family="Noto Sans SC")
    assert np.array_equal(erased(case.picture, case.box), case.ground)


def lines(kind: str) -> Pixels:
    page = flat()
    if kind == "underline":
        page[75:77, 28:250] = 0
    elif kind == "ruled":
        page[[44, 72, 100]] = (180, 200, 230)
    elif kind == "grid":
        page[::20], page[:, ::20] = (210, 225, 240), (210, 225, 240)
    elif kind == "cell":
        page[[46, 47, 80, 81]], page[:, [24, 25, 260, 261]] = 60, 60
    elif kind == "band":
        page[44:82] = (180, 40, 40)
    return page


@pytest.mark.parametrize("kind", ["underline", "ruled", "grid", "cell", "band"])
def test_rules_borders_and_bands_stand_as_they_were(kind: str) -> None:
    case = put(lines(kind), "Jolly gypsy quay", colour=(20, 20, 60))
    assert np.array_equal(erased(case.picture, case.box), case.ground)


def test_neighbouring_lines_and_words_are_left_alone() -> None:
    page = flat()
    for y, words in ((45, "jumping over gypsy fog"), (95, "The lazy dog has dfhkl")):
        page = put(page, words, size=22, at=(30, y)).picture
    case = put(page, "qypgj middle", size=22, at=(30, 70))
    after = put(case.picture, "TLdfh", size=22, at=(case.box[2] + 8, 70))
    expected = put(page, "TLdfh", size=22, at=(case.box[2] + 8, 70)).picture
    cleared = erased(after.picture, case.box)
    assert np.array_equal(cleared, expected)


def test_what_is_to_be_kept_is_kept_even_inside_the_window() -> None:
    page = flat()
    other = put(page, "keep", at=(200, 70))
    case = put(other.picture, "Friday and ", at=(60, 70))
    loose = (case.box[0], case.box[1], other.box[0] + 8, case.box[3])
    lifted = lift(case.picture, loose, keep=(other.box,))
    assert np.array_equal(whole(case.picture, lifted), other.picture)


def test_only_pixels_of_the_hole_change() -> None:
    for case in (put(scene(), "Summer sale"), put(rough(), "Summer sale", bold=True)):
        lifted = lift(case.picture, case.box)
        changed = (whole(case.picture, lifted) != case.picture).any(axis=2)
        high, wide = lifted.cover.shape
        changed[lifted.top : lifted.top + high, lifted.left : lifted.left + wide] &= ~lifted.hole
        assert not changed.any()


def test_a_gradient_goes_on_under_the_words() -> None:
    case = put(gradient(), "Meeting on Friday", colour=(20, 20, 90))
    lifted = lift(case.picture, case.box)
    assert lifted.kind == "gradient"
    off = np.abs(whole(case.picture, lifted).astype(int) - case.ground)
    assert off.max() <= 1
    assert psnr(whole(case.picture, lifted), case.ground, inked(case)) > 55


def test_a_pattern_goes_on_under_the_words() -> None:
    tile = rough(3, (24, 20))
    case = put(np.tile(tile, (7, 18, 1)), "Meeting on Friday", colour=(255, 255, 255))
    lifted = lift(case.picture, case.box)
    assert lifted.kind == "texture"
    assert np.array_equal(whole(case.picture, lifted), case.ground)


def test_scanned_paper_keeps_its_tone_and_its_noise() -> None:
    page = flat((247, 243, 233))
    case = put(page, "Meeting on Friday")
    seen = Case(scanned(case.picture, 1), scanned(page, 1), case.cover, case.box)
    lifted = lift(seen.picture, seen.box)
    cleared, ink = whole(seen.picture, lifted), inked(seen)
    assert psnr(cleared, seen.ground, ink) > 38
    there, before = cleared[ink].astype(float), seen.ground[ink].astype(float)
    assert np.abs(there.mean(axis=0) - before.mean(axis=0)).max() < 0.6
    assert 0.5 < there.std() / before.std() < 1.6


def test_the_rings_that_compression_leaves_around_letters_go_too() -> None:
    case = put(flat(), "Meeting on Friday", bold=True)
    seen = Case(jpeg(case.picture, 80), case.ground, case.cover, case.box)
    assert np.array_equal(erased(seen.picture, seen.box), case.ground)


@pytest.mark.parametrize("make", [scene, rough])
def test_photographs_come_back_better_than_from_telea_and_navier_stokes(make) -> None:  # type: ignore[no-untyped-def]
    ours, theirs, likeness = [], [], []
    for seed in range(2):
        case = put(make(seed), "Summer sale now", size=26, colour=(255, 255, 255), bold=seed > 0)
        cleared, ink = erased(case.picture, case.box), inked(case)
        hole = cv2.dilate(ink.astype(np.uint8), np.ones((3, 3)))
        others = [
            cv2.inpaint(case.picture, hole, 3, how) for how in (cv2.INPAINT_TELEA, cv2.INPAINT_NS)
        ]
        ours.append(psnr(cleared, case.ground, ink))
        theirs.append(max(psnr(other, case.ground, ink) for other in others))
        around = np.zeros_like(ink)
        around[case.box[1] - 4 : case.box[3] + 4, case.box[0] - 4 : case.box[2] + 4] = True
        likeness.append(ssim(cleared, case.ground, around))
        likeness[-1] -= max(ssim(other, case.ground, around) for other in others)
    assert np.mean(ours) > np.mean(theirs) + 0.3  # and these were told where the ink is
    assert np.mean(likeness) > 0


def test_a_window_with_nothing_in_it_stays_as_it_is() -> None:
    for page in (flat(), gradient()):
        assert np.array_equal(erased(page, (60, 50, 200, 80)), page)


@given(st.integers(0, 2**32 - 1), st.tuples(*[st.integers(-20, 80)] * 4))
@settings(max_examples=20, deadline=None)
def test_no_picture_and_no_box_is_too_odd(seed: int, box: tuple[int, int, int, int]) -> None:
    rng = np.random.default_rng(seed)
    high, wide = (int(n) for n in rng.integers(1, 60, 2))
    kind = seed % 3
    picture = rng.integers(0, 256 if kind else 2, (high, wide, 3)).astype(np.uint8)
    if kind == 2:
        picture[:] = picture[0, 0]
    lifted = lift(picture, box)
    assert np.isfinite(lifted.cover).all()
    assert lifted.ground.shape[:2] == lifted.cover.shape == lifted.hole.shape
    assert not lifted.cover[~lifted.hole].any()


@pytest.mark.slow
def test_a_very_large_headline_takes_seconds_not_minutes() -> None:
    case = put(rough(1, (2000, 900)), "HUGE", size=400, colour=(255, 255, 255), at=(200, 600))
    started = time.process_time()
    cleared = erased(case.picture, case.box)
    assert time.process_time() - started < 20
    assert psnr(cleared, case.ground, inked(case)) > 20


def test_a_box_at_the_edge_of_the_picture_is_no_trouble() -> None:
    case = put(flat(size=(120, 24)), "Edge", size=22, at=(0, 20))
    high, wide = case.picture.shape[:2]
    box = (0, max(0, case.box[1]), min(wide, case.box[2]), min(high, case.box[3]))
    assert np.array_equal(erased(case.picture, box), case.ground)


# ── filling holes ───────────────────────────────────────────────────────────────────────


def test_fills_change_nothing_outside_the_hole() -> None:
    window = rough().astype(np.float32)
    hole = np.zeros(window.shape[:2], np.bool_)
    hole[40:60, 50:90] = True
    for filled in (spread(window, hole), weave(window, hole)):
        assert np.abs(filled - window)[~hole].max() < 1e-2
        assert filled.min() >= 0
        assert filled.max() <= 255


def test_without_a_hole_nothing_is_woven() -> None:
    window = rough().astype(np.float32)
    assert weave(window, np.zeros(window.shape[:2], np.bool_)) is window


def test_smooth_colours_are_no_pattern() -> None:
    window = gradient().astype(np.float32)
    hole = np.zeros(window.shape[:2], np.bool_)
    hole[40:60, 50:90] = True
    assert repeat(window, hole, ~hole) is None


def test_borrowed_noise_is_that_of_quiet_places_on_the_same_grid() -> None:
    noise = np.tile(np.arange(64, dtype=np.float32).reshape(8, 8, 1), (10, 20, 3))
    hole = np.zeros(noise.shape[:2], np.bool_)
    hole[20:40, 30:70] = True
    quiet = ~hole
    filled, left = borrow(np.where(quiet[..., None], noise, -1), hole, quiet, step=8)
    assert not left.any()
    assert np.array_equal(filled, noise)
    assert borrow(noise, hole, np.zeros_like(quiet))[1].sum() == hole.sum()


@pytest.mark.slow
def test_a_line_is_lifted_in_a_fraction_of_a_second() -> None:
    times = {}
    for name, page in (
        ("flat", flat((250, 250, 245), (440, 160))),
        ("photo", rough(1, (440, 160))),
    ):
        case = put(page, "Meeting on Friday at ten", size=30, colour=(255, 255, 255), at=(20, 90))
        lift(case.picture, case.box)
        started = time.process_time()
        lift(case.picture, case.box)
        times[name] = time.process_time() - started
    assert times["flat"] < 0.2
    assert times["photo"] < 0.6


@pytest.mark.parametrize("wide", [0, 1, 2, 3])
def test_the_rim_that_sharpening_leaves_around_letters_goes_with_them(wide: int) -> None:
    picture = np.random.default_rng(4).normal(120, 3, (90, 160, 3)).clip(0, 255).astype(np.uint8)
    hole = np.zeros((90, 160), np.bool_)
    hole[30:60, 50:58] = hole[30:60, 90:98] = True
    rim = grown(hole, wide) & ~hole
    picture[rim] += 12
    assert glow(picture, hole, np.zeros_like(hole)) == wide


def test_a_picture_with_a_pattern_has_no_rim() -> None:
    picture = np.full((90, 160, 3), 120, np.uint8)
    picture[:, ::6] = picture[:, 1::6] = 180
    hole = np.zeros((90, 160), np.bool_)
    hole[30:60, 50:60] = True
    assert glow(picture, hole, np.zeros_like(hole)) == 0


def test_words_that_another_box_covers_are_lifted_all_the_same() -> None:
    case = put(flat(), "Meeting on Friday")
    left, top, right, bottom = case.box
    lifted = lift(case.picture, case.box, keep=((left - 40, top - 40, right + 40, bottom + 40),))
    assert lifted.cover.max() > 0.9
