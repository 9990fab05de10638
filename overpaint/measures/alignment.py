"""Alignment: lay a picture that an editor shifted, turned or scaled back over the original.

An edit changes a part of a picture and should leave the rest in place. Many editors also move
everything by a fraction of a pixel or more, which would drown what was asked for in error.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overpaint.measures.checks import check_pair
from overpaint.measures.tiles import BICUBIC, STAYING, STILL, Tiles, View, shrunk, shrunk_mask

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Matrix = NDArray[np.float64]  # 2×3
Array = NDArray[Any]
Tuning = dict[str, bool | int | float | str]
Verdict = Literal[
    "identity",
    "aligned",
    "failed: few matches",
    "failed: degenerate transform",
    "failed: no better",
]

# Whoever changes what comes out of this file or of `tiles` gives it another version: it is part
# of the version of every measure that aligns, and of the key under which movements are kept.
VERSION: Final = "3"

# What a protocol card says of it.
ALIGNMENT: Final = (
    f"left in place where nothing outside the mask drifts by {STILL} px; else refined on the"
    " pixels, from where it lies or from where SIFT, FLANN and RANSAC put it (a similarity before"
    " an affinity), judged by tiles outside the mask, and laid by bicubic interpolation; a pixel"
    " is left out where it has no source or anything it depends on may change; what cannot be"
    " aligned is compared as it lies, and noted so"
)

# ── definitions ─────────────────────────────────────────────────────────────────────────

# default: SIFT features (Lowe, IJCV 60, 2004), FLANN matching with Lowe's ratio test, RANSAC, at
# quarter scale or, should that fail, at half scale; then an affine transform refined to a small
# part of a pixel on the half-scale pictures themselves (Lucas, Kanade, IJCAI 1981). Where the
# pictures nearly agree, refined without features. Warped by bicubic interpolation.
#
# Text that moved is an edit, not a movement of the picture; an affinity likes to explain it as
# a stretch. So a small movement comes before a similarity and that before an affinity, unless
# the more flexible one explains the same and at least SIMPLER times as much of the picture.
SIMPLER: Final = 2.0
CONVINCING: Final = 0.5  # share of the textured tiles; nothing further is tried
RATIO: Final = 0.75
FEATURES: Final = 2000  # the strongest; more cost time and add nothing to a six-number fit
REACH: Final = 1.5  # pixels a match may miss by and still agree
TREES: Final[Tuning] = {"algorithm": 1, "trees": 4}  # 1: FLANN's randomised k-d trees
CHECKS: Final[Tuning] = {"checks": 32}
FEW: Final = 12  # fewer agreeing matches say nothing about a whole picture
SMALLEST: Final = 24  # side of a picture in which features are looked for
COARSE: Final = 2  # times smaller than half scale, for the first search

# What counts as degenerate: no editor means to stretch a picture like this.
LARGEST_SCALE: Final = 2.0  # and its inverse, the smallest
LARGEST_STRETCH: Final = 1.25  # of one axis against another
LEAST_COVER: Final = 0.5  # share of the picture that must have a source

SEED: Final = 20041  # FLANN and RANSAC draw from OpenCV's generator


@dataclass(frozen=True)
class Transform:
    """How one picture is to be laid over another, or why it is left where it is."""

    back: tuple[float, ...]  # 2×3, row by row: from pixels of the result to where they come from
    verdict: Verdict
    reason: str


IN_PLACE: Final = Transform((1.0, 0.0, 0.0, 0.0, 1.0, 0.0), "identity", "The pictures are equal.")


@dataclass(frozen=True)
class Aligned:
    """A picture laid over another, which of its pixels have a source, and how that went.

    Unpacks as the three things one asks for: `picture, valid, verdict = align(a, b)`.
    """

    picture: Pixels
    valid: Mask
    matrix: Matrix  # takes pixels of the moving picture to pixels of the fixed one
    verdict: Verdict
    reason: str

    @property
    def failed(self) -> bool:
        """Whether the picture came back as it was because no transform could be trusted."""
        return self.verdict.startswith("failed")

    def __iter__(self) -> Iterator[Any]:
        return iter((self.picture, self.valid, self.verdict))


class _Guess(NamedTuple):
    """A transform from result to source, at the view's scale, and what speaks for it."""

    back: Array
    why: str
    tiles: Tiles | None = None

    @property
    def support(self) -> float:
        return 0.0 if self.tiles is None else self.tiles.support


class _Failure(Exception):
    """No transform can be trusted; `find_transform` turns it into one that leaves all in place."""

    def __init__(self, verdict: Verdict, reason: str) -> None:
        super().__init__(reason)
        self.verdict, self.reason = verdict, reason


