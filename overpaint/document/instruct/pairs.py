"""Pairs: where the new begins in "'A' to 'B'", and what follows the first pair of several."""

from overpaint.document.instruct.acts import quoted
from overpaint.document.instruct.binding import names
from overpaint.document.instruct.clauses import Clause
from overpaint.document.instruct.lexing import Tokens, cut
from overpaint.document.instruct.several import leading, placed


def turning(after: Tokens) -> int:
    """Where the new begins: at "should be", "from … to", "to '…'", or the first "to" there is."""
    firm = [n for n, t in enumerate(after) if t.of("into", "should")]
    if firm:
        return firm[0]
    origin = next((n for n, t in enumerate(after) if t.of("prep", "from")), -1)
    ways = [
        n
        for n, t in enumerate(after)
        if (t.of("prep", "to", "with", "by", "as") or t.has("into")) and n > origin
    ]
    direct = [n for n in ways if _quote_follows(after, n)]
    substitutes = [n for n, t in enumerate(after) if t.of("prep", "for") and n == len(after) - 2]
    if not direct and substitutes and after[-1].has("quote") and quoted(after[: substitutes[0]]):
        return substitutes[0]
    return (direct or ways or [-1])[0]


def _quote_follows(after: Tokens, n: int) -> bool:
    rest = after[n + 1 : n + 5]
    for token in rest:
        if token.has("quote"):
            return True
        if not token.has("article", "filler", "colon", "role", "into", "ord", "page"):
            return False
    return False


def pairs(result: Tokens) -> Tokens:
    """What follows the first of several pairs: "'A' to 'B' and 'C' to 'D'", from its "and" on."""
    for n, token in enumerate(result):
        if not n or not token.has("and", "comma"):
            continue
        rest = result[n:]
        at = turning(rest)
        direct = at > 0 and (_quote_follows(rest, at) or not rest[at].of("prep", "as"))
        if direct and rest[at + 1 :] and _is_thing(rest[1:at]):
            return rest
    return ()


_JOINS_CLAUSES = ("并", "并且", "而且", "然后", "同时", "再")
_MEANT = 3  # words after "and" that are rather a wish than the end of a Title Like This


def wished_too(result: Tokens) -> str:
    """What may be another wish after plain new words: "Porto and the date to Friday"; or nothing.

    "Rock and Roll" and "Beauty and the Beast" are words of the page.
    """
    for n, token in enumerate(result):
        if not n or not token.has("and", "then", "comma"):
            continue
        rest = tuple(t for t in result[n + 1 :] if not t.has("and", "then", "filler"))
        bare = tuple(t for t in rest if not t.has("article"))
        turns = any(t.has("into") or t.of("prep", "to", "with") for t in bare[1:])
        if token.text in _JOINS_CLAUSES or (bare and bare[0].chinese and turns):
            return cut(rest)
        if not bare or not bare[0].text[:1].islower():
            continue
        titled = all(t.has("number") or not t.text[:1].islower() for t in result[:n])
        long = titled and len(rest) >= _MEANT and not token.has("comma")
        if long or (turns and rest != bare):
            return cut(rest)
    return ""


def attr_too(result: Tokens) -> Tokens:
    """What follows of another look of the same thing: "to 'Arial' and the colour to 'red'"."""
    for n, token in enumerate(result):
        rest = tuple(t for t in result[n + 1 :] if not t.has("article", "it"))
        if n and token.has("and", "comma") and rest[1:] and rest[0].has("attr"):
            return result[n:] if rest[1].of("prep", "to") else ()
    return ()


def _is_thing(tokens: Tokens) -> bool:
    """Whether words name what is changed, and nothing else: "the date", "the colour of 'B'"."""
    named = any(names(t) and (t.has("quote") or t.text[:1].islower()) for t in tokens)
    known = ("quote", "role", "article", "attr", "prep", "side", "ord", "place", "filler", "page")
    lanes = sum(t.of("role", "row", "column") for t in tokens) > 1  # "row 'A' and column 2"
    more = ("all", "and", "number") if lanes else ("all",)
    return named and all(t.has(*known, *more) for t in tokens)


def each_its_own(subject: Tokens, result: Tokens) -> list[str]:
    """The new words of several things, one each: "'A' and 'B' to 'C' and 'D'"; none: not so."""
    old, new = quoted(subject), quoted(result)
    listed = ("quote", "and", "comma", "article", "role", "filler", "stop", "colon")
    return new if len(new) == len(old) > 1 and all(t.has(*listed) for t in result) else []


def joined(after: Tokens) -> list[Tokens]:
    """Two things said with their places, apart: "'A' above 'B' and 'C' below 'D'"; none: one."""
    for n, token in enumerate(after):
        both = after[:n], after[n + 1 :]
        if token.has("and", "comma") and all(placed(part, "in") for part in both):
            return list(both)
    return []


def each_anchor(after: Tokens) -> list[Tokens]:
    """One each for what new words go beside: "'!' after 'A' and 'B'"; none where it is one."""
    side = next((n for n, t in enumerate(after) if t.has("side")), len(after))
    quotes = [n for n, t in enumerate(after) if t.has("quote") and n > side]
    listed = all(
        t.has("quote", "and", "comma", "article", "role", "stop") for t in after[side + 1 :]
    )
    if not (listed and len(quotes) > 1 and len(quoted(after[:side])) == 1):
        return []
    if not any(after[n].has("and") for n in range(quotes[0], quotes[-1])):
        return []
    return [(*after[: side + 1], after[n]) for n in quotes]


def likewise(subject: Tokens, pair: Tokens) -> Clause:
    """The next pair; it is about the colour or the font where the first was: "and 'B' to blue"."""
    own = any(t.has("attr") for t in pair[: turning(pair)])
    attrs = () if own else tuple(t for t in subject if t.has("attr"))
    return Clause((), "change", (*leading(subject), *attrs, *pair))
