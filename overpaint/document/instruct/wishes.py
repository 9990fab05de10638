"""Wishes: what only asks that things stay as they are, folded into one token that is left out.

font and colour unchanged · the font should stay the same · same style · 字体和颜色不变
"""

from overpaint.document.instruct.lexing import Token, Tokens, cut

_BEFORE = ("comma", "stop", "and", "then", "except", "colon", "quote", "wish")
_AFTER = ("comma", "stop", "and", "then", "except", "close", "filler", "wish", "prep")
_STAYING = frozenset({
    "unchanged", "consistent", "intact", "untouched", "remain", "remains", "stay", "stays",
    "不变", "保持", "保留", "不要", "别动", "不动", "不改变", "一致", "相同", "一样", "照旧",
    "保持不变", "保持一致", "不受影响", "不要动", "不要变", "与原来相同", "与原来一致",
    "和原来一样", "和原来相同", "与原图一致", "与原文一致", "与原来一样", "和原来一致",
})  # fmt: skip


def folded(tokens: Tokens) -> Tokens:
    """The tokens with every such wish as one."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        end = _wished(tokens, at)
        if end:
            first, said = tokens[at], cut(tokens[at:end])
            wish = Token(said, first.start, tokens[end - 1].end, {"wish": "wish"}, first.source)
            found.append(wish)
        else:
            found.append(tokens[at])
        at = end or at + 1
    return tuple(found)


def _wished(tokens: Tokens, at: int) -> int:
    """Where a wish ends that begins here; 0: none does."""
    if at and not tokens[at - 1].has(*_BEFORE):
        return 0
    start = at + tokens[at].of("prep", "with")
    return _unchanged(tokens, start) or _as_before(tokens, start)


def _unchanged(tokens: Tokens, at: int) -> int:
    """ "font and colour unchanged", "the font should be the same"."""
    end = at
    while end < len(tokens) and _listed(tokens[end]):
        end += 1
    named = any(token.has("attr", "kept", "role") for token in tokens[at:end])
    said = end
    while said < len(tokens) and _links(tokens[said]):
        said += 1
    same = said > end and said < len(tokens) and tokens[said].text.lower() == "same"
    while said < len(tokens) and (_stays(tokens[said]) or (same and tokens[said].has("same"))):
        same, said = same or _stays(tokens[said]), said + 1
    return said if named and same else 0


def _listed(token: Token) -> bool:
    """Whether a word can stand in a list of what stays."""
    if token.has("verb") and not token.has("attr"):
        return False
    return token.has("attr", "kept", "role", "and", "comma", "article", "it") or token.of(
        "post", "of"
    )


def _links(token: Token) -> bool:
    """Whether a word stands between a thing and that it stays: "should be the same"."""
    return token.has("says", "article") or token.of("into", "should")


def _stays(token: Token) -> bool:
    return token.text.lower() in _STAYING


def _as_before(tokens: Tokens, at: int) -> int:
    """ "same font, size and colour"; none where it says the same as what."""
    start = at
    while start < len(tokens) and tokens[start].has("article", "it"):
        start += 1
    if start >= len(tokens) or tokens[start].text.lower() not in ("same", "original"):
        return 0
    end = start + 1
    while end < len(tokens) and tokens[end].has("attr", "kept", "and", "comma", "article", "it"):
        end += 1
    while end > start and not tokens[end - 1].has("attr", "kept"):
        end -= 1
    after = tokens[end] if end < len(tokens) else None
    if after and (after.of("prep", "as") or not after.has(*_AFTER)):
        return 0
    return end if end > start + 1 else 0
