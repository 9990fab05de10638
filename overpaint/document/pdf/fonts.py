"""Fonts put in a PDF: the letters that are used and no others, and what each of them says.

A code is a glyph's number in the part of the font that is put in. The maps from codes to words
are written too, or text could be seen but neither found nor copied.
"""

import hashlib
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from overpaint.document.text.drawing import design
from overpaint.document.text.faces import Face

_LETTERS = str.maketrans("0123456789abcdef", "ABCDEFGHIJKLMNOP")
_WEIGHTS = {100: "Thin", 200: "ExtraLight", 300: "Light", 400: "Regular", 500: "Medium",
            600: "SemiBold", 700: "Bold", 800: "ExtraBold", 900: "Black"}  # fmt: skip
_MOST_WHOLE = 8_000_000  # bytes of a font that may not be cut
_RESTRICTED, _KINDS, _UNCUT, _ONLY_BITMAPS = 0x2, 0xE, 0x100, 0x200  # of OS/2's fsType
_FIXED, _SERIF, _SYMBOLIC, _SLANTED = 1, 2, 4, 64  # flags of a font's description


@dataclass(frozen=True)
class Sign:
    """A glyph in a row: its number in the font's file, what it says, its pen and its height."""

    glyph: int
    words: str
    x: float  # in sizes, from the first pen
    y: float
    advance: float


@lru_cache(maxsize=256)
def forbidden(face: Face) -> str:
    """Why a face cannot be put in a PDF, as the end of a sentence; "" where it can."""
    from fontTools.ttLib import TTFont, TTLibError

    try:
        with TTFont(face.path, fontNumber=face.index, lazy=True) as font:
            kind = font["OS/2"].fsType if "OS/2" in font else 0
            drawn = "glyf" in font or "CFF " in font
    except (OSError, TTLibError):
        return f"the font {face.family} cannot be read"
    if not drawn:
        return f"the font {face.family} has no outlines that a PDF holds"
    whole = kind & _UNCUT and face.path.stat().st_size > _MOST_WHOLE
    if kind & _KINDS == _RESTRICTED or kind & _ONLY_BITMAPS or whole:
        return f"the font {face.family} may not be put in a file"
    return ""


