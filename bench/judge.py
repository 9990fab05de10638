"""What judging costs beside the asking, and what becomes of it where servers fail and runs die.

Three parts, each with the package's fake server in a process of its own:

cost     2,000 edits × the five rubrics of TextEditBench, as a run scores them, 64 in flight,
         against a bare loop of 64 threads over the same client with the same bodies. The two take
         turns, slice by slice; counted is the CPU time of this process with all its threads.
faults   30 % of the replies fail, in every way the fake server knows.
killed   the same with SIGKILL at random moments, taken up again until it is done. The server's list
         of what it received is held against the call table.
"""

import argparse
import gc
import json
import sys
import tempfile
import textwrap
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import judge_data
from judge_killed import BEHAVING, Ending, account, killed, score_in_child

from overpaint import catalog
from overpaint.core import Edit, Evidence
from overpaint.errors import Unreachable
from overpaint.models import Question, pictures
from overpaint.models.desk import Terms
from overpaint.models.server import Body, Dialect, content
from overpaint.run import Settings, run
from overpaint.run.passes import make_scores
from overpaint.store import Store, keep_picture
from overpaint.testing import FakeServer, Script
from overpaint.testing.counting import short

CALLS, RUBRICS = 10_000, ("textedit_if", "textedit_ta", "textedit_vc", "textedit_lp", "textedit_se")
AT_ONCE, SLICES, THINKING = 64, 10, 0.25  # THINKING: seconds that the server takes for an answer
FAULTY_CALLS, KILLED_CALLS, KILLS = 1_000, 800, 5
WARM = {"model": "fake", "messages": [{"role": "user", "content": "Are you there?"}]}
NONE = "no end"
LIMIT = 1.0  # milliseconds of CPU a call beyond the bare loop


# ── cost ────────────────────────────────────────────────────────────────────────────────


@dataclass
class Cost:
    """What one way of asking took."""

    calls: int = 0
    cpu: float = 0.0
    wall: float = 0.0
    slices: list[float] = field(default_factory=list)  # milliseconds of CPU a call

    def add(self, calls: int, cpu: float, wall: float) -> None:
        """Count one more slice."""
        self.calls, self.cpu, self.wall = self.calls + calls, self.cpu + cpu, self.wall + wall
        self.slices.append(cpu / calls * 1e3)

    @property
    def each(self) -> float:
        """Milliseconds of CPU a call."""
        return self.cpu / self.calls * 1e3


class Recorder:
    """A desk that notes what it is asked and answers nothing."""

    def __init__(self) -> None:
        self.wrapping, self.bodies = pictures.Wrapping(), list[dict[str, Any]]()

    def ask(self, question: Question, /) -> Any:
        """Note the body that the question is sent as."""
        sent = tuple(map(self.wrapping, question.pictures))
        body = Body(
            question.model.model, content(question.prompt, sent), question.schema, question.longest
        )
        self.bodies.append(body.said(Dialect()))
        raise Unreachable("Only noted.")

    def doubt(self, key: str, why: str, /) -> None:
        """Nothing is doubted here."""


def bodies_of(edits: Sequence[Edit], specs: Sequence[str]) -> list[dict[str, Any]]:
    """The bodies in which a run asks these measures of these edits."""
    recorder = Recorder()
    evidence = Evidence(desk=recorder)
    for edit in edits:
        for spec in specs:
            list(catalog.measure(spec).score([edit], evidence))
    return recorder.bodies


def ask_bare(url: str, bodies: Sequence[dict[str, Any]]) -> None:
    """The loop that anyone would write: 64 threads, one client, nothing kept."""
    import openai

    client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)

    def ask(body: dict[str, Any]) -> None:
        client.chat.completions.create(**body)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for _ in pool.map(ask, bodies):
            pass


def timed(cost: Cost, calls: int, work: Any) -> None:
    """Do the work and count what it took."""
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    cost.add(calls, time.process_time() - cpu, time.perf_counter() - wall)


def specs_for(url: str) -> list[str]:
    """The five columns, judged by the model behind that address."""
    return [f"judge:{rubric}:{url}#fake" for rubric in RUBRICS]


@dataclass(frozen=True)
class Compared:
    """Both ways of asking, and what the servers saw."""

    ours: Cost
    bare: Cost
    most: tuple[int, int]  # in flight, as the servers saw it
    alike: int  # bodies that both servers got, once each
    encoded: int
    sent: int
    scored: int


