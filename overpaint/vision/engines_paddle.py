"""PP-OCRv6, small and tiny, through rapidocr: detect on tiles, join, then read each line whole.

rapidocr's own pipeline shrinks large pages, stretches small ones and turns lines round that its
angle classifier dislikes (long English lines among them: a quarter of the letters is lost). Only
its detector and its recogniser are used here; `docs/decisions/007-reading.md` has the figures.
"""

import functools
import hashlib
import importlib.metadata
import logging
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint import weights
from overpaint.vision.ink import Inked, blob, ink_on_plain
from overpaint.vision.page import Box, Line
from overpaint.vision.tables import rules
from overpaint.vision.undisturbed import undisturbed

Pixels = NDArray[np.uint8]
Quads = NDArray[np.float32]  # n×4×2: the corners of each line, clockwise from the top left

TILE = 1600  # pixels a side
OVERLAP = 256  # so that a line of up to this height stands whole in one tile
MARGIN = 32  # of background around a tile: letters at the very rim are seen
GAP = 0.35  # of a line's height: ink so close to its end is its own
SURE = 0.5  # below this a reading is noise
DOUBT = 0.8  # below this a line is read again, turned
TALL = 1.5  # higher than wide by this: an upright column, or a line turned by a quarter
THIN = 4  # pixels: no letter is less high

REVISION = "3"  # of what is done with the models, and of the ink around what they find


def read(pixels: Pixels, name: str, *, threads: int = 1) -> tuple[Line, ...]:
    """The lines that the detector finds and the recogniser reads with some certainty."""
    engine = loaded(name, threads)
    page = np.ascontiguousarray(pixels[:, :, ::-1])  # the models were trained on BGR
    quads = part(grow(pixels, detect(page, engine)), rules(pixels)[1])
    readings = recognise([crop(page, quad) for quad in quads], engine)
    return tuple(
        Line(_bounds(quad), text.strip(), float(score))
        for quad, (text, score) in zip(quads, readings, strict=True)
        if text.strip() and score >= SURE
    )


def version(name: str) -> str:
    """rapidocr's version, what this file does, and the first digits of each model's hash."""
    files = [value for key, value in _files(name).items() if key != "Rec.rec_keys_path"]
    digests = "+".join(_digest(path) for path in files)
    return f"rapidocr-{importlib.metadata.version('rapidocr')}/{REVISION}/{digests}"


@functools.cache
def _digest(path: str) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:8]


def _files(name: str) -> dict[str, str]:
    if name == "tiny":
        return {
            "Det.model_path": str(weights.find("ocr-tiny-detector")),
            "Rec.model_path": str(weights.find("ocr-tiny-recogniser")),
            "Rec.rec_keys_path": str(weights.find("ocr-tiny-letters")),
        }
    models = Path(str(importlib.metadata.distribution("rapidocr").locate_file("rapidocr/models")))
    return {
        "Det.model_path": str(models / "PP-OCRv6_det_small.onnx"),
        "Rec.model_path": str(models / "PP-OCRv6_rec_small.onnx"),
    }


@functools.lru_cache(maxsize=2)
def loaded(name: str, threads: int) -> Any:
    """rapidocr with the models of that name, set to leave pages as they are."""
    with undisturbed():
        return _load(name, threads)


def _load(name: str, threads: int) -> Any:
    from rapidocr import RapidOCR

    logging.getLogger("RapidOCR").setLevel(logging.CRITICAL)
    onnx = "EngineConfig.onnxruntime"
    settings = {
        **_files(name),
        "Global.log_level": "critical",
        "Global.use_vertical_padding": False,
        f"{onnx}.intra_op_num_threads": threads,
        f"{onnx}.inter_op_num_threads": threads,
        "Det.limit_side_len": 32,  # never stretched: tiles are padded to what the network takes
        "Det.max_candidates": 20_000,
        "Rec.rec_img_shape": [3, 48, 64],  # a short word is not padded to a long one's width
        "Rec.rec_batch_num": 1,  # padding short lines to the longest costs more than batches save
    }
    return RapidOCR(params=settings)


