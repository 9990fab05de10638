# ruff: noqa: E501 (tables of cases, a line each)
"""Zip files that lie, and OpenRaster, PPTX, folders and Crello records made in bad faith."""

import functools
import io
import json
import os
import re
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from hostile_case import (
    CHANGE,
    ESCAPES,
    EVIL,
    REFUSED,
    SCRIPT,
    Case,
    Command,
    World,
    chunk,
    cuts,
    png,
    png_head,
    zeros,
    zipped,
)

Members = dict[str, bytes]
Change = Callable[[Members], Mapping[str, bytes] | bytes]
WRITE = "write 'Monday' in the top right corner"  # for what has no words that could be changed
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))


def laughing(root: str, body: str, more: str = "") -> bytes:
    """XML that unpacks to ten thousand million words."""
    doctype = f'<!DOCTYPE {root} [<!ENTITY l0 "ha">{LAUGHS}]>'
    return f"<?xml version='1.0'?>{doctype}<{root} {more}>{body}&l11;</{root}>".encode()


@functools.cache
def ora() -> Members:
    """The members of a small OpenRaster file of ours."""
    import numpy as np

    from overpaint.document import Document, Layer, Picture, files
    from overpaint.document.layers import Run, Style, Text

    pixels = np.full((60, 600, 4), 200, np.uint8)
    made = (
        Layer(Picture(pixels), "ground", "1"),
        Layer(Text((Run("Friday", Style(size=18)),)), "day", "2", 4, 30),
    )
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "a.ora"
        files.write(Document(made=made, canvas=(600, 60)), path)
        return _members(path.read_bytes())


@functools.cache
def deck() -> Members:
    """The parts of a small deck."""
    from pptx_maker import deck as draw

    with tempfile.TemporaryDirectory() as place:
        return _members(draw(Path(place) / "a.pptx").read_bytes())


def _members(data: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def of(
    base: Callable[[], Members], change: Change, name: str, *more: str
) -> Callable[[World], Command]:
    """A container changed, and edited as a sentence says."""

    def make(world: World) -> Command:
        changed = change(dict(base()))
        if not isinstance(changed, bytes):  # before they are packed, and no longer to be found
            told = (
                (b"http://canary", world.canary.encode()),
                (b"/OUTSIDE", str(world.outside).encode()),
            )
            for old, new in told:
                changed = {member: data.replace(old, new) for member, data in changed.items()}
        world.put(name, changed if isinstance(changed, bytes) else zipped(changed))
        suffix = name.rsplit(".", 1)[-1]
        return ["edit", name, *(more or (CHANGE,)), "-o", f"out.{suffix}"]

    return make


def having(**new: bytes) -> Change:
    """With members changed or added; `__` is a folder's sign and `_` a point."""
    named = {name.replace("__", "/").replace("_", "."): data for name, data in new.items()}
    return lambda members: members | named


def swapped(name: str, old: str, new: str) -> Change:
    """With a text in a member that is another."""

    def change(members: Members) -> Members:
        assert old.encode() in members[name], old
        return members | {
            name: members[name].replace(old.encode(), new.encode("utf-8", "surrogatepass"))
        }

    return change


# ── zip files themselves ────────────────────────────────────────────────────────────────────


def _directory(field: int, form: str, value: int, which: int = 2) -> Change:
    """A lie in the central directory: the field at an offset of the n-th entry, the first being the
    mimetype, which nobody unpacks."""

    def change(members: Members) -> bytes:
        data = bytearray(zipped(members))
        at = -1
        for _ in range(which):
            at = data.index(b"PK\x01\x02", at + 1)
        struct.pack_into(form, data, at + field, value)
        return bytes(data)

    return change


def _local(field: int, form: str, value: int) -> Change:
    def change(members: Members) -> bytes:
        data = bytearray(zipped(members))
        at = data.index(b"PK\x03\x04", data.index(b"PK\x03\x04") + 1)
        struct.pack_into(form, data, at + field, value)
        return bytes(data)

    return change


def _end(field: int, form: str, value: int) -> Change:
    def change(members: Members) -> bytes:
        data = bytearray(zipped(members))
        struct.pack_into(form, data, data.rindex(b"PK\x05\x06") + field, value)
        return bytes(data)

    return change


def _linked(members: Members) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            if name.endswith(".png"):
                info.external_attr, data = (stat.S_IFLNK | 0o777) << 16, b"/etc/passwd"
            file.writestr(info, data)
    return out.getvalue()


def _twice(members: Members) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for _ in range(2):
            for name, data in members.items():
                file.writestr(name, data)
    return out.getvalue()


def _nested(members: Members) -> Mapping[str, bytes]:
    inner = zipped(members)
    for _ in range(40):
        inner = zipped({"a.ora": inner})
    return members | {"data/a.ora": inner}


def _quine(_: Members) -> bytes:
    """A zip whose one member is the zip itself, as far as its directory says."""
    name = b"stack.xml"
    local = b"PK\x03\x04" + struct.pack(
        "<HHHHHIIIHH", 20, 0, 0, 0, 0, 0, 10**4, 10**4, len(name), 0
    )
    entry = b"PK\x01\x02" + struct.pack(
        "<HHHHHHIIIHHHHHII", 20, 20, 0, 0, 0, 0, 0, 10**4, 10**4, len(name), 0, 0, 0, 0, 0, 0
    )
    start = len(local) + len(name)
    end = struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry) + len(name), start, 0)
    return local + name + entry + name + b"PK\x05\x06" + end


