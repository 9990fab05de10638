"""A run whose rows no Overpaint wrote: reading, merging and exporting it end with a sentence."""

import importlib.util
import shutil
import zipfile
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest
from test_run_shards import IN_HERE, NOTHING, change, part

from overpaint.cli import main
from overpaint.cli.comparing import compare_runs
from overpaint.cli.reading import report_command
from overpaint.errors import StoreError
from overpaint.report.live import Live
from overpaint.run.merging import merge
from overpaint.store import DATABASE, Store
from overpaint.store.exporting import Chosen, export_bundle
from overpaint.store.parquet import export_parquet


def quiet(*_: object) -> None:
    pass


DAMAGES = {
    "a number of no sample": "UPDATE edits SET sample = 99 WHERE sample = 2",
    "a number of no editor": "UPDATE edits SET editor = 99 WHERE sample = 2",
    "a number of no measure": "UPDATE scores SET measure = 99 WHERE sample = 2",
    "a date that is a number": "UPDATE info SET value = '5' WHERE key = 'created'",
    "commands that are none": "UPDATE info SET value = '[\"x\"]' WHERE key = 'commands'",
    "floors in floors": "INSERT OR REPLACE INTO info VALUES ('floors', '[[1]]')",
    "a size that is a word": "INSERT OR REPLACE INTO info VALUES ('whole', '\"x\"')",
    "weights in a list": "INSERT OR REPLACE INTO info VALUES ('weights', '[1]')",
    "facts too deep": f"INSERT INTO info VALUES ('deep', '{'[' * 99_999}')",
    "a source that is a number": "UPDATE samples SET body = json_set(body, '$.source', 5)",
    "references that are a number": "UPDATE samples SET body = json_set(body, '$.references', 5)",
    "tags that are a list": "UPDATE samples SET body = json_set(body, '$.tags', json('[1]'))",
    "a trace that is bytes": "UPDATE edits SET trace = x'00ff' WHERE sample = 2",
    "an output that is bytes": "UPDATE edits SET output = x'00ff' WHERE sample = 2",
    "an edit in no state": "UPDATE edits SET status = 'owned' WHERE sample = 2",
    "an edit that took for ever": "UPDATE edits SET seconds = 9e999 WHERE sample = 2",
    "an edit that took a word": "UPDATE edits SET seconds = 'x' WHERE sample = 2",
    "notes that are objects": "UPDATE edits SET notes = '[{\"a\":1}]' WHERE sample = 2",
    "a protocol that is an object": "UPDATE info SET value = '{}' WHERE key = 'card_id'",
    "a seed that is a word": "UPDATE info SET value = '\"x\"' WHERE key = 'seed'",
    "facts that are none": "UPDATE info SET value = '[[[' WHERE key = 'seed'",
    "a value that is a text": "UPDATE scores SET value = 'much' WHERE sample = 2",
    "a reason that is bytes": "UPDATE scores SET reason = x'00ff' WHERE sample = 2",
    "pictures of a call that are none": "INSERT INTO calls (key, model, host, state, prompt,"
    " pictures, asked, started) VALUES ('k', 'm', 'h', 'replied', 'p', '{[', '{}', '1')",
    "a call that took a word": "INSERT INTO calls (key, model, host, state, prompt, pictures,"
    " asked, started, seconds) VALUES ('k', 'm', 'h', 'replied', 'p', '[]', '{}', '1', 'x')",
    "a call in no state": "INSERT INTO calls (key, model, host, state, prompt, pictures, asked,"
    " started) VALUES ('k', 'm', 'h', 'dreamt', 'p', '[]', '{}', '1'), ('k', 'm', 'h', 'replied',"
    " 'p', '[]', '{}', '1')",
}
TAKEN: dict[str, Callable[[Path, Path], object]] = {
    "merge": lambda run, out: merge([run], out, IN_HERE),
    "export": lambda run, out: export_bundle(run, out, Chosen(), quiet),
    "parquet": lambda run, out: export_parquet(run, out, lambda _: [], quiet),
}
if importlib.util.find_spec("pyarrow") is None:
    del TAKEN["parquet"]
