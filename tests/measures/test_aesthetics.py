"""Aesthetics: the published predictor's form with tiny random weights, and a judge's 1–10."""

import importlib.util
import json
import pickle
import shutil
import sys
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overpaint import catalog
from overpaint.core import Edit, Evidence, Request, Sample, Score
from overpaint.document import Document
from overpaint.errors import Unavailable
from overpaint.measures import aesthetics as here
from overpaint.measures import rubric
from overpaint.measures.aesthetics import aesthetics, prepared
from overpaint.models.desk import Desk
from overpaint.store import Store
from overpaint.store.calls import Calls
from overpaint.testing import FakeServer

PIXELS = np.random.default_rng(8).integers(0, 256, (40, 60, 3), dtype=np.uint8)
# Names and shapes in the published aesthetic_predictor_v2_5.pth, all of them bfloat16.
PUBLISHED = {
    "scoring_head.0.weight": (1024, 1152), "scoring_head.0.bias": (1024,),
    "scoring_head.2.weight": (128, 1024), "scoring_head.2.bias": (128,),
    "scoring_head.4.weight": (64, 128), "scoring_head.4.bias": (64,),
    "scoring_head.6.weight": (16, 64), "scoring_head.6.bias": (16,),
    "scoring_head.8.weight": (1, 16), "scoring_head.8.bias": (1,),
}  # fmt: skip


def an_edit(pixels: np.ndarray = PIXELS) -> Edit:
    document = Document.of(pixels)
    return Edit(Sample("one", Request(document, "x")), "it", "ok", document)


def score(pixels: np.ndarray = PIXELS, evidence: Evidence | None = None) -> Score:
    (found,) = aesthetics.score([an_edit(pixels)], evidence or Evidence())
    return found


@pytest.fixture(autouse=True)
def _nowhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in (here.HEAD_SETTING, here.ENCODER.setting):
        monkeypatch.delenv(name, raising=False)
    here.predictor.cache_clear()
    yield
    here.predictor.cache_clear()


# ── where nothing is ────────────────────────────────────────────────────────────────────


def test_without_weights_it_is_unavailable_and_says_how_to_get_them() -> None:
    found = score()
    assert (found.value, found.status) == (None, "unavailable")
    assert "The head of Aesthetic Predictor V2.5 is not here." in found.reason
    assert "AGPL-3.0" in found.reason
    assert "export OVERPAINT_AESTHETICS=$PWD/aesthetic_predictor_v2_5.pth" in found.reason


def test_a_setting_that_names_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(here.HEAD_SETTING, "/nowhere/head.pth")
    assert "names /nowhere/head.pth, which is no such file." in score().reason


def test_without_the_extra_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "head.pth").write_bytes(b"any")
    monkeypatch.setenv(here.HEAD_SETTING, str(tmp_path / "head.pth"))
    for name in ("transformers", "huggingface_hub"):
        monkeypatch.setitem(sys.modules, name, None)
    found = score()
    assert found.status == "unavailable"
    assert found.reason.endswith("pip install 'overpaint[aesthetics]'")


def test_the_catalogue_knows_it_and_its_scale() -> None:
    found = catalog.measure("aesthetics")
    assert (found.worst, found.best, found.higher_is_better) == (1.0, 10.0, True)


# ── a judge ─────────────────────────────────────────────────────────────────────────────


def test_a_judge_gives_a_column_of_its_own_on_the_same_scale() -> None:
    spec = "judge:milde_aesthetics:http://localhost:8000/v1#eye"
    found = catalog.measure(spec)
    assert found.name == "aesthetics@eye"
    assert (found.worst, found.best, found.higher_is_better) == (1.0, 10.0, True)
    ours = rubric.load("milde_aesthetics")
    assert ours.shown(truth=True, references=0) == ("output",), "it sees nothing else"


def said(score: int) -> str:
    return json.dumps({"rationale": "calm", "score": score})


def test_what_the_judge_says_is_the_score(tmp_path: Path) -> None:
    Store.create(tmp_path / "run").__exit__()
    values = []
    with FakeServer({"replies": [said(7), said(11)]}, process=False) as server:
        measure = catalog.measure(f"judge:milde_aesthetics:{server.url}#eye")
        calls = Calls.open(tmp_path / "run")
        for pixels in (PIXELS, 255 - PIXELS):
            (found,) = measure.score([an_edit(pixels)], Evidence(desk=Desk(calls)))
            values.append((found.value, found.status))
        calls.close()
    assert values == [(7.0, "ok"), (None, "unreadable")]


