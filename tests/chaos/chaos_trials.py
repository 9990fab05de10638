"""What is tried once each: a full disk, one for reading alone, steps that misbehave, two at once.

A trial is a function of an empty folder; it asserts, or is `Skipped` where the machine cannot
make it.
"""

import json
import random
import shutil
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import chaos_toy
import psutil
from chaos_bed import (
    CODE,
    QUIET,
    brittle_disk,
    disk,
    fill,
    in_the_middle,
    refused,
    run_words,
    same,
    samples,
    score_words,
    serving,
    set_writable,
    wait_until,
)
from chaos_kills import LONGEST, finished, started, tally
from chaos_state import account, difference, reworded, state

from overpaint.models.desk import Terms
from overpaint.store import Store
from overpaint.testing import BEHAVIOURS, FakeServer, Script

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

FULL = ("is full", "run the same command again")
ASKED = {"seconds": 0.02, "seed": 5}
SCORED = {"rule": "score"}  # the right reply
SOON = {"seconds": 0.05}
# Replies that can be read and say something else; they stand, and are not asked for again.
OTHER_WORDS = (
    "half", "fraction", "off_scale", "two_objects", "fenced", "thinking", "refusal", "filtered",
)  # fmt: skip
OTHER_FORM = "no_format"  # after it all is asked for in another form, and answered otherwise
TRIALS: dict[str, Callable[[Path], None]] = {}


def trial(test: Callable[[Path], None]) -> Callable[[Path], None]:
    """Something to try, under the name of its function."""
    TRIALS[test.__name__.replace("_", " ")] = test
    return test


# ── a full disk ─────────────────────────────────────────────────────────────────────────


@trial
def a_disk_that_is_full_while_editing(folder: Path) -> None:
    data = samples(folder / "data", 20)
    finished(run_words(data, folder / "calm", "edited"))
    with disk(folder / "disk") as small:
        filler = fill(small, 500_000)
        refused(run_words(data, small / "run", "edited"), *FULL)
        in_the_middle(folder / "calm", small / "run", "edits")
        filler.unlink()
        finished(run_words(data, small / "run", "edited"))
        same(state(folder / "calm"), small / "run")


@trial
def a_disk_that_is_full_while_measuring(folder: Path) -> None:
    data = samples(folder / "data", 20)
    measured = [part for spec in chaos_toy.MEASURES for part in ("-m", spec)]
    finished(run_words(data, folder / "calm", "edited"))
    with disk(folder / "disk") as small:
        finished(run_words(data, small / "run", "edited"))
        finished(score_words(folder / "calm", *measured))
        filler = fill(small, 200_000)
        refused(score_words(small / "run", *measured), *FULL)
        in_the_middle(folder / "calm", small / "run", "scores")
        filler.unlink()
        finished(score_words(small / "run", *measured))
        same(state(folder / "calm"), small / "run")


@trial
def a_disk_that_is_full_while_a_judge_replies(folder: Path) -> None:
    data = samples(folder / "data", 12)
    with FakeServer(ASKED) as server, disk(folder / "disk") as small:
        judged = ("--judge", f"{server.url}#fake", "--in-flight", "4")
        for run in (folder / "calm", small / "run"):
            finished(run_words(data, run, "edited"))
        finished(score_words(folder / "calm", *judged))
        server.forget()
        filler = fill(small, 300_000)
        refused(score_words(small / "run", *judged), *FULL)
        in_the_middle(folder / "calm", small / "run", "replies")
        flying = tally(small / "run").flying
        filler.unlink()
        finished(score_words(small / "run", *judged))
        same(state(folder / "calm"), small / "run")
        told = account(small / "run", server, [flying], at_once=4)
        assert not told.wrong, told


@trial
def a_disk_that_is_full_while_reporting(folder: Path) -> None:
    data = samples(folder / "data")
    with disk(folder / "disk") as small:
        finished(run_words(data, small / "run"))
        filler = fill(small, 150_000)
        refused(["report", str(small / "run")], "disk have room")
        assert not (small / "run" / "report" / "report.html").exists(), "half a page"
        filler.unlink()
        finished(["report", str(small / "run")])
        assert (small / "run" / "report" / "report.html").read_text().rstrip().endswith("</html>")


