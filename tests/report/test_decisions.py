"""The table of layer decisions: editors beside those who look at nothing."""

import json
from pathlib import Path

import pytest
from layered_runs import layered_run
from made_run import usual_run
from test_report_page import Reader, write

from overpaint.measures.milde_layers import floors_of
from overpaint.report import read_tables, text_table
from overpaint.report.decisions import decisions_sheet, undecided
from overpaint.report.results import leaderboard
from overpaint.store import Store


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return layered_run(tmp_path_factory.mktemp("decided"), samples=1)


@pytest.fixture(scope="module")
def page(run: Path) -> Path:
    return write(run)


def test_the_three_rows_that_look_at_nothing_stand_below_the_editors(run: Path) -> None:
    with Store.open(run) as store:
        sheet, floors = decisions_sheet(read_tables(store)), floors_of(store.samples())
    assert sheet is not None
    assert sheet.heads == (
        "editor", "accuracy %", "balanced %", "precision %", "recall %", "kept %", "exact set %"
    )  # fmt: skip
    assert [row[0] for row in sheet.rows] == [
        "agent", "flat", "truth (ceiling)", "identity (floor)", *floors
    ]  # fmt: skip
    # Six layers are seen, of which sun, headline and date must change.
    rows = {str(row[0]): row[1:] for row in sheet.rows}
    assert rows["never edit"] == ("50.0", "50.0", "–", "0.0", "100.0", "0.0")
    assert rows["edit all"] == ("50.0", "50.0", "50.0", "100.0", "0.0", "0.0")
    assert rows["edit all text"] == ("66.7", "66.7", "66.7", "66.7", "66.7", "0.0")
    # The agent spoke of five layers, of one unreadably, and left one out, which is kept.
    assert rows["agent"] == ("83.3", "83.3", "100.0", "100.0", "66.7", "0.0")
    assert rows["flat"][0] == "not applicable"


def test_the_sheet_is_on_the_page_in_the_terminal_and_in_the_exports(run: Path, page: Path) -> None:
    read = Reader(page)
    assert ("id", "decisions") in read.attributes
    with Store.open(run) as store:
        text = text_table(read_tables(store))
    told = (page.parent / "report.md").read_text()
    for part in ("never edit", "edit all text", "balanced"):
        assert part in read.text
        assert part in text
        assert part in told
    assert max(map(len, text.splitlines())) <= 100
    floors = json.loads((page.parent / "report.json").read_text())["layer_floors"]
    assert floors["never edit"]["layer_precision"] is None
    assert floors["edit all"]["layer_recall"] == 100


def test_a_share_of_decisions_stands_in_its_own_table_and_not_among_the_results(
    tmp_path: Path,
) -> None:
    with Store.open(layered_run(tmp_path, samples=1)) as store:
        alone = read_tables(store)
        assert undecided(alone) == alone.measures  # there is nothing else to show
        store.add_measure("mse", "mse", "1")
        tables = read_tables(store)
    assert [measure.name for measure in undecided(tables)] == ["mse"]
    board, _, decisions = text_table(tables).partition("Layer decisions")
    assert "mse" in board
    assert "layer_" not in board
    assert "recall %" in decisions
    assert "mse" in str(leaderboard(tables, undecided(tables)))
    assert "layer_" not in str(leaderboard(tables, undecided(tables)))


def test_a_run_without_such_scores_has_no_such_sheet(tmp_path: Path) -> None:
    page = write(usual_run(tmp_path, samples=4))
    assert ("id", "decisions") not in Reader(page).attributes
    assert "layer_floors" not in json.loads((page.parent / "report.json").read_text())
    with Store.open(tmp_path) as store:
        assert decisions_sheet(read_tables(store)) is None
