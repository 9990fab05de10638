"""Captions: what a scene shows, in at most twenty words."""

from collections.abc import Iterable, Sequence

from overpaint.engines.scenes.sheet import Piece

NUMBERS = ("no", "a person", "two people", "three people", "four people")
LONGEST = 20


def caption(pieces: Sequence[Piece], words: str, style: str) -> str:
    """A true sentence about the things, where they are, and the hour; shorter if it must be."""
    tellings = [(words, True, False), (words, False, False), (_short(words), False, True)]
    told = ""
    for where, dressed, brief in tellings:
        told = _told(pieces, where, dressed=dressed, brief=brief)
        told += ", at night" if style == "night" else ""
        if len(told.split()) <= LONGEST:
            break
    return told[0].upper() + told[1:] + "."


def _told(pieces: Sequence[Piece], words: str, *, dressed: bool, brief: bool) -> str:
    """People by their clothes where they are `dressed`; the sky and the sea in a word if brief."""
    floor = _named((piece for piece in pieces if piece.site not in ("air", "water")), dressed)
    parts = [f"{listed(floor)} {words}"] if floor else []
    afloat = _named((piece for piece in pieces if piece.site == "water"), dressed)
    if afloat:
        parts.append(f"{listed(afloat)} {'offshore' if brief else 'in the sea'}")
    flying = _named((piece for piece in pieces if piece.site == "air"), dressed)
    if flying:
        above = "above" if brief else "in the sky"
        parts.append(f"{listed(flying)} {above if parts else 'over ' + _bare(words)}")
    return ", ".join(parts) or _bare(words)  # an empty place


def _short(words: str) -> str:
    """Its first three words: "on a beach by the sea" is "on a beach"."""
    return words if words.startswith("before") else " ".join(words.split()[:3])


def _bare(words: str) -> str:
    """Without its first word: "on a beach" is "a beach"."""
    return words.split(" ", 1)[1]


def _named(pieces: Iterable[Piece], dressed: bool) -> list[str]:
    """People first, by their clothes if there is one and there is room for it."""
    given = list(pieces)
    people = [piece.look.name for piece in given if piece.sprite.joints is not None]
    others = [piece.look.name for piece in given if piece.sprite.joints is None]
    if len(people) == 1 and dressed:
        return people + others
    return ([NUMBERS[len(people)]] if people else []) + others


def listed(names: Sequence[str]) -> str:
    """ "a, b and c"."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
