"""Grain: noise, blur and compression are measured, and new words are made as rough as the rest."""

import numpy as np
import pytest
from lifted_cases import Case, flat, gradient, jpeg, put, rough, scanned

from overpaint.editors.typeset.grain import NONE, Grain, apply, edge_blur, mixing, softness
from overpaint.editors.typeset.jpeg import CHROMA, LUMA, Jpeg, compress, detect, steps
from overpaint.editors.typeset.unmix import colour_under, lift
from overpaint.measures.pixel import ssim


def page(paper: tuple[int, int, int] = (247, 243, 233)) -> Case:
    return put(flat(paper, (460, 160)), "Meeting on Friday", size=28, at=(30, 90))


# ── compression ─────────────────────────────────────────────────────────────────────────


def test_tables_of_steps_are_those_of_the_library_that_writes_files() -> None:
    import io

    from PIL import Image

    for quality in (10, 35, 50, 75, 92):
        data = io.BytesIO()
        Image.new("RGB", (16, 16)).save(data, "JPEG", quality=quality)
        written = Image.open(data).quantization  # type: ignore[attr-defined]
        assert sorted(written[0]) == sorted(steps(LUMA, quality).ravel().tolist())
        assert sorted(written[1]) == sorted(steps(CHROMA, quality).ravel().tolist())


@pytest.mark.parametrize("quality", [40, 60, 75, 90, 95])
@pytest.mark.parametrize("ground", ["paper", "white", "photograph", "scan"])
def test_the_quality_of_a_compressed_picture_is_found(quality: int, ground: str) -> None:
    picture = {
        "paper": lambda: page().picture, "white": lambda: page((255, 255, 255)).picture,
        "photograph": lambda: rough(2, fall=1.2),
        "scan": lambda: scanned(page().picture, 1, quality=0),
    }[ground]()  # fmt: skip
    found = detect(jpeg(picture, quality))
    assert found
    assert abs(found.quality - quality) <= 1
    assert (found.left, found.top) == (0, 0)


def test_a_cut_out_picture_shows_where_its_grid_lies_and_whether_colours_are_halved() -> None:
    for halved in (True, False):
        found = detect(jpeg(rough(2, fall=1.2), 70, halved=halved)[3:, 5:])
        assert found == Jpeg(70, 3, 5, halved)


def test_pictures_that_were_never_compressed_show_nothing() -> None:
    for seed in range(3):
        pictures = (
            page().picture,
            rough(seed),
            gradient(),
            scanned(page().picture, seed, quality=0),
        )
        assert [detect(picture) for picture in pictures] == [None] * 4


def test_compressing_again_changes_hardly_anything() -> None:
    once = jpeg(rough(2), 70)
    again = compress(once, Jpeg(70))
    assert np.abs(again.astype(int) - once).mean() < 0.6


def test_clean_words_on_a_compressed_photograph_have_no_grain() -> None:
    case = put(jpeg(rough(2), 70), "Summer sale", size=30, colour=(255, 255, 255), bold=True)
    assert lift(case.picture, case.box).noise.nothing


# ── noise and blur ──────────────────────────────────────────────────────────────────────


def test_noise_is_measured_as_strong_as_it_is() -> None:
    rng = np.random.default_rng(1)
    mix = np.array([[3.0, 0, 0], [2.0, 1.0, 0], [1.0, 0.5, 2.0]])
    found = np.array(mixing((rng.standard_normal((20000, 3)) @ mix.T).astype(np.float32)))
    assert found @ found.T == pytest.approx(mix @ mix.T, rel=0.1)
    assert mixing(rng.uniform(-0.5, 0.5, (500, 3)).astype(np.float32)) == NONE


