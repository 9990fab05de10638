"""An album: generated documents written to a folder in the form VDE Bench is released in."""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, features
from PIL import __version__ as pillow

from overpaint import weights
from overpaint.document import Pixels
from overpaint.engines import released
from overpaint.engines.documents.faces import FAMILIES
from overpaint.engines.documents.generate import Generated, make
from overpaint.errors import UserMistake
from overpaint.vision.page import to_json

SEED = 20  # of the built-in set
COUNT = 200
# What the built-in set is when these draw the letters. Pixels are pinned, not words alone, since
# line breaks, boxes and regions hang on the letters' widths and ink as well.
REVISION = "e99a436c03947762721d721d6c593ab482a363f92c1756af2b9b61fd3efe37ee"
ENGINES = {"pillow": "13.0.0", "freetype": "2.14.3", "raqm": "0.11.0", "harfbuzz": "14.5.0"}
INDEX, MANIFEST = "samples.json", "manifest.json"


def write(
    folder: Path,
    *,
    count: int = COUNT,
    seed: int = SEED,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Make a set and write it; the folder appears when all of it is there. Its revision."""
    if count < 1:
        raise UserMistake(f"A set of {count} documents was asked for.", "It has one at least.")
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
            revision = _fill(Path(work) / "set", count, seed, progress)
            _put(Path(work) / "set", folder, revision)
    except OSError as error:
        raise UserMistake(
            f"The set cannot be written to {folder}: {error}.",
            "A place that can be written, with about 400 kB free for each document, was expected.",
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


def _fill(folder: Path, count: int, seed: int, progress: Callable[[int, int], None] | None) -> str:
    for part in ("inputs", "outputs", "ocr", "ocr_local"):
        (folder / part).mkdir(parents=True)
    entries, prints = [], []
    for number in range(count):
        made = make(number, seed=seed)
        name = f"document-{number + 1:04d}"
        _save(folder, name, made)
        entries.append(entry(name, made))
        prints.append(fingerprint(made))
        if progress:
            progress(number + 1, count)
    _write(folder / INDEX, entries)
    revision = revision_of(prints)
    about = {"seed": seed, "count": count, "revision": revision, "made_with": made_with()}
    _write(folder / MANIFEST, about)
    return revision


def _save(folder: Path, name: str, made: Generated) -> None:
    for part, pixels in (("inputs", made.source), ("outputs", made.truth)):
        Image.fromarray(pixels).save(folder / part / f"{name}.png", compress_level=4)
    _write(folder / "ocr" / f"{name}.json", to_json(made.page_blocks))
    _write(folder / "ocr_local" / f"{name}.json", to_json(made.region_blocks))


def _write(path: Path, value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def entry(name: str, made: Generated) -> dict[str, Any]:
    """What the index says of one sample."""
    height, width = made.truth.shape[:2]
    return released.entry(
        name, name, instruction=made.instruction, kind=made.type, language=made.language,
        document=made.kind, label=released.in_percent(made.region, (width, height)),
    )  # fmt: skip


# ── what a set is known by ──────────────────────────────────────────────────────────────


def fingerprint(made: Generated) -> str:
    """SHA-256 of a sample's pixels and of all that is known about it."""
    told = json.dumps(
        [entry("", made), to_json(made.page_blocks), to_json(made.region_blocks)],
        ensure_ascii=False,
    )
    seen = hashlib.sha256(told.encode())
    for picture in (made.source, made.truth):
        seen.update(_bytes(picture))
    return seen.hexdigest()


def _bytes(picture: Pixels) -> bytes:
    return np.ascontiguousarray(picture).tobytes()


def revision_of(prints: Iterable[str]) -> str:
    """One hash of the samples of a set, in their order."""
    return hashlib.sha256("".join(prints).encode()).hexdigest()


def engines() -> dict[str, str | None]:
    """What draws letters on this machine."""
    found = {name: features.version(name) for name in ("freetype2", "raqm", "harfbuzz")}
    return {"pillow": pillow, "freetype": found.pop("freetype2"), **found}


def made_with() -> dict[str, Any]:
    """What besides the seed decides the pixels: the letter engines and the font files."""
    rows = sorted({row for f in FAMILIES.values() for row in (f.regular, f.bold) if row})
    return {**engines(), "fonts": {name: weights.row(name).sha256 for name in rows}}
