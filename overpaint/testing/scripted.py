"""Scripted: a model without a server, for tests of whatever asks one."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from overpaint.errors import OverpaintError, UserMistake
from overpaint.testing.scoring import score

if TYPE_CHECKING:
    from overpaint.document import Document
    from overpaint.models import Reply


@dataclass(frozen=True)
class Question:
    """What a scripted model was asked."""

    prompt: str
    pictures: "tuple[Document, ...]" = ()
    schema: Mapping[str, Any] | None = None
    turn: int = 0


class Scripted:
    """A model that says what it is told to, and remembers in `asked` what it was asked.

    `replies` is a list of replies in order, one text for all questions, or a function of the
    `Question`. A reply is a text, an object whose JSON is said, or an error to raise. Without
    replies each question is answered with JSON that fits its schema.
    """

    def __init__(
        self, replies: "Sequence[Any] | str | Callable[[Question], Any] | None" = None
    ) -> None:
        self.replies = replies
        self.asked: list[Question] = []
        self._lock = threading.Lock()

    def ask(
        self,
        prompt: str,
        pictures: "Sequence[Document]" = (),
        schema: Mapping[str, Any] | None = None,
        *,
        turn: int = 0,
    ) -> "Reply":
        """The next reply; raised, where it is an error."""
        from overpaint.models import Reply  # not before a question: it brings numpy along

        question = Question(prompt, tuple(pictures), schema, turn)
        with self._lock:
            number = len(self.asked)
            self.asked.append(question)
        reply = self._choose(question, number)
        if isinstance(reply, OverpaintError):
            raise reply
        return Reply(reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False))

    def _choose(self, question: Question, number: int) -> Any:
        if self.replies is None:
            keys = [picture.key for picture in question.pictures]
            return score(question.prompt, keys, question.schema)
        if callable(self.replies):
            return self.replies(question)
        if isinstance(self.replies, str):
            return self.replies
        if number < len(self.replies):
            return self.replies[number]
        raise UserMistake(
            f"The scripted model has {len(self.replies)} replies; this is question {number + 1}.",
            "",
            "Give it a reply for each question, or a function.",
        )
