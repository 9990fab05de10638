"""An editor that takes its time, so that a run has a middle."""

import os
import time
from pathlib import Path

from overpaint.core import Request
from overpaint.document import Document

GATE = "UNHURRIED_GATE"  # names a file without which only the first samples are edited
FREE = 20  # of them


class Unhurried:
    """A negative of the picture, after a tenth of a second; later ones wait for the gate."""

    def __call__(self, request: Request) -> Document:
        time.sleep(0.1)
        gate, late = os.environ.get(GATE), int(request.names[0][-3:]) >= FREE
        while gate and late and not Path(gate).exists():
            time.sleep(0.05)
        return Document.of(255 - request.source.rgb)
