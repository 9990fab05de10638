"""Spelling: whether words stand in a place to the letter, read up to three times to be sure.

A reading that says the asked words is believed; one that says others is believed only where two
readings agree, both are sure, the letters are not ones that readers confuse, and the words that
stood there before were read without a mistake: then the reader knows these letters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from overpaint.measures.evidence.searching import Spot, find
from overpaint.measures.evidence.sight import Sight
from overpaint.measures.evidence.words import bare, key, near, nearest
from overpaint.vision.page import Box, Line

SURE: Final = 0.85  # the confidence of a reading that speaks against the edit
KNOWN: Final = 0.93  # and of one in letters that stood nowhere before
CLOSE: Final = 0.5  # similarity of words that are meant to be the asked ones

State = Literal["exact", "alike", "case", "wrong", "other", "none", "open"]


@dataclass(frozen=True)
class Spelling:
    """How words stand in a place."""

    state: State
    got: str = ""
    spot: Spot | None = None

    @property
    def there(self) -> bool:
        """Whether the words stand there, letters that look alike and case forgiven."""
        return self.state in ("exact", "alike", "case")


def spelt(sight: Sight, words: str, place: Box, *, known: bool) -> Spelling:
    """How the words are spelt in a place of the output; `known`: its letters were read before."""
    page = [line for line in sight.after if overlaps(line.box, place)]
    if (found := _found(page, words)) is not None:
        return found
    readings = [page, *sight.again(place)]
    voices = [_found(lines, words) for lines in readings]
    exact = [voice for voice in voices if voice is not None and voice.state != "case"]
    others = [_heard(lines, words) for lines in readings]
    if exact:
        # One voice in three says the words: the rest must not contradict it.
        against = [said for said, sure in others if said and not near(said, words) and sure > SURE]
        agree = len(exact) > 1 or not [said for said in against if key(said) != key(words)]
        return exact[0] if agree else Spelling("open", exact[0].got)
    cased = [voice for voice in voices if voice is not None]
    if len(cased) > 1:
        return cased[0]
    return _contradicted(others, words, KNOWN if not known else SURE)


def _found(lines: Sequence[Line], words: str) -> Spelling | None:
    """The words as a reading has them, or None where it has not."""
    for cased in (True, False):
        spots = find(lines, words, cased=cased)
        if spots:
            best = max(spots, key=lambda spot: (bare(spot.text) == bare(words), spot.confidence))
            exact: State = "exact" if bare(best.text) == bare(words) else "alike"
            return Spelling(exact if cased else "case", best.text, best)
    return None


def _heard(lines: Sequence[Line], words: str) -> tuple[str, float]:
    """What of a reading is most like the words, and how surely it was read."""
    wanted = key(words)
    rows = sorted(lines, key=lambda line: (round(line.box[1] + line.box[3]), line.box[0]))
    parts = [(nearest(wanted, key(line.text)), line.confidence) for line in rows]
    if len(rows) > 1:
        all_of_it = nearest(wanted, "".join(key(line.text) for line in rows))
        parts.append((all_of_it, min(line.confidence for line in rows)))
    if not parts:
        return "", 1.0
    (_, said), sure = min(parts, key=lambda part: (part[0][0], -part[1]))
    return said, sure


def _contradicted(others: list[tuple[str, float]], words: str, sure: float) -> Spelling:
    """What stands there instead, if two readings say the same of it and are sure."""
    from rapidfuzz.distance import Levenshtein

    if not any(said for said, _ in others):
        return Spelling("none")
    for number, (said, confidence) in enumerate(others):
        twins = [c for other, c in others[number + 1 :] if other == said]
        if not said or not twins or min(confidence, max(twins)) < sure:
            continue
        if said == key(words) or near(said, words):
            continue  # a part of a longer word, or a reader's own mistake
        likeness = Levenshtein.normalized_similarity(said, key(words))
        return Spelling("wrong" if likeness >= CLOSE else "other", said)
    return Spelling("open", others[0][0])


def overlaps(box: Box, place: Box) -> bool:
    """Whether a line lies in a place with half of its height and some of its width."""
    down = min(box[3], place[3]) - max(box[1], place[1])
    across = min(box[2], place[2]) - max(box[0], place[0])
    return down >= 0.5 * (box[3] - box[1]) and across > 0
