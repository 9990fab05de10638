"""Adding to a PDF: new words in a font of this machine, new pictures, or one picture as a page."""

import ctypes
import hashlib
import io
import math
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image

from overpaint.document.layers import Layer, Pixels, Text
from overpaint.document.model import Document
from overpaint.document.pdf.content import inverted
from overpaint.document.pdf.encoding import INSTEAD
from overpaint.document.pdf.page import Matrix, Page, times
from overpaint.document.render import bounds, render
from overpaint.document.text.dressing import Dress
from overpaint.document.text.faces import Face
from overpaint.document.text.setting import SetLine, lay
from overpaint.document.turning import middle
from overpaint.errors import Refused

_LETTERS = str.maketrans("0123456789abcdef", "ABCDEFGHIJKLMNOP")
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
    fonts = _Fonts(file, layers)
    for layer in layers:
        if not layer.visible or not (box := bounds(layer)):
            continue
        if isinstance(layer.content, Text) and _plain(layer):
            for words, dress, place in _lines(layer, layer.content):
                fonts.write(opened, words, dress, times(place, back))
        else:
            left, top = max(0, box[0]), max(0, box[1])
            right, bottom = min(page.size[0], box[2]), min(page.size[1], box[3])
            if left >= right or top >= bottom:
                continue
            pixels = render((layer,), page.size)[top:bottom, left:right]
            place = (float(right - left), 0.0, 0.0, float(top - bottom), float(left), float(bottom))
            _put(file, opened, pixels, times(place, back))
    opened.gen_content()
    fonts.close()
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


def _lines(layer: Layer, text: Text) -> Iterator[tuple[str, Dress, Matrix]]:
    """Each stretch of words in one dress, with the matrix of its letters in pixels."""
    x, y = middle(layer)
    turn = math.radians(layer.angle)
    cos, sin = math.cos(turn), math.sin(turn)
    about = times((1.0, 0.0, 0.0, 1.0, -x, -y), (cos, sin, -sin, cos, x, y))
    for line in lay(text):
        for words, dress, across in _stretches(line):
            place = (layer.left + across, layer.top + line.baseline)
            flat_ = (dress.style.stretch, 0.0, 0.0, -1.0, *place)
            yield words, dress, times(flat_, about)


def _stretches(line: SetLine) -> Iterator[tuple[str, Dress, float]]:
    """A line in one go where it is in one dress, its spaces as they come; else word by word."""
    plain = len({piece.dress for piece in line.pieces}) == 1 and not any(
        piece.level or piece.style.align == "justify" for piece in line.pieces
    )
    if plain and not line.words[:1].isspace():
        yield line.words, line.pieces[0].dress, line.pieces[0].x
        return
    for piece in line.pieces:
        yield piece.drawn, piece.dress, piece.x


class _Fonts:
    """The fonts that new words need, each put in the file once with all of its letters."""

    def __init__(self, file: Any, layers: Sequence[Layer]) -> None:
        self.file, self.handles = file, dict[Face, Any]()
        self.letters: dict[Face, set[str]] = {}
        for layer in layers:
            if isinstance(layer.content, Text) and _plain(layer):
                for words, dress, _ in _lines(layer, layer.content):
                    self.letters.setdefault(dress.face, set()).update(words)

    def write(self, page: Any, words: str, dress: Dress, place: Matrix) -> None:
        """Put words on a page."""
        handle = raw.FPDFPageObj_CreateTextObj(self.file, self._of(dress.face), dress.style.size)
        said = ctypes.create_string_buffer(words.encode("utf-16-le") + b"\0\0")
        raw.FPDFText_SetText(handle, ctypes.cast(said, raw.FPDF_WIDESTRING))
        raw.FPDFPageObj_SetFillColor(handle, *dress.style.colour)
        raw.FPDFPageObj_SetMatrix(handle, raw.FS_MATRIX(*place))
        raw.FPDFPage_InsertObject(page, handle)

    def _of(self, face: Face) -> Any:
        if face not in self.handles:
            data = _font_data(face, "".join(sorted(self.letters[face])))
            held = (ctypes.c_uint8 * len(data)).from_buffer_copy(data)
            kind = raw.FPDF_FONT_TRUETYPE
            self.handles[face] = raw.FPDFText_LoadFont(self.file, held, len(data), kind, True)
        if not self.handles[face]:
            raise Refused(f"The font {face.family} cannot be put in a PDF.", "", INSTEAD)
        return self.handles[face]

    def close(self) -> None:
        """Let go of the fonts; the file keeps them."""
        for handle in self.handles.values():
            raw.FPDFFont_Close(handle)


def _font_data(face: Face, words: str) -> bytes:
    """A font of no more than these letters, at the face's weight."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    font = TTFont(face.path, fontNumber=face.index)
    options = Options()
    options.layout_features = []
    options.notdef_outline = True
    options.drop_tables += ["FFTM", "GSUB", "GPOS", "GDEF", "kern"]
    cut = Subsetter(options)
    cut.populate(text=words)
    cut.subset(font)
    if "fvar" in font:
        usual = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes}
        font = instancer.instantiateVariableFont(font, {**usual, **dict(face.axes)}, inplace=True)
    font.flavor = None
    # Two parts of one font must not share a name, or readers take one for the other.
    mark = hashlib.sha256(words.encode()).hexdigest()[:6].translate(_LETTERS)
    own = font["name"].getDebugName(6) or face.family.replace(" ", "")
    font["name"].setName(f"{mark}+{own}", 6, 3, 1, 0x409)
    font["name"].setName(f"{mark}+{own}", 6, 1, 0, 0)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()