def _overlapping(members: Members) -> bytes:
    """10,000 names for one packed member of 20 MB."""
    packed = zeros(20 << 20)[2:-4]
    crc = zlib.crc32(bytes(20 << 20))
    base = zipped(members)
    at = base.index(b"PK\x01\x02")
    local = b"PK\x03\x04" + struct.pack(
        "<HHHHHIIIHH", 20, 0, 8, 0, 0, crc, len(packed), 20 << 20, 1, 0
    )
    blob, entries = local + b"x" + packed, b""
    for n in range(9_000):
        name = f"x{n}".encode()
        entries += b"PK\x01\x02" + struct.pack(
            "<HHHHHHIIIHHHHHII", 20, 20, 0, 8, 0, 0, crc, len(packed), 20 << 20, len(name),
            0, 0, 0, 0, 0, at,
        ) + name  # fmt: skip
    theirs = base[at : base.rindex(b"PK\x05\x06")]
    count = 9_000 + len(members)
    return (
        base[:at]
        + blob
        + theirs
        + entries
        + b"PK\x05\x06"
        + struct.pack("<HHHHIIH", 0, 0, count, count, len(theirs + entries), at + len(blob), 0)
    )


def _many(members: Members) -> Mapping[str, bytes]:
    return members | {f"{n}": b"" for n in range(20_000)}


ZIPS: dict[str, Change] = {
    "whose member leaves it by ..": having(**{f"..__..__{EVIL}": b"x"}),
    "whose member has an absolute path": having(**{f"__tmp__{EVIL}": b"x"}),
    "whose member has a drive": having(**{f"C:__{EVIL}": b"x"}),
    "whose member goes up by \\": having(**{f"..\\{EVIL}": b"x"}),
    "whose picture is a link": _linked,
    "that has every file twice": _twice,
    "of zips in zips": _nested,
    "that holds itself": _quine,
    "whose 9,000 files are one": _overlapping,
    "of 20,000 files": _many,
    "whose files are said to have 4 GB": _directory(24, "<I", 2**32 - 2),
    "whose packed files are said to have 4 GB": _directory(20, "<I", 2**32 - 2),
    "whose files are said to have nothing": _directory(24, "<I", 0),
    "whose files are said to have less": _directory(24, "<I", 3),
    "whose files lie elsewhere": _directory(42, "<I", 10**6),
    "whose files lie in themselves": _directory(42, "<I", 20),
    "whose checksums are wrong": _directory(16, "<I", 1),
    "that is encrypted": _directory(8, "<H", 1),
    "packed by an unknown method": _directory(10, "<H", 99),
    "whose two names differ": _local(26, "<H", 3),
    "that needs another disk": _end(4, "<H", 7),
    "that says it has 60,000 files": _end(10, "<H", 60_000),
    "whose directory is said to lie at its end": _end(16, "<I", 2**31),
    "whose directory is said to be huge": _end(12, "<I", 2**31),
    "whose remark is said to be long": _end(20, "<H", 60_000),
    "packed as bzip2": lambda members: zipped(members, zipfile.ZIP_BZIP2),
    "packed as lzma": lambda members: zipped(members, zipfile.ZIP_LZMA),
    "of one bomb": having(data__b_png=bytes(120 << 20)),
    "of ten bombs under the limit of each": lambda members: members | {
        f"data/{n}.png": bytes(200 << 20)[: (8 << 20)] for n in range(140)
    },
    "whose names are escapes for a terminal": having(**{ESCAPES: b"x"}),
    "whose names are 60,000 letters long": having(**{"n" * 60_000: b"x"}),
}  # fmt: skip


