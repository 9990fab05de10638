# ruff: noqa: E501 (tables of cases, a line each)
"""Runs and bundles that a stranger made in bad faith, merged, imported and looked at."""

import contextlib
import hashlib
import io
import json
import os
import shutil
import sqlite3
import stat
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from hostile_case import ESCAPES, EVIL, SCRIPT, Case, Command, World, png, zeros

Members = dict[str, bytes]
QUIET = ("--workers", "0", "--quiet")


def _ran(world: World, out: str, editor: str) -> Path:
    """A run of one sample that comes with the package, and so of no code; made once for all."""
    made = world.outside.parent / "made" / editor
    what = "typeset" if editor == "mine" else "identity"  # whose picture is not known here
    if not made.exists():
        with tempfile.TemporaryDirectory(dir=world.outside.parent) as place:
            folder = Path(place) / "run"
            words = [
                "run",
                "demo",
                "--limit",
                "1",
                "-e",
                f"{editor}={what}",
                "-m",
                "mse",
                "-o",
                str(folder),
            ]
            _quietly([*words, "--no-floors", *QUIET])
            made.parent.mkdir(exist_ok=True)
            shutil.copytree(folder, made)
    shutil.copytree(made, out)
    return Path(out)


def _quietly(words: Command) -> None:
    from overpaint.cli import main

    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()) as said,
    ):
        code = main(words)
    assert code == 0, said.getvalue()


# ── a stranger's run ────────────────────────────────────────────────────────────────────────

Spoil = Callable[[Path, World], None]


def sql(*lines: str) -> Spoil:
    """With that done to its database."""

    def spoil(run: Path, world: World) -> None:
        with contextlib.closing(sqlite3.connect(run / "run.db")) as database:
            for line in lines:
                told = line.replace("OUTSIDE", str(world.outside)).replace("CANARY", world.canary)
                changed = database.execute(told).rowcount
                assert changed or not told.startswith("UPDATE"), line
            database.commit()

    return spoil


def bytes_of(change: Callable[[bytes], bytes]) -> Spoil:
    """With other bytes in its database."""

    def spoil(run: Path, _: World) -> None:
        with contextlib.closing(sqlite3.connect(run / "run.db")) as database:
            database.execute("PRAGMA journal_mode = delete")  # so that all of it is in this file
        (run / "run.db").write_bytes(change((run / "run.db").read_bytes()))

    return spoil


def picture(put: Callable[[Path, World], None]) -> Spoil:
    """With something else where the picture of its edit is."""

    def spoil(run: Path, world: World) -> None:
        with contextlib.closing(sqlite3.connect(run / "run.db")) as database:
            (name,) = database.execute("SELECT output FROM edits").fetchone()
        (path,) = run.rglob(name)
        path.unlink()
        put(path, world)

    return spoil


def database(put: Callable[[Path, World], None]) -> Spoil:
    """With something else where its database is."""

    def spoil(run: Path, world: World) -> None:
        (run / "run.db").unlink()
        put(run / "run.db", world)

    return spoil


