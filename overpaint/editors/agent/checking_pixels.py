"""Checks of an edited layer's pixels: not empty, not noise, not a box where a figure was."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from overpaint.document.layers import Picture, Pixels
from overpaint.editors.agent.checking_views import Fault, Pair, asks_place
from overpaint.vision.sheets import Leaf

_CLEAR, _SOLID = 16, 240  # of 255: alpha of what is not there, and of what is
_FEW = 0.03  # of a layer's box: less clear ground is none
_FILLED = 0.85  # of the ground that was clear: when so much is solid, the figure is a box
_LEVEL = 3.0  # levels that a flat colour spreads over
_VARIED = 12.0  # levels from which a picture shows something
_SMOOTH, _ROUGH = 0.6, 0.25  # how alike neighbours are in a picture, and in noise
_FAINT = 0.25  # of what it painted: less left is as good as nothing
_HALO, _NO_HALO = 70.0, 30.0  # levels between a figure's rim and what lies inside of it
_UNIFORM = 30.0  # levels that the colours of a halo spread over
_RIM = 60  # pixels from which a rim can be judged
_PLAINLY = re.compile(
    r"plain|solid|flat|uniform|single colou?r|blank|empty|silhouette|fill|recolou?r|纯色|单色|填充",
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
        yield from _picture(pair, name, one, two)


def _vanished(one: Leaf, two: Leaf) -> bool:
    """Whether hardly any of the paint that there was is left."""
    if isinstance(two.layer.content, Picture):
        old, new = (float(leaf.pixels[:, :, 3].sum()) for leaf in (one, two))
        return new < 0.02 * old
    return False


def _picture(pair: Pair, name: str, one: Leaf, two: Leaf) -> Iterator[Fault]:
    prompt = pair.wishes[name].decision.prompt
    if not isinstance(two.layer.content, Picture) or not isinstance(one.layer.content, Picture):
        return
    old, new = one.layer.content.pixels, two.layer.content.pixels
    if old.shape == new.shape:
        yield from _alpha(name, old, new)
    if pair.wishes[name].seen.kind == "text":
        yield from _cut(pair, name, old, new)
        if _is_box(old) and not _is_inked(new) and _is_inked(old):
            yield Fault("flat", name, "No letters are left in it.")
        return
    if _is_flat(new) and not _is_flat(old) and _varied(old) and not _PLAINLY.search(prompt):
        if pair.wishes[name].colour is None or not _few_colours(old):
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
    if _has_halo(new) and not _has_halo(old):
        yield Fault("halo", name, "A rim of another colour runs around it.")


def _has_halo(pixels: Pixels) -> bool:
    """Whether the rim of a figure has one colour, far from what lies inside of it."""
    import cv2

    there = np.asarray(pixels[:, :, 3] > 128, np.uint8)
    if not there.any() or there.all():
        return False
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    padded = np.pad(there, 1)
    inner = np.asarray(cv2.erode(padded, cross, iterations=2))[1:-1, 1:-1]
    core = np.asarray(cv2.erode(padded, cross, iterations=4))[1:-1, 1:-1].astype(np.float32)
    rim = (pixels[:, :, 3] > _CLEAR) & (inner == 0)
    around = cv2.blur(core, (13, 13))
    judged = rim & (around > 0.05)
    if int(judged.sum()) < _RIM:
        return False
    colours = pixels[:, :, :3].astype(np.float32)
    mean = cv2.blur(colours * core[:, :, None], (13, 13)) / np.maximum(around, 1e-6)[:, :, None]
    apart = np.abs(colours - mean).max(axis=2)[judged]
    spread = float(colours[judged].std(axis=0).max())
    return float(np.median(apart)) > _HALO and spread < _UNIFORM


# ── letters that are pixels ─────────────────────────────────────────────────────────────


def _cut(pair: Pair, name: str, old: Pixels, new: Pixels) -> Iterator[Fault]:
    """Letters that run against the edge of their own layer, and did not before."""
    if asks_place(pair.wishes[name]) or _is_box(old) or _is_box(new) or old.shape != new.shape:
        return  # a layer cut to its words has them at its edges
    for edge, was in zip(_edges(new), _edges(old), strict=True):
        if edge >= 3 and was == 0:
            yield Fault("cut", name, "Letters are cut off by the edge of their layer.")
            return


def _edges(pixels: Pixels) -> list[int]:
    """How many pixels of ink lie on each edge."""
    ink = pixels[:, :, 3] > 160
    return [int(side.sum()) for side in (ink[0], ink[-1], ink[:, 0], ink[:, -1])]


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
