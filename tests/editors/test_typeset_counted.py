"""What one sentence counts is counted on the page as it was, in layers and in a flat picture."""

import numpy as np
import pytest

from overpaint.core import Request
from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Run, Style, Text
from overpaint.editors.typeset import Typeset

pytestmark = pytest.mark.slow  # each test reads and matches a page

LINES = ("Harbour Market", "Every Friday at nine", "Bread and honey", "Bring a friend")


def notice(*kept: int) -> Document:
    """A ground with those of the four lines."""
    style = Style("PT Serif", 24, colour=(30, 40, 60, 255))
    ground = Layer(Picture(np.full((220, 420, 4), 250, np.uint8)), "ground", "0")
    texts = [
        Layer(Text((Run(LINES[n - 1], style),)), f"line {n}", str(n), 40, 50 * n) for n in kept
    ]
    return Document(made=(ground, *texts), canvas=(420, 220))


COUNTED = [
    ("delete the second line and the third line", (1, 4)),
    ("delete the last two lines", (1, 2)),
    ("删除第二行和第三行", (1, 4)),
    ("delete the first and last line", (2, 3)),
    ("delete 'Harbour Market' and the third line", (2, 4)),
]


@pytest.mark.parametrize(("said", "kept"), COUNTED)
def test_two_ordinals_are_counted_on_the_document_as_it_was(
    said: str, kept: tuple[int, ...]
) -> None:
    done = Typeset()(Request(notice(1, 2, 3, 4), said))
    assert [layer.id for layer in done] == ["0", *map(str, kept)]


@pytest.mark.parametrize(("said", "kept"), COUNTED[:2])
def test_two_ordinals_are_counted_on_the_picture_as_it_was(
    said: str, kept: tuple[int, ...]
) -> None:
    done = Typeset()(Request(Document.of(notice(1, 2, 3, 4).rgb), said))
    assert np.abs(done.rgb.astype(int) - notice(*kept).rgb).max() <= 8
