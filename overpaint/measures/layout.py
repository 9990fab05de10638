"""Layout consistency (MiLDE, eq. 7): whether what a document is made of stands where it stood.

Masks of the document before and after are matched one to one so that the sum of their IoU is
largest, and pairs below `tau` are let go. Of the pairs count how far centroids moved, by the
picture's diagonal, their IoU, and the ratio of their areas; of what has no pair, its area:

    0.25 · pairs / max(n, m) + 0.2 · position + 0.2 · shape + 0.2 · area
    − 0.15 · (gone + 0.7 · new), at least 0

The paper's weights give an unchanged document 0.85, which it calls 100 %: so all is divided by
0.85. It gives no tau; ours is 0.1.

As a measure, `layout` has masks from one segmenter for every editor (`vision.segments`), run on the
rendered document and on the output brought to its size; `layout:FILE.py:NAME` has them from your
own. `layout@alpha` takes the layers' alpha instead: a protocol of its own, never to be held against
the other.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Edit, Evidence, Found, Measure, each
from overpaint.document import Document
from overpaint.errors import NotApplicable, UserMistake
from overpaint.measures import background
from overpaint.measures.reading import NEEDS
from overpaint.vision.segments import MOST as TAKEN
from overpaint.vision.segments import REGIONS, Segmenter, alphas, segmenter, segments

Masks = NDArray[np.bool_]
TAU = 0.1
RATE, POSITION, SHAPE, AREA, LOST = 25, 20, 20, 20, 15  # hundredths
NEW = 0.7  # a new mask counts for this much of one that is gone
MOST = 2_000  # masks of a document: the matching takes time with their cube


@dataclass(frozen=True)
class Layout:
    """How two sets of masks compare; the shares are those of the formula."""

    pairs: tuple[tuple[int, int, float], ...]  # before, after, IoU
    rate: float
    position: float
    shape: float
    area: float
    gone: float  # of the picture's area
    new: float

    @property
    def score(self) -> float:
        """Layout consistency, 0–100."""
        kept = RATE * self.rate + POSITION * self.position + SHAPE * self.shape + AREA * self.area
        whole = RATE + POSITION + SHAPE + AREA
        return min(100.0, max(0.0, 100 * (kept - LOST * (self.gone + NEW * self.new)) / whole))


def layout_consistency(before: Masks, after: Masks, *, tau: float = TAU) -> float:
    """Layout consistency of two sets of boolean masks, n×H×W of one size each, 0–100.

    No masks on either side is 100, on one side only 0; a mask without a pixel is none.
    """
    return compared(before, after, tau=tau).score


def compared(before: Masks, after: Masks, *, tau: float = TAU) -> Layout:
    """The two sets of masks matched, and every share of the formula."""
    if not 0 <= tau <= 1:
        raise UserMistake(f"tau is {tau}.", "An IoU is between 0 and 1.")
    for masks in (before, after):
        _check(masks)
    if before.size and after.size and before.shape[1:] != after.shape[1:]:
        raise UserMistake(
            f"The masks before are {_size(before)}, those after {_size(after)}.",
            "Masks of one size were expected.",
            "Resize the edited picture to the original before it is segmented.",
        )
    sides = one, other = _Side.of(before), _Side.of(after)
    if not all(len(side) for side in sides):
        nothing = float(not any(len(side) for side in sides))
        gone, new = (side.share(np.ones(len(side), bool)) for side in sides)
        # One side only scores 0 however little it covers.
        return Layout((), nothing, nothing, nothing, nothing, gone, new)
    return _matched(one, other, tau)


def _check(masks: Masks) -> None:
    if getattr(masks, "dtype", None) != np.bool_ or masks.ndim != 3 or len(masks) > MOST:
        given = f"{getattr(masks, 'dtype', type(masks).__name__)} {getattr(masks, 'shape', '')}"
        raise UserMistake(
            f"Masks were given as {given}.",
            f"An array of bool, n×H×W, with at most {MOST:,} masks was expected.",
            "np.asarray(masks) > 0.5 makes one.",
        )


def _size(masks: Masks) -> str:
    return f"{masks.shape[2]}×{masks.shape[1]}"


@dataclass(frozen=True, eq=False)
class _Side:
    """The masks of one document, without empty ones, in an order that their pixels decide."""

    places: NDArray[np.intp]  # which of the masks as they were given
    words: NDArray[np.uint64]
    areas: NDArray[np.int64]
    centres: NDArray[np.float64]
    boxes: NDArray[np.int64]
    size: tuple[int, int]  # height, width

    @classmethod
    def of(cls, masks: Masks) -> "_Side":
        from overpaint.measures import mask_kernels as kernels

        found = kernels.measured(np.ascontiguousarray(masks).view(np.uint8))
        words = kernels.packed(masks)
        # Among matchings that are equally good, the order of the masks would decide.
        order = sorted(
            np.flatnonzero(found[:, 0]).tolist(), key=lambda n: (*found[n], words[n].tobytes())
        )
        places = np.array(order, np.intp)
        areas, sums, boxes = found[places, 0], found[places, 1:3], found[places, 3:]
        centres = sums / areas[:, None]
        return cls(places, words[places], areas, centres, boxes, masks.shape[1:])

    def __len__(self) -> int:
        return len(self.places)

    def share(self, chosen: NDArray[Any]) -> float:
        """The areas of some masks, added up, as a share of the picture's."""
        total = int(self.areas[chosen].sum())
        return total / (self.size[0] * self.size[1]) if total else 0.0


