"""Parts of a thing: the large patches of it that are of clearly another colour."""

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels

APART = 26.0  # how far two colours are in Lab before they are clearly not the same
SHARE = 0.1  # of the thing that a part takes at least
Labels = NDArray[np.int32]


def parts(pixels: Pixels, smallest: int) -> Labels:
    """1 … n for each pixel of an RGBA drawing that belongs to it, 0 for the others."""
    seen = pixels[..., 3] >= 128
    found = np.zeros(seen.shape, np.int32)
    least = max(smallest, SHARE * np.count_nonzero(seen))
    patches = _patches(_groups(pixels, seen), seen, least)
    if len(patches) < 2:
        return seen.astype(np.int32)
    for number, patch in enumerate(patches, 1):
        found[patch] = number
    return np.where(seen, nearest(found), 0).astype(np.int32)


def _patches(groups: Labels, seen: NDArray[np.bool_], least: float) -> list[NDArray[np.bool_]]:
    """The connected patches of each group of colours that have enough pixels."""
    import cv2

    found = []
    for group in range(int(groups.max()) + 1):
        inside = ((groups == group) & seen).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(inside, connectivity=8)
        areas = stats[:, cv2.CC_STAT_AREA]
        found += [labels == one for one in range(1, count) if areas[one] >= least]
    return found


def _groups(pixels: Pixels, seen: NDArray[np.bool_]) -> Labels:
    """For each pixel the number of its colour's group; the commonest colours found groups."""
    import cv2

    coarse = (pixels[..., :3] >> 3).astype(np.int64)
    packed = (coarse[..., 0] << 10) | (coarse[..., 1] << 5) | coarse[..., 2]
    values, which, counts = np.unique(packed[seen], return_inverse=True, return_counts=True)
    colours = np.stack([values >> 10, (values >> 5) & 31, values & 31], axis=1)
    flat = ((colours * 8 + 4) / 255).astype(np.float32)[None]
    lab = cv2.cvtColor(flat, cv2.COLOR_RGB2LAB)[0]
    table, centres = np.zeros(len(values), np.int32), np.empty((0, 3), np.float32)
    for one in np.lexsort((values, -counts)):
        far = np.linalg.norm(centres - lab[one], axis=1)
        if far.size and far.min() < APART:
            table[one] = int(far.argmin())
        else:
            table[one] = len(centres)
            centres = np.vstack([centres, lab[one]])
    groups = np.zeros(seen.shape, np.int32)
    groups[seen] = table[which]
    return groups


def nearest(labels: Labels) -> Labels:
    """The same labels, each 0 replaced by the nearest other."""
    import cv2

    if labels.all():
        return labels
    missing = (labels == 0).astype(np.uint8)
    _, which = cv2.distanceTransformWithLabels(
        missing, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    table = np.zeros(int(which.max()) + 1, np.int32)
    known = missing == 0
    table[which[known]] = labels[known]
    return table[which]
