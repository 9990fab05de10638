"""MiLDE: layered designs and one sentence each; which layers must change, and how, is known.

Without `--data` the built-in set is used: 200 designs drawn by Overpaint, made on first use and
kept in the cache. With it, a folder that `overpaint build milde` wrote.
"""

import os
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from overpaint.benchmarks.milde_files import Entry, read_index
from overpaint.core import Card, Loaded, Repair, Request, Sample
from overpaint.document import Document
from overpaint.errors import UserMistake
from overpaint.weights import cache_folder
from overpaint.work import Progress, silent


@dataclass(frozen=True)
class Milde:
    """The built-in set, or any other of the same form."""

    card: Card
    measures: tuple[str, ...]
    breakdowns: tuple[str, ...] = ("edits", "edited", "language", "format", "split")
    rubrics: tuple[str, ...] = ("milde:if", "milde:tr", "milde_aesthetics", "milde:score")

    def prepare(self, progress: Progress) -> None:
        """Make the built-in set where it is not there yet."""
        _built_in(progress, workers=os.cpu_count() or 1)

    def load(self, data: Path | None) -> Loaded:
        """The samples below `data`, or the built-in ones."""
        if data is not None:
            return load_set(data)
        from overpaint.engines.album import other_data
        from overpaint.engines.milde import album

        folder = _built_in(silent)
        loaded = load_set(folder)
        return replace(loaded, repairs=(*loaded.repairs, *other_data(folder, album.REVISION)))


def load_set(folder: Path) -> Loaded:
    """The samples of a folder in the form of a MiLDE set."""
    log: list[Repair] = []
    samples = tuple(_sample(entry) for entry in read_index(folder, log))
    if not samples:
        told = f" The first: {log[0].did}" if log else ""
        raise UserMistake(
            f"{folder} lists no sample of MiLDE that can be used.{told}",
            "Samples with a document, an instruction, their layers and those that must change"
            " were expected.",
            "Leave --data away for the built-in set.",
        )
    return Loaded(samples, tuple(log), files=1)


def _built_in(progress: Progress, *, workers: int = 0) -> Path:
    """The folder of the built-in set, made where it is not there yet."""
    from overpaint.engines.milde import album

    folder = cache_folder() / f"milde-{album.REVISION[:12]}"
    if not folder.exists():
        album.write(folder, workers=workers, progress=partial(progress, "making"))
    return folder


def _sample(entry: Entry) -> Sample:
    return Sample(
        id=entry.id,
        request=Request(Document(entry.document), entry.instruction, names=(entry.id,)),
        target=Document(entry.truth) if entry.truth else None,
        tags={**entry.tags, "edits": entry.edits, "edited": entry.edited},
        facts={
            "layers": list(entry.layers), "gold": list(entry.gold),
            "layer_instructions": dict(entry.layer_instructions), "steps": list(entry.steps),
            "texts": dict(entry.texts), "questions": list(entry.questions),
        },
        cluster=entry.document.stem,
    )  # fmt: skip


# ── protocol card ───────────────────────────────────────────────────────────────────────

_CARD = Card(
    name="milde",
    data=(
        "MiLDE: layered designs, one sentence each, the layers that must change, an instruction"
        " for each of them, questions, and the truth where there is one. Built in: 200 designs"
        " drawn by Overpaint, English and Chinese, texts live or as pixels; half of them in"
        " themes and wordings that are held out; what changes is known by construction."
    ),
    reference="the truth where there is one; questions are asked about the output",
    region="the whole canvas; questions have boxes in pixels of the canvas",
    resizing="an output of another size is resized to the source's by Lanczos before all else",
    alignment=(
        "for questions and text as for measures of the background: identity, or a transform found"
        " on the whole picture; none for layout"
    ),
    aggregation=(
        "IF pools questions, layer decisions pool layers, all else is a mean over samples;"
        " MiLDEScore is computed once from an editor's four means; intervals by bootstrap over"
        " source documents"
    ),
    failures=(
        "a missing score is never a number and stays in the denominator; coverage and the bounds"
        " if all that is missing were worst or best are shown"
    ),
    sources=("MiLDE: the paper's task, form of samples and scores; documents are our own",),
)
MEASURES = (
    "milde_if", "layout", "milde_tr", "milde_tr_text", "aesthetics", "milde_partial", "milde_score",
    "layer_accuracy", "layer_balanced", "layer_recall", "layer_specificity", "layer_precision",
    "layer_exact",
)  # fmt: skip
milde = Milde(_CARD, MEASURES)
