"""DWPose's adapter with tiny models made on the spot, whose one person is known."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from overpaint.errors import Unavailable
from overpaint.vision.references import Hints, extractor
from overpaint.vision.references.dwpose import (
    COCO,
    DETECTOR,
    HIGH,
    JOINTS,
    POINTS,
    ROOM,
    ROWS,
    SETTING,
    SIDE,
    WIDE,
)  # fmt: skip

PAGE = np.full((320, 640, 3), 90, np.uint8)  # twice as wide as high: seen at its own size
Planted = tuple[float, float, float, float]  # left, top, right, bottom


def fixed(path: Path, entry: tuple[int, ...], outputs: list[np.ndarray]) -> None:
    """A model that says the same to any picture of the right size, plus nothing times it."""
    picture = helper.make_tensor_value_info("x", TensorProto.FLOAT, entry)
    nodes = [helper.make_node("ReduceMean", ["x"], ["m"], keepdims=0),
             helper.make_node("Mul", ["m", "none"], ["z"])]  # fmt: skip
    kept = [numpy_helper.from_array(np.array(0, np.float32), "none")]
    told = []
    for number, output in enumerate(outputs):
        kept.append(numpy_helper.from_array(output.astype(np.float32), f"c{number}"))
        nodes.append(helper.make_node("Add", [f"c{number}", "z"], [f"y{number}"]))
        told.append(helper.make_tensor_value_info(f"y{number}", TensorProto.FLOAT, output.shape))
    graph = helper.make_graph(nodes, "tiny", [picture], told, kept)
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path
    )


def rows(*people: tuple[Planted, float, int]) -> np.ndarray:
    """YOLOX's rows with people planted: a box, a score, and how many rows see each."""
    made = np.zeros((1, ROWS, 85), np.float32)
    cells = SIDE // 8
    for (left, top, right, bottom), score, times in people:
        x, y = (left + right) / 2 / 8, (top + bottom) / 2 / 8
        for shift in range(times):
            column, row = int(x) + shift, int(y)
            size = np.log(np.array([right - left, bottom - top]) / 8)
            made[0, row * cells + column, :4] = (x - column, y - row, *size)
            made[0, row * cells + column, 4:6] = (1.0, score - 0.01 * shift)
    return made


def simcc(places: np.ndarray) -> list[np.ndarray]:
    """SimCC's two outputs with joints planted at places of the 288×384 picture."""
    across, down = np.zeros((1, POINTS, WIDE * 2)), np.zeros((1, POINTS, HIGH * 2))
    for i, (x, y) in enumerate(places):
        across[0, i, round(x * 2)], down[0, i, round(y * 2)] = 0.9, 0.8 + 0.01 * i
    return [across, down]


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, seen: np.ndarray,
              places: np.ndarray) -> None:  # fmt: skip
    fixed(folder / DETECTOR, (1, 3, SIDE, SIDE), [seen])
    fixed(folder / JOINTS, (1, 3, HIGH, WIDE), simcc(places))
    monkeypatch.setenv(SETTING, str(folder))


def test_a_planted_person_is_found_where_it_was_planted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = (200.0, 40.0, 296.0, 280.0)
    places = np.random.default_rng(0).integers(20, 250, (POINTS, 2)).astype(float)
    installed(tmp_path, monkeypatch, rows((box, 0.9, 3)), places)
    (found,) = extractor("pose", "dwpose").find(PAGE, Hints())
    assert found.value.shape == (1, COCO, 3)
    assert found.confidence == pytest.approx(0.9, abs=1e-6)
    # The box is 96×240: with room 120×300, and at three to four the height decides.
    scale = 240 * ROOM / HIGH
    corner = np.array([248 - WIDE * scale / 2, 160 - HIGH * scale / 2])
    assert found.value[0, :, :2] == pytest.approx(places[:COCO] * scale + corner, abs=1e-3)
    assert found.value[0, :, 2] == pytest.approx(np.minimum(0.9, 0.8 + 0.01 * np.arange(COCO)))


def test_boxes_are_in_pixels_of_the_picture_and_the_surest_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, right = (40.0, 20.0, 136.0, 260.0), (400.0, 20.0, 496.0, 260.0)
    middle = np.tile([[WIDE / 2, HIGH / 2]], (POINTS, 1))
    installed(tmp_path, monkeypatch, rows((left, 0.6, 2), (right, 0.8, 1)), middle)
    large = PAGE.repeat(3, axis=0).repeat(3, axis=1)
    (found,) = extractor("pose", "dwpose").find(large, Hints())
    assert found.value[:, 0, :2] == pytest.approx(np.array([(448, 140), (88, 140)]) * 3.0, abs=1e-2)
    assert found.confidence == pytest.approx(0.6, abs=1e-6)


def test_a_doubtful_person_is_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faint = rows(((200.0, 40.0, 296.0, 280.0), 0.2, 1))
    installed(tmp_path, monkeypatch, faint, np.zeros((POINTS, 2)))
    for size in ((64, 64), (1, 1), (9, 2000)):
        assert not extractor("pose", "dwpose").find(np.zeros((*size, 3), np.uint8), Hints())


def test_without_files_it_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SETTING, raising=False)
    with pytest.raises(Unavailable, match=r"DWPose is not here.*yolox_l.onnx.*OVERPAINT_DWPOSE"):
        extractor("pose", "dwpose").find(PAGE, Hints())
    monkeypatch.setenv(SETTING, str(tmp_path))
    (tmp_path / DETECTOR).touch()
    with pytest.raises(Unavailable, match=r"which has no dw-ll_ucoco_384.onnx\."):
        extractor("pose", "dwpose").find(PAGE, Hints())


@pytest.mark.parametrize("text", [b"", b"no model at all", b"\x08\x07\x12\x04" * 50])
def test_files_that_are_no_models_are_said_to_be_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: bytes
) -> None:
    for name in (DETECTOR, JOINTS):
        (tmp_path / name).write_bytes(text)
    monkeypatch.setenv(SETTING, str(tmp_path))
    with pytest.raises(Unavailable, match=r"is no ONNX model.*Download yolox_l.onnx again"):
        extractor("pose", "dwpose").find(PAGE, Hints())


@pytest.mark.parametrize("fault", ["rows", "columns", "points", "one output", "not finite", "size"])
def test_models_of_other_shapes_are_not_taken_for_dwpose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    seen, outputs = rows(((200.0, 40.0, 296.0, 280.0), 0.9, 1)), simcc(np.zeros((POINTS, 2)))
    if fault in ("rows", "columns"):
        seen = seen[:, :-1] if fault == "rows" else seen[:, :, :5]
    if fault == "not finite":
        seen[0, 7, 2] = np.inf
    if fault == "points":
        outputs = [output[:, :17] for output in outputs]
    installed(tmp_path, monkeypatch, seen, np.zeros((POINTS, 2)))
    entry = (1, 3, 256, 192) if fault == "size" else (1, 3, HIGH, WIDE)
    fixed(tmp_path / JOINTS, entry, outputs[: 1 if fault == "one output" else 2])
    with pytest.raises(Unavailable, match=r"not DWPose's.*133 points.*Put yolox_l.onnx"):
        extractor("pose", "dwpose").find(PAGE, Hints())