class Embedded:
    """A face of a PDF at one optical size, and the letters that are asked of it."""

    def __init__(self, file: Any, face: Face, fit: float) -> None:
        import uharfbuzz

        self.face, self.axes = face, design(face, fit)
        blob = uharfbuzz.Blob.from_file_path(str(face.path))
        self.shaper = uharfbuzz.Font(uharfbuzz.Face(blob, face.index))
        if self.axes:
            self.shaper.set_variations(self.axes)
        self.unit = int(self.shaper.face.upem)
        self.object = file.make_indirect(Dictionary())
        self.says: dict[int, str] = {}

    def row(self, words: str, *, joined: bool, backward: bool = False) -> list[Sign]:
        """Words as glyphs from the left, kerned, and as ligatures where letters may be joined."""
        import uharfbuzz

        buffer = uharfbuzz.Buffer()
        buffer.add_str(words)
        buffer.guess_segment_properties()
        buffer.direction = "rtl" if backward else "ltr"
        uharfbuzz.shape(self.shaper, buffer, {} if joined else {"liga": False, "clig": False})
        starts = sorted({info.cluster for info in buffer.glyph_infos})
        ends = dict(zip(starts, [*starts[1:], len(words)], strict=True))
        signs, pen, told = [], 0.0, set[int]()
        for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            # Of several glyphs for one letter, the first says it.
            said = "" if info.cluster in told else words[info.cluster : ends[info.cluster]]
            told.add(info.cluster)
            x, y = pen + place.x_offset / self.unit, place.y_offset / self.unit
            signs.append(Sign(info.codepoint, said, x, y, place.x_advance / self.unit))
            pen += place.x_advance / self.unit
            self.says[info.codepoint] = self.says.get(info.codepoint) or said
        return signs

    def width(self, glyph: int) -> int:
        """How far a glyph moves the pen as the PDF has it, in thousandths of the size."""
        return round(float(self.shaper.get_glyph_h_advance(glyph)) * 1000 / self.unit)

    # ── putting it in ───────────────────────────────────────────────────────────────────

    def put(self, file: Any) -> Mapping[int, int]:
        """Put the letters in the file; the code of each glyph."""
        font, codes = self._cut()
        name = self._name(font)
        kind = "/CIDFontType2" if "glyf" in font else "/CIDFontType0"
        widths = Array([part for code, wide in sorted((codes[g], self.width(g)) for g in self.says)
                        for part in (code, Array([wide]))])  # fmt: skip
        inner = Dictionary(
            Type=Name.Font, Subtype=Name(kind), BaseFont=name, DW=1000, W=widths,
            CIDSystemInfo=Dictionary(Registry=pikepdf.String("Adobe"),
                                     Ordering=pikepdf.String("Identity"), Supplement=0),
            FontDescriptor=file.make_indirect(self._described(file, font, name)),
        )  # fmt: skip
        if kind == "/CIDFontType2":
            inner.CIDToGIDMap = Name.Identity
        said = {codes[glyph]: words for glyph, words in self.says.items() if words}
        outer = Dictionary(
            Type=Name.Font, Subtype=Name.Type0, BaseFont=name, Encoding=Name("/Identity-H"),
            DescendantFonts=Array([file.make_indirect(inner)]),
            ToUnicode=file.make_stream(to_unicode(said)),
        )  # fmt: skip
        _fill(self.object, outer)
        return codes

    def _cut(self) -> tuple[Any, dict[int, int]]:
        """The font with no more than the letters asked for, and their codes in it."""
        from fontTools.subset import Options, Subsetter
        from fontTools.ttLib import TTFont
        from fontTools.varLib import instancer

        font = TTFont(self.face.path, fontNumber=self.face.index, recalcTimestamp=False)
        names = {glyph: font.getGlyphName(glyph) for glyph in self.says}
        if not ("OS/2" in font and font["OS/2"].fsType & _UNCUT):
            options = Options()
            options.layout_features, options.notdef_outline = [], True
            options.hinting, options.glyph_names = False, True
            options.layout_closure = False
            for table in {"FFTM", "GSUB", "GPOS", "GDEF", "kern", "BASE", "STAT"} & set(
                font.keys()
            ):
                del font[table]  # words are shaped already, and reading these takes seconds
            cut = Subsetter(options)
            cut.populate(glyphs=list(names.values()))
            cut.subset(font)
        if "fvar" in font:
            font = instancer.instantiateVariableFont(font, self.axes, inplace=True)
        font.flavor = None
        if "CFF " in font and hasattr(font["CFF "].cff.topDictIndex[0], "ROS"):
            return font, {glyph: int(name[3:]) for glyph, name in names.items()}
        return font, {glyph: font.getGlyphID(name) for glyph, name in names.items()}

    def _name(self, font: Any) -> Name:
        """The name as programs read it: family, weight and slant, marked as a part."""
        face = self.face
        family = re.sub(r"[^A-Za-z0-9]", "", face.family)
        own = font["name"].getDebugName(6) or "Font"
        weight = _WEIGHTS[min(_WEIGHTS, key=lambda known: abs(known - face.weight))]
        style = weight + "Italic" * face.italic
        plain = f"{family}-{style.replace('RegularItalic', 'Italic')}" if family else own
        # Two parts of one font must not share a name, or readers take one for the other.
        letters = repr((sorted(self.says.items()), sorted(self.axes.items())))
        mark = hashlib.sha256(letters.encode()).hexdigest()[:6].translate(_LETTERS)
        return Name(f"/{mark}+{plain}")

    def _described(self, file: Any, font: Any, name: Name) -> Dictionary:
        head, across, face = font["head"], font["hhea"], self.face
        scale = 1000 / head.unitsPerEm
        flags = _SYMBOLIC | _SLANTED * face.italic
        flags |= _FIXED * (face.kind == "mono") | _SERIF * (face.kind == "serif")
        capital = getattr(font["OS/2"], "sCapHeight", 0) if "OS/2" in font else 0
        described = Dictionary(
            Type=Name.FontDescriptor, FontName=name, Flags=flags,
            FontFamily=pikepdf.String(face.family), FontWeight=face.weight,
            FontBBox=[round(v * scale) for v in (head.xMin, head.yMin, head.xMax, head.yMax)],
            ItalicAngle=-12 if face.italic else 0, StemV=round(50 + (face.weight / 65) ** 2),
            Ascent=round(across.ascent * scale), Descent=round(across.descent * scale),
            CapHeight=round((capital or across.ascent * 0.7) * scale),
        )  # fmt: skip
        if "glyf" in font:
            out = io.BytesIO()
            font.save(out)
            described.FontFile2 = file.make_stream(out.getvalue(), Length1=len(out.getvalue()))
        else:
            bare = font.getTableData("CFF ")
            described.FontFile3 = file.make_stream(bare, Subtype=Name.CIDFontType0C)
        return described


