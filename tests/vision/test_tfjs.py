"""TensorFlow.js graphs as ONNX: operations against torch, the real graphs against TensorFlow.js.

The golden numbers were made by TensorFlow.js 3.21.0 (its plain JavaScript backend, on Node.js 20)
with the packages' own models and scikit-image's photograph of the cat Chelsea.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
import torch
from torch.nn import functional

from overpaint import weights
from overpaint.errors import Unavailable
from overpaint.vision import tfjs
from overpaint.vision.references import coco_ssd, deeplab
from overpaint.vision.tfjs import Part, converted, read_weights

RNG = np.random.default_rng(0)


def floats(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype(np.float32)


def word(text: str) -> dict[str, Any]:
    return {"s": list(text.encode())}


def numbers(*values: int) -> dict[str, Any]:
    return {"list": {"i": [str(value) for value in values]}}


class Toy:
    """A graph written node by node, as model.json and the bytes of its weights."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = [{"name": "x", "op": "Placeholder"}]
        self.told: list[dict[str, Any]] = []
        self.data = b""

    def constant(self, name: str, value: Any) -> str:
        array = np.asarray(value)
        array = array.astype(np.float32 if array.dtype.kind == "f" else np.int32)
        self.nodes.append({"name": name, "op": "Const"})
        told = {"name": name, "shape": list(array.shape), "dtype": str(array.dtype)}
        self.told.append(told)
        self.data += array.tobytes()
        return name

    def add(self, op: str, *inputs: str, **attr: Any) -> str:
        name = f"{op.lower()}{len(self.nodes)}"
        self.nodes.append({"name": name, "op": op, "input": list(inputs), "attr": attr})
        return name

    @property
    def graph(self) -> bytes:
        manifest = [{"paths": ["one"], "weights": self.told}]
        told = {"modelTopology": {"node": self.nodes}, "weightsManifest": manifest}
        return json.dumps(told).encode()

    def run(self, given: np.ndarray, *ends: str) -> list[np.ndarray]:
        model = converted(self.graph, self.data, Part("x", given.shape, ends))
        providers = ["CPUExecutionProvider"]
        session = onnxruntime.InferenceSession(model, providers=providers)
        return session.run(None, {"given": given})


def first(value: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(value.transpose(0, 3, 1, 2)))


def last(value: torch.Tensor) -> np.ndarray:
    return value.numpy().transpose(0, 2, 3, 1)


def same(found: np.ndarray, expected: np.ndarray) -> None:
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=2e-5)


