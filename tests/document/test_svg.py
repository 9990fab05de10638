"""SVG: what is read of it, and what an edit changes in its source."""

import base64
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from svg_maker import HEAD, POSTER, body, svg

from overpaint.document import files
from overpaint.document.layers import (
    BLENDS,
    CLEAR,
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
from overpaint.document.svg import read, write
from overpaint.document.svg.geometry import outlines, transform
from overpaint.document.svg.styles import colour
from overpaint.document.where import Where
from overpaint.errors import Refused


def words_of(layer: Layer) -> str:
    assert isinstance(layer.content, Text)
    return layer.content.words


@pytest.fixture
def poster(tmp_path: Path) -> Document:
    return read(svg(tmp_path, POSTER))


def edited(document: Document, op: Op, tmp_path: Path) -> tuple[str, Document, Document]:
    """The source after an edit, the edited document, and the document read back."""
    done = op(document)
    out = tmp_path / "out.svg"
    write(done, out)
    return out.read_text(), done, read(out)


# ── reading ─────────────────────────────────────────────────────────────────────────────


def test_a_poster_is_read_as_layers_with_the_styles_they_inherit(poster: Document) -> None:
    assert poster.size == (400, 300)
    kinds = [(layer.id, layer.kind) for layer in poster]
    assert kinds == [
        ("rect-1", "shape"), ("grp", "group"), ("text-1", "text"), ("text-2", "text"),
        ("text-3", "text"), ("path-1", "shape"), ("circle-1", "shape"),
    ]  # fmt: skip
    text = poster.layer("text-1").content
    assert isinstance(text, Text)
    assert [(r.words, r.style.weight, r.style.size) for r in text.runs] == [
        ("Hello ", 400, 24.0), ("bold", 700, 24.0), (" world", 400, 24.0),
    ]  # fmt: skip
    assert text.style.family == "Lato"
    assert text.style.colour == (255, 0, 0, 255)
    assert (poster.layer("text-1").left, poster.layer("text-1").top) == (40.0, 80.0)


def test_lines_that_follow_each_other_are_one_text(poster: Document) -> None:
    text = poster.layer("text-2").content
    assert isinstance(text, Text)
    assert text.words == "Line one\nLine two\nLine three"
    assert text.style.leading == 1.2


def test_what_is_not_drawn_is_noted(poster: Document) -> None:
    assert poster.notes == ("<use> is not drawn; its format keeps it",)


def test_lines_that_stand_apart_are_texts_of_their_own(tmp_path: Path) -> None:
    found = body(
        tmp_path, '<text><tspan x="1" y="20">A</tspan><tspan x="50" y="70">B</tspan></text>'
    )
    assert [(layer.content.words, layer.left, layer.top) for layer in found] == [  # type: ignore[union-attr]
        ("A", 1.0, 20.0), ("B", 50.0, 70.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("size", "canvas"),
    [
        ('width="2in" height="72pt"', (192, 96)),
        ('width="25.4mm" height="1cm"', (96, 38)),
        ('viewBox="0 0 30 40"', (30, 40)),
        ('width="60" viewBox="0 0 30 40"', (60, 80)),
        ('width="100%" height="100%" viewBox="0 0 30 40"', (30, 40)),
        ("", (300, 150)),
    ],
)
def test_the_canvas_is_as_large_as_the_root_says(
    tmp_path: Path, size: str, canvas: tuple[int, int]
) -> None:
    assert body(tmp_path, "", size).size == canvas


def test_a_view_box_is_fitted_in_the_middle(tmp_path: Path) -> None:
    found = body(
        tmp_path, '<rect width="10" height="10"/>', 'width="40" height="20" viewBox="0 0 10 10"'
    )
    assert (found.layers[0].left, found.layers[0].content.width) == (10.0, 20.0)  # type: ignore[union-attr]


def test_shapes_are_drawn_where_they_are_to_the_pixel(tmp_path: Path) -> None:
    found = body(tmp_path, '<rect x="10" y="20" width="30" height="40" fill="#102030"/>')
    inside = np.zeros((80, 100), bool)
    inside[20:60, 10:40] = True
    assert (found.rgb[inside] == (16, 32, 48)).all()
    assert (found.rgb[~inside] == 255).all()


def test_curves_and_arcs_pass_where_the_formulas_say() -> None:
    ((circle, closed),) = outlines("M 10 0 A 10 10 0 1 1 -10 0 A 10 10 0 1 1 10 0 Z", 10)
    assert closed
    assert np.allclose(np.hypot(*np.array(circle).T), 10, atol=1e-9)
    ((curve, _),) = outlines("M0 0C0 40 40 40 40 0", 10)
    t = np.linspace(0, 1, len(curve))
    assert np.allclose(np.array(curve)[:, 1], 3 * t * (1 - t) * 40, atol=1e-9)
    again = "M0 0 10 0 l0 10 H0 V5 h1 v1 q1 1 2 0 t2 0 c1 1 2 1 3 0 s2 1 3 0 a5 5 30 0110 0z"
    assert len(outlines(again)) == 1


def test_transforms_multiply_from_the_left() -> None:
    assert transform("translate(10,20) scale(2)") == (2, 0, 0, 2, 10, 20)
    assert np.allclose(transform("rotate(90 10 10)"), (0, 1, -1, 0, 20, 0))
    assert transform("nonsense(1) matrix(1 2 3)") == (1, 0, 0, 1, 0, 0)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("#abc", (170, 187, 204, 255)), ("RED", (255, 0, 0, 255)), ("rgb(1, 2, 3)", (1, 2, 3, 255)),
        ("rgb(1 2 3 / 50%)", (1, 2, 3, 128)), ("rgba(1,2,3,.5)", (1, 2, 3, 128)),
        ("#11223344", (17, 34, 51, 68)), ("none", None), ("chartreuse-ish", None),
    ],
)  # fmt: skip
def test_colours_are_read_as_css_writes_them(text: str, parts: tuple[int, ...] | None) -> None:
    assert colour(text, {}) == parts


