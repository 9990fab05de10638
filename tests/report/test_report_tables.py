"""The tables of a run: denominators, means, order, slices."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from made_run import Made, make_run, make_sample, usual_run

from overpaint import catalog
from overpaint.report.tables import ALL, Entry, Slice, Tables, read_tables
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