# ── the predictor, with tiny random weights ─────────────────────────────────────────────

HIDDEN, SIDE = 32, 28


def needed() -> None:
    for name in ("transformers", "torch", "safetensors"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not here: pip install 'overpaint[aesthetics]'")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SigLIP of two layers, vision and text, as the hub has them."""
    needed()
    import torch
    from transformers import SiglipConfig, SiglipModel

    torch.manual_seed(1)
    common = {"hidden_size": HIDDEN, "intermediate_size": 64, "num_attention_heads": 2}
    vision = {**common, "num_hidden_layers": 2, "image_size": SIDE, "patch_size": 14}
    text = {**common, "num_hidden_layers": 1, "vocab_size": 50, "max_position_embeddings": 8}
    folder = tmp_path_factory.mktemp("siglip")
    SiglipModel(SiglipConfig(text_config=text, vision_config=vision)).save_pretrained(folder)
    return folder


def sequential(seed: int = 2) -> Any:
    """The head as its authors describe it: five linear layers, dropout between them."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    wide, layers = HIDDEN, []
    for gives, drop in zip((1024, 128, 64, 16, 1), (0.5, 0.5, 0.5, 0.2, None), strict=True):
        layers += [nn.Linear(wide, gives), *([nn.Dropout(drop)] if drop else [])]
        wide = gives
    with torch.no_grad():
        layers[-1].bias.fill_(5.0)
    return nn.ModuleDict({"scoring_head": nn.Sequential(*layers)}).eval()


def write_head(path: Path, state: Any = None) -> Path:
    import torch
    from safetensors.torch import save_file

    state = OrderedDict(sequential().state_dict()) if state is None else state
    if path.suffix == ".safetensors":
        save_file(state, path)
    else:
        torch.save(state, path)
    return path


@pytest.fixture
def put(encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tiny weights where the user would have named them; the head's file."""
    head = write_head(tmp_path / "aesthetic_predictor_v2_5.pth")
    monkeypatch.setenv(here.HEAD_SETTING, str(head))
    monkeypatch.setenv(here.ENCODER.setting, str(encoder))
    return head


@pytest.mark.slow
def test_the_score_is_that_of_the_published_form(put: Path, encoder: Path) -> None:
    import torch
    from PIL import Image
    from transformers import SiglipImageProcessorPil, SiglipVisionModel

    processor = SiglipImageProcessorPil(
        size={"height": SIDE, "width": SIDE}, resample=3, image_mean=[0.5] * 3, image_std=[0.5] * 3
    )
    inputs = processor(images=Image.fromarray(PIXELS), return_tensors="pt")["pixel_values"]
    assert np.abs(prepared(PIXELS, SIDE) - inputs.numpy()).max() < 1e-6
    model = SiglipVisionModel.from_pretrained(encoder).eval()
    with torch.no_grad():
        pooled = model(pixel_values=inputs).pooler_output
        unit = pooled / pooled.norm(dim=-1, keepdim=True)
        expected = float(sequential()["scoring_head"](unit))
    assert 1 < expected < 10
    assert score().value == pytest.approx(expected, abs=1e-5)


@pytest.mark.slow
def test_another_picture_has_another_score_and_the_same_the_same(put: Path) -> None:
    white = np.full_like(PIXELS, 255)
    assert score().value == score().value
    assert score().value != score(white).value
    evidence = Evidence()
    score(PIXELS, evidence)
    assert len(evidence.fresh) == 1, "it is kept for later runs"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["aesthetic_predictor_v2_5.safetensors", "mine.pth"])