def compare(folder: Path, slices: Iterator[slice]) -> Compared:
    """Score the run slice by slice, in turns with the bare loop."""
    ours, bare, encoded = Cost(), Cost(), _count_encoding()
    with (
        FakeServer(Script(seconds=THINKING)) as here,
        FakeServer(Script(seconds=THINKING)) as there,
        Store.open(folder) as store,
    ):
        ask_bare(there.url, [WARM] * AT_ONCE)  # what is imported once is nobody's cost a call
        there.forget()
        specs = specs_for(here.url)
        columns = _register(store, specs)
        settings = Settings(asking=Terms(concurrency=AT_ONCE))
        missing, edits, sent = list(store.missing_scores(columns)), list(store.edits()), 0
        for turn, part in enumerate(slices):
            before = encoded[0]
            bodies = bodies_of(edits[part], specs)
            encoded[0] = before  # the bare loop's preparations are not the run's
            sent += sum(_pictures_in(body) for body in bodies)
            works = [
                (ours, lambda part=part: make_scores(store, missing[part], settings)),
                (bare, lambda bodies=bodies: ask_bare(there.url, bodies)),
            ]
            for cost, work in works if turn % 2 else reversed(works):
                timed(cost, len(bodies), work)
            print(f"  slice {turn + 1}: {ours.slices[-1]:.2f} ms a call, bare"
                  f" {bare.slices[-1]:.2f} ms", file=sys.stderr)  # fmt: skip
        seen = (here.counts(), there.counts())
        once = [{key for key, times in counts.bodies.items() if times == 1} for counts in seen]
        scored = sum(row.value is not None for row in store.rows())
    most = (seen[0].most_in_flight, seen[1].most_in_flight)
    return Compared(ours, bare, most, len(once[0] & once[1]), encoded[0], sent, scored)


def _register(store: Store, specs: Sequence[str]) -> list[str]:
    made = [(catalog.measure(spec), spec) for spec in specs]
    for measure, spec in made:
        store.add_measure(measure.name, spec, measure.version)
    return [measure.name for measure, _ in made]


def _pictures_in(body: dict[str, Any]) -> int:
    return sum(part["type"] == "image_url" for part in body["messages"][0]["content"])


def _count_encoding() -> list[int]:
    """A counter of how often a picture is encoded from now on."""
    count, encode = [0], pictures.encode

    def counted(document: Any) -> Any:
        count[0] += 1
        return encode(document)

    pictures.encode = counted
    return count


def encoding_cost(folder: Path, number: int = 20) -> float:
    """Milliseconds of CPU for a PNG that is too large to be sent as it is."""
    made = [judge_data.grainy_png(n, folder) for n in range(number)]
    cpu = time.process_time()
    for document in made:
        assert pictures.encode(document).quality == pictures.QUALITY
    return (time.process_time() - cpu) / number * 1e3


# ── the parts, and what they say ────────────────────────────────────────────────────────


def made_edits(folder: Path, data: Path, editors: Sequence[str], samples: int) -> Path:
    """A run whose edits are made and whose scores are missing.

    The run's own pass would decode each picture once, which is no part of what is measured here.
    """
    run(judge_data.BENCHMARK, data=data, editors=editors, floors=False, out=folder, limit=0)
    with Store.open(folder) as store:
        chosen = judge_data.pages.load(data).samples[:samples]
        store.add_samples(chosen)
        for sample, (name, spec) in product(chosen, store.editors.items()):
            output = keep_picture(folder, catalog.editor(spec)(sample.request))
            store.put_edit(Edit(sample, name, "ok", output))
    return folder


