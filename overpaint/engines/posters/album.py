"""An album: posters written to a folder that the demo benchmark reads, and a sheet of them all."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from overpaint import weights
from overpaint.document import Pixels
from overpaint.engines.album import INDEX, engines, write_json
from overpaint.engines.posters import Poster, draw, tier
from overpaint.engines.posters.lettering import FACES

SEED = 51  # of the set that ships with the package
COUNT = 24
LANGUAGES = {"en": "English", "zh": "Chinese"}


def write(folder: Path, *, seed: int = SEED, count: int = COUNT) -> None:
    """Draw a set and write its pictures, without loss, and its index."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for number in range(count):
        poster = draw(seed, number)
        name = f"poster-{number + 1:03d}"
        for part in ("source", "truth"):
            picture = Image.fromarray(getattr(poster, part))
            picture.save(folder / f"{name}-{part}.webp", lossless=True, quality=75, method=2)
        mask = Image.fromarray(poster.mask).convert("1", dither=Image.Dither.NONE)
        mask.save(folder / f"{name}-mask.png", optimize=True)
        entries.append(entry(name, poster))
    write_json(folder / INDEX, {"seed": seed, "made_with": made_with(), "samples": entries})


def entry(name: str, poster: Poster) -> dict[str, Any]:
    """What the index says of one poster."""
    return {
        "id": name,
        "source": f"{name}-source.webp",
        "truth": f"{name}-truth.webp",
        "mask": f"{name}-mask.png",
        "instruction": poster.instruction,
        "operation": poster.operation,
        "kind": poster.kind,
        "topic": poster.topic,
        "language": LANGUAGES[poster.language],
        "difficulty": tier(poster.difficulty),
        "difficulty_values": list(poster.difficulty),
        "knowledge_prompt": poster.knowledge or None,
        "pixels": digest(poster.source, poster.truth, poster.mask),
    }


def digest(*pictures: Pixels) -> str:
    """SHA-256 of the pixels, whatever file they are kept in."""
    return hashlib.sha256(b"".join(np.ascontiguousarray(p).tobytes() for p in pictures)).hexdigest()


def made_with() -> dict[str, Any]:
    """What besides the seed decides the pixels: the letter engines and the font files."""
    names = sorted({name for latin, han, _ in FACES.values() for name in (latin, han)})
    return {**engines(), "fonts": {name: weights.row(name).sha256 for name in names}}


def sheet(pictures: Sequence[Pixels], *, columns: int = 8, cell: int = 180) -> Image.Image:
    """All pictures on one page of 256 colours, each as large as its cell allows."""
    gap = cell // 18
    rows = -(-len(pictures) // columns)
    page = Image.new("RGB", (columns * (cell + gap) + gap, rows * (cell + gap) + gap), "#f3f1ec")
    for number, picture in enumerate(pictures):
        row, column = divmod(number, columns)
        small = Image.fromarray(picture)
        small.thumbnail((cell, cell), Image.Resampling.LANCZOS)
        left = gap + column * (cell + gap) + (cell - small.width) // 2
        top = gap + row * (cell + gap) + (cell - small.height) // 2
        page.paste(small, (left, top))
    return page.quantize(palette=page.quantize(256), dither=Image.Dither.FLOYDSTEINBERG)
