"""Fuzz targets: pictures, layered documents, their containers, and fonts."""

import io
import json
import os
import zipfile
import zlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
from fuzz_shapes import (
    font_shape,
    ints_shape,
    json_shape,
    lines_shape,
    pdf_shape,
    png_shape,
    xml_shape,
    zip_shape,
)
from fuzz_target import Target, filed, place
from pikepdf import Dictionary, Name
from PIL import Image

from overpaint.document import Document, Layer, Picture, files
from overpaint.document.containers import open_zip, parse_xml
from overpaint.document.layers import Group, Mask, Run, Shape, Text
from overpaint.document.ops import Delete, Move, ReplaceText
from overpaint.document.pdf import content, encoding, fresh, lines, opening, reimaging, unseen
from overpaint.document.pictures import decode_picture, read_size
from overpaint.document.text import sfnt
from overpaint.document.where import Where
from overpaint.errors import OverpaintError, PictureError

EVERY = 1  # document of so many is edited as well; the driver sets it
PAGES_READ = 3  # of a file with pages
HOW_MANY = 3  # layers that are edited before a document is written again


def noise(wide: int, high: int, bands: int = 4) -> np.ndarray:
    """A picture of random pixels."""
    return np.random.default_rng(5).integers(0, 256, (high, wide, bands), dtype=np.uint8)


MADE = Document(canvas=(24, 18), made=(
    Layer(Picture(noise(24, 18)), "ground", "1"),
    Layer(Group((Layer(Picture(noise(9, 9)), "标题", "3", 2.0, 2.0,
                       mask=Mask(noise(5, 5)[:, :, 0].copy(), 1, 1)),
                 Layer(Picture(noise(7, 5)), "clip", "4", clip=True))), "group", "2",
          blend="pass-through"),
    Layer(Shape("ellipse", 9.0, 7.0, (200, 10, 10, 255)), "dot", "6", 4.0, 5.0, opacity=0.5),
    Layer(Text((Run("hi Friday"),), drawn=noise(6, 4)), "words", "5", 3.0, 9.0),
))  # fmt: skip


# ── what is done with a document ────────────────────────────────────────────────────────


def looked_at(path: Path) -> None:
    """Read a document and draw it, as every run does with a source or an output."""
    document = Document(path)
    assert document.rgb.shape[1::-1] == document.size
    assert document.key
    files.pages(path)


def edited(path: Path) -> None:
    """Read it, edit it and write it in its own format, which reads more of it than drawing does."""
    document = files.read(path)
    texts = [layer for layer in document if isinstance(layer.content, Text)]
    others = [layer for layer in document if not isinstance(layer.content, Text)]
    kind = files.kind(path)
    # What is drawn of a PDF's page or comes from a slide's layout cannot be changed.
    pixels = kind is not None and kind.name in ("PDF", "PPTX")
    for at, layer in enumerate(texts[:HOW_MANY] + ([] if pixels else others[-HOW_MANY:])):
        where = Where(layer=layer.id)
        words = isinstance(layer.content, Text) and at != 1
        op = ReplaceText(where, "a b") if words else (Delete(where), Move(where, by=(1, 2)))[at % 2]
        try:
            document = op(document)
        except OverpaintError:
            continue
    if kind is not None and kind.writes:
        out = path.with_name(f"written{kind.suffixes[0]}" if kind.suffixes else "written")
        files.write(document, out)


def both(path: Path) -> None:
    """Look at it, then edit it; where there are many, edit every so many, as that takes longer."""
    looked_at(path)
    file = path / "document.json" if path.is_dir() else path
    if zlib.crc32(file.read_bytes()) % EVERY == 0:
        edited(path)


def pdf_read(path: Path) -> None:
    """Read a PDF's pages, their words and what a writer reads of them; draw nothing.

    Drawing takes a process for each page and most of the time: the target named pdf does it.
    """
    data = path.read_bytes()
    for number in range(1, min(opening.pages(path), PAGES_READ) + 1):
        with opening.page_of(path, number, ours=True) as page:
            found = [*lines.lines_of(page), *lines.lines_of(page, unseen=True)]
            with encoding.editable(data) as file:
                _, plain = encoding.content_of(file, number)
                written, wide = content.shows(plain), encoding.units(file, number)
            for line, show in zip(found, written, strict=False):
                encoding.coded(line, line.letters[0].leaf, show, wide.get(show.state.font, 1))


