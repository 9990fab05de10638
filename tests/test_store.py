"""The run store: schema versions, what is missing, what may be tried again, and full disks."""

import errno
import os
import re
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import make_sample, picture

from overpaint.core import Edit, Request, Sample, Score
from overpaint.document import Document
from overpaint.errors import StoreError
from overpaint.store import Store, keep_picture, recall_evidence
from overpaint.store import schema as module
from overpaint.store.schema import connect, explained


@pytest.fixture
def store(tmp_path: Path):
    with Store.create(tmp_path / "run") as store:
        store.add_samples([make_sample(tmp_path / "data", f"a/{n:03}", n) for n in range(4)])
        for name in ("one", "two"):
            store.add_editor(name, name)
        for name in ("m", "w"):
            store.add_measure(name, name, "1")
        yield store


def made(store: Store, number: int, editor: str = "one", **what: object) -> Edit:
    sample = store.sample(f"a/{number:03}")
    fields = {"status": "ok", "output": keep_picture(store.folder, sample.request.source)} | what
    edit = Edit(sample, editor, **fields)
    store.put_edit(edit)
    return edit


def test_samples_come_back_as_they_were_put_in(store: Store, tmp_path: Path) -> None:
    before = make_sample(tmp_path / "data", "a/002", 2)
    after = store.sample("a/002")
    assert (after.id, after.tags, after.facts, after.cluster) == (
        before.id, before.tags, before.facts, before.cluster,
    )  # fmt: skip
    assert after.request.source.key == before.request.source.key
    assert after.target.key == before.target.key
    assert [m.key for m in after.masks] == [m.key for m in before.masks]


def test_an_edit_comes_back_with_its_picture(store: Store) -> None:
    edit = made(store, 1, notes=("turned as EXIF says",), seconds=1.5)
    (back,) = store.edits()
    assert back.output.path.is_relative_to(store.folder)
    assert back.output.key == edit.sample.request.source.key
    assert (back.editor, back.status, back.notes, back.seconds) == ("one", "ok", edit.notes, 1.5)


def test_what_is_missing_is_a_query(store: Store) -> None:
    ids = [sample.id for sample in store.samples()]
    assert list(store.missing_edits(ids, ["one"])) == [(name, "one") for name in ids]
    edit = made(store, 1)
    assert list(store.missing_edits(ids, ["one"])) == [(f"a/00{n}", "one") for n in (0, 2, 3)]
    assert list(store.missing_scores(["m", "w"])) == [("a/001", "one", True, ["m", "w"])]
    store.put_scores([Score(edit, "m", 0.5)], {})
    assert list(store.missing_scores(["m", "w"])) == [("a/001", "one", True, ["w"])]


def test_retry_forgets_accidents_and_keeps_answers(store: Store) -> None:
    fine = made(store, 0)
    made(store, 1, status="editor_failed", output=None, reason="a bug")
    made(store, 2, status="refused", output=None, reason="no")
    lost = store.edit(store.sample("a/001"), "one")
    store.put_scores([Score(lost, "m", None, "no_edit", "a bug")], {})
    store.put_scores(
        [
            Score(fine, "m", None, "not_applicable", "no"),
            Score(fine, "w", None, "unavailable", "get"),
        ],
        {},
    )
    assert store.forget_failures() == ([("a/001", "one")], 1)
    assert {(row.sample, row.status) for row in store.rows()} == {("a/000", "not_applicable")}
    assert [edit.status for edit in store.edits()] == ["ok", "refused"]


def test_evidence_can_be_recalled_by_another_connection(store: Store) -> None:
    store.put_scores([Score(made(store, 0), "m", 1.0)], {"found": "[1]"})
    assert recall_evidence(store.folder, "found") == "[1]"
    assert recall_evidence(store.folder, "never") is None


def test_one_name_means_one_editor_and_one_version_of_a_measure(store: Store) -> None:
    with pytest.raises(StoreError, match="'one' is 'one', not 'outputs:elsewhere'"):
        store.add_editor("one", "outputs:elsewhere")
    with pytest.raises(StoreError, match="m is version 1; now it would be version 2"):
        store.add_measure("m", "m", "2")


