"""Layers as they are told: classes, words, colours and places; what shows nothing is left out."""

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from overpaint import weights
from overpaint.document import Document, Layer, Picture, Pixels
from overpaint.document.layers import Colour, Gradient, Group, Mask, Run, Shape, Style, Text
from overpaint.document.render import render, sheet_of
from overpaint.errors import Unavailable
from overpaint.vision import lettered
from overpaint.vision.layers import Seen, seen
from overpaint.vision.page import Line

try:
    weights.find("font-sans")
except Unavailable as missing:
    pytest.skip(str(missing), allow_module_level=True)

SIZE = (400, 500)
GOLD: Colour
INK: Colour
WHITE: Colour
GOLD, INK, WHITE = (250, 200, 40, 255), (20, 20, 40, 255), (255, 255, 255, 255)


def text(
    words: str, name: str = "t", *, at: tuple[int, int] = (40, 120), colour: Colour = INK
) -> Layer:
    style = Style(size=34, weight=700, colour=colour)
    return Layer(Text((Run(words, style),)), words, name, *at)


def shape(
    kind: Literal["rectangle", "ellipse"] = "rectangle",
    size: tuple[int, int] = (90, 90),
    at: tuple[int, int] = (20, 20),
    *,
    fill: Colour | Gradient = GOLD,
    named: str = "s",
) -> Layer:
    return Layer(Shape(kind, size[0], size[1], fill), "", named, *at)


def pictured(layer: Layer, name: str = "") -> Layer:
    """The same layer as pixels, which say nothing about what they are."""
    sheet = sheet_of(layer)
    assert sheet is not None
    picture = Picture(sheet.pixels)
    return replace(layer, content=picture, left=sheet.left, top=sheet.top, name=name)


