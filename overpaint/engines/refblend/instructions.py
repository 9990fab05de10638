"""Instructions that name references: structured ones made of phrasings, and what must survive.

A placeholder such as <canny_image> stands for a picture, and a caption follows "following the
caption:" at the end. Whoever rewrites an instruction may change all but those.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from overpaint.engines.refblend.released import placeholder
from overpaint.vision.references import Kind

# What comes first in a sentence: who is in it, then where things are, then how it looks.
ORDER: tuple[Kind, ...] = (
    "subject", "pose", "bbox", "mask", "semantic_map", "depth", "canny", "sketch", "style",
)  # fmt: skip
WORDS = 20  # of a caption, at most
LONGEST = 2_000  # letters of a rewritten instruction
_MARK = "caption:"
_NAMED = re.compile(r"<[^<>]*>")
# A word, or one character of a writing that puts no spaces between them.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])\S)+")


@dataclass(frozen=True)
class Instruction:
    """An instruction, the placeholders in it in their order, and the caption it ends with."""

    text: str
    names: tuple[str, ...]
    caption: str = ""


def structured(combination: Sequence[Kind], caption: str, seed: str) -> Instruction:
    """The instruction for these references, its phrasings drawn by the seed."""
    chance, known = Random(seed), phrasings()
    parts, names = [], list[str]()
    for kind in ORDER:
        own = [placeholder(kind, number + 1) for number in range(combination.count(kind))]
        if own:
            parts.append(chance.choice(known[kind]).replace("{}", _listed(own)))
            names += own
    opening = chance.choice(known["openings"])
    if "caption" in combination:
        parts.append(f"{chance.choice(known['caption'])} {caption}")
    text = f"{opening} {', '.join(parts)}"
    return Instruction(text if "caption" in combination else f"{text}.", tuple(names),
                       caption if "caption" in combination else "")  # fmt: skip


def faults(instruction: Instruction, text: str) -> tuple[str, ...]:
    """What a rewritten instruction has lost or brought in; nothing if it may stand."""
    head, wrong = text, []
    if instruction.caption:
        body = text.removesuffix(instruction.caption).rstrip()
        if body == text.rstrip() or not body.endswith(_MARK):
            wrong.append(f'it does not end with "{_MARK} {instruction.caption}", letter for letter')
        head = body.removesuffix(_MARK)
    if _MARK in head.lower():
        wrong.append(f'"{_MARK}" stands where there is no caption')
    there, wanted = Counter(_NAMED.findall(head)), Counter(instruction.names)
    wrong += [f"{name} is lost" for name in wanted - there]
    wrong += [f"{name} stands there more often than before" for name in there - wanted]
    if not wrong and head.count("<") + head.count(">") != 2 * len(instruction.names):
        wrong.append("< or > stands beside the names")
    if len(text) > LONGEST or not text.isprintable():
        wrong.append(f"it is longer than {LONGEST:,} letters or has some that cannot be printed")
    return tuple(wrong)


def neutral(caption: str) -> tuple[str, tuple[str, ...]]:
    """A caption from outside that can do no harm in an instruction, and what was changed in it."""
    text = " ".join("".join(one if one.isprintable() else " " for one in caption).split())
    safe = re.sub(r"(?i)(caption)\s*:", r"\1 –", text.replace("<", "‹").replace(">", "›"))
    notes = ["marks in the caption were replaced: < and > name pictures"] if safe != text else []
    words = list(_WORD.finditer(safe))
    if len(words) > WORDS:
        notes.append(f"the caption was cut to {WORDS} of {len(words)} words")
        safe = safe[: words[WORDS - 1].end()].rstrip(".,;:–-") + "…"
    return safe, tuple(notes)


@cache
def phrasings() -> Mapping[str, Sequence[str]]:
    """The ways to name each kind, and to begin."""
    found: Mapping[str, Sequence[str]] = _data("phrasings.json")
    return found


@cache
def personas() -> Sequence[str]:
    """In whose voices instructions are rewritten."""
    found: Sequence[str] = _data("personas.json")["personas"]
    return found


def _data(name: str) -> Any:
    return json.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
