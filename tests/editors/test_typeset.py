"""The typeset editor: an op on a picture gives the picture of the same op done to its layers."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from overpaint.core import Request
from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Gradient, Run, Shape, Style, Text
from overpaint.document.ops import (
    Delete,
    Hide,
    Insert,
    Move,
    Op,
    ReplaceText,
    Restyle,
    Rotate,
    Scale,
    Swap,
)
from overpaint.document.text.fonts import here
from overpaint.document.where import Where
from overpaint.editors.typeset import Typeset, perform
from overpaint.editors.typeset.paragraphs import said, units
from overpaint.editors.typeset.printed import Printed
from overpaint.errors import Refused

INK = (30, 40, 60, 255)
RED = (200, 30, 40, 255)


def notice() -> Document:
    """A flat ground and four lines in fonts that come with the installation, 520×260."""
    ground = np.full((260, 520, 4), (250, 247, 240, 255), np.uint8)
    title = Style("Montserrat", 34, 700, colour=INK)
    body = Style("PT Serif", 20, colour=INK)
    small = Style("Noto Sans SC", 20, colour=(20, 90, 60, 255))
    return Document(
        made=(
            Layer(Picture(ground), "ground", "1"),
            Layer(Text((Run("Harbour Market", title),)), "title", "2", 40, 60),
            Layer(Text((Run("Every Friday from nine to noon", body),)), "when", "3", 40, 110),
            Layer(Text((Run("Bread, cheese and honey", body),)), "what", "4", 40, 145),
            Layer(Text((Run("周五上午九点开门", small),)), "chinese", "5", 40, 200),
        ),
        canvas=(520, 260),
    )


FLAT = Document.of(notice().rgb)


def error(one: Document, other: Document) -> float:
    return float(((one.rgb.astype(float) - other.rgb) ** 2).mean())


@pytest.mark.slow
def test_rows_that_only_neighbours_have_ink_in_do_not_change() -> None:
    style = Style("Noto Sans SC", 40, colour=INK)
    rough = np.random.default_rng(3).normal(240, 3, (120, 420, 1)).clip(0, 255).astype(np.uint8)
    ground = np.dstack([rough] * 3 + [np.full_like(rough, 255)])
    layers = (Layer(Picture(ground)), Layer(Text((Run("第19届年会", style),)), "", "2", 40, 80))
    source = Document.of(Document(made=layers, canvas=(420, 120)).rgb)
    done = perform(source, (ReplaceText(Where(text="19"), "61"),))
    rows, columns = np.nonzero((done.rgb != source.rgb).any(axis=2))
    # The digits stand in rows 50 to 80, and the letters beside them are higher and lower.
    assert (rows.min(), rows.max()) == (49, 81)
    assert (columns.min(), columns.max()) == (81, 123)


@pytest.mark.slow
@pytest.mark.parametrize(
    "op",
    [
        ReplaceText(Where(text="Friday"), "Monday"),
        ReplaceText(Where(text="noon"), "midnight"),
        ReplaceText(Where(text="cheese"), "jam"),
        ReplaceText(Where(text="Harbour Market"), "Autumn Fair"),
        ReplaceText(Where(text="周五"), "周一"),
        ReplaceText(Where(text="九点"), "十点半"),
        Restyle(Where(text="Harbour Market"), colour=RED),
        Move(Where(text="Harbour Market"), by=(30, -8)),
        Insert(Where(text="Friday"), "and Sunday", side="after"),
        Insert(Where(text="honey"), "and plums", side="after"),
    ],
    ids=lambda op: f"{type(op).__name__} {op.where.text}",
)
def test_words_on_paper_are_set_as_if_they_had_been_set_so(op: Op) -> None:
    done, right = perform(FLAT, (op,)), op(notice())
    assert error(done, right) < 0.2
    assert error(FLAT, right) > 5


def test_a_deleted_line_leaves_clean_paper() -> None:
    done = perform(FLAT, (Delete(Where(text="Every Friday from nine to noon")),))
    changed = (done.rgb != FLAT.rgb).any(axis=2)
    assert (done.rgb[changed] == (250, 247, 240)).all()
    assert changed.sum() > 100


@pytest.mark.parametrize(
    "op",
    [
        ReplaceText(Where(text="Friday"), "Monday"),
        Delete(Where(text="cheese")),
        Restyle(Where(text="honey"), weight=700),
        Move(Where(text="九点"), by=(0, 30)),
        Rotate(Where(text="Harbour Market"), 4),
        Scale(Where(text="honey"), 1.2),
    ],
    ids=lambda op: type(op).__name__,
)
def test_pixels_away_from_the_words_are_the_same_to_the_last_bit(op: Op) -> None:
    done = perform(FLAT, (op,))
    rows = np.flatnonzero((done.rgb != FLAT.rgb).any(axis=(1, 2)))
    top, bottom = {"Friday": (90, 118), "cheese": (126, 153), "honey": (122, 155),
                   "九点": (178, 245), "Harbour Market": (10, 90)}[op.where.text]  # fmt: skip
    assert len(rows)
    assert top <= rows[0]
    assert rows[-1] < bottom


@pytest.mark.slow
def test_a_longer_word_moves_the_rest_of_its_line_and_a_shorter_one_closes_up() -> None:
    for new in ("Wednesday", "day"):
        op = ReplaceText(Where(text="Friday"), new)
        assert error(perform(FLAT, (op,)), op(notice())) < 0.2


@pytest.mark.slow
def test_bold_and_larger_words_are_set_in_their_own_family() -> None:
    bold = perform(FLAT, (Restyle(Where(text="honey"), weight=700),))
    right = Restyle(Where(text="honey"), weight=700)(notice())
    assert error(bold, right) < 3
    twice = perform(FLAT, (Scale(Where(text="Harbour Market"), 1.25),))
    assert error(twice, Restyle(Where(text="Harbour Market"), size=42.5)(notice())) < 20


def test_two_words_change_places() -> None:
    done = perform(FLAT, (Swap(Where(text="Bread"), Where(text="honey")),))
    line = ReplaceText(Where(layer="4"), "honey, cheese and Bread")(notice())
    assert error(done, line) < 0.2


@pytest.mark.slow
def test_words_over_two_lines_may_become_one_word() -> None:
    body = Style("PT Serif", 20, colour=INK)
    ground = Layer(Picture(np.full((160, 460, 4), 255, np.uint8)))
    lines = ("The market opens at nine in the", "morning and closes at noon.")
    laid = [Layer(Text((Run(w, body),)), "", w, 40, 60 + 30 * n) for n, w in enumerate(lines)]
    page = Document.of(Document(made=(ground, *laid), canvas=(460, 160)).rgb)
    said = "opens at nine in the morning and closes at noon."
    done = perform(page, (ReplaceText(Where(text=said), "rests."),))
    kept = Layer(Text((Run("The market rests.", body),)), "", "", 40, 60)
    right = Document(made=(ground, kept), canvas=(460, 160))
    assert error(done, right) < 1


@pytest.mark.slow
def test_a_new_line_stands_below_in_the_same_font() -> None:
    op = Insert(Where(text="Bread, cheese and honey"), "Plums too", side="below", what="line")
    done = perform(FLAT, (op,))
    style = Style("PT Serif", 20, colour=INK)
    extra = Layer(Text((Run("Plums too", style),)), "new", "9", 40, 180)
    assert error(done, notice().having(*notice().layers, extra)) < 2


@pytest.mark.slow
def test_several_ops_are_done_one_after_the_other_and_remembered() -> None:
    request = Request(FLAT, "Replace 'Friday' with 'Monday' and delete 'honey'")
    done = Typeset()(request)
    assert [type(op).__name__ for op in done.history] == ["ReplaceText", "Delete"]
    assert done.undone().undone() is FLAT
    assert any("PT Serif" in note for note in done.notes)


@pytest.mark.slow
def test_words_in_a_picture_layer_of_a_layered_document_are_changed_in_that_layer() -> None:
    badge = Layer(Shape("ellipse", 60, 60, (240, 180, 20, 255)), "badge", "8", 430, 180)
    document = Document(made=(replace(FLAT.layers[0], id="1"), badge), canvas=(520, 260))
    done = perform(document, (ReplaceText(Where(text="Friday"), "Monday"),))
    assert done.layers[1] is badge
    assert np.array_equal(
        done.layers[0].pixels[:, :, :3],
        perform(FLAT, (ReplaceText(Where(text="Friday"), "Monday"),)).rgb,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("op", "says"),
    [
        (ReplaceText(Where(text="Saturday"), "Monday"), "Saturday"),
        (
            ReplaceText(
                Where(text="Friday"), "the first and the third Friday of every other month"
            ),
            "fit",
        ),
        (Delete(Where(layer="logo")), "no layer 'logo'"),
        (Hide(Where(text="Friday")), "has no layers to hide"),
        (Move(Where(text="Friday"), side="above", of=Where(text="cheese")), "in the way"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_comes_out(op: Op, says: str) -> None:
    with pytest.raises(Refused) as refused:
        perform(FLAT, (op,))
    assert says in str(refused.value)


@pytest.mark.slow
def test_a_target_that_stands_twice_is_asked_about_with_both_places() -> None:
    twice = Document.of(ReplaceText(Where(layer="4"), "Friday bread and honey")(notice()).rgb)
    with pytest.raises(Refused) as refused:
        perform(twice, (ReplaceText(Where(text="Friday"), "Monday"),))
    assert "Every Friday" in str(refused.value)
    assert "Friday bread" in str(refused.value)
    second = perform(twice, (ReplaceText(Where(text="Friday", nth=2), "Monday"),))
    rows = np.flatnonzero((second.rgb != twice.rgb).any(axis=(1, 2)))
    assert rows[0] > 120


@pytest.mark.slow
def test_words_on_a_gradient_are_seen_to_their_last_letter() -> None:
    ramp = np.full((120, 400, 4), 255, np.uint8)
    ramp[:, :, 0] = np.linspace(180, 255, 400).astype(np.uint8)
    said = Text((Run("Friday at noon", Style("PT Sans", 18)),))
    before = Document(
        made=(Layer(Picture(ramp), "ground", "1"), Layer(said, "when", "2", 20, 60)),
        canvas=(400, 120),
    )
    op = ReplaceText(Where(text="Friday"), "Monday")
    assert error(perform(Document.of(before.rgb), (op,)), op(before)) < 0.2


def test_words_in_a_font_that_nothing_is_like_are_refused() -> None:
    told = Printed("Every Friday", here().faces[0], Style(), (0.0, 0.0), False, 0.4, None, None)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="cannot be made out"):
        told.text("Monday", 0.0, "new")


@pytest.mark.slow
def test_words_on_a_turned_plane_are_set_along_it() -> None:
    import cv2

    turn = cv2.getRotationMatrix2D((260, 130), 9, 1.0)
    turn[:, 2] += (60, 90)

    def turned(document: Document) -> Document:
        large = cv2.resize(document.rgb, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
        seen = turn @ np.diag([1 / 3, 1 / 3, 1.0])
        paper = (250, 247, 240)
        made = cv2.warpAffine(large, seen * 2, (1300, 900), borderValue=paper)
        return Document.of(np.asarray(made, np.uint8))

    op = ReplaceText(Where(text="Harbour Market"), "Autumn Fair")
    before, right = turned(notice()), turned(op(notice()))
    done = perform(before, (op,))
    assert error(done, right) < 0.25 * error(before, right)


def test_lines_end_where_they_may() -> None:
    assert [u.letters for u in units("看（一）“二”吧，well done")] == [
        "看", "（一）", "“二”", "吧，", "well", "done",
    ]  # fmt: skip
    assert said(units("看 well  done")) == "看 well done"


def test_words_with_a_gradient_take_on_one_colour_when_they_are_made_red_and_italic() -> None:
    shaded = Style(gradient=Gradient(((0.0, INK), (1.0, RED)), 0.0))
    style = Restyle(Where(text="x"), colour=RED, italic=True).styled(shaded)
    assert (style.colour, style.gradient, style.italic) == (RED, None, True)


def test_words_in_a_font_that_nothing_is_like_may_be_set_in_another() -> None:
    here_, other = (here().find(Style(name), "x").face for name in ("PT Serif", "Roboto"))
    anything: Any = None
    line = Printed("x", here_, Style("PT Serif"), (0, 0), False, 0.4, anything, anything)
    with pytest.raises(Refused, match="only 40% like it"):
        line.text("y", 0.0, "")
    assert line.styled(Style("Roboto"), other).text("y", 0.0, "")
    with pytest.raises(Refused, match="like it"):
        line.styled(Style("PT Serif", 30), here_).text("y", 0.0, "")
