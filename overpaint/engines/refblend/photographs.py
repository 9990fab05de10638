"""Photographs that ship with packages as a MultiRef set, beside the drawn one.

Nothing was drawn here, so nothing is known of them but a caption: every reference is what a default
extractor found, and whoever obeys it is looked at by the same. So the set tells how measures behave
where pictures are not drawn; how right the extractors are, only drawn scenes can tell.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from overpaint.engines import album as albums
from overpaint.engines.refblend.album import SEED, entry, found_in, offer, performed
from overpaint.engines.refblend.compatibility import PAPER
from overpaint.engines.refblend.records import GIVEN
from overpaint.engines.scenes.photographs import photographs
from overpaint.errors import UserMistake
from overpaint.vision.references import Hints, Kind, drawing, extractor

# Words for each, and its main thing where the extractor cuts out just that: seen by looking.
CAPTIONS = {
    "astronaut": ("a smiling astronaut in an orange suit before a flag", ""),
    "chelsea": ("the face of a ginger cat with green eyes", ""),
    "coffee": ("a cup of coffee with a spoon on its saucer, on a wooden table", "cup"),
    "motorcycle_left": ("a red motorcycle in a garage full of boxes", ""),
    "rocket": ("a rocket between lit towers at nightfall", "rocket"),
    "china": ("a pagoda above trees and a wide lake", "pagoda"),
    "flower": ("an orange dahlia before dark leaves", "dahlia"),
}
EACH = 6  # combinations a photograph
# What the set is with the photographs and versions of today.
REVISION = "916d127a07d1143ae1a917cdc059dcdc89977847baa71aacb1d573ebbc879d50"


def write(
    folder: Path, *, workers: int = 0, progress: Callable[[int, int], None] | None = None
) -> str:
    """Make the set and write it; the folder appears when all of it is there. Its revision."""
    here = dict(photographs())
    if not here:
        raise UserMistake(
            "There are no photographs here.",
            "They come inside two packages, scikit-image and scikit-learn.",
            "pip install scikit-image scikit-learn",
        )

    def fill(folder: Path) -> str:
        folder.mkdir(parents=True)
        found = performed(partial(_offered, folder), [*here], workers, progress)
        offers = [found[name][0] for name in here]
        entries = [
            entry(kinds, one) for at, one in enumerate(offers) for kinds in _combinations(one, at)
        ]
        prints = [*(found[name][1] for name in here), json.dumps(entries, sort_keys=True)]
        return albums.list_samples(
            folder, entries, prints, seed=SEED, count=len(entries), made_with=albums.engines()
        )

    return albums.write(folder, fill, count=len(here), each="photograph", kilobytes=3000)


def _offered(folder: Path, _: None, name: str) -> tuple[dict[str, Any], str]:
    """Write a photograph and what is found in it; what it offers, and its fingerprint."""
    pixels = dict(photographs())[name]
    size = (pixels.shape[1], pixels.shape[0])
    caption, thing = CAPTIONS[name]
    looks: tuple[Kind, ...] = ("subject", "style") if thing else ("style",)
    given = [one for kind in looks for one in extractor(kind).find(pixels, Hints())[:1]]
    references = [*found_in(pixels), *given]
    by = {one.kind: f"{one.method}/{one.version}" for one in references}
    pictures = {
        "original": pixels,
        **{str(one.kind): drawing.drawn(one, size) for one in references},
    }
    told = {"split": "photographs", "caption": caption, "thing": thing,
            "by": {**by, "caption": f"{GIVEN}/1"}}  # fmt: skip
    return offer(folder, name, pictures, told)


def _combinations(offered: Mapping[str, Any], number: int) -> list[tuple[Kind, ...]]:
    """Some of the paper's combinations that a photograph offers, others for the next one."""
    fitting = [kinds for kinds in PAPER if offered["by"].keys() >= {*kinds}]
    step = max(1, len(fitting) // EACH)
    return fitting[number % step :: step][:EACH]
