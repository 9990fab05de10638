"""PSD: layers come and go exactly, live text stays live, and other programs see the same."""

import itertools
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from drawn import BLENDS, documents
from hypothesis import given, settings
from numpy.typing import NDArray
from PIL import Image
from psd_maker import Made, Piece, blocks, change, merged, noise, poster, saved, says
from psd_tools import PSDImage
from psd_tools.api.layers import PixelLayer
from psd_tools.constants import Resource, Tag
from psd_tools.psd.image_resources import ImageResource

from overpaint.document import Document, Layer, Picture, files
from overpaint.document.layers import Group, Mask, Run, Style


def over_white(pixels: NDArray[Any]) -> NDArray[Any]:
    share = pixels[:, :, 3:].astype(float) / 255
    return pixels[:, :, :3] * share + 255 * (1 - share)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(documents(exact=True))
def test_what_a_psd_can_hold_is_read_again_exactly(document: Document) -> None:
    """Pictures, groups, blend modes, masks, clips, names; opacity in steps of 1/255, as in it."""
    with TemporaryDirectory() as place:
        path = Path(place) / "a.psd"
        assert files.write(document, path) == ()
        assert files.read(path) == document
        first = path.read_bytes()
        files.write(files.read(path), path)  # changed by nothing, it is the same file
        assert path.read_bytes() == first


@settings(max_examples=25, deadline=None)
@given(documents(exact=True), documents(exact=True))
def test_a_file_can_be_changed_into_any_other(one: Document, other: Document) -> None:
    with TemporaryDirectory() as place:
        path = Path(place) / "a.psd"
        files.write(one, path)
        target = replace(other, origin=path)
        files.write(target, path)
        seen = files.read(path)
        if not any(a.kind != b.kind for a, b in itertools.zip_longest(one, other) if a and b):
            assert seen == target
        assert np.array_equal(seen.rgba, target.rgba)
        assert np.abs(over_white(merged(path)) - over_white(target.rgba)).max() <= 1


def test_opacity_is_rounded_to_the_nearest_of_255_steps(tmp_path: Path) -> None:
    made = Document(made=(Layer(noise(1), "a", "1", opacity=0.3),), canvas=(20, 15))
    files.write(made, tmp_path / "a.psd")
    assert files.read(tmp_path / "a.psd").layers[0].opacity == 76 / 255


# ── references ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("blend", BLENDS)
def test_our_rendering_is_psd_tools_to_one_step(tmp_path: Path, blend: str) -> None:
    """Tolerance 1/255: psd-tools cuts off where we round."""
    made = Document(canvas=(20, 15), made=(
        Layer(noise(1), "ground", "1"),
        Layer(Group((Layer(noise(2), "in", "3", -3.0, 2.0),
                     Layer(noise(3), "mode", "4", 4.0, 1.0, opacity=99 / 255, blend=blend),
                     )), "group", "2", opacity=200 / 255, blend=blend),
        Layer(noise(4, 9, 9), "masked", "5", 6.0, 3.0, blend=blend,
              mask=Mask(noise(5, 7, 7).pixels[:, :, 0].copy(), 5, 5, 255)),
    ))  # fmt: skip
    files.write(made, tmp_path / "a.psd")
    theirs = np.asarray(PSDImage.open(tmp_path / "a.psd").composite(force=True).convert("RGBA"))
    assert np.abs(over_white(theirs) - over_white(made.rgba)).max() <= 1.5


@pytest.mark.parametrize("opacity", [1.0, 0.6])
def test_passing_groups_and_clips_are_psd_tools_to_one_step(tmp_path: Path, opacity: float) -> None:
    """On a base that is there or not: where it is half there, psd-tools lays what is clipped on it
    beside the base, and we on top of it, as Photoshop does (no halo at soft edges)."""
    base = noise(3, 12, 12)
    base.pixels[:, :, 3] = np.where(base.pixels[:, :, 3] > 127, 255, 0)
    made = Document(canvas=(20, 15), made=(
        Layer(noise(1, opaque=True), "ground", "1"),
        Layer(Group((Layer(noise(2), "in", "3", blend="multiply"),)), "through", "2",
              opacity=round(opacity * 255) / 255, blend="pass-through"),
        Layer(base, "base", "4", 3.0, 1.0),
        Layer(noise(4, 12, 12), "clipped", "5", 6.0, 4.0, clip=True),
        Layer(noise(5, 12, 12), "clipped too", "6", 0.0, 4.0, opacity=0.2, clip=True),
    ))  # fmt: skip
    files.write(made, tmp_path / "a.psd")
    theirs = np.asarray(PSDImage.open(tmp_path / "a.psd").composite(force=True).convert("RGBA"))
    assert np.abs(over_white(theirs) - over_white(files.read(tmp_path / "a.psd").rgba)).max() <= 1.5


