"""Painting: lines of text as covers, covers in their colours, one over the other.

Covers and colours are mixed in float and rounded once. Where a text has one paint alone, its
colour stands in every pixel as it was given, and the cover is its alpha.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from overpaint.document.boxes import Box
from overpaint.document.layers import Colour, Gradient, Pixels, Point, Style
from overpaint.document.sanity import LARGEST_SIZE
from overpaint.document.shapes import gradient_at
from overpaint.document.text.drawing import LARGEST, Cover, draw_pieces
from overpaint.document.text.dressing import Dress
from overpaint.document.text.faces import Face
from overpaint.document.text.lines import Piece, SetLine
from overpaint.document.text.sfnt import rules_of
from overpaint.errors import Refused

Plane = NDArray[np.float32]
# FreeType takes letters of up to 65,535 pixels, and ours are four times as large when drawn.
LARGEST_SET = 16_000.0
_LARGER = 4  # leaning letters are drawn so many times larger, leaned and shrunk
_LARGE = 500.0  # pixels: from here on they are leaned as they are
_STILL = 1 / 8  # of a pixel: a cut-out letter is not resampled for less


@dataclass(frozen=True)
class Ink:
    """How far pixels are covered, 0–1, their corner, and what they are painted with."""

    cover: Plane
    left: int
    top: int
    paint: Colour | Gradient

    @property
    def box(self) -> Box:
        """Where it is."""
        high, wide = self.cover.shape
        return self.left, self.top, self.left + wide, self.top + high


def paint(lines: Sequence[SetLine], at: Point) -> tuple[Pixels, int, int]:
    """RGBA pixels of the lines whose place is a fraction of a pixel, and their corner."""
    inks: list[Ink] = []
    shadows: list[Ink] = []
    for line in lines:
        for style, made in _line(line, at):
            inks.extend(made)
            if style.shadow:
                shadows.extend(_shadow(ink, style) for ink in made)
    kept = [[ink for ink in sheet if ink.cover.size] for sheet in (shadows, inks)]
    return _composed([sheet for sheet in kept if sheet])


# ── covers ──────────────────────────────────────────────────────────────────────────────


def _line(line: SetLine, at: Point) -> Iterator[tuple[Style, list[Ink]]]:
    """The inks of each stretch of a line that is drawn alike, with its style."""
    y = line.baseline + at[1]
    letters = [piece for piece in line.pieces if piece.words.strip()]
    # Words of one dress are drawn together even where others stand between them.
    dresses = dict.fromkeys(piece.dress for piece in letters if piece.glyph is None)
    for dress in dresses:
        own = [piece for piece in letters if piece.dress == dress and piece.glyph is None]
        yield dress.style, _lettered(own, dress, (at[0], y))
    for piece in letters:
        if piece.glyph is not None:
            yield piece.style, [_cut_out(piece, (at[0], y))]
    for ruled, group in groupby(line.pieces, key=lambda p: (p.dress, p.run)):
        if ruled[0].style.underline or ruled[0].style.strike:
            yield ruled[0].style, list(_rules(list(group), ruled[0], (at[0], y)))


def _lettered(pieces: Sequence[Piece], dress: Dress, at: Point) -> list[Ink]:
    """The letters filled, and their outline over them."""
    style = dress.style
    fill = style.gradient or style.colour
    inks = [_ink(_covered(pieces, dress, style, at), fill)]
    if style.stroke and style.stroke.width > 0:
        half = style.stroke.width / 2 / style.size
        outer = _covered(pieces, dress, replace(style, swell=style.swell + half), at)
        inner = _covered(pieces, dress, replace(style, swell=style.swell - half), at)
        inks.append(_without(_ink(outer, style.stroke.colour), _ink(inner, style.stroke.colour)))
    return inks


def _covered(pieces: Sequence[Piece], dress: Dress, style: Style, at: Point) -> Cover:
    """What the pieces cover; the corner counts from the text's whole pixel."""
    start = pieces[0].x + at[0]
    words = [(piece.drawn, piece.x - pieces[0].x) for piece in pieces]
    draw = partial(_leaning, lean=dress.lean) if dress.lean else draw_pieces
    try:
        cover = draw(words, dress.face, style, (start, at[1]))
    except OSError as error:  # FreeType's, of a letter wider or higher than 32,767 dots
        raise too_large(style.size) from error
    return Cover(cover.alpha, cover.left + math.floor(start), cover.top + math.floor(at[1]))


def too_large(size: float) -> Refused:
    """That letters are larger than any that can be drawn."""
    wrong = f"Letters of {size:,.12g} px are too large to draw."
    return Refused(wrong, f"At most {LARGEST_SIZE:,g} px were expected.", "Use a smaller size.")


