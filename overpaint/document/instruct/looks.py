"""Looks: colours, weights, fonts, sizes and alignments as they are said, as properties of words."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from overpaint.document.instruct.colours import colour_of, mixed
from overpaint.document.instruct.lexing import Token, Tokens, cut
from overpaint.document.instruct.refusal import refuse
from overpaint.document.layers import Colour
from overpaint.document.ops import Op, Recolour, Restyle, Scale
from overpaint.document.where import WORDLESS, Where

BOLD, REGULAR, LIGHT = 700, 400, 300
STEP = 1.25  # "bigger", where nobody says how much
PIXELS_A_POINT = 4 / 3  # at the 96 dots an inch of screens

_LOOKS: Mapping[str, dict[str, Any]] = {
    "bold": {"weight": BOLD},
    "light": {"weight": LIGHT},
    "regular": {"weight": REGULAR},
    "plain": {"weight": REGULAR, "italic": False},
    "italic": {"italic": True},
    "upright": {"italic": False},
    "underline": {"underline": True},
    "strike": {"strike": True},
}
VERBS: Mapping[str, dict[str, Any]] = {
    "bold": {"weight": BOLD},
    "unbold": {"weight": REGULAR},
    "italic": {"italic": True},
    "underline": {"underline": True},
    "strike": {"strike": True},
}
_ALIGN = {
    "居中": "centre",
    "居中对齐": "centre",
    "左对齐": "left",
    "靠左": "left",
    "右对齐": "right",
}
_ALIGN |= {"靠右": "right", "两端对齐": "justify", "centre": "centre", "center": "centre"}
_ALIGN |= {"left align": "left", "right align": "right", "justify": "justify"}


@dataclass(frozen=True)
class Look:
    """Properties that words shall have, and how much larger they shall be."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    factor: float | None = None

    @property
    def said(self) -> bool:
        return bool(self.fields) or self.factor is not None

    def ops(self, where: Where) -> tuple[Op, ...]:
        """What gives this look to what `where` points at."""
        colour: Colour | None = self.fields.get("colour")
        if where.role in WORDLESS and colour:
            return (Recolour(where, colour),)
        styled = (Restyle(where, **self.fields),) if self.fields else ()
        return styled + ((Scale(where, self.factor),) if self.factor is not None else ())


def look(tokens: Tokens) -> Look:
    """The look that words ask for; what they say besides is not looked at."""
    said: dict[str, Any] = {}
    shade = ""
    for before, token in pairwise((None, *tokens)):
        assert token is not None
        if token.has("shade") and not token.has("quote"):
            shade = token.get("shade")
        if token.has("colour"):
            colour = colour_of(token.get("colour"), shade)
            if colour and before and before.has("colour") and "colour" in said:
                colour = mixed(said["colour"], colour)  # "coral red"
            said |= {"colour": colour} if colour else {}
            shade = ""
        if token.has("look"):
            said |= _LOOKS[token.get("look")]
        elif token.has("family") and not (token.has("unit") and before and before.has("number")):
            said["family"] = token.get("family")
        if token.has("align"):
            said["align"] = token.get("align")
        elif token.has("verb") and token.text.lower() in _ALIGN:
            said["align"] = _ALIGN[token.text.lower()]
    return Look(said)


_WORN = ("colour", "shade", "look", "family", "case")


def worn_in(tokens: Tokens) -> Tokens:
    """ "'X' in red letters" as "'X' red"; the same tokens where no look is said so."""
    start, worn, end = _worn_at(tokens)
    return (*tokens[:start], *worn, *tokens[end:]) if worn else tokens


def given_look(after: Tokens) -> Tokens:
    """ "an underline to 'X'" as "'X' underlined"; none where something else is added."""
    at = next((n for n, t in enumerate(after) if t.of("prep", "to", "in", "for")), 0)
    worn = tuple(t for t in after[:at] if not t.has("article"))
    return after[at + 1 :] + worn if worn and all(t.has("look") for t in worn) else ()


def undressed(tokens: Tokens) -> tuple[Tokens, Tokens]:
    """ "'X' in the corner in red" as "'X' in the corner", and "red"."""
    all_worn: Tokens = ()
    while (found := _worn_at(tokens))[1]:
        start, worn, end = found
        all_worn += worn
        tokens = tokens[:start] + tokens[end:]
    return tokens, all_worn


def _worn_at(tokens: Tokens) -> tuple[int, Tokens, int]:
    """Where the first "in red letters" begins, its look, and where it ends."""
    for n, token in enumerate(tokens):
        whole = token.text.lower() == "in bold"
        if not (whole or token.of("prep", "in", "with") or token.text in ("用", "以")):
            continue
        start = end = n if whole else n + 1
        while end < len(tokens) and (
            tokens[end].has(*_WORN, "and") or _joins(tokens[end]) or _long(tokens, end)
        ):
            end += 1
        worn = tuple(t for t in tokens[start:end] if t.has(*_WORN, "number", "unit"))
        end += end < len(tokens) and tokens[end].of("role", "letter", "text", "word")
        over = end == len(tokens) or tokens[end].has("prep", "stop", "comma", "and", "side")
        if worn and over:
            return n, worn, end
    return 0, (), 0


def _joins(token: Token) -> bool:
    """Whether a word only joins a look to what wears it: "a", 的, "font"."""
    return token.text.lower() in ("a", "an", "的") or token.has("attr")


