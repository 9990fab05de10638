# ruff: noqa: E501 (tables of cases, a line each)
"""Pictures that are damaged, huge, lying, or something else."""

import functools
import io
import os
import struct
import zlib
from collections.abc import Callable

import numpy as np
from hostile_case import (
    CHANGE,
    DONE,
    ESCAPES,
    PNG,
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
)
from PIL import Image

END = chunk(b"IEND", b"")


def opened(
    data: bytes | Callable[[], bytes], name: str = "a.png", out: str = "out.png"
) -> Callable[[World], Command]:
    """Put it in a document as a layer, which reads and writes it and looks for no words."""

    def make(world: World) -> Command:
        world.put(name, data if isinstance(data, bytes) else data())
        world.put("small.png", png(8, 8))
        world.json("plan.json", [{"op": "insert", "picture": "small.png"}])
        return ["edit", name, "--apply", "plan.json", "-o", out]

    return make


def read_words(
    data: bytes | Callable[[], bytes], name: str = "a.png"
) -> Callable[[World], Command]:
    """Edit it as a sentence says, which reads its words first."""

    def make(world: World) -> Command:
        world.put(name, data if isinstance(data, bytes) else data())
        return ["edit", name, CHANGE, "-o", "out.png"]

    return make


@functools.cache
def whole(kind: str, wide: int = 60, high: int = 40, mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    pixels = np.random.default_rng(3).integers(0, 255, (high, wide, 3), dtype=np.uint8)
    Image.fromarray(pixels).convert(mode).save(out, kind)
    return out.getvalue()


def _tiff(*entries: tuple[int, int, int, int], after: bytes = b"", following: int = 0) -> bytes:
    """A TIFF of one directory, at 8: (tag, type, count, value)."""
    packed = b"".join(struct.pack("<HHII", *one) for one in entries)
    return b"II*\0" + struct.pack("<IH", 8, len(entries)) + packed + (
        struct.pack("<I", following) + after
    )  # fmt: skip


def _directory(
    wide: int, high: int, at: int = 200, size: int = 300, *more: tuple[int, ...], following: int = 0
) -> bytes:
    told = [(256, 4, 1, wide), (257, 4, 1, high), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1),
            (273, 4, 1, at), (277, 3, 1, 1), (278, 4, 1, high), (279, 4, 1, size), *more]  # fmt: skip
    return _tiff(*sorted(told), after=bytes(400), following=following)


def _exif_loop() -> bytes:
    block = b"Exif\0\0II*\0" + struct.pack("<IHHHIII", 8, 1, 0x8769, 4, 1, 8, 8)
    return b"\xff\xd8\xff\xe1" + struct.pack(">H", len(block) + 2) + block + whole("JPEG")[2:]


def _scans() -> bytes:
    """A progressive JPEG of 20,000 scans over a large picture."""
    out = io.BytesIO()
    Image.new("L", (4000, 4000)).save(out, "JPEG", progressive=True)
    data = out.getvalue()
    first = data.rindex(b"\xff\xda")
    return data[:first] + data[first:-2] * 20_000 + b"\xff\xd9"


def _bomb(wide: int, high: int) -> bytes:
    return png_head(wide, high, 8, 0) + chunk(b"IDAT", zeros((wide + 1) * high)) + END


def _animated() -> bytes:
    out = io.BytesIO()
    first = Image.new("RGB", (30, 30))
    rest = [Image.new("RGB", (30, 30), (n % 255, 0, 0)) for n in range(400)]
    first.save(out, "GIF", save_all=True, append_images=rest)
    return out.getvalue()


def _webp(size: int, chunk_size: int, kind: bytes = b"VP8 ") -> bytes:
    return b"RIFF" + struct.pack("<I", size) + b"WEBP" + kind + struct.pack("<I", chunk_size) + (
        b"\x30\x01\x00\x9d\x01\x2a\xff\x3f\xff\x3f" + bytes(40)
    )  # fmt: skip