def _leaning(
    words: Sequence[tuple[str, float]], face: Face, style: Style, at: Point, *, lean: float
) -> Cover:
    """Letters that the font has upright only, leaned about the baseline."""
    import cv2

    larger = _LARGER if style.size < _LARGE else 1
    large = replace(
        style, size=style.size * larger, spacing=style.spacing * larger,
        gap=style.gap * larger, blur=0.0, edges="fine",
    )  # fmt: skip
    across, down = at[0] % 1 * larger, at[1] % 1 * larger
    cover = draw_pieces([(w, x * larger) for w, x in words], face, large, (across, down))
    if not cover.alpha.size:
        return cover
    left, top = cover.left + math.floor(across), cover.top + math.floor(down)
    high, wide = cover.alpha.shape
    # The right end of the top row and the left end of the bottom row lean furthest.
    reach = sorted(lean * (down - y) for y in (top, top + high))
    x0, y0 = math.floor((left + reach[0]) / larger) - 1, math.floor(top / larger)
    x1 = math.ceil((left + wide + reach[1]) / larger) + 1
    y1 = math.ceil((top + high) / larger)
    # A pixel's middle moves right by the lean for each pixel that it is above the baseline.
    moved = left - x0 * larger + lean * (down - top - 0.5)
    matrix = np.array([[1.0, -lean, moved], [0.0, 1.0, top - y0 * larger]])
    size = ((x1 - x0) * larger, (y1 - y0) * larger)
    leaned = cv2.warpAffine(cover.alpha.astype(np.float32), matrix, size)
    blocks = leaned.reshape(y1 - y0, larger, x1 - x0, larger).mean(axis=(1, 3))
    soft, more = _soft(blocks, style.blur)
    return Cover(np.rint(soft).astype(np.uint8), x0 - more, y0 - more)


def _cut_out(piece: Piece, at: Point) -> Ink:
    """A letter cut from a picture, at its pen, moved by a fraction of a pixel where it must be."""
    glyph = piece.glyph
    assert glyph is not None
    x, y = piece.x + at[0] + glyph.left, at[1] + glyph.top
    left, top = round(x), round(y)
    cover = (glyph.alpha / 255).astype(np.float32)
    off = (x - left if abs(x - left) > _STILL else 0.0, y - top if abs(y - top) > _STILL else 0.0)
    if any(off):
        import cv2

        matrix = np.array([[1.0, 0.0, off[0] + 2], [0.0, 1.0, off[1] + 2]])
        size = (cover.shape[1] + 4, cover.shape[0] + 4)
        moved = cv2.warpAffine(cover, matrix, size, flags=cv2.INTER_CUBIC)
        cover = np.clip(moved, 0, 1).astype(np.float32)
        left, top = left - 2, top - 2
    return Ink(cover, left, top, piece.style.gradient or piece.style.colour)


def _rules(pieces: Sequence[Piece], dress: Dress, at: Point) -> Iterator[Ink]:
    """The lines under and through words, as the font wants them."""
    style = dress.style
    rules = rules_of(dress.face.path, dress.face.index)
    wanted = [rules.under] * style.underline + [rules.strike] * style.strike
    x0, x1 = pieces[0].x + at[0], pieces[-1].x + pieces[-1].advance + at[0]
    for middle, thick in wanted:
        y0 = at[1] + (middle - thick / 2) * style.size
        y1 = at[1] + (middle + thick / 2) * style.size
        if style.edges != "fine":
            y0 = round(y0)
            y1 = y0 + max(1, round(thick * style.size))
        yield _bar(x0, y0, x1, y1, style)


def _bar(x0: float, y0: float, x1: float, y1: float, style: Style) -> Ink:
    left, top = math.floor(x0), math.floor(y0)
    across = _share(x0 - left, x1 - left)
    down = _share(y0 - top, y1 - top)
    cover, more = _soft(down[:, None] * across[None, :], style.blur)
    return Ink(cover, left - more, top - more, style.gradient or style.colour)


def _share(start: float, end: float) -> Plane:
    """How much of each pixel in a row lies between two places."""
    edges = np.arange(math.ceil(end) + 1, dtype=np.float32)
    return np.diff(np.clip(edges, np.float32(start), np.float32(end))).astype(np.float32)


def _soft(cover: Plane, blur: float) -> tuple[Plane, int]:
    """The cover blurred, with the room that takes on every side."""
    if blur <= 0:
        return cover, 0
    import cv2

    more = math.ceil(3 * blur) + 1
    return np.asarray(cv2.GaussianBlur(np.pad(cover, more), (0, 0), blur), np.float32), more


