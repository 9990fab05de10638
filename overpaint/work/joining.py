"""Joining a Ray cluster, and finding out early that there is none."""

import logging
import os
import signal
import socket
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from overpaint.errors import Unavailable, UserMistake

if TYPE_CHECKING:
    from overpaint.work import Place

HERE = "ray"  # the cluster that runs on this machine, or one made for this process
_ADDRESS = "ray://"
_TOLD = "RAY_ADDRESS"  # in the environment: which cluster Ray is to join
_NOTED = "ray/ray_current_cluster"  # in Ray's folder: the address of the last that began here
_PORT = 10001  # where a cluster listens for clients unless told otherwise
_ANSWER = 5.0  # seconds in which an address must take a connection
_QUIET: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
_ROOM = 256 * 2**20  # bytes for what stations send; rows are small


def check_place(on: str, workers: int | None = None) -> None:
    """Find out now, not after a benchmark was read, that there is no such place to work on."""
    if not on:
        return
    if on != HERE and not (on.startswith(_ADDRESS) and _is_address(on)):
        raise UserMistake(
            f"{on!r} is no place to work on.",
            "It is ray (the cluster that runs here, or one made for this run) or ray://HOST:PORT.",
            "Leave --on away to work on this machine alone.",
        )
    if workers == 0:
        raise UserMistake(
            "--workers 0 works in this process, and --on elsewhere: it cannot be both.",
            "With --on, --workers is how many work at once on the cluster (default: all there is"
            " room for).",
            "Leave one of the two away.",
        )
    if find_spec("ray") is None:
        raise Unavailable(
            "Ray is not installed, so there is no cluster to work on.",
            "It is an extra.",
            "pip install 'overpaint[ray]'",
        )


def _is_address(on: str) -> bool:
    try:
        return bool(urlsplit(on).hostname) and _port(on) is not None
    except ValueError:  # half of an IPv6 address
        return False


def check_answers(on: str) -> None:
    """Find out in seconds that nobody listens at an address; Ray itself takes many minutes."""
    address = _told() if on == HERE else on
    if address and (why := _silent(address)):
        raise _nobody(address, why)


def _told() -> str:
    """The address that the environment tells, where it tells one."""
    told = os.environ.get(_TOLD, "").strip()
    return "" if told in ("auto", "local") else told


def _silent(address: str) -> str:
    """Why an address takes no connection; "" where it takes one."""
    address = address if "://" in address else f"//{address}"
    try:
        where = (urlsplit(address).hostname or "", _port(address) or _PORT)
        socket.create_connection(where, timeout=_ANSWER).close()
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return ""


def _is_stale() -> bool:
    """Whether the cluster noted here is gone, of which Ray itself would be sure after minutes."""
    import psutil

    folder = Path(os.environ.get("RAY_TMPDIR") or tempfile.gettempdir())
    try:
        noted = (folder / _NOTED).read_text().strip()
    except OSError:
        return False
    runs = any("raylet" in (one.info["name"] or "") for one in psutil.process_iter(["name"]))
    return not runs and bool(_silent(noted))


def _port(on: str) -> int | None:
    """The address's port, or the usual one; None where it is no number that a port can have."""
    try:
        return urlsplit(on).port or _PORT
    except ValueError:
        return None


def joined(place: "Place") -> Any:
    """Ray, connected; the connection lasts as long as this process."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # no reports of its use
    import ray

    if not ray.is_initialized():
        _connected.cache_clear()
    elif place.on == HERE:
        return ray
    return _connected(place.on, place.cores if place.on == HERE else 0)


@lru_cache(maxsize=1)
def _connected(on: str, cores: int) -> Any:
    """Ray, connected to that place, where it was to none."""
    import ray

    check_answers(on)
    address = (_told() or "auto") if on == HERE else on
    with _own_signals(), _Worded(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # what it warns of is said below
        try:
            if (address == "auto" and _is_stale()) or not _is_joined(ray, address):
                # None runs here, so one is made, and ends with this process.
                own: dict[str, Any] = {"include_dashboard": False, "object_store_memory": _ROOM}
                ray.init("local", num_cpus=cores, **own, **_QUIET)
        except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            where = "here" if address == "auto" else f"at {address}"
            raise UserMistake(
                f"The Ray cluster {where} cannot be joined: {' '.join(str(error).split())[:500]}"
            ) from error
    return ray


def _is_joined(ray: Any, address: str) -> bool:
    """Join the cluster at that address; where any would do there may be none."""
    try:
        ray.init(address, **_QUIET)
    except ConnectionError as error:
        if address != "auto":
            why = str(error).strip().rpartition("\n")[2]  # of a traceback the end
            late = "Starting Ray client server failed" in why
            raise (_busy if late else _shut)(address, why) from error
        return False
    return True


@contextmanager
def _own_signals() -> Iterator[None]:
    """Ray takes SIGTERM for itself; a stop is ours to handle."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = signal.getsignal(signal.SIGTERM)
    try:
        yield
    except SystemExit as end:
        if end.code == signal.SIGTERM:  # which is what Ray makes of it while it starts
            raise KeyboardInterrupt from end
        raise
    finally:
        signal.signal(signal.SIGTERM, kept or signal.SIG_DFL)


class _Worded:
    """What Ray gives as an error of no kind, where a machine is too busy to start it, in words."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: object, _: object) -> None:
        if kind is Exception:
            raise UserMistake(
                f"Ray could not be started here: {error}",
                "It gives up after half a minute, which a busy machine may take.",
                "Give the command again, or leave --on away.",
            )


class Held:
    """What Ray gives where its connection is gone for good, in words."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: object, _: object) -> None:
        # Which is loaded where the connection is over the network.
        network = getattr(sys.modules.get("grpc"), "RpcError", ConnectionError)
        gone = isinstance(error, ConnectionError | self._ray.exceptions.RayError | network)
        if gone or kind is Exception:
            said = str(getattr(error, "details", lambda: error)())  # of the network's own errors
            raise UserMistake(
                f"The cluster is gone: {' '.join(said.split())[:300].rstrip('.')}.",
                "What is done is kept.",
                "The same command goes on from here.",
            )


def _busy(on: str, why: str) -> UserMistake:
    return UserMistake(
        f"The cluster at {on} has not begun to serve this command: {why[:300].rstrip('.')}.",
        "Its head gives up after half a minute, which a busy machine may take.",
        "Give the command again; on the head RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S=120 lets it"
        " wait longer.",
    )


def _shut(on: str, why: str) -> UserMistake:
    named = f" It is {_TOLD} that names it." if on == _told() else ""
    return UserMistake(
        f"What listens at {on} does not let Ray in: {why[:300].rstrip('.')}.{named}",
        "It is something else, or a cluster that asks for a token.",
        "If so, set RAY_AUTH_MODE=token; its token is in ~/.ray/auth_token here, or in"
        " RAY_AUTH_TOKEN.",
    )


def _nobody(on: str, why: str) -> UserMistake:
    wrong = f"No Ray cluster answers at {on}: {why[:300].rstrip('.')}."
    if on == _told():
        todo = f"Start it, or unset {_TOLD} to join the one that runs here or have one made."
        return UserMistake(wrong, f"It is {_TOLD} that names it.", todo)
    return UserMistake(
        wrong,
        f"Its head listens for clients on port {_PORT} unless told otherwise.",
        f"Start one with: ray start --head --ray-client-server-port {_PORT}",
    )
