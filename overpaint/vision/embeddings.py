"""Embeddings: what a picture is about, as a vector, by a CLIP image encoder of the user's own.

No package of a public registry carries CLIP's weights, so none come with Overpaint. Any encoder
exported to ONNX will do: one input of 1×3×S×S numbers, and an output of one vector.
"""

import hashlib
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.core import Evidence, finding
from overpaint.document import Document
from overpaint.errors import Unavailable

SETTING = "OVERPAINT_CLIP"
# As CLIP was trained (Radford et al. 2021): the mean and spread of its pictures' colours.
MEAN = np.array([0.48145466, 0.4578275, 0.40821073], np.float32)
SPREAD = np.array([0.26862954, 0.26130258, 0.27577711], np.float32)
SIDE = 224  # where the encoder takes any size


def likeness(evidence: Evidence, a: Document, b: Document) -> float:
    """The cosine of the two pictures' embeddings."""
    path = clip_encoder()
    version = _digest(path, path.stat().st_mtime_ns)
    one, two = (np.array(_embedding(evidence, d, str(path), version)) for d in (a, b))
    return float(one @ two)


@finding(keep=True)
def _embedding(evidence: Evidence, document: Document, path: str, version: str) -> list[float]:
    """The unit vector of a picture; kept under the encoder's hash."""
    session = _session(path)
    entry = session.get_inputs()[0]
    side = entry.shape[-1] if isinstance(entry.shape[-1], int) else SIDE
    vectors = session.run(None, {entry.name: prepared(document.rgb, side)})
    flat = next((v[0] for v in vectors if v.ndim == 2), None)
    if flat is None or not np.isfinite(flat).all() or not np.any(flat):
        raise Unavailable(f"{path} gives no vector for a picture, so it is no image encoder.")
    return [float(x) for x in flat.astype(np.float64) / np.linalg.norm(flat.astype(np.float64))]


def prepared(pixels: NDArray[np.uint8], side: int) -> NDArray[np.float32]:
    """The middle square of a picture as CLIP sees it: bicubic, normalised, colours first."""
    height, width = pixels.shape[:2]
    scale = side / min(height, width)
    size = (max(side, round(width * scale)), max(side, round(height * scale)))
    small = Image.fromarray(pixels).resize(size, Image.Resampling.BICUBIC)
    left, top = (size[0] - side) // 2, (size[1] - side) // 2
    square = np.asarray(small, np.float32)[top : top + side, left : left + side] / 255
    return np.ascontiguousarray(((square - MEAN) / SPREAD).transpose(2, 0, 1)[None])


def clip_encoder() -> Path:
    """The file that the user has named."""
    chosen = os.environ.get(SETTING, "")
    if chosen and Path(chosen).is_file():
        return Path(chosen)
    wrong = f"{SETTING} names {chosen}, which is no file." if chosen else "No CLIP encoder is here."
    raise Unavailable(
        wrong,
        "A CLIP image encoder as an ONNX file was expected; no package registry carries one.",
        "Where the hub can be reached: optimum-cli export onnx --model openai/clip-vit-base-patch32"
        f" clip, then set {SETTING} to the image encoder it wrote.",
    )


@lru_cache(maxsize=2)
def _digest(path: Path, changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]


@lru_cache(maxsize=1)
def _session(path: str) -> Any:
    import onnxruntime
    from onnxruntime.capi import onnxruntime_pybind11_state as refusals

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
    except (refusals.Fail, refusals.InvalidGraph, refusals.InvalidProtobuf) as error:
        raise Unavailable(f"{path} is no ONNX model: {error}.") from None
