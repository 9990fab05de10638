"""Fuzz targets: bundles, places to work on, addresses of pages, sizes of weights."""

import json
import shutil
import struct
from functools import lru_cache

from fuzz_kept import run_folder
from fuzz_shapes import ints_shape, json_shape, lines_shape, zip_shape
from fuzz_target import Target, filed, place, spoken

from overpaint.errors import UserMistake
from overpaint.models.weighing import parameters
from overpaint.report.paging import read_asked
from overpaint.report.tables import Tables, read_tables
from overpaint.store import Store
from overpaint.store.exporting import Chosen, export_bundle
from overpaint.store.importing import import_bundle
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
    Target("bundle", taken, lambda: [bundle()], ("store/unpacking.py",),
           shape=zip_shape(SHAPES), slow=True),
    Target("work-place", spoken(check_place), lambda: [b"ray://head:10001", b"ray", b"here"],
           ("work/joining.py",), (UserMistake,)),
    Target("page-address", spoken(lambda text: read_asked(text, tables())),
           lambda: [b"page=2&sort=worst&status=missing&q=a%20b", b"tag.kind=x", b"id=a/001"],
           ("report/paging.py",), (UserMistake,), words=(b"&", b"=", b"%", b"page", b"tag.")),
    Target("weights-size", filed("weights/a.safetensors", parameters), lambda: [weights()],
           ("models/weighing.py",), (), ints_shape),
)  # fmt: skip
