"""Words that are pixels of a layer are found by the layer's name, or by their role on the page."""

from dataclasses import replace

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Run, Style, Text
from overpaint.document.ops import Delete, Move, Op, ReplaceText, Restyle, Swap
from overpaint.document.render import bounds, sheet_of
from overpaint.document.where import Where
from overpaint.editors.typeset import perform
from overpaint.errors import Refused

pytestmark = pytest.mark.slow

SIZE = (360, 200)
RED = (220, 20, 30, 255)


def pixelled(words: str, name: str, key: str, at: tuple[float, float], size: float) -> Layer:
    style = Style("PT Serif", size, colour=(20, 40, 90, 255), edges="plain")
    layer = Layer(Text((Run(words, style),)), name, key, *at)
    sheet, box = sheet_of(layer), bounds(layer)
    assert sheet
    assert box
    x, y = box[0] - sheet.left, box[1] - sheet.top
    cut = sheet.pixels[y : y + box[3] - box[1], x : x + box[2] - box[0]].copy()
    return Layer(Picture(cut), name, key, box[0], box[1])


def poster(*names: str) -> Document:
    """A title, a date and a price, each as pixels of a layer, the title at the bottom."""
    ground = Layer(Picture(np.full((200, 360, 4), (245, 240, 230, 255), np.uint8)), "sky", "1")
    said = [("Jazz on the Roof", (30.0, 70.0), 40.0), ("Friday, 8 May", (30.0, 120.0), 24.0),
            ("Only $15", (30.0, 165.0), 24.0)]  # fmt: skip
    pairs = enumerate(zip(names, said, strict=True), 2)
    rest = [pixelled(words, name, str(n), at, size) for n, (name, (words, at, size)) in pairs]
    return Document(made=(ground, *rest), canvas=SIZE)


def changed(document: Document, op: Op) -> list[str]:
    """The ids of the layers that an op changes or takes away."""
    done = perform(document, (op,))
    assert done.history == (op,)
    after = {layer.id: layer for layer in done}
    return [layer.id for layer in document if after.get(layer.id) != layer]


@pytest.mark.parametrize(
    "names",
    [("title", "date", "price"), ("Layer 1", "Layer 2", "Layer 3")],
    ids=["named", "read"],
)
def test_the_title_of_a_document_without_live_text_is_made_red(names: tuple[str, ...]) -> None:
    document, op = poster(*names), Restyle(Where(role="title"), colour=RED)
    assert changed(document, op) == ["2"]
    pixels = perform(document, (op,)).layer("2").pixels
    solid = pixels[pixels[:, :, 3] > 250][:, :3].astype(int)
    assert np.abs(solid - RED[:3]).max() < 8


def test_of_a_layer_that_is_called_after_its_words_only_what_is_meant_changes() -> None:
    document = poster("a", "b", "price")
    old = document.layer("4")
    new = perform(document, (ReplaceText(Where(role="price"), "$20"),)).layer("4")
    only = slice(0, 40)  # the columns of “Only”
    assert np.array_equal(new.pixels[: len(old.pixels), only], old.pixels[: len(new.pixels), only])
    assert new != old


def test_a_layer_that_is_called_after_its_words_is_deleted_whole() -> None:
    assert changed(poster("title", "date", "price"), Delete(Where(role="date"))) == ["3"]


@pytest.mark.slow
def test_a_role_that_a_name_promises_and_no_words_have_is_all_the_layer_says() -> None:
    document = poster("a", "date", "b")
    words = pixelled("Next week", "date", "3", (30.0, 120.0), 24.0)
    document = document.having(document.layers[0], words)
    assert changed(document, ReplaceText(Where(role="date"), "Today")) == ["3"]


@pytest.mark.slow
def test_a_picture_that_is_called_so_and_has_no_words_takes_the_colour() -> None:
    disc = Layer(Picture(np.full((30, 30, 4), (90, 90, 90, 255), np.uint8)), "moon", "9", 300, 20)
    document = poster("a", "b", "c")
    document = document.having(*document.layers, disc)
    new = perform(document, (Restyle(Where(text="moon"), colour=RED),)).layer("9")
    assert (new.pixels[15, 15] != disc.pixels[15, 15]).any()


@pytest.mark.slow
def test_words_that_are_all_of_two_layers_change_places() -> None:
    document = poster("a", "b", "c")
    title, date = Where(text="Jazz on the Roof"), Where(text="Friday, 8 May")
    done = perform(document, (Swap(title, date),))
    assert done.history == (Swap(title, date),)
    assert done.layer("2").pixels is document.layer("2").pixels
    assert done.layer("2").top > done.layer("3").top
    assert changed(document, Move(title, side="below", of=date)) == ["2"]
    with pytest.raises(Refused, match="“Saturn” was not found in the picture"):
        perform(document, (Swap(title, Where(text="Saturn")),))


def test_a_role_that_nothing_has_is_refused_with_what_is_read_in_pictures() -> None:
    document = poster("a", "b", "c")
    with pytest.raises(Refused) as refused:
        perform(document, (Restyle(Where(role="phone"), colour=RED),))
    said = str(refused.value)
    assert said.startswith("Nothing in the document is the phone. It has no live text. In its pic")
    assert "“Jazz on the Roof”" in said
    shapes = document.having(replace(document.layers[0], visible=False))
    with pytest.raises(Refused, match="Nothing in the document is the title. It has no live text."):
        perform(shapes, (Restyle(Where(role="title"), colour=RED),))


@pytest.mark.slow
def test_words_that_no_layer_has_are_refused_with_all_that_the_layers_say() -> None:
    with pytest.raises(Refused) as refused:
        perform(poster("a", "b", "c"), (Delete(Where(text="Zzzz Qqqq Xxxx")),))
    said = str(refused.value)
    assert "Its lines are “Jazz on the Roof”, “Friday, 8 May”, “Only $15”." in said


@pytest.mark.slow
def test_a_named_layer_goes_below_the_words_of_another() -> None:
    document = poster("title", "b", "c")
    op = Move(Where(role="title"), side="below", of=Where(text="Friday, 8 May"))
    assert changed(document, op) == ["2"]
    assert perform(document, (op,)).layer("2").top > document.layer("3").top
    with pytest.raises(Refused, match="“Saturn” was not found in the picture"):
        perform(document, (replace(op, of=Where(text="Saturn")),))
