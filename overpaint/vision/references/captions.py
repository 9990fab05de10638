"""Captions: any model is shown a picture and asked for at most twenty words on it.

A picture whose subject comes as a picture of its own is asked about otherwise: what the subject
looks like is seen there, so its caption tells the scene. A caption is read strictly, since it goes
into instructions whose names of pictures stand in angle brackets: one that could be taken for
anything but words is refused.
"""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from contextlib import nullcontext
from functools import cache
from importlib.resources import files

from overpaint.document import Document, Pixels
from overpaint.errors import Unavailable, Unreadable
from overpaint.models import Model, Remote, used
from overpaint.models.replies import parse
from overpaint.models.schemas import form, strict
from overpaint.vision.references import Extractor, Hints, Reference

DATED = "2026-11-18"  # of the newer prompt
WHOLE, SUBJECT = "2026-11-17-caption.md", f"{DATED}-caption-subject.md"
MOST = 20  # words
LONGEST = 240  # letters: twenty long words
SCHEMA = strict(
    {
        "type": "object",
        "properties": {
            "caption": {"type": "string", "description": f"one sentence, {MOST} words at most"}
        },
    }
)
# A word, or one character of a writing that puts no spaces between them.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+")
_MARKUP = re.compile(r"[<>{}\[\]`*#|\\~^=]|__|://|&\w+;")


def words_in(text: str) -> int:
    """How many words a text has; a Chinese or Japanese character counts as one."""
    return sum(any(c.isalnum() for c in word) for word in _WORD.findall(text))


# ── reading ─────────────────────────────────────────────────────────────────────────────


class _Unfit(Unreadable):
    """A caption that was read and cannot be used; what the model is told when asked again."""

    advice = ""


def read(reply: str) -> str:
    """The caption in a reply; or `Unreadable`."""
    text = str(parse(reply, SCHEMA).values["caption"]).strip()
    count = words_in(text)
    if not count:
        raise _unfit("The caption has no words.", "It had no words.")
    if any(unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") for c in text):
        raise _unfit(
            "The caption has a control character or a line break in it.",
            "It had line breaks or control characters; write one line.",
        )
    if found := _MARKUP.search(text):
        raise _unfit(
            f"The caption has {found[0]!r} in it, which is markup or the name of a picture.",
            "It had brackets or markup in it; write plain words.",
        )
    if count > MOST or len(text) > LONGEST:
        raise _unfit(
            f"The caption has {count} words and {len(text)} letters.",
            f"It had {count} words, which is too long; write at most {MOST}.",
        )
    return text


def _unfit(wrong: str, advice: str) -> _Unfit:
    error = _Unfit(wrong, f"Expected were 1 to {MOST} plain words of at most {LONGEST} letters.")
    error.advice = advice
    return error


# ── asking ──────────────────────────────────────────────────────────────────────────────


def prompt(*, subject: bool = False) -> str:
    """What a model is asked about a picture, or about one whose subject is shown apart."""
    return _text(SUBJECT if subject else WHOLE).replace("{form}", form(SCHEMA))


def asked(model: Model, document: Document, *, subject: bool = False) -> str:
    """The caption that a model gives, asked once more where the first cannot be used."""
    question = prompt(subject=subject)
    try:
        return _answered(model, document, question, 0)
    except Unreadable as error:
        advice = getattr(error, "advice", "") or "It was not one JSON object of that form."
    again = f"{question}\n\nYou were asked this before. Your reply could not be used. {advice}"
    return _answered(model, document, again, 1)


def _answered(model: Model, document: Document, question: str, turn: int) -> str:
    reply = model.ask(question, (document,), SCHEMA, turn=turn)
    with used(reply, model.desk) if isinstance(model, Remote) else nullcontext():
        return read(reply.text)


@cache
def _text(name: str) -> str:
    found = files("overpaint.vision.references.prompts") / name
    return found.read_text(encoding="utf-8").replace("\r\n", "\n").strip()


def _version() -> str:
    """The date of the prompts, and a hash of what they say."""
    texts = "\0".join((_text(WHOLE), _text(SUBJECT), form(SCHEMA)))
    return f"{DATED}.{hashlib.sha256(texts.encode()).hexdigest()[:8]}"


def _caption(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    if hints.model is None:
        raise Unavailable(
            "No model was named to write captions.",
            "A model that sees pictures was expected; there is no caption without one.",
            "Name one with --model, such as --model openai/gpt-4o-mini.",
        )
    text = asked(hints.model, Document.of(pixels), subject=hints.subject)
    version = caption.version
    if isinstance(hints.model, Remote):
        version = f"{version}+{hints.model.endpoint.model}"
    return [Reference("caption", text, "model", version)]


caption = Extractor(
    "caption", "model", _version(), _caption, "a caption of at most 20 words by a model you name"
)
