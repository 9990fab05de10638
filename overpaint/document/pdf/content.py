"""The content of a PDF's page: the operators that show text, and how single ones are changed.

pdfium can write pages too, but it writes them anew, without letter spacing and with every colour
as RGB. Here the operators of changed text alone are changed, and all others stay as they are.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import pikepdf

from overpaint.document.pdf.page import UNIT, Matrix, times

SHOWING = ("Tj", "TJ", "'", '"')
_MOVING = ("BT", "Td", "TD", "Tm", "T*", "'", '"')
_FILLING = ("g", "rg", "k", "cs", "sc", "scn")
Instruction = tuple[Sequence[Any], str]
Item = bytes | float  # a letter's code, or how far the pen goes back, in thousandths of the size


@dataclass(frozen=True)
class State:
    """What was set when an operator came."""

    ctm: Matrix = UNIT
    line: Matrix = UNIT
    font: str = ""
    size: float = 0.0
    leading: float = 0.0
    wide: float = 1.0  # horizontal scaling
    rise: float = 0.0
    letter: float = 0.0  # spacing
    fill: tuple[Instruction, ...] = ()


@dataclass(frozen=True)
class Show:
    """An operator that shows text."""

    at: int  # its number in the content
    operator: str
    operands: Sequence[Any] = field(repr=False)
    state: State = field(repr=False)
    placed: bool = True  # whether the pen was put in its place since text was last shown

    @property
    def items(self) -> list[Item]:
        """The strings and moves it shows, without moves before the first letter."""
        shown = self.operands[-1]
        several = isinstance(shown, list | pikepdf.Array)
        parts = list(shown) if several and self.operator == "TJ" else [shown]
        items: list[Item] = []
        for part in parts:
            if _is_number(part):
                items.append(_number(part))
            elif isinstance(part, bytes | pikepdf.String) and bytes(part):
                items.append(bytes(part))
        while items and not isinstance(items[0], bytes):
            items.pop(0)
        return items


@dataclass(frozen=True)
class Piece:
    """Items shown in one colour, font and size; None: as before."""

    items: tuple[Item, ...]
    colour: tuple[int, int, int] | None = None
    font: str | None = None
    size: float | None = None


@dataclass(frozen=True)
class Change:
    """What an operator shows now, and its letters' matrix on the page; no pieces: nothing."""

    pieces: tuple[Piece, ...]
    matrix: Matrix


def _is_number(part: Any) -> bool:
    return isinstance(part, int | float | Decimal) and not isinstance(part, bool)


def _number(part: Any) -> float:
    return float(part) if _is_number(part) else 0.0


# ── reading ─────────────────────────────────────────────────────────────────────────────


def shows(content: Sequence[Instruction]) -> list[Show]:
    """The operators that show any letter, in order: as many as pdfium has text objects."""
    return [show for show in _walk(content) if show.items]


def _walk(content: Sequence[Instruction]) -> Iterator[Show]:
    state, kept = State(), list[State]()
    placed = True
    for at, (operands, operator) in enumerate(content):
        if operator == "q" and len(kept) < 10_000:
            kept.append(state)
        elif operator == "Q" and kept:
            state = replace(kept.pop(), line=state.line)
        elif operator in SHOWING and operands:
            state = _stepped(state, operands, operator)
            yield Show(at, operator, operands, state, placed or operator in _MOVING)
            placed = False
        else:
            placed = placed or operator in _MOVING
            state = _after(state, operands, operator)


def _stepped(state: State, operands: Sequence[Any], operator: str) -> State:
    """The state once the operator has gone to the next line, where it does."""
    if operator == '"' and len(operands) == 3:
        state = replace(state, letter=_number(operands[1]))
    if operator in ("'", '"'):
        return _down(state, 0.0, -state.leading)
    return state


def _down(state: State, across: float, up: float) -> State:
    return replace(state, line=times((1.0, 0.0, 0.0, 1.0, across, up), state.line))


