"""LPIPS: the published pair, an independent torch forward, and what a mask must do."""

import hashlib
import io
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from overpaint import weights
from overpaint.errors import NotApplicable, Unavailable, UserMistake
from overpaint.measures import lpips_graph
from overpaint.measures.lpips_graph import read_arrays
from overpaint.measures.lpips_nets import NETS
from overpaint.measures.perceptual import lpips

BOTH = pytest.mark.parametrize("net", ["alex", "vgg"])

# Which rows a cell stands for, layer by layer: cell i has the pixels first + i * stride onwards.
BLOCKS = {
    "alex": [(1, 4), (3, 8), (7, 16), (7, 16), (7, 16)],
    "vgg": [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16)],
}


try:
    weights.find("lpips-alex"), weights.find("lpips-vgg")
except Unavailable as missing:
    pytest.skip(str(missing), allow_module_level=True)


def arrays(net: str) -> dict[str, np.ndarray]:
    with weights.find(f"lpips-{net}").open("rb") as file:
        return read_arrays(file)


def pair(height: int, width: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two pictures of one scene: smooth shapes, and the same with noise and a bright box."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width]
    shapes = [110 + 90 * np.sin(x / (4 + 5 * c) + y / 11) for c in range(3)]
    a = np.clip(np.stack(shapes, axis=2), 0, 255)
    b = a + rng.normal(0, 20, a.shape)
    b[height // 4 : height // 2, width // 3 : width // 2] = rng.uniform(0, 255, 3)
    return a.astype(np.uint8), np.clip(b, 0, 255).astype(np.uint8)


# ── an independent forward in torch ─────────────────────────────────────────────────────


def torch_maps(a: np.ndarray, b: np.ndarray, net: str) -> list[np.ndarray]:
    """Each layer's map, after the paper, written down once more with torch alone."""
    import torch
    import torch.nn.functional as F

    held = {k: torch.from_numpy(v) for k, v in arrays(net).items()}
    shift = torch.tensor([-0.030, -0.088, -0.188]).view(1, 3, 1, 1)
    scale = torch.tensor([0.458, 0.448, 0.450]).view(1, 3, 1, 1)
    rgb = torch.from_numpy(np.stack([a, b])).permute(0, 3, 1, 2)
    x = (rgb / 127.5 - 1 - shift) / scale

    def conv(x: Any, index: int, **how: int) -> Any:
        name = f"{'AlexNet_0' if net == 'alex' else 'VGG16_0'}/Conv_{index}"
        kernel = held[f"{name}/kernel"].permute(3, 2, 0, 1)
        return F.relu(F.conv2d(x, kernel, held[f"{name}/bias"], **how))

    taps = []
    if net == "alex":
        taps.append(conv(x, 0, stride=4, padding=2))
        taps.append(conv(F.max_pool2d(taps[0], 3, 2), 1, padding=2))
        taps.append(conv(F.max_pool2d(taps[1], 3, 2), 2, padding=1))
        taps.append(conv(taps[2], 3, padding=1))
        taps.append(conv(taps[3], 4, padding=1))
    else:
        index = 0
        for block in (2, 2, 3, 3, 3):
            x = F.max_pool2d(taps[-1], 2) if taps else x
            for _ in range(block):
                x, index = conv(x, index, padding=1), index + 1
            taps.append(x)
    maps = []
    for layer, features in enumerate(taps):
        unit = features / (features.norm(dim=1, keepdim=True) + 1e-10)
        head = held[f"NetLinLayer_{layer}/Conv_0/kernel"].permute(3, 2, 0, 1)
        maps.append(F.conv2d((unit[:1] - unit[1:]) ** 2, head)[0, 0].numpy())
    return maps


def by_torch(a: np.ndarray, b: np.ndarray, net: str) -> float:
    return float(sum(found.mean() for found in torch_maps(a, b, net)))


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("size", [(64, 64), (67, 93), (101, 38)])
def test_it_equals_an_independent_torch_forward_to_five_digits(
    net: str, size: tuple[int, int]
) -> None:
    a, b = pair(*size)
    assert lpips(a, b, net=net) == pytest.approx(by_torch(a, b, net), rel=1e-5)


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("turned", [False, True])
def test_a_small_change_far_off_scores_as_if_the_whole_picture_were_run(
    net: str, turned: bool
) -> None:
    a, _ = pair(46, 437)
    b = a.copy()
    b[12:21, 402:411] = 255 - b[12:21, 402:411]
    if turned:
        a, b = a.transpose(1, 0, 2), b.transpose(1, 0, 2)
    assert lpips(a, b, net=net) == pytest.approx(by_torch(a, b, net), rel=1e-5)


@BOTH
def test_the_smallest_pictures_it_takes_are_scored_right(net: str) -> None:
    side = NETS[net].least_side
    assert side == {"alex": 31, "vgg": 16}[net]
    a, b = pair(side, side)
    assert lpips(a, b, net=net) == pytest.approx(by_torch(a, b, net), rel=1e-5)


# ── published values ────────────────────────────────────────────────────────────────────

PUBLISHED = {"ex_p0": 0.722, "ex_p1": 0.138}  # test_network.py of the LPIPS repository, AlexNet
PICTURES = {
    "ex_ref": "57aff3a0aeb6ebea151411f35b4487ea130aedcac6addd91c8c015969f9df097",
    "ex_p0": "f44901a99c82755cfe78cdbde66579ae06cd0ebbba4a2539aa35ef96bbe703db",
    "ex_p1": "6ada2a42a3378bfa408027ba2d54a827c6f2cec30a0506e4f140fddaca661022",
}


def test_the_reference_pair_has_its_published_values(fixtures: Path) -> None:
    pixels = {}
    for name, digest in PICTURES.items():
        path = fixtures / "lpips" / f"{name}.png"
        if not path.is_file():
            pytest.skip(f"{path} is not there; it is imgs/{name}.png of the LPIPS repository")
        assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
        pixels[name] = np.asarray(Image.open(path).convert("RGB"))
    for name, value in PUBLISHED.items():
        assert round(lpips(pixels["ex_ref"], pixels[name]), 3) == value


@BOTH
def test_the_heads_are_those_that_torchmetrics_ships(net: str) -> None:
    import torch
    import torchmetrics.functional.image as home

    path = Path(home.__file__).parent / f"lpips_models/{net}.pth"
    theirs = torch.load(path, weights_only=True, map_location="cpu")
    for layer in range(5):
        ours = arrays(net)[f"NetLinLayer_{layer}/Conv_0/kernel"].ravel()
        assert np.array_equal(ours, theirs[f"lin{layer}.model.1.weight"].numpy().ravel())


@pytest.mark.slow
def test_noise_scores_what_torchmetrics_documents_for_vgg() -> None:
    """torchmetrics 0.11 prints .3493 for ten pairs of uniform noise of 100×100 pixels.

    Its pictures depend on how its network was set up, so ours are others of the same kind; one
    pair varies by .011 (measured), the difference of two means of ten by .005.
    """
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 256, (10, 2, 100, 100, 3), np.uint8)
    assert np.mean([lpips(a, b, net="vgg") for a, b in noise]) == pytest.approx(0.3493, abs=0.015)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@BOTH
def test_a_picture_with_itself_is_exactly_zero(net: str) -> None:
    a, _ = pair(40, 50)
    assert lpips(a, a.copy(), net=net) == 0.0


@BOTH
def test_the_order_of_the_pictures_does_not_matter(net: str) -> None:
    a, b = pair(45, 61)
    assert lpips(a, b, net=net) == lpips(b, a, net=net)


def test_more_damage_scores_worse() -> None:
    a, _ = pair(96, 96)
    noise = np.random.default_rng(1).normal(0, 1, a.shape)
    scores = [
        lpips(a, np.clip(a + s * noise, 0, 255).astype(np.uint8)) for s in (0, 2, 5, 12, 30, 70)
    ]
    assert scores == sorted(scores)
    assert scores[0] == 0.0
    assert scores[-1] > 0.3


@BOTH
def test_a_mask_of_true_everywhere_changes_nothing(net: str) -> None:
    a, b = pair(53, 70)
    assert lpips(a, b, np.ones(a.shape[:2], bool), net=net) == lpips(a, b, net=net)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), net=st.sampled_from(["alex", "alex", "vgg"]))
