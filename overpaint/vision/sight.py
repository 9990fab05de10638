"""Lines seen before they are read: finding them costs one look, reading costs a look at each.

`ocr.read` reads a page whole. An editor that looks for three words reads every line at a glance
(the recogniser's time goes with a line's width, and narrowed letters are still told apart well
enough) and only those that may hold the words with care. The models are those of `small`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from overpaint.vision import engines_paddle as paddle
from overpaint.vision.engines_paddle import DOUBT, SURE, TALL, Quads
from overpaint.vision.joining import unspaced
from overpaint.vision.page import Box
from overpaint.vision.tables import rules

Pixels = NDArray[np.uint8]
# How a line stands: level, upside down, turned by a quarter, or its letters one below the other.
Way = Literal["level", "over", "clockwise", "counter", "column"]

ENGINE = "small"
HIGH = 48  # pixels: the height the recogniser takes
STRONG = 0.4  # of the letters' own contrast
SHORTEST = 64  # and the least width that it reads well
_FAINT = 8  # of 255: what differs less from its surroundings, smoothed, is paper
_FRAME = 24  # pixels kept around all that is not paper
_BAND = 64  # rows
_GRID = 32  # pixels: moved by this much, the detector sees the same


@dataclass(frozen=True)
class Reading:
    """What a line says and where each letter's middle is: 0 the line's beginning, 1 its end."""

    text: str
    places: tuple[float, ...] = ()
    confidence: float = 0.0
    way: Way = "level"


Rules = tuple[tuple[Box, ...], tuple[Box, ...]]  # across, down


def find_lines(pixels: Pixels) -> tuple[Quads, Rules]:
    """The corners of every line of text, none read yet, and the straight rules of the page."""
    left, top, right, bottom = _used(pixels)
    inside = pixels[top:bottom, left:right]
    if min(inside.shape[:2]) < 3:
        return np.zeros((0, 4, 2), np.float32), ((), ())
    page = np.ascontiguousarray(inside[:, :, ::-1])  # the models were trained on BGR
    seen = paddle.detect(page, _engine())
    quads = longer(inside, seen, paddle.grow(inside, seen))
    across, down = rules(inside)
    moved = [
        tuple((a + left, b + top, c + left, d + top) for a, b, c, d in s) for s in (across, down)
    ]
    whole = paddle.part(quads, down) + np.array([left, top], np.float32)
    edges = np.array(pixels.shape[1::-1], np.float32)
    return np.clip(whole, 0, edges), (moved[0], moved[1])


def longer(pixels: Pixels, seen: Quads, grown: Quads) -> Quads:
    """The lines made longer only where what was added is as strong as the letters they had.

    On a photograph the ground itself looks like faint ink.
    """
    kept = seen.copy()
    for i, (line, more) in enumerate(zip(seen, grown, strict=True)):
        top, bottom = (max(0, round(float(edge))) for edge in (line[:, 1].min(), line[:, 1].max()))
        before = [max(0, round(float(q[:, 0].min()))) for q in (more, line)]
        after = [max(0, round(float(q[:, 0].max()))) for q in (line, more)]
        own = _strength(pixels[top:bottom, before[1] : after[0]])
        for (left, right), corners in ((before, [0, 3]), (after, [1, 2])):
            if right > left and _strength(pixels[top:bottom, left:right]) > STRONG * own:
                kept[i, corners] = more[corners]
    return kept


def _strength(pixels: Pixels) -> float:
    """How far the strongest pixels are from most, in the channel that shows it best."""
    if not pixels.size:
        return 0.0
    away = np.abs(pixels - np.median(pixels, axis=(0, 1)))
    return float(np.percentile(away.max(axis=2), 98))


def _used(pixels: Pixels) -> tuple[int, int, int, int]:
    """The part of a picture where anything is: the blank margins of a page cost time."""
    import cv2

    if min(pixels.shape[:2]) < 3:
        return 0, 0, 0, 0
    height, width = pixels.shape[:2]
    down, across = np.zeros(height - 2, np.bool_), np.zeros(width - 2, np.bool_)
    for top in range(0, height - 2, _BAND):  # a band at a time: it stays in the fast memory
        end = min(height, top + _BAND + 2)
        first = max(0, top - 1)
        blurred = np.asarray(cv2.blur(pixels[first : end + 1], (3, 3)), np.uint8)
        smooth = blurred[top - first : end - first]
        down[top : end - 2] = _strongest(smooth[2:], smooth[:-2]).any(axis=1)
        across |= _strongest(smooth[:, 2:], smooth[:, :-2]).any(axis=0)
    rows, columns = np.flatnonzero(down), np.flatnonzero(across)
    if not len(rows) or not len(columns):
        return 0, 0, 0, 0
    left, top = (max(0, int(first) - _FRAME) for first in (columns[0], rows[0]))
    return (
        left - left % _GRID,
        top - top % _GRID,
        min(width, int(columns[-1]) + 3 + _FRAME),
        min(height, int(rows[-1]) + 3 + _FRAME),
    )


def _strongest(one: Pixels, other: Pixels) -> NDArray[np.bool_]:
    """Where two pictures differ by more than paper does, in any channel."""
    import cv2

    # A channel at a time: numpy's own largest of three takes thirty times as long.
    found: NDArray[np.bool_] = reduce(cv2.max, cv2.split(cv2.absdiff(one, other))) > _FAINT
    return found


def _engine() -> Any:
    return paddle.loaded(ENGINE, 1)


# ── reading ─────────────────────────────────────────────────────────────────────────────


def glance(pixels: Pixels, quad: Quads, narrow: float) -> Reading:
    """The line read with its letters made narrower by that factor: quick, and nearly right."""
    picture = _crop(pixels, quad)
    return read(pixels, quad) if _tall(picture) else _read(picture, narrow)


def read(pixels: Pixels, quad: Quads) -> Reading:
    """The line read with care, whichever way it is turned; empty where it is but noise."""
    picture = _crop(pixels, quad)
    best = _read(picture)
    ways: list[tuple[Way, Pixels]] = []
    if _tall(picture):
        # Chinese in a column is tried first: turned letters are read nearly as surely.
        ways = [("column", paddle.laid_out(picture))]
        ways += [("clockwise", np.rot90(picture)), ("counter", np.rot90(picture, -1))]
    elif best.confidence < DOUBT:
        ways = [("over", np.rot90(picture, 2))]
    for way, other in ways:
        found = _read(other)
        if found.confidence > best.confidence + 0.05:
            best = Reading(found.text, found.places, found.confidence, way)
    return best if best.confidence >= SURE else Reading("")


def _crop(pixels: Pixels, quad: Quads) -> Pixels:
    left, top = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    right, bottom = np.ceil(quad.max(axis=0)).astype(int) + 1
    window = np.ascontiguousarray(pixels[top:bottom, left:right, ::-1])
    return paddle.crop(window, quad - np.array([left, top], np.float32))


def _tall(picture: Pixels) -> bool:
    return picture.size > 0 and picture.shape[0] >= TALL * picture.shape[1]


def _read(picture: Pixels, narrow: float = 1.0) -> Reading:
    import cv2

    thin = min(picture.shape[:2]) < paddle.THIN
    if thin or HIGH * picture.shape[1] < 4 * picture.shape[0]:
        return Reading("")
    wide = max(4, round(HIGH * picture.shape[1] / picture.shape[0] / narrow))
    scaled = cv2.resize(np.ascontiguousarray(picture), (wide, HIGH)).astype(np.float32)
    given = np.zeros((1, 3, HIGH, max(wide, SHORTEST)), np.float32)
    given[0, :, :, :wide] = scaled.transpose(2, 0, 1) / 127.5 - 1
    reader = _engine()._load_rec_model()
    return _decoded(reader.session(given)[0], reader.postprocess_op.character, wide)


def _decoded(steps: NDArray[np.float32], letters: Sequence[str], wide: int) -> Reading:
    """The best path through the network's steps: one letter for each run of the same class."""
    best = steps.argmax(axis=1)
    starts = np.flatnonzero(np.diff(best, prepend=-1))
    ends = np.append(starts[1:], len(best))
    sure = steps[np.arange(len(best)), best]
    step = max(wide, SHORTEST) / len(best) / wide  # of the line's length
    found = [
        (letters[best[a]], (a + b) / 2 * step, float(sure[a]))
        for a, b in zip(starts, ends, strict=True)
        if best[a]
    ]
    confidence = float(np.mean([s for _, _, s in found])) if found else 0.0
    return _tidied([(letter, place) for letter, place, _ in found], confidence)


def _tidied(found: Sequence[tuple[str, float]], confidence: float) -> Reading:
    """As `joining.tidy` has it: single spaces, and none beside a Chinese or Japanese letter."""
    kept: list[tuple[str, float]] = []
    space = False
    for letter, place in found:
        if letter.isspace():
            space = bool(kept)
            continue
        if space and not unspaced(kept[-1][0][-1]) and not unspaced(letter[0]):
            kept.append((" ", (kept[-1][1] + place) / 2))
        space = False
        kept += [(one, place) for one in letter]  # a class may be two letters
    return Reading("".join(k for k, _ in kept), tuple(p for _, p in kept), confidence)
