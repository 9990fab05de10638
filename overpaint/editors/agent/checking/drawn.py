"""Checks of words that are pixels by their ink: how much of it there is, and how high it stands.

What other words take is told by a font that is here: set in it, the old and the new words differ
by about as much as they do in the layer's own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from overpaint.document.layers import Layer, Pixels, Run, Style, Text
from overpaint.document.render import sheet_of
from overpaint.editors.agent.checking.views import Fault, Pair, asks_place
from overpaint.editors.agent.checking.words import ordered
from overpaint.editors.agent.joint.reading import Wish
from overpaint.measures.evidence.words import bare

_SET_AT = 32.0  # pixels: the size in which words are set to be measured
_LONGEST = 200  # letters: longer texts are not set for it
_REMOVED = re.compile(r"\b(?:delete|remove|erase|drop|take out)\b|删|去掉|移除", re.IGNORECASE)
_NOTHING = re.compile(r"\bnothing\b|不留", re.IGNORECASE)  # "so that nothing is left there"
_INKED = 96  # of 255: alpha from which a pixel is a letter's
_CLEAR = 0.9  # of its box: words that paint more stand on a ground of their own
_SIZES = (0.62, 1.6)  # times the size: what typesetting may do to make words fit
_OFF = 0.15  # of the ink that words should have: with less they are cut, with far more double
_OFF_NEW = 0.25  # more, of words in a text of several lines that are all new


@dataclass(frozen=True)
class Measure:
    """How much ink words have, how high they stand, and how thick their strokes are, in pixels."""

    ink: float
    high: float
    stroke: float


def drawn(pair: Pair) -> Iterator[Fault]:
    """Faults in words that are pixels, in the size and amount of what is drawn."""
    for name in pair.texts:
        wish = pair.wishes.get(name)
        if wish is None or name not in pair.changed or wish.deletes or asks_place(wish):
            continue
        if (found := shares(pair, wish)) is None:
            yield from _left(pair, wish)
            continue
        high, ink = found
        off = _slack(wish)
        if not _SIZES[0] <= high <= _SIZES[1]:
            yield Fault("size", name, f"The words are {high:.2f} times as large as they were.")
        elif ink < 1 - off:
            yield Fault("cut", name, f"Only {ink:.0%} of the words' ink is there.")
        elif ink > 1 + 1.5 * off:
            yield Fault("double", name, f"The words have {ink:.1f} times the ink that they need.")


def shares(pair: Pair, wish: Wish) -> tuple[float, float] | None:
    """The size and the ink of a layer's words, as shares of what they should be."""
    whole, both = expected(wish), pair.both(wish.id)
    if not whole or both is None or isinstance(both[1].layer.content, Text):
        return None
    old, new = (measured(leaf.pixels) for leaf in both)
    if old is None or new is None:
        return None
    was, now = set_as(wish.seen.words), set_as(whole)
    if was is None or now is None:
        return None
    ink = new.ink / old.ink * was.ink / now.ink
    if whole.strip().count("\n") != wish.seen.words.strip().count("\n"):
        return float(np.sqrt(ink)), max(ink, 1.0)  # how high they are is not known
    high = new.high / old.high * was.high / now.high
    if high >= 1 or new.stroke / old.stroke > (1 + high) / 2:
        return high, ink  # their strokes are as thick as they were: they are not set smaller
    return high, min((ink, ink / high**2), key=lambda share: abs(np.log(share)))


# ── lines that are left when others go ──────────────────────────────────────────────────


def _left(pair: Pair, wish: Wish) -> Iterator[Fault]:
    """Lines that were to stay when others of a text went, and are not as they were."""
    both, gone = pair.both(wish.id), _lines_gone(wish)
    if both is None or not gone or isinstance(both[1].layer.content, Text):
        return
    old, new = (bands(leaf.pixels) for leaf in both)
    if len(old) != len(wish.seen.words.strip().splitlines()):
        return  # lines that stand beside each other cannot be told apart
    if len(new) > len(old) - gone:
        yield Fault("double", wish.id, "There are more lines than should be left.")
        return
    other = [one for one in new if not any(_alike(one, line) for line in old)]
    if len(other) > len(wish.renames):
        yield Fault("cut", wish.id, "The lines that are left are not as they were.")
    elif not all(any(_SIZES[0] <= one[0] / line[0] <= _SIZES[1] for line in old) for one in other):
        yield Fault("size", wish.id, "The lines that are left have another size.")


def _lines_gone(wish: Wish) -> int:
    """How many of a text's lines are to go; 0 where that or what else is asked is not known."""
    lines, gone = [bare(line) for line in wish.seen.words.splitlines()], 0
    for part in wish.parts:
        if _REMOVED.search(part.text):
            if not part.quoted or any(bare(one) not in lines for one in part.quoted):
                return 0
            gone += len(part.quoted)
        elif not part.renames and not part.idle and not _NOTHING.search(part.text):
            return 0
    return gone


def bands(pixels: Pixels) -> list[tuple[int, int]]:
    """How high and wide each line of letters on a clear ground is, from the top."""
    ink = pixels[:, :, 3] > _INKED
    rows = np.flatnonzero(np.diff(np.pad(ink.any(axis=1), 1).astype(np.int8)))
    found = []
    for top, bottom in zip(rows[::2].tolist(), rows[1::2].tolist(), strict=True):
        columns = np.flatnonzero(ink[top:bottom].any(axis=0))
        found.append((bottom - top, int(columns[-1] - columns[0] + 1)))
    return found


def _alike(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return all(abs(a - b) <= max(3, 0.06 * b) for a, b in zip(one, other, strict=True))


# ── what other words take ───────────────────────────────────────────────────────────────


def _slack(wish: Wish) -> float:
    """By how much the ink may be off: by more where new words may be of one size or another."""
    from rapidfuzz.distance import Levenshtein

    if "\n" not in wish.seen.words.strip():
        return _OFF
    return _OFF + _OFF_NEW * Levenshtein.normalized_distance(wish.seen.words, expected(wish) or "")


def expected(wish: Wish) -> str | None:
    """What a layer will say, with its breaks as far as they are known."""
    whole = ordered(wish).whole
    if whole is not None:
        return whole
    lines = wish.seen.words.splitlines()
    for part in wish.parts:
        if not part.renames and not part.idle:
            return None  # of a line that goes, nobody knows how large it was
        for old, new in part.renames:
            if bare(old) not in map(bare, lines):
                return None
            lines = [new if bare(line) == bare(old) else line for line in lines]
    return "\n".join(lines)


def measured(pixels: Pixels) -> Measure | None:
    """The ink of letters on a clear ground; None where they stand on a ground of their own."""
    alpha = pixels[:, :, 3]
    rows = np.flatnonzero((alpha > _INKED).any(axis=1))
    if not len(rows) or float((alpha > 240).mean()) > _CLEAR:
        return None
    plane = np.pad(alpha, 1).astype(np.int16)
    edges = np.abs(np.diff(plane, axis=0)).sum() + np.abs(np.diff(plane, axis=1)).sum()
    ink, high = float(alpha.sum()), float(rows[-1] - rows[0] + 1)
    return Measure(ink / 255, high, ink / float(edges))


@lru_cache(maxsize=512)
def set_as(words: str) -> Measure | None:
    """The same of words that are set in a font that is here."""
    if not words.strip() or len(words) > _LONGEST:
        return None
    sheet = sheet_of(Layer(Text((Run(words, Style(size=_SET_AT)),)), "words", "words"))
    return measured(sheet.pixels) if sheet is not None else None
