"""Placing: which things a scene has and where they go, seen whole enough to be known."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from overpaint.engines.scenes.kinds import COLOURS, KINDS, Kind, name_of
from overpaint.engines.scenes.looks import Look, PersonLook, Sprite, ThingLook
from overpaint.engines.scenes.places import Place, Size
from overpaint.engines.scenes.sheet import Piece

HIDDEN = 0.26  # of a box that nearer boxes may cover
WIDEST, TALLEST = 0.62, 0.84  # of the picture
LEAST = 0.12  # of the picture's shorter side that a thing is high
STANDING = 400.0  # pixels of a person who stands, before they are placed
TRIES = 80
FEW = {1: 1.3, 2: 1.12}
OUTLINE = 96.0  # pixels of height at which a thing's shape is looked at


@dataclass(frozen=True)
class Wanted:
    """A thing to be placed: what it is and the rules for its kind."""

    look: Look
    tall: float
    near: tuple[float, float]
    site: str = "floor"
    turn: float = 0.0


def things(
    split: str, place: str, count: int, chance: Random, *, but: Sequence[str] = ()
) -> list[Wanted]:
    """So many things at home in the place, each of a kind of its own and of none in `but`."""
    known = [
        kind for kind in KINDS[split]
        if place in kind.places and not any(kind.word in name for name in but)
    ]  # fmt: skip
    chosen = chance.sample(known, min(count, len(known)))
    if chosen and all(kind.site == "air" for kind in chosen):  # something is on the ground, too
        chosen[0] = chance.choice([kind for kind in known if kind.site != "air"])
    return [of_kind(kind, chance) for kind in chosen]


def of_kind(kind: Kind, chance: Random) -> Wanted:
    """A thing of that kind in one of its colours."""
    colour = chance.choice(kind.colours)
    look = ThingLook(name_of(kind, colour), kind.paint, COLOURS[colour], chance.random() < 0.5)
    return Wanted(look, kind.tall, kind.near, kind.site, kind.turn)


def person(chance: Random) -> Wanted:
    """Somebody, drawn anew."""
    from overpaint.engines.scenes import people

    figure = people.person(np.random.default_rng(chance.getrandbits(63)), height=STANDING)
    tall = figure.draw(0.2).shape[0] / 0.2  # small, as all that is asked is how high it is
    return Wanted(PersonLook(figure, tall), tall / STANDING, (0.66, 0.95))


def placed(wanted: Sequence[Wanted], place: Place, size: Size, chance: Random) -> list[Piece]:
    """Those that find room, the farthest first; where they are few, they are larger."""
    spots: list[_Spot] = []
    place = replace(place, unit=place.unit * FEW.get(len(wanted), 1.0))
    for one in wanted:
        turn = chance.uniform(-one.turn, one.turn)
        shape = _shape(one.look.sprite(OUTLINE, turn))
        for _ in range(TRIES):
            spot = _tried(_Spot(one, turn, shape), place, size, chance, beside=spots)
            if spot is not None and _all_seen([*spots, spot]):
                spots.append(spot)
                break
    return sorted((_piece(spot, size) for spot in spots), key=lambda piece: piece.near)


@dataclass(frozen=True)
class _Spot:
    """Where a thing may go: its box is known before it is drawn."""

    one: Wanted
    turn: float
    shape: tuple[float, float]  # its width and height, before it is turned it is 1 high
    site: str = ""
    near: float = 0.0
    size: float = 0.0  # what its shape is multiplied by
    box: tuple[float, float, float, float] = (0, 0, 0, 0)


def _shape(sprite: Sprite) -> tuple[float, float]:
    return sprite.size[0] / OUTLINE, sprite.size[1] / OUTLINE


def _tried(
    spot: _Spot, place: Place, size: Size, chance: Random, *, beside: Sequence[_Spot]
) -> _Spot | None:
    """The thing at a place of chance, or None where it would not fit the picture."""
    one = spot.one
    site = one.site if one.site in place.bands or one.site == "air" else "floor"
    near = chance.uniform(*_within(one.near, place.bands.get(site, (0.0, 1.0))))
    scale = place.unit * near * one.tall**place.power * min(size[1], 1.15 * size[0])
    scale = max(scale, LEAST * min(size))
    room = TALLEST if site == "air" else min(TALLEST, place.height_at(near) - 0.03)
    scale = min(scale, room * size[1] / spot.shape[1], WIDEST * size[0] / spot.shape[0])
    width, height = (scale * side for side in spot.shape)
    left = _across(width, size[0], chance, beside)
    if site == "air":
        top = chance.uniform(0.04, max(0.06, place.sky - 0.7 * height / size[1])) * size[1]
    else:
        top = place.height_at(near) * size[1] - height
    if not (4 <= left <= size[0] - width - 4 and 4 <= top <= size[1] - height - 4):
        return None
    box = (left, top, left + width, top + height)
    return replace(spot, site=site, near=near, size=scale, box=box)


def _piece(spot: _Spot, size: Size) -> Piece:
    """The thing drawn in its box, with its foot where the box ends."""
    sprite = spot.one.look.sprite(spot.size, spot.turn)
    left = min(round(spot.box[0]), size[0] - sprite.size[0])
    top = min(round(spot.box[3]), size[1]) - sprite.size[1]
    return Piece(
        spot.one.look, sprite, max(0, left), max(0, top), spot.near, spot.site,
        asked=(spot.size, spot.turn),
    )  # fmt: skip


def _across(width: float, whole: int, chance: Random, beside: Sequence[_Spot]) -> float:
    """Anywhere, or where it touches another, as things in a picture often do."""
    if beside and chance.random() < 0.5:
        other = chance.choice(beside)
        return chance.choice((other.box[0] - 0.8 * width, other.box[2] - 0.2 * width))
    return chance.uniform(4, max(5, whole - width - 4))


def _within(wish: tuple[float, float], band: tuple[float, float]) -> tuple[float, float]:
    low, high = max(wish[0], band[0]), min(wish[1], band[1])
    if low <= high:
        return low, high
    return (band[0], min(band[1], band[0] + 0.08)) if wish[1] < band[0] else (band[1], band[1])


def _all_seen(spots: Sequence[_Spot]) -> bool:
    """Whether each box is free enough of nearer ones, and no two are equally near."""
    for one in spots:
        nearer = [other for other in spots if other.near > one.near]
        left, top, right, bottom = one.box
        if sum(_common(one, other) for other in nearer) > HIDDEN * (right - left) * (bottom - top):
            return False
    return len({spot.near for spot in spots}) == len(spots)


def _common(one: _Spot, other: _Spot) -> float:
    a, b = one.box, other.box
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return max(across, 0.0) * max(down, 0.0)
