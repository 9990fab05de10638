"""The last step: the finished set, in the released form and as a folder that Hugging Face reads."""

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from overpaint.engines.refblend.choosing import Chosen
from overpaint.engines.refblend.compatibility import name_of
from overpaint.engines.refblend.records import Place, Voiced
from overpaint.engines.refblend.released import (
    CONDITIONS,
    METADATA,
    NUMBERED,
    SAMPLES,
    conditions,
)
from overpaint.engines.vde.records import as_json, write_text
from overpaint.vision.references import Kind

SET = "set"
Voices = Mapping[tuple[str, int], Voiced]


def write_set(place: Place, samples: Sequence[Chosen], voices: Voices, personas: int) -> None:
    """Write set/: samples.json, metadata.jsonl, and the pictures that they name, and no others."""
    home = place.folder / SET
    entries = [entry(one, _spoken(one, voices, personas)) for one in samples]
    wanted = {one.offer.source.picture for one in samples}
    wanted |= {drawn.file for one in samples for _, drawn in one.references.values()}
    for name in sorted(wanted):
        _linked(place.folder / name, home / name)
    _sweep(home, wanted)
    write_text(home / SAMPLES, as_json(entries, indent=1) + "\n")
    rows = (as_json(_row(one)) + "\n" for one in entries)
    write_text(home / METADATA, "".join(rows))


def _spoken(sample: Chosen, voices: Voices, personas: int) -> list[Voiced]:
    """What personas made of the sample's instruction, as it is now."""
    found = (voices.get((sample.id, number)) for number in range(personas))
    return [one for one in found if one and one.structured == sample.instruction.text]


def _linked(made: Path, target: Path) -> None:
    """The same file under another name: a link where the disk can, else a copy."""
    if target.exists() and os.path.samefile(made, target):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        os.link(made, target)
    except OSError:
        shutil.copyfile(made, target)


def _sweep(home: Path, wanted: Iterable[str]) -> None:
    """Remove pictures of samples that are no longer in the set."""
    known = {home / name for name in wanted}
    for part in ("images", "references"):
        for path in [one for one in (home / part).rglob("*") if one.is_file()]:
            if path not in known:
                path.unlink()


# ── one sample ──────────────────────────────────────────────────────────────────────────


def entry(sample: Chosen, spoken: Sequence[Voiced] = ()) -> dict[str, Any]:
    """A sample as it stands in samples.json; `released` tells each field."""
    offer, source, caption = sample.offer, sample.offer.source, sample.offer.caption
    files: dict[Kind, list[str]] = {}
    for kind, drawn in sample.references.values():
        files.setdefault(kind, []).append(drawn.file)
    extractors = {kind: _by(offer.found[kind].method, offer.found[kind].version) for kind in files}
    notes = list(source.notes)
    if "caption" in sample.combination and caption is not None:
        files["caption"], extractors["caption"] = [caption.text], caption.by
        notes += caption.notes
    notes += [f"in the voice of {one.persona} names were lost; the structured form stands"
              for one in spoken if not one.text]  # fmt: skip
    return {
        "id": sample.id, "original_image_path": source.picture,
        "conditions": conditions(files),
        "instructions": {
            "conditions": list(sample.combination),
            "image_path_mapping": {name.strip("<>"): one.file
                                   for name, (_, one) in sample.references.items()},
            "original_prompts": sample.instruction.text,
            "enhance_prompts": [one.text for one in spoken if one.text],
        },
        "judge": _judge(sample), "results": {},
        "extractors": dict(sorted(extractors.items())),
        "labels": {name: one.label for name, (_, one) in sample.references.items() if one.label},
        "confidences": {name: round(one.confidence, 4)
                        for name, (_, one) in sample.references.items()
                        if one.confidence is not None},
        "size": [source.width, source.height], "source": source.id,
        "combination": name_of(sample.combination), "notes": notes,
    }  # fmt: skip


def _by(method: str, version: str) -> str:
    return f"{method}/{version}" if version else method


def _judge(sample: Chosen) -> dict[str, int]:
    """The judge's scores as the released files name them; the lowest where there are several."""
    shown = {drawn.sha256 for _, drawn in sample.references.values()}
    if "caption" in sample.combination and sample.offer.caption is not None:
        shown.add(sample.offer.caption.text)
    found: dict[str, int] = {}
    for one in sample.offer.judged:
        if one.subject in shown and one.kind in sample.combination:
            for name, score in one.scores.items():
                title = name.replace("_", " ").title()
                found[title] = min(score, found.get(title, score))
    return dict(sorted(found.items()))


def _row(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A sample as a line of metadata.jsonl: columns that end in file_name(s) are pictures."""
    told, given = entry["instructions"], entry["conditions"]
    row = {
        "file_name": entry["original_image_path"], "id": entry["id"],
        "prompt": next(iter(told["enhance_prompts"]), told["original_prompts"]),
        "structured_prompt": told["original_prompts"], "caption": given["caption"],
        "conditions": told["conditions"], "combination": entry["combination"],
        "source": entry["source"],
    }  # fmt: skip
    for kind, (key, listed) in CONDITIONS.items():
        if kind == "caption":
            continue
        value = given[key]
        if listed or kind in NUMBERED:
            row[f"{kind}_file_names"] = value if isinstance(value, list) else [value] * bool(value)
        else:
            row[f"{kind}_file_name"] = value
    return row