@trial
def a_disk_that_is_full_while_merging(folder: Path) -> None:
    data = samples(folder / "data")
    for part in ("1/2", "2/2"):
        finished(run_words(data, folder / part[0], "whole", "--shard", part))
    merge = ["merge", str(folder / "1"), str(folder / "2"), "--quiet", "-o"]
    finished([*merge, str(folder / "calm")])
    with disk(folder / "disk") as small:
        filler = fill(small, 250_000)
        refused([*merge, str(small / "run")], "is full")
        pictures = [len(list(one.rglob("*.png"))) for one in (small / "run", folder / "calm")]
        assert 0 < pictures[0] < pictures[1], "it was not stopped in the middle"
        filler.unlink()
        finished([*merge, str(small / "run")])
        same(state(folder / "calm"), small / "run")


# ── a disk for reading alone ────────────────────────────────────────────────────────────


@trial
def a_run_that_can_only_be_read(folder: Path) -> None:
    data = samples(folder / "data")
    finished(run_words(data, folder / "calm"))
    with disk(folder / "disk") as locked:
        run = locked / "run"
        finished(run_words(data, run))
        set_writable(locked, on=False)
        finished(["show", str(run)])
        finished(["compare", str(run), "--baseline", "red"])
        finished(["report", str(run), "-o", str(folder / "report")])
        assert (folder / "report" / "report.html").stat().st_size > 10_000
        with serving(["view", str(run), "--port", "0", "--json"]) as view:
            assert view.stdout is not None
            address = json.loads("{" + view.stdout.readline() + "}")["address"]
            # The key in the address is changed for a cookie.
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with browser.open(address, timeout=60) as page:
                assert b"</html>" in page.read()
        refused(run_words(data, run), "cannot be written")
        refused(score_words(run), "cannot be written")
        refused(["report", str(run)], "must be writable")
        set_writable(locked, on=True)
        finished(score_words(run))
        same(state(folder / "calm"), run)


@trial
def a_disk_that_can_only_be_read_from_the_middle_of_a_run_on(folder: Path) -> None:
    data = samples(folder / "data", 24)
    with FakeServer(ASKED) as server, brittle_disk(folder / "disk") as broken:
        words = ("whole", "--judge", f"{server.url}#fake", "--in-flight", "4")
        finished(run_words(data, folder / "calm", *words))
        for of in ("edits", "scores", "replies"):
            run = broken.folder / of
            with started(run_words(data, run, *words)) as child:
                wait_until(lambda run=run, of=of: getattr(tally(run), of) > 5)
                broken.fail()
                said = child.communicate(timeout=LONGEST)[1].decode()
            assert child.returncode == 2, (child.returncode, said)
            assert "Traceback" not in said, said
            assert "cannot be written" in said, said
            refused(run_words(data, run, *words), "cannot be written")
            in_the_middle(folder / "calm", run, of)
            broken.mend()  # what had not reached it is gone or empty, as after a power cut
            finished(run_words(data, run, *words), (0, 1))
            finished(["retry", str(run), *QUIET])
            same(state(folder / "calm"), run)


# ── steps that misbehave ────────────────────────────────────────────────────────────────


@trial
def measures_that_misbehave_in_every_way(folder: Path) -> None:
    data, run = samples(folder / "data", 1), folder / "run"
    editor = ["-e", chaos_toy.EDITORS[0], "--no-floors"]
    finished(["run", f"{CODE}:whole", "--data", str(data), *editor, *QUIET, "-o", str(run)])
    before = state(run)["scores"]
    bad = [part for name in chaos_toy.MISBEHAVING for part in ("-m", f"{CODE}:{name}")]
    limits = ["--deadline", "8", "--memory", "0.6"]
    left = folder / "left"
    finished(score_words(run, *bad, *limits), (1,), **{chaos_toy.LEFT: str(left)})
    with Store.open(run) as store:
        found = {row.measure: row for row in store.rows()}
    for name, words in chaos_toy.MISBEHAVING.items():
        assert found[name].status == "measure_failed", found[name]
        assert words in found[name].reason, found[name]
        assert len(found[name].reason) < 3000
    assert before <= state(run)["scores"], "healthy measures have been touched"
    wait_until(left.exists, 5)
    wait_until(lambda: ended(int(left.read_text())), 5)


