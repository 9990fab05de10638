"""Text rendering (MiLDE's TR) from what is read in the output, without a model.

One judgement a document, as the paper has it: 1 where all wanted words stand where they should and
no other text is lost, 0 where none of the wanted stand (or, where none are wanted, all is lost),
0.5 between; times 100. Other wordings that would serve are not known to it: where a design leaves
the wording open it is undecided. `milde:tr:MODEL` asks a model, which does not need one right text.
"""

from collections.abc import Iterator, Mapping, Sequence

from overpaint.core import Edit, Evidence, Found, Measure, Sample, each
from overpaint.errors import NotApplicable, Undecided
from overpaint.measures.evidence.judged import Verdict, together
from overpaint.measures.evidence.sight import VERSION, Sight
from overpaint.measures.evidence.words import key
from overpaint.measures.milde_words import (
    anywhere,
    boxes_of,
    lines_of,
    live_words,
    place_of,
    sight_of,
    stands,
    stayed,
)
from overpaint.measures.reading import NEEDS
from overpaint.vision.page import Line


def text_layers(sample: Sample) -> dict[str, bool]:
    """The text layers of a sample, and whether each is to change."""
    layers: Sequence[Mapping[str, str]] = sample.facts.get("layers") or ()
    gold = set(sample.facts.get("gold") or ())
    return {str(one["id"]): one["id"] in gold for one in layers if one["kind"] == "text"}


def _score(edit: Edit, evidence: Evidence) -> Found:
    layers, wordings = text_layers(edit.sample), edit.sample.facts.get("texts") or {}
    unknown = [name for name, changes in layers.items() if changes and name not in wordings]
    if unknown:
        raise Undecided(f"The right wording of the layer {unknown[0]} is not known.",
                        "", "milde:tr:MODEL asks a model.")  # fmt: skip
    sight = sight_of(edit, evidence)
    wanted, kept = list[Verdict](), list(_kept(edit, sight, layers))
    for name, words in wordings.items():
        new, old = _wanted(edit, sight, name, str(words))
        wanted += [together(new)] if new else []
        kept += old
    if not wanted and not kept:
        raise NotApplicable("The design has no words that could be right or lost.")
    return _rendered(wanted, kept)


def _wanted(
    edit: Edit, sight: Sight, layer: str, words: str
) -> tuple[list[Verdict], list[Verdict]]:
    """Of the lines that a layer should have: whether the new ones, and the old ones, stand there.

    A layer may hold words that stand far from one another, of which one line changes.
    """
    place = place_of(edit, sight.evidence, layer)
    if place is None:
        return [Verdict(None, (f"the layer {layer} shows nowhere",))], []
    read, lines = lines_of(sight, place), [line for line in words.split("\n") if line.strip()]
    if not lines:
        return [_emptied(sight, layer, read)], []
    said = "\n".join((live_words(edit.sample.request.source, layer), *(one.text for one in read)))
    old = {key(line) for line in said.split("\n")}
    verdicts = [(key(line) in old, stands(sight, line, place, edit.sample)) for line in lines]
    return [v for was, v in verdicts if not was], [v for was, v in verdicts if was]


def _emptied(sight: Sight, layer: str, read: Sequence[Line]) -> Verdict:
    """Whether all that a layer said is gone."""
    before = [anywhere(sight, line.text) for line in read]
    if not before or any(one.passed is None for one in before):
        return Verdict(None, (f"the words of the layer {layer} cannot be read in the source",))
    left = [one for one in before if one.passed]
    return Verdict(not left, left[0].notes if left else ("the words are gone",))


def _kept(edit: Edit, sight: Sight, layers: Mapping[str, bool]) -> Iterator[Verdict]:
    """Whether each line of the text layers that stay can still be read."""
    boxes = boxes_of(sight.evidence, edit.sample.request.source)
    sides: dict[bool, set[Line]] = {True: set(), False: set()}
    for name, changes in layers.items():
        sides[changes] |= set(lines_of(sight, boxes[name]) if name in boxes else ())
    # A line in the boxes of both may be either's.
    lines = sorted(sides[False] - sides[True], key=lambda one: one.box)
    yield from (stayed(sight, line) for line in lines)


def _rendered(wanted: Sequence[Verdict], kept: Sequence[Verdict]) -> Found:
    """The level, where what is open does not matter."""
    ends = [
        level([v.passed if v.passed is not None else sure for v in wanted],
              [v.passed if v.passed is not None else sure for v in kept])
        for sure in (False, True)
    ]  # fmt: skip
    notes = [note for v in (*wanted, *kept) if v.passed is not True for note in v.notes]
    if ends[0] != ends[1]:
        unsure = next(v for v in (*wanted, *kept) if v.passed is None)
        raise Undecided(f"What is read leaves it open: {'; '.join(unsure.notes)}.")
    right, lost = (sum(v.passed is want for v in side) for side, want in
                   ((wanted, True), (kept, False)))  # fmt: skip
    told = f"{right} of {len(wanted)} wanted texts, {lost} of {len(kept)} other lines lost"
    return Found(100 * ends[0], (told, *notes[:4]))


def level(wanted: Sequence[bool], kept: Sequence[bool]) -> float:
    """1, 0.5 or 0, by which wanted texts are right and which others are still there."""
    if all(wanted) and all(kept):
        return 1.0
    some = any(wanted) if wanted else any(kept)
    return 0.5 if some else 0.0


def _text_edits(edit: Edit, evidence: Evidence) -> Found:
    if not any(text_layers(edit.sample).values()):
        raise NotApplicable("No text is to change.")
    return _score(edit, evidence)


def _measure(name: str, over: str) -> Measure:
    function = _score if name == "milde_tr" else _text_edits
    return Measure(
        name, each(name, function), higher_is_better=True, worst=0.0, best=100.0, unit="%",
        version=f"1+{VERSION}", needs=NEEDS["tiny"],
        about=f"MiLDE's text rendering by OCR, 0, 50 or 100 a document, over {over}",
    )  # fmt: skip


milde_tr = _measure("milde_tr", "all samples")
milde_tr_text = _measure("milde_tr_text", "samples with a text edit")
