"""What a check compares: the document before and after, and what was asked of its layers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Document
from overpaint.document.boxes import Box
from overpaint.document.instruct.colours import colour_of
from overpaint.document.instruct.quotes import quotes
from overpaint.document.layers import Group, Layer, Pixels, Text
from overpaint.document.ops import Insert, Move, Op, ReplaceText, Rotate, Scale, Swap
from overpaint.editors.agent.deciding import Decision, Scene
from overpaint.editors.agent.joint.reading import Wish
from overpaint.vision.sheets import Leaf, leaves

# Words by which a prompt that the rules do not understand may ask for another place or size.
_PLACED = re.compile(
    r"\b(?:move|place|position|shift|align|cent(?:re|er)|rotate|tilt|turn|slant|scale|resize|size"
    r"|larger|bigger|smaller|shrink|enlarge|reduce|grow|fit|wider|narrower|taller|top|bottom"
    r"|left|right|up|down|corner|swap|bold|font)\b|移|放|缩|旋转|居中|位置|大|小|字体",
    re.IGNORECASE,
)
# And by which it asks for none.
_STAYS = re.compile(
    r"\b(?:of|in|at|with|to)?\s*(?:the|its) (?:same|own|old|original) \w+(?: and \w+)?"
    r"|(?:with)?in its place|同样大小的?|在?原来的?位置|原位",
    re.IGNORECASE,
)
# What a prompt that asks for a colour calls it.
_NAMED_SO = re.compile(
    r"(?:[改换变设涂调染][成为作]|[成为])\s*([^，。,.;；“”\"']{1,30})"
    r"|\b(?:to|in|into|with|as|colou?r|text|title|it|words|letters|lettering|headline|heading)\s+"
    r"((?!the |be )[^，。,.;；“”\"']{1,30})",
    re.IGNORECASE,
)
# Where a prompt is cut into clauses, and what says of one that it only tells what stays.
_CLAUSE = re.compile(
    r"[;；。，,!！\n]|\.(?=\s|$)|\b(?:and|but|while) (?=keep|leave|preserve|retain)"
)
_KEEPS = re.compile(
    r"^\s*(?:keep|leave|preserve|retain|maintain)"
    r"|\b(?:stays?|remains?|unchanged|as (?:it|they) (?:is|are|was|were))\b|保持|不变|保留|不动",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\s*(?:the|its|all|文字|字体|字号|颜色|大小|位置)\b|\s*(?:文字|字体|字号|颜色|大小)"
)
_AROUND_A_NAME = re.compile(
    r"^(?:an? |the |in |to |colou?r )+| (?:colou?r|tone|shade|hue)$|^颜色|的?颜色$"
)
Plane = NDArray[np.float32]


@dataclass(frozen=True)
class Fault:
    """Something that is wrong with a layer, or with the whole where `layer` is ""."""

    kind: str
    layer: str
    said: str
    words: str = ""  # what the layer should say, where that is what is wrong
    against: str = ""  # the other layer, where there are two


@dataclass(frozen=True, eq=False)
class View:
    """One state of the document."""

    document: Document

    @cached_property
    def layers(self) -> dict[str, Layer]:
        """Every layer that is no group, hidden ones as well, by its id, bottom first."""
        return {layer.id: layer for layer in self.document if layer.kind != "group"}

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The groups that each layer stands in, by its id, outermost first."""
        return dict(_paths(self.document.layers, ()))

    @cached_property
    def leaves(self) -> dict[str, Leaf]:
        """What shows of each layer, by its id, bottom first."""
        return {leaf.layer.id: leaf for leaf in leaves(self.document)}

    @cached_property
    def seen(self) -> dict[str, float]:
        """How much of each layer's own ink no layer above covers, 0–1."""
        wide, high = self.document.size
        free = np.ones((high, wide), np.float32)
        found: dict[str, float] = {}
        for name, leaf in reversed(self.leaves.items()):
            left, top, right, bottom = leaf.box
            alpha = leaf.pixels[:, :, 3].astype(np.float32) / 255
            part = free[top:bottom, left:right]
            found[name] = float((part * alpha).sum() / max(1e-6, float(alpha.sum())))
            if leaf.layer.blend == "normal":
                part *= 1 - alpha * np.float32(leaf.layer.opacity)
        return found

    @property
    def rgb(self) -> Pixels:
        """The flattened picture."""
        return self.document.rgb


