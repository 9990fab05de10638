"""Where: what an op is about, as a person would point at it, and how that is found in layers."""

import re
from dataclasses import dataclass, replace
from typing import Literal

from overpaint.document.grid import grids, lane_number
from overpaint.document.layers import Group, Layer, Text, walk
from overpaint.document.model import Document
from overpaint.document.render import bounds
from overpaint.document.roles import PATTERNS, labelled, named, of_name, wholes
from overpaint.errors import Refused

Place = Literal[
    "", "top", "bottom", "left", "right", "centre",
    "top left", "top right", "bottom left", "bottom right",
]  # fmt: skip
Role = Literal[
    "", "title", "subtitle", "heading", "header", "footer", "caption", "paragraph", "sentence",
    "line", "word", "letter", "number", "date", "time", "price", "phone", "address", "email",
    "url", "slogan", "logo", "label", "list", "table", "row", "column", "cell", "text", "picture",
    "shape", "background",
]  # fmt: skip
Side = Literal["before", "after", "above", "below", "left", "right", "inside", "at"]


@dataclass(frozen=True)
class Where:
    """Empty fields say nothing; all that is said must fit."""

    layer: str = ""  # a layer's id, or a name that only one layer has
    text: str = ""  # words that stand there
    role: Role = ""  # "the title", "the third line"
    nth: int = 0  # of all that fit, from the top: 1 the first, -1 the last; 0: there is but one
    every: bool = False  # all that fit
    place: Place = ""  # "at the bottom left"
    row: str = ""  # of a table: a number from 1, or words that stand in it
    column: str = ""
    side: Side | Literal[""] = ""  # "the text below …": how it stands to `of`
    of: "Where | None" = None


WORDLESS = ("picture", "shape", "logo", "background")  # roles of what has no words
# Names that programs give: a layer that is called something else is not taken for a logo.
_NAMELESS = re.compile(r"(?:layer|image|picture|shape|group|图层|图像|图片|组)?[\s_-]*\d*", re.I)
_ANY_TEXT = (
    "text", "line", "paragraph", "sentence", "label", "caption", "list", "row", "column", "cell",
    "table",
)  # fmt: skip
_FIRST = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
# Of these the whole is meant, though only some of its words are said.
_AROUND_WORDS = ("line", "paragraph", "sentence")
AROUND = 14  # letters shown on either side of words that are one of several


@dataclass(frozen=True)
class Hit:
    """A layer that was pointed at; of a text, which of its letters."""

    layer: Layer
    span: tuple[int, int] = (0, 0)

    @property
    def words(self) -> str:
        """What of its text was pointed at."""
        text = self.layer.content
        return text.words[slice(*self.span)] if isinstance(text, Text) else ""

    @property
    def whole(self) -> bool:
        """Whether the whole layer was pointed at."""
        text = self.layer.content
        return not isinstance(text, Text) or text.words[slice(*self.span)].strip() == (
            text.words.strip()
        )


def hits(document: Document, where: Where, *, hidden: bool = False) -> tuple[Hit, ...]:
    """The one thing pointed at, or all where `every` says so; `Refused` where that is unclear."""
    where = _lane(where)
    found = _fitting(document, where, hidden)
    if not found:
        raise Refused(f"Nothing in the document is {described(where)}.", _instead(document, where))
    if where.every or whole_lane(where):
        return tuple(found)
    if where.nth:
        return (_counted(found, where),)
    if len(found) > 1:
        raise Refused(
            f"{len(found)} things in the document are {described(where)}: {_listed(found)}.",
            "One was expected.",
            'Say which: "the first", "the last", "every".',
        )
    return (found[0],)


def whole_lane(where: Where) -> bool:
    """Whether a row or a column of a table is meant, with all its cells."""
    return where.role in ("row", "column") and not (where.row and where.column)


def _lane(where: Where) -> Where:
    """A row or column told by its number or by words in it, as one told by its name."""
    if not whole_lane(where) or where.row or where.column:
        return where
    name = where.text or str(where.nth or 1)
    if where.role == "row":
        return replace(where, row=name, text="", nth=0)
    return replace(where, column=name, text="", nth=0)


