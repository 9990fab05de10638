"""The desk: all who wait share a commit, each has its own outcome, nothing is told too early."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from overpaint.errors import StoreError
from overpaint.rating.desk import Desk
from overpaint.rating.schema import connect
from overpaint.store.schema import Database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    found = connect(tmp_path / "desk.db")
    yield found
    found.close()


def put(database: Database, key: str) -> str:
    with database.transaction():
        database.execute("INSERT INTO info VALUES (?, '')", (key,))
    return key


def twice(database: Database, key: str) -> None:
    with database.transaction():
        put(database, key)
        put(database, key)


def keys(database: Database) -> list[str]:
    return [key for (key,) in database.rows("SELECT key FROM info ORDER BY key")]


def together(desk: Desk, *works: Any, **how: Any) -> list[Any]:
    """What each of these gives or raises, all of them waiting while the desk is busy."""

    async def ask() -> list[Any]:
        begun, busy = threading.Event(), threading.Event()
        first = asyncio.ensure_future(desk.do(lambda: (begun.set(), busy.wait())))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        others = [asyncio.ensure_future(desk.do(work, **how)) for work in works]
        await asyncio.sleep(0.02)
        busy.set()
        await first
        return await asyncio.gather(*others, return_exceptions=True)

    return asyncio.run(ask())


def test_all_who_wait_share_one_commit_and_one_that_fails_spoils_no_other(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits = []
    execute = Database.execute

    def counted(self: Database, sql: str, values: Any = ()) -> Any:
        commits.extend([sql] if sql == "COMMIT" else [])
        return execute(self, sql, values)

    monkeypatch.setattr(Database, "execute", counted)
    desk = Desk(database)

    def fails() -> None:
        put(database, "half")
        raise ValueError("no")

    found = together(
        desk, lambda: put(database, "a"), fails, lambda: put(database, "b"), lasting=True
    )
    desk.close()
    assert found[0::2] == ["a", "b"]
    assert isinstance(found[1], ValueError)
    assert keys(database) == ["a", "b"]
    assert len(commits) == 2, "one for whoever kept the desk busy, one for all who waited"


def test_what_must_last_is_synced_and_what_need_not_is_not(database: Database) -> None:
    desk = Desk(database)

    def mode() -> int:
        return int(database.execute("PRAGMA synchronous").fetchone()[0])

    async def ask() -> list[int]:
        return [await desk.do(mode), await desk.do(mode, lasting=True),
                await desk.do(mode, alone=True)]  # fmt: skip

    assert asyncio.run(ask()) == [1, 2, 2]  # NORMAL, FULL, FULL
    desk.close()


def test_where_the_commit_fails_nobody_is_told_that_it_was_saved(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoilt = []
    desk = Desk(database, lambda: spoilt.append(True))
    execute = Database.execute

    def full(self: Database, sql: str, values: Any = ()) -> Any:
        if sql == "COMMIT" and keys(database):
            execute(self, "ROLLBACK")
            raise StoreError("The disk is full.")
        return execute(self, sql, values)

    with monkeypatch.context() as patched:
        patched.setattr(Database, "execute", full)
        found = together(desk, lambda: put(database, "a"), lambda: put(database, "b"))
    assert all(isinstance(one, StoreError) for one in found)
    assert (keys(database), spoilt) == ([], [True])
    assert together(desk, lambda: put(database, "c")) == ["c"], "the desk goes on"
    desk.close()


def test_closing_finishes_what_waits(database: Database) -> None:
    desk = Desk(database)

    async def ask() -> list[str]:
        waiting = [
            asyncio.ensure_future(desk.do(lambda n=n: put(database, str(n)))) for n in range(5)
        ]
        await asyncio.sleep(0)
        desk.close()
        return await asyncio.gather(*waiting)

    assert asyncio.run(ask()) == ["0", "1", "2", "3", "4"]


def test_a_part_that_fails_is_undone_alone(database: Database) -> None:
    with database.transaction():
        put(database, "a")
        with pytest.raises(StoreError):
            twice(database, "b")
        put(database, "c")
    assert keys(database) == ["a", "c"]