def test_the_merged_picture_and_the_thumbnail_are_what_the_layers_show(tmp_path: Path) -> None:
    made = Document(canvas=(20, 15), made=(Layer(noise(1), "a", "1", 3.0, 2.0),))
    files.write(made, tmp_path / "a.psd")
    assert np.abs(over_white(merged(tmp_path / "a.psd")) - over_white(made.rgba)).max() <= 1
    thumbnail = PSDImage.open(tmp_path / "a.psd").thumbnail()
    assert thumbnail.size == (20, 15)
    solid = made.having(Layer(Picture(np.full((15, 20, 4), (0, 0, 255, 255), np.uint8)), "a", "1"))
    files.write(replace(solid, origin=tmp_path / "a.psd"), tmp_path / "a.psd")
    blue = np.asarray(PSDImage.open(tmp_path / "a.psd").thumbnail()).reshape(-1, 3).mean(axis=0)
    assert np.abs(blue - (0, 0, 255)).max() < 4


# ── live text ───────────────────────────────────────────────────────────────────────────


def test_live_text_is_read_with_its_fonts_sizes_colours_and_place(tmp_path: Path) -> None:
    made = Made(
        (Piece("Frid(ay) ", colour=(1.0, 0.0, 0.5)),
         Piece("淘\r宝🎉", 1, 30.0, more="/Tracking 100 /AutoLeading false /Leading 45.0 "
               "/Underline true /FauxItalic true /HorizontalScale 1.5")),
        transform=(2.0, 0.0, 0.0, 2.0, 30.0, 40.0), justification=2,
    )  # fmt: skip
    layer = files.read(poster(tmp_path / "a.psd", made)).layers[1]
    first = Style("Open Sans", 40.0, 700, colour=(255, 0, 128, 255), align="centre", leading=1.5)
    second = Style(
        "Source Han Sans CN", 60.0, 300, True, align="centre", spacing=6.0, leading=1.5,
        stretch=1.5, underline=True,
    )  # fmt: skip
    assert layer.content.runs == (Run("Frid(ay) ", first), Run("淘\n宝🎉", second))
    assert (layer.left, layer.top, layer.angle, layer.content.width) == (30.0, 40.0, 0.0, None)
    assert layer.content.drawn.shape == (14, 50, 4)
    assert (layer.content.drawn_at, layer.id, layer.name) == ((0.0, -12.0), "12", "Title")


def test_text_in_a_box_has_its_width_and_its_first_baseline(tmp_path: Path) -> None:
    made = Made(box=(0, 0, 80, 50), transform=(1.0, 0, 0, 1.0, 10.0, 20.0), justification=1)
    layer = files.read(poster(tmp_path / "a.psd", made)).layers[1]
    assert (layer.content.width, layer.content.style.align) == (80.0, "right")
    assert layer.left == 10.0
    assert layer.top == pytest.approx(20 + 0.74 * 20)


def test_turned_text_is_shown_as_drawn_and_would_be_set_turned(tmp_path: Path) -> None:
    made = Made(transform=(0.0, 1.0, -1.0, 0.0, 50.0, 35.0))
    path = poster(tmp_path / "a.psd", made)
    seen = files.read(path)
    layer = seen.layers[1]
    assert layer.angle == layer.content.turned == pytest.approx(90.0)
    assert np.array_equal(seen.rgba, files.read(poster(tmp_path / "b.psd", Made())).rgba)
    middle = (30 + 25, 28 + 7)  # of what is drawn
    across, down = layer.left - middle[0], layer.top - middle[1]
    assert (middle[0] - down, middle[1] + across) == pytest.approx((50.0, 35.0))


@pytest.mark.parametrize(("name", "family", "weight", "italic"), [
    ("ArialMT", "Arial", 400, False),
    ("TimesNewRomanPS-BoldItalicMT", "Times New Roman", 700, True),
    ("PTSans-Caption", "PT Sans", 400, False), ("Lato-Black", "Lato", 900, False),
    ("Inter-SemiBold", "Inter", 600, False), ("Roboto-LightOblique", "Roboto", 300, True),
])  # fmt: skip
def test_a_postscript_name_tells_family_weight_and_slant(
    tmp_path: Path, name: str, family: str, weight: int, italic: bool
) -> None:
    layer = files.read(poster(tmp_path / "a.psd", Made(fonts=(name,)))).layers[1]
    style = layer.content.style
    assert (style.family, style.weight, style.italic) == (family, weight, italic)


def test_text_that_nobody_touched_stays_live_to_the_last_byte(tmp_path: Path) -> None:
    path = poster(tmp_path / "a.psd", Made(name="one"), Made((Piece("Sale"),), name="two"))
    before = blocks(path, "two")
    seen = files.read(path)
    notes = files.write(change(seen, "one", says("Monday")), tmp_path / "b.psd")
    assert notes == ("the text 'Monday' is now pixels; its live layer is kept, hidden, below",)
    assert blocks(tmp_path / "b.psd", "two") == before
    again = files.read(tmp_path / "b.psd")
    assert [(one.name, one.kind, one.visible) for one in again] == [
        ("ground", "picture", True), ("one", "text", False), ("one", "picture", True),
        ("two", "text", True),
    ]  # fmt: skip
    assert again.layers[1].content.words == "Friday"


