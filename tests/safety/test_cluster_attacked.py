"""A stranger who reaches the ports of a cluster that Overpaint has made."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psutil
import pytest

MADE = """
from overpaint.work import Place
from overpaint.work.joining import joined
joined(Place("ray", 1))
input("made")
"""
JSON = {"Content-Type": "application/json"}
STRANGER = """
import sys, ray
ray.init(f"127.0.0.1:{sys.argv[1]}", log_to_driver=False)
print("let in", ray.get(ray.remote(lambda: 1).remote()))
"""


@pytest.fixture
def home() -> Iterator[Path]:
    """A short folder for Ray, whose sockets' names must be short."""
    folder = Path(tempfile.mkdtemp(prefix="ovp", dir="/tmp"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def started(script: str, home: Path, *words: str) -> "subprocess.Popen[str]":
    told = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    told |= {"HOME": str(home), "RAY_TMPDIR": str(home), "RAY_USAGE_STATS_ENABLED": "0"}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([sys.executable, "-c", script, *words], env=told, text=True, **pipes)


@pytest.mark.slow
def test_a_cluster_that_was_made_for_a_run_lets_nobody_in_without_its_token(
    home: Path, tmp_path: Path
) -> None:
    pytest.importorskip("ray")
    made = started(MADE, home)
    try:
        assert made.stdout
        assert made.stdout.read(4) == "made"
        below = psutil.Process(made.pid).children(recursive=True)
        head = next(one for one in below if one.name() == "gcs_server")
        stranger = started(STRANGER, tmp_path, str(ports(head)[0]))
        said = "".join(stranger.communicate(timeout=300))
        assert stranger.returncode
        assert "Authentication token is missing or incorrect" in said
        replies = {asked_to_work(port) for one in below for port in ports(one)}
        assert 401 in replies
        assert 200 not in replies
    finally:
        made.communicate("\n", timeout=120)


def ports(process: psutil.Process) -> list[int]:
    found = list[int]()
    with suppress(psutil.NoSuchProcess):  # some that start others end soon
        open_here = process.net_connections("inet")
        found += [one.laddr.port for one in open_here if one.status == psutil.CONN_LISTEN]
    return found


def asked_to_work(port: int) -> int:
    """The status of the reply to who asks for a job of Ray's at a port; 0 where there is none."""
    asks = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        asks.request("POST", "/api/job_agent/jobs/", '{"entrypoint": "true"}', JSON)
        return asks.getresponse().status
    except (OSError, HTTPException):  # it listens elsewhere, or speaks another language
        return 0
    finally:
        asks.close()
