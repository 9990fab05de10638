"""Layered results as the page stacks them: true to the document, shared, bounded, safe."""

import hashlib
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layered_runs import HIGH, WIDE, changed, crowd, grouped, layered_run, poster, words
from made_run import HOSTILE
from PIL import Image
from test_report_boxes import unpacked
from test_report_page import Reader, write
from test_report_view import serving

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import BLENDS, Mask
from overpaint.document.render import render
from overpaint.report.layers import CSS, MOST, compared, drawn, leaves, stack_of
from overpaint.store import keep_picture, picture_path


def put_together(stack: dict[str, Any], folder: Path) -> Any:
    """The picture that a browser makes of a stack, by our own renderer."""
    laid = []
    for layer in stack["layers"]:
        if layer["on"] and layer["picture"]:
            pixels = np.asarray(Image.open(picture_path(folder, layer["picture"])).convert("RGBA"))
            left, top = layer["box"][:2]
            blend = layer["mode"] or "normal"
            laid.append(Layer(Picture(pixels), left=left, top=top, blend=blend))
    return render(laid, tuple(stack["size"]), over=(255, 255, 255, 255))[:, :, :3]


def furthest(one: Any, other: Any) -> int:
    return int(np.abs(one.astype(int) - other.astype(int)).max())


def test_every_blend_mode_has_a_way_to_be_shown() -> None:
    assert set(CSS) == set(BLENDS)


