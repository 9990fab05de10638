"""Decisions that are right for documents of the generator come out of the joint pass unchanged."""

import pytest

from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.joint import settle
from overpaint.engines.milde.generate import make
from overpaint.vision.layers import seen

KNOWN = tuple(number for number in range(200) if number // 2 % 2 == 0)  # English, Chinese, …


def disturbed(number: int, seed: int) -> list[str]:
    """What the joint pass decides anew, though nothing clashes."""
    made = make(number, seed=seed)
    assert made.entry["split"] == "known"
    scene = Scene(made.source, made.entry["instruction"], seen(made.source))
    asked = made.entry["layer_instructions"]
    before = [Decision(one.id, one.id in asked, asked.get(one.id, "")) for one in scene.layers]
    after = settle(scene, before).decisions
    return [
        f"{scene.instruction}: “{old.prompt}” became “{new.prompt}”"
        for old, new in zip(before, after, strict=True)
        if old != new
    ]


@pytest.mark.slow
@pytest.mark.parametrize("number", [4, 5, 20, 21])
def test_a_few_right_decisions_come_out_as_they_came_in(number: int) -> None:
    assert disturbed(number, 7) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [101, 202])
def test_right_decisions_come_out_as_they_came_in(seed: int) -> None:
    numbers = KNOWN if seed == 101 else KNOWN[:50]
    assert [said for number in numbers for said in disturbed(number, seed)] == []
