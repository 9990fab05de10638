"""OpenRaster: exact for ourselves, right for other programs, and theirs wins when they wrote."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from drawn import documents, pictures, shapes, texts
from hypothesis import given, settings
from PIL import Image

from overpaint.document import Document, Layer, Picture, files, ora
from overpaint.document.containers import parse_xml
from overpaint.document.layers import Group, Mask, Run, Shape, Text
from overpaint.errors import PictureError


def sheet(colour: tuple[int, ...], wide: int = 8, high: int = 6) -> Picture:
    return Picture(np.full((high, wide, 4), colour, np.uint8))


GROUND, RED, BLUE = sheet((9, 99, 9, 255), 20, 15), sheet((255, 0, 0, 255)), sheet((0, 0, 255, 99))
PLAIN = Document(canvas=(20, 15), made=(
    Layer(GROUND, "ground", "1"),
    Layer(Group((Layer(RED, "红", "3", 2.0, -1.0, blend="multiply"),
                 Layer(BLUE, "blue", "4", 5.0, 5.0, visible=False))), "both", "2", opacity=0.25),
    Layer(BLUE, "top", "5", 7.0, 7.0, opacity=0.5, blend="screen"),
))  # fmt: skip


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def rewritten(path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """The file as another program might have left it."""
    held = members(path)
    change(held)
    with zipfile.ZipFile(path, "w") as file:
        for name, data in held.items():
            file.writestr(name, data)
    return path


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(documents(pictures | texts | shapes))
def test_what_is_written_is_read_again_exactly(document: Document) -> None:
    with TemporaryDirectory() as place:
        path = Path(place) / "a.ora"
        files.write(document, path)
        assert files.read(path) == document
        assert Document(path).layers == document.layers


@settings(max_examples=10, deadline=None)
@given(documents(pictures | texts))
def test_equal_documents_are_the_same_bytes(document: Document) -> None:
    with TemporaryDirectory() as place:
        path = Path(place) / "a.ora"
        path.write_bytes(ora.encoded(document))
        again = files.read(path)
        assert ora.encoded(again) == ora.encoded(document)
        if not document.flat:
            assert again.key == document.key


@settings(max_examples=15, deadline=None)
@given(documents(pictures, exact=True, clip=False))
def test_without_our_own_part_another_program_sees_the_same_layers(document: Document) -> None:
    bare = document.having(*(_unmasked(layer) for layer in document.layers))
    with TemporaryDirectory() as place:
        path = Path(place) / "a.ora"
        files.write(bare, path)
        rewritten(path, lambda held: held.pop(ora.OURS))
        seen = files.read(path)
        assert [layer.kind for layer in seen] == [layer.kind for layer in bare]
        assert np.array_equal(seen.rgba[:, :, 3], bare.rgba[:, :, 3])
        shown = bare.rgba[:, :, 3] > 0
        assert np.array_equal(seen.rgba[shown], bare.rgba[shown])


def _unmasked(layer: Layer) -> Layer:
    """A layer that plain OpenRaster can hold."""
    content = layer.content
    if isinstance(content, Group):
        content = Group(tuple(_unmasked(inner) for inner in content.layers))
        if layer.blend == "pass-through":  # with an opacity it is isolated in OpenRaster
            layer = replace(layer, opacity=1.0)
    return replace(layer, content=content, mask=None)


def test_the_file_is_as_the_specification_wants_it(tmp_path: Path) -> None:
    files.write(PLAIN, tmp_path / "a.ora")
    with zipfile.ZipFile(tmp_path / "a.ora") as file:
        first = file.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
    held = members(tmp_path / "a.ora")
    assert held["mimetype"] == b"image/openraster"
    merged = Image.open(io.BytesIO(held["mergedimage.png"]))
    assert np.array_equal(np.asarray(merged.convert("RGBA")), PLAIN.rgba)
    assert max(Image.open(io.BytesIO(held["Thumbnails/thumbnail.png"])).size) <= 256
    root = parse_xml(held["stack.xml"])
    top, both, ground = root.find("stack")
    assert (root.get("w"), root.get("h")) == ("20", "15")
    assert (top.get("composite-op"), top.get("x"), top.get("opacity")) == ("svg:screen", "7", "0.5")
    assert (both.tag, both.get("isolation"), both[1].get("name")) == ("stack", "isolate", "红")
    assert both[0].get("visibility") == "hidden"
    assert ground.get("src") in held


def test_text_shapes_masks_and_clips_are_pixels_for_others_and_said_so(tmp_path: Path) -> None:
    drawn = np.full((3, 4, 4), (1, 2, 3, 255), np.uint8)
    half = np.full((15, 10), 255, np.uint8)
    made = PLAIN.having(
        Layer(GROUND, "ground", "1", mask=Mask(half)),
        Layer(RED, "clipped", "2", 7.0, 0.0, clip=True),
        Layer(Text((Run("hi"),), drawn=drawn, drawn_at=(0.0, -3.0)), "words", "3", 12.0, 12.0),
        Layer(Shape("rectangle", 3.0, 3.0), "box", "4", 15.0, 2.0, blend="linear-burn"),
        Layer(Group(()), "group", "5", mask=Mask(half)),
    )
    assert files.write(made, tmp_path / "a.ora") == (
        "OpenRaster holds no masks: other programs see them applied",
        "OpenRaster holds no text: other programs see pixels",
        "OpenRaster holds no shapes: other programs see pixels",
        "OpenRaster has no name for linear-burn: Krita's is used",
        "other programs see the group 'group' whole, not masked",
    )
    seen = files.read(rewritten(tmp_path / "a.ora", lambda held: held.pop(ora.OURS)))
    assert {layer.kind for layer in seen} == {"picture", "group"}
    assert np.array_equal(seen.rgba, made.rgba)


def test_pixels_that_another_program_changed_win(tmp_path: Path) -> None:
    made = PLAIN.having(*PLAIN.layers, Layer(Text((Run("hi"),), drawn=RED.pixels), "words", "9"))
    files.write(made, tmp_path / "a.ora")
    source = parse_xml(members(tmp_path / "a.ora")["stack.xml"]).find("stack")[0].get("src", "")
    out = io.BytesIO()
    Image.fromarray(BLUE.pixels).save(out, "PNG")
    rewritten(tmp_path / "a.ora", lambda held: held.update({source: out.getvalue()}))
    seen = files.read(tmp_path / "a.ora")
    assert seen.notes == (
        "another program has rewritten the file: texts and shapes are read as its pixels",
    )
    assert seen.layers[-1].content == BLUE


def foreign(path: Path) -> Path:
    """A file as another program writes it, with things we do not know."""
    out = io.BytesIO()
    Image.fromarray(RED.pixels).save(out, "PNG", compress_level=9)
    stack = """<?xml version='1.0' encoding='UTF-8'?>
    <image version='0.0.5' w='20' h='15' xres='300'><stack>
    <layer name='vector' src='data/a.svg' x='1' y='2'/>
    <layer name='odd' src='data/b.png' composite-op='krita:glow' selected='true' x='3.0' y='-1'>
    <annotation href='data/strokes.dat'/></layer>
    <stack name='free'><layer name='in' src='data/b.png' opacity='0.5'/></stack>
    <stack name='alone' isolation='isolate'/></stack></image>"""
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("mimetype", "image/openraster")
        file.writestr("stack.xml", stack)
        file.writestr("data/a.svg", "<svg/>")
        file.writestr("data/b.png", out.getvalue())
        file.writestr("data/strokes.dat", "strokes")
        file.writestr("mergedimage.png", out.getvalue())
    return path


def test_another_programs_file_is_read(tmp_path: Path) -> None:
    seen = files.read(foreign(tmp_path / "a.ora"))
    assert [(layer.name, layer.blend) for layer in seen] == [
        ("alone", "normal"), ("free", "pass-through"), ("in", "normal"), ("odd", "normal"),
        ("vector", "normal"),
    ]  # fmt: skip
    assert (seen.layers[2].left, seen.layers[2].top) == (3, -1)
    assert seen.notes == (
        "krita:glow is not known: 'odd' is blended as normal",
        "'vector' is a .svg layer, which is not drawn here",
    )


def test_what_another_program_put_in_is_kept_when_a_layer_is_changed(tmp_path: Path) -> None:
    foreign(tmp_path / "a.ora")
    seen = files.read(tmp_path / "a.ora")
    moved = [replace(layer, left=9.0) if layer.name == "odd" else layer for layer in seen.layers]
    files.write(seen.having(*moved), tmp_path / "a.ora")  # over the file it came from
    held = members(tmp_path / "a.ora")
    root = parse_xml(held["stack.xml"])
    vector, odd, *_ = root.find("stack")
    assert root.get("xres") == "300"
    assert vector.get("src") == "data/a.svg"
    assert (odd.get("selected"), odd.find("annotation").get("href")) == ("true", "data/strokes.dat")
    assert (odd.get("x"), odd.get("composite-op")) == ("9", "krita:glow")
    assert (held["data/strokes.dat"], held["data/a.svg"]) == (b"strokes", b"<svg/>")
    assert files.read(tmp_path / "a.ora") == seen.having(*moved)


def test_a_layer_nobody_changed_keeps_its_files_own_bytes(tmp_path: Path) -> None:
    before = members(foreign(tmp_path / "a.ora"))["data/b.png"]
    seen = files.read(tmp_path / "a.ora")
    files.write(seen, tmp_path / "b.ora")
    assert members(tmp_path / "b.ora")["data/b.png"] == before


@pytest.mark.parametrize(("change", "said"), [
    (lambda held: held.update({"stack.xml": b"<image w='5' h='5'/>"}), "no image with a stack"),
    (lambda held: held.update({"stack.xml": b"<image w='x' h='5'><stack/></image>"}), "w='x'"),
    (lambda held: held.update({"stack.xml": b"<image w='999999' h='999999'><stack/></image>"}),
     "canvas is 999999×999999"),
    (lambda held: held.update({"stack.xml": b"<image w='5' h='5'><stack><layer name='a' src='b'/>"
                               b"</stack></image>"}), "the layer 'a' wants 'b', not in it"),
    (lambda held: held.update({"overpaint.json": b"{"}), "overpaint.json of .* is no JSON"),
    (lambda held: held.update({k: b"x" for k in held if k.startswith("data/")}),
     "no picture of a known kind"),
])  # fmt: skip
def test_a_broken_file_is_a_sentence(
    tmp_path: Path, change: Callable[[dict[str, bytes]], None], said: str
) -> None:
    files.write(PLAIN, tmp_path / "a.ora")
    with pytest.raises(PictureError, match=said):
        files.read(rewritten(tmp_path / "a.ora", change))
