"""Planted bad edits: good results of generated documents, spoiled in sixteen ways.

Two or four documents a way, half of them Chinese. The truth is put in by hands of the bench's own
and spoiled after the last edit; the agent's loop takes it from there: its self-check looks, and
repairs with its real hands and the gold prompts. All was written before the self-check was run on
any.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

import milde_outcomes as look
import numpy as np
from milde_truths import Truth, texts, truth

from overpaint.document import Document, Layer, Picture, Pixels
from overpaint.document.geometry import middle, recoloured, scaled, shifted
from overpaint.document.layers import Run, Text
from overpaint.document.render import render, sheet_of
from overpaint.document.tree import swapped
from overpaint.editors.agent.hands import Hands
from overpaint.vision.layers import Seen

SEED = 61
Spoiled = tuple[Document, tuple[str, ...]]  # and the layers where the fault may be seen


@dataclass(frozen=True)
class Way:
    """One way to spoil a result."""

    name: str
    about: str
    fits: Callable[[Truth], Sequence[str]]  # the layers that can be spoiled so
    spoil: Callable[[Truth, str, Random], Spoiled]
    each: int = 2  # in each language


@dataclass(frozen=True)
class Spoil:
    """A document, the way it is spoiled, and which layer of it."""

    number: int
    way: Way
    layer: str

    @property
    def case(self) -> Truth:
        """The document with its truth."""
        return truth(self.number, SEED)

    def made(self) -> Spoiled:
        """The spoiled result, and where its fault may be seen."""
        return self.way.spoil(self.case, self.layer, Random(f"spoil/{self.number}"))


@dataclass(frozen=True)
class Planted(Hands):
    """Hands that put in the truth, then the spoiled result; whatever follows is the real ones'."""

    first: tuple[Document, ...] = ()  # the document after each of the first edits
    calls: list[str] = field(default_factory=list)

    def edit(self, document: Document, seen: Seen, prompt: str) -> Document:
        """The next planted document, or what the real hands make of it."""
        self.calls.append(seen.id)
        if len(self.calls) <= len(self.first):
            return self.first[len(self.calls) - 1]
        return super().edit(document, seen, prompt)


def planted(case: Truth, result: Document) -> Planted:
    """Hands that reach this result by as many edits as there are gold layers."""
    return Planted(first=(*(case.truth,) * (len(case.gold) - 1), result))


# ── what a layer is made of ─────────────────────────────────────────────────────────────


def _of(case: Truth, name: str) -> Layer:
    found = look.found(case.truth, name)
    assert found is not None
    return found


def _with(document: Document, old: Layer, new: Layer) -> Document:
    return document.having(*swapped(document.layers, old, new))


def _pixels(layer: Layer) -> tuple[Pixels, int, int]:
    sheet = sheet_of(layer)
    assert sheet is not None
    return sheet.pixels.copy(), sheet.left, sheet.top


def _pictured(layer: Layer, pixels: Pixels, left: float, top: float) -> Layer:
    return Layer(Picture(pixels), layer.name, layer.id, left=left, top=top)


def _says(layer: Layer, words: str) -> Layer:
    assert isinstance(layer.content, Text)
    runs = layer.content.runs
    return replace(layer, content=replace(layer.content, runs=(Run(words, runs[0].style),)))


def _spoiled(case: Truth, name: str, new: Layer, *others: str) -> Spoiled:
    return _with(case.truth, _of(case, name), new), (name, *others)


# ── the ways ────────────────────────────────────────────────────────────────────────────


