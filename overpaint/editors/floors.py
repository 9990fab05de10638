"""Floors and ceilings: what a table's other numbers are read against."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Request, Sample
from overpaint.document import Document, Pixels
from overpaint.editors.fitting import resized
from overpaint.editors.labels import stem
from overpaint.errors import NotApplicable

NOISE_SIGMA = 20.0  # of 255; visible, yet everything stays readable
GREY = 128
PASTED = 0.6  # of the canvas' sides that a pasted subject fills at most
ALIKE, PLAIN = 12, 0.9  # of 255 by which a ground differs from itself; of an edge that is ground


@dataclass(frozen=True)
class Identity:
    """Changes nothing: best at keeping, worst at editing."""

    def __call__(self, request: Request) -> Document:
        return request.source


@dataclass(frozen=True)
class Blank:
    """A white picture of the source's size."""

    def __call__(self, request: Request) -> Document:
        return Document.of(np.full_like(request.source.rgb, 255))


@dataclass(frozen=True)
class SourceNoise:
    """The source under Gaussian noise of σ 20, seeded by the picture itself."""

    def __call__(self, request: Request) -> Document:
        rng = np.random.default_rng(int(request.source.key[:16], 16))
        pixels = request.source.rgb
        noise = rng.normal(0.0, NOISE_SIGMA, pixels.shape)
        return Document.of(np.clip(np.rint(pixels + noise), 0, 255).astype(np.uint8))


@dataclass(frozen=True)
class Truth:
    """The benchmark's own answer: the ceiling, and the one editor that may see it."""

    sees_target = True

    def __call__(self, sample: Sample) -> Document:
        if sample.target is None:
            raise NotApplicable("This sample has no truth.")
        return sample.target


@dataclass(frozen=True)
class SubjectPaste:
    """The first subject pasted in the middle on grey, without its ground; all else is ignored.

    A floor for pictures made after references: what a number is worth that the subject alone
    earns, with no caption, outline, pose or style heeded. Without a subject it is a grey canvas.
    What ignoring the caption alone costs depends on who paints; `compositional:…;caption=no`.
    """

    def __call__(self, request: Request) -> Document:
        wide, high = request.source.size
        canvas = np.full((high, wide, 3), GREY, np.uint8)
        labelled = zip(request.labels, request.references, strict=False)
        subject = next((one for label, one in labelled if stem(label) == "subject"), None)
        if subject is None:
            return Document.of(canvas)
        return Document.of(_pasted(canvas, *_cut_out(subject.rgb)))


def _cut_out(pixels: Pixels) -> tuple[Pixels, Pixels]:
    """What stands on a plain ground and its mask, 255 on it, cropped to it.

    On another ground it is the whole picture: a floor does not hang on how well somebody cuts.
    """
    mask = ~_ground(pixels)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return pixels, np.full(pixels.shape[:2], 255, np.uint8)
    inside = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    return pixels[inside], np.where(mask[inside], 255, 0).astype(np.uint8)


def _ground(pixels: Pixels) -> NDArray[np.bool_]:
    """Where the ground is: what is like most of the edge, and joined to it; nowhere if none is."""
    import cv2

    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]]).astype(np.int16)
    off = np.abs(pixels.astype(np.int16) - np.median(edge, axis=0)).max(axis=2)
    like = off <= ALIKE
    rim = np.concatenate([like[0], like[-1], like[:, 0], like[:, -1]])
    if rim.mean() < PLAIN:
        return np.zeros(like.shape, bool)
    _, parts = cv2.connectedComponents(like.astype(np.uint8), connectivity=4)
    joined = np.unique(np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]]))
    return np.isin(parts, joined[joined > 0])


def _pasted(canvas: Pixels, thing: Pixels, mask: Pixels) -> Pixels:
    """The canvas with a thing in its middle, as large as its share of the canvas allows."""
    room = [max(1, round(side * PASTED)) for side in canvas.shape[:2]]
    scale = min(room[0] / thing.shape[0], room[1] / thing.shape[1])
    high, wide = (max(1, min(round(side * scale), most))
                  for side, most in zip(thing.shape[:2], room, strict=True))  # fmt: skip
    top, left = (canvas.shape[0] - high) // 2, (canvas.shape[1] - wide) // 2
    there = slice(top, top + high), slice(left, left + wide)
    share = resized(mask, (wide, high))[:, :, None] / 255
    small = resized(np.ascontiguousarray(thing), (wide, high))
    mixed = small * share + canvas[there] * (1 - share)
    return _with(canvas, there, np.rint(mixed).astype(np.uint8))


def _with(canvas: Pixels, there: tuple[slice, slice], pixels: Pixels) -> Pixels:
    made = canvas.copy()
    made[there] = pixels
    return made
