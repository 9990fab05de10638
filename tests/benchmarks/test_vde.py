"""VDE Bench's loader: the release as it is, hostile files, and the built-in set."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import picture, write
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint import catalog
from overpaint.core import Loaded
from overpaint.engines.released import TYPES, in_pixels
from overpaint.errors import UserMistake

BOX = {"x": 10.0, "y": 20.0, "width": 30.0, "height": 5.0}


def entry(**changes: Any) -> dict[str, Any]:
    sample = {
        "id": 7, "image_input": "inputs/page_1.png", "image_output": "outputs/page_1_modified.png",
        "instruction": "Delete “Win on cost”.", "instruction type": "text deletion",
        "language": "english", "data_source": "eastmoney",
        "label_output": [BOX | {"original_width": 200, "original_height": 100}],
    }  # fmt: skip
    return {key: value for key, value in (sample | changes).items() if value is not None}


def released(folder: Path, entries: Any, **ocr: Any) -> Path:
    """A folder as the release has it: lists on top, pictures and OCR files below."""
    write(folder / "inputs/page_1.png", picture(1, 100, 200))
    write(folder / "outputs/page_1_modified.png", picture(2, 100, 200))
    (folder / "text_info_all.json").write_text(json.dumps(entries), encoding="utf-8")
    for name, found in ocr.items():
        path = folder / "text_output_all_ocr" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(found), encoding="utf-8")
    return folder


def load(folder: Path) -> Loaded:
    return catalog.benchmark("vde").load(folder)


def repairs(loaded: Loaded) -> set[str]:
    return {repair.kind for repair in loaded.repairs}


# ── the release ─────────────────────────────────────────────────────────────────────────


def test_the_key_with_a_space_the_percent_boxes_and_the_ocr_file_are_read(tmp_path: Path) -> None:
    blocks = {
        "parsing_res_list": [
            {"block_bbox": [1, 2, 30, 40], "block_content": "Chapter 1", "block_label": "title"},
            {"block_bbox": [1, 50, 90, 80], "block_content": "<table>", "block_label": "table"},
        ]
    }  # fmt: skip
    loaded = load(released(tmp_path, [entry()], page_1_modified_0=blocks))
    (sample,) = loaded.samples
    assert sample.tags == {"edit": "text deletion", "language": "english", "document": "eastmoney"}
    assert sample.facts["region"] == [20, 20, 80, 25]
    assert [block["block_label"] for block in sample.facts["page_blocks"]] == ["title", "table"]
    assert sample.request.names == ("7", "page_1_modified", "page_1")
    assert not loaded.repairs


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("text modification", "text replacement"), ("Text Insertion", "text addition"),
        ("table structure edit", "table structure edit"), ("table text edit", "table replacement"),
        ("table deletion", "table deletion"), ("structure editing", "table structure edit"),
    ],
)  # fmt: skip
def test_types_are_read_however_they_are_spelt(tmp_path: Path, written: str, kind: str) -> None:
    (sample,) = load(released(tmp_path, [entry(**{"instruction type": written})])).samples
    assert sample.tags["edit"] == kind
    assert kind in TYPES


def test_several_boxes_are_one_region_that_holds_them(tmp_path: Path) -> None:
    boxes = [BOX, {"x": 50, "y": 60, "width": 10, "height": 10}]
    (sample,) = load(released(tmp_path, [entry(label_output=boxes)])).samples
    assert sample.facts["regions"] == [[20, 20, 80, 25], [100, 60, 120, 70]]
    assert sample.facts["region"] == [20, 20, 120, 70]  # the size is the picture's own


def test_lists_that_number_alike_get_ids_of_their_own(tmp_path: Path) -> None:
    loaded = load(released(tmp_path, [entry(), entry(data_source="book")]))
    assert [sample.id for sample in loaded.samples] == ["7", "7#2"]
    assert "duplicate id" in repairs(loaded)


@given(st.integers(1, 5000), st.integers(1, 5000), st.data())
def test_a_box_in_percent_and_back_is_the_same_whole_pixels(
    width: int, height: int, data: Any
) -> None:
    left, top = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    right, bottom = data.draw(st.integers(left + 1, width)), data.draw(st.integers(top + 1, height))
    x, y = 100 * left / width, 100 * top / height
    percent = (x, y, x + 100 * (right - left) / width, y + 100 * (bottom - top) / height)
    assert in_pixels(percent, (width, height)) == (left, top, right, bottom)


# ── hostile files ───────────────────────────────────────────────────────────────────────


def test_a_picture_outside_the_folder_is_never_named(tmp_path: Path) -> None:
    write(tmp_path / "secret.png", picture(3, 100, 200))
    hostile = [entry(image_output=path) for path in ("../secret.png", "/etc/passwd", "a\0b")]
    loaded = load(released(tmp_path / "data", [entry(), *hostile]))
    assert len(loaded.samples) == 1
    assert repairs(loaded) == {"unreadable", "no OCR file"}


@pytest.mark.parametrize(
    "label",
    [None, 5, "box", {}, {"x": 1}, BOX | {"x": "10"}, BOX | {"width": -3}, BOX | {"x": 1e300},
     BOX | {"x": True}, BOX | {"x": 120.0}, BOX | {"x": 10**400}],
)  # fmt: skip
def test_a_box_that_is_none_leaves_the_sample_without_local_scores(
    tmp_path: Path, label: Any
) -> None:
    loaded = load(released(tmp_path, [entry(label_output=[label])]))
    assert "region" not in loaded.samples[0].facts
    assert "no box" in repairs(loaded)


@pytest.mark.parametrize(
    "text", ["", "{", "[1, 2", "NaN", "[" * 100_000, '{"a": 1}', "\xff\xfe", "[null, 3, []]"]
)
def test_a_list_that_is_none_is_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "list.json").write_text(text, encoding="utf-8")
    with pytest.raises(UserMistake, match="lists no sample of VDE Bench"):
        load(tmp_path)


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="is not there.*built-in set"):
        load(tmp_path / "nowhere")


def test_a_broken_ocr_file_is_a_repair_and_the_truth_is_read_instead(tmp_path: Path) -> None:
    loaded = load(released(tmp_path, [entry()], page_1_modified_0=[1, 2]))
    assert "page_blocks" not in loaded.samples[0].facts
    assert "unreadable" in repairs(loaded)


def test_blocks_without_four_finite_corners_are_left_out(tmp_path: Path) -> None:
    good = {"block_bbox": [0, 0, 9, 9], "block_content": None, "block_label": 5}
    bad = [
        {"block_bbox": box} for box in ([1, 2, 3], "1234", [1, 2, 3, "4"], None, [0, 0, 1e99, 1])
    ]
    found = {"parsing_res_list": [good, *bad, 7, None]}
    loaded = load(released(tmp_path, [entry()], page_1_modified_0=found))
    assert loaded.samples[0].facts["page_blocks"] == [
        {"block_bbox": [0.0, 0.0, 9.0, 9.0], "block_content": "", "block_label": "5"}
    ]


@pytest.mark.parametrize(
    "found",
    [{}, {"parsing_res_list": "x"}, {"parsing_res_list": [{"block_bbox": [0, 0, 10**400, 1]}, 3]},
     {"parsing_res_list": [{"block_bbox": [0, 0, 9, 9], "block_content": {"a": 1}}]},
     {"parsing_res_list": [{"block_bbox": [0, 0, 9, 9], "block_content": "a"}] * 20_001}],
    ids=["nothing", "no list", "no boxes", "no texts", "more than a page has"],
)  # fmt: skip
def test_an_ocr_file_of_nothing_but_rubbish_is_not_taken_for_an_empty_page(
    tmp_path: Path, found: Any
) -> None:
    loaded = load(released(tmp_path, [entry()], page_1_modified_0=found))
    assert "page_blocks" not in loaded.samples[0].facts
    assert "unreadable" in repairs(loaded)


def test_percent_are_of_the_picture_that_is_there_whatever_its_list_says(tmp_path: Path) -> None:
    wrong = BOX | {"original_width": 100_000, "original_height": 1.5}
    loaded = load(released(tmp_path, [entry(), entry(label_output=[wrong])]))
    right, other = (sample.facts["region"] for sample in loaded.samples)
    assert right == other
    assert "other size" in repairs(loaded)


def test_an_id_that_another_sample_was_given_is_not_given_twice(tmp_path: Path) -> None:
    loaded = load(released(tmp_path, [entry(id=name) for name in ("a", "a", "a#2", "a")]))
    assert [sample.id for sample in loaded.samples] == ["a", "a#2", "a#2#2", "a#3"]


def test_an_instruction_of_the_length_of_a_book_is_none(tmp_path: Path) -> None:
    loaded = load(released(tmp_path, [entry(), entry(instruction="x" * 10_001)]))
    assert len(loaded.samples) == 1
    assert "unreadable" in repairs(loaded)


@pytest.mark.parametrize("path", ["a\ud800.png", "a" * 5_000, "outputs/loop.png", " \0"])
def test_a_path_that_leads_nowhere_costs_its_sample_alone(tmp_path: Path, path: str) -> None:
    folder = released(tmp_path, [entry(), entry(image_output=path)])
    (folder / "outputs/loop.png").symlink_to("loop.png")
    (folder / "text_output_all_ocr").mkdir()
    (folder / "text_output_all_ocr/loop.json").symlink_to("loop.json")
    loaded = load(folder)
    assert len(loaded.samples) == 1
    assert "unreadable" in repairs(loaded)


_json = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers()
    | st.text(st.characters(), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["id", "image_input", "image_output", "instruction", "instruction type", "language",
         "label_output", "x", "y", "width", "height", "original_width"]), inner, max_size=6),
    max_leaves=20,
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(_json, max_size=4))
def test_no_list_makes_the_loader_raise(tmp_path_factory: Any, entries: list[Any]) -> None:
    folder = released(tmp_path_factory.mktemp("hostile"), [entry(), *entries])
    assert len(load(folder).samples) >= 1
