"""FakePainter: a server of `images/…` and of ComfyUI for tests, in a thread, over real HTTP.

    with FakePainter("server_error", "ok") as server:
        catalog.editor(f"images:{server.url}#any")(request)

Requests are answered by the behaviours in their order, the last one for all that follow.
"""

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Any

from overpaint.errors import UserMistake
from overpaint.testing.answer import Answer, failure
from overpaint.testing.painting import EDITS, Paint, Painted, inverted
from overpaint.testing.server import HOST, listen, start_thread
from overpaint.testing.wire import MOST_CONNECTIONS, Line, Request
from overpaint.testing.workflows import WORKFLOWS, Queue

PATH, WORDS = "/v1/images/edits", "/v1/images/generations"
_MOST_PARTS = 64
_NAME = re.compile(rb'\bname="([^"\r\n]{1,100})"')
_FILE = re.compile(rb'\bfilename="')


class FakePainter:
    """Paints what it is sent while its `with` block lasts, as its behaviours say."""

    def __init__(self, *behaviours: str, paint: Paint = inverted, port: int = 0) -> None:
        self.behaviours, self.port = behaviours or ("ok",), port
        unknown = set(self.behaviours) - {*EDITS, *WORKFLOWS}
        if unknown:
            known = ", ".join(sorted({*EDITS, *WORKFLOWS}))
            raise UserMistake(
                f"No painter behaves like {sorted(unknown)[0]!r}.", f"Known: {known}."
            )
        self._desk = _Desk(self.behaviours, paint)
        self._end: Callable[[], None] | None = None

    @property
    def address(self) -> str:
        """Where ComfyUI would be."""
        return f"http://{HOST}:{self.port}"

    @property
    def url(self) -> str:
        """The base URL of `images/…`, as clients want it: it ends in /v1."""
        return f"{self.address}/v1"

    @property
    def received(self) -> list[Painted]:
        """Every request for a picture so far: its fields, pictures and mask."""
        with self._desk.lock:
            return list(self._desk.received)

    @property
    def workflows(self) -> list[dict[str, Any]]:
        """Every workflow that was queued so far."""
        return list(self._desk.queue.prompts)

    @property
    def uploads(self) -> dict[str, bytes]:
        """Every picture that was uploaded, by the name it was given."""
        return dict(self._desk.queue.files)

    def __enter__(self) -> "FakePainter":
        self.port, self._end = start_thread(partial(listen, self._desk), self.port)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        if self._end is not None:
            self._end()
            self._end = None


@dataclass
class _Desk:
    """Answers every request of one painter."""

    behaviours: tuple[str, ...]
    paint: Paint
    lines: set[Line] = field(default_factory=set)
    received: list[Painted] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    asked: int = 0

    def __post_init__(self) -> None:
        self.queue = Queue(self.paint)

    def opened(self, line: Line) -> bool:
        self.lines.add(line)
        return len(self.lines) <= MOST_CONNECTIONS

    def closed(self, line: Line, *, waiting: bool) -> None:
        self.lines.discard(line)

    def began(self, line: Line, method: str, path: str) -> bool:
        return False

    def refused(self) -> None:
        """What is no request is sent away, and not counted here."""

    def ended(self, answer: Answer | None) -> None:
        """Ends are not counted either."""

    def handle(self, request: Request, reply: Callable[[Answer], None]) -> None:
        path, _, query = request.path.partition("?")
        if (request.method, path) == ("POST", PATH):
            reply(self._painted(lambda: Painted.of(parts(request.body))))
        elif (request.method, path) == ("POST", WORDS):
            reply(self._painted(lambda: Painted.of_words(request.body)))
        elif (request.method, path) == ("POST", "/prompt"):
            reply(self.queue.queued(request.body, WORKFLOWS.get(self._next(), WORKFLOWS["ok"])))
        elif (request.method, path) == ("POST", "/upload/image"):
            reply(self.queue.uploaded(parts(request.body)))
        else:
            reply(self.queue.answered(request.method, path, query))

    def _next(self) -> str:
        with self.lock:
            name = self.behaviours[min(self.asked, len(self.behaviours) - 1)]
            self.asked += 1
        return name

    def _painted(self, read: Callable[[], Painted]) -> Answer:
        name = self._next()
        try:
            painted = read()
        except ValueError as error:
            return failure(
                400, f"This is no request for a picture: {error}.", "invalid_request_error"
            )
        with self.lock:
            self.received.append(painted)
        return EDITS.get(name, EDITS["ok"])(painted, self.paint)


def parts(body: bytes) -> list[tuple[str, bool, bytes]]:
    """The parts of a form: name, whether it is a file, and bytes."""
    boundary, _, _ = body.partition(b"\r\n")
    if not boundary.startswith(b"--") or len(boundary) > 200:
        return []
    found = []
    for part in body.split(boundary)[1:-1][:_MOST_PARTS]:
        head, _, content = part.partition(b"\r\n\r\n")
        if (named := _NAME.search(head)) is not None:
            text = named[1].decode("utf-8", "replace")
            found.append((text, _FILE.search(head) is not None, content.removesuffix(b"\r\n")))
    return found
