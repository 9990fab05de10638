"""Checks of the layers as such: what is kept is kept, what is edited is so and nothing more."""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from overpaint.document.layers import Group, Layer, Picture, Shape, Text
from overpaint.document.ops import Hide, Insert, Reorder
from overpaint.document.render import bounds
from overpaint.editors.agent.checking.shown import ALL, emptied
from overpaint.editors.agent.checking.views import Fault, Pair, asking, asks_place, in_box, unquoted
from overpaint.editors.agent.joint.reading import Wish
from overpaint.editors.agent.phrasing import removes

_FAINT = 0.05  # of opacity: less is not seen
_SAME = 6  # levels: a picture in which nothing differs by more is the same
_SHIFT = 0.6  # of the size of letters: a text may be moved so far without being asked
_SIZES = (0.6, 1.6)  # times the size: what typesetting may do to make words fit
_REMOVED = re.compile(r"\b(?:delete|remove|erase|hide|drop)|删|去掉|移除|隐藏", re.IGNORECASE)
_FADED = re.compile(r"opac|transparen|fad|faint|ghost|blend|overlay|shadow|glow|透明|淡", re.I)
_ADDED = re.compile(r"\b(?:add|insert|new|another|copy|duplicate)\b|加|新|插入", re.IGNORECASE)
_TINGED = re.compile(
    r"colou?r|tone|palette|tint|theme|dark|light|bright|contrast|style|look|feel|gradient|match"
    r"|色|风格|调",
    re.IGNORECASE,
)
_FACE = ("family", "weight", "italic")
_FAR = 40  # levels in a channel: another colour, whoever looks


def structure(pair: Pair) -> Iterator[Fault]:
    """Faults in what stands where: canvas, order, groups, layers that came or went."""
    before, after = pair.before, pair.after
    if before.document.size != after.document.size:
        (a, b), (c, d) = before.document.size, after.document.size
        yield Fault("canvas", "", f"The canvas was {a}×{b} and is {c}×{d}.")
    for name in before.layers:
        if name not in after.layers and not _may_go(pair, name):
            yield Fault("lost", name, "The layer is gone.")
    more = [name for name in after.layers if name not in before.layers]
    if more and not any(map(_may_add, pair.wishes.values())):
        yield Fault("extra", "", f"There are new layers: {', '.join(more[:5])}.")
    if not any(isinstance(op, Reorder) for wish in pair.wishes.values() for op in wish.ops):
        yield from _order(pair)
    yield from _groups(pair)


def _may_go(pair: Pair, name: str) -> bool:
    wish = pair.wishes.get(name)
    if wish is None:
        return False
    asked = wish.decision.prompt
    if wish.deletes or removes(asked, pair.scene.layer(name).words):
        return True
    return not wish.understood and bool(_REMOVED.search(asked))


def _may_add(wish: Wish) -> bool:
    if any(isinstance(op, Insert) for op in wish.ops):
        return True
    return not wish.understood and _ADDED.search(wish.decision.prompt) is not None


def _order(pair: Pair) -> Iterator[Fault]:
    old = [name for name in pair.before.layers if name in pair.after.layers]
    new = [name for name in pair.after.layers if name in pair.before.layers]
    if old != new:
        first = next(b for a, b in zip(old, new, strict=True) if a != b)
        yield Fault("order", first, "The layers stand in another order.")
        return
    moved = [n for n in old if pair.before.groups[n] != pair.after.groups[n]]
    yield from (Fault("order", n, "The layer stands in another group.") for n in moved[:1])


def _groups(pair: Pair) -> Iterator[Fault]:
    new = {layer.id: layer for layer in pair.after.document if layer.kind == "group"}
    for layer in pair.before.document:
        if layer.kind != "group" or layer.id not in new:
            continue
        if replace(layer, content=Group(())) != replace(new[layer.id], content=Group(())):
            yield Fault("kept changed", layer.id, "A group is not as it was.")


