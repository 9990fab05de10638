"""Hostile decks: each is read, or refused in a sentence."""

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from pptx_maker import deck, parts

from overpaint.document.layers import Layer, Run, Style, Text
from overpaint.document.model import Document
from overpaint.document.pptx import pages, read, write
from overpaint.errors import PictureError


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return deck(tmp_path_factory.mktemp("deck") / "deck.pptx")


def rewritten(source: Path, path: Path, **changes: bytes | None) -> Path:
    """A copy of a deck with some parts replaced; None leaves one out."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts(source).items():
            new = changes.get(name, data)
            if new is not None:
                file.writestr(name, new)
    return path


SLIDE = "ppt/slides/slide2.xml"


def test_entities_are_refused_in_any_part_and_encoding(source: Path, tmp_path: Path) -> None:
    xml = parts(source)[SLIDE]
    laughs = b'<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    head, body = xml.split(b"?>", 1)
    for data in (head + b"?>" + laughs + body, (laughs + body).decode().encode("utf-16")):
        bad = rewritten(source, tmp_path / "bad.pptx", **{SLIDE: data})
        with pytest.raises(PictureError, match=r"declares entities in 'ppt/slides/slide2.xml'"):
            read(bad, 2)


def test_what_is_missing_or_torn_is_an_error_in_a_sentence(source: Path, tmp_path: Path) -> None:
    for changes in (
        {SLIDE: b"<p:sld"}, {SLIDE: b"<a/>"}, {SLIDE: None}, {"[Content_Types].xml": None},
        {"ppt/presentation.xml": None}, {"ppt/_rels/presentation.xml.rels": None},
        {"ppt/slides/_rels/slide2.xml.rels": None},
    ):  # fmt: skip
        with pytest.raises(PictureError, match=r"no whole PPTX|no 'ppt|not whole"):
            read(rewritten(source, tmp_path / "bad.pptx", **changes), 2)  # type: ignore[arg-type]
    torn = tmp_path / "torn.pptx"
    torn.write_bytes(source.read_bytes()[:-3000])
    with pytest.raises(PictureError, match="no whole zip file"):
        pages(torn)


def test_a_bomb_is_refused_before_it_is_unpacked(source: Path, tmp_path: Path) -> None:
    bad = rewritten(source, tmp_path / "bomb.pptx", **{SLIDE: b" " * (30 << 20)})
    with pytest.raises(PictureError, match="more than 200 times"):
        read(bad, 2)


def test_groups_in_groups_without_end_are_refused(source: Path, tmp_path: Path) -> None:
    xml = parts(source)[SLIDE].decode()
    start = xml.index("<p:grpSp>")
    shell = ('<p:grpSp><p:nvGrpSpPr><p:cNvPr id="90" name="g"/><p:cNvGrpSpPr/><p:nvPr/>'
             '</p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/>'
             '<a:chOff x="0" y="0"/><a:chExt cx="9" cy="9"/></a:xfrm></p:grpSpPr>')  # fmt: skip
    for deep, why in ((60, "groups more than 40 deep"), (10_000, "no whole PPTX")):
        data = xml[:start] + shell * deep + "</p:grpSp>" * deep + xml[start:]
        bad = rewritten(source, tmp_path / "deep.pptx", **{SLIDE: data.encode()})
        with pytest.raises(PictureError, match=why):
            read(bad, 2)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('sz="2400"', 'sz="99999999999"'), ('sz="2400"', 'sz="-5"'), ('sz="2400"', 'sz="NaN"'),
        ('x="914400"', 'x="999999999999999"'), ('cx="3657600"', 'cx="-3657600"'),
        ('rot="-600000"', 'rot="1e400"'), ('val="C80000"', 'val="zzz"'),
        ("<a:chExt cx=", '<a:chExt cy="0" cx="0" odd='),
    ],
)  # fmt: skip
def test_odd_values_are_passed_over_or_refused(
    source: Path, tmp_path: Path, old: str, new: str
) -> None:
    data = parts(source)[SLIDE].decode().replace(old, new).encode()
    bad = rewritten(source, tmp_path / "odd.pptx", **{SLIDE: data})
    try:
        found = read(bad, 2)
    except PictureError:
        return
    assert found.size == (1280, 960)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(at=st.integers(0, 2000), put=st.binary(min_size=1, max_size=6))
def test_a_damaged_slide_is_read_or_refused(
    at: int, put: bytes, source: Path, tmp_path: Path
) -> None:
    xml = parts(source)[SLIDE]
    data = xml[:at] + put + xml[at + len(put) :]
    try:
        read(rewritten(source, tmp_path / "bad.pptx", **{SLIDE: data}), 2)
    except PictureError:
        return


def test_a_part_that_lies_under_another_name_is_refused(source: Path, tmp_path: Path) -> None:
    name = b"ppt/theme/theme1.xml"  # first where it lies, then in the directory
    (tmp_path / "a.pptx").write_bytes(source.read_bytes().replace(name, name[:-4] + b">xml", 1))
    with pytest.raises(PictureError, match=r"is no whole PPTX: .* differ.* Save or fetch it again"):
        read(tmp_path / "a.pptx", 2)


def test_a_picture_larger_than_the_limit_is_refused(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.BytesIO()
    Image.new("L", (3000, 3000)).save(out, "PNG")
    bad = rewritten(source, tmp_path / "big.pptx", **{"ppt/media/image1.png": out.getvalue()})
    monkeypatch.setenv("OVERPAINT_MAX_PIXELS", "2000000")
    with pytest.raises(PictureError, match="3000×3000 pixels; the limit"):
        read(bad, 2)


def test_what_xml_cannot_hold_is_shown_as_unknown_in_a_new_deck(tmp_path: Path) -> None:
    layer = Layer(Text((Run("a\ufffe\x01b", Style(size=20)),)), "n\x02", "1", 20, 40)
    write(Document(made=(layer,), canvas=(200, 100)), tmp_path / "a.pptx")
    seen = [one for one in read(tmp_path / "a.pptx") if isinstance(one.content, Text)]
    assert [(one.name, one.content.words) for one in seen] == [("n\ufffd", "a\ufffd\ufffdb")]


def test_too_many_pieces_of_text_are_refused_before_they_are_read(
    source: Path, tmp_path: Path
) -> None:
    xml = parts(source)[SLIDE].replace(
        b"</a:p>", b"<a:r><a:t>x</a:t></a:r>" * 20_000 + b"</a:p>", 1
    )
    many = rewritten(source, tmp_path / "many.pptx", **{SLIDE: xml})
    with pytest.raises(PictureError, match="more than 20,000 pieces of text on a slide"):
        read(many, 2)


def test_a_picture_of_an_unknown_kind_is_not_drawn_wherever_the_deck_lies(
    source: Path, tmp_path: Path
) -> None:
    (tmp_path / "pixels").mkdir()
    odd = rewritten(source, tmp_path / "pixels" / "odd.pptx", **{"ppt/media/image1.png": b"odd"})
    note = "a picture of a kind that is not read is not drawn; its format keeps it"
    assert note in read(odd, 2).notes
