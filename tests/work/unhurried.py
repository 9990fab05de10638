"""An editor that takes its time, so that a run has a middle."""

import time

from overpaint.core import Request
from overpaint.document import Document


class Unhurried:
    """A negative of the picture, after a tenth of a second."""

    def __call__(self, request: Request) -> Document:
        time.sleep(0.1)
        return Document.of(255 - request.source.rgb)
