"""What goes and what stays: decisions that delete against decisions that edit, by their outcome."""

import time
from dataclasses import replace

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture
from overpaint.document.layers import Colour, Run, Shape, Style, Text
from overpaint.document.render import bounds
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.hands import Hands
from overpaint.editors.agent.joint import settle
from overpaint.editors.agent.joint.meant import Meant
from overpaint.errors import OverpaintError
from overpaint.vision.layers import seen

SIZE = (700, 900)
INK: Colour = (30, 30, 60, 255)
ENGLISH = {
    "title": "Cider Weekend", "subtitle": "Pressed in our own orchard", "date": "12 October",
    "place": "Hill Farm", "price": "Entry $12", "footer": "Bring a bottle", "badge": "Free tasting",
}  # fmt: skip
CHINESE = {
    "title": "苹果酒周末", "subtitle": "自家果园现场压榨", "date": "10月12日", "place": "山丘农场",
    "price": "门票12元", "footer": "请自带酒瓶", "badge": "免费品尝",
}  # fmt: skip
Asked = dict[str, str]


def text(name: str, words: str, at: tuple[float, float], size: float, *, white: bool) -> Layer:
    style = Style(
        "Noto Sans SC", size, colour=(255, 255, 255, 255) if white else INK, align="centre"
    )
    return Layer(Text((Run(words, style),)), name, name, left=at[0], top=at[1])


def page(words: dict[str, str], *, named: bool) -> Document:
    """A ground, a picture, a plate below the date, a seal with its badge, and lines of text."""
    ground = Layer(Shape("rectangle", *SIZE, (250, 244, 226, 255)), "background", "ground")
    apple = np.zeros((220, 220, 4), np.uint8)
    apple[30:190, 40:180] = (190, 60, 40, 255)
    apple[60:90, 70:100] = (240, 150, 120, 255)
    panel = Layer(Shape("rectangle", 380, 66, (60, 90, 60, 255)), "panel", "panel", 160, 596)
    seal = Layer(Shape("ellipse", 150, 150, (140, 30, 50, 255)), "seal", "seal", 500, 320)
    places = {"title": (350, 150, 66), "subtitle": (350, 215, 28), "date": (350, 642, 32),
              "place": (350, 710, 26), "price": (350, 760, 28), "footer": (350, 860, 22),
              "badge": (575, 404, 22)}  # fmt: skip
    texts = [
        text(role, words[role], (x, y), size, white=role in ("date", "badge"))
        for role, (x, y, size) in places.items()
    ]
    layers = [ground, Layer(Picture(apple), "motif", "motif", 200, 290), panel, seal, *texts]
    if not named:
        layers = [replace(one, name=f"Layer {n}") for n, one in enumerate(layers, 1)]
    return Document(made=tuple(layers), canvas=SIZE)


