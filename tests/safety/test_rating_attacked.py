"""The rating page's real server on a real port, and what is sent to it to stop or to fool it."""

import http.client
import ipaddress
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from made_study import begin, make_run

from overpaint.rating import guarding, hurrying, raters
from overpaint.rating.serving import listening, serve


class Target:
    """A study that is served in this process for as long as the tests here take."""

    def __init__(self, folder: Path) -> None:
        self.book = begin(make_run(folder / "run"))
        self.token = raters.make_links(self.book, "rater", 1)[0].token
        self.watchers = [one.token for one in raters.make_links(self.book, "observer", 2)]
        listener, told = listening("127.0.0.1", 0), threading.Event()
        self.port = listener.getsockname()[1]
        options = {"ready": lambda address: told.set()}
        threading.Thread(
            target=serve, args=(self.book, listener), kwargs=options, daemon=True
        ).start()
        assert told.wait(20)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def ask(self, data: bytes) -> bytes:
        """All that comes back for these bytes, until the server hangs up or is silent."""
        with self.connect() as line:
            with suppress(ConnectionError):
                line.sendall(data)
            return everything(line)

    def status(self, data: bytes) -> int:
        reply = self.ask(data)
        assert reply.startswith(b"HTTP/1.1 "), reply[:60]
        return int(reply[9:12])

    def is_well(self) -> bool:
        """Whether a rater who comes now is let in as ever."""
        body = json.dumps({"token": self.token}).encode()
        return self.status(post("/api/join", body)) == 200


def everything(line: socket.socket) -> bytes:
    found = b""
    with suppress(ConnectionError):
        while part := line.recv(65536):
            found += part
            head, _, body = found.partition(b"\r\n\r\n")
            for told in head.lower().split(b"\r\n"):
                if told.startswith(b"content-length:") and len(body) >= int(told[15:]):
                    return found
    return found


def post(path: str, body: bytes, *more: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
             f"Content-Length: {len(body)}", *more]  # fmt: skip
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def get(path: str, *more: str, host: str = "127.0.0.1") -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", *more]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    found = Target(tmp_path_factory.mktemp("attacked"))
    yield found
    assert found.is_well(), "after all that, the page still lets a rater in"


# ── to stop it ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sent", [b"", b"GET /rate HTT", b"GET /rate HTTP/1.1\r\nX-A: "])
def test_a_head_that_never_ends_is_not_waited_for(
    target: Target, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hurrying, "HEAD", 0.3)
    with target.connect() as line:
        line.sendall(sent)
        started = time.monotonic()
        assert everything(line) == b""
        assert time.monotonic() - started < 5


def test_nor_is_one_that_trickles_in_after_a_request_that_was_answered(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hurrying, "HEAD", 0.3)
    with target.connect() as line:
        line.sendall(get("/rate"))
        assert everything(line).startswith(b"HTTP/1.1 200")
        started = time.monotonic()
        line.settimeout(0.05)
        while time.monotonic() - started < 5:
            try:
                line.sendall(b"G")
                if line.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        assert time.monotonic() - started < 3


@pytest.mark.slow
def test_two_hundred_connections_that_say_nothing_keep_nobody_out(target: Target) -> None:
    lines = [target.connect() for _ in range(200)]
    try:
        for line in lines:
            line.sendall(b"GET / HTTP/1.1\r\n")
        assert target.is_well()
    finally:
        for line in lines:
            line.close()


def test_a_body_that_trickles_in_is_cut_off(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarding, "SLOWEST", 0.3)
    with target.connect() as line:
        line.sendall(post("/api/join", b"").replace(b"Length: 0", b"Length: 60000"))
        line.settimeout(0.05)
        started, found = time.monotonic(), b""
        while not found and time.monotonic() - started < 5:
            line.sendall(b" ")
            with suppress(TimeoutError):
                found = line.recv(65536)
        assert found.startswith(b"HTTP/1.1 408")
        assert time.monotonic() - started < 3


def test_one_address_has_its_share_of_connections(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hurrying, "EACH", 16)
    far = property(lambda address: False)  # as if this test came over a network
    monkeypatch.setattr(ipaddress.IPv4Address, "is_loopback", far)
    with ExitStack() as lines:
        held = [lines.enter_context(target.connect()) for _ in range(16)]
        for line in held:
            line.sendall(get("/rate"))
            assert everything(line).startswith(b"HTTP/1.1 200")
        assert target.ask(get("/rate")) == b"", "one too many"
        held[0].close()
        until = time.monotonic() + 5
        while not target.ask(get("/rate")):
            assert time.monotonic() < until, "who has left is counted on"