def described(where: Where) -> str:
    """The same in words: “the title”, “the second line at the top”."""
    own = {"row": where.row, "column": where.column}.get(where.role, "")
    nth = where.nth or lane_number(own)
    counted = f"the {ordinal(nth)} " if nth else "the "
    parts = [
        f"layer {where.layer!r}" if where.layer else "",
        f"{counted}{where.role}" if where.role else counted.strip() if nth else "",
        _lane_name(own) if own and not nth else "",
        f"“{short(where.text)}”" if where.text else "",
        f"in the row {_lane_name(where.row)}" if where.row and where.role != "row" else "",
        f"in the column {_lane_name(where.column)}"
        if where.column and where.role != "column"
        else "",
        f"at the {where.place}" if where.place else "",
        f"{where.side} {described(where.of)}" if where.of else "",
    ]
    return " ".join(filter(None, parts)) or "pointed at"


def ordinal(nth: int) -> str:
    """A number that counts, in words: first, last, second to last, 12th."""
    if nth < 0:
        return "last" if nth == -1 else f"{ordinal(-nth)} to last"
    ending = "th" if nth % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(nth % 10, "th")
    return _FIRST[nth - 1] if nth <= len(_FIRST) else f"{nth}{ending}"


def _lane_name(name: str) -> str:
    """What tells a row or column: its number, or the words that stand in it."""
    return name if lane_number(name) else f"“{short(name)}”"


def _counted(found: list[Hit], where: Where) -> Hit:
    at = where.nth - 1 if where.nth > 0 else where.nth
    if not -len(found) <= at < len(found):
        raise Refused(
            f"There is no {described(where).removeprefix('the ')}: {len(found)} fit.",
            f"They are {_listed(found)}.",
        )
    return found[at]


def _fitting(document: Document, where: Where, hidden: bool) -> list[Hit]:
    layers = [layer for layer in document if layer.visible != hidden]
    if where.layer:
        layers = [layer for layer in layers if layer.id == where.layer] or (
            [one for one in layers if one.name.casefold() == where.layer.casefold()]
            or named(layers, (where.layer,))
        )
    if where.row or where.column or where.role in ("row", "column", "cell"):
        layers = _in_tables(document, layers, where)
    found = _saying(layers, where.text) if where.text else [_all_of(layer) for layer in layers]
    if where.role:
        found = _of_role(document, found, where)
    elif not where.text and not where.layer:
        found = [hit for hit in found if hit.layer.kind != "group"]
    if where.of is not None and where.side:
        found = _on_side(document, found, where)
    if len(found) > 1:  # to know where they stand, they are drawn
        found.sort(key=lambda hit: (*_box(hit)[1::-1], hit.span))
    several = where.every or where.nth != 0
    return _at_place(document, found, where.place, several=several) if where.place else found


def _all_of(layer: Layer) -> Hit:
    text = layer.content
    return Hit(layer, (0, len(text.words))) if isinstance(text, Text) else Hit(layer)


def _saying(layers: list[Layer], words: str) -> list[Hit]:
    """Where the words stand: as written, else in any case and spacing, else as a layer's name."""
    texts = [layer for layer in layers if isinstance(layer.content, Text)]
    for pattern in patterns(words):
        found = [
            Hit(layer, match.span())
            for layer in texts
            if isinstance(layer.content, Text)
            for match in pattern.finditer(layer.content.words)
        ]
        if found:
            return found
    own = [layer for layer in layers if layer.name.casefold() == words.casefold()]
    return [_all_of(layer) for layer in own or named(layers, (words,))]


def _in_tables(document: Document, layers: list[Layer], where: Where) -> list[Layer]:
    """The texts in the cells of tables that a row, a column or both mean."""
    tables = grids(document)
    if not tables and where.text:
        return layers  # cells are not known, but words are
    own = [cell.text for grid in tables for cell in grid.chosen(where.row, where.column)]
    return [layer for layer in layers if any(layer is text for text in own)]


def patterns(words: str) -> list[re.Pattern[str]]:
    """From the strictest to the most lenient way in which words can be said to stand somewhere."""
    exact = re.escape(words)
    loose = r"\s+".join(re.escape(word) for word in words.split())
    bounded = [rf"(?<!\w){form}(?!\w)" for form in (exact, loose)]
    flags = (0, re.IGNORECASE)
    return [re.compile(form, flag) for flag in flags for form in (*bounded, exact, loose) if form]


