"""Was every reference obeyed? One measure for each of MultiRef's ten kinds, 0–1, more is better.

What a reference's picture shows is read back from it, the output is looked at by the extractor that
found the reference, and the two are held together. An output of another size is brought to the
wanted one first. The default extractor looks where nobody said who found a reference.

    bbox          boxes matched one to one for the largest sum of IoU, over the larger number
    mask          IoU; several masks one to one with those found; one not found is 0
    semantic_map  panoptic quality, so that missing and extra regions cost; where the map is black
                  nothing is asked; maps of more than 2048 pixels are held together at that size
    depth, canny, sketch    1 − MSE of maps on [0, 1]; the MSE itself is ref_depth_mse …
    pose          OKS mAP of the picture; nobody found where someone was asked for is 0
    caption       min(1, 2.5 · max(0, cos)) by CLIP (Hessel et al. 2021)
    subject, style    max(0, cos) by CLIP, the mean over all of them

`subject_features` and `style_statistics` go by ImageNet features and by palette and texture. They
are other numbers than CLIP's, and enter no CLIP column and no average.
"""

from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.core import Edit, Evidence, Found, Measure, Sample, each, finding
from overpaint.document import Document
from overpaint.errors import NotApplicable, Undecided
from overpaint.measures import background
from overpaint.measures.oks import JOINTS, People, oks_map
from overpaint.measures.panoptic import compared
from overpaint.vision.references import (
    EXTRACTORS,
    Box,
    Extractor,
    Kind,
    Reference,
    extracted,
    extractor,
)
from overpaint.vision.references.told import Told, told_in

VERSION = "1"
CAPTION_SCALE = 2.5  # CLIPScore's w
LONGEST = 2048  # pixels of a map of regions: six of 8000×8000, held together, take gigabytes
Floats = NDArray[np.float64]
Size = tuple[int, int]  # width, height


# ── what was asked for, and what is there ───────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Looked:
    """References of one kind, and what the same extractor finds in an output."""

    asked: tuple[Any, ...]  # the value of each reference
    found: tuple[Any, ...]
    size: Size  # of the canvas
    notes: tuple[str, ...]
    maybe: tuple[Any, ...] = ()  # second thoughts: they can meet, and are never too much

    @classmethod
    def at(
        cls, asked: Sequence[Any], seen: Sequence[Reference], size: Size,
        notes: tuple[str, ...] = (),
    ) -> "Looked":  # fmt: skip
        """What was asked for beside what an extractor has seen."""
        found, maybe = (tuple(one.value for one in seen if one.maybe == so) for so in (False, True))
        return cls(tuple(asked), found, size, notes, maybe)


def asked_for(kind: Kind, sample: Sample) -> tuple[Told, ...]:
    """The sample's references of that kind; it must have one."""
    told = tuple(one for one in told_in(sample) if one.kind == kind)
    if not told:
        raise NotApplicable(f"The sample has no {kind} among its references.")
    return told


def looked(kind: Kind, edit: Edit, evidence: Evidence) -> Looked:
    """What the references of that kind show, and what is found of it in the output."""
    told = asked_for(kind, edit.sample)
    output, notes = at_size(edit, evidence)
    by, doubts = looks(told[0])
    size = bounded(output.size) if kind == "semantic_map" else output.size
    if size != output.size:
        notes += (f"looked at in {size[0]}×{size[1]}",)
    asked = tuple(shown(evidence, one, kind, size) for one in pictures(told, edit.sample))
    notes = (f"by {by.method} {by.exact}", *doubts, *notes)
    return Looked.at(asked, extracted(evidence, output, by), size, notes)


def bounded(size: Size) -> Size:
    """The size, or one of the same form whose longer side is as long as a map's may be."""
    scale = min(1.0, LONGEST / max(size))
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def looks(told: Told) -> tuple[Extractor, tuple[str, ...]]:
    """Who looks at the output for that kind, and what is to be said about that."""
    known = EXTRACTORS[told.kind]
    by = extractor(told.kind, told.method if told.method in known else "")
    if told.method in known and told.version not in ("", by.exact):
        return by, (f"the reference was found by version {told.version}",)
    if told.method not in known:
        who = f"made by {told.method}" if told.method else "found by nobody knows whom"
        return by, (f"the reference was {who}",)
    return by, ()


