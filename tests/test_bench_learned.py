"""The deals of `bench/learned.py`: what is tried on is new in its source and its held-out part."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))

from learned_raters import HELD_OUT
from learned_splits import Known, deals

EDITS = [Known(s, e, d) for s in "abc" for e in "xyz" for d in ("jpeg", "blur")]


@pytest.mark.parametrize("held_out", HELD_OUT)
def test_nothing_that_is_tried_on_was_learned_from(held_out: str) -> None:
    tried = []
    for deal in deals(EDITS, held_out):
        for test in deal.test:
            for train in deal.train:
                assert EDITS[test].source != EDITS[train].source
                assert getattr(EDITS[test], held_out) != getattr(EDITS[train], held_out)
        assert len(deal.train) > 0
        tried += deal.test.tolist()
    assert sorted(tried) == list(range(len(EDITS)))
