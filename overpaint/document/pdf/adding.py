"""Adding to a PDF: new layers above all that is on a page, which stays as it is."""

from collections.abc import Sequence
from typing import Any

from pikepdf import Dictionary

from overpaint.document.layers import Layer
from overpaint.document.pdf.canvas import Canvas
from overpaint.document.pdf.content import Instruction, inverted
from overpaint.document.pdf.encoding import content_of, editable, of_the_file, packed
from overpaint.document.pdf.fonts import Fonts
from overpaint.document.pdf.fresh import Maker
from overpaint.document.pdf.page import Page


def add(data: bytes, page: Page, layers: Sequence[Layer]) -> tuple[bytes, Maker]:
    """The file with new layers above all that is on a page, and how they were put there."""
    base = inverted(page.device)
    assert base is not None
    maker = Maker(page.size)
    with editable(data) as file:
        open_ones = _unclosed(content_of(file, page.number)[1])
        sheet = file.pages[page.number - 1]
        canvas = Canvas(file, Fonts(file), base, _unused(sheet))
        with canvas.kept(base):
            maker.layers(canvas, [layer for layer in layers if layer.visible])
        resources = canvas.resources()
        drawn = b"Q " * (open_ones + 1) + canvas.data(canvas.fonts.put())
        _put(sheet, resources, drawn)
        return packed(file), maker


def _unclosed(content: Sequence[Instruction]) -> int:
    """How many states a page's content leaves to be restored."""
    deep = 0
    for _, operator in content:
        deep = deep + 1 if operator == "q" else max(0, deep - 1) if operator == "Q" else deep
    return deep


@of_the_file()
def _unused(sheet: Any) -> str:
    """What no name of a page's resources begins with."""
    held = sheet.get("/Resources", Dictionary())
    names = {str(name) for things in held.values() if isinstance(things, Dictionary)
             for name, _ in things.items()}  # fmt: skip
    marks = (f"Op{number}x" for number in range(len(names) + 1))
    return next(mark for mark in marks if not any(name.startswith(f"/{mark}") for name in names))


@of_the_file()
def _put(sheet: Any, resources: Any, drawn: bytes) -> None:
    """Give a page a canvas and what it names; other pages that share its resources get nothing."""
    held: Any = Dictionary(dict(sheet.get("/Resources", {}).items()))
    for kind, things in resources.items():
        known: Any = Dictionary(dict(held.get(kind, {}).items()))
        for name, thing in things.items():
            known[name] = thing
        held[kind] = known
    sheet.obj.Resources = held
    sheet.contents_add(b"q", prepend=True)
    sheet.contents_add(drawn)
