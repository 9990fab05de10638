"""What fuzzing found stays mended."""

import json
import sqlite3
from pathlib import Path

import pytest
from fuzz_sets import studies

from overpaint.engines.milde.records import told_layers
from overpaint.errors import DataError, StoreError, Unavailable, UserMistake
from overpaint.measures.calibration_maps import FORMAT, read_map
from overpaint.models.names import endpoint
from overpaint.rating.study import load_study
from overpaint.rating.tasks import open_items
from overpaint.store import Store
from overpaint.store.samples import listed, load_sample
from overpaint.vision.checkpoints import read_checkpoint
from overpaint.weights.npm import _error_in

DEEP = "[" * 100_000


def test_a_model_s_name_that_no_file_can_have_names_no_folder() -> None:
    assert endpoint(f"local/{'a' * 5_000}").address == ""


def test_a_task_s_picture_may_be_called_what_no_file_is(tmp_path: Path) -> None:
    row = {"open": True, "task": "t", "kind": "rate", "sample": "s", "picture": {"path": "\ud800"}}
    (tmp_path / "tasks.jsonl").write_text(json.dumps(row))
    assert open_items(tmp_path) == ([], ["tasks.jsonl line 1: its picture's path leads nowhere"])


def test_a_layer_of_no_known_class_is_a_damaged_file(tmp_path: Path) -> None:
    row = {"id": "1", "kind": "x", "box": [0, 0, 1, 1], "colours": []}
    with pytest.raises(DataError, match="is not as a build wrote it"):
        told_layers({"layers": [row]}, tmp_path / "a.json")


@pytest.mark.parametrize(
    "text", [DEEP, json.dumps(json.loads(studies()[0]) | {"consent": 3}), "[]"]
)
def test_a_study_that_is_none_is_told(text: str) -> None:
    with pytest.raises(DataError, match="The study's description cannot be read"):
        load_study(text)


@pytest.mark.parametrize("maps", [0.5, None, [{"measure": "m", "dimension": "q", "x": [0.0],
                                   "y": [1.0], "increasing": True, "n": 1e999}]])  # fmt: skip
def test_maps_that_are_none_are_told(tmp_path: Path, maps: object) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps({"format": FORMAT, "maps": maps}))
    with pytest.raises(UserMistake, match=r"has no map of m to q|not an isotonic map"):
        read_map(path, "m", "q")


def test_what_npm_says_may_be_deeply_nested() -> None:
    assert _error_in('{"error": ' + DEEP) == {}


@pytest.mark.parametrize("power", [62, 63])
def test_a_pickle_that_asks_for_all_memory_is_refused(tmp_path: Path, power: int) -> None:
    path = tmp_path / "net.pth"
    path.write_bytes(b"\x80\x04\x8e" + (2**power).to_bytes(8, "little"))  # so many bytes
    with pytest.raises(Unavailable, match="cannot be read as a torch checkpoint"):
        read_checkpoint(path)


@pytest.mark.parametrize("body", ["", "{}", "3", DEEP, '{"id": "a", "source": 3}'])
def test_a_sample_that_is_not_as_it_was_written_is_told(body: str) -> None:
    with pytest.raises(StoreError, match="A sample of the run is not as it was written"):
        load_sample(body)


def test_notes_that_are_no_list_are_told() -> None:
    assert listed('["a"]') == ("a",)
    for text in ("", "3", '"a"', DEEP):
        with pytest.raises(StoreError, match="where a list was written"):
            listed(text)


def test_a_run_s_damaged_page_is_a_sentence(tmp_path: Path) -> None:
    with Store.create(tmp_path) as store:
        for number in range(200):
            store.add_editor(f"e{number}", "x" * 100)
    with sqlite3.connect(tmp_path / "run.db") as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray((tmp_path / "run.db").read_bytes())
    last = data.rindex(b"e199" + b"x" * 100) // 4096 * 4096  # a page that is come to late
    data[last : last + 4096] = bytes(4096)
    (tmp_path / "run.db").write_bytes(data)
    with Store.open(tmp_path) as store, pytest.raises(StoreError, match="cannot be used"):
        _ = store.editors