def _ink(cover: Cover, colour: Colour | Gradient) -> Ink:
    return Ink((cover.alpha / 255).astype(np.float32), cover.left, cover.top, colour)


def _without(outer: Ink, inner: Ink) -> Ink:
    """What the one covers and the other does not."""
    cover = outer.cover.copy()
    if inner.cover.size:
        _part(cover, outer, inner)[:] -= _part(inner.cover, inner, outer)
    return replace(outer, cover=np.clip(cover, 0, 1).astype(np.float32))


def _part(plane: Plane, of: Ink, common: Ink) -> Plane:
    """The view of a plane where two inks overlap."""
    left, top = max(of.left, common.left), max(of.top, common.top)
    right, bottom = min(of.box[2], common.box[2]), min(of.box[3], common.box[3])
    return plane[top - of.top : max(top, bottom) - of.top,
                 left - of.left : max(left, right) - of.left]  # fmt: skip


def _shadow(ink: Ink, style: Style) -> Ink:
    """The same in the shadow's colour, moved and blurred."""
    shadow = style.shadow
    assert shadow is not None
    if not ink.cover.size:
        return ink
    across, down = math.floor(shadow.across), math.floor(shadow.down)
    cover = np.pad(ink.cover, 1)
    if (shadow.across, shadow.down) != (across, down):
        import cv2

        matrix = np.array([[1.0, 0.0, shadow.across - across], [0.0, 1.0, shadow.down - down]])
        cover = np.asarray(cv2.warpAffine(cover, matrix, cover.shape[::-1]), np.float32)
    cover, more = _soft(cover, shadow.blur)
    return Ink(cover, ink.left + across - more - 1, ink.top + down - more - 1, shadow.colour)


# ── colours ─────────────────────────────────────────────────────────────────────────────


def _composed(sheets: Sequence[Sequence[Ink]]) -> tuple[Pixels, int, int]:
    if not sheets:
        return np.zeros((0, 0, 4), np.uint8), 0, 0
    left, top, right, bottom = _around([ink for inks in sheets for ink in inks])
    if (right - left) * (bottom - top) > LARGEST:
        raise Refused(
            f"A text of {right - left}×{bottom - top} pixels is too large to draw.",
            f"It may have {LARGEST:,} pixels.",
            "Use a smaller size or fewer words.",
        )
    sheet = np.zeros((bottom - top, right - left, 4), np.float32)  # premultiplied, 0–1
    for inks in sheets:
        for colour in dict.fromkeys(ink.paint for ink in inks):
            same = [ink for ink in inks if ink.paint == colour]
            _over(sheet, _union(same, sheet, (left, top)), colour, _around(same), (left, top))
    return _straight(sheet), left, top


def _union(inks: Sequence[Ink], sheet: Plane, corner: tuple[int, int]) -> Plane:
    """What any of the inks covers, on a plane as large as the sheet."""
    cover = np.zeros(sheet.shape[:2], np.float32)
    for ink in inks:
        x, y = ink.left - corner[0], ink.top - corner[1]
        window = cover[y : y + ink.cover.shape[0], x : x + ink.cover.shape[1]]
        np.maximum(window, ink.cover, out=window)
    return cover


def _around(inks: Sequence[Ink]) -> Box:
    lefts, tops, rights, bottoms = zip(*(ink.box for ink in inks), strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _over(sheet: Plane, cover: Plane, colour: Colour | Gradient, box: Box, corner: Point) -> None:
    """Lay one paint on the sheet as far as it covers it."""
    if isinstance(colour, Gradient):
        at = (box[0] - corner[0], box[1] - corner[1])
        size = (box[2] - box[0], box[3] - box[1])
        colours = gradient_at(colour, cover.shape[::-1], at, size) / 255
    else:
        colours = np.broadcast_to(np.asarray(colour, np.float32) / 255, sheet.shape)
    alpha = cover * colours[:, :, 3]
    sheet *= (1 - alpha)[:, :, None]
    sheet[:, :, :3] += colours[:, :, :3] * alpha[:, :, None]
    sheet[:, :, 3] += alpha


def _straight(sheet: Plane) -> Pixels:
    alpha = sheet[:, :, 3:]
    colours = np.divide(sheet[:, :, :3], alpha, out=np.zeros_like(sheet[:, :, :3]),
                        where=alpha > 0)  # fmt: skip
    pixels: Pixels = np.rint(np.concatenate([colours, alpha], axis=2) * 255).astype(np.uint8)
    pixels[pixels[:, :, 3] == 0] = 0
    return pixels
