"""Writing SVG: what changed is changed in the source it came from; all else stays as it was."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from overpaint.document.differing import steps
from overpaint.document.layers import Gradient, Group, Layer, Picture, Shape, Style, Text, walk
from overpaint.document.model import Document
from overpaint.document.pictures import is_markup, read_file
from overpaint.document.svg.fresh import (
    Attributes,
    Maker,
    coloured,
    fresh,
    matrix,
    number,
    picture,
    said,
    tag,
)
from overpaint.document.svg.geometry import UNIT, Matrix, at, inverse, times
from overpaint.document.svg.lettering import Block, Piece
from overpaint.document.svg.reading import Origin, Reading, reading
from overpaint.document.svg.source import Element, Patch
from overpaint.document.svg.styles import declared
from overpaint.document.turning import anchor, middle
from overpaint.errors import Refused

_OWN = ("name", "visible", "opacity", "blend")


def write(document: Document, path: Path) -> tuple[str, ...]:
    """Write an SVG; notes on what it could not hold."""
    document = document.opened
    if document.origin is None or not _is_svg(document.origin):
        text, notes = fresh(document)
        path.write_bytes(text.encode())
        return notes
    writer = _Writer(document, reading(document.origin))
    path.write_bytes(writer.written())
    return tuple(writer.maker.notes)


def _is_svg(path: Path) -> bool:
    return path.is_file() and is_markup(read_file(path))


class _Writer:
    """Patches a source so that it shows a document."""

    def __init__(self, document: Document, before: Reading) -> None:
        self.document, self.before = document, before
        self.patch = Patch(before.source)
        self.maker = Maker(document.size, prefix=_prefix(before))
        self.old = {layer.id: layer for layer in walk(before.layers)}

    def written(self) -> bytes:
        """The bytes of the whole file."""
        self._children(self.before.source.root, self.before.ctm, self.before.layers,
                       self.document.layers)  # fmt: skip
        self.patch.defs = self.maker.defs
        return self.patch.written()

    # ── what stands in what ─────────────────────────────────────────────────────────────

    def _children(
        self, parent: Element, ctm: Matrix, old: Sequence[Layer], new: Sequence[Layer]
    ) -> None:
        """Bring the layers of one element to their new order, and each to its new state."""
        own = {layer.id: layer for layer in old}
        stays = [layer for layer in new if layer.id in own]
        for layer in stays:
            if layer != own[layer.id]:
                self._change(own[layer.id], layer)
        self._gone(own, {layer.id for layer in stays})
        if [layer.id for layer in old] == [layer.id for layer in new]:
            return
        back = inverse(ctm)
        order: list[Element | str] = []
        for layer in new:
            if layer.id in own:
                element = self.before.origins[layer.id].element
                if element not in order:
                    order.append(element)
            else:
                order.append("\n" + self.maker.element(layer, _tidy(back or UNIT)))
        self.patch.children[id(parent)] = order

    def _gone(self, own: dict[str, Layer], stays: set[str]) -> None:
        kept = {id(self.before.origins[key].element) for key in stays}
        for key in own.keys() - stays:
            origin = self.before.origins[key]
            if id(origin.element) not in kept:
                self.patch.removed.add(id(origin.element))
            elif origin.block:
                self._blank(origin.block)

    def _blank(self, block: Block) -> None:
        for chunk in block.chunks:
            for piece in chunk.pieces:
                self.patch.words[id(piece.part)] = ""

    # ── one layer ───────────────────────────────────────────────────────────────────────

    def _change(self, old: Layer, new: Layer) -> None:
        origin = self.before.origins[old.id]
        if (new.kind, new.mask, new.clip) != (old.kind, old.mask, old.clip):
            self._replace(origin, new)
            return
        self._own(origin, old, new)
        if isinstance(old.content, Group) and isinstance(new.content, Group):
            if origin.element.tag in ("g", "a", "svg", "switch"):
                self._children(origin.element, origin.inner, old.content.layers, new.content.layers)
            elif old.content != new.content:
                self._replace(origin, new)
            return
        if isinstance(old.content, Text) and isinstance(new.content, Text):
            self._text(origin, old, new)
        elif isinstance(new.content, Picture):
            self._picture(origin, old, new)
        elif isinstance(new.content, Shape):
            self._shape(origin, old, new)

    def _replace(self, origin: Origin, new: Layer) -> None:
        """Put a new element in an old one's place."""
        if not origin.whole:
            raise _one_of_several(new)
        back = _tidy(inverse(origin.outer) or UNIT)
        self.patch.replaced[id(origin.element)] = self.maker.element(new, back)

    def _own(self, origin: Origin, old: Layer, new: Layer) -> None:
        """Name, opacity, blend mode, and whether it shows."""
        element = origin.element
        if all(getattr(old, name) == getattr(new, name) for name in _OWN):
            return
        if not origin.whole:
            raise _one_of_several(new)
        if new.name != old.name:
            self.patch.set(element, data_name=new.name)
        if new.visible != old.visible:
            self._restyle(element, {"display": "inline" if new.visible else "none"})
            if new.visible and "visibility" in self._said(element):
                self._restyle(element, {"visibility": "visible"})
        if new.opacity != old.opacity:
            self._restyle(element, {"opacity": repr(float(new.opacity))})
        if new.blend != old.blend:
            made = self.maker._common(new)
            self._restyle(element, declared(made.get("style", "mix-blend-mode:normal")))
            self.patch.set(element, data_blend=made.get("data-blend"))

    def _said(self, element: Element) -> dict[str, str]:
        rules = self.before.sheet.of(element) if self.before.sheet else {}
        return element.attributes | rules | declared(element.get("style"))

    def _restyle(self, element: Element, values: Attributes) -> None:
        """Set properties where they count: in `style` where it or a rule says them already."""
        rules = self.before.sheet.of(element) if self.before.sheet else {}
        changed = self.patch.attributes.get(id(element), {})
        own = declared(changed.get("style") or element.get("style"))
        plain = {}
        for name, value in values.items():
            if name in rules or name in own or name in ("mix-blend-mode", "isolation", "filter"):
                own[name] = value
            else:
                plain[name] = value
        if own != declared(changed.get("style") or element.get("style")):
            self.patch.set(element, style="; ".join(f"{k}: {v}" for k, v in own.items()))
        self.patch.attributes.setdefault(id(element), {}).update(plain)

    def _moved(self, origin: Origin, old: Layer, new: Layer) -> None:
        """Move and turn an element by a transform around its own."""
        start, end = anchor(old), anchor(new)
        turn = math.radians(new.angle - old.angle)
        cos, sin = (1.0, 0.0) if not turn else (math.cos(turn), math.sin(turn))
        around = times(times((1.0, 0.0, 0.0, 1.0, *end), (cos, sin, -sin, cos, 0.0, 0.0)),
                       (1.0, 0.0, 0.0, 1.0, -start[0], -start[1]))  # fmt: skip
        if max(abs(a - b) for a, b in zip(around, UNIT, strict=True)) < 5e-5:
            return
        if not origin.whole:
            self._shifted(origin, end[0] - start[0], end[1] - start[1], bool(turn))
            return
        back = inverse(origin.outer)
        if back is None:
            return
        step = _tidy(times(times(back, around), origin.outer))
        before = self._said(origin.element).get("transform", "")
        self._restyle(origin.element, {"transform": f"{matrix(step)} {before}".strip()})

    def _shifted(self, origin: Origin, across: float, down: float, turned: bool) -> None:
        """Move one line of several by its own place."""
        assert origin.block is not None
        back = inverse((*origin.inner[:4], 0.0, 0.0))
        if turned or back is None:
            raise Refused(
                f"{origin.block.text.words[:40]!r} stands with other lines in one <text>.",
                "It can be moved, but not turned alone.", "Turn them all, or make two of it first.",
            )  # fmt: skip
        dx, dy = at(back, across, down)
        for chunk in origin.block.chunks:
            values = {"x": number(chunk.x + dx), "y": number(chunk.y + dy), "dx": None, "dy": None}
            self.patch.attributes.setdefault(id(chunk.owner), {}).update(values)

    # ── pictures and shapes ─────────────────────────────────────────────────────────────

    def _picture(self, origin: Origin, old: Layer, new: Layer) -> None:
        if old.content == new.content:
            self._moved(origin, old, new)
            return
        values = picture(new.pixels, new.left, new.top)
        back = _tidy(inverse(origin.outer) or UNIT)
        turn = ""
        if new.angle % 360:
            x, y = middle(new)
            turn = f" rotate({number(new.angle)} {number(x)} {number(y)})"
        whole = (matrix(back) if back != UNIT else "") + turn
        self.patch.attributes.setdefault(id(origin.element), {}).update(values)
        self._restyle(origin.element, {"transform": whole.strip() or "translate(0 0)"})

    def _shape(self, origin: Origin, old: Layer, new: Layer) -> None:
        before, after = old.content, new.content
        assert isinstance(before, Shape)
        assert isinstance(after, Shape)
        same = replace(after, fill=before.fill, stroke=before.stroke) == before
        if not same or isinstance(after.fill, Gradient):
            if before != after:
                self._replace(origin, new)
                return
        elif after.fill != before.fill:
            opaque = {"fill-opacity": "1"} if "fill-opacity" in self._said(origin.element) else {}
            self._restyle(origin.element, opaque | coloured("fill", after.fill))
        if same and after.stroke != before.stroke:
            scale = math.sqrt(abs(origin.inner[0] * origin.inner[3]
                                  - origin.inner[1] * origin.inner[2])) or 1.0  # fmt: skip
            stroke = after.stroke
            values = self.maker.stroked(stroke.colour, stroke.width / scale) if stroke else {}
            self._restyle(origin.element, values or {"stroke": "none"})
        self._moved(origin, old, new)

    # ── words ───────────────────────────────────────────────────────────────────────────

    def _text(self, origin: Origin, old: Layer, new: Layer) -> None:
        before, after = old.content, new.content
        assert isinstance(before, Text)
        assert isinstance(after, Text)
        block = origin.block
        assert block is not None
        if (before.runs, before.width) != (after.runs, after.width):
            pieces = list(_spans(block))
            cells = _cells(before, after, pieces)
            if cells is None:
                if not origin.whole:
                    raise _one_of_several(new)
                self._replace(origin, new)
                return
            scale = math.hypot(origin.inner[2], origin.inner[3]) or 1.0
            for (piece, *_), own in zip(pieces, cells, strict=True):
                self._piece(piece, own, (before.style.leading, scale))
        self._moved(origin, old, new)

    def _piece(
        self, piece: Piece, cells: Sequence[tuple[str, Style]], more: tuple[float, float]
    ) -> None:
        """Let one stretch of the source say its new words."""
        leading, scale = more
        was = replace(piece.style, leading=leading)
        styles = {style for _, style in cells}
        words = "".join(letter for letter, _ in cells)
        if words == piece.words and styles <= {was}:
            return
        alone = piece.element.parts == [piece.part] and len(styles) == 1
        if alone and (looks := self._looks(was, next(iter(styles)), scale)):
            self._restyle(piece.element, looks)
            was = next(iter(styles))
        made, run = "", list[tuple[str, Style]]()
        for letter, style in cells:
            if run and run[-1][1] == style:
                run[-1] = (run[-1][0] + letter, style)
            else:
                run.append((letter, style))
        for part, style in run:
            looks = self._looks(was, style, scale)
            made += tag("tspan", looks, said(part)) if looks else said(part)
        text = piece.part.text
        lead, trail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        kept = piece.kept or not text.strip()
        self.patch.words[id(piece.part)] = made if kept else (
            ("" if piece.words[:1] == " " else lead) + made
            + ("" if piece.words[-1:] == " " else trail)
        )  # fmt: skip

    def _looks(self, was: Style, style: Style, scale: float) -> Attributes:
        """The attributes that make one style of another."""
        if was == style:
            return {}
        same = was.gradient == style.gradient
        before = Maker(self.maker.size).styled(was, scale=scale)
        after = (Maker(self.maker.size) if same else self.maker).styled(style, scale=scale)
        return {key: value for key, value in after.items() if before.get(key) != value}


