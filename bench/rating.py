"""Two hundred raters at once: is a rating ever lost or doubled, and how long does a save take?

The load comes from a process of its own on the same cores and speaks HTTP, keep-alive, to the real
server with its real SQLite file. In the middle, milliseconds after somebody has sent an answer, the
server is killed with -9 and started again. At the end the book is held against what was
acknowledged.

    python bench/rating.py [--raters 200] [--seconds 75] [--every 3] [--kills N] [--seed N]
"""

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from overpaint.core import Edit, Request, Sample
from overpaint.document import Document
from overpaint.store import Store, keep_picture

ITEMS = 100  # samples, each edited by two editors
EDITORS = ("first", "second")
SIDE = 256  # pixels of a picture
STUDY = "load"
PATIENCE = 20.0  # seconds for one request
AMID = 0.004  # seconds in which a save that was sent is mostly still going on
WANTED = 0.150  # seconds, the 95th percentile of a save


# ── the run and its server ──────────────────────────────────────────────────────────────


def make_run(folder: Path, items: int = ITEMS) -> None:
    """A run of so many drawn samples, edited by two editors."""
    rng = np.random.default_rng(0)
    with Store.create(folder) as store:
        for name in EDITORS:
            store.add_editor(name, f"command:{name}")
        for n in range(items):
            source = rng.integers(0, 255, (SIDE // 16, SIDE // 16, 3), np.uint8)
            source = source.repeat(16, 0).repeat(16, 1)
            document = keep_picture(folder, Document.of(source))
            sample = Sample(f"s{n:03d}", Request(document, f"Change square {n}."))
            store.add_samples([sample])
            for place, name in enumerate(EDITORS):
                made = source.copy()
                made[16 * place : 16 * place + 16, :16] = n % 255
                output = keep_picture(folder, Document.of(made))
                store.put_edit(Edit(sample, name, "ok", output))


class Running:
    """The server as users start it, in a process of its own."""

    def __init__(self, folder: Path, port: int, raters: int, per_rater: int) -> None:
        per_item = -(-raters * per_rater // (ITEMS * len(EDITORS)))
        self._command = [
            sys.executable, "-m", "overpaint", "rate", str(folder), "--study", STUDY, "--json",
            "--port", str(port), "--raters", str(raters), "--per-item", str(per_item),
            "--per-rater", str(per_rater), "--training", "0", "--repeats", "0",
        ]  # fmt: skip
        self.links: list[dict[str, str]] = []

    def start(self) -> None:
        """Start it and wait until it has told its links."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        told = ""
        while not told.rstrip().endswith("}\n") and (line := self._process.stdout.readline()):
            told += line
            if line == "}\n":
                break
        self.links = self.links or json.loads(told)["links"]

    def kill(self) -> None:
        """End it as a power cut would."""
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """End it as Ctrl-C would."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(30)


# ── raters, in a process of their own ───────────────────────────────────────────────────


@dataclass
class Log:
    """What happened to the raters."""

    saved: list[tuple[str, int, Any]] = field(default_factory=list)  # acknowledged
    sent: dict[str, int] = field(default_factory=dict)  # the last place each has sent anything to
    times: list[float] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    broken: int = 0  # requests that got no reply
    cut: list[float] = field(default_factory=list)  # when answers among them were sent
    refused: int = 0  # replies other than the one expected


class Browser:
    """One keep-alive connection that speaks just enough HTTP."""

    def __init__(self, port: int) -> None:
        self._port, self._cookie, self.csrf = port, "", ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, data: Any = None) -> tuple[int, bytes]:
        """Status and body; an OSError where there is no reply."""
        try:
            return await asyncio.wait_for(self._ask(method, path, data), PATIENCE)
        except (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError):
            self.close()
            raise OSError("no reply") from None

    async def _ask(self, method: str, path: str, data: Any) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        body = b"" if data is None else json.dumps(data).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self._port}",
                 f"Cookie: {self._cookie}", f"X-CSRF: {self.csrf}"]  # fmt: skip
        if data is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status = int(head.split(" ", 2)[1])
        headers = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:-2])
        if "set-cookie" in headers:
            cookie = next(line for line in head.split("\r\n") if line.lower().startswith("set-c"))
            self._cookie = cookie.split(":", 1)[1].split(";")[0].strip()
        found = await reader.readexactly(int(headers.get("content-length", "0")))
        return status, found

    def close(self) -> None:
        """Hang up."""
        if self._streams:
            self._streams[1].close()
        self._streams = None


