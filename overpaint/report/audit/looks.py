"""Small pictures of an audit's probes, as data of the page they stand in."""

import base64
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from overpaint.core import Edit, Sample
from overpaint.document import Document
from overpaint.engines.probes import BY_NAME, WHITE
from overpaint.errors import PictureError
from overpaint.report.audit.numbers import DONE
from overpaint.report.thumbs import encode
from overpaint.report.wording import plain
from overpaint.store import Row, Store

EDGE = 296  # pixels; shown at half of that
LONGEST = 240  # characters of an instruction or a reason
LEAST = 0.4  # of the picture's width that a closer look shows
SHAPE = 4 / 3  # of a look

Box = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass(frozen=True)
class Look:
    """A picture as data, where the whole of it lies seen from the page, and what it was asked."""

    data: str
    path: str
    instruction: str
    said: Mapping[str, str]  # by measure: its reason, where it gives reasons


def looks(store: Store) -> dict[str, Look]:
    """One picture of each probe, all of the sample that has the most of them."""
    samples = [sample for sample in store.samples() if "base" in sample.tags]
    if not samples:
        return {}
    base = Counter(sample.tags["base"] for sample in samples).most_common(1)[0][0]
    chosen = {sample.id: sample for sample in samples if sample.tags["base"] == base}
    said: dict[str, dict[str, str]] = {name: {} for name in chosen}
    for row in store.rows():
        if row.sample in said and (reason := _reason(row)):
            said[row.sample][row.measure] = reason
    shown = {}
    for name, sample in chosen.items():
        edit = store.edit(sample, "probe")
        look = _look(edit, store.folder, said[name]) if edit and edit.output else None
        if look:
            shown[sample.tags["probe"]] = look
    return shown


def _reason(row: Row) -> str:
    """What a judge said of it; what was done to the pictures first is not that."""
    notes = [note for note in row.notes if not note.startswith(DONE)]
    return plain(notes[0])[:LONGEST] if notes else ""


def _look(edit: Edit, folder: Path, said: Mapping[str, str]) -> Look | None:
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
    words = plain(edit.sample.request.instruction)[:LONGEST]
    return Look(f"data:image/webp;base64,{data}", path, words, said)


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
    wide, high = 1.2 * (columns[-1] - columns[0] + 1), 1.2 * (rows[-1] - rows[0] + 1)
    wide = max(LEAST * width, wide, high * SHAPE)
    left, right = _span(int(columns[0] + columns[-1] + 1) // 2, round(wide), width)
    top, bottom = _span(int(rows[0] + rows[-1] + 1) // 2, round(wide / SHAPE), height)
    return left, top, right, bottom


def _span(middle: int, length: int, room: int) -> tuple[int, int]:
    """A stretch of that length around the middle, or all there is."""
    length = min(room, length)
    start = min(max(0, middle - length // 2), room - length)
    return start, start + length
