"""MiLDEScore as columns: of an editor, once from its means; and of an output, under its own name.

`milde_score` and `milde_partial` are made of other columns' means (`Measure.whole`), so a single
edit has neither. `milde_output` is the same formula on one output, for correlation with people; its
mean over a set is no MiLDEScore, because the gate is not linear.
"""

from collections.abc import Callable, Iterable, Sequence

from overpaint import catalog
from overpaint.core import Edit, Evidence, Measure, Sample, Score, each
from overpaint.errors import NotApplicable
from overpaint.measures import milde_score as formulas
from overpaint.measures.milde_score import PAPER, PERCENT, TASTE, Dimensions, gated

PARTS = ("milde_if", "layout", "milde_tr", "aesthetics")  # in the order of `Dimensions`
BEST = 100 * (1 + PAPER.synergy)


def from_means(means: Sequence[float]) -> float:
    """MiLDEScore of IF, LC, TR and A."""
    return gated(Dimensions(*_within(means)))


def without_taste(means: Sequence[float]) -> float:
    """MiLDEScore without aesthetics, of IF, LC and TR."""
    follow, layout, text = _within(means)
    return formulas.milde_partial(
        instruction_following=follow, layout_consistency=layout, text_rendering=text
    )


def _within(means: Sequence[float]) -> list[float]:
    """Means of values on a scale, which rounding may have put a hair beyond its end."""
    ends = (PERCENT, PERCENT, PERCENT, TASTE)
    return [
        min(max(mean, low), high) if low - 1e-9 < mean < high + 1e-9 else mean
        for mean, (low, high) in zip(means, ends, strict=False)
    ]


def total(name: str, parts: Sequence[str], *, partly: bool = False) -> Measure:
    """MiLDEScore, or the one without aesthetics, of these columns of a table."""
    what = "MiLDEScore without aesthetics" if partly else "MiLDEScore"

    def score(edit: Edit, evidence: Evidence) -> float:
        raise NotApplicable(
            f"{what} is of an editor: it is computed once, from the means of {', '.join(parts)}.",
            "milde_output is that of one output.",
        )

    return Measure(
        name, each(name, score), higher_is_better=True, worst=0.0, best=BEST,
        parts=tuple(parts), whole=without_taste if partly else from_means,
        about=f"{what}, once from the means of {', '.join(parts)}; at most {BEST:g}",
    )  # fmt: skip


def output_total(name: str, specs: Sequence[str]) -> Measure:
    """The formula on one output, of the measures behind these specs."""

    def score(edits: Sequence[Edit], evidence: Evidence) -> Iterable[Score]:
        return (_of_output(name, specs, edit, evidence) for edit in edits)

    made = [catalog.measure(spec) for spec in specs]
    asking = [measure.asks for measure in made if measure.asks]
    return Measure(
        name, score, higher_is_better=True, worst=0.0, best=BEST,
        version=f"1+{'+'.join(measure.version for measure in made)}",
        where="thread" if asking else "process", asks=_together(asking) if asking else None,
        about="MiLDEScore's formula on one output, for correlation with people; no system's score",
    )  # fmt: skip


def _together(
    asking: Sequence[Callable[[Sample], Sequence[object]]],
) -> Callable[..., list[object]]:
    return lambda sample: [ask for asks in asking for ask in asks(sample)]


def _of_output(name: str, specs: Sequence[str], edit: Edit, evidence: Evidence) -> Score:
    found: list[float] = []
    for spec in specs:
        (part,) = catalog.measure(spec).score([edit], evidence)
        if part.value is None:
            return Score(edit, name, None, part.status, f"{part.measure}: {part.reason}")
        found.append(part.value)
    told = ", ".join(
        f"{short} {value:.4g}" for short, value in zip(("IF", "LC", "TR", "A"), found, strict=True)
    )
    return Score(edit, name, from_means(found), notes=(told,))


milde_score = total("milde_score", PARTS)
milde_partial = total("milde_partial", PARTS[:3], partly=True)
milde_output = output_total("milde_output", PARTS)
