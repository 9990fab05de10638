"""Reading pictures: odd ones are mended and noted, broken ones are a sentence."""

import io
import os
import pickle
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import picture
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from overpaint.document import Document
from overpaint.document.containers import check_canvas
from overpaint.document.pictures import encode_png, flatten, read_picture, read_size
from overpaint.errors import PictureError, TooLarge, UserMistake
from overpaint.report.pictures import Shelf
from overpaint.report.thumbs import thumbnail


def save(path: Path, image: Image.Image, **options: object) -> Path:
    image.save(path, **options)
    return path


@pytest.mark.parametrize("suffix", ["png", "webp", "tiff"])
def test_lossless_formats_are_read_to_the_bit(tmp_path: Path, suffix: str) -> None:
    pixels = picture()
    options = {"lossless": True} if suffix == "webp" else {}
    path = save(tmp_path / f"a.{suffix}", Image.fromarray(pixels), **options)
    read, notes = read_picture(path)
    assert np.array_equal(read, pixels)
    assert notes == ()


def test_jpeg_is_read_as_its_library_reads_it(tmp_path: Path) -> None:
    path = save(tmp_path / "a.jpg", Image.fromarray(picture()), quality=90)
    assert np.array_equal(read_picture(path)[0], np.asarray(Image.open(path)))


def test_a_wrong_extension_is_read_and_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.fromarray(picture()).save(path, format="JPEG")
    assert read_picture(path)[1] == ("named .png but is JPEG",)


def test_sixteen_bits_are_reduced_by_rounding_and_noted(tmp_path: Path) -> None:
    deep = (np.arange(64 * 80, dtype=np.uint32).reshape(64, 80) * 12).astype(np.uint16)
    path = save(tmp_path / "deep.png", Image.fromarray(deep))
    pixels, notes = read_picture(path)
    assert np.array_equal(pixels[:, :, 0], np.rint(deep / 257).astype(np.uint8))
    assert notes == ("I;16 of 0–65535 as 8 bits",)


def test_deep_colour_is_reduced_and_noted(tmp_path: Path) -> None:
    deep = (np.random.default_rng(0).random((8, 9, 3)) * 65535).astype(np.uint16)
    cv2.imwrite(str(tmp_path / "deep.png"), deep)
    pixels, notes = read_picture(tmp_path / "deep.png")
    assert np.abs(pixels[:, :, ::-1].astype(int) - deep // 257).max() <= 1
    assert notes == ("16 bits reduced to 8 bits",)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array([[0.0, 0.5, 1.0]], np.float32), [0, 128, 255]),
        (np.array([[0.0, 100.0, 255.0]], np.float32), [0, 100, 255]),
        (np.array([[0, 100, 255]], np.int32), [0, 100, 255]),
        (np.array([[0, 257, 65535]], np.int32), [0, 1, 255]),
    ],
)
def test_deep_grey_is_read_by_the_range_it_has(
    tmp_path: Path, values: np.ndarray, expected: list[int]
) -> None:
    path = save(tmp_path / "deep.tif", Image.fromarray(values))
    pixels, notes = read_picture(path)
    assert pixels[0, :, 0].tolist() == expected
    assert "as 8 bits" in notes[0]


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -3.0, 1e6])
def test_deep_grey_of_no_known_range_is_an_error_and_never_black(
    tmp_path: Path, wrong: float
) -> None:
    path = save(tmp_path / "f.tif", Image.fromarray(np.array([[0.0, wrong]], np.float32)))
    with pytest.raises(PictureError, match="values outside 0–255"):
        read_picture(path)


def test_a_pipe_is_no_picture_and_holds_nothing_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(PictureError, match="is no file"):
        read_picture(tmp_path / "pipe.png")


def test_palette_cmyk_and_grey_become_rgb(tmp_path: Path) -> None:
    rgb = Image.fromarray(picture())
    palette, notes = read_picture(save(tmp_path / "p.png", rgb.quantize(16)))
    assert palette.shape == (64, 80, 3)
    assert notes == ("converted from P",)
    cmyk, notes = read_picture(save(tmp_path / "c.jpg", rgb.convert("CMYK")))
    assert cmyk.shape == (64, 80, 3)
    assert notes == ("converted from CMYK",)
    assert read_picture(save(tmp_path / "g.png", rgb.convert("L")))[0].shape == (64, 80, 3)


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tiff"])
@pytest.mark.parametrize("way", [1, 3, 6, 8])
def test_the_size_is_that_of_the_picture_as_it_is_read(
    tmp_path: Path, suffix: str, way: int
) -> None:
    exif = Image.Exif()
    exif[0x0112] = way
    path = save(tmp_path / f"r.{suffix}", Image.fromarray(picture()[:20, :30]), exif=exif)
    height, width = read_picture(path)[0].shape[:2]
    assert read_size(path) == (width, height) == ((20, 30) if way > 4 else (30, 20))


