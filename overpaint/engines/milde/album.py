"""An album: generated designs written to a folder in the form of a MiLDE set."""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from PIL import __version__ as pillow
from PIL import features

from overpaint.engines.milde.generate import Generated, make
from overpaint.errors import UserMistake
from overpaint.work import Backend, Here, Processes, Task

FORM = "milde/1"
SEED = 6  # of the built-in set
COUNT = 200
# What the built-in set is when these draw the letters: pixels are pinned, not words alone.
REVISION = "431516f13633d781eeff4650c325963f433a6202284ccdd35d55f89cda49f0b1"
ENGINES = {"pillow": "13.0.0", "freetype": "2.14.3", "raqm": "0.11.0", "harfbuzz": "14.5.0"}
INDEX, MANIFEST = "samples.json", "manifest.json"


def write(
    folder: Path,
    *,
    count: int = COUNT,
    seed: int = SEED,
    workers: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Make a set and write it; the folder appears when all of it is there. Its revision.

    So many worker processes draw it; without any it is drawn here.
    """
    if count < 1:
        raise UserMistake(f"A set of {count} designs was asked for.", "It has one at least.")
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
            revision = _fill(Path(work) / "set", (seed, range(count)), workers, progress)
            _put(Path(work) / "set", folder, revision)
    except OSError as error:
        raise UserMistake(
            f"The set cannot be written to {folder}: {error}.",
            "A place that can be written, with about 600 kB free for each design, was expected.",
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


def _fill(
    folder: Path,
    asked: tuple[int, range],
    workers: int,
    progress: Callable[[int, int], None] | None,
) -> str:
    seed, numbers = asked
    for part in ("documents", "truths"):
        (folder / part).mkdir(parents=True)
    draw = partial(_drawn, folder)
    backend: Backend = Processes(draw, min(workers, len(numbers))) if workers else Here(draw)
    found: dict[int, tuple[dict[str, Any], str]] = {}
    for outcome in backend.perform(Task(seed, (number,)) for number in numbers):
        if outcome.error is not None:
            raise outcome.error
        found[outcome.step] = outcome.result
        if progress:
            progress(len(found), len(numbers))
    entries, prints = zip(*(found[number] for number in numbers), strict=True)
    _write(folder / INDEX, {"form": FORM, "samples": entries})
    told = json.dumps(entries, ensure_ascii=False, sort_keys=True)
    revision = revision_of((*prints, told))
    about = {"seed": seed, "count": len(numbers), "revision": revision, "made_with": engines()}
    _write(folder / MANIFEST, about)
    return revision


def _drawn(folder: Path, seed: int, number: int) -> tuple[dict[str, Any], str]:
    """Write source and truth of one sample; its entry, and what their bytes are known by."""
    made, name = make(number, seed=seed), f"design-{number + 1:04d}"
    seen = hashlib.sha256()
    for part, document in (("documents", made.source), ("truths", made.truth)):
        data = document.encoded
        (folder / part / f"{name}.ora").write_bytes(data)
        seen.update(data)
    return entry(name, made), seen.hexdigest()


def _write(path: Path, value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def entry(name: str, made: Generated) -> dict[str, Any]:
    """What the index says of one sample."""
    return {
        "id": name, "document": f"documents/{name}.ora", "truth": f"truths/{name}.ora",
        **made.entry,
    }  # fmt: skip


def revision_of(prints: Iterable[str]) -> str:
    """One hash of the samples of a set, in their order."""
    return hashlib.sha256("".join(prints).encode()).hexdigest()


def engines() -> dict[str, str | None]:
    """What draws letters on this machine."""
    found = {name: features.version(name) for name in ("freetype2", "raqm", "harfbuzz")}
    return {"pillow": pillow, "freetype": found.pop("freetype2"), **found}
