"""Joining a Ray cluster, and finding out early that there is none."""

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from overpaint.errors import Unavailable, UserMistake

if TYPE_CHECKING:
    from overpaint.work import Place

HERE = "ray"  # the cluster that runs on this machine, or one made for this process
_ADDRESS = "ray://"
_PORT = 10001  # where a cluster listens for clients unless told otherwise
_ANSWER = 5.0  # seconds in which an address must take a connection
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
    """Find out in seconds that nobody listens at an address; Ray itself takes half a minute."""
    if not on.startswith(_ADDRESS):
        return
    where = (urlsplit(on).hostname or "", _port(on) or _PORT)
    try:
        socket.create_connection(where, timeout=_ANSWER).close()
    except OSError as error:
        raise _nobody(on, error.strerror or str(error)) from error


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

    told = {"logging_level": logging.ERROR, "log_to_driver": False}
    check_answers(on)
    with _own_signals(), _Worded():
        try:
            ray.init("auto" if on == HERE else on, **told)
        except ConnectionError as error:
            if on != HERE:
                raise _nobody(on, str(error)) from error
            # None runs here, so one is made, and ends with this process.
            ray.init(
                "local", num_cpus=cores, include_dashboard=False, object_store_memory=_ROOM, **told
            )
        except (TimeoutError, RuntimeError, ValueError) as error:
            raise UserMistake(
                f"The Ray cluster at {on} cannot be joined: {' '.join(str(error).split())[:500]}"
            ) from error
    return ray


@contextmanager
def _own_signals() -> Iterator[None]:
    """Ray takes SIGTERM for itself; a stop is ours to handle."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = signal.getsignal(signal.SIGTERM)
    try:
        yield
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


def _nobody(on: str, why: str) -> UserMistake:
    return UserMistake(
        f"No Ray cluster answers at {on}: {why[:300].rstrip('.')}.",
        f"Its head listens for clients on port {_PORT} unless told otherwise.",
        f"Start one with: ray start --head --ray-client-server-port {_PORT}",
    )