def kept(pair: Pair) -> Iterator[Fault]:
    """Layers that were to be kept and are not the same to the last bit."""
    for name, layer in pair.before.layers.items():
        now = pair.after.layers.get(name)
        if name not in pair.wishes and now is not None and now != layer:
            yield Fault("kept changed", name, "The layer was to be kept and is not as it was.")


def edited(pair: Pair) -> Iterator[Fault]:
    """Edited layers on which nothing was done, or more than was asked."""
    spared = emptied(pair)
    for name, wish in pair.wishes.items():
        old, new = pair.before.layers.get(name), pair.after.layers.get(name)
        if old is None or new is None:
            continue
        if wish.deletes:
            if name in pair.after.leaves:
                why = f" With it {ALL} would go, which nobody asked for." if name in spared else ""
                told = f"The layer was to be deleted and still shows.{why}"
                yield Fault("not done", name, told)
            continue
        if _unchanged(old, new) or _shows_the_same(pair, name):
            yield Fault("unchanged", name, "The layer was to be edited and is as it was.")
            continue
        yield from _attributes(wish, old, new)
        if not asks_place(wish):
            yield from _geometry(pair, old, new)
        yield from _looks(wish, old, new)


def _unchanged(old: Layer, new: Layer) -> bool:
    if old == new:
        return True
    if not isinstance(old.content, Picture) or not isinstance(new.content, Picture):
        return isinstance(new.content, Text) and replace(new, content=old.content) == old and (
            _told(old) == _told(new)
        )  # fmt: skip
    one, two = old.content.pixels, new.content.pixels
    if one.shape != two.shape or replace(new, content=old.content) != old:
        return False
    share = np.minimum(one[:, :, 3:], two[:, :, 3:]).astype(np.float32) / 255
    apart = np.abs(one.astype(np.int16) - two)
    colours = float((apart[:, :, :3] * share).max(initial=0))
    return max(colours, int(apart[:, :, 3].max(initial=0))) <= _SAME


def _shows_the_same(pair: Pair, name: str) -> bool:
    """Whether a layer that is another shows the very same pixels at the same place."""
    both = pair.both(name)
    if both is None or both[0].box != both[1].box:
        return False
    now = both[1].layer.content
    if isinstance(now, Text) and now.drawn is None:
        return False  # what changed of it may lie off the canvas
    same = np.array_equal(both[0].pixels, both[1].pixels)
    return bool(same) and both[0].layer.opacity == both[1].layer.opacity


def _told(layer: Layer) -> object:
    """What a text is made of, but for how it was drawn."""
    text = layer.content
    return (text.runs, text.width) if isinstance(text, Text) else None


def _attributes(wish: Wish, old: Layer, new: Layer) -> Iterator[Fault]:
    prompt = asking(wish)
    hides = any(isinstance(op, Hide) for op in wish.ops) or _REMOVED.search(prompt)
    if old.visible and not new.visible and not hides:
        yield Fault("visibility", old.id, "The layer is hidden, which nobody asked for.")
    faded = abs(old.opacity - new.opacity) > _FAINT or old.blend != new.blend
    if (faded or old.clip != new.clip) and not _FADED.search(prompt):
        yield Fault("looks", old.id, "Opacity, blending or clipping is not as it was.")
    if old.mask != new.mask and not asks_place(wish) and not _FADED.search(prompt):
        yield Fault("looks", old.id, "The layer's mask is not as it was.")


