"""Room for words that nobody can set before they are edited: their width, told by their letters."""

import unicodedata

from overpaint.document.boxes import Box
from overpaint.editors.agent.joint.reading import Wish
from overpaint.editors.agent.joint.table import Table

_LATIN = 0.55  # of the height of letters: the width of one; Chinese ones are as wide as high
_MIDDLE = 0.04  # of the canvas: what stands nearer to its middle is centred
_BAND = 0.3  # of the lower box: so much beside each other is one line
_SLACK = 1.04  # of the room: less than this is no fault of a guess
_STEP, _LEAST = 5, 40  # percent to which words are shrunk, and the least


def width_of(line: str) -> float:
    """How wide a line is, in heights of its letters, about."""
    return sum(1.0 if unicodedata.east_asian_width(c) in "WF" else _LATIN for c in line)


def share_that_fits(table: Table, wish: Wish) -> int | None:
    """The percent of its size at which a text has room for its new words; None where it has."""
    left, _, right, _ = wish.seen.box
    old = max((width_of(line) for line in wish.seen.words.splitlines()), default=0.0)
    if not old or right <= left:
        return None
    wide = (right - left) * _longest(wish) / old
    room = _room(table, wish)
    if wide <= right - left or wide <= _SLACK * room:
        return None
    return max(_LEAST, int(100 * room / wide) // _STEP * _STEP)


def _longest(wish: Wish) -> float:
    """The width of the longest new line; as many lines as there were, where nobody broke them."""
    lines, before = wish.words.splitlines(), len(wish.seen.words.strip().splitlines())
    longest = max((width_of(line) for line in lines), default=0.0)
    return longest / before if len(lines) == 1 else longest


def _room(table: Table, wish: Wish) -> float:
    """How wide a text may grow, from where it is held, to its neighbours or the canvas."""
    left, _, right, _ = box = wish.seen.box
    size = table.scene.document.size[0]
    beside = [o.seen.box for o in table.texts if o.id != wish.id and not o.deletes]
    beside = [other for other in beside if _in_line(box, other)]
    start = max([0, *(other[2] for other in beside if other[2] <= left + 2)])
    end = min([size, *(other[0] for other in beside if other[0] >= right - 2)])
    middle = (left + right) / 2
    if abs(middle - size / 2) < _MIDDLE * size:
        return 2 * min(middle - start, end - middle)
    return right - start if size - right < left else end - left


def _in_line(one: Box, other: Box) -> bool:
    both = min(one[3], other[3]) - max(one[1], other[1])
    return both > _BAND * min(one[3] - one[1], other[3] - other[1])
