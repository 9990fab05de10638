"""What several tests share: where the real fixtures are, a browser, a toy benchmark's samples.

No folder below has a conftest.py of its own: it would stand in this one's place where tests import
from `conftest`.
"""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from overpaint.core import Request, Sample
from overpaint.document import Document
from overpaint.document.pictures import encode_png

# What is drawn depends on the test alone, so that a test which passed here passes elsewhere;
# `pytest --hypothesis-profile=search` draws anew each time and looks for what nobody thought of.
# No deadline: on a busy machine an example takes as long as it takes.
settings.register_profile("search", derandomize=False, deadline=None)
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")
# What tests name as code is noted apart from what whoever runs them has named.
os.environ["OVERPAINT_STATE"] = tempfile.mkdtemp(prefix="overpaint-tests-")
# A shell lets what it starts in the background ignore Ctrl-C, and all that is started from there.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder of real data; tests that need it are skipped where it is absent."""
    folder = os.environ.get("OVERPAINT_FIXTURES", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("OVERPAINT_FIXTURES does not name a folder of real samples")
    return Path(folder)


QUIET = (
    "--no-sandbox", "--disable-background-networking", "--disable-component-update",
    "--disable-default-apps", "--disable-domain-reliability", "--disable-sync", "--no-first-run",
)  # fmt: skip


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless browser, the one that is installed."""
    sync_api = pytest.importorskip("playwright.sync_api")
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next((found for name in names if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium is installed")
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=list(QUIET))
        yield browser
        browser.close()


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
