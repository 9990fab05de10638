"""What a case of the typeset bench asks: which words of a page become which, and in what wording.

The quoted words stand once on the page, whatever their case and spacing. New words are as long,
shorter or longer, of the same case, and the line still fits the room it has.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Literal

from typeset_pages import Line, Talk, drawable, width

from overpaint.engines.documents.words import rules

Change = Literal["same", "shorter", "longer"]
Kind = Literal["word", "line"]
CHANGES: tuple[Change, ...] = ("same", "shorter", "longer")
_QUOTES = re.compile(r"[\"'“”‘’「」『』`|]")

ENGLISH = (
    'Replace "{}" with "{}".',
    'Change "{}" to "{}"',
    "Change the text '{}' to '{}'.",
    "replace “{}” by “{}”",
    'Please correct "{}" to "{}".',
    'Change the words "{}" into "{}", in the same style.',
    'Edit the text "{}" so that it reads "{}".',
    "Swap out “{}” for “{}”.",
    'Substitute "{1}" for "{0}".',
)
CHINESE = (
    "把“{}”改成“{}”。",
    '将"{}"替换为"{}"。',
    "请把「{}」换成「{}」",
    "将“{}”修改为“{}”，字体和颜色不变。",
    "把图中的“{}”改为“{}”",
    "请将文字“{}”更正为“{}”。",
    "用“{1}”替换“{0}”。",
)


@dataclass(frozen=True)
class Target:
    """One replacement: the line, where in it the old words begin, and the new words."""

    line: Line
    at: int
    old: str
    new: str
    kind: Kind

    @property
    def after(self) -> Line:
        """The line as it should be."""
        words = self.line.words
        return replace(
            self.line, words=words[: self.at] + self.new + words[self.at + len(self.old) :]
        )


def wording(chance: Random, language: str, old: str, new: str) -> str:
    """An instruction; now and then it is in the other language."""
    english = (language == "english") != (chance.random() < 0.12)
    return chance.choice(ENGLISH if english else CHINESE).format(old, new)


def choose(talk: Talk, lines: Sequence[Line], *, kind: Kind, change: Change) -> Target | None:
    """A replacement on the page, as wished where one can be found among these lines."""
    everything = "\n".join(bare(line.words) for line in lines)
    for line in talk.chance.sample(list(lines), len(lines)):
        for _ in range(12):
            if kind == "line":
                found = _whole(talk, line, change)
            else:
                found = _part(talk.chance, line, change)
            if found and _asked(found, everything):
                return found
    return None


def _asked(target: Target, everything: str) -> bool:
    """Whether it can be asked for: one place, no marks that end a quotation, room enough."""
    if _QUOTES.search(target.old + target.new) or bare(target.old) == bare(target.new):
        return False
    font = target.line.style.font
    return (
        everything.count(bare(target.old)) == 1
        and all(drawable(font, letter) for letter in target.new)
        and width(target.after.words, target.line.style) <= target.line.room
    )


def bare(words: str) -> str:
    """The words without spaces and case."""
    return re.sub(r"\s+", "", words).casefold()


# ── words inside a line ─────────────────────────────────────────────────────────────────


def _part(chance: Random, line: Line, change: Change) -> Target | None:
    chinese = re.search(r"[\u4e00-\u9fff]", line.words) is not None
    spot = _han(chance, line.words) if chinese else _latin(chance, line.words)
    if spot is None or spot[1] == line.words:
        return None
    at, old = spot
    digits = re.fullmatch(r"[\d.,]+", old) is not None
    makers: dict[bool, Callable[[Random, str, Change], str | None]] = {
        True: _number,
        False: like_han if chinese else _other_latin,
    }
    new = makers[digits](chance, old, change)
    return Target(line, at, old, new, "word") if new else None


def _latin(chance: Random, words: str) -> tuple[int, str] | None:
    spots = [(m.start(), m[0]) for m in re.finditer(r"[A-Za-z]{3,}|\d[\d.,]*\d", words)]
    pairs = [(m.start(), m[0]) for m in re.finditer(r"[A-Za-z]{3,} [A-Za-z]{3,}", words)]
    if pairs and chance.random() < 0.2:
        return chance.choice(pairs)
    return chance.choice(spots) if spots else None


def _han(chance: Random, words: str) -> tuple[int, str] | None:
    runs = [(m.start(), m[0]) for m in re.finditer(r"[\u4e00-\u9fff]{2,}|\d{2,}", words)]
    if not runs:
        return None
    start, run = chance.choice(runs)
    if run.isdigit():
        return start, run
    long = min(len(run), chance.randint(2, 4))
    shift = chance.randint(0, len(run) - long)
    return start + shift, run[shift : shift + long]


def _number(chance: Random, old: str, change: Change) -> str | None:
    """Another number of the same form, a digit more or less where its length is to change."""
    new = "".join(chance.choice("123456789") if c.isdigit() else c for c in old)
    if change == "longer":
        return chance.choice("123456789") + new
    return new[1:] if change == "shorter" and len(new) > 2 and new[1].isdigit() else new


def _other_latin(chance: Random, old: str, change: Change) -> str | None:
    return " ".join(cased(word, like_latin(chance, word, change)) for word in old.split(" "))


def like_latin(chance: Random, old: str, change: Change) -> str:
    """A single word of that length, or shorter or longer by a little."""
    long = (
        len(old)
        + {
            "same": 0,
            "shorter": -chance.randint(1, max(1, len(old) // 2)),
            "longer": chance.randint(1, 4),
        }[change]
    )
    fitting = [word for word in _vocabulary("english") if len(word) == max(3, min(long, 12))]
    return chance.choice(fitting)


def cased(old: str, new: str) -> str:
    """The new word in the case of the old one."""
    if old.isupper():
        return new.upper()
    return new.capitalize() if old[0].isupper() else new


def like_han(chance: Random, old: str, change: Change) -> str:
    """Chinese words of that length, or shorter or longer by a letter or two."""
    long = len(old) + {"same": 0, "shorter": -1, "longer": chance.randint(1, 2)}[change]
    fitting = [word for word in _vocabulary("chinese") if len(word) == max(2, min(long, 6))]
    return chance.choice(fitting)


@lru_cache(maxsize=2)
def _vocabulary(language: str) -> tuple[str, ...]:
    """Single words of the documents engine: letters alone in English, short names in Chinese."""
    told = [re.sub(r"\{[^}]*\}", "|", line) for lines in rules(language).values() for line in lines]
    if language == "english":
        found = {word for line in told for word in re.findall(r"\b[a-z]{3,12}\b", line)}
    else:
        pieces = (piece for line in told for piece in re.split(r"[^\u4e00-\u9fff]+", line))
        found = {piece for piece in pieces if 2 <= len(piece) <= 6}
    return tuple(sorted(found))


# ── whole lines ─────────────────────────────────────────────────────────────────────────


def _whole(talk: Talk, line: Line, change: Change) -> Target | None:
    old = line.words
    most = 60 if talk.language == "english" else 26
    if not 3 <= len(old) <= most:
        return None
    new = talk.short().upper() if old.isupper() else talk.short()
    if talk.language == "english" and (old.islower() or old[:1].islower()):
        new = new[:1].lower() + new[1:]
    lengths = {"same": (0.85, 1.15), "shorter": (0.4, 0.85), "longer": (1.15, 1.8)}[change]
    ratio = width(new, line.style) / width(old, line.style)
    return Target(line, 0, old, new, "line") if lengths[0] <= ratio <= lengths[1] else None
