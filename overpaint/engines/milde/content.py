"""What a design says: a theme, its topic, and a line for each role, all drawn from one split.

Themes, wordings and names of the two splits have no file in common: what is held out stands in
files of its own, so that nobody who writes rules has to see it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from importlib import resources
from random import Random
from typing import Any, Literal

from overpaint.engines.milde.figures import PARTIAL

Split = Literal["known", "held-out"]
Language = Literal["English", "Chinese"]
SPLITS: tuple[Split, ...] = ("known", "held-out")
LANGUAGES: tuple[Language, ...] = ("English", "Chinese")
# From top to bottom, as a design has them.
ROLES = (
    "organiser", "title", "subtitle", "date", "place", "price", "deadline", "cta", "contact",
)  # fmt: skip
BADGE = "badge"
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_FIRST = date(2027, 1, 4)


@cache
def themes(split: Split) -> dict[str, Any]:
    """The themes, the names of the illustrations and the lines in stock of a split."""
    return _read(split, "themes")


@cache
def wordings(split: Split) -> dict[str, dict[str, list[str]]]:
    """The ways a split asks for things: by kind, then by language."""
    found: dict[str, dict[str, list[str]]] = _read(split, "wordings")
    return found


def _read(split: Split, what: str) -> dict[str, Any]:
    name = f"{split.replace('-', '_')}_{what}.json"
    text = resources.files(__package__).joinpath(name).read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@dataclass(frozen=True)
class Topic:
    """What a theme is about for the moment: a word, and what shows it."""

    word: str
    motif: str
    others: tuple[str, ...] = ()  # that show it as well
    named: bool = False  # whether the word names the illustration
    miss: str = ""  # a name that has the word in it and means something else


@dataclass(frozen=True)
class Told:
    """The values behind the lines; a line is its pattern with these put in."""

    topic: str
    name: str
    place: str
    day: date
    hour: int
    dated: int  # how dates are written
    closing: date
    price: int
    percent: int
    phone: str


@dataclass(frozen=True)
class Content:
    """A theme and what a design of it says."""

    split: Split
    language: Language
    family: str
    event: str
    topic: Topic
    told: Told
    patterns: Mapping[str, str] = field(default_factory=dict)  # of every role

    def line(self, role: str, told: Told | None = None) -> str:
        """What stands at a role, with these values or its own."""
        return put(self.patterns[role], told or self.told, self.language)

    def shows(self, role: str, value: str) -> bool:
        """Whether a role's line has a value in it, such as the {topic}."""
        pattern = self.patterns[role].lower()
        return f"{{{value}}}" in pattern


def put(pattern: str, told: Told, language: Language) -> str:
    """A pattern with the values in it."""
    words = titled(told.topic) if language == "English" else told.topic
    return pattern.format(
        topic=told.topic, Topic=words, name=told.name, place=told.place, phone=told.phone,
        date=dated(told.day, language, told.dated), time=timed(told.hour, language),
        closing=dated(told.closing, language, 1), price=priced(told.price, language),
        percent=told.percent,
    )  # fmt: skip


def titled(words: str) -> str:
    """Words as a title has them: each with a capital."""
    return " ".join(word[:1].upper() + word[1:] for word in words.split())


def dated(day: date, language: Language, form: int) -> str:
    """A date as people write it: with the day of the week, or short."""
    week, month = _DAYS[day.weekday()], _MONTHS[day.month - 1]
    if language == "Chinese":
        chinese = "一二三四五六日"[day.weekday()]
        return (f"{day.month}月{day.day}日 周{chinese}", f"{day.month}月{day.day}日")[form % 2]
    return (f"{week} {day.day} {month}", f"{day.day} {month}", f"{month} {day.day}")[form % 3]


def timed(hour: int, language: Language) -> str:
    """An hour of the day as people write it."""
    if language == "Chinese":
        return f"{hour}:00"
    return f"{(hour - 1) % 12 + 1} {'am' if hour < 12 else 'pm'}"


