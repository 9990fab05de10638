"""Rendering: equal to Pillow where Pillow can, to the formulas where it cannot, and lawful."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from made_layers import SIZE, documents, pictures
from PIL import Image

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import BLENDS, Blend, Gradient, Group, Mask, Shape, Stroke
from overpaint.document.render import bounds, render
from overpaint.document.shapes import draw_shape
from overpaint.errors import Refused

WHITE = (255, 255, 255, 255)


def noise(seed: int, high: int = 20, wide: int = 30) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (high, wide, 4), dtype=np.uint8)


def test_source_over_equals_pillows_alpha_composite_to_one_level() -> None:
    below, above = noise(1), noise(2)
    ours = render((Layer(Picture(below)), Layer(Picture(above))), (30, 20))
    theirs = np.asarray(Image.alpha_composite(Image.fromarray(below), Image.fromarray(above)))
    assert np.abs(ours.astype(int) - theirs)[theirs[:, :, 3] > 0].max() <= 1


def written_out(mode: str, b: float, s: float) -> float:
    """Separable blend modes as W3C Compositing and Blending Level 1 writes them, for one value."""
    if mode == "multiply":
        return b * s
    if mode == "screen":
        return 1 - (1 - b) * (1 - s)
    if mode in ("overlay", "hard-light"):
        b, s = (s, b) if mode == "overlay" else (b, s)
        return 2 * b * s if s <= 0.5 else 1 - 2 * (1 - b) * (1 - s)
    if mode == "soft-light":
        d = ((16 * b - 12) * b + 4) * b if b <= 0.25 else b**0.5
        return b - (1 - 2 * s) * b * (1 - b) if s <= 0.5 else b + (2 * s - 1) * (d - b)
    if mode == "colour-dodge":
        return 0 if b == 0 else 1 if s == 1 else min(1, b / (1 - s))
    if mode == "colour-burn":
        return 1 if b == 1 else 0 if s == 0 else 1 - min(1, (1 - b) / s)
    return {
        "darken": min(b, s), "lighten": max(b, s), "difference": abs(b - s),
        "exclusion": b + s - 2 * b * s, "linear-dodge": min(1, b + s),
        "linear-burn": max(0, b + s - 1),
    }[mode]  # fmt: skip


SEPARABLE = [
    mode
    for mode in BLENDS
    if mode not in ("normal", "pass-through", "hue", "saturation", "colour", "luminosity")
]


@pytest.mark.parametrize("mode", SEPARABLE)
def test_a_blend_mode_is_as_the_standard_writes_it(mode: Blend) -> None:
    below, above = noise(3), noise(4)
    below[0, 0], above[0, :2] = (0, 0, 0, 255), (255, 255, 255, 255)
    ours = render((Layer(Picture(below)), Layer(Picture(above), blend=mode)), (30, 20))
    for y, x in [(0, 0), (0, 1), (5, 7), (19, 29), (11, 3)]:
        ab, as_ = below[y, x, 3] / 255, above[y, x, 3] / 255
        whole = as_ + ab * (1 - as_)
        for c in range(3):
            cb, cs = below[y, x, c] / 255, above[y, x, c] / 255
            mixed = (1 - ab) * cs + ab * written_out(mode, cb, cs)
            right = (as_ * mixed + ab * cb * (1 - as_)) / whole * 255
            assert abs(ours[y, x, c] - right) <= 0.51


@pytest.mark.parametrize(
    ("mode", "keeps_light_of"),
    [("hue", "below"), ("saturation", "below"), ("colour", "below"), ("luminosity", "above")],
)
def test_a_mode_that_takes_colours_apart_keeps_the_light_of_one(
    mode: Blend, keeps_light_of: str
) -> None:
    below, above = noise(5), noise(6)
    below[:, :, 3] = above[:, :, 3] = 255
    out = render((Layer(Picture(below)), Layer(Picture(above), blend=mode)), (30, 20))
    light = (out[:, :, :3] @ np.array([0.3, 0.59, 0.11])).astype(float)
    kept = {"below": below, "above": above}[keeps_light_of][:, :, :3] @ np.array([0.3, 0.59, 0.11])
    assert np.abs(light - kept).max() <= 1.0


def test_a_pass_through_group_is_as_if_it_were_not_there_and_an_isolated_one_is_not() -> None:
    ground, above = Layer(Picture(noise(7))), Layer(Picture(noise(8)), blend="multiply")
    bare = render((ground, above), (30, 20))
    through = Layer(Group((above,)), blend="pass-through")
    assert np.array_equal(render((ground, through), (30, 20)), bare)
    alone = Layer(Group((replace(above, blend="multiply"),)))
    assert not np.array_equal(render((ground, alone), (30, 20)), bare)


def test_half_a_pass_through_group_is_half_way_between_with_and_without() -> None:
    below, above = noise(9), noise(10)
    below[:, :, 3] = 255
    ground, over = Layer(Picture(below)), Layer(Picture(above), blend="screen")
    full = render((ground, over), (30, 20)).astype(float)
    half = render((ground, Layer(Group((over,)), blend="pass-through", opacity=0.5)), (30, 20))
    assert np.abs(half - (full + below) / 2).max() <= 1


def test_what_is_clipped_shows_only_where_its_base_does() -> None:
    base, over = np.zeros((20, 30, 4), np.uint8), noise(11)
    base[5:10, 5:10] = (10, 20, 30, 255)
    over[:, :, 3] = 255
    out = render((Layer(Picture(base)), Layer(Picture(over), clip=True)), (30, 20))
    assert np.array_equal(out[5:10, 5:10], over[5:10, 5:10])
    assert not np.delete(out[:, :, 3], np.s_[5:10], axis=0).any()


def test_a_mask_scales_alpha_and_counts_as_its_outside_beyond_it() -> None:
    picture = noise(12)
    picture[:, :, 3] = 255
    mask = Mask(np.full((4, 4), 128, np.uint8), 2, 3, outside=0)
    out = render((Layer(Picture(picture), mask=mask),), (30, 20))
    assert (out[3:7, 2:6, 3] == 128).all()
    assert out[:, :, 3].sum() == 16 * 128
    assert (
        render((Layer(Picture(picture), mask=replace(mask, outside=255)),), (30, 20))[0]
        == picture[0]
    ).all()


def test_a_quarter_turn_is_exact() -> None:
    picture = noise(13, 20, 20)
    picture[:, :, 3] = 255
    out = render((Layer(Picture(picture), angle=90),), (20, 20))
    assert np.array_equal(out, np.rot90(picture, -1))


@settings(max_examples=60, deadline=None)
@given(documents())
def test_any_document_renders_and_white_shows_through(document: Document) -> None:
    assert document.rgba.shape == (SIZE[1], SIZE[0], 4)
    clear = document.rgba[:, :, 3] == 0  # less than half a level of cover: at most one level seen
    assert (document.rgb[clear] >= 254).all()


@settings(max_examples=40, deadline=None)
@given(documents())
def test_a_layer_that_is_hidden_clear_or_elsewhere_changes_nothing(document: Document) -> None:
    extra = noise(14)
    for layer in (
        Layer(Picture(extra), visible=False),
        Layer(Picture(extra), opacity=0.0),
        Layer(Picture(extra), left=500),
        Layer(Picture(np.zeros_like(extra))),
    ):
        more = document.having(*document.layers, layer)
        assert np.array_equal(more.rgb, document.rgb)


@settings(max_examples=30, deadline=None)
@given(documents())
def test_it_does_not_matter_how_many_rows_are_rendered_at_once(document: Document) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("overpaint.document.render._STRIP", 7 * SIZE[0])
        patched.setattr("overpaint.document.render._BAND", 2 * SIZE[0])
        rows = render(document.layers, SIZE)
    assert np.abs(rows.astype(int) - document.rgba).max() <= 1


@settings(max_examples=40, deadline=None)
@given(pictures())
def test_a_flat_picture_is_its_own_rendering(picture: Picture) -> None:
    document = Document.of(picture.pixels)
    assert document.flat
    assert document.rgba is document.layers[0].pixels
    drawn = render(document.layers, document.size, over=WHITE)[:, :, :3]
    assert np.array_equal(document.rgb, drawn)


@pytest.mark.parametrize(
    ("shape", "area"),
    [
        (Shape("rectangle", 20, 10), 200.0),
        (Shape("ellipse", 20, 10), np.pi * 50),
        (Shape("rectangle", 20, 10, radius=4), 200 - (4 - np.pi) * 16),
        (Shape("path", 20, 10, outlines=(((0, 0), (20, 0), (0, 10)),)), 100.0),
        (Shape("path", 20, 10, outlines=(((0, 0), (20, 0), (20, 10), (0, 10)),
                                         ((5, 2), (15, 2), (15, 8), (5, 8)))), 140.0),
    ],
)  # fmt: skip
@pytest.mark.parametrize("at", [(0.0, 0.0), (0.5, 0.25)])
def test_a_shape_covers_its_area(shape: Shape, area: float, at: tuple[float, float]) -> None:
    assert draw_shape(shape, at)[0][:, :, 3].sum() / 255 == pytest.approx(area, rel=0.01)


def test_a_rectangle_on_whole_pixels_has_hard_edges_and_its_outline_straddles_them() -> None:
    box = Layer(Shape("rectangle", 20, 10, (9, 8, 7, 255)), left=3, top=4)
    assert bounds(box) == (3, 4, 23, 14)
    outlined = replace(box, content=replace(box.content, stroke=Stroke((255, 0, 0, 255), 2)))
    assert bounds(outlined) == (2, 3, 24, 15)


def test_a_gradient_runs_from_its_first_colour_to_its_last() -> None:
    fill = Gradient(((0.0, (0, 0, 0, 255)), (1.0, (200, 100, 50, 255))), angle=0)
    pixels, left, top = draw_shape(Shape("rectangle", 100, 10, fill))
    row = pixels[-top, -left : 100 - left, :3].astype(int)
    assert row[0].tolist() == [1, 0, 0]
    assert row[-1].tolist() == [199, 100, 50]
    assert (np.diff(row[:, 0]) >= 0).all()


@pytest.mark.parametrize("shape", [
    Shape("rectangle", 12.25, 9.5, (10, 20, 30, 200), Stroke((1, 2, 3, 255), 1.5)),
    Shape("rectangle", 12.25, 9.5, Gradient(((0.0, (0, 0, 0, 255)), (1.0, WHITE))), radius=3),
    Shape("ellipse", 14, 11.5, (10, 20, 30, 255), Stroke((1, 2, 3, 99), 2)),
])  # fmt: skip
def test_a_shape_is_the_same_however_many_rows_are_drawn_at_once(shape: Shape) -> None:
    at = (0.3, 0.6)
    whole = draw_shape(shape, at)[0]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("overpaint.document.shapes._strips.__defaults__", (40,))
        assert np.array_equal(draw_shape(shape, at)[0], whole)


def test_a_rectangle_is_covered_as_the_polygon_of_its_corners_is() -> None:
    corners = ((0.0, 0.0), (12.25, 0.0), (12.25, 9.5), (0.0, 9.5))
    path = Shape("path", 12.25, 9.5, (9, 9, 9, 255), outlines=(corners,))
    box = Shape("rectangle", 12.25, 9.5, (9, 9, 9, 255))
    for at in ((0.0, 0.0), (0.3, 0.6), (0.75, 0.125)):
        assert np.array_equal(draw_shape(path, at)[0], draw_shape(box, at)[0])


def test_what_is_too_large_to_draw_is_refused_and_not_tried() -> None:
    wide = Shape("rectangle", 100_000, 100, WHITE)
    with pytest.raises(Refused, match="What is turned would be 70786×70786 pixels large"):
        render((Layer(wide, angle=45),), (9, 9))
    with pytest.raises(Refused, match="A shape of 20002×20002 pixels is too large to draw"):
        draw_shape(Shape("ellipse", 20_000, 20_000, WHITE))
