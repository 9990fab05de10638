"""Boxes of things of eighty kinds: which of many guesses stay, and what is seen in photographs."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from overpaint import weights
from overpaint.errors import Unavailable
from overpaint.vision import tfjs
from overpaint.vision.references import Hints, extractor
from overpaint.vision.references.coco_ssd import KINDS, MOST, SURE, boxes, surest, things


@pytest.fixture
def fetched() -> None:
    """Tests that need the network are skipped where it is absent."""
    try:
        weights.find("coco-weights")
    except Unavailable as missing:
        pytest.skip(str(missing))


def iou(a: np.ndarray, b: np.ndarray) -> float:
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    both = max(wide, 0) * max(high, 0)
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)


def test_there_are_eighty_kinds_under_coco_s_ninety_numbers() -> None:
    assert len(KINDS) == 90
    assert len({kind for kind in KINDS if kind}) == 80
    # A few of COCO's category ids (its annotations of 2017), to pin the order.
    told = {1: "person", 17: "cat", 18: "dog", 47: "cup", 67: "dining table", 90: "toothbrush"}
    assert {number: KINDS[number - 1] for number in told} == told


guesses = st.lists(
    st.tuples(
        st.integers(0, 20), st.integers(0, 20), st.integers(1, 20), st.integers(1, 20),
        st.floats(0, 1, width=32),
    ),
    max_size=25,
)  # fmt: skip


@given(guesses)
@settings(max_examples=60, deadline=None)
def test_what_stays_lies_apart_and_what_goes_lies_on_a_surer_one(
    told: list[tuple[int, int, int, int, float]],
) -> None:
    edges = np.array([(x, y, x + w, y + h) for x, y, w, h, _ in told], np.float32).reshape(-1, 4)
    scores = np.array([score for *_, score in told], np.float32)
    kept = surest(edges, scores, 0.5)
    assert [scores[n] for n in kept] == sorted((scores[n] for n in kept), reverse=True)
    assert all(scores[n] >= SURE for n in kept)
    for n, a in enumerate(kept):
        assert all(iou(edges[a], edges[b]) <= 0.5 + 1e-6 for b in kept[:n])
    if len(kept) < MOST:
        gone = [n for n in range(len(told)) if scores[n] >= SURE and n not in kept]
        for n in gone:
            assert any(
                iou(edges[n], edges[k]) > 0.5 - 1e-6 and scores[k] >= scores[n] for k in kept
            )


def test_a_box_beyond_the_picture_is_none() -> None:
    edges = np.array([(0, 0, 0, 50), (40, 0, 40, 20), (0, 0, 9, 9)], np.float32)
    assert surest(edges, np.full(3, 0.9, np.float32), 0.5) == [2]


def test_a_cat_is_found_where_it_is(fetched: None) -> None:
    (found,) = extractor("bbox", "coco").find(data.chelsea(), Hints())
    assert (found.kind, found.method, found.label) == ("bbox", "coco", "cat")
    assert found.confidence > 0.9
    (box,) = found.value
    assert iou(np.array(box), np.array([0, 0, 404, 300])) > 0.95


def test_a_cup_on_a_table_and_a_person_are_found(fetched: None) -> None:
    (coffee,) = boxes.find(data.coffee(), Hints())
    assert coffee.label == "cup, dining table"
    assert len(coffee.value) == 2
    (person,) = things(data.astronaut())
    assert person.kind == "person"
    assert person.box.right <= 512
    assert person.box.bottom <= 512


@pytest.mark.parametrize("size", [(64, 64), (1, 1), (3, 900), (2000, 1500)])
def test_where_nothing_is_shown_nothing_is_found(fetched: None, size: tuple[int, int]) -> None:
    assert list(boxes.find(np.full((*size, 3), 90, np.uint8), Hints())) == []


def test_without_the_weights_it_is_unavailable_and_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(weights.CACHE_SETTING, str(tmp_path))
    tfjs.network.cache_clear()
    with pytest.raises(Unavailable, match="overpaint get coco"):
        boxes.find(np.zeros((64, 64, 3), np.uint8), Hints())
