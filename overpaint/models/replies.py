"""Replies: what a model wrote, read strictly as the one JSON object it was asked for.

`parse(reply, schema)` gives the values and notes on what was let pass, or raises `Unreadable`
with a sentence that names what came and what was expected. Nothing is guessed: a number is one
of the schema's, or there is none. Time is linear in the reply's length.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from overpaint.errors import Unreadable
from overpaint.models.schemas import Schema, expected, is_number, is_whole

LONGEST = 500_000  # letters of a reply; as much as a model writes in 100,000 tokens and more
DEEPEST = 64  # objects and lists inside each other
MOST = 10_000  # items of a list
SHOWN = 60  # letters of what came, in a message

_TAG = r"(?:think(?:ing)?|thought|reasoning)>"
_TOKEN = re.compile(rf'</?{_TAG}|\[/?think\]|[{{}}\[\]"\\]', re.IGNORECASE)
_THOUGHT = re.compile(rf"</{_TAG}|\[/think\]", re.IGNORECASE)
_LIKE_JSON = re.compile(r"[:\"'：“”＂]|\{\s*\}")
_NUMBER = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,12})?")


@dataclass(frozen=True)
class Parsed:
    """The values of a reply, and what was let pass in reading them."""

    values: Mapping[str, Any]
    notes: tuple[str, ...] = ()


def parse(text: str, schema: Schema) -> Parsed:
    """The values of the one JSON object in the reply that fits the schema, or `Unreadable`.

    Properties the schema does not name are left out, with a note; its `required` must be there.
    """
    notes: list[str] = []
    values = _value(one_object(text), schema, "", notes)
    return Parsed(values, tuple(dict.fromkeys(notes)))


# ── finding the object ──────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Scan:
    """Where objects stand outside of thinking: (start, end, depth), and what is left open."""

    spans: tuple[tuple[int, int, int], ...]
    cut: bool = False  # it ends inside an object
    lost: bool = False  # it ends inside its thinking


def one_object(text: str) -> dict[str, Any]:
    """The one JSON object in a text, in a code fence or not, whatever stands around it."""
    if len(text) > LONGEST:
        raise Unreadable(
            f"The reply is {len(text):,} letters long.", f"At most {LONGEST:,} are read."
        )
    scan = _scan(text, 0)
    if scan.cut or not scan.spans:
        raise _without_object(text, scan)
    # Braces around mere words, as in {x}, are prose; anything that could be meant as JSON is not.
    braced = {text[start:end]: depth for start, end, depth in scan.spans}
    meant = [(inside, depth) for inside, depth in braced.items() if _LIKE_JSON.search(inside)]
    if not meant:
        raise _without_object(text, scan)
    first = _decoded(*meant[0])
    for inside, depth in meant[1:]:
        if _canonical(_decoded(inside, depth)) != _canonical(first):
            raise Unreadable(
                "The reply holds JSON objects that differ:"
                f" {_shown(meant[0][0])} and {_shown(inside)}.",
                "One was expected.",
            )
    return first


def _scan(text: str, at: int) -> _Scan:
    """One pass over the signs that matter; what is inside a JSON text ("…") is none of them."""
    spans: list[tuple[int, int, int]] = []
    start = depth = deepest = 0
    quoted = False
    while match := _TOKEN.search(text, at):
        sign, at = match[0], match.end()
        if quoted:
            at += sign == "\\"
            quoted = sign != '"'
        elif depth:
            quoted = sign == '"'
            depth += (sign in "{[") - (sign in "}]")
            deepest = max(depth, deepest)
            if not depth:
                spans.append((start, at, deepest))
        elif sign == "{":
            start, depth, deepest = match.start(), 1, 1
        elif len(sign) > 1 and sign[1] == "/":  # it ends thinking begun before the reply
            spans.clear()
        elif len(sign) > 1:
            end = _THOUGHT.search(text, at)
            if end is None:
                return _Scan(tuple(spans), lost=True)
            at = end.end()
    if depth and (ends := list(_THOUGHT.finditer(text, start))):
        return _scan(text, ends[-1].end())  # a brace left open in thinking is no object cut off
    return _Scan(tuple(spans), cut=depth > 0)


def _without_object(text: str, scan: _Scan) -> Unreadable:
    """Why there is no object to read."""
    said = "One JSON object was expected."
    if not text.strip():
        return Unreadable("The reply is empty.", said)
    if scan.cut:
        return Unreadable(f"The reply breaks off inside a JSON object: {_tail(text)}.", said)
    if scan.lost:
        return Unreadable("The reply ends inside its thinking and answers nothing.", said)
    if "｛" in text:
        return Unreadable(
            f"The reply is written with full-width signs: {_shown(text)}.",
            'JSON has { } : , and "; one JSON object was expected.',
        )
    return Unreadable(f"The reply has no JSON object: {_shown(text)}.", said)


def _decoded(braced: str, depth: int) -> dict[str, Any]:
    if depth > DEEPEST:
        raise Unreadable(
            f"The reply's JSON is nested {depth:,} deep.", f"At most {DEEPEST} levels are read."
        )
    try:  # strict=False: a line break inside a text is no reason to lose a verdict
        read: dict[str, Any] = json.loads(
            braced,
            strict=False,
            object_pairs_hook=_object,
            parse_float=_float,
            parse_int=_int,
            parse_constant=_no_number,
        )
    except json.JSONDecodeError as error:
        hint = " (typographic quotes are no JSON)" if "“" in braced or "”" in braced else ""
        raise Unreadable(
            f"What stands in braces is no JSON{hint}: {_shown(braced)}; {error.msg} at letter"
            f" {error.pos + 1}.",
            "One JSON object was expected.",
        ) from None
    return read


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key, value in pairs:
        if key in read and _canonical(read[key]) != _canonical(value):
            raise Unreadable(
                f"The reply gives {_shown(key)} twice, as {_shown(read[key])} and as"
                f" {_shown(value)}.",
                "One value was expected.",
            )
        read[key] = value
    return read


def _float(digits: str) -> float:
    number = float(digits)
    return number if is_number(number) else _no_number(digits)


def _int(digits: str) -> int:
    return int(digits) if len(digits) <= 30 else _no_number(digits)


def _no_number(said: str) -> NoReturn:
    raise Unreadable(f"The reply has {_shown(said)} for a number.", "No score is that.")


def _canonical(value: Any) -> str:
    """A JSON value as a text that is the same for equal values alone; true is not 1."""
    return json.dumps(value, sort_keys=True)


# ── reading its values ──────────────────────────────────────────────────────────────────


def _value(value: Any, schema: Schema, where: str, notes: list[str]) -> Any:
    """The value as the schema has it, or `Unreadable` with its place."""
    kind = schema["type"]
    if kind == "object" and isinstance(value, dict):
        return _properties(value, schema, where, notes)
    if kind == "array" and isinstance(value, list):
        least, most = schema.get("minItems", 0), schema.get("maxItems", MOST)
        if not least <= len(value) <= most:
            wanted = f"{least:,}" if least == most else f"{least:,} to {most:,}"
            raise Unreadable(f"{_name(where)} has {len(value):,} items.", f"Expected: {wanted}.")
        each = enumerate(value)
        return [_value(item, schema["items"], f"{where}[{i}]", notes) for i, item in each]
    if kind in ("integer", "number"):
        return _one_of(value, schema, where, notes)
    if kind == "string" and schema.get("enum"):
        return _word(value, schema, where, notes)
    if kind == "string" and isinstance(value, str):
        return cleaned(value)
    if kind == "boolean" and isinstance(value, bool):
        return value
    raise _unlike(value, schema, where)


def _properties(
    value: dict[str, Any], schema: Schema, where: str, notes: list[str]
) -> dict[str, Any]:
    properties = schema["properties"]
    for name in schema.get("required", properties):
        if name not in value:
            came = ", ".join(_shown(key) for key in list(value)[:8]) or "none"
            raise Unreadable(
                f"{_name(where)} has no {name!r}; its keys are: {came}.",
                f"Expected were {', '.join(map(repr, properties))}.",
            )
    if odd := [key for key in value if key not in properties]:
        notes.append(f"left out of the reply: {', '.join(_shown(key) for key in odd[:5])}")
    inside = f"{where}." if where else ""
    return {
        name: _value(value[name], part, f"{inside}{name}", notes)
        for name, part in properties.items()
        if name in value
    }


def _one_of(value: Any, schema: Schema, where: str, notes: list[str]) -> int | float:
    """The number, if it is one of the schema's; "4" and "4/5" are told in a note."""
    number = value
    if isinstance(value, str):
        digits, slash, of = value.partition("/")
        top = max(schema.get("enum", ()), default=schema.get("maximum"))
        good = _NUMBER.fullmatch(digits) and (not slash or _NUMBER.fullmatch(of))
        if not good or (slash and float(of) != top):
            raise _unlike(value, schema, where)
        number = float(digits)
        notes.append(f"{where} came as the text {_shown(value)}")
    if not is_number(number):
        raise _unlike(value, schema, where)
    if enum := schema.get("enum"):
        level: int | float | None = next((each for each in enum if each == number), None)
        if level is None:
            raise _unlike(value, schema, where)
        return level
    low, high = schema.get("minimum", number), schema.get("maximum", number)
    if not low <= number <= high or (schema["type"] == "integer" and not is_whole(number)):
        raise _unlike(value, schema, where)
    return int(number) if schema["type"] == "integer" else float(number)


