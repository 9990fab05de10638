"""Spots: words on a picture, cut out of their line where the ink has its gaps."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overpaint.document.boxes import box_around
from overpaint.document.layers import Pixels, Point
from overpaint.editors.typeset import plane
from overpaint.editors.typeset.reading import Page
from overpaint.editors.typeset.slant import grows, slant_of
from overpaint.editors.typeset.strokes import Ink, ink_of, ink_on_ground
from overpaint.vision.joining import joined, unspaced
from overpaint.vision.page import Box, Line, union
from overpaint.vision.sight import Reading, Way

# By how many corners a line's first corner is away from the top left, where it is turned.
_FIRST: dict[Way, int] = {"level": 0, "clockwise": 1, "over": 2, "counter": 3}
_GAP = 0.2  # heights without ink: what stands so far before a line may be a bullet
_JITTER = 0.5  # heights: the recogniser tells a letter's place no better
_LOOSE = 0.25  # sizes by which a letter's middle is told wrong
_LOOKS = 2  # the second time letters stand nearly upright, and tell more
_MARGIN = 0.25  # heights of a slanted line that are looked at around it


@dataclass(frozen=True)
class Spot:
    """Words on a picture: which part of which line, with what stands around them."""

    box: Box  # tight around the ink of the words themselves
    words: str  # as they stand there, as read
    line: Line  # the line they are part of
    start: int  # of the words in the line's text
    end: int
    room: Box  # how far the line may reach without touching anything else
    angle: float = 0.0  # of the line, clockwise degrees, where it is not level
    quad: tuple[Point, ...] | None = None  # corners of the words, where the line is not level
    down: bool = False  # letters stand one below the other
    likeness: float = 1.0  # of the words to those that were looked for


@dataclass(frozen=True)
class Found:
    """One thing that was pointed at: the words of a match, a spot for each line they run over."""

    spots: tuple[Spot, ...]

    @property
    def words(self) -> str:
        """All that stands there, line by line."""
        return joined(spot.words for spot in self.spots)

    @property
    def box(self) -> Box:
        """Around all of it."""
        return union([spot.box for spot in self.spots])

    @property
    def likeness(self) -> float:
        """Of the least alike part."""
        return min(spot.likeness for spot in self.spots)


@dataclass(frozen=True)
class _Strip:
    """A line made upright: its ink, where letters are in it, and the way back to the picture."""

    ink: Ink
    left: int
    top: int
    middles: NDArray[np.float64]  # of the letters, in columns of the ink
    way: plane.Homography | None = None  # None: it is the picture itself


def cut(page: Page, number: int, start: int, end: int) -> tuple[Box, tuple[Point, ...] | None]:
    """The box of some letters of a line, tight around their ink; corners where it is not level."""
    reading = page.reading(number)
    down = reading.way == "column"
    strip = _column(page, number) if down else _strip(page, number, reading)
    first, last = columns_of(strip.ink, reading.text, strip.middles, (start, end))
    tight = _tight if strip.way is None or plane.exact(strip.way) else _halfway
    left, top, right, bottom = tight(strip.ink, first, last)
    box = (left + strip.left, top + strip.top, right + strip.left, bottom + strip.top)
    if down:
        box = (box[1], box[0], box[3], box[2])
    if strip.way is None:
        return (float(box[0]), float(box[1]), float(box[2]), float(box[3])), None
    corners = plane.carry(strip.way, plane.corners_of(box))
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return (min(xs), min(ys), max(xs), max(ys)), corners


def rough_box(page: Page, number: int, start: int, end: int) -> Box:
    """About where some letters of a line are, without a look at the ink."""
    left, top, right, bottom = (float(edge) for edge in page.boxes[number])
    places = page.reading(number).places
    if not places or (start == 0 and end == len(places)) or not page.level(number):
        return (left, top, right, bottom)
    first, last = places[min(start, len(places) - 1)], places[max(start, end - 1)]
    half = 0.5 / len(places)
    if bottom - top > right - left:
        high = bottom - top
        return (left, top + (first - half) * high, right, top + (last + half) * high)
    wide = right - left
    return (left + (first - half) * wide, top, left + (last + half) * wide, bottom)


def angle_of(quad: tuple[Point, ...]) -> float:
    """By how many degrees a line with these corners is turned clockwise."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad
    return float(np.degrees(np.arctan2(y1 - y0 + y2 - y3, x1 - x0 + x2 - x3)))


