"""Pictures are sent pixel by pixel as they are, and without whatever else their files say."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from overpaint.document import Document
from overpaint.errors import PictureError
from overpaint.rating.pictures import Gallery, picture_of, read_shown

SECRET = "made by zebrafish v2"
PIXELS = np.random.default_rng(3).integers(0, 255, (24, 40, 3), np.uint8)


def written(kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x0131] = SECRET  # Software
    extra: dict[str, Any] = {"exif": exif}
    if kind == "PNG":
        info = PngImagePlugin.PngInfo()
        info.add_text("workflow", SECRET)
        info.add_itxt("prompt", SECRET)
        extra["pnginfo"] = info
    if kind == "JPEG":
        extra["comment"] = SECRET
    if kind == "WEBP":
        extra |= {"xmp": SECRET.encode(), "lossless": True}
    Image.fromarray(PIXELS).save(out, kind, **(extra | options))
    return out.getvalue()


@pytest.mark.parametrize(
    ("kind", "options"),
    [("PNG", {}), ("JPEG", {}), ("JPEG", {"progressive": True}), ("WEBP", {}), ("TIFF", {})],
)
def test_any_picture_is_sent_as_a_png_of_its_pixels_without_remarks(
    kind: str, options: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / f"a.{kind.lower()}"
    file.write_bytes(written(kind, **options) + SECRET.encode())  # and put behind the picture, too
    picture = picture_of(Document(file))
    shown = read_shown(picture)
    assert SECRET.encode() not in shown
    found = Image.open(io.BytesIO(shown))
    assert found.format == "PNG"
    assert found.size == (picture.width, picture.height)
    assert np.array_equal(np.asarray(found), Document(file).rgb)


def test_a_photograph_held_sideways_has_the_size_as_it_is_seen(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[274] = 6
    file = tmp_path / "a.jpg"
    Image.fromarray(PIXELS).save(file, exif=exif)
    picture = picture_of(Document(file))
    assert (picture.width, picture.height) == (24, 40)
    assert Image.open(io.BytesIO(read_shown(picture))).size == (24, 40)


def test_a_gallery_keeps_as_much_as_it_has_room_for(tmp_path: Path) -> None:
    gallery = Gallery(megabytes=0)
    pictures = []
    for n in range(3):
        file = tmp_path / f"{n}.png"
        Image.fromarray(np.roll(PIXELS, n, 0)).save(file)
        pictures.append(picture_of(Document(file)))
    shown = [gallery.shown(one) for one in pictures]
    assert [gallery.shown(one) for one in pictures] == shown
    pictures[0].path.unlink()
    with pytest.raises(PictureError, match="any more"):
        gallery.shown(pictures[0])
