"""A folder of PNGs and a document.json: exact, readable by people, and safe to write over."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from drawn import documents, pictures, shapes, texts
from hypothesis import given, settings

from overpaint.document import Document, Layer, Picture, files, folder
from overpaint.document.layers import Run, Text
from overpaint.errors import PictureError, UserMistake

RED = np.full((4, 6, 4), (255, 0, 0, 255), np.uint8)
SIMPLE = Document(made=(Layer(Picture(RED), "red", "1"),), canvas=(9, 9))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(documents(pictures | texts | shapes))
def test_what_is_written_is_read_again_exactly(document: Document) -> None:
    with TemporaryDirectory() as place:
        path = Path(place) / "poster"
        assert files.write(document, path) == ()
        assert files.read(path) == document
        assert Document(path).layers == document.layers
        assert files.read(path / "document.json") == document


def test_a_person_can_write_one_by_hand(tmp_path: Path) -> None:
    files.write(SIMPLE, tmp_path / "red.png")
    (tmp_path / "document.json").write_text(json.dumps({
        "overpaint": 1, "width": 90, "height": 50, "layers": [
            {"name": "photo", "picture": {"pixels": "red.png"}},
            {"left": 10, "top": 30,
             "text": {"runs": [{"words": "春 sale", "style": {"size": 12}}]}},
        ]}))  # fmt: skip
    made = files.read(tmp_path)
    assert made.size == (90, 50)
    assert [layer.id for layer in made] == ["1", "2"]
    assert made.layers[1].content.words == "春 sale"
    assert made.layers[1].left == 10.0


def test_a_plain_folder_of_pngs_is_layers_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name, size in (("10-Logo", (3, 5)), ("2_Headline", (4, 4)), ("1 Background", (8, 9))):
        sheet = Document(made=(Layer(Picture(np.full((*size, 4), 90, np.uint8))),))
        files.write(sheet, tmp_path / f"{name}.png")
    (tmp_path / "notes.txt").write_text("not a layer")
    (tmp_path / "link.png").symlink_to(tmp_path / "10-Logo.png")
    found = files.read(tmp_path)
    assert [layer.name for layer in found] == ["Background", "Headline", "Logo"]
    assert found.size == (9, 8)
    assert [layer.pixels.shape for layer in found] == [(8, 9, 4), (4, 4, 4), (3, 5, 4)]
    assert found.notes[0].endswith(
        "has no document.json: its PNGs are its layers, in the order of their names"
    )
    files.write(found, tmp_path / "out")
    assert files.read(tmp_path / "out") == found
    with pytest.raises(UserMistake, match="is a folder of other things"):
        files.write(found, tmp_path)


def test_writing_again_takes_away_what_is_not_used_and_leaves_the_users_own(tmp_path: Path) -> None:
    files.write(SIMPLE, tmp_path / "a")
    (tmp_path / "a" / "notes.png").write_bytes(b"mine")
    first = {p.name for p in (tmp_path / "a").glob("picture-*.png")}
    other = replace(SIMPLE, made=(Layer(Picture(RED // 2), "dark", "1"),))
    files.write(other, tmp_path / "a")
    names = {p.name for p in (tmp_path / "a").iterdir()}
    assert not first & names
    assert "notes.png" in names
    assert files.read(tmp_path / "a") == other


def test_a_file_or_a_folder_of_other_things_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserMistake, match="is a file"):
        files.write(SIMPLE, tmp_path / "file")
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.png").write_bytes(b"x")
    with pytest.raises(UserMistake, match="is a folder of other things"):
        files.write(SIMPLE, tmp_path / "photos")


@pytest.mark.parametrize(("change", "said"), [
    ({"overpaint": 2}, "overpaint = 2. 1 was expected"),
    ({"width": "9"}, "width is '9'. Expected: a int"),
    ({"width": 10**6, "height": 10**6}, "canvas is 1000000×1000000"),
    ({"layers": {}}, r"layers is '{}'. Expected: a list of layers"),
    ({"layers": [{}]}, r"layers\[0\] is '{}'. Expected: an object with one of picture, text"),
    ({"layers": [{"group": 3}]}, r"layers\[0\].group is '3'"),
    ({"layers": [{"group": {"layers": []}, "blend": "odd"}]}, r"blend is 'odd'. Expected: one of"),
    ({"layers": [{"group": {"layers": []}, "opacity": 2}]}, "opacity is '2.0'"),
    ({"layers": [{"group": {"layers": []}, "colour": 2}]}, "colour is not known. A layer has"),
    ({"layers": [{"group": {"layers": []}, "left": 1e9}]}, "left is '1000000000.0'"),
    ({"layers": [{"picture": {}}]}, "pixels is missing"),
    ({"layers": [{"picture": {"pixels": 3}}]}, "pixels is '3'. Expected: a picture's name"),
    ({"layers": [{"picture": {"pixels": "empty 3×3"}}]}, "pixels is 'empty 3×3'"),
    ({"layers": [{"picture": {"pixels": "../../etc/passwd.png"}}]}, "not a PNG of its folder"),
    ({"layers": [{"picture": {"pixels": "gone.png"}}]}, "gone.png cannot be opened"),
    ({"layers": [{"picture": {"pixels": "data:image/png;base64,&&"}}]}, "a PNG in base64"),
    ({"layers": [{"text": {"runs": [{"words": "a", "style": {"size": 1e5}}]}}]}, "size is '100000"),
    ({"layers": [{"text": {"runs": [{"words": "a", "style": {"colour": [1, 2, 3, 256]}}]}}]},
     "a colour, four numbers from 0 to 255"),
    ({"layers": [{"text": {"runs": [{"words": "a", "style": {"colour": [1, 2]}}]}}]}, "4 values"),
    ({"layers": [{"text": {"runs": [{"words": "a", "style": {"blur": 1e5}}]}}]}, "blur is"),
    ({"layers": [{"text": {"runs": [{"words": "a", "style": {"stretch": 1e5}}]}}]},
     "stretch is '100000.0'. Expected: a number from 0.01 to 100."),
    ({"layers": [{"text": {"runs": [{"words": "a", "style": {"size": 6000}}]}}]},
     "size is '6000.0'. Expected: a number from 0.01 to 5,000."),
    ({"layers": [{"text": {"runs": 3}}]}, "runs is '3'. Expected: a list"),
    ({"layers": [{"text": 3}]}, "text is '3'. Expected: an object"),
    ({"layers": [{"shape": {"kind": "ellipse", "width": 1e6, "height": 1e6}}]},
     "up to 100,000,000"),
    ({"layers": [{"group": {"layers": []}, "mask": {"pixels": "empty 0×0", "outside": 256}}]},
     "outside is '256'"),
])  # fmt: skip
def test_a_mistake_in_the_json_is_named_with_its_place(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    value = {"overpaint": 1, "width": 9, "height": 9, "layers": [], **change}
    (tmp_path / "document.json").write_text(json.dumps(value))
    with pytest.raises(PictureError, match=said):
        files.read(tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"overpaint": NaN}', "[" * 9999, "\udcff"])
def test_no_json_is_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "document.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(PictureError, match="document.json"):
        files.read(tmp_path)


def test_deep_groups_and_many_layers_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner: dict[str, object] = {"group": {"layers": []}}
    for _ in range(70):
        inner = {"group": {"layers": [inner]}}
    value = {"overpaint": 1, "width": 9, "height": 9, "layers": [inner]}
    (tmp_path / "document.json").write_text(json.dumps(value))
    with pytest.raises(PictureError, match="groups lie more than 64 deep"):
        files.read(tmp_path)
    monkeypatch.setattr("overpaint.document.decoding.MAX_LAYERS", 9)
    with pytest.raises(PictureError, match="more than 9 layers"):
        files.read(tmp_path)


def test_a_folder_without_an_index_is_no_document(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="has neither a document.json nor a PNG in it"):
        files.read(tmp_path)


def test_layers_that_share_an_id_get_ids_of_their_own(tmp_path: Path) -> None:
    words = Text((Run("a"),))
    shared = tuple(Layer(words, name, "1") for name in ("a", "b", "c"))
    folder.write(Document(made=shared, canvas=(9, 9)), tmp_path / "a")
    assert [layer.id for layer in files.read(tmp_path / "a")] == ["1", "2", "3"]


def test_a_folder_that_links_to_a_file_elsewhere_is_refused(tmp_path: Path) -> None:
    files.write(SIMPLE, tmp_path / "a")
    png = next((tmp_path / "a").glob("*.png"))
    png.rename(tmp_path / "away.png")
    png.symlink_to(tmp_path / "away.png")
    with pytest.raises(PictureError, match="not a PNG of its folder"):
        files.read(tmp_path / "a")
