"""Layers told in few words, for small models: what sets one layer apart, and what a request names.

A model of 135 million parameters reads slowly and compares badly. So numbers become words, and what
it would have to look up stands ready: which words the request and the layer have in common.
"""

import colorsys
import re
from collections.abc import Sequence

from overpaint.vision.layers import Seen

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# Words that two texts have in common without being about the same thing.
_COMMON = frozenset(
    (
        "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "have", "in", "into", "is",
        "it", "its", "not", "now", "of", "on", "only", "or", "our", "should", "so", "that", "the",
        "their", "them", "these", "this", "to", "we", "with", "you", "your",
    )
)  # fmt: skip
_HUES = (
    (15, "red"), (42, "orange"), (68, "yellow"), (165, "green"), (195, "turquoise"), (250, "blue"),
    (290, "purple"), (335, "pink"), (361, "red"),
)  # fmt: skip
_FEW = 8  # words in common that are told


def brief(layer: Seen, layers: Sequence[Seen], instruction: str) -> str:
    """A layer in few words."""
    colours = " and ".join(dict.fromkeys(colour_word(code) for code in layer.colours[:2]))
    facts = [_called(layer, layers), f"“{layer.name}”", _shape(layer, layers), layer.place, colours]
    if layer.words:
        facts += [f"says “{one_line(layer.words)}”", *_echoes(layer, layers, instruction)]
    return ", ".join(fact for fact in facts if fact)


def largest(layers: Sequence[Seen]) -> Seen | None:
    """The text with the highest lines: most often the title."""
    texts = [one for one in layers if one.kind == "text" and one.words]
    return max(texts, key=_line_height, default=None)


def title_told(layer: Seen, layers: Sequence[Seen]) -> str:
    """What the title says, for whoever is asked about this layer."""
    title = largest(layers)
    if title is None:
        return "none"
    return "this layer" if title is layer else one_line(title.words)


def one_line(words: str) -> str:
    """Words of several lines on one."""
    return " / ".join(words.split("\n"))


def colour_word(code: str) -> str:
    """What a child would call a colour of the form #rrggbb."""
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, light, _ = colorsys.rgb_to_hls(red, green, blue)
    spread = max(red, green, blue) - min(red, green, blue)
    if light > 0.97 or spread < 0.08:
        return "white" if light > 0.9 else "black" if light < 0.2 else "grey"
    if light < 0.12:
        return "black"
    name = next(name for end, name in _HUES if 360 * hue < end)
    shade = "pale " if light > 0.82 else "dark " if light < 0.3 else ""
    return "brown" if name == "orange" and light < 0.4 else shade + name


def _called(layer: Seen, layers: Sequence[Seen]) -> str:
    """Its kind, and where it stands among its kind."""
    if layer.kind == "text":
        return "title text" if layer is largest(layers) else "text"
    if layer.kind == "decoration":
        return "decoration"
    pictures = [one for one in layers if one.kind == "image" and one.covers < 0.9]
    if layer not in pictures or len(pictures) == 1:
        return "picture"
    return "main picture" if layer is max(pictures, key=_area) else "other picture"


def _shape(layer: Seen, layers: Sequence[Seen]) -> str:
    """How large it is and how full, in words; a text is no larger than its words."""
    if layer.kind == "text":
        return ""
    right, bottom = (max(one.box[side] for one in layers) or 1 for side in (2, 3))
    wide, high = (layer.box[2] - layer.box[0]) / right, (layer.box[3] - layer.box[1]) / bottom
    if wide > 0.85 and high > 0.85:
        size = "whole page"
    elif wide > 3 * high or high > 3 * wide:
        size = "strip" if max(wide, high) > 0.7 else "bar"
    else:
        size = next(name for least, name in _SIZES if wide * high >= least)
    full = layer.covers / (wide * high or 1)
    return f"{size}, {'solid' if full > 0.9 else 'filled' if full > 0.4 else 'thin'}"


_SIZES = ((0.25, "large"), (0.06, "medium"), (0.015, "small"), (0.0, "tiny"))


def _echoes(layer: Seen, layers: Sequence[Seen], instruction: str) -> list[str]:
    """Words that the layer has in common with the request, and with the title."""
    mine, title = _words(layer.words), largest(layers)
    asked = _in_both(mine, _words(instruction))
    told = [f"the request names {asked}" if asked else "the request names none of it"]
    if title is not None and title is not layer:
        told += [f"the title too says {both}" for both in [_in_both(mine, _words(title.words))]
                 if both]  # fmt: skip
    return told


def _in_both(mine: Sequence[str], theirs: Sequence[str]) -> str:
    known = {_stem(word) for word in theirs}
    both = [word for word in dict.fromkeys(mine) if _stem(word) in known]
    return " ".join(both[:_FEW])


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word.casefold() not in _COMMON]


def _stem(word: str) -> str:
    """Small letters without the plural's s: “Dogs” is about a dog."""
    small = word.casefold().removesuffix("'s").removesuffix("’s")
    return small.removesuffix("s") if len(small) > 3 else small


def _line_height(layer: Seen) -> float:
    return (layer.box[3] - layer.box[1]) / len(layer.words.split("\n"))


def _area(layer: Seen) -> int:
    return (layer.box[2] - layer.box[0]) * (layer.box[3] - layer.box[1])
