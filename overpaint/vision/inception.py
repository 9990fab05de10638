"""Features for FID: the 2,048 numbers of Inception's last pooling, by the user's weights.

The network is that of Heusel et al. (2017) as Clean-FID runs it (Parmar et al. 2022): the file
inception-2015-12-05.pt in TorchScript's form, or an ONNX export that takes 1×3×299×299 numbers from
0 to 255. A picture is resized in Clean-FID's way, without which a distance is another one.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overpaint.core import Evidence, finding
from overpaint.document import Document, Pixels
from overpaint.errors import OverpaintError, Unavailable
from overpaint.vision.own_weights import UNLOADABLE, digest, named_file, without
from overpaint.vision.sessions import started

SETTING = "OVERPAINT_INCEPTION"
SIDE, FEATURES = 299, 2048
# The published file. TorchScript is a program, and no other than this one is run.
PUBLISHED = "f58cb9b6ec323ed63459aa4fb441fe750cfe39fafad6da5cb504a16f19e958f4"
FILE = "inception-2015-12-05.pt"
FROM = f"https://nvlabs-fi-cdn.nvidia.com/stylegan2-ada-pytorch/pretrained/metrics/{FILE}"
MISSING = Unavailable(
    "Inception's weights for FID are not here.",
    f"{FILE} as Clean-FID uses it was expected, or an ONNX export of it; no package registry"
    " carries it.",
    f"curl -LO {FROM} and export {SETTING}=$PWD/{FILE}",
)

Features = NDArray[np.float32]


def inception(evidence: Evidence, document: Document) -> Features:
    """The features of a picture; kept under the hash of the weights."""
    return np.asarray(_kept(evidence, document, network()), np.float32)


def told() -> str:
    """Whose features they are, for notes."""
    by = network()
    return f"Inception ({'ONNX export, ' * (by.at.suffix == '.onnx')}sha256 {by.digest})"


def resized(pixels: Pixels) -> Features:
    """A picture at 299×299: each channel as floats, bicubic, not rounded to 8 bits."""
    channels = (Image.fromarray(pixels[:, :, c].astype(np.float32)) for c in range(3))
    small = [np.asarray(c.resize((SIDE, SIDE), Image.Resampling.BICUBIC)) for c in channels]
    return np.stack(small, axis=2).clip(0, 255)


@dataclass(frozen=True)
class Network:
    """Where the network is; how it is printed is what its features are kept under."""

    digest: str
    at: Path

    def __repr__(self) -> str:
        return f"inception {self.digest}"


def network() -> Network:
    """The network that the user has named."""
    at = named_file(SETTING, MISSING)
    return Network(digest(at), at)


@finding(keep=True)
def _kept(evidence: Evidence, document: Document, by: Network) -> list[float]:
    values = np.ascontiguousarray(resized(document.rgb).transpose(2, 0, 1)[None])
    found = np.asarray(_loaded(by)(values), np.float32).ravel()
    if found.shape != (FEATURES,) or not np.isfinite(found).all():
        raise OverpaintError(
            f"{by.at} gave {found.size} numbers for a picture, or some that are none.",
            f"Inception's {FEATURES:,} features were expected.", MISSING.todo,
        )  # fmt: skip
    return [float(x) for x in found]


@lru_cache(maxsize=1)
def _loaded(by: Network) -> Any:
    if by.at.suffix == ".onnx":
        session = started(by.at)
        name = session.get_inputs()[0].name
        return lambda values: session.run(None, {name: values})[0]
    return _scripted(by.at)


def _scripted(at: Path) -> Any:
    """The layers of a TorchScript file, past the resizing that it has of its own."""
    try:
        import torch
    except ImportError as error:
        raise without("references", error) from None
    if digest(at, digits=64) != PUBLISHED:
        raise _refused(at, f"its sha256 is not {PUBLISHED[:12]}…, the published one's")
    try:
        layers = torch.jit.load(str(at), map_location="cpu").eval().layers
    except UNLOADABLE as error:
        raise _refused(at, (str(error).strip().splitlines() or [""])[0][:200]) from None

    def run(values: NDArray[np.float32]) -> Any:
        with torch.inference_mode():
            return layers((torch.from_numpy(values) - 128) / 128).numpy()

    return run


def _refused(at: Path, why: str) -> Unavailable:
    return Unavailable(
        f"{at} is not the Inception that Clean-FID uses: {why}.",
        f"{FILE} was expected; a network of your own goes as ONNX.", MISSING.todo,
    )  # fmt: skip
