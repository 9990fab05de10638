"""Sight: what the evidence judge looks at. Source and output, laid over one another and read.

The output is resized and laid over the source as for the measures of the background, what was
read in it is put into the source's frame, and where the two are seen to differ is one map.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Evidence, finding
from overpaint.document import Document, Pixels
from overpaint.errors import NotApplicable
from overpaint.measures import alignment, background
from overpaint.measures.alignment import Transform
from overpaint.measures.evidence.live import with_layers
from overpaint.measures.evidence.searching import Spot
from overpaint.measures.pixel import Mask
from overpaint.vision import ocr
from overpaint.vision.page import Box, Line

SEEN: Final = 24  # of 255: a difference from here up is seen, once noise is averaged out
CLEAR: Final = 40  # and from here up by anybody
SPECK: Final = 6  # pixels; fewer are no change
SMALL: Final = 40  # pixels: lower lines are enlarged before a second look
ENGINES: Final = ("small", "tiny")


@dataclass(frozen=True)
class Sight:
    """A source and an output in one frame."""

    evidence: Evidence
    output: Document
    source: Document
    masks: tuple[Document, ...]

    @cached_property
    def pair(self) -> background.Pair:
        """The two as pictures, and where the output has a source."""
        found: background.Pair = background.laid_over(
            self.evidence, self.output, self.source, *self.masks
        )
        return found

    @cached_property
    def loose(self) -> bool:
        """Whether the output could not be laid over the source, so that pixels say little."""
        return self._transform.verdict.startswith("failed")

    @cached_property
    def _transform(self) -> Transform:
        return Transform(
            **background.movement(self.evidence, self.output, self.source, *self.masks)
        )

    @cached_property
    def may(self) -> Mask | None:
        """Where the edit may change the picture; None without a mask."""
        if not self.masks:
            return None
        found: Mask = background.editable(self.evidence, self.source, *self.masks)
        return found

    @cached_property
    def apart(self) -> NDArray[np.uint8]:
        """How far the two are seen to be apart, pixel by pixel."""
        found: NDArray[np.uint8] = difference(self.evidence, self.output, self.source, *self.masks)
        return found

    @cached_property
    def changed(self) -> Mask:
        """Where they are seen to differ, specks left out."""
        return without_specks(self.apart >= SEEN, SPECK)

    @cached_property
    def before(self) -> tuple[Line, ...]:
        """What is read in the source."""
        return with_layers(self.source, ocr.lines(self.evidence, self.source))

    @cached_property
    def after(self) -> tuple[Line, ...]:
        """What is read in the output, in the source's frame."""
        height, width = self.pair.reference.shape[:2]
        wide, high = self.output.size
        matrix = np.eye(3)
        if self._transform.verdict == "aligned":
            back = np.array(self._transform.back).reshape(2, 3)
            matrix[:2] = np.linalg.inv(np.vstack([back, [0, 0, 1]]))[:2]
        scaled = matrix @ np.diag([width / wide, height / high, 1.0])
        read = with_layers(self.output, ocr.lines(self.evidence, self.output))
        return tuple(Line(_moved(scaled, line.box), line.text, line.confidence) for line in read)

    def again(self, box: Box, *, source: bool = False) -> list[list[Line]]:
        """Two more readings of a part of the output, or of the source, one by each engine."""
        shown = self.source if source else self.output
        whole = tuple(round(edge) for edge in box)
        versions = tuple(ocr.version(engine) for engine in ENGINES)
        found = _second(self.evidence, shown, self.source, whole, versions, *self.masks)
        return [[Line(tuple(b), text, sure) for b, text, sure in lines] for lines in found]

    def inside(self, spot: Spot) -> float | None:
        """The share of some words that lies where the edit may change; None without a mask."""
        if self.may is None:
            return None
        shares = [part.mean() for box in spot.boxes if (part := cut(self.may, box)).size]
        return float(np.mean(shares)) if shares else 0.0

    def change(self, boxes: Sequence[Box]) -> float:
        """The share of the pixels in some boxes that are seen to differ."""
        parts = [part for box in boxes if (part := cut(self.changed, box)).size]
        total = sum(part.size for part in parts)
        return float(sum(int(part.sum()) for part in parts)) / total if total else 0.0


def cut(array: NDArray[Any], box: Box, more: float = 0.0) -> NDArray[Any]:
    """The part of an array in a box, grown by some pixels, as far as there is any."""
    left, top = (max(0, int(np.floor(edge - more))) for edge in box[:2])
    right, bottom = (max(0, int(np.ceil(edge + more))) for edge in box[2:])
    return array[top:bottom, left:right]


def without_specks(mask: Mask, least: int) -> Mask:
    """The parts of a mask that have at least so many pixels."""
    import cv2

    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    large = stats[:, cv2.CC_STAT_AREA] >= least
    large[0] = False
    return np.asarray(large[labels])


@finding()
def difference(
    evidence: Evidence, output: Document, source: Document, *masks: Document
) -> NDArray[np.uint8]:
    """Light compared over 3×3 pixels and colour over 9×9, so that compression does not show."""
    import cv2

    pair = background.laid_over(evidence, output, source, *masks)
    planes = [
        cv2.split(cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGB2YCrCb))
        for picture in (pair.reference, pair.output)
    ]
    found = np.zeros(pair.counts.shape, np.uint8)
    for number, (one, other) in enumerate(zip(*planes, strict=True)):
        window = (9, 9) if number else (3, 3)
        apart = cv2.absdiff(cv2.blur(one, window), cv2.blur(other, window))
        found = np.maximum(found, apart)
    found[~pair.counts] = 0
    return found


@finding(version=alignment.VERSION, keep=True)
def _second(
    evidence: Evidence, shown: Document, source: Document, box: tuple[int, ...],
    versions: tuple[str, ...], *masks: Document,
) -> list[list[Any]]:  # fmt: skip
    """What each engine reads in a part, enlarged where it is small, with some room around it."""
    import cv2

    picture: Pixels = background.laid_over(evidence, shown, source, *masks).output
    left, top, right, bottom = (float(edge) for edge in box)
    room = 0.4 * min(bottom - top, right - left) + 4
    part = cut(picture, (left, top, right, bottom), room)
    if min(part.shape[:2]) < 3:
        return [[] for _ in ENGINES]
    corner = (max(0.0, np.floor(left - room)), max(0.0, np.floor(top - room)))
    times = 2 if bottom - top < SMALL else 1
    rim = 16
    large = cv2.resize(
        np.ascontiguousarray(part), None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC
    )
    large = cv2.copyMakeBorder(large, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    return [
        [
            [
                [(edge - rim) / times + corner[at % 2] for at, edge in enumerate(line.box)],
                line.text,
                line.confidence,
            ]
            for line in ocr.read(np.asarray(large), engine)
        ]
        for engine in ENGINES
    ]


def _moved(matrix: NDArray[np.float64], box: Box) -> Box:
    left, top, right, bottom = box
    corners = np.array([[left, right, left, right], [top, top, bottom, bottom], [1, 1, 1, 1]])
    x, y, _ = matrix @ corners
    return float(x.min()), float(y.min()), float(x.max()), float(y.max())


def outside(sight: Sight) -> Mask:
    """Where nothing was to change and can be compared; NotApplicable where that is nowhere."""
    if sight.may is None:
        raise NotApplicable("There is no mask.")
    found: background.Pair = background.background(
        sight.evidence, sight.output, sight.source, *sight.masks
    )
    return found.counts


VERSION: Final = f"1+align{alignment.VERSION}"
