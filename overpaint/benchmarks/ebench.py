"""EBench: general editing in 21 tasks, for comparison with what people think of each edit.

Without `--data` the built-in set is used: pictures drawn by Overpaint with a known edit and a known
degradation, made on first use and kept in the cache; `ebench@photographs` has photographs instead.
With it, a folder of one's own with a list of edits, or EBench's released lists and pictures.
"""

import os
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path

from overpaint.benchmarks.ebench_files import Entry, read_entries
from overpaint.core import Card, Loaded, Repair, Request, Sample
from overpaint.document import Document
from overpaint.engines.ebench.tasks import GROUP
from overpaint.errors import UserMistake
from overpaint.weights import cache_folder
from overpaint.work import Progress, silent

ENGINE = "overpaint.engines.ebench.album"


@dataclass(frozen=True)
class EBench:
    """The built-in set, a folder of one's own, or the released one."""

    card: Card
    measures: tuple[str, ...]
    breakdowns: tuple[str, ...] = ("group", "task", "level")
    asks: str = "instruction"  # what an editor is told, or "target_description"
    restored: bool = False  # whether outputs are held against the truth, so that there must be one
    photographs: bool = False

    def prepare(self, progress: Progress) -> None:
        """Make the built-in set where it is not there yet."""
        self._built_in(progress, workers=os.cpu_count() or 1)

    def load(self, data: Path | None) -> Loaded:
        """The samples below `data`, or the built-in ones."""
        log: list[Repair] = []
        folder = self._built_in(silent) if data is None else data
        entries, files = read_entries(folder, log)
        samples = tuple(self._sample(entry) for entry in entries if self._fits(entry, log))
        if not samples:
            first = f" The first: {log[0].did}" if log else ""
            raise UserMistake(
                f"{folder} lists no edit that {self.card.name} can use.{first}",
                "Each has a source picture and an instruction."
                + (" Its truth is needed as well." if self.restored else ""),
                "Leave --data away for the built-in set.",
            )
        if data is None:
            from overpaint.engines.album import other_data

            log += other_data(folder, self._revision)
        return Loaded(samples, tuple(log), files)

    def _fits(self, entry: Entry, log: list[Repair]) -> bool:
        """Whether an entry has what this variant needs; if not, that is told."""
        if not getattr(entry, self.asks):
            log.append(
                Repair(entry.id, "no description", "Left out: it has no target description.")
            )
        elif self.restored and entry.target is None:
            log.append(Repair(entry.id, "no truth", "Left out: it has no target picture."))
        else:
            return True
        return False

    def _sample(self, entry: Entry) -> Sample:
        facts: dict[str, str | float] = {
            "instruction": entry.instruction,
            "source_description": entry.source_description,
            "target_description": entry.target_description,
        }
        if entry.strength is not None:
            facts["strength"] = entry.strength
        told = {
            "task": entry.task, "group": GROUP.get(entry.task, ""), "level": entry.level,
            "split": entry.split,
        }  # fmt: skip
        return Sample(
            id=entry.id,
            request=Request(Document(entry.source), getattr(entry, self.asks), names=(entry.id,)),
            target=Document(entry.target) if entry.target else None,
            tags={tag: value for tag, value in told.items() if value},
            facts=facts,
            cluster=entry.cluster or entry.id,
        )

    @property
    def _revision(self) -> str:
        engine = import_module(ENGINE)
        return str(engine.REVISION_PHOTOGRAPHS if self.photographs else engine.REVISION)

    def _built_in(self, progress: Progress, *, workers: int = 0) -> Path:
        """The folder of the built-in set, made where it is not there yet."""
        folder = cache_folder() / f"ebench-{self._revision[:12]}"
        if not folder.exists():
            engine = import_module(ENGINE)
            write = engine.write_photographs if self.photographs else engine.write
            write(folder, workers=workers, progress=partial(progress, "making"))
        return folder


# ── protocol card ───────────────────────────────────────────────────────────────────────

_CARD = Card(
    name="ebench",
    data=(
        "EBench: a source, an instruction and descriptions of source and target, in 13 high-level"
        " and 8 low-level tasks. Built in: scenes drawn by Overpaint, the low-level tasks by known"
        " degradation at three levels, ten high-level ones by drawing again with one thing changed;"
        " what six graded editors made of them is known by construction."
    ),
    reference="the source, also where the truth is known (columns @source)",
    region="the whole picture",
    resizing="an output of another size is resized to the source's by Lanczos",
    alignment="an output is laid over the source by what both show, as in all columns of pixels",
    aggregation=(
        "columns are means over samples, PSNR of the mean MSE; Score_all = Q^0.3 · E^0.4 · P^0.3"
        " once from the means of people's columns; intervals by bootstrap over sources"
    ),
    failures=(
        "a missing score is never a number and stays in the denominator; coverage and the bounds"
        " if all that is missing were worst or best are shown"
    ),
    sources=(
        "LMM4Edit: Benchmarking and Evaluating Multimodal Image Editing with LMMs: tasks, protocol"
        " and form of the released lists; pictures and wordings are our own",
    ),
)
_PAIRED = ("mse", "psnr", "ssim", "ms_ssim", "gmsd", "fsim", "lpips")
_ALONE = ("brisque", "niqe", "clip_description")
MEASURES = (*(f"{name}@source" for name in _PAIRED), *_ALONE)

ebench = EBench(_CARD, MEASURES)
ebench_description = EBench(
    replace(_CARD, name="ebench@description", data=(
        f"{_CARD.data} Editors are told the target description in place of the instruction."
    )),
    MEASURES, asks="target_description",
)  # fmt: skip
ebench_restored = EBench(
    replace(
        _CARD, name="ebench@restored", reference="the truth; samples without one are left out",
        resizing="an output of another size is resized to the truth's by Lanczos",
        alignment="an output is laid over the truth by what both show, as in all columns of pixels",
    ),
    (*_PAIRED, *_ALONE), restored=True,
)  # fmt: skip
ebench_photographs = EBench(
    replace(_CARD, name="ebench@photographs", data=(
        "Photographs that ship inside scikit-image and scikit-learn, the eight low-level tasks by"
        " known degradation; what six graded editors made of them is known by construction."
    )),
    MEASURES, photographs=True,
)  # fmt: skip
