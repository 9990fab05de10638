"""`overpaint audit`: what it prints, keeps and refuses."""

import json
import re
from pathlib import Path

import audited
import pytest

from overpaint.cli import main
from overpaint.cli.auditing import columns_of
from overpaint.errors import StoreError, UserMistake
from overpaint.store import DATABASE, Store
from overpaint.store.claiming import CLAIM
from overpaint.testing import FakeServer

AUDITED = audited.HERE


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return audited.draw(tmp_path / "data", 2)


def command(data: Path, *more: str, out: str = "run", what: str = "mse") -> list[str]:
    where = ["--benchmark", f"{AUDITED}:words", "--data", str(data)]
    return ["audit", what, *where, "-o", str(data.parent / out), "--workers", "0", *more]


SMALL = ("--probe", "blank", "--probe", "identical", "--quiet")


@pytest.mark.slow
def test_a_measure_is_audited_to_a_table_a_page_and_a_file(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(data, "--probe", "identical")) == 0
    said = capsys.readouterr()
    assert "nothing done: the source  not its job" not in said.out  # there are no probes of sight
    assert "the truth itself          full marks" in said.out
    assert "drawing" in said.err
    assert "scoring" in said.err
    assert (data.parent / "run" / "audit.html").is_file()
    assert json.loads((data.parent / "run" / "audit.json").read_text())["samples"] == 2


def test_json_is_all_that_is_printed_when_asked_for(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(data, *SMALL, "--json")) == 0
    card = json.loads(capsys.readouterr().out)
    assert card["columns"][0]["measure"] == "mse"
    assert card["page"].endswith("audit.html")
    assert card["bill"] == []


def test_an_audit_goes_on_from_what_is_there_and_takes_more_measures(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(data, *SMALL)) == 0
    with Store.open(data.parent / "run") as store:
        before = store.counts()
    assert main(command(data, *SMALL)) == 0
    assert main(command(data, *SMALL, what="ssim")) == 0
    with Store.open(data.parent / "run") as store:
        assert store.counts() == {"edits": before["edits"], "scores": 2 * before["scores"]}
        assert list(store.measures) == ["mse", "ssim"]


def test_an_audit_that_was_stopped_before_its_first_byte_is_begun_anew(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data.parent / "run").mkdir()
    (data.parent / "run" / DATABASE).touch()
    assert main(command(data, *SMALL, "--dry-run", "--json")) == 0
    assert json.loads(capsys.readouterr().out)["already_there"] == ["0 edits", "0 scores"]
    assert main(command(data, *SMALL)) == 0


def test_probes_are_drawn_while_no_other_command_may_work_on_the_run(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def claims(samples: object, folder: Path, **_: object) -> None:
        with Store.open(folder) as store:
            assert store.info[CLAIM]
        raise StoreError("enough")

    monkeypatch.setattr("overpaint.cli.auditing.make_probes", claims)
    assert main(command(data, *SMALL)) == 2


def test_one_folder_holds_one_set_of_probes(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command(data, *SMALL)) == 0
    capsys.readouterr()
    assert main(command(data, *SMALL, "--seed", "3")) == 2
    assert "has other probes: seed 0. One audit has one set of probes." in capsys.readouterr().err


def test_a_run_that_is_no_audit_is_left_alone(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ["run", f"{AUDITED}:words", "--data", str(data), "-o", str(data.parent / "run")]
    assert main([*run, "--workers", "0", "--quiet"]) == 0
    capsys.readouterr()
    assert main(command(data, *SMALL)) == 2
    assert "is not an audit" in capsys.readouterr().err


def test_a_plan_makes_nothing(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command(data, "--dry-run", "--json", "--samples", "2")) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["probes_each"] * plan["samples"] == plan["scores_at_most"]
    assert plan["price"] == "nothing: no paid service is asked"
    assert not (data.parent / "run").exists()
    assert main(command(data, "--dry-run")) == 0
    assert re.search(r"hosts contacted +none\n", capsys.readouterr().out)


def test_a_plan_names_the_host_of_a_judge_and_what_leaves_the_machine(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["audit", "http://localhost:9/v1#looker", "--samples", "2", "--dry-run", "--json"]
    assert main(command) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["hosts_contacted"] == ["localhost:9"]
    assert "IF@looker" in plan["measures"]
    assert plan["price"] == ["unknown (--prices FILE gives one)"]


@pytest.mark.parametrize(
    ("what", "said"),
    [("msee", "There is no measure 'msee'"), ("judge:nothing:a/b", "nothing")],
)
def test_a_measure_that_is_not_there_is_told_before_anything_is_drawn(
    data: Path, what: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(data, what=what)) == 2
    assert said in capsys.readouterr().err
    assert not (data.parent / "run").exists()


def test_failed_rows_are_an_exit_code_of_one_but_not_those_of_blank_pages(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(data, *SMALL, what=f"{AUDITED}:broken")) == 1
    assert "overpaint retry" in capsys.readouterr().err
    assert main(command(data, *SMALL, what=f"{AUDITED}:fussy", out="other")) == 0
    assert "refused" in capsys.readouterr().out


def test_a_judge_stands_for_the_rubrics_of_the_benchmark() -> None:
    assert columns_of("mse", "demo") == ["mse"]
    assert columns_of("a/b.py:mine", "demo") == ["a/b.py:mine"]
    assert columns_of("evidence:IF", "demo") == ["evidence:IF"]
    assert columns_of("evidence", "demo")[0] == "evidence:IF"
    assert "judge:textedit_if.IF:openai/x" in columns_of("openai/x", "demo")
    with pytest.raises(
        UserMistake, match="names no rubrics.*overpaint audit judge:RUBRIC:openai/x"
    ):
        columns_of("openai/x", f"{AUDITED}:words")


def test_a_judge_is_audited_paid_for_once_and_its_bill_is_on_the_card(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeServer(process=False) as server:
        judge = f"judge:textedit_if:{server.url}#looker"
        asked = command(data, "--probe", "swapped", "--quiet", "--json", what=judge)
        assert main(asked) == 0
        first = server.counts().total
        assert main(asked) == 0
        assert server.counts().total == first == 8
    assert "pictures of" in capsys.readouterr().err  # what leaves the machine is said
    card = json.loads((data.parent / "run" / "audit.json").read_text())
    assert card["columns"][0]["measure"] == "IF@looker"
    assert card["bill"][0]["calls"] == 8
    page = (data.parent / "run" / "audit.html").read_text()
    assert "was asked 8 questions; what it costs is unknown." in page
    assert "of this one: “" in page
