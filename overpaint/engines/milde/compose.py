"""Composing: a plan and a change become the parts of the source and of the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from overpaint.document import Document
from overpaint.engines.milde.content import BADGE
from overpaint.engines.milde.edits import Change
from overpaint.engines.milde.grounds import SCENES
from overpaint.engines.milde.layout import (
    Lean,
    Room,
    broken,
    em_width,
    pictures,
    rooms,
    stacked,
)
from overpaint.engines.milde.naming import name_parts
from overpaint.engines.milde.palette import on
from overpaint.engines.milde.parts import Box, Part, layer
from overpaint.engines.milde.plan import Plan, plate_colour

BAND = 0.13  # of the height
BENEATH = {"rule": 26, "ribbon": 42}  # pixels, with the room around it
LONG = 13  # letters of a title on one line
STRIP = 0.1  # of the height, for a pattern or bunting above everything


@dataclass(frozen=True)
class Design:
    """The parts of a source and of its truth, bottom first."""

    size: tuple[int, int]
    before: tuple[Part, ...]
    after: tuple[Part, ...]

    @property
    def gold(self) -> tuple[str, ...]:
        """The ids of the parts that change or go, bottom first."""
        later = {part.id: part for part in self.after}
        return tuple(part.id for part in self.before if later.get(part.id) != part)

    def source(self) -> Document:
        """The document as it is."""
        return Document(made=tuple(map(layer, self.before)), canvas=self.size)

    def truth(self, source: Document) -> Document:
        """The document as it should become; what stays is the very layer of the source."""
        gold = set(self.gold)
        made = (source.layer(p.id) if p.id not in gold else layer(p) for p in self.after)
        return Document(made=tuple(made), canvas=self.size)


def compose(plan: Plan, change: Change, chance: Random) -> Design:
    """The design of a plan, before and after the change."""
    lean = _lean(plan, chance)
    banded = "band" in plan.figures
    above = STRIP if {"pattern", "bunting"} & set(plan.figures) else 0.0
    below = BAND + 0.02 if banded else 0.13 if plan.ground in (*SCENES, "waves") else 0.0
    room = rooms(plan.size, lean, above=above, below=below)
    figures = _figures(plan, room)
    texts, later = _texts(plan, change, lean)
    body = [part for part in texts if part.role != BADGE]
    held = body.pop() if banded and len(body) > 1 and body[-1].role != "title" else None
    tall, wide = room.words[3] - room.words[1], room.words[2] - room.words[0]
    largest = min(plan.size[1] * 0.15, wide * 0.2, tall * 0.5)
    beneath = sum(BENEATH[f] for f in plan.figures if f in BENEATH)
    placed = stacked(body, later, room.words, largest=largest, beneath=beneath)
    if held:
        placed.append(_on_band(held, later, figures["band"]))
    placed += [_on_seal(p, later, figures["seal"]) for p in texts if p.role == BADGE]
    if "rule" in figures or "ribbon" in figures:
        figures |= _beside_words(figures, placed)
    parts = name_parts((*figures.values(), *placed), plan, chance)
    return _numbered(Design(plan.size, parts, _changed(parts, change, later)))


def _numbered(design: Design) -> Design:
    """The same with numbers for ids, which tell nobody what a layer is for."""
    ids = {part.id: str(number) for number, part in enumerate(design.before, start=1)}
    before, after = (
        tuple(replace(part, id=ids[part.id]) for part in parts)
        for parts in (design.before, design.after)
    )
    return Design(design.size, before, after)


def _lean(plan: Plan, chance: Random) -> Lean:
    if "motif" not in plan.figures:
        return "alone"
    wide, high = plan.size
    if wide > high * 1.15:
        return chance.choice(("right", "right", "left"))
    return chance.choice(("over", "over", "under"))


# ── figures ─────────────────────────────────────────────────────────────────────────────


def _figures(plan: Plan, room: Room) -> dict[str, Part]:
    """The figures of a plan in their places, by figure, bottom first."""
    wide, high = plan.size
    small = [f for f in ("seal", "second") if f in plan.figures]
    main, spots = pictures(room, small=2 if "second" in small else len(small))
    beside = {"seal": spots[0] if spots else main, "second": spots[-1] if spots else main}
    inset = round(min(plan.size) * 0.03)
    boxes: dict[str, Box] = {
        "ground": (0, 0, wide, high), "corners": (0, 0, wide, high),
        "pattern": (inset, inset, wide - inset, round(high * STRIP * 0.92)),
        "bunting": (0, 0, wide, round(high * STRIP * 0.92)),
        "frame": (inset, inset, wide - inset, high - inset),
        "band": (0, round(high * (1 - BAND)), wide, high),
        "ribbon": (0, 0, 10, 10), "rule": (0, 0, 10, 10), "motif": main, **beside,
    }  # fmt: skip
    return {figure: _figure(plan, figure, boxes[figure]) for figure in plan.figures}


def _figure(plan: Plan, figure: str, box: Box) -> Part:
    palette = plan.palette
    seen = figure in ("motif", "second") or (figure == "ground" and plan.ground in SCENES)
    part = Part(
        id="", role=figure, kind="image" if seen else "decoration", name="",
        figure="motif" if figure == "second" else figure,  # type: ignore[arg-type]
        box=box, colour=palette.accent, other=palette.accent, grain=plan.grain,
    )  # fmt: skip
    if figure == "ground":
        return replace(part, colour=palette.ground, variant=plan.ground)
    if figure == "motif":
        return replace(part, motif=plan.motif, plate=plan.plate, other=plate_colour(palette))
    if figure == "second":
        plate = "disc" if palette.deep else ""
        return replace(part, motif=plan.second, plate=plate, other=plate_colour(palette))
    if figure == "pattern":
        return replace(part, motif=plan.content.topic.motif if plan.themed else "")
    if figure == "seal":
        return replace(part, variant=("burst", "disc")[plan.grain % 2])
    if figure in ("frame", "band", "rule"):
        return replace(part, live=plan.grain % 3 > 0, grain=14 if figure == "frame" else 0)
    return part


def _beside_words(figures: Mapping[str, Part], texts: Sequence[Part]) -> dict[str, Part]:
    """A rule or a ribbon in the room that is left beneath the title."""
    title = next(part for part in texts if "title" in part.roles)
    left, _, right, bottom = title.box
    wide = round((right - left) * 0.24)
    start = left if title.align == "left" else (left + right - wide) // 2
    return {
        name: replace(figures[name], box=(start, bottom - high + 10, start + wide, bottom - 10))
        for name, high in BENEATH.items() if name in figures
    }  # fmt: skip


# ── texts ───────────────────────────────────────────────────────────────────────────────


def _texts(plan: Plan, change: Change, lean: Lean) -> tuple[list[Part], dict[str, tuple[str, ...]]]:
    """The text parts without places, and what each says later, by its id."""
    title, heavy, body, light = plan.faces
    found, later = [], {}
    for number, roles in enumerate(plan.groups):
        first = "title" in roles
        words = {role: plan.content.line(role) for role in roles}
        after = {role: change.lines.get(role, words[role]) for role in roles}
        big = first or roles == (BADGE,)
        # Broken now if it is too long later, so that the lines stay as they are.
        long = max(len(one.get("title", "")) for one in (words, after)) > LONG
        part = Part(
            id=f"text-{number}", role=roles[0] if len(roles) == 1 else _role(roles), kind="text",
            name="", figure="text", box=(0, 0, 0, 0), roles=roles,
            lines=_lines(words, long), family=title if big else body,
            weight=heavy if big else light, live=plan.live,
            colour=plan.palette.ink if first else plan.palette.body,
            align="left" if lean in ("left", "right") and roles != (BADGE,) else "centre",
        )  # fmt: skip
        found.append(part)
        later[part.id] = _lines(after, long)
    return found, later


def _role(roles: tuple[str, ...]) -> str:
    return "title" if "title" in roles else "details"


def _lines(words: Mapping[str, str], long: bool) -> tuple[str, ...]:
    """The lines of a text that say something; a long title has a break in its own."""
    lines = {r: broken(line) if long and r == "title" else line for r, line in words.items()}
    return tuple(line for line in lines.values() if line)


def _on_band(part: Part, later: Mapping[str, tuple[str, ...]], band: Part) -> Part:
    """A text in the middle of the band, in white or black."""
    left, top, right, bottom = band.box
    inner = (left + 40, top + 8, right - 40, bottom - 8)
    placed = stacked([part], later, inner, largest=(bottom - top) * 1.15)[0]
    return replace(placed, colour=on(band.colour), align="centre")


def _on_seal(part: Part, later: Mapping[str, tuple[str, ...]], seal: Part) -> Part:
    """A text in the middle of the sticker."""
    left, top, right, bottom = seal.box
    wide = (right - left) * 0.68
    lines = {line for lines in (part.lines, later[part.id]) for line in lines}
    widest = max(em_width(line, part.family, part.weight) for line in lines)
    size = round(min(wide / widest, (right - left) * 0.3), 1)
    middle = (top + bottom) / 2
    box = (left, round(middle - size * 0.56), right, round(middle + size * 0.6))
    return replace(part, size=size, colour=on(seal.colour), box=box)


# ── before and after ────────────────────────────────────────────────────────────────────


def _changed(
    parts: Sequence[Part], change: Change, later: Mapping[str, tuple[str, ...]]
) -> tuple[Part, ...]:
    found = []
    for part in parts:
        if part.role in change.gone:
            continue
        if part.figure == "text":
            lines = later[part.id]
            if not lines:
                continue
            part = replace(part, lines=lines)
        found.append(_restyled(part, change))
    return tuple(found)


def _restyled(part: Part, change: Change) -> Part:
    looks = dict(change.looks.get(part.role, {}))
    letters = change.looks.get("letters", {})
    if part.figure == "text" and part.colour == letters.get("old"):
        looks["colour"] = letters["colour"]
    return replace(part, **looks) if looks else part  # type: ignore[arg-type]
