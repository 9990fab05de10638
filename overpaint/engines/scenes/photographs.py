"""Photographs that ship with packages, for trying extractors where something is not drawn."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import Image

from overpaint.document import Pixels

# Files that lie in the packages themselves; others of scikit-image's would be downloaded.
FILES = (
    ("skimage", "data/astronaut.png"), ("skimage", "data/chelsea.png"),
    ("skimage", "data/coffee.png"), ("skimage", "data/motorcycle_left.png"),
    ("skimage", "data/rocket.jpg"), ("sklearn", "datasets/images/china.jpg"),
    ("sklearn", "datasets/images/flower.jpg"),
)  # fmt: skip


def photographs() -> list[tuple[str, Pixels]]:
    """The name and the RGB pixels of each whose package is here; none where there is none."""
    found = []
    for package, file in FILES:
        spec = find_spec(package)
        for home in (spec.submodule_search_locations or ()) if spec else ():
            path = Path(home) / file
            if path.is_file():
                with Image.open(path) as image:
                    found.append((path.stem, np.array(image.convert("RGB"))))
    return found
