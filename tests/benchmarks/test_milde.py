"""MiLDE's loader: a set as it should be, and all that can be wrong with one."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.benchmarks.milde import load_set, milde
from overpaint.cli import main
from overpaint.document import Document, Layer, Picture
from overpaint.document.files import write
from overpaint.engines.milde import album
from overpaint.errors import DataError, UserMistake

QUESTION = {
    "layer": "2", "question": "Does it say so?", "about": "text", "expected": "yes",
    "check": {"kind": "says", "words": "so", "box": [0, 0, 4, 4]},
}  # fmt: skip


def entry(**changes: Any) -> dict[str, Any]:
    sample: dict[str, Any] = {
        "id": "a", "instruction": "Say so.", "language": "English", "document": "documents/a.ora",
        "truth": "documents/a.ora", "split": "known", "theme": "seasons", "format": "poster",
        "layers": [{"id": "1", "kind": "image"}, {"id": "2", "kind": "text"}],
        "gold": ["2"], "layer_instructions": {"2": "Say so."},
        "steps": [{"text": "Say so.", "kind": "text", "layer": "2"}], "texts": {"2": "so"},
        "questions": [QUESTION],
    }  # fmt: skip
    return {key: value for key, value in (sample | changes).items() if value is not ...}


def folder_of(folder: Path, *entries: Any, form: object = "milde/1") -> Path:
    (folder / "documents").mkdir(parents=True, exist_ok=True)
    pixels = np.zeros((8, 8, 4), np.uint8)
    layers = (Layer(Picture(pixels), "one", "1"), Layer(Picture(pixels), "two", "2"))
    write(Document(made=layers, canvas=(8, 8)), folder / "documents" / "a.ora")
    index = {"form": form, "samples": list(entries)}
    (folder / "samples.json").write_text(json.dumps(index), encoding="utf-8")
    return folder


def test_a_sample_has_its_request_its_truth_its_tags_and_its_facts(tmp_path: Path) -> None:
    (sample,) = load_set(folder_of(tmp_path, entry())).samples
    assert sample.request.instruction == "Say so."
    assert sample.request.names == ("a",)
    assert sample.target == sample.request.source
    assert sample.tags["edits"] == "text"
    assert sample.tags["edited"] == "1"
    assert sample.facts["gold"] == ["2"]
    assert sample.facts["questions"] == [QUESTION]
    assert [layer.id for layer in sample.request.source.layers] == ["1", "2"]


@pytest.mark.parametrize(
    ("gold", "edits", "edited"),
    [(["1"], "image", "1"), (["2", "1"], "both", "2"), (["1", "3", "2"], "both", "3+")],
)
def test_tags_say_what_kind_of_layers_change_and_how_many(
    tmp_path: Path, gold: list[str], edits: str, edited: str
) -> None:
    layers = [{"id": "1", "kind": "image"}, {"id": "2", "kind": "text"},
              {"id": "3", "kind": "decoration"}]  # fmt: skip
    empty: dict[str, Any] = {"layer_instructions": {}, "texts": {}, "steps": [], "questions": []}
    loaded = load_set(folder_of(tmp_path, entry(gold=gold, layers=layers, **empty)))
    tags, facts = loaded.samples[0].tags, loaded.samples[0].facts
    assert (tags["edits"], tags["edited"]) == (edits, edited)
    assert facts["gold"] == sorted(gold)  # in z-order, however they are listed


def test_a_sample_without_a_truth_and_without_questions_is_one_all_the_same(tmp_path: Path) -> None:
    bare = entry(truth=..., questions=..., steps=..., texts=..., layer_instructions=...)
    (sample,) = load_set(folder_of(tmp_path, bare)).samples
    assert sample.target is None
    assert sample.facts["questions"] == []


WRONG = [
    ({"id": ""}, "no id"),
    ({"id": 7}, "no id"),
    ({"instruction": " "}, "no instruction"),
    ({"instruction": "x" * 10_001}, "10,001 characters"),
    ({"document": "../a.ora"}, "leads out of the folder"),
    ({"document": "/etc/passwd"}, "leads out of the folder"),
    ({"document": "documents/b.ora"}, "is not there"),
    ({"document": "documents/\0.ora"}, "no document"),
    ({"document": 3}, "no document"),
    ({"truth": "../../x"}, "leads out of the folder"),
    ({"layers": []}, "its layers are no list"),
    ({"layers": [{"id": "2", "kind": "sound"}]}, "not an id and one of"),
    ({"layers": [{"id": "2", "kind": "text"}] * 2}, "two of its layers have one id"),
    ({"gold": []}, "are not ids of its layers"),
    ({"gold": ["9"]}, "are not ids of its layers"),
    ({"gold": {"2": 1}}, "are not ids of its layers"),
    ({"texts": {"1": "so"}}, "its texts are not texts by gold layer"),
    ({"texts": ["so"]}, "its texts are not texts by gold layer"),
    ({"layer_instructions": {"2": 4}}, "its layer_instructions are not texts"),
    ({"steps": [{"text": "x", "kind": "sound", "layer": "2"}]}, "a step of it is"),
    ({"steps": 3}, "its steps are no list"),
    ({"questions": [QUESTION | {"expected": "maybe"}]}, "a question of it is"),
    ({"questions": [QUESTION | {"layer": "1"}]}, "a question of it is"),
    ({"questions": [QUESTION | {"check": {"kind": "says", "words": "so"}}]}, "a question of it"),
    ({"questions": [QUESTION | {"check": {"kind": "gone", "words": " "}}]}, "a question of it"),
    ({"questions": [QUESTION | {"check": {"kind": "looks", "box": [4, 0, 0, 4]}}]}, "a question"),
    ({"questions": [QUESTION | {"question": "\ud800"}]}, "a question of it is"),
    ({"questions": [QUESTION] * 501}, "its questions are no list"),
]


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_a_sample_that_cannot_be_used_is_left_out_and_the_repair_says_why(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    loaded = load_set(folder_of(tmp_path, entry(id="good"), entry(**changes)))
    assert [sample.id for sample in loaded.samples] == ["good"]
    (repair,) = loaded.repairs
    assert repair.where == "samples.json[1]"
    assert message in repair.did


def test_of_two_samples_with_one_id_the_first_counts(tmp_path: Path) -> None:
    loaded = load_set(folder_of(tmp_path, entry(), entry(instruction="Again."), "no object"))
    assert [sample.request.instruction for sample in loaded.samples] == ["Say so."]
    assert ["taken already" in r.did or "not an object" in r.did for r in loaded.repairs] == [
        True, True,
    ]  # fmt: skip


def test_a_folder_that_is_no_set_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="is not there, or is no folder"):
        load_set(tmp_path / "none")
    with pytest.raises(DataError, match=r"samples\.json cannot be read"):
        load_set(tmp_path)
    (tmp_path / "samples.json").write_text("{")
    with pytest.raises(DataError, match="is no JSON"):
        load_set(tmp_path)
    with pytest.raises(DataError, match="is of the form 'milde/9'"):
        load_set(folder_of(tmp_path / "other", form="milde/9"))
    with pytest.raises(UserMistake, match="lists no sample of MiLDE that can be used"):
        load_set(folder_of(tmp_path / "empty"))
    (tmp_path / "samples.json").write_text('{"form": "milde/1", "samples": 3}')
    with pytest.raises(DataError, match='has no list "samples"'):
        load_set(tmp_path)


def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "set", entry(document="documents/link.ora"))
    (folder / "documents" / "link.ora").symlink_to(tmp_path / "outside.ora")
    (tmp_path / "outside.ora").write_bytes(b"PK")
    with pytest.raises(UserMistake, match="leads out of the folder"):
        load_set(folder)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "kind", "check", "box", "2"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(entry())), json_values)
def test_no_value_of_any_field_makes_the_loader_fall_over(
    tmp_path_factory: pytest.TempPathFactory, field: str, value: Any
) -> None:
    folder = tmp_path_factory.mktemp("set")
    (folder / "documents").mkdir()
    (folder / "documents" / "a.ora").write_bytes(b"PK")
    index = {"form": "milde/1", "samples": [entry(id="good"), entry(**{field: value})]}
    (folder / "samples.json").write_text(json.dumps(index), encoding="utf-8")
    assert load_set(folder).samples[0].id == "good"


def test_the_card_names_the_benchmark_and_its_breakdowns_are_tags(tmp_path: Path) -> None:
    (sample,) = milde.load(folder_of(tmp_path, entry())).samples
    assert milde.card.name == "milde"
    assert set(milde.breakdowns) <= set(sample.tags)


def test_the_built_in_set_is_made_once_and_a_set_of_other_letters_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []

    def write_two(folder: Path, **how: Any) -> str:
        made.append(folder)
        return write_album(folder, count=2, progress=how["progress"])

    write_album = album.write
    monkeypatch.setattr(album, "write", write_two)
    monkeypatch.setattr("overpaint.benchmarks.milde.cache_folder", lambda: tmp_path)
    told: list[tuple[str, int, int]] = []
    milde.prepare(lambda *done: told.append(done))
    loaded = milde.load(None)
    assert made == [tmp_path / f"milde-{album.REVISION[:12]}"]
    assert told == [("making", 1, 2), ("making", 2, 2)]
    assert len(loaded.samples) == 2
    (repair,) = loaded.repairs  # two samples are not the set of 200
    assert repair.kind == "other data"
    assert f"ours is {album.REVISION[:12]}" in repair.did


def test_a_plan_says_how_many_samples_are_left_out_and_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = folder_of(tmp_path, entry(), entry(id="b", gold=["7"]), entry(id="c", document="no.ora"))
    given = ["run", "milde", "--data", str(data), "--editor", "identity", "--dry-run"]
    assert main(given) == 0
    said = capsys.readouterr().out
    assert "repairs of data     2 × unreadable (the first: samples.json[1]: Left out: " in said
    assert "['7'] are not ids of its layers" in said
