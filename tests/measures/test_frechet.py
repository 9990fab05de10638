"""The Fréchet distance held against scipy's root of a matrix and against torchmetrics."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import sqrtm
from torchmetrics.image.fid import _compute_fid

from overpaint.errors import UserMistake
from overpaint.measures.frechet import frechet_distance


def clouds(
    seed: int, dimensions: int, *, n: int = 40, m: int = 60
) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    mixing = random.normal(size=(dimensions, dimensions))
    one = random.normal(size=(n, dimensions)) @ mixing
    return one, random.normal(1, 2, size=(m, dimensions)) @ mixing.T


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 12))
def test_it_is_the_formula_with_scipys_root(seed: int, dimensions: int) -> None:
    one, other = clouds(seed, dimensions)
    (a, b), apart = [np.atleast_2d(np.cov(x.T)) for x in (one, other)], one.mean(0) - other.mean(0)
    by_hand = apart @ apart + np.trace(a + b - 2 * sqrtm(a @ b).real)
    assert frechet_distance(one, other) == pytest.approx(by_hand, rel=1e-6)


@pytest.mark.parametrize("dimensions", [2, 30])
def test_it_is_torchmetrics_number(dimensions: int) -> None:
    one, other = clouds(7, dimensions, n=300, m=200)
    told = [
        (torch.from_numpy(side.mean(0)), torch.from_numpy(np.cov(side.T))) for side in (one, other)
    ]
    theirs = float(_compute_fid(*told[0], *told[1]))
    assert frechet_distance(one, other) == pytest.approx(theirs, rel=1e-6)


@given(st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_it_is_a_distance_that_moves_by_the_square_of_a_shift(seed: int) -> None:
    one, other = clouds(seed, 5)
    assert frechet_distance(one, one) == pytest.approx(0, abs=1e-9 * np.square(one).sum())
    assert frechet_distance(one, other) == pytest.approx(frechet_distance(other, one), rel=1e-9)
    assert frechet_distance(one, one + 3) == pytest.approx(45, rel=1e-6)


def test_fewer_vectors_than_dimensions_still_have_their_distance() -> None:
    one, other = clouds(3, 50, n=8, m=9)
    a, b = (np.cov(x.T) for x in (one, other))
    values, vectors = np.linalg.eigh(a)
    root = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    common = np.sqrt(np.maximum(np.linalg.eigvalsh(root @ b @ root), 0)).sum()
    apart = one.mean(0) - other.mean(0)
    by_hand = apart @ apart + np.trace(a) + np.trace(b) - 2 * common
    assert frechet_distance(one, other) == pytest.approx(by_hand, rel=1e-6)


def test_vectors_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(UserMistake, match=r"\(3, 4\) and \(3, 5\).*n×d and m×d"):
        frechet_distance(np.ones((3, 4)), np.ones((3, 5)))
    with pytest.raises(UserMistake, match="at least two"):
        frechet_distance(np.ones((1, 4)), np.ones((3, 4)))
    with pytest.raises(UserMistake, match="finite"):
        frechet_distance(np.full((3, 4), np.nan), np.ones((3, 4)))
