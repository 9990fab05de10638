"""What the command says of fonts in a PDF: those that are used, and substitutes only where so."""

from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from overpaint.cli import main

Capture = pytest.CaptureFixture[str]
BLANK = np.zeros((8, 8, 3), np.uint8)
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
    assert told.out.startswith("“Friday” → “Monday”, set in Helvetica, 20 pt\n")
    assert "not on this machine" not in told.err


def test_the_preview_of_a_pdf_shows_the_page_as_its_file_is_drawn(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[np.ndarray] = []

    def kept(*two: np.ndarray) -> np.ndarray:
        shown.extend(two)
        return BLANK

    monkeypatch.setattr("overpaint.report.preview.preview", kept)
    assert main(["edit", "letter.pdf", CHANGE, "-o", "out.pdf", "--preview", "look.png"]) == 0
    for seen, name in zip(shown, ("letter.pdf", "out.pdf"), strict=True):
        page = pypdfium2.PdfDocument(name)[0].render(scale=150 / 72, rev_byteorder=True)
        assert np.abs(seen.astype(int) - page.to_numpy()[:, :, :3]).max() < 3


def test_new_words_are_said_to_be_set_in_the_font_that_stands_for_another(
    here: Path, capsys: Capture
) -> None:
    asked = "add 'Hello' below 'Meet Friday'"
    assert main(["edit", "letter.pdf", asked, "-o", "out.pdf"]) == 0
    told = capsys.readouterr()
    assert "set in Liberation Sans" in told.out or "set in Arimo" in told.out
    assert "note: Helvetica is not on this machine; " in told.err
    assert "keeps the name" not in told.err
