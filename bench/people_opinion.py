"""Opinion scores, screening and agreement, held against simulated raters whose truth is known.

Raters answer truth (uniform on 1–5) + own bias (σ .4) + noise (σ .7), kept to the scale, 15 of 30
an item unless another number is given. The careless ones stand in `people_raters.json`; its part
`held out` was first looked at when every threshold stood.

What an interval of a MOS ought to hold: the score that ever more raters of the same kind would
give the item in the same study, by the same procedure; here from 40,000 raters. n is the number
of raters an item. Screening cuts off more on the longer side, so that near the ends of the scale
this is not quite the mean z-score of everybody; how often that is held is printed beside it.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from people_raters import ITEMS, RATERS, studies

from overpaint.stats import Opinions, opinion_scores, screen_raters
from overpaint.stats.agreement import Metric, krippendorff_alpha
from overpaint.stats.bootstrap import t_quantile
from overpaint.stats.icc import Kind, icc
from overpaint.stats.kappa import Weights, cohens_kappa, fleiss_kappa
from overpaint.stats.simulated import Simulated, Study, simulate

Floats = NDArray[np.float64]
Row = tuple[str, str, str, str]
Found = tuple[list[Row], dict[str, float]]

SEED = 2_800_000
SIZES = (20, 50, 200)
COVERED = (0.93, 0.97)
ALPHA_RATERS, ALPHA_DRAWS = 5, 500
SCREENS: dict[str, dict[str, object]] = {
    "as it comes": {},
    "either rule": {"confirmed": False},
    "correlation alone": {"rules": ("correlation",)},
    "BT.500's 5 % alone": {"rules": ("bt500",)},
    "BT.500 with both sides": {"rules": ("bt500",), "balanced": True},
}


def measure(quick: bool = False, *, part: str = "held out") -> Found:
    """The rows of the table (what, asked, measured, verdict) and the figures."""
    rows: list[Row] = []
    figures: dict[str, float] = {}
    for one in (order, lambda q: screened(q, part), wasted, libraries, covered, agreed):
        more, numbers = one(quick)
        rows += more
        figures |= numbers
    return rows, figures


# ── the order, and who is careless ──────────────────────────────────────────────────────────


def order(quick: bool) -> Found:
    """Spearman's ρ of MOS and truth, where all raters are honest."""
    rows, figures = [], {}
    for items in ITEMS:
        found = [
            srcc(opinion_scores(one.ratings).mos, one.truth)
            for one in honest(6 if quick else 100, items)
        ]
        mean = float(np.mean(found))
        told = f"{mean:.4f} (worst {min(found):.4f})"
        rows.append((f"SRCC of MOS and truth, {items} items", "≥ .98", told, kept(mean >= 0.98)))
        figures[f"srcc_{items}"] = mean
    return rows, figures


def screened(quick: bool, part: str) -> Found:
    """Precision and recall of finding careless raters; the first way is what is asked for."""
    sets = list(studies(part, every=8 if quick else 1))
    rows, figures = [], {}
    for name, settings in SCREENS.items():
        by_size = {items: _counts(sets, items, settings) for items in ITEMS}
        parts = {"": sum(by_size.values(), np.zeros(3))}
        if not settings:
            parts |= {f", {items} items": counts for items, counts in by_size.items()}
        for part_of, counts in parts.items():
            precision, recall = _rates(counts)
            bound = not settings and not part_of
            rows.append((
                f"careless: precision, recall, {name}{part_of}", "≥ .9, ≥ .9" if bound else "–",
                f"{precision:.3f}, {recall:.3f}",
                kept(min(precision, recall) >= 0.9) if bound else "–",
            ))  # fmt: skip
            figures[f"precision {name}{part_of}"] = precision
            figures[f"recall {name}{part_of}"] = recall
    return rows, figures


def wasted(quick: bool) -> Found:
    """How many of thirty raters are rejected where all are honest; 60 items."""
    rows, figures = [], {}
    for name, settings in SCREENS.items():
        found = [
            len(screen_raters(one.ratings, **settings).rejected)  # type: ignore[arg-type]
            for one in honest(6 if quick else 100, ITEMS[0])
        ]
        mean = float(np.mean(found))
        rows.append((f"honest raters of 30 lost, {name}", "–", f"{mean:.2f}", "–"))
        figures[f"honest_lost_{name}"] = mean
    share = [opinion_scores(one.ratings).share_removed for one in honest(6, ITEMS[-1])]
    rows.append(("share of honest ratings removed", "–", f"{np.mean(share):.2%}", "–"))
    return rows, figures


