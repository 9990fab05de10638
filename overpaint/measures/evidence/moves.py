"""Words that stay the same: moved, exchanged, scaled, turned or given another colour."""

import re
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from overpaint.document.ops import Move, Op, Restyle, Rotate, Scale, Swap
from overpaint.document.where import direction, short
from overpaint.measures.evidence.judged import Asked, Judged, Verdict, open_
from overpaint.measures.evidence.looks import coloured, ink
from overpaint.measures.evidence.places import (
    distance,
    mask_box,
    meant,
    place_of,
    shared,
    stands_in,
)
from overpaint.measures.evidence.searching import Spot, find
from overpaint.measures.evidence.sight import Sight
from overpaint.measures.evidence.spelling import spelt
from overpaint.measures.evidence.turning import fit
from overpaint.measures.evidence.words import bare
from overpaint.vision.page import Box, union

CLOSE: Final = 0.12  # by which a scaled word may miss a factor that was named
WRONG: Final = 0.25  # and by which it misses it clearly
GREW: Final = 1.05  # a vague "larger" is at least this
QUOTED = re.compile("[\"“”'‘’「『《][^\"“”'‘’」』》]{0,400}[\"“”'‘’」』》]")
NUMBERS = re.compile(r"\d|倍|一半|half|twice|double|triple|third|quarter|[一二三四五六七八九十]+成")


def _one(sight: Sight, op: Op) -> Spot | str:
    """The words that an op is about, or why they cannot be told."""
    if not op.where.text:
        return "the instruction quotes no words to look for"
    spots = meant(sight, op.where)
    if len(spots) == 1:
        return spots[0]
    times = f"is read {len(spots)} times" if spots else "is not read"
    return f"{_q(op.where.text)} {times} in the source"


def _kept(
    sight: Sight, words: str, spot: Spot, place: Box | None = None
) -> tuple[Verdict, list[Spot]]:
    """TA of words that were to stay as they are, and where they stand now."""
    where = place or place_of(sight, [spot], words) or spot.box
    now = spelt(sight, words, where, known=bare(spot.text) == bare(words))
    spots = [*find(sight.after, words), *([now.spot] if now.spot else [])]
    if now.state == "exact" or any(bare(s.text) == bare(words) for s in spots):
        return Verdict(True, (f"still read to the letter: {_q(words)}",)), spots
    if now.state == "wrong":
        return Verdict(False, (f"read twice: {_q(now.got)} for {_q(words)}",)), []
    return Verdict(None, (f"{_q(words)} is not read any more; read: {_q(now.got)}",)), spots


def _scaled(sight: Sight, op: Op, asked: Asked) -> Judged:
    assert isinstance(op, Scale)
    spot = _one(sight, op)
    if isinstance(spot, str):
        return open_(spot)
    text, spots = _kept(sight, spot.text, spot, _wide(sight, spot, max(1.0, op.factor)))
    here = [s for s in spots if stands_in(sight, s, [spot]) or shared(s.box, spot.box) > 0.2]
    places = (spot.box, *(s.box for s in here))
    if not here or sight.loose:
        return Judged(Verdict(None, ("the words are not read where they stood",)), text, places)
    ratio = _ratio(spot, min(here, key=lambda s: distance(s.box, spot.box)))
    return Judged(_sized(ratio, op.factor, exactly=_counted(asked)), text, places)


def _sized(ratio: float | None, factor: float, *, exactly: bool) -> Verdict:
    if ratio is None:
        return Verdict(None, ("height and width of the words do not agree on a factor",))
    note = f"asked: {factor:.2f} times as large; measured: {ratio:.2f} times"
    if (factor > 1) != (ratio > 1) or abs(ratio - 1) < 0.02:
        sure = abs(np.log(ratio / factor)) > 0.07
        return Verdict(False if sure else None, (note,))
    off = abs(ratio / factor - 1)
    if exactly:
        return Verdict(True if off <= CLOSE else False if off > WRONG else None, (note,))
    enough = ratio >= GREW if factor > 1 else ratio <= 1 / GREW
    return Verdict(True if enough and 0.25 < ratio < 4 else None, (note,))


def _ratio(before: Spot, after: Spot) -> float | None:
    """By which factor words grew; None where width and height tell two."""
    if len(before.boxes) != len(after.boxes):
        return None
    wide, high = (
        np.mean([b[side + 2] - b[side] for b in after.boxes])
        / max(1.0, float(np.mean([b[side + 2] - b[side] for b in before.boxes])))
        for side in (0, 1)
    )
    if abs(np.log(wide / high)) > 0.18:
        return None
    return float(np.sqrt(wide * high))


