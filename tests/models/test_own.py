"""A desk outside of a run: what it remembers, sets aside and counts."""

from pathlib import Path

import pytest

from overpaint.errors import CostLimit, UserMistake
from overpaint.models import model
from overpaint.models.desk import Terms
from overpaint.models.own import FOLDER, own_desk
from overpaint.testing import FakeServer


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OVERPAINT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_same_question_is_asked_once_however_many_commands_ask_it(cache: Path) -> None:
    with FakeServer("yes", process=False) as server:
        for turn in range(3):
            with own_desk() as desk:
                reply = model(f"{server.url}#m", desk).ask("Well?")
                assert (reply.text, reply.recalled) == ("yes", turn > 0)
        assert server.counts().total == 1
    assert (cache / FOLDER / "run.db").is_file()


def test_an_answer_that_could_not_be_used_is_asked_for_again_by_the_next_command() -> None:
    with FakeServer(["no", "yes"], process=False) as server:
        for said in ("no", "yes", "yes"):
            with own_desk() as desk:
                reply = model(f"{server.url}#m", desk).ask("Well?")
                assert reply.text == said
                if said == "no":
                    desk.doubt(reply.key, "it is not yes")


def test_a_cost_limit_is_one_commands_own(tmp_path: Path) -> None:
    with FakeServer("yes", process=False) as server:
        name = f"{server.url}#m"
        listed = tmp_path / "prices.json"
        listed.write_text(
            f'{{"dated": "today", "models": {{"{name}": {{"in": 1000, "out": 1000}}}}}}'
        )
        for turn in range(4):  # each costs cents, and no command pays for another's
            with own_desk(Terms(cost_limit=3.0, prices=listed)) as desk:
                assert not model(name, desk).ask(f"Well, {turn}?").recalled
        with own_desk(Terms(cost_limit=0.5, prices=listed)) as desk, pytest.raises(CostLimit):
            model(name, desk).ask("And now?")


def test_a_folder_that_cannot_be_written_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("OVERPAINT_CACHE", str(tmp_path / "file"))
    with (
        pytest.raises(UserMistake, match=r"cannot be remembered in .*Set OVERPAINT_CACHE to one\."),
        own_desk(),
    ):
        pass
