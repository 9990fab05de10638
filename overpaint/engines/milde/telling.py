"""Telling: layer instructions, steps, and questions with the checks that answer them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from overpaint.document import Document
from overpaint.document.render import bounds
from overpaint.engines.milde.compose import Design
from overpaint.engines.milde.content import Language, Split, thing
from overpaint.engines.milde.palette import COLOURS, called
from overpaint.engines.milde.parts import Part
from overpaint.vision.layers import place_of

_PLACES = {
    "English": {"ground": "background", "band": "band", "frame": "frame", "seal": "sticker",
                "pattern": "pattern of small pictures", "title": "title", "text": "text"},
    "Chinese": {"ground": "背景", "band": "色带", "frame": "边框", "seal": "贴纸",
                "pattern": "小图案", "title": "标题", "text": "文字"},
}  # fmt: skip
# What is told of a layer: its instruction, its step, and the question about it.
_TOLD: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "English": {
        "words": ('Change the words "{old}" to "{new}" and keep the font, the size, the colour and'
                  " the place of this text layer.", 'Change "{old}" to "{new}".'),
        "words_gone": ('Remove the words "{old}" from the design, so that nothing is left where'
                       " they stood.", 'Remove the words "{old}".'),
        "recoloured": ("Set the {what} in {colour}; the words, the font, the size and the place of"
                       " this layer stay as they are.", "Make the {what} {colour}."),
        "replaced": ("Draw {new} in place of the {old}, of the same size and in the same place;"
                     " what lies behind it stays.", "Replace the {old} with {new}."),
        "removed": ("Remove the {what}, so that what lies below it is seen.", "Remove the {what}."),
    },
    "Chinese": {
        "words": ("把这一图层的文字“{old}”改为“{new}”，字体、字号、颜色和位置保持不变。",
                  "把“{old}”改为“{new}”。"),
        "words_gone": ("删除文字“{old}”，原处不留任何内容。", "删除文字“{old}”。"),
        "recoloured": ("把{what}改成{colour}，文字、字体、大小和位置都不变。",
                       "把{what}改成{colour}。"),
        "replaced": ("在原来的位置用同样大小的{new}代替{old}，其后的内容保持不变。",
                     "把{old}换成{new}。"),
        "removed": ("去掉{what}，露出下面的内容。", "去掉{what}。"),
    },
}  # fmt: skip
# Asked of whoever sees the result alone: each names a place, words or a thing, and no "before".
_ASKED = {
    "English": {
        "words": 'Does it say "{new}" {place}?', "title": 'Does the title read "{new}"?',
        "words_gone": 'Does "{old}" stand anywhere?', "recoloured": "Is the {what} {colour}?",
        "replaced": "Does it show {new} {place}?", "removed": "Can the {what} be seen?",
    },
    "Chinese": {
        "words": "{place}写着“{new}”吗？", "title": "标题是“{new}”吗？",
        "words_gone": "画面上有“{old}”吗？", "recoloured": "{what}是{colour}吗？",
        "replaced": "{place}有{new}吗？", "removed": "能看到{what}吗？",
    },
}  # fmt: skip
_CHINESE_PLACES = {
    "top left": "左上方", "top": "上方", "top right": "右上方", "left": "左侧", "centre": "中间",
    "right": "右侧", "bottom left": "左下方", "bottom": "下方", "bottom right": "右下方",
}  # fmt: skip
_ABOUT = {"recoloured": "place", "replaced": "entity", "removed": "entity"}  # else about text


@dataclass(frozen=True)
class Happening:
    """One thing that happens to a layer: a key of the tables above, and what is put in there."""

    kind: str
    values: Mapping[str, str]


@dataclass(frozen=True)
class Teller:
    """Tells what a design's change is, in the language of its split."""

    design: Design
    split: Split
    language: Language

    def entry(self, *documents: Document) -> dict[str, Any]:
        """What a set's index says of the change from one document to the other."""
        gold = set(self.design.gold)
        told = [(p, tuple(self._happenings(p))) for p in self.design.before if p.id in gold]
        return {
            "layers": [{"id": part.id, "kind": part.kind} for part in self.design.before],
            "gold": list(self.design.gold),
            "layer_instructions": {part.id: self._instruction(events) for part, events in told},
            "steps": [
                {"text": self._told(event)[1], "layer": part.id,
                 "kind": "text" if part.kind == "text" else "image"}
                for part, events in told for event in events
            ],
            "texts": {part.id: later.words if (later := self._later(part)) else ""
                      for part, _ in told if part.kind == "text"},
            "questions": [
                self._question(event, part, documents) for part, events in told for event in events
            ],
        }  # fmt: skip

    def _later(self, part: Part) -> Part | None:
        return next((one for one in self.design.after if one.id == part.id), None)

    def _instruction(self, events: Sequence[Happening]) -> str:
        """One for the layer: steps in short, the last of them in full."""
        texts = [*(self._told(event)[1] for event in events[:-1]), self._told(events[-1])[0]]
        return ("" if self.language == "Chinese" else " ").join(texts)

    def _told(self, event: Happening) -> tuple[str, str]:
        full, short = _TOLD[self.language][event.kind]
        return full.format(**event.values), short.format(**event.values)

    # ── what happens ────────────────────────────────────────────────────────────────────

    def _happenings(self, part: Part) -> Iterator[Happening]:
        """All that happens to a part, its words first."""
        later = self._later(part)
        if part.kind == "text":
            for old, new in changed_lines(part.lines, later.lines if later else ()):
                values = {"old": self._on_one_line(old), "new": self._on_one_line(new)}
                yield Happening("words" if new else "words_gone", values)
        elif later is None:
            yield Happening("removed", {"what": self._what(part)})
        if later is None:
            return
        if part.motif != later.motif:
            the = thing(self.split, part.motif, self.language)[0]
            another = thing(self.split, later.motif, self.language)[1]
            yield Happening("replaced", {"old": the, "new": another})
        if (part.colour, part.variant) != (later.colour, later.variant):
            values = {"what": self._what(part), "colour": self._colour(part, later)}
            yield Happening("recoloured", values)

    def _on_one_line(self, words: str) -> str:
        return words.replace("\n", "" if self.language == "Chinese" else " ")

    def _what(self, part: Part) -> str:
        if part.figure == "motif":
            return thing(self.split, part.motif, self.language)[0]
        names = _PLACES[self.language]
        return names.get(part.role, names["text"])

    def _colour(self, part: Part, later: Part) -> str:
        if part.variant != later.variant:
            name = next(n for n, values in COLOURS.items() if values[0] == later.variant)
            return called(name, self.language)
        return called(later.colour, self.language)

    # ── questions ───────────────────────────────────────────────────────────────────────

    def _question(
        self, event: Happening, part: Part, documents: Sequence[Document]
    ) -> dict[str, Any]:
        """One question for each thing that happens, and the check that answers it."""
        box = self._box(part, documents)
        titled = part.role == "title" and event.values.get("old") == self._on_one_line(part.words)
        key = "title" if event.kind == "words" and titled else event.kind
        values = {**event.values, "place": self._place(box)}
        return {
            "layer": part.id, "question": _ASKED[self.language][key].format(**values),
            "about": _ABOUT.get(event.kind, "text"),
            "expected": "no" if event.kind in ("words_gone", "removed") else "yes",
            "check": self._check(event, box),
        }  # fmt: skip

    def _check(self, event: Happening, box: list[int]) -> dict[str, Any]:
        looks = {"kind": "looks", "box": box}
        if event.kind not in ("words", "words_gone"):
            return looks
        old, new = (event.values[key] for key in ("old", "new"))
        if new:
            # Capitals are seen, not read: no reader of words minds them.
            same = squeezed(old) == squeezed(new)
            return looks if same else {"kind": "says", "words": new, "box": box}
        left = any(squeezed(old) in squeezed(one.words) for one in self.design.after)
        return looks if left else {"kind": "gone", "words": old}

    def _place(self, box: list[int]) -> str:
        left, top, right, bottom = box
        place = place_of((left, top, right, bottom), self.design.size)
        if self.language == "Chinese":
            return _CHINESE_PLACES[place]
        before = {"centre": "in", "left": "on", "right": "on"}.get(place, "at")
        return f"{before} the {place}"

    def _box(self, part: Part, documents: Sequence[Document]) -> list[int]:
        """What the layer covers before and after, on the canvas."""
        wide, high = self.design.size
        found = (layer for one in documents for layer in one.layers if layer.id == part.id)
        boxes = [box for layer in found if (box := bounds(layer))]
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return [max(0, min(lefts)), max(0, min(tops)), min(wide, max(rights)),
                min(high, max(bottoms))]  # fmt: skip


def squeezed(words: str) -> str:
    """Words in small letters without white space and signs, which readers mistake or leave out."""
    return "".join(letter for letter in words.casefold() if letter.isalnum())


def changed_lines(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, str]]:
    """Each line that is changed with what it becomes, nothing where it goes."""
    found = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            found += list(zip_longest(old[a:b], new[c:d], fillvalue=""))
    return found
