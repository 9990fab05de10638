"""Several: what a phrase points at where "and" joins more than one thing."""

from collections.abc import Iterator
from dataclasses import replace

from overpaint.document.instruct.counts import spread
from overpaint.document.instruct.lexing import Token, Tokens
from overpaint.document.instruct.spots import point
from overpaint.document.where import Where


def targets(tokens: Tokens, *, table: bool = False) -> Iterator[Where | None]:
    """What a phrase points at, one by one where "and" joins several."""
    lead = leading(tokens)
    apart = [lead + part for part in _with_it(_at_ands(tokens[len(lead) :]))]
    anchored = [one for part in apart for one in _by_anchor(part)]
    parts = [one for part in anchored for one in spread(part)]
    last = point(parts[-1], table=table) if parts else None
    for part in parts:
        where = point(part, table=table) if part is not parts[-1] else last
        if where and where.text[:1].islower() and _mixed(tokens, part):
            where = None
        if where and last and last.of and not where.of and where.text not in ("", last.of.text):
            where = replace(where, side=last.side, of=last.of)
        yield where


def leading(tokens: Tokens) -> Tokens:
    """What says first where to look, for all that follows: "in the line 'B'," 在“甲”那一行，."""
    first = next((t for t in tokens if not t.has("article", "filler", "comma")), None)
    if first is None or not (first.of("prep", "in", "from") or first.text == "在"):
        return ()
    start = tokens.index(first)
    comma = next((n for n, t in enumerate(tokens) if n > start and t.has("comma")), -1)
    return tokens[: comma + 1]


def _by_anchor(part: Tokens) -> list[Tokens]:
    """ "the text below 'A' and 'B'" as the text below the one, and the text below the other."""
    quotes = [n for n, t in enumerate(part) if t.has("quote")]
    if len(quotes) != 2 or not any(t.has("side") for t in part[: quotes[0]]):
        return [part]
    between = part[quotes[0] + 1 : quotes[1]]
    if not between or not all(t.has("and", "article", "role") for t in between):
        return [part]
    return [part[: quotes[0] + 1] + part[quotes[1] + 1 :], part[: quotes[0]] + part[quotes[1] :]]


def _with_it(parts: list[Tokens]) -> list[Tokens]:
    """With "'A' and the text below it" as "'A' and the text below 'A'"."""
    found: list[Tokens] = []
    for part in parts:
        before = next((t for t in found[-1] if t.has("quote")), None) if found else None
        found.append(
            tuple(
                before if before and n and t.has("it") and part[n - 1].has("side") else t
                for n, t in enumerate(part)
            )
        )
    return found


def _mixed(tokens: Tokens, part: Tokens) -> bool:
    """Whether a part has no quotes where others have."""
    quotes = [t for t in tokens if t.has("quote")]
    return bool(quotes) and not any(t in quotes for t in part)


def _at_ands(tokens: Tokens) -> list[Tokens]:
    """A phrase cut at its ands, where something nameable stands on both sides of them."""
    found: list[Tokens] = []
    held: list[Token] = []
    for n, token in enumerate(tokens):
        comma = token.has("comma") and any(t.has("quote") for t in held)
        if token.has("quote") and held and held[-1].has("quote") and not _inside_side(held):
            found.append(tuple(held))  # "'A' 'B'"
            held = []
        joins = token.has("and") or (comma and any(t.has("quote") for t in tokens[n + 1 : n + 3]))
        if joins and _crosses(held, tokens[n + 1 :]):
            joins = False
        apart = not _inside_side(held) or (placed(tuple(held)) and placed(tokens[n + 1 :]))
        if joins and _names(tuple(held)) and _names(tokens[n + 1 :]) and apart:
            found.append(tuple(held))
            held = []
        else:
            held.append(token)
    return [*found, tuple(held)]


def _crosses(held: list[Token], rest: Tokens) -> bool:
    """Whether an "and" joins a row and a column."""
    line = ("row", "column", "line")
    before = any(t.of("role", *line) for t in held)
    return (
        before
        and any(t.of("role", "column", "row") for t in rest)
        and not held[0].of("role", *line)
    )


def placed(part: Tokens, *preps: str) -> bool:
    """Whether something quoted is named first, then beside what it is: "the text 'A' below 'B'"."""
    said = [t for t in part if not t.has("article", "and", "filler") or t.has("quote")]
    while said and said[0].has("role") and not said[0].has("quote"):
        said = said[1:]
    if len(said) < 3 or not said[0].has("quote"):
        return False
    corner = said[1].of("prep", *preps) and any(t.has("place") for t in said)
    return said[1].has("side") or corner


def _names(tokens: Tokens) -> bool:
    return any(t.has("quote", "role", "page") for t in tokens)


def _inside_side(held: list[Token]) -> bool:
    """Whether an "and" joins two anchors rather than two targets: "below 'A' and 'B'"."""
    return any(t.has("side") or t.of("prep", "between", "of") for t in held)
