"""Curves to opinion scores: no worse than a general optimiser's, isotonic ones scikit-learn's."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import curve_fit

from overpaint.stats.correlation import pearson
from overpaint.stats.fitting import (
    fit_logistic,
    fitted,
    isotonic,
    isotonic_from,
)

RNG = np.random.default_rng


def curve(x: np.ndarray, b1: float, b2: float, b3: float, b4: float) -> np.ndarray:
    return np.asarray(b2 + (b1 - b2) / (1 + np.exp(-(x - b3) / abs(b4))))


def opinions(seed: int, n: int = 80) -> tuple[np.ndarray, np.ndarray]:
    rng = RNG(seed)
    x = rng.normal(30, 6, n)
    rise = rng.choice([-1, 1]) * rng.uniform(10, 50)
    clean = curve(x, 50 + rise, 50, rng.uniform(24, 36), rng.uniform(1, 8))
    return x, clean + rng.normal(0, 4, n)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_the_fit_is_no_worse_than_a_general_optimiser_s(seed: int) -> None:
    x, y = opinions(seed)
    ours = fit_logistic(x, y)
    assert ours is not None
    assert ours.converged
    start = [y.max(), y.min(), x.mean(), x.std() / 4]
    try:
        theirs, _ = curve_fit(curve, x, y, p0=start, maxfev=4_000)
    except RuntimeError:  # theirs gave up
        return
    width = abs(theirs[3]) / x.std()
    if 0.05 < width < 20 and x.min() < theirs[2] < x.max():  # inside our ranges
        assert ours.rmse <= np.sqrt(np.mean((curve(x, *theirs) - y) ** 2)) + 1e-6
    assert ours.rmse == pytest.approx(np.sqrt(np.mean((ours(x) - y) ** 2)))


def test_a_clean_curve_gives_its_own_parameters_back() -> None:
    x = np.linspace(0, 10, 60)
    found = fit_logistic(x, curve(x, 80, 20, 4, 1.5))
    assert found is not None
    assert (found.beta1, found.beta2, found.beta3, found.beta4) == pytest.approx(
        (80, 20, 4, 1.5), rel=1e-4
    )
    assert found.rises
    assert found.rmse < 1e-3


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_the_curve_never_turns(seed: int) -> None:
    x, y = opinions(seed, 20)
    found = fit_logistic(x, y)
    assert found is not None
    steps = np.diff(found(np.linspace(-100, 160, 300)))
    assert (steps >= 0).all() if found.rises else (steps <= 0).all()


def test_lines_and_steps_are_called_so() -> None:
    x = np.arange(40.0)
    assert fit_logistic(x, 3 * x).notes == ("the fitted curve is all but a straight line",)  # type: ignore[union-attr]
    assert fit_logistic(x, x > 19.5).notes == ("the fitted curve is all but a step",)  # type: ignore[union-attr]
    assert fit_logistic(x, np.ones(40)) is None
    with pytest.raises(ValueError, match="4 parameters wants 5 or more"):
        fit_logistic([1, 2, 3, 4], [1, 2, 3, 4])
    with pytest.raises(ValueError, match="not finite"):
        fit_logistic([1, 2, 3, 4, np.inf], [1, 2, 3, 4, 5])
    with pytest.raises(ValueError, match="two flat lists of one length"):
        fit_logistic([1, 2, 3], [1, 2])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_the_fitted_coefficient_is_pearson_s_of_the_curve(seed: int) -> None:
    x, y = opinions(seed, 40)
    found = fitted(x, y, range(40), draws=2)
    assert found.curve is not None
    r = pearson(found.curve(x), y, range(40), draws=2).value
    assert r is not None
    assert abs(found.plcc.value or 0) == pytest.approx(r, abs=1e-5)
    assert (found.plcc.value > 0) == found.curve.rises  # type: ignore[operator]
    raw = pearson(x, y, range(40), draws=2).value
    assert raw is not None
    assert abs(found.plcc.value or 0) >= abs(raw) - 2e-3  # a line is all but among the curves


def test_a_measure_that_falls_with_opinion_keeps_its_sign() -> None:
    x, y = opinions(3)
    one, two = (fitted(side, y, range(80)).plcc for side in (x, -x))
    assert one.value == pytest.approx(-(two.value or 0), abs=1e-6)
    assert one.low == pytest.approx(-(two.high or 0), abs=1e-3)


def test_the_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng, held = RNG(11), np.zeros(2)
    many = rng.normal(0, 1, 100_000)
    whole = fit_logistic(many, curve(many, 70, 40, 0.3, 0.4) + rng.normal(0, 5, len(many)))
    assert whole is not None
    spread = np.std(whole(many))
    truth = float(spread / np.hypot(spread, whole.rmse))
    for seed in range(40):
        x = rng.normal(0, 1, 60)
        y = curve(x, 70, 40, 0.3, 0.4) + rng.normal(0, 5, 60)
        found = fitted(x, y, range(60), seed=seed, draws=200)
        for at, (one, true) in enumerate(((found.plcc, truth), (found.rmse, whole.rmse))):
            assert one.low is not None
            assert one.high is not None
            held[at] += one.low <= true <= one.high
    assert (held >= 33).all()


def test_many_rows_are_fitted_in_parts_and_give_the_same_interval() -> None:
    x, y = opinions(5, 4_000)
    sources = np.arange(4_000) % 200
    fine = fitted(x, y, sources)
    coarse = fitted(np.round(x * 4) / 4, y, sources)  # few enough different values for no parts
    assert fine.plcc.low == pytest.approx(coarse.plcc.low, abs=0.004)
    assert fine.plcc.high == pytest.approx(coarse.plcc.high, abs=0.004)
    assert fine.plcc.low < fine.plcc.value < fine.plcc.high  # type: ignore[operator]


def test_what_cannot_be_fitted_is_none_with_a_reason() -> None:
    assert fitted([1, 2, 3], [1, 2, 3], "abc").plcc.notes == ("too few pairs: 3",)
    flat = fitted(range(9), [2.0] * 9, range(9)).rmse
    assert (flat.value, flat.notes) == (None, ("all values of one side are the same",))
    x, y = opinions(1, 12)
    few = fitted(x, y, [0, 1, 2] * 4).plcc
    assert few.value is not None
    assert few.low is None
    assert few.notes[-1] == "no interval: it needs 5 sources and has 3"


@settings(max_examples=40, deadline=None)  # the first call imports scikit-learn
@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(-20, 20)), min_size=1, max_size=50),
    st.booleans(),
)
def test_an_isotonic_map_is_scikit_learn_s(pairs: list[tuple[int, int]], rises: bool) -> None:
    x, y = (np.array(side, float) / 3 for side in zip(*pairs, strict=True))
    weights = 1 + (np.arange(len(x)) % 3)
    theirs = pytest.importorskip("sklearn.isotonic").IsotonicRegression(
        increasing=rises, out_of_bounds="clip"
    )
    theirs.fit(x, y, sample_weight=weights)
    at = np.linspace(-2, 6, 83)
    ours = isotonic(x, y, increasing=rises, weights=weights)
    assert ours(at) == pytest.approx(theirs.predict(at), abs=1e-9)


def test_an_isotonic_map_goes_through_json() -> None:
    rng = RNG(2)
    x = rng.normal(size=200)
    found = isotonic(x, x + rng.normal(size=200))
    kept = isotonic_from(json.loads(json.dumps(found.as_dict())))
    assert kept == found
    assert len(found.x) < 60
    assert (np.diff(found(np.sort(x))) >= 0).all()


@pytest.mark.parametrize(
    ("kept", "why"),
    [
        ({}, "not an isotonic map"),
        ({"x": [1, 2], "y": [2, 1], "increasing": True}, "y must go one way"),
        ({"x": [1, 1], "y": [1, 2], "increasing": True}, "x must rise"),
        ({"x": [], "y": [], "increasing": True}, "x must rise"),
        ({"x": [1, 2], "y": [1], "increasing": True}, "one length"),
        ({"x": ["a"], "y": [1], "increasing": True}, "could not convert"),
        ({"x": [1.0], "y": [float("nan")], "increasing": True}, "not finite"),
    ],
)
def test_what_is_no_map_is_refused(kept: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        isotonic_from(kept)


def test_pairs_that_make_no_map_are_refused() -> None:
    with pytest.raises(ValueError, match="no pairs"):
        isotonic([], [])
    with pytest.raises(ValueError, match="one positive number"):
        isotonic([1, 2], [1, 2], weights=[1, 0])
