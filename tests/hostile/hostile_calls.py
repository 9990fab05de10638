"""What cases do that no command does by itself: look into reports, compare tables, name fonts."""

import csv
import gc
import io
import os
import re
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from hostile_case import CHANGE, EVIL

from overpaint.errors import OverpaintError


def _refused(error: OverpaintError) -> int:
    print(f"overpaint: {error}", file=sys.stderr)
    return 2


def read_again(words: Sequence[str]) -> None:
    """Assert that what an edit has written is a document, as large as the one it was made of."""
    from overpaint.document import files

    if words[0] != "edit" or "-o" not in words or "--page" in words:
        return
    source, out = Path(words[1]), Path(words[words.index("-o") + 1])
    gc.collect()  # what the edit has held is held no more
    if out.exists():  # where it is not, that is told from outside
        sizes = [files.read(path).size for path in (source, out)]
        assert sizes[0] == sizes[1], f"the output is {sizes[1]}, not {sizes[0]}"


def exchanged(name: str) -> int:
    """Read ratings as `overpaint rate --import` does."""
    from overpaint.rating.exchange import read_exchanged

    try:
        return print(f"{len(read_exchanged(Path(name), (), {}))} ratings were read") or 0
    except OverpaintError as error:
        return _refused(error)


def tables(first: str, second: str) -> int:
    """Compare two HTML tables as the measures do."""
    from overpaint.measures.trees import similarity, table

    try:
        one, other = (table(Path(name).read_text(encoding="utf-8")) for name in (first, second))
        told = "no table" if one is None or other is None else f"{similarity(one, other):.3f} alike"
        return print(told) or 0
    except OverpaintError as error:
        return _refused(error)


def with_fonts(folder: str) -> int:
    """Edit with a folder of fonts, by an index of its own."""
    from overpaint.cli import main
    from overpaint.document.text import fonts

    os.environ["OVERPAINT_FONTS"] = folder
    os.environ["OVERPAINT_CACHE"] = str(Path("cache").resolve())
    fonts._files.cache_clear()  # which a process does once, and this one's parent may have done
    return main(["edit", "a.ora", CHANGE, "-o", "out.ora"])


def chosen(run: str) -> int:
    """Choose what a gallery shows, as a report does before it draws any of it."""
    from overpaint.report.choosing import choose, read_standings
    from overpaint.report.tables import read_tables
    from overpaint.store import Store

    try:
        with Store.open(Path(run)) as store:
            found = choose(read_standings(store, read_tables(store)), 500)
    except OverpaintError as error:
        return _refused(error)
    return print(f"{len(found.ids)} samples were chosen") or 0


def verdict(run: str, status: str, value: str) -> int:
    """Assert that what a judge said stands in the run as that, and only that."""
    with closing(sqlite3.connect(Path(run) / "run.db")) as database:
        rows = database.execute(
            "SELECT status, value FROM scores JOIN measures ON measures.n = measure"
            " WHERE spec LIKE 'judge:%'"
        ).fetchall()
    assert [(one, str(number)) for one, number in rows] == [(status, value)], rows
    return print(f"it is stored as {status}, {value}") or 0


def harmless_report(run: str) -> int:
    """Assert that no page runs a script of the data's and no table a formula."""
    pages = [
        path for path in Path(run).rglob("*") if path.suffix in (".html", ".md", ".csv", ".tex")
    ]
    assert pages, "there is no report"
    for path in pages:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            assert f"<script>fetch('//x/{EVIL}')" not in text, f"{path.name} runs the data's script"
            assert not re.search(r"<img[^>]*onerror", text), f"{path.name} has the data's picture"
        if path.suffix == ".md":
            assert "<script" not in text, f"{path.name} holds the data's script"
        if path.suffix == ".csv":
            for row in csv.reader(io.StringIO(text)):
                for cell in row:
                    number = re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?|-?inf", cell)
                    assert not re.match(r"[=+\-@\t\r]", cell) or number, f"{path.name}: {cell!r}"
    return print(f"{len(pages)} pages are harmless") or 0
