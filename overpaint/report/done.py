"""What was done to a document, in sentences a person checks at a glance."""

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from overpaint.document import Document, ops
from overpaint.document.instruct.colours import NAMES
from overpaint.document.layers import Colour, Layer, Run, Text
from overpaint.document.ops import Op
from overpaint.document.text.fonts import here
from overpaint.document.text.setting import substitutes
from overpaint.document.where import Where, described, short

_SHOWN = 60  # letters of words in a sentence
_NAMED = {code: name for name, code in reversed(NAMES.items()) if name.isascii()}
_ALIGNED = {"left": "at the left", "centre": "centred", "right": "at the right",
            "justify": "justified"}  # fmt: skip
_ORDER = {"front": "brought to the front", "back": "sent to the back",
          "forward": "brought forward", "backward": "sent backward"}  # fmt: skip
_SIDES = {"left": "to the left of", "right": "to the right of", "inside": "inside", "at": "at"}


@dataclass(frozen=True)
class Fonts:
    """What is said of the fonts that words are set in."""

    live: bool = False  # words stay words: their font is the one they name, wherever it is
    own: Container[str] = ()  # so do those of layers with these ids, and the font is in the file
    point: float = 0.0  # pixels in a point, where sizes are in points

    def told(self, layer: Layer, run: Run) -> str:
        """The font of a run, and its size."""
        style = run.style
        named = self.live or layer.id in self.own
        family = style.family if named else here().find(style, run.words).face.family
        bold = " bold" if style.weight >= 600 else ""
        lean = " italic" if style.italic else ""
        size = f"{style.size / self.point:.3g} pt" if self.point else _pixels(style.size)
        return f"{family}{bold}{lean}, {size}"


def sentences(after: Document, fonts: Fonts | None = None) -> tuple[str, ...]:
    """Each op that made a document, oldest first, as what it did and how."""
    return tuple(_sentence(step, fonts or Fonts()) for step in _steps(after))


def missing_fonts(
    after: Document, *, own: Container[str] = (), keeping: str = ""
) -> tuple[str, ...]:
    """What had to be replaced to set the texts that were changed, each said once.

    `keeping`: the file in which words stay words, so that the name of their font stays, too.
    """
    found = {note: None for step in _steps(after) for layer, text in _changed(step)
             if layer.id not in own for note in substitutes(text)}  # fmt: skip
    kept = f"; {keeping} keeps the name" if keeping else ""
    return tuple(note + kept if note.endswith(" is used") else note for note in found)


def _steps(after: Document) -> list[Document]:
    """The document after each op."""
    found: list[Document] = []
    while after.did is not None and after.before is not None:
        found.append(after)
        after = after.before
    return found[::-1]


def _sentence(step: Document, fonts: Fonts) -> str:
    assert step.did is not None
    told = _TOLD[type(step.did)](step.did)
    if step.before is not None and step.layers == step.before.layers:
        was = told.replace(" is now ", " was ")
        return f"{was} already" if was != told else f"{told}: that changes nothing"
    how = _how(step, fonts)
    joint = ", " if how.startswith(("set in", "now in", "at")) else "; "
    return told + joint + how if how else told


def _how(step: Document, fonts: Fonts) -> str:
    """What the editor said of this op; of live text, the font it is set in."""
    assert step.before is not None
    said = step.notes[len(step.before.notes) :]
    if said or not _sets(step.did):
        return "; ".join(said)
    told = dict.fromkeys(
        fonts.told(layer, run) for layer, text in _changed(step) for run in _new(step, text)
    )
    return f"set in {' and '.join(told)}" if told else ""


def _sets(op: Op | None) -> bool:
    """Whether it takes a font to do an op."""
    if isinstance(op, ops.Restyle):
        return op != ops.Restyle(op.where, colour=op.colour, align=op.align)
    return isinstance(op, ops.ReplaceText | ops.Insert)


def _changed(step: Document) -> Iterator[tuple[Layer, Text]]:
    """The live texts that an op changed or brought."""
    assert step.before is not None
    old = {layer.id: layer for layer in step.before}
    for layer in step:
        if isinstance(layer.content, Text) and not _same(layer, old.get(layer.id)):
            yield layer, layer.content


def _same(layer: Layer, old: Layer | None) -> bool:
    return old is not None and layer.content == old.content


