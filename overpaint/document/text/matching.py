"""Matching: the font of a line in a picture, found by drawing the line in every font there is."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from overpaint.document.layers import Style
from overpaint.document.text.fonts import Face, Library
from overpaint.document.text.laying import Laid, lay, nudge, place
from overpaint.document.text.naming import native, variant
from overpaint.document.text.plainest import fitting, gridded, plainest
from overpaint.document.text.seen import Cover, Seen, look
from overpaint.document.text.settling import Settled, refine, settle_style
from overpaint.document.text.softness import as_soft
from overpaint.document.text.trial import Trial, settle
from overpaint.document.text.units import alphabet
from overpaint.errors import Refused

# How many faces are moved by whole pixels, by one step and by several, where lines are long;
# short words are like more fonts, and sooner tried.
_LAID, _NUDGED, _STEPPED = 70, 24, 8
_SHORT = 16  # letters
_SURE = 0.9985  # a line as like as this is in that font
# So many faces are first tried as they are, a few at once; one that is so like, and explains the
# line so many times better than any other family, is taken without further trials.
_FIRST, _FEW, _PLAINLY, _ALONE = 7, 4, 0.98, 4.0
_FITS = 0.003  # in sizes: strokes that are this near need no other weight
_LETTERS = 26  # so many tell fonts apart; more would only take longer
_LIKELY = 6  # faces that are drawn to the pixel
_WELL = 0.012  # of the line unexplained: a plain style that fits so well is taken
_BENT = 2.5  # what is bent to fit must leave so much less of the line unexplained
# Where no plain style is as like as this, the font is not here: then the likest will do, bent or
# not, as it only tells where letters are and what those that the page lacks are to look like.
_UNKNOWN, _BENT_UNKNOWN = 0.9, 1.2
_POORLY, _SMALL = 0.06, 24  # a small line, in pixels, that is so ill explained may be hinted
# A font as like as this is the right one; where the next family explains so much less, as this.
_EXACT, _CLEAR, _APART = 0.985, 0.93, 1.8
# Of Chinese fonts there are few, and those of one design go by several names: none is apart. On
# pages whose font was taken away the nearest was .86 alike at most.
_HAN = 0.93
_SLIGHT = "。，、：；.,:;"


def able(library: Library, words: str) -> list[Face]:
    """The faces that have all the letters."""
    groups: dict[tuple[Path, int], list[Face]] = {}
    for face in library.faces:
        groups.setdefault((face.path, face.index), []).append(face)
    chosen = [face for faces in groups.values() if faces[0].covers(words) for face in faces]
    if han(words):
        return _of_language(chosen, words) if variant(words) else chosen
    # A file with a face for each Chinese script has the same Latin letters in all of them.
    return list({(face.path, face.kind, face.axes): face for face in reversed(chosen)}.values())


def _of_language(faces: list[Face], words: str) -> list[Face]:
    """The faces without those of families that have a variant for the language of the words."""
    here = {face.family for face in faces}
    others = {family for family in here if native(family, words) in here - {family}}
    return [face for face in faces if face.family not in others]


def usual(faces: Iterable[Face]) -> list[Face]:
    """Of each family and slant a regular and a bold face."""
    groups: dict[tuple[str, bool], list[Face]] = {}
    for face in faces:
        groups.setdefault((face.family, face.italic), []).append(face)
    both = [
        min(kin, key=lambda face: abs(face.weight - weight))
        for kin in groups.values()
        for weight in (400, 700)
    ]
    return list(dict.fromkeys(both))


def han(words: str) -> bool:
    """Whether there are Chinese, Japanese or Korean letters."""
    return any("\u2e80" <= letter <= "\uffef" for letter in words)


def laid_on(seen: Seen, faces: Iterable[Face]) -> list[Laid]:
    """The faces laid on the line by their measures, the best first."""
    return sorted((one for face in faces for one in lay(face, seen)), key=lambda one: one[0])


def best_faces(seen: Seen, laid: list[Laid]) -> list[Trial]:
    """The likeliest faces, each moved to where it lies best on the line, best first."""
    more = max(1.0, _SHORT / len(seen.text)) if seen.text else 1.0
    most = [min(round(count * more), 3 * count) for count in (_LAID, _NUDGED, _STEPPED)]
    nudged = [nudge(place(trial, seen), seen) for _, trial in laid[: most[0]]]
    nudged.sort(key=lambda trial: -trial.likeness)
    stepped = _each(settle(trial, seen, (1.0,)) for trial in nudged[: most[1]])
    return _each(settle(trial, seen) for trial in stepped[: most[2]])


def _each(trials: Iterable[Trial]) -> list[Trial]:
    """The best trial of each face, best first."""
    best: dict[Face, Trial] = {}
    for trial in sorted(trials, key=lambda trial: -trial.likeness):
        best.setdefault(trial.face, trial)
    return list(best.values())


@dataclass(frozen=True)
class Match:
    """The font of a line: its face and style, the pen's place in the crop, and how sure it is."""

    face: Face
    style: Style
    left: float
    baseline: float
    likeness: float  # the correlation of the line with the same line drawn so, 0–1
    exact: bool  # so like that it must be this font
    ranked: tuple[tuple[str, float], ...]  # the best families and how like they are


