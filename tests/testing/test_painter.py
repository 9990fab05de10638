"""The painter: a fake server of pictures, which tests of ours and of users lean on."""

import http.client

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.errors import UserMistake
from overpaint.testing.painter import FakePainter, parts


def fetch(server: FakePainter, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
    wire = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    try:
        wire.request(method, path, body)
        answer = wire.getresponse()
        return answer.status, answer.read()
    finally:
        wire.close()


def test_a_behaviour_that_nobody_has_is_a_mistake() -> None:
    with pytest.raises(UserMistake, match="No painter behaves like 'sings'. Known: alpha,"):
        FakePainter("sings")


@given(st.binary(max_size=300) | st.text(max_size=80).map(lambda text: f"--x\r\n{text}".encode()))
@settings(max_examples=150, deadline=None)
def test_no_body_makes_reading_a_form_raise(body: bytes) -> None:
    parts(body)


def test_the_parts_of_a_form_are_found() -> None:
    body = (
        b'--b\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nred\r\n'
        b'--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n'
        b"Content-Type: image/png\r\n\r\n\x89PNG\r\n--b--\r\n"
    )
    assert parts(body) == [("prompt", False, b"red"), ("image", True, b"\x89PNG")]


def test_what_is_no_edit_or_not_there_is_answered_as_such() -> None:
    with FakePainter() as server:
        status, told = fetch(server, "POST", "/v1/images/edits", b"nothing")
        assert status == 400
        assert b"image and prompt are required" in told
        assert fetch(server, "GET", "/nowhere")[0] == 404
        assert fetch(server, "GET", "/history/none") == (200, b"{}")
        assert fetch(server, "GET", "/view?filename=none.png")[0] == 404
        assert fetch(server, "POST", "/prompt", b"[]")[0] == 400
        assert fetch(server, "POST", "/upload/image", b"")[0] == 400
        assert server.received == []
