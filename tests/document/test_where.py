"""Layers are found by what they are called, by the cell they stand in, and by what they say."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pptx import Presentation
from pptx.util import Inches

from overpaint.document import Document, Layer, Picture, files
from overpaint.document.layers import Group, Run, Shape, Style, Text
from overpaint.document.ops import Delete, Move, ReplaceText, Restyle, Swap
from overpaint.document.roles import PATTERNS, labelled, wholes
from overpaint.document.where import Role, Where, described, hits
from overpaint.errors import Refused


def square(name: str, key: str, side: int = 20, left: float = 10) -> Layer:
    pixels = np.full((side, side, 4), (200, 30, 30, 255), np.uint8)
    return Layer(Picture(pixels), name, key, left, 10)


def words(said: str, name: str, key: str, size: float = 16) -> Layer:
    return Layer(Text((Run(said, Style(size=size)),)), name, key, 20, 60)


def sheet(*layers: Layer) -> Document:
    ground = Layer(Picture(np.full((100, 100, 4), 255, np.uint8)), "Background", "0")
    return Document(made=(ground, *layers), canvas=(100, 100))


def found(document: Document, where: Where) -> list[str]:
    return [hit.layer.id for hit in hits(document, replace(where, every=True))]


# ── names ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["Logo", "logo", "company logo", "Logo 2", "logo_big", "徽标"])
def test_the_logo_is_the_one_layer_that_is_called_so(name: str) -> None:
    disc = Layer(Shape("ellipse", 20, 20), name, "9", 60, 60)
    document = sheet(square("Headline", "1"), square("Offer", "2"), disc)
    assert found(document, Where(role="logo")) == ["9"]


def test_without_such_a_name_a_logo_is_any_picture_that_has_none_but_the_ground() -> None:
    group = Layer(Group((square("", "3"),)), "图层 2", "2")
    document = sheet(square("Layer 1", "1"), group, square("photo", "4"))
    assert set(found(document, Where(role="logo"))) == {"1", "2", "3"}


def test_the_picture_is_the_one_that_is_not_the_ground() -> None:
    assert found(sheet(square("sunset", "1")), Where(role="picture")) == ["1"]
    assert found(sheet(), Where(role="picture")) == ["0"]


def test_a_picture_that_is_called_something_else_is_no_logo() -> None:
    with pytest.raises(Refused, match="logo"):
        found(sheet(square("photo", "1"), square("moon", "2")), Where(role="logo"))


@pytest.mark.parametrize(
    ("role", "name"),
    [("title", "title"), ("title", "Headline"), ("title", "标题 1"), ("date", "Date Placeholder 3"),
     ("price", "price"), ("subtitle", "Subtitle 2"), ("background", "背景")],
)  # fmt: skip
def test_a_role_is_a_layer_of_that_name_though_its_words_are_pixels(role: Role, name: str) -> None:
    ground = replace(sheet().layers[0], name="sheet")
    document = sheet().having(ground, square(name, "1"), square("other", "2"))
    assert found(document, Where(role=role)) == ["1"]


def test_two_layers_of_a_name_are_no_answer_and_a_group_goes_with_what_is_in_it() -> None:
    big, small = words("Big", "title", "1", 30), words("small", "title", "2")
    assert found(sheet(big, small), Where(role="title")) == ["1"]  # the larger, as ever
    inner = words("Winter Sale", "Layer 7", "2")
    group = Layer(Group((square("title", "3"), inner)), "Title", "1")
    assert found(sheet(group, words("HUGE", "note", "4", 40)), Where(role="title")) == ["2"]


def test_a_text_that_is_called_by_its_own_words_is_not_called_after_a_role() -> None:
    document = sheet(words("Time flies", "Time flies", "1"), words("Doors 7 pm", "x", "2"))
    (hit,) = hits(document, Where(role="time"))
    assert (hit.layer.id, hit.words) == ("2", "7 pm")


def test_of_a_layer_called_date_only_the_date_is_meant() -> None:
    document = sheet(words("Date: 8 May 2025", "date", "1"), words("9 June", "other", "2"))
    (hit,) = hits(document, Where(role="date"))
    assert hit.words == "8 May 2025"
    (hit,) = hits(sheet(words("Next week", "date", "1")), Where(role="date"))
    assert hit.words == "Next week"


@pytest.mark.parametrize("said", [Where(text="moon"), Where(layer="Moon"), Where(layer="moon")])
def test_a_word_of_a_name_is_enough_where_only_one_layer_has_it(said: Where) -> None:
    document = sheet(square("full moon", "1"), square("roof", "2"))
    assert found(document, said) == ["1"]
    with pytest.raises(Refused, match="Nothing in the document is"):
        hits(document.having(*document.layers, square("moon two", "3")), said)


# ── dates ───────────────────────────────────────────────────────────────────────────────

DATES = [
    "Saturday, 12 July 2025", "Fri 3 May", "Friday, 8 May", "Sat. 12th of July", "Thu, May 3rd",
    "Wednesday the 4th July", "Monday, March 3, 2025", "12/07/2025", "Sun 2025-07-13",
    "2025年7月12日 星期六", "2025年7月12日（星期六）", "星期六 7月12日", "周六，7月12日",
    "7月12日(周日)", "8 May", "12 July 2025, Saturday", "12 July (Sat)",
]  # fmt: skip


@pytest.mark.parametrize("date", DATES)
@pytest.mark.parametrize("around", [lambda d: d, lambda d: f"Open {d} at noon"])
def test_a_date_has_its_weekday(date: str, around: Callable[[str], str]) -> None:
    assert [match.group() for match in PATTERNS["date"].finditer(around(date))] == [date]


@pytest.mark.parametrize("other", ["Saturday at noon", "the sun 3 times", "每周六", "Monkey 12"])
def test_a_weekday_alone_is_no_date(other: str) -> None:
    assert not PATTERNS["date"].search(other)


def test_a_title_and_a_date_with_its_weekday_change_places_whole() -> None:
    title = words("Jazz on the Roof", "a", "1", 30)
    date = replace(words("Friday, 8 May", "b", "2"), top=90)
    done = Swap(Where(role="title"), Where(role="date"))(sheet(title, date))
    said = {layer.id: layer.content.words for layer in done if isinstance(layer.content, Text)}
    assert said == {"1": "Jazz on the Roof", "2": "Friday, 8 May"}
    assert done.layer("1").top > done.layer("2").top


# ── tables ──────────────────────────────────────────────────────────────────────────────

ROWS = [["Region", "Sales", "Staff"], ["North", "120", "14"], ["South", "98", ""]]


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    shape = slide.shapes.add_table(3, 3, Inches(1), Inches(1), Inches(6), Inches(3))
    for row, cells in enumerate(ROWS):
        for column, said in enumerate(cells):
            shape.table.cell(row, column).text = said
    path = tmp_path_factory.mktemp("where") / "deck.pptx"
    made.save(str(path))
    return path


def saved(document: Document, path: Path) -> list[list[str]]:
    files.write(document, path)
    table = Presentation(str(path)).slides[0].shapes[0].table
    return [[cell.text for cell in row.cells] for row in table.rows]


@pytest.mark.parametrize(
    ("row", "column"), [("South", "Sales"), ("3", "2"), ("-1", "Sales"), ("south", "120")]
)
def test_a_cell_of_a_slide_is_found_by_row_and_column(
    deck: Path, tmp_path: Path, row: str, column: str
) -> None:
    where = Where(role="cell", row=row, column=column)
    done = ReplaceText(where, "101")(files.read(deck))
    assert saved(done, tmp_path / "a.pptx") == [*ROWS[:2], ["South", "101", ""]]


def test_a_row_by_its_number_is_not_one_that_happens_to_say_it() -> None:
    laid = [("Item", "Count", "Price"), ("Bread", "4", "12"), ("Cheese", "2", "35")]
    parts = [
        part
        for r, row in enumerate(laid)
        for c, words in enumerate(row)
        for part in (
            Layer(Shape("rectangle", 80, 30, (255, 255, 255, 255)), left=80 * c, top=30 * r),
            Layer(Text((Run(words, Style(size=14)),)), words, left=80 * c + 5, top=30 * r + 20),
        )
    ]
    table = Document(made=(Layer(Group(tuple(parts)), "table", "t"),), canvas=(240, 90))
    (hit,) = hits(table, Where(role="cell", row="2", column="Price"))
    assert hit.words == "12"


def test_words_in_a_row_are_looked_for_in_that_row_alone(deck: Path) -> None:
    document = files.read(deck)
    (hit,) = hits(document, Where(text="98", row="South"))
    assert hit.words == "98"
    with pytest.raises(Refused, match="Nothing in the document is “98” in the row “North”"):
        hits(document, Where(text="98", row="North"))


def test_an_empty_cell_is_said_to_be_empty(deck: Path) -> None:
    with pytest.raises(Refused, match="“Staff”. That cell is empty, and only words that stand"):
        hits(files.read(deck), Where(role="cell", row="South", column="Staff"))


def test_a_row_or_a_column_is_restyled_and_no_more(deck: Path) -> None:
    document = files.read(deck)
    done = Restyle(Where(role="column", column="2"), weight=700)(document)
    bold = [one.name for one in done if isinstance(one.content, Text)
            and one.content.style.weight == 700]  # fmt: skip
    assert bold == ["Sales", "120", "98"]
    assert Restyle(Where(role="row", nth=2), italic=True)(document) == Restyle(
        Where(role="row", text="North"), italic=True
    )(document)
    with pytest.raises(Refused, match="Rows and columns of layered documents cannot be taken out"):
        Delete(Where(role="row", row="South"))(document)


def test_words_of_two_cells_are_swapped_and_the_cells_stay(deck: Path, tmp_path: Path) -> None:
    done = Swap(Where(text="North"), Where(text="South"))(files.read(deck))
    assert saved(done, tmp_path / "a.pptx") == [ROWS[0], ["South", *ROWS[1][1:]],
                                                ["North", *ROWS[2][1:]]]  # fmt: skip


def test_the_table_is_the_whole_of_it(deck: Path, tmp_path: Path) -> None:
    done = Delete(Where(role="table"))(files.read(deck))
    files.write(done, tmp_path / "a.pptx")
    assert not list(Presentation(str(tmp_path / "a.pptx")).slides[0].shapes)


def test_words_of_a_cell_are_not_moved_alone(deck: Path, tmp_path: Path) -> None:
    done = Move(Where(text="North"), by=(30.0, 0.0))(files.read(deck))
    with pytest.raises(Refused, match="'North' stands in a cell of a table. Its words can be"):
        files.write(done, tmp_path / "a.pptx")


@pytest.mark.parametrize(
    ("where", "told"),
    [
        (Where(role="line", nth=-1), "the last line"),
        (Where(role="line", nth=-2), "the second to last line"),
        (Where(role="paragraph", nth=2), "the second paragraph"),
        (Where(role="line", nth=21), "the 21st line"),
        (Where(role="line", nth=12), "the 12th line"),
        (Where(text="the", nth=2), "the second “the”"),
        (Where(role="row", row="Cherries"), "the row “Cherries”"),
        (Where(role="row", row="-1"), "the last row"),
        (Where(role="column", column="3"), "the third column"),
        (
            Where(role="cell", row="2", column="Price"),
            "the cell in the row 2 in the column “Price”",
        ),
        (Where(role="text", place="top left"), "the text at the top left"),
    ],
)
def test_what_was_pointed_at_is_said_as_a_person_says_it(where: Where, told: str) -> None:
    assert described(where) == told


# ── places ──────────────────────────────────────────────────────────────────────────────


def test_what_is_counted_at_a_place_is_counted_among_all_that_stand_there() -> None:
    spots = {"1": (5, 30), "2": (60, 40), "3": (5, 60), "4": (70, 80)}
    texts = [replace(words("Mon", "", key, 8), left=x, top=y) for key, (x, y) in spots.items()]
    document = sheet(*texts)

    def at(where: Where) -> list[str]:
        return [hit.layer.id for hit in hits(document, where)]

    assert at(Where(text="Mon", place="left", nth=2)) == ["3"]
    assert at(Where(text="Mon", place="right", nth=1)) == ["2"]
    assert at(Where(text="Mon", place="right", every=True)) == ["2", "4"]
    assert at(Where(text="Mon", place="right")) == ["4"]


# ── wholes ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("role", "said", "whole"),
    [
        ("line", "Ada", "Ada King"),
        ("line", "DE", "IBAN: DE 1 DE"),
        ("paragraph", "Ada", "Ada King\vCountess"),
        ("sentence", "all", "This is all."),
        ("sentence", "End", "End"),
    ],
)
def test_a_line_that_is_told_by_some_of_its_words_is_the_whole_line(
    role: Role, said: str, whole: str
) -> None:
    document = sheet(words("Ada King\vCountess\nIBAN: DE 1 DE\nThis is all. End", "", "1"))
    (hit,) = hits(document, Where(role=role, text=said))
    assert hit.words == whole


# ── labels ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("role", "value"),
    [("time", "二月十日 晚七点半"), ("address", "国家大剧院"), ("price", "180元")],
)
def test_what_does_not_look_its_role_is_what_stands_after_its_label(role: Role, value: str) -> None:
    document = sheet(words("时间：二月十日 晚七点半\n地点：国家大剧院\n票价：180元", "", "1"))
    (hit,) = hits(document, Where(role=role))
    assert hit.words == value


@pytest.mark.parametrize(
    ("words", "sentences"),
    [
        ("It costs 3.50 euros today. Come.", ["It costs 3.50 euros today.", "Come."]),
        (
            "Write to a@b.com now.\n“Go.” Then left.",
            ["Write to a@b.com now.", "“Go.”", "Then left."],
        ),
        ("你好。再见！", ["你好。", "再见！"]),
    ],
)
def test_a_sentence_ends_where_people_end_it(words: str, sentences: list[str]) -> None:
    assert [words[start:end] for start, end in wholes("sentence", words)] == sentences


@pytest.mark.parametrize(
    ("role", "words", "said"),
    [
        ("address", "Venue: Town Hall | Time: half past eight", ["Town Hall"]),
        ("time", "Venue: Town Hall | Time: half past eight", ["half past eight"]),
        ("time", "时间：八点半 地点：国家大剧院 票价：一百八", ["八点半"]),
        ("time", "Time: at 8:30 sharp", ["at 8:30 sharp"]),
        ("address", "Address:\n12 Foo", []),
    ],
)
def test_a_label_is_for_what_stands_after_it_alone(role: str, words: str, said: list[str]) -> None:
    assert [words[start:end] for start, end in labelled(role, words)] == said


@pytest.mark.parametrize("breaks", [True, False])
def test_words_in_a_line_are_looked_for_in_that_line_alone(breaks: bool) -> None:
    lines = ("Invoice 7 for Ann", "Total amount 7 EUR", "IBAN 7 DE12")
    texts = ("\n".join(lines),) if breaks else lines
    laid = (Layer(Text((Run(w, Style(size=10)),)), w, w, 5, 20 * n) for n, w in enumerate(texts, 1))
    document = Document(made=tuple(laid), canvas=(300, 100))
    total = Where(role="line", text="Total")
    done = ReplaceText(Where(text="7", side="inside", of=total), "9")(document)
    said = [one.content.words for one in done if isinstance(one.content, Text)]
    assert "\n".join(said).split("\n") == [lines[0], "Total amount 9 EUR", lines[2]]
