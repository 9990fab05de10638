"""Compiled loops behind the pixel measures; import this module only when one is needed.

They are written for the vectoriser: flat arrays, unsigned indices (a signed one would be tested
for being negative), buffers whose lines lie a constant distance apart (so that loads and stores
are seen not to overlap), and sums kept in single precision for one line only.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., Any])
Flat = NDArray[Any]
Weights = tuple[float, float, float, float, float, float]  # half a window, outermost first

f32 = np.float32
at = np.uintp

REACH = 10  # a window spans its first pixel and the ten after it
PITCH = 800  # floats from line to line; one strip of all four maps stays in the second cache
BAND = 48  # window rows worked on at a time, in steps of STEP
STEP = 4
MAP = PITCH * (BAND + REACH)
MAPS = 4


def compiled(function: F) -> F:
    """Compile on first call and keep the machine code beside the module or in the user's cache."""
    # Contraction and reordering only: no approximate division or root, no NaN assumptions.
    options: dict[str, Any] = {
        "nogil": True,
        "error_model": "numpy",
        # One function, one machine code: a helper compiled by itself is reordered otherwise than
        # within its caller, and which of the two runs depends on whether the cache was there.
        "inline": "always" if function.__name__.startswith("_") else "never",
        "fastmath": {"contract", "reassoc", "nsz"},
    }
    try:
        return cast(F, numba.njit(cache=True, **options)(function))
    except RuntimeError:  # numba found no folder it may write its cache to
        return cast(F, numba.njit(**options)(function))


# ── structural similarity ───────────────────────────────────────────────────────────────


@compiled
def dissimilarity(
    a: Flat, b: Flat, counts: Flat, shape: tuple[int, int, int], settings: tuple[Any, ...]
) -> float:
    """The sum of 1 − SSIM over counting windows and channels.

    `a`, `b`: height·width·channels values; `counts`: 0 or 1 for each window and channel;
    `settings`: half the window's weights, C1, C2. A huge C1 leaves out the luminance part.
    """
    height, width, channels = shape
    line, out = width * channels, (width - REACH) * channels
    maps = np.zeros(MAPS * MAP, np.float32)
    blurred = np.zeros(MAPS * STEP * PITCH, np.float32)
    centre = np.zeros(PITCH, np.float32)
    total = 0.0
    for left in range(0, out, PITCH - REACH * channels):
        wide = min(PITCH - REACH * channels, out - left)
        for top in range(0, height - REACH, BAND):
            tall = min(BAND, height - REACH - top)
            row, column = _first_counting(counts, (top, left), (tall, wide), out)
            if row < 0:
                continue
            pixel = row * line + column - column % channels
            for j in range(PITCH):
                k = pixel + (left + j) % channels
                centre[j] = f32(a[k]) + f32(b[k])
            for row in range(tall + REACH):
                place = ((top + row) * line + left, row * PITCH)
                _fill((a, b), centre, maps, place, wide + REACH * channels)
            for row in range(0, tall, STEP):
                for m in range(MAPS):
                    place = (m * MAP + row * PITCH, m * STEP * PITCH)
                    _blur_down(maps, blurred, place, wide + REACH * channels, settings[0])
                for k in range(min(STEP, tall - row)):
                    place = (k * PITCH, (top + row + k) * out + left)
                    total += _blur_along(
                        (blurred, centre), counts, place, (wide, channels), settings
                    )
    return total


@compiled
def _first_counting(
    counts: Flat, place: tuple[int, int], size: tuple[int, int], out: int
) -> tuple[int, int]:
    """Row and column of the first window that counts in a part of the picture, or −1."""
    for row in range(place[0], place[0] + size[0]):
        for column in range(place[1], place[1] + size[1]):
            if counts[row * out + column]:
                return row, column
    return -1, -1


@compiled
def _fill(
    pair: tuple[Flat, Flat], centre: Flat, maps: Flat, place: tuple[int, int], n: int
) -> None:
    """One line of the four maps: sum and difference of the pictures, and their squares."""
    for j in range(n):
        x, y = f32(pair[0][at(place[0] + j)]), f32(pair[1][at(place[0] + j)])
        # Around a pixel that counts: flat regions, where variances lose digits, become 0.
        s, d = x + y - centre[at(j)], x - y
        i = at(place[1] + j)
        maps[i] = s
        maps[i + at(MAP)] = d
        maps[i + at(2 * MAP)] = s * s
        maps[i + at(3 * MAP)] = d * d


