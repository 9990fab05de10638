"""Quotes: which parts of an instruction are words of the page, whatever marks stand around them.

Straight and curly marks, 「」『』 «» „“ and, where an instruction has no other marks, 《》. Single
straight marks are also apostrophes (don't, the dogs' bowl, rock 'n' roll), people forget spaces
(of'A'and'B') and closing marks; so each single mark is first judged by what stands beside it.
"""

import re
from typing import NamedTuple

PAIRS = {"“": "”", "「": "」", "『": "』", "«": "»", "„": "“”", '"': '"'}
SINGLE = "'‘’`´"
LONGEST = 4000  # letters of a quote
REACH = 200  # single marks looked at to find the one that closes a quote

_WORD = re.compile(r"[A-Za-z]+")
# Words that stand before a quote or after it without a space when people type in haste.
_BEFORE = frozenset({
    "of", "and", "to", "with", "by", "text", "sentence", "the", "a", "word", "title", "from",
    "below", "above", "in",
})  # fmt: skip
_VERBS = frozenset({"replace", "change", "delete", "remove", "add", "write", "insert"})
_AFTER = frozenset({
    "and", "to", "with", "in", "on", "into", "below", "above", "under", "from", "by", "at",
    "smaller", "bigger", "larger", "down", "up", "left", "right", "between", "then", "so",
    "over", "near", "inside", "within", "instead", "using", "next", "clockwise",
    "counterclockwise", "after", "before", "is", "should", "as", "are", "while", "for", "beside",
    "or",
})  # fmt: skip


class Span(NamedTuple):
    """A quote in a text: where its marks begin and end, and what it says."""

    start: int
    end: int
    text: str


def quotes(text: str) -> list[Span]:
    """The quotes of a text from its beginning to its end, none inside another."""
    marks = [n for n, letter in enumerate(text) if letter in SINGLE]
    found: list[Span] = []
    at = 0
    while at < len(text):
        span = _quote_at(text, at, marks)
        if span:
            found.append(span)
        at = span.end if span else at + 1
    if not found and "《" in text:
        return [Span(m.start(), m.end(), m[1]) for m in re.finditer("《([^《》]+)》", text)]
    return found


def _quote_at(text: str, at: int, marks: list[int]) -> Span | None:
    if _nothing_at(text, at):
        return Span(at, at + 2, "")
    if text[at] in SINGLE:
        return _single(text, at, marks) if _opens(text, at) else None
    inch = text[at] == '"' and text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isspace()
    if text[at] not in PAIRS or inch:
        return None
    end = _closing(text, at)
    if end < 0:
        end = _rest(text, at + 1)
        return _span(text, at, end, end)
    return _span(text, at, end, end + 1)


def _nothing_at(text: str, at: int) -> bool:
    """Whether two marks with nothing between them stand there, as for words that shall go."""
    before, pair, after = text[at - 1 : at] if at else "", text[at : at + 2], text[at + 2 : at + 3]
    if pair in ("“”", "‘’", "「」", "『』", "«»"):
        return not _wordy(after) and after not in tuple("”’」』»")
    if pair not in ('""', "''"):
        return False
    opens = not before or before.isspace() or before == ":" or before >= "⺀"
    return opens and (not after or after.isspace() or after in ".,;:!?)。，；：！？）")


def _span(text: str, start: int, inner: int, end: int) -> Span | None:
    said = text[start + 1 : inner].strip()
    return Span(start, end, said) if said else None


def _closing(text: str, at: int) -> int:
    """Where a double mark's partner stands; marks of the same kind may be nested."""
    mark, depth = text[at], 0
    partners = PAIRS[mark] + ('"' if mark == "“" else "")
    for n in range(at + 1, min(len(text), at + LONGEST)):
        if text[n] == mark and (mark != '"' or _begins(text, n)):
            depth += 1
        elif text[n] in partners:
            if not depth:
                return n
            depth -= 1
    return -1


def _begins(text: str, n: int) -> bool:
    """Whether a straight double mark can only begin a quote: a space before it, none after."""
    return text[n - 1].isspace() and text[n + 1 : n + 2].isalnum()


