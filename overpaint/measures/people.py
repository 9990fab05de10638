"""What people think of edits in one dimension: opinion scores, raw means, and who was left out.

Opinion scores are those of `stats.opinion` (z-scores of each rater after screening, MOS on 0 to
100); a question answered by yes or no has the majority's answer instead, 1 or 0, and none on a
tie.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from overpaint.stats import majority, opinion_scores
from overpaint.stats.bootstrap import Floats
from overpaint.stats.pairs import CLEAR

Key = tuple[str, str]  # sample, editor
Given = Mapping[Key, Mapping[str, float]]  # of each edit the value each rater gave


@dataclass(frozen=True)
class People:
    """One dimension as people rated it."""

    dimension: str
    yes_no: bool
    scores: Mapping[Key, float]  # MOS, or the majority's yes (1) or no (0)
    means: Mapping[Key, float]  # of all ratings as they were given
    counts: Mapping[Key, int]  # ratings behind each score
    errors: Mapping[Key, float] = field(default_factory=dict)  # standard errors, where they are
    ratings: int = 0
    raters: int = 0
    removed: float = 0.0  # share of the ratings that are not used
    rejected: Mapping[str, str] = field(default_factory=dict)  # rater -> why
    notes: tuple[str, ...] = ()
    # What the scores are the means of: raters × edits, NaN where there is nothing.
    table: Floats = field(default_factory=lambda: np.zeros((0, 0)), repr=False, compare=False)
    keys: tuple[Key, ...] = ()  # the edits of the table

    @property
    def per_edit(self) -> float:
        """Ratings an edit, on average."""
        return self.ratings / len(self.means) if self.means else 0.0

    def among(self, edits: Collection[Key]) -> "People":
        """The same with the scores of these edits alone."""
        return replace(self, scores={k: score for k, score in self.scores.items() if k in edits})

    def rated(self, keys: Collection[Key]) -> Floats:
        """The part of the table that is about these edits, in their order."""
        place = {key: at for at, key in enumerate(self.keys)}
        return self.table[:, [place[key] for key in keys]]


def opinion_of(dimension: str, given: Given, *, plain: bool = False) -> People:
    """Opinion scores of a dimension; raw means instead where they are to be `plain`.

    A dimension whose ratings are all 0 or 1 is a question answered by yes or no.
    """
    keys = tuple(sorted(given))
    raters = sorted({rater for said in given.values() for rater in said})
    table = np.full((len(raters), len(keys)), np.nan)
    place = {rater: at for at, rater in enumerate(raters)}
    for at, key in enumerate(keys):
        for rater, value in given[key].items():
            table[place[rater], at] = value
    means = dict(zip(keys, np.nanmean(table, axis=0).tolist(), strict=True))
    if np.isin(table[~np.isnan(table)], (0.0, 1.0)).all():
        return _majority(dimension, keys, table, means)
    if plain:
        return _plain(dimension, keys, table, means)
    return _screened((dimension, raters), keys, table, means)


def _screened(
    named: tuple[str, Sequence[str]], keys: tuple[Key, ...], table: Floats, means: dict[Key, float]
) -> People:
    dimension, raters = named
    found = opinion_scores(table)
    there = np.isfinite(found.mos)
    scored = [key for key, is_there in zip(keys, there.tolist(), strict=True) if is_there]
    half = (found.high - found.low)[there] / 2
    spans = zip(scored, half.tolist(), strict=True)
    return People(
        dimension, False, dict(zip(scored, found.mos[there].tolist(), strict=True)), means,
        dict(zip(scored, found.n[there].tolist(), strict=True)),
        {key: span / CLEAR for key, span in spans if np.isfinite(span)},
        int((~np.isnan(table)).sum()), len(raters), found.share_removed,
        {raters[at]: why for at, why in found.reasons.items()}, found.notes,
        100 * (found.z + 3) / 6, keys,
    )  # fmt: skip


def _plain(dimension: str, keys: tuple[Key, ...], table: Floats, means: dict[Key, float]) -> People:
    counts = (~np.isnan(table)).sum(axis=0)
    spread = np.array([np.nanstd(column, ddof=1) if n > 1 else np.nan
                       for column, n in zip(table.T, counts, strict=True)])  # fmt: skip
    errors = zip(keys, (spread / np.sqrt(counts)).tolist(), strict=True)
    return People(
        dimension, False, means, means, dict(zip(keys, counts.tolist(), strict=True)),
        {key: error for key, error in errors if np.isfinite(error)}, int(counts.sum()), len(table),
        notes=("raw means: nothing was screened",), table=table, keys=keys,
    )  # fmt: skip


def _majority(
    dimension: str, keys: tuple[Key, ...], table: Floats, means: dict[Key, float]
) -> People:
    said = dict(zip(keys, majority(table), strict=True))
    scores = {key: float(answer) for key, answer in said.items() if answer is not None}
    counts = (~np.isnan(table)).sum(axis=0)
    tied = len(keys) - len(scores)
    even = f"{tied} of {len(keys)} edits have as many yes as no, and no majority"
    return People(
        dimension, True, scores, means, dict(zip(keys, counts.tolist(), strict=True)),
        ratings=int(counts.sum()), raters=len(table), notes=(even,) if tied else (),
        table=table, keys=keys,
    )  # fmt: skip


def published(dimension: str, scores: Mapping[Key, float], told: str) -> People:
    """Opinion scores that were published without the ratings behind them."""
    yes_no = bool(scores) and set(scores.values()) <= {0.0, 1.0}
    return People(dimension, yes_no, scores, scores, dict.fromkeys(scores, 0), notes=(told,))
