"""Measures held against simulated people: what is known by construction is found again."""

from dataclasses import replace
from pathlib import Path

import calibrating_toy as toy
import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from overpaint.errors import UserMistake
from overpaint.measures.calibration import ALL, FEWEST, Column, agreements, ceilings
from overpaint.measures.calibration_editors import (
    duels,
    estimates,
    overall,
    ranking,
    within_budget,
)
from overpaint.measures.calibration_maps import calibrated, maps_json, read_map
from overpaint.measures.calibration_run import calibrate
from overpaint.measures.people import opinion_of, published

SEES, ERROR, NOISE, UPSIDE = toy.columns()


# ── coefficients ────────────────────────────────────────────────────────────────────────


def test_a_measure_that_sees_the_truth_is_near_the_ceiling_overall_and_in_every_task() -> None:
    found = agreements(SEES, toy.people(), toy.ground())
    assert [one.part for one in found] == [ALL, *toy.TASKS]
    for one in found:
        assert one.srcc
        assert one.srcc.value is not None
        assert one.srcc.value > 0.8
        assert one.krcc
        assert one.plcc
        assert one.plcc_fitted
        assert one.accuracy
        assert one.accuracy_within
        assert one.accuracy.value is not None
        assert one.accuracy.value > 0.9
        assert one.srcc.low is not None
        assert one.srcc.low < one.srcc.value < (one.srcc.high or 0)
    top = ceilings(toy.people(), toy.ground())[0].srcc
    assert top is not None
    assert top.panel is not None
    assert top.best is not None
    assert top.panel > 0.9
    assert top.best > top.panel


def test_noise_is_near_nothing_and_a_measure_upside_down_is_negative() -> None:
    noise, upside = (agreements(c, toy.people(), toy.ground())[0] for c in (NOISE, UPSIDE))
    assert noise.srcc
    assert noise.srcc.value is not None
    assert abs(noise.srcc.value) < 0.2
    assert noise.srcc.low is not None
    assert noise.srcc.low < 0 < (noise.srcc.high or 0)
    assert noise.accuracy_within
    assert noise.accuracy_within.value is not None
    assert abs(noise.accuracy_within.value - 0.5) < 0.1
    for found in (upside.srcc, upside.krcc, upside.plcc, upside.plcc_fitted):
        assert found is not None
        assert found.value is not None
        assert found.value < -0.6
    assert upside.accuracy
    assert (upside.accuracy.value or 0) < 0.1


def test_an_error_that_is_better_when_low_counts_like_its_negative() -> None:
    error, turned = (
        agreements(c, toy.people(), toy.ground())[0]
        for c in (ERROR, replace(ERROR, higher_is_better=True))
    )
    assert error.srcc
    assert turned.srcc
    assert error.srcc.value is not None
    assert error.srcc.value > 0.8
    assert turned.srcc.value == pytest.approx(-error.srcc.value)


@settings(max_examples=6, deadline=None)
@drawn(st.floats(0.1, 50), st.floats(-100, 100))
def test_units_of_a_measure_change_no_rank_coefficient(scale: float, shift: float) -> None:
    few = toy.ground(draws=20)
    other = replace(SEES, values={key: scale * v + shift for key, v in SEES.values.items()})
    one, two = (agreements(c, toy.people(), few)[0] for c in (SEES, other))
    assert one.srcc
    assert two.srcc
    assert one.accuracy
    assert two.accuracy
    assert two.srcc.value == pytest.approx(one.srcc.value)
    assert two.accuracy.value == pytest.approx(one.accuracy.value)


def test_edits_without_a_score_stay_visible_and_few_edits_get_no_number() -> None:
    kept = {key: v for key, v in SEES.values.items() if key[1] == "fine" and key[0] < "s09"}
    lost = dict.fromkeys(toy.truth().keys() - kept.keys(), "unavailable")
    del lost["s23", "poor"]
    found = agreements(replace(SEES, values=kept, statuses=lost), toy.people(), toy.ground())[0]
    assert (found.rated, found.n) == (96, 9)
    assert found.missing == {"unavailable": 86, "not scored": 1}
    assert found.srcc is None
    assert found.headline is None
    assert found.notes == (f"too few edits: 9, and a coefficient needs {FEWEST}",)


def test_a_score_of_one_rating_is_taken_for_as_unsure_as_any() -> None:
    people = toy.people()
    known = dict(people.errors)
    widest = max(known.values())
    lone = sorted(known)[:10]
    kept, filled = (
        replace(people, errors={**known, **more}) for more in ({}, dict.fromkeys(lone, widest))
    )
    lacking = replace(
        people, errors={k: v for k, v in known.items() if k not in lone or v == widest}
    )
    whole, same, lost = (agreements(SEES, p, toy.ground(20))[0] for p in (kept, filled, lacking))
    assert whole.accuracy is not None
    assert lost.accuracy == same.accuracy
    assert lost.accuracy != whole.accuracy


