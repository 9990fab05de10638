"""Changes that keep the outer form of a file, so that what is inside of it is reached."""

import io
import json
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from fuzz_target import Shaper, anyhow

NUMBERS = ("0", "-1", "1", "2147483648", "99999999999999999999", "1e400", "-1e-400", "nan", "0.5")
TEXTS = (
    "", " ", "\x00", "\ud800", "\u202e\u2066", "e\u0301" * 300, "../../etc/passwd", "/dev/zero",
    "a" * 5000, "<script>alert(1)</script>", "%s%n{0}{x}$HOME", "²", "١٢", "\r\n", "=1+1", "\ufeff",
    "url(#a)", "file:///etc/passwd", "#", "inherit", "calc(1px)", "NaN", "true", "null", "\u2028",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 10**30, -(10**30), 0.5, 1e308, -0.0, float("nan"), float("inf"),
    [], {}, [[]], [None], {"": None}, [[[[[[]]]]]], *TEXTS,
)  # fmt: skip


# ── JSON ────────────────────────────────────────────────────────────────────────────────


def json_shape(data: bytes, rng: Random) -> bytes:
    """JSON with one of its values put to something else, taken out, or moved."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return anyhow(data, rng, (b"{", b"[", b'"', b"null", b"1e999", b"\\ud800"))
    if rng.random() < 0.02:
        return b"[" * 20_000
    return json.dumps(_changed(found, rng)).encode()


def _changed(found: Any, rng: Random) -> Any:
    places = list(_places(found, 0))
    if not places:
        return rng.choice(VALUES)
    holder, key = rng.choice(places)
    match rng.randrange(7):
        case 0 | 1 | 2:
            holder[key] = rng.choice(VALUES)
        case 3:
            del holder[key]
        case 4:
            other, place = rng.choice(places)
            holder[key] = json.loads(json.dumps(other[place]))
        case 5 if isinstance(holder, dict):
            holder[rng.choice(TEXTS)] = holder.pop(key)
        case 5:
            holder.insert(key, rng.choice(VALUES))
        case _:
            holder[key] = [holder[key]] if rng.random() < 0.5 else {"x": holder[key]}
    return found


def _places(found: Any, depth: int) -> Any:
    keys = found if isinstance(found, dict) else range(len(found) if isinstance(found, list) else 0)
    for key in list(keys)[:200]:
        yield found, key
        if depth < 12:
            yield from _places(found[key], depth + 1)


def lines_shape(inner: Shaper) -> Shaper:
    """Lines of which one is changed, doubled, or taken out."""

    def shape(data: bytes, rng: Random) -> bytes:
        lines = data.split(b"\n")
        at = rng.randrange(len(lines))
        match rng.randrange(6):
            case 0:
                lines.insert(at, lines[at])
            case 1:
                del lines[at]
            case _:
                lines[at] = inner(lines[at], rng)
        return b"\n".join(lines)

    return shape


def cells_shape(data: bytes, rng: Random, between: bytes = b",") -> bytes:
    """A table of which one cell is changed, taken out, or put in."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    cells = lines[at].split(between)
    cell = rng.randrange(len(cells))
    new = rng.choice((*TEXTS, *NUMBERS, '"', '""', '"a\nb"')).encode("utf-8", "surrogatepass")
    match rng.randrange(4):
        case 0:
            cells.insert(cell, new)
        case 1:
            del cells[cell]
        case _:
            cells[cell] = new
    lines[at] = between.join(cells)
    return b"\n".join(lines)


# ── XML, HTML ───────────────────────────────────────────────────────────────────────────

_VALUE = re.compile(rb'(=\s*")([^"]*)(")')
_ELEMENT = re.compile(rb"<[^<>]*>")
_FIGURE = re.compile(rb"-?\d+(?:\.\d+)?")
_BETWEEN = re.compile(rb">([^<>]+)<")


def xml_shape(data: bytes, rng: Random) -> bytes:
    """Markup of which one value, figure, text or element is changed."""
    kind = rng.randrange(6)
    found = list((_VALUE, _FIGURE, _BETWEEN, _ELEMENT, _ELEMENT, _VALUE)[kind].finditer(data))
    if not found:
        return anyhow(data, rng, (b"<g>", b"</g>", b"&#0;", b"<!DOCTYPE a [", b"]]>"))
    one, other = rng.choice(found), rng.choice(found)
    group = (2, 0, 1, 0, 0, 2)[kind]
    start, end = one.span(group)
    if kind == 3:
        new = other[0]
    elif kind == 4:
        new = one[0] * rng.choice((0, 2, 30))
    elif kind == 5:
        new = other[2]
    else:
        new = rng.choice(NUMBERS if kind == 1 or rng.random() < 0.5 else TEXTS).encode(
            "utf-8", "surrogatepass"
        )
        new = new.replace(b"<", b"&lt;").replace(b'"', b"&quot;")
    return data[:start] + new + data[end:]


