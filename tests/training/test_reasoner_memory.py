"""What a reasoner's training takes is told beforehand, with settings that would fit."""

import re
from dataclasses import replace

import pytest

from overpaint.errors import UserMistake
from overpaint.training.reasoner_memory import SMALL, Sizes, check_memory, needed
from overpaint.training.reasoner_settings import Settings

GIGA = 2**30
SEVEN = Sizes(8_290_000_000, 28, 3584, 18_944, 1024)  # Qwen2.5-VL-7B


def test_the_recipe_is_reckoned_about_as_it_was_measured() -> None:
    assert 8 * GIGA < needed(Settings(), SMALL, checkpointing=False) < 13 * GIGA
    assert needed(Settings(), SMALL, checkpointing=True) < 2 * GIGA


def test_settings_that_fit_are_named_and_do_fit() -> None:
    check_memory(Settings(), SMALL, free=16 * GIGA, checkpointing=False)
    with pytest.raises(UserMistake, match="takes about .* GB of memory, and 6.0 GB are free") as e:
        check_memory(Settings(), SMALL, free=6 * GIGA, checkpointing=False)
    check_memory(offered(Settings(), e.value.right), SMALL, free=6 * GIGA, checkpointing=False)


def offered(settings: Settings, told: str) -> Settings:
    """The settings with what a message says would fit."""
    numbers = {name: int(value) for name, value in re.findall(r"--([\w-]+) (\d+)", told)}
    named = {name.replace("-", "_"): value for name, value in numbers.items()}
    return replace(settings, **named, half=settings.half or "without --full" in told)


def test_what_fits_in_half_precision_alone_is_said_so() -> None:
    full = replace(Settings(), half=False)
    with pytest.raises(UserMistake, match="without --full") as e:
        check_memory(full, SMALL, free=4 * GIGA, checkpointing=False)
    check_memory(offered(full, e.value.right), SMALL, free=4 * GIGA, checkpointing=False)


def test_all_answers_of_a_step_are_written_at_once() -> None:
    seeing = replace(Settings(), base="some/7b", sees=True, longest=256, at_once=5, warm_batch=2)
    few, many = (replace(seeing, prompts=number) for number in (16, 64))
    assert needed(few, SEVEN, checkpointing=True) < 60 * GIGA
    assert needed(many, SEVEN, checkpointing=True) > 80 * GIGA
    with pytest.raises(UserMistake, match="--prompts") as e:
        check_memory(many, SEVEN, free=80 * GIGA, checkpointing=True)
    check_memory(offered(many, e.value.right), SEVEN, free=80 * GIGA, checkpointing=True)
    without = replace(many, steps=0)  # nothing is written where nothing is rewarded
    assert needed(without, SEVEN, checkpointing=True) < needed(few, SEVEN, checkpointing=True)


def test_a_model_that_cannot_fit_is_told() -> None:
    with pytest.raises(UserMistake, match="GB are free. Only a smaller model would fit"):
        check_memory(replace(Settings(), base="some/7b"), SEVEN, free=GIGA, checkpointing=True)
