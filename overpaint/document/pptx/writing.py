"""Writing PPTX: what changed is changed on its slide; every other part stays byte for byte."""

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from overpaint.document.containers import Zip, legal
from overpaint.document.layers import Gradient, Group, Layer, Picture, Point, Shape, Text, walk
from overpaint.document.model import Document
from overpaint.document.pictures import encode_png, read_file
from overpaint.document.pptx.deck import whole
from overpaint.document.pptx.fresh import Maker, emptied, fresh, paint, rgb
from overpaint.document.pptx.reading import INSETS, Origin, Reading, reading
from overpaint.document.pptx.rewording import reword
from overpaint.document.pptx.texts import raised
from overpaint.document.pptx.theme import A, P, R, whole_number
from overpaint.document.turning import anchor, middle, turned
from overpaint.errors import Refused

INSTEAD = "Save it as .png, .ora or .psd instead."


def write(document: Document, path: Path) -> tuple[str, ...]:
    """Write a PPTX; notes on what it could not hold."""
    document = document.opened
    if document.origin is None or not _is_deck(document.origin):
        data, notes = fresh(document)
        path.write_bytes(data)
        return notes
    before = reading(document.origin, document.page)
    writer = _Writer(document, before)
    with whole(document.origin):
        changed = writer.change()
    path.write_bytes(_saved(before) if changed else before.deck.zipped.data)
    return tuple(writer.notes)


def _is_deck(path: Path) -> bool:
    return path.is_file() and b"ppt/presentation.xml" in read_file(path)


def _saved(before: Reading) -> bytes:
    """The deck with its slide changed, new pictures added, and all else copied as it is."""
    zipped, part = before.deck.zipped, before.deck.slide.part
    name = str(part.partname).lstrip("/")
    folder, _, file = name.rpartition("/")
    new = {name: part.blob, f"{folder}/_rels/{file}.rels": part.rels.xml}
    for relation in part.rels.values():
        if relation.is_external:
            continue
        target = str(relation.target_part.partname).lstrip("/")
        if target not in zipped and target.startswith("ppt/media/"):
            new[target] = relation.target_part.blob
    if any(key not in zipped and key.endswith(".png") for key in new):
        new["[Content_Types].xml"] = _typed(zipped)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file_:
        for key, info in zipped.entries.items():
            file_.writestr(info, new.pop(key) if key in new else zipped.read(key))
        for key, data in new.items():
            file_.writestr(key, data)
    return out.getvalue()


def _typed(zipped: Zip) -> bytes:
    """The list of content types, with PNG in it."""
    data = zipped.read("[Content_Types].xml")
    if b'Extension="png"' in data or b'Extension="PNG"' in data:
        return data
    at = data.index(b">", data.index(b"<Types")) + 1
    return data[:at] + b'<Default Extension="png" ContentType="image/png"/>' + data[at:]


