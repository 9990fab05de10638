"""PPTX: what is read of a slide, and what an edit changes in its deck."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches
from pptx_maker import PIXELS, deck, parts

from overpaint.document import files
from overpaint.document.layers import (
    Gradient,
    Group,
    Layer,
    Picture,
    Run,
    Shape,
    Stroke,
    Style,
    Text,
    walk,
)  # fmt: skip
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
    Scale,
)  # fmt: skip
from overpaint.document.pptx import pages, read, write
from overpaint.document.pptx.theme import A, Theme
from overpaint.document.text.setting import draw_text, lay
from overpaint.document.where import Where
from overpaint.errors import Refused, UserMistake


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return deck(tmp_path_factory.mktemp("deck") / "deck.pptx")


@pytest.fixture(scope="module")
def slide(source: Path) -> Document:
    return read(source, 2)


def made(tmp_path: Path, build: Callable[[Any], None]) -> Document:
    """A document of one blank slide that something was put on."""
    presentation = Presentation()
    build(presentation.slides.add_slide(presentation.slide_layouts[6]))
    presentation.save(tmp_path / "one.pptx")
    return read(tmp_path / "one.pptx")


def text_of(document: Document, words: str) -> tuple[Layer, Text]:
    for layer in document:
        if isinstance(layer.content, Text) and words in layer.content.words:
            return layer, layer.content
    raise AssertionError(words)


# ── reading ─────────────────────────────────────────────────────────────────────────────


def test_slides_are_pages_and_canvases_have_1280_to_1920_pixels(source: Path) -> None:
    assert pages(source) == 2
    assert read(source, 1).size == (1280, 960)
    with pytest.raises(UserMistake, match="has 2 pages, and no page 3"):
        read(source, 3)


def test_words_inherit_size_font_and_colour_from_layout_master_and_theme(source: Path) -> None:
    _, text = text_of(read(source, 1), "Meet on Friday")
    assert text.style.family == "Calibri"
    assert text.style.size == pytest.approx(44 * 96 / 72 * 4 / 3, abs=0.01)
    assert (text.style.align, text.style.colour) == ("centre", (0, 0, 0, 255))
    _, body = text_of(read(source, 1), "First point")
    assert body.words.count("\n") == 2
    assert body.style.size == pytest.approx(32 * 96 / 72 * 4 / 3, abs=0.01)
    assert (body.style.bullet, body.style.indent) == ("•", 0.0)


def test_runs_say_their_own_size_weight_and_colour(slide: Document) -> None:
    layer, text = text_of(slide, "Hello")
    assert [(run.words, run.style.weight) for run in text.runs] == [
        ("Hello ", 400), ("bold world", 700),
    ]  # fmt: skip
    assert text.style.colour == (200, 0, 0, 255)
    scale = 96 * 4 / 3  # pixels an inch
    assert layer.left == pytest.approx(1.1 * scale, abs=0.01)
    assert text.width == pytest.approx(3.8 * scale, abs=0.01)
    assert 0.55 * scale < layer.top < 0.55 * scale + text.style.size


def test_words_in_a_shape_take_the_colour_of_its_style(slide: Document) -> None:
    assert text_of(slide, "Buy now")[1].style.colour == (255, 255, 255, 255)


def test_what_is_not_drawn_is_noted(slide: Document) -> None:
    assert slide.notes == ("'Chart 8', a chart, is not drawn; its format keeps it",)


def test_a_cropped_picture_shows_what_the_crop_leaves(slide: Document) -> None:
    layer = next(layer for layer in slide if layer.kind == "picture")
    assert layer.pixels.shape == (192, 256, 4)
    cut = Image.fromarray(PIXELS[:, 20:]).resize((256, 192), Image.Resampling.BICUBIC)
    off = np.abs(np.asarray(cut).astype(int) - layer.pixels[:, :, :3])
    assert np.median(off) < 8


def test_tables_and_groups_are_groups(slide: Document) -> None:
    groups = {layer.name: layer for layer in slide.layers if layer.kind == "group"}
    assert set(groups) == {"Rounded Rectangle 2", "Table 4", "Group 5"}
    words = [one.content.words for one in walk((groups["Table 4"],))
             if isinstance(one.content, Text)]  # fmt: skip
    assert words == ["r0c0", "r0c1", "r1c0", "r1c1"]


def test_a_group_scales_what_is_in_it(tmp_path: Path) -> None:
    def build(slide: Any) -> None:
        group = slide.shapes.add_group_shape()
        group.shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(1), Inches(1), Inches(1), Inches(1))
        group.width, group.height = Inches(2), Inches(2)

    layer = next(layer for layer in made(tmp_path, build) if layer.name.startswith("Rectangle"))
    assert isinstance(layer.content, Shape)
    assert (layer.left, layer.top) == (128.0, 128.0)
    assert (layer.content.width, layer.content.height) == (256.0, 256.0)


def test_a_turned_shape_keeps_its_middle(tmp_path: Path) -> None:
    def build(slide: Any) -> None:
        shape = slide.shapes.add_shape(
            MSO_SHAPE.RECTANGLE, Inches(2), Inches(2), Inches(2), Inches(1)
        )
        shape.rotation, shape.text_frame.text = 90, "Up"
        shape.text_frame.paragraphs[0].alignment = 2

    shown = made(tmp_path, build)
    layer, _ = text_of(shown, "Up")
    assert layer.angle == 90.0
    ink = np.argwhere((shown.rgb == 255).all(axis=2) & _inside(shown, (300, 220, 468, 420)))
    assert np.allclose(ink.mean(axis=0), (320, 384), atol=12)


def _inside(document: Document, box: tuple[int, int, int, int]) -> Any:
    mask = np.zeros(document.size[::-1], bool)
    mask[box[1] : box[3], box[0] : box[2]] = True
    return mask


def test_theme_colours_are_darkened_and_lightened_as_the_standard_says() -> None:
    theme = Theme({"accent1": (0x4F, 0x81, 0xBD, 255)})

    def shade(inner: str) -> Any:
        named = f'<a:schemeClr val="accent1">{inner}</a:schemeClr>'
        return theme.colour(etree.fromstring(f'<a:f xmlns:a="{A[1:-1]}">{named}</a:f>'))

    assert shade("") == (0x4F, 0x81, 0xBD, 255)
    # PowerPoint's own palette: accent 1 of the Office 2007 theme, darker 25 % and lighter 60 %.
    assert np.abs(np.subtract(shade('<a:lumMod val="75000"/>')[:3], (0x36, 0x60, 0x92))).max() <= 2
    lighter = shade('<a:lumMod val="40000"/><a:lumOff val="60000"/>')
    assert np.abs(np.subtract(lighter[:3], (0xB8, 0xCC, 0xE4))).max() <= 2
    assert shade('<a:alpha val="50000"/>')[3] == 128


def test_theme_colours_of_runs_and_backgrounds_are_found(tmp_path: Path) -> None:
    def build(slide: Any) -> None:
        run = (
            slide.shapes.add_textbox(0, 0, Inches(4), Inches(1)).text_frame.paragraphs[0].add_run()
        )
        run.text, run.font.color.theme_color = "Accent", MSO_THEME_COLOR.ACCENT_2
        slide.background.fill.solid()
        slide.background.fill.fore_color.rgb = RGBColor(1, 2, 3)

    shown = made(tmp_path, build)
    assert text_of(shown, "Accent")[1].style.colour == (0xC0, 0x50, 0x4D, 255)
    assert (shown.rgb[-1, -1] == (1, 2, 3)).all()


# ── writing back ────────────────────────────────────────────────────────────────────────


def test_an_untouched_deck_is_written_byte_for_byte(source: Path, tmp_path: Path) -> None:
    assert write(read(source, 2), tmp_path / "b.pptx") == ()
    assert (tmp_path / "b.pptx").read_bytes() == source.read_bytes()


SAME = [
    ReplaceText(Where(text="world"), text="moon & <sun>"),
    ReplaceText(Where(text="r1c0"), text="Cell"),
    Restyle(Where(text="Hello"), colour=(0, 0, 255, 255), weight=700, italic=True),
    Restyle(Where(text="In a group"), strike=True, underline=True),
    Restyle(Where(layer="2"), align="centre"),
    Move(Where(layer="4"), by=(30.0, 10.0)), Rotate(Where(layer="4"), degrees=30.0),
    Move(Where(text="Hello bold world"), by=(15.0, -5.0)),
    Move(Where(text="In a group"), by=(5.0, 5.0)), Move(Where(layer="3"), by=(-40.0, 12.0)),
    Move(Where(text="Buy now"), by=(5.0, 5.0)), Rotate(Where(text="Turned text"), degrees=30.0),
    Delete(Where(layer="3")), Delete(Where(text="Buy now")), Delete(Where(layer="4")),
    Recolour(Where(layer="7"), colour=(9, 9, 9, 255)),
    Recolour(Where(layer="background"), colour=(9, 200, 9, 255)),
    Insert(Where(layer="4"), text="New words", side="below"),
    Reorder(Where(layer="4"), to="front"), Hide(Where(layer="4")),
    Scale(Where(layer="4"), factor=0.5),
]  # fmt: skip


@pytest.mark.parametrize(
    "op", SAME, ids=lambda op: f"{type(op).__name__}-{op.where.text or op.where.layer}"
)
def test_an_edit_reads_back_and_touches_no_other_part(
    source: Path, slide: Document, tmp_path: Path, op: Op
) -> None:
    done = op(slide)
    out = tmp_path / "b.pptx"
    assert write(done, out) == ()
    before, after = parts(source), parts(out)
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    allowed = {"ppt/slides/slide2.xml", "ppt/slides/_rels/slide2.xml.rels", "ppt/media/image2.png"}
    assert "ppt/slides/slide2.xml" in changed <= allowed
    again = read(out, 2)
    assert again.size == done.size
    for one, other in zip(_placed(again), _placed(done), strict=True):
        assert one[0] == other[0]
        assert one[1:] == pytest.approx(other[1:], abs=0.01)
    Presentation(out)  # python-pptx opens what was written


def _placed(document: Document) -> list[tuple[Any, float, float, float]]:
    """What each layer shows, and where; groups by what is in them."""
    return [
        ((one.content.runs if isinstance(one.content, Text) else one.content, one.visible),
         one.left, one.top, one.angle)
        for one in document if not isinstance(one.content, Group)
    ]  # fmt: skip


def test_larger_words_are_larger_and_a_scaled_frame_is_narrower(
    slide: Document, tmp_path: Path
) -> None:
    write(Restyle(Where(text="In a group"), size=64.0)(slide), tmp_path / "b.pptx")
    assert text_of(read(tmp_path / "b.pptx", 2), "In a group")[1].style.size == 64.0
    done = Scale(Where(layer="2"), factor=0.5)(slide)
    write(done, tmp_path / "b.pptx")
    (one, text), (other, wanted) = (
        text_of(read(tmp_path / "b.pptx", 2), "Hello"),
        text_of(done, "Hello"),
    )
    assert text.width == pytest.approx(wanted.width, abs=0.01)
    assert (one.left, one.top) == pytest.approx((other.left, other.top), abs=0.2)


def test_paragraphs_and_breaks_can_be_added_and_taken_away(source: Path, tmp_path: Path) -> None:
    first = read(source, 1)
    layer, text = text_of(first, "First point")
    for words in ("One\nTwo\nThree\nFour", "Only one", "First point\nThird", "A\vB\nC"):
        new = replace(layer, content=replace(text, runs=(Run(words, text.style),)))
        done = first.having(*(new if one.id == layer.id else one for one in first.layers))
        write(done, tmp_path / "b.pptx")
        assert text_of(read(tmp_path / "b.pptx", 1), words)[1].words == words


def test_a_slide_of_another_number_is_changed_where_it_is(source: Path, tmp_path: Path) -> None:
    write(ReplaceText(Where(text="Friday"), text="Monday")(read(source, 1)), tmp_path / "b.pptx")
    assert text_of(read(tmp_path / "b.pptx", 1), "Meet on Monday")
    assert read(tmp_path / "b.pptx", 2) == read(source, 2)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda layer: replace(layer, opacity=0.5), "opacity, blend mode or mask of 'TextBox 1'"),
        (lambda layer: None, "put behind the slide's background"),
    ],
)
def test_what_a_slide_cannot_hold_is_refused(
    slide: Document, tmp_path: Path, change: Callable[[Layer], Layer | None], why: str
) -> None:
    layer = slide.layer("2")
    new = change(layer)
    if new is None:
        rest = [one for one in slide.layers if one.id != "2"]
        done = slide.having(layer, *rest)
    else:
        done = slide.having(*(new if one.id == "2" else one for one in slide.layers))
    with pytest.raises(Refused, match=why):
        write(done, tmp_path / "b.pptx")


def test_what_the_layout_draws_is_shown_and_not_changed(tmp_path: Path) -> None:
    presentation = Presentation()
    layout = presentation.slide_layouts[6]
    box = layout.shapes._spTree  # a logo that all slides share
    slide = presentation.slides.add_slide(layout)
    shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, 0, 0, Inches(1), Inches(1))
    box.append(shape._element)
    presentation.save(tmp_path / "a.pptx")
    found = read(tmp_path / "a.pptx")
    assert [layer.id for layer in found.layers] == ["background", "layout"]
    assert (found.rgb[50, 50] != 255).any()
    with pytest.raises(Refused, match="'layout' belongs to the slide's layout, which other slides"):
        write(found.having(found.layers[0]), tmp_path / "b.pptx")
    hidden = replace(found.layers[1], visible=False)
    with pytest.raises(Refused, match="belongs to the slide's layout"):
        write(found.having(found.layers[0], hidden), tmp_path / "b.pptx")


@pytest.mark.parametrize("gone", ["One", "Two", "Three", "Four"])
def test_a_point_that_is_deleted_leaves_no_empty_paragraph(tmp_path: Path, gone: str) -> None:
    made = Presentation()
    frame = made.slides.add_slide(made.slide_layouts[1]).placeholders[1].text_frame
    points = [("One", 0), ("Two", 1), ("Three", 2), ("Four", 0)]
    frame.text = "One"
    for words, level in points[1:]:
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = words, level
    path = tmp_path / "a.pptx"
    made.save(path)
    write(Delete(Where(text=gone))(read(path)), path)
    kept = Presentation(path).slides[0].placeholders[1].text_frame.paragraphs
    assert [(one.text, one.level) for one in kept] == [one for one in points if one[0] != gone]


def test_cells_words_and_gradients_that_cannot_change_are_refused(
    slide: Document, tmp_path: Path
) -> None:
    def changed(key: str, **values: Any) -> Document:
        def swap(layer: Layer) -> Layer:
            if layer.id == key:
                return replace(layer, **values)
            if isinstance(layer.content, Group):
                return replace(layer, content=Group(tuple(swap(i) for i in layer.content.layers)))
            return layer

        return slide.having(*(swap(layer) for layer in slide.layers))

    rainbow = Gradient(((0.0, (1, 1, 1, 255)), (1.0, (9, 9, 9, 255))))
    oval = slide.layer("7").content
    assert isinstance(oval, Shape)
    for done, why in (
        (changed("5-r1c1-cell", left=0.0), "a cell of a table, was changed"),
        (changed("3-text", angle=20.0), "stands in a shape.*not turned alone"),
        (changed("3-text", visible=False), "cannot be hidden alone"),
        (changed("7", content=replace(oval, fill=rainbow)), "filled with a gradient"),
    ):
        with pytest.raises(Refused, match=why):
            write(done, tmp_path / "b.pptx")


def test_any_document_becomes_a_deck_of_one_slide(tmp_path: Path) -> None:
    style = Style("Lato", 30.0, 700, colour=(10, 20, 200, 255))
    layers = (
        Layer(Shape("rectangle", 400.0, 300.0, (240, 240, 200, 255)), "ground", "1"),
        Layer(Picture(np.full((50, 80, 4), (200, 30, 30, 255), np.uint8)), "red", "2", 20.0, 200.0),
        Layer(Text((Run("Big sale", style),)), "words", "3", 40.0, 90.0),
        Layer(Text((Run("turned", style),)), "slope", "4", 200.0, 150.0, 30.0),
        Layer(Shape("ellipse", 60.0, 40.0, (0, 90, 0, 255), Stroke((0, 0, 0, 255), 2.0)), "o", "5",
              300.0, 220.0),
        Layer(Text((Run("faint", style),)), "faint", "6", 40.0, 150.0, opacity=0.5),
        Layer(Text((Run("hidden", style),)), "gone", "7", 40.0, 150.0, visible=False),
    )  # fmt: skip
    document = Document(made=layers, canvas=(400, 300))
    notes = write(document, tmp_path / "a.pptx")
    assert notes == ("'faint' is a picture of itself", "'gone' is hidden and was left out")
    again = read(tmp_path / "a.pptx")
    assert again.size == (1280, 960)
    small = np.asarray(Image.fromarray(again.rgb).resize((400, 300), Image.Resampling.BOX))
    assert np.abs(small.astype(int) - document.rgb).mean() < 2
    layer, text = text_of(again, "Big sale")
    assert (layer.left / 3.2, layer.top / 3.2) == pytest.approx((40.0, 90.0), abs=0.2)
    assert text.style.size == pytest.approx(96.0, abs=0.2)


def listed(path: Path) -> Any:
    """A deck whose first slide has a list of two levels: a, then b and c below it."""
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    frame = slide.placeholders[1].text_frame
    frame.text = "Costs fell\nRents\nWages"
    for paragraph in frame.paragraphs[1:]:
        paragraph.level = 1
        paragraph.runs[0].font.italic = True
    presentation.save(path)
    return path


@pytest.mark.parametrize(
    ("where", "side", "at", "level"),
    [("Costs fell", "below", 1, 0), ("Rents", "above", 1, 1), ("Rents", "below", 2, 1),
     ("Wages", "below", 3, 1), ("Costs fell", "above", 0, 0)],
)  # fmt: skip
def test_a_line_below_a_paragraph_is_one_of_the_same_list(
    tmp_path: Path, where: str, side: Any, at: int, level: int
) -> None:
    document = read(listed(tmp_path / "list.pptx"))
    write(Insert(Where(text=where), "New", side=side)(document), tmp_path / "out.pptx")
    shapes = list(Presentation(str(tmp_path / "out.pptx")).slides[0].placeholders)
    frame = shapes[-1].text_frame
    assert [p.text for p in frame.paragraphs if p.text != "New"] == ["Costs fell", "Rents", "Wages"]
    assert (frame.paragraphs[at].text, frame.paragraphs[at].level) == ("New", level)
    assert [run.font.italic for run in frame.paragraphs[at].runs] == [True if level else None]
    assert [p.level for p in frame.paragraphs if p.text != "New"] == [0, 1, 1]
    again = text_of(read(tmp_path / "out.pptx"), "New")[1]
    assert (
        again.runs == text_of(Insert(Where(text=where), "New", side=side)(document), "New")[1].runs
    )


def test_bullets_and_indents_are_read_of_each_level(tmp_path: Path) -> None:
    text = text_of(read(listed(tmp_path / "list.pptx")), "Costs")[1]
    first, second = (run.style for run in text.runs)
    assert (first.bullet, first.indent, second.bullet) == ("•", 0.0, "–")
    assert second.indent == pytest.approx((742_950 - 342_900) / 9525 * 4 / 3, abs=0.01)
    assert second.hang == pytest.approx(285_750 / 9525 * 4 / 3, abs=0.01)
    high = [line.baseline for line in lay(text)]
    ink = draw_text(text)[0][:, :, 3] > 0
    left = [int(np.flatnonzero(ink[round(y) : round(y) + 40].any(axis=0))[0]) for y in high[1:]]
    assert left[0] == pytest.approx(left[1], abs=2)  # both dashes stand right of the bullet
    assert left[0] > np.flatnonzero(ink[:50].any(axis=0))[0] + 20


@pytest.mark.parametrize(
    ("said", "bullet"),
    [
        ('<a:buAutoNum type="arabicPeriod"/>', "1."),
        ('<a:buAutoNum type="arabicParenBoth" startAt="7"/>', "(7)"),
        ('<a:buAutoNum type="alphaUcParenR"/>', "A)"),
        ('<a:buAutoNum type="romanLcPeriod"/>', "i."),
        ('<a:buAutoNum type="circleNumDbPlain"/>', "1."),
        ('<a:buAutoNum type="nonsense" startAt="-5"/>', "1."),
        ('<a:buFont typeface="Wingdings"/><a:buChar char="ü"/>', "✓"),
        ('<a:buFont typeface="Wingdings"/><a:buChar char="\uf0fc"/>', "✓"),
        ('<a:buFont typeface="Symbol"/><a:buChar char="n"/>', "•"),
        ('<a:buFont typeface="Arial"/><a:buChar char="»"/>', "»"),
        ('<a:buChar char=""/>', ""),
        ("<a:buNone/>", ""),
    ],
)
def test_a_paragraph_says_what_stands_before_it(tmp_path: Path, said: str, bullet: str) -> None:
    def build(slide: Any) -> None:
        frame = slide.shapes.add_textbox(0, 0, Inches(5), Inches(2)).text_frame
        frame.text = "One point"
        properties = frame.paragraphs[0]._p.get_or_add_pPr()
        properties.extend(etree.fromstring(f'<x xmlns:a="{A[1:-1]}">{said}</x>'))

    text = text_of(made(tmp_path, build), "One point")[1]
    assert text.style.bullet == bullet


def test_bullets_that_are_not_drawn_or_not_written_are_told(tmp_path: Path) -> None:
    def build(slide: Any) -> None:
        frame = slide.shapes.add_textbox(0, 0, Inches(5), Inches(2)).text_frame
        frame.text = "One point"
        frame.paragraphs[0]._p.get_or_add_pPr().append(etree.Element(f"{A}buBlip"))

    notes = made(tmp_path, build).notes
    assert notes == ("bullets that are pictures are not drawn; their format keeps them",)
    document = read(listed(tmp_path / "list.pptx"))
    alone = Document(canvas=document.size, made=document.layers)
    assert write(alone, tmp_path / "fresh.pptx") == (
        "the bullets and indents of 'Content Placeholder 2' are left out",
    )
    assert "the bullets and indents of lists are left out" in files.write(
        alone, tmp_path / "fresh.svg"
    )


def test_a_text_below_a_list_is_no_part_of_it(tmp_path: Path) -> None:
    document = read(listed(tmp_path / "list.pptx"))
    after = Insert(Where(layer="Content Placeholder 2"), "Source: ourselves", side="below")(
        document
    )
    style = text_of(after, "Source")[1].style
    assert (style.bullet, style.indent, style.hang) == ("", 0.0, 0.0)
