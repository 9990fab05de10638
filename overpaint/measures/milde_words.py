"""Words of an edited design: whether they stand in a place, have gone, or have stayed.

Output and source are laid over one another and read (`evidence.sight`): words of a text layer count
where they are seen, too. Where a first reading does not have the words, two more are asked, and
what is nearly the words and not plainly others stays open.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from overpaint.core import Edit, Evidence, Sample, finding
from overpaint.document import Document
from overpaint.document.layers import Text
from overpaint.measures.evidence.judged import Verdict
from overpaint.measures.evidence.searching import Spot, find
from overpaint.measures.evidence.sight import Sight
from overpaint.measures.evidence.spelling import Spelling, spelt
from overpaint.measures.evidence.words import key
from overpaint.vision.page import Box, Line, union
from overpaint.vision.sheets import leaves

ALIKE: Final = 0.8  # of the letters: what is read as less alike says something else
SHORT: Final = 5  # letters; shorter words are sought with their capitals
NEAR: Final = 0.02  # of the picture's diagonal: how far from its place a line may stand, at least


def sight_of(edit: Edit, evidence: Evidence) -> Sight:
    """Source and output in one frame."""
    assert edit.output is not None
    return Sight(evidence, edit.output, edit.sample.request.source, ())


def stands(sight: Sight, words: str, place: Box, sample: Sample) -> Verdict:
    """Whether words stand in or near a place of the output.

    Open for every output where they cannot be read in the truth either: the reader cannot tell.
    """
    near = around(sight, place)
    if sample.target is not None:
        truth = Sight(sight.evidence, sample.target, sight.source, ())
        if not spelt(truth, words, near, known=False).there:
            return Verdict(None, (f"“{words}” cannot be read in the truth either",))
    if _untouched(sight, near) and not _spots(sight.before, words):
        return Verdict(False, (f"nothing has changed where “{words}” should stand",))
    found = spelt(sight, words, near, known=bool(_spots(sight.before, words)))
    return Verdict(True, (f"“{found.got}” is read there",)) if found.there else _other(found, words)


def _other(found: Spelling, words: str) -> Verdict:
    """What is read in place of words; open where it may be them all the same."""
    from rapidfuzz.distance import Levenshtein

    if (
        found.state == "open"
        and Levenshtein.normalized_similarity(key(found.got), key(words)) >= ALIKE
    ):
        return Verdict(None, (f"“{found.got}” is read, which may be “{words}”",))
    read = f"“{found.got}” is read" if found.got else "nothing is read"
    return Verdict(False, (f"{read} where “{words}” should stand",))


def anywhere(sight: Sight, words: str) -> Verdict:
    """Whether words that stood in the source still stand anywhere in the output."""
    before = _spots(sight.before, words)
    if not before:
        return Verdict(None, (f"“{words}” cannot be read in the source either",))
    if spots := _spots(sight.after, words):
        return Verdict(True, (f"“{spots[0].text}” is read",))
    for spot in before:
        if _untouched(sight, spot.box):
            return Verdict(True, (f"nothing has changed where “{words}” stood",))
        if spelt(sight, words, around(sight, spot.box), known=True).there:
            return Verdict(True, (f"“{words}” is read where it stood",))
    return Verdict(False, (f"“{words}” is read nowhere",))


def stayed(sight: Sight, line: Line) -> Verdict:
    """Whether a line of the source can still be read in the output."""
    if _untouched(sight, line.box) or _spots(sight.after, line.text):
        return Verdict(True)
    found = spelt(sight, line.text, around(sight, line.box), known=True)
    return Verdict(True) if found.there else _other(found, line.text)


def around(sight: Sight, place: Box) -> Box:
    """A place with some room around it: new words may be longer, or stand a little aside."""
    left, top, right, bottom = place
    high, wide = sight.pair.reference.shape[:2]
    room = max(NEAR * (high**2 + wide**2) ** 0.5, min(right - left, bottom - top) / 2)
    return left - room, top - room, right + room, bottom + room


def _spots(lines: Sequence[Line], words: str) -> list[Spot]:
    found = find(lines, words)
    return found if found or len(key(words)) < SHORT else find(lines, words, cased=False)


def _untouched(sight: Sight, place: Box) -> bool:
    return not sight.loose and sight.change([place]) == 0


# ── layers ──────────────────────────────────────────────────────────────────────────────


def boxes_of(evidence: Evidence, document: Document) -> Mapping[str, Box]:
    """Where each layer shows, by its id."""
    return {name: (a, b, c, d) for name, (a, b, c, d) in _boxes(evidence, document).items()}


@finding(keep=True)
def _boxes(evidence: Evidence, document: Document) -> dict[str, Any]:
    return {leaf.layer.id: [float(edge) for edge in leaf.box] for leaf in leaves(document)}


def live_words(document: Document, layer: str) -> str:
    """What a text layer says; nothing where it is a picture."""
    found = (one.content.words for one in document
             if one.id == layer and isinstance(one.content, Text))  # fmt: skip
    return next(found, "")


def lines_of(sight: Sight, box: Box) -> list[Line]:
    """The lines of the source whose middle lies in a box."""
    return [line for line in sight.before if _inside(line, box)]


def _inside(line: Line, box: Box) -> bool:
    left, top, right, bottom = line.box
    x, y = (left + right) / 2, (top + bottom) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def place_of(edit: Edit, evidence: Evidence, layer: str) -> Box | None:
    """Where a layer is before the edit and, as far as there is a truth, after it."""
    sample = edit.sample
    documents = [sample.request.source, *([sample.target] if sample.target else [])]
    found = [boxes_of(evidence, document).get(layer) for document in documents]
    known = [box for box in found if box is not None]
    return union(known) if known else None