def _new(step: Document, text: Text) -> list[Run]:
    """The runs of a text whose words or looks are new; all where none are."""
    assert step.before is not None
    words = str(getattr(step.did, "text", "")).strip()
    old = [run.style for layer in step.before for run in _runs(layer)]
    own = [run for run in text.runs if (words in run.words if words else run.style not in old)]
    return own or [run for run in text.runs if run.words.strip()]


def _runs(layer: Layer) -> tuple[Run, ...]:
    return layer.content.runs if isinstance(layer.content, Text) else ()


# ── one op each ─────────────────────────────────────────────────────────────────────────


def _named(where: Where | None) -> str:
    """What was pointed at, as a sentence has it."""
    if where is None or replace(where, every=False) == Where():
        return "everything"
    if where.text and where == Where(text=where.text):
        return _quoted(where.text)
    every = "every " if where.every else ""
    shown = replace(where, text=short(where.text, _SHOWN)) if where.text else where
    return every + described(shown).removeprefix("the " if every else "")


def _pixels(length: float) -> str:
    """A length as people say it: 28.5 px."""
    return f"{round(length, 1):g} px"


def _quoted(words: str) -> str:
    return f"“{short(words, _SHOWN)}”"


def _replaced(op: Any) -> str:
    return f"{_named(op.where)} → {_quoted(op.text)}"


def _restyled(op: Any) -> str:
    looks = [
        _tone(op.colour) if op.colour else "",
        _pixels(op.size) if op.size else "",
        "" if op.weight is None else "bold" if op.weight >= 600 else "not bold",
        "" if op.italic is None else "italic" if op.italic else "upright",
        "" if op.underline is None else "underlined" if op.underline else "not underlined",
        "" if op.strike is None else "struck through" if op.strike else "not struck through",
        "in another font" if op.family == "other" else f"in {op.family}" if op.family else "",
        _ALIGNED[op.align] if op.align else "",
    ]
    return f"{_named(op.where)} is now {' and '.join(filter(None, looks)) or 'as it was'}"


def _moved(op: Any) -> str:
    if op.by is not None:
        across, down = op.by
        steps = (
            f"{_pixels(abs(across))} {'right' if across > 0 else 'left'}" if across else "",
            f"{_pixels(abs(down))} {'down' if down > 0 else 'up'}" if down else "",
        )
        return f"{_named(op.where)} moved {' and '.join(filter(None, steps)) or 'nowhere'}"
    if op.of is not None:
        return f"{_named(op.where)} moved {_beside(op.side, op.of)}"
    return f"{_named(op.where)} moved to the {op.to}"


def _beside(side: str, of: Where) -> str:
    return f"{_SIDES.get(side, side)} {_named(of)}"


def _turned(op: Any) -> str:
    way = "clockwise" if op.degrees >= 0 else "counterclockwise"
    return f"{_named(op.where)} turned by {abs(op.degrees):g}° {way}"


def _added(op: Any) -> str:
    cells = ", ".join(_quoted(value) for value in op.values)
    new = _quoted(op.text) if op.text else cells or op.picture
    what = f"the {op.what} {new}" if op.what in ("row", "column") else new
    if op.where == Where(place=op.where.place):
        return f"{what} added at the {op.where.place or 'centre'}"
    return f"{what} added {_beside(op.side, op.where)}"


def _tone(colour: Colour) -> str:
    code = "".join(f"{part:02x}" for part in colour[:3])
    return _NAMED.get(code, f"#{code}")


_TOLD: Mapping[type[Op], Callable[[Any], str]] = {
    ops.ReplaceText: _replaced,
    ops.Restyle: _restyled,
    ops.Move: _moved,
    ops.Rotate: _turned,
    ops.Scale: lambda op: f"{_named(op.where)} is now {op.factor:.0%} as large",
    ops.Delete: lambda op: f"{_named(op.where)} deleted",
    ops.Insert: _added,
    ops.Swap: lambda op: f"{_named(op.where)} and {_named(op.other)} exchanged",
    ops.Merge: lambda op: f"{_named(op.where)} and {_named(op.other)} joined: {_quoted(op.text)}",
    ops.Recolour: lambda op: f"{_named(op.where)} is now {_tone(op.colour)}",
    ops.ReplacePicture: lambda op: f"{_named(op.where)} shows {op.picture}",
    ops.Reorder: lambda op: f"{_named(op.where)} {_ORDER[op.to]}",
    ops.Hide: lambda op: f"{_named(op.where)} {'shown again' if op.visible else 'hidden'}",
}
