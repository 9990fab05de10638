"""Generating: a layered design, an instruction, the exact truth, and all that is known of them.

The same seed, number and fonts give the same layers, bit for bit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from overpaint.document import Document
from overpaint.engines.milde.compose import Design, compose
from overpaint.engines.milde.content import (
    LANGUAGES,
    SPLITS,
    Content,
    Language,
    Split,
    draw_content,
    themes,
)
from overpaint.engines.milde.edits import KINDS, Change, Job
from overpaint.engines.milde.plan import Needs, Plan, draw_plan
from overpaint.engines.milde.telling import Teller, squeezed

# The turn of the kinds: what people ask for often stands in it more than once.
TURN = (
    ("transfer",), ("date",), ("swap",), ("rename",), ("title_colour",), ("transfer", "date"),
    ("place",), ("remove_frame",), ("transfer",), ("date", "title_colour"), ("transfer_ground",),
    ("band_colour",), ("retitle",), ("motif_colour", "line"), ("remove_contact",), ("discount",),
    ("ground_colour",), ("transfer_words",), ("rename", "place"), ("motif_colour",), ("transfer",),
    ("later",), ("date_place",), ("transfer", "place"), ("remove_seal",), ("dark_colour",),
    ("badge",), ("transfer",), ("remove_frame", "price"), ("line",), ("remove_second",), ("time",),
    ("motif_colour", "retitle"), ("motif_colour", "remove_frame"), ("remove_organiser",),
    ("transfer", "price"),
    ("capitals",), ("remove_second", "date"), ("swap",), ("transfer",), ("price",),
    ("rename", "title_colour"), ("band_colour", "remove_second"), ("discount", "remove_second"),
    ("time", "remove_contact"), ("transfer_ground",), ("band_colour", "date"), ("discount",),
    ("transfer",), ("transfer", "remove_contact"),
)  # fmt: skip


@dataclass(frozen=True)
class Generated:
    """A source, an instruction, the exact truth, and what the index says of them."""

    source: Document
    truth: Document
    entry: Mapping[str, Any]


@dataclass(frozen=True)
class Draft:
    """A sample before anything is drawn."""

    plan: Plan
    kinds: tuple[str, ...]
    change: Change
    design: Design


def make(number: int, *, seed: int) -> Generated:
    """The sample with this number: splits and languages take turns, then kinds of edit."""
    sketch = draft(number, seed=seed)
    content = sketch.plan.content
    source = sketch.design.source()
    truth = sketch.design.truth(source)
    told = Teller(sketch.design, content.split, content.language).entry(source, truth)
    entry = {
        "instruction": sketch.change.said, "language": content.language, "split": content.split,
        "theme": content.family, "format": sketch.plan.format, "kind": "+".join(sketch.kinds),
        **told,
    }  # fmt: skip
    return Generated(source, truth, entry)


def draft(number: int, *, seed: int) -> Draft:
    """All that is decided about the sample with this number."""
    split, language = SPLITS[number // 2 % 2], LANGUAGES[number % 2]
    turn = number // 4
    kinds = TURN[turn % len(TURN)]
    if "capitals" in kinds and language == "Chinese":
        kinds = ("retitle",)
    chance = Random(f"milde/{seed}/{number}")
    plan = _planned(chance, kinds, (split, language), turn)
    change = _asked(chance, plan, kinds)
    return Draft(plan, kinds, change, compose(plan, change, chance))


def _planned(
    chance: Random, kinds: tuple[str, ...], group: tuple[Split, Language], turn: int
) -> Plan:
    needs = _needs([KINDS[kind][1] for kind in kinds])
    content = draw_content(chance, group, turn, sells=needs.sells, solid=needs.solid)
    content = replace(content, patterns=_suited(chance, content, kinds))
    return draw_plan(chance, content, needs)


def _suited(chance: Random, content: Content, kinds: tuple[str, ...]) -> dict[str, str]:
    """The lines, with those that an edit needs or that would leave open what it means."""
    stock = themes(content.split)["stock"][content.language]
    patterns = dict(content.patterns)
    if "time" in kinds:
        patterns["date"] = "{date}, {time}"
    if "price" in kinds:
        patterns["price"] = chance.choice(stock["tickets"])
    if {"remove_contact", "remove_organiser"} & set(kinds):
        patterns["contact"] = chance.choice([c for c in stock["contacts"] if "{name}" not in c])
        patterns["title"] = patterns["title"].split(" at {name}")[0]
    return patterns


def _needs(listed: list[Needs]) -> Needs:
    """What several edits need together."""
    return Needs(
        roles=tuple(dict.fromkeys(role for one in listed for role in one.roles)),
        figures=tuple(dict.fromkeys(f for one in listed for f in one.figures)),
        never=tuple(dict.fromkeys(n for one in listed for n in one.never)),
        sells=next((one.sells for one in listed if one.sells is not None), None),
        pale=any(one.pale for one in listed),
        plain=any(one.plain for one in listed), apart=any(one.apart for one in listed),
        solid=any(one.solid for one in listed), least=max(one.least for one in listed),
    )  # fmt: skip


def _clear(job: Job, kind: str) -> Change:
    """A change of that kind whose old and new lines no reader can mistake for each other."""
    for _ in range(50):
        change = KINDS[kind][0](job)
        pairs = [(squeezed(job.content.line(role)), squeezed(new))
                 for role, new in change.lines.items() if new]  # fmt: skip
        if all(old == new or (old not in new and new not in old) for old, new in pairs):
            break
    return change


def _asked(chance: Random, plan: Plan, kinds: tuple[str, ...]) -> Change:
    """One change, or two that are asked for in one breath."""
    job = Job(chance, plan)
    changes = [_clear(job, kind) for kind in kinds]
    if len(changes) == 1:
        return changes[0]
    one, two = changes
    return Change(
        job.say("also", one=one.said, two=two.said), {**one.lines, **two.lines},
        {**one.looks, **two.looks}, (*one.gone, *two.gone),
    )  # fmt: skip