class Unseen:
    """A font whose letters are empty: for words that are to be found over a picture of them."""

    WIDE = 500  # thousandths of the size, every letter

    def __init__(self, file: Any) -> None:
        self.object = file.make_indirect(Dictionary())
        self.codes: dict[str, int] = {}

    def code(self, letter: str) -> int:
        """The code of a letter."""
        return self.codes.setdefault(letter, len(self.codes) + 1)

    def put(self, file: Any) -> Mapping[int, int]:
        """Put it in the file; every code is its own."""
        name = Name("/Unseen")
        data = _empty_font()
        inner = Dictionary(
            Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=name, DW=self.WIDE,
            CIDSystemInfo=Dictionary(Registry=pikepdf.String("Adobe"),
                                     Ordering=pikepdf.String("Identity"), Supplement=0),
            CIDToGIDMap=file.make_stream(bytes(2 * len(self.codes) + 2)),
            FontDescriptor=file.make_indirect(Dictionary(
                Type=Name.FontDescriptor, FontName=name, Flags=_SYMBOLIC, FontBBox=[0, 0, 500, 700],
                ItalicAngle=0, StemV=80, Ascent=800, Descent=-200, CapHeight=700,
                FontFile2=file.make_stream(data, Length1=len(data)),
            )),
        )  # fmt: skip
        said = {code: letter for letter, code in self.codes.items()}
        _fill(self.object, Dictionary(
            Type=Name.Font, Subtype=Name.Type0, BaseFont=name, Encoding=Name("/Identity-H"),
            DescendantFonts=Array([file.make_indirect(inner)]),
            ToUnicode=file.make_stream(to_unicode(said)),
        ))  # fmt: skip
        return {code: code for code in said}


def _fill(place: Any, things: Dictionary) -> None:
    for key, value in things.items():
        place[key] = value


def _empty_font() -> bytes:
    """A TrueType font of one glyph that draws nothing."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.ttLib.tables._g_l_y_f import Glyph

    made = FontBuilder(1000, isTTF=True)
    made.setupGlyphOrder([".notdef"])
    made.setupGlyf({".notdef": Glyph()})
    made.setupHorizontalMetrics({".notdef": (Unseen.WIDE, 0)})
    made.setupHorizontalHeader(ascent=800, descent=-200)
    made.setupPost()
    # The moment it was made would make every file another.
    made.updateHead(created=0, modified=0)
    made.font.recalcTimestamp = False
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


class Fonts:
    """The fonts of a file, each once, and the codes of their glyphs once all are known."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.known: dict[tuple[Face, float], Embedded] = {}

    def of(self, face: Face, fit: float) -> Embedded:
        """The face at an optical size; 0: it has but one."""
        if (face, fit) not in self.known:
            self.known[face, fit] = Embedded(self.file, face, fit)
        return self.known[face, fit]

    @cached_property
    def unseen(self) -> Unseen:
        """The font of words that are not drawn."""
        return Unseen(self.file)

    def put(self) -> dict[int, Mapping[int, int]]:
        """Put all of them in the file; the codes of each, by its `id`."""
        codes = {id(font): font.put(self.file) for font in self.known.values()}
        if "unseen" in self.__dict__:
            codes[id(self.unseen)] = self.unseen.put(self.file)
        return codes


def to_unicode(said: Mapping[int, str]) -> bytes:
    """The map from codes of two bytes to words."""
    return "\n".join(_map_lines(said)).encode("ascii")


def _map_lines(said: Mapping[int, str]) -> Iterator[str]:
    yield "/CIDInit /ProcSet findresource begin 12 dict begin begincmap"
    yield "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def"
    yield "/CMapName /Adobe-Identity-UCS def /CMapType 2 def"
    yield "1 begincodespacerange <0000> <FFFF> endcodespacerange"
    pairs = sorted(said.items())
    for start in range(0, len(pairs), 100):
        part = pairs[start : start + 100]
        yield f"{len(part)} beginbfchar"
        for code, words in part:
            told = words.encode("utf-16-be", "replace").hex().upper()
            yield f"<{code:04X}> <{told}>"
        yield "endbfchar"
    yield "endcmap CMapName currentdict /CMap defineresource pop end end"
