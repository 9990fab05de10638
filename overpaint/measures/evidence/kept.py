"""What was not to change: whether it is as it was, by its pixels, and by its words in doubt."""

from typing import Final

import numpy as np

from overpaint.errors import NotApplicable
from overpaint.measures import pixel
from overpaint.measures.evidence.judged import Verdict
from overpaint.measures.evidence.places import distance, shared
from overpaint.measures.evidence.sight import (
    CLEAR,
    SEEN,
    SPECK,
    Sight,
    cut,
    outside,
    without_specks,
)
from overpaint.measures.evidence.words import key, near
from overpaint.measures.pixel import Mask
from overpaint.vision.page import Box, Line

CLEARLY: Final = 14  # pixels, all far off and in one place, that are a change to anybody
SURE: Final = 0.95  # the confidence of two readings of a line that contradict one another
DRIFT: Final = 6.0  # of 255: the mean difference of a picture that was repainted as a whole
SPILL: Final = 16  # pixels that the tail of a letter may reach over the edge of a mask
SPILT: Final = 150  # pixels of such a tail
FLAT: Final = 2.0  # of 255: the deviation of a picture that shows nothing
FEW: Final = 4  # lines, of which
GONE: Final = 0.25  # so many must still be read in an edit of the same picture
GRAIN: Final = 100.0  # a mean squared error above that of any compression worth the name
MOVED: Final = 0.85  # share of lines that are read again where words only moved
SIMILAR: Final = 0.85  # of two readings of one line
BESIDE: Final = 0.3  # share of what differs that may be bullets, rules and icons beside them
TIGHT: Final = 0.4  # heights around them that are theirs: an outline, a shadow
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
        return _compared(sight, sight.pair.counts, sight.pair.counts, "of the picture")
    if not known or not places:
        return Verdict(None, ("there is no mask, and where the edit was to happen is not known",))
    far = REFLOW if any(_in_paragraph(sight, place) for place in places) else ROOM
    surely = _away(sight, places, far, lines=True)
    counts = _away(sight, places, TIGHT, lines=False)
    return _compared(sight, counts, surely, "away from the asked words")


def _in_paragraph(sight: Sight, place: Box) -> bool:
    """Whether lines like that of a place stand close above or below it, in its column."""
    high = min(place[3] - place[1], place[2] - place[0])
    for line in sight.before:
        left, top, right, bottom = line.box
        gap = max(top - place[3], place[1] - bottom)
        alike = 0.7 < (bottom - top) / max(1.0, high) < 1.4 and left < place[2] and place[0] < right
        if alike and -0.2 * high < gap < 0.9 * high:
            return True
    return False


def _compared(sight: Sight, counts: Mask, surely: Mask, where: str) -> Verdict:
    """Passed where nothing differs in `counts`, failed where something clearly does in `surely`."""
    apart = np.where(counts, sight.apart, 0)
    total = int(counts.sum())
    seen = without_specks(apart >= SEEN, SPECK)
    share = float(seen.sum()) / max(1, total)
    note = f"{share:.2%} of the pixels {where} are seen to differ (by more than {SEEN})"
    spilt = _spilt(sight, seen)
    clear = without_specks((apart >= CLEAR) & surely & ~spilt, CLEARLY)
    if clear.any():
        if _only_moved(sight, clear):
            return Verdict(None, (note, "the same words stand elsewhere, which may be meant"))
        return Verdict(False, (note, *_words_lost(sight, clear)))
    if (otherwise := _read_otherwise(sight, seen & surely & ~spilt)) is not None:
        return Verdict(False, (otherwise, note))
    error = pixel.mse(sight.pair.reference, sight.pair.output, counts) if total else 0.0
    if error > GRAIN:
        return Verdict(None, (f"all of it is noisy (a mean squared error of {error:.0f})", note))
    mean = float(sight.apart[counts].mean()) if total else 0.0
    if not (seen & ~spilt).any() and mean < DRIFT:
        edge = ("all of them letters that reach over the mask's edge",) if spilt.any() else ()
        return Verdict(True, (note, *edge))
    return Verdict(None, (f"{note}, none of them clearly",))


