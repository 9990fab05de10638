"""TextEditBench's loader: every kind of dirt is mended and reported, and costs no sample."""

import json
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from textedit_tree import PLAIN, kinds, picture, put, whole
from textedit_tree import root as root  # a fixture

from overpaint.benchmarks.textedit import (
    BREAKDOWNS,
    TOPICS,
    load,
    textedit,
    textedit_official,
)
from overpaint.benchmarks.textedit_files import MANUAL, WEB
from overpaint.errors import PictureError, UserMistake


def test_a_clean_tree_loads_without_a_repair_and_with_all_its_parts(root: Path) -> None:
    loaded = load(root)
    manual, web = loaded.samples
    assert (loaded.files, kinds(loaded)) == (2, {})
    assert manual.id == f"{MANUAL}/Data_Analytics/001"
    assert manual.request.instruction == "Change 'Friday' to 'Monday'"
    assert manual.request.names == (manual.id, "Data_Analytics/001")
    assert manual.request.mask is None, "an editor is not shown what may change"
    assert manual.tags == {
        "split": "synthetic",
        "operation": "change",
        "topic": "Data & Analytics",
        "difficulty": "easy",
        "language": "English",
    }
    names = [d.path.name for d in (manual.request.source, manual.target, *manual.masks)]
    assert names == ["1.jpg", "text_change_1.jpg", "1_mask.jpg", "text_change_1_mask.jpg"]
    assert web.target is None
    assert [mask.path.name for mask in web.masks] == ["2_mask.jpg", "2_edited_mask.jpg"]
    assert web.tags["split"] == "real-world"
    assert set(BREAKDOWNS) == set(web.tags)


def test_samples_travel_between_processes_and_into_json(root: Path) -> None:
    sample = load(root).samples[0]
    assert pickle.loads(pickle.dumps(sample)).id == sample.id
    assert json.loads(json.dumps(dict(sample.facts)))["difficulty_values"][4] == 1


# ── where the data is ───────────────────────────────────────────────────────────────────


def test_the_tree_is_found_from_its_parent_and_a_split_can_be_read_alone(root: Path) -> None:
    inner = root / "download" / "TextEditBench"
    inner.mkdir(parents=True)
    for split in (MANUAL, WEB):
        (root / split).rename(inner / split)
    assert len(load(root).samples) == 2
    alone = load(inner / WEB)
    assert [sample.id for sample in alone.samples] == [f"{WEB}/Media_Publishing/002"]
    assert kinds(alone) == {"missing split": 1}


@pytest.mark.parametrize("case", ["none", "absent", "file", "empty", "two", "no annotations"])
def test_unclear_data_is_the_users_mistake_and_says_what_was_expected(
    case: str, tmp_path: Path
) -> None:
    data: Path | None = tmp_path
    if case == "none":
        data = None
    elif case == "absent":
        data = tmp_path / "nowhere"
    elif case == "file":
        data = tmp_path / "file"
        data.write_text("")
    elif case == "two":
        put(tmp_path, f"one/{MANUAL}/Data_Analytics/001")
        put(tmp_path, f"other/{MANUAL}/Data_Analytics/001")
    elif case == "no annotations":
        (tmp_path / MANUAL).mkdir()
    with pytest.raises(UserMistake) as caught:
        load(data)
    said = str(caught.value)
    assert "annotation" in said if case == "no annotations" else f"{MANUAL}/ and {WEB}/" in said
    assert case != "none" or "--data" in said
    assert case != "two" or "2 TextEditBench trees" in said


