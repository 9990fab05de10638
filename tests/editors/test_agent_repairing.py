"""Repairs: what is spoilt is mended or put back, and nothing else is touched."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture
from overpaint.document.geometry import recoloured, scaled, shifted
from overpaint.document.layers import Run, Shape, Style, Text
from overpaint.document.render import bounds
from overpaint.editors.agent.checking import burden, faults
from overpaint.editors.agent.checking.repairing import repaired
from overpaint.editors.agent.checking.ways import unmatted
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.hands import Hands
from overpaint.errors import Refused
from overpaint.vision.layers import Seen

SIZE = (400, 520)
BLACK, WHITE = (0, 0, 0, 255), (255, 255, 255, 255)


def text(name: str, words: str, top: float, size: float = 28.0) -> Layer:
    style = Style(size=size, colour=BLACK)
    return Layer(Text((Run(words, style),)), name, name, left=20.0, top=top)


def figure(colour: tuple[int, int, int], seed: int = 1) -> Layer:
    pixels = np.zeros((120, 120, 4), np.uint8)
    y, x = np.mgrid[:120, :120]
    shade = 40 * np.sin(x / 9 + seed) + 30 * np.cos(y / 13 * seed)
    for at in range(3):
        pixels[:, :, at] = np.clip(colour[at] + shade, 0, 255)
    pixels[:, :, 3] = 255 * ((x - 60) ** 2 + (y - 60) ** 2 < 50**2)
    return Layer(Picture(pixels), "sun", "sun", left=140.0, top=330.0)


def seen(layer: Layer) -> Seen:
    live = isinstance(layer.content, Text)
    words = layer.content.words if isinstance(layer.content, Text) else ""
    kind = "text" if live else "decoration" if isinstance(layer.content, Shape) else "image"
    box = bounds(layer) or (0, 0, 0, 0)
    return Seen(layer.id, layer.name, kind, words, (), box, "", 0.1, live)  # type: ignore[arg-type]


GROUND = Layer(Shape("rectangle", 400.0, 520.0, fill=WHITE), "background", "background")
LAYERS = (GROUND, figure((220, 140, 30)), text("title", "Summer Fest", 80),
          text("place", "Meet at Dock 3", 160, 20.0))  # fmt: skip
SCENE = Scene(Document(made=LAYERS, canvas=SIZE), "Make it wintry", tuple(map(seen, LAYERS)))
DECIDED = (
    Decision("background", False),
    Decision("sun", True, "Replace the sun with a snowball."),
    Decision("title", True, "Change the text to 'Winter Fest'."),
    Decision("place", False),
)


def swapped(document: Document, new: Layer) -> Document:
    return document.having(*(new if layer.id == new.id else layer for layer in document.layers))


def good() -> Document:
    made = Hands().edit(SCENE.document, SCENE.layer("title"), DECIDED[2].prompt)
    return swapped(made, figure((150, 190, 230), seed=3))


def worded(document: Document, words: str) -> Document:
    layer = document.layer("title")
    assert isinstance(layer.content, Text)
    new = replace(layer.content, runs=(Run(words, layer.content.style),))
    return swapped(document, replace(layer, content=new))


def turned(document: Document, change: Callable[[Layer], Layer]) -> Document:
    return swapped(document, change(document.layer("title")))


def boxed(document: Document) -> Document:
    pixels = document.layer("sun").pixels.copy()
    pixels[pixels[:, :, 3] == 0] = 255
    return swapped(document, replace(document.layer("sun"), content=Picture(pixels)))


def noisy(document: Document) -> Document:
    pixels = document.layer("sun").pixels.copy()
    pixels[:, :, :3] = np.random.default_rng(1).integers(0, 256, pixels[:, :, :3].shape)
    return swapped(document, replace(document.layer("sun"), content=Picture(pixels)))


def mended(document: Document, hands: Hands | None = None) -> Document:
    found = faults(SCENE, DECIDED, document)
    assert found
    made, notes = repaired(SCENE, DECIDED, document, found, hands or Hands())
    assert notes
    return made


def _in_another_font(layer: Layer) -> Layer:
    assert isinstance(layer.content, Text)
    runs = tuple(Run(r.words, replace(r.style, family="Anton")) for r in layer.content.runs)
    return replace(layer, content=replace(layer.content, runs=runs))


DAMAGES: dict[str, Callable[[Document], Document]] = {
    "a typo": lambda d: worded(d, "Witner Fest"),
    "no words": lambda d: worded(d, ""),
    "old words": lambda d: swapped(d, SCENE.document.layer("title")),
    "pale letters": lambda d: turned(d, lambda one: recoloured(one, (250, 250, 250, 255))),
    "tiny letters": lambda d: turned(d, lambda one: scaled(one, 0.3, (100, 80))),
    "letters off the canvas": lambda d: turned(d, lambda one: shifted(one, 330, 0)),
    "letters on others": lambda d: turned(d, lambda one: shifted(one, 0, 78)),
    "another font": lambda d: turned(d, _in_another_font),
    "a hidden layer": lambda d: turned(d, lambda one: replace(one, visible=False)),
    "a box for a figure": boxed,
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_repaired_and_no_other_layer_touched(name: str) -> None:
    spoilt = DAMAGES[name](good())
    made = mended(spoilt)
    assert faults(SCENE, DECIDED, made) == ()
    touched = {"a box for a figure": "sun"}.get(name, "title")
    for layer in made.layers:
        if layer.id != touched:
            assert layer is spoilt.layer(layer.id)


def test_what_was_to_be_kept_is_put_back_bit_for_bit() -> None:
    ground, sun, title, place = good().layers
    spoilt = good().having(sun, ground, title, replace(place, top=161.0), text("more", "Hi", 300))
    made = mended(spoilt)
    assert faults(SCENE, DECIDED, made) == ()
    assert made == good()
    assert made.layer("place") is SCENE.document.layer("place")


def test_a_spoilt_picture_that_cannot_be_edited_again_is_put_back_and_told() -> None:
    spoilt = noisy(good())
    found = faults(SCENE, DECIDED, spoilt)
    made, notes = repaired(SCENE, DECIDED, spoilt, found, Hands())
    assert made.layer("sun") == SCENE.document.layer("sun")
    assert notes[0]["did"].startswith("not done")
    left = faults(SCENE, DECIDED, made)
    assert [fault.kind for fault in left] == ["unchanged"]
    assert burden(left) < burden(found)


class Painter(Hands):
    """Hands that paint the same good picture at the second try, and remember what was asked."""

    asked: list[str] = []  # noqa: RUF012

    def edit(self, document: Document, seen: Seen, prompt: str) -> Document:
        self.asked.append(prompt)
        if len(self.asked) == 1:
            raise Refused("Not in the mood.")
        return swapped(document, figure((150, 190, 230), seed=3))


def test_a_spoilt_picture_is_edited_again_from_its_original_with_a_clearer_prompt() -> None:
    hands = Painter()
    assert faults(SCENE, DECIDED, mended(noisy(good()), hands)) == ()
    assert hands.asked[0] == DECIDED[1].prompt
    assert "keep its outline" in hands.asked[1]


def test_a_round_that_helps_nothing_is_undone() -> None:
    same = swapped(good(), SCENE.document.layer("sun"))
    found = faults(SCENE, DECIDED, same)
    made, notes = repaired(SCENE, DECIDED, same, found, Hands())
    assert made is same
    assert notes[-1]["did"] == "nothing helped; undone"


def test_a_flat_ground_behind_letters_is_taken_out() -> None:
    old = np.zeros((20, 60, 4), np.uint8)
    old[5:15, 10:20] = (10, 20, 30, 255)
    new = np.full((20, 60, 4), 255, np.uint8)
    new[5:15, 30:50, :3] = (10, 20, 30)
    made = unmatted(new, old[:, :, 3] == 0)
    assert made is not None
    assert made[10, 40].tolist() == [10, 20, 30, 255]
    assert made[0, 0, 3] == 0
    assert unmatted(old, old[:, :, 3] == 0) is None


def test_a_deletion_that_was_not_done_is_done() -> None:
    decided = (Decision("place", True, "Delete the text."),)
    found = faults(SCENE, decided, SCENE.document)
    made, _ = repaired(SCENE, decided, SCENE.document, found, Hands())
    assert [layer.id for layer in made.layers] == ["background", "sun", "title"]


# ── colours and words that nobody named ─────────────────────────────────────────────────

KEEPING = (
    'Change the words "Summer Fest" to "Winter Fest" and keep the font, the size, the colour and'
    " the place of this text layer."
)


def coloured(document: Document) -> tuple[int, ...]:
    content = document.layer("title").content
    assert isinstance(content, Text)
    return content.style.colour


@pytest.mark.parametrize("colour", [(250, 250, 250, 255), (235, 240, 225, 255)])
def test_letters_that_lost_their_contrast_get_the_colour_back_that_they_had(
    colour: tuple[int, int, int, int],
) -> None:
    decided = (*DECIDED[:2], Decision("title", True, KEEPING), DECIDED[3])
    spoilt = turned(good(), lambda one: recoloured(one, colour))
    found = faults(SCENE, decided, spoilt)
    assert {fault.kind for fault in found} == {"looks", "contrast"}
    made, _ = repaired(SCENE, decided, spoilt, found, Hands())
    assert made == good()


def test_letters_that_were_to_have_a_colour_get_that_one_not_another_lightness() -> None:
    decided = (Decision("title", True, "Make the title navy."),)
    made = Hands().edit(SCENE.document, SCENE.layer("title"), "Make the title navy.")
    spoilt = turned(made, lambda one: recoloured(one, (240, 240, 250, 255)))
    found = faults(SCENE, decided, spoilt)
    assert "contrast" in {fault.kind for fault in found}
    mended_, _ = repaired(SCENE, decided, spoilt, found, Hands())
    assert mended_ == made


@pytest.mark.parametrize(
    "prompt", ["把标题改成黛蓝", "把标题改成烟霞色", "Change the title to Ocean Mist"]
)
def test_the_name_of_a_colour_is_never_set_as_words(prompt: str) -> None:
    decided = (Decision("title", True, prompt),)
    dyed = turned(SCENE.document, lambda one: recoloured(one, (60, 80, 140, 255)))
    assert faults(SCENE, decided, dyed) == ()
    lost = turned(SCENE.document, lambda one: recoloured(one, (252, 252, 252, 255)))
    for spoilt in (lost, turned(dyed, lambda one: shifted(one, 330, 0))):
        found = faults(SCENE, decided, spoilt)
        assert found
        made, _ = repaired(SCENE, decided, spoilt, found, Hands())
        title = made.layer("title").content
        assert isinstance(title, Text)
        assert title.words == "Summer Fest"
