"""The TextEditBench loader: on the real release, on a small tree with every kind of dirt, and
on what was made to break it."""

import contextlib
import json
import os
import pickle
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from overpaint.benchmarks import textedit_files
from overpaint.benchmarks.textedit import (
    BREAKDOWNS,
    KINDS,
    TOPICS,
    load,
    textedit,
    textedit_official,
)
from overpaint.benchmarks.textedit_difficulty import (
    ATTRIBUTES,
    check_difficulty,
    count_regions,
    rating_notes,
    read_rating,
    target_words,
    tier,
)
from overpaint.benchmarks.textedit_files import MANUAL, WEB, parse_annotation
from overpaint.core import Loaded, Sample
from overpaint.document import Document
from overpaint.errors import DataError, PictureError, UserMistake

PLAIN = {
    "id": "TextEditing_Packaging & Logistics_001",
    "topic": "Packaging & Logistics",
    "prompt": "Change 'Friday' to 'Monday'",
    "editing_method": "text_change",
    "difficulty": "easy",
    "difficulty_score": "1(0,0,0,0,1,0,0,0,0,0)",
    "input_image": "1.jpg",
    "output_image": "text_change_1.jpg",
    "source_tag": "human_annotation",
}


# ── a small tree ────────────────────────────────────────────────────────────────────────


def put(root: Path, where: str, annotation: Any = None, pictures: str = "", **changes: Any) -> Path:
    """A sample folder: a plain annotation with changes (or raw bytes), and named pictures."""
    folder = root / where
    folder.mkdir(parents=True, exist_ok=True)
    number = folder.name.lstrip("0")
    if annotation is None:
        topic = folder.parent.name.replace("_", " & ", 1).replace("_", " ")
        own = {
            "id": f"TextEditing_{topic}_{folder.name}",
            "topic": topic,
            "input_image": f"{number}.jpg",
            "output_image": f"text_change_{number}.jpg",
        }
        merged = PLAIN | own | changes
        if where.startswith(WEB):
            merged.pop("output_image")
        annotation = [{key: value for key, value in merged.items() if value is not ...}]
    data = annotation if isinstance(annotation, bytes) else json.dumps(annotation).encode()
    (folder / f"{folder.parent.name}_{folder.name}.json").write_bytes(data)
    for at, name in enumerate(pictures.split()):
        picture(folder / name, shade=40 * at)
    return folder


def picture(path: Path, shade: int = 0, white: tuple[slice, ...] = ()) -> None:
    pixels = np.full((32, 32), shade, np.uint8)
    for part in white:
        pixels[part, part] = 255
    Image.fromarray(pixels).save(path, "PNG" if path.suffix.strip() == ".png" else "JPEG")


def whole(number: int, method: str = "text_change") -> str:
    """The names of a complete manual sample."""
    return f"{number}.jpg {number}_mask.jpg {method}_{number}.jpg {method}_{number}_mask.jpg"


def kinds(loaded: Loaded, where: str = "") -> Counter[str]:
    """How often each kind of repair was reported, leaving out that it is not the release."""
    return Counter(
        r.kind for r in loaded.repairs if r.where.startswith(where) and r.kind != "other data"
    )


