"""Lines of a PDF's page: letters as pdfium finds them, gathered by the line they stand on.

One line a person sees may be many text objects, for files place words and even letters one by
one. Letters go together while they run on along one baseline; a space is put in where there is
room for one. Each letter remembers the object it belongs to, so that edits find their way back.
"""

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pypdfium2.raw as raw

from overpaint.document.layers import Colour, Run, Stroke, Style
from overpaint.document.pdf.page import Leaf, Matrix, Page, at, times

MAX_LETTERS = 100_000  # of a page
NEAR = 1.0  # in sizes: what stands further off begins another line
BACK = 0.6  # so far may a letter stand back: kerning, accents
SPACE = 0.18  # a gap this wide between two objects is a space
ODD = 2.5  # times as large is another line, though it stands on the same baseline
OFF = 0.12  # off the baseline by more than this is a line of its own: a superscript
_HYPHEN = 2  # pdfium's sign for a hyphen that ends a line


@dataclass(frozen=True)
class Letter:
    """A letter or a space, where its pen is in pixels, and its object's number among the leaves."""

    words: str
    x: float
    y: float
    end: float  # along the line, where the next pen would be
    leaf: int  # -1: a space that stands in no object
    style: Style
    angle: float  # clockwise


@dataclass
class Line:
    """Letters in a row."""

    letters: list[Letter]
    spares: list[int] = field(default_factory=list)  # leaves that say the same again, to look bold

    @property
    def words(self) -> str:
        """All it says."""
        return "".join(letter.words for letter in self.letters)

    @property
    def leaves(self) -> tuple[int, ...]:
        """The numbers of its objects, in their order."""
        own = {letter.leaf for letter in self.letters if letter.leaf >= 0}
        return tuple(sorted(own | set(self.spares)))

    @property
    def angle(self) -> float:
        """Degrees clockwise."""
        return self.letters[0].angle

    @property
    def runs(self) -> tuple[Run, ...]:
        """Its words, cut where the style changes; a space between goes with what is before."""
        runs: list[Run] = []
        for letter in self.letters:
            if runs and (letter.leaf < 0 or letter.style == runs[-1].style):
                runs[-1] = Run(runs[-1].words + letter.words, runs[-1].style)
            else:
                runs.append(Run(letter.words, letter.style))
        return tuple(runs)


def lines_of(page: Page, *, unseen: bool = False) -> list[Line]:
    """The lines of a page whose letters show, or do not show, in the order of the file."""
    lines: list[Line] = []
    gap = True  # whether a new line was said to begin
    space = False
    for letter in _letters(page, unseen=unseen):
        if letter.leaf < 0:
            gap, space = gap or letter.words == "\n", space or letter.words == " "
            continue
        before = lines[-1].letters[-1] if lines and lines[-1].letters else None
        if before is None or not (_same_object(before, letter) or _goes_on(before, letter, gap)):
            lines.append(Line([]))
        elif (space or _apart(before, letter)) and _spaced(before, letter):
            lines[-1].letters.append(_space(before))
        lines[-1].letters.append(letter)
        gap = space = False
    lines = [line for line in lines if line.words.strip()]
    if not unseen:
        _add_spares(page, lines)
    return lines


def _same_object(before: Letter, letter: Letter) -> bool:
    return before.leaf == letter.leaf


def _goes_on(before: Letter, letter: Letter, gap: bool) -> bool:
    """Whether a letter of another object stands next on the same baseline."""
    if gap or abs((letter.angle - before.angle + 180) % 360 - 180) > 0.5:
        return False
    there, off = along(letter), _off(letter, before)
    small, size = sorted((before.style.size, letter.style.size))
    if size > ODD * small:
        return False
    return abs(off) <= OFF * size and -BACK * size <= there - before.end <= NEAR * size


def _apart(before: Letter, letter: Letter) -> bool:
    return before.leaf != letter.leaf and along(letter) - before.end > SPACE * before.style.size


def _spaced(before: Letter, letter: Letter) -> bool:
    """Whether a gap between two letters is a space: there is none yet, and their script has it."""
    return " " not in (before.words, letter.words) and not (_han(before) and _han(letter))


def _han(letter: Letter) -> bool:
    """Whether it is of a script that is written without spaces."""
    return "\u2e80" <= letter.words[:1] <= "\ud7a3" or "\uf900" <= letter.words[:1] <= "\uffef"


def _space(before: Letter) -> Letter:
    return Letter(" ", before.x, before.y, before.end, -1, before.style, before.angle)


