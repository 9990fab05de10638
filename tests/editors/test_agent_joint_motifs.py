"""A motif that is asked for once comes into one picture: the one that is meant."""

from dataclasses import replace

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Run, Shape, Style, Text
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.joint import settle
from overpaint.vision.layers import Kind, Seen

SIZE = (700, 900)
Asked = dict[str, str]
# Instruction, what is asked of the two pictures, which of them takes the job, what it says.
CASES: list[tuple[str, Asked, str, str]] = [
    ("Replace the dog with a cat.",
     {"main": "Replace the dog with a cat.", "small": "Replace the dog with a cat."},
     "main", "cat"),
    ("Replace the dog with a cat.",
     {"main": "Replace the tree with a cat.", "small": "Turn the dog into a cat."}, "small", "cat"),
    ("Replace the dog with a cat.",
     {"main": "Draw a cat here.", "small": "Replace the ball with a cat."}, "main", "cat"),
    ("Replace the dog with a cat.",
     {"main": "Replace the bowl with a sleeping cat.", "small": "Show a cat in this picture."},
     "small", "cat"),
    ("Show a cat instead of the dog.",
     {"main": "Draw a cat in place of the dog.", "small": "Paint a small cat into this picture."},
     "main", "cat"),
    ("Put a lighthouse where the windmill is.",
     {"main": "Replace the windmill with a lighthouse.",
      "small": "Replace the windmill with a lighthouse, keep its size."}, "main", "lighthouse"),
    ("Swap the picture for a lighthouse.",
     {"main": "Draw a lighthouse in place of the windmill.",
      "small": "Draw a lighthouse in place of the boat."}, "main", "lighthouse"),
    ("Replace the small picture with a kite.",
     {"main": "Replace the picture with a kite.", "small": "Replace the picture with a kite."},
     "small", "kite"),
    ("把狗换成猫。", {"main": "把狗换成猫", "small": "把狗换成猫"}, "main", "猫"),
    ("把狗换成一只猫。", {"main": "把树换成一只猫", "small": "把狗换成一只猫"}, "small", "猫"),
    ("用灯塔代替风车。",
     {"main": "在原来的位置用同样大小的灯塔代替风车。", "small": "把小船换成灯塔"}, "main", "灯塔"),
    ("图片里的风车改为灯塔。",
     {"main": "把风车换成灯塔，位置不变", "small": "在这里画一座灯塔"}, "main", "灯塔"),
    ("插图换成灯塔，文字不变。", {"main": "把风车换成灯塔", "small": "把小船换成灯塔"},
     "main", "灯塔"),
]  # fmt: skip
FINE: list[tuple[str, Asked]] = [
    ("Replace the dog with a cat and the ball with a mouse.",
     {"main": "Replace the dog with a cat.", "small": "Replace the ball with a mouse."}),
    ("The dog and the ball become a cat each.",
     {"main": "Replace the dog with a cat.", "small": "Replace the ball with a cat."}),
    ("Turn the dog and the ball into cats.",
     {"main": "Replace the dog with a cat.", "small": "Replace the ball with a cat."}),
    ("Replace the pictures with cats.",
     {"main": "Replace the dog with a cat.", "small": "Replace the ball with a cat."}),
    ("Make it a cat show.",
     {"main": "Replace the dog with a cat.", "small": "Replace the bone with a fish."}),
    ("两张图都换成猫。", {"main": "把狗换成猫", "small": "把球换成猫"}),
    ("把狗换成猫，把球换成老鼠。", {"main": "把狗换成猫", "small": "把球换成老鼠"}),
]  # fmt: skip


def _layer(name: str, at: tuple[int, int], side: int) -> Layer:
    pixels = np.full((side, side, 4), (180, 90, 40, 255), np.uint8)
    return Layer(Picture(pixels), name, name, *at)


def scene_of(instruction: str, names: Asked | None = None) -> Scene:
    ground = Layer(Shape("rectangle", *SIZE, (250, 244, 226, 255)), "background", "ground")
    title = Layer(Text((Run("Open Day", Style(size=60.0)),)), "title", "title", 60, 120)
    pictures = [_layer("main", (200, 250), 300), _layer("small", (520, 400), 120)]
    document = Document(made=(ground, *pictures, title), canvas=SIZE)
    told = [
        _seen("ground", "decoration", (0, 0, *SIZE)), _seen("main", "image", (200, 250, 500, 550)),
        _seen("small", "image", (520, 400, 640, 520)), _seen("title", "text", (60, 60, 400, 140)),
    ]  # fmt: skip
    layers = [replace(one, name=(names or {}).get(one.id, one.name)) for one in told]
    return Scene(document, instruction, tuple(layers))


def _seen(name: str, kind: Kind, box: tuple[int, int, int, int]) -> Seen:
    covers = (box[2] - box[0]) * (box[3] - box[1]) / (SIZE[0] * SIZE[1])
    words = "Open Day" if kind == "text" else ""
    return Seen(name, f"Layer {box[0]}", kind, words, ("#000000",), box, "", covers, kind == "text")


def decided(scene: Scene, asked: Asked) -> tuple[Decision, ...]:
    return tuple(Decision(one.id, one.id in asked, asked.get(one.id, "")) for one in scene.layers)


def takers(decisions: tuple[Decision, ...], thing: str) -> list[str]:
    return [one.layer for one in decisions if one.edit and thing in one.prompt.casefold()]


@pytest.mark.parametrize(("instruction", "asked", "owner", "thing"), CASES)
def test_one_picture_takes_the_motif(
    instruction: str, asked: Asked, owner: str, thing: str
) -> None:
    scene = scene_of(instruction)
    settled = settle(scene, decided(scene, asked))
    assert takers(settled.decisions, thing) == [owner], settled
    assert settle(scene, settled.decisions).decisions == settled.decisions


def test_a_picture_that_is_called_after_the_motif_is_meant() -> None:
    scene = scene_of("Replace the dog with a cat.", {"main": "meadow", "small": "dog"})
    asked = {"main": "Put a cat into the picture.", "small": "Turn this into a cat."}
    assert takers(settle(scene, decided(scene, asked)).decisions, "cat") == ["small"]


def test_whoever_loses_a_motif_keeps_the_other_jobs() -> None:
    scene = scene_of("Replace the dog with a cat and the ball with a mouse.")
    asked = {"main": "Replace the dog with a cat.",
             "small": "Replace the ball with a mouse. Replace the dog with a cat."}  # fmt: skip
    settled = settle(scene, decided(scene, asked))
    assert takers(settled.decisions, "cat") == ["main"]
    assert takers(settled.decisions, "mouse") == ["small"]


@pytest.mark.parametrize(("instruction", "asked"), FINE)
def test_motifs_that_go_together_come_out_as_they_came_in(instruction: str, asked: Asked) -> None:
    scene = scene_of(instruction)
    before = decided(scene, asked)
    settled = settle(scene, before)
    assert settled.decisions == before, settled.clashes
