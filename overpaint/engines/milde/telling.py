"""Telling: layer instructions, steps, and questions with the checks that answer them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from overpaint.document import Document
from overpaint.document.render import bounds
from overpaint.engines.milde.compose import Design
from overpaint.engines.milde.content import Language, Split, thing
from overpaint.engines.milde.palette import COLOURS, called
from overpaint.engines.milde.parts import Part

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
_ASKED = {
    "English": {
        "says": 'Does it say "{new}" there?', "gone": 'Does "{old}" still stand anywhere?',
        "recoloured": "Is the {what} {colour}?",
        "replaced": "Does it show {new} where the {old} was?",
        "removed": "Has the {what} been removed?",
    },
    "Chinese": {
        "says": "那里写着“{new}”吗？", "gone": "还能看到“{old}”吗？",
        "recoloured": "{what}是{colour}吗？", "replaced": "原来{old}的位置现在是{new}吗？",
        "removed": "{what}去掉了吗？",
    },
}  # fmt: skip


@dataclass(frozen=True)
class Teller:
    """Tells what a design's change is, in the language of its split."""

    design: Design
    split: Split
    language: Language

    def entry(self, *documents: Document) -> dict[str, Any]:
        """What a set's index says of the change from one document to the other."""
        told = [(part, self._kinds(part)) for part in self._gold()]
        return {
            "layers": [{"id": part.id, "kind": part.kind} for part in self.design.before],
            "gold": list(self.design.gold),
            "layer_instructions": {
                part.id: self._joined(self._say(part, kind)[0] for kind in kinds)
                for part, kinds in told
            },
            "steps": [
                {"text": self._say(part, kind)[1], "layer": part.id,
                 "kind": "text" if part.kind == "text" else "image"}
                for part, kinds in told for kind in kinds
            ],
            "texts": {p.id: later.words if (later := self._later(p)) else ""
                      for p in self._gold() if p.kind == "text"},
            "questions": [
                asked for part, kinds in told for asked in self._questions(part, kinds, documents)
            ],
        }  # fmt: skip

    def _joined(self, texts: Iterator[str]) -> str:
        return ("" if self.language == "Chinese" else " ").join(texts)

    def _gold(self) -> list[Part]:
        gold = set(self.design.gold)
        return [part for part in self.design.before if part.id in gold]

    def _later(self, part: Part) -> Part | None:
        return next((one for one in self.design.after if one.id == part.id), None)

    def _kinds(self, part: Part) -> tuple[str, ...]:
        """What happens to a part, one or two of the keys told above."""
        later = self._later(part)
        if later is None:
            return ("words_gone" if part.kind == "text" else "removed",)
        found = []
        if part.lines != later.lines:
            found.append("words")
        if part.motif != later.motif:
            found.append("replaced")
        if (part.colour, part.variant) != (later.colour, later.variant):
            found.append("recoloured")
        return tuple(found)

    def _values(self, part: Part) -> dict[str, str]:
        later = self._later(part)
        values = {"what": self._what(part)}
        if part.kind == "text":
            old, new = changed_lines(part.lines, later.lines if later else ())
            gap = "" if self.language == "Chinese" else " "
            values |= {"old": gap.join(old), "new": gap.join(new)}
            values = {key: text.replace("\n", gap) for key, text in values.items()}
        elif later and part.motif and part.motif != later.motif:
            values["old"] = thing(self.split, part.motif, self.language)[0]
            values["new"] = thing(self.split, later.motif, self.language)[1]
        if later:
            values["colour"] = self._colour(part, later)
        return values

    def _what(self, part: Part) -> str:
        if part.figure == "motif":
            return thing(self.split, part.motif, self.language)[0]
        names = _PLACES[self.language]
        usual = names["text"] if part.kind == "text" else part.role
        return names.get(part.role, usual)

    def _colour(self, part: Part, later: Part) -> str:
        if part.variant != later.variant:
            name = next(n for n, values in COLOURS.items() if values[0] == later.variant)
            return called(name, self.language)
        return called(later.colour, self.language)

    def _say(self, part: Part, kind: str) -> tuple[str, str]:
        values = self._values(part)
        if kind == "words" and not values["new"]:
            kind = "words_gone"
        one, two = _TOLD[self.language][kind]
        return one.format(**values), two.format(**values)

    # ── questions ───────────────────────────────────────────────────────────────────────

    def _questions(
        self, part: Part, kinds: Sequence[str], documents: Sequence[Document]
    ) -> Iterator[dict[str, Any]]:
        values, asked = self._values(part), _ASKED[self.language]
        for kind in kinds:
            if kind in ("words", "words_gone"):
                yield from self._about_words(part, documents)
                continue
            check = {"kind": "looks", "box": self._box(part, documents)}
            yield {"layer": part.id, "question": asked[kind].format(**values),
                   "about": "entity" if kind != "recoloured" else "place",
                   "expected": "yes", "check": check}  # fmt: skip

    def _about_words(self, part: Part, documents: Sequence[Document]) -> Iterator[dict[str, Any]]:
        values, asked = self._values(part), _ASKED[self.language]
        if values["new"]:
            check = {"kind": "says", "words": values["new"], "box": self._box(part, documents)}
            yield {"layer": part.id, "question": asked["says"].format(**values), "about": "text",
                   "expected": "yes", "check": check}  # fmt: skip
        if not self._stands(values["old"]):
            yield {"layer": part.id, "question": asked["gone"].format(**values), "about": "text",
                   "expected": "no", "check": {"kind": "gone", "words": values["old"]}}  # fmt: skip

    def _stands(self, words: str) -> bool:
        """Whether the truth says these words anywhere, white space and case apart."""
        sought = "".join(words.casefold().split())
        return any(sought in "".join(part.words.casefold().split()) for part in self.design.after)

    def _box(self, part: Part, documents: Sequence[Document]) -> list[int]:
        """What the layer covers before and after, on the canvas."""
        wide, high = self.design.size
        found = (layer for one in documents for layer in one.layers if layer.id == part.id)
        boxes = [box for layer in found if (box := bounds(layer))]
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return [max(0, min(lefts)), max(0, min(tops)), min(wide, max(rights)),
                min(high, max(bottoms))]  # fmt: skip


def changed_lines(
    old: Sequence[str], new: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines that are not in the other text; all of them where a title was broken anew."""
    if len(old) == len(new):
        pairs = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
        return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
    gone = tuple(line for line in old if line not in new)
    return gone, tuple(line for line in new if line not in old)
