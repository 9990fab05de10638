"""TensorFlow.js graph models run as ONNX: read, converted once, and kept beside their weights.

Only a part of a graph is taken, from the tensor that is given to those that are wanted, for one
size of that tensor; so all shapes are known, and loops around the part do not matter. What each
operation becomes stands in `tfjs_ops.py`.
"""

import functools
import hashlib
import json
import math
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint import weights
from overpaint.errors import Unavailable
from overpaint.vision.sessions import started
from overpaint.vision.tfjs_graph import Node, Tensor, Value, Writer
from overpaint.vision.tfjs_ops import OF_SPREAD, OPERATIONS

VERSION = "1"  # of the conversion; another one converts again
DIGEST = hashlib.sha256().digest_size
_KINDS = {"float32": "<f4", "int32": "<i4", "bool": "|b1", "uint8": "|u1", "float16": "<f2"}


@dataclass(frozen=True)
class Part:
    """What of a graph is wanted: from one tensor, of this shape, to those at the ends."""

    begin: str
    shape: tuple[int, ...]
    ends: tuple[str, ...]


# ── keeping ─────────────────────────────────────────────────────────────────────────────


@functools.lru_cache(maxsize=4)
def network(name: str, part: Part) -> Any:
    """A session of part of the model whose rows are `NAME-graph` and `NAME-weights`."""
    rows = [weights.row(f"{name}-{of}") for of in ("graph", "weights")]
    graph, data = (weights.find(row.name) for row in rows)  # says what to do where they are not
    made_of = repr((VERSION, part, *(row.sha256 for row in rows)))
    key = hashlib.sha256(made_of.encode()).hexdigest()
    path = weights.cache_folder() / f"{key[:12]}-{name}.onnx"
    model = _kept(path)
    if model is None:
        model = converted(graph.read_bytes(), data.read_bytes(), part)
        _keep(path, model)
    return started(model, name)


def _kept(path: Path) -> bytes | None:
    """The model in a file of ours, if it is as it was written: its digest, then its bytes."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, model = content[:DIGEST], content[DIGEST:]
    return model if hashlib.sha256(model).digest() == digest else None


def _keep(path: Path, model: bytes) -> None:
    """Put a model into its file at once, so that no other process sees half of it."""
    half = path.with_name(f"half-done-{os.getpid()}-{path.name}")
    try:
        half.write_bytes(hashlib.sha256(model).digest() + model)
        half.replace(path)
    except OSError:  # where nothing can be kept it is converted each time, in half a second
        with suppress(OSError):
            half.unlink()


# ── converting ──────────────────────────────────────────────────────────────────────────


def converted(graph: bytes, data: bytes, part: Part) -> bytes:
    """The ONNX model of part of a graph, its input `given` and its outputs as at the ends."""
    told = json.loads(graph)
    nodes = {node["name"]: Node.of(node) for node in told["modelTopology"]["node"]}
    constants = read_weights(told["weightsManifest"], data)
    writer = Writer()
    values: dict[str, Sequence[Value]] = {part.begin: (Tensor("given", part.shape),)}
    for node in _in_order(nodes, part):
        if node.operation == "Const":
            values[node.name] = (constants[node.name],)
            continue
        inputs = [values[name][place] for name, place in node.inputs]
        _check_spread(node, inputs)
        values[node.name] = OPERATIONS[node.operation](writer, node, inputs)
    return writer.model(part.shape, {end: values[end][0] for end in part.ends})


def _in_order(nodes: Mapping[str, Node], part: Part) -> list[Node]:
    """The nodes that the ends need, each after those whose values it takes."""
    order: dict[str, Node] = {}
    waiting = [(end, False) for end in part.ends]
    open_ones: set[str] = set()
    while waiting:
        name, inputs_done = waiting.pop()
        if inputs_done:
            order[name] = nodes[name]
        elif name != part.begin and name not in open_ones:
            open_ones.add(name)
            _check(nodes, name)
            waiting.append((name, True))
            waiting += [(source, False) for source, _ in nodes[name].inputs]
    return list(order.values())


def _check(nodes: Mapping[str, Node], name: str) -> None:
    if name not in nodes:
        raise Unavailable(f"The graph has no node {name!r}, so it is another than expected.")
    if (operation := nodes[name].operation) != "Const" and operation not in OPERATIONS:
        raise Unavailable(
            f"The graph has a {operation} ({name}), which cannot be converted.",
            f"Known are {', '.join(sorted(OPERATIONS))}.",
        )


def _check_spread(node: Node, inputs: Sequence[Value]) -> None:
    spread = any(isinstance(value, Tensor) and value.spread for value in inputs)
    if spread and node.operation not in OF_SPREAD:
        raise Unavailable(
            f"{node.name} is a {node.operation} of a picture taken apart, which is not known.",
            "Only convolutions were expected there.",
        )


# ── weights ─────────────────────────────────────────────────────────────────────────────


def read_weights(manifest: Sequence[Mapping[str, Any]], data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of a manifest by name, out of all its files joined in order."""
    arrays: dict[str, NDArray[Any]] = {}
    at = 0
    for weight in (weight for group in manifest for weight in group["weights"]):
        array, at = _array(weight, data, at)
        arrays[weight["name"]] = array
    return arrays


def _array(weight: Mapping[str, Any], data: bytes, at: int) -> tuple[NDArray[Any], int]:
    """One array, and where the next one begins."""
    squeezed = weight.get("quantization")
    kind = (squeezed or weight)["dtype"]
    if kind not in {*_KINDS, "uint16"}:
        raise Unavailable(f"The weights {weight['name']} are of type {kind}, which is not known.")
    store = np.dtype(_KINDS.get(kind, "<u2"))
    count = math.prod(weight["shape"])
    end = at + count * store.itemsize
    if end > len(data):
        raise Unavailable(f"The weights end before {weight['name']}: {end} bytes were expected.")
    array = np.frombuffer(data, store, count, at).reshape(weight["shape"])
    if squeezed and "scale" in squeezed:  # whole numbers that stand for evenly spaced ones
        array = array * np.float32(squeezed["scale"]) + np.float32(squeezed["min"])
    return array.astype(np.float32 if array.dtype.kind == "f" else store), end
