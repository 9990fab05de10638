"""People in MiLDE's construction: what they are asked, and what is taken of what they say."""

import json
from pathlib import Path
from typing import Any

import pytest
from milde_made import lines, made, samples, summer

from overpaint.document import files
from overpaint.engines.milde.records import Settings

PEOPLE = Settings(raters=1, personas=2, near=0, per_document=2)


@pytest.fixture
def poster(tmp_path: Path) -> Path:
    files.write(summer(), tmp_path / "summer.ora")
    return tmp_path / "summer.ora"


def answer(task: dict[str, Any], by: str = "ana", **said: Any) -> dict[str, Any]:
    return {"task": task["task"], "picture": task["picture"]["sha256"], "by": by, **said}


def say(out: Path, *rows: Any) -> None:
    with open(out / "answers.jsonl", "a", encoding="utf-8") as file:
        for row in rows:
            file.write((row if isinstance(row, str) else json.dumps(row)) + "\n")


def waiting(out: Path) -> list[dict[str, Any]]:
    return [task for task in lines(out / "tasks.jsonl") if task["open"]]


def test_people_are_asked_about_requests_and_then_about_layers(
    poster: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    built = made(poster, out, settings=PEOPLE)
    assert built.next.startswith(
        "People are needed: answers 2 about requests. The questions are in"
    )
    first, second = waiting(out)
    assert first["kind"] == "instruction"
    assert (out / first["picture"]["path"]).is_file()
    better = "Turn it into a winter night in the old town"
    say(out, answer(first, keep=True, instruction=better),
        answer(second, keep=False, note="nobody asks that"))  # fmt: skip
    built = made([], out, settings=PEOPLE)
    assert built.report["people"]["rejected"][0]["reason"] == "1 of 1 said no: nobody asks that"
    (layers,) = waiting(out)
    assert layers["kind"] == "layers"
    assert layers["instruction"] == better
    assert [one["id"] for one in layers["layers"] if one["changes"]] == ["2", "4"]
    new = "Replace the headline with 'Winter Jazz'."
    say(out, answer(layers, keep=True, layer_instructions={"4": new}))
    assert "1 samples finished" in made([], out, settings=PEOPLE).steps["set"]
    (entry,) = samples(out)
    assert entry["instruction"] == better
    assert entry["layer_instructions"]["4"] == new
    assert "4" not in entry["texts"]
    assert {one["layer"] for one in entry["questions"]} == {"2"}
    assert [one["text"] for one in entry["steps"] if one["layer"] == "4"] == [new]


def test_a_rejected_plan_keeps_its_reason(poster: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    settings = Settings(raters=2, personas=1, near=0)
    made(poster, out, settings=settings)
    (task,) = waiting(out)
    say(out, answer(task, "ana", keep=True), answer(task, "ben", keep=True))
    made([], out, settings=settings)
    (task,) = waiting(out)
    say(out, answer(task, "ana", keep=True), answer(task, "ben", keep=False))
    built = made([], out, settings=settings)
    assert built.report["people"]["rejected"][0]["reason"] == "1 of 2 said no"
    assert built.next == f"No request is left; {out / 'report.md'} says why."


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({}, "'keep' should be true or false, not nothing"),
        ({"keep": True, "instruction": "Change the layer to snow"},
         "the corrected instruction cannot be taken: speaks of layers or pixels"),
        ({"keep": True, "instruction": 7}, "'a corrected text' should be a text, not 7"),
        ({"keep": True, "instruction": "!!"}, "a corrected text should have words in it"),
    ],
)  # fmt: skip
def test_an_answer_that_cannot_be_taken_is_told_and_costs_itself_alone(
    said: dict[str, Any], wrong: str, poster: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    made(poster, out, settings=PEOPLE)
    say(out, answer(waiting(out)[0], **said), "no json")
    built = made([], out, settings=PEOPLE)
    assert str(built.problems[0]) == f"answers.jsonl, line 1: {wrong}"
    assert len(built.problems) == 2
    assert len(waiting(out)) == 2


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ([], "'layer_instructions' should be an object of texts by layer"),
        ({"9": "Make it red."}, "there is no layer '9' among those that change"),
    ],
)
def test_corrections_are_of_layers_that_change(
    given: Any, wrong: str, poster: Path, tmp_path: Path
) -> None:
    out, settings = tmp_path / "out", Settings(raters=1, personas=1, near=0)
    made(poster, out, settings=settings)
    say(out, answer(waiting(out)[0], keep=True))
    made([], out, settings=settings)
    say(out, answer(waiting(out)[0], keep=True, layer_instructions=given))
    assert str(made([], out, settings=settings).problems[0]).endswith(wrong)
