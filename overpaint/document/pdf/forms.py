"""Forms of a PDF: a part that draws parts that draw parts can ask for more than any machine has.

Ten forms that draw each other ten times each are a file of two kilobytes and a page of ten
thousand million objects. They are counted before anything is drawn.
"""

import io
from collections import Counter
from pathlib import Path
from typing import Any

import pikepdf

from overpaint.errors import PictureError

MAX_FORMS = 20_000  # drawn on one page
MAX_DEEP = 50


def check_forms(path: Path, data: bytes, number: int) -> None:
    """Refuse a page whose forms would be drawn more often than any page needs."""
    if data.count(b"/Form") < 2 and b"/ObjStm" not in data:
        return
    try:
        with pikepdf.open(io.BytesIO(data)) as file:
            page = file.pages[number - 1]
            count = _drawn(page.obj, page.get("/Resources"), {}, 0)
    except (pikepdf.PdfError, pikepdf.PasswordError, IndexError, TypeError, ValueError):
        return  # what is wrong with it, pdfium says
    if count > MAX_FORMS:
        raise PictureError(
            f"A page of {path} draws its parts more than {MAX_FORMS:,} times.",
            "A page has no need of that, an attack has.",
        )


def own_dpi(data: bytes, number: int) -> float | None:
    """The dots of an inch that a page made by Overpaint had; None where it says nothing."""
    if b"/XXOverpaint" not in data:
        return None
    try:
        with pikepdf.open(io.BytesIO(data)) as file:
            dpi = float(file.pages[number - 1].XXOverpaint.Dpi)
    except (pikepdf.PdfError, AttributeError, IndexError, TypeError, ValueError):
        return None
    return dpi if 1 <= dpi <= 1200 else None


def _drawn(holder: Any, resources: Any, known: dict[Any, int], deep: int) -> int:
    """How many forms are drawn by a page's or a form's content, itself counted; up to the limit."""
    forms = _forms(resources)
    if not forms or deep > MAX_DEEP:
        return 1
    asked = Counter(
        str(one.operands[0])
        for one in pikepdf.parse_content_stream(holder, "Do")
        if isinstance(one, pikepdf.ContentStreamInstruction) and len(one.operands) == 1
    )
    total = 1
    for name, times in asked.items():
        if name not in forms:
            continue
        form = forms[name]
        key = form.objgen if form.is_indirect else id(form)
        if key not in known:
            known[key] = 0  # a form that draws itself draws nothing, and ends here
            known[key] = _drawn(form, form.get("/Resources"), known, deep + 1)
        total = min(total + times * known[key], MAX_FORMS + 1)
    return total


def _forms(resources: Any) -> dict[str, Any]:
    if not isinstance(resources, pikepdf.Dictionary):
        return {}
    drawn = resources.get("/XObject")
    if not isinstance(drawn, pikepdf.Dictionary):
        return {}
    return {name: form for name, form in drawn.items() if isinstance(form, pikepdf.Stream)
            and form.get("/Subtype") == "/Form"}  # fmt: skip