def _rest(text: str, at: int) -> int:
    """Where a quote that nobody closed ends: before the next quote's connective, or at the end."""
    later = re.compile(r"[^\"“「『']{1,400}?(?= (?:to|with|into|by|and) [\"“「『'])").match(
        text, at
    )
    if later:
        return later.end()
    stop = re.compile(r"[.。;；!！]?\s*$").search(text, max(at, len(text) - 40))
    return stop.start() if stop and stop.start() > at else len(text)


# ── single marks ────────────────────────────────────────────────────────────────────────


def _wordy(letter: str) -> bool:
    return letter.isalnum() and letter < "⺀"


def _opens(text: str, n: int) -> bool:
    """Whether a single mark can begin a quote."""
    after = text[n + 1 : n + 2]
    if not after or text[n] == "’":
        return False
    if after.isspace():
        return _spaced(text, n)
    if n == 0 or not _wordy(text[n - 1]) or text[n] == "‘":
        return True
    word = re.search(r"[A-Za-z]+$", text[max(0, n - 12) : n])
    return word is not None and word[0].lower() in _BEFORE


def _spaced(text: str, n: int) -> bool:
    """Whether a mark with spaces beside it begins a quote: after a word that one follows."""
    word = re.search(r"(?:^|\s)([A-Za-z]+)\s+$", text[max(0, n - 16) : n])
    said = word is not None and word[1].lower() in _BEFORE | _VERBS
    return said and text.count("'", n + 1) % 2 == 1


def _closes(text: str, n: int) -> bool:
    """Whether a single mark can end a quote."""
    after = text[n + 1 : n + 2]
    if text[n] == "‘":
        return False
    if not after or not _wordy(after):
        return text[n - 1] not in " \t" or not after.isprintable() or after in " .,;:"
    word = _WORD.match(text, n + 1)
    if word is None:
        return after.isdigit() and not text[n - 1].isspace()
    ending = text[n - 1].isalnum() and word[0] == "s" and text[n + 2 : n + 3] == " "
    if text[n - 1].isspace() and any(mark in text[n + 1 :] for mark in "'’"):
        return False
    return word[0].lower() in _AFTER or (ending and "all " in text[max(0, n - 40) : n])


def _single(text: str, at: int, marks: list[int]) -> Span | None:
    """The quote that a single mark begins: up to the mark that closes it, nested ones skipped."""
    first = _index(marks, at)
    later = marks[first + 1 : first + 1 + REACH]
    depth, doubtful = 0, -1
    for place, n in enumerate(later):
        if _closes(text, n):
            if depth:
                depth -= 1
                continue
            if _certain(text, n) or not _another(text, later[place + 1 :]):
                return _span(text, at, n, _past(text, n))
            doubtful = n if doubtful < 0 else doubtful
        elif n > at + 1 and _opens(text, n) and text[n - 1] in ' "(' and n - at > 1:
            if _nested(text, later[place + 1 :]):
                depth += 1
            elif doubtful < 0:
                break
    if doubtful >= 0:
        return _span(text, at, doubtful, doubtful + 1)
    end = _rest(text, at + 1)
    return _span(text, at, end, end) if text[at - 1 : at].strip() == "" else None


def _index(marks: list[int], at: int) -> int:
    low, high = 0, len(marks)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if marks[middle] < at else (low, middle)
    return low


def _past(text: str, n: int) -> int:
    """After a closing mark, and after a second one that slipped in: …!''"""
    return n + 2 if text[n + 1 : n + 2] == text[n] and not text[n + 2 : n + 3].isalnum() else n + 1


def _certain(text: str, n: int) -> bool:
    """Whether what follows a mark can follow a quote: an end, a stop, or a word that joins."""
    follows = text[n + 1 : n + 40].lstrip()
    word = _WORD.match(follows)
    return word is None or word[0].lower() in _AFTER or text[n + 1 : n + 2] in ",.;:"


def _another(text: str, later: list[int]) -> bool:
    """Whether the next mark closes too, so that the one before it was an apostrophe."""
    for n in later[:3]:
        if _closes(text, n):
            return True
        if _opens(text, n):
            return False
    return False


def _nested(text: str, later: list[int]) -> bool:
    """Whether two marks that close follow before one that opens: the end of a quote in a quote."""
    closing = 0
    for n in later[:6]:
        if _closes(text, n):
            closing += 1
            if closing == 2:
                return True
        elif _opens(text, n):
            return False
    return False
