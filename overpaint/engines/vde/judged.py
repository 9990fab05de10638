"""How much instructions leave open, as judges say: six dimensions, beside what the rules say.

The dimensions are VDE Bench's (arXiv:2602.00122, appendix G), which had six judges; the wording is
the rubric `vde_ambiguity`. Judges see the words of an instruction and what kind of edit and
document it is for, and no picture.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile

from overpaint.core import Desk, Sample
from overpaint.engines.vde.ambiguity import DIMENSIONS, of_sample
from overpaint.errors import DataError, NotApplicable, UserMistake
from overpaint.measures import rubric
from overpaint.models import model, used
from overpaint.models.forecast import Ask
from overpaint.models.names import endpoint
from overpaint.stats.agreement import Agreement, Metric, krippendorff_alpha
from overpaint.stats.bootstrap import interval
from overpaint.work import Progress, Task, Threads, silent

RUBRIC = "vde_ambiguity"
PAPER = 1.298  # the mean over the paper's instructions, its judges and the six dimensions
REWRITES = 1.753  # and over 200 of them that were made ambiguous on purpose
OVERALL = "overall"
RULES = "rules"
SEED = 0

Scores = Mapping[str, float]  # by dimension


@dataclass(frozen=True)
class Mean:
    """A mean over instructions, with the interval of a bootstrap over sources."""

    value: float | None  # None: nobody said anything
    low: float | None = None
    high: float | None = None
    n: int = 0


@dataclass(frozen=True)
class Judgement:
    """What everybody says of the same instructions; the rules are asked, too."""

    samples: tuple[Sample, ...]
    scores: Mapping[str, Sequence[Scores | None]]  # by judge, in the order of the samples
    missing: Mapping[tuple[str, str], int] = field(default_factory=dict)  # (judge, why)

    def mean(self, judge: str, dimension: str) -> Mean:
        """The mean of what one of them says; of a whole instruction it is that of the six."""
        known = [
            (_of(scores, dimension), sample.cluster or sample.id)
            for sample, scores in zip(self.samples, self.scores[judge], strict=True)
            if scores is not None
        ]
        if not known:
            return Mean(None)
        values, sources = zip(*known, strict=True)
        ends = interval(values, sources, seed=SEED)
        low, high = (ends.low, ends.high) if ends else (None, None)
        return Mean(sum(values) / len(values), low, high, len(values))

    def agreement(self, dimension: str) -> Agreement:
        """How far the judges agree, the rules not among them."""
        rows = [
            [None if one is None else _of(one, dimension) for one in said]
            for said in zip(*(self.scores[judge] for judge in self.judges), strict=True)
        ]
        metric: Metric = "interval" if dimension == OVERALL else "ordinal"
        return krippendorff_alpha(rows, metric=metric, seed=SEED)

    @property
    def judges(self) -> list[str]:
        """Everybody but the rules."""
        return [name for name in self.scores if name != RULES]


def _of(scores: Scores, dimension: str) -> float:
    if dimension == OVERALL:
        return sum(scores[name] for name in DIMENSIONS) / len(DIMENSIONS)
    return scores[dimension]


# ── asking ──────────────────────────────────────────────────────────────────────────────


def check_judges(judges: Sequence[str]) -> None:
    """That each name means a model, and no two the same column."""
    for name in judges:
        if name in ("evidence", RULES):
            raise UserMistake(
                f"{name} is no judge of instructions.",
                "The rules' own scores are there without one.",
                "Name a model: VENDOR/MODEL or http://HOST:PORT/v1#MODEL.",
            )
    shorts = [endpoint(name).short for name in judges]
    if twice := {short for short in shorts if shorts.count(short) > 1 or short == RULES}:
        raise UserMistake(
            f"Two judges are called {', '.join(sorted(twice))}.", "Name them: NAME=MODEL."
        )


def asks(samples: Iterable[Sample], judges: Sequence[str]) -> list[Ask]:
    """What will be asked; instructions that come twice, with the same about them, once."""
    prompts = dict.fromkeys(words for sample in samples if (words := _foreseen(sample)))
    return [
        Ask(endpoint(name), words, len(words.encode("utf-8", "replace")), ())
        for name in judges
        for words in prompts
    ]


def judged(
    samples: Sequence[Sample], judges: Sequence[str], desk: Desk, *, threads: int = 16,
    progress: Progress = silent,
) -> Judgement:  # fmt: skip
    """What the rules and each judge say of every instruction; a cost limit ends it."""
    shorts = {name: endpoint(name).short for name in judges}
    scores: dict[str, list[Scores | None]] = {
        RULES: [{name: float(one.score) for name, one in of_sample(s).items()} for s in samples],
        **{short: [None] * len(samples) for short in shorts.values()},
    }
    missing: dict[tuple[str, str], int] = {}
    stopped: list[UserMistake] = []
    tasks = (Task((n, sample), tuple(judges)) for n, sample in enumerate(samples))
    work = Threads(partial(_said, desk), threads)
    outcomes = work.perform(takewhile(lambda _: not stopped, tasks))
    for done, one in enumerate(outcomes, 1):
        if isinstance(one.error, UserMistake):
            stopped.append(one.error)  # answers in flight are paid, and still kept
        elif one.error is not None:
            why = (shorts[one.step], f"{one.error.status or 'failed'}: {one.error}")
            missing[why] = missing.get(why, 0) + 1
        else:
            scores[shorts[one.step]][one.subject[0]] = one.result
        progress("judging", done, len(samples) * len(judges))
    if stopped:
        raise stopped[0]
    return Judgement(tuple(samples), scores, missing)


def _said(desk: Desk, subject: tuple[int, Sample], judge: str) -> Scores:
    """What one judge says of one instruction."""
    loaded = rubric.load(RUBRIC)
    reply = model(judge, desk).ask(_prompt(subject[1]), schema=loaded.schema)
    with used(reply, desk):
        return {name: one.value for name, one in loaded.read(reply.text).items()}


def _prompt(sample: Sample) -> str:
    slots = {**sample.tags, "instruction": sample.request.instruction}
    return rubric.load(RUBRIC).prompt(slots, truth=False)


def _foreseen(sample: Sample) -> str:
    """The prompt, or nothing where there will be none."""
    try:
        return _prompt(sample)
    except (DataError, NotApplicable):
        return ""
