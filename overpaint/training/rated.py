"""Rated edits as examples to learn from: both pictures, the instruction, and what people said.

Sources are dealt to training and test, never edits: an evaluator that has seen a source knows more
of its other edits than it would of a stranger's. A source is a picture, whatever names it goes by.
The deal is by task, as LMM4Edit has it (8 of 40 sources of a high-level task and 14 of 70 of a
low-level one are held out).
"""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from overpaint.core import Edit
from overpaint.document import Document
from overpaint.errors import PictureError, UserMistake
from overpaint.measures.learned import SHORT
from overpaint.measures.people import Key, People
from overpaint.store import Store
from overpaint.training.leakage import checked, gathered, known, one_name
from overpaint.work import Progress, silent

TASK = "task"  # the tag that tells tasks apart, where samples have it
SPLIT, TRAIN, TEST = "split", "train", "test"  # the tag of a split that was published, its values
HELD_OUT = 0.2  # of the sources of a task
SIMULATED = "It has learned simulated opinion and makes no claim about people."
FEWEST_SOURCES = 5  # below which nothing can be held out and still be told
LOWEST, HIGHEST = -50.0, 150.0  # of an opinion score: 100·(z + 3)/6 of nine spreads either way


@dataclass(frozen=True)
class Example:
    """One rated edit."""

    sample: str
    editor: str
    source: Document
    output: Document
    instruction: str
    task: str
    cluster: str  # what edits of one source share
    scores: Mapping[str, float]  # dimension -> opinion score, or 1 and 0 for yes and no
    split: str = ""  # train or test, where whoever made the data says so

    @property
    def key(self) -> Key:
        """Sample and editor."""
        return self.sample, self.editor


def read_examples(
    store: Store, people: Sequence[People], *, leave_out: bool = False
) -> tuple[list[Example], list[str]]:
    """The run's edits that people scored; scores of edits without a picture are refused.

    With `leave_out` they are left out instead, and a sentence says how many.
    """
    scored: dict[Key, dict[str, float]] = {}
    for one in people:
        for key, value in one.scores.items():
            what = f"{one.dimension} of {key[0]} by {key[1]}"
            scored.setdefault(key, {})[one.dimension] = check_score(what, value)
    pictured = {(edit.sample.id, edit.editor): edit for edit in store.edits() if edit.output}
    lacking = sorted(scored.keys() - pictured.keys())
    if lacking and not leave_out:
        sample, editor = lacking[0]
        raise UserMistake(
            f"{len(lacking):,} rated edits have no picture in {store.folder}; the first is"
            f" {sample} by {editor}.",
            "An evaluator learns from pictures: every rated edit needs its own.",
            "Run those editors as well, or leave their ratings out (--leave-out-missing).",
        )
    told = [f"{len(lacking):,} of {len(scored):,} rated edits have no picture and are left out."]
    found = [_example(pictured[key], scored[key]) for key in sorted(scored.keys() & pictured)]
    return found, told if lacking else []


def check_score(what: str, value: float) -> float:
    """A score, if it can be one; yes and no are 1 and 0."""
    if math.isfinite(value) and LOWEST <= value <= HIGHEST:
        return value
    raise UserMistake(
        f"The {what} is {value:g}.",
        f"Opinion scores lie about 0 to 100, and never outside {LOWEST:g} to {HIGHEST:g}.",
        "Check its scale, or have them computed: --scores mos",
    )


def _example(edit: Edit, scores: Mapping[str, float]) -> Example:
    assert edit.output is not None
    sample = edit.sample
    return Example(
        sample.id, edit.editor, sample.request.source, edit.output, sample.request.instruction,
        sample.tags.get(TASK, ""), sample.cluster or sample.id, scores,
        sample.tags.get(SPLIT, ""),
    )  # fmt: skip


def by_picture(
    examples: Sequence[Example],
    against: Sequence[str] = (),
    *,
    leave_out: bool = False,
    progress: Progress = silent,
) -> tuple[list[Example], list[str]]:
    """The examples with one cluster a picture, and what was found, in sentences.

    Every picture is looked at once: a broken one would else be met after hours of training. It is
    refused, or left out with `leave_out`. Sources that a benchmark or run named in `against` has as
    well are left out.
    """
    whole = _with_pictures(examples, progress, leave_out=leave_out)
    broken, examples = len(examples) - len(whole), whole
    sources = gathered((one.cluster, one.source) for one in examples)
    mine = known(sources)
    goes_by = {name: name for name in sources} | one_name(mine)
    compared = checked(mine, against)
    leaked = {goes_by[leak.source] for found in compared for leak in found.leaks}
    told = [found.told for found in compared]
    if broken:
        told.append(f"{broken:,} rated edits have a broken picture and are left out.")
    if twice := [name for name, first in goes_by.items() if name != first]:
        told.append(
            f"{len(twice):,} of {len(sources):,} sources are pictures under a second name, and on"
            f" the side of the first: {twice[0]} looks like {goes_by[twice[0]]}."
        )
    named = (replace(one, cluster=goes_by[one.cluster]) for one in examples)
    return [one for one in named if one.cluster not in leaked], told


