"""Facts: dates, times, prices and discounts, which are known by their look wherever they stand."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from overpaint.document.roles import PATTERNS
from overpaint.editors.agent.days import days, written
from overpaint.editors.agent.rules import names as parts
from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.finding import Found, found, replaced
from overpaint.editors.agent.rules.page import Line, Page
from overpaint.editors.agent.rules.pointing import roles_in
from overpaint.editors.agent.rules.prices import clock, hours, meant, ranges
from overpaint.editors.agent.rules.prompts import Hit, Tongue
from overpaint.editors.agent.rules.reading import FIRST, TIME, Clause

_WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAY = re.compile(
    r"\b(?P<en>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b|(?:周"
    r"|星期|礼拜)(?P<zh>[一二三四五六日天])",
    re.IGNORECASE,
)
_TO_WEEKDAY = re.compile(
    r"\b(?:to|on|onto|is|now) (?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)"
    r"(?: instead| now| please)?$"
    r"|(?:到|至|在|为|成)(?:周|星期|礼拜)[一二三四五六日天]$",
    re.IGNORECASE,
)
_CHINESE_WEEK = "一二三四五六日"
# One of these has the weekday that is printed; most years have no 29 February.
_YEARS = (2025, 2026, 2027, 2029, 2030, 2031, 2033, 2024, 2028, 2032)


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
    """What a clause asks of dates, times and prices; and what it asks besides."""
    hits: list[Hit] = []
    used = []
    clause = _with_percent(clause)
    for name, kind in KINDS.items():
        said = clause.of(name)
        if said and (own := _changed(page, clause, (kind, said), tongue)):
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
) -> list[Hit]:
    kind, said = about
    old = [one for one in said if found(page, one)]
    new = [one for one in said if one not in old]
    if not new and len(set(said)) == 2:  # both are printed: from one to the other
        old, new = _ordered(clause, said)
    if not new:
        return []
    if old:
        places = _places(kind, found(page, old[0]))
        return replaced(places, old[0], new[-1], tongue, f"{kind.why} “{old[0]}” is to change")
    lines = _lines(page, kind.role, clause)
    places = [
        Found(line.layer, match[0].strip())
        for line in (meant(lines, clause) if kind.role == "price" else lines)
        for match in kind.pattern.finditer(line.text)
    ]
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


def _places(kind: _Kind, places: list[Found]) -> list[Found]:
    """Those of some places where the words are a fact of this kind and no part of another."""
    whole = []
    for place in places:
        own = [match[0] for match in kind.pattern.finditer(place.layer.words)]
        if any(place.piece in one for one in own) or not own:
            whole.append(place)
    return whole


def _lines(page: Page, role: str, clause: Clause) -> tuple[Line, ...]:
    """The lines that a fact is changed in: of the event, unless its deadline is spoken of."""
    if role != "date":
        return page.having(role)
    closing = any(re.search(re.escape(one), clause.text, re.IGNORECASE)
                  for one in parts.CALLED["deadline"])  # fmt: skip
    first, second = ("deadline", "date") if closing else ("date", "deadline")
    return page.having(first) or page.having(second)


# ── so much later ───────────────────────────────────────────────────────────────────────


def shifted(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """Dates so many days later or earlier, where a clause says that and no new date."""
    if hits := _another_weekday(page, clause, tongue):
        return hits
    span = words.SPAN.search(clause.text)
    later, earlier = words.LATER.search(clause.text), words.EARLIER.search(clause.text)
    if span is None or not (later or earlier) or clause.of("date"):
        return []
    days_ = _length(span)
    if days_ is None:
        return []
    move = _mover(-days_ if earlier and not later else days_)
    hits = []
    for line in _lines(page, "date", clause):
        for match in PATTERNS["date"].finditer(line.text):
            fresh = move(match[0].strip())
            if fresh:
                own = replaced([Found(line.layer, match[0].strip())], "", fresh, tongue,
                               f"the date moves by {days_} days")  # fmt: skip
                hits += own
    return hits


def _another_weekday(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """The day of the same week that a clause names alone: "shift the trip to Thursday"."""
    named = _TO_WEEKDAY.search(clause.text)
    if named is None or any(map(clause.of, ("date", "quote"))):
        return []
    week = _WEEKDAY.search(named[0])
    hits = []
    for line in _lines(page, "date", clause):
        for match in PATTERNS["date"].finditer(line.text):
            own = _WEEKDAY.search(match[0])
            fresh = _mover(_number(week) - _number(own))(match[0].strip()) if own and week else ""
            if fresh:
                hits += replaced([Found(line.layer, match[0].strip())], "", fresh, tongue,
                                 "the date moves to another day of the week")  # fmt: skip
    return hits


def _length(span: re.Match[str]) -> int | None:
    said = (span["n"] or span["n2"] or "one").casefold()
    unit = (span["unit"] or span["unit2"] or span["unit3"]).casefold()
    number = int(said) if said.isdigit() else words.NUMBERS.get(said)
    return number * words.DAYS[unit] if number and unit in words.DAYS else None


def _mover(by: int) -> Callable[[str], str]:
    def move(printed: str) -> str:
        own = next(days(printed), None)
        if own is None:
            return ""
        week = _WEEKDAY.search(printed)
        day = _day(own.month, own.day, own.year, week)
        if day is None:
            return ""
        new = day + timedelta(days=by)
        fresh = printed.replace(own.text, written((new.month, new.day), own), 1)
        return _WEEKDAY.sub(lambda match: _week(match, new), fresh)

    return move


def _day(month: int, day: int, year: str, week: re.Match[str] | None) -> date | None:
    """The day meant: of its own year, or of one in which it has the weekday that is printed."""
    for own in [int(year)] if year else _YEARS:
        try:
            found_day = date(own, month, day)
        except ValueError:
            continue
        if week is None or year or found_day.weekday() == _number(week):
            return found_day
    return None


def _number(week: re.Match[str]) -> int:
    if week["zh"]:
        return _CHINESE_WEEK.index(week["zh"].replace("天", "日"))
    return next(
        n for n, name in enumerate(_WEEK) if name[:3].casefold() == week["en"][:3].casefold()
    )


def _week(match: re.Match[str], day: date) -> str:
    """The weekday of a day, as the one it replaces is written."""
    if match["zh"]:
        return match[0][:-1] + _CHINESE_WEEK[day.weekday()]
    name = _WEEK[day.weekday()]
    name = name if len(match["en"]) > 4 else name[:3]
    return name.upper() if match["en"].isupper() else name
