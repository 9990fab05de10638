"""LPIPS' networks as onnxruntime sessions: weights read without trust, memory kept in bounds.

The weights are those of LPIPS v0.1: torchvision's AlexNet and VGG16 with the authors' linear
heads. onnxruntime runs them, so no torch is needed.
"""

import functools
import math
import pickle
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from overpaint.measures.lpips_nets import NETS, Cells, Layer, Net, lay

Floats = NDArray[np.float32]

# What the authors subtract from and divide RGB in [-1, 1] by.
SHIFT: Final = (-0.030, -0.088, -0.188)
SCALE: Final = (0.458, 0.448, 0.450)
EPSILON: Final = 1e-10  # added to a cell's norm, so that an all-zero cell stays zero
STRIP: Final = 1 << 25  # bytes that one layer of one strip may take; a few live at a time


# ── reading the weights ─────────────────────────────────────────────────────────────────


class ArraysOnly(pickle.Unpickler):
    """Reads dictionaries of float32 arrays; whatever else a pickle asks for is refused."""

    def find_class(self, module: str, name: str) -> Any:
        """The three names that numpy's pickles need, each in a form that can do no more."""
        allowed = {
            "numpy.core.multiarray._reconstruct": _empty_floats,
            "numpy._core.multiarray._reconstruct": _empty_floats,
            "numpy.ndarray": None,  # only ever handed to _reconstruct, which ignores it
            "numpy.dtype": _only_float32,
        }
        if (wanted := f"{module}.{name}") not in allowed:
            raise pickle.UnpicklingError(f"{wanted} is not allowed in a file of weights")
        return allowed[wanted]


def _empty_floats(kind: None, shape: tuple[int, ...], code: bytes) -> Floats:
    """An array for the pickle to fill."""
    return np.empty(0, np.float32)


def _only_float32(code: str, *flags: bool) -> np.dtype[np.float32]:
    if code != "f4":
        raise pickle.UnpicklingError(f"an array of type {code!r} is not allowed in this file")
    return np.dtype(np.float32, copy=True)  # the pickle sets its state; numpy's own stays whole


def read_arrays(file: IO[bytes]) -> dict[str, Floats]:
    """The arrays of a checkpoint under their joined names, such as `AlexNet_0/Conv_0/bias`."""
    flat: dict[str, Floats] = {}
    waiting: list[tuple[str, Any]] = [("", ArraysOnly(file).load())]
    while waiting:
        name, thing = waiting.pop()
        if isinstance(thing, dict):
            waiting += [(f"{name}/{key}".lstrip("/"), value) for key, value in thing.items()]
        elif isinstance(thing, np.ndarray):
            flat[name] = thing
        else:
            raise pickle.UnpicklingError(f"{name} is no array but {type(thing).__name__}")
    return flat


# ── running ─────────────────────────────────────────────────────────────────────────────


@functools.lru_cache(maxsize=4)
def network(name: str, path: Path, threads: int) -> "Network":
    """The network of that name with the weights in `path`; made once a process."""
    with path.open("rb") as file:
        return Network(NETS[name], read_arrays(file), threads)


class Network:
    """A network ready to run, one session for each of its stages."""

    def __init__(self, net: Net, arrays: Mapping[str, Floats], threads: int) -> None:
        graphs = Graphs(net.scope, arrays)
        self.stages = [Stage(layers, graphs.next(layers), threads) for layers in net.stages]

    def maps(self, pair: NDArray[np.uint8]) -> list[Floats]:
        """Of two RGB pictures (2×H×W×3), a map of differences for each compared layer."""
        value: NDArray[Any] = pair.transpose(0, 3, 1, 2)
        maps: list[Floats] = []
        for stage in self.stages:
            found = stage.run(value)
            if stage.layers[-1].pools:
                value = found.pop()
            maps += [each[0, 0] for each in found]
        return maps


