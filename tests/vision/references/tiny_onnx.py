"""ONNX networks of a node or two, made on the spot for tests."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def light_of(
    path: Path, *, channel: int | None = 0, size: tuple[Any, Any] = ("h", "w"), times: float = 1
) -> Path:
    """One channel of the picture that goes in, or all of them, times a number."""
    kept = [channel] if channel is not None else [0, 1, 2]
    constants = [
        numpy_helper.from_array(np.array(kept, np.int64), "kept"),
        numpy_helper.from_array(np.array(times, np.float32), "times"),
    ]
    nodes = [
        helper.make_node("Gather", ["x", "kept"], ["some"], axis=1),
        helper.make_node("Mul", ["some", "times"], ["y"]),
    ]
    return saved(path, nodes, constants, [1, 3, *size], [1, len(kept), *size])


def saved(path: Path, nodes: Any, constants: Any, takes: Any, gives: Any) -> Path:
    """A network from x to y in a file."""
    entry = helper.make_tensor_value_info("x", TensorProto.FLOAT, takes)
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, gives)
    graph = helper.make_graph(nodes, "tiny", [entry], [out], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, path)
    return path
