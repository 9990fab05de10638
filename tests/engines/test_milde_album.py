"""An album of MiLDE designs: what is written is what the benchmark reads."""

import json
from pathlib import Path

import pytest

from overpaint.benchmarks.milde import load_set
from overpaint.document import Document
from overpaint.engines.album import engines
from overpaint.engines.milde import album
from overpaint.engines.milde.generate import make
from overpaint.errors import UserMistake


def test_a_set_is_written_whole_and_read_back_as_it_was_made(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    revision = album.write(
        tmp_path / "set", count=3, seed=6, progress=lambda *done: told.append(done)
    )
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert json.loads((tmp_path / "set" / "manifest.json").read_text())["revision"] == revision
    loaded = load_set(tmp_path / "set")
    assert loaded.repairs == ()
    assert [sample.id for sample in loaded.samples] == ["design-0001", "design-0002", "design-0003"]
    made, sample = make(2, seed=6), loaded.samples[2]
    assert Document(sample.request.source.path) == made.source
    assert sample.target == made.truth
    assert sample.request.instruction == made.entry["instruction"]
    for fact in ("layers", "gold", "layer_instructions", "steps", "texts", "questions"):
        assert sample.facts[fact] == made.entry[fact]
    assert sample.tags["split"] == "held-out"
    assert sample.cluster == "design-0003"


def test_no_set_is_written_over_something_or_without_a_sample(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UserMistake, match="already there and holds something"):
        album.write(tmp_path, count=1)
    with pytest.raises(UserMistake, match="A set of 0 designs was asked for"):
        album.write(tmp_path / "set", count=0)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(UserMistake, match="The set cannot be written to"):
        album.write(tmp_path / "file" / "set", count=1)


@pytest.mark.slow
def test_the_built_in_set_is_the_one_its_revision_names(tmp_path: Path) -> None:
    revision = album.write(tmp_path / "set", workers=2)
    if engines() == album.ENGINES:
        assert revision == album.REVISION
    samples = load_set(tmp_path / "set").samples
    assert len(samples) == album.COUNT
    for tag, values in (("split", ("known", "held-out")), ("language", ("English", "Chinese"))):
        assert [sum(s.tags[tag] == value for s in samples) for value in values] == [100, 100]
    layers = sum(len(s.facts["layers"]) for s in samples) / len(samples)
    edited = sum(len(s.facts["gold"]) for s in samples) / len(samples)
    assert 4.2 < layers < 4.8  # MiLDE: 4.45
    assert 1.5 < edited < 1.8  # MiLDE: 1.66


@pytest.mark.slow
def test_workers_draw_the_same_set(tmp_path: Path) -> None:
    one = album.write(tmp_path / "one", count=2)
    assert album.write(tmp_path / "other", count=2, workers=2) == one
