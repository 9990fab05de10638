"""PSD: colours, depths and fills are converted, and kept as they were."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from psd_maker import Made, blocks, change, merged, noise, poster, saved, says
from psd_tools import PSDImage
from psd_tools.api.layers import PixelLayer
from psd_tools.constants import Tag
from psd_tools.psd.descriptor import Bool, Descriptor, Double
from psd_tools.psd.vector import ClosedKnotLinked, ClosedPath, InitialFillRule, PathFillRule
from psd_tools.psd.vector import Path as VectorPath

from overpaint.document import Document, Layer, Picture, files
from overpaint.document.layers import Mask, Run, Shape, Text
from overpaint.errors import PictureError


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
