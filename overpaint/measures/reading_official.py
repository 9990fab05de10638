"""The text measures as VDE Bench's released scripts compute them: `vde@official`.

Each score weighs as many blocks as it is the mean of, so that a table's number is the scripts'
mean over the blocks of all files together. The formulas are in `vde_official.py`.
"""

from functools import partial

from overpaint.core import Edit, Evidence, Found, Measure, each
from overpaint.errors import NotApplicable
from overpaint.measures import reading, vde_official
from overpaint.measures.reading import ENGINE, SHARE, Setting
from overpaint.vision import layout
from overpaint.vision.page import Block

# The fields of a pool: what is added up, and over what it is a mean.
SUMS = {
    "iou": ("iou", "true"), "cdm": ("cdm", "matched"), "bleu4": ("bleu", "matched"),
    "teds": ("teds", "tables"),
}  # fmt: skip


def _blocks(
    edit: Edit, evidence: Evidence
) -> tuple[tuple[Block, ...], tuple[Block, ...], tuple[str, ...]]:
    """The page's blocks, found and true, each in the frame of its own picture, and notes."""
    found = layout.blocks(evidence, edit.output, ENGINE) if edit.output else ()
    true = reading.truth_blocks(edit, "global")
    if true is not None:
        return found, true, ()
    true = layout.blocks(evidence, reading.target_of(edit), ENGINE)
    return found, true, (reading.NOT_ANNOTATED,)


def _mean(name: str, setting: Setting, edit: Edit, evidence: Evidence) -> Found:
    found, true, notes = _blocks(edit, evidence)
    if setting == "local":
        boxes = _regions(edit)
        found, true = (tuple(vde_official.touching(side, boxes)) for side in (found, true))
    total, count = (float(getattr(vde_official.page(found, true), part)) for part in SUMS[name])
    if not count:
        raise NotApplicable("The scripts count no block of this page.")
    return Found(total / count, notes, weight=count)


def _succeeds(edit: Edit, evidence: Evidence) -> Found:
    """The share of a sample's boxes that the scripts call a success, a missing output's too."""
    found, true, notes = _blocks(edit, evidence)
    kind = str(edit.sample.facts.get("instruction type", ""))
    boxes = _regions(edit)
    passed = [vde_official.succeeds(found, true, box, instruction_type=kind) for box in boxes]
    return Found(sum(passed) / len(passed), notes, weight=len(passed))


def _ssim(setting: Setting, edit: Edit, evidence: Evidence) -> Found:
    output, truth = (view.rgb for view in reading.views(edit, evidence, setting))
    return Found(vde_official.ssim_official(truth, output))


def _regions(edit: Edit) -> list[tuple[float, float, float, float]]:
    listed = edit.sample.facts.get("regions") or ()
    if not listed:
        raise NotApplicable("The sample has no box of what was edited.")
    return [(left, top, right, bottom) for left, top, right, bottom in listed]


_declare = partial(reading.declare, variant="@official", tail=", as the released script has it")


def _both(name: str, about: str) -> tuple[Measure, Measure]:
    score = partial(_mean, name)
    return _declare(name, score, about, version=reading.VERSION, pool="weighted", **SHARE)


iou_local, iou_global = _both("iou", "overlap over all true blocks of all files")
cdm_local, cdm_global = _both("cdm", "characters right over all matched blocks of all files")
bleu4_local, bleu4_global = _both("bleu4", "add-one BLEU-4 over all matched blocks of all files")
teds_local, teds_global = _both("teds", "top-down TEDS over matched pairs with a table")
ssim_local, ssim_global = _declare(
    "ssim", _ssim, "SSIM with even windows against the truth",
    higher_is_better=True, worst=-1.0, best=1.0,
)  # fmt: skip
success = Measure(
    "success@official",
    each("success@official", _succeeds),
    about="edited boxes that the released script calls a success; a missing file can be one",
    version=reading.VERSION,
    pool="weighted",
    asks_all=True,
    **SHARE,
)
