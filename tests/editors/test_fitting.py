"""Fitting: pictures go to an editor's grid or size and come back; masks hold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.core import Request
from overpaint.document import Document
from overpaint.document.matte import matted, unmatted
from overpaint.editors.fitting import fit, fitted, mask_picture
from overpaint.editors.options import given as parts
from overpaint.editors.options import number, one_of, sizes, whole
from overpaint.errors import Refused, UserMistake

SIDES = st.integers(1, 70)


def noise(width: int, height: int, channels: int = 3, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 256, (height, width, channels), dtype=np.uint8)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@given(SIDES, SIDES, st.sampled_from([1, 8, 16, 64]))
@settings(max_examples=60, deadline=None)
def test_a_picture_padded_to_a_grid_comes_back_byte_for_byte(w: int, h: int, grid: int) -> None:
    pixels, placed = noise(w, h), fit((w, h), grid=grid)
    put = placed.put(pixels)
    assert put.shape[0] % grid == put.shape[1] % grid == 0
    assert put.shape[:2] == placed.canvas[::-1]
    back, notes = placed.back(put)
    assert np.array_equal(back, pixels)
    assert notes == ()


@given(SIDES, SIDES, st.sampled_from(["64", "64x96", "48x96/96x48/64x64"]))
@settings(max_examples=60, deadline=None)
def test_a_picture_scaled_to_a_size_comes_back_in_its_own(w: int, h: int, told: str) -> None:
    placed = fit((w, h), sizes=sizes(told))
    put = placed.put(noise(w, h))
    assert placed.canvas in sizes(told)
    assert put.shape == (*placed.canvas[::-1], 3)
    assert placed.back(put)[0].shape == (h, w, 3)


@given(SIDES, SIDES, st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_bytes_outside_a_mask_are_the_sources_whatever_the_editor_did(
    w: int, h: int, seed: int
) -> None:
    source = noise(w, h, 4, seed)
    mask = noise(w, h, 1, seed + 1)[:, :, 0] > 128
    mask[0, 0] = True
    drawn = Document.of(np.repeat(np.where(mask, 255, 0).astype(np.uint8)[:, :, None], 3, 2))
    sent = fitted(Request(Document.of(source), "x", mask=drawn), grid=16)
    made = sent.answered(noise(*sent.fit.canvas, 3, seed + 2))
    assert np.array_equal(made.rgba[~mask], source[~mask])


@given(st.integers(0, 99), st.tuples(*[st.integers(0, 255)] * 3))
@settings(max_examples=60, deadline=None)
def test_colours_taken_off_a_matte_look_the_same_on_it(seed: int, matte) -> None:  # type: ignore[no-untyped-def]
    pixels = noise(9, 7, 4, seed)
    shown = matted(pixels, matte)
    off = unmatted(shown, pixels[:, :, 3], matte)
    again = matted(np.dstack([off, pixels[:, :, 3]]), matte)
    assert np.abs(again.astype(int) - shown).max() <= 1


# ── cases ───────────────────────────────────────────────────────────────────────────────


def test_of_several_sizes_the_one_nearest_in_form_is_taken() -> None:
    offered = sizes("1024x1024/1536x1024/1024x1536")
    assert fit((300, 200), sizes=offered).canvas == (1536, 1024)
    assert fit((210, 297), sizes=offered).canvas == (1024, 1536)
    assert fit((50, 51), sizes=offered).canvas == (1024, 1024)


def test_another_size_than_was_sent_is_scaled_back_and_noted() -> None:
    placed = fit((40, 30))
    back, notes = placed.back(noise(20, 15))
    assert back.shape == (30, 40, 3)
    assert notes == ("the editor returned 20×15 for 40×30; scaled back",)
    _, notes = placed.back(noise(64, 64))
    assert notes == ("the editor returned 64×64 for 40×30; scaled back, which stretches it",)


def test_a_mask_of_another_size_is_scaled_and_noted() -> None:
    small = Document.of(np.full((2, 2, 3), 255, np.uint8))
    sent = fitted(Request(Document.of(noise(8, 8)), "x", mask=small))
    assert sent.mask is not None
    assert sent.mask.all()
    assert sent.notes == ("the mask of 2×2 was scaled to 8×8",)


def test_a_mask_that_lets_nothing_change_is_refused() -> None:
    black = Document.of(np.zeros((8, 8, 3), np.uint8))
    with pytest.raises(Refused, match="lets nothing change"):
        fitted(Request(Document.of(noise(8, 8)), "x", mask=black))


def test_padding_may_never_change() -> None:
    white = Document.of(np.full((9, 9, 3), 255, np.uint8))
    sent = fitted(Request(Document.of(noise(9, 9)), "x", mask=white), grid=16)
    assert sent.mask is not None
    assert sent.mask.sum() == 81


def test_a_mask_means_the_same_by_its_alpha_and_by_its_colour() -> None:
    mask = np.array([[True, False]])
    assert mask_picture(mask).tolist() == [[[255, 255, 255, 0], [0, 0, 0, 255]]]


def test_an_editor_without_alpha_gets_the_sources_back_and_a_note() -> None:
    source = noise(6, 6, 4)
    made = fitted(Request(Document.of(source), "x")).answered(noise(6, 6))
    assert np.array_equal(made.rgba[:, :, 3], source[:, :, 3])
    assert "no alpha" in made.notes[0]


# ── specs ───────────────────────────────────────────────────────────────────────────────

KNOWN = {"grid": whole(1, 64), "deadline": number(0.1, 60), "size": sizes,
         "mask": one_of("mask", "none")}  # fmt: skip


def test_a_spec_is_a_head_and_options() -> None:
    found = parts(
        "a/b;grid=8;deadline=2.5;size=64x32;form.quality=high", "x", KNOWN, passing="form"
    )
    assert found.head == "a/b"
    assert found.options == {"grid": 8, "deadline": 2.5, "size": ((64, 32),)}
    assert found.passed == {"quality": "high"}


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("a;grid=0", "x has grid=0. Expected was a whole number from 1 to 64."),
        ("a;grid=²", "x has grid=². Expected was a whole number from 1 to 64."),
        ("a;deadline=nan", "x has deadline=nan. Expected was a number from 0.1 to 60."),
        ("a;mask=maybe", "x has mask=maybe. Expected was one of mask, none."),
        ("a;size=0x5", "x has size=0x5. Expected was WIDTHxHEIGHT, at most 16384 a side"),
        ("a;speed=9", "x has no option 'speed'. After x:… may come ;grid=…, ;deadline=…"),
        ("a;grid=2;grid=2", "x is given grid twice. Once was expected."),
        ("a;grid", "x cannot read 'grid'. After x:… may come"),
    ],
)
def test_an_option_that_cannot_be_is_said(spec: str, said: str) -> None:
    with pytest.raises(UserMistake) as caught:
        parts(spec, "x", KNOWN)
    assert str(caught.value).startswith(said)
