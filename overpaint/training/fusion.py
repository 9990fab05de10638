"""`overpaint train fusion`: an evaluator that any laptop can train, read from top to bottom.

Features of every rated edit (`fusion_table`), for each dimension trees or curves that tell people's
scores from them (`fusion_model`), tried on sources that were left out, in folds; how wrong it was
there is how wide its intervals are. The result is a folder that `--measure learned:FOLDER` takes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import UserMistake
from overpaint.measures.learned.features import ALONE, BESIDE, LIKENESS
from overpaint.measures.learned.fusion import Curves, Dimension, Member, Trees
from overpaint.training.fusion_model import CurveTerms, TreeTerms, fit_curves, grow_trees
from overpaint.training.fusion_table import Table

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Members = Literal["trees", "curves", "best"]

ALIGNMENT = "alignment"
LOWEST = 0.02  # quantile of the scores that stands for an edit of which nothing was done
COVERED = 0.95
FEWEST_SOURCES, FEWEST_EDITS = 5, 30
MEASURES = (*BESIDE, *ALONE, LIKENESS, *(f"{name} gain" for name in ALONE))
# Signs by which a damage is known by its kind. One of two members does without them, and goes by
# how bad the worst sign is, so that a damage of a kind that nobody rated counts as well.
BY_KIND = (
    "harm ", "fresh", "gain", "bent", "tint", "lift", "lost", "unlike", "rest", "niqe", "brisque",
    "mse", "source fall", "output fall", "source steps", "output steps",
)  # fmt: skip


@dataclass(frozen=True)
class Terms:
    """How a fusion is trained."""

    members: Members = "trees"
    folds: int = 6
    seed: int = 0
    trees: TreeTerms = TreeTerms(  # noqa: RUF009  (frozen)
        trees=250, depth=4, rate=0.08, columns=0.3, rows=0.7
    )
    curves: CurveTerms = CurveTerms(steps=150, rate=0.15)  # noqa: RUF009  (frozen)

    def __post_init__(self) -> None:
        if self.folds < 2:
            raise UserMistake(
                f"{self.folds} folds were asked for.", "At least 2 are needed: one is tried on."
            )


# ── one dimension ───────────────────────────────────────────────────────────────────────


def columns_of(names: Sequence[str], dimension: str) -> list[Places]:
    """The features that a dimension is told from, a set for each of its members.

    What was asked for is told from what was done and not from how good the picture is, which also
    lets floors be shown that have no measures. All else is told twice, the second time without
    signs that know a damage by its kind.
    """
    if dimension == ALIGNMENT:
        return [np.flatnonzero([name not in MEASURES for name in names])]
    general = np.flatnonzero([not name.startswith(BY_KIND) for name in names])
    return [np.arange(len(names)), general]


def grown(table: Table, scores: Floats, rows: Places, dimension: str, terms: Terms) -> Dimension:
    """What tells a dimension, learned from these rows of the table."""
    values, wanted = _lesson(table, scores, rows, dimension)
    sets = columns_of(table.names, dimension)
    members = [_member(values, wanted, columns, terms) for columns in sets]
    return Dimension(members, [1 / len(members)] * len(members))


def _member(values: Floats, wanted: Floats, columns: Places, terms: Terms) -> Member:
    """Trees or curves that look at these features alone."""
    if terms.members == "curves":
        curves = fit_curves(values[:, columns], wanted, terms.curves)
        return Curves(curves.start, {int(columns[at]): c for at, c in curves.curves.items()})
    trees = grow_trees(values[:, columns], wanted, terms.trees, seed=terms.seed)
    places = np.where(trees.feature < 0, -1, columns[trees.feature])
    return Trees(trees.start, places, trees.threshold, trees.missing_left, trees.leaves)


def _lesson(table: Table, scores: Floats, rows: Places, dimension: str) -> tuple[Floats, Floats]:
    """Features and scores to learn from; for alignment with the floors of the same sources."""
    values, wanted = table.values[rows], scores[rows]
    if dimension != ALIGNMENT or not table.floor_of or _yes_no(wanted):
        return values, wanted
    low = float(np.quantile(wanted, LOWEST))
    here, sources = set(rows.tolist()), {table.clusters[row] for row in rows}
    facts = zip(table.floor_of, table.floor_clusters, table.floor_shares, strict=True)
    more, told = [], []
    for place, (of, cluster, share) in enumerate(facts):
        if (of in here) if of >= 0 else (cluster in sources):
            more.append(place)
            told.append(low + share * (scores[of] - low) if of >= 0 else low)
    return np.concatenate([values, table.floor_values[more]]), np.concatenate([wanted, told])


def _yes_no(wanted: Floats) -> bool:
    return bool(np.isin(wanted, (0.0, 1.0)).all())


# ── tried on sources that were left out ─────────────────────────────────────────────────


def folds(clusters: Sequence[str], count: int, *, seed: int = 0) -> Iterator[Places]:
    """Rows by source, dealt to so many folds of about as many sources each."""
    sources = sorted(set(clusters))
    np.random.default_rng(seed).shuffle(sources)
    place = {source: at % count for at, source in enumerate(sources)}
    of = np.array([place[cluster] for cluster in clusters])
    yield from (np.flatnonzero(of == at) for at in range(min(count, len(sources))))


def told_unseen(table: Table, scores: Floats, rows: Places, dimension: str, terms: Terms) -> Floats:
    """What is told of each of these rows by what was learned from the other folds' sources."""
    clusters = [table.clusters[row] for row in rows]
    told = np.full(len(rows), np.nan)
    for test in folds(clusters, terms.folds, seed=terms.seed):
        train = np.delete(rows, test)
        made = grown(table, scores, train, dimension, terms)
        told[test] = made(table.values[rows[test]])
    return told


