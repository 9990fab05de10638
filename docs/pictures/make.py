"""Draws the pictures of README and tutorial: `python docs/pictures/make.py [PART …]`.

report      two views of the demo's page, in Chromium
tutorial    the previews that the tutorial's own `overpaint edit` commands write
edits       the contact sheet of a dozen edits
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
CHROMIUM = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
WIDE = 960  # of a preview in the tutorial


def report() -> None:
    """Run the demo, open its page in Chromium, and keep two views of it."""
    from playwright.sync_api import sync_playwright

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


def tutorial() -> None:
    """Make the tutorial's files, give its commands that write a preview, and keep the previews."""
    text = (HERE.parent / "tutorial.md").read_text(encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        for name, content in re.findall(r"<!-- file: (\S+) -->\n```\w*\n(.*?)```", text, re.DOTALL):
            Path(folder, name).write_text(content, encoding="utf-8")
        wanted = r"^\$ (python make_files.py|overpaint edit .* --preview .*)$"
        for command in re.findall(wanted, text, re.MULTILINE):
            subprocess.run(
                command, shell=True, cwd=folder, env=os.environ | {"PATH": path}, check=True
            )
        for preview in Path(folder).glob("edit-*.png"):
            _small(Image.open(preview), WIDE).quantize(256).save(HERE / preview.name, optimize=True)


def edits() -> None:
    """The contact sheet."""
    sys.path.insert(0, str(HERE))
    from edits import sheet

    # Photographs and a dozen colours: 256 are too few for them.
    _small(sheet(), 1600).save(HERE / "edits.jpg", quality=88, subsampling=0, optimize=True)


def _small(image: Image.Image, wide: int) -> Image.Image:
    """The picture, of that width at most."""
    image = image.convert("RGB")
    high = round(image.height * wide / image.width)
    small = (wide, high)
    return image if image.width <= wide else image.resize(small, Image.Resampling.LANCZOS)


def main() -> None:
    """Draw what is named, or all."""
    parts = {"report": report, "tutorial": tutorial, "edits": edits}
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()
