"""Studies with careless raters, drawn once into `people_raters.json` and fixed from then on.

Thirty raters, of whom six (20 %) are careless: at random on half their items or more, about the
middle on half or more, always the same answer with a hand that may shake, or the scale upside
down. The part `development` is for choosing thresholds, `held out` is looked at with thresholds
that are settled. Run as a script, this file writes the JSON again, byte for byte.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from overpaint.stats.simulated import Kind, Rater, Simulated, Study, draw_raters, simulate

FILE = Path(__file__).with_suffix(".json")
STUDIES = {"development": 120, "held out": 240}
SEEDS = {"development": 1_000, "held out": 900_000}  # of the first study of each part
ITEMS = (60, 120, 240)  # of a study; each rater sees half of them
RATERS, PER_ITEM, CARELESS = 30, 15, 6
KINDS: tuple[Kind, ...] = ("random", "middle", "straight", "inverted")


def studies(part: str, *, every: int = 1) -> Iterator[Simulated]:
    """The studies of a part, as the file fixes them; or every so manyth of them."""
    for drawn in json.loads(FILE.read_text())[part][::every]:
        study = Study(raters=RATERS, per_item=PER_ITEM, items=drawn["items"])
        people = list(draw_raters(study, np.random.default_rng(drawn["seed"])))
        for place, (kind, share, value, shaking) in drawn["careless"].items():
            honest = people[int(place)]
            noise = shaking if kind == "straight" else honest.noise
            people[int(place)] = replace(honest, kind=kind, share=share, value=value, noise=noise)
        yield simulate(study, seed=drawn["seed"], raters=people)


def draw() -> dict[str, list[dict[str, object]]]:
    """The careless raters of every study: place -> kind, share of items, value, shaking."""
    found: dict[str, list[dict[str, object]]] = {}
    for part, number in STUDIES.items():
        random = np.random.default_rng(SEEDS[part])
        found[part] = [
            {
                "seed": SEEDS[part] + 1 + k,
                "items": ITEMS[k % len(ITEMS)],
                "careless": {
                    str(place): _careless(random)
                    for place in sorted(random.choice(RATERS, CARELESS, False).tolist())
                },
            }
            for k in range(number)
        ]
    return found


def _careless(random: np.random.Generator) -> list[object]:
    kind = KINDS[random.integers(len(KINDS))]
    share = round(float(random.uniform(0.5, 1)), 3) if kind in ("random", "middle") else 1.0
    value = round(float(random.uniform(1, 5)), 3)
    shaking = round(float(random.choice([0, random.uniform(0, 0.2)])), 3)
    assert Rater(kind, share=share, value=value, noise=shaking).careless
    return [kind, share, value, shaking]


def written() -> str:
    """The file's text, one study a line."""
    parts = [
        f'"{part}": [\n' + ",\n".join(json.dumps(one) for one in drawn) + "\n]"
        for part, drawn in draw().items()
    ]
    return "{" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    FILE.write_text(written())
