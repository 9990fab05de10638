"""Drawing: words on one line in one face, as how far they cover each pixel.

Letters are drawn by Pillow (FreeType, HarfBuzz) on a sheet that is `FINE` times larger, which
leaves them unbent by hints and lets them stand at quarters of a pixel, then shrunk.
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from overpaint.document.layers import Pixels, Point, Style
from overpaint.document.text.fonts import Face
from overpaint.document.text.sfnt import Axis, Damaged, faces_of
from overpaint.errors import DataError, Refused

FINE = 4
FAINT = 3  # of 255: weaker ink is dropped, so that a box is as tight as the eye sees it
LARGEST = 1 << 27  # pixels of a sheet: 128 MB
Piece = tuple[str, float]  # words, and where their pen is from the line's, in pixels
Fonts = ImageFont.FreeTypeFont


@dataclass(frozen=True)
class Cover:
    """How far pixels are covered, 0–255, and the corner from the whole pixel the pen is in."""

    alpha: Pixels
    left: int
    top: int


# ── fonts ───────────────────────────────────────────────────────────────────────────────


def optical(face: Face, size: float) -> float:
    """The optical size a face is drawn for at that size; 0 where it has but one."""
    return size if _has_sizes(face) else 0.0


@lru_cache(maxsize=4096)
def _has_sizes(face: Face) -> bool:
    return bool(face.axes) and any(axis.tag == "opsz" for axis in _axes(face.path, face.index))


@lru_cache(maxsize=64)  # a Chinese font takes megabytes each time
def load(face: Face, size: float, fit: float, *, shaped: bool = True) -> Fonts:
    """The face at a size in pixels of its sheet, as `optical` says it is drawn for.

    Where it is not shaped, letters do not join; single ones are drawn much sooner so.
    """
    engine = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    try:
        font = ImageFont.truetype(str(face.path), size, index=face.index, layout_engine=engine)
        if face.axes:
            font.set_variation_by_axes(list(design(face, fit).values()))
    except (OSError, Damaged) as error:
        raise DataError(
            f"The font {face.path} cannot be read: {error}.",
            "It should be a TrueType or OpenType font.",
            "Take it off this machine, or install it again.",
        ) from error
    return font


def design(face: Face, fit: float) -> dict[str, float]:
    """The value of each axis of a variable face, in the file's order."""
    wished = {"opsz": fit, **dict(face.axes)}
    axes = _axes(face.path, face.index)
    return {a.tag: min(max(wished.get(a.tag, a.usual), a.low), a.high) for a in axes}


@lru_cache(maxsize=512)
def _axes(path: Path, index: int) -> tuple[Axis, ...]:
    return next((facts.axes for facts in faces_of(path) if facts.index == index), ())


# ── places ──────────────────────────────────────────────────────────────────────────────


def advance(words: str, face: Face, style: Style) -> float:
    """How far the pen moves over the words, in pixels: kerned, spaced, stretched, with gaps."""
    size, scale = style.size, _scale(style)
    joined = not style.spacing
    if in_one_go(style):
        natural = _length(words, face, size, scale, joined=joined) / scale
    else:  # word by word, as they are drawn: nothing kerns across a space
        parts = words.split(" ")
        spaces = (len(parts) - 1) * _length(" ", face, size, scale, joined=joined)
        natural = spaces + sum(_length(p, face, size, scale, joined=joined) for p in parts if p)
        natural /= scale
    added = style.spacing * len(words) + style.gap * words.count(" ")
    return natural * style.stretch + added


def in_one_go(style: Style) -> bool:
    """Whether lines are drawn as a whole: so asked, or hinted, unless their spaces are widened."""
    return (style.whole or style.edges == "hinted") and not style.gap


@lru_cache(maxsize=65536)
def _length(words: str, face: Face, size: float, scale: int, *, joined: bool) -> float:
    return load(face, size * scale, optical(face, size)).getlength(
        words, features=_features(joined)
    )


@lru_cache(maxsize=1024)
def letters(words: str, face: Face, size: float, scale: int = FINE) -> tuple[Piece, ...]:
    """Each letter with its pen on a sheet `scale` times larger, kerned, without ligatures."""
    marks: list[str] = []
    for letter in words:
        if marks and unicodedata.combining(letter):
            marks[-1] += letter
        else:
            marks.append(letter)
    placed, said = [], ""
    for mark in marks:
        said += mark
        before = _length(said, face, size, scale, joined=False)
        placed.append((mark, before - _length(mark, face, size, scale, joined=False)))
    return tuple(placed)


def _features(joined: bool) -> list[str] | None:
    """Letters that are spaced out are not joined into ligatures."""
    return None if joined else ["-liga", "-clig"]


def _scale(style: Style) -> int:
    return 1 if style.edges == "hinted" else FINE


# ── ink ─────────────────────────────────────────────────────────────────────────────────


def draw_line(words: str, face: Face, style: Style, at: Point = (0.0, 0.0)) -> Cover:
    """The words with the pen at that place; the corner counts from its whole pixel."""
    return draw_pieces([(words, 0.0)], face, style, at)


