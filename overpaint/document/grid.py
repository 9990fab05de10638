"""Grids: the tables of layered documents, cells of which are rectangles with words on them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from overpaint.document.layers import Group, Layer, Point, Shape, Text, plain
from overpaint.document.model import Document
from overpaint.document.render import bounds

_SAME = 1.5  # pixels: edges that are no farther apart are one


@dataclass(frozen=True)
class Cell:
    """A cell: the rows and columns that it spans, counted from 0, and its words, if any."""

    rows: range
    columns: range
    text: Layer | None

    @property
    def words(self) -> str:
        """What it says, in small letters and single spaces."""
        text = self.text.content if self.text else None
        return plain(text.words) if isinstance(text, Text) else ""


@dataclass(frozen=True)
class Grid:
    """A table: the group that holds it, and its cells."""

    layer: Layer
    cells: tuple[Cell, ...]

    def chosen(self, row: str, column: str) -> list[Cell]:
        """The cells of a row, a column or both, each told by a number or by words in it."""
        rows = set(self._lane(row, down=True)) if row else None
        columns = set(self._lane(column, down=False)) if column else None
        return [
            cell
            for cell in self.cells
            if (rows is None or rows & set(cell.rows))
            and (columns is None or columns & set(cell.columns))
        ]

    def _lane(self, told: str, *, down: bool) -> Sequence[int]:
        """A row or column by its head, by its number, or by any words in it."""
        said, number = plain(told), lane_number(told.strip())
        if named := self._named(said, down=down, heads=True):
            return named
        count = max((cell.rows if down else cell.columns).stop for cell in self.cells)
        at = number - 1 if number > 0 else count + number
        if number and 0 <= at < count:
            return (at,)
        return self._named(said, down=down, heads=False)

    def _named(self, said: str, *, down: bool, heads: bool) -> Sequence[int]:
        for cell in self.cells:
            lane, across = (cell.rows, cell.columns) if down else (cell.columns, cell.rows)
            if cell.words == said and (not heads or across.start == 0):
                return lane
        return ()


def lane_number(told: str) -> int:
    """The number that tells a row or a column: 1 the first, -1 the last; 0: words tell it."""
    return int(told) if re.fullmatch(r"-?\d{1,6}", told) else 0


def grids(document: Document) -> list[Grid]:
    """The tables: groups with several rectangles side by side or one below the other."""
    found = []
    for layer in document:
        if isinstance(layer.content, Group) and layer.visible:
            cells = _cells(layer.content)
            if len(cells) > 1:
                found.append(Grid(layer, cells))
    return found


def on_ground(document: Document, layer: Layer) -> bool:
    """Whether a text stands on a shape of its own group, where it belongs: in a cell, in a box."""
    for one in document if isinstance(layer.content, Text) else ():
        if isinstance(one.content, Group) and any(own is layer for own in one.content.layers):
            at = _middle(layer)
            return any(_holds(box, at) for box in _boxes(one.content))
    return False


def _cells(group: Group) -> tuple[Cell, ...]:
    boxes = _boxes(group)
    if len(boxes) < 2:
        return ()
    lefts, tops = _edges([box[0] for box in boxes]), _edges([box[1] for box in boxes])
    texts = [(_middle(one), one) for one in group.layers if isinstance(one.content, Text)]
    if not texts:
        return ()
    return tuple(
        Cell(
            _span(tops, box[1], box[3]),
            _span(lefts, box[0], box[2]),
            next((text for at, text in texts if _holds(box, at)), None),
        )
        for box in boxes
    )


_Box = tuple[float, float, float, float]


def _boxes(group: Group) -> list[_Box]:
    return [
        (one.left, one.top, one.left + one.content.width, one.top + one.content.height)
        for one in group.layers
        if isinstance(one.content, Shape) and one.content.kind == "rectangle" and not one.angle
    ]


def _edges(values: list[float]) -> list[float]:
    """Places in order, those that are next to each other as one."""
    rising = sorted(values)
    return rising[:1] + [b for a, b in pairwise(rising) if b - a > _SAME]


def _span(edges: list[float], start: float, end: float) -> range:
    inside = [n for n, edge in enumerate(edges) if start - _SAME <= edge < end - _SAME]
    return range(inside[0], inside[-1] + 1) if inside else range(0)


def _middle(text: Layer) -> Point:
    left, top, right, bottom = bounds(text) or (text.left, text.top, text.left, text.top)
    return (left + right) / 2, (top + bottom) / 2


def _holds(box: _Box, at: Point) -> bool:
    return box[0] <= at[0] < box[2] and box[1] <= at[1] < box[3]
