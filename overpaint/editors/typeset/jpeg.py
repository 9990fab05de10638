"""JPEG: what its compression left in decoded pixels, and the same done to other pixels.

A block of 8×8 pixels that was compressed once comes out of the same compression unchanged: the
quality at which blocks do is the picture's own (Farid, "Exposing digital forgeries from JPEG
ghosts", 2009).
"""

import io
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Pixels
from overpaint.editors.typeset.inking import most

Plane = NDArray[np.float32]
Blocks = NDArray[np.float32]  # each 8×8
Table = NDArray[np.int64]

# ITU T.81, Annex K: the tables that qualities of 1–100 scale in nearly every program.
# fmt: off
LUMA = np.array([
    [16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55],
    [14, 13, 16, 24, 40, 57, 69, 56], [14, 17, 22, 29, 51, 87, 80, 62],
    [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99],
])
CHROMA = np.full((8, 8), 99)
CHROMA[:4, :4] = [[17, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99], [47, 66, 99, 99]]
# fmt: on
TO_LUMA = np.array([0.299, 0.587, 0.114], np.float32)
_TO_BLUE = np.array([-0.168736, -0.331264, 0.5], np.float32)
_TO_RED = np.array([0.5, -0.418688, -0.081312], np.float32)
_QUALITIES = np.arange(10, 97)  # above, nothing is seen, neither by this nor by the eye
_BLOCKS = 40  # looked at; more would tell the same
_ROUNDS = 5  # of guessing what black and white cut off
_WHITE, _BLACK = 1, 2  # what a pixel was cut off at
_SAME = 1.6  # a block comes out again as it was, but for rounding to whole pixels
_SOME = 0.12  # the share of blocks of text that must, cut off as they are
_SURE = 0.3  # the share of blocks by which a quality must beat those beside it


@dataclass(frozen=True)
class Jpeg:
    """How a picture was compressed: quality 1–100, the grid's corner, colours halved or not."""

    quality: int
    left: int = 0
    top: int = 0
    halved: bool = True


def detect(pixels: Pixels) -> Jpeg | None:
    """How these pixels were compressed, where they show that they were."""
    luma = pixels.astype(np.float32) @ TO_LUMA
    for left, top in dict.fromkeys(((0, 0), _grid(luma))):
        part = pixels[top:, left:]
        blocks, cut = _telling(part)
        if len(blocks) < _BLOCKS // 4 or _clean(blocks):
            return None
        if quality := _quality(blocks, cut):
            return Jpeg(quality, left, top, _halved(part, quality))
    return None


def agrees(pixels: Pixels, jpeg: Jpeg) -> bool:
    """Whether these pixels, whose corner lies on the grid, went through that compression too.

    Words may have been drawn on a photograph after it was compressed.
    """
    blocks, cut = _telling(pixels)
    if len(blocks) < 3:
        return True
    return _repeats(blocks, cut, jpeg.quality, _ROUNDS) > _SOME


def compress(pixels: Pixels, jpeg: Jpeg) -> Pixels:
    """The pixels after that compression; their corner must lie on the grid."""
    from PIL import Image

    data = io.BytesIO()
    sampling = 2 if jpeg.halved else 0
    Image.fromarray(pixels).save(data, "JPEG", quality=jpeg.quality, subsampling=sampling)
    return np.asarray(Image.open(data).convert("RGB"))


