"""Edits: what is asked for, and exactly what changes, decided before anything is drawn."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random
from typing import Any

from overpaint.engines.milde.content import (
    BADGE,
    Content,
    Told,
    Topic,
    dated,
    priced,
    themes,
    thing,
    timed,
    topics,
    wordings,
)
from overpaint.engines.milde.figures import MOTIFS
from overpaint.engines.milde.palette import (
    BRIGHT,
    DEEP,
    PALE,
    READABLE,
    called,
    contrast,
    distance,
    hexed,
    on,
    others,
)
from overpaint.engines.milde.plan import Needs, Plan

Looks = Mapping[str, Mapping[str, str]]
FAR, NEAR = 130.0, 48.0  # between two colours nobody takes for one, of things and of grounds


@dataclass(frozen=True)
class Change:
    """A sentence, and what it does to roles and figures."""

    said: str
    lines: Mapping[str, str] = field(default_factory=dict)  # of roles; "": the line is deleted
    looks: Looks = field(default_factory=dict)  # fields of parts, by role or figure
    gone: tuple[str, ...] = ()  # figures


@dataclass(frozen=True)
class Job:
    """A planned design whose edit is to be drawn."""

    chance: Random
    plan: Plan

    @property
    def content(self) -> Content:
        """What the design says."""
        return self.plan.content

    def say(self, kind: str, **values: object) -> str:
        """One of the ways of its split to ask for this."""
        content = self.content
        said = self.chance.choice(wordings(content.split)[kind][content.language])
        return _with_articles(said.format(**values))

    def lines(self, told: Told, value: str) -> dict[str, str]:
        """The new lines of all roles that have a value in them."""
        roles = [role for role in self.plan.roles if self.content.shows(role, value)]
        return {role: self.content.line(role, told) for role in roles}

    def other(self, stocked: str, than: str) -> str:
        """Something else from the stock of the split."""
        stock = themes(self.content.split)["stock"][self.content.language][stocked]
        return str(self.chance.choice([one for one in stock if one != than]))

    def colour(self, names: list[str]) -> tuple[str, str]:
        """A colour, and what it is called."""
        name = self.chance.choice(names)
        return name, called(name, self.content.language)


def _with_articles(said: str) -> str:
    """The sentence with "an" before a vowel, wherever a word was put in."""
    return re.sub(r"\b([Aa]) (?=[aeioAEIO])", r"\1n ", said)


# ── another theme ───────────────────────────────────────────────────────────────────────


def _another(job: Job) -> Topic:
    content = job.content
    listed = topics(content.split, content.family, content.language)
    return job.chance.choice([one for one in listed if one.word != content.topic.word])


def _told_topic(job: Job, new: Topic) -> dict[str, Any]:
    old = job.content.topic
    the = thing(job.content.split, job.plan.motif, job.content.language)[0]
    return {"old": old.word, "new": new.word, "event": job.content.event, "thing": the}


def _shown(job: Job, new: Topic) -> dict[str, dict[str, str]]:
    """The figures that show the topic, with the new one's."""
    looks = {"motif": {"motif": new.motif}} if "motif" in job.plan.figures else {}
    if "pattern" in job.plan.figures and job.plan.themed:
        looks["pattern"] = {"motif": new.motif}
    return looks


def transfer(job: Job, *, kind: str = "transfer", pictures: bool = True) -> Change:
    """Another topic of the same theme: every word that names it, and what shows it."""
    new = _another(job)
    lines = job.lines(replace(job.content.told, topic=new.word), "topic")
    return Change(
        job.say(kind, **_told_topic(job, new)), lines, _shown(job, new) if pictures else {}
    )


def transfer_words(job: Job) -> Change:
    """The words alone."""
    return transfer(job, kind="transfer_words", pictures=False)


def transfer_ground(job: Job) -> Change:
    """Another topic on another ground."""
    new, (name, colour) = _another(job), _ground(job)
    lines = job.lines(replace(job.content.told, topic=new.word), "topic")
    looks = {**_shown(job, new), "ground": {"colour": name}}
    return Change(job.say("transfer_ground", colour=colour, **_told_topic(job, new)), lines, looks)


# ── facts ───────────────────────────────────────────────────────────────────────────────


def _fact(job: Job, kind: str, value: str, **changes: Any) -> Change:
    """New values of the facts, told old and new as they are printed."""
    told, language = job.content.told, job.content.language
    new = replace(told, **changes)
    printed: dict[str, Callable[[Told], object]] = {
        "date": lambda t: dated(t.day, language, t.dated),
        "time": lambda t: timed(t.hour, language),
        "price": lambda t: priced(t.price, language),
        "place": lambda t: t.place,
        "name": lambda t: t.name,
        "percent": lambda t: t.percent,
    }
    said = job.say(kind, old=printed[value](told), new=printed[value](new))
    return Change(said, job.lines(new, value))


