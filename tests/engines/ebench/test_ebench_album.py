"""The built-in set of EBench: its cast, its edits of known truth, and that it is the pinned one."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from overpaint.benchmarks.ebench import ebench, ebench_photographs, ebench_restored
from overpaint.core import Request
from overpaint.document import Document
from overpaint.editors.graded import NAMES, Graded
from overpaint.engines.ebench import album, wording
from overpaint.engines.ebench.changes import WISHES, Wish, change
from overpaint.engines.ebench.sources import SETS, photographed, plan, source
from overpaint.engines.ebench.tasks import CODES, GROUP, HIGH, LOW, TASKS
from overpaint.errors import UserMistake

BY_ID = {one.id: one for one in SETS}


def test_there_are_21_tasks_and_the_released_numbers_name_each() -> None:
    assert (len(HIGH), len(LOW), len(TASKS)) == (13, 8, 21)
    assert tuple(CODES.values()) == TASKS
    assert (CODES["H_00"], CODES["H_12"], CODES["L_04"]) == ("add", "size", "dehaze")
    assert Counter(GROUP.values()) == {"high": 13, "low": 8}


def test_every_low_level_task_comes_on_six_sources_twice_at_each_level() -> None:
    jobs = album.drawn_jobs()
    assert len({job.id for job in jobs}) == len(jobs) == 68
    for task in LOW:
        mine = [job for job in jobs if job.task == task]
        assert len({job.source for job in mine}) == album.EACH
        assert Counter(job.level for job in mine) == {1: 2, 2: 2, 3: 2}
    assert {job.task for job in jobs[:20]} >= {*LOW}  # so that a short run has all of them


def test_rain_snow_haze_and_shadows_of_trees_are_outdoors() -> None:
    indoors = {"room", "table", "studio"}
    names = [one.id for one in photographed()] or ["china", "coffee"]
    for job in (*album.drawn_jobs(), *album.photographed_jobs(names)):
        if job.task in album.WEATHER:
            assert job.source.startswith(album.OUTDOORS)
            assert job.source.split("-")[0] not in indoors


def test_every_task_that_is_asked_has_several_wordings_that_can_be_filled() -> None:
    asked = {job.task for job in album.drawn_jobs()}
    assert asked == {*wording.ASKED} >= {*LOW}
    assert all(len({*ways}) >= 3 for ways in wording.ASKED.values())


def test_a_scene_is_drawn_the_same_again_with_all_its_things() -> None:
    scene = BY_ID["beach-lighthouse"]
    first, again = source(scene), source(scene)
    assert np.array_equal(first.pixels, again.pixels)
    assert first.words == (
        "a grey cat and a yellow duck on a beach by the sea, a red lighthouse in the sea"
    )


def test_every_scene_has_room_for_its_things_and_none_hides_another() -> None:
    for scene in SETS:
        boxes = [piece.box for piece in plan(scene).pieces]
        assert len(boxes) == len(scene.things)
        for place, a in enumerate(boxes):
            for b in boxes[:place]:
                across = min(a[2], b[2]) - max(a[0], b[0])
                down = min(a[3], b[3]) - max(a[1], b[1])
                smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
                assert max(0, across) * max(0, down) <= 0.1 * smaller


def test_an_edit_goes_from_the_source_to_the_truth_and_changes_one_thing() -> None:
    scene = BY_ID["beach-boat"]
    found = change(Wish(scene.id, "color", "parasol", "purple"), scene)
    before, half, after = (found.at(share) for share in (0, 0.5, 1))
    assert np.array_equal(before, source(scene).pixels)
    changed = np.abs(after - before).max(axis=2) > 0.02
    assert 0.05 < changed.mean() < 0.4
    assert (np.abs(half - before)[~changed] <= 0.03).all()
    assert np.square(half - after).mean() < np.square(before - after).mean()
    assert "yellow parasol" in found.before
    assert "purple parasol" in found.after
    assert "purple" in found.instruction


@pytest.mark.slow
@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: f"{wish.task}-{wish.scene}")
def test_every_wish_has_a_truth_that_differs_and_halves_that_lie_between(wish: Wish) -> None:
    found = change(wish, BY_ID[wish.scene])
    before, half, after = (found.at(share) for share in (0, 0.5, 1))
    assert before.shape == after.shape
    assert np.square(after - before).mean() > 1e-4
    assert 0 < np.square(half - before).mean() <= 1.2 * np.square(after - before).mean()
    assert found.before != found.after
    assert found.instruction[0].isupper()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of the samples of one source."""
    folder = tmp_path_factory.mktemp("ebench") / "set"
    jobs = [job for job in album.drawn_jobs() if job.source == "meadow-house"][:4]
    album._write(folder, jobs, 0, None)
    return folder


def test_a_written_set_loads_without_a_repair_and_graded_editors_find_their_outputs(
    small: Path,
) -> None:
    loaded = ebench.load(small)
    assert loaded.repairs == ()
    assert {sample.cluster for sample in loaded.samples} == {"meadow-house"}
    for sample in loaded.samples:
        assert sample.target is not None
        assert sample.facts["target_description"]
        outputs = [Graded(name)(sample.request) for name in NAMES]
        assert len({one.key for one in outputs}) == len(NAMES)
        assert {one.size for one in outputs} == {sample.request.source.size}
    low = [sample for sample in loaded.samples if sample.tags["group"] == "low"]
    assert all(sample.facts["strength"] in (0.4, 0.7, 1.0) for sample in low)
    sizes = {sample.request.source.size for sample in loaded.samples}
    assert sizes == {(384, 288)}


def test_thorough_is_nearer_to_the_truth_than_timid(small: Path) -> None:
    for sample in ebench_restored.load(small).samples:
        assert sample.target is not None
        target = sample.target.rgb.astype(float)
        most, least = (Graded(n)(sample.request).rgb.astype(float) for n in ("thorough", "timid"))
        assert np.abs(most - target).mean() < np.abs(least - target).mean()


def test_graded_editors_know_no_target_and_nothing_of_other_samples(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="no graded:perfect. Known are thorough, careful"):
        Graded("perfect")
    assert not hasattr(Graded, "sees_target")
    lone = tmp_path / "sources" / "a.png"
    lone.parent.mkdir()
    lone.write_bytes(Document.of(np.zeros((4, 4, 3), np.uint8)).encoded)
    for source_ in (Document(lone), Document.of(np.zeros((4, 4, 3), np.uint8))):
        with pytest.raises(Exception, match="No graded outputs came with this sample"):
            Graded("thorough")(Request(source_, "x"))
    (tmp_path / "graded" / "thorough").mkdir(parents=True)
    with pytest.raises(Exception, match="thorough has no picture of this sample"):
        Graded("thorough")(Request(Document(lone), "x"))


@pytest.mark.slow
def test_the_set_is_the_one_that_is_pinned(tmp_path: Path) -> None:
    revision = album.write(tmp_path / "set", workers=2)
    made_with = json.loads((tmp_path / "set" / "manifest.json").read_text())["made_with"]
    assert revision == album.REVISION, f"another set is made with {made_with}"
    assert len(ebench.load(tmp_path / "set").samples) == 68


@pytest.mark.slow
def test_the_photographs_are_those_that_are_pinned(tmp_path: Path) -> None:
    if len(photographed()) < 7:
        pytest.skip("scikit-image or scikit-learn is not here")
    assert album.write_photographs(tmp_path / "set", workers=2) == album.REVISION_PHOTOGRAPHS
    samples = ebench_photographs.load(tmp_path / "set").samples
    assert {sample.tags["task"] for sample in samples} == {*LOW}
