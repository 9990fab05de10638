"""Locate: what a `Where` points at in a flat picture, down to the ink of its words.

Quoted words are looked for first as they are quoted, then with less and less care for case,
width, spaces and marks, then with a reader's slips. All else that was said (a role, a place, a
side, a row of a table) chooses among what was found, and whatever is unclear is refused with a
list of what there is.
"""

from dataclasses import replace

import numpy as np

from overpaint.document.where import WORDLESS, Where, described
from overpaint.editors.typeset import matching, pointing
from overpaint.editors.typeset.flow import ways_on
from overpaint.editors.typeset.matching import Match, Part
from overpaint.editors.typeset.pointing import Blank, Thing
from overpaint.editors.typeset.reading import Page, read_page, turn_back
from overpaint.editors.typeset.refusing import missing, no_such, unclear
from overpaint.editors.typeset.roles import of_role
from overpaint.editors.typeset.room import room_of
from overpaint.editors.typeset.spots import Found, Spot, angle_of, cut
from overpaint.errors import Refused
from overpaint.vision.joining import unspaced
from overpaint.vision.page import Box, Line

__all__ = ["Found", "Page", "Spot", "find", "read_page"]

# Of these the whole is meant, though only some of its words are quoted.
_CONTAINERS = ("paragraph", "list", "table", "row", "column", "cell")
_FULL_STOPS = tuple(".!?。！？")
_AROUND = ("line", "sentence")  # and of these, unless more is quoted than one of them


def find(page: Page, where: Where) -> tuple[Found, ...]:
    """The one thing pointed at, or all where `every` says so; `Refused` where that is unclear."""
    where = _named(where)
    things = _fitting(page, where)
    if not things and where.text and (turned := _on_turned(page, where)):
        return turned
    if not things:
        raise missing(page, where)
    return tuple(found(page, thing) for thing in _meant(page, things, where))


def _meant(page: Page, things: list[Thing], where: Where) -> list[Thing]:
    """Which of several things is meant: the one that is counted, the nearest, or all."""
    if where.every:
        return things
    if where.nth:
        at = where.nth - 1 if where.nth > 0 else where.nth
        if not -len(things) <= at < len(things):
            raise no_such(page, where, things)
        return [things[at]]
    nearest = bool(where.of and where.side and where.side not in ("inside", "at"))
    if len(things) > 1 and not nearest:
        raise unclear(page, where, things)
    return things[:1]


# ── what fits ───────────────────────────────────────────────────────────────────────────


def _fitting(page: Page, where: Where) -> list[Thing]:
    """All that fits, from the top; where something is on a side of another, the nearest first."""
    if where.role in WORDLESS and not where.text:
        raise Refused(
            f"A flat picture has no {where.role} to take hold of, only words.",
            f"Asked for was {described(where)}.",
            "Give a file with layers, or quote words that stand in the picture.",
        )
    of = _single(page, where.of) if where.of else None
    domain = of.parts if of and where.side in ("inside", "at") else None
    things = _candidates(page, where, domain)
    if where.place:
        # Quoted words that stand but once are meant, wherever "the top" is said to end; not so
        # those in the other column.
        near = pointing.at_place(page, things, where.place)
        vague = where.text and len(things) == 1 and where.place not in ("left", "right")
        things = near or (things if vague else [])
    if of and where.side and domain is None:
        return pointing.on_side(page, things, where.side, of)
    return sorted(things, key=lambda thing: _order(page, thing))


def _order(page: Page, thing: Thing) -> tuple[float, ...]:
    if isinstance(thing, Match):
        return thing.parts[0]
    left, top, _, bottom = thing.room
    middles = (page.boxes[:, 1] + page.boxes[:, 3]) / 2
    return (float((middles < (top + bottom) / 2).sum()), left)


def _single(page: Page, where: Where) -> Match:
    """The one thing that something else is said to stand by."""
    things = [t for t in _fitting(page, where) if isinstance(t, Match)]
    if not things:
        raise missing(page, where)
    (only, *_) = _meant(page, list(things), where)
    assert isinstance(only, Match)
    return only


def _candidates(page: Page, where: Where, domain: tuple[Part, ...] | None) -> list[Thing]:
    if where.row or where.column or where.role in ("row", "column", "cell"):
        return _in_table(page, where)
    if not where.text:
        return list(of_role(page, where.role or "text", domain))
    found = quoted(page, where.text)
    if domain is not None:
        found = [match for match in found if match.meets(domain)]
    if not where.role:
        return list(found)
    if where.role in _AROUND:
        return _around(page, where, found, domain)
    holders = of_role(page, where.role, domain) if found and _holds(where, found) else []
    if where.role in _CONTAINERS:
        return [h for h in holders if any(m.meets(h.parts) for m in found)] or list(found)
    # A role beside quoted words only helps to choose among several places.
    return [m for m in found if any(m.meets(h.parts) for h in holders)] or list(found)


def _around(
    page: Page, where: Where, found: list[Match], domain: tuple[Part, ...] | None
) -> list[Thing]:
    """The lines or sentences that have the quoted words in them; those that are quoted whole."""
    if where.role == "sentence" and where.text.rstrip("”\"'）)")[-1:] in _FULL_STOPS:
        return list(found)
    holders = of_role(page, where.role, domain) if found else []
    kept: list[Thing] = []
    for match in found:
        whole = [h for h in holders if all(_within(part, h.parts) for part in match.parts)]
        kept += [one for one in whole[:1] or [match] if one not in kept]
    return kept


