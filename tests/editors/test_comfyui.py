"""`comfyui:…` against a fake ComfyUI over HTTP: which node takes what, and what goes wrong."""

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint import catalog
from overpaint.core import Request
from overpaint.document import Document
from overpaint.editors import servers
from overpaint.editors.agent.painting import layer_edit
from overpaint.editors.comfyui import ComfyUI
from overpaint.editors.workflows import fault, invalid, read_workflow, saved
from overpaint.errors import (
    NoOutput,
    OverpaintError,
    Unavailable,
    Unreachable,
    Unreadable,
    UserMistake,
)
from overpaint.testing.painter import FakePainter

PIXELS = np.random.default_rng(5).integers(0, 256, (24, 40, 3), dtype=np.uint8)
ASKED = Request(Document.of(PIXELS), "make {mask} it winter")
MASK = np.zeros((24, 40), bool)
MASK[4:12, 6:20] = True
DRAWN = Document.of(np.repeat(np.where(MASK, 255, 0).astype(np.uint8)[:, :, None], 3, axis=2))


def node(kind: str, **inputs: Any) -> dict[str, Any]:
    return {"class_type": kind, "inputs": inputs}


PLAIN: dict[str, Any] = {
    "1": node("LoadImage", image="example.png"),
    "2": node("CheckpointLoaderSimple", ckpt_name="any.safetensors"),
    "3": node("KSampler", seed=1, positive=["8", 0], negative=["7", 0], latent_image=["5", 0]),
    "5": node("VAEEncode", pixels=["1", 0]),
    "6": node("CLIPTextEncode", text="a photo", clip=["2", 1]),
    "7": node("CLIPTextEncode", text="ugly", clip=["2", 1]),
    "8": node("FluxGuidance", conditioning=["6", 0], guidance=2.5),
    "9": node("SaveImage", images=["3", 0]),
}


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "_backoff", lambda failed: 0.0)


def written(tmp_path: Path, nodes: Any) -> Path:
    path = tmp_path / "workflow.json"
    path.write_text(nodes if isinstance(nodes, str) else json.dumps(nodes))
    return path


def edit(
    tmp_path: Path, request: Request, *behaviours: str, nodes: Any = None, more: str = ""
) -> tuple[Document, FakePainter]:
    path = written(tmp_path, nodes or PLAIN)
    with FakePainter(*behaviours) as server:
        return ComfyUI(f"{server.address};workflow={path}{more}")(request), server


# ── which node takes what ───────────────────────────────────────────────────────────────


def test_a_picture_goes_through_the_workflow(tmp_path: Path) -> None:
    made, server = edit(tmp_path, ASKED)
    assert np.array_equal(made.rgb, 255 - PIXELS)
    assert made.notes == ()
    (queued,) = server.workflows
    assert queued["6"]["inputs"]["text"] == "make {mask} it winter", "the one that is positive"
    assert queued["7"]["inputs"]["text"] == "ugly"
    assert queued["1"]["inputs"]["image"] == "upload0.png", "under the name the server gave it"
    assert queued["3"]["inputs"]["seed"] == 1


def test_placeholders_say_where_things_go(tmp_path: Path) -> None:
    nodes = PLAIN | {
        "6": node("CLIPTextEncode", text="Edit: {instruction}. Keep {style}."),
        "11": node("LoadImage", image="{image2}"),
        "12": node("LoadImageMask", image="{mask}", channel="alpha"),
        "1": node("LoadImage", image="{image}"),
    }
    other = Document.of(PIXELS[:8, :8])
    request = Request(ASKED.source, ASKED.instruction, (other,), mask=DRAWN)
    _, server = edit(tmp_path, request, nodes=nodes)
    (queued,) = server.workflows
    assert queued["6"]["inputs"]["text"] == "Edit: make {mask} it winter. Keep {style}."
    names = [queued[key]["inputs"]["image"] for key in ("1", "11", "12")]
    assert names == ["upload0.png", "upload1.png", "upload2.png"]


def test_a_seed_is_put_where_seeds_are(tmp_path: Path) -> None:
    _, server = edit(tmp_path, ASKED, more=";seed=77")
    assert server.workflows[0]["3"]["inputs"]["seed"] == 77


def test_references_without_a_place_are_noted(tmp_path: Path) -> None:
    request = Request(ASKED.source, "x", (ASKED.source, ASKED.source))
    made, _ = edit(tmp_path, request)
    assert made.notes == ("the workflow has no place for 2 of the reference pictures",)


def test_a_mask_without_a_place_is_noted_and_holds(tmp_path: Path) -> None:
    made, _ = edit(tmp_path, Request(ASKED.source, "x", mask=DRAWN))
    assert made.notes[0] == "the workflow takes no mask; it was laid over what came back"
    assert np.array_equal(made.rgb[~MASK], PIXELS[~MASK])
    assert np.array_equal(made.rgb[MASK], 255 - PIXELS[MASK])


def test_a_workflow_that_reads_the_pictures_alpha_gets_the_mask_there(tmp_path: Path) -> None:
    nodes = PLAIN | {"10": node("SetLatentNoiseMask", samples=["5", 0], mask=["1", 1])}
    with FakePainter() as server:
        path = written(tmp_path, nodes)
        ComfyUI(f"{server.address};workflow={path}")(Request(ASKED.source, "x", mask=DRAWN))
        from overpaint.testing.painting import decoded

        sent = decoded(server.uploads["upload0.png"])
    assert np.array_equal(sent[:, :, 3] == 0, MASK)
    assert np.array_equal(sent[:, :, :3], PIXELS)


def test_a_workflow_is_waited_for(tmp_path: Path) -> None:
    assert np.array_equal(edit(tmp_path, ASKED, "late")[0].rgb, 255 - PIXELS)