@compiled
def _blur_down(maps: Flat, blurred: Flat, place: tuple[int, int], n: int, weights: Weights) -> None:
    """Four lines of one map, each the weighted sum of eleven; one load serves up to four."""
    for j in range(n):
        p, q = at(place[0] + j), at(place[1] + j)
        first = _weigh(maps, p, at(PITCH), weights)
        second = _weigh(maps, p + at(PITCH), at(PITCH), weights)
        third = _weigh(maps, p + at(2 * PITCH), at(PITCH), weights)
        fourth = _weigh(maps, p + at(3 * PITCH), at(PITCH), weights)
        blurred[q] = first
        blurred[q + at(PITCH)] = second
        blurred[q + at(2 * PITCH)] = third
        blurred[q + at(3 * PITCH)] = fourth


@compiled
def _blur_along(
    lines: tuple[Flat, Flat],
    counts: Flat,
    place: tuple[int, int],
    size: tuple[int, int],
    settings: tuple[Any, ...],
) -> float:
    """The sum of 1 − SSIM over one line of windows."""
    weights, c1, c2 = settings
    blurred, centre = lines
    n, channels = size[0], at(size[1])
    total = f32(0)
    for j in range(n):
        p = at(place[0] + j)
        s = _weigh(blurred, p, channels, weights)
        d = _weigh(blurred, p + at(STEP * PITCH), channels, weights)
        ss = _weigh(blurred, p + at(2 * STEP * PITCH), channels, weights)
        dd = _weigh(blurred, p + at(3 * STEP * PITCH), channels, weights)
        # With means x, y: s² + d² = 2(x² + y²); with variances the same. As 1 − SSIM, equal
        # pictures give exactly 0, swapped ones the same bits, near ones keep their digits.
        d *= d
        dd -= d
        contrast = f32(0.5) * (ss - s * s + dd) + c2
        s += centre[at(j)]
        luminance = f32(0.5) * (s * s + d) + c1
        loss = (dd * luminance + d * (contrast - dd)) / (contrast * luminance)
        total += loss * f32(counts[at(place[1] + j)])
    return float(total)


@compiled
def _weigh(x: Flat, p: Any, step: Any, weights: Weights) -> Any:
    """The weighted sum of eleven values from `p` on, `step` apart, by a symmetric window."""
    far = p + at(REACH) * step
    total = weights[5] * x[p + at(5) * step]
    total += weights[4] * (x[p + at(4) * step] + x[far - at(4) * step])
    total += weights[3] * (x[p + at(3) * step] + x[far - at(3) * step])
    total += weights[2] * (x[p + at(2) * step] + x[far - at(2) * step])
    total += weights[1] * (x[p + step] + x[far - step])
    return total + weights[0] * (x[p] + x[far])


# ── gradient magnitude similarity ───────────────────────────────────────────────────────


@compiled
def luma_cells(picture: Flat, weights: tuple[float, ...]) -> Flat:
    """Luma of an H×W×3 picture with even sides, summed over 2×2 pixels, in a frame of zeros."""
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    cells = np.zeros((height + 2, width + 2), np.float32)
    for row in range(height):
        top, bottom, out = picture[2 * row].ravel(), picture[2 * row + 1].ravel(), cells[row + 1]
        for j in range(width):
            i = at(6 * j)
            red = _four(top, bottom, i)
            green = _four(top, bottom, i + at(1))
            blue = _four(top, bottom, i + at(2))
            out[at(j + 1)] = weights[0] * red + weights[1] * green + weights[2] * blue
    return cells


@compiled
def _four(top: Flat, bottom: Flat, i: Any) -> Any:
    left, right = np.int32(top[i]), np.int32(top[i + at(3)])
    return f32(left + right + np.int32(bottom[i]) + np.int32(bottom[i + at(3)]))


@compiled
def gradient_differences(x: Flat, y: Flat, counts: Flat, c: float) -> tuple[float, float]:
    """Sums over counting cells of 1 − gradient magnitude similarity, and of its square."""
    first = second = 0.0
    for row in range(counts.shape[0]):
        one, two = _gradient_line(
            (x[row], x[row + 1], x[row + 2]), (y[row], y[row + 1], y[row + 2]), counts[row], f32(c)
        )
        first += one
        second += two
    return first, second


@compiled
def _gradient_line(
    x: tuple[Flat, Flat, Flat], y: tuple[Flat, Flat, Flat], counts: Flat, c: Any
) -> tuple[float, float]:
    first, second = f32(0), f32(0)
    for j in range(counts.size):
        p, q = _gradient(x, j), _gradient(y, j)
        s, d = p + q, p - q
        # 1 − (2pq + c) / (p² + q² + c), exactly 0 for equal gradients.
        loss = f32(counts[j]) * (d * d) / (f32(0.5) * (s * s + d * d) + c)
        first += loss
        second += loss * loss
    return float(first), float(second)


