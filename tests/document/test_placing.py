"""Placing: words that are too many are set smaller, or refused in time."""

import time

import pytest

from overpaint.document import Document, Layer, placing
from overpaint.document.layers import Run, Style, Text
from overpaint.document.ops import Insert, ReplaceText
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
