"""ImageNet features: the network against torch, the checkpoint read without trust, likeness."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from conftest import picture
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from torch.nn import functional

from overpaint import weights
from overpaint.core import Evidence
from overpaint.document import Document
from overpaint.errors import Unavailable, Undecided
from overpaint.vision import features
from overpaint.vision.checkpoints import read_checkpoint


def chelsea() -> np.ndarray:
    from skimage import data

    return data.chelsea()


@pytest.fixture(scope="module")
def checkpoint() -> Path:
    """The real weights; tests that need them are skipped where they are absent."""
    try:
        return weights.find(features.NEEDS)
    except Unavailable as missing:
        pytest.skip(str(missing))


# ── the network ─────────────────────────────────────────────────────────────────────────


def by_torch(path: Path, given: np.ndarray) -> np.ndarray:
    """MobileNetV2 written once more, layer by layer, with torch reading and running it."""
    torch.set_num_threads(1)
    state = torch.load(path, weights_only=True)

    def unit(x: torch.Tensor, conv: str, norm: str, *, stride: int = 1, groups: int = 1) -> Any:
        kernel = state[f"{conv}.weight"]
        x = functional.conv2d(x, kernel, None, stride, kernel.shape[2] // 2, 1, groups)
        names = ("running_mean", "running_var", "weight", "bias")
        return functional.batch_norm(x, *(state[f"{norm}.{name}"] for name in names))

    x = functional.relu6(unit(torch.from_numpy(given), "features.0.0", "features.0.1", stride=2))
    strides = {2: 2, 4: 2, 7: 2, 14: 2}
    for n in range(1, 18):
        name, before, place = f"features.{n}.conv", x, 0
        if n > 1:
            x = functional.relu6(unit(x, f"{name}.0.0", f"{name}.0.1"))
            place = 1
        stride, groups = strides.get(n, 1), x.shape[1]
        part = f"{name}.{place}"
        x = functional.relu6(unit(x, f"{part}.0", f"{part}.1", stride=stride, groups=groups))
        x = unit(x, f"{name}.{place + 1}", f"{name}.{place + 2}")
        x = x + before if x.shape == before.shape else x
    x = functional.relu6(unit(x, "features.18.0", "features.18.1"))
    return x.mean((2, 3))[0].numpy()


def test_the_features_are_those_torch_finds_with_the_same_weights(checkpoint: Path) -> None:
    for pixels in (chelsea(), picture(3, 300, 200)):
        found = features.looked_at(pixels)
        assert found.shape == (1280,)
        expected = by_torch(checkpoint, features.prepared(pixels))
        assert abs(found - expected).max() < 1e-4


def test_a_picture_is_as_like_as_can_be_to_itself_and_more_to_its_mirror_image_than_to_another(
    checkpoint: Path,
) -> None:
    evidence = Evidence()
    cat, other = Document.of(chelsea()), Document.of(picture(1))
    mirrored = Document.of(np.ascontiguousarray(chelsea()[:, ::-1]))
    assert features.likeness(evidence, cat, cat) == pytest.approx(1.0)
    assert features.likeness(evidence, cat, mirrored) > 0.95
    assert 0 <= features.likeness(evidence, cat, other) < 0.7
    assert len(evidence.fresh) == 3  # each picture was looked at once, and kept
    again = Evidence(recall=evidence.fresh.get)
    assert features.likeness(again, cat, other) == features.likeness(evidence, cat, other)
    assert not again.fresh


def test_without_the_weights_it_is_unavailable_and_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path))
    features._network.cache_clear()
    page = Document.of(picture(1))
    with pytest.raises(Unavailable, match="overpaint get features"):
        features.likeness(Evidence(), page, page)


@given(st.lists(st.floats(-9, 9, width=32), min_size=3, max_size=3), st.floats(0.01, 90))
@settings(max_examples=30, deadline=None)
def test_a_cosine_does_not_go_by_length(numbers: list[float], times: float) -> None:
    one, two = np.array([*numbers, 1], np.float32), np.array([1, 2, 3, 4], np.float32)
    far = features.cosine(np.asarray(one * times, np.float32), two)
    assert -1.0000001 <= far <= 1
    assert far == pytest.approx(features.cosine(one, two), abs=1e-5)


def test_a_picture_without_features_is_undecided() -> None:
    with pytest.raises(Undecided, match="without any feature"):
        features.cosine(np.zeros(4, np.float32), np.ones(4, np.float32))


# ── preparing ───────────────────────────────────────────────────────────────────────────


def test_the_middle_of_256_pixels_is_seen_in_imagenets_colours() -> None:
    pixels = picture(2, 512, 768)
    small = np.asarray(Image.fromarray(pixels).resize((384, 256), Image.Resampling.BILINEAR))
    square = small[16:240, 80:304] / 255.0
    mean, spread = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
    expected = ((square - mean) / spread).transpose(2, 0, 1)[None]
    np.testing.assert_allclose(features.prepared(pixels), expected, atol=1e-5)


@pytest.mark.parametrize("size", [(1, 1), (1, 16000), (9000, 2), (64, 64), (224, 900)])
def test_any_picture_becomes_the_middle_square(size: tuple[int, int]) -> None:
    assert features.prepared(np.zeros((*size, 3), np.uint8)).shape == (1, 3, 224, 224)


# ── reading without trust ───────────────────────────────────────────────────────────────


def saved(path: Path, state: Any) -> Path:
    torch.save(state, path, _use_new_zipfile_serialization=False)
    return path


def test_a_checkpoint_is_read_as_torch_wrote_it(tmp_path: Path) -> None:
    whole = torch.arange(24, dtype=torch.float32)
    state = {"a": torch.randn(3, 4), "b": torch.tensor(7), "c": whole[4:16].reshape(2, 3, 2)}
    found = read_checkpoint(saved(tmp_path / "net.pth", state))
    assert list(found) == ["a", "b", "c"]
    for name, tensor in state.items():
        np.testing.assert_array_equal(found[name], tensor.numpy())


class Hostile:
    """Something that a free unpickler would run."""

    def __reduce__(self) -> Any:
        return eval, ("__import__('pathlib').Path('ran').touch()",)


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ({"a": Hostile()}, r"eval is not allowed"),
        ({"a": torch.ones(2, 3).T}, "does not lie row by row"),
        ({"a": torch.ones(2, dtype=torch.float64)}, r"torch\.DoubleStorage is not allowed"),
        ({"a": "text"}, "other things than arrays"),
        ([torch.ones(2)], "other things than arrays"),
    ],
)
def test_what_is_no_dictionary_of_arrays_is_refused_and_nothing_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: Any, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Unavailable, match=why):
        read_checkpoint(saved(tmp_path / "net.pth", state))
    assert not (tmp_path / "ran").exists()


def test_a_file_cut_short_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "net.pth", {"a": torch.ones(100)})
    whole = path.read_bytes()
    for cut in (0, 3, 40, len(whole) // 2, len(whole) - 401, len(whole) - 1):
        path.write_bytes(whole[:cut])
        with pytest.raises(Unavailable, match="cannot be read as a torch checkpoint"):
            read_checkpoint(path)
    path.write_bytes(b"".join(pickle.dumps(thing) for thing in (1, 2, {}, {}, [])))
    with pytest.raises(Unavailable, match="does not begin as such a file does"):
        read_checkpoint(path)
