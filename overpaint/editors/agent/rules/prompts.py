"""Prompts: how a layer is told what to do, in words that the hands understand."""

import re
from dataclasses import dataclass

from overpaint.editors.agent.rules.colours import spelt
from overpaint.vision.layers import Seen

_MARKS = (("“", "”"), ('"', '"'), ("「", "」"), ("'", "'"))
_CHINESE = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class Hit:
    """A layer that a wish is about, what it is told, and why."""

    layer: str
    prompt: str
    why: str
    gone: bool = False  # whether all of the layer goes
    note: str = ""  # what whoever asked should know of it


def is_chinese(words: str) -> bool:
    """Whether words are to be answered in Chinese."""
    return _CHINESE.search(words) is not None


def quoted(words: str) -> str:
    """The words on one line, in marks that they do not have."""
    words = " ".join(words.split())
    for first, last in _MARKS:
        if first not in words and last not in words:
            return f"{first}{words}{last}"
    return f"“{words.replace('“', '').replace('”', '')}”"


@dataclass(frozen=True)
class Tongue:
    """The language of an instruction, in which its prompts are written."""

    chinese: bool

    def replace(self, old: str, new: str, *, every: bool = False) -> str:
        """Other words."""
        if self.chinese:
            return f"把{'所有' if every else ''}{quoted(old)}改为{quoted(new)}"
        return f"replace {'every ' if every else ''}{quoted(old)} with {quoted(new)}"

    def delete(self, layer: Seen, words: str = "") -> str:
        """Gone: some words, or all of the layer."""
        if words:
            return f"删除{quoted(words)}" if self.chinese else f"delete {quoted(words)}"
        called = self.called(layer)
        return f"删除{called}" if self.chinese else f"delete {called}"

    def colour(self, layer: Seen, name: str, words: str = "") -> str:
        """Another colour for the layer, or for some of its words."""
        called = quoted(words) if words else self.called(layer)
        if self.chinese:
            return f"把{called}改成{spelt(name)}"
        return f"make {called} {spelt(name)}"

    def draw(self, old: str, new: str) -> str:
        """A picture of something else."""
        if self.chinese:
            return f"把图中的{old or '内容'}换成{new}，位置和大小不变"
        return (
            f"replace {old or 'what it shows'} with {new}, of the same size and in the same place"
        )

    def theme(self, old: str, new: str) -> str:
        """A picture that stands for something else."""
        if self.chinese:
            return f"把画面从{old or '原来的主题'}换成{new}，位置和大小不变"
        was = f"what stands for {old}" if old else "what it shows"
        return f"replace {was} with something that stands for {new}, in the same place"

    def called(self, layer: Seen) -> str:
        """A layer by its kind, as the hands understand it."""
        if layer.kind == "text":
            return "文字" if self.chinese else "the text"
        return "形状" if self.chinese else "the shape"

    def joined(self, prompts: list[str]) -> str:
        """Several wishes for one layer."""
        once = list(dict.fromkeys(prompts))
        if len(once) == 1:
            return once[0]
        return "".join(f"{one}。" for one in once) if self.chinese else ". ".join(once) + "."
