"""Adds: new words on one side of others, at a place, in a cell; new rows and columns."""

from dataclasses import replace
from typing import cast

from overpaint.document.instruct.acts import PICTURES, Told, quoted, words
from overpaint.document.instruct.clauses import Clause
from overpaint.document.instruct.lexing import Token, Tokens, cut
from overpaint.document.instruct.looks import both, look, sized, undressed
from overpaint.document.instruct.pairs import each_anchor, joined
from overpaint.document.instruct.phrases import Chunk, chunks, content, plain
from overpaint.document.instruct.refusal import refuse
from overpaint.document.instruct.spots import Spot, point, spot
from overpaint.document.ops import Insert, Op, Restyle
from overpaint.document.where import Role, Side, Where

# Verbs that write into a form: after a label is then to the right of it.
_FILLING = frozenset({
    "fill in", "fill", "enter", "fill out", "input", "key in", "填入", "填写", "填", "填上",
    "输入", "写上", "write",
})  # fmt: skip
_OUTSIDE = ("above", "below")
_SPANS = ("sentence", "word", "letter", "number")
_NOT_WHAT = ("text", "label", "item", "list", "table", "cell", "section", "row", "column")


def add(clause: Clause, told: Told) -> tuple[Op, ...]:
    """New words where the clause says."""
    if pair := joined(clause.after) or each_anchor(clause.after):
        return tuple(op for part in pair for op in add(replace(clause, after=part), told))
    clause, worn = _undressed(_without_result(clause))
    said = chunks(clause.after)
    fresh = [part for n, part in enumerate(said) if _is_new(said, n)]
    new = [text for part in said for text in _new_words(part, fresh=part in fresh)]
    parts = chunks(clause.before) + [part for part in said if part not in fresh]
    if not new and (file := _file(clause.after)):
        place = spot(parts, table=told.table)
        return (Insert(_anchor(place, told), picture=file, side=_side(place)),)
    if not new:
        new = _announced(clause.after)
    if not new or any(_more(part.tokens) for part in fresh):
        raise refuse(words(clause.after), "add", why="the words to add are not given")
    where = spot([_old_words(part) for part in parts], table=told.table)
    if not where.said and (given := point(clause.before, table=told.table)):
        where = Spot(side="right", of=given)  # "The field 'Name' is empty."
    if where.clash:
        raise refuse(words(clause.tokens), "add", why="it names two places at once")
    op = _insertion("\n".join(new), where, clause, told)
    return (op, *_dressed(fresh, worn, op))


def _without_result(clause: Clause) -> Clause:
    """Without "to be 'AB'", which only says what comes out."""
    for n, token in enumerate(clause.after):
        if token.of("into", "says") and len(quoted(clause.after[:n])) > 1:
            return replace(clause, after=clause.after[:n])
    return clause


def _undressed(clause: Clause) -> tuple[Clause, Tokens]:
    """Without "in bold red", and that look; "红色的“售罄”" has it before the new words."""
    before, worn = undressed(clause.before)
    after, more = undressed(clause.after)
    bare = tuple(
        t
        for n, t in enumerate(after)
        if not (
            n and t.of("post", "of") and _adjective(after[n - 1]) and quoted(after[n + 1 : n + 2])
        )
    )
    return replace(clause, before=before, after=bare), worn + more


def _is_new(parts: list[Chunk], n: int) -> bool:
    """Whether a piece is what is added: the head, or "with '…'", or "the cursive of '…'"."""
    if n and any(t.has("align") or t.text.lower() == "aligned" for t in parts[n - 1].tokens):
        return False  # "aligned with 'Z'"
    of_head = parts[n].how == "of" and n > 0 and parts[n - 1].how == ""
    return parts[n].how in ("", "with", "as") or (of_head and bool(quoted(parts[n].tokens)))


def _new_words(part: Chunk, *, fresh: bool) -> list[str]:
    """The words a piece adds: its quotes, or plain words that can be nothing else."""
    said = quoted(part.tokens)
    if not fresh:
        joined = any(token.has("and") for token in part.tokens)
        return [] if joined or part.how == "between" else said[1:]
    if said or part.how == "of":
        return said
    text = plain(_after_role(part.tokens))
    sure = text[:1].isupper() or text[:1].isdigit() or any(t.has("colon") for t in part.tokens)
    return [text] if text and sure else []


