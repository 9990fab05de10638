"""Letters and what comes to lie under them: settled well clear of the border of readable."""

import numpy as np
import pytest
from test_agent_joint import decided, ground, scene_of, text

from overpaint.document import Layer, Picture
from overpaint.document.contrast import contrast, luminance
from overpaint.document.layers import Colour, Shape
from overpaint.document.render import render
from overpaint.editors.agent.deciding import Scene
from overpaint.editors.agent.hands import Hands
from overpaint.editors.agent.joint import settle

CLEAR = 4.5
GREY: Colour = (140, 140, 140, 255)
WHITE: Colour = (255, 255, 255, 255)


def outcome(scene: Scene, **asked: str) -> float:
    """The contrast of all but a fifth of the title's letters, once all is carried out."""
    document = scene.document
    for one in settle(scene, decided(scene, **asked)).decisions:
        if one.edit:
            document = Hands().edit(document, scene.layer(one.layer), one.prompt)
    at = [layer.id for layer in document.layers].index("title")
    own = render((document.layers[at],), document.size)[:, :, 3] >= 230
    under = render(document.layers[:at], document.size, over=(255, 255, 255, 255))[own][:, :3]
    above = render(document.layers[: at + 1], document.size, over=(255, 255, 255, 255))
    ratios = contrast(luminance(above[own][:, :3]), luminance(under))
    return float(np.quantile(ratios, 0.2))


@pytest.mark.parametrize("size", [20.0, 60.0])
@pytest.mark.parametrize("colour", ["white", "grey", "orange", "navy", "#7a9a3c", "#808080"])
def test_kept_letters_can_be_read_on_any_new_ground(colour: str, size: float) -> None:
    for own in ((255, 255, 255, 255), (20, 20, 20, 255), (150, 60, 60, 255)):
        below: Colour = (0, 0, 0, 255) if sum(own) > 700 else (255, 255, 255, 255)
        scene = scene_of(f"Make the background {colour}", ground(below),
                         text("title", "Fest", 150, size=size, colour=own))  # fmt: skip
        found = outcome(scene, background=f"Make the shape {colour}.")
        assert found >= 3.3, (own, found)


def test_letters_that_must_change_stop_well_beyond_the_border() -> None:
    scene = scene_of("Make it wintry", ground((10, 20, 60, 255)),
                     text("title", "Fest", 150, size=60.0, colour=WHITE))  # fmt: skip
    asked = {"background": "Make the shape white.", "title": "Make the text light grey."}
    assert outcome(scene, **asked) >= CLEAR


def test_letters_are_read_on_the_worse_part_of_what_lies_under_them() -> None:
    pixels = np.full((120, 400, 4), (240, 240, 240, 255), np.uint8)
    pixels[:, 120:] = (130, 130, 130, 255)
    panel = Layer(Picture(pixels), "panel", "panel", 0, 90)
    scene = scene_of("Make it wintry", ground(), panel,
                     text("title", "Winterfest", 150, size=60.0))  # fmt: skip
    assert outcome(scene, title="Make the text grey.") >= 2.9


def test_a_plate_that_takes_on_the_colour_of_its_words_makes_them_change() -> None:
    plate = Layer(Shape("rectangle", 300, 90, (40, 90, 60, 255)), "plate", "plate", 10, 90)
    scene = scene_of("Make the plate white", ground(GREY), plate,
                     text("title", "Fest", 150, size=50.0, colour=WHITE))  # fmt: skip
    assert outcome(scene, plate="Make the shape white.") >= CLEAR
