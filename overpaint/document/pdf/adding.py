"""Adding to a PDF: new layers above all that is on a page, which stays as it is."""

import io
from collections.abc import Sequence
from typing import Any

from pikepdf import Dictionary

from overpaint.document.layers import Layer
from overpaint.document.pdf.canvas import Canvas
from overpaint.document.pdf.content import Instruction, inverted
from overpaint.document.pdf.encoding import content_of, editable
from overpaint.document.pdf.fonts import Fonts
from overpaint.document.pdf.fresh import Maker
from overpaint.document.pdf.page import Page


def add(data: bytes, page: Page, layers: Sequence[Layer]) -> tuple[bytes, Maker]:
    """The file with new layers above all that is on a page, and how they were put there."""
    base = inverted(page.device)
    assert base is not None
    maker = Maker(page.size)
    with editable(data) as file:
        sheet = file.pages[page.number - 1]
        canvas = Canvas(file, Fonts(file), base, _unused(sheet))
        with canvas.kept(base):
            maker.layers(canvas, [layer for layer in layers if layer.visible])
        _own_resources(sheet, canvas)
        open_ones = _unclosed(content_of(file, page.number)[1])
        sheet.contents_add(b"q", prepend=True)
        sheet.contents_add(b"Q " * (open_ones + 1) + canvas.data(canvas.fonts.put()))
        out = io.BytesIO()
        file.save(out)
    return out.getvalue(), maker


def _unclosed(content: Sequence[Instruction]) -> int:
    """How many states a page's content leaves to be restored."""
    deep = 0
    for _, operator in content:
        deep = deep + 1 if operator == "q" else max(0, deep - 1) if operator == "Q" else deep
    return deep


def _unused(sheet: Any) -> str:
    """What no name of a page's resources begins with."""
    held = sheet.get("/Resources", Dictionary())
    names = {str(name) for things in held.values() if isinstance(things, Dictionary)
             for name, _ in things.items()}  # fmt: skip
    marks = (f"Op{number}x" for number in range(len(names) + 1))
    return next(mark for mark in marks if not any(name.startswith(f"/{mark}") for name in names))


def _own_resources(sheet: Any, canvas: Canvas) -> None:
    """Give a page what is named on a canvas; other pages that share its resources get nothing."""
    held: Any = Dictionary(dict(sheet.get("/Resources", {}).items()))
    for kind, things in canvas.resources().items():
        known: Any = Dictionary(dict(held.get(kind, {}).items()))
        for name, thing in things.items():
            known[name] = thing
        held[kind] = known
    sheet.obj.Resources = held