# Instruction, what is asked of the layers, which must be gone, which must be there (with words).
CASES: list[tuple[str, dict[str, str], Asked, set[str], Asked]] = [
    # What is to go is edited.
    ("Remove the subtitle.", ENGLISH,
     {"subtitle": "Make the text smaller and blue."}, {"subtitle"}, {}),
    ("去掉副标题。", CHINESE, {"subtitle": "把文字改成蓝色"}, {"subtitle"}, {}),
    ("Take out the line \"Bring a bottle\".", ENGLISH,
     {"footer": "Change the text to 'Bring your own bottle'."}, {"footer"}, {}),
    ("把“请自带酒瓶”这行删除。", CHINESE, {"footer": "把文字改成“请带上酒瓶”"}, {"footer"}, {}),
    ("We no longer want the price on it; make the title green.", ENGLISH,
     {"price": "Make the text green.", "title": "Make the text green."}, {"price"}, {"title": ""}),
    ("删掉票价，标题改成绿色。", CHINESE,
     {"price": "把文字改成绿色", "title": "把文字改成绿色"}, {"price"}, {"title": ""}),
    # Of a pair one half goes and the other is edited or forgotten.
    ("Remove the sticker.", ENGLISH,
     {"seal": "Delete this shape.", "badge": "Make the text dark so that it can be read."},
     {"seal", "badge"}, {}),
    ("把贴纸去掉。", CHINESE, {"seal": "删除这个形状", "badge": "把文字改成深蓝色"},
     {"seal", "badge"}, {}),
    ("Take the badge off, text included.", ENGLISH,
     {"badge": "Delete the text.", "seal": "Make the shape green."}, {"seal", "badge"}, {}),
    ("贴纸连同文字一起去掉。", CHINESE, {"badge": "删除文字", "seal": "把形状改成绿色"},
     {"seal", "badge"}, {}),
    ("Delete the round sticker and what it says.", ENGLISH, {"seal": "Delete this shape."},
     {"seal", "badge"}, {}),
    ("去掉圆形贴纸和上面的字。", CHINESE, {"seal": "删除这个形状"}, {"seal", "badge"}, {}),
    # Only the words of a pair are meant.
    ("Remove the text on the sticker.", ENGLISH,
     {"badge": "Make the text bold.", "seal": "Delete this shape."}, {"badge"}, {"seal": ""}),
    ("删掉贴纸上的字。", CHINESE, {"badge": "把文字改成蓝色", "seal": "删除这个形状"},
     {"badge"}, {"seal": ""}),
    ("Delete \"Free tasting\".", ENGLISH,
     {"badge": "Delete the text.", "seal": "Remove this shape."}, {"badge"}, {"seal": ""}),
    ("删除“免费品尝”。", CHINESE, {"badge": "删除文字", "seal": "删除形状"},
     {"badge"}, {"seal": ""}),
    # Somebody else takes the job.
    ("Remove the subtitle.", ENGLISH, {"seal": "Remove the subtitle."}, {"subtitle"},
     {"seal": "", "badge": "Free tasting"}),
    ("去掉副标题。", CHINESE, {"seal": "去掉副标题"}, {"subtitle"},
     {"seal": "", "badge": "免费品尝"}),
    ("Remove the price and keep the rest.", ENGLISH,
     {"price": "Delete the text.", "place": "Delete the text.", "seal": "Delete this shape."},
     {"price"}, {"place": "Hill Farm", "seal": ""}),
    ("去掉票价，其他不变。", CHINESE,
     {"price": "删除文字", "place": "删除文字", "seal": "删除这个形状"},
     {"price"}, {"place": "山丘农场", "seal": ""}),
    ("Delete the panel behind the date.", ENGLISH,
     {"panel": "Delete this shape.", "date": "Delete the text."}, {"panel"},
     {"date": "12 October"}),
    ("删掉日期后面的色块。", CHINESE, {"panel": "删除这个形状", "date": "删除文字"},
     {"panel"}, {"date": "10月12日"}),
    # What is to change would go.
    ("Make the sticker green.", ENGLISH, {"seal": "Delete this shape."}, set(),
     {"seal": "", "badge": "Free tasting"}),
    ("把贴纸改成绿色。", CHINESE, {"seal": "删除这个形状"}, set(),
     {"seal": "", "badge": "免费品尝"}),
    ("The sticker should say \"Free cake\".", ENGLISH,
     {"badge": "Delete the text.", "seal": "Delete this shape."}, set(),
     {"seal": "", "badge": "Free cake"}),
    ("贴纸上写“免费蛋糕”。", CHINESE, {"badge": "删除文字", "seal": "删除这个形状"}, set(),
     {"seal": "", "badge": "免费蛋糕"}),
    ("Remove the subtitle and make the seal blue.", ENGLISH,
     {"subtitle": "Make the text blue.", "seal": "Delete this shape."}, {"subtitle"},
     {"seal": "", "badge": "Free tasting"}),
    ("去掉副标题，把印章改成蓝色。", CHINESE,
     {"subtitle": "把文字改成蓝色", "seal": "删除这个形状"},
     {"subtitle"}, {"seal": "", "badge": "免费品尝"}),
    ("Change the date to 19 October.", ENGLISH,
     {"date": "Replace '12 October' with '19 October'.", "panel": "Delete this shape."}, set(),
     {"panel": "", "date": "19 October"}),
    ("日期改成10月19日。", CHINESE, {"date": "把“10月12日”改为“10月19日”", "panel": "删除这个形状"},
     set(), {"panel": "", "date": "10月19日"}),
    ("Change \"Entry $12\" to \"Entry $15\".", ENGLISH, {"price": "Remove this line."}, set(),
     {"price": "Entry $15"}),
    ("把“门票12元”改成“门票15元”。", CHINESE, {"price": "删除这一行文字"}, set(),
     {"price": "门票15元"}),
    # Both in one prompt.
    ("Remove the footer and make the title red.", ENGLISH,
     {"footer": "Delete the text. Make the text red.", "title": "Make the text red."},
     {"footer"}, {"title": ""}),
    ("Make the footer red.", ENGLISH, {"footer": "Delete the text. Make the text red."}, set(),
     {"footer": "Bring a bottle"}),
    ("去掉副标题。", CHINESE, {"subtitle": "删除文字，并把文字改成红色"}, {"subtitle"}, {}),
]  # fmt: skip

