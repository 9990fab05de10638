"""What became of every picture, reference and sample: as data, to read, and in a line each."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from overpaint.engines.building import counts
from overpaint.engines.refblend.choosing import Chosen, Offer
from overpaint.engines.refblend.compatibility import name_of
from overpaint.engines.refblend.offering import Offered
from overpaint.engines.refblend.records import GIVEN, Found, Place, Settings, Voiced
from overpaint.engines.vde.records import write_json, write_text
from overpaint.vision.references import KINDS, Kind

_REASONS = 20  # of each kind that the report lists


@dataclass(frozen=True)
class Outcome:
    """What a build has come to."""

    offered: Offered
    samples: Sequence[Chosen]
    missing: Mapping[Kind, str]  # what nobody can look for here


def report(place: Place, settings: Settings, got: Outcome) -> dict[str, Any]:
    """The report as data; written as report.json and report.md."""
    found, left_out = place.found().values(), place.left_out()
    told = {
        "settings": asdict(settings),
        "pictures": {
            "taken": len(got.offered.offers),
            "with samples": len({one.offer.source.id for one in got.samples}),
            "notes": counts(note for one in got.offered.offers for note in one.source.notes),
            "left out": [{"file": one.file, "reason": one.reason} for one in left_out],
        },
        "references": {
            "kept": _kept(got.offered.offers),
            "dropped": counts(f"{kind}: {why}" for kind, why in got.offered.dropped.elements()),
            "none there": _none(found),
            "could not look": counts(f"{one.kind}: {one.reason}" for one in found if one.reason),
            "not to be had here": dict(got.missing),
            "seconds a picture": _seconds(found),
        },
        "people": {
            "tasks": len(got.offered.standing.tasks), "answers wanted": got.offered.standing.wanted,
            "lines that could not be taken": [str(one) for one in got.offered.standing.problems],
        },
        "samples": {
            "all": len(got.samples),
            "by combination": counts(name_of(one.combination) for one in got.samples),
            "by size": counts(str(len(one.combination)) for one in got.samples),
            "in a persona's voice": _voices(got.samples, place.voiced().values()),
        },
    }  # fmt: skip
    write_json(place.folder / "report.json", told)
    write_text(place.folder / "report.md", as_markdown(told))
    return told


def _kept(offers: Sequence[Offer]) -> dict[str, dict[str, int]]:
    """References by kind and by who found them."""
    found: dict[str, Counter[str]] = {}
    for offer in offers:
        for kind, own in offer.references.items():
            if own:
                by = offer.found[kind]
                found.setdefault(kind, Counter())[f"{by.method}/{by.version}"] += len(own)
        if offer.caption is not None:
            found.setdefault("caption", Counter())[offer.caption.by] += 1
    return {kind: dict(found[kind]) for kind in KINDS if kind in found}


def _none(found: Iterable[Found]) -> dict[str, int]:
    """Pictures in which a kind was looked for and not found."""
    return counts(one.kind for one in found if not one.references and not one.reason)


def _seconds(found: Iterable[Found]) -> dict[str, float]:
    times: dict[str, list[float]] = {}
    for one in found:
        if not one.reason and one.method != GIVEN:
            times.setdefault(f"{one.kind} ({one.method})", []).append(one.seconds)
    return {name: round(sum(own) / len(own), 3) for name, own in sorted(times.items())}


def _voices(samples: Sequence[Chosen], voiced: Iterable[Voiced]) -> dict[str, int]:
    now = {one.id: one.instruction.text for one in samples}
    own = [one for one in voiced if now.get(one.sample) == one.structured]
    return {"written": sum(bool(one.text) for one in own),
            "after another try": sum(bool(one.text) and one.attempts > 1 for one in own),
            "given up: the structured form stands": sum(not one.text for one in own)}  # fmt: skip


# ── to read ─────────────────────────────────────────────────────────────────────────────


def as_markdown(told: Mapping[str, Any]) -> str:
    """The report to read."""
    lines = [f"# A RefBlend set of {told['samples']['all']} samples"]
    for name in ("pictures", "references", "people", "samples"):
        lines += ["", f"## {name.capitalize()}"]
        for key, value in told[name].items():
            lines += _listed(key, value)
    return "\n".join(lines) + "\n"


def _listed(key: str, value: Any) -> list[str]:
    if isinstance(value, Mapping):
        rows = [f"{one}: {_cell(many)}" for one, many in value.items()]
    elif isinstance(value, list):
        rows = [_cell(one) for one in value]
    else:
        return [f"- {key}: {_cell(value)}"]
    more = [f"  - and {len(rows) - _REASONS} more"] if len(rows) > _REASONS else []
    rows = [" ".join(row.split()) for row in rows[:_REASONS]]
    return [f"- {key}: {'' if rows else 'none'}".rstrip(), *(f"  - {row}" for row in rows), *more]


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_cell(one)}" for key, one in value.items())
    return str(value)


def steps_of(told: Mapping[str, Any]) -> dict[str, str]:
    """What each step has done."""
    pictures, references, samples = told["pictures"], told["references"], told["samples"]
    kept = {kind: sum(own.values()) for kind, own in references["kept"].items()}
    listed = ", ".join(f"{kind} {count}" for kind, count in kept.items())
    speed = ", ".join(f"{name} {one:.2f}" for name, one in references["seconds a picture"].items())
    dropped = sum(references["dropped"].values())
    return {
        "pictures": f"{pictures['taken']} taken, {len(pictures['left out'])} left out",
        "references": f"{sum(kept.values())} kept ({listed or 'none'}), {dropped} dropped",
        "seconds each": speed or "nobody looked",
        "people": f"{told['people']['tasks']} tasks,"
        f" {sum(told['people']['answers wanted'].values())} answers wanted",
        "set": f"{samples['all']} samples of {pictures['with samples']} pictures,"
        f" {len(samples['by combination'])} combinations",
    }