def only(loaded: Loaded) -> Sample:
    (sample,) = loaded.samples
    return sample


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A tree with one clean sample in each split."""
    put(tmp_path, f"{MANUAL}/Data_Analytics/001", pictures=whole(1))
    put(tmp_path, f"{WEB}/Media_Publishing/002", pictures="2.jpg 2_mask.jpg 2_edited_mask.jpg")
    return tmp_path


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


# ── attacks and accidents ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"not json",
        b"[]",
        b"[[]]",
        b"3",
        b"null",
        b'{"prompt": null}',
        b'{"prompt": "  "}',
        b'{"prompt": ["Change"]}',
        b'{"prompt": "x", "id": NaN}',
        b'{"prompt": "x", "id": ' + b"9" * 5000 + b"}",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b'"' + b'\\"' * 200_000,
        b" " * (textedit_files.BYTES_LIMIT + 1),
    ],
    ids=range(17),
)
def test_an_annotation_beyond_repair_is_reported_and_nothing_else_is_lost(
    data: bytes, root: Path
) -> None:
    put(root, f"{MANUAL}/Data_Analytics/003", data, pictures=whole(3))
    started = time.perf_counter()
    loaded = load(root)
    assert time.perf_counter() - started < 2
    assert (len(loaded.samples), loaded.files) == (2, 3)
    assert kinds(loaded) == {"unreadable": 1}


@pytest.mark.parametrize(
    "path", ["../001/1.jpg", "/etc/passwd", "..\\1.jpg", "C:1.jpg", "..", "a/3.jpg", "x\0/3.jpg"]
)
def test_a_path_that_leaves_its_folder_is_refused(path: str, root: Path) -> None:
    put(root, f"{MANUAL}/Data_Analytics/003", pictures=whole(3), input_image=path)
    put(root, f"{MANUAL}/Data_Analytics/004", input_image=path)
    loaded = load(root)
    assert {sample.id[-3:] for sample in loaded.samples} == {"001", "002", "003"}
    assert kinds(loaded, f"{MANUAL}/Data_Analytics/003")["unsafe path"] == 1
    assert kinds(loaded, f"{MANUAL}/Data_Analytics/004")["unsafe path"] == 1
    for sample in loaded.samples:
        assert sample.request.source.path.parent == root / sample.id


def test_a_method_that_is_a_path_names_no_file(root: Path) -> None:
    put(root, f"{MANUAL}/Data_Analytics/003", editing_method="../../../x", output_image="../x.jpg")
    folder = root / f"{MANUAL}/Data_Analytics/003"
    for sample in load(root).samples:
        for document in (sample.request.source, *sample.masks):
            assert document.path.parent.parent.parent.parent == root
    picture(folder / "3.jpg")
    sample = next(s for s in load(root).samples if s.id.endswith("003"))
    assert sample.target.path.parent == folder


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize("name", ["3.jpg", "3_mask.jpg", "text_change_3.jpg"])
def test_a_link_that_leaves_its_folder_is_never_followed(name: str, root: Path) -> None:
    folder = put(root, f"{MANUAL}/Data_Analytics/003", pictures=whole(3))
    secret = root / "secret.jpg"
    picture(secret)
    (folder / name).unlink()
    (folder / name).symlink_to(secret)
    loaded = load(root)
    assert not [sample for sample in loaded.samples if sample.id.endswith("003")]
    assert kinds(loaded) == {"unsafe path": 2}


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes need rights there")
def test_links_to_folders_to_annotations_and_to_themselves_and_pipes_are_passed_over(
    root: Path,
) -> None:
    topic = root / MANUAL / "Data_Analytics"
    (topic / "900").symlink_to(root)
    (topic / "901").mkdir()
    (topic / "901" / "a.json").symlink_to(topic / "001" / "Data_Analytics_001.json")
    (topic / "902").mkdir()
    (topic / "902" / "a.json").symlink_to(topic / "902" / "a.json")
    os.mkfifo(topic / "001" / "pipe.json")
    (topic / "001" / "inside.jpg").symlink_to("1.jpg")
    loaded = load(root)
    assert len(loaded.samples) == 2
    assert kinds(loaded) == {"unsafe path": 4}


def test_a_link_to_the_whole_tree_is_the_users_own_business(root: Path, tmp_path: Path) -> None:
    there = tmp_path / "elsewhere"
    there.mkdir()
    for split in (MANUAL, WEB):
        (there / split).symlink_to(root / split)
    assert len(load(there).samples) == 2
    assert len(load(there / WEB).samples) == 1


TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates too
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_make_the_parser_raise_anything_but_a_data_error(data: bytes) -> None:
    with contextlib.suppress(DataError):
        assert parse_annotation(data).get("prompt")


@settings(deadline=None, max_examples=60)
@given(st.fixed_dictionaries({}, optional=dict.fromkeys(PLAIN, JSON | TEXT)))
def test_no_value_in_any_field_makes_loading_fail(
    tmp_path_factory: pytest.TempPathFactory, fields: dict[str, Any]
) -> None:
    root = tmp_path_factory.mktemp("tree")
    put(root, f"{MANUAL}/Data_Analytics/003", PLAIN | fields)
    loaded = load(root)
    assert len(loaded.samples) + kinds(loaded)["unreadable"] + kinds(loaded)["unsafe path"] >= 1
    assert set(kinds(loaded)) <= set(KINDS)
    for sample in loaded.samples:
        json.dumps(dict(sample.facts), ensure_ascii=False).encode()
        check_difficulty(sample)
    for repair in loaded.repairs:
        f"{repair.where} {repair.did}".encode()


@given(TEXT)
def test_no_text_makes_the_difficulty_readers_raise(text: str) -> None:
    list(rating_notes(read_rating(text), text, "easy"))
    target_words(text, "change")


# ── difficulty ──────────────────────────────────────────────────────────────────────────


def test_tiers_follow_the_papers_thresholds() -> None:
    names = [tier(total) for total in range(21)]
    assert names == ["easy"] * 6 + ["medium"] * 5 + ["hard"] * 10


@pytest.mark.parametrize(
    ("text", "total", "values"),
    [
        ("12(0,0,2,2,0,0,2,2,2,2)", 12, 10),
        (" 6(0,1,2,0,0,0,0,2,1,0)", 6, 10),
        ("4 (0, 0,0,0,0,0,0,2,2,0)", 4, 10),
        ("（0，1）", None, 2),
        ("7(0,2,)", 7, 2),
    ],
)
def test_a_rating_is_read_however_it_is_spaced(text: str, total: int | None, values: int) -> None:
    rating = read_rating(text)
    assert rating is not None
    assert (rating.total, len(rating.values)) == (total, values)


@pytest.mark.parametrize("text", ["", "12", "(", "()", "1(a,b)", "1(1 2)", "-1(0)", "1(0,-1)"])
def test_what_is_no_rating_is_none(text: str) -> None:
    assert read_rating(text) is None


@pytest.mark.parametrize(
    ("prompt", "operation", "words"),
    [
        ("Delete 'Personal exhibition'", "delete", 2),
        ("delete the 'chi kery' and 'bakery'", "delete", 3),
        ("Delete ‘MOVE’ from the text ‘MOVE AMPAT’", "delete", 1),
        ("Add 'Teacher's opinion' below 'Notice'", "insert", 2),
        ("Add the label '图片仅供参考'", "insert", 6),
        ('Change "a b c" to "d e f g h"', "change", 5),
        ("Change the name to 'New'", "change", 1),
        ("Change 'HOT' to its opposite", "change", None),
        ("change the font of'Pet & Play'", "attribute", 2),
        ("Move the author's name up, not the students' names", "relocation", None),
    ],
)
def test_the_target_text_is_the_quoted_one(prompt: str, operation: str, words: int | None) -> None:
    assert target_words(prompt, operation) == words


def test_a_prompt_of_nothing_but_quotes_is_read_in_no_time() -> None:
    started = time.perf_counter()
    target_words(" 'a" * 300_000, "insert")
    assert time.perf_counter() - started < 1


def mask(*squares: tuple[int, int, int]) -> Document:
    """A black mask with white squares (top, left, side)."""
    pixels = np.zeros((120, 120, 3), np.uint8)
    for top, left, side in squares:
        pixels[top : top + side, left : left + side] = 255
    return Document.of(pixels)


@pytest.mark.parametrize(
    ("squares", "regions"),
    [
        ([], 0),
        ([(0, 0, 8)], 1),
        ([(0, 0, 7)], 0),  # 49 pixels: a speck
        ([(0, 0, 10), (10, 10, 10)], 1),  # touching at a corner
        ([(0, 0, 10), (30, 30, 10), (60, 60, 10), (90, 90, 10)], 4),
    ],
)
def test_regions_are_connected_white_parts_larger_than_a_speck(
    squares: list[tuple[int, int, int]], regions: int
) -> None:
    assert count_regions(mask(*squares)) == regions


def test_regions_cannot_be_counted_in_a_missing_or_broken_mask(tmp_path: Path) -> None:
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    assert count_regions(Document(tmp_path / "absent.jpg")) is None
    assert count_regions(Document(tmp_path / "broken.jpg")) is None


@pytest.mark.parametrize(
    ("attribute", "value", "kind"),
    [
        ("text_length", 2, "difficulty text_length"),
        ("task_category", 1, "difficulty task_category"),
        ("semantic_linkage", 2, "difficulty semantic_linkage"),
        ("context_dependency", 1, "difficulty value"),
        ("occlusion", 3, "difficulty value"),
        ("num_text_regions", 2, "difficulty num_text_regions"),
        ("font_complexity", 2, None),
    ],
)
def test_values_that_disagree_with_what_is_computed_are_reported_and_kept(
    attribute: str, value: int, kind: str | None, root: Path
) -> None:
    values = [0] * 10
    values[ATTRIBUTES.index(attribute)] = value
    score = f"{sum(values)}({','.join(map(str, values))})"
    folder = put(root, f"{MANUAL}/Data_Analytics/003", pictures=whole(3), difficulty_score=score)
    picture(folder / "text_change_3_mask.jpg", white=(slice(4, 20),))
    sample = next(s for s in load(root).samples if s.id.endswith("003"))
    found = textedit.check([sample])
    assert [repair.kind for repair in found] == ([kind] if kind else [])
    assert sample.facts["difficulty_values"] == values
    assert sample.facts["difficulty_score"] == score


# ── protocol ────────────────────────────────────────────────────────────────────────────


def test_the_two_protocols_have_different_ids_and_columns() -> None:
    assert textedit.card.name == "textedit"
    assert textedit_official.card.name == "textedit@official"
    assert textedit.card.id != textedit_official.card.id
    assert not set(textedit.measures) & set(textedit_official.measures)
    assert len(set(TOPICS)) == 14


# ── the release itself ──────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def release() -> Loaded:
    return load(fixture("annotations_all"))


def fixture(name: str) -> Path:
    folder = Path(os.environ.get("OVERPAINT_FIXTURES", "absent")) / "texteditbench" / name
    if not folder.is_dir():
        pytest.skip("set OVERPAINT_FIXTURES to the folder that holds texteditbench/")
    return folder


def test_the_release_has_1197_files_and_1196_samples(release: Loaded) -> None:
    splits = Counter(sample.tags["split"] for sample in release.samples)
    assert (release.files, len(release.samples)) == (1197, 1196)
    assert splits == {"synthetic": 691, "real-world": 505}
    assert len({sample.id for sample in release.samples}) == 1196
    assert not [r for r in release.repairs if r.kind == "other data"], "the card's revision"


def test_the_releases_operations_topics_and_knowledge_prompts_are_as_counted(
    release: Loaded,
) -> None:
    operations = Counter(sample.tags["operation"] for sample in release.samples)
    linked = Counter(s.tags["split"] for s in release.samples if s.facts["knowledge_prompt"])
    assert operations == {
        "change": 410, "relocation": 196, "delete": 179, "scaling": 149, "insert": 132,
        "attribute": 130,
    }  # fmt: skip
    assert linked == {"synthetic": 179, "real-world": 125}
    assert {sample.tags["topic"] for sample in release.samples} == set(TOPICS)
    assert {s.tags["difficulty"] for s in release.samples} == {"easy", "medium", "hard"}
    assert Counter(s.tags["language"] for s in release.samples)["unknown"] == 21


def test_the_releases_dirt_is_all_found_and_counted_by_kind(release: Loaded) -> None:
    assert kinds(release) == {
        "missing picture": 1196,  # the annotations alone are a fixture
        "shared id": 271,
        "misspelt topic": 139,
        "odd id": 47,
        "wrong sum": 41,  # 33 wrong, 8 not given
        "tier disagrees": 36,
        "wrong length": 21,
        "misspelt key": 17,
        "duplicate id": 11,  # 9 in one split, 2 in the other
        "trailing space": 8,
        "misspelt source_tag": 5,
        "misspelt difficulty": 4,
        "topic disagrees": 4,
        "odd score": 3,
        "misspelt folder": 1,
        "invalid JSON": 1,
        "byte order mark": 1,
        "empty knowledge prompt": 1,
        "misspelt method": 1,
        "wrong file name": 1,
        "nested copy": 1,
    }
    duplicates = Counter(r.where.split("/")[0] for r in release.repairs if r.kind == "duplicate id")
    assert duplicates == {MANUAL: 9, WEB: 2}
    nested = [r.where for r in release.repairs if r.kind == "nested copy"]
    assert nested == [f"{WEB}/Scientific_Technical_Diagrams/048/049"]


def test_the_releases_difficulty_values_outside_the_table_are_all_found(release: Loaded) -> None:
    found = textedit.check(release.samples)
    odd = Counter(repair.did.split(",")[0] for repair in found if repair.kind == "difficulty value")
    assert odd == {
        "context_dependency is 1": 13,
        "context_dependency is 3": 1,
        "semantic_linkage is 1": 2,
    }


def test_the_release_loads_in_under_two_seconds() -> None:
    folder = fixture("annotations_all")
    started = time.process_time()  # other processes on the machine are not its fault
    load(folder)
    assert time.process_time() - started < 2


def test_the_complete_samples_have_all_their_pictures_and_their_masks_agree() -> None:
    loaded = load(fixture("samples"))
    assert len(loaded.samples) == 33
    assert not kinds(loaded)["missing picture"]
    for sample in loaded.samples[::8]:
        shapes = {d.rgb.shape for d in (sample.request.source, sample.reference, *sample.masks)}
        assert shapes == {(1024, 1024, 3)}


def test_the_complete_samples_regions_are_counted_and_no_mask_stays_decoded() -> None:
    samples = load(fixture("samples")).samples
    found = textedit.check(samples)
    wrong = {r.where.split("/", 1)[1] for r in found if r.kind == "difficulty num_text_regions"}
    assert wrong == {"Data_Analytics/002", "Packaging_Logistics/036", "Business_Advertising/065"}
    assert not [s for s in samples if "rgb" in vars(s.masks[-1]) or "_read" in vars(s.masks[-1])]