PEACE: list[tuple[str, dict[str, str], Asked]] = [
    ("Remove the sticker.", ENGLISH, {"seal": "Delete this shape.", "badge": "Delete the text."}),
    ("Remove the date and the price.", ENGLISH,
     {"date": "Delete the text.", "price": "Delete the text."}),
    ("Remove the words \"Free tasting\" and the circle they stand on.", ENGLISH,
     {"seal": "Delete this shape.", "badge": "Delete the text."}),
    ("Remove everything but the title and the picture.", ENGLISH,
     {name: "Delete the text." for name in ENGLISH if name != "title"}
     | {"seal": "Delete this shape.", "panel": "Delete this shape."}),
    ("Cut the price from $12 to $10.", ENGLISH, {"price": "Replace '$12' with '$10'."}),
    ("Remove the colour from the title.", ENGLISH, {"title": "Make the text black."}),
    ("Remove the word \"Entry\".", ENGLISH, {"price": "Delete 'Entry'."}),
    ("Remove the date.", ENGLISH, {"date": "Delete the text.", "panel": "Delete this shape."}),
    ("Remove the note about the tasting.", ENGLISH,
     {"badge": "Delete the text.", "seal": "Delete this shape."}),
    ("The title should no longer be blue but green.", ENGLISH, {"title": "Make the text green."}),
    ("Remove the price from the line \"Entry $12\".", ENGLISH,
     {"price": "Change the text to 'Entry'."}),
    ("Shorten the subtitle, cut it to Pressed in our orchard.", ENGLISH,
     {"subtitle": "Change the text to 'Pressed in our orchard'."}),
    ("删掉副标题，活动改在老果园举行。", CHINESE,
     {"subtitle": "删除文字", "place": "把“山丘农场”改为“老果园”"}),
    ("标题不再用蓝色，改成绿色。", CHINESE, {"title": "把文字改成绿色"}),
    ("Kick the sticker out.", ENGLISH,
     {"badge": "Delete the text.", "seal": "Delete this shape."}),
    ("Leave the subtitle off this time.", ENGLISH, {"subtitle": "Delete the text."}),
    ("把不需要的副标题删掉。", CHINESE, {"subtitle": "删除文字"}),
    ("Take \"Free tasting\" off together with the sticker.", ENGLISH,
     {"badge": "Delete the text.", "seal": "Delete this shape."}),
    ("去掉日期。", CHINESE, {"date": "删除文字", "panel": "删除形状"}),
    ("Tidy it up, it is too busy.", ENGLISH, {"footer": "Delete the text."}),
    ("Do not remove the sticker, make it blue.", ENGLISH, {"seal": "Make the shape blue."}),
    ("去掉日期和票价。", CHINESE, {"date": "删除文字", "price": "删除文字"}),
    ("去掉苹果和标题下面那行字。", CHINESE, {"motif": "删除该图层", "subtitle": "删除文字"}),
    ("请把“苹果酒周末”那行字下面的小果子拿走。", CHINESE, {"motif": "删除该图层"}),
    ("标题文字旁边的果子抹去，标题改成绿色。", CHINESE,
     {"motif": "删除该图层", "title": "把文字改成绿色"}),
    ("贴纸就让它消失吧，日期改成10月19日。", CHINESE,
     {"seal": "删除形状", "badge": "删除文字", "date": "把“10月12日”改为“10月19日”"}),
    ("把副标题、果子都删掉。", CHINESE, {"motif": "删除该图层", "subtitle": "删除文字"}),
    ("去掉印章，标题改成红色。", CHINESE,
     {"seal": "删除形状", "badge": "删除文字", "title": "把文字改成红色"}),
    ("不要删除贴纸，把它改成蓝色。", CHINESE, {"seal": "把形状改成蓝色"}),
    ("只留标题，其余都删掉。", CHINESE,
     {name: "删除文字" for name in CHINESE if name != "title"}
     | {"seal": "删除形状", "panel": "删除形状", "motif": "删除图片"}),
    ("删掉“请自带酒瓶”，标题写“苹果汁周末”，不要“苹果酒周末”。", CHINESE,
     {"footer": "删除文字", "title": "把“苹果酒周末”改为“苹果汁周末”"}),
]  # fmt: skip


