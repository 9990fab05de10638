"""Revisions: what an instruction asks of the texts of a scene, in words and in effect."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Literal, TypeVar

from overpaint.document import Pixels
from overpaint.engines.posters.lettering import Text

Language = Literal["en", "zh"]
OPERATIONS = ("delete", "insert", "change", "relocation", "scaling", "attribute")
Look = TypeVar("Look")
Said = tuple[str, str]  # in English, in Chinese

NOUNS: Mapping[str, Said] = {
    "title": ("the title", "标题"),
    "date": ("the date", "日期"),
    "price": ("the price", "价格"),
    "name": ("the name", "姓名"),
    "author": ("the author's name", "作者"),
    "place": ("the place name", "地名"),
    "distance": ("the distance", "里程"),
    "weight": ("the weight", "净含量"),
    "hours": ("the opening hours", "营业时间"),
    "line": ("the line", "文字"),
    "now": ("the temperature", "气温"),
    "heading": ("the heading", "抬头"),
    "tag": ("the label", "标签"),
    "time": ("the time", "时间"),
    "dish": ("the dish", "菜品"),
    "state": ("the status", "状态"),
    "seat": ("the seat", "座位"),
    "city": ("the name of the city", "城市名"),
    "shop": ("the name of the place", "店名"),
    "brand": ("the brand name", "品牌名"),
    "job": ("the job title", "职位"),
    "firm": ("the company", "单位"),
}

SAY: Mapping[str, Mapping[Language, tuple[str, ...]]] = {
    "delete": {
        "en": ('Remove {noun} "{old}".', 'Delete {noun} "{old}" and keep everything else.'),
        "zh": ("删除{noun}“{old}”。", "去掉{noun}“{old}”，其余保持不变。"),
    },
    "insert": {
        "en": ('Add the text "{new}" {where}.', 'Write "{new}" {where}.'),
        "zh": ("在{where}加上“{new}”。", "在{where}写上“{new}”。"),
    },
    "change": {
        "en": ('Change {noun} "{old}" to "{new}".', 'Replace {noun} "{old}" with "{new}".'),
        "zh": ("把{noun}“{old}”改成“{new}”。", "将{noun}“{old}”替换为“{new}”。"),
    },
    "correct": {
        "en": ('"{old}" is misspelt: correct it to "{new}".',),
        "zh": ("“{old}”有错别字，请改为“{new}”。",),
    },
    "move": {
        "en": ('Move {noun} "{old}" {where}.',),
        "zh": ("把{noun}“{old}”移到{where}。",),
    },
    "swap": {
        "en": ('Swap "{old}" and "{new}".', 'Let "{old}" and "{new}" change places.'),
        "zh": ("交换“{old}”和“{new}”的位置。", "把“{old}”与“{new}”对调。"),
    },
    "turn": {
        "en": ('Rotate {noun} "{old}" {where}.',),
        "zh": ("把{noun}“{old}”{where}。",),
    },
    "scale": {
        "en": ('Make {noun} "{old}" {where}.',),
        "zh": ("把{noun}“{old}”{where}。",),
    },
    "attribute": {
        "en": ('Set {noun} "{old}" in {where}.', 'Show {noun} "{old}" in {where}.'),
        "zh": ("把{noun}“{old}”改为{where}。", "将{noun}“{old}”换成{where}。"),
    },
}  # fmt: skip


@dataclass(frozen=True)
class Job:
    """What a scene is drawn from: chance, a set of words, and their language."""

    chance: Random
    words: Mapping[str, str]
    language: Language
    turn: int = 0  # how often this kind has come round before; looks go round with it

    def pick(self, looks: Sequence[Look]) -> Look:
        """One of the looks, another one each time the kind comes round."""
        # Looks advance a step more than words do each round, so that all pairs are met.
        return looks[(self.turn + self.turn // len(looks)) % len(looks)]

    def either(self, english: str, chinese: str) -> str:
        """One of two by language."""
        return english if self.language == "en" else chinese


@dataclass(frozen=True)
class Revision:
    """An instruction and the texts it changes; None takes one away."""

    operation: str
    instruction: str
    changed: Mapping[str, Text | None]
    target: str  # the words whose length counts for difficulty
    task: int  # the "task_category" of TextEditBench's table
    context: int = 0  # 2 where the whole picture must be understood
    knowledge: str = ""  # what the edit implies without saying so
    before: Mapping[str, Text | None] = field(
        default_factory=dict
    )  # where the source itself differs


@dataclass(frozen=True)
class Scene:
    """A picture without letters, its texts in painting order, and what may be asked of them."""

    backdrop: Pixels
    texts: Mapping[str, Text]
    revisions: tuple[Revision, ...]
    clutter: int  # background_clutter of the same table
    curvature: int = 0  # its surface_geometry


@dataclass(frozen=True)
class Reviser:
    """Makes revisions of a scene's texts and says them in the scene's language."""

    job: Job
    texts: Mapping[str, Text]
    nouns: Mapping[str, str] = field(default_factory=dict)  # key of a text -> key of NOUNS

    def delete(self, key: str, *also: str, knowledge: Said = ("", "")) -> Revision:
        """Take a text away, and what goes with it."""
        said = self._say("delete", key)
        gone = dict.fromkeys((key, *also))
        old = self.texts[key].words
        return Revision("delete", said, gone, old, 0, 0, self.job.either(*knowledge))

    def insert(self, key: str, where: Said) -> Revision:
        """Put a text where the source has none."""
        text = self.texts[key]
        said = self._say("insert", "", new=text.words, where=where)
        return Revision("insert", said, {key: text}, text.words, 0, before={key: None})

    def change(self, key: str, new: str, *also: str, knowledge: Said = ("", "")) -> Revision:
        """Other words in the same place, there and wherever they are repeated."""
        changed = {each: replace(self.texts[each], words=new) for each in (key, *also)}
        said = self._say("change", key, new=new)
        return Revision("change", said, changed, new, 0, 0, self.job.either(*knowledge))

    def correct(self, key: str, wrong: str) -> Revision:
        """The right spelling where the source has a wrong one."""
        right = self.texts[key]
        source = replace(right, words=wrong)
        said = replace(self, texts={key: source})._say("correct", key, new=right.words)
        return Revision("change", said, {key: right}, right.words, 2, before={key: source})

    def move(self, key: str, to: Text, where: Said) -> Revision:
        """The same words in another place."""
        said = self._say("move", key, where=where)
        return Revision("relocation", said, {key: to}, self.texts[key].words, 1)

    def swap(self, one: str, other: str) -> Revision:
        """Two texts change places; each keeps its own look."""
        a, b = self.texts[one], self.texts[other]
        changed = {
            one: replace(a, x=b.x, y=b.y, align=b.align),
            other: replace(b, x=a.x, y=a.y, align=a.align),
        }
        said = self._say("swap", one, new=b.words)
        return Revision("relocation", said, changed, f"{a.words} {b.words}", 1)

    def turn(self, key: str, angle: int) -> Revision:
        """The same words at another angle, about their middle."""
        way = ("counter-clockwise", "逆时针") if angle > 0 else ("clockwise", "顺时针")
        where = (f"{abs(angle)}° {way[0]}", f"{way[1]}旋转{abs(angle)}度")
        text = self.texts[key]
        changed = {key: replace(text, angle=text.angle + angle)}
        return Revision("relocation", self._say("turn", key, where=where), changed, text.words, 2)

    def scale(self, key: str, factor: float) -> Revision:
        """The same words, larger or smaller, from the same anchor."""
        sizes = {
            1.5: ("one and a half times as large", "放大到原来的1.5倍"),
            1.3: ("30 % larger", "放大30%"),
            0.5: ("half as large", "缩小到原来的一半"),
            0.7: ("30 % smaller", "缩小30%"),
        }
        text = self.texts[key]
        changed = {key: replace(text, size=text.size * factor)}
        said = self._say("scale", key, where=sizes[factor])
        return Revision("scaling", said, changed, text.words, 1)

    def restyle(self, key: str, to: Text, how: Said, *, context: int = 0) -> Revision:
        """The same words in another colour, weight or face."""
        said = self._say("attribute", key, where=how)
        return Revision("attribute", said, {key: to}, self.texts[key].words, 1, context)

    def _say(self, form: str, key: str, *, new: str = "", where: Said = ("", "")) -> str:
        job = self.job
        old = self.texts[key].words if key else ""
        join = job.either(" ", "")
        return job.chance.choice(SAY[form][job.language]).format(
            noun=job.either(*NOUNS[self.nouns.get(key, "line")]),
            old=_on_one_line(old, join),
            new=_on_one_line(new, join),
            where=job.either(*where),
        )


def _on_one_line(words: str, join: str) -> str:
    """Words as an instruction quotes them: no breaks, no quotation marks of their own."""
    return words.replace("\n", join).strip("“”")
