"""From what a picture offers to samples: combinations drawn by the seed, and their instructions.

A combination's place in the draw hangs on seed, picture and combination alone: another reference
more or less changes which of them are possible, and never shuffles the rest.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from overpaint.engines.refblend import compatibility
from overpaint.engines.refblend.compatibility import Combination, name_of
from overpaint.engines.refblend.instructions import Instruction, structured
from overpaint.engines.refblend.records import Caption, Drawn, Found, Judged, Settings, Source
from overpaint.engines.refblend.released import placeholder
from overpaint.vision.references import Kind

ALL, PAPER = "all", "paper"


@dataclass(frozen=True)
class Offer:
    """What one picture offers, all of it checked."""

    source: Source
    references: Mapping[Kind, Sequence[Drawn]]
    found: Mapping[Kind, Found]
    caption: Caption | None = None
    judged: Sequence[Judged] = ()

    def counts(self) -> dict[Kind, int]:
        """How many references of each kind there are that can go together."""
        found: dict[Kind, int] = {kind: len(own) for kind, own in self.references.items() if own}
        if "pose" in found:  # all people in one picture, or each in one of their own
            found["pose"] = max(1, found["pose"] - 1)
        if self.caption is not None:
            found["caption"] = 1
        return found

    def take(self, kind: Kind, count: int, seed: str) -> list[Drawn]:
        """So many references of a kind."""
        own = list(self.references.get(kind, ()))
        if kind == "pose":
            return [one for one in own if one.whole == (count == 1)]
        if kind != "subject":
            return own[:count]
        chosen = sorted(Random(seed).sample(range(len(own)), count))
        return [own[at] for at in chosen]


@dataclass(frozen=True)
class Chosen:
    """One sample: a combination, the references in it by placeholder, and what is asked."""

    id: str
    offer: Offer
    combination: Combination
    references: Mapping[str, tuple[Kind, Drawn]]
    instruction: Instruction


def choose(offers: Iterable[Offer], settings: Settings) -> list[Chosen]:
    """The samples of all pictures, in the order of pictures and combinations."""
    return [one for offer in offers for one in _of(offer, settings)]


def _of(offer: Offer, settings: Settings) -> list[Chosen]:
    counts = offer.counts()
    paper = settings.combinations == PAPER
    possible = compatibility.papers(counts) if paper else compatibility.combinations(counts)
    possible = tuple(one for one in possible if _fits(one, counts))
    drawn = sorted(possible, key=lambda one: _lot(settings.seed, offer.source.id, one))
    return [_sample(offer, one, settings.seed) for one in sorted(drawn[: settings.per_image])]


def _fits(combination: Combination, counts: Mapping[Kind, int]) -> bool:
    """People are told all in one picture or each in one of their own, never some of them."""
    return combination.count("pose") in (0, 1, counts.get("pose", 0))


def _lot(seed: int, source: str, combination: Combination) -> bytes:
    return hashlib.sha256(f"{seed}:{source}:{name_of(combination)}".encode()).digest()


def _sample(offer: Offer, combination: Combination, seed: int) -> Chosen:
    name = f"{offer.source.id}-{_short(combination)}"
    own = f"{seed}:{name}"
    references: dict[str, tuple[Kind, Drawn]] = {}
    for kind, count in Counter(combination).items():
        if kind != "caption":
            for number, one in enumerate(offer.take(kind, count, own), 1):
                references[placeholder(kind, number)] = (kind, one)
    caption = offer.caption.text if offer.caption is not None else ""
    instruction = structured(combination, caption, own)
    ordered = {name: references[name] for name in instruction.names}
    return Chosen(name, offer, combination, ordered, instruction)


def _short(combination: Combination) -> str:
    """A combination as part of a name: canny-caption, caption-subject2."""
    counts = Counter(combination)
    return "-".join(kind + (str(count) if count > 1 else "") for kind, count in counts.items())
