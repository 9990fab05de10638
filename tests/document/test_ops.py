"""Ops: each does what it says to one layer, leaves the others as they are, and is remembered."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_layers import documents, poster

from overpaint.document import Document, Layer
from overpaint.document.layers import Run, Shape, Style, Text
from overpaint.document.ops import (
    Delete,
    Hide,
    Insert,
    Merge,
    Move,
    Op,
    Recolour,
    Reorder,
    ReplacePicture,
    ReplaceText,
    Restyle,
    Rotate,
    Scale,
    Swap,
)
from overpaint.document.pictures import encode_png
from overpaint.document.placing import joined
from overpaint.document.render import bounds
from overpaint.document.where import Side, Where
from overpaint.errors import Refused, UserMistake

RED = (220, 20, 30, 255)


def text_of(document: Document, name: str) -> Text:
    content = document.layer(name).content
    assert isinstance(content, Text)
    return content


def box_of(document: Document, name: str) -> tuple[int, int, int, int]:
    box = bounds(document.layer(name))
    assert box
    return box


# ── laws ────────────────────────────────────────────────────────────────────────────────

ABOUT_ONE = [
    ReplaceText(Where(layer="4"), "Monday at noon"),
    Restyle(Where(layer="4"), colour=RED, weight=700, italic=True),
    Restyle(Where(layer="4"), align="right"),
    Move(Where(layer="4"), by=(3, -2)),
    Move(Where(layer="4"), to="bottom right"),
    Move(Where(layer="4"), side="below", of=Where(layer="3")),
    Rotate(Where(layer="4"), 30),
    Scale(Where(layer="4"), 1.5),
    Delete(Where(layer="4")),
    Insert(Where(layer="4"), "and Sunday", side="after"),
    Insert(Where(layer="4"), "Free", side="below"),
    Recolour(Where(layer="4"), RED),
    Reorder(Where(layer="4"), "front"),
    Hide(Where(layer="4")),
]


@pytest.mark.parametrize("op", ABOUT_ONE, ids=lambda op: type(op).__name__)
def test_an_op_leaves_every_other_layer_the_very_same_object(op: Op) -> None:
    before = poster()
    after = op(before)
    kept = {id(layer) for layer in after}
    assert all(id(layer) in kept for layer in before if layer.id != "4")
    assert after.layers != before.layers
    assert before == poster()


@pytest.mark.parametrize("op", ABOUT_ONE, ids=lambda op: type(op).__name__)
def test_an_op_is_recorded_undone_and_replayed(op: Op) -> None:
    before = poster()
    first = Move(Where(layer="7"), by=(1, 1))(before)
    after = op(first)
    assert after.history == (first.did, op)
    assert after.undone() is first
    assert after.undone().undone() is before
    assert before.undone() is before
    again = before
    for done in after.history:
        again = done(again)
    assert again == after
    assert np.array_equal(again.rgb, after.rgb)


@settings(max_examples=60, deadline=None)
@given(documents(), st.data())
def test_the_law_holds_in_any_document(document: Document, data: st.DataObject) -> None:
    shown = [layer.id for layer in document if layer.visible]
    if not shown:
        return
    where = Where(layer=data.draw(st.sampled_from(shown)))
    op = data.draw(
        st.sampled_from(
            [Move(where, by=(2, 3)), Scale(where, 0.5), Delete(where), Recolour(where, RED),
             Reorder(where, "back"), Reorder(where, "forward"), Hide(where)]
        )
    )  # fmt: skip
    touched = {layer.id for layer in _family(document, where.layer)}
    after = op(document)
    same = {layer.id: layer for layer in after}
    for layer in document:
        if layer.id not in touched:
            assert same[layer.id] is layer
    assert after.undone() is document


def _family(document: Document, name: str) -> Iterator[Layer]:
    """The layer, the groups around it, and what is in it."""
    from overpaint.document.layers import Group, walk

    for layer in document:
        inner = list(walk((layer,)))
        if layer.id == name:
            yield from inner
        elif isinstance(layer.content, Group) and any(one.id == name for one in inner):
            yield layer


# ── one by one ──────────────────────────────────────────────────────────────────────────


def test_replaced_words_keep_the_style_that_they_stand_in() -> None:
    after = ReplaceText(Where(text="friend"), "colleague")(poster())
    note = text_of(after, "5")
    assert note.words == "Bring a colleague"
    assert [run.style.weight for run in note.runs] == [400, 700]


def test_words_are_found_in_any_case_and_spacing_but_as_written_first() -> None:
    assert text_of(ReplaceText(Where(text="FRIDAY  at"), "Monday at")(poster()), "4").words == (
        "Monday at noon"
    )


def test_every_occurrence_is_replaced_where_every_is_said() -> None:
    twice = ReplaceText(Where(layer="4"), "ha ha ha")(poster())
    after = ReplaceText(Where(text="ha", every=True), "ho")(twice)
    assert text_of(after, "4").words == "ho ho ho"


def test_restyling_some_words_splits_the_run() -> None:
    after = Restyle(Where(text="Friday"), colour=RED)(poster())
    runs = text_of(after, "4").runs
    assert [(run.words, run.style.colour) for run in runs] == [
        ("Friday", RED), (" at noon", (0, 0, 0, 255)),
    ]  # fmt: skip


def test_a_kind_of_font_becomes_a_family_that_is_here() -> None:
    after = Restyle(Where(text="Friday"), family="serif")(poster())
    assert text_of(after, "4").runs[0].style.family == "PT Serif"


def test_moving_to_a_place_and_beside_something_puts_the_ink_there() -> None:
    corner = box_of(Move(Where(layer="4"), to="bottom right")(poster()), "4")
    assert corner[2] == pytest.approx(320 - 8, abs=1)
    assert corner[3] == pytest.approx(200 - 8, abs=1)
    below = Move(Where(layer="4"), side="below", of=Where(layer="3"))(poster())
    assert box_of(below, "4")[1] > box_of(below, "3")[3]
    middles = [sum(box_of(below, name)[::2]) / 2 for name in ("3", "4")]
    assert middles[0] == pytest.approx(middles[1], abs=1)  # under a centred title, centred


def test_a_quarter_turn_exchanges_width_and_height() -> None:
    before = box_of(poster(), "4")
    after = box_of(Rotate(Where(layer="4"), 90)(poster()), "4")
    assert after[2] - after[0] == pytest.approx(before[3] - before[1], abs=2)
    assert after[3] - after[1] == pytest.approx(before[2] - before[0], abs=2)


def test_scaling_keeps_the_middle_and_doubles_the_ink() -> None:
    before, after = box_of(poster(), "4"), box_of(Scale(Where(layer="4"), 2)(poster()), "4")
    assert after[2] - after[0] == pytest.approx(2 * (before[2] - before[0]), abs=3)
    assert (after[0] + after[2]) / 2 == pytest.approx((before[0] + before[2]) / 2, abs=2)
    assert (after[1] + after[3]) / 2 == pytest.approx((before[1] + before[3]) / 2, abs=2)


def test_deleting_words_takes_the_space_they_would_leave() -> None:
    after = Delete(Where(text="at"))(poster())
    assert text_of(after, "4").words == "Friday noon"
    assert "4" not in {layer.id for layer in Delete(Where(text="Friday at noon"))(poster())}


def test_inserted_words_stand_where_they_are_asked_for() -> None:
    assert text_of(Insert(Where(text="at"), "only", side="before")(poster()), "4").words == (
        "Friday only at noon"
    )
    new = Insert(Where(text="noon"), "Doors open early", side="below")(poster())
    added = next(layer for layer in new if layer.id == "new-1")
    assert isinstance(added.content, Text)
    assert added.content.style.size == 18
    assert box_of(new, "new-1")[1] > box_of(new, "4")[3]
    top = Insert(Where(place="top right"), "New!")(poster())
    assert box_of(top, "new-1")[2] == pytest.approx(320 - 8, abs=1)


LIST = (Run("Costs fell\n", Style(size=14)), Run("Sales", Style(size=18, weight=700)),
        Run(" grew fast\nTwo offices", Style(size=18)))  # fmt: skip


@pytest.mark.parametrize(
    ("where", "side", "lines", "size"),
    [
        ("Costs", "below", ["Costs fell", "New", "Sales grew fast", "Two offices"], 14),
        ("Costs", "above", ["New", "Costs fell", "Sales grew fast", "Two offices"], 14),
        ("grew", "above", ["Costs fell", "New", "Sales grew fast", "Two offices"], 18),
        ("Sales", "below", ["Costs fell", "Sales grew fast", "New", "Two offices"], 18),
        ("Two offices", "below", ["Costs fell", "Sales grew fast", "Two offices", "New"], 18),
    ],
)
def test_a_line_above_or_below_one_of_several_joins_them_in_its_style(
    where: str, side: Side, lines: list[str], size: float
) -> None:
    document = Document(canvas=(320, 200), made=(Layer(Text(LIST), "list", "1", 20, 40),))
    (after,) = Insert(Where(text=where), "New", side=side)(document)
    assert isinstance(after.content, Text)
    assert after.content.words.split("\n") == lines
    (style,) = {run.style for run in after.content.runs if "New" in run.words}
    assert (style.size, style.weight) == (size, 400)
    apart = Insert(Where(layer="list"), "New", side="below")(document)
    assert len(list(apart)) == 2  # below all of them it is a text of its own


def test_a_line_below_the_only_point_of_a_list_is_the_second() -> None:
    point = Text((Run("Costs fell", Style(size=14, bullet="1.", hang=20)),))
    document = Document(canvas=(320, 200), made=(Layer(point, "list", "1", 40, 40),))
    (after,) = Insert(Where(text="Costs fell"), "Sales grew", side="below")(document)
    assert isinstance(after.content, Text)
    assert after.content.words == "Costs fell\nSales grew"
    assert [run.style.bullet for run in after.content.runs] == ["1."]


def test_swapping_layers_exchanges_their_places_and_parts_of_texts_their_words() -> None:
    before = poster()
    after = Swap(Where(layer="4"), Where(layer="7"))(before)
    for one, other in (("4", "7"), ("7", "4")):
        was, now = box_of(before, other), box_of(after, one)
        assert (was[0] + was[2]) / 2 == pytest.approx((now[0] + now[2]) / 2, abs=1)
    words = Swap(Where(text="Friday"), Where(text="friend"))(before)
    assert text_of(words, "4").words == "friend at noon"
    assert text_of(words, "5").words == "Bring a Friday"
    within = Swap(Where(text="Friday"), Where(text="noon"))(before)
    assert text_of(within, "4").words == "noon at Friday"


def test_recolouring_fills_a_shape_and_keeps_the_shade_of_a_picture() -> None:
    band = Recolour(Where(layer="band"), RED)(poster()).layer("2").content
    assert isinstance(band, Shape)
    assert band.fill == RED
    ground = Recolour(Where(role="background"), (20, 90, 200, 255))(poster()).layer("1").pixels
    assert np.abs(ground[:, :, :3].mean((0, 1)) - (20, 90, 200)).max() < 6
    light = ground[:, :, :3] @ np.array([0.3, 0.59, 0.11])
    assert light[0, -1] > light[0, 0]


def test_a_restyle_of_colour_alone_recolours_what_is_no_text() -> None:
    for name in ("band", "ground", "extras"):
        restyled = Restyle(Where(layer=name), colour=RED)(poster())
        assert restyled.rgb.tobytes() == Recolour(Where(layer=name), RED)(poster()).rgb.tobytes()
        assert restyled.rgb.tobytes() != poster().rgb.tobytes()
    with pytest.raises(Refused, match="is a shape and has no live words"):
        Restyle(Where(layer="band"), colour=RED, weight=700)(poster())


def test_another_picture_fills_the_same_box(tmp_path: Path) -> None:
    other = np.zeros((50, 90, 3), np.uint8)
    other[:, 20:70] = (0, 200, 0)
    path = tmp_path / "other.png"
    path.write_bytes(encode_png(other))
    after = ReplacePicture(Where(layer="badge"), str(path))(poster())
    assert after.layer("7").pixels.shape == (30, 30, 4)
    assert after.layer("7").pixels[15, 15].tolist() == [0, 200, 0, 255]


def test_a_layer_can_be_brought_forward_hidden_and_shown_again() -> None:
    front = Reorder(Where(layer="2"), "front")(poster())
    assert [layer.id for layer in front.layers] == ["1", "3", "4", "5", "6", "2"]
    hidden = Hide(Where(layer="title"))(poster())
    assert not hidden.layer("3").visible
    assert Hide(Where(layer="title"), visible=True)(hidden).layer("3").visible


# ── pointing ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("where", "found"),
    [
        (Where(role="title"), "3"),
        (Where(role="subtitle"), "4"),
        (Where(role="picture", place="bottom right"), "7"),
        (Where(role="shape"), "2"),
        (Where(role="line", nth=3), "5"),
        (Where(role="text", nth=-1), "5"),
        (Where(role="text", place="top"), "3"),
        (Where(role="text", side="below", of=Where(text="Friday")), "5"),
        (Where(layer="EXTRAS"), "6"),
    ],
)
def test_a_person_points_and_the_layer_is_found(where: Where, found: str) -> None:
    after = Hide(where)(poster())
    assert [layer.id for layer in after if not layer.visible] == [found]


@pytest.mark.parametrize(
    ("op", "says"),
    [
        (Delete(Where(text="Saturday")), "Its texts are “Summer Sale”, “Friday at noon”"),
        (Delete(Where(role="text")), "3 things in the document are the text: 1. “Summer Sale”"),
        (Delete(Where(role="line", nth=9)), "There is no ninth line: 3 fit."),
        (Move(Where(text="Friday"), by=(1, 1)), "“Friday” is only a part of the text"),
        (Hide(Where(text="Friday")), "A whole text layer can be hidden."),
        (Reorder(Where(text="Friday"), "back"), "text layer can be brought forward or sent back."),
        (ReplaceText(Where(layer="badge"), "x"), "is a picture and has no live words"),
        (ReplaceText(Where(layer="4"), "word " * 60), "word word…” does not fit on the canvas"),
        (Rotate(Where(layer="extras"), 5), "A group cannot be turned as one."),
        (Insert(what="row", values=("a",)), "take no new row yet"),
        (Merge(), "cannot be merged yet"),
        (ReplacePicture(Where(layer="4"), "x.png"), "is a text."),
        (Swap(Where(text="Friday at"), Where(text="at noon")), "overlap"),
        (Scale(Where(layer="ground"), 100), "'ground' would be 32000×20000 pixels large"),
        (Scale(Where(layer="band"), 90), "'band' would be 27000×4500 pixels large"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_there_is(op: Op, says: str) -> None:
    with pytest.raises(Refused, match=r".") as error:
        op(poster())
    assert says in str(error.value)


def test_words_that_stand_in_several_places_are_listed_with_what_is_around_them() -> None:
    several = ReplaceText(Where(layer="5"), "Bread to cheese and honey, sand and land")(poster())
    with pytest.raises(Refused) as error:
        Delete(Where(text="and"))(several)
    assert "1. “…to cheese «and» honey, sand…”" in str(error.value)
    assert "2. “…honey, sand «and» land”" in str(error.value)
    with pytest.raises(Refused, match=r"1\. “Summer Sale” \(layer"):
        Delete(Where(role="text"))(poster())


@pytest.mark.parametrize(
    ("op", "says"),
    [
        (Move(Where(layer="4")), "neither where to nor how far"),
        (Scale(Where(layer="4"), 0), "The factor is 0."),
        (Insert(Where(layer="4")), "neither words nor a picture"),
    ],
)
def test_an_op_that_says_nothing_is_a_mistake(op: Op, says: str) -> None:
    with pytest.raises(UserMistake) as error:
        op(poster())
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("op", "says"),
    [
        (Restyle(Where(text="Friday"), size=-5), "The size is -5 px. 0.5 to 5,000 px was"),
        (Restyle(Where(text="Friday"), size=1e8), "The size is 100,000,000 px."),
        (Restyle(Where(text="Friday"), weight=-9), "The weight is -9. 1 to 1,000 was expected."),
        (Restyle(Where(text="Friday"), colour=(300, 0, 0, 255)), "The colour is 300. 0 to 255"),
        (Recolour(Where(layer="2"), (0, -1, 0, 255)), "The colour is -1."),
        (Scale(Where(layer="3"), float("nan")), "The factor is nan. 0.01 to 100 was expected."),
        (Rotate(Where(layer="3"), 1e6), "The turn is 1,000,000. -36,000 to 36,000 was"),
        (Move(Where(layer="3"), by=(1e9, 0)), "The move is 1,000,000,000 px. -100,000 to 100,0"),
        (ReplaceText(Where(text="Friday"), "x" * 20_001), "The text has 20,001 letters."),
        (Delete(Where(text="x" * 2_001)), "The text has 2,001 letters. At most 2,000 are taken."),
        (ReplaceText(Where(text="Friday"), "a\x1b[31m"), "The text has U+001B in it, which is no"),
        (Insert(values=("a", "\ufffe")), "The cell has U+FFFE in it"),
        (ReplacePicture(Where(layer="badge"), "a\0b"), "The picture has U+0000 in it"),
        (ReplacePicture(Where(layer="badge")), "The picture to show is not named."),
    ],
)
def test_what_no_page_has_is_a_mistake(op: Op, says: str) -> None:
    with pytest.raises(UserMistake, match=r".") as error:
        op(poster())
    assert says in str(error.value)


def test_letters_do_not_grow_beyond_what_is_drawn() -> None:
    large = Scale(Where(layer="3"), 10)(poster())
    with pytest.raises(Refused, match="The letters of 'title' would be 6,400 px large. At most"):
        Scale(Where(layer="3"), 20)(large)


def test_a_sliver_does_not_become_a_giant_to_fill_a_box(tmp_path: Path) -> None:
    path = tmp_path / "sliver.png"
    path.write_bytes(encode_png(np.zeros((50_000, 1, 3), np.uint8)))
    with pytest.raises(Refused, match="would be 320×16000000 pixels large"):
        ReplacePicture(Where(layer="ground"), str(path))(poster())


def test_a_thousand_ops_are_remembered() -> None:
    moves = [Move(Where(layer="band"), by=(1, 0))] * 1200
    after = poster()
    for move in moves:
        after = move(after)
    assert after.history == tuple(moves)
    assert after.layer("2").left == 1210


@pytest.mark.parametrize(
    ("before", "words", "after", "set_so"),
    [
        ("on", "this", "day", " this "),
        ("周五", "上午", "开门", "上午"),
        ("これは", "すし", "です", "すし"),
        ("on", "Friday", ", at", " Friday"),
    ],
)
def test_words_are_put_between_others_with_the_spaces_their_script_wants(
    before: str, words: str, after: str, set_so: str
) -> None:
    assert joined(before, words, after) == set_so
