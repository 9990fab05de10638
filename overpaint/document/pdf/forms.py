"""Forms of a PDF: a part that draws parts that draw parts can ask for more than any machine has.

Ten forms that draw each other ten times each are a file of two kilobytes and a page of ten
thousand million objects. They are counted before anything is drawn.
"""

import io
import zlib
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import pikepdf

from overpaint.errors import PictureError

MAX_FORMS = 20_000  # drawn on one page
MAX_DEEP = 50
MAX_PARTS = 5_000  # of a page's content, which may all be one
MAX_CONTENT = 64_000_000  # bytes of a page's or a form's content


def check_forms(path: Path, data: bytes, number: int) -> None:
    """Refuse a page whose content is more, or drawn more often, than any page needs."""
    try:
        page = _file(data).pages[number - 1]
        _check_contents(path, page.obj.get("/Contents"))
        count = _drawn(path, page.obj, page.get("/Resources"), {})
    except (pikepdf.PdfError, pikepdf.PasswordError, IndexError, TypeError, ValueError,
            RuntimeError):  # fmt: skip
        return  # what is wrong with it, pdfium says
    if count > MAX_FORMS:
        raise PictureError(
            f"A page of {path} draws its parts more than {MAX_FORMS:,} times.",
            "A page has no need of that, an attack has.",
        )


@lru_cache(maxsize=1)
def _file(data: bytes) -> Any:
    """The file, opened once for all of its pages."""
    return pikepdf.open(io.BytesIO(data))


def own_dpi(data: bytes, number: int) -> float | None:
    """The dots of an inch that a page made by Overpaint had; None where it says nothing."""
    if b"/XXOverpaint" not in data:
        return None
    try:
        dpi = float(_file(data).pages[number - 1].XXOverpaint.Dpi)
    except (pikepdf.PdfError, AttributeError, IndexError, TypeError, ValueError, RuntimeError):
        return None
    return dpi if 1 <= dpi <= 1200 else None


def _check_contents(path: Path, contents: Any) -> None:
    """Refuse a page's content, or a form's, of more parts or bytes than any page needs."""
    parts = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
    if len(parts) > MAX_PARTS:
        raise PictureError(
            f"The content of a page of {path} is in more than {MAX_PARTS:,} parts.",
            "A page has no need of that, an attack has.",
        )
    room = MAX_CONTENT
    for part in parts:
        if isinstance(part, pikepdf.Stream) and part.get("/Filter") is not None:
            room -= _unpacked(part, room)
        if room < 0:
            raise PictureError(
                f"The content of a page of {path} unpacks to more than {MAX_CONTENT:,} bytes.",
                "A page has no need of that, an attack has.",
            )


def _unpacked(part: Any, most: int) -> int:
    """How long a packed stream is once it is unpacked; beyond the most, more than that."""
    data = bytes(part.read_raw_bytes())
    kinds = part.get("/Filter")
    for kind in kinds if isinstance(kinds, pikepdf.Array) else [kinds]:
        if kind != "/FlateDecode":
            return len(data)  # other ways do not make much of little
        try:
            data = zlib.decompressobj().decompress(data, most + 1)
        except zlib.error:
            return len(data)
    return len(data)


def _drawn(path: Path, holder: Any, resources: Any, known: dict[Any, int], deep: int = 0) -> int:
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
            _check_contents(path, form)
            known[key] = _drawn(path, form, form.get("/Resources"), known, deep + 1)
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
