"""MultiRef: pictures made from several references, and whether all of them were obeyed.

Without `--data` the built-in set is used: scenes drawn by Overpaint, whose references its own
extractors found, made on first use and kept in the cache; `multiref@photographs` has photographs
instead. With it, a folder that `overpaint build refblend` wrote, or one in the released form.
"""

import os
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path

import numpy as np

from overpaint.benchmarks.multiref_files import REAL, Entry, read_lists
from overpaint.core import Card, Loaded, Repair, Request, Sample
from overpaint.document import Document
from overpaint.document.pictures import encode_png, read_size
from overpaint.errors import DataError, PictureError, UserMistake
from overpaint.vision.references.told import facts_of
from overpaint.weights import cache_folder
from overpaint.work import Progress, silent

GREY = 128  # the empty canvas that a picture is to be made on
BREAKDOWNS = ("half", "combination", "references", "category", "split")


@dataclass(frozen=True)
class MultiRef:
    """The built-in set, or any other of the released form."""

    card: Card
    measures: tuple[str, ...]
    breakdowns: tuple[str, ...] = BREAKDOWNS
    rubrics: tuple[str, ...] = (
        "multiref:iq", "multiref:if", "multiref:sf", "multiref:iq_categories",
        "multiref:if_categories", "multiref:sf_categories",
    )  # fmt: skip
    floors: tuple[str, ...] = ("subject-paste",)
    engine: str = "overpaint.engines.refblend.album"  # what makes the built-in set

    def prepare(self, progress: Progress) -> None:
        """Make the built-in set where it is not there yet."""
        self._built_in(progress, workers=os.cpu_count() or 1)

    def load(self, data: Path | None) -> Loaded:
        """The samples below `data`, or the built-in ones."""
        if data is not None:
            return load_set(data)
        from overpaint.engines.album import other_data

        loaded = load_set(folder := self._built_in(silent))
        revision = import_module(self.engine).REVISION
        return replace(loaded, repairs=(*loaded.repairs, *other_data(folder, revision)))

    def _built_in(self, progress: Progress, *, workers: int = 0) -> Path:
        """The folder of the built-in set, made where it is not there yet."""
        engine = import_module(self.engine)
        folder = cache_folder() / f"multiref-{engine.REVISION[:12]}"
        if not folder.exists():
            engine.write(folder, workers=workers, progress=partial(progress, "making"))
        return folder


def load_set(data: Path) -> Loaded:
    """The samples of a folder, or of a list, in MultiRef's form."""
    log: list[Repair] = []
    entries, files = read_lists(data, log)
    samples = []
    for entry in entries:
        try:
            samples.append(_sample(entry))
        except (DataError, PictureError) as error:
            log.append(Repair(entry.id, "unreadable", f"Left out: {error}"))
    if not samples:
        told = f" The first: {log[0].did}" if log else ""
        raise UserMistake(
            f"{data} lists no sample of MultiRef that can be used.{told}",
            "JSON lists of samples with their conditions and instructions were expected.",
            "Leave --data away for the built-in set.",
        )
    return Loaded(tuple(samples), tuple(log), files)


def _sample(entry: Entry) -> Sample:
    pictures = tuple(Document(path) for path in entry.pictures)
    source = pictures[0] if entry.half == REAL else _canvas(entry.target)
    return Sample(
        id=entry.id,
        request=Request(source, entry.instruction, pictures, names=(entry.id,),
                        labels=entry.labels),
        target=Document(entry.target) if entry.target else None,
        tags=entry.tags,
        facts=facts_of(entry.told),
        cluster=entry.source,
    )  # fmt: skip


def _canvas(target: Path | None) -> Document:
    assert target is not None  # the synthetic half has the picture that its references are of
    return Document(canvas(read_size(target)))


@cache
def canvas(size: tuple[int, int]) -> Path:
    """A grey picture of that size; one file for all samples, since there are few sizes."""
    path = cache_folder() / "canvases" / f"grey-{size[0]}x{size[1]}.png"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_bytes(encode_png(np.full((size[1], size[0], 3), GREY, np.uint8)))
        part.replace(path)
    return path


# ── protocol card ───────────────────────────────────────────────────────────────────────

_CARD = Card(
    name="multiref",
    data=(
        "MultiRef: several references of one picture and an instruction that names them (synthetic"
        " half), or 2–6 input pictures, an instruction and one golden output (real-world half)."
        " Built in: scenes and requests drawn by Overpaint, the paper's 32 combinations, half of"
        " the sources held out from the extractors; every reference says who found it."
    ),
    reference=(
        "the references themselves: each is found again in the output by the same extractor and"
        " held against what was given; the picture they were taken from is the truth"
    ),
    region="the whole canvas",
    resizing=(
        "an output of another size is resized to the wanted size by Lanczos before it is looked"
        " at; a reference's picture of another size is read at the wanted size; maps of regions"
        " whose longer side has more than 2048 pixels are held together at 2048"
    ),
    alignment="none: where things stand is what is measured",
    aggregation=(
        "fidelity of a sample is the mean over its references; columns are means over samples;"
        " ref_average is the plain mean of the ten kinds' columns, as the paper's AVG; depth, canny"
        " and sketch enter it as 1 − MSE and are told as MSE beside it; judges"
        " score/5, and over the real-world half's five categories the mean of category means is"
        " told beside the mean of samples; FID is of the whole set; intervals by bootstrap over"
        " source pictures"
    ),
    failures=(
        "a missing score is never a number and stays in the denominator; an output in which no"
        " box, mask, region or person is found has 0 for what was asked of that kind, one without"
        " a line is held against the lines asked for, one without depth is undecided; coverage and"
        " the bounds if all that is missing were worst or best are shown"
    ),
    sources=(
        "MultiRef: Controllable Image Generation with Multiple Visual References: kinds,"
        " compatibility, form of samples and scores; pictures and wordings are our own",
    ),
)
MEASURES = (
    "ref_fidelity_rules", "ref_fidelity", "ref_bbox", "ref_semantic_map", "ref_mask", "ref_depth",
    "ref_canny", "ref_sketch", "ref_caption", "ref_pose", "ref_subject", "ref_style",
    "ref_average", "ref_depth_mse", "ref_canny_mse", "ref_sketch_mse", "ref_pose_map",
    "subject_features", "style_statistics", "aesthetics", "fid", "frechet_features",
)  # fmt: skip
multiref = MultiRef(_CARD, MEASURES)
multiref_photographs = MultiRef(
    replace(_CARD, name="multiref@photographs", data=(
        "Seven photographs that ship inside scikit-image and scikit-learn, some of the paper's"
        " combinations each; every reference but the caption was found by a default extractor."
    )),
    MEASURES,
    engine="overpaint.engines.refblend.photographs",
)  # fmt: skip
