"""Layer decisions (MiLDE): which layers an editor changed, held against those that must change.

What an editor decided stands in its trace: the last step with `decisions`, each a layer and whether
it is edited; null, a reply that could not be read, is wrong whatever would be right. An editor
without such a trace is told by its output: a layer that is not what it was has been edited. A flat
picture has no layers, so the question does not arise.

Shares are pooled over layers, as the paper has it, in percent. Most layers stay, so an editor that
does nothing is right more often than not: `floors_of` tells what doing nothing, everything, and
all of the text would get, and `layer_balanced` gives each of them 50 or little more.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from overpaint.core import Edit, Evidence, Found, Measure, Sample, each
from overpaint.document import Document
from overpaint.errors import DataError, NotApplicable

Decisions = Mapping[str, bool | None]


@dataclass(frozen=True)
class Counts:
    """How many layers were edited or kept, rightly or not, and about how many no word was read."""

    hit: int = 0  # edited, as they must be
    missed: int = 0  # kept, though they must be edited
    spoilt: int = 0  # edited, though they must stay
    kept: int = 0
    unread_gold: int = 0  # no decision that could be read, and it had to be edited
    unread_rest: int = 0  # the same, and it had to stay
    exact: int = 0  # documents without a mistake
    documents: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def gold(self) -> int:
        """The layers that must be edited."""
        return self.hit + self.missed + self.unread_gold

    @property
    def rest(self) -> int:
        """The layers that must stay."""
        return self.kept + self.spoilt + self.unread_rest

    @property
    def edited(self) -> int:
        """The layers that were edited."""
        return self.hit + self.spoilt

    @property
    def accuracy(self) -> float | None:
        """The share of layers decided rightly, in percent."""
        return _share(self.hit + self.kept, self.gold + self.rest)

    @property
    def precision(self) -> float | None:
        """Of the layers that were edited, the share that had to be."""
        return _share(self.hit, self.edited)

    @property
    def recall(self) -> float | None:
        """Of the layers that had to be edited, the share that was."""
        return _share(self.hit, self.gold)

    @property
    def specificity(self) -> float | None:
        """Of the layers that had to stay, the share that did."""
        return _share(self.kept, self.rest)

    @property
    def balanced(self) -> float | None:
        """The mean of recall and specificity: 50 for whoever does not look."""
        recall, specificity = self.recall, self.specificity
        return None if recall is None or specificity is None else (recall + specificity) / 2

    @property
    def exact_share(self) -> float | None:
        """The share of documents in which all and only the right layers were edited."""
        return _share(self.exact, self.documents)


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def counted(sample: Sample, decisions: Decisions) -> Counts:
    """The decisions about one document, counted; a layer that nobody speaks of is kept."""
    layers, gold = _layers(sample), set(sample.facts.get("gold") or ())
    told = [(str(one["id"]) in gold, decisions.get(str(one["id"]), False)) for one in layers]
    return Counts(
        hit=told.count((True, True)), missed=told.count((True, False)),
        spoilt=told.count((False, True)), kept=told.count((False, False)),
        unread_gold=told.count((True, None)), unread_rest=told.count((False, None)),
        exact=int(all(must == edit for must, edit in told)), documents=1,
    )  # fmt: skip


def _layers(sample: Sample) -> Sequence[Mapping[str, str]]:
    layers: Sequence[Mapping[str, str]] = sample.facts.get("layers") or ()
    if not layers:
        raise NotApplicable("The sample does not tell its layers.")
    return layers


# ── what was decided ────────────────────────────────────────────────────────────────────


def decisions_of(edit: Edit) -> Decisions:
    """What an editor decided about each layer, by its trace or else by what it changed."""
    for step in reversed(edit.trace):
        if isinstance(told := step.get("decisions"), list):
            return dict(map(_decision, told))
    assert edit.output is not None
    if edit.output.flat:
        raise NotApplicable("The output is a flat picture and no decision about layers is told.")
    return changed(edit.sample.request.source, edit.output)


def _decision(told: Any) -> tuple[str, bool | None]:
    layer = told.get("layer") if isinstance(told, Mapping) else None
    if not isinstance(layer, str) or told.get("edit") not in (True, False, None):
        raise DataError(
            f"The trace tells the decision {str(told)[:80]}.",
            'One such as {"layer": "3", "edit": true} was expected.',
        )
    return layer, told.get("edit")


def changed(before: Document, after: Document) -> Decisions:
    """Which layers are not what they were, or no longer there."""
    there = {layer.id: layer for layer in after}
    return {layer.id: layer.id not in there or there[layer.id] != layer for layer in before}


# ── floors ──────────────────────────────────────────────────────────────────────────────


FLOORS: Mapping[str, Callable[[Mapping[str, str]], bool]] = {
    "never edit": lambda layer: False,
    "edit all": lambda layer: True,
    "edit all text": lambda layer: layer["kind"] == "text",
}


def floors_of(samples: Iterable[Sample]) -> dict[str, Counts]:
    """What doing nothing, everything, and all of the text gets on these samples."""
    chosen = list(samples)
    return {
        name: sum(
            (counted(one, {str(layer["id"]): rule(layer) for layer in _layers(one)})
             for one in chosen),
            Counts(),
        )
        for name, rule in FLOORS.items()
    }  # fmt: skip


# ── as measures ─────────────────────────────────────────────────────────────────────────


def _of_layers(share: str, over: str) -> Callable[[Edit, Evidence], Found]:
    """One of the shares, which weighs as many layers as it is of."""

    def score(edit: Edit, evidence: Evidence) -> Found:
        counts = counted(edit.sample, decisions_of(edit))
        value: float | None = getattr(counts, share)
        if value is None:
            raise NotApplicable(_NONE[over])
        return Found(value, _notes(counts), sum(getattr(counts, one) for one in over.split("+")))

    return score


_NONE = {
    "gold+rest": "The sample does not tell its layers.",
    "gold": "No layer is to change.",
    "rest": "Every layer is to change.",
    "edited": "No layer was edited.",
    "documents": "The sample does not tell its layers.",
}


def _notes(counts: Counts) -> tuple[str, ...]:
    unread = counts.unread_gold + counts.unread_rest
    told = f"{counts.hit} of {counts.gold} chosen that must be, {counts.spoilt} that must not"
    return (told, f"{unread} replies could not be read") if unread else (told,)


def _balanced(edit: Edit, evidence: Evidence) -> Found:
    counts = counted(edit.sample, decisions_of(edit))
    if counts.balanced is None:
        raise NotApplicable(_NONE["gold"] if not counts.gold else _NONE["rest"])
    return Found(counts.balanced, _notes(counts))


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares)


def _measure(
    name: str, function: Callable[[Edit, Evidence], Found], about: str, **more: Any
) -> Measure:
    return Measure(
        name, each(name, function), higher_is_better=True, worst=0.0, best=100.0, unit="%",
        about=about, **more,
    )  # fmt: skip


layer_accuracy = _measure(
    "layer_accuracy", _of_layers("accuracy", "gold+rest"),
    "MiLDE's layer decision accuracy, pooled over layers", pool="weighted",
)  # fmt: skip
layer_recall = _measure(
    "layer_recall", _of_layers("recall", "gold"), "layers chosen for editing of those that must be",
    pool="weighted",
)  # fmt: skip
layer_specificity = _measure(
    "layer_specificity", _of_layers("specificity", "rest"), "layers kept of those that must stay",
    pool="weighted",
)  # fmt: skip
layer_precision = _measure(
    "layer_precision", _of_layers("precision", "edited"),
    "layers that must be edited of those chosen", pool="weighted",
)  # fmt: skip
layer_exact = _measure(
    "layer_exact", _of_layers("exact_share", "documents"),
    "documents in which all and only the right layers were chosen",
)  # fmt: skip
layer_balanced = _measure(
    "layer_balanced", _balanced, "mean of layer_recall and layer_specificity: 50 without looking",
    parts=("layer_recall", "layer_specificity"), whole=_mean,
)  # fmt: skip