class _Writer:
    """Changes a slide so that it shows a document."""

    def __init__(self, document: Document, before: Reading) -> None:
        self.document, self.before = document, before
        self.slide = before.deck.slide
        self.maker = Maker(self.slide, before.deck.scale, document.size)
        self.notes = self.maker.notes
        self.touched = False

    def change(self) -> bool:
        """Make all changes; whether there were any."""
        if tuple(self.document.layers) == self.before.layers:
            return False
        self._children(self.before.layers, self.document.layers, top=True)
        return True

    # ── what stands in what ─────────────────────────────────────────────────────────────

    def _children(self, old: Sequence[Layer], new: Sequence[Layer], *, top: bool) -> None:
        own = {layer.id: layer for layer in old}
        order: list[Any] = []
        for layer in new:
            if layer.id in own:
                element = self.before.origins[layer.id].element
                order += [element] if element is not None else []
                if layer != own[layer.id]:
                    self._change(own[layer.id], layer)
            else:
                added = self.maker.add(layer)
                order += added
        for key in own.keys() - {layer.id for layer in new}:
            self._gone(own[key])
        if top and [layer.id for layer in new] != [layer.id for layer in old]:
            fixed = [layer.id for layer in old if self.before.origins[layer.id].element is None]
            if [layer.id for layer in new][: len(fixed)] != fixed:
                raise Refused("Something was put behind the slide's background.", "", INSTEAD)
        if [layer.id for layer in new] != [layer.id for layer in old]:
            _reorder(order)

    def _gone(self, layer: Layer) -> None:
        origin = self.before.origins[layer.id]
        if origin.element is None:
            raise _fixed(layer)
        if origin.proper:
            origin.element.getparent().remove(origin.element)
        elif isinstance(layer.content, Text) and origin.frame:
            paragraphs = origin.frame.paragraphs
            emptied(paragraphs[0].getparent(), paragraphs)
        elif origin.element.tag == f"{P}sp":
            origin.shape.fill.background()
            origin.shape.line.fill.background()
        else:
            raise Refused(f"A cell of a table, {layer.name!r}, cannot be taken out.", "", INSTEAD)

    # ── one layer ───────────────────────────────────────────────────────────────────────

    def _change(self, old: Layer, new: Layer) -> None:
        origin = self.before.origins[old.id]
        if origin.element is None:
            self._background(old, new)
            return
        if (new.kind, new.opacity, new.blend, new.mask, new.clip) != (
            old.kind, old.opacity, old.blend, old.mask, old.clip,
        ):  # fmt: skip
            raise Refused(
                f"The opacity, blend mode or mask of {old.name!r} was changed.",
                "A slide's shapes have none of these.", INSTEAD,
            )  # fmt: skip
        self._own(origin, old, new)
        if isinstance(old.content, Group) and isinstance(new.content, Group):
            self._group(origin, old, new)
        elif isinstance(new.content, Text):
            self._text(origin, old, new)
        elif isinstance(new.content, Picture):
            self._picture(origin, old, new)
        elif isinstance(new.content, Shape):
            self._shape(origin, old, new)

    def _own(self, origin: Origin, old: Layer, new: Layer) -> None:
        properties = next(origin.element.iter(f"{P}cNvPr"), None)
        if properties is None or not origin.proper:
            if new.visible != old.visible:
                raise Refused(f"{old.name!r} cannot be hidden alone; delete it.", "", INSTEAD)
            return
        if new.visible != old.visible:
            properties.set("hidden", "0" if new.visible else "1")
        if new.name != old.name:
            properties.set("name", legal(new.name))

    def _background(self, old: Layer, new: Layer) -> None:
        before, after = old.content, new.content
        plain = isinstance(before, Shape) and isinstance(after, Shape) and old.id == "background"
        if not plain or not isinstance(after, Shape) or isinstance(after.fill, Gradient):
            raise _fixed(old)
        fill = self.slide.background.fill
        fill.solid()
        fill.fore_color.rgb = rgb(after.fill)

    def _group(self, origin: Origin, old: Layer, new: Layer) -> None:
        """A group of shapes, a table, or a shape with its words."""
        assert isinstance(old.content, Group)
        assert isinstance(new.content, Group)
        if step := _shift(old, new):
            self._settle(origin, (origin.box.centre[0] + step[0], origin.box.centre[1] + step[1]))  # type: ignore[union-attr]
            return
        self._children(old.content.layers, new.content.layers, top=False)

    def _text(self, origin: Origin, old: Layer, new: Layer) -> None:
        assert isinstance(old.content, Text)
        assert isinstance(new.content, Text)
        assert origin.frame is not None
        if old.content.runs != new.content.runs:
            reword(origin.frame, new.content, origin.space.across)
        if (old.left, old.top, old.angle) == (new.left, new.top, new.angle):
            return
        if not origin.proper:
            self._inset(origin, old, new)
            return
        box = origin.box
        assert box is not None
        x, y = anchor(new)
        wider = (new.content.width or 0.0) - (old.content.width or 0.0)
        away = (
            origin.flat[0] - box.centre[0] - wider / 2,
            origin.flat[1] - box.centre[1] + _lowered(old.content, new.content, origin.stands),
        )
        across, down = turned(away, new.angle)
        size = (box.wide + wider, box.high) if wider else None
        self._settle(origin, (x - across, y - down), size=size, turn=new.angle - old.angle)

    def _inset(self, origin: Origin, old: Layer, new: Layer) -> None:
        """Move the words within their shape."""
        body = origin.element.find(f"{P}txBody/{A}bodyPr")
        if body is None:
            raise Refused(
                f"{old.name!r} stands in a cell of a table.",
                "Its words can be changed, restyled, deleted or swapped with those of another "
                "cell, but neither moved nor turned alone.", INSTEAD,
            )  # fmt: skip
        if new.angle != old.angle:
            raise Refused(
                f"{old.name!r} stands in a shape.",
                "Its words can be moved, but not turned alone.", "Turn the whole, or delete it.",
            )  # fmt: skip
        step = turned((new.left - old.left, new.top - old.top), -old.angle)
        for names, by in ((("lIns", "rIns"), step[0]), (("tIns", "bIns"), step[1])):
            for name, sign in zip(names, (1, -1), strict=True):
                was = whole_number(body.get(name, str(INSETS[name])))
                body.set(name, str(round(was + sign * by / origin.space.across)))

    def _settle(
        self, origin: Origin, centre: Point, *, size: Point | None = None, turn: float = 0.0
    ) -> None:
        """Put a shape's middle at a point of the slide, at a size in pixels where one is given."""
        shape, space = origin.shape, origin.space
        for angle, about in reversed(space.turns):
            centre = turned(centre, -angle, about)
        wide, high = shape.width, shape.height
        if size is not None:
            wide, high = round(size[0] / space.across), round(size[1] / space.down)
        left = round((centre[0] - space.left) / space.across - wide / 2)
        top = round((centre[1] - space.top) / space.down - high / 2)
        shape.left, shape.top, shape.width, shape.height = left, top, wide, high
        if turn % 360:
            shape.rotation = (shape.rotation + turn) % 360

    # ── pictures and shapes ─────────────────────────────────────────────────────────────

    def _picture(self, origin: Origin, old: Layer, new: Layer) -> None:
        if old.content != new.content:
            data = io.BytesIO(encode_png(new.pixels))
            _, name = self.slide.part.get_or_add_image_part(data)
            fill = origin.element.find(f"{P}blipFill")
            fill.find(f"{A}blip").set(f"{R}embed", name)
            if (crop := fill.find(f"{A}srcRect")) is not None:
                fill.remove(crop)
        if (old.left, old.top, old.angle, old.pixels.shape) != (
            new.left, new.top, new.angle, new.pixels.shape,
        ):  # fmt: skip
            high, wide = new.pixels.shape[:2]
            size = None if new.pixels.shape == old.pixels.shape else (float(wide), float(high))
            self._settle(origin, middle(new), size=size, turn=new.angle - old.angle)

    def _shape(self, origin: Origin, old: Layer, new: Layer) -> None:
        before, after = old.content, new.content
        assert isinstance(before, Shape)
        assert isinstance(after, Shape)
        if origin.element.tag == f"{A}tc":
            raise Refused(f"{old.name!r}, a cell of a table, was changed.",
                          "Of a table only words can be changed.", INSTEAD)  # fmt: skip
        if after.fill != before.fill:
            if isinstance(after.fill, Gradient):
                raise Refused(f"{old.name!r} was filled with a gradient.", "", INSTEAD)
            paint(origin.shape, after.fill)
        if after.stroke != before.stroke and after.stroke is not None:
            origin.shape.line.color.rgb = rgb(after.stroke.colour)
            origin.shape.line.width = self.maker.emu(after.stroke.width)
        if (old.left, old.top, old.angle, before.width, before.height) != (
            new.left, new.top, new.angle, after.width, after.height,
        ):  # fmt: skip
            self._settle(origin, middle(new), size=(after.width, after.height),
                         turn=new.angle - old.angle)  # fmt: skip