def destroyed(sight: Sight) -> Verdict | None:
    """The verdict on an output that is no edit of the source at all; None where it may be one."""
    if float(sight.pair.output.std()) < FLAT <= float(sight.pair.reference.std()):
        return Verdict(False, ("the output is one flat colour",))
    now = {key(line.text) for line in sight.after}
    others = [
        key(line.text)
        for line in sight.before
        if line.confidence >= SURE and (sight.may is None or not cut(sight.may, line.box).any())
    ]
    read = sum(said in now for said in others)
    if len(others) >= FEW and read < GONE * len(others):
        told = f"of {len(others)} lines that were to stay, {read} are still read"
        return Verdict(None, (f"{told}: it may be another picture",))
    return None


def _spilt(sight: Sight, seen: Mask) -> Mask:
    """Small changes at the edge of the mask: the tail of a letter that did not fit in it."""
    import cv2

    none = np.zeros_like(seen)
    if sight.may is None or not seen.any():
        return none
    _, labels, stats, _ = cv2.connectedComponentsWithStats(seen.astype(np.uint8), connectivity=8)
    reach = 2 * SPILL + 1
    beside = cv2.dilate(sight.may.astype(np.uint8), np.ones((5, 5))) > 0
    within = cv2.dilate(sight.may.astype(np.uint8), np.ones((reach, reach))) > 0
    own = set(np.unique(labels[beside])) - set(np.unique(labels[seen & ~within])) - {0}
    small = [label for label in own if stats[label, cv2.CC_STAT_AREA] <= SPILT]
    return np.asarray(np.isin(labels, small)) if small else none


def _only_moved(sight: Sight, clear: Mask) -> bool:
    """Whether most of what differs is words that are read in both, in another place."""
    sides = (sight.before, sight.after)
    touched = [
        [line for line in lines if key(line.text) and cut(clear, line.box).any()] for lines in sides
    ]
    if not all(touched):
        return False
    found = [_went(line, sides[1 - side]) for side in (0, 1) for line in touched[side]]
    rest = clear.copy()
    for line in (*sight.before, *sight.after):
        cut(rest, line.box, 3)[:] = False
    return float(np.mean(found)) >= MOVED and rest.sum() <= BESIDE * clear.sum()


def _went(line: Line, others: tuple[Line, ...]) -> bool:
    """Whether a line is read elsewhere, a few letters otherwise; one that stayed did not go."""
    from rapidfuzz.distance import Levenshtein

    for other in others:
        like = Levenshtein.normalized_similarity(key(line.text), key(other.text))
        off = max(abs(a - b) for a, b in zip(line.box[:2], other.box[:2], strict=True))
        if like >= SIMILAR and off > 0.25 * (line.box[3] - line.box[1]):
            return True
    return False


def _read_otherwise(sight: Sight, seen: Mask) -> str | None:
    """A line that was read surely, changed, and is now as surely read as another."""
    for line in sight.before:
        if line.confidence < SURE or not cut(seen, line.box).any():
            continue
        for other in sight.after:
            same = shared(line.box, other.box) > 0.9 and shared(other.box, line.box) > 0.9
            level = abs(len(key(line.text)) - len(key(other.text))) <= 1
            another = key(line.text) != key(other.text) and not near(line.text, other.text)
            if same and level and another and other.confidence >= SURE:
                return f"“{line.text}” is now read “{other.text}”"
    return None


def _words_lost(sight: Sight, clear: Mask) -> tuple[str, ...]:
    """Which words are read otherwise where the pictures clearly differ."""
    now = {key(line.text) for line in sight.after}
    lost = [
        line.text
        for line in sight.before
        if cut(clear, line.box).any() and key(line.text) not in now
        and (sight.may is None or cut(sight.may, line.box).mean() < 0.5)
    ]  # fmt: skip
    return tuple(f"“{text}” is no longer read" for text in lost[:3])


def _away(sight: Sight, places: tuple[Box, ...], heights: float, *, lines: bool) -> Mask:
    """All but the places and some room around them, and with `lines` the lines they touch."""
    counts = sight.pair.counts.copy()
    high = float(np.median([min(b[3] - b[1], b[2] - b[0]) for b in places]))
    room = heights * high
    boxes = list(places)
    for line in (*sight.before, *sight.after) if lines else ():
        if any(distance(line.box, place) < 0.3 * high for place in places):
            boxes.append(line.box)
    for left, top, right, bottom in boxes:
        rows = slice(max(0, int(top - room)), int(bottom + room) + 1)
        counts[rows, max(0, int(left - room)) : int(right + room) + 1] = False
    return counts