def part_cost(scratch: Path, data: Path, editors: Sequence[str], calls: int) -> dict[str, Any]:
    """Ours against the bare loop."""
    edits = calls // len(RUBRICS)
    folder = made_edits(scratch / "cost", data, editors, edits // len(editors))
    step = -(-edits // SLICES)
    found = compare(folder, (slice(n, min(n + step, edits)) for n in range(0, edits, step)))
    print(f"\ncost: {calls:,} judge calls, {AT_ONCE} at once, an answer takes {THINKING:g} s\n")
    print(f"{'':12}{'CPU ms a call':>15}{'least':>8}{'most':>8}{'wall s':>9}{'calls/s':>9}"
          f"{'in flight':>11}")  # fmt: skip
    for name, cost, most in zip(("ours", "bare loop"), (found.ours, found.bare), found.most,
                                strict=True):  # fmt: skip
        print(f"{name:12}{cost.each:>15.3f}{min(cost.slices):>8.3f}{max(cost.slices):>8.3f}"
              f"{cost.wall:>9.1f}{cost.calls / cost.wall:>9.1f}{most:>11}")  # fmt: skip
    extra = found.ours.each - found.bare.each
    large = encoding_cost(scratch / "large")
    print(f"\nbeyond the bare loop: {extra:.3f} ms a call (at most {LIMIT:g})")
    print(f"bodies that both sent, byte for byte: {found.alike:,}; scores: {found.scored:,}")
    print(f"pictures sent {found.sent:,}, encoded {found.encoded:,}")
    print(f"A PNG above {pictures.AS_IS // 1024} kB is made a JPEG: {large:.1f} ms, once a picture")
    return {
        "calls": calls, "ours_ms": round(found.ours.each, 3), "bare_ms": round(found.bare.each, 3),
        "beyond_ms": round(extra, 3), "wall_s": round(found.ours.wall, 1),
        "bare_wall_s": round(found.bare.wall, 1),
        "calls_per_s": round(calls / found.ours.wall, 1), "most_in_flight": found.most[0],
        "bodies_alike": found.alike, "scored": found.scored, "pictures_sent": found.sent,
        "pictures_encoded": found.encoded, "large_png_ms": round(large, 1),
    }  # fmt: skip


def part_faults(scratch: Path, data: Path, editors: Sequence[str]) -> dict[str, Any]:
    """Every call ends in a score or a named status."""
    folder = made_edits(scratch / "faults", data, editors[:1], FAULTY_CALLS // len(RUBRICS))
    with FakeServer(BEHAVING) as server:
        specs, started = specs_for(server.url), time.perf_counter()
        score_in_child(folder, specs, AT_ONCE)
        wall = time.perf_counter() - started
        seen = server.requests(20_000)
    ends = endings(folder, specs, {one["prompt"]: one["behaviour"] for one in seen})
    met = Counter(one["behaviour"] for one in seen)
    print(f"\nfaults: {FAULTY_CALLS:,} calls, {len(seen):,} requests, {len(seen) - met['ok']:,} of"
          f" them met one of {len(met) - 1} kinds of failure; {wall:.0f} s\n")  # fmt: skip
    for status, last in sorted(ends.items(), key=lambda end: -end[1].total()):
        told = ", ".join(f"{name} {count}" for name, count in last.most_common())
        head = f"{status:12}{last.total():>6}"
        for line in textwrap.wrap(told, 78):
            print(f"  {head:18}   {line}")
            head = ""
    statuses = {status: last.total() for status, last in ends.items() if status != NONE}
    print(f"  {'in all':12}{sum(statuses.values()):>6}   (beside each: what the server did last)")
    return {"faulty_calls": FAULTY_CALLS, "faulty_ended": sum(statuses.values()),
            "statuses": statuses, "faulty_wall_s": round(wall, 1)}  # fmt: skip


def endings(folder: Path, specs: Sequence[str], last: dict[str, str]) -> dict[str, Counter[str]]:
    """For each status of a score, what its call met the last time it was asked."""
    found = defaultdict[str, Counter[str]](Counter)
    with Store.open(folder) as store:
        ends = {(row.sample, row.measure): row.status for row in store.rows()}
        edits = list(store.edits())
    names = [catalog.measure(spec).name for spec in specs]
    asked = iter(bodies_of(edits, specs))
    for edit, name in product(edits, names):
        words = short(next(asked)["messages"][0]["content"][0]["text"])
        found[ends.get((edit.sample.id, name), NONE)][last.get(words, "not asked")] += 1
    return found


def part_killed(scratch: Path, data: Path, editors: Sequence[str]) -> dict[str, Any]:
    """No call whose reply was recorded is asked again."""
    folder = made_edits(scratch / "killed", data, editors[:1], KILLED_CALLS // len(RUBRICS))
    with FakeServer(BEHAVING) as server:
        specs = specs_for(server.url)
        flying = killed(folder, specs, server, AT_ONCE, kills=KILLS, calls=KILLED_CALLS)
        found = account(folder, server)
    told(found, flying)
    return {"kills": len(flying), "in_flight_at_kills": flying, "killed": found.data}


def told(found: Ending, flying: Sequence[int]) -> None:
    """The account for people."""
    print(f"\nkilled: {KILLED_CALLS:,} calls, SIGKILL {len(flying)} times, with"
          f" {', '.join(map(str, flying))} calls in flight\n")  # fmt: skip
    for line, value in found.lines:
        print(f"  {line:58}{value:>6,}")


def _needed(calls: int, only: str | None) -> tuple[int, tuple[str, ...]]:
    """How many samples, and whose edits."""
    if only in ("faults", "killed"):
        return max(FAULTY_CALLS, KILLED_CALLS) // len(RUBRICS), judge_data.EDITORS[:1]
    asked = calls // len(RUBRICS) // len(judge_data.EDITORS)
    return max(asked, FAULTY_CALLS // len(RUBRICS) if only is None else 0), judge_data.EDITORS


def main() -> None:
    """All parts, and the figures as one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=CALLS, help="of the first part")
    parser.add_argument("--only", choices=("cost", "faults", "killed"))
    args = parser.parse_args()
    started, found = time.perf_counter(), dict[str, Any]()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        editors = judge_data.make(scratch / "data", *_needed(args.calls, args.only))
        if args.only in (None, "cost"):
            found |= part_cost(scratch, scratch / "data", editors, args.calls)
        if args.only in (None, "faults"):
            found |= part_faults(scratch, scratch / "data", editors)
        if args.only in (None, "killed"):
            found |= part_killed(scratch, scratch / "data", editors)
    found["seconds"] = round(time.perf_counter() - started, 1)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
