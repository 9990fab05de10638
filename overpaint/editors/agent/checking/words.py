"""Checks of words: what was ordered is there and spelt right, what it replaced is gone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from overpaint.document.differing import steps
from overpaint.document.layers import Layer, Picture, Text, plain
from overpaint.document.ops import Delete, Insert, ReplaceText
from overpaint.document.pictures import with_alpha
from overpaint.editors.agent.checking.views import Fault, Pair, short, unquoted
from overpaint.editors.agent.joint.phrases import stands
from overpaint.editors.agent.joint.reading import Wish
from overpaint.editors.agent.joint.words import replaced
from overpaint.measures.evidence.words import bare, key, near, nearest
from overpaint.vision.lettered import lines_in
from overpaint.vision.sheets import Leaf

_MARKS = str.maketrans("‘’`´“”„«»–—‐‑\u00a0", '\'\'\'\'"""""---- ')
# Simplified and traditional forms that differ by a dot or a stroke: a reader of both scripts gives
# one for the other, as 減 for 减.
_FORMS = str.maketrans(
    "減決淨涼況沖湊強別宮沒黃戶溫換煥喚內吳悅脫稅兌羨盜呂侶橫冊晉瑤搖遙爭靜",
    "减决净凉况冲凑强别宫没黄户温换焕唤内吴悦脱税兑羡盗吕侣横册晋瑶摇遥争静",
)
_OFF = 0.12  # of the letters: what a reader may have wrong in words that are drawn
_MOST = 0.72  # of the letters: with fewer, some are lost
_AROUND = 24  # pixels around a layer that are read with it
_LARGE = 4_000_000  # pixels: more are not enlarged
_MORE = 8  # letters that a reader may see in ornaments
_SHORT = 4  # letters: less is not held against a reader
_TOLD = (ReplaceText, Insert, Delete)


@dataclass(frozen=True)
class Order:
    """What a layer is to say: all of it where that is known, and what must or must not be there."""

    whole: str | None
    there: tuple[str, ...]
    gone: tuple[str, ...]


def ordered(wish: Wish) -> Order:
    """What the prompt orders, as far as the rules understand it."""
    there = [new for _, new in wish.renames] + [part.adds for part in wish.parts]
    there = [wish.says] if wish.says else there
    gone = [old for old, new in wish.renames if not stands(old, new)]
    gone += [op.where.text for op in wish.ops if isinstance(op, Delete) and op.where.text]
    final = wish.words
    if keeps_words(wish):
        return Order(wish.seen.words, (), ())
    gone = [old for old in gone if old and not stands(old, final)] if not _partial(wish) else []
    whole = final if wish.understood and not _partial(wish) and _rewords(wish) else None
    if not wish.says and not all(stands(old, wish.seen.words) for old, _ in wish.renames):
        whole = None  # it stands on several lines, say
        there = [part for old, new in wish.renames for part in fresh(old, new)]
    if wish.understood or whole is not None:
        return Order(whole, tuple(filter(None, there)), tuple(gone))
    new = [q for part in wish.parts for q in part.quoted if not stands(q, wish.seen.words)]
    return Order(None, tuple(q for q in new if len(new) == 1 or q in there), ())


def fresh(old: str, new: str) -> list[str]:
    """What a new text says that the old one did not."""
    if " " in new.strip():
        return [word for _, after in replaced(old, new) for word in after.split()] or [new]
    found = [new[k:m] for op, _, _, k, m in steps(old, new) if op != "equal" and k < m]
    return found or [new]


def keeps_words(wish: Wish) -> bool:
    """Whether a text is asked for another colour, size or place, and for no other words."""
    asked = [part for part in wish.parts if part.ops or not part.understood]
    if not wish.seen.words.strip() or any(part.quoted for part in wish.parts) or not asked:
        return False
    if any(isinstance(op, _TOLD) for op in wish.ops):
        return False
    return all(part.ops or part.colour for part in asked)


def _rewords(wish: Wish) -> bool:
    return bool(wish.says or wish.renames)


def _partial(wish: Wish) -> bool:
    """Whether some of its words change in a way that leaves the whole open."""
    told = [op for op in wish.ops if isinstance(op, _TOLD)]
    if any(isinstance(op, Insert | Delete) for op in told):
        return True
    return any(op.where.nth or op.where.place or op.where.of for op in told)


def words(pair: Pair) -> Iterator[Fault]:
    """Faults in what the edited layers say."""
    for name, wish in pair.wishes.items():
        layer, leaf = pair.after.layers.get(name), pair.after.leaves.get(name)
        if layer is None or wish.deletes or layer == pair.before.layers.get(name):
            continue
        if isinstance(layer.content, Text):
            yield from _live(pair, wish, layer, layer.content)
        elif isinstance(layer.content, Picture) and leaf is not None:
            yield from _drawn(pair, wish, leaf)