def test_a_proxy_on_this_machine_speaks_for_all(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hurrying, "EACH", 16)
    with ExitStack() as lines:
        for line in [lines.enter_context(target.connect()) for _ in range(20)]:
            line.sendall(get("/rate"))
            assert everything(line).startswith(b"HTTP/1.1 200")


class Watcher:
    """Somebody who is let in and asks on over one connection."""

    def __init__(self, target: Target, token: str) -> None:
        self.line = http.client.HTTPConnection("127.0.0.1", target.port, timeout=20)
        kind = {"Content-Type": "application/json"}
        self.line.request("POST", "/api/join", json.dumps({"token": token}), kind)
        reply = self.line.getresponse()
        reply.read()
        self.cookie = str(reply.headers["set-cookie"]).partition(";")[0]

    def asks(self) -> int:
        """The status of the next reply."""
        self.line.request("GET", "/api/state", headers={"Cookie": self.cookie})
        reply = self.line.getresponse()
        reply.read()
        return reply.status


def test_a_session_that_asks_hundreds_of_times_a_second_is_held_back(target: Target) -> None:
    hasty, patient = (Watcher(target, token) for token in target.watchers)
    started = time.monotonic()
    codes = [hasty.asks() for _ in range(300)]
    allowed = 2 * guarding.PER_SECOND + guarding.PER_SECOND * (time.monotonic() - started)
    assert codes[:40] == [200] * 40
    assert set(codes) == {200, 429}
    assert codes.count(200) <= allowed + 1
    assert patient.asks() == 200, "others are not held back"
    time.sleep(0.2)
    assert hasty.asks() == 200, "nor is who has waited"


def test_ten_megabytes_of_json_are_refused_unread(target: Target) -> None:
    body = b'{"token": "' + b"x" * 10_000_000 + b'"}'
    started = time.monotonic()
    assert target.status(post("/api/join", body)) == 413
    assert time.monotonic() - started < 5


@pytest.mark.slow
def test_ten_megabytes_in_pieces_of_no_stated_length_are_refused_as_well(target: Target) -> None:
    head = post("/api/join", b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
    piece = b"8000\r\n" + b" " * 0x8000 + b"\r\n"
    assert target.status(head + piece * 320) == 413


@pytest.mark.parametrize(
    "head",
    [b"X-A: " + b"a" * 200_000, b"\r\n".join(b"X-%d: a" % n for n in range(20_000)),
     b"Cookie: " + b"a=b; " * 40_000],
)  # fmt: skip
def test_a_head_of_hundreds_of_kilobytes_is_cut_off(target: Target, head: bytes) -> None:
    reply = target.ask(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + head + b"\r\n\r\n")
    assert reply[:12] in (b"HTTP/1.1 400", b"HTTP/1.1 431", b"")  # or hung up on while sending


def test_json_nested_without_end_is_a_refusal(target: Target) -> None:
    assert target.status(post("/api/join", b'{"a":' * 12_000)) == 400


# ── to fool it ──────────────────────────────────────────────────────────────────────────

SMUGGLED = "GET /api/admin/export.csv HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        b"GARBAGE\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\0" * 100 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /\0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\0b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n folded: yes\r\n\r\n",
        b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5, 6\r\n\r\n",
        b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: gzip\r\n\r\n",
    ],
)  # fmt: skip
def test_what_is_no_http_is_refused_and_nothing_more(target: Target, sent: bytes) -> None:
    reply = target.ask(sent)
    assert 400 <= int(reply[9:12]) < 502, reply[:80]
    assert b"Traceback" not in reply
    assert b"HTTP/1.1" not in reply[12:], "one question has one answer"


