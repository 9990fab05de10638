"""`turns:EDITOR`: one reference a turn, and what editors are sent of named pictures at once."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import multiref_cases as cases
import numpy as np
import pytest

from overpaint import catalog
from overpaint.core import Request
from overpaint.document import Document
from overpaint.editors import servers
from overpaint.editors.comfyui import ComfyUI
from overpaint.editors.diffusers_pipeline import OPTIONS, arguments
from overpaint.editors.fitting import fitted, is_empty
from overpaint.editors.images_api import Images
from overpaint.editors.options import given
from overpaint.editors.turns import GIVES, Turns, told, turns_of
from overpaint.errors import Refused, UserMistake
from overpaint.testing.painter import FakePainter
from overpaint.vision.references import KINDS


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "_backoff", lambda failed: 0.0)


# ── one call with all references ────────────────────────────────────────────────────────


def test_an_empty_canvas_is_a_size_and_no_picture() -> None:
    request = cases.synthetic()
    sent = fitted(request, grid=16)
    assert is_empty(request.source)
    assert not is_empty(cases.ball())
    assert not sent.leads
    assert [pixels.shape for pixels in sent.pictures] == [(40, 60, 3), (160, 160, 3)]
    assert sent.prompt().startswith(
        "Picture 1 is <canny_image>, picture 2 is <subject_1>.\nUse the outlines"
    )
    assert sent.prompt(1).startswith("Picture 1 is <canny_image>.\nUse the outlines")


def test_a_source_that_is_a_reference_is_sent_once_in_its_place() -> None:
    request = cases.real_world()
    sent = fitted(request, grid=32)
    assert not sent.leads
    assert [pixels.shape for pixels in sent.pictures] == [(64, 64, 3), (40, 60, 3)]
    assert np.array_equal(sent.pictures[0][:40, :60], request.source.rgb)
    assert sent.prompt().startswith("Picture 1 is <image1>, picture 2 is <image2>.")


def test_a_source_of_its_own_leads_and_is_told() -> None:
    request = Request(cases.photo(9), "as <image1>", (cases.photo(1),), labels=("<image1>",))
    sent = fitted(request)
    assert len(sent.pictures) == 2
    assert sent.prompt() == "Picture 1 is the one to change, picture 2 is <image1>.\nas <image1>"


def test_without_names_and_with_a_mask_all_is_sent_as_before() -> None:
    plain = Request(cases.photo(1), "as there", (cases.photo(1), cases.photo(2)))
    assert len(fitted(plain).pictures) == 3
    assert fitted(plain).prompt() == "as there"
    flat = Request(cases.canvas(), "as there", (cases.photo(1),))
    assert len(fitted(flat).pictures) == 2, "a picture of one colour, too"
    white = Document.of(np.full((40, 60, 3), 255, np.uint8))
    masked = Request(cases.canvas(), "x", (cases.ball(),), white, labels=("<subject_1>",))
    assert len(fitted(masked).pictures) == 2


def test_a_server_is_sent_the_references_and_told_the_size_of_the_canvas() -> None:
    with FakePainter() as server:
        made = Images(f"{server.url}#b")(cases.synthetic())
    (sent,) = server.received
    assert sent.files == ("image[]", "image[]")
    assert sent.fields["size"] == "60x40"
    assert sent.fields["prompt"].startswith("Picture 1 is <canny_image>")
    assert made.size == (60, 40)


class QwenImageEditPlusPipeline:
    """The signature of a pipeline that looks at several pictures."""

    def __call__(self, image=None, prompt=None, height=None, width=None): ...  # type: ignore[no-untyped-def]


class FluxKontextPipeline:
    """The signature of a pipeline that looks at one."""

    def __call__(self, image=None, prompt=None, height=None, width=None): ...  # type: ignore[no-untyped-def]


def test_a_pipeline_is_given_as_many_references_as_it_looks_at() -> None:
    sent, spec = fitted(cases.synthetic(), grid=16), given("m", "diffusers", OPTIONS)
    named, notes = arguments(QwenImageEditPlusPipeline(), sent, spec)
    assert [image.size for image in named["image"]] == [(60, 40), (160, 160)]
    assert (named["width"], named["height"], notes) == (64, 48, ())
    named, notes = arguments(FluxKontextPipeline(), sent, spec)
    assert named["image"].size == (64, 48)
    assert named["prompt"].startswith("Picture 1 is <canny_image>.\nUse")
    assert notes == ("FluxKontextPipeline takes one picture; 1 references were left out",)


def test_a_workflow_is_given_the_references_and_no_empty_canvas(tmp_path: Path) -> None:
    nodes = {
        "1": {"class_type": "LoadImage", "inputs": {"image": "{image}"}},
        "2": {"class_type": "LoadImage", "inputs": {"image": "{image2}"}},
        "3": {"class_type": "Text", "inputs": {"text": "{instruction}"}},
        "4": {"class_type": "SaveImage", "inputs": {"images": ["1", 0]}},
    }
    file = tmp_path / "flow.json"
    file.write_text(json.dumps(nodes))
    with FakePainter() as server:
        made = ComfyUI(f"{server.address};workflow={file}")(cases.synthetic())
    (sent,) = server.workflows
    assert sent["3"]["inputs"]["text"].startswith("Picture 1 is <canny_image>, picture 2")
    assert len({sent["1"]["inputs"]["image"], sent["2"]["inputs"]["image"]}) == 2
    assert len(server.uploads) == 2
    assert made.size == (60, 40)


# ── one reference a turn ────────────────────────────────────────────────────────────────


def test_each_kind_of_name_has_a_sentence_of_its_own() -> None:
    assert {kind for kind in KINDS if kind != "caption"} <= {*GIVES}
    for name in GIVES:
        assert "Do of this request" not in told("x", f"<{name}_image>", fresh=True), name


def test_a_turn_tells_what_its_picture_gives_and_the_caption() -> None:
    first, second = turns_of(cases.synthetic())
    assert first.instruction == (
        "Make a picture so that this is true: the edges of <canny_image>, white on black, are the"
        f" outlines that the picture has. The whole picture in the end: {cases.CAPTION}"
    )
    assert second.instruction == (
        "Change the first picture so that this is true: the subject of <subject_1> is in the"
        " picture, and can be known again. Everything else in it stays as it is."
        f" The whole picture in the end: {cases.CAPTION}"
    )
    assert (second.labels, second.references) == (("<subject_1>",), (cases.ball(),))


def test_a_reference_that_is_the_source_has_no_turn_and_numbers_get_the_whole_request() -> None:
    (only,) = turns_of(cases.real_world())
    assert only.labels == ("<image2>",)
    assert only.instruction == (
        "Change the first picture and keep the rest of it. Do of this request what concerns"
        " <image2>, and nothing else: Put the hat of <image2> on the man in <image1>."
    )


def test_turns_follow_the_instruction_and_not_the_list() -> None:
    request = cases.synthetic("First <subject_1>, then <canny_image>.")
    assert [turn.labels[0] for turn in turns_of(request)] == ["<subject_1>", "<canny_image>"]


def taken(request: Request, *behaviours: str) -> tuple[Document, Any, FakePainter]:
    with FakePainter(*behaviours) as server:
        editor: Any = catalog.editor(f"turns:images:{server.url}#b")
        assert editor.host in server.url
        document, trace = editor.traced(request)
    return document, trace, server


def test_each_turn_changes_what_the_one_before_it_made() -> None:
    request = cases.synthetic()
    document, trace, server = taken(request)
    first, second = server.received
    assert [len(one.pictures) for one in (first, second)] == [1, 2]
    assert np.array_equal(first.pictures[0], request.references[0].rgb)
    made = 255 - request.references[0].rgb
    assert np.array_equal(second.pictures[0], made)
    assert np.array_equal(second.pictures[1], request.references[1].rgb)
    assert np.array_equal(document.rgb, 255 - made)
    assert [step["label"] for step in trace] == ["<canny_image>", "<subject_1>"]
    assert np.array_equal(trace[0]["picture"].rgb, made)
    assert document.notes == ()


def test_a_picture_of_one_colour_that_a_turn_made_is_changed_in_the_next() -> None:
    flat = Document.of(np.full((40, 60, 3), 30, np.uint8))
    _, _, server = taken(replace(cases.synthetic(), references=(flat, cases.ball())))
    first, second = server.received
    assert [len(one.pictures) for one in (first, second)] == [1, 2]
    assert (second.pictures[0] == 225).all()
    assert second.fields["prompt"].startswith("Picture 1 is the one to change, picture 2 is <subj")


def test_without_names_a_source_of_one_colour_is_changed_from_the_first_turn_on() -> None:
    (turn,) = turns_of(Request(cases.canvas(), "as there", (cases.ball(),)))
    assert turn.instruction.startswith("Change the first picture")


def test_what_an_editor_notes_in_a_turn_is_told_with_its_turn() -> None:
    document, trace, _ = taken(cases.synthetic(), "ok", "small")
    assert document.notes == ("turn 2: the editor returned 30×20 for 60×40; scaled back",)
    assert trace[1]["notes"] == ["the editor returned 30×20 for 60×40; scaled back"]


def test_a_turn_that_fails_says_which_it_was() -> None:
    with pytest.raises(Refused, match=r"Turn 2 of 2 \(<subject_1>\): .* declined"):
        taken(cases.synthetic(), "ok", "moderation")


def test_without_references_it_is_the_editor_itself() -> None:
    plain = Request(cases.photo(1), "invert it")
    document, trace, server = taken(plain)
    assert np.array_equal(document.rgb, 255 - plain.source.rgb)
    assert (trace, server.received[0].fields["prompt"]) == ((), "invert it")


@pytest.mark.parametrize("spec", ["truth", "agent:rules", "turns:identity"])
def test_who_sees_the_truth_or_asks_models_takes_no_turns(spec: str) -> None:
    with pytest.raises(UserMistake, match="cannot take turns"):
        Turns(spec)
