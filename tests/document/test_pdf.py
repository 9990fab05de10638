"""PDF: what is read of a page, and what an edit changes in its file."""

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pypdfium2 as pdfium
import pytest
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from pdf_maker import Draw, letter, pdf, texts
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from overpaint.document.layers import Layer, Picture, Run, Style, Text
from overpaint.document.model import Document
from overpaint.document.ops import (
    Delete,
    Hide,
    Insert,
    Move,
    Op,
    Recolour,
    Reorder,
    ReplaceText,
    Restyle,
    Rotate,
)  # fmt: skip
from overpaint.document.pdf import opening, pages, read, write
from overpaint.document.pdf.lines import named
from overpaint.document.pdf.opening import page_of
from overpaint.document.text.fonts import here
from overpaint.document.where import Where
from overpaint.errors import Refused

SCALE = 150 / 72


@pytest.fixture(autouse=True, scope="module")
def untried() -> Iterator[None]:
    """Pages made here need no trial, which takes a tenth of a second each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "try_page", lambda *_: None)
        yield


@pytest.fixture
def page(tmp_path: Path) -> Document:
    return read(pdf(tmp_path / "a.pdf", letter))


def rendered(path: Path, number: int = 1) -> Any:
    with page_of(path, number) as opened:
        return opened.whole(notes=True)[:, :, :3].astype(int)


def text_of(document: Document, words: str) -> tuple[Layer, Text]:
    for layer in document:
        if isinstance(layer.content, Text) and words in layer.content.words:
            return layer, layer.content
    raise AssertionError(texts(document))


# ── reading ─────────────────────────────────────────────────────────────────────────────


def test_lines_are_read_with_their_words_however_many_objects_they_are(page: Document) -> None:
    assert texts(page) == ["Meet Friday", "Spaced", "AWAY home", "one two three four", "next line",
                           "On blue"]  # fmt: skip
    _, line = text_of(page, "three")
    assert [(run.words, run.style.colour[0]) for run in line.runs] == [
        ("one two ", 0), ("three", 255), (" four", 0),
    ]  # fmt: skip


def test_words_stand_where_pdfium_says_and_are_as_large(page: Document, tmp_path: Path) -> None:
    layer, text = text_of(page, "Meet Friday")
    assert (layer.left, layer.top) == pytest.approx((20 * SCALE, 40 * SCALE), abs=0.2)
    assert text.style.size == pytest.approx(20 * SCALE, abs=0.1)
    assert text.style.family == "Helvetica"
    document = pdfium.PdfDocument(tmp_path / "a.pdf")
    left, _, _, top = document[0].get_textpage().get_charbox(0)
    assert text.drawn is not None
    corner = (layer.left + text.drawn_at[0], layer.top + text.drawn_at[1])
    assert corner == pytest.approx((left * SCALE, (200 - top) * SCALE), abs=2)
    assert text_of(page, "On blue")[1].style.weight == 700


def test_the_layers_together_look_as_the_page_does(page: Document, tmp_path: Path) -> None:
    assert np.abs(page.rgb - rendered(tmp_path / "a.pdf")).max() <= 2
    assert page.notes == ()


def over(canvas: Canvas) -> None:
    canvas.drawString(20, 100, "Half hidden words")
    canvas.setFillColorRGB(0.9, 0.9, 0.1)
    canvas.rect(60, 80, 50, 50, fill=1)
    canvas.setFillColorRGB(0, 0, 0)
    canvas.drawString(70, 90, "above")


def slopes(canvas: Canvas) -> None:
    canvas.saveState()
    canvas.rotate(30)
    canvas.drawString(90, 20, "Uphill words")
    canvas.restoreState()
    canvas.translate(250, 20)
    canvas.rotate(90)
    canvas.drawString(0, 0, "Upright")


def mixed(canvas: Canvas) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (40, 60, 3), dtype=np.uint8)
    canvas.drawImage(ImageReader(Image.fromarray(pixels)), 0, 0, 300, 200)
    canvas.setFillColorRGB(1, 1, 1, alpha=0.6)
    canvas.drawString(30, 100, "Clear words on noise")
    canvas.beginForm("f")
    canvas.setFont("Helvetica", 12)
    canvas.drawString(5, 5, "In a form")
    canvas.endForm()
    canvas.translate(50, 50)
    canvas.doForm("f")
    canvas.linkURL("https://example.invalid", (0, 0, 50, 20), relative=1, thickness=2)


@pytest.mark.parametrize("draw", [over, slopes, mixed])
@pytest.mark.parametrize("turn", [0, 90, 270])
def test_covered_sloping_clear_and_turned_pages_are_exact_too(
    tmp_path: Path, draw: Draw, turn: int
) -> None:
    path = pdf(tmp_path / "a.pdf", draw)
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        file.pages[0].Rotate = turn
        file.pages[0].CropBox = [10, 5, 290, 190]
        file.save(path)
    found = read(path)
    assert np.abs(found.rgb - rendered(path)).max() <= 2
    assert found.notes == ()
    assert texts(found)


def test_what_is_drawn_over_words_is_a_layer_over_them(tmp_path: Path) -> None:
    found = read(pdf(tmp_path / "a.pdf", over))
    assert [layer.id for layer in found.layers] == ["page", "text-0", "page-1", "text-2"]


def test_sloping_lines_know_their_angle(tmp_path: Path) -> None:
    found = read(pdf(tmp_path / "a.pdf", slopes))
    angles = [layer.angle for layer in found.layers[1:]]
    assert angles == pytest.approx([330.0, 270.0], abs=0.1)


def test_invisible_words_of_a_scan_stay_in_the_picture_and_are_noted(tmp_path: Path) -> None:
    def scan(canvas: Canvas) -> None:
        canvas._code.append("BT /F1 20 Tf 3 Tr 1 0 0 1 20 100 Tm (Unseen) Tj ET")

    found = read(pdf(tmp_path / "a.pdf", scan))
    assert texts(found) == []
    assert found.notes == ("1 texts that are invisible or cut out others are left in the picture",)


def test_words_drawn_twice_to_look_bold_are_one_line(tmp_path: Path) -> None:
    def twice(canvas: Canvas) -> None:
        canvas.drawString(20, 100, "Heavy")
        canvas.drawString(20.4, 100, "Heavy")

    path = pdf(tmp_path / "a.pdf", twice)
    found = read(path)
    assert texts(found) == ["Heavy"]
    notes = write(ReplaceText(Where(text="Heavy"), text="Light")(found), tmp_path / "b.pdf")
    assert notes == ("'Heavy' was drawn twice to look bold and is drawn once now",)
    assert texts(read(tmp_path / "b.pdf")) == ["Light"]


@pytest.mark.parametrize(
    ("base", "found"),
    [
        ("ABCDEF+Lato-BoldItalic", ("Lato", 700, True)),
        ("TimesNewRomanPS-BoldMT", ("Times New Roman", 700, False)),
        ("Arial,Bold", ("Arial", 700, False)), ("Helvetica-Oblique", ("Helvetica", 400, True)),
        ("CMBX12", ("Computer Modern", 700, False)), ("Inter-SemiBold", ("Inter", 600, False)),
        ("NotoSansSC-Light", ("Noto Sans SC", 300, False)), ("ArialMT", ("Arial", 400, False)),
    ],
)  # fmt: skip
def test_fonts_are_known_by_their_names(base: str, found: tuple[str, int, bool]) -> None:
    assert named(base) == found


# ── writing back ────────────────────────────────────────────────────────────────────────


def test_an_untouched_page_is_written_byte_for_byte(page: Document, tmp_path: Path) -> None:
    assert write(page, tmp_path / "b.pdf") == ()
    assert (tmp_path / "b.pdf").read_bytes() == (tmp_path / "a.pdf").read_bytes()


@pytest.mark.parametrize(
    ("op", "old", "new"),
    [
        (ReplaceText(Where(text="Friday"), text="Monday"), "Meet Friday", "Meet Monday"),
        (ReplaceText(Where(text="Spaced"), text="Spread"), "Spaced", "Spread"),
        (ReplaceText(Where(text="AWAY"), text="ALWAYS AT"), "AWAY home", "ALWAYS AT home"),
        (ReplaceText(Where(text="two"), text="twenty"), "one two three", "one twenty three four"),
        (ReplaceText(Where(text="two three"), text="some"), "one two three", "one some four"),
        (Delete(Where(text="two")), "one two three", "one three four"),
        (Restyle(Where(text="Friday"), colour=(255, 0, 0, 255)), "Meet Friday", "Meet Friday"),
        (Restyle(Where(text="Friday"), size=60.0), "Meet Friday", "Meet Friday"),
        (Move(Where(layer="text-0"), by=(100.0, 5.0)), "Meet Friday", "Meet Friday"),
        (Rotate(Where(layer="text-0"), degrees=10.0), "Meet Friday", "Meet Friday"),
        (Delete(Where(layer="text-0")), "Meet Friday", ""),
        (Hide(Where(layer="text-0")), "Meet Friday", ""),
        (Insert(Where(layer="text-0"), text="Brand new 你好", side="right"), "", "Brand new 你好"),
    ],
)  # fmt: skip
def test_an_edit_changes_its_line_and_nothing_else(
    page: Document, tmp_path: Path, op: Op, old: str, new: str
) -> None:
    done = op(page)
    out = tmp_path / "b.pdf"
    assert write(done, out) == ()
    again = read(out)
    assert new.replace(" ", "") in "".join(texts(again)).replace(" ", "")
    left = [words for words in texts(page) if not (old and old in words)]
    assert set(left) <= {*texts(again), *([texts(page)[0]] if not old else [])}
    touched = np.zeros(page.size[::-1], bool)
    for document in (page, again):
        for layer in document:
            if isinstance(layer.content, Text) and layer.content.words not in left:
                x, y = layer.left + layer.content.drawn_at[0], layer.top + layer.content.drawn_at[1]
                assert layer.content.drawn is not None
                high, wide = layer.content.drawn.shape[:2]
                touched[round(y) - 1 : round(y) + high + 1, round(x) - 1 : round(x) + wide + 1] = (
                    True
                )
    off = np.abs(rendered(tmp_path / "a.pdf") - rendered(out)).max(axis=2) > 2
    assert not off[~touched].any()


def test_what_follows_on_the_line_moves_by_the_difference(page: Document, tmp_path: Path) -> None:
    write(ReplaceText(Where(text="two"), text="seventeen")(page), tmp_path / "b.pdf")
    with pikepdf.open(tmp_path / "b.pdf") as file:
        content = file.pages[0].Contents.read_bytes()
    assert b"one" in content
    document = pdfium.PdfDocument(tmp_path / "b.pdf")
    text = document[0].get_textpage()
    words = text.get_text_range()
    at = words.index("seventeen")
    gap = text.get_charbox(at + 10)[0] - text.get_charbox(at + 8)[2]
    assert 2 < gap < 6  # a space of 12 pt Helvetica is 3.3 pt wide


def test_letters_that_stay_keep_their_very_places(page: Document, tmp_path: Path) -> None:
    write(ReplaceText(Where(text="home"), text="hive")(page), tmp_path / "b.pdf")
    with pikepdf.open(tmp_path / "b.pdf") as file:
        content = file.pages[0].Contents.read_bytes().decode("latin-1")
    assert "[ (A) -80 (W) 90 (AY) -600 (hive) ] TJ" in content


def test_other_pages_and_operators_stay_as_they_are(tmp_path: Path) -> None:
    path = pdf(tmp_path / "a.pdf", letter, over, slopes)
    write(ReplaceText(Where(text="above"), text="beyond")(read(path, 2)), tmp_path / "b.pdf")
    assert pages(tmp_path / "b.pdf") == 3
    with pikepdf.open(path) as old, pikepdf.open(tmp_path / "b.pdf") as new:
        for number in (0, 2):
            before, after = (f.pages[number].Contents.read_bytes() for f in (old, new))
            assert before == after
        assert new.pages[1].Contents.read_bytes().count(b"re") == 1
    for number in (1, 3):
        assert np.array_equal(rendered(path, number), rendered(tmp_path / "b.pdf", number))


def embedded(path: Path, words: str, letters: str) -> Path:
    """A PDF that says words in a font that holds only some letters."""
    face = here().find(Style("Lato"), words).face
    font = TTFont(face.path)
    widths = [font["hmtx"][font.getBestCmap().get(code, ".notdef")][0] for code in range(32, 127)]
    em = font["head"].unitsPerEm
    options = Options()
    options.notdef_outline = True
    cut = Subsetter(options)
    cut.populate(text=letters)
    cut.subset(font)
    out = io.BytesIO()
    font.save(out)
    with pikepdf.new() as file:
        name = pikepdf.Name("/ABCDEF+Lato-Regular")
        described = file.make_indirect(pikepdf.Dictionary(
            Type=pikepdf.Name.FontDescriptor, FontName=name, Flags=32, FontBBox=[0, -200, 999, 900],
            ItalicAngle=0, Ascent=900, Descent=-200, CapHeight=700, StemV=80,
            FontFile2=file.make_stream(out.getvalue()),
        ))  # fmt: skip
        simple = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.TrueType, BaseFont=name, FirstChar=32,
            LastChar=126, Widths=[round(1000 * wide / em) for wide in widths],
            Encoding=pikepdf.Name.WinAnsiEncoding, FontDescriptor=described,
        )  # fmt: skip
        page = file.add_blank_page(page_size=(300, 100))
        page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=simple))
        page.contents_add(f"BT /F1 24 Tf 1 0 0 1 20 40 Tm ({words}) Tj ET".encode())
        file.save(path)
    return path


@pytest.mark.slow
def test_a_font_that_lacks_letters_is_refused_and_one_that_has_them_is_not(tmp_path: Path) -> None:
    found = read(embedded(tmp_path / "a.pdf", "Meet Friday", "Meet Fridayn"))
    write(ReplaceText(Where(text="Friday"), text="diary")(found), tmp_path / "b.pdf")
    assert texts(read(tmp_path / "b.pdf")) == ["Meet diary"]
    write(ReplaceText(Where(text="Friday"), text="dinner")(found), tmp_path / "b.pdf")
    assert texts(read(tmp_path / "b.pdf")) == ["Meet dinner"]  # n is in the font, not on the page
    with pytest.raises(Refused) as refused:
        write(ReplaceText(Where(text="Friday"), text="Monday")(found), tmp_path / "b.pdf")
    assert str(refused.value) == (
        "The PDF's own font lacks 'o': fonts in PDFs mostly hold only the letters that were "
        "needed. Text in a PDF can be replaced only by letters that its font has. Save it as "
        ".png, .ora or .psd instead."
    )


def test_a_font_that_is_not_in_the_file_is_not_said_to_be_cut(tmp_path: Path) -> None:
    found = read(pdf(tmp_path / "a.pdf", letter))
    with pytest.raises(Refused) as refused:
        write(ReplaceText(Where(text="Friday"), text="星期五")(found), tmp_path / "b.pdf")
    assert str(refused.value).startswith(
        "The PDF's font, Helvetica, has no '星 期 五'; it is not in the file, each viewer brings "
        "its own. Text in a PDF can be replaced only by letters that its font has."
    )


def test_words_that_are_not_read_back_as_they_were_written_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if the font had the letters and the file told other ones.
    monkeypatch.setattr("overpaint.document.pdf.encoding._LAST", "星期二")
    found = read(pdf(tmp_path / "a.pdf", letter))
    with pytest.raises(Refused, match="cannot be read back .* lacks '星 期 二', or spells"):
        write(ReplaceText(Where(text="Friday"), text="星期二")(found), tmp_path / "b.pdf")


@pytest.mark.parametrize(
    ("op", "why"),
    [
        (Restyle(Where(layer="text-0"), family="Georgia"), "The page has no font Georgia 400"),
        (Restyle(Where(layer="text-0"), italic=True), "no font Helvetica 400 italic"),
        (Restyle(Where(layer="text-0"), underline=True), "The underline of 'Meet Friday' was"),
        (ReplaceText(Where(layer="text-0"), text="two\nlines"), "cannot be broken in two"),
        (Recolour(Where(layer="page"), colour=(1, 2, 3, 255)), "neither text nor within one image"),
        (Hide(Where(layer="page")), "'page' was changed, which is the picture of a PDF's page"),
        (Reorder(Where(layer="text-0"), to="front"), "The order of layers was changed"),
        (ReplaceText(Where(text="Friday"), text="Пятница"), "Helvetica, has no 'П я т н и ц а'"),
        (ReplaceText(Where(text="Friday"), text="星期二"), "has no '星 期 二'; it is not in"),
    ],
)  # fmt: skip
def test_what_a_pdf_cannot_become_is_refused(
    page: Document, tmp_path: Path, op: Op, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        write(op(page), tmp_path / "b.pdf")
    assert not (tmp_path / "b.pdf").exists()


def test_bold_from_elsewhere_on_the_page_may_be_used(page: Document, tmp_path: Path) -> None:
    done = Restyle(Where(text="next line"), weight=700)(page)
    write(done, tmp_path / "b.pdf")
    assert text_of(read(tmp_path / "b.pdf"), "next line")[1].style.weight == 700


def test_words_in_a_form_and_faded_words_are_refused(tmp_path: Path) -> None:
    found = read(pdf(tmp_path / "a.pdf", mixed))
    with pytest.raises(Refused, match="'In a form' stands in a part of the PDF that other pages"):
        write(ReplaceText(Where(text="form"), text="frame")(found), tmp_path / "b.pdf")
    layer, _ = text_of(found, "Clear words")
    faded = [replace(one, opacity=0.5) if one is layer else one for one in found.layers]
    with pytest.raises(Refused, match="'Clear words on noise' is no plain text any more"):
        write(found.having(*faded), tmp_path / "b.pdf")


def test_new_pictures_lie_over_the_page(page: Document, tmp_path: Path) -> None:
    red = np.full((40, 60, 4), (200, 0, 0, 255), np.uint8)
    done = page.having(*page.layers, Layer(Picture(red), "red", "red", 300.0, 20.0))
    write(done, tmp_path / "b.pdf")
    shown = rendered(tmp_path / "b.pdf")
    assert np.abs(shown[25:55, 305:355] - (200, 0, 0)).max() <= 2
    assert texts(read(tmp_path / "b.pdf")) == texts(page)


def test_what_was_inserted_can_be_changed_again(page: Document, tmp_path: Path) -> None:
    style = Style("Lato", 30.0)
    done = page.having(*page.layers, Layer(Text((Run("Added", style),)), "n", "n", 300.0, 250.0))
    write(done, tmp_path / "b.pdf")
    again = read(tmp_path / "b.pdf")
    write(ReplaceText(Where(text="Added"), text="deed")(again), tmp_path / "c.pdf")
    assert "deed" in texts(read(tmp_path / "c.pdf"))