# ── dirt ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"knowledge_prompt": ..., "knowledge prompt": "so"}, "misspelt key"),
        ({"knoeledge_prompt": "so"}, "misspelt key"),
        ({"konwledge_prompt": "so"}, "misspelt key"),
        ({"comment": "x", "rater": 3}, "unknown key"),
        ({"knowledge_prompt": "  "}, "empty knowledge prompt"),
        ({"difficulty": "esay"}, "misspelt difficulty"),
        ({"difficulty": " easy"}, "misspelt difficulty"),
        ({"editing_method": "text_chnge"}, "misspelt method"),
        ({"editing_method": "dance"}, "unknown method"),
        ({"topic": "Data&Analytics"}, "misspelt topic"),
        ({"topic": "Media & Publishing"}, "topic disagrees"),
        ({"source_tag": "human_anntation"}, "misspelt source_tag"),
        ({"input_image": "3.jpg "}, "trailing space"),
        ({"input_image": "23.jpg"}, "wrong file name"),
        ({"difficulty_score": "1(0,0,0,0,1,0,0,0,0)"}, "wrong length"),
        ({"difficulty_score": "1(0,0,0,0,1,0,0,0,0,0,0)"}, "wrong length"),
        ({"difficulty_score": "4(0,0,0,0,1,0,0,0,0,0)"}, "wrong sum"),
        ({"difficulty_score": "(0,0,0,0,1,0,0,0,0,0)"}, "wrong sum"),
        ({"difficulty_score": "1(0,0,0,0,1,0,0,0,0,0,)"}, "odd score"),
        ({"difficulty_score": "much"}, "odd score"),
        ({"difficulty_score": "6(2,2,2,0,0,0,0,0,0,0)"}, "tier disagrees"),
        ({"id": " &TextEditing_Data & Analytics_003"}, "odd id"),
        ({"id": "TextEditing_Data & Analytics_042"}, "odd id"),
        ({"topic": ...}, "missing field"),
        ({"output_image": ...}, "missing field"),
        ({"topic": 7}, "wrong type"),
        ({"prompt": "bell \x07 and \ud800"}, "odd character"),
    ],
)
def test_each_kind_of_dirt_is_mended_reported_once_and_costs_no_sample(
    changes: dict[str, Any], kind: str, root: Path
) -> None:
    where = f"{MANUAL}/Data_Analytics/003"
    put(root, where, pictures=whole(3), **changes)
    loaded = load(root)
    assert kinds(loaded) == {kind: 1}
    sample = next(sample for sample in loaded.samples if sample.id == where)
    assert len(loaded.samples) == 3
    assert sample.tags["topic"] == "Data & Analytics"
    assert sample.tags["operation"] == ("unknown" if kind == "unknown method" else "change")
    assert sample.tags["difficulty"] == ("medium" if kind == "tier disagrees" else "easy")
    assert sample.facts["knowledge_prompt"] == ("so" if kind == "misspelt key" else None)
    assert sample.target.path.name == "text_change_3.jpg"
    sample.request.instruction.encode()


def test_a_no_break_space_after_a_comma_is_mended_and_one_inside_text_is_kept(root: Path) -> None:
    text = json.dumps(PLAIN | {"prompt": "a\u00a0b"}, ensure_ascii=False)
    broken = text.replace('", "output', '",\u00a0 "output').encode()
    put(root, f"{MANUAL}/Packaging_Logistics/001", broken, pictures=whole(1))
    loaded = load(root)
    assert kinds(loaded) == {"invalid JSON": 1}
    assert "a\u00a0b" in {sample.request.instruction for sample in loaded.samples}


def test_a_byte_order_mark_and_a_bare_object_are_read(root: Path) -> None:
    data = b"\xef\xbb\xbf" + json.dumps(PLAIN).encode()
    put(root, f"{MANUAL}/Packaging_Logistics/001", data, pictures=whole(1))
    assert kinds(load(root)) == {"byte order mark": 1}


def test_pictures_are_found_by_convention_though_their_names_are_misspelt(root: Path) -> None:
    put(
        root,
        f"{MANUAL}/Data_Analytics/018",
        editing_method="scalling",
        output_image="scaling_18.jpg",
        pictures="18.jpg 18_mask.jpg scallling_18.jpg scallling_18_mask.jpg",
    )
    put(
        root,
        f"{WEB}/Merchandise_Apparel/048",
        input_image="23.jpg",
        pictures="23.jpg 23_mask.jpg 23_edited_mask.jpg",
    )
    (root / f"{WEB}/Media_Publishing/002/2.jpg").rename(root / f"{WEB}/Media_Publishing/002/2.jpg ")
    loaded = load(root)
    by_id = {sample.id: sample for sample in loaded.samples}
    scaled = by_id[f"{MANUAL}/Data_Analytics/018"]
    assert scaled.target.path.name == "scallling_18.jpg"
    assert scaled.masks[1].path.name == "scallling_18_mask.jpg"
    moved = by_id[f"{WEB}/Merchandise_Apparel/048"]
    assert moved.request.source.path.name == "23.jpg"
    assert [m.path.name for m in moved.masks] == ["23_mask.jpg", "23_edited_mask.jpg"]
    assert by_id[f"{WEB}/Media_Publishing/002"].request.source.rgb.shape == (32, 32, 3)
    assert kinds(loaded) == {"misspelt method": 1, "wrong file name": 2, "trailing space": 1}


def test_which_of_two_pictures_is_the_truth_is_not_guessed(root: Path) -> None:
    names = "4.jpg 4_mask.jpg one_4.jpg two_4.jpg text_change_4_mask.jpg"
    put(root, f"{MANUAL}/Data_Analytics/004", pictures=names)
    loaded = load(root)
    assert kinds(loaded) == {"missing picture": 1}


