"""Pictures in a run that nothing names: of edits made anew, and of commands that were killed."""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from overpaint.errors import StoreError
from overpaint.store import Store
from overpaint.store.bodies import KEPT
from overpaint.store.claiming import CLAIM, busy, claimed
from overpaint.store.merging import pictures_of_edits
from overpaint.store.pictures import PICTURES
from overpaint.store.schema import connect, undamaged

PROBES = "probes.jsonl"  # of an audit: they are drawn before they are anybody's edits
YOUNG = 3600.0  # seconds: a picture is written before its row, and a page draws without a claim
_HASH = re.compile(r"[0-9a-f]{64}(?=\.)")
STUDIES = "studies"  # where people's ratings of a run are, with the pictures they were shown


def orphans(folder: Path) -> Iterator[tuple[Path, int]]:
    """The pictures that neither a row, nor a rating study, nor a kept picture's layers name.

    None where a command works on the run: a picture is there before its row.
    """
    with undamaged(folder):
        with Store.open(folder) as store:
            claim = store.info.get(CLAIM)
        if not busy(claim):
            yield from _unnamed(folder)


def _unnamed(folder: Path) -> Iterator[tuple[Path, int]]:
    named = _named(folder)
    now = time.time()
    for path in (folder / PICTURES).glob("??/*"):
        if path.is_symlink() or not path.is_file():
            continue
        about = path.stat()
        if _key(path.name) not in named and now - about.st_mtime > YOUNG:
            yield path, about.st_size


def _key(name: str) -> bytes:
    """The hash that a picture is called by; what is half written is called by none."""
    found = _HASH.match(name)
    return bytes.fromhex(found[0]) if found else b""


def _named(folder: Path) -> set[bytes]:
    """The hashes of all that is named. What is drawn of a named picture bears its hash too."""
    with closing(connect(folder)) as database:
        named = {_key(name) for name in pictures_of_edits(database)}
        # Facts of a run and all that a sample says may name one: what is in doubt stays.
        for (value,) in database.rows("SELECT value FROM info UNION ALL SELECT body FROM samples"):
            named.update(map(_key, KEPT.findall(value)))
    named |= _probes(folder / PROBES)
    for study in (folder / STUDIES).glob("*.db"):
        named |= _shown(study)
    for index in (folder / PICTURES).glob("??/*.layers.json"):
        if _key(index.name) in named:
            named.update(map(_key, KEPT.findall(index.read_text("utf-8", "replace"))))
    return named - {b""}


def _probes(file: Path) -> set[bytes]:
    """The hashes of the pictures that an audit has drawn."""
    if not file.is_file():
        return set()
    with file.open(encoding="utf-8", errors="replace") as lines:
        return {_key(name) for line in lines for name in KEPT.findall(line)}


def _shown(study: Path) -> set[bytes]:
    """The hashes of the pictures that a study shows."""
    try:
        address = f"{study.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as database:
            rows = database.execute("SELECT path FROM pictures").fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreError(
            f"The study {study} cannot be read: {error}.",
            "Pictures that people were shown stay.",
            "Nothing is removed from a run whose studies cannot be read.",
        ) from None
    return {_key(found[0]) for (path,) in rows if (found := KEPT.search(str(path)))}


def prune_run(folder: Path) -> int:
    """Remove those pictures; gives the bytes that became free."""
    with Store.open(folder) as store:
        freed = 0
        with claimed(store), undamaged(folder):
            for path, size in _unnamed(folder):
                path.unlink(missing_ok=True)
                freed += size
    return freed