@compiled
def _gradient(lines: tuple[Flat, Flat, Flat], j: int) -> Any:
    """Three times the Prewitt gradient's length around the middle line's cell `j` + 1."""
    top, middle, bottom = lines
    falling, rising = bottom[j + 2] - top[j], top[j + 2] - bottom[j]
    across = falling + rising + middle[j + 2] - middle[j]
    down = falling - rising + bottom[j + 1] - top[j + 1]
    return np.sqrt(across * across + down * down)


# ── alignment ───────────────────────────────────────────────────────────────────────────


@compiled
def tile_sums(moved: Flat, fixed: Flat, side: int) -> Flat:
    """For every whole tile the twelve sums that a shift and a comparison need.

    With the pictures' mean gradient (x, y), the difference t that `moved` makes, and `fixed` f:
    x, y, t, f, xx, xy, yy, xt, yt, tt, ff, ft. Tiles start at the second line and column,
    because a gradient needs both neighbours.
    """
    rows, columns = (fixed.shape[0] - 2) // side, (fixed.shape[1] - 2) // side
    sums = np.zeros((max(rows, 0), max(columns, 0), 12), np.float32)
    both = moved + fixed
    for i in range(rows):
        for j in range(columns):
            for k in range(i * side, (i + 1) * side):
                left = 1 + j * side
                lines = (both[k], both[k + 1], both[k + 2], fixed[k + 1])
                _add_line(lines, left, left + side, sums[i, j])
    return sums


@compiled
def _add_line(lines: tuple[Flat, Flat, Flat, Flat], left: int, right: int, sums: Flat) -> None:
    above, line, below, fixed = lines
    sx = sy = st = sf = sxx = sxy = syy = sxt = syt = stt = sff = sft = f32(0)
    for j in range(left, right):
        i = at(j)
        x = f32(0.25) * (line[i + at(1)] - line[i - at(1)])
        y = f32(0.25) * (below[i] - above[i])
        t, f = line[i] - fixed[i] - fixed[i], fixed[i] - f32(128)
        sx, sy, st, sf = sx + x, sy + y, st + t, sf + f
        sxx, sxy, syy, sxt, syt = sxx + x * x, sxy + x * y, syy + y * y, sxt + x * t, syt + y * t
        stt, sff, sft = stt + t * t, sff + f * f, sft + f * t
    for k, value in enumerate((sx, sy, st, sf, sxx, sxy, syy, sxt, syt, stt, sff, sft)):
        sums[k] += value


@compiled
def sourced(matrix: Flat, shape: tuple[int, int], margin: float) -> Flat:
    """Pixels that `matrix` takes to a place at least `margin` inside a picture of this shape."""
    height, width = shape
    inside = np.zeros((height, width), np.bool_)
    right, bottom = width - 1 - margin, height - 1 - margin
    for y in range(height):
        line = inside[y]
        for x in range(width):
            u = matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2]
            v = matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2]
            line[x] = (margin <= u) & (u <= right) & (margin <= v) & (v <= bottom)
    return inside


@compiled
def resampled(picture: Flat, matrix: Flat, inside: Flat) -> Flat:
    """`picture` (single precision) where `matrix` takes each pixel that is `inside`, else 0.

    Bicubic convolution (Keys, IEEE TASSP 29, 1981) at the very place; OpenCV rounds places to
    1/32 pixel, too coarse to refine a transform by.
    """
    out = np.zeros(inside.shape, np.float32)
    for y in range(inside.shape[0]):
        for x in range(inside.shape[1]):
            if inside[y, x]:
                u = matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2]
                v = matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2]
                # A place on the last column with two neighbours is looked at from its left.
                i, j = min(int(v), picture.shape[0] - 3), min(int(u), picture.shape[1] - 3)
                across, down = _keys(f32(u - j)), _keys(f32(v - i))
                total = f32(0)
                for k in range(4):
                    line = picture[i + k - 1]
                    part = across[0] * line[j - 1] + across[1] * line[j]
                    part += across[2] * line[j + 1] + across[3] * line[j + 2]
                    total += down[k] * part
                out[y, x] = total
    return out


@compiled
def _keys(t: Any) -> tuple[Any, Any, Any, Any]:
    h = f32(0.5)
    return (
        h * t * (t * (f32(2) - t) - f32(1)),
        h * (t * t * (f32(3) * t - f32(5)) + f32(2)),
        h * t * (t * (f32(4) - f32(3) * t) + f32(1)),
        h * t * t * (t - f32(1)),
    )
