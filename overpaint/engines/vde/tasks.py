"""What people are asked and what they answer: the lines of tasks.jsonl and answers.jsonl.

`docs/decisions/008-tasks-and-answers.md` fixes both. Tasks are ours; answers come from outside
and are hostile until parsed: a line that cannot be taken costs itself alone and is told.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from overpaint.engines.building import Problem
from overpaint.engines.vde.lines import json_lines, number_at, text_at, whole_at, yes_at
from overpaint.errors import DataError
from overpaint.vision.page import Block, Box, from_json

ASPECTS = ("compliance", "authenticity", "satisfaction")
SCALE = (1, 3)
QUESTIONS = {
    "rate": "Did the edit do what the instruction asks and nothing else (compliance)? Does it look"
    " as if it had always been so (authenticity)? Are you content with it (satisfaction)?"
    " 1 is worst, 3 is best.",
    "box": "Draw one box around all that changed, as close as you can.",
    "look": "Outside the box this is the page as it was. Would you put this edit into a benchmark?",
    "text": "Read the page and the box. Correct what was read wrongly; leave out what is right.",
}
_MOST_BLOCKS = 20_000


@dataclass(frozen=True)
class Task:
    """One question about one picture, wanted from so many people."""

    kind: str
    sample: str
    picture: Mapping[str, Any]  # path, sha256, width, height
    wanted: int
    round: int = 1
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """kind:sample, and the round where there is a second."""
        return f"{self.kind}:{self.sample}" + (f":{self.round}" if self.round > 1 else "")

    @property
    def question(self) -> str:
        """What people are asked."""
        return QUESTIONS[self.kind]

    def answer(self, row: Mapping[str, Any]) -> Any:
        """What a line says to it, checked."""
        return _VALUES[self.kind](self, row)

    def line(self, answers: int, is_open: bool) -> dict[str, Any]:
        """The task as it stands in tasks.jsonl."""
        return {
            "task": self.id, "kind": self.kind, "open": is_open, "wanted": self.wanted,
            "answers": answers, "question": self.question, "sample": self.sample,
            "round": self.round, "picture": dict(self.picture), **self.facts,
        }  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """What one person, or one group with one voice, said to one task."""

    by: str
    value: Any  # a rating, a box in percent, yes or no, or corrected blocks
    note: str = ""


@dataclass(frozen=True)
class Corrected:
    """Blocks as a person corrected them; None where what was read is right."""

    page: tuple[Block, ...] | None
    region: tuple[Block, ...] | None


class Inbox:
    """The answers of a file, taken out task by task; what is wrong with them is collected."""

    def __init__(self, file: Path) -> None:
        self.problems: list[Problem] = []
        self._rows: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
        for where, row in json_lines(file, self.problems) if file.exists() else ():
            try:
                self._rows.setdefault(text_at(row, "task", 200), []).append((where, row))
            except DataError as error:
                self.problems.append(Problem(where, str(error)))

    def take(self, task: Task) -> list[Answer]:
        """The answers to a task in the order of their lines, one a person."""
        answers: dict[str, Answer] = {}
        for where, row in self._rows.pop(task.id, ()):
            try:
                answer = parse(task, row)
                if answer.by in answers:
                    raise DataError(f"{answer.by} has answered {task.id} before; the first counts")
                answers[answer.by] = answer
            except DataError as error:
                self.problems.append(Problem(where, str(error)))
        return list(answers.values())

    def leave(self) -> tuple[Problem, ...]:
        """Every problem, those of answers to tasks that were never asked included."""
        for name, rows in self._rows.items():
            self.problems += [Problem(where, f"there is no task {name!r}") for where, _ in rows]
        self._rows = {}
        return tuple(sorted(self.problems, key=_by_line))


def _by_line(problem: Problem) -> tuple[str, int]:
    file, _, line = problem.where.rpartition(" ")
    return file, int(line)


def parse(task: Task, row: Mapping[str, Any]) -> Answer:
    """The answer on a line, checked against the task it is for."""
    by = text_at(row, "by", 80)
    if text_at(row, "picture", 64) != task.picture["sha256"]:
        raise DataError(f"it is about another picture than {task.id} shows")
    note = text_at(row, "note", 2_000) if row.get("note") not in (None, "") else ""
    return Answer(by, task.answer(row), note)


def _rating(task: Task, row: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(whole_at(row, aspect, *SCALE) for aspect in ASPECTS)


def _box(task: Task, row: Mapping[str, Any]) -> Box:
    drawn = row.get("box")
    if not isinstance(drawn, dict):
        raise DataError("'box' should be an object with x, y, width and height in percent")
    for side in ("width", "height"):
        given = drawn.get(f"original_{side}", task.picture[side])
        if given != task.picture[side]:
            raise DataError(f"it was drawn on a picture of another {side}")
    left, top, wide, high = (number_at(drawn, key) for key in ("x", "y", "width", "height"))
    right, bottom = left + wide, top + high
    if min(left, top) < 0 or max(right, bottom) > 100 + 1e-6 or right <= left or bottom <= top:
        raise DataError("the box should have a size and lie within 0 to 100 percent")
    return left, top, min(right, 100.0), min(bottom, 100.0)


def _keep(task: Task, row: Mapping[str, Any]) -> bool:
    return yes_at(row, "keep")


def _corrected(task: Task, row: Mapping[str, Any]) -> Corrected:
    yes = yes_at(row, "right")
    page, region = _blocks(task, row, "page"), _blocks(task, row, "region")
    if yes and (page, region) != (None, None):
        raise DataError("it says that all is right and corrects it")
    if not yes and page is None and region is None:
        raise DataError("it says that something is wrong but corrects nothing")
    return Corrected(page, region)


def _blocks(task: Task, row: Mapping[str, Any], key: str) -> tuple[Block, ...] | None:
    listed = row.get(key)
    if listed is None:
        return None
    if not isinstance(listed, list) or len(listed) > _MOST_BLOCKS:
        raise DataError(f"{key!r} should be a list of at most {_MOST_BLOCKS:,} blocks")
    blocks = from_json({"parsing_res_list": listed})
    if len(blocks) != len(listed) or not all(_sound(task, block) for block in blocks):
        raise DataError(f"{key!r} has a block without four corners on the picture, or odd text")
    return blocks


def _sound(task: Task, block: Block) -> bool:
    left, top, right, bottom = block.box
    inside = 0 <= left < right <= task.picture["width"] and (
        0 <= top < bottom <= task.picture["height"]
    )
    return inside and _writable(block.text) and _writable(block.kind)


def _writable(text: str) -> bool:
    """Whether it holds only whole letters and no controls but line ends and tabs."""
    return all(part.isprintable() for part in text.replace("\t", "\n").split("\n"))


_VALUES = {"rate": _rating, "box": _box, "look": _keep, "text": _corrected}


def corrected(read: Sequence[Block], said: tuple[Block, ...] | None) -> tuple[Block, ...]:
    """What stands there: as the person says, or as it was read."""
    return tuple(read) if said is None else said
