"""Alignment: bring a picture that an editor shifted back over the one it is compared with."""

from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import UserMistake

Pixels = NDArray[np.uint8]
Matrix = NDArray[np.float64]
Method = Literal["default", "official"]
Verdict = Literal["identity", "aligned", "failed: few matches", "failed: degenerate transform"]

SEED: Final = 20041  # RANSAC and FLANN draw from OpenCV's generator
FEW: Final = 12  # fewer inliers than this say nothing about a whole picture


@dataclass(frozen=True)
class Aligned:
    """A picture laid over another, which of its pixels have a source, and how that went."""

    picture: Pixels
    valid: NDArray[np.bool_]
    matrix: Matrix  # 2×3, from pixels of the moving picture to pixels of the fixed one
    verdict: Verdict
    reason: str

    @property
    def failed(self) -> bool:
        """Whether the picture is given back unaligned because no transform could be trusted."""
        return self.verdict.startswith("failed")


def align(moving: Pixels, fixed: Pixels, *, method: Method = "default") -> Aligned:
    """Lay `moving` over `fixed`; where that cannot be done it is given back as it is."""
    import cv2

    if moving.shape != fixed.shape:
        raise UserMistake(
            f"The pictures differ in shape: {moving.shape} and {fixed.shape}.",
            "Two pictures of one size were expected.",
            "Resize one of them first.",
        )
    if np.array_equal(moving, fixed):
        return _unmoved(moving, "identity", "the pictures are equal")
    matches = _matches(moving, fixed, 0.75 if method == "default" else 0.7)
    if len(matches[0]) < FEW:
        return _unmoved(moving, "failed: few matches", f"{len(matches[0])} matches")
    cv2.setRNGSeed(SEED)
    if method == "official":
        matrix, inliers = cv2.estimateAffinePartial2D(*matches, method=cv2.LMEDS)
    else:
        matrix, inliers = cv2.estimateAffine2D(*matches, method=cv2.RANSAC)
    if matrix is None or int(inliers.sum()) < FEW:
        return _unmoved(moving, "failed: degenerate transform", "no transform fits the matches")
    size = fixed.shape[1::-1]
    picture = cv2.warpAffine(moving, matrix, size, flags=cv2.INTER_CUBIC)
    ones = np.full(fixed.shape[:2], 255, np.uint8)
    valid = cv2.warpAffine(ones, matrix, size, flags=cv2.INTER_LINEAR) == 255
    return Aligned(picture, valid, matrix, "aligned", f"{int(inliers.sum())} matches agree")


def _unmoved(moving: Pixels, verdict: Verdict, reason: str) -> Aligned:
    valid = np.ones(moving.shape[:2], np.bool_)
    return Aligned(moving, valid, np.eye(2, 3), verdict, reason)


def _matches(moving: Pixels, fixed: Pixels, ratio: float) -> tuple[Any, Any]:
    import cv2

    sift = cv2.SIFT_create()
    (p, d), (q, e) = (sift.detectAndCompute(_grey(x), None) for x in (moving, fixed))
    if len(p) < 2 or len(q) < 2:
        return np.empty((0, 2)), np.empty((0, 2))
    cv2.setRNGSeed(SEED)
    flann = cv2.FlannBasedMatcher({"algorithm": 1, "trees": 5}, {"checks": 50})
    pairs = [m for m, n in flann.knnMatch(d, e, k=2) if m.distance < ratio * n.distance]
    return (
        np.array([p[m.queryIdx].pt for m in pairs]),
        np.array([q[m.trainIdx].pt for m in pairs]),
    )


def _grey(picture: Pixels) -> Pixels:
    import cv2

    return picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
