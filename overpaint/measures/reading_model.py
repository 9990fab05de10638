"""The measures of `reading` with a vision model as the reader: `reading:NAME:MODEL`.

`reading:cdm_local:http://localhost:8000/v1#PaddleOCR-VL` is the column `cdm_local@PaddleOCR-VL`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

from overpaint.core import Edit, Evidence, Measure, Sample, Score, failed
from overpaint.document.pictures import read_size
from overpaint.errors import OverpaintError, PictureError, UserMistake
from overpaint.measures import rubric
from overpaint.measures.reading import FORMULAS, SETTINGS, VERSION, WHERE, Setting, by_reading
from overpaint.models import words_of
from overpaint.models.forecast import Ask
from overpaint.models.names import endpoint
from overpaint.vision.engines_model import LONGEST, Reader

RUBRIC = "ocr_page"


def reader(model: str) -> Reader:
    """A model as an OCR engine, asked by our wording."""
    loaded = rubric.load(RUBRIC)
    return Reader(model, loaded.version, loaded.prompt({}, truth=False), loaded.schema)


@dataclass(frozen=True)
class Read:
    """Scores edits by what a model reads in them."""

    name: str  # of the formula
    setting: Setting
    reader: Reader

    @property
    def column(self) -> str:
        """What its column is called."""
        return f"{self.name}_{self.setting}@{endpoint(self.reader.model).short}"

    def score(self, edits: Sequence[Edit], evidence: Evidence) -> Iterable[Score]:
        """One score for each edit; what would spoil all of them alike is raised."""
        number = FORMULAS[self.name][0]
        for edit in edits:
            try:
                found = by_reading(number, self.reader, self.setting, edit, evidence)
            except UserMistake:
                raise
            except OverpaintError as error:
                yield failed(edit, self.column, error)
            else:
                yield Score(edit, self.column, float(found.value), notes=found.notes)

    def asks(self, sample: Sample) -> Sequence[Ask]:
        """What it would ask about an edit of that sample: its picture, and a truth not known."""
        size = _size(sample, self.setting)
        if size is None:
            return ()
        known = sample.facts.get("region_blocks" if self.setting == "local" else "page_blocks")
        words = words_of(self.reader.prompt, self.reader.schema, 1)
        where = endpoint(self.reader.model)
        return [
            Ask(where, f"{self.reader.version} {self.setting} {what}", words, (size,), LONGEST)
            for what in (("output", "truth") if known is None else ("output",))
        ]


def _size(sample: Sample, setting: Setting) -> tuple[int, int] | None:
    """How large a picture is read; None where nothing is."""
    region = sample.facts.get("region")
    if sample.target is None or not (region or "page_blocks" in sample.facts):
        return None
    if setting == "local":
        if not region:
            return None
        left, top, right, bottom = map(int, region)
        return max(1, right - left), max(1, bottom - top)
    try:
        return read_size(sample.target.path) if sample.target.path else sample.target.size
    except PictureError:
        return None


def reading(argument: str) -> Measure:
    """The measure behind `reading:ARGUMENT`."""
    name, _, who = argument.partition(":")
    formula, _, setting = name.rpartition("_")
    if formula not in FORMULAS or setting not in get_args(Setting) or not who:
        raise UserMistake(
            f"The measure reading:{argument} is not understood.",
            f"It is reading:NAME:MODEL, and NAME one of {', '.join(FORMULAS)}, with"
            f" {' or '.join(f'_{one}' for one in SETTINGS)} after it.",
            "For example reading:cdm_local:http://localhost:8000/v1#PaddleOCR-VL",
        )
    _, about, declared = FORMULAS[formula]
    made = Read(formula, "local" if setting == "local" else "global", reader(who))
    return Measure(
        made.column, made.score, version=f"{VERSION}+{made.reader.version}",
        where="thread", asks=made.asks,
        about=f"{about}, {WHERE[setting]}, as {who} reads it", **declared,
    )  # fmt: skip