def _torn(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes(range(256)) * 32 + data[middle + 8192 :]


RUNS: dict[str, Spoil] = {
    "with a trigger": sql(f"CREATE TRIGGER t AFTER INSERT ON info BEGIN SELECT load_extension('{EVIL}'); END"),
    "with a view": sql("CREATE VIEW v AS SELECT * FROM samples"),
    "whose samples are a view": sql("ALTER TABLE samples RENAME TO s", "CREATE VIEW samples AS SELECT * FROM s"),
    "whose measure is code": sql("UPDATE measures SET spec = 'OUTSIDE/evil.py:stolen'"),
    "whose benchmark is code": sql("UPDATE info SET value = '\"OUTSIDE/evil.py:stolen\"' WHERE key = 'benchmark'"),
    "whose editor is a program": sql(f"UPDATE editors SET spec = 'command:touch {EVIL}'"),
    "whose measure asks a server": sql("UPDATE measures SET spec = 'judge:textedit_if:CANARY/v1#m'"),
    "whose output is a path": sql("UPDATE edits SET output = '../../../outside/secret.txt'"),
    "whose output is an absolute path": sql("UPDATE edits SET output = 'OUTSIDE/secret.txt'"),
    "whose picture is a link to a secret": picture(lambda path, world: os.symlink(world.outside / "secret.txt", path)),
    "whose picture is a pipe": picture(lambda path, _: os.mkfifo(path)),
    "whose picture is another": picture(lambda path, _: path.write_bytes(png(9, 9)) and None),
    "whose picture is gone": picture(lambda path, _: None),
    "whose database is a link to a secret": database(lambda path, world: os.symlink(world.outside / "secret.txt", path)),
    "whose database is a pipe": database(lambda path, _: os.mkfifo(path)),
    "whose database is cut in the middle": bytes_of(lambda data: data[: len(data) // 2]),
    "whose database is torn": bytes_of(_torn),
    "whose sample is 100,000 brackets": sql("UPDATE samples SET body = '" + "[" * 100_000 + "'"),
    "whose sample is no object": sql("UPDATE samples SET body = '3'"),
    "whose sample shows a secret": sql("UPDATE samples SET body = replace(body, '.png', '.png/../../../../../../../../OUTSIDE/secret.txt')"),
    "whose sample's name is script": sql(f"UPDATE samples SET id = '{SCRIPT.replace(chr(39), '')}'"),
    "whose sample's name is escapes": sql(f"UPDATE samples SET id = '{ESCAPES}'"),
    "whose scores are infinite": sql("UPDATE scores SET value = 9e999, seconds = -9e999, weight = 9e999"),
    "whose scores are words": sql("UPDATE scores SET value = 'many', weight = 'x'"),
    "whose edit took for ever": sql("UPDATE edits SET seconds = 9e999"),
    "whose edit took a word": sql("UPDATE edits SET seconds = 'x'"),
    "whose notes are objects": sql("UPDATE edits SET notes = '[{\"a\":1}]'"),
    "whose edit is in no state": sql("UPDATE edits SET status = 'owned'"),
    "whose protocol is an object": sql("UPDATE info SET value = '{}' WHERE key = 'card_id'"),
    "whose call is none": sql("INSERT INTO calls (key, model, host, state, prompt, pictures, asked, started) VALUES ('k', 'm', 'h', 'replied', 'p', '{[', '{}', '1')"),
    "whose numbers are as large as can be": sql("UPDATE samples SET n = 9223372036854775807", "UPDATE edits SET sample = 9223372036854775807"),
    "whose facts are none": sql("UPDATE info SET value = '[[[' WHERE key = 'seed'"),
    "whose facts are a number of 5,000 digits": sql("UPDATE info SET value = '" + "9" * 5_000 + "' WHERE key = 'seed'"),
    "whose status is script": sql(f"UPDATE scores SET status = '{SCRIPT.replace(chr(39), '')}', reason = '{ESCAPES}'"),
    "whose reasons are 60 MB": sql("UPDATE edits SET reason = printf('%.*c', 62914560, 'x')"),
}  # fmt: skip


_MORE = "WITH RECURSIVE more(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM more WHERE k < 2999)"
LONG_ID = sql(
    f"{_MORE} INSERT INTO samples SELECT n + k, id || k, body FROM samples, more",
    f"{_MORE} INSERT INTO scores SELECT sample + k, editor, measure, against, value, status, reason,"
    " notes, seconds, weight FROM scores, more",
    "UPDATE samples SET id = printf('%.*c', 1000000, 'x') WHERE n = (SELECT max(n) FROM samples)",
)


def merged(spoil: Spoil) -> Callable[[World], Command]:
    """Merged into a run of this machine's own."""

    def make(world: World) -> Command:
        spoil(_ran(world, "theirs", "mine"), world)
        return ["merge", "theirs", "-o", "ours"]

    return make


def given_to(spoil: Spoil, *words: str) -> Callable[[World], Command]:
    """Given to one more command that reads it."""

    def make(world: World) -> Command:
        spoil(_ran(world, "theirs", "mine"), world)
        return [words[0], "theirs", *words[1:]]

    return make


def looked_at(spoil: Spoil) -> Callable[[World], list[Command]]:
    """Reported, and its pages looked at; then scored again."""

    def make(world: World) -> list[Command]:
        spoil(_ran(world, "theirs", "mine"), world)
        return [
            ["report", "theirs"],
            ["call:hostile_calls.harmless_report", "theirs"],
            ["score", "theirs", *QUIET],
        ]

    return make


# ── a stranger's bundle ─────────────────────────────────────────────────────────────────────

Change = Callable[[Members], Mapping[str, bytes] | bytes]


def written(members: Mapping[str, bytes], link: str = "") -> bytes:
    """A bundle: lists are packed, pictures are not."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = (
                zipfile.ZIP_DEFLATED if name.endswith(("json", "jsonl")) else zipfile.ZIP_STORED
            )
            if link and name.startswith(link):
                info.external_attr, data = (stat.S_IFLNK | 0o777) << 16, b"/etc/passwd"
            file.writestr(info, data)
    return out.getvalue()


def listed(name: str, change: Callable[[bytes], bytes]) -> Change:
    """With another list, whose hash is told as it is."""

    def done(members: Members) -> Members:
        data = change(members[name])
        manifest = json.loads(members["bundle.json"])
        manifest["lists"][name] |= {"sha256": hashlib.sha256(data).hexdigest()}
        return members | {name: data, "bundle.json": json.dumps(manifest).encode()}

    return done


def edits(**fields: object) -> Change:
    """With other fields in each edit."""

    def change(data: bytes) -> bytes:
        lines = [json.dumps(json.loads(line) | fields) for line in data.splitlines()]
        return "".join(f"{line}\n" for line in lines).encode()

    return listed("edits.jsonl", change)


def manifest(**fields: object) -> Change:
    """With other facts about itself."""
    return lambda members: (
        members | {"bundle.json": json.dumps(json.loads(members["bundle.json"]) | fields).encode()}
    )


def _swapped(members: Members) -> Members:
    name = next(name for name in members if name.startswith("pictures/"))
    return members | {name: png(9, 9)}


def _editors(spec: str) -> Change:
    def change(members: Members) -> Members:
        told = json.loads(members["bundle.json"])
        for one in told["editors"].values():
            one["spec"] = spec
        return members | {"bundle.json": json.dumps(told).encode()}

    return change


def _flag(data: bytes) -> bytes:
    return data.replace(
        b"PK\x01\x02" + data[data.index(b"PK\x01\x02") + 4 :][:4] + b"\0\0",
        b"PK\x01\x02" + data[data.index(b"PK\x01\x02") + 4 :][:4] + b"\1\0",
    )


BUNDLES: dict[str, Change] = {
    "that is whole": lambda members: members,
    "whose member leads out": lambda members: members | {f"../../{EVIL}": b"x"},
    "whose member has an absolute path": lambda members: members | {f"/tmp/{EVIL}": b"x"},
    "whose member is no picture": lambda members: members | {"pictures/ab/evil.py": b"x"},
    "whose picture is a link": lambda members: written(members, "pictures/"),
    "whose picture is another": _swapped,
    "without its picture": lambda members: {name: data for name, data in members.items() if not name.startswith("pictures/")},
    "whose list is not what it says": lambda members: members | {"edits.jsonl": members["edits.jsonl"] + b"{}\n"},
    "whose list is a bomb": listed("edits.jsonl", lambda _: b" " * (200 << 20)),
    "whose list is 100,000 brackets": listed("edits.jsonl", lambda _: b'{"a": ' + b"[" * 100_000 + b"\n"),
    "whose list is a million objects": listed("calls.jsonl", lambda _: b"{}\n" * 1_000_000),
    "whose reply has no prompt": listed("calls.jsonl", lambda _: json.dumps({"key": "0" * 64, "prompt": "0" * 64}).encode()),
    "whose list has a line of 40 MB": listed("edits.jsonl", lambda _: b"x" * (40 << 20)),
    "whose prompt has another hash": listed("prompts.jsonl", lambda _: json.dumps({"hash": "0" * 64, "text": "x"}).encode()),
    "whose edit took 1e400 seconds": listed("edits.jsonl", lambda data: data.replace(b'"seconds": ', b'"seconds": 1e400, "x": ')),
    "whose edit took 9…9 seconds": listed("edits.jsonl", lambda data: data.replace(b'"seconds": ', b'"seconds": ' + b"9" * 5_000)),
    "whose edit took 1e305 seconds": edits(seconds=1e305),
    "whose output is a path": edits(output="../../../outside/secret.txt"),
    "whose output is of another sort": edits(output=3),
    "whose status is none": edits(status="owned"),
    "whose editor is nobody": edits(editor="nobody"),
    "whose editor's name is escapes": edits(editor=ESCAPES),
    "whose notes are objects": edits(notes=[{"a": 1}]),
    "whose trace names 30,000 pictures": edits(trace=[{"a": f"{n:064x}.png"} for n in range(30_000)]),
    "whose sample is another": edits(content="0" * 64),
    "whose reason is escapes": edits(reason=ESCAPES, notes=[ESCAPES, SCRIPT]),
    "whose editor is a program": _editors(f"command:touch {EVIL}"),
    "of another protocol": manifest(card_id=ESCAPES),
    "of a newer form": manifest(overpaint=10**30),
    "whose lists are none": manifest(lists=[]),
    "whose table of itself is brackets": lambda members: members | {"bundle.json": b"[" * 100_000},
    "that is encrypted": lambda members: _flag(written(members)),
    "that is cut": lambda members: written(members)[:-200],
    "that is a picture": lambda _: png(),
    "that is zeros": lambda _: zeros(1 << 20),
}  # fmt: skip


def imported(change: Change) -> Callable[[World], Command]:
    """A bundle changed, and taken into a run."""

    def make(world: World) -> Command:
        theirs = _ran(world, "theirs", "mine")
        _quietly(["export", str(theirs), "-o", "b.zip"])
        shutil.rmtree(theirs)
        with zipfile.ZipFile("b.zip") as file:
            changed = change({name: file.read(name) for name in file.namelist()})
        world.put("b.zip", changed if isinstance(changed, bytes) else written(changed))
        _ran(world, "ours", "other")
        return ["import", "ours", "b.zip"]

    return make


def _piped(world: World) -> Command:
    _ran(world, "ours", "other")
    os.mkfifo("b.zip")
    return ["import", "ours", "b.zip"]


ROWS = ("edit took", "notes", "state", "protocol", "call is")
SEEN = ("trigger", "numbers", "sample", "scores", "facts", "status", "link", "pipe", "torn", *ROWS)
READERS = {"compared": ("compare",), "exported": ("export", "-o", "b.zip")}
QUICK = ("trigger", "a view", "database is torn", "no object", "facts are none", "notes are")
CASES = [
    *(Case("merges", f"a run {name}", merged(spoil), reads="database is a link" in name, quick=any(word in name for word in QUICK)) for name, spoil in RUNS.items()),
    *(Case("runs", f"a run {name}, looked at", looked_at(spoil), reads="link" in name, quick="took for ever" in name) for name, spoil in RUNS.items() if any(word in name for word in SEEN)),
    *(Case("runs", f"a run {name}, {how}", given_to(spoil, *words), quick="protocol" in name and how == "compared") for how, words in READERS.items() for name, spoil in RUNS.items() if any(word in name for word in ROWS)),
    Case("runs", "a run of 3,000 samples, an id of 1,000,000 letters among them", given_to(LONG_ID, "call:hostile_calls.chosen")),
    Case("runs", "a run whose call is none, told of", given_to(RUNS["whose call is none"], "show", "--calls")),
    *(Case("bundles", f"a bundle {name}", imported(change)) for name, change in BUNDLES.items()),
    Case("bundles", "a bundle that is a pipe", _piped),
]  # fmt: skip
