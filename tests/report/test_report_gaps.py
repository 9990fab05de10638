"""How much of the way from the source to the truth: in the terminal, the page and the exports."""

import csv
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from made_pages import paged_run
from made_run import Made, make_run, usual_run
from made_run import make_sample as made_sample

from overpaint import catalog
from overpaint.measures.gap import Gap
from overpaint.report import exports, text_table, write_report
from overpaint.report.gaps import gap_notes
from overpaint.report.tables import Tables, read_tables
from overpaint.report.text import WIDTH
from overpaint.store import Store


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return paged_run(tmp_path_factory.mktemp("pages"))


def tables_of(run: Path) -> Tables:
    with Store.open(run) as store:
        return read_tables(store)


def test_the_terminal_tells_the_share_of_the_way_with_its_interval_local_first(run: Path) -> None:
    lines = text_table(tables_of(run)).splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("How much of the way"))
    assert "(0 %: identity, 100 %: truth)" in lines[start]
    head, _, half, worse = lines[start + 2 : start + 6]
    assert head.split()[-3:] == ["cdm_local", "cdm_global", "ssim"]
    assert re.match(r"half +50\.0 ±\d\.\d +50\.0 ±\d+\.\d ", half)
    assert "−125 ±" in worse
    assert max(map(len, lines)) <= WIDTH


def test_every_form_of_the_report_tells_the_same_share(run: Path, tmp_path: Path) -> None:
    with Store.open(run) as store:
        page = write_report(store, tmp_path / "report")
    told = list(csv.DictReader((page.parent / "gaps.csv").open()))
    assert [row["measure"] for row in told] == ["cdm_local"] * 2 + ["cdm_global"] * 2 + ["ssim"] * 2
    assert float(told[0]["share"]) == pytest.approx(0.5)
    body = json.loads((page.parent / "report.json").read_text())
    assert body["gaps"][0]["share"] == float(told[0]["share"])
    assert body["no_gaps"] is None
    text = page.read_text()
    assert "How much of the way from the source to the truth" in text
    section = text[text.index('id="gap"') : text.index('id="plots"')]
    assert section.index("cdm_local") < section.index("cdm_global") < section.index(">ssim<")
    assert "50.0 %" in section
    assert section.count('class="bar"') == 6
    assert "50.0 % (" in exports.markdown(tables_of(run))


@pytest.mark.parametrize(
    ("editors", "told"),
    [
        (("half=outputs:half", "identity"), "the run has no `truth` row"),
        (("half=outputs:half", "truth"), "the run has no `identity` row"),
        (("half=outputs:half",), "the run has no `identity` and no `truth` row"),
        (("identity", "truth"), "the run has no editor beside floors and ceilings"),
    ],
)
def test_a_run_without_the_ends_says_so_in_one_line(
    tmp_path: Path, editors: tuple[str, ...], told: str
) -> None:
    run = paged_run(tmp_path, samples=2, editors=editors)
    text = " ".join(text_table(tables_of(run)).split())
    assert f"How much of the way from the source to the truth: {told}" in text.replace(
        "not known, as ", ""
    )
    with Store.open(run) as store:
        page = write_report(store, tmp_path / "report").read_text()
    assert told.split("`")[0] in page.lower()
    assert json.loads((tmp_path / "report" / "report.json").read_text())["gaps"] == []


def test_where_the_source_is_as_good_as_the_truth_the_reason_stands_for_the_table(
    tmp_path: Path,
) -> None:
    tables = tables_of(usual_run(tmp_path))
    assert "truth is no better than identity: there is no gap to close." in " ".join(
        text_table(tables).split()
    )


def test_a_measure_without_shares_is_a_note_below_the_others(tmp_path: Path) -> None:
    samples = [made_sample(tmp_path / "data", f"a/{n}", n) for n in range(6)]
    edits: dict[str, list[Made | None]] = {
        "ours=outputs:x": [Made(9, 4.0, 0.7)] * 5 + [Made(None, reason="no")],
        "identity": [Made(9, 4.0, 0.5)] * 6,
        "truth": [Made(9, 4.0, 0.9)] * 6,
    }
    text = text_table(tables_of(make_run(tmp_path, samples, edits)))
    assert re.search(r"ours +50\.0 ±0\.0 5/6", text)
    assert "mse, psnr: truth is no better than identity: there is no gap to close." in text


def test_a_score_of_an_editors_means_has_no_share_and_is_not_said_to_lack_numbers() -> None:
    names = ("milde_partial", "cdm_local")
    lacking = ("no sample has a number for truth",)
    tables: Any = SimpleNamespace(
        measures=tuple(catalog.measure(name) for name in names),
        gaps=tuple(Gap("ours", name, 0, notes=lacking) for name in names),
    )
    once, missing = gap_notes(tables)
    assert once.startswith("milde_partial: made once from an editor's means")
    assert missing == "cdm_local: no sample has a number for truth."
