"""PSD files with live text for the tests: the type block and its engine data, built by hand."""

import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from psd_tools import PSDImage
from psd_tools.api.layers import PixelLayer
from psd_tools.constants import Tag
from psd_tools.psd.descriptor import DescriptorBlock, RawData, String
from psd_tools.psd.engine_data import EngineData

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Run, Text


@dataclass(frozen=True)
class Piece:
    """Words in one style, as the engine has it."""

    words: str
    font: int = 0
    size: float = 20.0
    colour: tuple[float, float, float] = (0.0, 0.0, 0.0)
    more: str = ""  # further entries of the style sheet


@dataclass(frozen=True)
class Made:
    """A type layer to be."""

    pieces: tuple[Piece, ...] = (Piece("Friday"),)
    fonts: tuple[str, ...] = ("OpenSans-Bold", "SourceHanSansCN-Light")
    transform: tuple[float, ...] = (1.0, 0.0, 0.0, 1.0, 30.0, 40.0)
    justification: int = 0
    box: tuple[float, float, float, float] | None = None
    name: str = "Title"


def engine(made: Made) -> bytes:
    """The engine data of a type layer, in its own notation."""
    words = "".join(piece.words for piece in made.pieces) + "\r"
    lengths = [len(piece.words) for piece in made.pieces]
    lengths[-1] += 1
    fonts = " ".join(f"<< /Name ({_text(name)}) /Script 0 /FontType 0 >>" for name in made.fonts)
    runs = " ".join(
        f"<< /StyleSheet << /StyleSheetData << /Font {piece.font} /FontSize {piece.size}"
        f" {piece.more} /FillColor << /Type 1 /Values [ 1.0 "
        f"{' '.join(map(str, piece.colour))} ] >> >> >> >>"
        for piece in made.pieces
    )
    box = made.box or (0, 0, 0, 0)
    bounds = " ".join(f"{float(v)}" for v in box)
    kind = 1 if made.box else 0
    text = f"""<< /EngineDict << /Editor << /Text ({_text(words)}) >>
/ParagraphRun << /RunArray [ << /ParagraphSheet << /Properties
<< /Justification {made.justification} /AutoLeading 1.5 >> >> >> ]
/RunLengthArray [ {len(words)} ] >>
/StyleRun << /RunArray [ {runs} ] /RunLengthArray [ {" ".join(map(str, lengths))} ] >>
/Rendered << /Version 1 /Shapes << /WritingDirection 0 /Children [ << /ShapeType {kind}
/Cookie << /Photoshop << /ShapeType {kind} /BoxBounds [ {bounds} ] >> >> >> ] >> >> >>
/ResourceDict << /FontSet [ {fonts} ] >> >>"""
    return text.encode("latin-1")


def _text(words: str) -> str:
    raw = b"\xfe\xff" + words.encode("utf-16-be")
    for mark in (b"\\", b"(", b")"):
        raw = raw.replace(mark, b"\\" + mark)
    return raw.decode("latin-1")


def add_text(psd: PSDImage, made: Made, pixels: np.ndarray, left: int, top: int) -> None:
    """Put a type layer on top, with pixels as its program drew them."""
    PixelLayer.frompil(Image.fromarray(pixels), psd, made.name, top, left)
    record = psd[-1]._record
    words = "".join(piece.words for piece in made.pieces)
    data = DescriptorBlock(classID=b"TxLr")
    data[b"Txt "] = String(words)
    data[b"EngineData"] = RawData(EngineData.frombytes(engine(made)))
    record.tagged_blocks.set_data(
        Tag.TYPE_TOOL_OBJECT_SETTING, version=1, transform=made.transform, text_version=50,
        text_data=data, warp_version=1, warp=DescriptorBlock(classID=b"warp"),
    )  # fmt: skip
    record.tagged_blocks.set_data(Tag.UNICODE_LAYER_NAME, made.name)
    record.tagged_blocks.set_data(Tag.LAYER_ID, len(list(psd.descendants())) + 10)


def poster(path: Path, *texts: Made, mode: str = "RGBA", depth: int = 8) -> Path:
    """A PSD of a white ground and type layers, drawn as blocks of their colour."""
    psd = PSDImage.new(mode, (120, 90), color=255, depth=depth)
    PixelLayer.frompil(Image.new("RGBA", (120, 90), (250, 240, 230, 255)), psd, "ground")
    psd[0]._record.tagged_blocks.set_data(Tag.LAYER_ID, 3)
    for number, made in enumerate(texts):
        rgb = [round(255 * v) for v in made.pieces[0].colour]
        pixels = np.zeros((14, 50, 4), np.uint8)
        pixels[2:12, 3:47] = (*rgb, 255)
        add_text(psd, made, pixels, 30, 28 + 20 * number)
    out = io.BytesIO()
    psd.save(out)
    path.write_bytes(out.getvalue())
    return path


def noise(seed: int, wide: int = 20, high: int = 15, *, opaque: bool = False) -> Picture:
    """A picture of random pixels."""
    pixels = np.random.default_rng(seed).integers(0, 256, (high, wide, 4), dtype=np.uint8)
    if opaque:
        pixels[:, :, 3] = 255
    return Picture(pixels)


def merged(path: Path) -> NDArray[Any]:
    """The picture that a program which knows no layers shows."""
    return np.array(PSDImage.open(path).topil(apply_icc=False).convert("RGBA"))


def change(document: Document, name: str, do: Callable[[Layer], Layer]) -> Document:
    """The document with one of its layers changed."""
    return document.having(*(do(one) if one.name == name else one for one in document.layers))


def says(words: str) -> Callable[[Layer], Layer]:
    """An edit of a text, as an op does it, drawn here as a block."""

    def do(layer: Layer) -> Layer:
        assert isinstance(layer.content, Text)
        run = Run(words, layer.content.style)
        return replace(layer, content=replace(layer.content, runs=(run,), drawn=None))

    return do


def blocks(path: Path, name: str) -> tuple[bytes, ...]:
    """The record of a layer and its channels, as bytes."""
    layer = next(one for one in PSDImage.open(path).descendants() if one.name == name)
    out = io.BytesIO()
    layer._record.write(out)
    return (out.getvalue(), *(channel.data for channel in layer._channels))


def saved(psd: PSDImage, path: Path) -> Path:
    """The file as it is, its merged picture not drawn anew."""
    out = io.BytesIO()
    psd._record.write(out)
    path.write_bytes(out.getvalue())
    return path
