"""Fonts: those that can be used here, and the one for words in a style, or what stands for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from pathlib import Path

from overpaint.document.layers import Style
from overpaint.document.text.faces import Face, kind_named
from overpaint.document.text.index import FONTS_SETTING, font_files, read_fonts
from overpaint.document.text.naming import SUBSTITUTES, USUAL, parts, plain
from overpaint.errors import Unavailable

__all__ = ["Face", "Found", "Library", "damaged", "forced", "here", "instead", "nowhere"]

_BOLD = 600  # from here on a weight looks bold
# How much strokes grow for each unit of weight that a family does not have, in sizes.
_SWELL = {"sans": 0.022 / 300, "serif": 0.024 / 300}
_NAMED = 20  # letters in a note
_LONGEST_NAME = 100  # letters of a missing font that a note says
_MOST_FOUND = 10_000
_LEAN = 0.2126  # of a slanted face: 12°, as far to the right for each pixel up


@dataclass(frozen=True)
class Found:
    """The face for some words, what had to be replaced, and what has to be made by force."""

    face: Face
    note: str = ""
    swell: float = 0.0  # strokes grow by this much on either side, in sizes: forced bold
    lean: float = 0.0  # to the right for each pixel up: forced italic


@dataclass(frozen=True)
class Library:
    """Faces to choose from; of two with one name, weight and slant the first counts."""

    faces: tuple[Face, ...]

    def without(self, *families: str) -> "Library":
        """The same library without these families; `ZCOOL*` stands for all that begin so."""
        gone = [plain(family) for family in families]
        return Library(
            tuple(f for f in self.faces if not any(fnmatchcase(plain(f.family), g) for g in gone))
        )

    def families(self) -> tuple[str, ...]:
        """The names of the families, in order."""
        return tuple(sorted({face.family for face in self.faces}))

    def family(self, name: str) -> tuple[Face, ...]:
        """The faces of a family, under any name it has; none where it is not here."""
        return self._by_name.get(plain(name), ())

    def find(self, style: Style, words: str) -> Found:
        """The face for these words; where it is not the one asked for, a note says so."""
        asked = (style.family, style.weight, style.italic, words)
        if asked not in self._found:
            if len(self._found) >= _MOST_FOUND:
                self._found.clear()
            self._found[asked] = self._search(style, words)
        return self._found[asked]

    # ── how it is found ─────────────────────────────────────────────────────────────────

    @cached_property
    def _by_name(self) -> dict[str, tuple[Face, ...]]:
        found: dict[str, dict[tuple[int, bool], Face]] = {}
        for face in self.faces:
            found.setdefault(plain(face.family), {}).setdefault((face.weight, face.italic), face)
        families = {name: tuple(faces.values()) for name, faces in found.items()}
        for face in self.faces:
            for other in face.names:
                families.setdefault(plain(other), families[plain(face.family)])
        return families

    @cached_property
    def _found(self) -> dict[tuple[str, int, bool, str], Found]:
        return {}

    def _search(self, style: Style, words: str) -> Found:
        name = parts(style.family)
        weight = name.weight if name.weight and style.weight == 400 else style.weight
        italic = style.italic or name.italic
        best, score = None, (len(words) + 1, False)
        for faces, note in self._offers(style.family, name.family):
            face = min(faces, key=lambda face: _distance(face, weight, italic))
            made = _made(face, note, weight, italic)
            # The family asked for is taken by force; another only where none has the weight.
            forced = bool(note and (made.swell or made.lean))
            if (now := (len(face.lacks(words)), forced)) < score:
                best, score = made, now
            if score == (0, False):
                break
        if best is None:
            raise Unavailable(
                "There is no font on this machine.",
                "The fonts that come with Overpaint were expected.",
                f"Install Overpaint again, or name a folder of fonts in {FONTS_SETTING}.",
            )
        return _explained(best, self.family(style.family) or self.family(name.family), words)

    def _offers(self, full: str, family: str) -> Iterator[tuple[tuple[Face, ...], str]]:
        """Families that may serve, best first, each with what is to be said of it."""
        own = self.family(full) or self.family(family)
        if own:
            yield own, ""
        called = full if len(full) <= _LONGEST_NAME else f"{full[:_LONGEST_NAME]}…"
        missing = "" if own or not full else f"{called} is not on this machine; "
        kind = own[0].kind if own else kind_named(family)
        near = (*SUBSTITUTES.get(plain(family), ()), *USUAL.get(kind or "sans", ()))
        rest = (face.family for face in self.faces if face.kind == kind)
        every = (face.family for face in self.faces)
        for other in dict.fromkeys((*near, *rest, *every)):
            if faces := self.family(other):
                yield faces, missing and f"{missing}{faces[0].family} is used"


@lru_cache(maxsize=4)
def _library(files: tuple[Path, ...]) -> tuple[Library, tuple[tuple[Path, str], ...]]:
    faces, wrong = read_fonts(files)
    return Library(faces), wrong


@lru_cache(maxsize=1)
def _files() -> tuple[Path, ...]:
    return font_files()


def here() -> Library:
    """The fonts of OVERPAINT_FONTS, of the install and of the machine, looked for once."""
    return _library(_files())[0]


def damaged() -> tuple[tuple[Path, str], ...]:
    """Font files that are not used, each with what is wrong with it."""
    return _library(_files())[1]


def _distance(face: Face, weight: int, italic: bool) -> tuple[bool, float]:
    """How far a face is from what is asked; of two as far, the heavier for bold words."""
    off = abs(face.weight - weight)
    return face.italic != italic, off - (0.5 if (face.weight > weight) == (weight > 500) else 0)


def _made(face: Face, note: str, weight: int, italic: bool) -> Found:
    lacking = weight - face.weight if weight >= _BOLD > face.weight else 0
    swell = round(_SWELL.get(face.kind, _SWELL["sans"]) * lacking, 4)
    return Found(face, note, swell, _LEAN if italic and not face.italic else 0.0)


def _explained(found: Found, own: tuple[Face, ...], words: str) -> Found:
    """The same with a note that names all that is not as asked."""
    face, notes = found.face, [found.note] if found.note else []
    if own and plain(own[0].family) != plain(face.family):
        notes.append(instead(own[0], face, own[0].lacks(words)))
    notes.extend(forced(found))
    if lacks := face.lacks(words):
        notes.append(nowhere(lacks))
    return Found(face, "; ".join(notes), found.swell, found.lean)


def instead(own: Face, other: Face, letters: str) -> str:
    """The note on letters that one face does not have and another gives."""
    return f"{own.family} has no {_some(letters)}; {other.family} is used for them"


def forced(found: Found) -> list[str]:
    """Notes on what a family does not have and is made to look like."""
    family = found.face.family
    return [f"{family} has no bold; its strokes are thickened"] * bool(found.swell) + [
        f"{family} has no italic; it is slanted"
    ] * bool(found.lean)


def nowhere(letters: str) -> str:
    """The note on letters that cannot be drawn."""
    return f"no font here has {_some(letters)}"


def _some(letters: str) -> str:
    return letters if len(letters) <= _NAMED else letters[:_NAMED] + "…"
