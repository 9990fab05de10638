"""Thumbnails: all pictures of a sample side by side in one small WebP."""

import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageOps

from overpaint.document import Document
from overpaint.document.pictures import FORMATS, check_scans, pixel_limit, read_file
from overpaint.errors import OverpaintError
from overpaint.work import Backend, Here, Processes, Progress, Task, silent

# Longest edge in pixels -> bytes a picture takes, measured on photographs at this quality.
EDGES = {256: 6000, 192: 3700, 128: 2000, 96: 1300}
ROOM = 20_000_000  # bytes; base64 makes a third more of it
QUALITY = 50
_WORTH_WORKERS = 400  # pictures; below that, starting processes takes longer than the work
_BACKGROUND = (127, 127, 127)
_WIDEST = 16_000  # WebP ends at 16,383 pixels


@dataclass(frozen=True)
class Sprite:
    """Equal cells in a row; a picture that could not be read leaves its cell empty."""

    data: bytes
    width: int
    height: int
    broken: tuple[int, ...] = ()


def best_edge(pictures: int) -> int:
    """The largest thumbnails that so many pictures leave room for."""
    return next((edge for edge, size in EDGES.items() if pictures * size <= ROOM), min(EDGES))


def sprites(
    strips: Sequence[Sequence[Path]], *, workers: int | None = None, progress: Progress = silent
) -> list[Sprite | None]:
    """A sprite for each list of pictures; None where there is nothing to show."""
    pictures = sum(map(len, strips))
    edge = best_edge(pictures)
    tasks = (Task((place, tuple(paths)), (edge,)) for place, paths in enumerate(strips) if paths)
    made: list[Sprite | None] = [None] * len(strips)
    total = sum(map(bool, strips))
    for done, outcome in enumerate(_backend(pictures, workers).perform(tasks), 1):
        made[outcome.subject[0]] = outcome.result
        progress("drawing", done, total)
    return made


def _backend(pictures: int, workers: int | None) -> Backend:
    if workers is None:
        workers = min(os.cpu_count() or 1, 8) if pictures > _WORTH_WORKERS else 0
    return Processes(_draw, workers, deadline=120) if workers else Here(_draw)


def _draw(strip: tuple[int, tuple[Path, ...]], edge: int) -> Sprite:
    paths = strip[1]
    edge = max(1, min(edge, _WIDEST // len(paths)))
    found = list(_thumbnails(paths, edge))
    width, height = next((image.size for image in found if image), (edge, edge))
    sheet = Image.new("RGB", (width * len(found), height), _BACKGROUND)
    for place, image in enumerate(found):
        if image:
            fitted = (
                image if image.size == (width, height) else ImageOps.contain(image, (width, height))
            )
            left = place * width + (width - fitted.width) // 2
            sheet.paste(fitted, (left, (height - fitted.height) // 2))
    broken = tuple(place for place, image in enumerate(found) if image is None)
    return Sprite(encode(sheet), width, height, broken)


def _thumbnails(paths: Sequence[Path], edge: int) -> Iterator[Image.Image | None]:
    for path in paths:
        try:
            yield thumbnail(path, edge)
        except OverpaintError:
            yield None


def encode(image: Image.Image) -> bytes:
    """WebP at the quality of thumbnails."""
    out = io.BytesIO()
    image.save(out, "WEBP", quality=QUALITY, method=2)
    return out.getvalue()


def thumbnail(path: Path, edge: int) -> Image.Image:
    """The picture in RGB, no edge longer than `edge`; `PictureError` if it cannot be read."""
    image = _quick_jpeg(path, edge) or Image.fromarray(Document(path).rgb)
    scale = min(1.0, edge / max(image.size))
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return image.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0)


def _quick_jpeg(path: Path, edge: int) -> Image.Image | None:
    """A plain JPEG decoded at a fraction of its size; None for anything else or odd."""
    try:
        with Image.open(path, formats=FORMATS) as image:
            if image.format != "JPEG" or image.mode not in ("RGB", "L"):
                return None
            if image.width * image.height > pixel_limit():
                return None
            check_scans(path, read_file(path), image.size)
            image.draft("RGB", (2 * edge, 2 * edge))
            turned = image.getexif().get(0x0112, 1) != 1
            upright = ImageOps.exif_transpose(image) if turned else image
            upright.load()
            return upright if upright.mode == "RGB" else upright.convert("RGB")
    except (OSError, SyntaxError, ValueError):
        return None  # the careful reader says what is wrong with it