def misspelt(case: Truth, name: str, chance: Random) -> Spoiled:
    """Live words have a wrong letter; the middle half of drawn ones is turned upside down."""
    layer = _of(case, name)
    if isinstance(layer.content, Text):
        words = layer.content.words
        letters = [n for n, letter in enumerate(words) if letter.isalpha()]
        at = chance.choice(letters[len(letters) // 3 :])
        other = "讠" if words[at] > "\u2e80" else chance.choice("xqkzw".replace(words[at], ""))
        return _spoiled(case, name, _says(layer, words[:at] + other + words[at + 1 :]))
    pixels, left, top = _pixels(layer)
    left_of, _, right_of, _ = look.around(pixels[:, :, 3] >= 128) or (0, 0, pixels.shape[1], 0)
    quarter = (right_of - left_of) // 4
    middling = slice(left_of + quarter, right_of - quarter)
    pixels[:, middling] = pixels[::-1, middling][:, ::-1]
    return _spoiled(case, name, _pictured(layer, pixels, left, top))


def old_left(case: Truth, name: str, chance: Random) -> Spoiled:
    """The new words are there, and the old ones as well: after them, or half a line lower."""
    layer, old = _of(case, name), look.found(case.source, name)
    assert old is not None
    if isinstance(layer.content, Text) and isinstance(old.content, Text):
        return _spoiled(case, name, _says(layer, f"{layer.content.words} {old.content.words}"))
    lines = look.words(case.truth, name).count("\n") + 1
    low = shifted(old, 0, round(_pixels(old)[0].shape[0] / lines / 2))
    both = render((low, layer), case.source.size)
    return _spoiled(case, name, _pictured(layer, both, 0, 0))


def cut_off(case: Truth, name: str, chance: Random) -> Spoiled:
    """A quarter of the text is missing on the right."""
    layer = _of(case, name)
    pixels, left, top = _pixels(layer)
    kept = np.ascontiguousarray(pixels[:, : pixels.shape[1] * 3 // 4])
    return _spoiled(case, name, _pictured(layer, kept, left, top))


def off_canvas(case: Truth, name: str, chance: Random) -> Spoiled:
    """Half of the text has left the canvas."""
    layer = _of(case, name)
    across = case.source.size[0] - middle(layer)[0]
    return _spoiled(case, name, shifted(layer, across * chance.choice((0.97, 1.0)), 0))


def onto_text(case: Truth, name: str, chance: Random) -> Spoiled:
    """The text stands on another one."""
    layer = _of(case, name)
    others = [one for one in texts(case, tuple(case.kinds)) if one != name]
    others = [one for one in others if look.found(case.truth, one) is not None]
    other = chance.choice(others)
    (x0, y0), (x1, y1) = middle(layer), middle(_of(case, other))
    moved = shifted(layer, (x1 - x0) * 0.9, (y1 - y0) * 0.95)
    return _spoiled(case, name, moved, other)


def no_contrast(case: Truth, name: str, chance: Random) -> Spoiled:
    """The letters have the colour of what they stand on, give or take a little."""
    layer = _of(case, name)
    where = look.ink(case.truth, name)
    below = [one for one in case.truth.layers if one.id != name]
    ground = np.median(render(tuple(below), case.truth.size)[where][:, :3], axis=0)
    r, g, b = (int(min(255, max(0, level + chance.choice((-9, 9))))) for level in ground)
    return _spoiled(case, name, recoloured(layer, (r, g, b, 255)))


def opaque(case: Truth, name: str, chance: Random) -> Spoiled:
    """The text comes back in a box: whoever edited it gave no alpha."""
    layer = _of(case, name)
    pixels, left, top = _pixels(layer)
    matte = 255 if look.contrast(case.truth, name) > 1 and _dark(pixels) else 0
    share = pixels[:, :, 3:].astype(np.float64) / 255
    flat = pixels[:, :, :3] * share + matte * (1 - share)
    solid = np.dstack([np.rint(flat), np.full(flat.shape[:2], 255)]).astype(np.uint8)
    return _spoiled(case, name, _pictured(layer, solid, left, top))


def _dark(pixels: Pixels) -> bool:
    return bool(pixels[pixels[:, :, 3] > 128][:, :3].mean() < 128)


def shade(case: Truth, name: str, chance: Random) -> Spoiled:
    """A kept layer is a shade lighter or darker."""
    layer = _of(case, name)
    pixels, left, top = _pixels(layer)
    by = 6 if pixels[pixels[:, :, 3] > 0][:, :3].mean() < 128 else -6
    moved = np.clip(pixels[:, :, :3].astype(np.int16) + by, 0, 255).astype(np.uint8)
    return _spoiled(case, name, _pictured(layer, np.dstack([moved, pixels[:, :, 3]]), left, top))


def few_pixels(case: Truth, name: str, chance: Random) -> Spoiled:
    """A kept layer has a speck of five by five pixels."""
    layer = _of(case, name)
    pixels, left, top = _pixels(layer)
    down, across = np.nonzero(pixels[:, :, 3] > 128)
    at = chance.randrange(len(down))
    part = pixels[down[at] : down[at] + 5, across[at] : across[at] + 5]
    part[:, :, :3] = 255 - part[:, :, :3]
    return _spoiled(case, name, _pictured(layer, pixels, left, top))


def swapped_order(case: Truth, name: str, chance: Random) -> Spoiled:
    """A text lies below what it stood on."""
    layers = list(case.truth.layers)
    at = next(n for n, layer in enumerate(layers) if layer.id == name)
    under = next(n for n in range(at - 1, -1, -1) if _meet(case, layers[n].id, name))
    others = [layer.id for layer in layers[under : at + 1]]
    layers.insert(under, layers.pop(at))
    return case.truth.having(*layers), tuple(others)


def _meet(case: Truth, one: str, other: str) -> bool:
    return not look.apart(case.truth, one, other)


def vanished(case: Truth, name: str, chance: Random) -> Spoiled:
    """A layer that was to be kept is gone."""
    return case.truth.having(*(one for one in case.truth.layers if one.id != name)), (name,)


def noise(case: Truth, name: str, chance: Random) -> Spoiled:
    """A picture is nothing but noise in its old outline."""
    layer = _of(case, name)
    pixels, left, top = _pixels(layer)
    random = np.random.default_rng(case.number)
    pixels[:, :, :3] = random.integers(0, 256, pixels[:, :, :3].shape, np.uint8)
    return _spoiled(case, name, _pictured(layer, pixels, left, top))


def grey(case: Truth, name: str, chance: Random) -> Spoiled:
    """A picture is flat grey in its old outline."""
    layer = _of(case, name)
    pixels, left, top = _pixels(layer)
    pixels[:, :, :3] = 128
    return _spoiled(case, name, _pictured(layer, pixels, left, top))


def shrunk(case: Truth, name: str, chance: Random) -> Spoiled:
    """The text is half as large as it was."""
    layer = _of(case, name)
    return _spoiled(case, name, scaled(layer, 0.5, middle(layer)))


def wrong_layer(case: Truth, name: str, chance: Random) -> Spoiled:
    """Another layer says the new words, and the one that should does not."""
    layer, old = _of(case, name), look.found(case.source, name)
    assert old is not None
    others = texts(case, [one for one in case.kept if look.found(case.truth, one)])
    other = chance.choice(others)
    place = _of(case, other)
    (x0, y0), (x1, y1) = middle(layer), middle(place)
    moved = replace(shifted(layer, x1 - x0, y1 - y0), id=place.id, name=place.name)
    spoiled = _with(_with(case.truth, place, moved), layer, old)
    return spoiled, (name, other)


def not_done(case: Truth, name: str, chance: Random) -> Spoiled:
    """The layer is as it was in the source."""
    old = look.found(case.source, name)
    assert old is not None
    return _spoiled(case, name, old)


# ── who fits ────────────────────────────────────────────────────────────────────────────


def _beside(case: Truth) -> Sequence[str]:
    """Reworded texts that have another text beside them."""
    there = [one for one in texts(case, tuple(case.kinds)) if look.found(case.truth, one)]
    return case.reworded if len(there) > 1 else ()


def _kept(case: Truth) -> Sequence[str]:
    return [name for name in case.kept if case.reworded]


def _kept_texts(case: Truth) -> Sequence[str]:
    return texts(case, _kept(case))


def _with_kept_texts(case: Truth) -> Sequence[str]:
    return case.reworded if _kept_texts(case) else ()


def _pictures(case: Truth, names: Sequence[str]) -> Sequence[str]:
    there = [name for name in names if look.found(case.truth, name) is not None]
    solid = [name for name in there if case.kinds[name] != "text"]
    return [name for name in solid if isinstance(_of(case, name).content, Picture)]


def _kept_pictures(case: Truth) -> Sequence[str]:
    return _pictures(case, case.kept)


def _changed_pictures(case: Truth) -> Sequence[str]:
    """Pictures that are given another colour or show something else."""
    return _pictures(case, case.gold)


def _changed(case: Truth) -> Sequence[str]:
    """Any layer that is edited and not deleted."""
    return [name for name in case.gold if look.found(case.truth, name) is not None]


def _reworded(case: Truth) -> Sequence[str]:
    return case.reworded


WAYS = (
    Way("misspelt", "a letter wrong, or letters garbled", _reworded, misspelt),
    Way("old left", "the old words stand there as well", _reworded, old_left),
    Way("cut off", "a quarter of the letters is missing", _reworded, cut_off),
    Way("off canvas", "half of the text is outside", _reworded, off_canvas),
    Way("onto text", "the text stands on another", _beside, onto_text),
    Way("no contrast", "the letters have the ground's colour", _reworded, no_contrast),
    Way("opaque", "alpha lost: the text is in a box", _reworded, opaque),
    Way("shade", "a kept layer six levels lighter or darker", _kept, shade),
    Way("few pixels", "a kept layer with a speck of 5×5", _kept, few_pixels),
    Way("order", "a text below what it stood on", _reworded, swapped_order),
    Way("vanished", "a kept layer gone", _kept_texts, vanished),
    Way("noise", "a kept picture is noise", _kept_pictures, noise, each=1),
    Way("grey", "an edited picture is flat grey", _changed_pictures, grey, each=1),
    Way("shrunk", "the text half as large", _reworded, shrunk),
    Way("wrong layer", "another layer says the new words", _with_kept_texts, wrong_layer),
    Way("not done", "the layer is as before", _changed, not_done),
)


@cache
def spoils() -> tuple[Spoil, ...]:
    """All sixty: ways by turns, each on the first document that suits it and is not taken."""
    free = _Free()
    return tuple(
        free.take(way, language)
        for turn in range(2) for way in WAYS if turn < way.each
        for language in ("English", "Chinese")
    )  # fmt: skip


@dataclass
class _Free:
    """The documents that are not taken yet."""

    taken: set[int] = field(default_factory=set)

    def take(self, way: Way, language: str) -> Spoil:
        for number in self._numbers(language):
            case = truth(number, SEED)
            fitting = way.fits(case)
            if fitting:
                self.taken.add(number)
                chosen = Random(f"layer/{number}").choice(list(fitting))
                return Spoil(number, way, chosen)
        raise AssertionError("numbers do not end")

    def _numbers(self, language: str) -> Iterator[int]:
        number = 0 if language == "English" else 1
        while True:
            if number not in self.taken:
                yield number
            number += 4  # the known half, and this language


def stamp() -> str:
    """SHA-256 of which document is spoiled in which way, and which layer of it."""
    told = json.dumps([[one.number, one.way.name, one.layer] for one in spoils()])
    return hashlib.sha256(told.encode()).hexdigest()
