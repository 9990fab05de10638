"""`overpaint calibrate`: how far each measure of a run can be believed, by what people say."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from overpaint.cli.opinions import people_of
from overpaint.engines.probes import write_whole
from overpaint.errors import UserMistake
from overpaint.measures.calibration_maps import maps_json
from overpaint.measures.calibration_run import (
    Calibration,
    calibrate,
    read_columns,
    read_edits,
    read_ground,
)
from overpaint.measures.people import Key, People
from overpaint.report.calibration import calibration_json, calibration_text
from overpaint.report.calibration_page import calibration_page
from overpaint.report.wording import plain
from overpaint.store import Store


def calibrate_command(args: argparse.Namespace) -> int:
    """Hold a run's measures against people; print it, and write the page and the maps."""
    with Store.open(args.run) as store:
        whose, people, _ = people_of(store, args)
        ground, by = read_ground(store, args.by, draws=args.draws)
        columns, edits = read_columns(store, args.measure), read_edits(store)
        title = str(store.info.get("benchmark", args.run.name))
    _check(people, edits, args.run)
    found = calibrate(
        columns, people, ground, edits, by=by, whose=whose,
        tell=lambda line: print(line, file=sys.stderr),
    )  # fmt: skip
    folder = args.out or args.run / "calibration"
    _write(found, folder, title, args.budget)
    print(calibration_json(found) if args.json else calibration_text(found, args.budget))
    if not args.json:
        print(f"\nThe page:  {(folder / 'index.html').resolve().as_uri()}", file=sys.stderr)
        print(f"The maps:  {folder / 'calibration.json'}", file=sys.stderr)
    return 0


def _write(found: Calibration, folder: Path, title: str, budget: int | None) -> None:
    write_whole(folder / "index.html", calibration_page(found, title, budget))
    write_whole(folder / "calibration.json", maps_json(found.maps))
    write_whole(folder / "people.json", calibration_json(found) + "\n")


def _check(people: Sequence[People], edits: Sequence[Key], run: Path) -> None:
    """Refuse ratings of which none is about the run, which is a wrong file."""
    rated = {key for one in people for key in one.means}
    if rated.isdisjoint(edits):
        raise UserMistake(
            f"None of the rated edits is in {run}: {_some(rated)} …",
            f"The run has {_some(edits)} …" if edits else "The run has no edits.",
            "Name the ratings that belong to it.",
        )


def _some(edits: Iterable[Key]) -> str:
    return ", ".join(plain(f"{sample} by {editor}") for sample, editor in sorted(edits)[:3])
