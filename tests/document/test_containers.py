"""Containers: honest ones are read, tricks are refused in a sentence, and nothing is unpacked."""

import io
import stat
import struct
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.document import containers
from overpaint.document.containers import (
    Allowance,
    check_canvas,
    check_page,
    open_zip,
    parse_xml,
)
from overpaint.errors import PictureError, UserMistake


def zipped(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members:
            file.writestr(name, data)
    return path


def test_an_honest_zip_is_read_member_by_member(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", ("a/b.txt", b"words " * 99), ("目录/c", b""), ("d/", b""))
    file = open_zip(path)
    assert file.names == ("a/b.txt", "目录/c")
    assert file.read("a/b.txt") == b"words " * 99
    assert "a/b.txt" in file
    assert "d/" not in file
    file.check()
    with pytest.raises(PictureError, match=r"has no 'x' in it"):
        file.read("x")


@pytest.mark.parametrize("name", ["/etc/x", "../x", "a/../../x", "a\\x", "C:/x"])
def test_a_name_that_leads_outside_is_refused(tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path / "a.zip", ("q" * len(name), b"1"))
    path.write_bytes(path.read_bytes().replace(b"q" * len(name), name.encode()))
    with pytest.raises(PictureError, match="outside of itself"):
        open_zip(path)


def test_a_file_without_a_name_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", ("nameless", b"1"))
    path.write_bytes(path.read_bytes().replace(b"nameless", b"\0ameless"))
    with pytest.raises(PictureError, match="names a file .*ameless', outside of itself"):
        open_zip(path)


def test_links_duplicates_encryption_and_odd_methods_are_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(PictureError, match="has a link, 'link'"):
        open_zip(zipped(tmp_path / "a.zip", (link, b"/etc/passwd")))
    with pytest.warns(UserWarning, match="Duplicate"):
        twice = zipped(tmp_path / "b.zip", ("a", b"1"), ("a", b"2"))
    with pytest.raises(PictureError, match="two files named 'a'"):
        open_zip(twice)
    with zipfile.ZipFile(tmp_path / "c.zip", "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("a", b"1" * 99)
    with pytest.raises(PictureError, match="by method 12; only deflate is read"):
        open_zip(tmp_path / "c.zip")
    path = zipped(tmp_path / "d.zip", ("a", b"1"))
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(PictureError, match="an encrypted file, 'a'"):
        open_zip(path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", ("bomb", bytes(20 << 20)))
    assert path.stat().st_size < 30_000
    with pytest.raises(PictureError, match="packs 'bomb' more than 200 times"):
        open_zip(path)


def test_a_member_that_lies_about_its_size_is_refused_and_not_unpacked(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", ("bomb", bytes(20 << 20)))
    data = path.read_bytes().replace(struct.pack("<I", 20 << 20), struct.pack("<I", 1000))
    path.write_bytes(data)
    with pytest.raises(PictureError, match="does not have the 1,000 bytes it says"):
        open_zip(path).read("bomb")


def test_too_many_too_large_and_too_much_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = zipped(tmp_path / "a.zip", *((str(n), b"12345") for n in range(9)))
    monkeypatch.setattr(containers, "MAX_ENTRY", 4)
    with pytest.raises(PictureError, match="a file of 5 bytes, '0'; 4 are allowed"):
        open_zip(path)
    monkeypatch.setattr(containers, "MAX_TOTAL", 40)
    with pytest.raises(PictureError, match="unpacks to 45 bytes; 40 are allowed"):
        open_zip(path)
    for entries in (8, 4):  # by the directory, and by counting before it is read
        monkeypatch.setattr(containers, "MAX_ENTRIES", entries)
        with pytest.raises(PictureError, match=f"more than {entries} files"):
            open_zip(path)


@given(st.data())
def test_a_damaged_zip_is_whole_or_an_error_in_a_sentence(data: st.DataObject) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.txt", b"hello " * 40)
        file.writestr("b.txt", b"world")
    raw = bytearray(out.getvalue())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    raw = raw[: data.draw(st.integers(0, len(raw)))] if data.draw(st.booleans()) else raw
    path = Path("/nowhere/a.zip")
    whole = bytes(raw)
    original = containers.read_file
    containers.read_file = lambda _: whole
    try:
        open_zip(path).check()
    except PictureError as error:
        assert "a.zip" in str(error)
    finally:
        containers.read_file = original


# ── XML ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("text", [
    '<a xmlns="u:1" xmlns:b="u:2" b:c="1" d="2">one<b:e/>two<!-- no --><f>淘</f>tail</a>',
    '<?xml version="1.0"?><svg><text x="1">a &amp; b &#x6dd8;</text></svg>',
])  # fmt: skip
def test_xml_is_read_as_the_standard_library_reads_it(text: str) -> None:
    ours, theirs = parse_xml(text.encode()), ElementTree.fromstring(text)
    assert ElementTree.tostring(ours) == ElementTree.tostring(theirs)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gbk", "gb2312", "big5", "shift_jis"])
def test_xml_in_the_encodings_of_east_asia_is_read(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><a>日本</a>'
    assert parse_xml(text.encode(encoding)).text == "日本"


def test_a_plain_doctype_is_passed_over() -> None:
    text = b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://x/svg11.dtd"><svg/>'
    assert parse_xml(text).tag == "svg"


@pytest.mark.parametrize("text", [
    b'<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><a>&b;</a>',
    b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    b'<!DOCTYPE a [<!ENTITY % x SYSTEM "http://x/y">%x;]><a/>',
    b'<!DOCTYPE a SYSTEM "http://x/y"><a>&x;</a>',
])  # fmt: skip
def test_entities_are_refused_wherever_they_lead(text: bytes) -> None:
    with pytest.raises(PictureError, match="entity, '[abx]'. Entities can unpack without end"):
        parse_xml(text)


def test_xml_that_is_too_large_too_deep_or_too_many_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(PictureError, match="nested more than 100 deep"):
        parse_xml(b"<a>" * 201 + b"</a>" * 201)
    monkeypatch.setattr(containers, "MAX_ELEMENTS", 3)
    with pytest.raises(PictureError, match="more than 3 elements"):
        parse_xml(b"<a><b/><b/><b/></a>")
    monkeypatch.setattr(containers, "MAX_XML", 3)
    with pytest.raises(PictureError, match="The map has 4 bytes; 3 are allowed"):
        parse_xml(b"<a/>", "The map")


@given(st.binary(max_size=60) | st.text("<>/a&;![]'\" =?", max_size=60).map(str.encode))
def test_no_bytes_make_the_parser_raise_anything_else(data: bytes) -> None:
    try:
        parse_xml(data)
    except PictureError as error:
        assert "The XML" in str(error)


# ── pages and pixels ────────────────────────────────────────────────────────────────────


def test_a_page_that_is_not_there_is_the_users_mistake() -> None:
    check_page(Path("a.pdf"), 2, 2)
    with pytest.raises(UserMistake, match=r"a.pdf has 2 pages, and no page 3"):
        check_page(Path("a.pdf"), 3, 2)
    with pytest.raises(UserMistake, match=r"has 1 page, and no page 0"):
        check_page(Path("a.png"), 0, 1)


def test_a_canvas_and_layers_beyond_the_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERPAINT_MAX_PIXELS", "100")
    for size in ((0, 5), (11, 10)):
        with pytest.raises(PictureError, match=f"its canvas is {size[0]}×{size[1]}"):
            check_canvas(Path("a.psd"), size)
    with pytest.raises(PictureError, match="If you trust it, set OVERPAINT_MAX_PIXELS=110."):
        check_canvas(Path("a.psd"), (11, 10))
    allowance = Allowance(Path("a.psd"))
    for _ in range(2):
        allowance.take(10, 10)
    with pytest.raises(PictureError, match="have more than 200 pixels, or one has more than 100"):
        allowance.take(1, 1)
