"""Names of models: whom to ask, at which address, with which variable's key.

    openai/gpt-4o-2024-11-20            a vendor's model, with the vendor's own variable for the key
    http://localhost:8000/v1#qwen2.5-vl any OpenAI-style server: vLLM, SGLang, Ollama, llama.cpp …
    local/smollm2                       a small language model on this machine
    local/FOLDER                        one that `overpaint train reasoner` wrote to that folder
    mini=openai/gpt-4o-mini             the same under a name of your own, which columns then bear

Keys come from the environment or a `.env` beside the command, and are never written down.
"""

import os
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from overpaint.errors import Unavailable, UserMistake
from overpaint.models.trained_card import folder_of, is_trained, read_card, without_digest

LOCAL = "local"
OWN_KEY = "OVERPAINT_API_KEY"  # of a server given by its address
_LARGEST_ENV = 64 * 1024


@dataclass(frozen=True)
class Vendor:
    """A service with an OpenAI-style endpoint: its address and the variables it documents."""

    address: str
    keys: tuple[str, ...]
    base: str = ""  # a variable that moves the address


VENDORS = {
    "openai": Vendor("https://api.openai.com/v1", ("OPENAI_API_KEY",), "OPENAI_BASE_URL"),
    "gemini": Vendor(
        "https://generativelanguage.googleapis.com/v1beta/openai",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    ),
    "anthropic": Vendor("https://api.anthropic.com/v1", ("ANTHROPIC_API_KEY",)),
    "openrouter": Vendor("https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
    "ollama": Vendor("http://localhost:11434/v1", ()),
}


@dataclass(frozen=True)
class Endpoint:
    """Where a model answers. Its key is looked up when it is asked, and is not held here."""

    name: str  # as prices know it: "openai/gpt-4o-2024-11-20", or the address and model
    short: str  # as columns bear it
    address: str  # the base URL; empty for a model on this machine
    model: str
    keys: tuple[str, ...] = ()  # variables that may hold the key
    needs_key: bool = False

    @property
    def host(self) -> str:
        """Whom the pictures go to."""
        return urlsplit(self.address).netloc or "this machine"

    def key(self) -> str:
        """The key, or an empty text where the server needs none."""
        kept = _env_file(Path(".env")) if self.keys else {}
        known = (os.environ.get(name, kept.get(name, "")) for name in self.keys)
        found = next(filter(None, (text.strip() for text in known)), "")
        if self.needs_key and not found:
            raise Unavailable(
                f"{self.name} cannot be asked: {' or '.join(self.keys)} is not set.",
                "Keys come from the environment or from .env in this folder.",
                f"export {self.keys[0]}=…",
            )
        if not (found.isascii() and found.isprintable()) or " " in found:
            raise Unavailable(
                f"The key of {self.name} holds letters that no request can carry.",
                "A key is letters, figures and signs without a space or a line's end.",
                f"Set {' or '.join(self.keys)} again.",
            )
        return found


def endpoint(text: str) -> Endpoint:
    """The endpoint that a name means."""
    alias, equals, rest = text.partition("=")
    if equals and re.fullmatch(r"[\w.-]+", alias):
        return replace(_endpoint(rest), short=alias)
    return _endpoint(text)


def _endpoint(text: str) -> Endpoint:
    """That of a name without another before it."""
    if re.match(r"https?://", text, re.IGNORECASE):
        return _at_address(text)
    vendor, slash, model = text.partition("/")
    if slash and model and vendor == LOCAL:
        return _on_this_machine(text, model)
    if not (slash and model) or vendor not in VENDORS:
        raise UserMistake(
            f"{text!r} names no model.",
            f"A model is VENDOR/MODEL (vendors: {', '.join(VENDORS)}), or an address and model,"
            " http://HOST:PORT/v1#MODEL.",
            "The evidence judge, which needs no model, is called evidence.",
        )
    service = VENDORS[vendor]
    moved = os.environ.get(service.base, "") if service.base else ""
    if moved and moved.rstrip("/") != service.address:
        # Another server is another model, whatever it is called: its answers are its own.
        found = _at_address(f"{moved}#{model}")
        return replace(found, keys=service.keys, needs_key=bool(service.keys))
    short = model.rpartition("/")[2]
    return Endpoint(text, short, service.address, model, service.keys, bool(service.keys))


def _on_this_machine(text: str, model: str) -> Endpoint:
    """A packaged model, or a folder; other weights in the same folder are another model."""
    folder = folder_of(model)
    if not is_trained(folder):
        return Endpoint(text, model, "", model)
    named = f"{LOCAL}/{without_digest(model)}@{read_card(folder).digest}"
    return Endpoint(named, folder.resolve().name, "", without_digest(model))


_ADDRESS = (
    "After the address comes # and the model's name.",
    "For example http://localhost:8000/v1#qwen2.5-vl",
)


@lru_cache(maxsize=256)
def _at_address(text: str) -> Endpoint:
    """A server given by its address, with the model after #."""
    try:
        parts = urlsplit(text)
        _ = parts.port, (parts.hostname or "").encode("idna")  # say what is wrong with them now
    except ValueError as error:
        raise UserMistake(f"The model's address is not one: {error}.", *_ADDRESS) from None
    if parts.username or parts.password or parts.query:
        raise UserMistake(
            "The model's address holds a user name, a password or a query.",
            "Keys come from the environment only.",
            f"Leave it out of the address and set {OWN_KEY}.",
        )
    if not parts.hostname or not parts.fragment:
        raise UserMistake(f"{text!r} does not say which model.", *_ADDRESS)
    address = parts._replace(fragment="").geturl().rstrip("/")
    short = parts.fragment.rstrip("/").rpartition("/")[2]
    return Endpoint(f"{address}#{parts.fragment}", short, address, parts.fragment, (OWN_KEY,))


def _env_file(path: Path) -> dict[str, str]:
    """NAME=value lines of a `.env`; what is not such a line is left alone."""
    try:
        if not path.is_file():  # a pipe would be waited for
            return {}
        with path.open("rb") as file:
            text = file.read(_LARGEST_ENV).decode("utf-8", "replace")
    except OSError:
        return {}
    found = {}
    for line in text.splitlines():
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and re.fullmatch(r"\w+", name.strip()):
            found[name.strip()] = value.strip().strip("\"'")
    return found
