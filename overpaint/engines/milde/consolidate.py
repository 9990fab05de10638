"""Consolidation: layers of one class that do not overlap become one, and no pixel changes.

MiLDE's first step. A layer may move down next to another only past
layers that it does not overlap: two overlap if any pixel has alpha above 0 in both. What is laid
where another is clear leaves it as it is to the last bit (`document/render.py`), so every pixel
sees the same layers in the same order before and after.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Document, Layer, Picture, Pixels
from overpaint.document.boxes import Box, box_around
from overpaint.document.layers import Blend, Group
from overpaint.document.render import Sheet, sheet_of, shown_by
from overpaint.document.tree import with_clipped
from overpaint.vision.layers import Kind

_WORD = 64  # pixels of a row in one number
_LONGEST = 80  # letters of a merged layer's name


@dataclass(frozen=True)
class Consolidated:
    """A document of fewer layers that looks the same, and which layers each is made of."""

    document: Document
    members: Mapping[str, tuple[str, ...]]  # by id: the ids of what was merged, bottom first


def consolidated(document: Document, kinds: Mapping[str, Kind]) -> Consolidated:
    """Merge what has one class and does not overlap, greedily, bottom up, into the nearest below.

    `kinds` has the class of layers by id; a layer without one is left alone, and so is one in
    whose place no single picture would give the same pixels: masked, clipped or clipped to, in a
    group that is more than a folder. Merged layers share opacity and blend mode.
    """
    placed: list[_Entry] = []
    for unit in with_clipped(dissolved(document.layers)):
        entry = _entry(unit, kinds, document.size)
        below = _nearest(placed, entry)
        if below is None:
            placed.append(entry)
        else:
            below.take(entry)
    layers = [layer for entry in placed for layer in entry.layers(document.size)]
    members = {
        entry.members[0].id: tuple(layer.id for layer in entry.members)
        for entry in placed
        if entry.key is not None
    }
    return Consolidated(document.having(*layers), members)


def dissolved(layers: Sequence[Layer]) -> tuple[Layer, ...]:
    """The layers with those of mere folders in their place: groups that change nothing in them."""
    found: list[Layer] = []
    for base, *clipped in with_clipped(layers):
        plain = base.opacity == 1 and base.mask is None and base.visible and not clipped
        if isinstance(base.content, Group) and base.blend == "pass-through" and plain:
            inner = dissolved(base.content.layers)
            # The lowest in a folder is clipped to nothing, whatever it says.
            found += [replace(one, clip=False) if not at and one.clip else one
                      for at, one in enumerate(inner)]  # fmt: skip
        else:
            found += [base, *clipped]
    return tuple(found)


# ── one after the other ─────────────────────────────────────────────────────────────────

Key = tuple[Kind, float, Blend]


@dataclass(frozen=True)
class _Ink:
    """Where something is above 0: a bit for each pixel of a box, its sides at whole numbers."""

    bits: NDArray[np.uint64]
    box: Box

    def meets(self, other: "_Ink") -> bool:
        """Whether any pixel is in both."""
        (a, b, c, d), (e, f, g, h) = self.box, other.box
        left, top, right, bottom = max(a, e), max(b, f), min(c, g), min(d, h)
        if left >= right or top >= bottom:
            return False
        own = self.bits[top - b : bottom - b, (left - a) // _WORD : (right - a) // _WORD]
        its = other.bits[top - f : bottom - f, (left - e) // _WORD : (right - e) // _WORD]
        return bool((own & its).any())

    def with_(self, other: "_Ink") -> "_Ink":
        """Where either is."""
        box = _around(self.box, other.box)
        left, top, right, bottom = box
        bits = np.zeros((bottom - top, (right - left) // _WORD), np.uint64)
        for one in (self, other):
            a, b, c, d = one.box
            bits[b - top : d - top, (a - left) // _WORD : (c - left) // _WORD] |= one.bits
        return _Ink(bits, box)


@dataclass
class _Entry:
    """What stands at one height: layers that cannot be merged, or some that have been."""

    members: list[Layer]
    key: Key | None  # None: left alone
    ink: _Ink | None  # None: nothing of it shows on the canvas
    sheets: list[Sheet]

    def take(self, other: "_Entry") -> None:
        """Merge with what does not overlap it."""
        assert self.ink is not None
        assert other.ink is not None
        self.members += other.members
        self.sheets += other.sheets
        self.ink = self.ink.with_(other.ink)

    def layers(self, size: tuple[int, int]) -> list[Layer]:
        """The very layers, or the one that they become."""
        if self.key is None or len(self.members) == 1:
            return self.members
        pixels, left, top = _sheet(self.sheets, size)
        first = self.members[0]
        names = " + ".join(dict.fromkeys(one.name for one in self.members if one.name))
        short = names if len(names) <= _LONGEST else f"{names[: _LONGEST - 1]}…"
        return [Layer(Picture(pixels), short, first.id, left, top,
                      opacity=first.opacity, blend=first.blend)]  # fmt: skip


def _nearest(placed: Sequence[_Entry], entry: _Entry) -> _Entry | None:
    """The nearest entry below that it can be moved to and merged with."""
    if entry.key is None or entry.ink is None:
        return None
    for below in reversed(placed):
        if below.ink is None:
            continue
        if below.ink.meets(entry.ink):
            return None
        if below.key == entry.key:
            return below
    return None


def _entry(unit: Sequence[Layer], kinds: Mapping[str, Kind], size: tuple[int, int]) -> _Entry:
    base, alone = unit[0], len(unit) == 1
    if not base.visible or base.opacity <= 0:
        return _Entry(list(unit), None, None, [])
    if isinstance(base.content, Group):
        # What passes through is mixed with the whole canvas, which rounds it a little everywhere.
        mixes = alone and base.blend == "pass-through"
        ink = _everywhere(size) if mixes else _group_ink(base.content, size)
        return _Entry(list(unit), None, ink, [])
    sheet = sheet_of(base)
    ink = None if sheet is None else _ink(base, sheet, size)
    kind = kinds.get(base.id)
    movable = alone and not base.clip and base.mask is None and kind is not None
    if ink is None or sheet is None or not movable:
        return _Entry(list(unit), None, ink, [])
    assert kind is not None
    return _Entry([base], (kind, base.opacity, base.blend), ink, [sheet])


# ── what is where ───────────────────────────────────────────────────────────────────────


def _group_ink(group: Group, size: tuple[int, int]) -> _Ink | None:
    """Where anything in a group may show; masks and clips can only take from it."""
    found: _Ink | None = None
    for layer in group.layers:
        if not layer.visible or layer.opacity <= 0:
            continue
        if isinstance(layer.content, Group):
            ink = _group_ink(layer.content, size)
        else:
            sheet = sheet_of(layer)
            ink = None if sheet is None else _ink(layer, sheet, size)
        if ink is not None:
            found = ink if found is None else found.with_(ink)
    return found


def _everywhere(size: tuple[int, int]) -> _Ink:
    words = -(-size[0] // _WORD)
    every = np.full((size[1], words), np.iinfo(np.uint64).max, np.uint64)
    return _Ink(every, (0, 0, words * _WORD, size[1]))


def _ink(layer: Layer, sheet: Sheet, size: tuple[int, int]) -> _Ink | None:
    """Where a layer is above 0 on the canvas, tight to the nearest words of bits."""
    part, (left, top) = _on_canvas(sheet, size)
    painted = part[:, :, 3] > 0
    if layer.mask is not None:
        high, wide = painted.shape
        painted = painted & (shown_by(layer.mask, (left, top, left + wide, top + high)) > 0)
    within = box_around(painted)
    if within is None:
        return None
    x0, y0, x1, y1 = within
    first, last = (left + x0) // _WORD * _WORD, -(-(left + x1) // _WORD) * _WORD
    room = np.zeros((y1 - y0, last - first), np.bool_)
    room[:, left + x0 - first : left + x1 - first] = painted[y0:y1, x0:x1]
    bits = np.packbits(room, axis=1).view(np.uint64)
    return _Ink(bits, (first, top + y0, last, top + y1))


def _on_canvas(sheet: Sheet, size: tuple[int, int]) -> tuple[Pixels, tuple[int, int]]:
    """The part of a sheet on the canvas, which may be empty, and its corner."""
    (a, b, c, d), (wide, high) = sheet.box, size
    left, top = min(max(a, 0), wide), min(max(b, 0), high)
    right, bottom = max(min(c, wide), left), max(min(d, high), top)
    if left >= right or top >= bottom:
        return sheet.pixels[:0, :0], (0, 0)
    return sheet.pixels[top - b : bottom - b, left - a : right - a], (left, top)


def _sheet(sheets: Sequence[Sheet], size: tuple[int, int]) -> tuple[Pixels, int, int]:
    """All the sheets, which do not overlap, on one as large as they need on the canvas."""
    parts = []
    for sheet in sheets:
        pixels, (left, top) = _on_canvas(sheet, size)
        x0, y0, x1, y1 = box_around(pixels[:, :, 3]) or (0, 0, 0, 0)
        parts.append((pixels[y0:y1, x0:x1], (left + x0, top + y0, left + x1, top + y1)))
    whole = parts[0][1]
    for _, box in parts[1:]:
        whole = _around(whole, box)
    left, top, right, bottom = whole
    made = np.zeros((bottom - top, right - left), np.uint32)
    for pixels, (a, b, c, d) in parts:
        packed = np.ascontiguousarray(pixels).view(np.uint32)[:, :, 0]
        place = made[b - top : d - top, a - left : c - left]
        np.copyto(place, packed, where=pixels[:, :, 3] > 0)
    return made.view(np.uint8).reshape(bottom - top, right - left, 4), left, top


def _around(one: Box, other: Box) -> Box:
    return (
        min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
    )  # fmt: skip
