"""The Fréchet distance of two clouds of vectors, each taken for a normal distribution.

    d² = |μ₁ − μ₂|² + tr Σ₁ + tr Σ₂ − 2 · tr (Σ₁Σ₂)^½

(Dowson and Landau 1982; of Inception features it is FID, Heusel et al. 2017.) With Σ = RᵀR, where R
comes from the centred vectors by QR, the last trace is the sum of the singular values of R₁R₂ᵀ: no
root of a matrix is taken, and clouds smaller than their dimensions lose no digits.
"""

import math

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import UserMistake

Vectors = NDArray[np.floating]


def frechet_distance(one: Vectors, other: Vectors) -> float:
    """d² of two sets of vectors, n×d and m×d, at least two each; 0 where they are the same."""
    a, b = (np.asarray(side, np.float64) for side in (one, other))
    _check(a, b)
    apart = float(np.square(a.mean(axis=0) - b.mean(axis=0)).sum())
    root_a, root_b = _root(a), _root(b)
    spread = float(np.square(root_a).sum() + np.square(root_b).sum())
    common = float(np.linalg.svd(root_a @ root_b.T, compute_uv=False).sum())
    return max(0.0, apart + spread - 2 * common)  # rounding can carry it below


def _root(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """R of Σ = RᵀR, the covariance with n − 1."""
    root = np.asarray(np.linalg.qr(vectors - vectors.mean(axis=0), mode="r"), np.float64)
    return root / math.sqrt(len(vectors) - 1)


def _check(a: NDArray[np.float64], b: NDArray[np.float64]) -> None:
    good = a.ndim == b.ndim == 2 and a.shape[1] == b.shape[1] and min(len(a), len(b)) > 1
    if not good or not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise UserMistake(
            f"Vectors were given as arrays of shape {a.shape} and {b.shape}.",
            "n×d and m×d finite numbers were expected, at least two vectors each.",
        )
