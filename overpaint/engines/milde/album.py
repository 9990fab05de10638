"""An album: generated designs written to a folder in the form of a MiLDE set."""

import hashlib
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from overpaint.engines import album
from overpaint.engines.milde.generate import Generated, make
from overpaint.work import Backend, Here, Processes, Task

FORM = "milde/1"
SEED = 6  # of the built-in set
COUNT = 200
# What the built-in set is when these draw the letters: pixels are pinned, not words alone.
REVISION = "431516f13633d781eeff4650c325963f433a6202284ccdd35d55f89cda49f0b1"
ENGINES = {"pillow": "13.0.0", "freetype": "2.14.3", "raqm": "0.11.0", "harfbuzz": "14.5.0"}


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
    fill = partial(_fill, asked=(seed, range(count)), workers=workers, progress=progress)
    return album.write(folder, fill, count=count, each="design", kilobytes=600)


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
    told = json.dumps(entries, ensure_ascii=False, sort_keys=True)
    return album.list_samples(
        folder, {"form": FORM, "samples": entries}, (*prints, told),
        seed=seed, count=len(numbers), made_with=album.engines(),
    )  # fmt: skip


def _drawn(folder: Path, seed: int, number: int) -> tuple[dict[str, Any], str]:
    """Write source and truth of one sample; its entry, and what their bytes are known by."""
    made, name = make(number, seed=seed), f"design-{number + 1:04d}"
    seen = hashlib.sha256()
    for part, document in (("documents", made.source), ("truths", made.truth)):
        data = document.encoded
        (folder / part / f"{name}.ora").write_bytes(data)
        seen.update(data)
    return entry(name, made), seen.hexdigest()


def entry(name: str, made: Generated) -> dict[str, Any]:
    """What the index says of one sample."""
    return {
        "id": name, "document": f"documents/{name}.ora", "truth": f"truths/{name}.ora",
        **made.entry,
    }  # fmt: skip