def test_the_head_may_be_safetensors_or_pytorchs_and_stand_in_a_folder(
    name: str, put: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = score().value
    put.unlink()
    path = write_head(tmp_path / name)
    inside = name in here.HEAD_FILES
    monkeypatch.setenv(here.HEAD_SETTING, str(tmp_path if inside else path))
    here.predictor.cache_clear()
    assert score().value == pytest.approx(before, abs=1e-6)


@pytest.mark.slow
def test_head_and_encoder_are_noted_and_others_score_anew(
    put: Path, encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = Evidence()
    head, tower = score(PIXELS, evidence).notes
    assert head.startswith("by head (another than the published one, sha256 ")
    assert tower.startswith(f"by SigLIP {encoder} (sha256 ")
    other = shutil.copytree(encoder, tmp_path / "other")
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps(config | {"told": "otherwise"}))
    monkeypatch.setenv(here.ENCODER.setting, str(other))
    assert score(PIXELS, evidence).notes[1] != tower
    assert len(evidence.fresh) == 2, "what one encoder said is not taken for the other's"


@pytest.mark.slow
def test_a_prediction_beyond_the_scale_is_its_end_and_noted(put: Path) -> None:
    state = sequential().state_dict()
    state["scoring_head.8.bias"] += 20
    write_head(put, OrderedDict(state))
    found = score()
    assert found.value == 10.0
    assert "which is beyond the scale" in found.notes[0]


@pytest.mark.slow
def test_the_published_names_and_shapes_fit(tmp_path: Path) -> None:
    needed()
    import torch

    state = OrderedDict(
        (name, torch.zeros(shape, dtype=torch.bfloat16)) for name, shape in PUBLISHED.items()
    )
    layers = here._head(write_head(tmp_path / "head.pth", state), 1152)
    assert [tuple(weight.shape) for weight, _ in layers] == [
        shape for name, shape in PUBLISHED.items() if "weight" in name
    ]
    assert all(weight.dtype == torch.float32 for weight, _ in layers)


@pytest.mark.slow
def test_a_head_for_another_encoder_is_unavailable(tmp_path: Path) -> None:
    needed()
    head = write_head(tmp_path / "head.pth")
    with pytest.raises(Unavailable, match=r"0.weight is \(1024, 32\). \(1024, 1152\) was expected"):
        here._head(head, 1152)
    with pytest.raises(Unavailable, match="0.weight is missing"):
        here._head(write_head(tmp_path / "empty.pth", OrderedDict()), HIDDEN)


class Harm:
    def __reduce__(self) -> Any:
        return Path.touch, (Path("harmed"),)


@pytest.mark.slow
def test_no_pickle_of_a_head_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "head.pth").write_bytes(pickle.dumps({"scoring_head.0.weight": Harm()}, 2))
    with pytest.raises(Unavailable, match="holds no weights that can be read"):
        here._head(tmp_path / "head.pth", HIDDEN)
    for name in ("head.pth", "head.safetensors"):
        (tmp_path / name).write_bytes(b"\x80\x02 nothing")
        with pytest.raises(Unavailable, match="holds no weights that can be read.* curl -LO"):
            here._head(tmp_path / name, HIDDEN)
    assert not (tmp_path / "harmed").exists()


@pytest.mark.slow
def test_a_file_far_too_large_for_a_head_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed()
    monkeypatch.setattr(here, "LARGEST_HEAD", 1 << 20)
    (tmp_path / "head.pth").write_bytes(bytes((1 << 20) + 1))
    with pytest.raises(Unavailable, match="it has more than 1 MB.*it has 3 MB.* curl -LO"):
        here._head(tmp_path / "head.pth", HIDDEN)


@pytest.mark.slow
def test_an_encoder_that_is_not_here_or_has_gaps_gives_no_number(
    put: Path, encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    from safetensors.torch import load_file, save_file

    monkeypatch.delenv(here.ENCODER.setting)
    found = score()
    assert found.status == "unavailable"
    assert "hf download google/siglip-so400m-patch14-384" in found.reason
    gaps = shutil.copytree(encoder, tmp_path / "gaps")
    kept = load_file(gaps / "model.safetensors")
    del kept["vision_model.post_layernorm.weight"]
    save_file(kept, gaps / "model.safetensors", metadata={"format": "pt"})
    monkeypatch.setenv(here.ENCODER.setting, str(gaps))
    found = score()
    assert (found.value, found.status) == (None, "unavailable")
    assert "1 of its weights are missing" in found.reason


@pytest.mark.slow
def test_weights_that_give_no_number_are_a_failure(put: Path) -> None:
    state = sequential().state_dict()
    state["scoring_head.0.weight"] *= float("nan")
    write_head(put, OrderedDict(state))
    found = score()
    assert (found.value, found.status) == (None, "measure_failed")
    assert "The predictor gave nan for a picture." in found.reason
    assert "Fetch them again" in found.reason