def test_pixels_that_do_not_count_change_no_score_to_the_last_bit(seed: int, net: str) -> None:
    rng = np.random.default_rng(seed)
    a, b = pair(72, 64, seed)
    mask = np.ones(a.shape[:2], bool)
    top, left = rng.integers(0, 60), rng.integers(0, 50)
    mask[top : top + rng.integers(1, 20), left : left + rng.integers(1, 20)] = False
    try:
        before = lpips(a, b, mask, net=net)
    except NotApplicable:
        return
    c, d = a.copy(), b.copy()
    for picture in (c, d):
        picture[~mask] = rng.integers(0, 256, (int((~mask).sum()), 3))
    assert lpips(c, d, mask, net=net) == before


@BOTH
def test_under_a_mask_each_layer_is_averaged_over_the_cells_wholly_inside(net: str) -> None:
    a, b = pair(97, 110)
    mask = np.ones(a.shape[:2], bool)
    mask[20:41, 33:60] = False
    mask[90, 100] = False
    expected = 0.0
    painted = [np.where(mask[:, :, None], x, np.uint8([124, 116, 104])) for x in (a, b)]
    for found, (first, stride) in zip(torch_maps(*painted, net), BLOCKS[net], strict=True):
        inside = [
            value
            for (i, j), value in np.ndenumerate(found)
            if mask[
                first + i * stride : first + (i + 1) * stride,
                first + j * stride : first + (j + 1) * stride,
            ].all()
        ]
        assert 0 < len(inside) < found.size
        expected += float(np.mean(inside))
    assert lpips(a, b, mask, net=net) == pytest.approx(expected, rel=1e-5)


