"""Judges in the pipeline: said beforehand, asked once, retried, paid for, and shown."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import make_sample
from rows_read import tabulate

from overpaint import catalog
from overpaint.cli import main
from overpaint.core import Sample
from overpaint.errors import CostLimit, StoreError, UserMistake
from overpaint.models.desk import Terms
from overpaint.run import Settings, plan, retry, run, score
from overpaint.store import Row, Store
from overpaint.store.calls import Calls
from overpaint.testing import FakeServer

TOY = str(Path(__file__).with_name("toy.py")) + ":toy"
GOLDEN = Path(__file__).with_name("golden")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for n in range(1, 7):
        make_sample(tmp_path / "data", f"a/{n:03}", n)
    return tmp_path / "data"


def settings(**terms: Any) -> Settings:
    return Settings(workers=0, asking=Terms(**{"deadline": 3.0, "retries": 1} | terms))


def judged(server: FakeServer, data: Path, out: Path, how: Settings, **more: Any) -> Any:
    spec = f"judge:textedit_if:{server.url}#m"
    given = {"editors": ["identity"], "floors": False, "measures": [spec]} | more
    return run(TOY, data=data, out=out, settings=how, **given)


def statuses(folder: Path, measure: str = "IF@m") -> list[str]:
    with Store.open(folder) as store:
        return [row.status for row in store.rows() if row.measure == measure]


def test_a_run_says_what_leaves_the_machine_before_it_does(data: Path, tmp_path: Path) -> None:
    told: list[str] = []
    with FakeServer(process=False) as server:
        how = Settings(workers=0, asking=Terms(), tell=told.append)
        judged(server, data, tmp_path / "run", how)
        judged(server, data, tmp_path / "run", how)  # nothing is left to ask
        assert server.counts().total == 6
    host = server.url.split("/")[2]
    assert told == [
        f"{host} is asked up to 6 questions of m with 18 pictures of 80×64 pixels;"
        " price: unknown (--prices FILE gives one)"
    ]


def test_a_plan_names_hosts_pictures_and_price(data: Path, tmp_path: Path) -> None:
    spec = "judge:textedit_if:openai/gpt-4o-2024-11-20"
    found = plan(TOY, data=data, editors=["identity"], floors=False, measures=[spec])
    assert found["hosts_contacted"] == "api.openai.com"
    (asked,) = found["asked"]
    assert (asked["questions"], asked["pictures"]) == (6, 18)
    assert 0.1 < asked["price_at_most"] < 1
    assert found["price"] == [
        f"about ${asked['price_at_most']:.2f} at most, by the list of 2026-11-16"
    ]
    unknown = plan(TOY, data=data, editors=["identity"], measures=[spec + "x"])
    assert unknown["price"] == ["unknown (--prices FILE gives one)"]


def test_a_judge_can_be_planned_for_a_run_that_is_there(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "run")
    run(TOY, data=data, out=folder, editors=["identity"], floors=False, settings=settings())
    spec = "judge:textedit_if:openai/gpt-4o-2024-11-20"
    assert main(["score", folder, "--measure", spec, "--dry-run", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["hosts_contacted"] == "api.openai.com"
    assert (told["scores_to_make"], told["asked"][0]["questions"]) == (6, 6)


def test_no_reply_is_asked_for_again_but_retry_asks_for_what_could_not_be_read(
    data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    spoilt = {"behaviours": {"prose": {"share": 0.5, "times": 1}}, "seed": 3}
    with FakeServer(spoilt, process=False) as server:
        done = judged(server, data, folder, settings())
        assert 0 < statuses(folder).count("unreadable") < 6
        assert server.counts().total == 6
        score(folder, settings=settings())
        assert server.counts().total == 6
        retry(folder, settings())
        again = server.counts().total
    assert statuses(folder) == ["ok"] * 6
    assert again == 6 + sum(bill.calls - 6 for bill in done.bill())
    (bill,) = done.bill()
    assert bill.replies == again  # what was set aside stays on the bill


def test_a_cost_limit_ends_the_run_and_a_higher_one_goes_on(data: Path, tmp_path: Path) -> None:
    folder, prices = tmp_path / "run", tmp_path / "prices.json"
    with FakeServer(process=False) as server:
        listed = {f"{server.url}#m": {"in": 100, "out": 100}}
        prices.write_text(json.dumps({"dated": "2026-11-16", "models": listed}))
        with pytest.raises(CostLimit, match="Everything answered so far is kept"):
            judged(server, data, folder, settings(cost_limit=1.0, prices=prices))
        part = server.counts().total
        assert 0 < part < 6
        done = judged(server, data, folder, settings(cost_limit=20.0, prices=prices))
        assert server.counts().total == 6
    assert statuses(folder) == ["ok"] * 6
    assert 0 < done.bill()[0].price < 20


def test_a_disk_that_is_full_when_a_reply_comes_is_no_failure_of_the_judge(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, end, written = tmp_path / "run", Calls.end, list[int]()

    def full(calls: Calls, number: int, outcome: Any) -> None:
        if written:
            raise StoreError("The disk is full.")
        written.append(number)
        end(calls, number, outcome)

    with FakeServer(process=False) as server:
        monkeypatch.setattr(Calls, "end", full)
        with pytest.raises(StoreError, match="disk is full"):
            judged(server, data, folder, settings(concurrency=1))
        assert set(statuses(folder)) <= {"ok"}
        monkeypatch.setattr(Calls, "end", end)
        judged(server, data, folder, settings())
        assert statuses(folder) == ["ok"] * 6


def test_a_cost_limit_without_a_price_asks_nothing(data: Path, tmp_path: Path) -> None:
    with FakeServer(process=False) as server:
        with pytest.raises(UserMistake, match="is not known, so a cost limit cannot be kept"):
            judged(server, data, tmp_path / "run", settings(cost_limit=2.0))
        assert server.counts().total == 0


def test_a_missing_key_ends_the_run_before_anything_is_made(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code = main(["run", TOY, "--data", str(data), "-e", "identity", "--workers", "0", "-m",
                 "judge:textedit_if:openai/gpt-4o"])  # fmt: skip
    assert code == 2
    assert "OPENAI_API_KEY is not set" in capsys.readouterr().err


def test_a_benchmark_without_rubrics_says_how_to_name_one(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", TOY, "--data", str(data), "-e", "identity", "-j", "openai/x"]) == 2
    assert "--measure judge:RUBRIC:openai/x" in capsys.readouterr().err


@pytest.mark.slow
def test_after_a_kill_no_recorded_reply_is_asked_for_again(data: Path, tmp_path: Path) -> None:
    with FakeServer({"seconds": 0.3}) as server:
        command = [
            sys.executable, "-m", "overpaint", "run", TOY, "--data", str(data), "-e", "identity",
            "--no-floors", "--in-flight", "2", "-o", str(tmp_path / "run"), "--quiet",
            "-m", f"judge:textedit_if;repeats=6:{server.url}#m",
        ]  # fmt: skip
        first = subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL)
        while server.counts().total < 8:
            time.sleep(0.05)
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        subprocess.run(command, check=True, capture_output=True)
        counts = server.counts()
    repeated = sum(n - 1 for n in counts.bodies.values())
    # Every repeat of a question has the same body, so the table tells which were asked again.
    assert counts.total <= 36 + 2
    assert repeated >= 30
    from overpaint.run import open_run

    (bill,) = open_run(tmp_path / "run").bill()
    assert bill.replies == 36
    assert bill.possibly_paid_twice == counts.total - 36


RUBRIC = """---
name: mine
about: Is it pretty?
dated: 2026-11-16
pictures: source, output
slots: instruction
scale: 1-3 whole
better: higher
---

