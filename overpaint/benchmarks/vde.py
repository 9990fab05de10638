"""VDE Bench: dense documents, judged by reading them. Three protocols over one loader.

Without `--data` the built-in set is used: 200 documents typeset by Overpaint, made on first use
and kept in the cache. With it, the released files or what `overpaint build vde` wrote.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from overpaint.benchmarks.vde_files import (
    BLOCKS_LIMIT,
    Entry,
    OcrFiles,
    find_lists,
    read_json,
    read_list,
    unique,
)
from overpaint.core import Card, Loaded, Repair, Request, Sample
from overpaint.document import Document
from overpaint.document.pictures import read_size
from overpaint.engines.released import in_pixels
from overpaint.errors import DataError, PictureError, UserMistake
from overpaint.measures.reading import ENGINE, FARTHEST
from overpaint.vision import page
from overpaint.vision.layout import REVISION
from overpaint.weights import cache_folder
from overpaint.work import Progress, silent


@dataclass(frozen=True)
class Vde:
    """The released data, a user's own, or the built-in set, under one of the protocols."""

    card: Card
    measures: tuple[str, ...]
    breakdowns: tuple[str, ...] = ("edit", "language", "document")

    def prepare(self, progress: Progress) -> None:
        """Make the built-in set where it is not there yet."""
        _built_in(progress)

    def load(self, data: Path | None) -> Loaded:
        """The samples below `data`, or the built-in ones."""
        if data is not None:
            return load_set(data)
        from overpaint.engines.album import other_data
        from overpaint.engines.documents import album

        folder = _built_in(silent)
        loaded = load_set(folder)
        return replace(loaded, repairs=(*loaded.repairs, *other_data(folder, album.REVISION)))


def load_set(folder: Path) -> Loaded:
    """The samples of a folder in the form VDE Bench is released in."""
    log: list[Repair] = []
    lists = find_lists(folder)
    entries = [entry for path in lists for entry in _entries(path, log)]
    if not entries:
        told = f" The first: {log[0].did}" if log else ""
        raise UserMistake(
            f"{folder} lists no sample of VDE Bench that can be used.{told}",
            "A JSON list of objects with image_input, image_output and instruction, beside its"
            " pictures, was expected.",
            "Leave --data away for the built-in set.",
        )
    ocr = OcrFiles(folder)
    samples = tuple(_sample(name, entry, ocr, log) for name, entry in unique(entries, log))
    return Loaded(samples, tuple(log), files=len(lists) + len(ocr))


def _built_in(progress: Progress) -> Path:
    """The folder of the built-in set, made where it is not there yet."""
    from overpaint.engines.documents import album

    folder = cache_folder() / f"vde-{album.REVISION[:12]}"
    if not folder.exists():
        album.write(folder, progress=partial(progress, "making"))
    return folder


def _entries(path: Path, log: list[Repair]) -> list[Entry]:
    try:
        return read_list(path, log)
    except DataError as error:
        log.append(Repair(path.name, "unreadable", str(error)))
        return []


def _sample(name: str, entry: Entry, ocr: OcrFiles, log: list[Repair]) -> Sample:
    return Sample(
        id=name,
        request=Request(
            Document(entry.source),
            entry.instruction,
            names=tuple(dict.fromkeys((name, *entry.names))),
        ),
        target=Document(entry.target),
        tags={"edit": entry.kind, "language": entry.language, "document": entry.document},
        facts={"instruction type": entry.kind, **_places(entry, log), **_blocks(entry, ocr, log)},
        cluster=entry.source.stem,
    )


def _places(entry: Entry, log: list[Repair]) -> dict[str, Any]:
    """The edited regions in pixels of the truth, and the one box that holds them."""
    if not entry.regions:
        return {}
    size = _size(entry, log)
    if size is None:
        return {}
    regions = [list(in_pixels(region, size)) for region in entry.regions]
    return {"regions": regions, "region": list(in_pixels(page.union(entry.regions), size))}


def _size(entry: Entry, log: list[Repair]) -> tuple[float, float] | None:
    """What the percent are of: the picture that is there, whatever its list says of it."""
    try:
        found = read_size(entry.target)
    except PictureError as error:
        if entry.size is None:
            log.append(Repair(entry.id, "unknown size", f"It has no local scores: {error}"))
        return entry.size
    if entry.size not in (None, found):
        did = f"The list says {entry.size}, the truth's own {found} was taken."
        log.append(Repair(entry.id, "other size", did))
    return found


def _blocks(entry: Entry, ocr: OcrFiles, log: list[Repair]) -> dict[str, Any]:
    """The truth's blocks where a file has them; else a measure reads the truth itself."""
    found: dict[str, Any] = {}
    for fact, local in (("page_blocks", False), ("region_blocks", True)):
        if path := ocr.of(entry, local=local):
            try:
                found[fact] = _parsed(read_json(path), entry.id, log)
            except DataError as error:
                log.append(Repair(entry.id, "unreadable", f"{error} The truth is read instead."))
        elif not local:
            log.append(Repair(entry.id, "no OCR file", "The truth is read instead."))
    return found


