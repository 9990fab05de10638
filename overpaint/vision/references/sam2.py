"""SAM 2 with the user's weights: the thing in a box, and all regions of a picture.

Regions are found as its authors find them automatically (Ravi et al. 2024): a grid of points, three
masks each; those it is sure of and that hold still under another threshold stay, one of those that
say the same. Its own processor needs torchvision, so pictures are prepared here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.vision.own_weights import Own, digest
from overpaint.vision.references import Box, Extractor, Hints, Reference
from overpaint.vision.references.boxes import box_of, overlaps
from overpaint.vision.references.inputs import Looked, looked, normalised

OWN = Own("SAM 2", "OVERPAINT_SAM2", "facebook/sam2.1-hiera-large")
POINTS = 32  # of the grid, each way
BATCH = 16  # points at a time: sixty-four take 3.5 GB
SURE = 0.8  # predicted IoU: the paper's confidence
STILL, OFFSET = 0.95, 1.0  # the IoU of a mask with itself at thresholds that far apart
SAME = 0.7  # IoU of boxes: the surer mask of the two stays
LONG = 2048  # pixels of the longer side that regions are painted at: its masks have 256

Logits = NDArray[np.float32]


@dataclass(frozen=True)
class Mask:
    """A mask as it was predicted, above 0 inside, and how well it is thought to fit."""

    logits: Logits
    sure: float


@dataclass(frozen=True, eq=False)
class Segmenter:
    """SAM 2, ready to be asked about pictures."""

    model: Any
    side: int  # of the square that it looks at

    def in_boxes(self, picture: Looked, boxes: Sequence[Box]) -> list[Mask]:
        """The mask of the one thing in each box."""
        import torch

        scale = self._scale(picture.pixels)
        asked = torch.from_numpy(np.array(boxes, float) * [*scale, *scale]).float()
        with torch.inference_mode():
            seen = _seen(self, picture)
            found = self.model(
                image_embeddings=seen, input_boxes=asked[None], multimask_output=False
            )
        return list(_masks(found))

    def at_points(self, picture: Looked, points: NDArray[np.float64]) -> list[Mask]:
        """Three masks for each point, which are shares of the width and the height."""
        import torch

        asked = torch.from_numpy(points * self.side).float()[None, :, None]
        with torch.inference_mode():
            seen = _seen(self, picture)
            found = self.model(image_embeddings=seen, input_points=asked, multimask_output=True)
        return list(_masks(found))

    def _scale(self, pixels: Pixels) -> tuple[float, float]:
        return self.side / pixels.shape[1], self.side / pixels.shape[0]


@lru_cache(maxsize=1)
def _seen(segmenter: Segmenter, picture: Looked) -> Any:
    """What it sees in a picture, whatever is asked about it."""
    import torch

    side = segmenter.side
    values = torch.from_numpy(normalised(picture.pixels, (side, side)))
    return segmenter.model.get_image_embeddings(values)


def _masks(found: Any) -> Iterator[Mask]:
    logits = found.pred_masks[0].flatten(0, 1).float().numpy()
    sure = found.iou_scores[0].flatten().tolist()
    for one, how in zip(logits, sure, strict=True):
        yield Mask(one, min(max(float(how), 0.0), 1.0))


def segmenter() -> Segmenter:
    """The user's SAM 2."""
    at = OWN.folder()
    return _segmenter(at, digest(at))


@lru_cache(maxsize=1)
def _segmenter(at: Path, known: str) -> Segmenter:
    model = OWN.model("Sam2Model", at)
    return Segmenter(model, int(model.config.prompt_encoder_config.image_size))


# ── masks ───────────────────────────────────────────────────────────────────────────────


def filled(mask: Mask, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Where the mask is, in a picture of that width and height."""
    import cv2

    return np.asarray(cv2.resize(mask.logits, size, interpolation=cv2.INTER_LINEAR) > 0)


def stillness(logits: Logits) -> float:
    """How much of a mask stays when its threshold is raised rather than lowered."""
    wide = int((logits > -OFFSET).sum())
    return int((logits > OFFSET).sum()) / wide if wide else 0.0


def kept(masks: Sequence[Mask]) -> list[Mask]:
    """Those that are sure and still, the surest first, one of those whose boxes are the same."""
    good = [
        mask
        for mask in masks
        if mask.sure >= SURE and (mask.logits > 0).any() and stillness(mask.logits) >= STILL
    ]
    good.sort(key=lambda mask: -mask.sure)
    return [good[i] for i in unlike([box_of(mask.logits > 0) for mask in good], SAME)]


def unlike(boxes: Sequence[Box], same: float) -> list[int]:
    """The places of boxes that overlap none before them by more than `same` (IoU)."""
    stays: list[int] = []
    for place, box in enumerate(boxes):
        if (overlaps([box], [boxes[other] for other in stays]) <= same).all():
            stays.append(place)
    return stays


# ── regions ─────────────────────────────────────────────────────────────────────────────


def grid(each_way: int) -> NDArray[np.float64]:
    """Points in the middles of equal squares, as shares of the width and the height."""
    steps = (np.arange(each_way) + 0.5) / each_way
    across, down = np.meshgrid(steps, steps)
    return np.stack([across.ravel(), down.ravel()], axis=1)


def everything(by: Segmenter, picture: Looked) -> list[Mask]:
    """The masks of all that it is sure of in a picture."""
    points = grid(POINTS)
    found: list[Mask] = []
    for start in range(0, len(points), BATCH):  # sorted out as they come: a thousand are large
        found += kept(by.at_points(picture, points[start : start + BATCH]))
    return kept(found)


def painted(masks: Sequence[Mask], size: tuple[int, int]) -> tuple[NDArray[np.int32], float | None]:
    """Regions 1 … n, the largest painted first, and how sure they are by area; 0 is no region."""
    import cv2

    scale = min(1.0, LONG / max(size))
    small = (max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
    regions = np.zeros(small[::-1], np.int32)
    by_area = sorted(masks, key=lambda mask: -int((mask.logits > 0).sum()))
    for number, mask in enumerate(by_area, start=1):
        regions[filled(mask, small)] = number
    left, counted = np.unique(regions[regions > 0], return_counts=True)
    if not len(left):
        return np.zeros(size[::-1], np.int32), None
    numbers = np.zeros(len(by_area) + 1, np.int32)  # some may lie wholly below others
    numbers[left] = np.arange(1, len(left) + 1)
    sure = np.average([by_area[number - 1].sure for number in left], weights=counted)
    whole = cv2.resize(numbers[regions], size, interpolation=cv2.INTER_NEAREST)
    return np.asarray(whole, np.int32), float(sure)


def _regions(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    masks = everything(segmenter(), looked(pixels))
    regions, sure = painted(masks, (pixels.shape[1], pixels.shape[0]))
    if sure is None:
        return []
    by = semantic_map
    return [Reference("semantic_map", regions, by.method, by.exact, confidence=sure)]


semantic_map = Extractor(
    "semantic_map", "sam2", "1", _regions, "all regions that SAM 2 is sure of, your weights",
    own=(OWN.folder,),
)  # fmt: skip
