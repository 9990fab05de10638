"""Reference fidelity of a system as one number: the AVG column of MultiRef's Table 6.

The plain mean over the ten kinds of reference. Depth, canny and sketch are told as mean squared
errors on [0, 1], less being better, and enter as 1 − MSE.
"""

import math

from overpaint.errors import UserMistake


def fidelity_average(
    *,
    bbox_iou: float,
    semantic_map_iou: float,
    mask_iou: float,
    depth_mse: float,
    canny_mse: float,
    sketch_mse: float,
    caption_clip: float,
    pose_map: float,
    subject_clip: float,
    style_clip: float,
) -> float:
    """The mean over the ten kinds of reference, each in [0, 1], with 1 − MSE where it is one."""
    errors = {"depth_mse": depth_mse, "canny_mse": canny_mse, "sketch_mse": sketch_mse}
    scores = {
        "bbox_iou": bbox_iou, "semantic_map_iou": semantic_map_iou, "mask_iou": mask_iou,
        "caption_clip": caption_clip, "pose_map": pose_map, "subject_clip": subject_clip,
        "style_clip": style_clip,
    }  # fmt: skip
    for name, value in {**scores, **errors}.items():
        _check(name, value)
    kinds = (*scores.values(), *(1 - error for error in errors.values()))
    return math.fsum(kinds) / len(kinds)


def _check(name: str, value: float) -> None:
    if not 0 <= value <= 1:  # NaN is not between
        raise UserMistake(
            f"{name} is {value}.", "A number from 0 to 1 was expected.",
            "Errors are of maps on [0, 1], and a cosine below 0 counts as 0.",
        )  # fmt: skip
