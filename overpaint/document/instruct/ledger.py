"""Ledger: what a clause said that none of its ops shows, so that no word is lost in silence."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any

from overpaint.document.instruct.acts import quoted
from overpaint.document.instruct.clauses import Clause
from overpaint.document.instruct.counts import LANES
from overpaint.document.instruct.lexing import Token, Tokens, tokens_of_plain
from overpaint.document.instruct.looks import both, look, sized
from overpaint.document.instruct.looks import number as value_of
from overpaint.document.instruct.pairs import turning
from overpaint.document.instruct.phrases import Chunk, chunks
from overpaint.document.instruct.places import FURTHEST, PIXELS, WAYS, asks
from overpaint.document.ops import Op

_RUN = 4  # words of one colour: dark olive green
_ASKING = ("colour", "look", "family")
Shown = list[tuple[str, Any]]  # every field of the ops that says something, with its name


def lost(clause: Clause, ops: tuple[Op, ...]) -> Tokens:
    """The quotes, ordinals, distances and looks of a clause that its ops say nothing of."""
    shown = [pair for op in ops for pair in _shown(op)]
    hints = [token.start for token in _hints(clause.tokens) + _outcome(clause)]
    return tuple(
        token
        for n, token in enumerate(clause.tokens)
        if not _kept(clause, n, shown) and token.start not in hints and not _context(token, ops)
    )


def _shown(value: object) -> Iterator[tuple[str, Any]]:
    assert is_dataclass(value)
    for one in fields(value):
        held = getattr(value, one.name)
        if is_dataclass(held):
            yield from _shown(held)
        elif one.name == "values":
            yield from ((one.name, cell) for cell in held)
        elif held is not None and held != "":
            yield one.name, held


# ── what is no loss ─────────────────────────────────────────────────────────────────────


def _outcome(clause: Clause) -> Tokens:
    """What is left once something is deleted: "delete 'A', so that it reads 'B'"."""
    into = next((n for n, t in enumerate(clause.after) if n and t.has("into")), len(clause.after))
    return clause.after[into:] if clause.verb == "delete" else ()


def _hints(tokens: Tokens) -> Tokens:
    """What only helps to see what is meant: "(in red)", "the time of 'C' from 5:00"."""
    origin = next((n for n, t in enumerate(tokens) if t.of("prep", "from")), 0)
    to = next((n for n, t in enumerate(tokens) if n > origin and t.of("prep", "to")), origin)
    old = quoted(tokens[origin:to])
    found = tokens[:to] if all(look(tokens_of_plain(one)).said for one in old) else tokens[:origin]
    parts = chunks(tokens)
    for before, part in pairwise((Chunk("", "", ()), *parts)):
        found += part.tokens if part.how == "between" or _enclosed(tokens, part) else ()
        joined = next((n for n, t in enumerate(part.tokens) if t.has("and")), len(part.tokens))
        quotes = tuple(t for t in part.tokens[:joined] if t.has("quote"))
        found += quotes[:1] if _says_more(before, part) else ()
    return found


_ACROSS = ({"before", "after"}, {"above", "below"}, {"left", "right"})


def _says_more(before: Chunk, part: Chunk) -> bool:
    """Whether a place only says more of the one before it: "next to 'A' in the table 'B'".

    "after 'A' and before 'B'" is one place, "next to 'A' and below 'B'" is two.
    """
    if part.how not in ("side", "in", "of") or not before.tokens:
        return False
    if any(t.has("quote") and _is_family(t) for t in part.tokens):
        return False
    return not before.tokens[-1].has("and") or {before.side, part.side} in _ACROSS


def _is_family(token: Token) -> bool:
    return "family" in look(tokens_of_plain(token.get("quote"))).fields


def _enclosed(tokens: Tokens, part: Chunk) -> bool:
    """Whether a piece stands in parentheses."""
    at = next((n for n, t in enumerate(tokens) if part.tokens and t is part.tokens[0]), 0)
    marks = [t for t in tokens[:at] if t.has("open", "close")]
    return bool(marks) and marks[-1].has("open")


def _context(token: Token, ops: tuple[Op, ...]) -> bool:
    """Whether a quote has the words an op is about in it, as they stand there or as they will."""
    said = token.get("quote")
    told = [text for op in ops for text in (op.where.text, getattr(op, "text", "")) if text]
    return bool(said) and any(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", said) or (
        text in said and text[:1] >= "⺀") for text in told)  # fmt: skip


# ── what the ops show ───────────────────────────────────────────────────────────────────


def _kept(clause: Clause, n: int, shown: Shown) -> bool:
    """Whether the ops show what a word says, or it says nothing that they could."""
    tokens, token = clause.tokens, clause.tokens[n]
    words = [value for _, value in shown if isinstance(value, str)]
    if token.has("quote"):
        said = token.get("quote")
        return any(said in one for one in words) or _is_look(said, shown)
    if any(token.text in one for one in words):
        return True
    if token.has("ord"):
        return _counted(token, shown) or _names(tokens[n + 1 :]) or _of_a_place(tokens, n, shown)
    if token.of("role", "shape"):
        return ("role", "shape") in shown or not _holds(tokens, n)
    if token.has("dir"):
        return _goes(tokens, n, shown)
    if token.has("number"):
        return _measured(tokens, n, shown)
    if token.has(*_ASKING) and not token.has("guess", "unit") and clause.verb != "delete":
        return not _asked(tokens, n) or _worn(tokens, n, shown) or _of_the_old(clause, n)
    return True


_INSIDE = ("in", "inside", "within", "inside of")


def _holds(tokens: Tokens, n: int) -> bool:
    """Whether words are said to be in a box of the page; what is on a box is on a thing."""
    if tokens[n].chinese:
        return tokens[n + 1 : n + 2] != () and tokens[n + 1].of("post", "in")
    dress = ("colour", "shade", "ord", "place", "filler", "article", "all")
    before = next((t for t in reversed(tokens[:n]) if not t.has(*dress)), None)
    return before is not None and before.text.lower() in _INSIDE


def _names(after: Tokens) -> bool:
    """Whether a number only says more of what is quoted after it: "the last entry 'A'"."""
    for n, token in enumerate(after):
        if token.has("quote"):
            return n > 0
        if token.has("and", "comma", "stop", "verb", "into") or token.of("prep", "to", "with"):
            break
    return False


def _of_a_place(tokens: Tokens, n: int, shown: Shown) -> bool:
    """Whether an ordinal is of a place that quoted words are at: "'A' on the second floor"."""
    place = next((p for p in chunks(tokens) if tokens[n] in p.tokens), None)
    if place is None or place.how not in ("in", "of", "side"):
        return False
    quotes = {t.get("quote") for t in tokens if t.has("quote")}
    pointed = any(name == "text" and value in quotes for name, value in shown)
    return pointed and sum(t.has("ord") for t in place.tokens) == 1


def _of_the_old(clause: Clause, n: int) -> bool:
    """Whether a look is one that words had before they were changed: "'A' in white with 'B'"."""
    at, start = len(clause.before) + max(turning(clause.after), 0), n
    while start and _dress(clause.tokens[start]):
        start -= 1
    worn = clause.tokens[start].of("prep", "in", "with")
    return clause.verb == "change" and n < at and worn


def _is_look(said: str, shown: Shown) -> bool:
    """Whether a quote is a font, a colour, a look or a size that the ops have: 'Open Sans Bold'."""
    tokens = tokens_of_plain(said)
    wanted = both(look(tokens), sized((Token("", 0, 0, {"attr": "size"}), *tokens)))
    told = [*wanted.fields.items(), *([("factor", wanted.factor)] if wanted.factor else [])]
    return bool(told) and all(pair in shown for pair in told)


def _counted(token: Token, shown: Shown) -> bool:
    nth = token.get("ord")
    return any(
        value in (int(nth), nth) for name, value in shown if name in ("nth", "row", "column")
    )


_AIMED = frozenset({
    "to", "side", "of", "place", "degrees", "align", "factor", "size", "other", "row", "column",
})  # fmt: skip


def _goes(tokens: Tokens, n: int, shown: Shown) -> bool:
    """Whether what moves by some way moves that way, and what stands on a side is sought there."""
    if not asks(tokens, n):
        sides = [value for name, value in shown if name in ("place", "side", "align", "to")]
        was = any(t.of("prep", "from") for t in tokens[max(0, n - 2) : n])
        told = was or tokens[n].has("filler")
        return told or any(tokens[n].get("dir") in one for one in sides)
    across, down = WAYS[tokens[n].get("dir")]
    by = [value for name, value in shown if name == "by"]
    if not by and not tokens[n].has("filler"):
        return any(name in _AIMED for name, _ in shown)  # "delete 'A' to the left" goes nowhere
    return not by or any(x * across + y * down > 0 for x, y in by)


def _measured(tokens: Tokens, n: int, shown: Shown) -> bool:
    """Whether a number is a distance, a size, a turn or a count of the ops."""
    after = tokens[n + 1] if n + 1 < len(tokens) else None
    unit = after.get("unit") if after else ""
    said, names = value_of(tokens[n]), {name for name, _ in shown}
    if unit == "x" and n + 2 < len(tokens) and tokens[n + 2].has("number"):
        return True  # a 3x3 table
    if unit == "x":
        return bool(names & {"factor", "size"})
    if unit in ("%", "°") or "/" in tokens[n].text:
        return bool(names & {"factor", "degrees", "size"}) or "by" not in names
    if said is None or (not unit and _describes(tokens, n)):
        return True
    said = min(abs(said) * PIXELS.get(unit, 1.0), FURTHEST)
    told = [value for name, value in shown if name in ("size", "nth", "degrees", "factor")]
    told += [part for name, value in shown if name == "by" for part in value]
    return said in map(abs, told)


def _describes(tokens: Tokens, n: int) -> bool:
    """Whether a bare number only says more of what follows it: "the 2 titles", "line 3 'A'"."""
    after = tokens[n + 1] if n + 1 < len(tokens) else None
    before = tokens[n - 1] if n else None
    counts = before is not None and (before.has("ord", "page") or before.of("role", *LANES))
    name = before is not None and not before.senses  # Project 3
    noun = after is not None and (not after.senses or after.has("role", "page"))
    return name or (noun and not counts) or _names(tokens[n:])


def _asked(tokens: Tokens, n: int) -> bool:
    """Whether a look is asked for, and does not only say which thing is meant: "the red text"."""
    after, before = n, n
    while after < len(tokens) and _dress(tokens[after]):
        after += 1
    while before >= 0 and _dress(tokens[before]):
        before -= 1
    first = tokens[before] if before >= 0 else None
    last = tokens[after] if after < len(tokens) else None
    if first and first.of("prep", "from"):
        return False
    if last and last.of("role", "letter", "text", "word"):
        return bool(first and first.of("prep", "in", "with", "to"))
    return last is None or (bool(last.senses) and not last.has("quote", "role", "page", "layer"))


def _dress(token: Token) -> bool:
    return token.has(*_ASKING, "shade", "and", "attr") or token.of("post", "of")


def _worn(tokens: Tokens, n: int, shown: Shown) -> bool:
    start, end = n, n + 1
    while start > n - _RUN and start and tokens[start - 1].has("shade", "colour"):
        start -= 1
    while end < min(len(tokens), n + _RUN) and all(t.has("colour") for t in tokens[n : end + 1]):
        end += 1
    return all(pair in shown for pair in look(tokens[start:end]).fields.items())
