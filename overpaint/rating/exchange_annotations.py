"""Label Studio's annotations become ratings, read strictly.

A task says which item it is about by the id that `exchange_label_studio` gave it; one of somebody
else's may say `sample` and `editor` (and `against`, for two edits shown as left and right) in its
data instead.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from overpaint.document import regular
from overpaint.errors import UserMistake, unread
from overpaint.measures.rated import LARGEST, LARGEST_VALUE, LONGEST, ROOM
from overpaint.rating.exchange_checks import COMMENT, VOTES, answers, told
from overpaint.rating.items import Item
from overpaint.rating.ratings import Box, Rating
from overpaint.rating.study import Question

FORM = "Label Studio exports JSON: a list of tasks with `data` and `annotations`."
_YES = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0}
_NUMBER = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")


def read_annotations(
    path: Path, questions: Sequence[Question] = (), items: Mapping[str, Item] | None = None
) -> list[Rating]:
    """The ratings in a file that Label Studio exported as JSON; a UserMistake says what is wrong.

    Of several annotations of a task by one rater the latest counts; skipped ones do not.
    """
    asked = {one.name: one for one in questions}
    found = []
    for number, task in enumerate(_tasks(path), 1):
        place = _Place(path, f"task {number}")
        about = _about(place, task, items or {})
        for annotation, inside in _latest(place, task):
            found += _ratings(inside, annotation, about, asked)
    return found


@dataclass(frozen=True)
class _Place:
    """Where in a file something stands, to say so where it is wrong."""

    path: Path
    where: str

    def within(self, where: str) -> "_Place":
        return _Place(self.path, f"{self.where}, {where}")

    def wrong(self, what: str, right: str) -> UserMistake:
        return UserMistake(f"{self.path}, {self.where}: {what}", right, "Mend it and try again.")

    def text(self, value: Any, what: str) -> str:
        if not isinstance(value, str) or not value.strip() or len(value) > LONGEST:
            raise self.wrong(
                f"its {what} is {str(value)[:40]!r}.", f"A text of 1 to {LONGEST:,} letters."
            )
        return value

    def number(self, value: Any, what: str) -> float:
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        if not plain or not abs(value) <= LARGEST_VALUE:
            right = f"A number of at most {LARGEST_VALUE:,.0f} was expected."
            raise self.wrong(f"its {what} is {str(value)[:40]!r}.", right)
        return float(value)

    def entries(self, value: Any, what: str) -> list[dict[str, Any]]:
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self.wrong(
                f"its {what} is no list of objects.", "Label Studio exports such a one."
            )
        return value


@dataclass(frozen=True)
class _About:
    """What a task is about: sample and editors, and which of two stands at the left."""

    sample: str
    editor: str
    against: str
    turned: bool


def _tasks(path: Path) -> list[dict[str, Any]]:
    try:
        with regular.opened(path) as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UserMistake(f"{path} cannot be read: {error.strerror}.", FORM) from None
    if len(data) > LARGEST:
        raise UserMistake(
            f"{path} is too large.", f"At most {LARGEST:,} bytes are read.",
            "Export fewer tasks at a time.",
        )  # fmt: skip
    try:
        found = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise UserMistake(f"{path} is no JSON: {unread(error)}.", FORM) from None
    if not isinstance(found, list) or not all(isinstance(task, dict) for task in found):
        raise UserMistake(f"{path} is no list of tasks.", FORM)
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _about(place: _Place, task: Mapping[str, Any], items: Mapping[str, Item]) -> _About:
    data = task.get("data")
    if not isinstance(data, dict):
        raise place.wrong("it has no data.", "Every task of Label Studio has.")
    turned = data.get("turned", False)
    if not isinstance(turned, bool):
        raise place.wrong(f"`turned` is {str(turned)[:40]!r}.", "It is true or false.")
    if "overpaint" in data:
        item = items.get(place.text(data["overpaint"], "item"))
        if item is None:
            raise place.wrong(f"no item is called {data['overpaint'][:40]!r}.",
                        "The tasks of this study were expected.")  # fmt: skip
        return _About(item.sample, item.editor, item.against, turned)
    sample, editor = (place.text(data.get(name), name) for name in ("sample", "editor"))
    against = place.text(data["against"], "against") if data.get("against") else ""
    if against == editor:
        raise place.wrong(f"{against[:40]} is held against itself.", "A pair has two editors.")
    return _About(sample, editor, against, turned)


def _latest(place: _Place, task: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], _Place]]:
    """Each rater's last annotation that was not skipped."""
    last: dict[str, tuple[str, dict[str, Any], _Place]] = {}
    for number, one in enumerate(place.entries(task.get("annotations", []), "annotations"), 1):
        inside = place.within(f"annotation {number}")
        if one.get("was_cancelled"):
            continue
        rater, when = _rater(inside, one), str(one.get("updated_at", ""))[:40]
        if rater not in last or when >= last[rater][0]:
            last[rater] = (when, one, inside)
    yield from ((one, inside) for _, one, inside in last.values())


