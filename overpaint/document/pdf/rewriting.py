"""Rewriting a line of a PDF: which of its objects say what now, and where they stand.

Letters that stay keep their codes and the very gaps between them; new ones are set as wide as
the font has them; what follows on the line moves by the difference.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from overpaint.document.differing import steps
from overpaint.document.layers import Colour, Style, Text
from overpaint.document.pdf.content import Change, Item, Piece
from overpaint.document.pdf.encoding import INSTEAD, Coded, Encoder
from overpaint.document.pdf.lines import Letter, Line, along
from overpaint.document.pdf.page import Matrix
from overpaint.errors import Refused

GAP = 0.25  # of a space that the font has not, in sizes


@dataclass(frozen=True)
class Cell:
    """A letter of the new line: one that stays, by its number in the old, or a new one."""

    words: str
    style: Style
    leaf: int  # -1: a space between two objects
    old: int = -1


def cells_of(line: Line, text: Text) -> list[Cell]:
    """The letters that a line is to show."""
    styles = [run.style for run in text.runs for _ in run.words]
    new, old = text.words, line.words
    if "\n" in new:
        raise Refused("A line of a PDF cannot be broken in two.", "", INSTEAD)
    cells: list[Cell] = []
    for tag, a, b, c, d in steps(old, new):
        if tag == "equal":
            cells += [
                Cell(old[a + i], styles[c + i], line.letters[a + i].leaf, a + i)
                for i in range(b - a)
            ]
        elif c < d:
            owner = _owner(line.letters, a, b)
            cells += [Cell(new[i], styles[i], owner) for i in range(c, d)]
    return cells


def _owner(letters: Sequence[Letter], start: int, end: int) -> int:
    """The object that new letters go to: what they replace, or what they follow."""
    places = [*range(start, end), *range(start - 1, -1, -1), *range(end, len(letters))]
    owners: list[int] = [letters[i].leaf for i in places if letters[i].leaf >= 0]
    return owners[0]


def line_changes(
    line: Line, cells: Sequence[Cell], codes: Mapping[int, Coded], encoder: Encoder
) -> tuple[dict[int, tuple[Piece, ...]], dict[int, float]]:
    """What each object shows now, and by how many pixels it moves along the line."""
    pieces: dict[int, tuple[Piece, ...]] = {}
    shifts: dict[int, float] = {}
    shift = 0.0
    order = list(dict.fromkeys(letter.leaf for letter in line.letters if letter.leaf >= 0))
    for leaf in order:
        own = [cell for cell in cells if cell.leaf == leaf]
        setter = _Setter(line, codes[leaf], encoder)
        shifts[leaf] = shift
        pieces[leaf] = setter.pieces(_with_inner_spaces(cells, own, codes[leaf]))
        shift += setter.wide - setter.before()
    return pieces, _closed(line, cells, shifts)


def _with_inner_spaces(cells: Sequence[Cell], own: Sequence[Cell], coded: Coded) -> list[Cell]:
    """An object's cells and the spaces within it that are but gaps."""
    if not own:
        return []
    numbers = {number for group in coded.letters for number in group}
    first, last = cells.index(own[0]), len(cells) - 1 - cells[::-1].index(own[-1])
    kept = []
    for cell in cells[first : last + 1]:
        inner = cell.leaf < 0 and cell.old - 1 in numbers and cell.old + 1 in numbers
        if cell.leaf == own[0].leaf or inner:
            kept.append(cell)
    return kept


def _closed(line: Line, cells: Sequence[Cell], shifts: dict[int, float]) -> dict[int, float]:
    """The shifts, less the spaces between objects that are no more."""
    stays = {cell.old for cell in cells}
    for i, letter in enumerate(line.letters):
        if letter.leaf >= 0 or i in stays or not 0 < i < len(line.letters) - 1:
            continue
        before, after = line.letters[i - 1], line.letters[i + 1]
        if before.leaf != after.leaf:
            gap = along(after) - before.end
            later = {letter.leaf for letter in line.letters[i + 1 :]}
            shifts = {leaf: s - gap if leaf in later else s for leaf, s in shifts.items()}
    return shifts