def test_a_missing_picture_is_reported_and_never_silently_done_without(root: Path) -> None:
    put(root, f"{MANUAL}/Data_Analytics/005", pictures="5.jpg 5_mask.jpg")
    loaded = load(root)
    (repair,) = [r for r in loaded.repairs if r.kind == "missing picture"]
    assert "text_change_5.jpg, text_change_5_mask.jpg" in repair.did
    sample = next(s for s in loaded.samples if s.id.endswith("005"))
    with pytest.raises(PictureError):
        _ = sample.target.rgb
    with pytest.raises(PictureError):
        _ = sample.masks[1].rgb


def test_a_nested_copy_is_reported_and_not_counted_and_a_nested_sample_is(root: Path) -> None:
    put(root, f"{WEB}/Data_Analytics/048")
    put(root, f"{WEB}/Data_Analytics/049")
    put(root, f"{WEB}/Data_Analytics/048/049", PLAIN_WEB_049)
    put(root, f"{WEB}/Data_Analytics/048/050", PLAIN_WEB_049 | {"prompt": "other"})
    loaded = load(root)
    ids = {sample.id for sample in loaded.samples}
    assert (loaded.files, len(ids)) == (6, 5)
    assert f"{WEB}/Data_Analytics/048/049" not in ids
    assert f"{WEB}/Data_Analytics/048/050" in ids
    assert kinds(loaded)["nested copy"] == kinds(loaded)["nested sample"] == 1


PLAIN_WEB_049 = {key: value for key, value in PLAIN.items() if key != "output_image"} | {
    "id": "TextEditing_Data & Analytics_049",
    "topic": "Data & Analytics",
    "input_image": "49.jpg",
}


def test_ids_do_not_tell_samples_apart_and_paths_do(root: Path) -> None:
    for where in (f"{MANUAL}/Data_Analytics/006", f"{MANUAL}/Data_Analytics/007"):
        put(root, where, id="same_6", pictures=whole(int(where[-1])))
    put(
        root,
        f"{WEB}/Data_Analytics/006",
        id="same_6",
        pictures="6.jpg 6_mask.jpg 6_edited_mask.jpg",
    )
    loaded = load(root)
    assert len({sample.id for sample in loaded.samples}) == 5
    assert kinds(loaded) == {"duplicate id": 1, "shared id": 1, "odd id": 1}
    names = {sample.id: sample.request.names for sample in loaded.samples}
    assert names[f"{MANUAL}/Data_Analytics/006"] == (f"{MANUAL}/Data_Analytics/006",)
    assert names[f"{MANUAL}/Data_Analytics/007"][1] == "Data_Analytics/007"


def test_a_folder_spelt_differently_in_the_two_splits_is_one_topic(root: Path) -> None:
    right = "Digital Interfaces & Interaction"
    one = f"{MANUAL}/Digtial_Interfaces_Reports/001"
    put(root, one, topic="Digtial Interfaces & Reports", pictures=whole(1))
    put(root, f"{WEB}/Digital_Interfaces_Interaction/003", topic=right)
    loaded = load(root)
    topics = Counter(sample.tags["topic"] for sample in loaded.samples)
    assert topics[right] == 2
    assert kinds(loaded, MANUAL) == {"misspelt folder": 1, "misspelt topic": 1}


def test_samples_of_one_source_picture_share_a_cluster(root: Path) -> None:
    folder = put(root, f"{MANUAL}/Data_Analytics/008", pictures=whole(8))
    (folder / "8.jpg").write_bytes((root / f"{MANUAL}/Data_Analytics/001/1.jpg").read_bytes())
    put(root, f"{MANUAL}/Data_Analytics/009")
    clusters = {sample.id[-3:]: sample.cluster for sample in load(root).samples}
    assert clusters["008"] == clusters["001"] == f"{MANUAL}/Data_Analytics/001"
    assert clusters["009"].endswith("009")


def test_files_that_are_no_sample_are_reported_and_left_out(root: Path) -> None:
    folder = put(root, f"{MANUAL}/Data_Analytics/001")
    (folder / "second.json").write_text("[]")
    (folder / ".hidden.json").write_text("[]")
    (root / MANUAL / "Data_Analytics" / "stray.json").write_text("[]")
    (root / MANUAL / "Data_Analytics" / "077").mkdir()
    picture(root / MANUAL / "Data_Analytics" / "077" / "77.jpg")
    loaded = load(root)
    assert len(loaded.samples) == 2
    assert loaded.files == 4
    assert kinds(loaded) == {
        "extra annotation": 1,
        "misplaced annotation": 1,
        "no annotation": 1,
    }


# ── protocol ────────────────────────────────────────────────────────────────────────────


def test_the_two_protocols_have_different_ids_and_columns() -> None:
    assert textedit.card.name == "textedit"
    assert textedit_official.card.name == "textedit@official"
    assert textedit.card.id != textedit_official.card.id
    assert not set(textedit.measures) & set(textedit_official.measures)
    assert len(set(TOPICS)) == 14
