"""Differing and turning: small laws that every writer of documents leans on."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.document.differing import LONG, Step, line_steps, steps
from overpaint.document.layers import Layer, Picture, Run, Shape, Style, Text
from overpaint.document.turning import anchor, anchored, turned

few = st.text("ab \n", max_size=12)


@pytest.mark.parametrize("way", [steps, line_steps])
@given(old=few, new=few)
def test_steps_make_one_text_of_another_and_leave_nothing_out(
    way: Callable[[str, str], Iterator[Step]], old: str, new: str
) -> None:
    made, reached = "", 0
    for op, a, b, c, d in way(old, new):
        assert (a, c) == (reached, len(made))
        assert op != "equal" or old[a:b] == new[c:d]
        assert op == "equal" or (a < b, c < d) == (op != "insert", op != "delete")
        made += old[a:b] if op == "equal" else new[c:d]
        reached = b
    assert (made, reached) == (new, len(old))


def test_a_line_that_goes_takes_the_break_before_it() -> None:
    found = list(line_steps("One\nTwo\nThree\nFour", "One\nThree\nFour"))
    assert found == [("equal", 0, 3, 0, 3), ("delete", 3, 7, 3, 3), ("equal", 7, 18, 3, 14)]


def test_long_texts_are_compared_in_bounded_time() -> None:
    old, new = "xy" * 50_000, "yx" * 50_000
    found = list(steps("a" + old + "b", "a" + new + "b"))
    assert [step[0] for step in found] == ["equal", "replace", "equal"]
    assert len(old) > LONG


@pytest.mark.parametrize(
    "content",
    [
        Shape("rectangle", 30.0, 10.0), Picture(np.zeros((9, 14, 4), np.uint8)),
        Text((Run("Turned", Style("Lato", 20.0)),)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("angle", [0.0, 33.0, 90.0, 200.0])
def test_a_layer_anchored_at_a_point_has_its_place_there(
    content: Shape | Picture | Text, angle: float
) -> None:
    layer = anchored(Layer(content, left=5.0, top=6.0), angle, (70.0, 40.0))
    assert anchor(layer) == pytest.approx((70.0, 40.0), abs=1e-3)


def test_points_turn_clockwise() -> None:
    assert turned((1.0, 0.0), 90) == pytest.approx((0.0, 1.0))
    assert turned((3.0, 2.0), 180, (2.0, 2.0)) == pytest.approx((1.0, 2.0))
