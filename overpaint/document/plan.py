"""Plans: ops as JSON and back, for `edit --ops` and `edit --apply`. What comes in is checked."""

import json
import re
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from overpaint.document.ops import OPS, Op
from overpaint.document.where import Where
from overpaint.errors import UserMistake, unread

MOST_OPS = 1000
_TOLD = {
    str: "a string", bool: "true or false", int: "a whole number", float: "a number",
    Where: 'an object such as {"text": "Friday"}',
}  # fmt: skip
_DEEPEST = 8  # of a Where within a Where


def name_of(op: Op | type[Op]) -> str:
    """The op's name as people write it: replace-text."""
    kind = op if isinstance(op, type) else type(op)
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


_KINDS: Mapping[str, type[Op]] = {name_of(kind): kind for kind in OPS}


def to_json(ops: Sequence[Op]) -> list[dict[str, Any]]:
    """The ops as plain values; what an op leaves at its default is left out."""
    return [{"op": name_of(op), **_said(op)} for op in ops]


def from_json(data: object) -> tuple[Op, ...]:
    """The ops of a plan; anything that is no plan is a `UserMistake` that names the place."""
    if not isinstance(data, list) or len(data) > MOST_OPS:
        raise UserMistake(
            "The plan is not a list of ops." if not isinstance(data, list)
            else f"The plan has {len(data):,} ops; at most {MOST_OPS:,} are taken.",
            '[{"op": "replace-text", "where": {"text": "Friday"}, "text": "Monday"}] is one.',
        )  # fmt: skip
    return tuple(_op(entry, f"op {number}") for number, entry in enumerate(data, 1))


def loads(text: str) -> tuple[Op, ...]:
    """The ops of a plan's text."""
    try:
        return from_json(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise UserMistake(f"The plan is no JSON: {unread(error)}.", "`--ops` prints one.") from None


def _said(value: Any) -> dict[str, Any]:
    said = {}
    for field in fields(value):
        part = getattr(value, field.name)
        if part == field.default:
            continue
        said[field.name] = _said(part) if isinstance(part, Where) else part
    return said


def _op(entry: object, place: str) -> Op:
    told = entry.get("op") if isinstance(entry, dict) else entry
    if not isinstance(entry, dict) or not isinstance(told, str) or told not in _KINDS:
        raise UserMistake(
            f"In the plan, {place} is {str(told)[:60]!r}.", f"Known are {', '.join(_KINDS)}."
        )
    rest = {key: value for key, value in entry.items() if key != "op"}
    made: Op = _made(_KINDS[told], rest, place, 0)
    return made


def _made(kind: Any, entry: dict[str, Any], place: str, depth: int) -> Any:
    types_of = typing.get_type_hints(kind)
    known = {field.name for field in fields(kind)}
    if depth > _DEEPEST:
        raise UserMistake(f"In the plan, {place} is nested too deeply.")
    if unknown := sorted(set(entry) - known):
        raise UserMistake(
            f"In the plan, {place} has {unknown[0]!r}.", f"It may have {', '.join(sorted(known))}."
        )
    values = {
        key: _value(types_of[key], value, f"{place}, {key}", depth) for key, value in entry.items()
    }
    return kind(**values)


def _value(kind: Any, value: Any, place: str, depth: int) -> Any:
    """The value, if it is of the kind that the field takes; lists become tuples."""
    options = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    options = tuple(o for option in options for o in _options(option))
    for option in options:
        if option is Where and isinstance(value, dict):
            return _made(Where, value, place, depth + 1)
        if _fits(option, value):
            return tuple(value) if isinstance(value, list) else value
    expected = " or ".join(_told(option) for option in options if option is not types.NoneType)
    raise UserMistake(f"In the plan, {place} is {str(value)[:60]!r}.", f"{expected} was expected.")


def _told(kind: Any) -> str:
    """A kind of value as people call it."""
    parts = typing.get_args(kind)
    if typing.get_origin(kind) is typing.Literal:
        return f"one of {', '.join(part for part in parts if part)}"
    if typing.get_origin(kind) is tuple:
        return f"a list of {'strings' if parts[-1] is Ellipsis else f'{len(parts)} numbers'}"
    return _TOLD[kind]


def _options(kind: Any) -> tuple[Any, ...]:
    return typing.get_args(kind) if typing.get_origin(kind) is typing.Union else (kind,)


def _fits(kind: Any, value: Any) -> bool:
    if typing.get_origin(kind) is typing.Literal:
        return value in typing.get_args(kind)
    if typing.get_origin(kind) is tuple:
        parts = typing.get_args(kind)
        if not isinstance(value, list):
            return False
        if parts[-1] is Ellipsis:
            return all(_fits(parts[0], part) for part in value)
        return len(parts) == len(value) and all(map(_fits, parts, value))
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1e9
    return kind is not None and isinstance(value, kind)