def pdf_scanned(path: Path) -> None:
    """Change the pixels of a scan and its unseen words, as writing an edited one does."""
    data = path.read_bytes()
    with opening.page_of(path, 1, ours=True) as page:
        wide, high = page.size
        old = np.full((high, wide, 4), 235, np.uint8)
        new = old.copy()
        new[high // 3 : high // 2, wide // 3 : wide // 2] = 20
        made = reimaging.reimage(data, page, old, new)
        unseen.reword(made.data, page, [ReplaceText(Where(text="Friday"), "Monday")])


def pptx_read(path: Path) -> None:
    """Read a deck's slides; draw nothing."""
    for number in range(1, min(files.pages(path), PAGES_READ) + 1):
        files.read(path, number)


def pictured(data: bytes) -> None:
    """Decode a flat picture in each of the ways that the package has."""
    from overpaint.models.pictures import encode
    from overpaint.report.thumbs import thumbnail

    path = place() / "flat"
    path.write_bytes(data)
    pixels, _ = decode_picture(data, path)
    assert pixels.dtype == np.uint8
    assert pixels.shape[2] in (3, 4)
    assert read_size(path) == pixels.shape[1::-1]
    thumbnail(path, 16)
    encode(Document(path))
    fresh._dpi(path)
    files.write(Document(path), place() / "again.png")


def zipped(path: Path) -> None:
    """Read all members of a zip file."""
    whole = open_zip(path)
    whole.check()
    for name in whole.names:
        whole.read(name)


def font(path: Path) -> None:
    """Read what is read of a font: its faces, their letters and rules."""
    from overpaint.document.text.index import read_fonts

    for known in (sfnt.letters_of, sfnt.rules_of):
        known.cache_clear()  # a path is taken for one font there
    for facts in sfnt.faces_of(path):
        sfnt.letters_of(path, facts.index)
        sfnt.rules_of(path, facts.index)
    os.utime(path, ns=(0, font_clock()))
    read_fonts([path])


def font_clock() -> int:
    """Another time for each font, so that no index remembers the one before."""
    _CLOCK[0] += 1_000_000_000
    return _CLOCK[0]


_CLOCK = [0]


# ── seeds ───────────────────────────────────────────────────────────────────────────────


def saved(kind: str, mode: str = "RGB", **options: Any) -> bytes:
    """A flat picture by Pillow."""
    wide, high = 12, 9
    image = Image.fromarray(noise(wide, high, 3)).convert(mode)
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def flat_pictures() -> list[bytes]:
    """A small picture of every kind that is read, and of some that are not."""
    exif = Image.Exif()
    exif[0x0112] = 6
    frames = [Image.fromarray(noise(12, 9, 3)), Image.fromarray(255 - noise(12, 9, 3))]
    return [
        saved("PNG"), saved("PNG", "RGBA"), saved("PNG", "L"), saved("PNG", "P"),
        saved("PNG", "1"), saved("PNG", "I;16"), saved("PNG", exif=exif, dpi=(72, 72)),
        saved("PNG", icc_profile=b"no profile"),
        saved("PNG", save_all=True, append_images=frames),
        saved("JPEG"), saved("JPEG", "L"), saved("JPEG", "CMYK"), saved("JPEG", progressive=True),
        saved("JPEG", exif=exif), saved("WEBP"), saved("WEBP", "RGBA", lossless=True),
        saved("WEBP", save_all=True, append_images=frames), saved("TIFF"),
        saved("TIFF", compression="tiff_adobe_deflate"), saved("TIFF", "F"),
        saved("TIFF", compression="jpeg"), saved("TIFF", "RGBA", compression="tiff_lzw"),
        saved("TIFF", "1", compression="group4"), saved("TIFF", "CMYK"),
        saved("GIF"), saved("BMP"), b"", b"\x89PNG\r\n\x1a\n",
    ]  # fmt: skip


def written(suffix: str, document: Document = MADE) -> bytes:
    """A document in one of our formats."""
    path = place() / f"seed{suffix}"
    files.write(document, path)
    return path.read_bytes()


def psds() -> list[bytes]:
    """PSDs by our writer, and with live text."""
    from psd_maker import Made, Piece, poster

    text = Made((Piece("Friday "), Piece("淘宝", 1, 30.0)), box=(0, 0, 60, 30))
    made = [poster(place() / "live.psd", text), poster(place() / "grey.psd", mode="L")]
    return [written(".psd"), *(path.read_bytes() for path in made)]


def pptx_seeds() -> list[bytes]:
    """A deck with one of everything, and one of ours."""
    from pptx_maker import deck

    return [deck(place() / "seed-deck.pptx").read_bytes(), written(".pptx")]


def pdfs() -> list[bytes]:
    """A page of letters and shapes, and one of ours."""
    from pdf_maker import letter, pdf

    return [pdf(place() / "seed-letter.pdf", letter).read_bytes(), written(".pdf")]


def scan_seeds() -> list[bytes]:
    """Scans with unseen words: packed or not, in a form, in a font with a map of its own."""
    return [_scan(), _scan(form=True), _scan(packed=True, mapped=True)]


def _scan(*, form: bool = False, packed: bool = False, mapped: bool = False) -> bytes:
    out = io.BytesIO()
    with pikepdf.new() as file:
        pixels = noise(24, 18, 3).tobytes()
        image = file.make_stream(
            zlib.compress(pixels) if packed else pixels, Type=Name.XObject, Subtype=Name.Image,
            Width=24, Height=18, BitsPerComponent=8, ColorSpace=Name.DeviceRGB,
        )  # fmt: skip
        if packed:
            image.Filter = Name.FlateDecode
        if form:
            inner, image = image, file.make_stream(
                b"/Im Do", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 1, 1])  # fmt: skip
            image.Resources = Dictionary(XObject=Dictionary(Im=inner))
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica,
                          Encoding=Name.WinAnsiEncoding)  # fmt: skip
        if mapped:
            font.ToUnicode = file.make_stream(
                b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange\n1 beginbfrange"
                b" <20> <7e> <0020> endbfrange 1 beginbfchar <80> <20AC> endbfchar endcmap"
            )
        page = file.add_blank_page(page_size=(8.64, 6.48))  # 200 dpi
        page.Contents = file.make_stream(
            b"q 8.64 0 0 6.48 0 0 cm /Im Do Q BT 3 Tr /F1 1 Tf 1 3 Td (Meet Friday) Tj ET"
        )
        page.Resources = Dictionary(XObject=Dictionary(Im=image), Font=Dictionary(F1=font))
        file.save(out)
    return out.getvalue()


