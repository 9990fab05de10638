"""Geometry of layers: moving, scaling and recolouring one, whatever it is made of."""

from dataclasses import replace

import numpy as np

from overpaint.document.blending import LUMA, with_light
from overpaint.document.layers import (
    Colour,
    Group,
    Layer,
    Mask,
    Picture,
    Pixels,
    Point,
    Run,
    Shape,
    Style,
    Text,
    walk,
)
from overpaint.document.render import bounds, divided, premultiplied
from overpaint.document.sanity import LARGEST_SIZE
from overpaint.errors import Refused

MOST_PIXELS = 40_000_000  # of a picture or a shape that was made larger
_ROWS = 256


def middle(layer: Layer) -> Point:
    """The middle of what a layer draws; its place where it draws nothing."""
    box = bounds(layer)
    return ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) if box else (layer.left, layer.top)


def shifted(layer: Layer, across: float, down: float) -> Layer:
    """The layer elsewhere, with its mask and all that is in it."""
    if isinstance(layer.content, Group):
        inner = tuple(shifted(one, across, down) for one in layer.content.layers)
        layer = replace(layer, content=Group(inner))
    mask = layer.mask
    if mask:
        mask = replace(mask, left=mask.left + round(across), top=mask.top + round(down))
    return replace(layer, left=layer.left + across, top=layer.top + down, mask=mask)


def scaled(layer: Layer, factor: float, about: Point) -> Layer:
    """The layer larger or smaller about a point."""
    left = about[0] + (layer.left - about[0]) * factor
    top = about[1] + (layer.top - about[1]) * factor
    content = layer.content
    if isinstance(content, Group):
        content = Group(tuple(scaled(one, factor, about) for one in content.layers))
    elif isinstance(content, Picture):
        left, top = round(left), round(top)
        content = Picture(resized(content.pixels, factor))
    elif isinstance(content, Text):
        content = _scaled_text(content, factor)
    else:
        content = _scaled_shape(content, factor)
    mask = _scaled_mask(layer.mask, factor, about) if layer.mask else None
    return replace(layer, content=content, left=left, top=top, mask=mask)


def check_scaling(layer: Layer, factor: float) -> None:
    """`Refused` where a layer, or one in it, would become larger than can be drawn."""
    for one in walk((layer,)) if factor > 1 else ():
        content = one.content
        if isinstance(content, Text):
            size = max(run.style.size for run in content.runs) * factor
            if size > LARGEST_SIZE:
                raise Refused(
                    f"The letters of {one.name!r} would be {size:,.0f} px large.",
                    f"At most {LARGEST_SIZE:,.0f} px are drawn.",
                    "Use a smaller factor.",
                )
        elif not isinstance(content, Group):
            high, wide = content.pixels.shape[:2] if isinstance(content, Picture) else (
                content.height, content.width
            )  # fmt: skip
            check_growth(one.name, (round(wide * factor), round(high * factor)))


def check_growth(name: str, size: tuple[int, int]) -> None:
    """`Refused` where something would be larger than can be drawn."""
    if size[0] * size[1] > MOST_PIXELS:
        raise Refused(
            f"{name!r} would be {size[0]}×{size[1]} pixels large.",
            f"At most {MOST_PIXELS:,} pixels are drawn.",
        )


def scaled_style(style: Style, factor: float) -> Style:
    """The style at another size, with its spacing, outline and shadow."""
    stroke, shadow = style.stroke, style.shadow
    if stroke:
        stroke = replace(stroke, width=stroke.width * factor)
    if shadow:
        across, down, blur = (x * factor for x in (shadow.across, shadow.down, shadow.blur))
        shadow = replace(shadow, across=across, down=down, blur=blur)
    return replace(
        style, size=style.size * factor, spacing=style.spacing * factor,
        stroke=stroke, shadow=shadow, indent=style.indent * factor, hang=style.hang * factor,
    )  # fmt: skip


def resized(pixels: Pixels, factor: float) -> Pixels:
    """RGBA pixels at another scale, averaged with their alpha so that no fringe appears."""
    high, wide = pixels.shape[:2]
    return fitted(pixels, max(1, round(wide * factor)), max(1, round(high * factor)))


def fitted(pixels: Pixels, wide: int, high: int) -> Pixels:
    """RGBA pixels at another width and height."""
    import cv2

    smaller = wide < pixels.shape[1]
    way = cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    out = np.asarray(cv2.resize(premultiplied(pixels), (wide, high), interpolation=way))
    made = np.empty((high, wide, 4), np.uint8)
    for row in range(0, high, _ROWS):  # some at a time: floats take four times the memory
        made[row : row + _ROWS] = divided(np.clip(out[row : row + _ROWS], 0, 255))
    return made


def recoloured(layer: Layer, colour: Colour) -> Layer:
    """The layer in another colour; light and shade of a picture stay."""
    content = layer.content
    if isinstance(content, Group):
        inner = tuple(recoloured(one, colour) for one in content.layers)
        return replace(layer, content=Group(inner))
    if isinstance(content, Picture):
        return replace(layer, content=Picture(_tinted(content.pixels, colour)))
    if isinstance(content, Shape):
        return replace(layer, content=replace(content, fill=colour))
    runs = tuple(
        Run(run.words, replace(run.style, colour=colour, gradient=None)) for run in content.runs
    )
    return replace(layer, content=replace(content, runs=runs, drawn=None, drawn_at=(0.0, 0.0)))


def _tinted(pixels: Pixels, colour: Colour) -> Pixels:
    """Each pixel in the new colour, as much lighter or darker than it as the pixel was."""
    plane = pixels[:, :, :3].astype(np.float32) / 255
    there = pixels[:, :, 3:].astype(np.float32)
    if not there.any():
        return pixels
    wish = np.asarray(colour[:3], np.float32) / 255
    light = (plane @ LUMA)[:, :, None]
    usual = float((light * there).sum() / there.sum())
    wanted = np.asarray(np.clip(light + (float(wish @ LUMA) - usual), 0, 1), np.float32)
    tinted = with_light(np.broadcast_to(wish, plane.shape), wanted)
    return np.concatenate([np.rint(np.clip(tinted, 0, 1) * 255).astype(np.uint8),
                           pixels[:, :, 3:]], axis=2)  # fmt: skip


def _scaled_text(text: Text, factor: float) -> Text:
    runs = tuple(Run(run.words, scaled_style(run.style, factor)) for run in text.runs)
    width = text.width * factor if text.width is not None else None
    return replace(text, runs=runs, width=width, drawn=None, drawn_at=(0.0, 0.0))


def _scaled_shape(shape: Shape, factor: float) -> Shape:
    outlines = tuple(tuple((x * factor, y * factor) for x, y in line) for line in shape.outlines)
    stroke = replace(shape.stroke, width=shape.stroke.width * factor) if shape.stroke else None
    return replace(
        shape, width=shape.width * factor, height=shape.height * factor, stroke=stroke,
        radius=shape.radius * factor, outlines=outlines,
    )  # fmt: skip


def _scaled_mask(mask: Mask, factor: float, about: Point) -> Mask:
    import cv2

    high, wide = mask.pixels.shape
    size = (max(1, round(wide * factor)), max(1, round(high * factor)))
    pixels = np.asarray(cv2.resize(mask.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    left = round(about[0] + (mask.left - about[0]) * factor)
    return Mask(pixels, left, round(about[1] + (mask.top - about[1]) * factor), mask.outside)
