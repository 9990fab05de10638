"""The fake server: what it counts, how much it bears, and that it ends when it should."""

import asyncio
import http.client
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import openai
import psutil
import pytest

from overpaint.errors import Unreachable, UserMistake
from overpaint.testing import BEHAVIOURS, Asked, FakeServer, Script
from overpaint.testing.counting import short

PICTURE = "data:image/png;base64," + "A" * 300_000
CLIENT = """
import sys, http.client
wire = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
wire.request("POST", "/v1/chat/completions", sys.argv[2])
wire.getresponse()
"""
STARTER = """
import time
from overpaint.testing import FakeServer
with FakeServer() as server:
    print(server.port, flush=True)
    time.sleep(99)
"""


def body(prompt: str, pictures: tuple[str, ...] = (), **more: Any) -> bytes:
    parts = [{"type": "text", "text": prompt}]
    parts += [{"type": "image_url", "image_url": {"url": url}} for url in pictures]
    return json.dumps(
        {"model": "eye", "messages": [{"role": "user", "content": parts}], **more}
    ).encode()


def post(port: int, *bodies: bytes) -> list[tuple[int, Any]]:
    """Status and JSON of each answer, all over one connection."""
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    found = []
    for each in bodies:
        wire.request("POST", "/v1/chat/completions", each)
        answer = wire.getresponse()
        found.append((answer.status, json.loads(answer.read())))
    wire.close()
    return found


def text(answer: tuple[int, Any]) -> str:
    return answer[1]["choices"][0]["message"]["content"]


def wait_until(true: Callable[[], bool], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while not (done := true()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return done


def listens(port: int) -> bool:
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        wire.request("GET", "/v1/models")
        return wire.getresponse().status == 200
    except OSError:
        return False
    finally:
        wire.close()


# ── counts ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("process", [True, False])
def test_it_counts_requests_bodies_prompts_and_behaviours(process: bool) -> None:
    script = {"rules": [{"contains": "no", "reply": {"behaviour": "server_error"}}], "reply": "a"}
    first, second, other = body("yes"), body("yes", (PICTURE,)), body("no")
    with FakeServer(script, process=process) as server:
        answers = post(server.port, first, first, second, other)
        counts = server.counts()
        seen = server.requests()
        sent = server.body(seen[2]["hash"])
    assert [status for status, _ in answers] == [200, 200, 200, 500]
    assert (counts.total, counts.distinct, counts.connections) == (4, 3, 1)
    assert counts.behaviours == {"ok": 3, "server_error": 1}
    assert counts.statuses == {"200": 3, "500": 1}
    assert counts.prompts == {"yes": 3, "no": 1}
    assert sorted(counts.bodies.values()) == [1, 1, 2]
    assert list(counts.repeated.values()) == [2]
    assert [one["nth"] for one in seen] == [0, 1, 0, 0]
    assert [one["pictures"] for one in seen] == [0, 0, 1, 0]
    assert sent == json.loads(second)


def test_a_long_prompt_is_counted_under_its_beginning_and_a_hash() -> None:
    long = "Is it good? " * 1000
    with FakeServer("yes", process=False) as server:
        post(server.port, body(long), body(long, ("x",)), body(long + "!"))
        counts = server.counts()
    assert (counts.asked(long), counts.asked(long + "!"), counts.asked("?")) == (2, 1, 0)
    assert all(len(key) < 200 for key in counts.prompts)
    assert short("brief") == "brief"


def test_counts_are_known_after_the_end_and_can_be_started_anew() -> None:
    with FakeServer("yes", process=False) as server:
        post(server.port, body("a"))
        server.forget()
        post(server.port, body("b"), body("b"))
    assert (server.counts().total, server.counts().prompts) == (2, {"b": 2})
    with pytest.raises(Unreachable, match="Ask within its `with` block"):
        server.requests()


def test_the_prompt_is_what_was_asked_last_and_rules_see_all_that_was_said() -> None:
    talk = [
        {"role": "system", "content": "You judge."},
        {"role": "user", "content": [{"type": "text", "text": "Is it good?"},
                                     {"type": "text", "text": "Picture 1:"}]},
        {"role": "assistant", "content": "{"},
    ]  # fmt: skip
    rules = [{"contains": "You judge.", "reply": "system"}]
    with FakeServer({"rules": rules}, process=False) as server:
        [answer] = post(server.port, json.dumps({"messages": talk}).encode())
        assert server.counts().prompts == {"Is it good?": 1}
    assert text(answer) == "system"


def test_a_body_it_never_saw_is_not_there() -> None:
    with (
        FakeServer("yes", process=False) as server,
        pytest.raises(UserMistake, match="nothing at /bodies/ab"),
    ):
        server.body("ab")


@pytest.mark.slow
def test_sixty_four_in_flight_are_counted_as_such_and_all_answered() -> None:
    with FakeServer(Script(seconds=0.5)) as server, ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(lambda n: post(server.port, body(f"{n}")), range(64)))
        counts = server.counts()
    assert [status for [(status, _)] in answers] == [200] * 64
    assert (counts.most_in_flight, counts.in_flight, counts.distinct) == (64, 0, 64)


def test_what_it_counted_survives_the_death_of_the_client() -> None:
    with FakeServer({"behaviours": {"hang": 1}}) as server:
        command = [sys.executable, "-c", CLIENT, str(server.port), body("last words").decode()]
        client = subprocess.Popen(command)
        assert wait_until(lambda: server.counts().total == 1)
        assert server.counts().in_flight == 1
        client.send_signal(signal.SIGKILL)
        client.wait()
        assert wait_until(lambda: server.counts().left == 1)
        assert (server.counts().in_flight, server.counts().asked("last words")) == (0, 1)


# ── the same for the same ───────────────────────────────────────────────────────────────


def test_another_server_with_the_same_script_does_the_same() -> None:
    faults = ("server_error", "rate_limited", "prose", "empty", "no_format")
    script = {"behaviours": dict.fromkeys(faults, 0.12), "seed": 5}
    bodies = [body(f"{n % 40}") for n in range(80)]
    lives = []
    for process in (True, False):
        with FakeServer(script, process=process) as server:
            post(server.port, *bodies)
            lives.append([one["behaviour"] for one in server.requests()])
    assert lives[0] == lives[1]
    assert set(lives[0]) == {*faults, "ok"}


@pytest.mark.slow
def test_a_retrying_client_gets_through_a_transient_fault() -> None:
    with FakeServer({"reply": "yes", "behaviours": {"reset": {"times": 1}}}) as server:
        client = openai.OpenAI(base_url=server.url, api_key="none", max_retries=1)
        said = client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "?"}]
        )
        counts = server.counts()
    assert said.choices[0].message.content == "yes"
    assert counts.behaviours == {"reset": 1, "ok": 1}
    assert counts.statuses == {"none": 1, "200": 1}