def _lowered(old: Text, new: Text, stands: float) -> float:
    """How much lower in its box a text begins than another would."""
    if old.runs == new.runs:
        return 0.0
    (rise, rest), (more, other) = raised(old), raised(new)
    return more - rise + stands * (rise + rest - more - other)


def _shift(old: Layer, new: Layer) -> Point | None:
    """How far all that is in a group was moved; None where it was not, or more was done."""
    pairs = list(zip(walk((old,)), walk((new,)), strict=False))
    leaves = [(a, b) for a, b in pairs if a.kind != "group"]
    if not leaves or [layer.id for layer in walk((old,))] != [layer.id for layer in walk((new,))]:
        return None
    step = (leaves[0][1].left - leaves[0][0].left, leaves[0][1].top - leaves[0][0].top)
    for a, b in leaves:
        moved = abs(b.left - a.left - step[0]) + abs(b.top - a.top - step[1]) < 1e-6
        if not moved or a.content != b.content or a.angle != b.angle or a.visible != b.visible:
            return None
    return step if step != (0.0, 0.0) else None


def _reorder(elements: Sequence[Any]) -> None:
    """Bring elements of one parent to an order, in the places that they have among others."""
    if not elements:
        return
    parent = elements[0].getparent()
    own = [element for element in elements if element.getparent() is parent]
    places = sorted(parent.index(element) for element in own)
    for element in own:
        parent.remove(element)
    for place, element in zip(places, own, strict=True):
        parent.insert(place, element)


def _fixed(layer: Layer) -> Refused:
    return Refused(
        f"{layer.name!r} belongs to the slide's layout, which other slides share.",
        "Only what stands on the slide itself can be changed.", INSTEAD,
    )  # fmt: skip
