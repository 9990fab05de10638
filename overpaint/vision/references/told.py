"""The references of a sample as its facts tell them: what kind each is, who found it, its words."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from overpaint.core import Sample
from overpaint.vision.references import KINDS, Kind

FACT = "references"  # where a sample's facts list them


@dataclass(frozen=True)
class Told:
    """One reference of a sample; measures know this, editors see its picture and its name."""

    kind: Kind
    name: str  # as the instruction calls it: <canny_image>, <subject_1>; "" of a caption
    place: int | None = None  # of its picture among the request's references
    text: str = ""  # a caption's words, or what a box, mask or subject shows
    method: str = ""  # "": nobody said; the default extractor is taken
    version: str = ""


def told_in(sample: Sample) -> tuple[Told, ...]:
    """The references of a sample, in their order; none where it is no sample of MultiRef."""
    return tuple(_told(one) for one in sample.facts.get(FACT, ()))


def facts_of(references: Iterable[Told]) -> dict[str, Any]:
    """The same as facts of a sample."""
    return {FACT: [asdict(one) for one in references]}


def _told(fact: Mapping[str, Any]) -> Told:
    assert fact["kind"] in KINDS  # whoever loaded the sample has checked it
    return Told(**fact)
