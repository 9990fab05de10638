"""Small layered designs with live words, their edits, and what MiLDE knows of them."""

from dataclasses import replace
from typing import Any

import numpy as np

from overpaint.core import Edit, Request, Sample
from overpaint.document import Document, Layer
from overpaint.document.layers import Run, Shape, Style, Text

SIZE = (420, 260)
LAYERS = [{"id": "1", "kind": "image"}, {"id": "2", "kind": "decoration"},
          {"id": "3", "kind": "text"}, {"id": "4", "kind": "text"}]  # fmt: skip


def words(said: str, name: str, top: float) -> Layer:
    return Layer(Text((Run(said, Style(size=40.0)),)), "text", id=name, left=30.0, top=top)


def design(
    title: str = "Summer Camp", date: str = "Friday 14 June", *,
    panel: tuple[int, int, int, int] = (200, 60, 60, 255),
) -> Document:  # fmt: skip
    """A ground, a panel and two lines of live words."""
    return Document(
        made=(
            Layer(Shape("rectangle", 420.0, 260.0, (250, 245, 230, 255)), "ground", id="1"),
            Layer(Shape("rectangle", 120.0, 60.0, panel), "panel", id="2", left=270.0, top=180.0),
            words(title, "3", 70.0),
            words(date, "4", 150.0),
        ),
        canvas=SIZE,
    )


QUESTIONS: list[dict[str, Any]] = [
    {"layer": "3", "question": "Does the title read Winter Camp?", "about": "text",
     "expected": "yes",
     "check": {"kind": "says", "words": "Winter Camp", "box": [30, 30, 300, 85]}},
    {"layer": "3", "question": "Does Summer stand anywhere?", "about": "text", "expected": "no",
     "check": {"kind": "gone", "words": "Summer Camp"}},
    {"layer": "2", "question": "Is the panel blue?", "about": "entity", "expected": "yes",
     "check": {"kind": "looks", "box": [270, 180, 390, 240]}},
    {"layer": "2", "question": "Is it a pleasant blue?", "about": "entity", "expected": "yes",
     "check": None},
]  # fmt: skip
BLUE = (40, 70, 190, 255)
TRUTH = design("Winter Camp", panel=BLUE)


def sample(**facts: Any) -> Sample:
    """Title and panel must change."""
    known = {
        "layers": LAYERS, "gold": ["2", "3"], "texts": {"3": "Winter Camp"}, "questions": QUESTIONS,
    }  # fmt: skip
    request = Request(design(), "Turn it into a winter camp with a blue panel.")
    return Sample("s1", request, target=TRUTH, facts=known | facts, cluster="s1")


def edited(output: Document, of: Sample | None = None, **more: Any) -> Edit:
    return Edit(of or sample(), "ours", "ok", output, **more)


def flat(document: Document) -> Document:
    """The same as one picture."""
    return Document.of(document.rgb)


def blank() -> Document:
    return Document.of(np.full((SIZE[1], SIZE[0], 3), 255, np.uint8))


def with_layer(document: Document, name: str, **changes: Any) -> Document:
    return document.having(
        *(replace(one, **changes) if one.id == name else one for one in document.layers)
    )
