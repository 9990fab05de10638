"""What a MiLDE set is made of, beside what the paper says of its own.

The paper does not give the unit of its lengths; words are assumed, as everywhere here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from overpaint.core import Sample
from overpaint.engines.milde.validating import word_count

# Of the paper's test split, and of its training split.
PAPER = {
    "documents": (1_900.0, 17_700.0),
    "layers a document": (4.44, 4.45),
    "edited layers": (1.66, 1.66),
    "words of an instruction": (15.53, 15.56),
    "words of a layer instruction": (24.48, 24.50),
}
EDITS = ("text", "image", "both")


@dataclass(frozen=True)
class Statistics:
    """Counts and means over the samples of a set; None where there is nothing to average."""

    samples: int
    documents: int
    figures: dict[str, float | None]  # the rows of PAPER, without the documents
    edits: dict[str, float]  # share of the samples that change text, images or both
    kinds: dict[str, float]  # share of the layers


def is_layered(samples: Iterable[Sample]) -> bool:
    """Whether samples say which of their layers have to change."""
    return any("gold" in sample.facts and "layers" in sample.facts for sample in samples)


def describe(samples: Sequence[Sample]) -> Statistics:
    """The statistics of a set; layers are counted once for each document."""
    own = [sample for sample in samples if "gold" in sample.facts and "layers" in sample.facts]
    documents = {sample.cluster or sample.id: sample.facts["layers"] for sample in own}
    layers = [layer["kind"] for listed in documents.values() for layer in listed]
    told = [text for sample in own for text in sample.facts.get("layer_instructions", {}).values()]
    edits = [_edits(sample) for sample in own]
    return Statistics(
        len(own),
        len(documents),
        {
            "layers a document": _mean([len(listed) for listed in documents.values()]),
            "edited layers": _mean([len(sample.facts["gold"]) for sample in own]),
            "words of an instruction": _mean([word_count(s.request.instruction) for s in own]),
            "words of a layer instruction": _mean([word_count(text) for text in told]),
        },
        {name: edits.count(name) / len(edits) for name in EDITS if edits},
        {kind: layers.count(kind) / len(layers) for kind in dict.fromkeys(layers)},
    )


def _edits(sample: Sample) -> str:
    """Whether text layers change, others, or both."""
    gold = set(sample.facts["gold"])
    kinds = {layer["kind"] == "text" for layer in sample.facts["layers"] if layer["id"] in gold}
    return "both" if len(kinds) == 2 else "text" if True in kinds else "image"


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
