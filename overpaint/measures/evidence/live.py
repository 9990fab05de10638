"""Live words: what text layers say, in place of what was read where both nearly agree.

A layer knows its letters, a reader sees whether they show: so a line is read first, and then
spelt as the layer has it. Words of a layer that are hidden, or read as others, change nothing.
"""

from typing import Final

from overpaint.document import Document
from overpaint.document.layers import Text
from overpaint.document.render import bounds
from overpaint.measures.evidence.words import folded, letters, nearest
from overpaint.vision.page import Box, Line

AGREE: Final = 0.25  # the share of a line's letters that a reader may have wrong


def with_layers(document: Document, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines, spelt as the document's text layers have them."""
    live = [
        (tuple(float(edge) for edge in box), layer.content.words)
        for layer in (document if not document.flat else ())
        if layer.visible and isinstance(layer.content, Text) and (box := bounds(layer))
    ]
    return tuple(_spelt(line, live) for line in lines) if live else lines


def _spelt(line: Line, live: list[tuple[tuple[float, ...], str]]) -> Line:
    wanted = folded(line.text, cased=False)
    for box, words in live:
        if not wanted or not _over(line.box, box):
            continue
        said = letters(words)
        own = folded(words, cased=False)
        off, part = nearest(wanted, own)
        at = own.find(part) if part else -1
        if off <= AGREE * len(wanted) and at >= 0 and len(own) == len(said):
            text = words[said[at][1] : said[at + len(part) - 1][1] + 1]
            return Line(line.box, " ".join(text.split()), 1.0)
    return line


def _over(line: Box, layer: tuple[float, ...]) -> bool:
    """Whether the middle of a line lies in the box of a layer."""
    x, y = (line[0] + line[2]) / 2, (line[1] + line[3]) / 2
    return layer[0] <= x <= layer[2] and layer[1] <= y <= layer[3]