def test_a_region_that_differs_only_outside_the_mask_is_equal() -> None:
    a, _ = pair(80, 80)
    b, mask = a.copy(), np.ones((80, 80), bool)
    b[10:40, 10:40], mask[8:42, 8:42] = 0, False
    assert lpips(a, b, mask) == 0.0
    assert lpips(a, b) > 0.05


@BOTH
def test_every_cells_own_pixels_lie_in_the_middle_of_what_it_sees(net: str) -> None:
    for side in (31, 64, 100, 1023):
        for cells in NETS[net].cells(side):
            middle = cells.begins + (cells.sees - 1) / 2
            assert abs(cells.first + (cells.stride - 1) / 2 - middle) <= 0.5
            assert cells.first >= 0
            assert cells.first + cells.count * cells.stride <= side


@pytest.mark.slow
@BOTH
def test_cutting_a_picture_into_strips_changes_no_score(
    net: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = pair(203, 90)
    whole = lpips(a, b, net=net)
    stages = lpips_graph.network(net, weights.find(f"lpips-{net}"), 1).stages
    monkeypatch.setattr(lpips_graph, "STRIP", 1 << 16)
    assert len(stages[0]._cut(203, 90)) > 2
    assert lpips(a, b, net=net) == pytest.approx(whole, rel=1e-7)


# ── when there is no number ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("net", "side"), [("alex", 30), ("vgg", 15), ("alex", 1)])
def test_a_picture_too_small_for_the_network_is_not_applicable(net: str, side: int) -> None:
    a = np.zeros((200, side, 3), np.uint8)
    with pytest.raises(NotApplicable, match=rf"at least .* this picture has {side}×200"):
        lpips(a, a, net=net)


@BOTH
def test_a_mask_that_leaves_no_whole_cell_is_not_applicable(net: str) -> None:
    a, b = pair(64, 64)
    mask = np.zeros((64, 64), bool)
    mask[::2] = True
    with pytest.raises(NotApplicable, match="Of 2048 pixels that count.*16 pixels a side"):
        lpips(a, b, mask, net=net)


def test_squeezenet_is_unavailable_because_nothing_carries_its_weights() -> None:
    a, b = pair(64, 64)
    with pytest.raises(Unavailable, match="no package carries its weights"):
        lpips(a, b, net="squeeze")


def test_missing_weights_are_unavailable_and_name_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = pair(64, 64)
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path))
    for other in (a, b):  # equal pictures too: a number must not depend on luck
        with pytest.raises(Unavailable) as caught:
            lpips(a, other, net="vgg")
        assert caught.value.todo == "Get it with: overpaint get lpips"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda a: lpips(a, a, net="resnet"), "'resnet'"),
        (lambda a: lpips(a, a[:-1]), r"\(64, 64, 3\) and \(63, 64, 3\)"),
        (lambda a: lpips(a[:, :, 0], a[:, :, 0]), "H×W×3"),
        (lambda a: lpips(a / 255, a / 255), "float64"),
        (lambda a: lpips(a, a, np.ones((64, 63), bool)), r"\(64, 63\)"),
        (lambda a: lpips(a, a, np.ones((64, 64), np.uint8)), "array of bool"),
    ],
)
def test_a_wrong_call_says_what_would_be_right(call: Any, words: str) -> None:
    with pytest.raises(UserMistake, match=words):
        call(pair(64, 64)[0])


# ── reading weights without trust ───────────────────────────────────────────────────────


class Evil:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, ("exit 1",)


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (Evil(), "system is not allowed"),
        ({"a": {"b": np.zeros(3)}}, "'f8' is not allowed"),
        ({"a": np.array([Evil()], dtype=object)}, "not allowed"),
        ({"a": {"b": 3}}, "a/b is no array but int"),
        ({"a": Path("x")}, "not allowed"),
    ],
)
def test_a_file_of_weights_that_holds_more_than_arrays_is_refused(thing: Any, words: str) -> None:
    with pytest.raises(pickle.UnpicklingError, match=words):
        read_arrays(io.BytesIO(pickle.dumps(thing, protocol=3)))


@pytest.mark.parametrize("protocol", [3, 4])
def test_arrays_are_read_back_as_they_were(protocol: int) -> None:
    value = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    data = pickle.dumps({"Net": {"Conv_0": {"kernel": value}}}, protocol=protocol)
    found = read_arrays(io.BytesIO(data))
    assert list(found) == ["Net/Conv_0/kernel"]
    assert np.array_equal(found["Net/Conv_0/kernel"], value)
    assert np.dtype("float32").isbuiltin == 1  # reading left numpy's own type alone


def test_nothing_heavy_is_imported_before_the_first_call() -> None:
    heavy = "onnx onnxruntime torch cv2 numba"
    code = "import sys, overpaint.measures.perceptual as p"
    code += f"; print(set('{heavy}'.split()) & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "set()"
