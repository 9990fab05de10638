"""Generating: a layered design, an instruction, the exact truth, and all that is known of them.

The same seed, number and fonts give the same layers, bit for bit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from overpaint.document import Document
from overpaint.engines.milde.compose import compose
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
from overpaint.engines.milde.telling import Teller

# The turn of the kinds: what people ask for often stands in it more than once.
TURN = (
    ("transfer",), ("date",), ("swap",), ("rename",), ("title_colour",), ("transfer",),
    ("place",), ("remove_frame",), ("price",), ("date", "title_colour"), ("transfer_ground",),
    ("band_colour",), ("retitle",), ("swap", "line"), ("remove_contact",), ("discount",),
    ("ground_colour",), ("transfer_words",), ("motif_colour",), ("later",), ("date_place",),
    ("remove_seal",), ("transfer", "date"), ("dark_colour",), ("badge",), ("line",),
    ("remove_second",), ("rename", "place"), ("time",), ("motif_colour", "retitle"),
    ("remove_organiser",), ("transfer",), ("capitals",), ("swap", "place"), ("remove_frame", "price"),
)  # fmt: skip


@dataclass(frozen=True)
class Generated:
    """A source, an instruction, the exact truth, and what the index says of them."""

    source: Document
    truth: Document
    entry: Mapping[str, Any]


def make(number: int, *, seed: int) -> Generated:
    """The sample with this number: splits and languages take turns, then kinds of edit."""
    split, language = SPLITS[number // 2 % 2], LANGUAGES[number % 2]
    turn = number // 4
    kinds = TURN[(turn + seed) % len(TURN)]
    if "capitals" in kinds and language == "Chinese":
        kinds = ("retitle",)
    chance = Random(f"milde/{seed}/{number}")
    content, plan = _planned(chance, kinds, (split, language), turn)
    change = _asked(chance, plan, kinds)
    design = compose(plan, change, chance)
    source = design.source()
    truth = design.truth(source)
    layers = {f"{name}/{layer.id}": layer
              for name, document in (("source", source), ("truth", truth))
              for layer in document.layers}  # fmt: skip
    told = Teller(design, split, language).entry(layers)
    entry = {
        "instruction": change.said, "language": language, "split": split,
        "theme": content.family, "format": plan.format, "kind": "+".join(kinds), **told,
    }  # fmt: skip
    return Generated(source, truth, entry)


def _planned(
    chance: Random, kinds: tuple[str, ...], group: tuple[Split, Language], turn: int
) -> tuple[Content, Plan]:
    needs = _needs([KINDS[kind][1] for kind in kinds])
    content = draw_content(chance, *group, turn, sells=needs.sells)
    content = replace(content, patterns=_suited(chance, content, kinds))
    return content, draw_plan(chance, content, needs)


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
        sells=any(one.sells for one in listed), pale=any(one.pale for one in listed),
        plain=any(one.plain for one in listed), least=max(one.least for one in listed),
    )  # fmt: skip


def _asked(chance: Random, plan: Plan, kinds: tuple[str, ...]) -> Change:
    """One change, or two that are asked for in one breath."""
    job = Job(chance, plan)
    changes = [KINDS[kind][0](job) for kind in kinds]
    if len(changes) == 1:
        return changes[0]
    one, two = changes
    return Change(
        job.say("also", one=one.said, two=two.said), {**one.lines, **two.lines},
        {**one.looks, **two.looks}, (*one.gone, *two.gone),
    )  # fmt: skip
