"""`diffusers:MODEL`: each pipeline gets what its signature has a place for; a tiny one is run."""

import importlib.util
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from overpaint import catalog
from overpaint.core import Request
from overpaint.document import Document
from overpaint.editors import diffusers_pipeline as here
from overpaint.editors.agent.painting import layer_edit
from overpaint.editors.diffusers_pipeline import OPTIONS, Diffusers, arguments
from overpaint.editors.fitting import fitted
from overpaint.editors.options import given
from overpaint.errors import NoOutput, OverpaintError, Refused, Unavailable, UserMistake

PIXELS = np.random.default_rng(6).integers(0, 256, (21, 37, 3), dtype=np.uint8)
MASK = np.zeros((21, 37), bool)
MASK[5:15, 6:20] = True
DRAWN = Document.of(np.repeat(np.where(MASK, 255, 0).astype(np.uint8)[:, :, None], 3, axis=2))
ASKED = Request(Document.of(PIXELS), "make it red")
MASKED = Request(Document.of(PIXELS), "make it red", mask=DRAWN)


# ── signatures as diffusers has them ────────────────────────────────────────────────────


class FluxKontextPipeline:
    def __call__(self, image=None, prompt=None, negative_prompt=None, true_cfg_scale=1.0,
                 height=None, width=None, num_inference_steps=28, guidance_scale=3.5,
                 generator=None, output_type="pil"): ...  # type: ignore[no-untyped-def]  # fmt: skip


class QwenImageEditPlusPipeline:
    def __call__(self, image=None, prompt=None, negative_prompt=None, true_cfg_scale=4.0,
                 height=None, width=None, num_inference_steps=50, guidance_scale=None,
                 generator=None, output_type="pil"): ...  # type: ignore[no-untyped-def]  # fmt: skip


class StableDiffusionInpaintPipeline:
    def __call__(self, prompt=None, image=None, mask_image=None, height=None, width=None,
                 strength=1.0, num_inference_steps=50, guidance_scale=7.5): ...  # type: ignore[no-untyped-def]  # fmt: skip


class StableDiffusionPipeline:
    def __call__(self, prompt=None, height=None): ...  # type: ignore[no-untyped-def]


def named(pipeline: Any, request: Request, spec: str = "m") -> tuple[dict[str, Any], Any]:
    return arguments(
        pipeline, fitted(request, grid=16), given(spec, "diffusers", OPTIONS, passing="arg")
    )


def test_guidance_goes_to_the_one_that_a_model_uses() -> None:
    flux, _ = named(FluxKontextPipeline(), ASKED, "m;steps=5;guidance=2")
    assert (flux["num_inference_steps"], flux["guidance_scale"]) == (5, 2.0)
    assert "true_cfg_scale" not in flux
    qwen, _ = named(QwenImageEditPlusPipeline(), ASKED, "m;guidance=2")
    assert (qwen["true_cfg_scale"], qwen["negative_prompt"]) == (2.0, " ")
    assert "guidance_scale" not in qwen


def test_the_signatures_above_are_those_of_diffusers() -> None:
    if importlib.util.find_spec("diffusers") is None:
        pytest.skip("diffusers is not here: pip install 'overpaint[diffusers]'")
    source = Path(importlib.util.find_spec("diffusers").origin).parent  # type: ignore[union-attr,arg-type]
    text = (source / "pipelines/qwenimage/pipeline_qwenimage_edit_plus.py").read_text()
    assert "true_cfg_scale: float = 4.0" in text
    assert "guidance_scale: float | None = None" in text
    text = (source / "pipelines/flux/pipeline_flux_kontext.py").read_text()
    assert "guidance_scale: float = 3.5" in text
    assert "true_cfg_scale: float = 1.0" in text


def test_pictures_are_padded_to_the_grid_and_their_size_is_told() -> None:
    found, notes = named(FluxKontextPipeline(), ASKED)
    assert (found["width"], found["height"]) == (48, 32) == found["image"].size
    assert found["prompt"] == "make it red"
    assert notes == ()


