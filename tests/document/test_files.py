"""Files: read as what they are, written as they are called, whole or not at all."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conftest import picture
from PIL import Image

from overpaint.document import Document, Layer, Picture, files
from overpaint.document.layers import Run, Text
from overpaint.errors import PictureError, UserMistake

CLEAR = np.dstack([picture(1), np.full((64, 80), 128, np.uint8)])
LAYERED = Document(canvas=(80, 64), made=(
    Layer(Picture(np.dstack([picture(0), np.full((64, 80), 255, np.uint8)])), "ground", "1"),
    Layer(Picture(CLEAR), "haze", "2", 10.0, 5.0, blend="multiply"),
))  # fmt: skip


@pytest.mark.parametrize("suffix", ["png", "webp", "tif", "tiff", "PNG"])
def test_a_flat_picture_is_written_to_the_bit(tmp_path: Path, suffix: str) -> None:
    for pixels in (picture(), CLEAR):
        path = tmp_path / f"a.{suffix}"
        assert files.write(Document.of(pixels), path) == ()
        assert files.read(path) == Document.of(pixels)
        assert (Document(path).rgba == Document.of(pixels).rgba).all()


def test_jpeg_is_written_finely_over_white_and_says_what_it_lost(tmp_path: Path) -> None:
    assert files.write(Document.of(CLEAR), tmp_path / "a.jpg") == (
        "JPEG holds no transparency: it is over white",
        "JPEG of quality 95 holds no exact pixels",
    )
    with Image.open(tmp_path / "a.jpg") as image:
        assert [part[1:3] for part in image.layer] == [(1, 1)] * 3  # 4:4:4
        wrong = np.abs(np.asarray(image).astype(int) - Document.of(CLEAR).rgb)
    assert wrong.mean() < 3  # of a picture that is mostly noise
    files.write(Document.of(CLEAR), tmp_path / "b.jpeg", quality=30)
    assert (tmp_path / "b.jpeg").stat().st_size < (tmp_path / "a.jpg").stat().st_size
    with pytest.raises(UserMistake, match="The quality is 0. 1 to 100 was expected"):
        files.write(Document.of(CLEAR), tmp_path / "b.jpeg", quality=0)


def test_layers_are_flattened_for_a_flat_picture_and_it_says_so(tmp_path: Path) -> None:
    for suffix, name in (("png", "PNG"), ("webp", "WebP"), ("tif", "TIFF")):
        notes = files.write(LAYERED, tmp_path / f"a.{suffix}")
        assert notes == (f"{name} holds no layers: they were flattened",)
        assert np.array_equal(Document(tmp_path / f"a.{suffix}").rgba, LAYERED.rgba)


def test_the_colour_profile_and_resolution_of_a_picture_are_kept(tmp_path: Path) -> None:
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    Image.fromarray(picture()).save(tmp_path / "a.png", icc_profile=profile, dpi=(300, 300))
    for suffix in ("png", "jpg", "tif"):
        files.write(Document(tmp_path / "a.png").opened, tmp_path / f"b.{suffix}")
        with Image.open(tmp_path / f"b.{suffix}") as image:
            assert image.info["icc_profile"] == profile
            assert round(float(image.info["dpi"][0])) == 300


def test_a_suffix_nobody_knows_is_the_users_mistake_naming_those_that_work(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match=r"\.xyz is none .* These work: \.psd .* \.ora .* \.png"):
        files.write(LAYERED, tmp_path / "a.xyz")
    with pytest.raises(UserMistake, match=r"\.json is none of the formats that can"):
        files.write(LAYERED, tmp_path / "a.json")


def test_a_file_is_read_as_what_it_is_and_a_wrong_name_is_noted(tmp_path: Path) -> None:
    files.write(LAYERED, tmp_path / "a.ora")
    (tmp_path / "a.ora").rename(tmp_path / "a.psd")
    seen = files.read(tmp_path / "a.psd")
    assert seen == LAYERED
    assert seen.notes == ("named .psd but is OpenRaster",)
    assert Document(tmp_path / "a.psd").notes == ("named .psd but is OpenRaster",)
    files.write(Document.of(picture()), tmp_path / "b.png")
    (tmp_path / "b.png").rename(tmp_path / "b.ora")
    assert files.read(tmp_path / "b.ora").notes == ("named .ora but is a flat picture",)


def test_pages_and_a_page_that_is_not_there(tmp_path: Path) -> None:
    files.write(LAYERED, tmp_path / "a.ora")
    files.write(LAYERED, tmp_path / "a.png")
    for name in ("a.ora", "a.png"):
        assert files.pages(tmp_path / name) == 1
        with pytest.raises(UserMistake, match="has 1 page, and no page 2"):
            files.read(tmp_path / name, 2)


def test_a_zip_that_is_no_document_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr("word/document.xml", "<a/>")
    with pytest.raises(PictureError, match="a zip file of a kind that is not known"):
        files.read(tmp_path / "a.zip")
    with pytest.raises(PictureError, match="gone.psd cannot be opened"):
        files.read(tmp_path / "gone.psd")


@pytest.mark.parametrize("suffix", ["png", "ora", "psd"])
def test_an_output_is_whole_or_as_it_was(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"a.{suffix}"
    files.write(LAYERED, path)
    before = path.read_bytes()
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("no room")))
    with pytest.raises(UserMistake, match="cannot be written: no room. A folder that can be"):
        files.write(Document.of(picture()), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_file_written_over_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    files.write(LAYERED, path)
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask
    path.chmod(0o600)
    files.write(LAYERED, path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    target, link, pipe = (tmp_path / name for name in ("real.png", "link.png", "pipe.png"))
    link.symlink_to(target)
    os.mkfifo(pipe)
    page = Document.of(np.full((4, 6, 3), 200, np.uint8))
    files.write(page, link)
    assert link.is_symlink()
    assert Document(target).size == (6, 4)
    with pytest.raises(UserMistake, match=r"pipe.png cannot be written: it is no file. Give"):
        files.write(page, pipe)


def test_an_output_in_no_folder_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="cannot be written: No such file or directory"):
        files.write(LAYERED, tmp_path / "gone" / "a.png")


@pytest.mark.parametrize("name", ["a.ora", "a.psd", "folder"])
def test_a_document_can_be_written_over_its_own_file_or_when_that_is_gone(
    tmp_path: Path, name: str
) -> None:
    files.write(LAYERED, tmp_path / name)
    seen = files.read(tmp_path / name)
    assert seen.origin == tmp_path / name
    changed = seen.having(replace(seen.layers[0], name="renamed"), seen.layers[1])
    files.write(changed, tmp_path / name)
    assert files.read(tmp_path / name) == changed
    gone = replace(changed, origin=tmp_path / "gone" / name)
    files.write(gone, tmp_path / f"b{Path(name).suffix}")
    assert files.read(tmp_path / f"b{Path(name).suffix}") == changed


@pytest.mark.parametrize("name", ["b.ora", "b.psd", "folder"])
def test_a_document_moves_from_format_to_format(tmp_path: Path, name: str) -> None:
    words = Layer(Text((Run("hi"),), drawn=CLEAR, drawn_at=(1.0, -9.0)), "words", "3", 3.0, 20.0)
    made = LAYERED.having(*LAYERED.layers, words)
    files.write(made, tmp_path / "a.ora")
    seen = files.read(tmp_path / "a.ora")
    files.write(seen, tmp_path / name)
    assert np.array_equal(files.read(tmp_path / name).rgba, made.rgba)


def test_every_format_says_what_it_holds() -> None:
    assert len({known.name for known in files.FORMATS}) == len(files.FORMATS)
    suffixes = [suffix for known in files.FORMATS for suffix in known.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    for known in files.FORMATS:
        assert ("layers" in known.holds) == bool(known.module)
