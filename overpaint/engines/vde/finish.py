"""The last step: the finished set, in the form of the released files, and the report on the way."""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from overpaint.engines.building import Standing, counts
from overpaint.engines.released import entry, in_percent
from overpaint.engines.vde.people import Fate
from overpaint.engines.vde.records import Place, Settings, write_json, write_text
from overpaint.engines.vde.tasks import ASPECTS
from overpaint.stats.agreement import krippendorff_alpha
from overpaint.vision.page import to_json

STAGES = ("rate", "box", "look", "read", "text", "done")


def write_set(place: Place, fates: Iterable[Fate]) -> int:
    """Write the folder a benchmark loads; how many samples it holds."""
    finished = [fate for fate in fates if fate.stage == "done"]
    home = place.folder / "set"
    for fate in finished:
        name, page = fate.instruction.id, fate.page.id
        for kind, folder, picture in (("pages", "inputs", page), ("truths", "outputs", name)):
            target = home / folder / f"{picture}.png"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(place.picture(kind, picture), target)
        assert fate.blocks is not None
        for folder, blocks in zip(("ocr", "ocr_local"), fate.blocks, strict=True):
            write_json(home / folder / f"{name}.json", to_json(blocks))
    if finished or (home / "samples.json").exists():
        write_json(home / "samples.json", [_sample(fate) for fate in finished])
    return len(finished)


def _sample(fate: Fate) -> dict[str, Any]:
    asked, page = fate.instruction, fate.page
    assert fate.region is not None
    return entry(
        asked.id, page.id, instruction=asked.text, kind=asked.kind, language=page.language,
        document=page.document, label=in_percent(fate.region, (page.width, page.height)),
    )  # fmt: skip


# ── the report ──────────────────────────────────────────────────────────────────────────────


def report(place: Place, settings: Settings, standing: Standing[Fate]) -> dict[str, Any]:
    """What became of every page, instruction and candidate, with reasons, as data and to read."""
    pages, instructions = place.pages().values(), place.instructions().values()
    candidates = place.candidates().values()
    found = {
        "pages": {
            "read": sum(not page.reason and bool(page.language) for page in pages),
            "languages": counts(page.language for page in pages if not page.reason),
            "documents": counts(page.document for page in pages if not page.reason),
            "left out": [{"file": page.file, "number": page.number, "reason": page.reason}
                         for page in pages if page.reason],
        },
        "instructions": {
            "accepted": counts(one.kind for one in instructions if not one.faults),
            "rejected": counts(one.kind for one in instructions if one.faults),
            "reasons": counts(fault for one in instructions for fault in one.faults),
            "openness": _openness([one.openness for one in instructions if one.openness
                                   and not one.faults]),
        },
        "candidates": {
            "statuses": counts(one.status for one in candidates),
            "reasons": counts(one.reason for one in candidates if one.reason),
        },
        "people": {
            "stages": standing.at(STAGES),
            "answers wanted": standing.wanted,
            "rejected": [{"id": fate.instruction.id, "at": fate.stage, "reason": fate.rejected}
                         for fate in standing.fates if fate.rejected],
            "boxes that disagreed": {fate.instruction.id: list(fate.conflicts)
                                     for fate in standing.fates if fate.conflicts},
            "agreement of ratings": agreement(standing.fates, settings.seed),
            "lines that could not be taken": [str(problem) for problem in standing.problems],
        },
        "samples": sum(fate.stage == "done" for fate in standing.fates),
    }  # fmt: skip
    write_json(place.folder / "report.json", found)
    write_text(place.folder / "report.md", as_markdown(found))
    return found


def _openness(found: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """The mean of each dimension over the accepted instructions."""
    dimensions = found[0] if found else {}
    return {name: sum(one[name] for one in found) / len(found) for name in dimensions}


def agreement(fates: Sequence[Fate], seed: int) -> dict[str, Any]:
    """Krippendorff's alpha (ordinal) of each aspect with its interval, or why there is none."""
    units = [fate.ratings for fate in fates if fate.ratings]
    people = sorted({by for unit in units for by in unit})
    found: dict[str, Any] = {}
    for number, aspect in enumerate(ASPECTS):
        table: list[list[float | None]] = [
            [unit[by][number] if by in unit else None for by in people] for unit in units
        ]
        found[aspect] = asdict(krippendorff_alpha(table, metric="ordinal", seed=seed))
    return found


def as_markdown(found: Mapping[str, Any]) -> str:
    """The report to read."""
    pages, people = found["pages"], found["people"]
    lines = ["# How this set was built", ""]
    lines += ["## Pages", f"{pages['read']} pages were read: {_told(pages['languages'])}."]
    lines += [f"- left out: {one['file']}: {one['reason']}" for one in pages["left out"]]
    told = found["instructions"]
    lines += ["", "## Instructions", *_table(told["accepted"], told["rejected"])]
    lines += ["", *(f"- {count} × {reason}" for reason, count in told["reasons"].items())]
    if told["openness"]:
        means = ", ".join(f"{name} {value:.2f}" for name, value in told["openness"].items())
        lines += ["", f"How open the accepted ones are (1 not at all, 5 entirely): {means}."]
    told = found["candidates"]
    lines += ["", "## Candidates", _told(told["statuses"]) or "none yet"]
    lines += [f"- {count} × {reason}" for reason, count in told["reasons"].items()]
    lines += ["", "## People", "| stage | there | rejected |", "|---|---|---|"]
    lines += [f"| {name} | {row['there']} | {row['rejected']} |" for name, row
              in people["stages"].items()]  # fmt: skip
    lines += ["", *(f"- rejected at {one['at']}: {one['id']}: {one['reason']}"
                    for one in people["rejected"])]  # fmt: skip
    lines += [f"- boxes disagreed: {name}: {'; '.join(rounds)}" for name, rounds
              in people["boxes that disagreed"].items()]  # fmt: skip
    lines += [f"- not taken: {line}" for line in people["lines that could not be taken"]]
    lines += ["", "Krippendorff's α of the ratings (ordinal, 95 % interval):"]
    lines += [f"- {aspect}: {_alpha(one)}" for aspect, one
              in people["agreement of ratings"].items()]  # fmt: skip
    lines += ["", f"**{found['samples']} samples are finished.**", ""]
    return "\n".join(lines)


def _alpha(found: Mapping[str, Any]) -> str:
    value = "–" if found["alpha"] is None else f"{found['alpha']:.3f}"
    span = "" if found["low"] is None else f", {found['low']:.3f} – {found['high']:.3f}"
    return f"{value}{span}, {found['units']} candidates. {'; '.join(found['notes'])}".strip()


def _told(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _table(accepted: Mapping[str, int], rejected: Mapping[str, int]) -> list[str]:
    kinds = dict.fromkeys([*accepted, *rejected])
    rows = [f"| {kind} | {accepted.get(kind, 0)} | {rejected.get(kind, 0)} |" for kind in kinds]
    return ["| type | accepted | rejected |", "|---|---|---|", *rows]
