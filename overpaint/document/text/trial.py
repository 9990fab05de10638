"""Trial: one face drawn over a line of a picture and moved until it lies on its ink.

The line is drawn once, large, and brought to any size and place by resampling; how far it has
to move, grow, spread, swell and blur is found by least squares from the difference of the two
pictures and the slopes of the drawn one (Gauss and Newton's method, as Lucas and Kanade use it
to register pictures), two or three times over.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.document.text.faces import Face
from overpaint.document.text.seen import Cover, Seen
from overpaint.document.text.units import EM, Alphabet

_FINE = 3  # letters are placed on a grid this much finer than the picture's


@dataclass(frozen=True)
class Trial:
    """A face on a line: size, pen, what is added after letters and spaces, and how like it is."""

    letters: Alphabet
    text: str
    size: float
    left: float = 0.0
    baseline: float = 0.0
    spacing: float = 0.0
    word_space: float = 0.0
    swell: float = 0.0  # in sizes
    blur: float = 0.0  # sigma, in pixels
    gain: float = 1.0
    likeness: float = 0.0

    @property
    def face(self) -> Face:
        """The face."""
        return self.letters.face

    def scaled(self, by: float) -> "Trial":
        """The same on a picture so many times larger."""
        return replace(
            self, size=self.size * by, left=self.left * by, baseline=self.baseline * by,
            spacing=self.spacing * by, word_space=self.word_space * by, blur=self.blur * by,
        )  # fmt: skip


# ── how it looks ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Spread:
    """The letters of a trial, their pens in pixels of the picture, and what is added there."""

    letters: list[str]
    pens: NDArray[np.float64]  # from the line's pen
    before: NDArray[np.float64]  # letters before each
    spaces: NDArray[np.float64]  # spaces before each


def _spread(trial: Trial) -> _Spread:
    letters, natural = trial.letters.line(trial.text, joined=not trial.spacing)
    blank = np.array([letter == " " for letter in letters], np.float64)
    spaces, before = np.cumsum(blank) - blank, np.arange(len(letters), dtype=np.float64)
    placed = natural[:-1] * (trial.size / EM) + trial.spacing * before + trial.word_space * spaces
    return _Spread(letters, placed, before, spaces)


def render(trial: Trial, shape: tuple[int, int]) -> Cover:
    """The trial drawn in a picture of that shape, 0–1."""
    import cv2

    spread = _spread(trial)
    at = spread.pens * (EM / trial.size)
    sheet, left, top = trial.letters.put(spread.letters, at)
    scale = _FINE * trial.size / EM
    # Middles of pixels go to middles of pixels.
    x = _FINE * trial.left + (left + 0.5) * scale - 0.5
    y = _FINE * trial.baseline + (top + 0.5) * scale - 0.5
    matrix = np.array([[scale, 0.0, x], [0.0, scale, y]])
    high, wide = shape
    fine = cv2.warpAffine(sheet, matrix, (wide * _FINE, high * _FINE), flags=cv2.INTER_LINEAR)
    shrunk = cv2.resize(fine, (wide, high), interpolation=cv2.INTER_AREA)
    drawn = np.asarray(shrunk, np.float32) / np.float32(255)
    # Letters were put at whole pixels of the sheet; slopes show where they should be, and what
    # they would be with thicker strokes.
    off = ((np.round(at) - at) * (trial.size / EM))[_letter_at(trial, spread, wide)]
    across: Any = cv2.Sobel(drawn, cv2.CV_32F, 1, 0, ksize=1, scale=0.5)
    drawn = np.asarray(drawn + across * off.astype(np.float32), np.float32)
    if abs(trial.swell) > 1e-3:
        down: Any = cv2.Sobel(drawn, cv2.CV_32F, 0, 1, ksize=1, scale=0.5)
        grown = trial.swell * trial.size * np.sqrt(across * across + down * down)
        drawn = np.asarray(drawn + grown, np.float32)
    return soften(np.clip(drawn, 0.0, 1.0, dtype=np.float32), trial.blur)


def _letter_at(trial: Trial, spread: _Spread, wide: int) -> NDArray[np.intp]:
    """Which letter stands in each column."""
    columns = np.arange(wide) + 0.5
    letter = np.searchsorted(trial.left + spread.pens, columns, side="right") - 1
    return np.clip(letter, 0, None)


def soften(cover: Cover, sigma: float) -> Cover:
    """The picture blurred by a Gaussian, where there is anything to blur."""
    if sigma < 0.1:
        return cover
    import cv2

    return np.asarray(cv2.GaussianBlur(cover, (0, 0), sigma), np.float32)


def likeness(one: Cover, other: Cover) -> float:
    """The correlation of two pictures, 0 where they have nothing in common."""
    a, b = one - one.mean(), other - other.mean()
    norm = math.sqrt(float((a * a).sum()) * float((b * b).sum()))
    return max(0.0, float((a * b).sum()) / norm) if norm > 0 else 0.0


# ── how it is moved ─────────────────────────────────────────────────────────────────────

# How far each is expected to go, which keeps a face from being bent until it fits: gain; pen;
# baseline; size, spacing and word space in sizes; squared blur in pixels; swell in sizes.
_EXPECTED = {"gain": 0.5, "left": 2.0, "baseline": 2.0, "size": 0.1, "spacing": 0.02,
             "word_space": 0.1, "blur": 0.5, "swell": 0.02}  # fmt: skip
_FAR = 1.5  # pixels


def settle(
    trial: Trial, seen: Seen, smooths: Sequence[float] = (0.5, 0.0, 0.0), held: Sequence[str] = ()
) -> Trial:
    """The trial moved step by step to where it is most like the line; what is held stays.

    Each step is found with both pictures blurred by so much.
    """
    best = replace(trial, likeness=0.0)
    drawn = render(trial, seen.cover.shape)
    for smooth in smooths:
        trial = _step(trial, soften(seen.cover, smooth), soften(drawn, smooth), held)
        drawn = render(trial, seen.cover.shape)
        trial = replace(trial, likeness=likeness(seen.cover, drawn))
        best = max(best, trial, key=lambda one: one.likeness)
    return best


def _step(trial: Trial, cover: Cover, drawn: Cover, held: Sequence[str]) -> Trial:
    """The trial moved one step nearer to the line."""
    slopes = {name: by for name, by in _slopes(trial, drawn).items() if name not in held}
    rest = (cover - trial.gain * drawn).ravel()
    columns = np.stack([slope.ravel() for slope in slopes.values()])
    noise = max(float(rest @ rest) / len(rest), 1e-5)
    sizes = {"size", "spacing", "word_space", "swell"}
    prior = [1 / (_EXPECTED[n] * (trial.size if n in sizes else 1.0)) ** 2 for n in slopes]
    # Neighbouring pixels err alike, so that there are fewer independent ones than pixels.
    square = columns @ columns.T / (4 * noise) + np.diag(prior)
    steps = np.linalg.solve(square, columns @ rest / (4 * noise))
    step = dict(zip(slopes, steps.tolist(), strict=True))
    far = _farthest(trial, step)
    if far > _FAR:  # beyond what slopes can tell
        step = {name: by * _FAR / far for name, by in step.items()}
    return _moved(trial, step)


def _farthest(trial: Trial, step: dict[str, float]) -> float:
    """How far the step moves the letter that it moves farthest."""
    spread = _spread(trial)
    natural = spread.pens - trial.spacing * spread.before - trial.word_space * spread.spaces
    moved = step["left"] + step.get("size", 0.0) / trial.size * natural
    moved = moved + step.get("spacing", 0.0) * spread.before
    moved = moved + step.get("word_space", 0.0) * spread.spaces
    return float(np.abs(moved).max())


def _slopes(trial: Trial, drawn: Cover) -> dict[str, Cover]:
    """How each pixel changes as each unknown grows by one."""
    import cv2

    gain = trial.gain
    across = cv2.Sobel(drawn, cv2.CV_32F, 1, 0, ksize=1, scale=0.5 * gain)
    down = cv2.Sobel(drawn, cv2.CV_32F, 0, 1, ksize=1, scale=0.5 * gain)
    high, wide = drawn.shape
    spread = _spread(trial)
    letter = _letter_at(trial, spread, wide)
    letters, spaces = (v[letter].astype(np.float32) for v in (spread.before, spread.spaces))
    columns = np.arange(wide, dtype=np.float32) + 0.5
    x = (columns - trial.left - trial.spacing * letters - trial.word_space * spaces) / trial.size
    y = (np.arange(high, dtype=np.float32)[:, None] + 0.5 - trial.baseline) / trial.size
    slopes = {
        "gain": drawn,
        "left": -across,
        "baseline": -down,
        "size": -across * x - down * y,
        "blur": np.asarray(cv2.Laplacian(drawn, cv2.CV_32F)) * (gain / 2),
        "swell": np.sqrt(across * across + down * down),
    }
    if len(trial.text) > 1 and (trial.spacing or trial.face.kind != "handwritten"):
        slopes["spacing"] = -across * letters
    if " " in trial.text:
        slopes["word_space"] = -across * spaces
    return slopes


def _moved(trial: Trial, step: dict[str, float]) -> Trial:
    by = {name: step.get(name, 0.0) for name in _EXPECTED}
    most = 0.06 * trial.size
    size = trial.size + float(np.clip(by["size"], -most, most))
    return replace(
        trial,
        size=size,
        left=trial.left + by["left"],
        baseline=trial.baseline + float(np.clip(by["baseline"], -_FAR, _FAR)),
        spacing=trial.spacing + by["spacing"],
        word_space=trial.word_space + by["word_space"],
        swell=float(np.clip(trial.swell + by["swell"] / size, -0.08, 0.08)),
        blur=math.sqrt(min(max(trial.blur**2 + by["blur"], 0.0), 9.0)),
        gain=float(np.clip(trial.gain + by["gain"], 0.5, 1.5)),
    )