# What an instruction takes away, and of what else it speaks.
POINTS: list[tuple[str, dict[str, str], set[str], set[str]]] = [
    ("The badge is no longer needed; delete it.", ENGLISH, {"seal", "badge"}, set()),
    ("No more free tasting: take the sticker off.", ENGLISH, {"seal", "badge"}, set()),
    ("Leave out the slogan under the title.", ENGLISH, {"subtitle"}, set()),
    ("Remove the line about the orchard.", ENGLISH, {"subtitle"}, set()),
    ("I don't need the small heading under the title.", ENGLISH, {"subtitle"}, set()),
    ("Remove the stamp and its text, keep the apple.", ENGLISH, {"seal", "badge"}, set()),
    ("Delete the circle but keep the words on it.", ENGLISH, {"seal"}, {"badge"}),
    ("Take the words off the badge.", ENGLISH, {"badge"}, set()),
    ("Remove the badge but leave the seal.", ENGLISH, {"badge"}, {"seal"}),
    ("Remove the badge text and make the seal grey.", ENGLISH, {"badge"}, {"seal"}),
    ("Drop the words on the sticker and colour it blue.", ENGLISH, {"badge"}, {"seal"}),
    ("Strip the date panel.", ENGLISH, {"panel"}, set()),
    ("Make the sticker blue and drop the price line.", ENGLISH, {"price"}, {"seal", "badge"}),
    ("Change the seal to blue instead of removing it.", ENGLISH, set(), {"seal", "badge"}),
    ("The slogan goes, the sticker stays.", ENGLISH, {"subtitle"}, {"seal", "badge"}),
    ("Hide the subtitle and the footer.", ENGLISH, {"subtitle", "footer"}, set()),
    ("Remove the shadow of the title.", ENGLISH, set(), set()),
    ("印章不要了。", CHINESE, {"seal", "badge"}, set()),
    ("取消免费品尝，把圆标撤掉。", CHINESE, {"seal", "badge"}, set()),
    ("请移除标题下面的那行字。", CHINESE, {"subtitle"}, set()),
    ("关于果园的那行去掉。", CHINESE, {"subtitle"}, set()),
    ("只去掉印章里的字，圆形保留。", CHINESE, {"badge"}, {"seal"}),
    ("印章里的“免费品尝”删掉。", CHINESE, {"badge"}, set()),
    ("印章上的字去掉，印章改成灰色。", CHINESE, {"badge"}, {"seal"}),
    ("删除日期背后的底板。", CHINESE, {"panel"}, set()),
    ("标签和票价都去掉。", CHINESE, {"seal", "badge", "price"}, set()),
    ("把印章换成蓝色，不要删除。", CHINESE, set(), {"seal", "badge"}),
    ("副标题不要，贴纸留下。", CHINESE, {"subtitle"}, {"seal", "badge"}),
]  # fmt: skip


