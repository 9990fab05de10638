"""Secrets: links, sessions, CSRF marks and the names of pictures; only hashes of them are kept."""

import hashlib
import hmac
import re
import secrets

_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,80}")


def fresh() -> str:
    """A new secret of 192 bits that can stand in a link."""
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """What is kept of a secret. It is random, so that a plain hash cannot be guessed back."""
    return hashlib.sha256(secret.encode()).hexdigest()


def well_formed(token: object) -> bool:
    """Whether something could be a token at all."""
    return isinstance(token, str) and _TOKEN.fullmatch(token) is not None


def marked(key: str, label: str, text: str, length: int = 32) -> str:
    """A name for a text that nobody can make, or trace back, without the key."""
    told = f"{label}\0{text}".encode("utf-8", "backslashreplace")
    return hmac.new(key.encode(), told, hashlib.sha256).hexdigest()[:length]


def same(one: str, other: str) -> bool:
    """Whether two marks are equal, in a time that does not tell how far."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
