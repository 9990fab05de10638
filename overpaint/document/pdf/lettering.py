"""Words of text layers as operators of a PDF: live in their font, or unseen over a picture."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from overpaint.document.layers import CLEAR, Gradient, Layer, Run, Style, Text
from overpaint.document.pdf.canvas import Canvas, Move, Row
from overpaint.document.pdf.fonts import Embedded, forbidden
from overpaint.document.pdf.page import Matrix
from overpaint.document.render import Sheet, sheet_of
from overpaint.document.text.bidi import strong
from overpaint.document.text.drawing import advance, in_one_go, optical
from overpaint.document.text.dressing import Dress
from overpaint.document.text.fonts import here
from overpaint.document.text.naming import parts
from overpaint.document.text.setting import Piece, SetLine, draw_text, lay
from overpaint.document.text.sfnt import rules_of

Ink = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
_ALIKE = 0.25  # of the ink: letters that another program drew may be so far from ours
_ALIKE_AFAR = 0.3  # the same, of letters in their own font that are blurred by a pixel
_OTHERWISE = "the program that it comes from drew its letters otherwise than their font has them"
_LEAST = 0.5  # thousandths of the size: the pen is not moved for less


@dataclass(frozen=True)
class Word:
    """Letters shown in one go, where their pen is, and how many spaces stand before them."""

    words: str
    x: float
    dress: Dress
    backward: bool
    spaces: int


# ── whether ─────────────────────────────────────────────────────────────────────────────


def unlive(layer: Layer, text: Text) -> str:
    """Why the words of a layer cannot be live in a PDF, as the end of a sentence; "": they can."""
    lines = lay(replace(text, drawn=None))
    for line in lines:
        for piece in line.pieces:
            if why := _unlike(piece):
                return why
    missing = _missing(text)
    if text.drawn is None or _same_ink(layer, text, known=not missing):
        return ""
    return missing or _OTHERWISE


def _missing(text: Text) -> str:
    """That a font of a text is not here; "": all are."""
    for family in dict.fromkeys(run.style.family for run in text.runs):
        if not (here().family(family) or here().family(parts(family).family)):
            return f"its font {family} is not here"
    return ""


def _unlike(piece: Piece) -> str:
    style = piece.style
    if piece.glyph is not None:
        return "its letters are cut from a picture"
    if style.blur > 0:
        return "its letters are blurred"
    if style.swell < 0 or (style.swell and (style.stroke or _alpha(style) < 1)):
        return "its letters are drawn thinner or thicker than their font has them"
    if isinstance(style.gradient, Gradient) and any(c[3] < 255 for _, c in style.gradient.stops):
        return "a PDF's gradients are not transparent"
    if style.stroke and piece.dress.face.axes:
        return f"strokes overlap in the letters of {piece.dress.face.family}, as an outline shows"
    return forbidden(piece.dress.face)


def _same_ink(layer: Layer, text: Text, *, known: bool) -> bool:
    """Whether our letters are where those of the program are that drew them.

    Many programs put each letter at a whole pixel, which is half of the ink of a small one; where
    the font is known they are looked at from a little farther away.
    """
    ours = sheet_of(replace(layer, content=replace(text, drawn=None)))
    theirs = sheet_of(layer)
    if ours is None or theirs is None:
        return ours is theirs
    box = [f(a, b) for f, a, b in zip((min, min, max, max), ours.box, theirs.box, strict=True)]
    if (box[2] - box[0]) * (box[3] - box[1]) > 4 * max(ours.pixels.size, theirs.pixels.size):
        return False
    one, other = (_laid(sheet, box) for sheet in (ours, theirs))
    if known:
        one, other = _from_afar(one), _from_afar(other)
    alike = _ALIKE_AFAR if known else _ALIKE
    return float(np.abs(one - other).sum()) <= alike * float(np.maximum(one, other).sum())


def _from_afar(ink: Ink) -> Ink:
    """Ink blurred by a pixel."""
    import cv2

    return np.asarray(cv2.GaussianBlur(np.pad(ink, 4), (0, 0), 1.0), np.float32)


def _laid(sheet: Sheet, box: list[int]) -> Ink:
    """How far pixels of a box are covered."""
    whole = np.zeros((box[3] - box[1], box[2] - box[0]), np.float32)
    high, wide = sheet.pixels.shape[:2]
    x, y = sheet.left - box[0], sheet.top - box[1]
    whole[y : y + high, x : x + wide] = sheet.pixels[:, :, 3]
    return whole


# ── live ────────────────────────────────────────────────────────────────────────────────


def overlaid(text: Text) -> bool:
    """Whether one thing of it lies over another, so that opacity is of the whole."""
    return any(run.style.shadow or run.style.stroke for run in text.runs)


def shadow_of(layer: Layer, text: Text) -> Sheet | None:
    """What the words throw on the ground, as pixels: a PDF knows no shadows."""
    if not any(run.style.shadow for run in text.runs):
        return None
    runs = tuple(Run(run.words, _only_shadow(run.style)) for run in text.runs)
    return sheet_of(replace(layer, content=replace(text, runs=runs, drawn=None), angle=0.0))


def _only_shadow(style: Style) -> Style:
    stroke = replace(style.stroke, colour=CLEAR) if style.stroke else None
    return replace(style, colour=CLEAR, gradient=None, stroke=stroke)


def write_words(canvas: Canvas, layer: Layer, text: Text, turn: Matrix) -> None:
    """Show the words of a layer on a canvas that is turned already."""
    text = replace(text, drawn=None)
    for line in lay(text):
        at = (layer.left, layer.top + line.baseline)
        for piece, group in groupby(line.pieces, key=lambda one: (one.dress, one.run)):
            _write_rules(canvas, list(group), piece[0], at)
        # Words run on in one object, as readers expect of a line, while they look alike.
        for key, words in groupby(_words(line), key=lambda w: (w.dress, w.backward)):
            several = list(words)
            for row in [[w] for w in several] if key[1] else [several]:
                _write_row(canvas, row, at, _Paint(layer, text, turn))


def _words(line: SetLine) -> Iterator[Word]:
    """The words of a line from the left."""
    said = 0
    for piece in line.pieces:
        backward = bool(piece.level % 2) and strong(piece.words)
        for words, x in _parted(piece):
            found = line.words.find(words, said) if not piece.level else -1
            between = line.words[said:found] if found >= 0 else ""
            said = found + len(words) if found >= 0 else said
            yield Word(words, x, piece.dress, backward, sum(map(str.isspace, between)))


def _parted(piece: Piece) -> Iterator[tuple[str, float]]:
    """Each word of a piece and its pen, as they are drawn."""
    words, style = piece.drawn, piece.style
    if in_one_go(style):
        yield words, piece.x
        return
    at = 0
    for word in words.split(" "):
        if word:
            yield word, piece.x + (advance(words[:at], piece.dress.face, style) if at else 0.0)
        at += len(word) + 1


@dataclass(frozen=True)
class _Paint:
    layer: Layer
    text: Text
    turn: Matrix


def _write_row(canvas: Canvas, row: list[Word], at: tuple[float, float], paint: _Paint) -> None:
    dress = row[0].dress
    style = dress.style
    font = canvas.fonts.of(dress.face, optical(dress.face, style.size))
    with canvas.kept():
        _write_paint(canvas, style, paint)
        canvas.op("BT")
        canvas.op("Tf", canvas.name("Font", font.object), style.size)
        canvas.op("Tm", style.stretch, 0, dress.lean, -1, at[0] + row[0].x, at[1])
        if style.spacing:
            canvas.op("Tc", style.spacing / style.stretch)
        height = 0.0
        for rise, moves in _rows(row, font, style):
            if rise != height:
                canvas.op("Ts", rise)
                height = rise
            canvas.parts.append(Row(font, tuple(moves)))
        canvas.op("ET")


def _write_paint(canvas: Canvas, style: Style, paint: _Paint) -> None:
    """Colours, and the outline that letters have or that makes them bold."""
    line = style.stroke.width if style.stroke else 2 * style.swell * style.size
    edge = style.stroke.colour if style.stroke else style.colour
    if style.gradient:
        canvas.gradient(style.gradient, _ends(paint, style.gradient), paint.turn)
    else:
        canvas.colour(style.colour)
    if line > 0:
        canvas.colour(edge, stroke=True)
        canvas.op("w", line)
        canvas.op("j", 1)
        canvas.op("Tr", 2)
    canvas.state(_alpha(style))


def _alpha(style: Style) -> float:
    return 1.0 if style.gradient else style.colour[3] / 255


def _ends(paint: _Paint, gradient: Gradient) -> tuple[float, ...]:
    """Where a gradient over the letters begins and ends."""
    runs = tuple(Run(r.words, replace(r.style, stroke=None, shadow=None)) for r in paint.text.runs)
    left, top = paint.layer.left, paint.layer.top
    drawn, x, y = draw_text(replace(paint.text, runs=runs), (left % 1, top % 1))
    high, wide = drawn.shape[:2]
    return ends_of(gradient, (left // 1 + x, top // 1 + y, float(wide), float(high)))


def ends_of(gradient: Gradient, box: tuple[float, float, float, float]) -> tuple[float, ...]:
    """The ends of a gradient's line through a box of left, top, width and height."""
    across, down = math.cos(math.radians(gradient.angle)), math.sin(math.radians(gradient.angle))
    reach = (abs(across) * box[2] + abs(down) * box[3]) / 2
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    return x - across * reach, y - down * reach, x + across * reach, y + down * reach


