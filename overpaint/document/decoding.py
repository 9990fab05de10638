"""Decoding: values from JSON as the types of `layers.py` want them, or a sentence on what is not.

What a field may hold is read from the dataclasses themselves, so a new field needs no code here.
"""

import base64
import binascii
import types
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from overpaint.document.containers import Allowance
from overpaint.document.layers import (
    Glyph,
    Group,
    Layer,
    Mask,
    Picture,
    Pixels,
    Shadow,
    Shape,
    Stroke,
    Style,
    Text,
)  # fmt: skip
from overpaint.document.pictures import pixel_limit, with_alpha
from overpaint.errors import PictureError

CONTENTS = {"picture": Picture, "text": Text, "shape": Shape, "group": Group}
INLINE = "data:image/png;base64,"
MAX_DEPTH = 64
MAX_LAYERS = 10_000
MAX_NUMBER = 1e6  # pixels or degrees
MAX_SIZE = 5_000.0  # of letters, strokes and what goes with them, in pixels
MAX_BLUR = 500.0
# What can be drawn in bounded time and memory, from and to.
_RANGES: dict[type, dict[str, tuple[float, float]]] = {
    Style: {
        "size": (0.01, MAX_SIZE), "spacing": (-MAX_SIZE, MAX_SIZE), "gap": (-MAX_SIZE, MAX_SIZE),
        "leading": (0, 100), "stretch": (0.01, 100), "swell": (-1, 1), "blur": (0, MAX_BLUR),
        "indent": (-MAX_SIZE, MAX_SIZE), "hang": (-MAX_SIZE, MAX_SIZE),
    },
    Shadow: {
        "across": (-MAX_SIZE, MAX_SIZE), "down": (-MAX_SIZE, MAX_SIZE), "blur": (0, MAX_BLUR),
    },
    Stroke: {"width": (0, MAX_SIZE)},
    Text: {"width": (0, MAX_NUMBER)},
}  # fmt: skip

Fetch = Callable[[str], bytes]  # the picture's file of that name
_GREY = ((Mask, "pixels"), (Glyph, "alpha"))


@dataclass(frozen=True)
class _Field:
    """What a field may hold."""

    hint: Any
    required: bool


@cache
def _known(cls: type) -> dict[str, _Field]:
    hints = get_type_hints(cls)
    return {f.name: _Field(hints[f.name], f.default is MISSING) for f in fields(cls)}