def date(job: Job) -> Change:
    """Another day."""
    days = job.chance.choice((1, 2, 5, 6, 7, 8, 14, 21, 30))
    return _fact(job, "date", "date", day=job.content.told.day + timedelta(days=days))


def later(job: Job) -> Change:
    """A week later; nobody says which day that is."""
    return _fact(job, "later", "date", day=job.content.told.day + timedelta(days=7))


def time(job: Job) -> Change:
    """Another hour."""
    hours = [h for h in (8, 10, 12, 13, 16, 17, 19, 21) if h != job.content.told.hour]
    return _fact(job, "time", "time", hour=job.chance.choice(hours))


def place(job: Job) -> Change:
    """Another place."""
    return _fact(job, "place", "place", place=job.other("places", job.content.told.place))


def date_place(job: Job) -> Change:
    """Another day at another place."""
    told, language = job.content.told, job.content.language
    days = job.chance.choice((2, 7, 9, 16))
    new = replace(told, day=told.day + timedelta(days=days), place=job.other("places", told.place))
    said = job.say(
        "date_place", new_place=new.place, old_place=told.place,
        new_date=dated(new.day, language, told.dated),
        old_date=dated(told.day, language, told.dated),
    )  # fmt: skip
    return Change(said, {**job.lines(new, "date"), **job.lines(new, "place")})


def rename(job: Job) -> Change:
    """Another name, everywhere."""
    return _fact(job, "rename", "name", name=job.other("names", job.content.told.name))


def price(job: Job) -> Change:
    """A higher price."""
    higher = [p for p in (7, 10, 14, 16, 20, 28, 35, 50, 60) if p > job.content.told.price]
    return _fact(job, "price", "price", price=job.chance.choice(higher))


def discount(job: Job) -> Change:
    """A greater discount, wherever it is printed."""
    more = [p for p in (20, 25, 30, 35, 45, 60, 70) if p > job.content.told.percent]
    return _fact(job, "discount", "percent", percent=job.chance.choice(more))


# ── words that are quoted ───────────────────────────────────────────────────────────────


def retitle(job: Job) -> Change:
    """A title in so many words."""
    new, old = job.other("titles", ""), job.content.line("title")
    return Change(job.say("retitle", new=new, old=old), {"title": new})


def line(job: Job) -> Change:
    """One line for another."""
    role = job.chance.choice([r for r in ("cta", "deadline") if r in job.plan.roles])
    old = job.content.line(role)
    new = job.other("ctas", old)
    return Change(job.say("line", new=new, old=old), {role: new})


def badge(job: Job) -> Change:
    """What a sticker says."""
    old = job.content.line(BADGE)
    new = job.other("calls", old)
    return Change(job.say("badge", new=new, old=old), {BADGE: new})


def capitals(job: Job) -> Change:
    """The title in capital letters."""
    return Change(job.say("capitals"), {"title": job.content.line("title").upper()})


# ── looks ───────────────────────────────────────────────────────────────────────────────


def _ground(job: Job) -> tuple[str, str]:
    """Another ground on which all the letters are read as well."""
    palette = job.plan.palette
    inks = [hexed(palette.ink), hexed(palette.body)]
    pool = DEEP if palette.deep else (*PALE, "yellow", "orange")
    fair = [
        name for name in pool
        if distance(hexed(name), hexed(palette.ground)) > NEAR
        and distance(hexed(name), hexed(palette.accent)) > NEAR
        and all(contrast(ink, hexed(name)) >= READABLE for ink in inks)
    ]  # fmt: skip
    return job.colour(fair)


def title_colour(job: Job) -> Change:
    """Another colour for the title."""
    palette = job.plan.palette
    names = others((*PALE, *DEEP, *BRIGHT), palette.ground, least=READABLE, than=palette.ink)
    name, colour = job.colour([n for n in names if n != palette.body])
    return Change(job.say("title_colour", colour=colour), looks={"title": {"colour": name}})


def band_colour(job: Job) -> Change:
    """Another colour for the band, on which its words are read as well."""
    palette = job.plan.palette
    names = others((*BRIGHT, *DEEP), palette.ground, least=1.6, than=palette.accent)
    fair = [n for n in names if on(n) == on(palette.accent)]
    name, colour = job.colour(fair)
    old = called(palette.accent, job.content.language)
    said = job.say("band_colour", colour=colour, old=old)
    return Change(said, looks={"band": {"colour": name}})


def ground_colour(job: Job) -> Change:
    """Another colour for the ground."""
    name, colour = _ground(job)
    return Change(job.say("ground_colour", colour=colour), looks={"ground": {"colour": name}})