def ended(pid: int) -> bool:
    """Whether that process is gone, or nothing but its exit code is left of it."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


# ── a server that fails in every way ────────────────────────────────────────────────────


@trial
def a_server_that_fails_in_every_way_and_kills_between(folder: Path) -> None:
    import judge_data
    from judge_killed import RIGHT, account, killed, score_in_child

    from overpaint.run import Settings, open_run, retry, run

    faults = [name for name in BEHAVIOURS if name not in (*RIGHT, OTHER_FORM)]
    random.Random(5).shuffle(faults)
    met = [each for name in faults for each in ({"behaviour": name, **SCORED, **SOON}, SCORED)]
    script = Script(replies=tuple(met), reply=SCORED, seconds=0.02)
    rubrics = ("textedit_if", "textedit_ta", "textedit_vc", "textedit_lp", "textedit_se")
    editors = judge_data.make(folder / "data", 16, judge_data.EDITORS[:1])
    done = run(
        judge_data.BENCHMARK, data=folder / "data", editors=editors, floors=False,
        out=folder / "run", settings=Settings(workers=0),
    ).folder  # fmt: skip
    shutil.copytree(done, folder / "calm")
    with FakeServer(script) as server:
        specs = [f"judge:{rubric}:{server.url}#fake" for rubric in rubrics]
        flying = killed(done, specs, server, 8, kills=2, calls=80)
        found = account(done, server)
        assert sum(one.replies for one in open_run(done).bill()) == found.recorded
        times = server.counts().behaviours
        assert all(times.get(name) == 1 for name in faults), times
        asked = Settings(asking=Terms(concurrency=8, deadline=2.0))
        assert retry(done, asked)[2] > 5, "too few of the faults were left to be healed"
        assert retry(done, asked)[1:] == (0, 0), "it was not healed"
        otherwise = reworded(done, server, specs, OTHER_WORDS)
    with FakeServer({"seconds": 0.02}, port=server.port):
        score_in_child(folder / "calm", specs, 8)
    assert found.asked_after_recorded == found.unexplained == 0, found
    assert found.twice_counted <= found.twice_listed <= found.twice_counted + sum(flying), found
    scores = [{"scores": state(one)["scores"]} for one in (folder / "calm", done)]
    assert scores[0]["scores"].total() == 80
    changed = difference(*scores)
    assert changed.lost == changed.doubled == 0, changed
    odd = {key for key, _ in scores[1]["scores"] - scores[0]["scores"]}
    assert odd <= otherwise, odd - otherwise


# ── a clock that jumps ──────────────────────────────────────────────────────────────────


@trial
def a_clock_that_jumps_while_a_run_goes_on(folder: Path) -> None:
    data = samples(folder / "data")
    with FakeServer({"seconds": 0.05, "seed": 5}) as server:
        judged = ("--judge", f"{server.url}#fake", "--in-flight", "4")
        finished(run_words(data, folder / "calm", "whole", *judged))
        # two hours to and fro; a year back; past the end of 32-bit seconds in 2038
        for far in (7200, -7200, -365 * 86_400, 13 * 365 * 86_400):
            run = folder / f"off{far}"
            server.forget()
            finished(run_words(data, run, "whole", *judged), CHAOS_CLOCK=f"{far},0.2", TZ="EST5EDT")
            same(state(folder / "calm"), run)
            assert server.counts().total == server.counts().distinct


@trial
def a_date_to_come_back_at_and_a_clock_that_is_hours_off(folder: Path) -> None:
    data = samples(folder / "data")
    limited = {"rate_limited_date": {"share": 0.1, "times": 1, "seconds": 0.5}}
    with FakeServer({"seconds": 0.02, "seed": 5, "behaviours": limited}) as server:
        judged = ("--judge", f"{server.url}#fake", "--in-flight", "4")
        finished(run_words(data, folder / "calm", "whole", *judged))
        for far in (7200, -7200):
            run = folder / f"off{far}"
            server.forget()
            finished(run_words(data, run, "whole", *judged), CHAOS_CLOCK=f"{far},0")
            counts = server.counts()
            limits = counts.behaviours["rate_limited_date"]
            assert limits > 1, counts
            assert counts.total == counts.distinct + limits, "it was asked before its date"
            same(state(folder / "calm"), run)


@trial
def a_clock_that_jumps_while_people_rate(folder: Path) -> None:
    import os

    import rating
    from chaos_kills import environment

    kept = dict(os.environ)
    os.environ.update(environment(CHAOS_CLOCK="7200,0.7"))
    try:
        found = rating.load(folder / "run", raters=4, seconds=6, every=0.5, kills=1)
    finally:
        os.environ.clear()
        os.environ.update(kept)
    assert found["acknowledged"] > 10, found
    assert not any(found[name] for name in ("lost", "unwritten", "doubled", "foreign")), found


# ── two at once ─────────────────────────────────────────────────────────────────────────


@trial
def two_runs_in_one_folder_at_once(folder: Path) -> None:
    data = samples(folder / "data", 16)
    with FakeServer(ASKED) as server:
        judged = ("--judge", f"{server.url}#fake", "--in-flight", "4")
        finished(run_words(data, folder / "calm", "whole", *judged))
        server.forget()
        words = run_words(data, folder / "run", "whole", *judged)
        with started(words) as one, started(words) as other:
            told = [child.communicate(timeout=180)[1].decode() for child in (one, other)]
        codes = sorted([one.returncode, other.returncode])
        assert codes == [0, 2], (codes, told)
        assert any("is working on the run" in each for each in told), told
        same(state(folder / "calm"), folder / "run")
        counts = server.counts()
        assert counts.total == counts.distinct, "both have asked"


@trial
def a_second_run_goes_on_when_the_first_is_killed(folder: Path) -> None:
    data = samples(folder / "data", 16)
    finished(run_words(data, folder / "calm"))
    words = run_words(data, folder / "run")
    with started(words) as first:
        wait_until(lambda: tally(folder / "run").edits > 3)
        refused(words, "is working on the run", "give the command again")
        finished(["show", str(folder / "run")])
        finished(["report", str(folder / "run"), "-o", str(folder / "report")])
        first.kill()
        first.wait()
    finished(words)
    same(state(folder / "calm"), folder / "run")


@trial
def two_merges_into_one_folder_at_once(folder: Path) -> None:
    data = samples(folder / "data")
    for part in ("1/2", "2/2"):
        finished(run_words(data, folder / part[0], "whole", "--shard", part))
    merge = ["merge", str(folder / "1"), str(folder / "2"), "--quiet", "-o"]
    finished([*merge, str(folder / "calm")])
    with started([*merge, str(folder / "run")]) as one, started([*merge, str(folder / "run")]) as b:
        told = [child.communicate(timeout=180)[1].decode() for child in (one, b)]
    assert all(child.returncode in (0, 2) for child in (one, b)), told
    assert not any("Traceback" in each for each in told), told
    finished([*merge, str(folder / "run")])
    same(state(folder / "calm"), folder / "run")


@trial
def two_rating_servers_of_one_study(folder: Path) -> None:
    import rating

    rating.make_run(folder / "run", 4)
    words = ["rate", str(folder / "run"), "--study", "one", "--raters", "2", "--port", "0"]
    with serving([*words, "--json"]) as first:
        refused(words, "is being served already")
        first.kill()
        first.wait()
    with serving([*words, "--json"]) as second:
        assert second.poll() is None


# Those that `make slow` tries, too; the others are as long, and much like one of these.
SHORT = (
    "a disk that is full while measuring",
    "a disk that is full while a judge replies",
    "a disk that is full while reporting",
    "a run that can only be read",
    "measures that misbehave in every way",
    "two runs in one folder at once",
    "two rating servers of one study",
)
