"""Refusing: what is said where nothing, or more than one thing, fits."""

from collections.abc import Sequence

from overpaint.document.where import Where, described, short
from overpaint.editors.typeset import matching
from overpaint.editors.typeset.pointing import Blank, Thing, box_of
from overpaint.editors.typeset.reading import Page
from overpaint.errors import NotThere, Refused

_LISTED = 8  # things, at most
_AROUND = 14  # letters shown on either side of words in their line


def missing(page: Page, where: Where) -> NotThere:
    """Nothing fits: the nearest text is named."""
    page.read_all()
    if not any(page.texts):
        return NotThere("No text was found in the picture.", "", "Nothing in it can be pointed at.")
    if not where.text:
        return NotThere(
            f"Nothing in the picture is {described(where)}.",
            f"Its lines are {_some(page)}.",
            "Quote the words that are meant.",
        )
    near = matching.nearest(where.text, page.texts)
    told = NotThere(
        f"“{short(where.text)}” was not found in the picture{_told(where)}.",
        f"The nearest to it is “{near}”." if near else f"Its lines are {_some(page)}.",
        "Quote the words as they stand there.",
    )
    told.sought, told.nearest = where.text, near
    return told


def unclear(page: Page, where: Where, things: Sequence[Thing]) -> Refused:
    """More than one thing fits: each is listed with its line and its place."""
    return Refused(
        f"{len(things)} things in the picture are {described(where)}: {_listed(page, things)}.",
        "One was expected.",
        "Say which: “the first”, “the second”, “the last”, “every”.",
    )


def no_such(page: Page, where: Where, things: Sequence[Thing]) -> Refused:
    """Fewer things fit than were counted."""
    told = described(where)
    return Refused(
        f"{told[0].upper()}{told[1:]} is not in the picture.",
        f"What fits without its number: {_listed(page, things)}.",
        f"Say a number from 1 to {len(things)}, or “the last”.",
    )


def _told(where: Where) -> str:
    rest = (where.row or where.column, where.place, where.of)
    return f" where it was said to be ({described(where)})" if any(rest) else ""


def _some(page: Page) -> str:
    said = [text for text in page.texts if text]
    more = f" and {len(said) - 3} more" if len(said) > 3 else ""
    return ", ".join(f"“{short(text)}”" for text in said[:3]) + more


def _listed(page: Page, things: Sequence[Thing]) -> str:
    told = [f"{n}: {_shown(page, thing)}" for n, thing in enumerate(things[:_LISTED], 1)]
    more = [f"and {len(things) - _LISTED} more"] if len(things) > _LISTED else []
    return "; ".join([*told, *more])


def _shown(page: Page, thing: Thing) -> str:
    place = where_on(page, thing)
    if isinstance(thing, Blank):
        return f"an empty cell, {place}"
    line, start, end = thing.parts[0]
    text = page.text(line)
    before = text[max(0, start - _AROUND) : start]
    after = text[end : end + _AROUND]
    cut_left, cut_right = start > _AROUND, end + _AROUND < len(text)
    words = f"{before}{short(text[start:end])}{after}".strip()
    return f"“{'…' * cut_left}{words}{'…' * cut_right}” in line {line + 1}, {place}"


def where_on(page: Page, thing: Thing) -> str:
    """The part of the picture a thing is in, in words."""
    left, top, right, bottom = box_of(page, thing)
    height, width = page.pixels.shape[:2]
    across = ("left", "", "right")[min(2, int(3 * (left + right) / 2 / width))]
    down = ("top", "", "bottom")[min(2, int(3 * (top + bottom) / 2 / height))]
    return " ".join(filter(None, (down, across))) or "centre"
