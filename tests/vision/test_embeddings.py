"""CLIP similarity with the user's encoder: a real adapter, a tiny encoder made on the spot."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from conftest import picture
from onnx import TensorProto, helper, numpy_helper

from overpaint.core import Evidence
from overpaint.document import Document
from overpaint.errors import OverpaintError, Unavailable
from overpaint.vision import clip
from overpaint.vision.clip import picture_likeness as likeness
from overpaint.vision.embeddings import MEAN, SETTING, SPREAD, Look, onnx_encoder, prepared


@pytest.fixture(autouse=True)
def _no_other_clip(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (SETTING, clip.OPEN_CLIP, clip.OWN.setting):
        monkeypatch.delenv(name, raising=False)


def encoder(path: Path, side: int = 8) -> Path:
    """An encoder that averages each colour and adds one fixed direction."""
    rng = np.random.default_rng(0)
    weights = numpy_helper.from_array(rng.normal(size=(3, 5)).astype(np.float32), "w")
    nodes = [
        helper.make_node("ReduceMean", ["x"], ["m"], axes=[2, 3], keepdims=0),
        helper.make_node("MatMul", ["m", "w"], ["y"]),
    ]
    entry = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, side, side])
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 5])
    graph = helper.make_graph(nodes, "tiny", [entry], [out], [weights])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, path)
    return path


def test_a_picture_is_as_like_as_can_be_to_itself_and_less_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, str(encoder(tmp_path / "clip.onnx")))
    page, other = Document.of(picture(1)), Document.of(255 - picture(2))
    evidence = Evidence()
    assert likeness(evidence, page, page) == pytest.approx(1.0)
    assert -1 <= likeness(evidence, page, other) < 0.999
    assert len(evidence.fresh) == 2  # each picture was embedded once, and kept


def test_the_cosine_is_of_the_colours_as_clip_sees_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, str(encoder(tmp_path / "clip.onnx")))
    flat = [np.full((9, 13, 3), colour, np.uint8) for colour in ((250, 10, 30), (20, 200, 90))]
    weights = np.random.default_rng(0).normal(size=(3, 5)).astype(np.float32)
    one, two = ((f[0, 0] / 255 - MEAN) / SPREAD @ weights for f in flat)
    cosine = one @ two / np.linalg.norm(one) / np.linalg.norm(two)
    assert likeness(Evidence(), *map(Document.of, flat)) == pytest.approx(cosine, abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1, 1), (1, 500), (700, 3), (224, 224)])
def test_any_picture_becomes_the_middle_square(size: tuple[int, int]) -> None:
    assert prepared(np.zeros((*size, 3), np.uint8), Look(224)).shape == (1, 3, 224, 224)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(300, 200), (201, 333), (64, 64), (40, 31), (500, 90)])
@pytest.mark.parametrize("side", [32, 224])
def test_a_picture_is_prepared_as_clips_own_processor_prepares_it(
    size: tuple[int, int], side: int
) -> None:
    transformers = pytest.importorskip("transformers")
    its = transformers.CLIPImageProcessorPil(
        size={"shortest_edge": side}, crop_size={"height": side, "width": side}
    )
    pixels = np.random.default_rng(1).integers(0, 256, (*size, 3), dtype=np.uint8)
    expected = np.asarray(its(images=pixels, return_tensors="np")["pixel_values"])
    assert np.abs(prepared(pixels, Look(side)) - expected).max() < 1e-5


def test_a_very_long_picture_is_seen_in_its_middle() -> None:
    pixels = np.zeros((1, 100_000, 3), np.uint8)
    pixels[:, 49_990:50_010] = 255
    seen = prepared(pixels, Look(32))
    assert np.allclose(seen[0, :, 16, 16] * SPREAD + MEAN, 1, atol=1e-5)


def test_without_an_encoder_it_is_unavailable_and_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Document.of(picture(1))
    with pytest.raises(Unavailable, match="No CLIP encoder is here.*optimum-cli export"):
        onnx_encoder()
    monkeypatch.setenv(SETTING, "/nowhere/clip.onnx")
    with pytest.raises(Unavailable, match="names /nowhere/clip.onnx, which is no file.*optimum-cl"):
        likeness(Evidence(), page, page)
    (tmp_path / "not.onnx").write_bytes(b"not a model")
    monkeypatch.setenv(SETTING, str(tmp_path / "not.onnx"))
    with pytest.raises(Unavailable, match="is no ONNX model"):
        likeness(Evidence(), page, page)


def test_an_encoder_that_gives_no_vector_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, page = encoder(tmp_path / "clip.onnx"), Document.of(picture(1))
    monkeypatch.setenv(SETTING, str(path))
    model = onnx.load(path)
    weights = np.zeros((3, 5), np.float32)
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(weights, "w"))
    onnx.save(model, path)
    with pytest.raises(OverpaintError, match="gives no vector. Its weights are bad."):
        likeness(Evidence(), page, page)
    with pytest.raises(Unavailable, match="reads no words.*hf download openai/clip-vit-base-pat"):
        clip.text_likeness(Evidence(), "a cat", page)
