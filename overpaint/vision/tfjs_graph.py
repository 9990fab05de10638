"""The two sides of a conversion: the nodes of a TensorFlow.js graph, and an ONNX graph to write.

TensorFlow keeps a picture's colours last, ONNX first. A tensor here knows which way it lies, and
is turned only where an operation needs it otherwise: between convolutions it stays as it is.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

OPSET, IR = 17, 8
TO_FIRST, TO_LAST = (0, 3, 1, 2), (0, 2, 3, 1)


@dataclass(frozen=True)
class Tensor:
    """A value of the ONNX graph: its name there, and its shape as TensorFlow has it."""

    name: str
    shape: tuple[int, ...]
    first: bool = False  # it lies with its colours first
    spread: int = 0  # it stands for one taken apart into so many rows and columns of pictures
    margins: tuple[int, ...] = ()  # top, left, bottom, right, to be added when it was taken apart


Array = NDArray[Any]
Value = Tensor | Array


@dataclass(frozen=True)
class Node:
    """One operation of a graph."""

    name: str
    operation: str
    inputs: tuple[tuple[str, int], ...]  # the node and which of its outputs
    settings: Mapping[str, Any]

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> "Node":
        """A node as model.json tells it; what only orders its execution is left out."""
        given = [name for name in told.get("input", ()) if not name.startswith("^")]
        split = [name.partition(":") for name in given]
        inputs = tuple((name, int(place or 0)) for name, _, place in split)
        return cls(told["name"], told["op"], inputs, told.get("attr", {}))

    def number(self, name: str) -> int:
        """A setting that is a whole number; 0 where it is not told."""
        return int(self.settings.get(name, {}).get("i", 0))

    def real(self, name: str) -> float:
        """A setting that is a real number."""
        return float(self.settings[name]["f"])

    def flag(self, name: str) -> bool:
        """A setting that is true or not; not where it is not told."""
        return bool(self.settings.get(name, {}).get("b", False))

    def numbers(self, name: str) -> list[int]:
        """A setting that is a list of whole numbers."""
        return [int(n) for n in self.settings.get(name, {}).get("list", {}).get("i", ())]

    def word(self, name: str) -> str:
        """A setting that is a word, in base 64 or as a list of bytes."""
        told = self.settings[name]["s"]
        return (base64.b64decode(told) if isinstance(told, str) else bytes(told)).decode()


class Writer:
    """Collects the nodes and constants of an ONNX graph."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, kind: str, *inputs: str, **settings: Any) -> str:
        """One more node; the name of what it gives."""
        return self.split(kind, inputs, 1, **settings)[0]

    def split(self, kind: str, inputs: Sequence[str], count: int, **settings: Any) -> list[str]:
        """One more node that gives several tensors; their names."""
        from onnx import helper

        names = [f"{kind}_{len(self.nodes)}_{n}" for n in range(count)]
        self.nodes.append(helper.make_node(kind, inputs, names, **settings))
        return names

    def keep(self, value: Array) -> str:
        """One more constant; its name."""
        from onnx import numpy_helper

        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def first(self, value: Value) -> str:
        """A value with its colours first."""
        if not isinstance(value, Tensor):
            return self.keep(_four(value).transpose(TO_FIRST))
        return value.name if value.first else self.add("Transpose", value.name, perm=TO_FIRST)

    def last(self, value: Value) -> str:
        """A value as TensorFlow has it."""
        if not isinstance(value, Tensor):
            return self.keep(value)
        return self.add("Transpose", value.name, perm=TO_LAST) if value.first else value.name

    def reshaped(self, value: Value, shape: Sequence[int]) -> Value:
        """A value in another shape."""
        if not isinstance(value, Tensor):
            return value.reshape(shape)
        name = self.add("Reshape", self.last(value), self.keep(np.array(shape, np.int64)))
        return Tensor(name, tuple(shape))

    def model(self, shape: Sequence[int], ends: Mapping[str, Value]) -> bytes:
        """The ONNX model: `given` of that shape, and the ends under their names."""
        from onnx import TensorProto, helper

        for name, value in ends.items():
            self.nodes.append(helper.make_node("Identity", [self.last(value)], [name]))
        given = helper.make_tensor_value_info("given", TensorProto.FLOAT, shape)
        # Without a kind: the runtime finds out whether numbers or places come out.
        out = [helper.make_empty_tensor_value_info(name) for name in ends]
        graph = helper.make_graph(self.nodes, "part", [given], out, self.constants)
        opset = helper.make_opsetid("", OPSET)
        made = helper.make_model(graph, opset_imports=[opset], ir_version=IR)
        return bytes(made.SerializeToString())


def _four(value: Array) -> Array:
    """An array with as many axes as a batch of pictures has."""
    return value.reshape((1,) * (4 - value.ndim) + value.shape)
