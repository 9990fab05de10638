"""Draws the pictures of the README from the demo's own page: `python docs/pictures/make.py`."""

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
CHROMIUM = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]


def main() -> None:
    """Run the demo, open its page in Chromium, and keep two views of it."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as player:
        subprocess.run([sys.executable, "-m", "overpaint", "demo", "-o", folder], check=True)
        browser = player.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM)
        page = browser.new_page(viewport={"width": 1280, "height": 960})
        address = Path(folder, "report", "report.html").as_uri()
        for name, place in (("report", ""), ("detail", "#~sample=document-001")):
            page.goto(address + place)
            page.reload()
            page.wait_for_timeout(1500)
            page.screenshot(path=HERE / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
