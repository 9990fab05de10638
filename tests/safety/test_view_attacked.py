"""`overpaint view` on a real port, and what other users, other pages and odd clients try there."""

import http.client
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from report.made_run import usual_run

from overpaint.report import serve
from overpaint.report.door import Door
from overpaint.report.serving import Handler


class Page:
    """A run that is served as the command serves it, and what one told its address can do."""

    def __init__(self, run: Path) -> None:
        told, answered = [], threading.Event()

        def ready(address: str) -> None:
            told.append(address)
            answered.set()

        threading.Thread(target=serve, args=(run,), kwargs={"ready": ready}, daemon=True).start()
        assert answered.wait(20)
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?key=([\w-]{32})", told[0])
        assert found, told
        self.port, self.key = int(found[1]), found[2]

    def ask(self, path: str, **headers: str) -> http.client.HTTPResponse:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        line.request("GET", path, headers=headers)
        return line.getresponse()

    def cookie(self) -> str:
        given = self.ask(f"/?key={self.key}").getheader("Set-Cookie") or ""
        return given.partition(";")[0]

    def raw(self, data: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as line:
            with suppress(OSError):  # it may have hung up already
                line.sendall(data)
                line.shutdown(socket.SHUT_WR)
            found = b""
            with suppress(ConnectionError):
                while part := line.recv(65536):
                    found += part
            return found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(usual_run(tmp_path_factory.mktemp("viewed")))
    yield found
    assert found.ask("/version", Cookie=found.cookie()).status == 200, "it still answers"


def test_another_user_of_the_machine_who_finds_the_port_learns_nothing(page: Page) -> None:
    for path in ("/", "/version", "/blocks/0", "/pictures/aa/" + "a" * 64 + ".png", "/?key=",
                 "/?key=" + "x" * 32, f"/?key={page.key[:-1]}", "/?key=%C3%A9%00"):  # fmt: skip
        reply = page.ask(path)
        assert reply.status == 403, path
        assert b"key" in reply.read()
        assert reply.getheader("Set-Cookie") is None


def test_the_key_is_traded_for_a_cookie_that_no_script_reads_and_leaves_the_address(
    page: Page,
) -> None:
    reply = page.ask(f"/?key={page.key}")
    assert (reply.status, reply.getheader("Location")) == (303, "/")
    given = reply.getheader("Set-Cookie") or ""
    assert "HttpOnly" in given
    assert "SameSite=Lax" in given
    assert reply.getheader("Referrer-Policy") == "no-referrer"
    assert page.ask("/", Cookie=given.partition(";")[0]).status == 200


@pytest.mark.parametrize(
    ("asked", "there"),
    [("/samples?key={key}", "/samples"),
     ("/samples?q=a%26b&key={key}&page=2", "/samples?q=a%26b&page=2"),
     ("/?key={key}&%6bey=other", "/"), ("//evil.example/?key={key}", "/"),
     ("//evil.example/samples?key={key}", "/"), ("/\\evil.example?key={key}", "/"),
     ("/samples/..//evil.example?key={key}", "/"),
     ("/samples?key={key}&q=%0d%0aSet-Cookie:x", "/samples?q=%0D%0ASet-Cookie%3Ax")],
)  # fmt: skip
def test_an_address_with_the_key_leads_to_its_own_page_without_it(
    page: Page, asked: str, there: str
) -> None:
    for headers in ({}, {"Cookie": page.cookie()}):
        reply = page.ask(asked.format(key=page.key), **headers)
        assert (reply.status, reply.getheader("Location")) == (303, there)
        assert (reply.getheader("Set-Cookie") or "").partition(";")[0] == page.cookie()
        assert page.key.encode() not in reply.read()


def test_no_spelling_of_an_address_with_the_key_leads_to_another_server() -> None:
    for place in ("http://evil.example/", "//evil.example", "/\\evil.example", "evil.example",
                  "/samples//evil.example", "javascript:alert(1)//", "", "/\tevil"):  # fmt: skip
        assert Door().within(f"{place}?key=x&a=//evil.example") == "/?a=%2F%2Fevil.example"


def test_whoever_has_the_cookie_and_a_wrong_key_is_not_told_either(page: Page) -> None:
    wrong = "w" * 32
    reply = page.ask(f"/samples?key={wrong}&page=1", Cookie=page.cookie())
    assert (reply.status, reply.getheader("Location")) == (303, "/samples?page=1")
    assert reply.getheader("Set-Cookie") is None
    refused = page.ask(f"/samples?key={wrong}")
    assert refused.status == 403
    assert wrong.encode() not in refused.read()


def test_a_cookie_of_another_view_or_a_made_up_one_opens_nothing(page: Page) -> None:
    for cookie in (f"overpaint-view-1={page.key}", f"overpaint-view-{page.port}=", "x", "=;=;",
                   f"overpaint-view-{page.port}={'x' * 32}", f"x={page.key}"):  # fmt: skip
        assert page.ask("/version", Cookie=cookie).status == 403, cookie


def test_every_view_has_a_key_of_its_own() -> None:
    assert Door().key != Door().key
    assert len(Door().key) == 32


def test_a_name_that_was_pointed_here_gets_nothing_even_with_the_key(page: Page) -> None:
    reply = page.ask(f"/?key={page.key}", Host="evil.example")
    assert reply.status == 403
    assert reply.getheader("Set-Cookie") is None


@pytest.mark.parametrize(
    "path",
    ["/..%2f..%2frun.db", "/pictures/..%2f..%2frun.db", "/%2e%2e/run.db", "/pictures/aa/%00.png",
     "/blocks/-1", "/blocks/999999", "/blocks/0%00", "/inside/../../run.db", "//etc/passwd",
     "/pictures/\\..\\run.db"],
)  # fmt: skip
def test_no_spelling_of_a_path_leaves_the_run(page: Page, path: str) -> None:
    cookie = page.cookie()
    page.ask("/", Cookie=cookie).read()
    assert page.ask(path, Cookie=cookie).status == 404


@pytest.mark.parametrize(
    "sent",
    [b"GARBAGE\r\n\r\n", b"\0" * 50 + b"\r\n\r\n", b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n",
     b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: a\r\n" % n for n in range(500)) + b"\r\n",
     b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000 + b"\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n",
     b"GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", b"GET http://evil.example/ HTTP/1.1\r\n\r\n"],
)  # fmt: skip
def test_what_is_no_question_is_refused_and_harms_nobody(page: Page, sent: bytes) -> None:
    reply = page.raw(sent)
    assert b"200 OK" not in reply
    assert b"Traceback" not in reply


def test_a_client_that_says_nothing_is_hung_up_on(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Handler, "timeout", 0.3)
    with socket.create_connection(("127.0.0.1", page.port), timeout=10) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        assert line.recv(10) == b""


@pytest.mark.slow
def test_a_hundred_silent_clients_keep_nobody_out(page: Page) -> None:
    lines = [socket.create_connection(("127.0.0.1", page.port)) for _ in range(100)]
    try:
        assert page.ask("/version", Cookie=page.cookie()).status == 200
    finally:
        for line in lines:
            line.close()


def test_halves_of_letters_beside_the_key_lead_somewhere_too() -> None:
    assert Door("key").within("/samples?key=key&q=\ud800") == "/samples?q=%3F"
