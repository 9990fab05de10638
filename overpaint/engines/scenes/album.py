"""Drawn scenes in a folder, with what comes with pictures: caption, subject and style.

`overpaint build refblend` takes such a folder as it is.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from overpaint.document import Pixels
from overpaint.document.pictures import encode_png
from overpaint.engines import album, scenes


def write(
    folder: Path, *, count: int, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> None:
    """Draw so many scenes; the folder appears when all of them are there."""
    fill = partial(_fill, asked=(count, seed), progress=progress)
    album.write(folder, fill, count=count, each="picture", kilobytes=1_500)


def _fill(folder: Path, asked: tuple[int, int], progress: Callable[[int, int], None] | None) -> str:
    count, seed = asked
    for number in range(count):
        _draw(folder, number, seed)
        if progress:
            progress(number + 1, count)
    return f"{count} scenes of seed {seed}"


def _draw(folder: Path, number: int, seed: int) -> None:
    made, name = scenes.scene(number, seed=seed), f"scene-{number + 1:03}"
    _keep(folder / f"{name}.png", made.pixels)
    (folder / f"{name}.txt").write_text(made.caption + "\n", encoding="utf-8")
    _keep(folder / name / "subjects" / "1.png", scenes.subject_picture(made))
    _keep(folder / name / "styles" / "1.png", scenes.style_picture(made))


def _keep(path: Path, pixels: Pixels) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_png(pixels))
