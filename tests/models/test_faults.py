"""Servers that fail: every question ends in a reply or a named error, and none is asked in vain."""

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from overpaint.errors import OverpaintError, Refused, Unavailable, Unreachable, Unreadable
from overpaint.models import Question, Reply, desk
from overpaint.models.desk import Desk, Terms
from overpaint.models.names import endpoint
from overpaint.store import Store
from overpaint.store.calls import REPLIED, Calls
from overpaint.testing import BEHAVIOURS, FakeServer, Rule, Script

SCHEMA = {
    "type": "object",
    "properties": {
        "rationale": {"type": "string"},
        "score": {"type": "integer", "enum": [1, 2, 3]},
    },
    "required": ["rationale", "score"],
    "additionalProperties": False,
}
HASTY = Terms(concurrency=16, deadline=0.4, retries=1)
PATIENT = Terms(concurrency=16, deadline=20, retries=1)

# What becomes of a question that meets a behaviour every time. Where a text comes back it is a
# reply, however odd; reading it is the next step's work.
UNREACHABLE = (
    "rate_limited", "rate_limited_seconds", "rate_limited_date", "server_error", "bad_gateway",
    "overloaded", "cut_before", "cut_within", "reset", "hang", "drip", "garbage", "too_long",
)  # fmt: skip
UNREADABLE = (
    "bad_json", "no_body", "error_in_200", "no_choices", "anthropic", "ollama", "cut_off", "huge",
)  # fmt: skip
ENDS: dict[str, type[OverpaintError]] = (
    dict.fromkeys(UNREACHABLE, Unreachable)
    | dict.fromkeys(UNREADABLE, Unreadable)
    | dict.fromkeys(("refusal", "filtered"), Refused)
    | dict.fromkeys(("no_quota", "bad_key", "no_model"), Unavailable)
)
# Those that leave nothing in the call table: asked again, they may end otherwise.
LOST = {name for name in ENDS if name not in ("refusal", "filtered", "cut_off")}


@contextmanager
def table(folder: Path) -> Iterator[Calls]:
    if not folder.exists():
        Store.create(folder).__exit__()
    calls = Calls.open(folder)
    try:
        yield calls
    finally:
        calls.close()


def ask(server: FakeServer, name: str, calls: Calls) -> Reply:
    terms, prompt = HASTY if name in ("hang", "drip") else PATIENT, f"<{name}>"
    return Desk(calls, terms).ask(Question(endpoint(f"{server.url}#eye"), prompt, (), SCHEMA))


# ── one by one ──────────────────────────────────────────────────────────────────────────


def _plays(name: str) -> Rule:
    how = {"seconds": 0.005 if name == "drip" else 0.02}
    return Rule(f"<{name}>", {"behaviour": name, "json": {"rationale": "", "score": 2}, **how})


@pytest.fixture(scope="module")
def faulty() -> Iterator[FakeServer]:
    with FakeServer(Script(rules=tuple(map(_plays, BEHAVIOURS)))) as server:
        yield server


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    list(BEHAVIOURS),
)
def test_each_way_to_fail_ends_in_a_reply_or_a_named_error_in_time(
    faulty: FakeServer, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "PATIENCE", int(name == "rate_limited_seconds"))
    monkeypatch.setattr(desk, "_backoff", lambda failed: 0.01)
    started = time.monotonic()
    with table(tmp_path / "run") as calls:
        if name in ENDS:
            with pytest.raises(ENDS[name]) as told:
                ask(faulty, name, calls)
            assert type(told.value) is ENDS[name]
            assert len(str(told.value)) > 20
        else:
            assert isinstance(ask(faulty, name, calls).text, str)
        kept = [call.state == REPLIED for call in calls]
    assert time.monotonic() - started < 8
    assert kept == [name not in LOST]


# ── all at once ─────────────────────────────────────────────────────────────────────────


def _script(**more: object) -> dict[str, object]:
    """30 % of the replies fail, in every way there is."""
    faults = [name for name in BEHAVIOURS if name != "ok"]
    waits = {"drip": 0.001, "rate_limited_date": 0}
    share = 0.3 / len(faults)
    each = {name: {"share": share, "seconds": waits.get(name, 0.02)} for name in faults}
    return {"behaviours": each, "seed": 11, **more}


def ask_all(
    server: FakeServer, folder: Path, count: int, terms: Terms
) -> list[Reply | OverpaintError]:
    with table(folder) as calls:
        model = endpoint(f"{server.url}#eye")
        questions = [Question(model, f"question {n}", (), SCHEMA) for n in range(count)]
        return list(Desk(calls, terms).ask_many(questions))


def _recorded(folder: Path) -> set[str]:
    with table(folder) as calls:
        return {calls.prompt(call.prompt) for call in calls if call.state == REPLIED}


@pytest.mark.slow
def test_with_30_percent_failing_all_questions_end_and_no_recorded_one_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(desk, "GIVEN_UP", 10**9)  # it is asked on, whatever it has not taken
    count, folder = 1500, tmp_path / "run"
    with FakeServer(_script()) as server:
        started = time.monotonic()
        found = ask_all(server, folder, count, HASTY)
        first, recorded = server.counts(), _recorded(folder)
        assert time.monotonic() - started < 120
        kinds = Counter(type(each) for each in found)
        assert set(kinds) <= {Reply, Unreachable, Unreadable, Refused, Unavailable}
        assert set(first.behaviours) == set(BEHAVIOURS)
        assert kinds[Reply] > 0.8 * count
        server.forget()
        again = ask_all(server, folder, count, HASTY)
        second = server.counts()
    assert recorded
    assert not recorded & set(second.prompts)
    assert len(second.prompts) == count - len(recorded)
    same = [(a, b) for n, (a, b) in enumerate(zip(found, again, strict=True))
            if f"question {n}" in recorded]  # fmt: skip
    assert all(str(getattr(a, "text", a)) == str(getattr(b, "text", b)) for a, b in same)


RUN = """
import sys
from pathlib import Path
from test_faults import PATIENT, ask_all
from overpaint.testing import FakeServer
server = FakeServer(port=int(sys.argv[1]))
ask_all(server, Path(sys.argv[2]), int(sys.argv[3]), PATIENT)
"""


@pytest.mark.slow
@pytest.mark.parametrize("after", [40, 150])
def test_after_kill_9_no_recorded_question_is_asked_again(tmp_path: Path, after: int) -> None:
    count, folder = 400, tmp_path / "run"
    Store.create(folder).__exit__()
    with FakeServer({"seconds": 0.05}) as server:
        command = [sys.executable, "-c", RUN, str(server.port), str(folder), str(count)]
        child = subprocess.Popen(command, cwd=Path(__file__).parent)
        while server.counts().total < after:
            assert child.poll() is None
            time.sleep(0.01)
        child.kill()
        child.wait()
        time.sleep(0.2)
        recorded, before = _recorded(folder), server.counts()
        assert after - PATIENT.concurrency <= len(recorded) <= before.total < count
        found = ask_all(server, folder, count, PATIENT)
        counts = server.counts()
    assert all(isinstance(each, Reply) for each in found)
    assert len(counts.prompts) == count
    assert all(counts.asked(prompt) == 1 for prompt in recorded)
    twice = counts.total - count
    assert twice <= PATIENT.concurrency
    with table(folder) as calls:
        assert twice <= sum(bill.possibly_paid_twice for bill in calls.bill()) <= 16
