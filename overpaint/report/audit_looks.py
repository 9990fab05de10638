"""Small pictures of an audit's probes, as data of the page they stand in."""

import base64
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from overpaint.core import Edit, Sample
from overpaint.document import Document
from overpaint.engines.probes import BY_NAME, WHITE
from overpaint.errors import PictureError
from overpaint.report.thumbs import encode
from overpaint.store import Store

EDGE = 296  # pixels; shown at half of that
LEAST = 0.4  # of the picture's sides that a closer look shows

Box = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass(frozen=True)
class Look:
    """A picture as data, and where the whole of it lies, seen from the page."""

    data: str
    path: str


def looks(store: Store) -> dict[str, Look]:
    """One picture of each probe, all of the sample that has the most of them."""
    samples = [sample for sample in store.samples() if "base" in sample.tags]
    if not samples:
        return {}
    base = Counter(sample.tags["base"] for sample in samples).most_common(1)[0][0]
    shown = {}
    for sample in samples:
        edit = store.edit(sample, "probe") if sample.tags["base"] == base else None
        look = _look(edit, store.folder) if edit and edit.output else None
        if look:
            shown[sample.tags["probe"]] = look
    return shown


def _look(edit: Edit, folder: Path) -> Look | None:
    assert edit.output is not None
    assert edit.output.path is not None  # the store keeps what it was given
    try:
        pixels = edit.output.rgb
        box = _close(edit.sample, edit.output)
    except PictureError:
        return None
    image = Image.fromarray(np.ascontiguousarray(pixels)).crop(box)
    scale = min(1.0, EDGE / max(image.size))
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    data = base64.b64encode(encode(image.resize(size, Image.Resampling.LANCZOS))).decode()
    path = edit.output.path.resolve().relative_to(folder.resolve()).as_posix()
    return Look(f"data:image/webp;base64,{data}", path)


def _close(sample: Sample, output: Document) -> Box:
    """Around the edit, where that is what the probe is about; else the whole picture."""
    width, height = output.size
    whole = (0, 0, width, height)
    probe = BY_NAME.get(sample.tags.get("probe", ""))
    fine = probe is not None and (probe.where == "inside" or probe.group == "damage")
    if probe is None or not fine or probe.where == "outside" or not sample.masks:
        return whole
    white = np.logical_or.reduce([mask.rgb.max(axis=2) >= WHITE for mask in sample.masks])
    rows, columns = np.flatnonzero(white.any(axis=1)), np.flatnonzero(white.any(axis=0))
    if not len(rows) or white.shape != (height, width):
        return whole
    left, right = _span(int(columns[0]), int(columns[-1]), width)
    top, bottom = _span(int(rows[0]), int(rows[-1]), height)
    return left, top, right, bottom


def _span(first: int, last: int, room: int) -> tuple[int, int]:
    """A stretch around both ends, a part of the room at least."""
    length = min(room, max(round(LEAST * room), round(1.2 * (last - first + 1))))
    start = min(max(0, (first + last + 1 - length) // 2), room - length)
    return start, start + length
