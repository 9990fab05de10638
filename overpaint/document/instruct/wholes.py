"""Wholes: a line, a paragraph or a sentence that is told by some of its words.

the line containing 'A' · the 'A' line · the line that starts with 'A' · “甲”那一行 · 含有“甲”的一行

"the line 'A'" is no more than its words, and of a table "“甲”一行" is a row.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from overpaint.document.instruct.lexing import Token, Tokens, cut
from overpaint.document.instruct.refusal import refuse

_WHOLE = ("line", "paragraph", "sentence")
_SAID = r"(?: the)?(?: (?:words?|text|phrase|letters?|name|number))?"
_HAVING = re.compile(
    r"(?:(?:that|which) )?(?:contain(?:s|ing)?|has|have|having|includ(?:es|ing)|mention(?:s|ing)"
    r"|(?:start|begin|open|end)(?:s|ing)? with|beginning with)" + _SAID
)
_WITH = re.compile("with" + _SAID)
LABEL = 6  # letters that begin a line; more of them are the line, which may run over two
_IN_IT = re.compile(r" in (?:it|them)\b", re.IGNORECASE)
_OWNED = re.compile("(?:所在|所处|开头|打头|起头|开始|结尾)?的?(?:那|这)?")
_CONTAINS = re.compile("(?:包含了?|含有|含|带有|带|写有|写着|有|以)$")


def whole(tokens: Tokens, *, table: bool) -> Tokens:
    """The tokens of a clause with every such whole as one quote that tells what it is a part of."""
    if any(token.of("verb", "add", "put") for token in tokens):
        return tokens  # what is written beside a label goes beside the label
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        taken, dropped = _whole(tokens, at, table=table)
        if taken:
            found = found[: len(found) - dropped]
            found.append(_as(tokens[at : at + taken]))
        else:
            found.append(tokens[at])
        at += taken or 1
    return tuple(_listed(found))


def _listed(tokens: list[Token]) -> Iterator[Token]:
    """With "the lines containing 'A' and 'B'" as the one line and the other."""
    for n, token in enumerate(tokens):
        joined = tokens[n + 1 : n + 3]
        if _many(token) and _lists(joined):
            yield replace(token, senses={**token.senses, "all": "many"})
        elif token.has("whole") and _lists(joined):
            why = f"whether “{joined[1].get('quote')}” is in that {token.get('whole')} is not clear"
            raise refuse(cut(tuple(tokens)), "delete", why=why)
        elif n > 1 and _many(tokens[n - 2]) and _lists(tokens[n - 1 : n + 1]):
            yield replace(token, senses={**token.senses, "whole": tokens[n - 2].get("whole")})
        else:
            yield token


def _many(token: Token) -> bool:
    return token.has("whole") and token.has("all")


def _lists(joined: list[Token]) -> bool:
    return len(joined) == 2 and joined[0].has("and") and set(joined[1].senses) == {"quote"}


def _whole(tokens: Tokens, at: int, *, table: bool) -> tuple[int, int]:
    """How many tokens are such a whole, and how many before it are a part of it; 0: none are."""
    if _names(tokens[at], table=table):
        end = next((n for n in range(at + 1, min(len(tokens), at + 6)) if _ends(tokens[n])), 0)
        if not end or not tokens[end].has("quote") or not _has(tokens, at, end):
            return 0, 0
        return end + 1 - at + (2 if _IN_IT.match(tokens[end].source, tokens[end].end) else 0), 0
    if not tokens[at].has("quote") or not tokens[at].source:
        return 0, 0
    end = next((n for n in range(at + 1, min(len(tokens), at + 5)) if _ends(tokens[n])), 0)
    if not end or not _names(tokens[end], table=table):
        return 0, 0
    before = _before(tokens, at)
    owned = _owned(tokens[at], tokens[end], names=before == 0)
    return (end + 1 - at, before) if owned else (0, 0)


def _names(token: Token, *, table: bool) -> bool:
    own = token.of("role", *_WHOLE) and not token.has("quote")
    return own and not (table and token.of("role", "line"))


def _ends(token: Token) -> bool:
    return token.has("quote", "comma", "stop", "and") or token.of("role", *_WHOLE)


def _has(tokens: Tokens, at: int, end: int) -> bool:
    """Whether "containing", "that starts with" or "with" stands between a line and a quote."""
    said = " ".join(tokens[at].source[tokens[at].end : tokens[end].start].lower().split())
    if _HAVING.fullmatch(said):
        return True
    return bool(_WITH.fullmatch(said)) and not _given(tokens, at, end)


def _given(tokens: Tokens, at: int, end: int) -> bool:
    """Whether "with" brings new words: "replace the line with 'A'", and no others after that."""
    verb = next((t for t in reversed(tokens[:at]) if t.has("verb")), None)
    if verb is None:
        return False
    takes = verb.of("verb", "change", "translate") and verb.text != "make"
    if verb.of("verb", "swap"):
        return not any(t.has("and") for t in tokens)
    more = any(
        t.of("prep", "with", "to", "by") and any(x.has("quote") for x in tokens[n + 1 :])
        for n, t in enumerate(tokens)
        if n > end
    )
    return takes and not more


def _owned(quote: Token, role: Token, *, names: bool) -> bool:
    """Whether a quote is in the line that follows it; “甲”这句话 names the whole sentence."""
    said = quote.source[quote.end : role.start].strip()
    if names and not said:
        short = len(quote.get("quote")) <= LABEL or role.text[:1] in "那整"
        return role.of("role", "line") and short
    return role.text[:1] >= "⺀" and bool(_OWNED.fullmatch(said))


def _before(tokens: Tokens, at: int) -> int:
    """How many tokens before a quote say 包含, 含有 or 以."""
    start = tokens[at].start
    found = _CONTAINS.search(tokens[at].source[max(0, start - 4) : start])
    first = start - len(found[0]) if found else start
    return sum(first <= token.start < start for token in tokens[:at])


def _as(tokens: Tokens) -> Token:
    """One quote for all of it; every one where there are several: "the lines containing 'A'"."""
    quote = next(token for token in tokens if token.has("quote"))
    role = next(t for t in tokens if t.of("role", *_WHOLE) and not t.has("quote"))
    senses = {"quote": quote.get("quote"), "whole": role.get("role")}
    senses |= {"all": "all"} if role.has("all") else {}
    return Token(cut(tokens), tokens[0].start, tokens[-1].end, senses, quote.source)
