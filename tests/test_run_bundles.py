"""Bundles: outputs and replies for others, so that one editor is added without paying again."""

import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_run_shards import BENCH, IN_HERE, NOTHING, SPREAD, bytes_of, change, part, told

from overpaint import catalog
from overpaint.cli import main
from overpaint.errors import DataError, NoOutput, OverpaintError, StoreError, UserMistake
from overpaint.run import open_run, retry, run, score
from overpaint.store import Store
from overpaint.store.bundles import Discretion
from overpaint.store.exporting import Chosen, export_bundle
from overpaint.store.importing import import_bundle
from overpaint.store.unpacking import DIRECTORY, opened
from overpaint.testing import FakeServer

POOR = "judging_toy.py:Poor"  # as a run calls it that was not told a name


def quiet(*_: object) -> None:
    pass


def judged(server: FakeServer, out: Path, *painters: str) -> Path:
    measures = [f"judge:textedit_if:{server.url}#m"]
    return part(out, editors=[f"{one.lower()}={BENCH}:{one}" for one in painters],
                measures=measures, limit=4)  # fmt: skip


def bundle_of(folder: Path, out: Path, **chosen: Any) -> Path:
    export_bundle(folder, out, Chosen(**chosen), quiet)
    return out


def test_others_add_an_editor_and_nothing_is_asked_again(tmp_path: Path) -> None:
    with FakeServer(process=False) as server:
        theirs = judged(server, tmp_path / "theirs", "Good", "Poor")
        asked = server.counts().total
        assert asked == 8
        bundle = bundle_of(theirs, tmp_path / "theirs.zip")
        ours = judged(server, tmp_path / "ours", "Fair")
        assert server.counts().total == asked + 4
        counts = import_bundle(ours, bundle, quiet)
        assert counts == {"edits": 8, "replies": 8}
        score(ours, settings=IN_HERE)
        assert server.counts().total == asked + 4  # theirs were not asked again
        assert not server.counts().repeated
        both = judged(server, tmp_path / "both", "Fair", "Good", "Poor")
    assert told(ours)["scores"] == told(both)["scores"]
    assert open_run(ours).table() == open_run(both).table()
    (bill,) = open_run(ours).bill()
    assert (bill.calls, bill.attempts) == (12, 4)  # what others asked is none of ours
    assert import_bundle(ours, bundle, quiet) == {"known": 8, "replies known": 8}


