"""From an edit to a number by reading it: whole (`global`) and where it was edited (`local`).

The output is brought to the truth's size, so that there is one frame of coordinates; read by OCR,
the edited region from a crop of its own; its blocks are matched with the truth's by the distance
of their centres; and what stands in a pair is compared. VDE Bench (Yi et al. 2026), appendix F,
with what the paper leaves open decided: the cards of `benchmarks/vde.py` say how.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from overpaint.core import IDENTICAL, Edit, Evidence, Found, Measure, each, finding
from overpaint.document import Document
from overpaint.errors import NotApplicable
from overpaint.measures import pixel, text, trees
from overpaint.measures.background import fitted, picture
from overpaint.vision import clip, layout, page
from overpaint.vision.engines_model import Reader
from overpaint.vision.page import Block, Box

Setting = Literal["local", "global"]
SETTINGS: tuple[Setting, Setting] = ("local", "global")

# Blocks farther apart than this share of the page's diagonal are not each other's.
FARTHEST = 0.1
VERSION = f"1+page{layout.REVISION}"
NOT_ANNOTATED = "what the truth says was read by OCR, not annotated"

# The engine that reads unless a measure's name says otherwise, and what the others need.
ENGINE = "small"
NEEDS = {"small": (), "tiny": ("ocr-tiny-detector", "ocr-tiny-recogniser", "ocr-tiny-letters")}


@dataclass(frozen=True)
class Reading:
    """What was read in an output, what was to be read, and which blocks belong together."""

    found: tuple[Block, ...]
    truth: tuple[Block, ...]
    pairs: tuple[tuple[int, int], ...]  # (in found, in truth)
    notes: tuple[str, ...] = ()

    @property
    def texts(self) -> list[tuple[str, str]]:
        """What stands in each pair, the output's first."""
        return [(plain(self.found[f]), plain(self.truth[t])) for f, t in self.pairs]


def plain(block: Block) -> str:
    """What a block says, in one normal form; a table says its cells, row by row."""
    table = trees.table(block.text) if block.kind == "table" else None
    return text.normalised(" ".join(table.texts) if table else block.text)


# ── pictures ────────────────────────────────────────────────────────────────────────────


@finding()
def sized(evidence: Evidence, output: Document, truth: Document) -> Document:
    """The output at the truth's size: itself where it has it."""
    same = picture(evidence, output).shape == picture(evidence, truth).shape
    return output if same else Document.of(fitted(evidence, output, truth))


@finding(keep=True)
def sized_key(evidence: Evidence, output: Document, truth: Document) -> str:
    """The hash by which a resized output is read, so that others find what was read in it."""
    key: str = sized(evidence, output, truth).key
    return key


@finding()
def cropped(evidence: Evidence, document: Document, box: tuple[int, ...]) -> Document:
    """The part of a picture inside a box."""
    left, top, right, bottom = box
    return Document.of(picture(evidence, document)[top:bottom, left:right].copy())


def region_of(edit: Edit, evidence: Evidence) -> tuple[int, int, int, int]:
    """The edited region in pixels of the truth, inside the picture."""
    region, truth = edit.sample.facts.get("region"), target_of(edit)
    if not region:
        raise NotApplicable("The sample has no box of what was edited.")
    height, width = picture(evidence, truth).shape[:2]
    left, right = (min(max(int(region[at]), 0), width) for at in (0, 2))
    top, bottom = (min(max(int(region[at]), 0), height) for at in (1, 3))
    if right <= left or bottom <= top:
        raise NotApplicable("The box of what was edited lies outside the truth.")
    return left, top, right, bottom


def target_of(edit: Edit) -> Document:
    """The truth, which reading needs."""
    if edit.sample.target is None:
        raise NotApplicable("There is no truth to read.")
    return edit.sample.target


