"""Pairwise judging: both orders, ties where they disagree, rows apart from all others."""

import sys
from pathlib import Path
from typing import Any

import judging_toy as toy
import pytest

import overpaint.run as pipeline
from overpaint import catalog
from overpaint.cli import main
from overpaint.core import Edit, Evidence
from overpaint.errors import UserMistake
from overpaint.measures.pairwise import SAME, Said, said
from overpaint.report import read_tables
from overpaint.run.votes import vote
from overpaint.store import Store, Vote
from overpaint.testing import Asked, FakeServer

HERE = pipeline.Settings(workers=0)


def honest(asked: Asked) -> Any:
    """Prefers the lighter of two edits, wherever it stands."""
    first, second = (toy.shade(url) for url in asked.pictures[1:3])
    word = "tie" if abs(first - second) < 8 else "first" if first > second else "second"
    return toy.verdict(asked, word, "The lighter one.")


def always(word: str) -> Any:
    return lambda asked: toy.verdict(asked, word, "As ever.")


def voted(folder: Path, script: Any, *, limit: int = 6, **more: Any) -> list[Vote]:
    """A run whose edits are held against each other as the script has it."""
    if not folder.exists():
        toy.judged(folder, script, limit=limit, rubrics=(), painters=more.pop("painters", {}))
    with FakeServer(script, process=False) as server:
        vote(folder, [f"pairwise:pairwise:{server.url}#fake"], settings=HERE, **more)
        asked = server.counts()
    with Store.open(folder) as store:
        found = list(store.votes())
    assert asked.total <= 2 * len(found)
    return found


@pytest.mark.slow
def test_an_honest_judge_s_votes_are_the_order_of_the_edits(tmp_path: Path) -> None:
    votes = voted(tmp_path / "run", honest)
    assert len(votes) == 18  # six samples, three pairs
    wins = {(one.editor, one.against): one.value for one in votes}
    assert wins == {("good", "fair"): 1, ("good", "poor"): 1, ("fair", "poor"): 1}
    assert votes[0].notes[0] == "said first in this order, second in the other"
    assert votes[0].notes[1] == "good first: The lighter one."
    assert said(votes[0].notes) == Said(1, 0)


@pytest.mark.parametrize("word", ["first", "second"])
def test_a_judge_that_names_a_place_gives_ties_and_the_note_says_so(
    tmp_path: Path, word: str
) -> None:
    votes = voted(tmp_path / "run", always(word), limit=2)
    assert {one.value for one in votes} == {0.5}
    assert {one.notes[1] for one in votes} == {f"says {word} in both orders: a tie"}


def test_a_tie_in_both_orders_is_one_verdict() -> None:
    assert Said(0.5, 0.5).consistent
    assert Said(0.5, 0.5).value == 0.5
    assert not Said(1, 0.5).consistent
    assert Said(1, 0.5).value == 0.5
    assert Said(0, 1).value == 0
    assert said(("said what it liked",)) is None
    assert said(()) is None


def test_the_same_picture_twice_is_a_tie_and_nobody_is_asked(tmp_path: Path) -> None:
    script = always("first")
    votes = voted(tmp_path / "run", script, limit=2, painters={"one": "Good", "two": "Good"})
    assert [(one.value, one.notes) for one in votes] == [(0.5, (SAME,))] * 2


