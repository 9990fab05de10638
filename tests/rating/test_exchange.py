"""Ratings out and in again: CSV and Label Studio's JSON, strictly, and nobody is named."""

import hashlib
import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_study import SCRIPT, begin, make_run, make_study
from PIL import Image

from overpaint.errors import UserMistake
from overpaint.measures.human import dimensions
from overpaint.rating.exchange import (
    anonymised,
    export_csv,
    import_csv,
    read_exchanged,
)
from overpaint.rating.exchange_annotations import read_annotations
from overpaint.rating.exchange_label_studio import (
    SERVED,
    label_studio_tasks,
    labelling_config,
    write_pictures,
)
from overpaint.rating.items import Item
from overpaint.rating.pictures import Picture
from overpaint.rating.presets import questions_of
from overpaint.rating.ratings import Rating, Taken

EBENCH, PAIRS, BOXES = (questions_of(kind) for kind in ("ebench", "pairs", "boxes"))
LEVELS = questions_of("scale", scale="0-3")
ROWS = [
    Rating("s1", "a", "R01", "quality", 4.25, seconds=3.5, comment="=1+1"),
    Rating("s1", "a", "R01", "done", 1.0),
    Rating("s1", "b", "R02", "quality", 1.0),
    Rating("s1", "b", "R02", "done", 0.0),
]