def dark_colour(job: Job) -> Change:
    """Another colour for every dark word."""
    palette = job.plan.palette
    name, colour = job.colour(others(DEEP, palette.ground, least=READABLE, than=palette.ink))
    old = called(palette.ink, job.content.language)
    looks = {"letters": {"old": palette.ink, "colour": name}}
    return Change(job.say("dark_colour", colour=colour, old=old), looks=looks)


def motif_colour(job: Job) -> Change:
    """Another colour for the illustration."""
    own = MOTIFS[job.plan.motif][1]
    name, colour = job.colour([n for n in BRIGHT if distance(own, hexed(n)) > FAR])
    the = thing(job.content.split, job.plan.motif, job.content.language)[0]
    said = job.say("motif_colour", colour=colour, thing=the)
    return Change(said, looks={"motif": {"variant": hexed(name)}})


def swap(job: Job) -> Change:
    """Another illustration; the words stay, and it is said where they name the old one."""
    content, plan = job.content, job.plan
    fitting = [m for m in (content.topic.motif, *content.topic.others) if m != plan.motif]
    named = not fitting
    kin = [one.motif for one in topics(content.split, content.family, content.language)]
    new = job.chance.choice(fitting or [m for m in kin if m != plan.motif])
    old_the, new_a = (thing(content.split, m, content.language)[i]
                      for i, m in enumerate((plan.motif, new)))  # fmt: skip
    said = job.say("swap_named" if named else "swap", old=old_the, new=new_a)
    return Change(said, looks={"motif": {"motif": new}})


# ── removing ────────────────────────────────────────────────────────────────────────────


def remove_seal(job: Job) -> Change:
    """The sticker goes, and what stands on it."""
    said = job.say("remove_seal", words=job.content.line(BADGE))
    return Change(said, {BADGE: ""}, gone=("seal",))


def remove_contact(job: Job) -> Change:
    """The contact line goes."""
    said = job.say("remove_contact", words=job.content.line("contact"))
    return Change(said, {"contact": ""})


def remove_organiser(job: Job) -> Change:
    """The organiser's line goes."""
    said = job.say("remove_organiser", words=job.content.line("organiser"))
    return Change(said, {"organiser": ""})


def remove_frame(job: Job) -> Change:
    """The frame goes."""
    return Change(job.say("remove_frame"), gone=("frame",))


def remove_second(job: Job) -> Change:
    """The small picture goes."""
    content = job.content
    the, other = (
        thing(content.split, m, content.language)[0] for m in (job.plan.second, job.plan.motif)
    )
    return Change(job.say("remove_second", thing=the, other=other), gone=("second",))


# ── kinds ───────────────────────────────────────────────────────────────────────────────

Maker = Callable[[Job], Change]
KINDS: Mapping[str, tuple[Maker, Needs]] = {
    "transfer": (transfer, Needs(figures=("motif",), plain=True, least=3)),
    "transfer_words": (transfer_words, Needs(figures=("motif",), least=3)),
    "transfer_ground": (transfer_ground, Needs(figures=("motif",), plain=True, least=3)),
    "date": (date, Needs(roles=("date",))),
    "later": (later, Needs(roles=("date",))),
    "time": (time, Needs(roles=("date",))),
    "place": (place, Needs(roles=("place",))),
    "date_place": (date_place, Needs(roles=("date", "place"))),
    "rename": (rename, Needs(roles=("organiser",))),
    "price": (price, Needs(roles=("price",), sells=False)),
    "discount": (discount, Needs(roles=("price",), figures=("motif", "seal"), sells=True, least=5)),
    "title_colour": (title_colour, Needs(apart=True, least=3)),
    "band_colour": (band_colour, Needs(figures=("band",), least=4)),
    "ground_colour": (ground_colour, Needs(plain=True)),
    "dark_colour": (dark_colour, Needs(pale=True)),
    "motif_colour": (
        motif_colour,
        Needs(figures=("motif",), never=("pattern",), solid=True, least=3),
    ),
    "swap": (swap, Needs(figures=("motif",), never=("pattern",), least=3)),
    "remove_seal": (remove_seal, Needs(figures=("motif", "seal"), least=5)),
    "remove_contact": (remove_contact, Needs(roles=("contact",), least=3)),
    "remove_organiser": (remove_organiser, Needs(roles=("organiser",), least=3)),
    "remove_frame": (remove_frame, Needs(figures=("frame",), least=4)),
    "remove_second": (remove_second, Needs(figures=("motif", "second"), least=4)),
    "retitle": (retitle, Needs()),
    "line": (line, Needs(roles=("cta",))),
    "badge": (badge, Needs(figures=("motif", "seal"), least=5)),
    "capitals": (capitals, Needs()),
}
