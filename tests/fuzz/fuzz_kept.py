"""Fuzz targets: runs, trained evaluators, weights, and requests to the servers."""

import io
import json
import pickle
import sqlite3
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from fuzz_sets import SAMPLE, dumped
from fuzz_shapes import TEXTS, VALUES, ints_shape, json_shape
from fuzz_target import Target, anyhow, filed, place, spoken

from overpaint.errors import OverpaintError, Unavailable, UserMistake
from overpaint.measures import learned
from overpaint.measures.calibration_maps import FORMAT, read_map
from overpaint.measures.learned import fusion
from overpaint.models import trained_card
from overpaint.report import layers, serving, write_report
from overpaint.report.tables import read_tables
from overpaint.store import Store, orphans, recall_evidence, schema
from overpaint.store.samples import load_sample
from overpaint.testing.wire import read_head
from overpaint.vision import checkpoints, own_weights

# ── a run ───────────────────────────────────────────────────────────────────────────────


EVIDENCE = ("known", "unknown")  # keys


@lru_cache(maxsize=1)
def run_folder() -> Path:
    """A small run."""
    from made_run import usual_run

    return usual_run(place() / "seed-run", samples=4, revision="ab", created="2026-11-18")


def runs() -> list[bytes]:
    """The file of a small run."""
    db = sqlite3.connect(":memory:")
    with closing(sqlite3.connect(run_folder() / "run.db")) as run:
        run.backup(db)
    with db:  # what stands in its journal as well
        db.execute("INSERT INTO evidence VALUES (?, ?)", (EVIDENCE[0], "[]"))
        db.execute("INSERT INTO prompts VALUES ('ab', 'What is it?')")
        db.execute(
            "INSERT INTO calls (n, key, model, host, state, prompt, pictures, asked, started,"
            " reply) VALUES (1, 'k', 'm', 'h', 'replied', 'ab', '[]', '{}', '2026-11-18', 'A cat.')"
        )
        return [db.serialize()]


def opened(path: Path) -> None:
    """Open a run and read all of it, as `report`, `show` and `upkeep` do."""
    for journal in ("run.db-wal", "run.db-shm"):
        path.with_name(journal).unlink(missing_ok=True)
    with Store.open(path.parent) as store:
        _ = store.info, store.editors, store.measures, store.floors
        for sample in store.samples():
            assert sample.id is not None
        list(store.edits())
        list(store.rows())
        read_tables(store)
    for key in EVIDENCE:
        recall_evidence(path.parent, key)
    list(orphans.orphans(path.parent))
    schema._connect_for_reading(path.parent).close()


def reported(path: Path) -> None:
    """Write a stranger's run as a page, its gallery of few samples among it."""
    for journal in ("run.db-wal", "run.db-shm"):
        path.with_name(journal).unlink(missing_ok=True)
    with Store.open(path.parent) as store:
        write_report(store, path.parent / "report", limit=2, workers=0)


def studied() -> list[bytes]:
    """A study's book, as far as it is asked for the pictures that people saw."""
    db = sqlite3.connect(":memory:")
    with db:
        db.execute("CREATE TABLE pictures (path TEXT)")
        db.execute("INSERT INTO pictures VALUES (?)", (f"pictures/ab/{'ab' * 32}.png",))
        return [db.serialize()]


def run_shape(data: bytes, rng: Random) -> bytes:
    """A run of which one cell of one table is another value."""
    if rng.random() < 0.3:
        return ints_shape(data, rng)
    db = sqlite3.connect(":memory:")
    try:
        db.deserialize(data)
        tables = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        table = rng.choice(tables)
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        column = rng.choice(columns)
        old = db.execute(f"SELECT {column} FROM {table} ORDER BY random() LIMIT 1").fetchone()
        new: Any = rng.choice((*VALUES[:11], *TEXTS, b"\xff"))
        if old and isinstance(old[0], str) and rng.random() < 0.6:
            new = json_shape(old[0].encode(), rng).decode("utf-8", "replace")
        new = new.encode("utf-8", "replace").decode() if isinstance(new, str) else new
        new = new if isinstance(new, str | bytes | float | None) else min(max(new, -9), 9)
        db.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE rowid = "
                   f"(SELECT rowid FROM {table} ORDER BY random() LIMIT 1)", (new,))  # fmt: skip
        db.commit()
        return db.serialize()
    except (sqlite3.Error, IndexError, OverflowError, UnicodeDecodeError, MemoryError):
        return anyhow(data, rng)
    finally:
        db.close()


# ── what was trained ────────────────────────────────────────────────────────────────────

CARD = {
    "form": "overpaint-reasoner/1", "base": "smollm2", "prompt": "2026-11-18-decide-short.md",
    "sees": False, "pixels": 0, "longest": 96, "revision": None, "fingerprint": "ab",
    "stage": "after GRPO", "table": [
        {"who": "always keep", "on": "held out", "accuracy": 62.5, "documents": 120},
        {"who": "after GRPO", "on": "held out", "accuracy": 84.0, "documents": 120}],
}  # fmt: skip
WEIGHTS = (("adapter_model.safetensors", b"weights"), ("adapter_config.json", b"{}"))
MAP = {"format": FORMAT, "maps": [{"measure": "m", "dimension": "q", "x": [0.0, 1.0],
       "y": [1.0, 2.0], "increasing": True, "n": 9}]}  # fmt: skip
STACK = {"form": layers.FORM, "size": [9, 9], "layers": [{"id": "1", "picture": None}]}


def packaged(path: Path) -> None:
    """Read the description of a trained evaluator."""
    learned.read_package.__wrapped__(path.parent)