def _within(part: Part, parts: tuple[Part, ...]) -> bool:
    line, start, end = part
    return any(line == n and a <= start and end <= b for n, a, b in parts)


def _holds(where: Where, found: list[Match]) -> bool:
    return where.role in _CONTAINERS or len(found) > 1


def _in_table(page: Page, where: Where) -> list[Thing]:
    """Words in a row or column, the cell where both meet, or the whole of one."""
    page.read_all()
    things = pointing.in_table(page, where) or pointing.beside(page, where, quoted)
    if not where.text:
        return things
    found = quoted(page, where.text)
    cells = [thing for thing in things if isinstance(thing, Match)]
    return [match for match in found if any(match.meets(cell.parts) for cell in cells)]


def _named(where: Where) -> Where:
    """A whole row or column told by its number or by words in it, as one told by its name."""
    if where.row or where.column or where.role not in ("row", "column"):
        return where
    name = where.text or str(where.nth or 1)
    if where.role == "row":
        return replace(where, row=name, text="", nth=0)
    return replace(where, column=name, text="", nth=0)


# ── quoted words ────────────────────────────────────────────────────────────────────────


def quoted(page: Page, words: str) -> list[Match]:
    """Where quoted words stand: lines are read at a glance, and with care where they may be."""
    follows = ways_on(page.boxes, page.rules[1])
    narrow, cutoff = _hurry(words)
    page.glance(range(len(page)), narrow)
    length = len(matching.fold(words))
    if narrow > 1:
        texts = page.texts
        paths = matching.paths_of(follows, texts, length)
        page.glance(matching.promising(words, texts, paths, cutoff=cutoff), 1.0)
    texts = page.texts
    found = matching.find_words(words, texts, matching.paths_of(follows, texts, length))
    if found:
        for number in {part[0] for match in found for part in match.parts}:
            page.reading(number)
        return found if page.texts == texts else quoted(page, words)
    page.read_all()
    paths = matching.paths_of(follows, page.texts, length)
    found = matching.find_words(words, page.texts, paths)
    return found or matching.find_alike(words, page.texts, paths)


def _hurry(words: str) -> tuple[float, float]:
    """How narrow letters may be at a glance, and how alike (of 100) makes a second look worth it.

    The fewer letters are looked for, the fewer may be misread. A Chinese letter is wide enough to
    be halved; Latin ones may be narrowed by a third.
    """
    said = matching.fold(words)
    if any(map(unspaced, said)):
        return (2.0, 45.0) if len(said) > 1 else (1.5, 90.0)
    if len(said) > 14:
        return (1.8, 58.0)
    return (1.5, 60.0) if len(said) > 7 else (1.3, 60.0) if len(said) > 4 else (1.0, 0.0)


def _on_turned(page: Page, where: Where) -> tuple[Found, ...]:
    """The same on the picture turned by a quarter either way: readers miss words that stand so."""
    for quarters in (1, 3):
        turned = page.turned(quarters)
        if len(turned) and (things := list(quoted(turned, where.text))):
            kept = _meant(turned, list(things), where)
            return tuple(_turned_back(found(turned, one), quarters, page) for one in kept)
    return ()


def _turned_back(one: Found, quarters: int, page: Page) -> Found:
    return Found(tuple(_spot_back(spot, quarters, page.pixels.shape) for spot in one.spots))


def _spot_back(spot: Spot, quarters: int, shape: tuple[int, ...]) -> Spot:
    from overpaint.editors.typeset.plane import corners_of

    quad = turn_back(np.array(spot.quad or corners_of(spot.box)), quarters, shape)

    def back(box: Box) -> Box:
        points = turn_back(np.array(corners_of(box)), quarters, shape)
        (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
        return (float(left), float(top), float(right), float(bottom))

    corners = tuple((float(x), float(y)) for x, y in quad)
    return replace(
        spot,
        box=back(spot.box),
        line=replace(spot.line, box=back(spot.line.box)),
        room=back(spot.room),
        angle=angle_of(corners),
        quad=corners,
    )


# ── from letters to ink ─────────────────────────────────────────────────────────────────


def found(page: Page, thing: Thing) -> Found:
    """A thing as spots, cut out of its lines; an empty cell as a spot without words."""
    if isinstance(thing, Blank):
        return Found((_empty(thing),))
    return Found(tuple(spot(page, *part, likeness=thing.likeness) for part in thing.parts))


def _empty(blank: Blank) -> Spot:
    left, _, right, _ = blank.room
    middle = (left + right) / 2
    box = (middle, blank.middle - blank.high / 2, middle, blank.middle + blank.high / 2)
    return Spot(box, "", Line(box, ""), 0, 0, room=blank.room)


def spot(page: Page, number: int, start: int, end: int, *, likeness: float = 1.0) -> Spot:
    """Some letters of a line with their box and what stands around them."""
    line, reading = page.line(number), page.reading(number)
    box, quad = cut(page, number, start, end)
    if quad is None:
        line = replace(line, box=cut(page, number, 0, len(line.text))[0])
    return Spot(
        box=box,
        words=line.text[start:end],
        line=line,
        start=start,
        end=end,
        room=room_of(page, number, line.box),
        angle=angle_of(quad) if quad else 0.0,
        quad=quad,
        down=reading.way == "column",
        likeness=likeness,
    )
