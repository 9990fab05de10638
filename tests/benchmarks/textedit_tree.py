"""A small TextEditBench tree for tests, made on the spot."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from overpaint.benchmarks.textedit_files import MANUAL, WEB
from overpaint.core import Loaded, Sample

PLAIN = {
    "id": "TextEditing_Packaging & Logistics_001",
    "topic": "Packaging & Logistics",
    "prompt": "Change 'Friday' to 'Monday'",
    "editing_method": "text_change",
    "difficulty": "easy",
    "difficulty_score": "1(0,0,0,0,1,0,0,0,0,0)",
    "input_image": "1.jpg",
    "output_image": "text_change_1.jpg",
    "source_tag": "human_annotation",
}


def put(root: Path, where: str, annotation: Any = None, pictures: str = "", **changes: Any) -> Path:
    """A sample folder: a plain annotation with changes (or raw bytes), and named pictures."""
    folder = root / where
    folder.mkdir(parents=True, exist_ok=True)
    number = folder.name.lstrip("0")
    if annotation is None:
        topic = folder.parent.name.replace("_", " & ", 1).replace("_", " ")
        own = {
            "id": f"TextEditing_{topic}_{folder.name}",
            "topic": topic,
            "input_image": f"{number}.jpg",
            "output_image": f"text_change_{number}.jpg",
        }
        merged = PLAIN | own | changes
        if where.startswith(WEB):
            merged.pop("output_image")
        annotation = [{key: value for key, value in merged.items() if value is not ...}]
    data = annotation if isinstance(annotation, bytes) else json.dumps(annotation).encode()
    (folder / f"{folder.parent.name}_{folder.name}.json").write_bytes(data)
    for at, name in enumerate(pictures.split()):
        picture(folder / name, shade=40 * at)
    return folder


def picture(path: Path, shade: int = 0, white: tuple[slice, ...] = ()) -> None:
    pixels = np.full((32, 32), shade, np.uint8)
    for part in white:
        pixels[part, part] = 255
    Image.fromarray(pixels).save(path, "PNG" if path.suffix.strip() == ".png" else "JPEG")


def whole(number: int, method: str = "text_change") -> str:
    """The names of a complete manual sample."""
    return f"{number}.jpg {number}_mask.jpg {method}_{number}.jpg {method}_{number}_mask.jpg"


def kinds(loaded: Loaded, where: str = "") -> Counter[str]:
    """How often each kind of repair was reported, leaving out that it is not the release."""
    return Counter(
        r.kind for r in loaded.repairs if r.where.startswith(where) and r.kind != "other data"
    )


def only(loaded: Loaded) -> Sample:
    (sample,) = loaded.samples
    return sample


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A tree with one clean sample in each split."""
    put(tmp_path, f"{MANUAL}/Data_Analytics/001", pictures=whole(1))
    put(tmp_path, f"{WEB}/Media_Publishing/002", pictures="2.jpg 2_mask.jpg 2_edited_mask.jpg")
    return tmp_path
