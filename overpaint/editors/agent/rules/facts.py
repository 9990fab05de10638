"""Facts: dates, times, prices and discounts, which are known by their look wherever they stand."""

import re
from dataclasses import dataclass

from overpaint.document.roles import PATTERNS
from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.dates import (
    EXTENDED,
    LASTING,
    date_lines,
    from_to,
    redated,
    stretched,
)
from overpaint.editors.agent.rules.finding import Found, found, replaced
from overpaint.editors.agent.rules.page import Page
from overpaint.editors.agent.rules.pointing import roles_in
from overpaint.editors.agent.rules.prices import clock, hours, meant, ranges
from overpaint.editors.agent.rules.prompts import Hit, Tongue
from overpaint.editors.agent.rules.reading import FIRST, MARK, TIME, Clause

# Of two of a kind the one takes the place of the other.
_TURNED = re.compile(
    rf"{MARK}.*(?:\b(?:to|into|instead|rather|not|but|becomes?|by|with|was|were|in place)\b|->|→"
    rf"|[改换变调到至成为是非]).*{MARK}",
    re.IGNORECASE,
)

# Who pays something else than all others.
_SOME = re.compile(
    r"\b(?:members?|students?|pupils?|seniors?|pensioners?|adults?|child(?:ren)?|kids|families"
    r"|concessions?|at the door|in advance)\b|会员|学生|老人|成人|儿童|家庭|现场购票",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Kind:
    """A kind of fact: what it looks like, and which lines have it."""

    pattern: re.Pattern[str]
    role: str
    why: str


KINDS = {
    "date": _Kind(PATTERNS["date"], "date", "the date"),
    "time": _Kind(TIME, "time", "the time"),
    "price": _Kind(PATTERNS["price"], "price", "the price"),
    "percent": _Kind(words.PERCENT, "discount", "the discount"),
    "zhe": _Kind(words.ZHE, "discount", "the discount"),
}


def facts(page: Page, clause: Clause, tongue: Tongue) -> tuple[list[Hit], Clause]:
    """What a clause asks of dates, times and prices; and what it asks besides.

    Of a fact that has a place where it is not sure how it is meant, nothing else is made either.
    """
    hits: list[Hit] = []
    used = []
    clause = _with_percent(clause)
    for name, kind in KINDS.items():
        said = clause.of(name)
        own = _changed(page, clause, (kind, said), tongue) if said else []
        if own is None:
            return hits, clause.only("")
        if own:
            hits += own
            used.append(name)
    return hits, clause.without(*used)


def _with_percent(clause: Clause) -> Clause:
    """A clause in which a bare number is a percentage, where it speaks of a discount."""
    number = re.search(r"(?<![\w.])\d{1,2}(?![\w.])", clause.text)
    if number is None or clause.of("percent") or "discount" not in roles_in(clause.text):
        return clause
    mark = chr(FIRST + len(clause.marks))
    text = clause.text[: number.start()] + mark + clause.text[number.end() :]
    return Clause(text, (*clause.marks, ("percent", f"{number[0]}%")))


def _changed(
    page: Page, clause: Clause, about: tuple[_Kind, list[str]], tongue: Tongue
) -> list[Hit] | None:
    """What is asked of a kind of fact; None where there is a place for it, but not how."""
    kind, said = about
    old = [one for one in said if found(page, one)]
    new = [one for one in said if one not in old]
    if not new and len(set(said)) == 2:  # both are printed: from one to the other
        old, new = _ordered(clause, said)
    if not new:
        return []
    if kind.role == "date" and (stretch := from_to(date_lines(page, clause))):
        return stretched(stretch, clause, (said, old), tongue)
    if kind.role == "date" and (EXTENDED if len(said) == 1 else LASTING).search(clause.text):
        return None  # of one day it is not told from when
    turned = _TURNED.search(clause.text)
    if old and kind.role in ("price", "discount") and _SOME.search(clause.text) and not turned:
        return None  # it goes on beside the new one
    if old:
        places = _places(kind, found(page, old[0]))
        if kind.role == "date":
            places = [_whole(place) for place in places]
            return redated(places, new[-1], tongue, f"{kind.why} “{old[0]}” is to change", old[0])
        return replaced(places, old[0], new[-1], tongue, f"{kind.why} “{old[0]}” is to change")
    if len(set(new)) > 1 and kind.role != "time" and not turned:
        return None  # two of a kind for one place
    lines = date_lines(page, clause) if kind.role == "date" else page.having(kind.role)
    places = [
        Found(line.layer, match[0].strip())
        for line in (meant(lines, clause) if kind.role == "price" else lines)
        for match in kind.pattern.finditer(line.text)
    ]
    if kind.role == "date":
        return redated(places, new[-1], tongue, f"{kind.why} stands here")
    if kind.role != "time" or not places:
        return replaced(places, "", new[-1], tongue, f"{kind.why} stands here")
    if len(new) == 2 and (spans := ranges(lines)):
        return [hit for place, middle in spans for hit in replaced(
            [place], "", middle.join(new), tongue, f"{kind.why} stands here")]  # fmt: skip
    places = hours(places, clause)
    fresh = clock(new[-1], places[0].piece) if places else ""
    return replaced(places, "", fresh, tongue, f"{kind.why} stands here")


def _ordered(clause: Clause, said: list[str]) -> tuple[list[str], list[str]]:
    turned = re.search(r"instead of|rather than|\bnot\b|in place of|不是|而非", clause.text)
    return (said[1:2], said[:1]) if turned else (said[:1], said[1:2])


def _whole(place: Found) -> Found:
    """The date that some words stand in, with its weekday."""
    every = (match[0].strip() for match in PATTERNS["date"].finditer(place.layer.words))
    return Found(place.layer, next((one for one in every if place.piece in one), place.piece))


def _places(kind: _Kind, places: list[Found]) -> list[Found]:
    """Those of some places where the words are a fact of this kind and no part of another."""
    whole = []
    for place in places:
        own = [match[0] for match in kind.pattern.finditer(place.layer.words)]
        if any(place.piece in one for one in own) or not own:
            whole.append(place)
    return whole
