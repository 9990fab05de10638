"""Measures of what an edit was to leave alone, and one of what it was to change.

An output is resized to its reference where sizes differ, laid over it, and compared where
nothing was to change. Each stage is evidence: done once for all measures.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from overpaint.core import IDENTICAL, Edit, Evidence, Found, Measure, each, finding
from overpaint.document import Document, Pixels
from overpaint.errors import NotApplicable, OverpaintError, PictureError
from overpaint.measures import alignment, pixel
from overpaint.measures.alignment import Transform, find_transform, lay, reach
from overpaint.measures.pixel import Mask
from overpaint.measures.tiles import eroded

# Every number here is of an aligned pair, so it changes its version when alignment does.
VERSION = f"1+align{alignment.VERSION}"
WHITE = 128  # a mask pixel from here up says "may change"; JPEG masks have grey edges
LANCZOS = 3  # pixels its window reaches, of the smaller of the two pictures


class Pair(NamedTuple):
    """A reference, an output laid over it, where they are to be compared, and what was done."""

    reference: Pixels
    output: Pixels
    counts: Mask
    notes: tuple[str, ...]


# ── evidence ────────────────────────────────────────────────────────────────────────────────


@finding()
def picture(evidence: Evidence, document: Document) -> Pixels:
    """The flattened pixels of a document."""
    return document.rgb


@finding()
def editable(evidence: Evidence, like: Document, *masks: Document) -> Mask:
    """Where an edit may change the picture: the union of the masks, at the size of `like`."""
    import cv2

    height, width = picture(evidence, like).shape[:2]
    union = np.zeros((height, width), bool)
    for mask in masks:
        # What is transparent in a mask was not painted, so it is not white.
        *colours, alpha = (plane >= WHITE for plane in cv2.split(mask.layers[0].pixels))
        white = (colours[0] | colours[1] | colours[2]) & alpha
        if white.shape != union.shape:
            raise PictureError(
                f"The mask {mask.path} is {_size(white)}, its picture {width}×{height}.",
                "A mask has the size of the picture it belongs to.",
            )
        union |= white
    return union


@finding()
def fitted(evidence: Evidence, output: Document, reference: Document) -> Pixels:
    """The output at the reference's size."""
    fixed, moving = picture(evidence, reference), picture(evidence, output)
    if moving.shape == fixed.shape:
        return np.asarray(moving)
    return resized(moving, fixed.shape[1], fixed.shape[0])


@finding(version=alignment.VERSION, keep=True)
def movement(
    evidence: Evidence, output: Document, reference: Document, *masks: Document
) -> dict[str, Any]:
    """How the output is to be laid over the reference, judged by what was not to change."""
    moving, fixed = fitted(evidence, output, reference), picture(evidence, reference)
    counts = None
    if masks:
        reaches = reach(alignment.IN_PLACE, _spread(picture(evidence, output), fixed))
        counts = eroded(~editable(evidence, reference, *masks), *reaches)
    return asdict(find_transform(moving, fixed, mask=counts))


@finding()
def laid_over(evidence: Evidence, output: Document, reference: Document, *masks: Document) -> Pair:
    """The output resized and aligned to the reference; `counts` is where it has a source."""
    fixed, moving = picture(evidence, reference), fitted(evidence, output, reference)
    notes, before = output.notes, picture(evidence, output).shape
    if before != fixed.shape:
        notes += (f"resized from {before[1]}×{before[0]} to {_size(fixed)} (Lanczos)",)
    aligned = lay(moving, Transform(**movement(evidence, output, reference, *masks)))
    if aligned.verdict != "identity":
        cover = "" if aligned.failed else f" {aligned.valid.mean():.0%} of it has a source."
        notes += (f"{'not ' if aligned.failed else ''}aligned: {aligned.reason}{cover}",)
    return Pair(fixed, aligned.picture, aligned.valid, notes)


@finding()
def background(evidence: Evidence, output: Document, reference: Document, *masks: Document) -> Pair:
    """The pair to compare: counting is what has a source and depends on nothing that may change."""
    pair: Pair = laid_over(evidence, output, reference, *masks)
    found = Transform(**movement(evidence, output, reference, *masks))
    reaches = reach(found, _spread(picture(evidence, output), pair.reference))
    counts = pair.counts & eroded(~editable(evidence, reference, *masks), *reaches)
    if not counts.any():
        raise NotApplicable("The mask leaves no pixel to compare: " + _why_none(*reaches))
    return pair._replace(counts=counts)


@finding()
def joint(
    evidence: Evidence, output: Document, reference: Document, *masks: Document
) -> pixel.Joint:
    """MSE, PSNR, SSIM and GMSD of the background, in one call."""
    pair = background(evidence, output, reference, *masks)
    return pixel.joint(pair.reference, pair.output, pair.counts)


def resized(pixels: Pixels, width: int, height: int) -> Pixels:
    """The picture at another size, by Pillow's Lanczos filter."""
    image = Image.fromarray(pixels).resize((width, height), Image.Resampling.LANCZOS)
    return np.asarray(image)


def _spread(before: Pixels, after: Pixels) -> tuple[float, float]:
    """How far from the centre of a resized pixel lies what it depends on, across and down."""
    scales = [after.shape[axis] / before.shape[axis] for axis in (1, 0)]
    # The window, and half of the last pixel in it; an axis that stays is not filtered.
    across, down = (
        0.5 if scale == 1 else LANCZOS * max(scale, 1.0) + scale / 2 for scale in scales
    )
    return across, down


