"""What flows and what is remembered: the memo of findings stays within its bound."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from overpaint.core import Evidence, finding
from overpaint.document import Document
from overpaint.vision.references import Reference

SIDE = 256
KEPT = SIDE * SIDE * 4  # bytes of a map


@finding()
def maps(evidence: Evidence, number: int) -> list[Reference]:
    """Six maps of regions, as an extractor gives them."""
    made = np.zeros((6, SIDE, SIDE), np.int32)
    return [Reference("semantic_map", one.copy(), "test", "1") for one in made]


@finding()
def picture(evidence: Evidence, number: int) -> Document:
    """A picture in memory."""
    return Document.of(np.full((SIDE, SIDE, 4), number, np.uint8))


@dataclass
class Ring:
    """Something that holds itself."""

    pixels: np.ndarray
    held: Any = None


@finding()
def ring(evidence: Evidence) -> Ring:
    """One array, in a ring, twice."""
    made = Ring(np.zeros((SIDE, SIDE), np.int32))
    made.held = [made, made.pixels]
    return made


def test_what_references_and_documents_hold_counts_towards_the_bound() -> None:
    evidence = Evidence(megabytes=4)
    first = maps(evidence, 0)
    assert maps(evidence, 0) is first
    for number in range(1, 6):
        maps(evidence, number)
        assert len(evidence._memo) <= 4 * 2**20 // (6 * KEPT) == 2
    assert maps(evidence, 0) is not first, "it made room for the others"
    for number in range(40):
        picture(evidence, number)
        assert len(evidence._memo) <= 4 * 2**20 // KEPT == 16
    assert evidence._size <= 4 * 2**20


def test_what_is_held_twice_or_in_a_ring_is_counted_once() -> None:
    evidence = Evidence()
    ring(evidence)
    assert KEPT <= evidence._size < KEPT + 2_000
