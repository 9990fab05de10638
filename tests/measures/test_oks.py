"""OKS mAP held against pycocotools, and what it does at the edges."""

import contextlib
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from overpaint.errors import UserMistake
from overpaint.measures.oks import JOINTS, MOST, SHARE, SIGMAS, People, area, likeness, oks_map

BOX = 100.0


def person(seed: int, *, shift: float = 0.0) -> np.ndarray:
    random = np.random.default_rng(seed)
    joints = np.ones((JOINTS, 3))
    joints[:, :2] = random.uniform(0, BOX, (JOINTS, 2)) + shift
    return joints


def by_coco(pictures: list[People]) -> float:
    """The same number by COCO's own code; it says −1 where nobody is asked for."""
    truth, found = [], []
    for image, people in enumerate(pictures, 1):
        for place, joints in enumerate(people.asked):
            size = area(joints) if people.areas is None else people.areas[place]
            truth.append(
                {
                    "id": len(truth) + 1, "image_id": image, "category_id": 1, "area": size,
                    "iscrowd": 0, "bbox": [0, 0, BOX, BOX], "keypoints": joints.ravel().tolist(),
                    "num_keypoints": int((joints[:, 2] > 0).sum()),
                }
            )  # fmt: skip
        for place, joints in enumerate(people.found):
            score = joints[:, 2].mean() if people.scores is None else people.scores[place]
            told = joints.ravel().tolist()
            found.append(
                {"image_id": image, "category_id": 1, "keypoints": told, "score": float(score)}
            )
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO()
        images = [{"id": n} for n in range(1, len(pictures) + 1)]
        coco.dataset = {
            "images": images, "annotations": truth, "categories": [{"id": 1, "name": "person"}]
        }  # fmt: skip
        coco.createIndex()
        told = coco.loadRes(found) if found else COCO()
        if not found:
            told.dataset = coco.dataset | {"annotations": []}
            told.createIndex()
        judge = COCOeval(coco, told, "keypoints")
        judge.params.areaRng, judge.params.areaRngLbl = [[0, 1e10]], ["all"]
        judge.evaluate()
        judge.accumulate()
    precision = judge.eval["precision"]
    return float(precision[precision > -1].mean()) if (precision > -1).any() else -1.0


@st.composite
def crowds(draw: st.DrawFn) -> People:
    """People asked for, and people found who are them moved a little, or others."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    asked = [person(int(random.integers(2**32))) for _ in range(draw(st.integers(0, 4)))]
    for joints in asked:  # COCO has boxes of people without any joint, which are left alone
        joints[1:][random.random(JOINTS - 1) < draw(st.sampled_from([0.0, 0.3, 0.8])), 2] = 0
    noise = draw(st.sampled_from([0.0, 1.0, 4.0, 9.0, 40.0]))
    found = [joints + random.normal(0, noise, joints.shape) for joints in asked]
    found += [person(int(random.integers(2**32))) for _ in range(draw(st.integers(0, 3)))]
    for joints in found:
        joints[:, 2] = random.choice([0.3, 0.6, 0.9], JOINTS)  # so that scores can be equal
    found = [found[i] for i in random.permutation(len(found))]
    empty = np.zeros((0, JOINTS, 3))
    return People(
        np.stack(asked) if asked else empty, np.stack(found) if found else empty,
        areas=random.uniform(10, 9000, len(asked)).tolist() if draw(st.booleans()) else None,
        scores=random.choice([0.1, 0.5, 0.5, 1], len(found)).tolist() if draw(st.booleans())
        else None,
    )  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(crowds(), min_size=1, max_size=5))
def test_it_is_cocos_own_number(pictures: list[People]) -> None:
    ours, theirs = oks_map(pictures), by_coco(pictures)
    assert (-1.0 if ours is None else ours) == pytest.approx(theirs, abs=1e-9)


def test_a_crowd_beyond_twenty_counts_as_coco_counts_it() -> None:
    asked = np.stack([person(seed, shift=200.0 * seed) for seed in range(25)])
    crowd = People(asked, asked + np.array([0.5, 0.5, 0.0]), scores=list(np.linspace(0.9, 0.1, 25)))
    assert oks_map([crowd]) == pytest.approx(by_coco([crowd]), abs=1e-9)
    assert oks_map([crowd]) == pytest.approx(81 / 101)  # recall ends at 20 of 25
    assert MOST == 20


def test_the_same_people_are_one_and_nobody_found_is_nothing() -> None:
    asked = np.stack([person(1), person(2, shift=300)])
    assert oks_map([People(asked, asked)]) == 1.0
    assert oks_map([People(asked, asked[::-1])]) == 1.0
    assert oks_map([People(asked, np.zeros((0, JOINTS, 3)))]) == 0.0
    assert oks_map([People(np.zeros((0, JOINTS, 3)), asked)]) is None
    assert oks_map([]) is None


def test_a_person_too_many_costs_where_it_is_surer_than_the_right_one() -> None:
    asked = person(1)[None]
    both = np.stack([person(1), person(2, shift=300)])
    assert oks_map([People(asked, both, scores=[0.9, 0.1])]) == 1.0
    assert oks_map([People(asked, both, scores=[0.1, 0.9])]) == pytest.approx(0.5)


def test_oks_is_the_formula_joint_by_joint() -> None:
    asked, found = person(3), person(4)
    by_hand = [
        np.exp(-((ax - fx) ** 2 + (ay - fy) ** 2) / (2 * 1234.0 * (2 * sigma) ** 2))
        for (ax, ay, _), (fx, fy, _), sigma in zip(asked, found, SIGMAS, strict=True)
    ]
    assert likeness(asked, found, 1234.0) == pytest.approx(np.mean(by_hand), rel=1e-12)


def test_joints_that_were_not_asked_for_are_not_counted() -> None:
    asked, found = person(5), person(5)
    found[3, :2] += 1000
    assert likeness(asked, found, area(asked)) == pytest.approx(16 / 17)
    asked[3, 2] = 0
    assert likeness(asked, found, area(asked)) == 1.0
    asked[:, 2] = 0
    assert oks_map([People(np.stack([asked, person(6)]), person(6)[None])]) == 1.0


def test_the_area_is_a_share_of_the_joints_box_and_never_a_mere_line() -> None:
    joints = np.zeros((JOINTS, 3))
    joints[:2] = [[10, 20, 1], [50, 100, 1]]
    assert area(joints) == pytest.approx(SHARE * 40 * 80)
    joints[1, 0] = 10
    assert area(joints) == pytest.approx(SHARE * 20 * 80)
    assert area(np.zeros((JOINTS, 3))) == 0.0


@pytest.mark.parametrize("shape", [(2, 16, 3), (17, 3), (1, 17, 2)])
def test_what_are_no_joints_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(UserMistake, match="shape .*n×17×3 finite numbers were expected"):
        oks_map([People(np.ones(shape), np.ones((1, JOINTS, 3)))])
    with pytest.raises(UserMistake, match="finite"):
        oks_map([People(np.full((1, JOINTS, 3), np.nan), np.ones((1, JOINTS, 3)))])