def _of_role(document: Document, found: list[Hit], where: Where) -> list[Hit]:
    """What has a role: the one layer that is called so, or else all that look it."""
    role = where.role
    called = of_name([hit.layer for hit in found], role)
    if called is not None:
        found = _of_layer(found, called, worded=role not in WORDLESS)
    if role in WORDLESS:
        return found if called else _wordless(document, found, role)
    if role == "table" and not where.text:
        return _only(found, [grid.layer for grid in grids(document)])
    texts = [hit for hit in found if isinstance(hit.layer.content, Text) and hit.words.strip()]
    if role in PATTERNS:
        spans = [Hit(hit.layer, span) for hit in texts for span in _spans(hit, PATTERNS[role])]
        return spans or _labelled(texts, role) or (found if called else [])
    if called is None and (after := _labelled(texts, role)):
        return after
    if called is not None:
        return texts or found
    if where.text and role in _AROUND_WORDS:
        around = [_whole(hit, role) for hit in texts]
        return list({(id(hit.layer), hit.span): hit for hit in around}.values())
    if where.text or role in _ANY_TEXT:
        return texts
    sizes = sorted({_size(hit) for hit in texts}, reverse=True)
    if role == "title":
        return [hit for hit in texts if _size(hit) == sizes[0]]
    if role in ("subtitle", "heading") and len(sizes) > 1:
        return [hit for hit in texts if _size(hit) == sizes[1]]
    return _at_place(document, texts, {"header": "top", "footer": "bottom"}.get(role, ""))


def _whole(hit: Hit, role: str) -> Hit:
    """The line, paragraph or sentence that words stand in."""
    text, (start, end) = hit.layer.content, hit.span
    assert isinstance(text, Text)
    touched = [part for part in wholes(role, text.words) if part[0] < end and start < part[1]]
    return replace(hit, span=(touched[0][0], touched[-1][1])) if touched else hit


def _of_layer(found: list[Hit], layer: Layer, *, worded: bool) -> list[Hit]:
    """The hits in a layer; of a group that is called after its words, those in its texts."""
    inner = walk(layer.content.layers) if worded and isinstance(layer.content, Group) else ()
    texts = [one for one in inner if isinstance(one.content, Text)]
    return _only(found, texts) or _only(found, [layer])


def _only(found: list[Hit], layers: list[Layer]) -> list[Hit]:
    return [hit for hit in found if any(hit.layer is layer for layer in layers)]


def _wordless(document: Document, found: list[Hit], role: str) -> list[Hit]:
    """What may be a picture, a shape, a logo or the background, whatever it is called."""
    if role == "background":
        return [hit for hit in found if _fills(document, hit.layer)][:1]
    kinds = {"picture": ("picture",), "logo": ("picture", "group"), "shape": ("shape",)}[role]
    some = [hit for hit in found if hit.layer.kind in kinds]
    apart = [hit for hit in some if not _fills(document, hit.layer)]
    if role == "logo":
        return [hit for hit in apart if _NAMELESS.fullmatch(hit.layer.name)]
    return apart or some