class _Setter:
    """Sets the cells of one object, letter after letter."""

    def __init__(self, line: Line, coded: Coded, encoder: Encoder) -> None:
        self.line, self.coded, self.encoder = line, coded, encoder
        self.font = coded.show.state.font
        self.code_of = {group[0]: i for i, group in enumerate(coded.letters)}
        self.inner = {n for group in coded.letters for n in group[1:]}  # rest of a ligature
        self.wide = 0.0
        first = coded.letters[0][0]
        self.style = line.letters[first].style

    def before(self) -> float:
        """How wide the object was, in pixels."""
        first = self.line.letters[self.coded.letters[0][0]]
        last = self.line.letters[self.coded.letters[-1][-1]]
        return last.end - along(first)

    def pieces(self, cells: Sequence[Cell]) -> tuple[Piece, ...]:
        made: list[tuple[Style, list[Item]]] = []
        for style in dict.fromkeys(cell.style for cell in cells if cell.old < 0):
            new = "".join(cell.words for cell in cells if cell.old < 0 and cell.style == style)
            self.encoder.signs(self._font(style), new)  # at once: all that are missing are told
        for i, cell in enumerate(cells):
            after = cells[i + 1] if i + 1 < len(cells) else None
            if not made or made[-1][0] != cell.style:
                made.append((cell.style, []))
            made[-1][1].extend(self._items(cell, after, cells))
        return tuple(self._piece(style, items) for style, items in made if items)

    def _items(self, cell: Cell, after: Cell | None, cells: Sequence[Cell]) -> list[Item]:
        scale = cell.style.size / self.style.size
        if cell.old < 0 or self._torn(cell, cells) or self._refonted(cell.style):
            return self._new(cell)
        if cell.leaf < 0:
            return self._gap(cell)
        if cell.old in self.inner:
            return []
        at = self.code_of[cell.old]
        group = self.coded.letters[at]
        letter, last = self.line.letters[cell.old], self.line.letters[group[-1]]
        self.wide += (last.end - along(letter)) * scale
        items: list[Item] = [self.coded.codes[at]]
        follows = after is not None and after.old == group[-1] + 1 and after.leaf == cell.leaf
        if (len(group) > 1 or follows) and at + 1 < len(self.coded.codes):
            following = self.line.letters[self.coded.letters[at + 1][0]]
            if self.coded.letters[at + 1][0] == group[-1] + 1:
                self.wide += (along(following) - last.end) * scale
                items += [self.coded.kerns[at]] if self.coded.kerns[at] else []
        return items

    def _torn(self, cell: Cell, cells: Sequence[Cell]) -> bool:
        """Whether a letter stood in a ligature of which not all is left."""
        for group in self.coded.letters:
            if len(group) > 1 and cell.old in group:
                left = {one.old for one in cells}
                return not set(group) <= left
        return False

    def _gap(self, cell: Cell) -> list[Item]:
        """A space that is but a gap, as wide as it was."""
        before, after = self.line.letters[cell.old - 1], self.line.letters[cell.old + 1]
        self.wide += along(after) - before.end
        at = next(i for i, group in enumerate(self.coded.letters) if cell.old - 1 in group)
        return [self.coded.kerns[at]]

    def _new(self, cell: Cell) -> list[Item]:
        font = self._font(cell.style)
        signs = self.encoder.signs(font, cell.words)
        size = cell.style.size
        if cell.words not in signs:  # a space that the font has not
            self.wide += GAP * size
            return [-1000 * GAP]
        state = self.coded.show.state
        spacing = state.letter * size / state.size if state.size else 0.0
        self.wide += (signs[cell.words].wide * size + spacing) * self.style.stretch
        return [signs[cell.words].code]

    def _refonted(self, style: Style) -> bool:
        return (style.family, style.weight, style.italic) != (
            self.style.family, self.style.weight, self.style.italic,
        )  # fmt: skip

    def _font(self, style: Style) -> str:
        """The page's font for a style; its own where that has not changed."""
        if not self._refonted(style):
            return self.font
        wanted = (style.family, style.weight, style.italic)
        for font, look in self.encoder.looks.items():
            if look == wanted:
                return font
        slant = " italic" if style.italic else ""
        raise Refused(
            f"The page has no font {style.family} {style.weight}{slant}.",
            "Words in a PDF can be set only in fonts that stand on the same page.",
            INSTEAD,
        )

    def _piece(self, style: Style, items: Sequence[Item]) -> Piece:
        font = self._font(style)
        size = None
        if style.size != self.style.size:
            size = self.coded.show.state.size * style.size / self.style.size
        colour = _plain(style.colour) if style.colour != self.style.colour else None
        return Piece(tuple(items), colour, font if font != self.font else None, size)


def _plain(colour: Colour) -> tuple[int, int, int]:
    return colour[:3]


def untouched(coded: Coded, matrix: Matrix) -> Change:
    """The same letters where they are, once what is before them has changed."""
    return Change((Piece(tuple(coded.show.items)),), matrix)
