"""From files to pictures that references are taken from: decoded, bounded, stored once."""

import hashlib
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from overpaint.document import Document, Pixels
from overpaint.document.pictures import encode_png, flatten
from overpaint.engines.refblend.gathering import Given
from overpaint.engines.refblend.records import GIVEN, Drawn, Found, Place, Settings, Source
from overpaint.engines.vde.pages import performed
from overpaint.engines.vde.records import Terms, write_bytes
from overpaint.errors import DataError, OverpaintError
from overpaint.vision.references import Kind
from overpaint.work import Task

SMALLEST = 32  # pixels of a side: below that nothing can be told apart
MOST_GIVEN = 3  # subjects, and styles, that are taken with one picture


def collect(place: Place, given: Sequence[Given], settings: Settings, terms: Terms) -> None:
    """Store the pictures that were not stored before, and what comes with them."""
    known = {one.file for one in place.taken()}
    todo = [one for one in given if str(one.path) not in known]
    tasks = [Task(one, (settings.longest,)) for one in todo]
    work = partial(_taken, place.folder.resolve())
    for done, outcome in enumerate(performed(work, tasks, terms), 1):
        if outcome.error is None:
            source, found = outcome.result
            for one in found:
                place.add(one)
            place.add(source)
        else:
            file = str(outcome.subject.path)
            place.add(Source(_name(outcome.subject.path, file.encode()), file,
                             reason=str(outcome.error)))  # fmt: skip
        terms.progress("pictures", done, len(todo))


def _taken(folder: Path, given: Given, longest: int) -> tuple[Source, list[Found]]:
    """One picture and what comes with it, stored; inside a worker."""
    pixels, notes = bounded(given.path, longest)
    high, wide = pixels.shape[:2]
    if min(high, wide) < SMALLEST:
        raise DataError(f"{given.path} has {wide}×{high} pixels.",
                        f"Each side should have {SMALLEST} at least.")  # fmt: skip
    told = hashlib.sha256(repr(pixels.shape).encode() + np.ascontiguousarray(pixels).data)
    name = _name(given.path, told.digest())
    file = f"images/{name}.png"
    write_bytes(folder / file, encode_png(pixels))
    found, problems = [], list(notes)
    kinds: dict[Kind, tuple[Path, ...]] = {"subject": given.subjects, "style": given.styles}
    for kind, paths in kinds.items():
        drawn = list[Drawn]()
        for path in paths[:MOST_GIVEN]:
            try:
                own, _ = bounded(path, longest)
                drawn.append(stored(folder, f"references/{name}/{kind}-{len(drawn) + 1}", own))
            except OverpaintError as error:
                problems.append(f"left out with it: {error}")
        if len(paths) > MOST_GIVEN:
            problems.append(f"the first {MOST_GIVEN} of {len(paths)} that come as its {kind}")
        if drawn:
            found.append(Found(name, kind, GIVEN, "1", references=tuple(drawn)))
    source = Source(name, str(given.path), file, wide, high, told.hexdigest(), tuple(problems))
    return source, found


def bounded(path: Path, longest: int) -> tuple[Pixels, tuple[str, ...]]:
    """The RGB pixels of a picture, made smaller where a side is too long, and notes."""
    document = Document(path)
    pixels, notes = flatten(document.rgb), document.notes
    high, wide = pixels.shape[:2]
    if max(high, wide) <= longest:
        return pixels, notes
    import cv2

    scale = longest / max(high, wide)
    size = max(1, round(wide * scale)), max(1, round(high * scale))
    smaller = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    return smaller, (*notes, f"made smaller, from {wide}×{high} to {size[0]}×{size[1]} pixels")


def stored(folder: Path, name: str, pixels: Pixels) -> Drawn:
    """The picture of a reference on disk, and the record of it."""
    data = encode_png(pixels)
    write_bytes(folder / f"{name}.png", data)
    high, wide = pixels.shape[:2]
    return Drawn(f"{name}.png", hashlib.sha256(data).hexdigest(), wide, high)


def _name(path: Path, told: bytes) -> str:
    """A short name that is safe in any path and any instruction, and one picture's alone."""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", path.stem).strip("-")[:24].strip("-").lower()
    return f"{slug or 'picture'}-{hashlib.sha256(told).hexdigest()[:8]}"