def views(edit: Edit, evidence: Evidence, setting: Setting) -> tuple[Document, Document]:
    """The output and the truth to be compared, of one size: pages, or crops of them."""
    assert edit.output is not None
    truth = target_of(edit)
    output = sized(evidence, edit.output, truth)
    if output is not edit.output:
        sized_key(evidence, edit.output, truth)
    if setting == "global":
        return output, truth
    box = region_of(edit, evidence)
    return cropped(evidence, output, box), cropped(evidence, truth, box)


# ── blocks ──────────────────────────────────────────────────────────────────────────────


def read(edit: Edit, evidence: Evidence, setting: Setting, engine: str | Reader) -> Reading:
    """The output's blocks beside the truth's, matched, in the frame of the truth's page."""
    found, true, notes = gathered(edit, evidence, setting, engine)
    found, true = ([block for block in side if _says_something(block)] for side in (found, true))
    height, width = picture(evidence, target_of(edit)).shape[:2]
    pairs = paired(found, true, math.hypot(width, height))
    return Reading(tuple(found), tuple(true), pairs, notes)


def gathered(
    edit: Edit, evidence: Evidence, setting: Setting, engine: str | Reader
) -> tuple[Sequence[Block], Sequence[Block], tuple[str, ...]]:
    """The blocks read in the output, the truth's as annotated or else read, and notes."""
    if not edit.sample.facts.keys() & {"region", "page_blocks"}:
        raise NotApplicable("The sample is no document: it says nothing of what stands on it.")
    output, truth = views(edit, evidence, setting)
    left, top = region_of(edit, evidence)[:2] if setting == "local" else (0, 0)
    found, true = layout.blocks(evidence, output, engine), truth_blocks(edit, setting)
    mine = [block.moved(left, top) for block in found]
    if true is not None:
        return mine, true, ()
    theirs = [block.moved(left, top) for block in layout.blocks(evidence, truth, engine)]
    return mine, theirs, (NOT_ANNOTATED,)


def _says_something(block: Block) -> bool:
    """Pictures and rules are blocks to some readers and nothing to others."""
    return block.kind == "table" or bool(plain(block))


def paired(
    found: Sequence[Block], true: Sequence[Block], diagonal: float
) -> tuple[tuple[int, int], ...]:
    """Blocks that belong together: tables with tables, anything else with anything else."""
    pairs: list[tuple[int, int]] = []
    for table in (False, True):
        mine, theirs = (
            [at for at, block in enumerate(side) if (block.kind == "table") == table]
            for side in (found, true)
        )
        boxes = [found[at].box for at in mine], [true[at].box for at in theirs]
        matched = text.match_blocks(*boxes, cap=FARTHEST * diagonal)
        pairs += [(mine[a], theirs[b]) for a, b in matched]
    return tuple(sorted(pairs, key=lambda pair: pair[1]))


def truth_blocks(edit: Edit, setting: Setting) -> tuple[Block, ...] | None:
    """What the data says stands in the truth; None where it does not say."""
    listed = edit.sample.facts.get("region_blocks" if setting == "local" else "page_blocks")
    return None if listed is None else page.from_json({"parsing_res_list": listed})


def boxes(blocks: Sequence[Block]) -> list[Box]:
    """Where blocks stand."""
    return [block.box for block in blocks]


# ── numbers ─────────────────────────────────────────────────────────────────────────────


def _empty(reading: Reading) -> float | None:
    """The score where there is nothing to pair: 1 if rightly so, 0 if not; else None."""
    if not reading.truth:
        return 0.0 if reading.found else 1.0
    return None if reading.pairs else 0.0


def _of_texts(name: str, reading: Reading) -> float:
    """The mean of one of the text scores over matched blocks."""
    if (known := _empty(reading)) is not None:
        return known
    found, true = zip(*reading.texts, strict=True)
    scores = [float(getattr(pair, name)) for pair in text.compare(found, true)]
    return sum(scores) / len(scores)


