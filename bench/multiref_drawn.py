"""Extractors held against what was drawn: boxes, masks, regions and poses of held-out scenes."""

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from overpaint.engines import scenes
from overpaint.errors import Unavailable
from overpaint.measures.oks import People, oks_map
from overpaint.measures.panoptic import compared
from overpaint.measures.references import boxes_alike, masks_alike
from overpaint.vision.references import EXTRACTORS, Extractor, Hints, Kind, extractor

SEED = 737
COUNT = 40  # scenes, all of the held-out half
LOOKED: tuple[Kind, ...] = ("bbox", "mask", "semantic_map", "pose")


def _boxes(scene: scenes.Scene, found: Sequence[Any]) -> float:
    return boxes_alike([t.box for t in scene.things], found[0] if found else ())


def _masks(scene: scenes.Scene, found: Sequence[Any]) -> float:
    return masks_alike([thing.mask for thing in scene.things], found)


def _regions(scene: scenes.Scene, found: Sequence[Any]) -> float:
    return compared(scene.regions, found[0]).value if found else 0.0


def _poses(scene: scenes.Scene, found: Sequence[Any]) -> float | None:
    people = found[0] if found else np.zeros((0, 17, 3))
    return oks_map([People(scene.joints, people)]) if len(scene.joints) else None


HELD: dict[Kind, tuple[str, Callable[[scenes.Scene, Sequence[Any]], float | None]]] = {
    "bbox": ("box IoU, matched, over the larger number", _boxes),
    "mask": ("mask IoU of all things", _masks),
    "semantic_map": ("panoptic quality of all regions", _regions),
    "pose": ("OKS mAP of the people", _poses),
}


def look(number: int) -> dict[str, Any]:
    """What every extractor that is here scores on one scene, by kind and method."""
    import cv2

    cv2.setNumThreads(1)
    scene = scenes.scene(2 * number + 1, seed=SEED)
    scored: dict[str, Any] = {"caption": scene.caption, "things": len(scene.things)}
    for kind in LOOKED:
        for method in EXTRACTORS[kind]:
            try:
                found = _sure(scene, extractor(kind, method))
            except Unavailable:
                continue
            value = HELD[kind][1](scene, found)
            if value is not None:
                scored[f"{kind} {method}"] = round(float(value), 4)
    main = max(scene.things, key=lambda thing: int(thing.mask.sum()))
    masks = _sure(scene, extractor("mask"))
    scored["main thing salient"] = round(float(masks_alike([main.mask], masks)), 4)
    return scored


def _sure(scene: scenes.Scene, by: Extractor) -> list[Any]:
    """What is found, without second thoughts: no reference would be made of those."""
    return [one.value for one in by.find(scene.pixels, Hints()) if not one.maybe]


def table(limit: int | None) -> dict[str, Any]:
    """Means, medians and the worst of each extractor."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        found = list(pool.map(look, range(limit or COUNT)))
    print(f"\n{len(found)} held-out scenes, against what was drawn")
    figures: dict[str, Any] = {"scenes": len(found)}
    for name in [one for one in dict.fromkeys(k for f in found for k in f) if " " in one]:
        kind = name.split(" ")[0]
        values = np.array([one[name] for one in found if name in one])
        figures[name] = {"mean": round(float(values.mean()), 4), "n": len(values),
                         "median": round(float(np.median(values)), 4),
                         "under_half": int((values < 0.5).sum())}  # fmt: skip
        about = {k: told for k, (told, _) in HELD.items()}.get(kind, "IoU of the largest thing")
        print(f"{name:24} mean {values.mean():.3f}  median {np.median(values):.3f}  "
              f"under .5: {(values < 0.5).sum()} of {len(values)}   {about}")  # fmt: skip
    print("worst failures of the defaults")
    figures["failures"] = list(_failures(found))
    return figures


def _failures(found: Sequence[dict[str, Any]]) -> Any:
    for kind in LOOKED:
        name = f"{kind} {next(iter(EXTRACTORS[kind]))}"
        for one in sorted((one for one in found if name in one), key=lambda one: one[name])[:3]:
            print(f"  {name:24} {one[name]:.3f}  {one['caption']}")
            yield {"extractor": name, "score": one[name], "caption": one["caption"]}
