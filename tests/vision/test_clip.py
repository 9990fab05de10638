"""CLIP: words and pictures by transformers' and open_clip's models, tiny ones made on the spot."""

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import picture

from overpaint.core import Evidence
from overpaint.document import Document
from overpaint.errors import NotApplicable, Unavailable
from overpaint.vision import clip, embeddings
from overpaint.vision.clip import picture_likeness, text_likeness
from overpaint.vision.embeddings import Look, prepared

PAGE, OTHER = Document.of(picture(1)), Document.of(255 - picture(2))


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (embeddings.SETTING, clip.OPEN_CLIP, clip.OWN.setting):
        monkeypatch.delenv(name, raising=False)


# ── which one, and what is wrong with it ────────────────────────────────────────────────


def test_without_any_clip_it_is_unavailable_and_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("huggingface_hub")
    monkeypatch.setenv("OVERPAINT_CLIP_MODEL", "nobody/has-this")
    said = r"CLIP \(nobody/has-this\) cannot be loaded from this machine.*hf download openai/clip-"
    with pytest.raises(Unavailable, match=said):
        text_likeness(Evidence(), "a cat", PAGE)
    with pytest.raises(Unavailable, match=said):
        picture_likeness(Evidence(), PAGE, OTHER)


def test_without_the_extra_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "w.safetensors").write_bytes(b"")
    monkeypatch.setenv(clip.OPEN_CLIP, f"ViT-B-32={tmp_path / 'w.safetensors'}")
    monkeypatch.setitem(sys.modules, "open_clip", None)
    with pytest.raises(Unavailable, match=r"pip install 'overpaint\[clip\]'"):
        text_likeness(Evidence(), "a cat", PAGE)