def align(moving: Pixels, fixed: Pixels, *, mask: Mask | None = None) -> Aligned:
    """Lay `moving` over `fixed`; a picture that cannot be aligned comes back as it was.

    With a mask, only what lies where it is True is looked at, in `fixed` and, as nearly as can
    be known before it is laid, in `moving`. The result is the same on every run and for every
    number of threads.
    """
    return lay(moving, find_transform(moving, fixed, mask=mask))


def find_transform(moving: Pixels, fixed: Pixels, *, mask: Mask | None = None) -> Transform:
    """How `moving` is to be laid over `fixed`: the part of `align` that is worth keeping."""
    check_pair(moving, fixed, mask)
    try:
        return _found(moving, fixed, mask)
    except _Failure as failure:
        return Transform(IN_PLACE.back, failure.verdict, failure.reason)


def lay(moving: Pixels, transform: Transform) -> Aligned:
    """`moving` seen through the transform, and which of its pixels have a source."""
    import cv2

    back = np.array(transform.back, np.float64).reshape(2, 3)
    told = (transform.verdict, transform.reason)
    if transform.verdict != "aligned":
        return Aligned(moving, np.ones(moving.shape[:2], np.bool_), back, *told)
    height, width = moving.shape[:2]
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    picture: Array = cv2.warpAffine(moving, back, (width, height), flags=flags)
    matrix = np.asarray(cv2.invertAffineTransform(back), np.float64)
    return Aligned(picture, _sourced(back, (height, width)), matrix, *told)


def reach(transform: Transform, spread: tuple[float, float] = (0.5, 0.5)) -> tuple[int, int]:
    """How many pixels across and down from itself a pixel of what is laid still depends on.

    `spread` is the same for the moving picture, from a pixel's centre: half a pixel, its own
    square, unless it was resampled before.
    """
    extent = np.array(spread)
    if transform.verdict == "aligned":
        linear = np.array(transform.back).reshape(2, 3)[:, :2]
        extent = np.abs(np.linalg.inv(linear)) @ (extent + BICUBIC)
    # A pixel is touched from half a pixel before its centre on, but not by what ends there.
    across, down = np.ceil(extent + 0.5).astype(int) - 1
    return int(across), int(down)


# ── finding it ──────────────────────────────────────────────────────────────────────────


def _found(moving: Pixels, fixed: Pixels, mask: Mask | None) -> Transform:
    if _equal(moving, fixed, mask):
        return IN_PLACE
    view = View.of(moving, fixed, mask)
    before = view.tiles(np.eye(2, 3))
    if before.still(view.scale):
        return Transform(IN_PLACE.back, "identity", f"Nothing drifts by {STILL} px or more.")
    half, reason = _best(view, before)
    back = _scaled(half, view.scale)
    _check_plausible(np.linalg.inv(np.vstack([back, [0, 0, 1]]))[:2])
    if (cover := _sourced(back, fixed.shape[:2]).mean()) < LEAST_COVER:
        raise _Failure(
            "failed: degenerate transform",
            f"The transform leaves only {cover:.0%} of the picture with a source.",
        )
    return Transform(tuple(back.ravel().tolist()), "aligned", reason)


def _equal(moving: Pixels, fixed: Pixels, mask: Mask | None) -> bool:
    """Whether the pictures are the same wherever they are looked at."""
    import cv2

    counts = None if mask is None else np.ascontiguousarray(mask).view(np.uint8)
    return bool(cv2.norm(moving, fixed, cv2.NORM_INF, counts) == 0)


def _sourced(back: Array, shape: tuple[int, ...]) -> Mask:
    """Pixels of the result whose whole bicubic neighbourhood lies inside the moving picture."""
    from overpaint.measures import kernels

    # Interpolating between pixels k and k + 1 reaches one pixel further on either side.
    valid: Mask = kernels.sourced(back, (shape[0], shape[1]), 1.0)
    return valid


def _best(view: View, before: Tiles) -> tuple[Array, str]:
    """The simplest transform, from result to source, that enough tiles support once refined."""
    best: _Guess | None = None
    failure = _Failure("failed: no better", "No transform fits better than leaving it in place.")
    if before.support >= STAYING:
        best = _stronger(view, before, best, _Guess(np.eye(2, 3), "A small movement"))
    for coarseness in (COARSE, 1):
        if best is not None and (coarseness == 1 or best.support >= CONVINCING):
            break
        try:
            for guess in _guesses(view, coarseness):
                best = _stronger(view, before, best, guess)
        except _Failure as reason:
            failure = reason
    if best is None:
        raise failure
    return best.back, f"{best.why}; {best.support:.0%} of the textured tiles agree."


