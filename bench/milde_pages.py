"""Pages of the planted conflicts: small layered designs, drawn from what their case says."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from overpaint.document import Document, Layer, Picture, Pixels
from overpaint.document.layers import Run, Shape, Style, Text
from overpaint.document.render import sheet_of
from overpaint.engines.milde.brush import plain_colour
from overpaint.engines.milde.figures import motif
from overpaint.engines.milde.palette import hexed

SIZES = {"portrait": (720, 1000), "landscape": (1000, 640), "square": (800, 800)}
# Baseline and size of each text; where a page is landscape they stand on the left, else centred.
SLOTS: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "portrait": {"organiser": (70, 22), "title": (165, 72), "subtitle": (228, 30),
                 "date": (690, 34), "place": (748, 28), "price": (804, 30), "cta": (868, 30),
                 "footer": (952, 22)},
    "landscape": {"organiser": (62, 20), "title": (140, 64), "subtitle": (196, 28),
                  "date": (300, 32), "place": (352, 26), "price": (404, 28), "cta": (466, 28),
                  "footer": (596, 20)},
    "square": {"organiser": (58, 20), "title": (134, 62), "subtitle": (186, 28), "date": (566, 32),
               "place": (616, 26), "price": (662, 28), "cta": (710, 28), "footer": (768, 20)},
}  # fmt: skip
# Corner and side of the pictures.
FIGURES: Mapping[str, Mapping[str, tuple[int, int, int]]] = {
    "portrait": {"motif": (210, 290, 300), "second": (545, 440, 140), "seal": (36, 300, 150)},
    "landscape": {"motif": (640, 200, 300), "second": (470, 420, 120), "seal": (470, 220, 130)},
    "square": {"motif": (270, 220, 270), "second": (60, 310, 140), "seal": (590, 230, 150)},
}
EDGE = 60
FACES = {"English": ("Montserrat", "Lora", "Roboto", "Poppins"),
         "Chinese": ("Noto Sans SC", "Noto Serif SC")}  # fmt: skip


def page(case: Mapping[str, Any], number: int) -> Document:
    """The document of a case; its number decides fonts, names and what the ground is made of."""
    size = SIZES[case["page"]]
    layers = [*_figures(case, size, number), *_texts(case, size, number)]
    named = [
        layer if number % 2 else replace(layer, name=f"{_called(case)} {at + 1}")
        for at, layer in enumerate(layers)
    ]
    return Document(made=tuple(named), canvas=size)


def _called(case: Mapping[str, Any]) -> str:
    return "Layer" if case["language"] == "English" else "图层"


def _figures(case: Mapping[str, Any], size: tuple[int, int], number: int) -> Iterator[Layer]:
    yield _ground(hexed(case["ground"]), size, shape=number % 3 == 0)
    places = FIGURES[case["page"]]
    for role in ("motif", "second"):
        if role in case:
            left, top, side = places[role]
            pixels = motif(case[role], side, "", ("", "#ffffff"))
            yield Layer(Picture(pixels), role, role, left=left, top=top)
    if "panel" in case:
        at, size_of = SLOTS[case["page"]]["date"]
        box = Shape("rectangle", 420, size_of * 2, plain_colour(hexed(case["panel"])), radius=8)
        left = (size[0] - 420) // 2
        yield Layer(box, "panel", "panel", left=left, top=round(at - size_of * 1.36))
    if "badge" in case["texts"]:
        left, top, side = places["seal"]
        disc = Shape("ellipse", side, side, plain_colour(hexed(case.get("seal", "wine"))))
        yield Layer(disc, "seal", "seal", left=left, top=top)


def _ground(colour: str, size: tuple[int, int], *, shape: bool) -> Layer:
    if shape:
        return Layer(Shape("rectangle", *size, plain_colour(colour)), "background", "ground")
    pixels: Pixels = np.empty((size[1], size[0], 4), np.uint8)
    pixels[:] = plain_colour(colour)
    return Layer(Picture(pixels), "background", "ground")


def _texts(case: Mapping[str, Any], size: tuple[int, int], number: int) -> Iterator[Layer]:
    faces = FACES[case["language"]]
    for role, words in case["texts"].items():
        family = faces[number % len(faces)]
        weight = 700 if role in ("title", "badge") else 400
        style = Style(family, 0.0, weight, colour=plain_colour(hexed(_ink(case, role))))
        live = _fitted(case, role, words, style)
        yield live if case["live"] else _pixels(live)


def _ink(case: Mapping[str, Any], role: str) -> str:
    if role == "badge":
        return str(case.get("seal_ink", "white"))
    return str(case["panel_ink"] if role == "date" and "panel" in case else case["ink"])


def _fitted(case: Mapping[str, Any], role: str, words: str, style: Style) -> Layer:
    """The words in their slot, as large as it has room for."""
    wide = SIZES[case["page"]][0]
    row = case.get("row") and role in ("date", "place")
    if role == "badge":
        left, top, side = FIGURES[case["page"]]["seal"]
        x, y, size, room = left + side / 2, top + side * 0.56, 28, side - 24
    else:
        y, size = SLOTS[case["page"]][role]
        room = 200 if row else wide - 2 * EDGE
        x = wide / 2
    centred = role == "badge" or (case["page"] != "landscape" and not row)
    if not centred:
        x = EDGE + (room + 60 if row and role == "place" else 0)
    if row:
        y = SLOTS[case["page"]]["date"][0]
    style = replace(style, size=float(size), align="centre" if centred else "left")
    layer = Layer(Text((Run(words, style),)), role, role, left=float(x), top=float(y))
    sheet = sheet_of(layer)
    assert sheet is not None
    share = room / (sheet.box[2] - sheet.box[0])
    if share >= 1:
        return layer
    smaller = replace(style, size=float(int(size * share)))
    return replace(layer, content=Text((Run(words, smaller),)))


def _pixels(live: Layer) -> Layer:
    sheet = sheet_of(live)
    assert sheet is not None
    return Layer(Picture(sheet.pixels), live.name, live.id, left=sheet.left, top=sheet.top)
