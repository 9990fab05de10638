"""Dressing: the face each letter of a text is set in, and what had to be replaced for it."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace

from overpaint.document.layers import Glyph, Run, Style, Text
from overpaint.document.text.drawing import FINE
from overpaint.document.text.fonts import Face, Found, Library, forced, instead, nowhere

_LEAST = 0.5  # pixels of the sheet: smaller letters are not drawn
# Scripts whose letters are joined or reordered: they are drawn as whole words, never spaced.
_JOINED = (("\u0600", "\u08ff"), ("\u0900", "\u109f"), ("\u1780", "\u18af"), ("\ufb50", "\ufefc"))


@dataclass(frozen=True)
class Dress:
    """How letters are drawn: a face, the style with what is forced in it, and a lean."""

    face: Face
    style: Style
    lean: float = 0.0


@dataclass(frozen=True)
class Letter:
    """One letter, its dress or the picture it was cut from, and the run it is of."""

    sign: str
    dress: Dress
    run: int
    glyph: Glyph | None = None
    gone: bool = False  # no font here has it


def dressed(text: Text, library: Library) -> tuple[list[Letter], tuple[str, ...]]:
    """Every letter of the text with its dress, and notes on fonts that were replaced."""
    letters: list[Letter] = []
    notes: dict[str, None] = {}
    for number, run in enumerate(text.runs):
        if not run.style.size >= (_LEAST if run.style.edges == "hinted" else _LEAST / FINE):
            continue  # nobody could see it, and no font is drawn so small
        letters.extend(_run(run, number, text.glyphs or {}, library, notes))
    return letters, tuple(notes)


def _run(
    run: Run, number: int, glyphs: Mapping[str, Glyph], library: Library, notes: dict[str, None]
) -> list[Letter]:
    words = run.words.replace("\r\n", "\n").replace("\r", "\n")
    asked = "".join(dict.fromkeys(sign for sign in words if sign not in glyphs))
    finds = _finds(run.style, asked, library, notes)
    dresses = [_fitted(found, run.style) for found in finds]
    letters: list[Letter] = []
    chosen: dict[str, int | None] = {}
    for sign in words:
        if letters and unicodedata.category(sign)[0] == "M" and not letters[-1].gone:
            # A mark stays with its letter, whose face is asked first.
            letters.append(replace(letters[-1], sign=sign, glyph=None))
            continue
        if sign not in chosen:
            chosen[sign] = next((i for i, f in enumerate(finds) if f.face.covers(sign)), None)
        at = chosen[sign]
        glyph = glyphs.get(sign)
        dress = dresses[at or 0]
        letters.append(
            Letter(sign, _whole(dress, sign), number, glyph, at is None and glyph is None)
        )
    return letters


def _finds(style: Style, words: str, library: Library, notes: dict[str, None]) -> list[Found]:
    """The face of the style, one for what it lacks, then one for each letter still lacking."""
    own = library.find(style, "")
    notes.update(dict.fromkeys([own.note] if own.note else []))
    # What a private letter looks like is known to its own font alone.
    private = {sign for sign in words if unicodedata.category(sign) == "Co"}
    lacking = own.face.lacks(words)
    finds, wanted = [own], "".join(sign for sign in lacking if sign not in private)
    while wanted:
        found = library.find(style, wanted)
        still = found.face.lacks(wanted)
        if still == wanted:
            break  # the best of all faces has none of them
        finds.append(found)
        given = "".join(sign for sign in wanted if sign not in still)
        notes.update(dict.fromkeys([instead(own.face, found.face, given), *forced(found)]))
        wanted = still
    gone = wanted + "".join(sign for sign in lacking if sign in private)
    notes.update(dict.fromkeys([nowhere(gone)] if gone else []))
    return finds


def _fitted(found: Found, style: Style) -> Dress:
    if not found.swell:
        return Dress(found.face, style, found.lean)
    # At least one dot of the fine sheet, and whole ones, as strokes are drawn there.
    dots = max(1, round(found.swell * style.size * FINE))
    swell = style.swell + dots / (FINE * style.size)
    return Dress(found.face, replace(style, swell=swell), found.lean)


def _whole(dress: Dress, sign: str) -> Dress:
    """The same without spacing where letters must not be parted."""
    if not any(first <= sign <= last for first, last in _JOINED):
        return dress
    plain = replace(dress.style, spacing=0.0)
    if plain.edges == "plain":
        plain = replace(plain, edges="fine")
    return replace(dress, style=plain)
