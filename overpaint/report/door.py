"""Whom a served page lets in: whoever was told its address, which has a key in it.

A port of this machine can be reached by all of its users, and by every page their browsers open.
What the cookie does not stop: browsers send it to every port, so that whoever opens the page that
another user serves on one gives it away; `docs/threats.md` says so.
"""

import hmac
import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qs, parse_qsl, urlencode

PAGES = ("/", "/samples")


@dataclass(frozen=True)
class Door:
    """A key, which comes in the address once and in a cookie from then on."""

    key: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def lets_in(self, port: int, cookies: str) -> bool:
        """Whether a request with these cookies comes from somebody who had the key."""
        found = (part.strip().partition("=") for part in cookies.split(";"))
        return any(name == _name(port) and self._fits(value) for name, _, value in found)

    def cookie(self, port: int, target: str) -> str:
        """The cookie for whoever asks for an address with the key in it; "" without."""
        given = parse_qs(target.partition("?")[2]).get("key", [""])[0]
        known = f"{_name(port)}={self.key}; Path=/; HttpOnly; SameSite=Lax"
        return known if self._fits(given) else ""

    def within(self, target: str) -> str:
        """Where an address with a key in it leads without it; "" for one that has none.

        It is always a page of this server: a path may be written so that a browser takes it for
        the address of another.
        """
        path, _, query = target.partition("?")
        told = parse_qsl(query, keep_blank_values=True)
        rest = [pair for pair in told if pair[0] != "key"]
        if rest == told:
            return ""
        asked = f"?{urlencode(rest, errors='replace')}" if rest else ""
        return (path if path in PAGES else "/") + asked

    def _fits(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.key.encode())


def _name(port: int) -> str:
    return f"overpaint-view-{port}"  # a browser keeps cookies by machine, not by port
