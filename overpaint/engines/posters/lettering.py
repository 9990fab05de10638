"""Lettering: a text is set into ink of its own, so changing one text touches no other pixel."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from overpaint import weights
from overpaint.document import Pixels
from overpaint.engines.posters.brush import rgb

FINE = 4  # letters are drawn this many times larger and shrunk
LEADING = 1.16  # from line to line, in sizes
FAINT = 3  # of 255: weaker ink is dropped, so that a glow has an end

# A role's font for Latin letters and for Chinese, as the table of weights calls them, and how much
# the Chinese strokes are thickened, in sizes: those families come in one weight alone.
FACES = {
    "sans": ("font-sans", "font-chinese-sans", 0.004),
    "sans-bold": ("font-sans-bold", "font-chinese-sans", 0.024),
    "display": ("font-display", "font-chinese-sans", 0.03),
    "serif": ("font-serif", "font-chinese-serif", 0.006),
    "serif-bold": ("font-display-serif", "font-chinese-serif", 0.026),
    "script": ("font-script", "font-chinese-serif", 0.014),
}


@dataclass(frozen=True)
class Cylinder:
    """A round surface seen a little from above: its axis, its radius, how far lines sag."""

    x: float
    radius: float
    sag: float


@dataclass(frozen=True)
class Text:
    """Words and all that decides how they look. `x`, `y`: the first baseline, or the top."""

    words: str
    x: float
    y: float
    size: float
    colour: str = "#000000"
    role: str = "sans"
    align: str = "l"  # l, m or r: what of the words stands at x
    tracking: float = 0.0  # extra room after each letter, in sizes
    angle: float = 0.0  # degrees, counter-clockwise about the middle of the words
    down: bool = False  # Chinese set from top to bottom; x is the middle of the column
    glow: str = ""  # colour of the light or shadow around the letters
    spread: float = 0.0  # how far it reaches, in pixels
    round: Cylinder | None = None


@dataclass(frozen=True)
class Ink:
    """Colour strength for a box of pixels."""

    left: int
    top: int
    alpha: NDArray[np.uint8]
    colour: str

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom; the last two just outside."""
        height, width = self.alpha.shape
        return self.left, self.top, self.left + width, self.top + height


def chinese(words: str) -> bool:
    """Whether any letter is Chinese (or the full-width punctuation that goes with it)."""
    return any("\u3000" <= letter <= "\u9fff" or "\uff00" <= letter <= "\uffef" for letter in words)


def font(role: str, words: str, size: float) -> ImageFont.FreeTypeFont:
    """The font of a role for these words: the one place where fonts are chosen."""
    latin, han, _ = FACES[role]
    return _load(weights.find(han if chinese(words) else latin), max(1, round(size)))


def _swell(text: Text) -> int:
    """By how much each stroke is thickened on either side, on the fine sheet."""
    return round(FACES[text.role][2] * text.size * FINE) if chinese(text.words) else 0


