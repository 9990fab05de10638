"""Inpainting: what stands in a hole, told from what is around it.

spread    smooth colours from all sides
weave     colours and edges: few cosine waves that go on through the hole
repeat    a pattern that comes again, copied from where it stands whole
borrow    noise, copied from quiet places
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]
Shift = tuple[int, int]

_BLOCK = 16  # of the waves, in pixels
_ROUNDS, _LAST = 80, 12  # of weaving, and how many of the last are averaged
_STRONG, _WEAK = 140.0, 3.0  # waves below this count for nothing, at first and at the end
# Red, green and blue turned to brightness and two colours, without changing lengths.
_OPPOSED = np.array([[1, 1, 1], [1, 0, -1], [1, -2, 1]], np.float32)
_OPPOSED /= np.linalg.norm(_OPPOSED, axis=1, keepdims=True)


def spread(window: Plane, hole: Mask) -> Plane:
    """The window with its hole filled by a pyramid of averages, finest where something is known."""
    import cv2

    known = (~hole).astype(np.float32)
    levels = [(window * known[..., None], known)]
    while min(levels[-1][1].shape) > 2 and not levels[-1][1].all():
        colours, there = (cv2.GaussianBlur(part, (5, 5), 1.0)[::2, ::2] for part in levels[-1])
        seen = there > 1e-4
        colours = np.where(seen[..., None], colours / np.maximum(there, 1e-4)[..., None], 0)
        levels.append((colours.astype(np.float32), seen.astype(np.float32)))
    filled = levels[-1][0]
    for colours, there in levels[-2::-1]:
        finer = cv2.resize(filled, there.shape[::-1], interpolation=cv2.INTER_LINEAR)
        filled = np.where(there[..., None] > 0, colours, finer)
    return np.asarray(filled, np.float32)


def weave(window: Plane, hole: Mask) -> Plane:
    """The window with its hole filled so that blocks need few waves, as pictures do.

    Iterated shrinkage of block cosines (Guleryuz, "Nonlinear approximation based image recovery",
    2006) with the garrote in place of a hard threshold, on a grid that moves with each round.
    """
    if not hole.any():
        return window
    known = window @ _OPPOSED.T
    woven = spread(window, hole) @ _OPPOSED.T
    places = np.random.default_rng(0).integers(0, _BLOCK, (_ROUNDS, 2))
    total = np.zeros_like(woven)
    for turn, (down, across) in enumerate(places):
        fade = min(1.0, turn / (_ROUNDS - _LAST))
        limit = _STRONG * (_WEAK / _STRONG) ** fade
        woven = np.where(
            hole[..., None], _shrunk(woven, hole, (int(down), int(across)), limit), known
        )
        if turn >= _ROUNDS - _LAST:
            total += woven
    return np.clip(total / _LAST @ _OPPOSED, 0, 255)


def repeat(window: Plane, hole: Mask, known: Mask) -> tuple[Plane, Mask] | None:
    """The hole filled by a pattern's repeats, and what they could not fill; None: no pattern."""
    shift = _period(window, known)
    if shift is None:
        return None
    filled, left = window.copy(), hole.copy()
    for times in (1, -1, 2, -2, 3, -3):
        _copy(filled, left, window, known, (shift[0] * times, shift[1] * times))
    return filled, left


