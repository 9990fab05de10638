"""What a run is recorded as: its protocol, its commands, the versions and weights behind them."""

import hashlib
import json
import platform
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from overpaint import catalog, weights
from overpaint.core import Card, Sample
from overpaint.document import Document
from overpaint.errors import StoreError
from overpaint.store import Store

LIBRARIES = (  # that can change a number
    "overpaint", "numpy", "numba", "opencv-python-headless", "pillow", "onnxruntime",
    "rapidocr", "rapidfuzz", "pypdfium2", "scipy",
)  # fmt: skip


def protocol(card: Card, measures: Sequence[str], samples: Sequence[Sample] = ()) -> Card:
    """The card with the versions of its measures and the revision of its data written on it."""
    found = map(catalog.measure, measures)
    versions = tuple(f"{one.name}/{one.version}" for one in found)
    return replace(card, measures=versions, revision=_revision(samples) if samples else "")


def _revision(samples: Sequence[Sample]) -> str:
    """A short hash of what the samples say and how large their pictures are."""
    digest = hashlib.sha256()
    for sample in samples:
        pictures = [sample.request.source, sample.target, *sample.masks, *sample.request.references]
        told = (sample.id, sample.request.instruction, sorted(sample.tags.items()),
                [_bytes_in(picture) for picture in pictures])  # fmt: skip
        digest.update(json.dumps(told, ensure_ascii=True).encode())
    return digest.hexdigest()[:12]


def _bytes_in(document: Document | None) -> int | None:
    """How large a picture is; None where there is none, or it cannot be looked at."""
    if document is None:
        return None
    try:
        return document.path.stat().st_size if document.path else len(document.encoded)
    except OSError:
        return None


def take_over(store: Store, card: Card, data: Path | None) -> None:
    """Record what the run is, or check that it is still the same run."""
    facts = {
        "data": str(data.resolve()) if data else "built in",
        "revision": card.revision,
        "card_id": card.id,
    }
    known = store.info
    for key, what in (
        ("data", "data"),
        ("revision", "content of the data"),
        ("card_id", "protocol"),
    ):
        if key in known and known[key] != facts[key]:
            raise StoreError(
                f"The run in {store.folder} has another {what}: {known[key]}, not {facts[key]}.",
                "One run is one benchmark under one protocol.",
                "Give the new run a folder of its own with -o.",
            )
    if "created" not in known:
        store.note(created=datetime.now(UTC).isoformat(timespec="seconds"), seed=0, **facts)
    store.note(card=asdict(card))


def log_command(store: Store) -> None:
    """One record for each command that worked on the run, with the versions it ran under."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    entry = {"started": now, "command": sys.argv, "versions": versions()}
    store.note(commands=[*store.info.get("commands", []), entry], command=sys.argv,
               version=version("overpaint"), versions=versions())  # fmt: skip


def weights_used(measures: Iterable[str]) -> dict[str, str]:
    """The hash of each weight file that the measures read and that is here."""
    needed = {name for measure in measures for name in catalog.measure(measure).needs}
    known = weights.hashes() if needed else {}
    return {name: found for name, found in known.items() if name in needed}


def versions() -> dict[str, str]:
    """Of Python, the platform, and the libraries that can change a number."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "not installed"
    return found
