"""Instruction following by questions (MiLDE's IF), answered from words and pixels alone.

Each edited layer has yes/no questions; a question with a check can be answered without a model:

    says   words, box    yes where the words are read in or near the box
    gone   words         yes where the words are still read anywhere
    looks  box           as expected where the output has come nearer to the truth than half of
                         what had to change there; not so where less than a tenth has changed

The value is the share answered as expected, in percent, and weighs as many questions: a corpus
pools them all. Where one with a check cannot be decided there is no value; one without is not asked
here. `milde:if:MODEL` asks a model.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from overpaint.core import Edit, Evidence, Found, Measure, Sample, each
from overpaint.errors import DataError, NotApplicable, Undecided
from overpaint.measures import background
from overpaint.measures.evidence.judged import Verdict
from overpaint.measures.evidence.sight import VERSION, Sight, cut
from overpaint.measures.milde_words import anywhere, sight_of, stands
from overpaint.measures.reading import NEEDS
from overpaint.vision.page import Box

SEEN: Final = 24  # levels in a channel by which source and truth differ where it counts
NEARER, FARTHER = 0.5, 0.1
MOST_TOLD = 6  # questions that a score's notes tell of


def questions_of(sample: Sample) -> Sequence[Mapping[str, Any]]:
    """The questions about a sample's edit; NotApplicable where it has none."""
    found: Sequence[Mapping[str, Any]] = sample.facts.get("questions") or ()
    if not found:
        raise NotApplicable("The sample has no questions.")
    return found


def following(verdicts: Sequence[tuple[str, Verdict]]) -> Found:
    """IF of some questions: the share answered as expected; `Undecided` where one is open.

    A share of the rest would pass for one of all, and which are open may depend on the output.
    """
    decided = [verdict.passed for _, verdict in verdicts if verdict.passed is not None]
    notes = [
        f"{'as expected' if v.passed else 'undecided' if v.passed is None else 'not so'}: {asked}"
        f" ({'; '.join(v.notes)})"
        for asked, v in sorted(verdicts, key=lambda one: (one[1].passed is not None, one[1].passed))
    ]
    if open_ := len(verdicts) - len(decided):
        raise Undecided(f"{open_} of {len(verdicts)} questions cannot be decided: {notes[0]}")
    counted = f"{sum(decided)} of {len(decided)} answered as expected"
    return Found(100 * sum(decided) / len(decided), (counted, *notes[:MOST_TOLD]), len(decided))


def _score(edit: Edit, evidence: Evidence) -> Found:
    asked = [one for one in questions_of(edit.sample) if one.get("check")]
    if not asked:
        raise Undecided("None of its questions can be answered without a model.")
    sight = sight_of(edit, evidence)
    return following([(str(one["question"]), answered(one, edit, sight)) for one in asked])


def answered(question: Mapping[str, Any], edit: Edit, sight: Sight) -> Verdict:
    """Whether a question's answer on the output is the expected one; open where none is sure."""
    check = question["check"]
    if check["kind"] == "looks":
        return _looks(edit, sight, _box(check))
    if check["kind"] == "says":
        found = stands(sight, str(check["words"]), _box(check), edit.sample)
    elif check["kind"] == "gone":
        found = anywhere(sight, str(check["words"]))
    else:
        raise DataError(f"A question has the check {str(check['kind'])[:40]!r}.",
                        "says, gone or looks was expected.")  # fmt: skip
    expected = question["expected"] == "yes"
    return Verdict(None if found.passed is None else found.passed == expected, found.notes)


def _box(check: Mapping[str, Any]) -> Box:
    left, top, right, bottom = (float(edge) for edge in check["box"])
    return left, top, right, bottom


def _looks(edit: Edit, sight: Sight, box: Box) -> Verdict:
    """Whether a place looks as the truth has it, or still as before."""
    if edit.sample.target is None:
        return Verdict(None, ("there is no truth to compare the looks with",))
    target = background.fitted(sight.evidence, edit.sample.target, edit.sample.request.source)
    before, truth, after = (
        cut(picture, box).astype(np.int16)
        for picture in (sight.pair.reference, target, sight.pair.output)
    )
    counts = cut(sight.pair.counts, box) & (np.abs(before - truth).max(axis=2, initial=0) > SEEN)
    if not counts.any():
        return Verdict(None, ("source and truth look alike there",))
    asked, left, done = (
        float(np.abs(one - other)[counts].mean())
        for one, other in ((before, truth), (after, truth), (after, before))
    )
    told = (f"{left:.0f} levels from the truth and {done:.0f} from the source, of {asked:.0f}",)
    if left < NEARER * asked:
        return Verdict(True, told)
    return Verdict(False if done < FARTHER * asked else None, told)


milde_if = Measure(
    "milde_if", each("milde_if", _score), higher_is_better=True, worst=0.0, best=100.0, unit="%",
    version=f"2+{VERSION}", needs=NEEDS["tiny"], pool="weighted",
    about="MiLDE's instruction following: questions answered as expected, by OCR and pixels",
)  # fmt: skip
