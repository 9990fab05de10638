"""A new PDF: live words, paths and images that look as the document does and are read back."""

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pikepdf
import pypdfium2 as pdfium
import pytest
from fontTools.ttLib import TTFont
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from overpaint.document import files
from overpaint.document.layers import (
    Blend,
    Glyph,
    Gradient,
    Group,
    Layer,
    Mask,
    Picture,
    Run,
    Shadow,
    Shape,
    Stroke,
    Style,
    Text,
)
from overpaint.document.model import Document
from overpaint.document.ops import ReplaceText
from overpaint.document.pdf import opening, read, write
from overpaint.document.pdf.fonts import forbidden
from overpaint.document.pdf.lettering import unlive
from overpaint.document.text.fonts import here
from overpaint.document.where import Where

pytestmark = pytest.mark.slow

SIZE = (320, 200)
RED, BLUE, HALF = (200, 30, 30, 255), (20, 40, 220, 255), (0, 120, 120, 128)
RAINBOW = Gradient(((0.0, RED), (0.4, (0, 200, 0, 255)), (1.0, BLUE)), 30.0)


@pytest.fixture(autouse=True, scope="module")
def untried() -> Iterator[None]:
    """Pages made here need no trial, which takes a tenth of a second each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "try_page", lambda *_: None)
        yield


def paper() -> Layer:
    """An opaque ground that is nowhere quite the same."""
    levels = np.linspace(170, 255, SIZE[0])[None, :, None] * np.ones((SIZE[1], 1, 3))
    pixels = np.dstack([levels, np.full((SIZE[1], SIZE[0]), 255)]).astype(np.uint8)
    return Layer(Picture(pixels), "paper", "paper")


def of(*layers: Layer, ground: bool = True) -> Document:
    return Document(made=((paper(),) if ground else ()) + layers, canvas=SIZE)


def words(said: str, style: Style, left: float = 20.0, top: float = 90.0, **more: Any) -> Layer:
    return Layer(Text((Run(said, style),)), said, said, left, top, **more)


def shown(path: Path) -> Any:
    """The page by pdfium, at the size of the document."""
    page = pdfium.PdfDocument(path)[0]
    scale = SIZE[0] / page.get_width()
    return page.render(scale=scale - 1e-6).to_numpy()[:, :, 2::-1].astype(int)


def off(document: Document, path: Path) -> Any:
    """How far page and document differ once single pixels of edges do not count."""
    one, other = (np.asarray(p, np.float32) for p in (document.rgb, shown(path)))
    return np.abs(cv2.GaussianBlur(one, (0, 0), 2) - cv2.GaussianBlur(other, (0, 0), 2))


def says(path: Path) -> list[str]:
    return [layer.content.words for layer in read(path) if isinstance(layer.content, Text)]


def square(colour: tuple[int, int, int, int], left: float, top: float, **more: Any) -> Layer:
    return Layer(Shape("rectangle", 90.0, 60.0, colour), "square", "s", left, top, **more)


# ── pictures and shapes ─────────────────────────────────────────────────────────────────


def test_a_flat_picture_is_a_page_of_its_very_pixels(tmp_path: Path) -> None:
    pixels = np.random.default_rng(3).integers(0, 256, (SIZE[1], SIZE[0], 3), dtype=np.uint8)
    assert write(Document.of(pixels), tmp_path / "a.pdf") == ()
    assert np.array_equal(shown(tmp_path / "a.pdf"), pixels)
    found = read(tmp_path / "a.pdf")
    assert found.size == SIZE
    assert np.array_equal(found.rgb, pixels)


def test_a_page_is_as_large_as_the_resolution_of_its_picture_says(tmp_path: Path) -> None:
    Image.new("L", (1240, 1754), 255).save(tmp_path / "a4.png", dpi=(150, 150))
    write(Document(tmp_path / "a4.png"), tmp_path / "a.pdf")
    assert pdfium.PdfDocument(tmp_path / "a.pdf")[0].get_size() == pytest.approx(
        (595.2, 841.9), abs=0.1
    )
    write(of(), tmp_path / "b.pdf")
    assert pdfium.PdfDocument(tmp_path / "b.pdf")[0].get_size() == pytest.approx(
        (240, 150), abs=0.1
    )


SHAPES = [
    Shape("rectangle", 120.0, 60.0, RED),
    Shape("rectangle", 120.5, 60.25, RED, Stroke(BLUE, 5.0), radius=14.0),
    Shape("ellipse", 120.0, 60.0, RAINBOW),
    Shape("path", 120.0, 80.0, HALF, Stroke((0, 0, 0, 128), 4.0),
          outlines=(((0, 0), (120, 0), (60, 80)), ((50, 10), (70, 10), (60, 30)))),
    Shape("rectangle", 120.0, 60.0, replace(RAINBOW, stops=((0.0, RED), (1.0, (0, 0, 0, 0))))),
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("angle", "opacity"), [(0.0, 1.0), (25.0, 0.6)])
def test_shapes_look_as_they_do_here(
    shape: Shape, angle: float, opacity: float, tmp_path: Path
) -> None:
    document = of(Layer(shape, "shape", "s", 80.5, 40.25, angle, opacity))
    notes = write(document, tmp_path / "a.pdf")
    assert off(document, tmp_path / "a.pdf").max() < 6
    clear = isinstance(shape.fill, Gradient) and shape.fill.stops[-1][1][3] == 0
    why = "'shape' is a picture of itself: a PDF's gradients are not transparent"
    assert notes == ((why,) if clear else ())


BLENDS: list[Blend] = ["multiply", "screen", "overlay", "darken", "lighten", "colour-dodge",
                       "colour-burn", "hard-light", "soft-light", "difference", "exclusion",
                       "hue", "saturation", "colour", "luminosity", "linear-dodge",
                       "linear-burn"]  # fmt: skip


@pytest.mark.parametrize("blend", BLENDS)
def test_every_blend_mode_looks_as_it_does_here(blend: Blend, tmp_path: Path) -> None:
    document = of(square(RED, 30, 30), square((90, 160, 60, 255), 70, 60, blend=blend, opacity=0.8))
    notes = write(document, tmp_path / "a.pdf")
    assert off(document, tmp_path / "a.pdf").max() < 3
    pressed = "'square' and what is below it are one picture: PDF has no such blending"
    assert notes == ((pressed,) if blend.startswith("linear") else ())


def test_a_blend_over_nothing_does_not_blend_with_the_paper(tmp_path: Path) -> None:
    document = of(square(RED, 30, 30, blend="difference"), ground=False)
    write(document, tmp_path / "a.pdf")
    assert off(document, tmp_path / "a.pdf").max() < 3


def test_groups_masks_and_clipped_layers_look_as_they_do_here(tmp_path: Path) -> None:
    ramp = Mask(np.tile(np.linspace(0, 255, 120).astype(np.uint8), (90, 1)), 40, 30, 200)
    inner = Group((square(RED, 30, 30), square(BLUE, 70, 60, blend="screen")))
    group = Layer(inner, "group", "g", opacity=0.6, mask=ramp)
    base = Layer(Shape("ellipse", 90.0, 60.0, BLUE), "base", "b", 200.0, 100.0)
    clipped = replace(square(RED, 190, 80), clip=True)
    through = Layer(Group((square(HALF, 200, 20, blend="multiply"),)), "t", "t",
                    blend="pass-through", opacity=0.5)  # fmt: skip
    document = of(through, group, base, clipped, replace(square(RED, 0, 0), visible=False))
    notes = write(document, tmp_path / "a.pdf")
    assert off(document, tmp_path / "a.pdf").max() < 4
    assert notes == (
        "'t' and what is below it are one picture: PDF has no such blending",
        "'base' and what is clipped to it are one picture",
        "'square' is hidden and was left out",
    )


# ── words ───────────────────────────────────────────────────────────────────────────────

STYLES = [
    Style("Lato", 30.0),
    Style("Lato", 30.0, 700, colour=RED),
    Style("Open Sans", 26.0, italic=True, underline=True, strike=True),
    Style("PT Sans", 28.0, spacing=4.0, stretch=1.2),
    Style("Lato", 30.0, colour=HALF, shadow=Shadow((0, 0, 0, 160), 3.0, 3.0, 1.5)),
    Style("Lato", 40.0, gradient=RAINBOW),
    Style("Lato", 44.0, 900, colour=(255, 220, 0, 255), stroke=Stroke(BLUE, 2.0)),
    Style("Anton", 30.0, 400, italic=True),
    Style("Caveat", 40.0, 700),
]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("more", [{}, {"angle": -12.0, "opacity": 0.5}])
def test_words_are_live_and_look_as_they_do_here(
    style: Style, more: dict[str, float], tmp_path: Path
) -> None:
    document = of(words("Fine Office, AWAY", style, **more))
    assert write(document, tmp_path / "a.pdf") == ()
    difference = off(document, tmp_path / "a.pdf")
    assert difference.max() < 30
    assert difference.mean() < 0.6
    text = pdfium.PdfDocument(tmp_path / "a.pdf")[0].get_textpage().get_text_range()
    assert text.strip() == "Fine Office, AWAY"


@pytest.mark.slow
def test_words_are_read_back_in_their_place_style_and_order(tmp_path: Path) -> None:
    bold = Style("Lato", 24.0, 700, colour=RED)
    mixed = Text((Run("Meet on ", Style("Lato", 24.0)), Run("Friday", bold)))
    document = of(
        Layer(mixed, "a", "a", 20.25, 40.5),
        words("中文字体 and Latin", Style("Noto Sans SC", 26.0), 20.0, 80.0),
        words("Uphill", Style("PT Serif", 26.0, italic=True), 60.0, 150.0, angle=330.0),
    )
    write(document, tmp_path / "a.pdf")
    found = read(tmp_path / "a.pdf")
    assert [layer.kind for layer in found.layers] == ["picture", "text", "text", "text"]
    for old, new in zip(document.layers[1:], found.layers[1:], strict=True):
        assert isinstance(old.content, Text)
        assert isinstance(new.content, Text)
        assert new.content.words == old.content.words
        # The middle that words are turned about is that of their ink's box, which turns, too.
        near = 2.5 if old.angle else 0.1
        assert (new.left, new.top) == pytest.approx((old.left, old.top), abs=near)
        assert new.angle % 360 == pytest.approx(old.angle % 360, abs=0.1)
        for was, run in zip(old.content.runs, new.content.runs, strict=True):
            plain = replace(was.style, size=run.style.size, stretch=run.style.stretch)
            assert run.style == plain
            assert run.style.size == pytest.approx(was.style.size, abs=0.05)


def test_what_was_read_is_written_and_read_the_same_again(tmp_path: Path) -> None:
    write(of(words("Meet Friday", Style("Lato", 30.0))), tmp_path / "a.pdf")
    found = read(tmp_path / "a.pdf")
    write(replace(found, origin=None), tmp_path / "b.pdf")
    again = read(tmp_path / "b.pdf")
    assert again.layers[0] == found.layers[0]
    assert says(tmp_path / "b.pdf") == ["Meet Friday"]
    assert np.abs(again.rgb.astype(int) - found.rgb).mean() < 0.1


def test_words_of_a_new_pdf_can_be_changed_in_it(tmp_path: Path) -> None:
    write(of(words("Friday or Monday", Style("Lato", 30.0))), tmp_path / "a.pdf")
    done = ReplaceText(Where(text="Friday"), text="Monday")(read(tmp_path / "a.pdf"))
    assert write(done, tmp_path / "b.pdf") == ()
    assert says(tmp_path / "b.pdf") == ["Monday or Monday"]


def test_a_paragraph_is_read_line_by_line(tmp_path: Path) -> None:
    style = Style("PT Serif", 15.0, align="justify")
    text = Text((Run("Words that are set in lines of one width, all straight.", style),), 150.0)
    write(of(Layer(text, "p", "p", 20.0, 40.0)), tmp_path / "a.pdf")
    assert " ".join(says(tmp_path / "a.pdf")) == text.words


UNLIVE = [
    (Style("Lato", 30.0, blur=1.0), None, "its letters are blurred"),
    (Style("Lato", 30.0, swell=-0.01), None, "its letters are drawn thinner or thicker than"),
    (Style("Roboto", 30.0, 900, stroke=Stroke(RED, 2.0)), None, "strokes overlap in the letters"),
    (Style("Lato", 30.0), {"o": Glyph(np.full((9, 9), 200, np.uint8), 0.0, -9.0, 10.0)},
     "its letters are cut from a picture"),
]  # fmt: skip


@pytest.mark.parametrize(("style", "glyphs", "why"), UNLIVE)
def test_words_that_no_font_draws_are_a_picture_that_can_be_searched(
    style: Style, glyphs: dict[str, Glyph] | None, why: str, tmp_path: Path
) -> None:
    layer = Layer(Text((Run("Look here", style),), glyphs=glyphs), "title", "t", 20.0, 90.0)
    (note,) = write(of(layer), tmp_path / "a.pdf")
    assert note.startswith(f"'title' is a picture of itself: {why}")
    assert off(of(layer), tmp_path / "a.pdf").max() < 2
    page = pdfium.PdfDocument(tmp_path / "a.pdf")[0].get_textpage()
    assert page.search("Look here").get_next() is not None


def test_words_drawn_by_another_program_keep_its_pixels_where_its_font_is_not_here(
    tmp_path: Path,
) -> None:
    drawn = np.zeros((30, 120, 4), np.uint8)
    drawn[:, ::3] = RED
    text = Text((Run("Fancy", Style("Nowhere Display", 30.0)),), None, drawn, (0.0, -25.0))
    document = of(Layer(text, "title", "t", 20.0, 90.0))
    assert write(document, tmp_path / "a.pdf") == (
        "'title' is a picture of itself: its font Nowhere Display is not here",
    )
    assert off(document, tmp_path / "a.pdf").max() < 2


def test_words_drawn_otherwise_than_their_font_has_them_are_not_said_to_lack_it(
    tmp_path: Path,
) -> None:
    drawn = np.zeros((30, 120, 4), np.uint8)
    drawn[:, ::3] = RED
    for family in ("Lato", "Lato-Bold"):
        text = Text((Run("Fancy", Style(family, 30.0)),), None, drawn, (0.0, -25.0))
        assert write(of(Layer(text, "title", "t", 20.0, 90.0)), tmp_path / "a.pdf") == (
            "'title' is a picture of itself: the program that it comes from drew its letters"
            " otherwise than their font has them",
        )


@pytest.mark.parametrize("size", [6.0, 8.0, 9.5, 13.0])
def test_small_words_that_a_program_put_at_whole_pixels_stay_live(
    size: float, tmp_path: Path
) -> None:
    places = (("Lato", 40.4), ("PT Serif", 80.8), ("Montserrat", 120.5))
    small = [words(f"Open on {name}", Style(name, size), 20.3, top) for name, top in places]
    write(of(*small), tmp_path / "a.pdf")
    told = [unlive(one, one.content) for one in read(tmp_path / "a.pdf")
            if isinstance(one.content, Text) and one.content.drawn is not None]  # fmt: skip
    assert told == ["", "", ""]
    wider = Style("Lato", size, spacing=0.06 * size)
    write(of(words("Open on Lato, or so", wider, 20.3)), tmp_path / "b.pdf")
    drawn = next(one for one in read(tmp_path / "b.pdf") if isinstance(one.content, Text))
    assert isinstance(drawn.content, Text)
    tight = replace(drawn.content, runs=(Run("Open on Lato, or so", Style("Lato", size)),))
    assert unlive(replace(drawn, content=tight), tight).endswith(
        "otherwise than their font has them"
    )


def test_a_font_that_may_not_be_embedded_is_not(tmp_path: Path) -> None:
    face = here().find(Style("Lato"), "").face
    for kind, may in ((0, True), (4, True), (2, False), (12, True), (0x200, False), (8, True)):
        with TTFont(face.path) as font:
            font["OS/2"].fsType = kind
            font.save(tmp_path / f"{kind}.ttf")
        why = forbidden(replace(face, path=tmp_path / f"{kind}.ttf"))
        assert why == ("" if may else "the font Lato may not be put in a file")
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    broken = forbidden(replace(face, path=tmp_path / "broken.ttf"))
    assert broken == "the font Lato cannot be read"


def test_fonts_hold_only_the_letters_that_are_used(tmp_path: Path) -> None:
    write(of(words("中文", Style("Noto Sans SC", 30.0))), tmp_path / "a.pdf")
    assert (tmp_path / "a.pdf").stat().st_size < 20_000
    with pikepdf.open(tmp_path / "a.pdf") as file:
        (font,) = file.pages[0].Resources.Font.values()
        assert font.Encoding == "/Identity-H"
        assert "+NotoSansSC-Regular" in str(font.BaseFont)
        assert "<4E2D>" in font.ToUnicode.read_bytes().decode()


def test_the_same_document_is_written_to_the_same_bytes(tmp_path: Path) -> None:
    document = of(words("Lato", STYLES[0]), words("Blurred", UNLIVE[0][0], 20.0, 150.0))
    for name in ("a.pdf", "b.pdf"):
        write(document, tmp_path / name)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_what_is_added_to_a_page_keeps_its_looks_and_the_page_its_own(tmp_path: Path) -> None:
    write(of(words("Below", Style("Lato", 30.0))), tmp_path / "a.pdf")
    page = read(tmp_path / "a.pdf")
    new = words("Faded", Style("Lato", 40.0, colour=BLUE, spacing=3.0), 120.0, 160.0, opacity=0.5)
    done = page.having(*page.layers, new, square(RED, 200, 20, opacity=0.5, angle=10.0))
    assert write(done, tmp_path / "b.pdf") == ()
    assert off(done, tmp_path / "b.pdf").max() < 30
    assert says(tmp_path / "b.pdf") == ["Below", "Faded"]
    again = read(tmp_path / "b.pdf")
    write(again.having(*again.layers, words("More", STYLES[0], 20.0, 180.0)), tmp_path / "c.pdf")
    assert says(tmp_path / "c.pdf") == ["Below", "Faded", "More"]


letters = st.text("abcdefghijABCDEF fi ffl 0123456789,.!?-äöüé中文字", min_size=1, max_size=24)


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(said=letters, size=st.floats(8, 60), left=st.floats(0, 40))
def test_any_words_are_found_again(said: str, size: float, left: float, tmp_path: Path) -> None:
    write(of(words(said, Style("Lato", size), left, 100.0)), tmp_path / "a.pdf")
    text = pdfium.PdfDocument(tmp_path / "a.pdf")[0].get_textpage().get_text_range()
    assert "".join(text.split()) == "".join(said.split())


def test_a_layered_file_is_written_as_pdf_by_its_name(tmp_path: Path) -> None:
    files.write(of(words("Friday", STYLES[0])), tmp_path / "a.ora")
    files.write(Document(tmp_path / "a.ora"), tmp_path / "a.pdf")
    assert says(tmp_path / "a.pdf") == ["Friday"]
    assert pdfium.PdfDocument(io.BytesIO((tmp_path / "a.pdf").read_bytes())).get_version() >= 14