def _one_of_several(layer: Layer) -> Refused:
    return Refused(
        f"{layer.name!r} stands with other lines in one <text>.",
        "It can be reworded, recoloured, moved and deleted, and no more.",
        "Change them all, or make two of it first.",
    )


def _prefix(before: Reading) -> str:
    """What ids of new definitions begin with, unlike any that is there."""
    data, prefix = before.source.data, "op"
    while f'"{prefix}-'.encode() in data:
        prefix += "x"
    return prefix


def _tidy(values: Matrix) -> Matrix:
    a, b, c, d, e, f = (round(value, 9) + 0.0 for value in values)
    return a, b, c, d, e, f


def _spans(block: Block) -> Iterator[tuple[Piece, int, int]]:
    """Each stretch of the source, and which of the layer's letters it says."""
    reached = 0
    for number_, chunk in enumerate(block.chunks):
        reached += 1 if number_ and not chunk.soft else 0
        for piece in chunk.pieces:
            yield piece, reached, reached + len(piece.words)
            reached += len(piece.words)


Cells = list[list[tuple[str, Style]]]


def _cells(before: Text, after: Text, pieces: Sequence[tuple[Piece, int, int]]) -> Cells | None:
    """The new letters of each stretch; None where lines are broken otherwise now."""
    old, new = before.words, after.words
    styles = [run.style for run in after.runs for _ in run.words]
    moved = any(s.align != before.style.align or s.leading != before.style.leading for s in styles)
    if moved or after.width is not None or old.count("\n") != new.count("\n"):
        return None
    cells: Cells = [[] for _ in pieces]
    for op, a, b, c, d in steps(old, new):
        if op != "equal" and ("\n" in old[a:b] or "\n" in new[c:d]):
            return None
        for i in range(c, d):
            if new[i] == "\n":
                continue
            place = a + (i - c) if op == "equal" else a
            cells[_owner(pieces, place, before=op == "insert")].append((new[i], styles[i]))
    return cells


def _owner(pieces: Sequence[tuple[Piece, int, int]], place: int, *, before: bool) -> int:
    """The stretch that a letter is in; new letters go on with what is before them."""
    if before:
        for number_, (_, start, end) in enumerate(pieces):
            if start < place <= end:
                return number_
    for number_, (_, start, end) in enumerate(pieces):
        if start <= place < end:
            return number_
    return len(pieces) - 1