class Stage:
    """The layers up to a pool, run strip by strip so that memory hardly grows with the picture.

    One layer of VGG16 takes half a gigabyte for a pair of 1024×1024 pictures, and a graph run
    whole holds several. A strip reaches as far beyond its own rows as their cells see, so
    cutting changes no cell.
    """

    def __init__(self, layers: tuple[Layer, ...], model: bytes, threads: int) -> None:
        import onnxruntime

        self.layers = layers
        self.session = _session(model, threads)
        self.options = onnxruntime.RunOptions()
        # Keep the speed of an arena within a run, and give its memory back after it.
        self.options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")

    def run(self, value: NDArray[Any]) -> list[Floats]:
        """The maps of this stage and, where a pool ends it, what the next stage gets."""
        strips = [self._strip(value, rows) for rows in self._cut(*value.shape[2:])]
        return [np.concatenate(parts, axis=2) for parts in zip(*strips, strict=True)]

    def _cut(self, height: int, width: int) -> list[range]:
        """The rows of each strip, all but the last a multiple of the stage's stride."""
        cells = lay(self.layers, height)
        step = cells[-1].stride
        each = [x.channels / c.stride**2 for x, c in zip(self.layers, cells, strict=True)]
        rows = max(int(STRIP / (2 * 4 * max(each) * width * step)), 1) * step
        starts = [n * rows for n in range(max(height // rows, 1))]
        return [range(*ends) for ends in pairwise([*starts, height])]

    def _strip(self, value: NDArray[Any], rows: range) -> list[Floats]:
        """What the stage gives for some rows, which it is shown with all that their cells see."""
        height = value.shape[2]
        cells = lay(self.layers, height)
        step = cells[-1].stride
        above = max(math.ceil(-c.begins / step) for c in cells) * step
        below = max(c.begins + c.sees - c.stride for c in cells)
        start, stop = max(rows.start - above, 0), min(rows.stop + below, height)
        strip = {"value": np.ascontiguousarray(value[:, :, start:stop])}
        given = [c for x, c in zip(self.layers, cells, strict=True) if x.compared or x.pools]
        return [
            part[:, :, (rows.start - start) // c.stride :][:, :, : _share(rows, c, height)]
            for part, c in zip(self.session.run(None, strip, self.options), given, strict=True)
        ]


def _share(rows: range, cells: Cells, height: int) -> int:
    """How many of a layer's rows of cells belong to these rows; the last strip has the rest."""
    end = cells.count if rows.stop == height else rows.stop // cells.stride
    return end - rows.start // cells.stride


def _session(model: bytes, threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.use_deterministic_compute = True
    options.enable_mem_pattern = False  # pictures differ in size; a plan would be made for each
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


# ── the graphs ──────────────────────────────────────────────────────────────────────────


class Graphs:
    """Writes the stages of one network as ONNX models, one after another."""

    def __init__(self, scope: str, arrays: Mapping[str, Floats]) -> None:
        self.scope, self.arrays = scope, arrays
        self.convolutions = self.heads = 0  # how many have been used so far
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def next(self, layers: Sequence[Layer]) -> bytes:
        """The model of the next stage: `value` -> its maps and, after a pool, its features."""
        from onnx import TensorProto, helper

        first = self.convolutions == 0
        self.nodes, self.constants, given = [], [], []
        value = self._scaled("value") if first else "value"
        for layer in layers:
            value = self._pooled(value, layer) if layer.pools else self._convolved(value, layer)
            if layer.compared:
                given.append(self._compared(value))
            elif layer.pools:
                given.append(value)
        kind = TensorProto.UINT8 if first else TensorProto.FLOAT
        taken = helper.make_tensor_value_info("value", kind, [2, None, None, None])
        out = [helper.make_tensor_value_info(g, TensorProto.FLOAT, None) for g in given]
        graph = helper.make_graph(self.nodes, "stage", [taken], out, self.constants)
        opset = helper.make_opsetid("", 17)
        model = helper.make_model(graph, opset_imports=[opset], ir_version=8)
        return bytes(model.SerializeToString())

    def _scaled(self, pictures: str) -> str:
        """Floats as the networks were trained to see them."""
        from onnx import TensorProto

        shift, scale = (np.array(x).reshape(3, 1, 1) for x in (SHIFT, SCALE))
        value = self._add("Cast", pictures, to=TensorProto.FLOAT)
        value = self._add("Mul", value, self._keep(1 / (127.5 * scale)))
        return self._add("Sub", value, self._keep((1 + shift) / scale))

    def _pooled(self, value: str, layer: Layer) -> str:
        return self._add(
            "MaxPool", value, kernel_shape=[layer.size] * 2, strides=[layer.stride] * 2
        )

    def _convolved(self, value: str, layer: Layer) -> str:
        name = f"{self.scope}/Conv_{self.convolutions}"
        self.convolutions += 1
        kernel = self._keep(self.arrays[f"{name}/kernel"].transpose(3, 2, 0, 1))
        bias = self._keep(self.arrays[f"{name}/bias"])
        strides, pads = [layer.stride] * 2, [layer.padding] * 4
        return self._add("Relu", self._add("Conv", value, kernel, bias, strides=strides, pads=pads))

    def _compared(self, features: str) -> str:
        """The map of a layer: unit vectors, squared difference, weighted sum of channels."""
        head = self.arrays[f"NetLinLayer_{self.heads}/Conv_0/kernel"].transpose(3, 2, 0, 1)
        self.heads += 1
        # A convolution with ones adds up channels four times as fast as ReduceL2 here.
        squares = self._add("Mul", features, features)
        total = self._add("Conv", squares, self._keep(np.ones_like(head)))
        norm = self._add("Add", self._add("Sqrt", total), self._keep(np.array([EPSILON])))
        apart = self._add("Sub", *self._halves(self._add("Div", features, norm)))
        return self._add("Conv", self._add("Mul", apart, apart), self._keep(head))

    def _halves(self, both: str) -> tuple[str, str]:
        """The two pictures of a batch of two."""
        from onnx import helper

        a, b = f"{both}_a", f"{both}_b"
        self.nodes.append(helper.make_node("Split", [both], [a, b], axis=0))
        return a, b

    def _add(self, kind: str, *inputs: str, **settings: Any) -> str:
        """One more node; the name of what it gives."""
        from onnx import helper

        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **settings))
        return name

    def _keep(self, value: NDArray[Any]) -> str:
        """One more constant, as float32; its name."""
        from onnx import numpy_helper

        name = f"constant_{len(self.constants)}"
        array = np.ascontiguousarray(value, np.float32)
        self.constants.append(numpy_helper.from_array(array, name))
        return name
