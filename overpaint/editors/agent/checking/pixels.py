"""Checks of an edited layer's pixels: not empty, not noise, not a box where a figure was."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Colour, Picture, Pixels
from overpaint.editors.agent.checking.drawn import shares
from overpaint.editors.agent.checking.views import Fault, Pair, asking, asks_place, names_colour
from overpaint.vision.sheets import Leaf

_CLEAR, _SOLID = 16, 240  # of 255: alpha of what is not there, and of what is
_FEW = 0.03  # of a layer's box: less clear ground is none
_FILLED = 0.85  # of the ground that was clear: when so much is solid, the figure is a box
_LEVEL = 3.0  # levels that a flat colour spreads over
_VARIED = 12.0  # levels from which a picture shows something
_SMOOTH, _ROUGH = 0.6, 0.25  # how alike neighbours are in a picture, and in noise
_RUNS_AROUND = 0.7  # of the rim that a figure had clear: a halo runs around most of it
_HALO = 20.0  # levels between a figure's edge and what lies right inside of it
_UNIFORM = 30.0  # levels that the colours of a halo spread over
_FARTHER, _OTHER = 40.0, 60.0  # levels: a colour that was missed, and by how much at least
_ALL = 0.95  # of the ink that words should have: with more, none is cut off
_RIM = 60  # pixels from which a rim can be judged
_PLAINLY = re.compile(
    r"plain|solid|flat|uniform|single colou?r|blank|empty|silhouette|fill|纯色|单色|填充",
    re.IGNORECASE,
)
_GRAINY = re.compile(r"nois|grain|static|textur|pixel|glitch|confetti|噪|颗粒", re.IGNORECASE)
Flags = NDArray[np.bool_]


def pixels(pair: Pair) -> Iterator[Fault]:
    """Faults in what the edited layers paint."""
    for name in pair.wishes:
        if pair.wishes[name].deletes or name not in pair.changed:
            continue
        one, two = pair.before.leaves.get(name), pair.after.leaves.get(name)
        if one is None:
            continue
        if two is None or _vanished(one, two):
            yield Fault("empty", name, "The layer shows nothing any more.")
            continue
        yield from _coloured(pair, name, one, two)
        yield from _picture(pair, name, one, two)


def _coloured(pair: Pair, name: str, one: Leaf, two: Leaf) -> Iterator[Fault]:
    """A layer that was to have another colour and is farther from it than before."""
    colour = pair.wishes[name].colour
    if colour is None or not names_colour(pair.wishes[name]):
        return  # of "dusty red" only the red may have been read
    was, now = (_apart(leaf, colour) for leaf in (one, two))
    if now > was + _FARTHER and now > _OTHER:
        yield Fault("colour", name, "It has another colour than was asked for.")


def _apart(leaf: Leaf, colour: Colour) -> float:
    """How far a layer's usual colour is from another, in the channel that differs most."""
    found = leaf.pixels[leaf.pixels[:, :, 3] > 128][:, :3]
    if not len(found):
        return 0.0
    return float(np.abs(np.median(found, axis=0) - np.asarray(colour[:3], np.float32)).max())


def _vanished(one: Leaf, two: Leaf) -> bool:
    """Whether hardly any of the paint that there was is left."""
    if isinstance(two.layer.content, Picture):
        old, new = (float(leaf.pixels[:, :, 3].sum()) for leaf in (one, two))
        return new < 0.02 * old
    return False


def _picture(pair: Pair, name: str, one: Leaf, two: Leaf) -> Iterator[Fault]:
    prompt = asking(pair.wishes[name])
    if not isinstance(two.layer.content, Picture) or not isinstance(one.layer.content, Picture):
        return
    old, new = one.layer.content.pixels, two.layer.content.pixels
    if old.shape == new.shape:
        yield from _alpha(name, old, new)
    elif (
        float((old[:, :, 3] <= _CLEAR).mean()) > 0.2
        and float((new[:, :, 3] < _SOLID).mean()) < 0.02
    ):
        yield Fault("alpha", name, "It is a solid box where only a figure was.")
    if pair.wishes[name].seen.kind == "text":
        yield from _cut(pair, name, old, new)
        if _is_box(old) and not _is_inked(new) and _is_inked(old):
            yield Fault("flat", name, "No letters are left in it.")
        return
    if _is_flat(new) and not _is_flat(old) and _varied(old):
        if not _may_be_flat(pair, name, old, two):
            yield Fault("flat", name, "The picture is a plain colour now.")
    elif _likeness(new) < _ROUGH and _likeness(old) > _SMOOTH and not _GRAINY.search(prompt):
        yield Fault("noise", name, "The picture is noise now.")


# ── alpha ───────────────────────────────────────────────────────────────────────────────


def _alpha(name: str, old: Pixels, new: Pixels) -> Iterator[Fault]:
    clear = old[:, :, 3] <= _CLEAR
    if clear.mean() >= _FEW:
        filled = float((new[:, :, 3][clear] >= _SOLID).mean())
        if filled >= _FILLED:
            yield Fault("alpha", name, "It is a solid box where only a figure was.")
            return
    if _grown(old, new) or _fringed(old, new):
        yield Fault("halo", name, "A rim of another colour runs around it.")


