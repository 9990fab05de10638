"""Counts: "the first three lines" and "the first and the last line", one by one."""

from dataclasses import replace

from overpaint.document.instruct.lexing import Token, Tokens

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ENDS = {"top": 1, "bottom": -1}
_CHINESE_ENDS = {"前": 1, "后": -1, "最后": -1, "末": -1}
LANES = ("row", "column", "line", "paragraph")
MOST = 10  # things that "the first ten lines" may mean


def spread(tokens: Tokens) -> list[Tokens]:
    """A phrase as one for each thing it counts; itself where it counts but one."""
    for n, token in enumerate(tokens):
        if n + 2 < len(tokens) and tokens[n + 2].has("role"):
            end, count = _end(token) or _end(tokens[n + 1]), _count(tokens[n + 1]) or _count(token)
            if end and count:
                return [_with(tokens, n, n + 2, nth) for nth in _run(end, count)]
        if token.has("ord") and len(listed := _listed(tokens, n)) > 1:
            return [_with(tokens, n, listed[-1] + 1, _told(tokens[at])) for at in listed]
        if token.of("role", *LANES) and (listed := _numbered(tokens, n + 1)):
            nths = [nth for at in listed for nth in _up_to(tokens, at)]
            if len(nths) > 1 or token.of("role", "line", "paragraph"):
                bare = (*tokens[: n + 1], *tokens[listed[-1] + 1 :])
                return [_with(bare, n, n, nth) for nth in nths]
    return [tokens]


def counts_lane(tokens: Tokens, n: int) -> bool:
    """Whether a number says which row, column or line is meant: "lines 1 and 2"."""
    before = n
    while before and (_number(tokens[before]) or tokens[before].has("and", "comma")):
        before -= 1
    last = tokens[n + 1] if n + 1 < len(tokens) else None
    measured = last is not None and last.has("unit")
    return _number(tokens[n]) > 0 and tokens[before].of("role", *LANES) and not measured


def _up_to(tokens: Tokens, at: int) -> list[int]:
    """The number there; with those before it where it ends a range: 2-4."""
    nth = _number(tokens[at])
    ranged = tokens[at].text.startswith("-") and _number(tokens[at - 1]) < nth
    start = _number(tokens[at - 1]) + 1 if ranged else nth
    return list(range(max(start, nth - MOST), nth + 1))


def _end(token: Token) -> int:
    """From which end a count goes: 1 the first, -1 the last; 0 where it does not count."""
    if token.text in _CHINESE_ENDS:
        return _CHINESE_ENDS[token.text]
    if token.of("ord", "1", "-1"):
        return int(token.get("ord"))
    return _ENDS.get(token.get("place"), 0)


def _count(token: Token) -> int:
    """How many: two, 3, 两."""
    said = token.text.lower()
    told = str(_NUMBERS.index(said) + 2) if said in _NUMBERS else token.get("number")
    return int(told) if told.isdecimal() and len(told) < 4 and 1 < int(told) <= MOST else 0


def _run(end: int, count: int) -> list[int]:
    return list(range(1, count + 1)) if end > 0 else list(range(-count, 0))


def _listed(tokens: Tokens, start: int) -> list[int]:
    """Where the ordinals stand that only "and" joins: "the first and last line", 第2、3行."""
    found = [start]
    for n in range(start + 1, len(tokens)):
        if tokens[n].has("ord") or (tokens[start].text[:1] == "第" and _number(tokens[n])):
            found.append(n)
        elif not tokens[n].has("and", "comma", "article"):
            return found if tokens[n].has("role") else []
    return []


def _numbered(tokens: Tokens, start: int) -> list[int]:
    """Where the numbers stand that follow "rows": 2 and 3, 2-4."""
    found: list[int] = []
    for n in range(start, len(tokens)):
        if _number(tokens[n]):
            found.append(n)
        elif not tokens[n].has("and", "comma") or not _number(tokens[min(n + 1, len(tokens) - 1)]):
            break
    return found if not any(t.has("quote", "column") for t in tokens[start:]) else []


def _number(token: Token) -> int:
    said = token.get("number").removeprefix("-")
    return int(said) if said.isdecimal() and len(said) < 4 else 0


def _told(token: Token) -> int:
    return int(token.get("ord") or _number(token))


def _with(tokens: Tokens, start: int, end: int, nth: int) -> Tokens:
    """The phrase with one ordinal for what stands there."""
    one = replace(tokens[start], text=str(nth), senses={"ord": str(nth)})
    return (*tokens[:start], one, *tokens[end:])
