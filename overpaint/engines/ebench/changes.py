"""High-level edits with a known truth: a drawn scene is drawn again with one thing changed.

`at(share)` is the edit done by that share: a colour, a size or a place goes that far on its way,
whatever comes, goes or changes wholly is mixed in. At 0 it is the source, at 1 the truth.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from overpaint.engines.ebench import degrade, wording
from overpaint.engines.ebench.sources import Rgb, Set, Source, look, plan, shown
from overpaint.engines.ebench.sources import kind as kind_of
from overpaint.engines.posters.brush import mix
from overpaint.engines.scenes import asking
from overpaint.engines.scenes.compose import Plan
from overpaint.engines.scenes.kinds import COLOURS, name_of
from overpaint.engines.scenes.looks import Look, ThingLook
from overpaint.engines.scenes.sheet import Piece

SIZED = {"larger": "large", "smaller": "small"}
MANY = {"ball": "balls", "duck": "ducks"}


@dataclass(frozen=True)
class Wish:
    """A task put to a scene: which thing, and what is to become of it."""

    scene: str
    task: str
    thing: str = ""
    to: str = ""


@dataclass(frozen=True, eq=False)
class Change:
    """An edit of known truth."""

    instruction: str
    before: str  # the source in words
    after: str  # the target in words
    at: Callable[[float], Rgb]


WISHES = (
    Wish("meadow-dog", "add", "ball"), Wish("beach-lighthouse", "add", "duck"),
    Wish("street-car", "remove", "robot"), Wish("table-tea", "remove", "pear"),
    Wish("room-chair", "replace", "gift", "ball:orange"),
    Wish("studio-vase", "replace", "mug", "teapot:pink"),
    Wish("street-bus", "color", "bus", "green"), Wish("beach-boat", "color", "parasol", "purple"),
    Wish("beach-boat", "style", to="watercolour"), Wish("street-car", "style", to="pencil"),
    Wish("meadow-dog", "weather_season", to="derain"),
    Wish("street-bus", "weather_season", to="desnow"),
    Wish("meadow-tractor", "background", to="beach"),
    Wish("studio-vase", "background", to="room"),
    Wish("beach-lighthouse", "counting", "duck"), Wish("meadow-dog", "counting", "ball"),
    Wish("room-piano", "position", "drum"), Wish("meadow-house", "position", "sheep"),
    Wish("room-chair", "size", "gift", "larger"), Wish("table-tea", "size", "teapot", "smaller"),
)  # fmt: skip
STYLES = {
    "watercolour": ("watercolour", "a watercolour"),
    "pencil": ("coloured pencil", "a drawing in coloured pencil"),
}
WEATHER = {"derain": "rain", "desnow": "falling snow"}
GROUNDS = {"beach": "a beach by the sea", "room": "a room"}


def change(wish: Wish, scene: Set) -> Change:
    """The edit that a wish asks of its scene."""
    return _WAYS[wish.task](wish, scene)


def _told(
    wish: Wish, pair: tuple[Source, Source], at: Callable[[float], Rgb], **parts: str
) -> Change:
    grain = f"{wish.scene} {wish.task}"
    before, after = (wording.sentence(one.words) for one in pair)
    return Change(wording.asked(wish.task, grain, **parts), before, after, at)


def _mixed(before: Rgb, after: Rgb) -> Callable[[float], Rgb]:
    return lambda share: (before + (after - before) * np.float32(share)).astype(np.float32)


def _drawn(at: Callable[[float], Plan], scene: Set) -> Callable[[float], Rgb]:
    return lambda share: shown(at(share), scene).pixels


def _piece(whole: Plan, word: str) -> Piece:
    return next(one for one in whole.pieces if one.look.name.endswith(word))


def _with(whole: Plan, old: Piece, *new: Piece) -> Plan:
    """The plan with a piece replaced by others, or by none; no two are equally near."""
    kept = [one for one in whole.pieces if one is not old]
    return replace(whole, pieces=(*kept, *new))


def _added(wish: Wish, scene: Set) -> Change:
    whole = plan(scene)
    piece = _piece(whole, wish.thing)
    without, full = shown(_with(whole, piece), scene), shown(whole, scene)
    where = asking.where(piece, scene.place, whole.size)
    return _told(wish, (without, full), _mixed(without.pixels, full.pixels),
                 new=piece.look.name, where=where)  # fmt: skip


def _removed(wish: Wish, scene: Set) -> Change:
    whole = plan(scene)
    piece = _piece(whole, wish.thing)
    without, full = shown(_with(whole, piece), scene), shown(whole, scene)
    return _told(wish, (full, without), _mixed(full.pixels, without.pixels), the=_the(piece))


def _the(piece: Piece) -> str:
    return asking.the(piece.look.name)


def _replaced(wish: Wish, scene: Set) -> Change:
    whole = plan(scene)
    piece = _piece(whole, wish.thing)
    other = look(*wish.to.split(":"))
    new = _standing(piece, other, piece.asked[0], whole.size)
    before, after = shown(whole, scene), shown(_with(whole, piece, new), scene)
    return _told(wish, (before, after), _mixed(before.pixels, after.pixels),
                 the=_the(piece), new=other.name)  # fmt: skip


def _standing(old: Piece, what: Look, height: float, size: tuple[int, int]) -> Piece:
    """A look of that height on the foot of a piece, wholly in the picture."""
    left, _, right, bottom = old.box
    sprite = what.sprite(min(height, bottom - 4), old.asked[1])
    start = min(max(0, round((left + right - sprite.size[0]) / 2)), size[0] - sprite.size[0])
    return replace(old, look=what, sprite=sprite, left=start, top=max(0, bottom - sprite.size[1]),
                   asked=(height, old.asked[1]))  # fmt: skip


def _coloured(wish: Wish, scene: Set) -> Change:
    whole = plan(scene)
    piece = _piece(whole, wish.thing)
    assert isinstance(piece.look, ThingLook)  # sets have no people
    first, last = piece.look, COLOURS[wish.to]

    def at(share: float) -> Plan:
        name = name_of(kind_of(wish.thing), wish.to) if share == 1 else first.name
        painted = replace(first, name=name, colour=mix(first.colour, last, share))
        new = replace(piece, look=painted, sprite=painted.sprite(*piece.asked))
        return _with(whole, piece, new)

    pair = shown(whole, scene), shown(at(1), scene)
    return _told(wish, pair, _drawn(at, scene), the=_the(piece), colour=wish.to)


def _sized(wish: Wish, scene: Set) -> Change:
    whole = plan(scene)
    piece = _piece(whole, wish.thing)
    factor = {"larger": 1.6, "smaller": 0.6}[wish.to]

    def at(share: float) -> Plan:
        height = piece.asked[0] * (1 + (factor - 1) * share)
        return _with(whole, piece, _standing(piece, piece.look, height, whole.size))

    before, after = shown(whole, scene), shown(at(1), scene)
    words = before.words.replace(piece.look.name, f"{_sizeable(piece.look.name, wish.to)}")
    much = {"larger": "clearly larger", "smaller": "clearly smaller"}[wish.to]
    return _told(wish, (before, replace(after, words=words)), _drawn(at, scene),
                 the=_the(piece), much=much)  # fmt: skip


def _sizeable(name: str, to: str) -> str:
    article, _, rest = name.partition(" ")
    bare = rest if article in ("a", "an") else name
    return f"a {SIZED[to]} {bare}"


def _moved(wish: Wish, scene: Set) -> Change:
    whole = plan(scene)
    piece = _piece(whole, wish.thing)
    room = whole.size[0] - piece.sprite.size[0]
    goal = 6 if piece.left > room / 2 else room - 6

    def at(share: float) -> Plan:
        return _with(
            whole, piece, replace(piece, left=round(piece.left + (goal - piece.left) * share))
        )

    before, after = shown(whole, scene), shown(at(1), scene)
    side = "the far left" if goal == 6 else "the far right"
    words = f"{after.words}, {asking.the(piece.look.name)} on {side}"
    return _told(wish, (before, replace(after, words=words)), _drawn(at, scene),
                 the=_the(piece), side=side)  # fmt: skip


def _styled(wish: Wish, scene: Set) -> Change:
    whole = plan(scene)
    style, name = STYLES[wish.to]
    before, after = shown(whole, scene), shown(replace(whole, style=style), scene)
    after = replace(after, words=f"{name} of {after.words}")
    before = replace(before, words=f"a photograph of {before.words}")
    return _told(wish, (before, after), _mixed(before.pixels, after.pixels), style=name)


def _weathered(wish: Wish, scene: Set) -> Change:
    clear = shown(plan(scene), scene)
    weather = WEATHER[wish.to]
    before, after = (
        replace(clear, words=f"{clear.words}, in {w}") for w in ("clear weather", weather)
    )

    def at(share: float) -> Rgb:
        strength = share * degrade.LEVELS[2]
        return degrade.degraded(wish.to, clear.pixels, clear.near, strength=strength, seed=scene.id)

    return _told(wish, (before, after), at, weather=weather)


def _grounded(wish: Wish, scene: Set) -> Change:
    whole = plan(scene)
    before, after = shown(whole, scene), shown(replace(whole, place=wish.to), scene)
    return _told(wish, (before, after), _mixed(before.pixels, after.pixels),
                 place=GROUNDS[wish.to])  # fmt: skip


def _counted(wish: Wish, scene: Set) -> Change:
    whole = plan(scene)
    piece = _piece(whole, wish.thing)
    more = [replace(piece, left=left, near=piece.near + 1e-4 * n)
            for n, left in enumerate(_free(whole, piece), 1)]  # fmt: skip
    before, after = shown(whole, scene), shown(_with(whole, piece, piece, *more), scene)
    _, _, rest = piece.look.name.partition(" ")
    many = rest.replace(wish.thing, MANY[wish.thing])
    words = before.words.replace(piece.look.name, f"three {many}")
    return _told(wish, (before, replace(after, words=words)),
                 _mixed(before.pixels, after.pixels), the=_the(piece), many=many)  # fmt: skip


def _free(whole: Plan, piece: Piece) -> list[int]:
    """Two places in the same row, as far from everything there as can be."""
    wide = piece.sprite.size[0]
    _, top, _, bottom = piece.box
    taken = [one.box for one in whole.pieces if one.box[1] < bottom and one.box[3] > top]
    found: list[int] = []
    for _ in range(2):
        boxes = [*((box[0], box[2]) for box in taken), *((left, left + wide) for left in found)]

        def room(left: int, boxes: list[tuple[int, int]] = boxes) -> int:
            return min(max(low - left - wide, left - high) for low, high in boxes)

        found.append(max(range(4, whole.size[0] - wide - 4, 4), key=room))
    return found


_WAYS: Mapping[str, Callable[[Wish, Set], Change]] = {
    "add": _added, "remove": _removed, "replace": _replaced, "color": _coloured,
    "style": _styled, "weather_season": _weathered, "background": _grounded,
    "counting": _counted, "position": _moved, "size": _sized,
}  # fmt: skip
