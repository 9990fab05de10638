"""Wholes: a line, a paragraph or a sentence that is told by some of its words.

the line containing 'A' · the 'A' line · the line that starts with 'A' · “甲”那一行 · 含有“甲”的一行

"the line 'A'" is no more than its words, and of a table "“甲”一行" is a row.
"""

import re
from dataclasses import replace
from typing import NamedTuple

from overpaint.document.instruct.lexing import Token, Tokens, cut
from overpaint.document.instruct.refusal import refuse
from overpaint.errors import Refused

_WHOLE = ("line", "paragraph", "sentence")
_SAID = r"(?: the)?(?: (?:words?|text|phrase|letters?|name|number))?"
_HAVING = re.compile(
    r"(?:(?:that|which) )?(?:contain(?:s|ing)?|has|have|having|includ(?:es|ing)|mention(?:s|ing)"
    r"|(?:start|begin|open|end)(?:s|ing)? with|beginning with)" + _SAID
)
_WITH = re.compile("with" + _SAID)
LABEL = 6  # Chinese letters that begin a line; more are the line, which may run over two
_IN_IT = re.compile(r" in (?:it|them)\b", re.IGNORECASE)
_OWNED = re.compile("(?:所在|所处|开头|打头|起头|开始|结尾)?的?(?:那|这)?")
_COUNTED = re.compile("(?:那|这)?[两二三四五六七八九十几]")
_BY_EACH = re.compile(
    "(?:所在|所处|开头|打头|起头|开始|结尾)的?(?:(?:那|这)?[两二三四五六七八九十几])?"
)
_CONTAINS = re.compile("(?:包含了?|含有|含|带有|带|写有|写着|有|以)$")


class _Part(NamedTuple):
    """What tokens are instead, how many they are, and how many before them go with them."""

    made: Tokens
    taken: int
    ahead: int = 0


def whole(tokens: Tokens, *, table: bool) -> Tokens:
    """The tokens of a clause with every such whole as one quote that tells what it is a part of."""
    if any(token.of("verb", "add", "put") for token in tokens):
        return tokens  # what is written beside a label goes beside the label
    found: Tokens = ()
    at = 0
    while at < len(tokens):
        names = _names(tokens[at], table=table)
        part = _told(tokens, at) if names else _telling(tokens, at, table=table)
        part = part or _Part((tokens[at],), 1)
        found = found[: len(found) - part.ahead] + part.made
        at += part.taken
    return found


def _told(tokens: Tokens, at: int) -> _Part | None:
    """ "the line containing 'A'", "the lines containing 'A', 'B' and 'C'"."""
    first = next((n for n in range(at + 1, min(len(tokens), at + 6)) if _ends(tokens[n])), 0)
    if not first or not tokens[first].has("quote") or not _has(tokens, at, first):
        return None
    last = first if _leads(tokens, at, first) else _last(tokens, first)
    if last > first and not tokens[at].has("all"):
        raise _unclear(tokens, tokens[last], tokens[at])
    in_it = 2 if _IN_IT.match(tokens[last].source, tokens[last].end) else 0
    return _Part(_each(tokens[at : last + 1], tokens[at]), last + 1 - at + in_it)


def _telling(tokens: Tokens, at: int, *, table: bool) -> _Part | None:
    """ "the 'A' line", "the 'A' and 'B' lines", “甲”和“乙”所在的行."""
    if not _bare(tokens[at]):
        return None
    last = _last(tokens, at)
    several = any(token.has("and") for token in tokens[at:last])
    last = last if several else at
    end = next((n for n in range(last + 1, min(len(tokens), last + 5)) if _ends(tokens[n])), 0)
    if not end or not _names(tokens[end], table=table):
        return None
    before = _before(tokens, at)
    owned = _owned(tokens[last], tokens[end], names=before == 0)
    many = several and _many(tokens[at : last + 1], tokens[end])
    if not (owned or many) or (several and _is_new(tokens, at)):
        return None
    if several and not many:
        raise _unclear(tokens, tokens[at], tokens[end])
    return _Part(_each(tokens[at : end + 1], tokens[end]), end + 1 - at, before)


def _bare(token: Token) -> bool:
    return set(token.senses) == {"quote"} and bool(token.source)


def _last(tokens: Tokens, at: int) -> int:
    """The last quote of a list that begins with this one."""
    found = at
    for n in range(at + 1, len(tokens)):
        if _bare(tokens[n]) and n > found + 1:
            found = n
        elif not tokens[n].has("and", "comma") or n > found + 2:
            break
    return found


def _leads(tokens: Tokens, at: int, first: int) -> bool:
    """Whether a comma ends what only says where to look: "in the line containing 'B', 'A' …"."""
    before = [token for token in tokens[max(0, at - 2) : at] if not token.has("article")]
    inside = bool(before) and before[-1].of("prep", "in", "from")
    return inside and any(token.has("comma") for token in tokens[first + 1 : first + 2])


def _is_new(tokens: Tokens, at: int) -> bool:
    """Whether a list begins with new words: "'A' to 'B' and 'C' lines to 'D'"."""
    before = tokens[at - 1] if at else None
    return before is not None and (before.has("into") or before.of("prep", "to", "with", "by"))


def _many(listed: Tokens, role: Token) -> bool:
    """Whether a list of quotes tells as many lines: 'A' and 'B' lines, “甲”和“乙”两行."""
    said = role.source[listed[-1].end : role.start].strip()
    if not role.chinese:
        return role.has("all") and not said
    shortest = min(len(token.get("quote")) for token in listed if token.has("quote"))
    counted = bool(_COUNTED.fullmatch(said)) and shortest <= LABEL
    return (counted or bool(_BY_EACH.fullmatch(said))) and role.text[:1] not in "一那这该"


def _unclear(tokens: Tokens, quote: Token, role: Token) -> Refused:
    why = f"whether “{quote.get('quote')}” is in that {role.get('role')} is not clear"
    return refuse(cut(tokens), "delete", why=why)


def _each(tokens: Tokens, role: Token) -> Tokens:
    """One quote for all of it, or one for each of a list; all where none tells how many."""
    quotes = [token for token in tokens if token.has("quote")]
    senses = {"whole": role.get("role")}
    if len(quotes) > 1:
        listed = (token for token in tokens if token.has("quote", "and", "comma"))
        return tuple(
            replace(t, senses={**t.senses, **senses}) if t.has("quote") else t for t in listed
        )
    senses |= {"quote": quotes[0].get("quote")} | ({"all": "all"} if role.has("all") else {})
    return (Token(cut(tokens), tokens[0].start, tokens[-1].end, senses, role.source),)


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
        chinese = role.chinese and role.text[:1] not in "那整"
        short = not chinese or len(quote.get("quote")) <= LABEL
        return role.of("role", "line") and short
    return role.chinese and bool(_OWNED.fullmatch(said))


def _before(tokens: Tokens, at: int) -> int:
    """How many tokens before a quote say 包含, 含有 or 以."""
    start = tokens[at].start
    found = _CONTAINS.search(tokens[at].source[max(0, start - 4) : start])
    first = start - len(found[0]) if found else start
    return sum(first <= token.start < start for token in tokens[:at])