# ── OpenRaster ──────────────────────────────────────────────────────────────────────────────


def stack(xml: str | bytes, **more: bytes) -> Change:
    """With another stack, and so no part of ours."""

    def change(members: Members) -> Mapping[str, bytes]:
        data = xml.encode("utf-8", "surrogatepass") if isinstance(xml, str) else xml
        kept = {name: data for name, data in members.items() if name != "overpaint.json"}
        return kept | {"stack.xml": data, "a.png": png()} | having(**more)({})

    return change


def _layers(inner: str, size: str = "w='60' h='40'") -> Change:
    return stack(f"<image {size}><stack>{inner}</stack></image>")


def _ours(change: Callable[[dict[str, object]], None]) -> Change:
    """With another JSON of ours, whose hash of all else still is right."""

    def done(members: Members) -> Mapping[str, bytes]:
        value = json.loads(members["overpaint.json"])
        change(value)
        return members | {"overpaint.json": json.dumps(value).encode()}

    return done


def _text(**style: object) -> Change:
    def change(value: dict[str, object]) -> None:
        run = value["layers"][1]["text"]["runs"][0]  # type: ignore[index]
        run["words"] = style.pop("words", "Friday")
        run.setdefault("style", {}).update(style)

    return _ours(change)


def _deep(value: dict[str, object]) -> None:
    layers = value["layers"]
    for n in range(90):
        layers = [{"name": "g", "id": f"g{n}", "group": {"layers": layers}}]
    value["layers"] = layers


