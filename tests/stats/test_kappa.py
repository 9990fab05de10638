"""κ against published examples, independent libraries, and laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from overpaint.stats.kappa import Weights, cohens_kappa, fleiss_kappa

NAN = float("nan")
WEIGHTS: tuple[Weights | None, ...] = (None, "linear", "quadratic")

# Fleiss' own layout, how many of 14 raters put each of ten units in each of five categories; the
# example that textbooks repeat, with κ = .210.
COUNTS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
UNITS = [[k for k, n in enumerate(row) for _ in range(n)] for row in COUNTS]

pairs = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=25)


# ── references ──────────────────────────────────────────────────────────────────────────


def test_the_textbooks_table_has_the_textbooks_kappa() -> None:
    found = fleiss_kappa(UNITS)
    assert found.value == pytest.approx(0.210, abs=5e-4)
    assert (found.units, found.ratings) == (10, 140)


def test_fifty_grants_of_which_thirty_five_are_agreed_on_have_a_kappa_of_two_fifths() -> None:
    a = [1] * 25 + [0] * 25  # agreed by chance: ½ · ⅗ + ½ · ⅖ = ½; κ = (.7 − .5) / .5
    b = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert cohens_kappa(a, b).value == pytest.approx(0.4)


@given(pairs)
@settings(max_examples=60, deadline=None)
def test_cohens_kappa_equals_that_of_scikit_learn_to_nine_digits(
    given: list[tuple[int, int]],
) -> None:
    a, b = zip(*given, strict=True)
    for weights in WEIGHTS:
        found = cohens_kappa(a, b, weights=weights, draws=5)
        if found.value is None:
            assert len(set(a) | set(b)) == 1
            assert "every rating is the same" in found.notes[0]
        else:
            theirs = cohen_kappa_score(a, b, weights=weights, labels=[1, 2, 3, 4, 5])
            assert found.value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.slow
def test_fleiss_kappa_equals_that_of_statsmodels_to_nine_digits() -> None:
    from statsmodels.stats.inter_rater import aggregate_raters
    from statsmodels.stats.inter_rater import fleiss_kappa as theirs

    for seed in range(20):
        table = np.random.default_rng(seed).integers(0, 2 + seed % 4, (25, 3 + seed % 3))
        found = fleiss_kappa(table, draws=5).value
        assert found == pytest.approx(theirs(aggregate_raters(table)[0]), abs=1e-9)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@given(pairs, st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_the_order_of_units_moves_no_number(
    given: list[tuple[int, int]], random: np.random.Generator
) -> None:
    other = list(given)
    random.shuffle(other)
    for weights in WEIGHTS:
        one, two = (
            cohens_kappa(*zip(*rows, strict=True), weights=weights, draws=40)
            for rows in (given, other)
        )
        assert one == two
    assert fleiss_kappa(given, draws=40) == fleiss_kappa(other, draws=40)


def test_raters_who_agree_have_one_and_raters_at_random_have_about_none() -> None:
    same = np.arange(30) % 3
    for found in (
        cohens_kappa(same, same, weights="linear"),
        fleiss_kappa(np.tile(same, (4, 1)).T),
    ):
        assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)
    random = np.random.default_rng(0).integers(0, 3, (300, 2))
    for found in (cohens_kappa(*random.T), fleiss_kappa(random)):
        assert found.low is not None
        assert found.high is not None
        assert found.low < 0 < found.high


def test_a_near_miss_counts_less_with_weights_and_an_unused_category_keeps_its_place() -> None:
    a, near, far = [1, 2, 3, 5] * 5, [1, 2, 3, 3] * 5, [1, 2, 3, 1] * 5
    plain = [cohens_kappa(a, b).value for b in (near, far)]
    assert plain[0] == pytest.approx(plain[1], abs=0.02)
    weighted = [cohens_kappa(a, b, weights="quadratic").value for b in (near, far)]
    assert None not in weighted
    assert weighted[0] > weighted[1] + 0.3  # type: ignore[operator]
    theirs = cohen_kappa_score(a, near, weights="quadratic", labels=[1, 2, 3, 4, 5])
    assert weighted[0] == pytest.approx(theirs)


def test_the_interval_is_that_of_a_plain_bootstrap_over_units() -> None:
    rng = np.random.default_rng(3)
    a = rng.integers(1, 5, 60)
    b = np.clip(a + rng.integers(-1, 2, 60), 1, 4)
    plain = []
    for _ in range(400):
        drawn = rng.integers(0, 60, 60)
        plain.append(cohens_kappa(a[drawn], b[drawn], draws=1).value)
    found = cohens_kappa(a, b)
    assert (found.low, found.high) == pytest.approx(
        np.quantile(plain, [0.022, 0.978]).tolist(), abs=0.05
    )
    assert found == cohens_kappa(a, b, seed=0)
    assert found.low != cohens_kappa(a, b, seed=1).low


# ── little or nothing to say ────────────────────────────────────────────────────────────


def test_a_unit_that_one_rater_left_out_does_not_count() -> None:
    found = cohens_kappa([1, 2, NAN, 1, 2, 3], [1, 2, 3, NAN, 2, 1])
    assert (found.units, found.ratings) == (4, 8)
    assert found.notes == ("no interval: it needs 5 units and has 4",)
    assert fleiss_kappa([[1, 1, NAN], [2, 2, 2], [NAN, 1, NAN]]).units == 2


def test_where_kappa_does_not_exist_there_is_a_sentence_and_no_number() -> None:
    for found in (cohens_kappa([], []), fleiss_kappa([[1], [2]])):
        assert found.value is None
        assert found.notes == ("no unit is rated by two raters",)
    assert fleiss_kappa([[1, 1], [1, 1]]).value is None


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ([1, 2], [1], "2 and 1 ratings; want both of every unit"),
        (["cat"], ["dog"], "are not numbers"),
        ([[1]], [[1]], "want 1 dimensions"),
        ([float("inf")], [1], "finite"),
    ],
)
def test_what_are_not_two_raters_is_refused(a: list[float], b: list[float], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        cohens_kappa(a, b)


def test_unknown_weights_and_a_table_that_is_none_are_refused() -> None:
    with pytest.raises(ValueError, match="want None, linear or quadratic"):
        cohens_kappa([1], [1], weights="cubic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="want 2 dimensions"):
        fleiss_kappa([1, 2])