def steps(table: Table, quality: int) -> NDArray[np.int64]:
    """The table scaled to a quality, as the Independent JPEG Group's library does."""
    scale = 5000 // quality if quality < 50 else 200 - 2 * quality
    return np.clip((table * scale + 50) // 100, 1, 255)


# ── inside ──────────────────────────────────────────────────────────────────────────────


def _quality(blocks: Blocks, cut: NDArray[Any]) -> int:
    """The quality at which compressing them again changes nothing; 0: none."""
    for rounds in (1, _ROUNDS) if cut.any() else (1,):
        shares = np.array([_repeats(blocks, cut, int(q), rounds) for q in _QUALITIES])
        padded = np.pad(shares, 3, mode="edge")
        beside = [padded[3 + d : 3 + d + len(shares)] for d in (-3, -2, -1, 1, 2, 3)]
        stands_out = shares - np.median(beside, axis=0)
        best = int(stands_out.argmax())
        if stands_out[best] > (_SURE if shares[best] < 0.95 else _SURE / 2):
            return int(_QUALITIES[best])
    return 0


def _repeats(
    blocks: Blocks, cut: NDArray[Any], quality: int, rounds: int, *, table: Table = LUMA
) -> float:
    """The share of blocks that come out of rounding at this quality as they went in.

    Black and white (`cut`) take off part of a block's waves; what was cut off is guessed
    from the waves themselves, a few times over.
    """
    turn, size = _cosines(), steps(table, quality).astype(np.float32)
    whole = blocks
    for _ in range(rounds):
        waves = np.rint(turn @ (whole - 128) @ turn.T / size) * size
        again = turn.T @ waves @ turn + 128
        over, under = (cut & _WHITE > 0) & (again > blocks), (cut & _BLACK > 0) & (again < blocks)
        beyond = over | under
        whole = np.where(beyond, again, blocks)
    off = np.abs(np.where(beyond, 0, again - blocks)).max(axis=(1, 2))
    return float((off < _SAME).mean())


def _telling(pixels: Pixels) -> tuple[Blocks, NDArray[Any]]:
    """The blocks that have most to say, not plain and little cut off; and where they are cut."""
    blocks = _blocks(pixels.astype(np.float32) @ TO_LUMA)
    cut = _blocks(_WHITE * (most(pixels) >= 254) + _BLACK * (most(255 - pixels) >= 254))
    spread = np.ptp(blocks, axis=(1, 2))
    told = np.flatnonzero(spread > 6)
    rank = (cut[told] != 0).mean(axis=(1, 2)) * 200 - np.minimum(spread[told], 60)
    chosen = told[np.argsort(rank, kind="stable")[:_BLOCKS]]
    return blocks[chosen], cut[chosen]


def _clean(blocks: Blocks) -> bool:
    """Whether paper between letters is all of one colour, which compression never leaves it."""
    values = np.rint(blocks).astype(np.int64).ravel()
    paper = int(np.bincount(values.clip(0, 255)).argmax())
    off = np.abs(values - paper)
    return bool((off == 0).mean() > 0.25 and ((off > 0) & (off <= 4)).mean() < 0.03)


def _halved(pixels: Pixels, quality: int) -> bool:
    """Whether colours have half the places of brightness; so it is assumed where none are seen."""
    shares = []
    for to in (_TO_BLUE, _TO_RED):
        blocks = _blocks(pixels.astype(np.float32) @ to) + 128
        blocks = blocks[np.argsort(-np.ptp(blocks, axis=(1, 2)), kind="stable")[:_BLOCKS]]
        blocks = blocks[np.ptp(blocks, axis=(1, 2)) > 8]
        if len(blocks):
            uncut = np.zeros(blocks.shape, np.int64)
            shares.append(_repeats(blocks, uncut, quality, 1, table=CHROMA))
    return not shares or max(shares) < _SURE


def _grid(luma: Plane) -> tuple[int, int]:
    """Where steps from pixel to pixel stand out every eight pixels: the grid's corner."""
    across = np.abs(luma[:, 2:-1] * 3 - luma[:, 1:-2] * 3 + luma[:, :-3] - luma[:, 3:])
    down = np.abs(luma[2:-1] * 3 - luma[1:-2] * 3 + luma[:-3] - luma[3:])
    left = _phase(np.minimum(across, 12).mean(axis=0))
    top = _phase(np.minimum(down, 12).mean(axis=1))
    return (left, top) if left is not None and top is not None else (0, 0)


def _phase(rises: Plane) -> int | None:
    if len(rises) < 16:
        return None
    whole = rises[: len(rises) // 8 * 8].reshape(-1, 8).mean(axis=0)
    best = int(whole.argmax())
    if whole[best] < 1.05 * np.delete(whole, best).mean():
        return None
    return (best + 2) % 8


def _blocks(plane: NDArray[Any]) -> NDArray[Any]:
    high, wide = plane.shape[0] // 8, plane.shape[1] // 8
    cut = plane[: high * 8, : wide * 8].reshape(high, 8, wide, 8)
    return cut.swapaxes(1, 2).reshape(-1, 8, 8)


@lru_cache(maxsize=1)
def _cosines() -> NDArray[np.float32]:
    k = np.arange(8)
    turn = np.cos(np.pi * (2 * k[None] + 1) * k[:, None] / 16) / 2
    turn[0] /= np.sqrt(2)
    return turn.astype(np.float32)
