"""Words that are pixels: what is cut off, shrunk or doubled is told by their ink."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from overpaint.document import Document, Layer, Picture
from overpaint.document.geometry import fitted
from overpaint.document.layers import Run, Shape, Style, Text
from overpaint.document.render import sheet_of
from overpaint.editors.agent.checking.drawn import drawn, expected, set_as, shares
from overpaint.editors.agent.checking.layers import edited
from overpaint.editors.agent.checking.views import Pair, pair_of
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.joint.reading import Wish
from overpaint.vision.layers import Seen

SIZE = (420, 300)
KEEP = "，字体、字号、颜色和位置保持不变。"
GROUND = Layer(Shape("rectangle", 420.0, 300.0, fill=(255, 255, 255, 255)), "ground", "ground")


def lettered(words: str, size: float = 36.0) -> Layer:
    layer = Layer(Text((Run(words, Style(size=size)),)), "title", "title", left=40.0, top=60.0)
    sheet = sheet_of(layer)
    assert sheet is not None
    return Layer(Picture(sheet.pixels), "title", "title", left=sheet.left, top=sheet.top)


def with_pixels(layer: Layer, pixels: np.ndarray) -> Layer:
    return replace(layer, content=Picture(np.ascontiguousarray(pixels)))


def told(words: str) -> Seen:
    return Seen("title", "title", "text", words, (), (40, 60, 300, 140), "", 0.1, live=False)


def pair(old: str, prompt: str, new: Layer) -> Pair:
    document = Document(made=(GROUND, lettered(old)), canvas=SIZE)
    scene = Scene(document, "", (told(old),))
    return pair_of(scene, [Decision("title", True, prompt)], document.having(GROUND, new))


def cut(pixels: np.ndarray) -> np.ndarray:
    return pixels[:, : int(0.7 * pixels.shape[1])]


def shrunk(pixels: np.ndarray) -> np.ndarray:
    return fitted(pixels, pixels.shape[1] // 2, pixels.shape[0] // 2)


def doubled(pixels: np.ndarray) -> np.ndarray:
    made = np.zeros((pixels.shape[0] + 8, pixels.shape[1] + 8, 4), np.uint8)
    made[:-8, :-8] = pixels
    made[8:, 8:] = np.maximum(made[8:, 8:], pixels)
    return made


WORDS = [("春季特卖", "秋季特卖"), ("小狗展", "开放日"), ("Spring Camp", "Autumn Camp")]


@pytest.mark.parametrize(("old", "new"), WORDS)
@pytest.mark.parametrize(("kind", "damage"), [("cut", cut), ("size", shrunk), ("double", doubled)])
def test_drawn_words_that_are_cut_shrunk_or_doubled_are_found(
    old: str, new: str, kind: str, damage: Callable[[np.ndarray], np.ndarray]
) -> None:
    good = lettered(new)
    prompt = f"把这一图层的文字“{old}”改为“{new}”{KEEP}"
    assert list(drawn(pair(old, prompt, good))) == []
    spoilt = with_pixels(good, damage(good.pixels))
    assert [fault.kind for fault in drawn(pair(old, prompt, spoilt))] == [kind]


def test_words_that_become_longer_or_shorter_or_lose_a_line_are_no_fault() -> None:
    for old, new, prompt in [
        ("Save your seat", "Book your place today", 'Change "Save your seat" to "Book your place'
         ' today".'),
        ("Open Air\n12 May\nTickets £8", "Open Air\n12 May", 'Remove the words "Tickets £8" from'
         " the design, so that nothing is left where they stood."),
        ("金鱼日\n电话：075 4372", "金鱼日", "删除文字“电话：075 4372”，原处不留任何内容。"),
    ]:  # fmt: skip
        made = pair(old, prompt, lettered(new))
        assert list(drawn(made)) == []
        assert list(edited(made)) == []


def test_words_may_be_set_smaller_to_fit_and_anyhow_large_where_that_is_asked() -> None:
    prompt = 'Change "Spring Camp" to "Autumn Holiday Camp".'
    assert list(drawn(pair("Spring Camp", prompt, lettered("Autumn Holiday Camp", 26.0)))) == []
    smaller = pair("Spring Camp", "Make the text smaller.", lettered("Spring Camp", 12.0))
    assert list(drawn(smaller)) == []


def test_what_cannot_be_measured_is_not_judged() -> None:
    solid = with_pixels(lettered("春"), np.full((40, 80, 4), 255, np.uint8))
    made = pair("春季特卖", "把“春季特卖”改为“秋季特卖”。", solid)
    assert shares(made, made.wishes["title"]) is None
    assert set_as(" ") is None
    wish = Wish(Decision("title", True, "Make the words more lively."), told("Fest"))
    assert expected(wish) is None


def test_new_words_are_known_where_a_reader_took_other_marks() -> None:
    prompt = "把这一图层的文字“2月10日 周三, 18:00”改为“2月17日 周三, 18:00”" + KEEP
    wish = Wish(Decision("title", True, prompt), told("2月10日周三，18:00\n市图书馆"))
    assert expected(wish) == "2月17日 周三, 18:00\n市图书馆"


@pytest.mark.parametrize("damage", [cut, shrunk, doubled])
def test_lines_that_were_to_stay_when_another_went_are_held_against_what_they_were(
    damage: Callable[[np.ndarray], np.ndarray],
) -> None:
    old, prompt = "金鱼日\n志愿者\n电话：075 4372", "删除文字“电话：075 4372”，原处不留任何内容。"
    good = lettered("金鱼日\n志愿者")
    assert list(drawn(pair(old, prompt, good))) == []
    assert len(list(drawn(pair(old, prompt, with_pixels(good, damage(good.pixels)))))) == 1
    (more,) = drawn(pair(old, prompt, lettered("金鱼日\n志愿者\n志愿者")))
    assert more.kind == "double"
