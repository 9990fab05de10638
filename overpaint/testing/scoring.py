"""The rule `score`: an answer that fits the request's JSON schema, always the same for the same
words and pictures."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from overpaint.testing.asked import digest

DEEPEST = 16  # levels of a schema that are filled in
MOST = 2000  # values of one answer
RATIONALE = "The words asked for are there and the rest of the picture looks as before."
FALLBACK: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
        "rationale": {"type": "string"},
    },
}


def score(prompt: str, pictures: Sequence[str], schema: Mapping[str, Any] | None) -> str:
    """JSON that fits `schema` (a score from 1 to 5 and a rationale where there is none)."""
    told = digest(prompt, *pictures)
    shape = FALLBACK if schema is None else schema
    return json.dumps(_Filler(shape, told).fill(shape, "", 0), ensure_ascii=False)


class _Filler:
    """Fills one schema; a value depends on the seed and on where it stands."""

    def __init__(self, root: Mapping[str, Any], seed: bytes) -> None:
        self.root, self.seed, self.left = root, seed, MOST

    def fill(self, schema: Any, where: str, depth: int) -> Any:
        """A value for `schema`, or None beyond the limits."""
        self.left -= 1
        shape = self._resolved(schema)
        if depth > DEEPEST or self.left < 0 or shape is None:
            return None
        if "const" in shape:
            return shape["const"]
        if isinstance(choices := shape.get("enum"), list) and choices:
            return choices[self._draw(where, len(choices))]
        for word in ("anyOf", "oneOf"):
            if isinstance(options := shape.get(word), list) and options:
                return self.fill(options[0], where, depth + 1)
        kind = _kind(shape)
        if kind == "object":
            return self._object(shape, where, depth)
        if kind == "array":
            return self._array(shape, where, depth)
        return self._plain(kind, shape, where)

    def _resolved(self, schema: Any) -> Mapping[str, Any] | None:
        for _ in range(DEEPEST):
            if not isinstance(schema, dict):
                return {} if schema is True else None
            target = schema.get("$ref")
            if not isinstance(target, str):
                return schema
            schema = self._at(target)
        return None

    def _at(self, reference: str) -> Any:
        found: Any = self.root
        for step in reference.removeprefix("#").strip("/").split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            found = found.get(name) if isinstance(found, dict) and name else found
        return found

    def _object(self, shape: Mapping[str, Any], where: str, depth: int) -> dict[str, Any]:
        fields = shape.get("properties")
        fields = fields if isinstance(fields, dict) else {}
        return {
            name: self.fill(inner, f"{where}/{name}", depth + 1)
            for name, inner in fields.items()
            if self.left > 0
        }

    def _array(self, shape: Mapping[str, Any], where: str, depth: int) -> list[Any]:
        first = shape.get("prefixItems")
        first = first if isinstance(first, list) else []
        least = _number(shape.get("minItems"), max(1, len(first)))
        most = _number(shape.get("maxItems"), math.inf)
        count = int(min(max(least, 1), most, MOST))
        items = [*first[:count], *[shape.get("items", {})] * (count - len(first))]
        return [
            self.fill(item, f"{where}/{n}", depth + 1)
            for n, item in enumerate(items)
            if self.left > 0
        ]

    def _plain(self, kind: str, shape: Mapping[str, Any], where: str) -> Any:
        if kind == "boolean":
            return self._draw(where, 2) == 1
        if kind in ("integer", "number"):
            return self._in_range(shape, where, whole=kind == "integer")
        if kind == "string":
            least = min(_number(shape.get("minLength"), 0), 10_000)
            most = min(_number(shape.get("maxLength"), math.inf), 10_000)
            text = RATIONALE * (1 + int(least) // len(RATIONALE))
            return text[: int(min(max(least, len(RATIONALE)), most))]
        return None

    def _in_range(self, shape: Mapping[str, Any], where: str, *, whole: bool) -> float:
        step = _number(shape.get("multipleOf"), 1.0 if whole else 0.1)
        step = step if step > 0 else 1.0
        low, high = _ends(shape, step)
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last < first:  # no multiple lies within: the end itself is the best there is
            return int(low) if whole else low
        value = (first + self._draw(where, last - first + 1)) * step
        return round(value) if whole else round(value, 6)

    def _draw(self, where: str, count: int) -> int:
        return int.from_bytes(digest(self.seed, where), "big") % count


def _kind(shape: Mapping[str, Any]) -> str:
    kind = shape.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    if isinstance(kind, str):
        return kind
    return "object" if "properties" in shape else "array" if "items" in shape else "string"


def _ends(shape: Mapping[str, Any], step: float) -> tuple[float, float]:
    """The least and the greatest value allowed; a missing end lies four above or below."""
    low, high = _number(shape.get("minimum"), None), _number(shape.get("maximum"), None)
    over = _number(shape.get("exclusiveMinimum"), None)
    under = _number(shape.get("exclusiveMaximum"), None)
    low = over + step if low is None and over is not None else low
    high = under - step if high is None and under is not None else high
    if low is None:
        low = 1.0 if high is None or high >= 1 else high - 4
    return low, low + 4 if high is None else high


def _number(value: Any, otherwise: Any) -> Any:
    """`value` as a finite float, `otherwise` where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e12:
        return otherwise
    return float(value) if math.isfinite(value) else otherwise