def small_decks() -> list[bytes]:
    """A deck of one layout, as fuzzers want it: what is nobody's is read as well."""
    from pptx import Presentation
    from pptx_maker import deck

    made = Presentation(str(deck(place() / "seed-small.pptx")))
    used = [slide.slide_layout for slide in made.slides]
    for layout in [one for one in made.slide_layouts if one not in used]:
        made.slide_layouts.remove(layout)
    out = io.BytesIO()
    made.save(out)
    return [out.getvalue()]


def svgs() -> list[bytes]:
    """A poster, one of ours, and one with a picture inside and a style of its own."""
    from svg_maker import HEAD, POSTER

    picture = saved("PNG")
    import base64

    inside = (
        f'{HEAD} width="40" height="30"><image href="data:image/png;base64,'
        f'{base64.b64encode(picture).decode()}" width="9" height="9"/>'
        '<clipPath id="c"><rect width="9" height="9"/></clipPath>'
        '<mask id="m"><circle r="4"/></mask>'
        '<g clip-path="url(#c)" mask="url(#m)" style="opacity:.5;fill:hsl(20,50%,50%)">'
        '<polygon points="1,1 9,1 5,9"/><ellipse cx="5" cy="5" rx="3" ry="2"/>'
        '<text x="1 2 3" y="9" font="bold 9px serif" text-anchor="middle">a<tspan dx="1">b</tspan>'
        "</text></g></svg>"
    )
    return [POSTER.encode(), written(".svg"), inside.encode()]


def folder_seeds() -> list[bytes]:
    """The index of a folder; its pictures are beside it."""
    return [_folder()[0][1]]


