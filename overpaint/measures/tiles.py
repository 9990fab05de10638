"""How two pictures agree tile by tile: whether one has moved, and by what fraction of a pixel."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Array = NDArray[Any]

# Agreement is judged on tiles of the half-scale picture. A tile is textured if its deviation
# is worth following, and agrees if the difference is a small share of its variance.
TILE: Final = 16
TEXTURE: Final = 4.0  # grey levels
SLACK: Final = 0.2
FEW_TILES: Final = 6
STILL: Final = 0.1  # pixels; pictures that drift by less over all agreeing tiles are identical
CORNER: Final = 0.05  # least share of the weaker gradient direction in a tile with corners
STAYING: Final = 0.15  # share of such tiles that must agree; an edit may change the others

HALVE_FROM: Final = 256  # pictures with a smaller side are looked at in full
SMOOTH: Final = 1.0  # σ; unsmoothed, edges pull a refined transform towards whole pixels
BLUR: Final = 4  # px that smoothing reaches
BICUBIC: Final = 2  # px that bicubic interpolation reaches
HALO: Final = BLUR + BICUBIC + 1  # what a tile depends on around itself; 1 for its gradients
STEPS: Final = 12  # of refinement at most
ENOUGH: Final = 0.01  # px; a smaller step is the last
PAD: Final = 3  # what bicubic interpolation reaches from one pixel beyond the border


@dataclass(frozen=True)
class View:
    """Both pictures in grey, at half scale unless they are small, and the same smoothed."""

    greys: tuple[Array, Array]  # moving, fixed
    smooth: tuple[Array, Array]  # the moving one with its border repeated PAD times
    mask: Mask | None  # where a tile may lie without seeing anything that does not count
    scale: int

    @classmethod
    def of(cls, moving: Pixels, fixed: Pixels, mask: Mask | None) -> "View":
        import cv2

        scale = 2 if min(fixed.shape[:2]) >= HALVE_FROM else 1
        one, two = shrunk(grey(moving), scale), shrunk(grey(fixed), scale)
        soft = [_smoothed(grey) for grey in (one, two)]
        padded = cv2.copyMakeBorder(soft[0], PAD, PAD, PAD, PAD, cv2.BORDER_REPLICATE)
        small = None if mask is None else eroded(shrunk_mask(mask, scale), HALO, HALO)
        return cls((one, two), (padded, soft[1]), small, scale)

    def tiles(self, back: Array) -> "Tiles":
        """How well the tiles agree once `moving` is seen through `back`."""
        from overpaint.measures import kernels

        padded, fixed = self.smooth
        # A pixel beyond the border is taken for the border, lest all tiles along it be lost.
        inside = kernels.sourced(back, fixed.shape, -1.0)
        if np.array_equal(back, np.eye(2, 3)):
            moved = np.ascontiguousarray(padded[PAD:-PAD, PAD:-PAD])
        else:
            moved = kernels.resampled(padded, back + np.array([[0, 0, PAD]]), inside)
        inside = inside if self.mask is None else inside & self.mask
        return Tiles.of(kernels.tile_sums(moved, fixed, TILE), inside)

    def refined(self, back: Array) -> tuple[Array, "Tiles"]:
        """`back` after a few steps down the difference, if they help, and the tiles it leaves."""
        first = tiles = self.tiles(back)
        better = back
        for _ in range(STEPS):
            calm = tiles.only(tiles.agree) if tiles.support else tiles
            if len(calm.gap) < FEW_TILES:
                break
            drift = calm.drift()
            better = _after(better, drift)
            tiles = self.tiles(better)
            if np.abs(calm.places @ drift.T).max() < ENOUGH:
                break
        return (better, tiles) if tiles.better_than(first) else (back, first)


@dataclass(frozen=True)
class Tiles:
    """Textured tiles: where, and what a small shift of each would do (Lucas, Kanade 1981)."""

    used: Mask  # on the grid of all tiles; the rest is for the N used ones
    places: Array  # N×3: x, y, 1
    normal: Array  # N×2×2: sums of gradient products
    pull: Array  # N×2: sums of gradient times difference
    gap: Array  # N: squared difference
    energy: Array  # N: variance of both pictures

    @classmethod
    def of(cls, sums: Array, inside: Mask) -> "Tiles":
        rows, columns = sums.shape[:2]
        cut = inside[1 : 1 + rows * TILE, 1 : 1 + columns * TILE]
        used = cut.reshape(rows, TILE, columns, TILE).all(axis=(1, 3))
        n = TILE * TILE
        used &= sums[:, :, 10] - sums[:, :, 3] ** 2 / n > n * TEXTURE**2
        x, y, t, f, xx, xy, yy, xt, yt, tt, ff, ft = sums[used].astype(np.float64).T
        # Around each tile's own mean: a change of brightness is no movement.
        gap = tt - t * t / n
        energy = 2 * (ff - f * f / n) + 2 * (ft - f * t / n) + gap
        slope = np.array([[xx - x * x / n, xy - x * y / n], [xy - x * y / n, yy - y * y / n]])
        pull = np.array([xt - x * t / n, yt - y * t / n])
        row, column = np.nonzero(used)
        middle = (TILE + 1) / 2
        places = np.stack([column * TILE + middle, row * TILE + middle, np.ones(len(row))], axis=1)
        return cls(used, places, slope.transpose(2, 0, 1), pull.T, gap, energy)

    def better_than(self, other: "Tiles") -> bool:
        """Whether the tiles that both use agree more closely here; edited ones weigh nothing."""
        both = self.used & other.used
        if np.count_nonzero(both) < FEW_TILES:
            return False
        here, there = (
            np.minimum(tiles.gap / tiles.energy, SLACK)[both[tiles.used]].mean()
            for tiles in (self, other)
        )
        return bool(here < there)

    @cached_property
    def corner(self) -> Mask:
        """Tiles with edges in both directions; with one, a tile would agree all along it."""
        weak, strong = np.linalg.eigvalsh(self.normal).T
        return np.asarray(weak >= CORNER * strong)

    @cached_property
    def agree(self) -> Mask:
        """Tiles whose difference is small beside what is in them; the others may be edited."""
        return np.asarray(self.gap <= SLACK * self.energy)

    @property
    def support(self) -> float:
        """The share of tiles with corners that agree, 0 where those are too few to tell."""
        count = np.count_nonzero(self.agree & self.corner)
        return float(count / np.count_nonzero(self.corner)) if count >= FEW_TILES else 0.0

    def explains(self, other: "Tiles") -> bool:
        """Whether most of the tiles that agree there agree here as well."""
        here, there = (tiles.only(tiles.agree).used for tiles in (self, other))
        return bool(2 * np.count_nonzero(here & there) >= np.count_nonzero(there))

    def still(self, scale: int) -> bool:
        """Whether the picture has not moved: tiles agree where they are, and without drift."""
        if self.support < STAYING:
            return False
        calm = self.only(self.agree & self.corner)
        return bool(np.hypot(*(calm.places @ calm.drift().T).T).max() * scale < STILL)

    def only(self, keep: Mask) -> "Tiles":
        """Some of the tiles used."""
        used = self.used.copy()
        used[used] = keep
        parts = (self.places, self.normal, self.pull, self.gap, self.energy)
        return Tiles(used, *(part[keep] for part in parts))

    def drift(self) -> Array:
        """The small affine movement, 2×3, that best explains the difference of most tiles."""
        weight = 1.0 / self.energy
        extent: Array = self.places.max(axis=0)  # to keep the numbers below near one
        places = self.places / extent
        found: Array = np.zeros((2, 3))
        for _ in range(5):
            left = np.einsum("n,nab,ni,nj->aibj", weight, self.normal, places, places)
            right = -np.einsum("n,na,ni->ai", weight, self.pull, places)
            square = left.reshape(6, 6)
            square += np.eye(6) * (1e-6 * np.trace(square) + 1e-12)
            found = np.linalg.solve(square, right.ravel()).reshape(2, 3)
            weight = self._belief(places @ found.T) / self.energy
        return np.asarray(found / extent)

    def _belief(self, drift: Array) -> Array:
        """How far each tile is to be believed, from what is left of its difference."""
        left: Array = self.gap + 2 * np.einsum("na,na->n", self.pull, drift)
        left += np.einsum("na,nab,nb->n", drift, self.normal, drift)
        share = left.clip(0) / self.energy
        belief: Array = (1 + share / (np.median(share) + 1e-6)) ** -2
        return belief


def _after(back: Array, drift: Array) -> Array:
    """The transform that first drifts and then goes `back`."""
    together = np.array(back[:, :2] @ (drift + np.eye(2, 3)))
    together[:, 2] += back[:, 2]
    return together


def grey(picture: Pixels) -> Array:
    import cv2

    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY))


def _smoothed(grey: Array) -> Array:
    import cv2

    return cv2.GaussianBlur(grey.astype(np.float32), (2 * BLUR + 1, 2 * BLUR + 1), SMOOTH)


def shrunk(picture: Array, times: int) -> Array:
    """Means of times×times pixels; a last line that fills no cell is left out."""
    import cv2

    height, width = (max(int(side) // times, 1) for side in picture.shape)
    whole = picture[: height * times, : width * times]
    return cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA)


def shrunk_mask(mask: Mask, times: int) -> Mask:
    """True where all pixels of a cell are."""
    return np.asarray(shrunk(mask.astype(np.uint8) * 255, times) == 255)


def eroded(mask: Mask, across: int, down: int) -> Mask:
    """True where every pixel up to so many across and down is; beyond the border all are."""
    import cv2

    if not across and not down:
        return mask
    box = np.ones((2 * down + 1, 2 * across + 1), np.uint8)
    return np.asarray(cv2.erode(np.ascontiguousarray(mask).view(np.uint8), box)).view(np.bool_)
