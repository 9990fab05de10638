"""A toy study: edits of known worth, simulated raters, measures that see it, miss it, turn it."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from overpaint.core import Edit, Evidence, Measure, Request, Sample, Score, each
from overpaint.document import Document
from overpaint.measures.calibration import Column, Ground
from overpaint.measures.people import Key, People, opinion_of
from overpaint.measures.rated import Rating, write_ratings
from overpaint.stats.simulated import Study, simulate
from overpaint.store import Store, keep_picture

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


# ── the same as a run ───────────────────────────────────────────────────────────────────


def _made(column: Column) -> Measure:
    def value(edit: Edit, evidence: Evidence) -> float:
        return column.values[edit.sample.id, edit.editor]

    return Measure(
        column.name, each(column.name, value), higher_is_better=column.higher_is_better,
        worst=None, best=None, about="A measure of the toy.",
    )  # fmt: skip


sees, error, noise, upside = map(_made, columns())


def make_run(folder: Path, *, without: str = "") -> Path:
    """A run of the toy's edits, scored by its measures; one may have failed on an editor."""
    pixels = np.zeros((4, 4, 3), np.uint8)
    with Store.create(folder) as store:
        store.note(benchmark="demo", breakdowns=["task"], card_id="toy#1", seed=0)
        kept = keep_picture(folder, Document.of(pixels))
        for editor in LEVELS:
            store.add_editor(editor, f"command:{editor} {{input}} {{output}}")
        for measure in (sees, error, noise, upside):
            store.add_measure(measure.name, f"{__file__}:{measure.name}", measure.version)
        here = ground()
        for name in samples():
            request = Request(kept, f"Edit {name}.")
            tags = {"task": here.tasks[name]}
            sample = Sample(name, request, tags=tags, cluster=here.sources[name])
            store.add_samples([sample])
            for editor in LEVELS:
                edit = Edit(sample, editor, "ok", kept)
                store.put_edit(edit)
                scores = [s for m in (sees, error, noise, upside) for s in m.score([edit], _NONE)]
                store.put_scores([_failed(s, without) for s in scores], {})
    return folder


_NONE = Evidence()


def _failed(score: Score, editor: str) -> Score:
    if score.measure == "sees" and score.edit.editor == editor:
        return Score(score.edit, score.measure, None, "measure_failed", "It broke.")
    return score


def write_csv(path: Path, *, only: int = SAMPLES) -> Path:
    """The simulated ratings of the first so many samples, and whether most would say yes."""
    chosen = set(samples()[:only])
    rows = [
        Rating(*key, rater, dimension, value if dimension == "quality" else float(value > 3.2))
        for key, said in given().items()
        if key[0] in chosen
        for rater, value in said.items()
        for dimension in ("quality", "done")
    ]
    path.write_text(write_ratings(rows), encoding="utf-8")
    return path
