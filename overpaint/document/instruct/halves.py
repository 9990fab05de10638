"""Halves: the left and the right of a page, and columns that no table has, as places.

'A' in the right column · 'A' on the left · 右栏的“甲” · 左边的“甲”

Where a sentence speaks of a table, its left column is the first and its right one the last.
"""

from overpaint.document.instruct.lexing import Token, Tokens, cut

_ENDS = {"left": "1", "right": "-1"}
_NOUNS = ("role", "attr", "article", "place")
_AHEAD = ("prep", "verb", "comma", "stop", "filler", "page", "then", "and", "all", "into")


def halved(tokens: Tokens, *, table: bool) -> Tokens:
    """The tokens of a clause with every such half as one token; `table`: a table is spoken of."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        taken, made = _half(tokens, at, table=table)
        found += made or tokens[at : at + 1]
        at += taken or 1
    return tuple(found)


def _half(tokens: Tokens, at: int, *, table: bool) -> tuple[int, Tokens]:
    """How many tokens are a half of the page, and what they are instead; 0: they are none."""
    token = tokens[at]
    if token.chinese:
        return (1, made) if (made := _chinese(tokens, at)) else (0, ())
    if taken := _column(tokens, at):
        return taken, _lane(tokens, at, taken, table=table)
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    ends = after is None or not after.has(*_NOUNS)  # also "on the left wall", a thing of the scene
    if not token.of("dir", *_ENDS) or any(t.of("verb", "align") for t in tokens[:at]):
        return 0, ()
    if any(t.of("side", *_ENDS) for t in tokens[at:]):
        return 0, ()  # "on the left and on the right of 'C'"
    if (ends and _on_the(tokens, at)) or _says_which(tokens, at):
        return 1, (_as((token,), place=token.get("dir")),)
    return 0, ()


def _says_which(tokens: Tokens, at: int) -> bool:
    """Whether "left" or "right" tells things apart: "the left title", "the right 'Monday'"."""
    before, after = tokens[at - 1 : at], tokens[at + 1 : at + 2]
    named = bool(after) and after[0].has("role", "quote") and not after[0].of("role", "column")
    return named and bool(before) and before[0].text.lower() == "the"


def _chinese(tokens: Tokens, at: int) -> Tokens:
    """The same of 左边, and of 左列 where the whole column is meant; none: it is neither."""
    token, after = tokens[at], tokens[at + 1 : at + 2]
    if token.text.endswith("列") and token.has("place") and not (after and after[0].has("post")):
        return (_as((token,), ord=_ENDS[token.get("place")]), _as((token,), role="column"))
    return (_as((token,), place=token.get("post")),) if _bare(tokens, at) else ()


def _column(tokens: Tokens, at: int) -> int:
    """How many tokens say "left column", "left-hand column", "column on the left"; 0: none do."""
    said = [token.text.lower() for token in tokens[at : at + 4]]
    if tokens[at].of("dir", *_ENDS):
        size = 3 if said[1:2] == ["hand"] else 2
        last = tokens[at + size - 1 : at + size]
        return size if last and last[0].of("role", "column") else 0
    on = tokens[at].of("role", "column") and said[1:3] in (["on", "the"], ["at", "the"])
    return 4 if on and tokens[at + 3 : at + 4] and tokens[at + 3].of("dir", *_ENDS) else 0


def _lane(tokens: Tokens, at: int, taken: int, *, table: bool) -> Tokens:
    """A column as a half of the page where words are in it, else as one of a table."""
    piece = tokens[at : at + taken]
    side = next(token.get("dir") for token in piece if token.has("dir"))
    to = piece[0].text.lower() == "to the " + side
    if table or not (to or _inside(tokens, at)):
        return (_as(piece, ord=_ENDS[side]), _as(piece[-1:], role="column"))
    place = _as(piece, place=side)
    return (_as(piece[:1], prep="to"), place) if to else (place,)


def _inside(tokens: Tokens, at: int) -> bool:
    """Whether "in the", "of the" or "from the" stands before."""
    before = [token for token in tokens[max(0, at - 2) : at] if not token.has("article")]
    return bool(before) and before[-1].of("prep", "in", "of", "from")


def _on_the(tokens: Tokens, at: int) -> bool:
    before = tokens[at - 1] if at else None
    if before is not None and before.has("article") and at > 1:
        before = tokens[at - 2]
    return before is not None and before.of("prep", "in")


def _bare(tokens: Tokens, at: int) -> bool:
    """Whether 左边 or 右侧 is of the page, and not of what is named before it."""
    if not tokens[at].of("post", *_ENDS) or tokens[at].text[:1] == "旁":
        return False
    before = tokens[at - 1] if at else None
    known = before is None or (before.has(*_AHEAD) and not before.has("quote"))
    goes = before is not None and (before.of("verb", "move", "put") or before.of("prep", "to"))
    return known and not goes


def _as(tokens: Tokens, **senses: str) -> Token:
    first, last = tokens[0], tokens[-1]
    return Token(cut(tokens), first.start, last.end, senses, first.source)
