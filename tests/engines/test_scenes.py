"""Scenes: what is true of every one of them, whatever its number, and that it stays so."""

import hashlib
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from overpaint.engines import scenes
from overpaint.engines.scenes import Scene, kinds, styles
from overpaint.engines.scenes.compose import drawn
from overpaint.engines.scenes.parts import parts
from overpaint.engines.scenes.photographs import photographs
from overpaint.vision.references.boxes import box_of

FEW = (3, 9, 13, 18, 22, 106)  # among them people, one behind another thing, a night


@cache
def made(number: int) -> Scene:
    return scenes.scene(number)


def truth_of(scene: Scene) -> str:
    """A hash of everything known of a scene but its pixels."""
    found = hashlib.sha256()
    for thing in scene.things:
        found.update(f"{thing.name} {thing.box} {thing.near:.6f}".encode())
        found.update(np.packbits(thing.mask).tobytes())
    for array in (scene.regions, scene.depth, np.round(scene.joints, 3)):
        found.update(np.ascontiguousarray(array).tobytes())
    found.update(f"{scene.caption} {scene.style}".encode())
    return found.hexdigest()[:16]


def check(scene: Scene) -> None:
    """The laws of a scene."""
    height, width = scene.regions.shape
    assert scene.pixels.shape == (height, width, 3)
    assert scene.pixels.dtype == scene.depth.dtype == np.uint8
    assert scene.depth.shape == (height, width)
    assert 1 <= len(scene.things) <= 4
    for thing in scene.things:
        assert thing.mask.shape == (height, width)
        assert thing.box == box_of(thing.mask)
        assert (scene.depth[thing.mask] == round(thing.near * 255)).all()
        assert np.count_nonzero(thing.mask) > 0.004 * thing.mask.size
    sizes = [np.count_nonzero(thing.mask) for thing in scene.things]
    assert sizes == sorted(sizes, reverse=True)
    assert not any((a.mask & b.mask).any() for a, b in combinations(scene.things, 2))
    assert set(np.unique(scene.regions)) == set(range(1, scene.regions.max() + 1))
    assert len(scene.caption.split()) <= 20
    assert scene.caption[0].isupper()
    assert scene.style in styles.STYLES
    check_people(scene)


def check_people(scene: Scene) -> None:
    height, width = scene.depth.shape
    assert scene.joints.shape == (len(scene.people), 17, 3)
    for person, joints in zip(scene.people, scene.joints, strict=True):
        x, y, seen = joints.T
        assert set(seen) <= {0.0, 1.0}
        assert ((x >= 0) & (x < width) & (y >= 0) & (y < height)).all()
        inside = person.mask[y.astype(int), x.astype(int)]
        assert inside[seen == 1].mean() > 0.9


@pytest.mark.parametrize("number", FEW)
def test_what_is_known_of_a_scene_agrees_with_itself(number: int) -> None:
    check(made(number))


@pytest.mark.slow
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_laws_hold_for_every_number_and_seed(number: int, seed: int) -> None:
    check(scenes.scene(number, seed=seed))


@pytest.mark.parametrize("number", FEW)
def test_a_region_is_of_one_thing_or_of_none(number: int) -> None:
    scene = made(number)
    owner = np.zeros(scene.regions.shape, int)
    for place, thing in enumerate(scene.things, 1):
        owner[thing.mask] = place
    for region in range(1, scene.regions.max() + 1):
        owners = np.bincount(owner[scene.regions == region])
        assert owners.max() > 0.97 * owners.sum()  # what is too small goes to a neighbour


@pytest.mark.parametrize("number", FEW)
def test_what_is_nearer_hides_what_is_farther(number: int) -> None:
    scene = made(number)
    whole = {id(thing): _whole(thing, scene) for thing in scene.things}
    for thing in scene.things:
        hidden = np.zeros(thing.mask.shape, bool)
        for other in scene.things:
            if other.near > thing.near:
                hidden |= whole[id(other)]
        assert (thing.mask == (whole[id(thing)] & ~hidden)).all()


def _whole(thing: scenes.Thing, scene: Scene) -> np.ndarray:
    """All pixels of a thing, the hidden ones as well."""
    left, top, right, bottom = thing.piece.box
    found = np.zeros(scene.depth.shape, bool)
    found[top:bottom, left:right] = thing.piece.sprite.pixels[..., 3] >= 128
    return found


def test_a_joint_behind_something_is_told_as_hidden() -> None:
    scene = made(13)  # a duck stands before one of two men
    duck = next(thing for thing in scene.things if "duck" in thing.name)
    behind = [
        joint for joint in scene.joints.reshape(-1, 3) if duck.mask[int(joint[1]), int(joint[0])]
    ]
    assert behind
    assert all(joint[2] == 0 for joint in behind)


