"""Line drawings by the network of Chan, Durand and Isola (2022) with the user's weights.

Their generator in the contour style is a file of theirs (.pth, or the same as .safetensors), or an
ONNX export of it. The network is built here from its published form: a wide convolution, two that
halve, three residual blocks, two that double, a wide one; instance norms between them.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.document import Pixels
from overpaint.errors import OverpaintError, Unavailable
from overpaint.vision.own_weights import digest, named_file, tensors, without
from overpaint.vision.references import Extractor, Hints, Reference
from overpaint.vision.sessions import started

SETTING = "OVERPAINT_LINE_DRAWINGS"
FROM = "https://github.com/carolineec/informative-drawings"
WIDTH, BLOCKS = 64, range(3)  # channels of the first layer; residual blocks
LONG = 1024  # pixels of the longer side at most: what is larger is drawn smaller, and drawn out
LEAST = 16  # pixels of a side: reflecting needs some
WHOLE = 4  # sides are multiples of it, for they are halved twice
LARGEST = 512 * 1024 * 1024
_GET = (
    f"Fetch the contour style of the models that {FROM} links to, and set {SETTING} to its"
    " netG_A_latest.pth."
)
MISSING = Unavailable(
    "The network of informative line drawings is not here.",
    "No package registry carries its weights.",
    _GET,
)


def _shapes() -> dict[str, tuple[int, ...]]:
    """The names and shapes of its weights, as in its authors' files."""
    wide, wider, widest = WIDTH, 2 * WIDTH, 4 * WIDTH
    layers: dict[str, tuple[int, ...]] = {
        "model0.1": (wide, 3, 7, 7),
        "model1.0": (wider, wide, 3, 3),
        "model1.3": (widest, wider, 3, 3),
        **{f"model2.{b}.conv_block.{n}": (widest, widest, 3, 3) for b in BLOCKS for n in (1, 5)},
        "model3.0": (widest, wider, 3, 3),  # what doubles has its inputs first
        "model3.3": (wider, wide, 3, 3),
        "model4.1": (1, wide, 7, 7),
    }
    gives = {name: shape[name.startswith("model3")] for name, shape in layers.items()}
    weights = {f"{name}.weight": shape for name, shape in layers.items()}
    return weights | {f"{name}.bias": (gives[name],) for name in layers}


def lines(values: Any, weights: Mapping[str, Any]) -> Any:
    """The network: 1×3×H×W shares of light in, 1×1×H×W of paper out."""
    from torch.nn import functional as f

    def of(name: str) -> tuple[Any, Any]:
        return weights[f"{name}.weight"], weights[f"{name}.bias"]

    def padded(x: Any, name: str, by: int) -> Any:
        return f.conv2d(f.pad(x, (by,) * 4, mode="reflect"), *of(name))

    x = f.relu(f.instance_norm(padded(values, "model0.1", 3)))
    for name in ("model1.0", "model1.3"):
        x = f.relu(f.instance_norm(f.conv2d(x, *of(name), stride=2, padding=1)))
    for block in BLOCKS:
        inner = f.relu(f.instance_norm(padded(x, f"model2.{block}.conv_block.1", 1)))
        x = x + f.instance_norm(padded(inner, f"model2.{block}.conv_block.5", 1))
    for name in ("model3.0", "model3.3"):
        doubled = f.conv_transpose2d(x, *of(name), stride=2, padding=1, output_padding=1)
        x = f.relu(f.instance_norm(doubled))
    return f.sigmoid(padded(x, "model4.1", 3))


# ── loading ─────────────────────────────────────────────────────────────────────────────


def network() -> Any:
    """What draws 1×3×H×W shares of light."""
    at = _place()
    return _network(at, digest(at))


def _place() -> Path:
    return named_file(SETTING, MISSING)


@lru_cache(maxsize=1)
def _network(at: Path, known: str) -> Any:
    if at.suffix == ".onnx":
        session = started(at)
        name = session.get_inputs()[0].name
        return lambda values: session.run(None, {name: values})[0]
    return _from_tensors(at)


def _from_tensors(at: Path) -> Any:
    try:
        import torch
    except ImportError as error:
        raise without("references", error) from None
    read = tensors(at, largest=LARGEST, refuse=partial(_unreadable, at))
    found = {name.removeprefix("module."): value.float() for name, value in read.items()}
    wanted = _shapes()
    for name in [*wanted, *found]:
        has, should = tuple(found[name].shape) if name in found else None, wanted.get(name)
        if has != should:
            raise _unreadable(at, f"{name[:80]} is {has or 'missing'}, not {should or 'there'}")

    def run(values: NDArray[np.float32]) -> Any:
        with torch.inference_mode():
            return lines(torch.from_numpy(values), found).numpy()

    return run


def _unreadable(at: Path, why: str) -> Unavailable:
    return Unavailable(
        f"{at} holds no network of informative line drawings: {why}.",
        "Its authors' generator was expected: one channel out, three residual blocks.", _GET,
    )  # fmt: skip


# ── drawing ─────────────────────────────────────────────────────────────────────────────


def fitted(size: tuple[int, int]) -> tuple[int, int]:
    """The size that a picture is drawn at, in whole fours."""
    scale = min(1.0, LONG / max(size))
    wide, high = (max(LEAST, round(side * scale / WHOLE) * WHOLE) for side in size)
    return wide, high


def drawn(run: Any, pixels: Pixels) -> NDArray[np.uint8]:
    """The drawing of a picture, dark lines on white, in the picture's size."""
    size = (pixels.shape[1], pixels.shape[0])
    small = Image.fromarray(pixels).resize(fitted(size), Image.Resampling.BICUBIC)
    light = np.asarray(small, np.float32).transpose(2, 0, 1)[None] / 255
    told = np.asarray(run(np.ascontiguousarray(light)), np.float32)
    if told.ndim != 4 or told.shape[:2] != (1, 1) or not np.isfinite(told).all():
        raise OverpaintError(
            f"The network of {SETTING} gave no drawing for a picture.",
            "One channel of numbers from 0 to 1 was expected.", _GET,
        )  # fmt: skip
    paper = np.asarray(np.rint(np.clip(told[0, 0], 0, 1) * 255), np.uint8)
    return np.asarray(Image.fromarray(paper).resize(size, Image.Resampling.BILINEAR))


def _sketch(pixels: Pixels, hints: Hints) -> Sequence[Reference]:
    return [Reference("sketch", drawn(network(), pixels), sketch.method, sketch.exact)]


sketch = Extractor(
    "sketch", "informative", "1", _sketch, "line drawings by Chan et al. 2022, your weights",
    own=(_place,),
)  # fmt: skip
