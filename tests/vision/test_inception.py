"""Inception's features: Clean-FID's resizing, and the network as TorchScript and as ONNX, tiny."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from conftest import picture
from onnx import TensorProto, helper, numpy_helper

from overpaint.core import Evidence
from overpaint.document import Document
from overpaint.errors import OverpaintError, Unavailable
from overpaint.vision import inception as here
from overpaint.vision.inception import inception, resized
from overpaint.vision.own_weights import digest

PAGE = Document.of(picture(1))
WEIGHTS = np.random.default_rng(7).normal(size=(3, 2048)).astype(np.float32)


def exported(path: Path, weights: np.ndarray = WEIGHTS) -> Path:
    """A network that averages each colour, and makes 2,048 numbers of the three."""
    nodes = [
        helper.make_node("ReduceMean", ["x"], ["m"], axes=[2, 3], keepdims=0),
        helper.make_node("MatMul", ["m", "w"], ["y"]),
    ]
    entry = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 299, 299])
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, weights.shape[1]])
    constants = [numpy_helper.from_array(weights, "w")]
    graph = helper.make_graph(nodes, "tiny", [entry], [out], constants)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(made, path)
    return path


# ── resizing ────────────────────────────────────────────────────────────────────────────


def test_a_picture_of_that_size_stays_as_it_is() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (299, 299, 3), dtype=np.uint8)
    assert np.array_equal(resized(pixels), pixels.astype(np.float32))


@pytest.mark.parametrize("size", [(1, 1), (40, 700), (1500, 600)])
def test_resizing_gives_floats_that_are_not_rounded_and_stay_in_range(
    size: tuple[int, int],
) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (*size, 3), dtype=np.uint8)
    found = resized(pixels)
    assert (found.shape, found.dtype) == ((299, 299, 3), np.float32)
    assert found.min() >= 0
    assert found.max() <= 255
    assert size == (1, 1) or not np.array_equal(found, np.rint(found))


def test_resizing_is_bicubic_with_a_filter_as_wide_as_the_step() -> None:
    """Against the kernel written out: a = −½, widened by the scale, weights of sum 1."""
    pixels = np.random.default_rng(2).integers(0, 256, (700, 299, 3), dtype=np.uint8)
    scale = 700 / 299
    places = np.abs(np.arange(700)[None] + 0.5 - (np.arange(299)[:, None] + 0.5) * scale) / scale
    near = 1.5 * places**3 - 2.5 * places**2 + 1
    far = -0.5 * places**3 + 2.5 * places**2 - 4 * places + 2
    kernel = np.where(places < 1, near, np.where(places < 2, far, 0))
    kernel /= kernel.sum(axis=1, keepdims=True)
    expected = np.einsum("or,rwc->owc", kernel, pixels.astype(float)).clip(0, 255)
    assert np.abs(resized(pixels) - expected).max() < 0.01  # float32 along the way


@pytest.mark.slow
@pytest.mark.parametrize("size", [(299, 299), (37, 61), (1024, 768)])
def test_resizing_is_clean_fids_to_the_last_bit(size: tuple[int, int]) -> None:
    if importlib.util.find_spec("cleanfid") is None:
        pytest.skip("clean-fid is not here: pip install --no-deps clean-fid")
    from cleanfid.resize import build_resizer

    pixels = np.random.default_rng(1).integers(0, 256, (*size, 3), dtype=np.uint8)
    assert np.array_equal(resized(pixels), build_resizer("clean")(pixels))


# ── features ────────────────────────────────────────────────────────────────────────────


def test_features_of_an_export_are_kept_under_its_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(here.SETTING, str(exported(tmp_path / "inception.onnx")))
    evidence = Evidence()
    found = inception(evidence, PAGE)
    assert (found.shape, found.dtype) == ((2048,), np.float32)
    assert np.allclose(found, resized(PAGE.rgb).mean(axis=(0, 1)) @ WEIGHTS, atol=0.05)
    (key,) = evidence.fresh
    assert str(tmp_path) not in key
    assert here.network().digest in key
    assert np.array_equal(inception(Evidence(evidence.fresh.get), PAGE), found)
    assert here.told() == f"Inception (ONNX export, sha256 {here.network().digest})"


def test_without_weights_it_is_unavailable_and_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(here.SETTING, raising=False)
    with pytest.raises(Unavailable, match="are not here.*curl -LO.*OVERPAINT_INCEPTION"):
        inception(Evidence(), PAGE)
    monkeypatch.setenv(here.SETTING, "/nowhere/inception.pt")
    with pytest.raises(Unavailable, match="names /nowhere/inception.pt, which is no file.*curl"):
        inception(Evidence(), PAGE)
    (tmp_path / "inception.pt").write_bytes(b"any")
    monkeypatch.setenv(here.SETTING, str(tmp_path / "inception.pt"))
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(Unavailable, match=r"pip install 'overpaint\[references\]'"):
        inception(Evidence(), PAGE)


@pytest.mark.parametrize("weights", [WEIGHTS[:, :1000], WEIGHTS * np.float32("nan")])
def test_what_gives_other_numbers_is_a_failure(
    weights: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(here.SETTING, str(exported(tmp_path / "inception.onnx", weights)))
    with pytest.raises(OverpaintError, match="Inception's 2,048 features were expected.*curl"):
        inception(Evidence(), PAGE)


def scripted(path: Path) -> Any:
    """A network of the published file's form: its layers under a resizing of their own."""
    pytest.importorskip("torch")
    import torch
    from torch import nn

    class Whole(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            pooled = nn.AdaptiveAvgPool2d(1)
            self.layers = nn.Sequential(nn.Conv2d(3, 2048, 9, stride=9), nn.ReLU(), pooled)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.layers(nn.functional.interpolate(x, size=(299, 299)))

    torch.manual_seed(1)
    whole = Whole().eval()
    torch.jit.save(torch.jit.trace(whole, torch.zeros(1, 3, 299, 299)), str(path))
    return whole


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_features_of_a_torchscript_file_are_those_of_its_layers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = scripted(tmp_path / "inception.pt")
    import torch

    values = torch.from_numpy(resized(PAGE.rgb)).permute(2, 0, 1)[None]
    with torch.no_grad():
        expected = whole.layers((values - 128) / 128).reshape(2048).numpy()
    monkeypatch.setenv(here.SETTING, str(tmp_path / "inception.pt"))
    with pytest.raises(Unavailable, match="its sha256 is not f58cb9b6ec32….*goes as ONNX.*curl -L"):
        inception(Evidence(), PAGE)
    monkeypatch.setattr(here, "PUBLISHED", digest(tmp_path / "inception.pt", digits=64))
    assert np.abs(inception(Evidence(), PAGE) - expected).max() < 1e-5
    assert np.ptp(expected) > 0.05


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_file_that_is_no_torchscript_is_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    import torch

    path = tmp_path / "inception.pt"
    monkeypatch.setenv(here.SETTING, str(path))
    for write in (
        lambda: path.write_bytes(b"nothing"),
        lambda: torch.save({"weights": torch.zeros(3)}, path),
        lambda: torch.jit.save(torch.jit.script(torch.nn.ReLU()), str(path)),
    ):
        write()
        monkeypatch.setattr(here, "PUBLISHED", digest(path, digits=64))
        with pytest.raises(Unavailable, match="is not the Inception that Clean-FID uses: .+curl"):
            inception(Evidence(), PAGE)