def _wide(sight: Sight, spot: Spot, factor: float) -> Box:
    left, top, right, bottom = spot.box
    across, down = (right - left) * (factor - 0.5), (bottom - top) * (factor - 0.4)
    box = (left - across, top - down, right + across, bottom + down)
    return union([box, found]) if (found := mask_box(sight)) and shared(found, box) > 0 else box


def _restyled(sight: Sight, op: Op, asked: Asked) -> Judged:
    assert isinstance(op, Restyle)
    spot = _one(sight, op)
    if isinstance(spot, str):
        spot = _newly(sight, op) or spot
    if isinstance(spot, str):
        return open_(spot)
    text, spots = _kept(sight, spot.text, spot)
    here = [s for s in spots if shared(s.box, spot.box) > 0.5]
    if not op.only_colour or op.colour is None:
        why = Verdict(None, ("font, weight and set of words cannot be decided from their pixels",))
        return Judged(why, text, spot.boxes)
    if not here:
        return Judged(Verdict(None, ("the words are not read where they stood",)), text, spot.boxes)
    red, green, blue, _ = op.colour
    return Judged(coloured(sight, here[0], (red, green, blue)), text, spot.boxes)


def _newly(sight: Sight, op: Op) -> Spot | None:
    """The words of an op where they are new in the output: written and dressed at once."""
    words = op.where.text
    if not words or find(sight.before, words, cased=False):
        return None
    found = find(sight.after, words)
    return found[0] if len(found) == 1 else None


def _moved(sight: Sight, op: Op, asked: Asked) -> Judged:
    assert isinstance(op, Move)
    spot = _one(sight, op)
    if isinstance(spot, str):
        return open_(spot)
    found = find(sight.after, spot.text)
    stayed = [s for s in found if shared(s.box, spot.box) > 0.8 and sight.change(s.boxes) < 0.01]
    before = find(sight.before, spot.text)
    went = [s for s in found if not any(shared(s.box, b.box) > 0.8 for b in before)]
    text = _kept(sight, spot.text, spot)[0]
    if went and any(bare(s.text) == bare(spot.text) for s in went):
        text = Verdict(True, (f"still read to the letter: {_q(spot.text)}",))
    places = (spot.box, *(s.box for s in went))
    if stayed:
        return Judged(
            Verdict(False, (f"{_q(spot.text)} is still read where it stood",)), text, places
        )
    if len(went) != 1:
        return Judged(
            Verdict(None, (f"{_q(spot.text)} is not read in one new place",)), text, places
        )
    arrived = _arrived(sight, spot, went[0], op, exactly=_counted(asked))
    return Judged(arrived, text, places)


def _counted(asked: Asked) -> bool:
    """Whether the instruction names a number or a factor, outside the words it quotes."""
    return bool(NUMBERS.search(QUOTED.sub("", asked.instruction.lower())))


def _arrived(sight: Sight, old: Spot, new: Spot, op: Move, *, exactly: bool) -> Verdict:
    height, width = sight.pair.reference.shape[:2]
    by = tuple(new.middle[axis] - old.middle[axis] for axis in (0, 1))
    note = f"{_q(old.text)} went {by[0]:+.0f} px across and {by[1]:+.0f} px down"
    share = sight.inside(new)
    if share is not None and share <= 0.15:
        return Verdict(False, (f"{note}, outside the mask",))
    if op.by is not None and not exactly:
        along = (by[0] * op.by[0] + by[1] * op.by[1]) / max(1.0, float(np.hypot(*op.by)))
        straight = along > 0.7 * float(np.hypot(by[0], by[1]))
        return Verdict(True if straight else False if along < 0 else None, (note,))
    if op.by is not None:
        off = float(np.hypot(by[0] - op.by[0], by[1] - op.by[1]))
        passed = off <= 0.6 * new.high
        return Verdict(True if passed else False if off > 2 * new.high else None, (note,))
    if op.to and op.to != "centre":
        across, down = direction(op.to)
        reach = across * (new.middle[0] / width - 0.5) + down * (new.middle[1] / height - 0.5)
        if reach < -0.1:
            return Verdict(False, (f"{note}; asked: {op.to}",))
    if share is not None and share >= 0.6:
        return Verdict(True, (f"{note}, inside the mask",))
    return Verdict(None, (f"{note}; whether that is where it was to go cannot be told",))


