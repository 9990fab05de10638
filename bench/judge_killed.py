"""Scoring that is killed and taken up again, and the account of who was asked how often.

A reply of the fake server names the request it answers, so the call table can be held against the
server's own list: for every recorded reply it is known which request it was, and whether another
for the same call came after it.
"""

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from overpaint.models.desk import Terms
from overpaint.run import Settings, open_run, score
from overpaint.store.calls import REPLIED, SENT, SET_ASIDE, Call, Calls
from overpaint.testing import BEHAVIOURS, FakeServer, Script, Share
from overpaint.testing.counting import short

FAILING = 0.3  # of the replies
RIGHT = ("ok", "delay", "no_usage", "reasoning")  # behaviours that are no failures
_SECONDS = {"drip": 0.02, "rate_limited_seconds": 0.1, "rate_limited_date": 0.0}
DEADLINE = 2.0  # of an attempt; some replies never come
LONGEST = 300.0  # seconds for all of it: what takes longer hangs


def _shares() -> dict[str, Share]:
    bad = [name for name in BEHAVIOURS if name not in RIGHT]
    return {name: Share(FAILING / len(bad), seconds=_SECONDS.get(name)) for name in bad}


BEHAVING = Script(behaviours=_shares(), seconds=0.02, seed=20261116)


# ── scoring in another process ──────────────────────────────────────────────────────────


def start(folder: Path, specs: Sequence[str], at_once: int) -> "subprocess.Popen[bytes]":
    """A process that scores the run with these measures."""
    told = json.dumps([str(folder), list(specs), at_once])
    return subprocess.Popen([sys.executable, str(Path(__file__).resolve()), told])


def score_in_child(folder: Path, specs: Sequence[str], at_once: int) -> None:
    """Score to the end; an error if that takes too long."""
    child = start(folder, specs, at_once)
    try:
        if child.wait(LONGEST):
            raise SystemExit(f"Scoring ended with exit code {child.returncode}.")
    finally:
        child.kill()


def killed(
    folder: Path, specs: Sequence[str], server: FakeServer, at_once: int, *, kills: int, calls: int
) -> list[int]:
    """Score to the end, killed that often on the way; gives the calls in flight at each kill."""
    chance, flying = random.Random(calls), list[int]()
    for _ in range(kills):
        received = server.counts().total
        # So far apart that the last kill still meets a run that is not done.
        until = received + chance.randint(at_once, max(at_once, calls // (kills + 1)))
        before = _unended(folder)
        child = start(folder, specs, at_once)
        end = time.monotonic() + LONGEST
        while child.poll() is None and server.counts().total < until:
            if time.monotonic() > end:
                child.kill()
                raise SystemExit("The run does not get on.")
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.1))
        child.send_signal(signal.SIGKILL)
        if child.wait() != -signal.SIGKILL:
            break  # it was done before it could be killed
        flying.append(_unended(folder) - before)
    score_in_child(folder, specs, at_once)
    return flying


def _calls(folder: Path) -> list[Call]:
    table = Calls.open(folder)
    try:
        return list(table)
    finally:
        table.close()


def _unended(folder: Path) -> int:
    return sum(call.state == SENT for call in _calls(folder))


# ── the account ─────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Ending:
    """What the server received, held against what the run wrote down."""

    received: int
    calls: int  # told apart by their words
    recorded: int  # replies
    failed: int  # requests of which the run knows how they failed
    asked_after_recorded: int
    twice_listed: int
    twice_counted: int
    unexplained: int

    @property
    def data(self) -> dict[str, int]:
        """For the last line."""
        return asdict(self)

    @property
    def lines(self) -> list[tuple[str, int]]:
        """For people."""
        return [
            ("requests the server received", self.received),
            ("different calls among them", self.calls),
            ("replies recorded", self.recorded),
            ("requests that failed, each counted as an attempt", self.failed),
            ("requests that nothing came back of, as the server counts", self.twice_counted),
            ("possibly paid twice, as the bill lists", self.twice_listed),
            ("asked again after the reply was recorded", self.asked_after_recorded),
            ("requests that nothing explains", self.unexplained),
        ]


def account(folder: Path, server: FakeServer) -> Ending:
    """The account of one run with one server, whose samples each have words of their own."""
    seen, calls = server.requests(20_000), _calls(folder)
    words = _words(folder, calls)
    by_words = defaultdict[str, list[dict[str, Any]]](list)
    for request in seen:
        by_words[request["prompt"]].append(request)
    rows = defaultdict[str, list[Call]](list)
    for call in calls:
        rows[words[call.key]].append(call)
    after = unexplained = heard = 0
    for prompt, requests in by_words.items():
        mine = rows.get(prompt, [])
        after += _after_recorded(requests, mine)
        heard += (told := sum(map(_heard, mine)))
        unheard = sum(call.unanswered + (call.state == SENT) for call in mine)
        unexplained += max(0, len(requests) - told - unheard)
    bill = open_run(folder).bill()
    replies = sum(call.state in (REPLIED, SET_ASIDE) for call in calls)
    return Ending(
        len(seen), len(by_words), replies, heard - replies, after,
        sum(one.possibly_paid_twice for one in bill), len(seen) - heard, unexplained,
    )  # fmt: skip


def _words(folder: Path, calls: Sequence[Call]) -> dict[str, str]:
    """How the server's list names each call: by its words."""
    table = Calls.open(folder)
    try:
        found = {call.key: short(table.prompt(call.prompt)) for call in calls}
    finally:
        table.close()
    assert max(Counter(found.values()).values()) == 1, "two calls have the same words"
    return found


def _heard(call: Call) -> int:
    """Attempts of which the run knows how they ended."""
    return call.attempts - call.unanswered - (call.state == SENT)


def _after_recorded(requests: Sequence[dict[str, Any]], rows: Sequence[Call]) -> int:
    """Requests for a call that came after the one whose reply was recorded."""
    answered = {json.loads(call.reply)["id"] for call in rows if call.state in (REPLIED, SET_ASIDE)}
    names = [f"chatcmpl-{request['hash'][:16]}-{request['nth']}" for request in requests]
    places = [place for place, name in enumerate(names) if name in answered]
    assert len(places) == len(answered), "a recorded reply answers no request of its call"
    return len(requests) - 1 - places[0] if places else 0


def main() -> None:
    """Score a run as the first argument says."""
    folder, specs, at_once = json.loads(sys.argv[1])
    terms = Terms(concurrency=at_once, deadline=DEADLINE)
    score(Path(folder), specs, Settings(asking=terms))


if __name__ == "__main__":
    main()