def pictures(told: Sequence[Told], sample: Sample) -> list[Document]:
    """The pictures of these references."""
    places = [one.place for one in told]
    return [sample.request.references[place] for place in places if place is not None]


def at_size(edit: Edit, evidence: Evidence) -> tuple[Document, tuple[str, ...]]:
    """The output in the wanted size: the truth's, else the source's."""
    assert edit.output is not None
    output, wanted = edit.output, edit.sample.reference
    if output.size == wanted.size:
        return output, ()
    (wide, high), (w, h) = output.size, wanted.size
    note = f"resized from {wide}×{high} to {w}×{h} (Lanczos)"
    return _fitted(evidence, output, wanted), (note,)


@finding()
def _fitted(evidence: Evidence, output: Document, wanted: Document) -> Document:
    return Document.of(background.fitted(evidence, output, wanted))


@finding()
def shown(evidence: Evidence, picture: Document, kind: Kind, size: Size) -> Any:
    """What a reference's picture shows, on a canvas of that size."""
    from overpaint.vision.references import drawing

    return drawing.read(kind, picture.rgb, size)


def nothing_shown(kind: Kind) -> NotApplicable:
    """What is said of a reference whose picture is empty."""
    return NotApplicable(f"The picture of the reference shows no {kind}.")


# ── places and shapes ───────────────────────────────────────────────────────────────────


def boxes_alike(asked: Sequence[Box], found: Sequence[Box], maybe: Sequence[Box] = ()) -> float:
    """The largest sum of IoU of boxes matched one to one, over the larger number; 1 of none.

    Second thoughts count among those found only where they are matched.
    """
    from scipy.optimize import linear_sum_assignment

    if not max(len(asked), len(found)):
        return 1.0
    alike = _box_ious(asked, [*found, *maybe])
    rows, columns = linear_sum_assignment(alike, maximize=True)
    best = alike[rows, columns]
    called = int(((columns >= len(found)) & (best > 0)).sum())
    return float(best.sum()) / max(len(asked), len(found) + called)


def _box_ious(asked: Sequence[Box], found: Sequence[Box]) -> Floats:
    a, b = (np.array(side, np.float64).reshape(-1, 4) for side in (asked, found))
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    common = np.prod(np.maximum(high - low, 0), axis=2)
    areas = [np.prod(np.maximum(side[:, 2:] - side[:, :2], 0), axis=1) for side in (a, b)]
    return _ratio(common, areas[0][:, None] + areas[1][None] - common)


def masks_alike(asked: Sequence[NDArray[np.bool_]], found: Sequence[NDArray[np.bool_]]) -> float:
    """The mean IoU of the masks asked for, each with one of those found; one without is 0."""
    common = np.array([[(a & b).sum() for b in found] for a in asked], np.float64)
    areas = [np.array([one.sum() for one in side], np.float64) for side in (asked, found)]
    common = common.reshape(len(asked), len(found))
    return _best_sum(_ratio(common, areas[0][:, None] + areas[1][None] - common)) / len(asked)


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)


def _best_sum(alike: Floats) -> float:
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(alike, maximize=True)
    return float(alike[rows, columns].sum())


def _bbox(seen: Looked) -> tuple[float, str]:
    sides = (seen.asked, seen.found, seen.maybe)
    asked, found, maybe = ([box for boxes in side for box in boxes] for side in sides)
    if not asked:
        raise nothing_shown("bbox")
    return boxes_alike(asked, found, maybe), counted("box", "boxes", asked, found)