def along(letter: Letter) -> float:
    """How far along its line a letter's pen is."""
    turn = math.radians(letter.angle)
    return letter.x * math.cos(turn) + letter.y * math.sin(turn)


def _off(letter: Letter, before: Letter) -> float:
    turn = math.radians(before.angle)
    return (letter.y - before.y) * math.cos(turn) - (letter.x - before.x) * math.sin(turn)


def _add_spares(page: Page, lines: list[Line]) -> None:
    """Give each line the objects that pdfium passes over since they say the same in its place."""
    said = {number for line in lines for number in line.leaves}
    places: dict[int, tuple[Letter, Line]] = {}
    for line in lines:
        for letter in line.letters:
            if letter.leaf >= 0:
                places.setdefault(letter.leaf, (letter, line))
    for number, leaf in enumerate(page.leaves):
        if number in said or not leaf.lifted:
            continue
        page.check_time()
        x, y = _pen(page, leaf)
        for letter, line in places.values():
            if math.hypot(letter.x - x, letter.y - y) < 0.15 * letter.style.size:
                line.spares.append(number)
                break


def _pen(page: Page, leaf: Leaf) -> tuple[float, float]:
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(leaf.handle, matrix)
    return at(times(leaf.outer, page.device), matrix.e, matrix.f)


# ── letters ─────────────────────────────────────────────────────────────────────────────


def _letters(page: Page, *, unseen: bool) -> Iterator[Letter]:
    """Every letter of the page's objects; breaks and spaces that pdfium adds have no leaf."""
    numbers = {
        leaf.address: i
        for i, leaf in enumerate(page.leaves)
        if (leaf.unseen if unseen else leaf.lifted)
    }
    text = page.page.get_textpage()
    look = _Look(page)
    for i in range(min(text.count_chars(), MAX_LETTERS)):
        if i % 1000 == 0:
            page.check_time()
        code = raw.FPDFText_GetUnicode(text, i)
        if raw.FPDFText_IsGenerated(text, i):
            yield Letter("\n" if code in (10, 13) else " ", 0, 0, 0, -1, look.plain, 0)
            continue
        handle = raw.FPDFText_GetTextObject(text, i)
        number = numbers.get(ctypes.addressof(handle.contents)) if handle else None
        if number is not None and (letter := _letter(look, text, i, number)):
            yield letter


def _letter(look: "_Look", text: Any, i: int, number: int) -> Letter | None:
    matrix = raw.FS_MATRIX()
    x, y = ctypes.c_double(), ctypes.c_double()
    box = raw.FS_RECTF()
    raw.FPDFText_GetMatrix(text, i, matrix)
    raw.FPDFText_GetCharOrigin(text, i, x, y)
    raw.FPDFText_GetLooseCharBox(text, i, box)
    to = times((matrix.a, matrix.b, matrix.c, matrix.d, 0.0, 0.0), look.linear)
    size = raw.FPDFText_GetFontSize(text, i) * math.hypot(to[2], to[3])
    edges = (box.left, box.right, box.top, box.bottom, x.value, y.value, size, *to)
    if not all(math.isfinite(edge) for edge in edges) or not 0.1 < size < 1e5:
        return None
    px, py = at(look.page.device, x.value, y.value)
    turn = math.atan2(to[1], to[0])
    corners = [at(look.page.device, u, v) for u in (box.left, box.right)
               for v in (box.bottom, box.top)]  # fmt: skip
    end = max(u * math.cos(turn) + v * math.sin(turn) for u, v in corners)
    style = look.style(number, round(size, 2), to)
    code = raw.FPDFText_GetUnicode(text, i)
    words = "-" if code == _HYPHEN else chr(code) if 31 < code < 0x110000 else "\ufffd"
    # Two halves of a letter beyond the first plane come one by one on some machines.
    words = "\ufffd" if 0xD800 <= code <= 0xDFFF else words
    return Letter(words, px, py, end, number, style, round(math.degrees(turn), 3) + 0.0)