def honest(number: int, items: int) -> Iterator[Simulated]:
    """Studies without a careless rater."""
    return (simulate(Study(items=items), seed=SEED + place) for place in range(number))


def _counts(sets: Sequence[Simulated], items: int, settings: dict[str, object]) -> Floats:
    """How many careless raters were found, honest ones rejected, careless ones missed."""
    total = np.zeros(3)
    for one in sets:
        if one.ratings.shape[1] == items:
            found = np.isin(
                np.arange(RATERS),
                screen_raters(one.ratings, **settings).rejected,  # type: ignore[arg-type]
            )
            bad = one.careless
            total += [(found & bad).sum(), (found & ~bad).sum(), (~found & bad).sum()]
    return total


def _rates(counts: Floats) -> tuple[float, float]:
    hit, false, missed = counts.tolist()
    return hit / max(hit + false, 1), hit / max(hit + missed, 1)


def srcc(a: Floats, b: Floats) -> float:
    """Spearman's ρ, by scipy."""
    from scipy.stats import spearmanr

    return float(spearmanr(a, b).statistic)


# ── independent libraries ───────────────────────────────────────────────────────────────────


def libraries(quick: bool) -> Found:
    """The largest difference of each coefficient from an independent library's."""
    number = 10 if quick else 60
    parts: dict[str, Callable[[int], float]] = {
        "Krippendorff's α, krippendorff": _off_alpha,
        "Cohen's κ and weighted, scikit-learn": _off_cohen,
        "Fleiss' κ, statsmodels": _off_fleiss,
        "ICC, six forms, pingouin": _off_icc,
    }
    rows, figures = [], {}
    for name, off in parts.items():
        worst = max(off(seed) for seed in range(number))
        rows.append((f"largest difference: {name}", "≤ 1e-6", f"{worst:.1e}", kept(worst <= 1e-6)))
        figures[f"off_{name.split(',')[0]}"] = worst
    return rows, figures


def _table(seed: int, *, raters: int = 4, step: float | None = 1.0) -> Floats:
    """Units × raters."""
    study = Study(raters=raters, per_item=raters, items=30, step=step)
    return simulate(study, seed=SEED + seed).ratings.T


def _off_alpha(seed: int) -> float:
    import krippendorff

    table = _table(seed)
    table[np.random.default_rng(seed).random(table.shape) < 0.2] = np.nan
    off = 0.0
    metrics: tuple[Metric, ...] = ("nominal", "ordinal", "interval")
    for metric in metrics:
        theirs = krippendorff.alpha(table.T, level_of_measurement=metric)
        off = max(off, _apart(krippendorff_alpha(table, metric=metric, draws=2).alpha, theirs))
    return off


def _off_cohen(seed: int) -> float:
    from sklearn.metrics import cohen_kappa_score

    a, b = _table(seed)[:, :2].T
    ways: tuple[Weights | None, ...] = (None, "linear", "quadratic")
    return max(
        _apart(
            cohens_kappa(a, b, weights=way, draws=2).value,
            cohen_kappa_score(a.astype(int), b.astype(int), weights=way, labels=[1, 2, 3, 4, 5]),
        )
        for way in ways
    )


def _off_fleiss(seed: int) -> float:
    from statsmodels.stats.inter_rater import aggregate_raters
    from statsmodels.stats.inter_rater import fleiss_kappa as theirs

    table = _table(seed)
    return _apart(fleiss_kappa(table, draws=2).value, theirs(aggregate_raters(table)[0]))


def _off_icc(seed: int) -> float:
    import pandas as pd
    import pingouin

    table = _table(seed, step=None)
    units, raters = np.indices(table.shape)
    long = pd.DataFrame({"unit": units.ravel(), "rater": raters.ravel(), "r": table.ravel()})
    theirs = pingouin.intraclass_corr(long, "unit", "rater", "r")
    kinds: tuple[Kind, ...] = (
        "ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)",
    )  # fmt: skip
    return max(
        _apart(icc(table, kind=kind, draws=2).value, value)
        for kind, value in zip(kinds, theirs["ICC"], strict=True)
    )


def _apart(ours: float | None, theirs: float) -> float:
    return float("inf") if ours is None else abs(ours - float(theirs))


# ── intervals ───────────────────────────────────────────────────────────────────────────────