def _after(state: State, operands: Sequence[Any], operator: str) -> State:
    if operator in _FILLING:
        begins = operator not in ("sc", "scn")
        earlier = () if begins else tuple(i for i in state.fill if i[1] == "cs")
        return replace(state, fill=(*earlier, (operands, operator)))
    if operator == "BT":
        return replace(state, line=UNIT)
    if operator == "T*":
        return _down(state, 0.0, -state.leading)
    if operator == "Tf" and len(operands) == 2:
        return replace(state, font=str(operands[0]), size=_number(operands[1]))
    if not operands or not all(_is_number(part) for part in operands):
        return state
    numbers = [_number(part) for part in operands]
    return _numbered(state, numbers, operator)


def _numbered(state: State, numbers: list[float], operator: str) -> State:
    if operator in ("cm", "Tm") and len(numbers) == 6:
        a, b, c, d, e, f = numbers
        if operator == "Tm":
            return replace(state, line=(a, b, c, d, e, f))
        return replace(state, ctm=times((a, b, c, d, e, f), state.ctm))
    if operator in ("Td", "TD") and len(numbers) == 2:
        state = replace(state, leading=-numbers[1]) if operator == "TD" else state
        return _down(state, numbers[0], numbers[1])
    single = numbers[0]
    if operator == "TL":
        return replace(state, leading=single)
    if operator == "Ts":
        return replace(state, rise=single)
    if operator == "Tc":
        return replace(state, letter=single)
    return replace(state, wide=single / 100) if operator == "Tz" else state


# ── changing ────────────────────────────────────────────────────────────────────────────


def changed(
    content: Sequence[Instruction], changes: Mapping[int, Change]
) -> Iterator[int | Instruction]:
    """The content with some operators changed: the number of one that stays, or a new one.

    What follows a changed operator without a place of its own must be among the changes.
    """
    by_number = {show.at: show for show in shows(content)}
    for at in range(len(content)):
        change = changes.get(at)
        if change is None:
            yield at
        else:
            yield from _written(by_number[at], change)


def _written(show: Show, change: Change) -> Iterator[Instruction]:
    state = show.state
    if show.operator == '"' and len(show.operands) == 3:
        yield [show.operands[0]], "Tw"
        yield [show.operands[1]], "Tc"
    if change.pieces and (pen := _pen(state, change.matrix)):
        yield pen, "Tm"
    for piece in change.pieces:
        yield from _styled(piece, state)
    # Lines that follow count from where this one began.
    yield list(state.line), "Tm"


def _pen(state: State, matrix: Matrix) -> list[float] | None:
    """The text matrix that puts letters where the page's matrix says."""
    inverse = inverted(state.ctm)
    own = inverted((state.wide, 0.0, 0.0, 1.0, 0.0, state.rise))
    if inverse is None or own is None:
        return None
    return list(times(times(own, matrix), inverse))


def _styled(piece: Piece, state: State) -> Iterator[Instruction]:
    if piece.colour is not None:
        yield [channel / 255 for channel in piece.colour], "rg"
    other = piece.font is not None or piece.size is not None
    if other:
        yield [piece.font or state.font, piece.size or state.size], "Tf"
    yield [list(_joined(piece.items))], "TJ"
    if other:
        yield [state.font, state.size], "Tf"
    if piece.colour is not None:
        yield from state.fill or (([0], "g"),)


def _joined(items: Sequence[Item]) -> Iterator[Item]:
    """Neighbouring codes as one string."""
    held = b""
    for item in items:
        if isinstance(item, bytes):
            held += item
            continue
        if held:
            yield held
        held = b""
        yield item
    if held:
        yield held


def inverted(matrix: Matrix) -> Matrix | None:
    """The matrix that undoes another; None where that cannot be."""
    a, b, c, d, e, f = matrix
    whole = a * d - b * c
    if abs(whole) < 1e-12:
        return None
    return (
        d / whole, -b / whole, -c / whole, a / whole,
        (c * f - d * e) / whole, (b * e - a * f) / whole,
    )  # fmt: skip


def operator_of(instruction: Instruction) -> Any:
    """A new operator as pikepdf writes it."""
    operands, name = instruction
    return [_operand(one) for one in operands], pikepdf.Operator(name)


def _operand(one: Any) -> Any:
    if isinstance(one, bytes):
        return pikepdf.String(one)
    if isinstance(one, list):
        return pikepdf.Array([_operand(part) for part in one])
    if isinstance(one, str) and one.startswith("/"):
        return pikepdf.Name(one)
    return round(one, 5) if isinstance(one, float) else one
