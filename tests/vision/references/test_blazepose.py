"""Poses by BlazePose's own networks: drawn people, a photograph, MediaPipe's word, and nobody."""

import sys
from pathlib import Path

import numpy as np
import pytest

from overpaint import weights
from overpaint.document import Pixels
from overpaint.engines.scenes.people import Figure, person
from overpaint.errors import Unavailable
from overpaint.vision.references import Hints, blazepose_nets, extractor
from overpaint.vision.references.blazepose import COCO, people
from overpaint.vision.references.blazepose_nets import DETECTOR, Square, body_in, spotted

# COCO's spread of annotators for each joint, twice of which is how OKS forgives.
SPREAD = np.array([26, 25, 25, 35, 35, 79, 79, 72, 72, 62, 62, 107, 107, 87, 87, 89, 89]) / 1000
# What mediapipe 0.10.21 itself says (Pose, static, complexity 1), in COCO's order.
ASTRONAUT = ((222.7, 128.0), (248.9, 112.5), (205.0, 103.3), (268.0, 122.8), (190.4, 107.4),
             (306.2, 256.6), (112.7, 240.0))  # fmt: skip
MAN = (
    (107.1, 57.0), (111.7, 51.6), (100.0, 52.3), (116.1, 55.1), (93.4, 56.3), (136.1, 92.3),
    (74.0, 90.8), (177.2, 121.9), (37.7, 125.3), (137.5, 152.3), (72.6, 156.2), (124.4, 185.5),
    (88.4, 185.1), (128.2, 253.9), (84.4, 253.3), (133.4, 321.2), (81.4, 322.1),
)  # fmt: skip


@pytest.fixture(scope="module")
def here() -> None:
    """Skip where the networks or their runtime are not on this machine."""
    pytest.importorskip("ai_edge_litert", reason="pip install 'overpaint[pose]'")
    try:
        weights.find(DETECTOR)
    except Unavailable as error:
        pytest.skip(str(error))


def put(ground: Pixels, figure: Figure, at: tuple[int, int]) -> np.ndarray:
    """Lay a figure down with its corner at x, y; its joints there."""
    drawn, (x, y) = figure.draw(), at
    part = ground[y : y + drawn.shape[0], x : x + drawn.shape[1]]
    share = drawn[:, :, 3:] / 255
    part[:] = (part * (1 - share) + drawn[:, :, :3] * share).astype(np.uint8)
    return figure.joints + np.array([x, y, 0])


def alone(seed: int, height: float = 300) -> tuple[Pixels, np.ndarray, float]:
    """Somebody on a plain ground, the joints, and the area of the body."""
    figure = person(np.random.default_rng(seed), height=height)
    high, wide = figure.draw().shape[:2]
    ground = np.full((high + 60, wide + 60, 3), (200, 205, 210), np.uint8)
    joints = put(ground, figure, (30, 30))
    return ground, joints, float((figure.draw()[:, :, 3] > 127).sum())


def oks(found: np.ndarray, true: np.ndarray, area: float) -> float:
    away = ((found[:, :2] - true[:, :2]) ** 2).sum(axis=1)
    return float(np.exp(-away / (2 * area * (2 * SPREAD) ** 2)).mean())


def first_look(pixels: Pixels) -> np.ndarray:
    """What MediaPipe does with one picture: the surest person, looked at once."""
    high, wide = pixels.shape[:2]
    whole = Square(wide / 2, high / 2, max(wide, high), 0.0)
    return body_in(pixels, spotted(pixels, whole)[0].square).points[list(COCO)]


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_drawn_people_are_found_where_they_were_drawn() -> None:
    for seed in (4, 5):
        pixels, joints, area = alone(seed)
        (found,) = extractor("pose").find(pixels, Hints())
        assert (found.kind, found.method, found.value.shape) == ("pose", "blazepose", (1, 17, 3))
        assert oks(found.value[0], joints, area) > 0.85
        assert 0.5 <= found.confidence <= 1
        assert found.value[0][:, 2].min() >= 0
        assert found.value[0][:, 2].max() <= 1


@pytest.mark.usefixtures("here")
def test_one_look_gives_what_mediapipe_gives() -> None:
    """Within 1 % of the square that is looked at (398 and 1256 pixels), most within 0.5 %."""
    from skimage import data

    man = np.hypot(*(first_look(alone(5)[0])[:, :2] - MAN).T)
    astronaut = np.hypot(*(first_look(data.astronaut())[:7, :2] - ASTRONAUT).T)
    for away, side in ((man, 398), (astronaut, 1256)):
        assert away.max() < 0.01 * side
        assert np.median(away) < 0.005 * side


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_two_people_are_two_and_the_order_is_that_of_sureness() -> None:
    ground = np.full((420, 760, 3), (188, 198, 190), np.uint8)
    true = [put(ground, person(np.random.default_rng(seed), height=300), (x, 70))
            for seed, x in ((5, 60), (11, 460))]  # fmt: skip
    found = people(ground)
    assert len(found) == 2
    assert found[0].score >= found[1].score
    for joints in true:
        assert max(oks(body.points[list(COCO)], joints, 15_000) for body in found) > 0.8


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("size", [(64, 64), (1, 1), (3, 700), (200, 180)])
def test_nobody_is_an_empty_list(size: tuple[int, int]) -> None:
    assert list(extractor("pose").find(np.full((*size, 3), 130, np.uint8), Hints())) == []


@pytest.mark.usefixtures("here")
def test_a_person_of_sixty_pixels_is_found() -> None:
    pixels, joints, area = alone(5, height=60)
    small = np.ascontiguousarray(pixels[28:-28, 10:74])
    found = people(small)
    assert len(found) == 1
    assert oks(found[0].points[list(COCO)] + (10, 28, 0), joints, area) > 0.8


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_a_huge_picture_gives_joints_in_its_own_pixels() -> None:
    pixels, joints, area = alone(5)
    times = 8000 // max(pixels.shape[:2])
    huge = pixels.repeat(times, axis=0).repeat(times, axis=1)
    huge = np.pad(huge, ((0, 8000 - huge.shape[0]), (0, 8000 - huge.shape[1]), (0, 0)), "edge")
    (found,) = people(huge)
    scaled = joints * (times, times, 1)
    assert oks(found.points[list(COCO)], scaled, area * times**2) > 0.8


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_nearly_all_drawn_people_are_found_at_all_sizes() -> None:
    scores = []
    for seed in range(20):
        pixels, joints, area = alone(seed, height=150 + 15 * seed)
        found = people(pixels)
        scores.append(max((oks(b.points[list(COCO)], joints, area) for b in found), default=0.0))
    assert np.mean(scores) > 0.88
    assert np.mean(np.array(scores) > 0.5) >= 0.95


def test_without_weights_it_says_what_gets_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path))
    blazepose_nets._network.cache_clear()
    with pytest.raises(Unavailable, match=r"BlazePose.*overpaint get pose"):
        extractor("pose").find(np.zeros((64, 64, 3), np.uint8), Hints())


@pytest.mark.usefixtures("here")
def test_without_the_runtime_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ai_edge_litert.interpreter", None)
    blazepose_nets._network.cache_clear()
    with pytest.raises(Unavailable, match=r"ai-edge-litert.*pip install 'overpaint\[pose\]'"):
        extractor("pose").find(np.zeros((64, 64, 3), np.uint8), Hints())


@pytest.mark.usefixtures("here")
def test_the_runtime_says_nothing_on_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    blazepose_nets._network.cache_clear()
    people(np.zeros((64, 64, 3), np.uint8))
    assert capfd.readouterr() == ("", "")