def reach(errors: Floats, clusters: Sequence[str]) -> float:
    """Half the width of an interval that holds 95 % of the errors, each source counting the same.

    With few sources it is a little wider: another source may be worse than all of them.
    """
    sizes = {name: clusters.count(name) for name in set(clusters)}
    weights = np.array([1 / sizes[name] for name in clusters])
    size = np.abs(errors)
    order = np.argsort(size)
    sums = np.cumsum(weights[order]) / weights.sum()
    place = min(int(np.searchsorted(sums, COVERED)), len(sums) - 1)
    return float(size[order][place]) * (1 + 1 / len(sizes))


@dataclass(frozen=True, eq=False)
class Learned:
    """One dimension as it was learned, and what was told of each row by who had not seen it."""

    dimension: Dimension
    rows: Places
    unseen: Floats
    members: str


def learn(table: Table, scores: Floats, dimension: str, terms: Terms) -> Learned:
    """Learn a dimension from all rows that have a score (the others are NaN)."""
    rows = np.flatnonzero(~np.isnan(scores))
    clusters = [table.clusters[row] for row in rows]
    check_enough(dimension, clusters)
    kinds: Sequence[Members] = ("trees", "curves") if terms.members == "best" else (terms.members,)
    tried = {}
    for kind in kinds:
        unseen = told_unseen(table, scores, rows, dimension, replace(terms, members=kind))
        tried[kind] = (float(((unseen - scores[rows]) ** 2).mean()), unseen)
    best = min(tried, key=lambda kind: tried[kind][0])
    unseen = tried[best][1]
    made = grown(table, scores, rows, dimension, replace(terms, members=best))
    wide = None if _yes_no(scores[rows]) else reach(unseen - scores[rows], clusters)
    return Learned(replace(made, reach=wide), rows, unseen, best)


def check_enough(dimension: str, clusters: Sequence[str]) -> None:
    """Refuse a dimension that too few edits, or edits of too few sources, have a score in."""
    sources = len(set(clusters))
    if sources < FEWEST_SOURCES or len(clusters) < FEWEST_EDITS:
        raise UserMistake(
            f"{dimension} has scores of {len(clusters)} edits of {sources} sources.",
            f"At least {FEWEST_EDITS} edits of {FEWEST_SOURCES} sources are needed, for some of"
            " them are held out.",
            "Have edits of more pictures rated.",
        )


def learn_all(table: Table, scores: Mapping[str, Floats], terms: Terms) -> dict[str, Learned]:
    """Learn every dimension."""
    return {name: learn(table, of, name, terms) for name, of in scores.items()}