def match(cover: Cover, words: str, library: Library) -> Match:
    """The font of the one line of words that covers the picture so far, 0–1."""
    found = _match(cover, words, library)
    bare = words.rstrip(_SLIGHT)
    if found.exact or not han(words) or bare in ("", words):
        return found
    # A sign at the end, in a square of its own, is soon lost on a photograph, and with it the size.
    other = _match(cover, bare, library)
    return other if other.likeness > found.likeness else found


def _match(cover: Cover, words: str, library: Library) -> Match:
    seen = look(cover, words)
    if seen is None:
        raise Refused(
            f"There is no ink where {words!r} could be.",
            "A line of dark letters on light paper, or light ones on dark, was expected.",
            "Name words that are on the picture.",
        )
    faces = able(library, words)
    if not faces:
        raise Refused(
            f"No font on this machine has all letters of {words!r}.",
            "A line that is set in one font was expected.",
        )
    small = seen.shrunk()
    part = small.part(_LETTERS)
    laid = laid_on(part, faces)
    common = usual(faces)
    usually = set(common)
    likely = [one for one in laid if one[1].face in usually]
    # Chinese letters are as wide in every font: measures tell none of them apart.
    plain = [] if han(words) else _at_once([*_first(likely), *_first(laid)], seen)
    bent: list[Settled] = []
    if not _plainly(plain):
        weighed, known = _likely(best_faces(part, likely)[:_LIKELY], part, library)
        # What fits by its measures alone is no likeness of letters that are not here.
        sure = [one for one in plain if one.likeness > _CLEAR]
        plain = _plain(sure, known, common, seen, library)
        bent = _bent(weighed, small, seen, plain[0].error if plain else 1.0)
    families = sorted([*plain, *bent], key=lambda one: one.error)
    best = _best(plain, bent)
    ranked: dict[str, float] = {}
    for one in families:
        ranked.setdefault(one.face.family, one.likeness)
    exact = _sure(best, families, words, common=best.face in usually)
    if not exact:
        best = _native(as_soft(best, seen), words, library)
    return Match(
        best.face, best.style, best.left, best.baseline, best.likeness, exact,
        tuple(ranked.items()),
    )  # fmt: skip


def _best(plain: list[Settled], bent: list[Settled]) -> Settled:
    """The best, where what is bent must be better by more the likelier it is that none need be."""
    unknown = not plain or plain[0].likeness < _UNKNOWN
    worse = _BENT_UNKNOWN if unknown else _BENT
    return min([*plain[:1], *bent], key=lambda one: one.error * (1.0 if one in plain else worse))


def _native(best: Settled, words: str, library: Library) -> Settled:
    """The same in the variant of its words' language: it was only nearest, perhaps by chance."""
    family = native(best.face.family, words) if han(words) else best.face.family
    kin = [f for f in library.family(family) if f.weight == best.face.weight]
    if family == best.face.family or not kin:
        return best
    return replace(best, face=kin[0], style=replace(best.style, family=family))


def _first(laid: list[Laid]) -> list[Face]:
    """The faces whose measures are most like those of the line."""
    return list(dict.fromkeys(trial.face for _, trial in laid[: 3 * _FIRST]))[:_FIRST]


