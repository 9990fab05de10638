"""What was not to change: whether it is as it was, by its pixels, and by its words in doubt."""

from typing import Final

import numpy as np

from overpaint.errors import NotApplicable
from overpaint.measures.evidence_judged import Verdict
from overpaint.measures.evidence_places import distance
from overpaint.measures.evidence_sight import (
    CLEAR,
    SEEN,
    SPECK,
    Sight,
    cut,
    outside,
    without_specks,
)
from overpaint.measures.evidence_words import key
from overpaint.measures.pixel import Mask
from overpaint.vision.page import Box

CLEARLY: Final = 14  # pixels, all far off and in one place, that are a change to anybody
DRIFT: Final = 6.0  # of 255: the mean difference of a picture that was repainted as a whole
ROOM: Final = 1.5  # heights around words that were to change, where others may have moved
REFLOW: Final = 5.0  # heights around them in which a paragraph may have been set anew


def preserved(sight: Sight, places: tuple[Box, ...], *, known: bool) -> Verdict:
    """Whether all that was to stay is as it was; `places` are where the asked words stood."""
    if sight.loose:
        return Verdict(None, ("the output cannot be laid over the source",))
    if sight.may is not None:
        try:
            counts = outside(sight)
        except NotApplicable as none:
            return Verdict(None, (str(none),))
        return _compared(sight, counts, counts, "that may not change")
    if not sight.changed.any():
        return Verdict(True, ("nothing is seen to differ from the source",))
    if not known or not places:
        return Verdict(None, ("there is no mask, and where the edit was to happen is not known",))
    counts = _away(sight, places, ROOM)
    return _compared(sight, counts, _away(sight, places, REFLOW), "away from the asked words")


def _compared(sight: Sight, counts: Mask, surely: Mask, where: str) -> Verdict:
    """Passed where nothing differs in `counts`, failed where something clearly does in `surely`."""
    apart = np.where(counts, sight.apart, 0)
    total = int(counts.sum())
    seen = without_specks(apart >= SEEN, SPECK)
    share = float(seen.sum()) / max(1, total)
    note = f"{share:.2%} of the pixels {where} are seen to differ (by more than {SEEN})"
    clear = without_specks((apart >= CLEAR) & surely, CLEARLY)
    if clear.any():
        return Verdict(False, (note, *_words_lost(sight, clear)))
    mean = float(sight.apart[counts].mean()) if total else 0.0
    if not seen.any() and mean < DRIFT:
        return Verdict(True, (note,))
    return Verdict(None, (f"{note}, none of them clearly",))


def _words_lost(sight: Sight, clear: Mask) -> tuple[str, ...]:
    """Which words are read otherwise where the pictures clearly differ."""
    now = {key(line.text) for line in sight.after}
    lost = [
        line.text
        for line in sight.before
        if cut(clear, line.box).any() and key(line.text) not in now
    ]
    return tuple(f"“{text}” is no longer read" for text in lost[:3])


def _away(sight: Sight, places: tuple[Box, ...], heights: float) -> Mask:
    """All but the places and some room around them; lines they touch are theirs to the ends."""
    counts = sight.pair.counts.copy()
    high = float(np.median([min(b[3] - b[1], b[2] - b[0]) for b in places]))
    room = heights * high
    boxes = list(places)
    for line in (*sight.before, *sight.after):
        if any(distance(line.box, place) < 0.3 * high for place in places):
            boxes.append(line.box)
    for left, top, right, bottom in boxes:
        rows = slice(max(0, int(top - room)), int(bottom + room) + 1)
        counts[rows, max(0, int(left - room)) : int(right + room) + 1] = False
    return counts
