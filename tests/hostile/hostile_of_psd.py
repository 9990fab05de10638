# ruff: noqa: E501 (tables of cases, a line each)
"""PSD files that are cut, lie about their sizes, or are nested without end."""

import functools
import io
import struct
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hostile_case import CHANGE, ESCAPES, SCRIPT, Case, Command, World, cuts, zeros

Change = Callable[[bytearray], bytes | bytearray]


@functools.cache
def whole() -> bytes:
    """A poster with live text."""
    from psd_maker import Made, Piece, poster

    with tempfile.TemporaryDirectory() as place:
        text = Made((Piece("Friday "), Piece("noon", 1, 30.0)), box=(0, 0, 60, 30))
        return poster(Path(place) / "a.psd", text).read_bytes()


def changed(change: Callable[[], bytes]) -> Callable[[World], Command]:
    """Made, and edited as a sentence says."""

    def make(world: World) -> Command:
        world.put("a.psd", change())
        return ["edit", "a.psd", CHANGE, "-o", "out.psd"]

    return make


def at(offset: int, form: str, *values: int) -> Callable[[], bytes]:
    """With other numbers at a place."""

    def change() -> bytes:
        raw = bytearray(whole())
        struct.pack_into(form, raw, offset, *values)
        return bytes(raw)

    return change


def _sections() -> tuple[int, int, int]:
    """Where the lengths of the three sections behind the head stand."""
    raw, place, found = whole(), 26, []
    for _ in range(3):
        found.append(place)
        place += 4 + int.from_bytes(raw[place : place + 4])
    return found[0], found[1], found[2]


def section(number: int, value: int) -> Callable[[], bytes]:
    """With another length of a section."""
    return lambda: at(_sections()[number], ">I", value)()


def inside(more: int, form: str, *values: int) -> Callable[[], bytes]:
    """With other numbers behind the beginning of the section of layers."""
    return lambda: at(_sections()[2] + more, form, *values)()


def opened(change: Callable[[Any], None]) -> Callable[[], bytes]:
    """With what psd-tools lets one change."""

    def make() -> bytes:
        from psd_tools import PSDImage

        psd = PSDImage.open(io.BytesIO(whole()))
        change(psd)
        out = io.BytesIO()
        psd._record.write(out)
        return out.getvalue()

    return make


def replaced(old: bytes, new: bytes) -> Callable[[], bytes]:
    """With bytes that are others, of the same number."""

    def change() -> bytes:
        assert old in whole(), old
        assert len(old) == len(new)
        return whole().replace(old, new)

    return change


def _channel(data: bytes, how: str = "ZIP") -> Callable[[Any], None]:
    def change(psd: Any) -> None:
        from psd_tools.constants import Compression

        one = psd[0]._channels[1]
        one.compression, one.data = Compression[how], data

    return change


def _rectangle(*box: int) -> Callable[[Any], None]:
    def change(psd: Any) -> None:
        record = psd[0]._record
        record.top, record.left, record.bottom, record.right = box

    return change


def _named(name: str) -> Callable[[Any], None]:
    def change(psd: Any) -> None:
        from psd_tools.constants import Tag

        psd[0]._record.tagged_blocks.set_data(Tag.UNICODE_LAYER_NAME, name)

    return change


def _divider(kinds: list[int]) -> Callable[[], bytes]:
    """A file of nothing but beginnings and ends of groups."""

    def make() -> bytes:
        records, pixels = b"", b""
        for kind in kinds:
            block = b"8BIMlsct" + struct.pack(">II", 4, kind)
            extra = struct.pack(">II", 0, 0) + b"\x03g\0\0"[:4] + block
            records += struct.pack(">4iH", 0, 0, 0, 0, 0) + b"8BIMnorm" + bytes((255, 0, 0, 0))
            records += struct.pack(">I", len(extra)) + extra
        layers = struct.pack(">h", len(kinds)) + records + pixels
        layers += b"\0" * (len(layers) % 2)
        info = struct.pack(">I", len(layers)) + layers + struct.pack(">I", 0)
        head = b"8BPS" + struct.pack(">H6xHIIHH", 1, 3, 9, 9, 8, 3)
        merged = struct.pack(">H", 0) + bytes(9 * 9 * 3)
        return head + struct.pack(">II", 0, 0) + struct.pack(">I", len(info)) + info + merged

    return make


def _engine(data: bytes) -> Callable[[], bytes]:
    """With other engine data in the type layer."""

    def change(psd: Any) -> None:
        from psd_tools.constants import Tag
        from psd_tools.psd.descriptor import RawData

        block = psd[1]._record.tagged_blocks.get_data(Tag.TYPE_TOOL_OBJECT_SETTING)
        block.text_data[b"EngineData"] = RawData(data)

    return opened(change)


def _resource(number: int, data: bytes, size: int | None = None) -> Callable[[], bytes]:
    """With a resource of the picture, which may lie about its length."""

    def make() -> bytes:
        raw, (_, start, _) = whole(), _sections()
        length = int.from_bytes(raw[start : start + 4])
        block = b"8BIM" + struct.pack(">H", number) + b"\0\0"
        block += (
            struct.pack(">I", len(data) if size is None else size) + data + b"\0" * (len(data) % 2)
        )
        told = struct.pack(">I", length + len(block))
        return raw[:start] + told + block + raw[start + 4 :]

    return make


