"""Pictures are shown pixel by pixel as they are, and without whatever else their files say."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from overpaint.document import Document
from overpaint.errors import PictureError
from overpaint.rating.pictures import Gallery, picture_of, read_shown, stripped

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
    [("PNG", {}), ("JPEG", {}), ("JPEG", {"progressive": True}), ("WEBP", {})],
)
def test_remarks_are_left_out_and_pixels_stay(kind: str, options: dict[str, Any]) -> None:
    data = written(kind, **options)
    assert SECRET.encode() in data
    found = stripped(data + SECRET.encode())  # and what was put behind the picture
    assert found is not None
    shown, media = found
    assert SECRET.encode() not in shown
    assert media == f"image/{kind.lower()}"
    before = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(shown)).convert("RGB")), before)


def test_colour_profiles_stay(tmp_path: Path) -> None:
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for kind in ("PNG", "JPEG", "WEBP"):
        found = stripped(written(kind, icc_profile=profile))
        assert found is not None
        assert Image.open(io.BytesIO(found[0])).info["icc_profile"] == profile


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF0000WEBPVP8X",
                                  b"GIF89a", b"\xff\xd8\xff\xe0\x00\x10JFIF"])  # fmt: skip
def test_a_broken_file_is_not_passed_on(data: bytes) -> None:
    found = stripped(data)
    assert found is None or len(found[0]) <= len(data) + 12


def test_a_photograph_held_sideways_and_a_tiff_become_a_png_as_they_are_seen(
    tmp_path: Path,
) -> None:
    exif = Image.Exif()
    exif[274] = 6
    for name, options in (("a.jpg", {"exif": exif}), ("a.tiff", {})):
        file = tmp_path / name
        Image.fromarray(PIXELS).save(file, **options)
        picture = picture_of(Document(file))
        data, media = read_shown(picture)
        assert media == "image/png"
        assert Image.open(io.BytesIO(data)).size == (picture.width, picture.height)
        assert (picture.width, picture.height) == Document(file).size


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