class Reader:
    """Values from JSON as the types of `layers.py` want them, or a sentence saying where not."""

    def __init__(self, where: Path, fetch: Fetch) -> None:
        self.where, self.fetch, self.allowance = where, fetch, Allowance(where)
        self.pictures: dict[str, Pixels] = {}
        self.count = 0

    def layers(self, value: Any, at: str, depth: int) -> tuple[Layer, ...]:
        """Layers, bottom first."""
        if not isinstance(value, list):
            raise self.wrong(at, value, "a list of layers")
        if depth > MAX_DEPTH:
            raise PictureError(f"{self.where}: groups lie more than {MAX_DEPTH} deep.")
        return tuple(self.layer(one, f"{at}[{n}]", depth) for n, one in enumerate(value))

    def layer(self, value: Any, at: str, depth: int) -> Layer:
        """One layer and what it shows."""
        self.count += 1
        if self.count > MAX_LAYERS:
            raise PictureError(f"{self.where} has more than {MAX_LAYERS:,} layers.")
        kinds = [kind for kind in CONTENTS if isinstance(value, dict) and kind in value]
        if len(kinds) != 1:
            raise self.wrong(at, value, f"an object with one of {', '.join(CONTENTS)}")
        kind, inner = kinds[0], value[kinds[0]]
        if kind == "group":
            if not isinstance(inner, dict) or set(inner) != {"layers"}:
                raise self.wrong(f"{at}.group", inner, '{"layers": […]}')
            content: Any = Group(self.layers(inner["layers"], f"{at}.group.layers", depth + 1))
        else:
            content = self.object(CONTENTS[kind], inner, f"{at}.{kind}")
        own = {key: one for key, one in value.items() if key != kind}
        return self.object(Layer, own, at, content=content)  # type: ignore[no-any-return]

    def object(self, cls: type, value: Any, at: str, **given: Any) -> Any:
        """A value of one of our classes."""
        if not isinstance(value, dict):
            raise self.wrong(at, value, "an object")
        known = _known(cls)
        names = [name for name in known if name not in given]
        for name in value:
            if name not in names:
                raise PictureError(
                    f"{self.where}: {at}.{name} is not known.",
                    f"A {cls.__name__.lower()} has {', '.join(names)}.",
                )
        for name in names:
            if known[name].required and name not in value:
                raise PictureError(f"{self.where}: {at}.{name} is missing.")
        made = cls(**given, **{
            name: self.pixels(one, f"{at}.{name}", grey=(cls, name) in _GREY)
            if known[name].hint in (Pixels, Pixels | None) and one is not None
            else self.value(known[name].hint, one, f"{at}.{name}")
            for name, one in value.items()
        })  # fmt: skip
        self.check(made, at)
        return made

    def value(self, hint: Any, value: Any, at: str) -> Any:
        """A value of a type that may be a union, a tuple, a literal or a class of ours."""
        origin, inner = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            return self.value(self.arm(inner, value, at), value, at)
        if origin is Literal:
            if value not in inner:
                raise self.wrong(at, value, f"one of {', '.join(inner)}")
            return value
        if origin is tuple:
            return self.tuple(inner, value, at)
        if origin is not None and isinstance(value, dict):  # Mapping[str, …]
            return {key: self.value(inner[1], one, f"{at}.{key}") for key, one in value.items()}
        if is_dataclass(hint):
            return self.object(hint, value, at)  # type: ignore[arg-type]
        return self.plain(hint, value, at)

    def arm(self, arms: tuple[Any, ...], value: Any, at: str) -> Any:
        """The one of several types that a value can be meant as."""
        for hint in arms:
            if value is None:
                fits = hint is types.NoneType
            elif isinstance(value, dict):
                fits = is_dataclass(hint) or get_origin(hint) is not tuple
            else:
                fits = not is_dataclass(hint) and hint is not types.NoneType
            if fits:
                return hint
        raise self.wrong(at, value, "something else")

    def tuple(self, inner: tuple[Any, ...], value: Any, at: str) -> tuple[Any, ...]:
        """A list of one type, or of a fixed length; four whole numbers are a colour."""
        if not isinstance(value, list) or (inner[-1] is not ... and len(value) != len(inner)):
            raise self.wrong(at, value, "a list" if inner[-1] is ... else f"{len(inner)} values")
        hints = [inner[0]] * len(value) if inner[-1] is ... else inner
        made = tuple(
            self.value(hint, one, f"{at}[{n}]")
            for n, (hint, one) in enumerate(zip(hints, value, strict=True))
        )
        if inner == (int,) * 4 and not all(0 <= one <= 255 for one in made):
            raise self.wrong(at, value, "a colour, four numbers from 0 to 255")
        return made

    def plain(self, hint: Any, value: Any, at: str) -> Any:
        """A string, a truth, a whole number, or a number within reason."""
        if hint is types.NoneType and value is None:
            return None
        if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
            if not abs(value) <= MAX_NUMBER:
                raise self.wrong(at, value, f"a number up to {MAX_NUMBER:,.0f}")
            return float(value)
        if hint is int and type(value) is int and abs(value) <= MAX_NUMBER:
            return value
        if hint in (str, bool) and type(value) is hint:
            return value
        raise self.wrong(at, value, f"a {getattr(hint, '__name__', hint)}")

    def pixels(self, name: Any, at: str, *, grey: bool) -> Pixels:
        """The pixels under a name; the same name, the same array."""
        if not isinstance(name, str):
            raise self.wrong(at, name, "a picture's name")
        key = f"{grey} {name}"
        if key not in self.pictures:
            self.pictures[key] = self._empty(name, at, grey) if name.startswith("empty ") else (
                self._decoded(name, at, grey)
            )  # fmt: skip
        return self.pictures[key]

    def _empty(self, name: str, at: str, grey: bool) -> Pixels:
        sides = name.removeprefix("empty ").split("×")
        if len(sides) != 2 or not all(s.isdecimal() and len(s) < 7 for s in sides) or (
            "0" not in sides
        ):  # fmt: skip
            raise self.wrong(at, name, "a picture's name")
        return np.zeros((int(sides[1]), int(sides[0]), *(() if grey else (4,))), np.uint8)

    def _decoded(self, name: str, at: str, grey: bool) -> Pixels:
        if name.startswith(INLINE):
            try:
                data = base64.b64decode(name.removeprefix(INLINE), validate=True)
            except binascii.Error:
                raise self.wrong(at, name[:40], "a PNG in base64") from None
            pixels = self.allowance.decode(data, "letters.png")
        else:
            pixels = self.allowance.decode(self.fetch(name), name)
        if grey:
            return np.ascontiguousarray(pixels[:, :, 0])
        return with_alpha(pixels)

    def check(self, made: Any, at: str) -> None:
        """Refuse what would draw something larger than memory."""
        if isinstance(made, Layer) and not 0 <= made.opacity <= 1:
            raise self.wrong(f"{at}.opacity", made.opacity, "a number from 0 to 1")
        if isinstance(made, Mask) and not 0 <= made.outside <= 255:
            raise self.wrong(f"{at}.outside", made.outside, "a number from 0 to 255")
        if isinstance(made, Shape) and not 0 <= made.width * made.height <= pixel_limit():
            raise self.wrong(at, f"{made.width}×{made.height}", f"up to {pixel_limit():,} pixels")
        for name, (low, high) in _RANGES.get(type(made), {}).items():
            if (value := getattr(made, name)) is not None and not low <= value <= high:
                raise self.wrong(f"{at}.{name}", value, f"a number from {low:,g} to {high:,g}")

    def wrong(self, at: str, value: Any, right: str) -> PictureError:
        """The sentence about a value that is not what it should be."""
        return PictureError(f"{self.where}: {at} is {str(value)[:60]!r}.", f"Expected: {right}.")
