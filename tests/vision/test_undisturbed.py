"""Moments in which a stop has to wait."""

import signal

import pytest

from overpaint.vision.undisturbed import undisturbed


def test_a_stop_that_comes_at_the_wrong_moment_waits_until_it_is_over() -> None:
    done = []

    def disturbed() -> None:
        with undisturbed():
            signal.raise_signal(signal.SIGINT)
            done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        disturbed()
    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
