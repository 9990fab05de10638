"""Compiled loops behind the pixel measures; import this module only when one is needed."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile on first call and keep the machine code beside the module or in the user's cache."""
    # Contraction and reordering only: no approximate division or root, no NaN assumptions.
    options = {"nogil": True, "fastmath": {"contract", "reassoc", "nsz"}}
    try:
        return cast(F, numba.njit(cache=True, **options)(function))
    except RuntimeError:  # numba found no folder it may write its cache to
        return cast(F, numba.njit(**options)(function))


@compiled
def similarity(
    a: NDArray[Any], b: NDArray[Any], counts: NDArray[np.uint8], weights: NDArray[np.float32]
) -> tuple[float, float]:
    """Sums over counting windows of SSIM and of its contrast-structure part."""
    height, width, channels = a.shape
    taps = weights.size
    n = width * channels
    out = n - (taps - 1) * channels
    x, y = a.reshape(height, n), b.reshape(height, n)
    ring = np.zeros((4, taps, n), np.float32)
    line = np.zeros((4, n), np.float32)
    c1, c2 = np.float32(6.5025), np.float32(58.5225)
    half = np.float32(0.5)
    whole = structure = 0.0
    for row in range(height):
        at = row % taps
        for i in range(n):
            s = np.float32(x[row, i]) + np.float32(y[row, i]) - np.float32(256)
            d = np.float32(x[row, i]) - np.float32(y[row, i])
            ring[0, at, i] = s
            ring[1, at, i] = d
            ring[2, at, i] = s * s
            ring[3, at, i] = d * d
        first = row - taps + 1
        if first < 0:
            continue
        for m in range(4):
            line[m] = 0
            for t in range(taps):
                w = weights[t]
                for i in range(n):
                    line[m, i] += w * ring[m, (first + t) % taps, i]
        for i in range(out):
            if counts[first, i // channels]:
                s = d = ss = dd = np.float32(0)
                for t in range(taps):
                    w = weights[t]
                    j = i + t * channels
                    s += w * line[0, j]
                    d += w * line[1, j]
                    ss += w * line[2, j]
                    dd += w * line[3, j]
                vs, vd = ss - s * s, dd - d * d
                # 1 − …: exact for equal pictures, and precise for nearly equal ones.
                cs = 1 - vd / (half * (vs + vd) + c2)
                s += np.float32(256)
                light = 1 - d * d / (half * (s * s + d * d) + c1)
                structure += cs
                whole += cs * light
    return whole, structure


@compiled
def cells(x: NDArray[np.uint8], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Luma means of 2×2 pixels inside a frame of zeros; an odd side is filled with zeros."""
    height, width, channels = x.shape
    out = np.zeros(((height + 1) // 2 + 2, (width + 1) // 2 + 2), np.float32)
    for row in range(height):
        for column in range(width):
            for c in range(channels):
                out[row // 2 + 1, column // 2 + 1] += weights[c] * x[row, column, c] / 4
    return out


@compiled
def gradient_deviation(
    x: NDArray[np.float32], y: NDArray[np.float32], counts: NDArray[np.uint8], c: float
) -> tuple[float, float]:
    """Sums over counting cells of 1 − gradient magnitude similarity, and of its square."""
    first = second = 0.0
    third = np.float32(1 / 3)
    c = np.float32(c)
    for i in range(counts.shape[0]):
        for j in range(counts.shape[1]):
            if counts[i, j]:
                f = g = np.float32(0)
                for k in range(3):
                    f += x[i + k, j + 2] - x[i + k, j]
                    g += x[i + 2, j + k] - x[i, j + k]
                p = np.sqrt(f * f + g * g) * third
                f = g = np.float32(0)
                for k in range(3):
                    f += y[i + k, j + 2] - y[i + k, j]
                    g += y[i + 2, j + k] - y[i, j + k]
                q = np.sqrt(f * f + g * g) * third
                d = (p - q) * (p - q) / (np.float32(0.5) * ((p + q) ** 2 + (p - q) ** 2) + c)
                first += d
                second += d * d
    return first, second
