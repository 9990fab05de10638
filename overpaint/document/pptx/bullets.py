"""Bullets of PPTX: the mark that stands before a paragraph."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from overpaint.document.pptx.theme import A, local, whole_number

_KINDS = ("buNone", "buChar", "buAutoNum", "buBlip")
# What Wingdings shows for a letter; for all other signs of such fonts a bullet is near enough.
_SIGNS: Mapping[str, str] = {
    "§": "▪", "n": "■", "l": "●", "o": "□", "q": "❑", "u": "◆", "v": "❖", "w": "◆", "Ø": "➢",
    "ü": "✓", "û": "✗", "à": "→",
}  # fmt: skip
_FIRST = {"arabic": "1", "alphaLc": "a", "alphaUc": "A", "romanLc": "i", "romanUc": "I"}
_AROUND = {"Period": ("", "."), "ParenR": ("", ")"), "ParenBoth": ("(", ")"), "Plain": ("", "")}


def pictured(levels: Sequence[Any]) -> bool:
    """Whether a picture stands before a paragraph."""
    mark = _mark(levels)
    return mark is not None and local(mark) == "buBlip"


def bullet_of(levels: Sequence[Any]) -> str:
    """The bullet of a paragraph, or how it is counted, as a style has it; "" where it has none."""
    mark = _mark(levels)
    kind = "" if mark is None else local(mark)
    if kind == "buChar":
        return _sign(mark.get("char", "")[:1], levels)
    return _counting(mark) if kind == "buAutoNum" else ""


def _mark(levels: Sequence[Any]) -> Any:
    """The nearest element that says what stands before a paragraph; None where none does."""
    return next((child for level in levels for child in level if local(child) in _KINDS), None)


def _sign(sign: str, levels: Sequence[Any]) -> str:
    fonts = (level.find(f"{A}buFont") for level in levels)
    font = next((one.get("typeface", "") for one in fonts if one is not None), "")
    private = "\ue000" <= sign <= "\uf8ff"
    if "\uf000" <= sign <= "\uf0ff":  # as fonts of signs have their letters
        sign = chr(ord(sign) - 0xF000)
    if re.match("wingdings", font, re.IGNORECASE):
        return _SIGNS.get(sign, "•")
    signs = re.match("webdings|symbol|zapf", font, re.IGNORECASE)
    return "•" if private or signs else sign


def _counting(mark: Any) -> str:
    kind = re.fullmatch(r"([a-z]+(?:Lc|Uc)?)([A-Z]\w*)", mark.get("type", ""))
    name, around = kind.groups() if kind else ("arabic", "Period")
    before, behind = _AROUND.get(around, ("", "."))
    first = _FIRST.get(name, "1")
    if first == "1":
        first = str(min(32767, max(1, whole_number(mark.get("startAt", "1")))))
    elif not behind:
        behind = "."
    return f"{before}{first}{behind}"
