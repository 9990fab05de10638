"""What a folder written by `overpaint train reasoner` says of itself; read without loading it."""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from overpaint.catalog import PACKAGED
from overpaint.document.pictures import is_there
from overpaint.errors import DataError, UserMistake, unread
from overpaint.models.vlm import ADAPTER_CONFIG, ADAPTER_WEIGHTS

if TYPE_CHECKING:
    from overpaint.models.names import Endpoint

FILE = "reasoner.json"
FORM = "overpaint-reasoner/1"
# What a name after local/ means before it means a folder; a folder of that name is ./NAME.
LANGUAGE_MODELS = PACKAGED
_LARGEST = 1_000_000  # bytes of a card
_LONGEST = 4096  # tokens of an answer


@dataclass(frozen=True)
class TrainedCard:
    """What has to be known of a trained model to ask it."""

    folder: Path
    base: str  # the model it was trained from: "smollm2", a folder or a hub id
    prompt: str  # the file with the words it was trained with
    sees: bool  # whether it is shown pictures
    pixels: int  # of a picture's longer side
    longest: int  # tokens of an answer
    revision: str | None  # of a base from a hub
    fingerprint: str  # of the base's weights
    digest: str  # changes whenever the weights or the card do
    told: str  # how well it decided about documents held out


def folder_of(name: str) -> Path | None:
    """The folder that a name after local/ means; None for a name of a packaged language model."""
    plain = without_digest(name)
    return None if plain in LANGUAGE_MODELS else Path(plain)


def without_digest(name: str) -> str:
    """The name as it is said; runs write down which weights it meant, after an @."""
    return re.sub(r"@[0-9a-f]{16}$", "", name)


def is_trained(folder: Path | None) -> TypeGuard[Path]:
    """Whether training wrote this folder."""
    return folder is not None and is_there(folder / FILE, "file")


def read_card(folder: Path) -> TrainedCard:
    """The card of that folder."""
    if not is_trained(folder):
        raise UserMistake(
            f"{folder} holds no trained reasoner.",
            f"A folder with {FILE} was expected, as `overpaint train reasoner` writes it.",
        )
    try:
        if (folder / FILE).stat().st_size > _LARGEST:
            raise ValueError(f"it has more than {_LARGEST:,} bytes")
        told = (folder / FILE).read_bytes()
        return _card(folder, json.loads(told), told)
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(
            f"{folder / FILE} cannot be read: {unread(error)}.",
            f"A card of the form {FORM} was expected.",
            "Train again, or take the folder as it was written.",
        ) from error


def trained_card(endpoint: "Endpoint") -> TrainedCard | None:
    """The card of a trained model, None for any other."""
    folder = folder_of(endpoint.model)
    return read_card(folder) if not endpoint.address and is_trained(folder) else None


def _card(folder: Path, found: Any, told: bytes) -> TrainedCard:
    """The card; whatever is not as training writes it is a `ValueError`."""
    if not isinstance(found, dict) or found.get("form") != FORM:
        raise ValueError("it is of another form")
    sees, revision = _one(found, "sees", bool), found.get("revision")
    longest, pixels = (_one(found, name, int) for name in ("longest", "pixels"))
    prompt, base, known = (_one(found, name, str) for name in ("prompt", "base", "fingerprint"))
    if not re.fullmatch(r"[\w-]+\.md", prompt):  # a file of ours, and no way out of their folder
        raise ValueError(f"its prompt {prompt[:60]!r} is no name of a file")
    if not 0 < longest <= _LONGEST or not 0 <= pixels <= 1 << 14 or not base:
        raise ValueError(f"longest {longest}, pixels {pixels}, base {base[:60]!r}")
    if not (revision is None or re.fullmatch(r"\w{1,64}", str(revision))):
        raise ValueError(f"its revision {str(revision)[:60]!r} is no commit")
    digest = _digest(folder, told)
    said = f"{folder.name}: trained from {base}{_record(found)}."
    return TrainedCard(folder, base, prompt, sees, pixels, longest, revision, known, digest, said)


def _record(found: dict[str, Any]) -> str:
    """What it got right on documents held out, as its own table has it, beside the others."""
    try:
        rows = {one["who"]: one for one in found["table"] if one["on"] == "held out"}
        mine = rows[found["stage"]]
        right, floor = (float(one["accuracy"]) for one in (mine, rows["always keep"]))
        rules = f" and the rules about {float(rows['rules']['accuracy']):.1f} %" * ("rules" in rows)
        many = int(mine["documents"])
    except (TypeError, KeyError, ValueError):
        return "; its card does not tell how well"
    return (
        f"; right about {right:.1f} % of the layers of {many} documents held out, where keeping"
        f" all of them is right about {floor:.1f} %{rules}"
    )


def _one(found: dict[str, Any], name: str, kind: type) -> Any:
    value = found.get(name)
    if type(value) is not kind:
        raise ValueError(f"its {name} is {str(value)[:60]!r}, no {kind.__name__}")
    return value


def _digest(folder: Path, told: bytes) -> str:
    known = hashlib.sha256(told)
    # Other forms of weights may run code when they are read.
    for name in (ADAPTER_CONFIG, ADAPTER_WEIGHTS):
        path = folder / name
        if not path.is_file():
            raise ValueError(f"no {name} lies beside it")
        about = path.stat()
        known.update(_of_file(path, about.st_size, about.st_mtime_ns).encode())
    return known.hexdigest()[:16]


@lru_cache(maxsize=64)
def _of_file(path: Path, size: int, changed: int) -> str:
    """The sha256 of a file, computed once a process while size and date stay the same."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
