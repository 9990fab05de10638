"""Rendering: layers, bottom first, over each other in float, rounded once at the end.

The formulas are those of W3C Compositing and Blending Level 1, which PSD and OpenRaster share:
a blended colour B(backdrop, source) counts as far as the backdrop is there, and source-over
lays it down as far as the source is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from overpaint.document.blending import BLENDS
from overpaint.document.boxes import Box, box_around
from overpaint.document.layers import Blend, Colour, Group, Layer, Mask, Picture, Pixels, Text
from overpaint.document.shapes import draw_shape
from overpaint.document.text.setting import draw_text
from overpaint.document.tree import with_clipped
from overpaint.errors import Refused

Plane = NDArray[np.float32]
_MOST_TURNED = 40_000_000  # pixels, which take 16 bytes each while they are turned
_STRIP = 1 << 20  # pixels that are rendered at a time: floats take four times the memory of bytes
_BAND = 1 << 15  # pixels that are blended in one go


@dataclass(frozen=True)
class Sheet:
    """RGBA pixels and where their corner is on the canvas."""

    pixels: Pixels
    left: int
    top: int

    @property
    def box(self) -> Box:
        """Where it is on the canvas."""
        high, wide = self.pixels.shape[:2]
        return self.left, self.top, self.left + wide, self.top + high


@dataclass(frozen=True)
class _Strip:
    """Some rows of a canvas, in float, and what is drawn for all of them."""

    plane: Plane
    top: int
    sheets: dict[int, Sheet | None]  # by the id() of a layer

    @property
    def box(self) -> Box:
        high, wide = self.plane.shape[:2]
        return 0, self.top, wide, self.top + high

    def like(self, plane: Plane) -> "_Strip":
        """The same rows with something else on them."""
        return replace(self, plane=plane)

    def part(self, window: Box) -> Plane:
        """A window of the canvas, to be changed in place."""
        left, top, right, bottom = window
        return self.plane[top - self.top : bottom - self.top, left:right]

    def sheet(self, layer: Layer) -> Sheet | None:
        """What a layer draws, drawn once for all strips."""
        if id(layer) not in self.sheets:
            self.sheets[id(layer)] = sheet_of(layer)
        return self.sheets[id(layer)]


def render(layers: Sequence[Layer], size: tuple[int, int], *, over: Colour | None = None) -> Pixels:
    """The layers on a clear canvas of that width and height, H×W×4, not premultiplied.

    What is seen through them is `over`, once they are all laid: no layer blends with it.
    """
    wide, high = size
    made = np.empty((high, wide, 4), np.uint8)
    step = max(1, _STRIP // max(1, wide))
    sheets: dict[int, Sheet | None] = {}
    for top in range(0, high, step):
        canvas = np.zeros((min(step, high - top), wide, 4), np.float32)
        _compose(_Strip(canvas, top, sheets), layers)
        if over is not None:
            alpha = canvas[:, :, 3:]
            canvas = canvas * alpha + np.divide(over, 255, dtype=np.float32) * (1 - alpha)
            canvas[:, :, 3] = 1.0
        canvas *= 255
        made[top : top + step] = np.rint(canvas, out=canvas)
    return made


def sheet_of(layer: Layer) -> Sheet | None:
    """What a layer that is no group draws, before opacity, mask and blending; None: nothing."""
    content, angle = layer.content, layer.angle
    if isinstance(content, Group):
        raise TypeError("A group is drawn layer by layer.")
    if isinstance(content, Picture):
        drawn, left, top = content.pixels, layer.left, layer.top
    elif isinstance(content, Text):
        drawn, across, down = draw_text(content, (layer.left % 1, layer.top % 1))
        left, top = layer.left // 1 + across, layer.top // 1 + down
        angle -= content.turned if content.drawn is not None else 0.0
    else:
        drawn, across, down = draw_shape(content, (layer.left % 1, layer.top % 1))
        left, top = layer.left // 1 + across, layer.top // 1 + down
    if not drawn.size:
        return None
    return _placed(drawn, left, top, angle)


def bounds(layer: Layer) -> Box | None:
    """The box of all that a layer draws, tight around what is not transparent."""
    if isinstance(layer.content, Group):
        boxes = [box for inner in layer.content.layers if (box := bounds(inner))]
        if not boxes:
            return None
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)
    sheet = sheet_of(layer)
    if sheet is None or (box := box_around(sheet.pixels[:, :, 3] > 0)) is None:
        return None
    left, top, right, bottom = box
    return sheet.left + left, sheet.top + top, sheet.left + right, sheet.top + bottom


# ── placing ─────────────────────────────────────────────────────────────────────────────


def _placed(pixels: Pixels, left: float, top: float, angle: float) -> Sheet:
    """The pixels at a place that may lie between pixels, turned about their middle."""
    if angle % 360 == 0 and left == int(left) and top == int(top):
        return Sheet(pixels, int(left), int(top))
    import cv2

    high, wide = pixels.shape[:2]
    middle = (left + wide / 2, top + high / 2)
    turn = np.deg2rad(angle)
    cos, sin = abs(np.cos(turn)), abs(np.sin(turn))
    half = ((wide * cos + high * sin) / 2, (wide * sin + high * cos) / 2)
    x0, y0 = int(np.floor(middle[0] - half[0])), int(np.floor(middle[1] - half[1]))
    x1, y1 = int(np.ceil(middle[0] + half[0])), int(np.ceil(middle[1] + half[1]))
    if (x1 - x0) * (y1 - y0) > _MOST_TURNED:
        raise Refused(
            f"What is turned would be {x1 - x0}×{y1 - y0} pixels large.",
            f"At most {_MOST_TURNED:,} pixels are drawn.",
        )
    to = cv2.getRotationMatrix2D((wide / 2 - 0.5, high / 2 - 0.5), -angle, 1.0)
    to[:, 2] += (middle[0] - x0 - wide / 2, middle[1] - y0 - high / 2)
    turned = cv2.warpAffine(
        premultiplied(pixels), to, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT, borderValue=0,
    )  # fmt: skip
    return Sheet(divided(np.asarray(turned, np.float32)), x0, y0)


def premultiplied(pixels: Pixels) -> Plane:
    """Colours times alpha: what may be averaged without dark or light fringes."""
    plane = pixels.astype(np.float32)
    plane[:, :, :3] *= plane[:, :, 3:] / 255
    return plane


def divided(plane: Plane) -> Pixels:
    """Premultiplied colours divided by their alpha again, rounded."""
    alpha = plane[:, :, 3:]
    colours = np.divide(
        plane[:, :, :3] * 255, alpha, out=np.zeros_like(plane[:, :, :3]), where=alpha > 0
    )
    joined = np.clip(np.concatenate([colours, alpha], axis=2), 0, 255)
    return np.asarray(np.rint(joined), np.uint8)


# ── composing ───────────────────────────────────────────────────────────────────────────


def _compose(strip: _Strip, layers: Sequence[Layer]) -> None:
    """Lay each layer on the canvas; what is clipped goes with the layer that it is clipped to."""
    for base, *clipped in with_clipped(layers):
        if base.visible and base.opacity > 0:
            _lay(strip, base, clipped)


def _lay(strip: _Strip, layer: Layer, clipped: Sequence[Layer]) -> None:
    content = layer.content
    if isinstance(content, Group):
        _lay_group(strip, layer, content, clipped)
        return
    sheet = strip.sheet(layer)
    if sheet is None or (window := _common(sheet.box, strip.box)) is None:
        return
    left, top, right, bottom = window
    part = sheet.pixels[
        top - sheet.top : bottom - sheet.top, left - sheet.left : right - sheet.left
    ]
    source: Plane = np.divide(part, 255, dtype=np.float32)
    if clipped:
        _clip(source, clipped, window, strip)
    _blend(strip, source, layer, window)


def _lay_group(strip: _Strip, layer: Layer, group: Group, clipped: Sequence[Layer]) -> None:
    plain = layer.opacity == 1 and layer.mask is None and not clipped
    if layer.blend == "pass-through" and plain:
        _compose(strip, group.layers)
        return
    canvas = strip.plane
    if layer.blend == "pass-through" and not clipped:
        # As far as the group shows, the canvas becomes what its layers make of it.
        made = canvas.copy()
        _compose(strip.like(made), group.layers)
        shown = layer.opacity * (shown_by(layer.mask, strip.box) if layer.mask else 1.0)
        _mix(canvas, made, np.broadcast_to(np.float32(shown), canvas.shape[:2]))
        return
    alone = np.zeros_like(canvas)
    _compose(strip.like(alone), group.layers)
    if clipped:
        _clip(alone, clipped, strip.box, strip)
    blend: Blend = "normal" if layer.blend == "pass-through" else layer.blend
    _blend(strip, alone, replace(layer, blend=blend), strip.box)


def _clip(source: Plane, clipped: Sequence[Layer], window: Box, strip: _Strip) -> None:
    """Lay what is clipped on its base, where and as far as the base is there."""
    over = strip.like(np.zeros_like(strip.plane))
    part = over.part(window)
    part[:] = source
    part[:, :, 3] = (source[:, :, 3] > 0).astype(np.float32)
    for layer in clipped:
        if layer.visible and layer.opacity > 0:
            _lay(over, layer, ())
    source[:, :, :3] = part[:, :, :3]


def _blend(strip: _Strip, source: Plane, layer: Layer, window: Box) -> None:
    """Lay a source down, some rows at a time: what is worked on then stays in the fast memory."""
    below = strip.part(window)
    alpha = source[:, :, 3] * np.float32(layer.opacity)
    if layer.mask:
        alpha = alpha * shown_by(layer.mask, window)
    step = max(1, _BAND // below.shape[1])
    for row in range(0, len(below), step):
        rows = slice(row, row + step)
        _blend_rows(below[rows], source[rows, :, :3], alpha[rows], layer.blend)


def _blend_rows(below: Plane, colours: Plane, alpha: Plane, blend: Blend) -> None:
    if not alpha.any():
        return
    under = below[:, :, :3]
    if blend in BLENDS:  # a layer that is no group has nothing to pass through
        there = below[:, :, 3:]
        colours = (1 - there) * colours + there * BLENDS[blend](under, colours)
    elif (alpha == 1).all():
        below[:, :, :3], below[:, :, 3] = colours, 1.0
        return
    rest = below[:, :, 3] * (1 - alpha)
    whole = alpha + rest
    # Where the source is clear, what was there stays to the last bit: a clear layer is free, and
    # layers that do not overlap may be laid in any order.
    painted = alpha > 0
    for at in range(3):  # one by one: rows of three numbers are slow
        mixed = colours[:, :, at] * alpha + under[:, :, at] * rest
        np.divide(mixed, whole, out=under[:, :, at], where=painted)
    below[:, :, 3] = whole


def _mix(canvas: Plane, made: Plane, share: Plane) -> None:
    """The canvas moved towards what was made of it, premultiplied so that colours keep true."""
    alpha = (1 - share) * canvas[:, :, 3] + share * made[:, :, 3]
    mixed = (
        canvas[:, :, :3] * ((1 - share) * canvas[:, :, 3])[:, :, None]
        + made[:, :, :3] * (share * made[:, :, 3])[:, :, None]
    )
    np.divide(mixed, alpha[:, :, None], out=canvas[:, :, :3], where=alpha[:, :, None] > 0)
    canvas[:, :, 3] = alpha


def shown_by(mask: Mask, window: Box) -> Plane:
    """How much of a layer its mask shows in a window of the canvas, 0–1."""
    left, top, right, bottom = window
    shown = np.full((bottom - top, right - left), mask.outside / 255, np.float32)
    high, wide = mask.pixels.shape
    x0, y0 = max(left, mask.left), max(top, mask.top)
    x1, y1 = min(right, mask.left + wide), min(bottom, mask.top + high)
    if x0 < x1 and y0 < y1:
        part = mask.pixels[y0 - mask.top : y1 - mask.top, x0 - mask.left : x1 - mask.left]
        shown[y0 - top : y1 - top, x0 - left : x1 - left] = part.astype(np.float32) / 255
    return shown


def _common(one: Box, other: Box) -> Box | None:
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, bottom) if left < right and top < bottom else None