## Task

Look at {source} and {output}, made by this instruction:

{instruction}

## PRETTY: Prettiness

- 3: Pretty.
- 2: Neither.
- 1: Ugly.
"""


def test_a_rubric_of_ones_own_is_one_file_and_another_text_is_another_measure(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.md").write_text(RUBRIC)
    monkeypatch.chdir(tmp_path)
    with FakeServer(process=False) as server:
        spec = f"judge:mine.md:{server.url}#m"
        for name, text in (("one", RUBRIC), ("two", RUBRIC.replace("Neither", "So so"))):
            Path("mine.md").write_text(text)
            catalog.measure.cache_clear()
            judged(server, data, tmp_path / name, settings(), measures=[spec])
        monkeypatch.chdir(data)
        found = score(tmp_path / "two", settings=settings())
    cell = found.table()[0].cells["PRETTY@m"]
    assert cell.scored == 6
    assert 1 <= (cell.value or 0) <= 3
    assert main(["compare", str(tmp_path / "one"), str(tmp_path / "two")]) == 2
    assert "PRETTY@m is judge:" in (told := capsys.readouterr().err)
    assert "not comparable, whatever they are called" in told


def test_a_total_is_not_told_without_what_it_adds_up(data: Path, tmp_path: Path) -> None:
    with FakeServer(process=False) as server, pytest.raises(UserMistake, match="made of columns"):
        judged(server, data, tmp_path / "run", settings(),
               measures=[f"judge:textedit_if+textedit_ta:{server.url}#m"])  # fmt: skip


def test_a_rubric_that_has_changed_is_not_mixed_with_what_it_was(
    data: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine.md").write_text(RUBRIC)
    with FakeServer(process=False) as server:
        spec = f"judge:{tmp_path / 'mine.md'}:{server.url}#m"
        judged(server, data, tmp_path / "run", settings(), measures=[spec])
        (tmp_path / "mine.md").write_text(RUBRIC.replace("Neither", "So so"))
        catalog.measure.cache_clear()
        for again in (score, retry):
            with pytest.raises(StoreError, match="Scores of two versions are not mixed"):
                again(tmp_path / "run", settings=settings())


# ── totals ──────────────────────────────────────────────────────────────────────────────────


def cells(values: dict[str, list[float | None]], *, official: bool = False) -> Any:
    """The table's cells for one editor: by dimension a score a sample, None where it is n/a."""
    tail = "@official@m" if official else "@m"
    form = ";official=1" if official else ""
    names = ["textedit_if", "textedit_ta", "textedit_vc", "textedit_lp", "textedit_se"]
    specs = [f"judge:{name}{form}:http://h/v1#m" for name in (*names, "+".join(names))]
    measures = [catalog.measure(spec) for spec in specs]
    samples = [Sample(str(n), None) for n in range(len(values["IF"]))]  # type: ignore[arg-type]
    rows = [
        Row(str(n), "mine", f"{name}{tail}", value,
            "ok" if value is not None else "not_applicable", "", (), 1.0, 0.0)
        for name, column in values.items() for n, value in enumerate(column)
    ]  # fmt: skip
    (row,) = tabulate(measures, rows, samples)
    return row.cells