def scene_of(instruction: str, words: dict[str, str], *, named: bool) -> Scene:
    document = page(words, named=named)
    return Scene(document, instruction, seen(document))


def decided(scene: Scene, asked: Asked) -> tuple[Decision, ...]:
    return tuple(Decision(one.id, one.id in asked, asked.get(one.id, "")) for one in scene.layers)


def carried_out(scene: Scene, decisions: tuple[Decision, ...]) -> Document:
    document = scene.document
    for one in decisions:
        if one.edit:
            try:
                document = Hands().edit(document, scene.layer(one.layer), one.prompt)
            except OverpaintError:
                continue
    return document


@pytest.mark.slow
@pytest.mark.parametrize("named", [True, False], ids=["named", "numbered"])
@pytest.mark.parametrize(("instruction", "words", "asked", "gone", "there"), CASES)
def test_what_the_instruction_takes_away_goes_and_nothing_else(
    instruction: str, words: dict[str, str], asked: Asked, gone: set[str], there: Asked, named: bool
) -> None:
    scene = scene_of(instruction, words, named=named)
    settled = settle(scene, decided(scene, asked))
    done = carried_out(scene, settled.decisions)
    left = {layer.id: layer for layer in done if bounds(layer)}
    assert gone.isdisjoint(left), settled
    assert set(there) <= set(left), settled
    for name, said in there.items():
        content = left[name].content
        assert not said or (isinstance(content, Text) and content.words == said), settled
    others = {layer.id for layer in scene.document} - gone
    assert others <= set(left), settled
    assert settle(scene, settled.decisions).decisions == settled.decisions


@pytest.mark.slow
@pytest.mark.parametrize("named", [True, False], ids=["named", "numbered"])
@pytest.mark.parametrize(("instruction", "words", "gone", "changed"), POINTS)
def test_an_instruction_tells_what_goes_and_what_it_speaks_of_besides(
    instruction: str, words: dict[str, str], gone: set[str], changed: set[str], named: bool
) -> None:
    scene = scene_of(instruction, words, named=named)
    meant = Meant(scene)
    assert {one.id for one in scene.layers if meant.goes(one.id)} == gone
    assert {one.id for one in scene.layers if meant.changes(one.id)} == changed
    assert not any(meant.stays(one) for one in scene.layers if one.id in gone)


@pytest.mark.slow
@pytest.mark.parametrize("named", [True, False], ids=["named", "numbered"])
@pytest.mark.parametrize(("instruction", "words", "asked"), PEACE)
def test_what_goes_and_stays_as_asked_comes_out_as_it_came_in(
    instruction: str, words: dict[str, str], asked: Asked, named: bool
) -> None:
    scene = scene_of(instruction, words, named=named)
    before = decided(scene, asked)
    settled = settle(scene, before)
    assert settled.decisions == before, settled.clashes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("instruction", "prompt"),
    [("make red and the " * 600, "Delete this layer."), ("Remove the seal.", "‘" * 10_000)],
    ids=["instruction", "prompts"],
)
def test_long_instructions_and_prompts_are_settled_in_bounded_time(
    instruction: str, prompt: str
) -> None:
    scene = scene_of(instruction, ENGLISH, named=True)
    started = time.process_time()
    settle(scene, [Decision(one.id, True, prompt) for one in scene.layers])
    assert time.process_time() - started < 4
