"""A measure brought onto people's scale: an isotonic map, and its error on sources it never saw.

The map is `stats.fitting.isotonic`, from the measure's own numbers to opinion scores. Its error is
cross-validated: sources are dealt into folds, the scores of each fold are told by a map made of the
others, so nothing is held against what it was made from. Beside it stands the error of telling
everyone the mean, which is what knowing nothing costs.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from overpaint.document import regular
from overpaint.errors import UserMistake
from overpaint.measures.calibration import FEWEST, Column, Ground, too_few
from overpaint.measures.people import Key, People
from overpaint.stats.bootstrap import FEWEST_CLUSTERS, Floats
from overpaint.stats.correlation import Correlation, few, rmse
from overpaint.stats.fitting import Isotonic, isotonic, isotonic_from

FOLDS = 10
FORMAT = "overpaint calibration 1"
LARGEST = 2**24  # bytes of a file of maps


@dataclass(frozen=True)
class Calibrated:
    """A measure's map to people's scores, and what it is worth."""

    measure: str
    dimension: str
    map: Isotonic | None  # None: see notes
    n: int
    sources: int
    folds: int = 0
    rmse: Correlation | None = None  # on sources that the map was not made of
    rmse_of_mean: float | None = None  # of telling everyone the others' mean
    told: Mapping[Key, float] = field(default_factory=dict, repr=False)  # by maps of other folds
    version: str = ""  # the measure's
    notes: tuple[str, ...] = ()

    @property
    def gain(self) -> float | None:
        """The share of the squared error that knowing the measure takes away; below 0: harm."""
        if self.rmse is None or self.rmse.value is None or not self.rmse_of_mean:
            return None
        return 1 - (self.rmse.value / self.rmse_of_mean) ** 2

    def __call__(self, values: ArrayLike) -> Floats:
        """The opinion score that goes with each value of the measure."""
        if self.map is None:
            raise ValueError(f"{self.measure} has no map to {self.dimension}: {self.notes[0]}")
        return self.map(values)


def calibrated(column: Column, people: People, ground: Ground) -> Calibrated:
    """The map from a measure to people's scores, with its cross-validated error."""
    keys = [key for key in sorted(people.scores) if key in column.values]
    clusters = ground.clusters(keys)
    names = sorted(set(clusters))
    facts = (column.name, people.dimension)
    if len(keys) < FEWEST or len(names) < FEWEST_CLUSTERS:
        why = too_few(len(keys)) if len(keys) < FEWEST else few(len(names))
        return Calibrated(*facts, None, len(keys), len(names), notes=(why,))
    x = np.array([column.values[key] for key in keys])
    y = np.array([people.scores[key] for key in keys])
    fold = _folds(clusters, names, ground.seed)
    told, mean = np.empty_like(y), np.empty_like(y)
    for number in range(int(fold.max()) + 1):
        out = fold == number
        told[out] = isotonic(x[~out], y[~out], increasing=column.higher_is_better)(x[out])
        mean[out] = y[~out].mean()
    found = rmse(told, y, clusters, seed=ground.seed, draws=ground.draws)
    return Calibrated(
        *facts, isotonic(x, y, increasing=column.higher_is_better), len(keys), len(names),
        int(fold.max()) + 1, found, math.sqrt(float(np.mean((mean - y) ** 2))),
        dict(zip(keys, told.tolist(), strict=True)), column.version, found.notes,
    )  # fmt: skip


def _folds(clusters: Sequence[str], names: Sequence[str], seed: int) -> Any:
    """The fold of each edit; all edits of a source are in one."""
    order = np.random.default_rng(seed).permutation(len(names))
    fold = {names[at]: place % min(FOLDS, len(names)) for place, at in enumerate(order.tolist())}
    return np.array([fold[name] for name in clusters])


# ── maps as files ───────────────────────────────────────────────────────────────────────


def maps_json(found: Sequence[Calibrated]) -> str:
    """The maps as JSON; `read_map` reads one back."""
    told = [
        {
            "measure": one.measure, "version": one.version, "dimension": one.dimension,
            **one.map.as_dict(), "sources": one.sources, "folds": one.folds,
            "rmse": one.rmse.value if one.rmse else None, "rmse_of_mean": one.rmse_of_mean,
        }
        for one in found
        if one.map is not None
    ]  # fmt: skip
    return json.dumps({"format": FORMAT, "maps": told}, ensure_ascii=False, indent=1) + "\n"


def read_map(path: Path, measure: str, dimension: str) -> Isotonic:
    """The map of a measure to a dimension from a file that `overpaint calibrate -o` wrote.

    Called with values of the measure it gives opinion scores.
    """
    form = "`overpaint calibrate RUN -o FOLDER` writes calibration.json."
    try:
        with regular.opened(path) as file:
            data = file.read(LARGEST + 1)
        found = json.loads(data) if len(data) <= LARGEST else None
    except OSError as error:
        raise UserMistake(f"{path} cannot be read: {error.strerror}.", form) from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise UserMistake(f"{path} holds no calibration.", form)
    listed = found.get("maps")
    maps = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    for one in maps:
        if (one.get("measure"), one.get("dimension")) == (measure, dimension):
            try:
                return isotonic_from(one)
            except ValueError as error:
                raise UserMistake(f"{path}: {error}.", form) from None
    known = ", ".join(f"{one.get('measure')} to {one.get('dimension')}" for one in maps[:20])
    raise UserMistake(f"{path} has no map of {measure} to {dimension}.", f"It has {known}.")
