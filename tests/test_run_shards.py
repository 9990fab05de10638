"""Shards and merging: parts made apart are the run that would have been made at once."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from overpaint.cli import main
from overpaint.errors import StoreError, UserMistake
from overpaint.models.desk import Terms
from overpaint.run import Settings, open_run, plan, retry, run
from overpaint.run.merging import merge
from overpaint.store import DATABASE, Store, merging
from overpaint.store.pictures import picture_path, take_picture
from overpaint.testing import FakeServer

HERE = Path(__file__)
TOY = f"{HERE.with_name('toy.py')}"
BENCH = f"{HERE.with_name('judging_toy.py')}"
NOTHING = f"{TOY}:made_nothing"
SPREAD = f"{HERE.with_name('sets_toy.py')}:spread"
IN_HERE = Settings(workers=0, asking=Terms(deadline=5.0))


def part(out: Path, shard: str | None = None, **more: Any) -> Path:
    given: dict[str, Any] = {
        "editors": [f"good={BENCH}:Good"], "measures": [SPREAD, NOTHING], "limit": 7,
        "floors": False, "settings": IN_HERE,
    }  # fmt: skip
    return run(f"{BENCH}:bench", out=out, shard=shard, **(given | more)).folder


def told(folder: Path) -> dict[str, list[Any]]:
    """All that a run holds but how long it took, and where on the disk it lies."""
    with Store.open(folder) as store:
        edits = [
            (e.sample.id, e.editor, e.status, e.reason, e.notes, e.output and e.output.path.name)
            for e in store.edits()
        ]
        with closing(sqlite3.connect(folder / DATABASE)) as database:
            calls = database.execute("SELECT key, state, reply != '' FROM calls ORDER BY key")
            kept = database.execute("SELECT key, value FROM evidence ORDER BY key").fetchall()
            return {
                "samples": [sample.id for sample in store.samples()],
                "editors": list(store.editors.items()), "measures": list(store.made_by().items()),
                "edits": edits, "scores": [row[:-1] for row in store.rows()],
                "sets": store.sets(["spread"]), "calls": calls.fetchall(), "evidence": kept,
                "prompts": database.execute("SELECT * FROM prompts ORDER BY hash").fetchall(),
            }  # fmt: skip


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*.*"))}


def change(folder: Path, sql: str) -> None:
    with closing(sqlite3.connect(folder / DATABASE)) as database, database:
        database.execute(sql)


def test_three_shards_merged_are_the_undivided_run_to_the_last_digit(tmp_path: Path) -> None:
    with FakeServer(process=False) as server:
        judged = {"measures": [SPREAD, NOTHING, f"judge:textedit_if:{server.url}#m"]}
        whole = part(tmp_path / "whole", **judged)
        parts = [part(tmp_path / f"{k}", f"{k}/3", **judged) for k in (3, 1, 2)]
        asked = server.counts().total
        merge(parts, tmp_path / "merged", IN_HERE)
        assert server.counts().total == asked
    assert told(tmp_path / "merged") == told(whole)
    tables = [open_run(folder).table() for folder in (tmp_path / "merged", whole)]
    assert tables[0] == tables[1]
    assert [cell.scored for row in tables[0] for cell in row.cells.values()] == [7, 7, 7]
    assert bytes_of(tmp_path / "merged" / "pictures") == bytes_of(whole / "pictures")
    bills = [[asdict(one) for one in open_run(folder).bill()] for folder in (whole, *parts)]
    (merged,) = open_run(tmp_path / "merged").bill()
    assert merged.calls == sum(bill["calls"] for one in bills[1:] for bill in one)


def test_a_shard_is_every_so_many_th_sample_under_the_whole_sets_protocol(tmp_path: Path) -> None:
    third = part(tmp_path / "three", "3/3")
    assert told(third)["samples"] == ["s02", "s05"]
    assert told(part(tmp_path / "one", "1/3"))["samples"] == ["s00", "s03", "s06"]
    assert told(part(tmp_path / "few", "2/2", limit=4))["samples"] == ["s01", "s03"]
    whole = open_run(part(tmp_path / "whole")).info
    assert open_run(third).info["card_id"] == whole["card_id"]
    assert open_run(third).info["shards"] == ["3/3"]
    assert "shards" not in whole
    assert plan(f"{BENCH}:bench", editors=["identity"], limit=7, shard="3/3")["samples"] == 2


@pytest.mark.parametrize("shard", ["0/3", "4/3", "3", "a/b", "-1/3", "1/0", "", "¹/₂"])
def test_what_is_no_shard_is_refused_before_anything_is_read(shard: str, tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="is no shard.*--shard 3/16 is the third of sixteen"):
        run(f"{BENCH}:bench", shard=shard, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_shard_without_samples_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="Shard 8/9 would be empty: there are 7 samples"):
        part(tmp_path / "run", "8/9")


@pytest.mark.slow
def test_a_shard_says_that_it_is_one_and_a_merged_run_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def shard(number: int) -> str:
        out = tmp_path / f"{number}"
        code = main([
            "run", f"{BENCH}:bench", "--limit", "7", "-e", f"good={BENCH}:Good", "--no-floors",
            "-o", f"{out}", "--shard", f"{number}/2", "--workers", "0", "--quiet",
        ])  # fmt: skip
        assert code == 0
        return str(out)

    parts = [shard(1), shard(2)]
    assert "This is shard 2/2: 3 of 7 samples." in capsys.readouterr().err
    out = str(tmp_path / "both")
    assert main(["merge", *parts, "-o", out, "--workers", "0", "--quiet", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["added"]["samples"] == 7
    assert "shard" not in said.err
    assert main(["merge", *parts, "-o", out, "--workers", "0", "--quiet"]) == 0  # once more
    assert "        0 of 7 edits are new" in capsys.readouterr().out


def test_a_merge_adds_to_a_run_and_twice_is_once(tmp_path: Path) -> None:
    one, two = (part(tmp_path / f"{k}", f"{k}/2") for k in (1, 2))
    merge([one], tmp_path / "out", IN_HERE)
    assert open_run(tmp_path / "out").info["shards"] == ["1/2"]
    merge([two, one], tmp_path / "out", IN_HERE)
    whole = part(tmp_path / "whole")
    assert told(tmp_path / "out") == told(whole)
    before = told(tmp_path / "out")
    merge([one, two], tmp_path / "out", IN_HERE)
    assert told(tmp_path / "out") == before


@pytest.mark.slow
def test_editors_made_apart_come_together(tmp_path: Path) -> None:
    dark = part(tmp_path / "dark")
    light = part(tmp_path / "light", editors=[f"poor={BENCH}:Poor"])
    merge([dark, light], tmp_path / "out", IN_HERE)
    both = part(tmp_path / "both",
                editors=[f"good={BENCH}:Good", f"poor={BENCH}:Poor"])  # fmt: skip
    assert told(tmp_path / "out") == told(both)


@pytest.mark.slow
def test_pictures_are_one_file_under_two_names_or_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = part(tmp_path / "one")
    merge([one], tmp_path / "linked", IN_HERE)
    assert {path.stat().st_nlink for path in (tmp_path / "linked").rglob("*.png")} == {2}

    def no_links(*_: object) -> None:
        raise OSError("other disk")

    monkeypatch.setattr(os, "link", no_links)
    merge([one], tmp_path / "copied", IN_HERE)
    assert bytes_of(tmp_path / "copied" / "pictures") == bytes_of(one / "pictures")
    next((one / "pictures").rglob("*.png")).write_bytes(b"half")
    with pytest.raises(StoreError, match="is damaged: its sha256 is"):
        merge([one], tmp_path / "worse", IN_HERE)
    assert not (tmp_path / "worse" / DATABASE).exists()


def test_runs_that_disagree_about_rows_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    one, two = part(tmp_path / "one"), part(tmp_path / "two")
    change(two, "UPDATE scores SET seconds = 99")
    merge([one, two], tmp_path / "fine", IN_HERE)
    change(two, "UPDATE scores SET value = value + 1 WHERE measure = 2")
    with pytest.raises(StoreError) as refused:
        merge([one, two], tmp_path / "out", IN_HERE)
    lines = refused.value.wrong.splitlines()
    assert lines[0] == "The runs disagree about 7 rows, so nothing was written:"
    assert lines[1].startswith("  s00, good, made_nothing: 0.0")
    assert f"but in {two} " in lines[1]
    assert lines[6] == "  and 2 more"
    assert not (tmp_path / "out").exists()
    before = told(tmp_path / "fine")
    with pytest.raises(StoreError, match="disagree about 7 rows"):
        merge([two], tmp_path / "fine", IN_HERE)
    assert told(tmp_path / "fine") == before
    change(two, "UPDATE edits SET status = 'refused', output = '' WHERE sample = 2")
    with pytest.raises(StoreError, match="s01, good: ok [0-9a-f]{12}, but in .* refused"):
        merge([one, two], tmp_path / "out", IN_HERE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("UPDATE info SET value = '\"toy#0\"' WHERE key = 'card_id'", "another protocol: .*toy#0"),
        ("UPDATE info SET value = '\"0\"' WHERE key = 'revision'", "another revision of the data"),
        ("UPDATE info SET value = '{\"net\": \"ab\"}' WHERE key = 'weights'",
         "another file of weights 'net': cd there, ab here"),
        ("UPDATE editors SET spec = 'x' WHERE name = 'good'", "another editor 'good': .*, x here"
         " |another editor 'good': .*toy.py:Good there, x here"),
        ("UPDATE measures SET version = '7' WHERE name = 'made_nothing'",
         "another measure 'made_nothing': .*version 1. there, .*version 7. here"),
    ],
)  # fmt: skip
def test_runs_that_are_not_alike_are_refused_with_both_values(
    sql: str, what: str, tmp_path: Path
) -> None:
    one, two = (part(tmp_path / f"{k}", f"{k}/4") for k in (1, 2))
    change(one, "UPDATE info SET value = '{\"net\": \"cd\"}' WHERE key = 'weights'")
    change(two, sql)
    with pytest.raises(StoreError, match=what):
        merge([one, two], tmp_path / "out", IN_HERE)
    assert not (tmp_path / "out").exists()


def test_a_run_that_is_being_made_or_has_not_begun_is_not_merged(tmp_path: Path) -> None:
    from overpaint.store.claiming import claimed

    one = part(tmp_path / "one", "1/2")
    working = pytest.raises(StoreError, match="is working on the run in .*one")
    with Store.open(one) as store, claimed(store), working:
        merge([one], tmp_path / "out", IN_HERE)
    Store.create(tmp_path / "empty").__exit__()
    with pytest.raises(StoreError, match="has no card_id yet"):
        merge([one, tmp_path / "empty"], tmp_path / "out", IN_HERE)
    with pytest.raises(UserMistake, match="No run was named besides"):
        merge([one], one, IN_HERE)
    for fact in ("data", "revision", "created"):
        with Store.create(tmp_path / fact) as store:
            facts = {"card_id": "x", "data": "x", "revision": "x", "created": "x", "seed": 0}
            store.note(**facts | {fact: None})
        with pytest.raises(StoreError, match=f"has no {fact} yet"):
            merge([one, tmp_path / fact], tmp_path / "out", IN_HERE)
    with Store.open(one) as store:
        store.note(claimed={"pid": 7, "since": 1.0, "host": "pod-7"})
    with pytest.raises(StoreError, match=r"claimed on 'pod-7', another .* would be missing"):
        merge([one], tmp_path / "out", IN_HERE)


def test_a_run_whose_retry_was_stopped_is_not_merged_before_it_is_done(tmp_path: Path) -> None:
    one = part(tmp_path / "one")
    change(one, "UPDATE scores SET value = NULL, status = 'measure_failed' WHERE sample = 2")
    with Store.open(one) as store:
        store.forget_failures()  # and here it is killed
    with pytest.raises(
        StoreError, match=r"was stopped in the middle.*First: overpaint retry .*one"
    ):
        merge([one], tmp_path / "out", IN_HERE)
    assert not (tmp_path / "out").exists()
    retry(one, IN_HERE)
    merge([one], tmp_path / "out", IN_HERE)
    assert told(tmp_path / "out") == told(one)


@pytest.mark.parametrize("linked", [True, False])
def test_a_picture_that_is_another_or_a_link_is_not_taken_over(
    linked: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError

    if not linked:
        monkeypatch.setattr(os, "link", no_links)
    data = b"\x89PNG mine"
    name = f"{hashlib.sha256(data).hexdigest()}.png"
    theirs, ours = (picture_path(tmp_path / run, name) for run in ("theirs", "ours"))
    theirs.parent.mkdir(parents=True)
    assert not take_picture(name, tmp_path / "theirs", tmp_path / "ours")
    (private := tmp_path / "private").write_bytes(data)
    theirs.symlink_to(private)
    with pytest.raises(StoreError, match=f"{name} is a link to another place"):
        take_picture(name, tmp_path / "theirs", tmp_path / "ours")
    theirs.unlink()
    theirs.write_bytes(b"\x89PNG another")
    with pytest.raises(StoreError, match=f"{name} is damaged: its sha256 is"):
        take_picture(name, tmp_path / "theirs", tmp_path / "ours")
    assert not [path for path in (tmp_path / "ours").rglob("*") if path.is_file()]
    theirs.write_bytes(data)
    assert take_picture(name, tmp_path / "theirs", tmp_path / "ours")
    assert [path.name for path in ours.parent.iterdir()] == [name]
    assert ours.read_bytes() == data
    assert ours.samefile(theirs) == linked


def test_what_another_merge_has_made_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (part(tmp_path / f"{k}", f"{k}/2", measures=[NOTHING]) for k in (1, 2))
    other = part(tmp_path / "other", "1/2", measures=[NOTHING])
    change(other, "UPDATE scores SET value = .123")
    create, out = Store.create, tmp_path / "out"

    def late(folder: Path) -> Store:
        monkeypatch.undo()
        merge([one, two], out, IN_HERE)  # another command is faster
        return create(folder)

    monkeypatch.setattr(Store, "create", late)
    with pytest.raises(StoreError, match="The runs disagree"):
        merge([other], out, IN_HERE)
    assert [len(told(folder)["samples"]) for folder in (one, two, out)] == [4, 3, 7]


def test_a_picture_that_is_gone_counts_once_and_files_of_the_benchmark_do_not(
    tmp_path: Path,
) -> None:
    one = part(tmp_path / "one", limit=3, measures=[])
    gone = f"{'ab' * 32}.png"
    change(one, f"UPDATE edits SET output = '{gone}'")
    there, here = f"/data/{'cd' * 32}.png", one / "pictures" / "ab" / gone
    change(one, "UPDATE samples SET body ="
                f" json_set(body, '$.source', '{there}', '$.target', '{here}')")  # fmt: skip
    assert merge([one], tmp_path / "out", IN_HERE).gone == 1


def test_a_run_that_is_worked_on_while_it_is_merged_is_refused_or_read_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (part(tmp_path / f"{k}", f"{k}/2", measures=[]) for k in (1, 2))
    before = told(one)["edits"]

    def renamed(heads: object) -> None:
        change(one, "UPDATE editors SET name = 'better'")

    with monkeypatch.context() as patch:
        patch.setattr(merging, "check_together", renamed)
        with pytest.raises(StoreError, match="worked on the run in .*1 since.*same command again"):
            merge([one, two], tmp_path / "out", IN_HERE)
    assert not (tmp_path / "out").exists()
    change(one, "UPDATE editors SET name = 'good'")

    def made_anew(conflicts: object) -> None:
        change(one, f"UPDATE edits SET output = '{'ab' * 32}.png'")
        for path in (one / "pictures").rglob(f"{before[0][-1]}"):
            path.unlink()

    monkeypatch.setattr(merging._Conflicts, "settle", made_anew)
    assert merge([one, two], tmp_path / "out", IN_HERE).gone == 1
    assert [edit for edit in told(tmp_path / "out")["edits"] if edit in before] == before
    there = bytes_of(tmp_path / "out" / "pictures")
    assert {edit[-1] for edit in before[1:]} <= there.keys()


def test_a_merge_that_is_done_is_not_undone_by_what_comes_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = part(tmp_path / "one", measures=[])

    @contextmanager
    def full(store: Store) -> Iterator[None]:
        yield
        raise StoreError("The disk is full.")

    monkeypatch.setattr(merging, "claimed", full)
    with pytest.raises(StoreError, match="full"):
        merge([one], tmp_path / "out", IN_HERE)
    assert told(tmp_path / "out")["edits"] == told(one)["edits"]


def test_a_merge_says_where_versions_of_libraries_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = (part(tmp_path / f"{k}", f"{k}/2", measures=[NOTHING]) for k in (1, 2))
    assert main(["merge", str(one), str(two), "-o", str(tmp_path / "same")]) == 0
    assert "versions" not in capsys.readouterr().err
    with Store.open(two) as store:
        first, *rest = store.info["commands"]
        ours = first["versions"]["numpy"]
        old = first | {"versions": first["versions"] | {"numpy": "0.1"}}
        store.note(commands=[old, *rest, {"versions": "none"}])
    assert main(["merge", str(one), str(two), "-o", str(tmp_path / "both")]) == 0
    assert f"different versions: numpy 0.1 and {ours}. Their numbers" in capsys.readouterr().err


def test_an_empty_merge_is_removed_while_nobody_else_may_take_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, removed = part(tmp_path / "one", measures=[]), merging._remove_empty
    change(one, "UPDATE edits SET sample = 99 WHERE sample = 2")

    def claims(out: Path) -> None:
        with Store.open(out) as store:
            assert store.info["claimed"]
        removed(out)

    monkeypatch.setattr(merging, "_remove_empty", claims)
    with pytest.raises(StoreError, match="is damaged"):
        merge([one], tmp_path / "out", IN_HERE)
    assert not (tmp_path / "out").exists()


def test_a_run_file_without_a_byte_is_planned_and_merged_into_as_none(tmp_path: Path) -> None:
    one, out = part(tmp_path / "one", limit=2, measures=[NOTHING]), tmp_path / "out"
    before = told(one)
    out.mkdir()
    (out / DATABASE).touch()
    expected = plan(f"{BENCH}:bench", editors=[f"{BENCH}:Good"], out=out, limit=2, floors=False)
    assert expected["already_there"] == ["0 edits", "0 scores"]
    change(one, "UPDATE edits SET sample = 99 WHERE sample = 2")
    with pytest.raises(StoreError, match="is damaged"):
        merge([one], out, IN_HERE)
    assert not out.exists()
    change(one, "UPDATE edits SET sample = 2 WHERE sample = 99")
    out.mkdir()
    (out / DATABASE).touch()
    merge([one], out, IN_HERE)
    assert told(out) == before


def test_a_refused_merge_leaves_what_was_in_its_folder(tmp_path: Path) -> None:
    one, two = (part(tmp_path / name, limit=2, measures=[NOTHING]) for name in ("one", "two"))
    change(two, "UPDATE scores SET value = .123")
    with Store.create(tmp_path / "audit") as store:
        store.note(audit={"benchmark": "x"})
    with pytest.raises(StoreError, match="The runs disagree"):
        merge([one, two], tmp_path / "audit", IN_HERE)
    with Store.open(tmp_path / "audit") as store:
        assert store.info["audit"] == {"benchmark": "x"}


def test_files_of_a_home_that_cannot_be_looked_into_are_seen_nowhere(tmp_path: Path) -> None:
    one, two = (part(tmp_path / k, measures=[], limit=2) for k in ("one", "two"))
    closed = f"/{'x' * 5000}"  # as a folder of somebody else's, it cannot even be asked about
    for folder, file in ((one, "a.png"), (two, "b.png")):
        change(folder, f"UPDATE info SET value = '\"{closed}/{file}\"' WHERE key = 'data'")
        where = f"'$.source', '{closed}/{file}/s.png', '$.target', '{closed}/{file}'"
        change(folder, f"UPDATE samples SET body = json_set(body, {where})")
    merge([one, two], tmp_path / "out", IN_HERE)
    assert told(tmp_path / "out")["samples"] == ["s00", "s01"]


def test_declared_kinships_come_together(tmp_path: Path) -> None:
    one, two = (part(tmp_path / f"{k}", f"{k}/2", measures=[]) for k in (1, 2))
    for folder, kin in ((one, [["j", "a"]]), (two, [["j", "a"], ["j", "b"]])):
        with Store.open(folder) as store:
            store.note(kin=kin)
    merge([one, two], tmp_path / "out", IN_HERE)
    assert open_run(tmp_path / "out").info["kin"] == [["j", "a"], ["j", "b"]]


@pytest.mark.slow
@pytest.mark.parametrize("where", ["take_picture", "united", "merge_calls"])
def test_a_merge_that_is_stopped_has_added_nothing_and_given_again_adds_all(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (part(tmp_path / f"{k}", f"{k}/2") for k in (1, 2))
    merge([one], tmp_path / "out", IN_HERE)
    before = told(tmp_path / "out")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(f"overpaint.store.merging.{where}", stop)
        for out in ("out", "new"):
            with pytest.raises(KeyboardInterrupt):
                merge([one, two], tmp_path / out, IN_HERE)
    assert told(tmp_path / "out") == before
    with Store.open(tmp_path / "new") as store, pytest.raises(StoreError, match="no card_id yet"):
        store.fact("card_id")
    for out in ("out", "new"):
        merge([one, two], tmp_path / out, IN_HERE)
    assert told(tmp_path / "out") == told(tmp_path / "new") == told(part(tmp_path / "whole"))


def test_a_call_is_kept_once_and_of_two_that_were_paid_for_both(tmp_path: Path) -> None:
    def called(name: str, *rows: tuple[str, str, str, str]) -> Path:
        folder = part(tmp_path / name, limit=1)
        with closing(sqlite3.connect(folder / DATABASE)) as database, database:
            database.executemany(
                "INSERT INTO calls (key, model, host, state, prompt, pictures, asked, started,"
                " reply) VALUES (?, 'm', 'h', ?, 'p', '[]', '{}', ?, ?)", rows,
            )  # fmt: skip
        return folder

    def calls(folder: Path) -> list[tuple[str, ...]]:
        with closing(sqlite3.connect(folder / DATABASE)) as database:
            return database.execute(
                "SELECT key, state, started, reply FROM calls ORDER BY 1, 3, 4"
            ).fetchall()

    early = called("early", ("k", "sent", "1", ""), ("f", "failed", "5", ""),
                   ("f", "failed", "5", ""))  # fmt: skip
    merge([early], tmp_path / "out", IN_HERE)
    late = called("late", ("k", "replied", "1", "yes"), ("k", "replied", "2", "no"),
                  ("f", "failed", "5", ""), ("f", "failed", "5", ""))  # fmt: skip
    other = called("other", ("k", "replied", "1", "perhaps"))
    for _ in range(2):
        merge([late, early, other], tmp_path / "out", IN_HERE)
        assert calls(tmp_path / "out") == [
            ("f", "failed", "5", ""), ("f", "failed", "5", ""), ("k", "replied", "1", "perhaps"),
            ("k", "replied", "1", "yes"), ("k", "replied", "2", "no"),
        ]  # fmt: skip


@pytest.mark.slow
def test_a_sample_whose_words_differ_is_another_sample(tmp_path: Path) -> None:
    one, two = part(tmp_path / "one"), part(tmp_path / "two")
    change(two, "UPDATE samples SET body = replace(body, 'grey, for the 3.', 'red, for the 3.')")
    with pytest.raises(StoreError, match="about 1 rows.*\n  sample s03: it is another one in"):
        merge([one, two], tmp_path / "out", IN_HERE)
    source = sqlite3.connect(one / DATABASE).execute("SELECT body FROM samples").fetchone()[0]
    elsewhere = tmp_path / "copy.png"
    elsewhere.write_bytes(Path(json.loads(source)["source"]).read_bytes())
    three = part(tmp_path / "three")
    change(three, f"UPDATE samples SET body = json_set(body, '$.source', '{elsewhere}') WHERE n=1")
    merge([one, three], tmp_path / "fine", IN_HERE)  # it lies elsewhere and shows the same
    elsewhere.write_bytes(b"another")
    with pytest.raises(StoreError, match="sample s00: it is another one"):
        merge([one, three], tmp_path / "out", IN_HERE)
