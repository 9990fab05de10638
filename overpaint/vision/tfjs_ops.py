"""What each operation of a TensorFlow.js graph becomes in ONNX.

Values that are known beforehand, shapes above all, are arrays and never enter the ONNX graph.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from overpaint.errors import Unavailable
from overpaint.vision.tfjs_graph import TO_FIRST, Array, Node, Tensor, Value, Writer

Operation = Callable[[Writer, Node, Sequence[Any]], Sequence[Value]]
AXIS_FIRST = {0: 0, 1: 2, 2: 3, 3: 1}  # where an axis goes when colours come first


# ── convolutions ────────────────────────────────────────────────────────────────────────


def _around(node: Node, shape: Sequence[int], window: Sequence[int], apart: int) -> list[int]:
    """How much is added on each side: top, left, bottom, right."""
    if (padding := node.word("padding")) not in ("SAME", "VALID"):
        raise Unavailable(f"{node.name} is padded {padding}, which cannot be converted.")
    if padding == "VALID":
        return [0, 0, 0, 0]
    before, after = [], []
    for size, width, step in zip(shape[1:3], window, node.numbers("strides")[1:3], strict=True):
        reach = (width - 1) * apart + 1
        total = max((math.ceil(size / step) - 1) * step + reach - size, 0)
        before.append(total // 2)
        after.append(total - total // 2)
    return [*before, *after]


def _after(node: Node, shape: Sequence[int], window: Sequence[int], frame: tuple[Any, int]) -> Any:
    """Height and width of what a window that moves over a picture gives."""
    around, apart = frame
    steps = node.numbers("strides")[1:3]
    return [
        (shape[1 + n] + around[n] + around[2 + n] - (window[n] - 1) * apart - 1) // steps[n] + 1
        for n in range(2)
    ]


def _convolved(to: Writer, node: Node, value: Tensor, kernel: Array, groups: int) -> Tensor:
    """A convolution whose kernel is as ONNX has it; of a spread tensor, one with gaps."""
    dilations = node.numbers("dilations")[1:3] or [1, 1]
    if dilations[0] != dilations[1] or (value.spread and dilations[0] != 1):
        raise Unavailable(f"{node.name} has gaps of {dilations}, which cannot be converted.")
    apart = value.spread or dilations[0]
    window = kernel.shape[2:]
    around = _around(node, value.shape, window, apart)
    if value.spread:
        around = [a + b for a, b in zip(around, value.margins, strict=True)]
    high, wide = _after(node, value.shape, window, (around, apart))
    name = to.add(
        "Conv", to.first(value), to.keep(kernel), pads=around, group=groups,
        strides=node.numbers("strides")[1:3], dilations=[apart, apart],
    )  # fmt: skip
    shape = (value.shape[0], high, wide, kernel.shape[0])
    return Tensor(name, shape, first=True, spread=value.spread, margins=(0, 0, 0, 0))


def _convolution(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    value, kernel = inputs
    return [_convolved(to, node, value, kernel.transpose(3, 2, 0, 1), 1)]


def _depthwise(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    value, kernel = inputs
    high, wide, channels, times = kernel.shape
    turned = kernel.transpose(2, 3, 0, 1).reshape(channels * times, 1, high, wide)
    return [_convolved(to, node, value, turned, channels)]


def _taken_apart(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    """SpaceToBatchND: TensorFlow's way to a convolution with gaps, which ONNX simply has."""
    value, block, around = inputs
    if len(block) != 2 or block[0] != block[1]:
        raise Unavailable(f"{node.name} takes a picture apart by {block}, which is not known.")
    (top, bottom), (left, right) = around.tolist()
    return [replace(value, spread=int(block[0]), margins=(top, left, bottom, right))]