def _mask(seen: Looked) -> tuple[float, str]:
    asked = [mask for mask in seen.asked if mask.any()]
    if not asked:
        raise nothing_shown("mask")
    every = (*seen.found, *seen.maybe)
    return masks_alike(asked, every), counted("mask", "masks", asked, seen.found)


def _semantic_map(seen: Looked) -> tuple[float, str]:
    if not any(labels.any() for labels in seen.asked):
        raise nothing_shown("semantic_map")
    none = np.zeros(seen.size[::-1], np.int32)
    # By the same pixels on every side, so that a map and itself stay the same.
    asked, found, maybe = (
        [_nearest(labels, bounded(seen.size)) for labels in side]
        for side in (seen.asked, seen.found or (none,), seen.maybe)
    )
    qualities = [compared(labels, found[0], maybe) for labels in asked]
    told = [f"{q.pairs} regions met, {q.missing} missing, {q.extra} extra" for q in qualities]
    return float(np.mean([quality.value for quality in qualities])), "; ".join(told)


def _nearest(labels: NDArray[Any], size: Size) -> NDArray[Any]:
    import cv2

    if labels.shape[1::-1] == size:
        return labels
    return np.asarray(cv2.resize(labels, size, interpolation=cv2.INTER_NEAREST))


def _pose(seen: Looked) -> tuple[float, str]:
    asked, found = (_people(side) for side in (seen.asked, seen.found))
    value = oks_map([People(asked, found)])
    if value is None:
        raise nothing_shown("pose")
    return value, counted("person", "people", asked, found)


def counted(one: str, many: str, asked: Sized, found: Sized) -> str:
    """How many were asked for and found, in words."""
    return f"{len(asked):,} {one if len(asked) == 1 else many} asked for, {len(found):,} found"


def _people(values: Sequence[Floats]) -> Floats:
    return np.concatenate([np.zeros((0, JOINTS, 3)), *values])


# ── maps ────────────────────────────────────────────────────────────────────────────────


def map_error(kind: Kind, seen: Looked) -> float:
    """The mean squared error of maps on [0, 1]."""
    if not seen.found:  # edges and lines always make a map; of one colour there is no depth
        raise Undecided(f"No {kind} is found in the output.")
    found = seen.found[0]
    errors = [np.square(asked.astype(np.float32) - found).mean() / 255**2 for asked in seen.asked]
    return float(np.mean(errors))


def _map(kind: Kind, seen: Looked) -> tuple[float, str]:
    error = map_error(kind, seen)
    return 1 - error, f"MSE {error:.4f}"


# ── as measures ─────────────────────────────────────────────────────────────────────────

_ALIKE: Mapping[Kind, Callable[[Looked], tuple[float, str]]] = {
    "bbox": _bbox, "mask": _mask, "semantic_map": _semantic_map, "pose": _pose,
    "depth": partial(_map, "depth"), "canny": partial(_map, "canny"),
    "sketch": partial(_map, "sketch"),
}  # fmt: skip


def met(kind: Kind, seen: Looked) -> float:
    """How well what was asked for is met by what was found, 0–1, for kinds with an extractor."""
    return _ALIKE[kind](seen)[0]


def _found_again(kind: Kind, edit: Edit, evidence: Evidence) -> Found:
    seen = looked(kind, edit, evidence)
    value, told = _ALIKE[kind](seen)
    return Found(value, (told, *seen.notes))


def _error(kind: Kind, edit: Edit, evidence: Evidence) -> Found:
    seen = looked(kind, edit, evidence)
    return Found(map_error(kind, seen), seen.notes)


def _caption(edit: Edit, evidence: Evidence) -> Found:
    from overpaint.vision import clip

    assert edit.output is not None
    told, output = asked_for("caption", edit.sample), edit.output
    found = [clip.text_likeness(evidence, one.text, output) for one in told]
    values = [min(1.0, CAPTION_SCALE * max(0.0, cosine)) for cosine in found]
    notes = clip.notes(evidence, *(one.text for one in told))
    return Found(float(np.mean(values)), (f"cosine {_listed(found)}", *notes))