def _why_none(across: int, down: int) -> str:
    if not across and not down:
        return "the whole picture may change."
    return f"resizing and moving carry what may change {across} px across and {down} px down."


def _size(pixels: Any) -> str:
    return f"{pixels.shape[1]}×{pixels.shape[0]}"


# ── from an edit to a number ────────────────────────────────────────────────────────────────


def _documents(edit: Edit) -> tuple[Document, ...]:
    assert edit.output is not None
    return (edit.output, edit.sample.reference, *edit.sample.masks)


@contextmanager
def _answering(formula: Callable[..., float], edit: Edit, evidence: Evidence) -> Iterator[None]:
    """Whether a question arises is the sample's to say: an output that leaves too little fails.

    Else a shrunken or far-moved output would leave the denominator instead of counting.
    """
    try:
        yield
    except NotApplicable as none:
        _, reference, *masks = _documents(edit)
        fixed, outside = picture(evidence, reference), ~editable(evidence, reference, *masks)
        try:
            formula(fixed, fixed, outside)
        except NotApplicable:
            raise none from None
        raise OverpaintError(f"The output leaves too little to compare. {none}") from None


def _part(name: str, edit: Edit, evidence: Evidence) -> Found:
    """One of the joint measures."""
    documents = _documents(edit)
    with _answering(getattr(pixel, name), edit, evidence):
        found = joint(evidence, *documents).value(name)
    if math.isinf(found):
        raise NotApplicable(IDENTICAL)  # no error, so no ratio
    return Found(found, background(evidence, *documents).notes)


def _whole(formula: Callable[..., float], edit: Edit, evidence: Evidence) -> Found:
    """A measure with a pass of its own over the same pair."""
    with _answering(formula, edit, evidence):
        pair = background(evidence, *_documents(edit))
        return Found(formula(pair.reference, pair.output, pair.counts), pair.notes)


def _inside(edit: Edit, evidence: Evidence) -> Found:
    """The other side of the mask: is what was to change as the truth has it?"""
    if edit.sample.target is None:
        raise NotApplicable("There is no truth to hold the edited region against.")
    output, reference, *masks = _documents(edit)
    pair = laid_over(evidence, output, reference, *masks)
    counts = pair.counts & editable(evidence, reference, *masks)
    return Found(pixel.mse(pair.reference, pair.output, counts), pair.notes)


def _fsim(name: str, edit: Edit, evidence: Evidence) -> Found:
    from overpaint.measures import fsim as features

    return _whole(getattr(features, name), edit, evidence)


def _lpips(net: str, edit: Edit, evidence: Evidence) -> Found:
    from overpaint.measures import perceptual

    return _whole(partial(perceptual.lpips, net=net), edit, evidence)


def _measure(
    name: str, function: Callable[[Edit, Evidence], Found], about: str, **declared: Any
) -> Measure:
    return Measure(name, each(name, function), about=about, version=VERSION, **declared)


_ERROR = {"higher_is_better": False, "best": 0.0}
_RATIO = {"higher_is_better": True, "worst": 0.0, "best": None, "unit": "dB"}

mse = _measure(
    "mse", partial(_part, "mse"), "mean squared error outside the mask, 0–255 scale",
    worst=255.0**2, **_ERROR,
)  # fmt: skip
mse_inside = _measure(
    "mse_inside", _inside, "mean squared error inside the mask, against the truth",
    worst=255.0**2, **_ERROR,
)  # fmt: skip
psnr = _measure(
    "psnr", partial(_part, "psnr"), "PSNR of the mean MSE outside the mask",
    pool="psnr", **_RATIO,
)  # fmt: skip
psnr_mean = _measure(
    "psnr_mean", partial(_part, "psnr"), "mean of per-picture PSNR, as papers report it", **_RATIO
)
ssim = _measure(
    "ssim", partial(_part, "ssim"), "SSIM over windows wholly outside the mask (Wang 2004)",
    higher_is_better=True, worst=-1.0, best=1.0,
)  # fmt: skip
ms_ssim = _measure(
    "ms_ssim", partial(_whole, pixel.ms_ssim), "multi-scale SSIM outside the mask (Wang 2003)",
    higher_is_better=True, worst=0.0, best=1.0,
)  # fmt: skip
gmsd = _measure(
    # A deviation of similarities in 0–1 is at most a half.
    "gmsd", partial(_part, "gmsd"), "gradient magnitude deviation outside the mask (Xue 2014)",
    worst=0.5, **_ERROR,
)  # fmt: skip
fsim = _measure(
    "fsim", partial(_fsim, "fsim"), "feature similarity outside the mask (Zhang 2011)",
    higher_is_better=True, worst=0.0, best=1.0,
)  # fmt: skip
fsimc = _measure(
    "fsimc", partial(_fsim, "fsimc"), "FSIM with colour outside the mask (Zhang 2011)",
    higher_is_better=True, worst=0.0, best=1.0,
)  # fmt: skip
lpips = _measure(
    "lpips", partial(_lpips, "alex"), "LPIPS v0.1, AlexNet, outside the mask (Zhang 2018)",
    worst=None, needs=("lpips-alex",), **_ERROR,
)  # fmt: skip
lpips_vgg = _measure(
    "lpips_vgg", partial(_lpips, "vgg"), "LPIPS v0.1, VGG-16, outside the mask (Zhang 2018)",
    worst=None, needs=("lpips-vgg",), **_ERROR,
)  # fmt: skip
