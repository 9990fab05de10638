"""What fuzzing found stays mended."""

import json
import re
import sqlite3
from pathlib import Path

import pikepdf
import pytest
from fuzz_documents import pdf_scanned, scan_seeds
from fuzz_kept import runs
from fuzz_sets import studies

from overpaint.document.pdf.content import shows
from overpaint.document.pdf.encoding import content_of, editable
from overpaint.document.pdf.forms import check_forms
from overpaint.engines.milde.records import told_layers
from overpaint.errors import DataError, Refused, StoreError, Unavailable, UserMistake
from overpaint.measures.calibration_maps import FORMAT, read_map
from overpaint.models.names import endpoint
from overpaint.rating.study import load_study
from overpaint.rating.tasks import open_items
from overpaint.report.tables import read_tables
from overpaint.store import Store, recall_evidence
from overpaint.store.merging import merge
from overpaint.store.orphans import STUDIES, orphans
from overpaint.store.samples import listed, load_sample
from overpaint.vision.checkpoints import read_checkpoint
from overpaint.vision.own_weights import tensors
from overpaint.weights.npm import _error_in

DEEP = "[" * 100_000


def test_a_model_s_name_that_no_file_can_have_names_no_folder() -> None:
    assert endpoint(f"local/{'a' * 5_000}").address == ""


def test_a_model_has_one_name_of_ones_own() -> None:
    assert endpoint("mine=openai/gpt").short == "mine"
    with pytest.raises(UserMistake, match="names no model"):
        endpoint("a=" * 5_000 + "openai/gpt")


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
    with Store.open(tmp_path) as store, pytest.raises(StoreError, match="is damaged"):
        _ = store.editors


def a_run(folder: Path, *changes: str) -> Path:
    """A run of which somebody has changed rows."""
    folder.mkdir()
    (folder / "run.db").write_bytes(runs()[0])
    with sqlite3.connect(folder / "run.db") as database:
        for change in changes:
            assert database.execute(change).rowcount
    return folder


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE scores SET value = 'ok'",
        "UPDATE editors SET name = x'ff' WHERE n = 1",
        "UPDATE edits SET status = CAST(x'ff6b' AS TEXT)",
        "UPDATE samples SET body = '{}'",
    ],
)
def test_rows_that_no_run_has_are_told_by_a_report(tmp_path: Path, change: str) -> None:
    with pytest.raises(StoreError), Store.open(a_run(tmp_path / "run", change)) as store:
        read_tables(store)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE calls SET state = 'x'",
        "UPDATE calls SET attempts = 'x'",
        "UPDATE edits SET editor = 99 WHERE editor = 1",
        "UPDATE samples SET body = '[]'",
    ],
)
def test_a_stranger_s_damaged_run_is_not_merged(tmp_path: Path, change: str) -> None:
    ours, theirs = a_run(tmp_path / "ours"), a_run(tmp_path / "theirs", change)
    with pytest.raises(StoreError):
        merge([ours, theirs], tmp_path / "both")
    assert not (tmp_path / "both" / "run.db").exists()


def test_evidence_of_a_damaged_run_is_told(tmp_path: Path) -> None:
    (tmp_path / "run.db").write_bytes(runs()[0][:5000])
    with pytest.raises(StoreError, match="is damaged"):
        recall_evidence(tmp_path, "known")


def test_a_study_whose_pictures_have_no_path_names_none(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "run")
    (folder / STUDIES).mkdir()
    with sqlite3.connect(folder / STUDIES / "a.db") as database:
        database.execute("CREATE TABLE pictures (path)")
        database.execute("INSERT INTO pictures VALUES (NULL), (x'ff'), (3)")
    assert list(orphans(folder)) == []


@pytest.mark.parametrize("data", [b"\x80\x02K", b"\x80\x02q\x00", b"\x80\x02.", b"\x80\x02h"])
@pytest.mark.slow  # where torch and safetensors are
def test_weights_of_ones_own_that_break_off_are_told(tmp_path: Path, data: bytes) -> None:
    pytest.importorskip("safetensors")
    pytest.importorskip("torch")
    path = tmp_path / "own.pth"
    path.write_bytes(data)
    with pytest.raises(Unavailable):
        tensors(path, largest=1 << 20, refuse=Unavailable)


def test_a_page_s_content_may_show_nothing_and_then_move() -> None:
    (show,) = shows([([[b"", 5, b"A", 3]], "TJ")])
    assert show.items == [b"A", 3.0]
    assert shows([([[b"", 5]], "TJ")]) == []


def test_a_page_that_only_pdfium_finds_is_not_changed() -> None:
    with (
        pytest.raises(Refused, match="can be read but not changed"),
        editable(scan_seeds()[0]) as f,
    ):
        content_of(f, 9)


def test_a_scan_whose_map_of_letters_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    path.write_bytes(re.sub(rb"/ToUnicode . 0 R", b"/ToUnicode /Odd ", scan_seeds()[2]))
    with pytest.raises(Refused, match="can be read but not changed"):
        pdf_scanned(path)


def test_a_name_that_is_no_text_is_damage_of_the_file(tmp_path: Path) -> None:
    path, seed = tmp_path / "scan.pdf", scan_seeds()[2]
    path.write_bytes(seed.replace(b"<< /Font <<", b"<< /F\xefnt <<"))
    with pytest.raises(Refused, match="can be read but not changed"):
        pdf_scanned(path)
    with editable(seed) as file:
        file.pages[0].Contents = file.make_stream(b"BT /F\xbf 12 Tf (x) Tj ET")
        with pytest.raises(Refused, match="The content of page 1 cannot be read"):
            content_of(file, 1)


def test_weights_that_note_things_under_numbers_of_their_own_take_no_gigabytes(
    tmp_path: Path,
) -> None:
    path = tmp_path / "own.pth"
    path.write_bytes(b"\x80\x02K\x01r\xff\xff\xff\x0f.")
    with pytest.raises(Unavailable, match="268435455 comes before 0 in it"):
        read_checkpoint(path)


def test_what_qpdf_raises_without_a_kind_is_left_to_pdfium(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: object) -> None:
        raise RuntimeError("/Count is wrong after flattening pages tree")

    monkeypatch.setattr(pikepdf, "open", fails)
    check_forms(tmp_path / "a.pdf", b"a file that qpdf stumbles over", 1)