def _word(value: Any, schema: Schema, where: str, notes: list[str]) -> str:
    """The word of the schema that was said, in whatever case; true and false are yes and no."""
    enum: list[str] = schema["enum"]
    said = value
    if isinstance(value, bool) and {"yes", "no"} <= {each.casefold() for each in enum}:
        said = "yes" if value else "no"
        notes.append(f"{where} came as {json.dumps(value)}")
    if not isinstance(said, str):
        raise _unlike(value, schema, where)
    plain = said.strip().casefold()
    word = next((each for each in enum if each.casefold() == plain), None)
    if word is None:
        raise _unlike(value, schema, where)
    return word


def _unlike(value: Any, schema: Schema, where: str) -> Unreadable:
    return Unreadable(f"{_name(where)} is {_shown(value)}.", f"Expected was {expected(schema)}.")


def _name(where: str) -> str:
    return f"The reply's {where}" if where else "The reply"


# ── showing ─────────────────────────────────────────────────────────────────────────────


def cleaned(text: str) -> str:
    """The text without halves of letters (lone surrogates), which nothing could store."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _shown(value: Any) -> str:
    """The beginning of what came, on one line."""
    text = value if isinstance(value, str) else _plain(value)
    line = " ".join(cleaned(text[: SHOWN * 4]).split())
    cut = len(line) > SHOWN or len(text) > SHOWN * 4
    line = line[: SHOWN - 1] + "…" if cut else line
    return f"“{line}”" if isinstance(value, str) else line


def _plain(value: Any) -> str:
    """A JSON value as a model would write it; of lists and objects their kind is enough."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return json.dumps(value)


def _tail(text: str) -> str:
    """The end of what came, where it matters how it ends."""
    line = " ".join(cleaned(text[-SHOWN * 4 :]).split())
    return f"“…{line[-SHOWN:]}”" if len(text) > SHOWN else f"“{line}”"
