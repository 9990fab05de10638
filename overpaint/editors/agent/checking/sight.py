"""Checks of the merged picture: letters cut off, run into, covered, or lost on their ground."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from overpaint.document.boxes import Box
from overpaint.document.contrast import contrast, luminance
from overpaint.document.layers import Layer
from overpaint.document.render import sheet_of
from overpaint.editors.agent.checking.views import (
    Fault,
    Pair,
    View,
    asks_place,
    names_colour,
    unquoted,
)
from overpaint.editors.agent.joint.colours import LARGE, least
from overpaint.editors.agent.joint.phrases import colours_in
from overpaint.editors.agent.joint.sketch import plainly_set
from overpaint.vision.sheets import Leaf

_CUT = 0.015  # of its ink: a text of which more lies off the canvas is cut off
_RUN_INTO = 0.02  # of the smaller text's room: from here up two texts collide
_COVERED = 0.12  # of a text's ink: when so much more is covered, it is hidden
_HIDDEN = 0.35  # of what a picture paints
_WORSE = 0.75  # of the contrast that there was
_SMALL = 3.5  # the contrast below which small letters are a fault; WCAG asks for more of them
_LOST = 1.6  # the contrast below which letters are lost, whatever colour was meant
_INKED = 200
_NEAR = 48  # levels in a channel: so near, a colour is the one that was named
_LEAST = 12  # pixels of ink from which a colour can be told
Flags = NDArray[np.bool_]


def sight(pair: Pair) -> Iterator[Fault]:
    """Faults that only the whole shows."""
    yield from _off_canvas(pair)
    yield from _collisions(pair)
    yield from _covered(pair)
    yield from _unreadable(pair)


# ── off the canvas ──────────────────────────────────────────────────────────────────────


def _off_canvas(pair: Pair) -> Iterator[Fault]:
    for name in pair.texts:
        old, new = pair.before.layers.get(name), pair.after.layers.get(name)
        if name not in pair.changed or old is None or new is None or not new.visible:
            continue
        was, now = outside(old, pair.before), outside(new, pair.after)
        if now > was + _CUT:
            yield Fault("cut", name, f"{now:.0%} of the text lies off the canvas or its mask.")


def outside(layer: Layer, view: View) -> float:
    """How much of a layer's ink does not show on the canvas, 0–1."""
    leaf = view.leaves.get(layer.id)
    (wide, high), box = view.document.size, leaf.box if leaf is not None else (0, 0, 0, 0)
    plain = layer.mask is None and not layer.clip and not view.groups[layer.id]
    if plain and box[0] > 0 and box[1] > 0 and box[2] < wide and box[3] < high:
        return 0.0  # it ends before the canvas does
    sheet = sheet_of(layer)
    drawn = float(sheet.pixels[:, :, 3].sum()) if sheet is not None else 0.0
    if not drawn:
        return 0.0
    return 1 - (float(leaf.pixels[:, :, 3].sum()) if leaf is not None else 0.0) / drawn


# ── texts that collide ──────────────────────────────────────────────────────────────────


def _collisions(pair: Pair) -> Iterator[Fault]:
    for name in pair.texts:
        if name not in pair.changed or pair.wishes[name].deletes or _moves(pair, name):
            continue
        for other in pair.texts:
            if other == name or (other in pair.changed and other < name):
                continue
            now = _shared(pair.after, name, other)
            if now > _RUN_INTO and now > 2 * _shared(pair.before, name, other):
                yield Fault("overlap", name, "The text runs into another.", against=other)
                break


def _moves(pair: Pair, name: str) -> bool:
    return any(part.moves for part in pair.wishes[name].parts)


