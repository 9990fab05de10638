"""Which page is told of where none can be edited so, and pages that a file does not have."""

from pathlib import Path

import numpy as np
import pytest
from pptx import Presentation
from pptx.util import Inches

from overpaint.cli import main
from overpaint.document import Document

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Presentation()
    for words in ("Report", "Numbers"):
        shapes = made.slides.add_slide(made.slide_layouts[6]).shapes
        shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(1)).text_frame.text = words
    table = shapes.add_table(2, 2, Inches(1), Inches(3), Inches(4), Inches(1)).table
    for at, words in enumerate(("Region", "Sales", "South", "98")):
        table.cell(at // 2, at % 2).text = words
    path = tmp_path_factory.mktemp("paging") / "deck.pptx"
    made.save(str(path))
    return path


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("delete the row 'South' from the table", "Rows and columns of layered documents"),
        ("change the cell in row 'East' and column 'Sales' to '1'", "Nothing in the document is"),
        ("replace the picture '98' with x.png", "Layer '98' is a text. A picture was expected"),
    ],
)
def test_where_no_page_fits_the_reason_is_that_of_the_page_with_what_is_meant(
    deck: Path, capsys: Capture, asked: str, why: str
) -> None:
    assert main(["edit", str(deck), asked]) == 2
    assert f"Page 2 of {deck} cannot be edited so. {why}" in capsys.readouterr().err


def test_a_cell_is_found_on_whatever_page_its_table_is(deck: Path, tmp_path: Path) -> None:
    asked = "in the table, change the cell in row 'South' and column 'Sales' to '101'"
    assert main(["edit", str(deck), asked, "-o", str(tmp_path / "out.pptx")]) == 0
    table = Presentation(str(tmp_path / "out.pptx")).slides[1].shapes[1].table
    assert table.cell(1, 1).text == "101"


def test_a_picture_has_one_page(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "page.png"
    path.write_bytes(Document.of(np.full((40, 60, 3), 255, np.uint8)).encoded)
    assert main(["edit", str(path), "replace 'a' with 'b'", "--page", "2"]) == 2
    assert f"{path} has 1 page, and no page 2." in capsys.readouterr().err