def _of_tables(reading: Reading) -> float:
    """The mean TEDS over the truth's tables; one that was not found is 0."""
    tables = [at for at, block in enumerate(reading.truth) if block.kind == "table"]
    if not tables:
        raise NotApplicable("There is no whole table in this part of the truth.")
    if any(trees.table(reading.truth[at].text) is None for at in tables):
        raise NotApplicable("A table in the truth is no HTML.")
    partner = {true: reading.found[found] for found, true in reading.pairs}
    scores = [
        _teds(partner[at].text, reading.truth[at].text)
        for at in tables
        if at in partner and partner[at].kind == "table"
    ]
    return sum(scores) / len(tables)


def _teds(found: str, true: str) -> float:
    """TEDS of two tables whose cells are in the normal form of all other text."""
    mine, theirs = (trees.table(html) for html in (found, true))
    if mine is None or theirs is None:
        return 0.0
    same = (replace(tree, texts=tuple(map(text.normalised, tree.texts))) for tree in (mine, theirs))
    return trees.similarity(*same)


def _of_boxes(which: str, reading: Reading) -> float:
    """One of the three means of IoU."""
    if (known := _empty(reading)) is not None:
        return known
    overlap = text.overlap(boxes(reading.found), boxes(reading.truth), reading.pairs)
    return float(getattr(overlap, which))


def _errors(reading: Reading) -> float:
    """Characters wrong, missing and too many, for each character of the truth."""
    length = sum(len(plain(block)) for block in reading.truth)
    if not length:
        raise NotApplicable("There is no text in the truth to get wrong.")
    wrong = sum(text.distance(*pair) for pair in reading.texts)
    found, true = ({pair[side] for pair in reading.pairs} for side in (0, 1))
    extra = [block for at, block in enumerate(reading.found) if at not in found]
    lost = [block for at, block in enumerate(reading.truth) if at not in true]
    return (wrong + sum(len(plain(block)) for block in extra + lost)) / length


@finding()
def compared(evidence: Evidence, output: Document, truth: Document) -> pixel.Joint:
    """MSE, PSNR and SSIM of two whole pictures of one size."""
    return pixel.joint(picture(evidence, truth), picture(evidence, output))


# ── measures ────────────────────────────────────────────────────────────────────────────


def by_reading(
    number: Callable[[Reading], float],
    engine: str | Reader,
    setting: Setting,
    edit: Edit,
    evidence: Evidence,
) -> Found:
    """What a formula makes of an edit as that engine reads it."""
    reading = read(edit, evidence, setting, engine)
    return Found(number(reading), (*_resizing(edit, evidence), *reading.notes))


def _by_pixels(name: str, setting: Setting, edit: Edit, evidence: Evidence) -> Found:
    value = compared(evidence, *views(edit, evidence, setting)).value(name)
    if math.isinf(value):
        raise NotApplicable(IDENTICAL)
    return Found(value, _resizing(edit, evidence))


def _by_lpips(setting: Setting, edit: Edit, evidence: Evidence) -> Found:
    from overpaint.measures import perceptual

    output, truth = (picture(evidence, view) for view in views(edit, evidence, setting))
    return Found(perceptual.lpips(truth, output, net="alex"), _resizing(edit, evidence))


def _by_clip(setting: Setting, edit: Edit, evidence: Evidence) -> Found:
    value = clip.picture_likeness(evidence, *views(edit, evidence, setting))
    return Found(value, (*clip.notes(evidence), *_resizing(edit, evidence)))


def _resizing(edit: Edit, evidence: Evidence) -> tuple[str, ...]:
    """The note of an output that had to be brought to the truth's size."""
    assert edit.output is not None
    before, after = (picture(evidence, d).shape for d in (edit.output, target_of(edit)))
    if before == after:
        return ()
    return (f"resized from {before[1]}×{before[0]} to {after[1]}×{after[0]} (Lanczos)",)