def test_pictures_in_the_file_are_read_and_those_outside_are_not_fetched(tmp_path: Path) -> None:
    pixels = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    data = base64.b64encode(out.getvalue()).decode()
    href = f"data:image/png;base64,{data}"
    found = body(tmp_path, f'<image x="3" y="2" width="5" height="4" xlink:href="{href}"/>'
                 '<image href="http://example.invalid/a.png" width="9" height="9"/>'
                 '<image href="file:///etc/passwd" width="9" height="9"/>')  # fmt: skip
    assert [layer.kind for layer in found] == ["picture"]
    assert np.array_equal(found.layers[0].pixels[:, :, :3], pixels)
    assert (found.layers[0].left, found.layers[0].top) == (3.0, 2.0)
    assert found.notes == ("pictures outside the file are not fetched, and not drawn",)


def test_hidden_and_faded_elements_are_hidden_and_faded_layers(tmp_path: Path) -> None:
    found = body(tmp_path, '<rect width="5" height="5" style="display:none"/>'
                 '<g visibility="hidden"><rect width="5" height="5" opacity="25%"/></g>'
                 )  # fmt: skip
    one, group = found.layers
    assert not one.visible
    assert isinstance(group.content, Group)
    inner = group.content.layers[0]
    assert (inner.visible, inner.opacity) == (False, 0.25)


# ── edits in the source ─────────────────────────────────────────────────────────────────


def test_an_untouched_svg_is_written_byte_for_byte(poster: Document, tmp_path: Path) -> None:
    write(poster, tmp_path / "out.svg")
    assert (tmp_path / "out.svg").read_text() == POSTER