@pytest.mark.parametrize("sigma", [0.0, 0.6, 1.0, 1.6])
def test_the_softness_of_noise_is_found(sigma: float) -> None:
    import cv2

    noise = np.random.default_rng(1).standard_normal((200, 200, 3)).astype(np.float32)
    if sigma:
        noise = cv2.GaussianBlur(noise, (0, 0), sigma)
    quiet = np.ones(noise.shape[:2], np.bool_)
    assert softness(noise, quiet) == pytest.approx(sigma, abs=0.15)


@pytest.mark.parametrize("sigma", [0.0, 0.6, 0.8, 1.0, 1.3])
def test_the_blur_of_letters_is_found(sigma: float) -> None:
    import cv2

    cover = put(flat(), "Meeting on Friday", size=30).cover.astype(np.float32) / 255
    if sigma:
        cover = cv2.GaussianBlur(cover, (0, 0), sigma)
    assert edge_blur(cover) == pytest.approx(sigma, abs=0.15)


def test_clean_pages_have_no_grain_at_all() -> None:
    for ground in (flat(), flat((30, 40, 60)), gradient()):
        case = put(
            ground, "Meeting on Friday", colour=(250, 250, 250) if ground.mean() < 99 else (0,) * 3
        )
        found = lift(case.picture, case.box).noise
        assert found.nothing
        new = case.picture.copy()
        assert apply(new, case.cover > 0, found) is new


# ── making new words rough ──────────────────────────────────────────────────────────────


def test_only_the_mask_changes_and_the_same_picture_gets_the_same_noise() -> None:
    case = page()
    mask = np.zeros(case.picture.shape[:2], np.bool_)
    mask[60:100, 25:200] = True
    grain = Grain(ink=((2.0, 0, 0), (0, 2.0, 0), (0, 0, 2.0)), soft=0.7, jpeg=Jpeg(70, 3, 5))
    one, two = (apply(case.picture, mask, grain) for _ in range(2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, case.picture)
    assert np.array_equal(one[~mask], case.picture[~mask])
    assert apply(case.picture, mask & False, grain) is case.picture


def test_ground_that_has_its_own_noise_gets_no_more() -> None:
    picture, mask = flat((200, 200, 200)), np.ones((130, 420), np.bool_)
    cover = np.zeros(mask.shape, np.float32)
    cover[:, :210] = 1
    grain = Grain(ink=((3.0, 0, 0), (0, 3.0, 0), (0, 0, 3.0)))
    new = apply(picture, mask, grain, cover=cover).astype(float)
    assert new[:, :210].std() == pytest.approx(3, abs=0.3)
    assert (new[:, 210:] == 200).all()


def worn(case: Case, seed: int) -> np.ndarray:
    return scanned(case.picture, seed, blur=0.6, quality=70)


def test_new_words_on_a_worn_page_are_as_like_as_the_page_worn_twice() -> None:
    import cv2

    old = page()
    new = put(old.ground, "Sunday's meeting", size=28, at=(30, 90))
    source, target, again = worn(old, 1), worn(new, 1), worn(new, 2)
    lifted = lift(source, old.box)
    high, wide = lifted.cover.shape
    window = np.s_[lifted.top : lifted.top + high, lifted.left : lifted.left + wide]
    before, after = (
        cv2.GaussianBlur(case.cover.astype(np.float32) / 255, (0, 0), 0.6) for case in (old, new)
    )
    colour = np.array(colour_under(source[window], lifted, before[window])[:3])
    drawn = source.copy()
    drawn[window] = lifted.ground
    drawn = np.rint(drawn * (1 - after[..., None]) + colour * after[..., None]).astype(np.uint8)
    touched = np.zeros(drawn.shape[:2], np.bool_)
    touched[60:102, 26 : max(old.box[2], new.box[2]) + 2] = True
    drawn = np.where(touched[..., None], drawn, source)
    made = apply(drawn, touched, lifted.noise, cover=after)
    assert np.array_equal(made[~touched], source[~touched])
    likeness = ssim(made, target, touched)
    assert likeness >= 0.97 * ssim(again, target, touched)
    assert likeness > ssim(drawn, target, touched)  # what the grain is for
