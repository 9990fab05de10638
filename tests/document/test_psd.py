"""PSD: layers come and go exactly, live text stays live, and other programs see the same."""

import io
import itertools
from collections.abc import Callable
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
from psd_maker import Made, Piece, poster
from psd_tools import PSDImage
from psd_tools.api.layers import PixelLayer
from psd_tools.constants import Resource, Tag
from psd_tools.psd.descriptor import Bool, Descriptor, Double
from psd_tools.psd.image_resources import ImageResource
from psd_tools.psd.vector import ClosedKnotLinked, ClosedPath, InitialFillRule, PathFillRule
from psd_tools.psd.vector import Path as VectorPath

from overpaint.document import Document, Layer, Picture, files
from overpaint.document.layers import Group, Mask, Run, Shape, Style, Text
from overpaint.errors import PictureError


def noise(seed: int, wide: int = 20, high: int = 15, *, opaque: bool = False) -> Picture:
    pixels = np.random.default_rng(seed).integers(0, 256, (high, wide, 4), dtype=np.uint8)
    if opaque:
        pixels[:, :, 3] = 255
    return Picture(pixels)


def over_white(pixels: NDArray[Any]) -> NDArray[Any]:
    share = pixels[:, :, 3:].astype(float) / 255
    return pixels[:, :, :3] * share + 255 * (1 - share)


def merged(path: Path) -> NDArray[Any]:
    """The picture that a program which knows no layers shows."""
    return np.array(PSDImage.open(path).topil(apply_icc=False).convert("RGBA"))


def change(document: Document, name: str, do: Callable[[Layer], Layer]) -> Document:
    return document.having(*(do(one) if one.name == name else one for one in document.layers))


def says(words: str) -> Callable[[Layer], Layer]:
    """An edit of a text, as an op does it, drawn here as a block."""

    def do(layer: Layer) -> Layer:
        assert isinstance(layer.content, Text)
        run = Run(words, layer.content.style)
        return replace(layer, content=replace(layer.content, runs=(run,), drawn=None))

    return do


# ── laws ────────────────────────────────────────────────────────────────────────────────


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


def blocks(path: Path, name: str) -> tuple[bytes, ...]:
    """The record of a layer and its channels, as bytes."""
    layer = next(one for one in PSDImage.open(path).descendants() if one.name == name)
    out = io.BytesIO()
    layer._record.write(out)
    return (out.getvalue(), *(channel.data for channel in layer._channels))


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


# ── colours, depths, fills ──────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("mode", "depth", "notes"), [
    ("RGBA", 16, ("16 bits reduced to 8 bits",)), ("RGBA", 32, ("32 bits reduced to 8 bits",)),
    ("L", 8, ("converted from grayscale",)), ("CMYK", 8, ("converted from cmyk",)),
])  # fmt: skip
def test_other_colours_and_depths_are_converted_and_changed_in_place(
    tmp_path: Path, mode: str, depth: int, notes: tuple[str, ...]
) -> None:
    path = poster(tmp_path / "a.psd", mode=mode, depth=depth)
    seen = files.read(path)
    assert seen.notes == notes
    near = 2 if mode == "CMYK" else 0
    wanted = (242, 242, 242) if mode == "L" else (250, 240, 230)
    assert np.abs(seen.rgb.astype(int) - wanted).max() <= near
    made = seen.having(*seen.layers, Layer(noise(3, opaque=True), "new", "9", 5.0, 5.0))
    files.write(made, path)
    again = files.read(path)
    assert PSDImage.open(path).depth == depth
    if mode == "RGBA":
        assert np.array_equal(again.rgba, made.rgba)
    assert again.layers[0] == seen.layers[0]
    assert again.layers[1].pixels.shape == (15, 20, 4)
    shown = merged(path)
    assert np.abs(shown.astype(int) - again.rgba).max() <= (3 if mode == "CMYK" else 1)


