"""Cells of PPTX's tables: where they are, what they are filled with, what their words inherit."""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from overpaint.document.layers import Shape
from overpaint.document.pptx.deck import Box, Space
from overpaint.document.pptx.shapes import outline_of
from overpaint.document.pptx.texts import Inherited
from overpaint.document.pptx.theme import A, Theme

_HAIR = outline_of(None, Theme(), 1.0)
# A cell's margins, by what a frame calls them.
_MARGINS = {"lIns": "marL", "tIns": "marT", "rIns": "marR", "bIns": "marB", "anchor": "anchor"}


def placed_cells(shape: Any, space: Space) -> Iterator[tuple[str, Any, Box]]:
    """The cells of a table, each with a name and its box; one that spans others stands for them."""
    table = shape.table
    tops = list(accumulate((row.height for row in table.rows), initial=shape.top))
    lefts = list(accumulate((column.width for column in table.columns), initial=shape.left))
    for r in range(len(tops) - 1):
        for c in range(len(lefts) - 1):
            cell = table.cell(r, c)
            if cell.is_spanned:
                continue
            across, down = (cell.span_width, cell.span_height) if cell.is_merge_origin else (1, 1)
            right = lefts[min(len(lefts) - 1, c + across)]
            low = tops[min(len(tops) - 1, r + down)]
            box = space.box((lefts[c], tops[r], right - lefts[c], low - tops[r]), 0.0)
            yield f"r{r + 1}c{c + 1}", cell, box


def ground_of(cell: Any, box: Box, theme: Theme, scale: float) -> Shape:
    """A cell's ground and the line around it."""
    properties = cell._tc.find(f"{A}tcPr")
    fill = theme.fill(properties) if properties is not None else None
    line = properties.find(f"{A}lnB") if properties is not None else None
    stroke = outline_of(line, theme, scale) or _HAIR
    return Shape("rectangle", box.wide, box.high, fill or (0, 0, 0, 0), stroke)


def inherited(cell: Any, body: Any, theme: Theme, defaults: Any) -> Inherited:
    """What the words of a cell take from it and from the deck."""
    properties = cell._tc.find(f"{A}tcPr")
    said = {name: properties.get(mark) for name, mark in _MARGINS.items()
            if properties is not None and properties.get(mark)}  # fmt: skip
    return Inherited((body.find(f"{A}lstStyle"), defaults), (_Said(said),), theme)


class _Said(dict[str, str]):
    """Properties of a cell, asked for as those of a frame are."""

    def find(self, _: str) -> None:
        """A cell has no properties within its properties."""
