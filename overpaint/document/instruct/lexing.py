"""Lexing: an instruction as tokens, each with the senses its words can have.

The longest phrase that a table knows is taken, English or Chinese. A word may have several senses
("double" is a verb and a factor, "right" a side and a filler); who reads it asks for the one that
fits there. Words that no table knows keep their place, so that plain text can be cut out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

from overpaint.document.instruct.chinese import LEXICON as CHINESE
from overpaint.document.instruct.colours import NAMES
from overpaint.document.instruct.english import LEXICON as ENGLISH
from overpaint.document.instruct.families import NAMES as FAMILIES
from overpaint.document.instruct.quotes import Span, quotes

Senses = Mapping[str, str]


@dataclass(frozen=True)
class Token:
    """A word, phrase, number, quote or mark, where it stands, and what it can mean."""

    text: str
    start: int
    end: int
    senses: Senses
    source: str = field(default="", repr=False, compare=False)  # the whole instruction

    @property
    def chinese(self) -> bool:
        return self.text[:1] >= "⺀"

    def get(self, kind: str) -> str:
        """Its value as that kind; a kind without values has its own name; empty if it is not."""
        return self.senses.get(kind, "")

    def has(self, *kinds: str) -> bool:
        """Whether it can be any of these kinds."""
        return any(kind in self.senses for kind in kinds)

    def of(self, kind: str, *values: str) -> bool:
        """Whether it is of that kind with one of these values."""
        return self.get(kind) in values


Tokens = tuple[Token, ...]


def cut(tokens: Tokens) -> str:
    """The words from the first token to the last, as they were written."""
    return tokens[0].source[tokens[0].start : tokens[-1].end].strip() if tokens else ""


_ATOM = re.compile(
    r"""(?P<colour>\#[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?\b|\#[0-9a-fA-F]{3}\b
        |rgba?\([\d\s.,]{5,40}\))
    |(?P<ord>第[0-9]{1,4}|[0-9]{1,4}(?:st|nd|rd|th)\b)
    |(?P<number>[-+]?[$€£¥]?[0-9]+(?:[.,:/][0-9]+)*(?:[eE][-+]?[0-9]{1,4}(?![0-9A-Za-z]))?)
    |(?P<word>(?!\d)[^\W_⺀-￯]+(?:['’](?:t|re|ll|d|m|ve)\b)?)
    |(?P<possessive>(?<=\w)['’]s\b)
    |(?P<arrow>->|=>)
    |(?P<mark>\S)""",
    re.VERBOSE,
)
_SIMPLIFIED = str.maketrans(
    "換刪將為爲標題圖顏顯隱轉縮變號頁頂層邊側裡裏後應該請對調時針順體線細並個與處劃離間總應內點",
    "换删将为为标题图颜显隐转缩变号页顶层边侧里里后应该请对调时针顺体线细并个与处划离间总应内点",
)
_MARKS = {
    ",": "comma", "，": "comma", ";": "stop", "；": "stop", "。": "stop", "!": "stop", "！": "stop",
    "?": "stop", "？": "stop", ":": "colon", "：": "colon", "(": "open", "（": "open",
    ")": "close", "）": "close", "°": "unit", "%": "unit", "％": "unit", "、": "and", "×": "unit",
}  # fmt: skip


def lex(text: str) -> Tokens:
    """The tokens of an instruction."""
    return tuple(_fonts(list(_phrases(text, list(_atoms(text, quotes(text)))))))


def tokens_of_plain(text: str) -> Tokens:
    """The tokens of a text in which nothing is a quote."""
    return tuple(_fonts(list(_phrases(text, list(_atoms(text, []))))))


def _atoms(text: str, spans: list[Span]) -> Iterator[Token]:
    at = 0
    for span in spans:
        yield from _plain_atoms(text, at, span.start)
        yield Token(text[span.start : span.end], span.start, span.end, {"quote": span.text}, text)
        at = span.end
    yield from _plain_atoms(text, at, len(text))


def _plain_atoms(text: str, start: int, end: int) -> Iterator[Token]:
    for found in _ATOM.finditer(text, start, end):
        kind, said = str(found.lastgroup), found[0]
        if kind == "mark":
            yield _mark(text, found.start(), end)
        elif kind == "possessive":
            yield Token("'s", found.start(), found.end(), {"post": "of"}, text)
        elif kind == "ord":
            yield Token(said, found.start(), found.end(), {"ord": _digits(said)}, text)
        else:
            senses = {kind: said} if kind in ("number", "colour") else {}
            yield Token(said.replace("’", "'"), found.start(), found.end(), senses, text)


def _digits(said: str) -> str:
    """The number of an ordinal; of a long one the beginning, which is more than any page has."""
    return str(int("".join(letter for letter in said if letter.isdigit())[:9]))


def _mark(text: str, at: int, end: int) -> Token:
    mark = text[at]
    # A full stop ends a sentence only before a space or the end: 5.30, U.S.A, example.com.
    if mark == ".":
        after = text[at + 1 : at + 2]
        ends = not after or after.isspace() or at + 1 == end or after.isupper()
        # Nor does the one of p.m. or e.g.
        ends = ends and not (
            text[at + 1 : at + 40].strip()
            and text[at - 1 : at].isalpha()
            and not text[max(0, at - 2) : at - 1].isalnum()
        )
        return Token(mark, at, at + 1, {"stop": "stop"} if ends else {}, text)
    kind = _MARKS.get(mark, "")
    value = {"％": "%", "×": "x"}.get(mark, mark) if kind == "unit" else kind
    return Token(mark, at, at + 1, {kind: value} if kind else {}, text)


def _phrases(text: str, atoms: list[Token]) -> Iterator[Token]:
    """Atoms joined to the longest phrases that are known, hyphens between words left out."""
    atoms = [atom for n, atom in enumerate(atoms) if not _joins(atoms, n)]
    names = [_plain(atom.text) for atom in atoms]
    at = 0
    while at < len(atoms):
        token, taken = atoms[at], 1
        for size in range(min(_reach().get(names[at], 0), len(atoms) - at), 0, -1):
            senses = lexicon().get(tuple(names[at : at + size]))
            if senses and not token.has("quote"):
                start, end = token.start, atoms[at + size - 1].end
                token = Token(text[start:end], start, end, {**token.senses, **senses}, text)
                taken = size
                break
        yield token
        at += taken


def _fonts(tokens: list[Token]) -> Iterator[Token]:
    """What may be the name of a font that no table has: "Alegreya Sans", "Futura Condensed"."""
    for named, held in groupby(tokens, key=_names_font):
        run = tuple(held)
        if named and any(t.senses for t in run) and any(not t.senses for t in run):
            name = cut(run)
            senses = {"family": name, "guess": "guess"}
            yield Token(name, run[0].start, run[-1].end, senses, run[0].source)
        else:
            yield from run


def _names_font(token: Token) -> bool:
    """Whether a word can be a part of such a name."""
    known = token.has("family") and not token.of("family", "other")
    return token.text[:1].isupper() and (known or not token.senses)


@cache
def _reach() -> Mapping[str, int]:
    """For every atom that begins a phrase, how long its longest phrase is."""
    longest: dict[str, int] = {}
    for phrase in lexicon():
        longest[phrase[0]] = max(len(phrase), longest.get(phrase[0], 0))
    return longest


def _plain(text: str) -> str:
    """As the tables have it: small letters, simplified Chinese."""
    return text.lower().translate(_SIMPLIFIED)


def _joins(atoms: list[Token], n: int) -> bool:
    """Whether an atom is a hyphen between two words, or white space's odd cousin."""
    mark = atoms[n].text
    if mark in "-‐‑" and 0 < n < len(atoms) - 1:
        return atoms[n - 1].end == atoms[n].start and atoms[n].end == atoms[n + 1].start
    return not mark.isprintable() and not atoms[n].has("quote")


@cache
def lexicon() -> Mapping[tuple[str, ...], Senses]:
    """Every phrase of the tables, as its atoms, with its senses."""
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for line in (ENGLISH + CHINESE).strip().splitlines():
        if not line.strip():
            continue
        name, _, phrases = line.partition(": ")
        kind, _, value = name.partition(" ")
        for phrase in (part.strip() for part in phrases.split("|")):
            _enter(found, phrase, kind, value)
            if kind == "role" and phrase.isascii():
                _enter(found, phrase + "s", kind, value)
                _enter(found, phrase + "s", "all", "many")
            if kind == "page" and phrase.isascii():
                _enter(found, phrase + "s", kind, value)
    for name in FAMILIES:
        _enter(found, name, "family", name)
    for colour, code in NAMES.items():
        _enter(found, colour, "colour", f"#{code}")
    return found


def _enter(
    found: dict[tuple[str, ...], dict[str, str]], phrase: str, kind: str, value: str
) -> None:
    atoms = tuple(match[0].lower() for match in _ATOM.finditer(phrase))
    found.setdefault(atoms, {})[kind] = value or kind