@pytest.mark.parametrize(
    ("op", "old", "new"),
    [
        (ReplaceText(Where(text="world"), text="sea & <sky>"), " world<",
         " sea &amp; &lt;sky&gt;<"),
        (ReplaceText(Where(text="two"), text="2"), ">Line two<", ">Line 2<"),
        (Restyle(Where(text="bold"), colour=(0, 0, 255, 255)), '<tspan font-weight="bold">',
         '<tspan font-weight="bold" fill="#0000ff">'),
        (Restyle(Where(text="Hello"), italic=True), ">Hello <",
         '><tspan font-style="italic">Hello</tspan> <'),
        (Move(Where(text="Turned"), by=(10.0, 5.0)), '"rotate(30 100 20)"',
         '"translate(5 2.5) rotate(30 100 20)"'),
        (Recolour(Where(layer="circle-1"), colour=(1, 2, 3, 255)), 'fill="gold"', 'fill="#010203"'),
        (Move(Where(layer="circle-1"), by=(10.0, 5.0)), 'stroke="black"/>',
         'stroke="black" transform="translate(5 2.5)"/>'),
        (Hide(Where(layer="grp")), 'font-size="12">', 'font-size="12" display="none">'),
        (Delete(Where(layer="circle-1")),
         '<circle cx="30" cy="120" r="15" fill="gold" stroke="black"/>', ""),
    ],
)  # fmt: skip
def test_an_edit_changes_its_own_characters_and_no_others(
    poster: Document, tmp_path: Path, op: Op, old: str, new: str
) -> None:
    source, done, again = edited(poster, op, tmp_path)
    assert POSTER.count(old) == 1
    assert source == POSTER.replace(old, new)
    assert _unnamed(again) == _unnamed(done)


@pytest.mark.parametrize(
    "op",
    [
        Scale(Where(layer="circle-1"), factor=2.0), Reorder(Where(layer="circle-1"), to="back"),
        Insert(Where(layer="circle-1"), text="New words", side="below"),
        Rotate(Where(layer="text-3"), degrees=15.0), Delete(Where(layer="grp")),
        ReplaceText(Where(layer="text-2"), text="One\nTwo\nThree\nFour"),
        Restyle(Where(layer="text-3"), size=30.0), Restyle(Where(layer="text-1"), align="centre"),
    ],
)  # fmt: skip
def test_what_is_read_back_is_what_was_edited(poster: Document, tmp_path: Path, op: Op) -> None:
    source, done, again = edited(poster, op, tmp_path)
    assert "<!-- made by hand -->" in source
    assert "<odd:thing odd:a='1'>kept</odd:thing>" in source
    assert np.abs(again.rgb.astype(int) - done.rgb).max() <= 2
    assert [layer.id for layer in again] == [layer.id for layer in done]


def test_a_picture_is_replaced_in_place(tmp_path: Path) -> None:
    red = np.full((6, 8, 4), (200, 0, 0, 255), np.uint8)
    document = Document(made=(Layer(Picture(red), "p", "p", 4.0, 5.0),), canvas=(30, 20))
    write(document, tmp_path / "a.svg")
    found = read(tmp_path / "a.svg")
    blue = found.having(replace(found.layers[0], content=Picture(red[:, :, [2, 1, 0, 3]].copy())))
    write(blue, tmp_path / "b.svg")
    assert read(tmp_path / "b.svg") == blue


def test_one_line_of_several_can_be_moved_reworded_and_deleted_but_not_turned(
    tmp_path: Path,
) -> None:
    found = body(tmp_path, '<text font-size="10"><tspan x="1" y="20">Alpha</tspan>'
                 '<tspan x="50" y="70">Beta</tspan></text>')  # fmt: skip
    first, second = found.layers
    moved = found.having(first, replace(second, left=40.0, top=60.0))
    write(moved, tmp_path / "b.svg")
    assert read(tmp_path / "b.svg") == moved
    write(found.having(second), tmp_path / "c.svg")
    assert [words_of(layer) for layer in read(tmp_path / "c.svg")] == ["Beta"]
    with pytest.raises(Refused, match="'Beta' stands with other lines in one <text>.*not turned"):
        write(found.having(first, replace(second, angle=20.0)), tmp_path / "d.svg")
    with pytest.raises(Refused, match="'Beta' stands with other lines .* and no more"):
        write(found.having(first, replace(second, opacity=0.5)), tmp_path / "d.svg")