def _shared(view: View, one: str, other: str) -> float:
    """How much of the smaller text's room the two have in common."""
    first, second = view.leaves.get(one), view.leaves.get(other)
    if first is None or second is None or not _meet(first.box, second.box):
        return 0.0
    rooms = [room(leaf) for leaf in (first, second)]
    left, top = max(first.box[0], second.box[0]), max(first.box[1], second.box[1])
    right, bottom = min(first.box[2], second.box[2]), min(first.box[3], second.box[3])
    parts = [
        plane[top - leaf.box[1] : bottom - leaf.box[1], left - leaf.box[0] : right - leaf.box[0]]
        for plane, leaf in zip(rooms, (first, second), strict=True)
    ]
    return float((parts[0] & parts[1]).sum()) / max(1.0, float(min(map(np.sum, rooms))))


def _meet(one: Box, other: Box) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]


def room(leaf: Leaf) -> Flags:
    """The ground that words stand on: their ink, and what is between letters."""
    import cv2

    ink = np.asarray(leaf.pixels[:, :, 3] > 64, np.uint8)
    if ink.mean() > 0.9:  # words on a ground of their own
        return np.asarray(ink > 0)
    wide = max(3, min(ink.shape[0] // 2, 25))
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, wide), np.uint8))
    return np.asarray(joined) > 0


# ── covered ─────────────────────────────────────────────────────────────────────────────


def _covered(pair: Pair) -> Iterator[Fault]:
    """What was seen and now lies under an edited layer, or has itself slipped under one."""
    told: set[str] = set()
    for name, now in pair.after.seen.items():
        was = pair.before.seen.get(name)
        limit = _COVERED if name in pair.texts else _HIDDEN
        if was is None or was - now <= limit:
            continue
        blame = _over(pair, name)
        if blame and blame not in told and not asks_place(pair.wishes[blame]):
            told.add(blame)
            yield Fault("hidden", blame, "It covers what was seen before.", against=name)


def _over(pair: Pair, name: str) -> str:
    """The edited layer that covers another more than before; itself, where it went under one."""
    order = list(pair.after.leaves)
    leaf = pair.after.leaves[name]
    best, most = "", 0.02
    for other in order[order.index(name) + 1 :]:
        if other not in pair.wishes:
            continue
        more = lies_over(pair.after, other, leaf) - (
            lies_over(pair.before, other, pair.before.leaves[name])
            if other in pair.before.leaves
            else 0.0
        )
        best, most = (other, more) if more > most else (best, most)
    return best or (name if name in pair.changed else "")


def lies_over(view: View, other: str, leaf: Leaf) -> float:
    """How much of a layer's ink another one paints over."""
    upper = view.leaves.get(other)
    if upper is None or not _meet(upper.box, leaf.box):
        return 0.0
    left, top = max(upper.box[0], leaf.box[0]), max(upper.box[1], leaf.box[1])
    right, bottom = min(upper.box[2], leaf.box[2]), min(upper.box[3], leaf.box[3])
    rows = [slice(top - one.box[1], bottom - one.box[1]) for one in (upper, leaf)]
    columns = [slice(left - one.box[0], right - one.box[0]) for one in (upper, leaf)]
    above = upper.pixels[rows[0], columns[0], 3].astype(np.float32) / 255
    own = leaf.pixels[rows[1], columns[1], 3].astype(np.float32) / 255
    ink = float(leaf.pixels[:, :, 3].sum()) / 255
    return float((above * own).sum()) * upper.layer.opacity / max(1.0, ink)


# ── contrast ────────────────────────────────────────────────────────────────────────────


def _unreadable(pair: Pair) -> Iterator[Fault]:
    for name, was, now in _faded(pair):
        if blame := _blamed(pair, name):
            told = f"Its letters had a contrast of {was:.1f} and have {now:.1f}."
            yield Fault("contrast", blame, told, against="" if blame == name else name)


def hard_to_read(pair: Pair) -> Iterator[str]:
    """Notes on letters that are hard to read in the very colours that were asked for."""
    for name, was, now in _faded(pair):
        if not _blamed(pair, name):
            who = pair.scene.layer(name).name or name
            yield (
                f"layer {who!r} is hard to read in the colour that was asked for: its letters had"
                f" a contrast of {was:.1f} and have {now:.1f} (4.5 reads well, 3 if they are large)"
            )


