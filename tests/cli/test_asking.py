"""`overpaint edit --parser MODEL`: what is sent, what is said, and what comes of it."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))
from test_editing import Capture, made_poster, says

from overpaint.cli import asking, main
from overpaint.document import files
from overpaint.document.pictures import encode_png
from overpaint.models import own
from overpaint.testing import FakeServer
from overpaint.vision.page import Line

SAID = "the concert is a day earlier than it says"
GOOD = {"reason": "", "sentences": ["replace 'Friday, 8 May' with 'Thursday, 7 May'"]}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a poster in it, and a cache for answers alone."""
    files.write(made_poster(), tmp_path / "poster.ora")
    monkeypatch.setattr(own, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer({"reply": GOOD}, process=False) as running:
        yield running


def edit(server: FakeServer, *more: str, said: str = SAID) -> int:
    return main(["edit", "poster.ora", said, "--parser", f"{server.url}#m", *more])


def test_what_the_rules_refuse_is_done_as_the_model_understood_it(
    here: Path, server: FakeServer, capsys: Capture
) -> None:
    assert edit(server, "-o", "out.ora") == 0
    told = capsys.readouterr()
    first, understood, whose, *_ = told.err.splitlines()
    assert first == (
        f"The rules do not understand this; 127.0.0.1:{server.port} is asked what m makes of it:"
        " the instruction and the words on the page are sent there, no pictures; price: unknown"
        " (--prices FILE gives one)"
    )
    assert understood == (
        f"note: understood by {server.url}#m as: replace 'Friday, 8 May' with 'Thursday, 7 May'"
    )
    assert whose == "note: not in the instruction, but m's own words: “Thursday, 7 May”"
    assert told.out.startswith("“Friday, 8 May” → “Thursday, 7 May”")
    assert says("out.ora")[1] == "Thursday, 7 May"
    (asked,) = server.requests()
    assert not asked["pictures"]
    assert "> Jazz on the Roof" in server.body(asked["hash"])["messages"][0]["content"][0]["text"]


def test_what_the_rules_understand_is_asked_of_nobody(
    here: Path, server: FakeServer, capsys: Capture
) -> None:
    assert edit(server, "-o", "out.ora", said="replace 'Friday' with 'Monday'") == 0
    assert "asked" not in capsys.readouterr().err
    assert server.counts().total == 0


def test_a_page_that_is_named_stays_a_refusal_for_no_model_can_choose_one(
    here: Path, server: FakeServer, capsys: Capture
) -> None:
    assert edit(server, said="delete 'Friday' on page 2") == 2
    assert "Leave the page out, and say --page 2." in capsys.readouterr().err
    assert server.counts().total == 0


def test_the_same_instruction_is_paid_for_once(
    here: Path, server: FakeServer, capsys: Capture
) -> None:
    for _ in range(2):
        assert edit(server, "--ops") == 0
    told = capsys.readouterr()
    assert server.counts().total == 1
    assert told.err.count("(asked before; nothing was sent)") == 1


def test_json_holds_the_notes_and_a_plan_is_printed_as_ever(
    here: Path, server: FakeServer, capsys: Capture
) -> None:
    assert edit(server, "--json") == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert notes[0].startswith("understood by ")
    assert main(["edit", SAID, "--ops", "--parser", f"{server.url}#m"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)[0]["text"] == "Thursday, 7 May"
    assert "the instruction is sent there" in told.err  # there is no page


def test_a_refusal_stays_the_rules_own_with_a_sentence(here: Path, capsys: Capture) -> None:
    script: dict[str, Any] = {"reply": {"reason": "It names no day.", "sentences": []}}
    with FakeServer(script, process=False) as server:
        assert edit(server) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert f"“{SAID}” is not understood" in told.err
    assert f"{server.url}#m did not help: it says “It names no day.”" in told.err
    assert sorted(path.name for path in here.iterdir()) == ["cache", "poster.ora"]


@pytest.mark.parametrize("behaviour", ["refusal", "filtered", "cut_off", "prose", "bad_key"])
def test_a_server_that_fails_leaves_the_refusal(
    here: Path, behaviour: str, capsys: Capture
) -> None:
    with FakeServer({"reply": {"behaviour": behaviour}}, process=False) as server:
        assert edit(server, "--answer-within", "5") == 2
    assert "did not help: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--parser", "gpt"), "'gpt' names no model."),
        (("--parser", "local/nobody"), "There is no model local/nobody."),
        (("--parser", "openai/gpt-4o-2024-11-20"), "OPENAI_API_KEY is not set."),
        (("--parser", "http://localhost:1/v1#m", "--cost-limit", "1"),
         "The price of http://localhost:1/v1#m is not known, so a cost limit cannot be kept."),
    ],
)  # fmt: skip
def test_a_model_that_cannot_be_asked_is_said(
    here: Path, more: tuple[str, ...], told: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert main(["edit", "poster.ora", SAID, *more]) == 2
    assert told in capsys.readouterr().err


def test_a_wrong_name_is_found_out_although_the_rules_would_do(here: Path, capsys: Capture) -> None:
    assert main(["edit", "poster.ora", "delete 'Friday'", "--parser", "gpt"]) == 2
    assert "'gpt' names no model." in capsys.readouterr().err


def test_a_plan_takes_no_parser(here: Path, capsys: Capture) -> None:
    words = ["edit", "poster.ora", "--apply", "plan.json", "--parser", "local/smollm2"]
    assert main(words) == 2
    assert "A plan needs no --parser. It goes with an instruction." in capsys.readouterr().err


# ── the words on a page ─────────────────────────────────────────────────────────────────────


def test_words_in_a_picture_are_read_and_told(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from overpaint.vision import ocr

    monkeypatch.setattr(ocr, "read", lambda pixels: (Line((0, 0, 9, 9), "Tea 3 €"),))
    Path("page.png").write_bytes(encode_png(np.full((40, 60, 3), 255, np.uint8)))
    assert asking._page_text("page.png", None) == "Tea 3 €"


def test_of_many_pages_the_live_words_of_each_are_told_as_far_as_there_is_room(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pptx import Presentation
    from pptx.util import Inches

    deck = Presentation()
    for text in ("Monday", "Friday"):
        box = deck.slides.add_slide(deck.slide_layouts[6]).shapes
        box.add_textbox(Inches(1), Inches(1), Inches(6), Inches(1)).text_frame.text = text
    deck.save("deck.pptx")
    assert asking._page_text("deck.pptx", None) == "Page 1:\nMonday\nPage 2:\nFriday"
    assert asking._page_text("deck.pptx", 2) == "Friday"
    monkeypatch.setattr(asking, "LONGEST", 10)
    assert asking._page_text("deck.pptx", None) == "Page 1:\nMo"
    assert asking._page_text("absent.pptx", None) == ""
    assert asking._page_text(None, None) == ""