def test_a_newer_run_is_refused_and_says_what_to_do(store: Store) -> None:
    with sqlite3.connect(store.folder / "run.db") as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match=r"schema 99.*pip install -U overpaint"):
        Store.open(store.folder)


def test_a_run_that_is_refused_holds_up_nobody(tmp_path: Path) -> None:
    Store.create(tmp_path).__exit__()
    with closing(sqlite3.connect(tmp_path / "run.db", timeout=0)) as other:
        other.execute("PRAGMA user_version = 99")
        with pytest.raises(StoreError) as refused:
            Store.open(tmp_path)
        assert refused  # whoever keeps the error keeps no connection
        assert other.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)


def test_an_older_run_is_brought_forward_with_all_its_rows(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(store, 1)
    added = "ALTER TABLE edits ADD COLUMN price REAL NOT NULL DEFAULT 0"
    monkeypatch.setattr(module, "MIGRATIONS", (*module.MIGRATIONS, added))
    with Store.open(store.folder) as newer:
        assert newer._db.execute("PRAGMA user_version").fetchone() == (len(module.MIGRATIONS),)
        assert newer._db.execute("SELECT status, price FROM edits").fetchall() == [("ok", 0.0)]


def test_a_folder_without_a_run_and_a_file_that_is_none_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no run in"):
        Store.open(tmp_path)
    (tmp_path / "run.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreError, match="is damaged: file is not a database"):
        Store.open(tmp_path)


def test_of_those_that_make_a_run_at_once_none_is_told_that_another_writes(tmp_path: Path) -> None:
    ready = threading.Barrier(4)

    def come(number: int) -> None:
        ready.wait(20)
        connect(tmp_path / str(number // 4)).close()

    for number in range(40):
        (tmp_path / str(number)).mkdir()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(come, range(160)))


def test_a_full_disk_is_said_and_what_was_there_stays(store: Store) -> None:
    made(store, 0)
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="full.*Make room and run the same command again"):
        store.note(much="x" * 10_000_000)
    store._db.execute("PRAGMA max_page_count = 1000000")
    assert store.counts() == {"edits": 1, "scores": 0}
    store.note(much="x")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "is full.*Make room"),
        (errno.EROFS, "cannot be written, only read.*make its disk writable"),
        (errno.EIO, "cannot be written or read.*when it is whole, give the same command again"),
    ],
)
def test_what_a_disk_fails_of_is_said_with_what_to_do(
    number: int, said: str, tmp_path: Path
) -> None:
    assert re.search(said, str(explained(OSError(number, os.strerror(number)), tmp_path)))


def test_an_error_of_reading_or_writing_that_sqlite_meets_is_the_disks(tmp_path: Path) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    assert "give the same command again" in str(explained(error, tmp_path))


def test_the_same_of_a_disk_without_room_says_that_it_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4096))
    assert "is full. Everything finished so far is kept" in str(explained(error, tmp_path))


def test_letters_that_are_none_are_damage(tmp_path: Path) -> None:
    with closing(connect(tmp_path)) as database:
        database.execute("INSERT INTO evidence VALUES ('k', CAST(x'ff' AS TEXT))")
        with pytest.raises(StoreError, match="damaged: a text in it is none.*Take it from a copy"):
            database.execute("SELECT value FROM evidence").fetchone()


def test_pictures_lie_under_their_own_hash_and_are_written_once(store: Store) -> None:
    source = store.sample("a/000").request.source
    first = keep_picture(store.folder, source)
    stamp = first.path.stat().st_mtime_ns
    assert first.path.stem == source.key
    assert keep_picture(store.folder, source).path.stat().st_mtime_ns == stamp
    assert not list(first.path.parent.glob(".*"))


