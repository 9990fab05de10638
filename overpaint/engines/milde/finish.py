"""The last step: the finished set, in the form that the benchmark reads, and the report."""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from overpaint.engines.building import Standing, counts
from overpaint.engines.milde.people import Fate
from overpaint.engines.milde.records import Candidate, Place, Plan, Settings
from overpaint.engines.vde.records import write_json, write_text
from overpaint.engines.vde.wording import main_language

FORM = "milde/1"
STAGES = ("instruction", "plan", "layers", "done")
_REASONS = 20  # of each kind that the report lists


def write_set(place: Place, fates: Iterable[Fate]) -> int:
    """Write the folder that the benchmark loads; how many samples it holds."""
    finished = [fate for fate in fates if fate.stage == "done"]
    home = place.folder / "set"
    for name in dict.fromkeys(fate.source.id for fate in finished):
        target = home / "documents" / f"{name}.ora"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(place.document(name), target)
    if finished or (home / "samples.json").exists():
        entries = [_entry(place, fate) for fate in finished]
        write_json(home / "samples.json", {"form": FORM, "samples": entries})
    return len(finished)


def _entry(place: Place, fate: Fate) -> dict[str, Any]:
    plan, source = fate.plan, fate.source
    assert plan is not None  # a finished request has one
    layers = place.described(source.id).layers
    return {
        "id": fate.candidate.id, "instruction": fate.text,
        "language": main_language(fate.text).title(),
        "document": f"documents/{source.id}.ora", "split": "", "theme": "",
        "format": source.format, "stream": fate.candidate.stream, "cue": fate.candidate.cue,
        "layers": [{"id": one.id, "kind": one.kind} for one in layers],
        "gold": [one.id for one in layers if one.id in plan.layer_instructions],
        "layer_instructions": dict(plan.layer_instructions),
        "steps": [dict(step) for step in plan.steps],
        "texts": dict(plan.texts), "questions": [dict(one) for one in plan.questions],
    }  # fmt: skip


# ── the report ──────────────────────────────────────────────────────────────────────────


def report(place: Place, settings: Settings, standing: Standing[Fate]) -> dict[str, Any]:
    """What became of every document, request and step, with reasons, as data and to read."""
    documents, candidates = place.sources().values(), place.candidates().values()
    plans, ready = place.plans().values(), [one for one in documents if one.layers]
    found = {
        "settings": asdict(settings),
        "documents": {
            "read": len(ready),
            "layers as read": _mean([one.read for one in ready]),
            "layers consolidated": _mean([one.layers for one in ready]),
            "left out": [{"file": one.file, "page": one.page, "reason": one.reason}
                         for one in documents if one.reason],
        },
        "requests": _requests(list(candidates), len(standing.fates)),
        "plans": _plans(list(plans)),
        "people": {
            "stages": standing.at(STAGES),
            "tasks": len(standing.tasks),
            "answers wanted": standing.wanted,
            "rejected": [{"id": fate.candidate.id, "at": fate.stage, "reason": fate.rejected}
                         for fate in standing.fates if fate.rejected],
            "lines that could not be taken": [str(one) for one in standing.problems],
        },
        "samples": sum(fate.stage == "done" for fate in standing.fates),
    }  # fmt: skip
    write_json(place.folder / "report.json", found)
    write_text(place.folder / "report.md", as_markdown(found))
    return found


def _requests(candidates: Sequence[Candidate], kept: int) -> dict[str, Any]:
    attempts = [one for candidate in candidates for one in candidate.attempts]
    return {
        "candidates": counts(one.stream for one in candidates),
        "passed": counts(one.stream for one in candidates if not one.faults),
        "kept": kept,
        "written again": sum(len(one.attempts) - 1 for one in candidates),
        "faults": counts(fault for one in attempts for fault in one["faults"]),
    }


def _plans(plans: Sequence[Plan]) -> dict[str, Any]:
    dropped = [one for plan in plans for one in plan.dropped]
    return {
        "requests taken apart": len(plans),
        "rejected": counts(fault for plan in plans for fault in plan.faults),
        "steps with a layer": sum(len(plan.steps) for plan in plans),
        "steps dropped": counts(one["reason"] for one in dropped),
        "questions": sum(len(plan.questions) for plan in plans),
    }


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


def as_markdown(found: Mapping[str, Any]) -> str:
    """The report to read."""
    lines = [f"# A MiLDE set of {found['samples']} samples"]
    for name in ("documents", "requests", "plans", "people"):
        lines += ["", f"## {name.capitalize()}"]
        for key, value in found[name].items():
            lines += _listed(key, value)
    return "\n".join(lines) + "\n"


def _listed(key: str, value: Any) -> list[str]:
    rows = [f"{one}: {many}" for one, many in value.items()] if isinstance(value, Mapping) else (
        [", ".join(map(str, one.values())) if isinstance(one, Mapping) else str(one)
         for one in value] if isinstance(value, list) else None)  # fmt: skip
    if rows is None:
        told = f"{value:.2f}" if isinstance(value, float) else "–" if value is None else str(value)
        return [f"- {key}: {told}"]
    more = [f"  - and {len(rows) - _REASONS} more"] if len(rows) > _REASONS else []
    rows = [" ".join(row.split()) for row in rows[:_REASONS]]
    return [f"- {key}: {'' if rows else 'none'}".rstrip(), *(f"  - {row}" for row in rows), *more]


# ── in words ────────────────────────────────────────────────────────────────────────────


def steps_of(told: Mapping[str, Any]) -> dict[str, str]:
    """What each step has done."""
    documents, requests, plans = told["documents"], told["requests"], told["plans"]
    before, after = documents["layers as read"], documents["layers consolidated"]
    layers = f", {before:.1f} layers each, {after:.1f} consolidated" if before else ""
    candidates, passed = sum(requests["candidates"].values()), sum(requests["passed"].values())
    return {
        "documents": f"{documents['read']} read{layers}, {len(documents['left out'])} left out",
        "requests": f"{candidates} written, {passed} passed, {requests['kept']} kept",
        "plans": f"{plans['requests taken apart']} made,"
        f" {plans['steps with a layer']} steps with a layer,"
        f" {sum(plans['steps dropped'].values())} dropped",
        "people": f"{told['people']['tasks']} tasks,"
        f" {sum(told['people']['answers wanted'].values())} answers wanted,"
        f" {len(told['people']['rejected'])} requests rejected",
        "set": f"{told['samples']} samples finished",
    }


def next_of(place: Place, standing: Standing[Fate], finished: int, unasked: int) -> str:
    """What comes next."""
    out = place.folder
    if not any(one.layers for one in place.sources().values()) and not unasked:
        return f"No document could be read; {out / 'report.md'} says why."
    if unasked:
        return f"{unasked} times the model could not be asked; the same command asks again."
    if wanted := standing.wanted:
        words = {"instruction": "about requests", "layers": "about layer instructions"}
        listed = ", ".join(f"{count} {words[kind]}" for kind, count in wanted.items())
        return (
            f"People are needed: answers {listed}. The questions are in {out / 'tasks.jsonl'}; put"
            f" the answers into {out / 'answers.jsonl'} and run the same command again."
        )
    if finished:
        return f"The set is finished: overpaint run milde --data {out / 'set'}"
    return f"No request is left; {out / 'report.md'} says why."
