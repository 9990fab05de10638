"""From an edit to a number: reference, resizing, alignment, masks, and the official variant."""

from pathlib import Path

import numpy as np
import pytest
import torch
from conftest import make_sample, picture, write
from torchmetrics.functional.image import structural_similarity_index_measure

from overpaint import catalog, weights
from overpaint.core import IDENTICAL, Edit, Evidence, Sample, Score
from overpaint.document import Document
from overpaint.errors import Unavailable
from overpaint.measures import background, pixel

PIXEL = ("mse", "psnr", "ssim", "gmsd")


def score(name: str, sample: Sample, output: Document) -> Score:
    edit = Edit(sample, "someone", "ok", output)
    (found,) = catalog.measure(name).score([edit], Evidence())
    return found


@pytest.fixture
def large(tmp_path: Path) -> Sample:
    """A sample large enough for every measure, with texture to align by."""
    rng = np.random.default_rng(3)
    blocks = rng.integers(0, 255, (48, 60, 3), dtype=np.uint8)
    source = background.resized(blocks, 480, 384)
    mask = np.zeros_like(source)
    mask[40:100, 60:160] = 255
    target = source.copy()
    target[45:95, 65:155] = 255 - target[45:95, 65:155]
    small = make_sample(tmp_path, "x")
    return Sample(
        "large",
        type(small.request)(write(tmp_path / "s.png", source), "…", names=("large",)),
        target=write(tmp_path / "t.png", target),
        masks=(write(tmp_path / "m.png", mask),),
    )


@pytest.mark.parametrize("name", [*PIXEL, "ms_ssim", "lpips"])
def test_what_may_change_touches_no_score(large: Sample, tmp_path: Path, name: str) -> None:
    """The law, from the edit on: two outputs that differ inside the mask only score alike."""
    if name == "lpips":
        _need("lpips-alex")
    damaged = large.request.source.rgb.copy()
    damaged[240:, :] = np.roll(damaged[240:, :], 40, 1)
    other = damaged.copy()
    other[40:100, 60:160] = np.random.default_rng(0).integers(0, 255, (60, 100, 3))
    one, two = (score(name, large, Document.of(output)) for output in (damaged, other))
    assert one.value is not None
    assert (one.value, one.notes) == (two.value, two.notes)


def _need(weight: str) -> None:
    try:
        weights.find(weight)
    except Unavailable as missing:
        pytest.skip(str(missing))


def test_an_output_is_held_against_the_truth_where_there_is_one(large: Sample) -> None:
    assert score("mse", large, large.target).value == 0.0
    changed = large.target.rgb.copy()
    changed[0, 0] = 255 - changed[0, 0]
    found = score("mse", large, Document.of(changed))
    counts = 384 * 480 - 60 * 100
    wrong = (changed[0, 0].astype(float) - large.target.rgb[0, 0]) ** 2
    assert found.value == pytest.approx(wrong.sum() / (3 * counts), rel=1e-12)


def test_inside_the_mask_the_truth_is_right_and_the_input_is_not(large: Sample) -> None:
    assert score("mse_inside", large, large.target).value == 0.0
    inside = background.editable(Evidence(), large.request.source, *large.masks)
    expected = pixel.mse(large.target.rgb, large.request.source.rgb, inside)
    assert score("mse_inside", large, large.request.source).value == expected > 0
    untold = Sample("u", large.request, None, large.masks)
    assert score("mse_inside", untold, large.target).status == "not_applicable"


def test_identical_pictures_have_no_psnr_and_say_so(large: Sample) -> None:
    found = score("psnr", large, large.target)
    assert (found.value, found.status) == (None, "not_applicable")
    assert found.reason == IDENTICAL


def test_another_size_is_resized_and_noted(large: Sample) -> None:
    small = Document.of(background.resized(large.target.rgb, 240, 192))
    found = score("ssim", large, small)
    assert found.status == "ok"
    assert "resized from 240×192 to 480×384 (Lanczos)" in found.notes


def test_a_shifted_output_is_aligned_before_it_is_compared(large: Sample) -> None:
    shifted = np.roll(large.target.rgb, (3, 5), (0, 1))
    found = score("mse", large, Document.of(shifted))
    unaligned = pixel.mse(large.target.rgb, shifted)
    assert found.value < unaligned / 20
    assert any("aligned" in note for note in found.notes)


def test_an_output_that_cannot_be_aligned_is_compared_as_it_is_and_noted(large: Sample) -> None:
    blank = Document.of(np.full_like(large.target.rgb, 255))
    found = score("mse", large, blank)
    counts = ~background.editable(Evidence(), large.request.source, *large.masks)
    assert found.value == pixel.mse(large.target.rgb, blank.rgb, counts)
    assert any("not aligned" in note for note in found.notes)


@pytest.mark.parametrize("name", ["mse", "ssim", "ms_ssim", "gmsd"])
def test_an_output_that_leaves_nothing_to_compare_fails_and_stays_in_the_count(
    large: Sample, name: str
) -> None:
    """One pixel blown up to the whole picture must not leave the denominator."""
    found = score(name, large, Document.of(large.target.rgb[:1, :1]))
    assert (found.value, found.status) == (None, "measure_failed")
    assert "The output leaves too little to compare" in found.reason