def test_ratings_of_samples_and_editors_that_the_run_lacks_are_left_out() -> None:
    here = toy.ground(20)
    part = replace(here, sources={s: c for s, c in here.sources.items() if s < "s12"})
    edits = [key for key in toy.truth() if key[0] < "s12" and key[1] != "poor"]
    column = replace(SEES, values={key: SEES.values[key] for key in edits})
    found = calibrate([column], [toy.people()], part, edits)
    overall_ = found.agreement("sees", "quality")
    assert overall_ is not None
    assert (overall_.rated, overall_.n, overall_.missing) == (36, 36, {})
    top = found.ceiling("quality")
    assert top is not None
    assert top.edits == 36
    assert [one.editor for one in found.estimates] == ["fine", "good", "fair"]
    assert found.maps[0].n == 36
    assert (found.coverage[0].rated, found.coverage[0].here) == (96, 36)


def test_a_yes_no_question_has_an_area_and_a_yes_no_judge_an_agreement() -> None:
    given = {k: {r: float(v > 3.2) for r, v in said.items()} for k, said in toy.given().items()}
    people = opinion_of("done", given)
    assert people.yes_no
    says = Column("says", {key: float(value > 3.2) for key, value in toy.truth().items()})
    judge, seeing, turned = (
        agreements(c, people, toy.ground())[0]
        for c in (says, SEES, replace(says, higher_is_better=False))
    )
    assert judge.srcc is None
    assert judge.agreement
    assert seeing.auc
    assert judge.agreement.value is not None
    assert judge.agreement.value > 0.85
    assert seeing.agreement is None
    assert seeing.auc.value is not None
    assert seeing.auc.value > 0.9
    assert turned.agreement
    assert turned.agreement.value == pytest.approx(1 - judge.agreement.value)
    top = ceilings(people, toy.ground())[0]
    assert top.srcc is None
    assert top.agreement
    assert top.agreement.value is not None
    assert 0.7 < top.agreement.value < 1


def test_the_area_is_the_share_of_pairs_of_yes_and_no_in_the_right_order() -> None:
    rng = np.random.default_rng(5)
    keys = [(f"s{n:02}", "fine") for n in range(24)]
    people = published("done", {key: float(n % 3 == 0) for n, key in enumerate(keys)}, "made up")
    column = Column("any", {key: float(rng.integers(0, 5)) for key in keys})
    found = agreements(column, people, toy.ground())[0].auc
    yes = [column.values[key] for key in keys if people.scores[key]]
    no = [column.values[key] for key in keys if not people.scores[key]]
    pairs = [(a > b) + 0.5 * (a == b) for a in yes for b in no]
    assert found is not None
    assert found.value == pytest.approx(sum(pairs) / len(pairs), abs=1e-12)


# ── maps ────────────────────────────────────────────────────────────────────────────────


def test_a_map_s_error_is_that_on_other_sources_and_noise_gains_nothing() -> None:
    people, here = toy.people(), toy.ground()
    sees, noise, upside = (calibrated(c, people, here) for c in (SEES, NOISE, UPSIDE))
    assert sees.gain is not None
    assert noise.gain is not None
    assert upside.gain is not None
    assert sees.gain > 0.7
    assert noise.gain < 0.05
    assert abs(upside.gain) < 0.05  # it may only rise, so all it can tell is the mean
    assert sees.rmse
    assert sees.rmse.value is not None
    inside = sees([SEES.values[key] for key in sorted(sees.told)])
    truth = np.array([people.scores[key] for key in sorted(sees.told)])
    assert sees.rmse.value > float(np.sqrt(np.mean((inside - truth) ** 2)))
    assert sees.folds == 10


def test_all_edits_of_a_source_are_told_by_maps_that_never_saw_it() -> None:
    people, here = toy.people(), toy.ground()
    before = calibrated(SEES, people, here).told
    moved = {k: 500.0 if here.sources[k[0]] == "c3" else v for k, v in people.scores.items()}
    after = calibrated(SEES, replace(people, scores=moved), here).told
    same = [key for key in before if here.sources[key[0]] == "c3"]
    assert len(same) == 8
    assert [before[key] for key in same] == [after[key] for key in same]
    assert before != after


def test_a_falling_measure_has_a_falling_map_in_its_own_units() -> None:
    found = calibrated(ERROR, toy.people(), toy.ground())
    assert found.map is not None
    assert not found.map.increasing
    low, high = found([5.0, 35.0]).tolist()
    assert low > high + 20


