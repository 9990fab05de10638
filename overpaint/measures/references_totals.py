"""Fidelity to all references of a sample, and MultiRef's AVG over the ten kinds.

`ref_fidelity` is the mean over a sample's references, where references of one kind share its score.
It is there only where all of them have a score. `ref_fidelity_rules` is the same over the kinds
that are measured by rules and without the user's own weights: boxes, masks, regions, edges, lines
and poses. Depth, captions, subjects and styles are outside of it by definition, whatever weights a
machine has, so that it means the same everywhere.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from overpaint.core import Edit, Evidence, Measure, Score, each
from overpaint.errors import NotApplicable
from overpaint.measures import references
from overpaint.measures.columns import OWN_WEIGHTS
from overpaint.measures.references_average import fidelity_average
from overpaint.vision.references import KINDS, Kind
from overpaint.vision.references.told import told_in

RULES: tuple[Kind, ...] = ("bbox", "mask", "pose", "semantic_map", "canny", "sketch")
# In the order of the paper's Table 6.
PARTS = (
    "ref_bbox", "ref_semantic_map", "ref_mask", "ref_depth", "ref_canny", "ref_sketch",
    "ref_caption", "ref_pose", "ref_subject", "ref_style",
)  # fmt: skip


def _mean(
    name: str, kinds: Sequence[Kind], edits: Sequence[Edit], evidence: Evidence
) -> Iterable[Score]:
    return (_of_edit(name, kinds, edit, evidence) for edit in edits)


def _of_edit(name: str, kinds: Sequence[Kind], edit: Edit, evidence: Evidence) -> Score:
    """The mean over its references of these kinds, or what became of the first without a score."""
    counts = Counter(one.kind for one in told_in(edit.sample) if one.kind in kinds)
    if not counts:
        why = f"The sample has none of these among its references: {', '.join(kinds)}."
        return Score(edit, name, None, "not_applicable", why)
    found: dict[Kind, float] = {}
    by: dict[str, None] = {}  # the user's own weights
    for kind in counts:
        (part,) = _of_kind(kind).score([edit], evidence)
        if part.value is None:
            return Score(edit, name, None, part.status, f"{part.measure}: {part.reason}")
        found[kind] = part.value
        by |= dict.fromkeys(filter(OWN_WEIGHTS.fullmatch, part.notes))
    mean = math.fsum(counts[kind] * value for kind, value in found.items()) / counts.total()
    told = ", ".join(f"{kind} {value:.3f}" for kind, value in found.items())
    return Score(edit, name, mean, notes=(told, *by))


def _of_kind(kind: Kind) -> Measure:
    measure: Measure = getattr(references, f"ref_{kind}")
    return measure


def from_means(means: Sequence[float]) -> float:
    """Table 6's AVG, of the ten columns' means; the errors are columns of 1 − MSE here."""
    found = [min(max(mean, 0.0), 1.0) if -1e-9 < mean < 1 + 1e-9 else mean for mean in means]
    bbox, regions, mask, depth, canny, sketch, caption, pose, subject, style = found
    return fidelity_average(
        bbox_iou=bbox, semantic_map_iou=regions, mask_iou=mask, depth_mse=1 - depth,
        canny_mse=1 - canny, sketch_mse=1 - sketch, caption_clip=caption, pose_map=pose,
        subject_clip=subject, style_clip=style,
    )  # fmt: skip


def _of_an_editor(edit: Edit, evidence: Evidence) -> float:
    raise NotApplicable(
        "ref_average is of an editor: it is computed once, from the means of the ten kinds.",
        "ref_fidelity is that of one output.",
    )


def _total(name: str, kinds: Sequence[Kind], about: str) -> Measure:
    parts = [_of_kind(kind) for kind in kinds]
    return Measure(
        name, partial(_mean, name, kinds), higher_is_better=True, worst=0.0, best=1.0,
        version="+".join(dict.fromkeys("+".join(part.version for part in parts).split("+"))),
        needs=tuple(dict.fromkeys(need for part in parts for need in part.needs)), about=about,
    )  # fmt: skip


ref_fidelity = _total(
    "ref_fidelity", KINDS, "mean over a sample's references; there only where all have a score"
)
ref_fidelity_rules = _total(
    "ref_fidelity_rules", RULES,
    f"the same over {', '.join(RULES)} alone: depth, caption, subject and style are outside of it"
    " by definition",
)  # fmt: skip
ref_average = Measure(
    "ref_average", each("ref_average", _of_an_editor), higher_is_better=True, worst=0.0, best=1.0,
    version=references.VERSION, parts=PARTS, whole=from_means,
    about="AVG of MultiRef's Table 6: the plain mean of the ten kinds' columns",
)  # fmt: skip
