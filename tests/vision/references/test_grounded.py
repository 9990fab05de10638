"""Things by their names: what is asked and read, and the networks with tiny random weights."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from tiny_networks import blobs, grounding_dino, needed, sam2

from overpaint.errors import Unavailable
from overpaint.vision.references import Box, Hints, extractor
from overpaint.vision.references import grounded as here
from overpaint.vision.references import sam2 as cutter
from overpaint.vision.references.grounded import GENERAL, cleaned, fitted, spoken, things
from overpaint.vision.references.inputs import normalised

# ── what is asked, and how answers are read ─────────────────────────────────────────────


def test_words_are_small_and_hold_no_full_stop_and_without_any_a_general_list_is_asked() -> None:
    assert cleaned("A Red  Ball., cat,Cat, . ,") == ("a red ball", "cat")
    assert cleaned("") == cleaned(" , .") == GENERAL


def test_each_token_belongs_to_the_phrase_it_stands_in() -> None:
    cls, sep, stop = 101, 102, 1012
    assert spoken([cls, 5, 6, stop, 7, stop, sep], stop, 2) == [-1, 0, 0, -1, 1, -1, -1]
    assert spoken([cls, 5, 6, sep], stop, 2) == [-1, 0, 0, -1], "the text was cut short"


def told(*rows: tuple[tuple[float, ...], tuple[float, ...]]) -> tuple[np.ndarray, np.ndarray]:
    boxes, scores = zip(*rows, strict=True)
    return np.array(boxes, np.float32), np.array(scores, np.float32)


def test_boxes_are_kept_by_their_best_token_and_called_by_its_phrase() -> None:
    owners, phrases = [-1, 0, 0, -1, 1, -1], ["red ball", "cat"]
    boxes, scores = told(
        ((0.5, 0.5, 0.2, 0.4), (0, 0.1, 0.5, 0, 0.3, 0)),
        ((0.2, 0.2, 0.2, 0.2), (0, 0.1, 0.1, 0, 0.9, 0)),
        ((0.8, 0.8, 0.2, 0.2), (0, 0.1, 0.1, 0.6, 0.2, 0)),  # only the full stop is sure
        ((0.7, 0.2, 0.2, 0.2), (0, 0.34, 0.34, 0, 0.3, 0)),  # nothing is sure enough
        ((0.5, 0.5, 0.2, 0.41), (0, 0.4, 0.1, 0, 0.1, 0)),  # the first one once more
    )
    found = things(boxes, scores, owners, phrases, size=(100, 50))
    assert [(thing.label, round(thing.score, 2)) for thing in found] == [
        ("cat", 0.9), ("", 0.6), ("red ball", 0.5),
    ]  # fmt: skip
    assert np.allclose(found[2].box, Box(40, 15, 60, 35))


def test_boxes_end_at_the_picture_and_what_is_no_number_is_no_box() -> None:
    boxes, scores = told(
        ((0.0, 1.0, 0.5, 0.5), (0.9,)),
        ((2.0, 2.0, 0.1, 0.1), (0.9,)),  # outside of it
        ((float("nan"),) * 4, (0.9,)),
        ((0.5, 0.5, 0.5, 0.5), (float("nan"),)),
    )
    (found,) = things(boxes, scores, [0], ["it"], size=(100, 100))
    assert found.box == Box(0, 75, 25, 100)


@given(some.integers(1, 4000), some.integers(1, 4000))
def test_a_picture_is_looked_at_by_its_shorter_side_unless_the_longer_gets_too_long(
    wide: int, high: int
) -> None:
    size = fitted((wide, high), 800, 1333)
    assert max(size) <= 1333
    assert min(size) == 800 or max(size) >= 1331 or max(wide, high) / min(wide, high) > 666


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    monkeypatch.setenv(here.OWN.setting, "nobody/has-this")
    assert extractor("mask", "grounded").exact == "1", "there are no weights to go by"
    with pytest.raises(Unavailable, match=r"pip install 'overpaint\[references\]'"):
        extractor("bbox", "grounded").find(blobs(), Hints())


# ── the networks ────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    needed()
    return (
        grounding_dino(tmp_path_factory.mktemp("dino")),
        sam2(tmp_path_factory.mktemp("sam2")),
    )


@pytest.fixture
def put(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(here.OWN.setting, str(folders[0]))
    monkeypatch.setenv(cutter.OWN.setting, str(folders[1]))
    return folders[0]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(90, 60), (60, 90), (64, 64), (300, 40)])
def test_pictures_are_prepared_as_the_models_own_processor_prepares_them(
    size: tuple[int, int],
) -> None:
    needed()
    from transformers import GroundingDinoImageProcessorPil

    pixels = blobs(*size)
    for short, long in ((96, 160), (800, 1333)):
        its = GroundingDinoImageProcessorPil(size={"shortest_edge": short, "longest_edge": long})
        expected = np.asarray(its(images=pixels, return_tensors="np")["pixel_values"])
        ours = normalised(pixels, fitted(size, short, long))
        assert ours.shape == expected.shape
        assert np.abs(ours - expected).max() < 1e-5


@pytest.mark.slow
def test_boxes_are_those_of_the_models_own_processor(put: Path) -> None:
    import torch
    from transformers import AutoTokenizer, GroundingDinoForObjectDetection
    from transformers import GroundingDinoImageProcessorPil as Pictures
    from transformers import GroundingDinoProcessor as Processor

    pixels, words = blobs(), ("red ball", "cat")
    size = {"shortest_edge": 96, "longest_edge": 160}
    its = Processor(Pictures(size=size), AutoTokenizer.from_pretrained(put))
    inputs = its(images=pixels, text=[list(words)], return_tensors="pt")
    model = GroundingDinoForObjectDetection.from_pretrained(put).eval()
    with torch.no_grad():
        outputs = model(**inputs)
    (expected,) = its.post_process_grounded_object_detection(
        outputs, inputs["input_ids"], threshold=0.35, text_threshold=0.25, target_sizes=[(60, 90)]
    )
    finder = here.finder()
    found = finder.find(pixels, words)
    assert len(found) > 2
    assert {thing.label for thing in found} <= {"red ball", "cat", ""}
    theirs = {
        round(float(s), 4): b for s, b in zip(expected["scores"], expected["boxes"], strict=True)
    }
    for thing in found:
        box = theirs[min(theirs, key=lambda score: abs(score - thing.score))].numpy()
        clipped = np.clip(box, 0, [90, 60, 90, 60])
        assert np.allclose(clipped, thing.box, atol=0.01)


@pytest.mark.slow
def test_boxes_and_masks_are_of_the_same_things_and_tell_who_found_them(
    put: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (general,) = extractor("bbox", "grounded").find(blobs(), Hints())
    assert set(general.label.split(", ")) <= {*GENERAL, ""}
    monkeypatch.setenv(here.WORDS, "cat, Red ball")
    (frames,) = extractor("bbox", "grounded").find(blobs(), Hints())
    masks = extractor("mask", "grounded").find(blobs(), Hints())
    assert set(frames.label.split(", ")) <= {"cat", "red ball", ""}
    assert frames.version.startswith(f"{general.version}+"), "other words are another finder"
    assert 0 < len(masks) <= len(frames.value) <= here.MOST
    assert frames.version == extractor("bbox", "grounded").exact
    assert masks[0].version == extractor("mask", "grounded").exact
    assert masks[0].version.startswith(f"{general.version}+")
    assert frames.confidence is not None
    assert frames.confidence > here.SCORED
    for mask in masks:
        assert (mask.value.shape, mask.value.dtype) == ((60, 90), bool)
        assert mask.value.any()
        assert 0 <= (mask.confidence or 0) <= 1
    assert {mask.label for mask in masks} - {""} <= set(frames.label.split(", "))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1, 1), (500, 2)])
def test_tiny_and_narrow_pictures_are_no_trouble(put: Path, size: tuple[int, int]) -> None:
    for kind in ("bbox", "mask"):
        for found in extractor(kind, "grounded").find(blobs(*size), Hints()):
            assert found.kind == kind


@pytest.mark.slow
def test_without_weights_it_is_unavailable_and_says_how_to_get_them(
    put: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(here.OWN.setting, "nobody/has-this")
    with pytest.raises(Unavailable, match="hf download IDEA-Research/grounding-dino-base"):
        extractor("bbox", "grounded").find(blobs(), Hints())
    monkeypatch.setenv(here.OWN.setting, str(put))
    monkeypatch.setenv(cutter.OWN.setting, "nobody/has-this")
    with pytest.raises(Unavailable, match="hf download facebook/sam2.1-hiera-large"):
        extractor("mask", "grounded").find(blobs(), Hints())
