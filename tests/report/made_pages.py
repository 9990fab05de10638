"""A run over dense pages, made on the spot: regions, blocks, and what OCR would have read."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from made_run import CARD
from PIL import Image, ImageDraw

from overpaint.core import Edit, Evidence, Measure, Request, Sample, Score
from overpaint.document import Document
from overpaint.store import Store, keep_picture
from overpaint.vision import layout, ocr, tables_model

WIDE, HIGH = 420, 560
LINE = 24
WORDS = ("Invoice", "of", "the", "harbour", "office", "for", "Friday", "berth", "seven", "crane")


def nothing(edits: Any, evidence: Any) -> list[Score]:
    return []


cdm_global = Measure("cdm_global", nothing, True, 0.0, 1.0, about="characters right, whole page")
cdm_local = Measure("cdm_local", nothing, True, 0.0, 1.0, about="characters right, edited region")
ssim = Measure("ssim", nothing, True, -1.0, 1.0, about="likeness")
MEASURES = (cdm_global, cdm_local, ssim)


@dataclass(frozen=True)
class Page:
    """A page of lines of text, some of them changed."""

    lines: tuple[str, ...]

    @property
    def blocks(self) -> list[dict[str, Any]]:
        return [
            {"block_bbox": [30, 20 + LINE * n, 30 + 6 * len(text), 36 + LINE * n],
             "block_content": text, "block_label": "text"}
            for n, text in enumerate(self.lines)
        ]  # fmt: skip

    def save(self, path: Path, *, size: tuple[int, int] = (WIDE, HIGH)) -> Document:
        image = Image.new("RGB", (WIDE, HIGH), "white")
        pen = ImageDraw.Draw(image)
        for block in self.blocks:
            pen.text(block["block_bbox"][:2], block["block_content"], "black")
        path.parent.mkdir(parents=True, exist_ok=True)
        image.resize(size).save(path)
        return Document(path)


def page_of(number: int, *, changed: str = "") -> Page:
    """A page of its own; its fifth line is what is edited."""
    random = np.random.default_rng(number)
    lines = [" ".join(random.choice(WORDS, 9)) for _ in range(21)]
    lines[4] = changed or f"due on Friday, {number}"
    return Page(tuple(lines))


def make_sample(folder: Path, number: int, **facts: Any) -> Sample:
    here = folder / f"p{number}"
    truth = page_of(number, changed=f"due on Monday, {number}")
    known: dict[str, Any] = {
        "region": [28, 112, 200, 136], "page_blocks": truth.blocks,
        "region_blocks": truth.blocks[4:5], "instruction type": "text replacement",
    }  # fmt: skip
    source = page_of(number).save(here / "source.png")
    request = Request(source, f'Replace "Friday" with "Monday" in line {number}.')
    return Sample(
        f"page/{number:03}", request, truth.save(here / "truth.png"),
        tags={"edit": "text replacement"}, facts=known | facts, cluster=f"p{number}",
    )  # fmt: skip


# By editor: the edited line and the scores (cdm_global, cdm_local, ssim).
MADE = {
    "half=outputs:half": ("due on Monnay, {}", (0.985, 0.8, 0.95)),
    "worse=outputs:worse": ("", (0.9, 0.1, 0.7)),
    "identity": ("due on Friday, {}", (0.98, 0.6, 0.96)),
    "truth": ("due on Monday, {}", (0.99, 1.0, 1.0)),
}


def paged_run(
    folder: Path, *, samples: int = 6, editors: tuple[str, ...] = tuple(MADE), **info: Any
) -> Path:
    """Four editors on some pages; what each page says was read and kept."""
    these = [make_sample(folder / "data", number) for number in range(samples)]
    facts = {"benchmark": "pages", "card": {}, "card_id": CARD.id, "seed": 0,
             "breakdowns": ["edit"], "created": "2026-11-15T12:00:00+00:00"}  # fmt: skip
    with Store.create(folder) as store:
        store.note(**(facts | info))
        store.add_samples(these)
        for measure in MEASURES:
            store.add_measure(measure.name, f"{__file__}:{measure.name}", "1")
        for text in editors:
            name, _, spec = text.rpartition("=")
            store.add_editor(name or spec, spec)
            for number, sample in enumerate(these):
                _put(store, sample, number, text)
    return folder


def _put(store: Store, sample: Sample, number: int, text: str) -> None:
    line, scores = MADE[text]
    page = page_of(number, changed=line.format(number) or " ")
    output = keep_picture(store.folder, page.save(store.folder / "new.png"))
    name = text.split("=", maxsplit=1)[0]
    edit = Edit(sample, name, "ok", output, seconds=0.5)
    store.put_edit(edit)
    moved = (number % 3 - 1) / 100 if name in ("half", "worse") else 0.0
    made = [
        Score(edit, measure.name, value + moved)
        for measure, value in zip(MEASURES, scores, strict=True)
    ]
    store.put_scores(made, kept_reading(output, page))


def kept_reading(output: Document, page: Page) -> dict[str, str]:
    """The evidence that a measure would have left, had OCR read the page as it was written."""
    blocks = [block for block in page.blocks if block["block_content"].strip()]
    if len(blocks) < len(page.lines):
        stain = {"block_bbox": [300, 420, 390, 500], "block_content": "~", "block_label": "text"}
        blocks.append(stain)
    version = f"{ocr.version('small')}/{layout.REVISION}/{tables_model.version()}"
    evidence = Evidence()
    read = replace(layout._kept_blocks, compute=lambda *_: {"parsing_res_list": blocks})
    evidence.get(read, (output, "small", version))
    return evidence.fresh