def _rater(place: _Place, annotation: Mapping[str, Any]) -> str:
    """A pseudonym; of somebody's account only its number, or a hash where it has none."""
    if "rater" in annotation:
        return place.text(annotation["rater"], "rater")
    results = place.entries(annotation.get("result", []), "result")
    named = {
        meta["rater"]
        for one in results
        if isinstance(meta := one.get("meta"), dict) and isinstance(meta.get("rater"), str)
    }
    if len(named) == 1:
        return place.text(named.pop(), "rater")
    by = annotation.get("completed_by")
    number = by.get("id") if isinstance(by, dict) else by
    if isinstance(number, int) and not isinstance(number, bool):
        return f"L{number}"
    if isinstance(by, dict) and by:
        told = json.dumps(by, sort_keys=True).encode()
        return f"L-{hashlib.sha256(told).hexdigest()[:8]}"
    raise place.wrong("it does not say who made it.", "`completed_by` does.")


def _ratings(
    place: _Place, annotation: Mapping[str, Any], about: _About, asked: Mapping[str, Question]
) -> list[Rating]:
    rater = _rater(place, annotation)
    time = annotation.get("lead_time")
    seconds = None if time is None else place.number(time, "lead_time")
    found: dict[str, Rating] = {}
    comment = ""
    for number, one in enumerate(place.entries(annotation.get("result", []), "result"), 1):
        inside = place.within(f"result {number}")
        name = inside.text(one.get("from_name"), "from_name")
        if one.get("type") == "textarea" and name == COMMENT:
            comment = _comment(one.get("value"))
            continue
        if name in found:
            raise inside.wrong(f"{name[:40]} is answered twice.", "Each question has one answer.")
        value, box = _answer(inside, one, about, asked.get(name))
        _check(inside, name, value, box, asked)
        found[name] = Rating(
            about.sample, about.editor, rater, name, value,
            about.against if value is not None else "", box, seconds,
        )  # fmt: skip
    return [replace(one, comment=comment) for one in found.values()]


def _comment(value: Any) -> str:
    told = value.get("text") if isinstance(value, dict) else None
    lines = told if isinstance(told, list) else [told]
    return "\n".join(line for line in lines if isinstance(line, str))[: 10 * LONGEST]


def _answer(
    place: _Place, one: Mapping[str, Any], about: _About, question: Question | None
) -> tuple[float | None, Box | None]:
    value = one.get("value")
    if not isinstance(value, dict):
        raise place.wrong("it has no value.", "Every result of Label Studio has.")
    kind = one.get("type")
    if kind == "rectanglelabels":
        return None, _box(place, value)
    if kind in ("number", "rating") and not about.against:
        return place.number(value.get(kind), kind), None
    if kind == "pairwise":
        return _vote(place, value.get("selected"), about), None
    if kind == "choices":
        chosen = value.get("choices")
        if not isinstance(chosen, list) or len(chosen) != 1 or not isinstance(chosen[0], str):
            raise place.wrong(f"it chose {str(chosen)[:40]}.", "One choice was expected.")
        return _chosen(place, chosen[0].strip(), about, question), None
    raise place.wrong(f"{str(kind)[:40]!r} is no kind of answer that is known here.",
                "Known are number, rating, choices, pairwise and rectanglelabels.")  # fmt: skip


def _vote(place: _Place, word: Any, about: _About) -> float:
    if not about.against:
        raise place.wrong("it is a vote on one edit.", "A pair was expected.")
    if not isinstance(word, str) or word.casefold() not in VOTES:
        raise place.wrong(f"{str(word)[:40]!r} is no vote.", "left, tie or right is.")
    value = VOTES[word.casefold()]
    return 1 - value if about.turned else value


def _chosen(place: _Place, word: str, about: _About, question: Question | None) -> float:
    if about.against:
        return _vote(place, word, about)
    if (question is None or question.values is None) and word.casefold() in _YES:
        return _YES[word.casefold()]
    if _NUMBER.fullmatch(word):
        return float(word)
    raise place.wrong(f"the choice {word[:40]!r} is no number.", "A level such as 3, yes or no is.")


def _box(place: _Place, value: Mapping[str, Any]) -> Box:
    if place.number(value.get("rotation", 0), "rotation") % 360:
        raise place.wrong("its box is turned.", "Boxes stand upright.")
    x, y, width, height = (place.number(value.get(k), k) for k in ("x", "y", "width", "height"))
    out = min(x, y) < -ROOM or max(x + width, y + height) > 100 + ROOM
    if out or min(width, height) <= 0:
        raise place.wrong(f"the box {x:g}, {y:g}, {width:g}, {height:g} is not in the picture.",
                    "A box is in percent of its picture.")  # fmt: skip
    return x, y, width, height


def _check(
    place: _Place, name: str, value: float | None, box: Box | None, asked: Mapping[str, Question]
) -> None:
    """Refuse what is no answer to the question of that name, where the questions are known."""
    if not asked:
        return
    if (question := asked.get(name)) is None:
        raise place.wrong(f"nobody asked {name[:40]!r}.", f"Asked: {', '.join(asked)}.")
    if (question.kind == "box") != (box is not None):
        raise place.wrong(
            f"{name} is no such question.", "A box answers a box, a value anything else."
        )
    if value is not None and question.kind != "choice" and not answers(question, value):
        raise place.wrong(f"{value:g} is no answer to {name}.", f"Answers: {told(question)}.")
