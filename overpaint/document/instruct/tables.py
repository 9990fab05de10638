"""Tables: rows, columns and cells as they are named; adding and filling them, merging cells."""

from dataclasses import dataclass

from overpaint.document.instruct.clauses import Clause
from overpaint.document.instruct.lexing import Token, Tokens
from overpaint.document.instruct.refusal import refuse
from overpaint.document.ops import Insert, Merge, Op
from overpaint.document.where import Side, Where

_LINKS = ("article", "filler", "post", "into", "it")


@dataclass(frozen=True)
class Named:
    """A quote of a clause about a table: which part it names, and on which side of it one is."""

    text: str
    label: str  # row, column, cell, or nothing
    side: str
    said_after: bool  # after the verb


def about_table(tokens: Tokens) -> bool:
    """Whether an instruction speaks of a table."""
    return any(t.of("role", "table", "cell", "row", "column") for t in tokens)


def named(clause: Clause) -> list[Named]:
    """The quotes of a clause, with what stands beside them."""
    tokens = clause.tokens
    return [
        Named(t.get("quote"), _label(tokens, n), _side(tokens, n), n >= len(clause.before))
        for n, t in enumerate(tokens)
        if t.has("quote")
    ]


def _label(tokens: Tokens, n: int) -> str:
    """The part of a table a quote names: the row 'X', the 'X' column, “X”一行."""
    chinese = _after(tokens, n)
    if chinese is not None and tokens[chinese].chinese:
        return _part(tokens, chinese)
    for at in range(n - 1, max(-1, n - 4), -1):
        if _part(tokens, at):
            return _part(tokens, at)
        if not tokens[at].has(*_LINKS) or tokens[at].has("quote"):
            break
    return _part(tokens, n + 1) if n + 1 < len(tokens) else ""


def _after(tokens: Tokens, n: int) -> int | None:
    for at in range(n + 1, min(len(tokens), n + 3)):
        if _part(tokens, at):
            return at
        if not tokens[at].of("post", "of"):
            break
    return None


def _part(tokens: Tokens, at: int) -> str:
    role = tokens[at].get("role")
    return {"line": "row", "row": "row", "column": "column", "cell": "cell"}.get(role, "")


def _side(tokens: Tokens, n: int) -> str:
    """On which side of a quote something is said to be."""
    for at in range(n + 1, min(len(tokens), n + 3)):
        if tokens[at].has("post") and tokens[at].get("post") not in ("in", "of"):
            return tokens[at].get("post")
        if not _part(tokens, at):
            break
    for at in range(n - 1, max(-1, n - 4), -1):
        if tokens[at].has("side"):
            return tokens[at].get("side")
        if not (tokens[at].has(*_LINKS) or _part(tokens, at)) or tokens[at].has("quote"):
            break
    return ""


def crossed(found: tuple[Where, ...]) -> tuple[Where, ...]:
    """The cell where a row and a column cross, which alone can say something new."""
    rows = [where.row for where in found if where.role == "row"]
    columns = [where.column for where in found if where.role == "column"]
    if len(found) == 2 and len(rows) == len(columns) == 1:
        return (Where(role="cell", row=rows[0], column=columns[0]),)
    return found


def add_to_table(clause: Clause) -> tuple[Op, ...]:
    """A new row or column, or a cell filled; nothing where the clause asks for neither."""
    quotes = named(clause)
    anchor = next((q for q in quotes if q.side), None)
    others = tuple(q.text for q in quotes if q is not anchor)
    if anchor and _new_part(clause, anchor, "column") and others:
        where = Where(role="column", column=anchor.text)
        return (Insert(where, others[0], side=_across(anchor), what="column", values=others[1:]),)
    if anchor and _new_part(clause, anchor, "row"):
        where = Where(role="row", row=anchor.text)
        return (Insert(where, side=_along(anchor), what="row", values=others),)
    return _filled(quotes) or _at_the_end(clause, tuple(q.text for q in quotes))


def _at_the_end(clause: Clause, said: tuple[str, ...]) -> tuple[Op, ...]:
    """A new last row or column, where nobody says beside which: "add a row: 'A', 'B'"."""
    for n, token in enumerate(clause.tokens):
        fresh = token.text in ("一行", "一列", "新的一行") or (n and _is_new(clause.tokens[n - 1]))
        part = _part(clause.tokens, n)
        if part == "row" and fresh and said:
            return (Insert(Where(role="row", nth=-1), side="below", what="row", values=said),)
        if part == "column" and fresh and said:
            where = Where(role="column", nth=-1)
            return (Insert(where, said[0], side="right", what="column", values=said[1:]),)
    return ()


def _is_new(token: Token) -> bool:
    return token.text.lower() in ("a", "an", "new", "another", "one more", "last", "final")


def _across(anchor: Named) -> Side:
    return "left" if anchor.side in ("before", "left") else "right"


def _along(anchor: Named) -> Side:
    return "above" if anchor.side in ("before", "above") else "below"


def _new_part(clause: Clause, anchor: Named, part: str) -> bool:
    """Whether a row or column is named that is not the anchor itself."""
    count = sum(_part(clause.tokens, n) == part for n in range(len(clause.tokens)))
    other = "row" if part == "column" else "column"
    both = any(_part(clause.tokens, n) == other for n in range(len(clause.tokens)))
    return count > (anchor.label == part) and not (both and part == "row")


def _filled(quotes: list[Named]) -> tuple[Op, ...]:
    row = next((q for q in quotes if q.label == "row"), None)
    column = next((q for q in quotes if q.label == "column"), None)
    given = [q for q in quotes if not q.said_after]
    if not (row or column) and len(given) == 2 and len(quotes) == 3:
        row, column = given
    rest = [q.text for q in quotes if q is not row and q is not column]
    if not (row and column) or len(rest) != 1:
        return ()
    where = Where(role="cell", row=row.text, column=column.text)
    return (Insert(where, rest[0], side="inside"),)


def merge(clause: Clause) -> tuple[Op, ...]:
    """Two cells as one."""
    said = [q.text for q in named(clause)]
    if len(said) < 2:
        raise refuse("merge", "table", why="it takes two cells, both quoted")
    new = said[2] if len(said) > 2 else f"{said[0]} {said[1]}"
    first, second = (Where(role="cell", text=text) for text in said[:2])
    return (Merge(first, second, new),)


def is_merge(clause: Clause) -> bool:
    """Whether "turn the cells 'A' and 'B' into a single cell" is meant."""
    cells = [t for t in clause.tokens if t.of("role", "cell")]
    if any(t.of("role", "row", "column") for t in clause.tokens):
        return False  # each cell is told by its row and column, and has its own words
    return clause.verb == "change" and len(cells) > 1 and len(named(clause)) >= 3