def covered(quick: bool) -> Found:
    """How often 95 % intervals of MOS hold what they should, over items of 1,000 studies."""
    sets, items = (20 if quick else 1_000), 60
    truth, limit, everybody, raw = _limits(items, 2 if quick else 20)
    rows, figures = [], {}
    for n in SIZES:
        study = Study(raters=2 * n, per_item=n, items=items)
        held = np.zeros(4)
        for place in range(sets):
            found = opinion_scores(simulate(study, seed=SEED + place, truth=truth).ratings)
            held += [
                _holds(found.low, limit, found.high),
                _holds(*_naive(found, limit)),
                _holds(found.low, everybody, found.high),
                _holds(found.raw_low, raw, found.raw_high),
            ]
        own, naive, all_of_them, of_raw = (held / sets).tolist()
        verdict = "–" if quick else kept(COVERED[0] <= own <= COVERED[1])
        rows.append((f"MOS interval holds, n = {n}", "0.93–0.97", f"{own:.3f}", verdict))
        for name, share in (
            ("that interval holds the mean z-score of everybody", all_of_them),
            ("t interval of what screening left holds", naive),
            ("raw mean's interval holds", of_raw),
        ):
            rows.append((f"{name}, n = {n}", "–", f"{share:.3f}", "–"))
        figures |= {f"mos_cover_{n}": own, f"naive_cover_{n}": naive}
        figures |= {f"mos_cover_mean_z_{n}": all_of_them, f"raw_cover_{n}": of_raw}
    return rows, figures


def _limits(items: int, studies_of_2000: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Truth, and for each item the limit of MOS, of 100 (mean z + 3) / 6, and of the raw mean."""
    truth = np.random.default_rng(SEED).uniform(1, 5, items)
    study = Study(raters=2_000, per_item=1_000, items=items)
    found = []
    for place in range(studies_of_2000):
        ratings = simulate(study, seed=SEED - 1 - place, truth=truth).ratings
        opinions = opinion_scores(ratings)
        z = ratings - np.nanmean(ratings, axis=1, keepdims=True)
        z /= np.nanstd(ratings, axis=1, ddof=1, keepdims=True)
        found.append([opinions.mos, 100 * (np.nanmean(z, axis=0) + 3) / 6, opinions.raw_mean])
    limit, everybody, raw = np.mean(found, axis=0)
    return truth, limit, everybody, raw


def _naive(found: Opinions, limit: Floats) -> tuple[Floats, Floats, Floats]:
    """Student's interval of the z-scores that screening left."""
    spread = np.nanstd(found.z, axis=0, ddof=1) * 100 / 6
    t = np.array([t_quantile(0.975, n - 1) for n in found.n.tolist()])
    half = t * spread / np.sqrt(found.n)
    return found.mos - half, limit, found.mos + half


def _holds(low: Floats, value: Floats, high: Floats) -> float:
    return float(((low <= value) & (value <= high)).mean())


def agreed(quick: bool) -> Found:
    """How often intervals of α and ICC hold their limit for the same five raters and more units."""
    sets = 20 if quick else 500
    rows, figures = [], {}
    parts: dict[str, Callable[[Floats, int], tuple[float | None, float | None, float | None]]] = {
        "ordinal α": _alpha, "ICC(2,1)": _icc,
    }  # fmt: skip
    for name, coefficient in parts.items():
        step = 1.0 if coefficient is _alpha else None
        limit, _, _ = coefficient(_fixed(20_000, SEED - 1, step), 2)
        for n in SIZES:
            found = [coefficient(_fixed(n, SEED + k, step), ALPHA_DRAWS) for k in range(sets)]
            share = float(np.mean([low <= limit <= high for _, low, high in found]))  # type: ignore[operator]
            rows.append((f"{name}'s interval holds, {n} units", "–", f"{share:.3f}", "–"))
            figures[f"cover_{name}_{n}"] = share
    return rows, figures


def _alpha(table: Floats, draws: int) -> tuple[float | None, float | None, float | None]:
    found = krippendorff_alpha(table, metric="ordinal", draws=draws)
    return found.alpha, found.low, found.high


def _icc(table: Floats, draws: int) -> tuple[float | None, float | None, float | None]:
    found = icc(table, draws=draws)
    return found.value, found.low, found.high


@cache
def _five(seed: int) -> Simulated:
    return simulate(Study(raters=ALPHA_RATERS, per_item=ALPHA_RATERS, items=1), seed=seed)


def _fixed(units: int, seed: int, step: float | None) -> Floats:
    """Units × raters, always of the same five raters."""
    study = Study(raters=ALPHA_RATERS, per_item=ALPHA_RATERS, items=units, step=step)
    return simulate(study, seed=seed, raters=_five(SEED).raters).ratings.T


def kept(so: bool) -> str:
    """The verdict on a bound."""
    return "yes" if so else "no"
