"""Editors of several references in a run: asked once, traced, and their prompts in the report."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import multiref_cases as cases
import pytest
from toy import CARD

from overpaint.core import Card, Loaded, Sample
from overpaint.models.desk import Terms
from overpaint.report import write_report
from overpaint.run import Settings, plan, run
from overpaint.store import Store
from overpaint.testing import FakeServer
from overpaint.testing.painter import FakePainter

HERE = f"{__file__}:referenced"
REPLY = json.dumps({"seen": ["<subject_1>: a ball"], "prompt": "A red ball on a lawn."})


@dataclass(frozen=True)
class Referenced:
    """Two samples, one of each half, with a floor of its own."""

    measures: tuple[str, ...] = ("ssim",)
    breakdowns: tuple[str, ...] = ()
    floors: tuple[str, ...] = ("subject-paste",)
    card: Card = CARD

    def load(self, data: Path | None) -> Loaded:
        made, real = cases.synthetic(), cases.real_world()
        return Loaded((Sample("a", made, cases.photo(3)), Sample("b", real, cases.photo(4))))


referenced = Referenced()


@pytest.fixture
def settings() -> Settings:
    return Settings(workers=0, asking=Terms(deadline=5.0, retries=0))


@pytest.mark.slow
def test_a_run_keeps_prompts_turns_and_their_pictures(tmp_path: Path, settings: Settings) -> None:
    asked: list[Any] = []

    def says(question: Any) -> str:
        asked.append(question)
        return REPLY

    with FakeServer(says, process=False) as eye, FakePainter() as brush:
        editors = [
            f"both=compositional:{eye.url}#eye;image=generations:{brush.url}#brush",
            f"turns=turns:images:{brush.url}#brush",
        ]
        foretold = plan(HERE, editors=editors)
        for _ in range(2):  # the second time everything is known
            run(HERE, editors=editors, out=tmp_path / "run", settings=settings)
    assert len(asked) == 2
    assert eye.url.removeprefix("http://").removesuffix("/v1") in foretold["hosts_contacted"]
    assert brush.url.removeprefix("http://").removesuffix("/v1") in foretold["hosts_contacted"]
    with Store.open(tmp_path / "run") as store:
        edits = {(edit.editor, edit.sample.id): edit for edit in store.edits()}
        page = write_report(store, tmp_path / "report").read_text()
    assert {edit.status for edit in edits.values()} == {"ok"}
    assert ("subject-paste", "a") in edits
    assert edits["both", "a"].trace[0]["prompt"] == "A red ball on a lawn."
    turns = edits["turns", "a"].trace
    assert [step["label"] for step in turns] == ["<canny_image>", "<subject_1>"]
    for step in turns:
        assert (tmp_path / "run" / "pictures" / step["picture"][:2] / step["picture"]).is_file()
    assert "subject_1" in page


def test_a_model_that_never_answers_rightly_is_a_failed_edit(
    tmp_path: Path, settings: Settings
) -> None:
    with FakeServer(lambda question: "a red ball", process=False) as eye, FakePainter() as brush:
        spec = f"both=compositional:{eye.url}#eye;image=generations:{brush.url}#brush"
        run(HERE, editors=[spec], out=tmp_path / "run", floors=False, settings=settings)
        assert brush.received == []
    with Store.open(tmp_path / "run") as store:
        (first, _) = store.edits()
    assert first.status == "editor_failed"
    assert "has no JSON object: “a red ball”" in first.reason
