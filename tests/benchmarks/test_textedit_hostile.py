"""TextEditBench trees made to mislead: refused or reported, and nothing else is lost."""

import contextlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textedit_tree import PLAIN, kinds, picture, put, whole
from textedit_tree import root as root  # a fixture

from overpaint.benchmarks import textedit_files
from overpaint.benchmarks.textedit import (
    load,
)
from overpaint.benchmarks.textedit_difficulty import (
    check_difficulty,
    rating_notes,
    read_rating,
    target_words,
)
from overpaint.benchmarks.textedit_files import MANUAL, WEB, parse_annotation
from overpaint.benchmarks.textedit_repairs import KINDS
from overpaint.errors import DataError


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
