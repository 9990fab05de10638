"""VDE Bench's released form, as sets of our own are written: types of edit, entries, boxes."""

import math
from typing import Any

from overpaint.vision.page import Box

Region = tuple[int, int, int, int]  # a box in whole pixels

TYPES = (
    "text replacement", "text addition", "text deletion",
    "table replacement", "table addition", "table deletion", "table structure edit",
)  # fmt: skip


def entry(
    name: str,
    source: str,
    *,
    instruction: str,
    kind: str,
    language: str,
    document: str,
    label: dict[str, float],
) -> dict[str, Any]:
    """What the index says of one sample; its pictures are named by its id and its source's."""
    return {
        "id": name,
        "image_input": f"inputs/{source}.png",
        "image_output": f"outputs/{name}.png",
        "instruction": instruction,
        "instruction type": kind,
        "language": language,
        "data_source": document,
        "label_output": [label],
    }


def in_percent(region: Region, size: tuple[int, int]) -> dict[str, float]:
    """A region as a label: percent of the picture, with the picture's size."""
    (left, top, right, bottom), (width, height) = region, size
    return {
        "x": 100 * left / width, "y": 100 * top / height,
        "width": 100 * (right - left) / width, "height": 100 * (bottom - top) / height,
        "original_width": width, "original_height": height,
    }  # fmt: skip


def in_pixels(box: Box, size: tuple[float, float]) -> Region:
    """A box in percent as whole pixels that hold it."""
    width, height = size
    slack = 1e-6  # what percent and back costs; without it a box grows by a pixel
    left, right = (box[at] * width / 100 for at in (0, 2))
    top, bottom = (box[at] * height / 100 for at in (1, 3))
    return (
        math.floor(left + slack), math.floor(top + slack),
        math.ceil(right - slack), math.ceil(bottom - slack),
    )  # fmt: skip
