"""Editors of graded quality: what each did with a sample is known, because it was drawn so.

An edit here has three numbers: how much of the edit was done (0 nothing, 1 all of it), how strong
the collateral damage is (0 none, 1 as bad as drawn here), and of which kind that damage is. They
depend on the editor's name and the sample's id alone. What opinions are drawn from are these
numbers, never a measure.
"""

import io
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

import numpy as np
from PIL import Image

from overpaint.engines.ebench.sources import Rgb, as_bytes

VERSION = "1"  # of the numbers and of what is drawn from them
SPREAD_DONE, SPREAD_DAMAGE = 0.12, 0.1  # how far one edit may be from its editor's habit


@dataclass(frozen=True)
class Habit:
    """What an editor is like."""

    done: float
    damage: float
    about: str


HABITS: Mapping[str, Habit] = {
    "thorough": Habit(0.96, 0.04, "does all that is asked and harms next to nothing"),
    "careful": Habit(0.82, 0.13, "does most of it and harms little"),
    "hasty": Habit(0.78, 0.40, "does most of it and harms what is around"),
    "timid": Habit(0.30, 0.06, "does little and harms little"),
    "rough": Habit(0.52, 0.62, "does half of it and harms much"),
    "careless": Habit(0.20, 0.80, "does little and harms most"),
}
DAMAGES = ("jpeg", "cast", "blur", "noise", "warp", "smear")
# Damage that would undo what the task asks for is none that is beside it.
UNFIT: Mapping[str, str] = {"deblur": "blur", "super_resolution": "blur", "denoise": "noise"}


@dataclass(frozen=True)
class Made:
    """How an edit was constructed."""

    done: float  # 0–1, share of the edit
    damage: float  # 0–1, strength of what was harmed beside it
    kind: str  # of the damage


def made(editor: str, sample: str) -> Made:
    """What the editor of that name did with the sample of that id, which its task begins."""
    habit = HABITS[editor]
    chance = Random(f"ebench {VERSION} {editor} {sample}")
    done = habit.done + chance.uniform(-SPREAD_DONE, SPREAD_DONE)
    damage = habit.damage + chance.uniform(-SPREAD_DAMAGE, SPREAD_DAMAGE)
    # Each editor harms a sample in another way, each as likely.
    turn = zlib.crc32(sample.encode()) + list(HABITS).index(editor)
    kinds = [kind for kind in DAMAGES if kind != UNFIT.get(sample.partition("-")[0])]
    return Made(_share(done), _share(damage), kinds[turn % len(kinds)])


def _share(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), 4)


def damaged(pixels: Rgb, what: Made, seed: str) -> Rgb:
    """The picture with that damage."""
    if not what.damage:
        return pixels
    chance = np.random.default_rng([*f"{what.kind} {seed}".encode()])
    found = _WAYS[what.kind](pixels, what.damage, chance)
    return np.clip(found, 0, 1).astype(np.float32)


# ── damage ──────────────────────────────────────────────────────────────────────────────

Chance = np.random.Generator


def _jpeg(pixels: Rgb, strength: float, chance: Chance) -> Rgb:
    """What JPEG leaves of it."""
    data = io.BytesIO()
    quality = round(4 + 90 * (1 - strength) ** 2.4)
    Image.fromarray(as_bytes(pixels)).save(data, "JPEG", quality=quality)
    return np.asarray(Image.open(data).convert("RGB"), np.float32) / np.float32(255)


def _cast(pixels: Rgb, strength: float, chance: Chance) -> Rgb:
    """A cast of some colour, as bright as before."""
    turn = chance.uniform(0, 2 * np.pi)
    tint = np.cos(turn + np.array((0, 2, 4)) * np.pi / 3)
    return np.asarray(pixels + 0.3 * strength * tint)


def _blur(pixels: Rgb, strength: float, chance: Chance) -> Rgb:
    import cv2

    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), 0.3 + 3.2 * strength))


def _noise(pixels: Rgb, strength: float, chance: Chance) -> Rgb:
    return np.asarray(pixels + 0.2 * strength * chance.standard_normal(pixels.shape))


def _warp(pixels: Rgb, strength: float, chance: Chance) -> Rgb:
    """Everything bent: outlines wave."""
    import cv2

    high, wide = pixels.shape[:2]
    coarse = chance.uniform(-1, 1, (2, 9, 12)).astype(np.float32)
    sway = [cv2.resize(one, (wide, high), interpolation=cv2.INTER_CUBIC) for one in coarse]
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    reach = np.float32(0.05 * strength * max(high, wide))
    bent = cv2.remap(pixels, x + reach * sway[0], y + reach * sway[1], cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_REFLECT)  # fmt: skip
    return np.asarray(bent)


def _smear(pixels: Rgb, strength: float, chance: Chance) -> Rgb:
    """Parts of it wiped over: blurred and moved, more of them the stronger it is."""
    import cv2

    high, wide = pixels.shape[:2]
    field = cv2.resize(chance.random((6, 8)).astype(np.float32), (wide, high),
                       interpolation=cv2.INTER_CUBIC)  # fmt: skip
    edge = float(np.quantile(field, 1 - 0.75 * strength))
    here = np.clip((field - edge) / 0.08 + 0.5, 0, 1)[..., None]
    wiped = cv2.blur(np.roll(pixels, round(0.05 * wide), axis=1), (wide // 10, 3))
    return np.asarray(pixels + (wiped - pixels) * here)


_WAYS: Mapping[str, Callable[[Rgb, float, Chance], Rgb]] = {
    "jpeg": _jpeg, "cast": _cast, "blur": _blur, "noise": _noise, "warp": _warp, "smear": _smear,
}  # fmt: skip
