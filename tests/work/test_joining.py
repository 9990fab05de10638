"""Which cluster `--on ray` joins, and what is said where it is gone or lets nobody in."""

import signal
import socket
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from overpaint.errors import UserMistake
from overpaint.work import Place, check_answers, joining


class AuthenticationError(Exception):
    """What Ray raises where a token is asked for."""


class Ray:
    """As much of Ray as joining takes; what `raises` says goes wrong at an address."""

    exceptions = SimpleNamespace(RayError=AuthenticationError)

    def __init__(self) -> None:
        self.asked, self.raises = list[str](), dict[str, BaseException]()

    def is_initialized(self) -> bool:
        return False

    def init(self, address: str, **_: object) -> None:
        self.asked.append(address)
        warnings.warn("what Ray says beside its errors", UserWarning, stacklevel=1)
        if address in self.raises:
            raise self.raises[address]


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Ray]:
    made = Ray()
    monkeypatch.setitem(sys.modules, "ray", made)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setattr(psutil, "process_iter", lambda _: [])
    (tmp_path / "ray").mkdir()
    yield made
    joining._connected.cache_clear()


@pytest.fixture
def dead() -> Iterator[str]:
    """An address where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture
def alive() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


def note(tmp_path: Path, address: str) -> None:
    (tmp_path / "ray" / "ray_current_cluster").write_text(f"{address}\n")


def test_a_cluster_that_was_here_and_is_gone_is_not_waited_for(
    ray: Ray, dead: str, tmp_path: Path
) -> None:
    note(tmp_path, dead)
    assert joining.joined(Place("ray")) is ray
    assert ray.asked == ["local"]


def test_a_cluster_that_runs_here_is_joined_whatever_was_noted(
    ray: Ray, alive: str, dead: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(tmp_path, alive)
    joining.joined(Place("ray"))
    note(tmp_path, dead)
    node = SimpleNamespace(info={"name": "raylet"})
    monkeypatch.setattr(psutil, "process_iter", lambda _: [node])
    joining.joined(Place("ray"))
    assert ray.asked == ["auto", "auto"]


@pytest.mark.parametrize("told", [None, "", "auto", "local"])
def test_where_none_runs_one_is_made(
    told: str | None, ray: Ray, monkeypatch: pytest.MonkeyPatch
) -> None:
    if told is not None:
        monkeypatch.setenv("RAY_ADDRESS", told)
    ray.raises["auto"] = ConnectionError("none runs here")
    joining.joined(Place("ray"))
    assert ray.asked == ["auto", "local"]


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_a_cluster_that_the_environment_names_and_that_is_gone_is_told_in_seconds(
    scheme: str, ray: Ray, dead: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", scheme + dead)
    began = time.monotonic()
    with pytest.raises(UserMistake, match=f"No Ray cluster answers at {scheme}{dead}.*RAY_ADDRESS"):
        check_answers("ray")
    with pytest.raises(UserMistake, match="or unset RAY_ADDRESS to join"):
        joining.joined(Place("ray"))
    assert time.monotonic() - began < 2 * joining._ANSWER + 2
    assert ray.asked == []


def test_a_cluster_that_the_environment_names_is_joined_or_nothing_is(
    ray: Ray, alive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", alive)
    joining.joined(Place("ray"))
    ray.raises[alive] = ConnectionError("not what answers there")
    with pytest.raises(UserMistake, match="not what answers there. It is RAY_ADDRESS.*token"):
        joining.joined(Place("ray"))
    assert ray.asked == [alive, alive]


ERRORS: list[Any] = [
    AuthenticationError("Token authentication is enabled but no token was found"),
    RuntimeError("Version mismatch"),
    OSError("no space left"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("address", ["auto", "local"])
def test_a_cluster_that_lets_nobody_in_is_a_sentence(
    address: str, error: Exception, ray: Ray
) -> None:
    ray.raises |= {"auto": ConnectionError("none runs here"), address: error}
    with pytest.raises(UserMistake, match=f"The Ray cluster here cannot be joined: {error}"):
        joining.joined(Place("ray"))


def test_a_stop_while_ray_starts_is_a_stop_as_ever(ray: Ray) -> None:
    ray.raises["auto"] = SystemExit(signal.SIGTERM)  # which Ray makes of it
    with pytest.raises(KeyboardInterrupt):
        joining.joined(Place("ray"))


def test_what_listens_and_does_not_let_ray_in_may_ask_for_a_token(
    ray: Ray, alive: str, recwarn: pytest.WarningsRecorder
) -> None:
    ray.raises[f"ray://{alive}"] = ConnectionError("ray client connection timeout")
    with pytest.raises(UserMistake, match=f"What listens at ray://{alive} does.*RAY_AUTH_MODE"):
        joining.joined(Place(f"ray://{alive}"))
    assert not recwarn


def test_a_head_that_was_too_busy_is_told_as_that(ray: Ray, alive: str) -> None:
    told = "Failure:\nTraceback\n  a line\nRuntimeError: Starting Ray client server failed. See it"
    ray.raises[f"ray://{alive}"] = ConnectionError(told)
    with pytest.raises(UserMistake, match="command: RuntimeError: Starting.*Give the command ag"):
        joining.joined(Place(f"ray://{alive}"))
