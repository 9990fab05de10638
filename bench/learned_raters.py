"""Three rater models for `bench/learned.py`, fixed before anything was trained on them.

Each goes from how an edit was constructed (share done d, damage a of some kind, strength s of what
was to be taken away; `engines/ebench/opinions.py`) to shares Q, E and P, and has raters of its own.

    built-in   the opinion that comes with the set: products, damage weighed by kind
    strict     the worst thing decides: other weights by kind, curves that fall fast at first, half
               an edit is a third of one; raters with more bias and noise
    tolerant   small damage goes unseen and large damage is all the same (a logistic); every rater
               minds other kinds of damage; some raters are careless
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from overpaint.engines.ebench.graded import DAMAGES, Made
from overpaint.engines.ebench.opinions import LOWEST, SPAN, opinion
from overpaint.measures.people import Key, People, opinion_of
from overpaint.stats.simulated import Study, assign, draw_raters, simulate

DIMENSIONS = ("quality", "alignment", "preservation")
SEED = 20261118
# What is held out, a value at a time and with it all edits of the sources that are tried on: so
# what is tried on is new in its source, and besides in its editor or kind of damage.
HELD_OUT = ("source", "editor", "damage")
Shares = tuple[float, float, float]  # Q, E and P, each 0 to 1

# How much each kind of damage is taken amiss by strict raters, in quality and in preservation.
STRICT: Mapping[str, tuple[float, float]] = {
    "jpeg": (0.8, 0.5), "noise": (0.9, 0.7), "blur": (0.85, 0.9), "cast": (0.75, 0.85),
    "warp": (0.9, 0.95), "smear": (1.0, 1.0),
}  # fmt: skip
SEEN, STEEP = 0.35, 9.0  # of tolerant raters: damage that half of them mind, and how suddenly
OWN_WEIGHTS = (0.6, 1.4)  # what a tolerant rater's own weight of a kind lies between


@dataclass(frozen=True)
class Raters:
    """A rater model: what they think on the whole, who they are, whether tastes differ."""

    name: str
    thinks: Callable[[Made, float], Shares]
    study: Study
    own_tastes: bool = False


def _built_in(what: Made, strength: float) -> Shares:
    said = opinion(what, strength=strength)
    told = (said.quality, said.alignment, said.preservation)
    quality, alignment, preservation = ((one - LOWEST) / SPAN for one in told)
    return quality, alignment, preservation


def _strict(what: Made, strength: float) -> Shares:
    amiss, lost = STRICT[what.kind]
    left = strength * (1 - what.done)
    quality = 1 - max(amiss * what.damage, 0.8 * left) ** 0.7
    alignment = what.done**1.6 * (1 - 0.4 * what.damage)
    return quality, alignment, (1 - lost * what.damage) ** 1.7


def _tolerant(what: Made, strength: float) -> Shares:
    left = strength * (1 - what.done)
    quality = 1 - _minded(0.75 * what.damage + 0.5 * left)
    return quality, _minded(what.done - 0.1 * what.damage), 1 - _minded(0.9 * what.damage)


def _minded(amount: float) -> float:
    low, high, here = (1 / (1 + math.exp(-STEEP * (x - SEEN))) for x in (0.0, 1.0, amount))
    return (here - low) / (high - low)


MODELS = (
    Raters("built-in", _built_in, Study(raters=30, per_item=15)),
    Raters("strict", _strict, Study(raters=30, per_item=15, bias=0.6, noise=0.9)),
    Raters("tolerant", _tolerant, own_tastes=True,
           study=Study(raters=30, per_item=15, bias=0.3, noise=0.6, noisy=0.1, random=0.04,
                       straight=0.03, inverted=0.03)),
)  # fmt: skip


def rated(
    model: Raters, edits: Sequence[tuple[Key, Made, float]], *, seed: int = SEED
) -> dict[str, People]:
    """What raters of that model say of edits (key, construction, strength), screened, as scores."""
    study = Study(**{**vars(model.study), "items": len(edits)})
    chances = [np.random.default_rng(one) for one in np.random.SeedSequence(seed).spawn(3)]
    who, shown = draw_raters(study, chances[0]), assign(study, chances[1])
    tastes = chances[2].uniform(*OWN_WEIGHTS, (study.raters, len(DAMAGES)))
    everyone = Study(**{**vars(study), "per_item": study.raters})
    said: dict[str, dict[Key, dict[str, float]]] = {name: {} for name in DIMENSIONS}
    for place, name in enumerate(DIMENSIONS):
        whole = _truth(model, edits, place)
        answers = simulate(everyone, seed=seed + place, truth=whole, raters=who).ratings
        if model.own_tastes:
            honest = np.array([not one.careless for one in who])[:, None]
            answers = answers + honest * (_by_taste(model, edits, place, tastes) - whole)
        answers = np.clip(answers, *study.scale)
        for item, (key, _, _) in enumerate(edits):
            for rater in np.flatnonzero(shown[:, item]):
                said[name].setdefault(key, {})[f"r{rater}"] = round(float(answers[rater, item]), 2)
    return {name: opinion_of(name, given) for name, given in said.items()}


def _truth(
    model: Raters, edits: Sequence[tuple[Key, Made, float]], place: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    shares = [model.thinks(what, strength)[place] for _, what, strength in edits]
    return LOWEST + SPAN * np.array(shares)


def _by_taste(
    model: Raters, edits: Sequence[tuple[Key, Made, float]], place: int, tastes: np.ndarray
) -> np.ndarray:
    """What each rater would think by their own weights of the kinds of damage."""
    rows = []
    for weights in tastes:
        own = [
            (key, Made(what.done, min(1.0, what.damage * weights[DAMAGES.index(what.kind)]),
                       what.kind), strength)
            for key, what, strength in edits
        ]  # fmt: skip
        rows.append(_truth(model, own, place))
    return np.stack(rows)