def test_references_go_to_pipelines_that_look_at_several() -> None:
    request = Request(ASKED.source, "x", references=(ASKED.source, ASKED.source))
    assert len(named(QwenImageEditPlusPipeline(), request)[0]["image"]) == 3
    found, notes = named(FluxKontextPipeline(), request)
    assert isinstance(found["image"], Image.Image)
    assert notes == ("FluxKontextPipeline takes one picture; 2 references were left out",)


def test_a_mask_goes_where_there_is_a_place_for_it() -> None:
    found, notes = named(StableDiffusionInpaintPipeline(), MASKED)
    assert np.array_equal(np.asarray(found["mask_image"])[:21, :37] == 255, MASK)
    assert notes == ()
    _, notes = named(FluxKontextPipeline(), MASKED)
    assert notes == ("FluxKontextPipeline takes no mask; it was laid over what came back",)


def test_arguments_of_the_users_own_are_passed_on() -> None:
    found, _ = named(StableDiffusionInpaintPipeline(), ASKED, "m;arg.strength=0.5")
    assert found["strength"] == 0.5
    with pytest.raises(UserMistake, match="has no argument 'speed'. It has prompt, image"):
        named(StableDiffusionInpaintPipeline(), ASKED, "m;arg.speed=5")


def test_a_pipeline_that_does_not_edit_is_a_mistake() -> None:
    with pytest.raises(UserMistake, match="is a StableDiffusionPipeline, which takes no picture"):
        named(StableDiffusionPipeline(), ASKED)


# ── what comes back ─────────────────────────────────────────────────────────────────────


class Painter:
    """A pipeline that gives back what it is told to."""

    vae_scale_factor = 8

    def __init__(self, gives: Any) -> None:
        self.gives = gives

    def __call__(self, prompt=None, image=None, generator=None, output_type=None):  # type: ignore[no-untyped-def]
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives


def painted(monkeypatch: pytest.MonkeyPatch, gives: Any, request: Request = ASKED) -> Document:
    pytest.importorskip("torch", reason="torch is not here: pip install 'overpaint[diffusers]'")
    monkeypatch.setattr(here, "loaded", lambda *given, **named: Painter(gives))
    return Diffusers("tiny")(request)


@pytest.mark.slow
def test_another_size_is_scaled_back_and_the_mask_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    gives = SimpleNamespace(images=[Image.new("RGB", (96, 64), (9, 9, 9))])
    made = painted(monkeypatch, gives, MASKED)
    assert np.array_equal(made.rgb[~MASK], PIXELS[~MASK])
    assert (made.rgb[MASK] == 9).all()
    assert "the editor returned 96×64 for 48×32; scaled back" in made.notes


@pytest.mark.slow
def test_what_a_safety_checker_holds_back_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    gives = SimpleNamespace(images=[Image.new("RGB", (48, 32))], nsfw_content_detected=[True])
    with pytest.raises(Refused, match="held its picture back"):
        painted(monkeypatch, gives)


@pytest.mark.slow
@pytest.mark.parametrize("images", [[], None, [[Image.new("RGB", (8, 8))]]])
def test_a_pipeline_without_a_picture_has_no_output(
    images: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NoOutput, match="gave back a SimpleNamespace without a picture in it"):
        painted(monkeypatch, SimpleNamespace(images=images))


@pytest.mark.slow
def test_what_a_pipeline_dies_of_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OverpaintError, match="tiny failed: RuntimeError: out of memory") as caught:
        painted(monkeypatch, RuntimeError("out of memory\nand more"))
    assert ";offload=yes" in str(caught.value)


# ── what is missing ─────────────────────────────────────────────────────────────────────


def test_without_the_extra_it_is_unavailable_and_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "diffusers", None)
    here.loaded.cache_clear()
    with pytest.raises(Unavailable) as caught:
        Diffusers("some/model")(ASKED)
    assert str(caught.value).endswith("pip install 'overpaint[diffusers]'")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "does not say which model"),
        ("m;steps=0", "diffusers has steps=0"),
        ("m;dtype=int8", "one of float32, float16, bfloat16"),
    ],
)
def test_a_spec_that_cannot_be_is_a_mistake(spec: str, said: str) -> None:
    with pytest.raises(UserMistake, match=said):
        Diffusers(spec)