def _parsed(found: object, where: str, log: list[Repair]) -> list[Mapping[str, Any]]:
    """The blocks of an OCR file; one without any that can be read does not say "empty page"."""
    listed = found.get("parsing_res_list") if isinstance(found, Mapping) else None
    if not isinstance(listed, list):
        raise DataError("An OCR file is no JSON object with a parsing_res_list.")
    if len(listed) > BLOCKS_LIMIT:
        raise DataError(f"An OCR file has {len(listed):,} blocks; no page has {BLOCKS_LIMIT:,}.")
    blocks: list[Mapping[str, Any]] = page.to_json(page.from_json({"parsing_res_list": listed}))[
        "parsing_res_list"
    ]
    if listed and not blocks:
        raise DataError(f"None of the {len(listed)} blocks in an OCR file has a box and a text.")
    if lost := len(listed) - len(blocks):
        log.append(Repair(where, "unreadable", f"{lost} blocks of an OCR file were left out."))
    return blocks


# ── protocol cards ──────────────────────────────────────────────────────────────────────

_PAPER = (
    "Yi et al.: VDE Bench: Evaluating The Capability of Image Editing Models to Modify Visual"
    " Documents, 2026",
)
_CARD = Card(
    name="vde",
    data=(
        "VDE Bench: pages with an instruction, the edited truth, the box of the edit and the"
        " truth's blocks. Built in: 200 documents typeset by Overpaint, nine kinds, English and"
        " Chinese, seven edits, the text exact by construction. Where no file has the truth's"
        " blocks they are read by the same OCR, and a note says so."
    ),
    reference="the truth",
    region=(
        "local: a crop of the union of the boxes, read and compared by itself; global: the page."
        " Boxes are percent of the truth, in whole pixels that hold them"
    ),
    resizing="an output of another size is resized to the truth's by Lanczos before all else",
    alignment=(
        "none of pixels. Blocks that say something are matched one to one by the distance of their"
        f" centres, nearest first, ties by order, none farther than {FARTHEST:g} of the page's"
        " diagonal; tables with tables alone"
    ),
    aggregation=(
        "mean over a sample's matched blocks, then over samples; IoU over the truth's blocks,"
        " unmatched ones 0; none matched: 0; truth empty: 1 if the output is, else 0. BLEU-4 and"
        " TEDS-like on words for Latin script and characters for Chinese, texts in one normal form"
        " (NFKC, white space folded), tables by their cells. TEDS over the truth's tables. PSNR is"
        " that of the mean MSE. Intervals by bootstrap over source pages"
    ),
    failures=(
        "a missing score is never a number and stays in the denominator; coverage and the bounds"
        " if all that is missing were worst or best are shown"
    ),
    sources=_PAPER,
    judge=f"none; OCR by PP-OCRv6 {ENGINE} of rapidocr 3.10.0, blocks by revision {REVISION}",
)
_TEXT = ("cdm", "bleu4", "teds_like", "cer", "iou", "teds")
_PIXELS = ("psnr", "ssim", "lpips")


def _columns(names: Sequence[str], variant: str = "") -> tuple[str, ...]:
    """Local first: on a dense page almost everything is as it was, whoever edits it."""
    return tuple(f"{name}_{where}{variant}" for where in ("local", "global") for name in names)


vde = Vde(_CARD, _columns((*_TEXT, *_PIXELS)))
vde_paper = Vde(
    replace(
        _CARD,
        name="vde@paper",
        data=f"As the paper counts. {_CARD.data}",
        alignment=(
            "none of pixels. Blocks are matched one to one by the distance of their centres,"
            " nearest first, however far, whatever their kind"
        ),
        aggregation=(
            "mean over a sample's matched blocks, then over samples; samples without a match are"
            " left out of the text measures; IoU over the truth's blocks. BLEU-4 on words between"
            " spaces, also in Chinese, with additive smoothing; TEDS-like on the same words; texts"
            " as they are, tables as HTML. PSNR is the mean of per-page values, identical pages"
            " left out"
        ),
        failures="left out of the mean; coverage is shown beside it",
    ),
    (
        *_columns(("iou", "cdm", "bleu4", "teds_like"), "@paper"),
        *_columns(("psnr_mean", "ssim", "lpips", "clip")),
    ),
)
vde_official = Vde(
    replace(
        _CARD,
        name="vde@official",
        data=f"As the released scripts count, oddities included. {_CARD.data}",
        region=(
            "local: the page's blocks that touch a box, whole, also where they reach far beyond"
            " it; pixels: a crop; global: the page"
        ),
        resizing=(
            "none before OCR: boxes of an output of another size are compared in its own frame;"
            " pixels: Lanczos to the truth's size"
        ),
        alignment=(
            "none of pixels. Blocks are matched one to one by IoU, greatest first, from 0.1 up,"
            " whatever their kind"
        ),
        aggregation=(
            "IoU over all true blocks of all files together, text measures over all matched blocks"
            " of all files together. BLEU-4 on words between spaces, also in Chinese, with add-one"
            " smoothing: an identical Chinese sentence scores 2e-7. Tags become spaces before CDM"
            " and BLEU-4. TEDS only where either block is a table, by a top-down tree distance."
            " PSNR is the mean of per-page values, identical pages left out; SSIM has even windows"
            " of 7 pixels (scikit-image's default); FID is not computed, for want of weights."
            " Success: for a deletion, nothing is read in the box, so a missing file succeeds; else"
            " the texts are alike by .8 (difflib)"
        ),
        failures="a missing output is left out of every mean, but counts as empty for success",
        sources=(*_PAPER, "the evaluation scripts published with VDE Bench"),
    ),
    (
        *_columns(("iou", "cdm", "bleu4", "teds"), "@official"),
        "success@official",
        *_columns(("psnr_mean", "lpips", "clip")),
        *_columns(("ssim",), "@official"),
    ),
)
