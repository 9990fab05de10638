"""A toy benchmark for judges: plain pictures whose shade tells a scripted judge who made them."""

import base64
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import overpaint.run as pipeline
from overpaint.core import Card, Loaded, Request, Sample
from overpaint.document import Document
from overpaint.errors import Refused
from overpaint.testing import Asked, FakeServer

HERE = Path(__file__)
CARD = Card("judging-toy", "made", "target", "all", "none", "none", "mean", "counted", ())
RUBRICS = ("textedit_if", "textedit_ta")
SHADES = {"good": 200, "fair": 120, "poor": 40}  # of each editor's output; a source has 250


def plain(shade: int, number: int = 0) -> Document:
    """A picture of one shade, with a stripe that tells the samples apart."""
    pixels = np.full((24, 32, 3), shade, np.uint8)
    pixels[:2] = (number * 9 % 256, number // 28, 7)
    return Document.of(pixels)


@dataclass(frozen=True)
class Bench:
    """Thirty samples, each a source of its own."""

    card: Card = CARD
    measures: tuple[str, ...] = ()
    breakdowns: tuple[str, ...] = ()
    rubrics: tuple[str, ...] = RUBRICS

    def load(self, data: Path | None) -> Loaded:
        return Loaded(tuple(_sample(number) for number in range(30)))


def _sample(number: int) -> Sample:
    request = Request(plain(250, number), f"Make it grey, for the {number}. time.")
    return Sample(f"s{number:02}", request, cluster=f"c{number}")


class Painter:
    """Makes every picture one shade, and keeps the stripe."""

    shade = 0

    def __call__(self, request: Request) -> Document:
        pixels = request.source.rgb.copy()
        pixels[2:] = self.shade
        return Document.of(pixels)


class Good(Painter):
    shade = SHADES["good"]


class Fair(Painter):
    shade = SHADES["fair"]


class Poor(Painter):
    shade = SHADES["poor"]


class Idle(Painter):
    """Makes nothing."""

    def __call__(self, request: Request) -> Document:
        raise Refused("Not today.")


bench = Bench()


def editors(**names: str) -> list[str]:
    """Specs of the painters, each under the name it is to have."""
    named = names or {"good": "Good", "fair": "Fair", "poor": "Poor"}
    return [f"{name.replace('_', '-')}={HERE}:{painter}" for name, painter in named.items()]


def shade(url: str) -> int:
    """The shade of a picture as it was sent."""
    with Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) as image:
        return int(np.asarray(image.convert("L"))[12, 16])


def stripe(url: str) -> int:
    """The number of the sample that a picture was made for."""
    with Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) as image:
        red, green, _ = np.asarray(image.convert("RGB"))[0, 16].tolist()
    return next(n for n in range(30) if abs(n * 9 % 256 - red) < 4 and abs(n // 28 - green) < 4)


def made_by(asked: Asked) -> str:
    """Whose edit a judge is shown."""
    seen = shade(asked.pictures[1])
    return min(SHADES, key=lambda name: abs(SHADES[name] - seen))


def verdict(asked: Asked, value: Any, why: str = "It is grey.") -> Mapping[str, Any]:
    """A reply that fits the rubric's form: `value` wherever a score is wanted."""
    assert asked.schema is not None
    return {"json": _filled(asked.schema, value, why)}


def _filled(schema: Mapping[str, Any], value: Any, why: str) -> Any:
    if schema["type"] == "object":
        inside = schema["properties"].items()
        return {key: _filled(part, value, why) for key, part in inside}
    return why if schema["type"] == "string" and "enum" not in schema else value


def judged(
    folder: Path, script: Callable[[Asked], Any], *models: str, limit: int = 12, **more: Any
) -> pipeline.Run:
    """A run of the painters, judged by these models as the script has it."""
    from overpaint.measures.judge import columns

    asking = {"repeats": more.pop("repeats", 1), "quorum": more.pop("quorum", None)}
    painters = editors(**more.pop("painters", {}))
    with FakeServer(script, process=False) as server:
        judges = [f"{server.url}#{name}" for name in models or ("fake",)]
        specs = columns(more.pop("rubrics", RUBRICS), judges, **asking)
        settings = pipeline.Settings(workers=0)
        return pipeline.run(
            f"{HERE}:bench", editors=painters, out=folder, limit=limit, floors=False,
            measures=[*specs, *more.pop("measures", ())], settings=settings,
        )  # fmt: skip