def test_every_overall_of_the_papers_table_4_is_the_total_of_its_five_means() -> None:
    with (GOLDEN / "textedit_table4.csv").open() as file:
        lines = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert len(lines) > 5
    for line in lines:
        for split in ("synthetic", "real"):
            means = {name.upper(): float(line[f"{split}_{name}"]) for name in
                     ("if", "ta", "vc", "lp", "se")}  # fmt: skip
            found = cells({name: [mean] * 5 for name, mean in means.items()})
            # Each of the five is rounded to a hundredth, as is their sum.
            printed = float(line[f"{split}_overall"])
            assert found["total25@m"].value == pytest.approx(printed, abs=0.0301)


def test_a_missing_consequence_is_no_zero_in_the_total() -> None:
    five: list[float | None] = [5.0] * 6
    found = cells({"IF": five, "TA": five, "VC": five, "LP": five, "SE": [4.0, 2.0, *[None] * 4]})
    total = found["total25@m"]
    assert total.value == 23.0
    assert (total.n, total.scored) == (6, 6)
    assert (total.if_worst, total.if_best) == (23.0, 23.0)


def test_the_interval_of_a_total_holds_the_spread_of_all_its_parts() -> None:
    rng = np.random.default_rng(4)
    columns: dict[str, list[float | None]] = {
        name: [float(v) for v in rng.integers(0, 6, 40)] for name in ("IF", "TA", "VC", "LP", "SE")
    }
    found = cells(columns)
    total = found["total25@m"]
    assert total.value == pytest.approx(sum(np.mean(column) for column in columns.values()))
    sums = np.sum([columns[name] for name in columns], axis=0)
    width = 1.96 * 2 * sums.std(ddof=1) / np.sqrt(40)  # the parts are whole, so it is a plain mean
    assert total.high - total.low == pytest.approx(width, rel=0.12)


def test_officially_a_failed_reply_is_a_zero_and_a_missing_picture_nothing() -> None:
    measure = catalog.measure("judge:textedit_if;official=1:http://h/v1#m")
    assert measure.name == "IF@official@m"
    samples = [Sample(str(n), None) for n in range(4)]  # type: ignore[arg-type]
    told = [(4.0, "ok"), (None, "unreadable"), (None, "no_edit"), (2.0, "ok")]
    rows = [
        Row(str(n), "mine", measure.name, value, status, "", (), 1.0, 0.0)
        for n, (value, status) in enumerate(told)
    ]
    (row,) = tabulate([measure], rows, samples)
    cell = row.cells[measure.name]
    assert (cell.value, cell.n) == (2.0, 3)