# ── finding lines ───────────────────────────────────────────────────────────────────────


def detect(page: Pixels, engine: Any) -> Quads:
    """The corners of every line, each once, however many tiles the page takes."""
    height, width = page.shape[:2]
    rows, columns = tile_starts(height), tile_starts(width)
    found = [_on_tile(page, engine, (x, y)) for y, x in product(rows, columns)]
    if len(found) == 1:
        return found[0]
    return join(found, [(x, y) for y, x in product(rows, columns)])


def tile_starts(length: int) -> list[int]:
    """Where tiles begin so that they cover `length` and overlap by OVERLAP or more."""
    if length <= TILE:
        return [0]
    count = 1 + -(-(length - TILE) // (TILE - OVERLAP))
    return [round(i * (length - TILE) / (count - 1)) for i in range(count)]


def _on_tile(page: Pixels, engine: Any, start: tuple[int, int]) -> Quads:
    import cv2
    from rapidocr.main import RapidOCRError

    x, y = start
    tile = page[y : y + TILE, x : x + TILE]
    rim = np.concatenate([tile[0], tile[-1], tile[:, 0], tile[:, -1]])
    height, width = tile.shape[:2]
    padded = cv2.copyMakeBorder(
        tile,
        MARGIN,
        MARGIN + -height % 32,  # the network takes multiples of 32
        MARGIN,
        MARGIN + -width % 32,
        cv2.BORDER_CONSTANT,
        value=[float(c) for c in np.median(rim, axis=0)],
    )
    try:
        _, seen = engine.detect_and_crop(padded, {})
    except RapidOCRError:  # its word for "there is no text"
        return np.zeros((0, 4, 2), np.float32)
    quads = np.asarray(seen.boxes, np.float32) - MARGIN
    quads = np.clip(quads, 0, np.array([width, height], np.float32))
    whole = (quads.max(axis=1) - quads.min(axis=1)).min(axis=1) > 2  # not only in the margin
    return np.asarray(quads[whole] + np.array([x, y], np.float32))


def join(found: Sequence[Quads], starts: Sequence[tuple[int, int]]) -> Quads:
    """The lines of overlapping tiles: what two tiles saw of one line becomes one line."""
    quads = np.concatenate(found)
    tile = np.repeat(np.arange(len(found)), [len(part) for part in found])
    boxes = np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1)
    tiles = np.array([(x, y, x + TILE, y + TILE) for x, y in starts], np.float32)
    reach = _overlap(boxes[:, None], tiles[None]).min(axis=2) > 0
    shared = np.flatnonzero(reach.sum(axis=1) > 1)  # only these can have a twin
    leader = np.arange(len(quads))  # lines of one leader are one line
    for position, i in enumerate(shared):
        rest = shared[position + 1 :]
        rest = rest[tile[rest] != tile[i]]
        for j in rest[_same_line(boxes[i], boxes[rest])]:
            leader[leader == leader[j]] = leader[i]
    hulls = [_hull(quads[leader == one]) for one in np.unique(leader)]
    return np.array(hulls, np.float32).reshape(-1, 4, 2)


def grow(pixels: Pixels, quads: Quads) -> Quads:
    """The lines made longer where ink goes on close by that the detector left out.

    It misses a short beginning, such as the number before a Chinese heading.
    """
    boxes = np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1).reshape(-1, 4)
    grown = quads.copy()
    for i, box in enumerate(boxes):
        level = abs(quads[i, 1, 1] - quads[i, 0, 1]) < 3 and box[3] - box[1] < box[2] - box[0]
        if level and (inked := ink_on_plain(pixels, _bounds(quads[i]))):
            beside = (boxes[:, 1] < box[3]) & (boxes[:, 3] > box[1])
            walls = boxes[beside & (np.arange(len(boxes)) != i)]
            grown[i, [0, 3], 0] -= _more(pixels, inked, box, walls, -1)
            grown[i, [1, 2], 0] += _more(pixels, inked, box, walls, 1)
    return grown


