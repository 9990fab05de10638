"""Samples of the generator with their gold decisions, and what is wrong with a result of one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import milde_outcomes as look
import numpy as np

from overpaint.document import Document, Layer
from overpaint.document.layers import Text
from overpaint.document.render import render
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.engines.milde.generate import make

SIZE = (0.6, 1.7)  # of the truth's ink: less was lost, more was added
PLACE = 0.3  # IoU of the boxes around the inks
NEAR = 40  # levels between colours that pass for one
HALF = 0.5  # as `looks` has it: nearer to the truth than to the source, by far
SEEN = 24  # levels: a pixel that differs


@dataclass(frozen=True)
class Truth:
    """A generated document, its exact truth, and what is known of them."""

    number: int
    source: Document
    truth: Document
    entry: Any

    @property
    def gold(self) -> tuple[str, ...]:
        """The layers that must change, bottom first."""
        return tuple(self.entry["gold"])

    @property
    def language(self) -> str:
        """Of the design and what is asked of it."""
        return str(self.entry["language"])

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The class of each layer."""
        return {layer["id"]: layer["kind"] for layer in self.entry["layers"]}

    @cached_property
    def reworded(self) -> tuple[str, ...]:
        """Text layers that are to say something new."""
        asked = {q["layer"] for q in self.entry["questions"] if _about_words(q)}
        return tuple(name for name in self.gold if name in asked)

    @cached_property
    def kept(self) -> tuple[str, ...]:
        """The layers that must not change."""
        return tuple(name for name in self.kinds if name not in self.gold)

    def decisions(self, scene: Scene) -> tuple[Decision, ...]:
        """The gold ones."""
        prompts = self.entry["layer_instructions"]
        return tuple(
            Decision(layer.id, True, prompts[layer.id], "The instruction concerns it.")
            if layer.id in prompts
            else Decision(layer.id, False, "", "The instruction does not concern it.")
            for layer in scene.layers
        )


def _about_words(question: Any) -> bool:
    return bool(question["check"]) and question["check"]["kind"] == "says"


@lru_cache(maxsize=32)
def truth(number: int, seed: int) -> Truth:
    """The sample with that number."""
    made = make(number, seed=seed)
    return Truth(number, made.source, made.truth, made.entry)


def wrongs(case: Truth, result: Document) -> list[str]:
    """What is wrong with a result; nothing where it is as good as the truth."""
    return [*_stack(case, result), *_keeping(case, result), *_changing(case, result)]


def _stack(case: Truth, result: Document) -> Iterator[str]:
    wanted = [layer.id for layer in look.leaves(case.truth)]
    there = [layer.id for layer in look.leaves(result) if layer.visible]
    lost = [name for name in wanted if name not in there]
    if lost:
        yield f"layers {' '.join(lost)} are gone"
    if [name for name in there if name in wanted] != [name for name in wanted if name in there]:
        yield "the order of the layers is another"
    if extra := [name for name in there if name not in wanted and look.shows(result, name)]:
        yield f"layers {' '.join(extra)} are there"


def _keeping(case: Truth, result: Document) -> Iterator[str]:
    for name in case.kept:
        layer = look.found(result, name)
        if layer is not None and layer != look.found(case.source, name):
            yield f"kept layer {name} is not as it was"


def _changing(case: Truth, result: Document) -> Iterator[str]:
    for name in case.gold:
        want, has = look.found(case.truth, name), look.found(result, name)
        if want is None or has is None or want == has:
            continue
        if case.kinds[name] == "text":
            yield from (f"text {name} {said}" for said in _text(case, result, name))
        elif not looks(case, result, name):
            yield f"picture {name} does not look as it should"


def _text(case: Truth, result: Document, name: str) -> Iterator[str]:
    if not right_words(case, result, name):
        yield f"says “{look.words(result, name)}”, not “{case.entry['texts'][name]}”"
    if look.inside(case.truth, name) and not look.inside(result, name):
        yield "is cut off by the canvas"
    if look.contrast(result, name) < min(look.READ, 0.9 * look.contrast(case.truth, name)):
        yield "cannot be told from what is below it"
    here, there = look.ink(result, name), look.ink(case.truth, name)
    if not SIZE[0] <= here.sum() / max(1, there.sum()) <= SIZE[1]:
        yield f"has {here.sum()} pixels of ink where the truth has {there.sum()}"
    if _iou(here, there) < PLACE:
        yield "stands elsewhere"
    for other, kind in case.kinds.items():
        if kind == "text" and other != name and look.found(result, other) is not None:
            onto = look.ink(result, other)
            if (here & onto).sum() > (there & onto).sum() + look.TOUCH:
                yield f"runs into {other}"
    if not _coloured(case, result, name):
        yield "has another colour"


def right_words(case: Truth, result: Document, name: str) -> bool:
    """Whether a text says what it should, or is read just as the truth is.

    Whether letters are capitals counts only where that is what is asked for.
    """
    said, wanted = look.words(result, name), case.entry["texts"][name]
    before = look.words(case.source, name)
    if look.bare(before) == look.bare(wanted) and before != wanted:
        return _cased(said) in (_cased(wanted), _cased(look.words(case.truth, name)))
    return look.bare(said) in (look.bare(wanted), look.bare(look.words(case.truth, name)))


def _cased(words: str) -> str:
    return "".join(words.split())


def _iou(one: look.Ink, other: look.Ink) -> float:
    a, b = look.around(one), look.around(other)
    if a is None or b is None:
        return 0.0
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    common = max(0, wide) * max(0, high)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
    return common / (sum(areas) - common)


def _coloured(case: Truth, result: Document, name: str) -> bool:
    """Whether letters have the truth's colour, or one far nearer to it than the source's is."""
    has, want, old = (_letters(document, name) for document in (result, case.truth, case.source))
    if has is None or want is None or old is None:
        return False
    apart, least = np.abs(has - want).max(), np.abs(old - want).max()
    return bool(apart <= NEAR or apart < HALF * least)


def _letters(document: Document, name: str) -> Any:
    layer = look.found(document, name)
    if layer is None:
        return None
    if isinstance(layer.content, Text):
        return np.array(layer.content.style.colour[:3], np.float64)
    pixels = render((layer,), document.size)
    inner = pixels[pixels[:, :, 3] >= 200][:, :3]
    return np.median(inner, axis=0) if len(inner) else None


def looks(case: Truth, result: Document, name: str) -> bool:
    """Whether a picture is, where it had to change, nearer to the truth than to the source."""
    has, want, old = (_alone(one, name) for one in (result, case.truth, case.source))
    where = np.abs(want - old).max(axis=2) > SEEN
    if not where.any():
        return bool(np.array_equal(has, want))
    return bool(np.abs(has - want)[where].mean() < HALF * np.abs(old - want)[where].mean())


def _alone(document: Document, name: str) -> Any:
    """The document with what is above that layer taken away, over white."""
    layers: list[Layer] = []
    for layer in document.layers:
        layers.append(layer)
        if layer.id == name:
            break
    return render(layers, document.size, over=(255, 255, 255, 255))[:, :, :3].astype(np.int16)


def samples(count: int, *, seed: int, first: int = 0) -> Iterator[Truth]:
    """The first so many samples of the known half."""
    found, number = 0, first
    while found < count:
        if number // 2 % 2 == 0:
            found += 1
            yield truth(number, seed)
        number += 1


def texts(case: Truth, names: Sequence[str]) -> list[str]:
    """Those of these layers that are texts."""
    return [name for name in names if case.kinds[name] == "text"]