def _folder() -> list[tuple[str, bytes]]:
    path = place() / "seed-folder"
    files.write(MADE, path)
    found = {one.relative_to(path).as_posix(): one for one in path.rglob("*") if one.is_file()}
    return [(name, found[name].read_bytes()) for name in sorted(found, key=_index_first)]


def _index_first(name: str) -> tuple[bool, str]:
    return name != "document.json", name


def in_folder(data: bytes) -> None:
    """Read a folder with this index, and its pictures."""
    index, *pictures = _folder() if not (place() / "layers").is_dir() else [("document.json", b"")]
    filed("layers/document.json", lambda path: both(path.parent), *pictures)(data)
    del index


def crello_seeds() -> list[bytes]:
    """Records of three layers."""
    from test_crello import RECORD

    return [json.dumps(RECORD).encode(), b"\n".join([json.dumps(RECORD).encode()] * 2)]


def small_fonts() -> list[bytes]:
    """Fonts of three letters: with outlines, with axes, a collection, and a run of codes."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.ttLib import TTCollection, TTFont
    from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "A", "B"])
    builder.setupCharacterMap({65: "A", 66: "B", 0x1F600: "B"})
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    pen.lineTo((500, 0))
    pen.lineTo((250, 700))
    pen.closePath()
    glyph = pen.glyph()
    builder.setupGlyf(dict.fromkeys((".notdef", "A", "B"), glyph))
    builder.setupHorizontalMetrics(dict.fromkeys((".notdef", "A", "B"), (600, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Fuzz", "styleName": "Bold", "psName": "Fuzz-Bold"})
    builder.setupOS2(usWeightClass=700)
    builder.setupPost()
    plain, turned, many, run = io.BytesIO(), io.BytesIO(), io.BytesIO(), io.BytesIO()
    builder.save(plain)
    font = TTFont(io.BytesIO(plain.getvalue()))
    codes = CmapSubtable.newSubtable(6)
    codes.platformID, codes.platEncID, codes.language = 3, 1, 0
    codes.cmap = {65: "A", 66: "B"}
    font["cmap"].tables = [codes]
    font.save(run)
    builder.setupFvar([("wght", 100, 400, 900, "Weight")], [])
    builder.save(turned)
    both_faces = TTCollection()
    both_faces.fonts = [TTFont(io.BytesIO(plain.getvalue())) for _ in range(2)]
    both_faces.save(many)
    return [one.getvalue() for one in (plain, turned, many, run)]


def zips() -> list[bytes]:
    """An ORA, and a zip of nested and stored members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("stack.xml", "<image/>")
        file.writestr("a/b.txt", "x" * 5000)
        file.writestr("inner.zip", written(".ora"), zipfile.ZIP_STORED)
    return [out.getvalue(), written(".ora")]


def xmls() -> list[bytes]:
    """XML with namespaces, entities, other encodings."""
    return [
        b'<?xml version="1.0"?><a b="1"><c/>text &lt; &#65;</a>',
        '<?xml version="1.0" encoding="UTF-16"?><a>ü</a>'.encode("utf-16"),
        b'<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', b'<a xmlns:x="urn:x" x:y="z"/>',
    ]  # fmt: skip


INNER = {"xml": xml_shape, "rels": xml_shape, "png": png_shape, "json": json_shape}
PSD_WORDS = (b"8BPS", b"8BIM", b"TySh", b"luni", b"lsct", b"EngineData", b"/Text", b"<<", b">>")
SVG_WORDS = (b"<g>", b"<use href='#g'/>", b"transform='rotate(", b"url(#g)", b"<tspan>",
             b"<style>", b"data:image/png;base64,", b"<![CDATA[", b"&#x0;", b"1e9")  # fmt: skip
PDF_WORDS = (b" obj", b"endobj", b"stream", b"/Kids", b"/Parent 1 0 R", b"/Filter/FlateDecode",
             b"BT", b"ET", b"Tj", b" Do", b" cm", b"BI", b"EI", b"/XObject", b"q ")  # fmt: skip
