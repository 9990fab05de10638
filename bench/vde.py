"""The two ends of VDE Bench's scale on the built-in set: what the truth scores, and the source.

The truth is read by OCR like any output, so its row is OCR's own error: every text measure is to
be .97 or more over all samples; the slices show where it errs. The source
differs from the truth in one place only: high globally, low locally.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

import overpaint
from overpaint.cli.progress import Bar
from overpaint.run import Run, Settings, TableRow

TEXT = ("cdm", "bleu4", "teds_like", "teds", "iou", "cer")
LEAST = 0.97


def main() -> None:
    """Run both ends, print the tables, and the figures as one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, help="only the first so many samples")
    parser.add_argument("--out", type=Path, help="keep the run here; default: thrown away")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        started = time.perf_counter()
        done = overpaint.run(
            "vde", editors=["identity", "truth"], floors=False, limit=args.limit,
            out=args.out or Path(scratch, "run"), settings=Settings(progress=Bar()),
        )  # fmt: skip
        report(done, time.perf_counter() - started)


def report(done: Run, seconds: float) -> None:
    """Both rows over all samples, the truth's over each slice, and the JSON."""
    names = [f"{name}_{where}" for where in ("local", "global") for name in TEXT]
    print(f"{'':32}" + "".join(f"{name:>17}" for name in names))
    found: dict[str, float] = {}
    for row in done.table():
        print(f"{row.editor:32}" + "".join(_cell(row, name) for name in names))
        values = [(name, row.cells[name].value) for name in names]
        found |= {f"{row.editor}_{name}": round(v, 4) for name, v in values if v is not None}
    for by in ("edit", "language", "document"):
        for row in done.table(by=by):
            if row.editor == "truth":
                print(f"  {row.slice:30}" + "".join(_cell(row, name) for name in names))
    text = [name for name in names if not name.startswith(("cer", "iou"))]
    below = [name for name in text if found.get(f"truth_{name}", 0.0) < LEAST]
    print(
        f"\nText measures of the truth below {LEAST}: {', '.join(below) or 'none'}; {seconds:.0f} s"
    )
    print(json.dumps(found | {"seconds": round(seconds, 1)}))


def _cell(row: TableRow, name: str) -> str:
    cell = row.cells[name]
    return f"{'–' if cell.value is None else f'{cell.value:.4f} ({cell.n})':>17}"


if __name__ == "__main__":
    main()
