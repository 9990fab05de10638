"""The 33 real samples of TextEditBench: what is understood, done and refused, and what it leaves.

Understood means that the parser made ops of the prompt; done, that the editor gave a picture back.
The background is what stands outside the sample's masks; its MSE is the benchmark's own measure,
against the truth where there is one and against the source where there is none. The best published
mean is 160, of all 1,196 samples.
"""

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import typeset_sheets

from overpaint import catalog
from overpaint.cli.progress import Bar
from overpaint.core import Edit, Evidence, Sample
from overpaint.document import Document, Pixels
from overpaint.document.instruct import parse
from overpaint.editors.typeset import Typeset
from overpaint.errors import OverpaintError
from overpaint.measures import background

PUBLISHED = 160.0  # mean background MSE of the best model in the paper
SIDE = 400  # pixels of a picture on the contact sheet


@dataclass(frozen=True)
class Got:
    """What became of one sample."""

    sample: Sample
    status: str
    reason: str = ""
    understood: bool = False
    mse: float | None = None  # outside the masks, as the benchmark measures it
    moved: float | None = None  # the same against the source: what the edit itself changed there
    output: Document | None = None


def bench(limit: int | None, keep: Path | None) -> dict[str, Any] | None:
    """Print and return the figures; nothing where the samples are not there."""
    folder = Path(os.environ.get("OVERPAINT_FIXTURES", "."), "texteditbench", "samples")
    if not folder.is_dir():
        print("The real pictures are left out: OVERPAINT_FIXTURES has no texteditbench.")
        return None
    cv2.setNumThreads(1)
    samples = catalog.benchmark("textedit").load(folder).samples[:limit]
    bar, found, evidence = Bar(), list[Got](), Evidence()
    for number, sample in enumerate(samples):
        found.append(_done(sample, evidence))
        bar("pictures", number + 1, len(samples))
    if keep:
        typeset_sheets.write_rows(keep, "pictures", [(_label(g), _shown(g)) for g in found])
    return _report(found)


def _done(sample: Sample, evidence: Evidence) -> Got:
    try:
        parse(sample.request.instruction)
    except OverpaintError as error:
        return Got(sample, "refused", str(error))
    try:
        output = Typeset()(sample.request)
        made = Document.of(output.rgb)
    except OverpaintError as error:
        return Got(sample, error.status or "failed", str(error), understood=True)
    edit = Edit(sample, "typeset", "ok", made)
    (score,) = background.mse.score([edit], evidence)
    return Got(sample, "ok", score.reason, True, score.value, _moved(sample, made, evidence), made)


def _moved(sample: Sample, made: Document, evidence: Evidence) -> float | None:
    """The squared change outside the masks, against the source, nothing aligned."""
    outside = ~background.editable(evidence, sample.request.source, *sample.masks)
    apart = made.rgb.astype(np.float64) - sample.request.source.rgb
    return float((apart[outside] ** 2).mean()) if outside.any() else None


def _report(found: list[Got]) -> dict[str, Any]:
    done = [got for got in found if got.status == "ok"]
    known = [got.mse for got in done if got.mse is not None]
    moved = [got.moved for got in done if got.moved is not None]
    figures = {
        "samples": len(found),
        "understood": sum(got.understood for got in found),
        "done": len(done),
        "of_these_unchanged": sum(_unchanged(got) for got in done),
        "refused": dict(Counter(got.status for got in found if got.status != "ok")),
        "background_mse": round(float(np.mean(known)), 2) if known else None,
        "background_mse_against_source": round(float(np.mean(moved)), 4) if moved else None,
        "published_best": PUBLISHED,
    }
    print(f"\nReal pictures: {len(found)} samples, {figures['understood']} understood,",
          f"{len(done)} done, {figures['of_these_unchanged']} of them without a changed pixel;",
          f"mean background MSE {figures['background_mse']}",
          f"({figures['background_mse_against_source']} against the source),",
          f"published best {PUBLISHED:g}")  # fmt: skip
    for got in found:
        told = f"MSE {got.mse}" if got.status == "ok" else got.reason
        print(f"  {got.sample.id} {got.status}: {got.sample.request.instruction[:120]!r} | {told}")
    return figures


def _unchanged(got: Got) -> bool:
    return got.output is not None and np.array_equal(got.output.rgb, got.sample.request.source.rgb)


def _label(got: Got) -> str:
    told = "" if got.mse is None else f"MSE {got.mse:.1f} "
    return f"{got.status}  {got.sample.request.instruction[:150]}  {told}{got.reason[:90]}"


def _shown(got: Got) -> tuple[Pixels, ...]:
    """Source, output and truth, shrunk."""
    pictures = [got.sample.request.source, got.output or got.sample.request.source]
    pictures += [got.sample.target] if got.sample.target else []
    shown = []
    for picture in pictures:
        scale = SIDE / max(picture.rgb.shape[:2])
        shown.append(
            cv2.resize(picture.rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        )
    return tuple(np.asarray(one) for one in shown)
