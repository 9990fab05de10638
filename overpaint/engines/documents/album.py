"""An album: generated documents written to a folder in the form VDE Bench is released in."""

import hashlib
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from overpaint import weights
from overpaint.document import Pixels
from overpaint.engines import album, released
from overpaint.engines.documents.faces import FAMILIES
from overpaint.engines.documents.generate import Generated, make
from overpaint.vision.page import to_json

SEED = 20  # of the built-in set
COUNT = 200
# What the built-in set is when these draw the letters. Pixels are pinned, not words alone, since
# line breaks, boxes and regions hang on the letters' widths and ink as well.
REVISION = "e99a436c03947762721d721d6c593ab482a363f92c1756af2b9b61fd3efe37ee"
ENGINES = {"pillow": "13.0.0", "freetype": "2.14.3", "raqm": "0.11.0", "harfbuzz": "14.5.0"}


def write(
    folder: Path,
    *,
    count: int = COUNT,
    seed: int = SEED,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Make a set and write it; the folder appears when all of it is there. Its revision."""
    fill = partial(_fill, count=count, seed=seed, progress=progress)
    return album.write(folder, fill, count=count, each="document", kilobytes=400)


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
    return album.list_samples(
        folder, entries, prints, seed=seed, count=count, made_with=made_with()
    )


def _save(folder: Path, name: str, made: Generated) -> None:
    for part, pixels in (("inputs", made.source), ("outputs", made.truth)):
        Image.fromarray(pixels).save(folder / part / f"{name}.png", compress_level=4)
    album.write_json(folder / "ocr" / f"{name}.json", to_json(made.page_blocks))
    album.write_json(folder / "ocr_local" / f"{name}.json", to_json(made.region_blocks))


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


def made_with() -> dict[str, Any]:
    """What besides the seed decides the pixels: the letter engines and the font files."""
    rows = sorted({row for f in FAMILIES.values() for row in (f.regular, f.bold) if row})
    return {**album.engines(), "fonts": {name: weights.row(name).sha256 for name in rows}}