# ── operations ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize(("size", "stride"), [((9, 12), 1), ((9, 12), 2), ((10, 7), 2)])
def test_a_convolution_is_torchs_with_the_border_that_tensorflow_adds(
    padding: str, size: tuple[int, int], stride: int
) -> None:
    toy, given, kernel, bias = Toy(), floats(1, *size, 3), floats(3, 3, 3, 5), floats(5)
    steps, name = numbers(1, stride, stride, 1), toy.constant("kernel", kernel)
    made = toy.add("Conv2D", "x", name, strides=steps, padding=word(padding))
    end = toy.add("Relu6", toy.add("BiasAdd", made, toy.constant("bias", bias)))
    (found,) = toy.run(given, end)
    around = [0, 0, 0, 0]
    if padding == "SAME":
        total = [max((-(-n // stride) - 1) * stride + 3 - n, 0) for n in size[::-1]]
        around = [edge for n in total for edge in (n // 2, n - n // 2)]
    padded = functional.pad(first(given), around)
    weight = torch.from_numpy(kernel.transpose(3, 2, 0, 1).copy())
    expected = functional.conv2d(padded, weight, torch.from_numpy(bias), stride)
    same(found, last(functional.relu6(expected)))


def test_a_depthwise_convolution_looks_at_each_channel_for_itself() -> None:
    toy, given, kernel = Toy(), floats(1, 8, 6, 4), floats(3, 3, 4, 2)
    steps = numbers(1, 1, 1, 1)
    name = toy.constant("kernel", kernel)
    end = toy.add("DepthwiseConv2dNative", "x", name, strides=steps, padding=word("SAME"))
    weight = torch.from_numpy(kernel.transpose(2, 3, 0, 1).reshape(8, 1, 3, 3).copy())
    expected = functional.conv2d(first(given), weight, padding=1, groups=4)
    same(toy.run(given, end)[0], last(expected))


@pytest.mark.parametrize(("size", "gap"), [((9, 11), 2), ((8, 8), 2), ((13, 9), 4)])
def test_a_picture_taken_apart_and_put_together_is_a_convolution_with_gaps(
    size: tuple[int, int], gap: int
) -> None:
    toy, given, kernel = Toy(), floats(1, *size, 3), floats(3, 3, 3, 1)
    more = [-(n + 2 * gap) % gap for n in size]  # to come out even
    block = toy.constant("block", [gap, gap])
    around = toy.constant("around", [[gap, gap + extra] for extra in more])
    crops = toy.constant("crops", [[0, extra] for extra in more])
    apart = toy.add("SpaceToBatchND", "x", block, around)
    steps, name = numbers(1, 1, 1, 1), toy.constant("kernel", kernel)
    seen = toy.add("DepthwiseConv2dNative", apart, name, strides=steps, padding=word("VALID"))
    end = toy.add("Relu", toy.add("BatchToSpaceND", seen, block, crops))
    weight = torch.from_numpy(kernel.transpose(2, 3, 0, 1).copy())
    expected = functional.conv2d(first(given), weight, padding=gap, dilation=gap, groups=3)
    same(toy.run(given, end)[0], last(functional.relu(expected)))


def test_a_picture_taken_apart_for_anything_else_is_refused() -> None:
    toy = Toy()
    block, around = toy.constant("block", [2, 2]), toy.constant("around", [[0, 0], [0, 0]])
    end = toy.add("Sigmoid", toy.add("SpaceToBatchND", "x", block, around))
    with pytest.raises(Unavailable, match="is a Sigmoid of a picture taken apart"):
        toy.run(floats(1, 4, 4, 1), end)


def test_normalising_and_pooling_are_torchs() -> None:
    toy, given = Toy(), floats(1, 6, 8, 3)
    scale, shift, mean, spread = floats(3), floats(3), floats(3), abs(floats(3))
    told = {"scale": scale, "shift": shift, "mean": mean, "spread": spread}
    names = [toy.constant(name, value) for name, value in told.items()]
    normal = toy.add("FusedBatchNorm", "x", *names, epsilon={"f": 0.001})
    window = numbers(1, 3, 2, 1)
    end = toy.add("AvgPool", normal, ksize=window, strides=window, padding=word("VALID"))
    tensors = [torch.from_numpy(array) for array in (mean, spread, scale, shift)]
    expected = functional.batch_norm(first(given), *tensors, eps=0.001)
    same(toy.run(given, end)[0], last(functional.avg_pool2d(expected, (3, 2))))


@pytest.mark.parametrize(
    "told", [{"align_corners": {"b": True}}, {"half_pixel_centers": {"b": True}}]
)
def test_resizing_is_torchs(told: dict[str, Any]) -> None:
    toy, given = Toy(), floats(1, 5, 7, 2)
    end = toy.add("ResizeBilinear", "x", toy.constant("size", [11, 9]), **told)
    corners = "align_corners" in told
    expected = functional.interpolate(first(given), (11, 9), mode="bilinear", align_corners=corners)
    same(toy.run(given, end)[0], last(expected))


def test_resizing_from_the_corner_is_as_the_detector_squeezes_a_picture() -> None:
    toy, given = Toy(), RNG.integers(0, 256, (1, 31, 47, 3)).astype(np.uint8)
    end = toy.add("ResizeBilinear", "x", toy.constant("size", [20, 20]))
    (found,) = toy.run(given.astype(np.float32), end)
    np.testing.assert_allclose(found[0], coco_ssd.squeezed(given[0], 20), atol=1e-3)


def test_shapes_are_followed_whichever_way_a_tensor_lies() -> None:
    toy, given, kernel = Toy(), floats(1, 4, 6, 3), floats(1, 1, 3, 8)
    one = numbers(1, 1, 1, 1)
    name = toy.constant("kernel", kernel)
    seen = toy.add("Conv2D", "x", name, strides=one, padding=word("SAME"))
    taken = [toy.constant(n, [v]) for n, v in (("zero", 0), ("one", 1))]
    shape = toy.add("Shape", seen)
    batch = toy.add("StridedSlice", shape, *taken, taken[1], shrink_axis_mask={"i": "1"})
    rest = [toy.constant("minus", -1), toy.constant("two", 2), toy.constant("four", 4)]
    wanted = toy.add("Pack", batch, *rest, axis={"i": "0"})
    cut = toy.add("Reshape", seen, wanted)  # 1 × 24 × 2 × 4
    flat = toy.add("Squeeze", cut, squeeze_dims=numbers(0))
    turned = toy.add("Transpose", flat, toy.constant("order", [2, 0, 1]))  # 4 × 24 × 2
    a, b = (f"{toy.add('Unpack', turned, axis={'i': '0'})}:{n}" for n in (1, 3))
    both = toy.add("Sub", toy.add("Exp", a), toy.add("Mul", b, b))
    stacked = toy.add("Pack", both, a, axis={"i": "1"})  # 24 × 2 × 2
    more = toy.add("ExpandDims", stacked, toy.constant("place", -1))
    begin, size = toy.constant("begin", [3, 0, 1, 0]), toy.constant("many", [-1, 2, 1, 1])
    end = toy.add("Slice", more, begin, size)
    joined = toy.add("ConcatV2", seen, "x", toy.constant("axis", 3))
    largest = toy.add("ArgMax", joined, toy.constant("last", 3))
    found, where = toy.run(given, end, largest)
    whole = given @ kernel[0, 0]
    parts = whole.reshape(24, 2, 4).transpose(2, 0, 1)
    both_ = np.exp(parts[1]) - parts[3] ** 2
    expected = np.stack([both_, parts[1]], 1)[..., None][3:, :2, 1:2, :1]
    same(found, expected)
    assert (where == np.concatenate([whole, given], 3).argmax(3)).all()


def test_what_is_known_beforehand_is_counted_out() -> None:
    toy, given = Toy(), floats(1, 3, 3, 2)
    times = toy.constant("times", [1, 3, 3, 1])
    tiled = toy.add("Tile", toy.constant("row", floats(1, 1, 1, 2)), times)
    end = toy.add("AddN", "x", tiled, toy.add("Add", tiled, tiled))
    row = np.frombuffer(toy.data[16:24], np.float32)
    same(toy.run(given, end)[0], given + 3 * row)


def test_an_operation_that_is_not_known_is_named() -> None:
    toy = Toy()
    end = toy.add("Relu", toy.add("Cholesky", "x"))
    with pytest.raises(Unavailable, match=r"has a Cholesky \(cholesky1\).*Known are Add, AddN"):
        toy.run(floats(1, 4, 4, 1), end)
    with pytest.raises(Unavailable, match="has no node 'nowhere'"):
        toy.run(floats(1, 4, 4, 1), "nowhere")


# ── weights ─────────────────────────────────────────────────────────────────────────────


def test_weights_are_read_in_order_and_squeezed_ones_are_spread_out() -> None:
    eight, sixteen, half = (np.array([3, 250], kind) for kind in (np.uint8, np.uint16, np.float16))
    whole = np.array([[7]], np.int32)
    told = [
        {"name": "a", "shape": [2], "dtype": "float32",
         "quantization": {"dtype": "uint8", "scale": 0.5, "min": -1.0}},
        {"name": "b", "shape": [1, 1], "dtype": "int32"},
    ]  # fmt: skip
    more = [
        {"name": "c", "shape": [2], "dtype": "float32",
         "quantization": {"dtype": "uint16", "scale": 0.25, "min": 2.0}},
        {"name": "d", "shape": [2], "dtype": "float32", "quantization": {"dtype": "float16"}},
    ]  # fmt: skip
    data = b"".join(array.tobytes() for array in (eight, whole, sixteen, half))
    found = read_weights([{"weights": told}, {"weights": more}], data)
    assert found["a"].tolist() == [0.5, 124.0]
    assert found["b"].tolist() == [[7]]
    assert found["c"].tolist() == [2.75, 64.5]
    assert found["d"].tolist() == [3.0, 250.0]
    assert found["a"].dtype == found["c"].dtype == found["d"].dtype == np.float32


def test_weights_that_end_too_soon_or_are_of_no_known_type_are_refused() -> None:
    told = {"name": "a", "shape": [3], "dtype": "float32"}
    with pytest.raises(Unavailable, match="end before a: 12 bytes were expected"):
        read_weights([{"weights": [told]}], bytes(11))
    with pytest.raises(Unavailable, match="a are of type complex64"):
        read_weights([{"weights": [told | {"dtype": "complex64"}]}], bytes(99))


# ── keeping ─────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def toy_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Part:
    """A toy model whose two files are fetched already."""
    toy = Toy()
    end = toy.add("Mul", "x", toy.constant("twice", 2.0))
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path))
    package = weights.row("coco-graph").package
    rows = []
    for of, data in (("graph", toy.graph), ("weights", toy.data)):
        path = tmp_path / of
        path.write_bytes(data)
        digest = weights.registry.sha256(path)
        path.rename(tmp_path / f"{digest[:12]}-{of}")
        rows.append(weights.Weight(f"toy-{of}", package, of, digest, "a toy"))
    monkeypatch.setattr(weights, "TABLE", tuple(rows))
    tfjs.network.cache_clear()
    return Part("x", (1, 2, 2, 1), (end,))


def ran(part: Part) -> list[float]:
    tfjs.network.cache_clear()
    given = np.arange(4, dtype=np.float32).reshape(part.shape)
    return tfjs.network("toy", part).run(None, {"given": given})[0].ravel().tolist()


def test_a_graph_is_converted_once_and_again_when_its_file_is_damaged(
    toy_rows: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ran(toy_rows) == [0, 2, 4, 6]
    (kept,) = tmp_path.glob("*-toy.onnx")
    whole = kept.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(tfjs, "converted", None)
        assert ran(toy_rows) == [0, 2, 4, 6]
    kept.write_bytes(whole[:-1])
    assert ran(toy_rows) == [0, 2, 4, 6]
    assert kept.read_bytes() == whole
    monkeypatch.setattr(tfjs, "VERSION", "another")
    assert ran(toy_rows) == [0, 2, 4, 6]
    assert len(list(tmp_path.glob("*-toy.onnx"))) == 2
    assert not list(tmp_path.glob("half-done-*"))


def test_a_graph_is_run_where_nothing_can_be_kept(toy_rows: Part, tmp_path: Path) -> None:
    ran(toy_rows)
    (kept,) = tmp_path.glob("*-toy.onnx")
    kept.unlink()
    kept.mkdir()
    assert ran(toy_rows) == [0, 2, 4, 6]
    assert not list(tmp_path.glob("half-done-*"))


# ── the real graphs ─────────────────────────────────────────────────────────────────────


def chelsea() -> np.ndarray:
    from skimage import data

    return data.chelsea()


def the_real(name: str, part: Part) -> Any:
    try:
        return tfjs.network(name, part)
    except Unavailable as missing:
        pytest.skip(str(missing))


def test_the_detector_gives_what_tensorflow_js_gives() -> None:
    session = the_real("coco", coco_ssd.PART)
    given = coco_ssd.squeezed(chelsea(), 300)[None]
    scores, places = session.run(None, {"given": given})
    cat = coco_ssd.KINDS.index("cat")
    golden = {1913: 0.93448871, 1862: 0.92919528, 1911: 0.91109365, 1916: 0.90847945}
    for place, score in golden.items():
        assert scores[0, place, cat] == pytest.approx(score, abs=1e-5)
    box = [0.00954837, 0.00159797, 0.99214393, 0.89530742]
    np.testing.assert_allclose(places[0, 1913, 0], box, atol=1e-5)
    assert scores.sum(dtype=float) == pytest.approx(69.591978, abs=1e-3)
    assert abs(places).sum(dtype=float) == pytest.approx(3868.855665, abs=1e-2)


def test_the_segmenter_gives_what_tensorflow_js_gives() -> None:
    session = the_real("deeplab", deeplab.PART)
    given = np.full((1, 513, 513, 3), 127.5, np.float32)
    given[0, :300, :451] = chelsea()
    logits, kinds = session.run(None, {"given": given})
    golden = {  # at a row and a column: background, cat, dog, person
        (5, 10): (20.6435490, 32.0860748, 12.4953289, 13.4350033),
        (20, 25): (22.5118713, 38.1836052, 15.8764191, 11.3418760),
        (30, 50): (21.8092251, 21.1592350, 6.6662993, 9.8768501),
        (60, 60): (27.9047318, 21.4091873, 7.9082704, 8.9835892),
    }
    for place, expected in golden.items():
        np.testing.assert_allclose(logits[0][place][[0, 8, 12, 15]], expected, atol=1e-3)
    assert logits.sum(dtype=float) == pytest.approx(677359.93, abs=1)
    assert (kinds[0, :300, :451] == 8).sum() == pytest.approx(105378, abs=20)
