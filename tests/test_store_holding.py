"""`overpaint cache`: what is kept is listed; what goes can be had again."""

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from conftest import make_sample
from test_run_shards import bytes_of, change, part, told

import overpaint.run as pipeline
from overpaint.cli import main
from overpaint.errors import StoreError, UserMistake
from overpaint.run import Settings
from overpaint.run.steps import make_edit
from overpaint.store import DATABASE, Store
from overpaint.store.claiming import CLAIM, claimed, process_of
from overpaint.store.holding import held, kind_of, prune
from overpaint.store.orphans import orphans


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    for name, size in (
        ("0123456789ab-net.onnx", 100), ("0123456789ab-Sans.ttf", 50), ("fonts.json", 5),
        ("vde-0123456789ab/a/page.png", 70), ("canvases/grey-1x1.png", 7), ("calls/run.db", 30),
        ("half-done-xyz/part", 20), ("notes-of-mine.txt", 3),
    ):  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x" * size)
    monkeypatch.setenv("OVERPAINT_CACHE", str(folder))
    return folder


@pytest.fixture
def with_orphan(tmp_path: Path) -> tuple[Path, Path]:
    run = part(tmp_path / "runs" / "r", limit=3)
    orphan = run / "pictures" / "ab" / f"{'ab' * 32}.png"
    orphan.parent.mkdir(exist_ok=True)
    orphan.write_bytes(b"x" * 123)
    half = run / "pictures" / "ab" / f".77-{'ab' * 32}.png"
    half.write_bytes(b"x")
    for path in (run / "pictures").rglob("*.*"):
        os.utime(path, (time.time() - 7200,) * 2)
    return run, orphan


@pytest.mark.slow
def test_what_is_kept_is_listed_with_its_size(
    cache: Path, with_orphan: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cache", str(tmp_path / "runs"), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["held"]
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[row["kind"]] = sizes.get(row["kind"], 0) + row["bytes"]
    del sizes["run"]
    sizes.pop("kernels", None)
    assert sizes == {"weights": 100, "fonts": 55, "sets": 77, "calls": 30, "left": 20, "other": 3}
    (run,) = [row for row in rows if row["kind"] == "run"]
    assert run["spare"] == 124
    assert main(["cache", str(tmp_path / "runs")]) == 0
    assert "124 B that no row names; --prune " in capsys.readouterr().out
    assert with_orphan[1].exists()  # a list removes nothing


def test_a_kind_goes_and_the_rest_stays(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "--prune", "sets", "--prune", "weights"]) == 0
    assert capsys.readouterr().out == "     77 B freed: sets\n    100 B freed: weights\n"
    left = {path.name for path in cache.iterdir()}
    assert left == {
        "0123456789ab-Sans.ttf", "fonts.json", "calls", "half-done-xyz", "notes-of-mine.txt"
    }  # fmt: skip
    assert prune("left", cache) == 0  # it may be a download that is going on
    os.utime(cache / "half-done-xyz", (0, 0))
    assert prune("left", cache) == 20


@pytest.mark.parametrize("what", ["calls", "other"])
def test_what_cannot_be_had_again_is_never_removed(what: str, cache: Path) -> None:
    with pytest.raises(UserMistake, match="it cannot be had again for nothing"):
        prune(what, cache)
    assert (cache / "calls" / "run.db").exists()
    with pytest.raises(UserMistake, match="neither a kind of what is kept nor a run"):
        prune("everything", cache)


