"""Planted damage through MultiRef's measures: which kinds notice what, and by how much."""

import multiprocessing
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from multiref_damages import DAMAGES, FORMS, OWN, STEPS, cases, damaged, main_mask, stored
from numpy.typing import NDArray

from overpaint.core import Edit, Evidence, Request, Sample
from overpaint.document import Document, Pixels
from overpaint.engines.refblend.agreement import kept_up
from overpaint.engines.scenes.compose import drawn
from overpaint.measures import references as measures
from overpaint.vision.references import Kind, drawing, extractor
from overpaint.vision.references.told import Told, facts_of

KINDS: tuple[Kind, ...] = ("bbox", "mask", "semantic_map", "canny", "sketch", "pose")
CASES = 16
Scores = dict[str, float]


def sample_of(pixels: Pixels, main: NDArray[np.bool_]) -> Sample:
    """A sample with every reference that RefBlend would make of a picture, which is its truth.

    Of several masks it is the one that has most in common with the thing that will be moved.
    """
    size = (pixels.shape[1], pixels.shape[0])
    told, pictures = list[Told](), list[Document]()
    for kind in KINDS:
        found = kept_up(extractor(kind), pixels)
        if kind == "mask":
            found.sort(key=lambda one: -float((one.value & main).sum() / (one.value | main).sum()))
        for reference in found[:1]:
            who = (reference.method, reference.version)
            told.append(Told(kind, f"<{kind}>", len(pictures), "", *who))
            pictures.append(Document.of(drawing.drawn(reference, size)))
    request = Request(Document.of(np.full_like(pixels, 128)), "", tuple(pictures))
    return Sample("case", request, Document.of(pixels), facts=facts_of(told))


def scores(sample: Sample, pixels: Pixels) -> Scores:
    """Every kind's score of a picture; what does not apply is left out."""
    edit, evidence = Edit(sample, "damage", "ok", Document.of(pixels)), Evidence()
    found = {}
    for kind in KINDS:
        (score,) = getattr(measures, f"ref_{kind}").score([edit], evidence)
        if score.value is not None:
            found[kind] = float(score.value)
        elif score.status != "not_applicable":
            raise SystemExit(f"{kind}: {score.status}: {score.reason}")
    return found


def case(number: int) -> dict[str, Scores]:
    """The scores of one scene: its truth, an unrelated picture, every damage and every form."""
    cv2.setNumThreads(1)
    plan, other = cases(number + 2)[number:]
    truth = drawn(plan).pixels
    sample = sample_of(truth, main_mask(plan))
    unrelated = cv2.resize(drawn(other).pixels, truth.shape[1::-1], interpolation=cv2.INTER_AREA)
    found = {"truth": scores(sample, truth), "unrelated": scores(sample, np.asarray(unrelated)),
             "grey": scores(sample, np.full_like(truth, 128))}  # fmt: skip
    for form in FORMS:
        found[form] = scores(sample, stored(truth, form))
    for damage in DAMAGES:
        for step in STEPS:
            found[f"{damage} {step}"] = scores(sample, damaged(plan, damage, step))
    return found


def table(limit: int | None) -> dict[str, Any]:
    """The tables of all cases."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        found = list(pool.map(case, range(limit or CASES)))
    means = {
        name: {kind: _mean(found, name, kind) for kind in KINDS} for name in found[0]
    }  # fmt: skip
    counts = {kind: sum(kind in one["truth"] for one in found) for kind in KINDS}
    figures = {"cases": len(found), "applies": counts, "truth": means["truth"],
               "unrelated": means["unrelated"], "grey": means["grey"]}  # fmt: skip
    print(f"{len(found)} held-out scenes; means\n{'':14}" + "".join(f"{k:>14}" for k in KINDS))
    for name in ("truth", "unrelated", "grey", *FORMS):
        print(f"{name:14}" + "".join(f"{means[name][kind]:14.4f}" for kind in KINDS))
    figures["forms"] = {form: _worst_cost(means, form) for form in FORMS}
    return figures | _damage(means)


def _mean(found: Sequence[Mapping[str, Scores]], name: str, kind: str) -> float:
    values = [one[name][kind] for one in found if kind in one["truth"] and kind in one[name]]
    return float(np.mean(values)) if values else float("nan")


def _worst_cost(means: Mapping[str, Scores], form: str) -> dict[str, float]:
    costs = {kind: round(means["truth"][kind] - means[form][kind], 4) for kind in KINDS}
    worst = max(costs, key=lambda kind: costs[kind])
    print(f"{form}: costs at most {costs[worst]:.4f} ({worst}); asked: under .02")
    return costs


def _damage(means: Mapping[str, Scores]) -> dict[str, Any]:
    """What each damage costs every kind, as a share of what an unrelated picture costs.

    A grey one would be no measure: lines cover little, so drawing none is better than some.
    """
    print("\ndamage: share of the way from the truth to an unrelated picture, steps 1 to 5")
    told: dict[str, Any] = {}
    for damage, own in OWN.items():
        rows = {kind: [_share(means, f"{damage} {step}", kind) for step in STEPS] for kind in KINDS}
        fall = [means["truth"][own], *(means[f"{damage} {step}"][own] for step in STEPS)]
        steady = all(b <= a + 1e-9 for a, b in pairwise(fall))
        top = [max(rows[kind][at] for kind in KINDS) for at in range(len(STEPS))]
        most = [step for step in STEPS if rows[own][step - 1] >= top[step - 1] - 1e-9]
        told[damage] = {"own": own, "monotone": steady, "own_most_in_steps": most, "shares": rows,
                        "own_scores": [round(value, 4) for value in fall]}  # fmt: skip
        verdict = f"falls {'steadily' if steady else 'NOT steadily'}, most of all in {len(most)}/5"
        print(f"{damage} (own kind: {own}; {verdict})")
        for kind in KINDS:
            mark = "→" if kind == own else " "
            print(f"  {mark} {kind:14}" + "".join(f"{share:8.3f}" for share in rows[kind]))
    return {"damage": told}


def _share(means: Mapping[str, Scores], name: str, kind: str) -> float:
    whole = means["truth"][kind] - means["unrelated"][kind]
    return round((means["truth"][kind] - means[name][kind]) / whole, 4)
