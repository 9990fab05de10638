"""Sizing: words made larger or smaller in their line, the rest of which makes room."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from overpaint.document.boxes import rounded
from overpaint.document.geometry import check_scaling, scaled, scaled_style, shifted
from overpaint.document.layers import Layer, Point
from overpaint.document.render import bounds
from overpaint.document.where import short
from overpaint.editors.typeset.desk import Desk
from overpaint.editors.typeset.locate import Spot, spot
from overpaint.editors.typeset.moving import check_free, check_inside
from overpaint.editors.typeset.pressing import cut_out, pressed
from overpaint.editors.typeset.printed import Printed
from overpaint.editors.typeset.rewriting import STILL, cut_at, moved_part
from overpaint.editors.typeset.setting import limits, start_of
from overpaint.editors.typeset.unmix import Lifted, lift
from overpaint.errors import Refused
from overpaint.vision.letters import Type
from overpaint.vision.page import union

# Levels: words whose colour differs more are not in that of their line. Those that are differ by
# none on clean pictures and by up to 33 after JPEG at quality 50; in soft scans short ones by more.
UNLIKE = 40


@dataclass(frozen=True)
class Piece:
    """Letters of a line that stay together, and how much larger they become."""

    start: int
    end: int
    factor: float


def resized(desk: Desk, spots: Iterable[Spot], factor: float) -> Desk:
    """Words at another size on their baseline, their lines still aligned as they were."""
    for number, own in desk.by_line(spots).items():
        desk = _line(desk, number, own, factor)
    return desk


def _line(desk: Desk, number: int, spots: Sequence[Spot], factor: float) -> Desk:
    line = desk.printed(number)
    all_of_it = spot(desk.page, number, 0, len(line.words))
    lifts = {one.start: desk.lifted(one) for one in spots}
    if not line.exact and spots[0].words == line.words:
        layers, left = [_whole(desk, number, lifts[0], factor)], -float("inf")
    else:
        layers, left = _laid(desk, number, _pieces(line.words, spots, factor), lifts)
    for layer in layers:
        check_inside(desk, layer, spots[0])
    if factor > 1:
        boxes = [box for layer in layers if (box := bounds(layer))]
        kept = [(*all_of_it.box[:2], left, all_of_it.box[3])] if left > all_of_it.box[0] else []
        check_free(desk, [all_of_it], [union([*boxes, *kept])])
    pixels, ink = desk.pixels, line.lifted
    if others := [lifted for lifted in lifts.values() if _other(line, lifted)]:
        for lifted in others:
            pixels = pressed(pixels, lifted, [])
        keep = tuple(map(rounded, desk.others(all_of_it.box)))
        ink = lift(pixels, rounded(all_of_it.box), keep=keep)
    return desk.now(pressed(pixels, ink, layers, within=(left, float("inf"))))


def _other(line: Printed, lifted: Lifted) -> bool:
    """Whether words have another colour than their line, which was lifted as if it had but one."""
    pairs = zip(line.style.colour, lifted.colour, strict=True)
    return not line.style.gradient and max(abs(a - b) for a, b in pairs) > UNLIKE


def _pieces(words: str, spots: Sequence[Spot], factor: float) -> list[Piece]:
    """The line from its first letter to its last, in what grows and what does not."""
    found, at = [], 0
    for one in spots:
        found += [Piece(at, one.start, 1.0), Piece(one.start, one.end, factor)]
        at = one.end
    return [piece for piece in (*found, Piece(at, len(words), 1.0)) if piece.start < piece.end]


def _whole(desk: Desk, number: int, lifted: Lifted, factor: float) -> Layer:
    """A line in a font that is not known: its ink at another size, from where it is aligned."""
    box = desk.line(number).box
    about = (box[0] + desk.share(number) * (box[2] - box[0]), Type(desk.line(number)).base)
    return _scaled(lifted, factor, about)


def _scaled(lifted: Lifted, factor: float, about: Point) -> Layer:
    cut = cut_out(lifted, (lifted.left, lifted.left + lifted.cover.shape[1]), (0, 0))
    check_scaling(cut, factor)
    return scaled(cut, factor, about)


def _laid(
    desk: Desk, number: int, pieces: Sequence[Piece], lifts: Mapping[int, Lifted]
) -> tuple[list[Layer], float]:
    """The pieces side by side, and the column before which nothing changes."""
    line = desk.printed(number)
    start = _start(desk, number, sum(_wide(line, piece) for piece in pieces))
    still = abs(start - line.pen[0]) < STILL and pieces[0].factor == 1.0
    layers: list[Layer] = []
    at = start
    for n, piece in enumerate(pieces):
        if n or not still:
            layers += _set(line, piece, at, lifts.get(piece.start))
        at += _wide(line, piece)
    return layers, cut_at(line, pieces[1].start) if still and len(pieces) > 1 else -float("inf")


def _wide(line: Printed, piece: Piece) -> float:
    return piece.factor * (line.pen_at(line.words, piece.end) - _pen(line, piece))


def _pen(line: Printed, piece: Piece) -> float:
    return line.pen_at(line.words, piece.start)


def _start(desk: Desk, number: int, wide: float) -> float:
    """Where the line begins so that it stays aligned; `Refused` where it has no room."""
    line, align = desk.printed(number), desk.align(number)
    left, right = limits(desk, number)
    start = start_of(desk, line, wide, align)
    if align != "left" and wide <= right - left:
        return min(max(start, left), right - wide)
    if start + wide > right:
        room = right - (start if align == "left" else left)
        raise Refused(
            f"“{short(line.words)}” would not fit: it would need {wide:.0f} pixels and there are"
            f" {room:.0f}.",
            "Make it less large.",
        )
    return start


def _set(line: Printed, piece: Piece, at: float, lifted: Lifted | None) -> list[Layer]:
    """A piece with the pen at a place of the picture."""
    if lifted is None or piece.factor == 1.0:
        return moved_part(line, piece.start, piece.end, at - _pen(line, piece))
    if not line.exact:
        about = (_pen(line, piece), line.pen[1])
        return [shifted(_scaled(lifted, piece.factor, about), round(at - about[0]), 0)]
    colour = lifted.colour if _other(line, lifted) else line.style.colour
    style = replace(line.style, colour=colour)
    words, name = line.words[piece.start : piece.end], f"from {piece.start}"
    check_scaling(line.text(words, at, name), piece.factor)
    grown = line.styled(scaled_style(style, piece.factor), line.face)
    return [grown.text(words, at, name)]
