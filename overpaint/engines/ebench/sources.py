"""Sources: drawn scenes with the finish of a photograph, of which the distance is known.

A finish adds what a camera sees and a brush leaves out: fine structure on every surface, less
sharpness far away, darker corners, a little noise. It is the same for the same grain, so that a
scene drawn again with one thing changed differs in that thing alone.
"""

from dataclasses import dataclass, replace
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.engines.scenes import placing
from overpaint.engines.scenes.compose import Plan, drawn, ground
from overpaint.engines.scenes.kinds import COLOURS, KINDS, Kind, name_of
from overpaint.engines.scenes.looks import ThingLook
from overpaint.engines.scenes.photographs import photographs

Rgb = NDArray[np.float32]  # H×W×3, 0 to 1
Field = NDArray[np.float32]  # H×W

LONGEST = 384  # pixels of a source's longer side
LARGE, TALL = (640, 480), (480, 640)  # as which a scene is drawn
FAR_BLUR, STRUCTURE, CORNERS, NOISE = 1.1, 0.045, 0.16, 0.006
COARSEST = 12  # pixels of what a surface's structure is made of


@dataclass(frozen=True, eq=False)
class Source:
    """A clean picture, what it shows, and how near each pixel is."""

    id: str
    pixels: Rgb
    near: Field  # 0 far … 1 near
    words: str  # "a brown dog and a red ball on a meadow before hills"
    scene: "Set | None" = None  # as what it is drawn, where it is


@dataclass(frozen=True)
class Set:
    """A scene by name: where it is and what stands in it, so that it can be drawn otherwise."""

    id: str
    place: str
    things: tuple[tuple[str, str], ...]  # word and colour
    size: tuple[int, int] = LARGE
    mood: str = ""
    attempt: int = 0  # the first placing with room for all, none of which covers another


SETS = (
    Set("meadow-dog", "meadow", (("dog", "brown"), ("ball", "red"), ("tree", "green"))),
    Set("beach-boat", "beach", (("sailing boat", "red"), ("parasol", "yellow"), ("ball", "blue")),
        mood="warm "),
    Set("street-bus", "street", (("bus", "yellow"), ("dog", "grey"), ("ball", "green")),
        attempt=27),
    Set("room-chair", "room", (("armchair", "teal"), ("floor lamp", "orange"), ("gift", "pink")),
        attempt=8),
    Set("table-clock", "table", (("mug", "blue"), ("apple", "red"), ("clock", "orange")),
        attempt=13),
    Set("meadow-tractor", "meadow", (("tractor", "red"), ("cow", "black"), ("duck", "white")),
        mood="cool ", attempt=4),
    Set("beach-lighthouse", "beach", (("lighthouse", "red"), ("cat", "grey"), ("duck", "yellow")),
        mood="cool "),
    Set("street-car", "street", (("car", "blue"), ("cat", "orange"), ("robot", "green")),
        mood="warm ", attempt=17),
    Set("room-piano", "room", (("piano", "brown"), ("chair", "red"), ("drum", "blue")),
        TALL, attempt=41),
    Set("table-tea", "table", (("teapot", "pink"), ("pear", "green"), ("camera", "grey")),
        attempt=11),
    Set("studio-vase", "studio", (("vase", "purple"), ("mug", "orange"), ("gift", "green"))),
    Set("meadow-house", "meadow", (("house", "brown"), ("sheep", "white"), ("kite", "orange")),
        mood="warm "),
)  # fmt: skip


def kind(word: str) -> Kind:
    """The kind of thing of that name."""
    return next(one for kinds in KINDS.values() for one in kinds if one.word == word)


def look(word: str, colour: str) -> ThingLook:
    """A thing of that kind in that colour."""
    one = kind(word)
    return ThingLook(name_of(one, colour), one.paint, COLOURS[colour])


def wanted(word: str, colour: str) -> placing.Wanted:
    """The same with the rules by which it is placed."""
    one = kind(word)
    return placing.Wanted(look(word, colour), one.tall, one.near, one.site, one.turn)


