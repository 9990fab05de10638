"""Hands edit one layer as a prompt says, and leave every other one bit for bit as it was."""

import agent_cases
import numpy as np
import pytest

from overpaint.core import Request
from overpaint.document import Document
from overpaint.document.layers import Picture, Shape, Text
from overpaint.editors.agent.hands import Hands
from overpaint.errors import NotThere, Refused
from overpaint.vision.layers import seen


def edited(document: Document, layer: str, prompt: str, hands: Hands | None = None) -> Document:
    """The document with a layer edited; that no other changed is checked."""
    about = next(one for one in seen(document) if one.id == layer)
    done = (hands or Hands()).edit(document, about, prompt)
    others = [one for one in document.layers if one.id != layer]
    assert [one for one in done.layers if one.id != layer] == others
    return done


def words(document: Document, layer: str) -> list[str]:
    return [one.words for one in seen(document) if one.id == layer]


@pytest.mark.slow
@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize(
    ("layer", "prompt", "expected"),
    [
        ("4", "replace 'SUMMER' with 'WINTER'", ["WINTER SALE"]),
        ("4", "Change the text to 'WINTER SALE'", ["WINTER SALE"]),
        ("4", "把文字改成“冬季促销”", ["冬季促销"]),
        ("5", "replace '30%' with '50%'", ["Up to 50% off"]),
        ("6", "replace 'Town Hall' with 'City Park'", ["Friday, 8 May · City Park"]),
        ("7", "delete it", []),
    ],
)
def test_words_are_set_whether_they_are_live_or_pixels(
    live: bool, layer: str, prompt: str, expected: list[str]
) -> None:
    assert words(edited(agent_cases.poster(live=live), layer, prompt), layer) == expected


def test_of_a_text_with_a_date_in_it_only_the_date_changes() -> None:
    done = edited(agent_cases.poster(), "6", "change the date to 'Monday, 11 May'")
    assert words(done, "6") == ["Monday, 11 May · Town Hall"]


def test_a_role_that_the_words_do_not_have_means_the_whole_layer() -> None:
    done = edited(agent_cases.poster(), "4", "change the title to 'WINTER'")
    assert words(done, "4") == ["WINTER"]


@pytest.mark.parametrize(
    "prompt", ["make it dark green", "Make the text dark green", "把它改成深绿色"]
)
@pytest.mark.parametrize("live", [True, False])
def test_a_colour_is_given_to_the_whole_layer(live: bool, prompt: str) -> None:
    done = edited(agent_cases.poster(live=live), "4", prompt)
    (layer,) = (one for one in done.layers if one.id == "4")
    if isinstance(layer.content, Text):
        assert layer.content.style.colour == (0, 100, 0, 255)
    else:
        before = next(one for one in agent_cases.poster(live=False).layers if one.id == "4")
        assert (layer.pixels[:, :, 3] == before.pixels[:, :, 3]).all()
        assert (layer.pixels[layer.pixels[:, :, 3] == 255][:, :3] == (0, 100, 0)).all()


def test_shapes_and_backgrounds_take_another_colour_and_can_go() -> None:
    done = edited(agent_cases.poster(), "2", "make this layer navy")
    shape = next(one.content for one in done.layers if one.id == "2")
    assert isinstance(shape, Shape)
    assert shape.fill == (0, 0, 128, 255)
    done = edited(agent_cases.poster(), "1", "Make the background light blue")
    assert not np.array_equal(done.layers[0].pixels, agent_cases.poster().layers[0].pixels)
    assert "2" not in [one.id for one in edited(agent_cases.poster(), "2", "删除这个图层").layers]


def test_what_a_picture_shows_needs_an_image_editor() -> None:
    with pytest.raises(Refused, match=r"no image editor is named.*agent:rules;image="):
        edited(agent_cases.poster(), "3", "replace the sun with a snowflake")


def test_an_image_editor_repaints_a_picture_under_its_alpha() -> None:
    class Blue:
        """An editor that gives back another size, without alpha."""

        def __call__(self, request: Request) -> Document:
            assert request.instruction == "replace the sun with a moon"
            wide, high = request.source.size
            return Document.of(np.full((high // 2, wide // 2, 3), (40, 60, 200), np.uint8))

    document = agent_cases.poster()
    done = edited(document, "3", "replace the sun with a moon", Hands(Blue()))
    old, new = document.layers[2].content, done.layers[2].content
    assert isinstance(old, Picture)
    assert isinstance(new, Picture)
    assert (new.pixels[:, :, 3] == old.pixels[:, :, 3]).all()
    assert (new.pixels[60, 60, :3] == (40, 60, 200)).all()
    assert any("60×60" in note for note in done.notes)


def test_words_that_a_layer_does_not_say_are_refused() -> None:
    with pytest.raises(Refused, match="Tuesday"):
        edited(agent_cases.poster(), "6", "replace 'Tuesday' with 'Monday'")
    with pytest.raises(NotThere, match="Tuesday"):
        edited(agent_cases.poster(live=False), "6", "replace 'Tuesday' with 'Monday'")


def test_a_prompt_opens_no_file() -> None:
    with pytest.raises(Refused, match="names the file"):
        edited(agent_cases.poster(), "4", "replace the picture with logo.png")


def test_whoever_understands_more_is_asked_where_the_rules_do_not() -> None:
    from overpaint.document.instruct import parse

    asked = []

    def understand(prompt: str, layer: object, why: Refused) -> tuple:
        asked.append(prompt)
        return parse("change the text to 'HO HO HO'")

    hands = Hands(understand=understand)
    done = edited(agent_cases.poster(), "4", "something more festive, please", hands)
    assert words(done, "4") == ["HO HO HO"]
    assert asked == ["something more festive, please"]


def test_a_prompt_that_would_change_another_layer_or_the_order_is_refused() -> None:
    for prompt in ("swap 'SUMMER SALE' and 'Call 555 0192'", "bring the text to the front"):
        with pytest.raises(Refused, match="would change more than layer 'Layer 4'"):
            edited(agent_cases.poster(), "4", prompt)


def test_a_prompt_of_any_length_is_refused_for_its_layer() -> None:
    with pytest.raises(Refused, match="letters"):
        edited(agent_cases.poster(), "4", "make the text red and " * 2000)
