"""What a reasoner's training takes is told beforehand, with settings that would fit."""

from dataclasses import replace

import pytest

from overpaint.errors import UserMistake
from overpaint.training.reasoner_memory import SMALL, Sizes, check_memory, needed
from overpaint.training.reasoner_settings import Settings

GIGA = 2**30


def test_the_recipe_is_reckoned_about_as_it_was_measured() -> None:
    assert 8 * GIGA < needed(Settings(), SMALL, checkpointing=False) < 13 * GIGA
    assert needed(Settings(), SMALL, checkpointing=True) < 2 * GIGA


def test_settings_that_fit_are_named_and_do_fit() -> None:
    check_memory(Settings(), SMALL, free=16 * GIGA, checkpointing=False)
    with pytest.raises(UserMistake, match="takes about .* GB of memory, and 6.0 GB are free") as e:
        check_memory(Settings(), SMALL, free=6 * GIGA, checkpointing=False)
    words = e.value.right.removeprefix("What would fit: ").rstrip(".").split()
    offered = replace(Settings(), warm_batch=int(words[1]), at_once=int(words[3]))
    check_memory(offered, SMALL, free=6 * GIGA, checkpointing=False)
    more = replace(offered, warm_batch=offered.warm_batch + 1)
    assert needed(more, SMALL, checkpointing=False) > 6 * GIGA


def test_a_model_that_cannot_fit_is_told() -> None:
    seven = Sizes(7_600_000_000, 28, 3584)
    with pytest.raises(UserMistake, match="GB are free. Only a smaller model would fit"):
        check_memory(replace(Settings(), base="some/7b"), seven, free=GIGA, checkpointing=True)
