"""What the command says of fonts in a PDF: those that are used, and substitutes only where so."""

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from overpaint.cli import main

Capture = pytest.CaptureFixture[str]
CHANGE = "replace 'Friday' with 'Monday'"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    canvas = Canvas("letter.pdf", pagesize=(300, 200))
    canvas.setFont("Helvetica", 20)
    canvas.drawString(20, 160, "Meet Friday")
    canvas.save()
    return tmp_path


def test_words_changed_in_a_pdf_are_said_to_be_set_in_its_own_font(
    here: Path, capsys: Capture
) -> None:
    assert main(["edit", "letter.pdf", CHANGE, "-o", "out.pdf"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("“Friday” → “Monday”, set in Helvetica, 41.7 px")
    assert "not on this machine" not in told.err


def test_new_words_are_said_to_be_set_in_the_font_that_stands_for_another(
    here: Path, capsys: Capture
) -> None:
    asked = "add 'Hello' below 'Meet Friday'"
    assert main(["edit", "letter.pdf", asked, "-o", "out.pdf"]) == 0
    told = capsys.readouterr()
    assert "set in Liberation Sans" in told.out or "set in Arimo" in told.out
    assert "note: Helvetica is not on this machine; " in told.err
    assert "keeps the name" not in told.err
