"""Probes: what is drawn, that it is what it says, and the benchmark that lists it."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from conftest import make_sample, picture
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.benchmarks.audit import audit
from overpaint.core import Sample
from overpaint.document import Document
from overpaint.editors.outputs import Outputs
from overpaint.engines.damages import DAMAGES, LEVELS, Base, Damage, written
from overpaint.engines.probes import ALL, BY_NAME, PROBES, chosen, make_probes, picked
from overpaint.errors import DataError, UserMistake
from overpaint.measures.pixel import mse


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    folder = tmp_path_factory.mktemp("bases")
    return [make_sample(folder, f"a/{n:03}", n) for n in range(3)]


@pytest.fixture(scope="module")
def drawn(samples: list[Sample], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    make_probes(samples, folder)
    return folder


def page(word: bool = True) -> Base:
    """A page of text-like bars, five of which the edit wrote."""
    source = np.full((80, 120, 3), 230, np.uint8)
    source[10:30:4, 10:110] = 40
    truth = source.copy()
    for n in range(5 if word else 0):
        truth[50:66, 12 + 20 * n : 22 + 20 * n] = 30
    region = np.zeros((80, 120), bool)
    region[46:70, 6:114] = True
    return Base(source, truth, region, picture(9), 7)


# ── damages ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32))
def test_a_stronger_level_is_never_nearer_to_the_truth(damage: Damage, seed: int) -> None:
    base = page()
    base = Base(base.source, base.truth, base.region, base.other, seed)
    errors = [mse(base.truth, damage.spoil(base, level)) for level in range(LEVELS + 1)[1:]]
    slack = 0.15 if damage.name in ("jpeg", "shift") else 1e-9  # bars may fall on bars again
    assert errors[0] > 0
    assert all(b >= a * (1 - slack) for a, b in pairwise(errors))


def test_a_patch_leaves_the_edit_alone_and_lost_letters_leave_the_rest() -> None:
    base = page()
    by_name = {damage.name: damage for damage in DAMAGES}
    for level in range(1, LEVELS + 1):
        patched = by_name["patch"].spoil(base, level)
        assert (patched == base.truth)[base.region].all()
        lost = by_name["letters"].spoil(base, level)
        assert (lost == base.truth)[~base.region].all()


def test_letters_are_what_the_edit_wrote_one_by_one() -> None:
    base = page()
    assert len(written(base.source, base.truth, base.region)) == 5
    assert written(base.truth, base.truth, base.region) == []
    letters = next(damage for damage in DAMAGES if damage.name == "letters")
    gone = letters.spoil(base, LEVELS)
    assert np.abs(gone.astype(int) - base.source).max() <= 8


def test_an_edit_that_wrote_nothing_loses_no_letters() -> None:
    letters = next(damage for damage in DAMAGES if damage.name == "letters")
    assert letters.spoil(page(word=False), 1) is None


# ── probes ──────────────────────────────────────────────────────────────────────────────────


def test_the_same_seed_draws_the_same_pixels(
    samples: list[Sample], drawn: Path, tmp_path: Path
) -> None:
    def paths(folder: Path) -> list[str]:
        return [json.loads(line)["path"] for line in (folder / PROBES).read_text().splitlines()]

    make_probes(samples, tmp_path / "same")
    make_probes(samples, tmp_path / "other", seed=1)
    assert paths(tmp_path / "same") == paths(drawn)
    differing = [a for a, b in zip(paths(drawn), paths(tmp_path / "other"), strict=True) if a != b]
    assert differing


def test_every_probe_is_a_sample_whose_output_lies_in_the_run(drawn: Path) -> None:
    loaded = audit.load(drawn).samples
    assert len({sample.id for sample in loaded}) == len(loaded)
    editor = Outputs(str(drawn / PROBES))
    for sample in loaded:
        assert sample.tags["probe"] in BY_NAME
        assert sample.cluster == sample.tags["base"]
        output = editor(sample.request)
        assert output.path is not None
        assert output.path.is_relative_to(drawn / "pictures")


def probed(drawn: Path, name: str) -> tuple[Sample, Document]:
    sample = next(s for s in audit.load(drawn).samples if s.tags["probe"] == name)
    return sample, Outputs(str(drawn / PROBES))(sample.request)


def test_a_png_has_the_truths_pixels_in_other_bytes(drawn: Path) -> None:
    sample, output = probed(drawn, "png")
    assert sample.target is not None
    assert np.array_equal(output.rgb, sample.target.rgb)
    assert output.key != sample.target.key


def test_a_repeat_asks_the_same_again_as_another_turn(drawn: Path) -> None:
    (first, before), (again, after) = (probed(drawn, n) for n in ("noise-2", "again-noise"))
    assert np.array_equal(before.rgb, after.rgb)
    assert before.key != after.key
    assert again.facts["overpaint_turn"] == 1
    assert first.request.instruction == again.request.instruction


def test_source_and_output_are_exchanged(samples: list[Sample], drawn: Path) -> None:
    sample, output = probed(drawn, "swapped")
    assert samples[0].target is not None
    assert np.array_equal(sample.request.source.rgb, samples[0].target.rgb)
    assert np.array_equal(output.rgb, samples[0].request.source.rgb)


def test_samples_with_the_same_instruction_cannot_lend_each_other_a_wrong_one(drawn: Path) -> None:
    assert "instruction" not in {s.tags["probe"] for s in audit.load(drawn).samples}


def test_a_sample_without_a_mask_is_probed_where_source_and_truth_differ(
    samples: list[Sample], tmp_path: Path
) -> None:
    make_probes([replace(sample, masks=()) for sample in samples], tmp_path)
    sample, output = probed(tmp_path, "patch-1")
    assert sample.target is not None
    same = (output.rgb == sample.target.rgb).all(axis=2)
    assert same[10:30, 10:40].all()
    assert not same.all()


def test_samples_are_taken_evenly_and_only_those_with_a_truth(samples: list[Sample]) -> None:
    many = [replace(samples[0], id=str(n)) for n in range(10)]
    assert [sample.id for sample in picked(many, 5)] == ["0", "2", "4", "6", "8"]
    assert len(picked(many, 50)) == 10
    with pytest.raises(UserMistake, match=r"1 of 2 samples have a truth.*needs two or more"):
        picked([samples[0], replace(samples[1], target=None)], 4)


def test_a_group_brings_what_it_is_held_against(samples: list[Sample]) -> None:
    names = [probe.name for probe in chosen(["swapped"])]
    assert names == ["truth", "white", "swapped", "noise-2"]
    assert chosen() == list(ALL)
    with pytest.raises(UserMistake, match="There is no probe 'blanc'. Known are identical, blank"):
        chosen(["blanc"])


# ── the benchmark ───────────────────────────────────────────────────────────────────────────


def test_without_probes_it_says_who_draws_them(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="no built-in data.*`overpaint audit MEASURE` draws"):
        audit.load(None)
    with pytest.raises(DataError, match=r"probes.jsonl cannot be read.*its probes anew"):
        audit.load(tmp_path)


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "a"}', '{"sample": "{}"}', "[" * 100_000])
def test_a_damaged_list_is_told_by_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / PROBES).write_text(f"{line}\n")
    with pytest.raises(DataError, match="line 1 is no probe"):
        audit.load(tmp_path)


@pytest.mark.parametrize("tags", [{}, {"probe": "x", "base": "a"}, {"probe": "truth"}, [], None])
def test_a_sample_that_is_no_probe_is_told(drawn: Path, tmp_path: Path, tags: object) -> None:
    row = json.loads((drawn / PROBES).read_text().splitlines()[0])
    row["sample"] = json.dumps(json.loads(row["sample"]) | {"tags": tags})
    (tmp_path / PROBES).write_text(json.dumps(row))
    with pytest.raises(DataError, match="line 1 is no probe"):
        audit.load(tmp_path)


def test_an_empty_list_is_no_audit(tmp_path: Path) -> None:
    (tmp_path / PROBES).write_text("\n")
    with pytest.raises(DataError, match="lists no probes"):
        audit.load(tmp_path)