class _Look:
    """The styles of a page's objects, each found once."""

    def __init__(self, page: Page) -> None:
        self.page, self.plain = page, Style()
        a, b, c, d, _, _ = page.device
        self.linear: Matrix = (a, b, c, d, 0.0, 0.0)
        self.known: dict[tuple[int, float], Style] = {}

    def style(self, number: int, size: float, to: Matrix) -> Style:
        key = (number, size)
        if key not in self.known:
            self.known[key] = self._found(self.page.leaves[number], size, to)
        return self.known[key]

    def _found(self, leaf: Leaf, size: float, to: Matrix) -> Style:
        font = raw.FPDFTextObj_GetFont(leaf.handle)
        family, weight, italic = named(base_name(font), raw.FPDFFont_GetFlags(font))
        own = _told(raw.FPDFFont_GetFamilyName, font)
        if own.replace(" ", "") == family.replace(" ", ""):
            family = own  # PT Sans, where a font's name in a PDF has but PTSans
        across, up = math.hypot(to[0], to[1]), math.hypot(to[2], to[3])
        # An upright font that is slanted by its matrix is what programs do for want of an italic.
        slant = (to[0] * to[2] + to[1] * to[3]) / max(1e-9, across * up)
        return Style(
            family, size, weight, italic or abs(slant) > 0.1,
            _colour(leaf.handle, raw.FPDFPageObj_GetFillColor),
            stretch=round(across / up, 3) if up else 1.0, stroke=_stroke(leaf, up),
        )  # fmt: skip


def _stroke(leaf: Leaf, scale: float) -> Stroke | None:
    if raw.FPDFTextObj_GetTextRenderMode(leaf.handle) == 0:
        return None
    width = ctypes.c_float()
    raw.FPDFPageObj_GetStrokeWidth(leaf.handle, width)
    return Stroke(_colour(leaf.handle, raw.FPDFPageObj_GetStrokeColor), round(width.value, 2))


def _colour(handle: Any, ask: Any) -> Colour:
    parts = [ctypes.c_uint() for _ in range(4)]
    if not ask(handle, *parts):
        return 0, 0, 0, 255
    red, green, blue, alpha = (part.value for part in parts)
    return red, green, blue, alpha


def base_name(font: Any) -> str:
    """What a PDF calls a font of pdfium's."""
    return _told(raw.FPDFFont_GetBaseFontName, font)


def _told(ask: Any, font: Any) -> str:
    length = ask(font, None, 0)
    held = ctypes.create_string_buffer(length or 1)
    ask(font, held, length)
    return held.value.decode("utf-8", "replace")


# ── names of fonts ──────────────────────────────────────────────────────────────────────

_WEIGHTS = {
    "thin": 100, "hairline": 100, "extralight": 200, "ultralight": 200, "light": 300,
    "demilight": 350, "medium": 500, "semibold": 600, "demibold": 600, "demi": 600,
    "extrabold": 800, "ultrabold": 800, "medi": 700, "bold": 700, "black": 900, "heavy": 900,
}  # fmt: skip
# Words that families end in as well count only behind a hyphen or a comma.
_TAIL = re.compile(
    r"(?:[-, ](roman|book|regu|medi|demi|black|heavy|light|thin|medium)|[-, ]?(mt|ps|psmt|regular|"
    r"italic|oblique|ital|" + "|".join(sorted(_WEIGHTS, key=len, reverse=True)[:9]) + r"|bold))$",
    re.IGNORECASE,
)
_OWN = {  # the names of PDF's standard fonts, and of those that their names are joined in
    "TimesNewRoman": "Times New Roman", "CourierNew": "Courier New", "ArialNarrow": "Arial Narrow",
}  # fmt: skip
_FORCE_BOLD, _ITALIC = 1 << 18, 1 << 6


@lru_cache(maxsize=1024)
def named(base: str, flags: int = 0) -> tuple[str, int, bool]:
    """Family, weight and slant of a font by its PostScript name: ABCDEF+Lato-BoldItalic."""
    name = re.sub(r"^[A-Z]{6}\+", "", base)
    if tex := re.match(r"(?:CM|SFRM|LM)(BX|B|TI|SL|R|SS|TT)[A-Z]*\d", name):
        bold = tex[1] in ("BX", "B")
        return "Computer Modern", 700 if bold else 400, tex[1] in ("TI", "SL")
    family, weight, italic = name, 400, bool(flags > 0 and flags & _ITALIC)
    while found := _TAIL.search(family):
        word = (found[1] or found[2]).lower()
        weight = _WEIGHTS.get(word, weight)
        italic = italic or word in ("italic", "oblique", "ital")
        family = family[: found.start()]
    if flags > 0 and flags & _FORCE_BOLD:
        weight = max(weight, 700)
    family = family.rstrip("-, ") or name
    spaced = _OWN.get(family) or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", family)
    return spaced, weight, italic
