"""Writing PDF: changed lines are changed in the file they came from, and proved by reading it.

Nothing else of the file is touched. What a PDF's own font cannot spell is refused: a page that
shows boxes in place of letters helps nobody.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from overpaint.document.layers import Layer, Picture, Text
from overpaint.document.model import Document
from overpaint.document.pdf.adding import add
from overpaint.document.pdf.checking import Done, check, check_looks
from overpaint.document.pdf.content import (
    Change,
    Instruction,
    changed,
    inverted,
    shows,
)
from overpaint.document.pdf.encoding import (
    INSTEAD,
    Coded,
    Encoder,
    coded,
    content_of,
    editable,
    packed,
    put_content,
    units,
)
from overpaint.document.pdf.fresh import fresh
from overpaint.document.pdf.opening import page_of
from overpaint.document.pdf.page import Matrix, Page, matrix_of, times
from overpaint.document.pdf.reading import Lifted, layers_of, lifted
from overpaint.document.pdf.reimaging import reimage
from overpaint.document.pdf.rewriting import cells_of, line_changes, untouched
from overpaint.document.pdf.unseen import reword
from overpaint.document.pictures import read_file
from overpaint.document.render import sheet_of
from overpaint.errors import Refused

_KEPT = ("underline", "strike", "stroke", "shadow", "gradient", "spacing", "align")


def write(document: Document, path: Path) -> tuple[str, ...]:
    """Write a PDF; notes on what it could not hold."""
    document = document.opened
    if document.origin is None or not read_file(document.origin).startswith(b"%PDF"):
        data, notes = fresh(document)
        path.write_bytes(data)
        return notes
    with page_of(document.origin, document.page) as page:
        data, notes = _Rewriter(document, page).written()
    path.write_bytes(data)
    return notes


class _Rewriter:
    """One page of a file, and what a document wants it to be."""

    def __init__(self, document: Document, page: Page) -> None:
        self.document, self.page = document, page
        self.data = read_file(page.path)
        self.words = lifted(page)
        self.old = {lift.layer.id: lift for lift in self.words}
        self.new = {layer.id: layer for layer in document}
        self.notes: list[str] = []

    def written(self) -> tuple[bytes, tuple[str, ...]]:
        """The file's bytes with the changes in it."""
        pictures = {layer.id: layer for layer in layers_of(self.page, self.words)[0]}
        redrawn = self._redrawn(pictures)
        edits = [lift for lift in self.words if self._differs(lift)]
        added = [layer for layer in self.document.layers if layer.id not in pictures]
        data = self.data
        if edits:
            data = self._patched(edits)
        done = Done()
        for layer in redrawn:
            old, new = layer.pixels, self.new[layer.id].pixels
            made = reimage(data, self.page, old, new)
            data, unseen = reword(made.data, self.page, self.document.history)
            self.notes += [*made.notes, *unseen]
            done = replace(done, boxes=(*done.boxes, *made.boxes))
        wanted = [self.new[lift.layer.id] for lift in edits if lift.layer.id in self.new]
        if added:
            data, maker = add(data, self.page, added)
            self.notes += maker.notes
            done = replace(done, pictured=frozenset(maker.pictured))
        if edits or added or redrawn:
            check(data, self.page, self.words, edits, replace(done, wanted=(*wanted, *added)))
        if redrawn:
            check_looks(data, self.page, self.document.rgb, done.boxes)
        return data, tuple(self.notes)

    def _differs(self, lift: Lifted) -> bool:
        return self.new.get(lift.layer.id) != lift.layer

    def _redrawn(self, before: dict[str, Layer]) -> list[Layer]:
        """The page's pictures that have other pixels now; any other change of them is refused."""
        redrawn = []
        for layer in before.values():
            now = self.new.get(layer.id)
            if layer.id in self.old or now == layer:
                continue
            if not (_repainted(layer, now) and layer.id.startswith("page")):
                raise Refused(
                    f"{layer.name!r} was changed, which is the picture of a PDF's page.",
                    "In a PDF words and images can be changed, and new things added above.",
                    INSTEAD,
                )
            redrawn.append(layer)
        kept = [layer.id for layer in self.document.layers if layer.id in before]
        if kept != [key for key in before if key in self.new]:
            raise Refused("The order of layers was changed.", "A PDF keeps its own.", INSTEAD)
        return redrawn

    # ── changing lines ──────────────────────────────────────────────────────────────────

    def _patched(self, edits: Sequence[Lifted]) -> bytes:
        with editable(self.data) as file:
            originals, plain = content_of(file, self.page.number)
            coded_of = self._coded(plain, units(file, self.page.number))
            changes: dict[int, Change] = {}
            encoder = self._encoder(coded_of)
            for lift in edits:
                self._change(lift, coded_of, encoder, changes)
            self._follow(coded_of, changes)
            put_content(file, self.page.number, originals, [*changed(plain, changes)])
            if file.is_encrypted:
                self.notes.append("it is saved without its encryption")
            return packed(file)

    def _coded(self, plain: Sequence[Instruction], wide: dict[str, int]) -> dict[int, Coded]:
        """The operator of each text object on the page itself, with its letters' codes."""
        found = shows(plain)
        tops = [i for i, leaf in enumerate(self.page.leaves) if leaf.text and len(leaf.path) == 1]
        if len(found) != len(tops):
            raise Refused(
                f"{self.page.path} has {len(tops)} texts on the page and {len(found)} in its "
                "content.", "They should be the same.", INSTEAD,
            )  # fmt: skip
        line_of = {number: lift.line for lift in self.words for number in lift.line.leaves}
        result = {}
        for number, show in zip(tops, found, strict=True):
            unit = wide.get(show.state.font, 1)
            line = line_of.get(number)
            own = coded(line, number, show, unit) if line else None
            result[number] = own or Coded(show, (), (), ())
        return result

    def _encoder(self, coded_of: dict[int, Coded]) -> Encoder:
        encoder = Encoder(self.data, self.page)
        for lift in self.words:
            for number in lift.line.leaves:
                own = coded_of.get(number)
                if own and own.codes:
                    encoder.learn(lift.line, number, own)
        return encoder

    def _change(
        self, lift: Lifted, coded_of: dict[int, Coded], encoder: Encoder,
        changes: dict[int, Change],
    ) -> None:  # fmt: skip
        """Note what becomes of the objects of a line."""
        line, layer = lift.line, self.new.get(lift.layer.id)
        if not all(number in coded_of for number in line.leaves):
            raise Refused(
                f"{lift.layer.name!r} stands in a part of the PDF that other pages may share.",
                "It cannot be changed on one page alone.", INSTEAD,
            )  # fmt: skip
        if layer is None or not layer.visible or not layer.content.words.strip():  # type: ignore[union-attr]
            for number in line.leaves:
                changes[coded_of[number].show.at] = Change((), self._matrix(number))
            return
        _check_style(lift.layer, layer)
        self._reword(lift, layer, coded_of, encoder, changes)

    def _reword(
        self, lift: Lifted, layer: Layer, coded_of: dict[int, Coded], encoder: Encoder,
        changes: dict[int, Change],
    ) -> None:  # fmt: skip
        line, text = lift.line, layer.content
        assert isinstance(text, Text)
        own = {letter.leaf for letter in line.letters if letter.leaf >= 0}
        move = _moved(self.page, lift.layer, layer)
        if text.runs == lift.layer.content.runs:  # type: ignore[union-attr]
            for number in line.leaves:
                coded_ = coded_of[number]
                changes[coded_.show.at] = untouched(coded_, times(self._matrix(number), move))
            return
        if not all(coded_of[number].codes for number in own):
            raise Refused(
                f"The letters of {lift.layer.name!r} cannot be told apart in the PDF.", "", INSTEAD
            )
        pieces, shifts = line_changes(line, cells_of(line, text), coded_of, encoder)
        for number in own:
            along = self._along(line.angle, shifts[number])
            matrix = times(times(self._matrix(number), along), move)
            changes[coded_of[number].show.at] = Change(pieces[number], matrix)
        for number in set(line.leaves) - own:
            changes[coded_of[number].show.at] = Change((), self._matrix(number))
            self.notes.append(f"{layer.name!r} was drawn twice to look bold and is drawn once now")

    def _follow(self, coded_of: dict[int, Coded], changes: dict[int, Change]) -> None:
        """Keep in place what is shown right behind something that changed."""
        follows = False
        for number, own in sorted(coded_of.items(), key=lambda pair: pair[1].show.at):
            if own.show.at in changes:
                follows = True
            elif follows and not own.show.placed:
                changes[own.show.at] = untouched(own, self._matrix(number))
            else:
                follows = False

    def _matrix(self, number: int) -> Matrix:
        return matrix_of(self.page.leaves[number].handle)

    def _along(self, angle: float, shift: float) -> Matrix:
        """A shift of so many pixels along a line, on the page."""
        turn = math.radians(angle)
        return _on_page(self.page, (1, 0, 0, 1, shift * math.cos(turn), shift * math.sin(turn)))