_LAUGH = (b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
          b"<x:xmpmeta>&a;</x:xmpmeta>")  # fmt: skip

PSDS: dict[str, Callable[[], bytes]] = {
    "of 300,000 on a side": at(14, ">II", 300_000, 300_000),
    "of no size": at(14, ">II", 0, 0),
    "of 30,000 by 3,000": at(14, ">II", 30_000, 3_000),
    "of 57,000 channels": at(12, ">H", 57_000),
    "of no channel": at(12, ">H", 0),
    "of a depth of 7": at(22, ">H", 7),
    "of a depth of 32": at(22, ">H", 32),
    "of an unknown kind of colour": at(24, ">H", 77),
    "with colours of a palette it lacks": at(24, ">H", 2),
    "that says it is a PSB": at(4, ">H", 2),
    "of an unknown version": at(4, ">H", 9),
    "whose palette is 4 GB": section(0, 2**32 - 1),
    "whose resources are 4 GB": section(1, 2**32 - 1),
    "whose layers are 4 GB": section(2, 2**32 - 1),
    "whose layers are said to be none": section(2, 0),
    "of 32,767 layers": inside(8, ">h", 32_767),
    "of -32,768 layers": inside(8, ">h", -32_768),
    "whose first layer has 60,000 channels": inside(10 + 16, ">H", 60_000),
    "whose first channel has 4 GB": inside(10 + 16 + 2 + 2, ">I", 2**32 - 1),
    "whose layer is larger than 290,000": opened(_rectangle(0, 0, 290_000, 290_000)),
    "whose layer is inside out": opened(_rectangle(50, 50, -50, -50)),
    "whose layer is far away": opened(_rectangle(-2**31, -2**31, -2**31 + 90, -2**31 + 120)),
    "whose channel unpacks to 400 MB": lambda: opened(_channel(zeros(400 << 20)))(),
    "whose channel unpacks to too little": opened(_channel(zlib.compress(b"12"))),
    "whose channel is noise": opened(_channel(bytes(range(256)) * 20)),
    "whose predicted channel is short": opened(
        _channel(zlib.compress(b"12"), "ZIP_WITH_PREDICTION")),
    "whose runs never end": opened(_channel(b"\x81" * 5_000, "RLE")),
    "whose rows are said to be long": opened(_channel(b"\xff\xff" * 5_000, "RLE")),
    "of 10,000 groups in groups": _divider([3] * 10_000 + [1] * 10_000),
    "of 10,000 groups that never begin": _divider([3] * 10_000),
    "of 10,000 groups that never end": _divider([1] * 10_000),
    "of groups of an unknown kind": _divider([9] * 40),
    "whose layer's name is escapes": opened(_named(ESCAPES)),
    "whose layer's name is script": opened(_named(SCRIPT)),
    "whose layer's name is a megabyte": opened(_named("n" * (1 << 20))),
    "whose text nests 100,000 deep": _engine(b"<< /A " * 100_000),
    "whose text is of brackets": _engine(b"[ " * 100_000),
    "whose text is of huge numbers": _engine(b"<< /EngineDict << /A " + b"9" * 6000 + b" >> >>"),
    "whose text is noise": _engine(bytes(range(256)) * 40),
    "whose text is empty": _engine(b""),
    "whose text is a string that never ends": _engine(b"<< /EngineDict << /Editor << /Text (" + b"(" * 50_000),
    "whose sizes of letters are huge": replaced(b"/FontSize 20.0", b"/FontSize 9e99"),
    "whose font is none it names": replaced(b"/Font 0\n", b"/Font 9\n"),
    "whose mode of blending is unknown": replaced(b"8BIMnorm", b"8BIMevil"),
    "whose metadata reads a file": _resource(1060, _LAUGH),
    "whose profile is noise": _resource(1039, bytes(range(256))),
    "whose resource says 4 GB": _resource(1060, b"x", 2**32 - 2),
    "whose thumbnail is a bomb": _resource(1036, struct.pack(">6I2H", 1, 60_000, 60_000, 0, 0, 0, 24, 1)),
    "whose guides are 4,000,000,000": _resource(1032, struct.pack(">IIII", 1, 1, 1, 2**32 - 1)),
    "whose paths lead outside": _resource(1092, b"file:///etc/passwd"),
    "whose merged picture is cut off": lambda: whole()[: -120 * 90],
    "whose merged picture is packed otherwise": lambda: _merged(9),
}  # fmt: skip


def _merged(how: int) -> bytes:
    raw, (_, _, layers) = bytearray(whole()), _sections()
    start = layers + 4 + int.from_bytes(raw[layers : layers + 4])
    struct.pack_into(">H", raw, start, how)
    return bytes(raw)


def _cases() -> list[Case]:
    cases = [Case("PSD", f"a PSD {name}", changed(make), quick="290,000" in name)
             for name, make in PSDS.items()]  # fmt: skip
    return cases + [
        Case("PSD", f"a PSD {name}", changed(lambda data=data: data))  # type: ignore[misc]
        for name, data in cuts(whole()).items()
    ]


CASES = _cases()