def item(folder: Path, *, editors: tuple[str, ...] = ("a",), name: str = "i1") -> Item:
    """An item of made-up pictures."""
    shown = []
    for place, editor in enumerate(("source", *editors)):
        path = folder / f"{editor}.png"
        Image.new("RGB", (8, 6), (place * 40, 0, 0)).save(path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        shown.append(Picture(path, digest, 8, 6))
    against = editors[1] if len(editors) > 1 else ""
    return Item(name, "s1", "Make it red.", tuple(shown[1:]), shown[0], editors[0], against)


# ── CSV ─────────────────────────────────────────────────────────────────────────────────


def test_csv_goes_out_and_comes_in_and_is_what_measures_read(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(export_csv(ROWS, seconds=True, comments=True), encoding="utf-8")
    assert import_csv(path, EBENCH) == ROWS
    path.write_text(export_csv([*ROWS[2:], *ROWS[:2]], seconds=True, comments=True))
    assert import_csv(path, EBENCH) == ROWS
    found = dimensions(path)
    assert found["quality"].of["s1", "a"] == {"R01": 4.25}
    assert list(found) == ["quality", "done"]


def test_comments_and_times_are_left_out_unless_asked_for() -> None:
    assert "seconds" not in export_csv(ROWS)
    assert "1+1" not in export_csv(ROWS)
    assert "'=1+1" in export_csv(ROWS, comments=True)


def test_fresh_names_tell_nothing_and_are_the_same_for_the_same_salt() -> None:
    one = anonymised(ROWS, "salt")
    assert {row.rater for row in one} == {"P1", "P2"}
    assert all(row.comment == "" and row.seconds is None for row in one)
    asked = anonymised(ROWS, "salt", seconds=True, comments=True)
    assert (asked[0].comment, asked[0].seconds) == ("=1+1", 3.5)
    assert sorted(map(str, anonymised(ROWS[::-1], "salt"))) == sorted(map(str, one))
    orders = {tuple(row.rater for row in anonymised(ROWS, str(n))) for n in range(20)}
    assert len(orders) == 2  # who is P1 does not follow from who is R01


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("s,a,r,beauty,4,", "Line 2 of .*nobody asked 'beauty'. Asked: quality, alignment"),
        ("s,a,r,quality,5.5,", "5.5 is no answer to quality. Answers: 1 to 5"),
        ("s,a,r,done,0.5,", "0.5 is no answer to done. Answers: 0 or 1"),
        ("s,a,r,quality,1,b", "A choice between two edits, and nothing else, has `against`"),
        ("s,a,r,quality,2,\ns,a,r,quality,3,", "Line 3 of .*r has said that on line 2 already"),
    ],
)
def test_what_is_no_answer_is_refused_with_its_line(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "r.csv"
    path.write_text(f"sample,editor,rater,dimension,value,against\n{line}\n", encoding="utf-8")
    with pytest.raises(UserMistake, match=told):
        import_csv(path, EBENCH)


def test_levels_are_only_those_of_the_scale(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("sample,editor,rater,dimension,value\ns,a,r,IF,1.5\n", encoding="utf-8")
    with pytest.raises(UserMistake, match="1.5 is no answer to IF. Answers: 0, 1, 2, 3"):
        import_csv(path, LEVELS)


def test_files_of_another_ending_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="no file of ratings by its name"):
        read_exchanged(tmp_path / "ratings.xlsx", EBENCH, {})


# ── Label Studio, out ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("questions", [EBENCH, PAIRS, BOXES, LEVELS])
@pytest.mark.parametrize("ties", [True, False])
def test_the_configuration_is_xml_that_names_what_tasks_have(questions: Any, ties: bool) -> None:
    root = ET.fromstring(labelling_config(questions, ties=ties))
    objects = {node.get("name") for node in root.iter("Image")}
    assert {node.get("value") for node in root.iter("Image")} == {f"${name}" for name in objects}
    controls = ("Number", "Choices", "RectangleLabels", "TextArea")
    for kind in controls:
        for node in root.iter(kind):
            assert set(str(node.get("toName")).split(",")) <= objects
    named = {node.get("name") for kind in controls for node in root.iter(kind)}
    assert named == {*(one.name for one in questions), "comment"}
    offered = [node.get("value") for node in root.iter("Choice")]
    assert ("tie" in offered) == (questions == PAIRS and ties)


@pytest.mark.parametrize("ties", [True, False])
def test_what_was_rated_already_answers_the_controls_of_the_configuration(
    tmp_path: Path, ties: bool
) -> None:
    kinds = {"Number": "number", "Choices": "choices", "RectangleLabels": "rectanglelabels"}
    pair = item(tmp_path, editors=("a", "b"))
    for questions, one, row in (
        (EBENCH, item(tmp_path), Rating("s1", "a", "R1", "quality", 3.5)),
        (EBENCH, item(tmp_path), Rating("s1", "a", "R1", "done", 1.0)),
        (LEVELS, item(tmp_path), Rating("s1", "a", "R1", "TR", 2.0)),
        (BOXES, item(tmp_path), Rating("s1", "a", "R1", "box", None, box=(1.0, 2.0, 3.0, 4.0))),
        (PAIRS, pair, Rating("s1", "a", "R1", "better", 1.0, "b")),
    ):
        root = ET.fromstring(labelling_config(questions, ties=ties))
        control = next(node for node in root.iter() if node.get("name") == row.dimension)
        result = label_studio_tasks(questions, [one], [row])[0]["annotations"][0]["result"][0]
        assert result["type"] == kinds[control.tag]
        assert result["to_name"] == control.get("toName")
        chosen = result["value"].get("choices", [])
        assert set(chosen) <= {node.get("value") for node in control}


def test_words_of_a_question_cannot_break_out_of_the_configuration() -> None:
    wild = replace(EBENCH[0], label={"en": '"/><script>x</script> $image &', "zh": "x"})
    root = ET.fromstring(labelling_config([wild]))
    assert root.find(".//script") is None
    shown = [node.get("value") for node in root.iter("Header")]
    assert any("<script>" in str(text) and "$image" not in str(text) for text in shown)


def test_tasks_are_blind_and_their_pictures_lie_beside_them(tmp_path: Path) -> None:
    one = item(tmp_path, editors=("zebrafish",))
    tasks = label_studio_tasks(EBENCH, [one])
    told = json.dumps(tasks)
    assert "zebrafish" not in told
    assert "s1" not in told
    assert "annotations" not in tasks[0]
    assert write_pictures([one], tmp_path / "pictures") == 2
    for name in ("source", "edit"):
        url = tasks[0]["data"][name]
        assert url.startswith(f"{SERVED}pictures/")
        assert (tmp_path / url.removeprefix(SERVED)).is_file()


# ── and back ────────────────────────────────────────────────────────────────────────────


def write(path: Path, tasks: Any) -> Path:
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def test_ratings_survive_the_way_through_label_studio(tmp_path: Path) -> None:
    one = item(tmp_path)
    rows = [row for row in ROWS if row.editor == "a"]
    path = write(tmp_path / "t.json", label_studio_tasks(EBENCH, [one], rows))
    found = read_exchanged(path, EBENCH, {"i1": one})
    assert [(r.rater, r.dimension, r.value) for r in found] == [
        ("R01", "quality", 4.25), ("R01", "done", 1.0)
    ]  # fmt: skip
    assert found[0].seconds == 3.5


@pytest.mark.parametrize("name", ["i1", "i2", "i3", "i4"])
@pytest.mark.parametrize("value", [1.0, 0.5, 0.0])
def test_votes_survive_whichever_edit_stands_at_the_left(
    tmp_path: Path, name: str, value: float
) -> None:
    one = item(tmp_path, editors=("a", "b"), name=name)
    rows = [Rating("s1", "a", "R1", "better", value, "b")]
    tasks = label_studio_tasks(PAIRS, [one], rows)
    turned = tasks[0]["data"]["turned"]
    first = write_name(one.shown[1 if turned else 0])
    assert tasks[0]["data"]["left"].endswith(first)
    assert read_annotations(write(tmp_path / "t.json", tasks), PAIRS, {name: one}) == rows


def write_name(picture: Picture) -> str:
    return f"{picture.sha256[:32]}.png"


def test_half_of_the_pairs_are_turned(tmp_path: Path) -> None:
    made = [item(tmp_path, editors=("a", "b"), name=f"i{n}") for n in range(40)]
    turned = [task["data"]["turned"] for task in label_studio_tasks(PAIRS, made)]
    assert 10 < sum(turned) < 30


def test_boxes_and_levels_survive(tmp_path: Path) -> None:
    one = item(tmp_path)
    box = [Rating("s1", "a", "R1", "box", None, box=(10.5, 20.0, 30.0, 40.25))]
    tasks = label_studio_tasks(BOXES, [one], box)
    result = tasks[0]["annotations"][0]["result"][0]
    assert result["type"] == "rectanglelabels"
    assert (result["original_width"], result["original_height"]) == (8, 6)
    assert read_annotations(write(tmp_path / "t.json", tasks), BOXES, {"i1": one}) == box
    levels = [Rating("s1", "a", "R1", "TR", 3.0)]
    tasks = label_studio_tasks(LEVELS, [one], levels)
    assert read_annotations(write(tmp_path / "t.json", tasks), LEVELS, {"i1": one}) == levels


def documented(results: Any, **more: Any) -> list[dict[str, Any]]:
    """A task as Label Studio's documentation shows an exported one."""
    annotation = {
        "id": "1001", "result": results, "was_cancelled": False, "ground_truth": False,
        "created_at": "2021-03-09T22:16:08.728353Z", "updated_at": "2021-03-09T22:16:08.728378Z",
        "lead_time": 4.288, "result_count": 0, "task": 1, "completed_by": 10,
    }  # fmt: skip
    return [{
        "id": 1, "created_at": "2021-03-09T21:52:49.513742Z", "project": 83,
        "data": {"image": "https://example.com/1.jpg", "sample": "s1", "editor": "a"},
        "annotations": [annotation | more], "predictions": [],
    }]  # fmt: skip


def result(kind: str, value: Any, name: str = "quality") -> dict[str, Any]:
    return {"from_name": name, "id": "Dx_aB91ISN", "source": "$image", "to_name": "img",
            "type": kind, "value": value}  # fmt: skip


BOX = {"height": 10.458911419423693, "rectanglelabels": ["Moonwalker"], "rotation": 0,
       "width": 12.4, "x": 50.8, "y": 5.869797225186766}  # fmt: skip


def test_the_documented_form_is_read(tmp_path: Path) -> None:
    results = [
        result("rectanglelabels", BOX, "tag"), result("rating", {"rating": 4}, "stars"),
        result("number", {"number": 2.5}), result("choices", {"choices": ["Yes"]}, "done"),
        result("textarea", {"text": ["thin", "letters"]}, "comment"),
    ]  # fmt: skip
    found = read_annotations(write(tmp_path / "t.json", documented(results)))
    assert [(r.dimension, r.value) for r in found] == [
        ("tag", None), ("stars", 4.0), ("quality", 2.5), ("done", 1.0)
    ]  # fmt: skip
    assert found[0].box == (50.8, 5.869797225186766, 12.4, 10.458911419423693)
    assert {r.rater for r in found} == {"L10"}
    assert {r.comment for r in found} == {"thin\nletters"}
    assert found[0].seconds == 4.288


def test_pairwise_results_are_votes_on_left_and_right(tmp_path: Path) -> None:
    tasks = documented([result("pairwise", {"selected": "right"}, "better")])
    tasks[0]["data"]["against"] = "b"
    (found,) = read_annotations(write(tmp_path / "t.json", tasks))
    assert (found.editor, found.against, found.value) == ("a", "b", 0.0)


def test_skipped_annotations_do_not_count_and_the_latest_of_a_rater_does(tmp_path: Path) -> None:
    tasks = documented([result("number", {"number": 2})])
    first = tasks[0]["annotations"][0]
    later = first | {"updated_at": "2022-01-01", "result": [result("number", {"number": 5})]}
    skipped = first | {"was_cancelled": True, "completed_by": 11}
    tasks[0]["annotations"] = [later, first, skipped]
    (found,) = read_annotations(write(tmp_path / "t.json", tasks))
    assert found.value == 5


def test_somebody_s_address_is_never_kept(tmp_path: Path) -> None:
    for who, told in (({"id": 7, "email": "a@b.c"}, "L7"), ({"email": "a@b.c"}, "L-")):
        tasks = documented([result("number", {"number": 2})], completed_by=who)
        (found,) = read_annotations(write(tmp_path / "t.json", tasks))
        assert found.rater.startswith(told)
        assert "a@b" not in found.rater


@pytest.mark.parametrize(
    ("results", "told"),
    [
        ([result("number", {"number": "4"})], "task 1, annotation 1, result 1: its number is '4'"),
        ([result("number", {"number": True})], "its number is 'True'"),
        (
            [result("number", {"number": 1e308})],
            r"'1e\+308'. A number of at most 1,000,000,000 was expected",
        ),
        ([result("brushlabels", {})], "'brushlabels' is no kind of answer that is known here"),
        ([result("choices", {"choices": ["a", "b"]})], "One choice was expected"),
        ([result("choices", {"choices": ["maybe"]})], "'maybe' is no number"),
        ([result("pairwise", {"selected": "left"})], "a vote on one edit"),
        ([result("number", {"number": 9})], "9 is no answer to quality. Answers: 1 to 5"),
        ([result("number", {"number": 3}, "beauty")], "nobody asked 'beauty'"),
        ([result("number", {"number": 3})] * 2, "result 2: quality is answered twice"),
        ([result("rectanglelabels", BOX)], "quality is no such question"),
        ([result("rectanglelabels", BOX | {"rotation": 30})], "its box is turned"),
        ([result("rectanglelabels", BOX | {"x": 95})], "is not in the picture"),
        ([{"type": "number", "value": {"number": 3}}], "its from_name is 'None'"),
        ([{"from_name": "quality", "type": "number"}], "it has no value"),
        ("nothing", "its result is no list of objects"),
    ],
)
def test_a_wrong_result_is_named_by_its_place(tmp_path: Path, results: Any, told: str) -> None:
    path = write(tmp_path / "t.json", documented(results))
    with pytest.raises(UserMistake, match=told) as caught:
        read_annotations(path, EBENCH)
    assert str(path) in caught.value.wrong


@pytest.mark.parametrize(
    ("tasks", "told"),
    [
        ({}, "no list of tasks"),
        ([{"annotations": []}], "task 1: it has no data"),
        ([{"data": {"sample": "s"}}], "its editor is 'None'"),
        ([{"data": {"overpaint": "zz"}}], "no item is called 'zz'"),
        ([{"data": {"sample": "s", "editor": "a", "against": "a"}}], "held against itself"),
        ([{"data": {"sample": "s", "editor": "a", "turned": 1}}], "`turned` is '1'"),
        (
            documented([result("number", {"number": 2})], completed_by=None),
            "does not say who made it",
        ),
    ],
)
def test_a_wrong_task_is_named_by_its_number(tmp_path: Path, tasks: Any, told: str) -> None:
    with pytest.raises(UserMistake, match=told):
        read_annotations(write(tmp_path / "t.json", tasks))


@pytest.mark.parametrize("text", ["", "[", "[1]", "NaN", '[{"data": NaN}]', "[" * 100_000])
def test_what_is_no_json_of_tasks_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(text)
    with pytest.raises(UserMistake, match=r"no JSON|no list of tasks"):
        read_annotations(path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.floats(allow_nan=False),
    lambda inside: st.lists(inside, max_size=3)
    | st.dictionaries(
        st.sampled_from(["data", "annotations", "result", "value", "type", "from_name", "meta"]),
        inside, max_size=4,
    ),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(data=JSON, results=JSON)
def test_no_json_makes_it_raise_anything_else(
    tmp_path_factory: pytest.TempPathFactory, data: Any, results: Any
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    for tasks in ([data], documented(results), documented([results])):
        try:
            read_annotations(write(path, tasks))
        except UserMistake as error:
            assert str(path) in str(error)


def test_a_study_s_own_tasks_come_back_into_its_book(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", samples=2)
    with begin(folder, make_study()) as book:
        items = book.items()
        rows = [Rating(one.sample, one.editor, "X1", "quality", 3.0) for one in items]
        tasks = label_studio_tasks(book.study.questions, items, rows)
        assert SCRIPT in tasks[0]["data"]["instruction"]
        path = write(tmp_path / "t.json", tasks)
        back = read_exchanged(path, book.study.questions, {one.id: one for one in items})
        assert book.take(back, "t.json") == Taken(len(rows), 0, 0)
        assert {(r.sample, r.editor, r.value) for r in book.ratings()} == {
            (r.sample, r.editor, 3.0) for r in rows
        }
