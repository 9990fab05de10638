"""No bytes make a parser raise anything but its own sentence: a few each time, more when slow."""

from random import Random

import pytest
from fuzz_table import TARGETS
from fuzz_target import Target
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

BY_NAME = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
QUICK = [target for target in TARGETS if not target.slow]


def given_changed(target: Target, at: int, seed: int) -> None:
    """Feed one of a target's seeds, changed."""
    target(target.changed(target.corpus[at % len(target.corpus)], Random(seed)))


@pytest.mark.parametrize("target", QUICK, ids=lambda target: target.name)
def test_a_few_changed_inputs_are_read_or_refused_in_a_sentence(target: Target) -> None:
    for seed in range(3):
        given_changed(target, seed, seed)


@pytest.mark.slow
@BY_NAME
@settings(max_examples=25, suppress_health_check=list(HealthCheck), database=None)
@given(at=st.integers(0, 50), seed=st.integers(0, 2**32))
def test_changed_inputs_are_read_or_refused_in_a_sentence(
    target: Target, at: int, seed: int
) -> None:
    given_changed(target, at, seed)


@pytest.mark.slow
@BY_NAME
@settings(max_examples=15, suppress_health_check=list(HealthCheck), database=None)
@given(data=st.binary(max_size=300))
def test_no_bytes_at_all_make_a_parser_raise_anything_else(target: Target, data: bytes) -> None:
    target(data)


def test_a_parser_that_raises_something_else_is_found() -> None:
    target = Target("broken", lambda data: data.index(b"\xff"), lambda: [b"\xff"], ())
    assert target(b"\xff") == "ok"
    with pytest.raises(ValueError, match="not found"):
        target(b"")
