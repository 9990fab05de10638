"""The two streams of requests for a document: from personas, and from the document itself.

Each candidate is written, checked by rules, scored for clarity, specificity and realism, and
written again while it fails, a few times at most. The best of a document's candidates are kept.
"""

import hashlib
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any

from overpaint.document import Document
from overpaint.engines.milde.asking import Asker, listed, persistently
from overpaint.engines.milde.records import Candidate, Place, Settings, Source
from overpaint.engines.milde.validating import is_repeated, request_faults
from overpaint.errors import Refused, Unreadable

RUBRICS = {"persona": "milde_persona", "document": "milde_transfer"}
CUES = {"persona": "persona", "document": "difference"}  # the slot that a rubric has for it


@dataclass(frozen=True)
class Wish:
    """A candidate that is still to be written."""

    id: str
    source: Source
    stream: str
    cue: str


def personas() -> tuple[str, ...]:
    """The people that requests are written for."""
    return tuple(_cues()["personas"])


def wishes(source: Source, settings: Settings) -> list[Wish]:
    """What is to be written for a document; the same for the same seed."""
    told = f"{settings.seed}:{source.id}".encode()
    rng = random.Random(hashlib.sha256(told).digest())
    own = rng.sample(_cues()["personas"], min(settings.personas, len(_cues()["personas"])))
    near = rng.sample(_cues()["differences"], min(settings.near, len(_cues()["differences"])))
    return [
        *(Wish(f"{source.id}-p{n}", source, "persona", cue) for n, cue in enumerate(own, 1)),
        *(Wish(f"{source.id}-d{n}", source, "document", cue) for n, cue in enumerate(near, 1)),
    ]


@cache
def _cues() -> Mapping[str, Sequence[str]]:
    text = (files("overpaint.engines.milde") / "personas.json").read_text(encoding="utf-8")
    found: Mapping[str, Sequence[str]] = json.loads(text)
    return found


# ── writing ─────────────────────────────────────────────────────────────────────────────


def propose(place: Place, wish: Wish, settings: Settings, asker: Asker) -> Candidate:
    """A candidate that passed, or all that was tried."""
    slots = {
        CUES[wish.stream]: wish.cue,
        "layers": listed(place.described(wish.source.id).layers, _size(wish.source)),
        "language": wish.source.language.title(),
    }
    document = Document(place.picture(wish.source.id))
    attempts: list[dict[str, Any]] = []
    for turn in range(settings.tries):
        attempts.append(_attempt(asker, wish, document, slots, turn))
        attempts[-1]["faults"] += _low(attempts[-1]["scores"], settings.least)
        if not attempts[-1]["faults"]:
            break
    last = attempts[-1]
    return Candidate(
        wish.id, wish.source.id, wish.stream, wish.cue, last["text"],
        last["scores"], attempts, last["faults"],
    )  # fmt: skip


def _attempt(
    asker: Asker, wish: Wish, document: Document, slots: Mapping[str, str], turn: int
) -> dict[str, Any]:
    """One text, with its scores where rules have nothing against it."""
    try:
        said = asker.answer(RUBRICS[wish.stream], (document,), slots, turn=turn)
        text = " ".join(str(said["instruction"]).split())
        if faults := list(request_faults(text)):
            return {"text": text[:2000], "scores": {}, "faults": faults}
        ask = partial(_scores, asker, document, text)
        return {"text": text, "scores": persistently(ask), "faults": []}
    except (Unreadable, Refused) as error:
        return {"text": "", "scores": {}, "faults": [f"{error.status}: {error}"]}


def _scores(asker: Asker, document: Document, text: str, turn: int) -> dict[str, int]:
    said = asker.scores("milde_rank", (document,), {"instruction": text}, turn=turn)
    return {name: int(value) for name, value in said.items()}


def _low(scores: Mapping[str, int], least: int) -> list[str]:
    return [f"{name} {value} of 5" for name, value in scores.items() if value < least]


def _size(source: Source) -> tuple[int, int]:
    return source.width, source.height


# ── choosing ────────────────────────────────────────────────────────────────────────────


def chosen(candidates: Iterable[Candidate], most: int) -> list[Candidate]:
    """The best of a document's candidates, none of them twice; equals in their order."""
    passed = [one for one in candidates if not one.faults]
    best: list[Candidate] = []
    for one in sorted(passed, key=lambda one: -sum(one.scores.values())):
        if len(best) < most and not is_repeated(one.text, [other.text for other in best]):
            best.append(one)
    return best
