"""Spots: what is said of a thing's place, and what a whole phrase points at."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

from overpaint.document.instruct.lexing import Tokens, cut
from overpaint.document.instruct.phrases import (
    LOOSE,
    Chunk,
    chunks,
    content,
    head,
    is_page,
    layer,
    role_of,
)
from overpaint.document.roles import PATTERNS
from overpaint.document.where import Place, Side, Where

_LANES = ("row", "column", "line")
_EDGE: dict[str, Side] = {"top": "above", "bottom": "below", "left": "left", "right": "right"}


# Of these a page has many, so that it matters what they are on.
_GENERIC = ("text", "line", "word", "sentence", "paragraph", "letter", "number", "shape", "picture")


@dataclass(frozen=True)
class Spot:
    """Where something is or goes: a side of something, a place of the page, a cell."""

    side: str = ""
    of: Where | None = None
    place: Place = ""
    row: str = ""
    column: str = ""
    begins: str = ""
    unknown: str = ""
    between: bool = False  # after `of`, and before something else
    clash: bool = False  # two places at once

    @property
    def said(self) -> bool:
        return bool(self.side or self.place or self.row or self.column or self.begins)


# ── what is said of a head ──────────────────────────────────────────────────────────────


def spot(parts: list[Chunk], *, table: bool = False) -> Spot:
    """Where something is or goes, from all the pieces that say so."""
    found = Spot()
    for n, part in enumerate(parts):
        after = parts[n + 1] if n + 1 < len(parts) else None
        found = _and_piece(found, part, after, table=table)
    return found


def _and_piece(found: Spot, part: Chunk, after: Chunk | None, *, table: bool) -> Spot:
    quoted = next((t.get("quote") for t in part.tokens if t.has("quote")), "")
    places = {t.get("place") for t in part.tokens if t.has("place")}
    place = next(iter(places), "")
    if (len(places) > 1 and not quoted) or any(t.has("clash") for t in part.tokens):
        return replace(found, clash=True)
    roles = {role_of(t, table=table) for t in part.tokens if t.has("role")}
    if part.how == "between":
        return (
            replace(found, side="after", of=Where(text=quoted), between=True) if quoted else found
        )
    if part.how == "begins" or any(t.of("prep", "begins") for t in part.tokens):
        return replace(found, begins=quoted or found.begins)
    if part.how == "side":
        return _beside(found, part, table=table)
    if roles & {"row", "column"} and part.how in ("", "in", "of", "where"):
        for piece in _lines(part.tokens):
            named = head(piece, table=table)
            found = replace(
                found,
                row=(named and named.row) or found.row,
                column=(named and named.column) or found.column,
            )
        return found
    bare = part.how == "" and not roles
    if place and not quoted and (bare or part.how in ("in", "to", "of")):
        other = after if after and after.how == "of" and not is_page(after.tokens) else None
        thing = _thing(other.tokens, table=table) if other else None
        if thing and place in ("top", "bottom") and thing == _half(thing.place):
            return replace(found, place=cast(Place, f"{place} {thing.place}"))
        if thing and place in _EDGE:
            return replace(found, side=_EDGE[place], of=thing)
        if thing:
            return replace(found, side="inside", of=thing)
        kept = found.place.endswith(f" {place}")  # "the top of the right column"
        return found if kept else replace(found, place=cast(Place, place))
    if (
        part.how in ("in", "of", "to")
        and not is_page(part.tokens)
        and not roles & {"table", "list", "cell"}
    ):
        return _inside(found, part, table=table)
    return found


def _half(place: Place) -> Where | None:
    """What a column at the left or the right of the page is, when something is on top of it."""
    return Where(role="text", place=place) if place in ("left", "right") else None


def _lines(tokens: Tokens) -> list[Tokens]:
    """A row and a column said together, apart: "row 2 column 3"."""
    marks = [n for n, t in enumerate(tokens) if t.of("role", "row", "column", "line")]
    if len(marks) < 2:
        return [tokens]
    joint = next((n for n, t in enumerate(tokens) if t.has("and")), -1)
    named = content(tuple(t for t in tokens[: marks[0]] if not t.of("role", "table", "cell")))
    at = joint if joint > 0 else marks[0] + 1 if named else marks[1]
    return [tokens[:at], tokens[at:]]


def _beside(found: Spot, part: Chunk, *, table: bool) -> Spot:
    if part.empty:
        return replace(found, side=part.side) if not found.said else found
    thing = _thing(part.tokens, table=table)
    if thing is None or (found.of is not None and found.side != "inside"):
        return found
    if part.side in ("left", "right") and is_page(part.tokens):
        return replace(found, place=cast(Place, part.side))
    return replace(found, side=part.side, of=thing)


def _thing(tokens: Tokens, *, table: bool) -> Where | None:
    """What something stands beside: words, a role, or a layer by its name."""
    found = head(tokens, table=table)
    quotes = any(t.has("quote") for t in tokens)
    sure = quotes or not (tokens[0].has("article") or (found and found.text[:1].islower()))
    if found and found.text and not sure:
        return layer(tokens)
    return found or layer(tokens)


def _inside(found: Spot, part: Chunk, *, table: bool) -> Spot:
    """ "in the second paragraph", "on the flag": inside something that has a name."""
    thing = _thing(part.tokens, table=table)
    if thing and not thing.layer and found.of is None and not found.side:
        field = any(t.of("role", "label", "item") for t in part.tokens) and thing.text
        return replace(found, side="right" if field else "inside", of=thing)
    unknown = layer(part.tokens)
    return replace(found, unknown=unknown.layer) if unknown and not found.said else found


# ── whole phrases ───────────────────────────────────────────────────────────────────────


def point(tokens: Tokens, *, table: bool = False) -> Where | None:
    """What a whole phrase points at; none where nobody could tell."""
    parts = chunks(tokens)
    chosen = _head_of(parts, table=table)
    if chosen is None:
        return None
    if table and (cell := _cell(parts, chosen)):
        return cell
    where = head(parts[chosen].tokens, table=table)
    if where and where.text and (_owned(parts, chosen) or _adds_more(parts[chosen].tokens)):
        return None
    if any(part.how == "including" for part in parts):
        return None
    others = [part for n, part in enumerate(parts) if n != chosen]
    found = spot(others, table=table)
    found = _as_cell(found) if table else found
    if found.between:
        return None
    lost = where and not where.text and found.side and found.of is None
    return _told(where, found) if where and not found.clash and not lost else None


def _cell(parts: list[Chunk], chosen: int) -> Where | None:
    """A cell told by its row and its column: "row 2 column 3", "the Price of 'Bananas'"."""
    tokens = parts[chosen].tokens
    found = spot([part for part in parts if part.how in ("", "in", "of")], table=True)
    bare = not any(t.has("quote") for t in tokens) or any(t.of("role", *_LANES) for t in tokens)
    if found.row and found.column and bare:
        return Where(role="cell", row=found.row, column=found.column)
    for part, after in pairwise(parts):
        lanes = any(t.of("role", *_LANES, "table") for t in after.tokens)
        if part.how or after.how != "of" or lanes or parts[chosen] not in (part, after):
            continue
        named, column = head(after.tokens, table=True), _heading(part.tokens)
        if named and named.text and (column or _value(part.tokens)):
            return Where(role="cell", row=named.text, column=column)
    return None


def _value(tokens: Tokens) -> bool:
    """Whether words only say that what stands in a row is meant: "the value of 'Total'"."""
    said = content(tokens)
    return bool(said) and all(t.of("role", "number") for t in said)


def _heading(tokens: Tokens) -> str:
    """The head of a column that words can be: the Price, 'Price'; "the value" is none."""
    said = tuple(
        t for t in content(tokens) if not t.of("role", "text", "number", "word", "label", "item")
    )
    if any(t.of("role", *_LANES, "cell", "table") or t.has("ord", "all", "place") for t in said):
        return ""
    words = (said[0].get("quote") or cut(said)) if said else ""
    return "" if any(sign.isdigit() for sign in words) else words  # “9:00” stands in a cell


def _adds_more(tokens: Tokens) -> bool:
    """Whether something without a name is meant besides what is quoted: "'50%' and its icon"."""
    last = max((n for n, t in enumerate(tokens) if t.has("quote")), default=len(tokens))
    joined = next((n for n in range(last + 1, len(tokens)) if tokens[n].has("and")), len(tokens))
    return any(not t.senses for t in tokens[joined:])


def _owned(parts: list[Chunk], chosen: int) -> bool:
    """Whether plain words are somebody's ("the author's name"), and so not words of the page."""
    tokens = parts[chosen].tokens
    quotes = any(t.has("quote") for t in tokens)
    english = not tokens[-1].chinese
    return english and not quotes and any(part.how == "of" for part in parts[:chosen])