def test_no_second_request_is_smuggled_in_by_two_lengths(target: Target) -> None:
    sent = post("/api/join", b"0\r\n\r\n" + SMUGGLED.encode(), "Transfer-Encoding: chunked")
    with target.connect() as line:
        line.sendall(sent)
        reply = b"".join(iter(lambda: line.recv(65536), b""))  # until the server hangs up
    assert reply.startswith(b"HTTP/1.1 400")
    assert reply.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    "path",
    ["/static/..%2f..%2fapp.py", "/static/%2e%2e/app.py", "/static/../../run.db", "/../run.db",
     "//etc/passwd", "/static/%00", "/pictures/..%5c..%5crun.db", "/static/..%c0%af..%c0%afapp.py",
     "/%2e%2e/%2e%2e/etc/passwd", "/static//etc/passwd", "/static/%252e%252e%252fapp.py"],
)  # fmt: skip
def test_no_spelling_of_a_path_leaves_the_page(target: Target, path: str) -> None:
    reply = target.ask(get(path))
    assert reply[9:12] in (b"404", b"401", b"403", b"400")
    assert b"SQLite" not in reply
    assert b"root:" not in reply


@pytest.mark.parametrize("path", ["http://evil.example/rate", "http://evil.example/"])
def test_an_address_with_a_host_in_it_is_not_taken_for_ours(target: Target, path: str) -> None:
    assert target.status(get(path, host="evil.example")) == 403


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "evil.example#127.0.0.1", "127.0.0.1@evil.example",
     "localhost.", "[::1].evil.example"],
)  # fmt: skip
def test_a_name_that_was_pointed_here_gets_nothing(target: Target, host: str) -> None:
    """DNS rebinding: the browser says the name it was told, and that is not one of ours."""
    reply = target.ask(get("/rate", host=host))
    assert reply[9:12] in (b"403", b"400")
    assert b"<html" not in reply


def test_a_proxy_that_nobody_set_up_is_not_believed(target: Target) -> None:
    told = ("X-Forwarded-For: 10.0.0.1", "X-Forwarded-Host: evil.example",
            "X-Forwarded-Proto: https")  # fmt: skip
    body = json.dumps({"token": target.token}).encode()
    reply = target.ask(post("/api/join", body, *told))
    assert b"200 OK" in reply
    cookie = next(line for line in reply.split(b"\r\n") if line.lower().startswith(b"set-cookie"))
    assert b"secure" not in cookie.lower()
    assert b"evil" not in reply


def test_a_reply_says_nothing_of_what_serves_it(target: Target) -> None:
    for path in ("/rate", "/nowhere", "/api/state"):
        head = target.ask(get(path)).partition(b"\r\n\r\n")[0].lower()
        assert b"\r\nserver:" not in head
        assert b"python" not in head


# ── what a link leaves behind ───────────────────────────────────────────────────────────


@pytest.fixture
def by_command(tmp_path: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A study that is served as users do it, and the link to it that the command told."""
    words = ["rate", str(make_run(tmp_path / "run")), "--study", "one", "--raters", "1"]
    child = subprocess.Popen(
        [sys.executable, "-m", "overpaint", *words, "--port", "0", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    told = ""
    while not told.endswith("\n}\n") and (line := child.stdout.readline()):
        told += line
    yield child, next(one["link"] for one in json.loads(told)["links"] if one["role"] == "rater")
    child.kill()
    child.communicate()


@pytest.mark.slow
def test_a_link_stands_in_no_request_no_log_and_nowhere_to_go_back_to(
    chromium: Any, by_command: tuple["subprocess.Popen[str]", str]
) -> None:
    server, link = by_command
    token, made_up = link.partition("#")[2], "x" * 32
    context = chromium.new_context()
    page = context.new_page()
    heads, devtools = list[Any](), context.new_cdp_session(page)
    devtools.on("Network.requestWillBeSentExtraInfo", lambda told: heads.append(told["headers"]))
    devtools.send("Network.enable")
    page.goto(link.replace(token, made_up))
    page.get_by_text("This link is not known here").wait_for()
    page.goto(link)
    page.get_by_role("button", name="I agree, and begin").wait_for()
    page.evaluate("location.assign('/')")  # as somebody does who goes elsewhere from there
    page.wait_for_url(link.partition("/rate")[0] + "/")
    assert page.evaluate("document.referrer") == ""
    assert len(heads) > 5
    assert not [name for head in heads for name in head if name.lower() == "referer"]
    past = [one["url"] for one in devtools.send("Page.getNavigationHistory")["entries"]]
    context.close()
    server.kill()
    for secret in (token, made_up):
        assert secret not in json.dumps([heads, past])
    assert server.communicate() == ("", ""), "it says nothing of who comes"
