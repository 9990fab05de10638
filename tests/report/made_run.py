"""Runs made on the spot for the report's tests: real pictures, a real store, given scores."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from overpaint.core import Card, Edit, Request, Sample, Score
from overpaint.document import Document
from overpaint.store import Store, keep_picture

CARD = Card("toy", "made in tests", "target", "all", "none", "none", "mean", "counted", ("us",))
MEASURES = ("mse", "psnr", "ssim")

# What an attacker would call a sample, an editor, a tag, an instruction or a reason.
HOSTILE = (
    "</script><script>window.hacked=1</script>",
    '"><img src=x onerror=window.hacked=1>',
    "'; window.hacked=1; '",
    '=HYPERLINK("http://evil.example","x")',
    "\\input{secret} $x$ & 100% #_^~ {}",
    "a | b | [c](javascript:window.hacked=1) `d` **e** <b>f</b>",
    "line\nbreak\r\x1b[31mred\u202eeltit\u2028",
    "<!--<script>",
)


@dataclass(frozen=True)
class Made:
    """One edit to be put into a run: its picture or failure, and its scores."""

    shade: int | None  # grey of the output; None: the editor failed
    mse: float | None = None
    ssim: float | None = None
    notes: tuple[str, ...] = ()
    reason: str = ""


def picture(path: Path, shade: int, *, size: tuple[int, int] = (60, 40)) -> Document:
    """A grey picture with a corner that tells up from down."""
    pixels = np.full((size[1], size[0], 3), shade, np.uint8)
    pixels[: size[1] // 4, : size[0] // 4] = 255 - shade
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)
    return Document(path)


def make_sample(folder: Path, name: str, number: int = 0, **more: Any) -> Sample:
    """A sample with source, target and mask on disk."""
    here = folder / f"s{number}"
    settings: dict[str, Any] = {
        "target": picture(here / "target.png", 200 - number % 50),
        "masks": (picture(here / "mask.png", 0),),
        "tags": {"operation": ("change", "delete")[number % 2], "split": "one"},
        "cluster": f"c{number}",
    }
    request = Request(picture(here / "source.png", 100 + number % 100), f"Turn {number} round.")
    return Sample(name, request, **(settings | more))


def make_run(
    folder: Path, samples: list[Sample], edits: dict[str, list[Made | None]], **info: Any
) -> Path:
    """A run in which each editor (`name` or `name=spec`) made what is listed, sample by sample."""
    facts = {
        "benchmark": "toy", "card": asdict(CARD), "card_id": CARD.id,
        "versions": {"overpaint": "0.1.0"},
        "command": ["overpaint", "run", "toy"], "created": "2026-11-15T12:00:00+00:00", "seed": 0,
        "breakdowns": ["operation", "split"], "weights": {}, "data": "made",
    }  # fmt: skip
    with Store.create(folder) as store:
        store.note(**(facts | info))
        store.add_samples(samples)
        for name in MEASURES:
            store.add_measure(name, name, "1")
        for text, made in edits.items():
            name, _, spec = text.rpartition("=")
            name = name or spec
            store.add_editor(name, spec)
            for sample, one in zip(samples, made, strict=True):
                if one is not None:
                    _put(store, folder, sample, name, one)
    return folder


def _put(store: Store, folder: Path, sample: Sample, editor: str, made: Made) -> None:
    if made.shade is None:
        edit = Edit(sample, editor, "editor_failed", reason=made.reason)
        store.put_edit(edit)
        reason = f"editor_failed: {made.reason}"
        store.put_scores([Score(edit, name, None, "no_edit", reason) for name in MEASURES], {})
        return
    output = keep_picture(folder, picture(folder / "new.png", made.shade))
    edit = Edit(sample, editor, "ok", output, notes=made.notes, seconds=0.25)
    store.put_edit(edit)
    store.put_scores([_score(edit, name, made) for name in MEASURES], {})


def _score(edit: Edit, name: str, made: Made) -> Score:
    if name == "ssim":
        if made.ssim is None:
            why = "The weights are missing. `overpaint get thing` gets them."
            return Score(edit, name, None, "unavailable", why)
        return Score(edit, name, made.ssim, notes=made.notes)
    assert made.mse is not None
    if name == "mse":
        return Score(edit, name, made.mse)
    if made.mse == 0:
        return Score(edit, name, None, "not_applicable", "identical")
    return Score(edit, name, float(10 * np.log10(255**2 / made.mse)))


def usual_run(folder: Path, *, samples: int = 8, **info: Any) -> Path:
    """Two editors, a floor and a ceiling; one failure, one missing measure, one not asked yet."""
    these = [make_sample(folder / "data", f"a/{n:03}", n) for n in range(samples)]
    rng = np.random.default_rng(1)
    errors = rng.uniform(10, 400, samples)
    good = [Made(150 + n % 50, float(e), 0.9 + n / 1000) for n, e in enumerate(errors)]
    poor: list[Made | None] = [
        Made(60, float(e) + 300, 0.5 + n / 1000) for n, e in enumerate(errors)
    ]
    poor[1] = Made(None, reason="The command ended with exit code 1.")
    poor[2] = Made(70, 500.0, None, notes=("resized from 10×10",))
    poor[3] = None
    truth = [Made(200 - n % 50, 0.0, 1.0) for n in range(samples)]
    same = [Made(100 + n % 100, 0.0, 1.0) for n in range(samples)]
    edits: dict[str, list[Made | None]] = {
        "good=outputs:good": [*good], "poor=outputs:poor": poor,
        "identity": [*same], "truth": [*truth],
    }  # fmt: skip
    return make_run(folder, these, edits, **info)