def _as_cell(found: Spot) -> Spot:
    """In a table, what is beside words is in their row, what is under them in their column."""
    name = found.of.text if found.of else ""
    if not name or found.row or found.column:
        return found
    if found.side in ("right", "left", "inside", "after"):
        return replace(found, row=name, side="", of=None)
    return replace(found, column=name, side="", of=None) if found.side == "below" else found


def _head_of(parts: list[Chunk], *, table: bool) -> int | None:
    """Which piece is the head: the one without a preposition, or the quote it is a word for."""
    bare = [n for n, part in enumerate(parts) if part.how == "" and not part.empty]
    named = [n for n in bare if not is_page(parts[n].tokens)]
    unknown = any(part.how in ("of", "in") and not is_page(part.tokens) for part in parts)
    bare = named or ([] if unknown else bare)
    chosen = (bare[-1] if _chinese_order(parts) else bare[0]) if bare else None
    where = head(parts[chosen].tokens, table=table) if chosen is not None else None
    for n, part in enumerate(parts):
        quotes = any(t.has("quote") for t in part.tokens)
        if part.how not in ("of", "in", "as") or not (quotes or chosen is None):
            continue
        found = head(part.tokens, table=table)
        if _names_owner(where, part, found):
            continue
        if found and _loose(where) and (found.text or chosen is None) and not found.row:
            return n
    return chosen


