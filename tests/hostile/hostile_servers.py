"""Two servers on this machine: a canary that nobody may ask, and a model of malice.

The model makes pictures as well: by `images/edits`, where its name says which, and as ComfyUI does,
where the first part of the path says it.
"""

import base64
import contextlib
import json
import os
import re
import signal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from hostile_replies import PICTURES, REPLIES


class Servers(NamedTuple):
    """Where the two are, and what the canary has written down."""

    canary: str
    model: str
    log: Path
    pid: int

    def asked(self) -> list[str]:
        """Everything the canary was asked for."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def end(self) -> None:
        """Stop them."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def start(log: Path) -> Servers:
    """Start both in one process, before this one has any thread."""
    servers = [ThreadingHTTPServer(("127.0.0.1", 0), kind) for kind in (_Canary, _Model)]
    canary, model = (server.server_address[1] for server in servers)
    parent, pid = os.getpid(), os.fork()
    if pid:
        for server in servers:
            server.server_close()
        return Servers(f"http://127.0.0.1:{canary}", f"http://127.0.0.1:{model}/v1", log, pid)
    import threading
    import time

    _Canary.log = log
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    while os.getppid() == parent:  # it ends with the process that started it
        time.sleep(0.2)
    os._exit(0)


class _Quiet(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        return


class _Canary(_Quiet):
    log = Path()

    def _note(self) -> None:
        with self.log.open("a") as file:
            file.write(f"{self.command} {self.path}\n")
        self.send_response(404)
        self.end_headers()

    do_GET = do_POST = do_HEAD = do_PUT = _note


class _Model(_Quiet):
    def do_GET(self) -> None:
        if "/history/" in self.path:
            saved = {"filename": "a.png", "subfolder": "", "type": "output"}
            self._send(json.dumps({"k": {"outputs": {"9": {"images": [saved]}}}}).encode())
        else:
            self._send(PICTURES[self.path.split("/")[1]])

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.endswith("/images/edits"):
            name = re.search(rb'name="model"\r\n\r\n(\S+)', sent)
            data = base64.b64encode(PICTURES[name[1].decode() if name else ""]).decode()
            self._send(json.dumps({"data": [{"b64_json": data}]}).encode())
        elif self.path.endswith(("/upload/image", "/prompt")):
            self._send(json.dumps({"name": "a.png", "prompt_id": "k"}).encode())
        else:
            self._reply(json.loads(sent))

    def _reply(self, body: dict[str, Any]) -> None:
        found = REPLIES[body["model"]]
        said = found() if callable(found) else found
        if isinstance(said, bytes):  # the whole answer, which need be no JSON
            data = said
        else:
            choice = {"index": 0, "finish_reason": "stop",
                      "message": {"role": "assistant", "content": said}}  # fmt: skip
            used = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
            data = json.dumps({"id": "x", "object": "chat.completion", "created": 1,
                               "model": body["model"], "choices": [choice],
                               "usage": used}).encode()  # fmt: skip
        self._send(data)

    def _send(self, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        with contextlib.suppress(OSError):  # who reads no more than so much hangs up
            self.wfile.write(data)
