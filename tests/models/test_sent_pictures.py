"""Pictures as they leave the machine: of a stated size, without metadata, encoded once."""

import base64
import io
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from conftest import picture
from PIL import Image, PngImagePlugin

from overpaint.document import Document
from overpaint.models.pictures import LONGEST, Sent, Wrapping, encode


def decoded(sent: Sent) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(sent.url.partition(",")[2])))


def saved(path: Path, pixels: np.ndarray, **options: object) -> Document:
    Image.fromarray(pixels).save(path, **options)
    return Document(path)


@pytest.mark.parametrize("name", ["a.png", "a.jpg"])
def test_a_small_file_is_sent_as_it_is_to_the_last_pixel(tmp_path: Path, name: str) -> None:
    document = saved(tmp_path / name, picture(1))
    sent = encode(document)
    assert (sent.width, sent.height, sent.quality) == (80, 64, None)
    assert np.array_equal(np.asarray(decoded(sent)), document.rgb)


def test_what_a_camera_or_a_program_wrote_about_a_picture_stays_here(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    photo = saved(tmp_path / "a.jpg", picture(2), exif=exif, comment=b"for my eyes only")
    told = PngImagePlugin.PngInfo()
    told.add_text("Author", "someone")
    drawing = saved(tmp_path / "a.png", picture(2), pnginfo=told)
    for document, word in ((photo, b"taken at home"), (photo, b"eyes"), (drawing, b"someone")):
        assert word in document.encoded
        assert word not in base64.b64decode(encode(document).url.partition(",")[2])
        assert np.array_equal(np.asarray(decoded(encode(document))), document.rgb)


def test_a_large_picture_is_sent_smaller_and_says_so(tmp_path: Path) -> None:
    wide = np.repeat(np.repeat(picture(3), 40, 0), 40, 1)
    sent = encode(saved(tmp_path / "a.png", wide))
    assert max(sent.width, sent.height) == LONGEST == 2048
    assert (sent.format, sent.quality) == ("jpeg", 95)
    assert decoded(sent).size == (sent.width, sent.height)


def test_pictures_that_not_everyone_shows_alike_are_flattened_first(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # lies on its side
    clear = np.dstack([picture(4), np.full((64, 80), 99, np.uint8)])
    turned = saved(tmp_path / "a.jpg", picture(4), exif=exif)
    made = [
        saved(tmp_path / "a.png", clear), saved(tmp_path / "a.webp", picture(4), lossless=True),
        Document.of(picture(4)), turned,
    ]  # fmt: skip
    for document in made:
        sent = encode(document)
        assert (sent.format, sent.quality) == ("jpeg", 95)
        assert np.abs(np.asarray(decoded(sent)).astype(int) - document.rgb).mean() < 5
    assert decoded(encode(turned)).size == (64, 80)


def test_each_picture_is_encoded_once_however_many_ask_at_a_time(tmp_path: Path) -> None:
    documents = [saved(tmp_path / f"{n}.png", picture(n)) for n in range(3)]
    wrapping = Wrapping()
    threads = [
        Thread(target=wrapping, args=(Document(one.path),)) for one in documents for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrapping.encoded == 3


def test_a_file_that_has_changed_is_encoded_anew(tmp_path: Path) -> None:
    wrapping = Wrapping()
    first = wrapping(saved(tmp_path / "a.png", picture(1)))
    second = wrapping(saved(tmp_path / "a.png", picture(2, 70, 90)))
    assert first.hash != second.hash


def test_what_is_remembered_stays_within_its_room(tmp_path: Path) -> None:
    wrapping = Wrapping(room=100_000)
    for n in range(20):
        wrapping(saved(tmp_path / f"{n}.png", picture(n)))
    assert sum(len(sent.url) for sent in wrapping._known.values()) <= 100_000
