"""Arrays out of a torch checkpoint of the old form, read without trust and without torch.

Such a file is five pickles, of which the fourth names the arrays and the fifth orders them, and
then the arrays' numbers. A pickle can ask for any function of Python; here it gets stand-ins
for the few that a checkpoint needs, and is refused everything else.
"""

import pickle
import struct
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from pickletools import genops
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import Unavailable

MAGIC = 0x1950A86A20F9469CFC6C  # what the first pickle holds
PROTOCOL = 1001  # and the second
_NOTING = ("PUT", "BINPUT", "LONG_BINPUT")  # what comes more than once, under a number
_KINDS = {"torch.FloatStorage": "<f4", "torch.LongStorage": "<i8"}


@dataclass(frozen=True)
class _Numbers:
    """Numbers that come later in the file, under a key."""

    key: str
    kind: str
    count: int


@dataclass(frozen=True)
class _Shaped:
    """An array as the pickle tells it: some of those numbers, in a shape."""

    numbers: _Numbers
    start: int
    shape: tuple[int, ...]


def _shaped(numbers: Any, start: int, shape: Any, strides: Any, *rest: Any) -> _Shaped:
    """Stands in for the function by which torch makes a tensor of its numbers."""
    usual = np.cumprod([1, *shape[:0:-1]])[::-1].tolist() if shape else []
    if not isinstance(numbers, _Numbers) or list(strides) != usual:
        raise pickle.UnpicklingError("an array that does not lie row by row is not allowed")
    return _Shaped(numbers, start, tuple(shape))


class _ArraysOnly(pickle.Unpickler):
    """Reads a dictionary of arrays; whatever else a pickle asks for is refused."""

    def find_class(self, module: str, name: str) -> Any:
        """The few names that a checkpoint needs, each in a form that can do no more."""
        wanted = f"{module}.{name}"
        if wanted in _KINDS:
            return wanted
        allowed = {
            "collections.OrderedDict": OrderedDict,
            "torch._utils._rebuild_tensor_v2": _shaped,
        }
        if wanted not in allowed:
            raise pickle.UnpicklingError(f"{wanted} is not allowed in a file of weights")
        return allowed[wanted]

    def persistent_load(self, pid: Any) -> _Numbers:
        """The numbers that the pickle speaks of; they come later."""
        what, kind, key, _, count, view = pid
        if what != "storage" or kind not in _KINDS or view is not None:
            raise pickle.UnpicklingError(f"{what} of {kind} is not allowed in a file of weights")
        return _Numbers(key, _KINDS[kind], count)


def read_checkpoint(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a checkpoint by name."""
    size = path.stat().st_size
    try:
        with path.open("rb") as file:
            told, keys = _told(file)
            numbers = {one.numbers.key: one.numbers for one in told.values()}
            found = {key: _numbers(file, numbers[key], size) for key in keys}
            return {name: _array(one, found[one.numbers.key]) for name, one in told.items()}
    except (
        pickle.UnpicklingError, struct.error, AttributeError, EOFError, LookupError, MemoryError,
        OverflowError, TypeError, ValueError,
    ) as why:  # fmt: skip
        raise Unavailable(
            f"{path.name} cannot be read as a torch checkpoint: {why}.",
            "A dictionary of arrays of the old form was expected.",
        ) from why


def _told(file: IO[bytes]) -> tuple[dict[str, _Shaped], Sequence[str]]:
    """What the pickles tell: the arrays, and the keys of their numbers in order."""
    magic, protocol, _, told, keys = (_loaded(file) for _ in range(5))
    if (magic, protocol) != (MAGIC, PROTOCOL):
        raise ValueError("it does not begin as such a file does")
    arrays = list(told.values()) if isinstance(told, dict) else [told]
    if not all(isinstance(one, _Shaped) for one in arrays):
        raise ValueError("it holds other things than arrays")
    return told, keys


def _loaded(file: IO[bytes]) -> Any:
    """The next pickle, which notes one thing after the other.

    Of one that notes a thing under a number of its own Python holds that many places: gigabytes.
    """
    begins, noted = file.tell(), 0
    for code, number, _ in genops(file):
        if code.name in _NOTING:
            if int(number or 0) > noted:
                raise pickle.UnpicklingError(f"{number} comes before {noted} in it")
            noted += 1
    file.seek(begins)
    return _ArraysOnly(file).load()


def _numbers(file: IO[bytes], told: _Numbers, size: int) -> NDArray[Any]:
    """The next numbers in the file, which must be those that were told."""
    (count,) = struct.unpack("<q", file.read(8))
    kind = np.dtype(told.kind)
    if count != told.count or not 0 <= count * kind.itemsize <= size - file.tell():
        raise ValueError(f"{count} numbers come where {told.count} were told")
    return np.frombuffer(file.read(count * kind.itemsize), kind)


def _array(told: _Shaped, numbers: NDArray[Any]) -> NDArray[Any]:
    count = int(np.prod(told.shape))
    part = numbers[told.start : told.start + count]
    return part.reshape(told.shape)