def _by_clip(kind: Kind, edit: Edit, evidence: Evidence) -> Found:
    from overpaint.vision import clip

    found = _alike(kind, clip.picture_likeness, edit, evidence)
    return replace(found, notes=(*found.notes, *clip.notes(evidence)))


def _by_features(evidence: Evidence, one: Document, other: Document) -> float:
    from overpaint.vision import features

    return features.likeness(evidence, one, other)


def _by_statistics(evidence: Evidence, one: Document, other: Document) -> float:
    from overpaint.vision.references import styles

    return styles.likeness(one.rgb, other.rgb)


_Likeness = Callable[[Evidence, Document, Document], float]


def _alike(kind: Kind, likeness: _Likeness, edit: Edit, evidence: Evidence) -> Found:
    """The mean over all references of the kind; what points away counts as nothing."""
    assert edit.output is not None
    shown_in = pictures(asked_for(kind, edit.sample), edit.sample)
    found = [likeness(evidence, one, edit.output) for one in shown_in]
    values = [min(1.0, max(0.0, one)) for one in found]
    return Found(float(np.mean(values)), (_listed(found),) if len(found) > 1 else ())


def _listed(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:.3f}" for number in numbers)


def _measure(
    name: str, function: Callable[[Edit, Evidence], Found], about: str, **declared: Any
) -> Measure:
    ends = {"higher_is_better": True, "worst": 0.0, "best": 1.0, "version": VERSION}
    return Measure(name, each(name, function), about=about, **{**ends, **declared})


def _by_extractor(kind: Kind, about: str) -> Measure:
    return _measure(f"ref_{kind}", partial(_found_again, kind), about, **_looker(kind))


def _squared(kind: Kind) -> Measure:
    return _measure(
        f"ref_{kind}_mse", partial(_error, kind),
        f"mean squared error of the {kind} found again, on [0, 1], as MultiRef tells it",
        higher_is_better=False, worst=1.0, best=0.0, **_looker(kind),
    )  # fmt: skip


def _looker(kind: Kind) -> dict[str, Any]:
    """What a number by the default extractor hangs on, whatever weights a machine has."""
    by = extractor(kind)
    return {"version": f"{VERSION}+{by.method}/{by.version}", "needs": by.needs}


ref_bbox = _by_extractor("bbox", "boxes found again: sum of matched IoU over the larger number")
ref_mask = _by_extractor("mask", "masks found again: IoU; one that is not found is 0")
ref_semantic_map = _by_extractor(
    "semantic_map", "regions found again: panoptic quality, missing and extra ones cost"
)
ref_pose = _by_extractor("pose", "people's joints found again: OKS mAP of the picture (COCO)")
ref_depth = _by_extractor("depth", "depth found again: 1 − MSE on [0, 1]")
ref_canny = _by_extractor("canny", "edges found again: 1 − MSE on [0, 1]")
ref_sketch = _by_extractor("sketch", "lines found again: 1 − MSE on [0, 1]")
ref_depth_mse, ref_canny_mse = _squared("depth"), _squared("canny")
ref_sketch_mse = _squared("sketch")
ref_caption = _measure(
    "ref_caption", _caption, "the caption by CLIP: min(1, 2.5 · max(0, cos)) (Hessel 2021)"
)
ref_subject = _measure(
    "ref_subject", partial(_by_clip, "subject"), "all subjects by CLIP: mean of max(0, cos)"
)
ref_style = _measure(
    "ref_style", partial(_by_clip, "style"), "all styles by CLIP: mean of max(0, cos)"
)
subject_features = _measure(
    "subject_features", partial(_alike, "subject", _by_features),
    "all subjects by ImageNet features (MobileNetV2): cosine; no CLIP score, in no average",
    needs=("features",),
)  # fmt: skip
style_statistics = _measure(
    "style_statistics", partial(_alike, "style", _by_statistics),
    "all styles by palette and texture statistics; no CLIP score, in no average",
)  # fmt: skip
