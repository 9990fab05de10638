"""Samples as the run file holds them, seen apart from where on a machine their pictures lie."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from overpaint.document import regular
from overpaint.document.pictures import is_there
from overpaint.store.pictures import PICTURES, picture_path
from overpaint.store.samples import listed, told_in

# The name of a picture that a run keeps, wherever it stands: in a row, a trace, a sample.
KEPT = re.compile(r"[0-9a-f]{64}\.[a-z]{1,5}\b")
ONE, MANY = ("source", "mask", "target"), ("references", "masks")


def with_paths(body: str, change: Callable[[str], str]) -> str:
    """The body with each of its pictures' paths changed."""
    data = told_in(body)
    for part in ONE:
        data[part] = change(data[part]) if data[part] else data[part]
    for part in MANY:
        data[part] = [change(path) for path in data[part]]
    return json.dumps(data)


def paths_in(body: str) -> Iterator[str]:
    """The paths of a sample's pictures."""
    data = told_in(body)
    for part in ONE:
        if data[part]:
            yield data[part]
    for part in MANY:
        yield from data[part]


def kept_name(path: str) -> str:
    """The name of a picture that some run keeps; empty where the path leads elsewhere."""
    parts = Path(path).parts
    name = parts[-1] if parts else ""
    inside = len(parts) > 2 and parts[-3] == PICTURES and parts[-2] == name[:2]
    return name if inside and KEPT.fullmatch(name) else ""


def moved(body: str, origin: Path, out: Path, data: tuple[str, str]) -> str:
    """The body as it stands in the run `out`: pictures that `origin` keeps are kept there.

    `data` are the folders of the benchmark's files as either run knows them: a picture that is
    not where the one says is looked for where the other has it.
    """

    def change(path: str) -> str:
        name = kept_name(path)
        if name and is_there(picture_path(origin, name)):
            return str(picture_path(out, name).absolute())
        was, now = map(Path, data)
        if was != now and Path(path).is_relative_to(was) and not is_there(Path(path)):
            there = now / Path(path).relative_to(was)
            return str(there) if is_there(there) else path
        return path

    return with_paths(body, change)


def alike(one: str, other: str) -> bool:
    """Whether two bodies are of one sample: all that they say, and what their pictures show."""
    if one == other:
        return True
    if with_paths(one, lambda _: ".") != with_paths(other, lambda _: "."):
        return False
    return all(map(_same_picture, paths_in(one), paths_in(other)))


def _same_picture(one: str, other: str) -> bool:
    """Whether two paths show the same; of a picture that is not on this machine none can say."""
    if one == other:
        return True
    hashes = _hash(one), _hash(other)
    return None in hashes or hashes[0] == hashes[1]


def _hash(path: str) -> str | None:
    if name := kept_name(path):  # which is its hash, also where it is yet to be brought
        return name.partition(".")[0]
    try:
        with regular.opened(Path(path)) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def same_trace(one: str, other: str) -> bool:
    """Whether two traces, as JSON, differ in nothing but the time that steps took."""
    return one == other or _timeless([*listed(one)]) == _timeless([*listed(other)])


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(part) for key, part in value.items() if key != "seconds"}
    return [_timeless(part) for part in value] if isinstance(value, list) else value
