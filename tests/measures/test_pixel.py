"""Pixel measures against independent libraries, and the laws they keep."""

import importlib.util
import math
import os
import subprocess
import sys
import types
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage
from skimage import metrics

from overpaint.errors import NotApplicable, UserMistake
from overpaint.measures import pixel

SINGLE = {"mse": pixel.mse, "psnr": pixel.psnr, "ssim": pixel.ssim, "gmsd": pixel.gmsd}
ALL = {**SINGLE, "ms_ssim": pixel.ms_ssim}

CLOSE = 1e-6  # what is filtered in single precision here is in double precision there


def scene(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    """Something like a poster: a smooth ground, hard edges, a white sheet, a little texture."""
    rng = np.random.default_rng(seed)
    ground = ndimage.zoom(rng.uniform(0, 255, (4, 4, 3)), (shape[0] / 4, shape[1] / 4, 1), order=1)
    for _ in range(12):
        top, left = rng.integers(0, shape[0]), rng.integers(0, shape[1])
        high, wide = rng.integers(1, max(2, shape[0] // 3)), rng.integers(1, max(2, shape[1] // 3))
        ground[top : top + high, left : left + wide] = rng.uniform(0, 255, 3)
    ground[: shape[0] // 3] = 255
    picture = np.clip(ground + rng.normal(0, 2, ground.shape), 0, 255).astype(np.uint8)
    return picture if len(shape) == 3 else picture[:, :, 1].copy()


def damaged(picture: np.ndarray, seed: int, strength: float = 12) -> np.ndarray:
    noise = np.random.default_rng(seed + 1000).normal(0, strength, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def some_mask(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    mask = np.ones(shape[:2], bool)
    rng = np.random.default_rng(seed + 2000)
    top, left = rng.integers(0, shape[0] // 2), rng.integers(0, shape[1] // 2)
    mask[top : top + shape[0] // 4, left : left + shape[1] // 4] = False
    mask[-1, -1] = False
    return mask


SHAPES = [(64, 80, 3), (64, 80), (11, 11, 3), (13, 300, 3), (301, 37, 3), (70, 1100), (61, 403, 3)]


# ── references ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("shape", SHAPES)
def test_mse_and_psnr_equal_scikit_image_to_the_last_digits(shape):
    a, b = scene(1, shape), damaged(scene(1, shape), 1)
    assert pixel.mse(a, b) == pytest.approx(metrics.mean_squared_error(a, b), rel=1e-13)
    assert pixel.psnr(a, b) == pytest.approx(metrics.peak_signal_noise_ratio(a, b), rel=1e-13)
    mask = some_mask(1, shape)
    assert pixel.mse(a, b, mask) == pytest.approx(
        ((a[mask].astype(float) - b[mask]) ** 2).mean(), rel=1e-13
    )


@pytest.mark.parametrize(
    ("shape", "masked"),
    [(shape, False) for shape in SHAPES]
    + [(shape, True) for shape in SHAPES if min(shape[:2]) > 20],
)
def test_ssim_equals_scikit_image_averaged_where_windows_count(shape, masked):
    a, b = scene(2, shape), damaged(scene(2, shape), 2)
    mask = some_mask(2, shape) if masked else np.ones(shape[:2], bool)
    _, whole = metrics.structural_similarity(
        a, b, data_range=255, gaussian_weights=True, use_sample_covariance=False, full=True,
        channel_axis=2 if len(shape) == 3 else None,
    )  # fmt: skip
    counts = ndimage.minimum_filter(mask, 11, mode="constant", cval=False)
    assert pixel.ssim(a, b, mask) == pytest.approx(whole[counts].mean(), abs=CLOSE)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.full((40, 40, 3), 255, np.uint8), np.full((40, 40, 3), 250, np.uint8)),
        (np.zeros((40, 40, 3), np.uint8), np.full((40, 40, 3), 255, np.uint8)),
        (np.full((40, 40), 255, np.uint8), damaged(np.full((40, 40), 255, np.uint8), 1, 1)),
    ],
    ids=["near whites", "black and white", "white and almost white"],
)
def test_ssim_keeps_its_digits_on_flat_pictures(a, b):
    theirs = metrics.structural_similarity(
        a, b, data_range=255, gaussian_weights=True, use_sample_covariance=False,
        channel_axis=2 if a.ndim == 3 else None,
    )  # fmt: skip
    assert pixel.ssim(a, b) == pytest.approx(theirs, abs=CLOSE)


def tensor(picture: np.ndarray):
    import torch

    return torch.from_numpy(np.atleast_3d(picture)).permute(2, 0, 1)[None].double()


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(176, 192, 3), (161, 250), (203, 177, 3)])
def test_ms_ssim_and_ssim_equal_pytorch_msssim(shape):
    """To 1e-6 with a Gaussian in double precision; theirs, in single, costs up to 5e-5."""
    theirs = pytest.importorskip("pytorch_msssim")
    import torch

    a, b = scene(3, shape), damaged(scene(3, shape), 3)
    taps = torch.exp(-((torch.arange(11).double() - 5) ** 2) / 4.5)
    window = (taps / taps.sum()).repeat(tensor(a).shape[1], 1, 1, 1)
    for function in ("ms_ssim", "ssim"):
        ours, oracle = getattr(pixel, function)(a, b), getattr(theirs, function)
        assert ours == pytest.approx(oracle(tensor(a), tensor(b), win=window).item(), abs=CLOSE)
        assert ours == pytest.approx(oracle(tensor(a), tensor(b)).item(), abs=5e-5)


def test_psnr_equals_torchmetrics():
    image = pytest.importorskip("torchmetrics.functional.image")
    a, b = scene(4, (64, 80, 3)), damaged(scene(4, (64, 80, 3)), 4)
    theirs = image.peak_signal_noise_ratio(tensor(a), tensor(b), data_range=255.0).item()
    assert pixel.psnr(a, b) == pytest.approx(theirs, abs=1e-5)


@pytest.fixture(scope="module")
def piq() -> types.ModuleType:
    """piq's GMSD alone; the whole package asks for torchvision."""
    spec = importlib.util.find_spec("piq")
    if spec is None or importlib.util.find_spec("torch") is None:
        pytest.skip("piq is not installed")
    if "piq" not in sys.modules:
        package = types.ModuleType("piq")
        package.__path__ = list(spec.submodule_search_locations)
        sys.modules["piq"] = package
    return importlib.import_module("piq.gmsd")


@pytest.mark.parametrize("shape", [*SHAPES, (2, 3, 3), (1, 5)])
def test_gmsd_equals_piq_also_on_odd_sides(piq, shape):
    a, b = scene(5, shape), damaged(scene(5, shape), 5)
    theirs = piq.gmsd(tensor(a), tensor(b), data_range=255).item()
    assert pixel.gmsd(a, b) == pytest.approx(theirs, abs=CLOSE)


@pytest.mark.parametrize("shape", [(64, 80, 3), (61, 83)])
def test_masked_gmsd_equals_piqs_map_over_the_cells_that_count(piq, shape):
    import torch

    a, b, mask = scene(6, shape), damaged(scene(6, shape), 6), some_mask(6, shape)
    odd = shape[0] % 2, shape[1] % 2
    gradients = []
    for picture in (a, b):
        x = tensor(picture) / 255
        x = piq.rgb2yiq(x)[:, :1] if x.shape[1] == 3 else x
        x = torch.nn.functional.pad(x, [0, odd[1], 0, odd[0]])
        prewitt = piq.prewitt_filter(dtype=x.dtype)
        kernels = torch.stack([prewitt, prewitt.transpose(-1, -2)])
        gradients.append(piq.gradient_map(torch.nn.functional.avg_pool2d(x, 2), kernels))
    similar = piq.similarity_map(*gradients, constant=170 / 255**2)[0, 0].numpy()
    whole = np.pad(mask, [(0, odd[0]), (0, odd[1])], constant_values=True)
    cells = whole.reshape(similar.shape[0], 2, similar.shape[1], 2).all(axis=(1, 3))
    counts = ndimage.minimum_filter(cells, 3, mode="constant", cval=True)
    assert pixel.gmsd(a, b, mask) == pytest.approx(similar[counts].std(), abs=CLOSE)


def test_masked_ms_ssim_equals_its_definition_in_double_precision():
    a, b, mask = scene(7, (220, 261)), damaged(scene(7, (220, 261)), 7), np.ones((220, 261), bool)
    mask[:25, 30:90] = mask[150:190, :9] = False
    counts = mask
    x, y = a.astype(float), b.astype(float)
    taps = np.exp(-((np.arange(11) - 5) ** 2) / 4.5)

    def blur(z):
        for axis in (0, 1):
            z = ndimage.correlate1d(z, taps / taps.sum(), axis=axis)
        return z

    product = 1.0
    for scale, weight in enumerate(pixel.SCALE_WEIGHTS):
        mx, my = blur(x), blur(y)
        vx, vy, vxy = blur(x * x) - mx**2, blur(y * y) - my**2, blur(x * y) - mx * my
        value = (2 * vxy + pixel.C2) / (vx + vy + pixel.C2)
        if scale == 4:
            value *= (2 * mx * my + pixel.C1) / (mx**2 + my**2 + pixel.C1)
        windows = ndimage.minimum_filter(counts, 11, mode="constant", cval=False)
        product *= max(value[windows].mean(), 0) ** weight
        pad = [(side % 2, 0) for side in x.shape]
        x, y = np.pad(x, pad), np.pad(y, pad)
        counts = np.pad(counts, pad, constant_values=True)
        cells = (x.shape[0] // 2, 2, x.shape[1] // 2, 2)
        x, y = x.reshape(cells).mean(axis=(1, 3)), y.reshape(cells).mean(axis=(1, 3))
        counts = counts.reshape(cells).all(axis=(1, 3))
    assert pixel.ms_ssim(a, b, mask) == pytest.approx(product, abs=CLOSE)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@st.composite
def pairs(draw):
    shape = (draw(st.integers(11, 40)), draw(st.integers(11, 40)))
    shape = (*shape, 3) if draw(st.booleans()) else shape
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    a = rng.integers(0, 256, shape, dtype=np.uint8)
    b = damaged(a, draw(st.integers(0, 99)), draw(st.floats(0, 80)))
    mask = np.ones(shape[:2], bool)
    for _ in range(draw(st.integers(0, 3))):
        top, left = draw(st.integers(0, shape[0])), draw(st.integers(0, shape[1]))
        mask[top : top + draw(st.integers(1, 9)), left : left + draw(st.integers(1, 9))] = False
    return a, b, mask


def value_or_reason(function: Callable[..., float], *arguments: np.ndarray) -> float | str:
    try:
        return function(*arguments)
    except NotApplicable as none:
        return str(none)


@settings(deadline=None, max_examples=60)
@given(pairs(), st.integers(0, 2**32))
def test_pixels_that_do_not_count_change_no_score_by_a_single_bit(pair, seed):
    a, b, mask = pair
    other = np.random.default_rng(seed).integers(0, 256, (2, *a.shape), dtype=np.uint8)
    c, d = a.copy(), b.copy()
    c[~mask], d[~mask] = other[0][~mask], other[1][~mask]
    for function in SINGLE.values():
        assert value_or_reason(function, a, b, mask) == value_or_reason(function, c, d, mask)


def test_nor_do_they_in_a_picture_of_many_blocks():
    shape = (130, 620, 3)
    a, b, mask = scene(16, shape), damaged(scene(16, shape), 16), np.ones(shape[:2], bool)
    mask[:60, :300] = mask[100:, 250:280] = mask[40:45] = False
    c, d = a.copy(), b.copy()
    c[~mask], d[~mask] = 0, 255
    assert pixel.joint(a, b, mask) == pixel.joint(c, d, mask) != pixel.joint(a, b)


@pytest.mark.parametrize("fill", [0, 255, "noise"])
def test_pixels_that_do_not_count_change_no_ms_ssim_by_a_single_bit(fill):
    shape = (221, 240, 3)
    a, b, mask = scene(8, shape), damaged(scene(8, shape), 8), np.ones((221, 240), bool)
    mask[:20, :40] = mask[-7:, 100:] = False
    c, d = a.copy(), b.copy()
    noise = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    c[~mask], d[~mask] = (noise[~mask], 7) if fill == "noise" else (fill, fill)
    assert pixel.ms_ssim(a, b, mask) == pixel.ms_ssim(c, d, mask) != pixel.ms_ssim(a, b)


@settings(deadline=None, max_examples=30)
@given(pairs())
def test_a_picture_is_best_compared_with_itself_and_order_does_not_matter(pair):
    a, b, mask = pair
    same = pixel.joint(a, a, mask)
    assert (same.mse, same.psnr) == (0, math.inf)
    assert same.ssim in (1, None)
    assert same.gmsd in (0, None)
    assert pixel.joint(a, b, mask) == pixel.joint(b, a, mask)
    there = pixel.joint(a, b, mask)
    assert there.ssim is None or there.ssim <= 1
    assert there.gmsd is None or there.gmsd >= 0


def test_ms_ssim_is_one_for_a_picture_with_itself_and_symmetric():
    a, b = scene(9, (170, 170, 3)), damaged(scene(9, (170, 170, 3)), 9)
    assert pixel.ms_ssim(a, a) == 1
    assert pixel.ms_ssim(a, b) == pixel.ms_ssim(b, a) < 1


@settings(deadline=None, max_examples=30)
@given(pairs(), st.integers(0, 2**32))
def test_damaging_more_pixels_never_lowers_the_error(pair, seed):
    a, b, mask = pair
    spared = np.random.default_rng(seed).random(a.shape[:2]) < 0.5
    less = np.where(spared[..., None] if a.ndim == 3 else spared, a, b)
    if mask.any():
        assert pixel.mse(a, less, mask) <= pixel.mse(a, b, mask)
        assert pixel.psnr(a, less, mask) >= pixel.psnr(a, b, mask)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("damage", ["noise", "blur"])
def test_graded_damage_is_never_scored_better(seed, damage):
    a = scene(seed, (180, 200, 3))
    if damage == "noise":
        steps = [damaged(a, seed, strength) for strength in (3, 6, 12, 25, 50)]
    else:
        steps = [ndimage.gaussian_filter(a, (s, s, 0)) for s in (0.5, 0.8, 1.2, 2, 4)]
    for name, function in ALL.items():
        values = [function(a, step) for step in steps]
        assert values == sorted(values, reverse=name in ("psnr", "ssim", "ms_ssim")), name


@settings(deadline=None, max_examples=30)
@given(pairs())
def test_joint_gives_the_same_numbers_as_each_measure_alone(pair):
    a, b, mask = pair
    together = pixel.joint(a, b, mask)
    for name, function in SINGLE.items():
        alone = value_or_reason(function, a, b, mask)
        assert alone == value_or_reason(lambda *_, n=name: together.value(n))
        assert (getattr(together, name) is None) == isinstance(alone, str)


# ── masks, edges, mistakes ──────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ALL)
def test_a_mask_where_all_counts_is_no_mask(name):
    a, b = scene(10, (170, 165, 3)), damaged(scene(10, (170, 165, 3)), 10)
    assert ALL[name](a, b, np.ones((170, 165), bool)) == ALL[name](a, b)


def test_a_region_painted_over_in_both_does_not_pass_as_perfect():
    a = scene(11, (120, 120, 3))
    b, mask = damaged(a, 11, 40), some_mask(11, a.shape)
    c, d = a.copy(), b.copy()
    c[~mask] = d[~mask] = 0
    assert pixel.ssim(c, d) > pixel.ssim(c, d, mask) == pixel.ssim(a, b, mask)


@pytest.mark.parametrize("name", ALL)
def test_no_pixel_left_is_not_applicable_with_a_sentence(name):
    a, b = scene(12, (170, 170, 3)), damaged(scene(12, (170, 170, 3)), 12)
    with pytest.raises(NotApplicable, match=r"\w+ .*\.$"):
        ALL[name](a, b, np.zeros((170, 170), bool))


def test_a_mask_too_narrow_for_any_window_leaves_the_error_alone():
    a, b = scene(13, (40, 40, 3)), damaged(scene(13, (40, 40, 3)), 13)
    mask = np.zeros((40, 40), bool)
    mask[:, 5:10] = True
    found = pixel.joint(a, b, mask)
    assert found.mse == pixel.mse(a, b, mask) > 0
    assert found.ssim is None
    assert found.gmsd is None
    assert set(found.missing) == {"ssim", "gmsd"}
    with pytest.raises(NotApplicable, match="11×11"):
        found.value("ssim")


def test_one_pixel_has_an_error_but_no_structure():
    a, b = np.full((1, 1, 3), 10, np.uint8), np.full((1, 1, 3), 13, np.uint8)
    found = pixel.joint(a, b)
    assert found.mse == 9
    assert found.value("psnr") == pytest.approx(10 * math.log10(255**2 / 9))
    assert set(found.missing) == {"ssim", "gmsd"}
    with pytest.raises(NotApplicable, match="161×161 pixels.*1×1"):
        pixel.ms_ssim(a, b)


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        (np.zeros((4, 5, 3), np.uint8), np.zeros((4, 6, 3), np.uint8), r"\(4, 5, 3\).*\(4, 6, 3\)"),
        (np.zeros((4, 5, 3), np.uint8), np.zeros((4, 5), np.uint8), "differ in shape"),
        (np.zeros((4, 5, 3), np.float32), np.zeros((4, 5, 3), np.float32), "float32.*uint8"),
        (
            np.zeros((4, 5, 4), np.uint8),
            np.zeros((4, 5, 4), np.uint8),
            r"\(4, 5, 4\).*transparency",
        ),
        (np.zeros((0, 5, 3), np.uint8), np.zeros((0, 5, 3), np.uint8), "at least one pixel"),
    ],
    ids=["sizes", "colours", "floats", "alpha", "empty"],
)
def test_pictures_that_do_not_fit_are_a_mistake_that_says_what_would(a, b, says):
    for function in (*ALL.values(), pixel.joint):
        with pytest.raises(UserMistake, match=says):
            function(a, b)


@pytest.mark.parametrize("mask", [np.ones((4, 4), bool), np.ones((4, 5), np.uint8)])
def test_a_mask_that_does_not_fit_is_a_mistake_that_says_its_polarity(mask):
    a = np.zeros((4, 5, 3), np.uint8)
    with pytest.raises(UserMistake, match="True = counts"):
        pixel.mse(a, a, mask)


def test_views_into_larger_arrays_are_measured_like_copies():
    a, b = scene(15, (90, 80, 3)), damaged(scene(15, (90, 80, 3)), 15)
    x, y, mask = a[::-1, 10:70:2], b[::-1, 10:70:2], some_mask(15, (90, 30)).T.copy().T
    assert pixel.joint(x, y, mask) == pixel.joint(x.copy(), y.copy(), mask.copy())


def test_importing_the_measures_loads_neither_compiler_nor_opencv_nor_torch():
    code = (
        "import sys, overpaint.measures.pixel;"
        "print(sorted({'numba', 'cv2', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


@pytest.mark.slow
def test_numbers_are_the_same_whether_the_kernels_were_compiled_just_now_or_before(tmp_path):
    code = (
        "import numpy as np; from overpaint.measures import pixel;"
        "a, b = np.random.default_rng(0).integers(0, 256, (2, 300, 402, 3), dtype=np.uint8);"
        "print(pixel.joint(a, b), pixel.ms_ssim(a, b))"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True, text=True, check=True,
        ).stdout
        for _ in range(2)
    ]  # fmt: skip
    assert any(tmp_path.iterdir()), "nothing was compiled"
    assert told[0] == told[1]
