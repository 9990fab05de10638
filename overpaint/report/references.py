"""The references of a sample as reports tell them: name, kind, who found each, and its picture."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from overpaint.core import Measure, Sample
from overpaint.document import Document
from overpaint.document.pictures import read_size
from overpaint.errors import OverpaintError
from overpaint.vision.references import EXTRACTORS, KINDS
from overpaint.vision.references.told import FACT, Told, told_in


@dataclass(frozen=True)
class Shown:
    """One reference: what the instruction calls it, what it is, and what it says or shows."""

    name: str
    kind: str = ""  # "": nobody said
    by: str = ""  # method and version of whoever found it
    text: str = ""
    picture: Document | None = None


def shown_references(sample: Sample) -> tuple[Shown, ...]:
    """A sample's references; none where neither its facts nor its request name any."""
    return tuple(_shown(sample))


def _shown(sample: Sample) -> Iterator[Shown]:
    pictures, labels, placed = sample.request.references, sample.request.labels, set[int]()
    for told in _told(sample):
        place = told.place if told.place is not None and told.place < len(pictures) else None
        placed |= set() if place is None else {place}
        picture = None if place is None else pictures[place]
        found = told.method in EXTRACTORS[told.kind]  # else it came with the source
        by = " ".join(filter(None, (told.method, told.version))) if found else ""
        yield Shown(told.name, told.kind, by, told.text, picture)
    for place, label in enumerate(labels[: len(pictures)]):
        if place not in placed:
            yield Shown(label, picture=pictures[place])


def _told(sample: Sample) -> Sequence[Told]:
    """What the facts tell; facts of a benchmark of somebody's own may be anything."""
    facts, known = sample.facts.get(FACT), {field.name for field in fields(Told)}
    well = isinstance(facts, list | tuple) and all(
        isinstance(one, Mapping) and {"kind", "name"} <= {*one} <= known
        and one["kind"] in KINDS and _is_place(one.get("place"))
        and all(isinstance(one.get(key, ""), str) for key in known - {"place"})
        for one in facts
    )  # fmt: skip
    return told_in(sample) if well else ()


def _is_place(value: Any) -> bool:
    return value is None or (type(value) is int and value >= 0)


def other_facts(sample: Sample) -> dict[str, Any]:
    """A sample's facts, without the references that are told by themselves."""
    return {key: value for key, value in sample.facts.items() if key != FACT or not _told(sample)}


def columns_of(measures: Sequence[Measure]) -> dict[str, list[int]]:
    """For each kind of reference the columns that score it, its own measure first."""
    names = [measure.name for measure in measures]
    found: dict[str, list[int]] = {}
    for kind in KINDS:
        own = [n for n, name in enumerate(names) if name == f"ref_{kind}"]
        near = (f"ref_{kind}_", f"ref_{kind}@", f"{kind}_")
        if own := own + [n for n, name in enumerate(names) if name.startswith(near)]:
            found[kind] = own
    return found


def form_of(one: Shown) -> float | None:
    """Width over height of its picture, where that can be read."""
    try:
        wide, high = read_size(one.picture.path) if one.picture and one.picture.path else (0, 0)
    except OverpaintError:
        return None
    return round(wide / high, 4) if high else None


def is_bare(sample: Sample) -> bool:
    """Whether a sample with references has an empty canvas for a source: nothing to be seen."""
    path = sample.request.source.path
    return bool(sample.request.references) and path is not None and _is_one_colour(path)


@lru_cache(maxsize=256)  # samples of one size share their canvas
def _is_one_colour(path: Path) -> bool:
    try:
        pixels = Document(path).rgb
    except OverpaintError:
        return False
    return bool((pixels == pixels[0, 0]).all())


def told_lines(sample: Sample) -> list[str]:
    """The references in lines for a terminal."""
    shown = shown_references(sample)
    wide = max((len(one.name) for one in shown), default=0)
    lines = []
    for one in shown:
        kind = one.kind.replace("_", " ") + (f" by {one.by}" if one.by else "")
        parts = (kind, f"“{one.text}”" if one.text else "", _path(one))
        lines.append(f"  {one.name or '–':{wide}}  {', '.join(filter(None, parts))}")
    return lines


def told_data(sample: Sample) -> list[dict[str, str]]:
    """The same for machines."""
    return [
        {"name": one.name, "kind": one.kind, "by": one.by, "text": one.text, "picture": _path(one)}
        for one in shown_references(sample)
    ]


def _path(one: Shown) -> str:
    return str(one.picture.path) if one.picture and one.picture.path else ""
