"""Simulated raters around a known truth: for tests, for benches, and for planning a study.

An honest rater answers truth + own bias + noise. The others spoil a study in the ways that
screening is there for: answers at random or about the middle on some share of the items, one
answer for everything, or the scale upside down. Who is what is known, so that what screening
finds can be counted. `plan_raters` runs such studies before anyone is asked.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overpaint.stats.bootstrap import Floats, t_quantile
from overpaint.stats.opinion import opinion_scores

Kind = Literal["honest", "random", "middle", "straight", "inverted"]
Random = np.random.Generator

FARTHER = 2.5  # how many times the usual spread the bias of a `biased` rater is
NOISIER = 2.0  # and the noise of a `noisy` one
MOST_RATERS = 1_000  # an item that a plan goes up to
_TRADES = 10  # how often each rater trades items with another


@dataclass(frozen=True)
class Rater:
    """How one simulated rater answers; everyone but the honest kind is careless."""

    kind: Kind = "honest"
    bias: float = 0.0
    noise: float = 0.7  # of one who answers always the same, how far the hand shakes
    share: float = 1.0  # of the items that are answered in the manner of `kind`
    value: float = 3.0  # what `straight` answers

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(f"kind {self.kind!r}: want one of {', '.join(get_args(Kind))}")
        if not 0 <= self.share <= 1:
            raise ValueError(f"share {self.share}: want a share of the items, from 0 to 1")
        if self.noise < 0 or not all(map(math.isfinite, (self.bias, self.noise, self.value))):
            raise ValueError(
                "bias, noise and value of a rater are finite, and noise is not below 0"
            )

    @property
    def careless(self) -> bool:
        """Whether screening ought to find this rater."""
        return self.kind != "honest"


@dataclass(frozen=True)
class Study:
    """A study to simulate: how many rate what, how they differ, which shares of them misbehave."""

    raters: int = 30
    per_item: int = 15
    items: int = 120
    scale: tuple[float, float] = (1.0, 5.0)
    step: float | None = None  # distance of the answers allowed; None for a slider
    bias: float = 0.4  # spread of raters' own biases
    noise: float = 0.7  # spread of one rater's answers to one item
    biased: float = 0.0  # honest, far from the others
    noisy: float = 0.0  # honest, unsteady
    random: float = 0.0  # careless from here on; on half the items or more
    middle: float = 0.0
    straight: float = 0.0
    inverted: float = 0.0

    def __post_init__(self) -> None:
        if not 1 <= self.per_item <= self.raters or self.items < 1:
            raise ValueError(
                f"{self.per_item} of {self.raters} raters an item and {self.items} items: "
                "want at least one item, and no more raters an item than there are raters"
            )
        low, high = self.scale
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(f"scale {self.scale}: want two finite ends, the lower one first")
        if self.step is not None and not 0 < self.step <= high - low:
            raise ValueError(f"step {self.step}: want more than 0 and at most the scale")
        if not (0 <= self.bias < math.inf and 0 <= self.noise < math.inf):
            raise ValueError(f"bias {self.bias} and noise {self.noise}: want finite spreads from 0")
        shares = [getattr(self, name) for name in _MISBEHAVED]
        if min(shares) < 0 or sum(shares) > 1 + 1e-9:
            raise ValueError("shares of raters are not below 0 and add up to 1 at most")


_MISBEHAVED = ("biased", "noisy", "random", "middle", "straight", "inverted")


@dataclass(frozen=True, eq=False)
class Simulated:
    """Ratings, raters × items with NaN for what was not asked, and what is behind them."""

    ratings: Floats
    truth: Floats
    raters: tuple[Rater, ...]

    @property
    def careless(self) -> NDArray[np.bool_]:
        """Which raters screening ought to find."""
        return np.array([rater.careless for rater in self.raters])


def simulate(
    study: Study,
    *,
    seed: int,
    truth: ArrayLike | None = None,
    raters: Sequence[Rater] | None = None,
) -> Simulated:
    """Simulated ratings, the same for the same seed; truth is uniform on the scale unless given.

    `raters` in place of those that the study's shares would draw. What a rater answers does not
    depend on who else takes part, except for which items they are asked about.
    """
    who, what, asked, says = (
        np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(4)
    )
    values = what.uniform(*study.scale, study.items) if truth is None else _truth(study, truth)
    people = draw_raters(study, who) if raters is None else tuple(raters)
    if len(people) != study.raters:
        raise ValueError(f"{len(people)} raters for a study of {study.raters}; give one for each")
    shown = assign(study, asked)
    answers = np.full(shown.shape, np.nan)
    for place, mine in enumerate(says.spawn(len(people))):
        seen = shown[place]
        answers[place, seen] = _answers(study, people[place], values[seen], mine)
    return Simulated(answers, values, people)


def draw_raters(study: Study, random: Random) -> tuple[Rater, ...]:
    """The raters of a study in random order, of each kind the share that the study says."""
    ends = np.cumsum([getattr(study, name) for name in _MISBEHAVED]) * study.raters
    counts = np.diff(np.round(ends), prepend=0).astype(int)  # so that the whole is right too
    names = [name for name, n in zip(_MISBEHAVED, counts, strict=True) for _ in range(n)]
    names += ["honest"] * (study.raters - len(names))
    return tuple(_drawn(study, names[place], random) for place in random.permutation(study.raters))


def assign(study: Study, random: Random) -> NDArray[np.bool_]:
    """Who is asked what: `per_item` raters an item, nobody over one item more than another.

    Filling up by load alone would make neighbours in the list share no rater, and so tie what
    they are compared with; pairs of raters then trade items at random (Strona et al. 2014, "A
    fast and unbiased procedure to randomize ecological binary matrices", Nature Communications).
    """
    asked = np.zeros((study.raters, study.items), bool)
    load = np.zeros(study.raters)
    for item in range(study.items):
        chosen = np.lexsort((random.random(study.raters), load))[: study.per_item]
        asked[chosen, item] = True
        load[chosen] += 1
    for _ in range(_TRADES):
        for one, other in random.permutation(study.raters)[: study.raters // 2 * 2].reshape(-1, 2):
            apart = np.flatnonzero(asked[one] != asked[other])
            mine = int(asked[one, apart].sum())
            random.shuffle(apart)
            asked[one, apart], asked[other, apart] = False, True
            asked[one, apart[:mine]], asked[other, apart[:mine]] = True, False
    return asked


# ── planning ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Planned:
    """How many raters an item give which interval. None, and a note, where too many would do."""

    wanted: float  # half the width of the 95 % interval that was asked for
    raters: int | None  # an item
    raw_half_width: float | None = None  # to be expected of raw means, in points of the scale
    mos_half_width: float | None = None  # and of opinion scores, of which 100 are six σ
    note: str = ""


def plan_raters(
    half_widths: Sequence[float],
    *,
    of: Literal["raw", "mos"] = "raw",
    bias: float = 0.4,
    noise: float = 0.7,
    scale: tuple[float, float] = (1.0, 5.0),
    step: float | None = None,
    careless: float = 0.0,
    items: int = 60,
    seed: int = 0,
) -> list[Planned]:
    """The fewest raters an item whose 95 % interval is on average no wider, for each half width.

    Found from the t interval's formula with the spread that simulated studies of that size show,
    screening and all, each rater seeing half the items. `careless` is a share of the raters, one
    quarter each at random, about the middle, always the same and upside down.
    """
    if not all(math.isfinite(width) and width > 0 for width in half_widths):
        raise ValueError(f"half widths {list(half_widths)}: want finite numbers above 0")
    if of not in ("raw", "mos"):
        raise ValueError(f"of {of!r}: want raw or mos")
    part = careless / 4
    study = Study(items=items, scale=scale, step=step, bias=bias, noise=noise,
                  random=part, middle=part, straight=part, inverted=part)  # fmt: skip
    return [_planned(study, float(width), of, seed) for width in half_widths]


def _planned(study: Study, wanted: float, of: Literal["raw", "mos"], seed: int) -> Planned:
    raters, place = study.per_item, ("raw", "mos").index(of)
    for _ in range(3):  # the share of ratings that screening removes hangs on their number
        found = _expected(study, raters, seed)
        spread = found[place] * math.sqrt(raters) / t_quantile(0.975, raters - 1)
        enough = [n for n in range(2, MOST_RATERS + 1)
                  if spread * t_quantile(0.975, n - 1) <= wanted * math.sqrt(n)]  # fmt: skip
        if not enough:
            note = f"over {MOST_RATERS} raters an item would be needed"
            return Planned(wanted, None, note=note)
        if enough[0] == raters:
            break
        raters = enough[0]
    raw, mos = _expected(study, raters, seed)
    return Planned(wanted, raters, raw, mos)


@lru_cache(maxsize=64)  # several widths begin with the same studies
def _expected(study: Study, raters: int, seed: int) -> tuple[float, float]:
    """Half the width of intervals of raw means and of opinion scores, over simulated studies."""
    sized = replace(study, raters=2 * raters, per_item=raters)
    widths = []
    for place in range(max(2, 300 // raters)):
        found = opinion_scores(simulate(sized, seed=seed + place).ratings)
        widths.append(np.stack([found.raw_high - found.raw_low, found.high - found.low]) / 2)
    raw, mos = np.nanmean(np.concatenate(widths, axis=1), axis=1).tolist()
    return raw, mos


# ── one rater ───────────────────────────────────────────────────────────────────────────


def _truth(study: Study, truth: ArrayLike) -> Floats:
    values = np.asarray(truth, np.float64)
    if values.shape != (study.items,) or not np.isfinite(values).all():
        raise ValueError(f"truth of shape {values.shape}: want {study.items} finite numbers")
    return values


def _drawn(study: Study, name: str, random: Random) -> Rater:
    """One rater of a kind of misbehaviour."""
    low, high = study.scale
    honest = Rater("honest", random.normal(0, study.bias), study.noise)
    if name == "biased":
        return replace(honest, bias=float(random.choice([-1, 1])) * FARTHER * study.bias)
    if name == "noisy":
        return replace(honest, noise=NOISIER * study.noise)
    if name in ("random", "middle"):
        kind: Kind = "random" if name == "random" else "middle"
        return replace(honest, kind=kind, share=float(random.uniform(0.5, 1)))
    if name == "straight":
        shaking = float(random.uniform(0, 0.05)) * (high - low)
        return Rater("straight", noise=shaking, value=float(random.uniform(low, high)))
    return replace(honest, kind="inverted") if name == "inverted" else honest


def _answers(study: Study, rater: Rater, truth: Floats, random: Random) -> Floats:
    """One rater's answers to the items they see, on the scale and its steps."""
    low, high = study.scale
    noise = rater.noise * random.normal(size=len(truth))
    honest = truth + rater.bias + noise
    strayed = {
        "honest": honest,
        "random": random.uniform(low, high, len(truth)),
        "middle": random.normal((low + high) / 2, (high - low) / 5, len(truth)),
        "straight": rater.value + noise,
        "inverted": low + high - truth + rater.bias + noise,
    }[rater.kind]
    strays = random.permutation(len(truth)) < math.ceil(rater.share * len(truth))
    given = np.clip(np.where(strays, strayed, honest), low, high)
    if study.step is None:
        return given
    stepped: Floats = np.clip(low + np.round((given - low) / study.step) * study.step, low, high)
    return stepped
