"""What several tests share: where the real fixtures are, and a toy benchmark's samples."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from overpaint.core import Request, Sample
from overpaint.document import Document
from overpaint.document.pictures import encode_png

# What is drawn depends on the test alone, so that a test which passed here passes elsewhere;
# `pytest --hypothesis-profile=search` draws anew each time and looks for what nobody thought of.
settings.register_profile("search", derandomize=False)
settings.register_profile("same", derandomize=True)
settings.load_profile("same")


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder of real data; tests that need it are skipped where it is absent."""
    folder = os.environ.get("OVERPAINT_FIXTURES", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("OVERPAINT_FIXTURES does not name a folder of real samples")
    return Path(folder)


def picture(seed: int = 0, height: int = 64, width: int = 80) -> np.ndarray:
    """A smooth picture with some texture, the same for the same seed."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width]
    waves = [
        120 + 80 * np.sin(x / (5 + 3 * c) + rng.uniform(0, 6)) * np.cos(y / 9) for c in range(3)
    ]
    noise = rng.normal(0, 6, (height, width, 3))
    return np.clip(np.stack(waves, 2) + noise, 0, 255).astype(np.uint8)


def write(path: Path, pixels: np.ndarray) -> Document:
    """The pixels as a PNG file, as a document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_png(pixels))
    return Document(path)


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    """One sample with source, truth and a mask that covers the changed corner."""
    return make_sample(tmp_path / "data", "a/001")


def make_sample(folder: Path, name: str, seed: int = 0) -> Sample:
    """A sample on disk: the truth differs from the source in one rectangle, which is the mask."""
    source = picture(seed)
    target, mask = source.copy(), np.zeros_like(source)
    target[10:30, 10:40] = 255 - target[10:30, 10:40]
    mask[8:32, 8:42] = 255
    stem = folder / name
    return Sample(
        name,
        Request(write(stem / "source.png", source), 'Change "A" to "B".', names=(name,)),
        target=write(stem / "target.png", target),
        masks=(write(stem / "mask.png", mask),),
        tags={"operation": "change"},
        cluster=name,
    )
