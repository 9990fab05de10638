"""`compositional:MODEL;image=EDITOR`: a model looks at all references, another one paints.

    compositional:openai/gpt-4o-mini;image=generations:openai/gpt-image-1;size=1024x1024
    compositional:http://localhost:8000/v1#qwen2.5-vl;caption=no;image=diffusers:MODEL;steps=28

MultiRef's compositional systems: a vision-language model is shown every reference with its name
and the instruction, and writes one prompt; a text-to-image model makes the picture from that
alone. With `caption=no` the caption is taken out of what the model is told: what such a system
scores without it is the floor for all that it makes of the caption.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, ClassVar

from overpaint.core import Desk, Request, Where
from overpaint.document import Document
from overpaint.editors.fitting import fitted
from overpaint.editors.labels import parted
from overpaint.editors.options import Reader, given, one_of
from overpaint.editors.text_to_image import Painter, painter
from overpaint.errors import Unreadable, UserMistake
from overpaint.measures.rubric_text import Template, quoted, template
from overpaint.models import Model, Reply, model, replies, schemas, used, words_of
from overpaint.models.forecast import Ask
from overpaint.models.names import endpoint

CURRENT = "2026-11-17-compose.md"  # a changed prompt is a new file
LONGEST = 1500  # letters of a prompt; what models that paint read of one is less
MOST_SEEN, LONGEST_LINE = 20, 300  # lines on what pictures show that are kept, and their letters
SCHEMA = schemas.strict(
    {
        "type": "object",
        "properties": {
            "seen": {
                "type": "array",
                "items": {
                    "type": "string",
                    "description": "for each picture one short line: its name, and what it gives",
                },
            },
            "prompt": {"type": "string", "description": "the prompt"},
        },
    }
)
_OPTIONS: dict[str, Reader] = {"caption": one_of("yes", "no"), "image": str}

Step = dict[str, Any]


@dataclass(frozen=True)
class Written:
    """A prompt that a model wrote, what it saw, and why it was asked twice, if it was."""

    prompt: str
    seen: tuple[str, ...] = ()
    again: str = ""


@dataclass(frozen=True)
class Compositional:
    """A model looks at all references and writes one prompt for a text-to-image model.

    Made from `MODEL[;caption=no];image=EDITOR`; the editor is `generations:…` or `diffusers:…`.
    """

    argument: str
    where: ClassVar[Where] = "thread"

    def __post_init__(self) -> None:
        """A spec that cannot be is found out now."""
        endpoint(self._model)
        _ = self._painter

    @property
    def host(self) -> str:
        """Whom the prompt goes to."""
        return self._painter.host

    def asks(self, request: Request) -> Sequence[Ask]:
        """What it would ask: one question, and once more where the reply cannot be read."""
        pictures = shown(request)
        words = words_of(self._question(request), SCHEMA, len(pictures))
        sizes = tuple(document.size for document in pictures)
        return [Ask(endpoint(self._model), what, words, sizes) for what in ("compose", "again")]

    def __call__(self, request: Request) -> Document:
        return self.traced(request)[0]

    def traced(
        self, request: Request, desk: Desk | None = None
    ) -> tuple[Document, tuple[Step, ...]]:
        """The picture, and the prompt that it was made from."""
        if desk is None:
            raise UserMistake(
                f"{self._model} is asked at a desk, and there is none.",
                "`overpaint run` and `overpaint edit` have one.",
                "In Python: Compositional(…).traced(request, desk)",
            )
        started = time.perf_counter()
        asked = model(self._model, desk)
        written = write(asked, desk, self._question(request), shown(request))
        between = time.perf_counter()
        made = self._painter(written.prompt, request.source.size)
        ended = time.perf_counter()
        if request.mask is not None:
            made = replace(made, said=(*made.notes, "the mask was not kept to: all is painted"))
        wrote: Step = {
            "step": "write", "by": endpoint(self._model).short, "prompt": written.prompt,
            "seen": list(written.seen), "seconds": round(between - started, 3),
        }  # fmt: skip
        if written.again:
            wrote["again"] = written.again
        painted = {
            "step": "paint", "by": self._painter.name, "notes": list(made.notes),
            "seconds": round(ended - between, 3),
        }  # fmt: skip
        return made, (wrote, painted)

    @cached_property
    def _parts(self) -> tuple[str, bool, str]:
        """The model, whether it is told the caption, and who paints; its options come last."""
        before, _, image = self.argument.partition(";image=")
        found = given(before, "compositional", _OPTIONS)
        return found.head, found.options.get("caption") != "no", image.strip()

    @property
    def _model(self) -> str:
        return self._parts[0]

    @cached_property
    def _painter(self) -> Painter:
        if not self._parts[2]:
            raise UserMistake(
                f"compositional:{self.argument} does not say who paints.",
                "It is compositional:MODEL;image=generations:MODEL or …;image=diffusers:MODEL.",
            )
        return painter(self._parts[2])

    def _question(self, request: Request) -> str:
        instruction, caption = parted(request.instruction)
        if caption and self._parts[1]:
            instruction = request.instruction
        return question(replace(request, instruction=instruction))


# ── asking ──────────────────────────────────────────────────────────────────────────────────


def shown(request: Request) -> tuple[Document, ...]:
    """The pictures that the model is shown: the source, if it is one of its own, and references."""
    before = (request.source,) if fitted(replace(request, mask=None)).leads else ()
    return (*before, *request.references)


def question(request: Request) -> str:
    """What the model is asked."""
    labels = request.labels or [f"reference {n}" for n, _ in enumerate(request.references, 1)]
    names = [*labels]
    if len(shown(request)) > len(request.references):
        names.insert(0, "the picture to change")
    lines = (f"Picture {number} is {name}." for number, name in enumerate(names, 1))
    wide, high = request.source.size
    form = "upright" if high > wide else "wide" if wide > high else "square"
    return _template().filled(
        {
            "instruction": quoted(request.instruction),
            "pictures": quoted("\n".join(lines)),
            "size": f"{form}, {wide} by {high} pixels",
            "longest": f"{LONGEST:,}",
            "form": schemas.form(SCHEMA),
        }
    )


def write(asked: Model, desk: Desk, words: str, pictures: Sequence[Document]) -> Written:
    """The prompt that a model writes; one that cannot be used is asked for once more."""
    try:
        return _read(asked.ask(words, pictures, SCHEMA), desk)
    except Unreadable as error:
        again = f"{words}\n\nYour last reply could not be used. {error} Reply once more."
        written = _read(asked.ask(again, pictures, SCHEMA, turn=1), desk)
        return replace(written, again=str(error))


def _read(reply: Reply, desk: Desk) -> Written:
    with used(reply, desk):
        return read(reply.text)


def read(text: str) -> Written:
    """The prompt in a reply, or `Unreadable` with what is wrong with it."""
    values = replies.parse(text, SCHEMA).values
    prompt = " ".join(values["prompt"].split())
    if not prompt:
        raise Unreadable("The prompt is empty.", "A description of the picture was expected.")
    if len(prompt) > LONGEST:
        raise Unreadable(
            f"The prompt is {len(prompt):,} letters long.", f"At most {LONGEST:,} are painted."
        )
    if "<" in prompt or ">" in prompt:
        raise Unreadable(
            "The prompt has angle brackets in it.",
            "Whoever paints sees no pictures: say in words what they show.",
        )
    seen = tuple(" ".join(line.split())[:LONGEST_LINE] for line in values["seen"][:MOST_SEEN])
    return Written(prompt, seen)


@cache
def _template() -> Template:
    found = files("overpaint.editors.prompts") / CURRENT
    return template(found.read_text(encoding="utf-8").replace("\r\n", "\n"))