def borrow(noise: Plane, hole: Mask, quiet: Mask, *, step: int = 1) -> tuple[Plane, Mask]:
    """Noise for the hole from quiet places a whole number of steps away; and what got none."""
    filled, left = noise.copy(), hole.copy()
    if not quiet.any():
        return filled, left
    high, wide = hole.shape
    size = (-(-2 * high // step) * step, -(-2 * wide // step) * step)
    source = np.fft.rfft2(quiet, size)
    for _ in range(3):
        if not left.any():
            break
        gain = np.fft.irfft2(source * np.conj(np.fft.rfft2(left, size)), size)[::step, ::step]
        down, across = (int(at) * step for at in np.unravel_index(gain.argmax(), gain.shape))
        shift = (
            down - size[0] if down >= high else down,
            across - size[1] if across >= wide else across,
        )
        _copy(filled, left, noise, quiet, shift)
    return filled, left


# ── inside ──────────────────────────────────────────────────────────────────────────────


def _shrunk(plane: Plane, hole: Mask, place: Shift, limit: float) -> Plane:
    """The plane after waves below the limit are taken out of each block that touches the hole."""
    import cv2

    (down, across), (high, wide) = place, hole.shape
    below, after = -(high + down) % _BLOCK, -(wide + across) % _BLOCK
    framed = cv2.copyMakeBorder(plane, down, below, across, after, cv2.BORDER_REFLECT)
    holes = np.pad(hole, ((down, below), (across, after)))
    rows, columns = framed.shape[0] // _BLOCK, framed.shape[1] // _BLOCK
    cut = framed.reshape(rows, _BLOCK, columns, _BLOCK, 3).transpose(0, 2, 4, 1, 3).copy()
    touched = holes.reshape(rows, _BLOCK, columns, _BLOCK).any(axis=(1, 3))
    turn = _cosines()
    waves = turn @ cut[touched] @ turn.T
    means = waves[..., 0, 0].copy()  # a block's mean colour is no wave
    waves *= np.maximum(0, 1 - limit**2 / np.maximum(waves**2, 1e-6))
    waves[..., 0, 0] = means
    cut[touched] = turn.T @ waves @ turn
    whole = cut.transpose(0, 3, 1, 4, 2).reshape(framed.shape)
    return np.asarray(whole[down : down + high, across : across + wide], np.float32)


def _period(window: Plane, known: Mask) -> Shift | None:
    """The smallest shift that lays the known part of a patterned window upon itself."""
    grey = window.mean(axis=2)
    there = known.astype(np.float64)
    grey = np.where(known, grey - grey[known].mean(), 0).astype(np.float64)
    high, wide = grey.shape
    size = (2 * high, 2 * wide)
    one, square, mask = (np.fft.rfft2(part, size) for part in (grey, grey**2, there))
    pairs = np.fft.irfft2(mask * np.conj(mask), size)
    cross = np.fft.irfft2(square * np.conj(mask) + mask * np.conj(square), size)
    differ = (cross - 2 * np.fft.irfft2(one * np.conj(one), size)) / np.maximum(pairs, 1)
    differ[pairs < 0.3 * there.sum()] = np.inf
    variance = grey[known].var()
    down, across = (np.fft.fftfreq(n, 1 / n).astype(int) for n in size)
    # A slow change fits at small shifts too; a pattern does not fit at half its period.
    half = differ[np.ix_(down // 2, across // 2)]
    fits = (differ <= 0.03 * variance) & (half >= 0.5 * variance) & (half < np.inf)
    if variance < 4 or not fits.any():
        return None
    length = np.where(fits, np.hypot(down[:, None], across[None]), np.inf)
    row, column = np.unravel_index(length.argmin(), size)
    return int(down[row]), int(across[column])


def _copy(filled: Plane, left: Mask, source: Plane, known: Mask, shift: Shift) -> None:
    """Fill what is left from the known part a shift away."""
    down, across = shift
    high, wide = left.shape
    y, x = np.nonzero(left)
    inside = (y + down >= 0) & (y + down < high) & (x + across >= 0) & (x + across < wide)
    y, x = y[inside], x[inside]
    there = known[y + down, x + across]
    y, x = y[there], x[there]
    filled[y, x] = source[y + down, x + across]
    left[y, x] = False


@lru_cache(maxsize=1)
def _cosines() -> Plane:
    k = np.arange(_BLOCK)
    turn = np.cos(np.pi * (2 * k[None] + 1) * k[:, None] / (2 * _BLOCK)) * np.sqrt(2 / _BLOCK)
    turn[0] /= np.sqrt(2)
    return np.asarray(turn, np.float32)
