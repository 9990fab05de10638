"""Hostile files: whatever is in them, a document or a sentence, soon and in little memory."""

import io
import resource
import struct
import time
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from psd_maker import Made, Piece, poster
from psd_tools import PSDImage
from psd_tools.constants import Compression

from overpaint.document import Document, Layer, Picture, files
from overpaint.document.layers import Group, Mask, Run, Text
from overpaint.errors import OverpaintError, PictureError


def noise(wide: int, high: int) -> np.ndarray:
    return np.random.default_rng(5).integers(0, 256, (high, wide, 4), dtype=np.uint8)


MADE = Document(canvas=(24, 18), made=(
    Layer(Picture(noise(24, 18)), "ground", "1"),
    Layer(Group((Layer(Picture(noise(9, 9)), "标题", "3", 2.0, 2.0,
                       mask=Mask(noise(5, 5)[:, :, 0].copy(), 1, 1)),
                 Layer(Picture(noise(7, 5)), "clip", "4", clip=True))), "group", "2",
          blend="pass-through"),
    Layer(Text((Run("hi"),), drawn=noise(6, 4)), "words", "5", 3.0, 9.0),
))  # fmt: skip


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """One whole file of each kind."""
    place = tmp_path_factory.mktemp("whole")
    files.write(MADE, place / "a.psd")
    files.write(MADE, place / "a.ora")
    text = Made((Piece("Friday "), Piece("淘宝", 1, 30.0)), box=(0, 0, 60, 30))
    live = poster(place / "live.psd", text)
    return {
        "psd": (place / "a.psd").read_bytes(), "live": live.read_bytes(),
        "ora": (place / "a.ora").read_bytes(),
    }  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that many tries share."""
    return tmp_path_factory.mktemp("tried")


def tried(path: Path, data: bytes) -> bool:
    """Whether damaged bytes still are a document; anything but a sentence of ours fails."""
    path.write_bytes(data)
    started = time.perf_counter()
    try:
        Document(path).rgb.sum()
        return True
    except PictureError as error:
        assert str(path) in str(error), "a message names the file"
        return False
    finally:
        assert time.perf_counter() - started < 5


@pytest.mark.parametrize("kind", ["psd", "live", "ora"])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_flipped_bytes_are_a_document_or_a_sentence(
    originals: dict[str, bytes], place: Path, kind: str, data: st.DataObject
) -> None:
    raw = bytearray(originals[kind])
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(4, len(raw) - 1))] = data.draw(st.sampled_from([0, 1, 127, 255]))
    tried(place / kind, bytes(raw))


@pytest.mark.parametrize("kind", ["psd", "live", "ora"])
def test_a_file_cut_short_anywhere_is_a_document_or_a_sentence(
    originals: dict[str, bytes], tmp_path: Path, kind: str
) -> None:
    whole = originals[kind]
    assert tried(tmp_path / "a", whole)
    for end in range(4, len(whole), max(1, len(whole) // 60)):
        tried(tmp_path / "a", whole[:end])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["psd", "live", "ora"])
def test_every_byte_of_a_file_can_be_wrong(
    originals: dict[str, bytes], tmp_path: Path, kind: str
) -> None:
    whole = originals[kind]
    for at in range(4, len(whole), max(1, len(whole) // 700)):
        for value in (0, 0x80, 0xFF):
            tried(tmp_path / "a", whole[:at] + bytes([value]) + whole[at + 1 :])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["psd", "live"])
def test_every_four_bytes_of_a_file_can_be_a_huge_number(
    originals: dict[str, bytes], tmp_path: Path, kind: str
) -> None:
    whole = originals[kind]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for at in range(4, len(whole) - 4, max(1, len(whole) // 500)):
        for value in (0x7FFFFFFF, 0xFFFFFFFF, 300_000):
            tried(tmp_path / "a", whole[:at] + struct.pack(">I", value) + whole[at + 4 :])
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 600_000, f"{grown} kB more than before"


def in_little_memory(path: Path) -> OverpaintError:
    """The error that a file gives, having cost less than 40 MB and two seconds."""
    tracemalloc.start()
    started = time.perf_counter()
    try:
        with pytest.raises(OverpaintError) as caught:
            Document(path).rgb.sum()
        assert tracemalloc.get_traced_memory()[1] < 40 << 20
        assert time.perf_counter() - started < 2
    finally:
        tracemalloc.stop()
    return caught.value


def test_a_psd_that_says_it_is_300_000_on_a_side_is_refused(
    originals: dict[str, bytes], tmp_path: Path
) -> None:
    raw = bytearray(originals["psd"])
    raw[14:22] = struct.pack(">II", 300_000, 300_000)
    (tmp_path / "a.psd").write_bytes(raw)
    error = in_little_memory(tmp_path / "a.psd")
    assert "says its canvas is 300000×300000" in str(error)


def test_a_psd_layer_that_lies_about_its_size_is_refused(
    originals: dict[str, bytes], tmp_path: Path
) -> None:
    psd = PSDImage.open(io.BytesIO(originals["psd"]))
    psd[0]._record.right, psd[0]._record.bottom = 290_000, 290_000
    out = io.BytesIO()
    psd._record.write(out)
    (tmp_path / "a.psd").write_bytes(out.getvalue())
    error = in_little_memory(tmp_path / "a.psd")
    assert "one has more than 100,000,000" in str(error)


def test_a_psd_channel_that_unpacks_to_more_or_less_than_it_should_is_damage(
    originals: dict[str, bytes], tmp_path: Path
) -> None:
    for content in (bytes(50 << 20), b"12"):
        psd = PSDImage.open(io.BytesIO(originals["psd"]))
        channel = psd[0]._channels[1]
        channel.compression, channel.data = Compression.ZIP, zlib.compress(content)
        out = io.BytesIO()
        psd._record.write(out)
        (tmp_path / "a.psd").write_bytes(out.getvalue())
        assert "is a damaged PSD" in str(in_little_memory(tmp_path / "a.psd"))


def test_a_psd_of_endless_groups_is_refused(tmp_path: Path) -> None:
    inner: tuple[Layer, ...] = ()
    for number in range(80):
        inner = (Layer(Group(inner), "g", str(number + 1)),)
    files.write(Document(made=inner, canvas=(9, 9)), tmp_path / "a.psd")
    with pytest.raises(PictureError, match="groups lie more than 64 deep"):
        files.read(tmp_path / "a.psd")


def test_a_damaged_origin_is_said_when_it_is_to_be_changed(
    originals: dict[str, bytes], tmp_path: Path
) -> None:
    path = tmp_path / "a.psd"
    path.write_bytes(originals["psd"])
    seen = files.read(path)
    path.write_bytes(originals["psd"][:500])
    with pytest.raises(PictureError, match="is a damaged PSD"):
        files.write(seen, tmp_path / "b.psd")
    assert not (tmp_path / "b.psd").exists()


# ── containers ──────────────────────────────────────────────────────────────────────────


def ora(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name.replace("__", "/").replace("_", "."), data)
    return path


def test_a_bomb_in_an_ora_is_refused(tmp_path: Path) -> None:
    path = ora(tmp_path / "a.ora", stack_xml=b"<image/>", data__a_png=bytes(60 << 20))
    error = in_little_memory(path)
    assert "packs 'data/a.png' more than 200 times" in str(error)


def chunk(kind: bytes, data: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + check


def test_a_picture_in_an_ora_that_would_decode_to_gigabytes_is_refused(tmp_path: Path) -> None:
    head = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 6, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(99)))
    stack = b"<image w='9' h='9'><stack><layer src='a.png'/></stack></image>"
    error = in_little_memory(ora(tmp_path / "a.ora", stack_xml=stack, a_png=png))
    assert "50000×50000 pixels; the limit is" in str(error)


def test_many_small_files_that_decode_to_much_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERPAINT_MAX_PIXELS", "500")
    files.write(MADE, tmp_path / "a.ora")
    with zipfile.ZipFile(tmp_path / "a.ora") as file:
        png = file.read("data/layer000.png")
    layers = b"<layer src='a.png'/>" * 9
    stack = b"<image w='9' h='9'><stack>" + layers + b"</stack></image>"
    with pytest.raises(PictureError, match="have more than 1,000 pixels.*set OVERPAINT_MAX_PIXELS"):
        files.read(ora(tmp_path / "b.ora", stack_xml=stack, a_png=png))


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "data\\..\\x"])
def test_a_layer_that_names_a_file_outside_finds_nothing(tmp_path: Path, name: str) -> None:
    stack = f"<image w='9' h='9'><stack><layer name='x' src='{name}'/></stack></image>"
    with pytest.raises(PictureError, match="the layer 'x' wants .*, not in it"):
        files.read(ora(tmp_path / "a.ora", stack_xml=stack.encode()))


@pytest.mark.parametrize("entity", ['"ha"', 'SYSTEM "file:///etc/passwd"', 'SYSTEM "http://x/y"'])
def test_entities_in_a_stack_are_refused(tmp_path: Path, entity: str) -> None:
    stack = f"<!DOCTYPE image [<!ENTITY x {entity}>]><image w='9' h='9'><stack name='&x;'/></image>"
    with pytest.raises(PictureError, match="declares or uses an entity, 'x'"):
        files.read(ora(tmp_path / "a.ora", stack_xml=stack.encode()))


def test_a_billion_laughs_are_over_at_once(tmp_path: Path) -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    stack = f'<!DOCTYPE image [<!ENTITY l0 "ha">{laughs}]><image w="9" h="9">&l9;</image>'
    error = in_little_memory(ora(tmp_path / "a.ora", stack_xml=stack.encode()))
    assert "entity, 'l0'" in str(error)


def test_our_own_part_cannot_name_files_outside_either(tmp_path: Path) -> None:
    files.write(MADE, tmp_path / "a.ora")
    with zipfile.ZipFile(tmp_path / "a.ora") as file:
        held = {name: file.read(name) for name in file.namelist()}
    held["overpaint.json"] = held["overpaint.json"].replace(b"data/layer000.png", b"/etc/passwd")
    with zipfile.ZipFile(tmp_path / "b.ora", "w") as file:
        for name, data in held.items():
            file.writestr(name, data)
    with pytest.raises(PictureError, match="has no '/etc/passwd' in it"):
        files.read(tmp_path / "b.ora")
