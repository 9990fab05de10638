# ruff: noqa: E501 (tables of cases, a line each)
"""SVGs and PDFs that loop, laugh, reach outside, or have numbers that no page has."""

import base64
import zlib
from collections.abc import Callable

from hostile_case import (
    CHANGE,
    ESCAPES,
    SCRIPT,
    Case,
    Command,
    World,
    chunk,
    cuts,
    png,
    png_head,
    zeros,
)
from hostile_of_zips import laughing

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="60"'
WORDS = '<text x="5" y="20" font-size="12">Friday</text>'


def svg(data: str | bytes, out: str = "out.svg") -> Callable[[World], Command]:
    """An SVG, edited as a sentence says."""

    def make(world: World) -> Command:
        raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
        raw = raw.replace(b"http://canary", world.canary.encode())
        world.put("a.svg", raw.replace(b"/OUTSIDE", str(world.outside).encode()))
        return ["edit", "a.svg", CHANGE, "-o", out]

    return make


def body(inner: str, more: str = "") -> str:
    return f"{HEAD} {more}>{WORDS}{inner}</svg>"


def picture(data: bytes, kind: str = "png") -> str:
    return f'<image width="9" height="9" href="data:image/{kind};base64,{base64.b64encode(data).decode()}"/>'


CHAIN = "".join(
    f'<g id="u{n}"><use href="#u{n - 1}"/><use href="#u{n - 1}"/></g>' for n in range(1, 40)
)
GRADIENTS = "".join(f'<linearGradient id="g{n}" href="#g{(n + 1) % 50}"/>' for n in range(50))
SVGS: dict[str, str | bytes] = {
    "that uses itself": body('<g id="a"><use href="#a"/></g>'),
    "whose uses go round": body('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
    "whose uses double 40 times": body(f'<rect id="u0" width="9" height="9"/>{CHAIN}<use href="#u39"/>'),
    "whose gradients go round": body(f'{GRADIENTS}<rect width="9" height="9" fill="url(#g0)"/>'),
    "whose mask masks itself": body('<mask id="m"><rect width="9" height="9" mask="url(#m)"/></mask><rect width="9" height="9" mask="url(#m)"/>'),
    "whose pattern fills itself": body('<pattern id="p" width="1" height="1"><rect width="9" height="9" fill="url(#p)"/></pattern><rect width="9" height="9" fill="url(#p)"/>'),
    "whose symbol holds itself": body('<symbol id="s"><use href="#s"/></symbol><use href="#s"/>'),
    "that laughs": laughing("svg", "", 'xmlns="http://www.w3.org/2000/svg"'),
    "that laughs without end": f'<!DOCTYPE svg [<!ENTITY a "&b;"><!ENTITY b "&a;">]>{HEAD}>&a;</svg>',
    "of one long entity said often": f'<!DOCTYPE svg [<!ENTITY a "{"x" * 100_000}">]>{HEAD}>{"&a;" * 50_000}</svg>',
    "that reads a file": f'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///OUTSIDE/secret.txt">]>{HEAD}><text>Friday &a;</text></svg>',
    "that asks a server for its entity": f'<!DOCTYPE svg [<!ENTITY a SYSTEM "http://canary/e">]>{HEAD}>&a;</svg>',
    "that asks a server for its grammar": f'<!DOCTYPE svg PUBLIC "-//x" "http://canary/svg.dtd">{HEAD}>{WORDS}</svg>',
    "that asks a server for its style": f'<?xml-stylesheet href="http://canary/s.css"?>{HEAD}><style>@import url(http://canary/t.css);</style>{WORDS}</svg>',
    "whose picture is on a server": body('<image width="9" height="9" href="http://canary/a.png"/>'),
    "whose picture is a file": body('<image width="9" height="9" href="file:///OUTSIDE/secret.txt"/><image width="9" height="9" xlink:href="/etc/passwd"/>'),
    "whose picture is beside it": body('<image width="9" height="9" href="../../outside/secret.txt"/>'),
    "whose use is of a file": body('<use href="file:///etc/passwd#x"/><use xlink:href="http://canary/b.svg#x"/>'),
    "whose font is on a server": body("<style>@font-face { font-family: F; src: url(http://canary/f.woff2) }</style>"),
    "whose filter asks a server": body('<filter id="f"><feImage href="http://canary/g.png"/></filter><rect width="9" height="9" filter="url(#f)"/>'),
    "that includes XML": body('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>'),
    "of script": body(f"<script>fetch('http://canary/s')</script><foreignObject>{SCRIPT.replace('<img src=x onerror=alert(1)>', '')}</foreignObject>", 'onload="fetch(1)"'),
    "whose picture is an SVG in it": body(picture(body("<g/>").encode(), "svg+xml")),
    "whose picture is 50,000 on a side": body(picture(png_head(50_000, 50_000) + chunk(b"IDAT", b"") + chunk(b"IEND", b""))),
    "of 3,000 pictures": body(picture(png(30, 30)) * 3_000),
    "nested 10,000 deep": f"{HEAD}>{'<g>' * 10_000}{'</g>' * 10_000}</svg>",
    "nested 190 deep": f"{HEAD}>{'<g>' * 190}{WORDS}{'</g>' * 190}</svg>",
    "nested 95 deep": f"{HEAD}>{'<g>' * 95}{WORDS}{'</g>' * 95}</svg>",
    "of 25,000 shapes": body('<rect width="5" height="5"/>' * 25_000),
    "of 200,000 attributes": HEAD + "".join(f" a{n}=''" for n in range(200_000)) + f">{WORDS}</svg>",
    "of a path of a million points": body('<path d="M0 0' + "L1,2 3,4 " * 500_000 + '"/>'),
    "of a path of no numbers": body('<path d="' + "M" * 200_000 + '"/>'),
    "of dashes without end": body('<path d="M0 0L90 60" stroke="red" stroke-dasharray="0.000001"/>'),
    "of strokes as wide as the sea": body('<path d="M0 0L90 60" stroke="red" stroke-width="1e30"/>'),
    "of numbers that are none": body('<rect x="NaN" y="1e400" width="-1e308" height="inf"/><text x="1e999">Sunday</text>'),
    "of 900,000 on a side": f'<svg xmlns="http://www.w3.org/2000/svg" width="900000" height="900000">{WORDS}</svg>',
    "of no size": f'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0">{WORDS}</svg>',
    "of a view of no size": f'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60" viewBox="0 0 0 1e-300">{WORDS}</svg>',
    "of letters 1e9 high": body('<text font-size="1e9" y="9">Friday</text>'),
    "of a million letters": body(f'<text y="30">{"Friday " * 150_000}</text>'),
    "of 30,000 parts of a text": body("<text>" + "<tspan>a</tspan>" * 30_000 + "</text>"),
    "of words that turn the reader round": body("<text y='40'>Friday \u202e\u2066gnp.exe\u200f</text>"),
    "of half letters": body("<text>Friday \ud800</text>"),
    "in UTF-7": b'<?xml version="1.0" encoding="UTF-7"?>+ADw-svg/+AD4-',
    "in UTF-32": f"{HEAD}>{WORDS}</svg>".encode("utf-32"),
    "in an encoding of Python's": f'<?xml version="1.0" encoding="unicode_escape"?>{HEAD}>{WORDS}</svg>',
    "of styles that never end": body("<style>" + "a{" * 200_000 + "</style>"),
    "of selectors that never end": body("<style>" + "a " * 100_000 + "{fill:red}</style>"),
    "of 20,000 rules on 3,000 elements": body("<style>" + "".join(f".c{n}{{fill:red}}" for n in range(20_000)) + "</style>" + '<rect class="c1 c2" width="1" height="1"/>' * 3_000),
    "of a transform that never ends": body(f'<rect width="9" height="9" transform="{"rotate(1) " * 50_000}"/>'),
    "of NUL": body("<text>Friday</text>").replace("Friday", "Fri\0day"),
    "that is a page": f"<html><body>{SCRIPT}</body></html>",
}  # fmt: skip


# ── PDF ─────────────────────────────────────────────────────────────────────────────────────

PLAIN = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R\n"
    b"/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
    b"4 0 obj<</Length 43>>stream\nBT /F1 20 Tf 20 100 Td (Meet Friday) Tj ET\n"
    b"endstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
)
SAID = b"(Meet Friday) Tj"
FONT = b"/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"


