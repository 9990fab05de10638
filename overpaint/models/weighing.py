"""What a model's weights will hold in memory, told by the headers of its files; nothing is loaded.

It is what a cluster must look for in a machine. The reckoning is that of training without
gradients: parameters times the bytes of a number, and a gigabyte to spare for what a look takes.
"""

import json
import struct
from functools import lru_cache
from math import prod
from pathlib import Path

SPARE = 1.0  # gigabytes beside the weights
ROUGH = 1.1  # what the reckoning is multiplied by
_LARGEST = 64 * 2**20  # bytes of a header; one that says more is not believed
BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}


def gigabytes(name: str, dtype: str, revision: str | None = None) -> float:
    """What a model takes in numbers of that kind; 0 where it is not on this machine."""
    folder = _folder(name, revision)
    count = sum(map(parameters, sorted(folder.rglob("*.safetensors")))) if folder else 0
    return round(ROUGH * count * BYTES[dtype] / 2**30 + SPARE, 1) if count else 0.0


def parameters(path: Path) -> int:
    """How many numbers a file of safetensors holds; 0 where that cannot be read."""
    try:
        with path.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            told = json.loads(file.read(length)) if length <= _LARGEST else {}
        return sum(prod(one["shape"]) for name, one in told.items() if name != "__metadata__")
    except (OSError, ValueError, struct.error, KeyError, TypeError, AttributeError, RecursionError):
        return 0


@lru_cache(maxsize=64)
def _folder(name: str, revision: str | None) -> Path | None:
    """The folder of that name, or the one in the hub's cache; the network is not asked."""
    if Path(name).is_dir():
        return Path(name)
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        return None
    try:
        return Path(snapshot_download(name, revision=revision, local_files_only=True))
    except (OSError, ValueError):
        return None
