"""Text, Markdown, CSV, LaTeX and JSON: the same numbers, and nothing a name can break."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_run import HOSTILE, Made, make_run, make_sample, usual_run

from overpaint import report
from overpaint.errors import StoreError
from overpaint.report import exports, text_table, write_report
from overpaint.report.tables import Tables, read_tables
from overpaint.report.text import WIDTH, wide
from overpaint.report.wording import helpful_command, plain
from overpaint.store import Store, Vote


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    with Store.open(usual_run(tmp_path_factory.mktemp("run"))) as store:
        return read_tables(store)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """Every name in the run is an attack."""
    folder = tmp_path_factory.mktemp("hostile")
    samples = [
        make_sample(folder / "data", text, n, tags={"operation": text, "split": text})
        for n, text in enumerate(HOSTILE)
    ]
    edits: dict[str, list[Made | None]] = {
        f"{text}=outputs:x": [Made(9, 4.0, 0.5)] * (len(HOSTILE) - 1) + [Made(None, reason=text)]
        for text in HOSTILE
    }
    run = make_run(folder, samples, edits, benchmark=HOSTILE[0], card_id=HOSTILE[5])
    with Store.open(run) as store:
        return read_tables(store)


# ── text ────────────────────────────────────────────────────────────────────────────────────


def test_the_terminals_table_says_value_interval_direction_coverage_and_best(
    tables: Tables,
) -> None:
    text = text_table(tables)
    lines = text.splitlines()
    assert "mse ↓" in text
    assert "ssim ↑" in text
    good = next(line for line in lines if line.startswith("good"))
    assert re.search(r"0\.90\d ±0\.00\d\*$", good)
    poor = next(line for line in lines if line.startswith("poor"))
    assert poor.count("75%") == 2
    assert poor.endswith("62%")
    assert any(line.startswith("identity (floor)") and "identical" in line for line in lines)
    assert any(line.startswith("truth (ceiling)") for line in lines)


def test_the_terminals_table_fits_and_its_columns_line_up(tables: Tables, hostile: Tables) -> None:
    for one in (tables, hostile):
        text = text_table(one)
        assert max(map(len, text.splitlines())) <= WIDTH
        assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e\u2028]", text)


def test_names_of_two_columns_a_letter_leave_the_columns_in_line(tmp_path: Path) -> None:
    samples = [make_sample(tmp_path / "data", f"a/{n}", n) for n in range(2)]
    names = ("plain", "文字編集", "한글편집기", "e\u0301dite\u0301", "長" * 40)
    edits: dict[str, list[Made | None]] = {
        f"{name}=outputs:x": [Made(9, 4.0, 0.5)] * 2 for name in names
    }
    with Store.open(make_run(tmp_path, samples, edits)) as store:
        lines = text_table(read_tables(store)).splitlines()[2:9]
    assert {wide(line.rstrip("*")) for line in lines[2:]} == {wide(lines[2].rstrip("*"))}
    assert wide(lines[1]) <= WIDTH
    assert wide("文字") == 4
    assert wide("e\u0301") == 1


def test_no_escape_of_a_name_reaches_the_terminal(tmp_path: Path) -> None:
    samples = [make_sample(tmp_path / "data", "a")]
    name = "\x1b[31mred\x1b]0;title\x07\x9b2J\u202ereversed\u061c\u200b"
    run = make_run(tmp_path, samples, {f"{name}=outputs:x": [Made(9, 4.0, 0.5)]}, benchmark=name)
    with Store.open(run) as store:
        text = text_table(read_tables(store))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u061c\u200b]", text)
    assert plain("half \ud83d a letter") == "half   a letter"


def test_scores_with_different_weights_are_told_below_the_table(tmp_path: Path) -> None:
    samples = [make_sample(tmp_path / "data", f"a/{n}", n) for n in range(2)]
    made = [Made(9, 4.0, 0.5, (f"by CLIP tiny (sha256 {hash_})",))
            for hash_ in ("0123456789ab", "ba9876543210")]  # fmt: skip
    with Store.open(make_run(tmp_path / "run", samples, {"mine": made})) as store:
        tables = read_tables(store)
        page = write_report(store, tmp_path / "report").read_text()
    told = "ssim: its scores were made with different weights of CLIP and do not compare"
    assert told in " ".join(text_table(tables).split())
    assert exports.in_markdown(told) in exports.markdown(tables)
    assert f">{told}" in page


def test_a_run_without_scores_has_a_sentence_instead_of_a_table(tmp_path: Path) -> None:
    with Store.open(make_run(tmp_path, [], {})) as store:
        assert "Nothing has been scored yet." in text_table(read_tables(store))


# ── Markdown and LaTeX ──────────────────────────────────────────────────────────────────────


def cells(line: str) -> list[str]:
    return re.split(r"(?<!\\)\|", line)


def test_no_name_adds_a_cell_to_a_markdown_table(hostile: Tables) -> None:
    blocks = exports.markdown(hostile).split("\n\n")
    tables = [block.strip().splitlines() for block in blocks if block.strip().startswith("|")]
    assert len(tables) == 1 + 2 * len(hostile.measures)
    for lines in tables:
        assert len(lines) == 2 + len(HOSTILE)
        assert len({len(cells(line)) for line in lines}) == 1


@given(st.text())
def test_markdown_leaves_no_markup_of_outside_text_alive(text: str) -> None:
    made = exports.in_markdown(text)
    assert not re.search(r"(?<!\\)(\\\\)*[`*_\[\]<>|$~&]", made.replace("\\\\", ""))
    assert "\n" not in made


@given(st.text())
def test_latex_leaves_no_command_of_outside_text_alive(text: str) -> None:
    made = exports.in_latex(text)
    ours = {re.escape(value) for key, value in exports._LATEX.items() if "\\" in value}
    rest = re.sub("|".join(sorted(ours, key=len, reverse=True)), "", made)
    assert not re.search(r"[\\{}$&#%_^~]", rest)


def test_the_latex_table_has_one_column_for_each_measure_in_every_row(hostile: Tables) -> None:
    body = exports.latex(hostile).split(r"\toprule")[1].split(r"\bottomrule")[0]
    rows = [line for line in body.splitlines() if line.endswith(r"\\")]
    assert len(rows) == len(hostile.entries) + 1
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) == 1 + len(hostile.measures)  # and n


def test_the_best_value_is_bold_in_latex_and_named_in_markdown(tables: Tables) -> None:
    good = next(line for line in exports.latex(tables).splitlines() if line.startswith("good"))
    assert good.count(r"\textbf{") == 3
    markdown = exports.markdown(tables)
    assert next(li for li in markdown.splitlines() if li.startswith("| good")).count("best") == 3


def test_coverage_below_all_stands_beside_the_value_in_every_form(tables: Tables) -> None:
    poor = next(line for line in exports.latex(tables).splitlines() if line.startswith("poor"))
    assert poor.count(r"75 \%}") == 2
    assert poor.count(r"62 \%}") == 1
    good = next(line for line in exports.latex(tables).splitlines() if line.startswith("good"))
    assert r"\%" not in good
    parts = exports.markdown(tables).split("## By operation")[1]
    ssim = parts.split("ssim")[1].splitlines()
    assert re.search(r"delete \| 4 \| 0\.9\d\d \| 0\.50\d \(50 %\) \|", "\n".join(ssim))


# ── CSV and JSON ────────────────────────────────────────────────────────────────────────────


def test_the_csv_keeps_every_digit_and_all_that_is_known(tables: Tables) -> None:
    rows = list(csv.DictReader(io.StringIO(exports.summary_csv(tables))))
    assert len(rows) == len(tables.slices) * len(tables.entries) * len(tables.measures)
    for row in rows:
        if row["tag"] == "all" and row["editor"] == "good" and row["measure"] == "mse":
            summary = tables.at(tables.entries[0], tables.measures[0])
            assert float(row["value"]) == summary.value
            assert (int(row["n"]), float(row["coverage"])) == (summary.n, summary.coverage)
    assert next(row for row in rows if row["editor"] == "identity")["role"] == "floor"


@given(st.text(), st.sampled_from(["=", "+", "-", "@", "\t", " =", "\r"]))
def test_no_cell_of_a_csv_is_a_formula(text: str, start: str) -> None:
    assert exports.in_csv(start + text) == "'" + start + text


def test_numbers_in_a_csv_are_left_alone() -> None:
    assert exports.in_csv(-1.5) == -1.5
    assert exports.in_csv(None) is None


def test_every_score_is_in_the_second_csv(tmp_path: Path) -> None:
    with Store.open(usual_run(tmp_path)) as store:
        rows = list(csv.DictReader(io.StringIO("".join(exports.scores_csv(store)))))
        assert len(rows) == store.counts()["scores"]
    noted = next(r for r in rows if r["status"] == "unavailable")
    assert (noted["value"], noted["measure"]) == ("", "ssim")


@pytest.mark.parametrize("broken", ["a\nb", "a\rb", "x\n=1+1", "x\r=1+1", 'a,"b"\r\n', "\n=1"])
def test_a_line_break_in_an_id_a_reason_or_a_note_breaks_no_line(
    tmp_path: Path, broken: str
) -> None:
    samples = [make_sample(tmp_path / "data", name, n) for n, name in enumerate(("a", broken))]
    made = [Made(9, 4.0, 0.5, (broken,)), Made(None, reason=broken)]
    with Store.open(make_run(tmp_path / "run", samples, {"mine": made})) as store:
        text = "".join(exports.scores_csv(store))
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert len(rows) == store.counts()["scores"] == 6
    told = exports.in_csv(broken)
    assert [row["sample"] for row in rows] == ["a"] * 3 + [told] * 3
    assert {row["reason"] for row in rows[3:]} == {f"editor_failed: {broken}"}
    assert told in [row["notes"] for row in rows]
    assert [row["seconds"] for row in rows] == ["0.0"] * 6
    vote = Vote(broken, "one", "two", "vote", 1.0, "ok", broken, (broken,))
    (row,) = csv.DictReader(io.StringIO("".join(exports.votes_csv([vote])), newline=""))
    assert [row["sample"], row["reason"], row["notes"]] == [told] * 3


@pytest.mark.slow
def test_the_scores_of_a_large_run_are_written_beside_and_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = usual_run(tmp_path / "run")
    with Store.open(run) as store:
        write_report(store, tmp_path / "one")
        monkeypatch.setattr(report, "_MANY", 1)
        write_report(store, tmp_path / "two")
        (tmp_path / "three" / "scores.csv").mkdir(parents=True)
        with pytest.raises(StoreError, match=r"scores\.csv cannot be written"):
            write_report(store, tmp_path / "three")
    one, two = (tmp_path / name / "scores.csv" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_the_json_holds_the_tables_and_stays_json_whatever_the_names(hostile: Tables) -> None:
    body = json.loads(exports.as_json(hostile))
    assert [entry["name"] for entry in body["editors"]] == [e.name for e in hostile.entries]
    first = body["results"][0]
    summary = hostile.at(hostile.entries[0], hostile.measures[0])
    assert first["value"] == summary.value
    assert first["statuses"]["ok"] == summary.scored


# ── words ───────────────────────────────────────────────────────────────────────────────────


@given(st.text())
def test_plain_text_is_one_line_without_controls(text: str) -> None:
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]", plain(text))


@pytest.mark.parametrize(
    ("status", "reason", "command"),
    [
        ("unavailable", "No weights. `overpaint get lpips` gets them.", "overpaint get lpips"),
        ("unavailable", "Get them: overpaint get lpips", "overpaint get lpips"),
        ("editor_failed", "It broke.", "overpaint retry RUN"),
        ("not_run", "", "overpaint run"),
        ("refused", "It would not.", ""),
    ],
)
def test_a_failure_names_the_command_that_helps(status: str, reason: str, command: str) -> None:
    assert helpful_command(status, reason) == command
