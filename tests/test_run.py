"""The pipeline on a toy benchmark: every failure is a row, and nothing is done twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import make_sample, picture, write

import overpaint
from overpaint import catalog
from overpaint.cli import main
from overpaint.errors import DataError, OverpaintError, StoreError, UserMistake
from overpaint.run import Settings, passes, plan, retry, run, score
from overpaint.store import Store
from overpaint.store.importing import LONGEST
from overpaint.work import Outcome

TOY = str(Path(__file__).with_name("toy.py"))
HERE = Settings(workers=0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for n in range(1, 9):
        make_sample(tmp_path / "data", f"a/{n:03}", n)
    return tmp_path / "data"


def rows(folder: Path) -> list[tuple[object, ...]]:
    with Store.open(folder) as store:
        return [row[:-1] for row in store.rows()]  # all but the seconds


def test_floors_and_ceilings_bracket_a_run(data: Path, tmp_path: Path) -> None:
    done = run(f"{TOY}:toy", data=data, out=tmp_path / "run", settings=HERE)
    table = {row.editor: row.cells for row in done.table()}
    assert list(table) == ["identity", "blank", "source-noise", "truth"]
    assert table["truth"]["mse"].value == table["identity"]["mse"].value == 0.0
    assert table["truth"]["psnr"].identical == 8
    assert table["blank"]["mse"].value > table["source-noise"]["mse"].value > 0
    assert all(cell.coverage == 1 for cells in table.values() for cell in cells.values() if cell.n)


def test_the_reason_of_an_edit_that_was_lost_is_no_longer_than_others_may_take() -> None:
    lost = Outcome("a sample", ("mine", "spec"), None, OverpaintError("x" * 10**5))
    assert len(passes._lost_edit(lost).reason) == LONGEST


@pytest.mark.slow
def test_every_way_of_failing_is_a_row_and_the_run_goes_on(data: Path, tmp_path: Path) -> None:
    settings = Settings(workers=2, deadline=8, memory=0.6)
    done = run(f"{TOY}:toy", data=data, editors=[f"moody={TOY}:Moody"], out=tmp_path / "run",
               floors=False, settings=settings)  # fmt: skip
    with Store.open(done.folder) as store:
        found = {edit.sample.id[-3:]: (edit.status, edit.reason) for edit in store.edits()}
    expected = {
        "001": ("editor_failed", "SIGKILL"), "002": ("editor_failed", "within 8 s"),
        "003": ("refused", "rather not"), "004": ("editor_failed", "RuntimeError: a bug of mine"),
        "005": ("unreachable", "nobody home"), "006": ("editor_failed", "no picture"),
        "007": ("editor_failed", "limit is 0.6"), "008": ("ok", ""),
    }  # fmt: skip
    assert set(found) == set(expected)
    for sample, (status, words) in expected.items():
        assert found[sample][0] == status
        assert words in found[sample][1]
    (row,) = done.table()
    assert (row.cells["mse"].n, row.cells["mse"].scored) == (8, 1)
    assert row.cells["mse"].if_worst == pytest.approx(7 / 8 * 255**2)


@pytest.mark.slow
def test_a_measure_that_crashes_or_has_a_bug_or_gives_nan_spoils_its_own_cells(
    data: Path, tmp_path: Path
) -> None:
    done = run(f"{TOY}:toy", data=data, limit=2, out=tmp_path / "run", settings=HERE)
    before = rows(done.folder)
    bad = ("buggy", "crashing", "nan")
    score(done.folder, [f"{TOY}:{name}" for name in bad], Settings(workers=1))
    after = rows(done.folder)
    assert [row for row in after if row[2] not in bad] == before
    reasons = {row[2]: (row[4], row[5]) for row in after if row[2] in bad}
    assert reasons["buggy"] == ("measure_failed", "ZeroDivisionError: division by zero")
    assert reasons["crashing"] == ("measure_failed", "The worker process died (SIGKILL).")
    assert reasons["nan"][0] == "measure_failed"
    assert "a score is a finite number" in reasons["nan"][1]


def test_the_same_command_again_does_nothing_and_new_editors_are_added(
    data: Path, tmp_path: Path
) -> None:
    calls: list[tuple[str, int, int]] = []
    what = {"data": data, "out": tmp_path / "run", "limit": 3}
    run(f"{TOY}:toy", **what, settings=HERE)
    first = rows(tmp_path / "run")
    noting = Settings(workers=0, progress=lambda *call: calls.append(call))
    run(f"{TOY}:toy", **what, settings=noting)
    assert calls == []
    assert rows(tmp_path / "run") == first
    for n in range(1, 4):
        write(tmp_path / "mine" / "a" / f"{n:03}_edited.png", picture(n))
    run(f"{TOY}:toy", **what, editors=[f"mine=outputs:{tmp_path / 'mine'}"], settings=noting)
    assert {call[0] for call in calls} == {"editing", "scoring"}
    assert set(first) < set(rows(tmp_path / "run"))


def test_retry_takes_up_what_has_since_become_possible(data: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine" / "a"
    write(mine / "001_edited.png", picture(1))
    what = {"data": data, "out": tmp_path / "run", "limit": 2, "settings": HERE}
    done = run(f"{TOY}:toy", **what, editors=[f"mine=outputs:{tmp_path / 'mine'}"])
    assert {(f[0], f[2]) for f in done.failures() if f[1] == "edit"} == {("mine", "no_output")}
    write(mine / "002.png", picture(2))
    _, edits, scores = retry(done.folder, HERE)
    assert (edits, scores) == (1, 0)
    assert [f for f in done.failures() if f[1] == "edit"] == []
    assert {row.editor: row.cells["mse"].scored for row in done.table()}["mine"] == 2


def test_a_run_is_one_protocol_on_one_set_of_data(data: Path, tmp_path: Path) -> None:
    run(f"{TOY}:toy", data=data, out=tmp_path / "run", limit=1, settings=HERE)
    with pytest.raises(StoreError, match="another data: .* not built in.*-o"):
        run("demo", out=tmp_path / "run", settings=HERE)
    make_sample(data, "a/000")
    with pytest.raises(StoreError, match="another content of the data"):
        run(f"{TOY}:toy", data=data, out=tmp_path / "run", limit=1, settings=HERE)


def test_a_picture_that_changed_since_the_run_began_is_noticed(data: Path, tmp_path: Path) -> None:
    run(f"{TOY}:toy", data=data, out=tmp_path / "run", limit=1, settings=HERE)
    (data / "a" / "003" / "target.png").unlink()
    with pytest.raises(StoreError, match="another content of the data"):
        run(f"{TOY}:toy", data=data, out=tmp_path / "run", limit=1, settings=HERE)


def test_the_id_of_a_protocol_stands_for_its_data_too(data: Path, tmp_path: Path) -> None:
    one = run(f"{TOY}:toy", data=data, out=tmp_path / "one", limit=1, settings=HERE)
    make_sample(data, "a/009", 99)
    two = run(f"{TOY}:toy", data=data, out=tmp_path / "two", limit=1, settings=HERE)
    assert one.info["card_id"] != two.info["card_id"]


def test_retry_leaves_alone_what_was_never_tried(data: Path, tmp_path: Path) -> None:
    run(f"{TOY}:toy", data=data, out=tmp_path / "run", limit=2, settings=HERE)
    with Store.open(tmp_path / "run") as store:
        store.add_samples([replace(make_sample(data, "a/001", 1), id="late/001")])
        store._db.execute("DELETE FROM scores WHERE editor = 1")
    _, edits, scores = retry(tmp_path / "run", HERE)
    assert (edits, scores) == (0, 0)
    with Store.open(tmp_path / "run") as store:
        assert store.counts() == {"edits": 8, "scores": 18}


@pytest.mark.parametrize("lose", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_retry_makes_pictures_anew_that_were_deleted_or_emptied(
    data: Path, tmp_path: Path, lose: Callable[[Path], object]
) -> None:
    run(f"{TOY}:toy", data=data, out=tmp_path / "run", limit=1, settings=HERE)
    before = rows(tmp_path / "run")
    for path in (tmp_path / "run" / "pictures").rglob("*.png"):
        lose(path)
    _, edits, _ = retry(tmp_path / "run", HERE)
    assert edits == 4
    assert rows(tmp_path / "run") == before
    with Store.open(tmp_path / "run") as store:
        assert all(edit.output.path.stat().st_size for edit in store.edits())


def test_redo_asks_an_editor_again_and_no_other(data: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine" / "a" / "001_edited.png"
    write(mine, picture(1))
    what = {"data": data, "out": tmp_path / "run", "limit": 1, "settings": HERE,
            "editors": [f"mine=outputs:{tmp_path / 'mine'}"]}  # fmt: skip
    run(f"{TOY}:toy", **what)
    before = rows(tmp_path / "run")
    write(mine, 255 - picture(1))
    run(f"{TOY}:toy", **what)
    assert rows(tmp_path / "run") == before
    run(f"{TOY}:toy", **what, redo=["mine"])
    changed = {row[1] for row in set(before) ^ set(rows(tmp_path / "run"))}
    assert changed == {"mine"}


def test_a_run_means_the_same_from_any_folder(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(f"{TOY}:toy", data="data", out="here", limit=1, settings=HERE)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    score(tmp_path / done.folder, ["psnr_mean"], HERE)
    assert {row[4] for row in rows(tmp_path / "here")} <= {"ok", "not_applicable"}


@pytest.mark.parametrize(
    ("returned", "words"),
    [("None", "NoneType, not a Document"), ("request.source.rgb", "ndarray, not a Document")],
)
def test_an_editor_that_gives_back_something_else_has_failed(
    data: Path, tmp_path: Path, returned: str, words: str
) -> None:
    file = tmp_path / "odd.py"
    file.write_text(f"class Odd:\n    def __call__(self, request):\n        return {returned}\n")
    done = run(f"{TOY}:toy", data=data, editors=[f"{file}:Odd"], out=tmp_path / "run", limit=1,
               floors=False, settings=HERE)  # fmt: skip
    assert [(f[2], words in f[3]) for f in done.failures() if f[1] == "edit"] == [
        ("editor_failed", True)
    ]


@pytest.mark.parametrize(
    "yields",
    ["[]", "[s(edits[0]), s(edits[0])]", "[s(edits[0], 'other')]", "[s(edits[0], value=1e300)]"],
)
def test_a_measure_that_gives_anything_but_one_score_of_its_own_has_failed(
    data: Path, tmp_path: Path, yields: str
) -> None:
    file = tmp_path / "odd.py"
    file.write_text(
        "from overpaint.core import Measure, Score\n"
        "def s(edit, name='odd', value=1.0):\n    return Score(edit, name, value)\n"
        f"odd = Measure('odd', lambda edits, evidence: {yields}, True, 0.0, 1.0)\n"
    )
    done = run(f"{TOY}:toy", data=data, out=tmp_path / "run", limit=1, settings=HERE)
    score(done.folder, [f"{file}:odd"], HERE)
    assert {f[2] for f in done.failures() if f[1] == "odd"} == {"measure_failed"}


def test_odd_values_texts_and_very_long_reasons_are_kept_as_rows(
    data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "odd.py"
    file.write_text(
        "from dataclasses import replace\n"
        "import numpy as np\n"
        "from overpaint.core import Measure, Score\n"
        "class Loud:\n    def __call__(self, request):\n"
        "        raise ValueError('\\udce9' + 'x' * 10_000_000)\n"
        "class Wordy:\n    def __call__(self, request):\n"
        "        return replace(request.source.opened, said=(5, {}, 'x' * 10_000_000))\n"
        "def s(edits, evidence):\n"
        "    return [Score(edits[0], 'odd', np.float32(0.5), notes=(b'raw',))]\n"
        "odd = Measure('odd', s, True, 0.0, 1.0)\n"
    )
    named = [f"loud={file}:Loud", f"wordy={file}:Wordy"]
    done = run(f"{TOY}:toy", data=data, editors=named, out=tmp_path / "run", limit=1, settings=HERE)
    (loud,) = [f for f in done.failures() if f[:2] == ("loud", "edit")]
    assert loud[3].startswith("ValueError: \\udce9xxx")
    assert len(loud[3]) < 2100
    with Store.open(done.folder) as store:
        (wordy,) = [edit.notes for edit in store.edits() if edit.editor == "wordy"]
    assert wordy == ("5", "{}", "x" * LONGEST)
    score(done.folder, [f"{file}:odd"], HERE)
    found = [row for row in rows(done.folder) if row[2] == "odd" and row[1] == "identity"]
    assert [(row[3], row[6]) for row in found] == [(0.5, ("b'raw'",))]


def test_an_id_that_names_two_samples_is_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="'same' comes 8 times"):
        run(f"{TOY}:muddled", data=data, out=tmp_path / "run", settings=HERE)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("outputs", "No editor can be made from 'outputs'"),
        ("outputs:", "is not there"),
        ("identity:foo", "No editor can be made from 'identity:foo'"),
        ("x=command:cp {inptu} {output}", "slot {inptu}"),
        ("broken.py:Broken", "cannot be imported: SyntaxError"),
        ("empty.py:Missing", "has no 'Missing'"),
        ("empty.py:number", "an editor's class was expected"),
    ],
)
def test_an_editor_that_cannot_be_made_is_a_mistake_and_leaves_no_run_behind(
    data: Path, tmp_path: Path, text: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.py").write_text("class Broken(:\n")
    Path("empty.py").write_text("number = 3\n")
    with pytest.raises(UserMistake, match=words):
        run(f"{TOY}:toy", data=data, editors=[text], out=tmp_path / "run", settings=HERE)
    assert not (tmp_path / "run").exists()


def test_two_editors_of_one_name_are_told_apart(data: Path, tmp_path: Path) -> None:
    (tmp_path / "x" / "m").mkdir(parents=True)
    (tmp_path / "y" / "m").mkdir(parents=True)
    both = [f"outputs:{tmp_path / folder / 'm'}" for folder in ("x", "y")]
    with pytest.raises(UserMistake, match="Two editors are called 'm'"):
        run(f"{TOY}:toy", data=data, editors=both, out=tmp_path / "run", settings=HERE)


def test_an_editor_that_cannot_work_for_any_sample_stops_the_run_at_once(
    data: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserMistake, match=r"no {output} slot"):
        run(f"{TOY}:toy", data=data, editors=["command:cp a b"], out=tmp_path / "r", settings=HERE)


def test_a_truth_that_is_not_there_leaves_the_denominator_and_says_so(
    data: Path, tmp_path: Path
) -> None:
    (data / "a" / "003" / "target.png").unlink()
    done = run(f"{TOY}:toy", data=data, out=tmp_path / "run", settings=HERE)
    (truth,) = [row for row in done.table() if row.editor == "truth"]
    assert (truth.cells["mse"].n, truth.cells["mse"].scored) == (7, 7)
    assert ("truth", "edit", "not_applicable", "This sample has no truth.", 1) in done.failures()


def test_a_plan_counts_what_is_left_and_touches_nothing(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert plan(f"{TOY}:toy", data=data, out=out)["edits_to_make"] == 32
    assert not out.exists()
    run(f"{TOY}:toy", data=data, out=out, limit=2, settings=HERE)
    assert plan(f"{TOY}:toy", data=data, out=out)["edits_to_make"] == 24


def test_the_run_records_how_it_was_made(data: Path, tmp_path: Path) -> None:
    info = run(f"{TOY}:toy", data=data, out=tmp_path / "run", limit=1, settings=HERE).info
    assert info["card"]["name"] == "toy"
    versions = {name: catalog.measure(name).version for name in ("mse", "psnr", "ssim")}
    assert info["card"]["measures"] == [f"{name}/{version}" for name, version in versions.items()]
    assert info["versions"]["overpaint"] == overpaint.__version__
    assert info["commands"][0]["command"] == sys.argv
    assert info["commands"][0]["versions"]["python"]
    assert info["seed"] == 0
    assert isinstance(info["weights"], dict)


@pytest.mark.slow
def test_killed_in_the_middle_and_started_again_gives_the_same_scores(
    data: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "overpaint", "run", f"{TOY}:toy", "--data", str(data),
               "--quiet", "--json", "-o"]  # fmt: skip
    subprocess.run([*command, tmp_path / "calm"], check=True, capture_output=True)
    for _ in range(3):
        killed = subprocess.Popen([*command, tmp_path / "killed"], stdout=subprocess.DEVNULL)
        _wait_for_rows(tmp_path / "killed", 12)
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
    subprocess.run([*command, tmp_path / "killed"], check=True, capture_output=True)
    assert rows(tmp_path / "killed") == rows(tmp_path / "calm")
    assert len(rows(tmp_path / "calm")) == 8 * 4 * 3


def _wait_for_rows(folder: Path, more: int) -> None:
    """Until the run has that many more rows than now, or is done."""
    start, end = _count(folder), time.monotonic() + 30
    while time.monotonic() < end and _count(folder) < min(start + more, 8 * 4 * 4):
        time.sleep(0.01)


def _count(folder: Path) -> int:
    try:
        with Store.open(folder) as store:
            return sum(store.counts().values())
    except StoreError:
        return 0


def test_the_exit_code_tells_accidents_from_success(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = ["run", f"{TOY}:toy", "--data", str(data), "--limit", "2", "--workers", "0", "--json"]
    assert main([*base, "-o", str(tmp_path / "good")]) == 0
    assert json.loads(capsys.readouterr().out)["card_id"].startswith("toy#")
    missing = f"gone=outputs:{data}"
    assert main([*base, "-o", str(tmp_path / "bad"), "--editor", missing]) == 1
    assert main([*base, "-o", str(tmp_path / "worse"), "--editor", "identty"]) == 2
    assert "Did you mean 'identity'?" in capsys.readouterr().err


def test_a_measure_may_ask_to_see_edits_without_a_picture(data: Path, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    done = run(f"{TOY}:toy", data=data, editors=[f"silent=outputs:{tmp_path / 'none'}"], limit=2,
               out=tmp_path / "run", floors=False, settings=HERE)  # fmt: skip
    score(done.folder, [f"{TOY}:made_nothing"], HERE)
    with Store.open(done.folder) as store:
        found = {(row.measure, row.value, row.status) for row in store.rows()}
    assert ("made_nothing", 1.0, "ok") in found
    assert ("mse", None, "no_edit") in found


def test_a_retry_that_was_stopped_leaves_what_it_had_taken_up_to_the_next(
    data: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    done = run(f"{TOY}:toy", data=data, out=tmp_path / "run", limit=2, settings=HERE,
               editors=[f"mine=outputs:{tmp_path / 'mine'}"])  # fmt: skip
    before = done.failures()
    with Store.open(done.folder) as store:
        store.forget_failures()  # and here it is killed
        assert store.counts() == {"edits": 8, "scores": 24}
    _, edits, _ = retry(done.folder, HERE)
    assert edits == 2
    assert done.failures() == before
    with Store.open(done.folder) as store:
        assert store.counts() == {"edits": 10, "scores": 30}
        assert store.taken_up() == set()
