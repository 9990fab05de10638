"""MiLDEScore (MiLDE, eq. 1–3 and appendix D): four dimensions in one number, and its rivals.

Instruction following, layout consistency and text rendering are 0–100, aesthetics is 1–10; they
are brought to 0–1 and the result to a percentage. A gate on instruction following keeps layout and
aesthetics from counting where nothing was done:

    g(x)  = (σ(k(x − τ)) − σ(−kτ)) / (σ(k(1 − τ)) − σ(−kτ)),   τ = 0.3, k = 10
    score = w_if·IF + w_tr·TR + g(IF)·(w_lc·LC + w_a·A) + w_sy·g(IF)·IF·LC

Appendix D.3 prints the gate without its normalisation; only this one gives the paper's Table 2.
The synergy comes on top of weights that add up to 1, so a document that is perfect in all four has
115. A system's score is computed once, from its means: the gate is not linear.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from overpaint.errors import UserMistake
from overpaint.stats.correlation import Correlation, spearman

THRESHOLD, STEEPNESS = 0.3, 10.0  # τ and k
PERCENT = (0.0, 100.0)
TASTE = (1.0, 10.0)
SCALES = {
    "instruction_following": PERCENT, "layout_consistency": PERCENT, "text_rendering": PERCENT,
    "aesthetics": TASTE,
}  # fmt: skip


@dataclass(frozen=True)
class Weights:
    """How much each dimension counts."""

    instruction_following: float = 0.30
    layout_consistency: float = 0.30
    text_rendering: float = 0.30
    aesthetics: float = 0.10
    synergy: float = 0.15

    def __post_init__(self) -> None:
        four = (self.instruction_following, self.layout_consistency, self.text_rendering,
                self.aesthetics)  # fmt: skip
        if min(*four, self.synergy) < 0 or not math.isclose(sum(four), 1, abs_tol=1e-9):
            raise UserMistake(
                f"The weights {', '.join(f'{one:g}' for one in (*four, self.synergy))} do not go"
                " together.",
                "None is below 0, and the first four add up to 1.",
            )


PAPER = Weights()
# The configurations of the paper's Table 6. Its rows "A dominant" and "equal" have the same four
# weights, and yet other ρ for aggregates without a synergy: they cannot both be right.
SWEEP: Mapping[str, Weights] = {
    "the paper's": PAPER,
    "IF dominant (high)": Weights(0.45, 0.25, 0.20, 0.10),
    "IF dominant (mid)": Weights(0.40, 0.25, 0.25, 0.10),
    "LC dominant (high)": Weights(0.25, 0.45, 0.20, 0.10),
    "LC dominant (mid)": Weights(0.25, 0.40, 0.25, 0.10),
    "TR dominant (high)": Weights(0.20, 0.25, 0.45, 0.10),
    "TR dominant (mid)": Weights(0.25, 0.25, 0.40, 0.10),
    "A dominant": Weights(0.25, 0.25, 0.25, 0.25),
    "equal": Weights(0.25, 0.25, 0.25, 0.25, synergy=0.0),
    "no synergy": Weights(synergy=0.0),
    "low synergy": Weights(synergy=0.05),
    "high synergy": Weights(synergy=0.25),
    "very high synergy": Weights(synergy=0.30),
}


@dataclass(frozen=True)
class Dimensions:
    """The four dimensions of one system or one output, on the paper's scales."""

    instruction_following: float
    layout_consistency: float
    text_rendering: float
    aesthetics: float

    def __post_init__(self) -> None:
        for name, (low, high) in SCALES.items():
            _check(name, getattr(self, name), low, high)

    @property
    def shares(self) -> tuple[float, float, float, float]:
        """IF, LC, TR and A on 0–1."""
        return (
            self.instruction_following / 100, self.layout_consistency / 100,
            self.text_rendering / 100, self.aesthetics / 10,
        )  # fmt: skip


