"""Simulated opinion: what people would say of an edit, from how it was constructed and only that.

An edit has a share of the edit that was done (d), a strength of collateral damage (a) of some kind,
and, where something was to be taken away, the strength of that (s). All are 0 to 1, and

    left  = s · (1 − d)                    what is still there of it
    Q     = (1 − q·a) · (1 − ⅔·left)
    E     = d · (1 − ¼·a)
    P     = 1 − p·a
    done  = 3 + 3.2 · (E − 0.7) + 1.6 · (Q − 0.55), held to 1–5; yes from 3 up

quality, alignment and preservation are 1.4 + 3.2 times Q, E and P: people keep off the ends of a
scale, and where all stand at an end their differences are cut off. q and p say how much a kind of
damage is taken amiss: what lies over everything (JPEG, noise, blur) spoils quality more, what makes
another thing of it (a cast, bent outlines, smears) spoils preservation more. No measure enters: so
measures can be held against it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from overpaint.core import Edit, Sample
from overpaint.engines.ebench.graded import HABITS, Made, made
from overpaint.errors import UserMistake
from overpaint.stats.simulated import Study, assign, draw_raters, simulate
from overpaint.store import Store

STRENGTH = "strength"  # the fact of a sample from which on its construction is known
DIMENSIONS = ("quality", "alignment", "preservation", "done")
YES = 3.0  # what a rater thinks of "done" from which on the answer is yes
SCALE = (1.0, 5.0)
SIMULATED = "simulated-"  # what the names of raters begin with whom nobody has met
LOWEST, SPAN = 1.4, 3.2  # from the worst that anybody thinks to the best
# How much each kind of damage is taken amiss, in quality and in preservation.
AMISS: Mapping[str, tuple[float, float]] = {
    "jpeg": (1.0, 0.6), "noise": (1.0, 0.6), "blur": (1.0, 0.75), "cast": (0.6, 1.0),
    "warp": (0.75, 1.0), "smear": (0.85, 1.0), "blank": (1.0, 1.0),
}  # fmt: skip
# Floors and the ceiling are constructions, too: σ 20 of 255 is .39 of the strongest noise.
MARKS: Mapping[str, Made] = {
    "identity": Made(0.0, 0.0, "noise"), "blank": Made(0.0, 1.0, "blank"),
    "source-noise": Made(0.0, 0.39, "noise"), "truth": Made(1.0, 0.0, "noise"),
}  # fmt: skip


@dataclass(frozen=True)
class Opinion:
    """What people would say of an edit if they all said the same, each on 1–5."""

    quality: float
    alignment: float
    preservation: float
    done: float

    @property
    def answer(self) -> bool:
        """Whether it meets what was asked."""
        return self.done >= YES


class Rating(NamedTuple):
    """One answer of one simulated rater; yes is 1 and no is 0."""

    sample: str
    editor: str
    rater: str
    dimension: str
    value: float


def opinion(what: Made, *, strength: float = 0.0) -> Opinion:
    """The opinion of an edit constructed so, of a source degraded by that strength."""
    amiss, lost = AMISS[what.kind]
    left = strength * (1 - what.done)
    quality = (1 - amiss * what.damage) * (1 - 2 / 3 * left)
    alignment = what.done * (1 - what.damage / 4)
    preservation = 1 - lost * what.damage
    done = YES + SPAN * ((alignment - 0.7) + (quality - 0.55) / 2)
    q, e, p = (LOWEST + SPAN * share for share in (quality, alignment, preservation))
    return Opinion(q, e, p, min(max(done, SCALE[0]), SCALE[1]))


def of_edit(sample: Sample, spec: str) -> Opinion | None:
    """The opinion of what the editor behind that spec made of a sample, where it is known."""
    strength = sample.facts.get(STRENGTH)
    if not isinstance(strength, float | int):
        return None
    name = spec.removeprefix("graded:")
    what = made(name, sample.id) if name in HABITS else MARKS.get(spec)
    return opinion(what, strength=float(strength)) if what else None


def simulated_ratings(
    made_by: Store | Iterable[Edit], *, raters: int = 30, per_item: int = 15, seed: int = 0,
    study: Study | None = None, editors: Collection[str] = (),
) -> Iterator[Rating]:  # fmt: skip
    """What simulated raters say of a run's edits whose construction is known, item by item.

    Without a `study` all raters are honest, with the biases and noise of `stats.simulated`; of
    `editors`, where they are named, alone.
    """
    known = [one for one in _known(made_by) if not editors or one[1] in editors]
    if not known:
        raise UserMistake(
            "Nothing here has an opinion that is known by construction.",
            "That is so of graded editors, floors and the truth on the built-in set of ebench.",
            "Run it first: overpaint run ebench --editor graded:thorough --editor graded:timid",
        )
    asked = replace(study or Study(raters=raters, per_item=per_item), items=len(known))
    people, order = np.random.SeedSequence(seed).spawn(2)
    who = draw_raters(asked, np.random.default_rng(people))
    shown = assign(asked, np.random.default_rng(order))
    everyone = replace(asked, per_item=asked.raters)
    # Each rater answers all questions about an edit, with the same bias and another noise.
    answers = {
        name: simulate(everyone, seed=seed * len(DIMENSIONS) + place, raters=who,
                       truth=[getattr(said, name) for _, _, said in known]).ratings
        for place, name in enumerate(DIMENSIONS)
    }  # fmt: skip
    digits = len(str(asked.raters))
    for item, (sample, editor, _) in enumerate(known):
        for rater in np.flatnonzero(shown[:, item]):
            for name in DIMENSIONS:
                value = float(answers[name][rater, item])
                value = float(value >= YES) if name == "done" else round(value, 2)
                yield Rating(sample, editor, f"{SIMULATED}{rater + 1:0{digits}}", name, value)


def _known(made_by: Store | Iterable[Edit]) -> Iterator[tuple[str, str, Opinion]]:
    """Sample, editor and opinion of each edit with a picture and a known construction."""
    specs = made_by.editors if isinstance(made_by, Store) else {}
    for edit in made_by.edits() if isinstance(made_by, Store) else made_by:
        said = of_edit(edit.sample, specs.get(edit.editor, edit.editor))
        if edit.status == "ok" and said is not None:
            yield edit.sample.id, edit.editor, said