def _swapped(sight: Sight, op: Op, asked: Asked) -> Judged:
    assert isinstance(op, Swap)
    one, two = _one(sight, op), _one(sight, Op(op.other))
    if isinstance(one, str) or isinstance(two, str):
        return open_(one if isinstance(one, str) else str(two))
    places = (one.box, two.box)
    here, there = (_there(sight, *pair) for pair in ((one, two), (two, one)))
    stayed = [s for s in (one, two) if _stands(sight, s.text, s) and sight.change(s.boxes) < 0.02]
    text = Verdict(True if here and there else None, (f"{_q(one.text)}, {_q(two.text)} are read",))
    if text.passed is None:
        text = _swapped_text(sight, one, two)
    if here and there and not stayed:
        note = f"{_q(two.text)} is read where {_q(one.text)} stood, and the other way round"
        return Judged(Verdict(True, (note,)), text, places)
    if stayed:
        note = f"{_q(stayed[0].text)} is still read where it stood"
        return Judged(Verdict(False, (note,)), text, places)
    for first, second in ((one, two), (two, one)):
        if _there(sight, first, first) or (
            _there(sight, second, first) and not find(sight.after, first.text)
        ):
            note = f"only one of {_q(one.text)} and {_q(two.text)} changed its place"
            return Judged(Verdict(False if _erased(sight, first) else None, (note,)), text, places)
    return Judged(
        Verdict(None, ("the two are not both read in one another's place",)), text, places
    )


def _erased(sight: Sight, spot: Spot) -> bool:
    return bool(find(sight.after, spot.text)) or sight.change(spot.boxes) > 0.05


def _swapped_text(sight: Sight, one: Spot, two: Spot) -> Verdict:
    for words, place in ((one, two), (two, one)):
        now = spelt(sight, words.text, _room(place, words), known=True)
        if now.state == "wrong":
            return Verdict(False, (f"read twice: {_q(now.got)} for {_q(words.text)}",))
    both = all(find(sight.after, spot.text) for spot in (one, two))
    return Verdict(True if both else None, (f"{_q(one.text)}, {_q(two.text)}",))


def _room(place: Spot, words: Spot) -> Box:
    """Where words may stand that took another's place, flush left, right or centred."""
    left, top, right, bottom = place.box
    more = max(0.0, (words.box[2] - words.box[0]) - (right - left))
    return left - more, top - 0.5 * place.high, right + more, bottom + 0.5 * place.high


def _there(sight: Sight, place: Spot, words: Spot) -> bool:
    """Whether words are read where others stood."""
    room = _room(place, words)
    return any(
        shared(s.box, room) > 0.8 and s.box[1] < place.box[3] for s in find(sight.after, words.text)
    )


def _stands(sight: Sight, words: str, place: Spot) -> bool:
    return any(shared(s.box, place.box) > 0.8 for s in find(sight.after, words))


def _turned(sight: Sight, op: Op, asked: Asked) -> Judged:
    assert isinstance(op, Rotate)
    spot = _one(sight, op)
    if isinstance(spot, str):
        return open_(spot)
    text = _kept(sight, spot.text, spot, _wide(sight, spot, 1.5))[0]
    letters = ink(sight.pair.reference, spot.box)
    if letters is None or sight.loose or len(spot.boxes) > 1:
        why = Verdict(None, ("the angle of the words cannot be told from their ground",))
        return Judged(why, text, (spot.box,))
    turns = {angle: fit(sight, spot, angle) for angle in (0.0, op.degrees, -op.degrees)}
    best = max(turns, key=lambda angle: turns[angle])
    others = max(turns[angle] for angle in turns if angle != best)
    note = f"the words fit best turned by {best:+.0f}° (asked: {op.degrees:+.0f}°)"
    clear = turns[best] > 0.5 and turns[best] - others > 0.12
    return Judged(Verdict(best == op.degrees if clear else None, (note,)), text, (spot.box,))


def _q(words: str) -> str:
    return f"“{short(words)}”"


LOOKS: Mapping[type[Op], Callable[[Sight, Op, Asked], Judged]] = {
    Scale: _scaled, Restyle: _restyled, Move: _moved, Swap: _swapped, Rotate: _turned,
}  # fmt: skip
