"""Reading and writing flat pictures: anything odd is either mended and noted, or an error."""

import io
import os
import stat
import struct
import warnings
import zlib
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from overpaint.document import regular
from overpaint.errors import PictureError, TooLarge, UserMistake

FORMATS = ("PNG", "JPEG", "WEBP", "TIFF")
SUFFIXES = {
    ".png": "PNG",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".webp": "WEBP",
    ".tif": "TIFF",
    ".tiff": "TIFF",
}
KINDS = "PNG, JPEG, WebP, TIFF, PSD, OpenRaster, SVG, PPTX and PDF"
LIMIT_SETTING = "OVERPAINT_MAX_PIXELS"
DEFAULT_LIMIT = 100_000_000
LARGEST = 1_000_000_000  # bytes of a file
LONGEST_NAME = 1000  # letters of a path in a message
_DIGITS = 18  # of the most pixels that the setting takes
_ROWS = 64
_SCANS = 20  # of a progressive JPEG as large as may be, or as many pixels in other parts

# What Pillow's decoders raise on damaged files, and nothing wider.
_DAMAGE = (
    OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, MemoryError,
    struct.error, OverflowError, zlib.error,
)  # fmt: skip

_CHECKED = (b"IHDR", b"PLTE", b"tRNS", b"IDAT")
# The chunks of a PNG that may hold EXIF. They may come last, so that asking for it decodes all.
_TURNING = (b"eXIf", b"tEXt", b"zTXt", b"iTXt")

# Our own limit below is checked before anything is decoded, so Pillow's is not needed twice.
Image.MAX_IMAGE_PIXELS = None


def read_picture(path: Path) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    """RGB or RGBA pixels of a picture file, and notes on what reading had to change."""
    return decode_picture(read_file(path), path)


def decode_picture(data: bytes, path: Path) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    """The same of a picture's bytes; `path` is what messages call it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd EXIF blocks; the pixels are what counts
            return _decode(path, data)
    except UnidentifiedImageError:
        what = f"no picture of a known kind ({len(data):,} bytes)" if data else "an empty file"
        raise PictureError(f"{path} is {what}.", f"{KINDS} are read.") from None
    except _DAMAGE as error:
        # A TypeError tells of the decoder, not of the picture.
        why = "its data is broken" if isinstance(error, TypeError) else error
        raise PictureError(
            f"{path} cannot be decoded: {why}.",
            "A whole picture was expected.",
            "Save or fetch it again.",
        ) from error


def read_size(path: Path) -> tuple[int, int]:
    """Width and height of a picture as it is read, without decoding it if that can be helped."""
    data = read_file(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                _check_size(path, image.size)
                asked = image.format != "PNG" or any(chunk in data for chunk in _TURNING)
                # Pillow tells a TIFF's size as it will be when it is decoded, and turned.
                turned = asked and image.format != "TIFF" and _orientation(image) in range(5, 9)
                return image.size[::-1] if turned else image.size
    except _DAMAGE as error:
        raise PictureError(f"{path} cannot be decoded: {error}.") from None


def read_file(path: Path) -> bytes:
    """The bytes of a picture's file."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise PictureError(f"{path} is no file.", f"{KINDS} are read.")
        with regular.opened(path) as file:
            if (size := os.fstat(file.fileno()).st_size) > LARGEST:
                raise TooLarge(
                    f"{path} has {size:,} bytes; the most that is read is {LARGEST:,}.",
                    "No picture or page of a sensible size takes as many.",
                    "Save it anew, smaller or compressed.",
                )
            return file.read(size)
    except (OSError, ValueError) as error:  # a name that no file can have is a ValueError
        name = str(path) if len(str(path)) <= LONGEST_NAME else f"{str(path)[:60]}…"
        raise PictureError(
            f"The picture {name} cannot be opened: {getattr(error, 'strerror', error)}.",
            f"{KINDS} are read.",
        ) from None


def is_there(path: Path, kind: Literal["file", "folder", "any"] = "any") -> bool:
    """Whether there is a file or a folder of that name; no name is too long or too odd to ask."""
    asked = {"file": os.path.isfile, "folder": os.path.isdir, "any": os.path.exists}
    return asked[kind](path)  # unlike those of Path, they never raise


def is_markup(head: bytes) -> bool:
    """Whether a file that begins so is XML, in UTF-8 or in UTF-16."""
    wide = (b"\xff\xfe<\0", b"\xfe\xff\0<", b"<\0?\0", b"\0<\0?", b"<\0s\0", b"\0<\0s")
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<") or head.startswith(wide)


def _decode(path: Path, data: bytes) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    with Image.open(io.BytesIO(data), formats=FORMATS) as image:
        _check_size(path, image.size)
        if image.format == "PNG":
            _check_sums(data)
        check_scans(path, data, image.size)
        notes = []
        if (promised := SUFFIXES.get(path.suffix.lower().strip())) and promised != image.format:
            notes.append(f"named {path.suffix} but is {image.format}")
        if getattr(image, "n_frames", 1) > 1:
            notes.append("first of several frames")
        pixels, more = _to_eight_bits(image)
    return pixels, (*notes, *more)


def _check_sums(png: bytes) -> None:
    """Refuse a PNG whose pixels are damaged: Pillow would show others in their place."""
    at = 8
    while at + 12 <= len(png):
        size = int.from_bytes(png[at : at + 4])
        kind, end = png[at + 4 : at + 8], at + 8 + size
        wrong = kind in _CHECKED and zlib.crc32(png[at + 4 : end]) != int.from_bytes(
            png[end : end + 4]
        )
        if wrong and end + 4 <= len(png):  # one that is cut off is said to be by Pillow
            raise ValueError(f"the checksum of its {kind.decode()} is wrong")
        at = end + 4


