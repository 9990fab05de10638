"""Sources that a benchmark has, too, are found under any name and left out."""

from pathlib import Path

import numpy as np
import pytest

from overpaint import catalog
from overpaint.document import Document
from overpaint.errors import OverpaintError
from overpaint.training.leakage import (
    Known,
    benchmark_sources,
    checked,
    compare,
    known,
    one_name,
)


@pytest.fixture(scope="module")
def scenes() -> dict[str, Document]:
    samples = catalog.benchmark("demo").load(None).samples
    return {sample.id: Document.of(sample.request.source.rgb) for sample in samples[:6]}


def test_a_copy_under_another_name_is_found_and_told(scenes: dict[str, Document]) -> None:
    first, second, *_ = scenes
    mine = _known({"holiday": Document.of(scenes[first].rgb[::2, ::2]), "own": _noise(1)})
    found = compare(mine, _known(scenes), "demo")
    (leak,) = found.leaks
    assert (leak.source, leak.like, leak.mirrored) == ("holiday", first, False)
    assert found.told.startswith("1 of 2 sources look like ones of demo and are left out;")
    assert second not in found.told


def test_one_picture_of_several_that_a_source_has_is_enough(scenes: dict[str, Document]) -> None:
    first, second, *_ = scenes
    mine = known({"a": (_noise(1), scenes[first], scenes[second]), "b": (_noise(2),)})
    found = compare(mine, _known(scenes), "demo")
    assert [leak.source for leak in found.leaks] == ["a"]
    assert found.sources == 2


def test_a_mirror_image_is_a_copy(scenes: dict[str, Document]) -> None:
    first = next(iter(scenes))
    turned = Document.of(np.ascontiguousarray(scenes[first].rgb[:, ::-1]))
    (leak,) = compare(_known({"turned": turned}), _known(scenes), "demo").leaks
    assert (leak.like, leak.mirrored) == (first, True)


def test_other_pictures_and_flat_ones_are_like_nothing(scenes: dict[str, Document]) -> None:
    mine = {f"noise {n}": _noise(n) for n in range(5)} | {"flat": _flat(), "white": _flat(255)}
    found = compare(_known(mine), _known({**scenes, "grey": _flat()}), "demo")
    assert not found.leaks
    assert found.told == "None of 5 sources looks like one of the 6 of demo."
    assert not compare(_known({"flat": _flat()}), _known({"flat": _flat()}), "itself").leaks


def test_one_picture_under_several_names_is_one_source(scenes: dict[str, Document]) -> None:
    first, second, *_ = scenes
    small, turned = scenes[first].rgb[::2, ::2], np.ascontiguousarray(scenes[first].rgb[:, ::-1])
    more = {"small": Document.of(small), "turned": Document.of(turned), "flat": _flat()}
    found = one_name(_known({**scenes, **more}))
    assert found["small"] == found["turned"] == found[first] == first
    assert found[second] == second
    assert "flat" not in found


@pytest.mark.slow
def test_every_source_of_a_benchmark_is_found_in_itself() -> None:
    sources = benchmark_sources("demo")
    (found,) = checked(known(sources), ["demo"])
    assert {leak.source for leak in found.leaks} == set(sources)
    assert all(leak.bits == 0 for leak in found.leaks)


def test_what_is_neither_a_run_nor_a_benchmark_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OverpaintError, match="'ebnch' is neither a benchmark nor a run's folder"):
        benchmark_sources("ebnch")
    with pytest.raises(OverpaintError, match="There is no run in"):
        benchmark_sources(str(tmp_path))


def _known(sources: dict[str, Document]) -> Known:
    return known({name: (document,) for name, document in sources.items()})


def _noise(seed: int) -> Document:
    return Document.of(np.random.default_rng(seed).integers(0, 256, (40, 60, 3), np.uint8))


def _flat(level: int = 128) -> Document:
    return Document.of(np.full((40, 60, 3), (level, 40, 90), np.uint8))
