"""FakeServer: an OpenAI-style server for tests, in a process of its own or in a thread."""

import asyncio
import http.client
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, Protocol

from overpaint.errors import Unreachable, UserMistake
from overpaint.testing.clerk import Clerk
from overpaint.testing.counting import Counts
from overpaint.testing.script import Script, read_script, write_script
from overpaint.testing.wire import Desk, Line

HOST = "127.0.0.1"
_START = 60.0  # seconds in which a server must listen
_STOP = 5.0


class Answering(Desk, Protocol):
    """Who answers at the lines of a server."""

    lines: set[Line]


async def serve(script: Script, port: int, ready: Callable[[int], None]) -> None:
    """Play the script at `port` (0: any free one) until cancelled; `ready` is told which."""
    clerk = Clerk(script)
    try:
        await listen(clerk, port, ready)
    finally:
        if clerk.threads is not None:
            clerk.threads.shutdown(wait=False, cancel_futures=True)


async def listen(desk: Answering, port: int, ready: Callable[[int], None]) -> None:
    """Let `desk` answer at `port` (0: any free one) until cancelled; `ready` is told which."""
    loop = asyncio.get_running_loop()
    try:
        server = await loop.create_server(lambda: Line(desk), HOST, port, backlog=1024)
    except (OSError, OverflowError) as error:
        raise UserMistake(
            f"Cannot listen on {HOST} port {port}: {error}.",
            "A free port of this machine was expected.",
            "Leave out the port to take any free one.",
        ) from error
    try:
        ready(server.sockets[0].getsockname()[1])
        await loop.create_future()
    finally:
        server.close()
        for line in list(desk.lines):
            line.transport.abort()


class FakeServer:
    """Serves POST {url}/chat/completions as scripted while its `with` block lasts.

    By default it is a process of its own, so that what it counted survives the death of the
    client it is meant for; it ends with the block, and with the process that started it. With
    `process=False` it is a thread of this process, and replies may be functions.
    """

    def __init__(self, script: Any = None, *, process: bool = True, port: int = 0) -> None:
        self.script, self.process, self.port = read_script(script), process, port
        self._last: Counts | None = None
        self._end: Callable[[], None] | None = None
        if process:
            write_script(self.script)  # what cannot be sent is said now

    @property
    def url(self) -> str:
        """The base URL, as clients want it: it ends in /v1."""
        return f"http://{HOST}:{self.port}/v1"

    def __enter__(self) -> "FakeServer":
        start = _start_process if self.process else _start_thread
        self.port, self._end = start(self.script, self.port)
        self._last = None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        if self._end is None:
            return
        with suppress(Unreachable):
            self._last = self.counts()
        end, self._end = self._end, None
        end()

    def counts(self) -> Counts:
        """What it received; after the block, what it had received by its end."""
        if self._last is not None:
            return self._last
        return Counts(**self._fetch("GET", "/counts"))

    def requests(self, last: int = 1000) -> list[dict[str, Any]]:
        """The last requests, oldest first: hash, prompt, model, pictures, behaviour, nth, seconds.

        The last 20,000 are remembered.
        """
        found: list[dict[str, Any]] = self._fetch("GET", f"/requests?last={last}")
        return found

    def body(self, hashed: str) -> dict[str, Any]:
        """All that was sent in the body with this hash; the last 64 MB of bodies are kept."""
        found: dict[str, Any] = self._fetch("GET", f"/bodies/{hashed}")
        return found

    def forget(self) -> None:
        """Start counting from nothing; the script goes on where it is."""
        self._fetch("POST", "/forget")

    def _fetch(self, method: str, path: str) -> Any:
        wire = http.client.HTTPConnection(HOST, self.port, timeout=30)
        try:
            wire.request(method, path)
            answer = wire.getresponse()
            told = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Unreachable(
                f"The fake server at {self.url} did not answer {path}: {error}.",
                "",
                "Ask within its `with` block.",
            ) from error
        finally:
            wire.close()
        if answer.status != 200:
            raise UserMistake(f"The fake server has nothing at {path}.")
        return told


def _start_process(script: Script, port: int) -> tuple[int, Callable[[], None]]:
    command = [sys.executable, "-m", "overpaint.testing", "--attached", "--port", str(port)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None
    late = threading.Timer(_START, child.kill)
    late.start()
    try:
        with suppress(BrokenPipeError):  # it is gone already
            child.stdin.write(write_script(script).encode() + b"\n")
            child.stdin.flush()
        first = child.stdout.readline().decode().strip()
    finally:
        late.cancel()
    if not first.startswith("http://"):
        _end_process(child)
        raise UserMistake(f"The fake server did not start: {first or 'it said nothing.'}")
    return int(first.split(":")[2].split("/")[0]), lambda: _end_process(child)


def _end_process(child: "subprocess.Popen[bytes]") -> None:
    """Close what it listens to; a server that does not end by that is ended."""
    assert child.stdin is not None
    with suppress(BrokenPipeError):
        child.stdin.close()
    try:
        child.wait(_STOP)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    assert child.stdout is not None
    child.stdout.close()


def _start_thread(script: Script, port: int) -> tuple[int, Callable[[], None]]:
    return start_thread(partial(serve, script), port)


def start_thread(
    serving: Callable[[int, Callable[[int], None]], Coroutine[Any, Any, None]], port: int
) -> tuple[int, Callable[[], None]]:
    """Serve in a thread of this process; the port it listens at, and what ends it."""
    loop = asyncio.new_event_loop()
    listening, found, wrong = threading.Event(), [port], []

    def ready(port: int) -> None:
        found[0] = port
        listening.set()

    task = loop.create_task(serving(port, ready))

    def work() -> None:
        try:
            with suppress(asyncio.CancelledError):
                loop.run_until_complete(task)
        except UserMistake as error:
            wrong.append(error)
        finally:
            listening.set()
            loop.close()

    thread = threading.Thread(target=work, name="fake server", daemon=True)
    thread.start()
    listening.wait(_START)
    if wrong:
        raise wrong[0]

    def end() -> None:
        with suppress(RuntimeError):  # the loop is closed already
            loop.call_soon_threadsafe(task.cancel)
        thread.join(_STOP)

    return found[0], end


def watch_stdin(loop: asyncio.AbstractEventLoop, task: "asyncio.Task[None]") -> None:
    """Cancel the task once standard input ends, as it does when whoever holds it dies."""

    def wait() -> None:
        while os.read(0, 4096):
            pass
        with suppress(RuntimeError):  # the loop is closed already
            loop.call_soon_threadsafe(task.cancel)

    threading.Thread(target=wait, name="stdin", daemon=True).start()
