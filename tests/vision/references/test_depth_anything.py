"""Depth: nearer is brighter; as ONNX, and as transformers has it with tiny random weights."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from tiny_networks import blobs, depth_anything, needed
from tiny_onnx import light_of, saved

from overpaint.errors import OverpaintError, Unavailable
from overpaint.vision.references import Hints, Reference, extractor
from overpaint.vision.references import depth_anything as here
from overpaint.vision.references.inputs import normalised


def depth(pixels: np.ndarray) -> list[Reference]:
    by = extractor("depth")
    found = list(by.find(pixels, Hints()))
    assert all(one.version == by.exact for one in found)
    return found


def test_nearest_is_white_farthest_is_black_and_what_is_flat_has_no_depth() -> None:
    greys = here.shades(np.float32([[1, 3], [2, 5]]), (2, 2))
    assert greys is not None
    assert greys.tolist() == [[0, 128], [64, 255]]
    assert here.shades(np.full((4, 4), 7, np.float32), (9, 9)) is None


@given(some.integers(1, 9000), some.integers(1, 9000))
def test_a_picture_is_looked_at_in_whole_patches_and_never_at_a_huge_size(
    wide: int, high: int
) -> None:
    size = here.fitted((wide, high), 518)
    assert all(side % 14 == 0 for side in size)
    assert min(size) == 518
    assert max(size) <= 4 * 518 + 14
    if 0.5 < wide / high < 2:
        assert (size[0] / size[1]) / (wide / high) == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize("size", [("h", "w"), (28, 42)])
def test_an_onnx_model_gives_greys_of_the_pictures_size(
    size: tuple[object, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(here.OWN.setting, str(light_of(tmp_path / "depth.onnx", size=size)))
    pixels = np.zeros((60, 90, 3), np.uint8)
    pixels[:, :, 0] = np.linspace(0, 255, 90).astype(np.uint8)  # the red of it is near
    (found,) = depth(pixels)
    assert (found.value.shape, found.value.dtype) == ((60, 90), np.uint8)
    assert (found.value.min(), found.value.max()) == (0, 255)
    assert np.abs(found.value.astype(int) - pixels[:, :, 0]).max() < 12
    assert (found.method, found.version[:2]) == ("depth-anything-v2", "1+")


def test_what_gives_no_numbers_is_a_failure_and_what_is_no_such_model_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = light_of(tmp_path / "depth.onnx", times=float("nan"))
    monkeypatch.setenv(here.OWN.setting, str(path))
    with pytest.raises(OverpaintError, match="no numbers for a picture.*Fetch them again"):
        depth(blobs())
    from onnx import helper

    saved(path, [helper.make_node("Identity", ["x"], ["y"])], [], [1, 3], [1, 3])
    with pytest.raises(Unavailable, match="is no depth model. One picture of 1×3×H×W"):
        depth(blobs())
    path.write_bytes(b"nothing")
    with pytest.raises(Unavailable, match="is no ONNX model"):
        depth(blobs())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needed()
    return depth_anything(tmp_path_factory.mktemp("depth"))


@pytest.mark.slow
def test_depth_is_that_of_the_models_own_processor(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch
    from transformers import DepthAnythingForDepthEstimation
    from transformers import DPTImageProcessorPil as Processor

    its = Processor(
        size={"height": 56, "width": 56}, keep_aspect_ratio=True, ensure_multiple_of=14,
        resample=3, image_mean=[0.485, 0.456, 0.406], image_std=[0.229, 0.224, 0.225],
    )  # fmt: skip
    pixels = blobs(140, 98)
    inputs = its(images=pixels, return_tensors="pt")["pixel_values"]
    assert inputs.shape[2:] == (56, 84)
    from PIL import Image

    ours = normalised(pixels, here.fitted((140, 98), 56), Image.Resampling.BICUBIC)
    assert np.abs(ours - inputs.numpy()).max() < 1e-5
    model = DepthAnythingForDepthEstimation.from_pretrained(folder).eval()
    with torch.no_grad():
        near = model(pixel_values=inputs).predicted_depth
    whole = torch.nn.functional.interpolate(near[None], size=(98, 140), mode="bilinear")[0, 0]
    expected = ((whole - whole.min()) / (whole.max() - whole.min()) * 255).numpy()
    monkeypatch.setenv(here.OWN.setting, str(folder))
    (found,) = depth(pixels)
    assert np.abs(found.value - expected).max() < 0.6  # rounding to whole greys is half of one
    assert np.ptp(expected) > 200


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1, 1), (900, 4)])
def test_tiny_and_narrow_pictures_are_no_trouble(
    folder: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(here.OWN.setting, str(folder))
    for found in depth(blobs(*size)):
        assert found.value.shape == (size[1], size[0])


@pytest.mark.slow
def test_a_model_of_metres_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed()
    metres = depth_anything(tmp_path, depth_estimation_type="metric", max_depth=20)
    monkeypatch.setenv(here.OWN.setting, str(metres))
    with pytest.raises(Unavailable, match="tells distances in metres.*hf download depth-anything"):
        depth(blobs())


@pytest.mark.slow
def test_without_weights_it_is_unavailable_and_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    needed("transformers")
    monkeypatch.setenv(here.OWN.setting, "nobody/has-this")
    with pytest.raises(Unavailable, match="hf download depth-anything/Depth-Anything-V2-Small-hf"):
        depth(blobs())
