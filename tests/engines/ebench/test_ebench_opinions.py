"""Simulated opinion: it follows the construction, and ranks editors as they were made."""

import ast
import inspect
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.core import Edit, Request, Sample
from overpaint.document import Document
from overpaint.editors.graded import NAMES
from overpaint.engines.ebench import album, degrade, opinions
from overpaint.engines.ebench.graded import DAMAGES, HABITS, SPREAD_DAMAGE, SPREAD_DONE, Made, made
from overpaint.engines.ebench.opinions import DIMENSIONS, opinion, simulated_ratings
from overpaint.errors import UserMistake
from overpaint.measures.aggregate import score_all
from overpaint.stats.simulated import Study

SHARE = st.floats(0, 1)
MADE = st.builds(Made, SHARE, SHARE, st.sampled_from([*opinions.AMISS]))
PIXEL = Document.of(np.zeros((1, 1, 3), np.uint8))


@given(MADE, SHARE, SHARE)
def test_more_done_is_never_thought_worse_and_more_damage_never_better(
    what: Made, strength: float, other: float
) -> None:
    low, high = sorted((what.done, other))
    less, more = (opinion(Made(d, what.damage, what.kind), strength=strength) for d in (low, high))
    assert more.alignment >= less.alignment
    assert more.quality >= less.quality
    assert more.done >= less.done
    assert more.preservation == less.preservation
    low, high = sorted((what.damage, other))
    mild, bad = (opinion(Made(what.done, a, what.kind), strength=strength) for a in (low, high))
    assert all(getattr(mild, name) >= getattr(bad, name) for name in DIMENSIONS)


@given(MADE, SHARE)
def test_every_opinion_is_on_the_scale(what: Made, strength: float) -> None:
    said = opinion(what, strength=strength)
    assert all(1 - 1e-9 <= getattr(said, name) <= 5 + 1e-9 for name in DIMENSIONS)


def test_the_truth_is_thought_best_and_a_white_page_worthless() -> None:
    truth = opinion(opinions.MARKS["truth"], strength=1.0)
    best, worst = pytest.approx(4.6), pytest.approx(1.4)
    assert (truth.quality, truth.alignment, truth.preservation, truth.answer) == (
        best, best, best, True,
    )  # fmt: skip
    blank = opinion(opinions.MARKS["blank"], strength=1.0)
    assert (blank.quality, blank.alignment, blank.preservation, blank.answer) == (
        worst, worst, worst, False,
    )  # fmt: skip
    idle = opinion(opinions.MARKS["identity"], strength=1.0)
    assert (idle.alignment, idle.preservation, idle.answer) == (worst, best, False)


def test_no_measure_and_no_picture_enters_an_opinion() -> None:
    tree = ast.parse(inspect.getsource(opinions))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not any("measures" in (name or "") or "vision" in (name or "") for name in modules)
    assert {*inspect.signature(opinion).parameters} == {"what", "strength"}


def test_editors_have_their_habits_and_every_damage_comes_about_as_often() -> None:
    ids = [job.id for job in album.drawn_jobs()]
    kinds: Counter[str] = Counter()
    for name, habit in HABITS.items():
        for one in (made(name, sample) for sample in ids):
            assert abs(one.done - habit.done) <= SPREAD_DONE + 1e-4
            assert abs(one.damage - habit.damage) <= SPREAD_DAMAGE + 1e-4
            kinds[one.kind] += 1
    assert {*kinds} == {*DAMAGES}
    assert min(kinds.values()) > len(ids) / 2
    assert tuple(HABITS) == NAMES


def test_no_damage_undoes_what_its_task_asks_for() -> None:
    for name in HABITS:
        for job in album.drawn_jobs():
            kind = made(name, job.id).kind
            assert (job.task, kind) not in [
                ("deblur", "blur"), ("super_resolution", "blur"), ("denoise", "noise"),
            ]  # fmt: skip


def _means(name: str) -> tuple[float, float, float]:
    said = [
        opinion(made(name, job.id), strength=degrade.LEVELS.get(job.level, 0.0))
        for job in album.drawn_jobs()
    ]
    return tuple(  # type: ignore[return-value]
        float(np.mean([getattr(one, part) for one in said])) for part in DIMENSIONS[:3]
    )


