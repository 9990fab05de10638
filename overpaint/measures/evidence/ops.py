"""What was asked, op by op: whether it happened (IF) and whether its words are right (TA)."""

from collections.abc import Callable, Mapping

from overpaint.document.ops import Delete, Insert, Op, ReplaceText
from overpaint.document.where import short
from overpaint.measures.evidence import moves
from overpaint.measures.evidence.judged import Asked, Judged, Verdict, open_
from overpaint.measures.evidence.looks import gone, partly_left
from overpaint.measures.evidence.places import (
    bounds,
    mask_box,
    meant,
    place_of,
    shared,
    stands_in,
)
from overpaint.measures.evidence.searching import Spot, find
from overpaint.measures.evidence.sight import Sight
from overpaint.measures.evidence.spelling import SURE, Spelling, overlaps, spelt
from overpaint.measures.evidence.words import bare, key
from overpaint.vision.joining import unspaced
from overpaint.vision.page import Box, Line

STILL = 0.01  # the share of changed pixels below which words stand as they stood
ERASED = 0.85  # the share of their ink that is gone where words are
PIECE = {False: 4, True: 2}  # letters, Latin and Chinese, that are a piece of words and no chance


def judge(sight: Sight, op: Op, asked: Asked) -> Judged:
    """The verdicts on one op; open where nothing here knows it."""
    look = _LOOKS.get(type(op))
    if look is None:
        return open_(f"a {type(op).__name__} cannot be decided from words and pixels")
    return look(sight, op, asked)


# ── replacing ───────────────────────────────────────────────────────────────────────────


def _replaced(sight: Sight, op: Op, asked: Asked) -> Judged:
    assert isinstance(op, ReplaceText)
    words, new = op.where.text, op.text
    if not key(words) or not key(new):
        return open_("which words were to be replaced cannot be told from their letters")
    olds = meant(sight, op.where)
    place = place_of(sight, olds, new)
    if place is None or (not olds and sight.may is None):
        return open_(f"{_q(words)} is not read in the source")
    known = any(bare(s.text) == bare(words) and s.confidence >= SURE for s in olds)
    now = spelt(sight, new, place, known=known)
    left = _left(sight, olds[0].text if olds else words, olds, now)
    boxes = tuple(box for spot in olds for box in spot.boxes)
    if now.there and not left and key(new) in key(words) and not _shortened(sight, olds, now):
        return open_(f"whether all of {_q(words)} but {_q(new)} is gone cannot be told")
    text = _text(now, new, left=bool(left))
    if text.passed and len(olds) > 1 and len(_fresh(sight, new)) < len(olds):
        text = Verdict(None, (f"{_q(words)} stood in several places; not all are read anew",))
    # Where it is not known which words are the new ones, they may be anywhere in the place.
    touched = (*boxes, *(now.spot.boxes if now.spot else (place,)))
    told = Judged(_replacement(sight, olds, now, left, (words, new)), text, touched)
    return told.showing(olds[0] if len(olds) == 1 else None, now.spot)


def _replacement(
    sight: Sight, olds: list[Spot], now: Spelling, left: list[Spot], words: tuple[str, str]
) -> Verdict:
    old, new = words
    asked = f"asked: {_q(new)} in place of {_q(old)}"
    if now.there and now.spot:
        if left and len(olds) == 1:
            return Verdict(False, (f"{_q(old)} is still read beside {_q(new)}", asked))
        if left or (len(olds) > 1 and len(_fresh(sight, new)) < len(olds)):
            return Verdict(None, (f"{_q(old)} stood in several places; not all are told",))
        seated = stands_in(sight, now.spot, olds)
        read = f"read in its place: {_q(now.got)} ({now.spot.confidence:.2f})"
        if seated is False:
            read = f"{_q(new)} is read, but not where {_q(old)} stood"
        return Verdict(seated, (f"{asked}; {read}", f"{_q(old)} is no longer read there"))
    if left and len(left) >= len(olds):
        return Verdict(False, (f"{_q(old)} is still read, {_q(new)} is not",))
    away = [s for s in _fresh(sight, new) if stands_in(sight, s, olds) is False]
    if away:
        return Verdict(False, (f"{_q(new)} is read, but not where {_q(old)} stood", asked))
    return _not_there(now, asked)


