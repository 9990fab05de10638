"""Verdicts: passed, failed or left open, each with what speaks for it."""

from dataclasses import dataclass, replace

from overpaint.measures.evidence.searching import Spot
from overpaint.vision.page import Box


@dataclass(frozen=True)
class Verdict:
    """Passed, failed or open (None), and what speaks for it, most important first."""

    passed: bool | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """The instruction, for what its ops do not say."""

    instruction: str


@dataclass(frozen=True)
class Judged:
    """What is found of one op: did it happen, are its words right, and where it was to happen."""

    asked: Verdict
    text: Verdict
    places: tuple[Box, ...] = ()
    old: Spot | None = None  # words that others took the place of
    new: Spot | None = None

    def showing(self, old: Spot | None, new: Spot | None) -> "Judged":
        """The same with the words whose looks can be compared."""
        return replace(self, old=old, new=new)


def open_(why: str) -> Judged:
    """Nothing can be said of an op."""
    return Judged(Verdict(None, (why,)), Verdict(None, (why,)))


def together(verdicts: list[Verdict]) -> Verdict:
    """Several ops of one instruction: failed if one is, passed if all are."""
    failed = [verdict for verdict in verdicts if verdict.passed is False]
    unsure = [verdict for verdict in verdicts if verdict.passed is None]
    first = [*failed, *unsure, *(v for v in verdicts if v.passed)]
    passed = False if failed else None if unsure else True
    return Verdict(passed, tuple(note for verdict in first for note in verdict.notes))
