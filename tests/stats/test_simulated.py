"""Simulated raters are what they are said to be, and plans keep what they promise."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.stats import opinion_scores
from overpaint.stats.simulated import (
    Kind,
    Rater,
    Study,
    assign,
    plan_raters,
    simulate,
)


def answers(rater: Rater, truth: np.ndarray, *, seed: int = 0) -> np.ndarray:
    study = Study(raters=1, per_item=1, items=len(truth))
    return simulate(study, seed=seed, truth=truth, raters=[rater]).ratings[0]


MIDDLE = np.random.default_rng(0).uniform(2.5, 3.5, 2_000)


# ── who answers how ─────────────────────────────────────────────────────────────────────


def test_an_honest_rater_answers_truth_and_bias_and_noise() -> None:
    off = answers(Rater(bias=0.3, noise=0.4), MIDDLE) - MIDDLE
    assert off.mean() == pytest.approx(0.3, abs=0.03)
    assert off.std() == pytest.approx(0.4, abs=0.03)


def test_who_answers_upside_down_turns_the_scale_over() -> None:
    given = answers(Rater("inverted", noise=0.1), MIDDLE)
    assert np.abs(given - (6 - MIDDLE)).mean() < 0.1


@pytest.mark.parametrize("kind", ["random", "middle"])
def test_a_careless_rater_strays_on_the_share_of_items_that_is_said(kind: Kind) -> None:
    honest = answers(Rater(kind, noise=0.0, share=0.6), MIDDLE) == MIDDLE
    assert honest.sum() == 800
    wild = answers(Rater(kind, share=1.0), MIDDLE)
    assert abs(np.corrcoef(wild, MIDDLE)[0, 1]) < 0.06
    assert wild.std() == pytest.approx(4 / 12**0.5 if kind == "random" else 0.8, abs=0.06)


def test_who_answers_always_the_same_may_have_a_shaking_hand() -> None:
    assert set(answers(Rater("straight", noise=0, value=4.2), MIDDLE)) == {4.2}
    shaken = answers(Rater("straight", noise=0.1, value=4.2), MIDDLE)
    assert shaken.std() == pytest.approx(0.1, abs=0.01)


def test_only_the_honest_are_not_careless() -> None:
    study = Study(items=20, biased=0.1, noisy=0.1, random=0.1, straight=0.05, inverted=0.05)
    found = simulate(study, seed=0)
    assert found.careless.sum() == 6
    assert sum(one.kind == "honest" for one in found.raters) == 24
    assert sum(one.noise == 1.4 for one in found.raters) == 3
    assert sum(abs(abs(one.bias) - 1.0) < 1e-9 for one in found.raters) == 3


# ── laws ────────────────────────────────────────────────────────────────────────────────


@given(st.integers(2, 12), st.data())
@settings(max_examples=25, deadline=None)
def test_each_item_has_its_raters_and_nobody_has_more_than_one_item_over_another(
    raters: int, data: st.DataObject
) -> None:
    per_item, items = data.draw(st.integers(1, raters)), data.draw(st.integers(1, 30))
    study = Study(raters=raters, per_item=per_item, items=items)
    asked = assign(study, np.random.default_rng(data.draw(st.integers(0, 99))))
    assert set(asked.sum(axis=0)) == {per_item}
    assert np.ptp(asked.sum(axis=1)) <= 1


def test_the_same_seed_gives_the_same_study_and_another_gives_another() -> None:
    study = Study(random=0.1)
    one, two, other = (simulate(study, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.ratings, two.ratings, equal_nan=True)
    assert one.raters == two.raters
    assert not np.array_equal(one.truth, other.truth)


def test_answers_keep_to_the_scale_and_its_steps() -> None:
    found = simulate(Study(scale=(0, 3), step=1.0, noise=2), seed=0).ratings
    assert set(found[~np.isnan(found)]) == {0, 1, 2, 3}
    slider = simulate(Study(noise=2), seed=0).ratings
    assert (np.nanmin(slider), np.nanmax(slider)) == (1, 5)


# ── plans ───────────────────────────────────────────────────────────────────────────────


def test_a_plan_names_the_fewest_raters_whose_intervals_are_as_narrow_as_asked() -> None:
    wide, narrow, never = plan_raters([0.7, 0.4, 1e-4])
    assert wide.raters is not None
    assert narrow.raters is not None
    assert wide.raters < narrow.raters
    for plan in (wide, narrow):
        assert plan.raters is not None
        assert plan.raw_half_width == pytest.approx(plan.wanted, rel=0.15)
        assert plan.raw_half_width <= 1.02 * plan.wanted
    assert (never.raters, never.note) == (None, "over 1000 raters an item would be needed")


def test_a_plan_is_borne_out_by_a_study_of_that_size() -> None:
    plan = plan_raters([5.0], of="mos")[0]
    assert plan.raters is not None
    study = Study(raters=2 * plan.raters, per_item=plan.raters, items=60)
    found = [opinion_scores(simulate(study, seed=900 + k).ratings) for k in range(5)]
    half = np.mean([(one.high - one.low) / 2 for one in found])
    assert half == pytest.approx(plan.mos_half_width, rel=0.05)
    assert half <= 1.05 * plan.wanted


@pytest.mark.slow
def test_careless_raters_cost_more_of_them() -> None:
    clean, spoilt = (plan_raters([5.0], of="mos", careless=share)[0] for share in (0.0, 0.4))
    assert clean.raters is not None
    assert spoilt.raters is not None
    assert spoilt.raters > 1.4 * clean.raters


# ── refused ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"per_item": 31}, "31 of 30 raters an item"),
        ({"items": 0}, "0 items"),
        ({"scale": (5.0, 1.0)}, "the lower one first"),
        ({"step": 0.0}, "step 0.0"),
        ({"noise": -1.0}, "want finite spreads"),
        ({"random": 0.7, "straight": 0.7}, "add up to 1 at most"),
        ({"random": -0.1}, "not below 0"),
    ],
)
def test_a_study_that_cannot_be_is_refused(settings: dict[str, float], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        dataclasses.replace(Study(), **settings)


def test_a_rater_a_truth_and_a_plan_that_cannot_be_are_refused() -> None:
    for wrong, why in (
        ({"kind": "asleep"}, "want one of honest"),
        ({"share": 2}, "from 0 to 1"),
        ({"noise": float("nan")}, "finite"),
    ):
        with pytest.raises(ValueError, match=why):
            Rater(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="want 120 finite numbers"):
        simulate(Study(), seed=0, truth=[1, 2])
    with pytest.raises(ValueError, match="1 raters for a study of 30"):
        simulate(Study(), seed=0, raters=[Rater()])
    with pytest.raises(ValueError, match="finite numbers above 0"):
        plan_raters([0.0])
    with pytest.raises(ValueError, match="want raw or mos"):
        plan_raters([1.0], of="z")  # type: ignore[arg-type]
