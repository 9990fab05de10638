"""`overpaint view`: the page of a run, live, for this machine's own browser."""

import ipaddress
import re
import sqlite3
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any

from overpaint.errors import OverpaintError, UserMistake
from overpaint.report.door import Door
from overpaint.report.live import Live
from overpaint.report.page import encoded, policy, refused_page
from overpaint.report.pictures import NAME, TYPES
from overpaint.store import Store

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]]+)(?::[0-9]+)?")
_ABOUT = re.compile(r"/(blocks|inside)/([0-9]{1,12})")
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def serve(
    folder: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve the run in `folder` until Ctrl-C; `ready` is told the address once it answers."""
    Store.open(folder).__exit__()  # a wrong folder is said now, not in the browser
    live, door = Live(folder), Door()
    with _listen(host, port, live) as server, live, suppress(KeyboardInterrupt):
        server.door = door
        ready(f"http://{host}:{server.server_address[1]}/?key={door.key}")
        server.serve_forever(poll_interval=0.2)


def _listen(host: str, port: int, live: Live) -> "Server":
    try:
        return Server((host, port), live)
    except (OSError, OverflowError) as error:
        raise UserMistake(
            f"Cannot listen on {host} port {port}: {error}.",
            "A free port of this machine was expected.",
            "Leave out --port to take any free one.",
        ) from error


class Server(ThreadingHTTPServer):
    """A thread for each connection, and what they all serve."""

    daemon_threads = True
    request_queue_size = 128  # five, the usual number, are soon taken by whoever says nothing
    door: Door | None = None  # None: open to all of this machine

    def __init__(self, address: tuple[str, int], live: Live) -> None:
        super().__init__(address, Handler)
        self.live = live

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up is no news; anything else is."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """GET of the page, a page of samples, the version, a picture or a thumbnail; nothing else."""

    server: Server
    server_version = "overpaint"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        """Answer, or say in a status why not."""
        if not _is_ours(self.headers.get("Host", ""), str(self.server.server_address[0])):
            self._send(b"This server answers its own address only.\n", status=HTTPStatus.FORBIDDEN)
            return
        if self.server.door and not self._comes_in(self.server.door):
            return
        try:
            path, _, query = self.path.partition("?")
            self._answer(path, query)
        except UserMistake as error:  # in what is asked of /samples
            page = encoded(refused_page(str(error)))
            self._send(page, "text/html; charset=utf-8", status=HTTPStatus.BAD_REQUEST)
        except (OverpaintError, OSError, sqlite3.Error) as error:
            self._send(
                f"{error}\n".encode("utf-8", "backslashreplace"),
                status=HTTPStatus.INTERNAL_SERVER_ERROR,
            )

    def _comes_in(self, door: Door) -> bool:
        """Whether whoever asks had the key; who has just brought it is sent on without it."""
        port, cookie = self.server.server_port, door.cookie(self.server.server_port, self.path)
        known, there = door.lets_in(port, self.headers.get("Cookie", "")), door.within(self.path)
        if known and not there:
            return True
        if known or cookie:
            given = {"Location": there} | ({"Set-Cookie": cookie} if cookie else {})
            self._send(b"", status=HTTPStatus.SEE_OTHER, more=given)
        else:
            told = b"Open the address that `overpaint view` printed, with the key in it.\n"
            self._send(told, status=HTTPStatus.FORBIDDEN)
        return False

    def _answer(self, path: str, query: str) -> None:
        live = self.server.live
        if path == "/":
            self._send(live.page(), "text/html; charset=utf-8")
        elif path == "/samples":
            self._send(live.samples(query), "text/html; charset=utf-8")
        elif path == "/version":
            self._send(live.news(), "application/json")
        elif (name := _named(path, "/pictures/")) and live.shelf.path(name):
            self._send(live.shelf.data(name), TYPES[name[64:]], keep=True)
        elif (name := _named(path, "/thumbs/")) and live.shelf.path(name):
            self._send(live.thumb(name), "image/webp", keep=True)
        elif (at := _ABOUT.fullmatch(path)) and (body := live.about(at[1], int(at[2]))):
            self._send(body, "application/json")
        else:
            self._send(b"There is nothing here.\n", status=HTTPStatus.NOT_FOUND)

    def _send(
        self,
        body: bytes,
        kind: str = "text/plain; charset=utf-8",
        *,
        status: HTTPStatus = HTTPStatus.OK,
        keep: bool = False,
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        lasting = "private, max-age=31536000, immutable"
        self.send_header("Cache-Control", lasting if keep else "no-store")
        frames = "; frame-ancestors 'none'"
        self.send_header("Content-Security-Policy", policy(connect="'self'") + frames)
        for name, value in (HEADERS | dict(more)).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Requests are not worth a line each."""


def _is_ours(host: str, bound: str) -> bool:
    """Whether a request was addressed to this machine by number or as localhost.

    A page elsewhere can have its own name point here (DNS rebinding), but then it says that name.
    """
    match = _HOST.fullmatch(host.lower())
    name = match[1].strip("[]") if match else ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in ("localhost", bound.lower())
    return True


def _named(path: str, below: str) -> str | None:
    """The name of a picture in `/pictures/ab/abc….png`; None for anything else."""
    shard, _, name = path.removeprefix(below).partition("/")
    fits = path.startswith(below) and NAME.fullmatch(name) and shard == name[:2]
    return name if fits else None
