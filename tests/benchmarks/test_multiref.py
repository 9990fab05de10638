"""MultiRef sets as they are read: the released form, the real-world half, and what is wrong."""

import json
from pathlib import Path

import numpy as np
import pytest

from overpaint.benchmarks.multiref import GREY, load_set
from overpaint.core import Sample
from overpaint.document.pictures import encode_png
from overpaint.errors import UserMistake
from overpaint.vision.references.told import told_in


def paint(path: Path, size=(40, 30), value=200) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_png(np.full((size[1], size[0], 3), value, np.uint8)))
    return str(path)


def synthetic(folder: Path, **changes):
    """An entry of the released form, with its pictures, and what a test changes of it."""
    for name in ("original", "canny", "style1", "style2", "subject"):
        paint(folder / "pictures" / f"{name}.png")
    entry = {
        "original_image_path": "pictures/original.png",
        "conditions": {
            "canny_path": "pictures/canny.png", "caption": "a grey field",
            "style_path": ["pictures/style1.png"],
            "subject_paths": ["pictures/subject.png"],
        },
        "instructions": {
            "conditions": ["canny", "caption", "style"],
            "image_path_mapping": {
                "canny_image": "pictures/canny.png", "style_image": "pictures/style1.png",
            },
            "original_prompts": "With the edges of <canny_image>, like <style_image>, following the"
            " caption: a grey field",
            "enhance_prompts": [],
        },
        "judge": {"Canny Quality": 5},
    }  # fmt: skip
    return entry | changes


def names(sample: Sample) -> list[str]:
    """The files of the pictures that a sample refers to."""
    return [one.path.name for one in sample.request.references if one.path]


def loaded(folder: Path, *entries):
    (folder / "samples.json").write_text(json.dumps(entries))
    return load_set(folder)


def test_the_released_form_gives_a_canvas_references_and_what_each_of_them_is(tmp_path) -> None:
    (sample,) = loaded(tmp_path, synthetic(tmp_path)).samples
    assert (sample.request.source.rgb == GREY).all()
    assert sample.request.source.size == (40, 30)
    assert sample.request.labels == ("<canny_image>", "<style_image>")
    assert names(sample) == ["canny.png", "style1.png"]
    told = told_in(sample)
    assert [one.kind for one in told] == ["canny", "caption", "style"]
    assert [one.place for one in told] == [0, None, 1]
    assert told[1].text == "a grey field"
    assert sample.target is not None
    assert sample.tags["combination"] == "canny+caption+style"
    assert sample.tags["half"] == "synthetic"


def test_a_personas_wording_is_taken_before_the_structured_one(tmp_path) -> None:
    entry = synthetic(tmp_path)
    entry["instructions"]["enhance_prompts"] = ["Hey, <canny_image> with <style_image>, please."]
    (sample,) = loaded(tmp_path, entry).samples
    assert sample.request.instruction.startswith("Hey")
    assert sample.tags["wording"] == "enhanced"


def test_who_found_a_reference_is_known_where_the_list_tells_it(tmp_path) -> None:
    (sample,) = loaded(tmp_path, synthetic(tmp_path, extractors={"canny": "opencv/3"})).samples
    assert (told_in(sample)[0].method, told_in(sample)[0].version) == ("opencv", "3")
    assert told_in(sample)[2].method == ""


def test_a_placeholder_without_a_picture_leaves_its_sample_out(tmp_path) -> None:
    entry = synthetic(tmp_path)
    entry["instructions"]["original_prompts"] = "As deep as <depth_image>, with <canny_image>."
    found = loaded(tmp_path, synthetic(tmp_path), entry)
    assert len(found.samples) == 1
    assert "names <depth_image>, which has no picture" in found.repairs[0].did


def test_a_reference_that_the_instruction_does_not_name_is_told(tmp_path) -> None:
    entry = synthetic(tmp_path)
    entry["instructions"]["original_prompts"] = "With the edges of <canny_image>."
    found = loaded(tmp_path, entry)
    assert [repair.kind for repair in found.repairs] == ["unnamed reference"]


BOTH = ["pictures/style1.png", "pictures/style2.png"]


def test_pictures_that_the_table_of_names_has_not_are_left_and_told(tmp_path) -> None:
    entry = synthetic(tmp_path)
    entry["conditions"]["style_path"] = BOTH[::-1]
    entry["conditions"]["subject_paths"] = ["pictures/subject.png", "pictures/original.png"]
    entry["instructions"]["conditions"].append("subject")
    entry["instructions"]["image_path_mapping"]["<subject_1>"] = "pictures/original.png"
    entry["instructions"]["original_prompts"] += ", with <subject_1>"
    found = loaded(tmp_path, entry)
    assert names(found.samples[0]) == ["canny.png", "style1.png", "original.png"]
    assert found.samples[0].request.labels == ("<canny_image>", "<style_image>", "<subject_1>")
    assert [(one.kind, one.did.partition(":")[0]) for one in found.repairs] == [
        ("unused reference", "1 of 2 of kind style were left"),
        ("unused reference", "1 of 2 of kind subject were left"),
    ]


@pytest.mark.parametrize("mapping", [None, {"style_image": BOTH}, {"canny_image": "x"}])
def test_two_styles_of_one_sample_have_two_names(tmp_path, mapping) -> None:
    entry = synthetic(tmp_path)
    entry["conditions"] = {"style_path": BOTH}
    asked = {"conditions": ["style"], "image_path_mapping": mapping}
    asked["original_prompts"] = "Like <style_image> and like <style_image_2>."
    (sample,) = loaded(tmp_path, entry | {"instructions": asked}).samples
    assert sample.request.labels == ("<style_image>", "<style_image_2>")
    assert names(sample) == ["style1.png", "style2.png"]


