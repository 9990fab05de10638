"""The folder of a trained fusion: what tells, what it is, and a card that can be published."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from overpaint.engines.probes import write_whole
from overpaint.errors import UserMistake
from overpaint.measures.learned import (
    FILE,
    YES_NO,
    Package,
    check_name,
    read_package,
    write_package,
)
from overpaint.measures.learned import fusion as model
from overpaint.measures.learned.features import KNOWN, WORDS, needs
from overpaint.measures.people import People
from overpaint.stats.ceiling import rank_correlation
from overpaint.store import Store
from overpaint.training.evaluator_card import CARD, SCALE, agreement_of, agreement_table
from overpaint.training.evaluator_settings import Data, check_scale
from overpaint.training.evaluator_state import check_folder
from overpaint.training.fusion import MEASURES, Learned, Terms, check_enough, learn_all
from overpaint.training.fusion_model import SHARE_KNOWN
from overpaint.training.fusion_table import Floats, Table, table_of
from overpaint.training.rated import SIMULATED, Example, digest, learned_from
from overpaint.work import Progress, silent

NAME = "fusion"  # as columns bear it


@dataclass(frozen=True)
class Lesson:
    """What a fusion learns from."""

    examples: Sequence[Example]
    people: Sequence[People] = ()
    whose: str = ""
    simulated: bool = False  # whether nobody is behind some of the ratings
    notes: tuple[str, ...] = ()
    name: str = NAME

    @property
    def dimensions(self) -> dict[str, bool]:
        """Every dimension, and whether it is a question answered by yes or no."""
        known = {one.dimension: one.yes_no for one in self.people}
        named = dict.fromkeys(name for one in self.examples for name in one.scores)
        return {name: known.get(name, False) for name in named}

    def scores(self, dimension: str) -> Floats:
        """What people said of each example; NaN where nothing."""
        return np.array([one.scores.get(dimension, np.nan) for one in self.examples], np.float64)


def train_fusion(
    lesson: Lesson,
    out: Path,
    terms: Terms,
    *,
    store: Store | None = None,
    workers: int | None = None,
    progress: Progress = silent,
) -> Package:
    """Train a fusion and write its folder, once everything is learned."""
    if (out / FILE).exists():
        raise UserMistake(
            f"There is a trained evaluator in {out} already.",
            "A fusion gets a folder of its own.",
            "Name another folder, or take that one away.",
        )
    if not lesson.examples:
        raise UserMistake("None of the rated edits is in the run.", "A fusion learns from them.")
    # Before anything is looked at, which takes a while.
    for name, yes_no in lesson.dimensions.items():
        rated = [one for one in lesson.examples if name in one.scores]
        check_enough(name, [one.cluster for one in rated])
        check_name(name)
        if not yes_no:
            check_scale(name, [one.scores[name] for one in rated])
    check_folder(out)
    table = table_of(lesson.examples, store=store, workers=workers, progress=progress)
    learned = learn_all(table, {name: lesson.scores(name) for name in lesson.dimensions}, terms)
    return write_fusion(lesson, out, (table, learned), terms)


def write_fusion(
    lesson: Lesson,
    out: Path,
    made: tuple[Table, Mapping[str, Learned]],
    terms: Terms,
) -> Package:
    """Write what was learned; what says that it is an evaluator comes last."""
    table, learned = made
    scales = {name: YES_NO if yes_no else SCALE for name, yes_no in lesson.dimensions.items()}
    fused = model.Fusion(
        table.names,
        _measures(table),
        {name: one.dimension for name, one in learned.items()},
        scales,
    )
    out.mkdir(parents=True, exist_ok=True)
    model.write(out / model.FILE, fused)
    facts = _facts(lesson, made, terms, scales)
    write_whole(out / CARD, card_of(facts))
    write_package(out, facts, [model.FILE])
    return read_package(out)


def _facts(
    lesson: Lesson,
    made: tuple[Table, Mapping[str, Learned]],
    terms: Terms,
    scales: Mapping[str, tuple[float, float]],
) -> dict[str, Any]:
    table, learned = made
    keys = [one.key for one in lesson.examples]
    told = {
        name: {keys[row]: float(value) for row, value in zip(one.rows, one.unseen, strict=True)}
        for name, one in learned.items()
    }
    data = Data((), lesson.examples, lesson.dimensions, {}, lesson.people)
    return {
        "name": lesson.name, "kind": "fusion",
        "needs": needs(_measures(table)),
        "about": f"our own measures, weighed together by {lesson.whose or 'opinion scores'}",
        "scales": {name: list(ends) for name, ends in scales.items()},
        "features": len(table.names), "measures": list(_measures(table)),
        "data": {
            "whose": lesson.whose, "digest": digest(lesson.examples), "edits": len(keys),
            "sources": len(set(table.clusters)), "floors": len(table.floor_of),
            "editors": sorted({one.editor for one in lesson.examples}),
            "notes": list(lesson.notes), "simulated": lesson.simulated,
            "learned_from": learned_from(lesson.examples),
        },
        "training": asdict(terms) | {"by": {name: one.members for name, one in learned.items()}},
        "intervals": {name: one.dimension.reach for name, one in learned.items()},
        "agreement": agreement_of(data, told, lesson.name),
        "single": _singles(table, lesson),
    }  # fmt: skip


def _measures(table: Table) -> tuple[str, ...]:
    return tuple(one for one in KNOWN if one in table.names)


def best_single(table: Table, scores: Floats, among: Sequence[str]) -> tuple[str, float]:
    """The measure among these that goes best with these very scores, by rank and either way.

    One that says nothing of most edits is not compared.
    """
    found = {name: 0.0 for name in among if name in table.names} or {"": 0.0}
    for name in found.keys() & set(table.names):
        column = table.values[:, table.names.index(name)]
        there = ~np.isnan(column) & ~np.isnan(scores)
        if there.sum() >= max(SHARE_KNOWN * (~np.isnan(scores)).sum(), 3):
            found[name] = abs(rank_correlation(column[there], scores[there]) or 0.0)
    best = max(found, key=lambda name: found[name])
    return best, found[best]


def _singles(table: Table, lesson: Lesson) -> dict[str, Any]:
    among = (*MEASURES, *WORDS)
    each = {name: best_single(table, lesson.scores(name), among) for name in lesson.dimensions}
    return {name: {"measure": best, "srcc": round(srcc, 4)} for name, (best, srcc) in each.items()}


# ── the card ────────────────────────────────────────────────────────────────────────────


def card_of(facts: Mapping[str, Any]) -> str:
    """The facts as a page to be read, and to be published with the fusion."""
    data, training = facts["data"], facts["training"]
    opening = f"{SIMULATED} " if data["simulated"] else ""
    widths = ", ".join(
        f"{name} ±{wide:.1f}" for name, wide in facts["intervals"].items() if wide is not None
    )
    singles = ", ".join(
        f"{name} {one['srcc']:.3f} ({one['measure']})" for name, one in facts["single"].items()
    )
    lines = [
        f"# {facts['name']}: an evaluator of edited pictures", "",
        f"{opening}It is told an edited picture, its source and the instruction, and tells"
        f" {', '.join(facts['scales'])} from {facts['features']} features: measures of Overpaint,"
        " signs of harm, and how far the picture went where it was asked to go.", "",
        f"- Learned from: {data['whose'] or 'opinion scores'}; {data['edits']:,} edits of"
        f" {data['sources']:,} sources by {len(data['editors'])} editors"
        f" (data {data['digest'][:12]}), and {data['floors']:,} pictures that no editor made.",
        *(f"- {note}" for note in data["notes"]),
        f"- Tried: in {training['folds']} folds, each source by what was learned from others;"
        " editors and tasks it knew.",
        f"- 95 % intervals: {widths or 'none'} points, as wide as it was wrong there.",
        f"- The single measure that goes best with these scores, for comparison: {singles}.",
        "", "## Agreement", "", "On sources left out; 95 % intervals by drawing sources.", "",
        *agreement_table(facts["agreement"]), "", "## By task", "",
        *agreement_table(facts["agreement"], by_task=True), "", "## Use", "", "```",
        "overpaint score RUN --measure learned:FOLDER", "```", "",
        "What it says of editors, tasks, kinds of damage and languages that it has not met is"
        " less sure than its intervals say: `overpaint calibrate` tries it.", "",
    ]  # fmt: skip
    return "\n".join(lines)
