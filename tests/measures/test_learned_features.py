"""Features of a fusion: signs of harm, how far an edit went, and that nothing else enters."""

from dataclasses import replace

import numpy as np
import pytest

from overpaint.core import Edit, Evidence, Request, Sample
from overpaint.document import Document, Pixels
from overpaint.engines.ebench.degrade import degraded
from overpaint.engines.ebench.graded import DAMAGES, Made, damaged
from overpaint.engines.ebench.sources import SETS, Rgb, as_bytes, source
from overpaint.errors import Unavailable
from overpaint.measures.learned import features as found
from overpaint.measures.learned.features import features
from overpaint.measures.learned.fusion_harm import blocks, middle
from overpaint.measures.learned.fusion_progress import REQUESTS, requests

KNOWN_BY = {"jpeg": "grid", "cast": "cast", "blur": "blur", "noise": "grain", "warp": "bent",
            "smear": "lost"}  # fmt: skip


@pytest.fixture(scope="module")
def clean() -> Rgb:
    return source(SETS[0]).pixels


def seen(before: Pixels, after: Pixels, words: str = "Remove the ball.") -> dict[str, float | None]:
    edit = Edit(Sample("", Request(Document.of(before), words)), "", "ok", Document.of(after))
    return features(edit, Evidence(), ())


def test_the_source_itself_is_not_harmed_and_went_nowhere(clean: Rgb) -> None:
    pixels = as_bytes(clean)
    told = seen(pixels, pixels)
    assert told["worst0"] == 0
    assert told["progress"] == pytest.approx(0, abs=1e-3)
    assert seen(pixels, pixels, "Take the noise out.")["progress"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", DAMAGES)
def test_each_damage_shows_in_its_sign_and_more_of_it_more(clean: Rgb, kind: str) -> None:
    before = as_bytes(clean)
    told = [seen(before, as_bytes(damaged(clean, Made(0, strength, kind), "x")))
            for strength in (0.2, 0.5, 0.9)]  # fmt: skip
    signs = [float(one[f"harm {KNOWN_BY[kind]}"] or 0) for one in told]
    assert signs[0] < signs[1] < signs[2] + 0.05
    assert signs[2] > max(0.2, signs[0])
    worst = [float(one["worst0"] or 0) for one in told]
    assert worst[0] < worst[1] < worst[2] + 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "words"),
    [("denoise", "Clean up the grain."), ("dehaze", "Clear the haze."),
     ("low_light", "Brighten this picture."), ("deblur", "Sharpen it; it is blurred.")],
)  # fmt: skip
def test_the_more_of_a_request_is_done_the_farther_it_went(task: str, words: str) -> None:
    drawn = source(SETS[0])
    steps = [as_bytes(degraded(task, drawn.pixels, drawn.near, strength=left, seed="x"))
             for left in (0.7, 0.4, 0)]  # fmt: skip
    went = [float(seen(steps[0], step, words)["progress"] or 0) for step in steps]
    assert went == sorted(went)
    assert went[-1] > went[0] + 0.05


def test_a_thing_that_fades_lets_less_of_the_source_through(clean: Rgb) -> None:
    random = np.random.default_rng(0)
    other = clean.copy()
    other[80:200, 100:220] = random.random((10, 10, 3)).repeat(12, 0).repeat(12, 1)
    went = []
    for share in (0.2, 0.5, 0.9):
        after = as_bytes(clean + (other - clean) * np.float32(share))
        went.append(float(seen(as_bytes(clean), after)["progress"] or 0))
    assert went == pytest.approx([0.2, 0.5, 0.9], abs=0.2)


@pytest.mark.parametrize(
    ("words", "kinds"),
    [("Remove the streaks of rain.", {"rain", "remove"}), ("Clean up the grain.", {"clean"}),
     ("Move the train to the far left.", {"move"}), ("Paint the bus green.", {"colour"}),
     ("Make it three ducks in place of one.", {"count"}), ("", set())],
)  # fmt: skip
def test_requests_are_known_by_their_words(words: str, kinds: set[str]) -> None:
    assert {name for name, value in requests(words).items() if value} == kinds
    assert requests(words).keys() == REQUESTS.keys()


@pytest.mark.parametrize("size", [(1, 1), (2, 300), (16, 16), (50, 50)])
def test_pictures_of_any_size_have_features(size: tuple[int, int]) -> None:
    random = np.random.default_rng(0)
    before, after = (random.integers(0, 256, (*size, 3)).astype(np.uint8) for _ in range(2))
    told = seen(before, after)
    assert all(value is None or np.isfinite(value) for value in told.values())
    flat = np.zeros((*size, 3), np.uint8)
    assert seen(flat, flat).keys() == told.keys()


def test_an_output_of_another_size_is_held_against_the_source(clean: Rgb) -> None:
    pixels = as_bytes(clean)
    larger = pixels.repeat(2, 0).repeat(2, 1)
    assert float(seen(pixels, larger)["worst0"] or 0) < 0.3


def test_nothing_but_both_pictures_and_the_words_enters(clean: Rgb) -> None:
    before, after = as_bytes(clean), as_bytes(damaged(clean, Made(0, 0.5, "cast"), "x"))
    request = Request(Document.of(before), "Remove the ball.")
    bare = Edit(Sample("", request), "", "ok", Document.of(after))
    told = Sample("removed-1", request, target=Document.of(before), tags={"task": "add"},
                  facts={"strength": 1.0}, cluster="c")  # fmt: skip
    full = replace(bare, sample=told, editor="graded:thorough", seconds=3.0)
    measures = ("mse@source", "ssim@source")
    assert features(bare, Evidence(), measures) == features(full, Evidence(), measures)


def test_missing_weights_are_told_with_the_command(
    clean: Rgb, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    def gone(name: str) -> None:
        raise Unavailable(f"{name} is not here. Get it with: overpaint get {name}")

    monkeypatch.setattr("overpaint.vision.features._network", lambda: gone("features"))
    pixels = Document.of(as_bytes(clean))
    with pytest.raises(Unavailable, match="overpaint get features"):
        found._value(Evidence(), pixels, pixels, "", "likeness", "1")


def test_the_weighted_median_is_where_half_of_the_weight_lies() -> None:
    values, weights = (np.array(one, np.float32) for one in ([3, 1, 2], [1, 1, 5]))
    assert middle(values, weights) == 2
    assert middle(values, np.zeros(3, np.float32)) == 0
    square = np.arange(16, dtype=np.float32).reshape(4, 4)
    assert blocks(square, 2).tolist() == [[2.5, 4.5], [10.5, 12.5]]