def test_a_flat_psd_is_one_picture_and_stays_flat(tmp_path: Path) -> None:
    pixels = noise(1, opaque=True).pixels
    PSDImage.frompil(Image.fromarray(pixels[:, :, :3])).save(tmp_path / "a.psd")
    seen = files.read(tmp_path / "a.psd")
    assert seen.flat
    assert np.array_equal(seen.rgba, pixels)
    dark = seen.having(replace(seen.layers[0], content=Picture(pixels // 2 | (0, 0, 0, 128))))
    files.write(dark, tmp_path / "a.psd")
    assert len(PSDImage.open(tmp_path / "a.psd")) == 0
    assert np.array_equal(files.read(tmp_path / "a.psd").rgb, dark.rgb)


def test_colours_that_cannot_be_written_are_written_anew(tmp_path: Path) -> None:
    Image.new("P", (9, 9)).save(tmp_path / "p.png")
    psd = PSDImage.new("LAB", (9, 9))
    psd.save(tmp_path / "a.psd")
    seen = files.read(tmp_path / "a.psd")
    assert seen.notes == ("converted from lab",)
    assert files.write(seen, tmp_path / "b.psd") == (
        "a.psd cannot be changed in place: the file is written anew",
    )
    assert files.read(tmp_path / "b.psd") == seen


def with_fill(path: Path, box: tuple[float, float, float, float] | None = None) -> Path:
    """A file with a solid fill on top, within a box of a vector mask: right, down as fractions."""
    psd = PSDImage.open(poster(path))
    PixelLayer.frompil(Image.new("RGBA", (1, 1)), psd, "fill")
    record = psd[1]._record
    record.right = record.bottom = 0
    for channel in psd[1]._channels:
        channel.data = b""
    colour = Descriptor(classID=b"RGBC")
    for key, value in ((b"Rd  ", 10.0), (b"Grn ", 20.0), (b"Bl  ", 30.0)):
        colour[key] = Double(value)
    record.tagged_blocks.set_data(Tag.SOLID_COLOR_SHEET_SETTING, classID=b"null")
    record.tagged_blocks.get_data(Tag.SOLID_COLOR_SHEET_SETTING)[b"Clr "] = colour
    record.tagged_blocks.set_data(Tag.LAYER_ID, 50)
    if box:
        corners = [(box[1], box[0]), (box[1], box[2]), (box[3], box[2]), (box[3], box[0])]
        knots = [ClosedKnotLinked(corner, corner, corner) for corner in corners]
        path_of = VectorPath([PathFillRule(), InitialFillRule(0), ClosedPath(knots)])
        record.tagged_blocks.set_data(Tag.VECTOR_MASK_SETTING1, path=path_of)
        record.flags.pixel_data_irrelevant = True
    return saved(psd, path)


def saved(psd: PSDImage, path: Path) -> Path:
    """The file as it is, its merged picture not drawn anew."""
    out = io.BytesIO()
    psd._record.write(out)
    path.write_bytes(out.getvalue())
    return path


def test_a_shape_is_pixels_that_psd_tools_drew_and_stays_a_shape(tmp_path: Path) -> None:
    path = with_fill(tmp_path / "a.psd", (0.25, 0.1, 0.5, 0.3))
    seen = files.read(path)
    assert seen.notes == ("'fill' (shape) is read as pixels that psd-tools drew",)
    shape = seen.layer("50")
    assert (shape.left, shape.top, shape.pixels.shape) == (30.0, 9.0, (18, 30, 4))
    assert np.abs(shape.pixels.astype(int) - (10, 20, 30, 255)).max() <= 1
    kept = blocks(path, "fill")
    files.write(change(seen, "ground", lambda one: replace(one, left=1.0)), path)
    assert blocks(path, "fill") == kept
    moved = change(seen, "fill", lambda one: replace(one, left=one.left + 9))
    assert files.write(moved, path) == (
        "'fill' (shape) is now pixels; its live layer is kept, hidden, below",
    )
    assert np.array_equal(files.read(path).rgba, moved.rgba)


def test_effects_are_said_kept_and_go_on_to_the_pixels_of_edited_text(tmp_path: Path) -> None:
    psd = PSDImage.open(poster(tmp_path / "a.psd", Made()))
    shadow = Descriptor(classID=b"DrSh")
    shadow[b"enab"] = shadow[b"present"] = Bool(True)
    psd[1].tagged_blocks.set_data(Tag.OBJECT_BASED_EFFECTS_LAYER_INFO, classID=b"null")
    effects = psd[1].tagged_blocks.get_data(Tag.OBJECT_BASED_EFFECTS_LAYER_INFO)
    effects[b"masterFXSwitch"], effects[b"DrSh"] = Bool(True), shadow
    seen = files.read(saved(psd, tmp_path / "a.psd"))
    assert seen.notes == ("the effects of 'Title' are kept, but not drawn here",)
    files.write(change(seen, "Title", says("Monday")), tmp_path / "b.psd")
    assert [one.has_effects() for one in PSDImage.open(tmp_path / "b.psd")] == [False, True, True]


def test_layers_without_ids_are_found_again_by_their_place(tmp_path: Path) -> None:
    psd = PSDImage.open(poster(tmp_path / "a.psd", Made(name="one"), Made(name="two")))
    for layer in psd:
        del layer.tagged_blocks[Tag.LAYER_ID]
    seen = files.read(saved(psd, tmp_path / "a.psd"))
    assert [one.id for one in seen] == ["1", "2", "3"]
    files.write(change(seen, "two", says("Monday")), tmp_path / "a.psd")
    again = files.read(tmp_path / "a.psd")
    assert [(one.kind, one.visible) for one in again] == [
        ("picture", True), ("text", True), ("text", False), ("picture", True),
    ]  # fmt: skip


def test_a_solid_fill_is_a_shape_and_becomes_pixels_when_it_is_changed(tmp_path: Path) -> None:
    with_fill(tmp_path / "a.psd")
    seen = files.read(tmp_path / "a.psd")
    assert seen.layer("50").content == Shape("rectangle", 120.0, 90.0, (10, 20, 30, 255))
    files.write(seen, tmp_path / "b.psd")
    assert files.read(tmp_path / "b.psd") == seen
    red = Shape("rectangle", 120.0, 90.0, (255, 0, 0, 255))
    redder = change(seen, "fill", lambda one: replace(one, content=red))
    assert files.write(redder, tmp_path / "c.psd") == (
        "'fill' (solidcolorfill) is now pixels; its live layer is kept, hidden, below",
    )
    assert (files.read(tmp_path / "c.psd").rgb == (255, 0, 0)).all()


def test_a_new_file_says_what_is_not_live(tmp_path: Path) -> None:
    text = Text((Run("hi"),), drawn=noise(1, 4, 4).pixels)
    made = Document(canvas=(9, 9), made=(
        Layer(text, "words", "1"), Layer(Shape("rectangle", 4.0, 4.0), "box", "2"),
    ))  # fmt: skip
    assert files.write(made, tmp_path / "a.psd") == (
        "PSD text cannot be written live: 'hi' is pixels",
        "PSD shapes cannot be written live: 'box' is pixels",
    )
    assert np.array_equal(files.read(tmp_path / "a.psd").rgba, made.rgba)


def test_a_large_file_is_a_psb_and_stays_one(tmp_path: Path) -> None:
    made = Document(canvas=(20, 15), made=(Layer(noise(1), "a", "1"),))
    files.write(made, tmp_path / "a.psb")
    assert PSDImage.open(tmp_path / "a.psb").version == 2
    assert files.read(tmp_path / "a.psb") == made
    notes = files.write(files.read(tmp_path / "a.psb"), tmp_path / "a.psd")
    assert notes == ("it stays a PSB inside, as its origin",)
    assert files.read(tmp_path / "a.psd") == made


def test_ids_a_psd_cannot_have_are_given_anew(tmp_path: Path) -> None:
    made = Document(canvas=(20, 15), made=(Layer(noise(1), "a", "x"), Layer(noise(2), "b", "1")))
    files.write(made, tmp_path / "a.psd")
    assert [one.id for one in files.read(tmp_path / "a.psd")] == ["1", "2"]


def test_a_mask_that_is_grey_beyond_its_pixels_looks_the_same(tmp_path: Path) -> None:
    mask = Mask(noise(2, 5, 5).pixels[:, :, 0].copy(), 3, 3, 100)
    made = Document(canvas=(20, 15), made=(Layer(noise(1), "a", "1", mask=mask),))
    files.write(made, tmp_path / "a.psd")
    assert np.array_equal(files.read(tmp_path / "a.psd").rgba, made.rgba)


def test_a_layer_between_pixels_or_turned_is_written_as_it_looks(tmp_path: Path) -> None:
    made = Document(canvas=(20, 15), made=(
        Layer(noise(1), "a", "1", 0.5, 0.25), Layer(noise(2), "b", "2", angle=30.0),
    ))  # fmt: skip
    files.write(made, tmp_path / "a.psd")
    assert np.array_equal(files.read(tmp_path / "a.psd").rgba, made.rgba)


def test_a_head_that_makes_no_sense_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.psd").write_bytes(b"8BPS")
    with pytest.raises(PictureError, match="damaged PSD: it has only 4 bytes"):
        files.read(tmp_path / "a.psd")
    (tmp_path / "a.psd").write_bytes(b"8BPS\0\x07" + bytes(6) + b"\0\3\0\0\0\5\0\0\0\5\0\x08\0\3")
    with pytest.raises(PictureError, match="its head makes no sense"):
        files.read(tmp_path / "a.psd")
