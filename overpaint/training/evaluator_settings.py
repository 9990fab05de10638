"""What can be chosen when an evaluator is trained, and what it learns from, checked beforehand."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from statistics import fmean, pstdev
from typing import Literal

from overpaint.errors import UserMistake
from overpaint.measures.learned import check_name
from overpaint.measures.learned.vlm import Unit
from overpaint.measures.learned.vlm_chat import PROMPT
from overpaint.measures.people import People
from overpaint.models.vlm import base_of
from overpaint.training.evaluator_parts import Named
from overpaint.training.rated import Example, check_score, digest

BASE = "Qwen/Qwen2.5-VL-7B-Instruct"
Stage = Literal["words", "scores"]
TEXT: Stage = "words"
SCORES: Stage = "scores"
RAW = 10.0  # opinion scores are about 50: where none is above this they are means of raw ratings


@dataclass(frozen=True)
class Settings:
    """How an evaluator is trained; the defaults are LMM4Edit's where it tells them."""

    base: str = BASE  # hub id or folder
    name: str = "lmm4edit"  # as columns bear it
    towers: Literal["both", "vision", "language"] = "both"  # where adapters sit
    projector: bool = True  # whether what joins the towers is trained as a whole
    adapter: Literal["adalora", "lora"] = "adalora"
    rank: int = 8  # on average, at the end
    first_rank: int = 12  # AdaLoRA's, before it takes away what is of no use
    alpha: int = 32
    dropout: float = 0.0
    orthogonality: float = 0.5  # weight of AdaLoRA's term
    text_epochs: float = 1.0
    score_epochs: float = 3.0
    rate: float = 1e-4
    warm_up: float = 0.03  # of the steps of each stage
    batch: int = 16  # questions a step, one at a time, shared among all GPUs
    clip: float = 1.0
    pixels: int = 512 * 512  # as raters of EBench saw the pictures
    dtype: Literal["auto", "bfloat16", "float32"] = "auto"  # auto: bfloat16 on a GPU
    checkpointing: bool = True  # of gradients: less memory, a third more time
    seed: int = 0
    every: int = 100  # steps between checkpoints
    named: Named = field(default_factory=Named)

    def __post_init__(self) -> None:
        check_name(self.name)  # now, and not after hours of training
        whole = (
            ("rank", self.rank), ("first_rank", self.first_rank), ("alpha", self.alpha),
            ("batch", self.batch), ("every", self.every), ("pixels", self.pixels),
        )  # fmt: skip
        for name, value in whole:
            _require(value >= 1, f"{name} is {value}.", "It is a whole number from 1 on.")
        parts = (("dropout", self.dropout), ("warm_up", self.warm_up))
        for name, share in parts:
            _require(0 <= share < 1, f"{name} is {share}.", "It is a share from 0 to below 1.")
        _require(0 < self.rate < 1, f"rate is {self.rate}.", "A usual one is 1e-4.")
        epochs = self.text_epochs, self.score_epochs
        told = f"The epochs are {epochs[0]:g} of words and {epochs[1]:g} of scores."
        _require(epochs[0] >= 0 and epochs[1] > 0, told, "Scores need some; words may have none.")
        if self.adapter == "adalora":
            told = f"The rank is to go from {self.first_rank} to {self.rank}."
            _require(self.first_rank > self.rank, told, "AdaLoRA begins with more than it keeps.")


def _require(right: bool, wrong: str, what: str) -> None:
    if not right:
        raise UserMistake(wrong, what)


@dataclass(frozen=True)
class Data:
    """Examples to learn from and to be tried on, and what is asked of them."""

    train: Sequence[Example]
    test: Sequence[Example]
    dimensions: dict[str, bool]  # of each, whether it is a question answered by yes or no
    units: dict[str, Unit]
    people: Sequence[People] = ()  # behind the scores, where they are known

    @cached_property
    def digest(self) -> str:
        """What both are known by."""
        return hashlib.sha256((digest(self.train) + digest(self.test)).encode()).hexdigest()

    @cached_property
    def questions(self) -> list[tuple[int, str]]:
        """Every example and every dimension that it has a score in."""
        return [(at, name) for at, one in enumerate(self.train) for name in sorted(one.scores)]


def data_of(
    train: Sequence[Example],
    test: Sequence[Example],
    people: Sequence[People] = (),
) -> Data:
    """The data, checked: finite scores on their scale, sources on one side."""
    _require(len(train) > 0, "There are no rated edits to learn from.", "Have some edits rated.")
    _require(len(test) > 0, "No rated edits are held out.", "What was learned is tried on some.")
    both = {one.cluster for one in train} & {one.cluster for one in test}
    told = f"{len(both)} sources are in training and in test; the first is {min(both, default='')}."
    _require(not both, told, "A source is on one side: deal with `training.rated.split`.")
    for one in (*train, *test):
        for name, value in one.scores.items():
            check_score(f"{name} of {one.sample} by {one.editor}", value)
    learned = _by_dimension(train)
    _require(bool(learned), "The rated edits have no scores.", "Each has some, such as quality.")
    held = _by_dimension(test)
    questions = {
        name: set(values) | set(held.get(name, ())) <= {0.0, 1.0}
        for name, values in learned.items()
    }  # fmt: skip
    scored = {name: values for name, values in learned.items() if not questions[name]}
    for name, values in scored.items():
        check_scale(name, values)
    # A dimension that people scored alike everywhere has no spread; the mean is all there is.
    units = {name: Unit(fmean(values), pstdev(values) or 1.0) for name, values in scored.items()}
    return Data(train, test, questions, units, people)


def _by_dimension(examples: Sequence[Example]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for one in examples:
        for name, value in one.scores.items():
            found.setdefault(name, []).append(value)
    # In an order of its own: that of the file of ratings is no part of what the data are.
    return dict(sorted(found.items()))


def check_scale(name: str, values: Sequence[float]) -> None:
    """Refuse raw ratings where opinion scores are learned."""
    if max(values) <= RAW:
        raise UserMistake(
            f"The scores for {name} go from {min(values):g} to {max(values):g}.",
            "The evaluator learns opinion scores, which go from about 0 to 100; these look like"
            " ratings on a scale of a few points.",
            "Have opinion scores computed (--scores mos), or bring them to 0 to 100.",
        )


def run_of(data: Data, settings: Settings) -> str:
    """What tells one training from another: data and settings, less what changes no weight."""
    told = asdict(settings) | {"base": base_of(settings.base), "data": data.digest}
    told |= {"prompt": PROMPT, "dimensions": data.dimensions}
    for name in ("every", "name", "checkpointing"):
        del told[name]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