def test_a_name_of_no_kind_is_passed_over_and_told(tmp_path) -> None:
    entry = synthetic(tmp_path)
    entry["instructions"]["image_path_mapping"]["smell_1"] = "pictures/canny.png"
    found = loaded(tmp_path, entry)
    assert names(found.samples[0]) == ["canny.png", "style1.png"]
    assert "'smell_1' names no kind of reference" in found.repairs[0].did


@pytest.mark.parametrize(
    ("text", "said"), [("[{", "is no JSON"), ('{"a": 1}', "holds a dict, not a list of samples")]
)
def test_a_broken_list_beside_a_good_one_is_left_out(tmp_path, text, said) -> None:
    (tmp_path / "broken.json").write_text(text)
    found = loaded(tmp_path, synthetic(tmp_path))
    assert len(found.samples) == 1
    assert found.repairs[0].where == "broken.json"
    assert said in found.repairs[0].did
    (tmp_path / "samples.json").unlink()
    with pytest.raises(UserMistake, match=said):
        load_set(tmp_path)


def test_what_a_set_tells_of_itself_is_no_list(tmp_path) -> None:
    (tmp_path / "manifest.json").write_text('{"revision": "1"}')
    found = loaded(tmp_path, synthetic(tmp_path))
    assert (found.repairs, found.files) == ((), 1)


def test_paths_of_another_machine_are_found_by_their_end_and_none_leads_out(tmp_path) -> None:
    entry = synthetic(tmp_path)
    entry["conditions"]["canny_path"] = "/home/them/set/pictures/canny.png"
    entry["conditions"]["style_path"] = ["../../pictures/style1.png"]
    del entry["instructions"]["image_path_mapping"]
    found = loaded(tmp_path, entry)
    assert len(found.samples) == 1
    assert [repair.kind for repair in found.repairs] == ["moved path", "moved path"]
    paint(tmp_path.parent / "outside.png")
    entry["conditions"]["canny_path"] = "../outside.png"
    with pytest.raises(UserMistake, match="is not there, below the list's folder"):
        loaded(tmp_path, entry)


def test_a_name_that_no_file_can_have_leaves_its_sample_out(tmp_path) -> None:
    for name in ("x" * 300 + ".png", "\ud800.png"):
        bad = synthetic(tmp_path, original_image_path=name)
        assert len(loaded(tmp_path, synthetic(tmp_path), bad).samples) == 1


def test_a_category_that_is_none_of_the_five_is_told_and_counts_as_none(tmp_path) -> None:
    paint(tmp_path / "a.png")
    entry = {"input_image_paths": ["a.png"], "instruction": "Turn <image1>.", "category": "magic"}
    found = loaded(tmp_path, entry)
    assert found.samples[0].tags["category"] == ""
    assert found.repairs[0].kind == "unknown category"


def test_the_real_world_half_has_inputs_an_instruction_and_a_category(tmp_path) -> None:
    for name in ("a", "b", "out"):
        paint(tmp_path / f"{name}.png")
    entry = {
        "input_image_paths": ["a.png", "b.png"], "output_image_path": "out.png",
        "instruction": "Put the cat of <image2> on the sofa of <image1>.",
        "category": "Element Addition", "split": "held out",
    }  # fmt: skip
    (sample,) = loaded(tmp_path, entry).samples
    assert sample.request.labels == ("<image1>", "<image2>")
    assert sample.request.source.path == sample.request.references[0].path
    assert sample.tags["category"] == "element addition"
    assert sample.tags["split"] == "held out"
    assert told_in(sample) == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"conditions": []}, "its conditions are no object"),
        ({"original_image_path": 7}, "original_image_path is no path"),
        ({"instructions": {"conditions": ["smell"]}}, "no instruction"),
        ({"instructions": {"conditions": ["smell"], "original_prompts": "x"}}, "a 'smell'"),
        (
            {"instructions": {"conditions": ["pose"], "original_prompts": "x"}},
            "asks for a pose and",
        ),
    ],
)
def test_an_entry_that_is_none_is_left_out_with_a_sentence(tmp_path, change, said) -> None:
    with pytest.raises(UserMistake, match=said):
        loaded(tmp_path, synthetic(tmp_path, **change))


def test_a_folder_that_is_not_there_is_told_with_what_would_be_right(tmp_path) -> None:
    with pytest.raises(UserMistake, match="overpaint build refblend"):
        load_set(tmp_path / "nowhere")


def test_a_truncated_original_leaves_its_sample_out(tmp_path) -> None:
    entry = synthetic(tmp_path)
    whole = (tmp_path / "pictures" / "original.png").read_bytes()
    (tmp_path / "pictures" / "short.png").write_bytes(whole[:20])
    bad = synthetic(tmp_path, original_image_path="pictures/short.png")
    found = loaded(tmp_path, entry, bad)
    assert len(found.samples) == 1
    assert "cannot be decoded" in found.repairs[0].did


def test_an_original_that_says_it_is_huge_leaves_its_sample_out(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("OVERPAINT_MAX_PIXELS", "1500")
    paint(tmp_path / "pictures" / "huge.png", size=(50, 40))
    bad = synthetic(tmp_path, original_image_path="pictures/huge.png")
    found = loaded(tmp_path, synthetic(tmp_path), bad)
    assert len(found.samples) == 1, "no canvas is made of a size that would not be read"
    assert "50×40 pixels; the limit is 1,500" in found.repairs[0].did
