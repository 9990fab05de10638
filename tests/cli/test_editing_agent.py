"""overpaint edit on layered files: the agent, what it tells, and what it leaves alone."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "editors"))
import agent_cases

from overpaint.cli import main
from overpaint.document import Document
from overpaint.testing import FakeServer

KEEP = "<think>no</think><decision>Don't Edit</decision>"
EDIT = (
    "<think>It says summer.</think><decision>Need Edit</decision>"
    "<prompt>replace 'SUMMER' with 'WINTER'</prompt>"
)


@pytest.fixture
def poster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("poster.ora").write_bytes(agent_cases.poster().encoded)
    return tmp_path / "poster.ora"


def texts(path: Path) -> list[str]:
    return [layer.content.words for layer in Document(path) if layer.kind == "text"]


def test_a_sentence_that_is_no_single_change_goes_through_the_agent(
    poster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edit", "poster.ora", "turn it into a winter sale", "-o", "out.ora"]) == 0
    told = capsys.readouterr()
    assert "the agent decides layer by layer" in told.err
    assert "rules" in told.out
    assert texts(Path("out.ora"))[0] == "WINTER SALE"
    before, after = Document(poster), Document(Path("out.ora"))
    assert [a == b for a, b in zip(before.layers, after.layers, strict=True)].count(False) == 1


def test_a_model_that_is_named_decides(poster: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def reply(asked: object) -> str:
        told = asked.prompt.split("does what is asked:")[1].strip()  # type: ignore[attr-defined]
        return EDIT if told.startswith("> 4:") else KEEP

    with FakeServer(reply, process=False) as server:
        spec = f"agent:{server.url}#looker"
        command = ["edit", "poster.ora", "make it wintry", "--with", spec, "-o", "out.ora"]
        assert main([*command, "--json"]) == 0
        told = capsys.readouterr()
    assert "is asked up to 7 questions of looker with 14 pictures" in told.err
    found = json.loads(told.out)
    assert found["trace"][0]["reasoner"] == "looker"
    assert texts(Path("out.ora"))[0] == "WINTER SALE"


def test_an_instruction_that_concerns_nothing_writes_nothing(
    poster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edit", "poster.ora", "add more salt", "-o", "out.ora"]) == 2
    told = capsys.readouterr().err
    assert "Nor does the agent see a layer it concerns" in told
    assert not Path("out.ora").exists()


def test_replies_that_cannot_be_read_are_counted_where_nothing_came_of_them(
    poster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeServer("I would edit it.", process=False) as server:
        spec = f"agent:{server.url}#looker"
        assert main(["edit", "poster.ora", "make it wintry", "--with", spec]) == 2
    assert (
        "looker decided on 7 layers: 0 to edit, 0 to keep, 7 unreadable" in capsys.readouterr().err
    )


def test_an_editor_that_needs_the_answer_is_refused(
    poster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edit", "poster.ora", "x", "--with", "truth"]) == 2
    assert "needs to know the right answer" in capsys.readouterr().err
    assert main(["edit", "poster.ora", "x", "--with", "agent", "--parser", "openai/a"]) == 2
    assert "needs no plan and no --parser" in capsys.readouterr().err


def test_a_file_of_several_pages_needs_one_named(
    poster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pptx import Presentation

    deck = Presentation()
    for _ in range(2):
        deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = "Summer"
    deck.save("deck.pptx")
    assert main(["edit", "deck.pptx", "make it wintry", "--with", "agent"]) == 2
    assert "has 2 pages" in capsys.readouterr().err


def test_what_was_left_of_a_sentence_is_told_with_what_was_done(
    poster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "turn it into a winter sale and blur the band"
    assert main(["edit", "poster.ora", said, "-o", "out.ora", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    told = "Not understood: “blur the band”; nothing was done about it."
    assert any(note.startswith(told) for note in found["notes"])
    assert found["trace"][0]["left"][0].startswith(told)
    assert texts(Path("out.ora"))[0] == "WINTER SALE"
    assert main(["edit", "poster.ora", said, "-o", "out.ora"]) == 0
    assert f"note: {told}" in capsys.readouterr().err


@pytest.mark.slow
def test_the_agent_reads_anew_what_the_rules_find_nothing_for(
    poster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "make the title 'SPRING SALE', and the sun bigger"
    assert main(["edit", "poster.ora", said, "-o", "out.ora"]) == 0
    assert "the agent decides layer by layer" in capsys.readouterr().err
    assert texts(Path("out.ora"))[0] == "SPRING SALE"
    before, after = (Document(path).layers[2].pixels.shape for path in (poster, Path("out.ora")))
    assert after[0] > before[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "said",
    ["replace 'Fryday' with 'Monday'", "replace 'Fryday' with 'Monday' and make the title red"],
)
def test_quoted_words_that_are_nowhere_are_asked_about_again(
    poster: Path, capsys: pytest.CaptureFixture[str], said: str
) -> None:
    assert main(["edit", "poster.ora", said, "-o", "out.ora"]) == 2
    assert "agent" not in capsys.readouterr().err
    assert not Path("out.ora").exists()


def test_an_editor_without_a_name_is_a_mistake(
    poster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edit", "poster.ora", "make it red", "--with", ""]) == 2
    assert "--with names no editor" in capsys.readouterr().err


def test_a_wish_that_was_not_done_and_a_colour_that_cannot_be_read_are_told(
    poster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "make the title white and sing a song"
    assert main(["edit", "poster.ora", said, "-o", "out.ora"]) == 0
    told = capsys.readouterr()
    assert "no fault in what was done; 1 wish was not done" in told.out
    assert "is hard to read in the colour that was asked for" in told.err
    assert main(["edit", "poster.ora", said, "-o", "out.ora", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["not_done"] == ["sing a song"]
    assert any("hard to read" in note for note in found["notes"])
    assert main(["edit", "poster.ora", "turn it into a winter sale", "--json"]) == 0
    (picture,) = json.loads(capsys.readouterr().out)["not_done"]
    assert "stands for summer" in picture  # and no editor of pictures is named


@pytest.mark.parametrize("said", ["", "  \n"])
def test_an_empty_instruction_is_told_at_once(
    said: str, poster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ([], ["--with", "agent"]):
        assert main(["edit", "poster.ora", said, *more]) == 2
        assert "The instruction is empty." in capsys.readouterr().err


def test_options_may_follow_the_agents_name_at_once(
    poster: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["edit", "poster.ora", "turn it into a winter sale", "-o", "out.ora", "--json"]
    assert main([*command, "--with", "agent;checks=0"]) == 0
    steps = [step["step"] for step in json.loads(capsys.readouterr().out)["trace"]]
    assert "check" not in steps
    assert main([*command, "--with", "agent"]) == 0
    assert "check" in [step["step"] for step in json.loads(capsys.readouterr().out)["trace"]]