def _shortened(sight: Sight, olds: list[Spot], now: Spelling) -> bool:
    """Whether the line of words that are a part of the old ones says them and no more of these."""
    spot = now.spot
    if spot is None or len(olds) != 1:
        return False
    old = olds[0]
    wanted = [
        key(line.text).replace(key(old.text), key(spot.text))
        for line in sight.before
        if overlaps(line.box, old.box)
    ]
    return any(key(line.text) in wanted for line in sight.after if overlaps(line.box, spot.box))


def _not_there(now: Spelling, asked: str) -> Verdict:
    if now.state in ("wrong", "other"):
        return Verdict(False, (f"{asked}; read in its place, twice: {_q(now.got)}",))
    told = f"read in its place: {_q(now.got)}" if now.got else "nothing is read in its place"
    return Verdict(None, (f"{asked}; {told}, which may be the reader's mistake",))


def _left(sight: Sight, words: str, olds: list[Spot], now: Spelling) -> list[Spot]:
    """Where the old words are still read, though not as a part of the new ones."""
    still = find(sight.after, words)
    own = now.spot if now.there else None
    within = own is not None and key(words) in key(own.text)
    return [
        spot
        for spot in still
        if any(shared(spot.box, old.box) > 0.5 for old in olds)
        and not (within and own is not None and shared(spot.box, own.box) > 0.5)
    ]


def _fresh(sight: Sight, words: str) -> list[Spot]:
    """Where words are read in the output and were not in the source."""
    before = find(sight.before, words)
    return [
        spot
        for spot in find(sight.after, words)
        if not any(shared(spot.box, other.box) > 0.5 for other in before)
    ]


def _text(now: Spelling, words: str, *, left: bool) -> Verdict:
    """TA of words that were to be written."""
    if now.state == "exact":
        return Verdict(True, (f"read to the letter: {_q(now.got)}",))
    if now.state == "alike":
        return Verdict(None, (f"read: {_q(now.got)}, which looks like {_q(words)}",))
    if now.state == "case":
        return Verdict(False, (f"read: {_q(now.got)} for {_q(words)}",))
    if now.state in ("wrong", "other"):
        return Verdict(False, (f"read twice: {_q(now.got)} for {_q(words)}",))
    if left:
        return Verdict(False, (f"{_q(words)} is not read; the old words are",))
    return Verdict(None, (f"{_q(words)} is not read, which may be the reader's mistake",))


# ── inserting ───────────────────────────────────────────────────────────────────────────


def _inserted(sight: Sight, op: Op, asked: Asked) -> Judged:
    assert isinstance(op, Insert)
    if op.values or op.picture or not key(op.text):
        return open_("what was to be inserted is not one text")
    place = mask_box(sight) or _changed_box(sight)
    if place is None:
        return open_("where it was to be inserted cannot be told")
    fresh = _fresh(sight, op.text)
    now = spelt(sight, op.text, place, known=False)
    boxes = tuple(box for spot in fresh for box in spot.boxes)
    told = f"asked: {_q(op.text)}"
    if now.there and now.spot and not fresh and find(sight.before, op.text):
        return open_(f"{_q(op.text)} stood there before")
    if fresh or (now.there and now.spot):
        spots = fresh or [s for s in (now.spot,) if s]
        seats = [stands_in(sight, spot, []) for spot in spots]
        seated = True if True in seats else False if set(seats) == {False} else None
        note = f"{told}; read: {_q(spots[0].text)} ({spots[0].confidence:.2f})"
        if seated is not True:
            note += ", outside the mask" if seated is False else "; whether in its place is unknown"
        return Judged(Verdict(seated, (note,)), _inserted_text(spots, op.text), boxes)
    text = _text(now, op.text, left=False)
    if now.state == "wrong":
        return Judged(_not_there(now, told), text, boxes)
    return Judged(Verdict(None, (f"{told}; it is not read",)), Verdict(None, text.notes), boxes)


