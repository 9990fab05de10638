"""Pictures that are gone or half there, as a power cut leaves them: no number stays on them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from judging_toy import plain
from test_run_shards import BENCH, IN_HERE, NOTHING, change, part, told

from overpaint.report.wording import helpful_command
from overpaint.run import open_run, retry, score
from overpaint.run.merging import merge
from overpaint.store import Store
from overpaint.store.exporting import Chosen, export_bundle
from overpaint.store.importing import import_bundle
from overpaint.store.pictures import is_sound, keep_picture, picture_path


def quiet(*_: object) -> None:
    pass


def pictures(folder: Path) -> list[Path]:
    """Those of the edits, in the order of samples."""
    with Store.open(folder) as store:
        return [edit.output.path for edit in store.edits() if edit.output and edit.output.path]


def broken(data: bytes) -> list[bytes]:
    return [b"", data[:40], bytes(len(data))]


def test_a_retry_finds_pictures_that_are_not_what_was_kept(tmp_path: Path) -> None:
    folder = part(tmp_path / "run", limit=4, measures=[NOTHING])
    before, paths = told(folder), pictures(folder)
    whole = [path.read_bytes() for path in paths]
    for path, left in zip(paths, broken(whole[0]), strict=False):
        path.write_bytes(left)
    assert retry(folder, IN_HERE)[1] == 3
    assert told(folder) == before
    assert [path.read_bytes() for path in paths] == whole
    assert retry(folder, IN_HERE)[1:] == (0, 0)


def test_a_picture_that_several_edits_have_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editors = [f"{name}={BENCH}:Good" for name in ("one", "two")]
    folder = part(tmp_path / "run", limit=3, measures=[NOTHING], editors=editors)
    before, read, shown = told(folder), list[str](), list[tuple[int, int]]()
    names = {path.name for path in pictures(folder)}

    def counted(folder: Path, name: str) -> bool:
        read.append(name)
        return is_sound(folder, name)

    def drawn(what: str, done: int, total: int) -> None:
        if what == "looking":
            shown.append((done, total))

    pictures(folder)[0].unlink()
    with monkeypatch.context() as patch:
        patch.setattr("overpaint.run.is_sound", counted)
        assert retry(folder, replace(IN_HERE, progress=drawn))[1] == 2  # both have lost it
    assert sorted(read) == sorted(names)
    assert len(names) == 3
    assert shown[-1] == (6, 6)
    assert told(folder) == before


def test_an_edit_whose_picture_is_gone_loses_its_scores_in_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = part(tmp_path / "run", limit=2, measures=[NOTHING])
    pictures(folder)[0].unlink()
    before = told(folder)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("overpaint.store.forget_failures", stop)
        with pytest.raises(KeyboardInterrupt):
            retry(folder, IN_HERE)
    assert told(folder)["scores"] == before["scores"]
    with Store.open(folder) as store:
        assert {edit.status for edit in store.edits()} == {"ok"}
    assert retry(folder, IN_HERE)[1] == 1
    assert told(folder) == before


def test_an_imported_edit_whose_picture_is_gone_waits_for_its_bundle(tmp_path: Path) -> None:
    theirs = part(tmp_path / "theirs", limit=2, measures=[NOTHING])
    export_bundle(theirs, tmp_path / "b.zip", Chosen(), quiet)
    ours = part(tmp_path / "ours", limit=2, measures=[NOTHING], editors=[f"idle={BENCH}:Idle"])
    import_bundle(ours, tmp_path / "b.zip", quiet)
    with Store.open(ours) as store:
        store.add_measure("duel", f"{BENCH}:nothing", "1", pairs=True)
    change(ours, "INSERT INTO scores SELECT 1, 1, n, 'good', 1, 'ok', '', '[]', 0, 1"
                 " FROM measures WHERE name = 'duel'")  # fmt: skip
    score(ours, settings=IN_HERE)
    before = told(ours)
    lost = pictures(ours)[0]
    lost.write_bytes(b"half")
    retry(ours, IN_HERE)
    with Store.open(ours) as store:
        found = [row.value for row in store.rows() if row[:2] == ("s00", "good")]
        assert found == [1.0]  # nothing was made
        assert [vote.status for vote in store.votes()] == ["no_edit"]
    why = (
        "Its picture is gone from the run. Import its bundle again: `overpaint import RUN FILE.zip`"
    )
    assert ("good", "edit", "editor_failed", why, 1) in open_run(ours).failures()
    assert helpful_command("editor_failed", why) == "overpaint import RUN FILE.zip"
    assert import_bundle(ours, tmp_path / "b.zip", quiet) == {"known": 1, "edits": 1}
    score(ours, settings=IN_HERE)
    assert told(ours)["scores"] == before["scores"]
    assert is_sound(ours, lost.name)


def test_pictures_of_edits_that_are_known_are_brought_by_an_import_too(tmp_path: Path) -> None:
    theirs = part(tmp_path / "theirs", limit=4, measures=[])
    step = keep_picture(theirs, plain(99)).path
    assert step is not None
    trace = json.dumps([{"step": "draw", "output": step.name}])
    change(theirs, f"UPDATE edits SET trace = '{trace}' WHERE sample = 4")
    export_bundle(theirs, tmp_path / "b.zip", Chosen(), quiet)
    ours = part(tmp_path / "ours", limit=4, measures=[], editors=[f"idle={BENCH}:Idle"])
    import_bundle(ours, tmp_path / "b.zip", quiet)
    before, paths = told(ours), [*pictures(ours), picture_path(ours, step.name)]
    paths = [path for path in paths if picture_path(theirs, path.name).exists()]
    assert len(paths) == 5
    whole = [path.read_bytes() for path in paths]
    for path, left in zip(paths, broken(whole[0]), strict=False):
        path.write_bytes(left)
    for path in paths[-2:]:
        path.unlink()
    assert import_bundle(ours, tmp_path / "b.zip", quiet) == {"known": 4}
    assert [path.read_bytes() for path in paths] == whole
    assert told(ours) == before


@pytest.mark.parametrize("left", ["half", "as large"])
def test_what_is_half_there_is_taken_anew(left: str, tmp_path: Path) -> None:
    theirs = part(tmp_path / "theirs", limit=2, measures=[])
    export_bundle(theirs, tmp_path / "b.zip", Chosen(), quiet)
    name = pictures(theirs)[0].name
    data = picture_path(theirs, name).read_bytes()
    ours = part(tmp_path / "ours", limit=2, measures=[], editors=[f"idle={BENCH}:Idle"])
    for folder in (ours, tmp_path / "merged"):
        picture_path(folder, name).parent.mkdir(parents=True, exist_ok=True)
        picture_path(folder, name).write_bytes(b"half" if left == "half" else bytes(len(data)))
    import_bundle(ours, tmp_path / "b.zip", quiet)
    merge([theirs], tmp_path / "merged", IN_HERE)
    for folder in (ours, tmp_path / "merged"):
        assert picture_path(folder, name).read_bytes() == data


def test_a_good_picture_is_kept_where_the_others_is_half_there(tmp_path: Path) -> None:
    one = part(tmp_path / "one", limit=1, measures=[])
    out = part(tmp_path / "out", limit=1, measures=[])
    pictures(one)[0].write_bytes(b"half")
    assert merge([one], out, IN_HERE).gone == 0
    assert is_sound(out, pictures(out)[0].name)