def test_maps_are_written_and_read_back(tmp_path: Path) -> None:
    made = [calibrated(c, toy.people(), toy.ground()) for c in (SEES, ERROR)]
    path = tmp_path / "calibration.json"
    path.write_text(maps_json(made))
    read = read_map(path, "error", "quality")
    values = [3.0, 17.5, 40.0]
    assert read(values).tolist() == made[1](values).tolist()
    with pytest.raises(UserMistake, match=r"no map of lpips to quality\. It has sees to quality"):
        read_map(path, "lpips", "quality")
    path.write_text("[]")
    with pytest.raises(UserMistake, match="holds no calibration"):
        read_map(path, "sees", "quality")
    path.write_text(maps_json(made).replace('"increasing": true', '"increasing": false'))
    with pytest.raises(UserMistake, match="not an isotonic map"):
        read_map(path, "sees", "quality")


def test_too_few_edits_or_sources_have_no_map() -> None:
    few = replace(SEES, values={k: v for k, v in SEES.values.items() if k[0] < "s02"})
    found = calibrated(few, toy.people(), toy.ground())
    assert found.map is None
    assert "too few edits: 8" in found.notes[0]
    with pytest.raises(ValueError, match="no map"):
        found([1.0])


# ── editors ─────────────────────────────────────────────────────────────────────────────


def test_the_known_order_of_editors_is_found_and_the_reverse_is_told_as_such() -> None:
    people, here = toy.people(), toy.ground()
    found = {c.name: ranking(c, people, calibrated(c, people, here)) for c in toy.columns()}
    assert [one.editor for one in found["sees"].editors] == list(toy.LEVELS)
    assert found["sees"].found.spearman == pytest.approx(1)
    assert found["error"].found.rmse_ranks == 0
    assert found["upside"].found.kendall == pytest.approx(-1)
    assert found["upside"].found.rmse_ranks == pytest.approx(np.sqrt(5))
    assert found["sees"].rmse is not None
    assert found["noise"].rmse is not None
    assert found["sees"].rmse < 3 < found["noise"].rmse


def test_score_all_ranks_by_three_dimensions_and_families_of_columns_have_their_own() -> None:
    base, here = toy.people(), toy.ground()
    people = {n: replace(base, dimension=n) for n in ("quality", "alignment", "preservation")}
    family = [replace(SEES, name=f"{name}@judge") for name in people]
    ranked = [
        ranking(c, people[c.name.partition("@")[0]], calibrated(c, people[c.name[:-6]], here))
        for c in family
    ]
    found = overall(people, family, ranked)
    assert found is not None
    assert list(found.scores) == list(toy.LEVELS)
    assert found.measures["quality@judge"].spearman == pytest.approx(1)
    assert found.measures["score_all@judge"].rmse is not None
    assert overall({"quality": base}, family, ranked) is None


def test_an_editor_s_accuracy_is_its_share_of_yes_and_a_yes_no_judge_needs_no_map() -> None:
    keys = [(s, e) for s in toy.samples()[:12] for e in ("a", "b", "c")]
    yes = {"a": 12, "b": 8, "c": 3}  # of twelve edits
    said = {(s, e): float(int(s[1:]) < yes[e]) for s, e in keys}
    people = opinion_of("done", {key: {"r1": v, "r2": v, "r3": 1 - v} for key, v in said.items()})
    judge = Column("says", {**said, ("s00", "a"): 0.0, ("s01", "a"): 0.0, ("s11", "c"): 1.0})
    found = ranking(judge, people, calibrated(judge, people, toy.ground(20)))
    assert [one.people for one in found.editors] == pytest.approx([1, 8 / 12, 3 / 12])
    assert [one.told for one in found.editors] == pytest.approx([10 / 12, 8 / 12, 4 / 12])
    assert found.rmse == pytest.approx(np.sqrt(((2 / 12) ** 2 + 0 + (1 / 12) ** 2) / 3))
    against = replace(judge, values={k: 1 - v for k, v in judge.values.items()})
    turned = replace(against, higher_is_better=False)
    assert ranking(turned, people, calibrated(turned, people, toy.ground(20))).rmse == found.rmse


def test_few_ratings_and_many_scores_make_a_narrower_interval_than_ratings_alone() -> None:
    few = {key: said for key, said in toy.given().items() if key[0] < "s12"}
    people = opinion_of("quality", few)
    helped = estimates(SEES, people, toy.ground())
    assert [one.editor for one in helped] == list(toy.LEVELS)
    widths = [
        (one.found.high - one.found.low, one.found.mean_high - one.found.mean_low)
        for one in helped
        if None not in (one.found.high, one.found.low, one.found.mean_high, one.found.mean_low)
    ]
    assert len(widths) == 4
    assert sum(a for a, _ in widths) < sum(b for _, b in widths)
    assert all(one.found.others == 12 for one in helped)