def test_the_ranking_is_known_and_no_single_dimension_gives_it() -> None:
    scores = [score_all(*_means(name)) for name in NAMES]
    assert all(better > worse + 0.2 for better, worse in pairwise(scores))
    columns = zip(*(_means(name) for name in NAMES), strict=True)
    orders = [sorted(NAMES, key=dict(zip(NAMES, one, strict=True)).__getitem__) for one in columns]
    assert any(order != list(reversed(NAMES)) for order in orders)


# ── ratings ─────────────────────────────────────────────────────────────────────────────


def _edits() -> list[Edit]:
    samples = [
        Sample(job.id, Request(PIXEL, "x"), facts={"strength": degrade.LEVELS.get(job.level, 0.0)})
        for job in album.drawn_jobs()[:20]
    ]
    return [Edit(one, name, "ok", PIXEL) for one in samples for name in (*NAMES, "truth")]


def test_every_edit_is_rated_by_as_many_raters_as_asked_in_every_dimension() -> None:
    rows = list(simulated_ratings(_edits(), raters=12, per_item=5, seed=3))
    each = Counter((row.sample, row.editor, row.dimension) for row in rows)
    assert len(each) == 20 * 7 * 4
    assert {*each.values()} == {5}
    items = Counter((row.rater, row.sample, row.editor) for row in rows)
    assert {*items.values()} == {4}
    loads = Counter(row.rater for row in rows).values()
    assert max(loads) - min(loads) <= 4
    assert {row.value for row in rows if row.dimension == "done"} == {0, 1}
    assert all(1 <= row.value <= 5 for row in rows if row.dimension != "done")


def test_mean_ratings_follow_the_truth_and_dimensions_have_noise_of_their_own() -> None:
    edits = _edits()
    rows = list(simulated_ratings(edits, seed=1))
    said = {(e.sample.id, e.editor): opinions.of_edit(e.sample, e.editor) for e in edits}
    means: dict[str, dict[tuple[str, str], list[float]]] = {name: {} for name in DIMENSIONS}
    for row in rows:
        means[row.dimension].setdefault((row.sample, row.editor), []).append(row.value)
    for name in DIMENSIONS[:3]:
        truth = [getattr(said[key], name) for key in means[name]]
        found = [float(np.mean(values)) for values in means[name].values()]
        assert np.corrcoef(truth, found)[0, 1] > 0.95
    off = [
        np.concatenate([np.array(values) - np.mean(values) for values in means[name].values()])
        for name in ("quality", "preservation")
    ]
    assert abs(np.corrcoef(off[0], off[1])[0, 1]) < 0.6


def test_the_same_seed_gives_the_same_ratings_and_another_seed_others() -> None:
    edits = _edits()[:30]
    first, again, other = (list(simulated_ratings(edits, seed=seed)) for seed in (4, 4, 5))
    assert first == again != other


def test_a_study_may_have_careless_raters() -> None:
    study = Study(raters=10, per_item=10, straight=0.5)
    rows = [r for r in simulated_ratings(_edits(), study=study) if r.dimension == "quality"]
    spreads = [
        np.std([row.value for row in rows if row.rater == rater])
        for rater in sorted({row.rater for row in rows})
    ]
    assert sum(spread < 0.3 for spread in spreads) == 5


def test_edits_of_unknown_construction_are_not_rated_and_none_at_all_is_said() -> None:
    edits = _edits()
    foreign = [Edit(edits[0].sample, "somebody", "ok", PIXEL),
               Edit(edits[0].sample, "timid", "no_output", reason="x")]  # fmt: skip
    rows = list(simulated_ratings([*edits, *foreign], seed=1))
    assert {row.editor for row in rows} == {*NAMES, "truth"}
    with pytest.raises(UserMistake, match="known by construction.*overpaint run ebench"):
        list(simulated_ratings(foreign))
    bare = Sample("s", Request(PIXEL, "x"))
    with pytest.raises(UserMistake, match="known by construction"):
        list(simulated_ratings([Edit(bare, "thorough", "ok", PIXEL)]))
