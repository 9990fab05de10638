"""The third step: one editor of the catalogue makes a candidate of every accepted instruction."""

import hashlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import get_args

import numpy as np
from PIL import Image

from overpaint import catalog
from overpaint.core import RETRY_EDITS, EditStatus, Request
from overpaint.document import Document, Pixels
from overpaint.document.pictures import encode_png
from overpaint.engines.vde.pages import performed
from overpaint.engines.vde.records import Candidate, Instruction, Place, Terms, write_bytes
from overpaint.errors import OverpaintError, UserMistake
from overpaint.work import Outcome, Task

UNCHANGED = "the editor gave the page back as it was"


def make_candidates(place: Place, editor: str, terms: Terms) -> None:
    """Ask the editor for what it has not made yet, and again where an accident prevented it."""
    name, spec = catalog.editor_name(editor)
    if getattr(catalog.editor(spec), "sees_target", False):
        raise UserMistake(
            f"The editor {name} needs a truth to show.",
            "There is none yet: candidates are what a truth is made from.",
        )
    made = place.candidates()
    _check_editor(made, name)
    todo = [one for one in place.instructions().values() if not one.faults and _open(made, one.id)]
    tasks = (Task(one, ((name, spec),)) for one in todo)
    work = partial(_make, place.folder.resolve())
    for done, outcome in enumerate(performed(work, tasks, terms), 1):
        place.add(outcome.result or _failed(outcome))
        terms.progress("editing", done, len(todo))


def _check_editor(made: Mapping[str, Candidate], name: str) -> None:
    used = {one.editor for one in made.values()}
    if used - {name}:
        raise UserMistake(
            f"The candidates here were made by {', '.join(sorted(used))}, not by {name}.",
            "One build has one editor, so that its candidates are of one make.",
            f"Call it the same (--editor {sorted(used)[0]}=…), or begin another folder.",
        )


def _open(made: Mapping[str, Candidate], name: str) -> bool:
    return name not in made or made[name].status in RETRY_EDITS


def _make(folder: Path, instruction: Instruction, step: tuple[str, str]) -> Candidate:
    """The editor's picture, in the size of the page, stored; inside a worker."""
    place, (name, spec) = Place(folder), step
    page = Document(place.picture("pages", instruction.page))
    made = catalog.editor(spec)(Request(page, instruction.text, names=(instruction.id,)))
    if not isinstance(made, Document) or made.rgb.size == 0:
        raise OverpaintError("The editor gave back no picture.")
    pixels, notes = _fitted(made.rgb, page.rgb.shape[:2])
    if np.array_equal(pixels, page.rgb):
        return Candidate(instruction.id, name, "unchanged", reason=UNCHANGED)
    data = encode_png(pixels)
    write_bytes(place.picture("candidates", instruction.id), data)
    sha = hashlib.sha256(data).hexdigest()
    return Candidate(instruction.id, name, "ok", sha, notes=(*made.notes, *notes))


def _fitted(pixels: Pixels, size: tuple[int, int]) -> tuple[Pixels, tuple[str, ...]]:
    """The picture in the page's size: people box, and the region is pasted, in one frame."""
    if pixels.shape[:2] == size:
        return pixels, ()
    height, width = pixels.shape[:2]
    image = Image.fromarray(pixels).resize((size[1], size[0]), Image.Resampling.LANCZOS)
    return np.asarray(image), (f"resized from {width}×{height}",)


def _failed(outcome: Outcome) -> Candidate:
    error = outcome.error
    known = error is not None and error.status in get_args(EditStatus)
    status = error.status if known and error and error.status else "editor_failed"
    return Candidate(outcome.subject.id, outcome.step[0], status, reason=str(error)[:2000])