def _more(pixels: Pixels, inked: Inked, box: NDArray[Any], walls: NDArray[Any], way: int) -> int:
    """How many more columns belong to the line on its left (-1) or its right (1)."""
    high = int(box[3] - box[1])
    top, bottom = int(box[1]), int(box[3]) + 1
    if way < 0:
        ends = walls[walls[:, 0] < box[0], 2]
        stop = max(0, int(box[0]) - 2 * high, int(ends.max(initial=0)))
        window = pixels[top:bottom, stop : int(box[0])][:, ::-1]
    else:
        starts = walls[walls[:, 2] > box[2], 0]
        stop = min(pixels.shape[1], int(box[2]) + 2 * high, int(starts.min(initial=1e9)))
        window = pixels[top:bottom, int(box[2]) + 1 : stop]
    if window.shape[1] < 3:
        return 0
    ink = inked(window)
    ink &= ink.mean(axis=1, keepdims=True) < 0.6  # not the rule that the line stands on
    full = ink.mean(axis=0) > 0.9  # a rule or the edge of a fill: the line ends before it
    ink[:, int(np.argmax(full)) if full.any() else ink.shape[1] :] = False
    at = 0
    for place in np.flatnonzero(ink.any(axis=0)):
        if place - at > GAP * high:
            break
        at = int(place) + 1
    return at + 2 if at and not blob(ink[:, :at], high) else 0


def part(quads: Quads, upright: Sequence[Box]) -> Quads:
    """The lines cut where a rule stands across them: what is left and right is in two cells."""
    walls = np.array(upright, np.float32).reshape(-1, 4)
    parts = [piece for quad in quads for piece in _parted(quad, walls)]
    return np.array(parts, np.float32).reshape(-1, 4, 2)


def _parted(quad: Quads, walls: NDArray[np.float32]) -> list[Quads]:
    left, top, right, bottom = _bounds(quad)
    high = bottom - top
    if high > right - left:
        return [quad]
    across = walls[
        (walls[:, 1] < top + high / 8)
        & (walls[:, 3] > bottom - high / 8)
        & (walls[:, 3] - walls[:, 1] > 1.3 * high)
        & (walls[:, 0] > left + high / 3)
        & (walls[:, 2] < right - high / 3)
    ]
    if not len(across):
        return [quad]
    across = across[np.argsort(across[:, 0])]
    starts, ends = [left, *(across[:, 2] + 1)], [*(across[:, 0] - 1), right]
    return [_upright(a, top, b, bottom) for a, b in zip(starts, ends, strict=True) if b - a > 4]


def _upright(left: float, top: float, right: float, bottom: float) -> Quads:
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)


def _overlap(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """How far boxes overlap across and down; negative where there is a gap."""
    return np.asarray(np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2]))


def _same_line(box: NDArray[Any], others: NDArray[Any]) -> NDArray[np.bool_]:
    """Which of the boxes, seen in another tile, are parts of the line in `box`."""
    size, sizes = box[2:] - box[:2], others[:, 2:] - others[:, :2]
    common = _overlap(box, others)
    upright = int(size[1] > TALL * size[0])  # a column of text goes on downwards
    across = 1 - upright
    thickness = np.minimum(size[across], sizes[:, across])
    return np.asarray((common[:, upright] > 0) & (common[:, across] > thickness / 2))


def _hull(quads: Quads) -> Quads:
    if len(quads) == 1:
        return np.asarray(quads[0])
    left, top = quads.min(axis=(0, 1))
    right, bottom = quads.max(axis=(0, 1))
    return _upright(left, top, right, bottom)


def _bounds(quad: Quads) -> Box:
    left, top = quad.min(axis=0)
    right, bottom = quad.max(axis=0)
    return (float(left), float(top), float(right), float(bottom))