# ── functions ───────────────────────────────────────────────────────────────────────────


def test_a_function_sees_the_request_and_may_wait_without_stopping_others() -> None:
    gate = threading.Barrier(8, timeout=10)

    def answer(asked: Asked) -> str:
        gate.wait()
        return f"{asked.prompt} {len(asked.pictures)} {asked.model} {asked.schema}"

    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}
    asked = body("hi", ("u", "v"), response_format=form)
    with FakeServer(answer, process=False) as server, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: post(server.port, asked)[0], range(8)))
    assert {text(each) for each in answers} == {"hi 2 eye {'type': 'object'}"}


def test_a_function_may_name_a_behaviour_and_its_own_failure_is_told() -> None:
    def answer(asked: Asked) -> Any:
        return {"behaviour": "overloaded"} if asked.prompt == "a" else {"n": 1 // (asked.nth)}

    with FakeServer(answer, process=False) as server:
        answers = post(server.port, body("a"), body("b"), body("b"))
        assert server.counts().behaviours == {"overloaded": 1, "mistake": 1, "ok": 1}
    assert [status for status, _ in answers] == [503, 400, 200]
    assert "raised ZeroDivisionError" in answers[1][1]["error"]["message"]


def test_a_used_up_script_is_a_mistake_that_no_client_repeats() -> None:
    with FakeServer(["one"], process=False) as server:
        first, second = post(server.port, body("a"), body("a"))
    assert (text(first), second[0]) == ("one", 400)
    assert "this is request 2 that wants one" in second[1]["error"]["message"]


# ── beginning and end ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("process", [True, False])
def test_it_ends_with_its_block_even_while_it_hangs(process: bool) -> None:
    with FakeServer({"behaviours": {"hang": 1}}, process=process) as server:
        wire = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        wire.request("POST", "/v1/chat/completions", body("a"))
        assert wait_until(lambda: server.counts().in_flight == 1)
        started = time.monotonic()
    assert time.monotonic() - started < 3
    assert not listens(server.port)
    with pytest.raises(OSError, match="closed|reset|abort|without response"):
        wire.getresponse()
    wire.close()


def test_it_ends_when_the_process_that_started_it_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", STARTER], stdout=subprocess.PIPE, text=True)
    port = int(parent.stdout.readline())
    assert listens(port)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert wait_until(lambda: not listens(port))


@pytest.mark.parametrize("process", [True, False])
def test_a_port_that_is_taken_is_told(process: bool) -> None:
    with FakeServer(process=False) as server:
        told = f"Cannot listen on 127.0.0.1 port {server.port}: .*Leave out the port"
        with pytest.raises(UserMistake, match=told), FakeServer(process=process, port=server.port):
            pass
        assert listens(server.port)


def test_a_function_for_another_process_is_refused_before_it_starts() -> None:
    with pytest.raises(UserMistake, match="process=False"):
        FakeServer(lambda asked: "a")


def test_it_runs_from_the_command_line_until_it_is_stopped(tmp_path: Path) -> None:
    (tmp_path / "script.json").write_text('{"reply": "from a file"}')
    command = [sys.executable, "-m", "overpaint.testing", "--script", tmp_path / "script.json"]
    for stop in (signal.SIGINT, signal.SIGTERM):
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        url = child.stdout.readline().decode().strip()
        assert url.endswith("/v1")
        assert text(post(int(url.split(":")[2][:-3]), body("a"))[0]) == "from a file"
        child.send_signal(stop)
        assert child.wait(10) == 0
        child.stdout.close()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "is not JSON"),
        ('{"behaviours": {"boom": 1}}', "There is no behaviour 'boom'."),
        (None, "cannot be read: No such file or directory."),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_wrong_script_on_the_command_line_is_told_and_ends_with_2(
    tmp_path: Path, content: str | None, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from overpaint.testing.__main__ import main

    path = tmp_path / "script.json"
    if content is not None:
        path.write_text(content)
    assert main(["--script", str(path)]) == 2
    assert told in capsys.readouterr().err


def test_help_lists_every_behaviour(capsys: pytest.CaptureFixture[str]) -> None:
    from overpaint.testing.__main__ import main

    with pytest.raises(SystemExit):
        main(["--help"])
    lines = capsys.readouterr().out.splitlines()
    for name, each in BEHAVIOURS.items():
        assert any(line.split() == [name, *each.about.split()] for line in lines)


def test_it_starts_without_numpy_and_without_a_client_library() -> None:
    heavy = ("numpy", "openai", "cv2", "pydantic")
    script = f"import sys, overpaint.testing\nprint([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


# ── how much it bears ───────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_core_is_enough_for_1500_requests_a_second_and_for_200_large_ones() -> None:
    with FakeServer() as server:
        [process] = (one for one in psutil.Process().children() if _is_server(one))
        small = _cost(process, server.port, [body(f"{n} {'x' * 900}") for n in range(6000)])
        large = _cost(process, server.port, [body(f"{n}", (PICTURE,)) for n in range(400)])
        counts = server.counts()
    assert counts.total == counts.distinct == 6400
    assert (counts.connections, counts.malformed, counts.left) == (128, 0, 0)
    assert small < 1 / 1500
    assert large < 1 / 200


def _is_server(process: psutil.Process) -> bool:
    return "overpaint.testing" in process.cmdline()


def _cost(process: psutil.Process, port: int, bodies: list[bytes]) -> float:
    """The server's CPU seconds a request, asked over 64 connections at once."""
    before = process.cpu_times()
    asyncio.run(_ask_over_64(port, list(bodies)))
    after = process.cpu_times()
    return (after.user + after.system - before.user - before.system) / len(bodies)


async def _ask_over_64(port: int, left: list[bytes]) -> None:
    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while left:
            data = left.pop()
            head = f"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: {len(data)}\r\n\r\n"
            writer.write(head.encode() + data)
            answer = await reader.readuntil(b"\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 200")
            await reader.readexactly(int(answer.partition(b"Content-Length: ")[2].split()[0]))
        writer.close()

    await asyncio.gather(*(one() for _ in range(64)))
