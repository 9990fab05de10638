"""Spots: what is said of a thing's place, and what a whole phrase points at."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from overpaint.document.instruct.lexing import Token, Tokens
from overpaint.document.instruct.phrases import LOOSE, Chunk, chunks, head, is_page, layer, role_of
from overpaint.document.where import Place, Side, Where

_EDGE: dict[str, Side] = {"top": "above", "bottom": "below", "left": "left", "right": "right"}


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
    place = next((t.get("place") for t in part.tokens if t.has("place")), "")
    roles = {role_of(t, table=table) for t in part.tokens if t.has("role")}
    if part.how == "begins" or any(t.of("prep", "begins") for t in part.tokens):
        return replace(found, begins=quoted or found.begins)
    if part.how == "side":
        return _beside(found, part, table=table)
    for name in ("row", "column"):
        if name in roles and part.how in ("in", "of", "where"):
            named = head(part.tokens, table=table)
            if named and getattr(named, name):
                return replace(found, **{name: getattr(named, name)})
    if place and not quoted and part.how in ("in", "to", "of"):
        other = after if after and after.how == "of" and not is_page(after.tokens) else None
        thing = head(other.tokens, table=table) or layer(other.tokens) if other else None
        if thing and place in _EDGE:
            return replace(found, side=_EDGE[place], of=thing)
        return replace(found, place=cast(Place, place))
    if (
        part.how in ("in", "of")
        and not is_page(part.tokens)
        and not roles & {"table", "list", "cell"}
    ):
        return _inside(found, part, table=table)
    return found


def _beside(found: Spot, part: Chunk, *, table: bool) -> Spot:
    if part.empty:
        return replace(found, side=part.side) if not found.said else found
    thing = head(part.tokens, table=table) or layer(part.tokens)
    if thing is None or found.of is not None:
        return found
    return replace(found, side=part.side, of=thing)


def _inside(found: Spot, part: Chunk, *, table: bool) -> Spot:
    """ "in the second paragraph", "on the flag": inside something that has a name."""
    thing = head(part.tokens, table=table)
    if thing and found.of is None and not found.side:
        return replace(found, side="inside", of=thing)
    unknown = layer(part.tokens)
    return replace(found, unknown=unknown.layer) if unknown and not found.said else found


# ── whole phrases ───────────────────────────────────────────────────────────────────────


def point(tokens: Tokens, *, table: bool = False) -> Where | None:
    """What a whole phrase points at; none where nobody could tell."""
    parts = chunks(tokens)
    heads = [n for n, part in enumerate(parts) if part.how == "" and not part.empty]
    heads = [n for n in heads if not is_page(parts[n].tokens)] or heads
    chosen = heads[-1] if heads and _chinese_order(parts) else heads[0] if heads else -1
    where = head(parts[chosen].tokens, table=table) if heads else None
    if where is None or not (where.text or where.row or where.column or where.layer):
        for n, part in enumerate(parts):
            loose = where is None or where.role in LOOSE or where.role == ""
            if (
                part.how in ("of", "in", "as")
                and loose
                and any(t.has("quote") for t in part.tokens)
            ):
                found = head(part.tokens, table=table)
                if found and (found.text and not found.role):
                    where, chosen = found, n
                    break
    if where is None:
        return None
    others = [part for n, part in enumerate(parts) if n != chosen]
    return _told(where, spot(others, table=table))


def _chinese_order(parts: list[Chunk]) -> bool:
    return any(part.tokens and part.tokens[-1].text[:1] >= "⺀" for part in parts) and any(
        part.how in ("of", "in", "side") for part in parts[:-1]
    )


def _told(where: Where, found: Spot) -> Where:
    """A place with what else was said of it."""
    if found.begins:
        return Where(role="paragraph", text=found.begins)
    if found.row or found.column:
        role = where.role or "cell"
        return replace(
            where, row=found.row or where.row, column=found.column or where.column, role=role
        )
    if found.of is not None and where.of is None:
        side = "after" if found.side == "end" else found.side
        where = replace(where, side=cast(Side, side), of=found.of)
    if found.place and not where.place:
        where = replace(where, place=found.place)
    if found.unknown and not where.text and where.of is None:
        where = replace(where, side="inside", of=Where(layer=found.unknown))
    return where


def targets(tokens: Tokens, *, table: bool = False) -> Iterator[Where | None]:
    """What a phrase points at, one by one where "and" joins several."""
    parts = _at_ands(tokens)
    last = point(parts[-1], table=table) if parts else None
    for part in parts:
        where = point(part, table=table) if part is not parts[-1] else last
        if where and last and last.of and not where.of and where.text:
            where = replace(where, side=last.side, of=last.of)
        yield where


def _at_ands(tokens: Tokens) -> list[Tokens]:
    """A phrase cut at its ands, where something nameable stands on both sides of them."""
    found: list[Tokens] = []
    held: list[Token] = []
    for n, token in enumerate(tokens):
        joins = token.has("and") or (
            token.has("comma") and any(t.has("quote") for t in tokens[n + 1 : n + 3])
        )
        if joins and _names(tuple(held)) and _names(tokens[n + 1 :]) and not _inside_side(held):
            found.append(tuple(held))
            held = []
        else:
            held.append(token)
    return [*found, tuple(held)]


def _names(tokens: Tokens) -> bool:
    return any(t.has("quote", "role", "page") for t in tokens)


def _inside_side(held: list[Token]) -> bool:
    """Whether an "and" joins two anchors rather than two targets: "below 'A' and 'B'"."""
    return any(t.has("side") or t.of("prep", "between", "of") for t in held)
