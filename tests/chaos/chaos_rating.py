"""The rating server is killed while people save: what was acknowledged stands there once."""

import sys
from pathlib import Path

from chaos_scenes import Bed
from chaos_state import Difference

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))  # the bench has the crowd

import rating

NAME, SHARE = "rating", 8
RATERS, EVERY = 8, 0.5
MOST = 150  # answers of a rater: there are pictures for a few more
SECONDS = 12.0  # between two kills, in which the server has to come back


def play_rating(bed: Bed, kills: int) -> None:
    """Kill the server that often while a crowd rates, and hold the book against what it said."""
    bed.folder.mkdir(parents=True)
    seconds = SECONDS * (kills + 1)
    every = max(EVERY, seconds / MOST)
    found = rating.load(
        bed.folder / "run", raters=RATERS, seconds=seconds, every=every, kills=kills
    )
    bed.log.kills = found["kills"]
    bed.log.phases["saving"] = found["kills"]
    bed.rounds = 1
    bed.difference = Difference(
        lost=found["lost"], doubled=found["doubled"],
        first="ratings" if found["lost"] or found["doubled"] else "",
    )  # fmt: skip
    if not found["acknowledged"] or not found["broken"]:
        bed.hurt = f"Nobody met a server that was gone: {found}"
