"""How fast the pixel measures and the alignment are beside what one would call otherwise.

One process, one thread. Contestants take turns, round after round; what counts is the median of
the processor time they used, which is the time on the wall wherever nothing else is running.
Each runs once before the clock starts, so numba's compiling on its first call is left out.

The last line is one JSON object. An alignment's error is the mean over a grid of places of how
far off they are taken; `align_error_px` is that of the worst of all movements.
"""

import importlib
import importlib.util
import json
import statistics
import sys
import tempfile
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import skimage.io
import torch
from scipy import ndimage
from skimage import metrics
from torchmetrics.functional import image, regression

from overpaint.document import Document
from overpaint.measures import pixel

SIDE = 1024
ROUNDS = 5
NAMES = ("mse", "psnr", "ssim", "gmsd")

Array = np.ndarray[Any, Any]
Scores = dict[str, float]


# ── what is measured ────────────────────────────────────────────────────────────────────


def poster(seed: int, side: int = SIDE) -> Array:
    """A drawing with a smooth ground, discs, and words of many sizes."""
    rng = np.random.default_rng(seed)
    ground = rng.uniform(60, 200, (9, 9, 3)).astype(np.float32)
    picture = cv2.resize(ground, (side, side), interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    for _ in range(25):
        colour, place = rng.integers(0, 256, 3).tolist(), rng.integers(0, side, 2).tolist()
        cv2.circle(picture, place, int(rng.integers(10, side // 8)), colour, -1, cv2.LINE_AA)
    for _ in range(40):
        word = "".join(chr(code) for code in rng.integers(65, 91, 9))
        colour, place = rng.integers(0, 256, 3).tolist(), rng.integers(0, side, 2).tolist()
        size = float(rng.uniform(0.5, 2) * side / SIDE)
        cv2.putText(picture, word, place, int(rng.integers(0, 5)), size, colour, 3, cv2.LINE_AA)
    return picture


def edited(picture: Array, seed: int) -> tuple[Array, Array]:
    """The picture with a new text, some noise and JPEG's traces, and a mask of what counts."""
    rng = np.random.default_rng(seed)
    other, mask = picture.copy(), np.ones(picture.shape[:2], bool)
    other[300:460, 180:760], mask[290:470, 170:770] = (250, 240, 60), False
    cv2.putText(other, "MONDAY", (220, 430), 0, 4, (10, 10, 10), 9, cv2.LINE_AA)
    other = np.clip(other + rng.normal(0, 4, other.shape), 0, 255).astype(np.uint8)
    quality = [cv2.IMWRITE_JPEG_QUALITY, 85]
    return cv2.imdecode(cv2.imencode(".jpg", other, quality)[1], cv2.IMREAD_COLOR), mask


# ── the others ──────────────────────────────────────────────────────────────────────────


def piq_gmsd() -> Any:
    """piq's GMSD; its package as a whole asks for torchvision, which this does not need."""
    spec = importlib.util.find_spec("piq")
    if spec is None or spec.submodule_search_locations is None:
        sys.exit("piq is missing: pip install --no-deps piq==0.8.0")
    package = types.ModuleType("piq")
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules["piq"] = package
    return importlib.import_module("piq.gmsd")


PIQ = piq_gmsd()


def tensor(picture: Array) -> torch.Tensor:
    return torch.from_numpy(picture).permute(2, 0, 1)[None].float()


def masked_gmsd(a: Array, b: Array, mask: Array) -> float:
    """From piq's own parts, because its function takes no mask."""
    prewitt = PIQ.prewitt_filter(dtype=torch.float32)
    kernels = torch.stack([prewitt, prewitt.transpose(-1, -2)])
    gradients = []
    for picture in (a, b):
        luma = PIQ.rgb2yiq(tensor(picture) / 255)[:, :1]
        gradients.append(PIQ.gradient_map(torch.nn.functional.avg_pool2d(luma, 2), kernels))
    similar = PIQ.similarity_map(*gradients, constant=170 / 255**2)[0, 0].numpy()
    cells = mask.reshape(similar.shape[0], 2, similar.shape[1], 2).all(axis=(1, 3))
    counts = ndimage.minimum_filter(cells, 3, mode="constant", cval=True)
    return float(similar[counts].std(dtype=np.float64))


def windows(mask: Array) -> Array:
    return ndimage.minimum_filter(mask, 11, mode="constant", cval=False)


def scikit_image_and_piq(a: Array, b: Array, mask: Array) -> Scores:
    x, y = a[mask], b[mask]
    _, similar = metrics.structural_similarity(
        a, b, data_range=255, channel_axis=2, gaussian_weights=True, use_sample_covariance=False,
        full=True,
    )  # fmt: skip
    return {
        "mse": float(metrics.mean_squared_error(x, y)),
        "psnr": float(metrics.peak_signal_noise_ratio(x, y, data_range=255)),
        "ssim": float(similar[windows(mask)].mean()),
        "gmsd": masked_gmsd(a, b, mask),
    }


def torchmetrics_and_piq(a: Array, b: Array, mask: Array) -> Scores:
    """In single precision, as one would call it; in double its SSIM agrees to 1e-7."""
    x, y = (torch.from_numpy(picture[mask]).float() for picture in (a, b))
    _, similar = image.structural_similarity_index_measure(
        tensor(a), tensor(b), data_range=255.0, return_full_image=True
    )
    return {
        "mse": regression.mean_squared_error(x, y).item(),
        "psnr": image.peak_signal_noise_ratio(x, y, data_range=255.0).item(),
        "ssim": float(similar[0].permute(1, 2, 0).numpy()[windows(mask)].mean(dtype=np.float64)),
        "gmsd": masked_gmsd(a, b, mask),
    }


def ours(a: Array, b: Array, mask: Array) -> Scores:
    found = pixel.joint(a, b, mask)
    return {name: found.value(name) for name in NAMES}


def full_scale_sift(moving: Array, fixed: Array) -> Array:
    """The usual way: SIFT of both pictures as they are, FLANN, the ratio test, RANSAC, a warp."""
    sift: Any = cv2.SIFT.create()
    greys = [cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) for picture in (moving, fixed)]
    (p, x), (q, y) = (sift.detectAndCompute(grey, None) for grey in greys)
    flann = cv2.FlannBasedMatcher({"algorithm": 1, "trees": 5}, {"checks": 50})
    good = [m for m, n in flann.knnMatch(x, y, k=2) if m.distance < 0.75 * n.distance]
    here = np.array([p[m.queryIdx].pt for m in good])
    there = np.array([q[m.trainIdx].pt for m in good])
    matrix, _ = cv2.estimateAffine2D(here, there, method=cv2.RANSAC)
    cv2.warpAffine(moving, matrix, (SIDE, SIDE))
    return np.asarray(matrix)


# ── the clock ───────────────────────────────────────────────────────────────────────────


def race(contestants: dict[str, Callable[[], Any]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Milliseconds of every run, the contestants taking turns after one run to warm up."""
    for run in contestants.values():
        run()
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            for _ in range(5 if times[name] and times[name][0] < 100 else 1):
                start = time.process_time()
                run()
                times[name].append((time.process_time() - start) * 1e3)
    return times


def table(title: str, times: dict[str, list[float]], notes: dict[str, str]) -> None:
    print(f"\n{title}")
    for name, runs in times.items():
        line = f"  {name:20} {statistics.median(runs):7.1f} ms (quickest {min(runs):.1f})"
        print(f"{line:48} {ratio(times, name):6.1f}×  {notes.get(name, '')}".rstrip())


def ratio(times: dict[str, list[float]], name: str) -> float:
    """How many times as long as ours."""
    return round(statistics.median(times[name]) / statistics.median(times["overpaint"]), 2)


def differences(scores: Scores, own: Scores) -> str:
    parts = (f"{name} {abs(scores[name] - own[name]):.0e}" for name in NAMES)
    return "differs by " + ", ".join(parts)


# ── the races ───────────────────────────────────────────────────────────────────────────

RIVALS = {
    "scikit-image + piq": scikit_image_and_piq,
    "torchmetrics + piq": torchmetrics_and_piq,
}


def bench_joint(a: Array, b: Array, mask: Array) -> dict[str, float]:
    own = ours(a, b, mask)
    contestants = {"overpaint": lambda: ours(a, b, mask)}
    for name, rival in RIVALS.items():
        contestants[name] = lambda rival=rival: rival(a, b, mask)
    times = race(contestants)
    notes = {name: differences(rival(a, b, mask), own) for name, rival in RIVALS.items()}
    notes["overpaint"] = ", ".join(f"{name} {own[name]:.5f}" for name in NAMES)
    table(f"MSE, PSNR, SSIM and GMSD of a {SIDE}×{SIDE} pair under a mask", times, notes)
    return {
        "joint_vs_skimage_piq": ratio(times, "scikit-image + piq"),
        "joint_vs_torchmetrics_piq": ratio(times, "torchmetrics + piq"),
        "joint_ms": round(statistics.median(times["overpaint"]), 2),
    }


def bench_files(a: Array, b: Array, mask: Array) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / "a.png", Path(folder) / "b.png"]
        for path, picture in zip(paths, (a, b), strict=True):
            skimage.io.imsave(path, picture, check_contrast=False)

        def own() -> Scores:
            return ours(Document(paths[0]).rgb, Document(paths[1]).rgb, mask)

        def theirs() -> Scores:
            first, second = (skimage.io.imread(path) for path in paths)
            return scikit_image_and_piq(first, second, mask)

        times = race({"overpaint": own, "scikit-image + piq": theirs})
        notes = {"scikit-image + piq": differences(theirs(), own())}
    table("The same from two PNG files", times, notes)
    return {"file_to_scores_vs_skimage_piq": ratio(times, "scikit-image + piq")}


def movements(rng: np.random.Generator) -> dict[str, Array]:
    """Transforms, 2×3 about the middle, from moved to original pixels."""
    turn, shear = np.deg2rad(rng.uniform(-3, 3)), rng.uniform(-0.02, 0.02)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    sheared, scaled = np.array([[1, shear], [0, 1]]), np.eye(2) * rng.uniform(0.95, 1.05)
    kinds = {
        "part of a pixel": (np.eye(2), rng.uniform(-0.9, 0.9, 2)),
        "shift": (np.eye(2), rng.uniform(-20, 20, 2)),
        "turn": (turned, np.zeros(2)),
        "scale": (scaled, np.zeros(2)),
        "shear": (sheared, np.zeros(2)),
        "all": (turned @ scaled @ sheared, rng.uniform(-20, 20, 2)),
    }
    middle = np.full(2, (SIDE - 1) / 2)
    return {
        name: np.hstack([linear, (middle + shift - linear @ middle)[:, None]])
        for name, (linear, shift) in kinds.items()
    }


def moved(large: Array, matrix: Array) -> Array:
    """Half of a picture drawn at twice the size, so that parts of a pixel are moved faithfully."""
    doubled = matrix.copy()
    doubled[:, 2] = 2 * matrix[:, 2] + 0.5 - matrix[:, :2] @ np.array([0.5, 0.5])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    size, border = (2 * SIDE, 2 * SIDE), cv2.BORDER_REFLECT
    warped = cv2.warpAffine(large, doubled, size, flags=flags, borderMode=border)
    return cv2.resize(warped, (SIDE, SIDE), interpolation=cv2.INTER_AREA)


def distance(found: Array, true: Array) -> float:
    """Mean over a grid of how far apart two transforms take a pixel."""
    steps = np.linspace(0, SIDE - 1, 9)
    grid = np.array([[x, y, 1] for x in steps for y in steps])
    return float(np.hypot(*((found - true) @ grid.T)).mean())


def bench_alignment() -> dict[str, float]:
    errors: dict[str, list[float]] = {"overpaint": [], "full-scale SIFT": []}
    ratios = []
    print(f"\nAlignment of {SIDE}×{SIDE} pictures, each with an edit, noise and JPEG")
    for seed in range(2):
        large = poster(seed, 2 * SIDE)
        fixed = moved(large, np.eye(2, 3))
        for name, true in movements(np.random.default_rng(seed)).items():
            moving, _ = edited(moved(large, true), seed)
            contestants = {
                "overpaint": lambda m=moving, f=fixed: pixel.align(m, f).matrix,
                "full-scale SIFT": lambda m=moving, f=fixed: full_scale_sift(m, f),
            }
            times = race(contestants, rounds=2)
            ratios.append(ratio(times, "full-scale SIFT"))
            wrong = {who: distance(run(), true) for who, run in contestants.items()}
            for who, far in wrong.items():
                errors[who].append(far)
            text = ", ".join(
                f"{who} {statistics.median(times[who]):5.0f} ms, {wrong[who]:.3f} px off"
                for who in contestants
            )
            print(f"  {name:16} {text}; {ratios[-1]:.1f}×")
    return {
        "align_vs_full_sift": round(statistics.median(ratios), 2),
        "align_vs_full_sift_least": round(min(ratios), 2),
        "align_error_px": round(max(errors["overpaint"]), 4),
        "align_error_px_mean": round(statistics.mean(errors["overpaint"]), 4),
        "full_sift_error_px": round(max(errors["full-scale SIFT"]), 4),
    }


def bench_skip(a: Array, b: Array) -> dict[str, float]:
    assert pixel.align(b, a).verdict == "identity"
    times = race({"overpaint": lambda: pixel.align(b, a)})
    table("Alignment where only an edit was made, in place", times, {})
    return {"align_skip_ms": round(statistics.median(times["overpaint"]), 2)}


def main() -> None:
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    a = poster(1)
    b, mask = edited(a, 1)
    result = {**bench_joint(a, b, mask), **bench_files(a, b, mask)}
    result |= {**bench_alignment(), **bench_skip(a, b)}
    print()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
