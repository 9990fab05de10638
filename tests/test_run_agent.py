"""The agent in a run: models are asked for edits, once, and the trajectory is kept."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).with_name("editors")))
import agent_cases

from overpaint.cli import main
from overpaint.models.desk import Terms
from overpaint.run import Settings, plan, retry, run
from overpaint.store import Store
from overpaint.testing import FakeServer

KEEP = "<think>no</think><decision>Don't Edit</decision>"
EDIT = (
    "<think>It says summer.</think><decision>Need Edit</decision>"
    "<prompt>replace 'SUMMER' with 'WINTER'</prompt>"
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A set of two posters in MiLDE's form."""
    folder = tmp_path / "set"
    entries = []
    for number in (1, 2):
        name = f"poster-{number}"
        path = folder / "documents" / f"{name}.ora"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(agent_cases.poster(live=number == 1).encoded)
        kinds = ["image", "decoration", "image", *4 * ["text"]]
        entries.append({
            "id": name, "instruction": f"turn it into winter sale {number}", "language": "English",
            "document": f"documents/{name}.ora", "split": "", "theme": "sale", "format": "poster",
            "layers": [{"id": str(n), "kind": kind} for n, kind in enumerate(kinds, 1)],
            "gold": ["4"], "layer_instructions": {"4": "replace 'SUMMER' with 'WINTER'"},
            "steps": [], "texts": {"4": "WINTER SALE"}, "questions": [],
        })  # fmt: skip
    (folder / "samples.json").write_text(json.dumps({"form": "milde/1", "samples": entries}))
    return folder


def reply(asked: Any) -> str:
    told = asked.prompt.split("does what is asked:")[1].strip()
    return EDIT if told.startswith("> 4:") else KEEP


def ran(server: FakeServer, data: Path, out: Path, **more: Any) -> Any:
    how = Settings(workers=0, asking=Terms(deadline=5.0, retries=1), **more)
    editors = [f"mine=agent:{server.url}#m;checks=0"]
    return run("milde", data=data, editors=editors, out=out, floors=False, settings=how)


@pytest.mark.slow
def test_a_run_asks_models_for_edits_and_says_so_first(data: Path, tmp_path: Path) -> None:
    told: list[str] = []
    with FakeServer(reply, process=False) as server:
        ran(server, data, tmp_path / "run", tell=told.append)
        assert server.counts().total == 14
        ran(server, data, tmp_path / "run", tell=told.append)
        assert server.counts().total == 14
    assert "is asked up to 14 questions of m with 28 pictures of 600×800 pixels" in told[0]
    assert len(told) == 1
    with Store.open(tmp_path / "run") as store:
        edits = list(store.edits())
    assert [edit.status for edit in edits] == ["ok", "ok"]
    for edit in edits:
        assert edit.trace[0]["reasoner"] == "m"
        assert [one["edit"] for one in edit.trace[0]["decisions"]].index(True) == 3
        assert edit.output is not None
        assert edit.output.path is not None
        assert edit.output.path.suffix == ".ora"
        assert len(edit.output.layers) == 7


@pytest.mark.slow
def test_a_server_that_is_not_there_is_a_status_and_retried(data: Path, tmp_path: Path) -> None:
    with FakeServer(reply, process=False) as server:
        gone = server.url
    how = Settings(workers=0, asking=Terms(deadline=1.0, retries=0))
    editors = [f"mine=agent:{gone}#m;checks=0"]
    run("milde", data=data, editors=editors, out=tmp_path / "run", floors=False, settings=how)
    with Store.open(tmp_path / "run") as store:
        assert {edit.status for edit in store.edits()} == {"unreachable"}
    assert retry(tmp_path / "run", how)[1] == 2


def test_a_plan_names_whom_an_editor_asks_and_what_it_contacts(data: Path) -> None:
    asking = "agent:openai/gpt-4o-2024-11-20;image=images:http://localhost:7/v1#painter"
    found = plan("milde", data=data, editors=[asking], floors=False)
    assert found["hosts_contacted"] == "api.openai.com, localhost:7"
    assert found["asked"][0]["questions"] == 14
    assert plan("milde", data=data, editors=["agent"], floors=False)["hosts_contacted"] == "none"


@pytest.mark.slow
def test_a_terminal_hears_what_the_agent_could_not_edit_and_why_the_exit_code_is_what_it_is(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OVERPAINT_AESTHETICS", raising=False)
    command = ["run", "milde", "--data", str(data), "--workers", "0", "-e", "agent;checks=0"]
    assert main([*command, "-o", str(tmp_path / "run")]) == 0  # weights that are not here are none
    told = capsys.readouterr()
    chosen = r"\d+ of \d+ chosen layers could not be edited; the sample says why"
    assert re.search(rf"decided by its own rules, without a model\. {chosen}", told.err)
    assert "exit code" not in told.err
    assert "milde_partial, milde_score may reach 115" in told.out
    broken = tmp_path / "broken.py"
    broken.write_text("class Broken:\n    def __call__(self, request):\n        return 1 / 0\n")
    out = str(tmp_path / "bad")
    assert main([*command, "-o", out, "-e", f"broken={broken}:Broken"]) == 1
    told = capsys.readouterr()
    assert "The exit code is 1, for something failed (broken: 2 × editor_failed)." in told.err
