"""The clock of the typeset bench: edits one after another in a process that does nothing else.

Pages are made beforehand and written to a folder; the program that is started here reads them,
edits each, and prints seconds and its largest memory as one line of JSON. The first page is edited
once more at the start, unseen by the clock: models and fonts are loaded then.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")


def measure(count: int) -> dict[str, Any]:
    """Seconds of so many known-font edits, and the memory they take."""
    from PIL import Image
    from typeset_cases import COUNTS, build

    with tempfile.TemporaryDirectory() as scratch:
        told = []
        for number in range(0, COUNTS["known"], max(1, COUNTS["known"] // count)):
            case = build("known", number)
            Image.fromarray(case.source).save(Path(scratch, f"{number}.png"))
            told.append([f"{number}.png", case.instruction])
        Path(scratch, "asked.json").write_text(json.dumps(told))
        program = [sys.executable, __file__, scratch]
        one = os.environ | dict.fromkeys(THREADS, "1")
        done = subprocess.run(program, capture_output=True, text=True, check=True, env=one)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(folder: Path) -> None:
    """Edit the pages of a folder and print how long it took."""
    import cv2
    from typeset_judging import editor

    from overpaint.core import Request
    from overpaint.document import Document
    from overpaint.errors import OverpaintError

    cv2.setNumThreads(1)
    asked = json.loads((folder / "asked.json").read_text())
    run, spent, walls = editor(), [], []
    for name, instruction in [asked[0], *asked]:
        source = Document(folder / name)
        source.rgb  # noqa: B018 - decoding a file is not the editor's work
        start, wall = time.process_time(), time.perf_counter()
        with suppress(OverpaintError):  # a refusal takes its time too
            run(Request(source, instruction)).rgb  # noqa: B018
        spent.append(time.process_time() - start)
        walls.append(time.perf_counter() - wall)
    spent, walls = sorted(spent[1:]), walls[1:]
    print(json.dumps({
        "edits": len(spent), "median": round(statistics.median(spent), 3),
        "p95": round(spent[min(len(spent) - 1, int(0.95 * len(spent)))], 3),
        "wall_median": round(statistics.median(walls), 3),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }))  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]))
