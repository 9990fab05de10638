"""Placing: words in line with others, and too many of them set smaller or refused in time."""

import time

import numpy as np
import pytest

from overpaint.document import Document, Layer, placing
from overpaint.document.boxes import Box
from overpaint.document.layers import Align, Picture, Run, Style, Text
from overpaint.document.ops import Insert, Move, ReplaceText
from overpaint.document.render import bounds
from overpaint.document.where import Where
from overpaint.errors import Refused


def _lettered(words: str, size: float = 20.0, width: float | None = None) -> Document:
    layer = Layer(Text((Run(words, Style(size=size)),), width), "A", "a", 10, 40)
    return Document(canvas=(300, 200), made=(layer,))


@pytest.mark.parametrize(
    ("count", "width"), [(5, None), (6, None), (7, None), (20, None), (30, 280.0), (50, 280.0)]
)
def test_text_is_shrunk_to_the_largest_size_that_fits(count: int, width: float | None) -> None:
    document = _lettered("Friday", width=width)
    whole = "word " * count + "end"
    fitting = []
    for percent in range(100, 69, -2):
        trial = _lettered(whole, 20 * percent / 100, width)
        box = bounds(trial.layers[0])
        assert box is not None
        if box[0] >= 0 and box[1] >= 0 and box[2] <= 300 and box[3] <= 200:
            fitting.append(20 * percent / 100)
    if not fitting:
        with pytest.raises(Refused, match="does not fit on the canvas, even at 70% of its size"):
            ReplaceText(Where(text="Friday"), whole)(document)
        return
    (layer,) = ReplaceText(Where(text="Friday"), whole)(document)
    assert isinstance(layer.content, Text)
    assert layer.content.style.size == pytest.approx(fitting[0])


def test_far_too_many_words_are_refused_in_time() -> None:
    started = time.process_time()
    with pytest.raises(Refused, match="does not fit on the canvas, even at 70% of its size"):
        ReplaceText(Where(text="Friday"), "word " * 3000)(_lettered("Friday"))
    assert time.process_time() - started < 3


def test_text_is_not_shrunk_again_and_again_until_nobody_can_read_it() -> None:
    document, more = _lettered("Friday"), Insert(Where(text="Friday"), "more words", side="after")
    sizes, why = [20.0], ""
    while not why:
        try:
            document = more(document)
        except Refused as error:
            why = str(error)
        (layer,) = document
        assert isinstance(layer.content, Text)
        sizes.append(layer.content.style.size)
    assert placing.SMALLEST <= sizes[-1] < sizes[0]
    assert "words…” does not fit on the canvas. Fewer" in why


# ── above and below ─────────────────────────────────────────────────────────────────────

AT = {"left": 20.0, "centre": 150.0, "right": 280.0}


def _two(align: Align, *, left: float | None = None) -> Document:
    """A large line above a small one, both aligned alike, 300×200."""
    lines = (("Jazz on Roofs", 34.0, 60.0, AT[align] if left is None else left),
             ("Friday", 16.0, 110.0, AT[align]))  # fmt: skip
    layers = (
        Layer(Text((Run(words, Style(size=size, align=align)),)), words, words, at, top)
        for words, size, top, at in lines
    )
    return Document(canvas=(300, 200), made=tuple(layers))


def _box(document: Document, name: str) -> Box:
    box = bounds(document.layer(name))
    assert box
    return box


def _line(box: Box, align: str) -> float:
    return {"left": box[0], "centre": (box[0] + box[2]) / 2, "right": box[2]}[align]


@pytest.mark.parametrize("align", ["left", "centre", "right"])
@pytest.mark.parametrize("side", ["above", "below"])
def test_words_moved_above_or_below_others_stay_in_line_with_them(align: Align, side: str) -> None:
    moved = Move(Where(text="Jazz"), side=side, of=Where(text="Friday"))  # type: ignore[arg-type]
    whole = Move(Where(layer="Jazz on Roofs"), side=moved.side, of=moved.of)
    after = whole(_two(align))
    one, other = _box(after, "Jazz on Roofs"), _box(after, "Friday")
    assert one[1] >= other[3] if side == "below" else one[3] <= other[1]
    assert _line(one, align) == pytest.approx(_line(other, align), abs=3)
    assert one[0] >= 0
    assert one[2] <= 300


@pytest.mark.parametrize("align", ["left", "centre", "right"])
def test_new_words_below_others_are_aligned_as_they_are(align: Align) -> None:
    after = Insert(Where(text="Friday"), "Doors at eight", side="below")(_two(align))
    new = after.layer("new-1")
    assert isinstance(new.content, Text)
    assert new.content.style.align == align
    assert _line(_box(after, "new-1"), align) == pytest.approx(
        _line(_box(after, "Friday"), align), abs=2
    )


def test_pictures_of_words_are_centred_below_what_others_are_centred_on() -> None:
    sizes = {"a": (200, 20), "b": (100, 20), "c": (60, 10)}
    layers = tuple(
        Layer(Picture(np.full((high, wide, 4), 255, np.uint8)), name, name, (300 - wide) / 2, top)
        for top, (name, (wide, high)) in zip((10, 50, 100), sizes.items(), strict=True)
    )
    aside = Layer(Picture(np.full((12, 40, 4), 255, np.uint8)), "d", "d", 3, 180)
    document = Document(canvas=(300, 200), made=(*layers, aside))
    after = Move(Where(layer="d"), side="below", of=Where(layer="b"))(document)
    assert _box(after, "d")[0] == 130


def test_what_would_leave_the_canvas_is_shifted_inside() -> None:
    document = _two("left", left=30.0)
    start = Layer(Text((Run("Here", Style(size=12)),)), "here", "here", 250, 150)
    document = document.having(*document.layers, start)
    after = Move(Where(layer="Jazz on Roofs"), side="above", of=Where(layer="here"))(document)
    box = _box(after, "Jazz on Roofs")
    assert box[2] == 300
    assert box[3] <= _box(after, "here")[1]


@pytest.mark.parametrize(
    "op",
    [
        Move(Where(layer="Jazz on Roofs"), side="left", of=Where(text="Friday")),
        Insert(Where(text="Friday"), "word " * 30, side="below"),
    ],
)
def test_what_cannot_stay_on_the_canvas_is_refused(op: Move | Insert) -> None:
    with pytest.raises(Refused, match="would reach beyond the canvas .* “Friday”. It must stay"):
        op(_two("left"))


def test_a_new_text_that_is_far_too_long_is_refused_before_it_is_drawn() -> None:
    words = Layer(Text((Run("Friday", Style(size=20)),)), "when", "1", 20, 40)
    document = Document(made=(words,), canvas=(300, 100))
    for where in (Where(place="bottom"), Where(text="Friday")):
        with pytest.raises(Refused, match="does not fit on the canvas") as refused:
            Insert(where, "word " * 3_800, side="below")(document)
        assert len(str(refused.value)) < 200
