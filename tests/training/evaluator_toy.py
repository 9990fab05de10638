"""A toy that can be learned: how red, green and blue an edit is tells what people say of it."""

from pathlib import Path
from typing import Any

import numpy as np

from overpaint.document import Document
from overpaint.training.evaluator_settings import Data, Settings, data_of
from overpaint.training.rated import Example, split

SIDE = 56
TASKS = ("add", "remove")


def examples(sources: int = 24, editors: int = 4, seed: int = 0) -> list[Example]:
    """Edits of flat colours: red is quality, green alignment, blue preservation."""
    random = np.random.default_rng(seed)
    found = []
    for at in range(sources):
        source = Document.of(random.integers(0, 256, (SIDE, SIDE, 3)).astype(np.uint8))
        for editor in range(editors):
            colour = random.uniform(0, 1, 3)
            pixels = 255 * colour + random.normal(0, 8, (SIDE, SIDE, 3))
            output = Document.of(np.clip(pixels, 0, 255).astype(np.uint8))
            red, green, blue = (float(20 + 60 * one) for one in colour)
            scores = {"quality": red, "alignment": green, "preservation": blue}
            scores["done"] = float(red > 50)
            found.append(Example(
                f"s{at:02}", f"e{editor}", source, output, "Paint it.", TASKS[at % 2], f"c{at:02}",
                scores,
            ))  # fmt: skip
    return found


def toy_data(sources: int = 24, editors: int = 4) -> Data:
    """The toy, dealt by source."""
    return data_of(*split(examples(sources, editors)))


def toy_settings(base: Path, **changed: Any) -> Settings:
    """Settings with which a tiny model learns the toy in seconds."""
    usual: dict[str, Any] = {
        "base": str(base), "rate": 3e-3, "batch": 4, "pixels": SIDE * SIDE, "every": 1000,
        "text_epochs": 0.5, "score_epochs": 5.0, "checkpointing": False,
    }  # fmt: skip
    return Settings(**(usual | changed))


def short_settings(base: Path, **changed: Any) -> Settings:
    """Eight steps, in which little is learned and everything happens."""
    return toy_settings(base, **({"batch": 2, "text_epochs": 0.1, "score_epochs": 0.3} | changed))


def short_data() -> Data:
    """Forty questions to learn from."""
    return toy_data(sources=6, editors=2)
