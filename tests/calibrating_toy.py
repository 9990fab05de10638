"""A toy study: edits of known worth, simulated raters, and measures that see it, miss it, invert it."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from overpaint.measures.calibration import Column, Ground
from overpaint.measures.people import Key, People, opinion_of
from overpaint.stats.simulated import Study, simulate

LEVELS = {"fine": 4.3, "good": 3.8, "fair": 3.0, "poor": 2.2}  # of each editor, on 1 to 5
TASKS = ("add", "remove", "style")
SAMPLES = 24


def samples() -> list[str]:
    return [f"s{number:02}" for number in range(SAMPLES)]


def ground(draws: int = 200) -> Ground:
    """Two samples of each source, three tasks."""
    names = samples()
    sources = {name: f"c{place // 2}" for place, name in enumerate(names)}
    tasks = {name: TASKS[place % len(TASKS)] for place, name in enumerate(names)}
    return Ground(sources, tasks, 0, draws)


@cache
def truth() -> Mapping[Key, float]:
    """What each edit is worth: its editor's level, and how well it went this time."""
    random = np.random.default_rng(7)
    return {
        (name, editor): float(np.clip(level + random.normal(0, 0.5), 1, 5))
        for name in samples()
        for editor, level in LEVELS.items()
    }


@cache
def given(raters: int = 12, **shares: float) -> Mapping[Key, Mapping[str, float]]:
    """What simulated raters gave each edit."""
    keys = sorted(truth())
    study = Study(raters=raters, per_item=min(8, raters), items=len(keys), **shares)
    found = simulate(study, seed=3, truth=[truth()[key] for key in keys]).ratings
    return {
        key: {f"r{who}": float(v) for who, v in enumerate(column) if not np.isnan(v)}
        for key, column in zip(keys, found.T, strict=True)
    }


def people() -> People:
    return opinion_of("quality", given())


def columns() -> list[Column]:
    """A measure that sees it, one of errors, one that is noise and one that is upside down."""
    random = np.random.default_rng(11)
    sees = {key: value + random.normal(0, 0.3) for key, value in truth().items()}
    return [
        Column("sees", sees, version="1"),
        Column("error", {key: 50 - 10 * v for key, v in sees.items()}, higher_is_better=False),
        Column("noise", {key: random.normal() for key in truth()}),
        Column("upside", {key: -value for key, value in sees.items()}),
    ]
