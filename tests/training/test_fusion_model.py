"""A fusion's members: trees held against scikit-learn's, curves against its isotonic regression."""

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.isotonic import IsotonicRegression
from threadpoolctl import threadpool_limits

from overpaint.training.fusion_kernels import rising
from overpaint.training.fusion_model import (
    MISSING,
    CurveTerms,
    TreeTerms,
    binned,
    fit_curves,
    grow_trees,
)

Floats = NDArray[np.float64]
PLAIN = TreeTerms(trees=60, depth=3, rate=0.1, fewest=8, pull=1.0)


def drawn(rows: int = 240, missing: float = 0.0, seed: int = 0) -> tuple[Floats, Floats]:
    random = np.random.default_rng(seed)
    values = random.normal(size=(rows, 6))
    wanted = np.sin(values[:, 0]) + values[:, 1] * (values[:, 2] > 0)
    wanted += 0.1 * random.normal(size=rows)
    values[random.random(values.shape) < missing] = np.nan
    return values, wanted


def theirs(values: Floats, wanted: Floats, *asked: Floats) -> list[Floats]:
    """What scikit-learn's trees tell of what is asked."""
    made = HistGradientBoostingRegressor(
        learning_rate=PLAIN.rate, max_iter=PLAIN.trees, max_depth=PLAIN.depth, max_leaf_nodes=None,
        min_samples_leaf=PLAIN.fewest, l2_regularization=PLAIN.pull, early_stopping=False,
    )  # fmt: skip
    with threadpool_limits(1):  # threads that wait for one another take a hundred times as long
        made.fit(values, wanted)
        return [made.predict(one) for one in asked]


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_trees_tell_what_scikit_learns_tell(missing: float) -> None:
    values, wanted = drawn(missing=missing)
    fresh, _ = drawn(seed=1)
    ours, other = grow_trees(values, wanted, PLAIN), theirs(values, wanted, values, fresh)
    # Theirs keeps slopes in single precision.
    assert np.abs(ours(values) - other[0]).max() < 1e-6
    assert np.abs(ours(fresh) - other[1]).max() < 1e-6


def test_trees_are_as_good_as_scikit_learns_where_values_are_many() -> None:
    values, wanted = drawn(rows=900)  # more values than bins, which both cut in ways of their own
    ours, (other,) = grow_trees(values, wanted, PLAIN), theirs(values, wanted, values)
    errors = [float(((one - wanted) ** 2).mean()) for one in (ours(values), other)]
    assert errors[0] <= 1.05 * errors[1]


def test_the_same_seed_grows_the_same_trees() -> None:
    values, wanted = drawn(missing=0.1)
    terms = TreeTerms(trees=30, columns=0.5, rows=0.7)
    one, two, other = (grow_trees(values, wanted, terms, seed=seed) for seed in (3, 3, 4))
    assert (one(values) == two(values)).all()
    assert (one(values) != other(values)).any()


def test_trees_can_be_grown_where_everything_is_missing() -> None:
    values = np.full((40, 3), np.nan)
    wanted = np.arange(40.0)
    assert grow_trees(values, wanted, PLAIN)(values) == pytest.approx(np.full(40, 19.5))


@pytest.mark.parametrize("seed", range(5))
def test_what_never_falls_is_scikit_learns_isotonic_fit(seed: int) -> None:
    random = np.random.default_rng(seed)
    values, weights = random.normal(size=80), random.uniform(0.1, 3, 80)
    values[10:20] = values[10]
    fit = IsotonicRegression().fit_transform(np.arange(80), values, sample_weight=weights)
    assert rising(values, weights) == pytest.approx(fit, abs=1e-12)


def test_curves_never_turn() -> None:
    values, wanted = drawn(missing=0.1)
    wanted = values[:, 0].copy()
    wanted[np.isnan(wanted)] = 0
    wanted = wanted - 2 * np.nan_to_num(values[:, 3]) ** 3
    made = fit_curves(values, wanted, CurveTerms())
    assert {0, 3} <= made.curves.keys()
    for at, (knots, heights) in made.curves.items():
        assert (np.diff(knots) > 0).all()
        steps = np.diff(heights) * (-1 if at == 3 else np.sign(heights[-1] - heights[0]))
        assert (steps >= -1e-12).all()
    # And so the whole never falls with the one, nor rises with the other.
    for at, sign in ((0, 1), (3, -1)):
        line = np.repeat(values[:1], 50, axis=0)
        line[:, at] = np.linspace(-3, 3, 50)
        assert (sign * np.diff(made(line)) >= -1e-12).all()


def test_one_curve_is_the_isotonic_fit_at_a_rate_of_one() -> None:
    random = np.random.default_rng(0)
    values = np.arange(30.0)[:, None]
    wanted = values[:, 0] + 4 * random.normal(size=30)
    made = fit_curves(values, wanted, CurveTerms(steps=1, rate=1.0, bins=255))
    fit = IsotonicRegression().fit_transform(values[:, 0], wanted)
    assert made(values) == pytest.approx(fit, abs=1e-9)


def test_a_feature_that_says_nothing_has_no_curve() -> None:
    random = np.random.default_rng(0)
    values = np.column_stack([np.arange(100.0), np.ones(100), np.full(100, np.nan)])
    made = fit_curves(values, values[:, 0] + random.normal(size=100), CurveTerms())
    assert set(made.curves) == {0}


def test_every_value_has_a_bin_and_what_is_missing_its_own() -> None:
    values, _ = drawn(rows=2_000, missing=0.3)
    cut = binned(values, 64)
    assert ((cut.of == MISSING) == np.isnan(values)).all()
    there = cut.of[~np.isnan(values[:, 0]), 0]
    assert there.max() <= 63
    counts = np.bincount(there)
    assert counts.min() > 0.7 * counts.mean()
