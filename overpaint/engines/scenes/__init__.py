"""Scenes: pictures drawn here, of which everything that can be asked is known exactly.

Even numbers are "known": extractors may be tuned on them. Odd ones are "held-out": other kinds of
things, on which extractors are judged. Places and styles are the same in both.
"""

from dataclasses import replace
from random import Random

from overpaint.document import Pixels
from overpaint.engines.scenes import places, placing
from overpaint.engines.scenes.compose import Plan, Scene, Thing, drawn, ground
from overpaint.engines.scenes.photographs import photographs
from overpaint.engines.scenes.sheet import Piece
from overpaint.engines.scenes.styles import STYLES

__all__ = [
    "Plan", "Scene", "Thing", "photographs", "plan", "scene", "style_picture", "subject_picture",
]  # fmt: skip

SIZES = ((512, 512), (640, 480), (480, 640), (768, 512))
SPLITS = ("known", "held-out")
PLACES = tuple(places.PLACES)
COUNTS = (1, 2, 2, 2, 3, 3, 3, 4, 4)  # of things where there are no people
PEOPLE = (0, 0, 0, 0, 0, 0, 1, 1, 2, 3)  # how many, each as likely, where people go


def scene(number: int, *, seed: int = 0) -> Scene:
    """The scene of that number: the same number and seed give the same pixels."""
    return drawn(plan(number, seed=seed))


def plan(number: int, *, seed: int = 0) -> Plan:
    """What the scene of that number is to show."""
    chance = Random(f"scene {seed} {number}")
    bare = Plan(
        id=f"scene-{seed}-{number}", split=SPLITS[number % 2], size=chance.choice(SIZES),
        place=chance.choice(PLACES), grain=f"scene {seed} {number}", style=chance.choice(STYLES),
        pieces=(),
    )  # fmt: skip
    people = chance.choice(PEOPLE) if bare.place != "table" else 0
    count = min(chance.choice(COUNTS), 4 - people) if not people else chance.randint(0, 4 - people)
    return filled(bare, people, count, chance)


def filled(
    bare: Plan, people: int, count: int, chance: Random, *, but: tuple[str, ...] = ()
) -> Plan:
    """The plan with so many people and things in it, none of a kind in `but`."""
    cast = [placing.person(chance) for _ in range(people)]
    cast += placing.things(bare.split, bare.place, count, chance, but=but)
    pieces = placing.placed(cast, ground(bare), bare.size, chance)
    return replace(bare, pieces=tuple(pieces))


def subject_picture(scene: Scene, thing: int = 0) -> Pixels:
    """The same thing alone: elsewhere, of another size, a little turned, on a plain ground."""
    grain = f"subject {scene.id} {thing}"
    return alone(scene.things[thing].piece, scene.style, grain)


def alone(piece: Piece, style: str, grain: str) -> Pixels:
    """What a piece shows, alone in a picture of its own."""
    chance = Random(grain)
    size = chance.choice(SIZES)
    pieces = (_alone(piece, size, chance),)
    return drawn(Plan(grain, "", size, "studio", grain, style, pieces)).pixels


def _alone(piece: Piece, size: tuple[int, int], chance: Random) -> Piece:
    """The piece somewhere else in a picture of that size."""
    share = chance.uniform(0.45, 0.7) * size[1]
    turn = chance.choice((-1, 1)) * chance.uniform(3, 6)
    wide, high = piece.sprite.size
    height = min(share, 0.62 * size[0] * high / wide)
    sprite = piece.look.sprite(height, turn)
    left = round(chance.uniform(0.04, 0.96) * (size[0] - sprite.size[0] - 8)) + 4
    lowest = size[1] - sprite.size[1] - 6
    top = lowest - round(chance.uniform(0.02, 0.16) * size[1])
    site = "air" if piece.site == "air" else "floor"
    asked = (height, turn)
    return replace(piece, sprite=sprite, left=left, top=max(4, top), site=site, asked=asked)


def style_picture(scene: Scene) -> Pixels:
    """Another scene with other things, in the same style."""
    chance = Random(f"style {scene.id}")
    elsewhere = chance.choice([name for name in PLACES if name != scene.plan.place])
    grain = f"style {scene.id}"
    bare = replace(scene.plan, size=chance.choice(SIZES), place=elsewhere, grain=grain, pieces=())
    names = tuple(thing.name for thing in scene.things)
    return drawn(filled(bare, 0, chance.randint(1, 3), chance, but=names)).pixels