def _faded(pair: Pair) -> Iterator[tuple[str, float, float]]:
    """The texts that have too little contrast and had more, with what they had and have."""
    for name in pair.texts:
        leaf = pair.after.leaves.get(name)
        if leaf is None or not plainly_set(leaf.layer) or not _concerned(pair, name, leaf):
            continue
        was, now = letters_contrast(pair.before, name), letters_contrast(pair.after, name)
        if was is None or now is None:
            continue
        lines = (
            1 + leaf.layer.content.words.count("\n") if hasattr(leaf.layer.content, "words") else 1
        )
        low = LARGE if least(leaf.layer, (leaf.box[3] - leaf.box[1]) / lines) == LARGE else _SMALL
        low = _LOST if _vague(pair, name) else low
        if now < low and now < _WORSE * was:
            yield name, was, now


def _concerned(pair: Pair, name: str, leaf: Leaf) -> bool:
    if name in pair.changed:
        return True
    return any(
        other in pair.changed and _meet(pair.after.leaves[other].box, leaf.box)
        for other in pair.wishes
        if other in pair.after.leaves
    )


def _blamed(pair: Pair, name: str) -> str:
    """The layer that made letters hard to read, unless it was asked for just that colour."""
    if name in pair.changed:
        return "" if _asked(pair, name) else name
    leaf = pair.after.leaves[name]
    order = list(pair.after.leaves)
    near = [n for n in order if n in pair.changed and _meet(pair.after.leaves[n].box, leaf.box)]
    near = [n for n in near if pair.wishes[n].colour is None]
    return near[-1] if near else ""


def _vague(pair: Pair, name: str) -> bool:
    """Whether a text may have been asked for a colour that the rules know in part or not at all."""
    wish = pair.wishes.get(name)
    if wish is None or name not in pair.changed:
        return False
    if wish.colour is not None:
        return not names_colour(wish)
    return unquoted(wish) or (not wish.understood and not any(p.quoted for p in wish.parts))


def _asked(pair: Pair, name: str) -> bool:
    """Whether the instruction itself names the colour that a text was given."""
    colour = pair.wishes[name].colour
    if colour is None or colour not in set(colours_in(pair.scene.instruction)):
        return False
    leaf = pair.after.leaves[name]
    ink = leaf.pixels[leaf.pixels[:, :, 3] >= _INKED][:, :3]
    return bool(len(ink)) and float(np.abs(np.median(ink, axis=0) - colour[:3]).max()) <= _NEAR


def letters_contrast(view: View, name: str) -> float | None:
    """Of a layer's letters with what lies around them, on the merged picture."""
    import cv2

    leaf = view.leaves.get(name)
    if leaf is None:
        return None
    left, top, right, bottom = leaf.box
    high, wide = view.rgb.shape[:2]
    more = 6
    x0, y0, x1, y1 = (
        max(0, left - more),
        max(0, top - more),
        min(wide, right + more),
        min(high, bottom + more),
    )
    alpha = np.zeros((y1 - y0, x1 - x0), np.uint8)
    alpha[top - y0 : bottom - y0, left - x0 : right - x0] = leaf.pixels[:, :, 3]
    ink = alpha >= _INKED
    grown = np.asarray(cv2.dilate((alpha > 8).astype(np.uint8), np.ones((3, 3), np.uint8)))
    ring = np.asarray(cv2.dilate(grown, np.ones((7, 7), np.uint8))) > grown
    if int(ink.sum()) < _LEAST or int(ring.sum()) < _LEAST:
        return None
    shown = view.rgb[y0:y1, x0:x1]
    own = float(np.median(luminance(shown[ink])))
    return float(np.median(contrast(own, luminance(shown[ring]))))
