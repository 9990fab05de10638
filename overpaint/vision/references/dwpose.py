"""Poses by DWPose, with the user's own files: YOLOX finds people, SimCC their joints.

Yang et al. 2023. No package of a public registry carries its weights, so none come with Overpaint;
the two ONNX files of its release do, and are taken for what they are only after their shapes say
so. Of the 133 points of a whole body, the first 17 are COCO's joints.
"""

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.errors import Unavailable
from overpaint.vision.own_weights import digest
from overpaint.vision.references import Extractor, Hints, Reference
from overpaint.vision.references.boxes import overlaps
from overpaint.vision.sessions import started

Floats = NDArray[np.float32]

SETTING = "OVERPAINT_DWPOSE"
METHOD = "dwpose"
DETECTOR, JOINTS = "yolox_l.onnx", "dw-ll_ucoco_384.onnx"
SIDE = 640  # of the square YOLOX sees
STRIDES = (8, 16, 32)
ROWS = sum((SIDE // stride) ** 2 for stride in STRIDES)
GREY = 114  # what YOLOX fills a picture up with
PERSON = 0  # of COCO's classes
LEAST = 0.3  # score of a person
SAME = 0.45  # overlap from which two boxes are one person's
MOST = 64  # people in one picture
WIDE, HIGH = 288, 384  # the picture of one person that the second network sees
POINTS, COCO = 133, 17
FINE = 2  # SimCC tells places to half a pixel
ROOM = 1.25  # how much larger than the box the picture is
MEAN = np.array([123.675, 116.28, 103.53], np.float32)  # of ImageNet, as is the spread
SPREAD = np.array([58.395, 57.12, 57.375], np.float32)


def _find(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    """One reference with all people of the picture; none where there are none."""
    detector, joints = (_session(file, digest(file)) for file in _files())
    people = [(box, score, _joints(joints, pixels, box)) for box, score in _boxes(detector, pixels)]
    if not people:
        return []
    least = min(score for _, score, _ in people)
    value = np.stack([found for _, _, found in people])
    return [Reference("pose", value, METHOD, poses.exact, confidence=least)]


# ── finding people ──────────────────────────────────────────────────────────────────────


def _boxes(detector: Any, pixels: Pixels) -> list[tuple[Floats, float]]:
    """Left, top, right, bottom and score of every person, surest first."""
    seen, scale = _letterboxed(pixels)
    rows = _told(detector, seen, [(1, ROWS, None)])[0][0]
    if rows.shape[1] < 6:
        raise _odd(DETECTOR, rows.shape)
    middles, sizes = _decoded(rows[:, :4])
    scores = rows[:, 4] * rows[:, 5 + PERSON]
    likely = scores >= LEAST
    corners = np.hstack([middles - sizes / 2, middles + sizes / 2])[likely] / scale
    return _parted(corners, scores[likely])


def _letterboxed(pixels: Pixels) -> tuple[Floats, float]:
    """The picture in the upper left of a grey square, colours as OpenCV orders them, 0–255."""
    import cv2

    scale = SIDE / max(pixels.shape[:2])
    size = [max(1, min(SIDE, int(n * scale))) for n in pixels.shape[1::-1]]
    square = np.full((SIDE, SIDE, 3), GREY, np.uint8)
    square[: size[1], : size[0]] = cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(square[:, :, ::-1].transpose(2, 0, 1)[None], np.float32), scale


def _decoded(rows: Floats) -> tuple[Floats, Floats]:
    """Middles and sizes in pixels of the square: rows count in cells of their grid."""
    places, steps = [], []
    for stride in STRIDES:
        cells = SIDE // stride
        down, across = np.mgrid[0:cells, 0:cells]
        places.append(np.stack([across.ravel(), down.ravel()], axis=1))
        steps.append(np.full((cells * cells, 1), stride))
    step = np.concatenate(steps).astype(np.float32)
    middles = (rows[:, :2] + np.concatenate(places)) * step
    return middles, np.exp(np.minimum(rows[:, 2:4], 8)) * step  # 8: far beyond the square


def _parted(corners: Floats, scores: Floats) -> list[tuple[Floats, float]]:
    """The boxes that are left when those that overlap a surer one are gone."""
    found: list[tuple[Floats, float]] = []
    for i in np.argsort(-scores, kind="stable"):
        surer = np.array([box for box, _ in found])
        if len(found) < MOST and (overlaps(corners[i], surer) < SAME).all():
            found.append((corners[i], float(scores[i])))
    return found


# ── the joints of one ───────────────────────────────────────────────────────────────────


def _joints(network: Any, pixels: Pixels, box: Floats) -> NDArray[np.float64]:
    """COCO's joints of the person in a box, 17×3."""
    import cv2

    middle, size = (box[:2] + box[2:]) / 2, (box[2:] - box[:2]) * ROOM
    wide = max(float(size[0]), float(size[1]) * WIDE / HIGH, 1.0)
    scale = wide / WIDE
    corner = middle - np.array([WIDE, HIGH]) * scale / 2
    matrix = np.array([[scale, 0, corner[0]], [0, scale, corner[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(pixels, matrix, (WIDE, HIGH), flags=flags)
    normal = np.ascontiguousarray(((seen - MEAN) / SPREAD).transpose(2, 0, 1)[None], np.float32)
    shapes = [(1, POINTS, WIDE * FINE), (1, POINTS, HIGH * FINE)]
    across, down = (told[0, :COCO] for told in _told(network, normal, shapes))
    places = np.stack([across.argmax(axis=1), down.argmax(axis=1)], axis=1) / FINE
    sure = np.clip(np.minimum(across.max(axis=1), down.max(axis=1)), 0, 1)
    return np.column_stack([places * scale + corner, sure]).astype(np.float64)


# ── the user's files ────────────────────────────────────────────────────────────────────


def _told(
    network: Any, seen: Floats, shapes: Sequence[tuple[int | None, ...]]
) -> list[NDArray[np.float32]]:
    """What a network says to a picture, if it is of those shapes; None is any number."""
    from onnxruntime.capi import onnxruntime_pybind11_state as refusals

    try:
        told = network.run(None, {network.get_inputs()[0].name: seen})
    except (refusals.InvalidArgument, refusals.Fail, refusals.RuntimeException) as error:
        raise _odd("the model", seen.shape, str(error).splitlines()[0]) from None
    for shape, one in zip(shapes, told, strict=False):
        fits = len(shape) == one.ndim and all(
            n in (None, m) for n, m in zip(shape, one.shape, strict=True)
        )
        if not fits or not np.isfinite(one).all():
            raise _odd("an output", one.shape)
    if len(told) < len(shapes):
        raise _odd("the outputs", (len(told),))
    return [np.asarray(one, np.float32) for one in told[: len(shapes)]]


def _odd(what: str, shape: tuple[int, ...], why: str = "") -> Unavailable:
    told = "×".join(map(str, shape))
    return Unavailable(
        f"The files in {SETTING} are not DWPose's: {what} is of {told}{' and ' * bool(why)}{why}.",
        f"Expected are YOLOX with {ROWS} rows for {SIDE}×{SIDE} pixels and SimCC with {POINTS} "
        f"points for {WIDE}×{HIGH}, all numbers finite.",
        f"Put {DETECTOR} and {JOINTS} of DWPose's release there.",
    )


def _folder() -> Path:
    """The folder that the user has named, with both files in it."""
    chosen = os.environ.get(SETTING, "").strip()
    missing = [n for n in (DETECTOR, JOINTS) if not chosen or not Path(chosen, n).is_file()]
    if not missing:
        return Path(chosen)
    wrong = f"{SETTING} names {chosen}, which has no {' and no '.join(missing)}."
    raise Unavailable(
        wrong if chosen else "DWPose is not here.",
        f"It is two ONNX files, {DETECTOR} and {JOINTS}; no package registry carries them.",
        "Where the hub can be reached: hf download yzd-v/DWPose "
        f"{DETECTOR} {JOINTS} --local-dir dwpose, then set {SETTING} to that folder.",
    )


def _files() -> tuple[Path, Path]:
    folder = _folder()
    return folder / DETECTOR, folder / JOINTS


@lru_cache(maxsize=4)
def _session(path: Path, known: str) -> Any:
    try:
        return started(path)
    except Unavailable as error:
        raise Unavailable(
            error.wrong,
            "A file of DWPose's release was expected.",
            f"Download {path.name} again.",
        ) from None


poses = Extractor(
    "pose", METHOD, "1", _find, f"people's joints by DWPose, from your files in {SETTING}",
    own=(lambda: _files()[0], lambda: _files()[1]),
)  # fmt: skip
