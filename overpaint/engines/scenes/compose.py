"""Composing: a plan of a scene becomes its picture and all that is true of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.engines.scenes import places
from overpaint.engines.scenes.looks import JOINTS
from overpaint.engines.scenes.sheet import Piece, as_depth, laid
from overpaint.engines.scenes.styles import render
from overpaint.engines.scenes.wording import caption
from overpaint.vision.references import Box
from overpaint.vision.references.boxes import box_of

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Thing:
    """One object of a scene."""

    name: str  # in words: "a red kite"
    mask: Mask  # H×W, its visible pixels
    box: Box  # of the mask
    near: float  # 0 far … 1 near
    piece: Piece  # with which it can be drawn again


@dataclass(frozen=True, eq=False)
class Plan:
    """What to draw; the same plan gives the same pixels."""

    id: str
    split: str
    size: tuple[int, int]  # width, height
    place: str
    grain: str  # the seed of the place's form and colours, and of all texture
    style: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture and all that is true of it."""

    id: str
    split: str
    pixels: Pixels
    things: tuple[Thing, ...]  # main things, largest first; people are things, too
    regions: NDArray[np.int32]  # H×W, 1 … n
    depth: Pixels  # H×W, nearer is brighter
    joints: NDArray[np.float64]  # n×17×3; the third column: 1 visible, 0 hidden by something
    caption: str
    style: str
    plan: Plan

    @property
    def people(self) -> tuple[Thing, ...]:
        """Those of the things that are people, in the order of their joints: the farthest first."""
        people = [thing for thing in self.things if thing.piece.sprite.joints is not None]
        return tuple(sorted(people, key=lambda thing: thing.near))


def ground(plan: Plan) -> places.Place:
    """The place of a plan, in its own colours."""
    return places.draw(plan.place, plan.size, Random(f"{plan.grain} place"))


def drawn(plan: Plan) -> Scene:
    """The scene of a plan."""
    place = ground(plan)
    pieces = sorted(plan.pieces, key=lambda piece: piece.near)
    sheet, masks = laid(place, pieces, plan.size, Random(f"{plan.grain} texture"))
    pairs = list(zip(pieces, masks, strict=True))
    things = [_thing(piece, mask) for piece, mask in pairs]
    things.sort(key=lambda thing: -np.count_nonzero(thing.mask))
    return Scene(
        plan.id, plan.split,
        pixels=render(plan.style, sheet, Random(f"{plan.grain} style")),
        things=tuple(things), regions=sheet.regions(), depth=as_depth(sheet.depth),
        joints=_joints(pairs),
        caption=caption([thing.piece for thing in things], place.words, plan.style),
        style=plan.style, plan=plan,
    )  # fmt: skip


def _thing(piece: Piece, mask: Mask) -> Thing:
    return Thing(piece.look.name, mask, box_of(mask), piece.near, piece)


def _joints(pairs: Sequence[tuple[Piece, Mask]]) -> NDArray[np.float64]:
    """Where the people's joints are, the farthest person first; hidden by whatever is nearer."""
    found = np.zeros((0, JOINTS, 3))
    for i, (piece, _) in enumerate(pairs):
        if piece.sprite.joints is None:
            continue
        joints = piece.sprite.joints + np.array((piece.left, piece.top, 0))
        covers = [mask for _, mask in pairs[i + 1 :]]
        hidden = [any(_at(mask, x, y) for mask in covers) for x, y, _ in joints]
        joints[:, 2] = np.where(hidden, 0.0, joints[:, 2])
        found = np.concatenate([found, joints[None]])
    return found


def _at(mask: Mask, x: float, y: float) -> bool:
    column, row = int(np.floor(x)), int(np.floor(y))
    inside = 0 <= row < mask.shape[0] and 0 <= column < mask.shape[1]
    return bool(inside and mask[row, column])
