"""The text measures as VDE Bench's paper defines them: `vde@paper`.

Blocks are matched however far apart, texts compared as they stand, and BLEU counts words between
spaces, also in Chinese. A sample without a matched block is left out, as the paper leaves it.
"""

from collections.abc import Callable
from functools import partial

from overpaint.core import Edit, Evidence, Found, Measure
from overpaint.errors import NotApplicable
from overpaint.measures import reading, text
from overpaint.measures.reading import ENGINE, SHARE, Reading, Setting
from overpaint.measures.vde_official import bleu4_paper, teds_like_paper


def _read(edit: Edit, evidence: Evidence, setting: Setting) -> Reading:
    found, true, notes = reading.gathered(edit, evidence, setting, ENGINE)
    pairs = text.match_blocks(reading.boxes(found), reading.boxes(true), cap=None)
    return Reading(tuple(found), tuple(true), tuple(pairs), notes)


def _of_texts(
    formula: Callable[[str, str], float], setting: Setting, edit: Edit, evidence: Evidence
) -> Found:
    read = _read(edit, evidence, setting)
    if not read.pairs:
        raise NotApplicable("No block is matched, and the paper leaves such samples out.")
    scores = [formula(read.found[f].text, read.truth[t].text) for f, t in read.pairs]
    return Found(sum(scores) / len(scores), read.notes)


def _of_boxes(setting: Setting, edit: Edit, evidence: Evidence) -> Found:
    read = _read(edit, evidence, setting)
    if not read.truth:
        raise NotApplicable("No block is true, and the paper leaves such samples out.")
    overlap = text.overlap(reading.boxes(read.found), reading.boxes(read.truth), read.pairs)
    return Found(overlap.over_true, read.notes)


def _both(name: str, about: str, score: Callable[..., Found]) -> tuple[Measure, Measure]:
    return reading.declare(
        name, score, about, variant="@paper", tail=", as the paper has it",
        version=reading.VERSION, **SHARE,
    )  # fmt: skip


iou_local, iou_global = _both("iou", "overlap of the truth's blocks with theirs", _of_boxes)
cdm_local, cdm_global = _both(
    "cdm", "characters right in matched blocks", partial(_of_texts, text.cdm)
)
bleu4_local, bleu4_global = _both(
    "bleu4", "BLEU-4 of matched blocks on words between spaces", partial(_of_texts, bleu4_paper)
)
teds_like_local, teds_like_global = _both(
    "teds_like", "words right in matched blocks", partial(_of_texts, teds_like_paper)
)