def test_the_stack_put_together_is_the_document(tmp_path: Path) -> None:
    document = poster()
    stack = stack_of(document, tmp_path)
    assert [layer["id"] for layer in stack["layers"]] == [layer.id for layer in document]
    assert furthest(put_together(stack, tmp_path), document.rgb) <= 1
    assert stack["notes"] == []


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_any_flat_stack_of_layers_is_put_together_as_it_was(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    random, folder = np.random.default_rng(seed), tmp_path_factory.mktemp("stack")
    layers = []
    for number in range(int(random.integers(1, 6))):
        high, wide = random.integers(1, 30, 2)
        pixels = random.integers(0, 256, (high, wide, 4)).astype(np.uint8)
        left, top = (float(side) for side in random.integers(-15, 25, 2))
        shown = random.integers(0, 256, (9, 9)).astype(np.uint8)
        mask = Mask(shown, 3, 4, 255) if random.random() < 0.3 else None
        seen, opacity = bool(random.random() < 0.8), float(random.random())
        layer = Layer(Picture(pixels), "", str(number), left, top, 0.0, opacity)
        layers.append(replace(layer, visible=seen, mask=mask))
    document = Document(made=tuple(layers), canvas=(24, 20))
    # Each layer's alpha is rounded once more than in the document.
    assert furthest(put_together(stack_of(document, folder), folder), document.rgb) <= 4


def test_a_layer_is_cut_to_the_canvas_and_to_what_it_paints(tmp_path: Path) -> None:
    boxes = {one["id"]: one["box"] for one in stack_of(poster(), tmp_path)["layers"]}
    assert boxes["ground"] == [0, 0, WIDE, HIGH]
    assert boxes["sun"] == pytest.approx([105, 150, 255, 300], abs=1)


def test_hidden_layers_are_there_and_off_and_empty_ones_have_no_picture(tmp_path: Path) -> None:
    clear = Layer(Picture(np.zeros((9, 9, 4), np.uint8)), "clear", "clear")
    away = Layer(Picture(np.full((9, 9, 4), 255, np.uint8)), "away", "away", left=5000)
    document = poster().having(*poster().layers, clear, away)
    found = {one["id"]: one for one in stack_of(document, tmp_path)["layers"]}
    assert not found["draft"]["on"]
    assert found["draft"]["picture"]
    assert (found["clear"]["picture"], found["away"]["box"]) == (None, [])


def test_what_css_cannot_show_exactly_is_said(tmp_path: Path) -> None:
    stack = stack_of(grouped(), tmp_path)
    assert [one["id"] for one in stack["layers"]] == ["ground", "base", "clipped", "burnt"]
    for part in ("linear-burn", "clipped", "of a group"):
        assert any(part in note for note in stack["notes"]), part
    # What is clipped stays where its base is.
    leaf = next(leaf for leaf in leaves(grouped()) if leaf.layer.id == "clipped")
    made = drawn(leaf, (WIDE, HIGH))
    assert made is not None
    assert (made.pixels[-1, -1, 3], made.pixels[5, 5, 3]) == (0, round(200 / 2))


def test_a_group_that_is_hidden_hides_its_layers() -> None:
    document = grouped()
    hidden = tuple(replace(one, visible=one.id != "group") for one in document.layers)
    found = {leaf.layer.id: leaf.on for leaf in leaves(document.having(*hidden))}
    assert found == {"ground": True, "base": False, "clipped": False, "burnt": True}


def test_a_document_of_many_layers_is_bounded_and_still_whole(tmp_path: Path) -> None:
    document, started = crowd(240), time.perf_counter()
    stack = stack_of(document, tmp_path)
    assert time.perf_counter() - started < 5
    assert (len(stack["layers"]), stack["total"], stack["together"]) == (MOST, 240, 141)
    assert stack["layers"][0]["name"] == "the lowest 141 layers"
    assert furthest(put_together(stack, tmp_path), document.rgb) == 0


# ── shared and kept ─────────────────────────────────────────────────────────────────────────


def test_a_layer_that_two_documents_share_is_written_once_under_its_hash(tmp_path: Path) -> None:
    source = poster()
    known: dict[str, str] = {}
    stacks = [stack_of(one, tmp_path, known) for one in (source, changed(source, date="May"))]
    pictures = {one["picture"] for stack in stacks for one in stack["layers"]}
    assert len(pictures) == 8
    # Beside them lies what all layers of each document make together.
    assert len(list((tmp_path / "pictures").glob("*/*.png"))) == 8 + 2
    for name in pictures:
        data = picture_path(tmp_path, name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == name[:64]


def test_what_was_drawn_before_is_not_drawn_again_unless_a_picture_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = keep_picture(tmp_path, poster())
    first = stack_of(document, tmp_path)
    calls: list[object] = []
    monkeypatch.setattr("overpaint.report.layers.leaves", lambda one: calls.append(one) or [])
    assert stack_of(document, tmp_path) == first
    assert calls == []
    picture_path(tmp_path, first["layers"][0]["picture"]).unlink()
    stack_of(document, tmp_path)
    assert len(calls) == 1


@pytest.mark.parametrize("junk", ["", "[]", "{", '{"form": "layers/1", "layers": 3}', "null"])
def test_a_spoilt_note_of_what_was_drawn_is_drawn_anew(tmp_path: Path, junk: str) -> None:
    document = poster()
    first = stack_of(document, tmp_path)
    picture_path(tmp_path, f"{document.key}.layers.json").write_text(junk)
    assert stack_of(document, tmp_path) == first


def test_a_file_that_cannot_be_read_is_said_in_the_stack(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ora"
    broken.write_bytes(b"PK\x03\x04 and no more")
    assert "broken.ora" in stack_of(Document(broken), tmp_path)["error"]


def test_layers_are_marked_by_what_became_of_them(tmp_path: Path) -> None:
    source = poster()
    new = words("new", "NEW", 200)
    output = changed(source, headline="WINTER SALE")
    output = output.having(*(one for one in output.layers if one.id != "sun"), new)
    stack = compared(stack_of(output, tmp_path), stack_of(source, tmp_path))
    marks = {one["id"]: one["mark"] for one in stack["layers"]}
    assert marks == {"ground": "kept", "shade": "kept", "headline": "edited", "date": "kept",
                     "shop": "kept", "draft": "kept", "new": "added"}  # fmt: skip
    assert stack["gone"] == ["sun"]


# ── in the report ───────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(layered_run(tmp_path_factory.mktemp("layered")))


def inside(page: Path) -> list[Any]:
    told = next(text for _, told, text in Reader(page).inside if told.get("id") == "inside")
    return [unpacked(line) for line in told.split("\n")]


def test_the_page_carries_the_layers_of_source_truth_and_outputs(page: Path) -> None:
    card, found = Reader(page).deck["samples"][0], inside(page)[0]
    pictures = [card["source"], card["target"], card["edits"][0][0]]
    assert sorted(found["stacks"], key=int) == sorted(map(str, pictures), key=int)
    made = {one["id"]: one for one in found["stacks"][str(pictures[2])]["layers"]}
    assert (made["headline"]["mark"], made["headline"]["gold"]) == ("edited", True)
    assert (made["shop"]["mark"], made["shop"]["gold"]) == ("edited", False)
    assert (made["sun"]["kind"], made["ground"]["kind"]) == ("decoration", "image")
    for stack in found["stacks"].values():
        for layer in stack["layers"]:
            assert picture_path(page.parent, layer["picture"]).is_file()


def test_a_layered_result_is_shown_as_the_picture_it_makes(page: Path) -> None:
    card = Reader(page).deck["samples"][0]
    shown = Image.open(picture_path(page.parent, card["pictures"][card["source"]]))
    assert furthest(np.asarray(shown), poster().rgb) == 0


def test_writing_a_layered_report_twice_gives_the_same_page(page: Path) -> None:
    before = page.read_bytes()
    assert write(page.parent.parent).read_bytes() == before


@pytest.mark.slow
def test_workers_draw_the_same_layers(page: Path, tmp_path: Path) -> None:
    other = write(layered_run(tmp_path), workers=2)
    assert inside(other) == inside(page)


@pytest.mark.slow
def test_a_served_page_draws_layers_when_asked_and_leaves_nothing_in_the_run(
    tmp_path: Path,
) -> None:
    folder = layered_run(tmp_path)
    before = sorted(folder.rglob("*.*"))
    with serving(folder) as server:
        server.read("/")
        found = json.loads(server.read("/inside/1")[1])
        name = found["stacks"]["0"]["layers"][0]["picture"]
        assert (
            hashlib.sha256(server.read(f"/pictures/{name[:2]}/{name}")[1]).hexdigest() == name[:64]
        )
        assert server.read("/inside/999")[0] == 404
    assert sorted(folder.rglob("*.*")) == before


def test_names_of_layers_are_text_on_one_line_and_not_too_long(tmp_path: Path) -> None:
    told = [*HOSTILE, "x" * 5000]
    layers = tuple(replace(words(f"w{n}", "hi", 50), name=name) for n, name in enumerate(told))
    stack = stack_of(Document(made=layers, canvas=(WIDE, HIGH)), tmp_path)
    for layer in stack["layers"]:
        assert "\n" not in layer["name"]
        assert len(layer["name"]) <= 120
