"""The networks behind LPIPS: their layers, where their cells lie, and a session that runs them.

Layers and weights are those of LPIPS v0.1 (Zhang, Isola, Efros, Shechtman, Wang, "The
Unreasonable Effectiveness of Deep Features as a Perceptual Metric", CVPR 2018): torchvision's
AlexNet and VGG16 with the authors' linear heads. onnxruntime runs them, so no torch is needed.
"""

import functools
import math
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# What the authors subtract from and divide RGB in [-1, 1] by.
SHIFT: Final = (-0.030, -0.088, -0.188)
SCALE: Final = (0.458, 0.448, 0.450)
EPSILON: Final = 1e-10  # added to a cell's norm, so that an all-zero cell stays zero


@dataclass(frozen=True)
class Layer:
    """A convolution with ReLU or, without padding and weights, a maximum over a window."""

    size: int
    stride: int = 1
    padding: int = 0
    pools: bool = False
    compared: bool = False  # its output is one of those LPIPS compares


@dataclass(frozen=True)
class Cells:
    """How the cells of a compared layer lie over the picture, along either side.

    Cell i stands for the `stride` pixels from `first + i * stride` on: those nearest the middle
    of what it sees (of two equally near, the lower). Blocks of neighbouring cells touch.
    """

    first: int
    stride: int
    sees: int  # pixels that can influence one cell
    count: int


@dataclass(frozen=True)
class Net:
    """One network: its name in the checkpoint and its layers from the picture on."""

    scope: str
    layers: tuple[Layer, ...]

    def cells(self, side: int) -> tuple[Cells, ...]:
        """Of each compared layer, the cells along a side of so many pixels."""
        middle, stride, sees, count, found = 0.0, 1, 1, side, []
        for layer in self.layers:
            middle += ((layer.size - 1) / 2 - layer.padding) * stride
            sees += (layer.size - 1) * stride
            stride *= layer.stride
            count = max((count + 2 * layer.padding - layer.size) // layer.stride + 1, 0)
            if layer.compared:
                found.append(Cells(math.ceil(middle - stride / 2), stride, sees, count))
        return tuple(found)

    @property
    def least_side(self) -> int:
        """The fewest pixels a side may have for every compared layer to have a cell."""
        return next(n for n in range(1, 1000) if all(c.count for c in self.cells(n)))


_POOL3 = Layer(3, stride=2, pools=True)
_POOL2 = Layer(2, stride=2, pools=True)
_CONV3 = Layer(3, padding=1)
_LAST3 = Layer(3, padding=1, compared=True)

NETS: Final[Mapping[str, Net]] = {
    "alex": Net(
        "AlexNet_0",
        (
            Layer(11, stride=4, padding=2, compared=True),
            _POOL3,
            Layer(5, padding=2, compared=True),
            *(_POOL3, _LAST3, _LAST3, _LAST3),
        ),
    ),
    "vgg": Net(
        "VGG16_0",
        (
            *(_CONV3, _LAST3, _POOL2),
            *(_CONV3, _LAST3, _POOL2),
            *(_CONV3, _CONV3, _LAST3, _POOL2),
            *(_CONV3, _CONV3, _LAST3, _POOL2),
            *(_CONV3, _CONV3, _LAST3),
        ),
    ),
}


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


# ── the graph ───────────────────────────────────────────────────────────────────────────


@functools.lru_cache(maxsize=4)
def session(name: str, path: Path, threads: int) -> Any:
    """An onnxruntime session: two RGB pictures (2×H×W×3, uint8) -> one map a compared layer."""
    import onnxruntime

    with path.open("rb") as file:
        model = _Graph(NETS[name], read_arrays(file)).model()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.use_deterministic_compute = True
    options.enable_mem_pattern = False  # pictures differ in size; a plan would be made for each
    options.enable_cpu_mem_arena = False  # give the memory of a large picture back after it
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


class _Graph:
    """Collects the nodes and constants of one network, in the order they are computed."""

    def __init__(self, net: Net, arrays: Mapping[str, Floats]) -> None:
        self.net, self.arrays = net, arrays
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.maps: list[str] = []

    def model(self) -> Any:
        """The whole network as an ONNX model."""
        from onnx import TensorProto, helper

        value = self._scaled("pictures")
        convolutions = 0
        for layer in self.net.layers:
            if layer.pools:
                sides = {"kernel_shape": [layer.size] * 2, "strides": [layer.stride] * 2}
                value = self._add("MaxPool", value, **sides)
                continue
            value = self._convolved(value, f"{self.net.scope}/Conv_{convolutions}", layer)
            convolutions += 1
            if layer.compared:
                self._compare(value)
        pictures = helper.make_tensor_value_info("pictures", TensorProto.UINT8, [2, "h", "w", 3])
        out = [helper.make_tensor_value_info(m, TensorProto.FLOAT, None) for m in self.maps]
        graph = helper.make_graph(self.nodes, "lpips", [pictures], out, self.constants)
        opset = helper.make_opsetid("", 17)
        return helper.make_model(graph, opset_imports=[opset], ir_version=8)

    def _scaled(self, pictures: str) -> str:
        """2×3×H×W floats as the networks were trained to see them."""
        from onnx import TensorProto

        shift, scale = np.array(SHIFT), np.array(SCALE)
        value = self._add("Cast", pictures, to=TensorProto.FLOAT)
        value = self._add("Mul", value, self._keep(1 / (127.5 * scale)))
        value = self._add("Sub", value, self._keep((1 + shift) / scale))
        return self._add("Transpose", value, perm=[0, 3, 1, 2])

    def _convolved(self, value: str, name: str, layer: Layer) -> str:
        kernel = self._keep(self.arrays[f"{name}/kernel"].transpose(3, 2, 0, 1))
        bias = self._keep(self.arrays[f"{name}/bias"])
        strides, pads = [layer.stride] * 2, [layer.padding] * 4
        return self._add("Relu", self._add("Conv", value, kernel, bias, strides=strides, pads=pads))

    def _compare(self, features: str) -> None:
        """The map of this layer: unit vectors, squared difference, weighted sum of channels."""
        norm = self._add("ReduceL2", features, axes=[1], keepdims=1)
        norm = self._add("Add", norm, self._keep(np.array([EPSILON])))
        unit = self._add("Div", features, norm)
        apart = self._add("Sub", *self._halves(unit))
        head = self.arrays[f"NetLinLayer_{len(self.maps)}/Conv_0/kernel"].transpose(3, 2, 0, 1)
        weighted = self._add("Conv", self._add("Mul", apart, apart), self._keep(head))
        self.maps.append(weighted)

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