# ── reading lines ───────────────────────────────────────────────────────────────────────


def crop(page: Pixels, quad: Quads) -> Pixels:
    """The picture of one line, made level."""
    from rapidocr.utils.process_img import get_rotate_crop_image

    left, top = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    right, bottom = np.ceil(quad.max(axis=0)).astype(int) + 1
    window = page[top:bottom, left:right]
    return np.asarray(_level(get_rotate_crop_image, window, quad - (left, top)), np.uint8)


def _level(turn: Any, window: Pixels, quad: Quads) -> Pixels:
    slope = max(abs(quad[1, 1] - quad[0, 1]), abs(quad[3, 0] - quad[0, 0]))
    left, top = quad.min(axis=0).astype(int)
    right, bottom = np.ceil(quad.max(axis=0)).astype(int)
    if slope < 3:
        return window[top:bottom, left:right]
    level: Pixels = turn(window, quad.astype(np.float32))
    tall = (bottom - top) >= TALL * (right - left)
    return np.rot90(level, -1) if tall and level.shape[1] > level.shape[0] else level


def recognise(crops: Sequence[Pixels], engine: Any) -> list[tuple[str, float]]:
    """Text and confidence of each line, the surest of the ways it may be turned."""
    if not crops:
        return []
    tall = [c.size > 0 and c.shape[0] >= TALL * c.shape[1] for c in crops]
    readings = _read_all(crops, engine)
    again = [
        (i, turned)
        for i, picture in enumerate(crops)
        if tall[i] or readings[i][1] < DOUBT
        for turned in (_columns(picture) if tall[i] else [np.rot90(picture, 2)])
    ]
    for (i, _), reading in zip(again, _read_all([t for _, t in again], engine), strict=True):
        if reading[1] > readings[i][1] + 0.05:
            readings[i] = reading
    return readings


def _columns(picture: Pixels) -> list[Pixels]:
    """A tall line as it may be meant: turned by a quarter either way, or letters in a column."""
    return [np.rot90(picture), np.rot90(picture, -1), laid_out(picture)]


def laid_out(picture: Pixels) -> Pixels:
    """The letters of a column set side by side, cut where the least ink is."""
    height, width = picture.shape[:2]
    grey = picture.astype(np.int16).max(axis=2)
    ink = np.abs(grey - np.median(grey)).sum(axis=1)
    cuts, step = [0], width * 0.9
    while height - cuts[-1] > 1.4 * step:
        start = cuts[-1] + max(1, int(step * 0.75))  # a column may be a pixel wide
        stop = min(height, cuts[-1] + int(step * 1.35) + 2)
        cuts.append(start + int(np.argmin(ink[start:stop])))
    cells = [picture[a:b] for a, b in zip(cuts, [*cuts[1:], height], strict=True)]
    tallest = max(cell.shape[0] for cell in cells)
    paper = np.median(picture.reshape(-1, 3), axis=0).astype(np.uint8)
    out = np.broadcast_to(paper, (tallest, width * len(cells), 3)).copy()
    for i, cell in enumerate(cells):
        top = (tallest - cell.shape[0]) // 2
        out[top : top + cell.shape[0], i * width : (i + 1) * width] = cell
    return out


def _read_all(crops: Sequence[Pixels], engine: Any) -> list[tuple[str, float]]:
    """Text and confidence of each picture; one too thin to hold a letter says nothing."""
    # A hair of a line would be read at 48 pixels, and as many times longer.
    thick = [
        i
        for i, c in enumerate(crops)
        if min(c.shape[:2]) >= THIN and 48 * c.shape[1] >= 4 * c.shape[0]
    ]
    readings = [("", 0.0)] * len(crops)
    if thick:
        read = engine.recognize_txt([np.ascontiguousarray(crops[i]) for i in thick])
        for i, text, sure in zip(thick, read.txts, read.scores, strict=True):
            readings[i] = (text, sure)
    return readings
