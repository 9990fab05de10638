"""Faces: one font of a family, at one weight and slant, and what kind of letters it has."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from overpaint.document.text.sfnt import Axis, Facts, letters_of

_WEIGHTS = range(100, 1000, 100)
# Words in names say what a font is more reliably than its tables, which many leave empty.
_WORDS = {
    "mono": ("mono", "code", "courier", "consol", "typewriter", "console"),
    "sans": ("sans", "gothic", "grotesk", "grotesque", "hei", "黑"),
    "serif": ("serif", "slab", "playfair", "roman", "times", "garamond", "baskerville", "bodoni",
              "caslon", "crimson", "lora", "merriweather", "bitter", "ming", "song", "sung",
              "宋", "明"),
    "handwritten": ("hand", "script", "brush", "kai", "caveat", "kalam", "pacifico", "dancing",
                    "shadows into", "indie flower", "great vibes", "lobster", "marker", "楷", "行"),
    "display": ("anton", "oswald", "bebas", "abril", "poster", "impact", "archivo black"),
}  # fmt: skip
_SANS = ("arimo", "lato", "roboto", "inter", "montserrat", "poppins", "nunito", "raleway", "rubik",
         "quicksand", "manrope", "barlow", "archivo", "libre franklin", "carlito", "comfortaa",
         "arial", "helvetica", "verdana", "tahoma", "calibri")  # fmt: skip


@dataclass(frozen=True)
class Face:
    """One font: where its file is, what it is called, how heavy it is and whether it leans."""

    path: Path
    index: int  # in a file that holds several
    family: str
    weight: int
    italic: bool
    axes: tuple[tuple[str, float], ...] = ()  # of a variable font, where not as usual
    kind: str = ""  # serif, sans, mono, handwritten or display; "" unknown
    names: tuple[str, ...] = ()  # other names of the family and of the face

    def covers(self, words: str) -> bool:
        """Whether it has every letter of the words; white space does not count."""
        return not self.lacks(words)

    def has(self, letter: str) -> bool:
        """Whether it has a glyph for one letter or space."""
        have = letters_of(self.path, self.index)
        at = int(np.searchsorted(have, ord(letter)))
        return at < have.size and int(have[at]) == ord(letter)

    def lacks(self, words: str) -> str:
        """The letters it does not have, each once, in order."""
        asked = [letter for letter in dict.fromkeys(words) if not _empty(letter)]
        if not asked:
            return ""
        codes = np.array([ord(letter) for letter in asked], np.uint32)
        have = letters_of(self.path, self.index)
        if not have.size:
            return "".join(asked)
        at = np.minimum(np.searchsorted(have, codes), have.size - 1)
        return "".join(a for a, found in zip(asked, have[at] == codes, strict=True) if not found)


def _empty(letter: str) -> bool:
    """Whether nothing of it is drawn: spaces, controls, joiners and variation selectors."""
    return letter.isspace() or unicodedata.category(letter) in ("Cc", "Cf", "Zs") or (
        "\ufe00" <= letter <= "\ufe0f"
    )  # fmt: skip


def faces_from(path: Path, facts: Facts) -> Iterator[Face]:
    """The face a file holds, or those that its variable font can be."""
    kind = kind_of(facts)
    axes = {axis.tag: axis for axis in facts.axes}
    for slant, italic in _slants(axes, facts.italic):
        for weight, heavy in _heavy(axes.get("wght"), facts.weight):
            at = (*heavy, *slant)
            yield Face(path, facts.index, facts.family, weight, italic, at, kind, facts.names)
            if "opsz" in axes:
                # Many programs draw every size as the file's usual one: then it is a font apart.
                usual = axes["opsz"].usual
                family = f"{facts.family} {usual:g}pt"
                one = (*at, ("opsz", usual))
                yield Face(path, facts.index, family, weight, italic, one, kind)


def _heavy(axis: Axis | None, weight: int) -> list[tuple[int, tuple[tuple[str, float], ...]]]:
    if axis is None:
        return [(weight, ())]
    steps = [w for w in _WEIGHTS if axis.low <= w <= axis.high] or [round(axis.usual)]
    return [(step, (("wght", float(step)),)) for step in steps]


def _slants(
    axes: dict[str, Axis], italic: bool
) -> list[tuple[tuple[tuple[str, float], ...], bool]]:
    slants: list[tuple[tuple[tuple[str, float], ...], bool]] = [((), italic)]
    if "ital" in axes and axes["ital"].high >= 1 and not italic:
        slants.append(((("ital", 1.0),), True))
    elif "slnt" in axes and axes["slnt"].low <= -6 and not italic:
        slants.append(((("slnt", max(axes["slnt"].low, -12.0)),), True))
    return slants


def kind_of(facts: Facts) -> str:
    """serif, sans, mono, handwritten or display, by its tables and its name; "" unknown."""
    named = kind_named(facts.family)
    panose = facts.panose
    if facts.fixed or named == "mono" or (panose[0] == 2 and panose[3] == 9):
        return "mono"
    if named:
        return named
    if panose[0] in (3, 4):
        return "handwritten" if panose[0] == 3 else "display"
    if panose[0] == 2 and panose[1] > 1:
        return "sans" if panose[1] >= 11 else "serif"
    return {8: "sans", 9: "display", 10: "handwritten"}.get(
        facts.family_class, "serif" if facts.family_class in (1, 2, 3, 4, 5, 7) else ""
    )


def kind_named(family: str) -> str:
    """The kind that a name gives away, or ""."""
    name = family.casefold()
    for kind in ("mono", "handwritten", "display", "sans", "serif"):
        if any(word in name for word in _WORDS[kind]):
            return kind
    return "sans" if any(word in name for word in _SANS) else ""
