"""What a layered result looks like, measured from its pixels and words: no help from the agent."""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Document, Layer
from overpaint.document.layers import Text
from overpaint.document.render import render, sheet_of
from overpaint.vision.layers import seen

Ink = NDArray[np.bool_]
READ = 3.0  # contrast of large text, WCAG
CORE = 230  # of 255: alpha inside a stroke
FAINT = 0.2  # of a text's ink may stand on less: where it crosses an edge
TOUCH = 4  # pixels that two inks may share: soft edges
NEAR = 40  # levels: a colour that was asked for


def bare(words: str) -> str:
    """Words as they are compared: one width, one case, no spaces, no stops between."""
    folded = unicodedata.normalize("NFKC", words).casefold()
    return "".join(letter for letter in folded if letter.isalnum() or letter in "%£$.")


def leaves(document: Document) -> Iterator[Layer]:
    """Every layer that is no group, bottom first."""
    return (layer for layer in document if layer.kind != "group")


def found(document: Document, name: str) -> Layer | None:
    """The layer of that id, shown or not; None where it is gone."""
    return next((layer for layer in leaves(document) if layer.id == name), None)


def shows(document: Document, name: str) -> bool:
    """Whether anything of the layer is on the canvas."""
    return bool(ink(document, name).any())


def ink(document: Document, name: str) -> Ink:
    """Where a layer is more there than not, on the canvas."""
    layer = found(document, name)
    if layer is None or not layer.visible:
        return np.zeros(document.size[::-1], bool)
    return np.asarray(render((layer,), document.size)[:, :, 3] >= 128)


def words(document: Document, name: str) -> str:
    """What a layer says: its live words, or what is read in its picture."""
    layer = found(document, name)
    if layer is None or not layer.visible:
        return ""
    if isinstance(layer.content, Text):
        return layer.content.words
    alone = Document(made=(layer,), canvas=document.size)
    return _read(alone.key, _Held(alone))


class _Held:
    """A document beside its key, which alone tells two of them apart."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=4096)
def _read(key: str, held: _Held) -> str:
    return " ".join(one.words for one in seen(held.document))


def says(document: Document, name: str, wanted: str) -> bool:
    """Whether a layer says these words, among others, however it breaks them into lines."""
    return bare(wanted) in bare(words(document, name))


def apart(document: Document, one: str, other: str) -> bool:
    """Whether the inks of two layers stand clear of one another."""
    return int(np.count_nonzero(ink(document, one) & ink(document, other))) <= TOUCH


def boxes_apart(document: Document, one: str, other: str) -> bool:
    """Whether the boxes around two inks do not meet, beyond a soft edge."""
    boxes = [around(ink(document, name)) for name in (one, other)]
    if None in boxes:
        return True
    (a, b, c, d), (e, f, g, h) = (box for box in boxes if box)
    return min(c, g) - max(a, e) <= 1 or min(d, h) - max(b, f) <= 1


def around(mask: Ink) -> tuple[int, int, int, int] | None:
    """The box of what is set; None where nothing is."""
    down, across = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(down):
        return None
    return int(across[0]), int(down[0]), int(across[-1]) + 1, int(down[-1]) + 1


def inside(document: Document, name: str) -> bool:
    """Whether nothing of a layer's ink is cut off by the edge of the canvas."""
    layer = found(document, name)
    sheet = sheet_of(layer) if layer is not None else None
    if sheet is None:
        return False
    box = around(np.asarray(sheet.pixels[:, :, 3] >= 128))
    if box is None:
        return False
    left, top = sheet.left + box[0], sheet.top + box[1]
    right, bottom = sheet.left + box[2], sheet.top + box[3]
    return left >= 0 and top >= 0 and right <= document.size[0] and bottom <= document.size[1]


def contrast(document: Document, name: str) -> float:
    """The contrast that all but a fifth of a layer's letters have with what is right below them.

    Their soft edges are part ground, so only what is most covered counts.
    """
    order = [layer.id for layer in document.layers]
    if name not in order:
        return 1.0
    at = order.index(name)
    alpha = render((document.layers[at],), document.size)[:, :, 3]
    where = alpha >= max(1, min(CORE, int(alpha.max())))
    if not alpha.any():
        return 1.0
    below = render(document.layers[:at], document.size, over=(255, 255, 255, 255))
    letters = render(document.layers[: at + 1], document.size, over=(255, 255, 255, 255))
    one, other = (_luminance(part[where][:, :3]) for part in (letters, below))
    high, low = np.maximum(one, other), np.minimum(one, other)
    return float(np.quantile((high + 0.05) / (low + 0.05), FAINT))


def _luminance(colours: NDArray[np.uint8]) -> NDArray[np.float64]:
    part = colours.astype(np.float64) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def turned(document: Document, name: str, colour: str) -> bool:
    """Whether most of a layer has, nearly, that colour."""
    layer = found(document, name)
    if layer is None:
        return False
    pixels = render((layer,), document.size)
    inner = pixels[pixels[:, :, 3] >= 128][:, :3].astype(np.int16)
    want = np.array([int(colour[n : n + 2], 16) for n in (1, 3, 5)])
    return bool(len(inner)) and bool((np.abs(np.median(inner, axis=0) - want) <= NEAR).all())
