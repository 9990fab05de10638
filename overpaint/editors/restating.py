"""Restating: a model says an instruction that the rules refused in sentences that they know.

What it says is parsed by the rules, sentence by sentence, so that nothing they do not understand
comes in; the user is told what was understood, and which words nobody but the model wrote. The
instruction and the words of the page are data to the model, and no picture is shown to it.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from overpaint.core import Desk
from overpaint.document.instruct import parse
from overpaint.document.instruct.ordering import as_counted
from overpaint.document.ops import Insert, Merge, Op, ReplacePicture, ReplaceText
from overpaint.document.where import short
from overpaint.errors import OverpaintError, Refused, UserMistake
from overpaint.measures import rubric
from overpaint.models import Reply, model, used
from overpaint.models.names import endpoint

RUBRIC = "parse_instruction"
MOST = 50  # sentences; who asks for more is not restating
LONGEST = 20_000  # letters of a page that are sent along
_SHOWN = 200  # letters of what a model said, in a message


@dataclass(frozen=True)
class Restated:
    """What an instruction asks for, as a model understood it, and what a user should know."""

    ops: tuple[Op, ...]
    sentences: tuple[str, ...]
    notes: tuple[str, ...]


def prompt(instruction: str, page_text: str = "") -> str:
    """What a model is asked."""
    slots = {"instruction": instruction, "page_text": page_text[:LONGEST]}
    return rubric.load(RUBRIC).prompt(slots, truth=False)


def restated(
    instruction: str, refusal: Refused, name: str, desk: Desk, *, page_text: str = ""
) -> Restated:
    """The ops of an instruction as that model understands it, or the rules' refusal with why."""
    try:
        sentences, reply = _asked(prompt(instruction, page_text), name, desk)
        ops = _ops(sentences, instruction)
    except UserMistake:
        raise
    except OverpaintError as error:
        why = f"{name} did not help: {error}"
        raise Refused(refusal.wrong, refusal.right, f"{refusal.todo} {why}") from error
    return Restated(ops, sentences, tuple(_notes(ops, sentences, instruction, name, reply)))


def _asked(words: str, name: str, desk: Desk) -> tuple[tuple[str, ...], Reply]:
    """The sentences a model gives; `Refused` where it gives none, or far too many."""
    loaded = rubric.load(RUBRIC)
    reply = model(name, desk).ask(words, schema=loaded.schema)
    with used(reply, desk):
        values = loaded.answer(reply.text).values
    sentences = tuple(" ".join(one.split()) for one in values["sentences"] if one.strip())
    if not sentences:
        raise Refused(f"it says “{short(values['reason'], _SHOWN)}”")
    if len(sentences) > MOST:
        raise Refused(f"it made {len(sentences):,} sentences of it; at most {MOST} are taken.")
    return sentences, reply


def _ops(sentences: Sequence[str], instruction: str) -> tuple[Op, ...]:
    """The ops of all sentences, counted on the page as it was; `Refused` where one is no form."""
    found: list[Op] = []
    for sentence in sentences:
        try:
            found += parse(sentence)
        except (Refused, UserMistake) as error:
            said = short(sentence, _SHOWN)
            raise Refused(f"it says “{said}”, which is not understood either.") from error
    for op in found:
        file = op.picture if isinstance(op, Insert | ReplacePicture) else ""
        if file and not _names(instruction, file):
            raise Refused(f"it names the file “{short(file, _SHOWN)}”, which you did not.")
    return as_counted(tuple(found), "; ".join(sentences))


def _names(instruction: str, file: str) -> bool:
    """Whether an instruction names that very file, and not one whose name holds it."""
    whole = rf"(?<![\w./\\~-]){re.escape(file)}(?![\w/\\-]|\.\w)"
    return re.search(whole, instruction) is not None


# ── what a user is told ─────────────────────────────────────────────────────────────────


def _notes(
    ops: Sequence[Op], sentences: Sequence[str], instruction: str, name: str, reply: Reply
) -> Iterator[str]:
    recalled = " (asked before; nothing was sent)" if reply.recalled else ""
    yield f"understood by {name} as: {'; '.join(sentences)}{recalled}"
    own = [words for words in _new(ops) if not _has(instruction, words)]
    if own:
        listed = ", ".join(f"“{short(words, _SHOWN)}”" for words in dict.fromkeys(own))
        who = endpoint(name).short
        yield f"not in the instruction, but {who}'s own words: {listed}"


def _new(ops: Sequence[Op]) -> Iterator[str]:
    """The words that ops would write."""
    for op in ops:
        if isinstance(op, ReplaceText | Insert | Merge) and op.text.strip():
            yield op.text
        if isinstance(op, Insert):
            yield from (cell for cell in op.values if cell.strip())


def _has(text: str, words: str) -> bool:
    """Whether words stand in a text, whatever their case, width and spaces."""
    return _bare(words) in _bare(text)


def _bare(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())
