"""One layer edited by an editor of flat pictures: alpha, size and what is not seen stay."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.core import Request
from overpaint.document import Document
from overpaint.document.matte import matted
from overpaint.document.render import render
from overpaint.editors.agent.painting import contrasting, layer_edit
from overpaint.editors.images_api import Images
from overpaint.errors import Refused, UserMistake
from overpaint.testing.painter import FakePainter

Paint = Callable[[np.ndarray], np.ndarray]


class Editor:
    """Paints what it is given, and remembers it."""

    def __init__(self, paint: Paint) -> None:
        self.paint = paint
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> Document:
        self.asked.append(request)
        return Document.of(self.paint(request.source.rgb))


def layer(width: int, height: int, seed: int, *, opaque: bool = False) -> np.ndarray:
    rng = np.random.default_rng(seed)
    pixels = rng.integers(0, 256, (height, width, 4), dtype=np.uint8)
    pixels[:, :, 3] = 255 if opaque else rng.choice([0, 1, 90, 255], (height, width))
    pixels[0, 0, 3] = 255
    return pixels


PAINTS: dict[str, Paint] = {
    "inverts": lambda rgb: 255 - rgb,
    "halves": lambda rgb: (255 - rgb)[::2, ::2],
    "grows": lambda rgb: np.repeat(255 - rgb, 2, axis=0),
    "blackens": np.zeros_like,
    "shows through": lambda rgb: np.dstack([255 - rgb, np.full(rgb.shape[:2], 90, np.uint8)]),
}


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 99), st.sampled_from([*PAINTS]))
@settings(max_examples=120, deadline=None)
def test_size_alpha_and_unseen_bytes_stay_whatever_the_editor_does(
    width: int, height: int, seed: int, paint: str
) -> None:
    before = layer(width, height, seed)
    kept = before.copy()
    after, _ = layer_edit(Editor(PAINTS[paint]), before, "x")
    assert np.array_equal(before, kept), "what it was given is not changed"
    assert after.shape == before.shape
    assert after.dtype == np.uint8
    assert np.array_equal(after[:, :, 3], before[:, :, 3])
    unseen = before[:, :, 3] == 0
    assert np.array_equal(after[unseen], before[unseen])


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_an_editor_that_changes_nothing_leaves_every_byte(w: int, h: int, seed: int) -> None:
    before = layer(w, h, seed)
    after, notes = layer_edit(Editor(lambda rgb: rgb), before, "x")
    assert np.array_equal(after, before)
    assert notes == ("the editor changed nothing",)


@given(st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_over_its_matte_the_layer_looks_as_the_editor_made_it(seed: int) -> None:
    before = layer(20, 20, seed)
    before[:, :, :3] //= 2  # room to be lightened in, so that no colour is clipped
    light = Editor(lambda rgb: rgb)
    seen: list[np.ndarray] = []

    def lightened(rgb: np.ndarray) -> np.ndarray:
        part = before[:, :, 3:].astype(np.float32) / 255
        seen.append(np.rint(rgb + 60 * part).clip(0, 255).astype(np.uint8))
        return seen[0]

    light.paint = lightened
    after, _ = layer_edit(light, before, "x")
    shown, there = matted(after, contrasting(before)), before[:, :, 3] > 0
    exact = there & (seen[0] < 255).all(axis=2)
    assert np.abs(shown[exact].astype(int) - seen[0][exact]).max(initial=0) <= 1


def test_the_matte_is_gone_afterwards_and_the_edge_is_the_layers_own() -> None:
    before = np.zeros((4, 4, 4), np.uint8)
    before[1:3, 1:3] = (200, 30, 30, 128)
    blue = (30, 30, 200)

    def recoloured(rgb: np.ndarray) -> np.ndarray:  # what a faultless editor shows over white
        made = before.copy()
        made[1:3, 1:3, :3] = blue
        return matted(made, (255, 255, 255))

    after, _ = layer_edit(Editor(recoloured), before, "make it blue")
    assert np.abs(after[1, 1, :3].astype(int) - blue).max() <= 1
    over_black = render(Document.of(after).layers, (4, 4), over=(0, 0, 0, 255))
    assert over_black[0, 0].tolist() == [0, 0, 0, 255]


def test_an_opaque_layer_has_no_mask_and_one_with_holes_has_its_alphas() -> None:
    whole, holed = Editor(lambda rgb: 255 - rgb), Editor(lambda rgb: 255 - rgb)
    layer_edit(whole, layer(9, 9, 1, opaque=True), "x")
    pixels = layer(9, 9, 1)
    layer_edit(holed, pixels, "x")
    assert whole.asked[0].mask is None
    drawn = holed.asked[0].mask
    assert drawn is not None
    assert np.array_equal(drawn.rgb[:, :, 0] == 255, pixels[:, :, 3] > 0)
    assert holed.asked[0].instruction == "x"


@pytest.mark.parametrize(
    ("colour", "matte"),
    [((20, 40, 90), (255, 255, 255)), ((250, 250, 240), (0, 0, 0))],
)
def test_the_matte_stands_out_from_the_layer(
    colour: tuple[int, int, int], matte: tuple[int, int, int]
) -> None:
    pixels = np.full((8, 8, 4), 255, np.uint8)
    pixels[:, :, :3] = colour
    assert contrasting(pixels) == matte


def test_a_layer_of_black_and_white_lies_on_neither() -> None:
    pixels = np.full((8, 8, 4), 255, np.uint8)
    pixels[:4, :, :3] = 0
    assert contrasting(pixels) not in ((0, 0, 0), (255, 255, 255))


def test_a_layer_that_shows_nothing_is_refused() -> None:
    with pytest.raises(Refused, match="Nothing of the layer can be seen"):
        layer_edit(Editor(lambda rgb: rgb), np.zeros((5, 5, 4), np.uint8), "x")


def test_what_is_no_layer_is_a_mistake() -> None:
    with pytest.raises(UserMistake, match="H×W×4 bytes were expected"):
        layer_edit(Editor(lambda rgb: rgb), np.zeros((5, 5, 3), np.uint8), "x")


def test_another_size_is_noted() -> None:
    _, notes = layer_edit(Editor(PAINTS["halves"]), layer(8, 6, 0), "x")
    assert notes == ("the editor returned 4×3 for 8×6; scaled back",)


@pytest.mark.parametrize("behaviour", ["ok", "ignores_mask", "small", "alpha", "square"])
def test_a_layer_goes_through_a_server_and_keeps_its_alpha(behaviour: str) -> None:
    before = layer(30, 20, 4)
    with FakePainter(behaviour) as server:
        after, notes = layer_edit(Images(f"{server.url}#brush;grid=16"), before, "invert it")
    assert np.array_equal(after[:, :, 3], before[:, :, 3])
    assert np.array_equal(after[before[:, :, 3] == 0], before[before[:, :, 3] == 0])
    opaque = before[:, :, 3] == 255
    if behaviour in ("ok", "ignores_mask"):
        assert np.array_equal(after[opaque][:, :3], 255 - before[opaque][:, :3])
    assert ("scaled back" in " ".join(notes)) == (behaviour in ("small", "square"))