@pytest.mark.parametrize("left", [b"", b"\x89PNG and no more"])
def test_a_part_of_a_picture_that_lost_power_has_left_is_written_anew(
    store: Store, left: bytes
) -> None:
    source = store.sample("a/000").request.source
    path = keep_picture(store.folder, source).path
    path.write_bytes(left)
    assert keep_picture(store.folder, source).path.read_bytes() == source.encoded
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_many_may_open_a_new_run_at_the_same_moment(tmp_path: Path) -> None:
    def open_and_note(number: int) -> None:
        with Store.create(tmp_path / "new") as store:
            store.note(**{f"n{number}": number})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(open_and_note, range(24)))
    with Store.open(tmp_path / "new") as store:
        assert {f"n{n}" for n in range(24)} <= set(store.info)


def test_a_run_on_a_disk_that_cannot_be_written_can_still_be_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(store, 1)
    store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    monkeypatch.setattr(module.os, "access", lambda *_: False)
    with Store.open(store.folder) as reader:
        assert [edit.sample.id for edit in reader.edits()] == ["a/001"]
        with pytest.raises(StoreError, match="only read"):
            reader.note(x=1)
    made(store, 2)
    with pytest.raises(StoreError, match="Copy the folder"):
        Store.open(store.folder)


def test_a_run_that_another_process_holds_says_so(store: Store) -> None:
    holder = sqlite3.connect(store.folder / "run.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    store._db.execute("PRAGMA busy_timeout = 50")
    with pytest.raises(StoreError, match="Another process has been writing"):
        store.put_scores([], {"a": "1"})
    with pytest.raises(StoreError, match="Another process has been writing"):
        store.forget_failures()
    holder.execute("ROLLBACK")
    store.put_scores([], {"a": "1"})


def test_a_run_file_without_a_byte_is_a_sentence_and_may_be_begun(tmp_path: Path) -> None:
    (tmp_path / "run.db").write_bytes(b"")
    for _ in range(2):
        with pytest.raises(StoreError, match="is empty: its run.db has no bytes.*made it again"):
            Store.open(tmp_path)
    with Store.create(tmp_path) as fresh:
        fresh.note(x=1)
    with Store.open(tmp_path) as store:
        assert store.info["x"] == 1


def test_a_folder_called_full_is_not_a_full_disk(tmp_path: Path) -> None:
    denied = module.explained(PermissionError(13, "Permission denied", "/x/full-run"), tmp_path)
    assert "is full" not in str(denied)


def test_damaged_facts_are_a_sentence(store: Store) -> None:
    store._db.execute("INSERT INTO info VALUES ('card', 'not json')")
    with pytest.raises(StoreError, match="is damaged"):
        _ = store.info


def test_a_fact_that_is_not_there_yet_says_how_to_go_on(store: Store) -> None:
    with pytest.raises(StoreError, match="no card_id yet.*overpaint run"):
        store.fact("card_id")


def test_a_sample_made_in_memory_is_kept_with_the_run(store: Store) -> None:
    made_here = Sample("memory", Request(Document.of(picture(9)), "…"))
    store.add_samples([made_here])
    assert np.array_equal(store.sample("memory").request.source.rgb, picture(9))


def test_an_editor_that_is_forgotten_was_never_asked(store: Store) -> None:
    store.put_scores([Score(made(store, 1), "m", 0.5)], {})
    made(store, 1, "two")
    store.forget_editor("one")
    assert list(store.editors) == ["two"]
    assert [edit.editor for edit in store.edits()] == ["two"]
    assert list(store.rows()) == []
    store.add_editor("one", "another spec")
    made(store, 1)
    assert [edit.editor for edit in store.edits()] == ["two", "one"]


def test_facts_are_noted_together_or_not_at_all(tmp_path: Path) -> None:
    def facts() -> Iterator[tuple[str, str]]:
        yield "created", '"now"'
        raise KeyboardInterrupt  # as a kill between two rows would be

    with Store.create(tmp_path / "run") as store:
        with pytest.raises(KeyboardInterrupt):
            store._db.write("INSERT INTO info VALUES (?, ?)", facts())
        assert "created" not in store.info
