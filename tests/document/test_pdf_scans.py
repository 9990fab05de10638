"""Scans in a PDF: their pixels are edited in place, and nothing else of the file changes."""

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pypdfium2 as pdfium
import pytest
from pikepdf import Dictionary, Name
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from overpaint.document.layers import Layer, Picture, Run, Style, Text
from overpaint.document.model import Document
from overpaint.document.ops import Delete, Op, ReplaceText
from overpaint.document.pdf import opening, read, write
from overpaint.document.where import Where
from overpaint.errors import Refused

pytestmark = pytest.mark.slow

WIDE, HIGH = 400, 300
EDIT = ReplaceText(Where(text="Friday"), text="Monday")
WHERE = np.s_[100:130, 150:250]
SAYS = "its unseen words, which searching finds, do not say 'Monday' yet"


@pytest.fixture(autouse=True, scope="module")
def untried() -> Iterator[None]:
    """Pages made here need no trial, which takes a tenth of a second each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "try_page", lambda *_: None)
        yield


def sheet(*, grey: bool = False) -> Any:
    """A page of soft noise with some strokes."""
    levels = np.random.default_rng(5).normal(235, 5, (HIGH, WIDE, 3))
    levels[60:64, 50:350] = levels[110:120, 160:240] = 30
    pixels = np.clip(levels, 0, 255).astype(np.uint8)
    return pixels[:, :, 0] if grey else pixels


def jpeg(mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    Image.fromarray(sheet()).convert(mode).save(out, "JPEG", quality=85)
    return out.getvalue()


def stream(file: Any, data: bytes, **more: Any) -> Any:
    made = file.make_stream(data, Type=Name.XObject, Subtype=Name.Image, Width=WIDE, Height=HIGH)
    for key, value in {"BitsPerComponent": 8, "ColorSpace": Name.DeviceRGB, **more}.items():
        made[f"/{key}"] = value
    return made


def scan(path: Path, image: Callable[[Any], Any], *, turn: int = 0, form: bool = False) -> Path:
    """Two pages that show one image, and share what they are made of."""
    with pikepdf.new() as file:
        thing = image(file)
        if form:
            inner = thing
            thing = file.make_stream(b"/Im Do", Type=Name.XObject, Subtype=Name.Form,
                                     BBox=[0, 0, 1, 1])  # fmt: skip
            thing.Resources = Dictionary(XObject=Dictionary(Im=inner))
        shared = file.make_indirect(Dictionary(XObject=Dictionary(Im=file.make_indirect(thing))))
        for _ in range(2):
            page = file.add_blank_page(page_size=(144, 108))  # 200 dpi
            page.Contents = file.make_stream(b"q 144 0 0 108 0 0 cm /Im Do Q")
            page.Resources, page.Rotate = shared, turn
        file.save(path)
    return path


def edited(document: Document, op: Op = EDIT) -> Document:
    """The page's picture with a stroke in another place, as an editor of pictures leaves it."""
    pixels = document.layers[0].pixels.copy()
    pixels[WHERE][:, :, :3] = 235
    pixels[WHERE][12:18, 20:60, :3] = 20
    done = document.having(replace(document.layers[0], content=Picture(pixels)),
                           *document.layers[1:])  # fmt: skip
    return replace(done, did=op, before=document)


def images(path: Path, number: int = 0) -> list[Any]:
    page = pdfium.PdfDocument(path)[number]
    return [one.get_bitmap(render=False).to_numpy() for one in page.get_objects([3])]


def shown(path: Path, number: int = 0) -> Any:
    return pdfium.PdfDocument(path)[number].render(scale=2).to_numpy().astype(int)


