"""The codes of letters in a PDF's fonts: learned from the page, or asked of pdfium and proved.

A font in a PDF often holds only the letters that were needed. A letter that stands on the page
in that font is safe. Any other is drawn once to see that it is there: no ink, or the very box a
font draws for what it lacks, and it is refused.
"""

import ctypes
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from overpaint.document.pdf.content import Instruction, Show, operator_of, shows
from overpaint.document.pdf.lines import Letter, Line, along, base_name
from overpaint.document.pdf.page import Page
from overpaint.document.where import short
from overpaint.errors import Refused

INSTEAD = "Save it as .png, .ora or .psd instead."
_UNUSED = (1, 2, 3, 4, 5, 6, 14, 15, 16, 17)  # a Latin encoding has no letters there
# What reading a file that is not whole raises; our own code raises it too, where it is wrong.
_DAMAGE = (
    pikepdf.PdfError, pikepdf.PasswordError, RuntimeError, IndexError, KeyError, ValueError,
    TypeError, AttributeError,
)  # fmt: skip
_LAST = "ÿˇ"  # the letters with the last code in the encodings of PDF


@dataclass(frozen=True)
class Sign:
    """A letter's code in a font, and how far it moves the pen, in sizes."""

    code: bytes
    wide: float


@dataclass(frozen=True)
class Coded:
    """A text object with the code of each of its letters."""

    show: Show
    codes: tuple[bytes, ...]
    kerns: tuple[float, ...]  # after each code, in thousandths of the size
    letters: tuple[tuple[int, ...], ...]  # of each code, their numbers in the line


@contextmanager
def of_the_file() -> Iterator[None]:
    """Refuse what goes wrong within; for nothing but what reads or packs somebody's file."""
    try:
        yield
    except _DAMAGE as error:
        why = str(error).rsplit(": ", 1)[-1].rstrip(".")
        raise Refused(f"The PDF can be read but not changed: {why}.", "", INSTEAD) from None


@contextmanager
def editable(data: bytes) -> Iterator[Any]:
    """A file that pdfium reads, open to be changed; refused where it is too broken for that."""
    with of_the_file():
        file = pikepdf.open(io.BytesIO(data))
    with file:
        yield file


@of_the_file()
def packed(file: Any) -> bytes:
    """The file as it is now."""
    out = io.BytesIO()
    file.save(out)
    return out.getvalue()


@of_the_file()
def put_content(
    file: Any, number: int, originals: Sequence[Any], content: Iterable[int | Instruction]
) -> None:
    """Give a page its operators: new ones, and those that stay by their numbers."""
    parts = [originals[part] if isinstance(part, int) else operator_of(part) for part in content]
    stream = pikepdf.unparse_content_stream(parts)
    file.pages[number - 1].Contents = file.make_stream(stream)


@of_the_file()
def content_of(document: Any, number: int) -> tuple[list[Any], list[Instruction]]:
    """The operators of a page as pikepdf has them, and as plain values."""
    try:
        parsed = list(pikepdf.parse_content_stream(document.pages[number - 1]))
        plain: list[Instruction] = [
            ([], "BI") if isinstance(one, pikepdf.ContentStreamInlineImage)
            else _plain(one)
            for one in parsed
        ]  # fmt: skip
    except (pikepdf.PdfError, RuntimeError, ValueError, TypeError) as error:
        raise Refused(
            f"The content of page {number} cannot be read: {error}.", "", INSTEAD
        ) from None
    return parsed, plain


@of_the_file()
def units(document: Any, number: int) -> dict[str, int]:
    """How many bytes a code has, of each font of a page."""
    fonts: Any = document.pages[number - 1]
    for name in ("/Resources", "/Font"):
        fonts = fonts.get(name)
        if not isinstance(fonts, pikepdf.Dictionary):  # whatever a file has in its place
            return {}
    return {
        str(name): 2 if font.get("/Subtype") == "/Type0" else 1
        for name, font in fonts.items()
        if isinstance(font, pikepdf.Dictionary)
    }


def _plain(one: Any) -> Instruction:
    """An operator as plain values, of which a font's name is a text."""
    operator, operands = str(one.operator), list(one.operands)
    if operator == "Tf" and operands:
        operands[0] = str(operands[0])
    return operands, operator


def coded(line: Line, leaf: int, show: Show, unit: int) -> Coded | None:
    """An object's codes and letters side by side; None where they cannot be told apart."""
    codes: list[bytes] = []
    kerns: list[float] = []
    for item in show.items:
        if isinstance(item, bytes):
            parts = [item[i : i + unit] for i in range(0, len(item), unit)]
            codes += parts
            kerns += [0.0] * len(parts)
        else:
            kerns[-1] += item
    groups: list[list[int]] = []
    before: Letter | None = None
    for i, letter in enumerate(line.letters):
        if letter.leaf != leaf:
            continue
        # A ligature is one code and several letters in one place.
        if before and abs(before.x - letter.x) + abs(before.y - letter.y) < 0.01:
            groups[-1].append(i)
        else:
            groups.append([i])
        before = letter
    if len(groups) != len(codes):
        return None
    return Coded(show, tuple(codes), tuple(kerns), tuple(tuple(group) for group in groups))