def priced(price: int, language: Language) -> str:
    """A price in the money of the language."""
    return f"{price}元" if language == "Chinese" else f"£{price}"


# ── drawing one ─────────────────────────────────────────────────────────────────────────


def draw_content(
    chance: Random, group: tuple[Split, Language], turn: int, *, sells: bool | None, solid: bool
) -> Content:
    """A theme with all its lines; themes go round by `turn`, so that a set has them all.

    Where it is to sell something or not to, or to show something of one colour, others are
    passed over.
    """
    split, language = group
    families = themes(split)["families"]
    fitting = {name: [t for t in topics(split, name, language) if not solid or _solid(t)]
               for name in families}  # fmt: skip
    suiting = [n for n in families if fitting[n] and _events(families[n][language], sells)]
    family = suiting[turn % len(suiting)]
    topic = chance.choice(fitting[family])
    event = chance.choice(_events(families[family][language], sells))
    stock = themes(split)["stock"][language]
    patterns = _patterns(chance, event, stock)
    return Content(split, language, family, event["event"], topic,
                   _told(chance, topic, stock), patterns)  # fmt: skip


def _solid(topic: Topic) -> bool:
    return topic.motif not in PARTIAL


def _events(theme: Mapping[str, Any], sells: bool | None) -> list[dict[str, Any]]:
    return [one for one in theme["events"] if sells in (None, one.get("sells", False))]


def _patterns(chance: Random, event: Mapping[str, Any], stock: Mapping[str, Any]) -> dict[str, str]:
    sells = event.get("sells", False)
    return {
        "title": chance.choice(event["titles"]),
        "subtitle": chance.choice(event["lines"]),
        "date": chance.choice(("{date}", "{date}, {time}", "{date}")),
        "place": "{place}",
        "price": chance.choice(stock["offers" if sells else "tickets"]),
        "cta": chance.choice(stock["ctas"]),
        "contact": chance.choice(stock["contacts"]),
        "organiser": chance.choice(stock["by"]),
        "deadline": chance.choice(stock["deadlines"]).replace("{date}", "{closing}"),
        BADGE: chance.choice(stock["badges" if sells else "calls"]),
    }


def topics(split: Split, family: str, language: Language) -> tuple[Topic, ...]:
    """The topics of a theme."""
    listed = themes(split)["families"][family][language]["topics"]
    return tuple(
        Topic(one["word"], one["motif"], tuple(one.get("others", ())), one.get("named", False),
              one.get("miss", "")) for one in listed
    )  # fmt: skip


def _told(chance: Random, topic: Topic, stock: Mapping[str, Any]) -> Told:
    day = _FIRST + timedelta(days=chance.randrange(20, 340))
    return Told(
        topic=topic.word, name=chance.choice(stock["names"]),
        place=_place(chance, topic, stock),
        day=day, hour=chance.choice((9, 10, 11, 14, 15, 18, 19, 20)), dated=chance.randrange(3),
        closing=day - timedelta(days=chance.randrange(9, 17)),
        price=chance.choice((5, 6, 8, 9, 12, 15, 18, 25, 30, 45)),
        percent=chance.choice((10, 15, 20, 25, 30, 40, 50)),
        phone=_phone(chance, day),
    )  # fmt: skip


def _place(chance: Random, topic: Topic, stock: Mapping[str, Any]) -> str:
    """Where it is; now and then a name that only looks as if it were of the topic."""
    if topic.miss and chance.random() < 0.3:
        return topic.miss
    return str(chance.choice(stock["places"]))


def _phone(chance: Random, day: date) -> str:
    """A number that has the day's number in it, which a new date must leave alone."""
    first, middle, last = (chance.randrange(*span) for span in ((20, 90), (2000, 9999), (10, 99)))
    return f"0{first} {middle} {day.day:02d}{last}"


def thing(split: Split, motif: str, language: Language) -> tuple[str, str]:
    """What an illustration is called: after "the", and when it is first named."""
    the, a, chinese = themes(split)["things"][motif]
    return (chinese, chinese) if language == "Chinese" else (the, a)
