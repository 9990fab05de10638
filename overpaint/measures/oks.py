"""Object keypoint similarity of people's joints, and its mean average precision as COCO has it.

    OKS = mean over the joints asked for of exp(−d² / (2 · area · (2σ)²))

d is how far the joint is off, σ how much people differ in marking it (Lin et al., COCO keypoints:
the numbers of its evaluation code). At each of ten thresholds, .50 to .95, the people found are
matched to those asked for, the surest first, each to the one still free that it is most like;
precision, made to fall with recall, is averaged over 101 levels of recall, and over thresholds.

COCO's area is that of a person's segment. A drawn skeleton has none, so `area` is a share of the
box round its joints.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import UserMistake

Floats = NDArray[np.float64]

JOINTS = 17
# Nose, eyes, ears, shoulders, elbows, wrists, hips, knees, ankles; left before right.
SIGMAS = np.array([26, 25, 25, 35, 35, 79, 79, 72, 72, 62, 62, 107, 107, 87, 87, 89, 89]) / 1000
THRESHOLDS = np.linspace(0.5, 0.95, 10)
RECALLS = np.linspace(0.0, 1.0, 101)
MOST = 20  # people of a picture that are counted, the surest first
# A person's segment covers about this much of its box (Ultralytics evaluates poses by it).
SHARE = 0.53
# From the side, joints may stand in a line: a box is at least this much as wide as it is long.
NARROWEST = 0.25


class People(NamedTuple):
    """Those asked for in one picture and those found in it, n×17×3 each: x, y, how sure.

    Of those asked for, joints that are not sure at all are not counted.
    """

    asked: Floats
    found: Floats
    areas: Sequence[float] | None = None  # of those asked for; None: by their joints
    scores: Sequence[float] | None = None  # of those found; None: how sure their joints are


def area(joints: Floats) -> float:
    """The area a person is taken to cover, from the box round the joints that are sure at all."""
    seen = joints[joints[:, 2] > 0, :2]
    if not len(seen):
        return 0.0
    short, long = sorted(np.ptp(seen, axis=0).tolist())
    return float(SHARE * long * max(short, NARROWEST * long))


def likeness(asked: Floats, found: Floats, size: float) -> float:
    """OKS of one person found with one asked for, who covers `size` pixels; 0–1."""
    counts = asked[:, 2] > 0
    if not counts.any():
        return 0.0
    apart = np.square(asked[counts, :2] - found[counts, :2]).sum(axis=1)
    spread = 2 * np.square(2 * SIGMAS[counts]) * (size + np.spacing(1.0))
    return float(np.exp(-apart / spread).mean())


def oks_map(pictures: Iterable[People]) -> float | None:
    """OKS mAP over pictures, 0–1; None where nobody is asked for in any of them."""
    looked = [_looked(people) for people in pictures]
    asked = sum(one.asked for one in looked)
    if not asked:
        return None
    scores = np.concatenate([one.scores for one in looked])
    # Between equally sure people the order of the pictures decides, as in COCO's code.
    order = np.argsort(-scores, kind="stable")
    right = np.concatenate([one.right for one in looked], axis=1)[:, order]
    return float(np.mean([_precision(row, asked) for row in right]))


# ── one picture ─────────────────────────────────────────────────────────────────────────


class _Looked(NamedTuple):
    """The people found in a picture, the surest first, and at each threshold who was meant."""

    asked: int
    scores: Floats
    right: NDArray[np.bool_]  # thresholds × found


def _looked(people: People) -> _Looked:
    asked, found = _checked(people.asked), _checked(people.found)
    scores = np.asarray(_scores(found) if people.scores is None else people.scores, np.float64)
    order = np.argsort(-scores, kind="stable")[:MOST]
    found, scores = found[order], scores[order]
    sizes = [area(one) for one in asked] if people.areas is None else people.areas
    # Somebody without a joint can be missed by nobody.
    marked = np.array([bool((one[:, 2] > 0).any()) for one in asked], bool)
    alike = np.array(
        [[likeness(one, other, size) for one, size in zip(asked, sizes, strict=True)]
         for other in found]
    ).reshape(len(found), len(asked))  # fmt: skip
    right = np.stack([_matched(alike[:, marked], at) for at in THRESHOLDS])
    return _Looked(int(marked.sum()), scores, right)


def _checked(joints: Floats) -> Floats:
    given = np.asarray(joints, np.float64)
    if given.size == 0:
        return np.zeros((0, JOINTS, 3))
    if given.ndim != 3 or given.shape[1:] != (JOINTS, 3) or not np.isfinite(given).all():
        raise UserMistake(
            f"Joints were given as an array of shape {given.shape}.",
            f"n×{JOINTS}×3 finite numbers were expected: x, y and how sure, by COCO's joints.",
        )
    return given


def _scores(found: Floats) -> Floats:
    """How sure each person is: the mean over the joints."""
    scores: Floats = found[:, :, 2].mean(axis=1)
    return scores


def _matched(alike: Floats, least: float) -> NDArray[np.bool_]:
    """Whether each of those found, the surest first, gets someone who was asked for."""
    free = np.ones(alike.shape[1], bool)
    right = np.zeros(len(alike), bool)
    for place, row in enumerate(alike):
        near = np.where(free & (row >= min(least, 1 - 1e-10)), row, -1.0)
        if near.size and near.max() >= 0:
            # Among equals COCO's code takes the last.
            free[len(near) - 1 - int(np.argmax(near[::-1]))] = False
            right[place] = True
    return right


def _precision(right: NDArray[np.bool_], asked: int) -> float:
    """Average precision at one threshold, of people in the order of their scores."""
    hits = np.cumsum(right)
    precision = hits / np.arange(1, len(right) + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]  # at this recall or more
    places = np.searchsorted(hits / asked, RECALLS, side="left")
    return float(np.append(best, 0.0)[places].mean())