def _repainted(old: Layer, new: Layer | None) -> bool:
    """Whether a picture has other pixels, and nothing else is new."""
    if new is None or not isinstance(new.content, Picture) or not isinstance(old.content, Picture):
        return False
    same = old.pixels.shape == new.pixels.shape
    return same and replace(new, content=old.content) == old


def _check_style(old: Layer, new: Layer) -> None:
    """Refuse what a PDF's text cannot become."""
    before, after = old.content, new.content
    assert isinstance(before, Text)
    if not isinstance(after, Text) or (new.opacity, new.blend, new.mask) != (1.0, "normal", None):
        raise Refused(f"{old.name!r} is no plain text any more.", "", INSTEAD)
    was = before.style
    for run in after.runs:
        for name in _KEPT:
            if getattr(run.style, name) != getattr(was, name):
                raise Refused(
                    f"The {name} of {old.name!r} was changed.",
                    "Words in a PDF keep all but their letters, colour, size, font and place.",
                    INSTEAD,
                )


def _moved(page: Page, old: Layer, new: Layer) -> Matrix:
    """How a line moves and turns, on the page."""
    across, down = new.left - old.left, new.top - old.top
    turn = new.angle - old.angle
    if not turn % 360:
        return _on_page(page, (1.0, 0.0, 0.0, 1.0, across, down))
    sheet = sheet_of(replace(old, left=new.left, top=new.top))
    assert sheet is not None
    x, y = (sheet.box[0] + sheet.box[2]) / 2, (sheet.box[1] + sheet.box[3]) / 2
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    about = times((1.0, 0.0, 0.0, 1.0, across - x, down - y), (cos, sin, -sin, cos, x, y))
    return _on_page(page, about)


def _on_page(page: Page, pixels: Matrix) -> Matrix:
    """What is done in pixels, done in the page's points."""
    back = inverted(page.device)
    assert back is not None
    return times(times(page.device, pixels), back)
