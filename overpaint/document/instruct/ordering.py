"""Ordering: all that a sentence counts is counted on the page as it was before.

"delete the second line and the third line": once the second is gone, the third is another. So what
is counted is done from the far end to the near one, and before whatever else takes away, adds or
moves something. "replace the first 'A' with 'B' and the second 'A' with 'C'": once the first is
another word, the second is the first; and what brings words that are counted comes after them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace

from overpaint.document.grid import lane_number
from overpaint.document.instruct.refusal import refuse
from overpaint.document.ops import Delete, Insert, Move, Op, ReplaceText, Swap
from overpaint.document.where import Where

_SHIFTING = (Delete, Insert, Move, Swap)
_WHOLE = ("line", "paragraph", "sentence", "text", "list", "label")  # one may hold another


@dataclass(frozen=True)
class _Step:
    """An op, and those after it that are about what it made."""

    ops: tuple[Op, ...]
    nth: int = 0
    role: str = ""
    text: str = ""  # the words that are counted

    @property
    def shifts(self) -> bool:
        """Whether things may be counted otherwise after it."""
        return any(isinstance(op, _SHIFTING) for op in self.ops)

    def brings(self, text: str) -> bool:
        """Whether these words stand more often after it than before."""
        swaps = [op for op in self.ops if isinstance(op, ReplaceText)]
        return bool(text) and any(op.text.count(text) > op.where.text.count(text) for op in swaps)


def as_counted(ops: tuple[Op, ...], said: str) -> tuple[Op, ...]:
    """The ops in an order in which each finds what it would have found at first."""
    steps = _steps(ops)
    counted = [step for step in steps if step.nth]
    renamed = any(step.text for step in counted) and any(isinstance(op, ReplaceText) for op in ops)
    if len(steps) < 2 or not counted or not (renamed or any(step.shifts for step in steps)):
        return ops
    roles = {step.role for step in counted} & set(_WHOLE)
    if len(roles) > 1 and any(step.shifts for step in counted):
        why = f"a {' and a '.join(sorted(roles))} cannot both be counted; ask for one at a time"
        raise refuse(said, "delete", why=why)
    # Sorted is stable: what is not counted keeps its order, after what is.
    order = sorted(steps, key=lambda step: (not step.nth, _brings_any(step, counted), _far(step)))
    for n, step in enumerate(order):
        if step.nth and _brings_any(step, order[n + 1 :]):
            why = "what is counted and what is new are the same words; ask for one at a time"
            raise refuse(said, "change", why=why)
    return tuple(op for step in order for op in step.ops)


def _brings_any(step: _Step, others: list[_Step]) -> bool:
    return any(step.brings(one.text) for one in others if one is not step and one.nth)


def _far(step: _Step) -> int:
    """From the last to the first; from the end, from the first to the last."""
    return -step.nth if step.nth > 0 else step.nth


def _steps(ops: tuple[Op, ...]) -> list[_Step]:
    found: list[_Step] = []
    for op in ops:
        if found and op.where in _made(found[-1].ops):
            last = found.pop()
            found.append(replace(last, ops=(*last.ops, op)))
        else:
            found.append(_Step((op,), *_counted(op)))
    return found


def _counted(op: Op) -> tuple[int, str, str]:
    """The furthest thing that an op counts, what it is, and of which words."""
    places = [(_nth(where), where.role, where.text) for where in _places(op) if _nth(where)]
    return max(places, key=lambda one: (one[0] > 0, abs(one[0])), default=(0, "", ""))


def _made(ops: tuple[Op, ...]) -> list[Where]:
    """What "it" is after these ops."""
    texts = [op.text for op in ops if isinstance(op, (ReplaceText, Insert)) and op.text]
    return [*(Where(text=text) for text in texts), *(op.where for op in ops)]


def _places(value: object) -> Iterator[Where]:
    """Everything an op points at, the first first."""
    if isinstance(value, Where):
        yield value
    if is_dataclass(value):
        for one in fields(value):
            yield from _places(getattr(value, one.name))


def _nth(where: Where) -> int:
    """Which of several is meant; a row or a column is told by its number."""
    lane = where.row if where.role == "row" else where.column if where.role == "column" else ""
    return where.nth or lane_number(lane)
