"""SAM 2: masks sorted out and painted as they should be; the network with tiny random weights."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from tiny_networks import blobs, needed, sam2

from overpaint.errors import Unavailable
from overpaint.vision.references import Box, Hints, extractor
from overpaint.vision.references import sam2 as here
from overpaint.vision.references.boxes import overlaps
from overpaint.vision.references.inputs import looked
from overpaint.vision.references.sam2 import Mask, grid, kept, painted, stillness, unlike


def disc(x: float, y: float, radius: float, sure: float, steep: float = 20) -> Mask:
    """A mask of 64 pixels a side, above 0 inside of a disc."""
    down, across = np.mgrid[:64, :64]
    return Mask(np.float32(steep * (radius - np.hypot(across - x, down - y))), sure)


# ── sorting out and painting ────────────────────────────────────────────────────────────


def test_the_grid_has_a_point_in_the_middle_of_every_square() -> None:
    points = grid(2)
    assert points.tolist() == [[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]]


def test_a_mask_holds_still_by_how_steep_its_edge_is() -> None:
    assert stillness(disc(32, 32, 20, 1, steep=50).logits) > 0.97
    assert stillness(disc(32, 32, 20, 1, steep=0.2).logits) < 0.7
    assert stillness(np.full((8, 8), -9, np.float32)) == 0.0


def test_what_is_unsure_or_moves_or_is_empty_goes_and_of_the_same_the_surer_stays() -> None:
    sure, less, other = disc(20, 20, 12, 0.95), disc(21, 20, 12, 0.85), disc(48, 48, 9, 0.9)
    unsure, soft = disc(10, 50, 8, 0.79), disc(50, 10, 8, 0.99, steep=0.2)
    empty = Mask(np.full((64, 64), -9, np.float32), 0.99)
    assert kept([less, unsure, other, soft, sure, empty]) == [sure, other]


def test_small_regions_lie_on_large_ones_and_numbers_have_no_gaps() -> None:
    large, small, hidden = disc(32, 32, 25, 0.9), disc(32, 32, 8, 0.8), disc(32, 32, 7.9, 1.0)
    regions, sure = painted([small, hidden, large], (128, 128))
    assert regions.dtype == np.int32
    assert regions.shape == (128, 128)
    assert regions[64, 64] != regions[64, 90] != regions[0, 0] == 0
    assert sorted(np.unique(regions)) == list(range(regions.max() + 1))
    assert sure is not None
    assert 0.8 < sure < 1.0
    nothing, none = painted([], (7, 5))
    assert (nothing.shape, nothing.any(), none) == ((5, 7), False, None)


def test_regions_of_a_huge_picture_are_of_its_size_and_cover_the_same_share() -> None:
    regions, _ = painted([disc(32, 32, 16, 0.9)], (8000, 3000))
    assert regions.shape == (3000, 8000)
    assert abs(float((regions == 1).mean()) - np.pi * 16**2 / 64**2) < 0.01


sides = some.integers(0, 20)
boxes = some.builds(lambda x, y, w, h: Box(x, y, x + w + 1, y + h + 1), sides, sides, sides, sides)


@given(some.lists(boxes, max_size=12))
def test_of_boxes_that_stay_no_two_are_alike_and_each_other_is_like_one(found: list[Box]) -> None:
    stays, alike = unlike(found, 0.5), overlaps(found, found)
    for i in stays:
        assert not any(alike[i, j] > 0.5 for j in stays if j < i)
    for i in set(range(len(found))) - set(stays):
        assert any(alike[i, j] > 0.5 for j in stays if j < i)


# ── the network ─────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needed()
    return sam2(tmp_path_factory.mktemp("sam2"))


@pytest.mark.slow
def test_masks_in_boxes_are_those_of_the_model_itself(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch
    from transformers import Sam2Model

    monkeypatch.setenv(here.OWN.setting, str(folder))
    pixels = blobs(128, 96)
    asked = [Box(10, 20, 60, 90), Box(0, 0, 128, 96)]
    found = here.segmenter().in_boxes(looked(pixels), asked)
    model = Sam2Model.from_pretrained(folder).eval()
    small = torch.nn.functional.interpolate(  # antialiased as PIL does it, but not rounded
        torch.from_numpy(pixels).permute(2, 0, 1)[None].float(), size=(64, 64), mode="bilinear",
        antialias=True,
    ) / 255  # fmt: skip
    mean, spread = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
    values = (small - mean[:, None, None]) / spread[:, None, None]
    scaled = torch.tensor([[[5, 40 / 3, 30, 60], [0, 0, 64, 64.0]]])
    with torch.no_grad():
        told = model(pixel_values=values, input_boxes=scaled, multimask_output=False)
    expected = told.pred_masks[0, :, 0].numpy()
    for mask, logits, sure in zip(found, expected, told.iou_scores[0, :, 0], strict=True):
        # Rounding to 8 bits after resizing is all that differs: ½ of 255 levels a channel.
        assert np.abs(mask.logits - logits).max() < 0.05 * np.abs(logits).max()
        assert mask.sure == pytest.approx(float(sure.clamp(0, 1)), abs=0.02)
    up = torch.nn.functional.interpolate(
        torch.from_numpy(found[0].logits)[None, None], size=(96, 128), mode="bilinear"
    )
    assert np.mean(here.filled(found[0], (128, 96)) == (up[0, 0] > 0).numpy()) > 0.9999


@pytest.mark.slow
def test_regions_of_a_picture_are_found_numbered_and_the_same_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(here.OWN.setting, str(folder))
    by = extractor("semantic_map", "sam2")
    (found,) = by.find(blobs(), Hints())
    assert found.value.shape == (60, 90)
    assert set(np.unique(found.value)) >= {1}
    assert (found.kind, found.method) == ("semantic_map", "sam2")
    assert found.version == by.exact == f"1+{here.digest(folder)}"
    assert found.confidence is not None
    assert found.confidence >= here.SURE
    (again,) = by.find(blobs(), Hints())
    assert np.array_equal(found.value, again.value)


@pytest.mark.slow
def test_a_checkpoint_of_the_video_model_is_taken_as_the_hub_has_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors.torch import load_file, save_file

    video = shutil.copytree(folder, tmp_path / "video")
    config = json.loads((video / "config.json").read_text())
    config |= {"model_type": "sam2_video", "architectures": ["Sam2VideoModel"]}
    (video / "config.json").write_text(json.dumps(config))
    weights = load_file(video / "model.safetensors")
    weights["memory_attention.layer_norm.weight"] = weights["no_memory_embedding"].clone()
    save_file(weights, video / "model.safetensors", metadata={"format": "pt"})
    masks = []
    for at in (folder, video):
        monkeypatch.setenv(here.OWN.setting, str(at))
        masks.append(here.segmenter().in_boxes(looked(blobs()), [Box(5, 5, 40, 40)])[0].logits)
    assert np.array_equal(*masks)


@pytest.mark.slow
def test_a_checkpoint_with_gaps_is_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors.torch import load_file, save_file

    gaps = shutil.copytree(folder, tmp_path / "gaps")
    weights = load_file(gaps / "model.safetensors")
    del weights["no_memory_embedding"]
    save_file(weights, gaps / "model.safetensors", metadata={"format": "pt"})
    monkeypatch.setenv(here.OWN.setting, str(gaps))
    with pytest.raises(Unavailable, match="1 of its weights are missing, as no_memory_embedding"):
        here.segmenter()


@pytest.mark.slow
def test_without_weights_it_is_unavailable_and_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    needed("transformers")
    monkeypatch.setenv(here.OWN.setting, "nobody/has-this")
    with pytest.raises(Unavailable, match="hf download facebook/sam2.1-hiera-large, or set"):
        extractor("semantic_map", "sam2").find(blobs(), Hints())
    monkeypatch.setenv(here.OWN.setting, str(tmp_path))
    with pytest.raises(Unavailable, match=r"SAM 2 \(.*\) cannot be loaded from this machine"):
        extractor("semantic_map", "sam2").find(blobs(), Hints())
