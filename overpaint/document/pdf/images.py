"""Pictures in a PDF: pixels as an image that loses nothing, with their transparency."""

import io
import struct
from typing import Any

import numpy as np
from pikepdf import Dictionary, Name
from PIL import Image

from overpaint.document.layers import Pixels


def image_of(file: Any, pixels: Pixels, *, bits: int = 8) -> Any:
    """An image of H×W, H×W×3 or H×W×4 pixels; what is not opaque has a soft mask.

    With one bit, of black and white.
    """
    colours = pixels[:, :, :3] if pixels.ndim == 3 else pixels
    if pixels.ndim == 3 and not np.ptp(colours, axis=2).any():
        colours = colours[:, :, 0]
    made = _stream(file, colours, bits)
    if pixels.ndim == 3 and pixels.shape[2] == 4 and (pixels[:, :, 3] < 255).any():
        made.SMask = _stream(file, pixels[:, :, 3])
    return made


def _stream(file: Any, colours: Pixels, bits: int = 8) -> Any:
    """Pixels as PNG packs them, which PDF knows as well."""
    out = io.BytesIO()
    picture = Image.fromarray(np.ascontiguousarray(colours))
    if bits == 1:
        picture = picture.convert("1", dither=Image.Dither.NONE)
    picture.save(out, "PNG")
    high, wide = colours.shape[:2]
    many = 3 if colours.ndim == 3 else 1
    return file.make_stream(
        _packed(out.getvalue()), Type=Name.XObject, Subtype=Name.Image, Width=wide, Height=high,
        ColorSpace=Name.DeviceRGB if many == 3 else Name.DeviceGray, BitsPerComponent=bits,
        Filter=Name.FlateDecode,
        DecodeParms=Dictionary(Predictor=15, Colors=many, BitsPerComponent=bits, Columns=wide),
    )  # fmt: skip


def _packed(png: bytes) -> bytes:
    """The packed rows of a PNG."""
    at, parts = 8, []
    while at < len(png):
        (length,), kind = struct.unpack_from(">I", png, at), png[at + 4 : at + 8]
        if kind == b"IDAT":
            parts.append(png[at + 8 : at + 8 + length])
        at += length + 12
    return b"".join(parts)
