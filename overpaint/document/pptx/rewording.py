"""Rewording PPTX: a frame's runs say the new words, each in the style of what it replaces."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from pptx.oxml.xmlchemy import OxmlElement

from overpaint.document.differing import line_steps
from overpaint.document.layers import Style, Text
from overpaint.document.pptx.fresh import aligned, copied, restyle
from overpaint.document.pptx.texts import Frame, Said
from overpaint.document.pptx.theme import A, local


@dataclass(frozen=True)
class Cell:
    """A letter of the new text, its style, and the run that it goes on in."""

    letter: str
    style: Style
    run: Said
    opens: int = -1  # a break that was there: the paragraph after it


def reword(frame: Frame, text: Text, scale: float) -> None:
    """Let a frame say a text; paragraphs whose words and looks stay are left alone."""
    body = frame.paragraphs[0].getparent()
    rows: list[tuple[Any, list[Cell]]] = [(frame.paragraphs[0], [])]
    for cell in _cells(frame, text):
        if cell.letter != "\n":
            rows[-1][1].append(cell)
        elif cell.opens >= 0:
            rows.append((frame.paragraphs[cell.opens], []))
        else:
            made = _broken(rows[-1][0])
            rows.append((made, []))
    rows = _as_what_follows(_in_their_own(rows), frame)
    for paragraph in frame.paragraphs:
        if not any(paragraph is own for own, _ in rows):
            body.remove(paragraph)
    for paragraph, cells in rows:
        _say(paragraph, cells, frame, scale)


def _in_their_own(rows: Sequence[tuple[Any, list[Cell]]]) -> list[tuple[Any, list[Cell]]]:
    """Rows in the paragraph that their letters come from, unless another has it.

    Where a paragraph went, the break before it may stay and that after it go.
    """
    taken = {id(paragraph) for paragraph, _ in rows}
    made = []
    for paragraph, cells in rows:
        owners = {id(cell.run.paragraph): cell.run.paragraph for cell in cells}
        if len(owners) == 1 and not owners.keys() & taken:
            (paragraph,) = owners.values()
            taken.add(id(paragraph))
        made.append((paragraph, cells))
    return made


def _as_what_follows(
    rows: Sequence[tuple[Any, list[Cell]]], frame: Frame
) -> list[tuple[Any, list[Cell]]]:
    """New rows that look as the one after them, and not as the one before, take after that."""
    made = list(rows)
    for n, (paragraph, cells) in enumerate(rows[:-1]):
        if not n or not cells or any(paragraph is own for own in frame.paragraphs):
            continue
        ahead, behind = (
            {one.style: one for one in frame.said if one.paragraph is other}
            for other in (rows[n - 1][0], rows[n + 1][0])
        )
        style = cells[0].style
        if style in behind and style not in ahead:
            _set_as(paragraph, rows[n + 1][0])
            made[n] = paragraph, [replace(cell, run=behind[style]) for cell in cells]
    return made


def _set_as(paragraph: Any, other: Any) -> None:
    for own in paragraph.findall(f"{A}pPr"):
        paragraph.remove(own)
    if (properties := other.find(f"{A}pPr")) is not None:
        paragraph.insert(0, deepcopy(properties))


def _broken(paragraph: Any) -> Any:
    """A new paragraph after another, with its properties."""
    made = OxmlElement("a:p")
    _set_as(made, paragraph)
    paragraph.addnext(made)
    return made


def _cells(frame: Frame, text: Text) -> list[Cell]:
    letters: list[tuple[str, Said | None, int]] = []
    for number, paragraph in enumerate(frame.paragraphs):
        if number:
            letters.append(("\n", None, number))
        for one in frame.said:
            if one.paragraph is paragraph:
                letters += [(letter, one, -1) for letter in one.words]
    old = "".join(letter for letter, _, _ in letters)
    new = text.words
    styles = [run.style for run in text.runs for _ in run.words]
    cells = []
    for op, a, b, c, d in line_steps(old, new):
        for i in range(c, d):
            if op == "equal":
                _, run, opens = letters[a + i - c]
                cells.append(Cell(new[i], styles[i], run or _near(letters, a + i - c), opens))
            else:
                cells.append(Cell(new[i], styles[i], _near(letters, a, b)))
    return cells


def _near(letters: Sequence[tuple[str, Said | None, int]], at: int, end: int = 0) -> Said:
    """The run that a new letter goes on in: what it replaces, what is before, what is after."""
    places = [*range(at, end), *range(min(at, len(letters)) - 1, -1, -1), *range(at, len(letters))]
    near: list[Said] = [run for place in places if (run := letters[place][1]) is not None]
    return near[0]


def _say(paragraph: Any, cells: Sequence[Cell], frame: Frame, scale: float) -> None:
    """Let one paragraph say its cells."""
    before = [(letter, one.style) for one in frame.said if one.paragraph is paragraph
              for letter in one.words]  # fmt: skip
    if before == [(cell.letter, cell.style) for cell in cells]:
        return
    was = [child for child in paragraph if local(child) in ("r", "fld", "br")]
    made = []
    for (run, style, broken), part in groupby(
        cells, key=lambda cell: (cell.run, cell.style, cell.letter == "\v")
    ):
        words = "".join(cell.letter for cell in part)
        if broken:
            made += [_line_break(run) for _ in words]
            continue
        same = words == run.words and local(run.element) != "br"
        element = deepcopy(run.element) if same else copied(run.element, words)
        if style != run.style:
            restyle(element, run.style, style, scale)
        made.append(element)
    end = paragraph.find(f"{A}endParaRPr")
    for child in was:
        paragraph.remove(child)
    for element in made:
        if end is not None:
            end.addprevious(element)
        else:
            paragraph.append(element)
    if cells and cells[0].style.align != cells[0].run.style.align:
        aligned(paragraph, cells[0].style)


def _line_break(run: Said) -> Any:
    made = OxmlElement("a:br")
    if (properties := run.element.find(f"{A}rPr")) is not None:
        made.append(deepcopy(properties))
    return made
