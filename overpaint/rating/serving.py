"""Serve a study: one process, no log of who asks, this machine alone unless told otherwise."""

import errno
import ipaddress
import re
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from overpaint.errors import UserMistake
from overpaint.rating.app import Server, make_app
from overpaint.rating.book import Book
from overpaint.rating.hurrying import Hurrying

_PUBLIC = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:[0-9]{1,5})?")


def serve(
    book: Book,
    listener: socket.socket,
    *,
    proxy: str = "",
    ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve the study until Ctrl-C; `ready` is told the address that links begin with.

    `proxy` is the public name of a proxy on this machine that speaks https to the world.
    """
    host, port = listener.getsockname()[:2]
    named = _named(host)
    server = Server(book, f"https://{proxy}" if proxy else f"http://{named}:{port}",
                    secure=bool(proxy))  # fmt: skip
    names = {"localhost", named.lower(), proxy.partition(":")[0].lower()} - {""}
    settings = uvicorn.Config(
        make_app(server, frozenset(names)), access_log=False, log_level="warning",
        server_header=False, proxy_headers=bool(proxy), forwarded_allow_ips="127.0.0.1",
        timeout_keep_alive=30, h11_max_incomplete_event_size=64 * 1024, lifespan="off",
        ws="none", limit_concurrency=2000, http=Hurrying,
    )  # fmt: skip
    if told := reach(host):
        print(told, file=sys.stderr, flush=True)
    ready(server.address)
    try:
        with suppress(KeyboardInterrupt):
            uvicorn.Server(settings).run(sockets=[listener])
    finally:
        server.close()


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; a UserMistake where it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Said to be TCP, or asyncio would let small replies wait for the one before (Nagle).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(512)
    except OverflowError as error:
        listener.close()
        raise UserMistake(f"There is no port {port}.", "Ports are 0 to 65535.") from error
    except OSError as error:
        listener.close()
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise UserMistake(
                f"Cannot listen on {host}: it is no address of this machine.",
                "127.0.0.1 is this machine alone, 0.0.0.0 all of its networks.",
                "Name one of its own: --host ADDRESS",
            ) from error
        raise UserMistake(
            f"Cannot listen on {host} port {port}: {error.strerror}.",
            "A free port of this machine was expected.",
            "Leave out --port to take any free one.",
        ) from error
    return listener


def public_name(text: str) -> str:
    """The name of a proxy as links have it; a UserMistake where it is none."""
    if text and not _PUBLIC.fullmatch(text):
        raise UserMistake(
            f"{text[:60]!r} is no name of a host.",
            "A name such as rate.example.org was expected, with :PORT if need be.",
            "Leave out https:// and whatever comes after the name.",
        )
    return text


def reach(host: str) -> str:
    """Who can reach a server bound to that host, where it is not this machine alone."""
    with suppress(ValueError):
        number = ipaddress.ip_address(host)
        if number.is_loopback:
            return ""
        if number.is_unspecified:
            return (
                "Everybody who can reach this machine over any of its networks can reach this page;"
                " what they send and see is not encrypted. A proxy that speaks https is safer:"
                " --https-behind-proxy HOST."
            )
    if host.lower() == "localhost":
        return ""
    return (
        f"Everybody who can reach {host} over the network can reach this page; what they send and"
        " see is not encrypted. A proxy that speaks https is safer: --https-behind-proxy HOST."
    )


def _named(host: str) -> str:
    """How links name a host: a server on all networks by this machine's name."""
    if ipaddress.ip_address(host).is_unspecified:
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
