"""`overpaint view`: the page live from the store, for this machine only."""

import hashlib
import http.client
import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from made_run import Made, _put, usual_run

from overpaint.errors import StoreError, UserMistake
from overpaint.report import serve
from overpaint.report.serving import Live, Server
from overpaint.store import Store


class Browser:
    """Asks a server one thing at a time."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        return connection.getresponse()

    def read(self, path: str, **headers: str) -> tuple[int, bytes]:
        answer = self.ask(path, **headers)
        return answer.status, answer.read()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return usual_run(tmp_path_factory.mktemp("run"))


@contextmanager
def serving(run: Path) -> Iterator[Browser]:
    """The run served from a thread of this process."""
    with Live(run) as live, Server(("127.0.0.1", 0), live) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Browser(server.server_address[1])
        server.shutdown()


@pytest.fixture(scope="module")
def browser(run: Path) -> Iterator[Browser]:
    with serving(run) as found:
        yield found


def source_name(run: Path) -> str:
    with Store.open(run) as store:
        return next(store.samples()).request.source.key + ".png"


def test_the_page_is_served_with_its_numbers_and_no_thumbnails_inside(browser: Browser) -> None:
    status, body = browser.read("/")
    assert status == 200
    assert b"6 of 8 scored" in body
    assert b'class="sprites"' not in body
    assert b'"version":"1"' in body


def test_a_picture_is_served_by_its_hash(browser: Browser, run: Path) -> None:
    browser.read("/")
    name = source_name(run)
    answer = browser.ask(f"/pictures/{name[:2]}/{name}")
    body = answer.read()
    assert hashlib.sha256(body).hexdigest() + ".png" == name
    assert answer.getheader("Content-Type") == "image/png"
    assert "immutable" in (answer.getheader("Cache-Control") or "")
    status, small = browser.read(f"/thumbs/{name[:2]}/{name}")
    assert (status, small[:4], small[8:12]) == (200, b"RIFF", b"WEBP")


@pytest.mark.parametrize(
    "path",
    [
        "/run.db", "/../run.db", "/pictures/../run.db", "/pictures/%2e%2e/run.db", "/pictures/",
        "/pictures/ab/" + "a" * 64 + ".png",
        "/pictures/aa/" + "a" * 64 + ".png",
        "/pictures/aa/" + "a" * 64 + ".png/../../../run.db",
        "/thumbs/aa/" + "a" * 64 + ".db", "//etc/passwd", "/pictures//etc/passwd",
    ],
)  # fmt: skip
def test_nothing_but_the_runs_pictures_can_be_had(browser: Browser, path: str) -> None:
    browser.read("/")
    assert browser.read(path)[0] == 404


def test_a_picture_is_had_only_below_its_own_first_letters(browser: Browser, run: Path) -> None:
    browser.read("/")
    name = source_name(run)
    other = "00" if name[:2] != "00" else "11"
    assert browser.read(f"/pictures/{other}/{name}")[0] == 404


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 403), ("evil.example:80", 403), ("", 403), ("localhost.evil.example", 403),
        ("127.0.0.1.evil.example", 403), ("localhost", 200), ("LOCALHOST:1", 200),
        ("127.0.0.1", 200), ("[::1]:9", 200), ("[::1", 403),
    ],
)  # fmt: skip
def test_a_name_that_was_pointed_here_learns_nothing(
    browser: Browser, host: str, status: int
) -> None:
    assert browser.read("/version", Host=host)[0] == status


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE"])
def test_only_get_is_answered(browser: Browser, method: str) -> None:
    assert browser.ask("/", method).status == 501


def test_every_answer_carries_the_headers_that_protect(browser: Browser) -> None:
    for path in ("/", "/version", "/nothing"):
        answer = browser.ask(path)
        policy = answer.getheader("Content-Security-Policy") or ""
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.getheader("X-Content-Type-Options") == "nosniff"
        assert answer.getheader("X-Frame-Options") == "DENY"
        assert answer.getheader("Referrer-Policy") == "no-referrer"
        assert answer.getheader("Cross-Origin-Resource-Policy") == "same-origin"
        assert answer.getheader("Access-Control-Allow-Origin") is None


def test_a_run_that_goes_on_is_told_and_shown(browser: Browser, run: Path) -> None:
    before = json.loads(browser.read("/version")[1])
    assert json.loads(browser.read("/version")[1]) == before  # reading is no news
    with Store.open(run) as store:
        sample = list(store.samples())[3]
        _put(store, run, sample, "poor", Made(33, 90.0, 0.4))
    deadline = time.monotonic() + 10
    while (now := json.loads(browser.read("/version")[1]))["version"] == before["version"]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert now["edits"] == before["edits"] + 1
    assert b"7 of 8 scored" in browser.read("/")[1]


def test_a_run_that_is_counted_slowly_is_served_meanwhile_and_that_is_no_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    working, counted = Store.counts, threading.Event()

    def counts(store: Store) -> dict[str, int]:
        counted.wait(20)
        return working(store)

    monkeypatch.setattr(Store, "counts", counts)
    served = Live(usual_run(tmp_path, samples=4))
    monkeypatch.setattr(served._looked, "wait", lambda _: False)
    with served:
        assert b'"version":"1"' in served.page()
        assert json.loads(served.news()) == {"version": "1", "now": "1"}
        counted.set()
        deadline = time.monotonic() + 10
        while "edits" not in (news := json.loads(served.news())):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert news["now"] == "1"


def test_a_folder_without_a_run_is_refused_before_anything_is_served(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no run"):
        serve(tmp_path)


def test_a_port_that_is_taken_is_said_in_a_sentence(browser: Browser, run: Path) -> None:
    with pytest.raises(UserMistake, match="Leave out --port"):
        serve(run, port=browser.port)


def test_serve_tells_its_address_once_it_answers(run: Path) -> None:
    told: list[str] = []

    def ready(address: str) -> None:
        told.append(address)
        raise KeyboardInterrupt

    serve(run, ready=ready)
    assert told[0].startswith("http://127.0.0.1:")


@pytest.mark.slow
def test_a_run_that_cannot_be_read_for_a_while_is_told_and_followed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, working = usual_run(tmp_path, samples=4), Store.counts
    gone = threading.Event()

    def counts(store: Store) -> dict[str, int]:
        if gone.is_set():
            raise sqlite3.OperationalError("disk I/O error")
        return working(store)

    def until(told: bool) -> dict[str, str]:
        for _ in range(100):
            news: dict[str, str] = json.loads(browser.read("/version")[1])
            if ("trouble" in news) == told:
                return news
            time.sleep(0.05)
        raise AssertionError(news)

    monkeypatch.setattr(Store, "counts", counts)
    with serving(run) as browser:
        before = json.loads(browser.read("/version")[1])
        assert "trouble" not in before
        gone.set()
        with Store.open(run) as store:
            store.note(seed=1)
        assert until(True)["trouble"] == "disk I/O error"
        gone.clear()
        assert until(False)["edits"] == before["edits"]
