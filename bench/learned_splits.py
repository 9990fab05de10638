"""How `bench/learned.py` deals the built-in set: written down before any fusion was tried on it.

What is held out is one value at a time of a source, an editor or a kind of damage, and with
it every other edit of the source that is tried on. An edit is so tried on exactly once in each way,
by a model that has seen neither its source nor its editor (its damage). Correlations are
of all edits of the set together, each with what was foretold of it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from learned_raters import HELD_OUT
from numpy.typing import NDArray

Places = NDArray[np.intp]


class Known(NamedTuple):
    """What an edit can be held out by."""

    source: str
    editor: str
    damage: str


class Deal(NamedTuple):
    """Which edits a model learns from, and which it is then tried on."""

    train: Places
    test: Places


def deals(known: Sequence[Known], held_out: str) -> Iterator[Deal]:
    """Every deal of one way of holding out; each edit is in one test."""
    assert held_out in HELD_OUT
    sources = np.array([one.source for one in known])
    values = np.array([getattr(one, held_out) for one in known])
    for source in sorted(set(sources)):
        here = sources == source
        for value in sorted(set(values[here])):
            test = here & (values == value)
            train = ~here & (values != value)
            yield Deal(np.flatnonzero(train), np.flatnonzero(test))
