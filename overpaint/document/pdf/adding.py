"""Adding to a PDF: new words in a font of this machine, new pictures, or one picture as a page."""

import ctypes
import io
import math
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image

from overpaint.document.layers import Layer, Pixels, Style, Text
from overpaint.document.model import Document
from overpaint.document.pdf.content import inverted
from overpaint.document.pdf.encoding import INSTEAD
from overpaint.document.pdf.page import Matrix, Page, times
from overpaint.document.render import bounds, render
from overpaint.document.text.drawing import advance
from overpaint.document.text.fonts import Face, here
from overpaint.errors import Refused

POINTS = 0.75  # of a pixel, on a page that is made anew


def flat(document: Document) -> bytes:
    """A PDF of one page that shows the whole document as one picture."""
    wide, high = document.size
    made = pdfium.PdfDocument.new()
    page = made.new_page(wide * POINTS, high * POINTS)
    _put(made, page, document.rgb, (wide * POINTS, 0.0, 0.0, high * POINTS, 0.0, 0.0))
    page.gen_content()
    return _saved(made)


def add(data: bytes, page: Page, layers: Sequence[Layer]) -> bytes:
    """The file with new layers above all that is on a page."""
    file = pdfium.PdfDocument(data)
    opened = file[page.number - 1]
    back = inverted(page.device)
    assert back is not None
    for layer in layers:
        if not layer.visible or not (box := bounds(layer)):
            continue
        if isinstance(layer.content, Text) and _plain(layer):
            for words, style, place in _lines(layer, layer.content):
                _write(file, opened, words, style, times(place, back))
        else:
            left, top = max(0, box[0]), max(0, box[1])
            right, bottom = min(page.size[0], box[2]), min(page.size[1], box[3])
            if left >= right or top >= bottom:
                continue
            pixels = render((layer,), page.size)[top:bottom, left:right]
            place = (float(right - left), 0.0, 0.0, float(top - bottom), float(left), float(bottom))
            _put(file, opened, pixels, times(place, back))
    opened.gen_content()
    return _saved(file)


def _plain(layer: Layer) -> bool:
    """Whether words can be written as words: fonts know neither shadows nor opacity."""
    assert isinstance(layer.content, Text)
    fancy = any(
        run.style.shadow or run.style.gradient or run.style.stroke or run.style.underline
        or run.style.strike or run.style.spacing
        for run in layer.content.runs
    )  # fmt: skip
    return not fancy and layer.opacity == 1 and layer.blend == "normal" and layer.mask is None


def _saved(file: Any) -> bytes:
    out = io.BytesIO()
    file.save(out)
    file.close()
    return out.getvalue()


def _put(file: Any, page: Any, pixels: Pixels, place: Matrix) -> None:
    image = pdfium.PdfImage.new(file)
    bitmap = pdfium.PdfBitmap.from_pil(Image.fromarray(pixels))
    image.set_bitmap(bitmap)
    image.set_matrix(pdfium.PdfMatrix(*place))
    page.insert_obj(image)


# ── words ───────────────────────────────────────────────────────────────────────────────

Written = tuple[str, Style, Matrix]  # words of one style on one line, and where in pixels


def _lines(layer: Layer, text: Text) -> Iterator[Written]:
    """Each stretch of words in one style, with the matrix of its letters in pixels."""
    box = bounds(layer)
    assert box is not None
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    turn = math.radians(layer.angle)
    about = times(
        (1.0, 0.0, 0.0, 1.0, -x, -y),
        (math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), x, y),
    )
    for words, style, across, down in stretches(text):
        flat_ = (style.stretch, 0.0, 0.0, -1.0, layer.left + across, layer.top + down)
        yield words, style, times(flat_, about)


def stretches(text: Text) -> Iterator[tuple[str, Style, float, float]]:
    """Words of one style on one line, and where they begin from the text's place."""
    down = 0.0
    lines: list[list[tuple[str, Style]]] = [[]]
    for run in text.runs:
        first, *rest = run.words.split("\n")
        lines[-1].append((first, run.style))
        lines.extend([(part, run.style)] for part in rest)
    for number, line in enumerate(lines):
        wides = [advance(words, _face(words, style), style) if words else 0.0
                 for words, style in line]  # fmt: skip
        style = max((style for _, style in line), key=lambda style: style.size)
        down += style.size * style.leading if number else 0.0
        room = text.width if text.width is not None else 0.0
        share = {"centre": 0.5, "right": 1.0}.get(style.align, 0.0)
        across = (room - sum(wides)) * share
        for (words, own), wide in zip(line, wides, strict=True):
            if words.strip():
                yield words, own, across, down
            across += wide


def _face(words: str, style: Style) -> Face:
    return here().find(style, words).face


def _write(file: Any, page: Any, words: str, style: Style, place: Matrix) -> None:
    face = _face(words, style)
    data = _font_data(face, words)
    held = (ctypes.c_uint8 * len(data)).from_buffer_copy(data)
    font = raw.FPDFText_LoadFont(file, held, len(data), raw.FPDF_FONT_TRUETYPE, True)
    if not font:
        raise Refused(f"The font {face.family} cannot be put in a PDF.", "", INSTEAD)
    handle = raw.FPDFPageObj_CreateTextObj(file, font, style.size)
    said = ctypes.create_string_buffer(words.encode("utf-16-le") + b"\0\0")
    raw.FPDFText_SetText(handle, ctypes.cast(said, raw.FPDF_WIDESTRING))
    raw.FPDFPageObj_SetFillColor(handle, *style.colour)
    raw.FPDFPageObj_SetMatrix(handle, raw.FS_MATRIX(*place))
    raw.FPDFPage_InsertObject(page, handle)
    raw.FPDFFont_Close(font)


def _font_data(face: Face, words: str) -> bytes:
    """A font of no more than these letters, at the face's weight."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    font = TTFont(face.path, fontNumber=face.index, lazy=True)
    if "fvar" in font:
        usual = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes}
        font = instancer.instantiateVariableFont(font, {**usual, **dict(face.axes)})
    options = Options()
    options.layout_features = []
    options.notdef_outline = True
    cut = Subsetter(options)
    cut.populate(text=words)
    cut.subset(font)
    font.flavor = None
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()