def _inserted_text(spots: list[Spot], words: str) -> Verdict:
    """TA of words that stand where nothing had to make room: to the letter, or left open."""
    exact = [spot for spot in spots if bare(spot.text) == bare(words)]
    if exact:
        return Verdict(True, (f"read to the letter: {_q(exact[0].text)}",))
    return Verdict(None, (f"read: {_q(spots[0].text)}, which is near to {_q(words)}",))


def _changed_box(sight: Sight) -> Box | None:
    """The box around all that changed, if that is a part of the picture."""
    return bounds(sight.changed) if sight.changed.any() else None


# ── deleting ────────────────────────────────────────────────────────────────────────────


def _deleted(sight: Sight, op: Op, asked: Asked) -> Judged:
    assert isinstance(op, Delete)
    words = op.where.text
    olds = meant(sight, op.where)
    if not olds:
        return open_(f"{_q(words)} is not read in the source" if words else "which words is unsaid")
    boxes = tuple(box for spot in olds for box in spot.boxes)
    left = _left(sight, olds[0].text, olds, Spelling("none"))
    if len(left) >= len(olds):
        found = Verdict(False, (f"{_q(words)} is still read",))
    elif left:
        found = Verdict(None, (f"{_q(words)} stands in several places and not in all any more",))
    else:
        found = _all_gone(sight, olds, words)
    return Judged(found, found, boxes)


def _all_gone(sight: Sight, olds: list[Spot], words: str) -> Verdict:
    piece = next((found for spot in olds if (found := _piece(sight, spot))), "")
    if piece:
        return Verdict(False, (f"of {_q(words)}, {_q(piece)} is still read where it stood",))
    if not sight.loose and any(partly_left(sight, spot) for spot in olds):
        return Verdict(False, (f"a piece of {_q(words)} stands as it stood",))
    shares = [gone(sight, spot) for spot in olds]
    if any(share is None for share in shares) or sight.loose:
        changed = min(sight.change(spot.boxes) for spot in olds)
        clear = changed > 0.15 and not any(_letters_in(sight, spot) for spot in olds)
        note = f"{_q(words)} is no longer read; {changed:.0%} of its place changed"
        return Verdict(True if clear and not sight.loose else None, (note,))
    least = min(share for share in shares if share is not None)
    note = f"{_q(words)} is no longer read; {least:.0%} of its ink is gone"
    return Verdict(True if least >= ERASED else None, (note,))


def _piece(sight: Sight, spot: Spot) -> str:
    """A piece of the old words that is still read in their place, unchanged."""
    from difflib import SequenceMatcher

    wanted = key(spot.text)
    least = min(PIECE[any(map(unspaced, wanted))], max(2, len(wanted) // 2))
    for line in (*sight.after, *(line for read in _seconds(sight, spot) for line in read)):
        if not any(overlaps(line.box, box) for box in spot.boxes):
            continue
        match = SequenceMatcher(None, wanted, key(line.text), autojunk=False).find_longest_match()
        words = key(line.text)[match.b : match.b + match.size]
        if match.size < least:
            continue
        # Of a paragraph set anew, a few letters may be the same by chance.
        long = match.size >= 0.4 * len(wanted)
        held = [s for s in find([line], words) if long or sight.change(s.boxes) < STILL]
        if any(shared(s.box, box) > 0.5 for s in held for box in spot.boxes):
            return held[0].text
    return ""


def _letters_in(sight: Sight, spot: Spot) -> bool:
    """Whether anything at all is read where words stood."""
    return any(
        key(line.text) and overlaps(line.box, box)
        for lines in (sight.after, *_seconds(sight, spot))
        for line in lines
        for box in spot.boxes
    )


def _seconds(sight: Sight, spot: Spot) -> list[list[Line]]:
    return [lines for box in spot.boxes[:3] for lines in sight.again(box)]


def _q(words: str) -> str:
    return f"“{short(words)}”"


_LOOKS: Mapping[type[Op], Callable[[Sight, Op, Asked], Judged]] = {
    ReplaceText: _replaced, Insert: _inserted, Delete: _deleted, **moves.LOOKS,
}  # fmt: skip
