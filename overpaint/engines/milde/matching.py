"""The step-to-layer matcher: each step goes to the first layer it applies to, bottom up. Pure.

The paper's appendix A.2: a step about words is eligible for text layers, any other for image and
decoration layers; steps are taken in order. A layer may take several steps.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from overpaint.engines.milde.validating import place_faults
from overpaint.errors import Refused, Unreadable
from overpaint.vision.layers import Kind, Seen

ELIGIBLE: Mapping[Kind, tuple[Kind, ...]] = {"text": ("text",), "image": ("image", "decoration")}
_ENDS = tuple(".!?。！？…\"'”’」")


@dataclass(frozen=True)
class Step:
    """One atomic edit, of words or of anything else."""

    text: str
    kind: Kind  # text or image


@dataclass(frozen=True)
class Laid:
    """A step and the id of the layer it is made on."""

    step: Step
    layer: str


@dataclass(frozen=True)
class Dropped:
    """A step that was not laid on any layer, and why."""

    step: Step
    reason: str


@dataclass(frozen=True)
class Matching:
    """What became of every step."""

    laid: tuple[Laid, ...]
    dropped: tuple[Dropped, ...]

    def instructions(self, layers: Sequence[Seen]) -> dict[str, str]:
        """The steps of each layer joined in their order; the layers bottom first."""
        own = {layer.id: [one.step.text for one in self.laid if one.layer == layer.id]
               for layer in layers}  # fmt: skip
        return {name: joined(texts) for name, texts in own.items() if texts}


def matched(
    steps: Sequence[Step], layers: Sequence[Seen], applies: Callable[[Step, Seen], bool]
) -> Matching:
    """Lay each step on the first eligible layer, bottom up, that `applies` says yes to.

    Where it cannot be told whether a step applies to a layer, those above are not asked: one of
    them might be taken for it. The step is dropped.
    """
    laid: list[Laid] = []
    dropped: list[Dropped] = []
    for step in steps:
        found = _place(step, layers, applies)
        if isinstance(found, Laid):
            laid.append(found)
        else:
            dropped.append(found)
    return Matching(tuple(laid), tuple(dropped))


def _place(
    step: Step, layers: Sequence[Seen], applies: Callable[[Step, Seen], bool]
) -> Laid | Dropped:
    eligible = [layer for layer in layers if layer.kind in ELIGIBLE[step.kind]]
    for layer in eligible:
        try:
            does = applies(step, layer)
        except (Unreadable, Refused) as error:
            return Dropped(step, f"{error.status}: {error}")
        if does:
            faults = place_faults(step.text, layer)
            return Dropped(step, "; ".join(faults)) if faults else Laid(step, layer.id)
    of_kind = " or ".join(ELIGIBLE[step.kind])
    return Dropped(step, f"applies to no {of_kind} layer" if eligible else f"no {of_kind} layer")


def joined(texts: Sequence[str]) -> str:
    """Sentences one after the other, each with its end."""
    tidy = [" ".join(text.split()) for text in texts]
    return " ".join(text if text.endswith(_ENDS) else f"{text}." for text in tidy)
