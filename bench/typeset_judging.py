"""One case of the typeset bench judged: pixels in its region, pixels outside, and what is read.

The region's SSIM and PSNR are of the region alone; a side of fewer than 11 pixels, the window of
SSIM, is widened to 11. LPIPS sees the region in a window of at least 64 pixels. What is read is
the whole line, cropped with a fifth of its size around it and bordered with the pixels of its rim,
by `tiny` and by Tesseract, neither of which the editor uses; it is right where it equals what the
line should say but for spacing and width (`measures.text.normalised`).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from typeset_cases import Box, Case, Pixels, build, grown
from typeset_fonts import HELD_OUT

from overpaint.core import Request
from overpaint.document import Document
from overpaint.errors import OverpaintError, Unavailable
from overpaint.measures import perceptual, pixel
from overpaint.measures.text import normalised
from overpaint.vision import ocr

READERS = ("tiny", "tesseract")
LEAST_CHINESE = 20  # pixels: below, Tesseract reads little Chinese even of clean pages
AROUND = 40  # pixels of a contact sheet's crop around the region


@dataclass(frozen=True)
class Seen:
    """What became of a case under one editor."""

    status: str  # ok, refused, failed
    reason: str = ""
    ssim: float = 0.0
    psnr: float = 0.0
    lpips: float | None = None
    outside: int = 0  # pixels outside the region that differ from the source
    said: dict[str, str] = field(default_factory=dict)  # by reader
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judged:
    """A case without its pictures, and what each editor made of it."""

    name: str
    group: str
    ground: str
    language: str
    family: str
    size: float
    mode: str
    kind: str
    change: str
    layout: str
    align: str
    instruction: str
    wanted: str
    covered: float
    digest: str
    rows: dict[str, Seen]
    crops: tuple[Pixels, ...] = ()  # source, edit, truth

    def right(self, row: str, reader: str) -> bool | None:
        """Whether a reader reads the line right; None where it was not asked."""
        said = self.rows[row].said.get(reader) if row in self.rows else None
        return None if said is None else normalised(said) == normalised(self.wanted)


# ── editors ─────────────────────────────────────────────────────────────────────────────

_MADE: dict[bool, Any] = {}


def editor(adapt: bool = True) -> Callable[[Request], Document]:
    """The editor, with a library that has none of the held-out families; made once a process."""
    if adapt not in _MADE:
        from overpaint.document.text import fonts
        from overpaint.editors.typeset import Typeset

        library = fonts.here().without(*HELD_OUT)
        assert not set(HELD_OUT) & set(library.families())
        assert not any(library.family(name) for name in HELD_OUT)
        _MADE[adapt] = Typeset(library=library, adapt=adapt)
    made: Callable[[Request], Document] = _MADE[adapt]
    return made


def edited(case: Case, adapt: bool) -> tuple[Pixels | None, Seen]:
    """What the editor makes of a case, or why it makes nothing."""
    request = Request(Document.of(case.source), case.instruction)
    run = editor(adapt)
    start = time.process_time()
    try:
        found = run(request)
        pixels = found.rgb
    except OverpaintError as error:
        spent = time.process_time() - start
        return None, Seen(error.status or "failed", str(error), seconds=spent)
    spent = time.process_time() - start
    if pixels.shape != case.source.shape:
        return None, Seen("failed", f"the picture became {pixels.shape}", seconds=spent)
    return pixels, Seen("ok", seconds=spent, notes=found.notes)


# ── judging ─────────────────────────────────────────────────────────────────────────────


def judge(group: str, number: int, *, ours: bool, keep: bool, crashed: str = "") -> Judged:
    """One case under the floors, the ceilings and, where it is there, the editor."""
    cv2.setNumThreads(1)
    case = build(group, number)
    rows = {
        "identity": measured(case, case.source, Seen("ok"), read=False),
        "truth": measured(case, case.truth, Seen("ok")),
        "perfect": measured(case, case.perfect, Seen("ok"), read=False),
    }
    if case.again is not None:
        rows["again"] = measured(case, case.again, Seen("ok"))
    shown = case.source
    for row, adapt in (("typeset", True), ("nearest", False)):
        if ours and (adapt or group == "held-out"):
            pixels, seen = (None, Seen("failed", crashed)) if crashed else edited(case, adapt)
            rows[row] = measured(case, pixels, seen)
            shown = pixels if adapt and pixels is not None else shown
    return described(case, rows, _crops(case, shown) if keep else ())


def described(case: Case, rows: dict[str, Seen], crops: tuple[Pixels, ...]) -> Judged:
    """A case without its pictures."""
    plan, line = case.plan, case.target.line
    return Judged(
        plan.name, plan.group, plan.ground, plan.language, plan.font.family, plan.size, plan.mode,
        case.target.kind, plan.change, case.layout, line.align, case.instruction, case.wanted,
        case.covered, case.digest, rows, crops,
    )  # fmt: skip


def measured(case: Case, pixels: Pixels | None, seen: Seen, *, read: bool = True) -> Seen:
    """The figures of a picture; one that was not made counts as the source left as it is."""
    made = case.source if pixels is None else pixels
    left, top, right, bottom = wide(case.region, made.shape, pixel.WINDOW)
    one, other = made[top:bottom, left:right], case.truth[top:bottom, left:right]
    one, other = np.ascontiguousarray(one), np.ascontiguousarray(other)
    return Seen(
        seen.status, seen.reason,
        ssim=pixel.ssim(one, other), psnr=pixel.psnr(one, other),
        lpips=_lpips(case, made) if case.plan.group == "held-out" else None,
        outside=_outside(case, made),
        said=readings(case, made) if read and pixels is not None else {},
        seconds=seen.seconds, notes=seen.notes,
    )  # fmt: skip


def _outside(case: Case, made: Pixels) -> int:
    differs = (made != case.source).any(axis=2)
    left, top, right, bottom = case.region
    differs[top:bottom, left:right] = False
    return int(differs.sum())


def _lpips(case: Case, made: Pixels) -> float | None:
    left, top, right, bottom = wide(case.region, made.shape, 64)
    pair = [np.ascontiguousarray(p[top:bottom, left:right]) for p in (made, case.truth)]
    try:
        return perceptual.lpips(pair[0], pair[1])
    except Unavailable:
        return None


def wide(box: Box, shape: tuple[int, ...], least: int) -> Box:
    """The box, no side of it shorter than so much, within the picture."""
    spans = []
    for low, high, end in ((box[0], box[2], shape[1]), (box[1], box[3], shape[0])):
        more = max(0, least - (high - low))
        start = min(max(0, low - more // 2), end - max(least, high - low))
        spans.append((start, start + max(least, high - low)))
    return spans[0][0], spans[1][0], spans[0][1], spans[1][1]


def readings(case: Case, made: Pixels) -> dict[str, str]:
    """What the readers make of the line; a reader that is not here or not asked is left out."""
    by = max(2, round(0.2 * case.plan.size))
    left, top, right, bottom = grown(case.line_box, made.shape, by)
    rim = (12, 12, 16, 16)
    crop = np.ascontiguousarray(made[top:bottom, left:right])
    crop = np.asarray(cv2.copyMakeBorder(crop, *rim, cv2.BORDER_REPLICATE))
    found = {}
    for reader in READERS:
        if reader == "tiny" or case.plan.language == "english" or case.plan.size >= LEAST_CHINESE:
            try:
                found[reader] = line_of(crop, reader)
            except Unavailable:
                continue
    return found


def line_of(crop: Pixels, reader: str) -> str:
    """What a reader sees in a crop of one line, from left to right."""
    return " ".join(line.text for line in sorted(ocr.read(crop, reader), key=lambda x: x.box[0]))


def _crops(case: Case, shown: Pixels) -> tuple[Pixels, ...]:
    left, top, right, bottom = grown(case.region, shown.shape, AROUND)
    pictures = (case.source, shown, case.truth)
    return tuple(np.ascontiguousarray(p[top:bottom, left:right]) for p in pictures)