def pdf(*swaps: tuple[bytes, bytes], more: bytes = b"") -> bytes:
    """The plain PDF with other bytes, and more objects."""
    data = PLAIN
    for old, new in swaps:
        assert old in data, old
        data = data.replace(old, new)
    return data.replace(b"trailer<<", more + b"trailer<<")


def stream(number: int, data: bytes, told: bytes = b"") -> bytes:
    return b"%d 0 obj<<%s/Length %d>>stream\n%s\nendstream endobj\n" % (
        number,
        told,
        len(data),
        data,
    )


def packed(number: int, data: bytes, told: bytes = b"") -> bytes:
    return stream(number, data, told + b"/Filter/FlateDecode")


def _flate(times: int) -> bytes:
    data = bytes(50 << 20)
    for _ in range(times):
        data = zlib.compress(data, 9)
    return data


CONTENT = b"/Contents 4 0 R"
DRAWN = (SAID, SAID + b" ET /X1 Do BT")
ACTION = b"<</S/Launch/F(/bin/sh)/Win<</F(calc.exe)>>>>"
PDFS: dict[str, bytes | Callable[[], bytes]] = {
    "whose pages are their own children": pdf((b"[3 0 R]/Count 1", b"[2 0 R 3 0 R]/Count 2")),
    "whose pages are their own parent": pdf((b"/Count 1", b"/Count 1/Parent 2 0 R")),
    "of one page 100,000 times": pdf((b"[3 0 R]/Count 1", b"[" + b"3 0 R " * 100_000 + b"]/Count 100000")),
    "of a billion pages": pdf((b"/Count 1", b"/Count 1000000000")),
    "of -1 pages": pdf((b"/Count 1", b"/Count -1")),
    "of no pages": pdf((b"[3 0 R]/Count 1", b"[]/Count 0")),
    "of 200,000 brackets": pdf((b"/Count 1", b"/Count 1/Junk " + b"[" * 200_000 + b"]" * 200_000)),
    "of 200,000 dictionaries": pdf((b"/Count 1", b"/Count 1/Junk " + b"<</A" * 200_000)),
    "of a page 1e9 wide": pdf((b"[0 0 300 200]", b"[0 0 1e9 1e9]")),
    "of a page inside out": pdf((b"[0 0 300 200]", b"[300 200 0 0]")),
    "of a page of no size": pdf((b"[0 0 300 200]", b"[0 0 0 0]")),
    "of a page of words": pdf((b"[0 0 300 200]", b"[(a)(b)/c null]")),
    "of a page of 14,400 points": pdf((b"[0 0 300 200]", b"[0 0 14400 14400]")),
    "whose trailer follows itself": pdf((b"trailer<<", b"trailer<</Prev 15")),
    "whose table of objects is nowhere": pdf((b"%%EOF", b"startxref\n999999999\n%%EOF")),
    "whose content is itself": pdf((CONTENT, b"/Contents[3 0 R 4 0 R]")),
    "whose content is 100,000 parts": pdf((CONTENT, b"/Contents[" + b"4 0 R " * 100_000 + b"]")),
    "whose length is a lie": pdf((b"/Length 43", b"/Length 4294967295")),
    "whose length is itself": pdf((b"/Length 43", b"/Length 4 0 R")),
    "whose content is a bomb of 400 MB": lambda: pdf((CONTENT, b"/Contents 9 0 R"), more=packed(9, zeros(400 << 20))),
    "whose content is packed five times": lambda: pdf((CONTENT, b"/Contents 9 0 R"), more=stream(9, _flate(5), b"/Filter[" + b"/FlateDecode" * 5 + b"]")),
    "whose content is packed by 10,000 filters": pdf((CONTENT, b"/Contents 9 0 R"), more=stream(9, b"x", b"/Filter[" + b"/ASCIIHexDecode " * 10_000 + b"]")),
    "whose form draws itself": pdf((FONT, FONT + b"/XObject<</X1 9 0 R>>"), DRAWN, more=stream(9, b"/X1 Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X1 9 0 R>>>>")),
    "whose forms double 25 times": pdf((FONT, FONT + b"/XObject<</X1 35 0 R>>"), DRAWN, more=b"".join(stream(10 + n, b"/X Do /X Do" if n else b"0 0 1 1 re f", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>" % (9 + n)) for n in range(26))),
    "whose picture is 60,000 on a side": pdf((FONT, FONT + b"/XObject<</X1 9 0 R>>"), DRAWN, more=packed(9, zlib.compress(b"1"), b"/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB")),
    "whose picture is of 2**31 rows": pdf((FONT, FONT + b"/XObject<</X1 9 0 R>>"), DRAWN, more=packed(9, zlib.compress(b"1"), b"/Type/XObject/Subtype/Image/Width 1/Height 2147483647/BitsPerComponent 8/ColorSpace/DeviceGray")),
    "whose picture masks itself": pdf((FONT, FONT + b"/XObject<</X1 9 0 R>>"), DRAWN, more=stream(9, bytes(27), b"/Type/XObject/Subtype/Image/Width 3/Height 3/BitsPerComponent 8/ColorSpace/DeviceRGB/SMask 9 0 R")),
    "whose colours are of themselves": pdf((FONT, FONT + b"/ColorSpace<</C 9 0 R>>"), (SAID, b"/C cs " + SAID), more=b"9 0 obj[/Indexed 9 0 R 255 9 0 R]endobj\n"),
    "whose pattern fills itself": pdf((FONT, FONT + b"/Pattern<</P 9 0 R>>"), (SAID, b"/Pattern cs /P scn " + SAID), more=stream(9, b"/Pattern cs /P scn 0 0 9 9 re f", b"/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep .0001/YStep .0001/Resources<</Pattern<</P 9 0 R>>>>")),
    "whose font is itself": pdf((FONT, b"/Font<</F1 9 0 R>>"), more=b"9 0 obj<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[9 0 R]>>endobj\n"),
    "whose font is noise": pdf((FONT, b"/Font<</F1<</Type/Font/Subtype/TrueType/BaseFont/X/FontDescriptor<</Type/FontDescriptor/FontName/X/Flags 4/FontFile2 9 0 R>>>>>>"), more=stream(9, bytes(range(256)) * 40)),
    "whose font draws itself": pdf((FONT, b"/Font<</F1 9 0 R>>"), more=b"9 0 obj<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 0/LastChar 255/Widths[]/Encoding<</Differences[70/F]>>/CharProcs<</F 10 0 R>>/Resources<</Font<</F1 9 0 R>>>>>>endobj\n" + stream(10, b"BT /F1 9 Tf (F) Tj ET")),
    "whose letters mean a bomb": lambda: pdf((b"/BaseFont/Helvetica", b"/BaseFont/Helvetica/ToUnicode 9 0 R"), more=packed(9, zlib.compress(b"beginbfrange <00> <ff> [" + b"<0041>" * 3_000_000 + b"] endbfrange"))),
    "whose letters mean half letters": pdf((b"/BaseFont/Helvetica", b"/BaseFont/Helvetica/ToUnicode 9 0 R"), more=stream(9, b"1 beginbfrange <00> <ff> <d800> endbfrange")),
    "of 300,000 states that are saved": pdf((SAID, SAID + b" q" * 300_000)),
    "of 400,000 words": pdf((SAID, SAID + b" (x) Tj" * 400_000)),
    "of words that are escapes": pdf((b"(Meet Friday)", b"(Friday " + ESCAPES.encode("utf-8") + b")")),
    "of numbers of 5,000 digits": pdf((b"20 100 Td", b"2" * 5000 + b" 100 Td")),
    "of letters 1e30 high": pdf((b"/F1 20 Tf", b"/F1 1e30 Tf")),
    "that starts a program": pdf((b"/Type/Catalog", b"/Type/Catalog/OpenAction" + ACTION + b"/AA<</WC" + ACTION + b">>")),
    "of script": pdf((b"/Type/Catalog", b"/Type/Catalog/OpenAction<</S/JavaScript/JS(app.launchURL\\('http://canary'\\))>>")),
    "whose content lies in another file": pdf((CONTENT, b"/Contents 9 0 R"), more=stream(9, b"x", b"/F(/OUTSIDE/secret.txt)")),
    "whose picture lies on a server": pdf((FONT, FONT + b"/XObject<</X1 9 0 R>>"), DRAWN, more=stream(9, b"", b"/Type/XObject/Subtype/Image/Width 3/Height 3/F<</FS/URL/F(http://canary/p)>>")),
    "whose page is another file's": pdf((FONT, FONT + b"/XObject<</X1 9 0 R>>"), DRAWN, more=stream(9, b"", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Ref<</F(/etc/passwd)/Page 0>>")),
    "that is locked with an odd lock": pdf((b"trailer<<", b"trailer<</Encrypt<</Filter/Standard/V 9/R 99/O(x)/U(y)/P -1>>")),
    "that is locked with itself": pdf((b"trailer<<", b"trailer<</Encrypt 1 0 R")),
    "of objects in an object that holds itself": pdf(more=stream(9, b"9 0 1 0 2 0 ", b"/Type/ObjStm/N 3/First 4/Extends 9 0 R")),
    "whose metadata laughs": pdf((b"/Type/Catalog", b"/Type/Catalog/Metadata 9 0 R"), more=stream(9, laughing("x", ""), b"/Type/Metadata/Subtype/XML")),
    "whose outline goes round": pdf((b"/Type/Catalog", b"/Type/Catalog/Outlines 9 0 R"), more=b"9 0 obj<</First 9 0 R/Last 9 0 R/Next 9 0 R/Parent 9 0 R/Title(x)>>endobj\n"),
    "whose fields go round": pdf((b"/Type/Catalog", b"/Type/Catalog/AcroForm<</Fields[9 0 R]/XFA(<x/>)>>"), more=b"9 0 obj<</Kids[9 0 R]/Parent 9 0 R/T(x)>>endobj\n"),
    "without a root": pdf((b"/Root 1 0 R", b"/Root 77 0 R")),
    "whose root is a page": pdf((b"/Root 1 0 R", b"/Root 3 0 R")),
    "of noise": b"%PDF-1.7\n" + bytes(range(256)) * 400,
    "that is only begun": b"%PDF",
}  # fmt: skip


def _pdf(data: bytes | Callable[[], bytes]) -> Callable[[World], Command]:
    def make(world: World) -> Command:
        raw = data if isinstance(data, bytes) else data()
        raw = raw.replace(b"http://canary", world.canary.encode())
        world.put("a.pdf", raw.replace(b"/OUTSIDE", str(world.outside).encode()))
        return ["edit", "a.pdf", CHANGE, "-o", "out.pdf"]

    return make


CASES = [
    *(Case("SVG", f"an SVG {name}", svg(data), quick="laughs" in name) for name, data in SVGS.items()),
    *(Case("SVG", f"an SVG {name}", svg(data)) for name, data in cuts(body("<g/>" * 40).encode()).items()),
    *(Case("PDF", f"a PDF {name}", _pdf(data), quick="children" in name) for name, data in PDFS.items()),
    *(Case("PDF", f"a PDF {name}", _pdf(data)) for name, data in cuts(PLAIN).items()),
]  # fmt: skip