def _spans(hit: Hit, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    start = hit.span[0]
    return [(start + m.start(), start + m.end()) for m in pattern.finditer(hit.words)]


def _labelled(texts: list[Hit], role: str) -> list[Hit]:
    """What stands after the label of a role: “八点半” in “时间：八点半”."""
    return [
        Hit(hit.layer, (hit.span[0] + start, hit.span[0] + end))
        for hit in texts
        for start, end in labelled(role, hit.words)
    ]


def _size(hit: Hit) -> float:
    text = hit.layer.content
    return max(run.style.size for run in text.runs) if isinstance(text, Text) else 0.0


def _fills(document: Document, layer: Layer) -> bool:
    (left, top, right, bottom), (wide, high) = _box(Hit(layer)), document.size
    return left <= 0.02 * wide and top <= 0.02 * high and right >= 0.98 * wide and (
        bottom >= 0.98 * high
    )  # fmt: skip


def _box(hit: Hit) -> tuple[int, int, int, int]:
    return bounds(hit.layer) or (0, 0, 0, 0)


def _at_place(
    document: Document, found: list[Hit], place: str, *, several: bool = False
) -> list[Hit]:
    """Those in that part of the canvas; the one furthest in that direction if one is meant."""
    across, down = direction(place)
    wide, high = document.size

    def reach(hit: Hit) -> float:
        left, top, right, bottom = _box(hit)
        x, y = (left + right) / wide - 1, (top + bottom) / high - 1
        return across * x + down * y if place != "centre" else -max(abs(x), abs(y))

    least = -0.5 if place == "centre" else 0.0
    inside = [hit for hit in found if reach(hit) > least]
    return [max(inside, key=reach)] if inside and place and not several else inside


def direction(place: str) -> tuple[int, int]:
    """A place as steps to the right and down."""
    return (
        (("right" in place) - ("left" in place)),
        (("bottom" in place) - ("top" in place)),
    )


def _on_side(document: Document, found: list[Hit], where: Where) -> list[Hit]:
    """The nearest of those that stand on that side of something."""
    assert where.of is not None
    anchor = hits(document, where.of)[0]
    if where.side == "inside" and isinstance(anchor.layer.content, Text):
        (start, end), own = anchor.span, [hit for hit in found if hit.layer is anchor.layer]
        return [hit for hit in own if start <= hit.span[0] and hit.span[1] <= end]
    left, top, right, bottom = _box(anchor)

    def gap(hit: Hit) -> float:
        x0, y0, x1, y1 = _box(hit)
        side = {"before": "left", "after": "right"}.get(where.side, where.side)
        aside = {
            "above": (top - y1, max(0, x0 - right, left - x1)),
            "below": (y0 - bottom, max(0, x0 - right, left - x1)),
            "left": (left - x1, max(0, y0 - bottom, top - y1)),
            "right": (x0 - right, max(0, y0 - bottom, top - y1)),
        }.get(side, (0, max(0, x0 - right, left - x1) + max(0, y0 - bottom, top - y1)))
        slack = 0.3 * (bottom - top)  # line boxes may overlap a little
        return aside[0] + 4 * aside[1] if aside[0] > -slack else float("inf")

    others = [hit for hit in found if hit.layer is not anchor.layer and gap(hit) < float("inf")]
    return sorted(others, key=gap)[:1]


def _listed(found: list[Hit]) -> str:
    def told(number: int, hit: Hit) -> str:
        left, top, *_ = _box(hit)
        said = f"“{_marked(hit)}”" if isinstance(hit.layer.content, Text) else hit.layer.kind
        return f"{number}. {said} (layer {hit.layer.name or hit.layer.id!r} at {left}, {top})"

    return "; ".join(told(number, hit) for number, hit in enumerate(found[:8], 1))


def _marked(hit: Hit) -> str:
    """The words that were hit, with a few around them if they are a part: “…to «and» cheese…”."""
    text = hit.layer.content
    if not isinstance(text, Text) or hit.whole:
        return short(hit.words)
    before = re.sub(r"\s+", " ", text.words[: hit.span[0]])
    after = re.sub(r"\s+", " ", text.words[hit.span[1] :])
    if len(before) > AROUND:
        near = before[-AROUND:]
        before = "…" + (near.partition(" ")[2] or near)
    if len(after) > AROUND:
        near = after[:AROUND]
        after = (near.rpartition(" ")[0] or near) + "…"
    return f"{before}«{short(hit.words)}»{after}"


def _instead(document: Document, where: Where) -> str:
    """What there is in place of what was pointed at."""
    if where.row and where.column:
        chosen = [c for g in grids(document) for c in g.chosen(where.row, where.column)]
        if chosen and not any(cell.text for cell in chosen):
            return "That cell is empty, and only words that stand somewhere can be changed."
    texts = [layer.content.words for layer in document if isinstance(layer.content, Text)]
    if not texts:
        return "It has no live text."
    shown = list(dict.fromkeys(map(short, texts)))
    more = " and more" if len(shown) > 8 else ""
    return f"Its texts are {', '.join(f'“{words}”' for words in shown[:8])}{more}."


def short(words: str, most: int = 40) -> str:
    """The words as a message shows them: on one line, the beginning of many."""
    words = " ".join(words.split())
    return words if len(words) <= most else f"{words[: most - 1]}…"
