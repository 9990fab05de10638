"""Days as people write them: read in every form, and written in the form of another."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_NAMED = "|".join(f"{name}|{name[:3]}" for name in _MONTHS) + "|Sept"
_YEAR = r"(?:,?\s*(?P<y>(?:19|20)\d\d))?"
_END = r"(?:st|nd|rd|th)?"
# By form: a pattern with the groups d, m and y.
_FORMS: Mapping[str, re.Pattern[str]] = {
    "month first": re.compile(rf"\b(?P<m>{_NAMED})\.? (?P<d>\d{{1,2}}){_END}\b{_YEAR}", re.I),
    "day first": re.compile(rf"\b(?P<d>\d{{1,2}}){_END} (?P<m>{_NAMED})\b\.?{_YEAR}", re.I),
    "iso": re.compile(r"\b(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)\b"),
    "dots": re.compile(r"\b(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>(?:19|20)\d\d)?(?!\d)"),
    "chinese": re.compile(r"(?:(?P<y>(?:19|20)\d\d)年)?(?P<m>\d{1,2})月(?P<d>\d{1,2})[日号]"),
}


@dataclass(frozen=True)
class Day:
    """A date as it is written somewhere."""

    text: str
    form: str
    day: int
    month: int
    year: str = ""

    @property
    def value(self) -> tuple[int, int]:
        """The day whatever its form; years are left out by many."""
        return self.month, self.day


def days(text: str) -> Iterator[Day]:
    """The dates of a text."""
    taken: list[tuple[int, int]] = []
    for form, pattern in _FORMS.items():
        for found in pattern.finditer(text):
            start, end = found.span()
            month, day = _month(found["m"]), int(found["d"])
            clear = all(end <= first or start >= last for first, last in taken)
            if clear and 1 <= month <= 12 and 1 <= day <= 31:
                taken.append((start, end))
                yield Day(found[0], form, day, month, found["y"] or "")


def _month(said: str) -> int:
    if said.isdigit():
        return int(said)
    return next(
        n for n, name in enumerate(_MONTHS, 1) if name[:3].casefold() == said[:3].casefold()
    )


def written(value: tuple[int, int], like: Day) -> str:
    """A day in the form of another."""
    month, day = value
    name = _MONTHS[month - 1]
    said = re.search(r"[A-Za-z]{3,}", like.text)
    if said and len(said[0]) <= 4 and said[0].casefold() != _MONTHS[like.month - 1].casefold():
        name = name[:3]
    name = name.upper() if said and said[0].isupper() else name
    numbers = re.findall(r"\d+", like.text)
    padded = any(n.startswith("0") for n in numbers) or like.form == "iso"
    figures = (f"{day:02d}", f"{month:02d}") if padded else (str(day), str(month))
    ending = re.search(r"\d(st|nd|rd|th)", like.text, re.I)
    of_day = f"{figures[0]}{_ending(day)}" if ending else figures[0]
    forms: Mapping[str, Callable[[], str]] = {
        "month first": lambda: f"{name} {of_day}" + (f", {like.year}" if like.year else ""),
        "day first": lambda: f"{of_day} {name}" + (f" {like.year}" if like.year else ""),
        "iso": lambda: f"{like.year}-{figures[1]}-{figures[0]}",
        "dots": lambda: f"{figures[0]}.{figures[1]}.{like.year}",
        "chinese": lambda: (
            (f"{like.year}年" if like.year else "") + f"{figures[1]}月{figures[0]}日"
        ),
    }
    return forms[like.form]()


def _ending(day: int) -> str:
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
