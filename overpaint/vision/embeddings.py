"""Embeddings: what a picture or a text is about, as a vector of length 1, by an encoder in use.

Whoever has an encoder says how it is called, where its weights are and how it is made ready; its
vectors are kept under the hash of the weights. One form of encoder is here, the simplest: an image
encoder in an ONNX file, one input of 1×3×S×S numbers, and an output of one vector.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.core import Evidence, finding
from overpaint.document import Document, Pixels
from overpaint.errors import NotApplicable, OverpaintError, Unavailable
from overpaint.vision.own_weights import digest, named_file
from overpaint.vision.sessions import started

SETTING = "OVERPAINT_CLIP"
# As CLIP was trained (Radford et al. 2021): the mean and spread of its pictures' colours.
MEAN = np.array([0.48145466, 0.4578275, 0.40821073], np.float32)
SPREAD = np.array([0.26862954, 0.26130258, 0.27577711], np.float32)
SIDE = 224  # where the encoder takes any size
LONGEST = 8  # times its shorter side: what else a picture has is not looked at anyhow
MISSING = Unavailable(
    "No CLIP encoder is here.",
    "A CLIP image encoder as an ONNX file was expected; no package registry carries one.",
    "Where the hub can be reached: optimum-cli export onnx --model openai/clip-vit-base-patch32"
    f" clip, then set {SETTING} to the image encoder it wrote.",
)


class Network(Protocol):
    """An encoder made ready."""

    def picture(self, pixels: Pixels) -> NDArray[Any]:
        """The vector of RGB pixels, of any length."""
        ...

    def text(self, text: str) -> tuple[NDArray[Any], int]:
        """The vector of a text, and how many of its tokens were one too many."""
        ...


@dataclass(frozen=True)
class Encoder:
    """Whose embeddings they are; how it is printed is what they are kept under."""

    name: str
    digest: str
    at: Path = field(repr=False)
    ready: Callable[[Path], Network] = field(repr=False)

    def __str__(self) -> str:
        return f"{self.name} (sha256 {self.digest})"


def between_pictures(evidence: Evidence, by: Encoder, a: Document, b: Document) -> float:
    """The cosine of two pictures' embeddings."""
    one, two = (np.array(_picture(evidence, document, by)) for document in (a, b))
    return float(one @ two)


def between_words(evidence: Evidence, by: Encoder, text: str, document: Document) -> float:
    """The cosine of the embeddings of a text and of a picture."""
    words = np.array(_words(evidence, text, by)["vector"])
    return float(words @ np.array(_picture(evidence, document, by)))


def cut_off(evidence: Evidence, by: Encoder, text: str) -> int:
    """How many tokens of a text the encoder did not get to read."""
    return int(_words(evidence, text, by)["cut"])


@finding(version="2", keep=True)
def _picture(evidence: Evidence, document: Document, by: Encoder) -> list[float]:
    return _unit(network(by).picture(document.rgb), by)


@finding(keep=True)
def _words(evidence: Evidence, text: str, by: Encoder) -> dict[str, Any]:
    if not text.strip():
        raise NotApplicable("A text without words is like nothing.")
    vector, cut = network(by).text(text)
    return {"vector": _unit(vector, by), "cut": cut}


@lru_cache(maxsize=1)
def network(by: Encoder) -> Network:
    """The encoder, loaded once a process."""
    return by.ready(by.at)


def _unit(vector: NDArray[Any], by: Encoder) -> list[float]:
    flat = np.asarray(vector, np.float64).ravel()
    length = float(np.linalg.norm(flat))
    if not np.isfinite(length) or not length:
        raise OverpaintError(f"{by} gives no vector.", "Its weights are bad.", "Fetch them again.")
    return [float(x) for x in flat / length]


# ── pictures as CLIP sees them ──────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Look:
    """How an encoder's pictures are prepared; CLIP's own way unless something else is said."""

    side: int = SIDE
    mean: NDArray[np.float32] = field(default_factory=lambda: MEAN)
    spread: NDArray[np.float32] = field(default_factory=lambda: SPREAD)
    whole: bool = False  # squeezed into the square, where others look at the middle
    how: Image.Resampling = Image.Resampling.BICUBIC


def prepared(pixels: Pixels, look: Look) -> NDArray[np.float32]:
    """A picture as an encoder sees it, mostly its middle square; normalised, colours first."""
    side = look.side
    if not look.whole:
        pixels = _nearly_square(pixels)
    high, wide = pixels.shape[:2]
    short = side if look.whole else min(high, wide)
    size = (side, side) if look.whole else (side * wide // short, side * high // short)
    small = Image.fromarray(pixels).resize(size, look.how)
    left, top = (size[0] - side) // 2, (size[1] - side) // 2
    square = np.asarray(small, np.float32)[top : top + side, left : left + side] / 255
    return np.ascontiguousarray(((square - look.mean) / look.spread).transpose(2, 0, 1)[None])


def _nearly_square(pixels: Pixels) -> Pixels:
    """What is far from the middle of a very long picture is cut off before it is made larger."""
    long = LONGEST * min(pixels.shape[:2])
    starts = (max(0, (length - long) // 2) for length in pixels.shape[:2])
    top, left = starts
    return np.ascontiguousarray(pixels[top : top + long, left : left + long])


# ── an image encoder in an ONNX file ────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Onnx:
    """An image encoder that reads no words."""

    session: Any
    at: Path

    def picture(self, pixels: Pixels) -> NDArray[Any]:
        entry = self.session.get_inputs()[0]
        side = entry.shape[-1] if isinstance(entry.shape[-1], int) else SIDE
        vectors = self.session.run(None, {entry.name: prepared(pixels, Look(side))})
        flat = next((vector[0] for vector in vectors if vector.ndim == 2), None)
        if flat is None:
            raise Unavailable(f"{self.at} gives no vector for a picture: it is no image encoder.")
        return np.asarray(flat)

    def text(self, text: str) -> tuple[NDArray[Any], int]:
        raise Unavailable(f"{self.at} is an encoder of pictures and reads no words.")


def onnx_encoder() -> Encoder:
    """The image encoder that the user has named."""
    at = named_file(SETTING, MISSING)
    return Encoder("ONNX image encoder", digest(at), at, _from_onnx)


def _from_onnx(at: Path) -> Network:
    return _Onnx(started(at), at)
