"""`python -m overpaint.engines.documents.sampler OUT`: the six documents that the demo ships."""

import json
import sys
from pathlib import Path

import numpy as np
from PIL import Image

from overpaint.engines.documents.album import entry, fingerprint
from overpaint.engines.documents.generate import Generated, make
from overpaint.vision.page import to_json

SEED = 51
NUMBERS = (0, 3, 6, 7, 8, 17)  # six kinds, six edits, English and Chinese


def write(folder: Path) -> None:
    """Write the set as VDE Bench is released, pictures without loss, and a mask for each."""
    entries = []
    for number in NUMBERS:
        made = make(number, seed=SEED)
        name = f"document-{number + 1:03d}"
        listed = entry(name, made) | {"pixels": fingerprint(made)}
        for part, key, pixels in (
            ("inputs", "image_input", made.source),
            ("outputs", "image_output", made.truth),
        ):
            listed[key] = f"{part}/{name}.webp"
            Image.fromarray(pixels).save(_place(folder, listed[key]), lossless=True, method=6)
        _mask(made).save(_place(folder, f"masks/{name}.png"), optimize=True)
        for part, blocks in (("ocr", made.page_blocks), ("ocr_local", made.region_blocks)):
            text = json.dumps(to_json(blocks), ensure_ascii=False)
            _place(folder, f"{part}/{name}.json").write_text(text + "\n", encoding="utf-8")
        entries.append(listed)
    text = json.dumps(entries, ensure_ascii=False, indent=1)
    (folder / "samples.json").write_text(text + "\n", encoding="utf-8")


def _place(folder: Path, name: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _mask(made: Generated) -> Image.Image:
    """White where the edit may change the page."""
    white = np.zeros(made.truth.shape[:2], bool)
    left, top, right, bottom = made.region
    white[top:bottom, left:right] = True
    return Image.fromarray(white)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
