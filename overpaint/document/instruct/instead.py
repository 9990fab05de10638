"""Instead: sentences that name the new words before the old ones.

use 'Y' instead of 'X' · instead of 'X', write 'Y' · 用“Y”替换“X” · 把“X”用“Y”代替
"""

from typing import NamedTuple

from overpaint.document.instruct.lexing import Token, Tokens
from overpaint.document.instruct.phrases import content, plain

_WRITING = (
    "use",
    "using",
    "have",
    "say",
    "read",
    "set",
    "substitute",
    "用",
    "使用",
)  # and all verbs that add or put
_USING = ("用", "以", "使用", "拿")
_TAKING = frozenset({
    "替换", "替换掉", "代替", "代替掉", "取代", "取代掉", "替代", "替代掉", "换掉", "换下", "更换",
    "换",
})  # fmt: skip
_BETWEEN = ("来", "去")
_WORN = ("colour", "shade", "look", "family", "attr", "align")


class Turned(NamedTuple):
    """What stands before the sentence, what goes, and what comes."""

    lead: Tokens
    old: Tokens
    new: Tokens


def turned(part: Tokens) -> Turned | None:
    """Such a sentence taken apart; none where it is another."""
    for n, token in enumerate(part):
        if token.has("instead"):
            found = _opening(part, n) if not content(part[:n]) else _closing(part, n)
            return found if found and content(found.old) and _says(found.new) else None
        if token.text in _USING and (found := _chinese(part, n)):
            return found
    return None


def _says(new: Tokens) -> bool:
    """Whether the new is one quote, plain words that can be nothing else, or a look."""
    quotes = [n for n, token in enumerate(new) if token.has("quote")]
    if any(
        token.has("prep", "side", "into", "instead")
        for token in new[: quotes[0] if quotes else None]
    ):
        return False
    if quotes:
        return len(quotes) == 1 and all(
            t.has("prep", *_WORN) for t in content(new[quotes[0] + 1 :])
        )
    text = plain(new)
    return is_look(new) or text[:1].isupper() or _number(text)


def _number(text: str) -> bool:
    return text[:1].isdigit() or (text[:1] in "$€£¥" and text[1:2].isdigit())


def is_look(new: Tokens) -> bool:
    """Whether words only say how something looks: "red", "a serif font"."""
    said = tuple(t for t in content(new) if not t.has("and"))
    return bool(said) and all(token.has(*_WORN) for token in said)


def _closing(part: Tokens, at: int) -> Turned | None:
    """ "use 'Y' instead of 'X'", with or without its verb."""
    verbs = [n for n in range(at) if _writes(part[n])]
    start = verbs[0] if verbs else -1
    lead = part[:start] if verbs else ()
    if any(token.has("verb", "into", "quote") for token in lead):
        return None
    new = part[start + 1 : at]
    if not verbs and (any(t.has("verb") for t in new) or not any(t.has("quote") for t in new)):
        return None
    return Turned(lead, part[at + 1 :], new)


def _opening(part: Tokens, at: int) -> Turned | None:
    """ "instead of 'X', write 'Y'"."""
    verb = next((n for n in range(at + 1, len(part)) if _writes(part[n])), 0)
    return Turned((), part[at + 1 : verb], part[verb + 1 :]) if verb else None


def _writes(token: Token) -> bool:
    return token.of("verb", "add", "put") or token.text.lower() in _WRITING


def _chinese(part: Tokens, at: int) -> Turned | None:
    """ "用“Y”替换“X”", and "把“X”用“Y”代替"."""
    verb = next((n for n in range(at + 1, len(part)) if part[n].text in _TAKING), 0)
    new = tuple(t for t in part[at + 1 : verb] if t.text not in _BETWEEN)
    quotes = sum(token.has("quote") for token in new)
    known = ("quote", "role", "filler") if quotes else ("number", "unit")
    if not new or quotes > 1 or any(t.senses and not t.has(*known) for t in new):
        return None
    if quotes and any(not t.senses for t in new):
        return None
    old, lead = part[verb + 1 :], part[:at]
    return Turned(lead, old, new) if content(old) else Turned((), lead, new)
