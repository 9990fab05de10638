"""The items of a study: what raters are shown, and beside it what they never get to see."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from overpaint import catalog
from overpaint.core import Edit, Sample
from overpaint.errors import PictureError, UserMistake
from overpaint.rating.pictures import Picture, picture_of
from overpaint.rating.study import Question, Study
from overpaint.store import Store

Expected = Mapping[str, Any]  # question -> the right answer, or the ends between which it lies


@dataclass(frozen=True)
class Item:
    """One thing to be judged. `sample`, `editor`, `against`, `task` and `expected` stay hidden."""

    id: str
    sample: str
    instruction: str
    shown: tuple[Picture, ...]
    source: Picture | None = None
    editor: str = ""
    against: str = ""
    cluster: str = ""
    task: str = ""
    questions: tuple[Question, ...] = ()  # its own; none: the study's
    expected: Expected = field(default_factory=dict)
    feedback: Mapping[str, str] | None = None  # told after a training item
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Pool:
    """What a study is made of: items that count, items to learn on, items with known answers."""

    items: tuple[Item, ...]
    training: tuple[Item, ...] = ()
    gold: tuple[Item, ...] = ()
    known: tuple[Item, ...] = ()  # all edits of floors and of the ceiling
    notes: tuple[str, ...] = ()


def pool_of_run(folder: Path, study: Study) -> Pool:
    """The items that a study has in a run; a UserMistake where there are none."""
    with Store.open(folder) as store:
        rated = rated_editors(store, study.editors)
        floors = {name: spec for name, spec in store.editors.items() if spec in _KNOWN}
        samples = [one.id for one in islice(store.samples(), study.samples)]
        wanted = {*samples}
        edits = [
            edit for edit in store.edits()
            if edit.status == "ok" and edit.output is not None and edit.sample.id in wanted
        ]  # fmt: skip
    counted = [edit for edit in edits if edit.editor in rated]
    known = [edit for edit in edits if edit.editor in floors and edit.editor not in rated]
    if not counted:
        raise UserMistake(
            f"The run in {folder} has no edits to rate.",
            f"Edits by {', '.join(rated)} with a picture were expected." if rated else "",
            "`overpaint run` makes them.",
        )
    maker = _Maker()
    if study.kind == "pairs":
        items = list(_pairs(counted, rated, maker))
        if not items:
            raise UserMistake(
                "Pairs need two editors that have edited the same sample.",
                f"Rated would be {', '.join(rated)}.",
                "Name them: --editor A --editor B, or choose another --kind.",
            )
    else:
        items = [one for edit in counted if (one := maker.item(edit))]
    practice = _of_floors(known, floors, study, maker)
    training, gold = _dealt(practice, items, study)
    return Pool(tuple(items), training, gold, tuple(practice), tuple(maker.notes))


def rated_editors(store: Store, named: Sequence[str]) -> list[str]:
    """The editors whose edits are rated: those named, or all beside floors and ceilings."""
    editors = list(store.editors)
    if unknown := [name for name in named if name not in editors]:
        raise UserMistake(f"The run has no editor {unknown[0]!r}.", f"It has {', '.join(editors)}.")
    return list(named) or catalog.competing(store.editors, store.floors) or editors


class _Maker:
    """Makes items and remembers pictures, of which the same are asked for again and again."""

    def __init__(self) -> None:
        self._seen: dict[Path, Picture] = {}
        self.notes: list[str] = []

    def item(self, *edits: Edit) -> Item | None:
        """The item of one edit, or of two of one sample; None where it cannot be shown."""
        sample, first = edits[0].sample, edits[0]
        try:
            source = self._picture(sample.request.source)
            shown = tuple(self._picture(edit.output) for edit in edits)
        except PictureError as error:
            self.notes.append(f"{sample.id} by {first.editor} is left out: {error}")
            return None
        names = [edit.editor for edit in edits]
        return Item(
            id="", sample=sample.id, instruction=sample.request.instruction, shown=shown,
            source=source, editor=names[0], against=names[1] if len(names) > 1 else "",
            cluster=_cluster(sample),
        )  # fmt: skip

    def _picture(self, document: Any) -> Picture:
        path = document.path
        if path not in self._seen:
            self._seen[path] = picture_of(document)
        return self._seen[path]


def _cluster(sample: Sample) -> str:
    return sample.cluster or sample.id


def _pairs(edits: Sequence[Edit], rated: Sequence[str], maker: _Maker) -> Iterator[Item]:
    by_sample: dict[str, dict[str, Edit]] = defaultdict(dict)
    for edit in edits:
        by_sample[edit.sample.id][edit.editor] = edit
    for made in by_sample.values():
        for one, other in combinations([name for name in rated if name in made], 2):
            if item := maker.item(made[one], made[other]):
                yield item


# ── floors and ceilings, whose right answers are known ──────────────────────────────────

# For EBench's questions: the right answer, or the ends between which a careful answer lies.
_LOW, _HIGH = (1.0, 2.5), (3.5, 5.0)
_KNOWN: Mapping[str, Expected] = {
    "truth": {"alignment": _HIGH, "done": True},
    "identity": {"alignment": _LOW, "preservation": _HIGH, "done": False},
    "blank": {"alignment": _LOW, "preservation": _LOW, "done": False},
    "source-noise": {"alignment": _LOW, "done": False},
}
_TOLD = {
    "truth": (
        "This is the edit as it was meant: the instruction is carried out.",
        "这就是预期的编辑结果：指令已完成。",
    ),
    "identity": (
        "Nothing was changed here: the instruction was not carried out, and all else is as it was.",
        "这里什么都没有改变：指令没有完成，其余部分保持原样。",
    ),
    "blank": (
        "The picture is empty: the instruction was not carried out, and nothing was kept.",
        "图片是空的：指令没有完成，原来的内容也没有保留。",
    ),
    "source-noise": (
        "Here the source was only made worse: the instruction was not carried out.",
        "这里只是让原图变差了：指令没有完成。",
    ),
}


def _of_floors(
    edits: Sequence[Edit], floors: Mapping[str, str], study: Study, maker: _Maker
) -> list[Item]:
    """Items whose right answers are known: the edits of floors and of the ceiling."""
    if study.kind == "pairs":
        return list(_known_pairs(edits, floors, maker))
    found = []
    for edit in edits:
        spec = floors[edit.editor]
        if item := maker.item(edit):
            expected = _KNOWN[spec] if study.kind == "ebench" else {}
            found.append(_known(item, expected, _TOLD[spec]))
    return found


def _known_pairs(edits: Sequence[Edit], floors: Mapping[str, str], maker: _Maker) -> Iterator[Item]:
    by_sample: dict[str, dict[str, Edit]] = defaultdict(dict)
    for edit in edits:
        by_sample[edit.sample.id][floors[edit.editor]] = edit
    told = (
        "One of the two is the edit as it was meant, the other an empty picture.",
        "两者之一是预期的编辑结果，另一个是空图片。",
    )
    for made in by_sample.values():
        if {"truth", "blank"} <= made.keys() and (item := maker.item(made["truth"], made["blank"])):
            yield _known(item, {"better": "editor"}, told)


def _known(item: Item, expected: Expected, told: tuple[str, str]) -> Item:
    return replace(item, expected=expected, feedback={"en": told[0], "zh": told[1]})


def _dealt(
    known: Sequence[Item], items: Sequence[Item], study: Study
) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Items to learn on and items with known answers: one sample is never in both."""
    rng = random.Random(f"known {study.seed}")
    by_editor: dict[str, list[Item]] = defaultdict(list)
    for item in known:
        by_editor[item.editor].append(item)
    for listed in by_editor.values():
        rng.shuffle(listed)
    training: list[Item] = []
    while len(training) < study.training and any(by_editor.values()):
        for listed in by_editor.values():
            if listed and len(training) < study.training:
                training.append(listed.pop())
    if not training:  # no floors: some of the edits themselves, without feedback
        training = rng.sample(list(items), min(study.training, len(items)))
    used = {item.sample for item in training}
    rest = [item for listed in by_editor.values() for item in listed]
    gold = [item for item in rest if item.expected and item.sample not in used]
    return tuple(training), tuple(gold)