# ── binary containers ───────────────────────────────────────────────────────────────────


def ints_shape(data: bytes, rng: Random) -> bytes:
    """One whole number, big-endian, of one, two or four bytes, put to an end of its range."""
    size = rng.choice((1, 2, 4))
    if len(data) <= size:
        return anyhow(data, rng)
    at = rng.randrange(len(data) - size)
    old = int.from_bytes(data[at : at + size], "big")
    most = (1 << 8 * size) - 1
    new = rng.choice((0, 1, most, most >> 1, (most >> 1) + 1, old + 1, old - 1, old * 2, len(data)))
    return data[:at] + (new & most).to_bytes(size, "big") + data[at + size :]


def png_shape(data: bytes, rng: Random) -> bytes:
    """A PNG of which one chunk is changed, doubled or taken out, its checksum right again."""
    chunks, at = [], 8
    while at + 8 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    if not chunks:
        return anyhow(data, rng)
    at = rng.randrange(len(chunks))
    kind, body = chunks[at]
    match rng.randrange(5):
        case 0:
            chunks.insert(at, chunks[at])
        case 1:
            del chunks[at]
        case 2:
            more = (b"tRNS", b"PLTE", b"iCCP", b"eXIf", b"acTL", b"fcTL", b"fdAT", b"zTXt", b"gAMA")
            chunks.insert(at, (rng.choice(more), anyhow(body[:40], rng)))
        case _:
            chunks[at] = (kind, rng.choice((anyhow, ints_shape))(body, rng))
    return data[:8] + b"".join(_chunk(*one) for one in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def zip_shape(inner: Mapping[str, Shaper], usual: Shaper = ints_shape) -> Shaper:
    """A zip file of which one member is changed by the shaper for its suffix, and packed again."""

    def shape(data: bytes, rng: Random) -> bytes:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as file:
                members = [(one.filename, file.read(one)) for one in file.infolist()]
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, zlib.error,
                RuntimeError, EOFError, struct.error):  # fmt: skip
            return anyhow(data, rng)
        if not members:
            return anyhow(data, rng)
        at = rng.randrange(len(members))
        name, body = members[at]
        match rng.randrange(12):
            case 0:
                members[at] = (rng.choice(("../a", "/a", "a/../../b", "\x00", name * 2)), body)
            case 1:
                del members[at]
            case 2:
                members.append((name, body))
            case 3:
                members[at] = (name, rng.choice(members)[1])
            case _:
                members[at] = (name, inner.get(name.rpartition(".")[2], usual)(body, rng))
        return _zipped(members)

    return shape


def _zipped(members: list[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two of one name are meant
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
            for name, body in members:
                file.writestr(zipfile.ZipInfo(name), body)
    return out.getvalue()


def font_shape(data: bytes, rng: Random) -> bytes:
    """A font of which numbers in one table, or in the list of tables, are changed."""
    if len(data) < 12:
        return anyhow(data, rng)
    count = int.from_bytes(data[4:6], "big")
    at = 12 + 16 * rng.randrange(max(1, min(count, 64)))
    start, length = (int.from_bytes(data[at + n : at + n + 4], "big") for n in (8, 12))
    if rng.random() < 0.2 or not 0 < start < start + length <= len(data):
        return ints_shape(data[:300], rng) + data[300:]
    return data[:start] + ints_shape(data[start : start + length], rng) + data[start + length :]


# ── PDF ─────────────────────────────────────────────────────────────────────────────────

_NAME = re.compile(rb"/[A-Za-z0-9]+")
_STRING = re.compile(rb"\((?:[^()\\]|\\.)*\)")


def pdf_shape(data: bytes, rng: Random) -> bytes:
    """A PDF of which one figure, name or string is changed; readers find its objects again."""
    kind = rng.randrange(4)
    found = list((_FIGURE, _NAME, _STRING, _FIGURE)[kind].finditer(data))
    if not found:
        return anyhow(data, rng)
    one = rng.choice(found)
    if kind == 0:
        new = rng.choice(NUMBERS).encode()
    elif kind == 2:
        new = b"(" + rng.choice((b"", b"\x00", b"\\377" * 50, b"\\(", b"\xfe\xff\xd8\x00")) + b")"
    else:
        new = rng.choice(found)[0]
    return data[: one.start()] + new + data[one.end() :]


def words_shape(known: tuple[str, ...]) -> Callable[[bytes, Random], bytes]:
    """Words of a language in any order: one is put in, taken out or put in another's place."""

    def shape(data: bytes, rng: Random) -> bytes:
        words = data.decode("utf-8", "replace").split(" ")
        at = rng.randrange(len(words))
        match rng.randrange(4):
            case 0:
                words.insert(at, rng.choice(known))
            case 1:
                words[at] = rng.choice(known)
            case 2:
                del words[at]
            case _:
                words[at:at] = [rng.choice(known) for _ in range(rng.randrange(1, 5))]
        return " ".join(words).encode("utf-8", "surrogatepass")

    return shape