def fused(data: bytes) -> None:
    """Read a fusion's numbers as those of the package that is shipped."""
    package = learned.read_package(learned.embedded())
    path = place() / "fusion" / "fusion.json"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    facts = {**package.facts, "files": {"fusion.json": ""}}
    fusion.load(learned.Package(path.parent, "n", "fusion", package.scales, facts, ""))


def small_fusion() -> bytes:
    """The shipped fusion with few of its members."""
    found = json.loads((learned.embedded() / "fusion.json").read_text(encoding="utf-8"))
    for one in found["dimensions"].values():
        one["members"], one["weights"] = one["members"][:1], one["weights"][:1]
    return json.dumps(found).encode()


def stacked(path: Path) -> None:
    """Read what was kept of a document's layers, and how weights want pictures prepared."""
    found = path.parent / path.name[:2] / f"{path.name}.layers.json"
    found.parent.mkdir(exist_ok=True)
    found.write_bytes(path.read_bytes())
    layers.kept_stack(path.name, path.parent)
    (path.parent / own_weights.SETTINGS_FILE).write_bytes(path.read_bytes())
    own_weights.preparation(path.parent)


# ── weights ─────────────────────────────────────────────────────────────────────────────


def checkpoint() -> bytes:
    """A dictionary of one array as torch once wrote it."""
    import torch

    out = io.BytesIO()
    torch.save({"a": torch.ones(3, 2)}, out, _use_new_zipfile_serialization=False)
    return out.getvalue()


PICKLES = (b"cos\nsystem\n", b"cbuiltins\neval\n", b"(S'x'\ntR.", b"\x80\x02", b"ctorch\n",
           pickle.dumps([1] * 3), b"Q", b"\x8a\x0a", b"b", b"2" * 40)  # fmt: skip


# ── requests ────────────────────────────────────────────────────────────────────────────


class Plug:
    """A socket whose other end has said all it will say."""

    def __init__(self, said: bytes) -> None:
        self._said, self.sent = said, b""

    def makefile(self, *_: object) -> io.BytesIO:
        """What was said."""
        return io.BytesIO(self._said)

    def sendall(self, data: bytes) -> None:
        """Keep what is answered."""
        self.sent += bytes(data)

    def settimeout(self, _: float) -> None:
        """It waits for nothing."""


@lru_cache(maxsize=1)
def live() -> serving.Live:
    """A run, served."""
    return serving.Live(run_folder())


def asked(data: bytes) -> None:
    """Ask the server of `view` something, by its own address and by what is said."""
    served = SimpleNamespace(live=live(), server_address=("127.0.0.1", 1), door=None)
    for said in (data, b"GET /%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % data.split(b"\r\n")[0]):
        plug = Plug(said)
        serving.Handler(plug, ("127.0.0.1", 2), served)  # type: ignore[arg-type]
        status = plug.sent.split(b" ", 2)[1:2]
        assert status != [b"500"], plug.sent[:400]
        assert b"SQLite" not in plug.sent


REQUESTS = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /version HTTP/1.0\r\nHost: localhost\r\n\r\n",
    b"GET /pictures/ab/" + b"a" * 64 + b".png HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n",
    b"GET /blocks/0 HTTP/1.1\r\nHost: [::1]\r\n\r\n",
    b"blocks/0",
    b"inside/0",
    b"../run.db",
    b"HEAD / HTTP/1.1\r\n\r\n",
    b"thumbs/ab/" + b"b" * 64 + b".webp",
)


def headed(data: bytes) -> None:
    """Read the head of a request to the packaged fake server."""
    read_head(data, 0)


TARGETS = (
    Target("run", filed("run/run.db", opened), runs, ("store/__init__.py", "store/samples.py",
           "store/facts.py", "store/trusting.py", "store/evidence.py", "store/orphans.py",
           "store/schema.py"),
           (OverpaintError,), run_shape, slow=True),
    Target("report", filed("reported/run.db", reported), runs, ("store/facts.py",
           "store/samples.py"), (OverpaintError,), run_shape, slow=True),
    Target("study-pictures", filed("studies/a.db", orphans._shown), studied,
           ("store/orphans.py",), shape=run_shape),
    Target("trained-card", filed("card/reasoner.json",
           lambda path: trained_card.read_card(path.parent), *WEIGHTS), lambda: [dumped(CARD)],
           ("models/trained_card.py",), shape=json_shape),
    Target("package", filed("package/learned.json", packaged, ("fusion.json",
           (learned.embedded() / "fusion.json").read_bytes())),
           lambda: [(learned.embedded() / "learned.json").read_bytes()],
           ("measures/learned/__init__.py",), (UserMistake,), json_shape),
    Target("fusion", fused, lambda: [small_fusion()], ("measures/learned/fusion.py",),
           shape=json_shape, slow=True),
    Target("calibration", filed("calibration.json", lambda path: read_map(path, "m", "q")),
           lambda: [dumped(MAP)], ("measures/calibration_maps.py",), (UserMistake,), json_shape),
    Target("layers", filed("stack/abcd", stacked), lambda: [dumped(STACK)],
           ("report/layers.py", "vision/own_weights.py"), (), json_shape),
    Target("checkpoint", filed("net.pth", checkpoints.read_checkpoint), lambda: [checkpoint()],
           ("vision/checkpoints.py",), (Unavailable,), words=PICKLES, slow=True),
    Target("view", asked, lambda: REQUESTS, ("report/serving.py",), (),
           words=(b"..", b"%2e", b"\r\n", b"Host: ", b"blocks/", b"inside/", b"000000", b"?v=1")),
    Target("fake-server", headed, lambda: REQUESTS[:4], ("testing/wire.py",), ()),
    Target("sample", spoken(load_sample), lambda: [dumped(SAMPLE)], ("store/samples.py",),
           (OverpaintError,), json_shape),
)  # fmt: skip