def test_text_that_is_moved_stays_live(tmp_path: Path) -> None:
    path = poster(tmp_path / "a.psd", Made())
    moved = change(files.read(path), "Title", lambda one: replace(one, left=one.left + 7.5))
    assert files.write(moved, tmp_path / "b.psd") == ()
    again = files.read(tmp_path / "b.psd")
    assert np.array_equal(again.rgba, moved.rgba)
    assert again.layers[1].content.words == "Friday"
    assert again.layers[1].left == 37.5
    assert PSDImage.open(tmp_path / "b.psd")[1].transform[4:] == (37.5, 40.0)


def test_hidden_renamed_faded_reordered_and_deleted_layers_are_so_in_the_file(
    tmp_path: Path,
) -> None:
    path = poster(tmp_path / "a.psd", Made(name="one"), Made(name="two"), Made(name="three"))
    ground, one, two, _ = files.read(path).layers
    grey = Mask(noise(1).pixels[:, :, 0].copy())
    made = files.read(path).having(
        replace(two, visible=False, name="第二"), ground,
        replace(one, opacity=51 / 255, blend="multiply", mask=grey),
        Layer(noise(8), "new", "77", 4.0, 4.0),
    )  # fmt: skip
    assert files.write(made, path) == ()
    assert files.read(path) == made
    assert np.abs(over_white(merged(path)) - over_white(made.rgba)).max() <= 1


# ── what is not understood is kept ──────────────────────────────────────────────────────


def with_extras(path: Path) -> Path:
    """A file with an adjustment layer, effects, an odd blend mode, fill opacity and a resource."""
    psd = PSDImage.open(poster(path, Made()))
    PixelLayer.frompil(Image.new("RGBA", (9, 9), "red"), psd, "glow")
    PixelLayer.frompil(Image.new("RGBA", (1, 1)), psd, "invert")
    glow, invert = psd[2], psd[3]
    glow.blend_mode = "lLit"
    glow.tagged_blocks.set_data(Tag.BLEND_FILL_OPACITY, 128)
    invert.tagged_blocks.set_data(Tag.INVERT)
    for layer, number in ((glow, 40), (invert, 41)):
        layer.tagged_blocks.set_data(Tag.LAYER_ID, number)
    return saved(psd, path)


def test_what_is_not_drawn_here_is_said_and_kept(tmp_path: Path) -> None:
    path = with_extras(tmp_path / "a.psd")
    seen = files.read(path)
    assert seen.notes == (
        "'glow' blends by linear light, which is kept, but drawn as normal",
        "the adjustment layer 'invert' is kept, but not drawn here",
    )
    assert seen.layer("40").opacity == 128 / 255
    kept = blocks(path, "invert")
    faded = change(seen, "glow", lambda one: replace(one, opacity=64 / 255))
    assert files.write(faded, path) == ()
    again = PSDImage.open(path)
    assert blocks(path, "invert") == kept
    assert (again[2].blend_mode.name, again[2].fill_opacity) == ("LINEAR_LIGHT", 128)
    assert files.read(path).layer("40").opacity == pytest.approx(64 / 255, abs=1 / 255)
    brighter = change(files.read(path), "glow", lambda one: replace(one, opacity=1.0))
    files.write(brighter, path)
    assert files.read(path).layer("40").opacity == 1.0


def test_the_merged_picture_stays_where_the_rendering_did_not_change(tmp_path: Path) -> None:
    path = poster(tmp_path / "a.psd", Made())
    psd = PSDImage.open(path)
    marked = Image.new("RGBA", (120, 90), (7, 77, 7, 255))  # as effects that we cannot draw
    psd._record.image_data.set_data([band.tobytes() for band in marked.split()], psd._record.header)
    saved(psd, path)
    hidden = change(files.read(path), "Title", lambda one: replace(one, visible=False))
    files.write(hidden, path)
    seen = merged(path)
    assert (seen[30:40, 33:77] == (250, 240, 230, 255)).all()
    seen[30:40, 33:77] = (7, 77, 7, 255)
    assert (seen == (7, 77, 7, 255)).all()


def test_lists_with_an_entry_for_each_layer_go_when_layers_do(tmp_path: Path) -> None:
    path = poster(tmp_path / "a.psd", Made())
    psd = PSDImage.open(path)
    key = Resource.LAYER_GROUP_INFO
    psd.image_resources[key] = ImageResource(key=key, data=b"\0\0\0\0")
    seen = files.read(saved(psd, path))
    files.write(seen, tmp_path / "same.psd")
    assert key in PSDImage.open(tmp_path / "same.psd").image_resources
    files.write(seen.having(seen.layers[0]), tmp_path / "less.psd")
    assert key not in PSDImage.open(tmp_path / "less.psd").image_resources