WHERE = {"local": "in the edited region", "global": "on the page"}
SHARE: dict[str, Any] = {"higher_is_better": True, "worst": 0.0, "best": 1.0}

# name: what makes a number of a reading, what it is, and which way is better.
FORMULAS: dict[str, tuple[Callable[[Reading], float], str, dict[str, Any]]] = {
    "iou": (partial(_of_boxes, "over_true"), "overlap of the truth's blocks with theirs", SHARE),
    "iou_pairs": (partial(_of_boxes, "over_pairs"), "overlap of matched blocks", SHARE),
    "iou_all": (partial(_of_boxes, "over_all"), "overlap over matched and unmatched blocks", SHARE),
    "cdm": (partial(_of_texts, "cdm"), "characters right in matched blocks", SHARE),
    "bleu4": (partial(_of_texts, "bleu4"), "BLEU-4 of matched blocks, tokens by script", SHARE),
    "teds_like": (partial(_of_texts, "teds_like"), "tokens right in matched blocks", SHARE),
    "teds": (_of_tables, "TEDS of the tables, a tree edit distance (Zhong 2020)", SHARE),
    "cer": (
        _errors,
        "characters wrong, missing and too many for each true one",
        {"higher_is_better": False, "worst": None, "best": 0.0},
    ),
}


def declare(
    name: str,
    score: Callable[..., Found],
    about: str,
    *,
    variant: str = "",
    tail: str = "",
    **declared: Any,
) -> tuple[Measure, Measure]:
    """A measure in the edited region and on the page, from a score of setting, edit, evidence."""
    local, whole = (
        Measure(
            full := f"{name}_{setting}{variant}",
            each(full, partial(score, setting)),
            about=f"{about}, {WHERE[setting]}{tail}",
            **declared,
        )
        for setting in SETTINGS
    )
    return local, whole


def both(name: str, engine: str = ENGINE) -> tuple[Measure, Measure]:
    """The measure of that name by reading with an engine."""
    number, about, declared = FORMULAS[name]
    variant = "" if engine == ENGINE else f"@{engine}"
    score = partial(by_reading, number, engine)
    return declare(
        name, score, about, variant=variant, version=VERSION, needs=NEEDS[engine], **declared
    )


iou_local, iou_global = both("iou")
iou_pairs_local, iou_pairs_global = both("iou_pairs")
iou_all_local, iou_all_global = both("iou_all")
cdm_local, cdm_global = both("cdm")
bleu4_local, bleu4_global = both("bleu4")
teds_like_local, teds_like_global = both("teds_like")
teds_local, teds_global = both("teds")
cer_local, cer_global = both("cer")
psnr_local, psnr_global = declare(
    "psnr", partial(_by_pixels, "psnr"), "PSNR of the mean MSE against the truth",
    higher_is_better=True, worst=0.0, best=None, unit="dB", pool="psnr",
)  # fmt: skip
psnr_mean_local, psnr_mean_global = declare(
    "psnr_mean", partial(_by_pixels, "psnr"),
    "mean of per-picture PSNR, as papers report it, against the truth",
    higher_is_better=True, worst=0.0, best=None, unit="dB",
)  # fmt: skip
ssim_local, ssim_global = declare(
    "ssim", partial(_by_pixels, "ssim"), "SSIM (Wang 2004) against the truth",
    higher_is_better=True, worst=-1.0, best=1.0,
)  # fmt: skip
lpips_local, lpips_global = declare(
    "lpips", _by_lpips, "LPIPS v0.1, AlexNet (Zhang 2018) against the truth",
    higher_is_better=False, worst=None, best=0.0, needs=("lpips-alex",),
)  # fmt: skip
clip_local, clip_global = declare(
    "clip", _by_clip, "cosine of CLIP image embeddings (Radford 2021) against the truth",
    higher_is_better=True, worst=-1.0, best=1.0, version="2",
)  # fmt: skip
