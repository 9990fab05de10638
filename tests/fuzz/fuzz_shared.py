"""Fuzz targets: bundles, strangers' runs, places to work on, addresses of pages, weights."""

import json
import shutil
import struct
from contextlib import suppress
from functools import lru_cache
from urllib.parse import parse_qs

from fuzz_kept import PICKLES, checkpoint, run_folder, run_shape, runs
from fuzz_shapes import ints_shape, json_shape, lines_shape, zip_shape
from fuzz_target import Target, filed, place, spoken

from overpaint.errors import Unavailable, UserMistake
from overpaint.models.weighing import parameters
from overpaint.report.account import day
from overpaint.report.door import PAGES, Door
from overpaint.report.paging import read_asked
from overpaint.report.tables import Tables, read_tables
from overpaint.store import Store
from overpaint.store.exporting import Chosen, export_bundle
from overpaint.store.importing import import_bundle
from overpaint.store.merging import merge
from overpaint.vision.own_weights import tensors
from overpaint.work import check_place

HEADER = {"a": {"dtype": "F32", "shape": [3, 2], "data_offsets": [0, 24]}, "__metadata__": {}}


def bundle() -> bytes:
    """What an editor made in a small run, as others get it."""
    file = place() / "seed.zip"
    export_bundle(run_folder(), file, Chosen(), lambda *_: None)
    return file.read_bytes()


def taken(data: bytes) -> None:
    """Take a bundle into a run of the same protocol."""
    run, file = place() / "taking", place() / "taken.zip"
    if not run.is_dir():
        shutil.copytree(run_folder(), run)
    file.write_bytes(data)
    import_bundle(run, file, lambda *_: None)


def merged(data: bytes) -> None:
    """Put a run of our own and a stranger's together."""
    theirs, out = place() / "theirs", place() / "merged"
    for folder in (theirs, out):
        shutil.rmtree(folder, ignore_errors=True)
    theirs.mkdir()
    (theirs / "run.db").write_bytes(data)
    merge([run_folder(), theirs], out)


def let_in(said: str) -> None:
    """Ask a served page for its cookie, or come with one."""
    door = Door("key")
    assert not door.cookie(80, said) or "key=key" in said or "%" in said
    door.lets_in(80, said)
    path, _, query = door.within(said).partition("?")
    assert path in ("", *PAGES)
    assert "key" not in parse_qs(query)


def held(data: bytes) -> None:
    """Read a file of weights of either kind that a setting names."""
    for name in ("own.safetensors", "own.pth"):
        path = place() / name
        path.write_bytes(data)
        with suppress(Unavailable):
            tensors(path, largest=1 << 20, refuse=Unavailable)


@lru_cache(maxsize=1)
def tables() -> Tables:
    """Those of a small run."""
    with Store.open(run_folder()) as store:
        return read_tables(store)


def weights() -> bytes:
    """A file of safetensors, as far as it says what it holds."""
    header = json.dumps(HEADER).encode()
    return struct.pack("<Q", len(header)) + header + b"\0" * 24


SHAPES = {"json": json_shape, "jsonl": lines_shape(json_shape)}

TARGETS = (
    Target("bundle", taken, lambda: [bundle()], ("store/unpacking.py", "store/importing.py"),
           shape=zip_shape(SHAPES), slow=True, share=3),
    Target("merge", merged, runs, ("store/merging.py", "store/heads.py", "store/bodies.py",
           "store/calls_merged.py", "store/schema.py", "store/trusting.py"),
           shape=run_shape, slow=True, share=6),
    Target("door", spoken(let_in), lambda: [b"/?key=key", b"overpaint-view-80=key; a=b"],
           ("report/door.py",), (), words=(b"key=", b"&", b";", b"%6b", b"?")),
    Target("day", spoken(day), lambda: [b"2026-11-18T10:00:00+00:00"], ("report/account.py",), ()),
    Target("own-weights", held, lambda: [checkpoint(), weights()], ("vision/own_weights.py",), (),
           words=PICKLES, slow=True),
    Target("work-place", spoken(check_place), lambda: [b"ray://head:10001", b"ray", b"here"],
           ("work/joining.py",), (UserMistake,)),
    Target("page-address", spoken(lambda text: read_asked(text, tables())),
           lambda: [b"page=2&sort=worst&status=missing&q=a%20b", b"tag.kind=x", b"id=a/001"],
           ("report/paging.py",), (UserMistake,), words=(b"&", b"=", b"%", b"page", b"tag.")),
    Target("weights-size", filed("weights/a.safetensors", parameters), lambda: [weights()],
           ("models/weighing.py",), (), ints_shape),
)  # fmt: skip
