"""Parsing: an instruction as ops, clause by clause; what "it" is goes from one to the next."""

import unicodedata
from dataclasses import replace

from overpaint.document.instruct.acts import Told, check_quotes, delete, quoted
from overpaint.document.instruct.adds import add
from overpaint.document.instruct.changes import change
from overpaint.document.instruct.clauses import Clause, clauses, parts
from overpaint.document.instruct.dressing import dress, made
from overpaint.document.instruct.halves import halved
from overpaint.document.instruct.ledger import lost
from overpaint.document.instruct.lexing import Tokens, cut, lex
from overpaint.document.instruct.looks import given_look, worn_in
from overpaint.document.instruct.ordering import as_counted
from overpaint.document.instruct.pages import check_no_page
from overpaint.document.instruct.places import (
    exchange,
    hide,
    move,
    put,
    reorder,
    rotate,
    scale,
    swap,
)
from overpaint.document.instruct.refusal import refuse
from overpaint.document.instruct.tables import about_table, add_to_table, is_merge, merge
from overpaint.document.instruct.wholes import whole
from overpaint.document.ops import Delete, Insert, Op, ReplaceText
from overpaint.document.where import Where
from overpaint.errors import UserMistake

LONGEST = 10_000  # letters of an instruction
MOST_WORDS = 1_000  # outside quotes; Chinese letters are words
# Marks of direction, and the one that a file may begin with. Other letters that nobody sees join
# or part the letters beside them, or make a flag, and stay.
_MARKS = frozenset("\u061c\u200b\u200e\u200f\u2060\ufeff") | {
    chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
_WAYS = {"grow": 1, "shrink": -1, "scale": 0, "double": 0, "halve": 0}


def parse(instruction: str) -> tuple[Op, ...]:
    """The ops an instruction asks for, in its order; `Refused`, with near forms, if unclear."""
    if len(instruction) > LONGEST:
        raise _too_long(f"{len(instruction):,} letters", f"{LONGEST:,}")
    tokens = lex(_clean(instruction))
    if len(tokens) > MOST_WORDS:
        raise _too_long(f"{len(tokens):,} words outside quotes", f"{MOST_WORDS:,}")
    check_no_page(tokens)
    told = Told()
    done: list[Op] = []
    for clause in clauses(_parts(tokens)):
        told = replace(told, table=told.table or about_table(clause.tokens))
        ops = _ops(clause, told)
        _check_all_used(clause, ops)
        if (new := _instead(clause, done, ops)) is not None:
            ops = (ReplaceText(done.pop().where, new),)
        elif ops and isinstance(ops[0], ReplaceText) and done[-1:] == [Delete(ops[0].where)]:
            done.pop()  # "remove 'A' and replace it with 'B'"
        done += ops
        told = replace(told, it=_it(ops))
    if not done:
        raise refuse(instruction, why="it asks for nothing")
    return as_counted(tuple(done), instruction)


def _parts(tokens: Tokens) -> list[Tokens]:
    """What each clause says, with halves and wholes as one; a table is one for all of them."""
    table = any(token.of("role", "table", "cell", "row") for token in tokens)
    found = [halved(part, table=table) for part in parts(tokens)]
    table = any(about_table(part) for part in found)
    return [whole(part, table=table) for part in found]


def _check_all_used(clause: Clause, ops: tuple[Op, ...]) -> None:
    """Refuse a clause with words that would be lost."""
    if unused := lost(clause, ops):
        said = " and ".join(f"“{t.get('quote') or t.text}”" for t in unused)
        why = f"what to do with {said} cannot be told"
        raise refuse(clause.whole or cut(clause.tokens), clause.verb, why=why)


def _too_long(has: str, most: str) -> UserMistake:
    todo = "Ask for a few things at a time."
    return UserMistake(f"The instruction has {has}.", f"It may have {most}.", todo)


def _clean(instruction: str) -> str:
    """Without control letters and marks of direction, and with plain spaces."""
    if any(unicodedata.category(c) == "Cs" for c in instruction):
        raise UserMistake("The instruction is not valid UTF-8.", "", "Type it in a UTF-8 terminal.")
    spaced = (" " if c.isspace() else c for c in instruction)
    return "".join(c for c in spaced if c not in _MARKS and unicodedata.category(c) != "Cc")


def _instead(clause: Clause, done: list[Op], ops: tuple[Op, ...]) -> str | None:
    """Words that come where others were just deleted: "delete 'A' and write 'B' there"."""
    here = any(t.has("it") or t.text.lower() == "instead" for t in clause.tokens)
    if not here or not done or not isinstance(done[-1], Delete) or len(ops) != 1:
        return None
    new = ops[0]
    return new.text if isinstance(new, Insert) and new.side in ("at", "inside") else None


def _it(ops: tuple[Op, ...]) -> Where | None:
    """What "it" is after an op: the new words where there are some, else what it was about."""
    if not ops:
        return None
    last = ops[-1]
    text = last.text if isinstance(last, (ReplaceText, Insert)) else ""
    return Where(text=text) if text else last.where


def _ops(clause: Clause, told: Told) -> tuple[Op, ...]:
    """What one clause asks for."""
    verb, tokens = clause.verb, clause.tokens
    if verb != "change" and not _gives_cells(clause, told):
        check_quotes(tokens, verb)
    if verb == "merge" or (told.table and is_merge(clause)):
        return merge(clause)
    if any(t.has("vague") for t in tokens) and not quoted(tokens):
        raise refuse(clause.whole or cut(tokens), "change", why="it needs more than rules know")
    if any(t.has("except") for t in tokens):
        raise refuse(cut(tokens), verb, why="exceptions are not known")
    if verb == "translate" and len(quoted(tokens)) < 2:
        raise refuse(cut(tokens), "change", why="the translation is not given")
    if verb == "change" and any(t.has("turn") or t.of("unit", "°") for t in tokens):
        return rotate(clause, told)
    if verb in ("change", "translate"):
        return change(clause, told)
    if verb == "delete":
        return delete(clause, told)
    if verb in ("put", "show") and _wears(tokens):
        return made(Clause((), "change", worn_in(tokens), "make"), told)
    if verb == "add" and (worn := given_look(clause.after)):
        return made(Clause((), "change", worn, "make"), told)
    if verb == "add" or (verb == "put" and not put(clause)):
        return add_to_table(clause) if told.table and add_to_table(clause) else add(clause, told)
    if verb in ("move", "put", "raise", "lower"):
        return move(clause, told)
    return _other(clause, told)


def _gives_cells(clause: Clause, told: Told) -> bool:
    """Whether quotes are the cells of a new row or column, which may be empty."""
    named = any(t.of("role", "row", "column") for t in clause.tokens)
    return told.table and named and clause.verb in ("add", "put")


def _wears(tokens: Tokens) -> bool:
    """Whether "put" and "show" ask for a look: "put the title in red", but not in a corner."""
    placed = any(t.has("side", "place", "dir", "layer") for t in tokens)
    return not placed and worn_in(tokens) != tokens


def _other(clause: Clause, told: Told) -> tuple[Op, ...]:
    verb, tokens = clause.verb, clause.tokens
    if verb == "swap" and any(t.of("prep", "for") for t in clause.after):
        return exchange(clause, told)
    if verb == "swap":
        return swap(clause, told)
    if verb == "rotate":
        return rotate(clause, told)
    if verb in _WAYS:
        return scale(clause, told, _WAYS[verb])
    if verb == "order" and not any(t.has("front") for t in tokens):
        return move(clause, told)
    if verb in ("order", "front", "back"):
        return reorder(clause, told, "" if verb == "order" else verb)
    if verb in ("hide", "show"):
        return hide(clause, told, visible=verb == "show")
    return dress(clause, told)