def _with_pictures(
    examples: Sequence[Example], progress: Progress, *, leave_out: bool
) -> list[Example]:
    """The examples whose pictures can both be seen; each picture is looked at once."""
    seen, found = set[Path](), list[Example]()
    for done, one in enumerate(examples, 1):
        progress("pictures", done, len(examples))
        try:
            for what, document in (("source", one.source), ("output", one.output)):
                if document.path not in seen:
                    _check_picture(f"{what} of {one.sample} by {one.editor}", document)
                if document.path:
                    seen.add(document.path)
        except UserMistake:
            if not leave_out:
                raise
            continue
        found.append(one)
    return found


def _check_picture(what: str, document: Document) -> None:
    try:
        _ = replace(document).rgb  # of a copy, for a document keeps what it decoded
    except PictureError as error:
        raise UserMistake(
            f"The {what} cannot be seen: {error.wrong}",
            "Every rated edit needs both of its pictures.",
            "Put the file back, or leave its ratings out (--leave-out-missing).",
        ) from error


def split(
    examples: Sequence[Example], *, share: float = HELD_OUT, seed: int = 0
) -> tuple[list[Example], list[Example]]:
    """Examples to learn from and examples to be tried on; no source is among both.

    A split that was published with the data is kept, less what would be learned from and tried as
    well. Else, of the sources that have a task, the share is drawn; a source of several tasks
    counts for the first of them in alphabetical order.
    """
    if has_test(examples):
        tried = [one for one in examples if one.split == TEST]
        held = {one.cluster for one in tried}
        return [e for e in examples if e.split == TRAIN and e.cluster not in held], tried
    first: dict[str, str] = {}
    for one in sorted(examples, key=lambda one: (one.task, one.cluster)):
        first.setdefault(one.cluster, one.task)
    if len(first) < FEWEST_SOURCES:
        raise UserMistake(
            f"The rated edits are of {len(first)} sources.",
            f"At least {FEWEST_SOURCES} are needed, for some of them are held out.",
            "Have edits of more pictures rated.",
        )
    held = _drawn(first, share, seed)
    train = [one for one in examples if one.cluster not in held]
    return train, [one for one in examples if one.cluster in held]


def has_test(examples: Iterable[Example]) -> bool:
    """Whether a split was published with the examples."""
    return {TRAIN, TEST} <= {one.split for one in examples}


def without_test(examples: Sequence[Example]) -> tuple[list[Example], list[str]]:
    """The examples less the test that was published with them, and a sentence that says so."""
    if not has_test(examples):
        return list(examples), []
    train, tried = split(examples)
    return train, [f"The {len(tried):,} edits of the published test are not learned from."]


def _drawn(tasks: Mapping[str, str], share: float, seed: int) -> set[str]:
    """The sources that are held out: of each task the share, rounded so that the whole is right."""
    chance, held, owed = Random(f"held out {seed}"), set[str](), 0.0
    for task in sorted(set(tasks.values())):
        sources = sorted(source for source, of in tasks.items() if of == task)
        owed += share * len(sources)
        count = min(math.floor(owed + 0.5), len(sources) - (len(sources) > 1))
        owed -= count
        held.update(chance.sample(sources, count))
    return held or {chance.choice(sorted(tasks))}


def fewer(examples: Sequence[Example], count: int, *, seed: int = 0) -> list[Example]:
    """At most so many of the examples, drawn; whole sources as long as there is room."""
    sources = sorted({one.cluster for one in examples})
    Random(f"fewer {seed}").shuffle(sources)
    place = {source: at for at, source in enumerate(sources)}
    return sorted(examples, key=lambda one: (place[one.cluster], one.key))[:count]


def digest(examples: Iterable[Example]) -> str:
    """What the examples are known by: pictures, words and scores."""
    told, keys = hashlib.sha256(), dict[Path, str]()  # a source is read once for all its edits
    for one in examples:
        pictures = [_key(document, keys) for document in (one.source, one.output)]
        facts = (one.sample, one.editor, *pictures, one.instruction, one.cluster)
        scores = sorted(one.scores.items())
        told.update(json.dumps([facts, scores], ensure_ascii=False).encode())
    return told.hexdigest()


def learned_from(examples: Iterable[Example]) -> list[str]:
    """The pictures that an evaluator knows once it has learned from these examples."""
    keys = dict[Path, str]()
    return sorted({_key(one.source, keys)[:SHORT] for one in examples})


def _key(document: Document, keys: dict[Path, str]) -> str:
    if document.path is None:
        return document.key
    if document.path not in keys:
        keys[document.path] = document.key
    return keys[document.path]