def _put_together(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    """BatchToSpaceND: the end of that, which cuts off what was added to come out even."""
    value, _, crops = inputs
    whole = replace(value, spread=0, margins=())
    (top, bottom), (left, right) = crops.tolist()
    _, high, wide, _ = value.shape
    sizes = [-1, high - top - bottom, wide - left - right, -1]
    return _slice(to, node, [whole, np.array([0, top, left, 0]), np.array(sizes)])


def _pooled(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    (value,) = inputs
    window = node.numbers("ksize")[1:3]
    around = _around(node, value.shape, window, 1)
    name = to.add(
        "AveragePool", to.first(value), kernel_shape=window, pads=around,
        strides=node.numbers("strides")[1:3],
    )  # fmt: skip
    size = _after(node, value.shape, window, (around, 1))
    return [Tensor(name, (value.shape[0], *size, value.shape[3]), first=True)]


def _normalised(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    value, *numbers = inputs
    names = [to.keep(array) for array in numbers]
    given = (to.first(value), *names)
    name = to.add("BatchNormalization", *given, epsilon=node.real("epsilon"))
    return [Tensor(name, value.shape, first=True)]


def _resized(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    value, size = inputs
    shape = (value.shape[0], *size.tolist(), value.shape[3])
    mode = "asymmetric"  # TensorFlow's first and strangest: pixel n lies at n times the scale
    if node.flag("align_corners"):
        mode = "align_corners"
    elif node.flag("half_pixel_centers"):
        mode = "half_pixel"
    sizes = to.keep(np.array([shape[n] for n in TO_FIRST], np.int64))
    name = to.add(
        "Resize", to.first(value), "", "", sizes, mode="linear",
        coordinate_transformation_mode=mode,
    )  # fmt: skip
    return [Tensor(name, shape, first=True)]


# ── number by number ────────────────────────────────────────────────────────────────────


def _pairwise(kind: str, known: Callable[[Array, Array], Array]) -> Operation:
    """An operation of two or more values, each with each."""

    def write(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
        whole, *others = inputs
        for other in others:
            whole = _both(to, kind, (whole, other), known)
        return [whole]

    return write


def _both(
    to: Writer, kind: str, values: tuple[Any, Any], known: Callable[[Array, Array], Array]
) -> Value:
    tensors = [value for value in values if isinstance(value, Tensor)]
    if not tensors:
        return known(*values)
    first = any(tensor.first for tensor in tensors)
    names = [to.first(value) if first else to.last(value) for value in values]
    shape = np.broadcast_shapes(*(value.shape for value in values))
    return Tensor(to.add(kind, *names), tuple(shape), first=first)


def _single(kind: str, *limits: float) -> Operation:
    """An operation of one value, the limits its constants."""

    def write(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
        (value,) = inputs
        constants = [to.keep(np.array(limit, np.float32)) for limit in limits]
        return [replace(value, name=to.add(kind, value.name, *constants))]

    return write


# ── shapes ──────────────────────────────────────────────────────────────────────────────


def _shape(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    return [np.array(inputs[0].shape, np.int32)]


def _strided(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    """A part of a list of numbers that is known, such as a shape."""
    value, begin, end, step = inputs
    if isinstance(value, Tensor) or value.ndim != 1 or node.number("new_axis_mask"):
        raise Unavailable(f"{node.name} cuts a tensor in a way that cannot be converted.")
    if node.number("shrink_axis_mask"):
        return [value[int(begin[0])]]
    start = None if node.number("begin_mask") else int(begin[0])
    stop = None if node.number("end_mask") else int(end[0])
    return [value[start : stop : int(step[0])]]


def _slice(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    value, begin, size = inputs
    ends = [
        whole if many < 0 else start + many
        for start, many, whole in zip(begin.tolist(), size.tolist(), value.shape, strict=True)
    ]
    shape = tuple(end - start for start, end in zip(begin.tolist(), ends, strict=True))
    if shape == value.shape:
        return [value]
    order = TO_FIRST if value.first else range(len(shape))
    bounds = ([edges[n] for n in order] for edges in (begin.tolist(), ends))
    names = [to.keep(np.array(edges, np.int64)) for edges in bounds]
    return [Tensor(to.add("Slice", value.name, *names), shape, first=value.first)]


def _reshape(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    value, wanted = inputs
    known = -math.prod(wanted.tolist())  # one of them is -1 where it follows from the others
    shape = [math.prod(value.shape) // known if n < 0 else n for n in wanted.tolist()]
    return [to.reshaped(value, shape)]


def _one_more_axis(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    value, axis = inputs
    return [to.reshaped(value, _with_axis(value.shape, int(axis)))]


def _with_axis(shape: Sequence[int], axis: int) -> list[int]:
    place = axis % (len(shape) + 1)
    return [*shape[:place], 1, *shape[place:]]


def _without_axes(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    (value,) = inputs
    gone = [axis % len(value.shape) for axis in node.numbers("squeeze_dims")]
    kept = [n for axis, n in enumerate(value.shape) if (axis not in gone if gone else n != 1)]
    return [to.reshaped(value, kept)]


def _transposed(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    value, order = inputs
    if not isinstance(value, Tensor):
        return [value.transpose(order)]
    name = to.add("Transpose", to.last(value), perm=order.tolist())
    return [Tensor(name, tuple(value.shape[n] for n in order.tolist()))]


def _tiled(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    value, times = inputs
    if isinstance(value, Tensor):
        raise Unavailable(f"{node.name} repeats a tensor, which cannot be converted.")
    return [np.tile(value, times)]


def _joined(to: Writer, values: Sequence[Any], axis: int) -> Value:
    if not any(isinstance(value, Tensor) for value in values):
        return np.concatenate(values, axis)
    rank = len(values[0].shape)
    first = any(isinstance(value, Tensor) and value.first for value in values)
    names = [to.first(value) if first else to.last(value) for value in values]
    shape = list(values[0].shape)
    shape[axis] = sum(value.shape[axis] for value in values)
    at = AXIS_FIRST[axis % rank] if first else axis % rank
    return Tensor(to.add("Concat", *names, axis=at), tuple(shape), first=first)


def _concatenated(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    *values, axis = inputs
    return [_joined(to, values, int(axis))]


def _packed(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    axis = node.number("axis")
    values = [to.reshaped(value, _with_axis(value.shape, axis)) for value in inputs]
    return [_joined(to, values, axis)]


def _unpacked(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    (value,) = inputs
    axis = node.number("axis") % len(value.shape)
    shape = [*value.shape[:axis], *value.shape[axis + 1 :]]
    single = (*value.shape[:axis], 1, *value.shape[axis + 1 :])
    names = to.split("Split", [to.last(value)], value.shape[axis], axis=axis)
    return [to.reshaped(Tensor(name, single), shape) for name in names]


def _largest(to: Writer, node: Node, inputs: Sequence[Any]) -> Sequence[Value]:
    value, axis = inputs
    place = int(axis) % len(value.shape)
    at = AXIS_FIRST[place] if value.first else place
    whole = to.add("ArgMax", value.name, axis=at, keepdims=1)
    kept = replace(value, name=whole, shape=(*value.shape[:place], 1, *value.shape[place + 1 :]))
    return [to.reshaped(kept, [*value.shape[:place], *value.shape[place + 1 :]])]


OPERATIONS: Mapping[str, Operation] = {
    "Add": _pairwise("Add", np.add),
    "AddN": _pairwise("Add", np.add),
    "ArgMax": _largest,
    "AvgPool": _pooled,
    "BatchToSpaceND": _put_together,
    "BiasAdd": _pairwise("Add", np.add),
    "ConcatV2": _concatenated,
    "Conv2D": _convolution,
    "DepthwiseConv2dNative": _depthwise,
    "Exp": _single("Exp"),
    "ExpandDims": _one_more_axis,
    "FusedBatchNorm": _normalised,
    "Mul": _pairwise("Mul", np.multiply),
    "Pack": _packed,
    "Relu": _single("Relu"),
    "Relu6": _single("Clip", 0, 6),
    "Reshape": _reshape,
    "ResizeBilinear": _resized,
    "Shape": _shape,
    "Sigmoid": _single("Sigmoid"),
    "Slice": _slice,
    "SpaceToBatchND": _taken_apart,
    "Squeeze": _without_axes,
    "StridedSlice": _strided,
    "Sub": _pairwise("Sub", np.subtract),
    "Tile": _tiled,
    "Transpose": _transposed,
    "Unpack": _unpacked,
}
# Those that may take a tensor between SpaceToBatchND and BatchToSpaceND.
OF_SPREAD = ("Conv2D", "DepthwiseConv2dNative", "BatchToSpaceND")
