"""Reading and writing flat pictures: anything odd is either mended and noted, or an error."""

import io
import os
import struct
import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from overpaint.errors import PictureError, UserMistake

FORMATS = ("PNG", "JPEG", "WEBP", "TIFF")
SUFFIXES = {
    ".png": "PNG",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".webp": "WEBP",
    ".tif": "TIFF",
    ".tiff": "TIFF",
}
LIMIT_SETTING = "OVERPAINT_MAX_PIXELS"
DEFAULT_LIMIT = 100_000_000

# What Pillow's decoders raise on damaged files, and nothing wider.
_DAMAGE = (
    OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, MemoryError,
    struct.error,
)  # fmt: skip

# Our own limit below is checked before anything is decoded, so Pillow's is not needed twice.
Image.MAX_IMAGE_PIXELS = None


def read_picture(path: Path) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    """RGB or RGBA pixels of a picture file, and notes on what reading had to change."""
    data = read_file(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd EXIF blocks; the pixels are what counts
            return _decode(path, io.BytesIO(data))
    except UnidentifiedImageError:
        what = f"no picture of a known kind ({len(data):,} bytes)" if data else "an empty file"
        raise PictureError(f"{path} is {what}.", "PNG, JPEG, WebP and TIFF are read.") from None
    except _DAMAGE as error:
        raise PictureError(
            f"{path} cannot be decoded: {error}.",
            "A whole picture was expected.",
            "Save or fetch it again.",
        ) from error


def read_file(path: Path) -> bytes:
    """The bytes of a picture's file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise PictureError(
            f"The picture {path} cannot be opened: {error.strerror}.",
            "A PNG, JPEG, WebP or TIFF file was expected.",
        ) from None


def _decode(path: Path, data: io.BytesIO) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    with Image.open(data, formats=FORMATS) as image:
        _check_size(path, image.size)
        notes = []
        if (promised := SUFFIXES.get(path.suffix.lower().strip())) and promised != image.format:
            notes.append(f"named {path.suffix} but is {image.format}")
        if getattr(image, "n_frames", 1) > 1:
            notes.append("first of several frames")
        pixels, more = _to_eight_bits(image)
    return pixels, (*notes, *more)


def _to_eight_bits(image: Image.Image) -> tuple[NDArray[np.uint8], list[str]]:
    """Upright 8-bit RGB or RGBA; each conversion that could matter is named."""
    notes = []
    if ";16" in str(getattr(image, "tile", "")):  # deep RGB, which Pillow reduces as it decodes
        notes.append("16 bits reduced to 8 bits")
    if image.getexif().get(0x0112, 1) in range(2, 9):
        image = ImageOps.exif_transpose(image)
        notes.append("turned as EXIF says")
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):
        values = np.asarray(image).astype(np.float64)
        scale = 1.0 if image.mode == "F" and values.max(initial=0) <= 1 else 65535.0
        eight = np.clip(np.rint(values / scale * 255), 0, 255).astype(np.uint8)
        return np.repeat(eight[:, :, None], 3, axis=2), [*notes, f"{image.mode} reduced to 8 bits"]
    if image.mode in ("P", "PA") or image.mode not in ("RGB", "RGBA", "L", "LA", "1"):
        notes.append(f"converted from {image.mode}")
    alpha = image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info
    return np.asarray(image.convert("RGBA" if alpha else "RGB")), notes


def _check_size(path: Path, size: tuple[int, int]) -> None:
    limit, pixels = pixel_limit(), size[0] * size[1]
    if pixels > limit:
        raise PictureError(
            f"{path} says it has {size[0]}×{size[1]} pixels; the limit is {limit:,}.",
            "A picture that large is more often an attack than a page.",
            f"If you trust it, set {LIMIT_SETTING}={pixels}.",
        )


def pixel_limit() -> int:
    """The most pixels a picture may declare, from the environment or the default."""
    text = os.environ.get(LIMIT_SETTING, str(DEFAULT_LIMIT))
    if not text.isdigit() or int(text) == 0:
        raise UserMistake(f"{LIMIT_SETTING} is {text!r}.", "A whole number of pixels was expected.")
    return int(text)


def flatten(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """RGB of RGB or RGBA pixels, transparent parts over white, rounded to the nearest."""
    if pixels.shape[2] == 3:
        return pixels
    alpha = pixels[:, :, 3:].astype(np.float32) / 255
    return np.rint(pixels[:, :, :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)


def encode_png(pixels: NDArray[np.uint8]) -> bytes:
    """PNG bytes of RGB or RGBA pixels; a fully opaque picture is stored without alpha."""
    if pixels.shape[2] == 4 and (pixels[:, :, 3] == 255).all():
        pixels = pixels[:, :, :3]
    out = io.BytesIO()
    # Level 1: outputs are written once per edit, and time matters more than a few kilobytes.
    Image.fromarray(np.ascontiguousarray(pixels)).save(out, "PNG", compress_level=1)
    return out.getvalue()
