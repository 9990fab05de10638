"""Depth by Depth Anything V2 with the user's weights: nearer is brighter.

The model (Yang et al. 2024) tells how near each place is, on no scale of its own, so a picture's
nearest place becomes 255 and its farthest 0. Its weights are a folder of transformers' form, a name
in the hub's cache, or an ONNX file.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.document import Pixels
from overpaint.errors import OverpaintError, Unavailable
from overpaint.vision.own_weights import Own, digest, preparation
from overpaint.vision.references import Extractor, Hints, Reference
from overpaint.vision.references.inputs import normalised
from overpaint.vision.sessions import started

OWN = Own("Depth Anything V2", "OVERPAINT_DEPTH", "depth-anything/Depth-Anything-V2-Small-hf")
SIDE = 518  # pixels that the shorter side is resized to, as its authors do
PATCH = 14  # sides are multiples of it
LONGEST = 4  # times the shorter side: what is longer is squeezed, for memory has an end
LARGEST = 4096  # pixels of a side that a checkpoint may ask for

Nearness = NDArray[np.float32]


@dataclass(frozen=True)
class Network:
    """The model in either form, ready to look."""

    run: Any  # 1×3×H×W floats in, nearness out
    side: int = SIDE
    fixed: tuple[int, int] | None = None  # width and height, where it takes no other

    def nearness(self, pixels: Pixels) -> Nearness:
        """How near each place of a picture is, at the size that the model looks at."""
        size = self.fixed or fitted((pixels.shape[1], pixels.shape[0]), self.side)
        told = np.asarray(self.run(normalised(pixels, size, Image.Resampling.BICUBIC)), np.float32)
        flat = told.reshape(told.shape[-2:]) if told.size and told.ndim > 1 else told
        if flat.ndim != 2 or not np.isfinite(flat).all():
            raise OverpaintError(
                "The depth model gave no numbers for a picture.", "Its weights are bad.",
                f"Fetch them again, and see that {OWN.setting} names them.",
            )  # fmt: skip
        return flat


def fitted(size: tuple[int, int], side: int) -> tuple[int, int]:
    """The size that a picture is looked at: its shorter side given, in whole patches."""
    scale = side / min(size)
    within = (min(length * scale, LONGEST * side) for length in size)
    wide, high = (max(PATCH, round(length / PATCH) * PATCH) for length in within)
    return wide, high


def shades(nearness: Nearness, size: tuple[int, int]) -> NDArray[np.uint8] | None:
    """Nearness as greys of that width and height, 0 to 255; none where all is equally near."""
    import cv2

    whole = cv2.resize(nearness, size, interpolation=cv2.INTER_LINEAR)
    low, high = float(whole.min()), float(whole.max())
    if not math.isfinite(high - low) or high <= low:
        return None
    return np.asarray(np.rint((whole - low) * (255 / (high - low))), np.uint8)


# ── loading ─────────────────────────────────────────────────────────────────────────────


def network() -> Network:
    """The user's model."""
    at = _place()
    return _network(at, digest(at))


def _place() -> Path:
    named = Path(OWN.name).expanduser()
    return named if named.suffix == ".onnx" and named.is_file() else OWN.folder()


@lru_cache(maxsize=1)
def _network(at: Path, known: str) -> Network:
    return _from_onnx(at) if at.is_file() else _from_folder(at)


def _from_folder(at: Path) -> Network:
    model = OWN.model("AutoModelForDepthEstimation", at)
    if getattr(model.config, "depth_estimation_type", "relative") != "relative":
        raise Unavailable(
            f"The depth model {OWN.name} tells distances in metres.",
            "One that tells how near things are was expected, as its usual form does.",
            f"hf download {OWN.usual}, and set {OWN.setting} to it.",
        )
    size = preparation(at).get("size")
    told = size.get("height") if isinstance(size, dict) else None
    side = told if isinstance(told, int) and PATCH <= told <= LARGEST else SIDE

    def run(values: NDArray[np.float32]) -> Any:
        import torch

        with torch.inference_mode():
            return model(pixel_values=torch.from_numpy(values)).predicted_depth.float().numpy()

    return Network(run, side)


def _from_onnx(at: Path) -> Network:
    session = started(at)
    entries = session.get_inputs()
    if len(entries) != 1 or len(entries[0].shape) != 4:
        raise Unavailable(
            f"{at} takes {len(entries)} inputs, so it is no depth model.",
            "One picture of 1×3×H×W numbers was expected, normalised as ImageNet's are.",
        )
    high, wide = entries[0].shape[2:]
    fixed = (wide, high) if isinstance(wide, int) and isinstance(high, int) else None
    return Network(lambda values: session.run(None, {entries[0].name: values})[0], fixed=fixed)


def _depth(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    greys = shades(network().nearness(pixels), (pixels.shape[1], pixels.shape[0]))
    if greys is None:
        return []
    return [Reference("depth", greys, depth.method, depth.exact)]


depth = Extractor(
    "depth", "depth-anything-v2", "1", _depth, "depth by Depth Anything V2, your weights",
    own=(_place,),
)  # fmt: skip