def _live(pair: Pair, wish: Wish, layer: Layer, text: Text) -> Iterator[Fault]:
    order, said = ordered(wish), text.words
    if unquoted(wish) and same(said, wish.seen.words):
        return  # what looks like new words is a colour, say
    right = order.whole if order.whole is not None else ""
    if not said.strip():
        yield Fault("empty", layer.id, "The text says nothing any more.", right)
        return
    if order.whole is not None and not same(said, order.whole):
        told = f"It says “{short(said)}” and should say “{short(order.whole)}”."
        yield Fault("words", layer.id, told, right)
        return
    missing = [one for one in order.there if not says(said, one)]
    left = [one for one in order.gone if stands(one, said)]
    if order.whole is None and missing:
        told = f"It says “{short(said)}”, without “{short(missing[0])}”."
        yield Fault("words", layer.id, told, right)
    elif order.whole is None and left:
        yield Fault("words", layer.id, f"It still says “{short(left[0])}”.", right)
    elif text.drawn is not None:
        yield from _stale(pair, layer, said)


def _stale(pair: Pair, layer: Layer, said: str) -> Iterator[Fault]:
    """A text that says new words and still shows a picture of the old ones."""
    before, leaf = pair.before.layers.get(layer.id), pair.after.leaves.get(layer.id)
    was = before.content.words if before and isinstance(before.content, Text) else said
    if leaf is None or same(was, said):
        return
    if not reads(_read(leaf), said):
        yield Fault("words", layer.id, f"It shows something other than “{short(said)}”.", said)


def _drawn(pair: Pair, wish: Wish, leaf: Leaf) -> Iterator[Fault]:
    """Words in a picture, read."""
    order = ordered(wish)
    if not order.there and not order.gone and order.whole is None:
        return
    if wish.seen.kind != "text" and not order.there:
        return
    said = _read(leaf)
    if unquoted(wish) and reads(said, wish.seen.words):
        return
    missing = [one for one in order.there if not reads(said, one)]
    if missing:  # a second look, at the merged picture, before anything is called missing
        again = _read_merged(pair, leaf)
        missing = [one for one in missing if not reads(again, one)]
    left = [one for one in order.gone if len(bare(one)) > 2 and _reads_exactly(said, one)]
    if missing:
        told = f"It reads “{short(said)}”, without “{short(missing[0])}”."
        yield Fault("words", wish.id, told, order.whole or "")
    elif left:
        yield Fault("words", wish.id, f"“{short(left[0])}” can still be read.", order.whole or "")
    elif order.whole is not None and not (
        _reads_most(said, order.whole) or _reads_all(_read_merged(pair, leaf), order.whole)
    ):
        told = f"It reads “{short(said)}” and should say “{short(order.whole)}”."
        yield Fault("words", wish.id, told, order.whole)


def _reads_all(read: str, whole: str) -> bool:
    """Whether each line of what a layer should say was read somewhere."""
    return all(reads(read, line) for line in whole.splitlines())


def _reads_most(read: str, whole: str) -> bool:
    """Whether most of what a layer should say was read, line by line in any order."""
    from rapidfuzz import fuzz

    goal = _key(whole)
    if len(goal) < _SHORT:
        return True
    lines = [_key(line) for line in whole.splitlines() if len(_key(line)) >= _SHORT] or [goal]
    found = [fuzz.partial_ratio(line, _key(read)) for line in lines if _key(read)]
    long = _MOST * len(goal) <= len(_key(read)) <= len(goal) / _MOST + _MORE
    return bool(found) and long and min(found) >= 100 * _MOST


def _read(leaf: Leaf) -> str:
    return "\n".join(line.text for line in lines_in(leaf.pixels))


def _read_merged(pair: Pair, leaf: Leaf) -> str:
    """What is read where a layer lies, on the merged picture, as it is and enlarged."""
    left, top, right, bottom = leaf.box
    part = pair.after.rgb[max(0, top - _AROUND) : bottom + _AROUND,
                          max(0, left - _AROUND) : right + _AROUND]  # fmt: skip
    solid = with_alpha(np.ascontiguousarray(part))
    large = np.repeat(np.repeat(solid, 2, axis=0), 2, axis=1)
    small = np.ascontiguousarray(solid[::2, ::2])
    looks = (solid, small, large) if large.shape[0] * large.shape[1] < _LARGE else (solid, small)
    return "\n".join(line.text for look in looks for line in lines_in(look))


def same(one: str, other: str) -> bool:
    """Whether two texts say the same, whatever their breaks, quotation marks and capitals."""
    return _folded(one) == _folded(other)


def says(text: str, wanted: str) -> bool:
    """Whether a text says these words somewhere."""
    return _folded(wanted) in _folded(text)


def _folded(text: str) -> str:
    """In small letters, plain marks and single spaces, and with none beside a Chinese letter."""
    return re.sub(r"(?<=[^\x00-\xff]) | (?=[^\x00-\xff])", "", plain(text.translate(_MARKS)))


def reads(read: str, wanted: str) -> bool:
    """Whether a reader saw these words, but for mistakes that may be its own."""
    goal = _key(wanted)
    if not goal:
        return True
    off, part = nearest(goal, _key(read))
    return off == 0 or (off <= max(1, _OFF * len(goal)) and near(goal, part))


def _reads_exactly(read: str, words: str) -> bool:
    return key(words) in key(read)


def _key(text: str) -> str:
    """What a reader can tell apart of a text, whichever script it takes it for."""
    return key(text.translate(_FORMS))