@cache
def plan(scene: Set) -> Plan:
    """The scene with all its things in place."""
    grain = f"ebench {scene.id} {scene.attempt}"
    style = f"{scene.mood}soft shading"
    bare = Plan(scene.id, "", scene.size, scene.place, grain, style, ())
    cast = [wanted(*thing) for thing in scene.things]
    pieces = placing.placed(cast, ground(bare), bare.size, Random(grain))
    return replace(bare, pieces=tuple(pieces))


def source(scene: Set) -> Source:
    """The scene as it is named, as a photograph would have it."""
    return shown(plan(scene), scene)


def shown(what: Plan, scene: Set) -> Source:
    """Any plan of a scene, with the finish of that scene."""
    made = drawn(what)
    pixels, near = _reduced(made.pixels), _reduced(made.depth)
    words = made.caption[0].lower() + made.caption[1:].rstrip(".")
    return Source(scene.id, finished(pixels, near, what.grain), near, words, scene)


def _reduced(whole: Pixels) -> NDArray[np.float32]:
    """The picture on 0–1, at the size of a source."""
    import cv2

    pixels = np.asarray(whole, np.float32) / np.float32(255)
    scale = LONGEST / max(pixels.shape[:2])
    size = round(pixels.shape[1] * scale), round(pixels.shape[0] * scale)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.float32)


def finished(pixels: Rgb, near: Field, grain: str) -> Rgb:
    """The picture as a camera would have it."""
    import cv2

    chance = np.random.default_rng([*f"finish {grain}".encode()])
    blurred = cv2.GaussianBlur(pixels, (0, 0), FAR_BLUR)
    far = np.clip(1 - near * 3, 0, 1)[..., None]
    made = pixels + (blurred - pixels) * far
    rough = STRUCTURE * np.clip(0.3 + near, 0, 1)  # the sky has less of it
    made = made * (1 + rough * structure(near.shape, chance))[..., None]
    high, wide = near.shape
    y, x = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j]
    made = made * (1 - CORNERS * ((x * x + y * y) / 2) ** 1.5)[..., None]
    made = made + NOISE * chance.standard_normal(made.shape)
    return np.asarray(np.clip(made, 0, 1), np.float32)


def structure(shape: tuple[int, ...], chance: np.random.Generator) -> Field:
    """Noise with as much of every fine scale as natural pictures have: its amplitude is 1/f."""
    down, across = np.fft.fftfreq(shape[0])[:, None], np.fft.rfftfreq(shape[1])[None, :]
    reach = np.maximum(np.hypot(down, across), 1 / COARSEST)
    spectrum = np.fft.rfft2(chance.standard_normal(shape)) / reach
    found = np.fft.irfft2(spectrum, s=shape)
    return np.asarray(found / found.std(), np.float32)


# ── photographs ─────────────────────────────────────────────────────────────────────────

# What each shows, in words of our own.
SHOWS = {
    "astronaut": "a smiling astronaut in an orange suit before a flag",
    "chelsea": "the face of a ginger cat with green eyes",
    "coffee": "a cup of coffee on its saucer, on a wooden table",
    "motorcycle_left": "a red motorcycle in a garage full of boxes",
    "rocket": "a rocket between lit towers at nightfall",
    "china": "a pagoda above trees and a wide lake",
    "flower": "an orange dahlia before dark leaves",
}


def photographed() -> list[Source]:
    """Photographs that ship with packages; nearness is that of a floor, as nobody measured it."""
    found = []
    for name, pixels in photographs():
        small = _reduced(pixels)
        slope = np.linspace(0.05, 1, small.shape[0], dtype=np.float32)[:, None]
        near = np.broadcast_to(slope, small.shape[:2])
        found.append(Source(name, small, near, SHOWS.get(name, "a photograph")))
    return found


def as_bytes(pixels: Rgb) -> Pixels:
    """The picture in 8 bits."""
    return np.rint(np.clip(pixels, 0, 1) * 255).astype(np.uint8)