def _strip(page: Page, number: int, reading: Reading) -> _Strip:
    """The line upright: as it stands where it is level, else as seen from the front."""
    text, places = reading.text, np.array(reading.places or (0.5,))
    left, top, right, bottom = (float(edge) for edge in page.boxes[number])
    if page.level(number) and reading.way == "level":
        middles = int(left) + places * (np.ceil(right) - int(left))
        strip = _Strip(*_inked(page.pixels, (left, top, right, bottom), text, middles))
        if not grows(strip.ink, text, strip.middles):
            return strip
    corners = np.roll(page.quads[number].astype(np.float64), -_FIRST[reading.way], axis=0)
    grown = _grown(corners)
    share = np.hypot(*(corners[1] - corners[0])) / np.hypot(*(grown[1] - grown[0]))
    strip = _upright(page.pixels, grown, text, 0.5 + (places - 0.5) * share)
    if (
        strip.way is not None
        and plane.exact(strip.way)
        and not grows(strip.ink, text, strip.middles)
    ):
        return strip
    return _from_the_front(page.pixels, strip, text)


def _upright(
    pixels: Pixels, corners: NDArray[np.float64], text: str, places: NDArray[np.float64]
) -> _Strip:
    """The strip between corners; of it all but a rim is looked at."""
    picture, way = plane.rectify(pixels, corners)
    high, wide = picture.shape[:2]
    rim = high * _MARGIN / (1 + 2 * _MARGIN)
    box = (min(rim, wide / 4), rim, max(wide - rim, wide * 3 / 4), high - rim)
    return _Strip(*_inked(picture, box, text, places * wide), way)


def _from_the_front(pixels: Pixels, strip: _Strip, text: str) -> _Strip:
    """The strip without perspective, where heads and feet of its letters tell of any."""
    for _ in range(_LOOKS):
        strip = _straightened(pixels, strip, text)
    return strip


def _straightened(pixels: Pixels, strip: _Strip, text: str) -> _Strip:
    assert strip.way is not None, "a strip that is the picture itself is level"
    seen = slant_of(strip.ink, text, strip.middles)
    rows, columns = np.flatnonzero(strip.ink.any(axis=1)), np.flatnonzero(strip.ink.any(axis=0))
    if seen is None or not seen.sure(float(len(rows))):
        return strip
    more = _MARGIN * (rows[-1] + 1 - rows[0])
    box = (columns[0] - more, rows[0] - more, columns[-1] + 1 + more, rows[-1] + 1 + more)
    corner = np.array([strip.left, strip.top])
    corners = np.array(plane.carry(strip.way, seen.corners(box) + corner))
    middle = np.full(len(strip.middles), (box[1] + box[3]) / 2)
    points = plane.carry(strip.way, np.stack([strip.middles, middle], axis=1) + corner)
    size = plane.strip_size(corners)
    inverse = np.asarray(np.linalg.inv(plane.homography(*size, corners)), np.float64)
    led = plane.carry(inverse, np.array(points))
    return _upright(pixels, corners, text, np.array([x for x, _ in led]) / size[0])


def _column(page: Page, number: int) -> _Strip:
    """A column of letters laid on its side, as a line whose letters are evenly spaced."""
    left, top, right, bottom = (float(edge) for edge in page.boxes[number])
    text = page.text(number)
    middles = top + (np.arange(len(text)) + 0.5) / max(1, len(text)) * (bottom - top)
    laid = np.ascontiguousarray(page.pixels.transpose(1, 0, 2))
    return _Strip(*_inked(laid, (top, left, bottom, right), text, middles))