@dataclass
class Encoder:
    """Codes for letters, by the font's name on the page."""

    data: bytes
    page: Page
    known: dict[str, dict[str, Sign]] = field(default_factory=dict)
    leaves: dict[str, int] = field(default_factory=dict)  # one object in each font
    looks: dict[str, tuple[str, int, bool]] = field(default_factory=dict)  # and its style

    def learn(self, line: Line, leaf: int, own: Coded) -> None:
        """Remember the letters of an object: they are there and can be drawn."""
        font = own.show.state.font
        self.leaves.setdefault(font, leaf)
        style = line.letters[own.letters[0][0]].style
        self.looks.setdefault(font, (style.family, style.weight, style.italic))
        table = self.known.setdefault(font, {})
        for code, group in zip(own.codes, own.letters, strict=True):
            letter = line.letters[group[0]]
            if len(group) == 1 and letter.words != "\ufffd":
                table.setdefault(letter.words, Sign(code, _wide(letter)))

    def signs(self, font: str, words: str) -> Mapping[str, Sign]:
        """The sign of each letter, spaces left out where the font has none."""
        table = self.known[font]
        new = sorted(set(words) - set(table))
        if new:
            table |= self._asked(font, new)
        missing = [letter for letter in dict.fromkeys(words) if letter not in (*table, " ")]
        if missing:
            raise Refused(
                self._lacking(font, " ".join(missing[:10])),
                "Text in a PDF can be replaced only by letters that its font has.",
                INSTEAD,
            )
        return {letter: table[letter] for letter in set(words) if letter in table}

    def _lacking(self, font: str, letters: str) -> str:
        """That a font lacks letters, and whether it is in the file at all."""
        own = raw.FPDFTextObj_GetFont(self.page.leaves[self.leaves[font]].handle)
        if raw.FPDFFont_GetIsEmbedded(own) == 0:
            font = base_name(own) or "which has no name"
            return (
                f"The PDF's font, {font}, has no {short(letters)!r}; it is not in the file, "
                "each viewer brings its own."
            )
        why = "fonts in PDFs mostly hold only the letters that were needed"
        return f"The PDF's own font lacks {short(letters)!r}: {why}."

    def _asked(self, font: str, letters: Sequence[str]) -> dict[str, Sign]:
        """What pdfium knows of letters that do not stand on the page, if they can be drawn."""
        leaf = self.page.leaves[self.leaves[font]]
        unit = len(next(iter(self.known[font].values())).code) if self.known[font] else 1
        scratch = self._scratch()
        try:
            page = scratch[0]
            handle = _alone(page, leaf.path[0])
            codes = [_code(scratch, page, handle, letter) for letter in letters]
            blank = [_drawn(page, handle, (code,)) for code in _UNUSED if unit == 1]
            found = {}
            for letter, code in zip(letters, codes, strict=True):
                if code is None or len(code) != unit:
                    continue
                ink = _drawn(page, handle, (int.from_bytes(code, "big"),))
                if letter.isspace() or (ink is not None and ink not in blank):
                    found[letter] = Sign(code, _glyph_width(handle, letter))
            return found
        finally:
            scratch.close()

    def _scratch(self) -> Any:
        """A copy of the page alone, to try letters on."""
        whole, alone = pdfium.PdfDocument(self.data), pdfium.PdfDocument.new()
        alone.import_pages(whole, [self.page.number - 1])
        whole.close()
        return alone


def _alone(page: Any, index: int) -> Any:
    """An object of a page once all others are gone: pages are written anew for each letter."""
    wanted = raw.FPDFPage_GetObject(page, index)
    count = raw.FPDFPage_CountObjects(page)
    for number in range(count):
        if number != index:
            other = raw.FPDFPage_GetObject(page, 0 if number < index else 1)
            raw.FPDFPage_RemoveObject(page, other)
            raw.FPDFPageObj_Destroy(other)
    return wanted


def _wide(letter: Letter) -> float:
    return (letter.end - along(letter)) / letter.style.size


def _glyph_width(handle: Any, letter: str) -> float:
    width = ctypes.c_float()
    font = raw.FPDFTextObj_GetFont(handle)
    raw.FPDFFont_GetGlyphWidth(font, ord(letter), 1.0, width)
    return width.value


def _code(scratch: Any, page: Any, handle: Any, letter: str) -> bytes | None:
    """The code that pdfium writes for a letter; None where it has none."""
    held = ctypes.create_string_buffer(letter.encode("utf-16-le") + b"\0\0")
    raw.FPDFText_SetText(handle, ctypes.cast(held, raw.FPDF_WIDESTRING))
    raw.FPDFPage_GenerateContent(page)
    out = io.BytesIO()
    scratch.save(out)
    with pikepdf.open(io.BytesIO(out.getvalue())) as saved:
        written = shows(content_of(saved, 1)[1])
    if len(written) != 1:
        return None
    shown = b"".join(item for item in written[0].items if isinstance(item, bytes))
    none = shown == b"\xff" and letter not in _LAST  # what pdfium writes for what it does not know
    return shown if shown.strip(b"\0") and not none else None


def _drawn(page: Any, handle: Any, codes: Sequence[int]) -> bytes | None:
    """The pixels of a text object when it shows these codes; None where there is no ink."""
    given = (ctypes.c_uint32 * len(codes))(*codes)
    if not raw.FPDFText_SetCharcodes(handle, given, len(codes)):
        return None
    bitmap = raw.FPDFTextObj_GetRenderedBitmap(page.pdf, page, handle, 2.0)
    if not bitmap:
        return None
    pixels = pdfium.PdfBitmap.from_raw(bitmap).to_numpy()
    return pixels.tobytes() + repr(pixels.shape).encode() if pixels.any() else None
