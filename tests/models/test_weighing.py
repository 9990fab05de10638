"""What a model holds in memory, told by the headers of its files."""

import json
import struct
from pathlib import Path

import pytest

from overpaint import catalog
from overpaint.editors.diffusers_pipeline import Diffusers
from overpaint.measures import learned
from overpaint.measures.learned import Package
from overpaint.models.weighing import gigabytes, parameters


def weights(path: Path, *shapes: list[int]) -> None:
    """A file of safetensors without its tensors: its header is all that is read."""
    told = {f"layer.{n}": {"dtype": "BF16", "shape": shape} for n, shape in enumerate(shapes)}
    head = json.dumps({"__metadata__": {"format": "pt"}, **told}).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(head)) + head)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A pipeline of four milliard parameters, in two parts."""
    weights(tmp_path / "transformer" / "one.safetensors", [40000, 50000], [1000, 1000000])
    weights(tmp_path / "vae" / "two.safetensors", [10**9])
    return tmp_path


def test_parameters_are_counted_without_loading_any(model: Path) -> None:
    assert parameters(model / "transformer" / "one.safetensors") == 3 * 10**9
    assert gigabytes(str(model), "bfloat16") == round(1.1 * 8e9 / 2**30 + 1, 1)
    assert gigabytes(str(model), "float32") == round(1.1 * 16e9 / 2**30 + 1, 1)


@pytest.mark.parametrize(
    "data",
    [b"", b"1234567", struct.pack("<Q", 2**40), struct.pack("<Q", 2) + b"[]",
     struct.pack("<Q", 12) + b'{"a":"shape"', struct.pack("<Q", 9) + b'{"a": {}}',
     struct.pack("<Q", 40000) + b"[" * 40000],
)  # fmt: skip
def test_a_file_that_is_none_weighs_nothing(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.safetensors").write_bytes(data)
    assert parameters(tmp_path / "a.safetensors") == 0
    assert gigabytes(str(tmp_path), "float32") == 0.0


def test_a_model_that_is_not_here_weighs_nothing_and_no_network_is_asked() -> None:
    assert gigabytes("nobody/no-such-model", "float32") == 0.0


def test_pipelines_of_diffusers_need_a_gpu_and_what_they_weigh(model: Path) -> None:
    there = Diffusers(f"{model}")
    assert (there.gpus, there.gigabytes) == (1.0, gigabytes(str(model), "bfloat16"))
    here = Diffusers(f"{model};device=cpu")
    assert (here.gpus, here.gigabytes) == (0.0, gigabytes(str(model), "float32"))
    assert Diffusers(f"{model};dtype=float32").gigabytes == gigabytes(str(model), "float32")
    turns = catalog.editor(f"turns:diffusers:{model}")
    assert (turns.gpus, turns.gigabytes) == (there.gpus, there.gigabytes)
    assert getattr(catalog.editor("identity"), "gpus", 0.0) == 0.0


def test_evaluators_that_are_vision_language_models_need_a_gpu(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = {"vlm": {"base": str(model), "dtype": "bfloat16"}, "about": "taught here"}
    package = Package(model, "mine", "vlm", {"quality": (0.0, 100.0)}, facts, "0" * 64)
    monkeypatch.setattr(learned, "read_package", lambda folder: package)
    column = learned.learned(str(model))
    assert (column.gpus, column.gigabytes) == (1.0, gigabytes(str(model), "bfloat16"))


def test_measures_that_weigh_our_own_need_none() -> None:
    fusion = learned.learned("")
    assert (fusion.gpus, fusion.gigabytes) == (0.0, 0.0)
