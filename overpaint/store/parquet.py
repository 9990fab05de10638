"""A run's rows as Parquet, for pandas, DuckDB or Spark: typed columns, streamed in row groups.

Names stand in dictionaries, notes are lists of texts, a trace is JSON. Where on this machine
pictures lie is left out: an edit's `output` is its picture's name, which is its hash.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from overpaint.errors import StoreError, Unavailable
from overpaint.store import Store
from overpaint.store.schema import Database, connect, explained

GROUP = 100_000  # rows held in memory at a time
Progress = Callable[[str, int, int], None]

_ORDER = " ORDER BY scores.sample, scores.editor, scores.measure, against"
_ROWS = {
    "samples": "SELECT id, n, body, NULL FROM samples ORDER BY n",
    "edits": "SELECT samples.id, editor, status, output, reason, notes, trace, seconds FROM edits"
    " JOIN samples ON samples.n = sample ORDER BY sample, editor",
    "scores": "SELECT samples.id, editor, measure, value, status, reason, notes, weight, seconds"
    " FROM scores JOIN samples ON samples.n = sample WHERE against = ''" + _ORDER,
    "votes": "SELECT samples.id, editor, against, measure, value, status, reason, notes"
    " FROM scores JOIN samples ON samples.n = sample WHERE against != ''" + _ORDER,
}  # fmt: skip
_NAME, _TEXT, _TEXTS, _NUMBER, _WHOLE = "name", "text", "texts", "number", "whole"
_COLUMNS: dict[str, dict[str, str]] = {
    "samples": {"sample": _TEXT, "place": _WHOLE, "cluster": _TEXT, "instruction": _TEXT,
                "tags": "tags"},
    "edits": {"sample": _TEXT, "editor": _NAME, "status": _NAME, "output": _TEXT, "reason": _TEXT,
              "notes": _TEXTS, "trace": _TEXT, "seconds": _NUMBER},
    "scores": {"sample": _TEXT, "editor": _NAME, "measure": _NAME, "value": _NUMBER,
               "status": _NAME, "reason": _TEXT, "notes": _TEXTS, "weight": _NUMBER,
               "seconds": _NUMBER},
    "votes": {"sample": _TEXT, "editor": _NAME, "against": _NAME, "measure": _NAME,
              "value": _NUMBER, "status": _NAME, "reason": _TEXT, "notes": _TEXTS},
    "sets": {"editor": _NAME, "measure": _NAME, "tag": _TEXT, "part": _TEXT, "size": _WHOLE,
             "value": _NUMBER, "status": _NAME, "reason": _TEXT, "notes": _TEXTS},
}  # fmt: skip


def library() -> Any:
    """pyarrow, or the command that gets it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Unavailable(
            "Parquet cannot be written: pyarrow is not installed.",
            "It comes with the extra `parquet`.",
            "pip install 'overpaint[parquet]'",
        ) from None
    return pyarrow


def export_parquet(
    run: Path, out: Path, of_sets: Callable[[Store], Sequence[str]], progress: Progress
) -> dict[str, int]:
    """Write the run's rows to files in `out`; gives how many rows each has.

    `of_sets` tells which of the run's measures are of sets of edits.
    """
    arrow = library()
    with Store.open(run) as store, closing(connect(run)) as database:
        store.fact("card_id")
        sets = [tuple(row) for row in store.sets(of_sets(store))]
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"The folder {out} cannot be made: {error.strerror}.") from None
        database.execute("BEGIN")  # all tables as they are at one moment
        names = {
            table: dict(database.execute(f"SELECT n, name FROM {table}").fetchall())
            for table in ("editors", "measures")
        }
        found = {}
        for number, table in enumerate(_COLUMNS):
            rows = iter(sets) if table == "sets" else _rows(database, table, names)
            progress("exporting", number, len(_COLUMNS))
            try:
                found[table] = _write(arrow, out / f"{table}.parquet", table, rows)
            except OSError as error:
                raise explained(error, out) from error
    return found


def _rows(
    database: Database, table: str, names: Mapping[str, Mapping[int, str]]
) -> Iterator[Sequence[Any]]:
    """The rows of a table, with names in the place of numbers."""
    rows = database.rows(_ROWS[table])
    if table == "samples":
        for name, place, body, _ in rows:
            told = json.loads(body)
            yield name, place, told["cluster"], told["instruction"], list(told["tags"].items())
        return
    editors, measures = names["editors"], names["measures"]
    for row in rows:
        told = list(row)
        told[1] = editors[told[1]]
        if table == "scores":
            told[2] = measures[told[2]]
        elif table == "votes":
            told[3] = measures[told[3]]
        where = 5 if table == "edits" else len(told) - (3 if table == "scores" else 1)
        told[where] = json.loads(told[where]) if told[where] != "[]" else ()
        yield told


def _write(arrow: Any, path: Path, table: str, rows: Iterable[Sequence[Any]]) -> int:
    """Write a table whole or not at all, one row group after another."""
    columns = _COLUMNS[table]
    types = _types(arrow)
    schema = arrow.schema([(name, types[kind]) for name, kind in columns.items()])
    partial, count, left = path.with_name(f".{os.getpid()}-{path.name}"), 0, iter(rows)
    try:
        with arrow.parquet.ParquetWriter(partial, schema, compression="zstd") as writer:
            while group := list(islice(left, GROUP)):
                parts = [
                    arrow.array(values, types[kind])
                    for values, kind in zip(zip(*group, strict=True), columns.values(), strict=True)
                ]
                writer.write_table(arrow.Table.from_arrays(parts, schema=schema))
                count += len(group)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    return count


def _types(arrow: Any) -> dict[str, Any]:
    text = arrow.string()
    return {
        _NAME: arrow.dictionary(arrow.int32(), text), _TEXT: text, _TEXTS: arrow.list_(text),
        _NUMBER: arrow.float64(), _WHOLE: arrow.int64(), "tags": arrow.map_(text, text),
    }  # fmt: skip
