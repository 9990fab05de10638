"""The wire: whatever comes in gets an answer or is sent away, and the next is served."""

import json
import socket
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from overpaint.testing import FakeServer, wire
from overpaint.testing.answer import Answer
from overpaint.testing.wire import read_head

MESSAGE = json.dumps({"messages": [{"role": "user", "content": "hi"}]}).encode()


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer("yes", process=False) as server:
        yield server


def request(data: bytes = MESSAGE, *headers: str, length: int | None = None) -> bytes:
    lines = [
        "POST /v1/chat/completions HTTP/1.1",
        f"Content-Length: {len(data) if length is None else length}",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode() + data


def exchange(port: int, *parts: bytes, until: int = 1) -> bytes:
    """All that comes back for some bytes, up to so many answers or the end of the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        for part in parts:
            line.sendall(part)
        found = b""
        while found.count(b"HTTP/1.1 ") < until or not _whole(found):
            more = line.recv(65536)
            if not more:
                break
            found += more
        return found


def _whole(found: bytes) -> bool:
    head, gap, body = found.rpartition(b"HTTP/1.1 ")[2].partition(b"\r\n\r\n")
    length = head.partition(b"Content-Length: ")[2].split(b"\r\n")[0]
    return bool(gap) and len(body) >= int(length or 0)


def test_a_request_in_single_bytes_is_read(server: FakeServer) -> None:
    pieces = [bytes([byte]) for byte in request()]
    assert b"200 OK" in exchange(server.port, *pieces)


def test_several_requests_in_one_breath_are_answered_in_order(server: FakeServer) -> None:
    found = exchange(server.port, request() * 3, until=3)
    assert found.count(b"HTTP/1.1 200 OK") == 3


def test_a_client_that_waits_to_be_asked_for_its_body_is_asked(server: FakeServer) -> None:
    head = request(b"", "Expect: 100-continue", length=len(MESSAGE))
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall(head)
        assert line.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.sendall(MESSAGE)
        assert line.recv(65536).startswith(b"HTTP/1.1 200 OK")


def test_a_client_that_wants_the_connection_closed_gets_that(server: FakeServer) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall(request(MESSAGE, "Connection: close"))
        found = b""
        while more := line.recv(65536):
            found += more
    assert b"Connection: close" in found


def test_models_are_listed_and_other_paths_are_not_there(server: FakeServer) -> None:
    listed = exchange(server.port, b"GET /v1/models HTTP/1.1\r\n\r\n")
    assert b'"id": "fake"' in listed
    lost = exchange(server.port, b"GET /v2/models HTTP/1.1\r\n\r\n")
    assert b"404 Not Found" in lost
    assert b"There is nothing at GET /v2/models." in lost
    wrong = exchange(server.port, b"GET /v1/chat/completions HTTP/1.1\r\n\r\n")
    assert b"Use POST, not GET." in wrong


@pytest.mark.parametrize(
    ("raw", "status", "told"),
    [
        (b"\x16\x03\x01\x00\r\n\r\n", b"400", b"The first line is not METHOD PATH HTTP/1.1."),
        (b"GET / HTTP/2\r\n\r\n", b"400", b"The first line is not"),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"400", b"A header line is not NAME: VALUE."),
        (b"GET / HTTP/1.1\r\nA : b\r\n\r\n", b"400", b"A header line is not NAME: VALUE."),
        (request(b"", length=-5), b"400", b"Content-Length is not a number."),
        (request(b"", "Content-Length: ²"), b"400", b"Content-Length is not a number."),
        (request(b"", length=10**9), b"413", b"The body is larger than 50000000 bytes."),
        (request(b"", length=10**40), b"413", b"The body is larger than"),
        (request(b"", "Transfer-Encoding: chunked"), b"411", b"send a Content-Length."),
        (b"GET / HTTP/1.1\r\nA: " + b"a" * 40_000, b"431", b"The head is longer than 32768 bytes."),
        (b"a" * 40_000, b"431", b"The head is longer than 32768 bytes."),
    ],
)
def test_what_is_no_request_is_told_so_and_sent_away(
    server: FakeServer, raw: bytes, status: bytes, told: bytes
) -> None:
    before = server.counts().malformed
    found = exchange(server.port, raw)
    assert found.startswith(b"HTTP/1.1 " + status)
    assert told in found
    assert server.counts().malformed == before + 1


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the body is not JSON"),
        (b"\xff\xfe", "the body is not JSON"),
        (b"[" * 200_000, "the body is not JSON"),
        (b"9" * 10_000, "the body is not JSON"),
        (b"[]", "the body is a list, an object was expected"),
        (b"{}", "messages is not a list of at least one message"),
        (b'{"messages": [3]}', "a message is a int, an object was expected"),
        (b'{"messages": [{"content": 3}]}', "is neither text nor a list of parts"),
        (b'{"messages": [{"content": [3]}]}', "a part of type None was sent"),
        (b'{"messages": [{"content": [{"type": "input_audio"}]}]}', "type 'input_audio' was sent"),
        (b'{"messages": [{"content": [{"type": "text"}]}]}', "a part of type 'text' was sent"),
        (b'{"messages": [{"content": [{"type": []}]}]}', "a part of type [] was sent"),
        (b'{"messages": [{}], "stream": true}', "this server does not stream"),
    ],
)
def test_a_body_that_asks_nothing_is_a_400_and_the_connection_lives(
    server: FakeServer, data: bytes, told: str
) -> None:
    found = exchange(server.port, request(data) + request(), until=2)
    assert found.startswith(b"HTTP/1.1 400 Bad Request")
    assert told in found.decode()
    assert b"HTTP/1.1 200 OK" in found


def test_lone_surrogates_in_a_prompt_are_answered(server: FakeServer) -> None:
    data = b'{"messages": [{"content": "\\ud800 half a letter"}]}'
    assert b"200 OK" in exchange(server.port, request(data))
    assert server.counts().total


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(st.binary(max_size=60) | st.sampled_from([b"\r\n", b": ", b" HTTP/1.1\r\n"])))
def test_no_bytes_stop_the_server(server: FakeServer, parts: list[bytes]) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall(b"".join(parts))
    assert b"200 OK" in exchange(server.port, request())


@given(st.binary(max_size=200))
def test_no_head_makes_reading_raise(raw: bytes) -> None:
    assert isinstance(read_head(raw, len(raw)), Answer | tuple)


def test_who_dawdles_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "SLOWEST", 0.1)
    with FakeServer("yes", process=False) as server:
        found = exchange(server.port, request(MESSAGE[:10], length=len(MESSAGE)))
        assert b"408 Request Timeout" in found
        deadline = time.monotonic() + 5
        while server.counts().in_flight and time.monotonic() < deadline:
            time.sleep(0.02)
        assert (server.counts().in_flight, server.counts().total) == (0, 0)


def test_more_connections_than_allowed_are_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overpaint.testing.clerk.MOST_CONNECTIONS", 3)
    with FakeServer("yes", process=False) as server:
        lines = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
        assert b"Too many connections are open." in exchange(server.port, b"")
        for line in lines:
            line.close()
        deadline = time.monotonic() + 5
        while b"200 OK" not in exchange(server.port, request()) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert b"200 OK" in exchange(server.port, request())


@pytest.mark.slow
def test_a_flood_of_requests_behind_one_that_hangs_is_not_kept_in_memory() -> None:
    with FakeServer({"behaviours": {"hang": 1}}, process=False) as server:
        flood = request(b"x" * 1_000_000) * 40
        with socket.create_connection(("127.0.0.1", server.port), timeout=0.5) as line:
            line.sendall(request())
            with pytest.raises(TimeoutError):  # the server stops reading
                line.sendall(flood)
        assert server.counts().total == 1
