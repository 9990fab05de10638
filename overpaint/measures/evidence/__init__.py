"""The evidence judge: TextEditBench's five questions, answered from words and pixels alone.

It asks no model. 1 is passed and 0 failed, and what cannot be decided is `undecided`:

    IF   what was asked happened: the new words are read where the old ones stood, which are gone
    TA   the words are right to the letter
    VC   new words look like those they took the place of: colour, size, letters they share
    LP   what was not to change has not: no pixel outside the mask is seen to differ
    SE   nothing happened at all, so what the edit implies has not either; else undecided

What was asked is what `document.instruct` understands of the instruction; what it refuses leaves
IF and TA open, but an output in which nothing is seen to have changed fails IF whatever was asked.
"""

import re
from collections.abc import Mapping
from functools import partial
from typing import Final

from overpaint.core import Edit, Evidence, Found, Measure, each, finding
from overpaint.document import Document
from overpaint.document.instruct import parse
from overpaint.document.ops import Delete, Hide, Insert, Op, ReplaceText, Restyle
from overpaint.errors import NotApplicable, Refused, Undecided, UserMistake
from overpaint.measures.evidence.judged import Asked, Judged, Verdict, open_, together
from overpaint.measures.evidence.kept import destroyed, preserved
from overpaint.measures.evidence.letters import same_letters
from overpaint.measures.evidence.looks import differs
from overpaint.measures.evidence.ops import judge
from overpaint.measures.evidence.sight import VERSION, Sight
from overpaint.measures.reading import NEEDS

DIMENSIONS: Final = ("IF", "TA", "VC", "LP", "SE")
_UNASKED: Final = "what was asked is not understood without a model"
_WRITE: Final = re.compile(r"写上|写下|加上|加入|添加|\badd\b|\bwrite\b|\binsert\b")
_QUOTE: Final = "\"'“”‘’「」『』《》"


def evidence(argument: str) -> Measure:
    """The measure of one dimension, by its name: IF, TA, VC, LP or SE."""
    if argument not in DIMENSIONS:
        raise UserMistake(
            f"The evidence judge knows no dimension {argument!r}.",
            f"Known: {', '.join(DIMENSIONS)}.",
            "Write evidence:IF, for example.",
        )
    name = f"{argument}@evidence"
    return Measure(
        name, each(name, partial(_score, argument)), higher_is_better=True, worst=0.0, best=1.0,
        version=VERSION, needs=NEEDS["tiny"], about=_ABOUT[argument],
    )  # fmt: skip


_ABOUT: Final[Mapping[str, str]] = {
    "IF": "what was asked happened, by OCR and pixels: 1 passed, 0 failed, else undecided",
    "TA": "the words are right to the letter, by OCR: 1 passed, 0 failed, else undecided",
    "VC": "new words look like the old, by colour, size, shape: 1 passed, 0 failed, else undecided",
    "LP": "nothing changed outside the mask, by pixels: 1 passed, 0 failed, else undecided",
    "SE": "what the edit implies happened too: 0 where nothing changed, else undecided",
}


def _score(dimension: str, edit: Edit, evidence: Evidence) -> Found:
    sample = edit.sample
    if dimension == "SE" and not sample.facts.get("knowledge_prompt"):
        raise NotApplicable("The sample has no knowledge prompt, so nothing is implied.")
    assert edit.output is not None
    request = sample.request
    asked = (request.instruction, bool(sample.facts.get("knowledge_prompt")))
    found = verdicts(evidence, edit.output, request.source, *asked, *sample.masks)
    verdict: Verdict = found[dimension]
    if verdict.passed is None:
        raise Undecided("; ".join(verdict.notes))
    return Found(float(verdict.passed), verdict.notes)


@finding()
def verdicts(
    evidence: Evidence, output: Document, source: Document, instruction: str, implies: bool,
    *masks: Document,
) -> dict[str, Verdict]:  # fmt: skip
    """The verdicts on all five questions; `implies`: the edit is to have consequences, too."""
    sight = Sight(evidence, output, source, masks)
    ops = _asked(instruction)
    if (nothing := _nothing(sight, ops)) is not None:
        return nothing
    found = [judge(sight, op, Asked(instruction)) for op in ops] or [open_(_UNASKED)]
    places = tuple(place for one in found for place in one.places)
    told = {
        "IF": together([one.asked for one in found]),
        "TA": together([one.text for one in found]),
        "VC": _looks(sight, found),
        "LP": preserved(sight, places, known=all(one.places for one in found)),
        "SE": Verdict(None, ("what an edit implies cannot be decided from words and pixels",)),
    }
    if implies and told["LP"].passed is False:
        # A consequence may well lie outside the mask.
        told["LP"] = Verdict(None, ("more than was asked is implied", *told["LP"].notes))
    if (spoilt := destroyed(sight)) is not None:
        told |= {name: spoilt for name in ("IF", "TA", "LP") if told[name].passed is not False}
    if sight.may is not None and not sight.loose and not (sight.changed & sight.may).any():
        told["IF"] = Verdict(False, ("nothing is seen to have changed where it may",))
    return told


def _asked(instruction: str) -> tuple[Op, ...]:
    """The ops that an instruction asks for; none where it is refused or may be misunderstood."""
    try:
        ops = parse(instruction)
    except Refused:
        return ()
    if len(ops) == 1 and (new := _to_write(instruction, ops[0])):
        return (Insert(text=new),)
    quoted = any(mark in instruction for mark in _QUOTE)
    for op in ops:
        new = op.text if isinstance(op, ReplaceText | Insert) else ""
        old = op.where.text if quoted and not isinstance(op, Insert) else ""
        said = [words for words in (new, old) if words]
        if not all(_is_quoted(instruction, words) for words in said):
            return ()
    return ops


def _to_write(instruction: str, op: Op) -> str:
    """The words to be written by an op that was taken for a change of how they look."""
    words = op.where.text if isinstance(op, Restyle | Hide) else ""
    return words if words and _WRITE.search(instruction.lower()) else ""


def _is_quoted(instruction: str, words: str) -> bool:
    """Whether words stand at the beginning of a quotation: others may be no words to be read."""
    return re.search(rf"[{_QUOTE}]\s*{re.escape(words)}", instruction) is not None


def _nothing(sight: Sight, ops: tuple[Op, ...]) -> dict[str, Verdict] | None:
    """The verdicts on an output in which nothing is seen to have changed; None where it is."""
    if sight.loose or sight.changed.any():
        return None
    note = ("nothing is seen to differ from the source",)
    failed, undecided = Verdict(False, note), Verdict(None, note)
    worded = any(isinstance(op, ReplaceText | Insert | Delete) for op in ops)
    text = failed if worded else undecided
    kept = preserved(sight, (), known=False)
    return {"IF": failed, "TA": text, "VC": undecided, "LP": kept, "SE": failed}


def _looks(sight: Sight, found: list[Judged]) -> Verdict:
    """VC: of the first words that took the place of others."""
    pair = next(((one.old, one.new) for one in found if one.old and one.new), None)
    if pair is None or pair[0] is None or pair[1] is None or sight.loose:
        return Verdict(None, ("there are no new words whose looks could be compared",))
    old, new = pair
    seen = differs(sight, old, new)
    if not seen.passed:
        return seen
    passed, note = same_letters(sight, old, new)
    return Verdict(passed, (note, *seen.notes))
