"""NIQE against basicsr's, its halving against the bicubic kernel, and when it says nothing."""

import numpy as np
import pytest
from natural_pictures import (
    GOLDEN,
    PHOTOGRAPHS,
    blurred,
    noisy,
    photograph,
    recorded,
    weights_or_skip,
)

from overpaint import weights
from overpaint.errors import NotApplicable
from overpaint.measures import natural
from overpaint.measures.niqe import NEEDS, features, halved, niqe


@pytest.fixture
def here() -> None:
    weights_or_skip(*NEEDS)


# ── references ──────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", GOLDEN["niqe"])
def test_niqe_is_what_basicsr_gives(name):
    """To .005 of 2–13; they filter in single precision, which moves a shape to the next step."""
    assert niqe(recorded(name)) == pytest.approx(GOLDEN["niqe"][name], abs=5e-3)


@pytest.mark.usefixtures("here")
def test_the_window_is_the_one_that_the_pristine_photographs_were_seen_through():
    with np.load(weights.find("niqe"), allow_pickle=False) as arrays:
        window = arrays["gaussian_window"]
    steps = np.arange(natural.WINDOW) - natural.WINDOW // 2
    ours = np.exp(-(steps**2) / (2 * natural.SIGMA**2))
    assert np.outer(ours, ours) / ours.sum() ** 2 == pytest.approx(window, abs=1e-12)


def test_halving_is_bicubic_interpolation_stretched_against_aliasing():
    """Keys' kernel at twice its width, with mirrored borders, written out sum by sum."""

    def keys(x: float) -> float:
        x = abs(x)
        if x <= 1:
            return 1.5 * x**3 - 2.5 * x**2 + 1
        return -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2 if x < 2 else 0.0

    line = np.random.default_rng(3).uniform(0, 255, 24)
    mirrored = np.concatenate([line[::-1], line, line[::-1]])
    wanted = [
        sum(keys((2 * i + 0.5 - j) / 2) / 2 * mirrored[24 + j] for j in range(2 * i - 8, 2 * i + 9))
        for i in range(12)
    ]
    found = halved(np.tile(line, (24, 1)))
    assert found == pytest.approx(np.tile(wanted, (12, 1)), abs=1e-9)


@pytest.mark.parametrize("shape", [0.5, 1.0, 2.0, 4.0])
def test_a_fit_finds_the_distribution_that_values_were_drawn_from(shape):
    """Two halves of generalised Gaussians, weighted so that they meet: 200,000 values, to 2 %."""
    rng = np.random.default_rng(2)
    low, high = 1.0, 1.6
    size = rng.gamma(1 / shape, size=200_000) ** (1 / shape)
    left = rng.uniform(size=size.size) < low / (low + high)
    found, *deviations = natural.fit(np.where(left, -low * size, high * size))
    assert found == pytest.approx(shape, rel=0.02)
    assert np.array(deviations) * natural.width(shape) == pytest.approx([low, high], rel=0.02)


# ── laws ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("damage", "steps"), [(blurred, (1, 2, 4)), (noisy, (10, 20, 40))], ids=["blur", "noise"]
)
def test_on_average_photographs_get_worse_with_every_step_of_damage(damage, steps):
    some = [photograph(name)[:192, :288] for name in PHOTOGRAPHS]
    means = [np.mean([niqe(p) for p in some])]
    means += [np.mean([niqe(damage(p, step)) for p in some]) for step in steps]
    assert all(np.diff(means) > 0.5)


def test_what_is_beyond_the_last_whole_block_does_not_count():
    picture = photograph("coffee")[:250, :290].copy()
    before = features(picture)
    picture[192:, :], picture[:, 288:] = 0, 255
    assert np.array_equal(features(picture), before)


# ── when it says nothing ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("shape", [(95, 1000, 3), (191, 191, 3)])
def test_fewer_than_two_blocks_are_not_applicable(shape):
    with pytest.raises(
        NotApplicable, match=f"2 blocks of 96×96 pixels; this picture has {shape[1]}"
    ):
        features(np.zeros(shape, np.uint8))


def test_a_constant_picture_is_never_a_number():
    with pytest.raises(NotApplicable, match="differs from its surroundings"):
        features(np.full((200, 200, 3), 120, np.uint8))


@pytest.mark.usefixtures("here")
def test_flat_blocks_are_left_out_and_one_that_varies_is_not_enough():
    picture = np.full((192, 288, 3), 128, np.uint8)
    picture[:96, :192] = photograph("chelsea")[100:196, 100:292]
    assert np.isfinite(niqe(picture))
    picture[84:], picture[:, 84:] = 128, 128  # windows see beyond a block, so it ends before
    with pytest.raises(NotApplicable, match="at least 2 blocks that vary; 1 of 6 do"):
        niqe(picture)