def test_a_file_in_another_encoding_stays_in_it(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>'
    text += f'{HEAD}width="90" height="40"><text y="20">é</text></svg>'
    found = read(svg(tmp_path, text.encode("latin-1")))
    done = ReplaceText(Where(text="é"), text="ü→")(found)
    write(done, tmp_path / "b.svg")
    assert b"\xfc&#8594;" in (tmp_path / "b.svg").read_bytes()
    assert _unnamed(read(tmp_path / "b.svg")) == _unnamed(done)


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-16-le", "gb18030", "big5"])
def test_any_usual_encoding_is_read_and_kept(tmp_path: Path, codec: str) -> None:
    name = "utf-16" if codec.startswith("utf") else codec
    text = f'<?xml version="1.0" encoding="{name}"?>{HEAD}width="90" height="40">'
    path = svg(tmp_path, (text + '<text y="20">中</text></svg>').encode(codec))
    found = files.read(path)
    assert found.said == ()
    write(ReplaceText(Where(text="中"), text="文")(found), tmp_path / "b.svg")
    assert (tmp_path / "b.svg").read_bytes() == path.read_bytes().replace(
        "中".encode(codec)[-2:], "文".encode(codec)[-2:]
    )


def test_a_mark_of_utf_8_holds_whatever_the_xml_says(tmp_path: Path) -> None:
    text = f'\ufeff<?xml version="1.0" encoding="iso-8859-1"?>{HEAD}width="90" height="40">'
    path = svg(tmp_path, text + '<!-- é --><text y="20">é</text></svg>')
    assert [words_of(layer) for layer in read(path)] == ["é"]
    write(read(path), tmp_path / "b.svg")
    assert (tmp_path / "b.svg").read_bytes() == path.read_bytes()


def _unnamed(document: Document) -> list[Layer]:
    """Layers without names, which follow the words where a file has none."""
    return [replace(layer, name="", content=Group(()) if layer.kind == "group" else layer.content)
            for layer in document]  # fmt: skip


# ── a law: what is written is what is read ──────────────────────────────────────────────

places = st.integers(-2000, 4000).map(lambda n: n / 8)
sizes = st.integers(8, 400).map(lambda n: n / 8)
shades = st.tuples(*[st.integers(0, 255)] * 4)
words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cn"),
                  exclude_characters="\u200b\ufffe\uffff"), min_size=1, max_size=12,
).filter(lambda text: text != "\u200b")  # fmt: skip
gradients = st.builds(
    Gradient, st.tuples(shades, shades).map(lambda two: ((0.0, two[0]), (1.0, two[1]))),
    st.integers(0, 3599).map(lambda n: n / 10),
)  # fmt: skip
strokes = st.none() | st.builds(Stroke, shades, sizes)
styles = st.builds(
    Style, st.sampled_from(["Lato", "PT Sans", "Noto Serif SC", "3D Type"]), sizes,
    st.integers(1, 9).map(lambda n: 100 * n), st.booleans(), shades, st.just("left"),
    spacing=places, gap=places, leading=sizes, underline=st.booleans(), strike=st.booleans(),
    stroke=strokes, gradient=st.none() | gradients, blur=sizes,
    shadow=st.none() | st.builds(Shadow, shades, places, places, sizes),
)  # fmt: skip
texts = st.lists(st.builds(Run, words, styles), min_size=1, max_size=3, unique_by=lambda r: r.style)
masks = st.builds(
    Mask, st.integers(0, 255).map(lambda n: np.full((3, 4), n, np.uint8)), st.integers(-9, 9),
    st.integers(-9, 9), st.integers(0, 255),
)  # fmt: skip
fills = shades.map(lambda shade: CLEAR if shade[3] == 0 else shade) | gradients
corners = st.lists(st.tuples(places, places), min_size=2, max_size=5).map(tuple)
contents = st.one_of(
    texts.map(lambda runs: Text(tuple(runs))),
    st.integers(0, 255).map(lambda n: Picture(np.full((3, 5, 4), n, np.uint8))),
    st.builds(Shape, st.just("rectangle"), sizes, sizes, fills, strokes, sizes),
    st.builds(Shape, st.just("ellipse"), sizes, sizes, fills, strokes),
    st.builds(Shape, st.just("path"), sizes, sizes, fills, strokes,
              outlines=st.lists(corners, min_size=1, max_size=2).map(tuple)),
)  # fmt: skip
plain_layers = st.builds(
    Layer, contents, words, left=places, top=places, visible=st.booleans(),
    opacity=st.integers(0, 100).map(lambda n: n / 100),
    blend=st.sampled_from([blend for blend in BLENDS if blend != "pass-through"]),
    mask=st.none() | masks,
)  # fmt: skip
groups = st.builds(
    Layer, st.lists(plain_layers, max_size=2).map(lambda inner: Group(tuple(inner))), words,
    blend=st.sampled_from(BLENDS), opacity=st.sampled_from([1.0, 0.5]),
)  # fmt: skip


