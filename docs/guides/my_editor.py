"""An editor in one file: `overpaint run demo --editor my_editor.py:Softener`."""

import cv2

from overpaint.core import Request
from overpaint.document import Document
from overpaint.errors import Refused


class Softener:
    """Blurs the picture a little, whatever it was asked; refuses what is too small to blur."""

    def __call__(self, request: Request) -> Document:
        pixels = request.source.rgb  # H×W×3, uint8; request.instruction is the sentence
        if min(pixels.shape[:2]) < 8:
            raise Refused("The picture is too small to soften.")
        return Document.of(cv2.GaussianBlur(pixels, (5, 5), 1.0))
