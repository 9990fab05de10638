"""Fréchet distances and OKS mAP of whole sets, and what they refuse."""

from collections.abc import Sequence

import numpy as np
import pytest

from overpaint import catalog, weights
from overpaint.core import OF_A_SET, Edit, Evidence, Request, Sample, Score, looked_at
from overpaint.document import Document
from overpaint.errors import Unavailable
from overpaint.measures import references_sets
from overpaint.measures.frechet import frechet_distance
from overpaint.measures.oks import JOINTS, People, oks_map
from overpaint.measures.references_sets import FEWEST, FEWEST_FID
from overpaint.vision import features
from overpaint.vision.references import Hints, Reference, extractor
from overpaint.vision.references.drawing import drawn
from overpaint.vision.references.told import Told, facts_of

GREY = Document.of(np.full((16, 16, 3), 128, np.uint8))


def noise(seed: int, light: int = 0) -> Document:
    random = np.random.default_rng(seed)
    return Document.of(random.integers(0, 200 + light, (16, 16, 3), np.uint8))


def edits(outputs: Sequence[Document], truths: Sequence[Document | None]) -> list[Edit]:
    return [
        Edit(Sample(f"s{n}", Request(GREY, "…"), target=truth), "me", "ok", output)
        for n, (output, truth) in enumerate(zip(outputs, truths, strict=True))
    ]


def of_set(name: str, made: Sequence[Edit]) -> Score:
    (score,) = catalog.measure(name).score(made, Evidence())
    return score


@pytest.fixture
def needs_features() -> None:
    try:
        weights.find(features.NEEDS)
    except Unavailable as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.usefixtures("needs_features")
def test_the_distance_is_that_of_the_pictures_features() -> None:
    truths = [noise(n) for n in range(FEWEST)]
    outputs = [noise(n + 100, light=50) for n in range(FEWEST)]
    score = of_set("frechet_features", edits(outputs, truths))
    found = [np.stack([features.looked_at(d.rgb) for d in side]) for side in (outputs, truths)]
    assert score.value == pytest.approx(frechet_distance(*found), rel=1e-5)
    assert score.notes == (
        "32 outputs, 32 different truths, 1,280 features: to be held against sets of this size"
        " only",
        "by MobileNetV2",
    )
    assert of_set("frechet_features", edits(truths, truths)).value == pytest.approx(0, abs=1e-6)


@pytest.mark.usefixtures("needs_features")
def test_a_set_too_small_is_refused_and_the_same_truth_twice_counts_once() -> None:
    truths = [noise(n % (FEWEST - 1)) for n in range(FEWEST)]
    score = of_set("frechet_features", edits(truths, truths))
    assert (score.value, score.status) == (None, "not_applicable")
    assert score.reason == (
        "The set has 31 different truths. At least 32 are needed for this distance."
        " Score a larger set."
    )


def test_fid_is_refused_below_its_dimensions_before_anything_is_computed() -> None:
    assert FEWEST_FID == 2049
    truths = [noise(n) for n in range(40)]
    score = of_set("fid", edits(truths, truths))
    assert (score.value, score.status) == (None, "not_applicable")
    assert "At least 2,049 are needed" in score.reason


def test_what_is_not_fid_is_not_called_so() -> None:
    about = catalog.measure("frechet_features").about
    assert "not FID" in about
    assert {catalog.measure(name).scope for name in ("fid", "frechet_features")} == {"set"}


@pytest.mark.usefixtures("needs_features")
def test_an_edit_is_looked_at_once_and_kept_and_needs_a_truth() -> None:
    measure, evidence = catalog.measure("frechet_features"), Evidence()
    with_truth, without = edits([noise(1), noise(2)], [noise(3), None])
    (seen,) = looked_at(measure, [with_truth], evidence)
    assert (seen.status, seen.reason) == ("not_applicable", OF_A_SET)
    assert len(evidence.fresh) == 2  # the output and the truth
    (lacking,) = looked_at(measure, [without], evidence)
    assert lacking.reason == "There is no truth that the output could be like."


def test_without_inception_an_edit_is_not_in_the_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OVERPAINT_INCEPTION", raising=False)
    (edit,) = edits([noise(1)], [noise(2)])
    (seen,) = looked_at(catalog.measure("fid"), [edit], Evidence())
    assert (seen.value, seen.status) == (None, "unavailable")


# ── poses ───────────────────────────────────────────────────────────────────────────────


def stick(left: float) -> np.ndarray:
    """Joints of somebody who stands with arms away from the body."""
    places = [
        (50, 10), (47, 8), (53, 8), (44, 10), (56, 10), (38, 30), (62, 30), (28, 50), (72, 50),
        (20, 70), (80, 70), (42, 75), (58, 75), (40, 110), (60, 110), (38, 145), (62, 145),
    ]  # fmt: skip
    return np.array([(x + left, y + 5, 1.0) for x, y in places])


def posed(people: np.ndarray, number: int) -> Edit:
    picture = Document.of(drawn(Reference("pose", people, "made", "1"), (220, 170)))
    told = facts_of([Told("pose", "<pose_1>", 0, method="blazepose")])
    sample = Sample(f"s{number}", Request(Document.of(np.zeros((170, 220, 3), np.uint8)), "…",
                    (picture,)), facts=told)  # fmt: skip
    return Edit(sample, "me", "ok", Document.of(np.full((170, 220, 3), 90 + number, np.uint8)))


def test_a_sets_pose_number_is_cocos_over_all_of_its_people(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = [posed(stick(10)[None], 1), posed(np.stack([stick(0), stick(110)]), 2)]
    # What is found is given here, so that the number can be reckoned by hand.
    found = {91: (stick(10)[None] + [3, 2, 0]).tolist(), 92: (stick(0)[None] + [9, 0, 0]).tolist()}
    monkeypatch.setattr(
        references_sets, "_found", lambda evidence, seen, *_: found[int(seen.rgb[0, 0, 0])]
    )
    score = of_set("ref_pose_map", made)
    asked = [
        references_sets.references.shown(
            Evidence(), edit.sample.request.references[0], "pose", (220, 170)
        )
        for edit in made
    ]
    crowds = [People(a, np.array(f)) for a, f in zip(asked, found.values(), strict=True)]
    assert score.value == pytest.approx(oks_map(crowds))
    assert 0 < score.value < 1
    assert score.notes == ("3 people asked for, 2 found", "by blazepose 2")


def test_people_are_found_by_the_real_extractor_and_nobody_is_0() -> None:
    try:
        extractor("pose").find(np.zeros((64, 64, 3), np.uint8), Hints())
    except Unavailable as error:
        pytest.skip(str(error))
    score = of_set("ref_pose_map", [posed(stick(10)[None], 1)])
    assert (score.value, score.notes) == (0.0, ("1 person asked for, 0 found", "by blazepose 2"))
    (outside,) = edits([noise(1)], [noise(2)])
    (seen,) = looked_at(catalog.measure("ref_pose_map"), [outside], Evidence())
    assert seen.reason == "The sample has no pose among its references."
    assert stick(0).shape == (JOINTS, 3)
