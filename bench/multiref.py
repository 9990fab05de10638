"""MultiRef's measures and extractors measured: truth, damage, storing again, drawn truth, a clock.

    python bench/multiref.py [--only PART …] [--limit N]

damage      scenes with planted damage (multiref_damages.py) through the measures that need no
            weights of the user's: the truth's own score, what each damage costs every kind in five
            steps, and what storing again costs. Costs are shares of what an unrelated picture
            costs, since an MSE and an IoU do not fall equally far
extractors  what the default extractors find in held-out scenes, held against the drawn truth and
            not against themselves, with the worst failures; weights that are fetched take part
table6      the published averages from their columns, and the 32 combinations
build       `overpaint build refblend` on 200 pictures of 1024×1024: seconds a picture and
            extractor, cores in use, memory

No extractor was tuned on a scene of these tables. Two processes; the last line is one JSON object.
`--limit` is the number of scenes, or of pictures for the build.
"""

import argparse
import json
from collections.abc import Callable
from typing import Any

import multiref_build
import multiref_drawn
import multiref_planted
import multiref_published

PARTS: dict[str, Callable[[int | None], dict[str, Any]]] = {
    "damage": multiref_planted.table,
    "extractors": multiref_drawn.table,
    "table6": multiref_published.table,
    "build": multiref_build.table,
}


def main() -> None:
    """The tables, and the same for programs."""
    asked = argparse.ArgumentParser(description="MultiRef's measures and extractors, measured.")
    asked.add_argument("--only", action="append", choices=[*PARTS])
    asked.add_argument("--limit", type=int)
    args = asked.parse_args()
    figures = {part: PARTS[part](args.limit) for part in args.only or PARTS}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