def test_other_edits_of_one_source_are_not_taken_for_independent_ones() -> None:
    few = {key: said for key, said in toy.given().items() if key[0] < "s12"}
    twice = {s: SEES.values[f"s{int(s[1:]) // 2 * 2:02}", "fine"] for s in toy.samples()}
    column = replace(SEES, values={**SEES.values, **{(s, "fine"): v for s, v in twice.items()}})
    people, here = opinion_of("quality", few), toy.ground()  # two samples a source, judged alike
    lone = replace(here, sources={s: c if s < "s12" else s for s, c in here.sources.items()})
    paired, single = (
        next(one.found for one in estimates(column, people, g) if one.editor == "fine")
        for g in (here, lone)
    )
    assert paired.estimate == single.estimate
    assert paired.floor == pytest.approx(single.floor * np.sqrt(2 * 5.5 / 5), rel=1e-6)


def test_an_editor_that_the_measure_has_not_scored_has_its_ratings_alone() -> None:
    column = replace(SEES, values={k: v for k, v in SEES.values.items() if k[1] != "good"})
    people, here = toy.people(), toy.ground()
    found = {one.editor: one for one in estimates(column, people, here)}
    good = found["good"].found
    assert good.estimate is not None
    assert (good.estimate, good.low, good.high) == (good.mean, good.mean_low, good.mean_high)
    assert good.notes[-1] == "sees has not scored 24 of 24 rated edits"
    told = duels(column, people, here, estimates(column, people, here))
    assert [(one.better, one.worse) for one in told] == [
        ("fine", "good"), ("good", "fair"), ("fair", "poor")
    ]  # fmt: skip
    assert all(one.found.n == 24 for one in told)


def test_a_measure_that_fails_on_the_best_edits_does_not_lower_an_editor_s_mean() -> None:
    few = {key: said for key, said in toy.given().items() if key[0] < "s12"}
    people = opinion_of("quality", few)
    best = sorted((k for k in SEES.values if k[1] == "fine"), key=lambda k: -SEES.values[k])[:8]
    kept = {key: value for key, value in SEES.values.items() if key not in best}
    column = replace(SEES, values=kept, statuses=dict.fromkeys(best, "identical"))
    lost, whole = (
        next(one.found for one in estimates(c, people, toy.ground()) if one.editor == "fine")
        for c in (column, SEES)
    )
    assert (lost.n, lost.others) == (whole.n, whole.others) == (12, 12)
    assert (
        lost.mean
        == whole.mean
        == pytest.approx(
            np.mean([score for key, score in people.scores.items() if key[1] == "fine"])
        )
    )
    assert "has not scored" in lost.notes[-1]
    gone = replace(column, statuses=dict.fromkeys(best, "no_edit"))
    found = next(o.found for o in estimates(gone, people, toy.ground()) if o.editor == "fine")
    assert found.others == 12 - sum(key[0] >= "s12" for key in best)


def test_near_editors_need_more_ratings_than_far_ones_and_a_budget_buys_the_cheapest() -> None:
    close = {"a": 3.00, "b": 3.04, "c": 2.2}
    rng = np.random.default_rng(2)
    truth = {
        (s, e): level + rng.normal(0, 0.4) for s in toy.samples() for e, level in close.items()
    }
    given = {k: {f"r{n}": v + rng.normal(0, 0.5) for n in range(4)} for k, v in truth.items()}
    people, here = opinion_of("quality", given), toy.ground()
    column = Column("sees", {k: v + rng.normal(0, 0.3) for k, v in truth.items()})
    near, far = duels(column, people, here, estimates(column, people, here))
    assert {near.better, near.worse} == {"a", "b"}
    assert far.settled
    assert far.ratings == 0
    assert not near.settled
    assert near.ratings is not None
    assert near.ratings > 8
    assert within_budget([near, far], near.ratings) == [near]
    assert within_budget([near, far], 1) == []


def test_everything_together_names_the_measure_that_helps_and_counts_coverage() -> None:
    edits = list(toy.truth())
    empty = Column("empty", {}, statuses=dict.fromkeys(edits, "unavailable"))
    found = calibrate([*toy.columns(), empty], [toy.people()], toy.ground(), edits[:90], by="task")
    assert found.best("quality") in ("sees", "error")
    assert found.measures == ["sees", "error", "noise", "upside"]
    assert found.skipped == {"empty": "it has scored no edit"}
    assert (found.coverage[0].rated, found.coverage[0].here) == (96, 90)
    assert found.parts == (ALL, *toy.TASKS)
    assert found.ceiling("quality", "add") is not None
    assert found.ceiling("beauty") is None


def test_one_editor_alone_has_a_mean_and_no_neighbour() -> None:
    given = {key: said for key, said in toy.given().items() if key[1] == "fine"}
    found = calibrate([SEES], [opinion_of("quality", given)], toy.ground(), list(given))
    assert found.duels == ()
    assert len(found.estimates) == 1
    assert found.rankings[0].found.spearman is None
    assert "too few editors: 1" in found.rankings[0].notes
