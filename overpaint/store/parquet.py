"""A run's rows as Parquet, for pandas, DuckDB or Spark: typed columns, streamed in row groups.

Names stand in dictionaries, notes are lists of texts, a trace is JSON. Where on this machine
pictures lie is left out: an edit's `output` is its picture's name, which is its hash.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from overpaint.errors import StoreError, Unavailable
from overpaint.store import Store
from overpaint.store.pictures import unwritable, whole
from overpaint.store.reading import check_whole
from overpaint.store.samples import listed, told_in
from overpaint.store.schema import undamaged

# Rows held in memory at a time: so many, or as many as have so many letters (traces are long).
GROUP = 100_000
LETTERS = 32 * 2**20
Progress = Callable[[str, int, int], None]

_ORDER = " ORDER BY scores.sample, scores.editor, scores.measure, against"
_ROWS = {
    "samples": "SELECT id, n, body FROM samples ORDER BY n",
    "edits": "SELECT samples.id, editor, status, output, reason, notes, trace, seconds FROM edits"
    " JOIN samples ON samples.n = sample ORDER BY sample, editor",
    "scores": "SELECT samples.id, editor, measure, value, status, reason, notes, weight, seconds"
    " FROM scores JOIN samples ON samples.n = sample WHERE against = ''" + _ORDER,
    "votes": "SELECT samples.id, editor, against, measure, value, status, reason, notes"
    " FROM scores JOIN samples ON samples.n = sample WHERE against != ''" + _ORDER,
}  # fmt: skip
_NAME, _TEXT, _TEXTS, _NUMBER, _WHOLE, _TAGS = (
    "name", "text", "texts", "number", "whole", "tags",
)  # fmt: skip
_COLUMNS: dict[str, dict[str, str]] = {
    "samples": {"sample": _TEXT, "place": _WHOLE, "cluster": _TEXT, "instruction": _TEXT,
                "tags": _TAGS},
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
    with undamaged(run), Store.open(run) as store:
        store.fact("card_id")
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"The folder {out} cannot be made: {error.strerror}.") from None
        database = store._db
        database.execute("BEGIN")  # all tables as they are at one moment
        check_whole(database, run)
        names = {
            kind: dict(database.execute(f"SELECT n, name FROM {kind}s").fetchall())
            for kind in ("editor", "measure")
        }
        sets = [tuple(map(_storable, row)) for row in store.sets(of_sets(store))]
        found = {}
        for number, table in enumerate(_COLUMNS):
            rows = sets if table == "sets" else database.rows(_ROWS[table])
            rows = _told(rows) if table == "samples" else rows
            progress("exporting", number, len(_COLUMNS))
            try:
                columns = _Columns(arrow, table, {} if table == "sets" else names)
                found[table] = _write(arrow, out / f"{table}.parquet", columns, rows)
            except OSError as error:
                raise unwritable(error, out / f"{table}.parquet") from error
    return found


class _Columns:
    """A table's columns, and how values as the run file has them become theirs."""

    def __init__(self, arrow: Any, table: str, names: Mapping[str, Mapping[int, str]]) -> None:
        self._arrow, self._names = arrow, names
        text = arrow.string()
        types = {
            _NAME: arrow.dictionary(arrow.int32(), text), _TEXT: text, _TEXTS: arrow.list_(text),
            _NUMBER: arrow.float64(), _WHOLE: arrow.int64(), _TAGS: arrow.map_(text, text),
        }  # fmt: skip
        self._kinds, self._types = _COLUMNS[table], types
        self.schema = arrow.schema([(name, types[kind]) for name, kind in self._kinds.items()])

    def table(self, group: Sequence[Sequence[Any]]) -> Any:
        """The rows of a group, column by column."""
        columns = zip(self._kinds.items(), zip(*group, strict=True), strict=True)
        parts = [self._column(name, kind, values) for (name, kind), values in columns]
        return self._arrow.Table.from_arrays(parts, schema=self.schema)

    def _column(self, name: str, kind: str, values: Sequence[Any]) -> Any:
        if known := self._names.get(name):  # numbers of editors and measures
            places = {n: place for place, n in enumerate(known)}
            indices = self._arrow.array([places[n] for n in values], self._arrow.int32())
            return self._arrow.DictionaryArray.from_arrays(indices, list(known.values()))
        if kind == _NAME:
            return self._arrow.array(values, self._arrow.string()).dictionary_encode()
        if kind == _TEXTS:
            values = [_texts(value) for value in values]
        return self._arrow.array(values, self._types[kind])


def _texts(value: Any) -> list[Any]:
    """Notes, which the run file has as JSON."""
    return [_storable(str(one)) for one in (listed(value) if isinstance(value, str) else value)]


def _told(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Samples with what their bodies say."""
    for name, place, body in rows:
        told = told_in(body)
        cluster, instruction = (_storable(told[part]) for part in ("cluster", "instruction"))
        yield name, place, cluster, instruction, _pairs(told["tags"])


def _groups(rows: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    """The rows, as many at a time as may be held."""
    group, letters = list[Sequence[Any]](), 0
    for row in rows:
        group.append(row)
        letters += sum([len(value) for value in row if isinstance(value, str)])
        if len(group) >= GROUP or letters >= LETTERS:
            yield group
            group, letters = [], 0
    if group:
        yield group


def _pairs(tags: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(_storable(name), _storable(part)) for name, part in tags.items()]


def _storable(value: Any) -> Any:
    """Halves of letters, which no Parquet file can hold, as the run file has them: \\udcXX."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _write(arrow: Any, path: Path, columns: _Columns, rows: Iterable[Sequence[Any]]) -> int:
    """Write a table whole or not at all, one row group after another."""
    count = 0
    with (
        whole(path) as partial,
        arrow.parquet.ParquetWriter(partial, columns.schema, compression="zstd") as writer,
    ):
        for group in _groups(rows):
            writer.write_table(columns.table(group))
            count += len(group)
    return count
