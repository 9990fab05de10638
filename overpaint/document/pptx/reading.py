"""Reading PPTX: a slide's words, pictures, shapes, groups and tables as layers."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from overpaint.document.containers import UNREAD, Allowance
from overpaint.document.layers import Group, Layer, Picture, Pixels, Shape
from overpaint.document.model import Document
from overpaint.document.pptx.cells import ground_of, inherited, placed_cells
from overpaint.document.pptx.deck import Box, Deck, Space, open_deck, whole
from overpaint.document.pptx.shapes import shape_of
from overpaint.document.pptx.texts import Frame, Inherited, frame_of, placeholder_lists, raised
from overpaint.document.pptx.theme import A, P, R, Theme, local, theme_of, whole_number
from overpaint.document.turning import anchored, turned
from overpaint.errors import PictureError

MAX_SHAPES = 5000
MAX_RUNS = 20_000  # of words in one style, on one slide
MAX_DEPTH = 40
INSETS = {"lIns": 91440, "tIns": 45720, "rIns": 91440, "bIns": 45720}


@dataclass(frozen=True)
class Origin:
    """What a layer is in the deck."""

    element: Any  # of the shape, the cell or the group; None: not of this slide
    space: Space
    box: Box | None = None
    frame: Frame | None = None
    flat: tuple[float, float] = (0.0, 0.0)  # its place if nothing were turned
    stands: float = 0.0  # words: 0 at the top of their box, ½ in the middle, 1 at the bottom
    shape: Any = None  # as python-pptx has it
    proper: bool = True  # whether it is all of the element, or words in a shape or cell


@dataclass
class Reading:
    """A slide as layers, and what each of them is in the deck."""

    deck: Deck
    path: Path
    layers: tuple[Layer, ...] = ()
    origins: dict[str, Origin] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)


def read(path: Path, page: int = 1) -> Document:
    """One slide as a document."""
    found = reading(path, page)
    return Document(
        made=found.layers, canvas=found.deck.size, page=page, origin=path, said=tuple(found.notes)
    )


def reading(path: Path, page: int) -> Reading:
    """One slide as layers, with all that a writer needs to change it."""
    deck = open_deck(path, page)
    result = Reading(deck, path)
    with whole(path):
        result.layers = tuple(_Reader(result).layers())
    return result


class _Reader:
    """Makes layers of a slide's shapes."""

    def __init__(self, result: Reading) -> None:
        self.result, self.deck, self.notes = result, result.deck, result.notes
        self.slide = result.deck.slide
        self.layout = self.slide.slide_layout
        self.master = self.layout.slide_master
        self.theme: Theme = theme_of(self.master)
        self.allowance = Allowance(result.path)
        self.count = self.runs = 0

    def layers(self) -> Iterator[Layer]:
        """All layers of the slide, bottom first."""
        yield self.background()
        scale = self.deck.scale
        space = Space(scale, scale)
        fixed = list(self.fixed(space))
        if fixed:
            self.result.origins["layout"] = Origin(None, space)
            yield Layer(Group(tuple(fixed)), "layout", "layout", blend="pass-through")
        yield from self.inside(self.slide.shapes, space, 0)

    def note(self, words: str) -> None:
        if len(self.notes) < 50:
            self.notes[words] = None

    # ── what is below the slide's own shapes ────────────────────────────────────────────

    def background(self) -> Layer:
        """The nearest background that the slide, its layout or its master has."""
        wide, high = self.deck.size
        self.result.origins["background"] = Origin(None, Space(1, 1))
        for sheet in (self.slide, self.layout, self.master):
            bg = sheet.element.find(f"{P}cSld/{P}bg")
            if bg is None:
                continue
            picture = bg.find(f"{P}bgPr/{A}blipFill/{A}blip")
            if picture is not None and (pixels := self._blip(sheet.part, picture)) is not None:
                shown = _resized(pixels, self.deck.size)
                return Layer(Picture(shown), "background", "background")
            fill = self.theme.fill(bg.find(f"{P}bgPr")) or self.theme.colour(bg.find(f"{P}bgRef"))
            if fill:
                shape = Shape("rectangle", float(wide), float(high), fill)
                return Layer(shape, "background", "background")
        return Layer(Shape("rectangle", float(wide), float(high), (255, 255, 255, 255)),
                     "background", "background")  # fmt: skip

    def fixed(self, space: Space) -> Iterator[Layer]:
        """What the master and the layout draw on every slide."""
        if self.slide.element.get("showMasterSp", "1") in ("0", "false"):
            return
        sheets = [self.layout]
        if self.layout.element.get("showMasterSp", "1") not in ("0", "false"):
            sheets.insert(0, self.master)
        for name, sheet in zip(("layout", "master")[: len(sheets)], reversed(sheets), strict=True):
            for shape in sheet.shapes:
                if not shape.is_placeholder:
                    yield from self.shape(shape, space, 0, prefix=f"{name}-")

    # ── shapes ──────────────────────────────────────────────────────────────────────────

    def inside(self, shapes: Any, space: Space, depth: int) -> Iterator[Layer]:
        """The layers of some shapes, bottom first."""
        for other in shapes._spTree.iterchildren() if depth == 0 else ():
            if local(other) in ("AlternateContent", "contentPart"):
                self.note(f"{local(other)} is not drawn; its format keeps it")
        for shape in shapes:
            yield from self.shape(shape, space, depth)

    def shape(self, shape: Any, space: Space, depth: int, prefix: str = "") -> Iterator[Layer]:
        """The layers of one shape: none, one, or a group."""
        self.count += 1
        if self.count > MAX_SHAPES or depth > MAX_DEPTH:
            raise PictureError(
                f"{self.result.path} has more than {MAX_SHAPES:,} shapes on a slide, or groups "
                f"more than {MAX_DEPTH} deep."
            )
        kind = local(shape.element)
        place = (shape.left, shape.top, shape.width, shape.height)
        if any(value is None for value in place):
            return
        box = space.box(place, getattr(shape, "rotation", 0.0) or 0.0)
        if not _sane(box, self.deck.size):
            self.note(f"{shape.name!r} is far off the slide, and not drawn")
            return
        key = self._key(f"{prefix}{shape.shape_id}")
        origin = Origin(None if prefix else shape.element, space, box, shape=shape)
        made: list[Layer] = []
        if kind == "grpSp":
            made = [self.group(shape, origin, key, (depth, prefix))]
        elif kind == "pic":
            made = list(self.picture(shape, origin, key))
        elif kind in ("sp", "cxnSp"):
            made = list(self.auto(shape, origin, key))
        elif kind == "graphicFrame" and shape.has_table:
            made = [self.table(shape, origin, key)]
        else:
            what = "a chart" if getattr(shape, "has_chart", False) else "an object"
            self.note(f"{shape.name!r}, {what}, is not drawn; its format keeps it")
        hidden = shape.element.xpath(".//*[local-name()='cNvPr'][1]/@hidden")[:1] in (
            ["1"],
            ["true"],
        )
        yield from (replace(layer, visible=not hidden) for layer in made)

    def _key(self, key: str) -> str:
        while key in self.result.origins:
            key += "'"
        return key

    def group(self, shape: Any, origin: Origin, key: str, more: tuple[int, str]) -> Layer:
        depth, prefix = more
        self.result.origins[key] = origin
        xfrm = shape.element.find(f"{P}grpSpPr/{A}xfrm")
        space = origin.space
        if xfrm is not None and origin.box is not None:
            parts = [xfrm.find(f"{A}{name}") for name in ("off", "ext", "chOff", "chExt")]
            if all(part is not None for part in parts):
                values = [whole_number(part.get(n)) for part, names in
                          zip(parts, (("x", "y"), ("cx", "cy")) * 2, strict=True)
                          for n in names]  # fmt: skip
                space = space.inside(tuple(values[:4]), tuple(values[4:]), shape.rotation)
        layers: list[Layer] = []
        for child in shape.shapes:
            layers += self.shape(child, space, depth + 1, prefix)
        return Layer(Group(tuple(layers)), shape.name, key, blend="pass-through")

    def auto(self, shape: Any, origin: Origin, key: str) -> Iterator[Layer]:
        """A shape with its words: one layer, or a group of both."""
        drawn, note = shape_of(shape, origin, self.theme)
        if note:
            self.note(f"{shape.name!r}: {note}")
        text = self.words(shape, origin, f"{key}-text" if drawn else key)
        if drawn and text:
            self.result.origins[key] = origin
            self.result.origins[f"{key}-shape"] = replace(origin, proper=False)
            shown = replace(drawn, id=f"{key}-shape", name=shape.name)
            yield Layer(Group((shown, text)), shape.name, key, blend="pass-through")
        elif drawn:
            self.result.origins[key] = origin
            yield replace(drawn, id=key, name=shape.name)
        elif text:
            yield text

    # ── words ───────────────────────────────────────────────────────────────────────────

    def words(self, shape: Any, origin: Origin, key: str) -> Layer | None:
        """The words of a shape as a text layer; None where it says nothing."""
        body = shape.element.find(f"{P}txBody")
        if body is None or not "".join(body.itertext()).strip():
            return None
        lists, bodies = placeholder_lists(shape, self.layout, self.master, self.deck.presentation)
        shade = self.theme.colour(shape.element.find(f"{P}style/{A}fontRef"))
        given = Inherited(tuple(lists), tuple(bodies), self.theme, shade)
        proper = "-text" not in key
        return self.framed(body, given, replace(origin, proper=proper), (key, shape.name))

    def framed(
        self, body: Any, given: Inherited, origin: Origin, names: tuple[str, str]
    ) -> Layer | None:
        """The words of a frame in their place, as they are anchored and turned."""
        assert origin.box is not None
        self.runs += sum(1 for _ in body.iter(f"{A}p", f"{A}r", f"{A}br", f"{A}fld"))
        if self.runs > MAX_RUNS:
            many = f"more than {MAX_RUNS:,} pieces of text on a slide"
            raise PictureError(f"{self.result.path} has {many}.")
        box, angle = origin.box, origin.box.angle
        upright = {"vert": 90.0, "vert270": 270.0, "eaVert": 90.0}.get(given.body("vert", "horz"))
        if upright:
            box, angle = Box(box.centre, box.high, box.wide), angle + upright
        scale = origin.space.across
        inset = {name: whole_number(given.body(name, str(usual))) * scale
                 for name, usual in INSETS.items()}  # fmt: skip
        room = max(1.0, box.wide - inset["lIns"] - inset["rIns"])
        wraps = given.body("wrap", "square") != "none"
        frame = frame_of(body, given, scale, room if wraps else None)
        if not frame.text.words.strip():
            return None
        if frame.pictured:
            self.note("bullets that are pictures are not drawn; their format keeps them")
        left = box.left + inset["lIns"] + frame.indent
        if not wraps:
            part = {"centre": 0.5, "right": 1.0}.get(frame.text.style.align, 0.0)
            left += (room - frame.indent) * part
        rise, rest = raised(frame.text)
        spare = box.high - inset["tIns"] - inset["bIns"] - rise - rest
        part = {"ctr": 0.5, "b": 1.0}.get(given.body("anchor", "t"), 0.0)
        top = box.top + inset["tIns"] + rise + spare * part
        flat = (round(left, 3), round(top, 3))
        self.result.origins[names[0]] = replace(origin, frame=frame, flat=flat, stands=part)
        name = " ".join(frame.text.words.split())[:40] if not names[1] else names[1]
        layer = Layer(frame.text, name, names[0], *flat)
        if angle % 360:
            return anchored(layer, angle % 360, turned(flat, angle, box.centre))
        return layer

    def table(self, shape: Any, origin: Origin, key: str) -> Layer:
        """A table: its cells' grounds and words, and the lines between them."""
        self.result.origins[key] = origin
        layers: list[Layer] = []
        for name, cell, box in placed_cells(shape, origin.space):
            element = cell._tc if origin.element is not None else None
            own = replace(origin, element=element, box=box, proper=False)
            layers += self._cell(cell, own, f"{key}-{name}")
        return Layer(Group(tuple(layers)), shape.name, key, blend="pass-through")

    def _cell(self, cell: Any, origin: Origin, key: str) -> Iterator[Layer]:
        box = origin.box
        assert box is not None
        self.result.origins[f"{key}-cell"] = origin
        ground = ground_of(cell, box, self.theme, origin.space.across)
        yield Layer(ground, f"cell {key}", f"{key}-cell", box.left, box.top)
        body = cell._tc.find(f"{A}txBody")
        if body is None or not "".join(body.itertext()).strip():
            return
        defaults = self.deck.presentation.element.find(f"{P}defaultTextStyle")
        given = inherited(cell, body, self.theme, defaults)
        if layer := self.framed(body, given, origin, (key, "")):
            yield layer

    # ── pictures ────────────────────────────────────────────────────────────────────────

    def picture(self, shape: Any, origin: Origin, key: str) -> Iterator[Layer]:
        blip = shape.element.find(f"{P}blipFill/{A}blip")
        pixels = self._blip(shape.part, blip)
        box = origin.box
        if pixels is None or box is None:
            return
        high, wide = pixels.shape[:2]
        crop = (shape.crop_left, shape.crop_top, shape.crop_right, shape.crop_bottom)
        left, top, right, bottom = (min(0.99, max(0.0, part)) for part in crop)
        x0, y0 = int(left * wide), int(top * high)
        x1, y1 = round((1 - right) * wide), round((1 - bottom) * high)
        part = pixels[y0 : max(y0 + 1, y1), x0 : max(x0 + 1, x1)]
        flip = shape.element.find(f"{P}spPr/{A}xfrm")
        if flip is not None and flip.get("flipH") == "1":
            part = part[:, ::-1]
        if flip is not None and flip.get("flipV") == "1":
            part = part[::-1]
        size = (max(1, round(box.wide)), max(1, round(box.high)))
        self.allowance.take(*size)
        shown = Picture(_resized(np.ascontiguousarray(part), size))
        self.result.origins[key] = origin
        place = (round(box.centre[0] - size[0] / 2, 3), round(box.centre[1] - size[1] / 2, 3))
        yield Layer(shown, shape.name, key, *place, box.angle)

    def _blip(self, part: Any, blip: Any) -> Pixels | None:
        """The pixels of a picture in the deck; None where they are of a kind that is not read."""
        name = blip.get(f"{R}embed") if blip is not None else None
        if not name:
            self.note("pictures outside the deck are not fetched, and not drawn")
            return None
        pixels = self.allowance.within(part.related_part(name).blob)
        if pixels is None:
            self.note(UNREAD)
        return pixels


def _sane(box: Box, size: tuple[int, int]) -> bool:
    far = 4 * max(size)
    return max(box.wide, box.high, abs(box.centre[0]), abs(box.centre[1])) < far


def _resized(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    if pixels.shape[1::-1] == size:
        return pixels
    import cv2

    how = cv2.INTER_AREA if size[0] < pixels.shape[1] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, size, interpolation=how))