def _paths(
    layers: tuple[Layer, ...], path: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for layer in layers:
        yield layer.id, path
        if isinstance(layer.content, Group):
            yield from _paths(layer.content.layers, (*path, layer.id))


@dataclass(frozen=True, eq=False)
class Pair:
    """Before and after, and what was decided."""

    scene: Scene
    decisions: tuple[Decision, ...]
    before: View
    after: View

    @cached_property
    def wishes(self) -> dict[str, Wish]:
        """What is asked of each layer that is edited."""
        known = {seen.id: seen for seen in self.scene.layers}
        return {
            one.layer: Wish(one, known[one.layer])
            for one in self.decisions
            if one.edit and one.layer in known
        }

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The layers of text, bottom first."""
        return tuple(seen.id for seen in self.scene.layers if seen.kind == "text")

    @cached_property
    def changed(self) -> frozenset[str]:
        """The edited layers that are there before and after, and differ."""
        both = ((self.before.layers.get(name), self.after.layers.get(name)) for name in self.wishes)
        return frozenset(one.id for one, two in both if one and two and one != two)

    def both(self, name: str) -> tuple[Leaf, Leaf] | None:
        """What shows of a layer before and after; None where it does not at one of them."""
        one, two = self.before.leaves.get(name), self.after.leaves.get(name)
        return (one, two) if one is not None and two is not None else None


def pair_of(
    scene: Scene, decisions: Sequence[Decision], document: Document, before: View | None = None
) -> Pair:
    """Before and after, to be compared; the view before may be had already."""
    before = before or View(scene.document.opened)
    return Pair(scene, tuple(decisions), before, View(document.opened))


def asks_place(wish: Wish) -> bool:
    """Whether a layer is asked to stand elsewhere, turned or in another size, or may be."""
    ops: tuple[type[Op], ...] = (Move, Scale, Rotate, Swap)
    if any(isinstance(op, ops) for op in wish.ops):
        return True
    if any(getattr(op, "size", None) or getattr(op, "align", None) for op in wish.ops):
        return True
    if wish.understood:
        return False
    told = " ".join(part.text for part in wish.parts if part.ops or not part.understood)
    return _PLACED.search(_STAYS.sub(" ", told)) is not None


def asking(wish: Wish) -> str:
    """The prompt without its quotes and without what it says of all that stays as it is."""
    prompt, at, bare = wish.decision.prompt, 0, ""
    for span in quotes(prompt):
        bare, at = f"{bare}{prompt[at : span.start]}…", span.end
    asked: list[str] = []
    loose = 0  # clauses at the end that a verb of keeping, before or after them, may rule
    for clause in _CLAUSE.split(bare + prompt[at:]):
        if re.match(r"\s*(?:keep|leave|preserve|retain|maintain)\b", clause, re.IGNORECASE):
            break
        if _KEEPS.search(clause):
            del asked[len(asked) - loose :]
            loose = 0
            continue
        listed = bool(asked) and _LISTED.match(clause) is not None
        loose = loose + 1 if listed else 0
        asked.append(clause)
    return "; ".join(asked)


def unquoted(wish: Wish) -> bool:
    """Whether what was taken for new words is not quoted: it may be the name of a colour."""
    said = {span.text for span in quotes(wish.decision.prompt)}
    return any(isinstance(op, ReplaceText | Insert) and op.text not in said for op in wish.ops)


def names_colour(wish: Wish) -> bool:
    """Whether the colour that was understood is all that the prompt says of it.

    Of "dusty blue" and 黛蓝 only the blue is known.
    """
    if wish.colour is None or not wish.understood:
        return False
    for found in _NAMED_SO.finditer(wish.decision.prompt):
        name = _AROUND_A_NAME.sub("", (found[1] or found[2]).strip().lower()).strip()
        if name and (colour_of(name) or colour_of(name.removesuffix("色"))) == wish.colour:
            return True
    return False


def is_live(layer: Layer | None) -> bool:
    """Whether a layer has words as such."""
    return layer is not None and isinstance(layer.content, Text)


def in_box(box: Box, size: tuple[int, int]) -> bool:
    """Whether a box lies on the canvas, to a pixel."""
    return box[0] >= -1 and box[1] >= -1 and box[2] <= size[0] + 1 and box[3] <= size[1] + 1


def short(words: str) -> str:
    """Words that are shown in a message."""
    words = " ".join(words.split())
    return words if len(words) <= 60 else f"{words[:59]}…"