def numbered(layers: list[Layer]) -> tuple[Layer, ...]:
    """Layers with ids that are unlike each other."""
    made = []
    for number, layer in enumerate(layers):
        if isinstance(layer.content, Group):
            inner = [replace(one, id=f"{number}-{i}") for i, one in enumerate(layer.content.layers)]
            layer = replace(layer, content=Group(tuple(inner)))
        made.append(replace(layer, id=f"n{number}"))
    return tuple(made)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(layers=st.lists(plain_layers | groups, max_size=3).map(numbered))
def test_what_is_written_is_read_again(layers: tuple[Layer, ...], tmp_path: Path) -> None:
    document = Document(made=layers, canvas=(120, 90))
    assert write(document, tmp_path / "law.svg") == ()
    assert read(tmp_path / "law.svg") == document


@pytest.mark.parametrize("align", ["left", "centre", "right", "justify"])
@pytest.mark.parametrize("width", [None, 130.0])
def test_lines_are_read_again_as_they_were(tmp_path: Path, align: str, width: float | None) -> None:
    style = Style("Lato", 14.0, align=align, leading=1.3)  # type: ignore[arg-type]
    bold = replace(style, weight=700)
    runs = (
        Run("A first paragraph that is ", style),
        Run("too long\n\nand", bold),
        Run(" another", style),
    )
    layer = Layer(Text(runs, width), "t", "t", 30.0, 40.0)
    document = Document(made=(layer,), canvas=(300, 200))
    write(document, tmp_path / "a.svg")
    assert read(tmp_path / "a.svg") == document


def test_turned_layers_are_read_again_as_they_were(tmp_path: Path) -> None:
    layers = [
        Layer(Text((Run("Turned", Style("Lato", 20.0)),)), "t", "t", 60.0, 50.5, 33.0),
        Layer(Shape("path", 20.0, 30.0, outlines=(((1.0, 2.0), (19.0, 9.0), (5.0, 30.0)),)), "s",
              "s", 40.0, 30.0, 10.0),
        Layer(Shape("rectangle", 21.0, 30.0), "r", "r", 40.0, 30.0, 350.5),
        Layer(Picture(np.full((4, 9, 4), 200, np.uint8)), "p", "p", 50.0, 50.0, 77.0),
    ]  # fmt: skip
    document = Document(made=tuple(layers), canvas=(150, 120))
    write(document, tmp_path / "a.svg")
    assert read(tmp_path / "a.svg") == document


def test_what_is_clipped_is_pressed_flat_and_said(tmp_path: Path) -> None:
    base = Layer(Shape("ellipse", 30.0, 30.0, (9, 9, 9, 255)), "base", "b", 5.0, 5.0)
    over = Layer(
        Shape("rectangle", 30.0, 30.0, (200, 9, 9, 255)), "over", "o", 20.0, 5.0, clip=True
    )
    document = Document(made=(base, over), canvas=(50, 50))
    notes = write(document, tmp_path / "a.svg")
    assert notes == ("'base' and what is clipped to it are one picture",)
    assert np.abs(read(tmp_path / "a.svg").rgb.astype(int) - document.rgb).max() <= 1


def test_a_pattern_that_is_not_drawn_is_told_of(tmp_path: Path) -> None:
    pattern = '<pattern id="p" width="2" height="2"><rect width="1" height="2"/></pattern>'
    found = body(tmp_path, f'<defs>{pattern}</defs><rect fill="url(#p)" width="9" height="9"/>')
    assert found.notes == ("a pattern is not drawn; its format keeps it",)
