"""Moving: words of a picture taken as things: cut out, changed as layers, and laid down again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from overpaint.document import Document, Layer, ops
from overpaint.document.boxes import rounded
from overpaint.document.contrast import contrast, luminance
from overpaint.document.layers import Pixels, Point
from overpaint.document.ops import Op
from overpaint.document.placing import at, beside
from overpaint.document.render import bounds, sheet_of
from overpaint.document.where import Where, short
from overpaint.editors.typeset.blocks import tables
from overpaint.editors.typeset.desk import Desk
from overpaint.editors.typeset.locate import Spot, find, spot
from overpaint.editors.typeset.pressing import cut_out, pressed
from overpaint.editors.typeset.unmix import Lifted
from overpaint.errors import Refused
from overpaint.vision.page import Box, union
from overpaint.vision.tables import within

SLACK = 2  # pixels by which boxes of words may lie over one another
CONTRAST = 1.6  # of ink to its ground, as WCAG reckons it: what has less can hardly be read
SOLID = 127  # of 255: cover that tells how words are read
LOST = 0.05  # of the ink: with more of it so faint, words can hardly be read


def as_layers(desk: Desk, op: Op) -> Desk:
    """Words cut out as they are, and the op done to them as to a layer of a document."""
    spots = [one for found in find(desk.page, op.where) for one in found.spots]
    lifts = [desk.lifted(one) for one in spots]
    layers = [_changed(desk, op, lifted) for lifted in lifts]
    for one, layer in zip(spots, layers, strict=True):
        check_inside(desk, layer, one)
    if isinstance(op, ops.Move) and op.by is not None:
        check_free(desk, spots, [_moved(one.box, op.by) for one in spots])
    done = _laid(desk, spots, lifts, layers)
    return _with_faint(desk, done, lifts, layers) if isinstance(op, ops.Move) else done


def _changed(desk: Desk, op: Op, lifted: Lifted) -> Layer:
    if isinstance(op, ops.Recolour) and lifted.fill.stroke:  # the outline keeps its own
        return _cut(replace(lifted, fill=replace(lifted.fill, colour=op.colour)))
    words = replace(_cut(lifted), id="words")
    ground = Document.of(desk.pixels).layers[0]
    document = Document(made=(ground, words), canvas=desk.pixels.shape[1::-1])
    return replace(op, where=Where(layer="words"))(document).layer("words")


def _cut(lifted: Lifted, by: tuple[int, int] = (0, 0)) -> Layer:
    return cut_out(lifted, (lifted.left, lifted.left + lifted.cover.shape[1]), by)


def move(desk: Desk, op: Op) -> Desk:
    """Words moved by so much, to a place of the picture, or beside other words."""
    assert isinstance(op, ops.Move)
    if op.by is not None:
        return as_layers(desk, op)
    box = find(desk.page, op.where)[0].box
    high, wide = desk.pixels.shape[:2]
    if op.of is not None and op.side:
        corner = _by_side(desk, box, op.side, op.of)
    else:
        corner = at(rounded(box), (wide, high), op.to or "centre")
    by = (round(corner[0] - box[0]), round(corner[1] - box[1]))
    return as_layers(desk, replace(op, by=by, to="", side="", of=None))


def _by_side(desk: Desk, box: Box, side: str, of: Where) -> Point:
    """The corner that puts a box on a side of other words, above and below aligned as they are."""
    found = find(desk.page, of)[0]
    target = _ruled(desk, found.box) if of.role == "table" else found.box
    share = 0.0 if of.role == "table" else desk.share(desk.number(found.spots[0]))
    return beside(rounded(box), rounded(target), side, share=share)


def _ruled(desk: Desk, words: Box) -> Box:
    """The table that words stand in, from rule to rule."""
    around = (table.box for table in tables(desk.page) if within(words, table.box))
    return union([words, *around])


def exchanged(desk: Desk, one: Spot, other: Spot) -> Desk:
    """Two whole lines in one another's places, each on the other's baseline."""
    spots, pairs = (one, other), ((one, other), (other, one))
    lifts = [desk.lifted(each) for each in spots]
    shifts = [_onto(desk, *pair) for pair in pairs]
    layers = [_cut(lifted, by) for lifted, by in zip(lifts, shifts, strict=True)]
    for each, layer in zip(spots, layers, strict=True):
        check_inside(desk, layer, each)
    check_free(desk, spots, [_moved(each.box, by) for each, by in zip(spots, shifts, strict=True)])
    return _with_faint(desk, _laid(desk, spots, lifts, layers), lifts, layers)


def _onto(desk: Desk, one: Spot, other: Spot) -> tuple[int, int]:
    """How far words move to stand in the place of others."""
    old, new = (desk.printed(desk.number(each)).pen for each in (one, other))
    across = new[0] - old[0]
    if desk.align(desk.number(other)) == "centre":
        across = (other.box[0] + other.box[2] - one.box[0] - one.box[2]) / 2
    return round(across), round(new[1] - old[1])


def _laid(
    desk: Desk, spots: Sequence[Spot], lifts: Sequence[Lifted], layers: Sequence[Layer]
) -> Desk:
    """The words gone from where they were, and laid where they are now."""
    pixels = desk.pixels
    if not _over(spots, layers):
        for lifted, layer in zip(lifts, layers, strict=True):
            pixels = pressed(pixels, lifted, [layer])
        return desk.now(pixels)
    pixels = _erased(pixels, lifts)  # what comes to lie where others were must not go with them
    for lifted, layer in zip(lifts, layers, strict=True):
        pixels = pressed(pixels, None, [layer], noise=lifted.noise)
    return desk.now(pixels)


def _over(spots: Sequence[Spot], layers: Sequence[Layer]) -> bool:
    """Whether any of the layers comes to lie where other words of theirs were."""
    boxes = [bounds(layer) or (0, 0, 0, 0) for layer in layers]
    pairs = ((n, m) for n in range(len(boxes)) for m in range(len(spots)) if n != m)
    return any(_common(boxes[n], spots[m].box) for n, m in pairs)


def _erased(pixels: Pixels, lifts: Sequence[Lifted]) -> Pixels:
    for lifted in lifts:
        pixels = pressed(pixels, lifted, [])
    return pixels


# ── where words may stand ───────────────────────────────────────────────────────────────


def check_inside(desk: Desk, layer: Layer, words: Spot) -> None:
    """`Refused` where a layer reaches beyond the picture."""
    box, (high, wide) = bounds(layer), desk.pixels.shape[:2]
    if box and (box[0] < 0 or box[1] < 0 or box[2] > wide or box[3] > high):
        raise Refused(
            f"“{short(words.words)}” would reach beyond the picture: {box} of {wide}×{high}.",
            "It must stay inside.",
        )


def check_free(desk: Desk, spots: Sequence[Spot], boxes: Sequence[Box]) -> None:
    """`Refused` where words would lie over others that stay."""
    for number, other, part in _staying(desk, spots):
        for one, box in zip(spots, boxes, strict=True):
            if _common(box, other) <= _common(one.box, other):
                continue
            text = desk.page.line(number).text[part]
            if text.strip():
                raise Refused(
                    f"“{short(one.words)}” cannot stand there: “{short(text)}” is in the way."
                )


def _staying(desk: Desk, spots: Sequence[Spot]) -> Iterator[tuple[int, Box, slice]]:
    """All words but the spots': the line they are in, their box, and their place in the line."""
    numbers = [desk.number(one) for one in spots]
    for n in range(len(desk.page)):
        if n not in numbers:
            yield n, desk.page.tight(n), slice(None)
            continue
        text, at = desk.page.line(n).text, 0
        own = sorted((s.start, s.end) for s, its in zip(spots, numbers, strict=True) if its == n)
        for start, end in [*own, (len(text), len(text))]:
            piece = text[at:start]
            first, last = start - len(piece.lstrip()), at + len(piece.rstrip())
            if piece.strip():
                yield n, spot(desk.page, n, first, last).box, slice(first, last)
            at = end


