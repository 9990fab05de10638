"""RefBlend end to end: pictures in, samples out, the same whatever happens on the way."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from refblend_made import built, contents, photos, put, samples, scene, scored, voiced

from overpaint.benchmarks.multiref import load_set
from overpaint.document import Document
from overpaint.engines.refblend.compatibility import PAPER, allowed, name_of
from overpaint.engines.refblend.instructions import Instruction, faults
from overpaint.engines.vde.records import Terms
from overpaint.errors import Unreachable, UserMistake
from overpaint.testing import Question, Scripted
from overpaint.vision.references import Extractor, Hints, Reference, drawing, edges, things
from overpaint.vision.references.told import told_in


def test_a_build_writes_the_released_form_with_every_path_there(tmp_path: Path) -> None:
    done = built(photos(tmp_path / "in"), tmp_path / "out")
    home, found = tmp_path / "out" / "set", samples(tmp_path / "out")
    assert found
    assert done.problems == ()
    for one in found:
        told, given = one["instructions"], one["conditions"]
        assert allowed(tuple(told["conditions"]))
        assert name_of(told["conditions"]) == one["combination"]
        assert (home / one["original_image_path"]).is_file()
        assert all((home / path).is_file() for path in told["image_path_mapping"].values())
        names = tuple(f"<{name}>" for name in told["image_path_mapping"])
        caption = given["caption"] or ""
        assert faults(Instruction("", names, caption), told["original_prompts"]) == ()
        assert set(one["extractors"]) == set(told["conditions"])
        assert len(given) == 10
        assert one["results"] == {}


def test_the_set_names_every_picture_in_it_and_no_other(tmp_path: Path) -> None:
    built(photos(tmp_path / "in"), tmp_path / "out")
    home, found = tmp_path / "out" / "set", samples(tmp_path / "out")
    named = {path for one in found for path in one["instructions"]["image_path_mapping"].values()}
    named |= {one["original_image_path"] for one in found}
    assert set(contents(home)) == named | {"samples.json", "metadata.jsonl"}


def test_metadata_has_a_line_a_sample_with_the_same_columns_in_each(tmp_path: Path) -> None:
    built(photos(tmp_path / "in"), tmp_path / "out")
    lines = (tmp_path / "out" / "set" / "metadata.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["id"] for row in rows] == [one["id"] for one in samples(tmp_path / "out")]
    assert len({tuple(row) for row in rows}) == 1
    for row in rows:
        assert (tmp_path / "out" / "set" / row["file_name"]).is_file()
        several = row["subject_file_names"] + row["pose_file_names"] + row["style_file_names"]
        single = [row[key] for key in row if key.endswith("_file_name") and row[key]]
        assert len(several) + len(single) + bool(row["caption"]) == len(row["conditions"])


def test_what_comes_with_a_picture_is_used_and_is_no_picture_itself(tmp_path: Path) -> None:
    done = built(photos(tmp_path / "in"), tmp_path / "out", per_image=100)
    assert done.report["pictures"]["taken"] == 2
    own = [one for one in samples(tmp_path / "out") if one["source"].startswith("scene0")]
    used = {kind: one["extractors"][kind] for one in own for kind in one["extractors"]}
    assert used["subject"] == used["style"] == used["caption"] == "given/1"
    assert used["canny"] == "opencv/1"
    both = next(one for one in own if one["combination"] == "subject+subject")
    sizes = [Document(tmp_path / "out" / "set" / path).size
             for path in both["conditions"]["subject_paths"]]  # fmt: skip
    assert sizes == [(64, 64), (40, 80)]  # references keep sizes of their own


def test_a_source_without_a_caption_offers_less(tmp_path: Path) -> None:
    built(photos(tmp_path / "in"), tmp_path / "out", per_image=100)
    bare = [one for one in samples(tmp_path / "out") if one["source"].startswith("scene1")]
    assert bare
    assert all("caption" not in one["extractors"] for one in bare)


def test_the_papers_preset_makes_only_its_combinations(tmp_path: Path) -> None:
    built(photos(tmp_path / "in"), tmp_path / "out", combinations="paper", per_image=100)
    names = {one["combination"] for one in samples(tmp_path / "out")}
    assert names
    assert names <= {name_of(one) for one in PAPER}
    assert "caption+style" not in names


# ── the same bytes ──────────────────────────────────────────────────────────────────────


def test_the_seed_decides_and_nothing_else(tmp_path: Path) -> None:
    folder = photos(tmp_path / "in", 3)
    built(folder, tmp_path / "one")
    files = sorted(path for path in folder.iterdir() if path.suffix == ".png")
    built(folder, tmp_path / "two", inputs=files[::-1])
    built(folder, tmp_path / "three", seed=1)
    one, two, three = (contents(tmp_path / name / "set") for name in ("one", "two", "three"))
    assert one == two
    assert one["samples.json"] != three["samples.json"]


@pytest.mark.slow
def test_any_number_of_workers_makes_the_same_bytes(tmp_path: Path) -> None:
    folder = photos(tmp_path / "in", 3)
    built(folder, tmp_path / "here")
    built(folder, tmp_path / "two", terms=Terms(workers=2))
    assert contents(tmp_path / "here" / "set") == contents(tmp_path / "two" / "set")


def test_a_build_that_was_cut_off_goes_on_and_makes_the_same(tmp_path: Path) -> None:
    folder = photos(tmp_path / "in", 3)
    built(folder, tmp_path / "out")
    whole = contents(tmp_path / "out" / "set")
    shutil.rmtree(tmp_path / "out" / "set")
    for name in ("found.jsonl", "sources.jsonl"):  # as if killed within a line
        file = tmp_path / "out" / name
        file.write_bytes(file.read_bytes()[: len(file.read_bytes()) * 2 // 3])
    built(folder, tmp_path / "out")
    assert contents(tmp_path / "out" / "set") == whole


def test_a_second_call_looks_at_nothing_again(tmp_path: Path) -> None:
    folder, looked = photos(tmp_path / "in"), list[str]()
    terms = Terms(workers=0, progress=lambda label, done, total: looked.append(label))
    built(folder, tmp_path / "out", terms=terms)
    assert {"pictures", "looking", "sheet"} <= set(looked)
    looked.clear()
    built(folder, tmp_path / "out", inputs=[], terms=terms)
    assert set(looked) == {"sheet"}


def test_another_reference_does_not_shuffle_the_other_samples(tmp_path: Path) -> None:
    folder = photos(tmp_path / "in")
    built(folder, tmp_path / "few", kinds="canny,caption,style", per_image=100)
    built(folder, tmp_path / "more", kinds="canny,sketch,caption,style", per_image=100)
    few = {one["id"]: one for one in samples(tmp_path / "few")}
    more = {one["id"]: one for one in samples(tmp_path / "more")}
    assert few.items() <= more.items()


def test_a_build_keeps_its_settings_to_the_end(tmp_path: Path) -> None:
    folder = photos(tmp_path / "in")
    built(folder, tmp_path / "out")
    with pytest.raises(UserMistake, match="was begun with seed = 0, not 5"):
        built(folder, tmp_path / "out", seed=5)


# ── filtering ───────────────────────────────────────────────────────────────────────────


def test_a_reference_that_is_not_found_again_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(1)

    def moody(pixels: np.ndarray, hints: object) -> list[Reference]:
        edges = np.where(rng.random(pixels.shape[:2]) < 0.05, 255, 0).astype(np.uint8)
        return [Reference("canny", edges, "opencv", "1")]

    monkeypatch.setattr(edges, "canny", Extractor("canny", "opencv", "1", moody))
    done = built(photos(tmp_path / "in"), tmp_path / "out")
    assert done.report["references"]["dropped"] == {"canny: agreement below 0.95": 2}
    assert all("canny" not in one["extractors"] for one in samples(tmp_path / "out"))


def test_every_second_look_is_a_real_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, list[bytes]] = {"canny": [], "mask": []}

    def watched(by: Extractor) -> Extractor:
        def find(pixels: np.ndarray, hints: Hints) -> Sequence[Reference]:
            seen[by.kind].append(pixels.tobytes())
            return by.find(pixels, hints)

        return replace(by, find=find)

    monkeypatch.setattr(edges, "canny", watched(edges.canny))
    monkeypatch.setattr(things, "masks", watched(things.masks))
    put(tmp_path / "in" / "one.png", scene(1))
    built(tmp_path / "in", tmp_path / "out", kinds="canny,mask,caption")
    assert [len(seen["canny"]), len(set(seen["canny"]))] == [2, 1], "nothing of it is remembered"
    assert [len(seen["mask"]), len(set(seen["mask"]))] == [4, 4], "what is, is asked of others"


def test_a_reference_that_cannot_be_read_back_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "drawn", lambda one, size: np.zeros((*size[::-1], 3), np.uint8))
    done = built(photos(tmp_path / "in"), tmp_path / "out", kinds="canny,sketch,caption")
    assert done.report["references"]["dropped"] == {
        "canny: agreement below 0.95": 2, "sketch: agreement below 0.95": 2,
    }  # fmt: skip
    assert "No picture offers references that go together" in done.next


def test_a_map_without_confidence_enough_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsure(pixels: np.ndarray, hints: object) -> list[Reference]:
        mask = np.zeros(pixels.shape[:2], bool)
        mask[:, 6:] = True  # so large that a pixel makes no difference
        sure = 0.79 if pixels[0, 0, 0] == first else 0.81
        return [Reference("mask", mask, "salient", "1", confidence=sure)]

    folder = photos(tmp_path / "in")
    (folder / "scene1.txt").write_text("Another disc.")
    first = Document(folder / "scene0.png").rgb[0, 0, 0]
    monkeypatch.setattr(things, "masks", Extractor("mask", "salient", "1", unsure))
    done = built(folder, tmp_path / "out", kinds="mask,caption")
    assert done.report["references"]["dropped"] == {"mask: confidence below 0.8": 1}
    (only,) = samples(tmp_path / "out")
    assert only["source"].startswith("scene1")
    assert only["confidences"] == {"<mask_image>": 0.81}


def test_a_judge_drops_what_it_scores_below_three(tmp_path: Path) -> None:
    judge = Scripted(scored(4, low="sketch_quality"))
    done = built(photos(tmp_path / "in"), tmp_path / "out", judge=judge, per_image=100)
    assert done.report["references"]["dropped"] == {"sketch: sketch_quality below 3": 2}
    found = samples(tmp_path / "out")
    assert all("sketch" not in one["extractors"] for one in found)
    with_edges = next(one for one in found if one["combination"] == "canny+caption")
    assert with_edges["judge"] == {
        "Canny Alignment": 4, "Canny Quality": 4, "Caption Alignment": 4,
    }  # fmt: skip
    shown = [len(question.pictures) for question in judge.asked]
    assert set(shown) == {1, 2}  # a caption is held against the picture alone


def test_a_judge_that_cannot_be_understood_drops_the_reference_and_says_so(tmp_path: Path) -> None:
    done = built(photos(tmp_path / "in"), tmp_path / "out", judge=Scripted("well, well"))
    assert samples(tmp_path / "out") == []
    dropped = done.report["references"]["dropped"]
    assert all(key.endswith("the judge could not be understood") for key in dropped)


def test_a_judge_that_cannot_be_reached_is_asked_again_the_next_time(tmp_path: Path) -> None:
    gone = Scripted(lambda question: Unreachable("Nobody answers."))
    done = built(photos(tmp_path / "in"), tmp_path / "out", judge=gone)
    assert "the same command asks again" in done.next
    assert samples(tmp_path / "out") == []
    done = built(photos(tmp_path / "in"), tmp_path / "out", judge=Scripted(scored(5)))
    assert "the set is finished" in done.next
    assert samples(tmp_path / "out")


# ── people ──────────────────────────────────────────────────────────────────────────────


def test_people_accept_or_reject_subjects_and_styles(tmp_path: Path) -> None:
    out, folder = tmp_path / "out", photos(tmp_path / "in", 1)
    done = built(folder, out, raters=1, per_image=100)
    tasks = [json.loads(line) for line in (out / "tasks.jsonl").read_text("utf-8").splitlines()]
    assert {task["kind"] for task in tasks} == {"subject", "style"}
    assert "answers 1 about a style, 2 about a subject" in done.next
    assert not any("subject" in one["extractors"] for one in samples(out))
    lines = [
        {"task": task["task"], "picture": task["picture"]["sha256"], "by": "ana",
         "keep": not task["picture"]["path"].endswith("subject-2.png")}
        for task in tasks
    ]  # fmt: skip
    (out / "answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    done = built(folder, out, raters=1, per_image=100)
    assert "the set is finished" in done.next
    used = {path for one in samples(out) for path in one["conditions"]["subject_paths"]}
    assert [Path(path).name for path in used] == ["subject-1.png"]
    assert done.report["references"]["dropped"] == {"subject: people said no: 1 of 1 said no": 1}


def test_people_are_not_asked_about_kinds_that_nobody_wants(tmp_path: Path) -> None:
    out, folder = tmp_path / "out", photos(tmp_path / "in", 1)
    built(folder, out, raters=1, kinds="canny,style,caption")
    tasks = [json.loads(line) for line in (out / "tasks.jsonl").read_text("utf-8").splitlines()]
    assert {task["kind"] for task in tasks} == {"style"}


def test_an_answer_to_no_question_is_told(tmp_path: Path) -> None:
    out, folder = tmp_path / "out", photos(tmp_path / "in", 1)
    built(folder, out, raters=1)
    (out / "answers.jsonl").write_text('{"task": "style:nobody", "by": "ana", "keep": true}\n')
    done = built(folder, out, raters=1)
    assert "there is no task 'style:nobody'" in str(done.problems[0])


# ── models ──────────────────────────────────────────────────────────────────────────────


def test_a_model_writes_captions_and_lends_a_voice(tmp_path: Path) -> None:
    model = Scripted(voiced)
    done = built(photos(tmp_path / "in"), tmp_path / "out", model=model, per_image=3)
    found = samples(tmp_path / "out")
    for one in found:
        (voice,) = one["instructions"]["enhance_prompts"]
        assert voice == f"Dear friend, {one['instructions']['original_prompts']}"
    captions = {one["conditions"]["caption"] for one in found if one["source"].startswith("scene1")}
    assert captions - {None} == {"A plain scene of simple forms."}
    assert done.report["samples"]["in a persona's voice"]["written"] == len(found)
    again = Scripted(voiced)
    built(photos(tmp_path / "in"), tmp_path / "out", model=again, per_image=3)
    assert again.asked == []


def test_a_picture_whose_subject_came_with_it_is_captioned_without_its_looks(
    tmp_path: Path,
) -> None:
    folder = photos(tmp_path / "in")
    (folder / "scene0.txt").unlink()  # its subjects stay
    for kinds, told in (("caption,subject", [False, True]), ("caption,style", [False, False])):
        model = Scripted(voiced)
        built(folder, tmp_path / kinds, model=model, kinds=kinds, personas=0)
        asked = [question.prompt for question in model.asked]
        assert sorted("do not describe how it looks" in text for text in asked) == told


def test_a_voice_that_loses_names_leaves_the_structured_form_with_a_note(tmp_path: Path) -> None:
    def careless(question: Question) -> object:
        if "Say the same instruction again" in question.prompt:
            return {"instruction": "Just paint something nice."}
        return voiced(question)

    model = Scripted(careless)
    built(photos(tmp_path / "in", 1), tmp_path / "out", model=model, per_image=2)
    found = samples(tmp_path / "out")
    assert len([q for q in model.asked if "Say the same" in q.prompt]) == 3 * len(found)
    for one in found:
        assert one["instructions"]["enhance_prompts"] == []
        assert "the structured form stands" in one["notes"][-1]


# ── captions of a file ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_captions_come_from_a_file(tmp_path: Path, suffix: str) -> None:
    folder, file = photos(tmp_path / "in"), tmp_path / f"captions.{suffix}"
    if suffix == "csv":
        file.write_text('image,caption\nscene1.png,"Two forms, one round"\nother.png,x\n')
    else:
        file.write_text('{"file_name": "in/scene1.png", "text": "Two forms, one round"}\n')
    built(folder, tmp_path / "out", captions=file, per_image=100)
    said = {one["conditions"]["caption"] for one in samples(tmp_path / "out")}
    assert "Two forms, one round" in said
    built(folder, tmp_path / "out", inputs=[], per_image=100)  # they are kept
    assert said == {one["conditions"]["caption"] for one in samples(tmp_path / "out")}


def test_a_built_set_is_an_input_itself(tmp_path: Path) -> None:
    built(photos(tmp_path / "in", 1), tmp_path / "out", per_image=100)
    listed = tmp_path / "out" / "set" / "samples.json"
    built(listed, tmp_path / "again", per_image=100)
    before, after = samples(tmp_path / "out"), samples(tmp_path / "again")
    assert {one["combination"] for one in before} == {one["combination"] for one in after}
    used = {one["extractors"].get("subject") for one in after}
    assert used == {None, "given/1"}


def test_the_sheet_shows_pictures_references_and_instructions(tmp_path: Path) -> None:
    built(photos(tmp_path / "in"), tmp_path / "out")
    page = (tmp_path / "out" / "sheet.html").read_text("utf-8")
    found = samples(tmp_path / "out")
    assert f"<h1>{len(found)} samples of 2 pictures</h1>" in page
    assert page.count("<li>") == len(found)
    assert page.count('class="card"') == 2
    assert "http" not in page  # nothing is loaded from elsewhere
    chips = sum(len(one["instructions"]["image_path_mapping"]) for one in found)
    assert page.count('class="chip') == chips


def test_kinds_are_looked_for_by_the_method_that_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="sketch=xdog|informative was expected"):
        built(photos(tmp_path / "in"), tmp_path / "out", extractors="sketch=pencil")
    with pytest.raises(UserMistake, match="There is no kind of reference called 'smell'"):
        built(photos(tmp_path / "in"), tmp_path / "out", kinds="canny,smell")


def test_the_benchmark_reads_what_was_built_without_a_repair(tmp_path: Path) -> None:
    built(photos(tmp_path / "in"), tmp_path / "out", model=Scripted(voiced), per_image=100)
    loaded = load_set(tmp_path / "out")
    found = samples(tmp_path / "out")
    assert loaded.repairs == ()
    assert [one.id for one in loaded.samples] == [one["id"] for one in found]
    for sample, one in zip(loaded.samples, found, strict=True):
        assert sample.request.instruction == one["instructions"]["enhance_prompts"][0]
        assert sample.cluster == one["source"]
        assert len(told_in(sample)) == len(one["instructions"]["conditions"])
