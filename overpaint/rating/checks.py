"""Attention checks: known answers, repeats, speed and answers that are all alike. Pure."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from overpaint.rating.book import Given
from overpaint.rating.study import Question

FEW_GOLD = 2  # known answers below which nothing is said of them
FEW_REPEATS = 2
FEW_ITEMS = 8
GOLD_RIGHT = 2 / 3
REPEATS_APART = 0.25  # of the scale, on average
FAST = 1 / 3  # of what the others take
FASTEST = 1.0  # seconds an item in which nobody can look
ALIKE = 0.95


@dataclass(frozen=True)
class Attention:
    """What one rater's answers tell of how they were given."""

    median_seconds: float | None
    gold: tuple[int, int]  # right, of so many
    repeats: tuple[float | None, int]  # mean difference as a share of the scale, of so many
    flags: tuple[str, ...]


def attention(
    given: Sequence[Given], questions: Mapping[str, Question], usual: float | None
) -> Attention:
    """One rater's checks; `usual` is the median time of everybody's answers."""
    counted = [one for one in given if one.showing == "rating"]
    seconds = statistics.median([one.seconds for one in counted]) if counted else None
    gold = [right(one) for one in given if one.showing == "gold"]
    repeats = _repeats(given, questions)
    apart = statistics.fmean(repeats) if repeats else None
    flags = [
        *_gold_flag(sum(gold), len(gold)), *_repeat_flag(apart, len(repeats)),
        *_speed_flag(seconds, usual, len(counted)), *_alike_flags(counted),
    ]  # fmt: skip
    return Attention(seconds, (sum(gold), len(gold)), (apart, len(repeats)), tuple(flags))


def right(one: Given) -> bool:
    """Whether an answer to an item with known answers is right in every respect."""
    return all(
        _fits(one.answers.get(name), expected) for name, expected in one.item.expected.items()
    )


def _fits(said: Any, expected: Any) -> bool:
    if isinstance(expected, list | tuple):
        return isinstance(said, int | float) and expected[0] <= said <= expected[1]
    return bool(said == expected)


def _repeats(given: Sequence[Given], questions: Mapping[str, Question]) -> list[float]:
    """How far apart the two answers to each repeated item are, as a share of the scale."""
    first = {one.number: one for one in given if one.showing == "rating"}
    found = []
    for again in given:
        before = first.get(again.number)
        if again.showing == "repeat" and before is not None:
            apart = [
                _apart(questions.get(name), before.answers.get(name), value)
                for name, value in again.answers.items()
            ]
            found.append(statistics.fmean(apart))
    return found


def _apart(question: Question | None, one: Any, other: Any) -> float:
    ends = question.ends if question else None
    if ends and isinstance(one, int | float) and isinstance(other, int | float):
        return abs(float(one) - float(other)) / (ends[1] - ends[0])
    return float(one != other)


def _gold_flag(right: int, of: int) -> list[str]:
    if of < FEW_GOLD or right >= GOLD_RIGHT * of:
        return []
    return [f"{right} of {of} items with known answers are right."]


def _repeat_flag(apart: float | None, of: int) -> list[str]:
    if apart is None or of < FEW_REPEATS or apart <= REPEATS_APART:
        return []
    return [f"Answers to the same item differ by {apart:.0%} of the scale, over {of} items."]


def _speed_flag(seconds: float | None, usual: float | None, of: int) -> list[str]:
    if seconds is None or of < FEW_ITEMS:
        return []
    slow = max(FASTEST, FAST * (usual or 0.0))
    return [f"Half of the answers took under {seconds:.1f} s."] if seconds < slow else []


def _alike_flags(given: Sequence[Given]) -> list[str]:
    if len(given) < FEW_ITEMS:
        return []
    told = []
    names = list(given[0].answers)
    shares = {}
    for name in names:
        said = Counter(repr(one.answers.get(name)) for one in given)
        shares[name] = said.most_common(1)[0][1] / len(given)
    if all(share == 1 for share in shares.values()):
        told.append(f"All {len(given)} items have the same answers.")
    elif alike := [name for name, share in shares.items() if share >= ALIKE]:
        told.append(f"{', '.join(alike)}: nearly always the same answer.")
    return told