def _more(tokens: Tokens) -> bool:
    """Whether something is to be added besides what is quoted: "'X' and the price"."""
    last = max((n for n, t in enumerate(tokens) if t.has("quote")), default=len(tokens))
    rest = tokens[last + 1 :]
    return any(t.has("and") for t in rest) and bool(
        content(tuple(t for t in rest if not t.has("and")))
    )


def _announced(after: Tokens) -> list[str]:
    """A quote after a colon, or after "reading" where words are what is added."""
    for n, token in enumerate(after[:-1]):
        spoken = token.has("into") and any(t.has("role") for t in after[:n])
        if (token.has("colon") or spoken) and after[n + 1].has("quote"):
            return quoted(after[n + 1 :])
    return []


def _after_role(tokens: Tokens) -> Tokens:
    at = max((n for n, t in enumerate(tokens) if t.has("role", "colon")), default=-1)
    return tokens[at + 1 :]


def _old_words(part: Chunk) -> Chunk:
    """A piece without the quotes after its first."""
    at = next((n for n, t in enumerate(part.tokens) if t.has("quote")), len(part.tokens))
    return replace(part, tokens=part.tokens[: at + 1])


def _file(after: Tokens) -> str:
    parts = [cut(content(part.tokens)) for part in chunks(after)]
    said = [text.split()[-1] for text in parts if text and text.lower().endswith(PICTURES)]
    return said[0] if said else ""


def _insertion(text: str, place: Spot, clause: Clause, told: Told) -> Insert:
    roles = [t.get("role") for t in clause.tokens if t.has("role")]
    kinds = [t.get("role") for t in _ahead(clause.after) if t.has("role")]
    label = any(role in ("label", "item") for role in roles)
    listed = "list" in roles or (label and place.side in ("below", "after"))
    if place.begins:
        where = Where(role="paragraph", text=place.begins)
        return Insert(where, text, side="after", what="sentence")
    if place.row or place.column:
        where = Where(role="cell", row=place.row, column=place.column)
        return Insert(where, text, side="inside")
    labelled = label and not listed
    if place.of and not place.between and place.side in ("after", "right", "inside", "of") and (
        clause.said.lower() in _FILLING or labelled
    ):  # fmt: skip
        return Insert(place.of, text, side="right")
    if listed and place.of:
        side: Side = "above" if place.side in ("before", "above") else "below"
        return Insert(place.of, text, side=side, what="line")
    named = next((role for role in kinds if role not in _NOT_WHAT), "")
    if named in _SPANS:
        what = "line" if place.side in _OUTSIDE else named if place.side else ""
    else:
        what = named
    return Insert(_anchor(place, told), text, side=_side(place), what=cast(Role, what))


def _ahead(after: Tokens) -> Tokens:
    """What stands before the new words: "a subtitle"."""
    at = next((n for n, t in enumerate(after) if t.has("quote")), 0)
    return tuple(t for t in after[:at]) if not any(t.has("side") for t in after[:at]) else ()


def _anchor(place: Spot, told: Told) -> Where:
    if place.of:
        return place.of
    if place.side and told.it:
        return told.it
    return Where(place=place.place, layer=place.unknown)


def _side(place: Spot) -> Side:
    if place.side in ("start", "end"):
        return "before" if place.side == "start" else "after"
    if place.unknown and not place.said:
        return "inside"
    return cast(Side, place.side or "at")


def _dressed(fresh: list[Chunk], worn: Tokens, op: Insert) -> tuple[Op, ...]:
    """The look of new words: "add a white title 'X' in bold"."""
    adjectives = tuple(t for part in fresh for t in part.tokens if _adjective(t))
    wanted = both(look(adjectives + worn), sized(worn))
    return (Restyle(Where(text=op.text), **wanted.fields),) if wanted.fields else ()


def _adjective(token: Token) -> bool:
    return token.has("colour", "shade", "look", "family") and not token.has(
        "quote", "filler", "guess", "unit"
    )
