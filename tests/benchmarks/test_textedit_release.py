"""The real TextEditBench release, where the fixtures are: every count of its dirt."""

import os
import time
from collections import Counter
from pathlib import Path

import pytest
from textedit_tree import kinds

from overpaint.benchmarks.textedit import (
    TOPICS,
    load,
    textedit,
)
from overpaint.benchmarks.textedit_files import MANUAL, WEB
from overpaint.core import Loaded


@pytest.fixture(scope="module")
def release() -> Loaded:
    return load(fixture("annotations_all"))


def fixture(name: str) -> Path:
    folder = Path(os.environ.get("OVERPAINT_FIXTURES", "absent")) / "texteditbench" / name
    if not folder.is_dir():
        pytest.skip("set OVERPAINT_FIXTURES to the folder that holds texteditbench/")
    return folder


def test_the_release_has_1197_files_and_1196_samples(release: Loaded) -> None:
    splits = Counter(sample.tags["split"] for sample in release.samples)
    assert (release.files, len(release.samples)) == (1197, 1196)
    assert splits == {"synthetic": 691, "real-world": 505}
    assert len({sample.id for sample in release.samples}) == 1196
    assert not [r for r in release.repairs if r.kind == "other data"], "the card's revision"


def test_the_releases_operations_topics_and_knowledge_prompts_are_as_counted(
    release: Loaded,
) -> None:
    operations = Counter(sample.tags["operation"] for sample in release.samples)
    linked = Counter(s.tags["split"] for s in release.samples if s.facts["knowledge_prompt"])
    assert operations == {
        "change": 410, "relocation": 196, "delete": 179, "scaling": 149, "insert": 132,
        "attribute": 130,
    }  # fmt: skip
    assert linked == {"synthetic": 179, "real-world": 125}
    assert {sample.tags["topic"] for sample in release.samples} == set(TOPICS)
    assert {s.tags["difficulty"] for s in release.samples} == {"easy", "medium", "hard"}
    assert Counter(s.tags["language"] for s in release.samples)["unknown"] == 21


def test_the_releases_dirt_is_all_found_and_counted_by_kind(release: Loaded) -> None:
    assert kinds(release) == {
        "missing picture": 1196,  # the annotations alone are a fixture
        "shared id": 271,
        "misspelt topic": 139,
        "odd id": 47,
        "wrong sum": 41,  # 33 wrong, 8 not given
        "tier disagrees": 36,
        "wrong length": 21,
        "misspelt key": 17,
        "duplicate id": 11,  # 9 in one split, 2 in the other
        "trailing space": 8,
        "misspelt source_tag": 5,
        "misspelt difficulty": 4,
        "topic disagrees": 4,
        "odd score": 3,
        "misspelt folder": 1,
        "invalid JSON": 1,
        "byte order mark": 1,
        "empty knowledge prompt": 1,
        "misspelt method": 1,
        "wrong file name": 1,
        "nested copy": 1,
    }
    duplicates = Counter(r.where.split("/")[0] for r in release.repairs if r.kind == "duplicate id")
    assert duplicates == {MANUAL: 9, WEB: 2}
    nested = [r.where for r in release.repairs if r.kind == "nested copy"]
    assert nested == [f"{WEB}/Scientific_Technical_Diagrams/048/049"]


def test_the_releases_difficulty_values_outside_the_table_are_all_found(release: Loaded) -> None:
    found = textedit.check(release.samples)
    odd = Counter(repair.did.split(",")[0] for repair in found if repair.kind == "difficulty value")
    assert odd == {
        "context_dependency is 1": 13,
        "context_dependency is 3": 1,
        "semantic_linkage is 1": 2,
    }


def test_the_release_loads_in_under_two_seconds() -> None:
    folder = fixture("annotations_all")
    started = time.process_time()  # other processes on the machine are not its fault
    load(folder)
    assert time.process_time() - started < 2


def test_the_complete_samples_have_all_their_pictures_and_their_masks_agree() -> None:
    loaded = load(fixture("samples"))
    assert len(loaded.samples) == 33
    assert not kinds(loaded)["missing picture"]
    for sample in loaded.samples[::8]:
        shapes = {d.rgb.shape for d in (sample.request.source, sample.reference, *sample.masks)}
        assert shapes == {(1024, 1024, 3)}


def test_the_complete_samples_regions_are_counted_and_no_mask_stays_decoded() -> None:
    samples = load(fixture("samples")).samples
    found = textedit.check(samples)
    wrong = {r.where.split("/", 1)[1] for r in found if r.kind == "difficulty num_text_regions"}
    assert wrong == {"Data_Analytics/002", "Packaging_Logistics/036", "Business_Advertising/065"}
    assert not [s for s in samples if "rgb" in vars(s.masks[-1]) or "_read" in vars(s.masks[-1])]
