"""The rating server is killed while people save: what was acknowledged stands there once.

Its disk gives out, too: raters are told, and what was confirmed to them stays.
"""

import asyncio
import json
import socket
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chaos_bed import brittle_disk, disk, fill
from chaos_scenes import Bed
from chaos_state import Difference
from chaos_trials import trial

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))  # the bench has the crowd

import rating

NAME, SHARE = "rating", 8
RATERS, EVERY = 8, 0.5
MOST = 150  # answers of a rater: there are pictures for a few more
SCALES = ("quality", "alignment", "preservation")
WRONG = ("lost", "unwritten", "doubled", "foreign")
SECONDS = 12.0  # between two kills, in which the server has to come back


def play_rating(bed: Bed, kills: int) -> None:
    """Kill the server that often while a crowd rates, and hold the book against what it said."""
    bed.folder.mkdir(parents=True)
    seconds = SECONDS * (kills + 1)
    every = max(EVERY, seconds / MOST)
    found = rating.load(
        bed.folder / "run", raters=RATERS, seconds=seconds, every=every, kills=kills,
        seed=bed.chance.randrange(2**31), together=True,
    )  # fmt: skip
    bed.log.kills = found["kills"]
    amid = {"while answers were on their way": found["amid"]}
    bed.log.phases += Counter(amid | {"between answers": found["kills"] - found["amid"]})
    bed.rounds = 1
    wrong = {name: found[name] for name in WRONG}
    bed.difference = Difference(
        lost=found["lost"] + found["unwritten"], doubled=found["doubled"],
        different=found["foreign"], first=f"ratings: {wrong}" if any(wrong.values()) else "",
    )  # fmt: skip
    if not found["acknowledged"] or 2 * found["amid"] < found["kills"]:
        bed.hurt = f"Fewer than half of the kills cut an answer off: {found}"


# ── disks ───────────────────────────────────────────────────────────────────────────────


class Rater:
    """Somebody who opens their link and answers place after place."""

    def __init__(self, port: int, link: str) -> None:
        self.browser, self.place = rating.Browser(port), 0
        self.confirmed = list[Any]()
        self.token = link.partition("#")[2]

    async def join(self) -> None:
        """Open the link and agree."""
        _, told = await self.browser.ask("POST", "/api/join", {"token": self.token})
        self.browser.csrf = json.loads(told)["csrf"]
        _, told = await self.browser.ask("GET", "/api/state")
        version = {"version": json.loads(told)["study"]["consent"]["version"]}
        status, _ = await self.browser.ask("POST", "/api/consent", version)
        assert status == 200

    async def answer(self, place: int) -> tuple[int, str]:
        """Look at the place and answer; gives what the server says."""
        status, told = await self.browser.ask("GET", f"/api/items/{place}")
        if status == 200:
            said = {name: 1 + (place * n) % 5 for n, name in enumerate(SCALES, 1)} | {"done": True}
            data = {"answers": said, "comment": "", "seconds": 3, "revision": 0}
            status, told = await self.browser.ask("PUT", f"/api/items/{place}", data)
            if status == 200:
                self.confirmed.append((place, said))
        return status, told.decode()

    async def answers(self, first: int, last: int) -> None:
        """Answer these places; each is confirmed."""
        for place in range(first, last + 1):
            status, told = await self.answer(place)
            assert status == 200, (place, status, told)

    async def until_refused(self, first: int) -> int:
        """Answer on until the server cannot store it, which it says; gives the place."""
        for place in range(first, first + 40):
            status, told = await self.answer(place)
            if status != 200:
                assert (status, "cannot store this" in told) == (503, True), (status, told)
                return place
        raise AssertionError("forty answers were confirmed on a disk that cannot be written")


async def rate_on(small: Path, trouble: Callable[[], object], mend: Callable[[], object]) -> None:
    """Rate until the disk gives out, and on when it is whole again; nothing confirmed is lost."""
    rating.make_run(small / "run")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = rating.Running(small / "run", port, 2, 80)
    server.start()
    links = [one for one in server.links if one["role"] == "rater"]
    try:
        rater = Rater(port, links[0]["link"])
        await rater.join()
        await rater.answers(1, 5)
        trouble()
        place = await rater.until_refused(6)
        status, told = await rater.answer(place)
        assert (status, "cannot store this" in told) == (503, True), (status, told)
        server.kill()
        rater.browser.close()
        mend()
        server.start()
        await rater.answers(place, place + 4)
    finally:
        server.kill()
    name = links[0]["id"]
    log = {"saved": [(name, *one) for one in rater.confirmed], "sent": {name: place + 4}}
    found = rating.compare(small / "run", log)
    assert found == {"stored": place + 4, **dict.fromkeys(WRONG, 0)}, found


@trial
def a_disk_that_is_full_while_people_rate(folder: Path) -> None:
    with disk(folder / "disk") as small:
        fillers = list[Path]()
        asyncio.run(rate_on(
            small, lambda: fillers.append(fill(small, 0)), lambda: fillers[0].unlink()
        ))  # fmt: skip


@trial
def a_disk_that_breaks_while_people_rate(folder: Path) -> None:
    with brittle_disk(folder / "disk") as broken:
        asyncio.run(rate_on(broken.folder, broken.fail, broken.mend))