def test_a_white_mask_leaves_nothing_to_compare(large: Sample, tmp_path: Path) -> None:
    white = write(tmp_path / "white.png", np.full_like(large.target.rgb, 255))
    found = score("ssim", Sample("w", large.request, large.target, (white,)), large.target)
    assert found.status == "not_applicable"
    assert "whole picture may change" in found.reason


@pytest.mark.parametrize("trouble", ["missing", "empty", "other size"])
def test_a_mask_that_cannot_be_used_is_a_failed_measure(
    large: Sample, tmp_path: Path, trouble: str
) -> None:
    path = tmp_path / "broken.png"
    if trouble == "empty":
        path.write_bytes(b"")
    if trouble == "other size":
        write(path, picture())
    found = score("mse", Sample("b", large.request, large.target, (Document(path),)), large.target)
    assert (found.value, found.status) == (None, "measure_failed")
    assert "broken.png" in found.reason


def test_grey_edges_of_jpeg_masks_count_from_the_middle_up(tmp_path: Path) -> None:
    grey = np.zeros((64, 80, 3), np.uint8)
    grey[:, :40], grey[:, 40:60] = 127, 128
    mask, like = write(tmp_path / "g.png", grey), write(tmp_path / "l.png", picture())
    found = background.editable(Evidence(), like, mask)
    assert found.sum() == 64 * 20
    assert found[:, 40:60].all()


def test_what_is_transparent_in_a_mask_is_not_white(tmp_path: Path) -> None:
    painted = np.zeros((64, 80, 4), np.uint8)
    painted[10:20, 10:20] = 255
    mask = write(tmp_path / "m.png", painted)
    like = write(tmp_path / "l.png", picture())
    assert background.editable(Evidence(), like, mask).sum() == 100


def test_the_pair_is_prepared_once_for_all_measures_and_reruns(
    large: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    real = background.find_transform
    monkeypatch.setattr(
        background, "find_transform", lambda *pair, **how: calls.append(1) or real(*pair, **how)
    )
    evidence, edit = Evidence(), Edit(large, "e", "ok", Document.of(large.request.source.rgb // 2))
    first = [s.value for n in PIXEL for s in catalog.measure(n).score([edit], evidence)]
    assert len(calls) == 1
    later = Evidence(evidence.fresh.get)  # another process, with what the store kept
    assert [s.value for n in PIXEL for s in catalog.measure(n).score([edit], later)] == first
    assert len(calls) == 1


# ── what the released scripts compute ───────────────────────────────────────────────────────


def test_the_official_ssim_is_torchmetrics_on_blackened_pictures(large: Sample) -> None:
    output = large.request.source.rgb.copy()
    output[110:150, 20:200] //= 2
    found = score("ssim@official", large, Document.of(output))
    keep = ~background.editable(Evidence(), large.request.source, *large.masks)[:, :, None]
    a, b = (
        torch.tensor(p.astype(np.float32) / 255 * keep).permute(2, 0, 1)[None]
        for p in (output, large.request.source.rgb)
    )
    theirs = structural_similarity_index_measure(a, b, data_range=1.0).item()
    assert found.value == pytest.approx(theirs, abs=2e-5)


def test_the_official_columns_compare_with_the_input_even_where_there_is_a_truth(
    large: Sample,
) -> None:
    assert score("mse@official", large, large.request.source).value == pytest.approx(0, abs=0.01)


def test_the_official_ssim_counts_the_blackened_region_as_perfect_and_ours_does_not(
    large: Sample, tmp_path: Path
) -> None:
    """The quirk: the larger the mask, the better the official score of the same bad output."""
    noise = np.random.default_rng(1).normal(0, 40, large.target.rgb.shape)
    bad = Document.of(np.clip(large.request.source.rgb + noise, 0, 255).astype(np.uint8))
    wide = np.full_like(large.target.rgb, 255)
    wide[:40] = 0
    wider = Sample("w", large.request, None, (write(tmp_path / "wide.png", wide),))
    narrow = Sample("n", large.request, None, large.masks)
    official = [score("ssim@official", s, bad).value for s in (narrow, wider)]
    ours = [score("ssim", s, bad).value for s in (narrow, wider)]
    assert official[1] > official[0] + 0.3
    assert abs(ours[1] - ours[0]) < 0.1


def test_what_the_official_scripts_skip_is_a_failed_row_that_says_so(large: Sample) -> None:
    small = Document.of(background.resized(large.target.rgb, 240, 192))
    assert "skips such samples" in score("ssim@official", large, small).reason
    blank = Document.of(np.full_like(large.target.rgb, 255))
    found = score("mse@official", large, blank)
    assert found.status == "measure_failed"
    assert "skips what it cannot align" in found.reason


def test_the_official_lpips_is_unavailable_and_says_why(large: Sample) -> None:
    found = score("lpips@official", large, large.target)
    assert found.status == "unavailable"
    assert "SqueezeNet" in found.reason