def test_on_the_floor_nearness_grows_evenly_and_things_stand_where_they_are_as_near() -> None:
    scene = made(18)  # a room with four things on its floor
    for thing in scene.things:
        foot = thing.piece.box[3]
        floor = scene.depth[min(foot, scene.depth.shape[0] - 1), 0]
        assert abs(int(floor) - thing.near * 255) <= 2


def test_the_same_number_and_seed_give_the_same_pixels_and_others_do_not() -> None:
    again = scenes.scene(9)
    assert (again.pixels == made(9).pixels).all()
    assert truth_of(again) == truth_of(made(9))
    assert truth_of(scenes.scene(9, seed=1)) != truth_of(again)


def test_known_and_held_out_scenes_share_no_kind_of_thing_but_people() -> None:
    known, held_out = ({kind.paint for kind in kinds.KINDS[split]} for split in scenes.SPLITS)
    assert not known & held_out
    assert min(len(known), len(held_out)) >= 12
    assert [made(number).split for number in (18, 9)] == ["known", "held-out"]
    for place in scenes.PLACES:
        for split in scenes.SPLITS:
            here = [kind for kind in kinds.KINDS[split] if place in kind.places]
            assert sum(kind.site != "air" for kind in here) >= 3, (place, split)


def test_a_style_moves_no_edge() -> None:
    pictures = {}
    for style in styles.TECHNIQUES:
        other = drawn(replace(made(9).plan, style=style))
        assert (other.regions == made(9).regions).all()
        assert (other.depth == made(9).depth).all()
        pictures[style] = other.pixels.astype(int)
    for one, two in combinations(pictures, 2):
        assert np.abs(pictures[one] - pictures[two]).mean() > 1.5, (one, two)


def test_a_subject_is_the_same_thing_in_another_picture() -> None:
    scene = made(18)
    alone = [scenes.subject_picture(scene, place) for place in range(len(scene.things))]
    assert (alone[0] == scenes.subject_picture(scene, 0)).all()
    there = [_colours(picture.reshape(-1, 3)) for picture in alone]
    for place, thing in enumerate(scene.things):
        own, strangers = _colours(scene.pixels[thing.mask]), there[place - 1]
        assert np.minimum(own, there[place]).sum() > np.minimum(own, strangers).sum()


def _colours(pixels: np.ndarray) -> np.ndarray:
    """Which of 64 coarse colours there are, as shares of all pixels."""
    coarse = (pixels >> 6).astype(int) @ (16, 4, 1)
    return np.minimum(np.bincount(coarse, minlength=64) / len(pixels), 0.1)


def test_a_style_picture_shows_other_things_in_another_place() -> None:
    first, again = scenes.style_picture(made(9)), scenes.style_picture(made(9))
    assert (first == again).all()
    shown = made(9).pixels
    assert first.shape != shown.shape or (first != shown).any(axis=2).mean() > 0.9


def test_a_part_of_clearly_another_colour_is_a_region_of_its_own() -> None:
    drawing = np.zeros((60, 40, 4), np.uint8)
    drawing[5:55, 5:35] = (200, 40, 40, 255)
    drawing[30:55, 5:35] = (40, 60, 200, 255)
    drawing[10:12, 10:12] = (250, 250, 250, 255)  # too small
    found = parts(drawing, smallest=100)
    assert {*found[5:30, 5:35].flat} == {2}
    assert {*found[30:55, 5:35].flat} == {1}  # the commoner colour comes first
    assert not found[drawing[..., 3] == 0].any()


def test_a_person_who_is_turned_keeps_the_joints_on_the_body() -> None:
    person = made(3).people[0]
    for turn in (-30.0, 0.0, 45.0):
        sprite = person.piece.look.sprite(220, turn)
        assert sprite.joints is not None
        x, y = sprite.joints[:, :2].astype(int).T
        assert (sprite.pixels[y, x, 3] >= 128).mean() > 0.9


def test_photographs_are_those_of_the_packages_that_are_here() -> None:
    found = dict(photographs())
    assert len(found) >= 5
    assert all(pixels.dtype == np.uint8 and pixels.shape[2] == 3 for pixels in found.values())
    assert "coffee" in found


@pytest.mark.parametrize(
    ("number", "truth"),
    [(9, "3022b332e9e158d9"), (18, "7c91e8fc8fd4567f"), (43, "f4e4fdf92d66f4c9")],
)
def test_scenes_stay_as_they_were(number: int, truth: str) -> None:
    assert truth_of(made(number)) == truth
