"""Fills: outlines, shadows and gradients are recognised, and plain text never taken for them."""

import cv2
import numpy as np
import pytest
from lifted_cases import flat, gradient, jpeg, rough, scanned, styled

from overpaint.document.layers import Gradient, Pixels, Shadow, Stroke, Style
from overpaint.document.render import render
from overpaint.editors.typeset.outlines import outlined
from overpaint.editors.typeset.pressing import cut_out, pressed
from overpaint.editors.typeset.unmix import lift

pytestmark = pytest.mark.slow

RED, BLUE, YELLOW = (220, 40, 40, 255), (40, 60, 200, 255), (250, 220, 40, 255)
INK, WHITE = (20, 30, 40, 255), (255, 255, 255, 255)
PAPERS = (flat(size=(460, 130)), flat((246, 240, 226), (460, 130)), gradient((460, 130)))


def near(one: tuple[int, ...], other: tuple[int, ...], within: int) -> bool:
    return max(abs(a - b) for a, b in zip(one[:3], other[:3], strict=True)) <= within


@pytest.mark.parametrize("wear", ["clean", "jpeg", "scan"])
def test_plain_text_is_plain(wear: str) -> None:
    for number in range(6):
        style = Style(
            family=("PT Serif", "Open Sans")[number % 2], size=(16, 24, 36, 52)[number % 4],
            weight=(400, 700)[number // 3], colour=(INK, RED, BLUE)[number % 3],
        )  # fmt: skip
        picture, box = styled(PAPERS[number % 3], "Grand report", style)
        lifted = lift(_worn(picture, wear, number), box)
        fill = lifted.fill
        assert (fill.stroke, fill.shadow, fill.gradient) == (None, None, None), (number, fill)
        assert fill.colour == lifted.colour


def _worn(picture: Pixels, wear: str, seed: int) -> Pixels:
    if wear == "jpeg":
        return jpeg(picture, (60, 75, 90)[seed % 3])
    return scanned(picture, seed) if wear == "scan" else picture


@pytest.mark.parametrize(("width", "size"), [(2, 36), (3, 52), (4, 52)])
def test_an_outline_is_seen_with_both_colours_and_its_width(width: int, size: int) -> None:
    style = Style(size=size, weight=700, colour=YELLOW, stroke=Stroke(BLUE, width))
    picture, box = styled(PAPERS[1], "SALE now", style)
    lifted = lift(picture, box)
    assert lifted.fill.stroke
    assert near(lifted.fill.colour, YELLOW, 6)
    assert near(lifted.fill.stroke.colour, BLUE, 6)
    assert lifted.fill.stroke.width == pytest.approx(width, abs=0.5)
    assert lifted.colour == lifted.fill.colour
    # The cover is that of the letters themselves, which end in the middle of the outline.
    plain, plain_box = styled(PAPERS[1], "SALE now", Style(size=size, weight=700, colour=INK))
    alone = lift(plain, plain_box).cover.sum()
    assert lifted.cover.sum() == pytest.approx(alone, rel=0.08)


@pytest.mark.parametrize("shadow", [
    Shadow((0, 0, 0, 150), 3, 3, 0), Shadow((0, 0, 0, 150), 4, 2, 3), Shadow(RED, -3, 3, 1),
])  # fmt: skip
def test_a_shadow_is_seen_with_its_place_and_its_colour(shadow: Shadow) -> None:
    style = Style(size=40, weight=700, colour=INK, shadow=shadow)
    picture, box = styled(PAPERS[0], "SALE now", style)
    found = lift(picture, box).fill
    assert found.shadow
    assert near(found.colour, INK, 4)
    assert (found.shadow.across, found.shadow.down) == (shadow.across, shadow.down)
    assert found.shadow.blur == pytest.approx(shadow.blur, abs=1)
    assert near(_shown(found.shadow.colour), _shown(shadow.colour), 40)


def _shown(colour: tuple[int, ...]) -> tuple[int, ...]:
    """The colour on white paper."""
    return tuple(round(255 + (c - 255) * colour[3] / 255) for c in colour[:3])


@pytest.mark.parametrize("angle", [0.0, 90.0, 30.0])
@pytest.mark.parametrize("wear", ["clean", "jpeg"])
def test_a_gradient_is_seen_with_its_ends_and_its_angle(angle: float, wear: str) -> None:
    style = Style(size=44, weight=700, gradient=Gradient(((0.0, RED), (1.0, BLUE)), angle))
    picture, box = styled(PAPERS[1], "SALE now", style)
    found = lift(_worn(picture, wear, 2), box).fill.gradient
    assert found
    assert found.angle == pytest.approx(angle, abs=3)
    assert near(found.stops[0][1], RED, 8 if wear == "clean" else 40)
    assert near(found.stops[-1][1], BLUE, 8 if wear == "clean" else 40)


def test_a_gradient_of_three_colours_bends_where_it_should() -> None:
    stops = ((0.0, RED), (0.5, YELLOW), (1.0, BLUE))
    picture, box = styled(PAPERS[0], "SALE now", Style(size=44, gradient=Gradient(stops)))
    found = lift(picture, box).fill.gradient
    assert found
    middle = [
        np.interp(0.5, [p for p, _ in found.stops], [c[n] for _, c in found.stops])
        for n in range(3)
    ]
    assert near(tuple(round(value) for value in middle), YELLOW, 25)


@pytest.mark.parametrize(("width", "wear"), [(3, "clean"), (4, "jpeg"), (6, "jpeg")])
def test_an_outline_on_a_picture_is_seen_and_goes_with_its_letters(width: int, wear: str) -> None:
    ground = rough(4, (460, 130), fall=2.2)
    # As most programs draw it: all of the outline outside the letters.
    style = Style(size=52, weight=700, colour=WHITE, swell=width / 2 / 52,
                  stroke=Stroke(INK, width))  # fmt: skip
    picture, box = styled(ground, "SALE now", style)
    lifted = lift(_worn(picture, wear, 2), box)
    assert lifted.fill.stroke
    assert lifted.fill.outside
    assert near(lifted.fill.colour, WHITE, 8)
    assert near(lifted.fill.stroke.colour, INK, 16)
    assert lifted.fill.stroke.width == pytest.approx(width, abs=0.6)
    plain, plain_box = styled(ground, "SALE now", Style(size=52, weight=700, colour=WHITE))
    assert lifted.cover.sum() == pytest.approx(lift(plain, plain_box).cover.sum(), rel=0.06)
    bare = pressed(picture, lifted, [])
    assert np.abs(bare.astype(int) - ground).max(axis=2)[_dark(picture)].mean() < 12


@pytest.mark.parametrize("outside", [True, False])
def test_outlined_letters_are_cut_out_with_their_outline(outside: bool) -> None:
    swell = 2 / 52 if outside else 0.0
    style = Style(size=52, weight=700, colour=WHITE, swell=swell, stroke=Stroke(INK, 4))
    ground = rough(4, (460, 130), fall=2.2) if outside else PAPERS[1]
    picture, box = styled(ground, "SALE now", style)
    lifted = lift(picture, box)
    again = render((cut_out(lifted, (0, 460), (0, 0)),), (460, 130), over=(*PAPERS[1][0, 0], 255))
    there = _dark(picture)
    assert np.abs(again[:, :, :3].astype(int) - picture)[there].mean() < 6


def _dark(picture: Pixels) -> np.ndarray:
    return np.asarray((picture.max(axis=2) < 60) | (picture.min(axis=2) > 240))


@pytest.mark.parametrize("wear", ["clean", "jpeg", "scan"])
def test_plain_text_on_a_picture_is_plain(wear: str) -> None:
    for number, colour in enumerate((WHITE, INK, YELLOW)):
        style = Style(size=(24, 40, 52)[number], weight=700, colour=colour)
        picture, box = styled(rough(number, (460, 130)), "Grand report", style)
        lifted = lift(_worn(picture, wear, number), box)
        assert not lifted.fill.stroke
        assert not lifted.rimmed


def test_a_glow_around_letters_on_a_picture_is_noticed() -> None:
    ground = rough(4, (460, 130), fall=2.2)
    style = Style(size=52, weight=700, colour=WHITE, shadow=Shadow((0, 0, 0, 255), 0, 0, 5))
    picture, box = styled(ground, "SALE now", style)
    lifted = lift(picture, box)
    assert lifted.rimmed
    assert not lifted.fill.stroke


@pytest.mark.parametrize(("width", "seen"), [(4, 4.0), (16, 16.0), (17, None), (30, None)])
def test_a_band_that_is_wider_than_any_outline_is_none(width: int, seen: float | None) -> None:
    cover = np.zeros((200, 240), np.float32)
    cover[80:120, 60:180] = 1
    apart = cv2.distanceTransform((cover == 0).astype(np.uint8), cv2.DIST_L2, 5)
    ground = np.full((200, 240, 3), 128, np.uint8)
    window = np.where(apart[..., None] <= width, INK[:3], ground).astype(np.uint8)
    window[cover > 0] = WHITE[:3]
    found = outlined(window, cover, WHITE, ground)
    assert (found.stroke.width if found and found.stroke else None) == seen
