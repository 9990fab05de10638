"""What is known of a run's measures and people: text for a terminal, JSON for programs."""

import json
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from overpaint.measures.calibration_maps import Calibrated
from overpaint.measures.calibration_run import Calibration
from overpaint.measures.people import People
from overpaint.report.calibration_editor_sheets import (
    duel_sheet,
    estimate_sheet,
    maps_sheet,
    rankings_sheet,
    score_all_sheet,
)
from overpaint.report.calibration_opening import opening
from overpaint.report.calibration_sheets import overall_sheets, people_sheet, task_sheets
from overpaint.report.judges import sheet_text
from overpaint.report.sheets import Sheet
from overpaint.report.text import WIDTH
from overpaint.report.wording import plain


def calibration_sheets(found: Calibration, budget: int | None = None) -> Iterator[Sheet]:
    """The sheets that have something to say, in the order in which they are read."""
    yield people_sheet(found)
    for people in found.people:
        yield from overall_sheets(found, people)
        yield from task_sheets(found, people)
    yield rankings_sheet(found)
    if found.overall is not None:
        yield score_all_sheet(found)
    yield maps_sheet(found)
    for people in found.people:
        yield estimate_sheet(found, people)
        yield duel_sheet(found, people, budget)


def calibration_text(found: Calibration, budget: int | None = None) -> str:
    """Everything for a terminal, sentences at most 100 columns wide."""
    shown = (sheet for sheet in calibration_sheets(found, budget) if sheet.rows or sheet.remarks)
    first = [line for told in opening(found) for line in textwrap.wrap(told, WIDTH)]
    return "\n\n".join(["\n".join(first), *map(_text, shown)])


def _text(sheet: Sheet) -> str:
    table = sheet_text(replace(sheet, lead="", remarks=())).split("\n")
    told = [line for part in (sheet.lead,) for line in textwrap.wrap(plain(part), WIDTH)]
    after = [line for part in sheet.remarks for line in textwrap.wrap(plain(part), WIDTH)]
    return "\n".join([table[0], *told, *table[2:], *after])


# ── for programs ────────────────────────────────────────────────────────────────────────


def calibration_json(found: Calibration) -> str:
    """Everything with full precision; null where a number cannot be had."""
    return json.dumps(calibration_data(found), ensure_ascii=False, indent=1, allow_nan=False)


def calibration_data(found: Calibration) -> dict[str, Any]:
    """Everything for programs."""
    return {
        "whose": found.whose, "opening": list(opening(found)), "by": found.by,
        "parts": list(found.parts), "measures": found.measures,
        "skipped": dict(found.skipped),
        "people": [_people_data(one) for one in found.people],
        "coverage": [asdict(one) for one in found.coverage],
        "ceilings": [asdict(one) for one in found.ceilings],
        "agreements": [asdict(one) for one in found.agreements],
        "maps": [_map_data(one) for one in found.maps],
        "rankings": [asdict(one) for one in found.rankings],
        "overall": asdict(found.overall) if found.overall else None,
        "estimates": [asdict(one) for one in found.estimates],
        "duels": [asdict(one) for one in found.duels],
    }  # fmt: skip


def _people_data(one: People) -> Mapping[str, Any]:
    return {
        "dimension": one.dimension, "yes_no": one.yes_no, "ratings": one.ratings,
        "raters": one.raters, "removed": one.removed, "rejected": dict(one.rejected),
        "notes": list(one.notes),
        "edits": [
            {"sample": key[0], "editor": key[1], "score": one.scores.get(key),
             "error": one.errors.get(key), "mean": mean, "ratings": one.counts.get(key, 0)}
            for key, mean in sorted(one.means.items())
        ],
    }  # fmt: skip


def _map_data(one: Calibrated) -> Mapping[str, Any]:
    return {
        "measure": one.measure, "dimension": one.dimension, "n": one.n, "sources": one.sources,
        "folds": one.folds, "rmse": asdict(one.rmse) if one.rmse else None,
        "rmse_of_mean": one.rmse_of_mean, "explained": one.gain,
        "map": one.map.as_dict() if one.map else None, "notes": list(one.notes),
    }  # fmt: skip
