"""Looks: one certain thing or person, which can be drawn again at any size and a little turned."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.document import Pixels
from overpaint.engines.milde.brush import Brush

JOINTS = 17  # COCO's
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sprite:
    """A thing as it is laid down: RGBA, tightly boxed, and a person's joints in its pixels."""

    pixels: Pixels
    joints: Floats | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height."""
        return self.pixels.shape[1], self.pixels.shape[0]


class Look(Protocol):
    """What draws one certain thing."""

    @property
    def name(self) -> str: ...
    def sprite(self, height: float, turn: float = 0.0) -> Sprite:
        """It, about that many pixels high, turned by so many degrees."""
        ...


@dataclass(frozen=True)
class ThingLook:
    """A thing in its colour, as it stands or mirrored."""

    name: str
    paint: Callable[[Brush, str], None]
    colour: str
    mirrored: bool = False

    def sprite(self, height: float, turn: float = 0.0) -> Sprite:
        """The thing drawn at that height; lines stay as thick, compared to it."""
        small = self._painted(64)
        share = _tight(small).height / 64
        return Sprite(np.array(_turned(_tight(self._painted(max(8, round(height / share)))), turn)))

    def _painted(self, side: int) -> Image.Image:
        brush = Brush(side)
        self.paint(brush, self.colour)
        made = Image.fromarray(brush.finish())
        return made.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if self.mirrored else made


class Figure(Protocol):
    """A drawn person, as `people` makes them."""

    @property
    def name(self) -> str: ...
    @property
    def joints(self) -> Floats: ...
    def draw(self, scale: float = 1.0) -> Pixels: ...


@dataclass(frozen=True)
class PersonLook:
    """A person with a body that has joints."""

    figure: Figure
    tall: float  # of the drawing at scale 1, in pixels

    @property
    def name(self) -> str:
        """In words: "a woman in a blue coat"."""
        return self.figure.name

    def sprite(self, height: float, turn: float = 0.0) -> Sprite:
        """The person drawn at that height, with the joints where they then are."""
        scale = height / self.tall
        drawn = Image.fromarray(self.figure.draw(scale))
        joints = np.array(self.figure.joints, np.float64)
        joints[:, :2] *= scale
        if not turn:
            return Sprite(np.array(drawn), joints)
        whole = _rotated(drawn, turn)
        sine, cosine = math.sin(math.radians(turn)), math.cos(math.radians(turn))
        x, y = joints[:, 0] - drawn.width / 2, joints[:, 1] - drawn.height / 2
        left, top, right, bottom = _bounds(whole)
        joints[:, 0] = x * cosine + y * sine + whole.width / 2 - left
        joints[:, 1] = y * cosine - x * sine + whole.height / 2 - top
        return Sprite(np.array(whole.crop((left, top, right, bottom))), joints)


def _turned(image: Image.Image, turn: float) -> Image.Image:
    return _tight(_rotated(image, turn)) if turn else image


def _rotated(image: Image.Image, turn: float) -> Image.Image:
    """Turned against the clock; clear pixels lend their colour to no edge."""
    whole = image.convert("RGBa").rotate(turn, Image.Resampling.BICUBIC, expand=True)
    return whole.convert("RGBA")


def _tight(image: Image.Image) -> Image.Image:
    return image.crop(_bounds(image))


def _bounds(image: Image.Image) -> tuple[int, int, int, int]:
    seen = image.getchannel("A").point(lambda alpha: 255 * (alpha >= 128)).getbbox()
    assert seen is not None  # everything drawn has some colour
    return seen