def _matched(one: _Side, other: _Side, tau: float) -> Layout:
    from scipy.optimize import linear_sum_assignment

    from overpaint.measures import mask_kernels as kernels

    common = kernels.shared(one.words, other.words, one.boxes, other.boxes)
    iou = common / (one.areas[:, None] + other.areas[None] - common)
    rows, columns = linear_sum_assignment(iou, maximize=True)
    near = iou[rows, columns] >= tau
    rows, columns = rows[near], columns[near]
    alone = [np.ones(len(side), bool) for side in (one, other)]
    alone[0][rows], alone[1][columns] = False, False
    gone, new = one.share(alone[0]), other.share(alone[1])
    if not len(rows):
        return Layout((), 0.0, 0.0, 0.0, 0.0, gone, new)
    away = np.linalg.norm(one.centres[rows] - other.centres[columns], axis=1)
    areas = np.stack([one.areas[rows], other.areas[columns]])
    pairs = zip(one.places[rows], other.places[columns], iou[rows, columns], strict=True)
    return Layout(
        tuple((int(a), int(b), float(fit)) for a, b, fit in pairs),
        rate=len(rows) / max(len(one), len(other)),
        position=float(1 - away.mean() / np.hypot(*one.size)),
        shape=float(iou[rows, columns].mean()),
        area=float((areas.min(axis=0) / areas.max(axis=0)).mean()),
        gone=gone,
        new=new,
    )


# ── as measures ─────────────────────────────────────────────────────────────────────────


def layout_by(argument: str) -> Measure:
    """The measure behind `layout:ARGUMENT`, whose masks a segmenter of your own finds."""
    by = segmenter(argument)
    name = "layout" if by.name == REGIONS else f"layout@{argument.rpartition(':')[2]}"
    return Measure(
        name, each(name, partial(_score, by)), higher_is_better=True, worst=0.0, best=100.0,
        version=f"1+{by.version}", needs=NEEDS["small"] if by.name == REGIONS else (), unit="%",
        about=f"layout consistency, MiLDE eq. 7, of masks by the segmenter {by.name}",
    )  # fmt: skip


def _score(by: Segmenter, edit: Edit, evidence: Evidence) -> Found:
    assert edit.output is not None
    source = edit.sample.request.source
    output, notes = _sized(edit.output, source, evidence)
    return _found(segments(evidence, source, by), segments(evidence, output, by), notes)


def _sized(
    output: Document, source: Document, evidence: Evidence
) -> tuple[Document, tuple[str, ...]]:
    """The output at the source's size."""
    if output.size == source.size:
        return output, ()
    (wide, high), (w, h) = output.size, source.size
    note = f"resized from {wide}×{high} to {w}×{h} (Lanczos)"
    return Document.of(background.fitted(evidence, output, source)), (note,)


def _found(before: Masks, after: Masks, notes: tuple[str, ...]) -> Found:
    found = compared(before, after)
    told = f"{len(before)} masks before, {len(after)} after, {len(found.pairs)} pairs"
    if TAKEN in (len(before), len(after)):
        notes = (f"{TAKEN} masks are the most that are taken of a document", *notes)
    return Found(found.score, (told, *notes))


def _by_alpha(edit: Edit, evidence: Evidence) -> Found:
    assert edit.output is not None
    source, output = edit.sample.request.source, edit.output
    for document, which in ((source, "document"), (output, "output")):
        if document.flat:
            raise NotApplicable(f"The {which} has no layers.")
    return _found(alphas(source, source.size), alphas(output, source.size), ())


layout = layout_by("")
layout_alpha = Measure(
    "layout@alpha", each("layout@alpha", _by_alpha), higher_is_better=True, worst=0.0, best=100.0,
    unit="%", about="layout consistency, MiLDE eq. 7, of the layers' alpha; layered outputs only",
)  # fmt: skip