def check_scans(path: Path, data: bytes, size: tuple[int, int]) -> None:
    """Refuse a JPEG that draws its pixels over and over: each scan costs as much as the picture.

    Asked of the bytes: a JPEG that tells of further pictures is no "JPEG" for Pillow, but an MPO.
    """
    jpeg = data.startswith(b"\xff\xd8")
    scans = data.count(b"\xff\xda") if jpeg else 0  # which pixels cannot have in them
    if scans > _SCANS and scans * size[0] * size[1] > _SCANS * pixel_limit():
        raise TooLarge(
            f"{path} has {scans:,} scans of {size[0]}×{size[1]} pixels.",
            "A progressive JPEG has about ten; so many are more often an attack than a page.",
            "If you trust it, save it anew as a PNG.",
        )


def _to_eight_bits(image: Image.Image) -> tuple[NDArray[np.uint8], list[str]]:
    """Upright 8-bit RGB or RGBA; each conversion that could matter is named."""
    notes = []
    if image.mode in ("RGB", "RGBA") and ";16" in str(
        getattr(image, "tile", "")
    ):  # deep RGB, which Pillow reduces as it decodes
        notes.append("16 bits reduced to 8 bits")
    if _orientation(image) in range(2, 9):
        image = ImageOps.exif_transpose(image)
        notes.append("turned as EXIF says")
    if image.mode.startswith("I") or image.mode == "F":
        eight, read_as = _reduced(image)
        return np.repeat(eight[:, :, None], 3, axis=2), [*notes, read_as]
    if image.mode in ("P", "PA") or image.mode not in ("RGB", "RGBA", "L", "LA", "1"):
        notes.append(f"converted from {image.mode}")
    alpha = image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info
    mode = "RGBA" if alpha else "RGB"
    # Converted only where it must be: to the same mode would be a copy of it all.
    return np.asarray(image if image.mode == mode else image.convert(mode)), notes


def _orientation(image: Image.Image) -> int:
    """How EXIF says the picture lies; 1 where it says nothing that can be read."""
    try:
        return int(image.getexif().get(0x0112, 1))
    except _DAMAGE:
        return 1


def _reduced(image: Image.Image) -> tuple[NDArray[np.uint8], str]:
    """8-bit values of deep grey and how they were read; an unknown range is an error."""
    values = np.asarray(image).astype(np.float64)
    ranges = {"F": (1.0, 255.0), "I": (255.0, 65535.0)}.get(image.mode, (65535.0,))
    low, high = (values.min(), values.max()) if np.isfinite(values).all() else (-1.0, -1.0)
    top = next((top for top in ranges if low >= 0 and high <= top), None)
    if top is None:
        raise ValueError(f"{image.mode} values outside 0–{ranges[-1]:g}")
    return np.rint(values / top * 255).astype(np.uint8), f"{image.mode} of 0–{top:g} as 8 bits"


def _check_size(path: Path, size: tuple[int, int]) -> None:
    limit, pixels = pixel_limit(), size[0] * size[1]
    if pixels > limit:
        raise TooLarge(
            f"{path} says it has {size[0]}×{size[1]} pixels; the limit is {limit:,}.",
            "A picture that large is more often an attack than a page.",
            if_trusted(pixels),
        )


def if_trusted(pixels: int) -> str:
    """How a picture that declares so many pixels is read all the same, where it can be."""
    settable = pixels < 10**_DIGITS
    return f"If you trust it, set {LIMIT_SETTING}={pixels}." if settable else ""


def pixel_limit() -> int:
    """The most pixels a picture may declare, from the environment or the default."""
    text = os.environ.get(LIMIT_SETTING, str(DEFAULT_LIMIT))
    if not text.isdecimal() or len(text) > _DIGITS or int(text) == 0:
        raise UserMistake(f"{LIMIT_SETTING} is {text!r}.", "A whole number of pixels was expected.")
    return int(text)


def flatten(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """RGB of RGB or RGBA pixels, transparent parts over white, rounded to the nearest."""
    if pixels.shape[2] == 3:
        return pixels
    made = np.ascontiguousarray(pixels[:, :, :3], np.uint8)
    for row in range(0, len(pixels), _ROWS):  # a few at a time: floats take four times the memory
        part = pixels[row : row + _ROWS]
        if (part[:, :, 3] == 255).all():
            continue
        alpha = part[:, :, 3:].astype(np.float32) / 255
        made[row : row + _ROWS] = np.rint(part[:, :, :3] * alpha + 255 * (1 - alpha))
    return made


def with_alpha(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """RGBA of RGB or RGBA pixels."""
    if pixels.shape[2] == 4:
        return pixels
    import cv2

    if not pixels.size:
        return np.zeros((*pixels.shape[:2], 4), np.uint8)
    # numpy's own way, rows of three and of one, takes ten times as long.
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2RGBA), np.uint8)


def encode_png(pixels: NDArray[np.uint8]) -> bytes:
    """PNG bytes of RGB or RGBA pixels; a fully opaque picture is stored without alpha."""
    if pixels.shape[2] == 4 and (pixels[:, :, 3] == 255).all():
        pixels = pixels[:, :, :3]
    out = io.BytesIO()
    # Level 1: outputs are written once per edit, and time matters more than a few kilobytes.
    Image.fromarray(np.ascontiguousarray(pixels)).save(out, "PNG", compress_level=1)
    return out.getvalue()
