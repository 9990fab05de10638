"""What cannot be trained is refused before anything is loaded, with what would be right."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from evaluator_toy import examples, short_settings, toy_data, toy_settings

from overpaint.errors import Unavailable, UserMistake
from overpaint.models import vlm
from overpaint.training.evaluator_memory import Sizes, check_memory, needed, patches_of
from overpaint.training.evaluator_schedule import schedule_of
from overpaint.training.evaluator_settings import SCORES, TEXT, Settings, data_of, run_of
from overpaint.training.rated import split

BASE = Path("base")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"rank": 0}, "rank is 0"),
        ({"batch": 0}, "batch is 0"),
        ({"dropout": 1.0}, "dropout is 1.0"),
        ({"rate": 0.0}, "rate is 0.0"),
        ({"score_epochs": 0.0}, "0 of scores"),
        ({"rank": 12}, "from 12 to 12"),
        ({"name": "lab/v1"}, "cannot be called 'lab/v1'"),
    ],
)
def test_settings_that_mean_nothing_are_refused(changed: dict[str, float], told: str) -> None:
    with pytest.raises(UserMistake, match=told) as error:
        Settings(**changed)  # type: ignore[arg-type]
    assert error.value.right


@pytest.mark.parametrize("value", [float("nan"), 400.0, -80.0])
def test_a_score_outside_the_scale_is_named(value: float) -> None:
    train, test = split(examples(6, 1))
    wrong = [replace(train[0], scores={"quality": value}), *train[1:]]
    with pytest.raises(UserMistake, match=f"quality of s.. by e0 is {value:g}") as error:
        data_of(wrong, test)
    assert "about 0 to 100" in error.value.right


def test_ratings_of_a_few_points_are_not_taken_for_opinion_scores() -> None:
    raw = [replace(one, scores={"quality": one.scores["quality"] / 20}) for one in examples(6, 1)]
    with pytest.raises(UserMistake, match=r"quality go from .* to [34]\.") as error:
        data_of(*split(raw))
    assert "--scores mos" in error.value.todo


def test_a_source_on_both_sides_is_refused() -> None:
    every = examples(6, 2)
    with pytest.raises(UserMistake, match="6 sources are in training and in test"):
        data_of(every, every)


def test_nothing_to_learn_from_or_to_be_tried_on_is_refused() -> None:
    every = examples(6, 1)
    with pytest.raises(UserMistake, match="no rated edits to learn from"):
        data_of([], every)
    with pytest.raises(UserMistake, match="No rated edits are held out"):
        data_of(every, [])


def test_a_dimension_of_yes_and_no_is_a_question_only_if_it_is_one_everywhere() -> None:
    train, test = split(examples(6, 1))
    assert toy_data().dimensions == {
        "quality": False, "alignment": False, "preservation": False, "done": True,
    }  # fmt: skip
    test = [replace(test[0], scores=dict(test[0].scores) | {"done": 60.0}), *test[1:]]
    with pytest.raises(UserMistake, match="scores for done go from 0 to 1"):
        data_of(train, test)


def test_a_run_is_another_one_with_other_data_or_settings_alone() -> None:
    data, settings = toy_data(6, 1), toy_settings(BASE)
    known = run_of(data, settings)
    assert known == run_of(toy_data(6, 1), replace(settings, every=3))
    assert known != run_of(data, replace(settings, rate=1e-5))
    assert known != run_of(toy_data(7, 1), settings)


# ── the course ──────────────────────────────────────────────────────────────────────────


def test_every_epoch_asks_every_question_once_in_an_order_of_its_own() -> None:
    data = toy_data(6, 1)
    settings = toy_settings(BASE, batch=5, text_epochs=1.0, score_epochs=2.0)
    course = schedule_of(data, settings)
    assert (course.questions, course.words, course.scores) == (20, 4, 8)
    asked = [[n for step in steps for n in course.asked(step)]
             for steps in (range(4), range(4, 8), range(8, 12))]  # fmt: skip
    assert all(Counter(epoch) == Counter(range(20)) for epoch in asked)
    assert len({tuple(epoch) for epoch in asked}) == 3
    assert [course.place(step)[0] for step in (3, 4)] == [TEXT, SCORES]


def test_the_rate_rises_and_falls_in_each_stage() -> None:
    course = schedule_of(toy_data(), toy_settings(BASE, warm_up=0.1, rate=1.0 / 8))
    for first, steps in ((0, course.words), (course.words, course.scores)):
        rates = [course.rate(first + step) for step in range(steps)]
        top = rates.index(max(rates))
        assert max(rates) == 1 / 8
        assert rates[: top + 1] == sorted(rates[: top + 1])
        assert rates[top:] == sorted(rates[top:], reverse=True)
        assert 0 < rates[-1] < 0.01
        assert rates[0] < rates[top]


def test_adalora_looks_takes_ranks_away_and_settles_within_the_steps_there_are() -> None:
    for epochs in (0.3, 1.0, 30.0):
        course = schedule_of(toy_data(6, 1), short_settings(BASE, score_epochs=epochs))
        when = course.ranks()
        assert when["total_step"] == course.total
        assert 0 <= when["tinit"] < when["total_step"] - when["tfinal"] - 1


def test_too_few_steps_for_adalora_are_told_and_lora_takes_them() -> None:
    data = toy_data(6, 1)
    few = {"batch": 64, "text_epochs": 0.0, "score_epochs": 0.5}
    with pytest.raises(UserMistake, match="20 questions, 64 a step, make 1 steps") as error:
        schedule_of(data, toy_settings(BASE, **few))
    assert "smaller batch" in error.value.todo
    assert schedule_of(data, toy_settings(BASE, adapter="lora", **few)).total == 1


# ── memory ──────────────────────────────────────────────────────────────────────────────

SEVEN = Sizes(8_290_000_000, 120_000_000, 2_674, 870, (32, 1280), (28, 3584), 152_064)
GIGA = 2**30


def test_what_fits_is_reckoned_and_let_through() -> None:
    takes = check_memory(SEVEN, Settings(), low=True, free=40 * GIGA)
    assert 18 * GIGA < takes < 26 * GIGA
    assert takes < needed(SEVEN, low=True, checkpointing=False)
    assert takes < needed(SEVEN, low=False, checkpointing=True)


@pytest.mark.parametrize(
    ("free", "settings", "low", "told"),
    [
        (24, Settings(), False, "--dtype bfloat16 ("),
        (24, Settings(checkpointing=False), True, "gradient checkpointing"),
        (20.8, Settings(), True, "--pixels 65536 ("),
        (16, Settings(), True, "such as Qwen/Qwen2.5-VL-3B-Instruct"),
        (8, Settings(), True, "at most 2.1 billion parameters, with"),
        (0.5, Settings(), True, "no model of use"),
    ],
)
def test_too_little_memory_names_settings_that_fit(
    free: float, settings: Settings, low: bool, told: str
) -> None:
    with pytest.raises(UserMistake, match="takes about .* GB of memory") as error:
        check_memory(SEVEN, settings, low=low, free=int(free * GIGA))
    assert told in error.value.right


def test_patches_are_counted_in_rows_and_in_tiles() -> None:
    assert patches_of((2_674, 1_176), 14) == 2_674
    assert patches_of((1, 34, 3, 364, 364), 14) == 34 * 26 * 26


def test_a_missing_extra_is_told_with_the_command_that_gets_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "peft", None)
    monkeypatch.setitem(sys.modules, "accelerate", None)
    with pytest.raises(Unavailable, match="is not installed") as error:
        vlm.config_of("some/model")
    assert "pip install 'overpaint[train]'" in error.value.todo


def test_the_order_in_which_dimensions_were_rated_makes_no_other_run() -> None:
    found = examples(6, 2)
    turned = [replace(one, scores=dict(reversed(one.scores.items()))) for one in found]
    one, other = (data_of(*split(some)) for some in (found, turned))
    assert run_of(one, Settings()) == run_of(other, Settings())
    assert list(one.units) == list(other.units) == ["alignment", "preservation", "quality"]
    assert one.questions == other.questions


def test_names_and_checkpointing_change_no_weight_and_so_no_run() -> None:
    data = data_of(*split(examples(6, 2)))
    other = Settings(name="another", checkpointing=False, every=3)
    assert run_of(data, other) == run_of(data, Settings())
    assert run_of(data, Settings(rate=1e-3)) != run_of(data, Settings())
