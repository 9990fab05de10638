"""The built-in MultiRef set: its cast, its form, and that it is the one that is pinned."""

import json
from collections import Counter
from pathlib import Path

import pytest

from overpaint.benchmarks.multiref import load_set
from overpaint.engines.refblend import album, photographs
from overpaint.engines.refblend.compatibility import PAPER
from overpaint.errors import UserMistake
from overpaint.vision.references import extractor
from overpaint.vision.references.told import told_in


def test_every_combination_of_the_paper_comes_with_known_and_held_out_scenes() -> None:
    cast = list(album.cast())
    assert Counter(kinds for kinds, _ in cast) == dict.fromkeys(PAPER, album.EACH)
    for kinds in PAPER:
        assert {number % 2 for one, number in cast if one == kinds} == {0, 1}
    assert all((number in album.PEOPLE) == ("pose" in kinds) for kinds, number in cast)


def test_the_kept_poses_are_those_of_the_extractor_as_it_is() -> None:
    assert album.poses()["version"] == extractor("pose").version
    assert set(album.poses()["joints"]) == {str(number) for number in album.PEOPLE}
    assert all(album.poses()["joints"].values())


@pytest.mark.slow
def test_the_set_is_the_one_that_is_pinned_and_loads_without_a_repair(tmp_path: Path) -> None:
    revision = album.write(tmp_path / "set", workers=2)
    made_with = json.loads((tmp_path / "set" / "manifest.json").read_text())["made_with"]
    found = load_set(tmp_path / "set")
    assert found.repairs == ()
    halves = Counter(sample.tags["half"] for sample in found.samples)
    assert halves == {"synthetic": 96, "real-world": 25}
    assert all(told_in(sample) for sample in found.samples if sample.tags["half"] == "synthetic")
    assert revision == album.REVISION, f"another set is made with {made_with}"


def test_without_the_packages_one_is_told_where_photographs_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photographs, "photographs", list)
    with pytest.raises(UserMistake, match="pip install scikit-image scikit-learn"):
        photographs.write(tmp_path / "set")


@pytest.mark.slow
def test_photographs_make_a_set_that_is_pinned_and_loads_without_a_repair(tmp_path: Path) -> None:
    revision = photographs.write(tmp_path / "set", workers=2)
    found = load_set(tmp_path / "set")
    assert found.repairs == ()
    assert len({sample.cluster for sample in found.samples}) == 7
    kinds = {told.kind for sample in found.samples for told in told_in(sample)}
    assert kinds >= {"bbox", "mask", "semantic_map", "canny", "sketch", "style", "subject"}
    assert revision == photographs.REVISION, "other photographs, or found by other versions"