def _at_once(likely: list[Face], seen: Seen) -> list[Settled]:
    """The likely faces as plain styles, best first, as far as one that must be it."""
    plain: list[Settled] = []
    faces = list(dict.fromkeys(likely))
    for start in range(0, len(faces), _FEW):
        more = plainest(faces[start : start + _FEW], seen)
        plain = sorted([*plain, *more], key=lambda one: one.error)
        if plain and plain[0].likeness > _SURE:
            break
    return plain


def _plainly(plain: list[Settled]) -> bool:
    """Whether the best is so like the line, and the next family so unlike, that it must be it."""
    if not plain or plain[0].likeness < _PLAINLY:
        return False
    return plain[0].likeness > _SURE or _apart(plain[0], plain) > _ALONE


def _apart(best: Settled, tried: list[Settled]) -> float:
    """How many times more of the line the next family leaves unexplained."""
    others = [one.error for one in tried if one.face.family != best.face.family]
    return min(others, default=0.0) / max(best.error, 1e-9)


def _likely(trials: list[Trial], part: Seen, library: Library) -> tuple[list[Trial], list[Face]]:
    """The trials in their best weights, one for each family, and every face among them."""
    weighed = [_weigh(trial, part, library) for trial in trials]
    known = dict.fromkeys(trial.face for trial in (*weighed, *trials))
    return _families(_each(weighed)), list(known)


def _plain(
    plain: list[Settled], known: list[Face], faces: list[Face], seen: Seen, library: Library
) -> list[Settled]:
    """More faces as plain styles, and more yet where none explains the line; best first."""
    tried = {one.face for one in plain}

    def add(more: Iterable[Face]) -> None:
        new = [face for face in more if face not in tried]
        tried.update(new)
        plain.extend(plainest(new, seen))
        plain.sort(key=lambda one: one.error)

    add(known)
    if not plain or plain[0].error > _WELL:
        add(fitting(faces, seen))
    if plain and plain[0].error > _WELL:
        best = plain[0].face
        add(f for f in library.family(best.family) if f.italic == best.italic)
    if (not plain or plain[0].error > _POORLY) and seen.high < _SMALL:
        plain.extend(gridded(faces, seen))
    return sorted(plain, key=lambda one: one.error)


def _sure(best: Settled, tried: list[Settled], words: str, *, common: bool) -> bool:
    """Whether it must be this font: very like, or much more so than the next family.

    Of other families only the usual weights were tried: an unusual one is apart from them anyhow.
    """
    if han(words):
        return best.likeness > _HAN
    clear = common and _apart(best, tried) > _APART
    return best.likeness > (_CLEAR if clear else _EXACT)


def _bent(likely: list[Trial], small: Seen, seen: Seen, error: float) -> list[Settled]:
    """The likeliest faces with whatever it takes to lie on the line, where none fits plainly."""
    if error < _WELL:
        return []
    settled: list[Settled] = []
    for trial in likely[:3]:
        settled.append(settle_style(_whole(trial, small), small, seen))
        if settled[-1].likeness > _SURE:
            break
    return [refine(one, seen) for one in sorted(settled, key=lambda one: one.error)[:1]]


def _whole(trial: Trial, seen: Seen) -> Trial:
    """A trial on a part of the line, laid on all of it."""
    if trial.text == seen.text:
        return trial
    longer = replace(trial, text=seen.text)
    ways = (longer, place(replace(longer, left=0.0), seen))
    best = max((nudge(way, seen) for way in ways), key=lambda trial: trial.likeness)
    return settle(best, seen, (1.0, 0.5))


def _families(trials: list[Trial]) -> list[Trial]:
    return list({(t.face.family, t.face.italic): t for t in reversed(trials)}.values())[::-1]


def _weigh(trial: Trial, seen: Seen, library: Library) -> Trial:
    """The trial in the weight of its family that is most like the line."""
    face = trial.face
    if abs(trial.swell) < _FITS:
        return trial
    kin = [f for f in library.family(face.family) if f.italic == face.italic]
    heavier = trial.swell > 0
    kin = [f for f in kin if f.weight != face.weight and (f.weight > face.weight) == heavier]
    for other in sorted(kin, key=lambda f: abs(f.weight - face.weight)):
        letters = alphabet(other, trial.size / seen.factor)
        moved = settle(replace(trial, letters=letters, swell=0.0), seen)
        if moved.likeness <= trial.likeness:
            break
        trial = moved
    return trial