KINDS: dict[str, Callable[[Any], Any]] = {
    "jpeg": lambda f: stream(f, jpeg(), Filter=Name.DCTDecode),
    "grey jpeg": lambda f: stream(f, jpeg("L"), Filter=Name.DCTDecode, ColorSpace=Name.DeviceGray),
    "plain": lambda f: stream(f, sheet().tobytes()),
    "grey": lambda f: stream(f, sheet(grey=True).tobytes(), ColorSpace=Name.DeviceGray),
    "black and white": lambda f: stream(
        f, np.packbits(sheet(grey=True) > 128, axis=1).tobytes(), ColorSpace=Name.DeviceGray,
        BitsPerComponent=1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_scan_is_read_in_its_own_pixels_and_edited_in_place(kind: str, tmp_path: Path) -> None:
    path = scan(tmp_path / "a.pdf", KINDS[kind])
    found = read(path)
    assert found.size == (WIDE, HIGH)
    own = images(path)[0]
    assert np.array_equal(found.rgb[:, :, ::-1] if own.ndim == 3 and own.shape[2] == 3
                          else found.rgb[:, :, 0], np.squeeze(own))  # fmt: skip
    done = edited(found)
    assert write(done, tmp_path / "b.pdf") == ()
    again = read(tmp_path / "b.pdf")
    off = np.abs(again.rgb.astype(int) - done.rgb)
    assert off.max() <= 20
    assert off.mean() < 0.6
    off[WHERE] = 0
    assert off.max() == 0  # a JPEG, too, is as it was outside the edit
    assert np.array_equal(shown(tmp_path / "b.pdf", 1), shown(path, 1))


def test_other_pages_keep_the_jpeg_they_share(tmp_path: Path) -> None:
    path = scan(tmp_path / "a.pdf", KINDS["jpeg"])
    write(edited(read(path)), tmp_path / "b.pdf")
    with pikepdf.open(path) as old, pikepdf.open(tmp_path / "b.pdf") as new:
        assert new.pages[0].Resources.XObject.Im.Filter == "/FlateDecode"
        before, other = (file.pages[1].Resources.XObject.Im for file in (old, new))
        assert other.read_raw_bytes() == before.read_raw_bytes()


def test_a_picture_that_takes_much_more_room_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("overpaint.document.pdf.reimaging._MUCH", 1000)
    notes = write(edited(read(scan(tmp_path / "a.pdf", KINDS["jpeg"]))), tmp_path / "b.pdf")
    assert len(notes) == 1
    assert re.fullmatch(
        r"its picture is packed without loss, .* 0.\d MB in place of 0.0 MB", notes[0]
    )


@pytest.mark.parametrize(("turn", "form"), [(90, False), (180, True), (270, False), (0, True)])
def test_turned_scans_and_those_in_forms_are_edited_too(
    turn: int, form: bool, tmp_path: Path
) -> None:
    path = scan(tmp_path / "a.pdf", KINDS["plain"], turn=turn, form=form)
    done = edited(read(path))
    assert write(done, tmp_path / "b.pdf") == ()
    assert np.array_equal(read(tmp_path / "b.pdf").rgb, done.rgb)
    assert np.array_equal(shown(tmp_path / "b.pdf", 1), shown(path, 1))


def test_an_image_beside_live_words_is_edited_at_the_pages_resolution(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "a.pdf"), pagesize=(300, 200))
    canvas.drawImage(ImageReader(Image.fromarray(sheet())), 20.3, 20.7, 160, 120)
    canvas.drawString(200, 150, "Live words")
    canvas.save()
    found = read(tmp_path / "a.pdf")
    pixels = found.layers[0].pixels.copy()
    pixels[250:280, 100:180, :3] = (200, 30, 30)
    done = found.having(replace(found.layers[0], content=Picture(pixels)), *found.layers[1:])
    assert write(done, tmp_path / "b.pdf") == (
        "its picture has 1.2 times as many dots as were edited",
    )
    off = np.abs(read(tmp_path / "b.pdf").rgb.astype(int) - done.rgb)
    assert off[255:275, 105:175].max() <= 3
    pixels = found.layers[0].pixels.copy()
    pixels[10:20, 10:20, :3] = 0
    with pytest.raises(Refused, match="neither text nor within one image"):
        write(replace(done, made=(replace(found.layers[0], content=Picture(pixels)),
                                  *found.layers[1:])), tmp_path / "c.pdf")  # fmt: skip


def test_a_mask_and_an_image_in_the_content_are_refused(tmp_path: Path) -> None:
    bits = np.packbits(sheet(grey=True) < 128, axis=1).tobytes()

    def mask(file: Any) -> Any:
        made = stream(file, bits, BitsPerComponent=1, ImageMask=True)
        del made["/ColorSpace"]
        return made

    with pytest.raises(Refused, match="an image that is a mask"):
        write(edited(read(scan(tmp_path / "a.pdf", mask))), tmp_path / "b.pdf")
    with pikepdf.new() as file:
        page = file.add_blank_page(page_size=(144, 108))
        head = f"q 144 0 0 108 0 0 cm BI /W {WIDE} /H {HIGH} /BPC 8 /CS /G ID ".encode()
        page.Contents = file.make_stream(head + sheet(grey=True).tobytes() + b" EI Q")
        file.save(tmp_path / "c.pdf")
    with pytest.raises(Refused, match="in the page's content itself"):
        write(edited(read(tmp_path / "c.pdf")), tmp_path / "b.pdf")


def test_an_image_drawn_twice_is_refused_for_it_would_change_elsewhere(tmp_path: Path) -> None:
    path = scan(tmp_path / "a.pdf", KINDS["plain"])
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        file.pages[0].contents_add(b"q 40 0 0 30 100 2 cm /Im Do Q")
        file.save(path)
    with pytest.raises(Refused, match="would alter .* pixels elsewhere"):
        write(edited(read(path)), tmp_path / "b.pdf")


# ── unseen words ────────────────────────────────────────────────────────────────────────


def hidden(path: Path, *words: str) -> Path:
    """A scan with what was read on it, word by word, unseen."""
    canvas = Canvas(str(path), pagesize=(144, 108))
    canvas.drawImage(ImageReader(Image.fromarray(sheet())), 0, 0, 144, 108)
    for number, said in enumerate(words):
        text = canvas.beginText(20, 80 - 12 * number)
        text.setTextRenderMode(3)
        text.setFont("Helvetica", 8)
        text.textOut(said)
        canvas.drawText(text)
    canvas.save()
    return path


def heard(path: Path) -> list[str]:
    text = pdfium.PdfDocument(path)[0].get_textpage().get_text_range()
    return str(text).split("\r\n")


@pytest.mark.parametrize(
    ("words", "op", "after", "note"),
    [
        (["Meet Friday", "at noon"], EDIT, ["Meet Monday", "at noon"], None),
        (["Friday or Friday"], EDIT, ["Friday or Friday"], SAYS),
        (["Fri day"], EDIT, ["Fri day"], SAYS),
        (["Fridays"], EDIT, ["Fridays"], SAYS),
        (["Friday"], Delete(Where(text="Friday")), ["Friday"],
         "its unseen words, which searching finds, are as they were"),
        (["Friday"], ReplaceText(Where(text="Friday"), text="周一"), ["Friday"],
         "its unseen words, which searching finds, do not say '周一' yet"),
    ],
)  # fmt: skip
def test_unseen_words_follow_where_they_say_exactly_the_same(
    words: list[str], op: Op, after: list[str], note: str | None, tmp_path: Path
) -> None:
    path = hidden(tmp_path / "a.pdf", *words)
    notes = write(edited(read(path), op), tmp_path / "b.pdf")
    assert notes == ((note,) if note else ())
    assert heard(tmp_path / "b.pdf") == after
    assert np.abs(read(tmp_path / "b.pdf").rgb.astype(int) - edited(read(path)).rgb).max() == 0


def test_unseen_words_of_our_own_follow_by_their_fonts_map(tmp_path: Path) -> None:
    text = Text((Run("Friday, not Monday", Style("Lato", 30.0, blur=1.0)),))
    ground = Layer(Picture(np.dstack([sheet(), np.full((HIGH, WIDE), 255, np.uint8)])), "p", "p")
    made = Document(made=(ground, Layer(text, "t", "t", 60.0, 130.0)), canvas=(WIDE, HIGH))
    write(made, tmp_path / "a.pdf")
    found = read(tmp_path / "a.pdf")
    assert found.size == (WIDE, HIGH)
    pixels = found.layers[0].pixels.copy()
    pixels[200:220, 100:150, :3] = 10
    done = found.having(replace(found.layers[0], content=Picture(pixels)))
    done = replace(done, did=EDIT, before=found)
    assert write(done, tmp_path / "b.pdf") == ()
    assert heard(tmp_path / "b.pdf") == ["Monday, not Monday"]
