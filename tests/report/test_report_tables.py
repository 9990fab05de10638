"""The tables of a run: denominators, means, order, slices."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from made_run import Made, make_run, make_sample, usual_run

from overpaint import catalog
from overpaint.core import Edit, Score
from overpaint.report import text_table
from overpaint.report.tables import ALL, Entry, Slice, Tables, read_tables
from overpaint.report.wording import absence
from overpaint.store import Store

GOOD, POOR = Entry("good", "editor"), Entry("poor", "editor")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return usual_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def tables(run: Path) -> Iterator[Tables]:
    with Store.open(run) as store:
        yield read_tables(store)


def test_a_sample_without_a_row_stays_in_the_denominator(tables: Tables) -> None:
    summary = tables.at(POOR, catalog.measure("mse"))
    assert (summary.n, summary.scored) == (8, 6)
    assert tables.why(POOR, catalog.measure("mse")).statuses == {
        "ok": 6, "no_edit": 1, "not_run": 1,
    }  # fmt: skip


def test_the_value_is_the_mean_of_the_scores_and_psnr_that_of_the_mean_error(
    tables: Tables,
) -> None:
    errors = tables.scores(GOOD, catalog.measure("mse"))
    assert tables.at(GOOD, catalog.measure("mse")).value == pytest.approx(np.mean(errors))
    expected = 10 * np.log10(255**2 / np.mean(errors))
    assert tables.at(GOOD, catalog.measure("psnr")).value == pytest.approx(expected)


def test_editors_come_first_and_best_first_then_ceilings_then_floors(tables: Tables) -> None:
    for measure in tables.measures:
        names = [entry.name for entry in tables.ranked(measure)]
        assert names == ["good", "poor", "truth", "identity"]


def test_only_editors_compete_for_best(tables: Tables) -> None:
    assert tables.best(catalog.measure("mse")) == {"good"}  # identity has an error of 0


def test_the_samples_of_a_tags_slices_add_up_to_all(tables: Tables) -> None:
    for parts in tables.tags().values():
        assert sum(tables.slices[part] for part in parts) == tables.slices[ALL] == 8


def test_a_slice_counts_its_own_samples_only(tables: Tables) -> None:
    summary = tables.at(POOR, catalog.measure("ssim"), Slice("operation", "delete"))
    assert (summary.n, summary.scored) == (4, 2)


def test_an_editor_that_has_not_begun_is_in_every_table_with_nothing(tmp_path: Path) -> None:
    samples = [make_sample(tmp_path / "data", "a", 0)]
    run = make_run(tmp_path, samples, {"done": [Made(9, 4.0, 0.5)], "idle": [None]})
    with Store.open(run) as store:
        tables = read_tables(store)
    summary = tables.at(Entry("idle", "editor"), catalog.measure("mse"))
    assert (summary.n, summary.scored, summary.value) == (1, 0, None)
    assert tables.why(Entry("idle", "editor"), catalog.measure("mse")).missing == "not_run"


def test_a_floor_is_known_by_its_spec_whatever_it_is_called(tmp_path: Path) -> None:
    samples = [make_sample(tmp_path / "data", "a", 0)]
    run = make_run(tmp_path, samples, {"mine=identity": [None], "identity=outputs:x": [None]})
    with Store.open(run) as store:
        assert {e.name: e.role for e in read_tables(store).entries} == {
            "identity": "editor", "mine": "floor",
        }  # fmt: skip


# ── who is best where something is missing ──────────────────────────────────────────────────


def scored(folder: Path, **ssim: list[float | None]) -> Tables:
    """A run in which each editor has these SSIM values; None: the editor failed."""
    n = max(map(len, ssim.values()))
    samples = [make_sample(folder / "data", f"a/{at:03}", at) for at in range(n)]
    edits = {
        f"{name}=outputs:x": [
            Made(None, reason="no") if value is None else Made(9, 4.0, value) for value in values
        ]
        for name, values in ssim.items()
    }
    with Store.open(
        make_run(folder, samples, {name: [*made] for name, made in edits.items()})
    ) as s:
        return read_tables(s)


SSIM = catalog.measure("ssim")


def test_a_survivor_is_neither_best_nor_first(tmp_path: Path) -> None:
    tables = scored(tmp_path, survivor=[0.95, *[None] * 9], steady=[0.9] * 10)
    assert tables.at(Entry("survivor", "editor"), SSIM).value == 0.95
    assert tables.best(SSIM) == frozenset()
    assert tables.leading(SSIM) == {"survivor"}
    assert [entry.name for entry in tables.ranked(SSIM)] == ["steady", "survivor"]


def test_best_is_who_stays_best_whatever_the_missing_scores_are(tmp_path: Path) -> None:
    tables = scored(tmp_path, a=[0.9] * 10, b=[0.2] * 9 + [None], c=[0.5] * 10)
    assert tables.best(SSIM) == {"a"}
    assert tables.leading(SSIM) == frozenset()
    near = scored(tmp_path / "near", a=[0.9] * 10, b=[0.89] * 9 + [None])
    assert near.best(SSIM) == frozenset()
    tie = scored(tmp_path / "tie", a=[0.9, 0.7], b=[0.9, 0.7])
    assert tie.best(SSIM) == {"a", "b"}


def test_an_editor_that_could_still_be_anything_leaves_no_best(tmp_path: Path) -> None:
    tables = scored(tmp_path, a=[0.9] * 4, unheard=[None] * 4)
    assert tables.best(SSIM) == frozenset()
    assert scored(tmp_path / "alone", a=[0.9] * 4).best(SSIM) == frozenset()


def test_rows_outside_the_count_never_explain_what_is_missing(tmp_path: Path) -> None:
    samples = [make_sample(tmp_path / "data", f"a/{at}", at) for at in range(10)]
    run = make_run(tmp_path, samples, {"one=outputs:x": [None] * 10})
    with Store.open(run) as store:
        for at, sample in enumerate(samples):
            edit = Edit(sample, "one", "ok", sample.request.source)
            outside = Score(edit, "ssim", None, "not_applicable", "Smaller than a window.")
            broken = Score(edit, "ssim", None, "measure_failed", "It broke.")
            store.put_edit(edit)
            store.put_scores([outside if at < 6 else broken], {})
        tables = read_tables(store)
    causes, summary = tables.why(Entry("one", "editor"), SSIM), tables.at(tables.entries[0], SSIM)
    assert (summary.n, causes.missing, causes.reason) == (4, "measure_failed", "It broke.")
    assert absence(summary, causes) == "measure failed"
    assert causes.statuses == {"not_applicable": 6, "measure_failed": 4}
    assert causes.lacking == {"measure_failed": 4}


def test_identical_pictures_have_a_word_of_their_own_and_lack_nothing(tables: Tables) -> None:
    identity = Entry("identity", "floor")
    causes = tables.why(identity, catalog.measure("psnr"))
    assert causes.statuses == {"identical": 8}
    assert causes.lacking == {}


def test_a_table_makes_no_breakdown_until_one_is_asked_for(run: Path) -> None:
    with Store.open(run) as store:
        tables = read_tables(store)
    text_table(tables)
    assert list(tables._summaries) == [""]
    tables.at(GOOD, SSIM, Slice("operation", "delete"))
    assert list(tables._summaries) == ["", "operation"]