def photograph(wide: int, high: int) -> Pixels:
    import cv2

    draw = np.random.default_rng(3)
    few = draw.integers(0, 256, (max(2, high // 12), max(2, wide // 12), 3), dtype=np.uint8)
    grown = cv2.resize(few, (wide, high), interpolation=cv2.INTER_CUBIC).astype(int)
    noisy = np.clip(grown + draw.integers(-12, 12, grown.shape), 0, 255).astype(np.uint8)
    return np.dstack([noisy, np.full((high, wide), 255, np.uint8)])


def photo(name: str = "") -> Layer:
    return Layer(Picture(photograph(200, 150)), name, "p", 100, 200)


def one(layer: Layer) -> Seen:
    (found,) = seen(Document(made=(layer,), canvas=SIZE))
    return found


# ── classes ─────────────────────────────────────────────────────────────────────────────


def test_live_text_is_text_and_a_shape_is_decoration() -> None:
    told = one(text("Summer Jazz", colour=GOLD))
    assert (told.kind, told.words, told.live) == ("text", "Summer Jazz", True)
    assert told.colours == ("#fac828",)
    disc = one(shape("ellipse"))
    assert (disc.kind, disc.words, disc.live) == ("decoration", "", False)


@pytest.mark.parametrize("colour", [INK, WHITE, GOLD])
def test_a_picture_that_says_words_and_little_else_is_text(colour: Colour) -> None:
    told = one(pictured(text("Friday 12 June", colour=colour)))
    assert (told.kind, told.words, told.live) == ("text", "Friday 12 June", False)


def test_a_label_of_one_colour_with_words_on_it_is_text() -> None:
    label = render([shape(size=(240, 70), at=(0, 0)), text("BOOK NOW", at=(20, 48))], (240, 70))
    told = one(Layer(Picture(label), "", "b", 80, 300))
    assert (told.kind, told.words) == ("text", "BOOK NOW")
    assert told.colours[0] == "#fac828"


def scene() -> Layer:
    """A landscape of a few flat parts, as large as the canvas."""
    tints: list[Colour] = [(30 * n, 250 - 25 * n, 90 + 15 * n, 255) for n in range(9)]
    parts = [shape(size=(400, 60), at=(0, 60 * n), fill=tint) for n, tint in enumerate(tints)]
    return Layer(Picture(render(parts, SIZE)), "", "scene")


def test_photographs_illustrations_and_scenes_are_images() -> None:
    assert one(photo()).kind == "image"
    assert one(Layer(Picture(photograph(*SIZE)), "", "p")).kind == "image"
    assert one(scene()).kind == "image"
    drawn = [shape("ellipse", (120, 120), (0, 0)), shape(size=(40, 70), at=(30, 20), fill=INK),
             shape("ellipse", (30, 40), (70, 50), fill=(200, 40, 60, 255))]  # fmt: skip
    assert one(Layer(Picture(render(drawn, (120, 120))), "", "i", 40, 60)).kind == "image"


def test_grounds_of_one_colour_gradients_and_patterns_are_decoration() -> None:
    slope = Gradient(((0.0, (20, 40, 90, 255)), (1.0, (200, 90, 90, 255))), 90)
    assert one(pictured(shape(size=SIZE, at=(0, 0), fill=slope))).kind == "decoration"
    dots = [shape(size=SIZE, at=(0, 0))]
    dots += [shape("ellipse", (9, 9), (x, y), fill=WHITE)
             for x in range(0, 400, 40) for y in range(0, 500, 40)]  # fmt: skip
    assert one(Layer(Picture(render(dots, SIZE)), "", "d")).kind == "decoration"


@pytest.mark.parametrize(
    "figure",
    [shape("ellipse"), shape(size=(300, 4)), shape(size=(200, 150)), shape("ellipse", (30, 30))],
    ids=["disc", "rule", "panel", "dot"],
)
def test_flat_and_thin_figures_are_decoration_and_are_not_read_as_letters(figure: Layer) -> None:
    told = one(pictured(figure))
    assert (told.kind, told.words, told.colours) == ("decoration", "", ("#fac828",))


def test_a_name_that_a_person_gave_decides_where_the_pixels_leave_it_open() -> None:
    disc = shape("ellipse")
    assert one(pictured(disc, "Portrait")).kind == "image"
    assert one(pictured(disc, "a portrait of the sun")).kind == "decoration"  # a sentence
    assert one(pictured(disc, "Photo 3")).kind == "decoration"  # a program counts
    assert one(photo("sticker")).kind == "decoration"
    assert one(photo("title")).kind == "image"  # it says no words


def test_small_words_on_a_large_even_ground_are_read() -> None:
    ground = shape(size=SIZE, at=(0, 0))
    flat = render([ground, replace(text("Hall 3", at=(300, 480)), opacity=0.9)], SIZE)
    assert one(Layer(Picture(flat), "", "flat")).words == "Hall 3"


def test_figures_that_look_like_a_letter_are_not_read_as_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from overpaint.vision import ocr

    def read(*said: tuple[str, float]) -> str:
        lines = tuple(Line((24, 24, 80, 80), text, sure) for text, sure in said)
        monkeypatch.setattr(ocr, "read", lambda page: lines)
        lettered._remembered.clear()
        return one(photo()).words

    assert read(("日", 0.96)) == read(("■", 0.99), ("9", 0.98)) == ""
    assert read(("96", 0.85)) == read(("Immmm", 0.68)) == ""
    assert read(("TOP", 0.99), ("5", 0.99), ("x", 0.9)) == "TOP\n5"


# ── what shows ──────────────────────────────────────────────────────────────────────────


def test_what_shows_nothing_is_left_out_and_groups_are_walked_into() -> None:
    nothing = Picture(np.zeros((30, 30, 4), np.uint8))
    hidden = replace(shape(named="hidden"), visible=False)
    inner = Group((shape(named="inner"), hidden, text("Hello", "words")))
    document = Document(
        made=(
            hidden,
            Layer(nothing, "", "empty"),
            Layer(Picture(np.zeros((0, 5, 4), np.uint8)), "", "no pixels"),
            shape(at=(-200, 0), named="outside"),
            replace(shape(named="clear"), opacity=0.0),
            Layer(inner, "", "group"),
            replace(Layer(inner, "", "gone"), visible=False),
        ),
        canvas=SIZE,
    )
    assert [layer.id for layer in seen(document)] == ["inner", "words"]


def test_a_document_without_anything_to_see_has_no_layers_to_tell() -> None:
    assert seen(Document(made=(), canvas=SIZE)) == ()


def test_a_layer_larger_than_the_canvas_is_told_as_far_as_it_is_seen() -> None:
    told = one(Layer(Picture(photograph(600, 700)), "", "p", -50, -60))
    assert (told.box, told.covers, told.place) == ((0, 0, 400, 500), 1.0, "centre")


def test_masks_groups_and_clips_take_from_what_is_seen() -> None:
    half = Mask(np.full((500, 200), 255, np.uint8))
    masked = replace(shape(size=SIZE, at=(0, 0)), mask=half)
    assert one(masked).box == (0, 0, 200, 500)
    grouped = Layer(Group((shape(size=SIZE, at=(0, 0)),)), "", "g", mask=half)
    assert one(grouped).box == (0, 0, 200, 500)
    base, clipped = (
        shape(named="base"),
        replace(shape(size=SIZE, at=(0, 0), named="top"), clip=True),
    )
    told = seen(Document(made=(base, clipped), canvas=SIZE))
    assert [layer.box for layer in told] == [(20, 20, 110, 110)] * 2
    gone = Document(made=(replace(base, visible=False), clipped), canvas=SIZE)
    assert seen(gone) == ()


@pytest.mark.parametrize(
    ("at", "place"),
    [((0, 0), "top left"), ((155, 0), "top"), ((155, 205), "centre"), ((310, 410), "bottom right"),
     ((0, 205), "left")],
)  # fmt: skip
def test_a_place_is_the_ninth_of_the_canvas_that_its_middle_is_in(
    at: tuple[int, int], place: str
) -> None:
    told = one(shape(at=at))
    assert told.place == place
    assert told.covers == pytest.approx(90 * 90 / (400 * 500))


def test_at_most_three_colours_are_told_and_those_of_most_pixels_first() -> None:
    pixels = np.full((100, 100, 4), 255, np.uint8)
    rows = [((200, 30, 60), 50), ((30, 120, 80), 25), ((20, 40, 200), 15), ((250, 200, 40), 10)]
    top = 0
    for colour, high in rows:
        pixels[top : top + high, :, :3] = colour
        top += high
    assert one(Layer(Picture(pixels), "", "p")).colours == ("#c81e3c", "#1e7850", "#1428c8")


def test_faint_words_are_words_and_are_read_once_for_the_same_pixels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from overpaint.vision import ocr

    faint = replace(pictured(text("Half Price")), opacity=0.2)
    assert one(faint).words == "Half Price"
    monkeypatch.setattr(ocr, "read", lambda *given: pytest.fail("it was read again"))
    assert one(faint).words == "Half Price"


def test_a_layer_of_ten_thousand_pixels_a_side_is_shrunk_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from overpaint.vision import ocr

    shapes: list[tuple[int, ...]] = []

    def read(page: Pixels) -> tuple[Line, ...]:
        shapes.append(page.shape)
        return ()

    monkeypatch.setattr(ocr, "read", read)
    wide = np.zeros((40, 10_000, 4), np.uint8)
    wide[:, ::7] = 255
    (told,) = seen(Document(made=(Layer(Picture(wide), "", "w"),), canvas=(10_000, 40)))
    assert told.words == ""
    assert len(shapes) == 2
    assert all(max(shape) <= 2048 + 48 for shape in shapes)