def test_a_reply_that_cannot_be_read_is_no_vote(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    votes = voted(folder, lambda asked: "the left one", limit=1)
    assert {(one.value, one.status) for one in votes} == {(None, "unreadable")}


def test_votes_are_asked_for_once_and_a_pair_is_one_in_either_order(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    toy.judged(folder, honest, limit=3, rubrics=())
    with FakeServer(honest, process=False) as server:
        spec = [f"pairwise:pairwise:{server.url}#fake"]
        assert vote(folder, spec, [("poor", "good")], samples=2, settings=HERE) == 2
        assert vote(folder, spec, [("good", "poor")], samples=2, settings=HERE) == 0
        assert vote(folder, spec, settings=HERE) == 7
        assert server.counts().total == 18
    with Store.open(folder) as store:
        assert len(list(store.votes())) == 9


@pytest.mark.slow
def test_votes_disturb_no_table(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = toy.judged(folder, lambda asked: toy.verdict(asked, 4), limit=4)
    with Store.open(folder) as store:
        before, tables = (list(store.rows()), store.counts(), store.failures()), read_tables(store)
        board = [(row.editor, row.cells) for row in done.table()]
    voted(folder, lambda asked: "nothing to be read")
    with Store.open(folder) as store:
        assert (list(store.rows()), store.counts(), store.failures()) == before
        assert [m.name for m in read_tables(store).measures] == [m.name for m in tables.measures]
        assert list(store.contests) == ["preferred@fake"]
        assert list(store.missing_scores(list(store.measures))) == []
    assert [(row.editor, row.cells) for row in done.table()] == board


def test_a_vote_without_one_of_the_pictures_is_a_row_that_says_whose(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    painters = {"good": "Good", "none": "Idle"}
    toy.judged(folder, honest, limit=1, rubrics=(), painters=painters)
    votes = voted(folder, honest)
    assert votes[0].status == "no_edit"
    assert votes[0].reason.startswith("none has no picture: refused: Not today.")


def test_retry_asks_again_for_votes_that_failed(tmp_path: Path) -> None:
    folder, broken = tmp_path / "run", [True]

    def moody(asked: Asked) -> Any:
        return "no JSON" if broken[0] else honest(asked)

    toy.judged(folder, moody, limit=2, rubrics=())
    with FakeServer(moody, process=False) as server:
        vote(folder, [f"pairwise:pairwise:{server.url}#fake"], settings=HERE)
        broken[0] = False
        _, edits, scores = pipeline.retry(folder, HERE)
    assert (edits, scores) == (0, 6)
    with Store.open(folder) as store:
        assert {one.value for one in store.votes()} == {1}


def test_an_editor_that_is_redone_takes_all_its_votes_along(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    voted(folder, honest, limit=2)
    with Store.open(folder) as store:
        store.forget_editor("fair")
        left = {(one.editor, one.against) for one in store.votes()}
    assert left == {("good", "poor")}


def test_what_is_no_pairwise_judge_is_said(tmp_path: Path) -> None:
    url = "http://localhost:1/v1#m"
    wrong = {
        f"pairwise:textedit_if:{url}": "does not show two edits",
        f"pairwise:pairwise:{url},x={url}": "several questions, judges or repeats",
        f"pairwise:pairwise;repeats=3:{url}": "several questions, judges or repeats",
    }
    for spec, told in wrong.items():
        with pytest.raises(UserMistake, match=told):
            catalog.measure(spec)
    rubric = tmp_path / "mine.md"
    path = Path(sys.modules["overpaint.measures.rubric"].FOLDER) / "pairwise.md"
    text = path.read_text().replace("scale: first = 1, tie = 0.5, second = 0", "scale: yes/no")
    text = text.replace("- first:", "- yes:").replace("- second:", "- no:")
    rubric.write_text("\n".join(line for line in text.split("\n") if not line.startswith("- tie")))
    with pytest.raises(UserMistake, match="does not say which edit is better"):
        catalog.measure(f"pairwise:{rubric}:{url}")
    good = catalog.measure(f"pairwise:pairwise:{url}")
    edit = Edit(toy.bench.load(None).samples[0], "a", "ok")
    with pytest.raises(UserMistake, match="holds an edit against another and got 1"):
        list(good.score([edit], Evidence()))


def test_the_command_asks_the_pairs_that_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "run")
    toy.judged(tmp_path / "run", honest, limit=3, rubrics=())
    with FakeServer(honest, process=False) as server:
        judge = f"{server.url}#fake"
        more = ["--workers", "0", "--quiet"]
        told = ["score", folder, "--pairwise", judge, "--pair", "good,poor", "--samples", "2"]
        assert main([*told, *more]) == 0
        err = capsys.readouterr().err
        assert "2 votes asked for" in err
        assert "4 questions" in err  # what leaves the machine is said beforehand
        for pair, why in (("good", "two editors"), ("good,who", "no editor"), ("a,a", "no editor")):
            assert main(["score", folder, "--pairwise", judge, "--pair", pair, *more]) == 2
            assert why in capsys.readouterr().err
        assert main(["score", folder, "--pairwise", judge, "--pair", "good,good", *more]) == 2
        assert "against itself" in capsys.readouterr().err
    assert main(["score", folder, "--pair", "good,poor", *more]) == 2
    assert "--pairwise MODEL" in capsys.readouterr().err
    assert main(["score", folder, "--kin", "nobody", *more]) == 2
    assert "JUDGE=EDITOR" in capsys.readouterr().err


def test_a_pairwise_judge_makes_no_column(tmp_path: Path) -> None:
    spec = "pairwise:pairwise:http://localhost:1/v1#m"
    with pytest.raises(UserMistake, match="it makes no column"):
        toy.judged(tmp_path / "run", honest, limit=1, rubrics=(), measures=[spec])


def test_a_run_of_one_editor_has_nobody_to_hold_it_against(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    toy.judged(folder, honest, limit=1, rubrics=(), painters={"good": "Good"})
    with pytest.raises(UserMistake, match="fewer than two editors"):
        vote(folder, ["pairwise:pairwise:http://localhost:1/v1#m"], settings=HERE)
