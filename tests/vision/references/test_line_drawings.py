"""Informative line drawings: the published network with random weights, and every bad file."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_networks import blobs, needed
from tiny_onnx import light_of

from overpaint.errors import OverpaintError, Unavailable
from overpaint.vision.references import Hints, Reference, extractor
from overpaint.vision.references import line_drawings as here


def sketch(pixels: np.ndarray) -> Reference:
    by = extractor("sketch", "informative")
    (found,) = by.find(pixels, Hints())
    assert found.version == by.exact
    return found


# ── where nothing is, and an ONNX export ────────────────────────────────────────────────


def test_without_weights_it_is_unavailable_and_says_where_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(here.SETTING, raising=False)
    with pytest.raises(Unavailable, match=r"is not here.*informative-drawings.*OVERPAINT_LINE_DR"):
        sketch(blobs())
    monkeypatch.setenv(here.SETTING, "/nowhere/net.pth")
    with pytest.raises(Unavailable, match="names /nowhere/net.pth, which is no file.*Fetch"):
        sketch(blobs())


def test_an_export_draws_the_whole_picture_in_its_own_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(here.SETTING, str(light_of(tmp_path / "net.onnx", channel=1)))
    pixels = np.full((50, 70, 3), 255, np.uint8)
    pixels[20:30, 10:60, 1] = 0  # what is drawn as light is the green of the picture
    found = sketch(pixels)
    assert (found.value.shape, found.value.dtype) == ((50, 70), np.uint8)
    assert found.value[25, 30] < 40
    assert found.value[5, 5] > 250
    assert (found.method, found.version[:2]) == ("informative", "1+")


@pytest.mark.parametrize("size", [(1, 1), (3, 900), (2500, 40)])
def test_pictures_of_any_size_are_drawn_in_whole_fours(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide, high = here.fitted(size)
    assert wide % 4 == high % 4 == 0
    assert here.LEAST <= min(wide, high) <= max(wide, high) <= here.LONG
    monkeypatch.setenv(here.SETTING, str(light_of(tmp_path / "net.onnx")))
    assert sketch(np.zeros((size[1], size[0], 3), np.uint8)).value.shape == (size[1], size[0])


def test_a_network_that_gives_no_drawing_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(here.SETTING, str(light_of(tmp_path / "net.onnx", channel=None)))
    with pytest.raises(OverpaintError, match="gave no drawing for a picture. One channel"):
        sketch(blobs())


# ── the network itself ──────────────────────────────────────────────────────────────────


def published(seed: int = 4) -> Any:
    """The generator put together from modules, as its authors' code has it."""
    import torch
    from torch import nn

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv_block = nn.Sequential(
                nn.ReflectionPad2d(1), nn.Conv2d(256, 256, 3), nn.InstanceNorm2d(256), nn.ReLU(),
                nn.ReflectionPad2d(1), nn.Conv2d(256, 256, 3), nn.InstanceNorm2d(256),
            )  # fmt: skip

        def forward(self, x: Any) -> Any:
            return x + self.conv_block(x)

    def after(layer: Any, wide: int) -> tuple[Any, ...]:
        return layer, nn.InstanceNorm2d(wide), nn.ReLU()

    torch.manual_seed(seed)
    up = {"stride": 2, "padding": 1, "output_padding": 1}
    whole = nn.Sequential()
    for name, layers in {
        "model0": (nn.ReflectionPad2d(3), *after(nn.Conv2d(3, 64, 7), 64)),
        "model1": (
            *after(nn.Conv2d(64, 128, 3, stride=2, padding=1), 128),
            *after(nn.Conv2d(128, 256, 3, stride=2, padding=1), 256),
        ),
        "model2": (Block(), Block(), Block()),
        "model3": (
            *after(nn.ConvTranspose2d(256, 128, 3, **up), 128),
            *after(nn.ConvTranspose2d(128, 64, 3, **up), 64),
        ),
        "model4": (nn.ReflectionPad2d(3), nn.Conv2d(64, 1, 7), nn.Sigmoid()),
    }.items():
        whole.add_module(name, nn.Sequential(*layers))
    return whole.eval()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["net.pth", "net.safetensors"])
def test_drawings_are_those_of_the_published_network(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed("torch", "safetensors")
    import torch
    from safetensors.torch import save_file

    model, pixels = published(), blobs(96, 64)
    path = tmp_path / name
    save_file(model.state_dict(), path) if "safe" in name else torch.save(model.state_dict(), path)
    light = torch.from_numpy(pixels).permute(2, 0, 1)[None].float() / 255
    with torch.no_grad():
        expected = model(light)[0, 0].numpy()
    monkeypatch.setenv(here.SETTING, str(path))
    run = here.network()
    assert np.abs(run(light.numpy())[0, 0] - expected).max() < 1e-5
    assert np.abs(sketch(pixels).value - expected * 255).max() <= 0.51


@pytest.mark.slow
def test_a_file_of_another_network_is_refused_and_no_pickle_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed("torch")
    import torch

    monkeypatch.chdir(tmp_path)
    path = tmp_path / "net.pth"
    monkeypatch.setenv(here.SETTING, str(path))
    state = published().state_dict()
    fewer = {name: value for name, value in state.items() if not name.startswith("model2.2")}
    three = state | {"model4.1.weight": torch.zeros(3, 64, 7, 7)}
    for wrong, why in (
        (fewer, "model2.2.conv_block.1.weight is missing"),
        (state | {"more": torch.zeros(2)}, r"more is \(2,\), not there"),
        (three, r"model4.1.weight is \(3, 64, 7, 7\), not \(1, 64, 7, 7\)"),
        ({}, "model0.1.weight is missing"),
    ):
        torch.save(wrong, path)
        with pytest.raises(Unavailable, match=f"{why}.*three residual blocks"):
            sketch(blobs())
    for harmful in (pickle.dumps({"model0.1.weight": Harm()}, 2), b"\x80\x02 nothing", b""):
        path.write_bytes(harmful)
        with pytest.raises(Unavailable, match="holds no network of informative line drawings"):
            sketch(blobs())
    assert not (tmp_path / "harmed").exists()


class Harm:
    def __reduce__(self) -> Any:
        return Path.touch, (Path("harmed"),)
