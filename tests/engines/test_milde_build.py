"""MiLDE's construction: designs in, a model and people asked, a set out for the benchmark."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from milde_made import (
    STEPS,
    asked_about,
    chinese,
    lines,
    made,
    quoted,
    samples,
    script,
    summer,
    written,
)

from overpaint.benchmarks.milde import load_set
from overpaint.document import Document, Layer, files
from overpaint.document.layers import Shape
from overpaint.engines.milde.asking import Asker, listed, told
from overpaint.engines.milde.building import build
from overpaint.engines.milde.classes import by_model, by_rules
from overpaint.engines.milde.records import Candidate, Place, Settings, Source
from overpaint.engines.milde.sources import files_below
from overpaint.engines.milde.statistics import PAPER, describe
from overpaint.engines.milde.streams import chosen, personas, wishes
from overpaint.errors import Refused, Unreachable, UserMistake
from overpaint.testing import Question, Scripted
from overpaint.vision.layers import seen


@pytest.fixture
def designs(tmp_path: Path) -> Path:
    return written(tmp_path / "designs")


@pytest.fixture
def poster(tmp_path: Path) -> Path:
    files.write(summer(), tmp_path / "summer.ora")
    return tmp_path / "summer.ora"


def test_a_stray_document_json_hides_no_other_document_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "in" / "cards").mkdir(parents=True)
    files.write(summer(), tmp_path / "in" / "summer.ora")
    (tmp_path / "in" / "document.json").write_text('{"name": "notes"}', encoding="utf-8")
    files.write(chinese(), tmp_path / "in" / "cards" / "spring")  # a folder of PNGs, and an index
    found = list(files_below([tmp_path / "in"], tmp_path / "out", "design"))
    assert found == [
        (tmp_path / "in/cards/spring", "cards"),
        (tmp_path / "in", "design"),
        (tmp_path / "in/summer.ora", "design"),
    ]
    assert list(files_below([tmp_path / "in/cards/spring"], tmp_path / "out", "design")) == [
        (tmp_path / "in/cards/spring", "design")
    ]
    built = made(tmp_path / "in", tmp_path / "out", settings=Settings(raters=0))
    assert built.steps["documents"].startswith("2 read")
    assert built.steps["documents"].endswith("1 left out")


# ── the whole way ───────────────────────────────────────────────────────────────────────


def test_two_designs_become_a_set_that_the_benchmark_loads(designs: Path, tmp_path: Path) -> None:
    built = made(designs, tmp_path / "out", settings=Settings(raters=0))
    assert built.problems == ()
    assert built.next == f"The set is finished: overpaint run milde --data {tmp_path / 'out/set'}"
    assert built.steps["documents"] == "2 read, 3.5 layers each, 2.5 consolidated, 0 left out"
    loaded = load_set(tmp_path / "out/set")
    assert loaded.repairs == ()
    assert len(loaded.samples) == 6  # three requests of each document
    english = next(one for one in loaded.samples if one.tags["language"] == "English")
    assert english.tags["format"] == "posters"
    assert english.facts["gold"] == ["2", "4"]
    assert english.facts["layer_instructions"]["4"] == STEPS[0]["text"]
    assert english.facts["texts"] == {"4": "Winter Jazz\n12 June"}
    assert {one["layer"] for one in english.facts["questions"]} == {"2", "4"}
    assert np.array_equal(english.request.source.rgb, summer().rgb)


def test_a_sample_has_all_that_the_form_asks_for(poster: Path, tmp_path: Path) -> None:
    made(poster, tmp_path / "out")
    (entry,) = samples(tmp_path / "out")
    assert entry["layers"] == [{"id": "1", "kind": "image"}, {"id": "2", "kind": "decoration"},
                               {"id": "4", "kind": "text"}]  # fmt: skip
    assert [step["layer"] for step in entry["steps"]] == ["4", "2"]
    assert [one["check"] for one in entry["questions"]] == [
        None,
        {"kind": "says", "words": "Winter Jazz", "box": entry["questions"][1]["check"]["box"]},
        {"kind": "gone", "words": "Summer Jazz"},
    ]
    (plan,) = lines(tmp_path / "out/plans.jsonl")
    assert plan["dropped"] == [{**STEPS[2], "reason": "applies to no image or decoration layer"}]


def test_the_same_seed_makes_the_same_set_and_another_asks_other_people(
    poster: Path, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        made(poster, tmp_path / name)
    assert samples(tmp_path / "one") == samples(tmp_path / "two")
    source = Source("s", "s.ora")
    cues = [[wish.cue for wish in wishes(source, Settings(seed=n))] for n in (0, 0, 1)]
    assert cues[0] == cues[1] != cues[2]
    assert len(cues[0]) == 9


def test_a_build_that_is_stopped_goes_on_and_asks_nothing_twice(
    designs: Path, tmp_path: Path
) -> None:
    gone = Unreachable("Nobody answers at 10.0.0.1.", "", "Try again.")
    first = Scripted(script(steps=gone))
    built = made(designs, tmp_path / "out", first)
    assert built.next == "2 times the model could not be asked; the same command asks again."
    assert [str(one) for one in built.problems] == [
        "planning: unreachable: Nobody answers at 10.0.0.1. Try again. (2 times)"
    ]
    second = Scripted(script())
    assert "2 samples finished" in made([], tmp_path / "out", second).steps["set"]
    kinds = {asked_about(question.prompt) for question in second.asked}
    assert kinds == {"steps", "applies", "questions"}
    assert made([], tmp_path / "out", Scripted([])).problems == ()


def test_other_settings_than_it_was_begun_with_are_a_mistake(poster: Path, tmp_path: Path) -> None:
    made(poster, tmp_path / "out")
    with pytest.raises(UserMistake, match="begun with personas = 2, not 6"):
        made(poster, tmp_path / "out", settings=Settings())


# ── documents ───────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_psd_svg_folders_and_flat_files_are_read_and_what_cannot_be_is_told(tmp_path: Path) -> None:
    designs = tmp_path / "designs"
    designs.mkdir()
    files.write(summer(), designs / "a.psd")
    files.write(summer(), designs / "b.svg")
    files.write(chinese(), designs / "c")
    files.write(chinese(), designs / "d.pptx")
    (designs / "broken.psd").write_bytes(b"8BPS no more")
    (designs / "notes.txt").write_text("no design")
    blank = summer().having(*(summer().layers[0],))
    files.write(blank.having(*(_hidden(layer) for layer in blank.layers)), designs / "empty.ora")
    built = made(designs, tmp_path / "out")
    left = {Path(one["file"]).name: one["reason"] for one in built.report["documents"]["left out"]}
    assert built.report["documents"]["read"] == 4
    assert set(left) == {"broken.psd", "empty.ora"}
    assert "Nothing shows" in left["empty.ora"]


def _hidden(layer: Any) -> Any:
    from dataclasses import replace

    return replace(layer, visible=False)


def test_the_same_design_under_two_names_is_one(tmp_path: Path) -> None:
    for name in ("a.ora", "b.ora"):
        files.write(summer(), tmp_path / name)
    built = made([tmp_path / "a.ora", tmp_path / "b.ora", tmp_path / "a.ora"], tmp_path / "out")
    assert built.report["documents"]["read"] == 1
    (left,) = built.report["documents"]["left out"]
    assert left["reason"] == "the same document as a.ora"


def test_layers_that_share_an_id_get_ids_of_their_own(tmp_path: Path) -> None:
    from dataclasses import replace

    files.write(summer().having(*(replace(layer, id="x") for layer in summer().layers)),
                tmp_path / "twins")  # fmt: skip
    made(tmp_path / "twins", tmp_path / "out")
    (source,) = Place(tmp_path / "out").sources().values()
    ids = [layer.id for layer in Place(tmp_path / "out").described(source.id).layers]
    assert len(ids) == len(set(ids)) == 3


def test_a_model_classes_layers_and_rules_stand_in_where_its_word_cannot_be_read() -> None:
    document, layers = summer(), seen(summer())
    assert set(by_rules(layers).kinds.values()) == {"image", "decoration", "text"}
    model = Scripted(script())
    assert set(by_model(document, layers, Asker(model)).kinds.values()) == {"decoration"}
    assert all(len(question.pictures) == 2 for question in model.asked)
    unsure = by_model(document, layers, Asker(Scripted("no idea")))
    assert unsure.kinds == by_rules(layers).kinds
    assert unsure.notes[0] == "layer 1 is classed by rules (unreadable)"


def test_classes_of_a_model_decide_what_is_merged_and_are_asked_for_once(
    poster: Path, tmp_path: Path
) -> None:
    settings = Settings(raters=0, personas=1, near=0, classes="model")
    model = Scripted(script())
    made(poster, tmp_path / "out", model, settings)
    (source,) = Place(tmp_path / "out").sources().values()
    assert {one.kind for one in Place(tmp_path / "out").described(source.id).layers} == {
        "decoration"
    }
    asked = [asked_about(question.prompt) for question in model.asked]
    assert asked.count("class") == 5


def test_what_is_told_of_layers_stays_short() -> None:
    (title, *_) = [layer for layer in seen(summer()) if layer.kind == "text"]
    long = title.__class__(**{**title.__dict__, "words": "word " * 900})
    assert len(told(long, (240, 300))) < 400
    assert listed([long] * 70, (240, 300)).endswith("- and 10 more above them")


# ── requests ────────────────────────────────────────────────────────────────────────────


def test_there_are_at_least_sixty_personas_and_none_twice() -> None:
    assert len(personas()) >= 60
    assert len(set(personas())) == len(personas())


def test_a_request_that_fails_is_written_again_and_given_up_in_the_end(
    poster: Path, tmp_path: Path
) -> None:
    bad = {"purpose": "", "becomes": "", "instruction": "Change the top layer into snow"}

    def persona(question: Question) -> Any:
        return bad if question.turn < 1 else {**bad, "instruction": "Make it a winter fair"}

    made(poster, tmp_path / "out", Scripted(script(persona=persona, transfer=bad)))
    found = Place(tmp_path / "out").candidates()
    (near, first, second) = (found[name] for name in sorted(found))  # threads answer in any order
    assert [len(one.attempts) for one in (first, second, near)] == [2, 2, 3]
    assert first.attempts[0]["faults"] == ["speaks of layers or pixels"]
    assert first.faults == []
    assert near.faults == ["speaks of layers or pixels"]


def test_a_request_of_low_rank_does_not_pass(poster: Path, tmp_path: Path) -> None:
    low = {name: {"rationale": "so so", "score": 2 if name == "realism" else 5}
           for name in ("clarity", "specificity", "realism")}  # fmt: skip
    built = made(poster, tmp_path / "out", Scripted(script(rank=low)))
    assert built.report["requests"]["faults"] == {"realism 2 of 5": 9}
    assert built.next == f"No request is left; {tmp_path / 'out/report.md'} says why."


@pytest.mark.parametrize("reply", ["hm", '{"instruction": 5}', "", Refused("I will not.")])
def test_replies_that_are_none_cost_a_try_each(reply: Any, poster: Path, tmp_path: Path) -> None:
    made(poster, tmp_path / "out", Scripted(script(persona=reply, transfer=reply)))
    for one in Place(tmp_path / "out").candidates().values():
        assert len(one.attempts) == 3
        assert one.faults[0].startswith(("unreadable: ", "refused: "))


def test_the_best_are_kept_and_none_that_says_the_same() -> None:
    def one(name: str, text: str, score: int, *faults: str) -> Candidate:
        return Candidate(name, "s", "persona", "", text, {"clarity": score}, (), faults)

    pool = [one("a", "Make it blue", 3), one("b", "Make it a fair", 5),
            one("c", "make it a fair!", 5), one("d", "Make it red", 5, "too long"),
            one("e", "Make it green", 3)]  # fmt: skip
    assert [each.id for each in chosen(pool, 2)] == ["b", "a"]


# ── plans ───────────────────────────────────────────────────────────────────────────────


def fault(poster: Path, out: Path, **replies: Any) -> Any:
    """Why the one request of a build was rejected."""
    made(poster, out, Scripted(script(**replies)))
    (plan,) = Place(out).plans().values()
    return plan.faults, plan.dropped


def test_steps_that_cannot_be_read_are_asked_for_again_and_then_reject_the_request(
    poster: Path, tmp_path: Path
) -> None:
    faults, _ = fault(poster, tmp_path / "a", steps="first this, then that")
    assert faults[0].startswith("no steps (unreadable): ")
    once = script()
    faults, _ = fault(poster, tmp_path / "b",
                      steps=lambda asked: "hm" if not asked.turn else once(asked))  # fmt: skip
    assert faults == []


def test_a_request_none_of_whose_steps_has_a_layer_is_rejected(
    poster: Path, tmp_path: Path
) -> None:
    no = {"rationale": "", "answer": "no"}
    faults, dropped = fault(poster, tmp_path / "out", applies=no)
    assert faults == ["no step has a layer"]
    assert len(dropped) == 3
    assert fault(poster, tmp_path / "b", steps={"steps": []})[0] == ["no step has a layer"]


def test_a_step_whose_layer_cannot_be_told_is_dropped(poster: Path, tmp_path: Path) -> None:
    sensible = script()

    def applies(question: Question) -> Any:
        return "perhaps" if "Summer" in quoted(question.prompt)[1] else sensible(question)

    faults, dropped = fault(poster, tmp_path / "out", applies=applies)
    assert faults == []
    assert dropped[0]["text"] == STEPS[0]["text"]
    assert dropped[0]["reason"].startswith("unreadable: ")


def test_a_request_without_questions_for_a_layer_is_rejected(poster: Path, tmp_path: Path) -> None:
    bad = {"before": "", "question": "The headline.", "about": "text", "expected": "yes"}
    faults, _ = fault(poster, tmp_path / "a", questions={"questions": [bad]})
    assert faults == ["no question about a layer that rules let pass"] * 2
    faults, _ = fault(poster, tmp_path / "b", questions="none")
    assert faults == ["no question about a layer (unreadable)"] * 2


# ── mistakes ────────────────────────────────────────────────────────────────────────────


def test_mistakes_are_told(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="No model is named that could class layers"):
        build([], tmp_path / "out", settings=Settings(classes="model"))
    with pytest.raises(UserMistake, match="cannot be classed by 'guess'"):
        made([], tmp_path / "out", settings=Settings(classes="guess"))
    with pytest.raises(UserMistake, match="There is no document in"):
        made([], tmp_path / "out")
    with pytest.raises(UserMistake, match=r"nowhere\.psd is not there"):
        made(tmp_path / "nowhere.psd", tmp_path / "other")
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine")
    with pytest.raises(UserMistake, match="is not empty and holds no build"):
        made([], full)


def test_what_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from overpaint.engines.milde import sources

    def full(*given: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sources, "collect", full)
    with pytest.raises(UserMistake, match=r"stopped: \[Errno 28\] No space left on device"):
        made([], tmp_path / "out")


# ── statistics ──────────────────────────────────────────────────────────────────────────


def test_statistics_count_layers_once_a_document(designs: Path, tmp_path: Path) -> None:
    made(designs, tmp_path / "out", settings=Settings(raters=0, personas=2, near=0))
    found = describe(load_set(tmp_path / "out/set").samples)
    assert (found.samples, found.documents) == (4, 2)
    assert found.figures["layers a document"] == 2.5
    assert found.figures["edited layers"] == 1.5
    assert found.figures["words of a layer instruction"] == pytest.approx((4 + 9 + 10) / 3, abs=3)
    assert found.edits == {"text": 0.5, "image": 0.0, "both": 0.5}
    assert set(found.figures) < set(PAPER)
    assert describe([]).figures["edited layers"] is None


def test_documents_of_the_build_are_not_built_again(poster: Path, tmp_path: Path) -> None:
    made(poster.parent, tmp_path / "out")
    again = made(poster.parent, tmp_path / "out", Scripted([]))
    assert again.report["documents"]["read"] == 1
    assert isinstance(Document(next((tmp_path / "out/documents").iterdir())).size, tuple)


@pytest.mark.slow
def test_a_design_of_two_hundred_layers_is_built_and_one_of_one_layer_left_out(
    tmp_path: Path,
) -> None:
    dots = [
        Layer(
            Shape("ellipse", 4, 4, (n, 40, 255 - n, 255)),
            "",
            f"d{n}",
            10 * (n % 20),
            10 * (n // 20),
        )
        for n in range(199)
    ]
    files.write(summer().having(*dots, summer().layers[3]), tmp_path / "many.ora")
    files.write(summer().having(summer().layers[3]), tmp_path / "one.ora")
    built = made([tmp_path / "many.ora", tmp_path / "one.ora"], tmp_path / "out")
    assert built.report["documents"]["layers consolidated"] == 2
    (out,) = built.report["documents"]["left out"]
    assert "one.ora has one layer" in out["reason"]
    assert {len(entry["layers"]) for entry in samples(tmp_path / "out")} == {2}