def _rows(row: list[Word], font: Embedded, style: Style) -> Iterator[tuple[float, list[Move]]]:
    """Glyphs and the moves between them, cut where they leave the baseline."""
    pen, rise, moves = 0.0, 0.0, list[Move]()
    for glyph, x, y in _placed(row, font, style):
        if y != rise and moves:
            yield rise, moves
            moves = []
        rise = y
        back = (pen - x) * 1000 / style.size
        if abs(back) > _LEAST:
            moves.append(round(back, 2))
            pen -= round(back, 2) * style.size / 1000
        moves.append(glyph)
        pen += font.width(glyph) * style.size / 1000 + style.spacing / style.stretch
    if moves:
        yield rise, moves


def _placed(row: list[Word], font: Embedded, style: Style) -> Iterator[tuple[int, float, float]]:
    """Each glyph with its pen and its height, before letters are stretched."""
    end, joined = 0.0, not style.spacing and style.edges != "plain"
    step = style.spacing / style.stretch
    for number, word in enumerate(row):
        x = (word.x - row[0].x) / style.stretch
        if number and word.spaces and row[0].dress.face.has(" "):
            (space,) = font.row(" ", joined=joined)
            for one in range(word.spaces):
                yield space.glyph, end + one * (x - end) / word.spaces, 0.0
        signs = font.row(word.words, joined=joined, backward=word.backward)
        natural = sum(sign.advance for sign in signs) * style.size
        wide = advance(word.words, row[0].dress.face, replace(style, gap=0.0)) / style.stretch
        wide -= step * len(word.words)
        scale = min(max(wide / natural, 0.9), 1.1) if natural else 1.0
        letters = -1
        for sign in signs:
            letters += bool(sign.words)
            at = x + sign.x * style.size * scale + max(letters, 0) * step
            yield sign.glyph, at, round(sign.y * style.size, 3)
        end = x + wide + (letters + 1) * step


