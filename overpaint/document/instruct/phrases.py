"""Phrases: what a noun phrase points at: its head, and the pieces that say where that is.

"the word 'sale' in the second line": English puts such a piece after a preposition, Chinese before
a postposition or 的.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from overpaint.document.instruct.lexing import Token, Tokens, cut
from overpaint.document.where import Place, Role, Where

MOST_PLAIN = 12  # words without quotes that may be words of the page

# Said of quoted words these roles add nothing that helps to find them.
LOOSE = frozenset({
    "text", "word", "sentence", "line", "letter", "number", "label", "item", "list", "section",
    "paragraph", "slogan", "date", "time", "price", "phone", "address", "email", "logo", "table",
    "picture", "shape",
})  # fmt: skip


@dataclass(frozen=True)
class Chunk:
    """A piece of a phrase: how it is joined to the rest ("" the head), a side, and its words."""

    how: str
    side: str
    tokens: Tokens

    @property
    def empty(self) -> bool:
        return all(token.has("it", "and") for token in content(self.tokens))


def content(tokens: Tokens) -> Tokens:
    """The tokens that say something by themselves."""
    idle = ("article", "filler", "comma", "stop", "close", "open", "colon", "then")
    return tuple(t for t in tokens if not t.has(*idle) or t.has("quote", "role", "place", "colour"))


def chunks(tokens: Tokens) -> list[Chunk]:
    """A phrase in pieces, in the order they are said."""
    found: list[Chunk] = []
    how, side = "", ""
    held: list[Token] = []
    for n, token in enumerate(tokens):
        if token.of("prep", "begins") and token.chinese:
            found.append(Chunk("begins", "", tuple(held)))
            how, side, held = "", "", []
        elif token.has("place") and token.chinese:
            found.append(Chunk("in", "", (*held, token)))
            how, side, held = "", "", []
        elif token.has("post"):
            value = token.get("post")
            if value == "in" and sum(t.has("quote") for t in held) > 1:
                value = "between"
            said = value in ("in", "of", "between")
            if not held and not said and found and found[-1].how == "of":
                held = list(found.pop().tokens)
            found.append(Chunk(value if said else "side", "" if said else value, tuple(held)))
            how, side, held = "", "", []
        elif token.has("prep", "side", "open", "close", "comma"):
            first = tokens[n - len(held) - 1].text if n > len(held) else ""
            ahead = token.has("comma") and first == "在"  # 在“甲”那一行，
            found.append(Chunk("in" if ahead else how, side, tuple(held)))
            side = token.get("side")
            how, held = "side" if side else _how(token), []
        else:
            held.append(token)
    found.append(Chunk(how, side, tuple(held)))
    return list(_joined([c for c in found if c.tokens or c.how in ("side", "begins")]))


def _joined(parts: list[Chunk]) -> Iterator[Chunk]:
    """With "the text" and "of 'X'", or "the text" and "about the date", as one piece."""
    held: Chunk | None = None
    for part in parts:
        if held and part.how == "of" and _stands_for(held, part):
            held = replace(held, tokens=held.tokens + part.tokens)
            continue
        if held:
            yield held
        held = part
    if held:
        yield held


def _stands_for(held: Chunk, part: Chunk) -> bool:
    """Whether a piece is only a word for the one after it."""
    idle = ("text", "word", "section", "line", "number")
    empty = all(t.has("attr") or t.of("role", *idle) for t in content(held.tokens))
    chinese = any(t.chinese or t.has("ord") for t in held.tokens)
    names = any(t.has("quote", "number") or _specific(t) for t in part.tokens)
    return bool(held.tokens) and empty and names and not chinese


def _specific(token: Token) -> bool:
    return token.has("role") and not token.of("role", "row", "column", "cell", "table", "section")


def _how(token: Token) -> str:
    if token.has("open"):
        return "of"
    said = token.get("prep")
    return "" if said in ("ba", "where", "") else "in" if said in ("from", "for") else said


# ── heads ───────────────────────────────────────────────────────────────────────────────


def head(tokens: Tokens, *, table: bool = False) -> Where | None:
    """What a piece without prepositions points at; none where nobody could tell."""
    tokens = tuple(t for t in tokens if not t.has("it") or t.has("role"))
    said = content(tokens)
    while said and said[-1].has("and"):
        said = said[:-1]
    if any(t.has("clash") for t in said):
        return None
    quoted = next((t for t in said if t.has("quote")), None)
    roles = [t for t in said if t.has("role")]
    telling = [t for t in roles if t.get("role") in _SINGLE] or roles  # "the title line"
    role = role_of(telling[-1] if telling else None, table=table)
    every = any(t.has("all") for t in said)
    nth = next((int(t.get("ord")) for t in tokens if t.has("ord")), 0)
    if any(t.has("layer") for t in said):
        name = (
            quoted.get("quote")
            if quoted
            else cut(tuple(t for t in said if not t.has("layer", "all")))
        )
        return Where(layer=name) if name else None
    place = cast(Place, next((t.get("place") for t in said if t.has("place")), ""))
    if quoted:
        every = any(t.of("all", "all") for t in said)
        found = _quoted(quoted.get("quote"), tokens, role=role, nth=nth, every=every)
        if quoted.has("whole"):
            found = replace(found, role=cast(Role, quoted.get("whole")))
        return replace(found, place=place) if place in ("left", "right") else found
    if role == "item":
        return None  # it is told by its words, and none are quoted
    if role:
        tokens = tokens[: tokens.index(said[-1]) + 1]
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


# After these may stand the very words, also without quotes and capitals: the word flower.
_NAMING = ("word", "letter", "number", "text", "sentence", "price", "date", "time", "label")


# Of these a page mostly has one, so that it does not matter what else is said of it.
_SINGLE = ("title", "subtitle", "logo", "slogan", "date", "price", "phone", "footer", "header")


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
        return Where(role="row", row=named) if role == "row" else Where(role="column", column=named)
    if role in ("section", "table", "list") and not behind:
        return None if role == "section" else replace(where, role=cast(Role, role))
    if behind and not (text := plain(behind)):
        return None
    if behind and (role in _NAMING or not text[:1].islower()):
        return Where(text=text)
    if behind:
        return None
    only_one = role in _SINGLE and not where.every and not any(t.has("and") for t in ahead)
    if not only_one and (_strange(ahead) or any(t.has("colour") for t in ahead)):
        return None
    return replace(where, role=cast(Role, role))


_KNOWN = (
    "place", "ord", "all", "role", "attr", "page", "number", "it", "and", "says", "quote", "grow",
    "much", "dir", "unit", "prep", "then", "verb", "into",
)  # fmt: skip


def _strange(tokens: Tokens) -> bool:
    """Whether there are words that no table knows."""
    return any(not t.has(*_KNOWN) for t in content(tokens))


def plain(tokens: Tokens) -> str:
    """Words without quotes that can only be words of the page; empty where they may be more."""
    bare = tuple(tokens)
    while bare and _idle_before(bare[0]):
        bare = bare[1:]
    definite = bool(bare) and bare[0].has("article")
    bare = bare[1:] if definite else bare
    while bare and bare[-1].has("comma", "stop", "colon", "article", "then"):
        bare = bare[:-1]
    if (
        not bare
        or len(bare) > MOST_PLAIN
        or any(t.has("vague", "it", "quote", "tongue") for t in bare)
    ):
        return ""
    if definite and not (bare[0].has("number") or bare[0].text[:1].isupper()):
        return ""
    known = ("role", "page", "attr", "place", "all", "verb")
    if all(t.has(*known) or t.has("filler") for t in bare) and not bare[0].text[:1].isupper():
        return ""
    return cut(bare)


def _idle_before(token: Token) -> bool:
    """Whether a word before plain words is none of them; "New" in "New Arrivals" is."""
    if token.has("filler") and token.text[:1].isupper() and token.start:
        return False
    return token.has("comma", "colon", "filler", "prep") and not token.has("number")


def is_page(tokens: Tokens) -> bool:
    """Whether words only name the picture that is edited."""
    said = content(tokens)
    if said and said[-1].text.lower() in ("page", "document", "poster", "slide", "cover", "card"):
        return not any(t.has("quote", "role") for t in said)
    return all(_is_page_word(t) for t in said)


def of_page(tokens: Tokens) -> Where | None:
    """What words mean that only name what is edited: "the photo" a picture, all else all text."""
    said = content(tokens)
    if len(said) == 1 and said[0].text.lower() in ("photo", "picture", "image"):
        return Where(role="picture")
    return Where(role="text", every=True) if is_page(tokens) else None


def _is_page_word(token: Token) -> bool:
    if token.has("role"):
        return token.of("role", "section")
    return token.has("page", "it", "all", "attr")


def layer(tokens: Tokens) -> Where | None:
    """A thing that no table knows, by the name a layer may have."""
    bare = list(tokens)
    while bare and bare[0].has("article", "filler", "prep", "comma", "all"):
        bare = bare[1:]
    while bare and bare[-1].has("comma", "stop", "close", "then", "article", "and"):
        bare = bare[:-1]
    if (
        not any(t.text[:1].isalnum() for t in bare)
        or any(t.has("quote", "it") for t in bare)
        or len(bare) > MOST_PLAIN
    ):
        return None
    return Where(layer=cut(tuple(bare)))
