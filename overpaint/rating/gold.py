"""Items with known answers from a file: the columns of ratings, whoever the rater is."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from overpaint.errors import UserMistake
from overpaint.measures import rated
from overpaint.rating.items import Item, Pool
from overpaint.rating.study import Question, Study

ROOM = 0.25  # of the scale by which a right answer may differ from the known one
_SIDES: Mapping[float | None, str] = {1.0: "editor", 0.5: "tie", 0.0: "against"}


def read_gold(path: Path, study: Study, pool: Pool) -> Pool:
    """The pool with the file's items as gold; they no longer count among the others."""
    rows, _ = rated.read_ratings(path, "Known answers are CSV: sample, editor, rater, value.")
    there = {_key(item): item for item in (*pool.items, *pool.known)}
    expected: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        key = (row.sample, row.editor, row.against)
        if key not in there:
            wrong = f"the study has no edit of {row.sample} by {row.editor}."
            rated.fault(path, row.line, wrong, "Known answers are about edits of the run.")
        expected.setdefault(key, {})[row.dimension] = _expected(path, study, row)
    if not expected:
        raise UserMistake(f"{path} has no known answers.", "It has no rows.")
    gold = [replace(there[key], expected=right) for key, right in expected.items()]
    left = tuple(item for item in pool.items if _key(item) not in expected)
    if not left:
        raise UserMistake(f"All items of the study are in {path}.", "None is left to be rated.")
    taught = tuple(item for item in pool.training if _key(item) not in expected)
    return replace(pool, items=left, gold=tuple(gold), training=taught)


def _key(item: Item) -> tuple[str, ...]:
    return item.sample, item.editor, item.against


def _expected(path: Path, study: Study, row: rated.Rating) -> Any:
    asked = {one.name: one for one in study.questions}
    if row.dimension not in asked:
        wrong = f"nothing called {row.dimension[:40]!r} is asked."
        rated.fault(path, row.line, wrong, f"Asked is {', '.join(asked)}.")
    question = asked[row.dimension]
    found = _right(question, row.value)
    if found is None:
        wrong = "it is no answer to that question."
        rated.fault(path, row.line, wrong, "1 or 0 for yes or no, a number on the scale.")
    return found


def _right(question: Question, value: float | None) -> Any:
    if question.kind == "choice":
        return _SIDES.get(value)
    if value is None or question.ends is None:
        return None
    low, high = question.ends
    if question.kind == "yesno":
        return bool(value) if value in (0.0, 1.0) else None
    if not low <= value <= high:
        return None
    room = ROOM * (high - low)
    return [max(low, value - room), min(high, value + room)]
