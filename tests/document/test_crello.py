"""Crello records become layers; a bad record is an error that names the field."""

import base64
import io
import json
import math
from pathlib import Path

import pytest
from PIL import Image

from overpaint.document import Document, files
from overpaint.document.layers import Shape, Text
from overpaint.errors import DataError, PictureError, UserMistake


def picture(colour: tuple[int, ...], size: tuple[int, int] = (4, 3)) -> str:
    out = io.BytesIO()
    Image.new("RGBA", size, colour).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


RECORD = {
    "id": "592d6c2c95a7a863ddcda140", "canvas_width": 200, "canvas_height": 100, "length": 3,
    "type": ["ColoredBackground", "ImageElement", "TextElement"],
    "left": [0.0, -0.1, 0.25], "top": [0.0, 0.5, 0.2], "width": [1.0, 0.5, 0.5],
    "height": [1.0, 0.6, 0.3], "opacity": [1.0, 0.5, 1.0], "angle": [0.0, math.pi / 2, 0.0],
    "color": [[[255.0, 204.0, 0.0]], [], [[10.0, 20.0, 30.0]]],
    "image": ["", picture((255, 0, 0, 255)), {"bytes": picture((0, 0, 0, 9)), "path": None}],
    "text": ["", "", "Stay\nwith us"], "font": ["", "", "Open Sans"], "font_size": [0, 0, 18.0],
    "text_align": ["", "", "center"], "capitalize": ["false", "false", "true"],
    "line_height": [0, 0, 1.4], "letter_spacing": [0, 0, 2.0],
}  # fmt: skip


def written(path: Path, *records: dict[str, object]) -> Path:
    path.write_text("\n".join(json.dumps(record) for record in records))
    return path


def test_a_record_is_a_document_of_layers(tmp_path: Path) -> None:
    made = files.read(written(tmp_path / "a.json", RECORD))
    assert made.size == (200, 100)
    ground, photo, words = made.layers
    assert ground.content == Shape("rectangle", 200.0, 100.0, (255, 204, 0, 255))
    assert (photo.left, photo.top, photo.opacity) == (-20.0, 50.0, 0.5)
    assert photo.angle == pytest.approx(90.0)
    assert photo.pixels.shape == (60, 100, 4)
    assert (photo.pixels == (255, 0, 0, 255)).all()
    assert isinstance(words.content, Text)
    style = words.content.style
    assert words.content.words == "STAY\nWITH US"
    assert (style.family, style.size, style.align) == ("Open Sans", 18.0, "centre")
    assert (style.colour, style.leading, style.spacing) == ((10, 20, 30, 255), 1.4, 2.0)
    assert (words.left, words.content.width) == (50.0, 100.0)
    assert words.top == pytest.approx(20 + 18)
    assert words.content.drawn.shape == (30, 100, 4)
    assert made.notes == ()


def test_its_own_pictures_show_where_the_boxes_are(tmp_path: Path) -> None:
    record = {**RECORD, "angle": [0, 0, 0], "image": ["", "", picture((0, 0, 0, 255))]}
    record["color"] = [[[255, 255, 255]], [[9, 9, 9]], []]
    drawn = Document(written(tmp_path / "a.json", record)).rgb
    assert (drawn[20:50, 50:150] == 0).all()
    assert (drawn[:50, 155:] == 255).all()


def test_a_line_is_a_page(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", RECORD, {**RECORD, "canvas_width": 300})
    assert files.pages(path) == 2
    assert files.read(path, 2).size == (300, 100)
    with pytest.raises(UserMistake, match="has 2 pages, and no page 3"):
        files.read(path, 3)
    (tmp_path / "b.json").write_text(json.dumps(RECORD, indent=1))
    assert files.pages(tmp_path / "b.json") == 1


def test_numbers_for_categories_are_read_as_far_as_they_mean_something(tmp_path: Path) -> None:
    record = {**RECORD, "type": [1, 3, 4], "font": [0, 0, 152], "text_align": [0, 0, 3]}
    made = files.read(written(tmp_path / "a.json", record))
    assert made.layers[2].content.style.align == "right"
    assert made.layers[2].name == "element 3"
    assert made.notes == ("the font 152 has no name: PT Sans stands for it",)


@pytest.mark.parametrize(("change", "said"), [
    ({"canvas_width": 3}, "canvas_width is 3. Pixels, at least 16"),
    ({"canvas_height": None}, "canvas_height is None"),
    ({"left": 3}, "left is '3'. A list is expected"),
    ({"top": [0.0]}, "top has 1 entries. One for each of 3 elements"),
    ({"width": [1.0, "x", 1.0]}, r"width\[1\] is 'x'. Expected: a number"),
    ({"height": [1.0, -1.0, 1.0]}, r"height\[1\] is '-1.0'. Expected: a fraction"),
    ({"angle": [True, 0, 0]}, r"angle\[0\] is 'True'"),
    ({"text": ["", 3, ""]}, r"text\[1\] is '3'. Expected: words"),
    ({"font_size": [0, 0, 1e5]}, r"font_size\[2\] is '100000.0'"),
    ({"text_align": ["", "", "middle"]}, r"text_align\[2\] is 'middle'. Expected: left, center"),
    ({"color": [[[999, 0, 0]], [], []]}, r"color\[0\] is .* Expected: red, green and blue"),
    ({"color": [[], [], []]}, r"color\[0\] is"),
    ({"image": ["%%", "", ""]}, r"image\[0\] is '%%'. Expected: a picture in base64"),
    ({"image": [3, "", ""]}, r"image\[0\] is '3'"),
    ({"left": [0.0] * 10_001}, "left has 10,001 entries"),
])  # fmt: skip
def test_a_bad_record_names_its_field(tmp_path: Path, change: dict[str, object], said: str) -> None:
    with pytest.raises(DataError, match=said):
        files.read(written(tmp_path / "a.json", {**RECORD, **change}))


def test_what_is_no_record_or_too_large_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{x}")
    with pytest.raises(DataError, match="is no JSON"):
        files.read(tmp_path / "a.json")
    (tmp_path / "a.json").write_text("{" + '"a":[' * 99_999)
    with pytest.raises(DataError, match="is no JSON"):
        files.read(tmp_path / "a.json")
    with pytest.raises(PictureError, match="have more than"):
        files.read(written(tmp_path / "a.json", {**RECORD, "width": [1e4, 1, 1]}))
    with pytest.raises(PictureError, match="canvas is"):
        files.read(written(tmp_path / "a.json", {**RECORD, "canvas_width": 10**8}))