def _common(one: Sequence[float], other: Sequence[float]) -> float:
    """How many pixels two boxes have in common, but for a little at their edges."""
    wide = min(one[2], other[2]) - max(one[0], other[0]) - SLACK
    high = min(one[3], other[3]) - max(one[1], other[1]) - SLACK
    return wide * high if wide > 0 and high > 0 else 0.0


def _moved(box: Box, by: tuple[float, float]) -> Box:
    return box[0] + by[0], box[1] + by[1], box[2] + by[0], box[3] + by[1]


# ── what can be read ────────────────────────────────────────────────────────────────────


def _with_faint(desk: Desk, done: Desk, lifts: Sequence[Lifted], layers: Sequence[Layer]) -> Desk:
    """With a note where words are hardly to be told from the ground they now stand on."""
    bare = _erased(desk.pixels, lifts)
    if not any(_faint(bare, layer) for layer in layers):
        return done
    return done.now(done.pixels, "the words are hardly readable on their new ground")


def _faint(bare: Pixels, layer: Layer) -> bool:
    """Whether too much of a layer's ink is about as bright as the ground under it."""
    sheet = sheet_of(layer)
    if sheet is None:
        return False
    left, top, right, bottom = sheet.box
    high, wide = bare.shape[:2]
    cut = (slice(max(0, top), min(high, bottom)), slice(max(0, left), min(wide, right)))
    ink = sheet.pixels[cut[0].start - top : cut[0].stop - top,
                       cut[1].start - left : cut[1].stop - left]  # fmt: skip
    solid = ink[:, :, 3] > SOLID
    told = contrast(luminance(ink[solid]), luminance(bare[cut][solid]))
    return bool(solid.any()) and float((told < CONTRAST).mean()) > LOST