ORAS: dict[str, Change] = {
    "whose stack laughs": stack(laughing("image", "<stack/>", "w='9' h='9'")),
    "whose stack reads a file": stack(
        '<!DOCTYPE image [<!ENTITY x SYSTEM "file:///OUTSIDE/secret.txt">]><image w="9" h="9">'
        '<stack>&x;<layer src="a.png"/></stack></image>'),
    "whose stack asks a server": stack(
        '<!DOCTYPE image SYSTEM "http://canary/x.dtd"><image w="60" h="40"><stack>'
        '<layer src="a.png"/></stack></image>'),
    "whose stack has an entity of a server": stack(
        '<!DOCTYPE image [<!ENTITY % x SYSTEM "http://canary/y.dtd"> %x;]><image w="9" h="9"/>'),
    "whose stack is nested 10,000 deep": _layers("<stack>" * 10_000 + "</stack>" * 10_000),
    "whose stack is nested 150 deep": _layers("<stack>" * 150 + "<layer src='a.png'/>" + "</stack>" * 150),
    "of 100,000 layers": _layers("<layer src='a.png'/>" * 100_000),
    "of 1,100,000 elements": _layers("<x/>" * 1_100_000),
    "of a layer at 10**400": _layers(f"<layer src='a.png' x='1{'0' * 400}'/>"),
    "of a layer at no number": _layers("<layer src='a.png' x='NaN' y='Infinity'/>"),
    "of a layer of an opacity of 1e400": _layers("<layer src='a.png' opacity='1e400'/>"),
    "of a canvas of no size": _layers("", "w='0' h='0'"),
    "of a canvas below nothing": _layers("", "w='-9' h='-9'"),
    "of a canvas of 300,000 on a side": _layers("", "w='300000' h='300000'"),
    "whose layer is /etc/passwd": _layers("<layer src='/etc/passwd'/>"),
    "whose layer is outside": _layers("<layer src='../../../outside/secret.txt'/>"),
    "whose layer is an address": _layers("<layer src='http://canary/a.png'/>"),
    "whose layer is the stack": _layers("<layer src='stack.xml'/>"),
    "whose layer's name is script and escapes": _layers(
        f"<layer src='a.png' name='{SCRIPT.replace('<', '&lt;').replace(chr(39), '')}‮gnp'/>"),
    "whose mode of blending is unknown": _layers("<layer src='a.png' composite-op='svg:evil\u202e'/>"),
    "whose stack is no XML": stack("<image><stack>"),
    "whose stack is in UTF-7": stack(b"<?xml version='1.0' encoding='utf-7'?>+ADw-image/+AD4-"),
    "whose stack has halves of letters": stack("<image w='9' h='9' name='\ud800'><stack/></image>"),
    "whose picture is 50,000 on a side": stack(
        "<image w='9' h='9'><stack><layer src='b.png'/></stack></image>", b_png=png_head(50_000, 50_000) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")),
}  # fmt: skip
OURS: dict[str, Change] = {
    "whose part of ours is no JSON": having(overpaint_json=b"{"),
    "whose part of ours is 100,000 brackets": having(overpaint_json=b"[" * 100_000),
    "whose part of ours is 100,000 objects": having(overpaint_json=b'{"a":' * 100_000),
    "whose part of ours has a number of 5,000 digits": having(
        overpaint_json=b'{"overpaint": ' + b"9" * 5000 + b"}"),
    "whose part of ours has NaN": having(overpaint_json=b'{"overpaint": NaN}'),
    "whose part of ours is of groups 90 deep": _ours(_deep),
    "whose letters are 1e400 high": _text(size=1e308),
    "whose letters are of no size": _text(size=0),
    "whose letters are 5,000 high": _text(size=4999, words="Friday " * 300),
    "of a million letters": _text(words="Friday " * 150_000),
    "of letters that turn the reader round": _text(words=ESCAPES + "Friday"),
    "of 3,000 marks on one letter": _text(words="Friday" + "\u0301" * 3000),
    "of half letters": _text(words="Friday \ud800"),
    "whose font is a path": _text(family="/etc/passwd"),
    "whose font is of 10,000 letters": _text(family="x" * 10_000),
    "whose colour is none": _text(colour=[1, 2, 3, 10**9]),
    "whose style is unknown": _text(__class__="os.system"),
}  # fmt: skip


# ── PPTX ────────────────────────────────────────────────────────────────────────────────────

SLIDE = "ppt/slides/slide1.xml"
RELATED = "ppt/slides/_rels/slide1.xml.rels"
TYPES = "[Content_Types].xml"


def _related(target: str, mode: str = "") -> Change:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
    more = f' TargetMode="{mode}"' if mode else ""
    return swapped(
        RELATED,
        "</Relationships>",
        f'<Relationship Id="rId77" Type="{kind}" Target="{target}"{more}/></Relationships>',
    )


def _shapes(inner: str) -> Change:
    return swapped(SLIDE, "</p:spTree>", f"{inner}</p:spTree>")


def _told(inner: bytes) -> Change:
    return lambda members: members | {SLIDE: inner}


def _declaring(name: str, doctype: str, old: str = "", new: str = "") -> Change:
    """With a DOCTYPE in a part that is whole but for that, and what it declares said there."""

    def change(members: Members) -> Mapping[str, bytes]:
        head, mark, rest = members[name].partition(b"?>")
        assert mark, name
        assert old.encode() in rest, old
        rest = rest.replace(old.encode(), new.encode(), 1) if old else rest
        return members | {name: head + mark + f"<!DOCTYPE {doctype}>".encode() + rest}

    return change


_GROUP = ('<p:grpSp><p:nvGrpSpPr><p:cNvPr id="90" name="g"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
          '<p:grpSpPr/>')  # fmt: skip
_PICTURE = (
    '<p:pic><p:nvPicPr><p:cNvPr id="91" name="p"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill>'
    '<a:blip r:{how}="rId77" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/'
    'relationships"/></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="99999" cy="99999"/>'
    '</a:xfrm></p:spPr></p:pic>'
)  # fmt: skip


def _both(first: Change, second: Change) -> Change:
    return lambda members: second(dict(first(members)))  # type: ignore[arg-type]


PPTXS: dict[str, Change] = {
    "whose slide is related to itself": _related("slide1.xml"),
    "whose slides are related in a ring": _both(_related("slide2.xml"), swapped(
        RELATED.replace("1", "2"), "</Relationships>",
        '<Relationship Id="rId78" Type="http://x" Target="slide1.xml"/></Relationships>')),
    "whose part is related to a file outside": _related("../../../../../../etc/passwd"),
    "whose picture is a file of this machine": _both(
        _related("file:///etc/passwd", "External"), _shapes(_PICTURE.format(how="link"))),
    "whose picture is on a server": _both(
        _related("http://canary/a.png", "External"), _shapes(_PICTURE.format(how="link"))),
    "whose picture is on a share": _both(
        _related("\\\\127.0.0.1\\share\\a.png", "External"), _shapes(_PICTURE.format(how="link"))),
    "whose picture is a slide": _both(
        _related("slide2.xml"), _shapes(_PICTURE.format(how="embed"))),
    "whose picture is nowhere": _shapes(_PICTURE.format(how="embed")),
    "whose link is script": _related("javascript:alert(1)", "External"),
    "whose slide laughs": _declaring(SLIDE, f'p:sld [<!ENTITY l0 "ha">{LAUGHS}]', "Friday", "Friday &l11;"),
    "whose slide reads a file": _declaring(
        SLIDE, 'p:sld [<!ENTITY e SYSTEM "file:///OUTSIDE/secret.txt">]', "Friday", "Friday &e;"),
    "whose slide asks a server": _declaring(SLIDE, 'p:sld SYSTEM "http://canary/z.dtd"'),
    "whose types laugh": _declaring(
        TYPES, f'Types [<!ENTITY l0 "ha">{LAUGHS}]', "</Types>", "&l11;</Types>"),
    "whose slide is 60 groups deep": _shapes(_GROUP * 60 + "</p:grpSp>" * 60),
    "whose slide is 10,000 groups deep": _shapes(_GROUP * 10_000 + "</p:grpSp>" * 10_000),
    "of 30,000 empty shapes": _shapes('<p:sp><p:nvSpPr><p:cNvPr id="9" name="s"/><p:cNvSpPr/><p:nvPr/>'
                                     "</p:nvSpPr><p:spPr/></p:sp>" * 30_000),
    "without a presentation": lambda members: {
        name: data for name, data in members.items() if name != "ppt/presentation.xml"} | {
        "ppt/presentation.xml": b""},
    "without a slide it names": lambda members: {
        name: data for name, data in members.items() if name != SLIDE},
    "whose slide is a picture": _told(png()),
    "whose slides are 10**12 wide": lambda members: members | {"ppt/presentation.xml": re.sub(
        rb'sldSz cx="\d+"', b'sldSz cx="1000000000000"', members["ppt/presentation.xml"])},
    "whose slides have no size": lambda members: members | {"ppt/presentation.xml": re.sub(
        rb'sldSz cx="\d+"', b'sldSz cx="0"', members["ppt/presentation.xml"])},
    "whose words are escapes": swapped(SLIDE, "Friday", "Friday \u202e\u2066gnp.exe"),
    "whose words are a megabyte": swapped(SLIDE, "Friday", "Friday " + "x" * (1 << 20)),
    "whose words are 20,000 paragraphs": swapped(
        SLIDE, "</a:p>", "</a:p>" + "<a:p><a:r><a:t>x</a:t></a:r></a:p>" * 20_000),
    "whose theme is none": having(ppt__theme__theme1_xml=b"<x/>"),
}  # fmt: skip


# ── folders and Crello ──────────────────────────────────────────────────────────────────────


def _folder(layers: object, name: str = "f") -> Callable[[World], Command]:
    def make(world: World) -> Command:
        text = json.dumps({"overpaint": 1, "width": 60, "height": 40, "layers": layers})
        world.put(f"{name}/document.json", text.replace("/OUTSIDE", str(world.outside)))
        world.put(f"{name}/a.png", png(60, 40))
        os.symlink(world.outside / "secret.txt", world.here / name / "link.png")
        os.mkfifo(world.here / name / "pipe.png")
        return ["edit", name, CHANGE, "-o", "out.png"]

    return make


def _pictured(name: str) -> list[object]:
    return [{"name": "a", "id": "a", "picture": {"pixels": name}}]


def _crello(text: str | bytes) -> Callable[[World], Command]:
    def make(world: World) -> Command:
        raw = text.encode() if isinstance(text, str) else text
        world.put("a.json", raw.replace(b"http://canary", world.canary.encode()))
        return ["edit", "a.json", CHANGE, "-o", "out.png"]

    return make


def _record(**fields: object) -> str:
    plain = {"canvas_width": 90, "canvas_height": 90, "left": [0.1], "top": [0.1], "width": [0.5],
             "height": [0.5], "type": ["TextElement"], "text": ["Friday"], "opacity": [1.0]}  # fmt: skip
    return json.dumps(plain | fields)


CRELLOS: dict[str, str | bytes] = {
    "of 100,000 brackets": '{"a": ' + "[" * 100_000,
    "of 50,000 records": (_record() + "\n") * 50_000,
    "of huge numbers": '{"canvas_width": ' + "9" * 5000 + ', "canvas_height": 1e400}',
    "of NaN": '{"canvas_width": NaN, "canvas_height": NaN, "left": [NaN]}',
    "whose keys stand twice": '{"canvas_width": 9, "canvas_width": [], "left": 3, "left": {}}',
    "of lists that differ in length": _record(left=[0.1] * 9, text=[]),
    "of a text of a megabyte": _record(text=["Friday " * 150_000]),
    "of a picture at an address": _record(image=["http://canary/a.png"], type=["ImageElement"]),
    "of a picture in a file": _record(image=["file:///etc/passwd"], type=["ImageElement"]),
    "of 11,000 elements": _record(left=[0.1] * 11_000),
    "of script": _record(text=[f"Friday {SCRIPT}"], title=SCRIPT),
    "of half letters": _record(text=["Friday \ud800"]),
    "of letters 1e308 high": _record(font_size=[1e308]),
    "of lists of lists": _record(left=[[[[0.1]]]], text=[[["Friday"]]]),
}  # fmt: skip


def _cases() -> list[Case]:
    cases = [
        Case("zip", f"a zip {name}", of(ora, change, "a.ora"), REFUSED if "link" in name else (0, 2),
             quick="absolute" in name) for name, change in ZIPS.items()
    ]  # fmt: skip
    for kind, base in (("ora", ora), ("pptx", deck)):
        for name, data in cuts(zipped(base())).items():
            case = Case(
                kind.upper(),
                f"a {kind.upper()} {name}",
                of(base, lambda _, data=data: data, f"a.{kind}"),
                REFUSED,
            )  # type: ignore[misc]
            cases.append(case)
    cases += [
        Case("ORA", f"an ORA {name}", of(ora, change, "a.ora", WRITE), quick="laughs" in name)
        for name, change in ORAS.items()
    ]
    cases += [
        Case("ORA", f"an ORA {name}", of(ora, change, "a.ora")) for name, change in OURS.items()
    ]
    cases += [Case("PPTX", f"a PPTX {name}", of(deck, change, "a.pptx"), quick="itself" in name)
              for name, change in PPTXS.items()]  # fmt: skip
    folders = {
        "names a file outside": _pictured("/OUTSIDE/secret.txt"),
        "goes up": _pictured("../../../outside/secret.txt"), "names a link": _pictured("link.png"),
        "names a pipe": _pictured("pipe.png"), "names a device": _pictured("/dev/zero"),
        "names an address": _pictured("http://127.0.0.1/a.png"), "names itself": _pictured("document.json"),
        "names a picture inside of it, in base64": _pictured("data:image/png;base64,!!!"),
        "holds no layers": {"a": 1}, "holds layers that are none": [1, None, [], {}],
    }  # fmt: skip
    cases += [
        Case("folder", f"a folder that {name}", _folder(layers)) for name, layers in folders.items()
    ]
    return cases + [
        Case("Crello", f"a record {name}", _crello(text)) for name, text in CRELLOS.items()
    ]


CASES = _cases()
