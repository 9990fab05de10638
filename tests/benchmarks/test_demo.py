"""The demo benchmark: the set that ships is whole, exact, and the one our code draws."""

import json
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from overpaint import catalog
from overpaint.benchmarks.demo import REVISION, SHIPPED, demo
from overpaint.benchmarks.textedit_difficulty import check_difficulty, tier
from overpaint.core import Sample
from overpaint.engines.album import engines
from overpaint.engines.documents import album as documents
from overpaint.engines.documents import make, sampler
from overpaint.engines.posters import OPERATIONS, album, draw
from overpaint.errors import DataError, Unavailable

INDEX = json.loads((SHIPPED / "samples.json").read_text(encoding="utf-8"))
SAMPLES = demo.load(None).samples
POSTERS, DOCUMENTS = SAMPLES[:24], SAMPLES[24:]


def test_the_shipped_set_is_the_one_on_the_card() -> None:
    loaded = demo.load(None)
    assert loaded.repairs == ()
    assert REVISION in demo.card.data
    assert catalog.benchmark("demo").card.id == demo.card.id


def test_the_set_has_every_operation_and_both_languages() -> None:
    tags = [sample.tags for sample in POSTERS]
    assert len({sample.id for sample in SAMPLES}) == len(SAMPLES) == 30
    assert Counter(tag["operation"] for tag in tags) == dict.fromkeys(OPERATIONS, 4)
    assert Counter(tag["language"] for tag in tags) == {"English": 12, "Chinese": 12}
    assert len({tag["kind"] for tag in tags}) >= 6
    assert {tag["difficulty"] for tag in tags} >= {"easy", "medium"}
    assert all(set(demo.breakdowns) <= set(tag) for tag in tags)
    assert any(sample.facts["knowledge_prompt"] for sample in POSTERS)
    assert {sample.tags["topic"] for sample in DOCUMENTS} == {"documents"}
    assert {sample.tags["language"] for sample in DOCUMENTS} == {"English", "Chinese"}
    assert len({sample.facts["instruction type"] for sample in DOCUMENTS}) == 5


@pytest.mark.slow
def test_the_shipped_documents_are_the_ones_our_code_sets() -> None:
    listed = json.loads((SHIPPED / "documents/samples.json").read_text(encoding="utf-8"))
    if (here := engines()) != documents.ENGINES:
        pytest.skip(f"the set was made with {documents.ENGINES}, here is {here}")
    for number, entry, sample in zip(sampler.NUMBERS, listed, DOCUMENTS, strict=True):
        made = make(number, seed=sampler.SEED)
        assert sample.target is not None
        np.testing.assert_array_equal(made.source, sample.request.source.rgb)
        np.testing.assert_array_equal(made.truth, sample.target.rgb)
        assert documents.fingerprint(made) == entry["pixels"]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.id)
def test_truth_equals_source_outside_the_mask_in_the_files_themselves(sample: Sample) -> None:
    assert sample.target is not None
    source, truth = sample.request.source.rgb, sample.target.rgb
    may_change = sample.masks[0].rgb.max(axis=2) >= 128
    differs = (source != truth).any(axis=2)
    assert not differs[~may_change].any()
    assert differs[may_change].any()
    assert 0 < may_change.mean() < 0.6
    # Nothing had to be mended in reading them: the notes would show up in every score.
    assert (sample.request.source.notes, sample.target.notes, sample.masks[0].notes) == ((), (), ())


def test_what_can_be_computed_of_difficulty_agrees_with_the_benchmark_it_follows() -> None:
    for sample in POSTERS:
        values = sample.facts["difficulty_values"]
        assert sample.tags["difficulty"] == tier(sum(values))
        # Its reader of quoted text knows no Chinese "and", so of Chinese swaps it counts half.
        if sample.tags["language"] == "English" or sample.tags["operation"] != "relocation":
            assert list(check_difficulty(sample)) == []


def test_the_files_hold_the_pixels_the_index_promises_and_are_small() -> None:
    for entry, sample in zip(INDEX["samples"], POSTERS, strict=True):
        assert sample.target is not None
        mask = np.where(sample.masks[0].rgb[:, :, 0] >= 128, 255, 0).astype(np.uint8)
        pixels = (sample.request.source.rgb, sample.target.rgb, mask)
        assert album.digest(*pixels) == entry["pixels"]
    files = [file for file in SHIPPED.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < 4_000_000


@pytest.mark.slow
def test_our_own_code_draws_the_shipped_set_bit_for_bit_and_quickly() -> None:
    here = album.made_with()
    if here != INDEX["made_with"]:
        pytest.skip(f"the set was made with {INDEX['made_with']}, here is {here}")
    started = time.perf_counter()
    try:
        drawn = [draw(INDEX["seed"], number) for number in range(album.COUNT)]
    except Unavailable as error:
        pytest.skip(str(error))
    assert time.perf_counter() - started < 20
    for number, (poster, entry) in enumerate(zip(drawn, INDEX["samples"], strict=True), 1):
        assert album.entry(f"poster-{number:03d}", poster) == entry


# ── bad input ───────────────────────────────────────────────────────────────────────────


def test_a_folder_without_an_index_is_refused_with_the_command_that_makes_one(
    tmp_path: Path,
) -> None:
    with pytest.raises(DataError, match=r"overpaint\.engines\.posters OUT"):
        demo.load(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '{"samples": []}', '{"samples": 3}',
                                  '{"samples": [1]}', '{"samples": [{"id": "a"}]}'])  # fmt: skip
def test_an_index_that_is_none_is_an_error_not_a_crash(tmp_path: Path, text: str) -> None:
    (tmp_path / "samples.json").write_text(text)
    with pytest.raises(DataError, match="expected|names its pictures"):
        demo.load(tmp_path)


def test_a_picture_outside_the_folder_is_refused(tmp_path: Path) -> None:
    entry = {**INDEX["samples"][0], "truth": "../secret.webp"}
    (tmp_path / "samples.json").write_text(json.dumps({"samples": [entry]}))
    with pytest.raises(DataError, match="outside its folder"):
        demo.load(tmp_path)
