"""The steps of a run: one edit made, one score given; whatever goes wrong is a status.

The only catch-all of the pipeline stands here. It is what workers and threads do, each by itself.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

from overpaint import catalog
from overpaint.core import (
    Edit,
    EditStatus,
    Evidence,
    Measure,
    Sample,
    Score,
    failed,
    looked_at,
)
from overpaint.document import Document
from overpaint.document.pictures import is_there
from overpaint.document.places import cache_folder
from overpaint.errors import OverpaintError, StoreError, UserMistake
from overpaint.models.desk import Desk
from overpaint.store import Recall, keep_picture, recall_evidence
from overpaint.work import at_home

LONGEST = 2_000  # characters of a reason or a note; more is noise, and would fill the run
SLACK = 1e-6  # rounding may carry a value this far past its declared ends


def make_edit(
    folder: Path, sample: Sample, step: tuple[str, str], desk: Desk | None = None
) -> Edit:
    """What the editor makes of the sample; whatever goes wrong is the edit's status."""
    name, spec = step
    editor = catalog.editor(spec)
    started = time.perf_counter()
    try:
        output, trace = _made(folder, editor, sample, desk)
        notes = _readable(output)
        edit = Edit(sample, name, "ok", keep_picture(folder, output), notes=notes, trace=trace)
    except (StoreError, UserMistake):
        raise
    except OverpaintError as error:
        status: Any = error.status if error.status in get_args(EditStatus) else "editor_failed"
        edit = Edit(sample, name, status, reason=str(error))
    except Exception as error:  # noqa: BLE001
        edit = Edit(sample, name, "editor_failed", reason=f"{type(error).__name__}: {error}")
    if desk is not None:
        desk.check()
    if edit.status != "ok":
        _check_drawn(sample)
    return replace(edit, reason=edit.reason[:LONGEST], seconds=time.perf_counter() - started)


def _made(
    folder: Path, editor: Any, sample: Sample, desk: Desk | None
) -> tuple[Document, tuple[dict[str, Any], ...]]:
    """What the editor made, and how, where it tells."""
    if traced := getattr(editor, "traced", None):
        output, trace = traced(sample.request, desk)
        return output, tuple(_kept_step(folder, step) for step in trace)
    return editor(sample if getattr(editor, "sees_target", False) else sample.request), ()


def _kept_step(folder: Path, step: Mapping[str, Any]) -> dict[str, Any]:
    """A step of a trace as JSON can hold it: its picture by the name it is kept under."""
    shown = step.get("picture")
    if not isinstance(shown, Document):
        return dict(step)
    kept = keep_picture(folder, shown).path
    assert kept is not None
    return {**step, "picture": kept.name}


def _readable(output: Document) -> tuple[str, ...]:
    """Decode an editor's output once, so that a broken picture is the editor's failure."""
    if not isinstance(output, Document):
        raise OverpaintError(f"The editor gave back a {type(output).__name__}, not a Document.")
    if output.rgb.size == 0:
        raise OverpaintError("The editor gave a picture without pixels.")
    return _told(output.notes)


_Edits = tuple[Edit, ...]  # the one that is scored; and the one it is held against, if any


def make_scores_of(
    folder: Path, edits: _Edits, step: tuple[str, str], *, as_set: bool = False
) -> tuple[Score, dict[str, str]]:
    """The measure's score of the edit, and evidence worth keeping that was found on the way.

    With `as_set` it is that of all these edits, under a measure of sets.
    """
    return _scored(edits, step, _evidence(folder), as_set=as_set)


def ask_scores(
    folder: Path, desk: Desk, edits: _Edits, step: tuple[str, str]
) -> tuple[Score, dict[str, str]]:
    """The same in a thread, with a memory of its own and a desk to ask at."""
    scored = _scored(edits, step, Evidence(partial(recall_evidence, folder), desk=desk))
    desk.check()
    return scored


def _scored(
    edits: _Edits, step: tuple[str, str], evidence: Evidence, *, as_set: bool = False
) -> tuple[Score, dict[str, str]]:
    name, spec = step
    measure = catalog.measure(spec)
    by_itself = measure.scope == "set" and not as_set
    ask = partial(looked_at, measure) if by_itself else measure.score
    started = time.perf_counter()
    try:
        (found,) = ask(edits, evidence)
        score = _checked(found, name, measure)
    except (StoreError, UserMistake):  # a cost limit is one: it would spoil every row alike
        raise
    except Exception as error:  # noqa: BLE001
        reason = OverpaintError(f"{type(error).__name__}: {error}"[:LONGEST])
        score = failed(edits[0], name, reason)
    if score.value is None:
        _check_drawn(edits[0].sample)
    fresh, evidence.fresh = evidence.fresh, {}
    return against(replace(score, seconds=time.perf_counter() - started), edits), fresh


def against(score: Score, edits: _Edits) -> Score:
    """The score with the editor it is held against, where there is one."""
    return replace(score, against=edits[1].editor if len(edits) > 1 else None)


def _checked(score: Score, name: str, measure: Measure) -> Score:
    """The score as a row can hold it; one that is not the measure's own is an error."""
    if score.measure != name:
        raise ValueError(f"{name} gave a score called {score.measure}")
    ends = [end for end in (measure.worst, measure.best) if end is not None]
    value = None if score.value is None else float(score.value)
    if value is not None and len(ends) == 2 and not min(ends) - SLACK <= value <= max(ends) + SLACK:
        raise ValueError(f"{value:g} is not between {min(ends):g} and {max(ends):g}")
    reason, notes = str(score.reason)[:LONGEST], _told(score.notes)
    return replace(score, value=value, reason=reason, notes=notes)


def _told(notes: Iterable[object]) -> tuple[str, ...]:
    """Notes as a row can hold them."""
    return tuple(str(note)[:LONGEST] for note in notes)


def _check_drawn(sample: Sample) -> None:
    """StoreError where what is wrong is that a built-in set is no longer in the cache."""
    request, drawn = sample.request, cache_folder().absolute()
    for one in (request.source, *request.references, sample.target, *sample.masks):
        if one and one.path and one.path.is_relative_to(drawn) and not is_there(one.path):
            raise StoreError(
                f"The picture {one.path} of the sample {sample.id} is gone from the cache.",
                "It would spoil every row of the sample, so nothing was written down.",
                "Give its `overpaint run` again, which draws it, and then this command.",
            )


_memory: dict[Path, Evidence] = {}  # of a worker, from one task to the next


def _evidence(folder: Path) -> Evidence:
    if folder not in _memory:
        _memory[folder] = Evidence(Recall(folder)) if at_home() else Evidence()
    return _memory[folder]


def forget() -> None:
    """Drop what was kept from one task to the next, as a worker that ends does."""
    _memory.clear()
