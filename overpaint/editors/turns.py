"""`turns:EDITOR`: one reference a turn, for editors that look at few pictures at once.

    turns:images:http://localhost:8000/v1#MODEL
    turns:diffusers:MODEL;steps=28

The rule. References take their turns in the order in which the instruction first names them. The
first turn has the source and the first reference; each later one has what was made so far and the
next reference. A reference that is the source itself has no turn: it is what is changed. A turn's
instruction is ours: what a picture of that name gives, that all else stays as it is, and the
caption; where names tell nothing (<image2>), the whole request, of which only what concerns this
picture is to be done now.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from overpaint import catalog
from overpaint.core import Desk, Editor, Request
from overpaint.document import Document
from overpaint.editors.fitting import is_empty
from overpaint.editors.labels import in_order, parted, stem
from overpaint.errors import OverpaintError, StoreError, UserMistake

# What a picture gives, by what its name begins with.
GIVES = {
    "canny": "the edges of {}, white on black, are the outlines that the picture has",
    "sketch": "the lines of {} are a sketch of what the picture shows, and where",
    "depth": "{} gives the depth of the scene: what is brighter there is nearer",
    "semantic": "the patches of {} are the regions of the picture: one colour, one thing",
    "semantic_map": "the patches of {} are the regions of the picture: one colour, one thing",
    "bbox": "the frames of {} say where the main things stand, and how large they are",
    "mask": "the white shape in {} is where the main thing stands, and its outline",
    "pose": "somebody in the picture holds the pose that the skeleton in {} shows",
    "subject": "the subject of {} is in the picture, and can be known again",
    "style": "the picture is in the style of {}: its technique, colours and light",
}
Step = dict[str, Any]


@dataclass(frozen=True)
class Turns:
    """Hands an image editor one reference after the other: `turns:images:…`, `turns:diffusers:…`.

    Each turn changes what the one before it made; the trajectory has every turn's picture.
    """

    spec: str

    def __post_init__(self) -> None:
        """An editor that cannot take turns is found out now."""
        if getattr(self._editor, "sees_target", False) or hasattr(self._editor, "traced"):
            raise UserMistake(
                f"{self.spec} cannot take turns.",
                "An editor of pictures was expected: images, diffusers, comfyui, command or your"
                " own.",
            )

    @property
    def host(self) -> str:
        """Whom the pictures go to."""
        return str(getattr(self._editor, "host", ""))

    @property
    def gpus(self) -> float:
        """As many as the editor that takes the turns."""
        return float(getattr(self._editor, "gpus", 0.0))

    @property
    def gigabytes(self) -> float:
        """As much memory as that editor."""
        return float(getattr(self._editor, "gigabytes", 0.0))

    def __call__(self, request: Request) -> Document:
        return self.traced(request)[0]

    def traced(
        self, request: Request, desk: Desk | None = None
    ) -> tuple[Document, tuple[Step, ...]]:
        """The picture after the last turn, and each turn's."""
        if not request.references:
            return self._editor(request), ()
        made, trace, notes = request.source, list[Step](), list[str]()
        turns = tuple(turns_of(request))
        for number, turn in enumerate(turns, 1):
            started = time.perf_counter()
            now = replace(turn, source=made, begun=number > 1)
            made = self._turned(now, f"Turn {number} of {len(turns)}")
            seconds = round(time.perf_counter() - started, 3)
            notes += (f"turn {number}: {note}" for note in made.notes)
            step = {
                "step": "turn", "number": number, "of": len(turns), "label": _name(turn),
                "prompt": turn.instruction, "notes": list(made.notes), "seconds": seconds,
            }  # fmt: skip
            trace.append(step | {"picture": Document.of(made.rgb)})
        return replace(made.opened, said=tuple(notes)), tuple(trace)

    def _turned(self, request: Request, which: str) -> Document:
        try:
            return self._editor(request)
        except (UserMistake, StoreError):
            raise
        except OverpaintError as error:
            wrong = f"{which} ({_name(request)}): {error.wrong}"
            raise type(error)(wrong, error.right, error.todo) from error

    @cached_property
    def _editor(self) -> Editor:
        return catalog.editor(self.spec)


def turns_of(request: Request) -> Iterator[Request]:
    """A request for each turn; what an earlier turn made takes the place of its source."""
    empty, begun = bool(request.labels) and is_empty(request.source), False
    places = [
        place for place in in_order(request) if request.references[place].key != request.source.key
    ]
    for place in places or in_order(request)[:1]:
        label = request.labels[place] if place < len(request.labels) else ""
        yield replace(
            request,
            instruction=told(request.instruction, label, fresh=empty and not begun),
            references=(request.references[place],),
            labels=(label,) if label else (),
        )
        begun = True


def told(instruction: str, label: str, *, fresh: bool) -> str:
    """What is asked for in the turn of that label; `fresh`: there is nothing yet to be kept."""
    gives, name = GIVES.get(stem(label)), label or "the second picture"
    if gives is None:
        begin = "Make a picture." if fresh else "Change the first picture and keep the rest of it."
        return f"{begin} Do of this request what concerns {name}, and nothing else: {instruction}"
    begin = "Make a picture" if fresh else "Change the first picture"
    keep = "" if fresh else " Everything else in it stays as it is."
    caption = parted(instruction)[1]
    shows = f" The whole picture in the end: {caption}" if caption else ""
    return f"{begin} so that this is true: {gives.format(name)}.{keep}{shows}"


def _name(request: Request) -> str:
    return request.labels[0] if request.labels else "a reference"