def _geometry(pair: Pair, old: Layer, new: Layer) -> Iterator[Fault]:
    """Place, angle and size of an edited layer, where none of them was to change."""
    if (old.angle - new.angle) % 360 > 0.5 and (new.angle - old.angle) % 360 > 0.5:
        yield Fault("geometry", old.id, "The layer is turned, which nobody asked for.")
    if isinstance(old.content, Text) and isinstance(new.content, Text):
        yield from _set_elsewhere(pair, old, new, old.content, new.content)
    elif isinstance(old.content, Text) or isinstance(new.content, Text):
        return
    elif old.id in pair.texts:
        yield from _drawn_elsewhere(pair, old.id)
    elif _size(old) != _size(new):
        (a, b), (c, d) = _size(old), _size(new)
        yield Fault("size", old.id, f"The layer was {a:g}×{b:g} large and is {c:g}×{d:g}.")
    elif max(abs(old.left - new.left), abs(old.top - new.top)) > 1:
        yield Fault("geometry", old.id, "The layer stands elsewhere, which nobody asked for.")


def _size(layer: Layer) -> tuple[float, float]:
    if isinstance(layer.content, Picture):
        high, wide = layer.content.pixels.shape[:2]
        return float(wide), float(high)
    return (
        (layer.content.width, layer.content.height) if isinstance(layer.content, Shape) else (0, 0)
    )


def _set_elsewhere(pair: Pair, old: Layer, new: Layer, was: Text, now: Text) -> Iterator[Fault]:
    """A text in a size or at a place that making room does not explain."""
    size, other = (max((r.style.size for r in text.runs), default=0.0) for text in (was, now))
    if size and not _SIZES[0] <= other / size <= _SIZES[1]:
        yield Fault("size", old.id, f"The letters were {size:.0f} px large and are {other:.0f}.")
        return
    if max(abs(new.left - old.left), abs(new.top - old.top)) <= _SHIFT * size:
        return
    if was.style.align != now.style.align or was.width != now.width:
        return
    there = bounds(replace(new, left=old.left, top=old.top, angle=0.0))
    if there is None or in_box(there, pair.before.document.size):
        yield Fault("geometry", old.id, "The text stands elsewhere, which nobody asked for.")


def _drawn_elsewhere(pair: Pair, name: str) -> Iterator[Fault]:
    """Words that are pixels: their box may be as wide as they are, but stands where it stood."""
    both, prompt = pair.both(name), asking(pair.wishes[name])
    if both is None or _REMOVED.search(prompt) or _ADDED.search(prompt):
        return  # with lines that come or go, words take another room
    (a, b, c, d), (e, f, g, h) = both[0].box, both[1].box
    lines = 1 + pair.wishes[name].seen.words.strip().count("\n")
    slack = max(4.0, _SHIFT * (d - b) / lines)
    if min(abs(e - a), abs(g - c), abs(e + g - a - c) / 2) > slack or (
        min(abs(f - b), abs(h - d), abs(f + h - b - d) / 2) > slack
    ):
        yield Fault("geometry", name, "The words stand elsewhere, which nobody asked for.")


def _looks(wish: Wish, old: Layer, new: Layer) -> Iterator[Fault]:
    """Letters in another colour, where only their words were to change."""
    if not isinstance(old.content, Text) or not isinstance(new.content, Text):
        return
    if wish.colour or not wish.understood or _TINGED.search(asking(wish)):
        return
    if unquoted(wish):
        return  # a colour that the rules do not know looks like new words
    yield from _faces(wish, old, old.content, new.content)
    was = {run.style.colour for run in old.content.runs}
    for run in new.content.runs:
        near = (max(abs(a - b) for a, b in zip(run.style.colour, c, strict=True)) for c in was)
        if run.words.strip() and min(near, default=0) > _FAR:
            yield Fault("looks", old.id, "The letters have another colour, which nobody asked for.")
            return


def _faces(wish: Wish, layer: Layer, was: Text, now: Text) -> Iterator[Fault]:
    """Letters in another font, where nobody asked for one."""
    if any(getattr(op, name, None) is not None for op in wish.ops for name in _FACE):
        return
    old = {tuple(getattr(run.style, name) for name in _FACE) for run in was.runs}
    new = {
        tuple(getattr(run.style, name) for name in _FACE) for run in now.runs if run.words.strip()
    }
    if new - old:
        yield Fault("looks", layer.id, "The letters have another font, which nobody asked for.")
