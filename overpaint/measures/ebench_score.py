"""Score_all (LMM4Edit, §5): quality, alignment and preservation in one number, to rank editors.

    Score_all = Q^0.3 · E^0.4 · P^0.3

It is a weighted geometric mean, so an editor that fails in one dimension is not saved by the other
two. Opinion scores are not clamped and can fall below 0 in theory, where a power has no value: that
is an error here and never a number.
"""

import math
from collections.abc import Sequence

from overpaint.core import Edit, Evidence, Measure, each
from overpaint.errors import NotApplicable, UserMistake

WEIGHTS = (0.3, 0.4, 0.3)  # of quality, alignment and preservation; they add up to 1
DIMENSIONS = ("quality", "alignment", "preservation")
PEOPLE = tuple(f"{name}@people" for name in DIMENSIONS)  # columns of people's ratings


def score_all(quality: float, alignment: float, preservation: float) -> float:
    """Q^0.3 · E^0.4 · P^0.3 (LMM4Edit), on the scale of its three parts, each 0 or more."""
    values = (quality, alignment, preservation)
    for name, value in zip(DIMENSIONS, values, strict=True):
        if not 0 <= value < math.inf:  # NaN is not between
            raise ValueError(f"{name} is {value}; Score_all is of three finite numbers from 0 up")
    parts: list[float] = [
        float(value) ** weight for value, weight in zip(values, WEIGHTS, strict=True)
    ]
    return math.prod(parts)


def from_means(means: Sequence[float]) -> float:
    """Score_all of three columns' means, in the order of `DIMENSIONS`."""
    try:
        return score_all(*means)
    except ValueError as error:
        raise UserMistake(
            f"There is no Score_all of these columns: {error}.",
            "It is of ratings and opinion scores, which do not average below 0.",
            "Take score_all off the table.",
        ) from None


def total(name: str, parts: Sequence[str]) -> Measure:
    """Score_all of an editor, once from the means of these three columns of a table."""

    def score(edit: Edit, evidence: Evidence) -> float:
        raise NotApplicable(
            f"Score_all is of an editor: it is computed from the means of {', '.join(parts)}."
        )

    return Measure(
        name, each(name, score), higher_is_better=True, worst=0.0, best=None,
        parts=tuple(parts), whole=from_means,
        about=f"Score_all = Q^0.3 · E^0.4 · P^0.3 (LMM4Edit), once from the means of"
        f" {', '.join(parts)}",
    )  # fmt: skip


score_all_people = total("score_all", PEOPLE)