PAGES = tuple(
    f"document/pdf/{name}.py" for name in (
        "content", "encoding", "forms", "opening", "page", "reading", "writing",
    )
)  # fmt: skip
PAGES_SPLIT = tuple(
    f"document/pdf/{name}.py" for name in ("content", "encoding", "lines", "opening", "page")
)
SCAN_WORDS = (*PDF_WORDS, b"beginbfchar", b"endbfrange", b"<0041>", b"/ToUnicode", b"/Resources",
              b"/Contents", b"3 Tr", b"/Form", b"/Image")  # fmt: skip
DECKS_READ = tuple(f"document/pptx/{name}.py" for name in ("deck", "reading", "texts", "theme"))
DECKS = tuple(
    f"document/pptx/{name}.py" for name in
    ("deck", "fresh", "reading", "texts", "theme", "writing")
)  # fmt: skip


def _many(name: str, suffix: str, seeds: Any, reads: Sequence[str], shape: Any,
          words: tuple[bytes, ...] = (), libraries: tuple[str, ...] = (), share: int = 1,
          ) -> Target:  # fmt: skip
    feed = filed(f"tried{suffix}", both)
    return Target(name, feed, seeds, tuple(reads), shape=shape, words=words, slow=True,
                  share=share, libraries=libraries)  # fmt: skip


TARGETS = (
    Target("picture", pictured, flat_pictures,
           ("document/pictures.py", "report/thumbs.py", "models/pictures.py",
            "document/pdf/fresh.py"), (PictureError,), png_shape,
           (b"IHDR", b"IDAT", b"eXIf", b"VP8X", b"ICCP", b"II*\0", b"\xff\xd8\xff\xe1")),
    _many("psd", ".psd", psds, ("document/psd.py", "document/psd_pixels.py",
          "document/psd_write.py"), ints_shape, PSD_WORDS, ("psd_tools",)),
    _many("ora", ".ora", lambda: [written(".ora")],
          ("document/ora.py", "document/ora_write.py"), zip_shape(INNER)),
    _many("svg", ".svg", svgs, ("document/svg/reading.py", "document/svg/source.py",
          "document/svg/lettering.py", "document/svg/writing.py"), xml_shape, SVG_WORDS),
    _many("pptx", ".pptx", pptx_seeds, DECKS, zip_shape(INNER), share=6),
    Target("pptx-read", filed("read.pptx", pptx_read), small_decks, DECKS_READ,
           shape=zip_shape(INNER), slow=True, share=6),
    _many("pdf", ".pdf", pdfs, PAGES, pdf_shape, PDF_WORDS, share=6),
    Target("pdf-read", filed("read.pdf", pdf_read), pdfs, PAGES_SPLIT, shape=pdf_shape,
           words=PDF_WORDS, slow=True, share=3),
    Target("pdf-scan", filed("scan.pdf", pdf_scanned), scan_seeds,
           ("document/pdf/images.py", "document/pdf/reimaging.py", "document/pdf/scans.py",
            "document/pdf/unseen.py"), shape=pdf_shape, words=SCAN_WORDS, slow=True, share=3),
    Target("folder", in_folder, folder_seeds,
           ("document/folder.py", "document/codec.py", "document/decoding.py"), shape=json_shape,
           slow=True),
    Target("crello", filed("tried.json", both), crello_seeds, ("document/crello.py",),
           shape=lines_shape(json_shape), slow=True),
    Target("any", filed("any", looked_at),
           lambda: [saved("PNG"), b"PK\x03\x04", b"%PDF-1.4", b"8BPS", b"{}", b"<svg/>"],
           ("document/files.py", "document/model.py"),
           words=(b"<svg xmlns='http://www.w3.org/2000/svg'>", b"\xef\xbb\xbf", b"<?xml ")),
    Target("zip", filed("tried.zip", zipped), zips, ("document/containers.py",), (PictureError,),
           zip_shape({}), (b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06")),
    Target("xml", partial(parse_xml, where="the XML"), xmls, ("document/containers.py",),
           (PictureError,), xml_shape, (b"<!ENTITY", b"<?xml", b"encoding='x'", b"]]>")),
    Target("font", filed("tried.ttf", font), small_fonts,
           ("document/text/sfnt.py", "document/text/index.py"), (sfnt.Damaged,), font_shape,
           (b"cmap", b"name", b"fvar", b"ttcf", b"OTTO", b"OS/2"), slow=True),
)  # fmt: skip