def _long(tokens: Tokens, n: int) -> bool:
    """Whether a number, or the unit after it, is a size: 20 px."""
    at = n if tokens[n].has("number") else n - 1
    return tokens[at].has("number") and any(
        t.of("unit", "px", "pt") for t in tokens[at + 1 : at + 2]
    )


def alignment(verb: str, tokens: Tokens) -> str:
    """What "centre the title" and "align the title to the left" ask for."""
    verb = verb.lower().replace("-", " ")
    if verb in _ALIGN:
        return _ALIGN[verb]
    for token in tokens:
        side = token.get("dir") or token.get("place")
        if side in ("left", "right", "centre"):
            return side
    return ""


# ── sizes ───────────────────────────────────────────────────────────────────────────────


def sized(tokens: Tokens, *, way: int = 0, sized_by_verb: bool = False) -> Look:
    """How large words shall be: a size in pixels, or a factor; `way` is 1 to grow, -1 to shrink."""
    way = way or next((int(t.get("grow")) for t in tokens if t.has("grow")), 0)
    about_size = sized_by_verb or any(t.of("attr", "size") for t in tokens)
    for token in tokens:
        if token.has("points"):
            return Look({"size": float(token.get("points")) * PIXELS_A_POINT})
    for n, token in enumerate(tokens):
        if token.has("number") and (found := _measured(tokens, n, way, about_size=about_size)):
            return found
    doubled = [float(t.get("factor")) for t in tokens if t.has("factor")]
    if doubled:
        return Look(factor=1 / doubled[0] if way < 0 and doubled[0] > 1 else doubled[0])
    much = next((float(t.get("much")) for t in tokens if t.has("much")), 1.0)
    if not way:
        return Look()
    return Look(factor=round((STEP if way > 0 else 1 / STEP) ** much, 3))


def _measured(tokens: Tokens, n: int, way: int, *, about_size: bool) -> Look | None:
    """What one number says of the size, with the unit after it and the words before it."""
    value, unit = number(tokens[n]), _unit(tokens, n)
    before = tokens[n - 1] if n else None
    if value is None:
        return None
    whole = unit == "" and "/" not in tokens[n].text
    if unit in ("px", "pt") or (whole and _names_size(before, about_size=about_size)):
        return Look({"size": value * (PIXELS_A_POINT if unit == "pt" else 1)})
    by = before is not None and before.of("prep", "by")
    if unit == "%":
        if by or (way < 0 and not _to(before)) or (way > 0 and not _to(before) and value < 100):
            return Look(factor=round(1 + (way or 1) * value / 100, 4))
        return Look(factor=value / 100)
    if unit == "x" or ("/" in tokens[n].text and value > 0):
        more = 1 if way > 0 and unit == "x" and tokens[n].text == "一" else 0
        return Look(
            factor=round(
                1 / value if way < 0 and value > 1 and not _to(before) else value + more, 4
            )
        )
    return None


def _names_size(before: Token | None, *, about_size: bool) -> bool:
    return before is not None and (before.of("attr", "size") or (about_size and _to(before)))


def _to(token: Token | None) -> bool:
    if token is None:
        return False
    return token.of("prep", "to") or token.has("into") or token.text[-1:] in "到至为"


def _unit(tokens: Tokens, n: int) -> str:
    if n and tokens[n - 1].text == "百分之":
        return "%"
    return tokens[n + 1].get("unit") if n + 1 < len(tokens) else ""


def number(token: Token) -> float | None:
    """The value of a number; a fraction's too."""
    said = token.get("number").lstrip("+$€£¥")
    try:
        if said.count("/") == 1:
            over, under = said.split("/")
            return float(over) / float(under)
        return float(said.replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return None


def both(first: Look, second: Look) -> Look:
    """Two looks as one; the second's size counts where both have one."""
    factor = first.factor if second.factor is None else second.factor
    return replace(first, fields={**first.fields, **second.fields}, factor=factor)


_VALUES = {
    "colour": "that is no colour that is known",
    "size": "that is no size",
    "weight": "that is no weight",
    "align": "that is no alignment",
    "place": "that is no place that is known",
    "other": "that cannot be changed so",
}


def check_known(subject: Tokens, result: Tokens) -> None:
    """Refuse a property with a value that it cannot have: the value is no new wording."""
    for attr in properties(subject):
        if attr in _VALUES:
            raise refuse(cut((*subject, *result)), "look", why=_VALUES[attr])


def properties(subject: Tokens) -> list[str]:
    """What of a thing is meant: "the weight of 'A'"; Weight and "the size 'XL'" are words."""
    return [
        token.get("attr")
        for n, token in enumerate(subject)
        if token.has("attr") and not _names_words(subject, n)
    ]


def _names_words(tokens: Tokens, n: int) -> bool:
    """Whether a property stands before its own words, or is itself a word of the page."""
    before = tokens[n - 1] if n else Token("", 0, 0, {})
    after = tokens[n + 1] if n + 1 < len(tokens) else Token("", 0, 0, {})
    if tokens[n].text.lower().endswith(" of") or after.of("prep", "of", "for"):
        return False
    was = after.of("prep", "from") and any(t.has("quote") for t in tokens[n + 2 : n + 3])
    if after.has("quote") or was or before.of("role", "word"):
        return True
    owned = before.has("article", "quote") or before.of("post", "of")
    return tokens[n].text[:1].isupper() and not owned
