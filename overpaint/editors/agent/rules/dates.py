"""Dates: from one day to another, so much later, on another day of the week."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from overpaint.document.roles import PATTERNS
from overpaint.editors.agent.days import days, written
from overpaint.editors.agent.rules import names as parts
from overpaint.editors.agent.rules import words as words
from overpaint.editors.agent.rules.finding import Found, replaced
from overpaint.editors.agent.rules.page import Line, Page
from overpaint.editors.agent.rules.prompts import Hit, Tongue
from overpaint.editors.agent.rules.reading import MARK, Clause

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
_BE_WEEKDAY = re.compile(
    r"\b(?:should|must|ought to|has to) (?:be|say|read) (?:an? |on )?"
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?: instead| now| please)?$"
    r"|应该?[是为](?:周|星期|礼拜)[一二三四五六日天]$",
    re.IGNORECASE,
)
_CHINESE_WEEK = "一二三四五六日"
# One of these has the weekday that is printed; most years have no 29 February.
_YEARS = (2025, 2026, 2027, 2029, 2030, 2031, 2033, 2024, 2028, 2032)


def date_lines(page: Page, clause: Clause) -> tuple[Line, ...]:
    """The lines that a date is changed in: of the event, unless its deadline is spoken of."""
    closing = any(re.search(re.escape(one), clause.text, re.IGNORECASE)
                  for one in parts.CALLED["deadline"])  # fmt: skip
    first, second = ("deadline", "date") if closing else ("date", "deadline")
    return page.having(first) or page.having(second)


def redated(places: list[Found], new: str, tongue: Tongue, why: str, old: str = "") -> list[Hit]:
    """Another date in some places; a weekday that it would belie is corrected or goes."""
    hits = []
    for place in places:
        fresh, note = _with_weekday(place.piece, new)
        hits += [replace(hit, note=note) for hit in replaced([place], old, fresh, tongue, why)]
    return list(dict.fromkeys(hits))


def _with_weekday(printed: str, new: str) -> tuple[str, str]:
    """A new date with its weekday, if one is printed and the year known; else what is lost."""
    week, own, said = _WEEKDAY.search(printed), next(days(printed), None), next(days(new), None)
    if week is None or own is None or said is None or _WEEKDAY.search(new):
        return new, ""
    if year := said.year or own.year:
        try:
            day = date(int(year), said.month, said.day)
        except ValueError:
            return new, ""
        fresh = printed.replace(own.text, written(said.value, replace(own, year=year)), 1)
        return _WEEKDAY.sub(lambda match: _week(match, day), fresh), ""
    return new, f"“{week[0]}” was left off beside “{new}”: of what year it is, is not known."


# ── from one day to another ─────────────────────────────────────────────────────────────

_BETWEEN = re.compile(r"^\s*(?:-|–|—|~|～|to|until|till|through|至|到)\s*$", re.IGNORECASE)
_SHORT = re.compile(r"\d{1,2}\s?(?:-|–|—|~|～|to|至|到)\s?$|^\s?(?:-|–|—|~|～|to|至|到)\s?\d{1,2}")
_UNTIL = re.compile(
    r"\b(?:until|till|through|up to|ends?|ending|clos\w+|last day|(?:extend|run|last|prolong|go"
    r"|continu)\w*\b.*\bto)\b|截止|截至|结束|延长|延至|为止|(?:延|持续|开放)\S{0,3}[至到]",
    re.IGNORECASE,
)
LASTING = re.compile(r"\b(?:runs?|running|lasts?|lasting)\b|持续", re.IGNORECASE)
EXTENDED = re.compile(r"\b(?:extend|prolong)\w*\b|延长", re.IGNORECASE)
_FROM = re.compile(
    r"\b(?:from|starts?|starting|begins?|beginning|opens?|opening|as of|since)\b|从|起|开始|开幕",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"\b(?:mov|chang|shift|postpon|push|bring|extend|updat)\w*|改|换|推|延|移", re.I
)


@dataclass(frozen=True)
class Span:
    """Two dates on a line, from one to the other; `first` is empty where it has but a day of it."""

    place: Found
    first: str
    middle: str
    last: str


def from_to(lines: tuple[Line, ...]) -> list[Span]:
    """The dates from one to another on some lines."""
    spans = []
    for line in lines:
        every = list(PATTERNS["date"].finditer(line.text))
        for one, two in pairwise(every):
            middle = line.text[one.end() : two.start()]
            if _BETWEEN.match(middle):
                place = Found(line.layer, line.text[one.start() : two.end()].strip())
                spans.append(Span(place, one[0], middle, two[0].rstrip()))
        short = [m for m in every if _SHORT.search(line.text[: m.start()])
                 or _SHORT.search(line.text[m.end() :])]  # fmt: skip
        if short and not spans:  # "1–30 June"
            spans.append(Span(Found(line.layer, short[0][0]), "", "", ""))
    return spans


def stretched(
    spans: list[Span], clause: Clause, about: tuple[list[str], list[str]], tongue: Tongue
) -> list[Hit] | None:
    """Another beginning or end of a span of days; None where it is not told which is meant."""
    said, printed = about
    span = spans[0]
    ends = _ends(span, clause, said, printed) if len(spans) == 1 and span.first else None
    if ends is None:
        return None
    return replaced([span.place], "", span.middle.join(ends), tongue, "these days stand here")


def _ends(
    span: Span, clause: Clause, said: list[str], printed: list[str]
) -> tuple[str, str] | None:
    if len(said) == 1:
        until, since = _UNTIL.search(clause.text), _FROM.search(clause.text)
        if bool(until) == bool(since):
            return None
        return (span.first, said[0]) if until else (said[0], span.last)
    if len(said) != 2 or len(printed) == 2:
        return None
    moves = _MOVES.search(clause.text)
    if not printed or (printed == said[:1] == [span.first] and not moves):
        return (said[0], said[1]) if not moves or _RUNS.search(clause.text) else None
    new = next(one for one in said if one not in printed)
    if printed[0] == span.first:
        return new, span.last
    return (span.first, new) if printed[0] == span.last else None


_RUNS = re.compile(
    rf"\b(?:runs?|running|lasts?|open|dates)\b|{MARK}\s*[-–—~～至]\s*{MARK}", re.IGNORECASE
)


# ── so much later ───────────────────────────────────────────────────────────────────────


def shifted(page: Page, clause: Clause, tongue: Tongue) -> list[Hit]:
    """Dates so many days later or earlier, where a clause says that and no new date."""
    span = words.SPAN.search(clause.text)
    later, earlier = words.LATER.search(clause.text), words.EARLIER.search(clause.text)
    if span is None or not (later or earlier) or clause.of("date"):
        return []
    days_ = _length(span)
    if days_ is None:
        return []
    move = _mover(-days_ if earlier and not later else days_)
    hits = []
    for line in date_lines(page, clause):
        for match in PATTERNS["date"].finditer(line.text):
            fresh = move(match[0].strip())
            if fresh:
                own = replaced([Found(line.layer, match[0].strip())], "", fresh, tongue,
                               f"the date moves by {days_} days")  # fmt: skip
                hits += own
    return hits


def another_weekday(page: Page, clause: Clause, tongue: Tongue) -> tuple[list[Hit], Clause]:
    """A day of the week that a clause names alone, and what it asks besides.

    "Shift it to Thursday" means the Thursday of the same week; "it should be Thursday" puts the
    name right.
    """
    named, wrong = _TO_WEEKDAY.search(clause.text), _BE_WEEKDAY.search(clause.text)
    told = named or wrong
    week = _WEEKDAY.search(told[0]) if told else None
    if told is None or week is None or any(map(clause.of, ("date", "quote"))):
        return [], clause
    hits = []
    for line in date_lines(page, clause):
        for match in PATTERNS["date"].finditer(line.text):
            own = _WEEKDAY.search(match[0])
            if own is None:
                continue
            by = _number(week) - _number(own)
            place = Found(line.layer, match[0].strip())
            if wrong:
                fresh = _WEEKDAY.sub(lambda one: _named_day(one, _number(week)), place.piece)
                why = "its day of the week is another"
            else:
                fresh, why = _mover(by)(place.piece), "the date moves to another day of the week"
            hits += replaced([place], "", fresh, tongue, why) if fresh else []
    return hits, clause.only(clause.text[: told.start()]) if hits else clause


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
    return _named_day(match, day.weekday())


def _named_day(match: re.Match[str], number: int) -> str:
    """A weekday by its number, as the one it replaces is written."""
    if match["zh"]:
        return match[0][:-1] + _CHINESE_WEEK[number]
    name = _WEEK[number]
    name = name if len(match["en"]) > 4 else name[:3]
    return name.upper() if match["en"].isupper() else name