# Where pictures lie is in no Parquet file, so it is not read.
HARMLESS = {("a source that is a number", "parquet"), ("references that are a number", "parquet")}
SAID = "is damaged|as it was written"
READ = ("an edit", "notes", "a protocol", "a seed", "facts", "a value")  # by whoever shows a run
UNTIMED = "compare"  # says of nothing how long it took


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return part(tmp_path_factory.mktemp("sound") / "run", limit=3, measures=[NOTHING])


@pytest.mark.parametrize("how", TAKEN)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_run_is_a_sentence_and_nothing_is_left_of_it(
    damage: str, how: str, sound: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(sound, run)
    change(run, DAMAGES[damage])
    if (damage, how) in HARMLESS:
        taken = [TAKEN[how](one, tmp_path / one.parent.name) for one in (sound, run)]
        assert taken[0] == taken[1]
        assert len({_bytes(tmp_path / one.parent.name) for one in (sound, run)}) == 1
        return
    with pytest.raises(StoreError, match=SAID) as caught:
        TAKEN[how](run, tmp_path / "out")
    assert "Error" not in str(caught.value)
    assert not (tmp_path / "out").is_file()
    assert not (tmp_path / "out" / DATABASE).exists()


def _bytes(folder: Path) -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(folder.glob("*.parquet")))


SHOWN: dict[str, Callable[[Path], object]] = {
    "report": lambda run: report_command(Namespace(run=run, out=None, json=False)),
    "compare": lambda run: compare_runs(
        Namespace(run=[run], measure=[], baseline=None, force=False)
    ),
    "view": lambda run: Live(run).page(),
}


@pytest.mark.parametrize("how", SHOWN)
@pytest.mark.parametrize("damage", [name for name in DAMAGES if name.startswith(READ)])
def test_a_damaged_run_is_shown_to_nobody(
    damage: str, how: str, sound: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(sound, run)
    change(run, DAMAGES[damage])
    if how == UNTIMED and " took " in damage:
        SHOWN[how](run)
        return
    with pytest.raises(StoreError, match=SAID):
        SHOWN[how](run)


@pytest.mark.parametrize("how", [*TAKEN, *SHOWN])
def test_notes_that_older_versions_wrote_as_numbers_are_texts(
    how: str, sound: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(sound, run)
    change(run, "UPDATE edits SET notes = '[5, 1.5, \"x\"]' WHERE sample = 2")
    if how in SHOWN:
        SHOWN[how](run)
    else:
        TAKEN[how](run, tmp_path / "out")
    with Store.open(tmp_path / "out" if how == "merge" else run) as store:
        assert [edit.notes for edit in store.edits()] == [(), ("5", "1.5", "x"), ()]
    if how == "export":
        with zipfile.ZipFile(tmp_path / "out") as archive:
            assert b'"notes": ["5", "1.5", "x"]' in archive.read("edits.jsonl")


@pytest.mark.parametrize("how", TAKEN)
def test_a_refusal_says_which_row_is_not_as_it_should_be(
    how: str, sound: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(sound, run)
    change(run, DAMAGES["a value that is a text"])
    with pytest.raises(StoreError, match="sample 's01', editor 'good', measure 'made_nothing'"):
        TAKEN[how](run, tmp_path / "out")
    change(run, "DELETE FROM scores")
    change(run, DAMAGES["a number of no sample"])
    with pytest.raises(StoreError, match="no sample of the run, editor 'good'"):
        TAKEN[how](run, tmp_path / "out")


def test_a_transcript_of_calls_that_are_none_is_a_sentence(
    sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    shutil.copytree(sound, run)
    change(run, DAMAGES["pictures of a call that are none"])
    assert main(["show", str(run), "--calls"]) == 2
    assert "is damaged" in capsys.readouterr().err
