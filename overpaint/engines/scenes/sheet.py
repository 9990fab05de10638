"""The sheet a scene is laid on: colour and light apart, and with them the truth of each pixel."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.document import Pixels
from overpaint.engines.posters.brush import rgb
from overpaint.engines.scenes.looks import Look, Sprite
from overpaint.engines.scenes.parts import nearest, parts
from overpaint.engines.scenes.places import Area, Place
from overpaint.engines.scenes.textures import light

SEEN = 128  # an alpha from which on a pixel belongs to what is laid down
SMALLEST = 0.0025  # the share of the picture under which an area is part of what it lies in
PART = 0.006  # the same for a part of a thing
Light = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Piece:
    """A thing where it is laid down; what is in the air throws no shadow."""

    look: Look
    sprite: Sprite
    left: int
    top: int
    near: float
    site: str
    asked: tuple[float, float]  # the height and the turn that its look was asked for

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of all of it."""
        width, height = self.sprite.size
        return self.left, self.top, self.left + width, self.top + height


class Sheet:
    """A picture being laid, from the farthest to the nearest."""

    def __init__(self, size: tuple[int, int]) -> None:
        width, height = size
        self.size = size
        self.colour = np.zeros((height, width, 3), np.float32)  # 0 to 1, in no light
        self.light = np.zeros((height, width), np.float32)  # −1 dark, 1 bright
        self.labels = np.zeros((height, width), np.int32)
        self.depth = np.zeros((height, width), np.float32)
        self.floor = np.zeros((height, width), np.float32)  # how far shadows fall here
        self._regions = 0

    def lay_area(self, area: Area, place: Place, chance: Random) -> None:
        """A part of the place, over what is there."""
        touched = np.flatnonzero(area.alpha.any(axis=1))
        if not touched.size:
            return
        rows = slice(int(touched[0]), int(touched[-1]) + 1)  # all else is left alone: much sooner
        own = area.alpha[rows]
        alpha, seen = _share(own), own >= SEEN
        share = np.linspace(0, 1, len(own), dtype=np.float32)[:, None]
        first, last = (_share(np.array(rgb(colour), np.uint8)) for colour in area.colours)
        self._blend(rows, alpha, (first + (last - first) * share)[:, None, :])
        lit = self.light[rows]
        if area.strength:
            size = (self.size[0], len(own))
            lit += (area.strength * light(area.texture, size, chance) - lit) * alpha
        else:
            lit -= lit * alpha
        if area.name != "detail":  # those are no regions of their own
            self._regions += 1
            self.labels[rows][seen] = self._regions
        self.depth[rows][seen] = self._plane(place, area.near)[rows][seen]
        self.floor[rows][seen] = area.near is None

    def _plane(self, place: Place, near: float | None) -> Light:
        if near is not None:
            return np.broadcast_to(np.float32(near), self.labels.shape)
        top, begins = place.floor
        down = (np.arange(self.size[1], dtype=np.float32) + 0.5) / self.size[1]
        slope = begins + (1 - begins) * (down - top) / (1 - top)
        return np.broadcast_to(slope[:, None], self.labels.shape)

    def _blend(self, rows: slice, alpha: Light, colour: Light) -> None:
        under = self.colour[rows]
        if alpha.min() == 1:
            under[:] = colour
        else:
            under += (colour - under) * alpha[..., None]

    # ── things ──────────────────────────────────────────────────────────────────────────

    def lay_piece(self, piece: Piece) -> NDArray[np.bool_]:
        """A thing with its shadow; the pixels that are its own until something covers it."""
        if piece.site != "air":
            self._shade(piece)
        left, top, right, bottom = piece.box
        window = (slice(top, bottom), slice(left, right))
        pixels = piece.sprite.pixels
        alpha = _share(pixels[..., 3])
        seen = pixels[..., 3] >= SEEN
        colour = self.colour[window]
        colour += (_share(pixels[..., :3]) - colour) * alpha[..., None]
        lit = self.light[window]
        lit += (_relief(alpha) - lit) * alpha
        self.depth[window][seen] = piece.near
        self.floor[window][seen] = 0.35
        own = parts(pixels, round(PART * self.labels.size))
        self.labels[window][seen] = own[seen] + self._regions
        self._regions += int(own.max())
        mask = np.zeros(self.labels.shape, np.bool_)
        mask[window] = seen
        return mask

    def _shade(self, piece: Piece) -> None:
        """The shadow it throws to the right, and the dark at its foot."""
        import cv2

        left, _, right, bottom = piece.box
        width, height = piece.sprite.size
        flat = max(3, round(height * (0.26 if piece.site != "water" else 0.12)))
        alpha = Image.fromarray(piece.sprite.pixels[..., 3]).resize((width, flat))
        slant = (1, 0.9, -0.9 * flat, 0, 1, 0)
        alpha = alpha.transform((width + flat, flat), Image.Transform.AFFINE, slant)
        sheet = Image.new("L", self.size, 0)
        sheet.paste(alpha, (left, bottom - flat))
        thrown = cv2.GaussianBlur(np.asarray(sheet), (0, 0), max(1.2, height * 0.012))
        foot = np.zeros(self.labels.shape, np.uint8)
        middle = (round((left + right) / 2 + width * 0.03), bottom - max(1, flat // 14))
        axes = (max(2, round(width * 0.47)), max(2, round(min(width, height) * 0.045)))
        cv2.ellipse(foot, middle, axes, 0, 0, 360, 255, -1)
        under = cv2.GaussianBlur(foot, (0, 0), max(1.0, height * 0.014))
        dark = np.maximum(thrown * np.float32(0.28 / 255), under * np.float32(0.36 / 255))
        self.light -= dark * self.floor

    # ── the truth ───────────────────────────────────────────────────────────────────────

    def regions(self) -> NDArray[np.int32]:
        """Every region from 1 on, without those too small to be seen as one."""
        counts = np.bincount(self.labels.ravel(), minlength=self._regions + 1)
        large = counts >= SMALLEST * self.labels.size
        order = np.cumsum(large).astype(np.int32)
        return nearest(np.where(large[self.labels], order[self.labels], 0).astype(np.int32))


def _share(values: Pixels) -> Light:
    """Bytes as shares of 1."""
    return np.asarray(values, np.float32) * np.float32(1 / 255)


def _relief(alpha: Light) -> Light:
    """Light from above and the left on something round as its outline says."""
    import cv2

    height, width = alpha.shape
    reach = max(1.5, 0.075 * min(height, width))
    pad = round(3 * reach)
    high = cv2.GaussianBlur(np.pad(alpha, pad), (0, 0), reach)
    across = cv2.Sobel(high, cv2.CV_32F, 1, 0, ksize=3)[pad:-pad, pad:-pad]
    down = cv2.Sobel(high, cv2.CV_32F, 0, 1, ksize=3)[pad:-pad, pad:-pad]
    slope = (0.6 * across + 0.8 * down) * reach * 0.16
    fall = np.linspace(0.09, -0.11, height, dtype=np.float32)[:, None]
    return np.asarray(np.clip(slope, -0.3, 0.24) + fall, np.float32)


def laid(
    place: Place, pieces: Sequence[Piece], size: tuple[int, int], chance: Random
) -> tuple[Sheet, list[NDArray[np.bool_]]]:
    """The sheet with all laid down, the farthest piece first, and each piece's visible pixels."""
    sheet = Sheet(size)
    for area in place.areas:
        sheet.lay_area(area, place, chance)
    masks: list[NDArray[np.bool_]] = []
    for piece in pieces:
        mask = sheet.lay_piece(piece)
        masks = [other & ~mask for other in masks]
        masks.append(mask)
    return sheet, masks


def as_depth(near: Light) -> Pixels:
    """Nearness as grey."""
    return np.rint(np.clip(near, 0, 1) * 255).astype(np.uint8)
