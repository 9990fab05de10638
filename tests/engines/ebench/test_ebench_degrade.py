"""Degradations and damage: graded, repeatable, and nothing at strength 0."""

import numpy as np
import pytest

from overpaint.engines.ebench import degrade, graded
from overpaint.engines.ebench.sources import Field, Rgb, structure
from overpaint.engines.ebench.tasks import LOW


@pytest.fixture(scope="module")
def picture() -> tuple[Rgb, Field]:
    """A picture with edges and surfaces, the farther the higher."""
    chance = np.random.default_rng(5)
    y, x = np.mgrid[0:96, 0:128]
    bars = ((x // 16 + y // 12) % 2)[..., None] * np.array((0.5, 0.4, 0.3)) + 0.25
    pixels = bars * (1 + 0.05 * structure((96, 128), chance))[..., None]
    near = np.broadcast_to(np.linspace(0, 1, 96)[:, None], (96, 128))
    return np.clip(pixels, 0, 1).astype(np.float32), near.astype(np.float32)


def _error(a: Rgb, b: Rgb) -> float:
    return float(np.square(a - b).mean())


@pytest.mark.parametrize("task", LOW)
def test_more_strength_is_farther_from_the_clean_picture(
    task: str, picture: tuple[Rgb, Field]
) -> None:
    clean, near = picture
    made = [
        degrade.degraded(task, clean, near, strength=share, seed="one")
        for share in (0.0, *degrade.LEVELS.values())
    ]
    errors = [_error(one, clean) for one in made]
    assert errors[0] == 0
    assert errors == sorted(errors)
    assert errors[1] > 1e-5
    assert all(one.dtype == np.float32 and 0 <= one.min() <= one.max() <= 1 for one in made)


@pytest.mark.parametrize("task", LOW)
def test_the_same_seed_gives_the_same_pixels(task: str, picture: tuple[Rgb, Field]) -> None:
    clean, near = picture
    first, again = (degrade.degraded(task, clean, near, strength=0.7, seed="one") for _ in range(2))
    assert np.array_equal(first, again)


def test_a_weaker_rain_is_a_part_of_the_stronger_one(picture: tuple[Rgb, Field]) -> None:
    clean, near = picture
    black = np.zeros_like(clean)
    light, heavy = (
        degrade.degraded("desnow", black, np.ones_like(near), strength=share, seed="one")
        for share in (0.4, 1.0)
    )
    flakes = light > 0.4
    assert flakes.any()
    assert (heavy[flakes] > 0.35).all()


def test_haze_is_what_the_far_has_more_of(picture: tuple[Rgb, Field]) -> None:
    clean, near = picture
    hazy = degrade.degraded("dehaze", np.zeros_like(clean), near, strength=1.0, seed="one")
    assert hazy[:16].mean() > hazy[-16:].mean() + 0.3


@pytest.mark.parametrize("kind", graded.DAMAGES)
def test_stronger_damage_is_farther_from_the_picture(kind: str, picture: tuple[Rgb, Field]) -> None:
    clean, _ = picture
    errors = [
        _error(graded.damaged(clean, graded.Made(1, share, kind), "one"), clean)
        for share in (0.0, 0.15, 0.5, 1.0)
    ]
    assert errors[0] == 0
    assert errors == sorted(errors)
    assert errors[2] > errors[1] > 0
