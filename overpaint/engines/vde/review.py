"""What follows from people's answers: kept, sent back, or rejected with the reason. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from overpaint.engines.vde.tasks import ASPECTS, SCALE, Answer
from overpaint.stats.boxes import pairwise_iou
from overpaint.vision.page import Box

AGREEMENT = 0.95  # what the mean IoU of all pairs of boxes must exceed


@dataclass(frozen=True)
class Verdict:
    """Where a question stands."""

    state: Literal["open", "passed", "rejected", "back"]
    reason: str = ""


def rated(answers: Sequence[Answer], wanted: int) -> Verdict:
    """Passed when each of the first so many raters gave full marks in every aspect."""
    if len(answers) < wanted:
        return Verdict("open")
    totals = [sum(answer.value) for answer in answers[:wanted]]
    full = SCALE[1] * len(ASPECTS)
    if min(totals) == full:
        return Verdict("passed")
    split = "; the raters are split" if max(totals) == full else ""
    return Verdict("rejected", f"rated {', '.join(map(str, totals))} of {full}{split}")


def boxed(answers: Sequence[Answer], wanted: int) -> Verdict:
    """Passed when the first so many boxes agree; otherwise the question goes back."""
    if len(answers) < wanted:
        return Verdict("open")
    found = agreement([answer.value for answer in answers[:wanted]])
    told = f"mean pairwise IoU {found:.3f}"
    return Verdict("passed" if found > AGREEMENT else "back", told)


def agreement(boxes: Sequence[Box]) -> float:
    """The mean IoU over all pairs; one box alone agrees with itself."""
    found = pairwise_iou(boxes)
    return 1.0 if found is None else found


def largest(answers: Sequence[Answer], wanted: int) -> Box:
    """The box that is kept: the one of the greatest area, the first of equals."""
    boxes: list[Box] = [answer.value for answer in answers[:wanted]]
    return max(boxes, key=lambda box: (box[2] - box[0]) * (box[3] - box[1]))


def looked_at(answers: Sequence[Answer], wanted: int) -> Verdict:
    """Passed when all of the first so many said yes."""
    if len(answers) < wanted:
        return Verdict("open")
    against = [answer for answer in answers[:wanted] if not answer.value]
    if not against:
        return Verdict("passed")
    notes = "; ".join(answer.note for answer in against if answer.note)
    return Verdict(
        "rejected", f"{len(against)} of {wanted} said no" + (f": {notes}" if notes else "")
    )
