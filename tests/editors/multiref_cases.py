"""Requests with several references, drawn on the spot, for tests."""

import numpy as np
from PIL import Image, ImageDraw

from overpaint.core import Request
from overpaint.document import Document

WIDE, HIGH = 60, 40
CAPTION = "A red ball lies on a green lawn."
SAID = f"Use the outlines of <canny_image> and put in <subject_1>, following the caption: {CAPTION}"


def canvas(wide: int = WIDE, high: int = HIGH) -> Document:
    """The empty canvas of the synthetic half."""
    return Document.of(np.full((high, wide, 3), 128, np.uint8))


def outlines() -> Document:
    """White lines on black."""
    image = Image.new("RGB", (WIDE, HIGH), "black")
    ImageDraw.Draw(image).ellipse((20, 10, 40, 30), outline="white")
    return Document.of(np.asarray(image))


def ball(size: int = 160) -> Document:
    """A red ball on a white ground."""
    image = Image.new("RGB", (size, size), "white")
    edge = size // 4
    ImageDraw.Draw(image).ellipse((edge, edge, size - edge, size - edge), fill=(200, 20, 30))
    return Document.of(np.asarray(image))


def photo(seed: int = 1) -> Document:
    """A picture of noise, which is nobody else's."""
    return Document.of(np.random.default_rng(seed).integers(0, 256, (HIGH, WIDE, 3), np.uint8))


def synthetic(said: str = SAID) -> Request:
    """A request of the synthetic half."""
    return Request(canvas(), said, (outlines(), ball()), labels=("<canny_image>", "<subject_1>"))


def real_world() -> Request:
    """A request of the real-world half: the first input is what is changed."""
    first, second = photo(1), photo(2)
    said = "Put the hat of <image2> on the man in <image1>."
    return Request(first, said, (first, second), labels=("<image1>", "<image2>"))
