"""How pleasing a picture is, 1–10, by Aesthetic Predictor V2.5 with weights of the user's own.

The predictor (discus0434, 2024; MiLDE's measure A) is an image encoder, SigLIP so400m patch14-384,
whose pooled output is scaled to length 1, and a head of five linear layers on it. No registry
carries either, so none come with Overpaint: the encoder is Apache-2.0, the head AGPL-3.0, and both
stay files that the user has fetched. They are computed with in float32.

A judge's 1–10 is a measure of its own: `judge:milde_aesthetics:MODEL`, column `aesthetics@MODEL`.
"""

import math
import os
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.core import Edit, Evidence, Found, Measure, each, finding
from overpaint.document import Document
from overpaint.errors import OverpaintError, Unavailable
from overpaint.vision.own_weights import Own, digest, tensors

HEAD_SETTING = "OVERPAINT_AESTHETICS"  # the head's file, or a folder that has it
ENCODER = Own("SigLIP", "OVERPAINT_SIGLIP", "google/siglip-so400m-patch14-384", "aesthetics")
HEAD_FILES = ("aesthetic_predictor_v2_5.safetensors", "aesthetic_predictor_v2_5.pth")
HEAD_FROM = "https://github.com/discus0434/aesthetic-predictor-v2-5"
# The published head (10 bfloat16 tensors); another one is allowed, and noted on every score.
PUBLISHED = "a6caf256b3dc434273c98dcb12f6bf17c5d4fc647d8df11f038386923dd06220"
WIDTHS = (1024, 128, 64, 16, 1)  # what the head's linear layers give
PLACES = (0, 2, 4, 6, 8)  # their numbers in its file: there is dropout between them
LOW, HIGH = 1.0, 10.0
LARGEST_HEAD = 64 * 1024 * 1024
VERSION = "1"
_PREFIX = "scoring_head."
_FETCH = (
    f"curl -LO {HEAD_FROM}/raw/main/models/{HEAD_FILES[1]} and export"
    f" {HEAD_SETTING}=$PWD/{HEAD_FILES[1]}"
)


@dataclass(frozen=True)
class Predictor:
    """The encoder and the head, ready to score."""

    encoder: Any
    head: tuple[tuple[Any, Any], ...]  # weight and bias of each linear layer
    side: int  # pixels that the encoder looks at, each way

    def raw(self, pixels: NDArray[np.uint8]) -> float:
        """What it predicts for RGB pixels, which mostly is between 1 and 10."""
        import torch

        with torch.inference_mode():
            seen = self.encoder(pixel_values=torch.from_numpy(prepared(pixels, self.side)))
            found = seen.pooler_output.float()
            found = found / found.norm(dim=-1, keepdim=True)
            for weight, bias in self.head:
                found = torch.nn.functional.linear(found, weight, bias)
        return float(found.reshape(-1)[0])


def prepared(pixels: NDArray[np.uint8], side: int) -> NDArray[np.float32]:
    """A picture as SigLIP takes it: the whole of it as a square, bicubic, from −1 to 1."""
    square = Image.fromarray(pixels).resize((side, side), Image.Resampling.BICUBIC)
    scaled = (np.asarray(square, np.float32) / 255 - 0.5) / 0.5
    return np.ascontiguousarray(scaled.transpose(2, 0, 1)[None])


@dataclass(frozen=True)
class Weights:
    """What a user has of both; how it is printed is what predictions are kept under."""

    head_digest: str
    encoder_digest: str
    head: Path = field(repr=False)
    encoder: Path = field(repr=False)


# ── the measure ─────────────────────────────────────────────────────────────────────────────


def _scored(edit: Edit, evidence: Evidence) -> Found:
    assert edit.output is not None
    by = weights()
    raw = _raw(evidence, edit.output, by)
    value = min(max(raw, LOW), HIGH)
    notes = [f"predicted {raw:.2f}, which is beyond the scale"] if value != raw else []
    another = "" if digest(by.head, digits=64) == PUBLISHED else "another than the published one, "
    notes.append(f"by head ({another}sha256 {by.head_digest})")
    return Found(value, (*notes, f"by SigLIP {ENCODER.name} (sha256 {by.encoder_digest})"))


@finding(version=VERSION, keep=True)
def _raw(evidence: Evidence, document: Document, by: Weights) -> float:
    """What is predicted for a picture; kept under the hashes of both."""
    found = predictor(by).raw(document.rgb)
    if not math.isfinite(found):
        raise OverpaintError(
            f"The predictor gave {found} for a picture.", "Its weights are bad.",
            f"Fetch them again, and see that {HEAD_SETTING} and {ENCODER.setting} name them.",
        )  # fmt: skip
    return found


aesthetics = Measure(
    "aesthetics", each("aesthetics", _scored), higher_is_better=True, worst=LOW, best=HIGH,
    version=VERSION, about="how pleasing the picture is, by Aesthetic Predictor V2.5 (SigLIP)",
)  # fmt: skip


# ── where the weights are ───────────────────────────────────────────────────────────────────


def head_file() -> Path:
    """The head's file that the user has named."""
    chosen = os.environ.get(HEAD_SETTING, "").strip()
    path = Path(chosen).expanduser()
    if chosen and path.is_dir():
        path = next((path / name for name in HEAD_FILES if (path / name).is_file()), path)
    if chosen and path.is_file():
        return path
    wrong = (
        f"{HEAD_SETTING} names {chosen}, which is no such file."
        if chosen
        else "The head of Aesthetic Predictor V2.5 is not here."
    )
    raise Unavailable(
        wrong,
        "No package registry carries it; it is published under AGPL-3.0.",
        _FETCH,
    )


def weights() -> Weights:
    """The head and the encoder that the user has."""
    head, encoder = head_file(), ENCODER.folder()
    return Weights(digest(head), digest(encoder), head, encoder)


# ── loading ─────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=1)
def predictor(by: Weights) -> Predictor:
    """The predictor, loaded once a process; nothing is downloaded and nothing unpickled."""
    model = ENCODER.model("SiglipVisionModel", by.encoder)
    wide = int(model.config.hidden_size)
    return Predictor(model, _head(by.head, wide), int(model.config.image_size))


def _head(path: Path, wide: int) -> tuple[tuple[Any, Any], ...]:
    """The head's linear layers; `Unavailable` where a file is not one for that encoder."""
    read = tensors(path, largest=LARGEST_HEAD, refuse=partial(_no_head, path))
    found = {name.rpartition(_PREFIX)[2]: tensor for name, tensor in read.items()}
    layers = []
    for place, gives in zip(PLACES, WIDTHS, strict=True):
        for part, shape in ((f"{place}.weight", (gives, wide)), (f"{place}.bias", (gives,))):
            has = tuple(found[part].shape) if part in found else None
            if has != shape:
                raise Unavailable(
                    f"{path} is no head for this encoder: {part} is {has or 'missing'}.",
                    f"{shape} was expected, as in {HEAD_FILES[1]} of {HEAD_FROM}.",
                )
        layers.append((found[f"{place}.weight"].float(), found[f"{place}.bias"].float()))
        wide = gives
    return tuple(layers)


def _no_head(path: Path, why: str) -> Unavailable:
    return Unavailable(
        f"{path} holds no weights that can be read: {why}.",
        "A head as safetensors, or tensors that torch has saved, was expected; it has 3 MB.",
        _FETCH,
    )
