"""Bundles: what editors made and models replied, as one zip file that others can take in.

bundle.json       protocol, editors, and size and hash of each list
edits.jsonl       an edit a line, its sample told by its content, its picture by its hash
calls.jsonl       a model's reply a line, under the key of its question
prompts.jsonl     the prompts of those, under their hashes
pictures/ab/…     pictures under their hashes, not compressed
"""

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from overpaint.core import Request
from overpaint.document import Document
from overpaint.document.places import cache_folder
from overpaint.errors import StoreError

FORM = 1
MANIFEST, EDITS, CALLS, PROMPTS = "bundle.json", "edits.jsonl", "calls.jsonl", "prompts.jsonl"
LISTS = (EDITS, CALLS, PROMPTS)
IMPORTED = "imported"  # the editor whose edits were made elsewhere

# What these say of themselves is the same on any machine, unless a path is in it.
_ANYWHERE = (
    "identity", "blank", "source-noise", "truth", "subject-paste", "graded", "released",
    "typeset", "agent", "compositional", "images", "turns", IMPORTED,
)  # fmt: skip
_ELSEWHERE = (
    "home", "Users", "Volumes", "private", "root", "scratch", "workspace", "storage", "nfs",
    "lustre", "gpfs", "mnt", "media", "data", "shared", "tmp", "var", "opt", "srv", "content",
)  # fmt: skip
_PATH = re.compile(r"(^|[:=;,+])(/|~|\.|[A-Za-z]:\\)|\\|\.py:|local/[^;]*[/\\@]")


def member_of(picture: str) -> str:
    """Where in a bundle the picture of that name stands."""
    return f"pictures/{picture[:2]}/{picture}"


def maker_of(name: str, spec: str) -> str:
    """What tells an editor from another of its name, and nothing else about it."""
    if spec.startswith(f"{IMPORTED}:"):
        return spec.removeprefix(f"{IMPORTED}:")
    return hashlib.sha256(f"{name}\0{spec}".encode("utf-8", "backslashreplace")).hexdigest()[:32]


def shown_spec(name: str, spec: str) -> str:
    """An editor's spec as it may be shown: a path or a command is its owner's business."""
    maker = spec.partition(":")[0]
    if maker in _ANYWHERE and not _PATH.search(spec.removeprefix(f"{maker}:")):
        return spec
    return f"{IMPORTED}:{maker_of(name, spec)}"


def content_of(name: str, request: Request) -> str:
    """What tells a sample from another: its id, its words, and the pictures an editor is shown."""
    pictures = [_hash(one) for one in (request.source, *request.references)]
    mask = _hash(request.mask) if request.mask else None
    told = [name, request.instruction, pictures, mask]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _hash(document: Document) -> str:
    try:
        if document.path is None:
            return hashlib.sha256(document.encoded).hexdigest()
        with document.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise StoreError(
            f"The picture {document.path} of a sample cannot be read: {error.strerror}.",
            "A sample is known by what its pictures show.",
            "Put the benchmark's files back where they were.",
        ) from None


class Discretion:
    """Leaves out of texts where on this machine something lies."""

    def __init__(self, *private: str | Path) -> None:
        known = {*map(str, private), str(Path.home()), str(Path.cwd()), str(cache_folder()),
                 tempfile.gettempdir()}  # fmt: skip
        ours = sorted((one for one in known if len(one) > 1), key=len, reverse=True)
        # What begins with no folder of a machine is no path: "and/or", "/fix/this", "/v1/edits".
        roots = "|".join(map(re.escape, {*os.listdir("/"), *_ELSEWHERE}))
        others = rf"file://[^/\s]*|(?<![/\w])/(?:{roots})(?=/)"
        self._folders = [
            re.compile(rf"(?:{first})(?:(?:/[^/\s<>]+)*(/))?")
            for first in ("|".join(map(re.escape, ours)), others)
        ]

    def told(self, value: Any) -> Any:
        """A reason, notes or a trace, with an ellipsis for folders."""
        if isinstance(value, Mapping):
            return {key: self.told(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.told(part) for part in value]
        if isinstance(value, str):
            for folders in self._folders:
                value = folders.sub(r"…\1", value)
        return value
