"""A run whose rows no Overpaint wrote: merging it and exporting it end with a sentence."""

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from test_run_shards import IN_HERE, NOTHING, change, part

from overpaint.errors import StoreError
from overpaint.run.merging import merge
from overpaint.store import DATABASE
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
    "a value that is a text": "UPDATE scores SET value = 'much' WHERE sample = 2",
    "a reason that is bytes": "UPDATE scores SET reason = x'00ff' WHERE sample = 2",
    "pictures of a call that are none": "INSERT INTO calls (key, model, host, state, prompt,"
    " pictures, asked, started) VALUES ('k', 'm', 'h', 'replied', 'p', '{[', '{}', '1')",
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
    try:
        TAKEN[how](run, tmp_path / "out")
    except StoreError as error:
        assert "is damaged" in str(error) or "as it was written" in str(error)
        assert not (tmp_path / "out").is_file()
        assert not (tmp_path / "out" / DATABASE).exists()
