"""What a reasoner learns from: documents with a request, their layers, and which of them change.

Without a set of your own, designs are drawn for it, in English: for training and for choosing
settings in the themes and wordings that are *known*, for the final table in those that are held
out. The final table's designs are those of the built-in MiLDE set and the next in their row; no
theme of theirs and no wording of a request is met in training.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from overpaint.core import Sample
from overpaint.document import Document
from overpaint.editors.agent.deciding import Decision, written
from overpaint.editors.agent.reasoners import question
from overpaint.engines.milde import album
from overpaint.engines.milde.generate import draft
from overpaint.engines.milde.telling import Teller
from overpaint.errors import DataError, UserMistake
from overpaint.training.leakage import checked, gathered, known, one_name
from overpaint.training.reward import Truth
from overpaint.vision import layers as telling
from overpaint.vision.layers import Seen, seen
from overpaint.weights import cache_folder
from overpaint.work import Backend, Here, Processes, Progress, Task, silent

SEED = 1009  # of the designs drawn for training; the benchmark's own is another
VALIDATION = 40  # known designs that training does not see, to choose settings by
HELD_OUT = 120  # designs of the final table, fixed before the first run
_TURN = 4  # splits and languages take turns: every fourth number is English and known …
_HELD_OUT = 2  # … and the second after it English and held out


@dataclass(frozen=True)
class Case:
    """A document, what is asked of it, its layers as they are told, and the truth of each."""

    id: str
    instruction: str
    layers: tuple[Seen, ...]
    truths: Mapping[str, Truth]
    opened: Callable[[], Document]  # drawn or read anew: pictures of many fill the memory
    cluster: str = ""  # what requests about one document share

    @property
    def document(self) -> str:
        """The document that it is about."""
        return self.cluster or self.id


@dataclass(frozen=True)
class Row:
    """One layer of a case: what is asked, and what is right."""

    case: Case
    layer: Seen
    question: str

    @property
    def truth(self) -> Truth:
        """What is right for it."""
        return self.case.truths[self.layer.id]

    @property
    def answer(self) -> str:
        """The right answer in the form, with a thought of one short sentence."""
        edit, words = self.truth.edit, self.layer.kind == "text"
        thought = f"The request is about {'these words' if words else 'this picture'}."
        why = thought if edit else "Nothing here is to change."
        return written(Decision(self.layer.id, edit, self.truth.prompt, why))


def rows_of(cases: Iterable[Case], *, sees: bool, form: str) -> list[Row]:
    """A row for each layer, asked in the words of that form."""
    return [
        Row(case, layer, question(case.instruction, case.layers, layer, sees=sees, form=form))
        for case in cases for layer in case.layers
    ]  # fmt: skip


def balanced(rows: Sequence[Row], seed: int) -> Iterator[Row]:
    """Rows without end, as many that change as that stay, each in a shuffled order of its own."""
    chance = Random(seed)
    kinds = [[row for row in rows if row.truth.edit is edit] for edit in (True, False)]
    turns = [_again(kind, chance) for kind in kinds if kind]
    while True:
        yield from (next(turn) for turn in turns)


def _again(rows: Sequence[Row], chance: Random) -> Iterator[Row]:
    while True:
        yield from chance.sample(rows, len(rows))


def data_hash(cases: Iterable[Case]) -> str:
    """Changes whenever a request, a layer as it is told, or a truth does."""
    known = hashlib.sha256()
    for case in cases:
        told = [asdict(layer) for layer in case.layers]
        right = {name: asdict(truth) for name, truth in case.truths.items()}
        known.update(json.dumps([case.id, case.instruction, told, right], sort_keys=True).encode())
    return known.hexdigest()


# ── where they come from ────────────────────────────────────────────────────────────────


def drawn(
    documents: int, *, held_out: bool = False, workers: int = 0, progress: Progress = silent
) -> list[Case]:
    """So many designs of our own; those of a set are the same on every machine with our fonts."""
    first = _HELD_OUT if held_out else 0
    numbers = range(first, first + _TURN * documents, _TURN)
    seed = album.SEED if held_out else SEED
    found = _each(_drawn, [(seed, number) for number in numbers], workers, progress)
    return [_lined_up(case) for case in found]


def of_samples(
    samples: Sequence[Sample], *, workers: int = 0, progress: Progress = silent
) -> tuple[list[Case], list[str]]:
    """The documents of a MiLDE set, and why some of them cannot be learned from."""
    cases, left_out = [], []
    for case in _each(_described, samples, workers, progress):
        try:
            cases.append(_lined_up(case))
        except DataError as error:
            left_out.append(str(error))
    if not cases:
        raise UserMistake(
            f"None of the {len(samples)} documents can be learned from. The first: {left_out[0]}",
            "Documents whose gold layers can be seen and have an instruction each were expected.",
            "`overpaint validate milde --data FOLDER` tells what is wrong with a set.",
        )
    return cases, left_out


def split(cases: Sequence[Case], held_out: int, seed: int) -> tuple[list[Case], list[Case]]:
    """Shuffled cases in two parts that share no document: to learn from, and of so many others."""
    documents = sorted({case.document for case in cases})
    held = set(Random(seed).sample(documents, held_out))
    order = Random(seed).sample(list(cases), len(cases))
    return (
        [case for case in order if case.document not in held],
        [case for case in order if case.document in held],
    )


def apart_from(cases: Sequence[Case], against: Sequence[str]) -> tuple[list[Case], list[str]]:
    """The cases with one name a document, without those of a benchmark named; and what was found.

    Requests about two pictures that look the same are about one document.
    """
    first: dict[str, Case] = {}
    for case in cases:
        first.setdefault(case.document, case)
    mine = known(gathered((name, case.opened()) for name, case in first.items()))
    goes_by = {name: name for name in first} | one_name(mine)
    compared = checked(mine, against)
    leaked = {goes_by[leak.source] for found in compared for leak in found.leaks}
    named = (replace(case, cluster=goes_by[case.document]) for case in cases)
    return [one for one in named if one.cluster not in leaked], [one.told for one in compared]


def _lined_up(case: Case) -> Case:
    """The case, if its layers and its truths are about the same document."""
    there = {layer.id for layer in case.layers}
    for name, truth in case.truths.items():
        if truth.edit and name not in there:
            raise DataError(f"{case.id}: the layer {name!r} must change and cannot be seen.")
        if truth.edit and not truth.prompt.strip():
            raise DataError(f"{case.id}: the layer {name!r} must change and no instruction says"
                            " how.")  # fmt: skip
    if missing := sorted(there - set(case.truths)):
        raise DataError(f"{case.id}: nothing is said of the layer {missing[0]!r}.")
    return case


def _each(
    function: Callable[..., Case], items: Sequence[object], workers: int, progress: Progress
) -> list[Case]:
    backend: Backend = Processes(function, workers) if workers else Here(function)
    found: dict[int, Case] = {}
    for outcome in backend.perform(Task(at, (item,)) for at, item in enumerate(items)):
        if outcome.error is not None:
            raise outcome.error
        found[outcome.subject] = outcome.result
        progress("looking at layers", len(found), len(items))
    return [found[at] for at in sorted(found)]


def _drawn(at: int, which: tuple[int, int]) -> Case:
    """One of our own designs, as far as a reasoner learns from it."""
    seed, number = which
    opened = partial(_source, seed, number)
    kept = _once(f"{album.REVISION}/{seed}/{number}", partial(_told, seed, number))
    truths = _truths([one["id"] for one in kept["layers"]], kept["gold"])
    return Case(f"{seed}/{number}", kept["instruction"], _layers(kept), truths, opened)


def _told(seed: int, number: int) -> dict[str, Any]:
    sketch = draft(number, seed=seed)
    content, source = sketch.plan.content, sketch.design.source()
    teller = Teller(sketch.design, content.split, content.language)
    entry = teller.entry(source, sketch.design.truth(source))
    return {"instruction": sketch.change.said, "gold": entry["layer_instructions"],
            "layers": [asdict(layer) for layer in seen(source)]}  # fmt: skip


def _source(seed: int, number: int) -> Document:
    return draft(number, seed=seed).design.source()


def _described(at: int, sample: Sample) -> Case:
    """A sample of a MiLDE set, as far as a reasoner learns from it."""
    document = replace(sample.request.source)  # a copy: what it decodes is not kept
    layers = [str(one["id"]) for one in sample.facts["layers"]]
    instructions = sample.facts["layer_instructions"]
    gold = {name: str(instructions.get(name, "")) for name in sample.facts["gold"]}
    kept = _once(document.key, lambda: {"layers": [asdict(one) for one in seen(document)]})
    return Case(sample.id, sample.request.instruction, _layers(kept), _truths(layers, gold),
                partial(replace, sample.request.source), sample.cluster)  # fmt: skip


def _truths(layers: Iterable[str], gold: Mapping[str, str]) -> dict[str, Truth]:
    return {name: Truth(name in gold, gold.get(name, "")) for name in layers}


# ── what was looked at before ───────────────────────────────────────────────────────────


def _once(key: str, look: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What was seen of a document; read from the cache where it was looked at before.

    Pictures are read by OCR, which takes about half a second a document. Another reader, or
    another way of telling, looks again.
    """
    name = hashlib.sha256(f"{key} {telling.version()}".encode()).hexdigest()[:24]
    path = cache_folder() / "layers-told" / f"{name}.json"
    try:
        kept: dict[str, Any] = json.loads(path.read_bytes())
        _layers(kept)
    except (OSError, ValueError, TypeError, KeyError):
        kept = look()
        path.parent.mkdir(parents=True, exist_ok=True)
        written_whole(path, json.dumps(kept))
    return kept


def _layers(kept: Mapping[str, Any]) -> tuple[Seen, ...]:
    """The layers as they were told; lists are tuples again."""
    found = []
    for one in kept["layers"]:
        whole: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in one.items()
        }
        found.append(Seen(**whole))
    return tuple(found)


def written_whole(path: Path, text: str) -> None:
    """Write a file that is either not there or whole, whoever else writes it."""
    part = path.with_suffix(f".{hashlib.sha256(text.encode()).hexdigest()[:8]}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
