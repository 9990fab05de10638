"""RefBlend on odd input: each kind of trouble costs itself alone, and is told in a sentence."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from refblend_made import built, contents, photos, put, samples, scene

from overpaint.engines.refblend import agreement, extracting
from overpaint.engines.refblend.agreement import emptiness
from overpaint.engines.refblend.records import Settings, Source
from overpaint.errors import Unavailable, UserMistake
from overpaint.vision.references import Box, Extractor, Hints, Reference, edges


def test_a_picture_of_one_colour_offers_nothing_and_that_is_said(tmp_path: Path) -> None:
    put(tmp_path / "in" / "grey.png", np.full((90, 90, 3), 120, np.uint8))
    (tmp_path / "in" / "grey.txt").write_text("Nothing but grey.")
    done = built(tmp_path / "in", tmp_path / "out", kinds="canny,sketch,caption")
    assert done.report["references"]["dropped"] == {
        "canny: shows nothing: there are no edges": 1,
        "sketch: shows nothing: there are no strokes": 1,
    }
    assert "No picture offers references that go together" in done.next
    assert samples(tmp_path / "out") == []


@pytest.mark.parametrize(("side", "taken"), [(64, 1), (31, 0)])
def test_small_pictures_are_taken_down_to_32_pixels(tmp_path: Path, side: int, taken: int) -> None:
    put(tmp_path / "in" / "small.png", scene(1, (side, 64)))
    put(tmp_path / "in" / "other.png", scene(2))
    done = built(tmp_path / "in", tmp_path / "out", kinds="canny,sketch,caption")
    assert done.report["pictures"]["taken"] == 1 + taken
    left_out = done.report["pictures"]["left out"]
    assert len(left_out) == 1 - taken
    assert all("Each side should have 32 at least." in one["reason"] for one in left_out)


def test_a_large_picture_is_made_smaller_first_and_that_is_noted(tmp_path: Path) -> None:
    put(tmp_path / "in" / "large.png", scene(1, (600, 300)))
    (tmp_path / "in" / "large.txt").write_text("A disc and a box.")
    built(tmp_path / "in", tmp_path / "out", kinds="canny,caption", longest=256)
    (only,) = samples(tmp_path / "out")
    assert only["size"] == [256, 128]
    assert only["notes"] == ["made smaller, from 600×300 to 256×128 pixels"]
    picture = tmp_path / "out" / "set" / only["conditions"]["canny_path"]
    assert Image.open(picture).size == (256, 128)


@pytest.mark.slow
def test_a_picture_of_8000_by_8000_pixels_is_taken_within_bounds(tmp_path: Path) -> None:
    big = np.kron(scene(1, (800, 800)), np.ones((10, 10, 1), np.uint8))
    put(tmp_path / "in" / "huge.png", big)
    (tmp_path / "in" / "huge.txt").write_text("A disc and a box.")
    built(tmp_path / "in", tmp_path / "out", kinds="canny,sketch,caption")
    assert {tuple(one["size"]) for one in samples(tmp_path / "out")} == {(2048, 2048)}


def test_a_truncated_picture_costs_itself_alone(tmp_path: Path) -> None:
    folder = photos(tmp_path / "in")
    whole = (folder / "scene1.png").read_bytes()
    (folder / "broken.png").write_bytes(whole[: len(whole) // 2])
    (folder / "empty.png").write_bytes(b"")
    done = built(folder, tmp_path / "out")
    reasons = {Path(one["file"]).name: one["reason"] for one in done.report["pictures"]["left out"]}
    assert "cannot be decoded" in reasons["broken.png"]
    assert "an empty file" in reasons["empty.png"]
    assert done.report["pictures"]["taken"] == 2
    (folder / "broken.png").write_bytes(whole)  # mended, it is the same as another
    done = built(folder, tmp_path / "out")
    reasons = {Path(one["file"]).name: one["reason"] for one in done.report["pictures"]["left out"]}
    assert "the same picture as" in reasons.get("broken.png", reasons.get("scene1.png", ""))


def test_a_broken_subject_costs_itself_alone(tmp_path: Path) -> None:
    folder = photos(tmp_path / "in", 1)
    (folder / "scene0" / "subjects" / "disc.png").write_bytes(b"no picture")
    built(folder, tmp_path / "out", per_image=100)
    found = [one for one in samples(tmp_path / "out") if "subject" in one["extractors"]]
    assert {len(one["conditions"]["subject_paths"]) for one in found} == {1}
    assert all("left out with it" in one["notes"][0] for one in found)


def test_an_empty_folder_and_one_that_is_not_there_are_mistakes(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with pytest.raises(UserMistake, match="was given no picture that it can take.*were expected"):
        built(tmp_path / "in", tmp_path / "out")
    with pytest.raises(UserMistake, match="is not there. Pictures or folders were expected"):
        built(tmp_path / "nowhere", tmp_path / "out2")


# ── names ───────────────────────────────────────────────────────────────────────────────


def test_a_placeholder_as_a_file_name_does_no_harm(tmp_path: Path) -> None:
    put(tmp_path / "in" / "<subject_1> caption: x.png", scene(1))
    (tmp_path / "in" / "<subject_1> caption: x.txt").write_text("Look at <style_image> here.")
    built(tmp_path / "in", tmp_path / "out", kinds="canny,sketch,caption")
    for one in samples(tmp_path / "out"):
        assert one["source"].startswith("subject-1-caption-x-")
        assert one["conditions"]["caption"] == "Look at ‹style_image› here."
        assert one["instructions"]["original_prompts"].count("<") == 1
        assert "marks in the caption were replaced: < and > name pictures" in one["notes"]


def test_two_files_of_one_name_are_two_pictures(tmp_path: Path) -> None:
    for number, name in enumerate(("a", "b")):
        put(tmp_path / "in" / name / "photo.png", scene(number))
    file = tmp_path / "captions.csv"
    file.write_text("image,caption\nphoto.png,Which of the two?\nb/photo.png,The second one.\n")
    done = built(tmp_path / "in", tmp_path / "out", kinds="canny,caption", captions=file)
    assert done.report["pictures"]["taken"] == 2
    (problem,) = done.problems
    assert "2 pictures are called 'photo.png'; more of the path tells which" in str(problem)
    (only,) = samples(tmp_path / "out")
    assert only["conditions"]["caption"] == "The second one."


def test_the_same_picture_in_two_folders_is_one(tmp_path: Path) -> None:
    for name in ("a", "b"):
        put(tmp_path / "in" / name / "photo.png", scene(1))
    done = built(tmp_path / "in", tmp_path / "out", kinds="canny,sketch,caption")
    assert done.report["pictures"]["taken"] == 1
    (left_out,) = done.report["pictures"]["left out"]
    assert "the same picture as" in left_out["reason"]
    again = built(tmp_path / "in", tmp_path / "out", kinds="canny,sketch,caption")
    assert again.report["pictures"] == done.report["pictures"]


# ── lists from outside ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("text", ["{", '{"a": 1}', "[" * 100_000])
def test_a_json_that_is_no_list_is_a_mistake(tmp_path: Path, text: str) -> None:
    (tmp_path / "list.json").write_text(text)
    with pytest.raises(UserMistake, match="A list in MultiRef's released form was expected"):
        built(tmp_path / "list.json", tmp_path / "out")


def test_a_list_leads_nowhere_out_of_its_folder(tmp_path: Path) -> None:
    put(tmp_path / "secret.png", scene(3))
    put(tmp_path / "in" / "mine.png", scene(1))
    entry = {"conditions": {"caption": "Mine."}, "original_image_path": "mine.png"}
    entries = [
        entry,
        {**entry, "original_image_path": "../secret.png"},
        {**entry, "conditions": {"subject_paths": [str(tmp_path / "secret.png")]}},
        {**entry, "original_image_path": "not/there.png"},
        {**entry, "conditions": {"caption": ["a", "b"]}},
        {"original_image_path": "mine.png"}, "mine.png", None,
    ]  # fmt: skip
    (tmp_path / "in" / "list.json").write_text(json.dumps(entries))
    done = built(tmp_path / "in" / "list.json", tmp_path / "out", kinds="canny,caption")
    assert len(samples(tmp_path / "out")) == 1
    assert len(done.problems) == 7
    assert "'../secret.png' is no picture below the file's folder" in str(done.problems[0])


def test_a_list_that_was_moved_finds_its_pictures_by_the_ends_of_their_paths(
    tmp_path: Path,
) -> None:
    put(tmp_path / "in" / "images" / "mine.png", scene(1))
    put(tmp_path / "in" / "styles" / "his.png", scene(2))
    entry = {
        "original_image_path": "/data/of/somebody/images/mine.png",
        "conditions": {"caption": "Mine.", "style_path": ["C:\\data\\styles\\his.png"]},
    }
    (tmp_path / "in" / "list.json").write_text(json.dumps([entry]))
    built(tmp_path / "in" / "list.json", tmp_path / "out", kinds="caption,style")
    (only,) = samples(tmp_path / "out")
    assert only["combination"] == "caption+style"


def test_captions_in_another_form_are_a_mistake_or_a_problem(tmp_path: Path) -> None:
    folder, file = photos(tmp_path / "in"), tmp_path / "captions.jsonl"
    file.write_text('no json\n["x"]\n{"image": "scene1.png"}\n')
    done = built(folder, tmp_path / "out", captions=file)
    assert len(done.problems) == 4
    with pytest.raises(UserMistake, match="neither .jsonl nor .csv"):
        built(folder, tmp_path / "out", captions=folder / "scene0.txt")


# ── extractors ──────────────────────────────────────────────────────────────────────────


def test_an_extractor_that_fails_costs_its_kind_alone_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(pixels: np.ndarray, hints: object) -> list[Reference]:
        raise ZeroDivisionError("by hand")

    folder = photos(tmp_path / "in")
    with monkeypatch.context() as patch:
        patch.setattr(edges, "canny", Extractor("canny", "opencv", "1", broken))
        done = built(folder, tmp_path / "out")
    assert done.report["references"]["could not look"] == {"canny: ZeroDivisionError: by hand": 2}
    assert samples(tmp_path / "out")
    done = built(folder, tmp_path / "out")
    assert done.report["references"]["could not look"] == {}
    assert "canny" in done.report["references"]["kept"]


def test_what_is_not_to_be_had_here_is_told_and_named_it_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def unavailable(pixels: np.ndarray, hints: object) -> list[Reference]:
        tried.append(1)
        raise Unavailable("There are no weights.", "", "Get them with: overpaint get edges")

    monkeypatch.setattr(edges, "canny", Extractor("canny", "opencv", "1", unavailable))
    folder = photos(tmp_path / "in")
    with pytest.raises(Unavailable, match="overpaint get edges"):
        built(folder, tmp_path / "out", kinds="canny,caption")
    looker = extracting._Looker(tmp_path, Settings())
    for _ in range(3):  # who lacks weights is asked for them once
        with pytest.raises(Unavailable):
            looker(Source("x", "x", picture=str(folder / "scene0.png")), ("canny", "opencv"))
    assert len(tried) == 2
    needy = Extractor("sketch", "xdog", "1", unavailable, needs=("no_such_weights",))
    monkeypatch.setattr(edges, "sketch", needy)
    with pytest.raises(UserMistake, match="no_such_weights"):
        built(folder, tmp_path / "out", kinds="sketch,caption")


def people(count: int) -> Extractor:
    """An extractor that sees so many people, each a column of joints."""
    joints = np.zeros((count, 17, 3))
    for person in range(count):
        joints[person, :, 0] = 20 + 30 * person + 8 * (np.arange(17) % 2)
        joints[person, :, 1] = 10 + 4.5 * np.arange(17)
        joints[person, :, 2] = 1.0
    found = [Reference("pose", joints, "blazepose", "1", confidence=0.9)] if count else []
    return Extractor("pose", "blazepose", "1", lambda pixels, hints: found)


def test_a_picture_without_people_offers_no_pose_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = pytest.importorskip("overpaint.vision.references.blazepose")
    monkeypatch.setattr(module, "poses", people(0))
    done = built(photos(tmp_path / "in"), tmp_path / "out", kinds="pose,caption,style")
    assert done.report["references"]["none there"] == {"pose": 2}
    assert all("pose" not in one["extractors"] for one in samples(tmp_path / "out"))


def test_a_pose_that_cannot_be_read_back_is_dropped_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = pytest.importorskip("overpaint.vision.references.blazepose")
    loose = people(1)
    [one] = loose.find(np.zeros((1, 1, 3), np.uint8), Hints())
    one.value[0, :, 2] = 0
    one.value[0, [0, 7, 10, 13, 16], 2] = 1.0  # no limb joins any two of them
    monkeypatch.setattr(module, "poses", loose)
    done = built(photos(tmp_path / "in"), tmp_path / "out", kinds="pose,caption,style")
    assert done.report["references"]["dropped"] == {"pose: cannot be read back": 2}


def test_several_people_are_told_in_one_picture_or_each_in_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = pytest.importorskip("overpaint.vision.references.blazepose")
    monkeypatch.setattr(module, "poses", people(2))
    put(tmp_path / "in" / "pair.png", scene(1))
    (tmp_path / "in" / "pair.txt").write_text("Two people in a row.")
    built(tmp_path / "in", tmp_path / "out", kinds="pose,caption", cycle=0.5)
    found = {one["combination"]: one for one in samples(tmp_path / "out")}
    assert set(found) == {"caption+pose", "caption+pose+pose", "pose+pose"}
    assert found["caption+pose"]["conditions"]["pose_path"].endswith("/pose.png")
    both = found["pose+pose"]
    assert list(both["instructions"]["image_path_mapping"]) == ["pose_1", "pose_2"]
    assert [Path(one).name for one in both["conditions"]["pose_path"]] == [
        "pose-1.png", "pose-2.png",
    ]  # fmt: skip


# ── agreement ───────────────────────────────────────────────────────────────────────────


def test_agreement_is_one_with_itself_and_falls_with_every_change() -> None:
    rng = np.random.default_rng(3)
    mask = np.zeros((40, 40), bool)
    mask[5:30, 5:30] = True
    lines = np.where(rng.random((40, 40)) < 0.1, 255, 0).astype(np.uint8)
    regions = np.repeat(np.arange(1, 5, dtype=np.int32), 10)[:, None].repeat(40, axis=1)
    person = people(1).find(scene(), None)[0].value  # type: ignore[arg-type]
    boxes = (Box(0, 0, 10, 10), Box(20, 20, 40, 30))
    cases = {
        "mask": (mask, np.roll(mask, 3, axis=0)), "canny": (lines, np.roll(lines, 1, axis=0)),
        "sketch": (255 - lines, 255 - np.roll(lines, 1, axis=1)),
        "semantic_map": (regions, np.roll(regions, 4, axis=0)),
        "bbox": (boxes, (Box(3, 0, 13, 10), boxes[1])),
        "pose": (person, person + np.array([25, 0, 0])),
        "depth": (np.full((9, 9), 200, np.uint8), np.full((9, 9), 90, np.uint8)),
    }  # fmt: skip
    for kind, (value, other) in cases.items():
        assert agreement.agreement(kind, value, value) == pytest.approx(1.0), kind
        assert agreement.agreement(kind, value, other) < 0.95, kind


def test_what_is_missing_or_too_much_counts_against_agreement() -> None:
    boxes = (Box(0, 0, 10, 10), Box(20, 20, 40, 30))
    assert agreement.agreement("bbox", boxes, boxes[:1]) == pytest.approx(0.5)
    assert agreement.agreement("bbox", (), boxes) == 0.0
    assert agreement.agreement("mask", np.ones((4, 4), bool), np.ones((5, 4), bool)) == 0.0


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        ("bbox", (), "there is no box"),
        ("bbox", (Box(0, 0, 40, 40),), "every box is the whole picture"),
        ("mask", np.zeros((40, 40), bool), "the mask is empty"),
        ("mask", np.ones((40, 40), bool), "the mask is the whole picture"),
        ("semantic_map", np.ones((40, 40), np.int32), "it is all one region"),
        ("depth", np.full((40, 40), 9, np.uint8), "everything is at one distance"),
        ("pose", np.zeros((1, 17, 3)), "hardly a joint is seen"),
        ("style", np.full((40, 40, 3), 9, np.uint8), "it is all one colour"),
    ],
)
def test_a_reference_that_shows_nothing_is_told(kind: str, value: object, said: str) -> None:
    assert emptiness(kind, value, (40, 40)) == said  # type: ignore[arg-type]


def test_files_that_are_not_ours_are_no_place_for_a_build(tmp_path: Path) -> None:
    put(tmp_path / "out" / "mine.png", scene())
    with pytest.raises(UserMistake, match="is not empty and holds no build"):
        built(photos(tmp_path / "in"), tmp_path / "out")
    assert set(contents(tmp_path / "out")) == {"mine.png"}
