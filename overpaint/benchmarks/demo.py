"""The demo: posters, signs, labels, screens and documents drawn by our own code and shipped.

Source and truth are the same outside the mask, bit for bit, so every number is about the editor.
`python -m overpaint.engines.posters OUT` draws the posters again, or a larger set to load from
OUT; `python -m overpaint.engines.documents.sampler OUT/documents` the documents beside them.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from overpaint.benchmarks.vde import load_set
from overpaint.core import Card, Loaded, Repair, Request, Sample
from overpaint.document import Document
from overpaint.errors import DataError
from overpaint.measures.alignment import ALIGNMENT

SHIPPED = Path(__file__).parent / "demo_set"
INDEX, DOCUMENTS = "samples.json", "documents"
OPERATIONS = {"replacement": "change", "addition": "insert", "deletion": "delete"}
# What the shipped index hashes to; it holds a hash of every sample's pixels.
REVISION = "6d1bdb5bd2e3"
TAGS = ("operation", "language", "topic", "difficulty", "kind")
FACTS = ("knowledge_prompt", "difficulty_values")


@dataclass(frozen=True)
class Demo:
    """The shipped set, or any other set of the same make."""

    card: Card
    measures: tuple[str, ...] = (
        "mse_inside", "mse", "psnr", "ssim", "ms_ssim", "gmsd", "lpips",
        "cdm_local@tiny", "iou_local@tiny", "cdm_global@tiny",
    )  # fmt: skip
    breakdowns: tuple[str, ...] = ("operation", "language", "topic", "difficulty")
    # Without the fifth: no poster is linked to anything it does not show.
    rubrics: tuple[str, ...] = ("textedit_if", "textedit_ta", "textedit_vc", "textedit_lp")

    def load(self, data: Path | None) -> Loaded:
        """The set in the folder `data`, or the shipped one."""
        folder = data or SHIPPED
        text = _read(folder / INDEX)
        samples = [_sample(folder, entry) for entry in _entries(folder, text)]
        if (beside := folder / DOCUMENTS).is_dir():
            samples += [_document(beside, sample) for sample in load_set(beside).samples]
            text += _read(beside / INDEX)
        found = hashlib.sha256(text.encode()).hexdigest()[:12]
        did = f"Revision {found} was loaded; the card describes {REVISION}."
        repairs = () if found == REVISION else (Repair(INDEX, "other data", did),)
        return Loaded(tuple(samples), repairs, files=1)


def _read(index: Path) -> str:
    try:
        # Line ends are made one kind, so that a checkout on any system has the same revision.
        return index.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"{index} cannot be read: {error}.",
            "A folder written by `python -m overpaint.engines.posters OUT` was expected.",
            "Draw one with that command, or leave --data away for the shipped set.",
        ) from error


def _entries(folder: Path, text: str) -> list[Mapping[str, Any]]:
    try:
        entries = json.loads(text)["samples"]
        if entries and all(isinstance(entry, dict) for entry in entries):
            return list(entries)
        wrong = "it lists no samples"
    except (ValueError, KeyError, TypeError) as error:
        wrong = repr(error)
    raise DataError(
        f"{folder / INDEX} is not an index of posters: {wrong}.",
        'A JSON object with a list "samples" was expected.',
        "Write the folder again with `python -m overpaint.engines.posters OUT`.",
    )


def _sample(folder: Path, entry: Mapping[str, Any]) -> Sample:
    try:
        name = str(entry["id"])
        return Sample(
            id=name,
            request=Request(
                _picture(folder, entry["source"]), str(entry["instruction"]), names=(name,)
            ),
            target=_picture(folder, entry["truth"]),
            masks=(_picture(folder, entry["mask"]),),
            tags={tag: str(entry[tag]) for tag in TAGS},
            facts={fact: entry[fact] for fact in FACTS},
            cluster=name,
        )
    except KeyError as error:
        raise DataError(
            f"A sample in {folder / INDEX} has no {error}.",
            "Every sample names its pictures, its instruction and its tags.",
            "Write the folder again with `python -m overpaint.engines.posters OUT`.",
        ) from error


def _document(folder: Path, sample: Sample) -> Sample:
    """A document with the posters' tags, and a mask beside its box."""
    verb = sample.tags["edit"].split()[-1]
    tags = {
        "operation": OPERATIONS.get(verb, "restructure"),
        "language": sample.tags["language"].capitalize(),
        "topic": "documents",
        "kind": sample.tags["document"],
    }
    return replace(sample, masks=(Document(folder / "masks" / f"{sample.id}.png"),), tags=tags)


def _picture(folder: Path, name: object) -> Document:
    """The picture of that name; a name that leads out of the folder is refused."""
    path = folder / str(name).replace("\0", "?")  # no path can hold a NUL
    if not path.resolve().is_relative_to(folder.resolve()):
        raise DataError(
            f"{folder / INDEX} names the picture {str(name)!r}, which is outside its folder.",
            "Pictures stand beside the index.",
        )
    return Document(path)


demo = Demo(
    Card(
        name="demo",
        data=(
            f"24 posters, signs, labels and screens and six documents drawn by Overpaint, revision"
            f" {REVISION}, English and Chinese. Difficulty, of posters: TextEditBench's ten"
            " attributes, known by construction. Documents are read too, by PP-OCRv6 tiny, as on"
            " the card of vde."
        ),
        reference="the truth, drawn from the same backdrop as the source",
        region=(
            "outside the editable mask (white = may change), which is the boxes of the old and the"
            " new ink and six pixels around them; a window or cell counts only if all its pixels do"
        ),
        resizing="an output of another size is resized to the truth's by Lanczos, noted 'resized'",
        alignment=f"output to truth for every measure: {ALIGNMENT}",
        aggregation=(
            "mean over samples; PSNR is that of the mean MSE, with the median of per-image values"
            " and the count of identical pictures beside it; intervals by bootstrap over samples"
        ),
        failures=(
            "a missing score is never a number and stays in the denominator; only a sample for"
            " which the question does not arise (not_applicable) leaves it; coverage and the"
            " bounds if all that is missing were worst or best are shown"
        ),
        sources=("Overpaint's own drawings",),
    )
)