def test_another_size_is_scaled_back_and_a_grid_is_padded(tmp_path: Path) -> None:
    made, _ = edit(tmp_path, ASKED, "small")
    assert made.size == (40, 24)
    assert made.notes == ("the editor returned 20×12 for 40×24; scaled back",)
    made, _ = edit(tmp_path, ASKED, more=";grid=64")
    assert np.array_equal(made.rgb, 255 - PIXELS)


def test_a_layer_goes_through_it(tmp_path: Path) -> None:
    layer = np.dstack([PIXELS, np.where(MASK, 255, 0).astype(np.uint8)])
    with FakePainter() as server:
        editor = ComfyUI(f"{server.address};workflow={written(tmp_path, PLAIN)}")
        after, _ = layer_edit(editor, layer, "invert it")
    assert np.array_equal(after[:, :, 3], layer[:, :, 3])
    assert np.array_equal(after[MASK][:, :3], 255 - PIXELS[MASK])
    assert np.array_equal(after[~MASK], layer[~MASK])


# ── what goes wrong ─────────────────────────────────────────────────────────────────────

ENDS: dict[str, tuple[type[OverpaintError], str]] = {
    "failed": (NoOutput, "The workflow failed: KSampler (node 3): Allocation on device failed."),
    "no_picture": (NoOutput, "ended without a picture. A SaveImage node was expected"),
    "invalid": (UserMistake, "CheckpointLoaderSimple (node 4): Value not in list ckpt_name"),
    "never": (Unreachable, "had not done the workflow after 0.3 s. Give it longer with ;deadline"),
    "hang": (Unreachable, "did not answer within 0."),
    "server_error": (Unreachable, "said 500: The server had an error."),
    "bad_json": (Unreadable, "sent no JSON object"),
    "no_id": (Unreadable, "queued the workflow but gave it no id."),
    "broken_png": (Unreadable, "cannot be decoded"),
    "huge": (Unreadable, "sent more than 1 MB."),
}


@pytest.mark.parametrize("behaviour", ENDS)
def test_every_failure_has_its_name(
    behaviour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "LARGEST", 1024 * 1024)
    kind, said = ENDS[behaviour]
    short = ";deadline=0.3" if behaviour in ("hang", "never") else ""
    started = time.monotonic()
    with pytest.raises(OverpaintError) as caught:
        edit(tmp_path, ASKED, behaviour, more=f";retries=0{short}")
    assert type(caught.value) is kind
    assert said in str(caught.value)
    assert time.monotonic() - started < 5


def test_what_may_pass_is_tried_again(tmp_path: Path) -> None:
    made, _ = edit(tmp_path, ASKED, "server_error", "ok")
    assert np.array_equal(made.rgb, 255 - PIXELS)


def test_what_is_no_comfyui_is_said_not_to_be(tmp_path: Path) -> None:
    with (
        FakePainter() as server,
        pytest.raises(Unavailable, match="has not what ComfyUI has") as caught,
    ):
        ComfyUI(f"{server.address}/nowhere;workflow={written(tmp_path, PLAIN)}")(ASKED)
    assert "/nowhere where ComfyUI is?" in str(caught.value)


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        ("{", "is no JSON"),
        ("[]", "is no workflow in the API format. In ComfyUI, export it"),
        ({"nodes": [], "links": []}, "is a drawing of a workflow, not what is run."),
        ({"1": node("LoadImage", image="a.png")}, "does not say which of its texts"),
        (PLAIN | {"3": node("KSampler")}, "does not say which of its texts"),
        ({"6": node("CLIPTextEncode", text="x")}, "takes no picture."),
        (PLAIN | {"0": node("LoadImage", image="{image}"), "4": node("X", image="{image3}")},
         "asks for {image3} but not for all before"),
    ],
)  # fmt: skip
def test_a_workflow_that_cannot_be_used_is_a_mistake(nodes: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(UserMistake) as caught:
        ComfyUI(f"http://localhost:8188;workflow={written(tmp_path, nodes)}")
    assert said in str(caught.value)


def test_a_file_that_is_no_workflow_by_its_size_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("overpaint.editors.workflows.LARGEST", 1 << 20)
    with pytest.raises(UserMistake, match="has more than 1 MB; no workflow has"):
        read_workflow(written(tmp_path, " " * 1_100_000))


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("workflow.json", "does not say where ComfyUI is"),
        ("http://localhost:8188", "does not say which workflow"),
        ("http://localhost:8188;workflow=/nowhere/w.json", "cannot be read"),
        ("http://localhost:8188;colour=red", "comfyui has no option 'colour'"),
    ],
)
def test_a_spec_that_cannot_be_is_a_mistake(spec: str, said: str) -> None:
    with pytest.raises(UserMistake) as caught:
        ComfyUI(spec)
    assert said in str(caught.value)


def test_the_catalogue_knows_it_and_means_one_file_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, PLAIN)
    monkeypatch.chdir(tmp_path)
    spec = catalog.anchored("comfyui:http://localhost:8188;workflow=workflow.json;seed=3")
    assert spec == f"comfyui:http://localhost:8188;workflow={path};seed=3"
    editor = catalog.editor(spec)
    assert isinstance(editor, ComfyUI)
    assert editor.host == "localhost:8188"


# ── hostile replies ─────────────────────────────────────────────────────────────────────

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["images", "filename", "status_str", "messages", "errors", "error", "node_errors"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@given(JSON)
@settings(max_examples=150, deadline=None)
def test_no_reply_makes_reading_it_raise(found: Any) -> None:
    saved(found)
    fault(found)
    if isinstance(found, dict):
        invalid(found)
