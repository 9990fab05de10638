"""Phrases: what a noun phrase points at. "the word 'sale' in the second line" is a head, and what is
said of it: English puts that after a preposition, Chinese before a postposition or 的."""

from dataclasses import dataclass, replace
from typing import cast

from overpaint.document.instruct.lexing import Token, Tokens, cut
from overpaint.document.where import Place, Role, Where

MOST_PLAIN = 12  # words without quotes that may be words of the page

# Said of quoted words these roles add nothing that helps to find them.
LOOSE = frozenset(
    "text word sentence line letter number label list section paragraph slogan".split()
)
LOOSE |= frozenset("date time price phone address email logo table picture shape".split())


@dataclass(frozen=True)
class Chunk:
    """A piece of a phrase: how it is joined to the rest ("" the head), a side, and its words."""

    how: str
    side: str
    tokens: Tokens

    @property
    def empty(self) -> bool:
        return not content(self.tokens)


def content(tokens: Tokens) -> Tokens:
    """The tokens that say something by themselves."""
    idle = ("article", "filler", "comma", "stop", "close", "open", "colon", "then")
    return tuple(t for t in tokens if not t.has(*idle) or t.has("quote", "role", "place", "colour"))


def chunks(tokens: Tokens) -> list[Chunk]:
    """A phrase in pieces, in the order they are said."""
    found: list[Chunk] = []
    how, side, held = "", "", []
    for token in tokens:
        if token.of("prep", "begins") and token.text[:1] >= "⺀":
            found.append(Chunk("begins", "", tuple(held)))
            how, side, held = "", "", []
        elif token.has("post"):
            value = token.get("post")
            said = value in ("in", "of")
            found.append(Chunk(value if said else "side", "" if said else value, tuple(held)))
            how, side, held = "", "", []
        elif token.has("prep", "side", "open", "comma") and not (token.has("quote")):
            found.append(Chunk(how, side, tuple(held)))
            side = token.get("side")
            how, held = "side" if side else _how(token), []
        else:
            held.append(token)
    found.append(Chunk(how, side, tuple(held)))
    return [chunk for chunk in found if chunk.tokens or chunk.how in ("side", "begins")]


def _how(token: Token) -> str:
    if token.has("open"):
        return "of"
    said = token.get("prep")
    return "" if said in ("ba", "") else "in" if said in ("from", "for") else said


# ── heads ───────────────────────────────────────────────────────────────────────────────


def head(tokens: Tokens, *, table: bool = False) -> Where | None:
    """What a piece without prepositions points at; none where nobody could tell."""
    said = content(tokens)
    quoted = next((t for t in said if t.has("quote")), None)
    roles = [t for t in said if t.has("role")]
    role = role_of(roles[-1] if roles else None, table=table)
    every = any(t.has("all") for t in said)
    nth = next((int(t.get("ord")) for t in tokens if t.has("ord")), 0)
    if any(t.has("layer") for t in said):
        name = (
            quoted.get("quote")
            if quoted
            else cut(tuple(t for t in said if not t.has("layer", "all")))
        )
        return Where(layer=name) if name else None
    if quoted:
        return _quoted(quoted.get("quote"), tokens, role=role, nth=nth, every=every)
    place = cast(Place, next((t.get("place") for t in said if t.has("place")), ""))
    if role:
        return _of_role(tokens, role, Where(nth=nth, every=every and not nth, place=place))
    if text := plain(tokens):
        return Where(text=text, every=every)
    if said and all(t.has("page") for t in said):
        return Where(role="picture")
    return Where(nth=nth, place=place, role="text") if place and not _strange(tokens) else None


def _quoted(text: str, tokens: Tokens, *, role: str, nth: int, every: bool) -> Where:
    if role == "row":
        return Where(role="row", row=text)
    if role == "column":
        return Where(role="column", column=text)
    kept = "" if role in LOOSE else role
    # "the last entry 'X'" names what it quotes; "the second 'X'" counts.
    counted = nth if not any(t.has("role") for t in tokens) else 0
    return Where(text=text, role=cast(Role, kept), nth=counted, every=every and not counted)


def role_of(token: Token | None, *, table: bool) -> str:
    role = token.get("role") if token else ""
    return "row" if role == "line" and table else role


def _of_role(tokens: Tokens, role: str, where: Where) -> Where | None:
    """A role with or without a number or plain words after it: "the word flower", "row 3"."""
    at = max(n for n, t in enumerate(tokens) if t.has("role"))
    ahead, behind = tokens[:at], content(tokens[at + 1 :])
    number = next((t.get("number") for t in behind if t.has("number")), "")
    if role in ("row", "column"):
        named = number or (str(where.nth) if where.nth else "") or cut(behind)
        named = named or cut(tuple(t for t in content(ahead) if not t.has("all", "role", "ord")))
        return Where(role=cast(Role, role), **{role: named})
    if role in ("section", "table", "list") and not behind:
        return None if role == "section" else replace(where, role=cast(Role, role))
    if behind and not (text := plain(behind)):
        return None
    if behind:
        return Where(text=text, every=where.every)
    if _strange(ahead) or any(t.has("colour") for t in ahead):
        return None
    return replace(where, role=cast(Role, role))


def _strange(tokens: Tokens) -> bool:
    """Whether there are words that no table knows."""
    known = ("place", "ord", "all", "role", "attr", "page", "number", "it", "and", "says", "quote")
    known += ("grow", "much", "dir", "unit", "prep", "then", "verb", "into")
    return any(not t.has(*known) for t in content(tokens))


def plain(tokens: Tokens) -> str:
    """Words without quotes that can only be words of the page; empty where they may be more."""
    bare = tuple(tokens)
    while bare and bare[0].has("comma", "colon", "filler", "prep") and not bare[0].has("number"):
        bare = bare[1:]
    definite = bool(bare) and bare[0].has("article")
    bare = bare[1:] if definite else bare
    while bare and bare[-1].has("comma", "stop", "colon", "article", "then"):
        bare = bare[:-1]
    if not bare or len(bare) > MOST_PLAIN or any(t.has("vague", "it", "quote") for t in bare):
        return ""
    if definite and not (bare[0].has("number") or bare[0].text[:1].isupper()):
        return ""
    known = ("role", "page", "attr", "place", "all", "verb")
    if all(t.has(*known) or t.has("filler") for t in bare) and not bare[0].text[:1].isupper():
        return ""
    return cut(bare)


def is_page(tokens: Tokens) -> bool:
    """Whether words only name the picture that is edited."""
    said = content(tokens)
    return all(t.has("page", "it", "all", "attr") or t.of("role", "section") for t in said)


def layer(tokens: Tokens) -> Where | None:
    """A thing that no table knows, by the name a layer may have."""
    bare = list(tokens)
    while bare and bare[0].has("article", "filler", "prep", "comma", "all"):
        bare = bare[1:]
    while bare and bare[-1].has("comma", "stop", "close", "filler", "then", "article", "and"):
        bare = bare[:-1]
    if not bare or any(t.has("quote", "it") for t in bare) or len(bare) > MOST_PLAIN:
        return None
    return Where(layer=cut(tuple(bare)))
