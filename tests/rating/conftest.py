"""What the browser tests share: one headless browser, the one that is installed."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from browser_studies import QUIET


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless browser."""
    sync_api = pytest.importorskip("playwright.sync_api")
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next((found for name in names if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium is installed")
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=list(QUIET))
        yield browser
        browser.close()