def _write_rules(
    canvas: Canvas, pieces: list[Piece], dress: Dress, at: tuple[float, float]
) -> None:
    """The lines under and through words."""
    style = dress.style
    rules = rules_of(dress.face.path, dress.face.index)
    wanted = [rules.under] * style.underline + [rules.strike] * style.strike
    for middle, thick in wanted:
        with canvas.kept():
            canvas.colour(style.colour)
            canvas.state(_alpha(style))
            wide = pieces[-1].x + pieces[-1].advance - pieces[0].x
            top = at[1] + (middle - thick / 2) * style.size
            canvas.rectangle(at[0] + pieces[0].x, top, wide, thick * style.size)
            canvas.op("f")


# ── unseen ──────────────────────────────────────────────────────────────────────────────


def write_unseen(canvas: Canvas, layer: Layer, text: Text) -> None:
    """Words that are not drawn but can be found and copied, over a picture of them."""
    font = canvas.fonts.unseen
    for line in lay(replace(text, drawn=None)):
        if not line.words.strip():
            continue
        size = max(piece.style.size for piece in line.pieces) if line.pieces else text.style.size
        codes = tuple(font.code(letter) for letter in line.words)
        canvas.op("BT")
        canvas.op("Tr", 3)
        canvas.op("Tf", canvas.name("Font", font.object), size)
        stretch = max(line.width, 1.0) / (font.WIDE / 1000 * size * len(codes))
        canvas.op("Tm", stretch, 0, 0, -1, layer.left + line.left, layer.top + line.baseline)
        canvas.parts.append(Row(font, codes))
        canvas.op("Tr", 0)
        canvas.op("ET")
