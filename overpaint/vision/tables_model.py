"""Tables without rules to go by: a small layout network finds them, SLANet-plus tells their cells.

Both networks are optional (`overpaint get ocr`): without them such tables are read as text. They
see a page at 800×608 and a table at 488×488 pixels, so what the rules of a table tell is always
preferred; `docs/decisions/007-reading.md` has the figures.
"""

import functools
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint import weights
from overpaint.errors import Unavailable
from overpaint.vision.cells import Cell, Table
from overpaint.vision.page import Box, Line
from overpaint.vision.sessions import started

Pixels = NDArray[np.uint8]

LAYOUT, STRUCTURE = "ocr-layout", "ocr-tables"
SURE = 0.5  # of a table, else it is none
_PAGE = (608, 800)  # width and height that the layout network takes
_SIDE = 488  # of the square that SLANet-plus takes
_MEAN = np.array([0.485, 0.456, 0.406], np.float32)  # of ImageNet, as are the deviations
_DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)


def version() -> str:
    """Which of the networks are here, by the first digits of their hashes."""
    here = (name for name in (LAYOUT, STRUCTURE) if _network(name))
    return "+".join(weights.row(name).sha256[:8] for name in here) or "none"


@functools.cache
def _network(name: str) -> Any:
    """The network of that row of the table of weights; none where it is not on this machine."""
    try:
        path = weights.find(name)
    except Unavailable:
        return None
    return started(path)


def _normal(picture: NDArray[Any]) -> NDArray[np.float32]:
    return np.asarray((picture[:, :, ::-1] / np.float32(255) - _MEAN) / _DEVIATION, np.float32)


# ── where tables are ────────────────────────────────────────────────────────────────────


def places(pixels: Pixels) -> list[Box]:
    """Where the layout network sees tables, the surest first; none without the networks."""
    import cv2

    network = _network(LAYOUT)
    if network is None or _network(STRUCTURE) is None:
        return []
    small = _normal(cv2.resize(pixels, _PAGE, interpolation=cv2.INTER_LINEAR))
    told = network.run(None, {"image": small.transpose(2, 0, 1)[None]})
    labels = network.get_modelmeta().custom_metadata_map["character"].splitlines()
    boxes, scores = _decoded(told, labels.index("table"))
    scale = np.array([pixels.shape[1] / _PAGE[0], pixels.shape[0] / _PAGE[1]] * 2)
    found: list[Box] = []
    for i in np.argsort(-scores, kind="stable"):
        if scores[i] < SURE:
            break
        left, top, right, bottom = (float(edge) for edge in boxes[i] * scale)
        if not any(overlap((left, top, right, bottom), other) > 0.5 for other in found):
            found.append((left, top, right, bottom))
    return found


def _decoded(
    told: Sequence[NDArray[np.float32]], label: int
) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Boxes and scores of one label: PicoDet tells each side as a distribution of distances."""
    boxes, scores = [], []
    for level, stride in enumerate((8, 16, 32, 64)):
        width, height = (-(-side // stride) for side in _PAGE)
        down, across = np.mgrid[0:height, 0:width]
        middle = np.stack([across.ravel(), down.ravel()] * 2, axis=1) + 0.5
        sides = told[level + 4][0].reshape(len(middle), 4, -1).astype(np.float64)
        share = np.exp(sides - sides.max(axis=2, keepdims=True))
        away = (share * np.arange(share.shape[2])).sum(axis=2) / share.sum(axis=2)
        boxes.append((middle + away * [-1, -1, 1, 1]) * stride)
        scores.append(told[level][0][:, label])
    return np.concatenate(boxes), np.concatenate(scores)


def overlap(a: Box, b: Box) -> float:
    """The share of the smaller box that both cover."""
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
    return max(0.0, wide) * max(0.0, high) / max(1.0, min(areas))


# ── what stands where in them ───────────────────────────────────────────────────────────


def table_at(pixels: Pixels, box: Box, lines: Sequence[Line]) -> Table | None:
    """The table in that box, its cells filled with the lines; none where no structure is seen."""
    left, top, right, bottom = (max(0, int(edge)) for edge in box)
    inside = pixels[top:bottom, left:right]
    if min(inside.shape[:2], default=0) < 16:
        return None
    tokens, boxes = _structure(inside)
    cells = _cells(tokens)
    if len(cells) < 4 or len(cells) != len(boxes):
        return None
    held: dict[int, list[Line]] = {}
    for line in lines:
        moved = np.array(line.box) - (left, top, left, top)
        held.setdefault(_nearest(moved, boxes), []).append(line)
    filled = [
        Cell(c.row, c.column, c.rows, c.columns, tuple(held.get(i, ())))
        for i, c in enumerate(cells)
    ]
    return Table((float(left), float(top), float(right), float(bottom)), tuple(filled))


def _structure(inside: Pixels) -> tuple[list[str], NDArray[np.float64]]:
    """The HTML tokens of a table, and the box of every cell; nothing where they do not end."""
    import cv2

    network = _network(STRUCTURE)
    height, width = inside.shape[:2]
    scale = _SIDE / max(height, width)
    small = cv2.resize(inside, (max(1, int(width * scale)), max(1, int(height * scale))))
    square = np.zeros((_SIDE, _SIDE, 3), np.float32)
    square[: small.shape[0], : small.shape[1]] = _normal(small)
    corners, told = network.run(None, {"x": square.transpose(2, 0, 1)[None]})
    known = network.get_modelmeta().custom_metadata_map["character"].splitlines()
    known = ["", *known, "end"]
    tokens = [known[i] for i in told[0].argmax(axis=1)]
    if "end" not in tokens:
        return [], np.zeros((0, 4))
    tokens = tokens[: tokens.index("end")]
    cells = [i for i, token in enumerate(tokens) if token.startswith("<td")]
    points = corners[0][cells].reshape(-1, 4, 2).astype(np.float64) * _SIDE / scale
    return tokens, np.concatenate([points.min(axis=1), points.max(axis=1)], axis=1)


def _cells(tokens: Sequence[str]) -> list[Cell]:
    """The cells that HTML tokens tell, each at the first place that is still free."""
    taken: set[tuple[int, int]] = set()
    cells: list[Cell] = []
    row = -1
    for told in re.findall(r"<tr>|<td></td>|<td[^>]*>", "".join(tokens)):
        if told == "<tr>":
            row += 1
            continue
        rows, columns = (
            int(span[1]) if (span := re.search(rf'{name}="(\d+)"', told)) else 1
            for name in ("rowspan", "colspan")
        )
        column = next(c for c in range(len(taken) + 1) if (row, c) not in taken)
        cells.append(Cell(max(row, 0), column, rows, columns))
        taken |= {(row + r, column + c) for r in range(rows) for c in range(columns)}
    return cells


def _nearest(box: NDArray[np.float64], boxes: NDArray[np.float64]) -> int:
    """The cell that a line overlaps most, or else the nearest."""
    wide = np.minimum(box[2], boxes[:, 2]) - np.maximum(box[0], boxes[:, 0])
    high = np.minimum(box[3], boxes[:, 3]) - np.maximum(box[1], boxes[:, 1])
    common = np.maximum(wide, 0) * np.maximum(high, 0)
    if common.any():
        return int(common.argmax())
    return int(np.abs(boxes - box).sum(axis=1).argmin())
