"""Layers as they are told to somebody who decides about them: class, words, colours and place."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Document, Pixels
from overpaint.document.layers import Shape, Text
from overpaint.vision import ocr
from overpaint.vision.lettered import lines_in
from overpaint.vision.page import Line
from overpaint.vision.sheets import Leaf, leaves

Kind = Literal["text", "image", "decoration"]  # MiLDE's classes
KINDS: tuple[Kind, ...] = ("text", "image", "decoration")

# What a name says about the class of a layer that a person has called so. Names of many words are
# sentences, and those with a number in them ("image 3", "text 12") were given by a program.
_CALLED: dict[str, Kind] = {
    **dict.fromkeys(("photo", "photograph", "illustration", "portrait", "照片", "插图"), "image"),
    **dict.fromkeys(
        ("decoration", "ornament", "divider", "border", "frame", "sticker", "pattern", "texture",
         "装饰", "边框", "纹理"), "decoration",
    ),
    **dict.fromkeys(("title", "subtitle", "headline", "caption", "slogan", "标题"), "text"),
}  # fmt: skip
_VERSION = "1"  # of what is told; another wherever the same layer would be told otherwise
_NAME = re.compile(r"[^\W\d_]+")
_WORDS = 0.7  # of a layer's ink within its lines: it says words and little else
_CALLED_SO = 0.3  # where its name says that it is text
_SOLID = 0.75  # of its box: what paints more is no bare letters
_WHOLE = 0.9  # of the canvas: so much is a ground that all else stands on
_GROUND = 5  # colours, or a few rare ones more: a ground of so few is a pattern, not a scene
_SPARSE = 0.3  # of its box: what paints less is a frame, a line or confetti
_TINY = 0.01  # of the canvas
_THIN = 0.025  # of the canvas's shorter side
_EDGE = 8  # levels from pixel to pixel: a gradient has no steps as high
_EDGES = 0.995  # of a gradient's steps are lower
_ROWS = 400  # rows and columns that steps are looked for on, about
_RARE = 0.02  # of a layer: a colour of more is one of its own
_SAMPLED = 1 << 16  # pixels that colours are counted on
_APART = 48  # levels in the channel that differs most: nearer colours are told as one
_COMMON = 0.06  # of a layer: rarer colours are not told


@dataclass(frozen=True)
class Seen:
    """One layer of a document, described in words and numbers."""

    id: str
    name: str
    kind: Kind
    words: str  # what it says; read by OCR where it is a picture, "" where it says nothing
    colours: tuple[str, ...]  # "#rrggbb", what covers most first; at most three
    box: tuple[int, int, int, int]  # left, top, right, bottom of what is seen of it on the canvas
    place: str  # "top left", "centre", "bottom right" …
    covers: float  # the share of the canvas that it paints
    live: bool  # whether its words can be changed as words


def seen(document: Document) -> tuple[Seen, ...]:
    """Every layer that shows anything, bottom first; those in groups, not the groups.

    Hidden, empty and fully transparent layers and those outside the canvas are left out. What a
    picture says is read by OCR, once for the same pixels.
    """
    return tuple(_told(_Look(leaf, document.size)) for leaf in leaves(document))


def version() -> str:
    """Whatever would change what is told of a layer if it changed."""
    return f"{_VERSION}+{ocr.version('small')}"


@dataclass(frozen=True)
class _Look:
    """What can be measured about a layer that shows, each thing once."""

    leaf: Leaf
    canvas: tuple[int, int]

    @cached_property
    def painted(self) -> int:
        return int(np.count_nonzero(self.leaf.painted))

    @property
    def covers(self) -> float:
        return self.painted / (self.canvas[0] * self.canvas[1])

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        # Letters on a clear ground may be of one colour; on a ground of their own they have edges.
        solid = self.painted > _SOLID * self.leaf.painted.size
        return () if solid and _is_even(self, 1.0) else lines_in(self.leaf.pixels)

    @property
    def words(self) -> str:
        content = self.leaf.layer.content
        if isinstance(content, Text):
            return content.words
        if isinstance(content, Shape):
            return ""
        return "\n".join(line.text for line in self.lines)

    @cached_property
    def common(self) -> list[tuple[int, float]]:
        """Colours to the nearest 16 levels, as packed numbers, with their shares, falling."""
        colours, alpha = self._sampled
        packed = (colours >> 4).astype(np.int64) @ np.array([256, 16, 1])
        shares = np.bincount(packed, alpha, 4096) / alpha.sum()
        order = np.argsort(-shares, kind="stable")
        return [(int(at), float(shares[at])) for at in order if shares[at] > 0]

    @property
    def count(self) -> int:
        """How many colours, to the nearest 16 levels, make up nine tenths of it."""
        shares = np.cumsum([share for _, share in self.common])
        return int(np.searchsorted(shares, 0.9)) + 1

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """Up to three colours that cover most of it and can be told apart."""
        colours, alpha = self._sampled
        told: list[NDArray[np.int64]] = []
        for value in _ranked(colours, alpha):
            if all(np.abs(value - one).max() >= _APART for one in told):
                near = np.abs(colours.astype(np.int16) - value).max(axis=1) < _APART // 2
                if alpha[near].sum() >= _COMMON * alpha.sum() or not told:
                    told.append(value)
            if len(told) == 3:
                break
        return tuple(f"#{r:02x}{g:02x}{b:02x}" for r, g, b in told)

    @cached_property
    def _sampled(self) -> tuple[Pixels, NDArray[np.float64]]:
        step = max(
            1, round((self.leaf.pixels.shape[0] * self.leaf.pixels.shape[1] / _SAMPLED) ** 0.5)
        )
        some = self.leaf.pixels[::step, ::step].reshape(-1, 4)
        if not some[:, 3].any():
            some = self.leaf.pixels.reshape(-1, 4)
        some = some[some[:, 3] > 0]
        return some[:, :3], some[:, 3].astype(np.float64)


def _told(look: _Look) -> Seen:
    layer, content = look.leaf.layer, look.leaf.layer.content
    return Seen(
        id=layer.id,
        name=layer.name,
        kind=_kind(look),
        words=look.words,
        colours=look.colours,
        box=look.leaf.box,
        place=place_of(look.leaf.box, look.canvas),
        covers=look.covers,
        live=isinstance(content, Text) and bool(content.words.strip()),
    )


def place_of(box: tuple[int, int, int, int], size: tuple[int, int]) -> str:
    """Which ninth of the canvas the middle of a box is in."""
    left, top, right, bottom = box
    across = min(2, int(3 * (left + right) / 2 / size[0]))
    down = min(2, int(3 * (top + bottom) / 2 / size[1]))
    words = f"{('top', '', 'bottom')[down]} {('left', '', 'right')[across]}"
    return words.strip() or "centre"


# ── classes ─────────────────────────────────────────────────────────────────────────────


def _kind(look: _Look) -> Kind:
    content = look.leaf.layer.content
    if isinstance(content, Text):
        return "text"
    if isinstance(content, Shape):
        return "decoration"
    called, whole = _called(look.leaf.layer.name), look.covers >= _WHOLE
    least = _CALLED_SO if called == "text" else _WORDS
    if not whole and look.lines and _says_little_else(look, least=least):
        return "text"
    if called in ("image", "decoration"):
        return called
    plain = _is_plain_ground(look) if whole else _is_ornament(look)
    return "decoration" if plain else "image"


def _called(name: str) -> Kind | None:
    words = _NAME.findall(name.casefold())
    given = 0 < len(words) <= 3 and not any(letter.isdigit() for letter in name)
    kinds = [_CALLED[word] for word in words if word in _CALLED] if given else []
    return kinds[-1] if kinds else None  # a “title frame” is a frame


def _says_little_else(look: _Look, *, least: float) -> bool:
    """Whether at least that share of a layer's ink lies within its lines of text."""
    if (ink := _ink(look)) is None:
        return False
    inside = np.zeros_like(ink)
    high, wide = ink.shape
    for line in look.lines:
        left, top, right, bottom = line.box
        reach = 0.35 * (bottom - top)  # serifs, shadows and underlines are the words' own
        x0, x1 = max(0, int(left - reach)), min(wide, int(right + reach) + 1)
        y0, y1 = max(0, int(top - reach)), min(high, int(bottom + reach) + 1)
        inside[y0:y1, x0:x1] = True
    return bool(np.count_nonzero(ink & inside) >= least * np.count_nonzero(ink) > 0)


