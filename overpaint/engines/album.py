"""What every album is: a generated set in a folder that appears when all of it is there."""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from PIL import __version__ as pillow
from PIL import features

from overpaint.core import Repair
from overpaint.errors import UserMistake

INDEX, MANIFEST = "samples.json", "manifest.json"


def write(
    folder: Path, fill: Callable[[Path], str], *, count: int, each: str, kilobytes: int
) -> str:
    """Have a set of so many of each filled into a folder; its revision, as `fill` returns it."""
    if count < 1:
        raise UserMistake(f"A set of {count} {each}s was asked for.", "It has one at least.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserMistake(
            f"{folder} is already there and holds something.",
            "A set is written into a new or an empty folder.",
            "Name another folder, or move this one away.",
        )
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Half a set has another name, so that nobody takes it for a whole one.
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as work:
            revision = fill(Path(work) / "set")
            _put(Path(work) / "set", folder, revision)
    except OSError as error:
        raise UserMistake(
            f"The set cannot be written to {folder}: {error}.",
            f"A place that can be written, with about {kilobytes} kB free for each {each}, was"
            " expected.",
            "Name another folder.",
        ) from error
    return revision


def _put(made: Path, folder: Path, revision: str) -> None:
    """Give the folder its name, unless another process has just put the same set there."""
    try:
        made.replace(folder)
    except OSError:
        manifest = folder / MANIFEST
        if not manifest.is_file() or json.loads(manifest.read_text())["revision"] != revision:
            raise


def list_samples(
    folder: Path, index: object, prints: Iterable[str], *, seed: int, count: int,
    made_with: Mapping[str, Any],
) -> str:  # fmt: skip
    """Write the index of a set, and what else is known of it; its revision.

    That is one hash of the samples, by what each is known by, in their order.
    """
    revision = hashlib.sha256("".join(prints).encode()).hexdigest()
    write_json(folder / INDEX, index)
    about = {"seed": seed, "count": count, "revision": revision, "made_with": made_with}
    write_json(folder / MANIFEST, about)
    return revision


def other_data(folder: Path, revision: str) -> tuple[Repair, ...]:
    """A repair where other versions of what draws here have made another set than the known one."""
    made = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["revision"]
    did = f"Revision {made[:12]} was made by {engines()}; ours is {revision[:12]}."
    return () if made == revision else (Repair("the built-in set", "other data", did),)


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON that people can read."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def engines() -> dict[str, str | None]:
    """What draws letters on this machine."""
    found = {name: features.version(name) for name in ("freetype2", "raqm", "harfbuzz")}
    return {"pillow": pillow, "freetype": found.pop("freetype2"), **found}
