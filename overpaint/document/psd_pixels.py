"""PSD channels and pixels: the planes of a layer as RGBA, and RGBA as the planes of a layer."""

import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from overpaint.document.containers import Allowance
from overpaint.document.layers import Mask, Pixels
from overpaint.errors import PictureError

# What psd-tools raises on damaged files, and nothing wider.
DAMAGE = (
    OSError, ValueError, EOFError, LookupError, TypeError, AttributeError, AssertionError,
    MemoryError, ArithmeticError, RecursionError, NotImplementedError, SyntaxError,
    struct.error, zlib.error, UserWarning,
)  # fmt: skip

ALPHA, MASK = -1, -2
_EXACT = {"RGB": (0, 1, 2), "GRAYSCALE": (0, 0, 0)}


@contextmanager
def guarded(path: Path, what: str = "it") -> Iterator[None]:
    """Whatever goes wrong inside is damage to the file, said in a sentence."""
    from psd_tools.compression import PSDDecompressionWarning

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # psd-tools would show black in place of a channel that it cannot unpack.
            warnings.simplefilter("error", PSDDecompressionWarning)
            yield
    except DAMAGE as error:
        packed = isinstance(error, PSDDecompressionWarning)  # which tells what psd-tools does then
        why = "a channel cannot be unpacked" if packed else error or "it is not as a PSD is"
        raise PictureError(
            f"{path} is a damaged PSD: {what} cannot be read ({why}).",
            "A whole file was expected.",
            "Save or fetch it again.",
        ) from error


def exact(psd: Any) -> bool:
    """Whether a file's colours are read as they are: RGB or grey."""
    return psd.color_mode.name in _EXACT and psd.depth in (8, 16, 32)


def layer_pixels(layer: Any, allowance: Allowance) -> Pixels:
    """RGBA of a layer's own channels, before opacity, mask and effects."""
    record = layer._record
    wide, high = record.right - record.left, record.bottom - record.top
    if wide <= 0 or high <= 0:
        return np.zeros((max(0, high), max(0, wide), 4), np.uint8)
    allowance.take(wide, high)
    if not exact(layer._psd):
        return _converted(layer, (wide, high))
    planes = {
        info.id: data for info, data in zip(record.channel_info, layer._channels, strict=False)
    }
    pixels = np.full((high, wide, 4), 255, np.uint8)
    wanted = [*_EXACT[layer._psd.color_mode.name], ALPHA]
    for at, channel in enumerate(wanted):
        if channel in planes:
            pixels[:, :, at] = _plane(planes[channel], (wide, high), layer._psd)
        elif channel != ALPHA:
            pixels[:, :, at] = 0
    return pixels


def _converted(layer: Any, size: tuple[int, int]) -> Pixels:
    """RGBA of CMYK, Lab and the like, through the file's colour profile where it has one."""
    image = layer.topil()
    if image is None:
        return np.zeros((size[1], size[0], 4), np.uint8)
    return np.asarray(image.convert("RGBA"))


def layer_mask(layer: Any, allowance: Allowance) -> Mask | None:
    """A layer's mask as it is switched on: the pixels of a vector mask too, where they are kept."""
    data = layer._record.mask_data
    if data is None or data.flags.mask_disabled:
        return None
    wide, high = data.right - data.left, data.bottom - data.top
    pixels = np.zeros((max(0, high), max(0, wide)), np.uint8)
    if wide > 0 and high > 0:
        allowance.take(wide, high)
        found = [
            plane for info, plane in zip(layer._record.channel_info, layer._channels, strict=False)
            if info.id == MASK
        ]  # fmt: skip
        if not found:
            return None
        pixels = _plane(found[0], (wide, high), layer._psd)
    return Mask(pixels, data.left, data.top, data.background_color)


def _plane(channel: Any, size: tuple[int, int], psd: Any) -> Pixels:
    """One channel as 8 bits."""
    wide, high = size
    data = channel.get_data(wide, high, psd.depth, psd.version)
    if len(data) != wide * high * psd.depth // 8:
        raise ValueError(f"a channel has {len(data)} bytes, not {wide}×{high}×{psd.depth // 8}")
    return eight_bits(data, psd.depth).reshape(high, wide)


def eight_bits(data: bytes, depth: int) -> Pixels:
    """Values of 8, 16 or 32 bits as 8 bits, rounded to the nearest."""
    if depth == 8:
        return np.frombuffer(data, np.uint8)
    if depth == 16:
        return np.asarray(np.rint(np.frombuffer(data, ">u2") / 257), np.uint8)
    values = np.nan_to_num(np.frombuffer(data, ">f4"), nan=0.0, posinf=1.0, neginf=0.0)
    return np.asarray(np.rint(np.clip(values, 0, 1) * 255), np.uint8)


# ── the way back ────────────────────────────────────────────────────────────────────────


def stored(plane: Pixels, depth: int) -> bytes:
    """8-bit values as a file of that depth stores them; `eight_bits` gives them back."""
    if depth == 8:
        return np.ascontiguousarray(plane).tobytes()
    if depth == 16:
        return (plane.astype(np.uint32) * 257).astype(">u2").tobytes()
    return (plane.astype(np.float64) / 255).astype(">f4").tobytes()


def colour_planes(rgb: Pixels, mode: str) -> list[Pixels]:
    """The planes of RGB colours in a file's own mode: RGB, grey or CMYK (255 is no ink)."""
    from PIL import Image

    if mode == "RGB":
        return [rgb[:, :, at] for at in range(3)]
    image = Image.fromarray(np.ascontiguousarray(rgb))
    if mode == "GRAYSCALE":
        return [np.asarray(image.convert("L"))]
    return [255 - np.asarray(band) for band in image.convert("CMYK").split()]


def packed_channel(psd: Any, plane: Pixels) -> Any:
    """A plane as the channel of a layer."""
    from psd_tools.constants import Compression
    from psd_tools.psd.layer_and_mask import ChannelData

    high, wide = plane.shape
    if not plane.size:
        return ChannelData(Compression.RAW, b"")
    channel = ChannelData(Compression.RLE if psd.depth == 8 else Compression.ZIP)
    channel.set_data(stored(plane, psd.depth), wide, high, psd.depth, psd.version)
    return channel