@lru_cache(maxsize=256)
def _load(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


def width(text: Text) -> float:
    """How wide the widest line is, in pixels of the picture."""
    face = font(text.role, text.words, text.size * FINE)
    return max(_length(face, line, text) for line in text.words.split("\n")) / FINE


def fit(text: Text, room: float, *others: str) -> Text:
    """The text, made smaller where it or any of the other words would not fit the room."""
    widest = max(width(replace(text, words=words)) for words in (text.words, *others) if words)
    return replace(text, size=text.size * min(1.0, room / widest))


@lru_cache(maxsize=256)  # source, truth and mask share most texts
def inks(text: Text) -> tuple[Ink, ...]:
    """What setting the text puts on the picture, in painting order."""
    letters = _letters(text)
    if not text.glow:
        return (letters,)
    return (*_halo(letters, text), letters)


def stamp(picture: Pixels, ink: Ink) -> None:
    """Paint ink onto a picture in place; what lies beyond its edge is lost."""
    left, top = max(0, ink.left), max(0, ink.top)
    right, bottom = min(picture.shape[1], ink.box[2]), min(picture.shape[0], ink.box[3])
    if left >= right or top >= bottom:
        return
    part = ink.alpha[top - ink.top : bottom - ink.top, left - ink.left : right - ink.left]
    alpha = part[:, :, None].astype(np.int32)
    under = picture[top:bottom, left:right].astype(np.int32)
    colour = np.array(rgb(ink.colour), np.int32)
    picture[top:bottom, left:right] = (under * (255 - alpha) + colour * alpha + 127) // 255


def _length(face: ImageFont.FreeTypeFont, line: str, text: Text) -> float:
    return face.getlength(line) + max(0, len(line) - 1) * text.tracking * text.size * FINE


def _letters(text: Text) -> Ink:
    """Draw large around the anchor, turn or bend, then shrink on the picture's own grid."""
    face = font(text.role, text.words, text.size * FINE)
    before, above, after, below = (math.ceil(room) * FINE for room in _room(text))
    ax, ay = round(text.x * FINE), round(text.y * FINE)
    # The sheet's corner is a whole pixel of the picture.
    left, top = (ax - before) // FINE * FINE, (ay - above) // FINE * FINE
    sheet = Image.new("L", (before + after + FINE, above + below + FINE), 0)
    _set(ImageDraw.Draw(sheet), (ax - left, ay - top), text, face)
    if text.angle:
        sheet = _turned(sheet, text.angle)
    if text.round:
        sheet = _bent(sheet, text.round, left)
    return _cropped(np.asarray(sheet.reduce(FINE)), left // FINE, top // FINE, text.colour)


def _room(text: Text) -> tuple[float, float, float, float]:
    """How far ink can reach from the anchor: left, up, right, down."""
    size = text.size
    if text.down:
        return size, size, size, size * (len(text.words) * (1.06 + text.tracking) + 1)
    wide = width(text)
    start = wide * {"l": 0, "m": 0.5, "r": 1}[text.align]
    before, after = start + size, wide - start + size
    above = 1.5 * size
    below = (text.words.count("\n") * LEADING + 0.8) * size
    if text.angle:
        # Room for the box as it is set, and turned about its middle.
        angle = math.radians(text.angle)
        sine, cosine = abs(math.sin(angle)), abs(math.cos(angle))
        across, along = before + after, above + below
        half = ((across * cosine + along * sine) / 2, (across * sine + along * cosine) / 2)
        middle = ((after - before) / 2, (below - above) / 2)
        before, after = max(before, half[0] - middle[0]), max(after, half[0] + middle[0])
        above, below = max(above, half[1] - middle[1]), max(below, half[1] + middle[1])
    sag = text.round.sag if text.round else 0
    return before, above + sag, after, below + sag


def _set(
    pen: ImageDraw.ImageDraw, origin: tuple[int, int], text: Text, face: ImageFont.FreeTypeFont
) -> None:
    em, swell = text.size * FINE, _swell(text)
    if text.down:
        step = em * (1.06 + text.tracking)
        for i, letter in enumerate(text.words):
            middle = (origin[0], origin[1] + em / 2 + i * step)
            pen.text(middle, letter, 255, face, anchor="mm", stroke_width=swell)
        return
    for row, line in enumerate(text.words.split("\n")):
        start = origin[0] - _length(face, line, text) * {"l": 0, "m": 0.5, "r": 1}[text.align]
        y = origin[1] + row * em * LEADING
        if not text.tracking:
            pen.text((start, y), line, 255, face, anchor="ls", stroke_width=swell)
            continue
        for i, letter in enumerate(line):
            before = face.getlength(line[: i + 1]) - face.getlength(letter)
            place = (start + before + i * text.tracking * em, y)
            pen.text(place, letter, 255, face, anchor="ls", stroke_width=swell)


def _turned(sheet: Image.Image, angle: float) -> Image.Image:
    box = sheet.getbbox() or (0, 0, 1, 1)
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    return sheet.rotate(angle, Image.Resampling.BICUBIC, center=middle)


def _bent(sheet: Image.Image, surface: Cylinder, left: int) -> Image.Image:
    """Wrap the sheet around an upright cylinder: columns crowd and rise towards its edges."""
    flat = np.asarray(sheet)
    radius, axis = surface.radius * FINE, surface.x * FINE - left
    sine = np.clip((np.arange(flat.shape[1]) - axis) / radius, -0.999, 0.999)
    turn = np.arcsin(sine)
    column = np.rint(axis + radius * turn).astype(int)
    lift = np.rint(surface.sag * FINE * (np.cos(turn) - 1)).astype(int)
    row = np.arange(flat.shape[0])[:, None] - lift[None, :]
    there = (column >= 0) & (column < flat.shape[1]) & (abs(sine) < 0.999)
    inside = (row >= 0) & (row < flat.shape[0]) & there[None, :]
    taken = flat[row.clip(0, flat.shape[0] - 1), column.clip(0, flat.shape[1] - 1)[None, :]]
    return Image.fromarray(np.where(inside, taken, 0).astype(np.uint8))


def _halo(letters: Ink, text: Text) -> tuple[Ink, ...]:
    """A wide soft light and a narrow strong one around the letters."""
    room = math.ceil(3 * text.spread) + 2
    height, wide = letters.alpha.shape
    sheet = Image.new("L", (wide + 2 * room, height + 2 * room), 0)
    sheet.paste(Image.fromarray(letters.alpha), (room, room))
    found = []
    for radius in (text.spread, text.spread / 3):
        soft = np.asarray(sheet.filter(ImageFilter.GaussianBlur(radius)))
        found.append(_cropped(soft, letters.left - room, letters.top - room, text.glow))
    return tuple(found)


def _cropped(alpha: NDArray[np.uint8], left: int, top: int, colour: str) -> Ink:
    alpha = np.where(alpha < FAINT, 0, alpha).astype(np.uint8)
    rows, columns = np.flatnonzero(alpha.any(axis=1)), np.flatnonzero(alpha.any(axis=0))
    if not rows.size:
        return Ink(left, top, np.zeros((0, 0), np.uint8), colour)
    (y0, y1), (x0, x1) = (rows[0], rows[-1] + 1), (columns[0], columns[-1] + 1)
    return Ink(left + int(x0), top + int(y0), alpha[y0:y1, x0:x1], colour)
