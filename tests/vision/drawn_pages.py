"""Pages drawn for the tests: lines whose place and text are known."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from overpaint import weights
from overpaint.vision.page import Box, Line


def face(size: int, *, chinese: bool = False) -> ImageFont.FreeTypeFont:
    """A font of the table of weights."""
    return ImageFont.truetype(weights.find("font-chinese-sans" if chinese else "font-sans"), size)


def typeset(
    rows: list[tuple[int, int, str]], shape: tuple[int, int], *, size: int = 16
) -> tuple[np.ndarray, list[Line]]:
    """Black on white: texts at (left, top), and the lines with the boxes of their ink."""
    sheet = Image.new("RGB", shape[::-1], "white")
    draw = ImageDraw.Draw(sheet)
    lines = []
    for left, top, text in rows:
        font = face(size, chinese=any(ord(c) > 0x2E80 for c in text))
        draw.text((left, top), text, font=font, fill="black")
        lines.append(Line(tuple(map(float, draw.textbbox((left, top), text, font=font))), text))
    return np.asarray(sheet), lines


def grid(picture: np.ndarray, xs: list[int], ys: list[int]) -> np.ndarray:
    """The picture with rules at those places, each from the first to the last of the others."""
    ruled = picture.copy()
    for x in xs:
        ruled[ys[0] : ys[-1] + 1, x] = 60
    for y in ys:
        ruled[y, xs[0] : xs[-1] + 1] = 60
    return ruled


def iou(a: Box, b: Box) -> float:
    """Intersection over union."""
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    common = max(0.0, wide) * max(0.0, high)
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
    return common / (areas - common)