def _changed(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


def _sof(data: bytes, wide: int, high: int) -> bytes:
    return _changed(data, data.index(b"\xff\xc0") + 5, struct.pack(">HH", high, wide))


PIXELS = zlib.compress(bytes(31 * 30 * 3 + 30))
PNGS: dict[str, bytes | Callable[[], bytes]] = {
    "a PNG of no pixels": png_head(0, 0) + END,
    "a PNG of 2,147,483,647 on a side": png_head(2**31 - 1, 2**31 - 1) + chunk(b"IDAT", PIXELS),
    "a PNG one pixel wide and 2,000,000,000 high": png_head(1, 2 * 10**9) + chunk(b"IDAT", PIXELS),
    "a PNG bomb of 65,000 on a side": lambda: png_head(65_000, 65_000) + chunk(b"IDAT", zeros(9 << 20)),
    "a PNG whose head has a wrong checksum": PNG + chunk(b"IHDR", struct.pack(">IIBBBBB", 30, 30, 8, 2, 0, 0, 0), crc=1) + (
        chunk(b"IDAT", PIXELS) + END
    ),
    "a PNG whose pixels have a wrong checksum": png_head(30, 30) + chunk(b"IDAT", PIXELS, crc=7) + END,
    "a PNG chunk that says 4 GB": png_head(30, 30) + chunk(b"IDAT", PIXELS, size=2**32 - 1),
    "a PNG chunk that says less than it has": png_head(30, 30) + chunk(b"IDAT", PIXELS, size=3) + END,
    "a PNG with 500 MB behind its pixels": lambda: (
        png_head(30, 30) + chunk(b"IDAT", zeros(500 << 20)) + END
    ),
    "a PNG with fewer pixels than it says": png_head(900, 900) + chunk(b"IDAT", PIXELS) + END,
    "a PNG whose text unpacks to 500 MB": lambda: (
        png_head(30, 30) + chunk(b"zTXt", b"a\0\0" + zeros(500 << 20)) + chunk(b"IDAT", PIXELS) + END
    ),
    "a PNG whose profile unpacks to 500 MB": lambda: (
        png_head(30, 30) + chunk(b"iCCP", b"a\0\0" + zeros(500 << 20)) + chunk(b"IDAT", PIXELS) + END
    ),
    "a PNG of 200,000 texts": lambda: (
        png_head(30, 30) + chunk(b"tEXt", b"k\0v") * 200_000 + chunk(b"IDAT", PIXELS) + END
    ),
    "a PNG of 300,000 pieces": lambda: (
        png_head(30, 30) + chunk(b"IDAT", b"") * 300_000 + chunk(b"IDAT", PIXELS) + END
    ),
    "a PNG of a billion frames": png_head(30, 30) + chunk(b"acTL", struct.pack(">II", 10**9, 0)) + (
        chunk(b"IDAT", PIXELS) + END
    ),
    "a PNG of three bits a pixel": png_head(30, 30, 3, 2) + chunk(b"IDAT", PIXELS) + END,
    "a PNG of an unknown kind of colour": png_head(30, 30, 8, 5) + chunk(b"IDAT", PIXELS) + END,
    "a PNG with a palette of none": png_head(30, 30, 8, 3) + chunk(b"IDAT", PIXELS) + END,
    "a PNG with colours beyond its palette": png_head(30, 30, 8, 3) + chunk(b"PLTE", b"abc") + (
        chunk(b"IDAT", zlib.compress((b"\0" + b"\xff" * 30) * 30)) + END
    ),
    "a PNG of an unknown filter": png_head(30, 30) + (
        chunk(b"IDAT", zlib.compress((b"\x63" + bytes(90)) * 30)) + END
    ),
    "an interlaced PNG cut short": png_head(900, 900, 8, 2, 1) + chunk(b"IDAT", PIXELS[:20]),
    "a PNG with EXIF that turns round on itself": png_head(30, 30) + chunk(b"IDAT", PIXELS) + (
        chunk(b"eXIf", b"II*\0" + struct.pack("<IHHHIII", 8, 1, 0x8769, 4, 1, 8, 8)) + END
    ),
    "a PNG with escapes for a terminal in its text": png_head(30, 30) + (
        chunk(b"tEXt", b"Title\0" + ESCAPES.encode()) + chunk(b"IDAT", PIXELS) + END
    ),
    "a PNG that is also a page with script": png() + f"<html>{SCRIPT}".encode(),
    "a PNG of unknown chunks that must be known": png_head(30, 30) + chunk(b"EVIL", b"x") + (
        chunk(b"IDAT", PIXELS) + END
    ),
}  # fmt: skip
OTHERS: dict[str, tuple[bytes | Callable[[], bytes], str]] = {
    "a JPEG that is only begun": (b"\xff\xd8\xff", "a.jpg"),
    "a JPEG of 65,535 on a side": (_sof(whole("JPEG"), 65_535, 65_535), "a.jpg"),
    "a JPEG of no height": (_sof(whole("JPEG"), 60, 0), "a.jpg"),
    "a JPEG far larger than its data": (_sof(whole("JPEG"), 9_000, 9_000), "a.jpg"),
    "a JPEG with EXIF that turns round on itself": (_exif_loop(), "a.jpg"),
    "a JPEG of 20,000 scans": (_scans, "a.jpg"),
    "a JPEG of 100,000 remarks": (
        lambda: b"\xff\xd8" + b"\xff\xfe\x00\x03x" * 100_000 + whole("JPEG")[2:], "a.jpg"),
    "a JPEG with a broken Huffman table": (
        _changed(whole("JPEG"), whole("JPEG").index(b"\xff\xc4") + 5, b"\xff" * 16), "a.jpg"),
    "a JPEG with a quantiser of none": (whole("JPEG").replace(b"\xff\xdb", b"\xff\xfe"), "a.jpg"),
    "a JPEG called PNG": (whole("JPEG"), "a.png"),
    "a JPEG of four inks": (whole("JPEG", mode="CMYK"), "a.jpg"),
    "a GIF of 400 frames": (_animated, "a.gif"),
    "a GIF called PNG": (_animated, "a.png"),
    "a GIF of 65,535 on a side": (b"GIF89a" + b"\xff" * 4 + bytes(60), "a.gif"),
    "a BMP of a negative size": (
        b"BM" + struct.pack("<IIIIiiHHIIiiII", 99, 0, 54, 40, -9, -2**31, 1, 24, 0, 0, 0, 0, 0, 0),
        "a.bmp"),
    "a TIFF whose directory follows itself": (_directory(30, 10, following=8), "a.tif"),
    "a TIFF of 4,000,000,000 on a side": (_directory(4 * 10**9, 4 * 10**9), "a.tif"),
    "a TIFF whose strip lies behind its end": (_directory(30, 10, at=2**31), "a.tif"),
    "a TIFF whose strip has 4 GB": (_directory(30, 10, size=2**32 - 1), "a.tif"),
    "a TIFF of 60,000 samples a pixel": (
        _directory(30, 10).replace(struct.pack("<HHII", 277, 3, 1, 1),
                                   struct.pack("<HHII", 277, 3, 1, 60_000)), "a.tif"),
    "a TIFF with a tag of 4,000,000,000 values": (
        _directory(30, 10, 200, 300, (340, 12, 2**32 - 1, 20)), "a.tif"),
    "a TIFF packed with an unknown method": (
        _directory(30, 10).replace(struct.pack("<HHII", 259, 3, 1, 1),
                                   struct.pack("<HHII", 259, 3, 1, 34_999)), "a.tif"),
    "a TIFF of 20,000 directories": (
        lambda: _directory(30, 10, following=len(_directory(30, 10))) + b"".join(
            struct.pack("<HHHIII", 1, 256, 4, 1, 9, len(_directory(30, 10)) + 18 * (n + 1))
            for n in range(20_000)
        ), "a.tif"),
    "a TIFF of numbers that are none": (
        lambda: _floats(np.full((20, 20), np.nan, np.float32)), "a.tif"),
    "a TIFF of infinities": (lambda: _floats(np.full((20, 20), np.inf, np.float32)), "a.tif"),
    "a BigTIFF that is only begun": (b"II+\0\x08\0\0\0" + b"\xff" * 8, "a.tif"),
    "a WebP larger than its file": (_webp(2**32 - 1, 2**32 - 1), "a.webp"),
    "a WebP of 16,383 on a side": (_webp(60, 48), "a.webp"),
    "a WebP whose canvas is a lie": (_webp(60, 10, b"VP8X"), "a.webp"),
    "a lossless WebP of noise": (
        b"RIFF\x50\0\0\0WEBPVP8L\x44\0\0\0\x2f" + bytes(range(68)), "a.webp"),
    "an AVIF that is only begun": (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf" + bytes(64), "a.avif"),
    "an AVIF called PNG": (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf" + bytes(64), "a.png"),
    "a PPM of 1,000,000 on a side": (b"P6 1000000 1000000 255 \xff", "a.ppm"),
    "a PostScript that runs a program": (
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(%pipe%touch /tmp/hostile-escape-ps)"
        b" (w) file\n", "a.eps"),
    "a PostScript called PNG": (
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(%pipe%touch hostile-escape-ps) (w) file",
        "a.png"),
    "an icon in an icon": (b"\0\0\1\0\1\0\0\0\0\0\1\0\x20\0" + struct.pack("<II", 99, 6), "a.ico"),
    "a page with script called PNG": (SCRIPT.encode() * 500, "a.png"),
    "noise called PNG": (np.random.default_rng(1).bytes(100_000), "a.png"),
    "zeros called JPEG": (bytes(3 << 20), "a.jpg"),
}  # fmt: skip


def _floats(values: np.ndarray) -> bytes:
    out = io.BytesIO()
    Image.fromarray(values).save(out, "TIFF")
    return out.getvalue()


def _linked(where: str) -> Callable[[World], Command]:
    def make(world: World) -> Command:
        os.symlink(where or world.outside / "secret.txt", world.here / "a.png")
        return ["edit", "a.png", CHANGE, "-o", "out.png"]

    return make


def _pipe(world: World) -> Command:
    os.mkfifo(world.here / "a.png")
    return ["edit", "a.png", CHANGE, "-o", "out.png"]


def _asked_of(*words: str) -> Callable[[World], Command]:
    def make(world: World) -> Command:
        world.put("a.png", png())
        return [word.format(canary=world.canary, outside=world.outside) for word in words]

    return make


def _cases() -> list[Case]:
    cases = [Case("PNG", name, opened(data)) for name, data in PNGS.items()]
    for kind, suffix in (("PNG", "png"), ("JPEG", "jpg"), ("WEBP", "webp"), ("TIFF", "tif")):
        label = kind if kind == "PNG" else "other pictures"
        for name, data in cuts(whole(kind)).items():
            cases.append(Case(label, f"a {kind} {name}", opened(data, f"a.{suffix}")))
    cases += [
        Case(
            "other pictures", name, opened(data, file), gigabytes=3 if "far larger" in name else 1.5
        )
        for name, (data, file) in OTHERS.items()
    ]
    cases += [
        Case("PNG", "an empty file", opened(b""), REFUSED, "an empty file", quick=True),
        Case("PNG", "a large page of no words", read_words(lambda: _bomb(9_000, 11_000)), gigabytes=3),
        Case("PNG", "a page of 60,000 by 1,600 without words", read_words(lambda: _bomb(60_000, 1_600)), gigabytes=3),
        Case("PNG", "a page one pixel high", read_words(lambda: _bomb(90_000, 1))),
        Case("PNG", "a large picture to put a layer on", opened(lambda: _bomb(9_000, 11_000)), gigabytes=3),
    ]  # fmt: skip
    places = {
        "a link to /etc/passwd": _linked("/etc/passwd"), "a link to a secret": _linked(""),
        "a link to itself": _linked("a.png"), "a link to /dev/zero": _linked("/dev/zero"),
        "a named pipe": _pipe, "/dev/zero": _asked_of("edit", "/dev/zero", CHANGE, "-o", "out.png"),
        "/dev/stdin": _asked_of("edit", "/dev/stdin", CHANGE, "-o", "out.png"),
        "a process's memory": _asked_of("edit", "/proc/self/mem", CHANGE, "-o", "out.png"),
        "a terminal": _asked_of("edit", "/dev/tty", CHANGE, "-o", "out.png"),
        "an address": _asked_of("edit", "{canary}/a.png", CHANGE, "-o", "out.png"),
        "a file: address": _asked_of("edit", "file:///etc/passwd", CHANGE, "-o", "out.png"),
        "a share of Windows": _asked_of("edit", "\\\\127.0.0.1\\share\\a.png", CHANGE),
    }  # fmt: skip
    cases += [Case("places", name, make, reads="secret" in name) for name, make in places.items()]
    cases += [
        Case("places", "to be written to /dev/full",
             opened(png(), out="/dev/full"), REFUSED),
        Case("places", "to be written to an address",
             _asked_of("edit", "a.png", CHANGE, "-o", "{canary}/a.png"), REFUSED),
    ]  # fmt: skip
    assert DONE
    return cases


CASES = _cases()
