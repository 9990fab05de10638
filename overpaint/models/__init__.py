"""Models that look and answer: whom we ask, what we ask, what they said.

    names     what a model is called and where it answers
    pictures  how pictures leave the machine, each encoded once
    desk      asks: remembered in the run's call table, limited, retried, paid for
    server    one attempt at one server, and every way in which it can fail
    replies   strict reading of what came back
    prices    what it costs, before and after
    local     a small language model on this machine

`model("openai/gpt-4o-2024-11-20", desk).ask(prompt, pictures, schema)` is all that others need.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from overpaint.core import Desk
from overpaint.document import Document
from overpaint.errors import Unreadable
from overpaint.models.names import Endpoint, endpoint

LONGEST_ANSWER = 2048  # tokens, unless a question says otherwise; thinking counts


@dataclass(frozen=True)
class Question:
    """What is asked of a model. Two that are equal have one answer."""

    model: Endpoint
    prompt: str
    pictures: tuple[Document, ...] = ()
    schema: Mapping[str, Any] | None = field(default=None, hash=False)  # of the reply, as JSON
    turn: int = 0  # which time it is asked; a repeat is another question
    longest: int = LONGEST_ANSWER


def words_of(prompt: str, schema: Mapping[str, Any] | None, pictures: int) -> int:
    """Bytes of a question's text, with what it and servers put around pictures and the schema."""
    told = len(prompt.encode("utf-8", "replace")) + len(json.dumps(schema))
    return told + 64 * pictures + 512


@dataclass(frozen=True)
class Reply:
    """What a model said."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    price: float | None = None  # dollars; None: not known
    seconds: float = 0.0
    key: str = ""  # of the question, in the call table
    recalled: bool = False  # known from before: nothing was sent


class Model(Protocol):
    """Whoever can be asked. It raises `Unreachable`, `Refused`, `Unreadable` or `Unavailable`."""

    def ask(
        self,
        prompt: str,
        pictures: Sequence[Document] = (),
        schema: Mapping[str, Any] | None = None,
        *,
        turn: int = 0,
    ) -> Reply:
        """The reply; with a schema it should be JSON of that form, and is to be read strictly."""
        ...


@dataclass(frozen=True)
class Remote:
    """A model asked through a desk: behind an OpenAI-style endpoint, or on this machine."""

    endpoint: Endpoint
    desk: Desk
    longest: int = LONGEST_ANSWER

    def ask(
        self,
        prompt: str,
        pictures: Sequence[Document] = (),
        schema: Mapping[str, Any] | None = None,
        *,
        turn: int = 0,
    ) -> Reply:
        """The reply, from the call table where it is known."""
        asked = Question(self.endpoint, prompt, tuple(pictures), schema, turn, self.longest)
        found: Reply = self.desk.ask(asked)
        return found


@contextmanager
def used(reply: Reply, desk: Desk) -> Iterator[None]:
    """Read a reply in here: one that cannot be read is noted, so that `retry` asks for another."""
    try:
        yield
    except Unreadable as error:
        desk.doubt(reply.key, str(error))
        raise


def model(name: str, desk: Desk, *, longest: int = LONGEST_ANSWER) -> Model:
    """The model of that name; a key that is missing is found out now, not question by question.

    `longest` is what an answer may take at a server, in tokens.
    """
    found = endpoint(name)
    found.key()
    return Remote(found, desk, longest)
