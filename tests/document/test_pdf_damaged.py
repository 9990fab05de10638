"""Odd and damaged PDFs: each is read, or refused in a sentence."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pdf_maker import letter, pdf, texts
from reportlab.pdfgen.canvas import Canvas

from overpaint.document.model import Document
from overpaint.document.ops import ReplaceText
from overpaint.document.pdf import opening, pages, read, write
from overpaint.document.pdf.content import shows
from overpaint.document.where import Where
from overpaint.errors import PictureError, Refused, UserMistake


@pytest.fixture(autouse=True, scope="module")
def untried() -> Iterator[None]:
    """Pages made here need no trial, which takes a tenth of a second each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "try_page", lambda *_: None)
        yield


@pytest.fixture
def page(tmp_path: Path) -> Document:
    return read(pdf(tmp_path / "a.pdf", letter))


def test_broken_encrypted_and_huge_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    path = pdf(tmp_path / "a.pdf", letter)
    data = path.read_bytes()
    for name, bad in (("torn", data[:200]), ("empty", b""), ("zeros", b"%PDF-1.4" + bytes(500))):
        (tmp_path / name).write_bytes(bad)
        with pytest.raises(PictureError, match="is no whole PDF"):
            read(tmp_path / name)
    with pikepdf.open(path) as file:
        file.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(user="u", owner="o"))
    with pytest.raises(PictureError, match="is encrypted.*Save it without one"):
        pages(tmp_path / "locked.pdf")
    with pytest.raises(PictureError, match=r"1,000,000×1,000,000 points large.*smaller size"):
        read(pdf(tmp_path / "huge.pdf", letter, size=(1e6, 1e6)))
    with pytest.raises(UserMistake, match="has 1 page, and no page 2"):
        read(path, 2)


def test_a_large_page_is_drawn_at_fewer_dots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERPAINT_MAX_PIXELS", "1000000")
    found = read(pdf(tmp_path / "a.pdf", letter, size=(600, 400)))
    assert found.size[0] * found.size[1] <= 260_000
    assert found.notes == ("drawn at 73 dpi, for it is large",)


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "q " * 20_000, "Q " * 1000, "BT /F1 1e9 Tf 1 0 0 1 0 0 Tm (x) Tj ET",
        "BT /F1 20 Tf 1e38 0 0 1e38 0 0 Tm (x) Tj ET", "BT /Nothing 20 Tf (x) Tj ET",
        "BT /F1 20 Tf 0 0 0 0 0 0 Tm (x) Tj ET", "/Self Do", "[" * 5000, "BT (x) ' ET",
        "BT /F1 20 Tf 1 0 0 1 20 20 Tm (" + "x" * 3_000 + ") Tj ET", "1 0 0 1 nan inf cm",
    ],
)  # fmt: skip
def test_odd_contents_are_read_and_edited_or_refused(tmp_path: Path, code: str) -> None:
    def odd(canvas: Canvas) -> None:
        canvas.drawString(20, 100, "Meet Friday")
        canvas._code.append(code)

    try:
        found = read(pdf(tmp_path / "a.pdf", odd))
        write(ReplaceText(Where(text="Friday"), text="Monday")(found), tmp_path / "b.pdf")
    except (PictureError, Refused):
        return
    assert "Meet Monday" in texts(read(tmp_path / "b.pdf"))


def test_a_form_that_draws_itself_ends(tmp_path: Path) -> None:
    path = pdf(tmp_path / "a.pdf", letter)
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        form = file.make_stream(b"/Self Do", Type=pikepdf.Name.XObject, BBox=[0, 0, 99, 99])
        form.Subtype = pikepdf.Name.Form
        form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Self=form))
        form = file.make_indirect(form)
        form.Resources.XObject.Self = form
        file.pages[0].Resources.XObject = pikepdf.Dictionary(Self=form)
        file.pages[0].contents_add(b"/Self Do")
        file.save(path)
    assert texts(read(path))[0] == "Meet Friday"


def test_forms_that_draw_forms_without_end_are_refused(tmp_path: Path) -> None:
    with pikepdf.new() as file:
        page, inner = file.add_blank_page(page_size=(200, 200)), None
        for _ in range(12):
            form = file.make_stream(b"/X Do " * 10 if inner else b"0 0 1 1 re f")
            form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
            form.BBox = [0, 0, 9, 9]
            form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=inner or form))
            inner = form
        page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=inner))
        page.contents_add(b"/X Do")
        file.save(tmp_path / "a.pdf")
    with pytest.raises(PictureError, match="draws its parts more than 20,000 times"):
        read(tmp_path / "a.pdf")


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(at=st.integers(0, 3000), put=st.binary(min_size=1, max_size=8))
def test_a_damaged_pdf_is_read_or_refused(at: int, put: bytes, tmp_path: Path) -> None:
    data = pdf(tmp_path / "a.pdf", letter).read_bytes()
    (tmp_path / "b.pdf").write_bytes(data[:at] + put + data[at + len(put) :])
    try:
        read(tmp_path / "b.pdf")
    except PictureError:
        return


values = st.floats(allow_nan=False) | st.binary(max_size=3) | st.text(max_size=3)
operands = st.lists(values | st.lists(values, max_size=3), max_size=6)
names = "q Q BT ET Tm Td TD T* Tj TJ ' cm Tf Tz Ts Tc TL rg cs scn"
operators = st.sampled_from([*names.split(), '"'])


@settings(max_examples=50, deadline=None)
@given(content=st.lists(st.tuples(operands, operators), max_size=12))
def test_no_content_makes_the_walk_raise(content: list[Any]) -> None:
    for show in shows(content):
        assert show.items
