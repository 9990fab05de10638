"""The self-check: damage is found, and what is as it was asked for is not."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture
from overpaint.document.geometry import fitted, recoloured, scaled, shifted
from overpaint.document.layers import Mask, Run, Shape, Style, Text
from overpaint.document.render import bounds, sheet_of
from overpaint.editors.agent.checking import Fault, burden, faults
from overpaint.editors.agent.checking.views import asking, names_colour
from overpaint.editors.agent.checking.words import reads, same
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.hands import Hands
from overpaint.editors.agent.joint.reading import Wish
from overpaint.vision.layers import Seen

SIZE = (400, 520)
BLACK, WHITE, NAVY = (0, 0, 0, 255), (255, 255, 255, 255), (16, 24, 72, 255)


def text(name: str, words: str, top: float, **style: object) -> Layer:
    look = Style(**{"size": 28.0, "colour": BLACK, **style})  # type: ignore[arg-type]
    return Layer(Text((Run(words, look),)), name, name, left=20.0, top=top)


def figure(name: str, colour: tuple[int, int, int] = (220, 140, 30), seed: int = 1) -> Layer:
    """A disc with some light and shade on a clear ground."""
    pixels = np.zeros((120, 120, 4), np.uint8)
    y, x = np.mgrid[:120, :120]
    inside = (x - 60) ** 2 + (y - 60) ** 2 < 50**2
    shade = 40 * np.sin(x / 9 + seed) + 30 * np.cos(y / 13 * seed)
    for at in range(3):
        pixels[:, :, at] = np.clip(colour[at] + shade, 0, 255)
    pixels[:, :, 3] = 255 * inside
    return Layer(Picture(pixels), name, name, left=140.0, top=330.0)


def source() -> tuple[Layer, ...]:
    ground = Layer(Shape("rectangle", 400.0, 520.0, fill=WHITE), "background", "background")
    return (ground, figure("sun"), text("title", "Summer Fest", 80),
            text("place", "Meet at Dock 3", 160, size=20.0))  # fmt: skip


def scene_of(*layers: Layer, instruction: str = "Make it a winter fest") -> Scene:
    told = []
    for layer in layers:
        live = isinstance(layer.content, Text)
        words = layer.content.words if isinstance(layer.content, Text) else ""
        box = bounds(layer) or (0, 0, 0, 0)
        covers = (box[2] - box[0]) * (box[3] - box[1]) / (SIZE[0] * SIZE[1])
        kind = "text" if live else "decoration" if isinstance(layer.content, Shape) else "image"
        told.append(Seen(layer.id, layer.name, kind, words, (), box, "", covers, live))  # type: ignore[arg-type]
    return Scene(Document(made=layers, canvas=SIZE), instruction, tuple(told))


SCENE = scene_of(*source())
DECIDED = (
    Decision("background", False),
    Decision("sun", True, "Replace the sun with a snowball."),
    Decision("title", True, "Change the text to 'Winter Fest'."),
    Decision("place", False),
)


def good() -> Document:
    """The document as it was asked for."""
    made = Hands().edit(SCENE.document, SCENE.layer("title"), DECIDED[2].prompt)
    return swapped(made, figure("sun", (150, 190, 230), seed=3))


def swapped(document: Document, new: Layer) -> Document:
    return document.having(*(new if layer.id == new.id else layer for layer in document.layers))


def kinds(document: Document, **more: object) -> set[tuple[str, str]]:
    found = faults(SCENE, DECIDED, document, **more)  # type: ignore[arg-type]
    return {(fault.kind, fault.layer) for fault in found}


def pixels_of(document: Document, name: str) -> np.ndarray:
    return document.layer(name).pixels.copy()


def with_pixels(document: Document, pixels: np.ndarray) -> Document:
    layer = document.layer("sun")
    return swapped(document, replace(layer, content=Picture(np.ascontiguousarray(pixels))))


def worded(document: Document, words: str) -> Document:
    layer = document.layer("title")
    assert isinstance(layer.content, Text)
    runs = (Run(words, layer.content.style),)
    return swapped(document, replace(layer, content=replace(layer.content, runs=runs)))


def test_a_good_result_has_no_fault() -> None:
    assert faults(SCENE, DECIDED, good()) == ()


# ── structure and kept layers ───────────────────────────────────────────────────────────


def test_a_kept_layer_that_differs_in_one_bit_is_found() -> None:
    document = good()
    place = document.layer("place")
    assert ("kept changed", "place") in kinds(swapped(document, replace(place, top=160.5)))
    assert ("kept changed", "place") in kinds(swapped(document, replace(place, visible=False)))


def test_layers_that_came_went_or_changed_their_order_are_found() -> None:
    document = good()
    one, two, three, four = document.layers
    assert ("lost", "place") in kinds(document.having(one, two, three))
    assert ("order", "title") in kinds(document.having(one, three, two, four))
    more = text("new", "Hello", 300)
    assert ("extra", "") in kinds(document.having(one, two, three, four, more))
    assert ("canvas", "") in kinds(replace(document, canvas=(410, 520)))


def test_an_edited_layer_on_which_nothing_was_done_is_found() -> None:
    assert ("unchanged", "title") in kinds(swapped(good(), SCENE.document.layer("title")))
    faint = pixels_of(SCENE.document, "sun")
    faint[60, 60, 2] -= 3
    assert ("unchanged", "sun") in kinds(with_pixels(good(), faint))


def test_more_than_was_asked_is_found() -> None:
    document = good()
    title, sun = document.layer("title"), document.layer("sun")
    assert ("visibility", "title") in kinds(swapped(document, replace(title, visible=False)))
    assert ("looks", "sun") in kinds(swapped(document, replace(sun, opacity=0.5)))
    assert ("geometry", "sun") in kinds(swapped(document, shifted(sun, 20, 0)))
    assert ("geometry", "title") in kinds(swapped(document, shifted(title, 60, 40)))
    assert ("size", "title") in kinds(swapped(document, scaled(title, 0.4, (100, 80))))
    small = fitted(sun.pixels, 60, 60)
    assert ("size", "sun") in kinds(with_pixels(document, small))
    assert ("looks", "title") in kinds(swapped(document, recoloured(title, (200, 0, 0, 255))))
    masked = replace(title, mask=Mask(np.zeros((10, 10), np.uint8)))
    assert ("looks", "title") in kinds(swapped(document, masked))


# ── words ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("words", ["Witner Fest", "Winter", "Winter Fes", "Summer Winter Fest"])
def test_wrong_words_are_found_with_the_right_ones(words: str) -> None:
    found = faults(SCENE, DECIDED, worded(good(), words))
    assert [(fault.kind, fault.words) for fault in found] == [("words", "Winter Fest")]


def test_an_empty_text_is_found() -> None:
    assert ("empty", "title") in kinds(worded(good(), " "))


def test_a_text_that_still_shows_a_picture_of_its_old_words_is_found() -> None:
    document, old = good(), SCENE.document.layer("title")
    sheet, title = sheet_of(old), document.layer("title")
    assert sheet is not None
    assert isinstance(title.content, Text)
    at = (sheet.left - title.left, sheet.top - title.top)
    stale = replace(title.content, drawn=sheet.pixels, drawn_at=at)
    assert ("words", "title") in kinds(swapped(document, replace(title, content=stale)))


def test_words_that_are_pixels_are_read() -> None:
    def drawn(words: str) -> Layer:
        sheet = sheet_of(text("title", words, 80))
        assert sheet is not None
        at = {"left": float(sheet.left), "top": float(sheet.top)}
        return Layer(Picture(sheet.pixels), "title", "title", **at)  # type: ignore[arg-type]

    layers = (source()[0], drawn("Summer Fest"))
    plain = scene_of(*layers)
    told = replace(plain.layers[1], kind="text", words="Summer Fest")
    scene = replace(plain, layers=(plain.layers[0], told))
    decided = (Decision("title", True, "Replace 'Summer' with 'Winter'."),)
    made = scene.document
    assert faults(scene, decided, swapped(made, drawn("Winter Fest"))) == ()
    found = faults(scene, decided, swapped(made, drawn("Wimpel Fest")))
    assert [fault.kind for fault in found] == ["words"]


def test_a_reader_may_be_a_little_wrong_and_marks_may_be_others() -> None:
    assert same("“Hi”  there", '"hi"\nthere')
    assert reads("W1nter Fest", "WInter Fest")
    assert not reads("Wonder Fast", "Winter Fest")


# ── pixels ──────────────────────────────────────────────────────────────────────────────

Damage = Callable[[np.ndarray], np.ndarray]


def _noise(pixels: np.ndarray) -> np.ndarray:
    pixels[:, :, :3] = np.random.default_rng(1).integers(0, 256, pixels[:, :, :3].shape)
    return pixels


def _flat(pixels: np.ndarray) -> np.ndarray:
    pixels[:, :, :3] = (90, 140, 160)
    return pixels


def _clear(pixels: np.ndarray) -> np.ndarray:
    pixels[:, :, 3] = 0
    return pixels


def _boxed(pixels: np.ndarray) -> np.ndarray:
    pixels[pixels[:, :, 3] == 0] = 255
    return pixels


def _rimmed(pixels: np.ndarray) -> np.ndarray:
    import cv2

    there = (pixels[:, :, 3] > 0).astype(np.uint8)
    ring = cv2.dilate(there, np.ones((7, 7), np.uint8)) > there
    pixels[ring] = 255
    return pixels


@pytest.mark.parametrize(
    ("kind", "damage"),
    [("noise", _noise), ("flat", _flat), ("empty", _clear), ("alpha", _boxed), ("halo", _rimmed)],
)
def test_spoilt_pixels_are_found(kind: str, damage: Damage) -> None:
    assert (kind, "sun") in kinds(with_pixels(good(), damage(pixels_of(good(), "sun"))))


# ── the whole ───────────────────────────────────────────────────────────────────────────


def test_letters_that_leave_the_canvas_or_run_into_others_are_found() -> None:
    document = good()
    title = document.layer("title")
    assert ("cut", "title") in kinds(swapped(document, shifted(title, 330, 0)))
    assert ("overlap", "title") in kinds(swapped(document, shifted(title, 0, 78)))


def test_letters_in_the_colour_of_their_ground_are_found_unless_the_user_wants_it() -> None:
    pale = recoloured(good().layer("title"), (250, 250, 250, 255))
    assert ("contrast", "title") in kinds(swapped(good(), pale))
    scene = replace(SCENE, instruction="Make the title white")
    decided = (*DECIDED[:2], Decision("title", True, "Make the text white."), DECIDED[3])
    made = Hands().edit(scene.document, scene.layer("title"), "Make the text white.")
    made = swapped(made, good().layer("sun"))
    assert faults(scene, decided, made) == ()


def test_a_layer_that_covers_words_is_found() -> None:
    sun = good().layer("sun")
    big = swapped(good(), sun)
    ground, picture, title, place = big.layers
    over = replace(
        picture, content=Picture(np.full((520, 400, 4), 255, np.uint8)), left=0.0, top=0.0
    )
    layers = (ground, title, place, picture)
    scene = scene_of(*(SCENE.document.layer(layer.id) for layer in layers))
    found = faults(scene, DECIDED, scene.document.having(ground, title, place, over))
    assert ("hidden", "sun") in {(fault.kind, fault.layer) for fault in found}


def test_what_was_so_before_is_no_fault() -> None:
    layers = (source()[0], replace(text("a", "Cut off here", 60), left=330.0),
              text("b", "Over", 300), text("c", "Under", 305), text("d", "pale", 400,
              colour=(240, 240, 240, 255)), text("e", "Summer", 200))  # fmt: skip
    scene = scene_of(*layers)
    decided = [Decision(name, True, f"Replace '{word}' with '{new}'.") for name, word, new in (
        ("a", "here", "hare"), ("b", "Over", "Ever"), ("d", "pale", "pole"))]  # fmt: skip
    made = scene.document
    for one in decided:
        made = Hands().edit(made, scene.layer(one.layer), one.prompt)
    assert faults(scene, decided, made) == ()


def test_a_deletion_is_found_done_or_not() -> None:
    scene = replace(SCENE, instruction="Remove the place")
    decided = (Decision("place", True, "Delete the text."),)
    done = scene.document.having(*scene.document.layers[:3])
    assert faults(scene, decided, done) == ()
    (found,) = faults(scene, decided, scene.document)
    assert found.kind == "not done"


def test_a_model_may_look_as_well() -> None:
    found = faults(SCENE, DECIDED, good(), judge=lambda scene, document: [("sun", "Too dull.")])
    assert found == (Fault("judge", "sun", "Too dull."),)


@pytest.mark.slow
def test_the_instruction_is_judged_where_the_layers_leave_it_open() -> None:
    scene = replace(SCENE, instruction="Replace 'Dock 3' with 'Pier 9'")
    found = faults(scene, DECIDED, good())
    assert [fault.kind for fault in found] == ["instruction"]


def test_a_layer_as_it_was_weighs_less_than_a_spoilt_one() -> None:
    assert burden([Fault("unchanged", "a", "")]) < burden([Fault("noise", "a", "")])


# ── what a prompt asks, and what it only says to stay ───────────────────────────────────


def wish_of(prompt: str) -> Wish:
    return Wish(Decision("title", True, prompt), SCENE.layer("title"))


def test_what_stays_is_no_part_of_what_is_asked() -> None:
    keeps = " and keep the font, the size, the colour and the place of this text layer."
    assert "colour" not in asking(wish_of('Change the words "A" to "B"' + keeps))
    assert "颜色" not in asking(wish_of("把文字“甲”改为“乙”，字体、字号、颜色和位置保持不变。"))
    told = "Set the title in red; the words, the font and the size stay as they are."
    assert asking(wish_of(told)).startswith("Set the title in red")
    assert "font" not in asking(wish_of(told))


def test_a_colour_is_known_where_nothing_more_is_said_of_it() -> None:
    for prompt in ("Make the title red.", "把标题改成酒红色，文字不变。", "Recolour it in sky blue",
                   "Change the title colour to #aabbcc"):  # fmt: skip
        assert names_colour(wish_of(prompt))
    for prompt in ("Make the title dusty blue", "把标题改成鸦青色", "Make the title bold."):
        assert not names_colour(wish_of(prompt))


def test_a_picture_that_was_to_have_another_colour_and_turned_grey_is_found() -> None:
    decided = (Decision("sun", True, "Recolour it in red."),)
    grey = pixels_of(SCENE.document, "sun")
    grey[:, :, :3] = 128
    found = faults(SCENE, decided, with_pixels(SCENE.document, grey))
    assert ("flat", "sun") in {(fault.kind, fault.layer) for fault in found}