@pytest.mark.parametrize("named", ["ViT-B-32", "=/a/file", "ViT-B-32=/nowhere/w.safetensors"])
def test_a_setting_that_names_no_file_is_said(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(clip.OPEN_CLIP, named)
    with pytest.raises(Unavailable, match="which names no file.*with = between them.*export"):
        picture_likeness(Evidence(), PAGE, OTHER)


# ── transformers ────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A CLIP of one layer each, whose tokenizer knows letters and a few joins."""
    for name in ("transformers", "torch", "safetensors"):
        pytest.importorskip(name)
    import torch
    from transformers import CLIPConfig, CLIPModel, CLIPTokenizer

    torch.manual_seed(5)
    letters = [chr(c) for c in range(33, 127)]
    vocabulary = [*letters, *(f"{letter}</w>" for letter in letters)]
    vocabulary += ["ca", "cat</w>", "<|startoftext|>", "<|endoftext|>"]
    ids = {token: place for place, token in enumerate(vocabulary)}
    last = len(ids)
    common = {
        "hidden_size": 32, "intermediate_size": 48, "num_attention_heads": 2,
        "num_hidden_layers": 1, "projection_dim": 16,
    }  # fmt: skip
    text = {**common, "vocab_size": last, "max_position_embeddings": 16, "bos_token_id": last - 2,
            "eos_token_id": last - 1, "pad_token_id": last - 1}  # fmt: skip
    vision = {**common, "image_size": 32, "patch_size": 8}
    made = tmp_path_factory.mktemp("clip")
    model = CLIPModel(CLIPConfig(text_config=text, vision_config=vision, projection_dim=16))
    with torch.no_grad():  # the usual start is so small that all pictures look alike
        for weight in model.parameters():
            if weight.ndim > 1:
                weight.normal_(std=weight[0].numel() ** -0.5)
    model.save_pretrained(made)
    CLIPTokenizer(vocab=ids, merges=[("c", "a"), ("ca", "t</w>")]).save_pretrained(made)
    return made


@pytest.mark.slow
def test_cosines_are_those_of_the_models_own_processor(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch
    from transformers import CLIPImageProcessorPil, CLIPModel, CLIPTokenizer

    its = CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    model, read = CLIPModel.from_pretrained(folder).eval(), CLIPTokenizer.from_pretrained(folder)
    values = its(images=[PAGE.rgb, OTHER.rgb], return_tensors="pt")["pixel_values"]
    with torch.no_grad():
        told = model(**read(["a cat"], return_tensors="pt"), pixel_values=values)
    monkeypatch.setenv(clip.OWN.setting, str(folder))
    evidence = Evidence()
    for document, expected in zip(
        (PAGE, OTHER), told.image_embeds @ told.text_embeds.T, strict=True
    ):
        assert text_likeness(evidence, "a cat", document) == pytest.approx(
            float(expected), abs=1e-5
        )
    both = float(told.image_embeds[0] @ told.image_embeds[1])
    assert picture_likeness(evidence, PAGE, OTHER) == pytest.approx(both, abs=1e-5)
    assert picture_likeness(evidence, PAGE, PAGE) == pytest.approx(1)
    assert abs(both) < 0.999
    assert len(evidence.fresh) == 3, "two pictures and a text, each embedded once and kept"
    assert not any(str(folder) in key for key in evidence.fresh), "kept by hash, not by place"


@pytest.mark.slow
def test_what_is_too_long_is_cut_and_the_notes_say_so_and_whose_cosines_they_are(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(clip.OWN.setting, str(folder))
    evidence, long = Evidence(), "cat " * 20
    assert -1 <= text_likeness(evidence, long, PAGE) <= 1
    assert text_likeness(evidence, long, PAGE) == text_likeness(evidence, "cat " * 30, PAGE)
    by, cut = clip.notes(evidence, "a cat", long)
    assert by == f"by CLIP {folder.name} (sha256 {embeddings.digest(folder)})"
    assert cut == "the last 6 tokens of a text were not read by CLIP"
    with pytest.raises(NotApplicable, match="without words"):
        text_likeness(evidence, " ", PAGE)


@pytest.mark.slow
def test_kept_embeddings_are_recalled_and_not_computed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(clip.OWN.setting, str(folder))
    first = Evidence()
    before = text_likeness(first, "a cat", PAGE)
    embeddings.network.cache_clear()
    monkeypatch.setattr(clip.Own, "model", None)  # loading it again would fail
    assert text_likeness(Evidence(first.fresh.get), "a cat", PAGE) == before


@pytest.mark.slow
def test_other_colours_of_a_checkpoint_are_taken_and_nonsense_is_not(folder: Path) -> None:
    path = folder / "preprocessor_config.json"
    for told, expected in (
        ({"image_mean": [0.5, 0.5, 0.5]}, [0.5] * 3),
        ({"image_mean": ["x", 1, 2]}, embeddings.MEAN),
        ([], embeddings.MEAN),
    ):
        path.write_text(json.dumps(told))
        network: Any = clip._from_folder(folder)
        assert np.allclose(network.look.mean, expected)
    path.unlink()


# ── open_clip ───────────────────────────────────────────────────────────────────────────


def open_clip() -> Any:
    """open_clip, with a tiny model beside those it knows; it needs torchvision."""
    if importlib.util.find_spec("open_clip") is None:
        pytest.skip("open_clip is not here: pip install 'overpaint[clip]'")
    import open_clip

    return open_clip


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    library = open_clip()
    from safetensors.torch import save_file

    shape = {
        "embed_dim": 16,
        "vision_cfg": {"image_size": 32, "layers": 1, "width": 64, "patch_size": 8},
        "text_cfg": {"context_length": 77, "vocab_size": 49408, "width": 64, "heads": 2,
                     "layers": 1},
    }  # fmt: skip
    (tmp_path / "Tiny.json").write_text(json.dumps(shape))
    hub = shape | {"text_cfg": {"hf_model_name": "a/b", "hf_tokenizer_name": "a/b"}}
    (tmp_path / "Hub.json").write_text(json.dumps(hub))
    library.add_model_config(tmp_path)
    import torch

    torch.manual_seed(6)
    model = library.create_model("Tiny", pretrained=None)
    path = tmp_path / "tiny.safetensors"
    save_file({k: v.contiguous() for k, v in model.state_dict().items()}, path)
    monkeypatch.setenv(clip.OPEN_CLIP, f"Tiny={path}")
    return path


@pytest.mark.slow
def test_cosines_are_those_of_open_clip(tiny: Path) -> None:
    library = open_clip()
    import torch
    from PIL import Image

    model, _, prepare = library.create_model_and_transforms("Tiny", pretrained=str(tiny))
    text = "a cat on a mat"
    with torch.no_grad():
        values = torch.stack([prepare(Image.fromarray(d.rgb)) for d in (PAGE, OTHER)])
        seen = model.eval().encode_image(values, normalize=True)
        words = model.encode_text(library.get_tokenizer("Tiny")([text]), normalize=True)
    for document, value in zip((PAGE, OTHER), values, strict=True):
        assert np.abs(prepared(document.rgb, Look(32))[0] - value.numpy()).max() < 1e-5
    evidence = Evidence()
    assert text_likeness(evidence, text, PAGE) == pytest.approx(float(seen[0] @ words[0]), abs=1e-5)
    both = float(seen[0] @ seen[1])
    assert picture_likeness(evidence, PAGE, OTHER) == pytest.approx(both, abs=1e-5)
    assert clip.notes(evidence)[0].startswith("by CLIP open_clip Tiny (sha256 ")
    cut = clip.notes(evidence, "cat " * 90)[1:]
    assert cut == ("the last 15 tokens of a text were not read by CLIP",)


@pytest.mark.slow
def test_weights_of_another_model_and_names_unknown_are_refused(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_clip()
    for name, why in (
        ("Nothing", "open_clip knows no model of that name"),
        ("Tiny:best", "open_clip knows no weights 'best' of it"),
        ("ViT-B-32", "Missing key.*quickgelu|size mismatch.*quickgelu"),
        ("ViT-L-14", "differ in how pictures are prepared.*as ViT-L-14:openai"),
        ("Hub", "read with files of a hub"),
    ):
        monkeypatch.setenv(clip.OPEN_CLIP, f"{name}={tiny}")
        with pytest.raises(Unavailable, match=why):
            picture_likeness(Evidence(), PAGE, OTHER)