def _grown(old: Pixels, new: Pixels) -> bool:
    """Whether a figure has got a rim of one colour, outside of where it ended."""
    ends = [_dilated(old[:, :, 3] > _CLEAR, by) for by in (0, 3, 6, 9)]
    ring, beyond = ends[1] & ~ends[0], ends[3] & ~ends[2]
    if int(ring.sum()) < _RIM or int(beyond.sum()) < _RIM:
        return False
    there = new[:, :, 3] > 128
    if there[ring].mean() < _RUNS_AROUND or there[beyond].mean() > 0.5 * there[ring].mean():
        return False
    return float(new[:, :, :3][ring & there].std(axis=0).max()) < _UNIFORM


def _fringed(old: Pixels, new: Pixels) -> bool:
    """Whether the half-clear edge of a figure has a colour that is not the figure's."""
    was, now = _fringe(old), _fringe(new)
    if was is None or now is None:
        return False
    return now[0] > 3 * was[0] + _HALO and now[1] < max(_LEVEL, now[0] / 2)


def _fringe(pixels: Pixels) -> tuple[float, float] | None:
    """How far the edge's colours are from those right inside, and how much they spread."""
    import cv2

    alpha = pixels[:, :, 3]
    inside = ~_dilated(alpha < _SOLID, 1) & _dilated(alpha < _SOLID, 5)
    share = cv2.blur(inside.astype(np.float32), (11, 11))
    edge = (alpha > _CLEAR) & (alpha < _SOLID) & (share > 0.02)
    if int(edge.sum()) < _RIM:
        return None
    colours = pixels[:, :, :3].astype(np.float32)
    near = cv2.blur(colours * inside[:, :, None], (11, 11)) / np.maximum(share, 1e-6)[:, :, None]
    apart = float(np.median(np.abs(colours - near).max(axis=2)[edge]))
    return apart, float(colours[edge].std(axis=0).max())


def _dilated(flags: Flags, by: int) -> Flags:
    import cv2

    if not by:
        return flags
    round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * by + 1, 2 * by + 1))
    return np.asarray(cv2.dilate(flags.astype(np.uint8), round_)) > 0


# ── letters that are pixels ─────────────────────────────────────────────────────────────


def _cut(pair: Pair, name: str, old: Pixels, new: Pixels) -> Iterator[Fault]:
    """Letters that run against the edge of their own layer, and did not before."""
    if asks_place(pair.wishes[name]) or _is_box(old) or _is_box(new) or old.shape != new.shape:
        return  # a layer cut to its words has them at its edges
    found = shares(pair, pair.wishes[name])
    if found is not None and found[1] > _ALL:
        return
    for edge, clear in zip(_edges(new), _margins(old), strict=True):
        if edge >= 3 and clear:
            yield Fault("cut", name, "Letters are cut off by the edge of their layer.")
            return


def _edges(pixels: Pixels) -> list[int]:
    """How many pixels of ink lie on each edge."""
    ink = pixels[:, :, 3] > 160
    return [int(side.sum()) for side in (ink[0], ink[-1], ink[:, 0], ink[:, -1])]


def _margins(pixels: Pixels) -> list[bool]:
    """Whether nothing lies near each edge: a layer cut to its letters has soft ones there."""
    ink = pixels[:, :, 3] > 0
    return [not side.any() for side in (ink[:3], ink[-3:], ink[:, :3], ink[:, -3:])]


def _is_box(pixels: Pixels) -> bool:
    return bool((pixels[:, :, 3] >= _SOLID).mean() > 0.95)


def _is_inked(pixels: Pixels) -> bool:
    return float(pixels[:, :, :3].astype(np.float32).std(axis=(0, 1)).max()) > _VARIED


# ── what is shown ───────────────────────────────────────────────────────────────────────


def _shown(pixels: Pixels) -> NDArray[np.float32]:
    """The colours of what is there, n×3."""
    return pixels[:, :, :3][pixels[:, :, 3] > 128].astype(np.float32)


def _is_flat(pixels: Pixels) -> bool:
    found = _shown(pixels)
    return not len(found) or float(found.std(axis=0).max()) < _LEVEL


def _varied(pixels: Pixels) -> bool:
    found = _shown(pixels)
    return bool(len(found)) and float(found.std(axis=0).max()) > _VARIED


def _may_be_flat(pair: Pair, name: str, old: Pixels, two: Leaf) -> bool:
    """Whether it was asked to be plain, or to have another colour and hardly had two."""
    wish = pair.wishes[name]
    if names_colour(wish) and wish.colour is not None and _apart(two, wish.colour) > _OTHER:
        return False
    if _PLAINLY.search(asking(wish)):
        return True
    return wish.colour is not None and _few_colours(old)


def _few_colours(pixels: Pixels) -> bool:
    """Whether most of it has one colour: recoloured, it may well be flat."""
    found = _shown(pixels)
    middle = np.median(found, axis=0)
    return float((np.abs(found - middle).max(axis=1) < 2 * _VARIED).mean()) > 0.8


def _likeness(pixels: Pixels) -> float:
    """How alike neighbouring pixels are, as a correlation; 1 where nothing differs."""
    both = (pixels[:, 1:, 3] > 128) & (pixels[:, :-1, 3] > 128)
    light = pixels[:, :, :3].astype(np.float32).mean(axis=2)
    one, two = light[:, 1:][both], light[:, :-1][both]
    if len(one) < _RIM or float(one.std()) < _LEVEL or float(two.std()) < _LEVEL:
        return 1.0
    return float(np.corrcoef(one, two)[0, 1])