def draw_pieces(pieces: Sequence[Piece], face: Face, style: Style, at: Point = (0.0, 0.0)) -> Cover:
    """Words on one line, each with its pen; the corner counts from the line's whole pixel."""
    across, down = at[0] - math.floor(at[0]), at[1] - math.floor(at[1])
    moved = [
        (part, x + across + before)
        for words, x in pieces
        for part, before in _parted(words, face, style)
    ]
    sheet, left, top = _sheet(moved, (across, down), face, style)
    scale = _scale(style)
    if style.swell < 0:
        sheet = thinned(sheet, -style.swell * style.size * scale)
    if style.stretch != 1.0:
        sheet, left = _stretched(sheet, left, across, style)
    alpha = np.asarray(Image.fromarray(sheet).reduce(scale)) if scale > 1 else sheet
    return _trimmed(alpha, left // scale, top // scale, style.blur)


def draw_fine(words: str, face: Face, style: Style) -> Cover:
    """The words before they are shrunk, `FINE` times larger, the corner from the pen, there."""
    parts = _parted(words, face, style)
    sheet, left, top = _sheet(parts, (0.0, 0.0), face, style)
    if style.swell < 0:
        sheet = thinned(sheet, -style.swell * style.size * FINE)
    return Cover(sheet, left, top)


def _parted(words: str, face: Face, style: Style) -> list[Piece]:
    """Each word with its pen, as whoever breaks and justifies lines sets them."""
    if in_one_go(style):
        return [(words, 0.0)]
    found = re.finditer(r"[^ ]+", words)
    return [(word[0], advance(words[: word.start()], face, style)) for word in found]


def _sheet(
    pieces: Sequence[Piece], pen: Point, face: Face, style: Style
) -> tuple[Pixels, int, int]:
    """The ink `scale` times larger, and its corner from the line's whole pixel, there."""
    scale = _scale(style)
    font = load(face, style.size * scale, optical(face, style.size))
    fat = max(0.0, style.swell * style.size * scale)
    joined = not style.spacing and style.edges != "plain"
    placed = [(w, x) for w, x in _placed(pieces, pen[0], face, style) if w.strip()]
    y = pen[1] if scale == 1 else round(pen[1] * scale)
    boxes = [font.getbbox(w, anchor="ls", stroke_width=fat) for w, _ in placed]
    spans = [
        (x + b[0], b[1] + y, x + b[2], b[3] + y) for (_, x), b in zip(placed, boxes, strict=True)
    ]
    if not spans:
        return np.zeros((scale, scale), np.uint8), 0, 0
    left, top = (scale * (math.floor(min(s[i] for s in spans) / scale) - 1) for i in (0, 1))
    wide, high = (math.ceil(max(s[i] for s in spans)) + scale - o for i, o in ((2, left), (3, top)))
    wide, high = -(-wide // scale) * scale, -(-high // scale) * scale
    if wide * high > LARGEST:
        raise Refused(
            f"A line of {wide // scale}×{high // scale} pixels is too large to draw.",
            f"It may have {LARGEST // scale**2:,} pixels.",
            "Use a smaller size or fewer words.",
        )
    sheet = Image.new("L", (wide, high), 0)
    draw = ImageDraw.Draw(sheet)
    for words, x in placed:
        draw.text(
            (x - left, y - top), words, 255, font, "ls", stroke_width=fat,
            features=_features(joined),
        )  # fmt: skip
    return np.asarray(sheet), left, top


def _placed(pieces: Sequence[Piece], start: float, face: Face, style: Style) -> list[Piece]:
    """What is drawn in one go, and its pen on the sheet before it is stretched."""
    scale = _scale(style)
    placed: list[Piece] = []
    for words, x in pieces:
        pen = (start + (x - start) / style.stretch) * scale
        if style.edges != "plain" and not style.spacing:
            placed.append((words, pen if scale == 1 else round(pen)))
            continue
        step = style.spacing * scale / style.stretch
        for i, (letter, before) in enumerate(letters(words, face, style.size, scale)):
            exact = pen + before + i * step
            whole = scale * round(exact / scale)  # letters at whole pixels
            placed.append((letter, whole if style.edges == "plain" else exact))
    return placed


def _stretched(sheet: Pixels, left: int, across: float, style: Style) -> tuple[Pixels, int]:
    """The sheet made wider about the pen, its corner still at a whole pixel of the page."""
    import cv2

    scale, stretch = _scale(style), style.stretch
    pen = across * scale
    to = scale * math.floor((pen + (left - pen) * stretch) / scale)
    wide = scale * (math.ceil(sheet.shape[1] * stretch / scale) + 1)
    # Pixel middles: x' + to + ½ = pen + (x + left + ½ − pen) · stretch.
    shift = pen + (left + 0.5 - pen) * stretch - to - 0.5
    matrix = np.array([[stretch, 0.0, shift], [0.0, 1.0, 0.0]])
    return np.asarray(cv2.warpAffine(sheet, matrix, (wide, sheet.shape[0]))), to


def thinned(sheet: Pixels, by: float) -> Pixels:
    """Strokes thinner by so many pixels of the sheet on either side, or a fraction of one."""
    import cv2

    def worn(radius: int) -> NDArray[np.float32]:
        round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
        return np.asarray(cv2.erode(sheet, round_), np.float32)

    whole = math.floor(by)
    mixed = (whole + 1 - by) * worn(whole) + (by - whole) * worn(whole + 1)
    return np.rint(mixed).astype(np.uint8)


def _trimmed(alpha: Pixels, left: int, top: int, blur: float) -> Cover:
    """The ink blurred, and nothing around it."""
    if blur > 0:
        import cv2

        more = math.ceil(3 * blur) + 1
        soft = np.pad(alpha.astype(np.float32), more)
        alpha = np.rint(cv2.GaussianBlur(soft, (0, 0), blur)).astype(np.uint8)
        left, top = left - more, top - more
    kept = np.where(alpha < FAINT, 0, alpha).astype(np.uint8)
    rows, columns = np.flatnonzero(kept.any(axis=1)), np.flatnonzero(kept.any(axis=0))
    if not len(rows):
        return Cover(np.zeros((0, 0), np.uint8), 0, 0)
    (y0, y1), (x0, x1) = (rows[0], rows[-1] + 1), (columns[0], columns[-1] + 1)
    return Cover(kept[y0:y1, x0:x1], left + int(x0), top + int(y0))