def test_a_documents_size_takes_no_second_copy_of_its_pixels(tmp_path: Path) -> None:
    document = Document(save(tmp_path / "d.png", Image.fromarray(picture())))
    assert document.size == (80, 64)
    assert "opened" not in vars(document)


def test_exif_rotation_is_applied(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    path = save(tmp_path / "r.png", Image.fromarray(picture()), exif=exif)
    pixels, notes = read_picture(path)
    assert np.array_equal(pixels, np.rot90(picture(), -1))
    assert notes == ("turned as EXIF says",)


def test_transparency_is_kept_in_the_layer_and_laid_over_white_when_flat(tmp_path: Path) -> None:
    rgba = np.dstack([picture(), np.full((64, 80), 128, np.uint8)])
    document = Document(save(tmp_path / "a.png", Image.fromarray(rgba)))
    assert np.array_equal(document.layers[0].pixels, rgba)
    alpha = 128 / 255
    expected = np.rint(picture() * alpha + 255 * (1 - alpha))
    assert np.abs(document.rgb.astype(int) - expected).max() <= 1


def test_a_single_pixel_is_a_picture(tmp_path: Path) -> None:
    path = save(tmp_path / "one.png", Image.fromarray(picture()[:1, :1]))
    assert read_picture(path)[0].shape == (1, 1, 3)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "an empty file. PNG, JPEG, WebP, TIFF, PSD, OpenRaster, SVG, PPTX and PDF are read"),
        (b"hello, I am a text file", "no picture of a known kind"),
        (b"GIF89a" + bytes(100), "no picture of a known kind"),
    ],
)
def test_what_is_no_picture_is_said_to_be_none(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "x.png").write_bytes(content)
    with pytest.raises(PictureError, match=words):
        read_picture(tmp_path / "x.png")


@pytest.mark.parametrize("at", [60, 700, -40])
def test_a_png_with_a_bit_turned_over_is_refused_and_not_read_wrong(
    tmp_path: Path, at: int
) -> None:
    data = bytearray(encode_png(picture()))
    data[at] ^= 4
    (tmp_path / "a.png").write_bytes(data)
    with pytest.raises(PictureError, match="cannot be decoded: the checksum of its IDAT is wrong"):
        read_picture(tmp_path / "a.png")


def test_a_missing_picture_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="cannot be opened: No such file"):
        read_picture(tmp_path / "gone.png")


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tiff"])
def test_a_truncated_picture_is_a_sentence_wherever_it_was_cut(tmp_path: Path, suffix: str) -> None:
    whole = save(tmp_path / f"whole.{suffix}", Image.fromarray(picture())).read_bytes()
    cut = tmp_path / f"cut.{suffix}"
    for part in (1, 3, 20, len(whole) // 3, len(whole) // 2, len(whole) * 9 // 10):
        cut.write_bytes(whole[:part])
        with pytest.raises(PictureError):
            read_picture(cut)


@given(
    st.binary(max_size=400), st.sampled_from([b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b""])
)
def test_no_bytes_make_the_reader_raise_anything_but_its_own_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, magic: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.bin"
    path.write_bytes(magic + content)
    try:
        read_picture(path)
    except PictureError as error:
        assert str(path) in str(error)


def test_a_decompression_bomb_is_refused_before_it_is_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = tmp_path / "bomb.png"
    bomb.write_bytes(_png_claiming(50_000, 50_000))
    with pytest.raises(PictureError, match=r"50000×50000.*OVERPAINT_MAX_PIXELS=2500000000"):
        read_picture(bomb)
    with pytest.raises(TooLarge, match="50000×50000"):
        read_size(bomb)
    small = save(tmp_path / "small.png", Image.fromarray(picture()))
    monkeypatch.setenv("OVERPAINT_MAX_PIXELS", "100")
    with pytest.raises(PictureError, match="the limit is 100"):
        read_picture(small)
    monkeypatch.setenv("OVERPAINT_MAX_PIXELS", "5120")
    assert read_picture(small)[0].shape == (64, 80, 3)
    monkeypatch.setenv("OVERPAINT_MAX_PIXELS", "many")
    with pytest.raises(UserMistake, match="OVERPAINT_MAX_PIXELS is 'many'"):
        read_picture(small)


@pytest.mark.parametrize(("side", "settable"), [(999_999_999, True), (1 << 31, False)])
def test_the_limit_that_a_picture_asks_for_is_told_where_the_setting_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, side: int, settable: bool
) -> None:
    with pytest.raises(TooLarge) as png:
        read_picture(_written(tmp_path / "vast.png", _png_claiming(side - 1, side - 1)))
    with pytest.raises(PictureError) as canvas:
        check_canvas(tmp_path, (side - 1, side - 1))
    for told in map(str, (png.value, canvas.value)):
        assert ("OVERPAINT_MAX_PIXELS" in told) == settable
    if settable:
        monkeypatch.setenv("OVERPAINT_MAX_PIXELS", str(png.value).split("=")[1].rstrip("."))
        check_canvas(tmp_path, (side - 1, side - 1))


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def _png_claiming(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(9)))


