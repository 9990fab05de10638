"""Learning a dimension: what it is told from, folds by source, intervals, floors, little data."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from overpaint.document import Document
from overpaint.engines.ebench import scenes as fusion_scenes
from overpaint.errors import UserMistake
from overpaint.training.fusion import (
    MEASURES,
    Terms,
    _lesson,
    columns_of,
    folds,
    grown,
    learn,
    reach,
    told_unseen,
)
from overpaint.training.fusion_card import best_single
from overpaint.training.fusion_floors import WAYS, fitting, floor_count, floors, halfway
from overpaint.training.fusion_model import TreeTerms
from overpaint.training.fusion_table import Table
from overpaint.training.rated import Example

Floats = NDArray[np.float64]
NAMES = ("progress", "worst0", "harm cast", "lpips@source", "likeness")
QUICK = Terms(trees=TreeTerms(trees=40, rate=0.1), folds=4)


def toy(sources: int = 12, each: int = 10, seed: int = 0) -> tuple[Table, Floats]:
    """Edits whose score is told by how far they went and by their worst harm."""
    random = np.random.default_rng(seed)
    values = random.uniform(0, 1, (sources * each, len(NAMES)))
    clusters = tuple(f"c{at // each}" for at in range(sources * each))
    scores = 20 + 40 * values[:, 0] - 30 * values[:, 1] + random.normal(0, 2, len(values))
    return Table(NAMES, values, clusters), scores


def everything(table: Table) -> NDArray[np.intp]:
    return np.arange(len(table.values))


def test_the_same_is_learned_twice() -> None:
    table, scores = toy()
    one, two = (learn(table, scores, "quality", QUICK) for _ in range(2))
    assert (one.unseen == two.unseen).all()
    assert (one.dimension(table.values) == two.dimension(table.values)).all()


def test_what_can_be_told_is_told_of_sources_that_were_left_out() -> None:
    table, scores = toy()
    unseen = told_unseen(table, scores, everything(table), "quality", QUICK)
    assert np.corrcoef(unseen, scores)[0, 1] > 0.9


def test_a_source_is_in_one_fold_and_every_fold_has_some() -> None:
    clusters = [f"c{at % 7}" for at in range(70)]
    dealt = list(folds(clusters, 3, seed=1))
    assert sorted(np.concatenate(dealt)) == list(range(70))
    sources = [{clusters[row] for row in part} for part in dealt]
    assert all(a.isdisjoint(b) for at, a in enumerate(sources) for b in sources[:at])
    assert {len(part) for part in sources} == {2, 3}


def test_an_interval_holds_scores_of_new_sources_about_as_often_as_it_says() -> None:
    table, scores = toy(sources=60)
    rows = everything(table)
    old, new = rows[:400], rows[400:]
    unseen = told_unseen(table, scores, old, "quality", QUICK)
    wide = reach(unseen - scores[old], [table.clusters[row] for row in old])
    told = grown(table, scores, old, "quality", QUICK)(table.values[new])
    assert 0.88 <= float((np.abs(told - scores[new]) <= wide).mean()) <= 1
    assert wide < np.quantile(np.abs(told - scores[new]), 0.99) * 2, "no wider than it need be"


def test_every_source_counts_the_same_for_an_interval() -> None:
    errors = np.array([1.0] * 900 + [5.0] * 10)
    clusters = ["large"] * 900 + ["small"] * 10
    assert reach(errors, clusters) == pytest.approx(7.5)  # 5, and half as much again for two


def test_alignment_is_told_without_measures_and_all_else_also_without_kinds() -> None:
    (asked,) = columns_of(NAMES, "alignment")
    assert [NAMES[at] for at in asked] == list(NAMES[:3])
    whole, general = columns_of(NAMES, "beauty")
    assert len(whole) == len(NAMES)
    kept = [NAMES[at] for at in general]
    assert kept == ["progress", "worst0", "lpips@source", "likeness"]
    assert {"lpips@source", "likeness"} <= set(MEASURES)


def test_what_tells_a_dimension_looks_at_its_own_features_alone() -> None:
    table, scores = toy()
    made = grown(table, scores, everything(table), "alignment", QUICK)
    other = table.values.copy()
    other[:, 3:] = 99
    assert (made(other) == made(table.values)).all()
    other[:, 0] = 0
    assert (made(other) != made(table.values)).any()


def test_floors_teach_that_harm_is_not_the_edit() -> None:
    """Where those who do little harm much, harm looks like little done, until floors are seen."""
    random = np.random.default_rng(0)
    done = random.uniform(0, 1, 200)
    went = done + random.normal(0, 0.2, 200)
    values = np.column_stack([went, 1 - done, *random.random((3, 200))])
    clusters = tuple(f"c{at // 10}" for at in range(200))
    bare, scores = Table(NAMES, values, clusters), 20 + 60 * done
    nothing = np.column_stack([random.normal(0, 0.05, 100), random.uniform(0, 1, 100),
                               *random.random((3, 100))])  # fmt: skip
    seen = replace(bare, floor_values=nothing, floor_clusters=clusters[::2],
                   floor_shares=(0.0,) * 100, floor_of=(-1,) * 100)  # fmt: skip
    timid = np.array([[0.0, 0.0, 0.5, 0.5, 0.5]])  # did nothing, harmed nothing
    told = [
        grown(one, scores, everything(bare), "alignment", QUICK)(timid)[0] for one in (bare, seen)
    ]
    assert told[1] < told[0] - 10
    # And floors of sources that are left out stay out.
    few = np.arange(10)
    kept = replace(seen, floor_clusters=("elsewhere",) * 100)
    same = [grown(one, scores, few, "alignment", QUICK)(timid)[0] for one in (bare, kept)]
    assert same[0] == same[1]


def test_a_floor_mixed_from_an_edit_that_is_held_out_is_not_learned_from() -> None:
    known = Table(NAMES, np.zeros((4, 5)), ("a", "a", "b", "b"), np.ones((4, 5)),
                  ("a", "a", "b", "b"), (0.4,) * 4, (0, 1, 2, 3))  # fmt: skip
    scores = np.array([10.0, 90.0, 20.0, 80.0])
    values, wanted = _lesson(known, scores, np.array([0, 2, 3]), "alignment")
    assert len(values) == 3 + 3
    assert 90.0 not in wanted
    assert max(wanted[3:]) < 80.0


def test_a_question_has_no_interval() -> None:
    table, scores = toy()
    found = learn(table, (scores > np.median(scores)).astype(float), "done", QUICK)
    assert found.dimension.reach is None
    assert learn(table, scores, "quality", QUICK).dimension.reach > 0  # type: ignore[operator]


def test_the_better_members_are_chosen_on_sources_left_out() -> None:
    table, scores = toy()
    best = learn(table, scores, "quality", replace(QUICK, members="best"))
    both = {
        kind: ((learn(table, scores, "quality", replace(QUICK, members=kind)).unseen - scores) ** 2)
        .mean() for kind in ("trees", "curves")
    }  # fmt: skip
    assert best.members == min(both, key=lambda kind: both[kind])


def test_edits_without_a_score_are_left_out() -> None:
    table, scores = toy()
    scores[::3] = np.nan
    assert not set(learn(table, scores, "quality", QUICK).rows) & set(range(0, len(scores), 3))


@pytest.mark.parametrize(("sources", "each"), [(3, 40), (10, 2)])
def test_too_little_is_refused(sources: int, each: int) -> None:
    table, scores = toy(sources, each)
    with pytest.raises(UserMistake, match=f"of {sources} sources.*At least 30 edits of 5 sources"):
        learn(table, scores, "quality", QUICK)


def test_a_measure_that_says_nothing_of_most_edits_is_not_the_best_single_one() -> None:
    table, scores = toy()
    sparse = np.full((len(scores), 1), np.nan)
    sparse[:2, 0] = scores[:2]
    more = replace(table, names=(*NAMES, "niqe"), values=np.hstack([table.values, sparse]))
    best, size = best_single(more, scores, ("niqe", "likeness"))
    assert best == "likeness"
    assert size < 0.5


def test_one_fold_is_refused() -> None:
    with pytest.raises(UserMistake, match="1 folds were asked for. At least 2"):
        Terms(folds=1)


# ── floors and scenes ───────────────────────────────────────────────────────────────────


def example(sample: str = "a", editor: str = "e", seed: int = 0) -> Example:
    random = np.random.default_rng(seed)
    source, output = (random.integers(0, 256, (40, 60, 3)).astype(np.uint8) for _ in range(2))
    return Example(sample, editor, Document.of(source), Document.of(output), "Do it.", "add",
                   sample, {})  # fmt: skip


def test_floors_are_sources_spoilt_sources_and_halfway_outputs() -> None:
    first, second = example(), example(editor="f", seed=1)
    made = list(floors([first, second]))
    assert [one.share for one in made] == [0.4, 0, 0, 0, 0, 0, 0.4]
    assert [one.of for one in made] == [0, -1, -1, -1, -1, -1, 1]
    assert made[1].output is first.source
    assert all((one.output.rgb != first.source.rgb).any() for one in made[2:6])
    again = list(floors([first, second]))
    assert all((a.output.rgb == b.output.rgb).all() for a, b in zip(made, again, strict=True))
    assert len(WAYS) == 5


def test_no_floor_does_what_was_asked() -> None:
    assert "mosaic" not in fitting("Remove the noise.")
    assert "faded" not in fitting("Take the shadow away.")
    assert "stepped" not in fitting("Sharpen it.")
    assert fitting("Add a dog.") == sorted(WAYS)
    noisy = replace(example(), instruction="Remove the noise.")
    assert len(list(floors([noisy]))) == floor_count([noisy]) == 5


def test_halfway_is_in_the_size_of_the_source() -> None:
    source = np.zeros((20, 30, 3), np.uint8)
    output = np.full((40, 60, 3), 100, np.uint8)
    assert (halfway(source, output) == 40).all()


def test_scenes_to_learn_from_are_new_and_the_same_for_the_same_seed() -> None:
    from overpaint.engines.ebench.sources import SETS, as_bytes
    from overpaint.engines.ebench.sources import source as draw
    from overpaint.training.leakage import compare, known

    (one,), (two,) = (list(fusion_scenes.scenes(1, seed=1)) for _ in range(2))
    assert one == two
    new, built_in = (
        known({each.id: (Document.of(as_bytes(draw(each).pixels)),) for each in some})
        for some in ([one], SETS)
    )
    assert not compare(new, built_in, "the built-in set").leaks
    assert compare(built_in, built_in, "itself").leaks
    asked = fusion_scenes.jobs(one, seed=1)
    assert len({job.id for job in asked}) == 7
    assert sum(job.wish is not None for job in asked) == 3


@pytest.mark.slow
def test_edits_of_a_scene_are_drawn_as_they_are_told() -> None:
    (scene,) = fusion_scenes.scenes(1, seed=1)
    made = list(fusion_scenes.edits(scene, seed=1))
    assert len(made) == 7 * 9
    assert all(one.source.size == one.output.size for one in made)
    assert {one.made.kind for one in made} == {"jpeg", "cast", "blur", "noise", "warp", "smear"}
    nothing = [one for one in made if one.editor == "free 0"]
    assert all(one.made.damage == 0 for one in nothing)