@pytest.mark.slow
def test_the_command_line_exports_and_imports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs, ours = part(tmp_path / "theirs"), part(tmp_path / "ours", editors=[f"{BENCH}:Poor"])
    out = str(tmp_path / "b.zip")
    assert main(["export", str(theirs), "--editor", "good", "-o", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pictures"] == 7
    assert main(["import", str(ours), out]) == 0
    assert "        7 edits are new\n        0 replies are new\n" in capsys.readouterr().out
    for wrong, words in (
        (["--editor", "nobody"], "has no editor 'nobody'. It has good."),
        (["--no-pictures", "--no-replies"], "nothing is left to export"),
        (["--parquet", "--editor", "good"], "--parquet writes all rows"),
    ):
        assert main(["export", str(theirs), "-o", out, *wrong]) == 2
        assert words in capsys.readouterr().err
    assert main(["export", str(theirs), "-o", str(tmp_path / "b")]) == 2
    assert "It ends in .zip." in capsys.readouterr().err


def test_no_secret_and_no_folder_of_ours_goes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERPAINT_API_KEY", "sk-hush-hush")
    key, home = "sk-in-a-command", str(tmp_path)
    painter = tmp_path / "edit.sh"
    painter.write_text(f"#!/bin/sh\necho {home}/secret/place failed >&2; exit 1\n")
    with FakeServer(process=False) as server:
        run(f"{BENCH}:bench", out=tmp_path / "r", limit=2, floors=False, settings=IN_HERE,
            editors=[f"mine=command:sh {painter} {key} {{input}} {{output}}", f"{BENCH}:Good"],
            measures=[f"judge:textedit_if:{server.url}#m"])  # fmt: skip
    with zipfile.ZipFile(bundle_of(tmp_path / "r", tmp_path / "r.zip")) as archive:
        text = b"".join(map(archive.read, archive.namelist())).decode("latin-1")
        names = " ".join(archive.namelist())
        manifest = json.loads(archive.read("bundle.json"))
    for secret in (key, "sk-hush-hush", home, str(Path.home()), str(Path.cwd()), "secret/place"):
        assert secret not in text + names
    assert "replies" not in manifest
    assert all(one["spec"].startswith("imported:") for one in manifest["editors"].values())
    assert "exit" in text.lower() or "failed" in text  # the reason itself did go out


def test_folders_in_traces_stay_at_home_and_markup_stays_whole(tmp_path: Path) -> None:
    root = min(path.name for path in Path("/").iterdir() if path.is_dir())
    folder, why = part(tmp_path / "r", limit=1, measures=[]), f"cannot open /{root}/mine/x.ttf"
    trace = [{"step": "repair", "said": why, "layer": "1/2/3", "text": "<tr><td>1</td></tr> 1/2",
              f"/{root}/mine/1": "one", f"/{root}/mine/too/1": "two"}]  # fmt: skip
    with Store.open(folder) as store:
        [edit] = store.edits()
        store.put_edit(replace(edit, reason=why, notes=(why,), trace=tuple(trace)))
    with zipfile.ZipFile(bundle_of(folder, tmp_path / "r.zip")) as archive:
        line = json.loads(archive.read("edits.jsonl"))
    told = "cannot open …/x.ttf"
    assert (line["reason"], line["notes"]) == (told, [told])
    assert line["trace"] == [trace[0] | {"said": told}]


def test_only_what_lies_on_a_machine_is_left_out() -> None:
    root = min(path.name for path in Path("/").iterdir() if path.is_dir())
    told = Discretion("/secret/run", r"D:\mine").told
    for text in (
        "1/2/3", "and/or/not", "/fix/this/typo", "…/this/typo", "no /v1/images/edits here",
        f"https://example.com/{root}/x/y.png", f"src/{root}/x/y.py", f"/{root}less/x/y.py",
    ):  # fmt: skip
        assert told(text) == text
    for text, shown in {
        f"/{root}/y.py": "…/y.py", f"error:/{root}/anna/x/y.py:3": "error:…/y.py:3",
        "/Users/anna/y.py": "…/y.py",
        f"in '/{root}/a/b', not /{root}/c/d/": "in '…/b', not …/",
        "of file:///nowhere/x/y": "of …/y", f"file://host/{root}/x/y.py": "…/y.py",
        "/secret/run": "…", "file:///secret/run": "…", f"/{root}/of/secret/run/a/b.png": "…/b.png",
        "at /secret/run/a/b.png": "at …/b.png", r"D:\mine\x\y.py": r"…\x\y.py",
    }.items():  # fmt: skip
        assert told([text]) == [shown]


def test_a_name_that_cannot_be_written_is_told_as_one(tmp_path: Path) -> None:
    folder = part(tmp_path / "r", limit=1, measures=[])
    (tmp_path / "file").write_text("")
    out = tmp_path / "file" / "b.zip"
    with pytest.raises(StoreError, match=f"The file {out} cannot be written: .*another with -o"):
        bundle_of(folder, out)


def test_a_run_whose_pictures_are_gone_is_not_exported(tmp_path: Path) -> None:
    folder = part(tmp_path / "r", limit=2, measures=[])
    with Store.open(folder) as store:
        output = next(store.edits()).output
    assert output is not None
    assert output.path is not None
    output.path.unlink()
    with pytest.raises(StoreError, match=f"{output.path.name} of an edit is gone.*overpaint retry"):
        export_bundle(folder, tmp_path / "r.zip", Chosen(), quiet)
    assert not [*tmp_path.glob("*.zip"), *tmp_path.glob(".*")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes of POSIX")
def test_a_pipe_is_no_bundle_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "b.zip")
    with (
        pytest.raises(DataError, match="cannot be read: it is no file"),
        opened(tmp_path / "b.zip"),
    ):
        pass


@pytest.mark.slow
def test_floors_and_ceilings_stay_unless_they_are_named(tmp_path: Path) -> None:
    folder = part(tmp_path / "r", floors=True, limit=2, measures=[])
    counts = export_bundle(folder, tmp_path / "a.zip", Chosen(), quiet)
    assert counts == {"edits": 2, "pictures": 2, "replies": 0}
    named = export_bundle(folder, tmp_path / "b.zip", Chosen(("identity", "good")), quiet)
    assert named["edits"] == 4
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert json.loads(archive.read("bundle.json"))["editors"]["identity"]["spec"] == "identity"


@pytest.mark.slow
def test_what_is_in_the_run_stays_and_what_has_no_sample_is_left(tmp_path: Path) -> None:
    bundle = bundle_of(part(tmp_path / "all"), tmp_path / "all.zip")
    shard = part(tmp_path / "shard", "1/2", editors=[f"{BENCH}:Poor"])
    assert import_bundle(shard, bundle, quiet) == {
        "edits": 4, "of samples that are not in the run": 3
    }  # fmt: skip
    other = part(tmp_path / "other", limit=3)
    change(other, "UPDATE edits SET output = '', status = 'refused' WHERE sample = 2")
    before = told(other)
    assert import_bundle(other, bundle, quiet) == {
        "known": 2, "kept as they are here": 1, "of samples that are not in the run": 4
    }  # fmt: skip
    assert told(other) == before


def test_what_failed_here_is_filled_by_an_import_and_not_asked_of_nobody(tmp_path: Path) -> None:
    theirs = part(tmp_path / "theirs", limit=3, measures=[NOTHING])
    full = bundle_of(theirs, tmp_path / "full.zip")
    change(theirs, "UPDATE edits SET output = '', status = 'no_output' WHERE sample = 2")
    gap = bundle_of(theirs, tmp_path / "gap.zip")
    ours = part(tmp_path / "ours", editors=[f"{BENCH}:Poor"], limit=3, measures=[NOTHING, SPREAD])
    assert import_bundle(ours, gap, quiet) == {"edits": 3}
    score(ours, settings=IN_HERE)
    with Store.open(ours) as store:
        store.add_measure("duel", "duel", "1", pairs=True)
    change(ours, "INSERT INTO scores VALUES (2, 1, 3, 'good', 1, 'ok', '', '[]', 0, 1)")
    change(ours, "INSERT INTO scores VALUES (3, 1, 3, 'good', 1, 'ok', '', '[]', 0, 1)")
    before = told(ours)
    _, edits, scores = retry(ours, IN_HERE)
    assert (edits, scores, told(ours)) == (0, 0, before)  # nobody can be asked for it
    assert import_bundle(ours, gap, quiet) == {"known": 3}
    assert import_bundle(ours, full, quiet) == {"known": 2, "edits": 1}
    with Store.open(ours) as store:
        assert {edit.status for edit in store.edits()} == {"ok"}
        assert [vote.sample for vote in store.votes()] == ["s02"]
        assert ("s01", "good") not in {row[:2] for row in store.rows()}
        assert {row.editor for row in store.sets(["spread"])} == {POOR}
    score(ours, settings=IN_HERE)
    assert len(told(ours)["scores"]) == 3 * 2 * 2


def test_an_export_that_no_import_would_take_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = part(tmp_path / "r", limit=3, measures=[])
    bundle_of(folder, tmp_path / "few.zip")
    with zipfile.ZipFile(tmp_path / "few.zip") as archive:
        entries = [one for one in archive.infolist() if one.filename.startswith("pictures/")]
    room = sum(46 + len(one.filename) + len(one.extra) for one in entries)
    monkeypatch.setattr("overpaint.store.exporting.DIRECTORY", room - 1)
    with pytest.raises(UserMistake, match="3 pictures would be taken by no .*--editor NAME"):
        bundle_of(folder, tmp_path / "all.zip")
    assert not [*tmp_path.glob("all.zip"), *tmp_path.glob(".*")]
    assert room / 3 * 2_000_000 < DIRECTORY  # as many as 100,000 samples have, and their traces


@pytest.mark.slow
def test_what_does_not_belong_is_refused_whole(tmp_path: Path) -> None:
    bundle = bundle_of(part(tmp_path / "theirs"), tmp_path / "b.zip")
    ours = part(tmp_path / "ours", editors=[f"{BENCH}:Poor"])
    change(ours, "UPDATE info SET value = '\"toy#1\"' WHERE key = 'card_id'")
    with pytest.raises(StoreError, match="another protocol: judging-toy#.*, not toy#1"):
        import_bundle(ours, bundle, quiet)
    ours = part(tmp_path / "named", editors=[f"good={BENCH}:Poor"])
    with pytest.raises(StoreError, match="the editor 'good' is '.*:Poor'; in the bundle"):
        import_bundle(ours, bundle, quiet)
    ours = part(tmp_path / "else", editors=[f"{BENCH}:Poor"])
    change(ours, "UPDATE samples SET body = replace(body, 'for the 6. time', 'once') WHERE n = 7")
    before = told(ours)
    with pytest.raises(StoreError, match="The sample s06 is another one in the bundle"):
        import_bundle(ours, bundle, quiet)
    assert told(ours) == before


# ── bundles made to do harm ─────────────────────────────────────────────────────────────────

Members = dict[str, bytes]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> tuple[Members, Path]:
    """The members of a good bundle, and a run that would take it."""
    folder = tmp_path_factory.mktemp("honest")
    with FakeServer(process=False) as server:
        bundle = bundle_of(judged(server, folder / "theirs", "Good"), folder / "b.zip")
    with zipfile.ZipFile(bundle) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return members, part(folder / "ours", editors=[f"{BENCH}:Poor"])


def pictured(members: Members) -> str:
    return next(name for name in members if name.startswith("pictures/"))


def relisted(members: Members, name: str, change: Callable[[dict[str, Any]], None]) -> Members:
    """With the first line of a list changed, and the manifest made to agree."""
    first, *rest = members[name].splitlines(keepends=True)
    line = json.loads(first)
    change(line)
    data = json.dumps(line).encode() + b"\n" + b"".join(rest)
    manifest = json.loads(members["bundle.json"])
    manifest["lists"][name]["sha256"] = hashlib.sha256(data).hexdigest()
    return members | {name: data, "bundle.json": json.dumps(manifest).encode()}


def edited(**what: Any) -> Callable[[Members], Members]:
    return lambda members: relisted(members, "edits.jsonl", lambda line: line.update(what))


def replied(**what: Any) -> Callable[[Members], Members]:
    return lambda members: relisted(members, "calls.jsonl", lambda line: line.update(what))


def of_manifest(**what: Any) -> Callable[[Members], Members]:
    return lambda members: (
        members | {"bundle.json": json.dumps(json.loads(members["bundle.json"]) | what).encode()}
    )


FORGED: dict[str, tuple[Callable[[Members], Members], str]] = {
    "a picture that is another": (
        lambda m: m | {pictured(m): b"\x89PNG other"}, "the picture .* is [0-9a-f]{64}"),
    "a picture that is gone": (
        lambda m: {k: v for k, v in m.items() if k != pictured(m)}, "is not in it"),
    "a list that was changed": (
        lambda m: m | {"calls.jsonl": m["calls.jsonl"] + b"{}\n"}, "is not what bundle.json says"),
    "a name that climbs": (
        lambda m: m | {"../../evil.png": b"x"}, "'../../evil.png' is no name of anything"),
    "an absolute name": (lambda m: m | {"/etc/passwd": b"x"}, "is no name of anything"),
    "a name in the wrong folder": (
        lambda m: m | {f"pictures/zz/{'a' * 64}.png": b"x"}, "is no name of anything"),
    "an output that climbs": (edited(output="../../../etc/passwd"), "no edit that a run could"),
    "a status that is none": (edited(status="splendid"), "has the status 'splendid'"),
    "ok without an output": (edited(output=""), "has the status 'ok' and the output ''"),
    "endless seconds": (edited(seconds=float("inf")), "has inf as its seconds"),
    "seconds that no row can hold": (
        edited(seconds=10**30), "line 1 has a number too large as its seconds"),
    "tokens that no row can hold": (
        replied(tokens_in=-(10**30)), "line 1 has a number too large as its tokens_in"),
    "seconds that no editor takes": (
        edited(seconds=1e305), "the run would have an edit .* \\(sample 's00', editor 'good'\\)"),
    "seconds that no model takes": (replied(seconds=1e305), "the run would have a call that no"),
    "tokens beyond counting": (replied(tokens_out=1e305), "the run would have a call that no"),
    "a question with no number": (
        replied(asked={"turn": float("nan")}), "the run would have a call that no"),
    "an endless picture": (
        replied(pictures=[{"wide": float("inf")}]), "the run would have a call that no"),
    "notes that are none": (edited(notes=[{"a": 1}]), "has notes that are none"),
    "a reason of megabytes": (edited(reason="x" * 10**6), "no edit that a run could hold"),
    "an editor of which nothing is said": (edited(editor="ghost"), "what the editor 'ghost' is"),
    "an editor of which only another maker is told": (
        lambda m: of_manifest(editors={POOR: {"maker": "0" * 32}})(edited(editor=POOR)(m)),
        f"the editor '{POOR}' is '.*:Poor'; in the bundle it is ''"),
    "an editor that nobody made": (
        of_manifest(editors={"good": {"spec": "identity", "maker": "x"}}), "is no editor"),
    "a host that is a trick": (replied(host="a\x1b[2J"), "names no model and host"),
    "a newer form": (of_manifest(overpaint=2), "is of form 2; this Overpaint knows 1"),
    "another revision": (of_manifest(revision="0"), "another revision of the data: 0, not"),
    "no manifest": (
        lambda m: {k: v for k, v in m.items() if k != "bundle.json"}, "it has no bundle.json"),
    "a prompt that is another": (
        lambda m: relisted(m, "prompts.jsonl", lambda line: line.update(text="Say 10.")),
        "the prompt '[0-9a-f]{64}' is"),
    "a reply to nothing": (replied(prompt="0" * 64), "answers no question"),
    "a reply that is a number": (replied(reply=7), "has '7' as its reply"),
    "lines nested a thousand deep": (
        lambda m: relisted(m, "edits.jsonl", lambda line: line.update(trace=deep())),
        "a trace that is none|is no JSON"),
}  # fmt: skip


def deep() -> list[Any]:
    found: list[Any] = []
    for _ in range(900):
        found = [found]
    return found


def zipped(path: Path, members: Members, pressed: tuple[str, ...] = ()) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            kind = zipfile.ZIP_DEFLATED if name in pressed else zipfile.ZIP_STORED
            archive.writestr(zipfile.ZipInfo(name), data, kind)
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["images:http://evil.example/v1#m", "command:rm -rf ~", "/tmp/evil.py:Evil", "agent"]
)
def test_a_strangers_editor_is_never_asked_from_here(
    spec: str, honest: tuple[Members, Path], tmp_path: Path
) -> None:
    members, _ = honest
    forged = of_manifest(editors={"good": {"spec": spec, "maker": "ab" * 16}})(dict(members))
    ours = part(tmp_path / "ours", editors=[f"{BENCH}:Poor"])
    import_bundle(ours, zipped(tmp_path / "b.zip", forged), quiet)
    with Store.open(ours) as store:
        assert store.editors["good"] == f"imported:{'ab' * 16}"
        with pytest.raises(NoOutput, match="It was made elsewhere and cannot be asked here"):
            catalog.editor(store.editors["good"])(next(store.samples()).request)


@pytest.mark.parametrize("forgery", FORGED)
def test_a_forged_bundle_is_refused_and_leaves_nothing(
    forgery: str, honest: tuple[Members, Path], tmp_path: Path
) -> None:
    members, ours = honest
    before, kept = told(ours), len(bytes_of(ours / "pictures"))
    forge, words = FORGED[forgery]
    with pytest.raises(OverpaintError, match=words):
        import_bundle(ours, zipped(tmp_path / "b.zip", forge(dict(members))), quiet)
    assert told(ours) == before
    assert len(bytes_of(ours / "pictures")) == kept
    assert not [path for path in ours.rglob(".*") if path.is_file()]


def test_a_damaged_run_is_blamed_for_itself_and_not_the_bundle(
    honest: tuple[Members, Path], tmp_path: Path
) -> None:
    members, sound = honest
    ours = tmp_path / "ours"
    shutil.copytree(sound, ours)
    change(ours, "UPDATE edits SET seconds = 9e999 WHERE sample = 2")
    before = told_of(ours)
    said = rf"The run in {ours} is damaged: it has an edit .* \(sample 's01', editor '{POOR}'\)"
    with pytest.raises(StoreError, match=said):
        import_bundle(ours, zipped(tmp_path / "b.zip", dict(members)), quiet)
    assert told_of(ours) == before


def told_of(folder: Path) -> list[int]:
    with Store.open(folder) as store:
        return [*store.counts().values(), len(store.editors)]


def test_an_import_that_is_broken_off_leaves_no_pictures(
    honest: tuple[Members, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    members, ours = honest
    before, kept = told(ours), bytes_of(ours / "pictures")
    monkeypatch.setattr("overpaint.store.importing.add_call", stop)
    with pytest.raises(KeyboardInterrupt):
        import_bundle(ours, zipped(tmp_path / "b.zip", dict(members)), quiet)
    assert told(ours) == before
    assert bytes_of(ours / "pictures") == kept


@pytest.mark.slow
def test_bombs_and_files_that_lie_about_sizes_are_refused_quickly(
    honest: tuple[Members, Path], tmp_path: Path
) -> None:
    members, ours = honest
    before, path = told(ours), tmp_path / "b.zip"
    bomb = members | {"calls.jsonl": b" " * (80 * 2**20)}
    zipped(path, bomb, pressed=("calls.jsonl",))
    with pytest.raises(DataError, match="calls.jsonl would unpack to 83,886,080 bytes"):
        import_bundle(ours, path, quiet)
    zipped(path, members, pressed=(pictured(members),))
    with pytest.raises(DataError, match="the picture .* is compressed"):
        import_bundle(ours, path, quiet)
    good = zipped(path, members).read_bytes()
    name = pictured(members).encode()
    where = good.rindex(b"PK\x01\x02", 0, good.rindex(name))
    for size in (2**31, len(members[name.decode()]) + 50):  # in the table of contents
        field = size.to_bytes(4, "little") * 2
        path.write_bytes(good[: where + 20] + field + good[where + 28 :])
        with pytest.raises(DataError, match="larger than the file|is damaged|the picture"):
            import_bundle(ours, path, quiet)
    path.write_bytes(good[: len(good) // 2])
    with pytest.raises(DataError, match="it is damaged \\(BadZipFile"):
        import_bundle(ours, path, quiet)
    with path.open("wb") as sparse:  # a table of contents of gigabytes
        sparse.truncate(2**31)
        sparse.seek(2**31 - 22)
        end = (b"PK\x05\x06", b"\0" * 8, (2**31 - 22).to_bytes(4, "little"), b"\0" * 6)
        sparse.write(b"".join(end))
    assert DIRECTORY < 2**31
    with pytest.raises(DataError, match="its table of contents is larger"):
        import_bundle(ours, path, quiet)
    with pytest.raises(DataError, match="cannot be read: No such file"):
        import_bundle(ours, tmp_path / "nowhere.zip", quiet)
    assert told(ours) == before
