"""Samples as JSON and back; documents travel as their paths."""

import json
from collections.abc import Iterable, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

from overpaint.core import Request, Sample
from overpaint.document import Document
from overpaint.errors import StoreError
from overpaint.store.pictures import keep_picture
from overpaint.store.schema import Database


def add_samples(
    database: Database, folder: Path, samples: Iterable[Sample], places: Iterable[int] | None
) -> None:
    """Register samples; ones already there stay as they are.

    A sample's number is its place in the benchmark, so that the rows of a run made in parts
    stand in the same order as those of a run made at once. Without places it is the next.
    """
    numbers: Iterable[int | None] = repeat(None) if places is None else places
    placed = zip(numbers, samples, strict=False)
    rows = ((n, one.id, dump_sample(one, folder), one.id) for n, one in placed)
    with database.transaction():
        database.write(
            "INSERT INTO samples (n, id, body) SELECT ?, ?, ?"
            " WHERE NOT EXISTS (SELECT 1 FROM samples WHERE id = ?)",
            rows,
        )


def dump_sample(sample: Sample, folder: Path) -> str:
    """The sample as JSON; documents made in memory are kept in the run's folder."""

    def path(document: Document | None) -> str | None:
        if document is None:
            return None
        # Absolute, so that the run means the same from any folder.
        return str((document.path or keep_picture(folder, document).path or Path()).absolute())

    request = sample.request
    body = {
        "id": sample.id, "source": path(request.source), "instruction": request.instruction,
        "references": [path(d) for d in request.references], "mask": path(request.mask),
        "names": request.names, "labels": request.labels, "target": path(sample.target),
        "masks": [path(d) for d in sample.masks], "tags": dict(sample.tags),
        "facts": dict(sample.facts), "cluster": sample.cluster,
    }  # fmt: skip
    return json.dumps(body)  # in ASCII, so that any path comes back as it was


def load_sample(body: str) -> Sample:
    """The sample that `dump_sample` wrote; `StoreError` where it is not as that writes it."""
    try:
        return _loaded(told_in(body))
    except (KeyError, TypeError, AttributeError) as error:
        raise _damaged(body) from error


def told_in(body: str) -> dict[str, Any]:
    """What a sample's row says; `StoreError` where a part that every sample has is not there."""
    try:
        found = json.loads(body)
    except (ValueError, TypeError, RecursionError) as error:
        raise _damaged(body) from error
    if not isinstance(found, dict) or not found.keys() >= _PARTS or not _is_sorted(found):
        raise _damaged(body)
    return found


def _is_sorted(found: dict[str, Any]) -> bool:
    """Whether what tables sort samples by is text."""
    tags = found["tags"]
    told = [found["cluster"], *tags.values()] if isinstance(tags, dict) else [None]
    return all(isinstance(one, str) for one in told)


_PARTS = {
    "id", "source", "instruction", "references", "mask", "names", "target", "masks", "tags",
    "facts", "cluster",
}  # fmt: skip


def _damaged(body: object) -> StoreError:
    return StoreError(
        f"A sample of the run is not as it was written: {str(body)[:40]!r} ….",
        "The run's file is damaged, or something else has written to it.",
        "Take it from a copy, or make the run again.",
    )


def listed(text: str) -> tuple[Any, ...]:
    """Notes, or a trace, as they were written; `StoreError` where they are something else."""
    if text == "[]":  # most have none
        return ()
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise StoreError(
            f"A row of the run has {str(text)[:40]!r} where a list was written.",
            "The run's file is damaged, or something else has written to it.",
        )
    return tuple(found)


def _loaded(data: Any) -> Sample:

    def document(path: str | None) -> Document | None:
        return Document(Path(path)) if path else None

    def documents(paths: Sequence[str]) -> tuple[Document, ...]:
        return tuple(Document(Path(path)) for path in paths)

    request = Request(
        Document(Path(data["source"])), data["instruction"], documents(data["references"]),
        document(data["mask"]), tuple(data["names"]), tuple(data.get("labels", ())),
    )  # fmt: skip
    return Sample(
        data["id"], request, document(data["target"]), documents(data["masks"]),
        data["tags"], data["facts"], data["cluster"],
    )  # fmt: skip