def test_a_document_travels_as_its_path_and_has_the_hash_of_its_bytes(tmp_path: Path) -> None:
    path = save(tmp_path / "a.png", Image.fromarray(picture()))
    document = Document(path)
    assert document.rgb is not None
    assert len(pickle.dumps(document)) < 500
    assert pickle.loads(pickle.dumps(document)).key == document.key
    same = tmp_path / "copy.png"
    same.write_bytes(path.read_bytes())
    assert Document(same).key == document.key


def test_a_document_made_in_memory_is_stored_as_it_looks() -> None:
    document = Document.of(picture())
    back = np.asarray(Image.open(io.BytesIO(document.encoded)))
    assert np.array_equal(back, picture())
    assert np.array_equal(flatten(document.layers[0].pixels), picture())
    assert Document.of(picture()).key == document.key


def test_an_opaque_picture_is_stored_without_alpha() -> None:
    rgba = np.dstack([picture(), np.full((64, 80), 255, np.uint8)])
    assert encode_png(rgba) == encode_png(picture())


def many_scans(path: Path, scans: int, **more: object) -> Path:
    """A JPEG that draws its last scan over and over."""
    Image.fromarray(picture(3)[:8, :8]).save(path, progressive=True, **more)
    data = path.read_bytes()
    first = data.index(b"\xff\xd9")
    last = data.rindex(b"\xff\xda", 0, first)
    path.write_bytes(data[:first] + data[last:first] * scans + data[first:])
    return path


def test_a_jpeg_of_endless_scans_is_refused_even_where_it_tells_of_further_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERPAINT_MAX_PIXELS", "64")
    plain = many_scans(tmp_path / "a.jpg", 30)
    further = {"format": "MPO", "save_all": True, "append_images": [Image.new("RGB", (8, 8))]}
    several = many_scans(tmp_path / "b.jpg", 30, **further)
    with Image.open(several) as image:
        assert image.format == "MPO"
    for path in (plain, several):
        with pytest.raises(TooLarge, match="scans of 8×8 pixels"):
            read_picture(path)
        with pytest.raises(TooLarge, match="scans of 8×8 pixels"):
            thumbnail(path, 4)
    assert thumbnail(many_scans(tmp_path / "c.jpg", 3), 4).size == (4, 4)


def test_a_file_without_end_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "huge.png").open("wb") as file:
        file.truncate(10**12)  # takes no room on the disk
    with pytest.raises(TooLarge, match="1,000,000,000,000 bytes; the most that is read is 1,000"):
        read_picture(tmp_path / "huge.png")
    (tmp_path / "run" / "pictures").mkdir(parents=True)
    shelf = Shelf(tmp_path / "run")
    small = tmp_path / "small.png"
    Image.fromarray(picture(3)).save(small)
    name = shelf.name(Document(small))
    assert name is not None
    os.truncate(small, 10**12)  # after it was named
    with pytest.raises(TooLarge, match="bytes; the most"):
        shelf.data(name)