def _names_owner(where: Where | None, part: Chunk, of: Where | None) -> bool:
    """Whether a quote says whose price or date it is: "the price of 'Coffee'", not "of '$4'"."""
    return part.how in ("of", "in") and where is not None and of is not None and _owner(where, of)


def _owner(where: Where, of: Where) -> bool:
    pattern = PATTERNS.get(where.role) if not where.nth else None
    return pattern is not None and bool(of.text) and not pattern.search(of.text)


def _loose(where: Where | None) -> bool:
    """Whether a head is only a word for what follows it: "the text of 'X'"."""
    if where is None or where.nth:
        return where is None
    return not (where.text or where.layer or where.row or where.column) and where.role in (
        *LOOSE,
        "cell",
    )


def _chinese_order(parts: list[Chunk]) -> bool:
    return any(part.tokens and part.tokens[-1].chinese for part in parts) and any(
        part.how in ("of", "in", "side") for part in parts[:-1]
    )


def _told(where: Where, found: Spot) -> Where:
    """A place with what else was said of it."""
    if found.begins:
        return Where(role="paragraph", text=found.begins)
    if found.row or found.column:
        role = "cell" if where.role in LOOSE else where.role or "cell"
        return replace(
            where, row=found.row or where.row, column=found.column or where.column, role=role
        )
    if found.of is not None and where.of is None and not (where.text and _tells_nothing(found.of)):
        ends = {"start": 1, "end": -1}.get(found.side, 0)
        side = "inside" if ends else found.side
        beside = _owner(where, found.of) and not found.of.role  # what has a role has words in it
        if side == "inside" and beside and not ends:
            side = "right"
        where = replace(where, side=cast(Side, side), of=found.of, nth=where.nth or ends)
    if found.place and not where.place:
        where = replace(where, place=found.place)
    if found.unknown and where.role in _GENERIC and not where.text and where.of is None:
        where = replace(where, side="inside", of=Where(layer=found.unknown))
    return where


def _tells_nothing(of: Where) -> bool:
    """Whether quoted words are not better found by what they are on."""
    return (
        bool(of.layer) or of == Where(role="text") or of.role in ("shape", "picture", "background")
    )