def test_its_pictures_stay_here_and_a_folder_is_the_same_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "weights").mkdir()
    monkeypatch.chdir(tmp_path)
    spec = catalog.anchored("diffusers:weights;steps=2")
    assert spec == f"diffusers:{tmp_path / 'weights'};steps=2"
    assert catalog.anchored("diffusers:some/model;steps=2") == "diffusers:some/model;steps=2"
    assert catalog.editor(spec).host == ""  # type: ignore[attr-defined]


# ── a pipeline that is really run ───────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("diffusers") is None:
        pytest.skip("diffusers is not here: pip install 'overpaint[diffusers]'")
    from tiny_pipeline import write_tiny

    return write_tiny(tmp_path_factory.mktemp("pipeline"))


@pytest.mark.slow
def test_a_tiny_pipeline_edits_and_the_same_seed_gives_the_same_picture(tiny: Path) -> None:
    one, two, other = (Diffusers(f"{tiny};steps=2;seed={n}")(ASKED) for n in (1, 1, 2))
    assert one.size == (37, 21)
    assert not np.array_equal(one.rgb, PIXELS)
    assert np.array_equal(one.rgb, two.rgb)
    assert not np.array_equal(one.rgb, other.rgb)
    assert one.notes == ()


@pytest.mark.slow
def test_a_tiny_pipeline_keeps_to_the_mask_and_the_layers_alpha(tiny: Path) -> None:
    editor = Diffusers(f"{tiny};steps=1;guidance=1;arg.image_guidance_scale=1")
    made = editor(MASKED)
    assert np.array_equal(made.rgb[~MASK], PIXELS[~MASK])
    assert not np.array_equal(made.rgb[MASK], PIXELS[MASK])
    layer = np.dstack([PIXELS, np.where(MASK, 255, 0).astype(np.uint8)])
    after, _ = layer_edit(editor, layer, "make it red")
    assert np.array_equal(after[:, :, 3], layer[:, :, 3])
    assert np.array_equal(after[~MASK], layer[~MASK])


@pytest.mark.slow
def test_the_pipeline_is_loaded_once(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here.loaded.cache_clear()
    editor = Diffusers(f"{tiny};steps=1")
    editor(ASKED)
    editor(MASKED)
    assert here.loaded.cache_info().misses == 1


@pytest.mark.slow
def test_weights_that_are_not_here_or_broken_say_so(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(Unavailable) as caught:
        Diffusers("nobody/nothing-of-that-name")(ASKED)
    assert str(caught.value).endswith("Get it with: hf download nobody/nothing-of-that-name")
    with pytest.raises(Unavailable, match="A folder of a pipeline"):
        Diffusers(str(tmp_path))(ASKED)
    import shutil

    broken = shutil.copytree(tiny, tmp_path / "broken")
    (broken / "unet" / "diffusion_pytorch_model.safetensors").write_bytes(b"\x80 no weights")
    with pytest.raises(Unavailable, match="cannot be loaded from this machine"):
        Diffusers(str(broken))(ASKED)
    with pytest.raises(UserMistake, match="no pipeline 'NoSuchPipeline'.* Leave pipeline= away"):
        Diffusers(f"{tiny};pipeline=NoSuchPipeline")(ASKED)


@pytest.mark.slow
def test_a_pickle_is_not_opened(tiny: Path, tmp_path: Path) -> None:
    import shutil

    import torch

    pickled = shutil.copytree(tiny, tmp_path / "pickled")
    weights = pickled / "unet" / "diffusion_pytorch_model.safetensors"
    torch.save({}, weights.with_suffix(".bin"))
    weights.unlink()
    with pytest.raises(Unavailable):
        Diffusers(str(pickled))(ASKED)
