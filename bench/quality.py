"""FSIM, BRISQUE and NIQE: how fast FSIM is beside piq's, and what each says of graded damage.

One process, one thread; processor time, contestants in turn, the median of some rounds. The
photographs come with scikit-image. The last line is one JSON object.
"""

import importlib
import importlib.util
import json
import statistics
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import torch
from scipy.ndimage import gaussian_filter
from skimage import data

from overpaint import catalog
from overpaint.measures import natural
from overpaint.measures.brisque import brisque
from overpaint.measures.fsim import fsim
from overpaint.measures.niqe import niqe

Array = np.ndarray[Any, Any]
NAMES = ("astronaut", "camera", "chelsea", "coffee", "motorcycle", "rocket")
ROUNDS = 7
SIDES = (256, 512, 1024)


def photograph(name: str) -> Array:
    found = data.stereo_motorcycle()[0] if name == "motorcycle" else getattr(data, name)()
    return np.ascontiguousarray(found if found.ndim == 3 else np.stack([found] * 3, axis=2))


def blurred(picture: Array, sigma: float) -> Array:
    return np.rint(gaussian_filter(picture.astype(float), (sigma, sigma, 0))).astype(np.uint8)


def noisy(picture: Array, strength: float) -> Array:
    noise = np.random.default_rng(0).normal(0, strength, picture.shape)
    return np.clip(np.rint(picture + noise), 0, 255).astype(np.uint8)


def as_jpeg(picture: Array, quality: float) -> Array:
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR))


DAMAGES: dict[str, tuple[Callable[[Array, float], Array], tuple[float, ...]]] = {
    "blur, sigma": (blurred, (1, 2, 4)),
    "noise, deviation": (noisy, (10, 20, 40)),
    "JPEG, quality": (as_jpeg, (50, 20, 8)),
}


# ── FSIM beside piq's ───────────────────────────────────────────────────────────────────


def piq_fsim() -> Any:
    """piq's FSIM; its package as a whole asks for torchvision, which this does not need."""
    spec = importlib.util.find_spec("piq")
    if spec is None or spec.submodule_search_locations is None:
        sys.exit("piq is missing: pip install --no-deps piq==0.8.0")
    package = types.ModuleType("piq")
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules["piq"] = package
    return importlib.import_module("piq.fsim").fsim


def tensor(picture: Array) -> torch.Tensor:
    return torch.from_numpy(picture).permute(2, 0, 1)[None].float()


def race(contestants: dict[str, Callable[[], float]]) -> dict[str, float]:
    """The median of milliseconds that each took, after one run to warm up."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(ROUNDS + 1):
        for name, run in contestants.items():
            start = time.process_time()
            run()
            if turn:
                times[name].append((time.process_time() - start) * 1e3)
    return {name: statistics.median(taken) for name, taken in times.items()}


def bench_speed() -> dict[str, float]:
    """FSIM of a photograph and its noisy copy, at some sizes."""
    theirs, found = piq_fsim(), {}
    print("FSIM, milliseconds\n  side    overpaint       piq    ratio   differ by")
    for side in SIDES:
        a = cv2.resize(photograph("astronaut"), (side, side), interpolation=cv2.INTER_CUBIC)
        b = noisy(a, 20)
        x, y = tensor(a), tensor(b)
        contestants = {
            "overpaint": lambda a=a, b=b: fsim(a, b),
            "piq": lambda x=x, y=y: float(theirs(x, y, data_range=255, chromatic=False)),
        }
        apart = abs(contestants["overpaint"]() - contestants["piq"]())
        took = race(contestants)
        ratio = took["piq"] / took["overpaint"]
        print(
            f"  {side:4} {took['overpaint']:12.1f} {took['piq']:9.1f} {ratio:7.1f}×   {apart:.0e}"
        )
        found[f"fsim_{side}_vs_piq"] = round(ratio, 2)
    return found


# ── graded damage ───────────────────────────────────────────────────────────────────────


def bench_damage() -> dict[str, bool]:
    """The means over photographs at every step, and whether each step is worse than the last."""
    some, found = [photograph(name) for name in NAMES], {}
    print(f"\nMeans over {len(some)} photographs\n  {'':24} FSIM  BRISQUE    NIQE")
    for kind, (damage, steps) in DAMAGES.items():
        rows = [(1.0, mean(brisque, some), mean(niqe, some))]
        print(line("none", rows[-1]))
        for step in steps:
            spoilt = [damage(picture, step) for picture in some]
            alike = float(np.mean([fsim(a, b) for a, b in zip(some, spoilt, strict=True)]))
            rows.append((alike, mean(brisque, spoilt), mean(niqe, spoilt)))
            print(line(f"{kind} {step:g}", rows[-1]))
        rises = np.diff(np.array(rows) * (-1, 1, 1), axis=0) > 0
        for name, worse in zip(("fsim", "brisque", "niqe"), rises.all(axis=0), strict=True):
            found[f"{name}_{kind.split(',')[0].lower()}_always_worse"] = bool(worse)
    return found


def mean(formula: Callable[[Array], float], pictures: list[Array]) -> float:
    return float(np.mean([formula(picture) for picture in pictures]))


def line(what: str, row: tuple[float, float, float]) -> str:
    return f"  {what:22} {row[0]:6.3f} {row[1]:8.1f} {row[2]:7.2f}"


# ── photographs and pages ───────────────────────────────────────────────────────────────


def bench_pages() -> dict[str, float]:
    """What share of each is taken for a page or a drawing."""
    whole = [photograph(name) for name in NAMES]
    worse = [damage(p, step) for p in whole for damage, steps in DAMAGES.values() for step in steps]
    sets = {"photographs": whole, "photographs, damaged": worse}
    for name in ("demo", "vde", "milde", "multiref@photographs"):
        samples = catalog.benchmark(name).load(None).samples
        kinds = {s.reference.key: s for s in samples if name != "demo" or "document" in s.id}
        sets[name] = [s.reference.rgb for s in kinds.values()]
    print("\nTaken for a page or a drawing, where BRISQUE and NIQE say nothing")
    found = {}
    for name, pictures in sets.items():
        share = float(np.mean([bool(natural.not_a_photograph(p)) for p in pictures]))
        print(f"  {name:22} {share:5.0%} of {len(pictures)}")
        found[f"drawn: {name}"] = round(share, 4)
    return found


def main() -> None:
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    print(json.dumps({**bench_speed(), **bench_damage(), **bench_pages()}))


if __name__ == "__main__":
    main()