def _inked(
    pixels: Pixels, box: Box, text: str, middles: NDArray[np.float64]
) -> tuple[Ink, int, int, NDArray[np.float64]]:
    """The ink that shows the most of the letters, its corner, and their middles in it."""
    best, ink, left, top = -1.0, np.zeros((1, 1), np.float32), 0, 0
    for look in (ink_of, ink_on_ground):
        found = look(pixels, box)
        shown = _shown(found[0], text, middles - found[1])
        if shown > best + 0.02:
            best, (ink, left, top) = shown, found
        if best == 1:
            break
    return ink, left, top, middles - left


def _shown(ink: Ink, text: str, middles: NDArray[np.float64]) -> float:
    """The share of letters that have ink where they should be."""
    places = [int(x) for x, letter in zip(middles, text, strict=False) if letter.isalnum()]
    reach = max(1, round(_JITTER * np.count_nonzero(ink.any(axis=1))))
    if len(places) > 2 and unspaced(text[-1]) and text[-1].isalnum():
        # Half of a wide letter may be lost where the ground changes below it.
        step = (places[-1] - places[0]) / (len(places) - 1)
        places.append(round(places[-1] + 0.25 * step + reach))
    inked = np.asarray(ink.any(axis=0))
    there = [bool(inked[max(0, x - reach) : x + reach + 1].any()) for x in places]
    return sum(there) / len(there) if there else 1.0