def test_links_out_of_the_cache_are_not_followed(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    (cache / "ebench-0123456789ab").symlink_to(tmp_path / "mine")
    (cache / "vde-0123456789ab" / "out").symlink_to(tmp_path / "mine")
    prune("sets", cache)
    assert (tmp_path / "mine" / "thesis.txt").exists()
    assert not (cache / "vde-0123456789ab").exists()
    assert kind_of(cache / "mine") == "other"


def test_pictures_that_nothing_names_go_and_the_run_is_as_it_was(
    cache: Path, with_orphan: tuple[Path, Path]
) -> None:
    run, _ = with_orphan
    before, pictures = told(run), bytes_of(run / "pictures")
    assert prune(str(run), cache) == 124
    assert told(run) == before
    assert bytes_of(run / "pictures") == {
        name: data for name, data in pictures.items() if "ab" * 32 not in name
    }
    assert list(orphans(run)) == []


def test_folders_that_cannot_be_looked_into_are_passed_over(
    cache: Path, with_orphan: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs" / "private").mkdir()
    scandir = os.scandir

    def guarded(path: Path | str) -> object:
        if Path(path).name in ("private", "vde-0123456789ab"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    rows = {row.where: row for row in held(tmp_path / "runs")}
    assert rows[str(with_orphan[0])].spare == 124
    assert rows[str(cache / "vde-0123456789ab")].bytes == 0


def name_in(run: Path, orphan: Path, sql: str) -> None:
    change(run, sql.format(orphan.name))


def in_a_study(run: Path, orphan: Path) -> None:
    (run / "studies").mkdir()
    with closing(sqlite3.connect(run / "studies" / "s.db")) as study, study:
        study.execute("CREATE TABLE pictures (path TEXT)")
        study.execute("INSERT INTO pictures VALUES (?)", (str(orphan),))


def in_probes(run: Path, orphan: Path) -> None:
    line = {"id": "truth/1", "path": f"pictures/ab/{orphan.name}", "sample": "{}"}
    (run / "probes.jsonl").write_text(json.dumps(line) + "\n")


def of_a_drawn_layer(run: Path, orphan: Path) -> None:
    kept = next(path for path in (run / "pictures").rglob("*.png") if path.name[0] != ".")
    with closing(sqlite3.connect(run / DATABASE)) as database:
        (kept,) = database.execute("SELECT output FROM edits").fetchone()
    index = run / "pictures" / kept[:2] / f"{kept[:64]}.layers.json"
    index.write_text(json.dumps({"layers": [{"picture": orphan.name}]}))


NAMED: dict[str, Callable[[Path, Path], None]] = {
    "a trace": lambda run, orphan: name_in(
        run, orphan, "UPDATE edits SET trace = '[{{\"picture\": \"{}\"}}]' WHERE sample = 1"),
    "a sample": lambda run, orphan: name_in(
        run, orphan, "UPDATE samples SET body = body || '{}' WHERE n = 1"),
    "a fact of the run": lambda run, orphan: name_in(
        run, orphan, "INSERT INTO info VALUES ('audit', '\"{}\"')"),
    "a rating study": in_a_study,
    "the probes of an audit that was stopped": in_probes,
    "the layers of a kept picture": of_a_drawn_layer,
    "nothing yet, for it is a minute old": lambda run, orphan: os.utime(orphan),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("where", NAMED)
def test_a_picture_named_by_anything_stays(
    where: str, cache: Path, with_orphan: tuple[Path, Path]
) -> None:
    run, orphan = with_orphan
    NAMED[where](run, orphan)
    prune(str(run), cache)
    assert orphan.exists()


def test_a_set_that_is_gone_from_the_cache_spoils_no_rows(cache: Path, tmp_path: Path) -> None:
    toy, drawn = Path(__file__).with_name("toy.py"), cache / "vde-0123456789ab"
    shutil.rmtree(drawn)
    make_sample(drawn, "a/001")
    given = {"data": drawn, "out": tmp_path / "run", "settings": Settings(workers=0)}
    pipeline.run(f"{toy}:toy", **given)
    with Store.open(tmp_path / "run") as store:
        before = store.counts()
        sample = next(store.samples())
    prune("sets", cache)
    gone = pytest.raises(StoreError, match="is gone from the cache.*`overpaint run` again")
    with gone:
        pipeline.score(tmp_path / "run", ["mse_inside"], Settings(workers=0))
    with gone:
        make_edit(tmp_path / "run", sample, ("grey", "blank"))
    with Store.open(tmp_path / "run") as store:
        assert store.counts() == before
    make_sample(drawn, "a/001")
    pipeline.score(tmp_path / "run", ["mse_inside"], Settings(workers=0))
    with Store.open(tmp_path / "run") as store:
        assert [row.status for row in store.rows() if row.measure == "mse_inside"] == ["ok"] * 4


@pytest.mark.parametrize(
    "sql",
    ["UPDATE samples SET body = x'00ff' WHERE n = 1",
     "UPDATE edits SET trace = x'00' WHERE sample = 1",
     "UPDATE edits SET output = x'00ff' WHERE sample = 1"],
)  # fmt: skip
def test_one_damaged_run_is_a_note_in_its_line(
    sql: str, cache: Path, with_orphan: tuple[Path, Path]
) -> None:
    run, orphan = with_orphan
    change(run, sql)
    (row,) = [row for row in held(run) if row.kind == "run"]
    assert row.note.startswith(f"The run in {run} is damaged: ")
    with pytest.raises(StoreError, match="is damaged"):
        prune(str(run), cache)
    assert orphan.exists()


def test_a_run_that_a_command_works_on_is_left_alone(
    cache: Path, with_orphan: tuple[Path, Path]
) -> None:
    run, orphan = with_orphan
    working = pytest.raises(StoreError, match="is working on the run in")
    with Store.open(run) as store, claimed(store):
        assert [row.spare for row in held(run) if row.kind == "run"] == [0]
        other = process_of(os.getppid())
        store.note(**{CLAIM: other})
        with working:
            prune(str(run), cache)
        store.note(**{CLAIM: other | {"host": "elsewhere"}})
        with pytest.raises(StoreError, match="was claimed on 'elsewhere', another machine"):
            prune(str(run), cache)
        assert [row.spare for row in held(run) if row.kind == "run"] == [0]
    assert orphan.exists()