async def until_answered(log: Log, browser: Browser, *what: Any) -> bytes:
    """Ask until there is the reply that is wanted, as the page does when the line is bad."""
    while True:
        try:
            status, body = await browser.ask(*what)
        except OSError:
            log.broken += 1
            await asyncio.sleep(0.3 + random.random() * 0.7)
            continue
        if status == 200:
            return body
        log.refused += 1
        await asyncio.sleep(0.5)


async def rate(log: Log, link: str, name: str, order: dict[str, float]) -> None:
    """One rater: open the link, agree, then an answer every few seconds until the time is up."""
    browser = Browser(int(order["port"]))
    token = link.partition("#")[2]
    await asyncio.sleep(order["stagger"])
    told = json.loads(await until_answered(log, browser, "POST", "/api/join", {"token": token}))
    browser.csrf = told["csrf"]
    state = json.loads(await until_answered(log, browser, "GET", "/api/state"))
    version = {"version": state["study"]["consent"]["version"]}
    await until_answered(log, browser, "POST", "/api/consent", version)
    rng, place = random.Random(name), 1
    turn = order["begin"] + order["stagger"]
    while turn < order["end"]:
        await asyncio.sleep(max(0.0, turn - time.time()))
        started = time.perf_counter()
        item = json.loads(await until_answered(log, browser, "GET", f"/api/items/{place}"))
        log.opened.append(time.perf_counter() - started)
        await until_answered(log, browser, "GET", item["shown"][0]["url"])
        await save(log, browser, name, place, rng)
        place, turn = place + 1, turn + order["every"]
    browser.close()


async def save(log: Log, browser: Browser, name: str, place: int, rng: random.Random) -> None:
    """Save one answer; the time is that of the request that was acknowledged."""
    said = {one: round(rng.uniform(1, 5), 2) for one in ("quality", "alignment", "preservation")}
    answers: dict[str, Any] = {**said, "done": rng.random() < 0.5}
    data = {"answers": answers, "comment": "", "seconds": 3, "revision": 0}
    log.sent[name] = place
    while True:
        print(flush=True)  # whoever may kill the server is told that an answer is on its way
        started, sent = time.perf_counter(), time.time()
        try:
            status, _ = await browser.ask("PUT", f"/api/items/{place}", data)
        except OSError:
            log.broken += 1
            log.cut.append(sent)
            await asyncio.sleep(0.3 + random.random() * 0.7)
            continue
        if status == 200:
            log.times.append(time.perf_counter() - started)
            log.saved.append((name, place, answers))
            return
        log.refused += 1
        await asyncio.sleep(0.5)


async def generate(order: dict[str, Any]) -> Log:
    """All raters, staggered over as much of a turn as was ordered."""
    log, links = Log(), order["links"]
    await asyncio.gather(
        *(
            rate(log, one["link"], one["id"],
                 {**order, "stagger": order["spread"] * n / len(links)})
            for n, one in enumerate(links)
        )
    )  # fmt: skip
    return log


# ── holding the book against what was acknowledged ──────────────────────────────────────


def compare(folder: Path, log: dict[str, Any]) -> dict[str, int]:
    """How many acknowledged answers the book lacks or has otherwise, and what it has too much."""
    file = f"{(folder / 'studies' / f'{STUDY}.db').as_uri()}?mode=ro"
    book = sqlite3.connect(file, uri=True)
    rows = book.execute(
        "SELECT raters.id, place, body FROM answers JOIN raters ON raters.n = rater"
    ).fetchall()
    stored = {(name, place): json.loads(body) for name, place, body in rows}
    written = book.execute(
        "SELECT raters.id, place, count(*) FROM history JOIN raters ON raters.n = rater"
        " GROUP BY rater, place"
    ).fetchall()
    book.close()
    times = {(name, place): many for name, place, many in written}
    lost = sum(stored.get((name, place)) != answers for name, place, answers in log["saved"])
    known = {(name, place) for name, place, _ in log["saved"]}
    # What was sent and never acknowledged may be there or not; anything else may not.
    foreign = [key for key in stored.keys() - known if log["sent"].get(key[0]) != key[1]]
    return {
        "stored": len(rows), "lost": lost, "unwritten": len(stored.keys() - times.keys()),
        "doubled": sum(many - 1 for many in times.values()), "foreign": len(foreign),
    }  # fmt: skip