def _grown(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The corners further out by a part of the line's height."""
    along, across = corners[1] - corners[0], corners[3] - corners[0]
    more = _MARGIN * np.hypot(*across)
    along, across = along / np.hypot(*along) * more, across / np.hypot(*across) * more
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    return np.asarray(corners + signs[:, :1] * along + signs[:, 1:] * across)


# ── cutting ─────────────────────────────────────────────────────────────────────────────

_THIN, _SLIM, _FAT = "iljI|!.,:;'’`·", 'frt()[]{}-"/\\ 1', "mwMWQO@%—"


def advance(letter: str) -> float:
    """About how wide a letter is, in sizes, whatever the font."""
    if unspaced(letter):
        return 1.0
    if letter in _THIN:
        return 0.27
    if letter in _SLIM:
        return 0.36
    if letter in _FAT:
        return 0.82
    return 0.66 if letter.isupper() else 0.53


def columns_of(
    ink: Ink, text: str, middles: NDArray[np.float64], span: tuple[int, int]
) -> tuple[int, int]:
    """First and last column of some letters of a line, cut at gaps or where the least ink is."""
    inked = np.flatnonzero(ink.any(axis=0))
    if not len(inked) or len(text) != len(middles):
        return 0, ink.shape[1]
    letters = [i for i in range(*span) if not text[i].isspace()]
    before = [i for i in range(span[0]) if not text[i].isspace()]
    after = [i for i in range(span[1], len(text)) if not text[i].isspace()]
    weights = ink.sum(axis=0)
    steady = _steadied(text, middles)
    first, last = _ends(weights, text, steady, int(ink.any(axis=1).sum()))
    if letters and before:
        first = _border(weights, text, steady, (before[-1], letters[0]))
    if letters and after:
        last = _border(weights, text, steady, (letters[-1], after[0]))
    return (first, last) if first < last else (int(inked[0]), int(inked[-1]) + 1)


def _ends(
    weights: NDArray[np.float32], text: str, middles: NDArray[np.float64], high: int
) -> tuple[int, int]:
    """First and last column of the line itself: a bullet before it that was not read is not it."""
    inked = np.flatnonzero(weights)
    steps = np.flatnonzero(np.diff(inked) > _GAP * high)  # wide gaps, by where they begin
    scale = float(middles[-1] - middles[0]) / max(0.5, sum(map(advance, text[1:])))
    if len(text) < 3:  # too few letters to tell how wide they are, but by their height
        scale = high * (1.1 if unspaced(text[0]) else 1.4)
    begin = middles[0] - (advance(text[0]) / 2 + _LOOSE) * scale
    end = middles[-1] + (advance(text[-1]) / 2 + _LOOSE) * scale
    first = [int(inked[i + 1]) for i in steps if inked[i] < begin and inked[i + 1] < middles[0]]
    last = [int(inked[i]) + 1 for i in steps if inked[i + 1] > end and inked[i] > middles[-1]]
    return max([int(inked[0]), *first]), min([int(inked[-1]) + 1, *last])


def _steadied(text: str, middles: NDArray[np.float64]) -> NDArray[np.float64]:
    """The letters' middles without the jitter of the recogniser's steps.

    Where letters of about known widths follow one another, what is seen of each is where it
    should be, give or take a step; the neighbours tell by how much.
    """
    wide = np.array([advance(letter) for letter in text])
    told = np.cumsum(wide) - wide / 2
    if len(text) < 3:
        return middles
    scale, begin = np.polyfit(told, middles, 1)
    off = middles - (scale * told + begin)
    reach = 3
    smooth = [np.median(off[max(0, i - reach) : i + reach + 1]) for i in range(len(off))]
    return np.asarray(scale * told + begin + smooth)


def _border(
    weights: NDArray[np.float32], text: str, middles: NDArray[np.float64], pair: tuple[int, int]
) -> int:
    """The column between two letters: in the gap between them, or where the least ink is."""
    one, two = pair
    a, b = sorted((float(middles[one]), float(middles[two])))
    start = int(np.clip(round(a), 0, len(weights) - 1))
    stop = int(np.clip(round(b) + 1, start + 1, len(weights)))
    window = weights[start:stop]
    spaced = two - one > 1
    if spaced and (gap := _widest_gap(window)):
        return start + gap
    ahead, behind = advance(text[one]) / 2, advance(text[two]) / 2
    wanted = a + (b - a) * ahead / (ahead + behind)
    away = np.abs(np.arange(start, stop) + 0.5 - wanted) / max(1.0, b - a)
    return start + int(np.argmin(window / max(1, weights.max()) + 0.6 * away))


def _widest_gap(window: NDArray[np.float32]) -> int:
    """The middle of the widest stretch without ink; 0 where there is none."""
    empty = np.concatenate([[False], window == 0, [False]]).astype(np.int8)
    edges = np.flatnonzero(np.diff(empty))
    gaps = [(b - a, (a + b) // 2) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return int(max(gaps)[1]) if gaps else 0


def _tight(ink: Ink, first: int, last: int) -> tuple[float, float, float, float]:
    """The box of all ink between two columns."""
    box = box_around(ink[:, first:last])
    if box is None:
        return first, 0, last, ink.shape[0]
    return first + box[0], box[1], first + box[2], box[3]


def _halfway(ink: Ink, first: int, last: int) -> tuple[float, float, float, float]:
    """The box of ink between two columns to parts of a pixel: resampling has blurred its edge."""
    part = ink[:, first:last]
    if part.max(initial=0) <= 0.5:
        return _tight(ink, first, last)
    left, right = _crossings(part.max(axis=0))
    top, bottom = _crossings(part.max(axis=1))
    return first + left, top, first + right, bottom


def _crossings(strength: NDArray[np.float32]) -> tuple[float, float]:
    """Where strength first and last passes one half."""
    over = np.flatnonzero(strength > 0.5)
    around = np.concatenate([[0.0], strength, [0.0]])

    def edge(inner: int, outer: int) -> float:
        a, b = around[outer + 1], around[inner + 1]
        return float((0.5 - a) / (b - a)) - 0.5

    begin, end = int(over[0]), int(over[-1])
    return begin + edge(begin, begin - 1), end + 1 - edge(end, end + 1)
