"""Words on a transparent layer are edited there, and look right over any ground."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from overpaint.core import Request
from overpaint.document import Document, Layer, Picture, files
from overpaint.document.layers import Colour, Group, Mask, Run, Style, Text
from overpaint.document.ops import Delete, Move, Op, ReplaceText, Restyle
from overpaint.document.render import bounds, render, sheet_of
from overpaint.document.where import Where
from overpaint.editors.typeset import Typeset, floating, perform
from overpaint.errors import Refused
from overpaint.vision.lettered import grounds

pytestmark = pytest.mark.slow  # each test reads and matches a page

SIZE = (420, 160)
INK = (30, 60, 110, 255)
WORDS = "Every Friday at noon"
GROUNDS = [(255, 255, 255, 255), (0, 0, 0, 255), (230, 180, 40, 255), (40, 160, 90, 255)]


def live(words: str = WORDS, colour: Colour = INK) -> Layer:
    style = Style("PT Serif", 30, colour=colour)
    return Layer(Text((Run(words, style),)), "words", "2", 40, 90)


def pixelled(layer: Layer) -> Layer:
    """A text layer as a picture, cropped to its ink as painting programs do."""
    sheet, box = sheet_of(layer), bounds(layer)
    assert sheet
    assert box
    x, y = box[0] - sheet.left, box[1] - sheet.top
    cut = sheet.pixels[y : y + box[3] - box[1], x : x + box[2] - box[0]].copy()
    return Layer(Picture(cut), layer.name, layer.id, box[0], box[1])


def over(layer: Layer, ground: Colour) -> np.ndarray:
    return render((layer,), SIZE, over=ground)[:, :, :3].astype(float)


def error(one: Layer, other: Layer, ground: Colour) -> float:
    return float(((over(one, ground) - over(other, ground)) ** 2).mean())


def poster(layer: Layer) -> Document:
    ground = np.full((SIZE[1], SIZE[0], 4), (240, 235, 220, 255), np.uint8)
    return Document(made=(Layer(Picture(ground), "ground", "1"), layer), canvas=SIZE)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Document:
    path = tmp_path_factory.mktemp("floating") / "poster.psd"
    files.write(poster(pixelled(live())), path)
    return files.read(path)


@pytest.fixture(scope="module")
def done(before: Document) -> Document:
    return perform(before, (ReplaceText(Where(text="Friday"), "Monday"),))


def test_a_pixel_layer_of_a_psd_says_other_words_over_any_ground(
    before: Document, done: Document
) -> None:
    assert done.layers[0] == before.layers[0]
    for colour in GROUNDS:
        assert error(done.layers[1], live("Every Monday at noon"), colour) < 0.5
        assert error(before.layers[1], live("Every Monday at noon"), colour) > 5


def test_it_looks_as_if_it_had_been_set_on_that_ground(before: Document, done: Document) -> None:
    flat = Document.of(over(before.layers[1], GROUNDS[2]).astype(np.uint8))
    there = perform(flat, (ReplaceText(Where(text="Friday"), "Monday"),)).rgb
    assert ((over(done.layers[1], GROUNDS[2]) - there) ** 2).mean() < 0.5


def test_what_an_edit_does_not_touch_keeps_its_bytes(before: Document, done: Document) -> None:
    old, new = before.layers[1], done.layers[1]
    x, y = round(old.left - new.left), round(old.top - new.top)
    high, wide = old.pixels.shape[:2]
    same = new.pixels[y : y + high, x : x + wide]
    every = slice(0, 70)  # the columns of “Every”
    assert np.array_equal(same[:, every], old.pixels[:, every])
    assert old.pixels[:, every, 3].any()


@given(
    arrays.arrays(np.uint8, (2, 6, 7)),
    st.tuples(*[st.integers(0, 255)] * 3),
    st.tuples(*[st.integers(0, 255)] * 3),
)
@settings(deadline=None)
def test_ink_taken_off_one_ground_is_right_on_any_other(
    alphas: np.ndarray, ink: tuple[int, ...], other: tuple[int, ...]
) -> None:
    was, now = (np.dstack([np.full((6, 7, 3), ink, np.uint8), alpha]) for alpha in alphas)
    was[0, 0, 3] = now[0, 0, 3] = 255  # so that the ink is seen somewhere
    was[3, 3, 3] = 0  # and the ground as well
    ground = grounds(was)[0]
    found = floating.taken_off(was, floating.laid(now, ground), ground)
    for one in (np.array(other), np.full(3, ground)):
        seen, right = (p[..., :3] * (p[..., 3:] / 255) + one * (1 - p[..., 3:] / 255)
                       for p in (found, now))  # fmt: skip
        assert np.abs(seen - right).max() < 2.1


def test_words_that_need_more_room_make_their_layer_larger() -> None:
    document = poster(pixelled(live("Friday")))
    new = perform(document, (ReplaceText(Where(text="Friday"), "Wednesday"),)).layers[1]
    assert new.pixels.shape[1] > document.layers[1].pixels.shape[1]
    assert error(new, live("Wednesday"), GROUNDS[2]) < 0.5


@pytest.mark.parametrize(
    ("op", "wanted"),
    [
        (Restyle(Where(text=WORDS), colour=(200, 30, 40, 255)), live(colour=(200, 30, 40, 255))),
        (Restyle(Where(text=WORDS), colour=(128, 128, 128, 255)), live(colour=(128,) * 3 + (255,))),
        (Move(Where(text=WORDS), by=(20, 30)), replace(live(), left=60, top=120)),
    ],
    ids=["red", "grey", "moved"],
)
def test_floating_words_are_recoloured_and_moved(op: Op, wanted: Layer) -> None:
    new = perform(poster(pixelled(live())), (op,)).layers[1]
    for colour in GROUNDS:
        assert error(new, wanted, colour) < 0.5


def test_deleted_words_leave_nothing_but_transparency() -> None:
    light = live(colour=(250, 250, 240, 255))  # which shows on black, not on white
    new = perform(poster(pixelled(light)), (Delete(Where(text="noon")),)).layers[1]
    right = new.pixels[:, round(0.8 * new.pixels.shape[1]) :]
    assert not right[:, :, 3].any()
    assert new.pixels[:, :60, 3].any()


def test_words_on_an_opaque_part_of_a_layer_stay_opaque() -> None:
    pixels = np.zeros((160, 420, 4), np.uint8)
    pixels[20:140, 10:410] = (250, 250, 245, 255)
    panel = Layer(Picture(render((Layer(Picture(pixels)), live()), SIZE)), "panel", "2")
    new = perform(poster(panel), (ReplaceText(Where(text="Friday"), "Monday"),)).layers[1]
    assert np.array_equal(new.pixels[:, :, 3], panel.pixels[:, :, 3])
    assert (new.pixels != panel.pixels).any()


def test_words_in_a_picture_in_a_group_are_found() -> None:
    group = Layer(Group((pixelled(live()),)), "group", "9", blend="pass-through")
    done = perform(poster(group), (ReplaceText(Where(text="Friday"), "Monday"),))
    inner = next(layer for layer in done if layer.id == "2")
    assert error(inner, live("Every Monday at noon"), GROUNDS[0]) < 0.5


def test_words_that_a_mask_cuts_out_say_others_and_look_so(tmp_path: Path) -> None:
    cut = pixelled(live())
    full = np.full_like(cut.pixels, INK)
    mask = Mask(cut.pixels[:, :, 3].copy(), round(cut.left), round(cut.top), 0)
    masked = replace(cut, content=Picture(full), mask=mask)
    path = tmp_path / "masked.psd"
    files.write(poster(masked), path)
    done = perform(files.read(path), (ReplaceText(Where(text="Friday"), "Monday"),))
    assert done.notes[-1] == "the mask of 'words' is now part of its pixels"
    files.write(done, path)
    new = files.read(path).layers[1]
    assert new.mask is None
    for colour in GROUNDS:
        assert error(new, live("Every Monday at noon"), colour) < 0.5


def test_a_mask_that_shows_all_of_the_change_stays_with_what_it_hides() -> None:
    pixels = np.full((160, 420, 4), (250, 250, 245, 255), np.uint8)
    panel = Layer(Picture(render((Layer(Picture(pixels)), live()), SIZE)), "panel", "2")
    shown = np.full((120, 420), 255, np.uint8)  # the foot of the panel is hidden
    masked = replace(panel, mask=Mask(shown, 0, 0, 0))
    new = perform(poster(masked), (ReplaceText(Where(text="Friday"), "Monday"),)).layers[1]
    assert new.mask == masked.mask
    assert np.array_equal(new.pixels[120:], panel.pixels[120:])
    assert (new.pixels != panel.pixels).any()


def test_colours_that_run_into_each_other_are_refused() -> None:
    pixels = np.zeros((1, 200, 4), np.uint8)
    pixels[0, :, 0] = np.arange(200)
    pixels[0, :, 1] = np.arange(200)[::-1]
    pixels[:, :, 3] = 200
    done = floating.laid(pixels, 255)[:, ::-1]
    with pytest.raises(Refused, match="the colour of their ink cannot be told"):
        floating.taken_off(pixels, np.ascontiguousarray(done), 255)
    with pytest.raises(Refused, match="the colour of their ink cannot be told"):
        floating.taken_off(np.zeros((4, 4, 4), np.uint8), np.full((4, 4, 3), 9, np.uint8), 0)


def test_words_that_are_nowhere_are_refused_with_live_texts_and_pictures() -> None:
    title = Layer(Text((Run("Summer Sale", Style(size=20)),)), "title", "3", 40, 140)
    document = poster(pixelled(live()))
    document = document.having(*document.layers, title)
    with pytest.raises(Refused) as refused:
        perform(document, (ReplaceText(Where(text="Fridge"), "Monday"),))
    said = str(refused.value)
    assert said.startswith("Nothing in the document is “Fridge”. Its texts are “Summer Sale”.")
    assert "In its pictures they are not either" in said
    assert WORDS in said


@pytest.mark.parametrize(
    "asked", ["replace the picture with /etc/x.png", "insert the picture x.png"]
)
def test_the_instruction_of_a_sample_opens_no_files(asked: str) -> None:
    with pytest.raises(Refused, match="names the file '.*x.png'") as refused:
        Typeset()(Request(poster(live()), asked))
    assert "may use no files of this machine" in str(refused.value)
