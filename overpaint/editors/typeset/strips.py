"""Strips: a column of a table made wider or narrower where it is blank; the paper around one."""

import numpy as np

from overpaint.document.layers import Pixels


def stretched(strip: Pixels, wide: int, inked: tuple[float, float]) -> Pixels:
    """The strip at another width, its words as they were and in the same part of it.

    `inked` are the columns that its words begin and end at; the pixels right beside the rules,
    which hold no words, are repeated or left out, half of them on either side.
    """
    have = strip.shape[1]
    more = wide - have
    left_room = max(0, int(inked[0]) - 2) if inked[1] > inked[0] else have // 2
    right_room = max(0, have - int(inked[1]) - 2) if inked[1] > inked[0] else have // 2
    before = more // 2 if more > 0 else -_shared(-more, left_room, right_room)
    after = more - before
    at, end = min(3, have - 1), max(have - 3, 1)
    head = _padded(strip[:, :at], strip[:, at - 1 : at], before)
    start, stop = (at - before if before < 0 else at), (end + after if after < 0 else end)
    tail = _padded(strip[:, :0], strip[:, end - 1 : end], after)
    return np.concatenate([head, strip[:, start:stop], tail, strip[:, end:]], axis=1)


def _shared(less: int, left: int, right: int) -> int:
    """How much of what is left out comes from the left side: as much as it has of the room."""
    share = round(less * left / max(1, left + right))
    return max(less - right, min(share, left))


def _padded(part: Pixels, blank: Pixels, more: int) -> Pixels:
    return np.concatenate([part, np.repeat(blank, max(0, more), axis=1)], axis=1)


def paper_around(
    pixels: Pixels, box: tuple[int, int, int, int]
) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """The colour of the paper that something stands on: the commonest just outside it."""
    left, top, right, bottom = box
    high, wide = pixels.shape[:2]
    rim = [
        pixels[max(0, top - 10) : max(1, top - 4), left:right],
        pixels[min(high - 1, bottom + 6) : min(high, bottom + 12), left:right],
        pixels[top:bottom, max(0, left - 10) : max(1, left - 4)],
        pixels[top:bottom, min(wide - 1, right + 6) : min(wide, right + 12)],
    ]
    colours = np.concatenate([part.reshape(-1, 3) for part in rim])
    values, counts = np.unique(colours, axis=0, return_counts=True)
    return np.asarray(values[counts.argmax()], np.uint8)