def listen(crowd: "subprocess.Popen[bytes]") -> threading.Event:
    """What is set whenever a rater sends an answer."""
    sent = threading.Event()

    def hear() -> None:
        for _ in crowd.stdout or ():
            sent.set()

    threading.Thread(target=hear, daemon=True).start()
    return sent


def load(
    folder: Path, *, raters: int, seconds: float, every: float, kills: int, seed: int = 0,
    together: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Let them rate, kill the server so often, and give the figures.

    They are staggered over a turn, or all save at once, so that a kill meets many saves.
    """
    chance = random.Random(seed)
    make_run(folder)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = Running(folder, port, raters, int(seconds / every) + 2)
    server.start()
    begin = time.time() + every + 1
    order = {"links": [one for one in server.links if one["role"] == "rater"], "port": port,
             "begin": begin, "end": begin + seconds, "every": every,
             "spread": 0.0 if together else every}  # fmt: skip
    (folder / "order.json").write_text(json.dumps(order))
    crowd = subprocess.Popen(
        [sys.executable, __file__, "--generate", str(folder)], stdout=subprocess.PIPE
    )
    outages, sent = list[tuple[float, float]](), listen(crowd)
    try:
        for number in range(1, kills + 1):
            turn = (number + chance.uniform(-0.3, 0.3)) / (kills + 1)
            time.sleep(max(0.0, begin + seconds * turn - time.time()))
            sent.clear()
            sent.wait(PATIENCE)
            time.sleep(chance.uniform(0.0, AMID))
            if crowd.poll() is None:
                down = time.time()
                server.kill()
                server.start()
                outages.append((down, time.time()))
        crowd.wait(seconds + 120)
    finally:
        if crowd.poll() is None:
            crowd.kill()
        server.stop()
    log = json.loads((folder / "log.json").read_text())
    found = compare(folder, log)
    told = {"raters": raters, "seconds": seconds, "kills": len(outages),
            "amid": _amid(log["cut"], outages),
            "outage": round(sum(back - down for down, back in outages), 1)}  # fmt: skip
    return found | _timed(log) | told


def _amid(cut: list[float], outages: list[tuple[float, float]]) -> int:
    """How many kills came after an answer was sent and before it was acknowledged.

    What is sent while the server is gone is cut off, too, and tells nothing of the kill.
    """
    since = [0.0, *(back for _, back in outages)]
    return sum(
        any(up < sent < down for sent in cut) for up, (down, _) in zip(since, outages, strict=False)
    )


def _timed(log: dict[str, Any]) -> dict[str, Any]:
    times = np.sort(np.array(log["times"]))
    cuts = {f"p{cut}": round(float(np.percentile(times, cut)), 4) for cut in (50, 95, 99)}
    return {"acknowledged": len(log["saved"]), **cuts, "slowest": round(float(times[-1]), 4),
            "broken": log["broken"], "cut": len(log["cut"]), "refused": log["refused"],
            "open_p95": round(float(np.percentile(log["opened"], 95)), 4)}  # fmt: skip


def main() -> None:
    """Run it and print a table, then the figures as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--raters", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=75.0)
    parser.add_argument("--every", type=float, default=3.0)
    parser.add_argument("--kills", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0, help="of the moments of the kills")
    parser.add_argument("--generate", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.generate:
        log = asyncio.run(generate(json.loads((args.generate / "order.json").read_text())))
        (args.generate / "log.json").write_text(json.dumps(vars(log)))
        return
    with tempfile.TemporaryDirectory() as folder:
        found = load(Path(folder), raters=args.raters, seconds=args.seconds, every=args.every,
                     kills=args.kills, seed=args.seed)  # fmt: skip
    print(f"{found['raters']} raters, a save every {args.every:g} s each, {args.seconds:g} s")
    for name, value in found.items():
        print(f"  {name:14}{value:>10}")
    print(f"  p95 of a save against {WANTED * 1000:g} ms: {found['p95'] / WANTED:.2f} of it")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