def _ink(look: _Look) -> NDArray[np.bool_] | None:
    """What is drawn on the layer's ground, clear or of one colour; None where it has neither."""
    painted = look.leaf.painted
    if np.count_nonzero(painted) < _SOLID * painted.size:
        return painted
    ground, share = look.common[0]
    if share < 0.5:
        return None
    level = np.array([ground >> 8, ground >> 4 & 15, ground & 15]) * 16 + 8
    apart = np.abs(look.leaf.pixels[:, :, :3].astype(np.int16) - level).max(axis=2)
    return np.asarray(painted & (apart > _APART))


def _is_plain_ground(look: _Look) -> bool:
    """Whether a ground is of one colour, a gradient or a pattern, and no scene."""
    own = sum(share >= _RARE for _, share in look.common)
    return (look.count <= _GROUND and own <= _GROUND + 1) or _is_even(look)


def _is_ornament(look: _Look) -> bool:
    """Whether it looks drawn rather than pictured: of one colour, thin, sparse, tiny or even."""
    left, top, right, bottom = look.leaf.box
    return (
        min(right - left, bottom - top) <= _THIN * min(look.canvas)
        or look.covers < _TINY
        or look.count == 1
        or look.painted < _SPARSE * look.leaf.painted.size
        or _is_even(look)
    )


def _is_even(look: _Look, share: float = _EDGES) -> bool:
    """Whether so many of its pixels do not step to the next: a gradient, or one colour."""
    pixels = look.leaf.pixels
    return _is_level(pixels, share) and _is_level(pixels.swapaxes(0, 1), share)


def _is_level(pixels: Pixels, share: float) -> bool:
    """Whether colours hardly step along the rows, some of which are looked at."""
    rows = pixels[:: max(1, len(pixels) // _ROWS)]
    both = (rows[:, 1:, 3] > 0) & (rows[:, :-1, 3] > 0)
    steps = np.abs(np.diff(rows[:, :, :3].astype(np.int16), axis=1)).max(axis=2)[both]
    return not steps.size or float(np.mean(steps < _EDGE)) >= share


def _ranked(colours: Pixels, alpha: NDArray[np.float64]) -> list[NDArray[np.int64]]:
    """Exact colours, the commonest in each sixteenth of the range, those of most pixels first."""
    packed = colours.astype(np.int64) @ np.array([65536, 256, 1])
    values, index = np.unique(packed, return_inverse=True)
    weights = np.bincount(index, alpha, len(values))
    cells = (values >> 20 & 15) << 8 | (values >> 12 & 15) << 4 | values >> 4 & 15
    totals = np.bincount(cells, weights, 4096)
    first: dict[int, int] = {}
    for at in np.argsort(-weights, kind="stable").tolist():
        first.setdefault(int(cells[at]), int(values[at]))
    ranked = sorted(first, key=lambda cell: (-totals[cell], cell))[:64]
    split = ((first[cell] >> 16, first[cell] >> 8 & 255, first[cell] & 255) for cell in ranked)
    return [np.array(value, np.int64) for value in split]
