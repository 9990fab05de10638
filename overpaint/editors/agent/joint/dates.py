"""Dates: the same new day wherever the old one stands, each in the form it is written in."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from overpaint.editors.agent.joint.left import restricted
from overpaint.editors.agent.joint.phrases import reworded
from overpaint.editors.agent.joint.reading import Wish
from overpaint.editors.agent.joint.table import Clash, Table

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


def same_days(table: Table) -> Table:
    """One new day for each old one, in the form that the layer has it in."""
    groups: dict[tuple[int, int], list[tuple[Wish, Day, Day]]] = {}
    for wish in table.edited:
        old, new = list(days(wish.seen.words)), list(days(wish.words))
        if len(old) == len(new) == 1 and old[0].value != new[0].value:
            groups.setdefault(old[0].value, []).append((wish, old[0], new[0]))
    for group in groups.values():
        table = _one_day(table, group)
        table = _left(table, group)
    return table


def _one_day(table: Table, group: list[tuple[Wish, Day, Day]]) -> Table:
    values = {new.value for _, _, new in group}
    forms = {(old.form, new.form) for _, old, new in group}
    mixed = len({old for old, _ in forms}) < len(forms)
    if len(group) < 2 or (len(values) == 1 and not mixed):
        return table
    if all(table.asked(new.text) for _, _, new in group):
        return table
    day = _chosen(table, group)
    changed = []
    for wish, old, new in group:
        like = old if new.form != old.form else new
        fresh = written(day, _with_year(like, new))
        if fresh != new.text and (new.value != day or new.form != old.form):
            prompt = reworded(wish.decision.prompt, new.text, fresh)
            changed.append(wish.asking(prompt, f"the new day is {fresh}"))
    if not changed:
        return table
    said = ", ".join(dict.fromkeys(f"“{new.text}”" for _, _, new in group))
    clash = Clash(
        "date", tuple(wish.id for wish, _, _ in group),
        f"“{group[0][1].text}” becomes {said}.", f"It becomes {day[1]}.{day[0]}. everywhere.",
    )  # fmt: skip
    return table.with_(clash, *changed)


def _with_year(like: Day, new: Day) -> Day:
    year = new.year if like.year else ""
    return Day(like.text, like.form, like.day, like.month, year or like.year)


def _chosen(table: Table, group: list[tuple[Wish, Day, Day]]) -> tuple[int, int]:
    """The day that the instruction names, else most layers, else the most prominent."""
    values = [new.value for _, _, new in group]
    named = {day.value for day in days(table.scene.instruction)} & set(values)
    if len(named) == 1:
        return named.pop()
    most = max(values.count(value) for value in values)
    often = [one for one in group if values.count(one[2].value) == most]
    return max(often, key=lambda one: table.prominence(one[0]))[2].value


def _left(table: Table, group: list[tuple[Wish, Day, Day]]) -> Table:
    """Texts that say the old day in another form, where the instruction is about it as such."""
    old = group[0][1].value
    asked = {day.value for day in days(table.scene.instruction)}
    new = {day.value for w, _, _ in group for day in days(table.wish(w.id).words)}
    known = old in asked or (len(group) > 1 and new <= asked)
    if len(new) != 1 or not known or restricted(table, (group[0][1].text, group[0][2].text)):
        return table
    for wish in table.texts:
        own = [day for day in days(wish.words) if day.value == old]
        if not own or wish.deletes or wish.says:
            continue
        fresh = written(next(iter(new)), own[0])
        more = f"Replace '{own[0].text}' with '{fresh}'."
        clash = Clash("left behind", (wish.id,), f"“{own[0].text}” is moved elsewhere and stays"
                      " here.", f"It becomes “{fresh}” here, too.")  # fmt: skip
        table = table.with_(clash, table.wish(wish.id).also(more, "other layers have a new day"))
    return table