def _check(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:  # NaN is not between
        raise UserMistake(
            f"{name} is {value}.", f"A number from {low:g} to {high:g} was expected.",
            "Give percentages as 0–100, and aesthetics as 1–10.",
        )  # fmt: skip


def gate(share: float) -> float:
    """How much layout and aesthetics count at that instruction following, 0–1 both."""
    floor = _sigmoid(-STEEPNESS * THRESHOLD)
    span = _sigmoid(STEEPNESS * (1 - THRESHOLD)) - floor
    return (_sigmoid(STEEPNESS * (share - THRESHOLD)) - floor) / span


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


# ── the aggregates ──────────────────────────────────────────────────────────────────────


def milde_score(
    *,
    instruction_following: float,
    layout_consistency: float,
    text_rendering: float,
    aesthetics: float,
) -> float:
    """MiLDEScore of a system, from the means of its four dimensions."""
    return gated(Dimensions(instruction_following, layout_consistency, text_rendering, aesthetics))


def gated(given: Dimensions, weights: Weights = PAPER) -> float:
    """MiLDEScore with any weights; 0 to 100 · (1 + synergy)."""
    follow, layout, text, taste = given.shares
    open_ = gate(follow)
    return 100 * (
        weights.instruction_following * follow
        + weights.text_rendering * text
        + open_ * (weights.layout_consistency * layout + weights.aesthetics * taste)
        + weights.synergy * open_ * follow * layout
    )


def weighted_sum(given: Dimensions, weights: Weights = PAPER) -> float:
    """The plain weighted sum (DW_sum), 0–100."""
    follow, layout, text, taste = given.shares
    return 100 * (
        weights.instruction_following * follow + weights.text_rendering * text
        + weights.layout_consistency * layout + weights.aesthetics * taste
    )  # fmt: skip


def weighted_geometric(given: Dimensions, weights: Weights = PAPER) -> float:
    """The weighted geometric mean (GeoMean), 0–100: 0 where a dimension that counts is 0."""
    follow, layout, text, taste = given.shares
    return 100 * math.prod((
        math.pow(follow, weights.instruction_following), math.pow(text, weights.text_rendering),
        math.pow(layout, weights.layout_consistency), math.pow(taste, weights.aesthetics),
    ))  # fmt: skip


def harmonic_core_support(given: Dimensions, weights: Weights = PAPER) -> float:
    """The harmonic mean of core (IF, TR) and support (LC, A), HCoreSup, 0–100."""
    follow, layout, text, taste = given.shares
    core = _pair((follow, weights.instruction_following), (text, weights.text_rendering))
    support = _pair((layout, weights.layout_consistency), (taste, weights.aesthetics))
    return 100 * 2 * core * support / (core + support) if core + support else 0.0


def _pair(one: tuple[float, float], other: tuple[float, float]) -> float:
    total = one[1] + other[1]
    if not total:
        raise UserMistake("Two dimensions that make a group both weigh nothing.",
                          "One of IF and TR counts, and one of LC and A.")  # fmt: skip
    return (one[0] * one[1] + other[0] * other[1]) / total


def milde_partial(
    *, instruction_following: float, layout_consistency: float, text_rendering: float
) -> float:
    """MiLDEScore without aesthetics: w_a left out, and the other three weights made to sum to 1.

        (w_if·IF + w_tr·TR + g·w_lc·LC) / (w_if + w_tr + w_lc) + w_sy·g·IF·LC

    So each of the three weighs a third, and it is not to be held against a MiLDEScore.
    """
    given = Dimensions(instruction_following, layout_consistency, text_rendering, TASTE[0])
    rest = 1 - PAPER.aesthetics
    return gated(given, Weights(
        PAPER.instruction_following / rest, PAPER.layout_consistency / rest,
        PAPER.text_rendering / rest, 0.0, PAPER.synergy,
    ))  # fmt: skip


Aggregate = Callable[[Dimensions, Weights], float]
AGGREGATES: Mapping[str, Aggregate] = {
    "MiLDEScore": gated,
    "weighted sum": weighted_sum,
    "geometric mean": weighted_geometric,
    "harmonic core and support": harmonic_core_support,
}


# ── held against people ─────────────────────────────────────────────────────────────────


def agreement_with_people(
    outputs: Sequence[Dimensions],
    people: Sequence[float],
    *,
    sources: Sequence[str] | None = None,
    weights: Mapping[str, Weights] = SWEEP,
    seed: int = 0,
) -> dict[str, dict[str, Correlation]]:
    """Spearman's ρ of each aggregate with people's scores, for each set of weights (Table 6).

    One entry an output, or a system. Outputs of one source are drawn together for the interval.
    """
    if len(outputs) != len(people) or (sources is not None and len(sources) != len(people)):
        raise UserMistake(
            f"{len(outputs)} outputs, {len(people)} scores of people and"
            f" {len(people) if sources is None else len(sources)} sources were given.",
            "Each output has one of each.",
        )
    drawn = list(map(str, range(len(people)))) if sources is None else list(sources)
    return {
        name: {
            kind: spearman([made(one, chosen) for one in outputs], people, drawn, seed=seed)
            for kind, made in AGGREGATES.items()
        }
        for name, chosen in weights.items()
    }
