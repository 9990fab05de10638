"""Schemas: the part of JSON Schema in which a reply is asked for, made strict, and shown as a form.

Strict is what servers with structured output want: an object has the properties it names, all of
them, and no other.
"""

from collections.abc import Mapping
from typing import Any

from overpaint.errors import UserMistake

Schema = Mapping[str, Any]

DEEPEST = 12  # objects and lists inside each other, in a schema
_ANY = ("type", "description")
_KEYWORDS = {
    "object": ("properties", "required", "additionalProperties"),
    "array": ("items", "minItems", "maxItems"),
    "string": ("enum",),
    "integer": ("enum", "minimum", "maximum"),
    "number": ("enum", "minimum", "maximum"),
    "boolean": (),
}


def strict(schema: Any, where: str = "the reply", depth: int = 0) -> dict[str, Any]:
    """The schema with every property required and no other allowed; a UserMistake if it is none."""
    if not isinstance(schema, Mapping) or schema.get("type") not in list(_KEYWORDS):
        raise UserMistake(
            f"The schema of {where} has no type that is understood.",
            f"Each part is an object with a type: {', '.join(_KEYWORDS)}.",
        )
    if depth > DEEPEST:
        raise UserMistake(
            f"The schema of {where} is nested too deep.",
            f"At most {DEEPEST} objects and lists stand inside each other.",
            "Ask for fewer levels: name parts by one longer property.",
        )
    kind = schema["type"]
    odd = [key for key in schema if key not in (*_ANY, *_KEYWORDS[kind])]
    if odd:
        raise UserMistake(
            f"The schema of {where} has the keyword {str(odd[0])[:60]!r}.",
            f"Of type {kind!r} it may have {', '.join((*_ANY, *_KEYWORDS[kind]))}.",
        )
    if depth == 0 and kind != "object":
        raise UserMistake(
            f"The schema of {where} is of type {kind!r}.",
            "A reply is one object.",
            'Put it in one: {"type": "object", "properties": {"answer": …}}.',
        )
    _check_values(schema, where)
    if kind == "array":
        return {**schema, "items": strict(schema.get("items"), f"{where}[]", depth + 1)}
    return _strict_object(schema, where, depth) if kind == "object" else dict(schema)


def _strict_object(schema: Schema, where: str, depth: int) -> dict[str, Any]:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        raise UserMistake(
            f"The schema of {where} names no properties.",
            'An object has them: {"type": "object", "properties": {"score": {"type": "integer"}}}.',
        )
    if schema.get("additionalProperties", False) is not False:
        raise UserMistake(
            f"The schema of {where} allows properties it does not name.",
            "additionalProperties is false, or left out.",
        )
    required = schema.get("required", list(properties))
    if not isinstance(required, list) or sorted(map(str, required)) != sorted(properties):
        raise UserMistake(
            f"The schema of {where} requires {str(required)[:80]}.",
            "Every property is required, and no other: leave `required` out.",
        )
    inner = {
        name: strict(part, name if depth == 0 else f"{where}.{name}", depth + 1)
        for name, part in properties.items()
    }
    kept = {key: value for key, value in schema.items() if key in _ANY}
    return {**kept, "properties": inner, "required": list(inner), "additionalProperties": False}


def _check_values(schema: Schema, where: str) -> None:
    """That an enum lists values of its type, and that bounds are numbers in order."""
    kind, enum = schema["type"], schema.get("enum")
    fits = {"string": is_text, "integer": is_whole}.get(kind, is_number)
    if enum is not None and not (isinstance(enum, list) and enum and all(map(fits, enum))):
        raise UserMistake(
            f"The schema of {where} has the enum {str(enum)[:80]}.",
            f"It is a list of at least one value of type {kind!r}.",
        )
    if kind == "string" and enum and len({word.casefold().strip() for word in enum}) < len(enum):
        raise UserMistake(
            f"The schema of {where} has the enum {str(enum)[:80]}.",
            "Its words differ in more than case and space.",
        )
    bounds = [schema[key] for key in ("minimum", "maximum") if key in schema]
    if not all(map(is_number, bounds)) or bounds != sorted(bounds):
        raise UserMistake(
            f"The schema of {where} has the bounds {bounds}.",
            "minimum and maximum are numbers, the lower one first.",
        )
    least, most = schema.get("minItems", 0), schema.get("maxItems", 1)
    if not is_whole(least) or not is_whole(most) or least < 0 or most < 1:
        raise UserMistake(
            f"The schema of {where} has the minItems {str(least)[:40]}, maxItems {str(most)[:40]}.",
            "They are whole numbers, maxItems 1 or more.",
        )


def is_text(value: Any) -> bool:
    """Whether a JSON value is a text."""
    return isinstance(value, str)


def is_number(value: Any) -> bool:
    """Whether a JSON value is a finite number; true and false are none."""
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and value - value == 0


def is_whole(value: Any) -> bool:
    """Whether a JSON value is a whole number."""
    return is_number(value) and value == int(value)


def expected(schema: Schema) -> str:
    """What a value may be, in words: "0, 1 or 2", "a number from 1 to 5", "a text"."""
    kind, enum = schema["type"], schema.get("enum")
    if enum:
        words = [f'"{value}"' if kind == "string" else f"{value:g}" for value in enum]
        return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
    name = {
        "integer": "a whole number", "number": "a number", "string": "a text",
        "boolean": "true or false", "array": "a list", "object": "an object",
    }[kind]  # fmt: skip
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f"{name} from {low:g} to {high:g}"
    edge = f" of at least {low:g}" if low is not None else ""
    return name + (edge or (f" of at most {high:g}" if high is not None else ""))


def form(schema: Schema) -> str:
    """The schema as a form that people and models read: keys, and in ⟨⟩ what goes there."""
    kind = schema["type"]
    if kind == "object":
        inside = (f'"{name}": {form(part)}' for name, part in schema["properties"].items())
        return "{" + ", ".join(inside) + "}"
    if kind == "array":
        return f"[{form(schema['items'])}, …]"
    told = schema.get("description") or ""
    if kind == "string" and not schema.get("enum"):
        return f'"⟨{told or "text"}⟩"'
    return f"⟨{expected(schema)}{': ' if told else ''}{told}⟩"