def _stronger(view: View, before: Tiles, best: _Guess | None, guess: _Guess) -> _Guess | None:
    """The guess, refined, where it is clearly more convincing than the best so far."""
    if best is not None and best.support >= CONVINCING:
        return best
    back, after = view.refined(guess.back)
    if after.support < STAYING or not after.better_than(before):
        return best
    if best is not None and best.tiles is not None:
        more = after.support >= SIMPLER * best.support
        if not more or not after.explains(best.tiles):
            return best
    return _Guess(back, guess.why, after)


def _guesses(view: View, coarseness: int) -> Iterator[_Guess]:
    """What features matched so much more coarsely suggest, a similarity before an affinity."""
    import cv2

    moving, fixed = (shrunk(picture, coarseness) for picture in view.greys)
    mask = None if view.mask is None else shrunk_mask(view.mask, coarseness)
    here, there = _matches(moving, fixed, mask)
    failure = None
    for estimate in (cv2.estimateAffinePartial2D, cv2.estimateAffine2D):
        cv2.setRNGSeed(SEED)
        matrix, inliers = estimate(
            here, there, method=cv2.RANSAC, ransacReprojThreshold=REACH, confidence=0.999
        )
        try:
            agreeing = _trusted(matrix, inliers)
        except _Failure as reason:
            failure = reason
            continue
        back = _scaled(cv2.invertAffineTransform(matrix), coarseness)
        yield _Guess(back, f"{agreeing} of {len(here)} matches agree")
    if failure is not None:
        raise failure


# ── features ────────────────────────────────────────────────────────────────────────────


def _matches(moving: Array, fixed: Array, mask: Mask | None) -> list[Array]:
    """Matched places in both pictures, two N×2 arrays."""
    import cv2

    sift = cv2.SIFT.create(FEATURES)
    # Where the moving picture may have changed is known only up to the movement that is sought.
    p, x = _features(sift, moving, mask)
    q, y = _features(sift, fixed, mask)
    cv2.setRNGSeed(SEED)
    pairs: Any = cv2.FlannBasedMatcher(TREES, CHECKS).knnMatch(x, y, k=2)
    good = [m for m, n in pairs if m.distance < RATIO * n.distance]
    if len(good) < FEW:
        raise _Failure(
            "failed: few matches", f"Features that match: {len(good)}; {FEW} are needed."
        )
    return [
        np.array([p[m.queryIdx].pt for m in good], np.float64),
        np.array([q[m.trainIdx].pt for m in good], np.float64),
    ]


def _features(sift: Any, picture: Array, mask: Mask | None) -> tuple[Any, Any]:
    height, width = picture.shape
    if min(height, width) < SMALLEST:
        raise _Failure("failed: few matches", f"{width}×{height} pixels are too few to look at.")
    counts = None if mask is None else mask.astype(np.uint8)
    places, descriptors = sift.detectAndCompute(picture, counts)
    if len(places) < FEW:
        raise _Failure(
            "failed: few matches", f"Features found in a picture: {len(places)}; {FEW} are needed."
        )
    return places, descriptors


def _trusted(matrix: Any, inliers: Any) -> int:
    """How many matches agree on a plausible transform; a failure if too few or if it is not."""
    agreeing = 0 if matrix is None else int(inliers.sum())
    if agreeing < FEW:
        raise _Failure("failed: few matches", f"Matches that agree: {agreeing}; {FEW} are needed.")
    _check_plausible(matrix)
    return agreeing


def _check_plausible(matrix: Any) -> None:
    large, small = np.linalg.svd(matrix[:, :2], compute_uv=False)
    scaled = small < 1 / LARGEST_SCALE or large > LARGEST_SCALE
    if scaled or large > LARGEST_STRETCH * small or np.linalg.det(matrix[:, :2]) < 0:
        raise _Failure(
            "failed: degenerate transform",
            f"The transform that fits best scales by {small:.2f} and {large:.2f}.",
        )


def _scaled(back: Array, times: int) -> Array:
    """The same transform for pictures so many times larger; a pixel's place is its centre."""
    larger = np.array(back, np.float64)
    # x in the large picture lies at (x + ½) / times − ½ in the small one.
    shift = np.full(2, (times - 1) / 2)
    larger[:, 2] = times * back[:, 2] + shift - back[:, :2] @ shift
    return larger
