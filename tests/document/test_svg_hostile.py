"""Hostile SVGs: each is read, or refused in a sentence, and reaches for nothing."""

import base64
import io
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from svg_maker import HEAD, POSTER, body, svg

from overpaint.document.layers import Text
from overpaint.document.svg import pages, read, reading, write
from overpaint.document.svg.geometry import clipped, outlines, transform
from overpaint.document.svg.styles import colour
from overpaint.errors import PictureError


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{HEAD}width='9' height='9'>" + "<g>" * 10_000, "nested more than"),
        ('<!DOCTYPE svg [<!ENTITY a "b">]>' + f"{HEAD}width='9' height='9'><text>&a;</text></svg>",
         "entity"),
        (f'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>{HEAD}>&a;</svg>', "entity"),
        (f"{HEAD}width='9' height='9'><text>", "no whole XML"),
        ("<html></html>", "begins with <html>"),
        (f"{HEAD}width='999999' height='999999'/>", "canvas"),
        (f"{HEAD}width='0' height='5'/>", "canvas"),
    ],
)  # fmt: skip
def test_a_hostile_svg_is_refused_in_a_sentence(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(PictureError, match=why):
        read(svg(tmp_path, text))


def _spelt(text: str) -> str:
    """The text as letters of `raw_unicode_escape`."""
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


@pytest.mark.parametrize(
    "hidden",
    ["--><g><g><g><!--", "<", "--><!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><!--"],
)
@pytest.mark.parametrize("encoding", ["raw_unicode_escape", "unicode_escape", "utf-7", "hz", "x"])
def test_an_encoding_that_can_hide_markup_is_refused(
    tmp_path: Path, hidden: str, encoding: str
) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><!-- {_spelt(hidden)} -->{HEAD}/>'
    with pytest.raises(PictureError, match=f"is in the encoding '{encoding}'. UTF-8 was expected"):
        read(svg(tmp_path, text))


def test_bytes_that_an_encoding_does_not_have_are_refused(tmp_path: Path) -> None:
    text = f'<?xml version="1.0" encoding="gbk"?>{HEAD}/>'
    with pytest.raises(PictureError, match="says that it is in gbk, and has bytes that are not"):
        read(svg(tmp_path, text.encode() + b"\xff\xff"))
    with pytest.raises(PictureError, match="in utf-16-le, and has bytes that are not"):
        read(svg(tmp_path, b"\xff\xfe" + f"{HEAD}/>".encode("utf-16-le") + b"\0\xd8"))


@pytest.mark.parametrize(
    "inner",
    [
        '<rect x="nan" y="inf" width="1e308" height="1e9999"/>',
        '<rect width="900000" height="900000" stroke="red" stroke-width="900000"/>',
        '<circle r="1e6" cx="-1e6" transform="scale(1e6) rotate(nan)"/>',
        '<text font-size="1e6" x="1e300" y="nan" letter-spacing="1e9">Big</text>',
        '<text font-size="0" x="," y="">Nothing</text>',
        '<path d="' + "a1 1 0 11" * 1000 + '"/>',
        '<polygon points="' + "9,9 " * 20_000 + '"/>',
        '<rect width="5" height="5" transform="' + "scale(99999)" * 500 + '"/>',
        '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>'
        '<rect width="5" height="5" fill="url(#a)"/>',
        '<image width="9" height="9" href="data:image/png;base64,AAAA="/>',
        '<image width="9" height="9" href="data:,"/>',
        "<style>" + "a{" * 10_000 + "</style>",
        '<text data-style="[[[[" data-width="nan" x="5">x</text>',
        "<script>alert(1)</script><foreignObject><p/></foreignObject>",
        '<rect width="5" height="5" fill="url(#none) rgb(," stroke="rgb(x)"/>',
    ],
)  # fmt: skip
def test_odd_values_are_passed_over_within_time_and_memory(tmp_path: Path, inner: str) -> None:
    try:
        found = body(tmp_path, inner)
    except PictureError:
        return  # a picture that is none is an error, as everywhere
    assert found.rgb.shape == (80, 100, 3)
    write(found, tmp_path / "b.svg")


@pytest.mark.slow
def test_paths_of_too_many_points_are_not_drawn_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = "paths of too many points are not drawn; their format keeps them"
    assert body(tmp_path, '<path d="M0 0L' + "1,2 3,4 " * 500_000 + '"/>').notes == (note,)
    monkeypatch.setattr(reading, "MAX_POINTS", 1000)
    found = body(tmp_path, '<path d="M0 0L1,2 3,4"/>' * 500)
    assert found.notes == (note,)
    assert len(found.layers) == 333


@pytest.mark.parametrize("css", ["/*" * 100_000, "a" * 400_000, "a{" * 100_000, "<!--" * 100_000])
def test_rules_that_never_end_cost_no_time(tmp_path: Path, css: str) -> None:
    started = time.process_time()
    found = body(tmp_path, f"<style>.t {{ fill: red }} <![CDATA[{css}]]></style>"
                 '<text class="t" y="9">A</text>')  # fmt: skip
    assert time.process_time() - started < 2
    (layer,) = found
    assert isinstance(layer.content, Text)
    assert layer.content.style.colour == (255, 0, 0, 255)


def test_too_many_parts_of_texts_are_refused_before_they_are_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_LAYERS", 50)
    five = "<text y='9'>" + "<tspan fill='red'>a</tspan><tspan>b</tspan>" * 5 + "</text>"
    assert len(body(tmp_path, five * 4).layers) == 4
    with pytest.raises(PictureError, match="more than 50 elements to draw"):
        body(tmp_path, five * 5)


@pytest.mark.parametrize("data", ["text/html;base64,PGI+", "image/png;base64,!!!!", ","])
def test_one_picture_that_is_none_leaves_the_rest_to_be_edited(tmp_path: Path, data: str) -> None:
    found = body(tmp_path, f'<image width="9" height="9" href="data:{data}"/><text y="9">A</text>')
    assert [layer.kind for layer in found] == ["text"]
    assert found.notes == (
        "a picture of a kind that is not read is not drawn; its format keeps it",
    )


def test_words_larger_than_any_page_are_kept_and_not_drawn(tmp_path: Path) -> None:
    found = body(tmp_path, '<text y="9" font-size="1e7">A</text>')
    assert found.layers == ()
    assert found.notes == (
        "words too small or too large to see are not drawn; their format keeps them",
    )


def test_a_picture_that_unpacks_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERPAINT_MAX_PIXELS", "10000")
    out = io.BytesIO()
    Image.new("L", (2000, 2000)).save(out, "PNG")
    data = base64.b64encode(out.getvalue()).decode()
    with pytest.raises(PictureError, match="limit"):
        body(tmp_path, f'<image href="data:image/png;base64,{data}"/>')


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.text(max_size=60))
def test_no_text_makes_the_parsers_raise(data: str) -> None:
    outlines(data)
    transform(data)
    colour(data, {})
    clipped([(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)], (1.0, 1.0, 5.0, 5.0))


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(cut=st.integers(0, len(POSTER)), put=st.binary(max_size=4))
def test_a_damaged_svg_is_read_or_refused(cut: int, put: bytes, tmp_path: Path) -> None:
    raw = POSTER.encode()
    with suppress(PictureError):
        read(svg(tmp_path, raw[:cut] + put + raw[cut + len(put) :]))


def test_an_svg_has_one_page(tmp_path: Path) -> None:
    assert pages(svg(tmp_path, POSTER)) == 1
